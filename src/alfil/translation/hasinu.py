"""Betza in Ħasínū: `to_hasinu` part by part, `in_hasinu` as a whole with a policy for losses.

A part is translated by the table where it has a direct counterpart, otherwise from its meaning:
the automaton is taken apart into strands and these are put together as bent moves and loops.
Whatever comes out is compiled again and compared; only what is the same piece counts as found.

Some parts have no form by themselves but have one beside others: ``yafsF`` must not stop on its
first square, yet with F beside it that stop is allowed anyway. For these a move that may do more is
taken, if all it may do is allowed by some part or other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from alfil.errors import AlfilError, Finding
from alfil.meaning.compare import same_meaning
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.reader import read_betza
from alfil.notation.hasinu.canonical import canonical
from alfil.notation.hasinu.nodes import Embedded
from alfil.notation.nodes import Description, Term
from alfil.source import Source, Span
from alfil.translation.into_hasinu.legs import direct
from alfil.translation.into_hasinu.pieces import Pieces
from alfil.translation.into_hasinu.search import Terms, meaning_of_terms, means, together
from alfil.translation.into_hasinu.spelled import DEFAULT, spelled
from alfil.translation.into_hasinu.tidy import tidied
from alfil.translation.parts import Said, TranslationLoss, meaning_of

UNSAID, UNPROVED = "no-hasinu-form", "its parts together could not be proved to be the same piece"

OnLoss: TypeAlias = Literal["strict", "lossy", "escape"]


def to_hasinu(tree: Description, source: Source) -> list[Said]:
    """Every part of a Betza tree in Ħasínū, alone or with those it only translates together with.

    All terms that are given together have the meaning of all parts together. Parts without a form
    come with their losses, at least one each. Raises `MeaningError` for a piece too large to be
    compiled.

    >>> tree, _ = read_betza(Source("FyafsFpR"))
    >>> [(len(said.given), said.terms is None) for said in to_hasinu(tree, Source("FyafsFpR"))]
    [(2, False), (1, True)]
    """
    parts = _parts(tree)
    quick = _by_the_table(parts)
    if quick is not None:
        terms = tuple(term for each in quick for term in each)
        if means(terms, meaning_of(tree, source)):
            return [Said((part,), each) for part, each in zip(parts, quick, strict=True)]
    return Pieces(parts, tree.dialect, source).said()


def in_hasinu(
    tree: Description, source: Source, on_loss: OnLoss = "strict"
) -> tuple[Description, tuple[Finding, ...]]:
    r"""A Betza tree as a Ħasínū tree in canonical form, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them; with "lossy" the parts without
    a form are left out, and the result may do no more than the original; with "escape" they are
    embedded as Betza, and nothing is lost. A lossy result without any move raises too. Raises
    `MeaningError` for a piece too large to compile.

    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> def written(text, on_loss="strict"):
    ...     source = Source(text)
    ...     return write_hasinu(in_hasinu(read_betza(source)[0], source, on_loss)[0])
    >>> written("WfF"), written("[F?R]"), written("NpR", "lossy"), written("NpR", "escape")
    ('1×6dSE-SW', '1×4dD &t n4dO', '(1,2)', '(1,2) & \\pR')
    """
    quick = _by_the_table(_parts(tree))
    if quick is not None:
        described = _joined(term for each in quick for term in each)
        if means(_moves(described), meaning_of(tree, source)):
            return described, ()
    pieces = Pieces(_parts(tree), tree.dialect, source)
    said = pieces.said()
    losses = tuple(loss for each in said for loss in each.losses)
    kept = [each for each in said if each.terms is not None]
    nothing = not any(each.terms for each in kept)
    if losses and (on_loss == "strict" or (on_loss == "lossy" and nothing)):
        raise TranslationLoss(losses, source)
    found = _put_together(kept)
    if found is None:
        span = (Span(0, len(source.text)),)
        raise TranslationLoss([Finding(UNSAID, UNPROVED, span, "write fewer parts")], source)
    if on_loss == "lossy":
        return found, losses
    try:
        embedded = [_embedded(part, tree.dialect) for part in _lost(said)]
    except AlfilError:
        # Some dialect says what the default one cannot.
        raise TranslationLoss(losses, source) from None
    return canonical(Description((*found.terms, *embedded), "hasinu", DEFAULT)), ()


def _put_together(kept: Sequence[Said]) -> Description | None:
    """The terms of all parts as one description, if putting them together changes nothing.

    Every part has been compared by itself, and beside the others where it says more than the part.
    """
    terms = [term for each in kept for term in each.terms or ()]
    apart = together(meaning_of_terms(_own(each.terms or ())) for each in kept)
    untidied = canonical(Description(tuple(dict.fromkeys(terms)), "hasinu", DEFAULT))
    for described in (_joined(terms), untidied):
        if same_meaning(meaning_of_terms(_moves(described)), apart):
            return described
    return None


def _parts(tree: Description) -> list[BetzaTerm]:
    return [term for term in dict.fromkeys(tree.terms) if isinstance(term, Leg | Chain | Path)]


def _by_the_table(parts: Sequence[BetzaTerm]) -> list[Terms] | None:
    """The direct counterparts of all parts, not yet verified."""
    found: list[Terms] = []
    for part in parts:
        terms = direct(part)
        if terms is None:
            return None
        found.append(terms)
    return found


def _joined(terms: Iterable[Term]) -> Description:
    """A description of all terms in canonical form."""
    moves = tidied([term for term in terms if not isinstance(term, BetzaTerm)])
    return canonical(Description(moves, "hasinu", DEFAULT))


def _moves(described: Description) -> Terms:
    return _own(described.terms)


def _own(terms: Iterable[Term]) -> Terms:
    return tuple(term for term in terms if not isinstance(term, Leg | Chain | Path))


def _lost(said: Iterable[Said]) -> Iterator[BetzaTerm]:
    """The parts without a form."""
    for each in said:
        if each.terms is None:
            yield from (part for part in each.given if isinstance(part, Leg | Chain | Path))


def _embedded(part: BetzaTerm, dialect: str) -> Embedded:
    """A part as embedded Betza of the default dialect."""
    tree, _ = read_betza(Source(spelled(part, dialect)), DEFAULT)
    return Embedded(tree)

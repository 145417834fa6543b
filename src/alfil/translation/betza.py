"""Ħasínū in Betza: `to_betza` term by term, `in_betza` as a whole with a policy for losses.

Betza is written from the meaning: the automaton is taken apart into routes, and routes of one shape
become one part. So all terms are best translated together; only where that fails are they taken one
by one. Moves that repeat themselves are guessed at. Whatever comes out is compiled again and
compared; only what is the same piece counts as found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal, TypeAlias

from alfil.errors import Finding, MeaningError
from alfil.meaning.compare import same_meaning
from alfil.meaning.piece import EMPTY, Meaning
from alfil.meaning.refusals import unknown_functions
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.writer import write_betza
from alfil.notation.hasinu.nodes import Call, Embedded, Loop, Union
from alfil.notation.nodes import Description, Term
from alfil.notation.registry import movement_of
from alfil.source import Source
from alfil.translation.into_betza.blame import facts_in, losses_in
from alfil.translation.into_betza.routes import Unsayable
from alfil.translation.into_betza.shapes import PREFIXES, ordered, part, parts_of
from alfil.translation.into_betza.wandering import wandering
from alfil.translation.parts import Said, TranslationLoss, meaning_of

OnLoss: TypeAlias = Literal["strict", "lossy"]
Parts: TypeAlias = tuple[BetzaTerm, ...]

DIALECT: Literal["betza"] = "betza"
NOWHERE = Source("", "<betza>")
# More loops than this are not tried in pairs.
MOST_PAIRED = 4
# A guess that takes more work than this to prove is given up.
GUESS_BUDGET = 8_000
PAIR = 2


def to_betza(tree: Description, source: Source) -> list[Said]:
    """Every term of a Ħasínū tree in Betza, alone or with those it is translated together with.

    All parts that are given together have the meaning of all terms together. Terms without a form,
    and terms that state facts about the piece, come with their losses, at least one each. Raises
    `MeaningError` for functions nobody knows.

    >>> from alfil.notation.hasinu.reader import read_hasinu
    >>> tree, _ = read_hasinu(Source("1×4dO & royal() & n4dD"))
    >>> [(len(said.given), said.terms is None) for said in to_betza(tree, Source(""))]
    [(2, False), (1, True)]
    """
    unknown = unknown_functions(movement_of(tree))
    if unknown:
        raise MeaningError(unknown, source)
    moves: list[Term] = []
    stated: list[Said] = []
    for term in dict.fromkeys(_flat(tree.terms)):
        losses = facts_in(term)
        if losses:
            stated.append(Said((term,), None, losses))
        else:
            moves.append(term)
    return [*_Moves(tree, source).said(moves), *stated]


def in_betza(
    tree: Description, source: Source, on_loss: OnLoss = "strict"
) -> tuple[Description, tuple[Finding, ...]]:
    """A Ħasínū tree as a Betza tree of the default dialect, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them, in the order of the text; with
    "lossy" the terms without a form are left out, and the result may do no more than the original.
    A lossy result without any move raises too, and so do functions nobody knows.

    >>> from alfil.notation.hasinu.reader import read_hasinu
    >>> def written(text, on_loss="strict"):
    ...     source = Source(text)
    ...     return write_betza(in_betza(read_hasinu(source)[0], source, on_loss)[0])
    >>> written("1×6dSE-SW"), written("1×4dD &t n4dO"), written("royal() & 1×8d", "lossy")
    ('WfF', '[F?R]', 'K')
    """
    said = to_betza(tree, source)
    found = [loss for each in said for loss in each.losses]
    losses = tuple(sorted(found, key=lambda loss: loss.spans))
    parts = _parts(said)
    if losses and (on_loss == "strict" or not parts):
        raise TranslationLoss(losses, source)
    return Description(parts, "betza", DIALECT), losses


def betza_of(meaning: Meaning) -> Description | None:
    """A Betza tree with exactly the moves of a meaning, or None where none is found.

    Facts are left aside. This is the way from a table or a drawing to a notation.

    >>> from alfil.notation.betza.reader import read_betza
    >>> griffon = meaning_of(read_betza(Source("FyafsF"))[0], NOWHERE)
    >>> write_betza(betza_of(griffon))
    '[F?R]'
    """
    parts = _saying(meaning.without_facts())
    return None if parts is None else Description(parts, "betza", DIALECT)


def _parts(said: Iterable[Said]) -> Parts:
    """The parts of all terms in canonical order."""
    terms = [term for each in said for term in each.terms or ()]
    return ordered([term for term in terms if isinstance(term, Leg | Chain | Path)])


def _flat(terms: Iterable[Term]) -> Iterator[Term]:
    for term in terms:
        if isinstance(term, Union):
            yield from _flat(term.terms)
        else:
            yield term


def _saying(meaning: Meaning) -> Parts | None:
    """Parts with exactly this meaning, or None where none are found."""
    for parts in _candidates(meaning):
        if same_meaning(_meaning_of_parts(parts), meaning, GUESS_BUDGET):
            return parts
    return None


def _candidates(meaning: Meaning) -> Iterator[Parts]:
    try:
        parts = parts_of(meaning)
    except Unsayable:
        yield from _guesses(meaning)
        return
    if len(parts) > 1 and not all(isinstance(each, Leg) for each in parts):
        # A circle is one part; its two hands alone would be one each.
        yield from islice((guess for guess in _guesses(meaning) if len(guess) < len(parts)), 1)
    yield parts


def _guesses(meaning: Meaning) -> Iterator[Parts]:
    """Guesses at moves that repeat themselves, where all have one condition."""
    if len(meaning.parts) != 1:
        return
    ((guard, automaton),) = meaning.parts
    initial = PREFIXES.get(guard)
    if initial is None:
        return
    for guess in wandering(automaton):
        texts = [initial + write_betza(Description((each,), "betza", DIALECT)) for each in guess]
        try:
            yield tuple([part(text) for text in texts])
        except Unsayable:
            continue


def _meaning_of_parts(parts: Parts) -> Meaning:
    return meaning_of(Description(parts, "betza", DIALECT), NOWHERE)


@dataclass(slots=True)
class _Found:
    """A term with its parts, or with the findings that stand in the way."""

    term: Term
    parts: Parts | None = None
    refused: tuple[Finding, ...] = ()


class _Moves:
    """The terms of a description that are moves."""

    def __init__(self, tree: Description, source: Source) -> None:
        self._tree = tree
        self._source = source
        self._declared = tuple(
            term for term in tree.terms if isinstance(term, Call) and term.name == "function"
        )

    def said(self, terms: Sequence[Term]) -> list[Said]:
        """What becomes of the terms: all together, or else one by one."""
        whole = self._together(terms) if len(terms) > 1 else None
        if whole is not None:
            return [Said(tuple(terms), whole)]
        said = list(self._paired(terms))
        paired = {term for each in said for term in each.given}
        every = [self._alone(term) for term in terms if term not in paired]
        known = [each for each in every if each.parts is not None]
        together = self._together([each.term for each in known]) if len(known) > 1 else None
        if together is not None:
            said.append(Said(tuple(each.term for each in known), together))
        else:
            said += [Said((each.term,), each.parts) for each in known]
        for each in every:
            if each.parts is None:
                said.append(Said((each.term,), None, each.refused or losses_in(each.term)))
        return said

    def _alone(self, term: Term) -> _Found:
        try:
            meaning = self._meaning((term,))
        except MeaningError as error:
            return _Found(term, None, error.findings)
        embedded = self._embedded(term)
        if embedded is not None:
            return _Found(term, embedded)
        return _Found(term, _saying(meaning))

    def _paired(self, terms: Sequence[Term]) -> Iterator[Said]:
        """Loops that are one part only in pairs: crooked moves that start either way."""
        left = [term for term in terms if isinstance(term, Loop)]
        if len(terms) == len(left) == PAIR or len(left) > MOST_PAIRED:
            return
        for pair in combinations(left, PAIR):
            if set(pair) <= set(left):
                parts = self._together(pair)
                if parts is not None and len(parts) == 1:
                    left = [term for term in left if term not in pair]
                    yield Said(pair, parts)

    def _together(self, terms: Sequence[Term]) -> Parts | None:
        """Parts for some terms as one; embedded Betza stays what it is."""
        kept: list[BetzaTerm] = []
        others: list[Term] = []
        for term in terms:
            embedded = self._embedded(term)
            kept += embedded or ()
            if embedded is None:
                others.append(term)
        try:
            meaning = self._meaning(others) if others else EMPTY
        except MeaningError:
            return None
        parts = _saying(meaning)
        return None if parts is None else ordered([*parts, *kept])

    def _meaning(self, terms: Sequence[Term]) -> Meaning:
        """The moves of some terms, with the declarations they may need."""
        described = Description((*terms, *self._declared), "hasinu", self._tree.dialect)
        return meaning_of(described, self._source).without_facts()

    def _embedded(self, term: Term) -> Parts | None:
        """The parts of embedded Betza of the default dialect, in its usual spelling."""
        if not isinstance(term, Embedded) or term.betza.dialect not in {"", DIALECT}:
            return None
        parts = [each for each in term.betza.terms if isinstance(each, Leg | Chain | Path)]
        texts = [write_betza(Description((each,), "betza", DIALECT)) for each in parts]
        return tuple([part(text) for text in texts])

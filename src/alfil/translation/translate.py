"""A piece in another notation or dialect: the same piece, or every loss by name.

Whatever claims to be exact has been compiled again and compared with the original; whatever is
lossy has been proved to allow nothing that the original does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Literal, TypeAlias

from alfil.errors import AlfilError, Finding, refuse
from alfil.meaning.compare import contains, same_meaning
from alfil.meaning.compile import meaning_of
from alfil.movement.nodes import Option
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.betza.spell import spelled
from alfil.notation.betza.writer import write_betza
from alfil.notation.hasinu.writer import write_hasinu
from alfil.notation.nodes import Description, Term
from alfil.notation.registry import movement_of
from alfil.source import Source, Span
from alfil.translation.betza import in_betza
from alfil.translation.hasinu import in_hasinu
from alfil.translation.losses import Given, TranslationLoss

OnLoss: TypeAlias = Literal["strict", "lossy", "escape"]
Losses: TypeAlias = tuple[Finding, ...]
UNPROVED_HINT = "write fewer parts, or another dialect"


def translated(
    tree: Description, source: Source, to: tuple[str, str], on_loss: OnLoss
) -> tuple[str, Losses]:
    """The text of a tree in another notation or dialect, and what was lost.

    ``to`` is the notation and dialect to write. Raises `TranslationLoss` with all losses where
    something is lost that may not be, or nothing is left.
    """
    notation, dialect = to
    if notation == "hasinu":
        if tree.notation == "hasinu":
            return write_hasinu(tree), ()
        described, losses = in_hasinu(given(tree, source), on_loss)
        return write_hasinu(described), losses
    if tree.notation == "betza" and dialect == tree.dialect:
        return write_betza(tree, dialect, source), ()
    losses = ()
    described = tree
    if tree.notation != "betza":
        policy = "lossy" if on_loss == "lossy" else "strict"
        described, losses = in_betza(given(tree, source), policy)
        if dialect == described.dialect:
            return write_betza(described, dialect), losses
    text, more = _in_dialect(described, dialect, source, on_loss)
    written = meaning_of(resolve_betza(read_betza(Source(text), dialect)[0]), source)
    wanted = meaning_of(resolve_betza(described), source)
    if not (contains(wanted, written) if more else same_meaning(wanted, written)):
        message = f"{text} in {dialect} could not be proved to be the same piece"
        refuse(TranslationLoss, "no-translation", message, source, hint=UNPROVED_HINT)
    return text, (*losses, *more)


def given(tree: Description, source: Source) -> Given:
    """A tree of any notation as what is to be translated.

    Its folder says where the text tells something, if it has a sign for that.
    """
    places_of = import_module(f"alfil.notation.{tree.notation}.spell").places_of

    def places(what: str, span: Span) -> tuple[Span, ...]:
        found: tuple[Span, ...] = places_of(what, span, source)
        return found

    @cache
    def authored(option: Option) -> tuple[BetzaTerm, ...] | None:
        own = tree.notation == "betza" or places("embedded", option.span)
        return _authored(option, source, tree.dialect) if own else None

    return Given(movement_of(tree), source, places, authored)


def _authored(option: Option, source: Source, dialect: str) -> tuple[BetzaTerm, ...] | None:
    """An option in the Betza it was written in, in the usual spelling of the default dialect."""
    text = source.text[option.span.start : option.span.end]
    try:
        tree, _ = read_betza(Source(text), dialect or "betza")
        if resolve_betza(tree).options != (option,):
            return None
        usual = write_betza(tree, "betza")
        terms = read_betza(Source(usual))[0].terms
    except AlfilError:
        return spelled(option)
    return tuple(term for term in terms if isinstance(term, Leg | Chain | Path))


def _in_dialect(
    described: Description, dialect: str, source: Source, on_loss: OnLoss
) -> tuple[str, Losses]:
    """A Betza tree in another dialect; with "lossy" without the parts that it cannot say."""
    own = source if described.dialect and described.span.end else None
    try:
        return write_betza(described, dialect, own), ()
    except AlfilError as error:
        losses = tuple(_placed(error.findings, source, known=own is not None))
    text = ""
    kept: tuple[Term, ...] = ()
    for term in described.terms if on_loss == "lossy" else ():
        try:
            # In some dialects parts change each other, so that each is tried beside the others.
            text = write_betza(Description((*kept, term), "betza", described.dialect), dialect)
        except AlfilError as error:
            told = {loss.message for loss in losses}
            more = [each for each in error.findings if each.message not in told]
            at = [replace(each, spans=(term.span,)) for each in more]
            losses = (*losses, *_placed(at, source, known=own is not None))
            continue
        kept = (*kept, term)
    if not kept:
        raise TranslationLoss(losses, source)
    return text, losses


def _placed(findings: Sequence[Finding], source: Source, *, known: bool) -> Iterator[Finding]:
    """Findings at their places, where these are known, or at the whole text that was given."""
    whole = (Span(0, len(source.text)),)
    for each in findings:
        placed = known and any(span.end > span.start for span in each.spans)
        yield each if placed else replace(each, spans=whole)

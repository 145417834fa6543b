"""A piece in another notation or dialect: the same piece, or every loss by name.

Whatever claims to be exact has been compiled again and compared with the original; whatever is
lossy has been proved to allow nothing that the original does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import Literal, TypeAlias

from alfil.effort import attempt, remembered
from alfil.errors import AlfilError, Finding, MeaningError, refuse
from alfil.meaning.compare import contains, same_meaning
from alfil.meaning.compile import meaning_of
from alfil.meaning.piece import Meaning
from alfil.movement.nodes import Movement, Option
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.betza.spell import spelled
from alfil.notation.betza.writer import write_betza
from alfil.notation.nodes import Description, Term
from alfil.notation.registry import (
    Notation,
    movement_of,
    notation_called,
    notation_of,
    options_apart,
)
from alfil.source import Source, Span
from alfil.translation.betza import in_betza, text_of
from alfil.translation.hasinu import in_hasinu
from alfil.translation.losses import Given, TranslationLoss
from alfil.translation.needed import needed
from alfil.translation.plain import in_plain

OnLoss: TypeAlias = Literal["strict", "lossy", "escape"]
Losses: TypeAlias = tuple[Finding, ...]
# So much work is done to find and leave out options that add nothing.
MOST_VAIN = 30_000
UNPROVED_HINT = "write fewer parts, or another dialect"


def translated(
    tree: Description, movement: Movement, source: Source, to: Notation, on_loss: OnLoss
) -> tuple[str, Losses]:
    """The text of a tree, and its movement, in another notation or dialect, and what was lost.

    Raises `TranslationLoss` with all losses where something is lost that may not be, or nothing is
    left.
    """
    own = notation_of(tree)
    if to.folder == own.folder and to.dialect in {"", tree.dialect}:
        return to.write(tree, source), ()
    try:
        text, losses = _translated(tree, movement, source, to, on_loss)
    except TranslationLoss:
        less = _with_less(movement, source, to)
        if less is None:
            raise
        return less, ()
    less = _with_less(movement, source, to) if losses else None
    return (text, losses) if less is None else (less, ())


def _with_less(movement: Movement, source: Source, to: Notation) -> str | None:
    """The piece without options that add nothing, None where that has no exact form either."""
    with suppress(_Vain, TranslationLoss, MeaningError), attempt(MOST_VAIN, _Vain):
        fewer = needed(movement, source)
        return _of_movement(fewer, movement, source, to) if fewer else None
    return None


class _Vain(Exception):
    """To look for options that add nothing takes more work than it is worth."""


def _of_movement(fewer: Movement, movement: Movement, source: Source, to: Notation) -> str:
    """The text of a movement that was written like this nowhere, and is the same piece as another.

    Raises `TranslationLoss`.
    """
    text, name = written(fewer)
    made, _ = notation_called(name).read(Source(text))
    if name != to.name:
        text, _ = _translated(made, fewer, Source(text), to, "strict")
    _check(text, to, meaning_of(movement, source), source, less=False)
    return text


def _translated(
    tree: Description, movement: Movement, source: Source, to: Notation, on_loss: OnLoss
) -> tuple[str, Losses]:
    """What is said of `translated`, of all that was written."""
    if to.folder == "hasinu":
        described, losses = in_hasinu(_given(tree, movement, source), on_loss)
        return to.write(described, source), losses
    if to.folder != "betza":
        described, losses = in_plain(_given(tree, movement, source), to, on_loss)
        text = to.write(described, source)
        moves = Movement(movement.options)
        _check(text, to, meaning_of(moves, source), source, less=bool(losses))
        return text, losses
    return _in_betza(tree, movement, source, to, on_loss)


def _in_betza(
    tree: Description, movement: Movement, source: Source, to: Notation, on_loss: OnLoss
) -> tuple[str, Losses]:
    """A tree in a dialect of Betza: the shortest text for its meaning.

    What its author wrote is one that it may be; equally short ones do not depend on that.
    """
    known = tree
    losses: Losses = ()
    if tree.notation != "betza":
        policy = "lossy" if on_loss == "lossy" else "strict"
        made, losses = _as_betza(tree, tree.span, movement, source, policy)
        if made is None:
            raise TranslationLoss(losses, source)
        known = made
    wanted = meaning_of(resolve_betza(known), source)
    # What a piece does besides moving is no part of what `text_of` writes.
    best = None if wanted.facts else text_of(wanted, to.dialect)
    with suppress(TranslationLoss):
        text, _ = _part_by_part(known, to.dialect, source, "strict")
        if best is None or len(text) < len(best):
            _check(text, to, wanted, source, less=False)
            best = text
    if best is not None:
        return best, losses
    text, more = _part_by_part(known, to.dialect, source, on_loss)
    _check(text, to, wanted, source, less=bool(more))
    return text, (*losses, *more)


# All dialects of Betza are written from the same tree, and a page shows several of them.
@remembered(maxsize=64)
def _as_betza(
    tree: Description, span: Span, movement: Movement, source: Source, on_loss: str
) -> tuple[Description | None, Losses]:
    """What `in_betza` finds, with no tree where it raises `TranslationLoss`.

    Trees that are equal may stand in several places of a file, so ``span`` is asked for too.
    """
    del span
    try:
        return in_betza(_given(tree, movement, source), on_loss)
    except TranslationLoss as loss:
        return None, loss.findings


def written(movement: Movement) -> tuple[str, str]:
    """A movement as a text and the name of its notation: Betza, or Ħasínū for what that cannot say.

    Raises `TranslationLoss` for what has a form in neither.
    """
    source = Source("", "<movement>")
    given = Given(movement, source, lambda _what, _span: (), lambda _option: None, lambda: ())
    try:
        described, _ = in_betza(given)
    except TranslationLoss:
        if movement.facts:  # Ħasínū is not written with facts either
            raise
        described, _ = in_hasinu(given, "escape")
    to = notation_of(described)
    text = to.write(described, source)
    _check(text, to, meaning_of(movement, source), source, less=False)
    return text, to.name


def _check(text: str, to: Notation, wanted: Meaning, source: Source, *, less: bool) -> None:
    """Make sure that a text is the piece wanted, or with ``less`` that it does no more."""
    movement = movement_of(to.read(Source(text))[0])
    written = meaning_of(movement, source)
    if not (contains(wanted, written) if less else same_meaning(wanted, written)):
        message = f"{text} in {to.name} could not be proved to be the same piece"
        refuse(TranslationLoss, "no-translation", message, source, hint=UNPROVED_HINT)


def _given(tree: Description, movement: Movement, source: Source) -> Given:
    """A movement that was written in some notation as what is to be translated.

    Its folder says where the text tells something, if it has a sign for that.
    """
    own = notation_of(tree)

    def places(what: str, span: Span) -> tuple[Span, ...]:
        return own.places_of(what, span, source)

    @cache
    def authored(option: Option) -> tuple[BetzaTerm, ...] | None:
        betza = own.folder == "betza" or places("embedded", option.span)
        return _authored(option, source, tree.dialect) if betza else None

    return Given(movement, source, places, authored, partial(options_apart, tree))


def _authored(option: Option, source: Source, dialect: str) -> tuple[BetzaTerm, ...] | None:
    """An option in the Betza it was written in, in the usual spelling of the default dialect."""
    text = source.text[option.span.start : option.span.end]
    try:
        tree, _ = read_betza(Source(text), dialect or "betza")
        if movement_of(tree).options != (option,):
            return None
        usual = write_betza(tree, "betza")
        terms = read_betza(Source(usual))[0].terms
    except AlfilError:
        return spelled(option)
    return tuple(term for term in terms if isinstance(term, Leg | Chain | Path))


def _part_by_part(
    described: Description, dialect: str, source: Source, on_loss: OnLoss
) -> tuple[str, Losses]:
    """A Betza tree in another dialect; with "lossy" without the parts that it cannot say."""
    own = source if described.span.end else None
    try:
        return write_betza(described, dialect, own), ()
    except AlfilError as error:
        # Parts of which none has a place of its own may all lack the same.
        losses = tuple(dict.fromkeys(_placed(error.findings, source, known=own is not None)))
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

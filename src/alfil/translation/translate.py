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

from alfil.errors import AlfilError, Diagnostic, MeaningError, reject
from alfil.meaning.compare_meanings import contains, same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.meaning.piece_meaning import Meaning
from alfil.movement.nodes import Movement, Option, Then, walk
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.betza.spell import spell_option
from alfil.notation.betza.writer import parts_in_dialect, write_betza, write_parts
from alfil.notation.description import Description
from alfil.notation.registry import (
    Notation,
    movement_of,
    notation_by_name,
    notation_of,
    options_of_written_parts,
)
from alfil.source import Source, Span
from alfil.translation.betza import shortest_text, to_betza
from alfil.translation.hasinu import to_hasinu
from alfil.translation.option_by_option import to_notation_by_option
from alfil.translation.redundant_options import without_redundant_options
from alfil.translation.translation_losses import TranslationLoss, TranslationRequest
from alfil.work_limit import (
    attempt_refunded_on_failure,
    cached_with_work,
    charge,
    limited_task_on_source,
)

OnLoss: TypeAlias = Literal["strict", "lossy", "escape"]
Losses: TypeAlias = tuple[Diagnostic, ...]
# So much work is done to find and leave out options that add nothing.
MAX_REDUNDANCY_WORK = 30_000
# And so much to find texts for parts that another dialect has no letters for.
MAX_PART_WORK = 30_000
# To write a part takes as long as so much of other work.
WORK_OF_WRITTEN_PART = 6
# One that has to be told as a chain of steps has many more letters, and takes as much longer.
LETTERS_OF_PART = 4
UNPROVED_HINT = "write fewer parts, or another dialect"


def translate_tree(
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
        text, losses = _translate_tree_as_written(tree, movement, source, to, on_loss)
    except TranslationLoss:
        less = _translate_without_redundancy(movement, source, to)
        if less is None:
            raise
        return less, ()
    # A part of several legs that adds nothing may take many letters elsewhere. In another notation
    # a single part keeps the form of its legs.
    long = (to.folder == own.folder or len(movement.options) > 1) and any(
        isinstance(way, Then) for option in movement.options for way in walk(option.way)
    )
    less = _translate_without_redundancy(movement, source, to) if losses or long else None
    if less is None or (not losses and len(less) >= len(text)):
        return text, losses
    return less, ()


def _translate_without_redundancy(movement: Movement, source: Source, to: Notation) -> str | None:
    """The piece without options that add nothing, None where that has no exact form either."""
    with (
        suppress(_OptionalSearchGivenUp, TranslationLoss, MeaningError),
        attempt_refunded_on_failure(MAX_REDUNDANCY_WORK, _OptionalSearchGivenUp),
    ):
        fewer = without_redundant_options(movement, source)
        return _verified_text_of_fewer_options(fewer, movement, source, to) if fewer else None
    return None


class _OptionalSearchGivenUp(Exception):
    """To look for options that add nothing takes more work than it is worth."""


def _verified_text_of_fewer_options(
    fewer: Movement, movement: Movement, source: Source, to: Notation
) -> str:
    """The text of a movement that was written like this nowhere, and is the same piece as another.

    Raises `TranslationLoss`.
    """
    text, name = write_in_betza_or_hasinu(fewer)
    made, _ = notation_by_name(name).read(Source(text))
    if name != to.name:
        text, _ = _translate_tree_as_written(made, fewer, Source(text), to, "strict")
    _verify_translation(text, to, meaning_of(movement, source), source, may_do_less=False)
    return text


def _translate_tree_as_written(
    tree: Description, movement: Movement, source: Source, to: Notation, on_loss: OnLoss
) -> tuple[str, Losses]:
    """What is said of `translate_tree`, of all that was written."""
    if to.folder == "hasinu":
        described, losses = to_hasinu(_make_request(tree, movement, source), on_loss)
        return to.write(described, source), losses
    if to.folder != "betza":
        described, losses = to_notation_by_option(
            _make_request(tree, movement, source), to, on_loss
        )
        text = to.write(described, source)
        moves = Movement(movement.options)
        _verify_translation(text, to, meaning_of(moves, source), source, may_do_less=bool(losses))
        return text, losses
    return _translate_to_betza(tree, movement, source, to, on_loss)


def _translate_to_betza(
    tree: Description, movement: Movement, source: Source, to: Notation, on_loss: OnLoss
) -> tuple[str, Losses]:
    """A tree in a dialect of Betza: the shortest text for its meaning.

    What its author wrote is one that it may be; equally short ones do not depend on that.
    """
    known = tree
    losses: Losses = ()
    if tree.notation != "betza":
        policy = "lossy" if on_loss == "lossy" else "strict"
        made, losses = _betza_tree(tree, tree.span, movement, source, policy)
        if made is None:
            raise TranslationLoss(losses, source)
        known = made
    target_meaning = meaning_of(resolve_betza(known), source)
    # What a piece does besides moving is no part of what `shortest_text` writes.
    best = None if target_meaning.facts else shortest_text(target_meaning, to.dialect)
    with suppress(TranslationLoss):
        text, _ = _convert_parts_to_dialect(known, to.dialect, source, "strict")
        if best is None or len(text) < len(best):
            _verify_translation(text, to, target_meaning, source, may_do_less=False)
            best = text
    if best is None:
        best = _translate_part_by_part(known, to, target_meaning, source)
    if best is not None:
        return best, losses
    text, more = _convert_parts_to_dialect(known, to.dialect, source, on_loss)
    _verify_translation(text, to, target_meaning, source, may_do_less=bool(more))
    return text, (*losses, *more)


def _translate_part_by_part(
    described: Description, to: Notation, target_meaning: Meaning, source: Source
) -> str | None:
    """A Betza tree in another dialect, each part that has no letters there by its meaning."""
    text = ""
    with (
        suppress(_OptionalSearchGivenUp, AlfilError),
        attempt_refunded_on_failure(MAX_PART_WORK, _OptionalSearchGivenUp),
    ):
        for term in described.terms if len(described.terms) > 1 else ():
            part = Description((term,), "betza", described.dialect)
            try:
                text += write_betza(part, to.dialect)
            except AlfilError:
                own = shortest_text(meaning_of(resolve_betza(part), source), to.dialect)
                if own is None:
                    return None
                text += own
        if text:
            _verify_translation(text, to, target_meaning, source, may_do_less=False)
            return text
    return None


# All dialects of Betza are written from the same tree, and a page shows several of them.
@cached_with_work(maxsize=64)
def _betza_tree(
    tree: Description, span: Span, movement: Movement, source: Source, on_loss: str
) -> tuple[Description | None, Losses]:
    """What `to_betza` finds, with no tree where it raises `TranslationLoss`.

    Trees that are equal may stand in several places of a file, so ``span`` is asked for too.
    """
    del span
    try:
        return to_betza(_make_request(tree, movement, source), on_loss)
    except TranslationLoss as loss:
        return None, loss.diagnostics


def write_in_betza_or_hasinu(movement: Movement) -> tuple[str, str]:
    """A movement as a text and the name of its notation: Betza, or Ħasínū for what that cannot say.

    Raises `TranslationLoss` for what has a form in neither.
    """
    source = Source("", "<movement>")
    request = TranslationRequest(
        movement, source, lambda _what, _span: (), lambda _option: None, lambda: ()
    )
    try:
        described, _ = to_betza(request)
    except TranslationLoss:
        if movement.facts:  # Ħasínū is not written with facts either
            raise
        described, _ = to_hasinu(request, "escape")
    to = notation_of(described)
    text = to.write(described, source)
    _verify_translation(text, to, meaning_of(movement, source), source, may_do_less=False)
    return text, to.name


def _verify_translation(
    text: str, to: Notation, target_meaning: Meaning, source: Source, *, may_do_less: bool
) -> None:
    """Make sure that a text is the piece wanted, or with ``may_do_less`` that it does no more."""
    made = Source(text)
    movement = movement_of(to.read(made)[0])
    proved = False
    with suppress(MeaningError):  # it may be too large in these words, and its piece is not
        written = meaning_of(movement, made)
        proves = contains if may_do_less else same_meaning
        proved = proves(target_meaning, written)
    if not proved:
        message = "no notation is known to say how this moves"
        if text:
            message = f"{text} in {to.name} could not be proved to be the same piece"
        reject(TranslationLoss, "no-translation", message, source, hint=UNPROVED_HINT)


def _make_request(tree: Description, movement: Movement, source: Source) -> TranslationRequest:
    """A movement that was written in some notation as what is to be translated.

    Its folder says where the text tells something, if it has a sign for that.
    """
    own = notation_of(tree)

    def places(what: str, span: Span) -> tuple[Span, ...]:
        return own.spans_of_feature(what, span, source)

    @cache
    def authored(option: Option) -> tuple[BetzaTerm, ...] | None:
        betza = own.folder == "betza" or places("embedded", option.span)
        return _authored_terms(option, source, tree.dialect) if betza else None

    return TranslationRequest(
        movement, source, places, authored, partial(options_of_written_parts, tree)
    )


def _authored_terms(option: Option, source: Source, dialect: str) -> tuple[BetzaTerm, ...] | None:
    """An option in the Betza it was written in, in the usual spelling of the default dialect."""
    text = source.text[option.span.start : option.span.end]
    try:
        tree, _ = read_betza(Source(text), dialect or "betza")
        if movement_of(tree).options != (option,):
            return None
        usual = write_betza(tree, "betza")
        terms = read_betza(Source(usual))[0].terms
    except AlfilError:
        return spell_option(option)
    return tuple(term for term in terms if isinstance(term, Leg | Chain | Path))


def _convert_parts_to_dialect(
    described: Description, dialect: str, source: Source, on_loss: OnLoss
) -> tuple[str, Losses]:
    """A Betza tree in another dialect; with "lossy" without the parts that it cannot say."""
    own = source if described.span.end else None
    try:
        return write_betza(described, dialect, own), ()
    except AlfilError as error:
        # Parts of which none has a place of its own may all lack the same.
        losses = tuple(
            dict.fromkeys(
                _diagnostics_with_spans(error.diagnostics, source, spans_known=own is not None)
            )
        )
    if on_loss == "lossy":
        with limited_task_on_source(source):
            text, more = _convert_possible_parts(described, dialect, losses)
        losses += tuple(_diagnostics_with_spans(more, source, spans_known=own is not None))
        if text is not None:
            return text, losses
    raise TranslationLoss(losses, source)


def _convert_possible_parts(
    described: Description, dialect: str, losses: Losses
) -> tuple[str | None, list[Diagnostic]]:
    """The parts that a dialect can say, None where there are none, and losses not known yet."""
    text: str | None = None
    kept_parts: list[BetzaTerm] = []
    messages = {loss.message for loss in losses}
    more: list[Diagnostic] = []
    for term in described.terms:
        # In some dialects parts change each other, so that each is tried beside the others.
        charge(WORK_OF_WRITTEN_PART * (1 + len(text or "") // LETTERS_OF_PART))
        one = Description((term,), "betza", described.dialect)
        try:
            parts = parts_in_dialect(one, dialect)
            text = write_parts([*kept_parts, *parts], dialect)
        except AlfilError as error:
            new = [each for each in error.diagnostics if each.message not in messages]
            messages |= {each.message for each in new}
            more += [replace(each, spans=(term.span,)) for each in new]
            continue
        kept_parts += parts
    return text, more


def _diagnostics_with_spans(
    diagnostics: Sequence[Diagnostic], source: Source, *, spans_known: bool
) -> Iterator[Diagnostic]:
    """Findings at their places, where these are known, or at the whole text that was given."""
    whole = (Span(0, len(source.text)),)
    for each in diagnostics:
        has_span = spans_known and any(span.end > span.start for span in each.spans)
        yield each if has_span else replace(each, spans=whole)

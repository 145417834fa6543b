"""The shortest text that is found for a piece, and whether it is proved to be the shortest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from alfil.api import AnyPiece, Piece, as_piece, read
from alfil.errors import AlfilError, MeaningError
from alfil.frozen_dataclasses import dataclass
from alfil.meaning.compare_meanings import same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.meaning.piece_meaning import Meaning
from alfil.movement.run_sequences import NotExpressible
from alfil.notation.registry import Notation, movement_of, notation_by_name, notation_of
from alfil.source import Source
from alfil.translation.betza import DIALECT, shortest_text
from alfil.translation.betza_candidates import meaning_of_text
from alfil.translation.move_paths import path_depth_limit, paths_of
from alfil.translation.redundant_options import MAX_OPTIONS, without_redundant_options
from alfil.translation.shortest_betza import ShortestParts, shortest_parts, text_of_parts
from alfil.translation.translate import translate_tree, write_in_betza_or_hasinu
from alfil.work_limit import TooMuchWork, attempt_refunded_on_failure, limited_task_on_source

# So much work is done for each way to find a text.
CANDIDATE_WORK = 120_000


@dataclass(frozen=True, slots=True)
class Shortest:
    """A short text for a piece; ``str()`` is the text alone.

    ``proved``: no text of the grammar that docs/shortest.md states is shorter. That the text is the
    same piece is proved always.
    """

    text: str
    notation: str
    proved: bool = False

    def __str__(self) -> str:
        return self.text


def shortest(piece: AnyPiece, notation: str | None = None) -> Shortest:
    """The shortest text for the same piece, in its own notation unless another is named.

    It is never longer than the text of the piece, which is kept where nothing is shorter. Raises
    `TranslationLoss` for another notation that cannot say the piece, and whatever reading and
    compiling raise.

    >>> import alfil
    >>> alfil.shortest("WFflfrNfR")
    Shortest(text='KfRfsN', notation='betza', proved=True)
    >>> alfil.shortest("[W?B]").proved
    False
    """
    piece = as_piece(piece)
    to = notation_by_name(notation) if notation else notation_of(piece.tree)
    if notation_of(piece.tree).name != to.name:
        piece = _translated_piece(piece, to)
    meaning = piece.meaning
    text = min(piece.text.strip(), to.write(piece.tree, piece.source), key=len)
    fewest = _min_letter_count(meaning, to)
    for other in _candidate_texts(piece, to):
        if len(text) == fewest:
            break
        if len(other) < len(text) and _is_same_piece(other, to, meaning):
            text = other
    return Shortest(text, to.name, len(text) == fewest)


def _translated_piece(piece: Piece, to: Notation) -> Piece:
    """The piece in another notation."""
    with limited_task_on_source(piece.source, MeaningError):
        text, _ = translate_tree(piece.tree, piece.movement, piece.source, to, "strict")
    return read(text, to.name)


def _candidate_texts(piece: Piece, to: Notation) -> Iterator[str]:
    """Texts that may be the same piece, each in its turn; what takes too much work is none."""
    ways = [
        _text_from_grammar,
        _text_from_meaning,
        _text_without_redundant_options,
        _text_without_redundant_terms,
        _text_without_redundant_letters,
        _text_with_shorter_simple_terms,
    ]
    for way in ways:
        found: str | None = None
        with (
            suppress(NotExpressible, AlfilError, TooMuchWork),
            attempt_refunded_on_failure(CANDIDATE_WORK, NotExpressible),
        ):
            found = way(piece, to)
        # Here, so that what is done with it is not limited.
        if found is not None:
            yield found


def _text_from_grammar(piece: Piece, to: Notation) -> str | None:
    """The parts of the grammar alone."""
    found = _shortest_grammar_parts(piece.meaning, to)
    return text_of_parts(found.parts, to.dialect) if found else None


def _text_from_meaning(piece: Piece, to: Notation) -> str | None:
    """What is written for the moves alone, by way of Betza where it is another notation."""
    if piece.meaning.facts:
        return None
    if to.folder == "betza":
        return shortest_text(piece.meaning, to.dialect)
    betza = shortest_text(piece.meaning, DIALECT)
    return betza and translated_text(betza, DIALECT, to)


def _text_without_redundant_options(piece: Piece, to: Notation) -> str | None:
    """The piece without options that add nothing."""
    fewer = without_redundant_options(piece.movement, piece.source)
    return translated_text(*write_in_betza_or_hasinu(fewer), to) if fewer else None


def _term_texts(piece: Piece, to: Notation) -> list[str]:
    return [to.write(replace(piece.tree, terms=(term,)), Source("")) for term in piece.tree.terms]


def _text_without_redundant_terms(piece: Piece, to: Notation) -> str | None:
    """The text without terms that add nothing to the others, longest first."""
    if to.folder != "betza" or not 1 < len(piece.tree.terms) <= MAX_OPTIONS:
        return None
    texts = _term_texts(piece, to)
    for text in sorted(texts, key=len, reverse=True):
        fewer = [each for each in texts if each is not text]
        if _is_same_piece("".join(fewer), to, piece.meaning):
            texts = fewer
    return "".join(texts)


def _text_without_redundant_letters(piece: Piece, to: Notation) -> str | None:
    """The text without small letters that say nothing, as where all directions are named."""
    if to.folder != "betza":
        return None
    text = to.write(piece.tree, piece.source)
    for at in reversed(range(len(text))):
        fewer = text[:at] + text[at + 1 :]
        if text[at].islower() and _is_same_piece(fewer, to, piece.meaning):
            text = fewer
    return text


def _text_with_shorter_simple_terms(piece: Piece, to: Notation) -> str | None:
    """The parts that can be looked at move by move as short as they can be, the others as is."""
    if to.folder != "betza" or len(piece.tree.terms) == 1:
        return None
    simple: list[str] = []
    others: list[str] = []
    for text in _term_texts(piece, to):
        try:
            paths_of(meaning_of_text(text), path_depth_limit(meaning_of_text(text)))
            simple.append(text)
        except NotExpressible:
            others.append(text)
    if not simple or not others:
        return None
    return f"{shortest_text(meaning_of_text(''.join(simple)), to.dialect)}{''.join(others)}"


def translated_text(text: str, notation: str, to: Notation) -> str:
    """A text in another notation; raises `TranslationLoss`."""
    source = Source(text)
    tree, _ = notation_by_name(notation).read(source)
    if notation == to.name:
        return to.write(tree, source)
    return translate_tree(tree, movement_of(tree), source, to, "strict")[0]


def _is_same_piece(text: str, to: Notation, meaning: Meaning) -> bool:
    """Whether a text is read as a piece, and proved to be that one."""
    with suppress(AlfilError):
        movement = movement_of(to.read(Source(text))[0])
        return same_meaning(meaning_of(movement, Source(text)), meaning)
    return False


def _min_letter_count(meaning: Meaning, to: Notation) -> int:
    """The letters that every text of the grammar has at least; 0 where that is not known."""
    found = _shortest_grammar_parts(meaning, to)
    return found.proved_min_letters if found else 0


def _shortest_grammar_parts(meaning: Meaning, to: Notation) -> ShortestParts | None:
    return None if to.folder != "betza" or meaning.facts else shortest_parts(meaning, to.dialect)

"""A game of the library in which a piece moves in another way, as a piece file."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.api import Piece
from alfil.library.library import library_by_name
from alfil.library.outline import outline_of
from alfil.library.statements import Field, Statement, quoted
from alfil.notation.registry import NOTATIONS

# The games that a piece can be tried in.
GAMES = ("chess", "shogi")
# What is said of the piece that is replaced, and not of another one in its place.
ITS_OWN = {
    *NOTATIONS,
    "kanji",
    "symbol",
    "also",
    "dialect",
    "same-as",
    "drop-ranks",
    "note",
    "status",
}
STUCK = "stuck"
LONGEST_NAME = 40


def replaceable_codes() -> dict[str, tuple[str, ...]]:
    """The pieces of each game that another one can stand in for: all of the starting position."""
    return {
        name: tuple(
            entry.code
            for entry in library_by_name(name).pieces
            if not entry.royal and not entry.code.startswith("+")
        )
        for name in GAMES
    }


def game_with_piece(game: str, code: str, piece: Piece, name: str) -> str:
    """The piece file of a game in which the piece of a code moves like another one.

    >>> from alfil.api import read
    >>> from alfil.library.library import loads
    >>> loads(game_with_piece("chess", "N", read("FyafsF"), "griffon"))["N"].piece.text
    'FyafsF'
    """
    source = library_by_name(game).source
    name = " ".join(name.split())[:LONGEST_NAME]
    text, at = [], 0
    for line in outline_of(source).statements:
        for start, end, words in _text_replacements(line, code, piece, name):
            text += [source.text[at:start], words]
            at = end
    return "".join([*text, source.text[at:]])


def _text_replacements(
    line: Statement, code: str, piece: Piece, name: str
) -> Iterator[tuple[int, int, str]]:
    """What stands elsewhere in a line: from, to, and the new words, in text order."""
    if line.keyword == "game":
        title = line.words[0] if line.words else line.texts[0]
        yield title.span.start, title.span.end, quoted(f"{title.value} with the {name}")
    if line.keyword != "piece":
        return
    if line.head.value == code:
        kept = [each for each in line.fields.values() if each.key.value not in ITS_OWN]
        words = [code, quoted(name), f"{piece.notation}={quoted(piece.text.strip())}"]
        words += [f"{each.key.value}={quoted(each.value.value)}" for each in kept]
        words += [flag for flag in line.flags if flag != STUCK]
        yield line.head.span.start, _statement_end_offset(line), " ".join(words)
    elif (same := line.fields.get("same-as")) and same.value.value == code:
        yield same.key.span.start, same.value.span.end, ""


def _statement_end_offset(line: Statement) -> int:
    return max(
        (each.value if isinstance(each, Field) else each).span.end
        for each in (*line.words, *line.items)
    )

"""Moves as chess players write them: `e4`, `Nf3`, `exd5`, `O-O`, `e8=Q`, `N@f3`.

    [LETTER][file][rank][x]target[=LETTER][/REST][+|#]      [LETTER]@target      O-O  O-O-O

Letters are those of positions. The piece with the letter P is the pawn, which is written without
it, and with its file where it captures. A form that only remembers that it was promoted, as the
queen of crazyhouse that turns back to a pawn, has the letter of the piece that it is. `O-O` is
castling with a partner on a higher file. Behind a move stands `/` with the wall that it builds, or
with the piece that comes into play where it began, then `+` for check, `#` where it wins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NoReturn, Protocol, TypeVar

from alfil.errors import AlfilError, IllegalMove, NotationError, reject
from alfil.frozen_dataclasses import NamedTuple
from alfil.game.compiled_variant import BoundedCache, compile_variant
from alfil.game.moves import (
    MAX_CACHED_TEXT_LENGTH,
    MAX_CACHED_TEXTS,
    Move,
    reject_overlong_text,
    shared_move_builder,
)
from alfil.play.outcomes import Outcome
from alfil.play.records import hodges
from alfil.source import Source, Span
from alfil.squares import Square, number_in_letters, parse_square, square_name, square_name_pattern

_Error = TypeVar("_Error", bound=AlfilError)

PAWN = "P"
_CASTLING = re.compile(r"([O0])-\1(-\1)?")
# Letters that SAN has as capitals: the form of a promotion, or the piece and castling as well.
_SMALL = re.compile(r"(?<==)[a-z]"), re.compile(r"^[a-z]|(?<==)[a-z]|(?<=-)o")
# Marks of check, and of how good a move is; what is seen from the board anyway.
_CHECK_MARKS, _GLYPH_CHARACTERS, _EN_PASSANT_MARK = "+#", "!?", "e.p."


class GameState(hodges.GameState, Protocol):
    """The game state that moves are read and written in, and tried out in."""

    @property
    def turn(self) -> str:
        """The colour to move."""

    def push(self, move: Move | str) -> Move:
        """Make a move."""

    def pop(self) -> Move | None:
        """Take the last one back."""

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it continues."""

    def is_check(self) -> bool:
        """Whether the side to move is in check."""

    def read_move(self, text: Move | str) -> Move:
        """The legal move that a text means."""


class ParsedSanMove(NamedTuple):
    """A parsed string; ``file`` and ``rank`` are of the origin, -1 if omitted.

    ``letter`` and ``promotion`` are letters, the latter empty where no promotion is written.
    """

    letter: str
    file: int
    rank: int
    capture_sign: str
    target: Square
    promotion: str


class SanWithoutOtherReading(NamedTuple):
    """A text that says one thing in all notations.

    Where it is ``shared`` with another one, it is a move if there is one of that piece only.
    """

    way: ParsedSanMove
    shared: bool


class ParsedCastling(NamedTuple):
    """A text for castling, with a partner on a higher file where it is ``short``."""

    short: bool


class SanParser:
    """Parses SAN of one variant; ``letters`` are the piece letters by code."""

    def __init__(self, game: GameState) -> None:
        self.letters = piece_letters(game)
        self._size = game.variant.files, game.variant.ranks
        names = sorted({*self.letters.values()}, key=len, reverse=True)
        letter = "|".join(map(re.escape, names))
        square = square_name_pattern("chess", *self._size)
        self._pattern = re.compile(
            rf"(?P<letter>{letter})?"
            rf"(?:(?P<file>[a-z]{{1,2}}?)??(?P<rank>[1-9][0-9]?)??(?P<sign>x?)|@)"
            rf"(?P<target>{square})(?:=?(?P<form>{letter})|=?\((?P<form2>{letter})\))?"
        )
        # What tells whether a text is in another notation.
        self._exact = hodges.move_parser(game.variant).parses_with_exact_code
        self._move_builder = shared_move_builder(game.variant)[2]
        self._is_chess = game.variant.rules.coordinates == "chess"
        self._plain: BoundedCache[str, SanWithoutOtherReading | None] = BoundedCache(
            MAX_CACHED_TEXTS
        )
        self._known: BoundedCache[str, tuple[ParsedSanMove | ParsedCastling | None, str]] = (
            BoundedCache(MAX_CACHED_TEXTS)
        )

    def parse(self, text: str) -> tuple[ParsedSanMove | ParsedCastling | None, str]:
        """What a text says up to a slash, None where it is none of this kind, and what follows."""
        result = self._known.get(text)
        if result is None:
            bare = text.rstrip(_GLYPH_CHARACTERS).rstrip(_CHECK_MARKS)
            bare = (
                bare.removesuffix(_EN_PASSANT_MARK).rstrip()
                if bare.endswith(_EN_PASSANT_MARK)
                else bare
            )
            bare, slash, more = bare.partition("/")
            castling = _CASTLING.fullmatch(bare)
            parsed = ParsedCastling(not castling[2]) if castling else self._parse(bare)
            result = parsed, slash + more
            if len(text) <= MAX_CACHED_TEXT_LENGTH:
                self._known[text] = result
        return result

    def parse_if_unambiguous(self, text: str) -> SanWithoutOtherReading | None:
        """What a text says in SAN, if it says no other thing in another notation."""
        try:
            return self._plain[text]
        except KeyError:
            pass
        parsed, more = self.parse(text)
        result = None
        if self._is_chess and not more and isinstance(parsed, ParsedSanMove):
            hodges = self._exact(text)
            others = any(self._move_builder.parse_query(text, side) for side in (0, 1))
            if not others and all(self._is_same_in_hodges(parsed, each) for each in hodges):
                result = SanWithoutOtherReading(parsed, bool(hodges))
        if len(text) <= MAX_CACHED_TEXT_LENGTH:
            self._plain[text] = result
        return result

    def _is_same_in_hodges(self, parsed: ParsedSanMove, other: hodges.ParsedHodgesMove) -> bool:
        """Whether a text says of piece, sign and target in Hodges notation what it does in SAN."""
        plain = other.origin is None and not (other.promotion_mark or other.captured or other.trail)
        said = self.letters[other.code], other.capture_sign, other.target
        same = said == (parsed.letter, parsed.capture_sign, parsed.target)
        return plain and other.partner is None and same

    def _parse(self, text: str) -> ParsedSanMove | None:
        result = self._pattern.fullmatch(text)
        target = parse_square(result["target"], *self._size, "chess") if result else None
        if result is None or target is None:
            return None
        corner = parse_square(f"{result['file'] or 'a'}{result['rank'] or 1}", *self._size, "chess")
        if corner is None:
            return None
        file, rank = corner
        return ParsedSanMove(
            result["letter"] or PAWN,
            file if result["file"] else -1,
            rank if result["rank"] else -1,
            "@" if result["sign"] is None else result["sign"],
            target,
            result["form"] or result["form2"] or "",
        )


def _move_parser(game: GameState) -> SanParser:
    """The parser of a variant, shared by all its games."""
    cache = compile_variant(game.variant).cache
    if "san" not in cache:
        cache["san"] = SanParser(game)
    result: SanParser = cache["san"]
    return result


def write(game: GameState, move: Move) -> str:
    """A legal move in SAN, to be called before it is made.

    Where no text of this kind tells the move from all others, it is the USI-like one.
    """
    more = hodges.wall_and_gate_suffix_in_cell_notation(move)
    for text in (each + more for each in _san_spellings(move, _move_parser(game).letters)):
        if _moves_of_text(game, text) == [move]:
            return text + _check_suffix(game, move)
    return move.usi


def read(game: GameState, text: str, *, strict: bool = False) -> Move:
    """The legal move that a text in SAN stands for.

    Marks of check are not compared, `0-0` and `e8Q` are read too unless ``strict``, and what
    `write` has for a move that SAN cannot tell from others. Raises `NotationError` for a text that
    cannot be read, does not agree with the board or may be several moves, and `IllegalMove`.
    """
    result = _moves_of_text(game, text)
    if result is None or len(result) != 1:
        usi = [move for move in game.legal_moves if move.usi == text]
        result = usi if usi and write(game, usi[0]) == text else result
    if result is None:
        message, hint = "no move in SAN", "a move is written like e4, Nf3, exd5, O-O or e8=Q"
        if text.startswith("["):
            hint = 'a tag is one line, as in [White "Ada"]'
        _reject("unreadable-move", message, text, hint)
    if len(result) > 1:
        hodges.reject_ambiguous(text, result, partial(write, game))
    if not result:
        _reject_unmatched(game, text)
    if strict and (expected := write(game, result[0])).rstrip("+#") != text.rstrip("+#"):
        hodges.reject_spelling(text, expected)
    return result[0]


def read_unambiguous_san(game: GameState, text: str) -> Move | None:
    """The legal move that a text stands for which is in SAN and nothing else.

    None where there may be several moves, or none.
    """
    speller = _move_parser(game)
    plain = speller.parse_if_unambiguous(text)
    if plain is None:
        return None
    (parsed, shared), names = plain, speller.letters
    there = [
        move
        for move in game.legal_moves
        if move.target == parsed.target and names[move.code] == parsed.letter
    ]
    result = [move for move in there if _is_move_of_parse(move, names, parsed)]
    sole = len(result) == 1 and "/" not in result[0].text and not (shared and len(there) > 1)
    return result[0] if sole else None


def read_san_or_usi_move(game: GameState, text: str) -> Move:
    """A move of a record in SAN, or in USI-like text where that tells no move."""
    reject_overlong_text(text, compile_variant(game.variant))
    plain = read_unambiguous_san(game, text)
    if plain:
        return plain
    legal = game.legal_moves
    texts = [move.text for move in legal]
    if text in texts:
        return legal[texts.index(text)]
    try:
        return read(game, text)
    except NotationError as error:
        if error.kind != "unreadable-move":
            raise
        try:
            return game.read_move(text)
        except NotationError:
            raise error from None


def read_hodges_or_san_move(game: GameState, text: str, *, strict: bool = False) -> Move:
    """A move as people write it: in Hodges notation, and in SAN where squares are as in chess.

    In both, `bxc4` is a pawn's move, and a bishop's only where no pawn has it; `Nxd7+` promotes
    where that is possible, and gives check otherwise. Raises what `read` does.
    """
    is_chess = game.variant.rules.coordinates == "chess"
    result = _moves_of_text(game, text) if is_chess else None
    if result and not hodges.is_legal_with_exact_code(game, text):
        sole = len(result) == 1 and not strict
        return result[0] if sole else read(game, text, strict=strict)
    try:
        return hodges.read(game, text, strict=strict)
    except (NotationError, IllegalMove) as error:
        if result is None or error.kind != "unreadable-move":
            raise (_error_with_capitals_hint(game, text, error) if is_chess else error) from None
    return read(game, text, strict=strict)


def _error_with_capitals_hint(game: GameState, text: str, error: _Error) -> _Error:
    """The error with a hint to write capitals where that is a legal move, as `Rh5` for `rh5`."""
    text = text[:MAX_CACHED_TEXT_LENGTH]
    tries = [pattern.sub(lambda small: small[0].upper(), text) for pattern in _SMALL]
    meant = [_moves_of_text(game, each) or [] for each in tries if each != text]
    fitting = [moves[0] for moves in meant if len(moves) == 1]
    if not fitting:
        return error
    first, *others = error.diagnostics
    hint = f"write {write(game, fitting[0])}"
    return type(error)([replace(first, hint=hint), *others], error.source)


def piece_letters(game: GameState) -> dict[str, str]:
    """The letter of each code."""
    plain = {game.symbol(kind.code): kind.code for kind in game.variant.kinds}
    result = {}
    for kind in game.variant.kinds:
        symbol = game.symbol(kind.code)
        bare = symbol.removeprefix("+")
        is_mark = symbol != bare and plain.get(bare, kind.base) != kind.base
        result[kind.code] = bare if is_mark else symbol
    return result


def _san_spellings(move: Move, names: dict[str, str]) -> list[str]:
    """Ways to write a move, the shortest first."""
    target, letter = square_name(*move.target), names[move.code]
    if move.origin is None:
        return [f"{letter}@{target}"]
    file, rank = number_in_letters(move.origin[0]), str(move.origin[1] + 1)
    starts = ["", file, rank, file + rank]
    if letter == PAWN:
        letter = ""
        starts = starts[1:] if move.captures else starts
    sign = "x" if move.captures else ""
    form = f"={names[move.promotes]}" if move.promotes else ""
    result = [f"{letter}{start}{sign}{target}{form}" for start in starts]
    if move.partner:
        short = move.partner[0][0] > move.origin[0]
        result.insert(0, "O-O" if short else "O-O-O")
    return result


def _check_suffix(game: GameState, move: Move) -> str:
    """The mark of check, or of a move that wins."""
    turn = game.turn
    game.push(move)
    try:
        outcome = game.outcome()
        if outcome and outcome.winner == turn:
            return "#"
        return "+" if (not outcome or outcome.winner is None) and game.is_check() else ""
    finally:
        game.pop()


def _moves_of_text(game: GameState, text: str) -> list[Move] | None:
    """The legal moves that a text may stand for; None for what is no text of this kind."""
    speller = _move_parser(game)
    parsed, more = speller.parse(text)
    if parsed is None:
        return None
    if isinstance(parsed, ParsedCastling):
        result = [move for move in game.legal_moves if _matches_castling(move, parsed)]
    else:
        result = _matching_moves(game.legal_moves, speller.letters, parsed)
    exact = [move for move in result if hodges.wall_and_gate_suffix_in_cell_notation(move) == more]
    return exact if exact or more else result


def _matches_castling(move: Move, parsed: ParsedCastling) -> bool:
    start, partner = move.origin, move.partner
    if start is None or partner is None:
        return False
    return (partner[0][0] > start[0]) == parsed.short


def _matching_moves(
    legal: Sequence[Move], names: dict[str, str], parsed: ParsedSanMove
) -> list[Move]:
    """The moves that a text may stand for as far as its part before a slash tells."""
    target, letter = parsed.target, parsed.letter
    return [
        move
        for move in legal
        if move.target == target
        and names[move.code] == letter
        and _is_move_of_parse(move, names, parsed)
    ]


def _is_move_of_parse(move: Move, names: dict[str, str], parsed: ParsedSanMove) -> bool:
    """Whether a move of the right piece to the right square is the one that is meant."""
    form = names[move.promotes] if move.promotes else ""
    if (_capture_sign(move), form) != (parsed.capture_sign, parsed.promotion):
        return False
    return move.origin is None or _starts_on(move.origin, parsed)


def _starts_on(square: Square, parsed: ParsedSanMove) -> bool:
    return parsed.file in {-1, square[0]} and parsed.rank in {-1, square[1]}


def _capture_sign(move: Move) -> str:
    if move.origin is None:
        return "@"
    return "x" if move.captures else ""


def _reject(kind: str, message: str, text: str, hint: str) -> NoReturn:
    source = Source(text, "<move>")
    reject(NotationError, kind, message, source, Span(0, max(len(text), 1)), hint)


def _reject_unmatched(game: GameState, text: str) -> NoReturn:
    """Say why a text in SAN is no legal move."""
    speller = _move_parser(game)
    names, (parsed, _) = speller.letters, speller.parse(text)
    if not isinstance(parsed, ParsedSanMove):
        message = "no castling to this side is possible now"
        reject(IllegalMove, "pattern", message, Source(text, "<move>"))
    near = [
        move
        for move in game.legal_moves
        for loose in (
            parsed._replace(
                capture_sign=_capture_sign(move), promotion=names.get(move.promotes, "")
            ),
        )
        if "@" not in {parsed.capture_sign, loose.capture_sign}
        and _matching_moves([move], names, loose)
    ]
    hint = f"write {' or '.join(write(game, move) for move in near[:4])}" if near else ""
    if near and parsed.capture_sign != _capture_sign(near[0]):
        there = "a piece" if near[0].captures else "nothing"
        _reject(
            "wrong-sign", f"{there} is captured on {game.square_name(parsed.target)}", text, hint
        )
    if near:
        what = (
            f"no promotion to {parsed.promotion}"
            if parsed.promotion
            else "a promotion that is not written"
        )
        _reject("wrong-mark", f"this move has {what}", text, hint)
    _reject_illegal(game, names, parsed, text)


def _reject_illegal(
    game: GameState, names: dict[str, str], parsed: ParsedSanMove, text: str
) -> NoReturn:
    source, target = Source(text, "<move>"), game.square_name(parsed.target)
    codes = [code for code, letter in names.items() if letter == parsed.letter]
    if parsed.capture_sign == "@":
        starts = [f"{game.symbol(code)}*{target}" for code in codes]
    else:
        starts = [
            game.square_name(square) + target
            for square, (code, side) in game.pieces.items()
            if code in codes and side == game.side_to_move and _starts_on(square, parsed)
        ]
    if not starts:
        message = f"the side to move has no such {parsed.letter} on the board"
        reject(IllegalMove, "no-piece", message, source)
    name = game.variant.kind(codes[0]).name
    worst = hodges.why_all_illegal(game, starts, name, parsed.target)
    reject(IllegalMove, worst.code if worst else "pattern", worst.words if worst else text, source)

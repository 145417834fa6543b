"""Moves in Hodges notation, `SO-6f`, `Nx7c+`, `T*5e`, `G4h-5g`, and in the manner of UCI.

    [+]CODE[start](-|x)target[taken squares][promotion]      CODE*target

A start square stands only where another piece of the same code could legally go to the same square.
In games of several promoted forms `=` and the code of the form follow, and `=` alone where a
promotion that was possible is declined. Where a start, a target and a promotion fit several moves,
or the piece ends where it began, the squares of all captured pieces follow.

In the manner of UCI squares are in CELL, whatever the game: `d5c7+`, `T@e5`, `e7e8q`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import NoReturn, Protocol

from alfil.errors import Diagnostic, IllegalMove, NotationError, join_words, reject
from alfil.frozen_dataclasses import NamedTuple
from alfil.game.compiled_variant import BoundedCache, compile_variant
from alfil.game.moves import (
    MAX_CACHED_TEXT_LENGTH,
    MAX_CACHED_TEXTS,
    REASON_WORDS,
    Move,
    ObstacleBudget,
    Reason,
)
from alfil.game.variant import PieceType, Variant
from alfil.source import Source, Span
from alfil.squares import (
    CoordinateSystem,
    Square,
    coordinate_system_of,
    parse_square,
    square_name,
    square_name_pattern,
)

_SQUARE_PATTERN_BY_STYLE: dict[CoordinateSystem, str] = {
    "shogi": square_name_pattern("shogi"),
    "chess": square_name_pattern("chess"),
}
_MOVE_SIGNS = "-x*"

# So many of the moves that a text may be are named.
MAX_NAMED_MOVES = 8


class ParsedHodgesMove(NamedTuple):
    """One parse of a move string.

    ``captured``, ``partner`` and ``trail`` are squares of captured pieces, of a castling partner
    and of capture en passant, None where none are written. ``promotion_mark`` is empty, ``+``,
    ``=``, or ``=`` and a code.
    """

    code: str
    origin: Square | None
    capture_sign: str
    target: Square
    captured: frozenset[Square] | None
    partner: Square | None
    trail: frozenset[Square] | None
    promotion_mark: str


@cache
def _patterns_after_code(style: CoordinateSystem) -> list[re.Pattern[str]]:
    """What stands behind the code, without a start square and with one.

    A text can be both where files go as far as x: xa5 is a square then, or a capture.
    """
    square = _SQUARE_PATTERN_BY_STYLE[style]
    return [
        re.compile(
            rf"(?P<origin>{origin})(?P<sign>[-x*])(?P<target>{square})"
            rf"(?P<taken>(?:x{square})*)(?:o(?P<partner>{square}))?(?P<trail>(?:e{square})*)"
            r"(?P<mark>\+|=.*)?"
        )
        for origin in ("", square)
    ]


class HodgesParser:
    """Parses move strings of one variant."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._style = variant.rules.coordinates
        self._kinds = sorted(variant.kinds, key=lambda kind: -len(kind.code))
        self._declines = any(k.promotes and k.promotion != "forced" for k in variant.kinds)
        self._exact: BoundedCache[str, list[ParsedHodgesMove]] = BoundedCache(MAX_CACHED_TEXTS)

    def all_parses(self, text: str) -> list[ParsedHodgesMove]:
        """All parses of a string, the one with the longest code first.

        A code in the wrong case counts where none fits as it stands. Raises `NotationError`.
        """
        result = self._all_parses(text)
        if not result:
            self._reject(text)
        faults = [self._drop_diagnostic(text, parse) for parse in result]
        wrong = [fault for fault in faults if fault]
        if len(wrong) == len(result):
            raise NotationError(wrong[:1], _as_source(text))
        return [parse for parse, fault in zip(result, faults, strict=True) if fault is None]

    def parses_with_exact_code(self, text: str) -> list[ParsedHodgesMove]:
        """All ways with a code as it stands; there may be none."""
        result = self._exact.get(text)
        if result is None:
            exact = [kind for kind in self._kinds if text.startswith(kind.code)]
            result = [parse for kind in exact for parse in self._parses_after_code(text, kind)]
            if len(text) <= MAX_CACHED_TEXT_LENGTH:
                self._exact[text] = result
        return result

    def _all_parses(self, text: str) -> list[ParsedHodgesMove]:
        result = self.parses_with_exact_code(text)
        if not result:
            loose = [kind for kind in self._kinds if _starts_with_code(text, kind)]
            result = [parse for kind in loose for parse in self._parses_after_code(text, kind)]
        return result

    def _parses_after_code(self, text: str, kind: PieceType) -> list[ParsedHodgesMove]:
        """What can follow a code."""
        rest = text[len(kind.code) :]
        matches = [pattern.fullmatch(rest) for pattern in _patterns_after_code(self._style)]
        result = [self._parse_match(kind, match) for match in matches if match]
        return [parse for parse in result if parse is not None]

    def _parse_match(self, kind: PieceType, match: re.Match[str]) -> ParsedHodgesMove | None:
        mark = match["mark"] or ""
        if len(mark) > 1:
            mark = f"={self._promotion_code(mark[1:]) or '?'}"
        origin, target, partner = (
            self._parse_square(match[part] or "") for part in ("origin", "target", "partner")
        )
        taken, trail = self._parse_squares(match["taken"]), self._parse_squares(match["trail"])
        missing = [
            origin is None and match["origin"],
            partner is None and match["partner"],
            taken is None and match["taken"],
            trail is None and match["trail"],
            mark == "=?" or (mark == "=" and not self._declines),
        ]
        if target is None or any(missing):
            return None
        return ParsedHodgesMove(
            kind.code, origin, match["sign"], target, taken, partner, trail, mark
        )

    def _parse_square(self, name: str) -> Square | None:
        return parse_square(name, self._variant.files, self._variant.ranks, self._style)

    def _parse_squares(self, names: str) -> frozenset[Square] | None:
        """The squares of a row, each after one letter; None where there are none, or one is not."""
        parsed = re.findall(f"[xe]({_SQUARE_PATTERN_BY_STYLE[self._style]})(?=[xe]|$)", names)
        squares = [square for square in map(self._parse_square, parsed) if square is not None]
        return frozenset(squares) if squares and len(squares) == len(parsed) else None

    def _promotion_code(self, name: str) -> str | None:
        """The code behind the sign of promotion, in any case; None if there is none."""
        codes = [kind.code for kind in self._kinds]
        loose = [code for code in codes if _ascii_lower(code) == _ascii_lower(name)]
        return name if name in codes else loose[0] if loose else None

    def _drop_diagnostic(self, text: str, parse: ParsedHodgesMove) -> Diagnostic | None:
        """A drop has no start, takes nothing and promotes nothing."""
        if parse.capture_sign != "*":
            return None
        code = len(parse.code)
        star = text.index("*", code)
        tail = len(text) - len(parse.promotion_mark)
        kind = self._variant.kind(parse.code)
        if not self._variant.droppable(kind):
            message = f"{parse.code} is never in hand: a piece is dropped as {kind.base}"
            return _drop_diagnostic(message, 0, code, f"write {kind.base}{text[star:]}")
        if parse.origin:
            hint = f"write {parse.code}{text[star:]}, or - or x for a move on the board"
            return _drop_diagnostic("a drop has no start square", code, star, hint)
        if parse.promotion_mark:
            return _drop_diagnostic(
                "a drop does not promote", tail, len(text), f"write {text[:tail]}"
            )
        if parse.captured or parse.partner or parse.trail:
            return _drop_diagnostic("a drop takes nothing", star + 1, tail, "write one square")
        return None

    def _reject(self, text: str) -> NoReturn:
        """Say where a text stops to be a move."""
        if text != text.strip() and text.strip():
            at = 0 if text[0].isspace() else len(text.rstrip())
            _reject("a blank is no part of a move", text, at, at + 1, "leave the blank out")
        kind = self._kind_at(text, 0)
        if kind is None:
            self._reject_start(text)
        self._reject_rest(text, len(kind.code))

    def _kind_at(self, text: str, start: int) -> PieceType | None:
        return next((kind for kind in self._kinds if _starts_with_code(text[start:], kind)), None)

    def _reject_start(self, text: str) -> NoReturn:
        plain = self._kind_at(text, 1) if text.startswith("+") else None
        if plain:
            message = f"{plain.code} has no promoted form called +{plain.code}"
            _reject_mark(message, text, 0, 1, "leave the + out")
        word = re.match(r"\+?[A-Za-z]+", text)
        end = word.end() if word else len(text)
        prefix = _ascii_lower(text[:end]).removesuffix("x")
        for kind in self._kinds:
            if prefix == _ascii_lower(kind.letter):
                hint = f"write {kind.code}{text[len(prefix) :]}"
                message = (
                    f"{text[: len(prefix)]} is the letter of {kind.code} in positions, no code"
                )
                _reject(message, text, 0, len(prefix), hint)
        self._check_squares(text)
        example = "7g7f" if self._style == "shogi" else "e2e4"
        codes = ", ".join(kind.code for kind in self._variant.kinds)
        hint = f"it begins with a piece ({codes[:200]}), or is start and target, as in {example}"
        message = "no piece of this game" if text else "there is no move"
        _reject(message, text, 0, max(end, 1), hint)

    def _check_squares(self, text: str) -> None:
        """A text of two squares of which one is not on the board."""
        for square in _SQUARE_PATTERN_BY_STYLE.values():
            match = re.match(f"({square})({square})?", text)
            if match:
                self._check_square(text, match.group(1), 0)
                self._check_square(text, match.group(2) or "", match.end(1))

    def _reject_rest(self, text: str, at: int) -> NoReturn:
        square = re.compile(_SQUARE_PATTERN_BY_STYLE[self._style])
        example = "5e" if self._style == "shogi" else "e5"
        if start := square.match(text, at):
            self._check_square(text, start.group(), at)
            at = start.end()
        if text[at : at + 1] not in tuple(_MOVE_SIGNS):
            hint = f"write - or x or *, and a square, after the piece, as in -{example}"
            _reject("no sign of a move or a drop", text, at, at + 1, hint)
        target = square.match(text, at + 1)
        if target is None:
            hint = f"write a square after the sign, as in {example}"
            _reject("no square", text, at + 1, at + 2, hint)
        self._check_square(text, target.group(), at + 1)
        at, end = target.end(), len(text)
        if text[at : at + 1] != "=":
            hint = "only a promotion may follow the square"
            _reject("no part of the move", text, at, end, hint)
        if at + 1 == end:
            hint = f"write {text[:at]}+, or no mark"
            _reject_mark("promotion is never declined in this game", text, at, end, hint)
        _reject_mark(f"no piece of this game is called {text[at + 1 :]}", text, at + 1, end, "")

    def _check_square(self, text: str, name: str, at: int) -> None:
        style = coordinate_system_of(name)
        if style and parse_square(name, self._variant.files, self._variant.ranks, style) is None:
            _reject(f"{name} is no square of this board", text, at, at + len(name), "")


def _reject(message: str, text: str, start: int, end: int, hint: str) -> NoReturn:
    reject(NotationError, "unreadable-move", message, _as_source(text), Span(start, end), hint)


def _reject_mark(message: str, text: str, start: int, end: int, hint: str) -> NoReturn:
    reject(NotationError, "wrong-mark", message, _as_source(text), Span(start, end), hint)


def _drop_diagnostic(message: str, start: int, end: int, hint: str) -> Diagnostic:
    return Diagnostic("wrong-drop", message, (Span(start, end),), hint)


def _starts_with_code(text: str, kind: PieceType) -> bool:
    return _ascii_lower(text[: len(kind.code)]) == _ascii_lower(kind.code)


def _ascii_lower(text: str) -> str:
    """The text without regard to case, ASCII only: no other sign becomes a letter of a code."""
    return text.lower() if text.isascii() else text


def _as_source(text: str) -> Source:
    return Source(text, "<move>")


# The reasons of an illegal move on the board in the order in which they are tested.
_REASON_ORDER = ("no-piece", "own-piece", "pattern", "file", "promotion", "self-check")


class GameState(Protocol):
    """The game state that moves are read and written in."""

    variant: Variant

    @property
    def side_to_move(self) -> int:
        """The side to move: 0 or 1."""

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves."""

    @property
    def pieces(self) -> dict[Square, tuple[str, int]]:
        """The code and the side of every piece, by square."""

    @property
    def hands(self) -> tuple[dict[str, int], dict[str, int]]:
        """How many pieces of each code both sides have in hand."""

    def square_name(self, square: Square) -> str:
        """The name of a square."""

    def symbol(self, code: str, side: int = 0) -> str:
        """What a piece is written as."""

    def why_illegal(self, text: str) -> Reason | None:
        """Why a move is illegal."""


def move_parser(variant: Variant) -> HodgesParser:
    """The parser of a variant, shared by all its games."""
    parser_cache = compile_variant(variant).cache
    if "hodges" not in parser_cache:
        parser_cache["hodges"] = HodgesParser(variant)
    result: HodgesParser = parser_cache["hodges"]
    return result


def write(game: GameState, move: Move) -> str:
    """A legal move in Hodges notation; to be called before it is made.

    Where no text of this kind tells the move from all others, it is the USI-like one.
    """
    legal = game.legal_moves
    goal, parse = (move.code, _capture_sign(move), move.target), (move.origin, move.promotes)
    alike = [each for each in legal if (each.code, _capture_sign(each), each.target) == goal]
    others = [each for each in alike if each != move]
    start = any(each.origin != move.origin for each in others)
    same_way = any((each.origin, each.promotes) == parse for each in others)
    taken = move.origin == move.target or same_way
    speller = move_parser(game.variant)
    for with_start, with_taken in ((start, taken), (True, taken), (True, True)):
        text = _move_notation(game, move, others, with_start=with_start, with_captures=with_taken)
        if _matching_moves(legal, speller.all_parses(text)) == [move]:
            return text
    return move.usi


def read(game: GameState, text: str, *, strict: bool = False) -> Move:
    """The legal move that a text in Hodges notation stands for.

    A code in any case, a start square that was not needed, and a missing sign of a promotion that
    cannot be declined are read too, unless ``strict``. Raises `NotationError` for a text that
    cannot be read, does not agree with the board or may be several moves, and `IllegalMove`.
    """
    parses = move_parser(game.variant).all_parses(text)
    result = _matching_moves(game.legal_moves, parses)
    if not result:
        _IllegalMoveReport(game, text, parses[0]).raise_error()
    if len(result) > 1:
        reject_ambiguous(text, result, partial(write, game))
    if strict and (expected := write(game, result[0])) != text:
        reject_spelling(text, expected)
    return result[0]


def is_legal_with_exact_code(game: GameState, text: str) -> bool:
    """Whether a text, with its code as it stands, is a legal move."""
    parses = move_parser(game.variant).parses_with_exact_code(text)
    return bool(parses and _matching_moves(game.legal_moves, parses))


def reject_ambiguous(text: str, moves: Sequence[Move], spell: Callable[[Move], str]) -> NoReturn:
    """Raise the error for a text that may be several moves, with the first texts of them."""
    more = [f"{len(moves) - MAX_NAMED_MOVES} others"] if len(moves) > MAX_NAMED_MOVES + 1 else []
    listed_texts = [*map(spell, moves[:MAX_NAMED_MOVES] if more else moves)]
    message = f"{text} may be {join_words([*listed_texts, *more])}"
    reject(
        NotationError, "ambiguous", message, _as_source(text), hint="write which of them is meant"
    )


def reject_spelling(text: str, expected: str) -> NoReturn:
    """Raise the error for a text that is not spelled as strict reading wants it."""
    hint = f"write {expected}"
    message = f"this move is written {expected}"
    reject(NotationError, "not-as-written", message, _as_source(text), hint=hint)


def _move_notation(
    game: GameState, move: Move, others: Sequence[Move], *, with_start: bool, with_captures: bool
) -> str:
    """A move, with its start square and the squares of what it takes if wanted."""
    target = game.square_name(move.target)
    if move.origin is None:
        return f"{move.code}*{target}"
    origin = game.square_name(move.origin) if with_start else ""
    squares = _disambiguation(move, game.square_name) if with_captures else ""
    return (
        f"{move.code}{origin}{_capture_sign(move)}{target}{squares}{_promotion_mark(move, others)}"
    )


def _disambiguation(move: Move, name: Callable[[Square], str]) -> str:
    """All that tells a move from others of the same start and target; ``name`` names squares."""
    signs = [("x", square) for square in move.captures]
    signs += [("o", move.partner[0])] if move.partner else []
    signs += [("e", square) for square in move.trail]
    return "".join(sign + name(square) for sign, square in signs)


def _promotion_mark(move: Move, others: Sequence[Move]) -> str:
    if move.promotes:
        return "+" if move.usi.endswith("+") else f"={move.promotes}"
    return (
        "="
        if _move_without_promotion_key(move)
        in {_move_without_promotion_key(each) for each in others if each.promotes}
        else ""
    )


def _capture_sign(move: Move) -> str:
    if move.origin is None:
        return "*"
    return "x" if move.captures else "-"


def _matching_moves(legal: Sequence[Move], parses: Sequence[ParsedHodgesMove]) -> list[Move]:
    """The moves that a text may stand for."""
    return [move for parse in parses for move in _moves_of_parse(legal, parse)]


def _moves_of_parse(legal: Sequence[Move], parse: ParsedHodgesMove) -> list[Move]:
    result = [
        move
        for move in legal
        if _is_move_of_parse(move, parse) and _capture_sign(move) == parse.capture_sign
    ]
    staying = [move for move in result if not move.promotes]
    promoted = [move for move in result if move.promotes]
    if not parse.promotion_mark:
        # Nothing is said of a promotion: it is declined, unless that cannot be.
        paths = set(map(_move_without_promotion_key, staying))
        return staying + [
            each for each in promoted if _move_without_promotion_key(each) not in paths
        ]
    if parse.promotion_mark == "=":
        paths = set(map(_move_without_promotion_key, promoted))
        return [each for each in staying if _move_without_promotion_key(each) in paths]
    return [each for each in promoted if parse.promotion_mark in {"+", f"={each.promotes}"}]


def _move_without_promotion_key(move: Move) -> tuple[object, ...]:
    """What moves have in common that differ in nothing but the promotion."""
    return move.origin, move.captures, move.partner


def _is_move_of_parse(move: Move, parse: ParsedHodgesMove) -> bool:
    partner = move.partner[0] if move.partner else None
    return (
        (move.code, move.target) == (parse.code, parse.target)
        and parse.origin in {None, move.origin}
        and parse.captured in {None, frozenset(move.captures)}
        and parse.partner in {None, partner}
        and parse.trail in {None, frozenset(move.trail)}
    )


class _IllegalMoveReport:
    """Explains why a parsed string is not a legal move."""

    def __init__(self, game: GameState, text: str, parse: ParsedHodgesMove) -> None:
        self._game = game
        self._text = text
        self._source = _as_source(text)
        self._way = parse
        self._board = game.pieces

    def raise_error(self) -> NoReturn:
        """Raise `NotationError` where the text and the board disagree, else `IllegalMove`."""
        parse = self._way
        if parse.capture_sign != "*":
            self._check_start()
            self._check_capture_sign()
            self._check_declined_promotion()
        starts = self._attempted_usi_texts()
        if not starts:
            where = f"on {self._game.square_name(parse.origin)}" if parse.origin else "on the board"
            message = f"the side to move has no {parse.code} {where}"
            reject(IllegalMove, "no-piece", message, self._source)
        name = self._game.variant.kind(parse.code).name
        worst = why_all_illegal(self._game, starts, name, parse.target)
        if worst is None:
            whole = parse._replace(captured=None, partner=None, trail=None)
            texts = [
                write(self._game, each) for each in _moves_of_parse(self._game.legal_moves, whole)
            ]
            hint = f"write {join_words(texts)}" if texts else ""
            message = "no such move takes or brings along these pieces"
            reject(NotationError, "wrong-part", message, self._source, hint=hint)
        reject(IllegalMove, worst.code, worst.words, self._source)

    def _attempted_usi_texts(self) -> list[str]:
        """The move in USI-like text from each square where it could begin."""
        game, parse, name = self._game, self._way, self._game.square_name
        if parse.capture_sign == "*":
            return [f"{game.symbol(parse.code)}*{name(parse.target)}"]
        mark = parse.promotion_mark.replace("=", "")
        rest = "".join(f"x{name(square)}" for square in sorted(parse.captured or ()))
        form = "" if not mark else "+" if mark == "+" else game.symbol(mark).lower()
        return [
            f"{name(square)}{name(parse.target)}{rest}{form}"
            for square, standing in self._board.items()
            if standing == (parse.code, game.side_to_move) and parse.origin in {None, square}
        ]

    def _check_start(self) -> None:
        """Another piece of one's own on the start square is a slip of the pen."""
        parse = self._way
        code, side = self._board.get(parse.origin, ("", -1)) if parse.origin else ("", -1)
        if side == self._game.side_to_move and code != parse.code:
            name = self._game.square_name(parse.origin) if parse.origin else ""
            at = len(parse.code)
            message, here = f"{code} is on {name}, not {parse.code}", Span(at, at + len(name))
            reject(NotationError, "wrong-start", message, self._source, here, f"write {code}")

    def _check_capture_sign(self) -> None:
        """The sign must say whether something is captured."""
        parse = self._way
        other = "x" if parse.capture_sign == "-" else "-"
        legal = _moves_of_parse(self._game.legal_moves, parse._replace(capture_sign=other))
        _, side = self._board.get(parse.target, ("", -1))
        wrong = side == -1 if parse.capture_sign == "x" else side == 1 - self._game.side_to_move
        at_home = parse.target == parse.origin or parse.captured
        if not legal and (not wrong or at_home):
            return
        at = self._text.index(parse.capture_sign, len(parse.code))
        name = self._game.square_name(parse.target)
        message = f"{name} is occupied" if side >= 0 else f"no piece is on {name}"
        message += ", so the move is a capture" if parse.capture_sign == "-" else ""
        hint = f"write {self._text[:at]}{other}{self._text[at + 1 :]}"
        reject(NotationError, "wrong-sign", message, self._source, Span(at, at + 1), hint)

    def _check_declined_promotion(self) -> None:
        """A promotion can only be declined where it is possible and not forced."""
        parse = self._way
        plain = _moves_of_parse(self._game.legal_moves, parse._replace(promotion_mark=""))
        if parse.promotion_mark == "=" and plain:
            hint = f"write {join_words([write(self._game, each) for each in plain])}"
            end = len(self._text)
            _reject_mark("there is no promotion to decline", self._text, end - 1, end, hint)


def why_all_illegal(
    game: GameState, texts: Sequence[str], name: str, target: Square
) -> Reason | None:
    """Why none of these moves of pieces called ``name`` is legal: the rule that is reached last.

    None where a move of them is legal.
    """
    with ObstacleBudget(0).limit():
        reasons = {text: game.why_illegal(text) for text in texts}
    known = {text: each for text, each in reasons.items() if each is not None}
    if not known:
        return None
    text, worst = max(known.items(), key=lambda each: _reason_rank(each[1].code))
    if worst.code != "pattern":
        return worst
    if len(known) > 1:
        words = f"no {name} of the side to move can go to {game.square_name(target)}"
        return worst._replace(words=words)
    return game.why_illegal(text)


def _reason_rank(code: str) -> int:
    return _REASON_ORDER.index(code) if code in _REASON_ORDER else -1


_CELL_START = re.compile(square_name_pattern("chess"))


def wall_and_gate_suffix_in_cell_notation(move: Move) -> str:
    """What the text of a move in CELL says of a wall and of a piece from the hand."""
    return "".join(move.cell.partition("/")[1:])


def write_cell_arrow_move(game: GameState, move: Move) -> str:
    """A move in CELL and HAND, `e2 → e4`, `* → e4`; a piece in hand is named where several could.

    Promotion is as in `Move.cell`.
    """
    if move.origin is not None:
        start = square_name(*move.origin)
        return f"{start} → {move.cell.removeprefix(start)}"
    bare = f"* → {square_name(*move.target)}"
    drops = (each for each in game.legal_moves if each.origin is None)
    alone = sum(each.target == move.target for each in drops) == 1
    return (
        bare
        if alone
        else f"{move.usi.rpartition('*')[0]}{bare}{wall_and_gate_suffix_in_cell_notation(move)}"
    )


# An arrow, or a drop without a piece.
_ARROW_SIGN = re.compile(r"(?<!\s)\s*+(?:→|->)\s*")
_BARE_DROP = re.compile(r"\*[a-z]+[0-9]+")
_DROP = re.compile(r"(\+?[A-Za-z]*)\*[a-z]+[0-9]+")


def find_cell_move(game: GameState, text: str) -> Move | None:
    """The legal move that is written so, None if there is none.

    Where squares are always those of CELL, that is the USI-like text. With an arrow, or ``*`` for a
    piece in hand without a name, it is in CELL and HAND: an error of kind "ambiguous" where several
    pieces could be meant.
    """
    if "→" in text or "->" in text or ("*" in text and _BARE_DROP.fullmatch(text)):
        joined = _ARROW_SIGN.sub("", text)
        result = [move for move in game.legal_moves if joined in _cell_spellings(move)]
        if len(result) > 1:
            reject_ambiguous(text, result, partial(write_cell_arrow_move, game))
        if not result:
            _require_in_hand(game, text, joined)
        return result[0] if result else None
    if game.variant.rules.coordinates == "chess" or not _CELL_START.match(text):
        return None
    return next((move for move in game.legal_moves if move.cell == text), None)


def _require_in_hand(game: GameState, text: str, joined: str) -> None:
    """Refuse a drop in a game without drops, or of what is not in hand."""
    drop = _DROP.fullmatch(joined)
    if not drop or game.variant.rules.drops == "free":
        return
    if game.variant.rules.drops == "no":
        reject(IllegalMove, "no-drops", REASON_WORDS["no-drops"], Source(text, "<move>"))
    kinds, called = game.variant.kinds, drop[1].upper()
    meant = [each for each in kinds if called in {each.code.upper(), game.symbol(each.code)}]
    held = game.hands[game.side_to_move]
    words = ""
    if not held and (meant or not called):
        words = "nothing is in hand"
    elif meant and not any(each.code in held for each in meant):
        words = f"no {meant[0].name} is in hand"
    if words:
        reject(IllegalMove, "not-in-hand", words, Source(text, "<move>"))


def _cell_spellings(move: Move) -> set[str]:
    """A move in CELL and HAND without its arrow, with and without the piece in hand."""
    if move.origin is not None:
        return {move.cell}
    target = f"*{square_name(*move.target)}"
    return {
        target,
        f"{move.usi.rpartition('*')[0]}{target}{wall_and_gate_suffix_in_cell_notation(move)}",
    }

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
from functools import cache
from typing import NoReturn, Protocol

from alfil.errors import Finding, IllegalMove, NotationError, listed, refuse
from alfil.frozen import NamedTuple
from alfil.game.moves import LONGEST_KEPT, TEXTS_KEPT, Move, Reason
from alfil.game.plan import Bounded, plan_of
from alfil.game.variant import Kind, Variant
from alfil.source import Source, Span
from alfil.squares import Coordinates, Square, coordinates_of, name_pattern, read_on, square_name

_SQUARES: dict[Coordinates, str] = {
    "shogi": name_pattern("shogi"),
    "chess": name_pattern("chess"),
}
_SIGNS = "-x*"

# So many of the moves that a text may be are named.
MOST_NAMED = 8


class Spelled(NamedTuple):
    """One way to take a text apart.

    ``taken``, ``partner`` and ``trail`` are squares of captured pieces, of a castling partner and
    of capture en passant, None where none are written. ``mark`` is empty, ``+``, ``=``, or ``=``
    and a code.
    """

    code: str
    origin: Square | None
    sign: str
    target: Square
    taken: frozenset[Square] | None
    partner: Square | None
    trail: frozenset[Square] | None
    mark: str


@cache
def _patterns(style: Coordinates) -> list[re.Pattern[str]]:
    """What stands behind the code, without a start square and with one.

    A text can be both where files go as far as x: xa5 is a square then, or a capture.
    """
    square = _SQUARES[style]
    return [
        re.compile(
            rf"(?P<origin>{origin})(?P<sign>[-x*])(?P<target>{square})"
            rf"(?P<taken>(?:x{square})*)(?:o(?P<partner>{square}))?(?P<trail>(?:e{square})*)"
            r"(?P<mark>\+|=.*)?"
        )
        for origin in ("", square)
    ]


class Speller:
    """Takes the move texts of one game apart."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._style = variant.rules.coordinates
        self._kinds = sorted(variant.kinds, key=lambda kind: -len(kind.code))
        self._declines = any(k.promotes and k.promotion != "forced" for k in variant.kinds)
        self._exact: Bounded[str, list[Spelled]] = Bounded(TEXTS_KEPT)

    def ways(self, text: str) -> list[Spelled]:
        """All ways to take a text apart, that with the longest code first.

        A code in the wrong case counts where none fits as it stands. Raises `NotationError`.
        """
        found = self._found(text)
        if not found:
            self._refuse(text)
        faults = [self._drop_fault(text, way) for way in found]
        wrong = [fault for fault in faults if fault]
        if len(wrong) == len(found):
            raise NotationError(wrong[:1], _source(text))
        return [way for way, fault in zip(found, faults, strict=True) if fault is None]

    def exact(self, text: str) -> list[Spelled]:
        """All ways with a code as it stands; there may be none."""
        found = self._exact.get(text)
        if found is None:
            exact = [kind for kind in self._kinds if text.startswith(kind.code)]
            found = [way for kind in exact for way in self._after(text, kind)]
            if len(text) <= LONGEST_KEPT:
                self._exact[text] = found
        return found

    def _found(self, text: str) -> list[Spelled]:
        found = self.exact(text)
        if not found:
            loose = [kind for kind in self._kinds if _begins(text, kind)]
            found = [way for kind in loose for way in self._after(text, kind)]
        return found

    def _after(self, text: str, kind: Kind) -> list[Spelled]:
        """What can follow a code."""
        rest = text[len(kind.code) :]
        matches = [pattern.fullmatch(rest) for pattern in _patterns(self._style)]
        found = [self._spelled(kind, match) for match in matches if match]
        return [way for way in found if way is not None]

    def _spelled(self, kind: Kind, match: re.Match[str]) -> Spelled | None:
        mark = match["mark"] or ""
        if len(mark) > 1:
            mark = f"={self._form(mark[1:]) or '?'}"
        origin, target, partner = (
            self._square(match[part] or "") for part in ("origin", "target", "partner")
        )
        taken, trail = self._squares(match["taken"]), self._squares(match["trail"])
        missing = [
            origin is None and match["origin"],
            partner is None and match["partner"],
            taken is None and match["taken"],
            trail is None and match["trail"],
            mark == "=?" or (mark == "=" and not self._declines),
        ]
        if target is None or any(missing):
            return None
        return Spelled(kind.code, origin, match["sign"], target, taken, partner, trail, mark)

    def _square(self, name: str) -> Square | None:
        return read_on(name, self._variant.files, self._variant.ranks, self._style)

    def _squares(self, names: str) -> frozenset[Square] | None:
        """The squares of a row, each after one letter; None where there are none, or one is not."""
        written = re.findall(f"[xe]({_SQUARES[self._style]})(?=[xe]|$)", names)
        squares = [square for square in map(self._square, written) if square is not None]
        return frozenset(squares) if squares and len(squares) == len(written) else None

    def _form(self, name: str) -> str | None:
        """The code behind the sign of promotion, in any case; None if there is none."""
        codes = [kind.code for kind in self._kinds]
        loose = [code for code in codes if _fold(code) == _fold(name)]
        return name if name in codes else loose[0] if loose else None

    def _drop_fault(self, text: str, way: Spelled) -> Finding | None:
        """A drop has no start, takes nothing and promotes nothing."""
        if way.sign != "*":
            return None
        code = len(way.code)
        star = text.index("*", code)
        tail = len(text) - len(way.mark)
        kind = self._variant.kind(way.code)
        if not self._variant.droppable(kind):
            message = f"{way.code} is never in hand: a piece is dropped as {kind.base}"
            return _wrong_drop(message, 0, code, f"write {kind.base}{text[star:]}")
        if way.origin:
            hint = f"write {way.code}{text[star:]}, or - or x for a move on the board"
            return _wrong_drop("a drop has no start square", code, star, hint)
        if way.mark:
            return _wrong_drop("a drop does not promote", tail, len(text), f"write {text[:tail]}")
        if way.taken or way.partner or way.trail:
            return _wrong_drop("a drop takes nothing", star + 1, tail, "write one square")
        return None

    def _refuse(self, text: str) -> NoReturn:
        """Say where a text stops to be a move."""
        if text != text.strip() and text.strip():
            at = 0 if text[0].isspace() else len(text.rstrip())
            _unreadable("a blank is no part of a move", text, at, at + 1, "leave the blank out")
        kind = self._kind_at(text, 0)
        if kind is None:
            self._refuse_start(text)
        self._refuse_rest(text, len(kind.code))

    def _kind_at(self, text: str, start: int) -> Kind | None:
        return next((kind for kind in self._kinds if _begins(text[start:], kind)), None)

    def _refuse_start(self, text: str) -> NoReturn:
        plain = self._kind_at(text, 1) if text.startswith("+") else None
        if plain:
            message = f"{plain.code} has no promoted form called +{plain.code}"
            _wrong_mark(message, text, 0, 1, "leave the + out")
        word = re.match(r"\+?[A-Za-z]+", text)
        end = word.end() if word else len(text)
        given = _fold(text[:end]).removesuffix("x")
        for kind in self._kinds:
            if given == _fold(kind.letter):
                hint = f"write {kind.code}{text[len(given) :]}"
                message = f"{text[: len(given)]} is the letter of {kind.code} in positions, no code"
                _unreadable(message, text, 0, len(given), hint)
        self._check_squares(text)
        example = "7g7f" if self._style == "shogi" else "e2e4"
        codes = ", ".join(kind.code for kind in self._variant.kinds)
        hint = f"it begins with a piece ({codes[:200]}), or is start and target, as in {example}"
        message = "no piece of this game" if text else "there is no move"
        _unreadable(message, text, 0, max(end, 1), hint)

    def _check_squares(self, text: str) -> None:
        """A text of two squares of which one is not on the board."""
        for square in _SQUARES.values():
            match = re.match(f"({square})({square})?", text)
            if match:
                self._check_square(text, match.group(1), 0)
                self._check_square(text, match.group(2) or "", match.end(1))

    def _refuse_rest(self, text: str, at: int) -> NoReturn:
        square = re.compile(_SQUARES[self._style])
        example = "5e" if self._style == "shogi" else "e5"
        if start := square.match(text, at):
            self._check_square(text, start.group(), at)
            at = start.end()
        if text[at : at + 1] not in tuple(_SIGNS):
            hint = f"after the piece stands - or x or *, and a square, as in -{example}"
            _unreadable("no sign of a move or a drop", text, at, at + 1, hint)
        target = square.match(text, at + 1)
        if target is None:
            hint = f"after the sign stands a square, as in {example}"
            _unreadable("no square", text, at + 1, at + 2, hint)
        self._check_square(text, target.group(), at + 1)
        at, end = target.end(), len(text)
        if text[at : at + 1] != "=":
            hint = "after the square stands a promotion, or nothing"
            _unreadable("no part of the move", text, at, end, hint)
        if at + 1 == end:
            hint = f"write {text[:at]}+, or no mark"
            _wrong_mark("promotion is never declined in this game", text, at, end, hint)
        _wrong_mark(f"no piece of this game is called {text[at + 1 :]}", text, at + 1, end, "")

    def _check_square(self, text: str, name: str, at: int) -> None:
        style = coordinates_of(name)
        if style and read_on(name, self._variant.files, self._variant.ranks, style) is None:
            _unreadable(f"{name} is no square of this board", text, at, at + len(name), "")


def _unreadable(message: str, text: str, start: int, end: int, hint: str) -> NoReturn:
    refuse(NotationError, "unreadable-move", message, _source(text), Span(start, end), hint)


def _wrong_mark(message: str, text: str, start: int, end: int, hint: str) -> NoReturn:
    refuse(NotationError, "wrong-mark", message, _source(text), Span(start, end), hint)


def _wrong_drop(message: str, start: int, end: int, hint: str) -> Finding:
    return Finding("wrong-drop", message, (Span(start, end),), hint)


def _begins(text: str, kind: Kind) -> bool:
    return _fold(text[: len(kind.code)]) == _fold(kind.code)


def _fold(text: str) -> str:
    """The text without regard to case, ASCII only: no other sign becomes a letter of a code."""
    return text.lower() if text.isascii() else text


def _source(text: str) -> Source:
    return Source(text, "<move>")


# The reasons of an illegal move on the board in the order in which they are tested.
_REASONS = ("no-piece", "own-piece", "pattern", "file", "promotion", "self-check")


class Played(Protocol):
    """What moves are read and written in: a game where it stands."""

    variant: Variant

    @property
    def turn(self) -> int:
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

    def name(self, square: Square) -> str:
        """The name of a square."""

    def symbol(self, code: str, side: int = 0) -> str:
        """What a piece is written as."""

    def why_illegal(self, text: str) -> Reason | None:
        """Why a move is illegal."""


def speller_of(variant: Variant) -> Speller:
    """What takes the texts of a game apart; all its games share it."""
    kept = plan_of(variant).kept
    if "hodges" not in kept:
        kept["hodges"] = Speller(variant)
    found: Speller = kept["hodges"]
    return found


def write(game: Played, move: Move) -> str:
    """A legal move in Hodges notation; to be called before it is made.

    Where no text of this kind tells the move from all others, it is the USI-like one.
    """
    legal = game.legal_moves
    goal, way = (move.code, _sign(move), move.target), (move.origin, move.promotes)
    alike = [each for each in legal if (each.code, _sign(each), each.target) == goal]
    others = [each for each in alike if each != move]
    start = any(each.origin != move.origin for each in others)
    same_way = any((each.origin, each.promotes) == way for each in others)
    taken = move.origin == move.target or same_way
    speller = speller_of(game.variant)
    for with_start, with_taken in ((start, taken), (True, taken), (True, True)):
        text = _spelled(game, move, others, start=with_start, taken=with_taken)
        if _fitting(legal, speller.ways(text)) == [move]:
            return text
    return move.usi


def read(game: Played, text: str, *, strict: bool = False) -> Move:
    """The legal move that a text in Hodges notation stands for.

    A code in any case, a start square that was not needed, and a missing sign of a promotion that
    cannot be declined are read too, unless ``strict``. Raises `NotationError` for a text that
    cannot be read, does not agree with the board or may be several moves, and `IllegalMove`.
    """
    ways = speller_of(game.variant).ways(text)
    found = _fitting(game.legal_moves, ways)
    if not found:
        _Refusal(game, text, ways[0]).give()
    if len(found) > 1:
        refuse_ambiguous(text, [write(game, each) for each in found])
    if strict and (wanted := write(game, found[0])) != text:
        refuse_spelling(text, wanted)
    return found[0]


def fits(game: Played, text: str) -> bool:
    """Whether a text, with its code as it stands, is a legal move."""
    ways = speller_of(game.variant).exact(text)
    return bool(ways and _fitting(game.legal_moves, ways))


def refuse_ambiguous(text: str, texts: Sequence[str]) -> NoReturn:
    """Raise the error for a text that may be several moves, with the first texts of them."""
    more = [f"{len(texts) - MOST_NAMED} others"] if len(texts) > MOST_NAMED + 1 else []
    named = texts[:MOST_NAMED] if more else texts
    message = f"{text} may be {listed([*named, *more])}"
    refuse(NotationError, "ambiguous", message, _source(text), hint="write which of them is meant")


def refuse_spelling(text: str, wanted: str) -> NoReturn:
    """Raise the error for a text that is not spelled as strict reading wants it."""
    hint = f"write {wanted}"
    message = f"this move is written {wanted}"
    refuse(NotationError, "not-as-written", message, _source(text), hint=hint)


def _spelled(game: Played, move: Move, others: Sequence[Move], *, start: bool, taken: bool) -> str:
    """A move, with its start square and the squares of what it takes if wanted."""
    target = game.name(move.target)
    if move.origin is None:
        return f"{move.code}*{target}"
    origin = game.name(move.origin) if start else ""
    squares = _taken(move, game.name) if taken else ""
    return f"{move.code}{origin}{_sign(move)}{target}{squares}{_mark(move, others)}"


def _taken(move: Move, name: Callable[[Square], str]) -> str:
    """All that tells a move from others of the same start and target; ``name`` names squares."""
    signs = [("x", square) for square in move.captures]
    signs += [("o", move.partner[0])] if move.partner else []
    signs += [("e", square) for square in move.trail]
    return "".join(sign + name(square) for sign, square in signs)


def _mark(move: Move, others: Sequence[Move]) -> str:
    if move.promotes:
        return "+" if move.usi.endswith("+") else f"={move.promotes}"
    return "=" if _has_path(move, [each for each in others if each.promotes]) else ""


def _sign(move: Move) -> str:
    if move.origin is None:
        return "*"
    return "x" if move.captures else "-"


def _fitting(legal: Sequence[Move], ways: Sequence[Spelled]) -> list[Move]:
    """The moves that a text may stand for."""
    return [move for way in ways for move in _meant(legal, way)]


def _meant(legal: Sequence[Move], way: Spelled) -> list[Move]:
    found = [move for move in legal if _is_path(move, way) and _sign(move) == way.sign]
    staying = [move for move in found if not move.promotes]
    promoted = [move for move in found if move.promotes]
    if not way.mark:
        # Nothing is said of a promotion: it is declined, unless that cannot be.
        return staying + [each for each in promoted if not _has_path(each, staying)]
    if way.mark == "=":
        return [each for each in staying if _has_path(each, promoted)]
    return [each for each in promoted if way.mark in {"+", f"={each.promotes}"}]


def _has_path(move: Move, others: Sequence[Move]) -> bool:
    """Whether one of the others differs from a move in nothing but the promotion."""
    path = (move.origin, move.captures, move.partner)
    return any((each.origin, each.captures, each.partner) == path for each in others)


def _is_path(move: Move, way: Spelled) -> bool:
    partner = move.partner[0] if move.partner else None
    return (
        (move.code, move.target) == (way.code, way.target)
        and way.origin in {None, move.origin}
        and way.taken in {None, frozenset(move.captures)}
        and way.partner in {None, partner}
        and way.trail in {None, frozenset(move.trail)}
    )


class _Refusal:
    """Why a text that could be taken apart is no legal move."""

    def __init__(self, game: Played, text: str, way: Spelled) -> None:
        self._game = game
        self._text = text
        self._source = _source(text)
        self._way = way
        self._board = game.pieces

    def give(self) -> NoReturn:
        """Raise `NotationError` where the text and the board disagree, else `IllegalMove`."""
        way = self._way
        if way.sign != "*":
            self._check_start()
            self._check_sign()
            self._check_mark()
        starts = self._starts()
        if not starts:
            where = f"on {self._game.name(way.origin)}" if way.origin else "on the board"
            message = f"the side to move has no {way.code} {where}"
            refuse(IllegalMove, "no-piece", message, self._source)
        name = self._game.variant.kind(way.code).name
        worst = worst_reason(self._game, starts, name, way.target)
        if worst is None:
            whole = way._replace(taken=None, partner=None, trail=None)
            texts = [write(self._game, each) for each in _meant(self._game.legal_moves, whole)]
            hint = f"write {listed(texts)}" if texts else ""
            message = "no such move takes or brings along these pieces"
            refuse(NotationError, "wrong-part", message, self._source, hint=hint)
        refuse(IllegalMove, worst.code, worst.words, self._source)

    def _starts(self) -> list[str]:
        """The move in USI-like text from each square where it could begin."""
        game, way, name = self._game, self._way, self._game.name
        if way.sign == "*":
            return [f"{game.symbol(way.code)}*{name(way.target)}"]
        mark = way.mark.replace("=", "")
        rest = "".join(f"x{name(square)}" for square in sorted(way.taken or ()))
        form = "" if not mark else "+" if mark == "+" else game.symbol(mark).lower()
        return [
            f"{name(square)}{name(way.target)}{rest}{form}"
            for square, standing in self._board.items()
            if standing == (way.code, game.turn) and way.origin in {None, square}
        ]

    def _check_start(self) -> None:
        """Another piece of one's own on the start square is a slip of the pen."""
        way = self._way
        code, side = self._board.get(way.origin, ("", -1)) if way.origin else ("", -1)
        if side == self._game.turn and code != way.code:
            name = self._game.name(way.origin) if way.origin else ""
            at = len(way.code)
            message, here = f"on {name} stands {code}, not {way.code}", Span(at, at + len(name))
            refuse(NotationError, "wrong-start", message, self._source, here, f"write {code}")

    def _check_sign(self) -> None:
        """The sign must say whether something is captured."""
        way = self._way
        other = "x" if way.sign == "-" else "-"
        legal = _meant(self._game.legal_moves, way._replace(sign=other))
        _, side = self._board.get(way.target, ("", -1))
        wrong = side == -1 if way.sign == "x" else side == 1 - self._game.turn
        at_home = way.target == way.origin or way.taken
        if not legal and (not wrong or at_home):
            return
        at = self._text.index(way.sign, len(way.code))
        name = self._game.name(way.target)
        message = f"a piece stands on {name}" if side >= 0 else f"nothing stands on {name}"
        message += " and is captured" if way.sign == "-" else ""
        hint = f"write {self._text[:at]}{other}{self._text[at + 1 :]}"
        refuse(NotationError, "wrong-sign", message, self._source, Span(at, at + 1), hint)

    def _check_mark(self) -> None:
        """A promotion can only be declined where it is possible and not forced."""
        way = self._way
        plain = _meant(self._game.legal_moves, way._replace(mark=""))
        if way.mark == "=" and plain:
            hint = f"write {listed([write(self._game, each) for each in plain])}"
            end = len(self._text)
            _wrong_mark("there is no promotion to decline", self._text, end - 1, end, hint)


def worst_reason(game: Played, texts: Sequence[str], name: str, target: Square) -> Reason | None:
    """Why none of these moves of pieces called ``name`` is legal: the rule that is reached last.

    None where a move of them is legal.
    """
    reasons = [game.why_illegal(text) for text in texts]
    known = [each for each in reasons if each is not None]
    worst = max(known, key=lambda each: _rank(each.code), default=None)
    if worst and len(known) > 1 and worst.code == "pattern":
        words = f"no {name} of the side to move can go to {game.name(target)}"
        return worst._replace(words=words)
    return worst


def _rank(code: str) -> int:
    return _REASONS.index(code) if code in _REASONS else -1


_CELL_START = re.compile(name_pattern("chess"))


def behind(move: Move) -> str:
    """What the text of a move in CELL says of a wall and of a piece from the hand."""
    return "".join(move.cell.partition("/")[1:])


def write_arrow(game: Played, move: Move) -> str:
    """A move in CELL and HAND, `e2 → e4`, `* → e4`; a piece in hand is named where several could.

    Promotion is as in `Move.cell`.
    """
    if move.origin is not None:
        start = square_name(*move.origin)
        return f"{start} → {move.cell.removeprefix(start)}"
    bare = f"* → {square_name(*move.target)}"
    drops = (each for each in game.legal_moves if each.origin is None)
    alone = sum(each.target == move.target for each in drops) == 1
    return bare if alone else f"{move.usi.rpartition('*')[0]}{bare}{behind(move)}"


# An arrow, or a drop without a piece.
_ARROW = re.compile(r"\s*(?:→|->)\s*")
_BARE_DROP = re.compile(r"\*[a-z]+[0-9]+")
_DROP = re.compile(r"(\+?[A-Za-z]*)\*[a-z]+[0-9]+")


def find_cell(game: Played, text: str) -> Move | None:
    """The legal move that is written so, None if there is none.

    Where squares are always those of CELL, that is the USI-like text. With an arrow, or ``*`` for a
    piece in hand without a name, it is in CELL and HAND: an error of kind "ambiguous" where several
    pieces could be meant.
    """
    if "→" in text or "->" in text or ("*" in text and _BARE_DROP.fullmatch(text)):
        joined = _ARROW.sub("", text)
        found = [move for move in game.legal_moves if joined in _joined(move)]
        if len(found) > 1:
            refuse_ambiguous(text, [write_arrow(game, each) for each in found])
        if not found:
            _require_in_hand(game, text, joined)
        return found[0] if found else None
    if game.variant.rules.coordinates == "chess" or not _CELL_START.match(text):
        return None
    return next((move for move in game.legal_moves if move.cell == text), None)


def _require_in_hand(game: Played, text: str, joined: str) -> None:
    """Refuse a drop where there is nothing in hand, of the piece it names or at all."""
    drop = _DROP.fullmatch(joined)
    if not drop or game.variant.rules.drops == "free":
        return
    kinds, called = game.variant.kinds, drop[1].upper()
    meant = [each for each in kinds if called in {each.code.upper(), game.symbol(each.code)}]
    held = game.hands[game.turn]
    words = ""
    if not held and (meant or not called):
        words = "nothing is in hand"
    elif meant and not any(each.code in held for each in meant):
        words = f"no {meant[0].name} is in hand"
    if words:
        refuse(IllegalMove, "not-in-hand", words, Source(text, "<move>"))


def _joined(move: Move) -> set[str]:
    """A move in CELL and HAND without its arrow, with and without the piece in hand."""
    if move.origin is not None:
        return {move.cell}
    target = f"*{square_name(*move.target)}"
    return {target, f"{move.usi.rpartition('*')[0]}{target}{behind(move)}"}

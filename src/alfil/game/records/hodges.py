"""Moves in Hodges notation: `SO-6f`, `Nx7c+`, `T*5e`, `G4h-5g`.

A start square stands only where another piece of the same code could legally go to the same square.
In games of several promoted forms `=` and the code of the form follow, and `=` alone where a
promotion that was possible is declined. Where a start, a target and a promotion fit several moves,
or the piece ends where it began, the squares of all captured pieces follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from alfil.errors import Finding, IllegalMove
from alfil.game.moves import Move
from alfil.game.records.spelling import Spelled, Speller, alternatives, fail
from alfil.source import Source, Span

if TYPE_CHECKING:
    from alfil.game.game import Game

# The reasons of an illegal move on the board in the order in which they are tested.
_REASONS = ("no-piece", "own-piece", "pattern", "file", "promotion", "self-check")


def write(game: Game, ply: Move) -> str:
    """A legal move in Hodges notation; to be called before it is made.

    Where no text of this kind tells the move from all others, it is the USI-like one.
    """
    legal = game.legal_moves
    others = [each for each in legal if _same_goal(each, ply) and each != ply]
    start = any(each.origin != ply.origin for each in others)
    taken = ply.origin == ply.target or any(_same_way(each, ply) for each in others)
    speller = Speller(game.variant)
    for with_start, with_taken in ((start, taken), (True, taken), (True, True)):
        text = _spelled(game, ply, others, start=with_start, taken=with_taken)
        if _fitting(legal, speller.ways(text)) == [ply]:
            return text
    return ply.usi


def read(game: Game, text: str, *, strict: bool = False) -> Move:
    """The legal move that a text in Hodges notation stands for.

    A code in any case, a start square that was not needed, and a missing sign of a promotion that
    cannot be declined are read too, unless ``strict``. Raises `NotationError` for a text that
    cannot be read, does not agree with the board or may be several moves, and `IllegalMove`.
    """
    ways = Speller(game.variant).ways(text)
    found = _fitting(game.legal_moves, ways)
    if not found:
        _Refusal(game, text, ways[0]).give()
    if len(found) > 1:
        refuse_ambiguous(text, [write(game, each) for each in found])
    if strict and (wanted := write(game, found[0])) != text:
        refuse_spelling(text, wanted)
    return found[0]


def refuse_ambiguous(text: str, texts: Sequence[str]) -> NoReturn:
    """Raise the error for a text that may be several moves, with the texts of all of them."""
    message = f"{text} may be {alternatives(texts)}"
    fail("ambiguous", message, text, 0, len(text), "write which of them is meant")


def refuse_spelling(text: str, wanted: str) -> NoReturn:
    """Raise the error for a text that is not spelled as strict reading wants it."""
    fail("not-as-written", f"this move is written {wanted}", text, 0, len(text), f"write {wanted}")


def _spelled(game: Game, ply: Move, others: Sequence[Move], *, start: bool, taken: bool) -> str:
    """A move, with its start square and the squares of what it takes if wanted."""
    target = game.name(ply.target)
    if ply.origin is None:
        return f"{ply.code}*{target}"
    origin = game.name(ply.origin) if start else ""
    sign = "x" if ply.captures else "-"
    squares = _taken(game, ply) if taken else ""
    return f"{ply.code}{origin}{sign}{target}{squares}{_mark(ply, others)}"


def _taken(game: Game, ply: Move) -> str:
    """All that tells a move from others of the same start and target."""
    squares = "".join(f"x{game.name(square)}" for square in ply.captures)
    partner = f"o{game.name(ply.partner[0])}" if ply.partner else ""
    return squares + partner + "".join(f"e{game.name(square)}" for square in ply.trail)


def _mark(ply: Move, others: Sequence[Move]) -> str:
    if ply.promotes:
        return "+" if ply.usi.endswith("+") else f"={ply.promotes}"
    return "=" if any(each.promotes and _same_path(each, ply) for each in others) else ""


def _same_goal(one: Move, other: Move) -> bool:
    """Whether a start square may be needed to tell two moves on the board apart."""
    return (one.code, one.target, bool(one.captures), one.origin is None) == (
        other.code,
        other.target,
        bool(other.captures),
        other.origin is None,
    )


def _same_way(one: Move, other: Move) -> bool:
    """Whether two moves of one goal differ in nothing but what they take."""
    return (one.origin, one.promotes) == (other.origin, other.promotes)


def _same_path(one: Move, other: Move) -> bool:
    """Whether two moves differ in nothing but the promotion."""
    return (one.origin, one.captures, one.partner) == (other.origin, other.captures, other.partner)


def _fitting(legal: Sequence[Move], ways: Sequence[Spelled]) -> list[Move]:
    """The moves that a text may stand for."""
    return [ply for way in ways for ply in _meant(legal, way)]


def _meant(legal: Sequence[Move], way: Spelled) -> list[Move]:
    found = [ply for ply in legal if _is_path(ply, way) and _has_sign(ply, way.sign)]
    if not way.mark:
        # Nothing is said of a promotion: it is declined, unless that cannot be.
        staying = [ply for ply in found if not ply.promotes]
        return staying + [
            ply for ply in found if not any(_same_path(each, ply) for each in staying)
        ]
    if way.mark == "=":
        promoted = [ply for ply in found if ply.promotes]
        return [
            ply
            for ply in found
            if not ply.promotes and any(_same_path(each, ply) for each in promoted)
        ]
    if way.mark == "+":
        return [ply for ply in found if ply.promotes]
    return [ply for ply in found if ply.promotes == way.mark[1:]]


def _is_path(ply: Move, way: Spelled) -> bool:
    partner = ply.partner[0] if ply.partner else None
    return (
        (ply.code, ply.target) == (way.code, way.target)
        and way.origin in {None, ply.origin}
        and way.taken in {None, frozenset(ply.captures)}
        and way.partner in {None, partner}
        and way.trail in {None, frozenset(ply.trail)}
    )


def _has_sign(ply: Move, sign: str) -> bool:
    if ply.origin is None:
        return sign == "*"
    return sign == ("x" if ply.captures else "-")


class _Refusal:
    """Why a text that could be taken apart is no legal move."""

    def __init__(self, game: Game, text: str, way: Spelled) -> None:
        self._game = game
        self._text = text
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
            self._illegal("no-piece", f"the side to move has no {way.code} {where}")
        reasons = [self._game.why_illegal(text) for text in starts]
        known = [each for each in reasons if each is not None]
        if not known:
            whole = way._replace(taken=None, partner=None, trail=None)
            texts = [write(self._game, each) for each in _meant(self._game.legal_moves, whole)]
            hint = f"write {alternatives(texts)}" if texts else ""
            self._fail("wrong-part", "no such move takes or brings along these pieces", hint)
        worst = max(known, key=lambda each: _rank(each.code))
        words = worst.words
        if len(known) > 1 and worst.code == "pattern":
            name = self._game.variant.kind(way.code).name
            words = f"no {name} of the side to move can go to {self._game.name(way.target)}"
        self._illegal(worst.code, words)

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
            message = f"on {name} stands {code}, not {way.code}"
            fail("wrong-start", message, self._text, at, at + len(name), f"write {code}")

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
        fail("wrong-sign", message, self._text, at, at + 1, hint)

    def _check_mark(self) -> None:
        """A promotion can only be declined where it is possible and not forced."""
        way = self._way
        plain = _meant(self._game.legal_moves, way._replace(mark=""))
        if way.mark == "=" and plain:
            at = len(self._text) - 1
            texts = alternatives([write(self._game, each) for each in plain])
            message = "there is no promotion to decline"
            fail("wrong-mark", message, self._text, at, at + 1, f"write {texts}")

    def _illegal(self, kind: str, words: str) -> NoReturn:
        finding = Finding(kind, words, (Span(0, len(self._text)),))
        raise IllegalMove([finding], Source(self._text, "<move>"))

    def _fail(self, kind: str, message: str, hint: str) -> NoReturn:
        fail(kind, message, self._text, 0, len(self._text), hint)


def _rank(code: str) -> int:
    return _REASONS.index(code) if code in _REASONS else -1

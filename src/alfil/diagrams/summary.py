"""One line in words: how many squares, in what manner, and how regular the picture is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from alfil.diagrams.marks import Asks, Ends, Mark, Marks, Offset, Passed, Remark, Way
from alfil.diagrams.text import Family, family_of

PLAIN = (Family.STEP, Family.LEAP)
# Families that are counted on their own, and how.
BESIDES = (
    (Family.HURDLE, "over a piece in between"),
    (Family.LOCUST, "after a capture on the way"),
    (Family.FIRST, "as its first move"),
    (Family.TIMED, "at set moves"),
    (Family.CASTLE, "by castling"),
)
VICTIMS = Passed.VICTIM | Passed.OWN_VICTIM


class Manner(NamedTuple):
    """What is counted of a way: what it needs before all else, and how it may end.

    ``others`` is whether it may end otherwise than by capturing one's own piece.
    """

    family: Family
    moves: bool
    captures: bool
    royal: bool
    passing: bool
    own: bool
    others: bool


# A way, its manner, and all squares of one mark that it ends on.
Ended: TypeAlias = tuple[Way, Manner, list[Offset]]


def summary(marks: Marks) -> str:
    """What the diagram shows, in one sentence; counts are of its squares."""
    alike = marks.alike
    ways = [(way, _manner_of(way), squares) for mark, squares in alike for way in mark.ways]
    besides = [*_besides(ways), *_in_passing(alike)]
    plain = _plain(ways)
    clauses = [*_counted(plain, ways, marks, alone=not besides), *besides]
    clauses += _outside(marks, told=len(plain) == 1 and not besides, shown=bool(clauses))
    if not clauses:
        return "No moves." if not marks.squares else "Never leaves its square."
    if not marks.window.ranks and Remark.FARTHER not in marks.remarks:
        clauses.append(_regularity(marks))
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}."


def _plain(ways: list[Ended]) -> list[tuple[str, set[Offset]]]:
    """Moves and captures that need neither hurdle nor moment: the words, and their squares."""
    plain = [(manner, squares) for _, manner, squares in ways if manner.family in PLAIN]
    moves = _all(squares for manner, squares in plain if manner.moves)
    captures = _all(squares for manner, squares in plain if manner.captures)
    royal = _all(squares for manner, squares in plain if manner.royal)
    passing = _all(squares for manner, squares in plain if manner.passing)
    found = [("moves to", moves), ("captures on", captures)]
    if moves == captures:
        found = [("moves or captures on", moves)]
    # Where anything may be captured, a royal piece or one en passant is no news.
    found.append(("captures only a royal piece on", royal - captures))
    found.append(("captures en passant on", passing - captures))
    return [(words, squares) for words, squares in found if squares]


def _counted(
    plain: list[tuple[str, set[Offset]]], ways: list[Ended], marks: Marks, *, alone: bool
) -> Iterable[str]:
    """The plain clauses; a single one says in what manner, and alone also how far."""
    for words, squares in plain:
        how = beyond = ""
        if len(plain) == 1:
            how = _manner(
                way for way, manner, _ in ways if manner.family in PLAIN and manner.others
            )
            beyond = " and on beyond the diagram" if marks.arrows and alone else ""
        yield f"{words} {_squares(squares)}{beyond}{how}"


def _outside(marks: Marks, *, told: bool, shown: bool) -> Iterable[str]:
    """What ends where no square of the diagram is; ``told`` where arrows need no more words."""
    if marks.arrows and not told:
        yield "goes on beyond the diagram"
    if marks.remarks & Remark.FARTHER:
        yield "leaps farther than the diagram shows"
    if marks.remarks & Remark.WRAPS and marks.window.ranks and not shown:
        yield "goes only where the board wraps round"


def _besides(ways: list[Ended]) -> Iterable[str]:
    found = {manner.family for _, manner, _ in ways}
    for family, words in BESIDES:
        if family in found:
            squares = _all(squares for _, manner, squares in ways if manner.family is family)
            yield f"{_squares(squares)} {words}"
    own = _all(squares for _, manner, squares in ways if manner.own)
    if own:
        yield f"its own side captured on {_squares(own)}"


def _in_passing(alike: Iterable[tuple[Mark, list[Offset]]]) -> Iterable[str]:
    victims = _all(squares for mark, squares in alike if mark.passed & VICTIMS)
    if victims:
        yield f"captures in passing on {_squares(victims)}"


@lru_cache(maxsize=4096)
def _manner_of(way: Way) -> Manner:
    ends = way.ends
    return Manner(
        family_of(way),
        moves=Ends.MOVE in ends,
        captures=Ends.CAPTURE in ends,
        royal=Ends.ROYAL in ends,
        passing=Ends.EN_PASSANT in ends,
        own=Ends.OWN in ends,
        others=bool(ends & ~Ends.OWN),
    )


def _all(groups: Iterable[list[Offset]]) -> set[Offset]:
    return {at for squares in groups for at in squares}


def _squares(squares: set[Offset]) -> str:
    return "1 square" if len(squares) == 1 else f"{len(squares)} squares"


def _manner(ways: Iterable[Way]) -> str:
    """How plain moves are made, when they are all made in one manner."""
    asked = {way.asks for way in ways}
    if asked == {Asks.LEAP}:
        return ", leaping"
    if asked == {Asks(0)}:
        return ", one step"
    if not any(asks & Asks.LEAP for asks in asked):
        return ", without jumping"
    if all(asks & Asks.LEAP for asks in asked):
        return ", by leaps in a row"
    return ", some of them by leaping"


def _regularity(marks: Marks) -> str:
    """What may be done to the picture without changing it."""
    picture = marks.squares
    mirror = all(picture.get((-x, y)) == shown for (x, y), shown in picture.items())
    flip = all(picture.get((x, -y)) == shown for (x, y), shown in picture.items())
    quarter = all(picture.get((y, -x)) == shown for (x, y), shown in picture.items())
    half = all(picture.get((-x, -y)) == shown for (x, y), shown in picture.items())
    match (quarter, mirror, flip, half):
        case (True, True, _, _):
            return "the same on all sides"
        case (True, False, _, _):
            return "the same on all sides, but not mirrored"
        case (_, True, True, _):
            return "left and right alike, forward and back alike"
        case (_, True, _, _):
            return "left and right alike"
        case (_, _, True, _):
            return "forward and back alike"
        case (_, _, _, True):
            return "the same turned half round"
    return "no two sides alike"

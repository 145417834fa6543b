"""alfil against the two oracles, on generated descriptions and boards.

The oracles read and walk the notations on their own (tests/oracle). Where one of them and alfil
disagree on purpose, `AGREED` has the reason; nothing else is let through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, NamedTuple

from hypothesis import assume, event, example, given
from hypothesis import strategies as st

import alfil
from oracle import betza_walker, hasinu_walker
from strategies import (
    TEXT_BYTES,
    Picker,
    betza,
    counted_back,
    examples,
    hasinu,
    misspelled,
    texts,
    unwrapped,
    wrapped,
)
from turning import turned

Square = tuple[int, int]
Squares = frozenset[Square]


@dataclass(frozen=True, slots=True)
class Position:
    """A board seen by the mover, which stands on ``at``; all other squares are offsets from it.

    The sets are disjoint. ``trail`` maps empty squares to the enemies that en passant takes there.
    ``moves_made`` is None for many.
    """

    files: int
    ranks: int
    at: Square
    enemies: Squares = frozenset()
    friends: Squares = frozenset()
    royals: Squares = frozenset()
    unmoved_friends: Squares = frozenset()
    trail: dict[Square, Square] = field(default_factory=dict)
    moves_made: int | None = None

    def around(self, en_passant: object) -> dict[str, Any]:
        """What stands around, and the past, as arguments of `alfil.moves`."""
        return {
            "enemies": self.enemies,
            "friends": self.friends,
            "enemy_royals": self.royals,
            "unmoved_friends": self.unmoved_friends,
            "en_passant": en_passant,
            "unmoved": self.moves_made == 0,
            "moves_made": self.moves_made,
        }


@dataclass(frozen=True, slots=True)
class Case:
    """A description and boards to try it on."""

    text: str
    positions: tuple[Position, ...]


SIDES = ("enemies", "friends", "royals", "unmoved_friends")
BOARD_BYTES = 96


def cases(
    spell: Callable[[Picker], str], boards: int, *, one_size: bool = False, plain: bool = False
) -> st.SearchStrategy[Case]:
    """A text and so many boards for it, of ``one_size`` or of various sizes, all from one draw.

    On ``plain`` boards there are just enemies and friends.
    """

    def make(drawn: bytes) -> Case:
        ends = range(TEXT_BYTES, len(drawn), BOARD_BYTES)
        pickers = [Picker(drawn[end : end + BOARD_BYTES]) for end in ends]
        sizes = [size(picker) for picker in pickers]
        kinds = SIDES[:2] if plain else (*SIDES[:2], *SIDES)
        return Case(
            spell(Picker(drawn[:TEXT_BYTES])),
            tuple(
                position(picker, sizes[0] if one_size else each, kinds)
                for picker, each in zip(pickers, sizes, strict=True)
            ),
        )

    length = TEXT_BYTES + boards * BOARD_BYTES
    return st.binary(min_size=length, max_size=length).map(make)


def size(picker: Picker) -> tuple[int, int]:
    """Files and ranks, 3 to 9."""
    return 3 + picker.number(6), 3 + picker.number(6)


def position(picker: Picker, size: tuple[int, int], kinds: tuple[str, ...]) -> Position:
    """A board of this size with a piece of some kind on none to a half of its squares."""
    files, ranks = size
    at = (picker.number(files - 1), picker.number(ranks - 1))
    moves_made = picker.pick((None, 0, 0, 1, 2))
    inset = picker.pick((None, None, None, 0, 1))
    trail_picks = [picker.byte() for _ in range(picker.number(2))]
    occupied = picker.pick((0, 26, 64, 128))
    standing: dict[Square, str] = {}
    for index in range(files * ranks):
        byte = picker.byte()
        if byte >= 256 - occupied:
            square = (index % files - at[0], index // files - at[1])
            standing[square] = kinds[byte % len(kinds)]
    standing.pop((0, 0), None)
    trail: dict[Square, Square] = {}
    if "unmoved_friends" in kinds:
        put_castling_partners(standing, files, at, inset)
        trail = leave_trail(standing, size, at, trail_picks)
    sides = {side: frozenset(at for at in standing if standing[at] == side) for side in SIDES}
    return Position(files, ranks, at, trail=trail, moves_made=moves_made, **sides)


def put_castling_partners(
    standing: dict[Square, str], files: int, at: Square, inset: int | None
) -> None:
    """Clear the piece's own rank but for a partner at each end, so many files in from the edge."""
    if inset is None:
        return
    for file in range(files):
        standing.pop((file - at[0], 0), None)
    for file in {inset, files - 1 - inset} - {at[0]}:
        standing[file - at[0], 0] = "unmoved_friends"


def leave_trail(
    standing: dict[Square, str], size: tuple[int, int], at: Square, picks: list[int]
) -> dict[Square, Square]:
    """Empty squares that enemies have just run over; each stands one square nearer to the mover."""
    trail: dict[Square, Square] = {}
    for pick in picks:
        file, rank = pick % size[0], pick // size[0] % size[1]
        square, victim = (file - at[0], rank - at[1]), (file - at[0], rank - at[1] - 1)
        free = square not in standing and victim not in trail and (0, 0) not in (square, victim)
        if free and rank > 0:
            standing[victim] = "enemies"
            trail[square] = victim
    return trail


class Reach(NamedTuple):
    """What both sides tell of a move."""

    to: Square
    captures: Squares
    hurdles: Squares = frozenset()


def betza_oracle(text: str, on: Position) -> frozenset[Reach]:
    board = betza_walker.Board(
        width=on.files,
        height=on.ranks,
        at=on.at,
        enemies=on.enemies,
        friends=on.friends,
        royals=on.royals,
        unmoved_friends=on.unmoved_friends,
        unmoved=on.moves_made == 0,
        trail=frozenset(on.trail),
    )
    found = betza_walker.moves(text, board)
    return frozenset(Reach(move.to, move.captures, move.hurdles) for move in found)


def hasinu_oracle(text: str, on: Position) -> frozenset[Reach]:
    board = hasinu_walker.Board(on.files, on.ranks, on.at, on.enemies, on.friends, on.moves_made)
    return frozenset(Reach(move.to, move.captures) for move in hasinu_walker.moves(text, board))


class Notation(NamedTuple):
    """How to spell, walk and refuse one notation, and what its boards hold."""

    name: str
    oracle: Callable[[str, Position], frozenset[Reach]]
    unreadable: tuple[type[Exception], ...]


BETZA = Notation("betza", betza_oracle, (betza_walker.Unreadable,))
HASINU = Notation("hasinu", hasinu_oracle, (hasinu_walker.Unreadable, hasinu_walker.Refused))


class Difference(NamedTuple):
    """Texts that alfil refuses and an oracle takes: the kind of the error, a pattern, why."""

    kind: str
    pattern: str
    reason: str


AGREED = (
    Difference(
        "no-such-bend",
        r"[zq]",
        "z or q that lets none of a leg's letters through: alfil says so, the oracle finds no way",
    ),
    Difference(
        "bend-without-room",
        r"[zq][a-z]*([A-Z][XY]*|\(\d+,\d+\)[XY]*)1",
        "z and q on a range of 1 never bend: alfil says so, the oracle walks the one step",
    ),
    Difference(
        "too-many-states",
        r"a.*i.*a?.*[KRBQ]",
        "exactly as long as an earlier run: alfil counts in states, which have a limit; the oracle "
        "counts on the board it is given",
    ),
    Difference(
        "too-many-states",
        r"\d\d.*\(",
        "a doubled digit makes dozens of rounds; the same limit",
    ),
    Difference(
        "too-many-states",
        r"j\(.*[0-9]\)",
        "ways back over pieces that count once: alfil knows the squares in its states",
    ),
    Difference(
        "never-legal",
        r"at(move|action).*at(move|action)",
        "two counts of its own moves that never hold together: alfil says so, the oracle has none",
    ),
)


@lru_cache(maxsize=1024)
def piece(text: str, notation: str) -> alfil.Piece:
    return alfil.read(text, notation=notation)


def accepted(text: str, notation: Notation) -> str:
    """ "yes", or the kind of the error."""
    try:
        bool(piece(text, notation.name).meaning)
    except alfil.AlfilError as error:
        return error.kind
    return "yes"


def known_to(text: str, notation: Notation) -> bool:
    """Whether the oracle takes the text, which does not depend on the board."""
    try:
        notation.oracle(text, Position(3, 3, (1, 1)))
    except notation.unreadable:
        return False
    return True


def moves_on(
    board: Position, of: alfil.Piece, en_passant: dict[Square, Square] | Squares
) -> frozenset[alfil.PieceMove]:
    around = board.around(en_passant)
    return frozenset(alfil.moves(of, files=board.files, ranks=board.ranks, at=board.at, **around))


def check_moves(case: Case, notation: Notation) -> None:
    """Every move is the oracle's, and every move of the oracle's is there."""
    assume(accepted(case.text, notation) == "yes" and known_to(case.text, notation))
    for board in case.positions:
        expected = notation.oracle(case.text, board)
        found = reaches(moves_on(board, piece(case.text, notation.name), frozenset(board.trail)))
        if notation is HASINU:
            found = frozenset(reach._replace(hurdles=frozenset()) for reach in found)
        note_reached(case.text, expected)
        assert (found - expected, expected - found) == (set(), set()), board


def reaches(moves: Iterable[alfil.PieceMove]) -> frozenset[Reach]:
    return frozenset(
        Reach(move.to, frozenset(move.captures), frozenset(move.hurdles)) for move in moves
    )


FORMS = {"a": "chain", "[": "bracket", "(a": "repeat", "&t": "turn", "&": "terms", "n(": "loop"}


def note_reached(text: str, moves: frozenset[Reach]) -> None:
    """Show with --hypothesis-show-statistics what was generated and what came of it."""
    for mark, name in FORMS.items():
        if mark in text:
            event(f"with a {name}")
    event("moves" if moves else "no moves")
    if any(move.captures - {move.to} for move in moves):
        event("captures on the way")
    if any(move.hurdles for move in moves):
        event("hops")
    if any(move.to == (0, 0) for move in moves):
        event("ends where it began")


def check_tables(case: Case, notation: Notation) -> None:
    """The tables of both sides hold the moves that are walked, with all that belongs to them."""
    assume(accepted(case.text, notation) == "yes")
    of, first = piece(case.text, notation.name), case.positions[0]
    for second in (False, True):
        table = alfil.compile(of, files=first.files, ranks=first.ranks, second=second)
        event("a trie" if any(section.trie for section in table.sections) else "no trie")
        for board in case.positions:
            at, around = board.at, board.around(board.trail)
            if second:
                at, around = (board.files - 1 - at[0], board.ranks - 1 - at[1]), turned(around)
            found = frozenset(table.moves(at, **around))
            walked = moves_on(board, of, board.trail)
            found = turned(found) if second else found
            assert (found - walked, walked - found) == (set(), set()), (second, board)


def check_readable(text: str, notation: Notation) -> None:
    """Both read the text or both refuse it, but for what is agreed."""
    answer, known = accepted(text, notation), known_to(text, notation)
    event(f"oracle {'reads' if known else 'refuses'}, alfil {answer}")
    agreed = any(each.kind == answer and re.search(each.pattern, text) for each in AGREED)
    assert known == (answer == "yes") or (known and agreed), answer


# What the oracle knows nothing of: pieces of several squares are compared in test_bodies.
LARGE = "sz("
RUN_PAST = Position(3, 3, (1, 1), enemies=frozenset({(-1, 0)}), trail={(-1, 1): (-1, 0)})


@examples(100)
@given(cases(unwrapped, 3))
@example(Case("laipR", (Position(3, 6, (2, 0), friends=frozenset({(-1, 3)})),)))
@example(Case("laigR", (Position(3, 6, (2, 0), friends=frozenset({(-1, 3)})),)))
# The second leg may end on a square from which no turn of the third one leads on.
@example(Case("lR2tiFtlzK", (Position(4, 3, (3, 2), friends=frozenset({(-2, 0)})),)))
def test_betza_moves(case: Case) -> None:
    check_moves(case, BETZA)


@examples(100)
@given(cases(wrapped, 3))
@example(Case("oR", (Position(5, 5, (2, 2)),)))
@example(Case("aoR", (Position(4, 4, (1, 2)),)))
@example(Case("[N-oR]", (Position(4, 5, (1, 2)),)))
@example(Case("fj(1,1)*", (Position(3, 3, (0, 0)), Position(7, 8, (0, 0)))))
@example(Case("flooF*", (Position(3, 4, (0, 0)),)))
@example(Case("(aof)W", (Position(4, 5, (1, 2)),)))
def test_betza_moves_on_wrapped_boards(case: Case) -> None:
    check_moves(case, BETZA)


@examples(90)
@given(cases(hasinu, 3, plain=True))
@example(Case("rpg(n1dN,G) & rpg(2×1dN,G)", (Position(1, 8, (0, 0)),)))
def test_hasinu_moves(case: Case) -> None:
    assume(LARGE not in case.text)
    check_moves(case, HASINU)


def crossed(*friends: Square) -> tuple[Position]:
    return (Position(7, 7, (3, 3), friends=frozenset(friends)),)


@examples(60)
@given(cases(counted_back, 2, plain=True))
@example(Case("j(2×4dO &t180° 2×4dO,1) &t45° 1×8d", crossed((0, 1), (1, 0), (0, -1), (-1, 0))))
@example(Case("j(3×1dN &t180° 2×1dS,1)", crossed((0, 2))))
@example(Case("j(n4dO &t180° n4dO,2)", crossed((0, 1), (0, 3), (1, 0))))
@example(Case("j(4(1×8d),1)", crossed((1, 0), (2, 1), (0, 1))))
@example(Case("i(j(n(1×8d),1))", crossed((1, 0), (2, 1), (0, 1))))
def test_a_piece_that_is_jumped_over_twice_counts_once(case: Case) -> None:
    check_moves(case, HASINU)


@examples(60)
@given(cases(unwrapped, 3, one_size=True))
@example(Case("eaF", (RUN_PAST,)))
@example(Case("eaB", (RUN_PAST,)))
def test_betza_tables(case: Case) -> None:
    check_tables(case, BETZA)


@examples(100)
@given(cases(hasinu, 3, one_size=True))
def test_hasinu_tables(case: Case) -> None:
    assume(LARGE not in case.text)
    check_tables(case, HASINU)


@examples(30)
@given(cases(counted_back, 2, one_size=True))
def test_tables_of_counted_jumps(case: Case) -> None:
    check_tables(case, HASINU)


BETZA_SIGNS = "WFNRBQKDZCAHGLJfblrvshmcdkpgnjeiozqaty()[]-?0123,*XYUO"
HASINU_SIGNS = "nd×x&t°NESWOD-+,(){}[]abfgmcjiF. "


@examples(200)
@given(texts(betza) | texts(misspelled(betza, BETZA_SIGNS)))
def test_betza_is_readable(text: str) -> None:
    check_readable(text, BETZA)


@examples(200)
@given(texts(hasinu) | texts(misspelled(hasinu, HASINU_SIGNS)))
def test_hasinu_is_readable(text: str) -> None:
    # The oracle knows no more Betza than the strategy spells.
    assume("\\" not in text)
    check_readable(text, HASINU)


COMPARED = 50
NARROWED = [
    f"{outer}({inner}({move}{end}))"
    for outer in ("m", "c", "rpg", "group(c,m)", "group(m,c)")
    for inner in ("rpg", "group(rpg,m)", "group(rpg,c)", "m", "c")
    for move in ("n1dN", "2×1dN", "n(1,2)b", "n1dN & {2,3}×1dE")
    for end in ("", ",FE", ",F", ",G", ",FE,G")
    if ("rpg" in outer + inner) > ("rpg" in outer and "rpg" in inner)
    and not (end and inner != "rpg")
]


def test_what_captures_on_its_way_does_so_under_m_and_c() -> None:
    """m captures nothing, on the way neither; c captures something, there or at the end."""
    around = [
        {(0, 1): one, (0, 2): two, (0, 3): three, (1, 2): one, (2, 4): two, (1, 0): three}
        for one, two, three in product(("", "enemies", "friends"), repeat=3)
    ]
    compared = 0
    for text in NARROWED:
        taken = accepted(text, HASINU) == "yes"
        assert taken == known_to(text, HASINU), text
        compared += taken
        for standing in around if taken else ():
            sides = {
                side: frozenset(at for at in standing if standing[at] == side) for side in SIDES
            }
            board = Position(4, 6, (0, 0), **sides)
            found = reaches(moves_on(board, piece(text, "hasinu"), ()))
            assert found == HASINU.oracle(text, board), (text, board)
    assert compared > COMPARED


AREAS = [
    f"{function}INF({x},{y}{how}){')' if function else ''}"
    for function in ("", "m(", "c(", "nj(")
    for x, y in ((2, 2), (2, 1), (0, 2), (3, 2), (1, 1))
    for how in ("", ",leaps", ",steps", ",lion")
    if not (function == "nj(" and how == ",lion")
]


def test_an_area_is_reached_by_leaps_by_steps_or_as_a_lion() -> None:
    """On boards that are crowded enough to shut the piece in, and to capture all around."""
    random = Random(27)
    square = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0)]
    for text in AREAS:
        for count in range(12):
            standing = random.sample(square, 2 * count)
            enemies, friends = frozenset(standing[:count]), frozenset(standing[count:])
            board = Position(5, 5, (2, 2), enemies, friends)
            found = reaches(moves_on(board, piece(text, "hasinu"), ()))
            assert found == HASINU.oracle(text, board), (text, board)

"""The bundled sets: every piece compiles, is told apart from the others, and moves as it should.

What a piece should do comes from tests/cases/: moves written by hand as vectors
(pieces_by_hand.tsv), boards drawn by hand (pieces_drawn.txt), and the published vectors of
taikyoku shogi. The three are read here without alfil.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

import alfil
from alfil.library.library import all_set_names  # the catalogue is no set of `bundled_set_names`
from boards import rows
from gathering import every_row
from inside import bundled_set_names
from test_taikyoku import RAYS, spelled

CASES = Path(__file__).parent / "cases"
SETS = bundled_set_names()
Offset = tuple[int, int]

# Names are written small, but for what English writes with capitals anywhere.
NAME = re.compile(r"[a-z0-9]+('s)?([- ][a-z0-9]+('s?)?)*( \([a-z ]+\))?")
CAPITALISED = [
    "Argentinian",
    "Berlin",
    "Berolina",
    "Buddhist",
    "Burmese",
    "Cazaux",
    "Chinese",
    "Congo",
    "Korean",
    "Murray",
    "New~Zealand",
    "Seirawan",
    "Spartan",
    "Teutonic",
]
PROPER = re.compile(rf"\b(?:{'|'.join(CAPITALISED).replace('~', ' ')})\b")


@cache
def load(name: str) -> alfil.Library:
    """A set, read once."""
    return alfil.load(name)


def test_the_sets_are_these() -> None:
    promised = {
        "hand_shogi",
        "shogi",
        "minishogi",
        "chess",
        "xiangqi",
        "fairy",
        "taikyoku",
        "hasinu_page",
    }
    more = {
        "amazons",
        "antichess",
        "atomic",
        "ataxx",
        "clobber",
        "duck",
        "extinction",
        "cambodian",
        "capablanca",
        "chess960",
        "chu",
        "crazyhouse",
        "gorogoro",
        "dai",
        "dobutsu",
        "grand",
        "horde",
        "janggi",
        "judkins",
        "king_of_the_hill",
        "los_alamos",
        "makruk",
        "othello",
        "placement",
        "racing_kings",
        "seirawan",
        "sittuyin",
        "three_check",
        "tori",
        "wa",
        "yari",
        *("dai_dai", "maka_dai_dai", "shatranj", "tai", "tenjiku"),
    }
    assert set(SETS) == promised | more


@pytest.mark.parametrize("name", SETS)
def test_every_entry_compiles_and_both_notations_agree(name: str) -> None:
    library = load(name)
    assert library.diagnostics == ()
    for entry in library.pieces:
        # What is only put down has no moves to mean anything.
        assert entry.piece.meaning or not entry.piece.text, entry.code
        assert {piece.diagnostics for piece in entry.movements} == {()}, entry.code
        notations = [piece.notation for piece in entry.movements]
        assert notations in (["betza"], ["betza", "hasinu"], ["hasinu"]), entry.code
        if len(entry.movements) > 1:
            assert alfil.same(*entry.movements, facts=False), entry.code


def crowded(piece: alfil.Piece) -> frozenset[tuple[object, ...]]:
    """The moves among enemies on every other square, which tell hoppers apart."""
    enemies = {(x, y) for x in range(-6, 7, 2) for y in range(-6, 7, 2)} - {(0, 0)}
    found = alfil.moves(piece, radius=6, enemies=enemies)
    return frozenset((move.to, frozenset(move.captures), move.hurdles) for move in found)


def test_what_is_kept_of_a_set_is_what_its_file_says() -> None:
    for name in SETS:
        # A text is read every time.
        found = load(name)
        told = alfil.loads(found.source.text, name=found.source.name)
        assert replace(told, name=name) == found
        for kept, entry in zip(found.pieces, told.pieces, strict=True):
            assert (kept.source, kept.span, kept.name_spans) == (
                entry.source,
                entry.span,
                entry.name_spans,
            )
            movements = zip(kept.movements, entry.movements, strict=True)
            assert all((a.source, a.diagnostics) == (b.source, b.diagnostics) for a, b in movements)


@pytest.mark.parametrize("name", SETS)
def test_pieces_are_unique_or_say_of_which_they_are_namesakes(name: str) -> None:
    library = load(name)
    # Two pieces that promotion makes alike are meant to be alike in hand shogi's own file.
    promoted = {code for entry in library.pieces for code in entry.promotes}
    for entry in library.pieces:
        if entry.same_as:
            first = library[entry.same_as]
            assert not first.same_as, entry.code
            assert alfil.same(entry.piece, first.piece), entry.code
    seen = {
        entry.code: (alfil.destinations(entry.piece, 8), crowded(entry.piece))
        for entry in library.pieces
        if not entry.same_as and entry.code not in promoted
    }
    for one, other in combinations(seen, 2):
        if seen[one] == seen[other]:
            assert not alfil.same(library[one].piece, library[other].piece), (one, other)


@pytest.mark.parametrize("name", SETS)
def test_names_and_codes_are_unique_and_well_formed(name: str) -> None:
    pieces = load(name).pieces
    names = [each for entry in pieces for each in (entry.name, *entry.also)]
    assert len({each.replace("-", " ") for each in names}) == len(names)
    lowered = [PROPER.sub(lambda word: word[0].lower(), each) for each in names]
    assert [each for each in lowered if not NAME.fullmatch(each)] == []
    assert len({entry.code for entry in pieces}) == len(pieces)


def test_names_have_capitals_where_english_has() -> None:
    entries = [entry for name in all_set_names() for entry in load(name).pieces]
    names = [each for entry in entries for each in (entry.name, *entry.also)]
    without = re.compile(PROPER.pattern.lower())
    assert [each for each in names if without.search(each)] == []


def test_fairy_pieces_are_many() -> None:
    pieces = load("fairy").pieces
    assert len(pieces) >= 300
    assert len([entry for entry in pieces if not entry.same_as]) >= 300
    assert len([entry for entry in pieces if len(entry.movements) == 2]) >= 250


# Its file is given by its own rules, in Betza.
@pytest.mark.parametrize("name", sorted(set(SETS) - {"hand_shogi"}))
def test_where_hasinu_is_missing_it_cannot_say_the_piece(name: str) -> None:
    for entry in load(name).pieces:
        if len(entry.movements) == 1 and entry.movements[0].notation == "betza":
            # What it says with a note only, as by INF, is no text for a file.
            with suppress(alfil.TranslationLoss):
                text = alfil.translate(entry.piece, write="hasinu").text
                assert alfil.read(text, "hasinu").diagnostics, entry.code


def test_every_group_of_fairy_pieces_says_where_it_comes_from() -> None:
    blocks = (
        (Path(__file__).parents[1] / "pieces" / "fairy.pieces").read_text("utf-8").split("\n\n")
    )
    assert all(block.startswith("#") for block in blocks)
    assert len(blocks) > 25


def test_the_documentation_counts_right() -> None:
    text = (Path(__file__).parents[1] / "docs" / "pieces.md").read_text("utf-8")
    table = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \|", text, re.MULTILINE)
    counted = []
    for name in SETS:
        pieces = load(name).pieces
        own = [entry for entry in pieces if not entry.same_as]
        both = [entry for entry in pieces if len(entry.movements) == 2]
        counted.append((name, str(len(pieces)), str(len(own)), str(len(both))))
    assert sorted(table) == counted


# --- vectors by hand


class Ride:
    """One vector of a table: how often it may be repeated, 1 for a single leap, 0 for no limit."""

    def __init__(self, vector: Offset, limit: int) -> None:
        self.vector, self.limit = vector, limit


TERM = re.compile(r"(-?\d+),(-?\d+)([*|]?)(\+?)(\d*)")


def rides(text: str) -> Iterator[Ride]:
    """The moves column: ``*`` all images, ``|`` mirrored too, ``+`` repeated, ``+3`` at most so."""
    for term in text.split():
        match = TERM.fullmatch(term)
        assert match, term
        x, y, images, repeated, most = match.groups()
        dx, dy = int(x), int(y)
        vectors = {(dx, dy)}
        if images:
            vectors |= {(-dx, dy)}
        if images == "*":
            vectors |= {(a, -b) for a, b in vectors}
            vectors |= {(b, a) for a, b in vectors}
        for vector in sorted(vectors):
            yield Ride(vector, (int(most or 0) if repeated else 1))


def reached(text: str, radius: int, own: set[Offset], enemy: set[Offset]) -> set[Offset]:
    """Where the rides go: on to an enemy and no further, never onto the own side."""
    found = set()
    for ride in rides(text):
        (dx, dy), step = ride.vector, 1
        while ride.limit == 0 or step <= ride.limit:
            at = (dx * step, dy * step)
            if max(map(abs, at)) > radius or at in own:
                break
            found.add(at)
            if at in enemy:
                break
            step += 1
    return found


RADIUS = 16
AROUND = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}
SECOND = {(x, y) for x in range(-16, 17, 2) for y in range(-16, 17, 2)} - {(0, 0)}
BY_HAND = [cells for _, cells in rows("pieces_by_hand.tsv")]


@every_row("name, piece, text", BY_HAND)
def test_moves_are_those_written_by_hand(name: str, piece: str, text: str) -> None:
    movement = load(name)[piece].piece
    for own, enemy in ((set(), set()), (AROUND, set()), (set(), SECOND), (SECOND, AROUND)):
        moves = alfil.moves(movement, radius=RADIUS, friends=own, enemies=enemy)
        assert {move.to for move in moves} == reached(text, RADIUS, own, enemy)
        assert {move.to for move in moves if move.captures} == {
            at for at in reached(text, RADIUS, own, enemy) if at in enemy
        }


def test_the_hand_has_written_enough() -> None:
    names = [(name, piece) for name, piece, _ in BY_HAND]
    assert len(set(names)) == len(names)
    assert len([each for each in names if each[0] == "fairy"]) >= 60
    whole = {piece for name, piece, _ in BY_HAND if name == "hand_shogi"}
    assert whole == {entry.name for entry in load("hand_shogi").pieces}


# --- drawn boards


def drawings() -> list[tuple[str, str, list[str]]]:
    """Set, piece and the rows of each board."""
    text = (CASES / "pieces_drawn.txt").read_text("utf-8")
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            name, piece = lines[0].split(" ", 1)
            found.append((name, piece, [line.replace(" ", "") for line in lines[1:]]))
    return found


@pytest.mark.parametrize(("name", "piece", "board"), drawings(), ids=str)
def test_moves_are_those_drawn(name: str, piece: str, board: list[str]) -> None:
    assert len({len(line) for line in board}) == 1
    squares: dict[str, set[Offset]] = {sign: set() for sign in "@*.xceo"}
    for rank, line in enumerate(reversed(board)):
        for file, sign in enumerate(line):
            squares[sign].add((file, rank))
    ((x, y),) = squares["@"]
    offsets = {sign: {(a - x, b - y) for a, b in found} for sign, found in squares.items()}
    moves = alfil.moves(
        load(name)[piece].piece,
        files=len(board[0]),
        ranks=len(board),
        at=(x, y),
        friends=offsets["o"],
        enemies=offsets["x"] | offsets["c"] | offsets["e"],
    )
    assert {move.to for move in moves} - {(0, 0)} == offsets["*"] | offsets["x"]
    landed = {move.to for move in moves if move.to in move.captures}
    assert landed == offsets["x"]
    assert {at for move in moves for at in move.captures} - landed == offsets["c"]


# --- taikyoku shogi


Row = tuple[str, str, dict[str, int], set[Offset]]


def vectors() -> list[Row]:
    """Name, characters, ranges by ray and leaps of each row of the published table."""
    found = []
    for _, (_, _, name, kanji, _, table) in rows("taikyoku_pieces.tsv"):
        limits: dict[str, list[int]] = {}
        leaps = set()
        for kind, dx, dy, limit in json.loads(table):
            if kind == "jump":
                assert limit == 1
                leaps.add((dx, dy))
            else:
                limits.setdefault(RAYS[dx, dy], []).append(limit)
        found.append(
            (
                name,
                kanji,
                {ray: 0 if 0 in each else max(each) for ray, each in limits.items()},
                leaps,
            )
        )
    return found


# Names that are spelled otherwise in the file, and rows of one name in the order of the table.
SPELLED = {
    "BurningChariot": "burning chariot",
    "CrossbowSoldier": "crossbow soldier",
    "GreatWhale": "great whale",
    "RaidingFalcon": "raiding falcon",
    "WizardStork": "wizard stork",
    "Right Icon Chariot": "right iron chariot",
    "Turtle Snake": "turtle-snake",
    "Vermillion Sparrow": "vermilion sparrow",
}
# The table has two rows of these names; those that are left out are no pieces of the game.
TWICE = {
    "Earth Dragon": ["earth dragon", ""],
    "Treacherous Fox": ["", "treacherous fox"],
}


def named() -> list[tuple[str, Row]]:
    """Each row with the name that its piece has in the file."""
    twice = {name: list(names) for name, names in TWICE.items()}
    found = []
    for row in vectors():
        name = row[0]
        own = twice[name].pop(0) if name in twice else SPELLED.get(name, name.lower())
        found += [(own, row)] if own else []
    return found


# The page from which the game is, and the table, have one piece under several names; where they
# differ, the reading `vectors` has the table. The second table agrees with it about these.
SECOND_TABLE = {
    *("free chicken", "left general", "right general", "right chariot", "running ox"),
    "woodland demon",
}
# The second table has other pieces yet, which neither of the two others has.
ALONE = {
    *("angry boar", "left iron chariot", "longbow general", "longbow soldier", "mountain witch"),
    *("right iron chariot", "swallow's wings", "wind dragon"),
}


@every_row("name, row", named())
def test_taikyoku_moves_are_the_published_vectors(name: str, row: Row) -> None:
    _, _, table, leaps = row
    entry = load("taikyoku@vectors")[name]
    if not leaps:
        assert alfil.same(entry.piece, spelled(table), facts=False)
    slides = {
        ray: {(dx * step, dy * step) for step in range(1, (table[ray] or RADIUS) + 1)}
        for (dx, dy), ray in RAYS.items()
        if ray in table
    }
    assert alfil.destinations(entry.piece, RADIUS) == set().union(leaps, *slides.values())
    # Behind the own side there are only leaps.
    blocked = {move.to for move in alfil.moves(entry.piece, radius=4, friends=AROUND)}
    assert blocked == leaps


def test_taikyoku_differs_from_two_tables_as_its_page_says() -> None:
    """18 of 144 pieces of the first table, 14 of 186 of the second."""
    own, vectors_reading = load("taikyoku"), load("taikyoku@vectors")
    first = {name for name, _ in named()}
    differing = {
        name
        for name in first
        if not alfil.same(own[name].piece, vectors_reading[name].piece, facts=False)
    }
    assert (len(first), len(differing)) == (144, 18)
    compared, second = set(), set()
    for _, (_, name, _, steps, _) in rows("taikyoku_independent.tsv"):
        entry = own.piece_called(SPELLED.get(name, name))
        if entry:
            compared.add(entry.name)
            table = {RAYS[x, y]: limit for x, y, limit in json.loads(steps)}
            if not alfil.same(entry.piece, spelled(table), facts=False):
                second.add(entry.name)
    assert second == SECOND_TABLE | ALONE
    assert second & differing == SECOND_TABLE | {"mountain witch", "right iron chariot"}
    assert len(compared) == 186


def test_taikyoku_has_its_pieces_where_two_programs_have_them() -> None:
    library = load("taikyoku")
    own = {each.square: each.code for each in library.setup if each.side == 0}
    assert len(library.setup) == 804
    assert len({*own.values()}) == 209
    # The king stands left of the middle; the row of dogs and go-betweens is before the pawns.
    assert (own[17, 0], own[18, 0]) == ("K", "CP")
    assert {file: code for (file, rank), code in own.items() if rank == 11} == {
        **dict.fromkeys((5, 14, 21, 30), "D"),
        **dict.fromkeys((10, 25), "GB"),
    }
    promoting = [entry for entry in library.pieces if entry.promotes]
    assert len(promoting) == 209 - 14
    assert {entry.name for entry in library.pieces if entry.royal} == {
        *("king", "crown prince", "promoted crown prince", "promoted drunken elephant"),
    }

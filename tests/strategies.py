"""Hypothesis strategies: descriptions spelled from the two grammars, and boards around a piece.

Most texts are well formed: whatever a leg can take is looked up before it is drawn. What is left to
chance (letters that meet across a bracket, an end of a path in no direction) is refused now and
then, by alfil and by the oracles alike. Sizes are small, for the oracles walk every path.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[str]], str]
Square = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Position:
    """A board seen by the mover, which stands on ``at``; all other squares are offsets from it.

    The sets are disjoint. ``trail`` maps empty squares to the enemies that en passant takes there.
    ``moves_made`` is None for many.
    """

    files: int
    ranks: int
    at: Square
    enemies: frozenset[Square] = frozenset()
    friends: frozenset[Square] = frozenset()
    royals: frozenset[Square] = frozenset()
    unmoved_friends: frozenset[Square] = frozenset()
    trail: dict[Square, Square] = field(default_factory=dict)
    moves_made: int | None = None


# What stands on a square, picked by the remainder of a drawn byte.
STANDING = ("enemies", "friends", "royals", "enemies", "friends", "unmoved_friends")


@st.composite
def positions(
    draw: st.DrawFn, size: tuple[int, int] | None = None, *, royals: bool = True
) -> Position:
    """A board of 3 to 9 files and ranks, or of the given size; 0 to a half of it is occupied.

    Without ``royals`` there are plain enemies and friends only.
    """
    files, ranks = size or draw(sizes())
    at = (draw(st.integers(0, files - 1)), draw(st.integers(0, ranks - 1)))
    rate = draw(st.sampled_from([0, 26, 64, 128]))
    bytes_ = draw(st.binary(min_size=files * ranks, max_size=files * ranks))
    standing: dict[Square, str] = {}
    for index, byte in enumerate(bytes_):
        if byte >= 256 - rate:
            square = (index % files - at[0], index // files - at[1])
            standing[square] = STANDING[byte % (6 if royals else 2)]
    standing.pop((0, 0), None)
    trail: dict[Square, Square] = {}
    if royals:
        _castling_partners(standing, files, at, draw(st.sampled_from([None, None, None, 0, 1])))
        trail = _trail(standing, (files, ranks), at, draw(st.lists(st.integers(0, 80), max_size=2)))
    return Position(
        files,
        ranks,
        at,
        trail=trail,
        moves_made=draw(st.sampled_from([None, 0, 0, 1, 2])),
        **{name: frozenset(sq for sq in standing if standing[sq] == name) for name in NAMES},
    )


NAMES = ("enemies", "friends", "royals", "unmoved_friends")


def sizes() -> st.SearchStrategy[tuple[int, int]]:
    """Files and ranks of a board."""
    return st.tuples(st.integers(3, 9), st.integers(3, 9))


def _castling_partners(
    standing: dict[Square, str], files: int, at: Square, inset: int | None
) -> None:
    """Clear the piece's own rank but for a partner at each end, so many files in from the edge."""
    if inset is None:
        return
    for file in range(files):
        standing.pop((file - at[0], 0), None)
    for file in {inset, files - 1 - inset} - {at[0]}:
        standing[file - at[0], 0] = "unmoved_friends"


def _trail(
    standing: dict[Square, str], size: tuple[int, int], at: Square, picks: list[int]
) -> dict[Square, Square]:
    """Empty squares that enemies have just run over; each stands one square nearer to the mover."""
    trail: dict[Square, Square] = {}
    for pick in picks:
        file, rank = pick % size[0], pick // size[0]
        square, victim = (file - at[0], rank - at[1]), (file - at[0], rank - at[1] - 1)
        free = square not in standing and victim not in trail and (0, 0) not in (square, victim)
        if free and 0 < rank < size[1]:
            standing[victim] = "enemies"
            trail[square] = victim
    return trail


class Atom(NamedTuple):
    """An atom with its class, W F N or K, and its range: whether it is unlimited, a king's step."""

    text: str
    family: str
    slides: bool = False
    unit: bool = False


ATOMS = (
    Atom("W", "W", unit=True),
    Atom("F", "F", unit=True),
    Atom("K", "K", unit=True),
    Atom("N", "N"),
    Atom("R", "W", slides=True, unit=True),
    Atom("B", "F", slides=True, unit=True),
    Atom("Q", "K", slides=True, unit=True),
    *(Atom(text, "W") for text in ("D", "H", "(0,2)", "(4,0)", "WX")),
    *(Atom(text, "F") for text in ("A", "G", "(2,2)", "AY")),
    *(Atom(text, "N") for text in ("C", "Z", "L", "J", "(2,1)", "(1,4)", "FX", "NY", "(4,2)")),
    Atom("(0,1)", "W", unit=True),
    Atom("(1,1)", "F", unit=True),
)
# The usual atoms come up as often as all the rest together.
atoms = st.sampled_from(ATOMS[:7] * 2 + ATOMS)

# Direction runs that every class of atom reads, then those of the classes.
ANYWHERE = (*"fblrvs", "fl", "fr", "bs", "fs", "ff", "rf", "lf", "fb", "lr", "bl", "lv", "rv")
LONGER = ("frl", "ffs", "flbr", "ffl", "bbfr", "llrr", "fflbb")
HALVES = ("fh", "bh", "lh", "rh", "fhb", "lhbr")
RUNS = {
    "W": (*ANYWHERE, *LONGER, "vs", "fv", "sf"),
    "F": (*ANYWHERE, *LONGER, *HALVES, "vv"),
    "N": (*ANYWHERE, *LONGER, *HALVES, "hr", "hl", "hrfl"),
    "K": (*ANYWHERE, *LONGER, *HALVES, "ss"),
}
# Runs for a later leg whose atom keeps the kind of line, changes it, or may meet either.
SAME_LINE = (*"fblrvs", "ff", "fb", "frl", "fh", "bh")
OTHER_LINE = ("fs", "fl", "fr", "bs", "bl", "br", "lv", "rv", "rf", "fh", "lh")
EITHER_LINE = ("fh", "bh", "lh", "rh")

MODES = ("",) * 12 + ("m", "c", "mc", "d", "k", "e", "cd", "mcd", "md", "ce", "ck", "mk")
PASSING = (*MODES, "mp", "cp", "p", "p")


def directions(runs: tuple[str, ...], *, often: bool = False) -> st.SearchStrategy[str]:
    """No letters, or one of the runs."""
    return st.sampled_from(("",) * (1 + len(runs) // (3 if often else 1)) + runs)


@functools.cache
def specials(
    *, first: bool, last: bool, room: bool, unit: bool, chain: bool
) -> st.SearchStrategy[str]:
    """The letters of which a leg has at most one: what it may do on its way, or a wrapped board.

    ``room``: the leg has more than one step. ``unit``: its steps pass no square.
    """
    fitting = ["", "o", "oo"]
    if room and last:
        fitting += ["p", "g"] * 3
    if not unit or room:
        fitting += ["n", "j", "n", "j", "no"]
    if not first or (last and not chain):
        fitting += ["z", "q"] * 2
    if chain and not last:
        fitting += ["y", "g"] * 2
    return st.sampled_from([""] * 3 * len(fitting) + fitting)


def _letters(draw: Draw, run: str, modes: str, special: str) -> str:
    """The letters of a leg, in one of the orders people write."""
    if "p" in modes and set(special) & set("pgnjzqo"):
        special = ""
    return draw(st.sampled_from([run + modes + special, modes + special + run]))


@st.composite
def ranges(draw: st.DrawFn, atom: Atom, *, own_half: bool = False) -> str:
    """Nothing, digits, 0, the letter again, or, where all directions go forward, an asterisk."""
    choices = [""] * 6 + ["2", "3", "0", "1", "4"]
    if atom.text[0] not in "(KRBQ":
        choices.append(atom.text[0])
    return draw(st.sampled_from(["*", "*", *choices] if own_half else choices))


@st.composite
def simple_parts(draw: st.DrawFn) -> str:
    """One leg: modifiers, atom, range."""
    atom = draw(atoms)
    run = draw(directions(RUNS[atom.family]))
    forward = {"W": {"f"}, "F": {"f", "fl"}, "N": {"f", "fs", "fh"}, "K": {"f", "fs", "fh"}}
    printed = draw(ranges(atom, own_half=run in forward[atom.family]))
    room = printed not in ("", "1") or (atom.slides and printed != "1")
    special = draw(specials(first=True, last=True, room=room, unit=atom.unit, chain=False))
    if printed in ("1", "*") and special in ("z", "q"):
        special = ""
    letters = _letters(draw, run, draw(st.sampled_from(MODES)), special)
    condition = draw(st.sampled_from([""] * 12 + ["i", "i", "ii"]))
    return f"{condition}{letters}{atom.text}{printed}"


@st.composite
def chains(draw: st.DrawFn) -> str:
    """Two to four legs joined with ``a``; y and g turn steps into runs and back."""
    atom = draw(atoms)
    legs: list[str] = []
    room, slid = atom.slides, False
    count = draw(st.sampled_from([2, 2, 2, 3, 3, 4]))
    for index in range(count):
        last = index == count - 1
        facts = {"first": not index, "last": last, "room": room, "unit": atom.unit}
        special = draw(specials(**facts, chain=True))
        run = draw(directions(RUNS["K" if index else atom.family], often=index > 0))
        leg = _letters(draw, run, draw(st.sampled_from(MODES if last else PASSING)), special)
        if slid and "i" not in "".join(legs) and draw(st.integers(0, 3)) == 3:
            leg = f"i{leg}"
        legs.append(leg)
        slid |= room
        room ^= not last and special in ("y", "g") and special in leg
    return draw(st.sampled_from([""] * 14 + ["i", "ii"])) + "a".join(legs) + atom.text


@st.composite
def repeats(draw: st.DrawFn) -> str:
    """A chain with a part in parentheses: ``m(afs)3F``."""
    atom = draw(atoms)
    facts = {"room": False, "unit": atom.unit, "chain": False}
    group = ""
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        run = draw(st.sampled_from(("", *ANYWHERE)))
        modes = draw(st.sampled_from(MODES if atom.unit and not atom.slides else PASSING))
        special = draw(specials(first=False, last=True, **facts))
        group += "a" + _letters(draw, run, modes, special)
    first = draw(directions(RUNS[atom.family])) + draw(st.sampled_from(MODES))
    if group.endswith("a"):
        group += "f"
    most = draw(st.sampled_from(["", "2", "3", "1", "0"]))
    after = draw(st.sampled_from([""] * 12 + ["c", "m", "f", "fr", "l", "am", "afs", "ap"]))
    return f"{first}({group}){most}{after}{atom.text}"


def _bends(before: Atom, atom: Atom) -> tuple[str, ...]:
    """The direction runs a bracket leg can have after another one; none if it must go outward."""
    if "N" in (before.family, atom.family):
        return (*ANYWHERE, *HALVES) if before.text == atom.text else ()
    if atom.family == "K":
        return RUNS["K"]
    if before.family == "K":
        return EITHER_LINE
    return SAME_LINE if before.family == atom.family else OTHER_LINE


@st.composite
def bracket_legs(
    draw: st.DrawFn, before: Atom | None, mark: str, *, iso: bool
) -> tuple[str, Atom, bool]:
    """A leg after the leg ``before``, followed by ``mark``, with its atom and whether it runs.

    ``iso``: an earlier leg runs, so this one may be exactly as long.
    """
    atom = draw(atoms)
    printed = draw(ranges(atom))
    room = printed not in ("", "1") or (atom.slides and printed != "1")
    facts = {"first": not before, "last": not mark, "room": room, "unit": atom.unit}
    special = draw(specials(**facts, chain=False))
    bends = _bends(before, atom) if before else RUNS[atom.family]
    run = draw(directions(bends, often=before is not None))
    if before and not run and special in ("z", "q"):
        special = ""
    leg = _letters(draw, run, draw(st.sampled_from(PASSING if mark == "-" else MODES)), special)
    if iso and draw(st.integers(0, 3)) == 3:
        leg = f"i{leg}"
    return f"{leg}{atom.text}{printed}", atom, room


@st.composite
def brackets(draw: st.DrawFn) -> str:
    """``[A-B?C]``, ``AtB`` or ``t[AB]``, perhaps with directions or i before the bracket."""
    marks = draw(st.sampled_from(["-", "?", "t", "t[", "--", "?-", "-?", "??", "tt"]))
    joined = marks.startswith("t")
    each = "?" if joined else marks
    each = "?" * (2 if marks == "tt" else 1) if joined else each
    legs: list[str] = []
    before, iso = None, False
    for mark in [*each, ""]:
        leg, before, room = draw(bracket_legs(before, mark, iso=iso))
        iso |= room
        legs.append(leg)
    if joined and marks != "t[":
        return "t".join(legs)
    prefix = draw(st.sampled_from([""] * 14 + [*ANYWHERE, "fh"]))
    condition = draw(st.sampled_from([""] * 14 + ["i", "ii"]))
    if joined:
        return f"{condition}{prefix}t[{''.join(legs)}]"
    body = legs[0] + "".join(mark + leg for mark, leg in zip(marks, legs[1:], strict=True))
    return f"{condition}{prefix}[{body}]"


@st.composite
def symbols(draw: st.DrawFn) -> str:
    """The universal leaper, or castling."""
    condition = draw(st.sampled_from(["", "", "i", "ii"]))
    if draw(st.booleans()):
        return f"{condition}{draw(st.sampled_from(MODES))}U"
    side = draw(st.sampled_from(["", "s", "l", "r", "lr"]))
    return f"{condition}{side}{draw(st.sampled_from(['', 'j']))}O{draw(st.integers(1, 4))}"


betza_parts = st.one_of(
    simple_parts(), chains(), brackets(), repeats(), chains(), brackets(), simple_parts(), symbols()
)


def betza() -> st.SearchStrategy[str]:
    """A Betza description of one or two parts."""
    return st.one_of(betza_parts, st.lists(betza_parts, min_size=2, max_size=2).map("".join))


NAMES_OF_DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
ANGLES = ("22.5°", "45°", "90°", "67.5°", "135°", "112.5°", "50gon", "0°", "180°")
SIGNED = ("+45°", "-90°", "+90°", "+22.5°", "-135°", "0°", "180°", "-1.5707963rad", "+112.5deg")
DISTANCES = ("1×", "n", "2×", "3×", "{1,2}×", "{1,3}×", "{2,4}×", "{1,2,3}×")


@st.composite
def radials(draw: st.DrawFn) -> str:
    """A radial move: the usual eight, four or some directions, listed or left out."""
    distance = draw(st.sampled_from(DISTANCES[:2] * 2 + DISTANCES))
    usual = draw(st.sampled_from(["4dO", "4dD", "8d", "5dO-NE", "2dN-S", ""]))
    if usual:
        return distance + usual
    names = st.sampled_from(NAMES_OF_DIRECTIONS)
    named = draw(st.lists(names, unique=True, min_size=1, max_size=7))
    count = len(named) if draw(st.booleans()) else 8 - len(named)
    return f"{distance}{count}d{'-'.join(named)}"


@st.composite
def obliques(draw: st.DrawFn) -> str:
    """An oblique move, perhaps a rider or a range, with all or some octants."""
    distance = draw(st.sampled_from(["", "", "", "n", "2×", "{1,2}×", "{1,3}×"]))
    vector = draw(st.sampled_from(["(1,2)", "(2,1)", "(1,3)", "(2,3)", "(2,4)"]))
    octants = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=4))
    return distance + vector + draw(st.sampled_from(["", "".join(octants)]))


@st.composite
def turns(draw: st.DrawFn, *, loops: int) -> str:
    """``&t`` with its angle. Unsigned ones in loops multiply the oracle's states: outer ones only.

    ``loops`` is the number of loops around it.
    """
    angle = draw(st.sampled_from(("", *SIGNED, *(() if loops > 1 else ANGLES))))
    return f"&t{angle}"


@st.composite
def legs(draw: st.DrawFn, depth: int, loops: int) -> str:
    """A leg of a bent move, with at most ``depth`` brackets inside each other."""
    plain = st.one_of(radials(), radials(), obliques())
    if depth <= 0:
        return draw(plain)
    kind = draw(st.sampled_from(["plain"] * 5 + ["loop"] * 3 + ["function"] * 2 + ["group"]))
    if kind == "plain":
        return draw(plain)
    if kind == "loop":
        return draw(loop_terms(depth - 1, loops + 1))
    inner = draw(compounds(depth - 1, loops))
    if kind == "group":
        return f"({inner})"
    how = ["m({})", "c({})", "j({})", "j({},F)", "j({},E,1)", "j({},1)", "j({},,2)"]
    return draw(st.sampled_from(how)).format(inner)


@st.composite
def bent_moves(draw: st.DrawFn, depth: int, loops: int) -> str:
    """One to three legs joined by turns."""
    count = draw(st.sampled_from([1, 1, 2, 2, 3][: 2 * depth + 1])) if depth > 0 else 1
    found = draw(legs(depth, loops))
    for _ in range(count - 1):
        found += f" {draw(turns(loops=loops))} {draw(legs(depth - 1, loops))}"
    return found


@st.composite
def compounds(draw: st.DrawFn, depth: int, loops: int) -> str:
    """One or two moves joined by ``&``."""
    count = draw(st.sampled_from([1, 1, 1, 2]))
    return " & ".join(draw(bent_moves(depth, loops)) for _ in range(count))


@st.composite
def loop_terms(draw: st.DrawFn, depth: int, loops: int) -> str:
    """A loop, free or with a turn between its rounds."""
    times = draw(st.sampled_from(["n", "n", "2", "3", "{1,2}", "{1,3}", "1"]))
    if draw(st.booleans()):
        return f"{times}({draw(compounds(depth, loops))})"
    return f"{times}({draw(bent_moves(depth, loops))} {draw(turns(loops=loops))})"


FUNCTIONS = (
    "i({})",
    "rifle({},FE)",
    "atmove(1,{})",
    "atmove(2,{})",
    "ataction(2,{})",
    "ataction(3,{})",
    "m({})",
    "c({})",
    "group(m,j)({})",
    "[c,j({})]",
    "group(i,c)({})",
    "c(j({},E))",
    "nj({})",
    "atmove(1,m({}))",
    "burn({})",
)
RAMPAGES = ("", ",F", ",FE", ",G", ",FE,G", ",F,G")
BETZA_RUNS = ("Q", "mQ", "cN", "ffNmW", "[F?R]", "cKmR", "mBcF")
OTHER_TERMS = ("royal()", "sz(2)", "promote(//last rank,n8d)", "im(1×8d,,PA)")


@st.composite
def calls(draw: st.DrawFn) -> str:
    """A function over a whole term, ``INF``, a rampage, embedded Betza or a fact."""
    kind = draw(st.sampled_from(["call"] * 6 + ["rpg"] * 3 + ["INF", "betza", "fact"]))
    if kind == "call":
        return draw(st.sampled_from(FUNCTIONS)).format(draw(compounds(1, 0)))
    if kind == "rpg":
        body = draw(st.one_of(radials(), obliques()))
        return f"rpg({body}{draw(st.sampled_from(RAMPAGES))})"
    if kind == "INF":
        return f"INF({draw(st.integers(0, 2))},{draw(st.integers(1, 3))})"
    return draw(
        st.sampled_from([rf"\{run}" for run in BETZA_RUNS] if kind == "betza" else OTHER_TERMS)
    )


hasinu_terms = st.one_of(bent_moves(2, 0), bent_moves(2, 0), loop_terms(1, 1), calls())


def hasinu() -> st.SearchStrategy[str]:
    """A Ħasínū description of one or two terms."""
    return st.one_of(hasinu_terms, st.lists(hasinu_terms, min_size=2, max_size=2).map(" & ".join))


@st.composite
def misspelled(draw: st.DrawFn, texts: st.SearchStrategy[str], alphabet: str) -> str:
    """A text with one character put in, left out, changed or doubled; perhaps still well formed."""
    text = draw(texts)
    at = draw(st.integers(0, len(text)))
    sign = draw(st.sampled_from(("", *alphabet, text[at : at + 1] * 2)))
    return text[:at] + sign + text[at + draw(st.integers(0, 1)) :]

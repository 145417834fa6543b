"""Hypothesis strategies: descriptions spelled from the grammars of the two notations.

Most texts are well formed: what a leg can take is looked up before it is picked. What is left to
chance (letters that meet across a repeat, paths with no common kind of end) is refused now and
then, by alfil and by the oracles alike. Sizes are small, for the oracles walk every path.

A text is a single draw of bytes, and the bytes pick every letter. Hypothesis follows each example
up with five more that repeat parts of it which look alike; spelled from dozens of small draws, a
thousand examples were only 240 different texts. Small bytes pick the early options, so that little
is left of a failure when it has been shrunk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from hypothesis import settings
from hypothesis import strategies as st

T = TypeVar("T")

NIGHTLY = os.environ.get("ALFIL_HYPOTHESIS") == "nightly"
# Why a test is skipped that looks at a PNG.
NO_PNG = "png needs the package resvg-py"
NIGHTLY_EXAMPLES = 10_000


def examples(number: int) -> settings:
    """As many examples, and thousands in the profile `nightly`."""
    return settings(max_examples=NIGHTLY_EXAMPLES if NIGHTLY else number)


class Picker:
    """Picks by the bytes of one draw; when they run out, always the first option."""

    def __init__(self, drawn: bytes) -> None:
        self._bytes = iter(drawn)

    def byte(self) -> int:
        return next(self._bytes, 0)

    def pick(self, options: Sequence[T]) -> T:
        return options[self.byte() * len(options) >> 8]

    def number(self, most: int) -> int:
        """A number from 0."""
        return self.byte() * (most + 1) >> 8

    def chance(self, one_in: int) -> bool:
        return self.byte() * one_in >= 256 * (one_in - 1)


TEXT_BYTES = 96


def texts(spell: Callable[[Picker], str]) -> st.SearchStrategy[str]:
    """Descriptions alone."""
    return st.binary(min_size=TEXT_BYTES, max_size=TEXT_BYTES).map(lambda it: spell(Picker(it)))


class Atom(NamedTuple):
    """An atom and its class, W F N or K; whether it runs, and whether its steps are a king's."""

    text: str
    family: str
    slides: bool = False
    unit: bool = False


USUAL = (
    Atom("W", "W", unit=True),
    Atom("F", "F", unit=True),
    Atom("K", "K", unit=True),
    Atom("N", "N"),
    Atom("R", "W", slides=True, unit=True),
    Atom("B", "F", slides=True, unit=True),
    Atom("Q", "K", slides=True, unit=True),
)
ATOMS = (
    *USUAL * 2,
    *(Atom(text, "W") for text in ("D", "H", "(0,2)", "(4,0)", "WX")),
    *(Atom(text, "F") for text in ("A", "G", "(2,2)", "AY")),
    *(Atom(text, "N") for text in ("C", "Z", "L", "J", "(2,1)", "(1,4)", "FX", "NY", "(4,2)")),
    Atom("(0,1)", "W", unit=True),
    Atom("(1,1)", "F", unit=True),
)

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


def directions(picker: Picker, runs: tuple[str, ...], *, often: bool = False) -> str:
    """No letters, or one of the runs."""
    return picker.pick(("",) * (1 + len(runs) // (3 if often else 1)) + runs)


def special(
    picker: Picker, atom: Atom, *, first: bool, last: bool, room: bool, chain: bool = False
) -> str:
    """One of the letters that exclude each other: what a leg does on its way, a board that wraps.

    ``room``: the leg has more than one step.
    """
    fitting = ["", "o", "oo"]
    fitting += ["p", "g"] * 3 if room and last else []
    fitting += ["n", "j", "n", "j", "jo"] if room or not atom.unit else []
    fitting += ["z", "q"] * 2 if not first or (last and not chain) else []
    fitting += ["y", "g"] * 2 if chain and not last else []
    return picker.pick([""] * 3 * len(fitting) + fitting)


def letters(picker: Picker, run: str, modes: str, way: str) -> str:
    """The letters of a leg, in one of the orders people write."""
    if "p" in modes and set(way) & set("pgnjzqo"):
        way = ""
    return picker.pick([run + modes + way, modes + way + run])


def step_range(picker: Picker, atom: Atom, *, forward: bool = False) -> str:
    """Nothing, digits, 0, the letter again, or an asterisk where all directions go ``forward``."""
    options = [""] * 6 + ["2", "3", "0", "1", "4"]
    options += [] if atom.text[0] in "(KRBQ" else [atom.text[0]]
    return picker.pick(options + ["*"] * (4 if forward else 0))


def has_room(atom: Atom, printed: str) -> bool:
    return (atom.slides and not printed) or printed not in ("", "1")


def simple_part(picker: Picker) -> str:
    """One leg: modifiers, atom, range."""
    atom = picker.pick(ATOMS)
    run = directions(picker, RUNS[atom.family])
    forward = run == "f" or (run in {"fl", "fr"} and atom.family != "W")
    printed = step_range(picker, atom, forward=forward)
    room = has_room(atom, printed)
    way = special(picker, atom, first=True, last=True, room=room)
    if printed in ("1", "*") and way in ("z", "q"):
        way = ""
    state = picker.pick([""] * 12 + ["i", "i", "ii"])
    return f"{state}{letters(picker, run, picker.pick(MODES), way)}{atom.text}{printed}"


def chain(picker: Picker) -> str:
    """Two to four legs joined with ``a``; y and g turn steps into runs and back."""
    atom = picker.pick(ATOMS)
    count = picker.pick((2, 2, 2, 3, 3, 4))
    room, slid, iso = atom.slides, False, False
    legs: list[str] = []
    for index in range(count):
        last = index == count - 1
        way = special(picker, atom, first=not index, last=last, room=room, chain=True)
        run = directions(picker, RUNS["K" if index else atom.family], often=index > 0)
        leg = letters(picker, run, picker.pick(MODES if last else PASSING), way)
        # A run as long as an earlier one takes alfil many states: once is enough.
        now = slid and not iso and picker.chance(4)
        legs.append(f"i{leg}" if now else leg)
        iso |= now
        slid |= room
        room ^= bool(set(leg) & {"y", "g"})
    return picker.pick([""] * 14 + ["i", "ii"]) + "a".join(legs) + atom.text


def repeat(picker: Picker) -> str:
    """A chain with a part in parentheses, as in ``m(afs)3F``.

    Without a limit nothing is captured in it: every set of captures would be another way round.
    """
    atom = picker.pick(ATOMS)
    first = directions(picker, RUNS[atom.family]) + picker.pick(MODES)
    most = picker.pick(["", "2", "1", "0"])
    group = ""
    for _ in range(picker.pick((1, 1, 1, 1) if atom.slides else (1, 1, 2, 2))):
        run = directions(picker, ANYWHERE, often=True)
        modes = picker.pick(MODES if most in ("1", "2") else ("", "", "m"))
        group += "a" + letters(picker, run, modes, picker.pick(["", "", "", "z", "q", "o", "oo"]))
    group += "f" if group.endswith("a") else ""
    after = picker.pick([""] * 12 + ["c", "m", "f", "fr", "l", "am", "afs", "apa"])
    return f"{first}({group}){most}{after}{atom.text}"


def bends(before: Atom | None, atom: Atom) -> tuple[str, ...]:
    """The direction runs of a bracket leg after another one; none where it must go outward."""
    if before is None:
        return RUNS[atom.family]
    if "N" in (before.family, atom.family):
        return (*ANYWHERE, *HALVES) if before.text == atom.text else ()
    if atom.family == "K":
        return RUNS["K"]
    if before.family == "K":
        return EITHER_LINE
    return SAME_LINE if before.family == atom.family else OTHER_LINE


def bracket(picker: Picker) -> str:
    """``[A-B?C]``, ``AtB`` or ``t[AB]``, perhaps with directions or i before the bracket."""
    marks = picker.pick(["-", "?", "t", "[", "--", "?-", "-?", "??", "tt", "[["])
    legs: list[str] = []
    before, slid = None, False
    for mark in [*marks, ""]:
        atom = picker.pick(ATOMS)
        printed = step_range(picker, atom)
        room = has_room(atom, printed)
        way = special(picker, atom, first=not before, last=not mark, room=room)
        run = directions(picker, bends(before, atom), often=before is not None)
        if before and not run and way in ("z", "q"):
            way = ""
        leg = letters(picker, run, picker.pick(PASSING if mark == "-" else MODES), way)
        state = "i" if slid and picker.chance(4) else ""
        legs.append(f"{state}{leg}{atom.text}{printed}")
        before, slid = atom, slid or room
    if "t" in marks:
        return "t".join(legs)
    prefix = picker.pick([""] * 14 + ["i", "ii"]) + picker.pick([""] * 14 + [*ANYWHERE, "fh"])
    if "[" in marks:
        return f"{prefix}t[{''.join(legs)}]"
    body = "".join(mark + leg for mark, leg in zip(marks, legs[1:], strict=True))
    return f"{prefix}[{legs[0]}{body}]"


def symbol(picker: Picker) -> str:
    """The universal leaper, or castling."""
    state = picker.pick(["", "", "i", "ii"])
    if picker.chance(2):
        return f"{state}{picker.pick(MODES)}U"
    side, inset = picker.pick(["", "s", "l", "r", "lr"]), picker.pick(["", "j"])
    return f"{state}{side}{inset}O{1 + picker.number(3)}"


def betza(picker: Picker) -> str:
    """A Betza description of one or two parts."""
    parts = (simple_part, chain, bracket) * 4 + (repeat, repeat, symbol)
    return "".join(picker.pick(parts)(picker) for _ in range(picker.pick((1, 1, 2))))


def unwrapped(picker: Picker) -> str:
    """The same without o: boards end at their edges."""
    return betza(picker).replace("o", "")


def wrapped(picker: Picker) -> str:
    """The same with an o, and without n, whose trail on a board without edges need not end."""
    text = betza(picker).replace("n", "")
    return text if "o" in text else re.sub(r"^(i{0,2}([a-z]*\[)?)", r"\1o", text)


WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
ANGLES = ("22.5°", "45°", "90°", "67.5°", "135°", "112.5°", "50gon", "0°", "180°")
SIGNED = ("+45°", "-90°", "+90°", "+22.5°", "-135°", "0°", "180°", "-1.5707963rad", "+112.5deg")
DISTANCES = ("1×", "n", "1×", "n", "2×", "3×", "{1,2}×", "{1,3}×", "{2,4}×", "{1,2,3}×")


def some(picker: Picker, options: Sequence[str]) -> list[str]:
    """Some of the options in any order, one at least."""
    left = list(options)
    taken = [left.pop(picker.number(len(left) - 1)) for _ in range(1 + picker.number(5))]
    return taken[: len(options) - 1]


def radial(picker: Picker) -> str:
    """A radial move: the usual eight, four or two directions, or some, listed or left out."""
    distance = picker.pick(DISTANCES)
    usual = picker.pick(["4dO", "4dD", "8d", "5dO-NE", "2dN-S", "", ""])
    if usual:
        return distance + usual
    named = some(picker, WINDS)
    count = 8 - len(named) if picker.chance(2) else len(named)
    return f"{distance}{count}d{'-'.join(named)}"


def oblique(picker: Picker) -> str:
    """An oblique move, perhaps a rider or a range, with all or some octants."""
    distance = picker.pick(["", "", "", "n", "2×", "{1,2}×", "{1,3}×"])
    vector = picker.pick(["(1,2)", "(2,1)", "(1,3)", "(2,3)", "(2,4)"])
    octants = "".join(some(picker, "abcdefgh")) if picker.chance(2) else ""
    return distance + vector + octants


def plain_leg(picker: Picker) -> str:
    return picker.pick((radial, radial, oblique))(picker)


def turn(picker: Picker, loops: int) -> str:
    """``&t`` with its angle, inside so many loops.

    Unsigned angles multiply the oracle's states in each loop, so inner loops have none.
    """
    return "&t" + picker.pick(("", *SIGNED) if loops > 1 else ("", "", *ANGLES, *SIGNED))


NARROWED = ("m({})", "c({})", "j({})", "j({},F)", "nj({})", "nj({},E)")
# Not in loops: which pieces have been jumped so far would be part of every way round.
COUNTED = ("j({},1)", "j({},,2)", "j({},E,1)")


def leg(picker: Picker, depth: int, loops: int) -> str:
    """A leg of a bent move, with at most ``depth`` brackets inside each other."""
    kind = picker.number(10) if depth > 0 else 0
    if kind < 5:
        return plain_leg(picker)
    if kind < 8:
        return loop(picker, 0 if loops else depth - 1, loops + 1)
    inner = compound(picker, depth - 1, loops)
    around = NARROWED if loops else NARROWED + COUNTED
    return picker.pick(around).format(inner) if kind < 10 else f"({inner})"


def bent(picker: Picker, depth: int, loops: int) -> str:
    """One to three legs joined by turns; fewer inside."""
    count = picker.pick((1, 1, 2, 2, 3)[: max(1, 2 * depth + 1 - loops)])
    found = leg(picker, depth, loops)
    for _ in range(count - 1):
        found += f" {turn(picker, loops)} {leg(picker, depth - 1, loops)}"
    return found


def compound(picker: Picker, depth: int, loops: int) -> str:
    """One or two moves joined by ``&``."""
    return " & ".join(bent(picker, depth, loops) for _ in range(picker.pick((1, 1, 1, 2))))


def loop(picker: Picker, depth: int, loops: int) -> str:
    """A loop, free or with a turn between its rounds."""
    times = picker.pick(("n", "n", "2", "3", "{1,2}", "{1,3}", "1"))
    if picker.chance(2):
        return f"{times}({compound(picker, depth, loops)})"
    body = picker.pick((bent, bent, compound))(picker, depth, loops)
    return f"{times}({body} {turn(picker, loops)})"


# What takes a whole term: timing, effects, captures from afar, the long and short group form.
AROUND = (
    *("i({})", "rifle({},FE)", "i({},F)", "group(i,c)({})", "c(j({},E))"),
    *("atmove(1,{})", "atmove(2,{})", "ataction(2,{})", "ataction(3,{})", "atmove(1,m({}))"),
    *("m({})", "c({})", "group(m,j)({})", "[c,j({})]", "burn({})", "burn({},FE) & n4dO"),
)
RAMPAGES = ("rpg({})", "rpg({},F)", "rpg({},FE)", "rpg({},G)", "rpg({},FE,G)", "rpg({},F,G)")
WHOLE = (
    *(rf"\{run}" for run in ("Q", "mQ", "cN", "ffNmW", "[F?R]", "cKmR", "mBcF")),
    *("royal()", "sz(2)", "promote(//last rank,n8d)", "im(1×8d,,PA)", "INF(2,2)", "INF(1,2)"),
)


def term(picker: Picker) -> str:
    """A bent move, a loop, or something that is no leg."""
    kind = picker.number(13)
    if kind < 7:
        return bent(picker, 2, 0)
    if kind < 9:
        return loop(picker, 1, 1)
    if kind < 11:
        return picker.pick(AROUND).format(compound(picker, 1, 0))
    return picker.pick(RAMPAGES).format(plain_leg(picker)) if kind < 13 else picker.pick(WHOLE)


NEAR = ("1×4dO", "2×4dO", "1×8d", "n4dO", "3×1dN", "2×2dN-S", "{1,3}×4dD", "(1,2)", "2×(1,2)ab")
BACK = ("&t180°", "&t180°", "&t90°", "&t-90°", "&t135°", "&t45°", "&t", "&t0°")


def way_back(picker: Picker, depth: int) -> str:
    """Legs, loops and jumps after each other that often come back to where they have been."""
    return f" {picker.pick(BACK)} ".join(
        counted_back(picker, depth - 1) if depth and picker.chance(4) else picker.pick(NEAR)
        for _ in range(1 + picker.pick((1, 1, 2)))
    )


def counted_back(picker: Picker, depth: int = 1) -> str:
    """A way on which few pieces may be jumped over, each as often as it is met again."""
    way = way_back(picker, depth)
    if picker.chance(3):
        turned = f" {picker.pick(BACK)}" if picker.chance(2) else ""
        way = f"{picker.pick(('n', '2', '3', '{1,2}'))}({way}{turned})"
    whole = f"j({way},{picker.pick(('1', '1', '2', 'E,1'))})"
    return f"{whole} {picker.pick(BACK)} {picker.pick(NEAR)}" if picker.chance(3) else whole


def hasinu(picker: Picker) -> str:
    """A Ħasínū description of one or two terms."""
    return " & ".join(term(picker) for _ in range(picker.pick((1, 1, 1, 2))))


def misspelled(spell: Callable[[Picker], str], signs: str) -> Callable[[Picker], str]:
    """Spell, then leave out, double, swap or put in one sign; perhaps it is still well formed."""

    def respell(picker: Picker) -> str:
        change, sign, place = picker.number(4), picker.pick(signs), picker.byte()
        text = spell(picker)
        at = place * (len(text) + 1) >> 8
        head, here, after, tail = (
            text[:at],
            text[at : at + 1],
            text[at + 1 : at + 2],
            text[at + 2 :],
        )
        changed = (here + after, after, here * 2 + after, after + here, sign + here + after)
        return head + changed[change] + tail

    return respell

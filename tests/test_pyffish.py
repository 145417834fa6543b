"""Fairy-Stockfish as a live oracle, on the Betza it reads as alfil does.

Fairy-Stockfish reads a subset of Betza, and of that subset some strings differently. What is tried
here: the atoms W F K N R B Q with riders and ranges, the leapers D A H C Z G, directions on all
but K and Q, m and c, lame n on N A Z D, the hoppers p and g on R B Q (p also on ranged W F K), and
i with m. ``DIFFERENT`` has what it is known to read in another way, and how.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import pytest

import alfil
from fairy_games import (
    PIECES_PER_VARIANT,
    Position,
    Square,
    differing,
    differing_alone,
    load,
    our_answers,
    positions,
    program_answers,
)
from gathering import every_row
from inside import predict_reading
from strategies import NIGHTLY

SEED = 20_240_817

# Every run of directions that the specification reads on a first leg, doubled letters included.
RUNS = {
    "W": "f b l r v s ff ll vv fl fr bl br fb lr fs bs lv rv frl",
    "F": "f b l r v s ff bb ss fl fr bl br lf lb rf rb fs bs lv rv flbr frbl fbl bfr fb lr",
    "N": (
        "f b l r v s ff bb ll rr vv ss fl fr bl br lf lb rf rb fs bs lv rv "
        "fh bh lh rh hl hr fhr ffl ffbb frbl ffbsl"
    ),
}
CLASS = {
    atom: kind for kind, atoms in {"W": "WDHR", "F": "FAGB", "N": "NCZ"}.items() for atom in atoms
}
SLIDERS = "WFKNRBQ"
HOPPERS = "RBQ"
LAME = "NAZD"

# What the program makes of a string: what it really reads, in our spelling, under the reason. In
# every row it differs from alfil, or alfil refuses the string; the specification is with alfil.
DIFFERENT = {
    "i: an initial move never captures": {"iC": "imC", "iR": "imR", "icW": ""},
    "parts: of two ranges on one ray only the later counts": {
        "B3lB1": "rB3lB1",
        "R3R2": "R2",
        "pBpB3": "pB3",
    },
    "parts: a slider runs on every ray any part has": {
        "pQfsR0": "pQR",
        "gQflbrB": "gQB",
        "nNbN0": "NbN0",
    },
    "doubled letters and 0 on leapers make a piece without moves": {
        **dict.fromkeys(["DD", "AA", "CC", "HH", "ZZ", "GG", "D0", "A0", "D2"], ""),
    },
    "numbers: the first digit counts": {"WW2": "R", "R12": "W", "W03": "R", "KK": "Q"},
    "directions on K are those on W and F": {
        "fK": "fWfF",
        "vK": "vWF",
        "fsK": "sWfF",
        "ffsK": "fsWF",
        "fhK": "fsWfF",
        "sfK": "",
    },
    "directions: v and f are one": {"fvN": "vN", "fhW": "fW"},
    "lame pieces other than N A Z D have no moves": dict.fromkeys(["nH", "nC", "nW", "nG"], ""),
    "g with a range is p": {"gR3": "pR3"},
    "letters it does not know are skipped": {
        "jD": "D",
        "jR": "R",
        "zB": "B",
        "qN": "N",
        "aW": "W",
        "afsW": "fsW",
        "paR": "pR",
        "mcafW2": "fW2",
        "hrarfN": "hrN",
        "FyafsF": "F",
        "dW": "W",
        "eF": "F",
        "tR": "R",
        "FX": "F",
        "NY": "N",
        "U": "",
        "(4,1)": "",
        "[F?R]": "FR",
        "t[FR]": "FR",
        "FtR": "FR",
    },
}


def directed(atom: str, draw: random.Random) -> str:
    """A run of directions for the atom, or none."""
    if atom in "KQ" or draw.random() < 0.4:
        return ""
    return draw.choice(RUNS[CLASS[atom]].split())


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a piece, and what matters for mixing it with others in this program."""

    text: str
    modes: frozenset[str]
    path: str  # "" for a leap; else what kind of squares in between matter


def part(draw: random.Random) -> Part:
    """One part: i, directions, m or c, one of n p g, an atom and its range."""
    special = draw.choice(["", "", "", "n", "p", "g"])
    initial = draw.choice(["", "", "", "i"])
    mode = "m" if initial else draw.choice(["", "", "m", "c", "mc"])
    spread = ""
    if special == "n":
        atom = draw.choice(LAME)
    elif special == "g":
        atom = draw.choice(HOPPERS)
    elif special == "p":
        atom = draw.choice("RBQWFK")
        spread = draw.choice("023456789") if atom in "WFK" or draw.random() < 0.5 else ""
    else:
        atom = draw.choice("WFKNRBQDAHCZG")
        spread = draw.choice(["", *"0123456789"]) if atom in SLIDERS else ""
        if atom in "WFN" and draw.random() < 0.2:
            spread = atom
    slides = bool(spread) or atom in "RBQ"
    path = special or (CLASS.get(atom, "K") if slides else "")
    text = f"{initial}{directed(atom, draw)}{mode}{special}{atom}{spread}"
    return Part(text, frozenset(mode or "mc"), path)


def mix(one: Part, other: Part) -> bool:
    """Whether the program keeps two parts apart: see ``DIFFERENT`` for what it makes of others."""
    if not (one.modes & other.modes and one.path and other.path):
        return True
    return {one.path, other.path} in ({"W", "F"}, {"W", "N"}, {"F", "N"})


def mixture(draw: random.Random) -> str:
    """A random piece of one to three parts that the program keeps apart."""
    parts: list[Part] = []
    wanted = draw.choice([1, 1, 2, 3])
    while len(parts) < wanted:
        another = part(draw)
        doubled = parts and parts[-1].text[-1] == another.text[0]  # nA, then A, would read as nAA
        if not doubled and all(mix(another, one) for one in parts):
            parts.append(another)
    return "".join(one.text for one in parts)


@cache
def strings() -> tuple[str, ...]:
    """Every run of directions on every atom, then random pieces of one to three parts."""
    runs = [run + atom for atom, kind in CLASS.items() for run in RUNS[kind].split()]
    draw = random.Random(SEED)
    found = dict.fromkeys(runs)
    while len(found) < len(runs) + (300 if NIGHTLY else 120):
        found[mixture(draw)] = None
    return tuple(found)


@cache
def loaded() -> dict[str, tuple[str, str]]:
    """The variant and the letter of every string, once the program has read them all."""
    return load([*strings(), *(text for rows in DIFFERENT.values() for text in rows)], "alfil")


def differences(text: str, spelling: str) -> list[tuple[Position, list[Square], list[Square]]]:
    """Where the program's reading of ``text`` is not our reading of ``spelling``.

    With each position: the squares only alfil has, and those only the program has.
    """
    piece = alfil.read(spelling)
    variant, letter = loaded()[text]
    found = []
    for position in positions(text):
        ours = our_answers(piece, position)
        theirs = program_answers(variant, letter, position)
        if ours != theirs:
            found.append((position, sorted(ours - theirs), sorted(theirs - ours)))
    return found


@pytest.mark.parametrize("run", range(0, len(strings()), PIECES_PER_VARIANT))
def test_fairy_stockfish_agrees(run: int) -> None:
    texts = strings()[run : run + PIECES_PER_VARIANT]
    pieces = {text: alfil.read(text) for text in texts}
    assert differing_alone(loaded(), pieces) == []
    assert differing(loaded(), pieces) is None


@pytest.mark.parametrize(
    ("text", "spelling"), [row for rows in DIFFERENT.values() for row in rows.items()]
)
def test_fairy_stockfish_differs_as_recorded(text: str, spelling: str) -> None:
    assert differences(text, spelling) == []
    try:
        alfil.read(text)
    except alfil.NotationError:
        return
    assert differences(text, text), "they agree now: the row is stale"


@every_row("text, spelling", [row for rows in DIFFERENT.values() for row in rows.items()])
def test_the_difference_is_predicted(text: str, spelling: str) -> None:
    assert alfil.same(predict_reading(text, "fairy-stockfish").betza or "", spelling)


def test_the_sample_has_everything_it_should() -> None:
    joined = " ".join(strings())
    assert set(joined) >= set("WFKNRBQDAHCZG fblrvsh mcnpgi 0123456789".replace(" ", ""))
    assert all(f"n{atom}" in joined for atom in LAME)
    assert all(letter + atom in joined for letter in "pg" for atom in HOPPERS)

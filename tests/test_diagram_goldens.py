"""Diagrams against files that were looked at by people.

tests/golden/diagrams.txt has the text diagrams, tests/golden/svg/ the SVG files. When a change is
meant, write them anew and review the difference:

    ALFIL_ACCEPT=1 pytest tests/test_diagram_goldens.py && git diff tests/golden
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import alfil
from gathering import every_row
from inside import text_diagram

GOLDEN = Path(__file__).parent / "golden"
ACCEPT = bool(os.environ.get("ALFIL_ACCEPT"))
RULE = "=" * 20

# Notations with what people call the piece; "hasinu:" goes before Ħasínū.
PIECES = {
    "W": "wazir",
    "F": "ferz",
    "D": "dabbaba",
    "N": "knight",
    "A": "alfil",
    "H": "threeleaper",
    "C": "camel",
    "Z": "zebra",
    "G": "tripper",
    "K": "king",
    "R": "rook",
    "B": "bishop",
    "Q": "queen",
    "R2": "short rook",
    "fW": "shogi pawn",
    "fR": "lance",
    "FfW": "silver general",
    "WfF": "gold general",
    "ffN": "shogi knight",
    "BW": "promoted bishop",
    "RF": "promoted rook",
    "BN": "archbishop",
    "RN": "chancellor",
    "QN": "amazon",
    "NN": "nightrider",
    "CC": "camelrider",
    "DD": "dabbaba rider",
    "AA": "alfil rider",
    "nN": "xiangqi horse",
    "nA": "xiangqi elephant",
    "nD": "lame dabbaba",
    "nZ": "lame zebra",
    "mRcpR": "xiangqi cannon",
    "pR": "Korean cannon without its exceptions",
    "pB": "vao",
    "gQ": "grasshopper",
    "FyafsF": "griffon",
    "WyafsW": "aanca",
    "yafsF": "griffon that may not stop at its first square",
    "zB": "crooked bishop",
    "zR": "crooked rook",
    "qN": "rose",
    "FtR": "griffon, bracketed",
    "[R?fsB]": "rook, then bishop forward or sideways",
    "KaK": "king moving twice",
    "RaR": "hook mover",
    "afsW": "lame knight of two steps",
    "mpafW": "dabbaba with or without a piece to jump",
    "pafW": "jumps a piece beside it",
    "cafmF": "draughts man in all directions",
    "cabK": "captures beside it and comes back",
    "KNADcaKmcabK": "lion",
    "mQcQ": "queen",
    "mNcK": "moves as a knight, captures as a king",
    "mcdW": "may capture its own side",
    "kF": "captures kings only",
    "fmWfceFifmnD": "chess pawn",
    "fmWfceFifmR2": "chess pawn, the other way round",
    "fmWfcF": "chess pawn without its double step",
    "iN": "leaps as a knight, as its first move",
    "KisO2": "chess king",
    "oR": "rook on a cylinder",
    "(3,1)(0,4)": "two oblique leaps",
    "hasinu:n4dO & 1×4dD": "promoted rook",
    "hasinu:1×4dD &t n4dO": "griffon",
    "hasinu:j(n4dO)": "rook that jumps over anything",
    "hasinu:j(n4dO,1)": "rook that hops over one piece",
    "hasinu:atmove(3,n4dO) & ataction(2,(1,2))": "moves at set times",
    "hasinu:{1,2}(1×8d)": "king moving once or twice",
}
# Names of files, and what is drawn in them.
PICTURES: dict[str, dict[str, object]] = {
    "knight": {"piece": "N"},
    "queen": {"piece": "Q", "label": "queen"},
    "griffon": {"piece": "FyafsF", "label": "griffon"},
    "griffon-dark": {"piece": "FyafsF", "theme": "dark"},
    "griffon-print": {"piece": "FyafsF", "theme": "print"},
    "griffon-wikipedia": {"piece": "FyafsF", "theme": "wikipedia"},
    "griffon-cvp": {"piece": "FyafsF", "theme": "cvp"},
    "horse": {"piece": "nN", "label": "horse"},
    "grasshopper": {"piece": "gQ"},
    "cannon": {"piece": "mRcpR", "label": "cannon"},
    "nightrider": {"piece": "NN"},
    "rose": {"piece": "qN"},
    "lion": {"piece": "KNADcaKmcabK", "label": "lion"},
    "locust": {"piece": "cafmF"},
    "pawn": {"piece": "fmWfceFifmnD"},
    "own-and-royal": {"piece": "mcdWkF"},
    "hook-mover": {"piece": "RaR"},
    "gold": {"piece": "WfF", "label": "G"},
    "rook-on-board": {
        "piece": "R",
        "files": 8,
        "ranks": 8,
        "at": "c4",
        "enemies": ["c7"],
        "friends": ["f4"],
    },
    "castling": {
        "piece": "KisO2",
        "files": 8,
        "ranks": 8,
        "at": "e1",
        "unmoved_friends": ["a1", "h1"],
        "enemies": ["e2"],
        "unmoved": True,
    },
    "en-passant": {
        "piece": "fmWfceF",
        "files": 8,
        "ranks": 8,
        "at": "e5",
        "enemies": ["d5"],
        "en_passant": {"d6": "d5"},
    },
    "cannon-in-position": {
        "piece": "mRcpR",
        "radius": 4,
        "enemies": [(0, 4), (3, 0)],
        "enemy_royals": [(-4, 0)],
        "friends": [(0, 2), (-2, 0)],
    },
}


def text_of(name: str) -> str:
    notation, text = ("hasinu", name[7:]) if name.startswith("hasinu:") else ("betza", name)
    return text_diagram(alfil.draw(alfil.read(text, notation)).subject.marks)


def drawn(options: dict[str, object]) -> str:
    rest = dict(options)
    piece = rest.pop("piece")
    return alfil.draw(piece, **rest).svg()  # type: ignore[arg-type]


def as_file() -> str:
    return "\n".join(
        f"{RULE} {name}\n{label}\n\n{text_of(name)}\n" for name, label in PIECES.items()
    )


def sections(whole: str) -> dict[str, str]:
    found = {}
    for section in whole.split(f"{RULE} ")[1:]:
        name, _, rest = section.partition("\n")
        found[name] = rest
    return found


@pytest.fixture(scope="module")
def reviewed() -> dict[str, str]:
    path = GOLDEN / "diagrams.txt"
    if ACCEPT:
        path.write_text(as_file(), encoding="utf-8")
    return sections(path.read_text(encoding="utf-8"))


def test_every_piece_was_reviewed(reviewed: dict[str, str]) -> None:
    assert list(reviewed) == list(PIECES)


@every_row("name", PIECES)
def test_the_text_diagram_is_as_reviewed(name: str, reviewed: dict[str, str]) -> None:
    assert reviewed[name].rstrip("\n") == f"{PIECES[name]}\n\n{text_of(name)}"


@pytest.mark.parametrize("name", PICTURES)
def test_the_svg_is_as_reviewed(name: str) -> None:
    path = GOLDEN / "svg" / f"{name}.svg"
    made = drawn(PICTURES[name])
    if ACCEPT:
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8")


def test_no_svg_is_left_over() -> None:
    assert {path.stem for path in (GOLDEN / "svg").iterdir()} == set(PICTURES)


PROGRAM = """
import hashlib, sys, alfil
made = b""
for text in sys.argv[1:]:
    for form in ("text", "ascii", "svg", "wikitext", "json"):
        made += alfil.draw(text, radius=4).render(form)
    made += alfil.draw(text, radius=4, enemies=[(0, 2)], friends=[(1, 1)]).render("svg")
print(hashlib.sha256(made).hexdigest())
"""


def test_nothing_depends_on_the_order_of_hashes() -> None:
    texts = ["FyafsF", "KNADcaKmcabK", "mRcpR", "fmWfceFifmnD", "mcdWkF", "qN", "RaR"]
    digests = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, *texts],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "4711")
    }
    assert len(digests) == 1

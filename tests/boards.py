"""Read the case files of tests/cases: a notation, the scene it is tried in, the squares it reaches.

Imports nothing of alfil, so that a mistake there cannot hide here. tests/cases/README.md describes
the files; whatever does not follow that description is a ValueError.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

CASES = Path(__file__).parent / "cases"
RADIUS = 7  # the boards are 15 by 15 with the piece in the middle

Offset = tuple[int, int]
Squares = frozenset[Offset]
Expectation = Literal["squares", "conflict", "refused"]

# Rows that say a text has no moves, and the Betza of what it does by what was decided later
# (docs/notations.md, "Where alfil reads the page in its own way").
OVERRULED = {"1×4dO & //odd on Tuesdays": "W", "nj((1,2))": "nN"}


@dataclass(frozen=True, slots=True)
class Scene:
    """What stands around the piece and what is known of it.

    The four sets are disjoint: a castling partner is in ``unmoved_friends`` and not in
    ``friends``, an enemy royal in ``enemy_royals`` and not in ``enemies``. ``moves_made`` is None
    where the piece has made many moves.
    """

    enemies: Squares = frozenset()
    friends: Squares = frozenset()
    unmoved_friends: Squares = frozenset()
    enemy_royals: Squares = frozenset()
    moves_made: int | None = None
    is_king: bool = False

    @property
    def unmoved(self) -> bool:
        """True when the piece has not moved yet."""
        return self.moves_made == 0

    @property
    def empty(self) -> bool:
        """True when nothing else stands on the board."""
        return not (self.enemies | self.friends | self.unmoved_friends | self.enemy_royals)


@dataclass(frozen=True, slots=True)
class Case:
    """One row of betza.tsv or hasinu.tsv.

    ``column2`` is the layer of notation (betza.tsv) or the Betza of the same piece (hasinu.tsv),
    ``column5`` the programs that agreed or the source. ``squares`` is empty unless ``expects`` is
    "squares"; ``readings`` has what each program answers where they conflict.
    """

    line: int
    text: str
    column2: str
    description: str
    remark: str
    scene: Scene
    expects: Expectation
    squares: Squares
    readings: Mapping[str, Squares] = field(hash=False)
    column5: str
    note: str

    @property
    def id(self) -> str:
        """A name for pytest: the line in the file and the text."""
        return f"{self.line}:{self.text}"


_OFFSET = r"-?\d+,-?\d+"
_MARKER = re.compile(r"\s*(?:\[(board|opts): ([^\]]*)\]|\{([^}]*)\})")
_PIECE = re.compile(rf"({_OFFSET})([eork])")
_KINDS = {"e": "enemies", "o": "friends", "r": "unmoved_friends", "k": "enemy_royals"}


def offset(text: str) -> Offset:
    """Read ``dx,dy``."""
    if not re.fullmatch(_OFFSET, text):
        raise ValueError(f"not an offset: {text!r}")
    dx, dy = text.split(",")
    return int(dx), int(dy)


def squares(text: str) -> Squares:
    """Read offsets separated by blanks; ``-`` alone is no square. A repeated square is an error."""
    if text == "-":
        return frozenset()
    found = [offset(word) for word in text.split()]
    if not found or len(set(found)) != len(found):
        raise ValueError(f"empty or repeated squares: {text!r}")
    return frozenset(found)


def readings(text: str) -> dict[str, Squares]:
    """Read ``name=squares ; name=squares``, the answers of programs that differ."""
    pairs = (part.strip().split("=", 1) for part in text.split(";"))
    return {name: squares(answer) for name, answer in pairs}


def scene(board: str, opts: str) -> Scene:
    """Read the insides of ``[board: ...]`` and ``[opts: ...]``, either of them possibly empty."""
    placed: dict[str, set[Offset]] = {kind: set() for kind in _KINDS.values()}
    for word in board.split():
        match = _PIECE.fullmatch(word)
        if match is None:
            raise ValueError(f"not a piece on a square: {word!r}")
        placed[_KINDS[match[2]]].add(offset(match[1]))
    if opts not in {"", "v", "vk", "n=1"}:
        raise ValueError(f"unknown options: {opts!r}")
    made = {"": None, "n=1": 1}.get(opts, 0)
    around = {kind: frozenset(places) for kind, places in placed.items()}
    return Scene(**around, moves_made=made, is_king="k" in opts)


def expectation(text: str) -> tuple[Expectation, Squares, dict[str, Squares]]:
    """Read the column ``offsets``."""
    if text == "n/a":
        return "refused", frozenset(), {}
    if text.startswith("CONFLICT "):
        return "conflict", frozenset(), readings(text.removeprefix("CONFLICT "))
    return "squares", squares(text), {}


def case(line: int, row: list[str]) -> Case:
    """Read one row of five or six columns; ``line`` is its line in the file, from 1."""
    text, column2, described, offsets, column5, *rest = row
    markers: dict[str, str] = {}
    for match in _MARKER.finditer(described):
        name, value = match[1] or "remark", match[2] or match[3]
        if name in markers:
            raise ValueError(f"line {line}: two markers {name!r}")
        markers[name] = value
    description = _MARKER.sub("", described).strip()
    if "[board" in description or "[opts" in description:
        raise ValueError(f"line {line}: an unfinished marker in {described!r}")
    expects, expected, differing = expectation(offsets)
    return Case(
        line=line,
        text=text,
        column2=column2,
        description=description,
        remark=markers.get("remark", ""),
        scene=scene(markers.get("board", ""), markers.get("opts", "")),
        expects=expects,
        squares=expected,
        readings=MappingProxyType(differing),
        column5=column5,
        note="".join(rest),
    )


def rows(name: str) -> Iterator[tuple[int, list[str]]]:
    """Every row of a file of tests/cases but its header, with its line number."""
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        table = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
        header = next(table)
        for line, row in enumerate(table, start=2):
            if len(row) != len(header):
                raise ValueError(f"{name}:{line}: {len(row)} columns, not {len(header)}")
            yield line, row


def cases(name: str) -> tuple[Case, ...]:
    """All cases of betza.tsv or hasinu.tsv, in the order of the file."""
    return tuple(case(line, row) for line, row in rows(name))

"""Write grammars/betza_usual.tsv: the runs of directions that people use, from the corpus.

A row is a run that alfil would prefer, and another one of as few letters that chooses the same
directions and stands in more strings of the corpus. `make docs` runs this.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from alfil.geometry import all_images
from alfil.notation.betza.directions import (
    DirectionRunError,
    DirectionSystem,
    join_tokens,
    select_vectors,
    shortest_letters_ignoring_usage,
    tokenise,
)

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "cases" / "betza_corpus.tsv"
TABLE = ROOT / "grammars" / "betza_usual.tsv"
# The letters of a first leg, those of how it moves, and its atom.
LEG = re.compile(r"(?<![a-z])i{0,2}([fblrvsh]+)[mcdekpgnjioyzq]*([A-Z])")
ATOMS: dict[DirectionSystem, str] = {"W": "WRDH", "F": "FBAG", "N": "NCZLJ", "K": "KQ"}
BASES: dict[DirectionSystem, tuple[tuple[int, int], ...]] = {
    "W": ((0, 1),),
    "F": ((1, 1),),
    "N": ((1, 2),),
    "K": ((0, 1), (1, 1)),
}


def strings_with(system: DirectionSystem) -> Counter[str]:
    """In how many strings of the corpus each run of directions stands on atoms of a system."""
    with CORPUS.open(encoding="utf-8", newline="") as file:
        texts = [row[0] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]
    found: Counter[str] = Counter()
    for text in texts:
        found.update({letters for letters, atom in LEG.findall(text) if atom in ATOMS[system]})
    return found


def rows() -> Iterator[str]:
    """The rows of the table."""
    for system in get_args(DirectionSystem):
        every = all_images(BASES[system])
        strings = strings_with(system)
        for usual, count in sorted(strings.items(), key=lambda each: (-each[1], each[0])):
            tokens = tokenise(usual, system)
            wanted = frozenset(
                select_vectors(tokens, every, system)
                if not isinstance(tokens, DirectionRunError)
                else ()
            )
            letters = (
                join_tokens(shortest_letters_ignoring_usage(wanted, every, system) or (), system)
                if wanted
                else ""
            )
            if len(letters) == len(usual) and strings[letters] < count:
                strings[letters] = count
                yield f"{system}\t{letters}\t{usual}\t{count}"


def table() -> str:
    """The table as a text."""
    return "\n".join(["system\tpreferred\tusual\tstrings", *rows(), ""])


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")

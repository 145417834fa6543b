"""The index of parts of several legs for `alfil.infer`: where each of them ends its moves.

    python docs/bent_columns.py

reads the rows "bent" of grammars/betza_columns.tsv and writes grammars/bent_columns.tsv: parts that
are drawn alike, with what is drawn of one of their directions within four squares of the piece,
the others being the same turned. Of parts that are the same piece the shortest is kept, and those
with one leg are left out. It takes about a minute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import alfil
from alfil.geometry import Vector
from alfil.translation.betza_candidates import all_atom_modifiers
from alfil.workbench.bent_part_index import (
    FIRST_LETTERS,
    INDEX_RADIUS,
    index_square_number,
    insert_direction_letters,
    sign_kind_name,
)
from alfil.workbench.drawn_board_reader import DrawnSign
from alfil.workbench.infer_notation import HIDDEN, drawn_board_of

ROOT = Path(__file__).parents[1]
GRAMMAR = ROOT / "grammars" / "betza_columns.tsv"
INDEX = ROOT / "grammars" / "bent_columns.tsv"
HEAD = "first\tsigns\tparts\n"
# The steps of the first legs, by their atoms; of others no direction can be chosen here.
STEPS: dict[str, tuple[Vector, ...]] = {
    "W": ((0, 1),),
    "R": ((0, 1),),
    "F": ((1, 1),),
    "B": ((1, 1),),
    "K": ((0, 1), (1, 1)),
    "Q": ((0, 1), (1, 1)),
    "N": ((1, 2),),
    "D": ((0, 2),),
    "A": ((2, 2),),
    "H": ((0, 3),),
    "G": ((3, 3),),
}
WHOLE: tuple[Vector, ...] = ((0, 0),)
# The atoms and ranges of parts of one leg.
ATOMS, RANGES = "WFKNDARBQHGCZ", ("", "2", "3", "0")


def grammar_texts() -> list[str]:
    """The texts that the grammar has, the shortest first: a choice for each pair of parentheses."""
    found: set[str] = set()
    for row in GRAMMAR.read_text(encoding="utf-8").splitlines():
        part, template, *_ = row.split("\t")
        if part == "bent":
            pieces = re.split(r"\(([^)]*)\)", template)
            choices = [each.split("|") if at % 2 else [each] for at, each in enumerate(pieces)]
            found.update("".join(chosen) for chosen in product(*choices))
    return sorted(found, key=lambda text: (len(text), text))


def distinct_texts() -> Iterator[str]:
    """Those that are pieces of several legs, each piece once."""
    simple = [
        f"{manner.letters}{atom}{steps}"
        for manner, atom, steps in product(all_atom_modifiers(), ATOMS, RANGES)
    ]
    known: set[object] = set()
    for at, text in enumerate([*simple, *grammar_texts()]):
        try:
            meaning = alfil.read(text).meaning
        except alfil.AlfilError:
            continue
        if meaning not in known:
            known.add(meaning)
            if at >= len(simple):
                yield text


def signs(facts: frozenset[DrawnSign]) -> str:
    """What is drawn as text: for each kind of sign the squares, as the bits of a number."""
    masks: dict[str, int] = {}
    for fact in facts:
        if max(map(abs, fact.at)) <= INDEX_RADIUS and fact.family not in HIDDEN:
            name = sign_kind_name(fact)
            masks[name] = masks.get(name, 0) | 1 << index_square_number(fact.at)
    return " ".join(f"{name}:{mask:x}" for name, mask in sorted(masks.items()))


def drawn_signs(text: str, step: Vector) -> str:
    """What is drawn of a part whose first leg begins with a step."""
    piece = alfil.read(insert_direction_letters(text, FIRST_LETTERS[step]))
    return signs(drawn_board_of(piece, INDEX_RADIUS).signs)


def index_rows() -> dict[tuple[Vector, str], list[str]]:
    """The parts by the step of their first leg and what is drawn of that direction."""
    rows: dict[tuple[Vector, str], list[str]] = {}
    for text in distinct_texts():
        first = re.search(r"[A-Z]", text)
        turns = re.match(r"[mc]?[zq]", text)
        for step in WHOLE if turns or first is None else STEPS[first.group()]:
            rows.setdefault((step, drawn_signs(text, step)), []).append(text)
    return rows


def main() -> None:
    """Write the index."""
    lines = [
        f"{step[0]},{step[1]}\t{drawn}\t{' '.join(texts)}\n"
        for (step, drawn), texts in sorted(index_rows().items())
        if drawn
    ]
    INDEX.write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

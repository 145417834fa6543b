"""How short texts get, how often that is proved, and which pieces boards give back.

    python docs/shortest.py [EVERY]

looks at every eighth, or every so many, of the strings of the corpus and of the pieces of the
bundled sets, and writes the figures of docs/shortest.md. A piece is regained from the board that
`alfil show` draws of it, as text; what `alfil.infer` asks is answered by drawing the piece there.
"""

from __future__ import annotations

import csv
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import alfil
from alfil.library.file_locations import bundled_set_names

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "cases" / "betza_corpus.tsv"
PAGE = ROOT / "docs" / "shortest.md"
BEGIN, END = "<!-- figures: made by `python docs/shortest.py` -->", "<!-- end of figures -->"
MOST_QUESTIONS = 8
EVERY = 8


class Figures(NamedTuple):
    """What was counted of some pieces; ``median`` and ``worst`` are milliseconds of one answer."""

    pieces: int
    shorter: int
    proved: int
    longer: int
    letters_saved: float
    median: float
    worst: float
    drawn: int
    regained: int
    questions: float


def corpus() -> list[alfil.Piece]:
    """The strings of the corpus that are pieces."""
    with CORPUS.open(encoding="utf-8", newline="") as file:
        texts = [row[0] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]
    return list(_with_moves(alfil.read(text) for text in texts if _is_read(text)))


def library() -> list[alfil.Piece]:
    """The pieces of the bundled sets, each text once."""
    pieces = {
        (entry.piece.notation, entry.piece.text): entry.piece
        for name in bundled_set_names()
        for entry in alfil.load(name).pieces
    }
    return list(_with_moves(pieces.values()))


def _is_read(text: str) -> bool:
    try:
        alfil.read(text)
    except alfil.AlfilError:
        return False
    return True


def _with_moves(pieces: Iterable[alfil.Piece]) -> Iterator[alfil.Piece]:
    for piece in pieces:
        try:
            alfil.compile(piece)
        except alfil.AlfilError:
            continue
        yield piece


def regained(piece: alfil.Piece) -> int | None:
    """How many questions it takes to know a piece from its boards; None where it is not found."""
    boards = [alfil.draw(piece).text()]
    for count in range(MOST_QUESTIONS):
        try:
            found = alfil.infer(boards)
        except alfil.AlfilError:
            return None
        if not found.questions:
            return count if alfil.same(found.text, piece, facts=False) else None
        asked = found.questions[0]
        squares = [*asked.friends, *asked.enemies, asked.move.to] if asked.move else []
        boards.append(
            alfil.draw(
                piece,
                radius=max(5, *(max(map(abs, at)) for at in squares)),
                unmoved=True,
                friends=asked.friends,
                enemies=asked.enemies,
                enemy_royals=asked.enemy_royals,
                unmoved_friends=asked.unmoved_friends,
                en_passant=asked.en_passant,
            ).text()
        )
    return None


def figures(pieces: list[alfil.Piece]) -> Figures:
    """What is counted of some pieces."""
    times: list[float] = []
    lengths: list[tuple[int, int]] = []
    proved = drawn = 0
    asked: list[int] = []
    for piece in pieces:
        begun = time.process_time()
        found = alfil.shortest(piece)
        times.append(1000 * (time.process_time() - begun))
        assert alfil.same(alfil.read(found.text, found.notation), piece)
        lengths.append((len(piece.text.strip()), len(found.text)))
        proved += found.proved
        try:
            questions = regained(piece)
        except alfil.AlfilError:
            continue
        drawn += 1
        if questions is None:
            sys.stderr.write(f"not regained: {piece.text}\n")
        else:
            asked.append(questions)
    return Figures(
        pieces=len(pieces),
        shorter=sum(after < before for before, after in lengths),
        proved=proved,
        longer=sum(after > before for before, after in lengths),
        letters_saved=1 - sum(b for _, b in lengths) / sum(a for a, _ in lengths),
        median=statistics.median(times),
        worst=max(times),
        drawn=drawn,
        regained=len(asked),
        questions=sum(map(bool, asked)),
    )


def table(every: int) -> str:
    """The figures as a table."""
    rows = [figures(some[::every]) for some in (corpus(), library())]
    lines = {
        f"pieces, one of {every}" if every > 1 else "pieces": [f"{row.pieces}" for row in rows],
        "shorter than people wrote": [f"{row.shorter}" for row in rows],
        "longer": [f"{row.longer}" for row in rows],
        "letters saved": [f"{row.letters_saved:.1%}" for row in rows],
        "proved shortest": [f"{row.proved} ({row.proved / row.pieces:.1%})" for row in rows],
        "median, worst (ms of CPU)": [f"{row.median:.1f}, {row.worst:.0f}" for row in rows],
        "regained from boards": [
            f"{row.regained} of {row.drawn} ({row.regained / row.drawn:.1%})" for row in rows
        ],
        "with questions": [f"{row.questions}" for row in rows],
    }
    head = ["| | corpus | library |", "|---|---|---|"]
    return "\n".join([*head, *(f"| {name} | {a} | {b} |" for name, (a, b) in lines.items())])


def main() -> None:
    """Write the figures into the page."""
    made = table(int(sys.argv[1]) if len(sys.argv) > 1 else EVERY)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

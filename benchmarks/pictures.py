"""What it costs to draw, beside two programs that draw less."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from statistics import median
from time import process_time
from typing import TypeVar

import betza_visualizer
import chess
import chess.svg

import alfil
from alfil.diagrams.board_atlas import BoardAtlas
from benchmarks.figures import Figure
from benchmarks.measure import column

RADIUS = 4  # a picture of 9×9 squares
SIZE = 9
ROUNDS = 3
RUNS = 3
PARTS = 16
Given = TypeVar("Given")
Result = TypeVar("Result")
# One of each kind of piece that is drawn from tables.
PIECES = ("N", "Q", "FyafsF", "nN", "mRcpR", "fmWfceFifmnD", "KNADcaKmcabK", "qN")
OURS = (
    "{0} texts that people use, {1}; it draws the board, every way to move with the sign of its"
    " kind, lines, the notation, a legend in words, an example, and for screen readers a title and"
    " a description; "
)
# What the process that draws has done before. The targets were set from a run that had read the
# texts, to leave out those that need a board, and had drawn none of them.
BEFORE = {
    "nothing seen": f"each once, in a process that has seen none of them, the median of {RUNS}",
    "read before": f"each once, in a process that has called `alfil.draw` with each of them and"
    f" made no picture, the median of {RUNS}",
    "again": f"each again, the best of {ROUNDS} rounds in each of {RUNS} processes, when alfil"
    " remembers the pieces and puts the drawings together again",
}
THEIRS = {
    "betza-visualizer": (
        "betza-visualizer draws an 11×11 board with squares coloured, and reads only the short"
        " forms of Betza."
    ),
    "chess.svg": (
        "python-chess's `chess.svg.board` draws an 8×8 board with one knight and its moves as given"
        " to it, without reading any notation."
    ),
}
# What must and the aim where the targets were set: 3,000 and 5,000 pictures a second, beside so
# many of each.
PEERS = {"betza-visualizer": 6_500, "chess.svg": 965}


def measured() -> Iterator[Figure]:
    """Pictures a second from text, and from tables that are there."""
    texts = list(dict.fromkeys(column("betza_corpus.tsv", "notation")))
    known = _elsewhere(_drawable, texts)
    unseen = [_elsewhere(_rates, known) for _ in range(RUNS)]
    read = [_elsewhere(_rates_when_read, known) for _ in range(RUNS)]
    again = [each for run in read for each in run]
    rates = {"nothing seen": _of(median, [run[0] for run in unseen])}
    rates |= {"read before": _of(median, [run[0] for run in read]), "again": _of(max, again)}
    for peer, words in THEIRS.items():
        for before, does in BEFORE.items():
            yield Figure(
                what=f"notation to SVG, 9×9: {before}",
                value=rates[before]["alfil"],
                unit="pictures/s",
                peer=peer,
                beside=rates[before][peer],
                must=None if before == "nothing seen" else 3_000 / PEERS[peer],
                aim=(3_000 if before == "nothing seen" else 5_000) / PEERS[peer],
                does=OURS.format(len(known), does) + words,
            )
    for text in PIECES:
        yield _from_table(text)


def _of(kind: Callable[[list[float]], float], rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: kind([each[name] for each in rounds]) for name in rounds[0]}


def _elsewhere(work: Callable[[list[str]], Result], texts: list[str]) -> Result:
    """What another process finds, so that this one goes on having seen none of the texts."""
    with ProcessPoolExecutor(1) as pool:
        return pool.submit(work, texts).result()


def _drawable(texts: list[str]) -> list[str]:
    """Those that alfil can draw without a board."""
    found = []
    for text in texts:
        try:
            alfil.draw(text, radius=RADIUS)
        except alfil.AlfilError:
            continue
        found.append(text)
    return found


def _rates_when_read(texts: list[str]) -> list[dict[str, float]]:
    return _rates(_drawable(texts))


def _rates(texts: list[str]) -> list[dict[str, float]]:
    """Pictures a second of each program, by round."""
    works: dict[str, tuple[Callable[[str], object], Sequence[str]]] = {
        "alfil": (lambda text: alfil.draw(text, radius=RADIUS).svg(), texts),
        "betza-visualizer": (betza_visualizer.render_betza_svg, texts),
        "chess.svg": (_chess_board, list(chess.SQUARE_NAMES)),
    }
    for work, _ in works.values():
        work("e4" if work is _chess_board else "N")  # loads what is loaded on first use
    rounds = []
    for _ in range(1 + ROUNDS):
        spent = zip(works.items(), _round(works.values()), strict=True)
        rounds.append({name: len(given) / seconds for (name, (_, given)), seconds in spent})
    return rounds


def _round(works: Collection[tuple[Callable[[str], object], Sequence[str]]]) -> list[float]:
    """Seconds of each work for all that it is given, a part of each in turn.

    A machine that is busy for a while is so for all of them.
    """
    spent = [0.0] * len(works)
    for part in range(PARTS):
        for at, (work, given) in enumerate(works):
            spent[at] += _seconds(work, given[part::PARTS])
    return spent


def _seconds(work: Callable[[Given], object], given: Sequence[Given]) -> float:
    started = process_time()
    for each in given:
        work(each)
    return process_time() - started


def _from_table(text: str) -> Figure:
    """Every square of a board, with what is made once for the table there already."""
    stamps = BoardAtlas(alfil.compile(text, files=SIZE, ranks=SIZE), notation=text)
    squares = list(product(range(SIZE), range(SIZE)))
    for square in squares:
        stamps.svg(square)
    many = squares * 20
    return Figure(
        what=f"table to SVG, 9×9: {text}",
        value=len(many) / min(_seconds(stamps.svg, many) for _ in range(ROUNDS)),
        unit="pictures/s",
        does="pictures of all squares of a board from one move table, which has drawn them before.",
    )


def _chess_board(name: str) -> str:
    board, square = chess.Board(None), chess.parse_square(name)
    board.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
    return str(chess.svg.board(board, fill=dict.fromkeys(board.attacks(square), "#88cc88")))

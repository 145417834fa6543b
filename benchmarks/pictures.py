"""What it costs to draw, beside two programs that draw less."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from time import process_time
from typing import TypeVar

import betza_visualizer
import chess
import chess.svg

import alfil
from alfil.diagrams.stamps import Stamps
from benchmarks.figures import Figure
from benchmarks.measure import column

RADIUS = 4  # a picture of 9×9 squares
SIZE = 9
ROUNDS = 3
Given = TypeVar("Given")
# One of each kind of piece that is drawn from tables.
PIECES = ("N", "Q", "FyafsF", "nN", "mRcpR", "fmWfceFifmnD", "KNADcaKmcabK", "qN")
OURS = (
    "{0} texts that people use, each once and then again, the best of {1} rounds, when alfil"
    " remembers the pieces and puts the drawings together anew; it draws the"
    " board, every way to move with the sign of its kind, lines, the notation, a legend in words,"
    " an example, and for screen readers a title and a description; "
)
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
    with ProcessPoolExecutor(1) as pool:  # so that this process has seen none of them
        known = pool.submit(_drawable, texts).result()
    works: dict[str, tuple[Callable[[str], object], Sequence[str]]] = {
        "alfil": (lambda text: alfil.draw(text, radius=RADIUS).svg(), known),
        "betza-visualizer": (betza_visualizer.render_betza_svg, known),
        "chess.svg": (_chess_board, list(chess.SQUARE_NAMES)),
    }
    for work, _ in works.values():
        work("e4" if work is _chess_board else "N")  # loads what is loaded on first use
    rounds = [{name: _rate(*each) for name, each in works.items()} for _ in range(1 + ROUNDS)]
    first = rounds[0]
    warm = {name: max(each[name] for each in rounds) for name in works}
    for peer, words in THEIRS.items():
        for when, rates in (("first time", first), ("again", warm)):
            yield Figure(
                what=f"notation to SVG, 9×9: {when}",
                value=rates["alfil"],
                unit="pictures/s",
                peer=peer,
                beside=rates[peer],
                must=3_000 / PEERS[peer],
                aim=5_000 / PEERS[peer],
                does=OURS.format(len(known), ROUNDS) + words,
                chief=True,
            )
    for text in PIECES:
        yield _from_table(text)


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


def _rate(work: Callable[[Given], object], given: Sequence[Given]) -> float:
    started = process_time()
    for each in given:
        work(each)
    return len(given) / (process_time() - started)


def _from_table(text: str) -> Figure:
    """Every square of a board, with what is made once for the table there already."""
    stamps = Stamps(alfil.compile(text, files=SIZE, ranks=SIZE), notation=text)
    squares = list(product(range(SIZE), range(SIZE)))
    for square in squares:
        stamps.svg(square)
    return Figure(
        what=f"table to SVG, 9×9: {text}",
        value=max(_rate(stamps.svg, squares * 20) for _ in range(ROUNDS)),
        unit="pictures/s",
        does="pictures of all squares of a board from one move table, which has drawn them before.",
    )


def _chess_board(name: str) -> str:
    board, square = chess.Board(None), chess.parse_square(name)
    board.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
    return str(chess.svg.board(board, fill=dict.fromkeys(board.attacks(square), "#88cc88")))

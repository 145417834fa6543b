"""What it costs to draw, next to two programs that draw less."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import betza_visualizer
import chess
import chess.svg

import alfil
from alfil.diagrams.stamps import Stamps
from benchmarks.measure import table

CASES = Path(__file__).parents[1] / "tests" / "cases"
RADIUS = 4  # a picture of 9×9 squares
SIZE = 9
ROUNDS = 3
Given = TypeVar("Given")
# One of each kind of piece that is drawn from tables.
PIECES = ("N", "Q", "FyafsF", "nN", "mRcpR", "fmWfceFifmnD")
AREA = ("KNADcaKmcabK", "qN")

WORDS = """\
alfil draws the board, every way to move with the sign of its kind, the lines of slides and bends,
the notation, a legend in words, and for screen readers a title and a description. betza-visualizer
draws an 11×11 board with squares coloured; it reads the short forms of Betza only and knows neither
lame leaps nor most chains. python-chess draws an 8×8 board with one knight and its moves as given
to it, without reading any notation.
"""


def texts() -> list[str]:
    """The strings of the corpus that have a meaning, each once."""
    with (CASES / "betza_corpus.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        found = dict.fromkeys(row["notation"] for row in rows)
    return [text for text in found if drawn(text)]


def drawn(text: str) -> bool:
    """Whether alfil can draw it without a board."""
    try:
        alfil.draw(text, radius=RADIUS)
    except alfil.AlfilError:
        return False
    return True


def rate(work: Callable[[Given], object], given: Sequence[Given]) -> tuple[float, float]:
    """Pictures a second: the first time, and the best of some rounds."""
    spent = []
    for _ in range(1 + ROUNDS):
        started = perf_counter()
        for each in given:
            work(each)
        spent.append(perf_counter() - started)
    return len(given) / spent[0], len(given) / min(spent)


def report() -> str:
    """The table: pictures a second."""
    known = texts()
    # Warms what is loaded on first use, not what is drawn.
    alfil.draw("N").svg()
    betza_visualizer.render_betza_svg("N")
    rows = [_row("notation to 9×9 SVG", lambda text: alfil.draw(text, radius=RADIUS).svg(), known)]
    diagrams = [alfil.draw(text, radius=RADIUS) for text in known]
    rows.append(_row("diagram to SVG", lambda diagram: diagram.svg(), diagrams))
    rows += [_from_table(text) for text in (*PIECES, *AREA)]
    rows.append(_row("betza-visualizer, notation to SVG", betza_visualizer.render_betza_svg, known))
    rows.append(_row("python-chess, board to SVG", _chess_board, list(chess.SQUARES)))
    title = f"Pictures a second; {len(known)} strings people use, or all squares of a board"
    return table(title, ["", "at first", "after that"], rows) + "\n" + WORDS


def _row(name: str, work: Callable[[Given], object], given: Sequence[Given]) -> list[str]:
    return [name, *(f"{figure:,.0f}" for figure in rate(work, given))]


def _from_table(text: str) -> list[str]:
    """Every square of a board; at first with what is made once for the table."""
    compiled = alfil.compile(text, files=SIZE, ranks=SIZE)
    squares = list(product(range(SIZE), repeat=2))
    started = perf_counter()
    stamps = Stamps(compiled, notation=text)
    for square in squares:
        stamps.svg(square)
    at_first = len(squares) / (perf_counter() - started)
    many = [square for _ in range(20) for square in squares]
    _, then = rate(stamps.svg, many)
    return [f"table to 9×9 SVG, {text}", f"{at_first:,.0f}", f"{then:,.0f}"]


def _chess_board(square: int) -> str:
    board = chess.Board(None)
    board.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
    return str(chess.svg.board(board, fill=dict.fromkeys(board.attacks(square), "#88cc88")))

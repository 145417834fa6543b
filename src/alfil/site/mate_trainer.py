"""King and a piece against a lone king, to be mated: the game, where it begins, how far mate is."""

from __future__ import annotations

from random import Random

from alfil.api import Piece, readings
from alfil.errors import AlfilError, PositionError, RuleError, reject
from alfil.library.library import Library, LibraryPiece
from alfil.library.statements import quoted
from alfil.notation.description import DEFAULT_NOTATION
from alfil.play.game import Game
from alfil.play.tablebase import Tablebase
from alfil.site.corrected_texts import LONGEST, read_or_find_piece
from alfil.source import Source

# What a source has that is of this kind: the text of the piece, and its notation if it is known.
MATE, NOTATION = "mate", "notation"
ENDING, LONGEST_NAME = "KXK", 40
FILE = """game {title}
board 8x8
rule first = white
rule stalemate = draw
rule insufficient = draw
piece K "king" betza=K royal
piece X {name} {notation}={text}
"""
# A game begins in the position of so many won ones that takes longest; so many are tried at most.
DRAWN_BY_LOT, TRIES = 8, 500


def ending_piece_file(text: str, notation: str = "") -> str:
    """The piece file of the game for a piece by its name, or in that or in any notation.

    Raises what reading raises.

    >>> print(ending_piece_file("griffon").splitlines()[-1])
    piece X "griffon" betza="[F?R]"
    """
    piece, library_piece = _read_piece_in_any_notation(text, notation or DEFAULT_NOTATION)
    name = " ".join((library_piece.entry.name if library_piece else text).split())
    if len(name) > LONGEST_NAME:
        name = "piece"
    return FILE.format(
        title=quoted(f"King and {name} against king"),
        name=quoted(name),
        notation=piece.notation,
        text=quoted(piece.text.strip()),
    )


def _read_piece_in_any_notation(text: str, notation: str) -> tuple[Piece, LibraryPiece | None]:
    """A piece in a notation, or else in the first other one that reads the text."""
    try:
        return read_or_find_piece(text, notation)
    except AlfilError:
        others = readings(text) if len(text) <= LONGEST else ()
        for each in others:
            return each, None
        raise


def solve_ending(library: Library) -> Tablebase:
    """The ending of the game.

    Raises `RuleError` where it cannot be solved, and where no position is won.
    """
    table = Tablebase.make(library.variant, [ENDING])
    if not table.tally(ENDING)[0].won:
        message = f"king and {library['X'].name} never mate a lone king"
        text = library["X"].piece.text
        reject(RuleError, "no-tablebase", message, Source(text, "<piece>"))
    return table


def random_winning_position(library: Library, table: Tablebase, seed: int) -> str:
    """A position that White wins, drawn by lot, in which mate is rather far."""
    random = Random(seed)
    found: list[tuple[int, str]] = []
    for _ in range(TRIES):
        text = _random_position_text(library, random)
        try:
            game = library.game(text)
        except PositionError:
            continue
        probe = None if game.outcome() else table.probe(game)
        if probe and probe.result == "win":
            found.append((probe.plies, game.fen()))
        if len(found) == DRAWN_BY_LOT:
            break
    longest = table.longest_win_position(ENDING)
    assert longest
    return max(found)[1] if found else longest


def _random_position_text(library: Library, random: Random) -> str:
    """White's king and piece and Black's king on squares by lot, White to move."""
    size = library.files * library.ranks
    board = ["1"] * size
    for square, symbol in zip(random.sample(range(size), len(ENDING)), "KXk", strict=True):
        board[square] = symbol
    rows = ["".join(board[at : at + library.files]) for at in range(0, size, library.files)]
    return f"{'/'.join(rows)} w - 1"


def white_moves_to_mate(table: Tablebase, game: Game) -> int:
    """The moves that White needs to mate by best play; 0 where no mate is forced."""
    probe = None if game.outcome() else table.probe(game)
    if probe is None or probe.result != ("win" if game.side_to_move == 0 else "loss"):
        return 0
    return (probe.plies + 1) // 2

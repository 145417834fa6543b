"""Names of pieces, squares and positions that KIF and CSA share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, NoReturn

from alfil.errors import NotationError, RecordError, reject
from alfil.game.moves import Move
from alfil.game.sfen import board_rows
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.session import Round
from alfil.source import Source, Span
from alfil.squares import parse_square, square_name_on

DEFAULT_VARIANT = "shogi"
STARTING_POSITION = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"


class ShogiPieceNames(NamedTuple):
    """The names of a piece in KIF moves, on KIF boards, and in CSA."""

    kif: str
    board: str
    csa: str


# By the letter of positions.
NAMES_BY_LETTER = {
    "K": ShogiPieceNames("玉", "玉", "OU"),
    "R": ShogiPieceNames("飛", "飛", "HI"),
    "B": ShogiPieceNames("角", "角", "KA"),
    "G": ShogiPieceNames("金", "金", "KI"),
    "S": ShogiPieceNames("銀", "銀", "GI"),
    "N": ShogiPieceNames("桂", "桂", "KE"),
    "L": ShogiPieceNames("香", "香", "KY"),
    "P": ShogiPieceNames("歩", "歩", "FU"),
    "+R": ShogiPieceNames("龍", "龍", "RY"),
    "+B": ShogiPieceNames("馬", "馬", "UM"),
    "+S": ShogiPieceNames("成銀", "全", "NG"),
    "+N": ShogiPieceNames("成桂", "圭", "NK"),
    "+L": ShogiPieceNames("成香", "杏", "NY"),
    "+P": ShogiPieceNames("と", "と", "TO"),
}
# Other spellings that are read.
LETTER_BY_OTHER_NAME = {"王": "K", "竜": "+R", "全": "+S", "圭": "+N", "杏": "+L"}


class ShogiMoveQuery(NamedTuple):
    """A move as KIF and CSA tell it; squares as "77", the start "00" for a drop.

    ``letter`` is that of the piece before the move, or after it where ``is_letter_after_move``.
    """

    start: str
    target: str
    letter: str
    promotes: bool = False
    is_letter_after_move: bool = False


def has_shogi_names(variant: Variant) -> bool:
    """Whether all pieces and squares of a game have names in KIF and CSA."""
    small = max(variant.files, variant.ranks) < 10  # noqa: PLR2004 - squares have two figures
    known = all(kind.letter.upper() in NAMES_BY_LETTER for kind in variant.kinds)
    return known and small and variant.rules.coordinates == "shogi"


def require_shogi_names(variant: Variant, form: str) -> None:
    """Refuse a game with a piece or square that KIF and CSA have no name for."""
    strange = [kind.code for kind in variant.kinds if kind.letter.upper() not in NAMES_BY_LETTER]
    if not has_shogi_names(variant):
        what = f"no name for {strange[0]}" if strange else "no names for these squares"
        message = f"{form.upper()} has {what}"
        hint = "it is for shogi and its smaller sisters; pgn and hodges are for any game"
        source = Source(variant.name, "<game>")
        reject(RecordError, "no-names", message, source, Span(0, len(variant.name)), hint)


def read_shogi_move(game: Game, query: ShogiMoveQuery, text: str) -> Move:
    """The legal move that is meant; raises `NotationError` and `IllegalMove` as `read_move`."""
    variant = game.variant
    target = _square_name(variant, query.target)
    if query.start == "00":
        return game.read_move(f"{query.letter}*{target}")
    start = _square_name(variant, query.start)
    at = parse_square(start, variant.files, variant.ranks, "shogi")
    code, _ = game.pieces.get(at, ("", 0)) if at else ("", 0)
    letter = game.symbol(code) if code else ""
    promotes = query.promotes or (query.is_letter_after_move and query.letter == f"+{letter}")
    if code and letter != (letter if promotes and query.is_letter_after_move else query.letter):
        message = f"{letter} is on {start}, not {query.letter}"
        reject(
            NotationError, "wrong-start", message, Source(text, "<move>"), hint="look at the board"
        )
    move = game.read_move(f"{start}{target}{'+' if promotes else ''}")
    if bool(move.promotes) != promotes:
        message = "this promotion cannot be declined"
        reject(NotationError, "wrong-mark", message, Source(text, "<move>"), hint="write it")
    return move


def reject_move_text(text: str, hint: str) -> NoReturn:
    """Raise the error for a text that is no move."""
    source = Source(text, "<move>")
    reject(NotationError, "unreadable-move", "this is no move", source, hint=hint)


def _square_name(variant: Variant, digits: str) -> str:
    file, rank = int(digits[0]), int(digits[1])
    return square_name_on(
        (variant.files - file, variant.ranks - rank), variant.files, variant.ranks, "shogi"
    )


def square_digits(variant: Variant, square: tuple[int, int]) -> str:
    """A square as "77": file from the right, rank from above."""
    return f"{variant.files - square[0]}{variant.ranks - square[1]}"


def position_text(
    board: Sequence[Sequence[str]], hands: tuple[Mapping[str, int], Mapping[str, int]], side: int
) -> str:
    """The text of a position; ``board`` has rows of letters from above, small for the second side.

    >>> position_text([["k", ""], ["", "K"]], ({"P": 2}, {}), 0)
    'k1/1K b 2P 1'
    """
    symbols = [letter for row in reversed(board) for letter in row]
    rows = board_rows(symbols, len(board[0]))
    held = [
        f"{count if count > 1 else ''}{letter.lower() if second else letter}"
        for second, hand in enumerate(hands)
        for letter, count in hand.items()
        if count
    ]
    return f"{rows} {'bw'[side]} {''.join(held) or '-'} 1"


def starting_board() -> list[list[str]]:
    """The rows of shogi as it begins, from above."""
    rows = STARTING_POSITION.split("/")
    return [
        [each for sign in row for each in ([""] * int(sign) if sign.isdigit() else [sign])]
        for row in rows
    ]


def comment_lines(played: Round, index: int, mark: str) -> Iterator[str]:
    """The comments behind a move, each line with the mark of comments before it."""
    for text in played.comments.get(index, []):
        yield from (f"{mark}{line}" for line in text.splitlines() if line.strip())


def board_letters(game: Game) -> list[list[str]]:
    """The letters of a board, row by row from above, small for the second side."""
    variant, standing = game.variant, game.pieces
    return [
        [
            game.symbol(*standing[file, rank]) if (file, rank) in standing else ""
            for file in range(variant.files)
        ]
        for rank in reversed(range(variant.ranks))
    ]

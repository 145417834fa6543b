"""A board of a game as text, padded by display width.

The second side's pieces have a v before them, or are small letters where every code is one letter
and the board is chess's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, TypeAlias

from alfil.diagrams.boards import Board, Held, Square
from alfil.diagrams.pieces import Token
from alfil.source import display_width, printable

LONGEST = 8
# What a cell of the board is painted for: a target, a square of the last move, the second side.
Ink: TypeAlias = Literal["target", "last", "second"]
Paint: TypeAlias = Callable[[str, Ink], str]


def board_text(
    board: Board,
    *,
    kanji: bool = False,
    times: str = "×",
    targets: Collection[Square] = (),
    turned: bool = False,
    paint: Paint | None = None,
) -> str:
    """The board with its coordinates, the second side's hand above and the first side's below.

    ``kanji`` writes the characters of pieces that have any instead of their codes. Squares of the
    last move are in brackets, ``targets`` between ``<`` and ``>``. ``times`` stands before how many
    of a piece are in a hand. The board is ``turned`` for the second side. ``paint`` adds colours,
    which say nothing that the signs do not.

    >>> from alfil.diagrams.boards import Standing
    >>> print(board_text(Board(2, 2, (Standing((0, 0), 0, Token("K")),), turn=0)))
      2  1
    +------+
    | .  . | a
    | K  . | b
    +------+
    black to move
    """
    small = board.coordinates == "chess" and all(_one_letter(p.token.code) for p in board.pieces)
    cells = {at: _label(token, side, kanji=kanji, small=small) for at, side, token in board.pieces}
    wide = max(1, *map(display_width, [*cells.values(), *board.file_labels()]))
    files = range(board.files)
    ranks = range(board.ranks)
    inks = _inks(board, targets)
    rows = [
        "".join(
            _cell(cells.get((file, rank), "."), wide, inks.get((file, rank)), paint)
            for file in (reversed(files) if turned else files)
        )
        for rank in (ranks if turned else reversed(ranks))
    ]
    above, below = (0, 1) if turned else (1, 0)
    return "\n".join(
        line.rstrip()
        for line in [
            *([printable(board.title)] if board.title else []),
            *_hand_line(board, above, times, kanji=kanji),
            *_framed(board, rows, wide, turned=turned),
            *_hand_line(board, below, times, kanji=kanji),
            *([printable(f"{board.sides[board.turn]} to move")] if board.turn is not None else []),
        ]
    )


def _framed(board: Board, rows: list[str], wide: int, *, turned: bool) -> list[str]:
    order = -1 if turned else 1
    labels = " ".join(f" {label:^{wide}}" for label in board.file_labels()[::order])
    edge = f"+{'-' * ((wide + 2) * board.files)}+"
    names = board.rank_labels()[::order]
    if board.coordinates == "chess":
        left = max(map(len, names))
        body = [f"{name:>{left}} |{row}|" for name, row in zip(names, rows, strict=True)]
        pad = " " * (left + 1)
        return [pad + edge, *body, pad + edge, f"{pad} {labels}"]
    body = [f"|{row}| {name}" for name, row in zip(names, rows, strict=True)]
    return [f" {labels}", edge, *body, edge]


def _inks(board: Board, targets: Collection[Square]) -> dict[Square, Ink]:
    """What each square is painted for, if anything."""
    inks: dict[Square, Ink] = {each.square: "second" for each in board.pieces if each.side}
    inks |= dict.fromkeys(board.marked, "last")
    return inks | dict.fromkeys(targets, "target")


_BESIDE: dict[Ink | None, tuple[str, str]] = {"target": ("<", ">"), "last": ("[", "]")}


def _cell(text: str, wide: int, ink: Ink | None, paint: Paint | None) -> str:
    left = (wide - display_width(text)) // 2
    text = " " * left + text + " " * (wide - left - display_width(text))
    before, after = _BESIDE.get(ink, (" ", " "))
    text = f"{before}{text}{after}"
    return paint(text, ink) if paint and ink else text


def _hand_line(board: Board, side: int, times: str, *, kanji: bool) -> list[str]:
    if not any(board.hands):
        return []
    held = " ".join(_counted(each, times, kanji=kanji) for each in board.hands[side]) or "nothing"
    return [printable(f"{board.sides[side]} in hand: {held}")]


def _counted(held: Held, times: str, *, kanji: bool) -> str:
    name = _face(held.token, kanji=kanji)
    return name if held.number == 1 else f"{name}{times}{held.number}"


def _label(token: Token, side: int, *, kanji: bool, small: bool) -> str:
    name = _face(token, kanji=kanji)
    if small and not kanji:
        return name.lower() if side else name.upper()
    return f"v{name}" if side else name


def _face(token: Token, *, kanji: bool) -> str:
    name = token.kanji if kanji and token.kanji else token.code
    return printable(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…")


def _one_letter(code: str) -> bool:
    return len(code) == 1 and code.isalpha()

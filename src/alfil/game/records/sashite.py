"""PAN, PMN and FEEN, the formats of Sashité: written, never read.

Their texts have changed their meaning under one version number, so that a reader could only guess.
Written are PAN as in gem 4.0.0, PMN as rows of (from, to, piece), and FEEN. Squares are in CELL,
`*` is the hand, letters are those of positions with the case of the side. The style, which stands
before a piece in PMN and at the end of FEEN, is the first letter of the game's title.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NoReturn

from alfil.errors import Finding, NotationError
from alfil.game.moves import Move
from alfil.geometry import square_name
from alfil.source import Source, Span

if TYPE_CHECKING:
    from alfil.game.game import Game

_SYMBOL = re.compile(r"\+?[A-Za-z]")


def write_pan(game: Game, ply: Move) -> str:
    """A move in PAN: `e2-e4`, `d5+c7=+N`, `T*e5`.

    Where something else than the target is captured, or a partner comes along, the sign is `~`,
    which leaves it to the rules what; a piece that captures without moving is `+` and the square
    taken. Raises `NotationError` for a piece whose letter PAN does not have.
    """
    target = square_name(*ply.target)
    side = game.turn
    if ply.origin is None:
        return f"{_symbol(game, ply.code, side)}*{target}"
    if ply.origin == ply.target and len(ply.captures) == 1 and not ply.promotes:
        return f"+{square_name(*ply.captures[0])}"
    plain = ply.captures in {(), (ply.target,)} and not ply.partner
    sign = "~" if not plain else "+" if ply.captures else "-"
    form = f"={_symbol(game, ply.promotes, side)}" if ply.promotes else ""
    return f"{square_name(*ply.origin)}{sign}{target}{form}"


def write_pmn(game: Game, ply: Move) -> str:
    """A move in PMN, as JSON: what is captured goes to the hand, then the piece to its target.

    PMN has no other place for captured pieces: where they leave the game they go to `*` as well.
    """
    board, side = game.pieces, game.turn
    row = [
        part
        for square in ply.captures
        for part in (square_name(*square), "*", _named(game, *board[square]))
    ]
    origin = square_name(*ply.origin) if ply.origin else "*"
    row += [origin, square_name(*ply.target), _named(game, ply.promotes or ply.code, side)]
    if ply.partner:
        start, end = ply.partner
        row += [square_name(*start), square_name(*end), _named(game, *board[start])]
    return json.dumps(row, separators=(",", ":"))


def write_feen(game: Game) -> str:
    """The position in FEEN: board, hands of the first and the second side, style of who moves.

    Royal pieces are marked with `^`. What FEEN has no place for is left out: the number of the
    move, and which pieces have moved.
    """
    hands = "/".join(_hand(game, side) for side in (0, 1))
    styles = (_style(game, 0), _style(game, 1))
    active = "/".join(styles[::-1] if game.turn else styles)
    return f"{_board(game)} {hands} {active}"


def _board(game: Game) -> str:
    variant, board = game.variant, game.pieces
    rows = []
    for rank in reversed(range(variant.ranks)):
        row, empty = "", 0
        for file in range(variant.files):
            standing = board.get((file, rank))
            if standing is None:
                empty += 1
                continue
            royal = "^" if variant.kind(standing[0]).royal else ""
            row += f"{empty or ''}{_symbol(game, *standing)}{royal}"
            empty = 0
        rows.append(f"{row}{empty or ''}")
    return "/".join(rows)


def _hand(game: Game, side: int) -> str:
    held = [(-count, _symbol(game, code, side)) for code, count in game.hands[side].items()]
    return "".join(f"{-less if less < -1 else ''}{symbol}" for less, symbol in sorted(held))


def _named(game: Game, code: str, side: int) -> str:
    return f"{_style(game, side)}:{_symbol(game, code, side)}"


def _style(game: Game, side: int) -> str:
    letters = [each for each in game.variant.title + game.variant.name if each.isascii()]
    first = next((each for each in letters if each.isalpha()), "A")
    return first.lower() if side else first.upper()


def _symbol(game: Game, code: str, side: int) -> str:
    symbol = game.symbol(code, side)
    if not _SYMBOL.fullmatch(symbol):
        _refuse(symbol, code)
    return symbol


def _refuse(symbol: str, code: str) -> NoReturn:
    message = f"{code} is written {symbol} in positions, and these formats have letters only"
    hint = "give the piece a letter of its own: letter=X"
    finding = Finding("no-letter", message, (Span(0, len(symbol)),), hint)
    raise NotationError([finding], Source(symbol, "<piece>"))

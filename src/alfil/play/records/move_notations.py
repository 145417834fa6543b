"""Moves in all supported notations, and positions in FEEN.

PAN, PMN and FEEN are the formats of Sashité: written, never read. Their texts have changed their
meaning under one version number, so that a reader could only guess. Written are PAN as in gem
4.0.0, PMN as rows of (from, to, piece), and FEEN. Squares are in CELL, `*` is the hand, letters are
those of positions with the case of the side. The style, which stands before a piece in PMN and at
the end of FEEN, is the first letter of the game's title.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from alfil.errors import NotationError, reject, reject_unknown_name, require_type
from alfil.game.moves import Move
from alfil.game.sfen import board_rows
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.records import hodges, san
from alfil.source import Source
from alfil.squares import square_name

_SYMBOL = re.compile(r"\+?[A-Za-z]")


def write_pan(game: Game, move: Move) -> str:
    """A move in PAN: `e2-e4`, `d5+c7=+N`, `T*e5`.

    Where something else than the target is captured, or a partner comes along, the sign is `~`,
    which leaves it to the rules what; a piece that captures without moving is `+` and the square
    taken. Raises `NotationError` for a piece whose letter PAN does not have.
    """
    target = square_name(*move.target)
    side = game.side_to_move
    if move.origin is None:
        return f"{_piece_symbol(game, move.code, side)}*{target}"
    if move.origin == move.target and len(move.captures) == 1 and not move.promotes:
        return f"+{square_name(*move.captures[0])}"
    plain = move.captures in {(), (move.target,)} and not move.partner
    sign = "~" if not plain else "+" if move.captures else "-"
    form = f"={_piece_symbol(game, move.promotes, side)}" if move.promotes else ""
    return f"{square_name(*move.origin)}{sign}{target}{form}"


def write_pmn(game: Game, move: Move) -> str:
    """A move in PMN, as JSON: what is captured goes to the hand, then the piece to its target.

    PMN has no other place for captured pieces: where they leave the game they go to `*` as well.
    """
    board, side = game.pieces, game.side_to_move
    row = [
        part
        for square in move.captures
        for part in (square_name(*square), "*", _pmn_piece(game, *board[square]))
    ]
    origin = square_name(*move.origin) if move.origin else "*"
    row += [
        origin,
        square_name(*move.target),
        _pmn_piece(game, move.promotes or move.code, side),
    ]
    if move.partner:
        start, end = move.partner
        row += [square_name(*start), square_name(*end), _pmn_piece(game, *board[start])]
    return json.dumps(row, separators=(",", ":"))


def write_feen(game: Game) -> str:
    """The position in FEEN: board, hands of the first and the second side, style of who moves.

    Royal pieces are marked with `^`. What FEEN has no place for is left out: the number of the
    move, and which pieces have moved.
    """
    require_type(game, Game, "a position is that of a Game")
    hands = "/".join(_feen_hand(game, side) for side in (0, 1))
    styles = (_style_letter(game, 0), _style_letter(game, 1))
    active = "/".join(styles[::-1] if game.side_to_move else styles)
    return f"{_feen_board(game)} {hands} {active}"


def _feen_board(game: Game) -> str:
    variant = game.variant
    symbols = [""] * (variant.files * variant.ranks)
    for (file, rank), (code, side) in game.pieces.items():
        royal = "^" if variant.kind(code).royal else ""
        symbols[rank * variant.files + file] = _piece_symbol(game, code, side) + royal
    return board_rows(symbols, variant.files)


def _feen_hand(game: Game, side: int) -> str:
    held = [(-count, _piece_symbol(game, code, side)) for code, count in game.hands[side].items()]
    return "".join(f"{-less if less < -1 else ''}{symbol}" for less, symbol in sorted(held))


def _pmn_piece(game: Game, code: str, side: int) -> str:
    return f"{_style_letter(game, side)}:{_piece_symbol(game, code, side)}"


def _style_letter(game: Game, side: int) -> str:
    letters = [each for each in game.variant.title + game.variant.name if each.isascii()]
    first = next((each for each in letters if each.isalpha()), "A")
    return first.lower() if side else first.upper()


def _piece_symbol(game: Game, code: str, side: int) -> str:
    symbol = game.symbol(code, side)
    if not _SYMBOL.fullmatch(symbol):
        message = f"{code} is written {symbol} in positions, and these formats have letters only"
        hint = "give the piece a letter of its own: letter=X"
        reject(NotationError, "no-letter", message, Source(symbol, "<piece>"), hint=hint)
    return symbol


def write_san(game: Game, move: Move) -> str:
    """A move in SAN, without the mark of check where `Game` would read it as a promotion."""
    text = san.write(game, move)
    if text[-1] not in "+#":
        return text
    try:
        return text if game.read_move(text) == move else text[:-1]
    except NotationError:
        return text  # as in games whose squares are named as in shogi


_WRITERS: dict[str, Callable[[Game, Move], str]] = {
    "hodges": hodges.write,
    "usi": lambda _, move: move.usi,
    "cell": lambda _, move: move.cell,
    "arrow": hodges.write_cell_arrow_move,
    "san": write_san,
    "pan": write_pan,
    "pmn": write_pmn,
}
NOTATIONS = tuple(_WRITERS)


def usual_move_notation(variant: Variant) -> str:
    """The notation that players of a game use: SAN with squares as in chess, else Hodges."""
    return "san" if variant.rules.coordinates == "chess" else "hodges"


def write_move(game: Game, move: Move, form: str | None = None) -> str:
    """A legal move as text, before it is made.

    Unless ``form`` is given it is san where squares are named as in chess and SAN tells the move
    from all others, else hodges. Others are usi, cell (in the manner of UCI, with squares in CELL),
    arrow (CELL and HAND, `* → e4`), pan and pmn. `Game` reads all but pan and pmn, SAN where
    squares are named as in chess. Raises `AlfilError` for other forms, `IllegalMove` for a move
    that is not legal, and `NotationError` where pan or pmn have no letter for a piece.

    >>> import alfil
    >>> game = alfil.load("hand_shogi").game()
    >>> [write_move(game, game.read_move("6g6f"), form) for form in ("hodges", "cell", "pan")]
    ['SO-6f', 'd3d4', 'd3-d4']
    """
    if form is not None and form not in _WRITERS:
        reject_unknown_name("unknown-form", form, NOTATIONS)
    require_type(game, Game, "a move is written in a Game")
    move = game.read_move(move)
    text = _WRITERS[usual_move_notation(game.variant) if form is None else form](game, move)
    # Where SAN does not tell moves apart it is as in USI.
    return hodges.write(game, move) if form is None and text == move.usi else text

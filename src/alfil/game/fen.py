"""Positions as FEN: what chess programs call the same position, and nothing left out of it."""

from __future__ import annotations

from typing import NoReturn

from alfil.errors import PositionError, RuleError, reject
from alfil.game.compiled_variant import DROPPED_MOVE_COUNT, CompiledVariant
from alfil.game.position import Position
from alfil.game.sfen import Alphabet, board_rows, castling_partners, read_position
from alfil.source import Source
from alfil.squares import number_in_letters

SFEN_FIELDS = 4
FULL_POSITION_HINT = "`Game.position_text` says all of the position"

# The castling rights of one side: for each partner the letter of its wing, where that is enough,
# and the letter of its file.
CastlingRights = list[tuple[str, str]]


def write_fen(
    position: Position, alphabet: Alphabet, ep_square: int | None, *, shredder: bool = False
) -> str:
    """A position as FEN, from which `read_position` makes one with the same legal moves.

    ``ep_square`` is the en passant square, where a move may capture there. With ``shredder``
    castling rights are letters of files, else only where KQkq would not say which partners they
    are of. Where a royal has been captured it is not read again. Raises `RuleError` where the game
    or the position has no FEN.
    """
    compiled = position.compiled
    if compiled.rules.first != "white":
        _refuse(
            compiled, "FEN is of games in which White moves first", "write it as SFEN", "no-fen"
        )
    why = "FEN cannot say"
    for by_file in (True,) if shredder else (False, True):
        text = _fen_text(position, alphabet, ep_square, by_file=by_file)
        try:
            lost = _fen_loss(position, read_position(text, compiled, alphabet), ep_square)
        except PositionError as error:
            # After its royal was captured a side has none, which is not read again.
            lost = "" if error.kind == "position-royals" else f"that {error.first_error.message}"
        if not lost:
            return text
        why = f"FEN cannot say {lost}"
    return _refuse(compiled, why, FULL_POSITION_HINT, "no-fen")


def require_plain_sfen(compiled: CompiledVariant, text: str) -> str:
    """The text of a position if it is SFEN, the four fields of shogi; else raises `RuleError`."""
    if compiled.rules.first != "black":
        _refuse(
            compiled, "SFEN is of games in which Black moves first", "write it as FEN", "no-sfen"
        )
    more = text.split(" ")[SFEN_FIELDS:]
    if more:
        _refuse(compiled, f"SFEN cannot say {' '.join(more)}", FULL_POSITION_HINT, "no-sfen")
    return text


def _refuse(compiled: CompiledVariant, message: str, hint: str, kind: str) -> NoReturn:
    reject(RuleError, kind, message, Source(compiled.variant.name, "<game>"), hint=hint)


def _fen_text(
    position: Position, alphabet: Alphabet, ep_square: int | None, *, by_file: bool
) -> str:
    compiled, signs = position.compiled, alphabet.fen_symbols
    hands = "".join(
        signs[1 + 2 * kind + side] * count
        for side in (0, 1)
        for kind, count in enumerate(position.hands[side])
    )
    board = board_rows([signs[piece] for piece in position.board], compiled.files)
    rights = "".join(
        each.upper() if side == 0 else each.lower()
        for side in (0, 1)
        for each in dict.fromkeys(
            file if by_file else wing for wing, file in _castling_rights_of_side(position, side)
        )
    )
    needed = compiled.checks_to_win
    checks = [f"{needed - position.checks[0]}+{needed - position.checks[1]}"] if needed else []
    fields = [
        f"{board}[{hands}]" if compiled.variant.has_hands else board,
        alphabet.sides[position.turn],
        rights or "-",
        "-" if ep_square is None else compiled.square_name(ep_square),
        *checks,
        str(position.idle),
        str((position.number + 1) // 2),
    ]
    return " ".join(fields)


def _castling_rights_of_side(position: Position, side: int) -> CastlingRights:
    """The partners of a side that may still castle, from the last file to the first."""
    compiled, made = position.compiled, position.made
    result = dict[int, str]()
    for square, piece in position.pieces:
        if (piece - 1) % 2 == side and compiled.is_castler[piece] and made[square] == 0:
            for partner in castling_partners(position, square):
                if made[partner] == 0:
                    result[partner % compiled.files] = "K" if partner > square else "Q"
    return [
        (wing, number_in_letters(file).upper())
        for file, wing in sorted(result.items(), reverse=True)
    ]


def _fen_loss(position: Position, reread: Position, ep_square: int | None) -> str:
    """What a position that was read from FEN lacks, or has too much."""
    trail = {} if ep_square is None else {ep_square: position.trail[ep_square]}
    for what, one, other in (
        ("what stands on the board", position.board, reread.board),
        ("what is in hand", position.hands, reread.hands),
        (
            "which pieces have moved, or hold others",
            _move_counts_and_rights(position),
            _move_counts_and_rights(reread),
        ),
        ("which piece is captured en passant", trail, reread.trail),
        ("which piece may not be exchanged now", position.exchanged, reread.exchanged),
        ("how many checks were given", position.checks, reread.checks),
        ("what a countdown has come to", position.countdown, reread.countdown),
        (
            "whose turn it is of several in a row",
            _ply_in_turn_period(position),
            _ply_in_turn_period(reread),
        ),
    ):
        if one != other:
            return what
    return ""


def _ply_in_turn_period(position: Position) -> int:
    """Which of the moves comes that a side makes in a row."""
    turns = position.compiled.turn_condition_period
    return position.number % (2 * turns) if turns > 1 else 0


def _move_counts_and_rights(position: Position) -> tuple[int, ...]:
    """The history that distinguishes positions: move counts and castling rights."""
    compiled, made = position.compiled, position.made
    result: list[int] = []
    for square, piece in position.pieces if compiled.needs_move_counts else ():
        limit = compiled.piece_move_count_caps[piece]
        if made[square] == DROPPED_MOVE_COUNT and limit:
            result += (square, 0)
        elif 0 <= made[square] < limit:
            result += (square, made[square])
        if made[square] == 0 and compiled.is_castler[piece]:
            for partner in castling_partners(position, square):
                if made[partner] == 0:
                    result += (-1, square, partner)
    # -3 is no square, so that who holds whom is never taken for a count of moves.
    return tuple(result) + tuple(each for pair in position.holds for each in (-3, *pair))

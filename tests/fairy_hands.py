"""Fairy-Stockfish on games with pieces in hand: variants, and its moves in shogi's spelling.

It knows no rule for the file of a soldier that is moved, for a drop that must give check, nor for
zones of drops by kind (R7, R15, R16, R18): its Hand shogi is filtered by those. It knows no R9
either. In shogi it scores a pawn drop that mates instead of leaving it out.
"""

from __future__ import annotations

from pathlib import Path

import pyffish

# Every move of Hand shogi and more: drops anywhere, a soldier on any file.
LIKE_HAND_SHOGI = Path(__file__).parent / "cases" / "hand_shogi_like.ini"


def install() -> None:
    """Tells the program of the variant; to be called before any other function here."""
    pyffish.load_variant_config(LIKE_HAND_SHOGI.read_text(encoding="utf-8"))


def to_fairy(text: str) -> str:
    """The SFEN-like text as the program's FEN; its first side is white, not black."""
    board, side, hands, number = text.split(" ")
    held, count = "", ""
    for sign in hands.replace("-", ""):
        if sign.isdigit():
            count += sign
        else:
            held, count = held + sign * int(count or 1), ""
    return f"{board}[{held}] {'wb'['bw'.index(side)]} - - 0 {number}"


def from_fairy(fen: str) -> str:
    """The other way round, hands in the program's order."""
    placed, side, *rest = fen.split(" ")
    board, _, held = placed.rstrip("]").partition("[")
    held = held.replace("-", "")
    hands = ""
    for sign in dict.fromkeys(held):
        hands += (str(held.count(sign)) if held.count(sign) > 1 else "") + sign
    return f"{board} {'bw'['wb'.index(side)]} {hands or '-'} {rest[-1]}"


def square(name: str, files: int, ranks: int) -> str:
    """`e5` of nine files as `5e`."""
    return f"{files - 'abcdefghi'.index(name[0])}{'abcdefghi'[ranks - int(name[1])]}"


def spelt(move: str, files: int, ranks: int) -> str:
    """A move of the program as USI-like text; turning back, its `-`, is a promotion of ours."""
    piece, at, target = move.partition("@")
    if at:
        return f"{piece}*{square(target, files, ranks)}"
    mark = move[4:].replace("-", "+")
    return square(move[:2], files, ranks) + square(move[2:4], files, ranks) + mark


def moves(variant: str, position: str, files: int, ranks: int) -> set[str]:
    """The program's moves in a SFEN-like position, as USI-like texts."""
    found = pyffish.legal_moves(variant, to_fairy(position), [])
    return {spelt(move, files, ranks) for move in found}

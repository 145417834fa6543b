"""Boards and sheets as plain data."""

from __future__ import annotations

import json

from alfil.diagrams.boards import Board, Held
from alfil.diagrams.data import picture_as_data
from alfil.diagrams.pieces import SIDES, Token
from alfil.diagrams.sheet import Card, Sheet


def plate_as_json(subject: Board | Sheet) -> str:
    """A board or a sheet as JSON."""
    made = board_as_data(subject) if isinstance(subject, Board) else sheet_as_data(subject)
    return json.dumps(made, indent=1) + "\n"


def board_as_data(board: Board) -> dict[str, object]:
    """What stands on the squares and is in the hands; squares by name and from 0."""
    return {
        "title": board.title,
        "files": board.files,
        "ranks": board.ranks,
        "zone": board.zone,
        "pieces": [
            {
                "square": board.name(at),
                "at": list(at),
                "side": SIDES[side],
                **_token_as_data(token),
            }
            for at, side, token in board.pieces
        ],
        "hands": {
            name: [_held_as_data(held) for held in hand]
            for name, hand in zip(SIDES, board.hands, strict=True)
        },
        "last_move": [board.name(at) for at in board.marked],
        "turn": None if board.turn is None else SIDES[board.turn],
    }


def sheet_as_data(sheet: Sheet) -> dict[str, object]:
    """The pieces with their diagrams, in groups: a piece, then what it promotes to."""
    return {
        "title": sheet.title,
        "groups": [[_card_as_data(card) for card in group] for group in sheet.groups],
    }


def _card_as_data(card: Card) -> dict[str, object]:
    return {
        **_token_as_data(card.token),
        "notations": list(card.notations),
        "remarks": list(card.remarks),
        "note": card.note,
        "diagram": picture_as_data(card.picture),
    }


def _held_as_data(held: Held) -> dict[str, object]:
    return {"number": held.number, **_token_as_data(held.token)}


def _token_as_data(token: Token) -> dict[str, object]:
    return {
        "code": token.code,
        "name": token.name,
        "kanji": token.kanji,
        "symbol": token.symbol,
        "promoted": token.promoted,
    }

"""Pictures of a game where it stands."""

from __future__ import annotations

from alfil.diagrams.picture import Picture
from alfil.diagrams.pieces import tokens_of
from alfil.diagrams.subjects import Board, Held, OnBoard, Outlined
from alfil.diagrams.themes import theme_called
from alfil.game.moves import Move
from alfil.game.position import Position
from alfil.squares import Square


def picture_of(
    position: Position, walls: tuple[Square, ...], last: Move | None, theme: str
) -> Picture:
    """The board of a position, the squares of the last move marked; `AlfilError` for no theme."""
    return Picture(_board(position, walls, last), theme_called(theme))


def _board(position: Position, walls: tuple[Square, ...], last: Move | None) -> Board:
    plan = position.plan
    variant, first = plan.variant, plan.rules.first
    standing = {each.code for each in variant.setup}
    standing |= {code for hand in variant.hands for code, _ in hand}
    tokens = tokens_of(plan.kinds, plan.rules, standing)
    pieces = tuple(
        OnBoard(
            plan.at(square),
            (piece - 1) % 2,
            tokens[plan.codes[piece]],
            tuple(map(plan.at, plan.bodies.cells(piece, square)[1:])),
        )
        for square, piece in position.standing
    )
    hands = [
        tuple(
            Held(tokens[kind.code], number)
            for kind, number in zip(plan.kinds, hand, strict=True)
            if number
        )
        for hand in position.hands
    ]
    shogi = first == "black"
    return Board(
        plan.files,
        plan.ranks,
        pieces,
        (hands[0], hands[1]),
        _squares(last) if last else (),
        "shogi" if shogi else "chess",
        position.turn,
        plan.rules.zone,
        variant.title,
        ("black", "white") if shogi else ("white", "black"),
        walls,
        tuple(Outlined(each.name, each.squares) for each in variant.regions),
    )


def _squares(move: Move) -> tuple[tuple[int, int], ...]:
    """The squares of a move, those of a castling partner too."""
    squares = [move.origin, move.target, *(move.partner or ()), *move.turned]
    return tuple(dict.fromkeys(each for each in squares if each is not None))

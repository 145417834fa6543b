"""Positions and moves as text: SFEN-like, USI-like, Hodges (sections 4.1 to 4.4)."""

from __future__ import annotations

from collections import Counter

from oracle.games.definition import Board, Game, Kind, Square
from oracle.games.position import Move, Position, forms, in_check, legal_moves


def square_name(game: Game, square: Square) -> str:
    """Files from the right as digits, ranks from the top as letters."""
    return f"{game.files - square[0]}{'abcdefghi'[game.ranks - 1 - square[1]]}"


def square_of(game: Game, name: str) -> Square:
    """The square with this name."""
    return game.files - int(name[0]), game.ranks - 1 - "abcdefghi".index(name[1])


def kind_of(game: Game, symbol: str) -> Kind:
    """The kind a letter of a position stands for."""
    return next(kind for kind in game.kinds if kind.symbol == symbol)


def read(game: Game, text: str) -> Position:
    """A position from its text; missing fields at the end read as `b`, `-`, `1`."""
    rows, side, hands, number = (text.split(" ") + ["b", "-", "1"][text.count(" ") :])[:4]
    board: Board = {}
    for row, line in enumerate(rows.split("/")):
        file, plus = 0, ""
        for sign in line:
            if sign.isdigit():
                file += int(sign)
            elif sign == "+":
                plus = "+"
            else:
                kind = kind_of(game, plus + sign.upper())
                board[(file, game.ranks - 1 - row)] = (int(sign.islower()), kind.code)
                file, plus = file + 1, ""
        assert file == game.files, line
    return Position(game, board, read_hands(game, hands), "bw".index(side), int(number))


def read_hands(game: Game, text: str) -> tuple[dict[str, int], dict[str, int]]:
    """Both hands; counts stand before letters."""
    hands: tuple[dict[str, int], dict[str, int]] = ({}, {})
    count, plus = "", ""
    for sign in text.replace("-", ""):
        if sign.isdigit():
            count += sign
        elif sign == "+":
            plus = "+"
        else:
            hand = hands[int(sign.islower())]
            code = kind_of(game, plus + sign.upper()).code
            hand[code] = hand.get(code, 0) + int(count or 1)
            count, plus = "", ""
    return hands


def shown(kind: Kind, side: int) -> str:
    """The letter of a kind in the case of its owner."""
    return kind.symbol if side == 0 else kind.symbol.lower()


def write(position: Position) -> str:
    """The text of a position, hands in the order of the game's kinds."""
    game, rows = position.game, []
    for rank in reversed(range(game.ranks)):
        row, gap = "", 0
        for file in range(game.files):
            piece = position.board.get((file, rank))
            if piece is None:
                gap += 1
                continue
            row, gap = row + (str(gap) if gap else "") + shown(game.kind(piece[1]), piece[0]), 0
        rows.append(row + (str(gap) if gap else ""))
    hands = ""
    for side, hand in enumerate(position.hands):
        for kind in game.kinds:
            count = hand.get(kind.code, 0)
            hands += (str(count) if count > 1 else "") + shown(kind, side) if count else ""
    return f"{'/'.join(rows)} {'bw'[position.side]} {hands or '-'} {position.number}"


def usi(game: Game, move: Move) -> str:
    """`7e6c+`, `T*5e`; where a kind has several forms, the letter of the form instead of `+`."""
    target = square_name(game, move.target)
    if move.origin is None:
        return f"{game.kind(move.code).symbol}*{target}"
    mark = ""
    if move.becomes:
        one = len(game.kind(move.code).promotes) == 1
        mark = "+" if one else game.kind(move.becomes).symbol.lower()
    return square_name(game, move.origin) + target + mark


def read_usi(position: Position, text: str) -> Move:
    """The move a text means, legal or not; a `+` that is missing and forced is supplied."""
    game = position.game
    if "*" in text:
        symbol, _, name = text.partition("*")
        code = kind_of(game, symbol).code
        return Move(code, None, square_of(game, name), "", code)
    origin, target = square_of(game, text[:2]), square_of(game, text[2:4])
    if origin not in position.board:
        return Move("", origin, target)
    code = position.board[origin][1]
    choices = game.kind(code).promotes
    becomes = ""
    if text[4:]:
        becomes = choices[0] if choices else "none"
    elif "" not in (possible := forms(position, origin, target)) and len(possible) == 1:
        becomes = possible[0]
    return Move(code, origin, target, becomes)


def usi_moves(position: Position) -> set[str]:
    """All legal moves as texts."""
    return {usi(position.game, move) for move in legal_moves(position)}


def hodges(position: Position, move: Move, legal: list[Move] | None = None) -> str:
    """The written form: start square only if another piece of the code could go there too.

    ``legal`` are the legal moves, when they are known already.
    """
    game = position.game
    target = square_name(game, move.target)
    if move.origin is None:
        return f"{move.code}*{target}"
    rivals = {
        other.origin
        for other in legal or legal_moves(position)
        if other.origin and (other.code, other.target) == (move.code, move.target)
    }
    start = square_name(game, move.origin) if len(rivals | {move.origin}) > 1 else ""
    sign = "x" if move.target in position.board else "-"
    return f"{move.code}{start}{sign}{target}{'+' if move.becomes else ''}"


def flags(position: Position) -> set[str]:
    """R37: what is odd about a position of Hand shogi."""
    game, found = position.game, set()
    count, full = held(position), held(read(game, game.start))
    if any(count[code] > full[code] for code in count):
        found.add("TOO_MANY_PIECES")
    soldiers = [(piece[0], at[0]) for at, piece in position.board.items() if piece[1] == "SO"]
    if len(soldiers) != len(set(soldiers)):
        found.add("TWO_SOLDIERS_ON_FILE")
    if any(code == "N" and game.in_zone(side, at) for at, (side, code) in position.board.items()):
        found.add("KNIGHT_IN_ZONE")
    if in_check(game, position.board, 1 - position.side):
        found.add("OPPONENT_IN_CHECK")
    return found


def held(position: Position) -> Counter[str]:
    """How many pieces of each kind there are, on the board and in hand, promoted ones too."""
    on_board = (position.game.kind(code).unpromoted for _, code in position.board.values())
    return Counter(on_board) + Counter(position.hands[0]) + Counter(position.hands[1])

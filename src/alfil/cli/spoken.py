"""What can be typed while a game is played: moves, squares, pieces in hand, commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from alfil.cli.table import Table
from alfil.errors import AlfilError
from alfil.game.moves import Move

COLUMNS = 78
# Nothing that is typed is longer, comments among it.
LONGEST = 2000


class Order(NamedTuple):
    """A command: what it is followed by, what it does in words, and what does it."""

    argument: str
    words: str
    act: Callable[[Table, str], None]


def obey(table: Table, line: str) -> None:
    """Do what was typed; what is wrong with it is shown, and nothing has happened then."""
    text = line.strip()
    if len(text) > LONGEST:
        table.tell(f"this line has {len(text)} characters; at most {LONGEST} are read")
        return
    word, _, rest = text.partition(" ")
    order = ORDERS.get(word.lower())
    try:
        if order is not None:
            order.act(table, rest.strip())
        elif text and not (_square(table, text) or _in_hand(table, text)):
            table.move(text)
    except AlfilError as error:
        table.complain(error)


def _square(table: Table, text: str) -> bool:
    """Show where the piece on a square can go; whether this is a square at all."""
    game = table.game
    files, ranks = table.session.variant.files, table.session.variant.ranks
    squares = {
        game.name((file, rank)): (file, rank) for file in range(files) for rank in range(ranks)
    }
    square = squares.get(text.lower())
    if square is None:
        return False
    standing = game.pieces.get(square)
    if standing is None or standing[1] != game.turn:
        example = " or ".join(_examples(table)[:2])
        table.tell(
            f"no piece of the side to move stands on {text.lower()}; a move is written {example}"
        )
        return True
    code = standing[0]
    _show_targets(table, f"{code} on {text.lower()}", _from(game.legal_moves, square))
    return True


def _from(plies: Iterable[Move], square: tuple[int, int]) -> list[Move]:
    return [ply for ply in plies if ply.origin == square]


def _in_hand(table: Table, text: str) -> bool:
    """Show where a piece in hand can be dropped; whether this is a piece at all."""
    game = table.game
    codes = {kind.code.lower(): kind.code for kind in table.session.variant.kinds}
    code = codes.get(text.lower())
    if code is None:
        return False
    if not game.hands[game.turn].get(code):
        table.tell(f"no {table.session.variant.kind(code).name} is in hand")
        return True
    drops = [ply for ply in game.legal_moves if ply.is_drop and ply.code == code]
    _show_targets(table, f"{code} in hand", drops)
    return True


def _show_targets(table: Table, what: str, plies: list[Move]) -> None:
    if not plies:
        table.tell(f"{what} has no legal move")
        return
    table.show({ply.target for ply in plies})
    for line in _wrapped(f"{what}:", (table.hodges(ply) for ply in plies)):
        table.tell(line)


def _wrapped(first: str, words: Iterable[str]) -> Iterator[str]:
    line = first
    for word in words:
        if len(line) + len(word) >= COLUMNS:
            yield line
            line = "   "
        line += f" {word}"
    yield line


def _moves(table: Table, argument: str) -> None:
    del argument
    by_piece: dict[tuple[str, bool], list[str]] = {}
    for ply in table.game.legal_moves:
        by_piece.setdefault((ply.code, ply.is_drop), []).append(table.hodges(ply))
    for (code, dropped), texts in by_piece.items():
        for line in _wrapped(f"{code} in hand:" if dropped else f"{code}:", texts):
            table.tell(line)


def _board(table: Table, argument: str) -> None:
    del argument
    table.show()


def _flip(table: Table, argument: str) -> None:
    table.turned = not table.turned
    _board(table, argument)


def _undo(table: Table, argument: str) -> None:
    del argument
    count = table.take_back()
    if not count:
        table.tell("no move of yours is to be taken back")
        return
    table.tell(f"{count} move{'' if count == 1 else 's'} taken back")
    table.show_turn()


def _resign(table: Table, argument: str) -> None:
    del argument
    table.session.resign()
    table.keep()
    table.go_on()


def _impasse(table: Table, argument: str) -> None:
    del argument
    table.session.agree_impasse()
    table.keep()
    table.go_on()


def _comment(table: Table, argument: str) -> None:
    if not argument:
        table.tell("write the comment after the word: comment a fine move")
        return
    table.session.comment(argument)
    table.keep()
    table.tell("noted")


def _save(table: Table, argument: str) -> None:
    if argument:
        table.keep_in(Path(argument))
    else:
        table.keep()
    table.tell(f"kept in {table.path}" if table.path else "kept nowhere; write: save FILE")


def _help(table: Table, argument: str) -> None:
    del argument
    table.tell(f"a move        {' or '.join(_examples(table))}")
    table.tell("a square      where the piece on it can go")
    table.tell("a piece       where one in hand can be dropped")
    for name, order in ORDERS.items():
        table.tell(f"{f'{name} {order.argument}':<14}{order.words}")


def _examples(table: Table) -> list[str]:
    """A legal move in both spellings, and a drop if there is one."""
    plies = table.game.legal_moves
    first = plies[-1] if all(ply.is_drop for ply in plies) else plies[0]
    drops = [ply for ply in plies if ply.is_drop and ply != first]
    return [table.hodges(first), str(first), *(table.hodges(ply) for ply in drops[:1])]


def _quit(table: Table, argument: str) -> None:
    del argument
    table.left = True


ORDERS = {
    "moves": Order("", "all legal moves", _moves),
    "board": Order("", "the board again", _board),
    "flip": Order("", "the board from the other side", _flip),
    "undo": Order("", "take the last move back", _undo),
    "resign": Order("", "give this game up", _resign),
    "impasse": Order("", "agree on a draw by impasse", _impasse),
    "comment": Order("TEXT", "note something beside the last move", _comment),
    "save": Order("FILE", "keep the match in this file from now on", _save),
    "help": Order("", "this list", _help),
    "quit": Order("", "leave; the match can be gone on with", _quit),
}

"""From the parser's pieces to nodes: one method per rule of grammars/pieces.lark.

A line is parsed by itself, so that spans here count from its start; `moved` brings them to their
place in the file.
"""

from __future__ import annotations

from typing import Any

from alfil.library.nodes import (
    Board,
    ConstraintLine,
    Field,
    Game,
    Hand,
    Include,
    Item,
    Line,
    PieceLine,
    Row,
    Rule,
    Setup,
    Statement,
    Text,
    Zone,
)
from alfil.source import Span


class Sign(str):
    """What the parser hands out: the text, where it starts and ends, and its kind."""

    start_pos: int
    end_pos: int
    type: str


def _text(sign: Sign) -> Text:
    span = Span(sign.start_pos, sign.end_pos)
    if sign.type == "STRING":
        return Text(sign[1:-1].replace('""', '"'), span, quoted=True)
    return Text(str(sign), span)


def _items(given: tuple[Field | Sign, ...]) -> tuple[Item, ...]:
    return tuple(each if isinstance(each, Field) else _text(each) for each in given)


class Builder:
    """One method per rule of the grammar; no state, nothing reported."""

    def line(self, *parts: Statement | Sign) -> Line:
        """A whole line: a statement, a comment, both or neither."""
        statement, comment = None, ""
        for part in parts:
            if isinstance(part, str):
                comment = str(part)
            else:
                statement = part
        return Line(statement, comment)

    def field(self, key: Sign, value: Sign) -> Field:
        """A key with its value."""
        return Field(_text(key), _text(value))

    def game(self, title: Sign) -> Game:
        """The title of the game."""
        return Game(_text(title))

    def board(self, size: Sign) -> Board:
        """The size of the board."""
        return Board(_text(size))

    def zone(self, name: Sign, *items: Field | Sign) -> Zone:
        """A zone."""
        return Zone(_text(name), _items(items))

    def rule(self, name: Sign, *words: Sign) -> Rule:
        """A rule."""
        return Rule(_text(name), tuple(map(_text, words)))

    def piece(self, code: Sign, *items: Field | Sign) -> PieceLine:
        """A piece."""
        return PieceLine(_text(code), _items(items))

    def setup(self, *options: Sign) -> Setup:
        """The head of a set-up."""
        return Setup(tuple(map(_text, options)))

    def row(self, *cells: Sign) -> Row:
        """A rank of a set-up."""
        return Row(tuple(map(_text, cells)))

    def hand(self, *words: Sign) -> Hand:
        """Pieces in hand."""
        return Hand(tuple(map(_text, words)))

    def include(self, target: Sign, *items: Field | Sign) -> Include:
        """Another file."""
        return Include(_text(target), _items(items))

    def constraint(self, number: Sign, predicate: Sign, *items: Field | Sign) -> ConstraintLine:
        """A condition on pieces."""
        return ConstraintLine(_text(number), _text(predicate), _items(items))


def moved(statement: Statement, by: int) -> Statement:
    """The statement with all its spans ``by`` code points further on."""
    found: Statement = _moved(statement, by)
    return found


def _moved(node: Any, by: int) -> Any:  # noqa: ANN401 - any part of a node, and the same back
    if isinstance(node, Text):
        return Text(node.value, node.span.shift(by), node.quoted)
    if isinstance(node, tuple):
        return tuple([_moved(each, by) for each in node])
    return type(node)(*[_moved(getattr(node, name), by) for name in node.__slots__])

"""`alfil stages`: every stage of the pipeline, one under another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TypeGuard

import click

from alfil.api import Piece, compile, write
from alfil.cli.inputs import Line, answer, as_json, say
from alfil.cli.options import Board, Settings, board_options, reading
from alfil.diagrams.data import guard_as_data
from alfil.diagrams.facts import facts_in_words
from alfil.diagrams.text import timing
from alfil.meaning.automaton import Record, State
from alfil.source import Span, printable
from alfil.tables.trie import Section, Table

# States beyond these are counted, not printed; --json has them all.
PRINTED_STATES = 24
FILES = RANKS = 9

ENDS = ("empty", "enemy", "royal", "own", "trail", "away")
PASSES = (
    "empty",
    "take enemy",
    "take royal",
    "take own",
    "take trail",
    "over enemy",
    "over royal",
    "over own",
    "away",
)


@click.command("stages")
@click.argument("text", metavar="NOTATION")
@reading
@board_options
def command(*, text: str, settings: Settings, board: Board | None) -> int:
    """Print every stage on the way from the text to the table."""
    files, ranks = (board.files, board.ranks) if board else (FILES, RANKS)

    def act(piece: Piece, line: Line) -> None:
        del line
        table = compile(piece, files=files, ranks=ranks)
        if settings.json:
            say(as_json(_data(piece, table)))
        else:
            say("\n".join(_stages(piece, table)) + "\n")

    def refused(piece: Piece, line: Line) -> None:
        del line
        if settings.json:
            say(as_json(_as_read(piece) | {"meaning": None, "facts": None, "table": None}))
        else:
            say("\n".join([*_reading(piece), *_printing(piece, 3)]) + "\n")

    return answer(text, settings, act, refused)


def _reading(piece: Piece) -> Iterator[str]:
    yield f"1 text: {piece.notation}"
    yield f"    {printable(piece.text)}"
    yield "2 tree: what was written, with spans"
    yield from (f"    {line}" for line in tree(piece.tree))


def _printing(piece: Piece, number: int) -> Iterator[str]:
    yield f"{number} notation, printed from the tree"
    yield f"    {printable(write(piece))}"


def _stages(piece: Piece, table: Table) -> Iterator[str]:
    yield from _reading(piece)
    yield "3 meaning: one automaton for each condition"
    for guard, automaton in piece.meaning.parts:
        yield f"    {timing(guard) or 'always'}: {len(automaton.states)} states"
        yield from (f"      {line}" for line in _automaton(automaton.states))
    yield from (f"    {line}" for line in facts_in_words(piece.meaning))
    yield f"4 move table: {table.files}×{table.ranks}, {len(table)} nodes"
    yield from (f"    {line}" for line in map(_section, table.sections))
    yield from _printing(piece, 5)


def _automaton(states: tuple[State, ...]) -> Iterator[str]:
    for number, state in enumerate(states[:PRINTED_STATES]):
        for record in state:
            yield f"{number}  {_record(record)}"
    if len(states) > PRINTED_STATES:
        yield f"and {len(states) - PRINTED_STATES} more states"


def _record(record: Record) -> str:
    dx, dy, wrap, emit, passes = record
    if record[:2] == (0, 0):
        return "ends at home"
    words = [f"by {dx},{dy}" + (" round the edge" if wrap else "")]
    if emit:
        words.append(f"ends on {_named(emit, ENDS)}")
    words += [f"{_named(mask, PASSES)} to {target}" for mask, target in passes]
    return "; ".join(words)


def _named(mask: int, names: tuple[str, ...]) -> str:
    return "/".join(name for bit, name in enumerate(names) if mask >> bit & 1)


def _section(section: Section) -> str:
    when = timing(section.guard) or "always"
    if section.trie is None:
        return f"{when}: walked as a graph"
    return f"{when}: a trie of {len(section.trie.nodes)} nodes, {len(section.trie.steps)} squares"


def _data(piece: Piece, table: Table) -> dict[str, object]:
    return _as_read(piece) | {
        "meaning": [
            {
                "guard": guard_as_data(guard),
                "states": [[list(record) for record in state] for state in automaton.states],
            }
            for guard, automaton in piece.meaning.parts
        ],
        "facts": facts_in_words(piece.meaning),
        "table": table.to_json(),
    }


def _as_read(piece: Piece) -> dict[str, object]:
    return {
        "text": piece.text,
        "notation": piece.notation,
        "dialect": piece.tree.dialect,
        "canonical": write(piece),
        "tree": node_as_data(piece.tree),
    }


def is_node(value: object) -> TypeGuard[object]:
    """Whether a value is a node of a tree, which carries a span."""
    return is_dataclass(value) and isinstance(getattr(value, "span", None), Span)


def tree(node: object, label: str = "") -> Iterator[str]:
    """The lines of a tree: each node with its span and its plain fields, its children indented.

    Fields that are empty are left out. The depth of a tree is bounded by the reader.
    """
    inner: list[tuple[str, object]] = []
    plain: list[str] = []
    for field in fields(node):  # type: ignore[arg-type]
        value = getattr(node, field.name)
        if isinstance(value, Span):
            continue
        if is_node(value):
            inner.append((field.name, value))
        elif isinstance(value, tuple) and any(map(is_node, value)):
            inner += [(field.name, each) for each in value]
        elif value is not False and value not in ((), "", None):
            plain.append(f"{field.name}={_shown(value)}")
    span = node.span  # type: ignore[attr-defined]
    head = f"{label}: " if label else ""
    yield " ".join([f"{head}{type(node).__name__} {span.start}:{span.end}", *plain])
    for name, value in inner:
        for line in tree(value, name):
            yield f"  {line}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        if value and all(isinstance(each, int) for each in value):
            return ",".join(map(str, value))
        return f"({' '.join(map(_shown, value))})"
    return printable(str(value))


def node_as_data(value: object) -> object:
    """A node as a dictionary with its type and span; tuples as lists."""
    if is_node(value):
        data = {
            field.name: node_as_data(getattr(value, field.name))
            for field in fields(value)  # type: ignore[arg-type]
        }
        return {"node": type(value).__name__, **data}
    if isinstance(value, tuple):
        return [node_as_data(each) for each in value]
    return value

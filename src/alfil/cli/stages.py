"""`alfil stages`: every stage of the pipeline, one under another."""

from __future__ import annotations

from collections.abc import Iterator

import click

from alfil.api import Piece, compile, write
from alfil.cli.inputs import Line, answer, as_json, say, written_as_data
from alfil.cli.options import BoardAt, Settings, board_options, reading
from alfil.diagrams.data import guard_as_data
from alfil.diagrams.signs import facts_in_words, timing
from alfil.meaning.automaton import Record, State
from alfil.source import printable
from alfil.tables.table import Section, Table
from alfil.trees import as_data, lines_of

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
def command(*, text: str, settings: Settings, board: BoardAt | None) -> int:
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
            say("\n".join([*_reading(piece), *_printing(piece, 4)]) + "\n")

    return answer(text, settings, act, refused)


def _reading(piece: Piece) -> Iterator[str]:
    yield f"1 text: {piece.notation}"
    yield f"    {printable(piece.text)}"
    yield "2 tree: what was written, with spans"
    yield from (f"    {line}" for line in lines_of(piece.tree))
    yield "3 movement: what it says, in the tree of all notations"
    yield from (f"    {line}" for line in str(piece.movement).splitlines())


def _printing(piece: Piece, number: int) -> Iterator[str]:
    yield f"{number} notation, printed from the tree"
    yield f"    {printable(write(piece))}"


def _stages(piece: Piece, table: Table) -> Iterator[str]:
    yield from _reading(piece)
    yield "4 automaton: one for each condition"
    for guard, automaton in piece.meaning.parts:
        yield f"    {timing(guard) or 'always'}: {len(automaton.states)} states"
        yield from (f"      {line}" for line in _automaton(automaton.states))
    yield from (f"    {line}" for line in facts_in_words(piece.meaning))
    yield f"5 move table: {table.files}×{table.ranks}, {len(table)} nodes"
    yield from (f"    {line}" for line in map(_section, table.sections))
    yield from _printing(piece, 6)


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
        **written_as_data(piece),
        "tree": as_data(piece.tree),
        "movement": piece.movement.to_json(),
    }

"""`alfil show` and `alfil stages`: what a piece does, drawn; the way there from its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from alfil.api import Piece, compile, describe, draw, write
from alfil.cli import inputs, options
from alfil.diagrams.examples import example_of
from alfil.diagrams.signs import Style, facts_in_words, summary, timing
from alfil.diagrams.subjects import Diagram, Marks, around, on_board
from alfil.diagrams.text import PLAIN_SIGNS, folded, text_diagram
from alfil.diagrams.walk import fitted, marks_of
from alfil.notation.registry import NOTATIONS
from alfil.source import printable
from alfil.tables.table import CLASS_BITS, CLASS_MASK, STEP_SHIFT
from alfil.trees import as_data, lines_of

if TYPE_CHECKING:
    from alfil.meaning.automaton import Record, State
    from alfil.meaning.piece import Meaning
    from alfil.tables.table import Section, Table


@click.command("show")
@click.argument("text", metavar="NOTATION")
@options.reading
@click.option("--radius", type=click.IntRange(1, 17), help="Squares to show on each side.")
@options.board_options
@options.replacing
@options.drawn_plainly
def show_command(
    *,
    text: str,
    settings: options.Settings,
    radius: int | None,
    board: options.BoardAt | None,
    moves: dict[str, str],
    plain: bool,
) -> int:
    """Draw how a piece moves, with a legend."""
    options.no_radius(board)
    style = options.drawn(plain=plain)

    def act(piece: Piece, line: inputs.Line) -> None:
        meaning, marks = _shown(piece, line, radius, board)
        if line.named and line.named.library.coordinates == "shogi":
            marks = replace(marks, coordinates="shogi")
        if options.in_json():
            told = {"description": describe(line.named.entry if line.named else piece)}
            data = _drawn_as_data(piece, meaning, marks) | told
            inputs.say(inputs.as_json(data | named_as_data(line)))
        else:
            _show(piece, line, _block(piece, meaning, marks, style, line))

    def refused(piece: Piece, line: inputs.Line) -> None:
        if options.in_json():
            data = written_as_data(piece) | {"tree": as_data(piece.tree), "diagram": None}
            inputs.say(inputs.as_json(data | named_as_data(line)))
        else:
            _show(
                piece,
                line,
                [*_notations(piece, line), *(f"  {each}" for each in lines_of(piece.tree))],
            )

    return inputs.answer(text, settings, act, refused, moves=moves)


def _show(piece: Piece, line: inputs.Line, block: list[str]) -> None:
    """Print what there is to see of a piece below its name."""
    end = [""] if line.number else []
    notes = (each for note in _notes(line) for each in folded(note, options.columns(), ""))
    name = f"{line.named.entry.name} ({line.named.place}): " if line.named else ""
    title = printable(f"{name}{piece.text.strip()}")
    inputs.say("\n".join([title, *notes, "", *block, *end]))


def _shown(
    piece: Piece, line: inputs.Line, radius: int | None, board: options.BoardAt | None
) -> tuple[Meaning, Marks]:
    """What there is to draw; of a piece that its file keeps to areas, on the board of the file."""
    if line.named and line.named.entry.ground:
        diagram = draw(line.named.entry, radius=radius, **options.where(board)).subject
        assert isinstance(diagram, Diagram)
        return diagram.meaning, diagram.marks
    return piece.meaning, marks_for(piece, radius, board)


def marks_for(piece: Piece, radius: int | None, board: options.BoardAt | None) -> Marks:
    """The marks in the window asked for, or in one that fits the piece."""
    if board:
        window = on_board(board.files, board.ranks, board.square)
        return replace(marks_of(piece.meaning, window), coordinates=board.coordinates)
    inputs.needs_board(piece)
    return marks_of(piece.meaning, around(radius)) if radius else fitted(piece.meaning)


def _block(
    piece: Piece, meaning: Meaning, marks: Marks, style: Style, line: inputs.Line
) -> list[str]:
    """Words, diagram, legend and notation; facts that are no moves are in the words.

    Beside the diagram, or below it, an example shows what the piece does to others on its way.
    """
    text = describe(line.named.entry if line.named else piece)
    told = folded(text.translate(PLAIN_SIGNS) if style.ascii else text, style.columns)
    counted = folded(summary(marks, meaning), style.columns)
    drawing = text_diagram(marks, style, example_of(Diagram(marks, meaning)))
    return [*told, "", drawing, "", *counted, *_notations(piece, line)]


def _notations(piece: Piece, line: inputs.Line) -> Iterator[str]:
    """A piece in canonical layout; one from a file in every notation as its author wrote it."""
    if line.named is None:
        yield f"  {NOTATIONS[piece.notation].title}: {printable(write(piece))}"
        return
    for each in line.named.entry.movements:
        yield f"  {NOTATIONS[each.notation].title}: {printable(each.text.strip())}"


def _drawn_as_data(piece: Piece, meaning: Meaning, marks: Marks) -> dict[str, object]:
    from alfil.diagrams.data import marks_as_data

    return written_as_data(piece) | {
        "summary": summary(marks, meaning),
        "facts": facts_in_words(piece.meaning),
        "diagram": marks_as_data(marks),
    }


def _notes(line: inputs.Line) -> Iterator[str]:
    """What is known of a piece that has a name."""
    if line.named is None:
        return
    from alfil.library.library import namesakes

    entry = line.named.entry
    if entry.also:
        yield printable(f"also called {', '.join(entry.also)}")
    if entry.remark:
        yield printable(f"note: {entry.remark}")
    others = [f"{each.place} ({each.entry.piece.text})" for each in namesakes(line.named)]
    if others:
        yield printable(f"note: other pieces have this name: {', '.join(others)}")


def written_as_data(piece: Piece) -> dict[str, object]:
    """A piece as it was given, and in canonical layout."""
    return {
        "text": piece.text,
        "notation": piece.notation,
        "dialect": piece.tree.dialect,
        "canonical": write(piece),
    }


def named_as_data(line: inputs.Line) -> dict[str, object]:
    """What a piece file says of the piece beside its moves; nothing for a plain notation."""
    if line.named is None:
        return {}
    from alfil.library.library import namesakes

    entry = line.named.entry
    return {
        "set": line.named.library.name,
        "code": entry.code,
        "name": entry.name,
        "also": list(entry.also),
        "kanji": entry.kanji,
        "status": entry.status,
        "note": entry.note,
        "namesakes": [each.place for each in namesakes(line.named)],
    }


# States and nodes beyond these are counted, not printed; --json has them all.
PRINTED_STATES = PRINTED_NODES = 24
FILES = RANKS = 9

CLASSES = ("empty", "enemy", "royal", "own", "trail", "outside")
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
    "pass enemy",
    "pass royal",
    "pass own",
)


@click.command("stages")
@click.argument("text", metavar="NOTATION")
@options.reading
@options.board_options
def stages_command(*, text: str, settings: options.Settings, board: options.BoardAt | None) -> int:
    """Print every stage on the way from the text to the table."""
    files, ranks = (board.files, board.ranks) if board else (FILES, RANKS)

    def act(piece: Piece, line: inputs.Line) -> None:
        del line
        table = compile(piece, files=files, ranks=ranks)
        inputs.put(lambda: _stages_as_data(piece, table), _stages(piece, table))

    def refused(piece: Piece, line: inputs.Line) -> None:
        del line
        nothing = {"meaning": None, "facts": None, "table": None}
        words = [*_reading(piece), *_printing(piece, 4)]
        inputs.put(lambda: _read_as_data(piece) | nothing, words)

    return inputs.answer(text, settings, act, refused)


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
    yield ""


def _stages(piece: Piece, table: Table) -> Iterator[str]:
    yield from _reading(piece)
    yield "4 automaton: one for each condition"
    for guard, automaton in piece.meaning.parts:
        yield f"    {timing(guard) or 'always'}: {len(automaton.states)} states"
        yield from (f"      {line}" for line in _automaton(automaton.states))
    yield from (f"    {line}" for line in facts_in_words(piece.meaning))
    yield f"5 move table: {table.files}×{table.ranks}, {len(table)} nodes"
    yield from (f"    {line}" for section in table.sections for line in _section(section))
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


def _section(section: Section) -> Iterator[str]:
    """A part of the table: its offsets, each with what may be ended on there and gone on from."""
    when = timing(section.guard) or "always"
    if section.trie is None:
        yield f"{when}: walked as a graph"
        return
    nodes, steps = section.trie.nodes, section.trie.steps
    yield f"{when}: a trie of {len(nodes)} nodes, {len(steps)} squares"
    for number, word in enumerate(nodes[:PRINTED_NODES]):
        x, y = steps[word >> STEP_SHIFT]
        ends, on = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
        told = [f"ends on {_named(ends, CLASSES)}"] if ends else []
        told += [f"goes on over {_named(on, CLASSES)}"] if on else []
        yield f"  {number}  {x},{y}: {'; '.join(told)}; else to {section.trie.skips[number]}"
    if len(nodes) > PRINTED_NODES:
        yield f"  and {len(nodes) - PRINTED_NODES} more nodes (--json has them all)"


def _stages_as_data(piece: Piece, table: Table) -> dict[str, object]:
    from alfil.diagrams.data import guard_as_data

    return _read_as_data(piece) | {
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


def _read_as_data(piece: Piece) -> dict[str, object]:
    return {
        **written_as_data(piece),
        "tree": as_data(piece.tree),
        "movement": piece.movement.to_json(),
    }

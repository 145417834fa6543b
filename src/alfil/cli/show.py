"""`alfil show` and `alfil stages`: what a piece does, drawn; the way there from its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from alfil.api import Piece, compile, describe, draw, write
from alfil.cli import input_output, options
from alfil.diagrams.diagram_model import Diagram, Marks, board_window, open_window
from alfil.diagrams.example_positions import example_in_signs_of_diagram
from alfil.diagrams.fact_sentences import facts_in_words
from alfil.diagrams.signs import TextStyle
from alfil.diagrams.square_marks import marks_in_fitting_window, marks_of
from alfil.diagrams.summary_sentence import summary_sentence
from alfil.diagrams.text_rendering import ASCII_BY_SIGN, text_diagram, wrapped
from alfil.diagrams.timing_words import timing_in_words
from alfil.node_trees import as_data, tree_lines
from alfil.notation.registry import NOTATIONS
from alfil.source import printable
from alfil.tables.move_table import CLASS_BITS, CLASS_MASK, STEP_SHIFT

if TYPE_CHECKING:
    from alfil.meaning.automaton import State, StepRecord
    from alfil.meaning.piece_meaning import Meaning
    from alfil.tables.move_table import Table, TableSection


@click.command("show")
@click.argument("text", metavar="NOTATION", shell_complete=options.completion_function("pieces"))
@options.reading_options
@click.option("--radius", type=click.IntRange(1, 17), help="Squares to show on each side.")
@options.board_options
@options.moves_option
@options.plain_diagram_option
def show_command(
    *,
    text: str,
    settings: options.NotationSettings,
    radius: int | None,
    board: options.BoardWithSquare | None,
    moves: dict[str, str],
    plain: bool,
) -> int:
    """Draw how a piece moves, with a legend."""
    options.reject_radius_with_board(board)
    style = options.diagram_style(plain=plain)

    def act(piece: Piece, line: input_output.InputLine) -> None:
        meaning, marks = _meaning_and_marks(piece, line, radius, board)
        if line.library_piece and line.library_piece.library.coordinates == "shogi":
            marks = replace(marks, coordinates="shogi")
        if options.is_json_asked():
            wrapped_words = {
                "description": describe(line.library_piece.entry if line.library_piece else piece)
            }
            data = _diagram_as_data(piece, meaning, marks) | wrapped_words
            input_output.print_line(input_output.as_json(data | library_piece_data(line)))
        else:
            _print_piece(piece, line, _piece_block(piece, meaning, marks, style, line))

    def refused(piece: Piece, line: input_output.InputLine) -> None:
        if options.is_json_asked():
            data = notation_data(piece) | {"tree": as_data(piece.tree), "diagram": None}
            input_output.print_line(input_output.as_json(data | library_piece_data(line)))
        else:
            _print_piece(
                piece,
                line,
                [*_notation_lines(piece, line), *(f"  {each}" for each in tree_lines(piece.tree))],
            )

    return input_output.for_each_notation(text, settings, act, refused, moves=moves)


def _print_piece(piece: Piece, line: input_output.InputLine, block: list[str]) -> None:
    """Print what there is to see of a piece below its name."""
    end = [""] if line.number else []
    notes = (
        each
        for note in _library_piece_notes(line)
        for each in wrapped(note, options.line_width(), "")
    )
    name = (
        f"{line.library_piece.entry.name} ({line.library_piece.qualified_code}): "
        if line.library_piece
        else ""
    )
    title = printable(f"{name}{piece.text.strip()}")
    input_output.print_line("\n".join([title, *notes, "", *block, *end]))


def _meaning_and_marks(
    piece: Piece,
    line: input_output.InputLine,
    radius: int | None,
    board: options.BoardWithSquare | None,
) -> tuple[Meaning, Marks]:
    """What there is to draw; of a piece that its file keeps to areas, on the board of the file."""
    if line.library_piece and line.library_piece.entry.restrictions:
        diagram = draw(
            line.library_piece.entry, radius=radius, **options.board_arguments(board)
        ).subject
        assert isinstance(diagram, Diagram)
        return diagram.meaning, diagram.marks
    return piece.meaning, marks_for(piece, radius, board)


def marks_for(piece: Piece, radius: int | None, board: options.BoardWithSquare | None) -> Marks:
    """The marks in the window asked for, or in one that fits the piece."""
    if board:
        window = board_window(board.files, board.ranks, board.square)
        return replace(marks_of(piece.meaning, window), coordinates=board.coordinates)
    input_output.require_board_if_needed(piece)
    return (
        marks_of(piece.meaning, open_window(radius))
        if radius
        else marks_in_fitting_window(piece.meaning)
    )


def _piece_block(
    piece: Piece, meaning: Meaning, marks: Marks, style: TextStyle, line: input_output.InputLine
) -> list[str]:
    """Words, diagram, legend and notation; facts that are no moves are in the words.

    Beside the diagram, or below it, an example shows what the piece does to others on its way.
    """
    text = describe(line.library_piece.entry if line.library_piece else piece)
    wrapped_words = wrapped(text.translate(ASCII_BY_SIGN) if style.ascii else text, style.columns)
    counted = wrapped(summary_sentence(marks, meaning), style.columns)
    drawing = text_diagram(marks, style, example_in_signs_of_diagram(Diagram(marks, meaning)))
    return [*wrapped_words, "", drawing, "", *counted, *_notation_lines(piece, line)]


def _notation_lines(piece: Piece, line: input_output.InputLine) -> Iterator[str]:
    """A piece in canonical layout; one from a file in every notation as its author wrote it."""
    if line.library_piece is None:
        yield f"  {NOTATIONS[piece.notation].title}: {printable(write(piece))}"
        return
    for each in line.library_piece.entry.movements:
        yield f"  {NOTATIONS[each.notation].title}: {printable(each.text.strip())}"


def _diagram_as_data(piece: Piece, meaning: Meaning, marks: Marks) -> dict[str, object]:
    from alfil.diagrams.json_data import marks_as_data

    return notation_data(piece) | {
        "summary": summary_sentence(marks, meaning),
        "facts": facts_in_words(piece.meaning),
        "diagram": marks_as_data(marks),
    }


def _library_piece_notes(line: input_output.InputLine) -> Iterator[str]:
    """What is known of a piece that has a name."""
    if line.library_piece is None:
        return
    from alfil.library.library import namesakes_with_other_moves

    entry = line.library_piece.entry
    if entry.also:
        yield printable(f"also called {', '.join(entry.also)}")
    if entry.status_note:
        yield printable(f"note: {entry.status_note}")
    others = [
        f"{each.qualified_code} ({each.entry.piece.text})"
        for each in namesakes_with_other_moves(line.library_piece)
    ]
    if others:
        yield printable(f"note: other pieces have this name: {', '.join(others)}")


def notation_data(piece: Piece) -> dict[str, object]:
    """A piece as it was given, and in canonical layout."""
    return {
        "text": piece.text,
        "notation": piece.notation,
        "dialect": piece.tree.dialect,
        "canonical": write(piece),
    }


def library_piece_data(line: input_output.InputLine) -> dict[str, object]:
    """What a piece file says of the piece beside its moves; nothing for a plain notation."""
    if line.library_piece is None:
        return {}
    from alfil.library.library import namesakes_with_other_moves

    entry = line.library_piece.entry
    return {
        "set": line.library_piece.library.name,
        "code": entry.code,
        "name": entry.name,
        "also": list(entry.also),
        "kanji": entry.kanji,
        "status": entry.status,
        "note": entry.note,
        "namesakes": [
            each.qualified_code for each in namesakes_with_other_moves(line.library_piece)
        ],
    }


# States and nodes beyond these are counted, not printed; --json has them all.
PRINTED_STATES = PRINTED_NODES = 24
FILES = RANKS = 9

CLASS_NAMES = ("empty", "enemy", "royal", "own", "trail", "outside")
END_NAMES = ("empty", "enemy", "royal", "own", "trail", "away")
PASS_NAMES = (
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
@click.argument("text", metavar="NOTATION", shell_complete=options.completion_function("pieces"))
@options.reading_options
@options.board_options
def stages_command(
    *, text: str, settings: options.NotationSettings, board: options.BoardWithSquare | None
) -> int:
    """Print every stage from the notation to the move table."""
    files, ranks = (board.files, board.ranks) if board else (FILES, RANKS)

    def act(piece: Piece, line: input_output.InputLine) -> None:
        del line
        table = compile(piece, files=files, ranks=ranks)
        input_output.print_answer(
            lambda: _compilation_stages_as_data(piece, table),
            _compilation_stage_lines(piece, table),
        )

    def refused(piece: Piece, line: input_output.InputLine) -> None:
        del line
        nothing = {"meaning": None, "facts": None, "table": None}
        words = [*_tree_and_movement_lines(piece), *_canonical_notation_lines(piece, 4)]
        input_output.print_answer(lambda: _tree_and_movement_as_data(piece) | nothing, words)

    return input_output.for_each_notation(text, settings, act, refused)


def _tree_and_movement_lines(piece: Piece) -> Iterator[str]:
    yield f"1 text: {piece.notation}"
    yield f"    {printable(piece.text)}"
    yield "2 tree: what was written, with spans"
    yield from (f"    {line}" for line in tree_lines(piece.tree))
    yield "3 movement: what it says, in the tree of all notations"
    yield from (f"    {line}" for line in str(piece.movement).splitlines())


def _canonical_notation_lines(piece: Piece, number: int) -> Iterator[str]:
    yield f"{number} notation, printed from the tree"
    yield f"    {printable(write(piece))}"
    yield ""


def _compilation_stage_lines(piece: Piece, table: Table) -> Iterator[str]:
    yield from _tree_and_movement_lines(piece)
    yield "4 automaton: one for each condition"
    for guard, automaton in piece.meaning.parts:
        yield f"    {timing_in_words(guard) or 'always'}: {len(automaton.states)} states"
        yield from (f"      {line}" for line in _automaton_lines(automaton.states))
    yield from (f"    {line}" for line in facts_in_words(piece.meaning))
    yield f"5 move table: {table.files}×{table.ranks}, {len(table)} nodes"
    yield from (f"    {line}" for section in table.sections for line in _section_lines(section))
    yield from _canonical_notation_lines(piece, 6)


def _automaton_lines(states: tuple[State, ...]) -> Iterator[str]:
    for number, state in enumerate(states[:PRINTED_STATES]):
        for record in state:
            yield f"{number}  {_record_line(record)}"
    if len(states) > PRINTED_STATES:
        yield f"and {len(states) - PRINTED_STATES} more states"


def _record_line(record: StepRecord) -> str:
    dx, dy, wrap, emit, passes = record
    if record[:2] == (0, 0):
        return "ends at home"
    words = [f"by {dx},{dy}" + (" round the edge" if wrap else "")]
    if emit:
        words.append(f"ends on {_mask_names(emit, END_NAMES)}")
    words += [f"{_mask_names(mask, PASS_NAMES)} to {target}" for mask, target in passes]
    return "; ".join(words)


def _mask_names(mask: int, names: tuple[str, ...]) -> str:
    return "/".join(name for bit, name in enumerate(names) if mask >> bit & 1)


def _section_lines(section: TableSection) -> Iterator[str]:
    """A part of the table: its offsets, each with what may be ended on there and gone on from."""
    when = timing_in_words(section.guard) or "always"
    if section.trie is None:
        yield f"{when}: walked as a graph"
        return
    nodes, steps = section.trie.nodes, section.trie.steps
    yield f"{when}: a trie of {len(nodes)} nodes, {len(steps)} squares"
    for number, word in enumerate(nodes[:PRINTED_NODES]):
        x, y = steps[word >> STEP_SHIFT]
        ends, on = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
        end_words = [f"ends on {_mask_names(ends, CLASS_NAMES)}"] if ends else []
        end_words += [f"goes on over {_mask_names(on, CLASS_NAMES)}"] if on else []
        yield f"  {number}  {x},{y}: {'; '.join(end_words)}; else to {section.trie.skips[number]}"
    if len(nodes) > PRINTED_NODES:
        yield f"  and {len(nodes) - PRINTED_NODES} more nodes (--json has them all)"


def _compilation_stages_as_data(piece: Piece, table: Table) -> dict[str, object]:
    from alfil.diagrams.json_data import guard_as_data

    return _tree_and_movement_as_data(piece) | {
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


def _tree_and_movement_as_data(piece: Piece) -> dict[str, object]:
    return {
        **notation_data(piece),
        "tree": as_data(piece.tree),
        "movement": piece.movement.to_json(),
    }

"""Pictures of one piece on all squares of a board, from its table, many at once.

Where every path keeps to the rectangle between its two ends, a piece looks the same wherever it
stands, but for what lies off the board. Its marks and lines are then made once, around the piece,
as one string for every row that can be cut off at the sides; a picture is those rows put together
and moved into place. Other pieces are walked once on every square, and remembered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from alfil.diagrams.diagram_model import (
    Diagram,
    Lines,
    Mark,
    Marks,
    Offset,
    PassageFlags,
    Stroke,
    Window,
    board_window,
)
from alfil.diagrams.diagram_svg import (
    HALF,
    SQUARE,
    BoardPlacement,
    board_background,
    board_contents,
    hollow_sign_placements,
    page_frame,
    piece_drawing,
    sign_background_svg,
    sign_placements,
    sign_svg,
    stroke_path,
)
from alfil.diagrams.move_lines import lines_of
from alfil.diagrams.signs import GROUND_FAMILIES, signs_beside_piece
from alfil.diagrams.square_marks import marks_of
from alfil.diagrams.svg_document import document
from alfil.diagrams.svg_elements import STROKE_ATTRIBUTES, Panel, group_in_role
from alfil.diagrams.text_outlines import glyph_definitions_and_drawing
from alfil.diagrams.themes import DEFAULT, ROLES, Theme
from alfil.meaning.automaton import may_reverse_an_axis
from alfil.meaning.piece_meaning import (
    BOARD_CONDITIONS,
    ConditionKind,
    Guard,
    GuardedAutomaton,
    Meaning,
)
from alfil.tables.move_table import Table

# Stands for the moves while the rest is put together; no text has it.
MOVES_PLACEHOLDER = "\0"


class BoardAtlas:
    """The pictures of one piece on one board, all with the same title and legend.

    The piece is drawn as its own side sees it. ``notation``, ``label`` and ``description`` are
    those of a `Diagram`.

    >>> import alfil
    >>> stamps = BoardAtlas(alfil.compile("N", files=9, ranks=9), notation="N")
    >>> stamps.svg((4, 4)).count("data-sign"), stamps.svg((0, 0)).count("data-sign")
    (8, 2)
    """

    def __init__(
        self,
        table: Table,
        theme: Theme = DEFAULT,
        *,
        notation: str = "",
        label: str = "",
        description: str = "",
    ) -> None:
        self._meaning = Meaning(
            tuple(
                GuardedAutomaton(_swap_colours_for_second_side(each.guard, table), each.automaton)
                for each in table.sections
            )
        )
        self._files, self._ranks, self._theme = table.files, table.ranks, theme
        wide, high = self._files - 1, self._ranks - 1
        window = Window(wide, wide, high, high)
        marks, lines = marks_of(self._meaning, window), lines_of(self._meaning, window)
        shown = Diagram(
            replace(marks, window=board_window(self._files, self._ranks, (0, 0)), arrows=()),
            self._meaning,
            lines,
            notation,
            label,
            description,
        )
        self._diagram = shown
        around = page_frame(shown, theme)
        # The moves around the piece stand there so that all they are drawn with is defined.
        moves = board_contents(
            replace(shown, marks=_add_sample_castling_clear_mark(marks)),
            BoardPlacement(window, 0, 0),
            theme,
        )
        ground = board_background(around.place, theme)
        marked = f"{MOVES_PLACEHOLDER}{moves}{MOVES_PLACEHOLDER}"
        whole = f"{around.head}{ground}{marked}{around.tail}"
        made = document(
            Panel(around.width, around.height, whole), theme, shown.heading, description
        )
        self._head, _, self._tail = made.split(MOVES_PLACEHOLDER)
        self._place = around.place
        self._made: dict[Offset, str] = {}
        # Whether a piece can return to its square depends on the board around that.
        alike = _paths_stay_between_ends(self._meaning) and not signs_beside_piece(marks)
        self._rows = self._layers_by_file(marks, lines) if alike else None
        here = BoardPlacement(Window(0, 0, 0, 0), -HALF, -HALF)
        self._piece = glyph_definitions_and_drawing(piece_drawing(shown, here, theme))[1]

    def svg(self, square: tuple[int, int]) -> str:
        """The picture with the piece on a square, (file, rank) from 0."""
        file, rank = square
        if self._rows is None:
            if square not in self._made:
                self._made[square] = self._svg_from_walk(square)
            return self._head + self._made[square] + self._tail
        first, last = self._ranks - 1 - rank, 2 * self._ranks - 1 - rank
        x = self._place.left + file * SQUARE + HALF
        y = self._place.top + (self._ranks - 1 - rank) * SQUARE + HALF
        parts = [self._head, f'<g transform="translate({x:g} {y:g})">\n']
        for begins, rows, end in self._rows[file]:
            inner = "".join(rows[first:last])
            if inner:
                parts += (begins[(file + rank) % 2], inner, end)
        parts += (self._piece, "</g>\n", self._tail)
        return "".join(parts)

    def _svg_from_walk(self, square: tuple[int, int]) -> str:
        window = board_window(self._files, self._ranks, square)
        marks, lines = marks_of(self._meaning, window), lines_of(self._meaning, window)
        shown = replace(self._diagram, marks=marks, lines=lines)
        return glyph_definitions_and_drawing(
            board_contents(shown, self._place._replace(window=window), self._theme)
        )[1]

    def _layers_by_file(self, marks: Marks, lines: Lines) -> list[list[Layer]]:
        """For every file the groups of one role each, their rows cut off where the board ends."""
        fragments: dict[str, dict[Offset, list[str]]] = {}
        for role, at, fragment in _square_fragments(marks, lines):
            fragments.setdefault(role, {}).setdefault(at, []).append(fragment)
        below = [LOWER_LAYER_PREFIX + role for role in ROLES]
        layers = [
            role for role in ("path", *SQUARE_COLOUR_ROLES, *below, *ROLES) if role in fragments
        ]
        return [
            [self._layer(role, fragments[role], file) for role in layers]
            for file in range(self._files)
        ]

    def _layer(self, role: str, fragments: dict[Offset, list[str]], file: int) -> Layer:
        colour = role.removeprefix(LOWER_LAYER_PREFIX)
        roles = SQUARE_COLOUR_ROLES.get(role, (colour, colour))
        begin, other = (
            self._group_start(each, ground=role in SQUARE_COLOUR_ROLES) for each in roles
        )
        rows = tuple(
            "".join("".join(fragments.get((x, y), ())) for x in range(-file, self._files - file))
            for y in range(1 - self._ranks, self._ranks)
        )
        return Layer((begin, other), rows, "</g>\n")

    def _group_start(self, role: str, *, ground: bool) -> str:
        """How a group of a role begins; lines are wider than what signs are drawn with."""
        stroke = (
            ""
            if ground
            else f'{STROKE_ATTRIBUTES} stroke-width="4"'
            if role == "path"
            else STROKE_ATTRIBUTES
        )
        return group_in_role(role, self._theme, MOVES_PLACEHOLDER, attributes=stroke).partition(
            MOVES_PLACEHOLDER
        )[0]


class Layer(NamedTuple):
    """A group: how it begins where the piece stands on a dark square and where on a light one.

    Besides, its rows from the lowest that can lie on a board, and how it ends.
    """

    begins: tuple[str, str]
    rows: tuple[str, ...]
    end: str


# Before the role of signs that stand below others on their square.
LOWER_LAYER_PREFIX = "below "
# Squares of the piece's own colour and others, each with its role where the piece stands on dark
# and where on light.
SQUARE_COLOUR_ROLES = {"own ground": ("dark", "light"), "other ground": ("light", "dark")}


def _square_fragments(marks: Marks, lines: Lines) -> Iterator[tuple[str, Offset, str]]:
    """What is drawn on every square around the piece: its role, the square, and the drawing.

    A line is taken apart into its steps, each drawn with the square it ends on.
    """
    here = BoardPlacement(Window(0, 0, 0, 0), -HALF, -HALF)
    for (x, y), (dx, dy), steps, kind in lines.strokes:
        for number in range(steps):
            start = (x + number * dx, y + number * dy)
            one = Stroke(start, (dx, dy), 1, kind)
            yield "path", (start[0] + dx, start[1] + dy), stroke_path(one, here)
    crossed = lines.squares_crossed(marks.window)
    for mark, squares in marks.squares_by_mark:
        for at in squares:
            x, y = at[0] * SQUARE, -at[1] * SQUARE
            for spot in sign_placements(mark):
                below = LOWER_LAYER_PREFIX if spot.sign.family in GROUND_FAMILIES else ""
                yield below + spot.sign.role, at, sign_svg(spot, x, y, at)
            for spot in hollow_sign_placements(mark) if at in crossed else ():
                yield (
                    ("own ground", "other ground")[sum(at) % 2],
                    at,
                    sign_background_svg(spot, x, y),
                )


def _add_sample_castling_clear_mark(marks: Marks) -> Marks:
    """The marks, and if it castles one of a square that must be empty, as there are on boards."""
    ways = (way for mark, _ in marks.squares_by_mark for way in mark.ways)
    if not any(each.kind == "castle" for way in ways for each in way.guard):
        return marks
    free = next(at for at in chain(*marks.window.rows()) if at not in marks.squares)
    return replace(marks, squares={**marks.squares, free: Mark((), PassageFlags.CLEAR)})


def _swap_colours_for_second_side(guard: Guard, table: Table) -> Guard:
    """A guard as it reads where the near left square counts as dark; it is light for some sides."""
    if not table.second or (table.files + table.ranks) % 2 == 0:
        return guard
    colours: dict[ConditionKind, ConditionKind] = {"light": "dark", "dark": "light"}
    return tuple(each._replace(kind=colours.get(each.kind, each.kind)) for each in guard)


def _paths_stay_between_ends(meaning: Meaning) -> bool:
    """Whether every path keeps to the rectangle between its two ends, whatever the board."""
    return all(
        not any(
            condition.kind in BOARD_CONDITIONS or condition.kind == "castle" for condition in guard
        )
        and not may_reverse_an_axis(automaton)
        for guard, automaton in meaning.parts
    )

"""Pictures as wikitext, in the two ways Wikipedia draws moves.

Articles on chess use the template ``Chess diagram``, for other sizes than 8×8 one named for its
size or the module behind them all. A square is ``xo`` for a black circle, ``oo`` for a white one,
``xx`` for a cross, ``x1`` to ``x9`` for a number, which is explained below the board. The piece
itself is ``fl``, a king upside down, unless its code is given.

Articles on shogi use a plain table: ○ for a step, │ ─ ╲ ╱ for a line of squares that must be empty,
☆ for a leap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from alfil.diagrams.diagram_model import Arrow, Diagram, LineKind, Mark, Offset, Subject
from alfil.diagrams.legend import (
    legend_entries,
    notes_beyond_signs,
    notes_signs_cannot_show,
    signs_beside_in_words,
)
from alfil.diagrams.move_continuations import farther_limit
from alfil.diagrams.signs import (
    ARROW_SIGN,
    HOME_SIGN,
    PLAIN_FAMILIES,
    SIGNS,
    UP_TO_WORDS,
    ArrowLabel,
    Sign,
    SignsBeside,
    arrow_direction,
    continuation_label,
    signs_beside_piece,
    signs_of_mark,
)
from alfil.diagrams.timing_words import timing_of_arrows
from alfil.errors import join_words
from alfil.squares import square_ranges_text

if TYPE_CHECKING:
    from alfil.diagrams.picture import PictureLook

# Sizes that have a template of their own, as (ranks, files).
TEMPLATES = {(8, 8): "Chess diagram"} | {
    (ranks, files): f"Chess diagram {ranks}x{files}"
    for ranks, files in ((4, 4), (4, 5), (5, 5), (5, 6), (6, 6), (8, 10), (9, 9), (10, 10))
}
CODE_BY_FILL = {"either": "xo", "move": "oo", "capture": "xx"}
CODE_BY_OCCUPANT = {"enemy": "pd", "friend": "pl", "enemy_royal": "kd", "unmoved_friend": "rl"}
DEFAULT_PIECE_CODE = "fl"
# Clockwise from forward.
DIRECTION_WORDS = (
    "forward",
    "forward to the right",
    "right",
    "back to the right",
    "back",
    "back to the left",
    "left",
    "forward to the left",
)
MAX_NUMBER_SYMBOL = 9
# What lies under the squares of regions in a table, of the first, the second and so on.
REGION_BACKGROUNDS = ("#fdf0d5", "#dcebf7", "#e4f2dc", "#f5e1ee", "#eeeeee")
NO_MARK = Mark(())
# Of an arrow where all goes on without end.
NO_LIMIT = ArrowLabel((), None)

TABLE_SIGNS = {
    HOME_SIGN: "●",
    SIGNS["step-either"]: "○",
    SIGNS["leap-either"]: "☆",
    SIGNS["step-move"]: "•",
    SIGNS["leap-move"]: "✩",
}
SLIDE_CHARACTER_BY_STEP = {(0, 1): "│", (1, 0): "─", (1, 1): "╱", (1, -1): "╲"}
SLIDE_WORDS = "moves or captures along the line and on; squares on the way must be empty"
CROSSED_SLIDE_CHARACTERS = {"─│": "┼", "╱╲": "╳"}


def rendered(diagram: Subject, look: PictureLook) -> str:
    """A picture as the template of chess articles."""
    return _join_lines(
        chess_diagram_lines(_drop_unwanted_sentence(diagram, look), look.code or DEFAULT_PIECE_CODE)
    )


def render_shogi_table(diagram: Subject, look: PictureLook) -> str:
    """A picture as the table of shogi articles."""
    return _join_lines(shogi_table_lines(_drop_unwanted_sentence(diagram, look)))


def _drop_unwanted_sentence(diagram: Subject, look: PictureLook) -> Diagram:
    assert isinstance(diagram, Diagram)
    return diagram if look.sentence else replace(diagram, sentence="")


def _join_lines(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def chess_diagram_lines(diagram: Diagram, code: str) -> Iterator[str]:
    """The template of chess articles; ``code`` is what it calls the piece."""
    window = diagram.marks.window
    files, ranks = window.width, window.height
    numbers: dict[tuple[Sign, ...], str] = {}
    legend = legend_entries(diagram.marks)
    template = TEMPLATES.get((ranks, files))
    board = "#invoke:Chessboard mxn|board"
    yield f"{{{{{template}" if template else f"{{{{{board}|cols={files}|rows={ranks}"
    if not window.ranks:
        yield "| letters = neither\n| numbers = neither"
    yield f"| tright\n| {escaped_wikitext(diagram.heading)}"
    for row in window.rows():
        codes = (code if at == (0, 0) else _template_code(diagram, at, numbers) for at in row)
        yield f"| {' | '.join(codes)}"
    legend_lines = []
    for name, signs in _legend_codes_and_signs(diagram, numbers):
        words = [each.words for sign in signs for each in legend if each.sign == sign]
        legend_lines.append(f"{name}: {', or '.join(words)}")
    notes = [*_region_lines(diagram), *_note_lines(diagram)]
    explained = "; ".join([*legend_lines, *_continuation_notes(diagram, {}), *notes])
    yield f"| {'<br>'.join(filter(None, [explained, escaped_wikitext(diagram.sentence)]))}"
    yield "}}"


def _template_code(diagram: Diagram, at: Offset, numbers: dict[tuple[Sign, ...], str]) -> str:
    """What a template writes on one square; new combinations of signs get the next number."""
    standing = diagram.marks.standing.get(at)
    if standing in CODE_BY_OCCUPANT:
        return CODE_BY_OCCUPANT[standing]
    signs = signs_of_mark(diagram.marks.squares.get(at, NO_MARK))
    if not signs:
        return "  "
    if len(signs) == 1 and signs[0].family in PLAIN_FAMILIES:
        return CODE_BY_FILL[signs[0].fill]
    return numbers.setdefault(signs, f"x{min(len(numbers) + 1, MAX_NUMBER_SYMBOL)}")


def _legend_codes_and_signs(
    diagram: Diagram, numbers: dict[tuple[Sign, ...], str]
) -> Iterator[tuple[str, tuple[Sign, ...]]]:
    """The signs of the board, each with what stands for it, in the order of the legend."""
    on_squares = {signs_of_mark(mark) for mark, _ in diagram.marks.squares_by_mark}
    for fill, name in (("either", "●"), ("move", "○"), ("capture", "×")):
        plain = (SIGNS[f"{family}-{fill}"] for family in PLAIN_FAMILIES)
        used = tuple(sign for sign in plain if (sign,) in on_squares)
        if used:
            yield name, used
    for signs, code in numbers.items():
        yield code.removeprefix("x"), signs


def shogi_table_lines(diagram: Diagram) -> Iterator[str]:
    """The table of shogi articles."""
    window = diagram.marks.window
    slides = _slide_squares(diagram)
    yield '{| class="wikitable" style="text-align:center"'
    yield f"|+ {escaped_wikitext(diagram.heading)}"
    for row in window.rows():
        yield f"|-\n| {' || '.join(_styled_cell(diagram, at, slides) for at in row)}"
    yield "|}"
    yield from (f"* {each}" for each in _table_legend(diagram, slides))
    if diagram.sentence:
        yield escaped_wikitext(diagram.sentence)


def _table_legend(diagram: Diagram, slides: dict[Offset, str]) -> Iterator[str]:
    """The legend of a table."""
    used = {HOME_SIGN} | {SIGNS[each] for each in diagram.marks.standing.values()}
    for at, mark in diagram.marks.squares.items():
        if at not in slides and at != (0, 0):
            used.update(signs_of_mark(mark))
    for sign, words, *_ in legend_entries(diagram.marks):
        if sign in used:
            yield f"{TABLE_SIGNS.get(sign, sign.unicode)} {words}"
    if slides:
        yield f"{''.join(sorted(set(slides.values())))} {SLIDE_WORDS}"
    yield from _continuation_notes(diagram, slides)
    for region, colour in zip(diagram.marks.regions, REGION_BACKGROUNDS, strict=False):
        yield f'<span style="background:{colour}">&nbsp;&nbsp;</span> {region.name}'
    yield from _note_lines(diagram)


def _region_lines(diagram: Diagram) -> Iterator[str]:
    """The regions of a board with their squares."""
    window, coordinates = diagram.marks.window, diagram.marks.coordinates
    for name, squares in ((each.name, each.both_sides) for each in diagram.marks.regions):
        where = square_ranges_text(squares, window.width, window.height, coordinates)
        yield f"{name}: {where.replace(';', ',')}"


def _note_lines(diagram: Diagram) -> Iterator[str]:
    """What signs cannot show, and what must be said of the piece."""
    beside = signs_beside_piece(diagram.marks)
    for sign, words, *_ in legend_entries(diagram.marks):
        if sign in beside:
            yield f"{words[0].upper()}{words[1:].removesuffix('.')}."
    yield from (
        notes_signs_cannot_show(diagram.marks) if diagram.sentence else notes_beyond_signs(diagram)
    )
    if diagram.note:
        yield f"Note: {escaped_wikitext(diagram.note)}"


def _continuation_notes(diagram: Diagram, slides: Mapping[Offset, str]) -> Iterator[str]:
    """Where moves go on beyond the diagram, but for the slides that are drawn as such.

    How far they go at most is always said, and which moves do where not all go on alike.
    """
    drawn = {
        ((x + dx, y + dy), (dx, dy))
        for (x, y), (dx, dy) in _ways_out_of_slides(diagram)
        if (x, y) in slides
    }
    ways: dict[tuple[SignsBeside, str], list[Arrow]] = {}
    for arrow in diagram.marks.arrows:
        if (arrow.at, arrow.step) not in drawn:
            beside = continuation_label(arrow.onward, arrow.limit).beside
            ways.setdefault((beside, timing_of_arrows([arrow])), []).append(arrow)
    for beside, when in sorted(ways):
        limits: dict[int, int | None] = {}
        for arrow in ways[beside, when]:
            way, far = arrow_direction(arrow.step), continuation_label(arrow.onward, arrow.limit)
            limits[way] = farther_limit(limits.get(way, 0), far.limit)
        for most in dict.fromkeys(limits[way] for way in sorted(limits)):
            alike = [DIRECTION_WORDS[way] for way in sorted(limits) if limits[way] == most]
            held = UP_TO_WORDS.format(most) if most else ""
            timed = f",{when}" if when else ""
            words = signs_beside_in_words(beside, ways[beside, when])
            only = f" ({words})" if beside else ""
            yield f"{ARROW_SIGN.words} {join_words(alike, 'and')}{held}{timed}{only}"


def _ways_out_of_slides(diagram: Diagram) -> Iterator[tuple[Offset, Offset]]:
    """The squares and steps by which slides leave the board that go on without end and alike."""
    for each in diagram.lines.exits:
        alike = continuation_label(each.onward, each.limit) == NO_LIMIT
        if each.kind == LineKind.PATH and alike and not timing_of_arrows([each]):
            yield each.at, each.step


def _slide_squares(diagram: Diagram) -> dict[Offset, str]:
    """The squares of slides that leave the board, with the sign of their direction."""
    leaving = {*_ways_out_of_slides(diagram)}
    result: dict[Offset, str] = {}
    for stroke in diagram.lines.strokes:
        x, y = stroke.step
        sign = SLIDE_CHARACTER_BY_STEP.get((x, y)) or SLIDE_CHARACTER_BY_STEP.get((-x, -y))
        goes_back = (stroke.start, (-x, -y)) in leaving
        goes_out = goes_back or (stroke.end, (x, y)) in leaving
        if sign is None or stroke.kind != LineKind.PATH or not goes_out:
            continue
        # A line drawn inwards from the edge is one of that square too.
        for steps in range(0 if goes_back else 1, stroke.steps + 1):
            at = (stroke.start[0] + steps * x, stroke.start[1] + steps * y)
            if signs_of_mark(diagram.marks.squares.get(at, NO_MARK)) == (SIGNS["step-either"],):
                both = "".join(sorted({result.get(at, sign), sign}))
                result[at] = CROSSED_SLIDE_CHARACTERS.get(both, sign)
    return result


def _styled_cell(diagram: Diagram, at: Offset, slides: dict[Offset, str]) -> str:
    """A cell of a table; those of regions have a ground of their own, that of the smallest."""
    coloured = zip(diagram.marks.region_squares, REGION_BACKGROUNDS, strict=False)
    around = [(len(squares), colour) for (_, squares), colour in coloured if at in squares]
    style = f'style="background:{min(around)[1]}" | ' if around else ""
    return f"{style}{_cell_text(diagram, at, slides)}"


def _cell_text(diagram: Diagram, at: Offset, slides: dict[Offset, str]) -> str:
    if at == (0, 0):
        return escaped_wikitext(diagram.label) if len(diagram.label) == 1 else "●"
    if at in slides:
        return slides[at]
    signs = [*signs_of_mark(diagram.marks.squares.get(at, NO_MARK))]
    if at in diagram.marks.standing:
        signs.insert(0, SIGNS[diagram.marks.standing[at]])
    return "".join(TABLE_SIGNS.get(sign, sign.unicode) for sign in signs) or "&nbsp;"


def escaped_wikitext(text: str) -> str:
    """A text that means nothing to a wiki.

    >>> escaped_wikitext("{{x|<b>}}")
    '<nowiki>{{x|&lt;b&gt;}}</nowiki>'
    """
    return f"<nowiki>{escape(text)}</nowiki>" if text else ""

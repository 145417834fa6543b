"""Pictures as one page that needs nothing else: no network, no fonts, no other file.

The page of a piece works out the moves itself, so that its reader can place other pieces and see
what changes: `board_data` is what page.js reads for that.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from html import escape
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from alfil.data_files import read_data
from alfil.diagrams import diagram_svg
from alfil.diagrams.diagram_model import (
    Board,
    Card,
    Diagram,
    EndFlags,
    LineKind,
    Mark,
    Marks,
    Occupant,
    Offset,
    PathConditionFlags,
    RemarkFlags,
    Sheet,
    Subject,
    Window,
    open_window,
    shortened_with_digest,
)
from alfil.diagrams.diagram_svg import LINE_KIND_WORDS, LegendRow, legend_rows
from alfil.diagrams.example_positions import example_in_signs_of_diagram
from alfil.diagrams.legend import (
    legend_entries,
    notes_beyond_signs,
    notes_signs_cannot_show,
    unexplained_signs_and_lines,
)
from alfil.diagrams.move_lines import MASK_BY_OCCUPANT, lines_of
from alfil.diagrams.piece_figures import palette_for, piece_svg
from alfil.diagrams.sheet_svg import (
    MAX_BOARD_WIDTH,
    card_board,
    common_board_width,
    sheet_legend_rows,
    unify_windows_to_two_sizes,
)
from alfil.diagrams.signs import (
    ARROW_CHARACTERS,
    ARROW_SIGN,
    HOME_SIGN,
    PLAIN_FAMILIES,
    SIGNS,
    ArrowLabel,
    Sign,
    family_of,
    label_of_arrow,
    signs_beside_piece,
    signs_of_mark,
)
from alfil.diagrams.split_jump_paths import with_jumps_split_off
from alfil.diagrams.square_marks import HISTORY_CONDITIONS, marks_of, meaning_on_window
from alfil.diagrams.summary_sentence import summary_sentence
from alfil.diagrams.svg_document import ROOT_ATTRIBUTES, css_definitions_and_drawing
from alfil.diagrams.svg_document import document as svg_document
from alfil.diagrams.svg_document import rendered as svg
from alfil.diagrams.svg_elements import WEDGE, background_path, groups_by_role
from alfil.diagrams.themes import DARK, DEFAULT, PRINT, ROLES, Theme
from alfil.english.words import ordinal_word
from alfil.meaning.automaton import ENEMY, FRIEND, LETTERS_BY_CLASS, ROYAL, has_wrapping
from alfil.meaning.piece_meaning import (
    BOARD_CONDITIONS,
    Condition,
    GuardedAutomaton,
    Meaning,
    conditions_hold,
    footprint_of,
)
from alfil.squares import CoordinateSystem, square_name_on
from alfil.tables.move_table import TableSection, section_as_json, sections_of_meaning

if TYPE_CHECKING:
    from alfil.diagrams.picture import PictureLook

Json: TypeAlias = dict[str, object]

# What only a script that is a file of its own needs.
IMPORT_AND_EXPORT_LINES = re.compile(r"^import [^;]*;\n|^export ", re.MULTILINE)

# The modules of a diagram, each after those that it imports.
SCRIPT_FILES = ("moves.js", "drawing.js", "position.js", "view.js", "grid.js", "page.js")


def rendered(subject: Subject, look: PictureLook) -> str:
    """A picture as a page."""
    match subject:
        case Diagram():
            return _piece_page(subject, look)
        case Board():
            return _page_without_script(
                subject, look, f'<main class="whole">\n{svg(subject, look)}</main>'
            )
        case Sheet():
            return _sheet_html(subject, look)


def _page_without_script(subject: Board | Sheet, look: PictureLook, body: str) -> str:
    return static_page(subject.heading, body, look.theme, read_asset("cards.css"))


def static_page(title: str, body: str, theme: Theme, style: str) -> str:
    """A page without scripts, which may load nothing."""
    style = colour_variables(theme) + read_asset("page.css") + style
    return read_asset("plain.html").format(title=escaped(title), style=style, body=body)


def _sheet_html(sheet: Sheet, look: PictureLook) -> str:
    """A card for each piece, with words that can be selected, and one legend for all.

    A piece and the forms it promotes to have one frame. Whatever is drawn is defined once.
    """
    sheet, numbers = unify_windows_to_two_sizes(sheet), count()
    groups = "".join(
        _card_group_html([_card_html(card, next(numbers), look) for card in group])
        for group in sheet.groups
    )
    most = f' style="max-width:{sheet.columns * 18}rem"' if sheet.columns else ""
    svg_text = f'<div class="columns"{most}><div class="cards">\n{groups}</div></div>\n'
    if look.legend is not False:
        items = _legend_items(sheet_legend_rows(sheet), look.theme)
        svg_text += f'<h2>Signs</h2>\n<ul class="legend signs">{items}</ul>\n'
    night, definitions, svg_text = css_definitions_and_drawing(svg_text, look.theme)
    style = f"--usual:{common_board_width(sheet)}" + (
        f";max-width:{look.size}px" if look.size else ""
    )
    body = (
        f'<svg class="symbols" aria-hidden="true" width="0" height="0">{definitions}</svg>\n'
        f'{night}<main class="sheet" style="{style}">\n'
        f"<h1>{escaped(sheet.title or ', '.join(card.name for card in sheet.cards))}</h1>\n"
        f"{svg_text}</main>"
    )
    return _page_without_script(sheet, look, body)


def _card_group_html(cards: list[str]) -> str:
    whole = "".join(cards)
    if len(cards) == 1:
        return whole
    many = " many" if len(cards) > 2 else ""  # noqa: PLR2004 - two stand side by side
    return f'<section class="forms{many}">\n{whole}</section>\n'


def _card_html(card: Card, number: int, look: PictureLook) -> str:
    """A piece of a sheet: its name, its moves drawn and in words."""
    token = piece_svg(card.token, 0, palette_for(look.theme.name))
    board = card_board(card, look.theme)
    code = f"<code>{escaped(card.token.code)}</code>" if card.token.name else ""
    known = "".join(f"<p>{each}</p>" for each in (code, *map(escaped, card.remarks)) if each)
    sentences = [card.diagram.sentence] if look.sentence else [*notes_beyond_signs(card.diagram)]
    description = (
        f'<p id="told-{number}">{escaped(" ".join(sentences))}</p>\n' if any(sentences) else ""
    )
    note = f'<p class="remark">Note: {escaped(card.note)}</p>\n' if card.note else ""
    words = (
        f'class="drawing" style="--wide:{board.width}" role="img" aria-labelledby="name-{number}"'
    )
    words += f' aria-describedby="told-{number}"' if description else ""
    written = definition_list(
        (name, f"<code>{escaped(each)}</code>") for name, each in card.notations
    )
    return (
        f'<article class="card{" wide" if board.width > MAX_BOARD_WIDTH else ""}">\n'
        f"<header>{_inline_svg(token, '-50 -50 100 100', HIDDEN_ATTRIBUTE)}"
        f'<div><h2 id="name-{number}">{escaped(card.name)}</h2>{known}</div></header>\n'
        f"<div>{_inline_svg(board.body, f'0 0 {board.width} {board.height}', words)}\n"
        f"{written}\n{description}{note}</div></article>\n"
    )


def _legend_items(rows: Iterable[LegendRow], theme: Theme) -> str:
    """Signs with their words, as items of a list."""
    items = []
    for row in rows:
        sample = groups_by_role({role: [drawing] for role, drawing in row.sample}, theme)
        svg_text = _inline_svg(sample, "-20 -20 40 40", HIDDEN_ATTRIBUTE)
        items.append(f"<li>{svg_text}<span>{escaped(row.words)}</span></li>")
    return "".join(items)


HIDDEN_ATTRIBUTE = 'aria-hidden="true"'


def _inline_svg(drawing: str, box: str, attributes: str) -> str:
    """A drawing on a page, as wide as what is around it allows."""
    return f'<svg viewBox="{box}" {ROOT_ATTRIBUTES} {attributes}>{drawing}</svg>'


def _piece_page(diagram: Diagram, look: PictureLook) -> str:
    """The page of a piece; readers whose browser runs no scripts see it as it is."""
    title = diagram.label or diagram.notation or diagram.heading
    explained = look.legend is not False
    example = example_in_signs_of_diagram(diagram) if explained else None
    called = f"How {shortened_with_digest(title)} moves"
    data = board_data(diagram.meaning, diagram.marks, called, example, explained=explained)
    script = bundle_scripts(
        *map(script_body, SCRIPT_FILES),
        'new Board(document.getElementById("board"), read("data"), read("signs"));',
        'for (const each of document.querySelectorAll(".example")) each.hidden = false;',
    )
    notation = f"<p><code>{escaped(diagram.notation)}</code></p>" if diagram.label else ""
    description_html = f"<p>{escaped(diagram.description)}</p>" if look.sentence else ""
    # What is seen until the script has run, or without it; the page has the words.
    unmoved = svg(diagram, look._replace(size=None, sentence=False))
    body = [
        '<main class="page">',
        f"<h1>{escaped(title)}</h1>",
        notation,
        description_html,
        f'<div class="boards"><div id="board" class="diagram">{unmoved}</div>',
        f"{_example_html(example, diagram, look.theme) if example else ''}</div>",
        "</main>",
        symbol_defs(diagram.token),
        json_element("signs", EVERY_SIGN),
        json_element("data", data),
    ]
    style = colour_variables(look.theme) + read_asset("page.css")
    style += css_with_page_colours(".example") if example else ""
    return page_document(title, "\n".join(body), script, style)


def _example_html(example: Diagram, diagram: Diagram, theme: Theme) -> str:
    """The board of a worked example; scripts place its pieces on the large one as well.

    Its caption explains what the diagram has not. The picture that is seen without scripts has it
    already.
    """
    caption = unexplained_signs_and_lines(example, diagram, legend_entries(diagram.marks))
    signs = _legend_items(legend_rows(caption.signs, caption.kinds), theme)
    svg_text = diagram_svg.example_board_panel(example, theme)
    picture = svg_document(svg_text, theme, "For example", summary_sentence(example.marks))
    explained = f'<ul class="legend">{signs}</ul>' if signs else ""
    heading = "<figcaption>For example:</figcaption>"
    return f'<figure class="example" hidden>{heading}{picture}{explained}</figure>'


def bundle_scripts(*scripts: str) -> str:
    """Scripts as one, with names of their own."""
    joined = "\n".join(scripts)
    return f'(() => {{\n"use strict";\n{joined}\n}})();\n'


def script_body(file: str) -> str:
    """A script of this folder without its imports and exports, to be a part of one script."""
    return IMPORT_AND_EXPORT_LINES.sub("", read_asset(file))


def page_document(title: str, body: str, script: str, style: str, head: str = "") -> str:
    """A page that may load nothing but pictures beside it, and run nothing but its own script."""
    return read_asset("page.html").format(
        allowed=script_policy_hash(script),
        title=escaped(title),
        head=head,
        style=style,
        body=body,
        script=script,
    )


def script_policy_hash(script: str) -> str:
    """What a page's security policy says of the one script in it that may run."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def escaped(value: str) -> str:
    """Any text, safe in a page: no tag, no quote, nothing unseen, no mark that turns it round."""
    return escape(shortened_with_digest(value))


def definition_list(entry_pairs: Iterable[tuple[str, str]]) -> str:
    """A list of names with what is said under each, as HTML."""
    rows = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{each}</dd></div>" for name, each in entry_pairs
    )
    return f'<dl class="notations">{rows}</dl>'


def json_element(identity: str, data: object) -> str:
    """Data for the page's script, under a name; no tag can begin or end in it."""
    json_text = json.dumps(data, separators=(",", ":"))
    for character in "<>&":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="{identity}">{json_text}</script>'


@cache
def read_asset(file: str) -> str:
    """A script, style sheet or skeleton of a page of this folder."""
    return read_data("diagrams", file)


def colour_variables(theme: Theme) -> str:
    """The colours of a theme as variables, those of its night side, and those of paper."""
    night = theme.night
    rules = [f":root{{{_css_variables(theme)}}}"]
    if night:
        rules.append(f"@media (prefers-color-scheme:dark){{:root{{{_css_variables(night)}}}}}")
    if night or theme == DARK:
        rules.append(f"@media print{{:root{{{_css_variables(PRINT)}}}}}")
    return "\n".join(rules) + "\n"


def css_with_page_colours(selector: str) -> str:
    """The style by which a picture on a page has the colours of that page, on paper too."""
    return "".join(f"{selector} .alfil-{each}{{color:var(--{each})}}" for each in ROLES)


def board_svg_and_size_style(diagram: Diagram) -> tuple[str, str]:
    """The board of a diagram as page.js draws it, but as a picture; and the style for its size."""
    window = diagram.marks.window
    margin = diagram_svg.arrow_room(diagram.lines, window) if diagram.lines.exits else 0
    place = diagram_svg.BoardPlacement(window, margin, margin)
    drawing = diagram_svg.board_drawing(diagram, place, DEFAULT)
    _, definitions, body = css_definitions_and_drawing(drawing, DEFAULT)
    wide, high = (each * diagram_svg.SQUARE + 2 * margin for each in (window.width, window.height))
    size = f"--files:{window.width};--ranks:{window.height};--rim:{margin / diagram_svg.SQUARE}"
    return _inline_svg(definitions + body, f"0 0 {wide} {high}", HIDDEN_ATTRIBUTE), size


def _css_variables(theme: Theme) -> str:
    return "".join(f"--{each}:{getattr(theme, each)};" for each in ROLES)


@lru_cache(maxsize=8)
def symbol_defs(home_piece_svg: str = "") -> str:
    """All signs and pieces as drawings to be used by their names.

    ``home_piece_svg`` is what is drawn for the piece itself, in place of the plain wedge.
    """
    drawings = "".join(
        [
            *map(_symbol_definition, (*MARKING_SIGNS, *OCCUPANT_SIGNS)),
            *map(_line_sample_svg, LINE_KIND_WORDS),
        ]
    )
    wedge = home_piece_svg or f'<path fill="var(--piece)" d="M0 0{WEDGE}"/>'
    return (
        f'<svg class="symbols" aria-hidden="true" width="0" height="0">{drawings}'
        f'<g id="sign-piece">{wedge}</g>{_sign_symbol(ARROW_SIGN, ARROW_SHAPE)}</svg>'
    )


# As on a picture: a line from the board with a filled head.
ARROW_SHAPE = (
    '<path stroke-width="2" d="M0 20v-15"/>'
    '<path fill="currentColor" stroke-width="1.5" d="M0 -6l-6 11h12z"/>'
)


def _line_symbol_name(kind: LineKind) -> str:
    """What a kind of line is called on a page."""
    return f"line-{kind.name.lower()}"


def _line_sample_svg(kind: LineKind) -> str:
    """A sample of a line; its dashes are in page.css."""
    name = _line_symbol_name(kind)
    return f'<g id="sign-{name}" class="lines"><path class="{name}" d="M-17 0h34"/></g>'


def _symbol_definition(sign: Sign) -> str:
    if sign not in OCCUPANT_SIGNS:
        return _sign_symbol(sign, sign.drawing)
    colour = "friend" if sign.family == "friend" else "enemy"
    filled = f'fill="var(--{colour})" stroke="var(--ink)" color="var(--{colour})"'
    return f'<g id="sign-{sign.name}" {filled} stroke-linejoin="round">{sign.drawing}</g>'


def _sign_symbol(sign: Sign, inner: str) -> str:
    # Not a symbol element, which would clip what stands left of and above its origin. A sign that
    # is not full covers the lines below it.
    outline = background_path(sign)
    ground = f'<path fill="var(--ground)" stroke="none" d="{outline}"/>' if outline else ""
    return (
        f'<g id="sign-{sign.name}" fill="none" stroke="currentColor" stroke-width="3" '
        f'stroke-linecap="round" stroke-linejoin="round" color="var(--{sign.role})">'
        f"{ground}{inner}</g>"
    )


# Moments are offered one by one up to this number of moves.
MAX_MOMENTS_OFFERED = 12
# What stands on a square, the bit of page.js for capturing it, how a diagram says so.
VICTIM_BITS_AND_ENDS = (
    (ENEMY, 2, EndFlags.CAPTURE),
    (ROYAL, 4, EndFlags.ROYAL),
    (FRIEND, 8, EndFlags.OWN),
)


def _arrow_label_data(label: ArrowLabel) -> tuple[int, list[tuple[str, int]]]:
    """How far all that goes on does, 0 for ever, and the signs of what goes on."""
    return label.limit or 0, [(sign.name, far) for sign, far in label.beside]


def board_data(
    meaning: Meaning,
    marks: Marks,
    label: str,
    example: Diagram | None = None,
    *,
    explained: bool = True,
) -> Json:
    """One diagram as page.js reads it; squares are numbered rank by rank from the near left corner.

    ``marks`` may be of one position; its pieces are then on the board, and can be taken off again.
    ``every`` has the signs of the whole piece by square, ``home`` those beside it, ``body`` the
    squares it takes up and ``swept`` those that some part of it may come to, ``lines`` its strokes
    and ``exits`` its ways out of the diagram, as drawing.js has them, ``margin`` the room around
    the board for these, ``regions`` the dashes and the path of the line around each; ``leaps`` are
    the squares a plain leap ends on, ``sure`` those that a plain move comes to whatever stands
    between, ``probes`` those on which something may be captured, ``victims`` what. ``cycle`` is
    what can be placed on a square; ``moments`` are the moves of the piece's own that may be the
    next one, ``moment`` is the one to begin with.
    ``words`` are those of this diagram, `EVERY_SIGN` has the rest. ``example`` has the pieces of an
    example. The legend is shown if ``explained``.
    """
    standing, coordinates = marks.standing, marks.coordinates
    marks = _all_marks_wide_enough_to_castle(meaning, marks)
    window = marks.window
    royal = _distinguishes_royals(meaning) or "enemy_royal" in standing.values()
    away = {window.square_index(at): mark for at, mark in marks.squares.items() if at != (0, 0)}
    moments, moment = _move_number_choices(meaning)
    words: dict[str, list[str]] = {}
    rows = legend_entries(marks)
    besides = [each.beside for each in rows if each.arrow >= 0]
    for entry in rows:
        # The page has one arrow for all; where only the direction tells them apart, it is written.
        several = entry.arrow >= 0 and besides.count(entry.beside) > 1
        direction = f"{ARROW_CHARACTERS[False][entry.arrow]} " if several else ""
        words.setdefault(entry.sign.name, []).append(direction + entry.words)
    lines, here = lines_of(meaning, window), diagram_svg.BoardPlacement(window, 0, 0)
    return {
        "label": label,
        "board": {
            "files": window.width,
            "ranks": window.height,
            "at": window.square_index((0, 0)),
            "wraps": window.ranks > 0,
            "shogi": coordinates == "shogi",
        },
        "standing": [
            [window.square_index(at), MASK_BY_OCCUPANT[each]]
            for at, each in standing.items()
            if each != "trail"
        ],
        "table": {
            "sections": [
                _section_data(part, window)
                for part in with_jumps_split_off(meaning_on_window(meaning, window)).parts
            ]
        },
        "every": {at: [sign.name for sign in signs_of_mark(mark)] for at, mark in away.items()},
        "body": [window.square_index(at) for at in marks.footprint if window.contains(at)],
        "swept": [window.square_index(at) for at in sorted(marks.footprint_destinations)],
        "home": [sign.name for sign in signs_beside_piece(marks)],
        "lines": [
            [window.square_index(stroke.start), window.square_index(stroke.end), stroke.kind]
            for stroke in lines.strokes
        ],
        "regions": [*diagram_svg.region_outlines(marks, here)],
        "exits": [
            [
                window.square_index(each.at),
                *each.step,
                each.kind,
                *_arrow_label_data(label_of_arrow(each)),
            ]
            for each in diagram_svg.exits_with_one_label_per_tip(lines, here)
        ],
        "margin": diagram_svg.arrow_room(lines, window) if lines.exits else 0,
        "leaps": [
            window.square_index(at)
            for at, mark in marks.squares.items()
            if any(family_of(way) == "leap" for way in mark.ways)
        ],
        "sure": [
            window.square_index(at)
            for at, mark in marks.squares.items()
            if any(
                family_of(way) in PLAIN_FAMILIES and not way.conditions & PathConditionFlags.CLEAR
                for way in mark.ways
            )
        ],
        "probes": _capture_squares(meaning, window, away),
        "victims": [
            [standing, bit]
            for standing, bit, ends in VICTIM_BITS_AND_ENDS
            if standing == ENEMY
            or (standing == ROYAL and royal)
            or any(way.ends & ends for mark in marks.squares.values() for way in mark.ways)
        ],
        "cycle": [ENEMY, ROYAL, FRIEND] if royal else [ENEMY, FRIEND],
        "moments": moments,
        "moment": moment,
        "words": {name: "; ".join(description) for name, description in words.items()},
        "notes": [
            *notes_signs_cannot_show(marks),
            *([diagram_svg.FOOTPRINT_RANGE_NOTE] if marks.footprint else []),
            *diagram_svg.omitted_lines_note(lines),
            *_page_notes(meaning, window, coordinates, standing),
        ],
        "placeable": len(footprint_of(meaning.facts)) == 1
        and (window.ranks > 0 or not _depends_on_square(meaning)),
        "explained": explained,
        "example": _example_pieces_data(example, window),
    }


def _example_pieces_data(example: Diagram | None, window: Window) -> list[list[int]]:
    """The pieces of an example; none where they are not all inside the window."""
    standing = example.marks.standing if example else {}
    if not all(map(window.contains, standing)):
        return []
    return [[window.square_index(at), MASK_BY_OCCUPANT[each]] for at, each in standing.items()]


def _all_marks_wide_enough_to_castle(meaning: Meaning, marks: Marks) -> Marks:
    """All marks of a piece; an open diagram wide enough to castle."""
    need = max((steps + inset + 1 for _, steps, inset in _castling_conditions(meaning)), default=0)
    window = marks.window
    if not window.ranks and window.east < need:
        window = open_window(need)
    elif not marks.standing:
        return marks
    every = marks_of(meaning, window)
    remarks = every.remarks | marks.remarks & RemarkFlags.UNBOUNDED
    return replace(every, remarks=remarks, facts_shown=marks.facts_shown, regions=marks.regions)


def _castling_conditions(meaning: Meaning) -> list[Condition]:
    return sorted(each for part in meaning.parts for each in part.guard if each.kind == "castle")


def _depends_on_square(meaning: Meaning) -> bool:
    """Whether what the piece may do depends on the board and its square."""
    return any(each.kind in BOARD_CONDITIONS for part in meaning.parts for each in part.guard)


# A node of a tree is at least two numbers, each with a comma and a space.
MIN_NODE_CHARACTERS = 6


def _section_data(part: GuardedAutomaton, window: Window) -> Json:
    """A part of the move table as a tree or as a graph, whichever is shorter."""
    graph = section_as_json(TableSection(part.guard, part.automaton, None))
    signs = len(json.dumps(graph))
    # Trees of the pieces with most paths are a hundred times as long as their graphs.
    most = signs // MIN_NODE_CHARACTERS
    (laid,) = sections_of_meaning(Meaning((part,)), window.width, window.height, most=most)
    if laid.trie is None:
        return graph
    tree = section_as_json(laid)
    return tree if len(json.dumps(tree)) < signs else graph


def _capture_squares(meaning: Meaning, window: Window, away: Mapping[int, Mark]) -> list[int]:
    """The squares on which something may be captured; a diagram does not follow wrapped paths."""
    if any(has_wrapping(part.automaton.states) for part in meaning.parts):
        home = window.square_index((0, 0))
        return [each for each in range(window.width * window.height) if each != home]
    captures = EndFlags.CAPTURE | EndFlags.ROYAL | EndFlags.OWN
    return [at for at, mark in away.items() if any(way.ends & captures for way in mark.ways)]


def _distinguishes_royals(meaning: Meaning) -> bool:
    """Whether it makes a difference to the piece that an enemy is royal."""
    (on, *ways) = zip(LETTERS_BY_CLASS[ENEMY], LETTERS_BY_CLASS[ROYAL], strict=True)
    return any(
        _has_one_of_two_classes(record[3], on)
        or any(_has_one_of_two_classes(mask, way) for mask, _ in record[4] for way in ways)
        for part in meaning.parts
        for state in part.automaton.states
        for record in state
    )


def _has_one_of_two_classes(mask: int, letters: tuple[int, int]) -> bool:
    """Whether a mask has one of two letters and not the other."""
    return bool(mask & letters[0]) != bool(mask & letters[1])


def _move_number_choices(meaning: Meaning) -> tuple[list[tuple[str, int | None, bool]], int]:
    """The moves that may be next, as far as it matters: words, moves made, never moved.

    Besides, the first of those at which most moves may be made.
    """
    guards = [
        tuple(condition for condition in part.guard if condition.kind in HISTORY_CONDITIONS)
        for part in meaning.parts
    ]
    if not any(guards):
        return [("any move", None, False)], 0
    last = max(condition.value for guard in guards for condition in guard)
    moments: list[tuple[str, int | None, bool]] = [
        (f"its {ordinal_word(number)} move", number - 1, number == 1)
        for number in range(1, min(max(last, 1), MAX_MOMENTS_OFFERED) + 1)
    ]
    moments.append(("a later move", None, False))
    held = [
        sum(conditions_hold(guard, made, third_rank=first) for guard in guards)
        for _, made, first in moments
    ]
    return moments, held.index(max(held))


def _page_notes(
    meaning: Meaning,
    window: Window,
    coordinates: CoordinateSystem,
    standing: Mapping[Offset, Occupant],
) -> Iterator[str]:
    if "trail" in standing.values():
        yield "Captures en passant are not worked out on this page."
    if _depends_on_square(meaning) and not window.ranks:
        yield (
            "What it may do depends on the board and the square it stands on, so nothing can be "
            "placed on this diagram."
        )
    if len(footprint_of(meaning.facts)) > 1:
        yield "It takes up several squares, so nothing can be placed on this diagram."
    for _, steps, inset in _castling_conditions(meaning):
        corners = [
            _square_name_on_page(window, coordinates, x)
            for x in (inset - window.west, window.east - inset)
            if abs(x) > steps
        ]
        if corners:
            yield (
                f"To castle by {steps} it needs a piece of its own side on {' or '.join(corners)}; "
                "those placed here have not moved yet."
            )


def _square_name_on_page(window: Window, coordinates: CoordinateSystem, x: int) -> str:
    """A square of the piece's rank as on a board; in an open diagram as seen from the piece."""
    if window.ranks:
        square = x + window.west, window.south
        return square_name_on(square, window.width, window.height, coordinates)
    return f"{abs(x)} {'right' if x > 0 else 'left'}"


# What the words of a diagram say in full: at which.
AT_MOVES_PREFIX = "at set moves: "


def legend_of_all_signs() -> str:
    """Every sign with its words, as items of a list; the drawings are those of `symbol_defs`."""
    return "".join(
        f'<li><svg viewBox="-20 -20 40 40" aria-hidden="true"><use href="#sign-{name}"/></svg>'
        f"<span>{AT_MOVES_PREFIX if name.startswith('timed') else ''}{escaped(words)}</span></li>"
        for name, words in EVERY_SIGN
    )


OCCUPANT_SIGNS = (SIGNS["enemy"], SIGNS["enemy_royal"], SIGNS["friend"])
MARKING_SIGNS = [
    sign for sign in SIGNS.values() if sign.drawing and sign.family not in MASK_BY_OCCUPANT
]
# Every sign and line a page may need, with its words, in the order of a legend.
EVERY_SIGN = [
    *([sign.name, sign.words] for sign in (HOME_SIGN, *MARKING_SIGNS, *OCCUPANT_SIGNS, ARROW_SIGN)),
    *([_line_symbol_name(kind), words] for kind, words in LINE_KIND_WORDS.items()),
]

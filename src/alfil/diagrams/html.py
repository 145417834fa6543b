"""Pictures as one page that needs nothing else: no network, no fonts, no other file.

The page of a piece works out the moves itself, so that its reader can place other pieces and see
what changes: `board_data` is what page.js reads for that.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, TypeAlias

from alfil.diagrams.elements import WEDGE, shape
from alfil.diagrams.lines import STANDS_AS, lines_of
from alfil.diagrams.pieces import escaped
from alfil.diagrams.signs import (
    ARROW,
    HOME_SIGN,
    SIGNS,
    Sign,
    entries,
    notes,
    ordinal,
    signs_on,
)
from alfil.diagrams.subjects import (
    Asks,
    Diagram,
    Ends,
    Marks,
    Offset,
    Standing,
    Subject,
    Way,
    Window,
    around,
)
from alfil.diagrams.svg import rendered as svg
from alfil.diagrams.themes import PRINT, ROLES, Theme
from alfil.diagrams.walk import TIMING, marks_of
from alfil.grammars import read_data
from alfil.meaning.automaton import ENEMY, FRIEND, LETTERS, ROYAL, wraps
from alfil.meaning.piece import Condition, ConditionKind, Guard, Meaning, allows
from alfil.source import shown
from alfil.squares import Coordinates, name_on
from alfil.tables.table import Section, compile_table, section_as_json

if TYPE_CHECKING:
    from alfil.diagrams.picture import Look

Json: TypeAlias = dict[str, object]

SCRIPTS = ("moves.js", "position.js", "page.js")
# Longer texts are cut.
LONGEST = 1_000


# The page of a board or a sheet, which is its SVG and nothing else.
PAGE = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
    "<style>body{{margin:0}}svg{{display:block;max-width:100%;height:auto;margin:auto}}"
    "@media screen and (prefers-color-scheme:dark){{body{{background:{night}}}}}</style>\n"
    "</head>\n<body>\n{svg}</body>\n</html>\n"
)


def rendered(subject: Subject, look: Look) -> str:
    """A picture as a page."""
    if isinstance(subject, Diagram):
        return _page(subject, look)
    night = (look.theme.night or look.theme).paper
    return PAGE.format(title=escaped(subject.heading), svg=svg(subject, look), night=night)


def _page(diagram: Diagram, look: Look) -> str:
    """The page of a piece; readers whose browser runs no scripts see it as it is."""
    title = diagram.label or diagram.notation or "a piece without moves"
    data = board_data(diagram.meaning, diagram.marks, f"How {shown(title, LONGEST)} moves")
    script = run(
        *map(asset, SCRIPTS),
        'new Board(document.getElementById("board"), read("data"), read("signs"));',
    )
    notation = f"<p><code>{text(diagram.notation)}</code></p>" if diagram.label else ""
    body = [
        '<main class="page">',
        f"<h1>{text(title)}</h1>",
        notation,
        f'<div id="board" class="diagram">{svg(diagram, look._replace(size=None))}</div>',
        f"<p>{text(diagram.description)}</p>",
        "</main>",
        symbols(diagram.token),
        data_element("signs", EVERY_SIGN),
        data_element("data", data),
    ]
    return document(title, "\n".join(body), script, colours(look.theme) + asset("page.css"))


def run(*scripts: str) -> str:
    """Scripts as one, with names of their own."""
    joined = "\n".join(scripts)
    return f'(() => {{\n"use strict";\n{joined}\n}})();\n'


def document(title: str, body: str, script: str, style: str, head: str = "") -> str:
    """A page that may load nothing but pictures beside it, and run nothing but its own script."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src 'self' data: file:; base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="generator" content="alfil">',
            f"<title>{text(title)}</title>",
            f"{head}<style>\n{style}</style>",
            "</head>",
            "<body>",
            body,
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def text(given: str) -> str:
    """Any text, safe in a page: no tag, no quote, nothing unseen, no mark that turns it round."""
    return escape(shown(given, LONGEST))


def data_element(identity: str, data: object) -> str:
    """Data for the page's script, under a name; no tag can begin or end in it."""
    json_text = json.dumps(data, separators=(",", ":"))
    for character in "<>&":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="{identity}">{json_text}</script>'


@cache
def asset(file: str) -> str:
    """A script or style sheet of this folder."""
    return read_data("diagrams", file, "src/alfil/diagrams")


def colours(theme: Theme) -> str:
    """The colours of a theme as variables, those of its night side, and those of paper."""
    night = theme.night
    rules = [f":root{{{_variables(theme)}}}"]
    if night:
        rules.append(f"@media (prefers-color-scheme:dark){{:root{{{_variables(night)}}}}}")
        rules.append(f"@media print{{:root{{{_variables(PRINT)}}}}}")
    return "\n".join(rules) + "\n"


def _variables(theme: Theme) -> str:
    return "".join(f"--{each}:{getattr(theme, each)};" for each in ROLES)


@lru_cache(maxsize=8)
def symbols(token: str = "") -> str:
    """All signs and pieces as drawings to be used by their names.

    ``token`` is what is drawn for the piece itself, in place of the plain wedge.
    """
    drawn = "".join(map(_symbol, (*MARKING, *STANDING)))
    arrow = _drawing("arrow", ARROW_SHAPE, 'color="var(--path)"')
    wedge = token or f'<path fill="var(--piece)" d="M0 0{WEDGE}"/>'
    piece = f'<g id="sign-piece">{wedge}</g>'
    return (
        f'<svg class="symbols" aria-hidden="true" width="0" height="0">{drawn}{piece}{arrow}</svg>'
    )


ARROW_SHAPE = '<path d="M0 12v-22m-7.5 8l7.5-8l7.5 8"/>'


def _symbol(sign: Sign) -> str:
    inner = shape(sign)
    if sign not in STANDING:
        return _drawing(sign.name, inner, f'color="var(--{sign.role})"')
    colour = "friend" if sign.family == "friend" else "enemy"
    filled = f'fill="var(--{colour})" stroke="var(--ink)" color="var(--{colour})"'
    return f'<g id="sign-{sign.name}" {filled} stroke-linejoin="round">{inner}</g>'


def _drawing(title: str, inner: str, attributes: str) -> str:
    # Not a symbol element, which would clip what stands left of and above its origin.
    return (
        f'<g id="sign-{title}" fill="none" stroke="currentColor" stroke-width="3" '
        f'stroke-linecap="round" stroke-linejoin="round" {attributes}>{inner}</g>'
    )


# Moments are offered one by one up to this number of moves.
LAST_MOMENT = 12
# What stands on a square, the bit of page.js for capturing it, how a diagram says so.
VICTIMS = ((ENEMY, 2, Ends.CAPTURE), (ROYAL, 4, Ends.ROYAL), (FRIEND, 8, Ends.OWN))


def _with_room(meaning: Meaning, marks: Marks) -> Marks:
    """All marks of a piece; an open diagram wide enough to castle."""
    need = max((steps + inset + 1 for steps, inset in _castling(meaning)), default=0)
    if not marks.window.ranks and marks.window.east < need:
        return marks_of(meaning, around(need))
    return marks_of(meaning, marks.window) if marks.standing else marks


def board_data(meaning: Meaning, marks: Marks, label: str) -> Json:
    """One diagram as page.js reads it; squares are numbered rank by rank from the near left corner.

    ``marks`` may be of one position; its pieces are then on the board, and can be taken off again.
    ``every`` has the signs of the whole piece by square, ``arrows`` where moves leave the diagram,
    ``lines`` its lines from square to square; ``leaps`` are the squares a plain leap ends on,
    ``probes`` those on which something may be captured, ``victims`` what. ``cycle`` is what can be
    placed on a square; ``moments`` are the moves of the piece's own that may be the next one,
    ``moment`` is the one to begin with. ``words`` are those of this diagram, `EVERY_SIGN` has
    the rest.
    """
    standing, coordinates = marks.standing, marks.coordinates
    marks = _with_room(meaning, marks)
    window = marks.window
    royal = _tells_royals_apart(meaning) or "enemy_royal" in standing.values()
    moments = list(_moments(meaning))
    size = window.width, window.height
    return {
        "label": label,
        "board": {
            "files": window.width,
            "ranks": window.height,
            "at": window.number((0, 0)),
            "wraps": window.ranks > 0,
            "shogi": coordinates == "shogi",
        },
        "standing": [
            [window.number(at), STANDS_AS[each]] for at, each in standing.items() if each != "trail"
        ],
        "table": {"sections": [*map(_shorter, compile_table(meaning, *size).sections)]},
        "every": {
            window.number(at): [sign.name for sign in signs_on(mark)]
            for at, mark in marks.squares.items()
            if at != (0, 0)
        },
        "arrows": [[at[0] + window.west, at[1] + window.south, *step] for at, step in marks.arrows],
        "lines": [
            [window.number(stroke.start), window.number(stroke.end)]
            for stroke in lines_of(meaning, window).strokes
        ],
        "leaps": [window.number(at) for at, mark in marks.squares.items() if _leaps(mark.ways)],
        "probes": _probes(meaning, marks),
        "victims": [
            [standing, bit]
            for standing, bit, ends in VICTIMS
            if standing == ENEMY or (standing == ROYAL and royal) or _any_ends(marks, ends)
        ],
        "cycle": [ENEMY, ROYAL, FRIEND] if royal else [ENEMY, FRIEND],
        "moments": moments,
        "moment": _best_moment(meaning, moments),
        "words": _words(marks),
        "notes": [*notes(marks), *_notes(meaning, window, coordinates, standing)],
        "placeable": window.ranks > 0 or not _of_kind(meaning, "middle"),
    }


def _name(window: Window, coordinates: Coordinates, at: Offset) -> str:
    """A square as on a board; in an open diagram as seen from the piece."""
    x, y = at
    if window.ranks:
        square = x + window.west, y + window.south
        return name_on(square, window.width, window.height, coordinates)
    words = [f"{abs(y)} {'forward' if y > 0 else 'back'}"] if y else []
    words += [f"{abs(x)} {'right' if x > 0 else 'left'}"] if x else []
    return ", ".join(words) or "home"


def _shorter(section: Section) -> Json:
    """A part of the move table, as a tree or as a graph."""
    forms = [section_as_json(each) for each in (section._replace(trie=None), section)]
    return min(forms, key=lambda form: len(json.dumps(form)))


def _leaps(ways: tuple[Way, ...]) -> bool:
    plain = (way for way in ways if not way.guard and not way.asks & (Asks.HURDLE | Asks.LOCUST))
    return any(way.asks & Asks.LEAP for way in plain)


def _probes(meaning: Meaning, marks: Marks) -> list[int]:
    """The squares on which something may be captured; a diagram does not follow wrapped paths."""
    captures = Ends.CAPTURE | Ends.ROYAL | Ends.OWN
    home = marks.window.number((0, 0))
    if any(wraps(part.automaton.states) for part in meaning.parts):
        found = [*range(marks.window.width * marks.window.height)]
    else:
        found = [
            marks.window.number(at)
            for at, mark in marks.squares.items()
            if any(way.ends & captures for way in mark.ways)
        ]
    return [each for each in found if each != home]


def _any_ends(marks: Marks, ends: int) -> bool:
    return any(way.ends & ends for mark in marks.squares.values() for way in mark.ways)


def _tells_royals_apart(meaning: Meaning) -> bool:
    """Whether it makes a difference to the piece that an enemy is royal."""
    on, *ways = zip(LETTERS[ENEMY], LETTERS[ROYAL], strict=True)
    return any(
        _parts(record[3], on) or any(_parts(mask, way) for mask, _ in record[4] for way in ways)
        for part in meaning.parts
        for state in part.automaton.states
        for record in state
    )


def _parts(mask: int, letters: tuple[int, int]) -> bool:
    """Whether a mask has one of two letters and not the other."""
    return bool(mask & letters[0]) != bool(mask & letters[1])


def _guards(meaning: Meaning) -> list[Guard]:
    """What says when each part may be used."""
    return [
        tuple(condition for condition in part.guard if condition.kind in TIMING - {"castle"})
        for part in meaning.parts
    ]


def _of_kind(meaning: Meaning, kind: ConditionKind) -> list[Condition]:
    """The conditions of one kind."""
    return [each for part in meaning.parts for each in part.guard if each.kind == kind]


def _castling(meaning: Meaning) -> list[tuple[int, int]]:
    return sorted((each.value, each.inset) for each in _of_kind(meaning, "castle"))


def _moments(meaning: Meaning) -> Iterator[tuple[str, int | None, bool]]:
    """The moves that may be next, as far as it matters: words, moves made, never moved."""
    conditions = {condition for guard in _guards(meaning) for condition in guard}
    if not conditions:
        yield "any move", None, False
        return
    last = max((condition.value for condition in conditions), default=1)
    for number in range(1, min(max(last, 1), LAST_MOMENT) + 1):
        yield f"its {ordinal(number)} move", number - 1, number == 1
    yield "a later move", None, False


def _best_moment(meaning: Meaning, moments: list[tuple[str, int | None, bool]]) -> int:
    """The moment at which most moves may be made, the first of those."""
    guards = _guards(meaning)
    held = [
        sum(allows(guard, made, third_rank=first) for guard in guards) for _, made, first in moments
    ]
    return held.index(max(held)) if held else 0


def _words(marks: Marks) -> dict[str, str]:
    """What the signs of this diagram mean, by their names."""
    said: dict[str, list[str]] = {}
    for entry in entries(marks):
        said.setdefault(entry.sign.name, []).append(entry.words)
    return {each: "; ".join(words) for each, words in said.items()}


STANDING = (SIGNS["enemy"], SIGNS["enemy_royal"], SIGNS["friend"])
MARKING = [sign for sign in SIGNS.values() if sign.drawing and sign.family not in STANDS_AS]
# Every sign a page may need, with its words, in the order of a legend.
EVERY_SIGN = [[sign.name, sign.words] for sign in (HOME_SIGN, *MARKING, *STANDING, ARROW)]


def _notes(
    meaning: Meaning,
    window: Window,
    coordinates: Coordinates,
    standing: Mapping[Offset, Standing],
) -> Iterator[str]:
    if "trail" in standing.values():
        yield "Captures en passant are not worked out on this page."
    if _of_kind(meaning, "middle") and not window.ranks:
        yield (
            "How far it may go depends on the board and the square it stands on, so nothing can be "
            "placed on this diagram."
        )
    for steps, inset in _castling(meaning):
        corners = [
            _name(window, coordinates, (x, 0))
            for x in (inset - window.west, window.east - inset)
            if abs(x) > steps
        ]
        if corners:
            yield (
                f"To castle by {steps} it needs a piece of its own side on {' or '.join(corners)}; "
                "those placed here have not moved yet."
            )

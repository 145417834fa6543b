"""SVG diagrams taken apart again and held against the moves, and looked at as pixels."""

import csv
import random
import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import alfil
from alfil.diagrams.split_jump_paths import with_jumps_split_off  # what pictures tell apart
from gathering import every_row
from inside import SIGNS, THEMES
from strategies import NIGHTLY, NO_PNG

CASES = Path(__file__).parent / "cases"
SVG = "{http://www.w3.org/2000/svg}"
Square = tuple[int, int]
# Signs of moves that need no other piece on their way and may always be made.
PLAIN = {
    f"{family}-{fill}" for family in ("step", "leap") for fill in ("either", "move", "capture")
}
FILES, RANKS, AT = 7, 7, (3, 3)


def signs_in(svg: str) -> dict[Square, set[str]]:
    """The signs of a picture by square."""
    found: dict[Square, set[str]] = {}
    for element in ET.fromstring(svg).iter():
        name = element.attrib.get("data-sign") or element.attrib.get("data-ground")
        if name:
            x, y = element.attrib["data-at"].split(",")
            found.setdefault((int(x), int(y)), set()).add(name)
    return found


def corpus() -> list[str]:
    """Every fourth notation of the corpus; in the profile `nightly` every other one."""
    with (CASES / "betza_corpus.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row["notation"] for row in rows][:: 2 if NIGHTLY else 4]


piece = cache(alfil.read)


def on_board(text: str, **pieces: object) -> frozenset[alfil.PieceMove]:
    return alfil.moves(piece(text), files=FILES, ranks=RANKS, at=AT, **pieces)  # type: ignore[arg-type]


def squares() -> Iterator[Square]:
    for x in range(-AT[0], FILES - AT[0]):
        for y in range(-AT[1], RANKS - AT[1]):
            if (x, y) != (0, 0):
                yield x, y


@cache
def refused(text: str) -> bool:
    try:
        piece(text).meaning  # noqa: B018 - compiled when it is asked for
    except alfil.AlfilError:
        return True
    return False


def quiet_and_captures(text: str) -> tuple[set[Square], set[Square]]:
    """Where a piece goes on an empty board, and where it captures a lone enemy."""
    quiet = {move.to for move in on_board(text, unmoved=False) if not move.captures}
    captures = {
        at
        for at in squares()
        if any(
            move.to == at and move.captures == (at,) and not move.hurdles
            for move in on_board(text, enemies=[at], unmoved=False)
        )
    }
    return quiet - {(0, 0)}, captures


@every_row("text", [text for text in corpus() if not refused(text)])
def test_every_square_marked_has_that_kind_of_move_and_no_other(text: str) -> None:
    drawing = alfil.draw(piece(text), files=FILES, ranks=RANKS, at=AT)
    shown = signs_in(drawing.svg())
    quiet, captures = quiet_and_captures(text)
    marked_quiet = {
        at
        for at, signs in shown.items()
        if signs & PLAIN and fills(signs & PLAIN) & {"either", "move"}
    }
    marked_captures = {
        at
        for at, signs in shown.items()
        if signs & PLAIN and fills(signs & PLAIN) & {"either", "capture"}
    }
    assert (marked_quiet, marked_captures) == (quiet, captures)


def fills(signs: set[str]) -> set[str]:
    return {sign.rpartition("-")[2] for sign in signs}


@every_row("text", [text for text in corpus()[1::2] if not refused(text)])
def test_stars_are_leaps_and_discs_are_none(text: str) -> None:
    """Where a piece goes though all squares around are occupied, it has leapt or made one step."""
    for at, signs in signs_in(
        alfil.draw(piece(text), files=FILES, ranks=RANKS, at=AT).svg()
    ).items():
        plain = signs & PLAIN
        if len(plain) != 1 or max(map(abs, at)) == 1:
            continue
        (sign,) = plain
        others = [each for each in squares() if each != at]
        enemy = {"enemies": [at]} if sign.endswith("capture") else {}
        blocked = on_board(text, friends=others, unmoved=False, **enemy)
        over = any(move.to == at and not move.hurdles for move in blocked)
        if over:
            assert sign.startswith("leap")


def positions(text: str, number: int) -> Iterator[dict[str, list[Square]]]:
    """Boards with pieces thrown on them, the same ones for the same text every time."""
    dice = random.Random(zlib.crc32(text.encode()))
    for _ in range(number):
        places = sorted(squares())
        dice.shuffle(places)
        yield {
            "enemies": sorted(places[:8]),
            "friends": sorted(places[8:13]),
            "enemy_royals": sorted(places[13:14]),
        }


def kinds(move: alfil.PieceMove) -> tuple[str, str]:
    """The family and the fill that a move should be drawn with."""
    names = {condition.kind: condition.value for condition in move.guard}
    fill = "capture" if move.to in move.captures else "move"
    passing = set(move.captures) - {move.to}
    if move.to in move.own_captures:
        return "own", ""
    if "castle" in names:
        return "castle", ""
    if {"move", "every", "third-rank"} & set(names):
        first = {*names} <= {"move", "trail", "greedy", "middle"} and names["move"] == 1
        return ("first" if first else "timed"), fill
    if passing:
        return "locust", fill
    return ("hurdle" if move.hurdles else "plain"), fill


@every_row("text", [text for text in corpus()[::2] if not refused(text)])
def test_a_position_shows_its_moves_and_nothing_else(text: str) -> None:
    passes = with_jumps_split_off(piece(text).meaning) is not piece(text).meaning
    for pieces in positions(text, 3):
        try:
            moves = on_board(text, unmoved=True, **pieces)
        except alfil.BoardError:
            continue
        drawing = alfil.draw(piece(text), files=FILES, ranks=RANKS, at=AT, unmoved=True, **pieces)  # type: ignore[arg-type]
        shown = signs_in(drawing.svg())
        wanted: dict[Square, set[tuple[str, str]]] = {}
        victims = {at for move in moves for at in move.captures if at != move.to}
        beside = {"return" if move.captures else "pass" for move in moves if move.to == (0, 0)}
        assert shown.pop((0, 0), set()) == beside
        for move in moves:
            if move.to != (0, 0):
                wanted.setdefault(move.to, set()).add(kinds(move))
        ended = {
            at: {"plain" if each in PLAIN else each.partition("-")[0] for each in signs}
            for at, signs in shown.items()
        }
        # An easier way to the same end may stand for a harder one; every sign must be of some move.
        for at, families in ended.items():
            possible = {family for family, _ in wanted.get(at, set())}
            # To a move a piece that is passed like an empty square is no hurdle.
            possible |= {"hurdle"} if passes and "plain" in possible else set()
            assert families - {"victim", "over"} <= possible
            assert ("victim" in families) == (at in victims)
        for at, ways in wanted.items():
            assert ended[at] - {"victim", "over"}, at
            drawn_fills = fills(shown[at] - {"victim", "over", "own", "castle"})
            need = {fill for _, fill in ways if fill}
            assert need == drawn_fills or (drawn_fills == {"either"} and need)


def pixels(svg: str, size: tuple[int | None, int | None] = (None, None)) -> bytes:
    """The picture as PNG, in its own size unless another is given."""
    resvg_py = pytest.importorskip("resvg_py", reason=NO_PNG)
    wide, high = size
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, width=wide, height=high, skip_system_fonts=True)
    )


def raw(png: bytes) -> list[tuple[int, int, int]]:
    """The colours of an 8-bit PNG with alpha, row by row."""
    width = int.from_bytes(png[16:20], "big")
    assert png[24:26] == b"\x08\x06"
    at, data = 8, b""
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    lines = zlib.decompress(data)
    stride = 4 * width
    rows: list[bytearray] = []
    for start in range(0, len(lines), stride + 1):
        above = rows[-1] if rows else bytearray(stride)
        rows.append(unfiltered(lines[start], lines[start + 1 : start + 1 + stride], above))
    return [tuple(row[i : i + 3]) for row in rows for i in range(0, stride, 4)]  # type: ignore[misc]


def unfiltered(method: int, line: bytes, above: bytearray) -> bytearray:
    """One row of a PNG with its prediction added again."""
    row = bytearray(line)
    if method == 1:
        for i in range(4, len(row)):
            row[i] = (row[i] + row[i - 4]) & 255
    elif method == 2:
        row = bytearray((value + up) & 255 for value, up in zip(row, above, strict=True))
    elif method in {3, 4}:
        for i, b in enumerate(above):
            a, c = (row[i - 4], above[i - 4]) if i > 3 else (0, 0)
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + ((a + b) // 2 if method == 3 else nearest)) & 255
    return row


# How colours look to people without red, green or blue cones, as matrices on linear-ish RGB; and
# to nobody in colour. Shape has to do in each.
SIGHTS = {
    "grey": ((0.3, 0.59, 0.11),) * 3,
    "protanopia": ((0.567, 0.433, 0.0), (0.558, 0.442, 0.0), (0.0, 0.242, 0.758)),
    "deuteranopia": ((0.625, 0.375, 0.0), (0.7, 0.3, 0.0), (0.0, 0.3, 0.7)),
    "tritanopia": ((0.95, 0.05, 0.0), (0.0, 0.433, 0.567), (0.0, 0.475, 0.525)),
}


@cache
def sign_alone(name: str, theme: str) -> list[tuple[int, int, int]]:
    """The colours of a sign on a square of the board."""
    colours = THEMES[theme]
    sign = SIGNS[name]
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
        f'<rect width="40" height="40" fill="{colours.dark}"/>'
        f'<g color="{getattr(colours, sign.role)}" fill="none" stroke="currentColor" '
        f'stroke-width="3" stroke-linejoin="round" stroke-linecap="round">'
        f'<g transform="translate(20 20)">{sign.drawing}</g></g>'
        "</svg>"
    )
    return raw(pixels(svg))


@cache
def silhouette(name: str, theme: str, sight: str) -> frozenset[int]:
    """The pixels of a sign that are seen on a square of the board."""
    seen = [
        tuple(
            sum(factor * part for factor, part in zip(row, pixel, strict=True))
            for row in SIGHTS[sight]
        )
        for pixel in sign_alone(name, theme)
    ]
    ground = seen[0]
    return frozenset(
        index
        for index, pixel in enumerate(seen)
        if max(abs(part - under) for part, under in zip(pixel, ground, strict=True)) > 50
    )


# Other pieces are drawn too, and differ from each other; signs stand on top of them.
NAMES = [name for name, sign in SIGNS.items() if sign < SIGNS["piece"]]


@pytest.mark.parametrize(
    ("theme", "sight"),
    [
        (theme, sight)
        for n, theme in enumerate(THEMES)
        for m, sight in enumerate(SIGHTS)
        if NIGHTLY or n % len(SIGHTS) == m
    ],
)
def test_signs_of_different_kinds_differ_in_shape(theme: str, sight: str) -> None:
    shapes = {name: silhouette(name, theme, sight) for name in NAMES}
    assert min(map(len, shapes.values())) > 20
    alike = [
        (one, other)
        for one in shapes
        for other in shapes
        if one < other and len(shapes[one] ^ shapes[other]) < 50
    ]
    assert alike == []


def contrast(one: str, other: str) -> float:
    """How far two colours are apart, as WCAG reckons it: from 1 to 21."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


BELOW = [sign for sign in SIGNS.values() if "fill-opacity" in sign.drawing]


def tinted(colour: str, ground: str) -> str:
    """A colour on a ground, as thin as signs below others are filled with it."""
    (share,) = {float(each) for sign in BELOW for each in OPACITY.findall(sign.drawing)}
    parts = zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]), strict=True)
    return f"#{bytes(round(over * share + under * (1 - share)) for over, under in parts).hex()}"


OPACITY = re.compile('fill-opacity="([0-9.]+)"')


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_lines_signs_and_words_stand_out(theme: object) -> None:
    """Lines and signs by 3:1 on every square and on the paper, words by 4.5:1 on the paper."""
    grounds = [getattr(theme, each) for each in ("light", "dark", "paper")]
    for role in ("path", "quiet", "ink", "either", "move", "capture", "other"):
        assert min(contrast(getattr(theme, role), each) for each in grounds) >= 3, role
    for role in ("ink", "quiet"):
        assert contrast(getattr(theme, role), theme.paper) >= 4.5, role
    # On a tinted square, too.
    tints = [tinted(getattr(theme, below.role), each) for below in BELOW for each in grounds[:2]]
    for role in ("path", "ink", "either", "move", "capture", "other"):
        assert min(contrast(getattr(theme, role), each) for each in tints) >= 3, role
    assert contrast(theme.letter, theme.piece) >= 4.5


def test_shapes_do_not_depend_on_the_fill_colour() -> None:
    """Move and capture of one family differ in shape, where colour is all they differ in."""
    for family in ("step", "leap", "hurdle", "first"):
        names = [f"{family}-{fill}" for fill in ("either", "move", "capture")]
        assert len({silhouette(name, "print", "grey") for name in names}) == 3


@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_survives_rasterising(theme: str) -> None:
    """Every sign of the SVG is seen in the PNG at its place, and so are the words."""
    svg = alfil.draw("mRcpR", radius=2, label="cannon", theme=theme).svg()
    assert "<text" not in svg
    without = alfil.draw("", radius=2, label="cannon", theme=theme).svg()
    png = pixels(svg, (240, 303))  # half of its own size
    assert png != pixels(
        without, (240, 303)
    )  # made by one program, so the same PNG is the same picture
    colours = set(raw(png))
    inks = {tuple(bytes.fromhex(getattr(THEMES[theme], each)[1:])) for each in ("ink", "move")}
    assert inks <= colours


HOSTILE = [
    "<script>alert(1)</script>",
    "\"quotes' & <tags/> ]]> -->",
    "\u202egnihtemos\u2066\u200f",
    "\x00\x01\x08\x0b\x1b[31m\x7f",
    "\ufffe\uffff\ud800",
    "x" * 10_000,
    "\U0001f409" * 10_000,
    "a\u0301\u0302\u0303\u0304" * 3_000,
    "line\nbreak\r\ttab\u2028",
    "{{template|a=b}} [[link]] {| table |}",
    "</svg><svg onload='x'>",
    "豹 パオ",
]


@pytest.mark.parametrize("label", HOSTILE)
def test_labels_are_harmless(label: str) -> None:
    drawing = alfil.draw("N", label=label)
    svg = drawing.svg()
    root = ET.fromstring(svg)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "style", "defs", "g", "path", "use"}
    assert not any(name.startswith("on") for each in root.iter() for name in each.attrib)
    assert len(svg) < 100_000
    assert svg.isprintable() or set(svg) - set(filter(str.isprintable, svg)) == {"\n"}
    for form in ("text", "ascii", "json", "wikitext"):
        made = drawing.render(form).decode("utf-8")
        assert not set("\x00\x1b\u202e\u2066\u200f\u2028") & set(made)
    assert "<script" not in drawing.render("wikitext").decode("utf-8")
    assert len(pixels(svg)) > 100  # another program can read it


@pytest.mark.parametrize("text", ["W" * 5_000, "fF" * 2_000])
def test_long_notations_are_cut(text: str) -> None:
    svg = alfil.draw(text).svg()
    assert len(svg) < 100_000
    assert text not in svg


def test_title_and_description_are_words() -> None:
    root = ET.fromstring(alfil.draw("FyafsF", label="griffon").svg())
    assert root.attrib["role"] == "img"
    assert root.findtext(f"{SVG}title") == "griffon: FyafsF"
    told = root.findtext(f"{SVG}desc") or ""
    assert told.startswith(alfil.describe("FyafsF"))
    assert "Moves or captures on 28 squares and on beyond the diagram" in told


def test_names_in_a_picture_lead_to_what_they_name() -> None:
    root = ET.fromstring(alfil.draw("KNADcaKmcabK", label="lion").svg())
    named = {each.attrib["id"]: each for each in root.iter() if "id" in each.attrib}
    assert named[root.attrib["aria-labelledby"]].text == root.findtext(f"{SVG}title")
    assert named[root.attrib["aria-describedby"]].text == root.findtext(f"{SVG}desc")
    used = {each.attrib["href"].removeprefix("#") for each in root.iter(f"{SVG}use")}
    assert used == {name for name in named if "." in name or "-" in name}
    other = ET.fromstring(alfil.draw("KNADcaKmcabK", label="another").svg())
    assert other.attrib["aria-labelledby"] != root.attrib["aria-labelledby"]


@pytest.mark.parametrize(
    ("text", "label", "most"), [("fmWfceFifmnD", "pawn", 19_000), ("FyafsF", "griffon", 19_500)]
)
def test_files_are_small(text: str, label: str, most: int) -> None:
    assert len(alfil.draw(text, label=label).svg().encode()) <= most


def test_one_style_for_dark_screens() -> None:
    assert alfil.draw("N").svg().count("<style>") == 1
    assert alfil.draw("N").svg().count("@media screen and (prefers-color-scheme:dark)") == 1
    assert "<style>" not in alfil.draw("N", theme="print").svg()
    assert "class=" not in alfil.draw("N", theme="dark").svg()


def strokes(text: str, **options: object) -> set[tuple[Square, Square, str]]:
    lines = alfil.draw(text, **options).subject.lines  # type: ignore[arg-type]
    return {
        (
            each.start,
            (each.start[0] + each.steps * each.step[0], each.start[1] + each.steps * each.step[1]),
            each.kind.name,
        )
        for each in lines.strokes
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("N", set()),
        ("K", set()),
        ("mpafW", set()),
        ("fR3", {((0, 0), (0, 3), "PATH")}),
        ("fnD", {((0, 0), (0, 2), "PATH")}),
        (
            "fnN",
            {
                ((0, 0), (0, 1), "PATH"),
                ((0, 1), (1, 2), "PATH"),
                ((0, 1), (-1, 2), "PATH"),
            },
        ),
        (
            "fryafsF",
            {
                ((0, 0), (1, 1), "PATH"),
                ((1, 1), (4, 1), "PATH"),
                ((1, 1), (1, 4), "PATH"),
            },
        ),
        ("fpafW", {((0, 0), (0, 2), "HOP")}),
        (
            "fcafmF",
            {
                ((0, 0), (1, 1), "PATH"),
                ((1, 1), (2, 2), "TAKE"),
                ((0, 0), (-1, 1), "PATH"),
                ((-1, 1), (-2, 2), "TAKE"),
            },
        ),
        ("fDD", {((0, 0), (0, 4), "JUMP")}),
    ],
)
def test_lines_explain_the_way(text: str, expected: set[tuple[Square, Square, str]]) -> None:
    assert strokes(text, radius=4) == expected


def test_lines_end_where_the_way_is_blocked() -> None:
    assert strokes("R", radius=4, friends=[(0, 3)], enemies=[(2, 0)]) == {
        ((0, 0), (0, 2), "PATH"),
        ((0, 0), (2, 0), "PATH"),
        ((0, 0), (-4, 0), "PATH"),
        ((0, 0), (0, -4), "PATH"),
    }
    assert strokes("pR", radius=4, enemies=[(0, 2)]) == {((0, 0), (0, 4), "HOP")}
    assert strokes("pR", radius=4, moves_made=1) == set()


def test_a_slide_over_anything_is_dotted() -> None:
    piece = alfil.read("j(n4dO)", "hasinu")
    assert {kind for _, _, kind in strokes(piece)} == {"JUMP"}  # type: ignore[arg-type]


def test_exits_and_arrows_are_on_the_same_squares() -> None:
    for text in ("R", "NN", "FyafsF", "zB"):
        picture = alfil.draw(text, radius=4).subject
        assert {each.step for each in picture.lines.exits} == {
            each.step for each in picture.marks.arrows
        }


def test_signs_have_shapes_of_their_own() -> None:
    drawings = [sign.drawing for sign in SIGNS.values() if sign.drawing]
    assert len(set(drawings)) == len(drawings)


def test_pieces_and_diagrams_show_in_notebooks() -> None:
    assert alfil.read("N")._repr_svg_() == alfil.draw("N").svg() == alfil.draw("N")._repr_svg_()
    assert alfil.read("fmW*")._repr_svg_() is None


def test_a_web_of_lines_is_left_out() -> None:
    assert strokes("KaK") == set()
    assert strokes("FyafsF", radius=2) != set()
    hooks = alfil.draw("RaR", radius=3).subject.lines
    assert hooks.cut
    assert {each.start for each in hooks.strokes} == {(0, 0)}
    assert {0 in each.step for each in hooks.exits} == {True}


@pytest.mark.parametrize("text", ["RaR", "KaK"])
def test_a_picture_without_all_its_lines_says_so(text: str) -> None:
    picture = alfil.draw(text, radius=3).subject
    assert picture.lines.cut
    silent = replace(picture, lines=picture.lines._replace(cut=False))
    told, untold = (ET.fromstring(alfil.Picture(each).svg()) for each in (picture, silent))
    assert float(told.attrib["height"]) > float(untold.attrib["height"])

"""Make the outline files of this folder from fonts; needs fontTools, which nothing else here does.

    python glyphs/extract.py FOLDER

FOLDER is searched for the font files named in FACES (Debian: fonts-noto-cjk, fonts-noto-core,
fonts-noto-mono). The result depends on nothing but the fonts and characters.txt.

An outline file has one line for each character: the character, its advance and its path, parted by
blanks. Paths are SVG path data without a blank at their start: the first command is an absolute M,
all others are relative, so that a text is a row of paths with their first points moved. The
baseline is y = 0, y grows downwards, and an em is EM units.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
EM = 500
# How far a point between two that are on no curve may be from where it was, so that the second
# can be left to be worked out.
NEAR = 2


class Face(NamedTuple):
    """An outline file: its fonts, the first that has a character is taken, and its characters."""

    fonts: tuple[str, ...]
    characters: str


def _between(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


LATIN = (
    _between(0x20, 0x7E)
    + _between(0xA1, 0xAC)
    + _between(0xAE, 0xFF)
    + "ĀāĒēĪīŌōŪūĦħıŁłŒœŞşŠšŽžŻżĆćČčĞğİŃńŐőŚśŰűŹź˚‐‑‒–—―‘’‚“”„†‡•…‹›⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉€−≤≥≠"
)
SIGNS = "←↑→↓↔↕↖↗↘↙⇄⇆⇔⇒∅∈∗∘∞∧∨∩∪≈⊂⊕⊗⊞⊠⋅■□▲△►▶▼▽▿◀◁▷◆◇◈◉○◎●◦◬★☆☖☗⛉⛊✓✔✕✖✗✘✶⨉⨯" + _between(
    0x2654, 0x265F
)


# Hiragana and katakana, and the sign of a long vowel.
KANA = _between(0x3041, 0x3096) + _between(0x30A1, 0x30FA) + "ー・"


def kanji() -> str:
    """The characters of characters.txt, each once, in its order."""
    lines = (HERE / "characters.txt").read_text(encoding="utf-8").splitlines()
    text = "".join(line for line in lines if not line.startswith("#"))
    return "".join(dict.fromkeys(text.replace(" ", "")))


FACES = {
    "sans": Face(("NotoSans-Regular.ttf", "NotoSansMath-Regular.ttf"), LATIN),
    "bold": Face(("NotoSans-Bold.ttf", "NotoSansMath-Regular.ttf"), LATIN),
    "mono": Face(("NotoSansMono-Regular.ttf",), LATIN),
    "signs": Face(
        ("NotoSansSymbols2-Regular.ttf", "NotoSansMath-Regular.ttf", "NotoSansSymbols-Regular.ttf"),
        SIGNS,
    ),
    "kanji": Face(("NotoSerifCJK-Bold.ttc",), "".join(dict.fromkeys(kanji() + KANA))),
}


class Outline:
    """SVG path data written command by command, as short as it goes."""

    def __init__(self) -> None:
        self.text = ""
        self._command = "z"
        self._at = self._start = self._mirrored = (0, 0)

    def move(self, point: tuple[int, int]) -> None:
        """Begin a contour."""
        if self.text:
            self._write("m", self._from_here([point]))
        else:
            self._write("M", list(point))  # more numbers after M would be absolute, so l follows it
        self._at = self._start = point

    def line(self, point: tuple[int, int]) -> None:
        """A straight line; none at all when it would have no length."""
        dx, dy = self._from_here([point])
        if dx and dy:
            self._write("l", [dx, dy], after="ml")
        elif dx:
            self._write("h", [dx])
        elif dy:
            self._write("v", [dy])
        self._at = point

    def curve(self, command: str, points: Sequence[tuple[int, int]]) -> None:
        """A quadratic or cubic curve: "q" or "c"; a smooth quadratic one, "t", where it will do."""
        control, end = points[0], points[-1]
        if self._command in "qt" and all(
            abs(one - other) <= NEAR for one, other in zip(control, self._mirrored, strict=True)
        ):
            command, control, points = "t", self._mirrored, [end]
        self._write(command, self._from_here(points))
        self._at = end
        self._mirrored = 2 * end[0] - control[0], 2 * end[1] - control[1]

    def close(self) -> None:
        """End the contour."""
        self._write("z", [])
        self._at = self._start

    def _from_here(self, points: Iterable[tuple[int, int]]) -> list[int]:
        return [n for x, y in points for n in (x - self._at[0], y - self._at[1])]

    def _write(self, command: str, numbers: list[int], after: str = "") -> None:
        if self._command not in (after or command) or command == "z":
            self.text += command
        elif numbers[0] >= 0:
            self.text += " "
        self._command = command
        self.text += "".join(f" {n}" if i and n >= 0 else str(n) for i, n in enumerate(numbers))


def path(recorded: Sequence[tuple[str, Any]], units: int) -> str:
    """The path data of what a pen has recorded."""

    def scaled(point: tuple[float, float]) -> tuple[int, int]:
        return round(point[0] * EM / units), round(-point[1] * EM / units)

    out = Outline()
    for operator, points in recorded:
        match operator:
            case "moveTo":
                out.move(scaled(points[0]))
            case "lineTo":
                out.line(scaled(points[0]))
            case "curveTo":
                out.curve("c", [scaled(point) for point in points])
            case "qCurveTo":
                for pair in _quadratic(points):
                    out.curve("q", [scaled(point) for point in pair])
            case _:
                out.close()
    return out.text


def _quadratic(
    points: Sequence[tuple[float, float]],
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """One curve for each control point, the points on the curve between them filled in."""
    *controls, end = points
    for first, second in pairwise(controls):
        yield first, ((first[0] + second[0]) / 2, (first[1] + second[1]) / 2)
    yield controls[-1], end


def lines(face: Face, folder: Path) -> Iterator[str]:
    """The lines of an outline file; a character that no font has is an error."""
    fonts = [TTFont(next(folder.rglob(name)), fontNumber=0, lazy=True) for name in face.fonts]
    for character in face.characters:
        font = next((font for font in fonts if ord(character) in font.getBestCmap()), None)
        if font is None:
            raise SystemExit(f"{', '.join(face.fonts)}: no {character} (U+{ord(character):04X})")
        name = font.getBestCmap()[ord(character)]
        glyphs = font.getGlyphSet()
        pen = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(pen)
        units = font["head"].unitsPerEm
        advance = round(glyphs[name].width * EM / units)
        yield f"{character} {advance} {path(pen.value, units)}"


def main(folder: Path) -> None:
    """Write all outline files."""
    for name, face in FACES.items():
        text = "\n".join(lines(face, folder)) + "\n"
        (HERE / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Makes docs/cheat_sheet.md and its pictures: every letter or sign of each notation.

Run by `make docs`; tests compare what it makes with what is kept.
"""

from __future__ import annotations

from pathlib import Path

import alfil

FOLDER = Path(__file__).parent
PICTURES = "pictures/letters"

# What a letter shows best on, by heading and notation; the first word of a row is the letter.
SHEETS: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("Betza: atoms", "betza"): (
        *((each, each) for each in ("W", "F", "D", "N", "A", "H", "C", "L", "Z", "J", "G")),
        *((each, each) for each in ("K", "R", "B", "Q")),
        *(("O", "KisO2"), ("U", "U"), ("(4,1)", "(4,1)"), ("X", "WX"), ("Y", "WY")),
    ),
    ("Betza: how far", "betza"): (*(("2", "R2"), ("0", "N0"), ("NN", "NN"), ("*", "fR*")),),
    ("Betza: directions", "betza"): (
        *(("f", "fR"), ("b", "bR"), ("l", "lR"), ("r", "rR"), ("v", "vR"), ("s", "sR")),
        *(("fr", "frB"), ("ff", "ffN"), ("fh", "fhN")),
    ),
    ("Betza: how a move ends, and what it passes", "betza"): (
        *(("m", "mR"), ("c", "cR"), ("d", "dN"), ("k", "mNkN"), ("e", "fmWfceF")),
        *(("p", "pR"), ("g", "gR"), ("n", "nN"), ("j", "jD")),
        *(("i", "fmWimfnD"), ("ii", "fmWfceFiifmnD"), ("o", "oR"), ("oo", "ooR")),
    ),
    ("Betza: moves of several legs", "betza"): (
        *(("a", "afsW"), ("y", "FyafsF"), ("t", "FtR"), ("[ - ]", "[W-F]"), ("[ ? ]", "[F?R]")),
        *(("( )", "(af)F"), ("z", "zF"), ("q", "qN")),
    ),
    ("Betza: in chessvar", "chessvar"): (
        *(("hh", "hhR"), ("cc", "mccW"), ("w", "(Rw)"), ("b", "(Rb)"), ("i", "(Ri)")),
        *(("o", "(Ro)"), ("l", "(Rl)"), ("r", "(Rr)")),
    ),
    ("Ħasínū", "hasinu"): (
        *(("4dO", "1×4dO"), ("4dD", "1×4dD"), ("8d", "1×8d"), ("n", "n4dO"), ("2×", "2×4dO")),
        *(("{1,2}×", "{1,2}×4dO"), ("dN", "1×1dN"), ("(1,2)", "(1,2)"), ("ab", "(1,2)ab")),
        *(("n(1,2)", "n(1,2)"), ("&t", "1×4dD &t n4dO"), ("&t90°", "n4dO &t90° n4dO")),
        *(("&", "1×4dO & 2×4dD"), ("{1,2}(…)", "{1,2}(1×8d)"), ("\\", r"\FyafsF")),
    ),
    ("Ħasínū: functions", "hasinu"): (
        *(("m", "m(n4dO)"), ("c", "c(n4dO)"), ("j", "j(2×4dO)"), ("nj", "nj((1,2))")),
        *(("i", "i(n4dO)"), ("rpg", "rpg(n4dO)"), ("group", "group(m,j)(2×4dO)")),
        *(("atmove", "atmove(1, 2×1dN)"), ("ataction", "ataction(2, 1×8d)"), ("INF", "INF(2, 2)")),
        *(("burn", "1×8d & burn(1×8d)"), ("im", "1×8d & im(1×8d)"), ("royal", "1×8d & royal()")),
        ("promote", "1×1dN & promote(//reach rank eight, n8d)"),
        *(("fe", "1×8d & fe(inclusive, n8d)"), ("sz", "1×8d & sz(2)")),
        ("function", "1×8d & function(spin, range)"),
    ),
    ("Parlett", "parlett"): (
        *(("1", "1+"), ("2", "2+"), ("1-3", "1-3+"), ("n", "n+")),
        *(("+", "n+"), ("X", "nX"), ("*", "n*"), (">", "n>"), ("<", "n<"), ("<>", "n<>")),
        *(("=", "n="), (">=", "n>="), ("<=", "n<="), ("X>", "nX>"), ("X<", "nX<")),
        *(("*>", "n*>"), ("*<", "n*<"), ("*<>", "n*<>"), ("*>=", "n*>="), ("*<=", "n*<=")),
        *(("o", "o1>"), ("c", "c1X>"), ("i", "oi2>"), ("~", "~2X"), ("^", "c^n+")),
        *(("/", "~1/2"), ("n( )", "n(1/2)"), ("&", "~1/2&"), (",", "n+, ~1/2")),
        *(("( )", "c(1X, n+)"), (".", "1X.n+")),
    ),
}
# A piece that depends on its board, or is better seen on one.
BOARDS: dict[str, dict[str, object]] = {
    "fR*": {"files": 8, "ranks": 8, "at": "e1"},
    "KisO2": {"files": 8, "ranks": 8, "at": "e1"},
    "oR": {"files": 6, "ranks": 6, "at": "b2"},
    "ooR": {"files": 6, "ranks": 6, "at": "b2"},
    "U": {"files": 6, "ranks": 6, "at": "c3"},
}
HEAD = """\
# Cheat sheet

<!-- made by docs/cheat_sheet.py; run: make docs -->

Every letter and sign with a piece that shows it, drawn and in the words of `alfil show`.
[notations.md](notations.md) tells the rest,
[diagrams.md](diagrams.md) what the signs mean.
"""


def made() -> dict[str, bytes]:
    """The page and its pictures by path, below this folder."""
    files: dict[str, bytes] = {}
    parts = [HEAD]
    for (heading, notation), rows in SHEETS.items():
        parts.append(f"\n## {heading}\n\n| | written | | |\n|---|---|---|---|\n")
        for number, (letter, text) in enumerate(rows):
            piece = alfil.read(text, notation)
            drawn = alfil.draw(piece, **BOARDS.get(text, {}))  # type: ignore[arg-type]
            name = f"{PICTURES}/{heading.split(': ')[-1].split()[0].lower()}-{number}.svg"
            name = name.replace("ħ", "h").replace("í", "i").replace("ū", "u").replace(",", "")
            files[name] = drawn.svg(size=150, sentence=False, legend=False).encode()
            said = alfil.describe(piece)
            parts.append(f"| `{letter}` | `{text}` | ![{text}]({name}) | {said} |\n")
    files["cheat_sheet.md"] = "".join(parts).encode()
    return files


if __name__ == "__main__":
    for name, content in made().items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

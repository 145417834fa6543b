"""Make the cases, and what programs were measured to answer, from the case files of the tests."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

HERE = Path(__file__).parent
TESTS = HERE.parent / "tests" / "cases"
LICENCE = "MIT"
MARKER = re.compile(r"\[board: ([^\]]*)\]|\[opts: ([^\]]*)\]")
PIECE = {"e": "enemies", "o": "friends", "r": "unmoved_friends", "k": "enemy_royals"}
FROM_TABLE = {"XB": "xboard", "ID": "interactive-diagram"}

Case: TypeAlias = dict[str, Any]

BOTH_WAYS = "worked out by hand, and by a walker that shares nothing with alfil"
# The first that is found in a text says which chapter it belongs to.
BETZA = (
    ("castling and en passant", r"O|e[A-Z]|i[a-z]*n[A-Z]"),
    ("brackets", r"\[|t"),
    ("loops", r"\(a|[zq]"),
    ("multi-leg", r"a"),
    ("hoppers", r"[pg]"),
    ("lame", r"[nj]"),
    ("riders", r"[0-9*]|([WFDNAHCZGLJ])\1|[RBQ]"),
    ("directions", r"[fblrvsh]"),
    ("atoms", r""),
)
HASINU = (
    ("Ħasínū: embedded Betza", r"\\"),
    ("Ħasínū: functions", r"[a-z]{1,8}\("),
    ("Ħasínū: bent moves", r"&t"),
    ("Ħasínū: loops", r"[}\d]\s*\((?!\s*\d+\s*,)"),
    ("Ħasínū: oblique moves", r"\(\s*\d+\s*,"),
    ("Ħasínū: radial moves", r""),
)
# What is no Betza in any program, though many read a part of it in silence; and what is no Ħasínū.
REFUSED = {
    "P": "no atom has this letter",
    "EW": "no atom has this letter",
    "wW": "no modifier has this letter",
    "Kn": "no atom follows the letter",
    "fm rF": "a blank inside",
    "W100": "more squares than any board has",
    "(0,0)": "a leap that goes nowhere",
    "(1)": "a leap is two numbers",
    "[F?R": "a bracket that is not closed",
    "[F?]": "no leg after the sign",
    "F)": "a bracket that was not opened",
    "K&N": "a sign of another notation",
    "Qt": "nothing follows that t could join",
}
NO_HASINU = {
    "n3dD": "three directions promised, four given",
    "9×9d": "there are eight directions",
    "n×4dD": "n takes no sign of multiplication",
    "1×4dO &": "no move follows the sign",
    "(0,2)&t": "a leap along a line, and a turn that leads nowhere",
    "1×4dO n4dD": "no sign between two moves",
}
# What programs were measured to make of a text, besides the open questions: as another text.
MADE_OF = {"xboard": {"J": "C", "AA": "A", "CC": "C", "Kn": "K"}}

# Pieces of taikyoku shogi as lists write them that have letters for a quarter of the board.
QUARTERS = {
    "Turtle Snake": "(tl)K(br)K(bl)B(tr)B",
    "Divine Turtle": "W(tl)F(bl)B(tr)B(br)B",
    "Divine Tiger": "bW2fsR(fl)B",
    "White Tiger": "vW2sR(fl)B",
}


def rows(name: str, folder: Path = TESTS) -> list[dict[str, str]]:
    """The rows of a table, of the case files of the tests unless another folder is named."""
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def offsets(text: str) -> list[list[int]]:
    """Squares as pairs of numbers."""
    return [[int(number) for number in each.split(",")] for each in text.split() if each != "-"]


def board(described: str) -> dict[str, Any]:
    """What stands around the piece, and what it has done; empty for an empty board."""
    found: dict[str, Any] = {}
    for placed, options in MARKER.findall(described):
        for word in placed.split():
            found.setdefault(PIECE[word[-1]], []).append(*offsets(word[:-1]))
        if options:
            found["moves_made"] = 1 if options == "n=1" else 0
    return found


def chapter(text: str, table: Iterable[tuple[str, str]]) -> str:
    """The chapter a text belongs to."""
    return next(name for name, sign in table if re.search(sign, text))


def case(number: str, dialect: str, text: str, around: dict[str, Any], where: str) -> Case:
    """A case without what it expects."""
    found: Case = {"id": number, "chapter": where, "notation": "betza", "dialect": dialect}
    found |= {"notation": "hasinu"} if dialect == "hasinu" else {}
    return found | {"text": text} | ({"board": around} if around else {})


def cases() -> Iterator[Case]:
    """Every case, by chapter."""
    found = [*_betza(), *_hasinu(), *_by_hand(), *_dialects(), *_by_tables()]
    order = [
        name
        for name, _ in (
            *BETZA[::-1],
            ("mistakes", ""),
            ("dialects", ""),
            *HASINU[::-1],
        )
    ]
    yield from sorted(found, key=lambda each: order.index(each["chapter"]))


def _settled(row: dict[str, str]) -> bool:
    """Whether programs do not differ, and the letter is not one of which nobody knows more."""
    return not row["offsets"].startswith("CONFLICT") and row["betza"] != "I"


def _betza() -> Iterator[Case]:
    for number, row in enumerate(rows("betza.tsv"), 1):
        if not _settled(row):
            continue
        text = row["betza"]
        around = board(row["description"])
        agreed = [each for each in row["oracles_agreed"].split(",") if each != "none"]
        yield case(f"b{number:03}", "betza", text, around, chapter(text, BETZA)) | {
            "expect": {"ends": offsets(row["offsets"])},
            "source": f"move lists printed by programs that agree: {', '.join(agreed)}",
            "licence": LICENCE,
        }


def _hasinu() -> Iterator[Case]:
    for number, row in enumerate(rows("hasinu.tsv"), 1):
        if row["offsets"] == "n/a" or "//" in row["hasinu"]:
            continue
        source = "the notation's page" if row["source"].startswith("page") else "worked out by hand"
        text = row["hasinu"]
        around = board(row["description"])
        yield case(f"h{number:03}", "hasinu", text, around, chapter(text, HASINU)) | {
            "expect": {"ends": offsets(row["offsets"])},
            "source": source,
            "licence": LICENCE,
        }


def _by_hand() -> Iterator[Case]:
    for number, row in enumerate(rows("captures.tsv", HERE), 1):
        text, notation = row["text"], row["notation"]
        pieces = row["board"].removesuffix(" v")
        around = board(f"[board: {pieces}]" if pieces != "-" else "")
        around |= {"moves_made": 0} if pieces != row["board"] else {}
        where = chapter(text, HASINU if notation == "hasinu" else BETZA)
        yield case(f"c{number:03}", notation, text, around, where) | {
            "expect": {"moves": [_move(each) for each in row["moves"].split() if each != "-"]},
            "source": BOTH_WAYS,
            "licence": LICENCE,
        }
    mistakes = [(*each, "betza") for each in REFUSED.items()]
    mistakes += [(*each, "hasinu") for each in NO_HASINU.items()]
    for number, (text, why, notation) in enumerate(mistakes, 1):
        yield case(f"m{number:03}", notation, text, {}, "mistakes") | {
            "expect": {"refused": why},
            "source": "worked out by hand",
            "licence": LICENCE,
        }


def _move(told: str) -> dict[str, Any]:
    """A move with what it captures, from 0,2x0,1+0,2."""
    to, _, captures = told.partition("x")
    return {"to": offsets(to)[0], "captures": offsets(captures.replace("+", " "))}


def _dialects() -> Iterator[Case]:
    """What Fairy-Stockfish answered where letters before K and Q, or ranges, are its own."""
    own = re.compile(r"[fblrvsh][KQ]|KK|n[NDAZJ]$|^[a-z]*[pg][A-Z]|i[a-z]*[A-Z]")
    measured = [row for row in rows("fairy_stockfish_moves.tsv") if row["ignored"] == "no"]
    picked = [row for row in measured if own.search(row["notation"]) and row["notation"].isascii()]
    for number, row in enumerate(picked, 1):
        yield case(f"f{number:03}", "fairy-stockfish", row["notation"], {}, "dialects") | {
            "expect": {"ends": offsets(row["quiet"])},
            "window": [-5, -4, 6, 5],
            "source": "measured: Fairy-Stockfish's Python build 0.0.90, from f5 of 12 by 10",
            "licence": LICENCE,
        }


def _by_tables() -> Iterator[Case]:
    """Texts of one list of taikyoku shogi with the moves that another list gives these pieces."""
    tables = {row["piece"]: row for row in rows("taikyoku_independent.tsv")}
    for number, (name, text) in enumerate(QUARTERS.items(), 1):
        steps = json.loads(tables[name]["manbearian_steps_dx_dy_range(0=unlimited)"])
        ends = [[dx * far, dy * far] for dx, dy, most in steps for far in range(1, (most or 7) + 1)]
        yield case(f"t{number:03}", "taikyoku", text, {}, "dialects") | {
            "expect": {"ends": ends},
            "source": "the step table of another published list of the game",
            "licence": LICENCE,
        }


def measured(sign: str, name: str) -> Iterator[dict[str, Any]]:
    """What a program was measured to answer: by its sign in betza.tsv, it gave exactly these.

    Where it was found to make another piece of a text, it is what the case of that piece says.
    """
    settled = {(row["betza"], str(board(row["description"]))): row for row in rows("betza.tsv")}
    questions = {row["text"]: row[name] for row in rows("questions.tsv", HERE)}
    made_of = questions | MADE_OF.get(name, {})
    for number, row in enumerate(rows("betza.tsv"), 1):
        if not _settled(row):
            continue
        around = str(board(row["description"]))
        meant = settled.get((made_of.get(row["betza"], "?"), around))
        if sign in row["oracles_agreed"].split(","):
            yield {"id": f"b{number:03}", "ends": offsets(row["offsets"])}
        elif made_of.get(row["betza"]) in {"-", "refused"}:
            answer = made_of[row["betza"]]
            yield {"id": f"b{number:03}"} | ({"ends": []} if answer == "-" else {"refused": answer})
        elif meant and meant["betza"] != row["betza"]:
            yield {"id": f"b{number:03}", "ends": offsets(meant["offsets"])}
    for number, text in enumerate(REFUSED, 1):
        meant = settled.get((made_of.get(text, "?"), "{}"))
        if meant:
            yield {"id": f"m{number:03}", "ends": offsets(meant["offsets"])}


def written() -> dict[Path, str]:
    """The files that are made, and what stands in them."""

    def lines(each: Iterable[dict[str, Any]]) -> str:
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in each)

    kept = {
        HERE / "answers" / f"{name}.jsonl": lines(measured(sign, name))
        for sign, name in FROM_TABLE.items()
    }
    return {HERE / "cases.jsonl": lines(cases()), **kept}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.name}: {len(text.splitlines())}\n")

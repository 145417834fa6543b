"""Inputs made of bytes: texts from the grammars, real ones with slips in them, and noise.

An input is a tuple of texts, so that whatever is found can be kept in a file and made smaller.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from lark import Lark
from lark.grammar import NonTerminal, Symbol

import alfil
from strategies import Picker, betza, hasinu, misspelled
from trees import grammar_text

Input: TypeAlias = tuple[str, ...]
# Texts of which one that can be read is taken.
TRIES = 4

TESTS = Path(__file__).parents[1]
PROJECT = TESTS.parent
BETZA = "WFNRBQKDZCAHGLJfblrvshmcdkpgnjeiozqaty()[]-?0123,*XYUO"
HASINU = "nd×x&t°NESWOD-+,(){}[]abfgmcjiF. \\/1248"
PARLETT = "coi~^n0123*+><=÷X>&(),./-m"
DIALECTS = ("betza", "classic", "xboard", "fairy-stockfish", "taikyoku", "fairy-stockfish-next")
NOTATIONS = (*DIALECTS, "hasinu", "parlett")
# Signs that programs stumble over: ends of lines, directions of writing, half characters, digits
# and letters of other alphabets, marks of HTML.
ODD = "\0\r\n\t\x1b\x85\u2028\u202e\ufeff\ud800٣９ßẞK王🨀\u0301\u200d<>&\"'`{}\\|#;:=%$/ "
# What the terminals of Parlett's grammar may be; all others stand in it as they are.
TERMINALS = {
    "_MOVEMENT": ("m=", "m ="),
    "CONDITION": "coi",
    "TYPE": "~^",
    "ANY": "n",
    "NUMBER": ("1", "2", "3", "10", "0"),
    "DIRECTION": (
        *("*", "+", ">", "<", "<>", "=", ">=", "<=", "X", "X>", "X<"),
        *("*>", "*<", "*<>", "*>=", "*<=", "÷", ">÷", "*<÷"),
    ),
    **{"AGAIN": "&", "OPEN": "(", "CLOSE": ")", "COMMA": ",", "DOT": ".", "SLASH": "/"},
    "MINUS": "-",
}


@cache
def _parlett_rules() -> dict[str, list[list[Symbol]]]:
    rules: dict[str, list[list[Symbol]]] = {}
    for rule in Lark(grammar_text("parlett"), start="piece", parser="lalr").rules:
        rules.setdefault(rule.origin.name, []).append(list(rule.expansion))
    return rules


def parlett(picker: Picker) -> str:
    """A text that fits the grammar; the deeper, the shorter the choices."""

    def made(symbol: Symbol, depth: int) -> str:
        if symbol.is_term:
            return picker.pick(TERMINALS[symbol.name])
        choices = _parlett_rules()[symbol.name]
        if depth > 12:
            choices = sorted(choices, key=len)[:1]
            choices = [each for each in choices if "group" not in str(each)] or choices
        return "".join(made(each, depth + 1) for each in picker.pick(choices))

    return made(NonTerminal("piece"), 0)


@cache
def column(file: str, number: int = 0) -> tuple[str, ...]:
    """A column of a file of cases."""
    with (TESTS / "cases" / file).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(row[number] for row in rows[1:] if len(row) > number)


@cache
def contents(*patterns: str) -> tuple[str, ...]:
    """The texts of some files of the project."""
    paths = sorted(path for pattern in patterns for path in PROJECT.glob(pattern))
    return tuple(path.read_text(encoding="utf-8", errors="replace") for path in paths)


def noise(picker: Picker, signs: str = "") -> str:
    """Up to 12 signs, those named or any."""
    return "".join(
        picker.pick(signs)
        if signs and not picker.chance(12)
        else picker.pick(ODD)
        if picker.chance(3)
        else chr(picker.byte() * 256 + picker.byte())
        for _ in range(picker.number(12))
    )


def slips(picker: Picker, text: str, signs: str) -> str:
    """A text with a few signs left out, doubled, put in, or a piece of it put elsewhere."""
    for _ in range(picker.number(3)):
        at = (picker.byte() << 8 | picker.byte()) % (len(text) + 1)
        to = at + picker.number(picker.pick((1, 1, 4, 40)))
        head, cut, tail = text[:at], text[at:to], text[to:]
        sign = picker.pick(ODD if picker.chance(4) else signs)
        text = head + picker.pick(("", cut * 2, sign, sign + cut, cut + tail[:8] + cut)) + tail
    return text


SPELLED: dict[str, Sequence[Callable[[Picker], str]]] = {
    "hasinu": (hasinu, misspelled(hasinu, HASINU)),
    "parlett": (parlett, misspelled(parlett, PARLETT)),
}
REAL = {"hasinu": ("hasinu.tsv", "hasinu_errors.tsv"), "parlett": ("parlett.tsv",)}
SIGNS = {"hasinu": HASINU, "parlett": PARLETT}


def described(picker: Picker, notation: str) -> str:
    """A text of a notation: from its grammar, from the cases with slips, of its signs, or noise."""
    signs, kind = SIGNS.get(notation, BETZA), picker.number(9)
    if kind < 6:
        return picker.pick(SPELLED.get(notation, (betza, misspelled(betza, BETZA))))(picker)
    if kind < 8:
        files = REAL.get(notation, ("betza.tsv", "betza_errors.tsv", "betza_corpus.tsv"))
        texts = column(picker.pick(files))
        return slips(picker, texts[(picker.byte() << 8 | picker.byte()) % len(texts)], signs)
    return noise(picker, signs if kind == 8 else "")


def one_text(picker: Picker) -> Input:
    """A notation and a text; half of them are in the two that have most in them."""
    notation = picker.pick(("betza", "hasinu", *NOTATIONS))
    return notation, described(picker, notation)


def placed(picker: Picker) -> Input:
    """The same with a board and what stands on it: each square after its letter, as in ``e12``."""
    files, ranks = 1 + picker.number(7), 1 + picker.number(7)
    squares = [(file, rank) for file in range(files) for rank in range(ranks)]
    at = squares.pop(picker.number(len(squares) - 1))
    words = [f"{files}x{ranks}", f"@{at[0]}.{at[1]}", picker.pick(("many", "none", "one"))]
    for _ in range(picker.number(min(6, len(squares)))):
        file, rank = squares.pop(picker.number(len(squares) - 1))
        words.append(f"{picker.pick('eefrk')}{file}.{rank}")
    return *readable(picker), " ".join(words)


def readable(picker: Picker) -> Input:
    """A text that can be read, most often: what is refused goes no further."""
    for _ in range(TRIES):
        given = notation, text = one_text(picker)
        try:
            alfil.read(text, notation)
        except alfil.AlfilError:
            continue
        except Exception:  # noqa: BLE001 - what else comes out is a find of the law
            break
        break
    return given


def mutated(*patterns: str, signs: str) -> Callable[[Picker], Input]:
    """A file of the project with slips in a part of its lines; sometimes noise."""

    def make(picker: Picker) -> Input:
        if picker.chance(12):
            return (noise(picker, signs),)
        texts = [text for text in contents(*patterns) if len(text) < 6_000]
        lines = texts[(picker.byte() << 8 | picker.byte()) % len(texts)].splitlines(keepends=True)
        for _ in range(picker.number(2)):
            at = (picker.byte() << 8 | picker.byte()) % (len(lines) + 1)
            changed = "".join(lines[at : at + 1 + picker.number(2)])
            lines[at : at + picker.number(3)] = [slips(picker, changed, signs)]
        return ("".join(lines),)

    return make

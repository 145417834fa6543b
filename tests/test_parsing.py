"""The parser that reads Lark's tables against Lark itself, and how the tables are kept.

The parser is no public name: what is asked here is that it and Lark make the same tree of every
text, or stop at the same place for the same reasons; a text refused does not tell that.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from lark import Lark, Tree
from lark import Token as LarkToken
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from platformdirs import user_cache_dir

import alfil
from alfil import data_files
from alfil.data_files import load_or_make  # what lies in files
from alfil.notation import parsing
from boards import CASES
from trees import grammar_text

STARTS = {
    "betza": ("piece", "lettered", "taikyoku", "proposed"),
    "hasinu": ("description",),
    "parlett": ("piece",),
    "pieces": ("line",),
}
# What no case has: a mistake put into a text, or found at its end.
SIGNS = {
    "betza": "WNFfbamptniyz()[]-?*0139,XY ×",
    "hasinu": ' \t&t()[]{},n1390×xdDNESWOabgmi°+-.\\/\x1a"',
    "parlett": " \t,.~^n0139X<>=÷*+coi&()/-?m",
    "pieces": ' \u3000\t"#=|abN19gamepiecerule',
}


def lark_reads(lark: Lark, text: str) -> object:
    """What Lark makes of a text: a tree, or where it stopped and what could have stood there."""
    try:
        return plain(lark.parse(text))
    except UnexpectedCharacters as error:
        return error.pos_in_stream, error.pos_in_stream + 1, error.allowed
    except UnexpectedToken as error:
        if error.token.type == "$END":
            return len(text), len(text), error.expected
        return error.token.start_pos, error.token.end_pos, error.expected


def plain(found: Tree[LarkToken] | LarkToken) -> object:
    if isinstance(found, Tree):
        return str(found.data), [plain(each) for each in found.children]
    return sign(found)


def sign(token: LarkToken | parsing.Token) -> object:
    place = token.span if isinstance(token, parsing.Token) else (token.start_pos, token.end_pos)
    return token.type, str(token), *place


def node(name: str, *parts: object) -> object:
    return name, [sign(each) if isinstance(each, parsing.Token) else each for each in parts]


def alfil_reads(parser: parsing.Parser[object], text: str) -> object:
    try:
        return parser.parse(text)
    except parsing.GrammarError as error:
        return error.start, error.end, error.expected


def written(grammar: str) -> Iterator[str]:
    """Every text of the cases, whatever notation it is in, and every line of the bundled pieces."""
    if grammar == "pieces":
        for file in [*Path("pieces").glob("*.pieces"), *(CASES / "pieces").iterdir()]:
            yield from file.read_text(encoding="utf-8").splitlines()
    for file in CASES.glob("*.tsv"):
        with file.open(encoding="utf-8", newline="") as lines:
            yield from (row[0] for row in csv.reader(lines, delimiter="\t") if row)


def spoiled(text: str, signs: str, dice: random.Random) -> str:
    """The text with up to three signs left out, put in, or put in the place of others."""
    for _ in range(dice.randint(1, 3)):
        at = dice.randint(0, len(text))
        text = text[:at] + dice.choice(["", dice.choice(signs)]) + text[at + dice.randint(0, 1) :]
    return text


@pytest.mark.parametrize(
    ("grammar", "start"), [(grammar, start) for grammar in STARTS for start in STARTS[grammar]]
)
def test_it_reads_what_lark_reads(grammar: str, start: str) -> None:
    lark = Lark(grammar_text(grammar), parser="lalr", start=start, maybe_placeholders=False)
    rules = {r.alias or r.options.template_source or r.origin.name for r in lark.rules}
    parser: parsing.Parser[object] = parsing.Parser(
        grammar, SimpleNamespace(**{name: partial(node, name) for name in rules}), start
    )
    dice = random.Random(12)
    signs = SIGNS[grammar]
    texts = dict.fromkeys(text[:200] for text in written(grammar))
    noise = ("".join(dice.choices(signs, k=dice.randint(0, 12))) for _ in range(800))
    tried = dict.fromkeys([*texts, *(spoiled(text, signs, dice) for text in texts), *noise])
    answers = [(text, alfil_reads(parser, text)) for text in tried]
    assert [(text, lark_reads(lark, text)) for text in tried] == answers
    trees = sum(len(answer) == 2 for _, answer in answers)  # type: ignore[arg-type]
    assert 100 < trees < len(answers) - 100


def test_places_are_forgotten_where_they_become_too_many() -> None:
    parser: parsing.Parser[object] = parsing.Parser("hasinu", SimpleNamespace(), "description")
    first = parser.parse("((n8d))")
    for depth in range(parsing.MAX_CACHED_STATES, parsing.MAX_CACHED_STATES + 3):
        parser.parse("(" * depth + "n8d" + ")" * depth)
        assert parser.parse("((n8d))") == first
        assert parser._count < 50


READ = "import sys, alfil; print(alfil.read('fmWfcF').tree); print('lark' in sys.modules)"


def read_by(cache: Path) -> list[str]:
    """What a new process reads, and whether it has imported Lark."""
    environment = {**os.environ, "ALFIL_CACHE": str(cache)}
    run = [sys.executable, "-c", READ]
    return subprocess.check_output(run, text=True, env=environment).splitlines()


def flipped(content: bytes, bit: int) -> bytes:
    byte, at = divmod(bit, 8)
    return content[:byte] + bytes([content[byte] ^ 1 << at]) + content[byte + 1 :]


@pytest.mark.parametrize("home", ["", "kept", "/kept"])
def test_what_is_kept_is_where_platformdirs_says(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALFIL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    there = user_cache_dir("alfil", appauthor=False, version=sys.implementation.cache_tag)
    assert data_files.cache_folder.__wrapped__() == there


def test_what_is_kept_with_any_bit_flipped_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_files, "cache_folder", lambda: str(tmp_path / "new"))
    made: list[int] = []

    def make() -> list[object]:
        made.append(1)
        return [("rule", number, None) for number in range(40)]

    first = load_or_make("some", [b"grammar"], make)
    assert first == load_or_make("some", [b"grammar"], make) == make()
    (file,) = tmp_path.rglob("*.tables")
    whole = file.read_bytes()
    dice = random.Random(16)
    places = [*dice.sample(range(8 * 16), 20), *dice.sample(range(8 * 16, 8 * len(whole)), 60)]
    spoilt = [flipped(whole, bit) for bit in places] + [
        whole[:end] for end in range(0, len(whole), 20)
    ]
    for content in spoilt:
        file.write_bytes(content)
        made.clear()
        assert load_or_make("some", [b"grammar"], make) == make()
        assert (len(made), file.read_bytes()) == (2, whole)


def test_tables_are_kept_and_made_anew(tmp_path: Path) -> None:
    tree = str(alfil.read("fmWfcF").tree)
    assert read_by(tmp_path) == [tree, "True"]
    assert read_by(tmp_path) == [tree, "False"]
    (file,) = tmp_path.rglob("*.tables")
    whole = file.read_bytes()
    half = len(whole) // 2
    for damage in (b"", b"\0" * half + whole[half:], whole[:half], flipped(whole, 8 * half)):
        file.write_bytes(damage)
        assert read_by(tmp_path) == [tree, "True"]
    assert read_by(tmp_path) == [tree, "False"]
    file.unlink()
    file.mkdir()
    assert read_by(tmp_path) == [tree, "True"]

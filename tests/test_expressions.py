"""Every regular expression of the project: none takes time that grows with the square of a text.

That happens where two parts take the same blanks and nothing has to stand between them: then every
place is tried at which the second one could begin.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import alfil
from alfil.data_files import read_data, read_table  # no answer tells an expression

compiler: Any = re._compiler  # type: ignore[attr-defined]
parser: Any = re._parser  # type: ignore[attr-defined]  # what Python itself makes of an expression
ROOT = Path(__file__).parents[1]
BLANKS = " \t\u3000"
# What needs a browser, starts the command, or is no Python.
APART = frozenset({"alfil.game.wasm", "alfil.__main__", "alfil.engine.engine"})
# What extends the classes of an extra, and needs it to be loaded.
EXTRAS = tuple(f"alfil.learning.{name}" for name in ("gymnasium", "open_spiel", "pettingzoo"))
ASKED = frozenset(
    {"compile", "match", "fullmatch", "search", "sub", "split", "findall", "finditer"}
)


def modules() -> list[ModuleType]:
    found = pkgutil.walk_packages(alfil.__path__, "alfil.")
    return [
        importlib.import_module(each.name)
        for each in found
        if each.name not in APART and not each.name.startswith(EXTRAS)
    ]


def written_in(module: ModuleType) -> Iterator[str]:
    """The expressions that a module names, and those that it has where they are used."""
    for value in vars(module).values():
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            yield value.pattern
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), called), [first, *_]) if called in ASKED:
                yield from evaluated(first, module)


def evaluated(node: ast.expr, module: ModuleType) -> Iterator[str]:
    """The text of an expression; what is only known where it is used stands there as a letter."""
    if isinstance(node, ast.JoinedStr):
        parts = [part for each in node.values for part in (*evaluated(each, module), "x")[:1]]
        yield "".join(parts)
        return
    inner = node.value if isinstance(node, ast.FormattedValue) else node
    try:
        found = eval(compile(ast.Expression(inner), "<expression>", "eval"), vars(module))
    except Exception:  # noqa: BLE001 - it needs what is only known where it is used
        return
    if isinstance(found, str):
        yield found


def in_grammars() -> Iterator[str]:
    for path in sorted((ROOT / "grammars").glob("*.lark")):
        text = read_data("grammars", path.name)
        for line in text.splitlines():
            if not line.lstrip().startswith("//"):
                yield from re.findall(r"(?<![\\/])/((?:[^/\\\n]|\\.)+)/", line)


def in_tables() -> Iterator[str]:
    """Those of mistakes, with the parts that stand in angle brackets in them."""
    for name in ("hasinu", "parlett"):
        parts = vars(importlib.import_module(f"alfil.notation.{name}.syntax_mistakes")).get(
            "MISTAKES", ()
        )
        assert len(parts) == len([*read_table("grammars", f"{name}_mistakes.tsv")])
        yield from (each.pattern.pattern for each in parts)


Part = tuple[Any, Any]


def is_blank(part: Part) -> bool:
    """Whether a part is one sign that may be a blank."""
    kind, value = part
    match str(kind):
        case "LITERAL":
            return chr(value) in BLANKS
        case "NOT_LITERAL" | "ANY":
            return True
        case "IN":
            pattern = parser.SubPattern(parser.State(), [part])
            return any(compiled(pattern, sign) for sign in BLANKS)
    return False


def compiled(pattern: Any, sign: str) -> bool:  # noqa: ANN401 - a part of an expression
    return compiler.compile(pattern).match(sign) is not None


def flat(parts: Any) -> Iterator[Part]:  # noqa: ANN401 - a part of an expression
    """Parts without the groups around them."""
    for kind, value in parts:
        if str(kind) == "SUBPATTERN":
            yield from flat(value[-1])
        else:
            yield kind, value


def doubled(parts: Any) -> Iterator[Part]:  # noqa: ANN401 - a part of an expression
    """Repeats that take blanks, right behind another one that gives them back."""
    before = False
    for kind, value in flat(parts):
        name = str(kind)
        yield from inside(name, value)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            least, most, inner = value
            again = least < most and all(map(is_blank, flat(inner)))
            if again and before:
                yield kind, value
            given_back = again and name != "POSSESSIVE_REPEAT"
            before = given_back or (before and not least and not again)
        elif name not in {"ASSERT", "ASSERT_NOT", "AT"}:
            before = False


def inside(name: str, value: Any) -> Iterator[Part]:  # noqa: ANN401 - a part of an expression
    """The same for the parts in a part, which follows itself where it is repeated."""
    match name:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            _, most, inner = value
            yield from doubled([*inner, *inner] if most > 1 else inner)
        case "ASSERT" | "ASSERT_NOT":
            yield from doubled(value[-1])
        case "ATOMIC_GROUP":
            yield from doubled(value)
        case "BRANCH":
            for each in value[1]:
                yield from doubled(each)


def is_doubled(pattern: str) -> bool:
    return any(True for _ in doubled(parser.parse(pattern)))


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"a\s*\s*b", r"a *(\+?) *b", r"x[ \t]*(?:\([^)]*\))?[ \t]*=", r"(\s*)(\s*)", r"a\s*.*b"),
        *(r"(?: ?\* ?)+", r"(?:a|b +(?=c) *)"),
    ],
)
def test_two_neighbours_that_take_blanks_are_found(pattern: str) -> None:
    assert is_doubled(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"a\s*+\s*b", r"a *\+ *b", r"x[ \t]*+(?:\([^)]*\))?[ \t]*=", r"(?: ?+\* ?+)+", "a b c"],
)
def test_others_are_not(pattern: str) -> None:
    assert not is_doubled(pattern)


def test_no_expression_has_two_neighbours_that_take_blanks() -> None:
    named = {each: module.__name__ for module in modules() for each in written_in(module)}
    assert len(named) > 100
    named |= dict.fromkeys(in_grammars(), "grammars")
    # Mistakes are looked for in a few hundred signs around a place.
    known = {*in_tables()}
    assert {
        each: where for each, where in named.items() if each not in known and is_doubled(each)
    } == {}


SOUGHT = frozenset({"search", "sub", "subn", "split", "findall", "finditer"})


def searched_in(module: ModuleType) -> Iterator[str]:
    """The expressions that are looked for anywhere in a text."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), called), [first, *_]) if called in SOUGHT:
                yield from evaluated(first, module)
            case ast.Call(ast.Attribute(ast.Name(name), called)) if called in SOUGHT:
                value = vars(module).get(name)
                if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                    yield value.pattern


def begins_with_any_number_and_fails(pattern: str) -> bool:
    """Whether it begins with any number of signs, and what follows them may be missing.

    Such a run of signs is gone through from each of its places. That nothing of it stands before is
    seen at once.
    """
    first, *others = [*flat(parser.parse(pattern)), ("", None)]
    if "REPEAT" not in str(first[0]) or first[1][1] != parser.MAXREPEAT:
        return False
    return any(
        str(kind) not in {"", "MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"} or value[0]
        for kind, value in others[:-1]
    )


@pytest.mark.parametrize("pattern", [r"[ \t]*x", r"( *)(?:→|->) *", r"\s+$", r"a+b"])
def test_expressions_that_begin_with_any_number_are_found(pattern: str) -> None:
    assert begins_with_any_number_and_fails(pattern)


@pytest.mark.parametrize("pattern", [r"x[ \t]*", r"\s+", r"(?<!\s)\s+$", r"\d+ *", r" ?x"])
def test_expressions_that_do_not_are_not(pattern: str) -> None:
    assert not begins_with_any_number_and_fails(pattern)


def test_no_expression_that_is_searched_begins_with_any_number() -> None:
    named = {each: module.__name__ for module in modules() for each in searched_in(module)}
    assert len(named) > 30
    assert {
        each: where for each, where in named.items() if begins_with_any_number_and_fails(each)
    } == {}

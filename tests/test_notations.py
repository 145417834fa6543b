"""No module outside the folder of a notation compares its letters, whatever the notation.

Three things together prove it:

1. Who does not import a folder knows a tree only as a `Description` of `Term`s, of which nothing
   but the span is declared; mypy, which is strict, lets nobody look further.
2. Only the modules named here import from a folder at all, and none of them its table of letters,
   but the registry, which takes the names of dialects from there.
3. In those modules no string is compared, matched, looked up or used as a key that is a sign of
   any notation, but for the words that the movement itself has ("royal" is one, and a function of
   Ħasínū as well).

Programs are left out of all this: what another program makes of Betza's letters is what
`alfil.programs` is about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

# The tables of letters: nothing public lists the signs of a notation.
from alfil.notation.betza import letters as betza
from alfil.notation.description import Term
from alfil.notation.hasinu import lexicon as hasinu
from alfil.notation.parlett import letters as parlett
from alfil.notation.registry import NOTATIONS
from sources import PACKAGE as SOURCE
from sources import parsed

TABLES = {
    "betza": {*betza.LETTER_ROWS, *betza.DIRECTION_LETTERS, betza.AGAIN_LETTER, betza.JOIN_LETTER}
    | {atom for dialect in betza.DIALECTS.values() for atom in dialect.atoms},
    "hasinu": {*hasinu.FUNCTIONS, *hasinu.FUNCTION_ALIASES}
    | {*hasinu.DIRECTIONS, *hasinu.DIRECTION_GROUPS}
    | {*hasinu.SIDE_FLAGS, *hasinu.ACTIVATION_FLAGS, *hasinu.GREED_FLAGS}
    | {*hasinu.IRON_EXCEPTION_FLAGS, *hasinu.OCTANTS},
    "parlett": {*parlett.CONDITIONS, *parlett.MOVE_TYPES, *parlett.DIRECTIONS} - {""},
}
LETTERS = {"letters", "lexicon", "directions", "program_quirks"}
# Methods of a text that look for another one in it, or of a table that look something up.
METHODS = {"startswith", "endswith", "find", "index", "count", "get", "partition", "split"}
# The registry names the dialects that a folder has tables of.
REGISTRY = "notation/registry.py"
# The rooms that translate look up the trees of notations, to make them; all others go through
# the registry.
TRANSLATING = {
    "translation/betza.py",
    "translation/hasinu.py",
    "translation/translation_losses.py",
    "translation/hasinu_runs_and_loops.py",
    "translation/translate.py",
}


# Callers and piece files define functions for texts in Ħasínū, which knows how that is written.
DEFINING = {
    "api.py",
    "library/field_parsers.py",
    "library/outline.py",
    "library/piece_file_reader.py",
}
# What explains, colours and completes notations has their words from here.
VOCABULARY = "notation/vocabulary.py"
# The parts that a cover may take are Betza, letter by letter.
COVERING = {"translation/betza_candidates.py", "translation/shortest_betza.py"}
IMPORTING = {*TRANSLATING, *DEFINING, *COVERING, REGISTRY}


@cache
def outside() -> tuple[tuple[str, ast.Module], ...]:
    """Every module in no folder of a notation, but programs, with its path in the package."""
    return tuple(_outside())


def _outside() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        inside = place.parts[0] == "notation" and len(place.parts) > 2
        if not inside and place.parts[0] != "programs":
            yield place.as_posix(), parsed(path)


def imported(tree: ast.Module) -> set[tuple[str, str]]:
    """The folders and modules of notations that a module imports from, anywhere in it."""
    found = set()
    for node in ast.walk(tree):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[:2] == ["alfil", "notation"] and len(parts) > 3 and parts[2] in TABLES:
                found.add((parts[2], parts[3]))
    return found


def compared(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every string that something is compared with, looked up by or matched against.

    Of a string in which something is looked for, every character is one.
    """
    for node in ast.walk(tree):
        for part in _sides(node):
            for each in ast.walk(part):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield each.lineno, each.value
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Constant(str(text))]):
                yield from ((node.lineno, sign) for sign in text)


def _sides(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.MatchValue(value=value) | ast.Subscript(slice=value):
            return [value]
        case ast.Dict(keys=keys):
            return [key for key in keys if key is not None]
        case ast.Call(func=ast.Attribute(attr=name), args=given) if name in METHODS:
            return given
    return []


def words_of_movements() -> set[str]:
    """Every text in the module of a movement's nodes: the words that all notations share."""
    tree = parsed(SOURCE / "movement" / "nodes.py")
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_notation_has_its_table_here() -> None:
    assert set(TABLES) == {each.folder for each in NOTATIONS.values()}
    assert all(len(signs) > 10 for signs in TABLES.values())


def test_only_translation_imports_from_the_folder_of_a_notation() -> None:
    found = {place: imported(tree) for place, tree in outside()}
    # The table of notations has a line for every dialect, by the names of Betza's tables.
    assert found.pop("notation/registry.py") == {("betza", "letters")}
    assert {folder for folder, _ in found.pop(VOCABULARY)} == {"betza", "hasinu"}
    assert {place for place, modules in found.items() if modules} <= IMPORTING
    assert set().union(*map(found.__getitem__, DEFINING)) == {("hasinu", "user_functions")}
    assert {
        place for place, modules in found.items() if any(module in LETTERS for _, module in modules)
    } <= {REGISTRY, "translation/betza_candidates.py"}


def test_a_term_shows_nothing_but_its_span() -> None:
    """So mypy finds everybody who looks into a tree without its nodes."""
    assert {name for name in vars(Term) if not name.startswith("_")} == {"span"}


@pytest.mark.parametrize("notation", TABLES)
def test_no_letter_is_compared_outside(notation: str) -> None:
    signs = TABLES[notation] - words_of_movements()
    assert not [
        f"{place}:{line} {text!r}"
        for place, tree in outside()
        if place in IMPORTING - COVERING
        for line, text in compared(tree)
        if text in signs
    ]


def test_no_function_of_hasinu_is_compared_anywhere_outside() -> None:
    """Names of two letters and more mean nothing else by chance."""
    names = {*hasinu.FUNCTIONS, *hasinu.FUNCTION_ALIASES} - words_of_movements()
    assert not [
        f"{place}:{line} {text!r}"
        for place, tree in outside()
        for line, text in compared(tree)
        if text in names and len(text) > 1
    ]


def test_the_checks_can_fail() -> None:
    tree = ast.parse(
        "from alfil.notation import registry\n"
        "from alfil.notation.betza.letters import ROWS\n"
        "def f(leg):\n"
        "    import alfil.notation.hasinu.nodes\n"
        "    if 'n' in leg.modes or leg.mode in {'z', 'q'}:\n"
        "        return {'j': 1}[leg.mode]\n"
        "    match leg:\n"
        "        case Call(name='rpg' | 'im'):\n"
        "            return leg['oo']\n"
    )
    assert imported(tree) >= {("betza", "letters"), ("hasinu", "nodes")}
    assert {text for _, text in compared(tree)} == {"n", "z", "q", "j", "rpg", "im", "oo"}
    assert {text for _, text in compared(ast.parse("side in 'fb'"))} == {"fb", "f", "b"}
    assert {text for _, text in compared(ast.parse("text.startswith('n')"))} == {"n"}

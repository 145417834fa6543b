"""Imports point one way, one module knows Lark, and what needs no parser loads none."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest

from alfil.site import pyodide
from sources import parsed

SOURCE = Path(__file__).parents[1] / "src"

# Lowest first. A module may import from its own group and from the lines below it, so two groups
# on one line do not know each other. A group is its packages and modules by name.
LAYERS = (
    (
        (
            "alfil.frozen_dataclasses",
            "alfil.source",
            "alfil.node_trees",
            "alfil.errors",
            "alfil.work_limit",
            "alfil.garbage_collection",
            "alfil.length_cache",
            "alfil.locks",
            "alfil.geometry",
            "alfil.squares",
            "alfil.notation.betza.directions",
            "alfil.data_files",
            "alfil.error_catalogue",
            "alfil.bit_grid",
            "alfil.graphs",
            "alfil.atomic_files",
        ),
    ),
    (("alfil.locations",), ("alfil.engine",)),
    (("alfil.movement",),),
    (("alfil.notation",), ("alfil.english",)),
    (("alfil.meaning",),),
    (("alfil.tables",),),
    (("alfil.diagrams",), ("alfil.programs",), ("alfil.translation",), ("alfil.game",)),
    (("alfil.play",),),
    (
        (
            "alfil",
            "alfil.api",
            "alfil.program_comparison",
            "alfil.other_readings",
            "alfil.exchange",
            "alfil.learning",
            "alfil.library",
            "alfil.records",
            "alfil.keyword_help",
        ),
    ),
    (("alfil.workbench",),),
    (("alfil.highlighting", "alfil.pygments_lexers"),),
    (("alfil.site",), ("alfil.lsp",)),
    (("alfil.cli", "alfil.__main__"),),
)
NO_PARSER = ("alfil.tables", "alfil.diagrams", "alfil.game", "alfil.play", "alfil.locations")
# What can be imported in a browser only.
IN_A_BROWSER = "alfil.game.wasm"

Graph = Mapping[str, frozenset[str]]


def place(module: str) -> tuple[int, int]:
    """The line and the group of a module in LAYERS; every module must have one."""
    for line, groups in enumerate(LAYERS):
        for number, group in enumerate(groups):
            packages = tuple(name + "." for name in group if name != "alfil")
            if module in group or module.startswith(packages):
                return line, number
    raise LookupError(f"{module} has no place in LAYERS")


def upward(graph: Graph) -> set[tuple[str, str]]:
    """The imports that do not point down: to a higher line, or across to a neighbour."""
    own = [(module, target) for module in graph for target in graph[module] & graph.keys()]
    return {
        (module, target)
        for module, target in own
        if place(module) != place(target) and place(target)[0] >= place(module)[0]
    }


def reaching(graph: Graph, goal: str) -> set[str]:
    """The modules from which some path of imports leads to ``goal``."""
    found: set[str] = set()
    while more := {m for m in graph if goal in graph[m] or graph[m] & found} - found:
        found |= more
    return found


def imports(tree: ast.AST, package: str, modules: Collection[str]) -> Iterator[str]:
    """What a file in ``package`` imports anywhere, also inside functions, as module names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            origin = ".".join(
                (above if node.level else []) + ([node.module] if node.module else [])
            )
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                yield inner if inner in modules else origin


def read_graph(source: Path, *, run: bool = True) -> Graph:
    """The imports of every module under ``source``, foreign ones by their top name.

    ``run``: importing a module runs its packages too, so they count; ``alfil`` itself does not,
    because it imports lazily, which the tests with a fresh interpreter watch.
    """
    parts = {path: path.relative_to(source).with_suffix("").parts for path in source.rglob("*.py")}
    names = {path: ".".join(p[:-1] if p[-1] == "__init__" else p) for path, p in parts.items()}
    graph = {}
    for path, module in names.items():
        tree = parsed(path)
        found = set(imports(tree, ".".join(parts[path][:-1]), names.values()))
        own = {name for name in found if name.split(".")[0] == "alfil"}
        packages = {name.rpartition(".")[0] for name in own} - {"", "alfil"} if run else set()
        graph[module] = frozenset(
            (own | packages | {n.split(".")[0] for n in found - own}) - {module}
        )
    return graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return read_graph(SOURCE)


def test_imports_point_one_way(graph: Graph) -> None:
    assert upward(graph) == set()
    assert {place(module) for module in graph} >= {(line, 0) for line in range(len(LAYERS))}


def circles(graph: Graph) -> set[frozenset[str]]:
    """The modules that import each other in a circle, by circle."""
    left = {module: graph[module] & graph.keys() for module in graph}
    # Whatever imports nothing that is left is in no circle, nor is what nobody left imports.
    while ends := {m for m, found in left.items() if not found}:
        left = {m: found - ends for m, found in left.items() if m not in ends}
    while tops := left.keys() - {each for found in left.values() for each in found}:
        left = {m: found for m, found in left.items() if m not in tops}
    return {frozenset({m, each}) for m, found in left.items() for each in found}


def test_there_are_no_circles() -> None:
    """Nowhere, not even inside functions or for type checkers."""
    assert circles(read_graph(SOURCE, run=False)) == set()
    assert circles({"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("b")}) == {
        frozenset("bc")
    }


def test_one_module_knows_lark(graph: Graph) -> None:
    assert {module for module in graph if "lark" in graph[module]} == {"alfil.notation.parsing"}


def test_no_parser_behind_the_tables(graph: Graph) -> None:
    assert not {module for module in reaching(graph, "lark") if module.startswith(NO_PARSER)}


def loaded_after(statement: str) -> set[str]:
    """The modules a fresh interpreter has loaded after ``statement``."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = [sys.executable, "-c", code]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_no_parser() -> None:
    assert not loaded_after("import alfil") & {"lark", "click", "numpy"}


def test_importing_the_tables_loads_no_parser(graph: Graph) -> None:
    modules = sorted(module for module in graph if module.startswith(NO_PARSER))
    modules.remove(IN_A_BROWSER)
    assert not loaded_after("import " + ", ".join(modules)) & {"lark", "click", "numpy"}


def test_a_bundled_game_is_played_without_notations_and_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALFIL_CACHE", str(tmp_path))
    statement = "import alfil; alfil.load('chess').game().legal_moves"
    first, again = loaded_after(statement), loaded_after(statement)
    assert "alfil.notation.betza.reader" in first
    needless = ("alfil.notation.betza", "alfil.notation.hasinu", "alfil.diagrams", "alfil.english")
    assert not [each for each in again if each.startswith(needless)]


def test_the_checks_can_fail(tmp_path: Path) -> None:
    planted = {
        "alfil/source.py": "def f():\n    from alfil import cli\n",
        "alfil/cli.py": "import alfil.game.perft\n",
        "alfil/diagrams/svg_document.py": "from ..game import perft\n",
        "alfil/game/perft.py": "from alfil.tables import move_table\n",
        "alfil/tables/__init__.py": "",
        "alfil/tables/move_table.py": "from .deep.reach import unroll\n",
        "alfil/tables/deep/__init__.py": "import lark.exceptions\n",
        "alfil/tables/deep/reach.py": "def unroll(): ...\n",
    }
    for name, text in planted.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    bad = read_graph(tmp_path)
    assert upward(bad) == {
        ("alfil.source", "alfil.cli"),
        ("alfil.diagrams.svg_document", "alfil.game.perft"),
    }
    assert {"alfil.tables.move_table", "alfil.diagrams.svg_document", "alfil.source"} <= reaching(
        bad, "lark"
    )
    assert "alfil.tables" not in reaching(bad, "lark")
    with pytest.raises(LookupError, match="manager has no place"):
        place("alfil.manager")


def test_what_the_page_leaves_out_is_there() -> None:
    for name in pyodide.LEFT_OUT:
        package, _, path = name.partition("/")
        module = importlib.import_module(package)
        assert (Path(str(module.__file__)).parent / path).exists(), name

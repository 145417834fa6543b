"""What the documents say is true: their examples run, their names and links exist."""

import ast
import codecs
import contextlib
import doctest
import io
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil.diagrams.picture import PICTURE_FORMATS  # names that entries of the catalogue list
from alfil.error_catalogue import CATALOGUE_PAGES  # the pages of the catalogue
from alfil.exchange import MODULE_BY_FORMAT  # likewise
from alfil.game.rule_table import ILLEGALITIES  # codes of illegal moves stand in a table
from alfil.library.statements import FORM_BY_KEYWORD  # likewise
from alfil.notation.hasinu.lexicon import FUNCTIONS  # what there is, the cheat sheet has to show
from alfil.notation.parlett.letters import CONDITIONS, DIRECTIONS, MOVE_TYPES
from alfil.notation.registry import NOTATIONS  # names that entries of the catalogue list
from alfil.play.records.move_notations import NOTATIONS as MOVE_NOTATIONS  # likewise
from alfil.programs import PROGRAMS  # likewise
from alfil.site import pyodide
from gathering import every_row
from inside import DIALECTS, THEMES, bundled_set_names, run
from sources import nodes_in

PROJECT = Path(__file__).parents[1]
SOURCE = PROJECT / "src" / "alfil"
DOCS = tuple(
    path.relative_to(PROJECT).as_posix()
    for path in (
        PROJECT / "README.md",
        PROJECT / "CHANGELOG.md",
        PROJECT / "CONTRIBUTING.md",
        PROJECT / "SECURITY.md",
        *sorted((PROJECT / "docs").rglob("*.md")),
    )
)
LETTERS = PROJECT / "docs" / "pictures" / "letters"
SHELL = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PIECES = re.compile(r"^```pieces\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What is typed into a shell there makes or publishes the site.
UNTRIED = "docs/site.md"
LINK = re.compile(r"\[[^\]]+\]\(([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
PATH = re.compile(r"`((?:src|docs|tests|grammars|benchmarks)/[\w./*]*)`")

Definitions = dict[str, set[int]]
Nodes = tuple[ast.AST, ...]


@cache
def entries() -> dict[str, str]:
    """The entries of docs/errors/ by page and kind; a kind may have one in several pages."""
    found: dict[str, str] = {}
    for group in CATALOGUE_PAGES:
        text = (PROJECT / "docs" / "errors" / f"{group}.md").read_text(encoding="utf-8")
        _, *parts = re.split(r"^## (\S+)$", text, flags=re.MULTILINE)
        kinds = [f"{group}#{kind}" for kind in parts[::2]]
        assert len(set(kinds)) == len(kinds)
        found |= zip(kinds, map(str.strip, parts[1::2]), strict=True)
    return found


def kind_of(entry: str) -> str:
    return entry.partition("#")[2]


def test_every_page_of_errors_is_read() -> None:
    pages = {path.stem for path in (PROJECT / "docs" / "errors").glob("*.md")} - {"index"}
    assert pages == set(CATALOGUE_PAGES)


def test_a_kind_with_several_entries_is_explained_by_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["explain", "no-drops"]) == 0
    shown = capsys.readouterr().out
    for entry in ("games#no-drops", "piece_files#no-drops"):
        assert entries()[entry] in shown


# What entries of the catalogue list, with all that there is of it.
LISTED = {
    "notations#unknown-notation": ("The notations are ", NOTATIONS),
    "notations#unknown-dialect": ("The dialects of Betza are ", DIALECTS),
    "notations#unknown-program": ("The programs are ", PROGRAMS),
    "notations#unknown-form": ("The forms are ", MODULE_BY_FORMAT),
    "games#unknown-form": ("The forms are ", MOVE_NOTATIONS),
    "input#unknown-format": ("The formats are ", PICTURE_FORMATS),
    "input#unknown-theme": ("The themes are ", THEMES),
    "piece_files#unknown-line": ("Lines begin with ", [*FORM_BY_KEYWORD, "#"]),
}


@every_row("entry, words, names", [(entry, *row) for entry, row in LISTED.items()])
def test_an_entry_lists_all_that_there_is(entry: str, words: str, names: Collection[str]) -> None:
    _, _, text = entries()[entry].partition(words)
    listed = re.split(r", | and | or ", re.split(r"[.;](?:\s|$)", text)[0])
    assert listed == [*names]


def test_the_index_of_errors_is_up_to_date() -> None:
    made = runpy.run_path(str(PROJECT / "docs" / "error_index.py"))["made"]()
    kept = (PROJECT / "docs" / "errors" / "index.md").read_text(encoding="utf-8")
    assert made == kept, "run: python docs/error_index.py"


def modules() -> list[Nodes]:
    """Every module of the package."""
    return [nodes_in(path) for path in sorted(SOURCE.rglob("*.py"))]


def kind_places(nodes: Iterable[ast.AST]) -> Definitions:
    """The functions and classes, and which argument of a call is a ``kind: str``, if one is."""
    found: Definitions = {}
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name, args=arguments):
                names = arguments_of(arguments)
            case ast.ClassDef(name=name, body=[*_, ast.FunctionDef("__init__", arguments)]):
                names = arguments_of(arguments)
            case ast.ClassDef(name=name, body=body):
                names = [
                    field.target.id if is_text(field.annotation) else ""
                    for field in body
                    if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
                ]
            case _:
                continue
        found.setdefault(name, set()).update({names.index("kind")} if "kind" in names else ())
    return found


def arguments_of(function: ast.arguments) -> list[str]:
    """The names of the arguments that are texts, others as nothing."""
    given = [each for each in function.args if each.arg != "self"]
    return [each.arg if is_text(each.annotation) else "" for each in given]


@cache
def kind_places_in(path: Path) -> Definitions:
    """The same for one module, by its file."""
    return kind_places(nodes_in(path))


def imported(nodes: Nodes) -> Definitions:
    """What a module takes from others of the package, of which several may share a name."""
    found: Definitions = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            there = kind_places_in(SOURCE.parent / f"{node.module.replace('.', '/')}.py")
            found |= {each.name: there[each.name] for each in node.names if each.name in there}
    return found


def is_text(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "str"


def tabled_kinds() -> Iterator[str]:
    """The kinds of tables beside the grammars that have some; lines with # are headings."""
    for path in PROJECT.glob("grammars/*.tsv"):
        heads, *lines = path.read_text(encoding="utf-8").splitlines()
        columns = heads.split("\t")
        if "kind" in columns:
            at = columns.index("kind")
            yield from (line.split("\t")[at] for line in lines if not line.startswith("#"))
    yield from (each.code for each in ILLEGALITIES if each.code)


def raised_kinds() -> set[str]:
    """The kinds that stand in the source as literals, or in a table of mistakes."""
    anywhere, kinds = kind_places(chain.from_iterable(modules())), set(tabled_kinds())
    for nodes in modules():
        places = {**anywhere, **imported(nodes), **kind_places(nodes)}
        for node in (node for node in nodes if isinstance(node, ast.Call)):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = [node.args[place] for place in places.get(name, ()) if place < len(node.args)]
            choices = [
                each
                for value in given
                for each in (
                    [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                )
            ]
            kinds |= {
                each.value
                for each in choices
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            }
    return kinds


def test_every_kind_has_an_entry_and_every_entry_a_kind() -> None:
    raised, explained = raised_kinds(), set(map(kind_of, entries()))
    assert raised - explained == set(), "raised, but not in docs/errors/"
    assert explained - raised == set(), "in docs/errors/, but never raised"


def test_a_table_of_losses_has_the_rows_that_are_asked_for() -> None:
    _, *lines = (PROJECT / "grammars" / "losses.tsv").read_text("utf-8").splitlines()
    rows = {line.split()[0] for line in lines if not line.startswith("#")}
    words = {
        each
        for module in (
            "translation/translation_losses.py",
            "notation/parlett/spell.py",
            "movement/nodes.py",
        )
        for node in nodes_in(SOURCE / module)
        for each in (getattr(node, "value", ""), getattr(node, "name", ""))
    }
    assert rows - words == set(), "nobody asks for"


@pytest.mark.parametrize("notation", ["betza", "hasinu", "parlett", "pieces", "variants"])
def test_a_table_of_diagnostics_has_the_rows_that_are_asked_for(notation: str) -> None:
    _, *lines = (
        (PROJECT / "grammars" / f"{notation}_diagnostics.tsv").read_text("utf-8").splitlines()
    )
    rows = {line.split()[0] for line in lines if not line.startswith("#")}
    said: set[str] = set()
    asked: set[str] = set()
    rooms = {"pieces": "library", "variants": "exchange"}
    room = SOURCE / rooms.get(notation, f"notation/{notation}")
    for node in chain.from_iterable(map(nodes_in, room.glob("*.py"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            said.add(node.value)
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in {
                "make_diagnostic",
                "add_diagnostic",
                "add",
                "note",
                "InvalidValue",
                "_report",
                "_make_mistake",
            }:
                asked.add(str(node.args[0].value))
    assert rows - said == set(), "nobody asks for"
    assert asked - rows == set(), "not in the table"


def example_of(entry: str) -> str:
    (line,) = re.findall(r"^    (\S.*)$", entries()[entry], re.MULTILINE)
    return str(line)


def arrange_for(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What must be missing, or smaller, for an error of this kind to be met quickly."""
    if kind == "missing-extra":
        monkeypatch.setitem(sys.modules, "resvg_py", None)  # as if it were not installed
    if kind == "cannot-build":
        monkeypatch.setenv("PATH", "")  # as if node were not installed
        monkeypatch.delenv("ALFIL_BROWSER", raising=False)
        monkeypatch.setattr(pyodide, "runtime_files", pyodide.runtime_files.__wrapped__)
    if kind == "too-many-rays":
        monkeypatch.setattr("alfil.tables.ray_export.MAX_SQUARES", 1000)  # millions take a minute


@pytest.mark.parametrize("entry", entries())
def test_the_example_brings_it_about(
    entry: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind, example = kind_of(entry), example_of(entry)
    for file in ("pieces/loop.pieces", "pieces/loop_back.pieces", "records/match.alfil"):
        shutil.copy(PROJECT / "tests" / "cases" / file, tmp_path)
    monkeypatch.chdir(tmp_path)
    arrange_for(kind, monkeypatch)
    if example.startswith(">>> "):
        names: dict[str, Any] = {"alfil": alfil}
        try:
            found = eval(example.removeprefix(">>> "), names)  # our own document
        except alfil.AlfilError as error:
            found = error.diagnostics
        if hasattr(names.get("file"), "close"):
            names["file"].close()
        assert kind in {diagnostic.kind for diagnostic in found}
        return
    before, _, command = example.rpartition(" | ")
    if before:
        _, text = shlex.split(before)
        stream = io.TextIOWrapper(io.BytesIO(codecs.escape_decode(text)[0]))  # type: ignore[attr-defined]
        monkeypatch.setattr(sys, "stdin", stream)
    _, *arguments = shlex.split(command)
    is_note = entries()[entry].startswith("A note")
    assert bool(run(arguments)) != is_note
    assert f"[{kind}]" in "".join(capsys.readouterr())


@every_row("entry", entries())
def test_an_entry_says_what_it_is_and_what_to_do(entry: str) -> None:
    meaning, example, remedy = entries()[entry].split("\n\n")
    assert meaning.endswith(".")
    assert remedy.endswith(".")
    assert example.startswith("    ")


def having(sign: str) -> list[str]:
    """The documents with a sign in them."""
    return [name for name in DOCS if sign in (PROJECT / name).read_text(encoding="utf-8")]


def shell_examples(name: str) -> list[tuple[str, str]]:
    """The commands in a document's console blocks, each with the output shown below it."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    pieces = (re.split(r"^\$ ", block, flags=re.MULTILINE)[1:] for block in SHELL.findall(text))
    return [
        (command, output.rstrip())
        for block in pieces
        for command, _, output in (piece.partition("\n") for piece in block)
    ]


def write_files(name: str, folder: Path) -> list[Path]:
    """The piece files of a document, those that give their name in the first line."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    written = []
    for block in PIECES.findall(text):
        named = re.match(r"# (\w+\.pieces)$", block, re.MULTILINE)
        if named:
            written.append(folder / named[1])
            written[-1].write_text(block, encoding="utf-8")
    return written


@pytest.mark.parametrize("name", [each for each in having("```console") if each != UNTRIED])
def test_console_examples_give_what_is_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(name, tmp_path)
    monkeypatch.chdir(tmp_path)
    for command, output in shell_examples(name):
        if command.startswith("make "):
            continue
        program, *arguments = shlex.split(command)
        assert program == "alfil", command
        shown = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            run(arguments)
        shown.seek(0)
        lines = [line.rstrip() for line in shown.read().rstrip().splitlines()]
        assert "\n".join(lines) == output, command
    shows_what_was_drawn(tmp_path, (PROJECT / name).read_text(encoding="utf-8"))


def shows_what_was_drawn(folder: Path, text: str) -> None:
    """The pictures that a page shows are those that its examples have drawn."""
    for drawn in folder.glob("*.svg"):
        if f"pictures/{drawn.name})" in text:
            kept = PROJECT / "docs" / "pictures" / drawn.name
            assert drawn.read_bytes() == kept.read_bytes(), "run: make docs"


# The extras without which a document's examples cannot run.
NEEDED = {"docs/learning.md": "numpy", "docs/diagrams.md": "resvg_py"}


@pytest.mark.parametrize("name", having("```pycon"))
def test_python_examples_give_what_is_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    write_files(name, tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (PROJECT / name).read_text(encoding="utf-8")
    blocks = [as_doctest(block) for block in PYTHON.findall(text)]
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    assert len(examples.examples) >= len(blocks)
    assert doctest.DocTestRunner(Shown()).run(examples).failed == 0
    shows_what_was_drawn(tmp_path, text)


class Shown(doctest.OutputChecker):
    """Compares what is shown, which an empty line at its end is no part of."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(f"{want.rstrip()}\n", f"{got.rstrip()}\n", optionflags)


def as_doctest(block: str) -> str:
    """An example as doctest reads it: an empty line within its output is marked as one."""
    return re.sub(r"\n(?=\n(?!>>> |\n*\Z))", "\n<BLANKLINE>", block)


@pytest.mark.parametrize("name", DOCS)
def test_no_mark_of_the_tests_reaches_a_reader(name: str) -> None:
    assert "<BLANKLINE>" not in (PROJECT / name).read_text(encoding="utf-8")


def test_piece_files_in_the_documents_are_right() -> None:
    text = (PROJECT / "docs/piece_files.md").read_text(encoding="utf-8")
    blocks = PIECES.findall(text)
    assert len(blocks) == 9
    for block in blocks:
        if "# broken.pieces" in block:
            with pytest.raises(alfil.PieceFileError):
                alfil.loads(block)
        else:
            assert alfil.loads(block).pieces


def test_everything_a_piece_file_can_say_is_named() -> None:
    from alfil.library import constraints, field_parsers, statements  # noqa: PLC0415 - only here: its words

    text = (PROJECT / "docs/piece_files.md").read_text(encoding="utf-8")
    tables = (
        field_parsers.FIELD_TYPE_BY_KEY,
        field_parsers.MOVEMENT_KEYS,
        field_parsers.FLAG_NAMES,
        field_parsers.RULES,
        constraints.PREDICATES,
    )
    assert not [name for table in tables for name in table if f"`{name}`" not in text]
    assert not [
        word
        for word in statements.FORM_BY_KEYWORD
        if not re.search(rf"^{re.escape(word)} ", text, re.M)
    ]


def test_the_readme_is_short_and_says_how_to_begin() -> None:
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert len(text) <= 8000
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    goals = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"`make ([\w-]+)`", text))
    assert {"demo", "test"} <= named <= goals | {"check", "test", "figures"}
    assert "pip install alfil" in text
    blocks = re.findall(r"^```(?:console|pycon|pieces)$", text, re.MULTILINE)
    assert len(blocks) >= 4
    assert f"[{len(bundled_set_names())} sets]" in text
    assert f"{len(alfil.load('fairy'))} fairy pieces" in text


def anchors(text: str) -> set[str]:
    """What the headings of a document are called in links, here and on the site."""
    plain = [re.sub(r"[`*]", "", each).lower() for each in HEADING.findall(text)]
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", each)).strip("-") for each in plain}


@pytest.mark.parametrize("name", DOCS)
def test_names_and_links_exist(name: str) -> None:
    path = PROJECT / name
    text = path.read_text(encoding="utf-8")
    for target, anchor in LINK.findall(text):
        if "://" in target:
            continue
        there = path.parent / target if target else path
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there.read_text(encoding="utf-8")), f"{target}#{anchor}"
    for named in PATH.findall(text):
        assert list(PROJECT.glob(named.rstrip("/"))), named


@pytest.mark.parametrize("name", DOCS)
def test_pictures_have_words_for_those_who_do_not_see_them(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    if name not in {"docs/cheat_sheet.md", "docs/hand_shogi.md"}:  # the words are beside them
        assert all(len(words) >= 30 for words in re.findall(r"!\[([^\]]*)\]", text))


def test_every_picture_is_shown_somewhere() -> None:
    shown = {
        (PROJECT / name).parent.joinpath(target).resolve()
        for name in DOCS
        for target in re.findall(r"!\[.*?\]\(([^)]+)\)", (PROJECT / name).read_text("utf-8"))
    }
    kept = {path for path in (PROJECT / "docs" / "pictures").rglob("*") if path.is_file()}
    assert kept == {path for path in shown if path.suffix in {".svg", ".png"}}


def test_dialects_and_functions_are_all_named() -> None:
    text = (PROJECT / "docs/notations.md").read_text(encoding="utf-8")
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    for dialect in DIALECTS.values():
        assert f"`{dialect.name}`" in text
        assert f"`{dialect.name}`" in readme
        assert all(f"`{atom}`" in text for atom in dialect.atoms), dialect.name
        assert all(f"`{mode}`" in text for mode in dialect.modes), dialect.name


def test_python_minus_m_is_the_same_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "alfil", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"alfil {alfil.__version__}\n")


def test_the_cheat_sheet_is_up_to_date_and_has_every_letter() -> None:
    module = runpy.run_path(str(PROJECT / "docs" / "cheat_sheet.py"))
    made = module["made"]()
    for name, content in made.items():
        assert (PROJECT / "docs" / name).read_bytes() == content, "run: python docs/cheat_sheet.py"
    kept = {path.relative_to(PROJECT / "docs").as_posix() for path in LETTERS.glob("*")}
    assert kept == made.keys() - {"cheat_sheet.md"}
    shown: dict[str, set[str]] = {}
    for (_, notation), rows in module["SHEETS"].items():
        shown.setdefault(notation, set()).update(letter for letter, _ in rows)
    dialect = DIALECTS["betza"]
    assert {*dialect.atoms, *dialect.modes, *"fblrvsh"} - {"h"} <= shown["betza"]
    assert {*FUNCTIONS, "group"} <= shown["hasinu"]
    assert {*CONDITIONS, *DIRECTIONS, *MOVE_TYPES, *"/&,.n"} - {""} <= shown["parlett"]


def test_the_reference_has_every_public_name() -> None:
    text = (PROJECT / "docs" / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"^::: alfil\.(\w+)$", text, re.MULTILINE)
    assert sorted(named) == sorted({*alfil.__all__, "compile"})


def test_the_site_lists_every_document() -> None:
    text = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"([\w/]+\.md)$", text, re.MULTILINE))
    above = {
        "changelog.md": "CHANGELOG.md",
        "contributing.md": "CONTRIBUTING.md",
        "licence.md": "LICENSE",
    }
    folder = PROJECT / "docs"
    assert listed - above.keys() == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*.md")
    }
    assert all((PROJECT / name).exists() for name in above.values())


def test_the_table_of_losses_is_up_to_date() -> None:
    module = runpy.run_path(str(PROJECT / "docs" / "losses.py"))
    text = (PROJECT / "docs" / "notations.md").read_text(encoding="utf-8")
    assert module["losses"]() in text, "run: python docs/losses.py"


def figures_in(name: str) -> set[str]:
    """The ratios between the marks of `make figures`."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    _, begin, rest = text.partition("<!-- figures: made by `make figures` -->\n")
    found, end, _ = rest.partition("<!-- end of figures -->")
    assert begin
    assert end
    return set(re.findall(r"([\d.,]+) times", found))


def test_figures_of_the_readme_are_those_of_one_run() -> None:
    chief = figures_in("README.md")
    assert len(chief) >= 3
    assert chief <= figures_in("docs/performance.md")


def test_nothing_but_make_bench_speaks_of_targets() -> None:
    for name in ("README.md", "docs/performance.md"):
        text = (PROJECT / name).read_text(encoding="utf-8")
        assert not re.search(r"\| (must|aim|holds) \|", text)

"""Run by the Python of the browser while the site is built: bytecode, and what is kept of its work.

Reads /sources.zip and /python_stdlib.zip; writes /alfil.zip and /python.zip. Lark works here,
once: the tables of all grammars are kept, and it stays behind.
"""

from __future__ import annotations

import ast
import importlib
import io
import marshal
import os
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from types import CodeType

PACKAGES = Path("/packages")
# Tables are known by the Lark that made them; of Lark, its version is all that goes along.
MARK = "lark/__init__.pyc"
# Modules with functions that answer requests.
ANSWERING = "_requests.py"
# A fixed time: the same sources give the same files.
WHEN = (2020, 1, 1, 0, 0, 0)
# What Pyodide itself asks for while it starts, besides what it has loaded by now.
CODECS = ("__init__", "aliases", "utf_8", "latin_1", "ascii", "idna", "cp437")
STARTING = (*(f"encodings/{each}" for each in CODECS), "_pyodide/", "pyodide/", "importlib/")
# In the head of bytecode: what follows is a hash of the source, which nobody compares.
UNCHECKED = (1).to_bytes(4, "little")
# Modules that alfil names for work no page does: compiling C, clusters, processes, terminals.
ELSEWHERE = {
    "concurrent",
    "ctypes",
    "multiprocessing",
    "readline",
    "select",
    "signal",
    "subprocess",
}


def compile_module(source: bytes, name: str) -> bytes:
    """The bytecode of a module, for any place it is put at.

    Asserts, docstrings, tables of line numbers and the types of alfil's functions stay behind: they
    are over a third of what a page has to download. A traceback still names its functions, and the
    terminal gives the lines. Functions that answer requests keep their types, by which
    src/alfil/site/request_arguments.py knows what they take.
    """
    tree = ast.parse(source)
    if name.startswith("alfil/") and not name.endswith(ANSWERING):
        tree = ast.fix_missing_locations(AnnotationRemover().visit(tree))
    code = without_line_numbers(compile(tree, name, "exec", dont_inherit=True, optimize=2))
    return MAGIC_NUMBER + UNCHECKED + source_hash(source) + marshal.dumps(code)


class AnnotationRemover(ast.NodeTransformer):
    """Takes away the types that functions take and give; fields of classes keep theirs."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function with those in it."""
        self.generic_visit(node)
        node.returns = None
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """A parameter."""
        node.annotation = None
        return node


def without_line_numbers(code: CodeType) -> CodeType:
    """The same code, with that of its functions and classes, without line numbers."""
    constants = tuple(
        without_line_numbers(each) if isinstance(each, CodeType) else each
        for each in code.co_consts
    )
    return code.replace(co_linetable=b"", co_consts=constants)


def compile_and_list_imports() -> set[str]:
    """Write the packages as bytecode; returns the modules that alfil names."""
    modules_named: set[str] = set()
    with zipfile.ZipFile("/sources.zip") as sources:
        for name in sources.namelist():
            content, path = sources.read(name), PACKAGES / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(".py"):
                if name.startswith("alfil/"):
                    modules_named.update(imported_modules(content))
                content, path = compile_module(content, name), path.with_suffix(".pyc")
            path.write_bytes(content)
    # What takes long to work out is kept there; src/alfil/site/pages/worker.js says so, too.
    os.environ["ALFIL_CACHE"] = str(PACKAGES / "alfil" / "kept")
    return modules_named


def imported_modules(source: bytes) -> Iterator[str]:
    """The modules that a module imports anywhere, by their full names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def import_standard_modules(modules_named: set[str]) -> None:
    """Load every module of the standard library that may be asked for."""
    for name in sorted(modules_named):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names and top not in ELSEWHERE:
            with suppress(ImportError):  # some are for other systems
                importlib.import_module(name)


def reproducible_archive(files: Mapping[str, bytes]) -> bytes:
    """An archive that is the same for the same files.

    Nothing in it is compressed: as a whole, what has much in common takes less room.
    """
    bytecode_path = io.BytesIO()
    with zipfile.ZipFile(bytecode_path, "w") as whole:
        for name in sorted(files):
            whole.writestr(zipfile.ZipInfo(name, WHEN), files[name])
    return bytecode_path.getvalue()


def package_files() -> dict[str, bytes]:
    """What was laid out of alfil, and what has been kept."""
    paths = [each for each in PACKAGES.rglob("*") if each.is_file()]
    result = {each.relative_to(PACKAGES).as_posix(): each.read_bytes() for each in paths}
    return {
        name: content
        for name, content in result.items()
        if name.startswith("alfil/") or name == MARK
    }


def loaded_standard_library_files() -> dict[str, bytes]:
    """The standard library as far as it has been loaded by now, and what Pyodide starts with."""
    files = [getattr(each, "__file__", None) or "" for each in [*sys.modules.values()]]
    used = {path.partition(".zip/")[2] for path in files}
    with zipfile.ZipFile("/python_stdlib.zip") as whole:
        names = [name for name in whole.namelist() if name in used or name.startswith(STARTING)]
        result = {name: whole.read(name) for name in names}
    sources = {name: content for name, content in result.items() if name.endswith(".py")}
    bytecode = {f"{name}c": compile_module(content, name) for name, content in sources.items()}
    return bytecode | {name: result[name] for name in result.keys() - sources.keys()}


def write_archives() -> None:
    """Make both archives."""
    modules_named = compile_and_list_imports()
    sys.path.insert(0, str(PACKAGES))
    sys.dont_write_bytecode = False
    answers = importlib.import_module("alfil.site.piece_requests")
    importlib.import_module("alfil.site.game_requests")
    import_standard_modules(modules_named)
    Path("/python.zip").write_bytes(reproducible_archive(loaded_standard_library_files()))
    answers.warm_up()
    Path("/alfil.zip").write_bytes(reproducible_archive(package_files()))


if __name__ == "__main__":
    write_archives()

"""Python for the browser: Pyodide from its npm package, alfil and what it needs as bytecode.

A wheel has it ready (hatch_build.py); in a checkout it is made. The package is one version, known
by its hash; node runs that Pyodide once, so that the bytecode is made by the very Python that will
read it. Names that end in .packed are compressed files, which pages/worker.js unpacks: so a page is
as small on any server.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import files as files_of
from importlib.resources import files as package_files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

import alfil
from alfil.data_files import data_file_names, read_data
from alfil.engine import building
from alfil.errors import AlfilError, reject
from alfil.site.precomputed_answers import precomputed_answers_json
from alfil.source import Source

VERSION = "314.0.7"
# As npm's registry and package-lock.json give it.
INTEGRITY = "sha512-" + (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
# What is taken of it: what a page loads as it is, what it unpacks, and which packages there are for
# it, of which none is used. Its standard library is source, and stays behind.
SCRIPTS = ("pyodide.mjs", "pyodide.asm.mjs")
PROGRAM, PACKAGE_LIST, LIBRARY = "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"
FILES_TAKEN = (*SCRIPTS, PROGRAM, PACKAGE_LIST, LIBRARY)
# What bytecode_archives.py makes of it: the standard library, and alfil.
PYTHON, ALFIL = "python.zip", "alfil.zip"
PACKED = ".packed"
# What a page answers before Python is there, which only the playground asks for.
KNOWN = "known.json"
# Data in it that is not the same for all games.
KANJI, FIRST_KANJI = "alfil/glyphs/kanji.txt", "\u2e80"
OF_ONE_SET = r"alfil/(?:kept/set-|pieces/)(\w+)\.(?:tables|squares\.tsv)"
# The data of alfil by folder, with the ends of the names that are taken.
DATA = {
    "grammars": (".lark", ".tsv"),
    "pieces": (".pieces", ".md", ".squares.tsv"),
    "glyphs": (".txt",),
}
# The files of the packages that are taken, by the ends of their names.
KINDS = (".py", ".pyi", ".tsv", ".lark", ".h")
COMMENT = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
# Parts of the packages that no page asks for.
LEFT_OUT = (
    *("alfil/cli/", "alfil/__main__.py", "alfil/exchange/", "alfil/lsp/"),
    *("alfil/highlighting.py", "alfil/pygments_lexers.py", "alfil/keyword_help.py"),
    *("alfil/engine/building.py", "alfil/game/shared_library.py", "alfil/library/gallery.py"),
    *("alfil/learning/", "alfil/diagrams/board_atlas.py", "alfil/library/formatter.py"),
    *("alfil/play/chess_problems.py", "alfil/error_catalogue.py"),
    *(f"alfil/workbench/{name}.py" for name in ("piece_facts", "mobility", "shortest_notation")),
    *(
        f"alfil/site/{name}.py"
        for name in (
            "build",
            "bytecode_archives",
            "precomputed_answers",
            "pyodide",
            "shared_page_parts",
        )
    ),
    *("lark/tools/", "lark/__pyinstaller/"),
)

LICENCES = """\
What this folder is made of, and under which licences. Their texts follow.

alfil {version}: MIT; the outlines of letters in it: OFL-1.1.
Lark, which made the tables of its grammars: MIT.
Pyodide {pyodide}, the files pyodide.*: MPL-2.0. Its source is that of the npm package "pyodide" of
this version, whose files are here as they were published, one of them compressed, and the list of
its packages empty.
Python's standard library, python.zip, compiled from the same package: PSF-2.0.
"""


@cache
def runtime_files() -> Mapping[str, bytes]:
    """The files that run Python in a browser, by name: those of the wheel, or else made now.

    They are made once: the sources of a process do not change. ALFIL_BROWSER names a folder with
    those that were made before. Raises what `make_runtime_files` does.
    """
    made = os.environ.get("ALFIL_BROWSER")
    ready = Path(made) if made else package_files("alfil") / "site" / "python"
    if ready.is_dir():
        return {each.name: each.read_bytes() for each in ready.iterdir()}
    return make_runtime_files()


def runtime_files_for_game(name: str, text: str) -> Mapping[str, bytes]:
    """The same for a page of one game, without most data that only other games need.

    ``name`` is that of a bundled game, or else empty; ``text`` has every character that the game
    may show. Raises what `make_runtime_files` does.
    """
    files, packed = runtime_files(), f"{ALFIL}{PACKED}"
    result = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(gzip.decompress(files[packed]))) as whole,
        zipfile.ZipFile(result, "w") as part,
    ):
        for entry in whole.infolist():
            content = whole.read(entry)
            if entry.filename == KANJI:
                content = _glyph_outlines_needed_for(text, content)
            # What is kept of a set is only work that is done already; here nobody asks for it. The
            # opponent plays other games without what was learned of this one.
            of_set = re.fullmatch(OF_ONE_SET, entry.filename)
            if not of_set or of_set[1] == name or re.search(rf"\b{of_set[1]}\b", text):
                part.writestr(entry, content)
    others = {name: content for name, content in files.items() if name != f"{KNOWN}{PACKED}"}
    return {**others, packed: _gzip(result.getvalue())}


def _glyph_outlines_needed_for(text: str, outlines: bytes) -> bytes:
    """The lines of a file of outlines that a text needs; all where a character has no own one."""
    lines = outlines.decode().splitlines(keepends=True)
    wanted = {each for each in text if each >= FIRST_KANJI}
    if not wanted <= {line[0] for line in lines}:
        return outlines
    return "".join(line for line in lines if line[0] in wanted).encode()


def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def make_runtime_files() -> Mapping[str, bytes]:
    """Make the files that run Python in a browser, by name.

    Raises `AlfilError` of kind "cannot-build" without node, npm or zig, and where the package is
    not the one that is known.
    """
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            hint = "a wheel of alfil needs none; else install Node.js 20 or newer"
            _reject_build(f"{tool} is not there", f"{hint}, on Debian nodejs and npm")
    with TemporaryDirectory(prefix="alfil-site-") as name:
        folder = Path(name)
        _extract_package(_download_package(folder), folder)
        _write_sources_archive(folder / "sources.zip")
        for script in ("bundle.mjs", "bytecode_archives.py"):
            (folder / script).write_text(read_data("site", script), encoding="utf-8")
        _run_command(["node", "bundle.mjs"], folder)
        scripts = {each: (folder / each).read_bytes() for each in SCRIPTS}
        packed = {
            f"{each}{PACKED}": _gzip((folder / each).read_bytes())
            for each in (PROGRAM, PYTHON, ALFIL)
        }
        package_list = json.loads((folder / PACKAGE_LIST).read_bytes()) | {"packages": {}}
    return {
        **scripts,
        **packed,
        f"{KNOWN}{PACKED}": _gzip(precomputed_answers_json()),
        PACKAGE_LIST: json.dumps(package_list).encode(),
        "LICENSES.txt": _licences_text().encode(),
    }


def _download_package(folder: Path) -> bytes:
    """The package as npm brings it, by way of the registry that npm is set up with."""
    _run_command(["npm", "pack", "--silent", f"pyodide@{VERSION}"], folder)
    (path,) = folder.glob("pyodide-*.tgz")
    content = path.read_bytes()
    result = base64.b64encode(hashlib.sha512(content).digest()).decode("ascii")
    if f"sha512-{result}" != INTEGRITY:
        _reject_build(
            f"the package pyodide {VERSION} has another hash", "ask where npm got it from"
        )
    return content


def _extract_package(package: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        for name in FILES_TAKEN:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            (folder / name).write_bytes(member.read())


def _write_sources_archive(path: Path) -> None:
    """The sources of alfil and Lark, the data and the engine, laid out as they are installed."""
    engine = path.with_name("engine.wasm")
    try:
        building.build(engine, building.BROWSER)
    except building.BuildFailed as failed:
        hint = "install zig, which compiles it for a browser: pip install ziglang"
        _reject_build(f"the engine was not compiled: {failed}", hint)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in _source_files():
            archive.writestr(name, content)
        archive.write(engine, f"alfil/engine/{engine.name}")


def _source_files() -> Iterator[tuple[str, bytes]]:
    for package in ("alfil", "lark"):
        spec = find_spec(package)
        assert spec is not None
        root = Path(spec.origin or "").parent
        for source in sorted(root.rglob("*")):
            name = f"{root.name}/{source.relative_to(root).as_posix()}"
            if name.endswith(KINDS) and not name.startswith(LEFT_OUT):
                content = source.read_bytes()
                # Nobody reads the header there but Python, which asks for no comments.
                yield name, COMMENT.sub(b"", content) if name.endswith(".h") else content
    for folder, ends in DATA.items():
        for name in sorted(data_file_names(folder)):
            if name.endswith(ends):
                yield f"alfil/{folder}/{name}", read_data(folder, name).encode()


def _run_command(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        output_lines = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        _reject_build(
            f"{' '.join(command)}: {output_lines[-1]}", "run it by hand to see all it says"
        )


def _reject_build(message: str, hint: str) -> NoReturn:
    reject(AlfilError, "cannot-build", message, Source("site", "<site>"), hint=hint)


def _licences_text() -> str:
    """Who owns what is in the folder, and on which terms it is passed on."""
    lark = [each for each in files_of("lark") or () if each.name == "LICENSE"]
    texts: Mapping[str, str] = {
        "alfil and Lark: MIT": lark[0].read_text() if lark else "",
        "Letters: OFL-1.1": read_data("glyphs", "OFL.txt"),
        "Pyodide: MPL-2.0": read_data("site", "licences/MPL-2.0.txt"),
        "Python: PSF-2.0": read_data("site", "licences/PSF-2.0.txt"),
    }
    head = LICENCES.format(version=alfil.__version__, pyodide=VERSION)
    return head + "".join(
        f"\n\n{'-' * 72}\n{name}\n{'-' * 72}\n\n{text}" for name, text in texts.items()
    )

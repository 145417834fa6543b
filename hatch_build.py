"""Builds the engine, and the package's page, when alfil is built or installed from its sources.

The machine's C compiler makes it; where there is none, the build asks for ziglang, which has one.
ALFIL_TARGET names another platform to build a wheel for, as in `make wheels`: a key of `TARGETS` in
src/alfil/engine/building.py. ALFIL_BROWSER names the folder with Python for browsers, which the
wheel has then; without it `alfil publish` needs Node.js. `python hatch_build.py` builds the engine
for this machine, where the sources are. With --targets it names the other platforms, with --browser
FOLDER it makes that folder, with --facts FILE the table of facts of what `alfil facts --all` wrote,
with --catalogue the index of the catalogue after a set of pieces was
edited, and with --release-check DIST it says what a release lacks.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PROJECT = Path(__file__).parent
ENGINE = PROJECT / "src/alfil/engine"
# Where a wheel has Python for browsers.
BROWSER = "alfil/site/python"


class EngineHook(BuildHookInterface[Any]):
    """Puts the engine into a wheel, and beside its sources in an editable installation."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs besides: a compiler, where the machine has none."""
        return [] if building.native_compilers() and not _target() else ["ziglang>=0.13"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the engine, and name the platform that the wheel is for."""
        target = _target()
        if version == "editable":
            building.build(ENGINE / building.FILE)
        else:
            self._folder = TemporaryDirectory(prefix="alfil-")
            built = Path(self._folder.name) / building.FILE
            building.build(built, target)
            build_data["force_include"][str(built)] = f"alfil/engine/{built.name}"
            if os.environ.get("ALFIL_BROWSER"):
                build_data["force_include"][os.environ["ALFIL_BROWSER"]] = BROWSER
        platform = target.wheel_tag if target else sysconfig.get_platform()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact: str) -> None:
        """Forget what the wheel has now."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


class ReadmeHook(MetadataHookInterface):
    """Makes README.md the package's page, where its links need the addresses of the site."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the text of the page."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        page = with_addresses(text, metadata["urls"])
        metadata["readme"] = {"content-type": "text/markdown", "text": page}


# The documents of the site that are not in docs/, by their names there.
ABOVE = {"CHANGELOG.md": "changelog/", "CONTRIBUTING.md": "contributing/"}


def with_addresses(text: str, urls: dict[str, str]) -> str:
    """A document at the top of the project with the addresses of what it links to."""

    def address(match: re.Match[str]) -> str:
        target = match[1]
        if target.startswith("docs/"):
            place = re.sub(r"(index)?\.md(?=#|$)", "/", target.removeprefix("docs/"))
            return f"]({urls['Documentation']}{place.replace('//', '/').removeprefix('/')})"
        if target in ABOVE:
            return f"]({urls['Documentation']}{ABOVE[target]})"
        return f"]({urls['Source']}{target})"

    return re.sub(r"\]\((?!\w+://)([^)]+)\)", address, text)


def _building() -> Any:  # noqa: ANN401 - a module
    """The module that compiles, by itself, so that nothing else of alfil is needed."""
    spec = importlib.util.spec_from_file_location("building", ENGINE / "building.py")
    assert spec
    assert spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


building = _building()


def _target() -> Any:  # noqa: ANN401 - a `Target`, None for this machine
    name = os.environ.get("ALFIL_TARGET", "")
    if name and name not in building.TARGETS:
        targets = ", ".join(building.TARGETS)
        raise building.BuildFailed(f"ALFIL_TARGET is one of {targets}, not {name}")
    return building.TARGETS[name] if name else None


def make_browser_python(folder: str) -> None:
    """Make Python for browsers, with alfil in it; it needs alfil installed, and Node.js."""
    from alfil.site.pyodide import make_runtime_files  # noqa: PLC0415 - a build without it has no alfil

    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, content in make_runtime_files().items():
        Path(folder, name).write_bytes(content)


def make_catalogue_index() -> None:
    """Make the index of the catalogue; it needs alfil installed."""
    from alfil.library.catalogue import INDEX_FILE  # noqa: PLC0415 - a build without it has no alfil
    from alfil.library.catalogue_index import catalogue_index_text  # noqa: PLC0415 - likewise

    Path(PROJECT, "pieces/catalogue", INDEX_FILE).write_text(
        catalogue_index_text(), encoding="utf-8"
    )


def make_fact_table(path: str) -> None:
    """Make the table of facts of what `alfil facts --all` wrote; it needs alfil installed."""
    from alfil.workbench.fact_table import FILE, fact_table_text  # noqa: PLC0415 - a build without it has no alfil

    rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    Path(PROJECT, "pieces", FILE).write_text(fact_table_text(rows), encoding="utf-8")


def release_faults(project: Path, archives: Path) -> Iterator[str]:
    """What keeps the archives in a folder from being released, a sentence each."""
    version, _ = _found(r'__version__ = "(.*)"', project / "src/alfil/__init__.py")
    newest, date = _found(r"## (\S+) \((.*)\)", project / "CHANGELOG.md")
    cited, _ = _found(r"version: (.*)", project / "CITATION.cff")
    released, _ = _found(r"date-released: (.*)", project / "CITATION.cff")
    if newest != version:
        yield f"CHANGELOG.md begins with {newest}, and the version is {version}"
    if cited != version:
        yield f"CITATION.cff has version {cited}, and it is {version}"
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        yield f"CHANGELOG.md has no date for {newest}: {date}"
    elif released != date:
        yield f"CITATION.cff has no line `date-released: {date}`"
    settings = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    for name, url in settings["project"]["urls"].items():
        if re.match(r"https?://[^/]*[.]example(/|$)", url):
            yield f"pyproject.toml has a placeholder as the address of {name}: {url}"
    yield from _archive_faults(archives, version)


def _archive_faults(archives: Path, version: str) -> Iterator[str]:
    """What the archives lack."""
    if not (archives / f"alfil-{version}.tar.gz").is_file():
        yield f"there is no {archives / f'alfil-{version}.tar.gz'}"
    for target in building.TARGETS.values():
        path = archives / f"alfil-{version}-py3-none-{target.wheel_tag}.whl"
        if not path.is_file():
            yield f"there is no {path}"
            continue
        names = zipfile.ZipFile(path).namelist()
        for name in (f"alfil/engine/{building.FILE}", f"{BROWSER}/alfil.zip.packed"):
            if name not in names:
                yield f"{path.name} has no {name}"


def _found(pattern: str, path: Path) -> tuple[str, str]:
    """The one or two parts of the first line of a file that matches; empty if missing."""
    match = re.search(f"^{pattern}$", path.read_text(encoding="utf-8"), re.MULTILINE)
    first, *second = match.groups() if match else ("",)
    return first, second[0] if second else ""


def main(arguments: list[str]) -> int:
    """Do what is asked for; the exit code."""
    match arguments:
        case []:
            building.build(ENGINE / building.FILE)
        case ["--targets"]:
            sys.stdout.write(" ".join(building.TARGETS) + "\n")
        case ["--browser", folder]:
            make_browser_python(folder)
        case ["--facts", path]:
            make_fact_table(path)
        case ["--catalogue"]:
            make_catalogue_index()
        case ["--release-check", archives]:
            faults = [*release_faults(PROJECT, Path(archives))]
            sys.stderr.write("".join(f"{fault}\n" for fault in faults))
            return 1 if faults else 0
        case _:
            sys.stderr.write(f"hatch_build.py does not know {' '.join(arguments)}\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

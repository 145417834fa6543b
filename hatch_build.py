"""Builds the engine, and the package's page, when alfil is built or installed from its sources.

The machine's C compiler makes it; where there is none, the build asks for ziglang, which has one.
ALFIL_TARGET names another platform to build a wheel for, as in `make wheels`: a key of `TARGETS` in
src/alfil/engine/building.py. `python hatch_build.py` builds it for this machine, where the sources
are, and with --targets names the other platforms.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ENGINE = Path(__file__).parent / "src/alfil/engine"


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
        platform = target.tag if target else sysconfig.get_platform()
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


if __name__ == "__main__":
    if sys.argv[1:] == ["--targets"]:
        sys.stdout.write(" ".join(building.TARGETS) + "\n")
    else:
        building.build(ENGINE / building.FILE)

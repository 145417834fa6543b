"""The built package, installed into an empty environment away from the checkout.

Takes seconds and an index to install from, so `make check` leaves it out; `make test` and the
gate run it.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]

pytestmark = pytest.mark.wheel

READ_BOTH = """
import alfil

assert alfil.__file__.startswith({home!r}), alfil.__file__
griffon = alfil.read("FyafsF")
assert alfil.same(griffon, alfil.read("1×4dD &t n4dO", notation="hasinu"))
assert alfil.destinations(alfil.read("fN"), radius=2) == {{(-1, 2), (1, 2)}}
assert alfil.load("hand_shogi")["SO"].name == "soldier"
assert alfil.same(alfil.find("griffon").piece, griffon)
"""


def run(*command: str | Path, cwd: Path, **extra: str) -> str:
    """Run a command without anything of this environment in its way; return what it printed."""
    ours = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=kept | {"PYTHONUTF8": "1"} | extra,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source archive and the wheel made from that archive."""
    folder = tmp_path_factory.mktemp("dist")
    run(
        *(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, PROJECT),
        cwd=folder,
    )
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment with the wheel and what it asks for, nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)  # to install pip takes longer than all the rest
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    pip(commands, "install", "--quiet", "--no-compile", wheel, cwd=folder)
    return commands


def pip(commands: Path, *arguments: str | Path, cwd: Path) -> str:
    """What pip, as it is here, does in that environment."""
    return run(sys.executable, "-m", "pip", "--python", commands / "python", *arguments, cwd=cwd)


def test_the_wheel_holds_the_package_and_its_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    grammars = {f"alfil/grammars/{path.name}" for path in (PROJECT / "grammars").iterdir()}
    assert {"alfil/grammars/betza.lark", "alfil/grammars/hasinu.lark"} <= grammars <= names
    pieces = {f"alfil/pieces/{path.name}" for path in (PROJECT / "pieces").glob("*.pieces")}
    assert {"alfil/pieces/hand_shogi.pieces", "alfil/pieces/fairy.pieces"} <= pieces <= names
    assert {"alfil/__init__.pyi", "alfil/py.typed", "alfil/data/errors/betza.md"} <= names
    glyphs = {"bold", "kanji", "mono", "sans", "signs", "OFL"}
    assert {name for name in names if name.startswith("alfil/glyphs/")} == {
        f"alfil/glyphs/{name}.txt" for name in glyphs
    }
    pages = {"moves.js", "position.js", "page.js", "page.css", "gallery.js", "gallery.css"}
    assert {f"alfil/diagrams/{name}" for name in pages} <= names
    site = {"bundle.mjs", "licences/MPL-2.0.txt", "pages/playground.html", "pages/games.js"}
    assert {f"alfil/site/{name}" for name in site} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"alfil"}
    assert not {name for name in names if "test" in name or name.endswith(".pyc")}


def test_the_page_of_the_package_links_to_the_site(wheel: Path) -> None:
    """Every link of the README is an address, and what is below Documentation is a page there."""
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
    head, _, page = archive.read(name).decode().partition("\n\n")
    urls = dict(re.findall(r"^Project-URL: (\w+), (\S+)$", head, re.MULTILINE))
    links = re.findall(r"\]\(([^)#]+)", page)
    documents = [link.removeprefix(urls["Documentation"]) for link in links]
    others = [link for link, document in zip(links, documents, strict=True) if link == document]
    assert all(link.startswith(urls["Source"]) for link in others)
    assert len(documents) > len(others) > 0
    above = {"changelog/": "CHANGELOG.md", "contributing/": "CONTRIBUTING.md"}
    for document in {*documents} - {*others}:
        path = document.removesuffix("/") + ".md" if document.endswith("/") else document
        paths = (f"docs/{path}", f"docs/{document}index.md", above.get(document, "none"))
        assert any((PROJECT / each).is_file() for each in paths), document


def test_the_source_archive_can_run_the_tests(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "grammars/betza.lark",
        "tests/cases/betza.tsv",
        "Makefile",
        "docs/errors/betza.md",
    } <= names
    assert "pieces/hand_shogi.pieces" in names


def test_the_archives_can_be_published(built: Path) -> None:
    pytest.importorskip("twine", reason="there is no twine; pip install 'alfil[release]'")
    archives = sorted(built.iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *archives, cwd=built)


def test_both_notations_are_read_away_from_the_checkout(environment: Path, tmp_path: Path) -> None:
    code = READ_BOTH.format(home=str(environment.parent))
    run(environment / "python", "-c", code, cwd=tmp_path)


def test_the_wheel_is_read_as_a_zip_archive(environment: Path, wheel: Path, tmp_path: Path) -> None:
    code = READ_BOTH.format(home=str(wheel))
    run(environment / "python", "-c", code, cwd=tmp_path, PYTHONPATH=str(wheel))


def test_the_command_works_away_from_the_checkout(environment: Path, tmp_path: Path) -> None:
    assert "N" in run(environment / "alfil", "show", "N", cwd=tmp_path)
    run(environment / "alfil", "show", "--from", "hasinu", "1×4dD &t n4dO", cwd=tmp_path)
    run(environment / "alfil", "check", "hand_shogi", cwd=tmp_path)
    assert run(environment / "alfil", "explain", "unknown-atom", cwd=tmp_path)


def test_the_wheel_plays_at_full_speed_without_a_compiler(
    environment: Path, tmp_path: Path
) -> None:
    code = "import alfil; print(alfil.load('chess').game().perft(4))"
    assert run(environment / "python", "-c", code, cwd=tmp_path, PATH="", CC="") == "197281\n"


def test_one_wheel_serves_every_python_on_a_platform(wheel: Path) -> None:
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-py3-none-{platform}.whl")


def test_only_what_the_package_names_is_installed(environment: Path, tmp_path: Path) -> None:
    listed = pip(environment, "list", "--format=freeze", cwd=tmp_path)
    names = {line.split("==")[0].lower() for line in listed.split()}
    of_rich = {"rich", "markdown-it-py", "mdurl", "pygments"}
    assert names == {"alfil", "lark", "click", "platformdirs", *of_rich}


# The last test: the others need what is installed.
def test_nothing_is_left_when_it_is_uninstalled(environment: Path, tmp_path: Path) -> None:
    run(environment / "alfil", "show", "fN", cwd=tmp_path, ALFIL_CACHE=str(tmp_path / "cache"))
    assert [*tmp_path.rglob("*.tables")]
    pip(environment, "uninstall", "--quiet", "--yes", "alfil", cwd=tmp_path)
    assert not [*environment.parent.rglob("alfil*")]

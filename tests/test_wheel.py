"""The built package, installed into an empty environment away from the checkout.

Five jobs of users are done with it as its documentation says: no compiler, Node.js or checkout.
Takes seconds and an index to install from, so `make check` leaves it out; `make test` and the
gate run it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

import alfil
from strategies import NIGHTLY

PROJECT = Path(__file__).parents[1]

# What users write for the five jobs.
JOBS = PROJECT / "tests" / "cases" / "jobs"
# A program that finds no other one.
ALONE = {"PATH": "", "CC": ""}

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


def run(*command: str | Path, cwd: Path, typed: str = "", **extra: str) -> str:
    """Run a command without anything of this environment in its way; return what it printed."""
    ours = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=kept | {"PYTHONUTF8": "1"} | extra,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The folder with the source archive and the wheel made from that archive.

    The wheel has Python for browsers where that can be made, as the one of `make wheels` has.
    """
    folder, browser = tmp_path_factory.mktemp("dist"), ""
    with suppress(pytest.skip.Exception):
        browser = str(request.getfixturevalue("browser_python"))
    run(
        *(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, PROJECT),
        cwd=folder,
        ALFIL_BROWSER=browser,
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
    documents = {"games.md", "tables.md", "tables.schema.json", "read_tables.js", "howto/xboard.md"}
    assert {f"alfil/data/{name}" for name in documents} <= names
    assert not {name for name in names if name.startswith("alfil/data/pictures")}
    site = {"bundle.mjs", "licences/MPL-2.0.txt", "pages/playground.html", "pages/games.js"}
    assert {f"alfil/site/{name}" for name in site} <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"alfil"}
    assert not {name for name in names if "tests/" in name or name.endswith(".pyc")}


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
    assert run(environment / "python", "-c", code, cwd=tmp_path, **ALONE) == "197281\n"


def test_one_wheel_serves_every_python_on_a_platform(wheel: Path) -> None:
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-py3-none-{platform}.whl")


def test_only_what_the_package_names_is_installed(environment: Path, tmp_path: Path) -> None:
    listed = pip(environment, "list", "--format=freeze", cwd=tmp_path)
    names = {line.split("==")[0].lower() for line in listed.split()}
    of_rich = {"rich", "markdown-it-py", "mdurl", "pygments"}
    of_prompt = {"prompt_toolkit", "wcwidth"}
    assert names == {"alfil", "lark", "click", "platformdirs", *of_rich, *of_prompt}


def test_a_designed_game_is_played_by_fairy_stockfish(environment: Path, tmp_path: Path) -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    shutil.copy(JOBS / "falcon.pieces", tmp_path)
    run(environment / "alfil", "check", "falcon.pieces", cwd=tmp_path, **ALONE)
    export = ("export", "falcon.pieces", "--to", "fairy-stockfish", "-o", "variants.ini")
    run(environment / "alfil", *export, cwd=tmp_path, **ALONE)
    text = (tmp_path / "variants.ini").read_text(encoding="utf-8")
    pyffish.load_variant_config(text)
    name, start = text[1:].partition("]")[0], pyffish.start_fen(text[1:].partition("]")[0])
    played = run(
        environment / "python", JOBS / "play_it.py", "falcon.pieces", cwd=tmp_path, **ALONE
    )
    positions, moves = json.loads(played)
    assert len(moves) > 60
    for number, listed in enumerate(positions):
        assert listed == sorted(pyffish.legal_moves(name, start, moves[:number])), number


def test_a_diagram_for_a_wiki_in_three_formats(environment: Path, tmp_path: Path) -> None:
    formats = ("--format", "svg,html,wikitable", "--theme", "wikipedia", "-o", "griffon")
    run(environment / "alfil", "diagram", "griffon", *formats, cwd=tmp_path, **ALONE)
    ends = ("svg", "html", "table")
    svg, page, wiki = ((tmp_path / f"griffon.{end}").read_text("utf-8") for end in ends)
    assert ElementTree.fromstring(svg).tag.endswith("}svg")
    assert page.startswith("<!DOCTYPE html>")
    assert wiki.startswith("{|")
    assert "\n|}\n" in wiki


def test_a_program_in_c_reads_the_tables(environment: Path, tmp_path: Path) -> None:
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None:
        pytest.skip("there is no C compiler")
    reader = run(environment / "alfil", "docs", "read_rays.c", cwd=tmp_path, **ALONE)
    (tmp_path / "read_rays.c").write_text(reader, encoding="utf-8")
    run(compiler, "-std=c17", "-o", "read_rays", "read_rays.c", cwd=tmp_path)
    tables = ("--plain", "--board", "8x8", "-o", "rays.json")
    run(environment / "alfil", "compile", "FyafsF", *tables, cwd=tmp_path, **ALONE)
    board = [*"." * 64]
    board[8 * 4 + 4] = board[8 * 6 + 2] = "x"
    position = f"X 0 {8 * 3 + 3} 1000 1 {''.join(board)}\n"
    found = run(tmp_path / "read_rays", "rays.json", cwd=tmp_path, typed=position).split()
    moves = alfil.moves("FyafsF", files=8, ranks=8, at="d4", enemies=["e5", "c7"])
    assert {int(each.partition("x")[0]) for each in found} == {
        8 * (3 + y) + 3 + x for x, y in (move.to for move in moves)
    }


def test_a_session_is_typed_and_its_games_are_read_by_python_chess(
    environment: Path, tmp_path: Path
) -> None:
    chess = pytest.importorskip("chess")
    strict = (sys.executable, "-m", "mypy", "--strict", "--python-executable")
    run(*strict, environment / "python", JOBS / "session.py", cwd=tmp_path)
    games, longest = (300, 1000) if NIGHTLY else (300, 60)
    session = (environment / "python", JOBS / "session.py", str(games), str(longest))
    fens = run(*session, cwd=tmp_path, **ALONE).splitlines()
    assert len(fens) > games * 50
    for fen in fens:
        board = chess.Board(fen)
        assert board.is_valid()
        assert board.fen() == fen


def test_a_match_is_killed_resumed_and_converted(environment: Path, tmp_path: Path) -> None:
    game, chance = alfil.load("hand_shogi").game(), Random(3)
    moves = [str(game.push(game.random_move(chance))) for _ in range(6)]
    command = [environment / "alfil", "play", "--no-board", "--single"]
    with subprocess.Popen(
        [*command, "hand_shogi", "--save", "match.alfil"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"},
        cwd=tmp_path,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("".join(f"{move}\n" for move in moves[:4]).encode())
        process.stdin.flush()
        shown = b""
        while b"\n3. " not in shown:  # the prompt after the fourth move
            shown += process.stdout.read(1)
        process.kill()
    rest = "".join(f"{move}\n" for move in moves[4:])
    run(*command, "--resume", "match.alfil", cwd=tmp_path, typed=rest, **ALONE)
    written = run(
        environment / "alfil", "record", "match.alfil", "--to", "pgn", cwd=tmp_path, **ALONE
    )
    (session,) = alfil.records.read_games(written)
    assert [str(move) for move in session.game.moves] == moves


def test_a_game_is_published_with_what_it_needs(
    environment: Path, tmp_path: Path, browser_python: Path
) -> None:
    assert browser_python.is_dir()
    run(environment / "alfil", "publish", "minishogi", "-o", "page", cwd=tmp_path, **ALONE)
    files = [each for each in (tmp_path / "page").rglob("*") if each.is_file()]
    assert {"index.html", "games.js", "alfil.zip.packed"} <= {each.name for each in files}
    assert sum(each.stat().st_size for each in files) < 8_500_000


def test_the_documentation_is_at_hand(environment: Path, tmp_path: Path) -> None:
    topics = run(environment / "alfil", "docs", cwd=tmp_path, **ALONE)
    names = [line.split()[0] for line in topics.splitlines()]
    assert {"games", "tables", "tables.schema.json", "read_tables.js", "errors/betza"} <= {*names}
    for name in ("games", "tables.schema.json", "howto/xboard"):
        text = run(environment / "alfil", "docs", name, cwd=tmp_path, **ALONE)
        path = PROJECT / "docs" / (name if "." in name else f"{name}.md")
        assert text == path.read_text(encoding="utf-8")


# The last test: the others need what is installed.
def test_nothing_is_left_when_it_is_uninstalled(environment: Path, tmp_path: Path) -> None:
    run(environment / "alfil", "show", "fN", cwd=tmp_path, ALFIL_CACHE=str(tmp_path / "cache"))
    assert [*tmp_path.rglob("*.tables")]
    pip(environment, "uninstall", "--quiet", "--yes", "alfil", cwd=tmp_path)
    assert not [*environment.parent.rglob("alfil*")]

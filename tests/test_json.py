"""What commands print with --json fits docs/commands.schema.json."""

import json
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from alfil.cli.app import alfil  # the command itself
from inside import COMMANDS, run

DOCS = Path(__file__).parents[1] / "docs"
SCHEMAS = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in DOCS.glob("*.json")}
SCHEMA = SCHEMAS["commands.schema.json"]
REGISTRY = Registry().with_resources(
    (name, Resource.from_contents(each)) for name, each in SCHEMAS.items()
)
# A protocol and a conversation; what a shell reads.
WITHOUT = {"play", "engine", "completion", "lsp"}
GAME = """game "Small"
board 4x4
rule first = white

piece K "king" betza=K royal
piece P "pawn" betza=fmWfcF promotes=K

setup mirrored
| . K P . |
"""
INI = "[small:chess]\nmaxRank = 6\nmaxFile = 6\nstartFen = kqrrqk/6/6/6/6/KQRRQK w - - 0 1\n"
FILES = {
    "list.txt": "N\n\nWW2\nKN\n",
    "board.txt": "◆ ■ @ ·\n",
    "small.pieces": GAME,
    "lossy.pieces": GAME.replace("betza=fmWfcF", "betza=jB"),
    "small.ini": INI,
    "wrong.ini": INI + "noSuchSetting = 1\n",
    "game.pgn": "1. e4 e5 2. Nf3 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
    "wrong.pgn": "1. e4 Ke4 *\n",
}
CALLS = [
    "show N",
    "show list.txt",
    "show chess:K",
    "show xiangqi:E",
    "show royal() --from hasinu",
    "show U",
    "translate list.txt --to hasinu",
    "translate ifmnD --to classic --on-loss lossy",
    "translate [F?R] --to classic --on-loss lossy",
    "simplify list.txt",
    "simplify FW --to hasinu",
    "infer board.txt",
    "solve chess k7/8/1K6/8/8/8/8/R6Q --goal #2 --tries",
    "solve chess k7/8/1K6/8/8/8/8/8 --goal #1",
    "facts chess:N",
    "facts list.txt",
    "values dobutsu --games 20",
    "values dobutsu --games 20 --squares dobutsu.squares.tsv",
    "diff N nN",
    "diff N list.txt",
    "diff O royal()&O --from hasinu",
    "check list.txt",
    "check hFN --for xboard",
    "check [F?R] --for xboard",
    "check N --any-dialect",
    "check small.pieces hand_shogi",
    "check hand_shogi --constraints",
    "check wrong.ini",
    "fmt small.pieces --check",
    "moves KisO2 --board 8x8 --at e1 --unmoved-own a1,h1",
    "moves list.txt",
    "diagram mRcpR",
    "diagram chess",
    "diagram xiangqi:E",
    "diagram amazons --setup",
    "diagram minishogi --setup",
    "diagram list.txt -o drawn.svg",
    "diagram K -o drawn.svg",
    "stages D",
    "compile N",
    "compile N --plain",
    "compile small.pieces -o tables.json",
    "pieces",
    "pieces no-such-piece-at-all",
    "pieces silver --set shogi",
    "pieces --like fR --set shogi",
    "pieces --export json --set catalogue/armies",
    "check --provenance othello chess",
    "pieces --like list.txt --set chess",
    "gallery small.pieces -o gallery",
    "rules small.pieces",
    "rules small.pieces -o rules.md",
    "export small.pieces --to fairy-stockfish",
    "export small.pieces --to fairy-max -o fmax.ini",
    "export lossy.pieces --to fairy-stockfish --lossy",
    "export lossy.pieces --to fairy-stockfish",
    "import small.ini small",
    "import small.ini -o variants",
    "publish fairy -o page",
    "record game.pgn",
    "record game.pgn --at 2",
    "record game.pgn --to hodges",
    "record game.pgn --to pgn -o other.pgn",
    "record game.pgn --html -o page.html",
    "record wrong.pgn",
    "selfplay small.pieces --games 2 --longest 9 -o games",
    "position minishogi",
    "position hand_shogi --svg",
    "position small.pieces --why a2a4",
    "position small.pieces -o board.svg",
    "position chess list.txt",
    "perft small.pieces -d 2 --divide",
    "perft small.pieces -d 0",
    "tablebase chess KQK",
    "tablebase chess KQK --position 8/8/8/8/8/2k5/8/KQ6",
    "tablebase chess KQK --position 8/8/8/8/8/2k5/8/KR6",
    "docs",
    "docs tables.schema.json",
    "explain",
    "explain unknown-atom",
    "explain list.txt",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def validator(name: str) -> Draft202012Validator:
    """Validates by a definition of the commands' schema."""
    schema = {"$ref": f"commands.schema.json#/$defs/{name}"}
    return Draft202012Validator(schema, registry=REGISTRY)


def test_the_schemas_are_schemas() -> None:
    assert len(SCHEMAS) > 1
    for each in SCHEMAS.values():
        Draft202012Validator.check_schema(each)


def test_every_command_has_json_and_a_definition() -> None:
    for name in COMMANDS:
        command = alfil.get_command(click.Context(alfil), name)
        assert command
        has_json = any("--json" in each.opts for each in command.params)
        assert has_json or name in WITHOUT, name
        assert (name in SCHEMA["$defs"]) == (name not in WITHOUT), name
    assert {call.split()[0] for call in CALLS} == set(COMMANDS) - WITHOUT


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("call", CALLS)
def test_what_a_command_prints_is_as_its_schema_says(
    call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *arguments = call.split()
    run([name, *arguments, "--json"])
    out, err = capsys.readouterr()
    assert out or err
    decoder, at = json.JSONDecoder(), 0
    while at < len(out):
        data, end = decoder.raw_decode(out, at)
        assert out[end] == "\n"
        validator(name).validate(data)
        at = end + 1
    for line in err.splitlines():
        validator("diagnostic").validate(json.loads(line))

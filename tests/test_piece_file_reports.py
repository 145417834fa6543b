"""Broken piece files and what `alfil check` says of each, reviewed by eye.

To accept new reports: ALFIL_ACCEPT=1 python -m pytest tests/test_piece_file_reports.py
"""

import json
import os
from pathlib import Path

import pytest

import alfil
from inside import bundled_set_names, run

FOLDER = Path(__file__).parent / "golden" / "pieces"
FILES = sorted(FOLDER.glob("*.pieces"))
# These can be read, and so laid out; what is wrong is what the pieces do.
LAID_OUT = (
    "changes_nothing",
    "copied_text",
    "include_warned",
    "no_letter",
    "no_meaning",
    "no_outline",
    "not_a_namesake",
    "notations_differ",
    "unplayable",
)


def test_there_are_at_least_forty() -> None:
    assert len({path.read_bytes() for path in FILES}) >= 40


BROKEN = [path for path in FILES if path.stem not in LAID_OUT]


@pytest.mark.parametrize("path", BROKEN, ids=[path.stem for path in BROKEN])
def test_what_cannot_be_read_is_not_laid_out(path: Path, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for each in [path, FOLDER / "below" / "broken.pieces"]:
        (tmp_path / each.relative_to(FOLDER)).write_bytes(each.read_bytes())
    assert run(["fmt", str(tmp_path / path.name)]) == 1
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["below", path.name])


@pytest.mark.parametrize("name", bundled_set_names())
def test_bundled_sets_are_without_fault(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", name]) == 0
    reports = [line for line in capsys.readouterr().out.splitlines() if line.startswith(name)]
    assert all(": note: " in line for line in reports)


def test_reports_as_data(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    assert run(["check", "--json", "letter_unknown_in_betza.pieces"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line) == {
        "severity": "error",
        "kind": "unknown-atom",
        "message": "no atom is called S",
        "file": "letter_unknown_in_betza.pieces",
        "line": 2,
        "column": 24,
        "end_column": 25,
        "hint": "no program knows S; write the leaps it stands for",
    }


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_report(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER)
    code = run(["check", path.name])
    out, err = capsys.readouterr()
    golden = path.with_suffix(".txt")
    if os.environ.get("ALFIL_ACCEPT"):
        golden.write_text(out + err, encoding="utf-8")
    assert (code, out + err) == (1, golden.read_text(encoding="utf-8"))


BOARD = 'game "x"\nboard 3x3\n'
SETUP = "setup\n| . K . |"
UNDROPPED = 'piece K "k" betza=R royal\nrule drops = no\nhand H\n'
CHASED = 'piece K "k" betza=K points=2 chases=no chased-in=1-2'
TO_GOAL = "rule win = goal\nrule goal = K 3-3\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('game "x"\nboard 3x3\npiece W "w" betza=W\nsetup\n| . W . |', ["no-royal"]),
        ('game "x"\nboard 3x3\nrule stalemate = loss\npiece W "w" betza=W\nsetup\n| . W . |', []),
        ('board 3x3\npiece W "w" betza=W promotes=F\npiece F "f" betza=F', ["changes-nothing"]),
        ('board 3x3\npiece W "w" betza=W promotes=F promotes-in=3\npiece F "f" betza=F', []),
        ('board 3x3\npiece X "x" betza=(5,5)', ["never-moves"]),
        ('board 3x3\npiece X "x" betza=""', []),
        (f'{BOARD}piece K "k" betza=mK royal\npiece W "w" betza=mW\n{SETUP}', ["no-attack"]),
        (f'{BOARD}piece K "k" betza=mK royal\npiece W "w" betza=W\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=K royal immune-to=K\n{SETUP}', ["no-attack"]),
        (f'{BOARD}piece K "k" betza=K royal immune-to=W\npiece W "w" betza=W\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=mK royal\nrule stalemate = loss\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=K royal\npiece W "w" betza=mW\n{SETUP}', ["no-attack"]),
        (f'{BOARD}piece K "k" betza=K royal\npiece W "w" betza=W\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=K royal\nrule self-check = allowed\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=R royal\n{SETUP}', []),
        (
            f'{BOARD}piece K "k" hasinu="m(1×8d) & atmove(2,(1,2))" royal\n{SETUP}',
            ["own-reading"],
        ),
        (f'{BOARD}piece K "k" hasinu="m(1×4dO) & burn(1×8d)" royal\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=W royal\nmoves K in=1 betza=N\n{SETUP}', []),
        (f'{BOARD}{TO_GOAL}piece K "k" betza=bW\n{SETUP}', ["no-goal"]),
        (
            f"{BOARD}rule win = goal\nrule goal = K g\nregion g squares=c3\n"
            f'piece K "k" betza=oD\n{SETUP}',
            [],
        ),
        (f'{BOARD}{TO_GOAL}piece K "k" betza=D\n{SETUP}', []),
        (f'{BOARD}{TO_GOAL}piece K "k" betza=A\n{SETUP}', ["no-goal"]),
        (f'{BOARD}{TO_GOAL}piece K "k" betza=W\n{SETUP}', []),
        (f'{BOARD}{TO_GOAL}rule drops = yes\npiece K "k" betza=bW\n{SETUP}', []),
        (f'{BOARD}{TO_GOAL}piece K "k" betza=bW\nmoves K at=1 betza=fW\n{SETUP}', []),
        (
            f'{BOARD}{TO_GOAL}piece P "p" betza=W promotes=K promotes-in=2\npiece K "k" betza=W\n'
            "setup\n| . P . |",
            [],
        ),
        (f'{BOARD}piece K "k" betza=mK royal\nrule facing = barred\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=K royal within=2-3\n{SETUP}', ["setup-outside"]),
        (
            f'{BOARD}piece K "k" betza=K royal outside=h\nregion h ranks=1\n{SETUP}',
            ["setup-outside"],
        ),
        (f'{BOARD}piece K "k" betza=K royal within=1-2 outside=2-3\n{SETUP}', []),
        (f'{BOARD}piece K "k" betza=R royal gates\n{SETUP}', ["changes-nothing"]),
        (f'{BOARD}piece K "k" betza=R royal gates\nrule drops = yes\n{SETUP}', []),
        (f'{BOARD}{UNDROPPED}piece H "h" betza=R drop-ranks=1-2\n{SETUP}', ["changes-nothing"] * 2),
        (f'{BOARD}{UNDROPPED}piece H "h" betza=R drop-ranks=1-2 gates\n{SETUP}', []),
        (f'{BOARD}{UNDROPPED}piece H "h" betza=R per-file=1 gates\n{SETUP}', ["changes-nothing"]),
        (f'{BOARD}{UNDROPPED}rule stalemate = more\npiece H "h" betza=R\n{SETUP}', []),
        (f'{BOARD}{UNDROPPED}rule win = bare\npiece H "h" betza=R\n{SETUP}', []),
        ('piece K "k" betza=K chases=no chased-in=1-2', ["changes-nothing"] * 2),
        ("rule perpetual-chase = loss\nrule perpetual-check = draw", ["changes-nothing"] * 2),
        ("rule perpetual-attack = loss\nrule perpetual-span = last", ["changes-nothing"] * 2),
        ("rule perpetual-attack = loss\nrule repetition = 3 draw", []),
        ("rule perpetual-chase = loss\nrule repetition = 3 draw", []),
        ("rule perpetual-chase = loss\nrule repetition = 3 draw\n" + CHASED, []),
        (f'{BOARD}piece K "k" betza=R royal gates\nrule captured = to-hand\n{SETUP}', []),
    ],
)
def test_what_cannot_be_played(text: str, found: list[str]) -> None:
    assert [each.kind for each in alfil.loads(text).diagnostics] == found


@pytest.mark.parametrize("rows", ["| x y z |", "| x y . |", "| . x x |", "| W W W |\n" * 3])
def test_a_wrong_row_is_one_error(rows: str) -> None:
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(f'board 3x3\npiece W "w" betza=W\nsetup\n{rows}')
    assert len(caught.value.diagnostics) == 1


@pytest.mark.parametrize("fact", ["royal()", "burn(1×8d)", "fe()", "promote(//rank 3,//king)"])
def test_facts_stand_on_the_line_of_the_piece(fact: str) -> None:
    text = f'{BOARD}piece K "k" betza=R\nmoves K at=1 hasinu="{fact} & 1×8d"'
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(text)
    assert [each.kind for each in caught.value.diagnostics] == ["unknown-key"]


def test_drops_come_first_only_where_there_are_drops() -> None:
    text = f'{BOARD}piece K "k" betza=R royal\nrule drops-first = yes\n{SETUP}\nhand K'
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(text)
    assert [each.kind for each in caught.value.diagnostics] == ["no-drops"]


def test_a_royal_with_a_wrong_field_is_royal_all_the_same() -> None:
    text = f'{BOARD}piece K "k" betza=K royal castles-with=Z castles-to=z,q\n{SETUP}'
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(text)
    assert {each.kind for each in caught.value.diagnostics}.isdisjoint({"no-royal", "no-attack"})


@pytest.mark.parametrize("moves", ["KisO2", "K"])
def test_a_king_castles_by_its_movement_or_to_files(moves: str) -> None:
    """The same castling would be two moves."""
    text = (
        f'board 8x8\npiece R "r" betza=R\npiece K "k" betza={moves} royal castles-with=R '
        "castles-to=c,g\nmoves K at=1 betza=iO2\nsetup mirrored\n| R . . . K . . R |"
    )
    with pytest.raises(
        alfil.PieceFileError, match="castles by its movement and to files"
    ) as caught:
        alfil.loads(text)
    assert [each.kind for each in caught.value.diagnostics] == ["given-twice"]
    with pytest.raises(alfil.AlfilError, match="K castles to files of its own already"):
        alfil.load("chess960", pieces={"K": "KisO2"})


def test_one_mistake_has_one_error() -> None:
    """A board whose size is wrong is a board; a rule without its sign is shown with it."""
    text = 'board 8by8\nrule first white\npiece K "king" betza=K royal\nsetup\n| K . |\n'
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.loads(text)
    errors = [each for each in caught.value.diagnostics if each.severity == "error"]
    assert [(each.message, each.hint) for each in errors] == [
        ("invalid board size '8by8'", "write files x ranks, for example 9x9"),
        ("first means nothing here", "write it like this: rule first = white"),
    ]


def test_the_kind_of_an_error_is_not_that_of_a_warning_before_it() -> None:
    text = 'board 3x3\npiece K "king" betza=K royal\npiece W "w" betza=(5,5)\nhand K\n'
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.loads(f"{text}setup\n| . K . |\n| . . . |\n| . k . |")
    error = caught.value
    assert error.diagnostics[0].severity == "warning"
    assert (error.kind, error.hint) == (error.first_error.kind, error.first_error.hint)
    assert error.kind == "royal-in-hand"


@pytest.mark.parametrize("side", ["first ", ""])
def test_a_side_holds_no_piece_that_only_the_other_may_have(side: str) -> None:
    text = f"""
board 4x4
rule  drops = yes
piece K "king" betza=K royal
piece S "step" betza=W side=second
setup
| . . . K |
hand {side}S
"""
    with pytest.raises(alfil.PieceFileError, match="S") as caught:
        alfil.loads(text)
    assert caught.value.kind == "wrong-side"

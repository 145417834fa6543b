"""The cases for other programs in conformance/: made from ours, answered by alfil, counted."""

from __future__ import annotations

import csv
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import gather
import pytest
import runner
import scoreboard

import alfil
from gathering import every_row
from inside import predict_reading
from oracle.betza_examples import board
from oracle.betza_walker import moves as ways_in_betza
from oracle.hasinu_walker import moves as ways_in_hasinu
from test_oracle_hasinu import scene

PROJECT = Path(__file__).parents[1]
ADAPTERS = PROJECT / "conformance" / "adapters"
CASES = runner.read_lines(runner.CASES)
KEYS = {"id", "chapter", "notation", "dialect", "text", "expect", "source", "licence"}
AROUND = {"enemies", "friends", "enemy_royals", "unmoved_friends", "moves_made"}
SEED = 20_261_123


def answers_of(adapter: str, cases: list[runner.Case]) -> list[runner.Answer]:
    return list(runner.asked([sys.executable, str(ADAPTERS / adapter)], cases))


def test_the_cases_and_the_measured_answers_are_those_of_the_tests() -> None:
    for path, text in gather.written().items():
        assert path.read_text(encoding="utf-8") == text, "run make scoreboard"


def test_every_case_follows_the_schema() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
    readme = (PROJECT / "conformance/README.md").read_text(encoding="utf-8")
    for case in CASES:
        assert set(case) - {"board", "window"} == KEYS
        assert set(case.get("board", {})) <= AROUND
        assert len(case["expect"]) == 1
        assert set(case["expect"]) <= {"ends", "moves", "refused"}
        assert case["source"]
        assert case["licence"] == "MIT"
    assert all(f"`{key}`" in readme for key in KEYS | AROUND | {"board", "window", "skipped"})


@every_row("case", [case for case in CASES if case["id"].startswith("c")])
def test_captures_are_those_of_a_walker_that_shares_nothing_with_alfil(case: runner.Case) -> None:
    around = case.get("board", {})
    signs = {"enemies": "e", "friends": "o", "enemy_royals": "k", "unmoved_friends": "r"}
    placed = [f"{x},{y}{sign}" for kind, sign in signs.items() for x, y in around.get(kind, ())]
    unmoved = around.get("moves_made") == 0
    if case["notation"] == "hasinu":
        tags = f"[board: {' '.join(placed)}]" + "[opts: v]" * unmoved
        found = {(each.to, each.captures) for each in ways_in_hasinu(case["text"], scene(tags))}
    else:
        scene_of = board(" ".join(placed), unmoved=unmoved)
        found = {(each.to, each.captures) for each in ways_in_betza(case["text"], scene_of)}
    told = [{"to": to, "captures": captures} for to, captures in found]
    assert runner.verdict(case, {"moves": told}) == "right"


@pytest.fixture(scope="module")
def ours() -> list[runner.Answer]:
    return answers_of("alfil_adapter.py", CASES)


def test_alfil_is_nowhere_wrong_in_silence(ours: list[runner.Answer]) -> None:
    score = runner.scored(CASES, ours)
    whole = sum(score.values(), Counter[runner.Verdict]())
    sys.stdout.write(f"right {whole['right']}, wrong {whole['wrong']}, refused {whole['refused']}")
    assert whole["wrong"] == whole["not asked"] == 0
    assert {chapter for chapter, counts in score.items() if counts["refused"]} == {"dialects"}
    page = (PROJECT / "docs/coverage.md").read_text(encoding="utf-8")
    told = " ".join(page.split())
    assert f"Of the {len(CASES)} cases in `conformance/`" in told
    assert (
        f"answers {whole['right']} right and none wrong in silence; {whole['refused']} it" in told
    )
    assert f"{len(questions())} open questions" in told


def test_the_page_is_what_is_made(
    ours: list[runner.Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoreboard, "asked", lambda *_: iter(ours))
    kept = scoreboard.PAGE.read_text(encoding="utf-8")
    assert "\n".join(scoreboard.page()) + "\n" == kept, "run make scoreboard"


def test_the_figures_on_exports_are_those_counted() -> None:
    record = json.loads(scoreboard.VARIANTS_RECORD.read_text(encoding="utf-8"))
    rows = [row for row in record["rows"] if row["file"] == "games of alfil"]
    exact = sum(row["written"]["came"] == "alike" for row in rows)
    told = " ".join((PROJECT / "docs" / "exchange.md").read_text(encoding="utf-8").split())
    assert (
        f"Of {len(rows)} games (those of tests/variants and the bundled ones) {exact} lose" in told
    )
    assert f"; {len(rows) - exact} are refused with every loss by name" in told


def test_kept_answers_of_fairy_stockfish_are_those_it_gives() -> None:
    pytest.importorskip("pyffish", reason="pyffish is not installed")
    some = random.Random(SEED).sample(CASES, 60)
    kept = {
        each["id"]: each for each in runner.read_lines(runner.ANSWERS / "fairy-stockfish.jsonl")
    }
    for answer in answers_of("pyffish_adapter.py", some):
        assert answer.keys() == kept[answer["id"]].keys()
        assert sorted(answer.get("ends", [])) == sorted(kept[answer["id"]].get("ends", []))


def test_kept_answers_of_the_visualizer_are_those_it_gives() -> None:
    pytest.importorskip("betza_visualizer", reason="betza-visualizer is not installed")
    kept = runner.read_lines(runner.ANSWERS / "betza-visualizer.jsonl")
    assert answers_of("visualizer_adapter.py", CASES) == kept


ECHO = """
import json, sys
for line in sys.stdin:
    case = json.loads(line)
    assert "expect" not in case
    print(json.dumps({"id": case["id"], **ANSWER}), flush=True)
"""


def test_any_program_can_take_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.py"
    program.write_text(ECHO.replace("ANSWER", '{"refused": "nothing is read yet"}'))
    record = tmp_path / "answers.jsonl"
    assert runner.main(["--record", str(record), sys.executable, str(program)]) == 0
    last = capsys.readouterr().out.splitlines()[-1].split()
    mistakes = sum("refused" in case["expect"] for case in CASES)
    assert last == ["all", str(mistakes), "0", str(len(CASES) - mistakes), "0"]
    assert runner.main(["--answers", str(record)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == last


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; sys.exit(3)", "ended with code 3"),
        ("print('hello')", "this has not: hello"),
        ('print(\'{"id": "b001"}\')', "one of ends, moves, refused, skipped"),
    ],
)
def test_a_program_that_does_not_answer_is_told_why(
    program: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        runner.main([sys.executable, "-c", program])
    assert words in capsys.readouterr().err
    with pytest.raises(SystemExit):
        runner.main(["no-such-program"])
    assert "cannot be run" in capsys.readouterr().err


def test_what_is_wrong_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = tmp_path / "answers.jsonl"
    moves = [{"to": [2, 2]}, {"to": [1, 1], "captures": [[0, 1], [1, 1]]}]
    told = [{"id": "c001", "moves": moves}, {"id": "b001", "ends": [[0, 1]]}]
    answers.write_text("".join(json.dumps(each) + "\n" for each in told))
    assert runner.main(["--wrong", "--answers", str(answers)]) == 0
    assert capsys.readouterr().out.splitlines()[:5] == [
        "b001 betza W",
        "  left out: -1,0 0,-1 1,0",
        "c001 betza cafmF {'enemies': [[1, 1]]}",
        "  left out: 2,2x1,1",
        "  too much: 1,1x0,1+1,1 2,2",
    ]


def compared(expect: dict[str, Any], answer: dict[str, Any], **more: Any) -> str:  # noqa: ANN401
    return runner.verdict({"expect": expect, **more}, answer)


def test_verdicts() -> None:
    moves = [{"to": [0, 2], "captures": [[0, 1]]}]
    assert compared({"moves": moves}, {"moves": moves}) == "right"
    assert compared({"moves": moves}, {"moves": [{"to": [0, 2]}]}) == "wrong"
    assert compared({"moves": moves}, {"ends": [[0, 2]]}) == "right"
    assert compared({"ends": [[0, 9], [0, 1]]}, {"ends": [[0, 1]]}) == "wrong"
    assert (
        compared({"ends": [[0, 9], [0, 1]]}, {"ends": [[0, 1]], "window": [-2, -2, 2, 2]})
        == "right"
    )
    assert (
        compared({"ends": [[0, 1]]}, {"ends": [[0, 9], [0, 1]]}, window=[-2, -2, 2, 2]) == "right"
    )
    assert compared({"refused": "why"}, {"ends": []}) == "wrong"
    assert compared({"ends": []}, {"skipped": "why"}) == "not asked"


def questions() -> list[dict[str, str]]:
    path = PROJECT / "conformance/questions.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def meant(answer: str) -> str:
    return "" if answer == "-" else answer


@every_row("row", questions())
def test_an_open_question(row: dict[str, str]) -> None:
    text = row["text"]
    assert row["question"].endswith((".", "?"))
    if row["alfil"] == "refused":
        with pytest.raises(alfil.NotationError):
            alfil.read(text)
    else:
        assert alfil.same(text, meant(row["alfil"]))
    for program in ("fairy-stockfish", "xboard"):
        found = predict_reading(text, program)
        if row[program] == "?":
            continue
        assert found.betza is not None
        assert alfil.same(alfil.read(found.betza, found.notation), meant(row[program])), program


def test_answers_are_of_cases() -> None:
    known = {case["id"] for case in CASES}
    for path in runner.ANSWERS.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(line)["id"] in known, path.name

"""Work that is shared: by processes and by a cluster of Dask, a worker killed on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

# Killing a worker at the right moment needs more than the command gives.
from alfil.cli.workers import WorkerOptions, map_bundles
from inside import run
from terminal import PATIENCE

Capture = pytest.CaptureFixture[str]
COUNTING = ("perft", "minishogi", "-d", "3")
COUNT, DEEPER = 2_512, 35_401


def answer(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def pid_of(_: None, number: int) -> tuple[int, int]:
    return os.getpid(), number


def product(factor: int, number: int) -> int:
    return factor * number


def doubled(doomed: int, number: int) -> int:
    """Twice the number; the process of that id does not live to tell."""
    if os.getpid() == doomed:
        os.kill(doomed, 9)
    return 2 * number


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def scheduler(loopback: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler with two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    folder = tmp_path_factory.mktemp("dask")
    told = folder / "scheduler.json"
    environment = {
        **os.environ,
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "1h",
        # So long a worker tries to fetch from one that is killed.
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "60s",
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1h",
        # The workers find the functions of this file as pytest does.
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    shared = [f"--scheduler-file={told}", f"--host={loopback}", "--no-dashboard"]
    worker = ["worker", "--no-nanny", "--nthreads=1", f"--local-directory={folder}"]
    with ExitStack() as stack:
        for command in (["scheduler", "--port=0"], worker, worker):
            module = f"distributed.cli.dask_{command[0]}"
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", module, *command[1:], *shared],
                    env=environment,
                    stderr=subprocess.DEVNULL,
                )
            )
            stack.callback(process.kill)
        with distributed.Client(
            scheduler_file=str(told), timeout=PATIENCE, set_as_default=False
        ) as client:
            client.wait_for_workers(2)
            address = client.scheduler.address
        yield address


def test_processes_answer_in_order() -> None:
    assert [*map_bundles(product, 3, range(50), WorkerOptions(2))] == [*range(0, 150, 3)]


def test_a_cluster_counts_and_plays_as_one_process_does(
    scheduler: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a worker is killed while it works, and everything is done all the same."""
    monkeypatch.setattr("alfil.cli.workers.CONNECTING", PATIENCE)
    share = ("--scheduler", scheduler)
    code, out, _ = answer(capsys, *COUNTING, *share)
    assert (code, out) == (0, f"{COUNT}\n")
    play = ("selfplay", "minishogi", "--games", "11", "--longest", "20", "-o")
    assert answer(capsys, *play, str(tmp_path / "here"))[0] == 0
    assert answer(capsys, *play, str(tmp_path / "there"), *share)[0] == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")

    workers = WorkerOptions(scheduler=scheduler)
    doomed = {pid for pid, _ in map_bundles(pid_of, None, range(8), workers)}.pop()
    found = [*map_bundles(doubled, doomed, range(40), workers)]
    assert found == [2 * number for number in range(40)]
    code, out, _ = answer(capsys, *COUNTING, *share)
    assert (code, out) == (0, f"{COUNT}\n")


def test_a_count_is_resumed_from_its_file(
    scheduler: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The counts that a run has left are taken as they are, the broken one and others counted."""
    monkeypatch.setattr("alfil.cli.workers.CONNECTING", PATIENCE)
    journal = tmp_path / "counts"
    share = ("--scheduler", scheduler, "--resume", str(journal))
    deeper = (*COUNTING[:-1], "4", *share)
    assert answer(capsys, *deeper)[:2] == (0, f"{DEEPER}\n")
    head, first, *rest = lines = journal.read_text().splitlines(keepends=True)
    assert len(rest) > 20
    number, counts = json.loads(first)
    changed = f"{[number, [counts[0] + 1000, *counts[1:]]]}\n"
    journal.write_text(head + changed + "".join(rest[:5]) + rest[5][:4])
    assert answer(capsys, *deeper)[:2] == (0, f"{DEEPER + 1000}\n")
    assert sorted(journal.read_text().splitlines(keepends=True)[2:]) == sorted(lines[2:])

    code, _, err = answer(capsys, *COUNTING, *share)
    assert code == 2
    assert "[record-exists]" in err
    code, _, err = answer(capsys, *COUNTING, "--resume", str(journal))
    assert code == 2
    assert "--resume is for a count that is shared by --scheduler" in err


def test_no_cluster(capsys: Capture) -> None:
    code, _, err = answer(capsys, "perft", "shogi", "-d", "2", "--scheduler", "smoke://nowhere")
    assert code == 2
    assert "smoke://nowhere" in err or "pip install 'alfil[dask]'" in err


def test_self_play_goes_on_where_it_was_killed(capsys: Capture, tmp_path: Path) -> None:
    """What a killed run leaves behind: a record without a result, and half a line."""
    play = ("selfplay", "minishogi", "--seed", "7", "--longest", "30")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    code, told, _ = answer(capsys, *play, "--games", "13", "-o", str(whole))
    assert code == 0
    assert told.startswith("13 games, ")
    answer(capsys, *play, "--games", "6", "-o", str(broken))
    (broken / "000007.alfil").write_text("alfil rec")
    results = broken / "results.tsv"
    results.write_bytes(results.read_bytes() + b"7\tb\tma")
    assert answer(capsys, *play, "--games", "13", "-o", str(broken), "-j", "2") == (0, told, "")
    assert contents(broken) == contents(whole)
    assert answer(capsys, *play, "--games", "13", "-o", str(broken)) == (0, told, "")

    code, _, err = answer(capsys, *play, "--games", "13", "--seed", "8", "-o", str(whole))
    assert code == 2
    assert "[record-exists]" in err
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    code, _, err = answer(capsys, *play, "--games", "1", "-o", str(tmp_path / "other"))
    assert code == 2
    assert "[cannot-write]" in err


def test_the_computer_plays_itself(capsys: Capture, tmp_path: Path) -> None:
    play = ("selfplay", "minishogi", "--opponent", "simple:1", "--games", "2", "--longest", "6")
    assert answer(capsys, *play, "-o", str(tmp_path / "one"))[0] == 0
    assert answer(capsys, *play, "-o", str(tmp_path / "two"), "-j", "2")[0] == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")

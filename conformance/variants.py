"""Count which games alfil and Fairy-Stockfish have alike, and for which a loss is named.

`python conformance/variants.py FILE...` reads each section of such files (`variants.ini`) strictly,
and plays random games of it in both programs; what was read is written again, and played too. So
are the bundled games and those of tests/variants. `--games` and `--plies` say how much, and
`--record` keeps the counts, from which `make scoreboard` makes a table.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
TESTS = HERE.parent / "tests"
RECORD = HERE / "variants.json"
sys.path.insert(0, str(TESTS))

import pyffish  # noqa: E402 - the tests know how it spells moves, and they are no package

import alfil  # noqa: E402
from test_exchange import played_alike  # noqa: E402
from test_games_fairy import played_out  # noqa: E402


class Task(NamedTuple):
    """A game to be compared: a section of a file, or a file of alfil where there is no section."""

    source: str
    section: str
    games: int
    plies: int


class Answer(NamedTuple):
    """What came of one: "alike", "named", "refused" or "differs", and the causes of losses."""

    name: str
    read: str
    written: str
    causes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    where: str = ""


def answer(task: Task) -> Answer:
    """Compare one game both ways."""
    if not task.section:
        library = alfil.load(task.source)
        written, lost, where = writing(library, task)
        return Answer(library.variant.name, "", written, (), lost, where)
    text = Path(task.source).read_text(encoding="utf-8")
    try:
        found = alfil.import_ini(text, task.section)
    except alfil.AlfilError as error:
        named = error.findings[0].kind == "import-loss"
        lost = {each.message.split(" ")[0].rstrip(":") for each in error.findings}
        causes = lost if named else {error.kind}
        return Answer(task.section, "named" if named else "refused", "", tuple(sorted(causes)))
    library = alfil.loads(found.text, name=task.section)
    read, there = reading(library, text, task)
    written, lost, where = writing(library, task)
    return Answer(task.section, read, written, (), lost, there or where)


def reading(library: alfil.Library, text: str, task: Task) -> tuple[str, str]:
    """Whether a section that was read is played alike, and where it is not."""
    pyffish.load_variant_config(text)
    for game in range(task.games):
        chance = random.Random(f"{task.section} {game}")
        for ply, (ours, theirs, same_end) in enumerate(
            played_out(task.section, chance, library, task.plies)
        ):
            if ours != theirs or not same_end:
                odd = sorted({*ours} ^ {*theirs})[:4]
                return "differs", f"game {game}, ply {ply}: {' '.join(odd) or 'end'}"
    return "alike", ""


def writing(library: alfil.Library, task: Task) -> tuple[str, tuple[str, ...], str]:
    """Whether a game is written and played alike, what is lost of it, and where it differs."""
    try:
        alfil.export(library)
    except alfil.AlfilError as error:
        return "named", tuple(sorted({cause_of(each, library) for each in error.findings})), ""
    for game in range(task.games):
        try:
            played_alike(library, f"{library.variant.name} {game}", task.plies)
        except AssertionError as error:
            return "differs", (), f"written, game {game}: {str(error).splitlines()[0][:200]}"
    return "alike", (), ""


def cause_of(finding: alfil.Finding, library: alfil.Library) -> str:
    """What a loss is about: the rule, or "a piece" for what some piece does."""
    what = finding.message.partition(":")[0]
    return "a piece" if what in {kind.code for kind in library.variant.kinds} else what


def counted(answers: Iterable[Answer], way: str) -> dict[str, object]:
    """How many of each, and how often each cause is named, one way."""
    rows = [each for each in answers if getattr(each, way)]
    causes = Counter(
        cause for each in rows for cause in (each.causes if way == "read" else each.lost)
    )
    return {
        **Counter(getattr(each, way) for each in rows),
        "causes": dict(sorted(causes.items(), key=lambda row: (-row[1], row[0]))),
    }


def main() -> None:
    """Count, tell, and record where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="files with sections of variants")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--plies", type=int, default=200)
    parser.add_argument("--record", action="store_true", help=f"keep the counts in {RECORD.name}")
    options = parser.parse_args()
    found = []
    own = [*alfil.games(), *map(str, sorted((TESTS / "variants").glob("*.pieces")))]
    for file in (*options.files, ""):
        sections = alfil.ini_sections(Path(file).read_text(encoding="utf-8")) if file else own
        tasks = [
            Task(file or each, each if file else "", options.games, options.plies)
            for each in sections
        ]
        answers = []
        with ProcessPoolExecutor() as pool:
            for each in pool.map(answer, tasks):
                answers.append(each)
                sys.stdout.write(f"{each.name}: {each.read} {each.written} {each.where}\n")
                sys.stdout.flush()
        row = {"name": Path(file).name or "games of alfil", "games": len(tasks)}
        row |= {way: counted(answers, way) for way in ("read", "written")}
        sys.stdout.write(f"{json.dumps(row, indent=1)}\n")
        sys.stdout.flush()
        found.append(row)
    if options.record:
        record = {"games": options.games, "plies": options.plies, "rows": found}
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Count which games alfil and Fairy-Stockfish have alike, and for which a loss is named.

`python conformance/variants.py FILE...` reads each section of such files (`variants.ini`) strictly,
and plays random games of it in both programs; what was read is written again, and played too. So
are the bundled games and those of tests/variants. `--games` and `--plies` say how much. With
`--record` all is kept, from which `make scoreboard` makes a table, and only the games that are
missing there are played.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
TESTS = HERE.parent / "tests"
RECORD = HERE / "variants.json"
OWN = "games of alfil"
# The games of the tests by their files, and what they are called beside those that come with alfil.
OF_TESTS = {
    str(path): f"tests/variants/{path.stem}"
    for path in sorted((TESTS / "variants").glob("*.pieces"))
}
# After so many games the program's positions are known to say all that their games did.
SURE = 3
sys.path.insert(0, str(TESTS))

import pyffish  # noqa: E402 - the tests know how it spells moves, and they are no package

import alfil  # noqa: E402
from lockstep import Spelling, Theirs, played_out  # noqa: E402

Row = dict[str, Any]


class Task(NamedTuple):
    """A game to be compared: a section of a file, or a game of alfil where there is no section.

    ``known`` is what was recorded of it, whose games are not played again.
    """

    source: str
    section: str
    games: int
    plies: int
    known: Row


class Way(NamedTuple):
    """What came of one game one way.

    ``came`` is "alike", "named", "refused" or "differs"; `games` were played, of so many ``plies``
    in all. ``causes`` are those of losses, ``where`` is the first difference.
    """

    came: str
    games: int = 0
    plies: int = 0
    causes: tuple[str, ...] = ()
    where: str = ""


def answer(task: Task) -> Row:
    """Compare one game both ways."""
    if not task.section:
        library = alfil.load(task.source)
        called = OF_TESTS.get(task.source, task.source)
        return {"section": called, "written": writing(library, task)._asdict()}
    text = Path(task.source).read_text(encoding="utf-8")
    try:
        found = alfil.import_ini(text, task.section)
    except alfil.AlfilError as error:
        named = error.diagnostics[0].kind == "import-loss"
        lost = {each.message.split(" ")[0].rstrip(":") for each in error.diagnostics}
        causes = tuple(sorted(lost if named else {error.kind}))
        read = Way("named" if named else "refused", causes=causes)
        return {"section": task.section, "read": read._asdict()}
    library = alfil.loads(found.text, name=task.section)
    load(text)
    read = compared(library, task.section, Spelling(library), task, "read")
    written = writing(library, task)
    return {"section": task.section, "read": read._asdict(), "written": written._asdict()}


def writing(library: alfil.Library, task: Task) -> Way:
    """Whether a game is written and played alike, or what is lost of it."""
    try:
        found = alfil.export(library)
    except alfil.AlfilError as error:
        return Way("named", causes=tuple(sorted({cause_of(e, library) for e in error.diagnostics})))
    name = loaded_as(found.text, found.name)
    return compared(library, name, Spelling(library, found.letters), task, "written")


@cache
def load(text: str) -> None:
    """Have the program read a file; what it has a name for already is not taken anew."""
    pyffish.load_variant_config(text)


@cache
def loaded_as(text: str, name: str) -> str:
    """Have the program read a section; the name that it has there, which no other has."""
    own = name
    while own in pyffish.variants():
        own += "_"
    load(text.replace(f"[{name}", f"[{own}", 1))
    return own


def compared(library: alfil.Library, name: str, spelling: Spelling, task: Task, way: str) -> Way:
    """Play the games that are missing, up to the first difference."""
    known = Way(**task.known.get(way, {"came": "named"}))
    games, plies = (known.games, known.plies) if known.came == "alike" else (0, 0)
    for game in range(games, task.games):
        where, length = "", 0
        for whole in (False, True):
            theirs = Theirs(name, whole=whole)
            chance = random.Random(f"{library.variant.name} {game}")
            where = difference(played_out(theirs, spelling, library, chance, task.plies))
            length = len(theirs.played)
            if not where and (game >= SURE or theirs.is_sound()):
                break
        games, plies = game + 1, plies + length
        if where:
            return Way("differs", games, plies, where=f"game {game}, ply {length}: {where}")
    return Way("alike", games, plies)


def difference(game: Iterator[tuple[list[str], list[str], bool]]) -> str:
    """The moves that only one has where a game differs first, "end" for its end, "" if nowhere."""
    for ours, theirs, same_end in game:
        if ours != theirs or not same_end:
            return " ".join(sorted({*ours} ^ {*theirs})[:4]) or "end"
    return ""


def cause_of(diagnostic: alfil.Diagnostic, library: alfil.Library) -> str:
    """What a loss is about: the rule, or "a piece" for what some piece does."""
    what = diagnostic.message.partition(":")[0]
    return "a piece" if what in {kind.code for kind in library.variant.kinds} else what


def tasks(
    file: str, options: argparse.Namespace, known: Mapping[tuple[str, str], Row]
) -> Iterator[Task]:
    """The sections of a file, or the games of alfil where there is none."""
    name = Path(file).name or OWN
    if file:
        sections = alfil.ini_sections(Path(file).read_text(encoding="utf-8"))
        found = [(file, each, each) for each in sections]
    else:
        found = [(each, "", each) for each in alfil.games()]
        found += [(each, "", called) for each, called in OF_TESTS.items()]
    for source, section, called in found:
        row = known.get((name, called), {})
        yield Task(source, section, options.games, options.plies, row)


def main() -> None:
    """Compare, tell, and record where asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="files with sections of variants")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--plies", type=int, default=200)
    parser.add_argument("--jobs", type=int, help="processes, as many as there are cores otherwise")
    parser.add_argument("--record", action="store_true", help=f"keep all in {RECORD.name}")
    parser.add_argument("--anew", action="store_true", help="play what is recorded again")
    options = parser.parse_args()
    known: list[Row] = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    rows = {(row["file"], row["section"]): row for row in known}
    fresh = options.anew or not options.record
    for file in (*options.files, ""):
        name = Path(file).name or OWN
        # Other processes for each file, for the program keeps its variants by their names alone.
        with ProcessPoolExecutor(options.jobs) as pool:
            for found in pool.map(answer, tasks(file, options, {} if fresh else rows)):
                row = {"file": name, **found}
                rows[name, row["section"]] = row
                sys.stdout.write(f"{json.dumps(row)}\n")
                sys.stdout.flush()
                if options.record:
                    record(list(rows.values()), options.plies)


def record(rows: list[Row], plies: int) -> None:
    """Keep what was found, a line for each game."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    text = f'{{"plies": {plies}, "rows": [\n{lines}\n]}}\n'
    partial = RECORD.with_suffix(".part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(RECORD)


if __name__ == "__main__":
    main()

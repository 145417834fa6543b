"""`make mutants`: small changes to the program, and whether a test notices each.

    python tests/mutants --count 600 --seed 1 --jobs 2

Works in a copy of the tree, build/mutants/tree, and goes on where it was broken off: what is known
is in build/mutants/, and --again tries survivors with the tests as they are now. `equivalent.tsv`
lists changes that change nothing, each with the reason.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from changes import SHOWN, Mutant, mutants
from judge import Judge, Overlaid, Record, file_of
from order import Order

HERE = Path(__file__).parent
# What is changed: one in so many of all mutants is from each package.
PACKAGES = {
    "readers": ("notation/*.py", "notation/*/*.py"),
    "resolve": ("notation/*/resolve.py", "notation/betza/directions.py", "movement/*.py"),
    "compile": ("meaning/*.py",),
    "tables": ("tables/*.py",),
    "translation": ("translation/*.py", "notation/*/spell*.py", "notation/*/canonical.py"),
    "game": ("game/*.py",),
    "play": ("play/*.py", "play/records/*.py", "learning/*.py"),
    "library": ("library/*.py", "programs/*.py", "exchange/*.py"),
    "answers": ("workbench/*.py", "diagrams/*.py", "locations/*.py", "english/*.py"),
}
UNTRIED = ("-m", "not wheel and not browser", "-p", "no:cacheprovider", "-p", "no:xdist", "-q")


def files(root: Path) -> dict[str, str]:
    """The package of each file that is changed; of two that name it the one with fewer files."""
    found: dict[str, str] = {}
    for package, patterns in PACKAGES.items():
        paths = [path for each in patterns for path in sorted((root / "src/alfil").glob(each))]
        found |= {str(path.relative_to(root)): package for path in paths}
    return found


def copied(project: Path, tree: Path) -> None:
    """Bring the copy up to date."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    shown = subprocess.run(listed, cwd=project, capture_output=True, text=True, check=True).stdout
    names = {name for name in shown.split("\0") if name and (project / name).is_file()}
    for old in [path for path in tree.rglob("*") if path.is_file()]:
        if str(old.relative_to(tree)) not in names and "__pycache__" not in old.parts:
            old.unlink()
    for name in names:
        new, path = project / name, tree / name
        if not path.exists() or path.read_bytes() != new.read_bytes():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(new, path)


class Kept:
    """What is known from earlier runs, a file for each thing, so that several may write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, *key: str) -> Path:
        """The file of a thing."""
        return self._folder / sha256("\0".join(key).encode()).hexdigest()[:24]

    def get(self, *key: str) -> str | None:
        """What is known of it."""
        path = self.path(*key)
        return path.read_text(encoding="utf-8") if path.exists() else None

    def set(self, value: str, *key: str) -> None:
        """Keep it."""
        self.path(*key).write_text(value, encoding="utf-8")


def chosen(root: Path, options: argparse.Namespace) -> list[tuple[str, Mutant]]:
    """Equally many mutants of each package: a line by chance, and a change of that line.

    Chance is a hash of the line, so that a change elsewhere does not draw others.
    """
    places: dict[str, dict[str, list[Mutant]]] = {name: {} for name in PACKAGES}
    for path, package in files(root).items():
        for mutant in mutants(path, (root / path).read_bytes()):
            places[package].setdefault(mutant.place, []).append(mutant)

    def chance(text: str) -> bytes:
        return sha256(f"{options.seed} {text}".encode()).digest()

    found: list[tuple[str, Mutant]] = []
    for package in options.packages:
        drawn = sorted(places[package], key=chance)[: options.count // len(PACKAGES)]
        changes = (places[package][place] for place in drawn)
        found += [(package, min(each, key=lambda it: chance(it.key))) for each in changes]
    return sorted(found, key=lambda it: chance(it[1].key))


def mapped(judge: Judge, kept: Kept, part: tuple[int, int], words: list[str]) -> Record:
    """What every test reaches: known for the files that are as they were.

    With words only files that have one of them in their names are looked at anew.
    """
    keys = {
        file: (file, (judge.root / file).read_text(encoding="utf-8"))
        for file in sorted({file_of(test) for test in judge.items})
    }
    looked = [file for file in keys if any(word in file for word in words)]
    missing = [file for file in looked if kept.get(*keys[file]) is None]
    if missing:
        judge.watch()
    begin = len(missing) * part[0] // part[1]
    for file in missing[begin:] + missing[:begin]:
        if kept.get(*keys[file]) is None:  # the other processes have not been here either
            code = judge.map_file(file, kept.path(*keys[file]))
            print(f"map {file}: {code or 'done'}", flush=True)
    judge.forget()
    records: Record = {}
    for key in keys.values():
        records |= json.loads(kept.get(*key) or "{}")
    return records


def equivalent() -> dict[str, str]:
    """The reason for each change that changes nothing."""
    with (HERE / "equivalent.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {"\t".join(row[:-1]): row[-1] for row in rows if row and row[0] != "path"}


def short(mutant: Mutant) -> str:
    """A line that shows it."""
    old, new = (" ".join(each.split())[:SHOWN] for each in (mutant.old, mutant.new))
    return f"{mutant.path}:{mutant.line}: {old}  ->  {new}"


def judged(options: argparse.Namespace, root: Path, judge: Judge) -> None:
    """Map, then try what is not known to be killed."""
    part = (options.part, options.jobs)
    records = mapped(judge, Kept(root.parent / "map"), part, options.files.split(","))
    if options.map:
        return
    results = Kept(root.parent / "results")
    drawn = [mutant for _, mutant in chosen(root, options)]
    order = Order(judge, records, drawn, lambda mutant: results.get(mutant.key) or "")
    for number, mutant in enumerate(drawn):
        known = (results.get(mutant.key) or "survived").startswith("survived") and (
            results.get(mutant.key) != f"survived {options.again}"
        )
        if number % part[1] != part[0] or not known or mutant.key in equivalent():
            continue
        changed, asked = order.wanted(mutant)
        said = judge.judge(changed, asked, options.seconds) if asked else "survived: no test"
        said = f"survived {options.again}" if said == "survived" else said
        results.set(said, mutant.key)
        print(f"{number} {short(mutant)}: {said} ({len(asked)} tests)", flush=True)


def report(root: Path, options: argparse.Namespace) -> Iterator[str]:
    """The survivors, and how many were killed of each package."""
    results, same = Kept(root.parent / "results"), equivalent()
    counts = {package: [0, 0, 0] for package in options.packages}
    for package, mutant in chosen(root, options):
        said = "equivalent" if mutant.key in same else results.get(mutant.key)
        if said is None:
            continue
        survived = said.startswith("survived")
        counts[package][2 if said == "equivalent" else 1 if survived else 0] += 1
        if survived:
            yield f"survived: {short(mutant)}"
            yield f"  {mutant.key}"
    total = [sum(each) for each in zip(*counts.values(), strict=True)]
    yield f"seed {options.seed}: package, killed, survived, equivalent, score"
    for package, (killed, survived, none) in [*counts.items(), ("all", total)]:
        score = 100 * killed / (killed + survived or 1)
        yield f"{package:12} {killed:4} {survived:4} {none:4} {score:5.1f} %"


def packages(text: str) -> list[str]:
    """Names of packages with commas between them."""
    names = text.split(",")
    if unknown := ", ".join({*names} - {*PACKAGES}):
        raise argparse.ArgumentTypeError(f"not one of {', '.join(PACKAGES)}: {unknown}")
    return names


def asked() -> argparse.Namespace:
    """What the command is to do."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=120, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    whole = [*PACKAGES]
    parser.add_argument("--packages", type=packages, default=whole, help="only mutants of these")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for each")
    parser.add_argument(
        "--again", default="once", help="a word: try survivors of other words again"
    )
    parser.add_argument("--files", default="", help="look anew only at tests of such names")
    parser.add_argument("--map", action="store_true", help="only what tests reach")
    parser.add_argument("--report", action="store_true", help="only what is known")
    parser.add_argument("--part", type=int, default=-1, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Copy, try in as many processes as wanted, report."""
    if sys.argv[1:2] == ["--overlaid"]:
        overlay = Overlaid(Path.cwd(), json.load(sys.stdin))
        return pytest.main([*UNTRIED, *sys.argv[2:]], plugins=[overlay])
    options = asked()
    if options.part >= 0:
        root = Path.cwd()
        judge = Judge(root, list(files(root)), lambda it: judged(options, root, it))
        return pytest.main([*UNTRIED, "-s"], plugins=[judge])
    project = HERE.parents[1]
    tree = project / "build/mutants/tree"
    if not options.report:
        copied(project, tree)
        environment = {
            **os.environ,
            "PYTHONPATH": f"{tree}/src{os.pathsep}{tree}",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run([sys.executable, "hatch_build.py"], cwd=tree, check=True)
        command = [sys.executable, str(tree / "tests/mutants"), *sys.argv[1:], "--part"]
        parts = [
            subprocess.Popen([*command, str(part)], cwd=tree, env=environment)
            for part in range(options.jobs)
        ]
        failed = [part for part in parts if part.wait()]
        if failed:
            return 1
    print("\n".join(report(tree, options)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

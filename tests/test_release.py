"""What a release consists of: workflows, versions and addresses, and the check of those."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import alfil
import hatch_build
from alfil.cli.app import COMMANDS  # what the workflows call

PROJECT = Path(__file__).parents[1]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Commands of the system that a workflow may call; everything else is looked at below.
PIP = ("install", "--editable", "--only-binary", "--find-links")


def jobs(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content["jobs"]  # type: ignore[no-any-return]


def runs(path: Path) -> Iterator[list[str]]:
    """The commands of a workflow, in words."""
    for job in jobs(path).values():
        for step in job["steps"]:
            for line in step.get("run", "").splitlines():
                yield shlex.split(line)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_command_of_a_workflow_exists(path: Path) -> None:
    goals = re.findall(r"^\.PHONY: (.*)$", (PROJECT / "Makefile").read_text("utf-8"), re.M)[0]
    commands = [*runs(path)]
    assert commands
    for program, *arguments in commands:
        match program, arguments:
            case "make", [goal]:
                assert goal in goals.split(), goal
            case "bash", [script]:
                assert (PROJECT / script).is_file(), script
            case "alfil", [name, *_]:
                assert name in COMMANDS or name == "--version", name
            case "python", ["-m", "pip", *words]:
                for word in words:
                    extras = re.findall(r"\[(\w+)\]", word)
                    assert set(extras) <= SETTINGS["optional-dependencies"].keys()
            case "python", ["-m", module, *_]:
                assert importlib.util.find_spec(module), module
            case _:
                pytest.fail(f"{path.name} runs {program} {arguments}")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_wait_for_jobs_and_use_fixed_versions(path: Path) -> None:
    for job in jobs(path).values():
        assert job.get("needs", next(iter(jobs(path)))) in jobs(path)
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert "uses" not in step or re.fullmatch(
                r"[\w.-]+/[\w.-]+@(release/)?v\d+", step["uses"]
            )


def test_the_tests_are_run_on_every_system_with_every_python_from_the_oldest() -> None:
    matrix = jobs(PROJECT / ".github/workflows/ci.yml")["tests"]["strategy"]["matrix"]
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert SETTINGS["requires-python"] == f">={matrix['python'][0]}"
    claimed = re.findall(r"Python :: (3\.\d+)", " ".join(SETTINGS["classifiers"]))
    assert set(claimed) <= set(matrix["python"])


def test_only_one_file_has_addresses_of_the_project() -> None:
    url = SETTINGS["urls"]["Source"]
    host = re.findall(r"//([^/]+)/", url)[0]
    listed = subprocess.run(
        ["git", "grep", "-l", "--fixed-strings", host],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode > 1:
        pytest.skip("this is no clone")
    assert listed.stdout.split() == ["pyproject.toml"]


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A project as it would be released, with the archives in dist/."""
    for name in ("CHANGELOG.md", "CITATION.cff", "pyproject.toml"):
        shutil.copy(PROJECT / name, tmp_path / name)
    change(tmp_path / "pyproject.toml", r"https://alfil\.example/", "https://host.org/alfil/")
    change(tmp_path / "CHANGELOG.md", r"\(unreleased\)", "(2026-12-01)")
    with (tmp_path / "CITATION.cff").open("a", encoding="utf-8") as file:
        file.write("date-released: 2026-12-01\n")
    (tmp_path / "src/alfil").mkdir(parents=True)
    shutil.copy(alfil.__file__, tmp_path / "src/alfil/__init__.py")
    dist = tmp_path / "dist"
    dist.mkdir()
    (dist / f"alfil-{alfil.__version__}.tar.gz").touch()
    for target in hatch_build.building.TARGETS.values():
        name = f"alfil-{alfil.__version__}-py3-none-{target.wheel_tag}.whl"
        with zipfile.ZipFile(dist / name, "w") as wheel:
            wheel.writestr("alfil/engine/engine.so", "")
            wheel.writestr("alfil/site/python/alfil.zip.packed", "")
    return tmp_path


def change(path: Path, pattern: str, text: str) -> None:
    before = path.read_text(encoding="utf-8")
    after = re.sub(pattern, text, before)
    assert after != before
    path.write_text(after, encoding="utf-8")


def faults(project: Path) -> list[str]:
    return [*hatch_build.release_faults(project, project / "dist")]


def test_a_release_without_faults(released: Path) -> None:
    assert faults(released) == []


@pytest.mark.parametrize(
    ("name", "pattern", "text", "fault"),
    [
        ("CHANGELOG.md", r"\(2026-12-01\)", "(unreleased)", "has no date for"),
        ("CHANGELOG.md", r"## 0\.2\.0", "## 0.3.0", "begins with 0.3.0, and the version is"),
        ("CITATION.cff", "\nversion: .*", "\nversion: 0.0.9", "has version 0.0.9"),
        ("CITATION.cff", "date-released: .*", "", "has no line `date-released: 2026-12-01`"),
        (
            "pyproject.toml",
            "https://host.org/alfil/source/",
            "https://x.example/",
            "address of Source",
        ),
    ],
)
def test_what_is_wrong_with_a_release(
    released: Path, name: str, pattern: str, text: str, fault: str
) -> None:
    change(released / name, pattern, text)
    found = faults(released)
    assert any(fault in each for each in found), found
    assert all(each.startswith(name) for each in found) or name == "CHANGELOG.md"


def test_archives_that_are_missing_or_incomplete(released: Path) -> None:
    (released / "dist" / f"alfil-{alfil.__version__}.tar.gz").unlink()
    first, second, *_ = sorted((released / "dist").glob("*.whl"))
    first.unlink()
    with zipfile.ZipFile(second, "w") as wheel:
        wheel.writestr("alfil/engine/engine.so", "")
    found = " ".join(faults(released))
    assert f"alfil-{alfil.__version__}.tar.gz" in found
    assert first.name in found
    assert f"{second.name} has no alfil/site/python/alfil.zip.packed" in found


def test_the_project_as_it_is_lacks_addresses_and_a_date_and_nothing_else(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "hatch_build.py", "--release-check", tmp_path],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    found = [line for line in done.stderr.splitlines() if not line.startswith("there is no ")]
    assert all("placeholder" in line or "no date" in line for line in found), found

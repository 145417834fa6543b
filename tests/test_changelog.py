"""CHANGELOG.md: one section a version, the newest first, the current one there."""

import re
from pathlib import Path

import alfil

PROJECT = Path(__file__).parents[1]
HEADING = re.compile(r"## (\d+)\.(\d+)\.(\d+) \((?:unreleased|\d{4}-\d{2}-\d{2})\)")
KINDS = {"### Added", "### Changed", "### Fixed", "### Removed"}


def test_versions_are_in_order_and_the_current_one_leads() -> None:
    lines = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    headings = [line for line in lines if line.startswith("## ")]
    matches = [HEADING.fullmatch(line) for line in headings]
    assert None not in matches, headings
    versions = [tuple(map(int, match.groups())) for match in matches if match]
    assert versions == sorted(set(versions), reverse=True)
    assert ".".join(map(str, versions[0])) == alfil.__version__
    assert {line for line in lines if line.startswith("### ")} <= KINDS

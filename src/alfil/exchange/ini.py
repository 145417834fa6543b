"""The sections of a `variants.ini` as Fairy-Stockfish reads them, with the place of everything.

The program takes a setting from any line that has a =, keeps the last of several, and lets a
section begin where a line begins with [. What it passes over is noted here; what the settings mean
is the matter of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from alfil.errors import Finding, nearest
from alfil.grammars import Sayings, read_table
from alfil.source import Source, Span

SUFFIX = ".ini"
# Without a template the board is that of chess, and no piece has a letter.
FILES, RANKS = 8, 8
HEADER = re.compile(r"\[([^\]:]*)(?::([^\]]*))?(\]?)")
SETTING = re.compile(r"([^=]*?) *=\s*(.*)")
LETTERED = re.compile(r"([A-Za-z])(?::(.*))?")
# The settings of pieces, by the sort of value they take.
PIECES = frozenset({"letter", "king", "betza"})

found = Sayings("variants_findings.tsv").found


class Sort(NamedTuple):
    """A setting by its name: the sort of value it takes, and the newer names of an old one."""

    name: str
    value: str
    instead: str


class Template(NamedTuple):
    """What a section goes out from: a board and the letters of its pieces."""

    name: str
    files: int
    ranks: int
    letters: frozenset[str]


class Setting(NamedTuple):
    """A key and its value with their places."""

    key: str
    value: str
    span: Span
    place: Span

    def at(self, start: int, end: int | None = None) -> Span:
        """The place of a part of the value."""
        return Span(
            self.place.start + start, self.place.start + (start + 1 if end is None else end)
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A variant: its settings by key, and the section above that it goes out from, if it is one.

    ``template`` is what it is said to go out from, "" for nothing.
    """

    name: str
    template: str
    span: Span
    parent: Section | None
    settings: dict[str, Setting] = field(default_factory=dict)

    @property
    def base(self) -> Template:
        """What it goes out from: a section above, a variant of the program, or nearly nothing."""
        if self.parent:
            return self.parent.result
        return templates().get(self.template, Template("chess", FILES, RANKS, frozenset()))

    @property
    def result(self) -> Template:
        """What a section goes out from that has this one as its template."""
        base = self.base
        files = _file(self.settings.get("maxFile")) or base.files
        ranks = _file(self.settings.get("maxRank")) or base.ranks
        own = {letter for letter, _ in self.pieces.values() if letter}
        return Template(self.name, files, ranks, base.letters | own)

    @property
    def pieces(self) -> dict[str, tuple[str, str]]:
        """The letter, "" where it is taken away, and the Betza of each piece set here, by key."""
        known, chosen = sorts(), {}
        for key, setting in self.settings.items():
            if key in known and known[key].value in PIECES:
                match = LETTERED.match(setting.value)
                chosen[key] = (match[1].lower(), match[2] or "") if match else ("", "")
        return chosen

    def setting(self, key: str) -> Setting | None:
        """What is said under a key here, or in the sections it goes out from."""
        own = self.settings.get(key)
        return own or (self.parent.setting(key) if self.parent else None)


def _file(setting: Setting | None) -> int:
    """A number of files or ranks; a file may be given by its letter. 0 for what is neither."""
    value = setting.value if setting else ""
    if match := re.match(r"[0-9]+", value):
        return int(match[0])
    return ord(value[0]) - ord("a") + 1 if re.match("[a-l]", value) else 0


@cache
def sorts() -> Mapping[str, Sort]:
    """Every setting of the program by its name."""
    rows = [Sort(*row) for row in read_table("exchange", "settings.tsv")]
    men = [row.name for row in rows if row.value in PIECES]
    rows += [
        Sort(f"mobilityRegion{side}{man[0].upper()}{man[1:]}", "squares", "")
        for side in ("White", "Black")
        for man in men
    ]
    return {row.name: row for row in rows}


@cache
def templates() -> Mapping[str, Template]:
    """The variants that the program has built in, by name."""
    rows = read_table("exchange", "templates.tsv")
    return {
        name: Template(name, int(files), int(ranks), frozenset(letters))
        for name, files, ranks, letters in rows
    }


class Reader:
    """The sections of a file as they come about, and what the program passes over."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.findings: list[Finding] = []
        self.sections: dict[str, Section] = {}
        self._section: Section | None = None
        at = 0
        for line in source.text.split("\n"):
            self._line(line, at)
            at += len(line) + 1

    def note(self, name: str, /, *spans: Span, **put: object) -> None:
        """Note what the table of findings says under a name."""
        self.findings.append(found(name, *spans, **put))

    def _line(self, line: str, at: int) -> None:
        whole = Span(at, at + len(line))
        if line.startswith("["):
            self._begin(line, at)
        elif line[:1] in {"#", ";"} or not line.strip():
            return
        elif match := SETTING.fullmatch(line):
            self._set(match, whole)
        else:
            self.note("indented" if line.strip()[0] == "[" else "no-setting", whole)

    def _begin(self, line: str, at: int) -> None:
        match = HEADER.match(line)
        assert match is not None
        name, template = match[1], match[2] or ""
        span = Span(at + 1, at + 1 + len(name))
        if not match[3]:
            self.note("open-section", Span(at, at + len(line)))
        if name in self.sections or name in templates():
            self.note("section-twice", span, name=name)
        if template and template not in self.sections and template not in templates():
            near = nearest(template, [*self.sections, *templates()])
            self.note(
                "no-template",
                Span(at + match.start(2), at + match.end(2)),
                name=template,
                near=near,
            )
        parent = self.sections.get(template)
        self._section = Section(name, template, span, parent)
        self.sections.setdefault(name, self._section)

    def _set(self, match: re.Match[str], whole: Span) -> None:
        key, value = match[1], match[2].rstrip("\r")
        span = Span(whole.start, whole.start + len(key))
        start = whole.start + match.start(2)
        if self._section is None:
            self.note("before-sections", whole, name="mine")
            return
        if not key or key[0].isspace():
            self.note("indented" if key.strip() else "no-setting", whole)
            return
        known = sorts()
        if key not in known:
            self.note("no-such-setting", span, name=key, near=nearest(key.strip(), known))
            return
        if key in self._section.settings:
            self.note("set-twice", span, name=key)
        self._section.settings[key] = Setting(key, value, span, Span(start, start + len(value)))


def ordered(findings: list[Finding]) -> Iterator[Finding]:
    """Findings in the order of the text, each once."""
    once = {(each.kind, each.spans, each.message): each for each in findings}
    yield from sorted(once.values(), key=lambda each: each.spans[:1])

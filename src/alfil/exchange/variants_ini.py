"""The sections of a `variants.ini` as Fairy-Stockfish reads them, with the place of everything.

The program takes a setting from any line that has a =, keeps the last of several, and lets a
section begin where a line begins with [. What it passes over is noted here; what the settings mean
is the matter of others.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from alfil.data_files import MessageTable, read_data, read_table
from alfil.errors import Diagnostic, did_you_mean_or_list, join_words
from alfil.game.variant import Rules
from alfil.library.field_parsers import rule_value, rule_value_text
from alfil.source import Source, Span

# Of more bishops than this the program drops one on the colour on which fewer stand, or on any.
MAX_BISHOPS = 2
SUFFIX = ".ini"
# For so many wrong names of a file it is looked for what was meant.
MOST_NAMES_COMPARED = 100
COMMENT_SIGNS = frozenset("#;")
HEADER_PATTERN = re.compile(r"\[([^\]:]*)(?::([^\]]*))?(\]?)")
SETTING_PATTERN = re.compile(r"([^=]*+)=\s*+(.*)")
# The program does not look at what stands between a letter and Betza.
LETTER_AND_BETZA = re.compile(r"([A-Za-z])(?:.(.*))?")
RULE_PATTERN = re.compile(r"(\w+): ([a-z-]+) = (.+)")
# The settings of pieces, by the sort of value they take.
PIECE_VALUE_TYPES = frozenset({"letter", "king", "betza"})
# What a setting takes: the words for it, and what it is in full.
VALUE_TYPES = {
    "letter": ("the letter of a piece, or - for none", r"[A-Za-z-]\s*"),
    "king": ("a letter, or a letter and Betza as in k:KN", r"[A-Za-z-]\s*|[A-Za-z]:[^#;]*"),
    "betza": ("a letter and Betza, as in n:NN", r"-\s*|[A-Za-z]:[^#;]*"),
    "number": ("a number", r"-?[0-9]+"),
    "rank": ("a rank from 1 to 10", r"[1-9]|10"),
    "file": ("a file from a to l, or 1 to 12", r"[a-l]|[1-9]|1[0-2]"),
    "piece": ("the letter of a piece, or * or -", r"[A-Za-z*-]"),
    "pieces": ("letters of pieces, * for all or - for none", r"[A-Za-z* ]+|-"),
    "squares": (
        "squares as in d4 *8 a*, or -",
        r"-?|(?:(?:\*(?:[1-9]|10)|[A-La-l](?:[1-9]|10|\*))\s*)+",
    ),
    "rights": ("some of KQkq, or -", "[KQkq ]*-?"),
    "counts": ("letters and numbers, as in q:1 r:2", r"(?:[A-Za-z]\s*:\s*-?[0-9]+\s*)*-?"),
    "pairs": ("pairs of letters, as in p:g s:g, or -", r"(?:[A-Za-z]\s*:\s*[A-Za-z-]\s*)*-?"),
}
# Or it is one of a few words.
WORD_VALUES = {
    "bool": "true false",
    "result": "win loss draw none",
    "material": "janggi unweighted whitedrawodds blackdrawodds none",
    "counting": "makruk cambodian asean none",
    "chasing": "axf none",
    "enclosing": "reversi ataxx quadwrangle snort anyside top none",
    "walling": "arrow duck edge past static none",
}
VALUE_TYPES |= {
    name: (join_words(each.split()), each.replace(" ", "|")) for name, each in WORD_VALUES.items()
}
# Mates of shatar: these pieces may give one, this one never, and others only after these.
MATING, NEVER_MATING = frozenset({"rook", "bers"}), "knight"
# What pieces count, by how they are counted or chased; where it is without names, each is one.
POINTS_BY_METHOD: dict[str, dict[str, int]] = {
    "janggi": {
        "soldier": 2,
        "wazir": 3,
        "janggiElephant": 3,
        "horse": 5,
        "janggiCannon": 7,
        "rook": 13,
    },
    "unweighted": {},
    "axf": {"soldier": 1, "fers": 2, "elephant": 2, "horse": 4, "cannon": 4, "rook": 9},
}
# In how many moves one must be mated, as lines of a countdown with the names of pieces.
COUNTDOWNS = {
    "makruk": "1/rook*2:8 1/rook:16 1/silver*2:22 1/knight*2:32 1/silver:44 1:64 all:64",
    "cambodian": "1/pawn:0 1/rook*2:7 1/rook:15 1/silver*2:21 1/knight*2:31 1/silver:43 1:63 3:63",
    "asean": "1/pawn:0 1/rook:16 1/silver:44 1/knight:64",
}
# Those that begin from the number of pieces.
METHODS_BY_PIECE_COUNT = frozenset({"makruk", "cambodian"})
# Rules that are about a king there, and hold for no other royal piece.
KING_ONLY_RULES = ("giving-check", "flight", "facing", "perpetual-check")
# What ends a game by counting pieces, where who cannot move has more or fewer of them.
COUNT_WORD_BY_RESULT = {"win": "fewer", "loss": "more", "draw": "draw"}

make_diagnostic = MessageTable("variants_diagnostics.tsv").make_diagnostic


class SettingType(NamedTuple):
    """A setting by its name: the sort of value it takes, and the newer names of an old one.

    ``default`` is its value where nothing is said, with the names of pieces in place of letters.
    ``meaning`` is the rule that it is, by its value, as "true: must-capture = yes"; of a piece how
    it moves; "*" where more goes into it, "-" where no rule does. ``otherwise_meaning`` is what
    becomes of a game without it, where that is another one.
    """

    name: str
    value: str
    replaced_by: str
    default: str = ""
    meaning: str = ""
    otherwise_meaning: str = ""

    @property
    def rules(self) -> dict[str, tuple[str, str]]:
        """The rules that it says, names and values, by its values."""
        result = (RULE_PATTERN.fullmatch(each) for each in self.meaning.split(" | "))
        return {match[1]: (match[2], match[3]) for match in result if match}

    def accepts(self, value: str) -> bool:
        """Whether a value has the form that this setting takes."""
        return bool(re.fullmatch(self._pattern, value))

    def accepts_beginning(self, value: str) -> bool:
        """Whether some beginning of a value, if not all of it, has that form."""
        return bool(re.match(f"(?:{self._pattern})(?<=.)", value))

    @property
    def _pattern(self) -> str:
        return VALUE_TYPES[self.value][1] if self.value in VALUE_TYPES else ".*"


class Setting(NamedTuple):
    """A key and its value with their places."""

    key: str
    value: str
    span: Span
    key_span: Span

    def value_span(self, start: int, end: int | None = None) -> Span:
        """The place of a part of the value."""
        return Span(
            self.key_span.start + start, self.key_span.start + (start + 1 if end is None else end)
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A variant: its settings by key, and the section above that it goes out from, if it is one.

    ``template`` is what it is said to go out from, "" for nothing. Where there is no such variant,
    the program leaves the section out, and whatever goes out from it.
    """

    name: str
    template: str
    span: Span
    parent: Section | None
    settings: dict[str, Setting] = field(default_factory=dict)

    @property
    def has_unknown_parent(self) -> bool:
        """Whether it goes out from a variant that is none."""
        return bool(self.template) and self.parent is None

    def setting(self, key: str) -> Setting | None:
        """What is said under a key here, or in the sections it goes out from."""
        section: Section | None = self
        while section and key not in section.settings:
            section = section.parent
        return section.settings[key] if section else None


def board_dimension(value: str) -> int:
    """A number of files or ranks; a file may be given by its letter. 0 for what is neither."""
    if match := re.match(r"[0-9]+", value):
        return int(match[0])
    return ord(value[0]) - ord("a") + 1 if re.match("[a-l]", value) else 0


def letter_and_betza(value: str) -> tuple[str, str | None] | None:
    """The letter and the Betza of a piece, None for one that is taken away."""
    match = LETTER_AND_BETZA.match(value)
    return (match[1], match[2]) if match else None


@cache
def setting_types() -> Mapping[str, SettingType]:
    """Every setting of the program by its name."""
    rows = [
        each
        for row in read_table("exchange", "settings.tsv")
        for each in _expanded_setting_types(SettingType(*row))
    ]
    pieces = [row.name for row in rows if row.value in PIECE_VALUE_TYPES]
    rows += [
        SettingType(
            f"mobilityRegion{side}{piece[0].upper()}{piece[1:]}", "squares", "", meaning="*"
        )
        for side in ("White", "Black")
        for piece in pieces
    ]
    return {row.name: row for row in rows}


def _expanded_setting_types(row: SettingType) -> list[SettingType]:
    """The settings of a row: behind the name stand the numbers that it has, or sides.

    What each side may have of its own is empty unless it is said.
    """
    name, *more = row.name.split()
    if more and more[0][0].isdecimal():
        first, last = map(int, more[0].split("-"))
        return [row._replace(name=f"{name}{each}") for each in range(first, last + 1)]
    return [
        row._replace(name=name),
        *(row._replace(name=f"{name}{side}", default="") for side in more),
    ]


def setting_value(setting: str, rules: Rules) -> str:
    """What a setting that is a rule by itself says where these rules hold."""
    setting_type = setting_types()[setting]
    held = (
        value
        for value, (rule, word) in setting_type.rules.items()
        if word == _piece_file_rule_value(rule, rules)
    )
    return next(held, setting_type.default)


def setting_of_rule(rule: str, rules: Rules) -> dict[str, str]:
    """The setting that says a rule as it holds, with its value; nothing where there is none."""
    said = (rule, _piece_file_rule_value(rule, rules))
    return {
        each.name: value
        for each in setting_types().values()
        for value, rule_there in each.rules.items()
        if rule_there == said
    }


def _piece_file_rule_value(rule: str, rules: Rules) -> str:
    return rule_value_text(rule_value(rule, rules))


@cache
def built_in_variants() -> Mapping[str, Section]:
    """The variants that the program has built in, by name."""
    return IniReader(Source(read_data("exchange", "templates.ini"), "<templates>"), {}).sections


class IniReader:
    """The sections of a file as they come about, and what the program passes over."""

    def __init__(self, source: Source, known: Mapping[str, Section] | None = None) -> None:
        self.source = source
        self._known = built_in_variants() if known is None else known
        self.diagnostics: list[Diagnostic] = []
        self.sections: dict[str, Section] = {}
        # Those that others may begin with.
        self._templates: dict[str, Section] = {}
        self._section: Section | None = None
        self._names_compared = 0
        at = 0
        for line in source.text.split("\n"):
            self._read_line(line, at)
            at += len(line) + 1

    def add_diagnostic(self, name: str, /, *spans: Span, **values: object) -> None:
        """Note what the table of diagnostics says under a name."""
        self.diagnostics.append(make_diagnostic(name, *spans, **values))

    def _read_line(self, line: str, at: int) -> None:
        whole = Span(at, at + len(line))
        if line.startswith("["):
            self._begin_section(line, at)
        elif line[:1] in COMMENT_SIGNS or not line.strip():
            return
        elif match := SETTING_PATTERN.fullmatch(line):
            self._set_value(match, whole)
        else:
            self.add_diagnostic("indented" if line.strip()[0] == "[" else "no-setting", whole)

    def _begin_section(self, line: str, at: int) -> None:
        match = HEADER_PATTERN.match(line)
        assert match is not None
        name, template = match[1], match[2] or ""
        span = Span(at + 1, at + 1 + len(name))
        if not match[3]:
            self.add_diagnostic("open-section", Span(at, at + len(line)))
        if name in self.sections or name in self._known:
            self.add_diagnostic("section-twice", span, name=name)
        parent = self._templates.get(template) or self._known.get(template)
        if template and not parent:
            itself = "it is left out itself" if template in self.sections else ""
            near = itself or self._nearest_name_hint(template, [*self._templates, *self._known])
            self.add_diagnostic(
                "no-template",
                Span(at + match.start(2), at + match.end(2)),
                name=template,
                near=near,
            )
        self._section = Section(name, template, span, parent)
        if name not in self.sections:
            self.sections[name] = self._section
            if not self._section.has_unknown_parent:
                self._templates[name] = self._section

    def _nearest_name_hint(self, name: str, known: Collection[str]) -> str:
        """What may have been meant, where few names before it were wrong."""
        self._names_compared += 1
        return (
            did_you_mean_or_list(name, known) if self._names_compared <= MOST_NAMES_COMPARED else ""
        )

    def _set_value(self, match: re.Match[str], whole: Span) -> None:
        key, value = match[1].rstrip(" "), match[2].rstrip("\r")
        span = Span(whole.start, whole.start + len(key))
        start = whole.start + match.start(2)
        if self._section is None:
            self.add_diagnostic("before-sections", whole, name="mine")
            return
        if not key or key[0].isspace():
            self.add_diagnostic("indented" if key.strip() else "no-setting", whole)
            return
        if self._section.has_unknown_parent:
            return
        known = setting_types()
        if key not in known:
            self.add_diagnostic(
                "no-such-setting", span, name=key, near=self._nearest_name_hint(key.strip(), known)
            )
            return
        if key in self._section.settings:
            self.add_diagnostic("set-twice", span, name=key)
        self._section.settings[key] = Setting(key, value, span, Span(start, start + len(value)))


def sorted_by_span(diagnostics: list[Diagnostic]) -> Iterator[Diagnostic]:
    """Findings in the order of the text, each once."""
    once = {(each.kind, each.spans, each.message): each for each in diagnostics}
    yield from sorted(once.values(), key=lambda each: each.spans[:1])

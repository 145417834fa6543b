"""The table of rules in src/alfil/engine/rules.tsv: names, values, words.

Rules, reasons why moves are illegal, ends of games, and the sentences of rules pages are a table
each. The engine is built with the same tables (src/alfil/engine/building.py), and numbers rows and
values in their order.
"""

from __future__ import annotations

from collections.abc import Mapping

from alfil.data_files import read_data
from alfil.frozen_dataclasses import NamedTuple


class Rule(NamedTuple):
    """A rule that games may have, by the name that files give it.

    One of its ``values`` holds, the first unless another is said; "some" of them may, or what holds
    is the rule's "own". Where it is ``slow_value`` moves are judged one by one. ``program_support``
    says by program how that has it: "known" is a rule that is written, or looked at with others,
    "setting" one that a setting says by itself, "lost" one that the program lacks.
    ``not_applicable`` says why a rule is none of the play of one game, which is the same there
    without it.
    """

    name: str
    cardinality: str
    values: tuple[str, ...]
    slow_value: str
    program_support: Mapping[str, str]
    not_applicable: str

    @property
    def field_name(self) -> str:
        """What it is called in `alfil.game.variant.Rules`."""
        return self.name.replace("-", "_")


class IllegalityRow(NamedTuple):
    """A reason why moves are illegal: engine name, rule code, words.

    ``more`` is told of a move of which the words of the code say too little.
    """

    engine: str
    code: str
    words: str
    more: str


class EndReasonRow(NamedTuple):
    """A way in which games end: engine name, reason, and whether it must be claimed.

    Where it is ``claimed`` players may play on.
    """

    engine: str
    reason: str
    claimed: bool


def _read_tables() -> tuple[list[list[str]], ...]:
    """The rows of each table, its head first."""
    text = read_data("engine", "rules.tsv")
    parts = (part.strip("\n").split("\n") for part in text.split("\n\n"))
    return tuple([line.split("\t") for line in lines] for lines in parts)


def _parse_rules(rows: list[list[str]]) -> tuple[Rule, ...]:
    programs = rows[0][4:-1]
    return tuple(
        Rule(name, holds, tuple(values.split()), judged, dict(zip(programs, has, strict=True)), by)
        for name, holds, values, judged, *has, by in rows[1:]
    )


_TABLES = _read_tables()
RULES = _parse_rules(_TABLES[0])
ILLEGALITIES = tuple(IllegalityRow(*row) for row in _TABLES[1][1:])
ENDINGS = tuple(
    EndReasonRow(name, reason, claimed == "yes") for name, reason, claimed in _TABLES[2][1:]
)
SENTENCE_ROWS = _TABLES[3][1:]
# The engine's numbers of reasons.
ILLEGALITY_BY_CODE = {
    each.engine: number for number, each in enumerate(ILLEGALITIES) if each.engine
}

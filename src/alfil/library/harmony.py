"""Whether what a piece file says fits together: rules, fields, hands, names and the board.

What contradicts itself is an error. What changes nothing is a warning, for its author expected
something of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from alfil.errors import MeaningError
from alfil.game.variant import Rules
from alfil.library.findings import Findings
from alfil.library.model import Entry
from alfil.library.nodes import Field, Hand, PieceLine, Rule, Text
from alfil.library.setup import COUNTED, SIDES, Size
from alfil.library.values import RANKS, folded
from alfil.source import Span

DROP_KEYS = ("drop-ranks", "drop-check", "drop-mate", "per-file", "per-file-on")
# Ways to win that need a piece somebody can lose.
OF_ROYALS = frozenset({"mate", "royal-capture", "checks"})


class Said(NamedTuple):
    """What a file says, as it was written and as it was read.

    ``setups`` tells whether pieces are set up.
    """

    rules: Rules
    size: Size
    entries: Mapping[str, Entry]
    pieces: Mapping[str, PieceLine]
    rule_lines: Sequence[Rule]
    hands: Sequence[Hand]
    setups: bool

    @property
    def barred(self) -> bool:
        """Whether the file says that there are no drops."""
        return self.rule("drops") is not None and self.rules.drops == "no"

    def rule(self, name: str) -> Rule | None:
        """The line of a rule, or None where it is not given."""
        return next((each for each in self.rule_lines if each.name.value == name), None)

    def fields(self) -> Iterator[tuple[PieceLine, Mapping[str, Field]]]:
        """The fields of every piece line of the file."""
        for line in self.pieces.values():
            fields = (item for item in line.items if isinstance(item, Field))
            yield line, {field.key.value: field for field in fields}


def check_harmony(said: Said, findings: Findings) -> None:
    """Note what does not fit together."""
    _check_wins(said, findings)
    _check_royals(said, findings)
    _check_hands(said, findings)
    _check_drops(said, findings)
    _check_files(said, findings)
    _check_ranks(said, findings)
    _check_names(said, findings)


def _check_wins(said: Said, findings: Findings) -> None:
    """A game is won by the goal where there is one, and the goal counts where it wins."""
    win, goal = said.rule("win"), said.rule("goal")
    wins = any(each.how == "goal" for each in said.rules.win)
    if win and wins and not said.rules.goal:
        word = next((word for word in win.words if "goal" in word.value), win.name)
        hint = "say which piece must get where: rule goal = K 9-9"
        findings.add("no-goal", "the goal wins, but there is no goal", word.span, hint)
    if goal and said.rules.goal and not wins:
        hint = "let it win as well: rule win = mate,goal"
        _idle("the goal changes nothing: it does not win", goal.name, hint, findings)


def _idle(message: str, text: Text, hint: str, findings: Findings) -> None:
    findings.add("changes-nothing", message, text.span, hint, severity="warning")


def _check_royals(said: Said, findings: Findings) -> None:
    """Where all ways to win take a royal piece, there must be one."""
    win = said.rule("win")
    needed = all(each.how in OF_ROYALS for each in said.rules.win)
    if not (win and said.setups and said.entries and needed):
        return
    if not any(_is_royal(entry, unknown=True) for entry in said.entries.values()):
        message = "nobody can win by mate or capture: no piece is royal"
        hint = "write royal on the line of a piece, or name another way to win: rule win = bare"
        findings.add("no-royal", message, win.name.span, hint, severity="warning")


def _is_royal(entry: Entry, *, unknown: bool = False) -> bool:
    """Whether a piece is royal by its line or by its movement; ``unknown`` if that has no sense."""
    try:
        return entry.royal or any(fact.name == "royal" for fact in entry.piece.meaning.facts)
    except MeaningError:
        return unknown


def _check_hands(said: Said, findings: Findings) -> None:
    for hand in said.hands:
        for word in hand.words[hand.words[0].value in SIDES :]:
            match = COUNTED.fullmatch(word.value)
            code = match[1] if match else word.value
            entry = said.entries.get(code)
            if entry and _is_royal(entry):
                message = f"{code} is royal, and no royal piece is in hand"
                findings.add("royal-in-hand", message, word.span, "draw it in the set-up")
        if said.barred:
            hint = "allow drops: rule drops = yes"
            _idle("the hand changes nothing: there are no drops", hand.words[0], hint, findings)


def _check_drops(said: Said, findings: Findings) -> None:
    if not said.barred:
        return
    for _, fields in said.fields():
        for key in DROP_KEYS:
            moved = key.startswith("per-file") and _limits_moves(fields)
            if key in fields and not moved:
                message = f"{key} changes nothing: there are no drops"
                hint = "allow drops: rule drops = yes"
                _idle(message, fields[key].key, hint, findings)


def _limits_moves(fields: Mapping[str, Field]) -> bool:
    """Whether the number of pieces on a file matters for moves on the board too."""
    acts = fields.get("per-file-on")
    return acts is not None and "move" in acts.value.value


def _check_files(said: Said, findings: Findings) -> None:
    for _, fields in said.fields():
        most = fields.get("per-file")
        if "per-file-on" in fields and (most is None or most.value.value == "none"):
            message = "per-file-on changes nothing: there is no limit"
            _idle(message, fields["per-file-on"].key, "give one: per-file=1", findings)


def _check_ranks(said: Said, findings: Findings) -> None:
    """No rank lies beyond the board."""
    goal = said.rule("goal")
    texts = [fields["drop-ranks"].value for _, fields in said.fields() if "drop-ranks" in fields]
    texts += goal.words[1:2] if goal else ()
    for text in texts:
        match = RANKS.fullmatch(text.value)
        written = match.groups("R") if match else ()
        last = max((int(each) for each in written if each != "R"), default=0)
        if said.size.ranks and last > said.size.ranks:
            message = f"rank {last} on a board of {said.size.ranks} ranks"
            hint = f"{said.size.ranks} at most; R is the last rank"
            findings.add("wrong-number", message, text.span, hint)


def _check_names(said: Said, findings: Findings) -> None:
    """A name finds one piece; namesakes say so with same-as."""
    codes = {folded(code): code for code in said.entries}
    taken: dict[str, str] = {}
    for code, entry in said.entries.items():
        line = said.pieces.get(code)
        for name in map(folded, entry.names):
            other = taken.setdefault(name, code)
            if other == code and codes.get(name, code) != code:
                other = codes[name]
            if line and other != code and not entry.same_as:
                _collision(name, other, _place(line, name), findings)


def _collision(name: str, other: str, span: Span, findings: Findings) -> None:
    message = f"{name} is also the name or the code of {other}, which is found by it"
    hint = f"choose another name, or say that they are the same: same-as={other}"
    findings.add("duplicate-name", message, span, hint, severity="warning")


def _place(line: PieceLine, name: str) -> Span:
    """Where a name stands on the line of its piece."""
    for item in line.items:
        value = item.value if isinstance(item, Field) else item
        also = isinstance(item, Field) and item.key.value == "also"
        if also and name in map(folded, value.value.split(",")):
            return value.span
        if not isinstance(item, Field) and item.quoted and folded(value.value) == name:
            return value.span
    return line.code.span

"""A piece file and what it includes, in; a `PieceFile`, or all that is wrong with it, out.

First the statements are put together, then the set-up and the hands, then it is asked whether what
the file says fits together: rules, fields, hands, names and the board. What contradicts itself is
an error. What changes nothing is a warning, for its author expected something of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from alfil.errors import MeaningError, PieceFileError, nearest
from alfil.game.variant import FIRST, SECOND, Placed, Rules
from alfil.library import nodes
from alfil.library.constraints import PREDICATES
from alfil.library.fields import RANKS, board_size, folded, parts, read_piece, read_rules
from alfil.library.files import Place, included
from alfil.library.model import Constraint, Entry, PieceFile
from alfil.library.nodes import Field, Findings, Line, PieceLine, Rule, Text, Wrong
from alfil.source import Span

DEPTH_LIMIT = 8

Node = TypeVar("Node")
SIDES = {"first": FIRST, "second": SECOND}
EMPTY = "."
COUNTED = re.compile(r"(.+)\*([0-9]{1,3})")

Hands = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
DROP_KEYS = ("drop-ranks", "drop-check", "drop-mate", "per-file", "per-file-on")
# Ways to win that need a piece somebody can lose.
OF_ROYALS = frozenset({"mate", "royal-capture", "checks"})


@dataclass
class Reading:
    """Files under way, from the first to the one that is read now, and those that are done."""

    chain: list[Place] = field(default_factory=list)
    done: dict[str, PieceFile | PieceFileError] = field(default_factory=dict)


@dataclass
class Known:
    """The pieces of a file while it is read: those that are right, and all codes by their lines.

    ``files`` are those it includes, each with where it is named.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    lines: dict[str, PieceLine] = field(default_factory=dict)
    files: list[tuple[Text, PieceFile]] = field(default_factory=list)


def read_place(place: Place, reading: Reading | None = None) -> PieceFile:
    """Read a piece file; raises `PieceFileError` with everything that is wrong in it."""
    reading = reading or Reading()
    findings = Findings(place.source)
    reading.chain.append(place)
    try:
        lines = nodes.read_lines(place.source, findings)
        found = _read(lines, place, reading, findings)
    except nodes.Enough:
        raise PieceFileError(findings.ordered, place.source) from None
    finally:
        reading.chain.pop()
    return PieceFile(**vars(found) | {"findings": findings.warnings()})


def _read(lines: list[Line], place: Place, reading: Reading, findings: Findings) -> PieceFile:
    games, boards = _all(lines, nodes.GameLine), _all(lines, nodes.BoardLine)
    for extra in games[1:]:
        findings.twice("the name of the game", extra.title.span)
    for other in boards[1:]:
        findings.twice("the board", other.size.span)
    size = Size(0, 0)
    if boards:
        with findings.taking():
            size = Size(*board_size(boards[0].size))
    rule_lines, zones = _all(lines, Rule), _all(lines, nodes.Zone)
    rules = read_rules(rule_lines, zones, findings)
    known = Known()
    _include(_all(lines, nodes.Include), known, reading, findings)
    _pieces(_all(lines, PieceLine), known, findings)
    codes = dict.fromkeys([*known.entries, *known.lines, *findings.lost])
    _check_promotions(known, codes, findings)
    _check_letters(known, findings, loose=bool(games or boards))
    if rules.goal and rules.goal.code not in codes:
        word = next(each.words[0] for each in rule_lines if each.name.value == "goal")
        hint = nearest(rules.goal.code, codes)
        findings.add("unknown-piece", f"no piece has the code {word.value}", word.span, hint)
    if size.ranks and rules.zone > size.ranks:
        message = f"a zone of {rules.zone} ranks on a board of {size.ranks}"
        findings.add("wrong-number", message, zones[0].name.span, f"ranks={size.ranks} at most")
    hands, drawn = _all(lines, nodes.Hand), _drawn(lines, findings)
    said = Said(rules, size, known.entries, known.lines, rule_lines, hands, bool(drawn))
    check_harmony(said, findings)
    for target, file in known.files:
        _note_left_out(target, file, said, findings)
    order = [code for code in codes if code in known.entries]
    return PieceFile(
        name=place.name,
        title=games[0].title.value.strip() if games else "",
        files=size.files,
        ranks=size.ranks,
        rules=rules,
        pieces=tuple(known.entries[code] for code in order),
        setup=placed(drawn, size, codes, findings),
        hands=in_hand(hands, codes, findings),
        constraints=tuple(
            _constraint(line, codes, findings) for line in _all(lines, nodes.ConstraintLine)
        ),
        source=place.source,
    )


def _all(lines: Iterable[Line], kind: type[Node]) -> list[Node]:
    return [line.statement for line in lines if isinstance(line.statement, kind)]


def _pieces(lines: list[PieceLine], known: Known, findings: Findings) -> None:
    for line in lines:
        code = line.code.value
        replaces = "replaces" in line.flags
        if code in known.lines:
            first = findings.source.position(known.lines[code].code.span.start).line
            message, hint = f"the code {code} is taken by line {first}", "choose another code"
            findings.add("duplicate-code", message, line.code.span, hint)
            continue
        if code in known.entries and not replaces:
            other = known.entries[code].source.name
            hint = "choose another code, or add the word replaces to this line"
            message = f"the code {code} is taken by a piece of {other}"
            findings.add("duplicate-code", message, line.code.span, hint)
        if replaces and code not in known.entries:
            message = f"there is no {code} to replace"
            hint = "leave the word replaces out, or include the file with that piece above"
            findings.add("unknown-piece", message, line.code.span, hint)
        known.lines[code] = line
        known.entries.pop(code, None)
        entry = read_piece(line, findings)
        if entry:
            known.entries[code] = entry


def _include(
    lines: list[nodes.Include], known: Known, reading: Reading, findings: Findings
) -> None:
    targets = set[str]()
    for line in lines:
        if line.target.value in targets:
            message = f"{line.target.value} is included twice"
            findings.add("given-twice", message, line.target.span, "leave one of them out")
            continue
        targets.add(line.target.value)
        file = _file(line.target, reading, findings)
        only = _only(line, file, findings)
        if file:
            known.files.append((line.target, file))
        for entry in file.pieces if file else ():
            if only is None or entry.code in only:
                _join(entry, known, line.target, findings)


def _join(entry: Entry, known: Known, target: Text, findings: Findings) -> None:
    other = known.entries.setdefault(entry.code, entry)
    if other is not entry:
        message = f"both {entry.source.name} and {other.source.name} have a piece {entry.code}"
        findings.add("duplicate-code", message, target.span, "take some of them: only=K,G")


def _only(line: nodes.Include, file: PieceFile | None, findings: Findings) -> set[str] | None:
    """The codes asked for, or None for all."""
    wanted: set[str] | None = None
    for item in line.items:
        if not isinstance(item, Field) or item.key.value != "only":
            text = item.key if isinstance(item, Field) else item
            message = f"an include has nothing called {text.value}"
            findings.add("unknown-key", message, text.span, "some of its pieces: only=K,G")
            continue
        if wanted is not None:
            findings.twice("only", item.key.span, "leave one out")
        wanted = set()
        codes = {entry.code: None for entry in file.pieces} if file else {}
        for part in parts(item.value):
            wanted.add(part.value)
            if file and part.value not in codes:
                hint = nearest(part.value, codes)
                message = f"{file.name} has no piece with the code {part.value}"
                findings.add("unknown-piece", message, part.span, hint)
    return wanted


def _file(target: Text, reading: Reading, findings: Findings) -> PieceFile | None:
    """The included file, read once however often it is named; errors in it are told here."""
    try:
        place = included(target, reading.chain[-1])
        _check_chain(place, target, reading.chain)
        if place.key not in reading.done:
            try:
                reading.done[place.key] = read_place(place, reading)
            except PieceFileError as error:
                reading.done[place.key] = error
        file = reading.done[place.key]
        _tell(file, target, findings)
        return file if isinstance(file, PieceFile) else None
    except Wrong as error:
        findings.take(error.finding)
    except PieceFileError as error:
        _tell(error, target, findings)
    return None


def _check_chain(place: Place, target: Text, chain: list[Place]) -> None:
    names = " → ".join([*(each.source.name for each in chain), place.source.name])
    if place.key in {each.key for each in chain}:
        hint = "leave this line out"
        raise Wrong("include-loop", f"a file includes itself: {names}", target.span, hint)
    if len(chain) > DEPTH_LIMIT:
        message = f"more than {DEPTH_LIMIT} files include each other: {names}"
        raise Wrong("include-loop", message, target.span, "include the last one directly")


def _tell(included: PieceFile | PieceFileError, target: Text, findings: Findings) -> None:
    """What was found in an included file, at the line that includes it."""
    for each in included.findings:
        if each.severity == "note":
            continue
        position = included.source.position(each.spans[0].start if each.spans else 0)
        place = f"{included.source.name}:{position.line}:{position.column}"
        findings.take(
            type(each)(
                each.kind, f"{place}: {each.message}", (target.span,), each.hint, each.severity
            )
        )


def _note_left_out(target: Text, file: PieceFile, said: Said, findings: Findings) -> None:
    """What an included file has beside pieces, where this file has nothing of the kind."""
    parts = {
        "board": file.files and not said.size.files,
        "rules": file.rules != Rules() and not said.rule_lines,
        "set-up": file.setup and not said.setups,
    }
    lost = [name for name, told in parts.items() if told]
    if lost:
        message = f"only the pieces of {target.value} are taken, not its {', '.join(lost)}"
        hint = "copy these lines if they are wanted"
        findings.add("pieces-only", message, target.span, hint, severity="note")


def _check_promotions(known: Known, codes: Collection[str], findings: Findings) -> None:
    for line in known.lines.values():
        promotes = line.fields.get("promotes")
        for part in parts(promotes.value) if promotes else ():
            if part.value and part.value not in codes:
                findings.unknown(part.value, part.span, codes)


def _check_letters(known: Known, findings: Findings, *, loose: bool) -> None:
    """No two pieces with one letter; in a game not even in upper and lower case."""
    taken: dict[str, str] = {}
    for code, entry in known.entries.items():
        letter = letter_of(entry)
        key = letter.upper() if loose else letter
        if key and taken.setdefault(key, code) != code:
            message = f"the letter {letter} is taken by {taken[key]}"
            line = known.lines.get(code) or known.lines.get(taken[key])
            span = line.code.span if line else entry.span
            findings.add("duplicate-letter", message, span, "give one of them a letter: letter=…")


def letter_of(entry: Entry) -> str:
    """The letter a piece has by itself: the one given, else a code of one letter."""
    return entry.letter or (entry.code if len(entry.code.removeprefix("+")) == 1 else "")


def _drawn(lines: list[Line], findings: Findings) -> list[Drawn]:
    """The set-ups with their rows; blank lines and comments may stand between."""
    found: list[Drawn] = []
    open_block = False
    for line in lines:
        match line.statement:
            case nodes.Setup() as head:
                found.append(Drawn(head, [], Text("setup", line.span)))
                open_block = True
            case nodes.Row(cells) as row if open_block:
                found[-1].rows.append(row)
                del cells
            case nodes.Row(cells):
                message = "a row stands below no set-up"
                findings.add("wrong-row", message, cells[0].span, "write a line above: setup")
            case None:
                pass
            case _:
                open_block = False
    return found


def _constraint(
    line: nodes.ConstraintLine, codes: Collection[str], findings: Findings
) -> Constraint:
    name = line.predicate
    if name.value not in PREDICATES:
        hint = nearest(name.value, PREDICATES)
        findings.add("unknown-value", f"no constraint is called {name.value}", name.span, hint)
    values: dict[str, Text] = {}
    for item in line.items:
        key, value = (item.key, item.value) if isinstance(item, Field) else (item, item)
        key = Text("words", item.span) if item in line.texts else key
        if key.value not in ("on", "from", "words", "required"):
            hint = nearest(key.value, ("on=", "from=", "required"))
            findings.add("unknown-key", f"a constraint has no {key.value}", key.span, hint)
        elif key.value in values:
            findings.twice(key.value, key.span)
        values[key.value] = value
    said = {key: text.value for key, text in values.items()}
    return Constraint(
        line.number.value,
        name.value,
        _about(values.get("on"), name, codes, findings),
        said.get("words", ""),
        said.get("from", "").strip(),
        "required" in said,
        line.number.span,
    )


def _about(
    on: Text | None, name: Text, codes: Collection[str], findings: Findings
) -> tuple[str, ...]:
    """The codes of the pieces that a constraint is on."""
    about = parts(on) if on else []
    for part in about:
        if part.value not in codes:
            findings.unknown(part.value, part.span, codes)
    if not about:
        hint = "name the pieces: on=T,SH"
        findings.add("incomplete-line", "the constraint is on no piece", name.span, hint)
    return tuple(part.value for part in about)


class Drawn(NamedTuple):
    """A set-up as it was drawn: its head and its rows, the farthest rank first."""

    head: nodes.Setup
    rows: list[nodes.Row]
    mark: Text


class Size(NamedTuple):
    """Files and ranks of the board; 0 where there is none."""

    files: int
    ranks: int


def placed(
    drawn: Iterable[Drawn], size: Size, codes: Collection[str], findings: Findings
) -> tuple[Placed, ...]:
    """Where the pieces stand at the start; what is wrong joins the findings."""
    found: dict[tuple[int, int], Placed] = {}
    taken: set[int] = set()
    for block in drawn:
        sides, mirrored = _setup_options(block, findings)
        if taken & set(sides):
            message = "this side has been set up before"
            hint = "a set-up for each side: setup first, and setup second"
            findings.add("given-twice", message, block.mark.span, hint)
            continue
        taken |= set(sides)
        if not size.files:
            hint = "add a line: board 9x9"
            findings.add("no-board", "a set-up needs a board", block.mark.span, hint)
            continue
        _check_rows(block, size, findings)
        for side in sides:
            for each, text in _side(block, size, side, mirrored=mirrored):
                _put(each, text, found, codes, findings)
    return tuple(found.values())


def _setup_options(block: Drawn, findings: Findings) -> tuple[tuple[int, ...], bool]:
    """The sides a set-up is for, and whether the second is a reflection of the first."""
    known = (*SIDES, "mirrored")
    said = [option.value for option in block.head.options]
    for option in block.head.options:
        if option.value not in known:
            message, hint = f"a set-up cannot be {option.value}", nearest(option.value, known)
            findings.add("unknown-value", message, option.span, hint)
    sides = tuple(SIDES[word] for word in dict.fromkeys(said) if word in SIDES)
    if len(said) > len(set(said)) or len(sides) > 1 or {"first", "mirrored"} <= set(said):
        hint = "only the rows of the second side can be mirrored"
        if len(sides) > 1:
            hint = "without first or second it is for both sides"
        findings.add("unknown-value", "these do not go together", block.head.options[-1].span, hint)
    return sides or (FIRST, SECOND), "mirrored" in said


def _check_rows(block: Drawn, size: Size, findings: Findings) -> None:
    if not block.rows and not findings.lost_rows:
        hint = "draw its rows on the lines below: | . . K . . |"
        findings.add("incomplete-line", "a set-up without rows", block.mark.span, hint)
    if len(block.rows) > size.ranks:
        message = f"the set-up has {len(block.rows)} rows, the board {size.ranks} ranks"
        span = block.rows[0].cells[0].span
        findings.add("wrong-row", message, span, "leave the rows out that are empty")
    for row in block.rows:
        if len(row.cells) != size.files:
            message = f"the row has {len(row.cells)} squares, the board {size.files} files"
            span = row.cells[0].span.to(row.cells[-1].span)
            findings.add("wrong-row", message, span, "write a dot for every empty square")


def _side(block: Drawn, size: Size, side: int, *, mirrored: bool) -> Iterable[tuple[Placed, Text]]:
    """The pieces of one side; the second sees the board turned by half, or reflected."""
    if len(block.rows) > size.ranks:
        return
    for rank, row in enumerate(reversed(block.rows)):
        if len(row.cells) != size.files:
            continue
        for file, cell in enumerate(row.cells):
            if cell.value == EMPTY:
                continue
            at = (file, rank)
            if side == SECOND:
                at = (file if mirrored else size.files - 1 - file, size.ranks - 1 - rank)
            yield Placed(at, side, cell.value), cell


def _put(
    each: Placed,
    text: Text,
    found: dict[tuple[int, int], Placed],
    codes: Collection[str],
    findings: Findings,
) -> None:
    if each.code not in codes:
        findings.unknown(each.code, text.span, codes)
    elif each.square in found:
        other = found[each.square].code
        message = f"{each.code} and {other} would stand on one square"
        hint = "the set-ups of both sides overlap: draw fewer rows"
        findings.add("setup-overlap", message, text.span, hint)
    else:
        found[each.square] = each


def in_hand(lines: Iterable[nodes.Hand], codes: Collection[str], findings: Findings) -> Hands:
    """What each side has in hand at the start, as codes and counts in the order written."""
    hands: list[tuple[tuple[str, int], ...] | None] = [None, None]
    for line in lines:
        side = SIDES.get(line.words[0].value)
        words = line.words if side is None else line.words[1:]
        sides = (FIRST, SECOND) if side is None else (side,)
        counts = _counts(words, codes, findings)
        if any(hands[side] is not None for side in sides):
            findings.twice("the hand of this side", line.words[0].span)
            continue
        for side in sides:
            hands[side] = counts
    return hands[FIRST] or (), hands[SECOND] or ()


def _counts(
    words: Iterable[Text], codes: Collection[str], findings: Findings
) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for word in words:
        match = COUNTED.fullmatch(word.value)
        code, count = (match[1], int(match[2])) if match else (word.value, 1)
        if code not in codes:
            findings.unknown(code, word.span, codes)
        elif code in found:
            findings.twice(code, word.span, f"write the number after it: {code}*2")
        elif not count:
            findings.add("wrong-number", f"no {code} at all", word.span, "leave it out")
        else:
            found[code] = count
    return tuple(found.items())


class Said(NamedTuple):
    """What a file says, as it was written and as it was read.

    ``setups`` tells whether pieces are set up.
    """

    rules: Rules
    size: Size
    entries: Mapping[str, Entry]
    pieces: Mapping[str, PieceLine]
    rule_lines: Sequence[Rule]
    hands: Sequence[nodes.Hand]
    setups: bool

    @property
    def barred(self) -> bool:
        """Whether the file says that there are no drops."""
        return self.rule("drops") is not None and self.rules.drops == "no"

    def rule(self, name: str) -> Rule | None:
        """The line of a rule, or None where it is not given."""
        return next((each for each in self.rule_lines if each.name.value == name), None)

    @property
    def fields(self) -> list[dict[str, Field]]:
        """The fields of every piece line of the file."""
        return [line.fields for line in self.pieces.values()]


def check_harmony(said: Said, findings: Findings) -> None:
    """Note what does not fit together."""
    _check_wins(said, findings)
    _check_royals(said, findings)
    _check_hands(said, findings)
    _check_drops(said, findings)
    _check_files(said, findings)
    _check_beyond(said, findings)
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
    for fields in said.fields:
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
    for fields in said.fields:
        most = fields.get("per-file")
        if "per-file-on" in fields and (most is None or most.value.value == "none"):
            message = "per-file-on changes nothing: there is no limit"
            _idle(message, fields["per-file-on"].key, "give one: per-file=1", findings)


def _check_beyond(said: Said, findings: Findings) -> None:
    """No rank lies beyond the board."""
    goal = said.rule("goal")
    texts = [fields["drop-ranks"].value for fields in said.fields if "drop-ranks" in fields]
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
    also = line.fields["also"].value if "also" in line.fields else Text("")
    if name in map(folded, also.value.split(",")):
        return also.span
    return next((text.span for text in line.texts if folded(text.value) == name), line.code.span)

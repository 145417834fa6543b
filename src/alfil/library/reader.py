"""A piece file and what it includes, in; a `PieceFile`, or all that is wrong with it, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from alfil.errors import PieceFileError, nearest
from alfil.game.variant import Rules
from alfil.library.constraints import PREDICATES
from alfil.library.fields import read_piece
from alfil.library.files import Place, included
from alfil.library.findings import Enough, Findings, Wrong, wrong
from alfil.library.harmony import Said, check_harmony
from alfil.library.lines import read_lines
from alfil.library.model import Constraint, Entry, PieceFile
from alfil.library.nodes import (
    Board,
    ConstraintLine,
    Field,
    Game,
    Hand,
    Include,
    Item,
    Line,
    PieceLine,
    Row,
    Rule,
    Setup,
    Text,
    Zone,
)
from alfil.library.rules import read_rules
from alfil.library.setup import Drawn, Size, in_hand, placed
from alfil.library.values import board_size, parts

DEPTH_LIMIT = 8

Node = TypeVar("Node", Game, Board, Zone, Rule, PieceLine, Hand, Include, ConstraintLine)


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
        lines = read_lines(place.source, findings)
        found = _read(lines, place, reading, findings)
    except Enough:
        raise PieceFileError(findings.ordered, place.source) from None
    finally:
        reading.chain.pop()
    return PieceFile(**vars(found) | {"findings": findings.warnings()})


def _read(lines: list[Line], place: Place, reading: Reading, findings: Findings) -> PieceFile:
    games, boards = _all(lines, Game), _all(lines, Board)
    _once("the name of the game", [each.title for each in games], findings)
    size = _size(boards, findings)
    rules = read_rules(_all(lines, Rule), _all(lines, Zone), findings)
    known = Known()
    _include(_all(lines, Include), known, reading, findings)
    _pieces(_all(lines, PieceLine), known, findings)
    codes = dict.fromkeys([*known.entries, *known.lines, *findings.lost])
    _check_promotions(known, codes, findings)
    _check_letters(known, findings, loose=bool(games or boards))
    if rules.goal and rules.goal.code not in codes:
        word = next(each.words[0] for each in _all(lines, Rule) if each.name.value == "goal")
        hint = nearest(rules.goal.code, codes)
        findings.add("unknown-piece", f"no piece has the code {word.value}", word.span, hint)
    _check_ranks(rules.zone, size, _all(lines, Zone), findings)
    hands, drawn = _all(lines, Hand), _drawn(lines, findings)
    said = Said(
        rules,
        size,
        known.entries,
        known.lines,
        _all(lines, Rule),
        hands,
        bool(drawn),
    )
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
        constraints=_constraints(_all(lines, ConstraintLine), codes, findings),
        source=place.source,
    )


def _all(lines: Iterable[Line], kind: type[Node]) -> list[Node]:
    return [line.statement for line in lines if isinstance(line.statement, kind)]


def _once(what: str, texts: list[Text], findings: Findings) -> None:
    for extra in texts[1:]:
        findings.add("given-twice", f"{what} is given twice", extra.span, "leave one of them out")


def _size(boards: list[Board], findings: Findings) -> Size:
    _once("the board", [each.size for each in boards], findings)
    try:
        return Size(*board_size(boards[0].size)) if boards else Size(0, 0)
    except Wrong as error:
        findings.take(error.finding)
        return Size(0, 0)


def _check_ranks(zone: int, size: Size, zones: list[Zone], findings: Findings) -> None:
    if size.ranks and zone > size.ranks:
        message = f"a zone of {zone} ranks on a board of {size.ranks}"
        findings.add("wrong-number", message, zones[0].name.span, f"ranks={size.ranks} at most")


def _pieces(lines: list[PieceLine], known: Known, findings: Findings) -> None:
    for line in lines:
        code = line.code.value
        replaces = next((each for each in line.items if _is_flag(each, "replaces")), None)
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


def _is_flag(item: Item, name: str) -> bool:
    return isinstance(item, Text) and not item.quoted and item.value == name


def _include(lines: list[Include], known: Known, reading: Reading, findings: Findings) -> None:
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


def _only(line: Include, file: PieceFile | None, findings: Findings) -> set[str] | None:
    """The codes asked for, or None for all."""
    wanted: set[str] | None = None
    for item in line.items:
        if not isinstance(item, Field) or item.key.value != "only":
            text = item.key if isinstance(item, Field) else item
            message = f"an include has nothing called {text.value}"
            findings.add("unknown-key", message, text.span, "some of its pieces: only=K,G")
            continue
        if wanted is not None:
            findings.add("given-twice", "only is given twice", item.key.span, "leave one out")
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
        if isinstance(file, PieceFile):
            _tell(file, target, findings)
            return file
        _tell(file, target, findings)
    except Wrong as error:
        findings.take(error.finding)
    except PieceFileError as error:
        _tell(error, target, findings)
    return None


def _check_chain(place: Place, target: Text, chain: list[Place]) -> None:
    names = " → ".join([*(each.source.name for each in chain), place.source.name])
    if place.key in {each.key for each in chain}:
        hint = "leave this line out"
        raise wrong("include-loop", f"a file includes itself: {names}", target.span, hint)
    if len(chain) > DEPTH_LIMIT:
        message = f"more than {DEPTH_LIMIT} files include each other: {names}"
        raise wrong("include-loop", message, target.span, "include the last one directly")


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
        for item in line.items:
            if isinstance(item, Field) and item.key.value == "promotes":
                for part in parts(item.value):
                    if part.value and part.value not in codes:
                        hint = nearest(part.value, codes)
                        message = f"no piece has the code {part.value}"
                        findings.add("unknown-piece", message, part.span, hint)


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
            case Setup() as head:
                found.append(Drawn(head, [], Text("setup", line.span)))
                open_block = True
            case Row(cells) as row if open_block:
                found[-1].rows.append(row)
                del cells
            case Row(cells):
                message = "a row stands below no set-up"
                findings.add("wrong-row", message, cells[0].span, "write a line above: setup")
            case None:
                pass
            case _:
                open_block = False
    return found


def _constraints(
    lines: list[ConstraintLine], codes: Collection[str], findings: Findings
) -> tuple[Constraint, ...]:
    return tuple(_constraint(line, codes, findings) for line in lines)


def _constraint(line: ConstraintLine, codes: Collection[str], findings: Findings) -> Constraint:
    name = line.predicate
    if name.value not in PREDICATES:
        hint = nearest(name.value, PREDICATES)
        findings.add("unknown-value", f"no constraint is called {name.value}", name.span, hint)
    values: dict[str, Text] = {}
    for item in line.items:
        key, value = _keyed(item)
        if key.value not in ("on", "from", "words", "required"):
            hint = nearest(key.value, ("on=", "from=", "required"))
            findings.add("unknown-key", f"a constraint has no {key.value}", key.span, hint)
        elif key.value in values:
            message = f"{key.value} is given twice"
            findings.add("given-twice", message, key.span, "leave one of them out")
        values[key.value] = value
    about = parts(values["on"]) if "on" in values else []
    for part in about:
        if part.value not in codes:
            hint = nearest(part.value, codes)
            findings.add("unknown-piece", f"no piece has the code {part.value}", part.span, hint)
    if not about:
        hint = "name the pieces: on=T,SH"
        findings.add("incomplete-line", "the constraint is on no piece", name.span, hint)
    said: Mapping[str, str] = {key: text.value for key, text in values.items()}
    return Constraint(
        line.number.value,
        name.value,
        tuple(part.value for part in about),
        said.get("words", ""),
        said.get("from", "").strip(),
        "required" in said,
        line.number.span,
    )


def _keyed(item: Item) -> tuple[Text, Text]:
    """The key of a part of a constraint and its value; a text in quotes is the words."""
    if isinstance(item, Field):
        return item.key, item.value
    return (Text("words", item.span), item) if item.quoted else (item, item)

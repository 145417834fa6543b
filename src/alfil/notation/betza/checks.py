"""What means nothing in a Betza tree: one pass over its parts, after it has been read.

What a letter is refused for at which place stands in grammars/betza_bars.tsv; here is where each of
these places is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from alfil.errors import Finding, Severity
from alfil.geometry import Vector, is_oblique
from alfil.movement.turning import headings, onward, way_end
from alfil.notation.betza import directions, nodes
from alfil.notation.betza.directions import eighths
from alfil.notation.betza.letters import (
    AGAIN,
    CASTLING,
    JOIN,
    LARGEST_NUMBER,
    MOST_DIGITS,
    ROWS,
    UNIVERSAL,
    UNSUPPORTED,
    Construct,
    Dialect,
    Mode,
    Place,
    Sign,
    barred,
    clashing,
    elsewhere,
    modes_in,
    sense_of,
    signs,
    skipping,
    toggles,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Path, Range, Repeat
from alfil.notation.betza.ways import (
    MOST_WAYS,
    SIDEWAYS,
    Letters,
    Runs,
    atom_entry,
    bend_of,
    double_move,
    leg_steps,
    letters_in,
    letters_of,
    runs_in,
    ways_of,
)
from alfil.source import Span

ATOM_HINTS = {
    "P": "a pawn is fmWfceF",
    "E": "RN, unless E is something else where you found it",
    "M": "FC, unless M is something else where you found it",
    **{letter: f"no program knows {letter}; write the leaps it stands for" for letter in "STV"},
}
# Straight on and back, in eighths: no bends.
NO_BENDS = frozenset({0, 4})
WHOLE_PARTS = frozenset({UNIVERSAL, CASTLING})
AGAIN_OR_REPEAT = re.compile(r"a|\([a-z]*\)[0-9]*")


@dataclass(slots=True)
class Report:
    """What is found in a text, as it is found; ``part`` is the text of the part looked at."""

    dialect: Dialect
    text: str
    findings: list[Finding] = field(default_factory=list)
    part: str = ""

    def add(
        self, kind: str, message: str, span: Span, hint: str = "", severity: Severity = "error"
    ) -> None:
        """Note a finding."""
        self.findings.append(Finding(kind, message, (span,), hint, severity))

    def errors(self) -> int:
        """How many errors there are."""
        return sum(finding.severity == "error" for finding in self.findings)

    def has(self, span: Span) -> bool:
        """Whether something has been found at this very place."""
        return any(finding.spans == (span,) for finding in self.findings)

    def drop(self, span: Span) -> None:
        """Forget what was found inside a stretch that is to be reported as a whole."""
        self.findings = [
            each
            for each in self.findings
            if not (span.start <= each.spans[0].start and each.spans[0].end <= span.end)
        ]

    def lacks(self, what: str, construct: str, span: Span, hint: str = "") -> None:
        """Note that the dialect does not have something another one has."""
        where = elsewhere(construct, self.dialect)
        told = [hint] if hint else []
        if self.dialect.program:
            told.append(f"{self.dialect.program} {skipping(self.part, construct, self.dialect)}")
        if where:
            told.append(f"the dialect {where} reads it")
        self.add("not-in-dialect", f"{self.dialect.name} has no {what}", span, "; ".join(told))

    def needs(self, construct: Construct, what: str, span: Span) -> None:
        """Note a construct that the dialect does not have."""
        if construct not in self.dialect.constructs:
            self.lacks(what, construct, span)


def check_part(
    term: BetzaTerm, before: BetzaTerm | None, report: Report, *, known: bool = False
) -> None:
    """Note what means nothing in a part; where it is ``known`` to be good, only beside another."""
    report.part = report.text[slice(*term.span)]
    _check_neighbour(term, before, report)
    if known:
        return
    if isinstance(term, Path):
        _check_path(term, report)
    elif not _check_atom(term.atom, report):
        for modifiers in letters_in(term):
            check_letters(modifiers, report)
    elif isinstance(term, Chain):
        _check_range(term.atom, term.range, report)
        _check_chain(term, report)
    else:
        _check_range(term.atom, term.range, report)
        _check_single(term, report)


def _check_neighbour(term: BetzaTerm, before: BetzaTerm | None, report: Report) -> None:
    """Note what is wrong with a part only because of the one before it."""
    if isinstance(term, Path):
        after_atom = isinstance(before, Leg | Chain) or (before is not None and before.form == "t")
        if term.form == "t[]" and term.prefix.span.end == term.span.start and after_atom:
            opening = Span(term.span.start, term.span.start + 1)
            hint = "write t[RB]F to join them, or put t[RB] first"
            report.add("misplaced-t", "t joins the atom before it or the bracket", opening, hint)
    elif isinstance(term, Leg) and isinstance(before, Leg | Chain):
        doubled = term.atom.written == before.atom.written and not before.range.written
        if doubled and term.atom.written[0] == "(" and not term.modifiers.written:
            hint = f"a rider is {term.atom.written}0"
            report.add("doubled-vector", "numbers are not doubled", term.atom.span, hint)


# Letters


def check_letters(modifiers: nodes.Modifiers, report: Report) -> Letters:
    """Note letters the dialect does not know, stand twice or exclude each other."""
    start = modifiers.span.start
    modes: dict[Mode, Span] = {}
    for sign in signs(modifiers.written):
        if not sign.directions and _known(sign, sign.span(start), report):
            (mode,) = modes_in(sign.text)
            if mode in modes:
                message = f"one {mode} is enough"
                report.add("repeated-modifier", message, sign.span(start), "leave one out")
            modes.setdefault(mode, sign.span(start))
    at = double_move(modifiers.written)
    if at is not None:
        span = Span(start + at, start + at + 2)
        hint = "write KaK, or the lion in full: KNADcaKmcabK"
        report.add("old-double-move", "dh meant a double move on old pages", span, hint)
    else:
        _check_clash(modes, report)
    return letters_of(modifiers, report.dialect)


def _known(sign: Sign, span: Span, report: Report) -> bool:
    """Whether a letter is one of the dialect's; notes what is wrong when it is not."""
    letter = sign.text
    if letter in report.dialect.modes:
        return True
    if letter in UNSUPPORTED and report.dialect.name != "classic":
        report.add("not-supported-yet", f"{UNSUPPORTED[letter]} is not supported yet", span)
    elif modes_in(letter) and letter != JOIN:
        remedy = "for several legs write parts of one leg" if letter == "y" else ""
        report.lacks(f"modifier {letter}", letter, span, remedy)
    else:
        hint = f"leave {letter} out" if letter != JOIN else "to join legs write FtR"
        report.add("unknown-modifier", f"no modifier is called {letter}", span, hint)
    return False


def _check_clash(modes: dict[Mode, Span], report: Report) -> bool:
    pair = clashing(modes)
    if pair:
        first, second = pair
        span = modes[first].to(modes[second])
        hint = "write two parts, one for each"
        report.add("modifier-clash", f"{first} and {second} exclude each other", span, hint)
    return pair is not None


def _bar(
    letters: Letters, place: Place, report: Report, among: Iterable[Mode] | None = None
) -> None:
    """Note the letters that mean nothing at a place."""
    for letter in list(letters.modes if among is None else among):
        bar = barred(letter, place)
        if bar is not None:
            span = letters.modes[letter]
            message, hint = bar.message.format(letter=letter), bar.hint.format(letter=letter)
            severity: Severity = "warning" if bar.sense == "warning" else "error"
            report.add(bar.kind, message, span, hint, severity)
            if bar.sense == "lost":
                del letters.modes[letter]


# Directions


def check_runs(runs: Runs, system: directions.System, report: Report) -> None:
    """Note what is wrong in runs of direction letters."""
    for run, span in runs:
        cut = directions.tokenise(run, system)
        if isinstance(cut, directions.Slip):
            where = Span(span.start + cut.start, span.start + cut.end)
            message, hint = directions.explained(cut, run)
            report.add(cut.kind, message, where, hint)
    if len(runs) > 1 and system != "W":
        message = "direction letters with another letter between them do not pair"
        whole = runs[0][1].to(runs[-1][1])
        report.add(
            "split-directions", message, whole, "put the direction letters together", "warning"
        )


def _check_first_runs(runs: Runs, atom: Atom, report: Report) -> None:
    """Note what is wrong in the directions of a first leg."""
    if not runs:
        return
    if atom.written == UNIVERSAL:
        hint = "leave the letters out"
        report.add("direction-on-universal", "U goes everywhere", runs[0][1], hint)
    elif atom.written == CASTLING:
        _check_sides(runs, report)
    elif len(atom.vectors) > 1 and "apart" in report.dialect.constructs:
        # K and Q as W and F: a letter that is wrong on both is one mistake.
        found = len(report.findings)
        check_runs(runs, "W", report)
        if len(report.findings) == found:
            check_runs(runs, "F", report)
    else:
        check_runs(runs, directions.atom_system(atom.vectors), report)


def _check_sides(runs: Runs, report: Report) -> None:
    for run, span in runs:
        for at, letter in enumerate(run, span.start):
            if letter not in SIDEWAYS:
                hint = "l, r or s: castling goes sideways"
                message = f"no castling that way: {letter}"
                report.add("castling-direction", message, Span(at, at + 1), hint)


# Atoms and ranges


def _check_atom(atom: Atom, report: Report) -> bool:
    """Note what is wrong with an atom; whether there is one to build on."""
    if atom.written[0] == "(":
        return _check_numbers(atom, report)
    letter, suffix = atom.written[0], atom.written[1:]
    start = atom.span.start
    if letter not in report.dialect.atoms:
        _no_atom(letter, Span(start, start + 1), report)
        return False
    where = Span(start + 1, start + 1 + len(suffix))
    if suffix and atom_entry(atom.written, report.dialect.name) is None:
        hint = "write the leap in numbers, as in (4,1)"
        message = f"{suffix} stands only on the letter of a single leap"
        report.add("suffix-on-compound", message, where, hint)
        return False
    if suffix:
        _check_suffix(atom, where, report)
    return True


def _no_atom(letter: str, span: Span, report: Report) -> None:
    if letter == "I":
        report.add("not-supported-yet", "I (imitator) is not supported yet", span)
    elif elsewhere(letter, report.dialect):
        report.lacks(f"atom {letter}", letter, span)
    else:
        hint = ATOM_HINTS.get(letter, "the atoms are W F D N A H C Z G K R B Q")
        report.add("unknown-atom", f"no atom is called {letter}", span, hint)


def _check_suffix(atom: Atom, span: Span, report: Report) -> None:
    report.needs("suffix", "suffixes X and Y", span)
    if max(map(max, atom.vectors)) > LARGEST_NUMBER:
        hint = "write it in numbers up to 99"
        report.add("vector-too-long", "a leap of more than 99 squares", span, hint)


def _check_numbers(atom: Atom, report: Report) -> bool:
    inside, _, suffix = atom.written[1:].partition(")")
    at = atom.span.start + 1
    for number in inside.split(","):
        where = Span(at, at + len(number))
        if len(number) > MOST_DIGITS:
            report.add("number-too-long", "two digits at most", where, "99 is the largest number")
            return False
        if len(number) > 1 and number[0] == "0":
            report.add("leading-zero", "no leading zero", where, f"write {number[1:]}")
            return False
        at += len(number) + 1
    report.needs("vector", "leaps in numbers", atom.span)
    if not atom.vectors:
        hint = "make one number larger than 0"
        report.add("zero-vector", "a leap of no squares", atom.span, hint)
        return False
    if suffix:
        _check_suffix(atom, Span(atom.span.end - len(suffix), atom.span.end), report)
    return True


def _check_range(atom: Atom, reach: Range, report: Report) -> None:
    """Note ranges that programs read in different ways."""
    written = reach.written
    if written == "*":
        report.needs("star", "range *", reach.span)
    elif written[:1].isdigit():
        _check_digits(atom, reach, report)
    elif len(written) > 1:
        number, doubled = written[1:], atom.written + reach.letter
        hint = f"write {atom.written}{number} or {doubled}"
        report.add("double-and-range", "both a doubled letter and a range", reach.span, hint)
    elif written and report.dialect.doubles(written):
        _check_doubled(atom, reach, report)


def _check_doubled(atom: Atom, reach: Range, report: Report) -> None:
    letter = reach.written
    whole = atom.span.to(reach.span)
    if letter == "K" and "king-rider" not in report.dialect.constructs:
        hint = "write Q, or K for one step"
        report.add("doubled-king", "programs read KK as K or as Q", whole, hint)
    elif not atom.vectors:
        report.add("doubled-whole", f"{letter} has no direction to ride in", whole, "write it once")
    elif atom.slides:
        message = f"{letter} slides without the second letter"
        report.add("redundant", message, reach.span, "", "warning")


def _check_digits(atom: Atom, reach: Range, report: Report) -> None:
    text, span = reach.written, reach.span
    if len(text) > 1 and text[0] == "0" and "leading-zero" not in report.dialect.constructs:
        hint = f"write {atom.written}{text.lstrip('0') or 0}"
        report.add("leading-zero", "programs read a leading zero in three ways", span, hint)
    elif len(text) > MOST_DIGITS:
        report.add("range-too-long", "two digits at most", span, "0 is unlimited")
    elif len(text) > report.dialect.digits:
        hint = f"the program reads {atom.written}{text[0]}; write 0 for any number of steps"
        report.add("not-in-dialect", f"{report.dialect.program} reads one digit", span, hint)


# Parts of one leg


def _check_single(leg: Leg, report: Report) -> None:
    """A part with one atom and one leg."""
    atom, reach = leg.atom, leg.range
    letters = check_letters(leg.modifiers, report)
    _check_first_runs(letters.runs, atom, report)
    if atom.written == CASTLING:
        if not reach.written.isdigit() or reach.steps < 1:
            message = "O needs the number of squares the king goes"
            report.add("castling-range", message, atom.span, "isO2")
        _bar(letters, "castling", report)
        return
    if atom.written == UNIVERSAL:
        if reach.written:
            hint = "leave it out"
            report.add("range-on-universal", "U goes everywhere at once", reach.span, hint)
        _bar(letters, "universal", report)
        _check_ends(letters, report)
        return
    _check_room(letters, atom, reach.steps, report)
    if reach.written and reach.steps == 1:
        _bar(letters, "one-bend", report)
    _check_ends(letters, report)
    if reach.written == "*":
        _bar(letters, "own-half", report)
        if any(dy <= 0 for _, dy in leg.vectors):
            hint = "put f in front, as in fmW*"
            report.add("range-direction", "a range of * goes forward only", reach.span, hint)


def _check_room(
    letters: Letters, atom: Atom, steps: int, report: Report, *, last: bool = True
) -> None:
    """Note letters that can have no effect on a leg of at most ``steps`` steps (0: any number)."""
    if last and steps == 1:
        _bar(letters, "one-step", report)
    if steps == 1 and atom.vectors and all(b == 1 for _, b in atom.vectors):
        _bar(letters, "one-square", report)
    if last:
        _bar(letters, "nothing-follows", report)


def _check_ends(letters: Letters, report: Report) -> None:
    """Warn of d alone on a last leg: old texts mean a double move by it."""
    ends = [mode for mode in letters.modes if ROWS[mode].ends]
    if len(ends) == 1:
        _bar(letters, "no-other-end", report, ends)


# Chains


class _Last(NamedTuple):
    """A leg that may come last: its letters, counted and as written, and its steps.

    ``measured`` is whether a leg before it slides.
    """

    letters: Letters
    written: str
    steps: int
    first: bool = False
    measured: bool = False


def _check_chain(chain: Chain, report: Report) -> None:
    if "chain" not in report.dialect.constructs:
        _no_chains(chain, report)
        return
    atom = chain.atom
    _check_chain_range(chain, report)
    if atom.written in WHOLE_PARTS:
        _whole_part(atom, report)
    letters = check_letters(chain.first, report)
    _bar(letters, "chain-first", report)
    _check_first_runs(letters.runs, atom, report)
    row = _Row(chain, report)
    first, *later = leg_steps(chain)
    row.enter(letters, chain.first.written, first, first=True)
    for item, steps in zip(chain.rest, later, strict=True):
        match item:
            case ChainLeg():
                row.goes_on()
                row.enter(row.later(item), item.modifiers.written, steps)
            case Repeat():
                row.repeat(item, steps)
            case nodes.Tail():
                row.tail(item)
    for last in row.lasts:
        _check_room(last.letters, atom, last.steps, report)
        _check_ends(last.letters, report)


def _check_chain_range(chain: Chain, report: Report) -> None:
    """A range counts for every leg only where the dialect says so, and without y and g."""
    reach = chain.range
    toggled = any(toggles(modifiers.modes) for modifiers in letters_in(chain))
    if reach.written and (toggled or "chain-range" not in report.dialect.constructs):
        hint = f"give each leg its range in brackets: {_in_brackets(chain)}"
        end = reach.span.start + 1 if reach.letter else reach.span.end
        span = Span(reach.span.start, end)
        report.add("range-on-chain", "a range on a chain means different things", span, hint)


def _whole_part(atom: Atom, report: Report) -> None:
    message = f"{atom.written} is a whole part, not a leg"
    report.add("whole-part", message, atom.span, "write it as a part of its own")


def _no_chains(chain: Chain, report: Report) -> None:
    """Note every a, and every repeat, that a program would skip; the letters where none does."""
    if not report.dialect.program:
        where = Span(chain.span.start, chain.atom.span.start)
        report.lacks("chains of legs", "chain", where)
        return
    remedy = "a lame knight is nN" if "skips" in report.dialect.habits else ""
    for item in chain.rest:
        if isinstance(item, Repeat):
            report.lacks("repeats", "repeat", item.span)
        elif isinstance(item, ChainLeg):
            at = item.span.start
            report.lacks("chains of legs", "chain", Span(at, at + 1), remedy)


def _in_brackets(chain: Chain) -> str:
    """A chain as a path, for a hint; without the user's letters where a path would differ."""
    atom = chain.atom.written + chain.range.letter
    told = chain.range.written.removeprefix(chain.range.letter)
    later = [item.modifiers.written for item in chain.rest if isinstance(item, ChainLeg)]
    alike = len(later) == len(chain.rest) and not any(toggles(m.modes) for m in letters_in(chain))
    if not alike or not all(map(runs_in, later)):
        return f"[{atom}-{atom}]"
    return f"[{'-'.join([chain.first.written + atom + told, *(leg + atom for leg in later)])}]"


class _Row:
    """The legs of a chain, one after another.

    ``lasts`` are those that may come last as things stand; ``slid`` is whether some leg so far
    slides, ``bent`` whether some leg may have bent.
    """

    def __init__(self, chain: Chain, report: Report) -> None:
        self.atom = chain.atom
        self.report = report
        self.lasts: list[_Last] = []
        self.slid = self.bent = False

    def enter(self, letters: Letters, written: str, steps: int, *, first: bool = False) -> None:
        """Count a leg in that comes last for now."""
        self.lasts = [_Last(letters, written, steps, first, self.slid)]
        self.slid |= steps != 1

    def goes_on(self) -> None:
        """Check the legs that came last so far, now that another one follows."""
        for last in self.lasts:
            _check_room(last.letters, self.atom, last.steps, self.report, last=False)
            if self.atom.vectors and not any(
                ROWS[mode].hop != "none" for mode in last.letters.modes
            ):
                _bar(last.letters, "no-hurdle", self.report)

    def later(self, leg: ChainLeg) -> Letters:
        """Check the letters of a later leg."""
        report = self.report
        letters = check_letters(leg.modifiers, report)
        check_runs(letters.runs, "K", report)
        _bar(letters, "chain-later", report)
        if not self.slid:
            _bar(letters, "no-slide", report)
        if letters.runs and not self.bent:
            _bar(letters, "no-bend", report)
        self.bent |= leg.turns is None or not NO_BENDS.issuperset(leg.turns)
        return letters

    def repeat(self, repeat: Repeat, steps: int) -> None:
        """Check the legs inside, written any number of times."""
        if not self._well_formed(repeat):
            return
        self.report.needs("repeat", "repeats", repeat.span)
        before = self.lasts
        # A leg of a repeat has all the others before it, from the second round on.
        self.bent = True
        for leg in repeat.legs:
            letters = self.later(leg)
            _bar(letters, "repeat", self.report)
            self.enter(letters, leg.modifiers.written, steps)
        self.lasts = [*before, *self.lasts]

    def _well_formed(self, repeat: Repeat) -> bool:
        digits, span = repeat.written, repeat.span
        where = Span(span.end - len(digits), span.end)
        if len(digits) > MOST_DIGITS:
            self.report.add("range-too-long", "two digits at most", where, "0 is unlimited")
        elif len(digits) > 1 and digits[0] == "0":
            hint = f"write {digits.lstrip('0') or 0}"
            self.report.add("leading-zero", "no leading zero", where, hint)
        elif not repeat.legs:
            empty = self.report.text[span.start + 1] == ")"
            message = "nothing is repeated" if empty else "this is no repeat of legs"
            hint = "a repeat begins with a and ends with a leg's letters, as in (af)F"
            self.report.add("repeat-form", message, span, hint)
        else:
            return True
        return False

    def tail(self, tail: nodes.Tail) -> None:
        """Check the letters after a repeat, and give them to every leg that may come last."""
        report, lasts = self.report, self.lasts
        letters = check_letters(tail.modifiers, report)
        if not all(last.first or last.measured for last in lasts):
            _bar(letters, "no-slide", report)
        for last in lasts:
            runs = runs_in(last.written + tail.modifiers.written)
            if not last.first:
                check_runs(tuple((run, tail.span) for run in runs), "K", report)
        if lasts[0].first:
            runs = runs_in(lasts[0].written + tail.modifiers.written)
            _check_first_runs(tuple((run, tail.span) for run in runs), self.atom, report)
        twice = {mode for last in lasts for mode in last.letters.modes} & letters.modes.keys()
        for mode in twice:
            span = letters.modes[mode]
            report.add("repeated-modifier", f"one {mode} is enough", span, "leave one out")
        if not twice:
            self._unite(letters, tail.modifiers.written)

    def _unite(self, tail: Letters, written: str) -> None:
        united: list[_Last] = []
        for last in self.lasts:
            letters = Letters({**last.letters.modes, **tail.modes}, last.letters.runs)
            united.append(last._replace(letters=letters, written=last.written + written))
        if not any(_check_clash(last.letters.modes, self.report) for last in united):
            self.lasts = united


# Paths


def _check_path(path: Path, report: Report) -> None:
    if not _check_form(path, report):
        return
    before = report.errors()
    whole = [_check_path_leg(at, path, report) for at in range(len(path.legs))]
    if all(whole) and report.errors() == before:
        _check_bends(path.legs, report)
    if all(whole):
        _check_prefix(path, report, clean=report.errors() == before)


def _check_form(path: Path, report: Report) -> bool:
    if path.form == "[]":
        report.needs("bracket", "brackets", path.span)
    elif "joined" not in report.dialect.constructs:
        start = path.prefix.span.end if path.form == "t[]" else path.legs[0].span.end
        size = 2 if path.form == "t[]" else 1
        report.lacks("joined legs", "joined", Span(start, start + size))
    if len(path.legs) == 1:
        span = Span(path.prefix.span.end, path.span.end)
        report.add("short-bracket", "a path has two legs or more", span, "drop the brackets")
        return False
    return True


def _check_path_leg(at: int, path: Path, report: Report) -> bool:
    """One leg with its letters, for its place in the path; whether there is one to build on."""
    leg = path.legs[at]
    atom, reach = leg.atom, leg.range
    if _in_a_row(leg.modifiers, "in a path", "inside a path", report):
        return False
    if not _check_atom(atom, report):
        return False
    _check_range(atom, reach, report)
    if atom.written in WHOLE_PARTS:
        _whole_part(atom, report)
        return False
    if reach.written == "*":
        message = "a range of * inside a path is not supported yet"
        report.add("not-supported-yet", message, reach.span)
    letters = check_letters(leg.modifiers, report)
    _bar(letters, "path", report)
    if at:
        check_runs(letters.runs, "K", report)
        _bar(letters, "path-later", report)
        if all(each.range.steps == 1 for each in path.legs[:at]):
            _bar(letters, "no-slide", report)
    else:
        _check_first_runs(letters.runs, atom, report)
        _check_first_leg(letters, path, report)
    _check_join(letters, leg, path.joins[at] if at < len(path.joins) else "", report)
    return True


def _check_join(letters: Letters, leg: Leg, join: str, report: Report) -> None:
    """Note what does not go with the sign after a leg, or with the end of the path."""
    if join:
        _bar(letters, "before-dash" if join == "-" else "before-stop", report)
    _check_room(letters, leg.atom, leg.range.steps, report, last=not join)
    if join != "-":
        _check_ends(letters, report)


def _in_a_row(letters: nodes.Modifiers, place: str, inside: str, report: Report) -> bool:
    """Whether letters are those of a chain, which a path has no place for; notes where."""
    start = letters.span.start
    found = AGAIN_OR_REPEAT.search(report.text, start, letters.span.end)
    if found is None:
        return False
    span = Span(*found.span())
    if found[0] == AGAIN:
        hint = "in a path - and ? join the legs"
        report.add("chain-in-path", f"a has no place {place}", span, hint)
    else:
        message = f"parentheses {inside} are not supported yet"
        report.add("not-supported-yet", message, span)
    return True


def _check_first_leg(letters: Letters, path: Path, report: Report) -> None:
    if path.form == "t":
        bends = [mode for mode in letters.modes if ROWS[mode].sense != "any"]
        _bar(letters, "path-first", report, bends)
        _bar(letters, "bent-first", report)
        return
    _bar(letters, "path-first", report)
    if letters.runs:
        hint = "f[F?R] selects whole paths by their end"
        message = "programs do not agree on letters of the first leg"
        report.add("first-leg-direction", message, letters.runs[0][1], hint, "warning")


def _check_bends(legs: Sequence[Leg], report: Report) -> None:
    """Note letters that lead nowhere from some way of travelling."""
    ways: set[tuple[Vector, int]] = {(vector, 0) for vector in legs[0].vectors}
    for before, leg in pairwise(legs):
        if not _supported(leg, before, report):
            return
        if leg.turns is not None and not _all_bend(leg, {way for way, _ in ways}, report):
            return
        bends = [mode for mode in leg.modifiers.modes if ROWS[mode].sense != "any"]
        if bends and leg.turns is not None and not any(bend for _, bend in ways):
            letters = Letters(dict.fromkeys(bends, leg.span), ())
            _bar(letters, "no-bend", report)
        onwards = [headings(bend_of(leg), way, bend, leg.vectors) for way, bend in ways]
        ways = {way for each in onwards for way in each}
        if not ways or (leg.turns is None and not all(onwards)):
            name, letter = leg.atom.written, "".join(bends)
            message = f"{name} has no way to bend by {letter} from the leg before it"
            hint = f"leave {letter} out, or bend with another atom"
            report.add("no-such-bend", message, leg.span, hint)
            return


def _supported(leg: Leg, before: Leg, report: Report) -> bool:
    plain = leg.turns is None and sense_of(leg.modifiers.modes) == "any"
    if plain or not is_oblique(leg.vectors[0]) or leg.atom.vectors == before.atom.vectors:
        return True
    message = "letters on an oblique leg after another atom are not supported yet"
    report.add("not-supported-yet", message, leg.span, "without letters it goes outward")
    return False


def _all_bend(leg: Leg, travelled: set[Vector], report: Report) -> bool:
    """Whether each letter has a direction of the atom from every way of travelling."""
    for way in sorted(travelled):
        for token in leg.modifiers.directions:
            if not onward(way, leg.vectors, eighths(token)):
                message = f"{leg.atom.written} has no way {token} from the leg before it"
                report.add("no-such-bend", message, leg.span, _bends(leg, travelled))
                return False
    return True


def _bends(leg: Leg, travelled: set[Vector]) -> str:
    """What could be written instead of letters that lead nowhere."""
    known = [
        token + leg.atom.written
        for token in ("f", "s", "fs", "bs", "b")
        if all(onward(way, leg.vectors, eighths(token)) for way in travelled)
    ]
    outward = "leave the letters out to go outward"
    return f"write {' or '.join(known)}, or {outward}" if known else outward


def _check_prefix(path: Path, report: Report, *, clean: bool) -> None:
    """The letters before a bracket: directions that choose whole paths, and i or ii."""
    if _in_a_row(path.prefix, "before a bracket", "before a bracket", report):
        return
    letters = check_letters(path.prefix, report)
    _bar(letters, "in-front", report)
    if not letters.runs or not clean:
        return
    ways = ways_of(path.legs, MOST_WAYS)
    ends = tuple(dict.fromkeys(map(way_end, ways)))
    system = directions.system_of(ends)
    hint = "put the letters on the legs"
    if len(ways) > MOST_WAYS:
        message = f"letters choose among at most {MOST_WAYS} paths, and these are more"
        report.add("too-many-ways", message, path.prefix.span, hint)
    elif system is None:
        message = "these paths end both straight and obliquely, so the letters choose nothing"
        report.add("mixed-ends", message, path.prefix.span, hint)
    else:
        check_runs(letters.runs, system, report)
        idle = [
            each for each in path.prefix.directions if not directions.chosen([each], ends, system)
        ]
        if idle:
            message = f"no path ends the way {idle[0]} says"
            report.add("no-such-path", message, path.prefix.span, "leave it out", "warning")

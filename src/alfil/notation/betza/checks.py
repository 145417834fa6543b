"""What means nothing in a Betza tree: one pass over its parts, after it has been read.

What is said of each mistake stands in grammars/betza_findings.tsv, and which letters mean nothing
at which place; here is where these mistakes and places are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from alfil.errors import Finding
from alfil.frozen import NamedTuple
from alfil.geometry import Vector, every_image, is_oblique
from alfil.grammars import Advised
from alfil.movement.turning import headings, onward, way_end
from alfil.notation.betza import directions, nodes
from alfil.notation.betza.directions import eighths
from alfil.notation.betza.letters import (
    AUTOMATIC,
    CASTLING,
    DIALECTS,
    HALFWAY,
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
    also_called,
    barred,
    clashing,
    elsewhere,
    found,
    modes_in,
    sense_of,
    signs,
    toggles,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Path, Range, Repeat
from alfil.notation.betza.spelling import letter_for
from alfil.notation.betza.ways import (
    MOST_WAYS,
    SIDEWAYS,
    Letters,
    Runs,
    atom_entry,
    bend_of,
    double_move,
    first_steps,
    leg_steps,
    letters_in,
    letters_of,
    runs_in,
    ways_of,
)
from alfil.source import Span

# Straight on and back, in eighths: no bends.
NO_BENDS = frozenset({0, 4})
WHOLE_PARTS = frozenset({UNIVERSAL, CASTLING})
# An atom with its range, straight after its letters.
ATOM = re.compile(r"(?:[A-Z]|\([0-9]+,[0-9]+\))[0-9]*")
# A part without joins and brackets.
ONE_LEG = re.compile(r"[b-su-z]*(?:[A-Z]+|\([0-9]+,[0-9]+\)[XY]*)[0-9]*")
AGAIN_OR_REPEAT = re.compile(r"a|\([a-z]*\)[0-9]*")


@dataclass(slots=True)
class Report:
    """What is found in a text, as it is found; ``part`` is the part looked at, from ``start`` on.

    ``reads`` tells whether the dialect of a name reads the whole text.
    """

    dialect: Dialect
    text: str
    reads: Callable[[str], bool]
    findings: list[Finding] = field(default_factory=list)
    part: str = ""
    start: int = 0

    def look_at(self, term: BetzaTerm) -> None:
        """Turn to another part."""
        self.part, self.start = self.text[slice(*term.span)], term.span.start

    def add(self, name: str, span: Span, **put: object) -> None:
        """Note what the table says under a name, with some words put in."""
        self.findings.append(found(name, span, **put))

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

    def without(self, span: Span, instead: str = "") -> str:
        """The part looked at with something else, or nothing, in place of a stretch of it."""
        start = self.start
        return self.part[: span.start - start] + instead + self.part[span.end - start :]

    def lacks(self, what: str, construct: str, span: Span, hint: str = "") -> None:
        """Note that the dialect does not have something another one has."""
        names = elsewhere(construct, self.dialect)
        where = next(filter(self.reads, names), "")
        told = [hint] if hint else []
        if where:
            told.append(f"the dialect {where} reads it")
        if where == "betza" and self.dialect.program:
            known = f"what {self.dialect.program} is known to make of it"
            told.append(f"alfil check --for {self.dialect.name} shows {known}")
        remedies = "; ".join(told) or found("instead").hint
        put = {"dialect": self.dialect.name, "what": what, "remedies": Advised(remedies)}
        self.add("lacks", span, **put)

    def needs(self, construct: Construct, what: str, span: Span) -> None:
        """Note a construct that the dialect does not have."""
        if construct not in self.dialect.constructs:
            self.lacks(what, construct, span)


def check_part(
    term: BetzaTerm, before: BetzaTerm | None, report: Report, *, known: bool = False
) -> None:
    """Note what means nothing in a part; where it is ``known`` to be good, only beside another."""
    report.look_at(term)
    if before is not None:
        _check_neighbour(term, before, report)
    if known or is_simple(term, report.dialect):
        return
    _check_burning(term, report)
    if isinstance(term, Path):
        _check_path(term, report)
    elif not _check_atom(term.atom, report):
        for modifiers in letters_in(term):
            check_letters(modifiers, report)
    else:
        if term.range.written:
            _check_range(term.atom, term.range, report)
        if isinstance(term, Chain):
            _check_chain(term, report)
        else:
            _check_single(term, report)


def is_simple(term: BetzaTerm, dialect: Dialect) -> bool:
    """Whether a part is a letter with directions that count, as most are, perhaps with a digit.

    Nothing can be wrong in it.
    """
    if not isinstance(term, Leg):
        return False
    letters, atom, reach = term.modifiers, term.atom.written, term.range.written
    return (
        not letters.modes
        and (not reach or (len(reach) == 1 and reach.isdigit()))
        and (not letters.written or letters.written == "".join(letters.directions))
        and atom in dialect.atoms
        and atom not in WHOLE_PARTS
        and not (letters.written and not dialect.constructs.isdisjoint({"apart", "squares"}))
        and not (letters.written and _chooses_all((letters.written,), atom, term.atom.vectors))
    )


def _check_neighbour(term: BetzaTerm, before: BetzaTerm, report: Report) -> None:
    """Note what is wrong with a part only because of the one before it."""
    if isinstance(term, Path):
        after_atom = isinstance(before, Leg | Chain) or before.form == "t"
        if term.form == "t[]" and term.prefix.span.end == term.span.start and after_atom:
            report.add("t-first", Span(term.span.start, term.span.start + 1))
    elif isinstance(term, Leg) and isinstance(before, Leg | Chain):
        doubled = term.atom.written == before.atom.written and not before.range.written
        if doubled and term.atom.written[0] == "(" and not term.modifiers.written:
            report.add("doubled-vector", term.atom.span, atom=term.atom.written)


def _check_burning(term: BetzaTerm, report: Report) -> None:
    """Note a letter that burns where others may mean another thing, or nothing is known of it."""
    plain = isinstance(term, Leg) and term.atom.written == "K" and not term.range.written
    for letters in letters_in(term) if any(each.modes for each in letters_in(term)) else ():
        for mode, span in letters_of(letters, report.dialect).modes.items():
            if mode == AUTOMATIC:
                if not (isinstance(term, Leg) and "m" in letters.modes):
                    report.add("auto-capture", span)
            elif ROWS[mode].burns and not (plain and not letters.directions):
                report.add("unsupported-letter", span, letter=mode, what=UNSUPPORTED[mode])


# Letters


def check_letters(modifiers: nodes.Modifiers, report: Report) -> Letters:
    """Note letters the dialect does not know, stand twice or exclude each other."""
    if not modifiers.written:
        return Letters({}, ())
    sound = _sound(modifiers.written, report.dialect.name)
    if sound is None:
        return _judged(modifiers, report)
    start = modifiers.span.start
    if not start:
        return Letters(dict(sound.modes), sound.runs)
    return Letters(
        {mode: span.shift(start) for mode, span in sound.modes.items()},
        tuple([(run, span.shift(start)) for run, span in sound.runs]),
    )


@lru_cache(maxsize=4096)
def _sound(written: str, dialect: str) -> Letters | None:
    """The letters of a leg, in which nothing is wrong; their places count from the first one."""
    known = DIALECTS[dialect].modes
    modes: dict[Mode, Span] = {}
    runs: list[tuple[str, Span]] = []
    for sign in signs(written):
        if sign.directions:
            runs.append((sign.text, sign.span(0)))
            continue
        told = modes_in(sign.text)
        if not told or told[0] not in known or told[0] in modes:
            return None
        modes[told[0]] = sign.span(0)
    wrong = double_move(written) is not None or (len(modes) > 1 and clashing(modes))
    return None if wrong else Letters(modes, tuple(runs))


def _judged(modifiers: nodes.Modifiers, report: Report) -> Letters:
    start = modifiers.span.start
    modes: dict[Mode, Span] = {}
    for sign in signs(modifiers.written):
        if not sign.directions and _known(sign, sign.span(start), report):
            (mode,) = modes_in(sign.text)
            if mode in modes:
                report.add("twice", sign.span(start), letter=mode)
            modes.setdefault(mode, sign.span(start))
    at = double_move(modifiers.written)
    if at is not None:
        report.add("old-double-move", Span(start + at, start + at + 2))
    else:
        _check_clash(modes, report, modifiers.span)
    return letters_of(modifiers, report.dialect)


def _known(sign: Sign, span: Span, report: Report) -> bool:
    """Whether a letter is one of the dialect's; notes what is wrong when it is not."""
    letter = sign.text
    if letter in report.dialect.modes:
        return True
    if letter == AUTOMATIC:
        report.add("twice", span, letter=letter[0])
    elif letter == HALFWAY and report.dialect.program:
        # To programs these are directions.
        report.add("half-direction", span, letters=letter)
    elif letter in UNSUPPORTED and report.dialect.name != "classic":
        report.add("unsupported-letter", span, letter=letter, what=UNSUPPORTED[letter])
    elif modes_in(letter) and letter != JOIN:
        remedy = "for several legs write parts of one leg" if letter == "y" else ""
        report.lacks(f"modifier {letter}", letter, span, remedy)
    else:
        report.add("unknown-letter", span, letter=letter)
    return False


def _check_clash(modes: dict[Mode, Span], report: Report, letters: Span | None = None) -> bool:
    """Note letters that exclude each other; ``letters`` is where all of them stand in a row."""
    pair = clashing(modes)
    if pair:
        one, other = (modes[letter] for letter in pair)
        start, end = letters or one
        atom = letters and ATOM.match(report.text, end)
        parts = Advised("two parts, one for each")
        if atom:
            kept = (report.text[start:a] + report.text[b:end] for a, b in (other, one))
            parts = Advised(f"‹{''.join(letters + atom[0] for letters in kept)}›")
        report.add("clash", one.to(other), first=pair[0], second=pair[1], parts=parts)
    return pair is not None


def _bar(
    letters: Letters,
    place: Place,
    report: Report,
    among: Iterable[Mode] | None = None,
    **put: object,
) -> None:
    """Note the letters that mean nothing at a place, with some words put in."""
    for letter in list(letters.modes if among is None else among):
        words = barred(letter, place)
        if words is not None:
            report.findings.append(words.at(letters.modes[letter], letter=letter, **put))
            if words.sense == "lost":
                del letters.modes[letter]


# Directions


def check_runs(runs: Runs, system: directions.System, report: Report) -> None:
    """Note what is wrong in runs of direction letters."""
    for run, span in runs:
        cut = directions.tokenise(run, system)
        if isinstance(cut, directions.Slip):
            # After a repeat a run has letters of two places, and only the last of them are here.
            whole = span.end - span.start == len(run)
            where = Span(span.start + cut.start, span.start + cut.end) if whole else span
            wrong = run[cut.start : cut.end]
            axis = max(wrong, key=directions.AXES.__contains__)
            turned = wrong[::-1]
            crossed = isinstance(directions.tokenise(turned, system), directions.Slip)
            name = "crossed-axes" if crossed and cut.kind == "direction-order" else cut.kind
            hint = _reordered(report.part, wrong, turned)
            report.add(name, where, letters=wrong, axis=axis, reordered=hint)
    if len(runs) > 1 and system != "W":
        report.add("split-directions", runs[0][1].to(runs[-1][1]))


def _reordered(part: str, letters: str, turned: str) -> Advised:
    """What to write for two letters in the wrong order: whole parts, where it is one of one leg."""
    before, _, after = part.partition(letters)
    if not ONE_LEG.fullmatch(part):
        return Advised(f"write {turned}, or take the letters apart into two parts")
    between, apart = before + turned + after, "".join(before + each + after for each in letters)
    return Advised(f"write ‹{between}› for what lies between, or ‹{apart}› for both directions")


def _check_first_runs(runs: Runs, atom: Atom, report: Report) -> None:
    """Note what is wrong in the directions of a first leg."""
    if not runs:
        return
    if "squares" in report.dialect.constructs and runs[0][0] == "ss" and not _is_oblique(atom):
        report.add("spacious", runs[0][1])
        return
    if atom.written == UNIVERSAL:
        report.add("universal-direction", runs[0][1])
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
    if not report.errors():
        _check_choice(runs, atom, report)


def _is_oblique(atom: Atom) -> bool:
    return any(map(is_oblique, atom.vectors))


def _check_choice(runs: Runs, atom: Atom, report: Report) -> None:
    """Note letters that choose all directions there are: who wrote them meant some of them."""
    written = tuple(run for run, _ in runs)
    if _chooses_all(
        written, atom.written, atom.vectors, apart="apart" in report.dialect.constructs
    ):
        span = runs[0][1].to(runs[-1][1])
        report.add("every-direction", span, letters="".join(written), atom=atom.written)


@lru_cache(maxsize=4096)
def _chooses_all(
    runs: tuple[str, ...],
    written: str,
    bases: tuple[Vector, ...],
    *,
    apart: bool = False,
) -> bool:
    """Whether runs of directions leave none of the directions of an atom out."""
    every = set(every_image(bases))
    return bool(every) and every <= set(first_steps(runs, written, bases, apart=apart)[1])


def _check_sides(runs: Runs, report: Report) -> None:
    for run, span in runs:
        for at, letter in enumerate(run, span.start):
            if letter not in SIDEWAYS:
                report.add("castling-direction", Span(at, at + 1), letter=letter)


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
    if suffix:
        where = Span(start + 1, start + 1 + len(suffix))
        if atom_entry(atom.written, report.dialect.name) is None:
            report.add("suffix-on-compound", where, suffix=suffix)
            return False
        _check_suffix(atom, where, report)
    return True


def _no_atom(letter: str, span: Span, report: Report) -> None:
    if any(elsewhere(letter, report.dialect)):
        other = also_called(letter, report.dialect)
        report.lacks(f"atom {letter}", letter, span, f"its leap is ‹{other}›" if other else "")
    else:
        report.add("unknown-atom", span, letter=letter)


def _check_suffix(atom: Atom, span: Span, report: Report) -> None:
    report.needs("suffix", "suffixes X and Y", span)
    if max(map(max, atom.vectors)) > LARGEST_NUMBER:
        report.add("vector-too-long", span)


def _check_numbers(atom: Atom, report: Report) -> bool:
    inside, _, suffix = atom.written[1:].partition(")")
    at = atom.span.start + 1
    for number in inside.split(","):
        where = Span(at, at + len(number))
        if len(number) > MOST_DIGITS:
            report.add("number-too-long", where)
            return False
        if len(number) > 1 and number[0] == "0":
            report.add("leading-zero", where, number=number[1:])
            return False
        at += len(number) + 1
    report.needs("vector", "leaps in numbers", atom.span)
    if not atom.vectors:
        report.add("zero-vector", atom.span)
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
        number, letter = written[1:], "" if atom.slides else reach.letter
        report.add("double-and-range", reach.span, atom=atom.written, number=number, letter=letter)
    elif written and report.dialect.doubles(written):
        _check_doubled(atom, reach, report)


def _check_doubled(atom: Atom, reach: Range, report: Report) -> None:
    letter = reach.written
    whole = atom.span.to(reach.span)
    if letter == "K" and "king-rider" not in report.dialect.constructs:
        report.add("doubled-king", whole)
    elif not atom.vectors:
        report.add("doubled-whole", whole, letter=letter)
    elif atom.slides:
        report.add("doubled-slider", reach.span, letter=letter)


def _check_digits(atom: Atom, reach: Range, report: Report) -> None:
    text, span = reach.written, reach.span
    if len(text) > 1 and text[0] == "0" and "leading-zero" not in report.dialect.constructs:
        report.add("range-zero", span, atom=atom.written, number=text.lstrip("0") or 0)
    elif len(text) > MOST_DIGITS:
        report.add("range-too-long", span)
    elif len(text) > report.dialect.digits:
        report.add("one-digit", span, program=report.dialect.program, digit=text[0])


# Parts of one leg


def _check_single(leg: Leg, report: Report) -> None:
    """A part with one atom and one leg."""
    atom, reach = leg.atom, leg.range
    letters = check_letters(leg.modifiers, report)
    _check_first_runs(letters.runs, atom, report)
    if atom.written == CASTLING:
        if not reach.written.isdigit() or reach.steps < 1:
            report.add("castling-range", atom.span)
        _bar(letters, "castling", report)
        return
    if atom.written == UNIVERSAL:
        if reach.written:
            report.add("universal-range", reach.span)
        _bar(letters, "universal", report)
        _check_ends(letters, report)
        return
    _check_room(letters, atom, reach.steps, report)
    _check_halfway(letters, reach, report)
    if reach.written and reach.steps == 1:
        _bar(letters, "one-bend", report)
    _check_ends(letters, report)
    if reach.written == "*":
        _bar(letters, "own-half", report)
        if "star" in report.dialect.constructs and any(dy <= 0 for _, dy in leg.vectors):
            report.add("backward-range", reach.span)


def _check_halfway(letters: Letters, last: Range, report: Report) -> None:
    """Note half the way to the edge beside a last leg that does not go on as far as it can."""
    if last.steps or last.written == "*":
        _bar(letters, "bounded", report, [mode for mode in letters.modes if mode == HALFWAY])


def _check_room(
    letters: Letters, atom: Atom, steps: int, report: Report, *, last: bool = True
) -> None:
    """Note letters that can have no effect on a leg of at most ``steps`` steps (0: any number)."""
    if not letters.modes:
        return
    if last and steps == 1:
        far = bool(atom.vectors) and all(b > 1 for _, b in atom.vectors)
        letter = letter_for(atom.vectors, report.dialect, slides=True)
        slider = report.without(atom.span, letter) if letter else ""
        place: Place = "one-leap" if far else "one-step"
        _bar(letters, place, report, atom=atom.written, slider=slider)
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
        report.add("whole-part", atom.span, atom=atom.written)
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
                row.enter(row.later(item, steps), item.modifiers.written, steps)
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
        end = reach.span.start + 1 if reach.letter else reach.span.end
        report.add("chain-range", Span(reach.span.start, end))


def _no_chains(chain: Chain, report: Report) -> None:
    """Note every a, and every repeat, that a program would skip; the letters where none does."""
    if not report.dialect.program:
        where = Span(chain.span.start, chain.atom.span.start)
        report.lacks("chains of legs", "chain", where)
        return
    # A step, then one that turns by 45°.
    two_steps = chain.atom.written == "W" and len(chain.rest) == 1
    lame = two_steps and any("fs" in each.written for each in letters_in(chain))
    remedy = "a lame knight is ‹nN›" if lame and "skips" in report.dialect.habits else ""
    for item in chain.rest:
        if isinstance(item, Repeat):
            report.lacks("repeats", "repeat", item.span)
        elif isinstance(item, ChainLeg):
            at = item.span.start
            report.lacks("chains of legs", "chain", Span(at, at + 1), remedy)


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
            modes = last.letters.modes
            if {"p", "y"} <= modes.keys() and "m" not in modes:
                first, second = sorted((modes["p"], modes["y"]), key=lambda span: span.start)
                self.report.add("hop-and-toggle", first.to(second))
            _check_room(last.letters, self.atom, last.steps, self.report, last=False)
            if self.atom.vectors and not any(
                ROWS[mode].hop != "none" for mode in last.letters.modes
            ):
                _bar(last.letters, "no-hurdle", self.report)

    def later(self, leg: ChainLeg, steps: int) -> Letters:
        """Check the letters of a later leg of so many steps."""
        report = self.report
        letters = check_letters(leg.modifiers, report)
        check_runs(letters.runs, "K", report)
        _bar(letters, "chain-later", report)
        if not self.slid:
            _bar(letters, "no-slide", report)
        elif "i" in letters.modes and steps == 1:
            report.add("one-step-as-far", letters.modes["i"])
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
            letters = self.later(leg, steps)
            _bar(letters, "repeat", self.report)
            self.enter(letters, leg.modifiers.written, steps)
        self.lasts = [*before, *self.lasts]

    def _well_formed(self, repeat: Repeat) -> bool:
        digits, span = repeat.written, repeat.span
        where = Span(span.end - len(digits), span.end)
        if len(digits) > MOST_DIGITS:
            self.report.add("range-too-long", where)
        elif len(digits) > 1 and digits[0] == "0":
            self.report.add("leading-zero", where, number=digits.lstrip("0") or 0)
        elif not repeat.legs:
            empty = self.report.text[span.start + 1] == ")"
            self.report.add("nothing-repeated" if empty else "no-repeat", span)
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
            report.add("twice", letters.modes[mode], letter=mode)
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
    if path.form in {"[]", "()"}:
        report.needs("bracket", "brackets", path.span)
    elif "joined" not in report.dialect.constructs:
        start = path.prefix.span.end if path.form == "t[]" else path.legs[0].span.end
        size = 2 if path.form == "t[]" else 1
        report.lacks("joined legs", "joined", Span(start, start + size))
    if len(path.legs) == 1:
        joined = path.form.rstrip("[]")
        report.add("short-bracket", Span(path.prefix.span.end, path.span.end), letter=joined)
        return False
    return True


def _check_path_leg(at: int, path: Path, report: Report) -> bool:
    """One leg with its letters, for its place in the path; whether there is one to build on."""
    leg = path.legs[at]
    atom, reach = leg.atom, leg.range
    if _in_a_row(leg.modifiers, "inside", report):
        return False
    if not _check_atom(atom, report):
        return False
    _check_range(atom, reach, report)
    if atom.written in WHOLE_PARTS:
        report.add("whole-part", atom.span, atom=atom.written)
        return False
    if reach.written == "*":
        report.add("path-star", reach.span)
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


def _in_a_row(letters: nodes.Modifiers, where: str, report: Report) -> bool:
    """Whether letters are those of a chain, which a path has no place for; notes where."""
    row = AGAIN_OR_REPEAT.search(report.text, letters.span.start, letters.span.end)
    if row is None:
        return False
    report.add(where, Span(*row.span()), letter=row[0][0])
    return True


def _check_first_leg(letters: Letters, path: Path, report: Report) -> None:
    if path.form == "t":
        bends = [mode for mode in letters.modes if ROWS[mode].sense != "any"]
        _bar(letters, "path-first", report, bends)
        _bar(letters, "bent-first", report)
        return
    _bar(letters, "path-first", report)
    if letters.runs and path.form != "()":
        report.add("first-leg-direction", letters.runs[0][1])


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
            report.add("no-bend-by", leg.span, atom=leg.atom.written, letter="".join(bends))
            return


def _supported(leg: Leg, before: Leg, report: Report) -> bool:
    plain = leg.turns is None and sense_of(leg.modifiers.modes) == "any"
    if plain or not is_oblique(leg.vectors[0]) or leg.atom.vectors == before.atom.vectors:
        return True
    report.add("oblique-bend", leg.span)
    return False


def _all_bend(leg: Leg, travelled: set[Vector], report: Report) -> bool:
    """Whether each letter has a direction of the atom from every way of travelling."""
    for way in sorted(travelled):
        for token in leg.modifiers.directions:
            if not onward(way, leg.vectors, eighths(token)):
                instead = _bends(leg, travelled)
                report.add("no-way", leg.span, atom=leg.atom.written, token=token, instead=instead)
                return False
    return True


def _bends(leg: Leg, travelled: set[Vector]) -> Advised:
    """What could be written instead of letters that lead nowhere."""
    known = [
        token + leg.atom.written
        for token in ("f", "s", "fs", "bs", "b")
        if all(onward(way, leg.vectors, eighths(token)) for way in travelled)
    ]
    outward = "leave the letters out to go outward"
    offers = " or ".join(f"‹{each}›" for each in known)
    return Advised(f"write {offers}, or {outward}" if known else outward)


def _check_prefix(path: Path, report: Report, *, clean: bool) -> None:
    """The letters before a bracket: directions that choose whole paths, and i or ii."""
    if _in_a_row(path.prefix, "before-bracket", report):
        return
    letters = check_letters(path.prefix, report)
    _bar(letters, "in-front", report)
    _check_halfway(letters, path.legs[-1].range, report)
    if not letters.runs or not clean:
        return
    ways = ways_of(path.legs, MOST_WAYS)
    ends = tuple(dict.fromkeys(map(way_end, ways)))
    system = directions.system_of(ends)
    if len(ways) > MOST_WAYS:
        report.add("too-many-ways", path.prefix.span, most=MOST_WAYS)
    elif system is None:
        report.add("mixed-ends", path.prefix.span)
    else:
        check_runs(letters.runs, system, report)
        idle = [
            each for each in path.prefix.directions if not directions.chosen([each], ends, system)
        ]
        if idle:
            report.add("no-such-path", path.prefix.span, token=idle[0])
        elif set(directions.chosen(path.prefix.directions, ends, system)) >= set(ends):
            written = "".join(path.prefix.directions)
            report.add("every-direction", path.prefix.span, letters=written, atom="the path")

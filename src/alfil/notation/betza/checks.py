"""What means nothing in a Betza tree: one pass over its parts, after it has been read.

What is said of each mistake stands in grammars/betza_diagnostics.tsv, and which letters mean
nothing at which place; here is where these mistakes and places are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from alfil.data_files import HintText
from alfil.errors import Diagnostic
from alfil.frozen import NamedTuple
from alfil.geometry import Vector, all_images, is_oblique
from alfil.movement.turns import chosen_directions, end_of_way, steps_by_turn
from alfil.notation.betza import directions, nodes
from alfil.notation.betza.directions import compass_directions
from alfil.notation.betza.letter_spelling import letter_for
from alfil.notation.betza.letters import (
    AUTOMATIC,
    CASTLING,
    DIALECTS,
    HALFWAY,
    JOIN,
    LARGEST_NUMBER,
    LETTER_ROWS,
    MOST_DIGITS,
    UNIVERSAL,
    UNSUPPORTED,
    Construct,
    Dialect,
    LetterRun,
    Mode,
    Place,
    clashing,
    dialects_with,
    equivalent_letter,
    make_diagnostic,
    message_where_barred,
    modes_in,
    sense_of,
    split_letters,
    toggles_range,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Path, Range, Repeat
from alfil.notation.betza.paths import (
    MOST_WAYS,
    SIDEWAYS,
    DirectionRuns,
    Letters,
    atom_entry,
    bend_of,
    double_move_position,
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
# An atom with what makes its leap longer and its range, straight after its letters.
ATOM_MESSAGES = re.compile(r"(?:[A-Z]|\([0-9]+,[0-9]+\))[XY]*[0-9]*")
# A part without joins and brackets.
ONE_LEG = re.compile(r"[b-su-z]*(?:[A-Z]+|\([0-9]+,[0-9]+\)[XY]*)[0-9]*")
AGAIN_OR_REPEAT = re.compile(r"a|\([a-z]*\)[0-9]*")


@dataclass(slots=True)
class Report:
    """What is found in a text, as it is found; ``part`` is the part looked at, from ``start`` on.

    ``is_valid`` tells whether the dialect of a name reads the whole text.
    """

    dialect: Dialect
    text: str
    is_valid: Callable[[str], bool]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    part: str = ""
    start: int = 0

    def begin_part(self, term: BetzaTerm) -> None:
        """Turn to another part."""
        self.part, self.start = self.text[slice(*term.span)], term.span.start

    def add_diagnostic(self, name: str, span: Span, **put: object) -> None:
        """Note what the table says under a name, with some words put in."""
        self.diagnostics.append(make_diagnostic(name, span, **put))

    def errors(self) -> int:
        """How many errors there are."""
        return sum(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    def has(self, span: Span) -> bool:
        """Whether something has been found at this very place."""
        return any(diagnostic.spans == (span,) for diagnostic in self.diagnostics)

    def discard_within(self, span: Span) -> None:
        """Forget what was found inside a stretch that is to be reported as a whole."""
        self.diagnostics = [
            each
            for each in self.diagnostics
            if not (span.start <= each.spans[0].start and each.spans[0].end <= span.end)
        ]

    def part_with_replacement(self, span: Span, instead: str = "") -> str:
        """The part looked at with something else, or nothing, in place of a stretch of it."""
        start = self.start
        return self.part[: span.start - start] + instead + self.part[span.end - start :]

    def add_missing(self, what: str, construct: str, span: Span, hint: str = "") -> None:
        """Note that the dialect does not have something another one has."""
        names = dialects_with(construct, self.dialect)
        where = next(filter(self.is_valid, names), "")
        hints = [hint] if hint else []
        if where:
            hints.append(f"the dialect {where} reads it")
        if where == "betza" and self.dialect.program:
            known = f"what {self.dialect.program} is known to make of it"
            hints.append(f"alfil check --for {self.dialect.name} shows {known}")
        remedies = "; ".join(hints) or make_diagnostic("instead").hint
        put = {"dialect": self.dialect.name, "what": what, "remedies": HintText(remedies)}
        self.add_diagnostic("lacks", span, **put)

    def add_missing_construct(self, construct: Construct, what: str, span: Span) -> None:
        """Note a construct that the dialect does not have."""
        if construct not in self.dialect.constructs:
            self.add_missing(what, construct, span)


def check_part(
    term: BetzaTerm, before: BetzaTerm | None, report: Report, *, known: bool = False
) -> None:
    """Note what means nothing in a part; where it is ``known`` to be good, only beside another."""
    report.begin_part(term)
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
        and not (letters.written and _selects_all((letters.written,), atom, term.atom.vectors))
    )


def _check_neighbour(term: BetzaTerm, before: BetzaTerm, report: Report) -> None:
    """Note what is wrong with a part only because of the one before it."""
    if isinstance(term, Path):
        after_atom = isinstance(before, Leg | Chain) or before.form == "t"
        if term.form == "t[]" and term.prefix.span.end == term.span.start and after_atom:
            report.add_diagnostic("t-first", Span(term.span.start, term.span.start + 1))
    elif isinstance(term, Leg) and isinstance(before, Leg | Chain):
        doubled = term.atom.written == before.atom.written and not before.range.written
        if doubled and term.atom.written[0] == "(" and not term.modifiers.written:
            report.add_diagnostic("doubled-vector", term.atom.span, atom=term.atom.written)


def _check_burning(term: BetzaTerm, report: Report) -> None:
    """Note a letter that burns where others may mean another thing, or nothing is known of it."""
    plain = isinstance(term, Leg) and term.atom.written == "K" and not term.range.written
    for letters in letters_in(term) if any(each.modes for each in letters_in(term)) else ():
        for mode, span in letters_of(letters, report.dialect).modes.items():
            if mode == AUTOMATIC:
                if not (isinstance(term, Leg) and "m" in letters.modes):
                    report.add_diagnostic("auto-capture", span)
            elif LETTER_ROWS[mode].burns and not (plain and not letters.directions):
                report.add_diagnostic(
                    "unsupported-letter", span, letter=mode, what=UNSUPPORTED[mode]
                )


# Letters


def check_letters(modifiers: nodes.Modifiers, report: Report) -> Letters:
    """Note letters the dialect does not know, stand twice or exclude each other."""
    if not modifiers.written:
        return Letters({}, ())
    sound = _letters_if_valid(modifiers.written, report.dialect.name)
    if sound is None:
        return _check_each_letter(modifiers, report)
    start = modifiers.span.start
    if not start:
        return Letters(dict(sound.modes), sound.runs)
    return Letters(
        {mode: span.shift(start) for mode, span in sound.modes.items()},
        tuple([(run, span.shift(start)) for run, span in sound.runs]),
    )


@lru_cache(maxsize=4096)
def _letters_if_valid(written: str, dialect: str) -> Letters | None:
    """The letters of a leg, in which nothing is wrong; their places count from the first one."""
    known = DIALECTS[dialect].modes
    modes: dict[Mode, Span] = {}
    runs: list[tuple[str, Span]] = []
    for sign in split_letters(written):
        if sign.directions:
            runs.append((sign.text, sign.span(0)))
            continue
        modes_read = modes_in(sign.text)
        if not modes_read or modes_read[0] not in known or modes_read[0] in modes:
            return None
        modes[modes_read[0]] = sign.span(0)
    wrong = double_move_position(written) is not None or (len(modes) > 1 and clashing(modes))
    return None if wrong else Letters(modes, tuple(runs))


def _check_each_letter(modifiers: nodes.Modifiers, report: Report) -> Letters:
    start = modifiers.span.start
    modes: dict[Mode, Span] = {}
    for sign in split_letters(modifiers.written):
        if not sign.directions and _check_known(sign, sign.span(start), report):
            (mode,) = modes_in(sign.text)
            if mode in modes:
                report.add_diagnostic("twice", sign.span(start), letter=mode)
            modes.setdefault(mode, sign.span(start))
    at = double_move_position(modifiers.written)
    if at is not None:
        report.add_diagnostic("old-double-move", Span(start + at, start + at + 2))
    else:
        _check_clash(modes, report, modifiers.span)
    return letters_of(modifiers, report.dialect)


def _check_known(sign: LetterRun, span: Span, report: Report) -> bool:
    """Whether a letter is one of the dialect's; notes what is wrong when it is not."""
    letter = sign.text
    if letter in report.dialect.modes:
        return True
    if letter == AUTOMATIC:
        report.add_diagnostic("twice", span, letter=letter[0])
    elif letter == HALFWAY and report.dialect.program:
        # To programs these are directions.
        report.add_diagnostic("half-direction", span, letters=letter)
    elif letter in UNSUPPORTED and report.dialect.name != "classic":
        report.add_diagnostic("unsupported-letter", span, letter=letter, what=UNSUPPORTED[letter])
    elif modes_in(letter) and letter != JOIN:
        remedy = "for several legs write parts of one leg" if letter == "y" else ""
        report.add_missing(f"modifier {letter}", letter, span, remedy)
    else:
        report.add_diagnostic("unknown-letter", span, letter=letter)
    return False


def _check_clash(modes: dict[Mode, Span], report: Report, letters: Span | None = None) -> bool:
    """Note letters that exclude each other; ``letters`` is where all of them stand in a row."""
    pair = clashing(modes)
    if pair:
        one, other = (modes[letter] for letter in pair)
        start, end = letters or one
        # A leg cannot be two; the part it is in can.
        later = report.text[:start].endswith(("a", "[", "-", "?", "(", "t"))
        atom = letters and not later and ATOM_MESSAGES.match(report.text, end)
        parts = HintText("two parts, one for each")
        if atom:
            reordered_parts = (report.text[start:a] + report.text[b:end] for a, b in (other, one))
            parts = HintText(f"‹{''.join(letters + atom[0] for letters in reordered_parts)}›")
        report.add_diagnostic("clash", one.to(other), first=pair[0], second=pair[1], parts=parts)
    return pair is not None


def _report_barred(
    letters: Letters,
    place: Place,
    report: Report,
    among: Iterable[Mode] | None = None,
    **put: object,
) -> None:
    """Note the letters that mean nothing at a place, with some words put in."""
    for letter in list(letters.modes if among is None else among):
        words = message_where_barred(letter, place)
        if words is not None:
            report.diagnostics.append(
                words.diagnostic_at(letters.modes[letter], letter=letter, **put)
            )
            if words.severity == "lost":
                del letters.modes[letter]


# Directions


def check_runs(runs: DirectionRuns, system: directions.System, report: Report) -> None:
    """Note what is wrong in runs of direction letters."""
    for run, span in runs:
        cut = directions.tokenise(run, system)
        if isinstance(cut, directions.RunError):
            # After a repeat a run has letters of two places, and only the last of them are here.
            whole = span.end - span.start == len(run)
            where = Span(span.start + cut.start, span.start + cut.end) if whole else span
            wrong = run[cut.start : cut.end]
            axis = max(wrong, key=directions.AXES.__contains__)
            turned = wrong[::-1]
            crossed = isinstance(directions.tokenise(turned, system), directions.RunError)
            name = "crossed-axes" if crossed and cut.kind == "direction-order" else cut.kind
            hint = _reordered_text(report.part, wrong, turned)
            report.add_diagnostic(name, where, letters=wrong, axis=axis, reordered=hint)
    if len(runs) > 1 and system != "W":
        report.add_diagnostic("split-directions", runs[0][1].to(runs[-1][1]))


def _reordered_text(part: str, letters: str, turned: str) -> HintText:
    """What to write for two letters in the wrong order: whole parts, where it is one of one leg."""
    before, found, after = part.partition(letters)
    if not found or not ONE_LEG.fullmatch(part):
        return HintText(f"write {turned}, or take the letters apart into two parts")
    between, apart = before + turned + after, "".join(before + each + after for each in letters)
    return HintText(f"write ‹{between}› for what lies between, or ‹{apart}› for both directions")


def _check_first_runs(runs: DirectionRuns, atom: Atom, report: Report) -> None:
    """Note what is wrong in the directions of a first leg."""
    if not runs:
        return
    if "squares" in report.dialect.constructs and runs[0][0] == "ss" and not _is_oblique(atom):
        report.add_diagnostic("spacious", runs[0][1])
        return
    if atom.written == UNIVERSAL:
        report.add_diagnostic("universal-direction", runs[0][1])
    elif atom.written == CASTLING:
        _check_sides(runs, report)
    elif len(atom.vectors) > 1 and "apart" in report.dialect.constructs:
        # K and Q as W and F: a letter that is wrong on both is one mistake.
        result = len(report.diagnostics)
        check_runs(runs, "W", report)
        if len(report.diagnostics) == result:
            check_runs(runs, "F", report)
    else:
        check_runs(runs, directions.atom_system(atom.vectors), report)
    if not report.errors():
        _check_choice(runs, atom, report)


def _is_oblique(atom: Atom) -> bool:
    return any(map(is_oblique, atom.vectors))


def _check_choice(runs: DirectionRuns, atom: Atom, report: Report) -> None:
    """Note letters that choose all directions there are: who wrote them meant some of them."""
    written = tuple(run for run, _ in runs)
    if _selects_all(
        written, atom.written, atom.vectors, apart="apart" in report.dialect.constructs
    ):
        span = runs[0][1].to(runs[-1][1])
        report.add_diagnostic("every-direction", span, letters="".join(written), atom=atom.written)


@lru_cache(maxsize=4096)
def _selects_all(
    runs: tuple[str, ...],
    written: str,
    bases: tuple[Vector, ...],
    *,
    apart: bool = False,
) -> bool:
    """Whether runs of directions leave none of the directions of an atom out."""
    every = set(all_images(bases))
    return bool(every) and every <= set(first_steps(runs, written, bases, apart=apart)[1])


def _check_sides(runs: DirectionRuns, report: Report) -> None:
    for run, span in runs:
        for at, letter in enumerate(run, span.start):
            if letter not in SIDEWAYS:
                report.add_diagnostic("castling-direction", Span(at, at + 1), letter=letter)


# Atoms and ranges


def _check_atom(atom: Atom, report: Report) -> bool:
    """Note what is wrong with an atom; whether there is one to build on."""
    if atom.written[0] == "(":
        return _check_numbers(atom, report)
    letter, suffix = atom.written[0], atom.written[1:]
    start = atom.span.start
    if letter not in report.dialect.atoms:
        _report_no_atom(letter, Span(start, start + 1), report)
        return False
    if suffix:
        where = Span(start + 1, start + 1 + len(suffix))
        if atom_entry(atom.written, report.dialect.name) is None:
            report.add_diagnostic("suffix-on-compound", where, suffix=suffix)
            return False
        _check_suffix(atom, where, report)
    return True


def _report_no_atom(letter: str, span: Span, report: Report) -> None:
    if any(dialects_with(letter, report.dialect)):
        other = equivalent_letter(letter, report.dialect)
        report.add_missing(
            f"atom {letter}", letter, span, f"its leap is ‹{other}›" if other else ""
        )
    else:
        report.add_diagnostic("unknown-atom", span, letter=letter)


def _check_suffix(atom: Atom, span: Span, report: Report) -> None:
    report.add_missing_construct("suffix", "suffixes X and Y", span)
    if max(map(max, atom.vectors)) > LARGEST_NUMBER:
        report.add_diagnostic("vector-too-long", span)


def _check_numbers(atom: Atom, report: Report) -> bool:
    inside, _, suffix = atom.written[1:].partition(")")
    at = atom.span.start + 1
    for number in inside.split(","):
        where = Span(at, at + len(number))
        if len(number) > MOST_DIGITS:
            report.add_diagnostic("number-too-long", where)
            return False
        if len(number) > 1 and number[0] == "0":
            report.add_diagnostic("leading-zero", where, number=number[1:])
            return False
        at += len(number) + 1
    report.add_missing_construct("vector", "leaps in numbers", atom.span)
    if not atom.vectors:
        report.add_diagnostic("zero-vector", atom.span)
        return False
    if suffix:
        _check_suffix(atom, Span(atom.span.end - len(suffix), atom.span.end), report)
    return True


def _check_range(atom: Atom, reach: Range, report: Report) -> None:
    """Note ranges that programs read in different ways."""
    written = reach.written
    if written == "*":
        report.add_missing_construct("star", "range *", reach.span)
    elif written[:1].isdigit():
        _check_digits(atom, reach, report)
    elif len(written) > 1:
        number, letter = written[1:], "" if atom.slides else reach.letter
        report.add_diagnostic(
            "double-and-range", reach.span, atom=atom.written, number=number, letter=letter
        )
    elif written and report.dialect.doubles(written):
        _check_doubled(atom, reach, report)


def _check_doubled(atom: Atom, reach: Range, report: Report) -> None:
    letter = reach.written
    whole = atom.span.to(reach.span)
    if letter == "K" and "king-rider" not in report.dialect.constructs:
        report.add_diagnostic("doubled-king", whole)
    elif not atom.vectors:
        report.add_diagnostic("doubled-whole", whole, letter=letter)
    elif atom.slides:
        report.add_diagnostic("doubled-slider", reach.span, letter=letter)


def _check_digits(atom: Atom, reach: Range, report: Report) -> None:
    text, span = reach.written, reach.span
    if len(text) > 1 and text[0] == "0" and "leading-zero" not in report.dialect.constructs:
        report.add_diagnostic("range-zero", span, atom=atom.written, number=text.lstrip("0") or 0)
    elif len(text) > MOST_DIGITS:
        report.add_diagnostic("range-too-long", span)
    elif len(text) > report.dialect.digits:
        report.add_diagnostic("one-digit", span, program=report.dialect.program, digit=text[0])


# Parts of one leg


def _check_single(leg: Leg, report: Report) -> None:
    """A part with one atom and one leg."""
    atom, reach = leg.atom, leg.range
    letters = check_letters(leg.modifiers, report)
    _check_first_runs(letters.runs, atom, report)
    if atom.written == CASTLING:
        if not reach.written.isdigit() or reach.steps < 1:
            report.add_diagnostic("castling-range", atom.span)
        _report_barred(letters, "castling", report)
        return
    if atom.written == UNIVERSAL:
        if reach.written:
            report.add_diagnostic("universal-range", reach.span)
        _report_barred(letters, "universal", report)
        _check_ends(letters, report)
        return
    _check_room(letters, atom, reach.steps, report)
    _check_halfway(letters, reach, report)
    if reach.written and reach.steps == 1:
        _report_barred(letters, "one-bend", report)
    _check_ends(letters, report)
    if reach.written == "*":
        _report_barred(letters, "own-half", report)
        if "star" in report.dialect.constructs and any(dy <= 0 for _, dy in leg.vectors):
            report.add_diagnostic("backward-range", reach.span)


def _check_halfway(letters: Letters, last: Range, report: Report) -> None:
    """Note half the way to the edge beside a last leg that does not go on as far as it can."""
    if last.steps or last.written == "*":
        _report_barred(
            letters, "bounded", report, [mode for mode in letters.modes if mode == HALFWAY]
        )


def _check_room(
    letters: Letters, atom: Atom, steps: int, report: Report, *, last: bool = True
) -> None:
    """Note letters that can have no effect on a leg of at most ``steps`` steps (0: any number)."""
    if not letters.modes:
        return
    if last and steps == 1:
        far = bool(atom.vectors) and all(b > 1 for _, b in atom.vectors)
        letter = letter_for(atom.vectors, report.dialect, slides=True)
        slider = report.part_with_replacement(atom.span, letter) if letter else ""
        place: Place = "one-leap" if far else "one-step"
        _report_barred(letters, place, report, atom=atom.written, slider=slider)
    if steps == 1 and atom.vectors and all(b == 1 for _, b in atom.vectors):
        _report_barred(letters, "one-square", report)
    if last:
        _report_barred(letters, "nothing-follows", report)


def _check_ends(letters: Letters, report: Report) -> None:
    """Warn of d alone on a last leg: old texts mean a double move by it."""
    ends = [mode for mode in letters.modes if LETTER_ROWS[mode].ends]
    if len(ends) == 1:
        _report_barred(letters, "no-other-end", report, ends)


# Chains


class _LastLeg(NamedTuple):
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
        _report_no_chains(chain, report)
        return
    atom = chain.atom
    _check_chain_range(chain, report)
    if atom.written in WHOLE_PARTS:
        report.add_diagnostic("whole-part", atom.span, atom=atom.written)
    letters = check_letters(chain.first, report)
    _report_barred(letters, "chain-first", report)
    _check_first_runs(letters.runs, atom, report)
    row = _LegRow(chain, report)
    first, *later = leg_steps(chain)
    row.add_leg(letters, chain.first.written, first, first=True)
    for item, steps in zip(chain.rest, later, strict=True):
        match item:
            case ChainLeg():
                row.continue_row()
                row.add_leg(row.check_later_leg(item, steps), item.modifiers.written, steps)
            case Repeat():
                row.check_repeat(item, steps)
            case nodes.Tail():
                row.check_tail(item)
    for last in row.lasts:
        _check_room(last.letters, atom, last.steps, report)
        _check_ends(last.letters, report)


def _check_chain_range(chain: Chain, report: Report) -> None:
    """A range counts for every leg only where the dialect says so, and without y and g."""
    reach = chain.range
    toggled = any(toggles_range(modifiers.modes) for modifiers in letters_in(chain))
    if reach.written and (toggled or "chain-range" not in report.dialect.constructs):
        end = reach.span.start + 1 if reach.letter else reach.span.end
        report.add_diagnostic("chain-range", Span(reach.span.start, end))


def _report_no_chains(chain: Chain, report: Report) -> None:
    """Note every a, and every repeat, that a program would skip; the letters where none does."""
    if not report.dialect.program:
        where = Span(chain.span.start, chain.atom.span.start)
        report.add_missing("chains of legs", "chain", where)
        return
    # A step, then one that turns by 45°.
    two_steps = chain.atom.written == "W" and len(chain.rest) == 1
    lame = two_steps and any("fs" in each.written for each in letters_in(chain))
    remedy = "a lame knight is ‹nN›" if lame and "skips" in report.dialect.quirks else ""
    for item in chain.rest:
        if isinstance(item, Repeat):
            report.add_missing("repeats", "repeat", item.span)
        elif isinstance(item, ChainLeg):
            at = item.span.start
            report.add_missing("chains of legs", "chain", Span(at, at + 1), remedy)


class _LegRow:
    """The legs of a chain, one after another.

    ``lasts`` are those that may come last as things stand; ``slid`` is whether some leg so far
    slides, ``bent`` whether some leg may have bent.
    """

    def __init__(self, chain: Chain, report: Report) -> None:
        self.atom = chain.atom
        self.report = report
        self.lasts: list[_LastLeg] = []
        self.slid = self.bent = False

    def add_leg(self, letters: Letters, written: str, steps: int, *, first: bool = False) -> None:
        """Count a leg in that comes last for now."""
        self.lasts = [_LastLeg(letters, written, steps, first, self.slid)]
        self.slid |= steps != 1

    def continue_row(self) -> None:
        """Check the legs that came last so far, now that another one follows."""
        for last in self.lasts:
            modes = last.letters.modes
            if {"p", "y"} <= modes.keys() and "m" not in modes:
                first, second = sorted((modes["p"], modes["y"]), key=lambda span: span.start)
                self.report.add_diagnostic("hop-and-toggle", first.to(second))
            _check_room(last.letters, self.atom, last.steps, self.report, last=False)
            if self.atom.vectors and not any(
                LETTER_ROWS[mode].hop != "none" for mode in last.letters.modes
            ):
                _report_barred(last.letters, "no-hurdle", self.report)

    def check_later_leg(self, leg: ChainLeg, steps: int) -> Letters:
        """Check the letters of a later leg of so many steps."""
        report = self.report
        letters = check_letters(leg.modifiers, report)
        check_runs(letters.runs, "K", report)
        _report_barred(letters, "chain-later", report)
        if not self.slid:
            _report_barred(letters, "no-slide", report)
        elif "i" in letters.modes and steps == 1:
            report.add_diagnostic("one-step-as-far", letters.modes["i"])
        if letters.runs and not self.bent:
            _report_barred(letters, "no-bend", report)
        self.bent |= leg.turns is None or not NO_BENDS.issuperset(leg.turns)
        return letters

    def check_repeat(self, repeat: Repeat, steps: int) -> None:
        """Check the legs inside, written any number of times."""
        if not self._is_well_formed(repeat):
            return
        self.report.add_missing_construct("repeat", "repeats", repeat.span)
        before = self.lasts
        # A leg of a repeat has all the others before it, from the second round on.
        self.bent = True
        for leg in repeat.legs:
            letters = self.check_later_leg(leg, steps)
            _report_barred(letters, "repeat", self.report)
            self.add_leg(letters, leg.modifiers.written, steps)
        self.lasts = [*before, *self.lasts]

    def _is_well_formed(self, repeat: Repeat) -> bool:
        digits, span = repeat.written, repeat.span
        where = Span(span.end - len(digits), span.end)
        if len(digits) > MOST_DIGITS:
            self.report.add_diagnostic("range-too-long", where)
        elif len(digits) > 1 and digits[0] == "0":
            self.report.add_diagnostic("leading-zero", where, number=digits.lstrip("0") or 0)
        elif not repeat.legs:
            empty = self.report.text[span.start + 1] == ")"
            self.report.add_diagnostic("nothing-repeated" if empty else "no-repeat", span)
        else:
            return True
        return False

    def check_tail(self, tail: nodes.Tail) -> None:
        """Check the letters after a repeat, and give them to every leg that may come last."""
        report, lasts = self.report, self.lasts
        letters = check_letters(tail.modifiers, report)
        if not all(last.first or last.measured for last in lasts):
            _report_barred(letters, "no-slide", report)
        for last in lasts:
            runs = runs_in(last.written + tail.modifiers.written)
            if not last.first:
                check_runs(tuple((run, tail.span) for run in runs), "K", report)
        if lasts[0].first:
            runs = runs_in(lasts[0].written + tail.modifiers.written)
            _check_first_runs(tuple((run, tail.span) for run in runs), self.atom, report)
        twice = {mode for last in lasts for mode in last.letters.modes} & letters.modes.keys()
        for mode in twice:
            report.add_diagnostic("twice", letters.modes[mode], letter=mode)
        if not twice:
            self._merge_tail(letters, tail.modifiers.written)

    def _merge_tail(self, tail: Letters, written: str) -> None:
        united: list[_LastLeg] = []
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
        report.add_missing_construct("bracket", "brackets", path.span)
    elif "joined" not in report.dialect.constructs:
        start = path.prefix.span.end if path.form == "t[]" else path.legs[0].span.end
        size = 2 if path.form == "t[]" else 1
        report.add_missing("joined legs", "joined", Span(start, start + size))
    if len(path.legs) == 1:
        joined = path.form.rstrip("[]")
        report.add_diagnostic(
            "short-bracket", Span(path.prefix.span.end, path.span.end), letter=joined
        )
        return False
    return True


def _check_path_leg(at: int, path: Path, report: Report) -> bool:
    """One leg with its letters, for its place in the path; whether there is one to build on."""
    leg = path.legs[at]
    atom, reach = leg.atom, leg.range
    if _report_chain_letters(leg.modifiers, "inside", report):
        return False
    if not _check_atom(atom, report):
        return False
    _check_range(atom, reach, report)
    if atom.written in WHOLE_PARTS:
        report.add_diagnostic("whole-part", atom.span, atom=atom.written)
        return False
    if reach.written == "*":
        report.add_diagnostic("path-star", reach.span)
    letters = check_letters(leg.modifiers, report)
    _report_barred(letters, "path", report)
    if at:
        check_runs(letters.runs, "K", report)
        _report_barred(letters, "path-later", report)
        if all(each.range.steps == 1 for each in path.legs[:at]):
            _report_barred(letters, "no-slide", report)
    else:
        _check_first_runs(letters.runs, atom, report)
        _check_first_leg(letters, path, report)
    _check_join(letters, leg, path.joins[at] if at < len(path.joins) else "", report)
    return True


def _check_join(letters: Letters, leg: Leg, join: str, report: Report) -> None:
    """Note what does not go with the sign after a leg, or with the end of the path."""
    if join:
        _report_barred(letters, "before-dash" if join == "-" else "before-stop", report)
    _check_room(letters, leg.atom, leg.range.steps, report, last=not join)
    if join != "-":
        _check_ends(letters, report)


def _report_chain_letters(letters: nodes.Modifiers, where: str, report: Report) -> bool:
    """Whether letters are those of a chain, which a path has no place for; notes where."""
    row = AGAIN_OR_REPEAT.search(report.text, letters.span.start, letters.span.end)
    if row is None:
        return False
    report.add_diagnostic(where, Span(*row.span()), letter=row[0][0])
    return True


def _check_first_leg(letters: Letters, path: Path, report: Report) -> None:
    if path.form == "t":
        bends = [mode for mode in letters.modes if LETTER_ROWS[mode].sense != "any"]
        _report_barred(letters, "path-first", report, bends)
        _report_barred(letters, "bent-first", report)
        return
    _report_barred(letters, "path-first", report)
    if letters.runs and path.form != "()":
        report.add_diagnostic("first-leg-direction", letters.runs[0][1])


def _check_bends(legs: Sequence[Leg], report: Report) -> None:
    """Note letters that lead nowhere from some way of travelling."""
    ways: set[tuple[Vector, int]] = {(vector, 0) for vector in legs[0].vectors}
    for before, leg in pairwise(legs):
        if not _check_supported(leg, before, report):
            return
        if leg.turns is not None and not _all_turns_possible(leg, {way for way, _ in ways}, report):
            return
        bends = [mode for mode in leg.modifiers.modes if LETTER_ROWS[mode].sense != "any"]
        if bends and leg.turns is not None and not any(bend for _, bend in ways):
            letters = Letters(dict.fromkeys(bends, leg.span), ())
            _report_barred(letters, "no-bend", report)
        onwards = [steps_by_turn(bend_of(leg), way, bend, leg.vectors) for way, bend in ways]
        ways = {way for each in onwards for way in each}
        if not ways or (leg.turns is None and not all(onwards)):
            report.add_diagnostic(
                "no-bend-by", leg.span, atom=leg.atom.written, letter="".join(bends)
            )
            return


def _check_supported(leg: Leg, before: Leg, report: Report) -> bool:
    plain = leg.turns is None and sense_of(leg.modifiers.modes) == "any"
    if plain or not is_oblique(leg.vectors[0]) or leg.atom.vectors == before.atom.vectors:
        return True
    report.add_diagnostic("oblique-bend", leg.span)
    return False


def _all_turns_possible(leg: Leg, travelled: set[Vector], report: Report) -> bool:
    """Whether each letter has a direction of the atom from every way of travelling."""
    for way in sorted(travelled):
        for token in leg.modifiers.directions:
            if not chosen_directions(way, leg.vectors, compass_directions(token)):
                instead = _possible_turns(leg, travelled)
                report.add_diagnostic(
                    "no-way", leg.span, atom=leg.atom.written, token=token, instead=instead
                )
                return False
    return True


def _possible_turns(leg: Leg, travelled: set[Vector]) -> HintText:
    """What could be written instead of letters that lead nowhere."""
    known = [
        token + leg.atom.written
        for token in ("f", "s", "fs", "bs", "b")
        if all(chosen_directions(way, leg.vectors, compass_directions(token)) for way in travelled)
    ]
    outward = "leave the letters out to go outward"
    offers = " or ".join(f"‹{each}›" for each in known)
    return HintText(f"write {offers}, or {outward}" if known else outward)


def _check_prefix(path: Path, report: Report, *, clean: bool) -> None:
    """The letters before a bracket: directions that choose whole paths, and i or ii."""
    if _report_chain_letters(path.prefix, "before-bracket", report):
        return
    letters = check_letters(path.prefix, report)
    _report_barred(letters, "in-front", report)
    _check_halfway(letters, path.legs[-1].range, report)
    if not letters.runs or not clean:
        return
    ways = ways_of(path.legs, MOST_WAYS)
    ends = tuple(dict.fromkeys(map(end_of_way, ways)))
    system = directions.system_of(ends)
    if len(ways) > MOST_WAYS:
        report.add_diagnostic("too-many-ways", path.prefix.span, most=MOST_WAYS)
    elif system is None:
        report.add_diagnostic("mixed-ends", path.prefix.span)
    else:
        check_runs(letters.runs, system, report)
        idle = [
            each
            for each in path.prefix.directions
            if not directions.select_vectors([each], ends, system)
        ]
        if idle:
            report.add_diagnostic("no-such-path", path.prefix.span, token=idle[0])
        elif set(directions.select_vectors(path.prefix.directions, ends, system)) >= set(ends):
            written = "".join(path.prefix.directions)
            report.add_diagnostic(
                "every-direction", path.prefix.span, letters=written, atom="the path"
            )

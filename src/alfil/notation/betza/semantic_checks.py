"""What means nothing in a Betza tree: one pass over its parts, after it has been read.

What is said of each mistake stands in grammars/betza_diagnostics.tsv, and which letters mean
nothing at which place; here is where these mistakes and places are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from alfil.data_files import HintMarkup
from alfil.errors import Diagnostic
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector, all_images, is_oblique
from alfil.movement.turn_geometry import end_of_path, onward_directions, steps_after_bend
from alfil.notation.betza import directions, nodes
from alfil.notation.betza.directions import compass_directions
from alfil.notation.betza.letter_meanings import (
    CASTLING_STEPS_BY_LETTER,
    MAX_PATHS,
    DirectionRuns,
    LegLetters,
    atom_entry,
    bend_of_leg,
    direction_runs_in,
    first_leg_tokens_and_steps,
    letters_of_leg,
    max_steps_of_legs,
    modifiers_in,
    position_of_dh,
    vector_paths_of_legs,
)
from alfil.notation.betza.letter_spelling import atom_letter_for
from alfil.notation.betza.letters import (
    AUTOMATIC_CAPTURE_MODE,
    CASTLING_ATOM,
    DIALECTS,
    HALFWAY_MODE,
    JOIN_LETTER,
    LARGEST_NUMBER,
    LETTER_ROWS,
    MAX_NUMBER_DIGITS,
    UNIVERSAL_ATOM,
    UNSUPPORTED_LETTERS,
    Construct,
    Dialect,
    LetterPlace,
    LetterRun,
    Mode,
    bend_sense_of_modes,
    equivalent_atom_letter,
    first_clashing_pair,
    make_diagnostic,
    message_for_misplaced_letter,
    modes_in,
    other_dialects_with,
    split_letters,
    toggles_range,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Path, Range, Repeat
from alfil.source import Span

# Straight on and back, in eighths: no bends.
STRAIGHT_TURNS = frozenset({0, 4})
ATOMS_WITHOUT_VECTORS = frozenset({UNIVERSAL_ATOM, CASTLING_ATOM})
BURNING_MODES = frozenset(mode for mode, row in LETTER_ROWS.items() if row.burns)
# An atom with what makes its leap longer and its range, straight after its letters.
ATOM_PATTERN = re.compile(r"(?:[A-Z]|\([0-9]+,[0-9]+\))[XY]*[0-9]*")
# A part without joins and brackets.
ONE_LEG_PATTERN = re.compile(r"[b-su-z]*(?:[A-Z]+|\([0-9]+,[0-9]+\)[XY]*)[0-9]*")
AGAIN_OR_REPEAT_PATTERN = re.compile(r"a|\([a-z]*\)[0-9]*")


@dataclass(slots=True)
class PartReport:
    """What is found in a text, as it is found; ``part`` is the part looked at, from ``start`` on.

    ``is_valid`` tells whether the dialect of a name reads the whole text.
    """

    dialect: Dialect
    text: str
    is_valid: Callable[[str], bool]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    part: str = ""
    start: int = 0
    # What was said of each construct that the dialect lacks: a text may have it thousands of times.
    lacking: dict[tuple[str, str, str], Diagnostic] = field(default_factory=dict)

    def begin_part(self, term: BetzaTerm) -> None:
        """Turn to another part."""
        self.part, self.start = self.text[slice(*term.span)], term.span.start

    def add_diagnostic(self, name: str, span: Span, **put: object) -> None:
        """Note what the table says under a name, with some words put in."""
        self.diagnostics.append(make_diagnostic(name, span, **put))

    def error_count(self) -> int:
        """How many errors there are."""
        return sum(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    def has_diagnostic_at(self, span: Span) -> bool:
        """Whether something has been found at this very place."""
        return any(diagnostic.spans == (span,) for diagnostic in self.diagnostics)

    def discard_diagnostics_within(self, span: Span) -> None:
        """Forget what was found inside a stretch that is to be reported as a whole."""
        self.diagnostics = [each for each in self.diagnostics if not span.contains(each.spans[0])]

    def part_with_replacement(self, span: Span, instead: str = "") -> str:
        """The part looked at with something else, or nothing, in place of a stretch of it."""
        start = self.start
        return self.part[: span.start - start] + instead + self.part[span.end - start :]

    def add_unsupported(self, what: str, construct: str, span: Span, hint: str = "") -> None:
        """Note that the dialect does not have something another one has."""
        key = what, construct, hint
        if key not in self.lacking:
            self.lacking[key] = self._unsupported_diagnostic(what, construct, hint)
        self.diagnostics.append(replace(self.lacking[key], spans=(span,)))

    def _unsupported_diagnostic(self, what: str, construct: str, hint: str) -> Diagnostic:
        names = other_dialects_with(construct, self.dialect)
        where = next(filter(self.is_valid, names), "")
        hints = [hint] if hint else []
        if where:
            hints.append(f"the dialect {where} reads it")
        if where == "betza" and self.dialect.program:
            known = f"what {self.dialect.program} is known to make of it"
            hints.append(f"alfil check --for {self.dialect.name} shows {known}")
        remedies = "; ".join(hints) or make_diagnostic("instead").hint
        put = {"dialect": self.dialect.name, "what": what, "remedies": HintMarkup(remedies)}
        return make_diagnostic("lacks", **put)

    def require_construct(self, construct: Construct, what: str, span: Span) -> None:
        """Note a construct that the dialect does not have."""
        if construct not in self.dialect.constructs:
            self.add_unsupported(what, construct, span)


def check_part(
    term: BetzaTerm, before: BetzaTerm | None, report: PartReport, *, known_good: bool = False
) -> None:
    """Note what means nothing in a part; only beside another where it is ``known_good``."""
    report.begin_part(term)
    if before is not None:
        _check_against_previous_part(term, before, report)
    if known_good or is_atom_with_directions(term, report.dialect):
        return
    _check_burning(term, report)
    if isinstance(term, Path):
        _check_path(term, report)
    elif not _check_atom(term.atom, report):
        for modifiers in modifiers_in(term):
            check_letters(modifiers, report)
    else:
        if term.range.written:
            _check_range(term.atom, term.range, report)
        if isinstance(term, Chain):
            _check_chain(term, report)
        else:
            _check_single_leg(term, report)


def is_atom_with_directions(term: BetzaTerm, dialect: Dialect) -> bool:
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
        and atom not in ATOMS_WITHOUT_VECTORS
        and not (letters.written and not dialect.constructs.isdisjoint({"apart", "squares"}))
        and not (
            letters.written and _selects_all_directions((letters.written,), atom, term.atom.vectors)
        )
    )


def _check_against_previous_part(term: BetzaTerm, before: BetzaTerm, report: PartReport) -> None:
    """Note what is wrong with a part only because of the one before it."""
    if isinstance(term, Path):
        after_atom = isinstance(before, Leg | Chain) or before.form == "t"
        if term.form == "t[]" and term.prefix.span.end == term.span.start and after_atom:
            report.add_diagnostic("t-first", Span(term.span.start, term.span.start + 1))
    elif isinstance(term, Leg) and isinstance(before, Leg | Chain):
        doubled = term.atom.written == before.atom.written and not before.range.written
        if doubled and term.atom.written[0] == "(" and not term.modifiers.written:
            report.add_diagnostic("doubled-vector", term.atom.span, atom=term.atom.written)


def _check_burning(term: BetzaTerm, report: PartReport) -> None:
    """Note a letter that burns where others may mean another thing, or nothing is known of it."""
    if BURNING_MODES.isdisjoint(report.dialect.modes):
        return
    plain = isinstance(term, Leg) and term.atom.written == "K" and not term.range.written
    for letters in modifiers_in(term):
        for mode, span in letters_of_leg(letters, report.dialect).modes.items():
            if mode == AUTOMATIC_CAPTURE_MODE:
                if not (isinstance(term, Leg) and "m" in letters.modes):
                    report.add_diagnostic("auto-capture", span)
            elif LETTER_ROWS[mode].burns and not (plain and not letters.directions):
                report.add_diagnostic(
                    "unsupported-letter", span, letter=mode, what=UNSUPPORTED_LETTERS[mode]
                )


# Letters


def check_letters(modifiers: nodes.Modifiers, report: PartReport) -> LegLetters:
    """Note letters the dialect does not know, stand twice or exclude each other."""
    if not modifiers.written:
        return LegLetters({}, ())
    sound = _letters_if_valid(modifiers.written, report.dialect.name)
    if sound is None:
        return _check_each_letter(modifiers, report)
    start = modifiers.span.start
    return LegLetters(
        {mode: span.shift(start) for mode, span in sound.modes.items()},
        tuple([(run, span.shift(start)) for run, span in sound.runs]),
    )


@lru_cache(maxsize=4096)
def _letters_if_valid(written: str, dialect: str) -> LegLetters | None:
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
    wrong = position_of_dh(written) is not None or (len(modes) > 1 and first_clashing_pair(modes))
    return None if wrong else LegLetters(modes, tuple(runs))


def _check_each_letter(modifiers: nodes.Modifiers, report: PartReport) -> LegLetters:
    start = modifiers.span.start
    modes: dict[Mode, Span] = {}
    for sign in split_letters(modifiers.written):
        if not sign.directions and _check_known_letter(sign, sign.span(start), report):
            (mode,) = modes_in(sign.text)
            if mode in modes:
                report.add_diagnostic("twice", sign.span(start), letter=mode)
            modes.setdefault(mode, sign.span(start))
    at = position_of_dh(modifiers.written)
    if at is not None:
        report.add_diagnostic("old-double-move", Span(start + at, start + at + 2))
    else:
        _report_clashing_letters(modes, report, modifiers.span)
    return letters_of_leg(modifiers, report.dialect)


def _check_known_letter(sign: LetterRun, span: Span, report: PartReport) -> bool:
    """Whether a letter is one of the dialect's; notes what is wrong when it is not."""
    letter = sign.text
    if letter in report.dialect.modes:
        return True
    if letter == AUTOMATIC_CAPTURE_MODE:
        report.add_diagnostic("twice", span, letter=letter[0])
    elif letter == HALFWAY_MODE and report.dialect.program:
        # To programs these are directions.
        report.add_diagnostic("half-direction", span, letters=letter)
    elif letter in UNSUPPORTED_LETTERS and report.dialect.name != "classic":
        report.add_diagnostic(
            "unsupported-letter", span, letter=letter, what=UNSUPPORTED_LETTERS[letter]
        )
    elif modes_in(letter) and letter != JOIN_LETTER:
        remedy = "for several legs write parts of one leg" if letter == "y" else ""
        report.add_unsupported(f"modifier {letter}", letter, span, remedy)
    else:
        report.add_diagnostic("unknown-letter", span, letter=letter)
    return False


def _report_clashing_letters(
    modes: dict[Mode, Span], report: PartReport, letters: Span | None = None
) -> bool:
    """Note letters that exclude each other; ``letters`` is where all of them stand in a row."""
    pair = first_clashing_pair(modes)
    if pair:
        one, other = (modes[letter] for letter in pair)
        start, end = letters or one
        # A leg cannot be two; the part it is in can.
        later = report.text[:start].endswith(("a", "[", "-", "?", "(", "t"))
        atom = letters and not later and ATOM_PATTERN.match(report.text, end)
        parts = HintMarkup("two parts, one for each")
        if atom:
            reordered_parts = (report.text[start:a] + report.text[b:end] for a, b in (other, one))
            parts = HintMarkup(f"‹{''.join(letters + atom[0] for letters in reordered_parts)}›")
        report.add_diagnostic("clash", one.to(other), first=pair[0], second=pair[1], parts=parts)
    return pair is not None


def _report_misplaced_letters(
    letters: LegLetters,
    place: LetterPlace,
    report: PartReport,
    among: Iterable[Mode] | None = None,
    **put: object,
) -> None:
    """Note the letters that mean nothing at a place, with some words put in."""
    for letter in list(letters.modes if among is None else among):
        words = message_for_misplaced_letter(letter, place)
        if words is not None:
            report.diagnostics.append(
                words.diagnostic_at(letters.modes[letter], letter=letter, **put)
            )
            if words.severity == "lost":
                del letters.modes[letter]


# Directions


def check_direction_runs(
    runs: DirectionRuns, system: directions.DirectionSystem, report: PartReport
) -> None:
    """Note what is wrong in runs of direction letters."""
    for run, span in runs:
        cut = directions.tokenise(run, system)
        if isinstance(cut, directions.DirectionRunError):
            # After a repeat a run has letters of two places, and only the last of them are here.
            whole = span.end - span.start == len(run)
            where = Span(span.start + cut.start, span.start + cut.end) if whole else span
            wrong = run[cut.start : cut.end]
            axis = max(wrong, key=directions.LETTERS_OF_AXIS.__contains__)
            turned = wrong[::-1]
            crossed = isinstance(directions.tokenise(turned, system), directions.DirectionRunError)
            name = "crossed-axes" if crossed and cut.kind == "direction-order" else cut.kind
            hint = _reorder_letters_hint(report.part, wrong, turned)
            report.add_diagnostic(name, where, letters=wrong, axis=axis, reordered=hint)
    if len(runs) > 1 and system != "W":
        report.add_diagnostic("split-directions", runs[0][1].to(runs[-1][1]))


def _reorder_letters_hint(part: str, letters: str, letters_in_order: str) -> HintMarkup:
    """What to write for two letters in the wrong order: whole parts, where it is one of one leg."""
    before, found, after = part.partition(letters)
    if not found or not ONE_LEG_PATTERN.fullmatch(part):
        return HintMarkup(f"write {letters_in_order}, or take the letters apart into two parts")
    between = before + letters_in_order + after
    apart = "".join(before + each + after for each in letters)
    return HintMarkup(f"write ‹{between}› for what lies between, or ‹{apart}› for both directions")


def _check_first_leg_directions(runs: DirectionRuns, atom: Atom, report: PartReport) -> None:
    """Note what is wrong in the directions of a first leg."""
    if not runs:
        return
    may_be_spacious = "squares" in report.dialect.constructs and runs[0][0] == "ss"
    if may_be_spacious and not any(map(is_oblique, atom.vectors)):
        report.add_diagnostic("spacious", runs[0][1])
        return
    if atom.written == UNIVERSAL_ATOM:
        report.add_diagnostic("universal-direction", runs[0][1])
    elif atom.written == CASTLING_ATOM:
        _check_castling_sides(runs, report)
    elif len(atom.vectors) > 1 and "apart" in report.dialect.constructs:
        # K and Q as W and F: a letter that is wrong on both is one mistake.
        result = len(report.diagnostics)
        check_direction_runs(runs, "W", report)
        if len(report.diagnostics) == result:
            check_direction_runs(runs, "F", report)
    else:
        check_direction_runs(runs, directions.atom_system(atom.vectors), report)
    if not report.error_count():
        _check_choice_of_all_directions(runs, atom, report)


def _check_choice_of_all_directions(runs: DirectionRuns, atom: Atom, report: PartReport) -> None:
    """Note letters that choose all directions there are: who wrote them meant some of them."""
    written = tuple(run for run, _ in runs)
    if _selects_all_directions(
        written, atom.written, atom.vectors, apart="apart" in report.dialect.constructs
    ):
        span = runs[0][1].to(runs[-1][1])
        report.add_diagnostic("every-direction", span, letters="".join(written), atom=atom.written)


@lru_cache(maxsize=4096)
def _selects_all_directions(
    runs: tuple[str, ...], written: str, bases: tuple[Vector, ...], *, apart: bool = False
) -> bool:
    """Whether runs of directions leave none of the directions of an atom out."""
    every = set(all_images(bases))
    return bool(every) and every <= set(
        first_leg_tokens_and_steps(runs, written, bases, apart=apart)[1]
    )


def _check_castling_sides(runs: DirectionRuns, report: PartReport) -> None:
    for run, span in runs:
        for at, letter in enumerate(run, span.start):
            if letter not in CASTLING_STEPS_BY_LETTER:
                report.add_diagnostic("castling-direction", Span(at, at + 1), letter=letter)


# Atoms and ranges


def _check_atom(atom: Atom, report: PartReport) -> bool:
    """Note what is wrong with an atom; whether there is one to build on."""
    if atom.written[0] == "(":
        return _check_atom_numbers(atom, report)
    letter, suffix = atom.written[0], atom.written[1:]
    start = atom.span.start
    if letter not in report.dialect.atoms:
        _report_unknown_atom(letter, Span(start, start + 1), report)
        return False
    if suffix:
        where = Span(start + 1, start + 1 + len(suffix))
        if atom_entry(atom.written, report.dialect.name) is None:
            report.add_diagnostic("suffix-on-compound", where, suffix=suffix)
            return False
        _check_atom_suffix(atom, where, report)
    return True


def _report_unknown_atom(letter: str, span: Span, report: PartReport) -> None:
    if any(other_dialects_with(letter, report.dialect)):
        other = equivalent_atom_letter(letter, report.dialect)
        report.add_unsupported(
            f"atom {letter}", letter, span, f"its leap is ‹{other}›" if other else ""
        )
    else:
        report.add_diagnostic("unknown-atom", span, letter=letter)


def _check_atom_suffix(atom: Atom, span: Span, report: PartReport) -> None:
    report.require_construct("suffix", "suffixes X and Y", span)
    if max(map(max, atom.vectors)) > LARGEST_NUMBER:
        report.add_diagnostic("vector-too-long", span)


def _check_atom_numbers(atom: Atom, report: PartReport) -> bool:
    inside, _, suffix = atom.written[1:].partition(")")
    at = atom.span.start + 1
    for number in inside.split(","):
        where = Span(at, at + len(number))
        if len(number) > MAX_NUMBER_DIGITS:
            report.add_diagnostic("number-too-long", where)
            return False
        if len(number) > 1 and number[0] == "0":
            report.add_diagnostic("leading-zero", where, number=number[1:])
            return False
        at += len(number) + 1
    report.require_construct("vector", "leaps in numbers", atom.span)
    if not atom.vectors:
        report.add_diagnostic("zero-vector", atom.span)
        return False
    if suffix:
        _check_atom_suffix(atom, Span(atom.span.end - len(suffix), atom.span.end), report)
    return True


def _check_range(atom: Atom, reach: Range, report: PartReport) -> None:
    """Note ranges that programs read in different ways."""
    written = reach.written
    if written == "*":
        report.require_construct("star", "range *", reach.span)
    elif written[:1].isdigit():
        _check_range_digits(atom, reach, report)
    elif len(written) > 1:
        number, letter = written[1:], "" if atom.slides else reach.doubled_letter
        report.add_diagnostic(
            "double-and-range", reach.span, atom=atom.written, number=number, letter=letter
        )
    elif written and report.dialect.may_double_atom(written):
        _check_doubled_atom(atom, reach, report)


def _check_doubled_atom(atom: Atom, reach: Range, report: PartReport) -> None:
    letter = reach.written
    whole = atom.span.to(reach.span)
    if letter == "K" and "king-rider" not in report.dialect.constructs:
        report.add_diagnostic("doubled-king", whole)
    elif not atom.vectors:
        report.add_diagnostic("doubled-whole", whole, letter=letter)
    elif atom.slides:
        report.add_diagnostic("doubled-slider", reach.span, letter=letter)


def _check_range_digits(atom: Atom, reach: Range, report: PartReport) -> None:
    text, span = reach.written, reach.span
    if len(text) > 1 and text[0] == "0" and "leading-zero" not in report.dialect.constructs:
        report.add_diagnostic("range-zero", span, atom=atom.written, number=text.lstrip("0") or 0)
    elif len(text) > MAX_NUMBER_DIGITS:
        report.add_diagnostic("range-too-long", span)
    elif len(text) > report.dialect.digits:
        report.add_diagnostic("one-digit", span, program=report.dialect.program, digit=text[0])


# Parts of one leg


def _check_single_leg(leg: Leg, report: PartReport) -> None:
    """A part with one atom and one leg."""
    atom, reach = leg.atom, leg.range
    letters = check_letters(leg.modifiers, report)
    _check_first_leg_directions(letters.runs, atom, report)
    if atom.written == CASTLING_ATOM:
        if not reach.written.isdigit() or reach.steps < 1:
            report.add_diagnostic("castling-range", atom.span)
        _report_misplaced_letters(letters, "castling", report)
        return
    if atom.written == UNIVERSAL_ATOM:
        if reach.written:
            report.add_diagnostic("universal-range", reach.span)
        _report_misplaced_letters(letters, "universal", report)
        _warn_of_lone_d(letters, report)
        return
    _check_letters_without_effect(letters, atom, reach.steps, report)
    _check_halfway(letters, reach, report)
    if reach.written and reach.steps == 1:
        _report_misplaced_letters(letters, "one-bend", report)
    _warn_of_lone_d(letters, report)
    if reach.written == "*":
        _report_misplaced_letters(letters, "own-half", report)
        if "star" in report.dialect.constructs and any(dy <= 0 for _, dy in leg.vectors):
            report.add_diagnostic("backward-range", reach.span)


def _check_halfway(letters: LegLetters, last: Range, report: PartReport) -> None:
    """Note half the way to the edge beside a last leg that does not go on as far as it can."""
    if last.steps or last.written == "*":
        _report_misplaced_letters(
            letters, "bounded", report, [mode for mode in letters.modes if mode == HALFWAY_MODE]
        )


def _check_letters_without_effect(
    letters: LegLetters, atom: Atom, steps: int, report: PartReport, *, last: bool = True
) -> None:
    """Note letters that can have no effect on a leg of at most ``steps`` steps (0: any number)."""
    if not letters.modes:
        return
    if last and steps == 1:
        far = bool(atom.vectors) and all(b > 1 for _, b in atom.vectors)
        letter = atom_letter_for(atom.vectors, report.dialect, slides=True)
        slider = report.part_with_replacement(atom.span, letter) if letter else ""
        place: LetterPlace = "one-leap" if far else "one-step"
        _report_misplaced_letters(letters, place, report, atom=atom.written, slider=slider)
    if steps == 1 and atom.vectors and all(b == 1 for _, b in atom.vectors):
        _report_misplaced_letters(letters, "one-square", report)
    if last:
        _report_misplaced_letters(letters, "nothing-follows", report)


def _warn_of_lone_d(letters: LegLetters, report: PartReport) -> None:
    """Warn of d alone on a last leg: old texts mean a double move by it."""
    ends = [mode for mode in letters.modes if LETTER_ROWS[mode].ends]
    if len(ends) == 1:
        _report_misplaced_letters(letters, "no-other-end", report, ends)


# Chains


class _PossibleLastLeg(NamedTuple):
    """A leg that may come last: its letters, counted and as written, and its steps.

    ``measured`` is whether a leg before it slides.
    """

    letters: LegLetters
    written: str
    steps: int
    first: bool = False
    measured: bool = False


def _check_chain(chain: Chain, report: PartReport) -> None:
    if "chain" not in report.dialect.constructs:
        _report_unsupported_chain(chain, report)
        return
    atom = chain.atom
    _check_chain_range(chain, report)
    if atom.written in ATOMS_WITHOUT_VECTORS:
        report.add_diagnostic("whole-part", atom.span, atom=atom.written)
    letters = check_letters(chain.first, report)
    _report_misplaced_letters(letters, "chain-first", report)
    _check_first_leg_directions(letters.runs, atom, report)
    row = _ChainChecker(chain, report)
    first, *later = max_steps_of_legs(chain)
    row.set_last_leg(letters, chain.first.written, first, first=True)
    for item, steps in zip(chain.rest, later, strict=True):
        match item:
            case ChainLeg():
                row.check_last_legs_as_earlier()
                row.set_last_leg(row.check_later_leg(item, steps), item.modifiers.written, steps)
            case Repeat():
                row.check_repeat(item, steps)
            case nodes.Tail():
                row.check_tail(item)
    for last in row.lasts:
        _check_letters_without_effect(last.letters, atom, last.steps, report)
        _warn_of_lone_d(last.letters, report)


def _check_chain_range(chain: Chain, report: PartReport) -> None:
    """A range counts for every leg only where the dialect says so, and without y and g."""
    reach = chain.range
    toggled = any(toggles_range(modifiers.modes) for modifiers in modifiers_in(chain))
    if reach.written and (toggled or "chain-range" not in report.dialect.constructs):
        end = reach.span.start + 1 if reach.doubled_letter else reach.span.end
        report.add_diagnostic("chain-range", Span(reach.span.start, end))


def _report_unsupported_chain(chain: Chain, report: PartReport) -> None:
    """Note every a, and every repeat, that a program would skip; the letters where none does."""
    if not report.dialect.program:
        where = Span(chain.span.start, chain.atom.span.start)
        report.add_unsupported("chains of legs", "chain", where)
        return
    # A step, then one that turns by 45°.
    two_steps = chain.atom.written == "W" and len(chain.rest) == 1
    lame = two_steps and any("fs" in each.written for each in modifiers_in(chain))
    remedy = "a lame knight is ‹nN›" if lame and "skips" in report.dialect.quirks else ""
    for item in chain.rest:
        if isinstance(item, Repeat):
            report.add_unsupported("repeats", "repeat", item.span)
        elif isinstance(item, ChainLeg):
            at = item.span.start
            report.add_unsupported("chains of legs", "chain", Span(at, at + 1), remedy)


class _ChainChecker:
    """The legs of a chain, one after another.

    ``lasts`` are those that may come last as things stand; ``slid`` is whether some leg so far
    slides, ``bent`` whether some leg may have bent.
    """

    def __init__(self, chain: Chain, report: PartReport) -> None:
        self.atom = chain.atom
        self.report = report
        self.lasts: list[_PossibleLastLeg] = []
        self.slid = self.bent = False

    def set_last_leg(
        self, letters: LegLetters, written: str, steps: int, *, first: bool = False
    ) -> None:
        """Count a leg in that comes last for now."""
        self.lasts = [_PossibleLastLeg(letters, written, steps, first, self.slid)]
        self.slid |= steps != 1

    def check_last_legs_as_earlier(self) -> None:
        """Check the legs that came last so far, now that another one follows."""
        for last in self.lasts:
            modes = last.letters.modes
            if {"p", "y"} <= modes.keys() and "m" not in modes:
                first, second = sorted((modes["p"], modes["y"]), key=lambda span: span.start)
                self.report.add_diagnostic("hop-and-toggle", first.to(second))
            _check_letters_without_effect(
                last.letters, self.atom, last.steps, self.report, last=False
            )
            if self.atom.vectors and not any(
                LETTER_ROWS[mode].hop != "none" for mode in last.letters.modes
            ):
                _report_misplaced_letters(last.letters, "no-hurdle", self.report)

    def check_later_leg(self, leg: ChainLeg, steps: int) -> LegLetters:
        """Check the letters of a later leg of so many steps."""
        report = self.report
        letters = check_letters(leg.modifiers, report)
        check_direction_runs(letters.runs, "K", report)
        _report_misplaced_letters(letters, "chain-later", report)
        if not self.slid:
            _report_misplaced_letters(letters, "no-slide", report)
        elif "i" in letters.modes and steps == 1:
            report.add_diagnostic("one-step-as-far", letters.modes["i"])
        if letters.runs and not self.bent:
            _report_misplaced_letters(letters, "no-bend", report)
        self.bent |= leg.turns is None or not STRAIGHT_TURNS.issuperset(leg.turns)
        return letters

    def check_repeat(self, repeat: Repeat, steps: int) -> None:
        """Check the legs inside, written any number of times."""
        if not self._check_repeat_form(repeat):
            return
        self.report.require_construct("repeat", "repeats", repeat.span)
        before = self.lasts
        # A leg of a repeat has all the others before it, from the second round on.
        self.bent = True
        for leg in repeat.legs:
            letters = self.check_later_leg(leg, steps)
            _report_misplaced_letters(letters, "repeat", self.report)
            self.set_last_leg(letters, leg.modifiers.written, steps)
        self.lasts = [*before, *self.lasts]

    def _check_repeat_form(self, repeat: Repeat) -> bool:
        digits, span = repeat.written, repeat.span
        where = Span(span.end - len(digits), span.end)
        if len(digits) > MAX_NUMBER_DIGITS:
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
            _report_misplaced_letters(letters, "no-slide", report)
        for last in lasts:
            runs = direction_runs_in(last.written + tail.modifiers.written)
            if not last.first:
                check_direction_runs(tuple((run, tail.span) for run in runs), "K", report)
        if lasts[0].first:
            runs = direction_runs_in(lasts[0].written + tail.modifiers.written)
            _check_first_leg_directions(tuple((run, tail.span) for run in runs), self.atom, report)
        twice = {mode for last in lasts for mode in last.letters.modes} & letters.modes.keys()
        for mode in twice:
            report.add_diagnostic("twice", letters.modes[mode], letter=mode)
        if not twice:
            self._merge_tail(letters, tail.modifiers.written)

    def _merge_tail(self, tail: LegLetters, written: str) -> None:
        united: list[_PossibleLastLeg] = []
        for last in self.lasts:
            letters = LegLetters({**last.letters.modes, **tail.modes}, last.letters.runs)
            united.append(last._replace(letters=letters, written=last.written + written))
        if not any(_report_clashing_letters(last.letters.modes, self.report) for last in united):
            self.lasts = united


# Paths


def _check_path(path: Path, report: PartReport) -> None:
    if not _check_path_form(path, report):
        return
    before = report.error_count()
    whole = [_check_path_leg(at, path, report) for at in range(len(path.legs))]
    if all(whole) and report.error_count() == before:
        _check_possible_bends(path.legs, report)
    if all(whole):
        _check_bracket_prefix(path, report, clean=report.error_count() == before)


def _check_path_form(path: Path, report: PartReport) -> bool:
    joined = "joined" in report.dialect.constructs
    if path.form in {"[]", "()"}:
        what = "brackets but after t" if joined else "brackets"
        report.require_construct("bracket", what, path.span)
    elif not joined:
        start = path.prefix.span.end if path.form == "t[]" else path.legs[0].span.end
        size = 2 if path.form == "t[]" else 1
        report.add_unsupported("joined legs", "joined", Span(start, start + size))
    if len(path.legs) == 1:
        letter = path.form.rstrip("[]")
        report.add_diagnostic(
            "short-bracket", Span(path.prefix.span.end, path.span.end), letter=letter
        )
        return False
    return True


def _check_path_leg(at: int, path: Path, report: PartReport) -> bool:
    """One leg with its letters, for its place in the path; whether there is one to build on."""
    leg = path.legs[at]
    atom, reach = leg.atom, leg.range
    if _report_chain_letters(leg.modifiers, "inside", report):
        return False
    if not _check_atom(atom, report):
        return False
    _check_range(atom, reach, report)
    if atom.written in ATOMS_WITHOUT_VECTORS:
        report.add_diagnostic("whole-part", atom.span, atom=atom.written)
        return False
    if reach.written == "*":
        report.add_diagnostic("path-star", reach.span)
    letters = check_letters(leg.modifiers, report)
    _report_misplaced_letters(letters, "path", report)
    if at:
        check_direction_runs(letters.runs, "K", report)
        _report_misplaced_letters(letters, "path-later", report)
        if all(each.range.steps == 1 for each in path.legs[:at]):
            _report_misplaced_letters(letters, "no-slide", report)
    else:
        _check_first_leg_directions(letters.runs, atom, report)
        _check_first_leg(letters, path, report)
    _check_join(letters, leg, path.joins[at] if at < len(path.joins) else "", report)
    return True


def _check_join(letters: LegLetters, leg: Leg, join: str, report: PartReport) -> None:
    """Note what does not go with the sign after a leg, or with the end of the path."""
    if join:
        _report_misplaced_letters(letters, "before-dash" if join == "-" else "before-stop", report)
    _check_letters_without_effect(letters, leg.atom, leg.range.steps, report, last=not join)
    if join != "-":
        _warn_of_lone_d(letters, report)


def _report_chain_letters(
    letters: nodes.Modifiers, diagnostic_name: str, report: PartReport
) -> bool:
    """Whether letters are those of a chain, which a path has no place for; notes where."""
    row = AGAIN_OR_REPEAT_PATTERN.search(report.text, letters.span.start, letters.span.end)
    if row is None:
        return False
    report.add_diagnostic(diagnostic_name, Span(*row.span()), letter=row[0][0])
    return True


def _check_first_leg(letters: LegLetters, path: Path, report: PartReport) -> None:
    if path.form == "t":
        bends = [mode for mode in letters.modes if LETTER_ROWS[mode].sense != "any"]
        _report_misplaced_letters(letters, "path-first", report, bends)
        _report_misplaced_letters(letters, "bent-first", report)
        return
    _report_misplaced_letters(letters, "path-first", report)
    if letters.runs and path.form != "()":
        report.add_diagnostic("first-leg-direction", letters.runs[0][1])


def _check_possible_bends(legs: Sequence[Leg], report: PartReport) -> None:
    """Note letters that lead nowhere from some way of travelling."""
    ways: set[tuple[Vector, int]] = {(vector, 0) for vector in legs[0].vectors}
    for before, leg in pairwise(legs):
        if not _check_oblique_bend(leg, before, report):
            return
        if leg.turns is not None and not _check_all_turns_possible(
            leg, {way for way, _ in ways}, report
        ):
            return
        bends = [mode for mode in leg.modifiers.modes if LETTER_ROWS[mode].sense != "any"]
        if bends and leg.turns is not None and not any(bend for _, bend in ways):
            letters = LegLetters(dict.fromkeys(bends, leg.span), ())
            _report_misplaced_letters(letters, "no-bend", report)
        onwards = [steps_after_bend(bend_of_leg(leg), way, bend, leg.vectors) for way, bend in ways]
        ways = {way for each in onwards for way in each}
        if not ways or (leg.turns is None and not all(onwards)):
            report.add_diagnostic(
                "no-bend-by", leg.span, atom=leg.atom.written, letter="".join(bends)
            )
            return


def _check_oblique_bend(leg: Leg, before: Leg, report: PartReport) -> bool:
    plain = leg.turns is None and bend_sense_of_modes(leg.modifiers.modes) == "any"
    if plain or not is_oblique(leg.vectors[0]) or leg.atom.vectors == before.atom.vectors:
        return True
    report.add_diagnostic("oblique-bend", leg.span)
    return False


def _check_all_turns_possible(leg: Leg, travel_directions: set[Vector], report: PartReport) -> bool:
    """Whether each letter has a direction of the atom from every way of travelling."""
    for way in sorted(travel_directions):
        for token in leg.modifiers.directions:
            if not onward_directions(way, leg.vectors, compass_directions(token)):
                instead = _possible_turns_hint(leg, travel_directions)
                report.add_diagnostic(
                    "no-way", leg.span, atom=leg.atom.written, token=token, instead=instead
                )
                return False
    return True


def _possible_turns_hint(leg: Leg, travel_directions: set[Vector]) -> HintMarkup:
    """What could be written instead of letters that lead nowhere."""
    known = [
        token + leg.atom.written
        for token in ("f", "s", "fs", "bs", "b")
        if all(
            onward_directions(way, leg.vectors, compass_directions(token))
            for way in travel_directions
        )
    ]
    outward = "leave the letters out to go outward"
    offers = " or ".join(f"‹{each}›" for each in known)
    return HintMarkup(f"write {offers}, or {outward}" if known else outward)


def _check_bracket_prefix(path: Path, report: PartReport, *, clean: bool) -> None:
    """The letters before a bracket: directions that choose whole paths, and i or ii."""
    if _report_chain_letters(path.prefix, "before-bracket", report):
        return
    letters = check_letters(path.prefix, report)
    _report_misplaced_letters(letters, "in-front", report)
    _check_halfway(letters, path.legs[-1].range, report)
    if not letters.runs or not clean:
        return
    ways = vector_paths_of_legs(path.legs, MAX_PATHS)
    ends = tuple(dict.fromkeys(map(end_of_path, ways)))
    system = directions.system_of(ends)
    if len(ways) > MAX_PATHS:
        report.add_diagnostic("too-many-ways", path.prefix.span, most=MAX_PATHS)
    elif system is None:
        report.add_diagnostic("mixed-ends", path.prefix.span)
    else:
        check_direction_runs(letters.runs, system, report)
        idle = [
            each
            for each in path.prefix.directions
            if not directions.select_vectors([each], ends, system)
        ]
        if idle:
            report.add_diagnostic("no-such-path", path.prefix.span, token=idle[0])
        elif set(directions.select_vectors(path.prefix.directions, ends, system)) >= set(ends):
            written = "".join(path.prefix.directions)
            report.add_diagnostic("every-path", path.prefix.span, letters=written)

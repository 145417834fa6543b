"""What the programs behind two dialects get wrong, found before it does harm.

A dialect names its program's habits; each has a check here. Whatever the program would cut short,
ignore or read in another way is an error that says what it does, and what to write instead.

The second half is how Fairy-Stockfish moves pieces, measured by running it: it keeps one entry for
each direction and way of moving, and afterwards asks only two things, which kinds of rides the
piece has, and which squares are within reach of any entry. So one part can change another.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import gcd
from typing import Literal, NamedTuple, TypeAlias

from alfil.geometry import Vector, all_images, base_vector, images_of_base, is_oblique
from alfil.notation.betza.directions import (
    DirectionRunError,
    DirectionSystem,
    first_leg_tokens_for,
    select_vectors,
    tokenise,
)
from alfil.notation.betza.letter_meanings import LegLetters, letters_of_leg, modifiers_in
from alfil.notation.betza.letters import MODE_ORDER, LetterRun, Mode, modes_in, split_letters
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Modifiers, Path, Range
from alfil.notation.betza.semantic_checks import PartReport
from alfil.source import Span

MoveForm: TypeAlias = Literal["leap", "lame", "slide", "hop"]
RideKind: TypeAlias = Literal["leap", "lame", "slide", "hop", "grass"]

GRASSHOPPER = 1
# What the program makes of a hopper of one step with n: it hops, but has only one step in reach.
ONE_STEP_HOPPER = -1
LAME_VECTORS = frozenset({(0, 2), (2, 2), (1, 2), (2, 3)})
# Rides of longer steps are out of anyone's reach.
LONGEST_STEP = 2
# The largest board of the program has 12 files.
MAX_DISTANCE = 11
AXIS_BY_LETTER = {"f": 0, "b": 0, "v": 0, "l": 1, "r": 1, "s": 1, "h": 2}
OPPOSITE_LETTER = {"f": "b", "b": "f", "l": "r", "r": "l"}
# Whether a direction pair goes along an axis that XBoard forgets on diagonal atoms.
PAIRS_ALONG_AXIS = frozenset({"fs", "bs", "lv", "rv"})
HOPPER_ATOMS = frozenset("RBQ")
# The atoms of one step that hop with a range, and their sliders.
SLIDER_BY_STEP_ATOM = {"W": "R", "F": "B", "K": "Q"}
RANGED_HOPPERS = frozenset(SLIDER_BY_STEP_ATOM)
CAPTURE_MODES = frozenset("cdek")


def _report(name: str, span: Span, report: PartReport, **put: object) -> None:
    report.add_diagnostic(name, span, program=report.dialect.program, **put)


def check_quirks(terms: Iterable[BetzaTerm], report: PartReport) -> None:
    """Note what the program of the dialect would get wrong in each part."""
    for term in terms:
        report.begin_part(term)
        for modifiers in modifiers_in(term):
            _check_letter_order(modifiers, report)
        for leg in term.legs if isinstance(term, Path) else (term,):
            _check_doubled_atom(leg.atom, leg.range, report)
        if isinstance(term, Leg):
            _check_leg(term, report)
        elif isinstance(term, Chain) and "chain" in report.dialect.constructs:
            _check_chain(term, report)


def _check_letter_order(modifiers: Modifiers, report: PartReport) -> None:
    """XBoard reads i, directions, then the other letters in one order, and stops out of it."""
    if "order" not in report.dialect.quirks:
        return
    rides_found = split_letters(modifiers.written)
    start = modifiers.span.start
    for before, sign in pairwise(rides_found):
        if _xboard_letter_rank(sign) < _xboard_letter_rank(before):
            span = before.span(start).to(sign.span(start))
            neighbours = {"before": before.text, "after": sign.text}
            if sum(each.directions for each in rides_found) > 1:
                # Side by side they would pair, and choose other directions.
                _report("order-apart", span, report, **neighbours)
                return
            letters = "".join(each.text for each in sorted(rides_found, key=_xboard_letter_rank))
            ordered = report.part_with_replacement(modifiers.span, letters)
            _report("order", span, report, ordered=ordered, **neighbours)
            return


def _xboard_letter_rank(sign: LetterRun) -> float:
    """The place of a letter in the order; directions, and what nobody knows, follow ii."""
    return next(map(MODE_ORDER.index, modes_in(sign.text)), MODE_ORDER.index("ii") + 0.5)


def _check_doubled_atom(atom: Atom, reach: Range, report: PartReport) -> None:
    """Note an atom that may not be doubled in this dialect."""
    letter = reach.doubled_letter
    if not letter or reach.written != letter or report.dialect.may_double_atom(letter):
        return
    span = Span(atom.span.start, reach.span.start + 1)
    if "skips" in report.dialect.quirks:
        if not atom.vectors:  # the letter is none of its atoms, which is said elsewhere
            return
        _report("no-double", span, report, leap=report.part_with_replacement(reach.span))
    else:
        rider = report.part_with_replacement(reach.span, "0")
        _report("one-letter", span, report, letter=letter, rider=rider)


def _check_letters_on_doubled_slider(atom: Atom, reach: Range, report: PartReport) -> None:
    """A slider doubled after letters: to XBoard the second one is a part without them."""
    if "doubled-letter" not in report.dialect.quirks or reach.doubled_letter != atom.written:
        return
    if atom.slides:
        span = Span(atom.span.start, reach.span.start + 1)
        slider = report.part_with_replacement(reach.span)
        _report("second-slider", span, report, letter=atom.written, slider=slider)


def _check_range_support(atom: Atom, reach: Range, report: PartReport) -> None:
    """A range on an atom that Fairy-Stockfish has no rides for."""
    riders = report.dialect.riders
    if riders is None or not reach.written.isdigit() or atom.written in riders:
        return
    _report_rider("no-rider", reach.span, atom, reach, report)


def _report_rider(name: str, span: Span, atom: Atom, reach: Range, report: PartReport) -> None:
    leap = report.part_with_replacement(reach.span)
    _report(name, span, report, atom=atom.written, range=reach.written, leap=leap)


def _check_leg(leg: Leg, report: PartReport) -> None:
    """Everything a part of one leg must keep to in the dialect of a program."""
    atom, reach = leg.atom, leg.range
    if not atom.vectors:
        return
    _check_range_support(atom, reach, report)
    letters = letters_of_leg(leg.modifiers, report.dialect)
    habits = report.dialect.quirks
    if leg.modifiers.written:
        _check_letters_on_doubled_slider(atom, reach, report)
    _check_lame_leap(letters, atom, report)
    if "skips" in habits:
        _check_lame_rider(letters, atom, reach, report)
    if "hops" in habits:
        _check_hops(leg, letters, reach, report)
    if "quiet-start" in habits:
        _check_first_move(leg, letters.modes, report)
    if "variant-trail" in habits:
        _check_en_passant(letters, report)
    if (
        "single-runs" in habits
        and len(atom.vectors) > 1
        and not _has_too_many_digits(reach, report)
    ):
        _check_paired_directions(letters, atom, reach, report)
    _check_xboard_first_directions(letters, atom, report)
    _check_jumping_leap(letters, atom, report)


def _has_too_many_digits(reach: Range, report: PartReport) -> bool:
    """Whether a range has more digits than the program reads, which is an error of its own."""
    return len(reach.written) > report.dialect.digits


def _check_lame_rider(letters: LegLetters, atom: Atom, reach: Range, report: PartReport) -> None:
    span = letters.modes.get("n")
    if span is not None and reach.written and atom.written in (report.dialect.lame or ()):
        _report_rider("lame-rider", span, atom, reach, report)


def _check_chain(chain: Chain, report: PartReport) -> None:
    atom = chain.atom
    if not atom.vectors:
        return
    _check_letters_on_doubled_slider(atom, chain.range, report)
    first = letters_of_leg(chain.first, report.dialect)
    _check_xboard_first_directions(first, atom, report)
    _check_lame_and_jumping_leaps(first, atom, report)
    for item in chain.rest:
        if isinstance(item, ChainLeg):
            letters = letters_of_leg(item.modifiers, report.dialect)
            _check_xboard_later_directions(letters, atom, report)
            _check_lame_and_jumping_leaps(letters, atom, report)


def _check_lame_and_jumping_leaps(letters: LegLetters, atom: Atom, report: PartReport) -> None:
    _check_lame_leap(letters, atom, report)
    _check_jumping_leap(letters, atom, report)


def _check_lame_leap(letters: LegLetters, atom: Atom, report: PartReport) -> None:
    """A letter n on an atom that the program has no lame leaps for."""
    lame = report.dialect.lame
    span = letters.modes.get("n")
    if span is None or lame is None or atom.written in lame or report.has_diagnostic_at(span):
        return
    if atom.written not in HOPPER_ATOMS or "skips" not in report.dialect.quirks:
        # XBoard tests the first square of a longer leap.
        tested = "skips" not in report.dialect.quirks and max(map(max, atom.vectors)) > 1
        does = "tests one square only" if tested else "makes no moves of it"
        atoms = {leap: each for each, leap in report.dialect.atoms.items() if each in lame}
        *most, last = atoms.values()
        _report("no-lame", span, report, does=does, atoms=f"{', '.join(most)} and {last}")
    else:
        _report("lame-slider", span, report)


def _check_jumping_leap(letters: LegLetters, atom: Atom, report: PartReport) -> None:
    """A letter j on a leap of which XBoard tests one square only."""
    if "between" not in report.dialect.quirks or "j" not in letters.modes:
        return
    if max(map(max, atom.vectors)) > LONGEST_STEP:
        _report("half-jump", letters.modes["j"], report)


def _check_hops(leg: Leg, letters: LegLetters, reach: Range, report: PartReport) -> None:
    atom = leg.atom
    for letter in ("p", "g"):
        span = letters.modes.get(letter)
        if span is None:
            continue
        if report.has_diagnostic_at(span):
            continue
        if atom.written not in HOPPER_ATOMS | RANGED_HOPPERS:
            _report("no-hop", span, report, letter=letter)
        elif (
            letter == "g"
            and _has_readable_range(reach, report)
            and not _first_move_only_captures(letters.modes)
        ):
            hopper = report.part_with_replacement(reach.span)[: -len(atom.written)]
            hopper += SLIDER_BY_STEP_ATOM.get(atom.written, atom.written)
            put = {"hop": _as_fairy_stockfish_reads(leg, report), "grasshopper": hopper}
            _report("ranged-hop", span, report, **put)


def _has_readable_range(reach: Range, report: PartReport) -> bool:
    return reach.written.isdigit() and not _has_too_many_digits(reach, report)


def _first_move_may_capture(modes: Mapping[Mode, Span]) -> bool:
    """Whether a first move may capture, which the program's never does."""
    return "i" in modes and ("m" not in modes or bool(CAPTURE_MODES & modes.keys()))


def _first_move_only_captures(modes: Mapping[Mode, Span]) -> bool:
    """Whether a first move could only capture, so that the program makes no moves of it."""
    return {"i", "c"} <= modes.keys() and "m" not in modes


def _as_fairy_stockfish_reads(leg: Leg, report: PartReport) -> str:
    """The part as Fairy-Stockfish reads its hops and first moves."""
    modes = letters_of_leg(leg.modifiers, report.dialect).modes
    letters = [sign.text for sign in split_letters(leg.modifiers.written)]
    if "hops" in report.dialect.quirks and _has_readable_range(leg.range, report):
        letters = ["p" if each == "g" else each for each in letters]
    if "quiet-start" in report.dialect.quirks and _first_move_may_capture(modes):
        quiet = [each for each in letters if each not in CAPTURE_MODES | {"m"}]
        letters = ["im" if each == "i" else each for each in quiet]
    return report.part_with_replacement(leg.modifiers.span, "".join(letters))


def _check_first_move(leg: Leg, modes: Mapping[Mode, Span], report: PartReport) -> None:
    if not _first_move_may_capture(modes):
        return
    if _first_move_only_captures(modes):
        _report("no-start", modes["i"], report)
    elif leg.range.written == "*" or _has_too_many_digits(leg.range, report):
        _report("quiet-only", modes["i"], report)
    else:
        _report("quiet-start", modes["i"], report, quiet=_as_fairy_stockfish_reads(leg, report))


def _check_en_passant(letters: LegLetters, report: PartReport) -> None:
    span = letters.modes.get("e")
    if span is not None:
        _report("variant-passing" if "c" in letters.modes else "idle-passing", span, report)


def _tokenisable_runs(
    letters: LegLetters, system: DirectionSystem
) -> Iterator[tuple[str, Span, tuple[str, ...]]]:
    """The runs of directions that can be cut into tokens of a system, their places and tokens."""
    for run, span in letters.runs:
        cut = tokenise(run, system)
        if not isinstance(cut, DirectionRunError):
            yield run, span, cut


def _check_paired_directions(
    letters: LegLetters, atom: Atom, reach: Range, report: PartReport
) -> None:
    """Letters on K and Q that pair, which Fairy-Stockfish reads in a way of its own."""
    for run, span, cut in _tokenisable_runs(letters, "F"):
        if all(len(set(token)) == 1 for token in cut):
            continue
        report.discard_diagnostics_within(span)
        every = all_images(atom.vectors)
        eight = tokenise(run, "K")
        meant = () if isinstance(eight, DirectionRunError) else select_vectors(eight, every, "K")
        made = tuple(
            way for base in atom.vectors for way in program_directions([run], base, compound=True)
        )
        put = {"run": run, "instead": _as_orthogonal_and_diagonal(made, atom, reach)}
        if meant and set(meant) != set(made):
            _report(
                "eight-pairs",
                span,
                report,
                eight=_as_orthogonal_and_diagonal(meant, atom, reach),
                **put,
            )
        else:
            _report("own-pairs", span, report, **put)


def _as_orthogonal_and_diagonal(vectors: Sequence[Vector], atom: Atom, reach: Range) -> str:
    """K or Q with some directions as parts on W and F."""
    written = ""
    names: dict[Vector, tuple[str, str, DirectionSystem]] = {
        (0, 1): ("W", "R", "W"),
        (1, 1): ("F", "B", "F"),
    }
    far = reach.written if reach.written.isdigit() else ""
    for base, (step, slider, system) in names.items():
        directions_wanted = [way for way in vectors if base_vector(way) == base]
        if directions_wanted:
            letters = "".join(first_leg_tokens_for(directions_wanted, all_images((base,)), system))
            written += letters + (slider if atom.slides or reach.steps != 1 else step) + far
    return written


def _check_xboard_first_directions(letters: LegLetters, atom: Atom, report: PartReport) -> None:
    """Direction letters of a first leg that XBoard takes for more directions than they say."""
    if "first-runs" not in report.dialect.quirks or not atom.vectors:
        return
    compound = len(atom.vectors) > 1
    diagonal = not compound and atom.vectors[0][0] == atom.vectors[0][1]
    for run, span, cut in _tokenisable_runs(letters, "K" if compound else "F"):
        if diagonal and PAIRS_ALONG_AXIS & set(cut):
            _report("all-four", span, report)
        if diagonal and "h" in run:
            _report("ending-half", Span(span.start + run.index("h"), span.end), report)
        if compound:
            _check_eightfold_directions(run, span, cut, report)


def _check_xboard_later_directions(letters: LegLetters, atom: Atom, report: PartReport) -> None:
    """Direction letters of a later leg that XBoard gets wrong."""
    if "later-runs" not in report.dialect.quirks or not atom.vectors:
        return
    for run, span, cut in _tokenisable_runs(letters, "K"):
        _check_eightfold_directions(run, span, cut, report)
        if is_oblique(all_images(atom.vectors)[0]):
            _report("slanted", span, report)


def _check_eightfold_directions(
    run: str, span: Span, tokens: Sequence[str], report: PartReport
) -> None:
    if "h" in run:
        _report("every-half", span, report, apart=_half_direction_hint(run))
    for one, other in pairwise(tokens):
        doubled = one == one[0] * 2
        if doubled and tokenise(one[0] + other[0], "K") == (one[0] + other[0],):
            _report("paired", span, report, one=one, other=other)


def _half_direction_hint(run: str) -> str:
    """A half as a letter and a pair, as two parts or legs would have them."""
    letter = run[run.index("h") - 1] if run.index("h") else "f"
    return f"two parts, one with {letter} and one with {letter}{'s' if letter in 'fb' else 'v'}"


def check_interacting_parts(terms: Sequence[BetzaTerm], report: PartReport) -> None:
    """Parts that change each other in Fairy-Stockfish."""
    if "one-ride" not in report.dialect.quirks:
        return
    # Of those that are alike only the last one counts.
    by_base: dict[Vector, dict[tuple[object, ...], ProgramMove]] = {}
    separate: dict[Vector, tuple[object, ...]] = {}
    for term in terms:
        added: dict[Vector, None] = {}
        for entry in fairy_stockfish_moves(term):
            base = _ray_base_vector(entry.vector)
            added[base] = None
            alike = by_base.setdefault(base, {})
            alike.pop(entry[:-1], None)
            alike[entry[:-1]] = entry
        # No entry changes what the program makes of rays of another kind.
        for base in added:
            entries = tuple(by_base[base])
            if entries == separate.get(base):
                continue
            if not acts_like_separate_parts([*by_base[base].values()]):
                _report("one-ride", term.span, report)
                return
            separate[base] = entries


@lru_cache(maxsize=4096)  # a text of ten thousand letters asks for the same few of each
def _ray_base_vector(vector: Vector) -> Vector:
    """The kind of the ray that a vector lies on."""
    return base_vector(without_common_factor(vector)[0])


def fairy_stockfish_moves(term: BetzaTerm) -> Iterator[ProgramMove]:
    """What a part of one leg is to Fairy-Stockfish."""
    if not isinstance(term, Leg):
        return
    modes, far = term.modifiers.modes, term.range.written
    form, limit = program_move_form_and_limit(modes, far, rides=bool(far) or term.atom.slides)
    entry_modes: list[Mode] = [mode for mode in modes if mode in {"m", "c"}] or ["m", "c"]
    if "i" in modes:
        entry_modes = ["i"]
    for mode in entry_modes:
        for vector in term.vectors:
            yield ProgramMove(mode, form, vector, limit, term.span)


def program_move_form_and_limit(
    modes: Container[str], far: str, *, rides: bool
) -> tuple[MoveForm, int]:
    """How an atom moves, and how far: a digit takes the place of the mark of a grasshopper."""
    limit = int(far) if far.isdigit() else 0
    if "p" in modes or "g" in modes:
        if "n" in modes and not rides:
            return "hop", ONE_STEP_HOPPER
        return "hop", limit if far.isdigit() or "g" not in modes else GRASSHOPPER
    if rides:
        return "slide", limit
    return ("lame" if "n" in modes else "leap"), 1


# How Fairy-Stockfish moves


class ProgramMove(NamedTuple):
    """One direction of a part: ``mode`` is m, c, or i for the first move, which never captures.

    ``limit`` is the number of steps, 0 for any; for a hop also `GRASSHOPPER` or `ONE_STEP_HOPPER`.
    """

    mode: Mode
    form: MoveForm
    vector: Vector
    limit: int
    at: Span


class Ride(NamedTuple):
    """What the program does along one direction: steps of ``every`` times the vector, so many.

    ``vector`` has no common factor; leaps and lame leaps have a limit of 1.
    """

    mode: Mode
    kind: RideKind
    vector: Vector
    every: int
    limit: int

    def distances(self) -> frozenset[int]:
        """The distances it may end at, in vectors, on the largest board."""
        most = self.limit * self.every if self.limit else MAX_DISTANCE
        first = 2 if self.kind in {"hop", "grass"} else 1
        return frozenset(
            far
            for far in range(self.every, min(most, MAX_DISTANCE) + 1, self.every)
            if far >= first
        )


def program_tokens(run: str, *, pairs: bool) -> Iterator[str]:
    """A run of direction letters cut as the program cuts it."""
    at = 0
    while at < len(run):
        x, y = run[at], run[at + 1 : at + 2]
        size = 2 if pairs and y and (x == y or AXIS_BY_LETTER[x] != AXIS_BY_LETTER[y]) else 1
        yield run[at : at + size]
        at += size


def program_directions(runs: Sequence[str], base: Vector, *, compound: bool) -> tuple[Vector, ...]:
    """The directions of an atom (of W or F within K and Q) that runs of letters choose.

    >>> program_directions(["fs"], (0, 1), compound=True)
    ((1, 0), (-1, 0))
    >>> program_directions(["sf"], (1, 1), compound=False)
    ()
    """
    every = images_of_base(*base)
    if not runs:
        return every
    straight = base[0] == 0
    rides_found = {
        vector
        for run in runs
        for token in program_tokens(run, pairs=compound or not straight)
        for vector in _program_directions_of_token(token, every, straight=straight)
    }
    return tuple(vector for vector in every if vector in rides_found)


def _program_directions_of_token(
    token: str, every: tuple[Vector, ...], *, straight: bool
) -> tuple[Vector, ...]:
    first, second = token[0], token[1:]
    oblique = is_oblique(every[0])
    if first == "h":
        if second not in {"l", "r"}:
            return ()
        return select_vectors((token,), every, "N") if oblique else every
    if not second or second == first:
        return select_vectors((first,), every, "W" if straight else "N" if oblique else "F")
    if first in "vs":
        return ()
    if not straight:
        return select_vectors((token,), every, "N" if oblique else "F")
    if second == "h":
        behind = select_vectors((OPPOSITE_LETTER[first],), every, "W")
        return tuple(vector for vector in every if vector not in behind)
    return select_vectors((second,), every, "W")


def combined_rides(entries: Iterable[ProgramMove]) -> tuple[Ride, ...]:
    """What the program lets a piece do that has these entries, later ones over earlier ones."""
    by_mode: dict[Mode, dict[tuple[str, Vector], ProgramMove]] = {}
    for entry in entries:
        table = "step" if entry.form in {"leap", "lame"} else entry.form
        by_mode.setdefault(entry.mode, {})[table, entry.vector] = entry
    return tuple(
        dict.fromkeys(
            ride for held in by_mode.values() for ride in _rides_of_mode(list(held.values()))
        )
    )


def _rides_of_mode(entries: Sequence[ProgramMove]) -> Iterator[Ride]:
    """The rides of one mode: each kind the piece has, wherever a square is in reach."""
    within: dict[Vector, dict[tuple[int, int], None]] = {}
    kinds: dict[tuple[RideKind, Vector], None] = {}
    for entry in entries:
        ray, times = without_common_factor(entry.vector)
        limit = _steps_in_reach(entry)
        if limit is not None:
            within.setdefault(ray, {})[times, limit] = None
        if entry.form == "leap":
            yield Ride(entry.mode, "leap", ray, times, 1)
        kinds |= dict.fromkeys(_ride_directions(entry))
    for kind, way in kinds:
        ray, times = without_common_factor(way)
        for every, limit in within.get(ray, ()):
            if kind != "lame":
                yield Ride(entries[0].mode, kind, ray, every, limit)
            elif times % every == 0 and (not limit or times // every <= limit):
                yield Ride(entries[0].mode, kind, ray, times, 1)


def _steps_in_reach(entry: ProgramMove) -> int | None:
    """How many steps of an entry are in reach, 0 for any number; None for none."""
    if entry.form in {"leap", "lame"}:
        return 1
    if max(map(abs, entry.vector)) > LONGEST_STEP:
        return None
    if entry.form == "slide":
        return entry.limit
    return {GRASSHOPPER: 0, ONE_STEP_HOPPER: 1}.get(entry.limit, entry.limit)


def _ride_kind(entry: ProgramMove) -> RideKind | None:
    """The kind of ride an entry gives the piece, if it has one for such steps."""
    ray, times = without_common_factor(entry.vector)
    if entry.form == "lame":
        return "lame" if base_vector(entry.vector) in LAME_VECTORS else None
    if times > 1 or max(map(abs, ray)) > LONGEST_STEP:
        return None
    if entry.form == "slide":
        return "slide"
    if entry.form == "hop" and not is_oblique(ray):
        return "grass" if entry.limit == GRASSHOPPER else "hop"
    return None


def _ride_directions(entry: ProgramMove) -> Iterator[tuple[RideKind, Vector]]:
    """The kind of ride an entry gives the piece, with every direction it then has that kind in.

    Files and ranks count apart, all other directions of a kind together.
    """
    kind = _ride_kind(entry)
    if kind is None:
        return
    x, y = entry.vector
    along = kind != "lame" and (x == 0 or y == 0)
    yield from (
        (kind, way) for way in ([(x, y), (-x, -y)] if along else images_of_base(abs(x), abs(y)))
    )


def without_common_factor(vector: Vector) -> tuple[Vector, int]:
    """A vector without its common factor, and that factor."""
    times = gcd(*vector)
    return (vector[0] // times, vector[1] // times), times


def ride_of_move(entry: ProgramMove) -> Ride | None:
    """The ride that an entry stands for, taken by itself; None when the program has no such."""
    ray, times = without_common_factor(entry.vector)
    kind = entry.form if entry.form in {"leap", "lame"} else _ride_kind(entry)
    limit = _steps_in_reach(entry)
    return None if kind is None or limit is None else Ride(entry.mode, kind, ray, times, limit)


def acts_like_separate_parts(entries: Sequence[ProgramMove]) -> bool:
    """Whether the program does with all parts together what it does with each by itself."""
    meant = _distances_by_ray(ride for ride in map(ride_of_move, entries) if ride)
    made = _distances_by_ray(combined_rides(entries))
    return all(
        meant.get(key, NO_DISTANCES) == made.get(key, NO_DISTANCES) for key in {*meant, *made}
    )


DistancesByRay: TypeAlias = dict[tuple[str, str, Vector], frozenset[int]]
NO_DISTANCES: frozenset[int] = frozenset()


def _distances_by_ray(rides: Iterable[Ride]) -> DistancesByRay:
    """The distances along each ray by mode and condition, without those that a leap makes idle."""
    reach: DistancesByRay = {}
    for ride in rides:
        # A lame leap straight on is a slide to one distance.
        straight = ride.kind == "lame" and not is_oblique(ride.vector)
        key = (ride.mode, "slide" if straight else ride.kind, ride.vector)
        reach[key] = reach.get(key, NO_DISTANCES) | ride.distances()
    return {
        key: left
        for key, distances in reach.items()
        if (left := distances - reach.get((key[0], "leap", key[2]), NO_DISTANCES))
        or key[1] == "leap"
    }

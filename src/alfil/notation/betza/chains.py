"""Chains: legs joined by a, and repeats of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from alfil.geometry import Vector
from alfil.notation.betza.builder import Piece, RawLeg
from alfil.notation.betza.legs import (
    WHOLE_PARTS,
    Letters,
    first_directions,
    later_places,
    read_letters,
)
from alfil.notation.betza.lexicon import DIRECTIONS, MOST_DIGITS, clash, signs
from alfil.notation.betza.nodes import Atom, Chain, ChainLeg, Modifiers, Range, Repeat, Tail
from alfil.notation.betza.report import Report
from alfil.notation.betza.room import check_room, no_bend_yet, own_capture
from alfil.source import Span

# What a later leg without letters does in a dialect where it is not every way but back.
NARROW = (0, 2, 6)
# Straight on and back, in eighths: no bends.
NO_BENDS = frozenset({0, 4})


class _Last(NamedTuple):
    """A leg that may come last: its letters, understood and as written, and its steps.

    ``measured`` is whether a leg before it slides.
    """

    letters: Letters
    steps: int
    text: str
    first: bool
    measured: bool


@dataclass(slots=True)
class _Row:
    """A chain in the making.

    ``swapped`` is whether y or g has exchanged one step and any number; ``slid`` whether some leg
    so far slides, ``bent`` whether some leg may have bent; ``printed`` is the range that counts for
    every leg, if there is one; ``lasts`` are the letters of the legs
    that may come last as things stand.
    """

    atom: Atom
    report: Report
    rest: list[ChainLeg | Repeat | Tail] = field(default_factory=list)
    swapped: bool = False
    slid: bool = False
    bent: bool = False
    printed: int | None = None
    lasts: list[_Last] = field(default_factory=list)

    def steps(self) -> int:
        """How many steps a leg has at this place: 1, or 0 for any number."""
        if self.printed is not None:
            return self.printed
        return 1 if self.atom.slides == self.swapped else 0

    def enter(self, letters: Letters, text: str, *, first: bool = False) -> _Last:
        """Count a leg in: what it changes for the legs after it."""
        steps, measured = self.steps(), self.slid
        self.slid = measured or steps != 1
        self.swapped ^= bool(letters.modes.keys() & {"y", "g"})
        return _Last(letters, steps, text, first, measured)


def is_chain(raw: RawLeg) -> bool:
    """Whether a leg is written with a, or with a repeat."""
    return any("a" in piece.text or piece.text[0] == "(" for piece in raw.modifiers)


def read_chain(raw: RawLeg, atom: Atom, reach: Range, report: Report, span: Span) -> Chain:
    """The chain a leg with a or repeats in its letters stands for."""
    if "chain" not in report.dialect.constructs:
        _no_chains(raw, report)
        return Chain(
            Modifiers(span=report.span(raw.atom.start, raw.atom.start)), (), atom, reach, span=span
        )
    if reach.written and not _counts_for_all(raw, report):
        hint = f"give each leg its range in brackets: {_in_brackets(raw)}"
        report.add("range-on-chain", "a range on a chain means different things", reach.span, hint)
    if atom.written in WHOLE_PARTS:
        message = f"{atom.written} is a whole part, not a leg"
        report.add("whole-part", message, atom.span, "write it as a part of its own")
    row = _Row(atom, report, printed=reach.steps if reach.written else None)
    pieces = list(raw.modifiers)
    first_text, start = "", pieces[0].start
    if pieces[0].text[0] != "(":
        first_text = pieces[0].text.split("a", 1)[0]
    letters = read_letters(first_text, start, report)
    _check_first(letters, report)
    tokens, vectors = first_directions(letters, atom, report)
    if report.dialect.program:
        from alfil.notation.betza.limits import check_first_runs, check_second

        check_second(atom, reach, report)
        check_first_runs(letters, atom, report)
    letters = letters._replace(tokens=tokens)
    row.lasts = [row.enter(letters, first_text, first=True)]
    _read_rest(pieces, len(first_text), row)
    for last in row.lasts:
        check_room(last.letters, atom, last.steps, report)
        _check_habits(last.letters, row, last=True)
        own_capture(last.letters, report)
    return Chain(letters.node(), tuple(row.rest), atom, reach, vectors, span=span)


def _no_chains(raw: RawLeg, report: Report) -> None:
    """Note every a, and every repeat, that a program would skip; the letters where none does."""
    if not report.dialect.program:
        where = report.span(raw.start, raw.atom.start)
        report.missing("chains of legs", "chain", where)
        return
    for piece in raw.modifiers:
        if piece.text[0] == "(":
            report.missing("repeats", "repeat", report.span(piece.start, piece.end))
            continue
        for at, letter in enumerate(piece.text, piece.start):
            if letter == "a":
                remedy = "a lame knight is nN" if "skips" in report.dialect.habits else ""
                report.missing("chains of legs", "chain", report.span(at, at + 1), remedy)


def _counts_for_all(raw: RawLeg, report: Report) -> bool:
    """Whether a printed range counts for every leg: where the dialect says so, without y and g."""
    letters = "".join(piece.text for piece in raw.modifiers)
    return "chain-range" in report.dialect.constructs and not set(letters) & set("yg")


def _check_habits(letters: Letters, row: _Row, *, last: bool) -> None:
    """What the program of the dialect would get wrong on a leg."""
    if row.report.dialect.program and row.atom.vectors:
        from alfil.notation.betza.limits import check_jumps, check_lame, check_royal

        check_lame(letters, row.atom, row.report)
        check_jumps(letters, row.atom, row.report)
        check_royal(letters, row.report, last=last)


def _in_brackets(raw: RawLeg) -> str:
    """A chain as a path, for a hint; without the user's letters where a path would differ."""
    text = "".join(piece.text for piece in raw.modifiers)
    first, *later = text.split("a")
    atom = raw.atom.text
    if set(text) & set("yg(") or not all(set(leg) & DIRECTIONS for leg in later):
        return f"[{atom}-{atom}]"
    told = raw.range.text if raw.range else ""
    return f"[{'-'.join([first + atom + told, *(leg + atom for leg in later)])}]"


def _check_first(letters: Letters, report: Report) -> None:
    for letter in ("z", "q"):
        if letter in letters.modes:
            hint = "on a later leg it says which way to bend"
            report.add(
                "misplaced-bend",
                f"{letter} has no bend before it on the first leg",
                letters.modes[letter],
                hint,
            )


def _read_rest(pieces: list[Piece], skip: int, row: _Row) -> None:
    """Everything after the first leg's letters."""
    after_repeat = False
    for index, piece in enumerate(pieces):
        if piece.text[0] == "(":
            _read_repeat(piece, row)
            after_repeat = True
            continue
        text = piece.text[skip:] if index == 0 else piece.text
        start = piece.start + (skip if index == 0 else 0)
        head, *legs = text.split("a")
        if head:
            _read_tail(head, start, row, after_repeat=after_repeat)
        at = start + len(head)
        for leg in legs:
            _read_leg(leg, at, row)
            at += 1 + len(leg)
        after_repeat = False


def _read_leg(text: str, at: int, row: _Row) -> None:
    """A leg begun by the a at ``at``."""
    for last in row.lasts:
        check_room(last.letters, row.atom, last.steps, row.report, last=False)
        _check_habits(last.letters, row, last=False)
    letters, places = _later(text, at + 1, row)
    row.lasts = [row.enter(letters, text)]
    span = row.report.span(at, at + 1 + len(text))
    row.rest.append(ChainLeg(letters.node(), places, span=span))


def _later(text: str, start: int, row: _Row) -> tuple[Letters, tuple[int, ...] | None]:
    report = row.report
    letters = read_letters(text, start, report)
    tokens, places = later_places(letters, report)
    if report.dialect.program:
        from alfil.notation.betza.limits import check_later_runs

        check_later_runs(letters, row.atom, report)
    if places is None and row.atom.written in report.dialect.narrow:
        places = NARROW
    if "ii" in letters.modes:
        hint = "put ii on the first leg"
        report.add(
            "misplaced-initial", "ii stands on the first leg only", letters.modes["ii"], hint
        )
    if not row.slid:
        _no_measure(letters, report)
    for sense in ("z", "q"):
        if sense in letters.modes and letters.runs and not row.bent:
            no_bend_yet(sense, letters.modes[sense], report)
    row.bent = row.bent or places is None or not NO_BENDS.issuperset(places)
    return letters._replace(tokens=tokens), places


def _no_measure(letters: Letters, report: Report) -> None:
    """An error where a leg is to be as long as a slide that there is not."""
    if "i" in letters.modes:
        hint = "i on a later leg is as long as the slide before it; there is none"
        report.add("iso-without-slider", "no leg before this one slides", letters.modes["i"], hint)


def _read_tail(text: str, start: int, row: _Row, *, after_repeat: bool) -> None:
    if not after_repeat:
        raise AssertionError("letters without a before them belong to the first leg")
    letters = read_letters(text, start, row.report)
    if not all(last.first or last.measured for last in row.lasts):
        _no_measure(letters, row.report)
    turns = tuple(None if last.first else _turns(last, text, letters, row) for last in row.lasts)
    vectors = _vectors(row.lasts[0], text, letters, row) if row.lasts[0].first else ()
    _unite(letters, text, row)
    row.swapped ^= bool(letters.modes.keys() & {"y", "g"})
    runs = tuple(run for run, _ in letters.runs)
    node = letters._replace(tokens=runs).node()
    row.rest.append(Tail(node, turns, vectors, span=letters.span))


def _runs(last: _Last, text: str, tail: Letters) -> tuple[tuple[str, Span], ...]:
    """The runs of directions of a leg with more letters written straight after it."""
    return tuple((sign.text, tail.span) for sign in signs(last.text + text) if sign.directions)


def _turns(last: _Last, text: str, tail: Letters, row: _Row) -> tuple[int, ...] | None:
    """The turns of a later leg with more letters written straight after it."""
    return later_places(tail._replace(runs=_runs(last, text, tail)), row.report)[1]


def _vectors(last: _Last, text: str, tail: Letters, row: _Row) -> tuple[Vector, ...]:
    """The directions of the first leg with more letters written straight after it."""
    whole = tail._replace(runs=_runs(last, text, tail))
    return first_directions(whole, row.atom, row.report)[1]


def _unite(tail: Letters, text: str, row: _Row) -> None:
    """Give the letters of a tail to every leg that may come last; note what does not go there."""
    twice = {letter for last in row.lasts for letter in last.letters.modes} & tail.modes.keys()
    for letter in twice:
        message, hint = f"one {letter} is enough", "leave one out"
        row.report.add("repeated-modifier", message, tail.modes[letter], hint)
    if twice:
        return
    united = [
        last._replace(
            letters=last.letters._replace(modes={**last.letters.modes, **tail.modes}),
            text=last.text + text,
        )
        for last in row.lasts
    ]
    wrong = next(filter(None, (clash(last.letters.modes) for last in united)), None)
    if wrong:
        row.report.findings.append(wrong)
    else:
        row.lasts = united


def _read_repeat(piece: Piece, row: _Row) -> None:
    """``(a..)n``: the legs inside, written any number of times."""
    report = row.report
    inside, _, digits = piece.text[1:].partition(")")
    span = report.span(piece.start, piece.end)
    if not _well_formed(inside, digits, span, piece, report):
        return
    if "repeat" not in report.dialect.constructs:
        report.missing("repeats", "repeat", span)
    before = row.lasts
    # A leg of a repeat has all the others before it, from the second round on.
    row.bent = True
    at = piece.start + 1
    legs: list[ChainLeg] = []
    for text in inside.split("a")[1:]:
        letters, places = _later(text, at + 1, row)
        _no_toggle(letters, report)
        row.lasts = [row.enter(letters, text)]
        legs.append(ChainLeg(letters.node(), places, span=report.span(at, at + 1 + len(text))))
        at += 1 + len(text)
    row.lasts = [*before, *row.lasts]
    row.rest.append(Repeat(tuple(legs), int(digits or 0), digits, span=span))


def _no_toggle(letters: Letters, report: Report) -> None:
    for letter in ("y", "g"):
        if letter in letters.modes:
            hint = "write the legs out"
            message = f"{letter} changes the leg after it, so it cannot be repeated"
            report.add("repeat-form", message, letters.modes.pop(letter), hint)


def _well_formed(inside: str, digits: str, span: Span, piece: Piece, report: Report) -> bool:
    where = report.span(piece.end - len(digits), piece.end)
    if len(digits) > MOST_DIGITS:
        report.add("range-too-long", "two digits at most", where, "0 is unlimited")
        return False
    if len(digits) > 1 and digits[0] == "0":
        report.add("leading-zero", "no leading zero", where, f"write {digits.lstrip('0') or 0}")
        return False
    if not inside.startswith("a") or inside.endswith("a"):
        hint = "a repeat begins with a and ends with a leg's letters, as in (af)F"
        message = "this is no repeat of legs" if inside else "nothing is repeated"
        report.add("repeat-form", message, span, hint)
        return False
    return True

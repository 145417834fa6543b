"""What the programs behind two dialects get wrong, found before it does harm.

A dialect names its program's habits; each has a check here. Whatever the program would cut short,
ignore or read in another way is an error that says what it does, and what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from alfil.geometry import Vector, every_image, is_oblique
from alfil.notation.betza import fairy
from alfil.notation.betza.directions import Slip, System, chosen, tokenise, tokens_for
from alfil.notation.betza.fairy import Entry
from alfil.notation.betza.lexicon import MODE_ORDER, Sign
from alfil.notation.betza.nodes import Atom, BetzaTerm, Leg, Range
from alfil.notation.betza.report import Report
from alfil.source import Span

if TYPE_CHECKING:
    from alfil.notation.betza.legs import Letters

# Whether a direction pair goes along an axis that XBoard forgets on diagonal atoms.
ALONG_AXIS = frozenset({"fs", "bs", "lv", "rv"})
HOPPERS = frozenset("RBQ")
RANGED_HOPPERS = frozenset("WFK")
CAPTURES = frozenset("cdek")


def _wrong(what: str, span: Span, hint: str, report: Report) -> None:
    program = report.dialect.program
    report.add("not-in-dialect", f"{program} {what}", span, hint)


def check_order(found: Sequence[Sign], offset: int, report: Report) -> None:
    """XBoard reads i, directions, then the other letters in one order, and stops out of it."""
    if "order" not in report.dialect.habits:
        return
    for before, sign in pairwise(found):
        if _rank(sign) < _rank(before):
            span = before.span(offset).to(sign.span(offset))
            written = "".join(each.text for each in found)
            ordered = "".join(each.text for each in sorted(found, key=_rank))
            message = f"XBoard stops reading after {before.text}, and ignores {sign.text}"
            hint = f"write {report.part.replace(written, ordered, 1)}"
            report.add("modifier-order", message, span, hint)
            return


def _rank(sign: Sign) -> float:
    if sign.directions:
        return 1.5
    return MODE_ORDER.index(sign.text) if sign.text in MODE_ORDER else 1.5


def doubled_letter(letter: str, span: Span, report: Report) -> None:
    """Note an atom that may not be doubled in this dialect."""
    if "skips" in report.dialect.habits:
        does, hint = "makes no moves of it", "write the leaps one by one"
    else:
        does, hint = f"reads {letter}", f"write {letter}0"
    report.add("doubled-letter", f"{report.dialect.program} {does}", span, hint)


def check_second(atom: Atom, reach: Range, report: Report) -> None:
    """A slider doubled after letters: to XBoard the second one is a part without them."""
    if "doubled-letter" not in report.dialect.habits or reach.written != atom.written:
        return
    if atom.slides:
        span = Span(atom.span.start, reach.span.end)
        does = f"{report.dialect.program} takes the second {atom.written} for a part of its own"
        report.add("doubled-letter", does, span, f"write {atom.written} once")


def check_reach(atom: Atom, reach: Range, report: Report) -> None:
    """A range on an atom that Fairy-Stockfish has no rides for."""
    riders = report.dialect.riders
    if riders is None or not reach.written.isdigit() or atom.written in riders:
        return
    hint = f"write {atom.written}, or a rider of W, F, N or K"
    _wrong(f"makes no moves of {atom.written}{reach.written}", reach.span, hint, report)


def check_leg(letters: Letters, atom: Atom, reach: Range, report: Report) -> None:
    """Everything a part of one leg must keep to in the dialect of a program."""
    check_reach(atom, reach, report)
    if not atom.vectors:
        return
    habits = report.dialect.habits
    if letters.span.start < letters.span.end:
        check_second(atom, reach, report)
    _check_lame(letters, atom, reach, report)
    if "hops" in habits:
        _check_hops(letters, atom, reach, report)
    if "quiet-start" in habits:
        _check_start(letters, atom, report)
    if "variant-trail" in habits:
        _check_en_passant(letters, report)
    if "single-runs" in habits and len(atom.vectors) > 1:
        _check_single_runs(letters, atom, reach, report)
    check_first_runs(letters, atom, report)
    check_jumps(letters, atom, report)
    check_royal(letters, report, last=True)


def _check_lame(letters: Letters, atom: Atom, reach: Range, report: Report) -> None:
    check_lame(letters, atom, report)
    if "skips" not in report.dialect.habits or "n" not in letters.modes or not reach.written:
        return
    if atom.written in (report.dialect.lame or ()) and reach.written:
        told = f"reads {atom.written}{reach.written} without n"
        _wrong(told, letters.modes["n"], f"write n{atom.written}", report)


def check_lame(letters: Letters, atom: Atom, report: Report) -> None:
    """A letter n on an atom that the program has no lame leaps for."""
    lame = report.dialect.lame
    span = letters.modes.get("n")
    if span is None or lame is None or atom.written in lame or report.has(span):
        return
    if atom.written not in HOPPERS or "skips" not in report.dialect.habits:
        tests = "tests one square only" if max(max(v) for v in atom.vectors) > 1 else "has no moves"
        what = "makes no moves of it" if "skips" in report.dialect.habits else tests
        _wrong(what, span, "n goes with D, N and A", report)
    else:
        _wrong(f"reads {atom.written}", span, "leave n out", report)


def check_jumps(letters: Letters, atom: Atom, report: Report) -> None:
    """A letter j on a leap of which XBoard tests one square only."""
    if "between" not in report.dialect.habits or "j" not in letters.modes:
        return
    if max(map(max, atom.vectors)) > fairy.LONGEST_STEP:
        hint = "j goes with D, N and A, and with sliders"
        _wrong("tests one square only", letters.modes["j"], hint, report)


def _check_hops(letters: Letters, atom: Atom, reach: Range, report: Report) -> None:
    for letter in ("p", "g"):
        span = letters.modes.get(letter)
        if span is None:
            continue
        ranged = atom.written in RANGED_HOPPERS and reach.written
        if report.has(span):
            continue
        if not ranged and atom.written not in HOPPERS | RANGED_HOPPERS:
            _wrong("makes no moves of it", span, f"{letter} goes with R, B and Q", report)
        elif letter == "g" and reach.written.isdigit():
            hint = f"write p{atom.written}{reach.written} for that, or g{atom.written}"
            _wrong(f"reads p{atom.written}{reach.written}", span, hint, report)


def _check_start(letters: Letters, atom: Atom, report: Report) -> None:
    modes = letters.modes
    if "i" in modes and not ("m" in modes and not CAPTURES & modes.keys()):
        does = f"reads im{atom.written}" if "c" not in modes or "m" in modes else "makes no moves"
        hint = f"write im{atom.written}"
        _wrong(f"never captures by a first move: it {does}", modes["i"], hint, report)


def _check_en_passant(letters: Letters, report: Report) -> None:
    span = letters.modes.get("e")
    if span is None:
        return
    if "c" not in letters.modes:
        _wrong("skips e", span, "write ce, or leave e out", report)
        return
    message = "Fairy-Stockfish takes en passant from the settings of its variant, not from e"
    hint = "set enPassantRegion and enPassantTypes in the variant"
    report.add("variant-en-passant", message, span, hint, "warning")


def _check_single_runs(letters: Letters, atom: Atom, reach: Range, report: Report) -> None:
    """Letters on K and Q that pair, which Fairy-Stockfish reads in a way of its own."""
    for run, span in letters.runs:
        cut = tokenise(run, "F")
        if isinstance(cut, Slip) or all(len(set(token)) == 1 for token in cut):
            continue
        report.drop(span)
        every = every_image(atom.vectors)
        eight = tokenise(run, "K")
        meant = () if isinstance(eight, Slip) else chosen(eight, every, "K")
        made = tuple(
            way for base in atom.vectors for way in fairy.directions([run], base, compound=True)
        )
        hint = f"write {_apart(made, atom, reach)}, which it does"
        if meant and set(meant) != set(made):
            hint = f"write {_apart(meant, atom, reach)} for the eight-fold reading, or {hint[6:]}"
        _wrong(f"reads {run} on W and F in a way of its own", span, hint, report)


def _apart(vectors: Sequence[Vector], atom: Atom, reach: Range) -> str:
    """K or Q with some directions as parts on W and F."""
    written = ""
    names: dict[Vector, tuple[str, str, System]] = {
        (0, 1): ("W", "R", "W"),
        (1, 1): ("F", "B", "F"),
    }
    far = reach.written if reach.written.isdigit() else ""
    for base, (step, slider, system) in names.items():
        wanted = [way for way in vectors if fairy.shape(way) == base]
        if wanted:
            letters = "".join(tokens_for(wanted, every_image((base,)), system))
            written += letters + (slider if atom.slides or reach.steps != 1 else step) + far
    return written


def check_first_runs(letters: Letters, atom: Atom, report: Report) -> None:
    """Direction letters of a first leg that XBoard takes for more directions than they say."""
    if "first-runs" not in report.dialect.habits or not atom.vectors:
        return
    compound = len(atom.vectors) > 1
    diagonal = not compound and atom.vectors[0][0] == atom.vectors[0][1]
    for run, span in letters.runs:
        cut = tokenise(run, "K" if compound else "F")
        if isinstance(cut, Slip):
            continue
        if diagonal and ALONG_AXIS & set(cut):
            _wrong("takes v and s after another letter for all four", span, "leave it out", report)
        if compound:
            _check_eightfold(run, span, cut, report)


def check_later_runs(letters: Letters, atom: Atom, report: Report) -> None:
    """Direction letters of a later leg that XBoard gets wrong."""
    if "later-runs" not in report.dialect.habits or not atom.vectors:
        return
    for run, span in letters.runs:
        cut = tokenise(run, "K")
        if isinstance(cut, Slip):
            continue
        _check_eightfold(run, span, cut, report)
        slanted = any(len(set(token) - {"h"}) > 1 for token in cut)
        if slanted and is_oblique(every_image(atom.vectors)[0]):
            hint = "turn by r, l or b, or name the leaps"
            _wrong("lands elsewhere after half a turn of this leap", span, hint, report)


def _check_eightfold(run: str, span: Span, cut: Sequence[str], report: Report) -> None:
    if "h" in run:
        _wrong("takes h here for all directions", span, f"write {_spelled_out(run)}", report)
    for one, other in pairwise(cut):
        doubled = one == one[0] * 2
        if doubled and tokenise(one[0] + other[0], "K") == (one[0] + other[0],):
            hint = "write two parts, one for each letter"
            _wrong(f"reads {one} before {other} as a pair", span, hint, report)


def _spelled_out(run: str) -> str:
    """A half as a letter and a pair, as two parts or legs would have them."""
    letter = run[run.index("h") - 1] if run.index("h") else "f"
    return f"two parts, one with {letter} and one with {letter}{'s' if letter in 'fb' else 'v'}"


def check_royal(letters: Letters, report: Report, *, last: bool) -> None:
    """XBoard's t: on a leg that goes on it says something of a hurdle, so there must be one."""
    span = letters.modes.get("t")
    if span is not None and not last and not letters.modes.keys() & {"p", "g"}:
        hint = "on a leg that goes on it stands with p or g: the hurdle is no enemy"
        report.add("misplaced-t", "t has no hurdle here", span, hint)


def check_together(terms: Sequence[BetzaTerm], report: Report) -> None:
    """Parts that change each other in Fairy-Stockfish."""
    if "one-ride" not in report.dialect.habits:
        return
    entries: list[Entry] = []
    for term in terms:
        entries += fairy_entries(term)
        if not fairy.sums_up(entries):
            hint = "alfil check --for fairy-stockfish shows what it makes of them"
            _wrong("lets this part and those before it change each other", term.span, hint, report)
            return


def fairy_entries(term: BetzaTerm) -> Iterator[Entry]:
    """What a part of one leg is to Fairy-Stockfish."""
    if not isinstance(term, Leg):
        return
    modes = term.modifiers.modes
    wanted = [mode for mode in modes if mode in {"m", "c"}] or ["m", "c"]
    form: fairy.Form = "leap"
    limit = term.range.steps
    if "p" in modes or "g" in modes:
        form = "hop"
        limit = fairy.GRASSHOPPER if "g" in modes else term.range.steps
    elif term.range.written or term.atom.slides:
        form = "slide"
    elif "n" in modes:
        form = "lame"
    for mode in ["i"] if "i" in modes else wanted:
        for vector in term.vectors:
            yield Entry(mode, form, vector, limit, term.span)

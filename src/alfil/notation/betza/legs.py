"""The sense of one leg: its letters, its atom and its range, checked and resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from alfil.geometry import Vector, every_image
from alfil.notation.betza.builder import Piece, RawLeg
from alfil.notation.betza.dialects import CASTLING, UNIVERSAL, elsewhere
from alfil.notation.betza.directions import Slip, System, atom_system, chosen, eighths, tokenise
from alfil.notation.betza.lexicon import (
    LARGEST_NUMBER,
    MODES,
    MOST_DIGITS,
    UNSUPPORTED,
    Sign,
    clash,
    signs,
)
from alfil.notation.betza.nodes import Atom, Modifiers, Range
from alfil.notation.betza.report import Report
from alfil.source import Span

Tokens = tuple[str, ...]

ATOM_HINTS = {
    "P": "a pawn is fmWfceF",
    "E": "RN, unless E is something else where you found it",
    "M": "FC, unless M is something else where you found it",
    "S": "no program knows S; write the leaps it stands for",
    "T": "no program knows T; write the leaps it stands for",
    "V": "no program knows V; write the leaps it stands for",
}


class Letters(NamedTuple):
    """The letters of one leg, understood."""

    tokens: Tokens
    modes: dict[str, Span]
    runs: tuple[tuple[str, Span], ...]
    span: Span

    def node(self) -> Modifiers:
        """The letters as a node."""
        return Modifiers(self.tokens, tuple(self.modes), span=self.span)


def read_letters(text: str, start: int, report: Report) -> Letters:
    """Understand the letters of one leg that starts at ``start``; runs are not cut yet."""
    modes: dict[str, Span] = {}
    runs: list[tuple[str, Span]] = []
    offset = start + report.offset
    if not text:
        return Letters((), modes, (), Span(offset, offset))
    found = signs(text)
    if report.dialect.program:
        from alfil.notation.betza.limits import check_order

        check_order(found, offset, report)
    for sign in found:
        span = sign.span(offset)
        if sign.directions:
            runs.append((sign.text, span))
        elif _known(sign, span, report):
            if sign.text in modes:
                hint = "leave one out"
                report.add("repeated-modifier", f"one {sign.text} is enough", span, hint)
            modes.setdefault(sign.text, span)
    if _double_move(text, offset, report):
        return Letters((), {}, (), Span(offset, offset + len(text)))
    _clashing(modes, report)
    return Letters((), modes, tuple(runs), Span(offset, offset + len(text)))


def _clashing(modes: dict[str, Span], report: Report) -> None:
    wrong = clash(modes) if len(modes) > 1 else None
    if wrong:
        # What such letters lack besides is no news.
        report.findings.append(wrong)
        modes.clear()


def _double_move(text: str, offset: int, report: Report) -> bool:
    """Old wiki pages wrote dh for a double move; h there is no half, and d is something else."""
    at = text.find("dh")
    if at < 0 or text[at + 2 : at + 3] in {"l", "r"}:
        return False
    span = Span(offset + at, offset + at + 2)
    hint = "write KaK, or the lion in full: KNADcaKmcabK"
    report.add("old-double-move", "dh meant a double move on old pages", span, hint)
    return True


def _known(sign: Sign, span: Span, report: Report) -> bool:
    """Whether a modifier is one of the dialect's; notes what is wrong when it is not."""
    letter = sign.text
    if letter in report.dialect.modes:
        return True
    if letter in UNSUPPORTED and report.dialect.name != "classic":
        report.add("not-supported-yet", f"{UNSUPPORTED[letter]} is not supported yet", span)
    elif letter in MODES:
        remedy = "for several legs write parts of one leg" if letter == "y" else ""
        report.missing(f"modifier {letter}", letter, span, remedy)
    else:
        hint = f"leave {letter} out" if letter != "t" else "to join legs write FtR"
        report.add("unknown-modifier", f"no modifier is called {letter}", span, hint)
    return False


def _tokens(runs: Sequence[tuple[str, Span]], system: System, report: Report) -> tuple[str, ...]:
    tokens: list[str] = []
    for run, span in runs:
        cut = tokenise(run, system)
        if isinstance(cut, Slip):
            slip(cut, run, span.start, report)
        else:
            tokens += cut
    if len(runs) > 1 and system != "W":
        whole = runs[0][1].to(runs[-1][1])
        report.add(
            "split-directions",
            "direction letters with another letter between them do not pair",
            whole,
            "put the direction letters together",
            "warning",
        )
    return tuple(tokens)


def slip(wrong: Slip, run: str, start: int, report: Report) -> None:
    """Note what is wrong in a run of direction letters that starts at ``start`` of the text."""
    span = Span(start + wrong.start, start + wrong.end)
    letters = run[wrong.start : wrong.end]
    match wrong.kind:
        case "half-direction":
            message = f"{letters} is no half here"
            hint = "h stands after f b l r, and hl and hr, on oblique atoms; fh on F, K and Q too"
            hint += "; elsewhere leave h out"
        case "redundant-direction":
            axis = letters[0] if letters[0] in "vs" else letters[1]
            message, hint = f"{axis} contains the other letter", f"write {axis} alone"
        case _:
            message = f"programs read {letters} in different ways"
            hint = f"write {letters[::-1]}, or take the letters apart into two parts"
    report.add(wrong.kind, message, span, hint)


def read_atom(raw: RawLeg, report: Report) -> Atom | None:
    """The atom of a leg, or None after a finding."""
    text = raw.atom.text
    span = report.span(raw.atom.start, raw.atom.end)
    if text[0] == "(":
        return _numbered(raw.atom, span, report)
    letter = text[0]
    entry = report.dialect.atoms.get(letter)
    if entry is None:
        _no_atom(letter, Span(span.start, span.start + 1), report)
        return None
    suffix, doubled = _suffix(text)
    vectors: tuple[Vector, ...] = entry.vectors
    if suffix:
        where = Span(span.start + 1, span.start + 1 + len(suffix))
        if len(vectors) != 1 or entry.slides:
            message = f"{suffix} stands only on the letter of a single leap"
            hint = "write the leap in numbers, as in (4,1)"
            report.add("suffix-on-compound", message, where, hint)
            return None
        vectors = _longer(vectors, suffix, where, report)
    written = letter + suffix
    return Atom(written, vectors, entry.slides, span=Span(span.start, span.end - len(doubled)))


def _suffix(text: str) -> tuple[str, str]:
    """The suffixes after an atom's letter, and the letter that doubles it."""
    rest = text[1:]
    doubled = rest[-1:] if rest and rest[-1] == text[0] else ""
    return rest[: len(rest) - len(doubled)], doubled


def _longer(
    vectors: tuple[Vector, ...], suffix: str, span: Span, report: Report
) -> tuple[Vector, ...]:
    """The vector with X (3 more on the longer coordinate) and Y (2 more on both) applied."""
    if "suffix" not in report.dialect.constructs:
        report.missing("suffixes X and Y", "suffix", span)
    ((a, b),) = vectors
    for letter in suffix:
        a, b = (a, b + 3) if letter == "X" else (a + 2, b + 2)
    if b > LARGEST_NUMBER:
        message = "a leap of more than 99 squares"
        report.add("vector-too-long", message, span, "write it in numbers up to 99")
    return ((a, b),)


def _numbered(piece: Piece, span: Span, report: Report) -> Atom | None:
    inside, _, suffix = piece.text[1:].partition(")")
    first, second = inside.split(",")
    for number, start in ((first, piece.start + 1), (second, piece.start + 2 + len(first))):
        where = report.span(start, start + len(number))
        if len(number) > MOST_DIGITS:
            report.add("number-too-long", "two digits at most", where, "99 is the largest number")
            return None
        if len(number) > 1 and number[0] == "0":
            report.add("leading-zero", "no leading zero", where, f"write {number[1:]}")
            return None
    if "vector" not in report.dialect.constructs:
        report.missing("leaps in numbers", "vector", span)
    a, b = sorted((int(first), int(second)))
    if b == 0:
        report.add("zero-vector", "a leap of no squares", span, "make one number larger than 0")
        return None
    vectors: tuple[Vector, ...] = ((a, b),)
    if suffix:
        where = Span(span.end - len(suffix), span.end)
        vectors = _longer(vectors, suffix, where, report)
    return Atom(f"({first},{second}){suffix}", vectors, span=span)


def _no_atom(letter: str, span: Span, report: Report) -> None:
    if letter == "I":
        report.add("not-supported-yet", "I (imitator) is not supported yet", span)
    elif elsewhere(letter, report.dialect):
        report.missing(f"atom {letter}", letter, span)
    else:
        hint = ATOM_HINTS.get(letter, "the atoms are W F D N A H C Z G K R B Q")
        report.add("unknown-atom", f"no atom is called {letter}", span, hint)


def read_range(raw: RawLeg, atom: Atom, report: Report) -> Range:
    """How far a leg goes; notes ranges that programs read in different ways."""
    doubled = raw.atom.text[1:][-1:] == raw.atom.text[0] and raw.atom.text[0] != "("
    end = raw.atom.end
    if doubled:
        span = report.span(end - 1, end)
        if raw.range:
            both = report.span(end - 1, raw.range.end)
            hint = f"write {atom.written}{raw.range.text} or {raw.atom.text}"
            report.add("double-and-range", "both a doubled letter and a range", both, hint)
        elif report.dialect.doubles(atom.written[0]):
            _doubled(raw.atom, atom, report)
        else:
            from alfil.notation.betza.limits import doubled_letter

            doubled_letter(atom.written[0], report.span(raw.atom.start, end), report)
        return Range(0, atom.written[0], span=span)
    if raw.range is None:
        return Range(0 if atom.slides else 1, span=report.span(end, end))
    span = report.span(raw.range.start, raw.range.end)
    return _printed(raw.range.text, span, atom, report)


def _doubled(piece: Piece, atom: Atom, report: Report) -> None:
    letter = piece.text[0]
    whole = report.span(piece.start, piece.end)
    if letter == "K" and "king-rider" not in report.dialect.constructs:
        hint = "write Q, or K for one step"
        report.add("doubled-king", "programs read KK as K or as Q", whole, hint)
    elif not atom.vectors:
        report.add("doubled-whole", f"{letter} has no direction to ride in", whole, "write it once")
    elif atom.slides:
        message = f"{letter} slides without the second letter"
        report.add("redundant", message, report.span(piece.end - 1, piece.end), "", "warning")


def _printed(text: str, span: Span, atom: Atom, report: Report) -> Range:
    if text == "*":
        if "star" not in report.dialect.constructs:
            report.missing("range *", "star", span)
        return Range(0, "*", span=span)
    if len(text) > 1 and text[0] == "0" and "leading-zero" not in report.dialect.constructs:
        number = text.lstrip("0")
        hint = f"write {atom.written}{number}" if number else f"write {atom.written}0"
        message = "programs read a leading zero in three ways"
        report.add("leading-zero", message, span, hint)
    elif len(text) > MOST_DIGITS:
        report.add("range-too-long", "two digits at most", span, "0 is unlimited")
    elif len(text) > report.dialect.digits:
        hint = f"the program reads {atom.written}{text[0]}; write 0 for any number of steps"
        what = f"{report.dialect.program} reads one digit"
        report.add("not-in-dialect", what, span, hint)
    return Range(int(text) if len(text) <= MOST_DIGITS else 0, text, span=span)


def first_directions(
    letters: Letters, atom: Atom, report: Report
) -> tuple[Tokens, tuple[Vector, ...]]:
    """The direction tokens of a first leg and the vectors they choose."""
    every = every_image(atom.vectors)
    if not letters.runs:
        return (), every
    if not every:
        return _directions_without_vector(letters, atom, report)
    if len(atom.vectors) > 1 and "apart" in report.dialect.constructs:
        return _apart(letters, atom, report)
    system = atom_system(atom.vectors)
    tokens = _tokens(letters.runs, system, report)
    return tokens, chosen(tokens, every, system) if tokens else every


def _apart(letters: Letters, atom: Atom, report: Report) -> tuple[Tokens, tuple[Vector, ...]]:
    """K and Q in the classic dialect: the letters mean what they mean on W and on F."""
    found: list[Vector] = []
    before = len(report.findings)
    for vector in atom.vectors:
        every = every_image((vector,))
        system = atom_system((vector,))
        del report.findings[before:]
        tokens = _tokens(letters.runs, system, report)
        if len(report.findings) > before and system == "W":
            break
        found += chosen(tokens, every, system)
    written = tuple(run for run, _ in letters.runs)
    return written, tuple(found)


def _directions_without_vector(
    letters: Letters, atom: Atom, report: Report
) -> tuple[Tokens, tuple[Vector, ...]]:
    tokens = tuple(letter for run, _ in letters.runs for letter in run)
    if atom.written == UNIVERSAL:
        span = letters.runs[0][1]
        report.add("direction-on-universal", "U goes everywhere", span, "leave the letters out")
        return (), ()
    for run, span in letters.runs:
        for index, letter in enumerate(run):
            if letter not in "lrs":
                where = Span(span.start + index, span.start + index + 1)
                hint = "l, r or s: castling goes sideways"
                report.add("castling-direction", f"no castling that way: {letter}", where, hint)
    sides = {"l": ((-1, 0),), "r": ((1, 0),), "s": ((-1, 0), (1, 0))}
    vectors = tuple(sorted({v for token in tokens for v in sides.get(token, ())}))
    return tokens, vectors


def later_places(letters: Letters, report: Report) -> tuple[Tokens, tuple[int, ...] | None]:
    """The direction tokens of a later leg and its places, None when it has no letters."""
    if not letters.runs:
        return (), None
    tokens = _tokens(letters.runs, "K", report)
    return tokens, tuple(sorted({place for token in tokens for place in eighths(token)}))


WHOLE_PARTS = frozenset({UNIVERSAL, CASTLING})

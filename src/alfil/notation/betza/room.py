"""Whether the letters of a leg have room to mean something: hops, lame and jumping leaps, bends."""

from __future__ import annotations

from alfil.geometry import Vector
from alfil.notation.betza.legs import Letters
from alfil.notation.betza.nodes import Atom, Range
from alfil.notation.betza.report import Report
from alfil.source import Span


def single_squares(atom: Atom) -> bool:
    """Whether the atom's steps skip no square (W, F, K and what slides with them)."""
    return bool(atom.vectors) and all(max(a, b) == 1 for a, b in atom.vectors)


def check_room(
    letters: Letters, atom: Atom, steps: int, report: Report, *, last: bool = True
) -> None:
    """Note letters that can have no effect on a leg of at most ``steps`` steps (0: any number)."""
    modes = letters.modes
    short = steps == 1
    for letter in ("p", "g"):
        if last and short and letter in modes:
            hint = f"{letter}R for a slider, or pafW for over the neighbour"
            message = f"{letter} needs room for a hop and a landing"
            report.add("hop-without-room", message, modes[letter], hint)
    if short and single_squares(atom):
        if "n" in modes:
            hint = "nD and nN are lame leapers"
            message = "no square lies in between, so nothing can be lame"
            report.add("lame-without-path", message, modes["n"], hint)
        if "j" in modes and atom.vectors:
            hint = "jR, jB or jQ skips a square, jD jumps"
            report.add("skip-without-room", "there is no square to skip", modes["j"], hint)
    if last and "y" in modes:
        hint = "yafW"
        report.add(
            "toggle-last-leg", "y changes the leg after it, and there is none", modes["y"], hint
        )


def check_only_leg(letters: Letters, atom: Atom, reach: Range, report: Report) -> None:
    """Note what is wrong with the letters of a part that has a single leg."""
    check_room(letters, atom, reach.steps, report)
    for letter in ("z", "q"):
        if letter in letters.modes:
            _crooked(letter, letters.modes[letter], reach, report)
    own_capture(letters, report)
    if reach.written == "*":
        check_star(letters, atom, reach, report)


def _crooked(letter: str, span: Span, reach: Range, report: Report) -> None:
    if reach.written and reach.steps == 1:
        message = f"{letter} bends between steps, and there is only one"
        report.add("bend-without-room", message, span, "leave out the range or the letter")
    if reach.written == "*":
        message = f"{letter} and a range of * exclude each other"
        report.add("modifier-clash", message, span, "leave one out")


def own_capture(letters: Letters, report: Report) -> None:
    """Warn of d alone on a last leg: old texts mean a double move by it."""
    modes = letters.modes
    if "d" in modes and not modes.keys() & {"m", "c", "e", "k"}:
        hint = "mcd to capture either side; for a double move write KaK"
        message = "d alone captures the mover's own side only"
        report.add("own-capture-only", message, modes["d"], hint, "warning")


def no_bend_yet(letter: str, span: Span, report: Report) -> None:
    """Warn of z or q beside direction letters where no bend can have come before."""
    message = f"{letter} compares with a bend before it, and there is none"
    hint = f"leave out {letter}, or the direction letters"
    report.add("no-bend-yet", message, span, hint, "warning")


def check_star(letters: Letters, atom: Atom, reach: Range, report: Report) -> None:
    """A range of * runs forward to the middle of the board, so every direction must go forward."""
    del letters
    if not atom.vectors:
        report.add("range-direction", "a range of * needs a direction", reach.span)


def check_forward(vectors: tuple[Vector, ...], reach: Range, report: Report) -> None:
    """Note a range of * on a leg that does not go forward only."""
    if reach.written == "*" and any(dy <= 0 for _, dy in vectors):
        hint = "put f in front, as in fmW*"
        report.add("range-direction", "a range of * goes forward only", reach.span, hint)


def check_castling(letters: Letters, reach: Range, report: Report, span: Span) -> None:
    """O needs a number of squares, and takes few letters."""
    if not reach.written.isdigit() or reach.steps < 1:
        report.add("castling-range", "O needs the number of squares the king goes", span, "isO2")
    _only("i ii j", "castling-modifier", letters, report)


def check_universal(letters: Letters, reach: Range, report: Report) -> None:
    """U goes everywhere, so it takes no range and only letters of how a move may end."""
    if reach.written:
        report.add("range-on-universal", "U goes everywhere at once", reach.span, "leave it out")
    _only("m c d e k i ii", "universal-modifier", letters, report)
    own_capture(letters, report)


def _only(known: str, kind: str, letters: Letters, report: Report) -> None:
    for letter, span in letters.modes.items():
        if letter not in known.split():
            atom = "O" if kind.startswith("castling") else "U"
            report.add(kind, f"{letter} means nothing on {atom}", span, f"leave {letter} out")

"""XBoard: a reader that takes letters in one order, and stops where something does not fit.

After what is known of XBoard 4.9.1; it has no form to be run in here. What nobody has measured is
predicted as unknown, not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from alfil.errors import AlfilError, NotationError
from alfil.notation.betza.directions import DirectionRunError, tokenise
from alfil.notation.betza.letters import XBOARD, modes_in, toggles_range
from alfil.notation.betza.program_quirks import PAIRS_ALONG_AXIS
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.writer import write_betza
from alfil.programs import PredictedReading, merge_offsets_into_spans
from alfil.source import Source

NAME = "xboard"
PART_PATTERN = re.compile(r"([a-z]*)([A-Z])([0-9]*)")
DIRECTION_LETTERS = "fblrvsh"
LETTER_ORDER = "mcdetpgoynj"
ORTHOGONAL_ATOMS, DIAGONAL_ATOMS, COMPOUND_ATOMS = "WDHR", "FAGB", "KQ"
# Atoms whose squares in between are tested, and those of which only the first one is.
FULLY_TESTED_ATOMS = frozenset("WFKRBQ")
FAR_LEAP_LEGS = {
    "H": ("W", "fD"),
    "G": ("F", "fA"),
    "C": ("W", "N"),
    "J": ("W", "N"),
    "Z": ("F", "N"),
}
FAR_LEAP_LEGS["L"] = FAR_LEAP_LEGS["Z"]
OBLIQUE_ATOMS = "NCZLJ"
# Atoms on which h ends the reading of letters.
ATOMS_ENDING_AT_H = "WFRB"
LARGEST_NUMBER = 99
# Turns of oblique leaps follow no rule that is known; what was measured.
MEASURED_READINGS = {"hrarfN": "[hrN-A]"}
IDLE_LETTER_KINDS = frozenset({"hop-without-room", "skip-without-room", "lame-without-path"})


class _UntestedReading(Exception):
    """Nobody has measured what the program does here."""


@dataclass(slots=True)
class _ParsedLegLetters:
    """The letters of one leg that the program takes in, and where it stopped."""

    initial: str = ""
    run: str = ""
    modes: str = ""
    stop: int = 0


@dataclass(slots=True)
class _PredictionInProgress:
    """Parts in words of the dialect `xboard`, or of `betza` where that has none."""

    xboard: list[str] = field(default_factory=list)
    betza: list[str] = field(default_factory=list)
    ignored: list[int] = field(default_factory=list)


def predict(text: str) -> PredictedReading:
    """What XBoard does with a text.

    >>> predict("NN").betza, predict("fsB").betza, predict("[F?R]").betza
    ('N', 'B', '')
    >>> predict("nH").betza, predict("hrarfN").betza
    ('[W-fD]', '[hrN-A]')
    """
    result = _PredictionInProgress()
    at = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    unknown = False
    while at < end:
        match = PART_PATTERN.match(text, at)
        if match is None or match[2] not in XBOARD.atoms:
            result.ignored += range(at, end)
            break
        try:
            _predict_part(match, result)
        except _UntestedReading:
            unknown = True
        at = match.end()
    betza, dialect = (None, "betza") if unknown else _prediction_and_notation_name(result)
    return PredictedReading(text, NAME, betza, merge_offsets_into_spans(result.ignored), dialect)


def _prediction_and_notation_name(result: _PredictionInProgress) -> tuple[str | None, str]:
    """The parts together, in our default dialect if it has words for them, with its name."""
    parts = [read_betza(Source(part), NAME)[0] for part in result.xboard]
    try:
        return _join_part_texts([*(write_betza(part) for part in parts), *result.betza]), "betza"
    except AlfilError:
        return (None if result.betza else _join_part_texts(result.xboard)), NAME


def _join_part_texts(parts: Sequence[str]) -> str:
    """Parts in a row; NN would be a rider."""
    written = ""
    for part in dict.fromkeys(parts):
        clash = written[-1:].isupper() and written[-1:] == part[:1]
        written += ("mc" if clash else "") + part
    return written


def _predict_part(match: re.Match[str], result: _PredictionInProgress) -> None:
    """What the program makes of one atom with its letters and digits."""
    letters, atom, digits = match.groups()
    if match[0] in MEASURED_READINGS:
        result.betza.append(MEASURED_READINGS[match[0]])
        return
    if _has_untested_letters(letters.split("a"), atom):
        raise _UntestedReading
    legs, end = _read_legs(letters, atom)
    result.ignored += range(match.start() + end, match.start(2))
    if atom in OBLIQUE_ATOMS and any(leg.run for leg in legs[1:]):
        raise _UntestedReading
    if atom in FULLY_TESTED_ATOMS and any("n" in leg.modes for leg in legs):
        return  # n has no squares to test on single steps, so the part has no moves
    reach = str(min(int(digits), LARGEST_NUMBER)) if digits else ""
    if atom in FAR_LEAP_LEGS and any(set("nj") & set(leg.modes) for leg in legs):
        result.betza.append(_lame_leap_testing_first_square(legs, atom, reach))
        return
    choices = [
        _equivalent_direction_runs(leg.run, atom, later=index > 0) for index, leg in enumerate(legs)
    ]
    for runs in product(*choices):
        spelled = "a".join(
            leg.initial + run + leg.modes for leg, run in zip(legs, runs, strict=True)
        )
        part = f"{spelled}{atom}{reach}"
        if _has_effect_in_xboard(part):
            result.xboard.append(part)


def _has_untested_letters(legs: Sequence[str], atom: str) -> bool:
    """Whether letters stand where nobody has seen what the program makes of them.

    These are h on a later leg, h with letters after it on a ferz, and oblique leaps after a letter
    that makes slides of them.
    """
    first, *later = legs
    if any("h" in leg for leg in later) or (atom == "F" and "h" in first.rstrip("h")):
        return True
    return atom in OBLIQUE_ATOMS and any(toggles_range(modes_in(leg)) for leg in legs[:-1])


def _read_legs(letters: str, atom: str) -> tuple[list[_ParsedLegLetters], int]:
    """The legs the program goes, and where it stops reading: one that is cut short is the last."""
    legs: list[_ParsedLegLetters] = []
    start = 0
    for text in letters.split("a"):
        known = text[: text.index("h")] if atom in ATOMS_ENDING_AT_H and "h" in text else text
        leg = _read_leg(known, last=start + len(text) == len(letters))
        cut = leg.stop < len(text)
        legs.append(_read_leg(known, last=True) if cut else leg)
        if atom in "RB" and {"n", "j"} <= set(leg.modes):  # together they say nothing
            legs[-1].modes = leg.modes.replace("n", "").replace("j", "")
        if cut:
            return legs, start + legs[-1].stop
        start += len(text) + 1
    return legs, len(letters)


def _read_leg(text: str, *, last: bool) -> _ParsedLegLetters:
    """The letters the program takes in: i, directions, then the others in order."""
    leg = _ParsedLegLetters()
    at = len(text) - len(text.lstrip("i"))
    at = min(at, 2)
    leg.initial = text[:at]
    run = re.compile(f"[{DIRECTION_LETTERS}]*").match(text, at)
    leg.run = run[0] if run else ""
    at += len(leg.run)
    rank = -1
    while at < len(text) and LETTER_ORDER.find(text[at]) > rank:
        rank = LETTER_ORDER.index(text[at])
        leg.modes += text[at]
        at += 1
    if text[at : at + 1] in {"j", "o"} and leg.modes[-1:] == text[at]:
        raise _UntestedReading  # jj and oo
    if last and leg.modes.endswith("y"):
        leg.modes = leg.modes[:-1]
        at -= 1
    leg.stop = at
    return leg


def _has_effect_in_xboard(part: str) -> bool:
    """Whether the program does something with a part it reads; the reader knows what it is."""
    try:
        read_betza(Source(part), NAME)
    except NotationError as error:
        if {diagnostic.kind for diagnostic in error.diagnostics} <= IDLE_LETTER_KINDS:
            return False
        raise _UntestedReading from None
    return True


def _lame_leap_testing_first_square(
    legs: Sequence[_ParsedLegLetters], atom: str, reach: str
) -> str:
    """A far leap with n or j, of whose squares in between only the first one is tested."""
    if len(legs) > 1 or reach:
        raise _UntestedReading
    (leg,) = legs
    first, then = FAR_LEAP_LEGS[atom]
    over = "p" if "j" in leg.modes else ""
    if (over and "n" in leg.modes) or set(leg.modes) & set("tpgyo"):
        raise _UntestedReading
    modes = "".join(mode for mode in leg.modes if mode not in "nj")
    direct = then[:-1] + modes + then[-1]
    runs = _equivalent_direction_runs(leg.run, atom, later=False)
    return "".join(f"{leg.initial}{run}[{over}{first}-{direct}]" for run in runs)


def _equivalent_direction_runs(run: str, atom: str, *, later: bool) -> list[str]:
    """Runs of letters that together choose what the program takes a run for."""
    if not run:
        return [""]
    eight = later or atom in COMPOUND_ATOMS
    if "h" in run and (eight or atom in ORTHOGONAL_ATOMS + DIAGONAL_ATOMS):
        if eight:
            return ["fsbs", "v", "s"] if later else [""]  # all ways
        run = run.replace("h", "")
        return _equivalent_direction_runs(run, atom, later=later)
    if atom in ORTHOGONAL_ATOMS and not later:
        return [run]
    return _translate_direction_run(
        run, "K" if eight else "F", along=not eight and atom in DIAGONAL_ATOMS
    )


def _translate_direction_run(run: str, system: str, *, along: bool) -> list[str]:
    """A run as runs that our reader takes as the program does."""
    cut = tokenise(run, "K" if system == "K" else "F")
    if isinstance(cut, DirectionRunError):
        if "h" in run:
            return [run]
        return list(dict.fromkeys(run))
    if along and len(cut) > 1 and any(token[1:] in {"s", "v"} for token in cut):
        raise _UntestedReading
    if along and PAIRS_ALONG_AXIS & set(cut):
        return [""]
    result: list[str] = []
    rest = ""
    for token, after in zip(cut, [*cut[1:], ""], strict=True):
        doubled = token == token[0] * 2
        if system == "K" and doubled and tokenise(token[0] + after, "K") == (token[0] + after[:1],):
            result.append(rest + token[0])
            rest = token[0]
        else:
            rest += token
    return [*result, rest]

"""Paths: legs with atoms of their own, in brackets or joined by t."""

from __future__ import annotations

from alfil.geometry import Vector, every_image, is_oblique
from alfil.movement.turning import headings, onward, way_end
from alfil.notation.betza.builder import RawLeg, RawPath
from alfil.notation.betza.directions import Slip, chosen, eighths, system_of, tokenise
from alfil.notation.betza.legs import (
    WHOLE_PARTS,
    Letters,
    first_directions,
    later_places,
    read_atom,
    read_letters,
    read_range,
    slip,
)
from alfil.notation.betza.nodes import Leg, Modifiers, Path
from alfil.notation.betza.report import Report
from alfil.notation.betza.room import check_room, no_bend_yet, own_capture
from alfil.notation.betza.routes import bend_of, ways_of
from alfil.source import Span

# Letters before a bracket choose among all ways through the legs, so these must be few enough.
WAYS = 5_000


def read_path(raw: RawPath, report: Report) -> Path | None:
    """The path, or None after findings that leave nothing to build on."""
    if not _well_formed(raw, report):
        return None
    before = len(report.findings)
    legs = [_read_leg(leg, index, raw, report) for index, leg in enumerate(raw.legs)]
    found = [leg for leg in legs if leg is not None]
    if len(found) < len(legs):
        return None
    clean = all(finding.severity != "error" for finding in report.findings[before:])
    if clean:
        _check_bends(found, raw, report)
        clean = all(finding.severity != "error" for finding in report.findings[before:])
    prefix = _prefix(raw, found if clean else [], report)
    span = report.span(raw.start, raw.end)
    return Path(prefix, tuple(found), raw.joins, raw.form, span=span)


def _well_formed(raw: RawPath, report: Report) -> bool:
    opening = report.span(raw.opening.start, raw.opening.end)
    if raw.form == "[]" and "bracket" not in report.dialect.constructs:
        report.missing("brackets", "bracket", report.span(raw.start, raw.end))
    elif "joined" not in report.dialect.constructs:
        report.missing("joined legs", "joined", opening)
    if len(raw.legs) == 1:
        span = report.span(raw.opening.start, raw.end)
        report.add("short-bracket", "a path has two legs or more", span, "drop the brackets")
        return False
    return True


def _read_leg(raw: RawLeg, index: int, path: RawPath, report: Report) -> Leg | None:
    """One leg with its letters, checked for its place in the path."""
    text = _leg_letters(raw, report)
    if text is None:
        return None
    atom = read_atom(raw, report)
    if atom is None:
        return None
    reach = read_range(raw, atom, report)
    span = report.span(raw.start, raw.end)
    if atom.written in WHOLE_PARTS:
        message = f"{atom.written} is a whole part, not a leg"
        report.add("whole-part", message, atom.span, "write it as a part of its own")
        return None
    if reach.written == "*":
        message = "a range of * inside a path is not supported yet"
        report.add("not-supported-yet", message, reach.span)
    letters = read_letters(text, raw.start, report)
    every = every_image(atom.vectors)
    if index:
        tokens, places = later_places(letters, report)
        vectors = every
    else:
        tokens, vectors = first_directions(letters, atom, report)
        places = None
        _first_leg(letters, path, report)
    _check_letters(letters, index, path, report)
    last = index == len(path.joins)
    check_room(letters, atom, reach.steps, report, last=last)
    if last or path.joins[index] == "?":
        own_capture(letters, report)
    modifiers = letters._replace(tokens=tokens).node()
    return Leg(modifiers, atom, reach, vectors, places, span=span)


def _leg_letters(raw: RawLeg, report: Report) -> str | None:
    """The letters of a leg inside a path: no chains and no repeats there."""
    for piece in raw.modifiers:
        span = report.span(piece.start, piece.end)
        if piece.text[0] == "(":
            message = "parentheses inside a path are not supported yet"
            report.add("not-supported-yet", message, span)
            return None
        if "a" in piece.text:
            at = piece.start + piece.text.index("a")
            hint = "in a path - and ? join the legs"
            report.add("chain-in-path", "a has no place in a path", report.span(at, at + 1), hint)
            return None
    return raw.modifiers[0].text if raw.modifiers else ""


def _first_leg(letters: Letters, path: RawPath, report: Report) -> None:
    modes = letters.modes
    for letter in ("z", "q"):
        if letter in modes:
            message = "crooked and circular legs inside a longer path are not supported yet"
            report.add("not-supported-yet", message, modes[letter])
    for letter in ("i", "ii"):
        if letter in modes:
            hint = f"put {letter} before the bracket" if path.form != "t" else f"write {letter}[..]"
            report.add(
                "misplaced-initial", f"{letter} concerns the whole path", modes[letter], hint
            )
    if letters.runs and path.form != "t":
        hint = "f[F?R] selects whole paths by their end"
        report.add(
            "first-leg-direction",
            "programs do not agree on letters of the first leg",
            letters.runs[0][1],
            hint,
            "warning",
        )


def _check_letters(letters: Letters, index: int, path: RawPath, report: Report) -> None:
    modes = letters.modes
    last = index == len(path.joins)
    if "y" in modes:
        hint = "each leg has a range of its own"
        report.add("chain-in-path", "y has no place in a path", modes["y"], hint)
        del modes["y"]
    if "g" in modes and not last and path.joins[index] == "-":
        hint = "write p: each leg has a range of its own"
        report.add("hop-in-path", "g changes no range in a path", modes["g"], hint)
    if not last and path.joins[index] == "?":
        for letter in ("p", "g"):
            if letter in modes:
                report.add(
                    "hop-and-stop",
                    "a hop before a stop has two meanings",
                    modes[letter],
                    "write two parts",
                )
    if index and "ii" in modes:
        report.add(
            "misplaced-initial",
            "ii concerns the whole path",
            modes["ii"],
            "put ii before the bracket",
        )
    if index and "i" in modes and not any(_slides(leg) for leg in path.legs[:index]):
        hint = "i on a later leg is as long as the slide before it; there is none"
        report.add("iso-without-slider", "no leg before this one slides", modes["i"], hint)


def _slides(raw: RawLeg) -> bool:
    text = raw.atom.text
    if raw.range is not None:
        return raw.range.text != "1"
    return text[0] in "RBQ" or (len(text) > 1 and text[-1] == text[0])


def _check_bends(legs: list[Leg], raw: RawPath, report: Report) -> None:
    """Note letters that lead nowhere from some way of travelling."""
    ways: set[tuple[Vector, int]] = {(vector, 0) for vector in legs[0].vectors}
    for before, leg, text in zip(legs, legs[1:], raw.legs[1:], strict=False):
        span = report.span(text.start, text.end)
        if not _supported(leg, before, span, report):
            return
        if leg.turns is not None and not _all_bend(leg, {way for way, _ in ways}, span, report):
            return
        sense = _sense(leg)
        if sense and leg.turns is not None and not any(bend for _, bend in ways):
            no_bend_yet(sense, span, report)
        onwards = [headings(bend_of(leg), way, bend, leg.vectors) for way, bend in ways]
        ways = {way for each in onwards for way in each}
        if not ways or (leg.turns is None and not all(onwards)):
            _no_bend(leg, span, report)
            return


def path_ends(path: Path) -> tuple[Vector, ...]:
    """The ends that letters before a path choose among: where first steps of all legs lead."""
    return tuple(dict.fromkeys(map(way_end, ways_of(path.legs, WAYS))))


def _sense(leg: Leg) -> str:
    return next((mode for mode in leg.modifiers.modes if mode in {"z", "q"}), "")


def _no_bend(leg: Leg, span: Span, report: Report) -> None:
    name, letter = leg.atom.written, _sense(leg)
    message = f"{name} has no way to bend by {letter} from the leg before it"
    report.add("no-such-bend", message, span, f"leave {letter} out, or bend with another atom")


def _supported(leg: Leg, before: Leg, span: Span, report: Report) -> bool:
    plain = leg.turns is None and not _sense(leg)
    if plain or not is_oblique(leg.vectors[0]) or leg.atom.vectors == before.atom.vectors:
        return True
    message = "letters on an oblique leg after another atom are not supported yet"
    report.add("not-supported-yet", message, span, "without letters it goes outward")
    return False


def _all_bend(leg: Leg, travelled: set[Vector], span: Span, report: Report) -> bool:
    """Whether each letter has a direction of the atom from every way of travelling."""
    for way in sorted(travelled):
        for token in leg.modifiers.directions:
            if not onward(way, leg.vectors, eighths(token)):
                hint = _bends(leg, travelled)
                name = leg.atom.written
                message = f"{name} has no way {token} from the leg before it"
                report.add("no-such-bend", message, span, hint)
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


def _prefix(raw: RawPath, legs: list[Leg], report: Report) -> Modifiers:
    """The letters before the bracket: directions that choose whole paths, and i or ii."""
    none = Modifiers(span=report.span(raw.start, raw.start))
    if not raw.prefix:
        return none
    for piece in raw.prefix:
        if piece.text[0] == "(":
            message = "parentheses before a bracket are not supported yet"
            report.add("not-supported-yet", message, report.span(piece.start, piece.end))
            return none
    piece = raw.prefix[0]
    if "a" in piece.text:
        at = piece.start + piece.text.index("a")
        hint = "in a path - and ? join the legs"
        report.add(
            "chain-in-path", "a has no place before a bracket", report.span(at, at + 1), hint
        )
        return none
    letters = read_letters(piece.text, piece.start, report)
    for letter, span in letters.modes.items():
        if letter not in {"i", "ii"}:
            hint = "put it on the legs, as in [mF?mR]"
            report.add("prefix-modality", f"{letter} belongs to a leg", span, hint)
    tokens = _prefix_tokens(letters, legs, report)
    return letters._replace(tokens=tokens).node()


def _prefix_tokens(letters: Letters, legs: list[Leg], report: Report) -> tuple[str, ...]:
    if not letters.runs or not legs:
        return ()
    ways = ways_of(legs, WAYS)
    if len(ways) > WAYS:
        message = f"letters choose among at most {WAYS} paths, and these are more"
        report.add("too-many-ways", message, letters.span, "put the letters on the legs")
        return ()
    ends = tuple(dict.fromkeys(map(way_end, ways)))
    system = system_of(ends)
    if system is None:
        message = "these paths end both straight and obliquely, so the letters choose nothing"
        report.add("mixed-ends", message, letters.span, "put the letters on the legs")
        return ()
    tokens: list[str] = []
    for run, span in letters.runs:
        cut = tokenise(run, system)
        if isinstance(cut, Slip):
            slip(cut, run, span.start, report)
        else:
            tokens += cut
    idle = [token for token in tokens if not chosen([token], ends, system)]
    if idle:
        message = f"no path ends the way {idle[0]} says"
        report.add("no-such-path", message, letters.span, "leave it out", "warning")
    return tuple(tokens)

"""Writing Betza: one spelling for a tree, whatever the text it came from.

Letters come in the order every program reads, what goes without saying is left out, and atoms and
ranges get their usual letters. Parts are joined, taken apart and put in order; for another dialect,
or one that a program reads, they are first put in what that dialect has (`conversion`).

Parts on W and F, or R and B, are joined to one on K or Q where that is shorter. In the dialects
that read directions on K and Q apart, only where there are none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NoReturn, assert_never

from alfil.errors import AlfilError, Diagnostic, NotationError
from alfil.geometry import Vector, all_images
from alfil.notation.betza import nodes
from alfil.notation.betza.directions import (
    DirectionSystem,
    atom_system,
    first_leg_tokens_for,
    join_tokens,
    system_of,
)
from alfil.notation.betza.letter_meanings import modifiers_in, path_ends
from alfil.notation.betza.letter_spelling import (
    atom_text_with_range,
    atom_text_without_range,
    leg_letters,
    redundant_modes,
    split_compound,
    split_into_pairable_tokens,
)
from alfil.notation.betza.letters import (
    DIRECTION_LETTERS,
    LETTER_ROWS,
    MODE_ORDER,
    Dialect,
    Mode,
    dialect_by_name,
)
from alfil.notation.betza.nodes import BetzaTerm, Chain, ChainLeg, Leg, Modifiers, Path, Tail
from alfil.notation.betza.reader import read_betza
from alfil.notation.description import Description
from alfil.source import NOWHERE, Source, Span

MOVE_OR_CAPTURE = "mc"
SEVERAL_HURDLES = "pp"
ORTHOGONAL, DIAGONAL = ((0, 1),), ((1, 1),)


def write_betza(
    description: Description, dialect: str = "betza", source: Source | None = None
) -> str:
    """The text of a tree that `read_betza` has made, in any dialect.

    The same tree and dialect give the same text, and reading it gives the same moves. Raises
    `AlfilError` of kind "no-translation" with everything that the dialect lacks, at its places in
    ``source`` where that is given.

    >>> from alfil.notation.betza.reader import read_betza
    >>> write_betza(read_betza(Source("cifmW3L"))[0])
    'CifR3'
    >>> write_betza(read_betza(Source("fsK[W?B]"))[0], "xboard")
    'WfFyafsW'
    """
    spoken = dialect_by_name(dialect)
    if description.notation != "betza":
        _reject_translation(
            [
                _no_translation_diagnostic(
                    f"writing {description.notation} as Betza is not supported yet"
                )
            ],
            source,
        )
    terms = [term for term in description.terms if isinstance(term, Leg | Chain | Path)]
    if description.dialect not in {"", dialect} or spoken.program:
        terms = _convert_to_dialect(terms, spoken, source)
    written = _arrange_and_join_parts(terms, spoken, merging=True)
    wrong = _errors_in(written, dialect) if spoken.program else ()
    if wrong:
        # Where parts change each other it may help to keep W and F, or R and B, apart.
        apart = _arrange_and_join_parts(terms, spoken, merging=False)
        if not _errors_in(apart, dialect):
            return apart
        if source and description.dialect == dialect:
            # What was read there in this order stays in it.
            return source.text[description.span.start : description.span.end].strip()
        message = f"{wrong[0].message}: {written}"
        _reject_translation(
            [_no_translation_diagnostic(message, wrong[0].hint, description.span)], source
        )
    return written


def _arrange_and_join_parts(terms: Sequence[BetzaTerm], dialect: Dialect, *, merging: bool) -> str:
    """The parts in order; those for squares to start from in lists of their own, at the end."""
    result: dict[Mode | None, list[BetzaTerm]] = {None: []}
    for term in _arrange_parts(terms, dialect, merging=merging):
        result.setdefault(_start_squares_mode(term), []).append(term)
    everywhere = _join_part_texts(result.pop(None), dialect)
    lists = [
        f"{_join_part_texts(result[mode], dialect)}{LETTER_ROWS[mode].after}"
        for mode in MODE_ORDER
        if mode in result
    ]
    return everywhere + (f"({','.join(lists)})" if lists else "")


def _join_part_texts(terms: Sequence[BetzaTerm], dialect: Dialect) -> str:
    written, previous = "", None
    for term in terms:
        written = _append_part(written, previous, term, dialect)
        previous = term
    return written


def _start_squares_mode(term: BetzaTerm) -> Mode | None:
    """The mode of a part that starts from some squares only."""
    return next((mode for mode in modifiers_in(term)[0].modes if LETTER_ROWS[mode].after), None)


def _errors_in(text: str, dialect: str) -> Sequence[Diagnostic]:
    """What the reader of a dialect finds wrong with a text."""
    try:
        read_betza(Source(text), dialect)
    except NotationError as error:
        return error.diagnostics
    return ()


def _convert_to_dialect(
    terms: list[BetzaTerm], dialect: Dialect, source: Source | None
) -> list[BetzaTerm]:
    """The parts as the dialect has them; refuses with everything it lacks."""
    from alfil.notation.betza.dialect_conversion import (
        NotExpressible,
        convert_part,
        leap_as_single_step_chains,
    )

    result: list[BetzaTerm] = []
    lacking: list[Diagnostic] = []
    for term in terms:
        try:
            parts = convert_part(term, dialect)
        except NotExpressible as reason:
            lacking.append(
                _no_translation_diagnostic(
                    f"{dialect.name} cannot say this: {reason}", span=term.span
                )
            )
            continue
        for part in parts:
            lacks = _diagnostics_in_dialect(part, term.span, dialect, source)
            steps = (
                leap_as_single_step_chains(part, dialect) if lacks and isinstance(part, Leg) else []
            )
            if steps and not any(
                _diagnostics_in_dialect(each, term.span, dialect, source) for each in steps
            ):
                result += steps
            else:
                result.append(part)
                lacking += lacks
    if lacking:
        once = {(diagnostic.message, diagnostic.spans): diagnostic for diagnostic in lacking}
        _reject_translation(sorted(once.values(), key=lambda diagnostic: diagnostic.spans), source)
    return result


def _diagnostics_in_dialect(
    part: BetzaTerm, whole: Span, dialect: Dialect, source: Source | None
) -> list[Diagnostic]:
    """What the reader of the dialect finds wrong with a part, at its place in the source."""
    text = _part_text(part, dialect)
    return [
        _no_translation_diagnostic(
            diagnostic.message,
            diagnostic.hint,
            _span_in_source(text, diagnostic.spans[0], whole, source),
        )
        for diagnostic in _errors_in(text, dialect.name)
    ]


def _span_in_source(text: str, span: Span, whole: Span, source: Source | None) -> Span:
    """Where the source has what stands at a place of another spelling; else the whole part."""
    sought = text[span.start : span.end]
    original = source.text[whole.start : whole.end] if source else ""
    if sought and original.count(sought) == 1:
        start = whole.start + original.index(sought)
        return Span(start, start + len(sought))
    return whole


def _append_part(before: str, previous: BetzaTerm | None, term: BetzaTerm, dialect: Dialect) -> str:
    """The text with one more part. NN would be a rider, so two single N are written NmcN."""
    text = _part_text(term, dialect)
    if text.startswith("t[") and before and before[-1] != "]" and isinstance(term, Path):
        # Such a t would join the bracket to the atom before it.
        text = _path_text(term, dialect, "t")
    clash = before[-1:].isupper() and before[-1:] == text[:1]
    if not clash:
        numbers = text[: text.find(")") + 1]
        repeated = text[:1] == "(" and before.endswith(numbers) and isinstance(term, Leg)
        return before + (MOVE_OR_CAPTURE if repeated else "") + text
    if isinstance(term, Leg):
        return before + MOVE_OR_CAPTURE + text
    if isinstance(term, Path) and "bracket" in dialect.constructs:
        return before + _path_text(term, dialect, "[]")
    # Of three alike the first two are a rider, as they are read from the left.
    doubled = before[-2:-1] == before[-1]
    return before + ("" if doubled else _implied_range(previous, before[-1])) + text


def _implied_range(term: BetzaTerm | None, letter: str) -> str:
    """The range that goes without saying after a part: one step, or as far as there is room."""
    modes = term.modifiers.modes if isinstance(term, Leg) else ()
    endless = letter in "RBQ" or any(LETTER_ROWS[mode].sense != "any" for mode in modes)
    return "0" if endless else "1"


def _part_text(term: BetzaTerm, dialect: Dialect) -> str:
    match term:
        case Leg():
            return _leg_text(term, "last", _first_leg_direction_system(term, dialect), dialect)
        case Chain():
            several = "several-hurdles" in dialect.constructs
            return (_several_hurdles_text(term, dialect) if several else "") or _chain_text(
                term, dialect
            )
        case Path():
            return _path_text(term, dialect, term.form)
        case _:
            assert_never(term)


def _first_leg_direction_system(leg: Leg | Chain, dialect: Dialect) -> DirectionSystem | None:
    if len(leg.atom.vectors) > 1 and "apart" in dialect.constructs:
        return "F"
    return atom_system(leg.atom.vectors) if leg.atom.vectors else None


def _leg_text(leg: Leg, place: str, system: DirectionSystem | None, dialect: Dialect) -> str:
    modifiers = leg.modifiers
    if len(leg.atom.vectors) > 1 and "apart" in dialect.constructs and leg.turns is None:
        modifiers = Modifiers(split_into_pairable_tokens(modifiers.directions), modifiers.modes)
    drop = redundant_modes(modifiers.modes, place)
    return leg_letters(modifiers, system, drop=drop) + atom_text_with_range(
        leg.atom, leg.range, dialect
    )


def _chain_text(chain: Chain, dialect: Dialect) -> str:
    """A chain; letters after a repeat pair with those before it, as they did where it was read."""
    plain = all(isinstance(item, ChainLeg) for item in chain.rest)
    tailed = any(isinstance(item, Tail) and item.modifiers.directions for item in chain.rest)
    final = len(chain.rest)

    def spelled(modifiers: Modifiers, index: int, system: DirectionSystem | None) -> str:
        place = "both" if not plain else "last" if index == final else "earlier"
        drop = redundant_modes(modifiers.modes, place)
        if tailed and modifiers.written[-1:] in DIRECTION_LETTERS:
            modes = leg_letters(replace(modifiers, directions=()), system, drop=drop)
            return modes + join_tokens(modifiers.directions, system)
        return leg_letters(modifiers, system, drop=drop)

    written = spelled(chain.first, 0, _first_leg_direction_system(chain, dialect))
    for index, item in enumerate(chain.rest, 1):
        match item:
            case ChainLeg():
                written += "a" + spelled(item.modifiers, index, "K")
            case nodes.Repeat():
                inside = ["a" + spelled(leg.modifiers, index, "K") for leg in item.legs]
                written += f"({''.join(inside)}){item.limit or ''}"
            case Tail():
                written += spelled(item.modifiers, index, "K")
            case _:
                assert_never(item)
    if chain.range.written:
        return written + atom_text_with_range(chain.atom, chain.range, dialect)
    return written + atom_text_without_range(chain.atom, dialect)


def _several_hurdles_text(chain: Chain, dialect: Dialect) -> str:
    """A slide over one hurdle or more, "" for any other chain."""
    match chain.rest:
        case (
            nodes.Repeat((ChainLeg(Modifiers(modes=("p",)), (0,)),), 0),
            ChainLeg(Modifiers(modes=ends), (0,)),
        ) if (
            chain.atom.slides and not chain.range.written and all(LETTER_ROWS[m].ends for m in ends)
        ):
            initial = tuple(mode for mode in chain.first.modes if LETTER_ROWS[mode].initial)
            if {*chain.first.modes} != {*initial, "p"}:
                return ""
            first = Modifiers(chain.first.directions, (*initial, *ends))
            front = leg_letters(
                first,
                _first_leg_direction_system(chain, dialect),
                drop=redundant_modes(ends, "last"),
            )
            return front + SEVERAL_HURDLES + atom_text_without_range(chain.atom, dialect)
        case _:
            return ""


def _path_text(path: Path, dialect: Dialect, form: str) -> str:
    legs = [
        _leg_text(
            leg,
            _leg_place(path, index),
            "K" if index else _first_leg_direction_system(leg, dialect),
            dialect,
        )
        for index, leg in enumerate(path.legs)
    ]
    system = system_of(path_ends(path)) if path.prefix.directions else None
    prefix = leg_letters(path.prefix, system, drop=frozenset())
    match form:
        case "t":
            return "t".join(legs)
        case "t[]":
            return f"{prefix}t[{_join_legs(legs)}]"
        case _:
            signs = [*path.joins, ""]
            inside = "".join(leg + sign for leg, sign in zip(legs, signs, strict=True))
            return f"{prefix}[{inside}]"


def _join_legs(legs: Sequence[str]) -> str:
    """Legs of which no letter may be taken for the double of the one before."""
    written, before = "", ""
    for leg in legs:
        doubled = before.endswith(2 * leg[0])
        if before.endswith(leg[0]) and leg[0].isupper() and not doubled:
            written += "0" if leg[0] in "RBQ" else "1"
        written += leg
        before = leg
    return written


def _leg_place(path: Path, index: int) -> str:
    """A leg before ? may be the last one or not, so there every letter counts."""
    if index == len(path.joins):
        return "last"
    return "earlier" if path.joins[index] == "-" else "both"


def _no_translation_diagnostic(message: str, hint: str = "", span: Span = NOWHERE) -> Diagnostic:
    return Diagnostic("no-translation", message, (span,), hint or "write it in its own dialect")


def _reject_translation(diagnostics: Sequence[Diagnostic], source: Source | None) -> NoReturn:
    raise AlfilError(diagnostics, source or Source("", "<betza>"))


# The canonical arrangement of parts


def _arrange_parts(
    terms: Iterable[BetzaTerm], dialect: Dialect, *, merging: bool = True
) -> list[BetzaTerm]:
    """The parts as they are written: taken apart, joined and put in order."""
    parts: dict[object, BetzaTerm] = {}
    for term in terms:
        for part in _split_and_normalise_part(term, dialect):
            # Chains that differ in letters which are not written are one part.
            alike = _equality_key(part) if isinstance(part, Leg) else _part_text(part, dialect)
            parts.setdefault(alike, part)
    result = list(parts.values())
    written = _merge_compounds(result, dialect) if merging else result
    return sorted(written, key=lambda part: _part_sort_key(part, dialect))


def _equality_key(part: Leg) -> object:
    """What is the same for parts that are written alike."""
    atom, how_far = part.atom, part.range
    base = atom.vectors or atom.written
    letters = (
        (part.modifiers.directions if not part.vectors else ()),
        frozenset(part.modifiers.modes),
    )
    return base, how_far.steps, how_far.written == "*", letters, frozenset(part.vectors)


def _split_and_normalise_part(term: BetzaTerm, dialect: Dialect) -> Iterator[BetzaTerm]:
    match term:
        case Leg():
            unsaid = redundant_modes(term.modifiers.modes, "last")
            modes = tuple(mode for mode in term.modifiers.modes if mode not in unsaid)
            yield from split_compound(replace(term, modifiers=replace(term.modifiers, modes=modes)))
        case Path() if "bracket" in dialect.constructs and not _is_first_leg_limited(term):
            yield replace(term, form="[]")
        case _:
            yield term


def _is_first_leg_limited(path: Path) -> bool:
    """Whether letters on its first leg limit a path: programs do not agree on them in brackets."""
    return path.form == "t" and bool(path.legs[0].modifiers.directions)


def _merge_compounds(parts: list[BetzaTerm], dialect: Dialect) -> list[BetzaTerm]:
    """The parts that differ only in their directions as one, then W and F as K, R and B as Q."""
    result: list[BetzaTerm] = []
    alike: dict[object, list[Leg]] = {}
    for part in parts:
        if isinstance(part, Leg) and part.vectors and part.atom.vectors:
            key = frozenset(part.modifiers.modes), part.range.steps, part.range.written == "*"
            alike.setdefault(key, []).append(part)
        else:
            result.append(part)
    for legs in alike.values():
        result += _merge_orthogonal_and_diagonal([*_merge_by_atom(legs)], dialect)
    return result


def _merge_by_atom(legs: list[Leg]) -> Iterator[Leg]:
    """Parts of the same letters and range, one for each atom."""
    atoms: dict[tuple[Vector, ...], list[Leg]] = {}
    for leg in legs:
        atoms.setdefault(leg.atom.vectors, []).append(leg)
    for first, *others in atoms.values():
        vectors = tuple(dict.fromkeys(step for leg in (first, *others) for step in leg.vectors))
        yield from split_compound(replace(first, vectors=vectors)) if others else (first,)


def _merge_orthogonal_and_diagonal(legs: list[Leg], dialect: Dialect) -> list[Leg]:
    """Parts of the same letters and range, those on W and F as one on K where that is shorter."""
    one = next((leg for leg in legs if leg.atom.vectors == ORTHOGONAL), None)
    other = next((leg for leg in legs if leg.atom.vectors == DIAGONAL), None)
    both = _merge_as_king_or_queen(one, other, dialect) if one and other else None
    if both is None:
        return legs
    # R and B together may be a Q that is there already.
    return [both, *(leg for leg in legs if not {*leg.atom.vectors} & {*both.atom.vectors})]


def _merge_as_king_or_queen(one: Leg, other: Leg, dialect: Dialect) -> Leg | None:
    """A part on W or R and one on F or B as one on K or Q, None where that is no shorter.

    A dialect that reads directions on K and Q apart, unlike the default one, is not written with
    them: the text would be another piece to most readers.
    """
    directed = one.modifiers.directions or other.modifiers.directions
    if one.range.written == "*" or (directed and "apart" in dialect.constructs):
        return None
    bases, vectors = (*ORTHOGONAL, *DIAGONAL), (*one.vectors, *other.vectors)
    tokens = first_leg_tokens_for(vectors, all_images(bases), "K")
    both = replace(
        one,
        modifiers=replace(one.modifiers, directions=tokens),
        atom=nodes.Atom("", bases, one.atom.slides),
        vectors=vectors,
    )
    longer = _part_text(one, dialect) + _part_text(other, dialect)
    return both if len(_part_text(both, dialect)) < len(longer) else None


def _part_sort_key(part: BetzaTerm, dialect: Dialect) -> tuple[object, ...]:
    """Where a part stands: conditions last, then those of several legs, directions, leapers."""
    match part:
        case Leg():
            first, atom, steps, legs = part.modifiers, part.atom, part.range.steps, 1
            # First as it is written, so that it is put in the same order when it is read again.
            letter = atom_text_with_range(atom, part.range, dialect).rstrip("0123456789*")
        case Chain():
            how_far = part.range
            # Slides are told as they are written: K3 at the end of a chain is Q3.
            steps = how_far.steps if how_far.written else int(not part.atom.slides)
            first, atom, legs, letter = part.first, part.atom, 2, ""
        case Path():
            leg = part.legs[0]
            first, atom, steps, legs, letter = part.prefix, leg.atom, leg.range.steps, 2, ""
        case _:
            assert_never(part)
    conditions = [LETTER_ROWS[mode].initial for mode in first.modes]
    condition = 2 if "third-rank" in conditions else int("first-move" in conditions)
    slides = steps != 1 and bool(atom.vectors) and all(b == 1 for _, b in atom.vectors)
    lengths = tuple(sorted(a * a + b * b for a, b in atom.vectors))
    order = (condition, legs, bool(first.directions), not slides, lengths)
    # People write what only captures last.
    last = (
        ("c" in first.modes and "m" not in first.modes, _part_text(part, dialect))
        if legs == 1
        else (atom.written,)
    )
    return *order, letter, *last

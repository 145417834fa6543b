"""The parts of Betza of which the shortest text is made: the columns of a set cover.

docs/shortest.md states this grammar, and grammars/betza_columns.tsv has its tables. A column is one
part and the moves of a piece that it covers; it allows no move that the piece does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, reduce
from itertools import combinations, product
from math import gcd
from operator import or_
from typing import NamedTuple, TypeAlias

from alfil.bit_grid import single_bits
from alfil.data_files import read_table
from alfil.errors import AlfilError
from alfil.geometry import UNIT_BASES, Vector, all_images, base_vector
from alfil.meaning.automaton import OVER_ANY, PAST_EMPTY
from alfil.meaning.compile_movement import meaning_of
from alfil.meaning.piece_meaning import Condition, Meaning
from alfil.meaning.plain_runs import BIT_BY_END
from alfil.movement.canonical_movement import canonicalise_movement
from alfil.movement.run_sequences import NotExpressible
from alfil.notation.betza.directions import direction_choices, first_leg_letters
from alfil.notation.betza.letter_spelling import atom_text_of_bases
from alfil.notation.betza.letters import LETTER_ROWS
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.resolve import resolve_betza
from alfil.source import Source
from alfil.translation.move_paths import MovePath, PathsToCover, paths_of
from alfil.work_limit import cached_with_work, charge

Bases: TypeAlias = tuple[Vector, ...]
# What the moves of an atom cover: by direction, then by number of steps and how the move ends. None
# is a move that the piece does not have.
CoverageByDirection: TypeAlias = dict[Vector, dict[tuple[int, int], int | None]]

# The letters of how a part may end, and the bits of the automaton that they stand for.
END_BITS: dict[str, int] = {
    mode: reduce(or_, (BIT_BY_END[end] for end in row.ends))
    for mode, row in LETTER_ROWS.items()
    if row.ends and mode in {"m", "c", "d", "e", "k"}
}
USUAL_ENDS = {"m", "c"}
INITIAL_BY_CONDITIONS: dict[frozenset[object], str] = {
    frozenset(): "",
    frozenset([Condition("move", 1)]): "i",
    frozenset([Condition("third-rank")]): "ii",
}
# The work of reading and compiling one part.
WORK_PER_PART = 40


class CandidatePart(NamedTuple):
    """A part: its text, the moves that it covers as bits, whether it is of the grammar.

    ``letters`` is the length of the text, which is made when it is asked for.
    """

    letters: int
    mask: int
    family: CandidateFamily
    vectors: tuple[Vector, ...] = ()
    modes: str = ""

    @property
    def text(self) -> str:
        """The part."""
        if not self.family.bases:
            return self.family.name
        letters = first_leg_letters(frozenset(self.vectors), self.family.bases)
        return f"{self.family.initial}{letters}{self.modes}{self.family.name}"

    @property
    def is_from_grammar(self) -> bool:
        """Whether the grammar has it; other parts are those of the author or the writer."""
        return self.family.is_from_grammar


class CandidateFamily(NamedTuple):
    """Parts that differ only in their directions and letters for how they may end.

    ``name`` is the letters of how it moves and the atom; without ``bases`` it is the whole part.
    """

    initial: str
    name: str
    bases: Bases = ()
    is_from_grammar: bool = True


def candidate_parts_of(
    target: PathsToCover,
    depth: int,
    others: Iterable[str] = (),
    readable: Callable[[str], bool] | None = None,
) -> list[CandidatePart]:
    """The columns for some moves, those of the grammar and some other parts, the shortest first.

    Left out is what another one covers in as few letters, and what is not ``readable``.
    """
    found: list[CandidatePart] = []
    found += _grammar_candidates(target, depth)
    for name in _castling_parts(target):
        found += _candidate_of_whole_text(CandidateFamily("", name), target, depth)
    for name in others:
        found += _candidate_of_whole_text(
            CandidateFamily("", name, is_from_grammar=False), target, depth
        )
    found.sort(key=lambda each: (each.letters, -each.mask.bit_count(), not each.is_from_grammar))
    kept: list[CandidatePart] = []
    for each in found:
        charge(1)
        is_covered = any(each.mask & ~other.mask == 0 for other in kept)
        if not is_covered and (readable is None or readable(each.text)):
            kept.append(each)
    return kept


def _grammar_candidates(target: PathsToCover, max_path_steps: int) -> Iterator[CandidatePart]:
    """The parts of the grammar on one atom that have only moves of the target."""
    bases = _bases_towards_target(target)
    for manner in all_atom_modifiers():
        if manner.need and not target.passes & manner.need:
            continue
        for guard, initial in INITIAL_BY_CONDITIONS.items():
            if guard not in target.guards:
                continue
            for shape in ("leap", "run"):
                single = {
                    base: _coverage_by_direction(
                        initial, manner.letters, shape, base, target, max_path_steps
                    )
                    for base in bases
                    if manner.fits_atom(shape, base)
                }
                for each, covers in _atoms_and_wazir_ferz_compound(single):
                    yield from _directed_candidates(
                        initial, manner.letters, shape, each, covers, target.ends
                    )


def _bases_towards_target(target: PathsToCover) -> list[Vector]:
    """The atoms whose steps lead to squares of the target."""
    bases: set[Vector] = set()
    for x, y in {result.to for result in target.results}:
        times = gcd(x, y)
        bases.update(
            base_vector((x // count, y // count))
            for count in range(1, times + 1)
            if times % count == 0
        )
    return sorted(bases)


def _atoms_and_wazir_ferz_compound(
    single: dict[Vector, CoverageByDirection],
) -> Iterator[tuple[Bases, CoverageByDirection]]:
    """Each atom, and W and F together."""
    for base, covers in single.items():
        yield (base,), covers
    if all(single.get(base) for base in UNIT_BASES):
        yield UNIT_BASES, single[UNIT_BASES[0]] | single[UNIT_BASES[1]]


def _coverage_by_direction(
    initial: str, letters: str, shape: str, base: Vector, target: PathsToCover, depth: int
) -> CoverageByDirection:
    """What each direction of a leap, or a run without end, covers of the target, step by step."""
    modes = "".join(
        mode for mode, bits in END_BITS.items() if mode in USUAL_ENDS or bits & target.ends & ~7
    )
    name = atom_text_of_bases((base,), 0 if shape == "run" else 1)
    try:
        paths = _part_paths(f"{initial}{modes}{letters}{name}", depth)
    except NotExpressible:
        return {}
    size = max(base)
    result: CoverageByDirection = {}
    for path in paths:
        x, y = path.result.to
        steps = max(abs(x), abs(y)) // size
        vector = (x // steps, y // steps) if steps else (0, 0)
        along = result.setdefault(vector, {})
        known, covered = along.get((steps, path.result.end), 0), target.bits_covered_by(path)
        along[steps, path.result.end] = (
            None if known is None or covered is None else known | covered
        )
    return {vector: along for vector, along in result.items() if any(along.values())}


class AtomModifiers(NamedTuple):
    """How a part on one atom moves: its letters, what must be passed, and on which atoms."""

    letters: str
    need: int
    kinds: frozenset[str]

    def fits_atom(self, shape: str, base: Vector) -> bool:
        """Whether a "leap" or a "run" of an atom may have the letters."""
        return f"{shape}-{'unit' if base in UNIT_BASES else 'far'}" in self.kinds


@cache
def all_atom_modifiers() -> tuple[AtomModifiers, ...]:
    """The letters of how a part on one atom moves, a row of the grammar for each."""
    needs = {"-": 0, "empty": PAST_EMPTY, "hurdle": OVER_ANY}
    return tuple(
        AtomModifiers(letters.strip("-"), needs[need], frozenset(kinds.split()))
        for part, letters, need, kinds in read_table("grammars", "betza_columns.tsv")
        if part == "manner"
    )


def _directed_candidates(
    initial: str, letters: str, shape: str, bases: Bases, covers: CoverageByDirection, ends: int
) -> Iterator[CandidatePart]:
    """The columns of one atom: in some directions, with some letters of how they may end."""
    every = all_images(bases)
    for modes, bits in _end_letter_sets(ends) if covers else ():
        reaches = {vector: _coverage_by_run_length(along, bits) for vector, along in covers.items()}
        endless = max((each.steps for each in reaches.values() if each.endless), default=0)
        lengths = {each.steps for each in reaches.values() if not each.endless and each.steps > 1}
        lengths |= {1} if shape == "leap" else {endless} if endless else set()
        for length in sorted(lengths):
            masks = {
                vector: each.masks[min(length, each.steps) - 1]
                for vector, each in reaches.items()
                if each.steps >= length or (each.endless and each.steps)
            }
            if not any(masks.values()):
                continue
            name = letters + atom_text_of_bases(
                bases, 0 if shape == "run" and length == endless else length
            )
            family = CandidateFamily(initial, name, bases)
            more = len(initial) + len(modes) + len(name)
            for count, vectors in direction_choices(frozenset(masks), every):
                mask = reduce(or_, (masks[vector] for vector in vectors))
                if mask:
                    yield CandidatePart(count + more, mask, family, vectors, modes)


class _RunCoverage(NamedTuple):
    """How many steps a run may make in one direction, and what so many of them cover.

    ``endless``: as many as are looked at.
    """

    steps: int
    endless: bool
    masks: list[int]


def _coverage_by_run_length(along: dict[tuple[int, int], int | None], bits: int) -> _RunCoverage:
    most = max(steps for steps, _ in along)
    masks: list[int] = []
    mask = 0
    for steps in range(1, most + 1):
        for bit in single_bits(bits):
            more = along.get((steps, bit), 0)
            if more is None:
                return _RunCoverage(len(masks), endless=False, masks=masks)
            mask |= more
        masks.append(mask)
    return _RunCoverage(most, endless=True, masks=masks)


@cache
def _end_letter_sets(ends: int) -> tuple[tuple[str, int], ...]:
    """The letters of how a part may end that matter where moves end like this, and their bits."""
    known = [mode for mode, bits in END_BITS.items() if bits & ends and (mode != "k" or ends & 4)]
    result: list[tuple[str, int]] = [("", END_BITS["m"] | END_BITS["c"])]
    for count in range(1, len(known) + 1):
        for modes in combinations(known, count):
            if set(modes) != USUAL_ENDS and not {"c", "k"} <= set(modes):
                result.append(("".join(modes), reduce(or_, (END_BITS[mode] for mode in modes))))
    return tuple(result)


def _castling_parts(target: PathsToCover) -> Iterator[str]:
    """The parts for castling, which are written as they are."""
    for result in target.results:
        for condition in result.effects:
            if condition.kind == "castle":
                for initial, side in product(("", "i"), ("", "l", "r")):
                    yield f"{initial}{side}O{condition.value}"


def _candidate_of_whole_text(
    family: CandidateFamily, target: PathsToCover, depth: int
) -> Iterator[CandidatePart]:
    try:
        paths = _part_paths(family.name, depth)
    except NotExpressible:
        return
    mask = 0
    for path in paths:
        covered = target.bits_covered_by(path)
        if covered is None:
            return
        mask |= covered
    yield CandidatePart(len(family.name), mask, family)


@cached_with_work(maxsize=4096)
def _part_paths(text: str, depth: int) -> list[MovePath]:
    """The moves of a text of so many steps; raises `NotExpressible`."""
    charge(WORK_PER_PART)
    return paths_of(meaning_of_text(text), depth)


@cached_with_work(maxsize=4096)
def meaning_of_text(text: str) -> Meaning:
    """The meaning of a text in Betza; raises `NotExpressible` where it has none."""
    try:
        return meaning_of(resolve_betza(read_betza(Source(text))[0]), Source(text))
    except AlfilError:
        raise NotExpressible from None


@cached_with_work(maxsize=4096)
def is_same_in_dialect(text: str, dialect: str) -> bool:
    """Whether a dialect reads a part as the default one does.

    >>> is_same_in_dialect("fR4", "classic"), is_same_in_dialect("fsK", "fairy-stockfish")
    (True, False)
    """
    try:
        trees = [read_betza(Source(text), each)[0] for each in (dialect, "betza")]
        ours, usual = map(canonicalise_movement, map(resolve_betza, trees))
    except AlfilError:
        return False
    return ours == usual

"""A variant compiled to numbers, shared by all its positions.

A piece is the number 1 + 2 × kind + side, an empty square 0. ``wall``, the number after
the last piece, stands on squares that are walled up, or are none.

Move tables are cut to a square when a piece first stands on it (`alfil.game.square_sections`), so
that a large board costs only what is played on it. What pieces take up is known from
`alfil.game.piece_footprints`, what they are beside their moves from `alfil.game.piece_traits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cached_property
from math import lcm
from threading import RLock
from typing import Any, TypeVar

from alfil.bit_grid import single_bits
from alfil.frozen_dataclasses import NamedTuple
from alfil.game.move_origins import MoveOrigins, PieceGeometry, move_origins
from alfil.game.piece_footprints import PieceFootprints
from alfil.game.piece_traits import ENTERING_ZONE, PieceTraits, piece_traits
from alfil.game.square_sections import (
    RegionalSections,
    SquareSection,
    clip_regional_section,
    clip_section,
    node_count_on_all_squares,
)
from alfil.game.variant import OPENING_REGION, WALLS_REGION, ZONE_REGION, Area, PieceType, Variant
from alfil.meaning.automaton import (
    ENEMY,
    FRIEND,
    ON_EMPTY,
    ON_ROYAL,
    PAST_EMPTY,
    ROYAL,
    VACANT,
    Automaton,
)
from alfil.meaning.piece_meaning import (
    PATH_CONDITIONS,
    Fact,
    GuardedAutomaton,
    Meaning,
    is_castling,
)
from alfil.meaning.square_conditions import (
    SQUARE_DEPENDENT_CONDITIONS,
    PieceSquare,
    meaning_on_square,
)
from alfil.squares import Square, square_name_on, square_seen_by
from alfil.tables.board_context import BoardContext
from alfil.tables.move_generation import moves_in_context
from alfil.tables.move_table import TableSection, Trie, sections_of_meaning

# So many moves of a game are remembered, those that users have seen and what they come to.
MAX_CACHED_MOVES = 50_000
# So many pieces on squares are remembered with what they may do there, as Python has it.
MAX_CACHED_SQUARES = 256
# A part that would be laid out in more nodes is walked: runs over several pieces on large boards.
MAX_TRIE_NODES = 30_000
# So is one that would have more nodes on a board full of that piece. One that captures or passes
# something on its way takes so many times as long to lay out.
MAX_NODES_ON_BOARD, TRACED_NODE_WEIGHT = 8_000_000, 20

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class BoundedCache(dict[K, V]):
    """A cache that is cleared when it would grow beyond ``most`` entries.

    >>> found = BoundedCache(2)
    >>> found["a"], found["b"], found["c"] = 1, 2, 3
    >>> found
    {'c': 3}
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self.most:
            self.clear()
        super().__setitem__(key, value)


_NUMBERED_ORTHOGONAL_STEPS = tuple(enumerate(((0, 1), (1, 0), (0, -1), (-1, 0)), 1))
# How a royal piece strikes another one along an open line, where they may not face each other.
_FLYING_GENERALS_STATE = tuple(
    (x, y, 0, ON_ROYAL, ((PAST_EMPTY, way),)) for way, (x, y) in _NUMBERED_ORTHOGONAL_STEPS
)
FLYING_GENERALS = Meaning(
    (
        GuardedAutomaton(
            (), Automaton((_FLYING_GENERALS_STATE, *((look,) for look in _FLYING_GENERALS_STATE)))
        ),
    )
)

# A move that changes nothing.
PASS = Meaning((GuardedAutomaton((), Automaton((((0, 0, 0, ON_EMPTY, ()),),))),))

SIDES = (0, 1)
UNLIMITED = 10**9

# Instead of a count of the moves a piece has made: it has moved, or it was put down on a square
# where one like it began, so that it may do what an unmoved piece may, but nothing castles with it.
UNKNOWN_MOVE_COUNT, DROPPED_MOVE_COUNT = -1, -2


class EngineMove(NamedTuple):
    """A move in numbers: ``origin`` is -1 for a drop, ``becomes`` the piece that arrives.

    ``partner`` is where a castling partner comes from and goes to; empty without one. ``changes``
    are what stands on squares after all of that: (square, piece), 0 for nothing.
    """

    piece: int
    origin: int
    target: int
    becomes: int
    captures: tuple[int, ...] = ()
    partner: tuple[int, ...] = ()
    ep_squares: tuple[int, ...] = ()
    changes: tuple[tuple[int, int], ...] = ()


def bits_to_squares(bits: int) -> list[int]:
    """The squares of a set, in order.

    >>> bits_to_squares(0b1011)
    [0, 1, 3]
    """
    return [bit.bit_length() - 1 for bit in single_bits(bits)]


def immobilises_in_arrival_order(fact: Fact) -> bool:
    """Whether an effect immobilises pieces one by one, in the order of arrival."""
    return fact.name == "immobilises" and fact.values[2:] != ("always", 0)


def effect_range(fact: Fact) -> Meaning:
    """The moves by which an effect reaches others."""
    reach = fact.values[0]
    assert isinstance(reach, Meaning)
    return reach


class CompiledVariant:
    """A variant compiled to tables by piece and square."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.rules = variant.rules
        self.files, self.ranks = variant.files, variant.ranks
        self.size = variant.files * variant.ranks
        self.kinds = variant.kinds
        self.traits_by_code = piece_traits(variant)
        self._en_passant = variant.en_passant
        self.number = {kind.code: index for index, kind in enumerate(self.kinds)}
        self.pieces = 2 * len(self.kinds)
        # What stands on a square that is walled up, or is none; and on one that a piece takes up
        # whose own square is another one.
        self.wall = self.pieces + 1
        self.cover = self.wall + 1
        self.footprints = PieceFootprints(self.kinds, self.files, self.ranks)
        self.codes = [""] + [kind.code for kind in self.kinds for _ in SIDES]
        self.survive = [""] + [self._traits(p).survive for p in range(1, self.wall)]
        self.royal = [bool(each) for each in self.survive]
        self.royal_pieces = [
            [p for p in range(1 + s, self.wall, 2) if self.royal[p]] for s in SIDES
        ]
        self.base = [0] + [self.number[kind.base] for kind in self.kinds for _ in SIDES]
        # The kind that each piece is in its captor's hand, -1 for none: a royal ends the game.
        self.held = [-1] + [self._hand_kind_when_captured(piece) for piece in range(1, self.wall)]
        self.bits = [1 << square for square in range(self.size)]
        self._areas: dict[tuple[Area, int], int] = {}
        self.holes = sum(self.bits[self.square(at)] for at in variant.walls)
        # By what stands on a square: which explosions take it, and whether it turns to stone.
        standing = [kind.blast for kind in self.kinds for _ in SIDES]
        self.blast = ["never", *standing, "never"]
        self.petrifies = [False] + [kind.petrifies for kind in self.kinds for _ in SIDES]
        self.gates = [
            False,
            *(kind.gates and variant.has_hands for kind in self.kinds for _ in SIDES),
        ]
        rules = self.rules
        # By piece, whether it passes where it stays and captures nothing, by the rules of the game.
        self.passing = [
            rules.passes == "stuck" or (rules.passes == "allowed" and each) for each in self.royal
        ]
        self.walled = bool(self.holes or rules.wall != "none" or any(self.petrifies))
        # Whether moves change more than what moves and what is captured, or walls stand in the way.
        self.effects = [()] + [self._traits(p).effects for p in range(1, self.wall)]
        effects = [fact for each in self.effects for fact in each]
        self.burning = any(fact.name != "immobilises" for fact in effects)
        self.freezing = any(fact.name == "immobilises" for fact in effects)
        self.holding = any(immobilises_in_arrival_order(fact) for fact in effects)
        self.special = bool(
            self.walled or effects or rules.explosion != "none" or rules.flip != "none"
        ) or any(self.gates)
        self.zone = [
            [bool(zone & bit) for bit in self.bits]
            for zone in (self.region_bits(ZONE_REGION, side) for side in SIDES)
        ]
        # By piece: where it may stand, by its own square, and where it promotes.
        self.room = [0] + [self._allowed_squares(piece) for piece in range(1, self.wall)]
        self.promoting = [self.zone[0]] + [
            self._is_promotion_square(p) for p in range(1, self.wall)
        ]
        # The most of each piece on a file that a move onto it must respect, 0 for no limit.
        self.file_limit = [0] + [
            kind.per_file if "move" in kind.per_file_on else 0 for kind in self.kinds for _ in SIDES
        ]
        self.starting = {
            self.square(each.square): self.piece_number(each.code, each.side)
            for each in variant.setup
        }
        # The most of each piece that others may promote to, 0 for no limit.
        self.side_limit = [0] + [kind.per_side for kind in self.kinds for _ in SIDES]
        # The squares of either colour, as on a chess board.
        self.colours = [
            sum(bit for s, bit in enumerate(self.bits) if sum(self.file_and_rank(s)) % 2 == each)
            for each in (0, 1)
        ]
        # By piece: the squares it stands on in the starting position.
        self.begun = [0] * self.wall
        for square, piece in self.starting.items():
            self.begun[piece] |= self.bits[square]
        # What other modules work out for all positions of this game, by their names for it.
        self.cache: dict[str, Any] = {}
        self._lock = RLock()
        # Every move that was written or found compiled, so that equal ones are one object.
        self._acts: BoundedCache[EngineMove, EngineMove] = BoundedCache(MAX_CACHED_MOVES)
        self._layouts: dict[int, tuple[RegionalSections, ...]] = {}
        self._patches: BoundedCache[int, tuple[SquareSection, ...]] = BoundedCache(
            MAX_CACHED_SQUARES
        )
        self._promotions: BoundedCache[tuple[int, int, int, bool], tuple[int, ...]] = BoundedCache(
            MAX_CACHED_MOVES
        )
        self._drops: dict[int, tuple[int, ...]] = {}

    def is_pass(self, engine_move: EngineMove) -> bool:
        """Whether a move is a pass."""
        stays = (
            engine_move.origin == engine_move.target and engine_move.becomes == engine_move.piece
        )
        return (
            stays
            and self.passing[engine_move.piece]
            and not engine_move.captures
            and not engine_move.partner
        )

    def cached_value(self, name: str, make: Callable[[], T]) -> T:
        """What is kept under a name, made the first time; what others share is there only once."""
        result: T | None = self.cache.get(name)
        if result is None:
            with self._lock:
                result = self.cache.get(name)
                if result is None:
                    result = self.cache[name] = make()
        return result

    def intern_move(self, engine_move: EngineMove) -> EngineMove:
        """The interned object of an equal move."""
        result = self._acts.get(engine_move)
        if result is None:
            result = self._acts[engine_move] = engine_move
        return result

    def square(self, at: Square) -> int:
        """The number of a square."""
        return at[1] * self.files + at[0]

    def file_and_rank(self, square: int) -> Square:
        """The file and rank of a square."""
        rank, file = divmod(square, self.files)
        return (file, rank)

    def square_name(self, square: int) -> str:
        """The name of a square, as texts of this game have it."""
        return square_name_on(
            self.file_and_rank(square), self.files, self.ranks, self.rules.coordinates
        )

    def piece_number(self, code: str, side: int) -> int:
        """The piece with this code of one side."""
        return 1 + 2 * self.number[code] + side

    def relative_rank(self, square: int, side: int) -> int:
        """The rank of a square counted from one side's back rank, from 1."""
        rank = square // self.files
        return self.ranks - rank if side else rank + 1

    def region_bits(self, area: Area, side: int) -> int:
        """The set of squares of an area of one side."""
        result = self._areas.get((area, side))
        if result is None:
            squares = self.variant.squares(area, side)
            result = self._areas[area, side] = sum(self.bits[self.square(at)] for at in squares)
        return result

    def goal_squares(self, side: int) -> int:
        """The own squares on which the piece that has a goal has reached it."""
        goal = self.rules.goal
        if goal is None:
            return 0
        return self.footprints.squares_with_part_inside(
            self.piece_number(goal.code, side), self.region_bits(goal.area, side)
        )

    def _is_promotion_square(self, piece: int) -> list[bool]:
        kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
        if not (kind.promotes_in or self.footprints.large[piece]):
            return self.zone[side]
        there = self.footprints.squares_with_part_inside(
            piece, self.region_bits(kind.promotes_in or ZONE_REGION, side)
        )
        return [bool(there & bit) for bit in self.bits]

    def _allowed_squares(self, piece: int) -> int:
        """The squares on which a piece may stand."""
        kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
        result = self.region_bits(kind.within, side) if kind.within else (1 << self.size) - 1
        result = result & ~self.region_bits(kind.outside, side) if kind.outside else result
        return self.footprints.squares_with_all_inside(piece, result)

    def square_moves(self, piece: int, square: int) -> tuple[SquareSection, ...]:
        """What a piece on a square may do, part by part."""
        key = piece * self.size + square
        result = self._patches.get(key)
        if result is None:
            at = self.file_and_rank(square)
            field = self.footprints.anchor_square_area(piece)
            second = piece % 2 == 0
            result = tuple(
                clip_regional_section(
                    clip_section(part, at, field, second=second), manner, self.size
                )
                for manner in self._move_sections(piece)
                if manner.starts & self.bits[square]
                for section in manner.parts
                for part in self.sections_on_square(section, piece, square)
            )
            self._patches[key] = result
        return result

    def move_origins(self, piece: int) -> Iterator[MoveOrigins]:
        """What a piece may do from anywhere, with the squares from which it may."""
        board = self.piece_geometry(piece)
        for manner in self._move_sections(piece):
            for section in manner.parts:
                if all(each.kind not in SQUARE_DEPENDENT_CONDITIONS for each in section.guard):
                    yield from move_origins(section, board, manner.starts, manner.ends)
                    continue
                for square in bits_to_squares(manner.starts):
                    for part in self.sections_on_square(section, piece, square):
                        yield from move_origins(part, board, self.bits[square], manner.ends)

    def piece_geometry(self, piece: int) -> PieceGeometry:
        """The board as a piece has it."""
        return PieceGeometry(self.footprints.anchor_square_area(piece), self.ranks, piece % 2 == 0)

    def sections_on_square(
        self, section: TableSection, piece: int, square: int
    ) -> tuple[TableSection, ...]:
        """A part of a piece's moves as it is on one square."""
        if all(condition.kind not in SQUARE_DEPENDENT_CONDITIONS for condition in section.guard):
            return (section,)
        (file, rank), side = self.file_and_rank(square), (piece - 1) % 2
        mine = square_seen_by(side, (file, rank), self.files, self.ranks)
        own = not self.begun[piece] or bool(self.begun[piece] & self.colours[(file + rank) % 2])
        field = self.footprints.anchor_square_area(piece)
        place = PieceSquare(mine, field.files, field.ranks, bool(side), own)
        part = GuardedAutomaton(section.guard, section.automaton)
        return self.sections(meaning_on_square(Meaning((part,)), place), piece)

    def _move_sections(self, piece: int) -> tuple[RegionalSections, ...]:
        """The moves of a piece, general and regional."""
        result = self._layouts.get(piece)
        if result is None:
            kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
            room, everywhere = self.room[piece], (1 << self.size) - 1
            parts = self._general_and_regional_sections(piece)
            result = (RegionalSections(parts[0], everywhere, room),)
            for own, each in zip(parts[1:], kind.further, strict=False):
                starts, ends = (
                    everywhere
                    if area is None
                    else self.footprints.squares_with_all_inside(
                        piece, self.region_bits(area, side)
                    )
                    for area in (each.start, each.end)
                )
                result += (RegionalSections(own, starts, room & ends, each.unchecked),)
            result += tuple(
                RegionalSections(own, everywhere, everywhere) for own in parts[len(result) :]
            )
            self._layouts[piece] = result
        return result

    def _general_and_regional_sections(self, piece: int) -> list[tuple[TableSection, ...]]:
        """What a piece does everywhere, what on some squares only, and what as a royal piece.

        Pieces that move alike share theirs. The second side's pieces do what the first side's do,
        turned half around.
        """
        first = piece - (piece % 2 == 0)
        rules, meanings = self.rules, [*self.kinds[(piece - 1) >> 1].meanings]
        if self.royal[first] and rules.facing == "barred":
            meanings.append(FLYING_GENERALS)
        if self.royal[first] and rules.passes == "allowed":
            meanings.append(PASS)
        field = self.footprints.anchor_square_area(first)
        key = piece - first, tuple(meanings), field.files, field.ranks
        known: dict[object, list[tuple[TableSection, ...]]]
        known = self.cache.setdefault("sections by meanings", {})
        if key not in known:
            known[key] = (
                [self.sections(meaning, piece) for meaning in meanings]
                if piece == first
                else [
                    tuple([each.rotated_section() for each in parts])
                    for parts in self._general_and_regional_sections(first)
                ]
            )
        return known[key]

    def sections(self, meaning: Meaning, piece: int) -> tuple[TableSection, ...]:
        """Moves of a piece before they are cut to squares."""
        field = self.footprints.anchor_square_area(piece)
        result = sections_of_meaning(
            meaning.without_facts() if self._en_passant else _without_en_passant_squares(meaning),
            field.files,
            field.ranks,
            second=piece % 2 == 0,
            tracing=PATH_CONDITIONS | {"castle"},
            walked=frozenset({"greedy"}),
            hurdles=False,
            most=MAX_TRIE_NODES,
        )
        return tuple(
            [
                section._replace(trie=None)
                if section.trie and self._is_trie_too_large(section.trie)
                else section
                for section in result
            ]
        )

    def _is_trie_too_large(self, trie: Trie) -> bool:
        """Whether a trie is too large to be laid out for a piece on each square."""
        room = MAX_NODES_ON_BOARD - (TRACED_NODE_WEIGHT - 1) * len(trie.traces) * self.size
        # Most tries have so few nodes that it need not be counted how many are on the board.
        small = len(trie.nodes) * self.size <= room
        return not small and node_count_on_all_squares(trie, self.files, self.ranks) > room

    def had_same_piece_behind_at_start(self, piece: int, square: int) -> bool:
        """Whether the square straight behind held the same piece in the starting position."""
        behind = square + self.files if (piece - 1) % 2 else square - self.files
        return self.starting.get(behind) == piece

    def promotions(
        self, piece: int, origin: int, target: int, *, captures: bool
    ) -> tuple[int, ...]:
        """The pieces that may arrive: the piece itself first, where promotion is optional."""
        key = (piece, origin, target, captures)
        result = self._promotions.get(key)
        if result is None:
            result = self._possible_promotions(piece, origin, target, captures=captures)
            self._promotions[key] = result
        return result

    @cached_property
    def promotes_as_separate_move(self) -> list[bool]:
        """For each piece, whether it promotes with moves of its own."""
        pieces = range(1, self.wall)
        return [False] + [self._traits(piece).promotion.mode == "apart" for piece in pieces]

    def never_promotes(self, piece: int) -> bool:
        """Whether a piece, or none, promotes by no move: it has nothing to become, or nowhere."""
        if not 0 < piece < self.wall or not self.own_promotions(piece):
            return True
        promotion = self._traits(piece).promotion
        elsewhere = promotion.by is not None or promotion.from_rank not in {0, ENTERING_ZONE}
        anywhere = self.rules.promotion_when in {"captures", "always"}
        return not (elsewhere or anywhere or any(self.promoting[piece]))

    def own_promotions(self, piece: int) -> tuple[int, ...]:
        """What a piece promotes to, whatever it captures."""
        side = (piece - 1) % 2
        return tuple(self.piece_number(code, side) for code in self._traits(piece).promotion.codes)

    def contagion_forms(self, piece: int) -> tuple[int, ...]:
        """What a piece becomes by capturing others: nothing where it is royal."""
        side, pairs = (piece - 1) % 2, () if self.royal[piece] else self.rules.contagion
        return tuple(dict.fromkeys(self.piece_number(each.becomes, side) for each in pairs))

    def all_promotions(self, piece: int) -> tuple[int, ...]:
        """All that a piece may ever become."""
        return self._all_forms[piece]

    @cached_property
    def _all_forms(self) -> list[tuple[int, ...]]:
        forms = ((*self.own_promotions(p), *self.contagion_forms(p)) for p in range(1, self.wall))
        return [(), *(tuple(dict.fromkeys(each)) for each in forms)]

    def drop_square_set(self, piece: int) -> int:
        """The set of the squares that `drop_squares` lists."""
        kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
        room = self.room[piece] & self.footprints.squares_with_all_inside(
            piece, self.region_bits(kind.drop_ranks or (1, 0), side)
        )
        return (
            room
            & self.footprints.squares_with_all_inside(piece, self.region_bits(kind.drop_in, side))
            if kind.drop_in
            else room
        )

    def drop_squares(self, piece: int) -> tuple[int, ...]:
        """The squares a piece may be dropped on if they are free, whatever stands elsewhere."""
        result = self._drops.get(piece)
        if result is None:
            result = self._drops[piece] = tuple(bits_to_squares(self.drop_square_set(piece)))
        return result

    @cached_property
    def hand_kinds_by_dropped_piece(self) -> list[list[int]]:
        """For each piece, the types in hand that can be dropped as it."""
        held = {self.number[code] for hand in self.variant.hands for code, _ in hand}
        held |= {kind for kind, free in enumerate(self.is_dropped_from_nowhere) if free}
        base = self.rules.captured_form == "base"
        pieces = range(1, self.wall)
        held |= {self.base[p] if base else (p - 1) >> 1 for p in pieces if not self.royal[p]}
        result: list[list[int]] = [[] for _ in range(self.wall)]
        for kind in sorted(held):
            for piece in (form for side in SIDES for form in self.pieces_dropped_for(kind, side)):
                result[piece].append(kind)
        return result

    def pieces_dropped_for(self, kind: int, side: int) -> tuple[int, ...]:
        """The pieces that one in hand can be put down as."""
        plain = 1 + 2 * kind + side
        if self.rules.drop_form == "base":
            return (plain,)
        return (plain, *self.own_promotions(plain))

    def _hand_kind_when_captured(self, piece: int) -> int:
        if self.rules.captured != "to-hand" or self.royal[piece]:
            return -1
        return self.base[piece] if self.rules.captured_form == "base" else (piece - 1) >> 1

    @cached_property
    def board_rays(self) -> list[list[list[int]]]:
        """For each square, the squares from it to the edge in each of eight directions."""
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        return [[self._board_ray(square, *step) for step in steps] for square in range(self.size)]

    def _board_ray(self, square: int, dx: int, dy: int) -> list[int]:
        """The squares in one direction from a square to the edge."""
        rank, file = divmod(square, self.files)
        along = {-1: file, 1: self.files - 1 - file}.get(dx, self.files)
        ahead = {-1: rank, 1: self.ranks - 1 - rank}.get(dy, self.ranks)
        step, length = dy * self.files + dx, min(along, ahead)
        return [square + step * count for count in range(1, length + 1)]

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """For each square, its neighbours."""
        return [sorted(ray[0] for ray in rays if ray) for rays in self.board_rays]

    @cached_property
    def wall_square_bits(self) -> tuple[int, int]:
        """For each side, the squares on which it may build a wall."""
        everywhere = (1 << self.size) - 1
        return self._optional_region(WALLS_REGION, 0, everywhere), self._optional_region(
            WALLS_REGION, 1, everywhere
        )

    @cached_property
    def opening_drop_square_bits(self) -> tuple[int, int]:
        """For each side, the squares that must be filled by the first drops."""
        return self._optional_region(OPENING_REGION, 0, 0), self._optional_region(
            OPENING_REGION, 1, 0
        )

    def _optional_region(self, name: str, side: int, otherwise: int) -> int:
        """The squares of a region that a game need not have."""
        known = any(region.name == name for region in self.variant.regions)
        return self.region_bits(name, side) if known else otherwise

    @cached_property
    def has_castling(self) -> bool:
        """Whether any piece castles."""
        return any(self.is_castler)

    @cached_property
    def piece_move_count_caps(self) -> list[int]:
        """For each piece, how many of its own moves matter; castling is not looked at.

        `UNLIMITED` where something is allowed on every k-th move.
        """
        return [0] + [self._piece_move_count_cap(p) for p in range(1, self.wall)]

    @cached_property
    def needs_move_counts(self) -> bool:
        """Whether anything depends on which pieces have moved."""
        return self.has_castling or any(self.piece_move_count_caps)

    @cached_property
    def turn_condition_period(self) -> int:
        """The period, in turns of a side, of moves that depend on the turn."""
        conditions = (each for kind in self.kinds for guard in kind.guards for each in guard)
        return lcm(*(each.value for each in conditions if each.kind == "turn"))

    @cached_property
    def checks_to_win(self) -> int:
        """How many checks a side must give to win by that alone, 0 where they are not counted."""
        return min((win.times for win in self.rules.win if win.how == "checks"), default=0)

    def extinction_groups(self, side: int) -> list[list[int]]:
        """The groups of piece types that extinction counts together.

        There are none where the rules do not ask, or ask for pieces of the other side only.
        """
        rule = self.rules.extinction
        if rule is None:
            return []
        if rule.what == ("all",):
            return [[*range(len(self.kinds))]]
        if rule.what == ("each",):
            begun = {piece for piece in self.starting.values() if (piece - 1) % 2 == side}
            return [[(piece - 1) >> 1] for piece in begun]
        numbers = [self.number[code] for code in rule.what]
        return [[number] for number in numbers if side in self.kinds[number].sides]

    @cached_property
    def is_dropped_from_nowhere(self) -> list[int]:
        """By piece type, whether it is dropped without being in hand."""
        free, droppable = self.rules.drops == "free", self.variant.droppable
        return [
            int(free and droppable(kind) and not self.royal[1 + 2 * number])
            for number, kind in enumerate(self.kinds)
        ]

    @cached_property
    def kind_and_dropped_piece_pairs(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """By side, the kinds in hand with each piece that is put down for one."""
        first, second = (
            [
                (kind, p)
                for kind in range(len(self.kinds))
                for p in self.pieces_dropped_for(kind, side)
            ]
            for side in SIDES
        )
        return first, second

    @cached_property
    def drop_rules(self) -> list[tuple[str, ...]]:
        """For each piece, the limits on its drops besides ranks and free squares (R2)."""
        result: list[tuple[str, ...]] = [()]
        placed = (
            self.rules.flip == "enclosed"
            or self.rules.drop_beside == "own"
            or any(self.opening_drop_square_bits)
        )
        coloured = any(each.per_colour for each in self.kinds)
        for kind in self.kinds:
            rules = {
                "file": kind.per_file and "drop" in kind.per_file_on,
                "drop-check": kind.drop_check != "free",
                # Where the first check wins, the game has ended before it is a mate.
                "drop-mate": kind.drop_mate == "barred" and self.checks_to_win != 1,
                "drop-place": placed,
                "drop-colour": coloured,
            }
            result += [tuple(code for code, holds in rules.items() if holds)] * len(SIDES)
        return result

    @cached_property
    def castling_partner_insets(self) -> list[tuple[int, ...]]:
        """For each piece that castles, how far in from the edge its partners stand."""
        result: list[tuple[int, ...]] = [()]
        for kind in self.kinds:
            conditions = [condition for guard in kind.guards for condition in guard]
            insets = tuple(sorted({c.inset for c in conditions if c.kind == "castle"}))
            result += [insets, insets]
        return result

    @cached_property
    def partners_if_castling_to_files(self) -> list[frozenset[int]]:
        """For each piece that castles to files of its own, the pieces that it castles with."""
        return [frozenset[int]()] + [
            frozenset(
                self.piece_number(code, side) for code in kind.castles_with if kind.castles_to
            )
            for kind in self.kinds
            for side in SIDES
        ]

    @cached_property
    def inset_castling_partners(self) -> list[frozenset[int]]:
        """For each piece that castles as its movement says, all its partners; none for any."""
        return [frozenset[int]()] + [
            frozenset(
                self.piece_number(code, side) for code in kind.castles_with if not kind.castles_to
            )
            for kind in self.kinds
            for side in SIDES
        ]

    def may_castle_with(self, piece: int, partner: int) -> bool:
        """Whether a piece castles with another one where its movement says so."""
        return (
            not self.inset_castling_partners[piece]
            or partner in self.inset_castling_partners[piece]
        )

    @cached_property
    def is_castler(self) -> list[bool]:
        """For each piece whether it castles."""
        both = zip(self.castling_partner_insets, self.partners_if_castling_to_files, strict=True)
        return [bool(insets or partners) for insets, partners in both]

    @cached_property
    def castlers_with_inset_partners(self) -> list[list[int]]:
        """By side, the pieces that castle with partners some files in from the edge."""
        return [
            [p for p in range(1 + s, self.wall, 2) if self.castling_partner_insets[p]]
            for s in SIDES
        ]

    @cached_property
    def castlers_to_own_files(self) -> list[list[int]]:
        """By side, the pieces that castle to files of their own."""
        return [
            [p for p in range(1 + s, self.wall, 2) if self.partners_if_castling_to_files[p]]
            for s in SIDES
        ]

    def gated_piece(self, engine_move: EngineMove) -> tuple[int, int] | None:
        """The square on which a move leaves a piece from the hand, and that piece."""
        if not engine_move.changes:
            return None
        left = (engine_move.origin, *engine_move.partner[:1])
        result = (
            each for each in engine_move.changes if each[0] in left and 0 < each[1] < self.wall
        )
        return next(result, None) if any(self.gates) else None

    def _piece_move_count_cap(self, piece: int) -> int:
        longest = int(self.gates[piece])
        for guard in self.kinds[(piece - 1) >> 1].guards:
            for condition in () if is_castling(guard) else guard:
                if condition.kind == "move":
                    longest = max(longest, condition.value)
                elif condition.kind == "every":
                    longest = UNLIMITED
        return longest

    def _traits(self, piece: int) -> PieceTraits:
        return self.traits_by_code[self.kinds[(piece - 1) >> 1].code]

    def table_sections(self, piece: int) -> tuple[TableSection, ...]:
        """The moves of a piece before they are cut to squares."""
        return tuple(part for section in self._move_sections(piece) for part in section.parts)

    def cached_by_moves(
        self, name: str, piece: int, make: Callable[[tuple[TableSection, ...]], T]
    ) -> T:
        """What is made of the moves of a piece, once for all pieces that move alike."""
        parts = self.table_sections(piece)
        known: dict[tuple[int, ...], T] = self.cache.setdefault(name, {})
        # The parts are kept as long as this is, so their numbers stay theirs.
        key = tuple(map(id, parts))
        if key not in known:
            known[key] = make(parts)
        return known[key]

    @cached_property
    def iron_against(self) -> list[frozenset[int]]:
        """For each piece the kinds that cannot capture it."""
        return [frozenset()] + [
            frozenset(self.number[code] for code in self._traits(p).iron_against)
            | self._blocked_en_passant_capturers(p)
            for p in range(1, self.wall)
        ]

    @cached_property
    def has_iron(self) -> bool:
        """Whether there is a piece that another one cannot capture, though it goes there."""
        return any(self.iron_against)

    def leaves_ep_squares(self, piece: int) -> bool:
        """Whether some move of a piece leaves a trail."""
        return any(
            each.kind == "trail" for part in self.table_sections(piece) for each in part.guard
        )

    def _blocked_en_passant_capturers(self, piece: int) -> frozenset[int]:
        """The types that capture this piece en passant though it blocks them."""
        code = self.kinds[(piece - 1) >> 1].code
        return frozenset(
            number
            for number in self._blocked_kinds_by_blocker.get(code, ())
            if captures_en_passant(self.table_sections(1 + 2 * number))
        )

    @cached_property
    def _blocked_kinds_by_blocker(self) -> dict[str, list[int]]:
        """The kinds that each one blocks, by its code."""
        result: dict[str, list[int]] = {}
        for number, kind in enumerate(self.kinds):
            for code in kind.blocked_by:
                result.setdefault(code, []).append(number)
        return result

    @cached_property
    def square_classes_by_piece(self) -> list[list[int]]:
        """What each piece sees on a square, by what stands there."""
        classes = [self._square_classes(side) for side in SIDES]
        return [
            classes[0],
            *(self._square_classes_seen_by(kind, each) for kind in self.kinds for each in classes),
        ]

    def _square_classes(self, side: int) -> list[int]:
        enemies = [ROYAL if royal else ENEMY for royal in self.royal]
        standing = [FRIEND if (p - 1) % 2 == side else enemies[p] for p in range(1, self.wall)]
        # A wall is in the way of both sides, as a piece of one's own is.
        return [VACANT, *standing, FRIEND]

    def _square_classes_seen_by(self, kind: PieceType, classes: list[int]) -> list[int]:
        """The square classes of a side as a type sees them; its blockers have none."""
        blocked = {self.piece_number(code, each) for code in kind.blocked_by for each in SIDES}
        return [0 if p in blocked else each for p, each in enumerate(classes)]

    def _possible_promotions(
        self, piece: int, origin: int, target: int, *, captures: bool
    ) -> tuple[int, ...]:
        promotion = self._traits(piece).promotion
        side = (piece - 1) % 2
        if promotion.mode == "apart":
            return (piece,)
        if not promotion.codes or not self._must_or_may_promote(
            piece, origin, target, captures=captures
        ):
            return (piece,)
        forms = tuple(self.piece_number(code, side) for code in promotion.codes)
        stuck = promotion.mode == "stuck" and self.never_moves_from(piece, target)
        every = forms if promotion.mode == "forced" or stuck else (piece, *forms)
        return tuple(dict.fromkeys(every))

    def _must_or_may_promote(self, piece: int, origin: int, target: int, *, captures: bool) -> bool:
        promotion = self._traits(piece).promotion
        if promotion.by is not None:
            return self._has_move(
                promotion.by, (piece - 1) % 2, (origin, target), captures=captures
            )
        zone = self.promoting[piece]
        if promotion.from_rank == ENTERING_ZONE:
            return zone[target]
        if promotion.from_rank:
            return self._reaches_promotion_rank(piece, target)
        promotes = {
            "touches": zone[origin] or zone[target],
            "ends": zone[target],
            "captures": captures,
            "always": True,
        }
        result = promotes.get(self.rules.promotion_when)
        if result is None:
            return self._promotes_by_entering(piece, origin, target, captures=captures)
        return result

    def _promotes_by_entering(
        self, piece: int, origin: int, target: int, *, captures: bool
    ) -> bool:
        zone = self.promoting[piece]
        if captures or not zone[target]:
            return captures and (zone[origin] or zone[target])
        return not zone[origin] or self.never_moves_from(piece, target)

    def _reaches_promotion_rank(self, piece: int, square: int) -> bool:
        farthest = abs(self.footprints.steps[piece][-1][1])
        rank = self.relative_rank(square, (piece - 1) % 2) + farthest
        return rank >= self._traits(piece).promotion.from_rank

    def square_sets_alike_in_promotion(self, piece: int) -> list[int]:
        """Sets of squares: what a piece promotes to depends on which its origin and target are in.

        Each square is in one of them.
        """
        if self.never_promotes(piece):
            return [(1 << self.size) - 1]
        if self._traits(piece).promotion.by is not None:
            return self.bits
        result: dict[tuple[bool, bool, bool], int] = {}
        for square, bit in enumerate(self.bits):
            alike = (
                self.promoting[piece][square],
                self._reaches_promotion_rank(piece, square),
                self.never_moves_from(piece, square),
            )
            result[alike] = result.get(alike, 0) | bit
        return [*result.values()]

    def _has_move(
        self, moves: Meaning, side: int, origin_and_target: tuple[int, int], *, captures: bool
    ) -> bool:
        """Whether some moves have one from a square to another, with a capture there or without."""
        origin, target = (
            square_seen_by(side, self.file_and_rank(each), self.files, self.ranks)
            for each in origin_and_target
        )
        scene = BoardContext(self.files, self.ranks, origin, {target: ENEMY} if captures else {})
        to = (target[0] - origin[0], target[1] - origin[1])
        result = moves_in_context(moves, scene)
        return any(move.to == to and bool(move.captures) == captures for move in result)

    def never_moves_from(self, piece: int, square: int) -> bool:
        """Whether a piece has no move from a square on any board."""
        squares = self.cached_value(
            f"squares with moves of {piece}", lambda: self._squares_with_moves(piece)
        )
        return not squares & self.bits[square]

    def _squares_with_moves(self, piece: int) -> int:
        """The squares from which a piece has a move on some board."""
        result = 0
        for each in self.move_origins(piece):
            if all(condition.kind != "move" for condition in each.section.guard):
                result |= each.starts
        return result


_CACHED_VARIANTS = 8
_COMPILED: dict[object, CompiledVariant] = {}
# The last variants asked about, by identity; each is kept alive, so that its id stays its own.
_COMPILED_BY_ID: dict[int, tuple[Variant, CompiledVariant]] = {}


def _without_en_passant_squares(meaning: Meaning) -> Meaning:
    """Moves that leave no trail, for a game in which no piece could follow it."""
    parts = meaning.parts
    guards = (tuple([each for each in part.guard if each.kind != "trail"]) for part in parts)
    return Meaning(tuple(map(GuardedAutomaton, guards, (part.automaton for part in parts))))


def captures_en_passant(parts: tuple[TableSection, ...]) -> bool:
    """Whether a capture among some moves may be one en passant."""
    return any(
        trace.takes_trail
        for layout in parts
        if layout.trie
        for trace in layout.trie.traces.values()
    )


def compile_variant(variant: Variant) -> CompiledVariant:
    """The compiled variant, shared by equal variants.

    Pieces are compared by their meanings, so a file that is loaded again, a record and a pickle
    find the plan that is there.
    """
    result = _COMPILED_BY_ID.get(id(variant))
    if result is not None:
        return result[1]
    identity = _variant_key(variant)
    compiled = _COMPILED.get(identity)
    if compiled is None:
        compiled = CompiledVariant(variant)
        _drop_oldest_entry(_COMPILED)
        _COMPILED[identity] = compiled
    _drop_oldest_entry(_COMPILED_BY_ID)
    _COMPILED_BY_ID[id(variant)] = variant, compiled
    return compiled


def _variant_key(variant: Variant) -> object:
    """The contents of a variant as a key, with meanings for pieces."""
    kinds = [
        (
            *[getattr(kind, name) for name in _KIND_FIELDS],
            kind.meaning,
            tuple([(each.piece.meaning, *each[1:]) for each in kind.further]),
        )
        for kind in variant.kinds
    ]
    return (*[getattr(variant, name) for name in _VARIANT_FIELDS], tuple(kinds))


_KIND_FIELDS = [each.name for each in fields(PieceType) if each.name not in ("piece", "further")]
_VARIANT_FIELDS = [each.name for each in fields(Variant) if each.name not in ("kinds", "moves")]


def _drop_oldest_entry(cache: dict[Any, Any]) -> None:
    """Drop the oldest entry of a full cache; safe with other threads."""
    while len(cache) >= _CACHED_VARIANTS:
        cache.pop(next(iter(cache)), None)

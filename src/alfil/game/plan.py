"""A game laid out in numbers, made once and shared by all positions of it.

A piece is the number 1 + 2 × kind + side, an empty square 0. ``wall``, the number after
the last piece, stands on squares that are walled up, or are none.

Move tables are cut to a square when a piece first stands on it (`alfil.game.patches`), so that a
large board costs only what is played on it. What pieces take up is known from `alfil.game.bodies`,
what they are beside their moves from `alfil.game.natures`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cached_property
from math import lcm
from threading import RLock
from typing import Any, TypeVar

from alfil.frozen import NamedTuple
from alfil.game.bodies import Bodies
from alfil.game.natures import INTO_ZONE, Nature, natures
from alfil.game.patches import Manner, Patch, clip, within
from alfil.game.variant import OPENING, WALLS, ZONE, Area, Kind, Variant
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
from alfil.meaning.piece import TRACED, Fact, Meaning, Part
from alfil.meaning.placing import SETTLED, Place, placed
from alfil.squares import Square, name_on
from alfil.tables.scene import Scene
from alfil.tables.table import CLASS_MASK, Section, sections_of
from alfil.tables.walking import moves_in

# So many moves of a game are remembered, those that users have seen and what they come to.
MOVES_KEPT = 50_000

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class Bounded(dict[K, V]):
    """What was worked out before; all is forgotten where there would be more than ``most``.

    >>> found = Bounded(2)
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


_WAYS = tuple(enumerate(((0, 1), (1, 0), (0, -1), (-1, 0)), 1))
# How a royal piece strikes another one along an open line, where they may not face each other.
_LOOKS = tuple((x, y, 0, ON_ROYAL, ((PAST_EMPTY, way),)) for way, (x, y) in _WAYS)
FACING = Meaning((Part((), Automaton((_LOOKS, *((look,) for look in _LOOKS)))),))

# A move that changes nothing.
PASS = Meaning((Part((), Automaton((((0, 0, 0, ON_EMPTY, ()),),))),))


SIDES = (0, 1)
UNLIMITED = 10**9


# Instead of a count of the moves a piece has made: it has moved, or it was put down on a square
# where one like it began, so that it may do what an unmoved piece may, but nothing castles with it.
UNKNOWN, DROPPED = -1, -2


class Act(NamedTuple):
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
    trail: tuple[int, ...] = ()
    changes: tuple[tuple[int, int], ...] = ()


def squares_in(bits: int) -> list[int]:
    """The squares of a set, in order.

    >>> squares_in(0b1011)
    [0, 1, 3]
    """
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def holds(fact: Fact) -> bool:
    """Whether an effect holds pieces one by one, so that it matters who came into whose range."""
    return fact.name == "immobilises" and fact.values[2:] != ("always", 0)


def range_of(fact: Fact) -> Meaning:
    """The moves by which an effect reaches others."""
    reach = fact.values[0]
    assert isinstance(reach, Meaning)
    return reach


class Plan:
    """What the rules of a game come to for each piece and square."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.rules = variant.rules
        self.files, self.ranks = variant.files, variant.ranks
        self.size = variant.files * variant.ranks
        self.kinds = variant.kinds
        self.natures = natures(variant)
        self._en_passant = variant.en_passant
        self.number = {kind.code: index for index, kind in enumerate(self.kinds)}
        self.pieces = 2 * len(self.kinds)
        # What stands on a square that is walled up, or is none; and on one that a piece takes up
        # whose own square is another one.
        self.wall = self.pieces + 1
        self.cover = self.wall + 1
        self.bodies = Bodies(self.kinds, self.files, self.ranks)
        self.codes = [""] + [kind.code for kind in self.kinds for _ in SIDES]
        self.survive = [""] + [self._nature(p).survive for p in range(1, self.wall)]
        self.royal = [bool(each) for each in self.survive]
        self.royal_pieces = [
            [p for p in range(1 + s, self.wall, 2) if self.royal[p]] for s in SIDES
        ]
        self.base = [0] + [self.number[kind.base] for kind in self.kinds for _ in SIDES]
        # The kind that each piece is in its captor's hand, -1 for none: a royal ends the game.
        self.held = [-1] + [self._held(piece) for piece in range(1, self.wall)]
        self.bits = [1 << square for square in range(self.size)]
        self._areas: dict[tuple[Area, int], int] = {}
        self.holes = sum(self.bits[self.square(at)] for at in variant.walls)
        # By what stands on a square: which explosions take it, and whether it turns to stone.
        standing = [kind.blast for kind in self.kinds for _ in SIDES]
        self.blast = ["never", *standing, "never"]
        self.petrifies = [False] + [kind.petrifies for kind in self.kinds for _ in SIDES]
        self.gates = [False] + [kind.gates for kind in self.kinds for _ in SIDES]
        rules = self.rules
        # By piece, whether it passes where it stays and captures nothing, by the rules of the game.
        self.passing = [
            rules.passes == "stuck" or (rules.passes == "allowed" and each) for each in self.royal
        ]
        self.walled = bool(self.holes or rules.wall != "none" or any(self.petrifies))
        # Whether moves change more than what moves and what is captured, or walls stand in the way.
        self.effects = [()] + [self._nature(p).effects for p in range(1, self.wall)]
        effects = [fact for each in self.effects for fact in each]
        self.burning = any(fact.name != "immobilises" for fact in effects)
        self.freezing = any(fact.name == "immobilises" for fact in effects)
        self.holding = any(holds(fact) for fact in effects)
        self.special = bool(
            self.walled or effects or rules.explosion != "none" or rules.flip != "none"
        ) or any(self.gates)
        self.zone = [self._is_in(ZONE, side) for side in SIDES]
        # By piece: where it may stand, by its own square, and where it promotes.
        self.room = [0] + [self._room(piece) for piece in range(1, self.wall)]
        self.promoting = [self.zone[0]] + [self._promoting(p) for p in range(1, self.wall)]
        # The most of each piece on a file that a move onto it must respect, 0 for no limit.
        self.file_limit = [0] + [
            kind.per_file if "move" in kind.per_file_on else 0 for kind in self.kinds for _ in SIDES
        ]
        self.starting = {
            self.square(each.square): self.piece(each.code, each.side) for each in variant.setup
        }
        # The most of each piece that others may promote to, 0 for no limit.
        self.side_limit = [0] + [kind.per_side for kind in self.kinds for _ in SIDES]
        # The squares of either colour, as on a chess board.
        self.colours = [
            sum(bit for s, bit in enumerate(self.bits) if sum(self.at(s)) % 2 == each)
            for each in (0, 1)
        ]
        # By piece: the squares it stands on in the starting position.
        self.begun = [0] * self.wall
        for square, piece in self.starting.items():
            self.begun[piece] |= self.bits[square]
        # What other modules work out for all positions of this game, by their names for it.
        self.kept: dict[str, Any] = {}
        self._lock = RLock()
        # Every move that was written or found compiled, so that equal ones are one object.
        self._acts: Bounded[Act, Act] = Bounded(MOVES_KEPT)
        self._layouts: dict[int, tuple[Manner, ...]] = {}
        self._patches: dict[int, tuple[Patch, ...]] = {}
        self._promotions: Bounded[tuple[int, int, int, bool], tuple[int, ...]] = Bounded(MOVES_KEPT)
        self._drops: dict[int, tuple[int, ...]] = {}

    def is_pass(self, act: Act) -> bool:
        """Whether a move is a pass, which changes nothing, and is no move of its piece."""
        stays = act.origin == act.target and act.becomes == act.piece
        return stays and self.passing[act.piece] and not act.captures and not act.partner

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What is kept under a name, made the first time; what others share is there only once."""
        found: T | None = self.kept.get(name)
        if found is None:
            with self._lock:
                found = self.kept.get(name)
                if found is None:
                    found = self.kept[name] = make()
        return found

    def same(self, act: Act) -> Act:
        """The move that is equal to this one and was asked for before."""
        found = self._acts.get(act)
        if found is None:
            found = self._acts[act] = act
        return found

    def square(self, at: Square) -> int:
        """The number of a square."""
        return at[1] * self.files + at[0]

    def at(self, square: int) -> Square:
        """The file and rank of a square."""
        rank, file = divmod(square, self.files)
        return (file, rank)

    def name(self, square: int) -> str:
        """The name of a square, as texts of this game have it."""
        return name_on(self.at(square), self.files, self.ranks, self.rules.coordinates)

    def piece(self, code: str, side: int) -> int:
        """The piece with this code of one side."""
        return 1 + 2 * self.number[code] + side

    def owner_rank(self, square: int, side: int) -> int:
        """The rank of a square counted from one side's back rank, from 1."""
        rank = square // self.files
        return self.ranks - rank if side else rank + 1

    def area(self, area: Area, side: int) -> int:
        """The set of squares of an area of one side."""
        found = self._areas.get((area, side))
        if found is None:
            squares = self.variant.squares(area, side)
            found = self._areas[area, side] = sum(self.bits[self.square(at)] for at in squares)
        return found

    def goals(self, side: int) -> int:
        """The own squares on which the piece that has a goal has reached it."""
        goal = self.rules.goal
        if goal is None:
            return 0
        return self.bodies.touching(self.piece(goal.code, side), self.area(goal.area, side))

    def _promoting(self, piece: int) -> list[bool]:
        kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
        if not (kind.promotes_in or self.bodies.large[piece]):
            return self.zone[side]
        there = self.bodies.touching(piece, self.area(kind.promotes_in or ZONE, side))
        return [bool(there & bit) for bit in self.bits]

    def _is_in(self, area: Area, side: int) -> list[bool]:
        """For each square whether it is in an area of one side."""
        there = self.area(area, side)
        return [bool(there & bit) for bit in self.bits]

    def _room(self, piece: int) -> int:
        """The squares on which a piece may stand."""
        kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
        found = self.area(kind.within, side) if kind.within else (1 << self.size) - 1
        found = found & ~self.area(kind.outside, side) if kind.outside else found
        return self.bodies.inside(piece, found)

    def patches(self, piece: int, square: int) -> tuple[Patch, ...]:
        """What a piece on a square may do, part by part."""
        key = piece * self.size + square
        found = self._patches.get(key)
        if found is None:
            at, field, second = self.at(square), self.bodies.field(piece), piece % 2 == 0
            found = tuple(
                within(clip(part, at, field, second=second), manner)
                for manner in self._manners(piece)
                if manner.starts & self.bits[square]
                for section in manner.parts
                for part in self.placed(section, piece, square)
            )
            self._patches[key] = found
        return found

    def placed(self, section: Section, piece: int, square: int) -> tuple[Section, ...]:
        """A part of a piece's moves as it is on one square."""
        if all(condition.kind not in SETTLED for condition in section.guard):
            return (section,)
        (file, rank), side = self.at(square), (piece - 1) % 2
        mine = (self.files - 1 - file, self.ranks - 1 - rank) if side else (file, rank)
        own = not self.begun[piece] or bool(self.begun[piece] & self.colours[(file + rank) % 2])
        field = self.bodies.field(piece)
        place = Place(mine, field.files, field.ranks, bool(side), own)
        part = Part(section.guard, section.automaton)
        return self.sections(placed(Meaning((part,)), place), piece)

    def _manners(self, piece: int) -> tuple[Manner, ...]:
        """How a piece moves everywhere, and how on some squares only."""
        found = self._layouts.get(piece)
        if found is None:
            kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
            room, everywhere = self.room[piece], (1 << self.size) - 1
            parts = self._parts(piece)
            found = (Manner(parts[0], everywhere, room),)
            for own, each in zip(parts[1:], kind.further, strict=False):
                starts, ends = (
                    everywhere if area is None else self.bodies.inside(piece, self.area(area, side))
                    for area in (each.start, each.end)
                )
                found += (Manner(own, starts, room & ends, each.unchecked),)
            found += tuple(Manner(own, everywhere, everywhere) for own in parts[len(found) :])
            self._layouts[piece] = found
        return found

    def _parts(self, piece: int) -> list[tuple[Section, ...]]:
        """What a piece does everywhere, what on some squares only, and what as a royal piece.

        The second side's pieces do what the first side's do, turned half around.
        """
        if piece % 2 == 0:
            return [tuple([each.turned() for each in m.parts]) for m in self._manners(piece - 1)]
        rules, meanings = self.rules, [*self.kinds[(piece - 1) >> 1].meanings]
        if self.royal[piece] and rules.facing == "barred":
            meanings.append(FACING)
        if self.royal[piece] and rules.passes == "allowed":
            meanings.append(PASS)
        return [self.sections(meaning, piece) for meaning in meanings]

    def sections(self, meaning: Meaning, piece: int) -> tuple[Section, ...]:
        """Moves of a piece before they are cut to squares."""
        field = self.bodies.field(piece)
        return sections_of(
            meaning.without_facts() if self._en_passant else _without_trail(meaning),
            field.files,
            field.ranks,
            second=piece % 2 == 0,
            tracing=TRACED | {"castle"},
            walked=frozenset({"greedy"}),
        )

    def third_rank(self, piece: int, square: int) -> bool:
        """Whether the square straight behind held the same piece in the starting position."""
        behind = square + self.files if (piece - 1) % 2 else square - self.files
        return self.starting.get(behind) == piece

    def becomes(self, piece: int, origin: int, target: int, *, captures: bool) -> tuple[int, ...]:
        """What a piece may be after a move, itself first where it may stay as it is."""
        key = (piece, origin, target, captures)
        found = self._promotions.get(key)
        if found is None:
            found = self._becomes(piece, origin, target, captures=captures)
            self._promotions[key] = found
        return found

    @cached_property
    def apart(self) -> list[bool]:
        """For each piece, whether it promotes with moves of its own."""
        pieces = range(1, self.wall)
        return [False] + [self._nature(piece).promotion.mode == "apart" for piece in pieces]

    def forms(self, piece: int) -> tuple[int, ...]:
        """All that a piece may ever become by promotion."""
        side = (piece - 1) % 2
        return tuple(self.piece(code, side) for code in self._nature(piece).promotion.codes)

    def drop_room(self, piece: int) -> int:
        """The set of the squares that `drop_squares` lists."""
        kind, side = self.kinds[(piece - 1) >> 1], (piece - 1) % 2
        room = self.room[piece] & self.bodies.inside(
            piece, self.area(kind.drop_ranks or (1, 0), side)
        )
        return (
            room & self.bodies.inside(piece, self.area(kind.drop_in, side))
            if kind.drop_in
            else room
        )

    def drop_squares(self, piece: int) -> tuple[int, ...]:
        """The squares a piece may be dropped on if they are free, whatever stands elsewhere."""
        found = self._drops.get(piece)
        if found is None:
            found = self._drops[piece] = tuple(squares_in(self.drop_room(piece)))
        return found

    @cached_property
    def drop_sources(self) -> list[list[int]]:
        """For each piece the kinds that may be in hand and put down as it."""
        held = {self.number[code] for hand in self.variant.hands for code, _ in hand}
        base = self.rules.captured_form == "base"
        pieces = range(1, self.wall)
        held |= {self.base[p] if base else (p - 1) >> 1 for p in pieces if not self.royal[p]}
        found: list[list[int]] = [[] for _ in range(self.wall)]
        for kind in sorted(held):
            for piece in (form for side in SIDES for form in self.drop_forms(kind, side)):
                found[piece].append(kind)
        return found

    def drop_forms(self, kind: int, side: int) -> tuple[int, ...]:
        """The pieces that one in hand can be put down as."""
        plain = 1 + 2 * kind + side
        if self.rules.drop_form == "base":
            return (plain,)
        return (plain, *self.forms(plain))

    def _held(self, piece: int) -> int:
        if self.rules.captured != "to-hand" or self.royal[piece]:
            return -1
        return self.base[piece] if self.rules.captured_form == "base" else (piece - 1) >> 1

    @cached_property
    def rays(self) -> list[list[list[int]]]:
        """For each square, the squares from it to the edge in each of eight directions."""
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        return [[self._ray(square, *step) for step in steps] for square in range(self.size)]

    def _ray(self, square: int, dx: int, dy: int) -> list[int]:
        """The squares in one direction from a square to the edge."""
        rank, file = divmod(square, self.files)
        along = {-1: file, 1: self.files - 1 - file}.get(dx, self.files)
        ahead = {-1: rank, 1: self.ranks - 1 - rank}.get(dy, self.ranks)
        step, length = dy * self.files + dx, min(along, ahead)
        return [*range(square + step, square + step * (length + 1), step)]

    @cached_property
    def around(self) -> list[list[int]]:
        """For each square, its neighbours."""
        return [sorted(ray[0] for ray in rays if ray) for rays in self.rays]

    @cached_property
    def may_wall(self) -> tuple[int, int]:
        """For each side, the squares on which it may build a wall."""
        everywhere = (1 << self.size) - 1
        return self._region(WALLS, 0, everywhere), self._region(WALLS, 1, everywhere)

    @cached_property
    def opening(self) -> tuple[int, int]:
        """For each side, the squares that are filled before pieces are dropped elsewhere."""
        return self._region(OPENING, 0, 0), self._region(OPENING, 1, 0)

    def _region(self, name: str, side: int, otherwise: int) -> int:
        """The squares of a region that a game need not have."""
        known = any(region.name == name for region in self.variant.regions)
        return self.area(name, side) if known else otherwise

    @cached_property
    def castles(self) -> bool:
        """Whether anything castles, so that it matters which pieces have not moved."""
        return any(self.castling)

    @cached_property
    def count_limits(self) -> list[int]:
        """For each piece, how many of its own moves matter; castling is not looked at.

        `UNLIMITED` where something is allowed on every k-th move.
        """
        return [0] + [self._count_limit(p) for p in range(1, self.wall)]

    @cached_property
    def remembers(self) -> bool:
        """Whether anything depends on which pieces have moved."""
        return self.castles or any(self.count_limits)

    @cached_property
    def round(self) -> int:
        """After how many turns of a side the moves on set turns are the same again."""
        conditions = (each for kind in self.kinds for guard in kind.guards for each in guard)
        return lcm(*(each.value for each in conditions if each.kind == "turn"))

    @cached_property
    def checks_to_win(self) -> int:
        """How many checks a side must give to win by that alone, 0 where they are not counted."""
        return min((win.times for win in self.rules.win if win.how == "checks"), default=0)

    def sorts(self, side: int) -> list[list[int]]:
        """The kinds of a side's pieces that are counted together to know whether too few are left.

        There are none where the rules do not ask.
        """
        rule = self.rules.extinction
        if rule is None:
            return []
        if rule.what == ("all",):
            return [[*range(len(self.kinds))]]
        if rule.what == ("each",):
            begun = {piece for piece in self.starting.values() if (piece - 1) % 2 == side}
            return [[(piece - 1) >> 1] for piece in begun]
        return [[self.number[code]] for code in rule.what]

    @cached_property
    def has_hands(self) -> bool:
        """Whether anything can ever be in hand."""
        rules = self.rules
        return rules.captured == "to-hand" or rules.drops == "yes" or any(self.variant.hands)

    @cached_property
    def endless(self) -> list[int]:
        """By kind, whether pieces of it are dropped that are in no hand."""
        free, droppable = self.rules.drops == "free", self.variant.droppable
        return [
            int(free and droppable(kind) and not self.royal[1 + 2 * number])
            for number, kind in enumerate(self.kinds)
        ]

    @cached_property
    def droppable(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """By side, the kinds in hand with each piece that is put down for one."""
        first, second = (
            [(kind, p) for kind in range(len(self.kinds)) for p in self.drop_forms(kind, side)]
            for side in SIDES
        )
        return first, second

    @cached_property
    def drop_rules(self) -> list[tuple[str, ...]]:
        """For each piece, what more than ranks and free squares limits its drops (R2)."""
        found: list[tuple[str, ...]] = [()]
        for kind in self.kinds:
            rules = {
                "file": kind.per_file and "drop" in kind.per_file_on,
                "drop-check": kind.drop_check != "free",
                # Where the first check wins, the game has ended before it is a mate.
                "drop-mate": kind.drop_mate == "barred" and self.checks_to_win != 1,
                "drop-place": self.rules.flip == "enclosed"
                or self.rules.drop_beside == "own"
                or any(self.opening),
                "drop-colour": any(each.per_colour for each in self.kinds),
            }
            found += [tuple(code for code, holds in rules.items() if holds)] * len(SIDES)
        return found

    @cached_property
    def castle_insets(self) -> list[tuple[int, ...]]:
        """For each piece that castles, how far in from the edge its partners stand."""
        found: list[tuple[int, ...]] = [()]
        for kind in self.kinds:
            conditions = [condition for guard in kind.guards for condition in guard]
            insets = tuple(sorted({c.inset for c in conditions if c.kind == "castle"}))
            found += [insets, insets]
        return found

    @cached_property
    def partners(self) -> list[frozenset[int]]:
        """For each piece that castles to files of its own, the pieces that it castles with."""
        return [frozenset[int]()] + [
            frozenset(self.piece(code, side) for code in kind.castles_with if kind.castles_to)
            for kind in self.kinds
            for side in SIDES
        ]

    @cached_property
    def castles_only(self) -> list[frozenset[int]]:
        """For each piece that castles as its movement says, all its partners; none for any."""
        return [frozenset[int]()] + [
            frozenset(self.piece(code, side) for code in kind.castles_with if not kind.castles_to)
            for kind in self.kinds
            for side in SIDES
        ]

    def may_be_partner(self, piece: int, other: int) -> bool:
        """Whether a piece castles with another one where its movement says so."""
        return not self.castles_only[piece] or other in self.castles_only[piece]

    @cached_property
    def castling(self) -> list[bool]:
        """For each piece whether it castles."""
        both = zip(self.castle_insets, self.partners, strict=True)
        return [bool(insets or partners) for insets, partners in both]

    @cached_property
    def castling_inwards(self) -> list[list[int]]:
        """By side, the pieces that castle with partners some files in from the edge."""
        return [[p for p in range(1 + s, self.wall, 2) if self.castle_insets[p]] for s in SIDES]

    @cached_property
    def castling_to_files(self) -> list[list[int]]:
        """By side, the pieces that castle to files of their own."""
        return [[p for p in range(1 + s, self.wall, 2) if self.partners[p]] for s in SIDES]

    def gate_of(self, act: Act) -> tuple[int, int] | None:
        """The square on which a move leaves a piece from the hand, and that piece."""
        if not act.changes:
            return None
        left = (act.origin, *act.partner[:1])
        found = (each for each in act.changes if each[0] in left and 0 < each[1] < self.wall)
        return next(found, None) if any(self.gates) else None

    def _count_limit(self, piece: int) -> int:
        longest = int(self.gates[piece])
        for guard in self.kinds[(piece - 1) >> 1].guards:
            castling = any(condition.kind == "castle" for condition in guard)
            for condition in () if castling else guard:
                if condition.kind == "move":
                    longest = max(longest, condition.value)
                elif condition.kind == "every":
                    longest = UNLIMITED
        return longest

    def _nature(self, piece: int) -> Nature:
        return self.natures[self.kinds[(piece - 1) >> 1].code]

    def parts(self, piece: int) -> tuple[Section, ...]:
        """The moves of a piece before they are cut to squares."""
        return tuple(part for manner in self._manners(piece) for part in manner.parts)

    @cached_property
    def barred(self) -> list[frozenset[int]]:
        """For each piece the kinds that cannot capture it."""
        return [frozenset()] + [
            frozenset(self.number[code] for code in self._nature(p).barred) | self._blocked(p)
            for p in range(1, self.wall)
        ]

    @cached_property
    def iron(self) -> bool:
        """Whether there is a piece that another one cannot capture, though it goes there."""
        return any(self.barred)

    def leaves_trail(self, piece: int) -> bool:
        """Whether some move of a piece leaves a trail."""
        return any(each.kind == "trail" for part in self.parts(piece) for each in part.guard)

    def _blocked(self, piece: int) -> frozenset[int]:
        """The kinds that take en passant what they see nowhere, such as this piece."""
        code = self.kinds[(piece - 1) >> 1].code
        return frozenset(
            number
            for number, kind in enumerate(self.kinds)
            if code in kind.blocked_by and uses_trail(self.parts(1 + 2 * number))
        )

    @cached_property
    def views(self) -> list[list[int]]:
        """What each piece sees on a square, by what stands there."""
        classes = [self._classes(side) for side in SIDES]
        return [classes[0], *(self._view(kind, each) for kind in self.kinds for each in classes)]

    def _classes(self, side: int) -> list[int]:
        enemies = [ROYAL if royal else ENEMY for royal in self.royal]
        standing = [FRIEND if (p - 1) % 2 == side else enemies[p] for p in range(1, self.wall)]
        # A wall is in the way of both sides, as a piece of one's own is.
        return [VACANT, *standing, FRIEND]

    def _view(self, kind: Kind, classes: list[int]) -> list[int]:
        """The classes of a side as a kind sees them: what it is blocked by is of none."""
        blocked = {self.piece(code, each) for code in kind.blocked_by for each in SIDES}
        return [0 if p in blocked else each for p, each in enumerate(classes)]

    def _becomes(self, piece: int, origin: int, target: int, *, captures: bool) -> tuple[int, ...]:
        promotion = self._nature(piece).promotion
        side = (piece - 1) % 2
        if promotion.mode == "apart":
            return (piece,)
        if not promotion.codes or not self._promotes(piece, origin, target, captures=captures):
            return (piece,)
        forms = tuple(self.piece(code, side) for code in promotion.codes)
        stuck = promotion.mode == "stuck" and self.is_stuck(piece, target)
        every = forms if promotion.mode == "forced" or stuck else (piece, *forms)
        return tuple(dict.fromkeys(every))

    def _promotes(self, piece: int, origin: int, target: int, *, captures: bool) -> bool:
        promotion = self._nature(piece).promotion
        if promotion.by is not None:
            return self._is_move(promotion.by, (piece - 1) % 2, (origin, target), captures=captures)
        from_rank = promotion.from_rank
        zone = self.promoting[piece]
        if from_rank == INTO_ZONE:
            return zone[target]
        if from_rank:
            farthest = abs(self.bodies.steps[piece][-1][1])
            return self.owner_rank(target, (piece - 1) % 2) + farthest >= from_rank
        promotes = {
            "touches": zone[origin] or zone[target],
            "ends": zone[target],
            "captures": captures,
            "always": True,
        }
        return promotes[self.rules.promotion_when]

    def _is_move(self, moves: Meaning, side: int, way: tuple[int, int], *, captures: bool) -> bool:
        """Whether some moves have one from a square to another, with a capture there or without."""
        ranks = self.ranks - 1
        origin, target = (
            (self.files - 1 - file, ranks - rank) if side else (file, rank)
            for file, rank in map(self.at, way)
        )
        scene = Scene(self.files, self.ranks, origin, {target: ENEMY} if captures else {})
        to = (target[0] - origin[0], target[1] - origin[1])
        found = moves_in(moves, scene)
        return any(move.to == to and bool(move.captures) == captures for move in found)

    def is_stuck(self, piece: int, square: int) -> bool:
        """Whether a piece could never move from a square, whatever stood around it."""
        return not any(
            patch.automaton or any(word & CLASS_MASK for word in patch.nodes)
            for patch in self.patches(piece, square)
            if all(condition.kind != "move" for condition in patch.guard)
        )


_PLANS_KEPT = 8
_PLANS: dict[object, Plan] = {}
# The last variants asked about, by identity; each is kept alive, so that its id stays its own.
_VARIANTS: dict[int, tuple[Variant, Plan]] = {}


def _without_trail(meaning: Meaning) -> Meaning:
    """Moves that leave no trail, for a game in which no piece could follow it."""
    parts = meaning.parts
    guards = (tuple([each for each in part.guard if each.kind != "trail"]) for part in parts)
    return Meaning(tuple(map(Part, guards, (part.automaton for part in parts))))


def uses_trail(parts: tuple[Section, ...]) -> bool:
    """Whether a capture among some moves may be one en passant."""
    return any(
        trace.takes_trail
        for layout in parts
        if layout.trie
        for trace in layout.trie.traces.values()
    )


def plan_of(variant: Variant) -> Plan:
    """The plan of a game, shared by all variants that say the same.

    Pieces are compared by their meanings, so a file that is loaded again, a record and a pickle
    find the plan that is there.
    """
    found = _VARIANTS.get(id(variant))
    if found is not None:
        return found[1]
    said = _said(variant)
    plan = _PLANS.get(said)
    if plan is None:
        plan = Plan(variant)
        _room_in(_PLANS)
        _PLANS[said] = plan
    _room_in(_VARIANTS)
    _VARIANTS[id(variant)] = variant, plan
    return plan


def _said(variant: Variant) -> object:
    """All that a variant says, with meanings in place of pieces."""
    kinds = [
        (
            *[getattr(kind, name) for name in _KIND_FIELDS],
            kind.meaning,
            tuple([(each.piece.meaning, *each[1:]) for each in kind.further]),
        )
        for kind in variant.kinds
    ]
    return (*[getattr(variant, name) for name in _VARIANT_FIELDS], tuple(kinds))


_KIND_FIELDS = [each.name for each in fields(Kind) if each.name not in ("piece", "further")]
_VARIANT_FIELDS = [each.name for each in fields(Variant) if each.name not in ("kinds", "moves")]


def _room_in(kept: dict[Any, Any]) -> None:
    """Forget the oldest where one more would be too many; other threads may do so too."""
    while len(kept) >= _PLANS_KEPT:
        kept.pop(next(iter(kept)), None)

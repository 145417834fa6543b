"""Positions in which no sequence of moves can mate any more, told by the material alone.

What is said here is proved for the game at hand, on its board. Where a rule, a piece or a position
is not of the kind that the proof is about, the answer is no, and the game goes on. The proof is
about two royals that leap alike, where stalemate is a draw. Neither ever checks the other: a royal
that attacked the other would itself be attacked. Then nobody can be mated

1. where there is nothing else;
2. by a single other piece of a kind that mates nowhere, wherever the three of them stand. It may
   be in hand;
3. where all the others are bound to some squares, such as those of one colour, and a royal on one
   of these always has another square to go to, wherever the other royal is.

For chess these are the positions that FIDE and other programs call dead by their material. The
engine looks at positions (src/alfil/engine/material.c); what it must know of two royals and the
pieces beside them is laid out when it first asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from functools import reduce
from itertools import chain, compress, product
from operator import or_

from alfil.game import structs
from alfil.game.lines import Lines, lines_of
from alfil.game.plan import Plan, squares_in
from alfil.game.variant import Kind, Rules
from alfil.tables.scene import Offset

# Rules that take no move from a side that is in check, and win no game without a mate.
_HARMLESS = re.findall(
    r"\S+",
    """insufficient first captured captured_form drops drops_first drop_form zone promotion_when
    win draw_odds
    move_limit countdown countdown_from countdown_without repetition perpetual_span illegal_move
    impasse impasse_needs match match_draw match_first look""",
)
# What may be said of a piece without its moves being other than its movement has them.
_SAID = re.findall(
    r"\S+",
    """code name piece letter base royal promotes promotion drop_ranks drop_check drop_mate per_side
    per_colour
    side mates blast gates castles_with castles_to points chases chased_in status note kanji symbol
    drop_in promotes_in""",
)


# The engine has room for so many sets of squares that pieces are bound to.
BOUND_SETS = 8


class Material:
    """What is known of the material of one game; ``decides`` is false where nothing is proved."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.decides = _is_plain(plan.rules) and not plan.walled and not plan.bodies.any
        # By piece, how it strikes, whether it never mates alone, where it goes from each square; by
        # squares, whether nobody is mated on them.
        self._known_lines: dict[int, Lines | None] = {}
        self._helpless: dict[tuple[int, int], bool] = {}
        self._steps: dict[int, list[int]] = {}
        self._roamed: dict[tuple[int, int], int] = {}
        self._safe: dict[tuple[int, int], bool] = {}

    def may_be_dead(self, piece: int) -> bool:
        """Whether something is known of positions with a piece; pieces that vary come anywhere."""
        return self._plan.royal[piece] or not self._varies(piece)

    @property
    def length(self) -> int:
        """The numbers of a table of two royals."""
        return self._plan.wall * (1 + self._plan.size) + (1 << BOUND_SETS)

    def table(self, royals: tuple[int, int]) -> list[int]:
        """What the engine must know of two royals; empty where nothing is."""
        plan = self._plan
        if not all(plan.royal[each] for each in royals) or not self.are_alike(*royals):
            return []
        words, sets = [[0] * plan.size for _ in range(plan.wall)], list[int]()
        for piece in range(1, plan.wall):
            if plan.royal[piece]:
                continue
            alone = structs.HELPLESS if self.mates_nowhere(piece, royals) else 0
            bound = [self.roamed(piece, square) for square in range(plan.size)]
            safe = {each for each in bound if each and self.are_safe(each, royals)} - {*sets}
            sets += sorted(safe) if len(sets) + len(safe) <= BOUND_SETS else []
            bits = {each: 1 << structs.BOUND + number for number, each in enumerate(sets)}
            words[piece] = [alone | bits.get(each, 0) for each in bound]
        chosen = product((False, True), repeat=len(sets))
        unions = [reduce(or_, compress(sets[::-1], each), 0) for each in chosen]
        held = [each[0] & structs.HELPLESS for each in words]
        held = held if plan.rules.drops_first == "no" else [0] * plan.wall
        safe_sets = [int(self.are_safe(each, royals)) for each in unions]
        return [*held, *chain.from_iterable(words), *safe_sets]

    def are_alike(self, first: int, second: int) -> bool:
        """Whether the royals of both sides leap alike, never become others, and are not spared."""
        one, other = self._leaps(first), self._leaps(second)
        alike = bool(one) and {(-x, -y) for x, y in one} == {*other}
        survive = self._plan.survive
        return alike and all(survive[p] == "any" and not self._varies(p) for p in (first, second))

    def _leaps(self, piece: int) -> tuple[Offset, ...]:
        lines = self._lines(piece)
        return (lines.leaps or ()) if lines else ()

    def _lines(self, piece: int) -> Lines | None:
        """How a piece strikes, None where that is not known or changes from square to square."""
        if piece not in self._known_lines:
            kind, nature = self._kind(piece), self._plan.natures[self._plan.codes[piece]]
            special = nature.effects or nature.barred or not _is_usual(kind)
            self._known_lines[piece] = None if special else lines_of(self._plan.parts(piece))
        return self._known_lines[piece]

    def _kind(self, piece: int) -> Kind:
        return self._plan.kinds[(piece - 1) >> 1]

    def _varies(self, piece: int) -> bool:
        """Whether a piece, or what it is once captured, may become another one."""
        plan = self._plan
        held = plan.held[piece]
        return bool(plan.forms(piece)) or (held >= 0 and bool(plan.forms(1 + 2 * held)))

    def mates_nowhere(self, piece: int, royals: tuple[int, int]) -> bool:
        """Whether one piece never mates with its royal alone; of what it is once captured, too."""
        if self._plan.checks_to_win or self._varies(piece):
            return False
        held = self._plan.held[piece]
        forms = {piece, *((1 + 2 * held, 2 + 2 * held) if held >= 0 else ())}
        return all(self._is_helpless(each, royals) for each in forms)

    def _is_helpless(self, piece: int, royals: tuple[int, int]) -> bool:
        key = piece, royals[0]
        if key not in self._helpless:
            lines = self._lines(piece)
            self._helpless[key] = lines is not None and not self._may_mate(piece, lines, royals)
        return self._helpless[key]

    def _may_mate(self, piece: int, lines: Lines, royals: tuple[int, int]) -> bool:
        """Whether there are squares on which a piece mates, as if nothing were in its way."""
        strikes = [strike.offset for strike in lines.strikes]
        side = (piece - 1) % 2
        flights = self._fields(self._leaps(royals[1 - side]))
        guards = self._fields([(-x, -y) for x, y in self._leaps(royals[side])])
        attacks = self._fields(strikes)
        everywhere = (1 << self._plan.size) - 1
        for square, flight in enumerate(flights):
            for at in squares_in(self._field([(-x, -y) for x, y in strikes], square)):
                # Where the other royal may stand: not beside this one, and at all that is left.
                there = everywhere & ~flight & ~self._plan.bits[square] & ~self._plan.bits[at]
                for escape in squares_in(flight & ~attacks[at]):
                    there &= guards[escape]
                if there:
                    return True
        return False

    def roamed(self, piece: int, square: int) -> int:
        """The squares that a piece may ever come to, as if nothing were in its way; 0 if unknown.

        That is unknown where it may become another piece, in a hand or on the board.
        """
        key = piece, square
        if key not in self._roamed:
            self._roamed[key] = self._spread(piece, square)
        return self._roamed[key]

    def _spread(self, piece: int, square: int) -> int:
        """`roamed`, worked out."""
        lines = self._lines(piece)
        steady = not (self._plan.checks_to_win or self._varies(piece))
        if lines is None or not lines.even or not steady or self._plan.held[piece] >= 0:
            return 0
        if piece not in self._steps:
            self._steps[piece] = self._fields([each.offset for each in lines.strikes])
        found = fresh = self._plan.bits[square]
        while fresh:
            reached = 0
            for each in squares_in(fresh):
                reached |= self._steps[piece][each]
            fresh = reached & ~found
            found |= fresh
        return found

    def are_safe(self, squares: int, royals: tuple[int, int]) -> bool:
        """Whether pieces that stay on these squares mate neither of two royals."""
        key = squares, royals[0]
        if key not in self._safe:
            self._safe[key] = all(self._flees(squares, royals, side) for side in (0, 1))
        return self._safe[key]

    def _flees(self, squares: int, royals: tuple[int, int], side: int) -> bool:
        """Whether a royal on any of these squares can always go to one that is none of them."""
        flights = self._fields(self._leaps(royals[side]))
        guards = self._fields([(-x, -y) for x, y in self._leaps(royals[1 - side])])
        for square in squares_in(squares):
            there = (1 << self._plan.size) - 1 & ~flights[square] & ~self._plan.bits[square]
            for escape in squares_in(flights[square] & ~squares):
                there &= guards[escape]
            if there:
                return False
        return True

    def _fields(self, offsets: Iterable[Offset]) -> list[int]:
        offsets = [*offsets]
        return [self._field(offsets, square) for square in range(self._plan.size)]

    def _field(self, offsets: Iterable[Offset], square: int) -> int:
        """The squares of the board at some offsets from one."""
        plan, found = self._plan, 0
        x, y = plan.at(square)
        for dx, dy in offsets:
            if 0 <= x + dx < plan.files and 0 <= y + dy < plan.ranks:
                found |= plan.bits[plan.square((x + dx, y + dy))]
        return found


def _is_plain(rules: Rules) -> bool:
    """Whether only mate wins, or checks, and the rules are of the kind that is known."""
    wins = {win.how for win in rules.win} <= {"mate", "royal-capture", "checks"}
    drawn = rules.repetition is None or rules.repetition.result == "draw"
    return wins and drawn and rules.drops != "free" and not _differing(rules, Rules(), _HARMLESS)


def _is_usual(kind: Kind) -> bool:
    return not _differing(kind, Kind(kind.code, kind.name, kind.piece), _SAID)


def _differing(said: Rules | Kind, usual: Rules | Kind, harmless: list[str]) -> bool:
    """Whether anything but what is harmless is not as it would be unsaid."""
    names = (each.name for each in fields(usual) if each.name not in harmless)
    return any(getattr(said, name) != getattr(usual, name) for name in names)

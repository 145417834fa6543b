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

For chess these are the positions that FIDE and other programs call dead by their material.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import reduce
from operator import or_

from alfil.game.lines import Lines, lines_of
from alfil.game.plan import Plan, squares_in
from alfil.game.position import Position
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


def is_dead(position: Position) -> bool:
    """Whether the game is drawn because it is certain that no sequence of legal moves mates."""
    drawn = position.plan.rules.insufficient == "draw"
    return drawn and material_of(position.plan).is_dead(position)


def material_of(plan: Plan) -> Material:
    """What is known of the material of a game, made once."""
    if "material" not in plan.kept:
        plan.kept["material"] = Material(plan)
    material: Material = plan.kept["material"]
    return material


class Material:
    """What is known of the material of one game; ``decides`` is false where nothing is proved."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.decides = _is_plain(plan.rules) and not plan.walled
        # By piece, how it strikes, whether it never mates alone, where it goes from each square; by
        # squares, whether nobody is mated on them.
        self._known_lines: dict[int, Lines | None] = {}
        self._helpless: dict[tuple[int, int], bool] = {}
        self._steps: dict[int, list[int]] = {}
        self._roamed: dict[tuple[int, int], int] = {}
        self._safe: dict[tuple[int, int], bool] = {}

    def is_dead(self, position: Position) -> bool:
        """Whether it is certain that no mate can come about."""
        royals = self._royals(position) if self.decides else None
        if royals is None:
            return False
        others = [(at, p) for at, p in position.standing if not self._plan.royal[p]]
        held = [*self._held(position)]
        if not others and not held:
            return True
        if held and self._plan.rules.drops_first == "yes":
            return False
        if len(others) + len(held) == 1:
            (piece,) = held or [piece for _, piece in others]
            if self.mates_nowhere(piece, royals):
                return True
        # Pieces that may become others come to any square, as most do while there are many.
        if held or any(self._varies(piece) for _, piece in others):
            return False
        if self._may_castle(position, royals):
            return False
        bound = [self.roamed(piece, square) for square, piece in others]
        return all(bound) and self.are_safe(reduce(or_, bound), royals)

    def _royals(self, position: Position) -> tuple[int, int] | None:
        """The royal pieces of both sides, None where they are not of the kind that is known."""
        if [*map(len, position.royals)] != [1, 1]:
            return None
        first, second = (position.board[squares[0]] for squares in position.royals)
        return (first, second) if self.are_alike(first, second) else None

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

    def _held(self, position: Position) -> Iterator[int]:
        """The pieces in hand."""
        for side, hand in enumerate(position.hands):
            for kind, count in enumerate(hand):
                yield from [1 + 2 * kind + side] * count

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

    def _may_castle(self, position: Position, royals: tuple[int, int]) -> bool:
        """Whether castling may carry a piece to another square than those of its moves."""
        plan, made = self._plan, position.made
        for royal, (square,) in zip(royals, position.royals, strict=True):
            if not plan.castling[royal] or made[square] != 0:
                continue
            for at, piece in position.standing:
                inset = min(at % plan.files, plan.files - 1 - at % plan.files)
                partner = inset in plan.castle_insets[royal] and plan.may_be_partner(royal, piece)
                unmoved = (piece - royal) % 2 == 0 and at != square and made[at] == 0
                if unmoved and (partner or piece in plan.partners[royal]):
                    return True
        return False

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

"""Insufficient material: positions in which no sequence of moves can mate.

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

from alfil.game import engine_interface
from alfil.game.attack_lines import AttackLines, attack_lines
from alfil.game.compiled_variant import CompiledVariant, bits_to_squares
from alfil.game.variant import PieceType, RegionMoves, Rules
from alfil.meaning.piece_meaning import is_castling
from alfil.tables.board_context import Offset

# Rules that take no move from a side that is in check, and win no game without a mate.
_HARMLESS_RULES = re.findall(
    r"\S+",
    """insufficient first captured captured_form drops drops_first drop_form zone promotion_when
    win draw_odds
    move_limit countdown countdown_from countdown_without repetition perpetual_span illegal_move
    impasse impasse_needs match match_draw match_first look surface colours""",
)
# What may be said of a piece without its moves being other than its movement has them.
_IGNORED_FIELDS = re.findall(
    r"\S+",
    """code name piece letter base royal promotes promotion drop_ranks drop_check drop_mate per_side
    per_colour
    side mates blast gates castles_with castles_to points value hand_value chases
    chased_in status note kanji symbol further
    drop_in promotes_in""",
)

# The engine has room for so many sets of squares that pieces are bound to.
MAX_BOUND_SETS = 8


class InsufficientMaterial:
    """Mating material of one game; ``decides`` is false where nothing can be proved."""

    def __init__(self, compiled: CompiledVariant) -> None:
        self._compiled = compiled
        self.decides = (
            _wins_only_by_mate_or_checks(compiled.rules)
            and not compiled.walled
            and not compiled.footprints.any
        )
        # By piece, how it strikes, whether it never mates alone, where it goes from each square; by
        # squares, whether nobody is mated on them.
        self._known_lines: dict[int, AttackLines | None] = {}
        self._helpless: dict[tuple[int, int], bool] = {}
        self._steps: dict[int, list[int]] = {}
        self._roamed: dict[tuple[int, int], int] = {}
        self._safe: dict[tuple[int, int], bool] = {}

    def may_be_insufficient(self, piece: int) -> bool:
        """Whether positions with this piece can be insufficient; pieces that change type cannot."""
        return self._compiled.royal[piece] or not self._may_change_type(piece)

    @property
    def has_provable_royals(self) -> bool:
        """Whether there are royals beside which something can be proved."""
        pairs = product(*self._compiled.royal_pieces)
        return self.decides and any(self.are_royals_alike(*pair) for pair in pairs)

    @property
    def royal_pair_table_length(self) -> int:
        """The numbers of a table of two royals."""
        return self._compiled.wall * (1 + self._compiled.size) + (1 << MAX_BOUND_SETS)

    def dead_material_table(self, royals: tuple[int, int]) -> list[int]:
        """The engine's table for two royals; empty where nothing is known."""
        compiled = self._compiled
        if not all(compiled.royal[each] for each in royals) or not self.are_royals_alike(*royals):
            return []
        words, sets = [[0] * compiled.size for _ in range(compiled.wall)], list[int]()
        for piece in range(1, compiled.wall):
            if compiled.royal[piece]:
                continue
            alone = engine_interface.HELPLESS if self.never_mates(piece, royals) else 0
            bound = [self.reachable_squares(piece, square) for square in range(compiled.size)]
            safe = {each for each in bound if each and self.never_mate_within(each, royals)} - {
                *sets
            }
            sets += sorted(safe) if len(sets) + len(safe) <= MAX_BOUND_SETS else []
            bits = {each: 1 << engine_interface.BOUND + number for number, each in enumerate(sets)}
            words[piece] = [alone | bits.get(each, 0) for each in bound]
        chosen = product((False, True), repeat=len(sets))
        unions = [reduce(or_, compress(sets[::-1], each), 0) for each in chosen]
        held = [each[0] & engine_interface.HELPLESS for each in words]
        held = held if compiled.rules.drops_first == "no" else [0] * compiled.wall
        safe_sets = [int(self.never_mate_within(each, royals)) for each in unions]
        return [*held, *chain.from_iterable(words), *safe_sets]

    def are_royals_alike(self, first: int, second: int) -> bool:
        """Whether the royals of both sides leap alike, never become others, and are not spared."""
        one, other = self._leap_offsets(first), self._leap_offsets(second)
        alike = bool(one) and {(-x, -y) for x, y in one} == {*other}
        survive = self._compiled.survive
        return alike and all(
            survive[p] == "any" and not self._may_change_type(p) for p in (first, second)
        )

    def _leap_offsets(self, piece: int) -> tuple[Offset, ...]:
        lines = self._attack_lines(piece)
        return (lines.leap_offsets or ()) if lines else ()

    def _attack_lines(self, piece: int) -> AttackLines | None:
        """The attack lines of a piece, None where unknown or dependent on the square."""
        if piece not in self._known_lines:
            kind = self._compiled.kinds[(piece - 1) >> 1]
            traits = self._compiled.traits_by_code[self._compiled.codes[piece]]
            special = traits.effects or traits.iron_against or not _has_usual_traits(kind)
            self._known_lines[piece] = (
                None
                if special
                else self._compiled.cached_by_moves("attack lines", piece, attack_lines)
            )
        return self._known_lines[piece]

    def _may_change_type(self, piece: int) -> bool:
        """Whether a piece, or what it is once captured, may become another one."""
        compiled = self._compiled
        held = compiled.held[piece]
        return bool(compiled.all_promotions(piece)) or (
            held >= 0 and bool(compiled.all_promotions(1 + 2 * held))
        )

    def never_mates(self, piece: int, royals: tuple[int, int]) -> bool:
        """Whether one piece never mates with its royal alone; of what it is once captured, too."""
        if self._compiled.checks_to_win or self._may_change_type(piece):
            return False
        held = self._compiled.held[piece]
        forms = {piece, *((1 + 2 * held, 2 + 2 * held) if held >= 0 else ())}
        return all(self._never_mates_as_is(each, royals) for each in forms)

    def _never_mates_as_is(self, piece: int, royals: tuple[int, int]) -> bool:
        key = piece, royals[0]
        if key not in self._helpless:
            lines = self._attack_lines(piece)
            self._helpless[key] = lines is not None and not self._may_mate(piece, lines, royals)
        return self._helpless[key]

    def _may_mate(self, piece: int, lines: AttackLines, royals: tuple[int, int]) -> bool:
        """Whether there are squares on which a piece mates, as if nothing were in its way."""
        strikes = [strike.offset for strike in lines.paths]
        side = (piece - 1) % 2
        flights = self._attack_sets(self._leap_offsets(royals[1 - side]))
        guards = self._attack_sets([(-x, -y) for x, y in self._leap_offsets(royals[side])])
        attacks = self._attack_sets(strikes)
        everywhere = (1 << self._compiled.size) - 1
        for square, flight in enumerate(flights):
            for at in bits_to_squares(self._attack_set([(-x, -y) for x, y in strikes], square)):
                # Where the other royal may stand: not beside this one, and at all that is left.
                there = (
                    everywhere & ~flight & ~self._compiled.bits[square] & ~self._compiled.bits[at]
                )
                for escape in bits_to_squares(flight & ~attacks[at]):
                    there &= guards[escape]
                if there:
                    return True
        return False

    def reachable_squares(self, piece: int, square: int) -> int:
        """The squares a piece can ever reach on an empty board; 0 if unknown.

        That is unknown where it may become another piece, in a hand or on the board.
        """
        key = piece, square
        if key not in self._roamed:
            self._roamed[key] = self._reachable_squares(piece, square)
        return self._roamed[key]

    def _reachable_squares(self, piece: int, square: int) -> int:
        """`reachable_squares`, worked out."""
        lines = self._attack_lines(piece)
        steady = not (self._compiled.checks_to_win or self._may_change_type(piece))
        if lines is None or not lines.is_straight or not steady or self._compiled.held[piece] >= 0:
            return 0
        if piece not in self._steps:
            self._steps[piece] = self._attack_sets([each.offset for each in lines.paths])
        result = fresh = self._compiled.bits[square]
        while fresh:
            reached = 0
            for each in bits_to_squares(fresh):
                reached |= self._steps[piece][each]
            fresh = reached & ~result
            result |= fresh
        return result

    def never_mate_within(self, squares: int, royals: tuple[int, int]) -> bool:
        """Whether pieces that stay on these squares mate neither of two royals."""
        key = squares, royals[0]
        if key not in self._safe:
            self._safe[key] = all(
                self._royal_always_escapes(squares, royals, side) for side in (0, 1)
            )
        return self._safe[key]

    def _royal_always_escapes(self, squares: int, royals: tuple[int, int], side: int) -> bool:
        """Whether a royal on any of these squares can always go to one that is none of them."""
        flights = self._attack_sets(self._leap_offsets(royals[side]))
        guards = self._attack_sets([(-x, -y) for x, y in self._leap_offsets(royals[1 - side])])
        for square in bits_to_squares(squares):
            there = (1 << self._compiled.size) - 1 & ~flights[square] & ~self._compiled.bits[square]
            for escape in bits_to_squares(flights[square] & ~squares):
                there &= guards[escape]
            if there:
                return False
        return True

    def _attack_sets(self, offsets: Iterable[Offset]) -> list[int]:
        offsets = [*offsets]
        return [self._attack_set(offsets, square) for square in range(self._compiled.size)]

    def _attack_set(self, offsets: Iterable[Offset], square: int) -> int:
        """The squares of the board at some offsets from one."""
        compiled, result = self._compiled, 0
        x, y = compiled.file_and_rank(square)
        for dx, dy in offsets:
            if 0 <= x + dx < compiled.files and 0 <= y + dy < compiled.ranks:
                result |= compiled.bits[compiled.square((x + dx, y + dy))]
        return result


def _wins_only_by_mate_or_checks(rules: Rules) -> bool:
    """Whether only mate wins, or checks, and the rules are of the kind that is known."""
    wins = {win.how for win in rules.win} <= {"mate", "royal-capture", "checks"}
    repetition_draws = rules.repetition is None or rules.repetition.result == "draw"
    return (
        wins
        and repetition_draws
        and rules.drops != "free"
        and not _differs_from_default(rules, Rules(), _HARMLESS_RULES)
    )


def _has_usual_traits(kind: PieceType) -> bool:
    usual = PieceType(kind.code, kind.name, kind.piece)
    return not any(map(_has_other_moves_than_castling, kind.further)) and not (
        _differs_from_default(kind, usual, _IGNORED_FIELDS)
    )


def _has_other_moves_than_castling(moves: RegionMoves) -> bool:
    """Whether there is more than castling, which attacks nothing, to moves on some squares."""
    return not all(is_castling(part.guard) for part in moves.piece.meaning.parts)


def _differs_from_default(
    rules: Rules | PieceType, usual: Rules | PieceType, harmless: list[str]
) -> bool:
    """Whether a field that matters differs from its default."""
    names = (each.name for each in fields(usual) if each.name not in harmless)
    return any(getattr(rules, name) != getattr(usual, name) for name in names)

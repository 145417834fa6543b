"""Where pieces aim from any square, by how far away another one is; see `AIMED` of the engine."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from alfil.game import structs
from alfil.game.compiled_variant import CompiledVariant
from alfil.meaning.automaton import ROYAL
from alfil.meaning.square_conditions import SQUARE_DEPENDENT_CONDITIONS
from alfil.tables.board_context import Offset
from alfil.tables.table import STEP_SHIFT

# A royal with more steps than these is thought to step everywhere.
MAX_ROYAL_STEPS = 256


class OffsetNumbering:
    """How squares are numbered by where they lie from another one, on boards of one size.

    ``middle`` is the number of that one itself, ``span`` how many there are.
    """

    def __init__(self, compiled: CompiledVariant) -> None:
        self._compiled = compiled
        self._width = 2 * compiled.files - 1
        self.span = self._width * (2 * compiled.ranks - 1)
        self.middle = self.span // 2

    def board_square_numbers(self) -> array[int]:
        """The numbers of the squares of the board, seen from its corner."""
        compiled = self._compiled
        at = map(compiled.file_and_rank, range(compiled.size))
        return array("i", [rank * self._width + file for file, rank in at])

    def attack_table(self) -> array[int]:
        """By piece and number, whether it aims there, and where the enemy's royal may step."""
        compiled = self._compiled
        steps = [self._royal_step_numbers(1), self._royal_step_numbers(0)]
        result = bytearray(self.span)
        for piece in range(1, compiled.wall, 2):
            aimed = self._attack_row(piece)
            # The second side sees all turned half around.
            result += self._merged_row(aimed, steps[0]) + self._merged_row(aimed[::-1], steps[1])
        return array("B", result)

    def _merged_row(self, aimed: bytes, steps: set[int]) -> bytes:
        """The row of a piece that aims at some squares, and whose enemy's royal steps so."""
        there, beside = int.from_bytes(aimed, "little"), 0
        if len(steps) > MAX_ROYAL_STEPS:
            beside = int.from_bytes(bytes([1]) * self.span, "little")
        for step in steps if not beside else ():
            beside |= there >> 8 * step if step >= 0 else there << -8 * step
        row = structs.AIMED * there | structs.BESIDE * beside
        return (row & (1 << 8 * self.span) - 1).to_bytes(self.span, "little")

    def _attack_row(self, piece: int) -> bytes:
        """By number, 1 where some way captures there; everywhere where that is not known."""
        result, sections = bytearray(self.span), self._compiled.move_parts(piece)
        for section in sections:
            trie = section.trie
            if trie is None or any(
                each.kind in SQUARE_DEPENDENT_CONDITIONS for each in section.guard
            ):
                return bytes([1]) * self.span
            ends = {trie.steps[word >> STEP_SHIFT] for word in trie.nodes if word & ROYAL}
            for number in self._offset_numbers(
                ends, *(each.captures for each in trie.traces.values())
            ):
                result[self.middle + number] = 1
        return bytes(result)

    def _royal_step_numbers(self, side: int) -> set[int]:
        """The numbers, counted from the middle, of the squares at which a side's royals look."""
        compiled = self._compiled
        tries = [
            section.trie for p in compiled.royal_pieces[side] for section in compiled.move_parts(p)
        ]
        return self._offset_numbers(*(trie.steps for trie in tries if trie))

    def _offset_numbers(self, *offsets: Iterable[Offset]) -> set[int]:
        """Those of offsets, counted from the middle; none is longer than the board."""
        files, ranks, width = self._compiled.files, self._compiled.ranks, self._width
        every = set[Offset]().union(*offsets)
        return {y * width + x for x, y in every if abs(x) < files and abs(y) < ranks}

"""Where pieces aim from any square, by how far away another one is; see `AIMED` of the engine."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from alfil.game import engine_interface
from alfil.game.compiled_variant import CompiledVariant
from alfil.game.native_engine import engine
from alfil.meaning.automaton import HOME, ON_ROYAL, TAKE_ROYAL, Automaton
from alfil.meaning.square_conditions import SQUARE_DEPENDENT_CONDITIONS
from alfil.tables.board_context import Offset
from alfil.tables.move_table import TableSection

# A royal with more steps than these is thought to step everywhere.
MAX_ROYAL_STEPS = 256
# A walk that comes to more states on squares is thought to come everywhere.
MAX_WALK = 4096


class OffsetAttackTable:
    """How squares are numbered by where they lie from another one, on boards of one size.

    ``middle`` is the number of that one itself, ``span`` how many there are.
    """

    def __init__(self, compiled: CompiledVariant) -> None:
        self._compiled = compiled
        self._width = 2 * compiled.files - 1
        self.span = self._width * (2 * compiled.ranks - 1)
        self.middle = self.span // 2

    def engine_arrays(self) -> dict[str, array[int]]:
        """What the engine has of it: the rows of pieces, where each begins, the board's squares.

        A row tells by number whether a piece aims there, and where the enemy's royal may step.
        Pieces that aim alike share one; where it begins is the number of their own square.
        """
        compiled = self._compiled
        steps = [self._royal_step_numbers(1), self._royal_step_numbers(0)]
        reach, starts = bytearray(self.span), array("i", [self.middle])
        known: dict[tuple[bytes, int], int] = {}
        for piece in range(1, compiled.wall, 2):
            aimed = self._attack_row(piece)
            # The second side sees all turned half around.
            for side, seen in enumerate((aimed, aimed[::-1])):
                if (seen, side) not in known:
                    known[seen, side] = len(reach) + self.middle
                    reach += self._attack_and_royal_step_flags(seen, steps[side])
                starts.append(known[seen, side])
        at = map(compiled.file_and_rank, range(compiled.size))
        grid = array("i", [rank * self._width + file for file, rank in at])
        return {"reach": array("B", reach), "reach_at": starts, "grid": grid}

    def _attack_and_royal_step_flags(self, attack_row: bytes, royal_steps: set[int]) -> bytes:
        """The row of a piece that aims at some squares, and whose enemy's royal steps so."""
        there, beside = int.from_bytes(attack_row, "little"), 0
        if len(royal_steps) > MAX_ROYAL_STEPS:
            beside = int.from_bytes(bytes([1]) * self.span, "little")
        for step in royal_steps if not beside else ():
            beside |= there >> 8 * step if step >= 0 else there << -8 * step
        row = engine_interface.AIMED * there | engine_interface.BESIDE * beside
        return (row & (1 << 8 * self.span) - 1).to_bytes(self.span, "little")

    def _attack_row(self, piece: int) -> bytes:
        """By number, 1 where some way captures there; everywhere where that is not known."""
        result, board = array("B", bytes(self.span)), (self._compiled.files, self._compiled.ranks)
        for section in self._compiled.table_sections(piece):
            aimed = self._capture_offsets(section)
            if aimed is None:
                return bytes([1]) * self.span
            trie = section.trie
            if trie:
                steps = trie.flattened_steps
                engine().call(
                    "mark_royal_attack_offsets", trie.nodes, steps, len(trie.nodes), *board, result
                )
            for number in self._offset_numbers(*aimed):
                result[self.middle + number] = 1
        return bytes(result)

    def _capture_offsets(self, section: TableSection) -> list[Iterable[Offset]] | None:
        """Offsets to all squares on which a part may capture, None where they are not known.

        Those of squares on which moves of a trie end are told by the trie.
        """
        if any(each.kind in SQUARE_DEPENDENT_CONDITIONS for each in section.guard):
            return None
        if section.trie:
            return [each.captures for each in section.trie.traces.values()]
        aimed = _offsets_capturing_royal(
            section.automaton, self._compiled.files, self._compiled.ranks
        )
        return None if aimed is None else [aimed]

    def _royal_step_numbers(self, side: int) -> set[int]:
        """The numbers, counted from the middle, of the squares at which a side's royals look."""
        compiled = self._compiled
        tries = [
            section.trie
            for p in compiled.royal_pieces[side]
            for section in compiled.table_sections(p)
        ]
        return self._offset_numbers(*(trie.steps for trie in tries if trie))

    def _offset_numbers(self, *offsets: Iterable[Offset]) -> set[int]:
        """Those of offsets, counted from the middle; none is longer than the board."""
        files, ranks, width = self._compiled.files, self._compiled.ranks, self._width
        every = set[Offset]().union(*offsets)
        return {y * width + x for x, y in every if -files < x < files and -ranks < y < ranks}


def _offsets_capturing_royal(automaton: Automaton, files: int, ranks: int) -> set[Offset] | None:
    """The offsets at which a path of an automaton may capture a royal, on boards without pieces.

    None where it goes on beyond the edge of a board that wraps, or to too many squares.
    """
    aimed = set[Offset]()
    waiting = [(0, 0, 0)]
    met = {*waiting}
    for state, x, y in waiting:
        if len(waiting) > MAX_WALK:
            return None
        for dx, dy, wrap, emit, passes in automaton.states[state]:
            at = x + dx, y + dy
            if wrap:
                return None
            if (dx, dy, wrap) == HOME or abs(at[0]) >= files or abs(at[1]) >= ranks:
                continue
            if emit & ON_ROYAL or any(mask & TAKE_ROYAL for mask, _ in passes):
                aimed.add(at)
            more = {(target, *at) for _, target in passes} - met
            met |= more
            waiting += more
    return aimed

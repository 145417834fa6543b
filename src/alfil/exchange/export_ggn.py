"""A game as GGN, General Gameplay Notation 1.0.0: the pseudo-legal moves of its pieces as JSON.

For each piece, square and target there are lists of conditions on squares: what must stand there,
and what must not. They are those of the rays of the piece. What no condition can say is a loss:
castling, en passant, and whatever depends on more than what stands where. What GGN leaves to the
rules of a game is none: check, promotion, results, and what a move does besides, such as walls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from alfil.diagrams.timing_words import timing_in_words
from alfil.errors import Diagnostic, PieceFileError, reject
from alfil.exchange import (
    COMMON_PIECE_FIELDS,
    Export,
    export_loss,
    notes_on_rules_not_about_play,
    require_game_up_to_board_size,
    supported_rules,
    unsupported_fields,
)
from alfil.game.variant import PieceType, Rules
from alfil.geometry import BOARD_LIMIT
from alfil.library.library import Library
from alfil.library.piece_tables import exported_entry
from alfil.locations import cell_from_indices
from alfil.meaning.automaton import AT_HOME, ENEMY, FRIEND, PIECE_CLASSES, ROYAL, TRAIL, VACANT
from alfil.meaning.piece_meaning import Condition
from alfil.source import Source
from alfil.tables.ray_export import RaysOfPieces, RaySquareKind
from alfil.work_limit import charge, limited_task

SCHEMA = "https://sashite.dev/schemas/ggn/1.0.0/schema.json"
# A piece has one letter there, with + or - for its state, and the letter of its style before it.
LETTER = re.compile(r"[-+]?[A-Z]")
HAND_NAME = "*"
# The fields of pieces that are written, and those that GGN leaves to the rules of the game.
EXPORTED_FIELDS = {
    *("per_file", "per_file_on", "within", "outside", "further", "blocked_by", "drop_in", "side"),
}
FIELDS_LEFT_TO_RULES = {
    *("promotes_in", "drop_check", "drop_mate", "mates", "blast", "petrifies", "gates", "points"),
    *("chases", "chased_in"),
}
JsonObject: TypeAlias = dict[str, Any]
# A condition on a square: what must stand there, or what must not.
Requirement: TypeAlias = tuple[str, str]
# What must stand on squares and what must not, as JSON with a comma before each; and all moves of a
# piece, by their squares.
Conditions: TypeAlias = tuple[str, str]
MovesBySquares: TypeAlias = dict[str, dict[str, list[Conditions]]]
NO_CONDITIONS: Conditions = ("", "")
# So many squares may all conditions name, a little more than those of chu shogi. A move has its
# conditions once for each piece that a square may hold, so that two such squares have them as often
# as there are pairs of pieces.
MAX_SQUARES = 1_800_000
# Those of one piece are held at once, and so are its rays.
MAX_SQUARES_OF_PIECE = 500_000


class TooManyConditions(Exception):
    """The conditions name more than `MAX_SQUARES`, or for a piece `MAX_SQUARES_OF_PIECE`."""


def export_game(library: Library) -> Export:
    """A game as GGN. JSON has no comments, so the losses are in the `Export` alone.

    Raises `AlfilError` for a file that is no game with a set-up.
    """
    require_game_up_to_board_size(library, BOARD_LIMIT, BOARD_LIMIT, "GGN")
    document = _GgnDocument(library)
    try:
        with limited_task(MAX_SQUARES, TooManyConditions):
            parts = [
                f"{json.dumps(name)}: {_moves_as_json(each)}"
                for name, each in document.moves_by_piece_name()
            ]
    except TooManyConditions:
        message = (
            f"its moves have conditions on more than {MAX_SQUARES} squares, "
            f"or those of one piece on more than {MAX_SQUARES_OF_PIECE}"
        )
        reject(PieceFileError, "too-much-work", message, Source(library.name, "<game>"))
    text = "{" + ", ".join([f'"$schema": "{SCHEMA}"', *parts]) + "}\n"
    notes = notes_on_rules_not_about_play(library.rules)
    return Export(library.variant.title, text, document.letters, tuple(document.losses), notes)


class _GgnDocument:
    """The pieces of a game under construction, and the losses."""

    def __init__(self, library: Library) -> None:
        self._library, self._variant = library, library.variant
        self._style = next(filter(str.isascii, filter(str.isalpha, library.name)), "X").upper()
        letters = {kind.code: kind.letter for kind in self._variant.kinds}
        self.letters = {
            code: letter if LETTER.fullmatch(letter) else "" for code, letter in letters.items()
        }
        self.losses: list[Diagnostic] = []
        files, ranks = self._variant.files, self._variant.ranks
        self._cells = [_square_name(file, rank) for rank in range(ranks) for file in range(files)]
        self._requirements: dict[tuple[int, int], list[Requirement]] = {}
        self._conditions: dict[tuple[int, int, int], list[Conditions]] = {}

    def moves_by_piece_name(self) -> Iterator[tuple[str, MovesBySquares]]:
        """The moves of each piece of either side that has some."""
        size = self._variant.files, self._variant.ranks
        # Only so many have a name there, however many the file has: no others are laid out.
        entries = [
            exported_entry(self._library[kind.code], self._library, size)
            for kind in self._variant.kinds
            if self.letters[kind.code]
        ]
        layout = RaysOfPieces(entries, *size)
        self._add_rule_losses()
        pieces = layout.pieces()
        for kind in self._variant.kinds:
            if not self.letters[kind.code]:
                self._add_loss(kind.code, f"no piece there is called {kind.letter}; it is left out")
                continue
            with limited_task(MAX_SQUARES_OF_PIECE, TooManyConditions):
                piece = next(pieces)
            parts, kinds = [*self._expressible_parts(kind, piece)], [*layout.kinds]
            if _has_en_passant(parts, kinds):
                self._add_loss(kind.code, "GGN has no condition for en passant")
            self._add_piece_losses(kind)
            for side in kind.sides:
                moves: MovesBySquares = {}
                with limited_task(MAX_SQUARES_OF_PIECE, TooManyConditions):
                    for part in parts:
                        self._add_moves(moves, part, kinds, side)
                self._add_drops(moves, kind, side)
                _remove_duplicates(moves)
                if moves:
                    yield self._piece_name(kind.code, side), moves

    def _add_loss(self, piece_or_rule: str, message: str) -> None:
        self.losses.append(export_loss(self._library, piece_or_rule, message))

    def _piece_name(self, code: str, side: int) -> str:
        name = f"{self._style}:{self.letters[code]}"
        return name.lower() if side else name

    def _expressible_parts(self, kind: PieceType, piece: JsonObject) -> Iterator[JsonObject]:
        """The parts of a piece that conditions on squares can express."""
        for each in piece["not_written"]:
            self._add_loss(kind.code, f"GGN has no condition for {each['reason']}")
        if piece["blocked_by"]:
            self._add_loss(kind.code, "it is left out: some pieces block it")
            return
        for part in piece["parts"]:
            when = part["when"].keys() - {"trail"}
            if not when:
                yield part
            elif (
                when == {"move"}
                and part["when"]["move"] == 1
                and self._is_unmoved_on_start_squares(kind, piece)
            ):
                yield self._part_from_start_squares(kind, part)
            else:
                guard = tuple(Condition(each, part["when"][each]) for each in sorted(when))
                words = f"GGN has no condition for moves {timing_in_words(guard)}"
                self._add_loss(kind.code, words)

    def _is_unmoved_on_start_squares(self, kind: PieceType, piece: JsonObject) -> bool:
        """Whether a piece on one of its starting squares has not moved.

        It starts on one rank, and nothing brings it there later.
        """
        setup = self._variant.setup
        starts = {(side, square[1]) for square, side, code in setup if code == kind.code}
        arrives = any(kind.code in each.promotes for each in self._variant.kinds)
        return (
            len({side for side, _ in starts}) == len(starts)
            and not arrives
            and self._variant.rules.drops == "no"
            and all(
                square // self._variant.files > at // self._variant.files
                for part in piece["parts"]
                for at, rays in enumerate(part["first"])
                for ray in rays
                for square, _ in ray
            )
        )

    def _part_from_start_squares(self, kind: PieceType, part: JsonObject) -> JsonObject:
        """A part from the starting squares of the piece only."""
        files = self._variant.files
        starts = {
            (side, y * files + x) for (x, y), side, code in self._variant.setup if code == kind.code
        }
        return {
            name: [rays if (side, at) in starts else [] for at, rays in enumerate(part[name])]
            for side, name in enumerate(("first", "second"))
        }

    def _add_moves(
        self, moves: MovesBySquares, part: JsonObject, kinds: list[RaySquareKind], side: int
    ) -> None:
        for at, rays in enumerate(part[("first", "second")[side]]):
            for ray in rays:
                for square, found in self._moves_of_ray(ray, kinds, side):
                    targets = moves.setdefault(self._cells[at], {})
                    targets.setdefault(self._cells[square], []).extend(found)

    def _moves_of_ray(
        self, ray: list[tuple[int, int]], kinds: list[RaySquareKind], side: int
    ) -> Iterator[tuple[int, list[Conditions]]]:
        """The squares on which moves along a ray end, with the conditions of these."""
        before: dict[int, int] = {}
        # The conditions of the first squares before, so many.
        known, passed = [NO_CONDITIONS], 0
        for square, number in ray:
            kind, again = kinds[number], square in before
            here = before.get(square, VACANT | PIECE_CLASSES | AT_HOME)
            ends = 0 if kind.en_passant else here & kind.ends
            found: list[Conditions] = []
            if ends and again:
                classes = {**before, square: ends}
                found = self._conditions_with_squares([NO_CONDITIONS], classes.items(), side)
            elif ends:
                known = self._conditions_with_squares(
                    known, islice(before.items(), passed, None), side
                )
                passed = len(before)
                found = self._conditions_with_squares(known, ((square, ends),), side)
            if found:
                charge(len(found) * (len(before) + (not again)))
                yield square, found
            if again:
                known, passed = [NO_CONDITIONS], 0
            before[square] = here & kind.on

    def _conditions_with_squares(
        self, known: list[Conditions], classes: Iterable[tuple[int, int]], side: int
    ) -> list[Conditions]:
        """All conditions of which each has one of those known, and under which classes stand on
        further squares.
        """
        for square, mask in classes:
            more = self._conditions_of_square(square, mask, side)
            if len(known) * len(more) > MAX_SQUARES:
                raise TooManyConditions
            known = [(must + also, deny + nor) for must, deny in known for also, nor in more]
        return known

    def _conditions_of_square(self, square: int, mask: int, side: int) -> list[Conditions]:
        """The conditions of which one must hold where a class of the mask stands on a square."""
        key = square, mask, side
        result = self._conditions.get(key)
        if result is None:
            known = self._requirements
            known[mask, side] = known.get((mask, side)) or self._requirements_for(mask, side)
            result = self._conditions[key] = [
                _condition(of, self._cells[square], what) for of, what in known[mask, side]
            ]
        return result

    def _requirements_for(self, mask: int, side: int) -> list[Requirement]:
        """The conditions of which one must hold where a class of the mask stands on a square."""
        royal = {each.code for each in self._variant.kinds if each.royal}
        if not royal and mask & ENEMY:
            mask |= ROYAL
        if mask & AT_HOME or mask & (VACANT | PIECE_CLASSES) == VACANT | PIECE_CLASSES:
            return [("must", "")]
        if mask & PIECE_CLASSES == PIECE_CLASSES:
            return [("deny", "empty")]
        result: list[Requirement] = [("must", "empty")] if mask & VACANT else []
        if mask & (ENEMY | ROYAL) == ENEMY | ROYAL:
            result.append(("must", "enemy"))
            mask &= FRIEND
        for kind in self._variant.kinds:
            of = ROYAL if kind.code in royal else ENEMY
            owners = [*(1 - side for _ in "x" if mask & of), *(side for _ in "x" if mask & FRIEND)]
            result += [
                ("must", self._piece_name(kind.code, owner))
                for owner in owners
                if owner in kind.sides
            ]
        return result

    def _add_drops(self, moves: MovesBySquares, kind: PieceType, side: int) -> None:
        variant = self._variant
        if variant.rules.drops != "yes" or kind.royal or not variant.droppable(kind):
            return
        squares = variant.squares(kind.drop_ranks or (1, 0), side)
        if kind.drop_in:
            squares &= variant.squares(kind.drop_in, side)
        for file, rank in sorted(squares):
            target = _square_name(file, rank)
            must, deny = _condition("must", target, "empty")
            if kind.per_file == 1 and "drop" in kind.per_file_on:
                column = (_square_name(file, each) for each in range(variant.ranks))
                name = self._piece_name(kind.code, side)
                deny = "".join(
                    _condition("deny", each, name)[1] for each in column if each != target
                )
            moves.setdefault(HAND_NAME, {}).setdefault(target, []).append((must, deny))

    def _add_piece_losses(self, kind: PieceType) -> None:
        """What bounds the moves of a piece besides what stands on their squares."""
        for key in unsupported_fields(
            kind, PieceType, COMMON_PIECE_FIELDS | EXPORTED_FIELDS | FIELDS_LEFT_TO_RULES
        ):
            self._add_loss(kind.code, f"GGN has no condition for its {key.replace('_', '-')}")
        if any(fact.name == "iron" for fact in kind.meaning.facts):
            self._add_loss(kind.code, "there it can be captured by every piece")
        if kind.per_file and (kind.per_file > 1 or kind.per_file_on != {"drop"}):
            self._add_loss(kind.code, "GGN cannot count the pieces on a file")

    def _add_rule_losses(self) -> None:
        rules = self._variant.rules
        for key in unsupported_fields(rules, Rules, supported_rules("ggn")):
            self._add_loss(key.replace("_", "-"), "GGN has no condition for this rule")
        if rules.drops == "free":
            self._add_loss("drops", "a drop there is from a hand")
        if self._variant.walls:
            self._add_loss("board", "every square there is one of the board")


def _condition(must_or_deny: str, square: str, contents: str) -> Conditions:
    """What must or must not stand on a square; nothing where that is not said."""
    text = f", {json.dumps(square)}: {json.dumps(contents)}" if contents else ""
    return (text, "") if must_or_deny == "must" else ("", text)


def _moves_as_json(moves: MovesBySquares) -> str:
    """The moves of a piece as a JSON object."""
    origins = []
    for origin, targets in moves.items():
        lists = []
        for target, listed in targets.items():
            parts = [f'{{"must": {{{must[2:]}}}, "deny": {{{deny[2:]}}}}}' for must, deny in listed]
            lists.append(f"{json.dumps(target)}: [{', '.join(parts)}]")
        origins.append(f"{json.dumps(origin)}: {{{', '.join(lists)}}}")
    return f"{{{', '.join(origins)}}}"


def _square_name(file: int, rank: int) -> str:
    return str(cell_from_indices(file, rank))


def _has_en_passant(parts: list[JsonObject], kinds: list[RaySquareKind]) -> bool:
    """Whether some ray captures a piece that has just passed a square."""
    passing = {
        number
        for number, kind in enumerate(kinds)
        if kind.en_passant or (kind.takes and kind.on & TRAIL)
    }
    squares = (rays for part in parts for rays in part["first"])
    return any(number in passing for rays in squares for ray in rays for _, number in ray)


def _remove_duplicates(moves: MovesBySquares) -> None:
    """Leave the first of conditions that are alike, in whatever order they are."""
    for targets in moves.values():
        for target, listed in targets.items():
            # Where these differ, the conditions do.
            rough = {
                (len(must), len(deny), must.count('"enemy"'), must.count('"empty"'))
                for must, deny in listed
            }
            if len(rough) < len(listed):
                kept = dict[tuple[frozenset[str], ...], Conditions]()
                for each in listed:
                    kept.setdefault(tuple([frozenset(said.split(", ")) for said in each]), each)
                targets[target] = [*kept.values()]

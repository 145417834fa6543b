"""Games for Fairy-Max: a block of its `fmax.ini`.

That program has pawns, which stand side by side and alone promote, and other pieces behind them.
Whatever differs from a game of mate by chess's rules is a loss, so that a new rule is one until
somebody writes it here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from alfil.diagrams.timing_words import timing_in_words
from alfil.errors import Diagnostic
from alfil.exchange import (
    COMMON_PIECE_FIELDS,
    Export,
    export_loss,
    notes_on_rules_not_about_play,
    require_game_up_to_board_size,
    supported_rules,
    unsupported_fields,
)
from alfil.exchange.fairy_max_rays import (
    BOARD_WIDTH,
    Ray,
    castling_rays,
    first_move_rays,
    rays_of_sequences,
)
from alfil.exchange.protocol_notation import piece_letters
from alfil.exchange.xboard import piece_table_letters, xboard_betza, xboard_name
from alfil.game.compiled_variant import compile_variant
from alfil.game.piece_traits import Promotion, piece_traits
from alfil.game.variant import MATE, MoveLimit, PieceType, Repetition, Rules, Variant
from alfil.library.library import Library
from alfil.meaning.automaton import ON_TRAIL
from alfil.meaning.piece_meaning import GuardedAutomaton, any_move_has_bits
from alfil.movement.run_sequences import NotExpressible
from alfil.play.opponent import PieceValues
from alfil.translation.automaton_to_runs import sequences_of_automaton

# Its fmax.ini has 14 files, and version 5.0b calls more than 12 an unsupported size.
FILES, RANKS, MAX_KINDS = 12, 16, 15
# Numbers of pieces: the pawns of both sides, and what they promote to.
PAWN_NUMBERS, PROMOTION_LIMIT = (1, 2), (7, 9)
# Values that say that no royal piece may be lost, or not the last one; that of a pawn; the last
# digit of what no pawn promotes to; what a piece is worth of what `alfil play` reckons.
ONE_ROYAL_VALUE = -1
ROYALS_VALUE = -400
PAWN_VALUE = 100
UNPROMOTABLE_DIGIT = 3
PIECE_VALUE_SCALE = 0.55
DECIMAL_BASE = 10
MOVE_LIMIT_MOVES, REPETITION_TIMES = 50, 3
# The one rank that may be said for both, where pawns stand and where the zone begins.
COMMON_PAWN_RANK = 3
EXPORTED_FIELDS = COMMON_PIECE_FIELDS | {"drop_check", "drop_mate", "per_file", "side"}
# What a piece file does not call as the game does.
RULE_WORDS = {"further": "its lines `moves`"}
NO_PIECE_NUMBER = 0


class _PieceLine(NamedTuple):
    """The line of a piece, for one side or both."""

    code: str
    rays: tuple[Ray, ...]
    sides: tuple[int, ...]


def export_game(library: Library) -> Export:
    """A game as a block for `fmax.ini`, its losses being comments before it.

    Raises `AlfilError` for a file that is no game with a set-up, and of kind "board-size" for a
    board larger than 12×16.
    """
    require_game_up_to_board_size(library, FILES, RANKS, "Fairy-Max")
    return _GameBlock(library).export()


class _GameBlock:
    """The lines of a game under construction, and the losses."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.variant = library.variant
        self.rules = library.rules
        self.traits_by_code = piece_traits(self.variant)
        self.letters = _piece_letters(self.variant)
        self._size = (self.variant.files, self.variant.ranks)
        self.losses: list[Diagnostic] = []

    def export(self) -> Export:
        """The whole block."""
        variant = self.variant
        numbered = self._numbered_lines()
        name = xboard_name(variant)
        rows = [self._back_rank_numbers(numbered, side) for side in (0, 1)]
        pieces = [self._line_text(numbered.get(each)) for each in range(1, max(numbered) + 1)]
        size = f"{variant.files}x{variant.ranks}{self._pawn_rank_and_zone_text()}"
        xboard_lines = ["#", *self._xboard_piece_lines(), f"// end of {name}"]
        self._add_rule_losses()
        self._add_piece_losses()
        letters = piece_table_letters(variant, self.letters)
        head = [f"// lost: {each.message}" for each in self.losses]
        notes = notes_on_rules_not_about_play(self.rules)
        head += [f"// not written: {note}" for note in notes]
        head += [f"// {variant.title}", f"Game: {name} # {letters}{letters.lower()} # fairy"]
        text = "\n".join([*head, size, *rows, *pieces, *xboard_lines]) + "\n"
        return Export(name, text, self.letters, tuple(self.losses), notes)

    def _add_loss(self, piece_or_rule: str, message: str) -> None:
        result = export_loss(self.library, piece_or_rule, message)
        if result not in self.losses:
            # A piece that moves otherwise for each side has two lines.
            self.losses.append(result)

    # Pawns, and where pieces stand

    @cached_property
    def _pawn_codes_and_rank(self) -> tuple[tuple[str, str], int]:
        """The codes of the pawns of both sides, and on what rank they stand, counted by each."""
        result = [self._pawn_code_and_rank_of_side(side) for side in (0, 1)]
        (own, rank), (other, others) = result
        if own and other and rank == others and rank in {2, 3}:
            return (own, other), rank
        promoting = [kind.code for kind in self.variant.kinds if kind.promotes]
        code = next(iter(promoting), "")
        self._add_loss(
            "setup", "there a rank of pawns is in front of the last one; place the pieces by hand"
        )
        return (code, code), 2

    def _pawn_code_and_rank_of_side(self, side: int) -> tuple[str, int]:
        """What one side has before its pieces, and where, if it is one whole rank of one kind."""
        last = self.variant.ranks - 1
        ahead = [each for each in self.variant.setup if each.side == side]
        ranks = {each.square: last - each.square[1] if side else each.square[1] for each in ahead}
        ahead = [each for each in ahead if ranks[each.square]]
        codes, result = {each.code for each in ahead}, {ranks[each.square] for each in ahead}
        if len(codes) == len(result) == 1 and len(ahead) == self.variant.files:
            return codes.pop(), result.pop() + 1
        return "", 0

    def _pawn_rank_and_zone_text(self) -> str:
        """What says where pawns stand and promote, where that is not as in chess."""
        pawns, rank = self._pawn_codes_and_rank
        zone = self.rules.zone
        if self._first_promotion_rank < self.variant.ranks:
            return f"={zone}"
        if zone > 1 or (not zone and any(map(self._promotion_codes, pawns))):
            self._add_loss("zone", "there pawns promote on the last rank")
        return f"={1 - rank}" if rank > 2 else ""  # noqa: PLR2004 - where pawns stand in chess

    @property
    def _first_promotion_rank(self) -> int:
        """The nearest rank on which pawns promote there."""
        _, rank = self._pawn_codes_and_rank
        deep = rank == self.rules.zone == COMMON_PAWN_RANK
        return self.variant.ranks + 1 - (rank if deep else 1)

    def _back_rank_numbers(self, numbered: dict[int, _PieceLine], side: int) -> str:
        """The numbers of the pieces on the last rank of a side."""
        rank = self.variant.ranks - 1 if side else 0
        number = {
            line.code: each
            for each, line in numbered.items()
            if each not in PAWN_NUMBERS and side in line.sides
        }
        own = {each.square: each.code for each in self.variant.setup if each.side == side}
        codes = [own.get((file, rank), "") for file in range(self.variant.files)]
        if side and not all(codes):
            # The program puts a piece without a name there, which is in the way.
            self._add_loss("setup", "there the second player has no empty square on the last rank")
        return " ".join(str(number.get(code, NO_PIECE_NUMBER)) for code in codes)

    # Pieces by number

    def _numbered_lines(self) -> dict[int, _PieceLine]:
        """The lines of pieces: pawns first, and what they promote to where it must stand."""
        pawns, _ = self._pawn_codes_and_rank
        result = {
            number: _PieceLine(code, self._piece_rays(code, side), (side,))
            for side, (number, code) in enumerate(zip(PAWN_NUMBERS, pawns, strict=True))
            if code
        }
        kinds = [kind for kind in self.variant.kinds if kind.code not in pawns]
        others = [line for kind in kinds for line in self._piece_lines(kind)]
        # From number 8 on, two royal pieces in check are a rule of its own.
        others.sort(key=lambda line: not self.traits_by_code[line.code].survive)
        result |= self._pawn_promotions(pawns, others)
        free = [
            n
            for n in range(PAWN_NUMBERS[-1] + 1, MAX_KINDS + 1)
            if n not in {*result, self._reserved_promotion_number(pawns)}
        ]
        waiting = [line for line in others if line not in result.values()]
        result |= dict(zip(free, waiting, strict=False))
        for line in waiting[len(free) :]:
            self._add_loss(line.code, f"it is left out: Fairy-Max has {MAX_KINDS} lines of pieces")
        return result

    def _reserved_promotion_number(self, pawns: tuple[str, str]) -> int:
        """The number that stays free where no pawn promotes: pawns would become that piece."""
        return 0 if any(self._promotion_codes(code) for code in pawns) else PROMOTION_LIMIT[0]

    def _promotion_codes(self, code: str) -> tuple[str, ...]:
        return self.traits_by_code[code].promotion.codes if code else ()

    def _pawn_promotions(
        self, pawns: tuple[str, str], others: list[_PieceLine]
    ) -> dict[int, _PieceLine]:
        """What the pawns of each side become where nothing else is said, with its number.

        That of the second side has a number of its own where it alone begins with it.
        """
        first, second = (
            self._pawn_promotion(code, side, others) for side, code in enumerate(pawns)
        )
        if first is None or first == second:
            return {PROMOTION_LIMIT[0]: first} if first else {}
        own, other = (
            {each.code for each in self.variant.setup if each.side == side} for side in (0, 1)
        )
        apart = first.code not in other or 1 not in first.sides
        if second and first.code in own and second.code in other and apart:
            return {PROMOTION_LIMIT[0]: first, PROMOTION_LIMIT[1]: second}
        self._add_loss(pawns[1], f"there it becomes the {first.code} of the first player")
        return {PROMOTION_LIMIT[0]: first}

    def _pawn_promotion(self, pawn: str, side: int, others: list[_PieceLine]) -> _PieceLine | None:
        codes = self._promotion_codes(pawn)
        result = (line for line in others if line.code == codes[0] and side in line.sides)
        return next(result, None) if codes else None

    def _piece_lines(self, kind: PieceType) -> Iterator[_PieceLine]:
        """The line of a kind, or one for each side where it has a front and a back."""
        if not self.letters[kind.code]:
            self._add_loss(
                kind.code, f"it is left out: Fairy-Max has {len(ascii_uppercase)} letters"
            )
            return
        rays = {side: self._piece_rays(kind.code, side) for side in kind.sides}
        if len({frozenset(each) for each in rays.values()}) == 1:
            yield _PieceLine(kind.code, rays[kind.sides[0]], kind.sides)
        else:
            yield from (_PieceLine(kind.code, rays[side], (side,)) for side in kind.sides)

    def _line_text(self, line: _PieceLine | None) -> str:
        """The line of a piece; a number that none has is one that neither moves nor comes up."""
        if line is None:
            free = (each for each in ascii_lowercase if each.upper() not in self.letters.values())
            # Where all letters are pieces', a piece that never comes up shares one.
            return f"{next(free, ascii_lowercase[-1])}:{UNPROMOTABLE_DIGIT}"
        letter = self.letters[line.code]
        slides = any(ray.is_slider for ray in line.rays)
        rays = " ".join(map(str, line.rays))
        return (
            f"{letter if slides else letter.lower()}:{self._piece_value(line.code)} {rays}".rstrip()
        )

    def _piece_value(self, code: str) -> int:
        """What a piece is worth; royal pieces have none, or one below 0."""
        pawns, _ = self._pawn_codes_and_rank
        survive = self.traits_by_code[code].survive
        value = PAWN_VALUE if code in pawns else round(PIECE_VALUE_SCALE * self._piece_values[code])
        chosen = code in self._promotion_codes(pawns[0]) and not survive
        if chosen == (value % DECIMAL_BASE == UNPROMOTABLE_DIGIT):
            value = (
                value + 1 if chosen else value // DECIMAL_BASE * DECIMAL_BASE + UNPROMOTABLE_DIGIT
            )
        return {"any": ONE_ROYAL_VALUE, "all": ROYALS_VALUE}.get(survive, value)

    @cached_property
    def _piece_values(self) -> dict[str, float]:
        compiled = compile_variant(self.variant)
        board = PieceValues(compiled, 0, noise=0, advancing=False).board
        result = {}
        for code, number in compiled.number.items():
            begin = (2 * number + 1) * compiled.size
            result[code] = sum(board[begin : begin + compiled.size]) / compiled.size
        return result

    # Moves

    def _piece_rays(self, code: str, side: int) -> tuple[Ray, ...]:
        """All rays of a piece, as one side has it; those that no ray says are lost."""
        missing: list[str] = []
        rays: list[Ray] = []
        for part in self.variant.kind(code).meaning.parts:
            result, lost = self._part_rays(part, code, side)
            rays += result
            missing += lost
        result = [ray for ray in rays if ray.file_distance + self.variant.files <= BOARD_WIDTH]
        if result != rays:
            missing.append("leaps that far aside on so wide a board")
        if side == self.variant.kind(code).sides[0]:
            for each in dict.fromkeys(missing):
                self._add_loss(code, f"there it has no {each}")
        return tuple(each.rotated() if side else each for each in result)

    def _part_rays(
        self, part: GuardedAutomaton, code: str, side: int
    ) -> tuple[list[Ray], list[str]]:
        """The rays of one part of a piece, and what no ray says."""
        guard = {each.kind: each.value for each in part.guard}
        try:
            rows = sequences_of_automaton(part.automaton, exact_ends=True)
        except NotExpressible:
            return [], ["moves along such paths"]
        if not guard:
            return rays_of_sequences(rows, self._size)
        if guard in ({"move": 1}, {"move": 1, "trail": 0}):
            pawn = code in self._pawn_codes_and_rank[0]
            trail = "trail" in guard and self._has_en_passant
            return first_move_rays(rows, self._size, pawn=pawn, ep_capturable=trail)
        if {*guard} == {"castle", "move"} and not any(each.inset for each in part.guard):
            last = self.variant.files - 1 if side else 0
            files = [
                abs(last - each.square[0])
                for each in self.variant.setup
                if (each.code, each.side) == (code, side)
            ]
            return castling_rays(rows, guard["castle"], files, self._size)
        return [], [f"moves {timing_in_words(part.guard)}"]

    @cached_property
    def _has_en_passant(self) -> bool:
        """Whether pawns capture en passant; there all do, or none where no double step tells."""
        pawns = [self.variant.kind(code) for code in self._pawn_codes_and_rank[0] if code]
        return any_move_has_bits((pawn.meaning for pawn in pawns), ON_TRAIL, 0)

    # Rules

    def _add_rule_losses(self) -> None:
        """Differences from the games that the program knows."""
        for name in unsupported_fields(self.rules, Rules, supported_rules("fairy-max")):
            self._add_loss(name.replace("_", "-"), "Fairy-Max has no such rule")
        for what, message, holds in self._rule_differences():
            if holds:
                self._add_loss(what, message)

    def _rule_differences(self) -> Iterator[tuple[str, str, bool]]:
        """Rules that differ in the program, and whether the game has them."""
        rules, variant = self.rules, self.variant
        limit = rules.move_limit or MoveLimit(0)
        unlimited = limit.moves != MOVE_LIMIT_MOVES or {*limit.codes} != {
            *self._pawn_codes_and_rank[0]
        }
        sides = [[each.code for each in variant.setup if each.side == side] for side in (0, 1)]
        royal = all(any(self.traits_by_code[code].survive for code in own) for own in sides)
        repeats = rules.repetition == Repetition(REPETITION_TIMES, "draw")
        plain = rules.promotion_when in {"ends", "touches"}
        yield "win", "there mate wins, and nothing else", rules.win != (MATE,)
        yield "repetition", "there a position that is met three times is a draw", not repeats
        draws = f"there {MOVE_LIMIT_MOVES} moves without a capture or a move of a pawn are a draw"
        yield "move-limit", draws, unlimited
        yield "promotion-when", "there pawns promote where their moves end", not plain
        yield "hand", "there nothing is in hand", any(variant.hands)
        yield "board", "there pieces go over every square", bool(variant.walls)
        yield "royal", "there each side has a king to lose", not royal

    def _add_piece_losses(self) -> None:
        """Facts about pieces that the program cannot express."""
        pawns, _ = self._pawn_codes_and_rank
        for kind in self.variant.kinds:
            nature = self.traits_by_code[kind.code]
            promotion = self.traits_by_code[kind.code].promotion
            for name in unsupported_fields(kind, PieceType, EXPORTED_FIELDS):
                key = RULE_WORDS.get(name, name.replace("_", "-"))
                self._add_loss(kind.code, f"Fairy-Max has nothing like {key}")
            if nature.iron_against and not kind.immune_to:
                self._add_loss(kind.code, "there every piece can capture it")
            if nature.effects:
                self._add_loss(kind.code, "there it does nothing to what is in its range")
            if kind.code in pawns:
                self._add_pawn_losses(kind, promotion, pawns[0])
            else:
                self._add_other_promotion_losses(kind)

    def _add_pawn_losses(self, kind: PieceType, promotion: Promotion, first: str) -> None:
        if promotion.mode != "forced" or promotion.by is not None or promotion.from_rank:
            self._add_loss(kind.code, "there it must promote, on the last rank or in the zone")
        elif {*promotion.codes} != {*self._promotion_codes(first)}:
            self._add_loss(kind.code, f"there it promotes as {first} does")
        elif any(self.traits_by_code[each].survive for each in promotion.codes):
            self._add_loss(kind.code, "there no pawn becomes a royal piece")
        if promotion.codes:
            self._add_zone_losses(kind.code)
        if self._has_en_passant and not any_move_has_bits([kind.meaning], ON_TRAIL, 0):
            self._add_loss(kind.code, "there all pawns capture en passant")

    def _add_zone_losses(self, code: str) -> None:
        """Moves that reach the zone and promote no pawn there."""
        _, rank = self._pawn_codes_and_rank
        first, rays = self._first_promotion_rank, self._piece_rays(code, 0)
        if any(ray.may_advance_by(first - rank) for ray in rays):
            self._add_loss(code, "there it promotes with no first move")
        later = [ray for ray in rays if not ray.is_first_move]
        if first < self.variant.ranks and any(ray.may_advance_by(2) for ray in later):
            self._add_loss(code, "there it promotes on the nearest rank of the zone only")

    def _add_other_promotion_losses(self, kind: PieceType) -> None:
        if self._promotion_codes(kind.code):
            self._add_loss(kind.code, "there only pawns promote")
        if any_move_has_bits([kind.meaning], ON_TRAIL, 0):
            self._add_loss(kind.code, "there only pawns capture en passant")

    def _xboard_piece_lines(self) -> Iterator[str]:
        """How pieces move in XBoard's dialect, for the board that the game is played on."""
        for kind in self.variant.kinds:
            letter, text = self.letters[kind.code], xboard_betza(self.library, kind.code)
            if letter and text:
                own = {"both": f"{letter}&", "first": letter, "second": letter.lower()}[kind.side]
                yield f"# {own} {text}"


def _piece_letters(variant: Variant) -> dict[str, str]:
    """A letter for each kind; promoted forms have one of their own, "" where none is left."""
    result = piece_letters(variant)
    # One is left for numbers that no piece has.
    free = iter([each for each in ascii_uppercase if each not in result.values()][:-1])
    return {code: letter if len(letter) == 1 else next(free, "") for code, letter in result.items()}

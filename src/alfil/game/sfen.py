"""Positions as text, as in SFEN: board, side to move, hands, number of the move, and what else
the moves depend on. Chess FEN is read too, in games whose first side is white.

What a position remembers of earlier moves stands in fields of its own, and only where it is not
what the board itself suggests: a piece on a square where one like it began has not moved, every
other piece has.

- ``m=e1:-,h4:2``: how many moves pieces have made; ``-`` for a piece that has moved.
- ``ep=e3:e4``: a square that can be captured on, and the square of the piece taken there.
- ``checks=2,0``: how many checks the first and the second side have given, where they may win.
- ``holds=e4:e5``: a piece that holds another one, by squares, so that that cannot move.
- ``countdown=32:7``: in how many moves of both sides a side must be mated, and how many were made.
- ``exchange=8j``: where the last move captured a piece that may not be exchanged, by another kind.
- ``idle=12``: how many moves in a row neither captured nor did what else a limit of moves asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NoReturn

from alfil.errors import PositionError, RuleError, reject, require_type
from alfil.game.compiled_variant import (
    DROPPED_MOVE_COUNT,
    SIDES,
    UNKNOWN_MOVE_COUNT,
    UNLIMITED,
    CompiledVariant,
    bits_to_squares,
)
from alfil.game.immobilisation import immobiliser_targets_and_limits
from alfil.game.position import Position
from alfil.game.square_sections import SquareSection
from alfil.source import Source, Span
from alfil.squares import number_in_letters, parse_square

TextField = tuple[str, int]

HISTORY_FIELDS = ("m", "ep", "holds", "checks", "exchange", "idle", "countdown")
_KNOWN_FIELDS = ", ".join(f"{name}=" for name in HISTORY_FIELDS)
_NUMBER_PAIR = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")


def assumed_move_count(compiled: CompiledVariant, square: int, piece: int) -> int:
    """The assumed move count of a piece when only the board is known."""
    return 0 if piece and compiled.starting.get(square) == piece else UNKNOWN_MOVE_COUNT


def castling_partners(position: Position, square: int) -> list[int]:
    """The squares of possible castling partners of a piece."""
    compiled, board = position.compiled, position.board
    piece, rank, large = board[square], square - square % compiled.files, compiled.footprints.large
    edges = [
        file
        for x in compiled.castling_partner_insets[piece]
        for file in (compiled.files - 1 - x, x)
    ]
    result = [
        s
        for s in map(rank.__add__, edges)
        if s != square
        and 0 < (other := board[s]) < compiled.wall
        and (other - piece) % 2 == 0
        and not large[other]
        and compiled.may_castle_with(piece, other)
    ]
    others = compiled.partners_if_castling_to_files[piece]
    along = range(rank, rank + compiled.files) if others else ()
    return result + [s for s in along if board[s] in others]


def write_history(position: Position, checks: tuple[int, int]) -> list[str]:
    """The further fields of a position's text; usually none."""
    compiled = position.compiled
    entries = _move_count_entries(position) if compiled.needs_move_counts else []
    fields = [f"m={','.join(entries)}"] if entries else []
    trail = [
        f"{compiled.square_name(s)}:{compiled.square_name(v)}"
        for s, v in sorted(position.trail.items())
    ]
    if trail:
        fields.append(f"ep={','.join(trail)}")
    held = [
        f"{compiled.square_name(one)}:{compiled.square_name(other)}"
        for one, other in position.holds
    ]
    if held:
        fields.append(f"holds={','.join(held)}")
    if any(checks) and compiled.checks_to_win:
        fields.append(f"checks={checks[0]},{checks[1]}")
    if position.exchanged is not None:
        fields.append(f"exchange={compiled.square_name(position.exchanged)}")
    return fields


def _move_count_entries(position: Position) -> list[str]:
    """The entries of all pieces whose moves made are other than the board says."""
    compiled = position.compiled
    ready: set[int] = set()
    for square, piece in position.pieces:
        if compiled.is_castler[piece] and position.made[square] == 0:
            ready.update(castling_partners(position, square))
    return [
        entry
        for square, _ in position.pieces
        for entry in _move_count_entry(position, square, partner=square in ready)
    ]


def _move_count_entry(position: Position, square: int, *, partner: bool) -> list[str]:
    """The entry of one piece, none where the board says as much."""
    compiled = position.compiled
    piece, count = position.board[square], position.made[square]
    limit = max(compiled.piece_move_count_caps[piece], 1 if compiled.is_castler[piece] else 0)
    if count == DROPPED_MOVE_COUNT and limit == 0:
        count = UNKNOWN_MOVE_COUNT
    if count >= (limit or 1 if partner else limit):
        count = UNKNOWN_MOVE_COUNT
    if count == assumed_move_count(compiled, square, piece) or not (limit or partner):
        return []
    shown = {UNKNOWN_MOVE_COUNT: "-", DROPPED_MOVE_COUNT: "d"}.get(count, str(count))
    return [f"{compiled.square_name(square)}:{shown}"]


def _may_last_move_have_passed(position: Position, square: int, victim: int) -> bool:
    """Whether a move from an empty square to the victim's passes over a square."""
    there = position.board[victim]
    return any(
        origin == victim or _may_be_last_origin(position, origin, there)
        for origin in _origins_of_moves_over(position.compiled, there, square, victim)
    )


def _origins_of_moves_over(
    compiled: CompiledVariant, piece: int, passed: int, target: int
) -> list[int]:
    """The squares from which moves lead past a square to another one, and end as a piece there."""
    known: dict[tuple[int, int, int], list[int]] = compiled.cache.setdefault("past", {})
    key = (piece, passed, target)
    if key not in known:
        known[key] = [
            origin
            for origin in range(compiled.size)
            if any(
                square_moves.leaves_trail and _passes_square(square_moves, passed, target)
                for mover in _possible_pieces_before_move(compiled, piece, origin, target)
                for square_moves in compiled.square_moves(mover, origin)
            )
        ]
    return known[key]


def _possible_pieces_before_move(
    compiled: CompiledVariant, piece: int, origin: int, target: int
) -> Iterator[int]:
    """The pieces that may be another one after a move from a square to another."""
    for mover in range(2 - piece % 2, compiled.wall, 2):
        forms = (
            compiled.promotions(mover, origin, target, captures=each) for each in (False, True)
        )
        if any(piece in each for each in forms):
            yield mover


def _may_be_last_origin(position: Position, square: int, piece: int) -> bool:
    """Whether a piece may just have gone from a square: what it left there is a wall, or gated."""
    compiled, there = position.compiled, position.board[square]
    walled = there == compiled.wall and compiled.rules.wall != "none"
    gated = any(compiled.gates) and there < compiled.wall and there % 2 == piece % 2
    return not there or walled or gated


def _passes_square(square_moves: SquareSection, square: int, victim: int) -> bool:
    """Whether a part leads past a square to the victim's; what has no table may go anywhere."""
    if square_moves.automaton is not None:
        return True
    return any(end.target == victim and square in end.passed for end in square_moves.ends)


# A board of one figure for each run of empty squares; larger boards write numbers.
SINGLE_DIGIT = 9
_DIGITS = frozenset("0123456789")
# So many ranks are kept as they were read.
MAX_CACHED_ROWS = 5_000
FEN_FIELDS = 6
# A castling partner by its wing: the outermost square there.
_WINGS: tuple[tuple[str, Callable[[list[int]], int]], ...] = (("K", max), ("Q", min))
EPD_FIELDS = 4
# Where FEN may have one field more for checks, and what stands there.
CHECKS_LEFT_INDEX, CHECKS_GIVEN_INDEX = 4, 6
_CHECKS_PATTERN_BY_INDEX = {
    CHECKS_LEFT_INDEX: re.compile("([0-9])[+]([0-9])"),
    CHECKS_GIVEN_INDEX: re.compile("[+]([0-9])[+]([0-9])"),
}
SFEN_FIELDS = ("board", "side", "hands", "number")
_HAND_PATTERN = re.compile(r"(?<![0-9])([0-9]*+)(\[[^\]]*\]|\+?[^0-9])")

# A square that is walled up, or is none of the board; and one that a piece takes up whose own
# square is another one.
WALL, COVER = "*", "_"


class Alphabet:
    """The letters of pieces in position strings of a variant."""

    def __init__(self, compiled: CompiledVariant) -> None:
        self.symbols = [""]
        for kind in compiled.kinds:
            self.symbols += [kind.text_symbol.upper(), kind.text_symbol.lower()]
        # A piece of one side only is written as no other piece of that side is.
        own = [(1 + 2 * n + side) for n, kind in enumerate(compiled.kinds) for side in kind.sides]
        self.pieces = {self.symbols[piece]: piece for piece in own}
        if len(self.pieces) < len(own):
            self._reject_duplicate_letters(compiled)
        # FEN has `Q~` for a queen that turns back when it is captured.
        bases = {kind.letter: kind.base for kind in compiled.kinds}
        self.fen_symbols = self.symbols[:]
        for piece in own:
            kind = compiled.kinds[(piece - 1) >> 1]
            if bases.get(kind.letter.removeprefix("+"), kind.base) != kind.base:
                self.fen_symbols[piece] = f"{self.symbols[piece].removeprefix('+')}~"
        self.fen_symbols += [WALL, COVER]
        self.pieces |= {self.fen_symbols[piece]: piece for piece in own}
        # Walls, and what pieces take up, are no pieces of anybody's.
        self.symbols += [WALL, COVER]
        # What has been read before: ranks, and hands as counts of each piece.
        self.rows: dict[str, list[int]] = {}
        self.hands: dict[str, list[int]] = {}
        self.sides = compiled.rules.side_letters
        files = (
            {number_in_letters(file) for file in range(compiled.files)}
            if compiled.has_castling
            else set()
        )
        self.royals = _royal_count_bounds(compiled)
        # What may stand among the castling rights of FEN.
        self.rights = frozenset("KQkq") | files | {file.upper() for file in files}

    def piece(self, symbol: str, side: int) -> int | None:
        """The piece of a side that a symbol in capital or small letters stands for."""
        return self.pieces.get(symbol.lower() if side else symbol.upper())

    def _reject_duplicate_letters(self, compiled: CompiledVariant) -> NoReturn:
        seen: dict[str, str] = {}
        for kind in compiled.kinds:
            letter = kind.letter.upper()
            if letter in seen or letter == kind.letter.lower():
                who = f"{seen.get(letter, kind.code)} and {kind.code}"
                message = f"{who} are both written {kind.letter} in positions"
                hint = "give one of them another letter"
                reject(
                    RuleError, "duplicate-letter", message, Source(kind.letter, "<game>"), hint=hint
                )
            seen[letter] = kind.code
        raise AssertionError(compiled.variant.name)


def starting_position(compiled: CompiledVariant) -> Position:
    """The starting position of a game; `PositionError` where it has none."""
    if "start" not in compiled.cache:
        compiled.cache["start"] = _starting_position(compiled)
    result: Position = compiled.cache["start"]
    return result


def _starting_position(compiled: CompiledVariant) -> Position:
    if not (
        compiled.starting or any(compiled.variant.hands) or any(compiled.is_dropped_from_nowhere)
    ):
        name = compiled.variant.name
        message, hint = f"{name} has no starting position to begin with", "give a position"
        reject(PositionError, "no-setup", message, Source(name, "<game>"), hint=hint)
    position = Position(compiled)
    for square, piece in compiled.starting.items():
        position.place_piece(square, piece)
        position.made[square] = assumed_move_count(compiled, square, piece)
    for square in bits_to_squares(compiled.holes):
        position.board[square] = compiled.wall
    for side, hand in enumerate(compiled.variant.hands):
        for code, count in hand:
            if (
                compiled.royal[compiled.piece_number(code, side)]
                and compiled.rules.drops_first == "no"
            ):
                message, hint = f"{code} is royal, and never in hand", "set it up on the board"
                source = Source(code, "<game>")
                reject(PositionError, "position-piece", message, source, hint=hint)
            position.hands[side][compiled.number[code]] += count
    return position


def write_position(
    position: Position,
    alphabet: Alphabet,
    checks: tuple[int, int] = (0, 0),
    idle: int = 0,
    countdown: tuple[int, int] = (0, 0),
) -> str:
    """A position as text; `read_position` gives the same one.

    ``checks`` are those that the first and the second side have given, ``idle`` the moves that
    count towards a limit, ``countdown`` the moves of a countdown and those made of them.
    """
    compiled = position.compiled
    files = compiled.files
    symbols = [alphabet.symbols[piece] for piece in position.board]
    hands = "".join(
        f"{count if count > 1 else ''}{alphabet.symbols[1 + 2 * kind + side]}"
        for side in (0, 1)
        for kind, count in enumerate(position.hands[side])
        if count
    )
    fields = [
        board_rows(symbols, files),
        alphabet.sides[position.turn],
        hands or "-",
        str(position.number),
    ]
    count = [f"idle={idle}"] if idle and compiled.rules.move_limit else []
    count += [f"countdown={countdown[0]}:{countdown[1]}"] if countdown[0] else []
    return " ".join([*fields, *write_history(position, checks), *count])


def board_rows(symbols: list[str], files: int) -> str:
    """A board by its squares, the last rank first: empty ones are counted, / stands between ranks.

    >>> board_rows(["", "K", "", "", "", ""], 3)
    '3/1K1'
    """
    rows = []
    for start in reversed(range(0, len(symbols), files)):
        runs = groupby(symbols[start : start + files], key=bool)
        rows.append("".join("".join(run) if full else str(len([*run])) for full, run in runs))
    return "/".join(rows)


def read_position(
    text: str, compiled: CompiledVariant, alphabet: Alphabet, *, kingless: bool = False
) -> Position:
    """The position a text stands for.

    Fields that are missing at the end read as the first side, empty hands, and 1. With ``kingless``
    a side may have fewer royals than the game asks for. Raises `PositionError`, and TypeError for
    what is no text.
    """
    require_type(text, str, "a position is a text")
    return _PositionReader(text, compiled, alphabet, kingless=kingless).position()


class _PositionReader:
    """Reads one text."""

    def __init__(
        self, text: str, compiled: CompiledVariant, alphabet: Alphabet, *, kingless: bool
    ) -> None:
        self._source = Source(text, "<position>")
        self._kingless = kingless
        self._compiled = compiled
        self._alphabet = alphabet
        self._position = Position(compiled)

    def position(self) -> Position:
        plain, memory = self._split_fields(), list[TextField]()
        if "=" in self._source.text:
            memory = [field for field in plain if "=" in field[0]]
            plain = [field for field in plain if "=" not in field[0]]
        if not plain:
            self._refuse("position-text", "a position begins with its board", self._source.text, 0)
        self._read_board(*plain[0])
        if len(plain) > 1:
            self._read_side(*plain[1])
        plain = self._add_missing_clocks(self._read_and_remove_checks(plain))
        if len(plain) == FEN_FIELDS and self._compiled.rules.first == "white":
            self._read_fen(plain)
        else:
            self._read_sfen(plain)
        self._read_history(memory)
        self._check_royal_counts()
        return self._position

    def _refuse(self, kind: str, message: str, text: str, at: int, hint: str = "") -> NoReturn:
        """Raise `PositionError` for a part of the text."""
        reject(PositionError, kind, message, self._source, Span(at, at + len(text)), hint)

    def _split_fields(self) -> list[TextField]:
        """The fields and where each begins; exactly one blank stands between two."""
        result = []
        at = 0
        if not self._source.text:
            self._refuse("position-text", "an empty text is no position", "", at)
        for field in self._source.text.split(" "):
            if not field:
                message = "write one blank between two fields, and none at the ends"
                self._refuse("position-text", message, " ", at)
            result.append((field, at))
            at += len(field) + 1
        return result

    def _read_and_remove_checks(self, plain: list[TextField]) -> list[TextField]:
        """The fields without one for checks, which FEN may have more than others, once it is read.

        The fifth of them counts the checks that both sides still need, the last those given.
        """
        most = self._compiled.checks_to_win
        for field, pattern in (
            _CHECKS_PATTERN_BY_INDEX.items() if most and len(plain) > FEN_FIELDS else ()
        ):
            match = pattern.fullmatch(plain[field][0])
            counts = [int(each) for each in match.groups()] if match else [most + 1]
            if max(counts) <= most:
                first, second = (
                    most - each if field == CHECKS_LEFT_INDEX else each for each in counts
                )
                self._position.checks = first, second
                return [*plain[:field], *plain[field + 1 :]]
        return plain

    def _add_missing_clocks(self, plain: list[TextField]) -> list[TextField]:
        """The fields of FEN, with the clocks that EPD leaves out; any other fields as they are."""
        is_short = len(plain) == EPD_FIELDS and self._compiled.rules.first == "white"
        if not is_short or plain[-1][0].isdigit():
            return plain
        end = len(self._source.text)
        return [*plain, ("0", end), ("1", end)]

    def _read_sfen(self, plain: list[TextField]) -> None:
        if len(plain) > len(SFEN_FIELDS):
            message = f"a position has {len(SFEN_FIELDS)} fields: board, side, hands and number"
            fen = "six fields are read as FEN" * (self._compiled.rules.first == "white")
            self._refuse("position-text", message, *plain[len(SFEN_FIELDS)], hint=fen)
        # lishogi has the square of an exchange in place of the hands.
        held = self._compiled.variant.has_hands
        exchange = len(plain) > 2 and plain[2][0][:1].isdigit() and not held  # noqa: PLR2004
        third = self._read_exchange_square if exchange else self._read_hands
        for field, read in zip(plain[2:], (third, self._read_move_number), strict=False):
            read(*field)

    def _read_fen(self, plain: list[TextField]) -> None:
        clock, at = plain[4]
        if not re.fullmatch("[0-9]{1,6}", clock):
            message = "the fifth field of FEN counts moves since the last capture, up to 999999"
            self._refuse("position-text", message, clock, at)
        self._position.idle = int(clock)
        self._read_castling_rights(*plain[2])
        self._read_en_passant(*plain[3])
        self._read_move_number(*plain[5])
        self._position.number = 2 * self._position.number - 1 + self._position.turn

    def _read_castling_rights(self, rights: str, at: int) -> None:
        """The third field of chess FEN, castling rights."""
        known = self._alphabet.rights
        if rights != "-" and not (known.issuperset(rights) and len(set(rights)) == len(rights)):
            message = "castling rights are some of KQkq, or files, or -"
            self._refuse("position-memory", message, rights, at)
        compiled = self._compiled
        if not any((*compiled.castlers_with_inset_partners, *compiled.castlers_to_own_files)):
            return
        for side, case in enumerate((str.isupper, str.islower)):
            own = "".join(filter(case, rights))
            for file in self._set_rights_and_list_unmatched(side, {*own.upper()}):
                index = rights.index(own[own.upper().index(file)])
                message = f"no piece on file {file.lower()} could castle with the king"
                self._refuse("position-memory", message, file, at + index)

    def _set_rights_and_list_unmatched(self, side: int, rights: set[str]) -> set[str]:
        """Set which castling partners have moved; returns the files without a partner.

        A partner is the outermost one of its wing, or that of a file. One that begins on a square
        of its own has moved if it stands elsewhere; one that may begin anywhere has not.
        """
        compiled, position = self._compiled, self._position
        left = rights.difference(wing for wing, _ in _WINGS)
        to_files = compiled.castlers_to_own_files[side]
        for square in position.squares_of(
            [*compiled.castlers_with_inset_partners[side], *to_files]
        ):
            # Without a right it is the one that castles that has moved; others are as they look.
            position.made[square] = UNKNOWN_MOVE_COUNT
            if not rights:
                continue
            there = [square, *castling_partners(position, square)]
            granted = {square, *(outermost(there) for wing, outermost in _WINGS if wing in rights)}
            if left:
                named = {each: number_in_letters(each % compiled.files).upper() for each in there}
                granted |= {each for each in there if named[each] in rights}
                left -= {named[each] for each in there[1:]}
            anywhere = position.board[square] in to_files
            for each in there:
                # Without a set-up it stands where it began.
                unmoved = anywhere or not compiled.starting
                begun = 0 if unmoved else assumed_move_count(compiled, each, position.board[each])
                position.made[each] = begun if each in granted else UNKNOWN_MOVE_COUNT
        return left

    def _read_en_passant(self, name: str, at: int) -> None:
        """The fourth field of chess FEN, the square of en passant."""
        if name == "-":
            return
        to = self._read_square(name, at)
        victim = to + self._compiled.files * (1 if self._position.turn else -1)
        if not 0 <= victim < self._compiled.size:
            message = f"no piece can be taken en passant on {name}"
            self._refuse("position-memory", message, name, at)
        self._add_en_passant_square(to, victim, name, at)

    def _read_history(self, fields: list[TextField]) -> None:
        """Put what the further fields say into the position."""
        seen = set[str]()
        for field, at in fields:
            name, _, entries = field.partition("=")
            if name not in HISTORY_FIELDS:
                message = f"no field of a position is called {name}"
                self._refuse("position-memory", message, field, at, f"known are {_KNOWN_FIELDS}")
            twice = {
                "ep": self._position.trail,
                "checks": any(self._position.checks),
                "exchange": self._position.exchanged is not None,
            }
            if name in seen or twice.get(name):
                message, hint = f"{name}= is given twice", "leave one of them out"
                self._refuse("position-memory", message, field, at, hint)
            seen.add(name)
            of_game = {
                "idle": self._read_move_limit_count,
                "countdown": self._read_countdown,
                "checks": self._read_checks,
                "exchange": self._read_exchange_square,
            }
            if name in of_game:
                of_game[name](entries, at + len(name) + 1)
            else:
                self._read_history_entries(name, entries, at + len(name) + 1)

    def _read_history_entries(self, name: str, entries: str, at: int) -> None:
        seen = set[tuple[int, ...]]()
        for entry in entries.split(","):
            about = (
                self._read_immobiliser_and_target(entry, at)
                if name == "holds"
                else self._read_history_entry(name, entry, at)
            )
            if about in seen:
                message = f"{':'.join(map(self._compiled.square_name, about))} is given twice"
                self._refuse("position-memory", message, entry, at, "leave one of them out")
            seen.add(about)
            at += len(entry) + 1

    def _read_move_limit_count(self, entries: str, at: int) -> None:
        """The moves in a row that count towards a limit."""
        if self._compiled.rules.move_limit is None:
            self._refuse("position-memory", "no moves are counted in this game", entries, at)
        if not re.fullmatch("[0-9]{1,6}", entries):
            self._refuse(
                "position-memory", "idle= needs a number of moves, up to 999999", entries, at
            )
        self._position.idle = int(entries)

    def _read_countdown(self, entries: str, at: int) -> None:
        """The moves in which a side must be mated, and those made of them."""
        if not self._compiled.rules.countdown:
            self._refuse("position-memory", "there is no countdown in this game", entries, at)
        match = re.fullmatch("([0-9]{1,6}):([0-9]{1,6})", entries)
        if not match:
            self._refuse("position-memory", "countdown= needs two numbers", entries, at, "as 32:7")
        self._position.countdown = int(match[1]), int(match[2])

    def _read_exchange_square(self, name: str, at: int) -> None:
        """The square where a piece was captured that may not be exchanged."""
        if not self._compiled.rules.no_exchange:
            message = "any pieces may be exchanged in this game"
            self._refuse("position-memory", message, name, at)
        self._position.exchanged = self._read_square(name, at)

    def _read_checks(self, entries: str, at: int) -> None:
        """The checks that both sides have given."""
        most = self._compiled.checks_to_win
        if not most:
            message = "checks are not counted in this game"
            self._refuse("position-memory", message, entries, at)
        match = _NUMBER_PAIR.fullmatch(entries)
        counts = (int(match[1]), int(match[2])) if match else (-1, -1)
        if not 0 <= min(counts) <= max(counts) <= most:
            message = f"checks= needs the checks of either side, from 0 to {most}"
            self._refuse("position-memory", message, entries, at, "write it like this: checks=1,0")
        self._position.checks = counts

    def _read_immobiliser_and_target(self, entry: str, at: int) -> tuple[int, ...]:
        """Read which piece holds which; their squares."""
        position = self._position
        first, _, second = entry.partition(":")
        one = self._read_square(first, at)
        other = self._read_square(second, at + len(first) + 1)
        reach = [each for each in immobiliser_targets_and_limits(position, one) if other in each[0]]
        if not reach:
            message = f"nothing on {first} can hold a piece on {second}"
            self._refuse("position-memory", message, entry, at)
        holds = {*position.holds, (one, other)}
        held = sum(holder == one for holder, _ in holds)
        if all(most and held > most for _, most in reach):
            message = f"the piece on {first} cannot hold so many"
            self._refuse("position-memory", message, entry, at)
        position.holds = tuple(sorted(holds))
        return one, other

    def _read_history_entry(self, name: str, entry: str, at: int) -> tuple[int, ...]:
        """Read one entry; the square that it is about."""
        first, _, second = entry.partition(":")
        square = self._read_square(first, at)
        if name == "ep":
            if not second:
                hint = "write the square of the piece too: ep=e3:e4"
                message = f"{entry} does not say which piece is taken there"
                self._refuse("position-memory", message, entry, at, hint)
            self._add_en_passant_square(
                square, self._read_square(second, at + len(first) + 1), entry, at
            )
            return (square,)
        if not 0 < self._position.board[square] < self._compiled.wall:
            self._refuse("position-memory", f"no piece is on {first}", entry, at)
        if second in {"-", "d"}:
            self._position.made[square] = (
                UNKNOWN_MOVE_COUNT if second == "-" else DROPPED_MOVE_COUNT
            )
        elif second.isascii() and second.isdigit() and int(second[:9]) < UNLIMITED:
            self._position.made[square] = int(second[:9])
        else:
            message = f"{entry}: write a number of moves, or -, after the square"
            self._refuse("position-memory", message, entry, at)
        return (square,)

    def _add_en_passant_square(self, square: int, victim: int, text: str, at: int) -> None:
        """A piece that moved last can be taken on a square that it passed."""
        position, board = self._position, self._position.board
        name, there = self._compiled.square_name(square), self._compiled.square_name(victim)
        taken = board[victim] if board[victim] < self._compiled.wall else 0
        wrong = ""
        if board[square]:
            wrong = f"{name}: en passant goes to a free square"
        elif not taken or (taken - 1) % 2 == position.turn:
            wrong = f"{name}: en passant takes an enemy, and none is on {there}"
        elif position.trail and victim not in position.trail.values():
            wrong = "only the piece that moved last can be taken en passant"
        elif not _may_last_move_have_passed(position, square, victim):
            wrong = f"no move of the piece on {there} passes {name} and can be met there"
        if wrong:
            self._refuse("position-memory", wrong, text, at)
        position.trail = {**position.trail, square: victim}

    def _read_square(self, name: str, at: int) -> int:
        compiled = self._compiled
        square = parse_square(name, compiled.files, compiled.ranks, compiled.rules.coordinates)
        if square is None:
            message = f"{name} is no square of this board" if name else "a square is missing"
            self._refuse("position-memory", message, name, at)
        return compiled.square(square)

    def _read_board(self, board: str, start: int) -> None:
        compiled = self._compiled
        board, bracket, hands = self._split_hands(board)
        rows = board.split("/")
        if len(rows) != compiled.ranks:
            message = f"the board has {compiled.ranks} ranks, not {len(rows)}"
            self._refuse("position-size", message, board, start)
        known, ranks = self._alphabet.rows, list[list[int]]()
        for index, row in enumerate(rows):
            ranks.append(
                known.get(row) or self._read_and_cache_rank(row, start, compiled.ranks - 1 - index)
            )
            start += len(row) + 1
        # The last rank stands first.
        self._position.board = [piece for rank in reversed(ranks) for piece in rank]
        self._check_holes_and_set_unmoved(board, start - len(board) - 1)
        if bracket and hands != "-":
            self._read_hands(hands or "-", start)

    def _check_holes_and_set_unmoved(self, board: str, at: int) -> None:
        """See that the board has the walls of this game, and what has not moved as it looks."""
        compiled, position = self._compiled, self._position
        for square in bits_to_squares(compiled.holes):
            if position.board[square] != compiled.wall:
                message = (
                    f"{compiled.square_name(square)} is no square of this board: {WALL} is for it"
                )
                self._refuse("position-text", message, board, 0)
        if compiled.footprints.any:
            self._check_footprints(board, at)
        for square, piece in compiled.starting.items() if compiled.needs_move_counts else ():
            if position.board[square] == piece:
                position.made[square] = 0

    def _check_footprints(self, text: str, at: int) -> None:
        """Check that all that pieces take up is marked, and nothing else."""
        compiled, position = self._compiled, self._position
        left = {square for square, there in enumerate(position.board) if there == compiled.cover}
        for square, piece in position.pieces:
            name = compiled.kinds[(piece - 1) >> 1].name
            wide, high = compiled.footprints.steps[piece][-1]
            phrase = f"the {name} on {compiled.square_name(square)} takes up"
            if not compiled.footprints.is_on_board(piece, square):
                size = f"{abs(wide) + 1} by {abs(high) + 1} squares"
                self._refuse("position-cover", f"{phrase} {size}, not all on the board", text, at)
            others = {*compiled.footprints.occupied_squares(piece, square)[1:]}
            for other in sorted(others - left):
                message = f"{phrase} {compiled.square_name(other)} too: write {COVER} there"
                self._refuse("position-cover", message, text, at)
            left -= others
        for square in sorted(left):
            message = f"no piece takes up {compiled.square_name(square)}, where {COVER} is written"
            self._refuse("position-cover", message, text, at)

    def _split_hands(self, board: str) -> tuple[str, str, str]:
        """Hands in brackets after the board, as crazyhouse FEN has them."""
        rows = board.rpartition("/")
        if self._compiled.rules.first == "white" and board.endswith("]"):
            before, bracket, hands = rows[2].partition("[")
            return f"{rows[0]}{rows[1]}{before}", bracket, hands[:-1]
        return board, "", ""

    def _read_and_cache_rank(self, row: str, at: int, rank: int) -> list[int]:
        """The pieces of a rank, remembered by its text."""
        known, pieces = self._alphabet.rows, self._read_rank(row, at, rank)
        if len(known) > MAX_CACHED_ROWS:
            known.clear()
        known[row] = pieces
        return pieces

    def _read_rank(self, row: str, at: int, rank: int) -> list[int]:
        """The pieces of a rank, from the first file."""
        compiled = self._compiled
        pieces: list[int] = []
        for symbol, offset in self._split_rank(row, at):
            if symbol.isascii() and symbol.isdigit():
                if int(symbol) == 0:
                    message = "empty squares are counted from 1"
                    self._refuse("position-text", message, symbol, offset)
                pieces += [0] * min(int(symbol), compiled.files + 1)
            elif symbol == WALL and compiled.walled:
                pieces.append(compiled.wall)
            elif symbol == COVER and compiled.footprints.any:
                pieces.append(compiled.cover)
            else:
                where = (len(pieces), rank)
                inside = where[0] < compiled.files
                name = f" on {compiled.square_name(compiled.square(where))}" if inside else ""
                pieces.append(self._read_piece(symbol, symbol, offset, name))
            if len(pieces) > compiled.files:
                message = f"{self._rank_name(rank)} has more than {compiled.files} squares"
                self._refuse("position-size", message, symbol, offset)
        if len(pieces) < compiled.files:
            message = f"{self._rank_name(rank)} has {len(pieces)} of {compiled.files} squares"
            self._refuse("position-size", message, row, at)
        return pieces

    def _rank_name(self, rank: int) -> str:
        return f"the rank of {self._compiled.square_name(rank * self._compiled.files)}"

    def _split_rank(self, row: str, at: int) -> Iterator[tuple[str, int]]:
        index = 0
        while index < len(row):
            end = index + 1
            if row[index].isascii() and row[index].isdigit():
                while self._compiled.files > SINGLE_DIGIT and row[end : end + 1] in _DIGITS:
                    end += 1
            elif row[index] == "[":
                end = row.find("]", index) + 1 or len(row)
            elif row[index] == "+":
                end = index + 2
            elif row[end : end + 1] == "~":
                end += 1
            yield row[index:end], at + index
            index = end

    def _read_piece(self, symbol: str, text: str, at: int, where: str) -> int:
        piece = self._alphabet.pieces.get(symbol)
        if piece is None:
            plain = self._alphabet.pieces.get(symbol.removeprefix("+"))
            message = f"no piece of this game is written {symbol}{where}"
            if plain and symbol != symbol.removeprefix("+"):
                message = f"{symbol}{where}: this piece has no promoted form"
            letters = " ".join(each for each in self._alphabet.symbols[1 : self._compiled.wall : 2])
            self._refuse("position-piece", message, text, at, f"pieces are {letters[:300]}")
        return piece

    def _read_side(self, side: str, at: int) -> None:
        if side not in self._alphabet.sides:
            first, second = self._alphabet.sides
            message = f"the side to move is {first} or {second}"
            self._refuse("position-text", message, side, at)
        self._position.turn = self._alphabet.sides.index(side)

    def _read_hands(self, hands: str, at: int) -> None:
        known = self._alphabet.hands.get(hands)
        if known is None:
            known = [0] * self._compiled.pieces
            if hands != "-" and not self._compiled.variant.has_hands:
                message = "nothing is ever in hand in this game: write -"
                self._refuse("position-hand", message, hands, at)
            for piece, count in () if hands == "-" else self._hand_counts(hands, at):
                known[piece - 1] += count
            if len(self._alphabet.hands) > MAX_CACHED_ROWS:
                self._alphabet.hands.clear()
            self._alphabet.hands[hands] = known
        self._position.hands = [known[0::2], known[1::2]]

    def _hand_counts(self, hands: str, at: int) -> Iterator[tuple[int, int]]:
        """The pieces of both hands and how many of each there are."""
        end = 0
        for match in _HAND_PATTERN.finditer(hands):
            if match.start() != end:
                break
            end = match.end()
            count, symbol = match.groups()
            piece = self._read_hand_piece(symbol, match[0], at + match.start())
            if count.startswith("0") or len(count) > len("999"):
                hint = "a count of 1 is left out; zero of a piece is not written"
                message = f"{count} is no number of pieces"
                self._refuse("position-hand", message, match[0], at + match.start(), hint)
            yield piece, int(count or 1)
        if end != len(hands):
            message = "a hand is a row of pieces, each after its number, or -"
            self._refuse("position-hand", message, hands[end:], at + end)

    def _read_hand_piece(self, symbol: str, text: str, at: int) -> int:
        compiled = self._compiled
        piece = self._read_piece(symbol, text, at, " in hand")
        promoted = compiled.base[piece] != (piece - 1) >> 1
        if compiled.royal[piece] and compiled.rules.drops_first == "no":
            message = f"{symbol}: a royal piece is never in hand"
            self._refuse("position-piece", message, text, at)
        if promoted and compiled.rules.captured_form == "base":
            message = f"{symbol}: a promoted piece is never in hand"
            self._refuse("position-piece", message, text, at)
        return piece

    def _read_move_number(self, number: str, at: int) -> None:
        figures = number.isascii() and number.isdigit() and len(number) <= len("999999")
        if not figures or int(number) < 1:
            message = "the number of the next move is one from 1 to 999999"
            self._refuse("position-text", message, number, at)
        self._position.number = int(number)

    def _check_royal_counts(self) -> None:
        """As many royals on each side as the rules can bring about."""
        compiled = self._compiled
        for side, (low, high) in enumerate(self._alphabet.royals):
            count = sum(map(self._position.board.count, compiled.royal_pieces[side]))
            if not (low <= count or self._kingless) or count > high:
                at = self._position.royals[side]
                names = ", ".join(compiled.square_name(square) for square in at) or "none"
                who = "first" if side == 0 else "second"
                expected = f"{low}" if low == high else f"{low} to {high}"
                message = f"the {who} side needs {expected} royal, but has {count}: {names}"
                board = self._source.text.partition(" ")[0] or self._source.text
                self._refuse("position-royals", message, board, 0)


def _royal_count_bounds(compiled: CompiledVariant) -> tuple[tuple[int, int], tuple[int, int]]:
    """The minimum and maximum number of royals of each side."""
    turned = compiled.rules.flip != "none"
    # Those that come from others, and those that cease to be royal, which loses no game.
    made = lost = turned
    for piece in range(1, compiled.wall):
        forms = [compiled.royal[form] for form in compiled.all_promotions(piece)]
        made |= any(forms)
        lost |= compiled.royal[piece] and not all(forms)
    low, high = [0, 0], [0, 0]
    for piece in compiled.starting.values():
        side = (piece - 1) % 2
        if compiled.royal[piece]:
            low[side] += compiled.survive[piece] == "any"
            high[side] += 1
    for side in SIDES:
        if high[side] and not low[side]:
            low[side] = 1
        if made or not high[side]:
            high[side] = compiled.size
        if lost:
            low[side] = 0
    return (low[0], high[0]), (low[1], high[1])

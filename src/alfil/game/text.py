"""Positions as text, as in SFEN: board, side to move, hands, number of the move, and what else
the moves depend on. Chess FEN is read too, in games whose first side is white.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from alfil.errors import Finding, PositionError, RuleError
from alfil.game.memory import default_count, read_memory, read_rights, write_memory
from alfil.game.plan import Plan
from alfil.game.position import Position
from alfil.source import Source, Span

# A board of one figure for each run of empty squares; larger boards write numbers.
ONE_FIGURE = 9
_FIGURES = frozenset("0123456789")
# So many ranks are kept as they were read.
ROWS_KEPT = 5_000
FEN_FIELDS = 6
SFEN_FIELDS = ("board", "side", "hands", "number")
_HAND = re.compile(r"([0-9]*)(\[[^\]]*\]|\+?[^0-9])")


class Alphabet:
    """What stands for the pieces of a game in its texts."""

    def __init__(self, plan: Plan) -> None:
        self.symbols = [""]
        for kind in plan.kinds:
            plain = len(kind.letter.removeprefix("+")) == 1
            symbol = kind.letter if plain else f"[{kind.letter}]"
            self.symbols += [symbol.upper(), symbol.lower()]
        self.pieces = {symbol: piece for piece, symbol in enumerate(self.symbols) if symbol}
        if len(self.pieces) < plan.pieces:
            self._refuse(plan)
        # What has been read before: ranks, and hands as counts of each piece.
        self.rows: dict[str, list[int]] = {}
        self.hands: dict[str, list[int]] = {}
        self.sides = ("b", "w") if plan.rules.first == "black" else ("w", "b")

    def _refuse(self, plan: Plan) -> NoReturn:
        seen: dict[str, str] = {}
        for kind in plan.kinds:
            letter = kind.letter.upper()
            if letter in seen or letter == kind.letter.lower():
                who = f"{seen.get(letter, kind.code)} and {kind.code}"
                finding = Finding(
                    "duplicate-letter",
                    f"{who} are both written {kind.letter} in positions",
                    (Span(0, len(kind.letter)),),
                    "give one of them another letter",
                )
                raise RuleError([finding], Source(kind.letter, "<game>"))
            seen[letter] = kind.code
        raise AssertionError(plan.variant.name)


def start(plan: Plan) -> Position:
    """The starting position of a game; `PositionError` where it has none."""
    if not plan.starting and not any(plan.variant.hands):
        name = plan.variant.name
        message, hint = f"{name} has no set-up to begin with", "give a position"
        finding = Finding("no-setup", message, (Span(0, len(name)),), hint)
        raise PositionError([finding], Source(name, "<game>"))
    position = Position(plan)
    for square, piece in plan.starting.items():
        position.board[square] = piece
        position.made[square] = default_count(plan, square, piece)
    for side, hand in enumerate(plan.variant.hands):
        for code, count in hand:
            if plan.royal[plan.piece(code, side)]:
                message, hint = f"{code} is royal, and never in hand", "set it up on the board"
                finding = Finding("position-piece", message, (Span(0, len(code)),), hint)
                raise PositionError([finding], Source(code, "<game>"))
            position.hands[side][plan.number[code]] += count
    position.settle()
    return position


def write_position(position: Position, alphabet: Alphabet, checks: tuple[int, int] = (0, 0)) -> str:
    """A position as text; `read_position` gives the same one.

    ``checks`` are those that the first and the second side have given.
    """
    plan = position.plan
    files = plan.files
    rows = [
        _row(position.board[rank * files : (rank + 1) * files], alphabet)
        for rank in reversed(range(plan.ranks))
    ]
    hands = "".join(
        f"{count if count > 1 else ''}{alphabet.symbols[1 + 2 * kind + side]}"
        for side in (0, 1)
        for kind, count in enumerate(position.hands[side])
        if count
    )
    fields = ["/".join(rows), alphabet.sides[position.turn], hands or "-", str(position.number)]
    return " ".join([*fields, *write_memory(position, checks)])


def _row(pieces: list[int], alphabet: Alphabet) -> str:
    row = ""
    empty = 0
    for piece in [*pieces, -1]:
        if piece == 0:
            empty += 1
            continue
        row += str(empty) if empty else ""
        empty = 0
        row += alphabet.symbols[piece] if piece > 0 else ""
    return row


def read_position(text: str, plan: Plan, alphabet: Alphabet) -> Position:
    """The position a text stands for.

    Fields that are missing at the end read as the first side, empty hands, and 1. Raises
    `PositionError`, and TypeError for what is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"a position is a text, not {text!r:.60}")
    return _Reader(text, plan, alphabet).position()


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, plan: Plan, alphabet: Alphabet) -> None:
        self._text = text
        self._plan = plan
        self._alphabet = alphabet
        self._position = Position(plan)

    def position(self) -> Position:
        fields = self._fields()
        memory = [field for field in fields if "=" in field[0]]
        plain = [field for field in fields if "=" not in field[0]]
        if not plain:
            self._fail("position-text", "a position begins with its board", 0, len(self._text))
        self._board(*plain[0])
        if len(plain) > 1:
            self._side(*plain[1])
        if len(plain) == FEN_FIELDS and self._plan.rules.first == "white":
            self._fen(plain)
        else:
            self._sfen(plain)
        read_memory(self._position, memory, self._text)
        self._position.settle()
        self._royals()
        return self._position

    def _fields(self) -> list[tuple[str, int]]:
        """The fields and where each begins; exactly one blank stands between two."""
        found = []
        at = 0
        for field in self._text.split(" "):
            if not field:
                message = "one blank stands between two fields, and none at the ends"
                self._fail("position-text", message, at, at + 1)
            found.append((field, at))
            at += len(field) + 1
        return found

    def _sfen(self, plain: list[tuple[str, int]]) -> None:
        if len(plain) > len(SFEN_FIELDS):
            field, at = plain[len(SFEN_FIELDS)]
            message = f"a position has {len(SFEN_FIELDS)} fields: board, side, hands and number"
            self._fail("position-text", message, at, at + len(field))
        if len(plain) > SFEN_FIELDS.index("hands"):
            self._hands(*plain[SFEN_FIELDS.index("hands")])
        if len(plain) > SFEN_FIELDS.index("number"):
            self._number(*plain[SFEN_FIELDS.index("number")])

    def _fen(self, plain: list[tuple[str, int]]) -> None:
        clock, at = plain[4]
        if not (clock.isascii() and clock.isdigit()):
            message = "the fifth field of FEN counts moves since the last capture"
            self._fail("position-text", message, at, at + len(clock))
        read_rights(self._position, plain[2], plain[3], self._text)
        self._number(*plain[5])
        self._position.number = 2 * self._position.number - 1 + self._position.turn

    def _board(self, board: str, start: int) -> None:
        plan = self._plan
        board, bracket, hands = self._split_hands(board)
        rows = board.split("/")
        if len(rows) != plan.ranks:
            message = f"the board has {plan.ranks} ranks, not {len(rows)}"
            self._fail("position-size", message, start, start + len(board))
        for index, row in enumerate(rows):
            self._place(row, start, plan.ranks - 1 - index)
            start += len(row) + 1
        if plan.remembers:
            made = self._position.made
            for square, piece in enumerate(self._position.board):
                made[square] = default_count(plan, square, piece)
        if bracket and hands != "-":
            self._hands(hands or "-", start)

    def _split_hands(self, board: str) -> tuple[str, str, str]:
        """Hands in brackets after the board, as crazyhouse FEN has them."""
        rows = board.rpartition("/")
        if self._plan.rules.first == "white" and board.endswith("]"):
            before, bracket, hands = rows[2].partition("[")
            return f"{rows[0]}{rows[1]}{before}", bracket, hands[:-1]
        return board, "", ""

    def _place(self, row: str, at: int, rank: int) -> None:
        known = self._alphabet.rows
        pieces = known.get(row)
        if pieces is None:
            pieces = self._rank(row, at, rank)
            if len(known) > ROWS_KEPT:
                known.clear()
            known[row] = pieces
        first = rank * self._plan.files
        self._position.board[first : first + self._plan.files] = pieces

    def _rank(self, row: str, at: int, rank: int) -> list[int]:
        """The pieces of a rank, from the first file."""
        plan = self._plan
        pieces: list[int] = []
        for symbol, offset in self._tokens(row, at):
            here = (offset, offset + len(symbol))
            if symbol.isascii() and symbol.isdigit():
                if int(symbol) == 0:
                    self._fail("position-text", "empty squares are counted from 1", *here)
                pieces += [0] * min(int(symbol), plan.files + 1)
            else:
                where = (len(pieces), rank)
                inside = where[0] < plan.files
                name = f" on {plan.name(plan.square(where))}" if inside else ""
                pieces.append(self._piece(symbol, here, name))
            if len(pieces) > plan.files:
                message = f"{self._rank_name(rank)} has more than {plan.files} squares"
                self._fail("position-size", message, *here)
        if len(pieces) < plan.files:
            message = f"{self._rank_name(rank)} has {len(pieces)} of {plan.files} squares"
            self._fail("position-size", message, at, at + len(row))
        return pieces

    def _rank_name(self, rank: int) -> str:
        return f"the rank of {self._plan.name(rank * self._plan.files)}"

    def _tokens(self, row: str, at: int) -> Iterator[tuple[str, int]]:
        index = 0
        while index < len(row):
            end = index + 1
            if row[index].isascii() and row[index].isdigit():
                while self._plan.files > ONE_FIGURE and row[end : end + 1] in _FIGURES:
                    end += 1
            elif row[index] == "[":
                end = row.find("]", index) + 1 or len(row)
            elif row[index] == "+":
                end = index + 2
            yield row[index:end], at + index
            index = end

    def _piece(self, symbol: str, here: tuple[int, int], where: str) -> int:
        piece = self._alphabet.pieces.get(symbol)
        if piece is None:
            plain = self._alphabet.pieces.get(symbol.removeprefix("+"))
            message = f"no piece of this game is written {symbol}{where}"
            if plain and symbol != symbol.removeprefix("+"):
                message = f"{symbol}{where}: this piece has no promoted form"
            letters = " ".join(each for each in self._alphabet.symbols[1::2])
            self._fail("position-piece", message, *here, f"pieces are {letters[:300]}")
        return piece

    def _side(self, side: str, at: int) -> None:
        if side not in self._alphabet.sides:
            first, second = self._alphabet.sides
            message = f"the side to move is {first} or {second}"
            self._fail("position-text", message, at, at + len(side))
        self._position.turn = self._alphabet.sides.index(side)

    def _hands(self, hands: str, at: int) -> None:
        known = self._alphabet.hands.get(hands)
        if known is None:
            known = [0] * self._plan.pieces
            if hands != "-" and not self._plan.has_hands:
                message = "nothing is ever in hand in this game: write -"
                self._fail("position-hand", message, at, at + len(hands))
            for piece, count in () if hands == "-" else self._held(hands, at):
                known[piece - 1] += count
            if len(self._alphabet.hands) > ROWS_KEPT:
                self._alphabet.hands.clear()
            self._alphabet.hands[hands] = known
        self._position.hands = [known[0::2], known[1::2]]

    def _held(self, hands: str, at: int) -> Iterator[tuple[int, int]]:
        """The pieces of both hands and how many of each there are."""
        end = 0
        for match in _HAND.finditer(hands):
            if match.start() != end:
                break
            end = match.end()
            count, symbol = match.groups()
            here = (at + match.start(), at + match.end())
            piece = self._in_hand(symbol, here)
            if count.startswith("0") or len(count) > len("999"):
                hint = "a count of 1 is left out; zero of a piece is not written"
                message = f"{count} is no number of pieces"
                self._fail("position-hand", message, *here, hint)
            yield piece, int(count or 1)
        if end != len(hands):
            message = "a hand is a row of pieces, each after its number, or -"
            self._fail("position-hand", message, at + end, at + len(hands))

    def _in_hand(self, symbol: str, here: tuple[int, int]) -> int:
        plan = self._plan
        piece = self._piece(symbol, here, " in hand")
        promoted = plan.base[piece] != (piece - 1) >> 1
        if plan.royal[piece]:
            self._fail("position-piece", f"{symbol}: a royal piece is never in hand", *here)
        if promoted and plan.rules.captured_form == "base":
            self._fail("position-piece", f"{symbol}: a promoted piece is never in hand", *here)
        return piece

    def _number(self, number: str, at: int) -> None:
        figures = number.isascii() and number.isdigit() and len(number) <= len("999999")
        if not figures or int(number) < 1:
            message = "the number of the next move counts from 1"
            self._fail("position-text", message, at, at + len(number))
        self._position.number = int(number)

    def _royals(self) -> None:
        """As many royals on each side as the rules can bring about."""
        plan = self._plan
        for side in (0, 1):
            at = self._position.royals[side]
            low, high = plan.royals_needed[side]
            if not low <= len(at) <= high:
                names = ", ".join(plan.name(square) for square in at) or "none"
                who = "first" if side == 0 else "second"
                wanted = f"{low}" if low == high else f"{low} to {high}"
                message = f"the {who} side needs {wanted} royal, but has {len(at)}: {names}"
                end = self._text.find(" ")
                span = (0, end if end > 0 else len(self._text))
                self._fail("position-royals", message, *span)

    def _fail(self, kind: str, message: str, start: int, end: int, hint: str = "") -> NoReturn:
        finding = Finding(kind, message, (Span(start, max(end, start)),), hint)
        raise PositionError([finding], Source(self._text, "<position>"))

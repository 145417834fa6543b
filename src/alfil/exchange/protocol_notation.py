"""Moves and positions in the protocols UCI, USI and CECP.

UCI and CECP name squares as chess does, whatever the game; USI as shogi does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from string import ascii_uppercase
from typing import Literal, TypeAlias

from alfil.errors import AlfilError
from alfil.game.moves import Move, chess960_castling_text
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.squares import Square, square_name, square_name_on

Protocol: TypeAlias = Literal["cecp", "uci", "usi"]
BOARD_TOKEN = re.compile(r"\+?[A-Za-z]~?|[0-9]+|[/*]")
HAND_TOKEN = re.compile(r"([0-9]{0,4})(\+?[A-Za-z])")


def piece_letters(variant: Variant) -> dict[str, str]:
    """A letter of ASCII for each kind by its code; a + in front of it stays.

    "" stands for a kind for which there are none left.
    """
    result: dict[str, str] = {}
    forms = [kind for kind in variant.kinds if kind.letter.startswith("+")]
    plain = [kind for kind in variant.kinds if kind not in forms]
    for kind in plain:
        own = kind.letter.upper()
        if len(own) == 1 and own in ascii_uppercase and own not in result.values():
            result[kind.code] = own
    for kind in plain:
        free = (each for each in ascii_uppercase if each not in result.values())
        result.setdefault(kind.code, next(free, ""))
    by_letter = {kind.letter: result[kind.code] for kind in plain}
    for kind in forms:
        result[kind.code] = f"+{by_letter.get(kind.letter[1:], '')}"
    return result


def board_in_fen(signs: Mapping[Square, str], files: int, ranks: int) -> str:
    """A board in FEN, by what stands for the pieces on its squares.

    >>> board_in_fen({(1, 0): "K", (0, 1): "k"}, 3, 2)
    'k2/1K1'
    """
    rows = (
        "".join(signs.get((file, rank), " ") for file in range(files))
        for rank in reversed(range(ranks))
    )
    return re.sub(" +", lambda gap: str(len(gap[0])), "/".join(rows))


# How CECP writes a move that changes nothing.
PASS_MOVE = "@@@@"


class ProtocolNotation:
    """Moves and positions of a game in one protocol.

    ``lowest`` is the number of the lowest rank, where ranks are numbers.

    >>> import alfil
    >>> library = alfil.load("minishogi")
    >>> move = library.game().read_move("1e1c")
    >>> [ProtocolNotation(library.variant, each).move(move) for each in ("cecp", "uci", "usi")]
    ['e1e3', 'e1e3', '1e1c']
    """

    def __init__(self, variant: Variant, protocol: Protocol, lowest: int = 1) -> None:
        self.lowest = lowest
        self.variant = variant
        self.protocol = protocol
        self.letters = piece_letters(variant)

    def square(self, square: Square) -> str:
        """The name of a square."""
        variant = self.variant
        if self.protocol == "usi":
            return square_name_on(square, variant.files, variant.ranks, "shogi")
        file, rank = square
        return square_name(file, rank + self.lowest - 1)

    def move(self, move: Move) -> str:
        """A move; moves that differ in what they take on the way are written alike."""
        target = self.square(move.target)
        if move.origin is None:
            sign = "*" if self.protocol == "usi" else "@"
            return f"{self.letters[move.code]}{sign}{target}"
        if self.protocol == "cecp" and move.target == move.origin and not move.captures:
            return PASS_MOVE
        if self.protocol == "uci" and move.castles_onto:
            return chess960_castling_text(move)
        form = self.letters[move.promotes] if move.promotes else ""
        if form.startswith("+"):
            several = len(self.variant.kind(move.code).promotes) > 1
            form = form[1:] if several else "+"
        return self.square(move.origin) + target + form.lower()

    def legal_moves_by_text(self, game: Game) -> dict[str, Move]:
        """The legal moves of a game by their texts; those written alike in another way."""
        moves = game.legal_moves
        texts = [self._two_leg_move_text(move) or self.move(move) for move in moves]
        times = Counter(texts)
        return {
            text if times[text] == 1 else self._unambiguous_move_text(move): move
            for text, move in zip(texts, moves, strict=True)
        }

    def _two_leg_move_text(self, move: Move) -> str:
        """A move of two legs in CECP, as a lion that captures on its way makes it; else empty."""
        over = [square for square in move.captures if square != move.target]
        if self.protocol != "cecp" or move.origin is None or len(over) != 1 or move.turned:
            return ""
        between = self.square(over[0])
        text = self.move(move)
        start = self.square(move.origin)
        near = all(
            max(abs(end[0] - over[0][0]), abs(end[1] - over[0][1])) == 1
            for end in (move.origin, move.target)
        )
        return f"{start}{between},{between}{text.removeprefix(start)}" if near else ""

    def _unambiguous_move_text(self, move: Move) -> str:
        """A move as it is told from those written alike; others than castling as the game has it.

        UCI castles to the square of the partner where the king goes no farther than it may anyway.
        """
        if move.partner is None or move.origin is None or self.protocol == "usi":
            return str(move)
        if self.protocol == "uci":
            return chess960_castling_text(move)
        return "O-O" if move.partner[0][0] > move.origin[0] else "O-O-O"

    def write(self, game: Game, move: Move) -> str:
        """A legal move as the other program is told it."""
        if self.move(move) == PASS_MOVE:
            return PASS_MOVE  # whichever piece passes
        return next(text for text, each in self.legal_moves_by_text(game).items() if each == move)

    def read(self, game: Game, text: str) -> Move | None:
        """The legal move that a text means, None where there is none."""
        known = self.legal_moves_by_text(game)
        # XBoard says so of a piece that does not promote.
        result = known.get(text) or known.get(text.removesuffix("="))
        if not result and self.protocol == "cecp":
            result = self._move_of_unpromotable_piece(known.get(text.removesuffix("+")))
        if result:
            return result
        if text == PASS_MOVE and self.protocol == "cecp":
            passes = (each for each in known.values() if each.target == each.origin)
            return next((each for each in passes if not each.captures), None)
        try:
            return game.read_move(text)
        except AlfilError:
            return None

    def _move_of_unpromotable_piece(self, move: Move | None) -> Move | None:
        """A move of a piece that never promotes: XBoard promotes its pawn and lance at the end."""
        return move if move and not self.variant.kind(move.code).promotes else None

    def to_game_position_text(self, text: str, game: Game) -> str:
        """A position of the protocol as the game reads it.

        Hands may stand in brackets behind the board, as in FEN of games with drops. What the game
        reads as it is stays so, castling rights among it.
        """
        board, *fields = text.split() or [""]
        plain, opened, held = board.rstrip("]").partition("[")
        first = "b" if self.protocol == "usi" else "w"
        own = self.variant.rules.first[0]
        alike = own == first and all(
            game.symbol(code) == letter for code, letter in self.letters.items()
        )
        if alike and not opened and "~" not in plain:
            return text
        symbols = dict(self._symbol_pairs(game))
        rows = "".join(symbols.get(each, each) for each in BOARD_TOKEN.findall(plain))
        second = "w" if own == "b" else "b"
        side = own if fields[:1] in ([], [first]) else second
        hands = Counter[str]()
        for count, letter in HAND_TOKEN.findall(held if opened else "".join(fields[1:2])):
            hands[symbols.get(letter, letter)] += int(count or 1)
        written = "".join(f"{n if n > 1 else ''}{each}" for each, n in hands.items())
        number = fields[-1] if fields and fields[-1].isdecimal() else "1"
        return f"{rows} {side} {written or '-'} {number}"

    def fen(self, game: Game, rights: str = "-") -> str:
        """The position of a game as FEN, with hands in brackets where pieces are dropped."""
        variant = self.variant
        signs = {square: self._piece_letter(*each) for square, each in game.pieces.items()}
        board = board_in_fen(signs, variant.files, variant.ranks)
        held = "".join(
            self._piece_letter(code, side) * count
            for side, hand in enumerate(game.hands)
            for code, count in hand.items()
        )
        hands = f"[{held or '-'}]" if variant.rules.drops == "yes" else ""
        return f"{board}{hands} {'wb'[game.side_to_move]} {rights} - 0 1"

    def _piece_letter(self, code: str, side: int) -> str:
        letter = self.letters[code]
        return letter.lower() if side else letter

    def _symbol_pairs(self, game: Game) -> Iterator[tuple[str, str]]:
        for code in self.letters:
            for side in (0, 1):
                letter, symbol = self._piece_letter(code, side), game.symbol(code, side)
                yield letter, symbol
                if letter.startswith("+"):
                    yield f"{letter[1:]}~", symbol

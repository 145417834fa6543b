"""Random games in alfil and in Fairy-Stockfish at once: the moves of both, and how they end."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Set

import pyffish

import alfil
from alfil import Game, Move

# Here the program writes castling as the king's capture of the rook.
FROM_ANYWHERE = ("fischerandom", "caparandom")
# How far at most a piece gives check whose drop may not give mate.
CLOSE = 2
DRAWN = (None,)
# Squares, and what they are called there.
NAMES = {
    (file, rank): f"{letter}{rank + 1}"
    for file, letter in enumerate("abcdefghijkl")
    for rank in range(10)
}

End = tuple[str | None] | None
Ply = tuple[list[str], list[str], bool]


class Theirs:
    """A game in the program, from its start.

    The program makes all moves again for every question, so that it is asked about the position
    itself, and with the moves since an earlier one only where a position has come again. With
    ``whole`` it is always told all moves.
    """

    def __init__(self, name: str, *, whole: bool = False) -> None:
        self.name, self.whole = name, whole
        self.played: list[str] = []
        self.fens = [pyffish.start_fen(name)]
        self._first = {self._board(0): 0}
        self._from = 0

    def push(self, move: str) -> None:
        """Make a move."""
        self.played.append(move)
        if self.whole:
            return
        self.fens.append(self._fen(self.fens[-1], [move]))
        ply = len(self.played)
        first = self._first.setdefault(self._board(ply), ply)
        # What came before the position first stood there can have been check or a chase.
        self._from = ply if first == ply else max(0, first - 2)

    def moves(self) -> list[str]:
        """The moves, none where a rule of the variant has ended the game."""
        return pyffish.legal_moves(*self._asked())

    def after(self, move: str) -> tuple[str, str, list[str]]:
        """What the program is asked with after a move."""
        name, fen, moves = self._asked()
        return name, fen, [*moves, move]

    def mates(self, move: str) -> bool:
        """Whether a move gives mate; what ends the game otherwise does not."""
        after = self.after(move)
        if not pyffish.gives_check(*after) or pyffish.legal_moves(*after):
            return False
        return not pyffish.is_immediate_game_end(*after)[0]

    def is_barred(self, move: str, barred: Set[str]) -> bool:
        """Whether a drop mates that may not, by the letters of such pieces; it is listed there."""
        return move[1] == "@" and move[0] in barred and self.mates(move)

    def end(self, moves: list[str]) -> End:
        """The winner, None for a draw, in a tuple of one; None while the game goes on."""
        asked = self._asked()
        over, value = False, 0
        if not moves:
            over, value = pyffish.is_immediate_game_end(*asked)
            if not over:
                over, value = True, pyffish.game_result(*asked)
        if not over:
            over, value = pyffish.is_optional_game_end(*asked)
        if not over:
            return None
        mover = len(self.played) % 2
        return (None if value == 0 else "wb"[mover if value > 0 else 1 - mover],)

    def is_sound(self) -> bool:
        """Whether the position reached step by step is that of all moves from the start."""
        return self.whole or self._fen(self.fens[0], self.played) == self.fens[-1]

    def _fen(self, fen: str, moves: list[str]) -> str:
        """A position after some moves, with what was promoted."""
        settings = {"chess960": False, "sfen": False, "promoted": True}
        return pyffish.get_fen(self.name, fen, moves, *settings.values())

    def _asked(self) -> tuple[str, str, list[str]]:
        at = 0 if self.whole else self._from
        return self.name, self.fens[at], self.played[at:]

    def _board(self, ply: int) -> tuple[str, ...]:
        return tuple(self.fens[ply].split()[:2])


class Spelling:
    """How the program writes the moves of a game, by the letters of its pieces there.

    ``letters`` are those of an export; a game that was read has them in its pieces.
    """

    def __init__(self, library: alfil.Library, letters: Mapping[str, str] | None = None) -> None:
        self._exported = letters is not None
        kinds = library.variant.kinds
        self._letters = dict(letters) if letters else {kind.code: kind.letter for kind in kinds}
        self._anywhere = library.variant.name in FROM_ANYWHERE and letters is None
        # There a pass names the first square in place of a wall.
        self._unwalled = (0, 0) if library.rules.wall != "none" and letters is None else None
        # By the object itself, which games of one library share: to compare moves takes longer.
        self._known: dict[int, tuple[Move, str]] = {}
        self.barred = {
            self._letters[kind.code].upper() for kind in kinds if kind.drop_mate == "barred"
        }

    def ours(self, game: Game) -> dict[str, Move]:
        """The legal moves in alfil, by what they are called there."""
        found, known = dict[str, Move](), self._known
        for move in game.legal_moves:
            _, text = known.get(id(move)) or (move, "")
            if not text:
                text = self._castling(move, game) or self._written(move)
                if not move.partner:
                    known[id(move)] = move, text
            found[text] = move
        return found

    def _castling(self, move: Move, game: Game) -> str:
        """Castling as the king's capture of the rook, empty where it is not written like that."""
        if not move.partner or not move.origin:
            return ""
        way = move.origin, move.target
        # The king goes there by a step as well.
        if self._anywhere or any(
            (each.origin, each.target) == way and not each.partner for each in game.legal_moves
        ):
            return NAMES[move.origin] + NAMES[move.partner[0]]
        return ""

    def _written(self, move: Move) -> str:
        letter, target = self._letters[move.code], NAMES[move.target]
        if move.origin is None:
            return f"{letter.upper() if self._exported else letter}@{target}"
        text = NAMES[move.origin] + target
        if move.gated:
            code, square = move.gated
            if move.partner and square == move.partner[0]:
                text = NAMES[square] + NAMES[move.origin]
            text += self._letters[code].lower()
        elif move.promotes:
            text += self._form(letter, self._letters[move.promotes])
        wall = move.wall or self._unwalled
        return f"{text},{target}{NAMES[wall]}" if wall else text

    def _form(self, letter: str, form: str) -> str:
        """What stands behind a move that changes a piece."""
        if self._exported:
            return form
        if form == letter.removeprefix("+"):
            return "-"
        return "+" if form == f"+{letter}" else form.removeprefix("+").lower()

    def theirs(self, moves: list[str], ours: Mapping[str, Move]) -> dict[str, str]:
        """The moves of the program, by the same names: + may be the letter of a form."""
        if not self._exported:
            return {move: move for move in moves}
        forms = {
            NAMES[move.origin] + NAMES[move.target]: self._letters[move.promotes]
            for move in ours.values()
            if move.origin and move.promotes
        }
        return {
            move[:-1] + forms.get(move[:-1], "+") if move.endswith("+") else move: move
            for move in moves
        }


def played_out(
    theirs: Theirs,
    spelling: Spelling,
    library: alfil.Library,
    draw: random.Random,
    plies: int,
) -> Iterator[Ply]:
    """The moves of both at every position of a random game, and whether it ended alike."""
    game = library.game()
    for _ in range(plies):
        ours, moves, outcome = spelling.ours(game), theirs.moves(), game.outcome()
        while outcome and outcome.reason == "pass" and moves and all(map(is_pass, moves)):
            # It wants both sides to pass where neither can move.
            theirs.push(moves[0])
            moves = theirs.moves()
        end = theirs.end(moves)
        if end or outcome:
            yield [], [], ended_alike(game, outcome, end)
            return
        full = spelling.theirs(legal(moves, theirs, spelling, game, ours), ours)
        yield sorted(ours), sorted(full), True
        chosen = draw.choice(sorted({*ours} & {*full}))
        game.push(ours[chosen])
        theirs.push(full[chosen])


def legal(
    moves: list[str], theirs: Theirs, spelling: Spelling, game: Game, ours: Mapping[str, Move]
) -> list[str]:
    """The program's moves without the drops that mate where they may not."""
    if not spelling.barred:
        return moves
    royal = {kind.code for kind in game.variant.kinds if kind.royal}
    kings = [
        at
        for at, (code, side) in game.pieces.items()
        if code in royal and side != game.side_to_move
    ]
    # To ask of all drops would take most of the time.
    far = {move for move in ours if not any(is_close(ours[move].target, king) for king in kings)}
    return [move for move in moves if move in far or not theirs.is_barred(move, spelling.barred)]


def is_close(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a square is a few steps from another one."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= CLOSE


def is_pass(move: str) -> bool:
    """Whether a move goes from a square to the same one."""
    return move[: len(move) // 2] == move[len(move) // 2 :]


def ended_alike(game: Game, outcome: alfil.Outcome | None, end: End) -> bool:
    """Whether a game ended in both, for the same side; that of the program begins with white."""
    if outcome and outcome.reason == "insufficient-material":
        # The program goes on in a dead position, and tells whoever asks.
        return end in (None, DRAWN)
    if outcome is None or end is None:
        return False
    if outcome.winner is None or end[0] is None:
        return outcome.winner is end[0]
    return (outcome.winner == game.variant.rules.first[0]) == (end[0] == "w")

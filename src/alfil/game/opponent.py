"""A simple opponent for any game: it looks a few moves ahead, and for mates.

Alpha-beta search with iterative deepening. Nothing here knows a game: pieces are worth what their
mobility says (`alfil.game.worth`), and moves are those of the rules.
"""

from __future__ import annotations

from random import Random

from alfil.game.game import Game
from alfil.game.mating import mating_act
from alfil.game.moves import Move
from alfil.game.plan import Plan, plan_of
from alfil.game.position import Act
from alfil.game.swift import legal_acts
from alfil.game.text import Alphabet, read_position
from alfil.game.variant import Variant
from alfil.game.walking import Walker, walk_from
from alfil.game.worth import Worth

DEPTH = 2
# A search goes no deeper once it has made so many moves, and ends at four times as many.
NODES = 20_000
# So many moves are made to find a mate in one, in three, and in five by checks alone.
MATES = ((1, 5_000, False), (3, 60_000, False), (5, 15_000, True))
MATE = 10**6
# At the end of the search captures are followed so many moves further.
CAPTURES = 6
# Drops are looked at so near a royal, where they do not give check; others in the first move only.
NEAR = 2
# Moves that seem as good, up to this, are chosen between at random.
NOISE = 20


class Opponent:
    """A player of one game that looks ``depth`` moves ahead, captures and mates further.

    The same ``seed``, game and position give the same move. It finds a mate in three plies where
    there is one, unless it would have to try too many moves.

    >>> import alfil
    >>> library = alfil.load("hand_shogi")
    >>> game = library.game("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1")
    >>> str(Opponent(library.variant).choose(game))
    'P*5b'
    """

    def __init__(self, variant: Variant, *, depth: int = DEPTH, seed: int = 0) -> None:
        self.depth = depth
        self.seed = seed
        self._plan: Plan = plan_of(variant)
        self._alphabet = Alphabet(self._plan)
        self._worth = Worth(self._plan)

    def choose(self, game: Game) -> Move:
        """The move to make in a game that goes on; the game is left as it is.

        Raises ValueError where there is no legal move.
        """
        plies = game.legal_moves
        if not plies:
            raise ValueError("the game has ended")
        position = read_position(game.sfen(), self._plan, self._alphabet)
        acts = legal_acts(position)
        walk = walk_from(position)
        left = list(acts)
        while True:
            act = self._best(walk, left, game)
            ply = plies[acts.index(act)]
            left.remove(act)
            if not left or not _spoils(game, ply):
                return ply

    def _best(self, walk: Walker, acts: list[Act], game: Game) -> Act:
        if len(acts) == 1:
            return acts[0]
        for number, nodes, checks in MATES:
            act = mating_act(walk, number, nodes, checks=checks)
            if act in acts:
                return act
        chance = Random(f"{self.seed} {len(game.moves)}")
        return _Search(walk, self._worth, chance).best(acts, self.depth)


def _spoils(game: Game, ply: Move) -> bool:
    """Whether a move ends the game without winning it: by repetition or stalemate."""
    after = game.copy()
    after.push(ply)
    outcome = after.outcome()
    return outcome is not None and outcome.winner != game.side


class _Search:
    """One search from where a walk stands."""

    def __init__(self, walk: Walker, worth: Worth, chance: Random) -> None:
        self._walk = walk
        self._worth = worth
        self._chance = chance
        self._killers: dict[int, Act] = {}
        self._files = walk.plan.files
        self._last = walk.nodes + 4 * NODES

    def best(self, acts: list[Act], depth: int) -> Act:
        """The best move after looking ``depth`` moves ahead, or less where there are too many."""
        noise = {act: self._chance.randrange(NOISE) for act in acts}
        acts = sorted(acts, key=lambda act: -self._gain(act) - noise[act])
        begun = self._walk.nodes
        for ahead in range(1, depth + 1):
            acts = self._ranked(acts, ahead, noise)
            if self._walk.nodes - begun > NODES:
                break
        return acts[0]

    def _ranked(self, acts: list[Act], depth: int, noise: dict[Act, int]) -> list[Act]:
        """The moves with the best first; the others keep their order."""
        best, alpha = acts[0], -2.0 * MATE
        for act in acts:
            if self._walk.nodes > self._last:
                break
            extra = noise[act]
            score = extra - self._after(act, depth - 1, -2 * MATE, extra - alpha, 0, 1)
            if score > alpha:
                best, alpha = act, score
        return [best, *(act for act in acts if act != best)]

    def _after(
        self, act: Act, depth: int, alpha: float, beta: float, balance: int, ply: int
    ) -> float:
        """What a move is worth to the other side, ``balance`` being what the mover has gained."""
        walk = self._walk
        gained = balance + self._gain(act)
        walk.make(act)
        try:
            if walk.ended:
                return ply - MATE
            if depth > 0:
                return self._value(depth, alpha, beta, -gained, ply)
            return self._calm(CAPTURES, alpha, beta, -gained, ply)
        finally:
            walk.unmake()

    def _value(self, depth: int, alpha: float, beta: float, balance: int, ply: int) -> float:
        """What the position is worth to the side to move, looking so many moves ahead."""
        walk = self._walk
        acts = walk.acts()
        if not acts:
            return walk.stuck() * (MATE - ply)
        value = -2.0 * MATE
        for act in self._likely(acts, ply):
            score = -self._after(act, depth - 1, -beta, -alpha, balance, ply + 1)
            value = max(value, score)
            alpha = max(alpha, score)
            if alpha >= beta or walk.nodes > self._last:
                self._killers[ply] = act
                break
        return value

    def _calm(self, depth: int, alpha: float, beta: float, balance: int, ply: int) -> float:
        """The worth of a position when nothing more is to be captured with profit."""
        walk = self._walk
        checked = walk.in_check()
        if not checked and (balance >= beta or depth == 0 or walk.nodes > self._last):
            return balance
        acts = walk.acts()
        if not acts:
            return walk.stuck() * (MATE - ply)
        if depth == 0 or walk.nodes > self._last:
            return balance
        value = float(balance)
        takes = [act for act in acts if act.captures or act.becomes != act.piece]
        for act in sorted(takes, key=self._gain, reverse=True):
            gained = balance + self._gain(act)
            alpha = max(alpha, value)
            walk.make(act)
            try:
                score = (
                    MATE - ply
                    if walk.ended
                    else -self._calm(depth - 1, -beta, -alpha, -gained, ply + 1)
                )
            finally:
                walk.unmake()
            value = max(value, score)
            if value >= beta:
                break
        return value

    def _likely(self, acts: list[Act], ply: int) -> list[Act]:
        """The moves worth looking at, the likely best first.

        Most drops are far from everything: of those that do not give check only some are kept.
        """
        moves = [act for act in acts if act.origin >= 0]
        if len(moves) < len(acts):
            drops = [act for act in acts if act.origin < 0]
            near = self._near()
            checks = set(self._walk.checks(drops))
            moves += [act for act in drops if act in checks or act.target in near]
        moves.sort(key=self._gain, reverse=True)
        killer = self._killers.get(ply)
        if killer in moves:
            moves.remove(killer)
            moves.insert(0, killer)
        return moves or acts

    def _near(self) -> set[int]:
        """The squares around all royals."""
        files, royal = self._files, self._walk.plan.royal
        size = self._walk.plan.size
        return {
            square + rank * files + file
            for square, piece in enumerate(self._walk.board)
            if royal[piece]
            for rank in range(-NEAR, NEAR + 1)
            for file in range(-NEAR, NEAR + 1)
            if 0 <= square + rank * files + file < size and 0 <= square % files + file < files
        }

    def _gain(self, act: Act) -> int:
        """What a move gains at once."""
        worth = self._worth
        piece, origin, target, becomes = act[:4]
        gain = worth.place(becomes, target)
        if act.captures:
            board = self._walk.board
            side = (piece - 1) % 2
            for square in act.captures:
                taken = board[square]
                own = (taken - 1) % 2 == side
                gain += -worth.board[taken] if own else worth.swing[taken]
        if origin < 0:
            return gain + worth.board[becomes] - worth.hand[piece]
        return gain + worth.board[becomes] - worth.board[piece] - worth.place(piece, origin)

"""A simple opponent for any game: it looks a few moves ahead, and for mates.

Alpha-beta search with iterative deepening. Nothing here knows a game: moves are those of the rules,
and a piece is worth the moves it has, on average, from some squares of boards that hold some pieces
at random. What it may become adds part of what that is worth.
"""

from __future__ import annotations

from random import Random

from alfil.game.legal import is_swift, legal_acts, listed
from alfil.game.moves import Move
from alfil.game.plan import UNKNOWN, Act, Plan, plan_of
from alfil.game.position import Position, Undo
from alfil.game.rules import acts_of, in_check, lost_by
from alfil.game.text import Alphabet, read_position
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.outcome import Made, mates, no_moves, won_at_once

# Squares looked at for a piece, boards for each, how many of their squares are taken.
SQUARES, BOARDS, TAKEN = 25, 3, 0.3
# A move is worth so much; so much of what promotion brings is counted before it has happened.
MOVE, HOPE = 100, 0.1
# A royal that may be lost, because others remain.
SPARE = 500
# A piece in hand may appear anywhere, so it is worth a little more.
IN_HAND = 1.1


class Worth:
    """The worth of each piece on the board and in hand, by the numbers of a plan.

    ``mark`` is where none stands: 0.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._boards = [_filled(plan, Random(number)) for number in range(BOARDS)]
        self._places: dict[int, int] = {}
        mobility = [0.0] + [self._mobility(piece) for piece in range(1, plan.mark)]
        self.mobility = mobility
        self.board = [0] + [self._worth(piece) for piece in range(1, plan.mark)]
        held = plan.rules.captured == "to-hand"
        self.hand = [0] + [
            round(IN_HAND * self.board[1 + 2 * plan.base[p] + (p - 1) % 2]) if held else 0
            for p in range(1, plan.mark)
        ]
        # What a capture gains: the piece is off the board, and perhaps in hand.
        self.swing = [0] + [self.board[p] + self.hand[p] for p in range(1, plan.mark)]

    def place(self, piece: int, square: int) -> int:
        """How much more a piece is worth on a square than elsewhere; a royal is not drawn out."""
        key = piece * self._plan.size + square
        found = self._places.get(key)
        if found is None:
            found = 0
            if not self._plan.royal[piece]:
                here = self._moves(piece, square) / BOARDS
                found = round(MOVE * (here - self.mobility[piece]) / 10)
            self._places[key] = found
        return found

    def _worth(self, piece: int) -> int:
        plan = self._plan
        own = self.mobility[piece]
        best = max((self.mobility[form] for form in plan.forms(piece)), default=own)
        spare = SPARE if plan.royal[piece] else 0
        return spare + round(MOVE * (own + HOPE * max(0.0, best - own)))

    def _mobility(self, piece: int) -> float:
        size = self._plan.size
        squares = [each * size // SQUARES for each in range(SQUARES)] if size > SQUARES else ()
        looked_at = squares or range(size)
        return sum(self._moves(piece, each) for each in looked_at) / len(looked_at) / BOARDS

    def _moves(self, piece: int, square: int) -> int:
        """The moves of a piece from a square, on all the boards together."""
        total = 0
        for position in self._boards:
            board = position.board
            before, board[square] = board[square], piece
            total += len(acts_of(position, square))
            board[square] = before
        return total


def _filled(plan: Plan, chance: Random) -> Position:
    """A board with some pieces of both sides; none of them is royal."""
    position = Position(plan)
    common = [p for p in range(1, plan.mark) if not plan.royal[p]]
    for square in range(plan.size):
        if common and chance.random() < TAKEN:
            position.board[square] = chance.choice(common)
    position.made = [UNKNOWN] * plan.size
    return position


# A move that is made and looked at costs so many that are read off lines, and one more for each of
# so many squares.
SLOWER, PER_SQUARES = 8, 32


class Walk:
    """Moves made from a position, of whatever game, and taken back.

    ``nodes`` counts the moves that were made, each as many times as it takes longer than one of a
    `SwiftWalk`.
    """

    def __init__(self, position: Position) -> None:
        self.plan = position.plan
        self.nodes = 0
        self._cost = SLOWER + position.plan.size // PER_SQUARES
        self._position = position
        self._made: list[Made] = []
        self._undone: list[Undo] = []
        self._ended: list[bool] = [False]

    @property
    def turn(self) -> int:
        """The side to move."""
        return self._position.turn

    @property
    def board(self) -> list[int]:
        """What stands on each square."""
        return self._position.board

    @property
    def ended(self) -> bool:
        """Whether the last move won the game by itself, other than by mate."""
        return self._ended[-1]

    def acts(self) -> list[Act]:
        """All legal moves, without those that give up the game while there are others."""
        acts = legal_acts(self._position)
        if self.plan.rules.self_check == "barred":
            return acts
        turn = self._position.turn
        return [act for act in acts if lost_by(self._position, act.captures) != turn] or acts

    def make(self, act: Act) -> None:
        """Make a move."""
        self.nodes += self._cost
        position = self._position
        mover = position.turn
        captured = lost_by(position, act.captures) == 1 - mover
        self._undone.append(position.make(act))
        check = not captured and in_check(position, position.turn)
        self._made.append(Made(mover, check))
        self._ended.append(captured or won_at_once(position, self._made) is not None)

    def unmake(self) -> None:
        """Take the last move back."""
        self._ended.pop()
        self._made.pop()
        self._position.unmake(self._undone.pop())

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._made[-1].check if self._made else in_check(self._position, self._position.turn)

    def checks(self, acts: list[Act]) -> list[Act]:
        """Those of the legal moves that give check or win at once."""
        return [act for act in acts if self._gives_check(act)]

    def stuck(self) -> int:
        """What it means for the side to move that it has no legal move: 1 it wins, -1, or 0."""
        result = no_moves(self._position)
        if result.winner is None:
            return 0
        return 1 if result.winner == self._position.turn else -1

    def _gives_check(self, act: Act) -> bool:
        self.make(act)
        found = self.ended or self.in_check()
        self.unmake()
        return found


class SwiftWalk(Walk):
    """The same where check can be read off the lines to a royal, and only mate ends the game."""

    def acts(self) -> list[Act]:
        """All legal moves."""
        return listed(self._position, swift=True)

    def make(self, act: Act) -> None:
        """Make a move."""
        self.nodes += 1
        self._undone.append(self._position.make(act))

    def unmake(self) -> None:
        """Take the last move back."""
        self._position.unmake(self._undone.pop())

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return in_check(self._position, self.turn)

    def checks(self, acts: list[Act]) -> list[Act]:
        """Those of the legal moves that give check.

        A piece that is dropped stops lines and opens none, so it gives check by itself or not.
        """
        reaches, plan = self._position.reaches, self.plan
        royal = self._position.royals[1 - self.turn][0]
        found = []
        for act in acts:
            if act.origin < 0:
                near = reaches.attackers[act.piece * plan.size + royal]
                if near is None:
                    near = reaches.attacks(act.piece, royal)
                if not near & plan.bits[act.target]:
                    continue
            if self._gives_check(act):
                found.append(act)
        return found

    def stuck(self) -> int:
        """What it means for the side to move that it has no legal move: 1 it wins, -1, or 0."""
        rules = self.plan.rules
        if mates(rules) and self.in_check():
            return -1
        return {"draw": 0, "loss": -1, "win": 1}[rules.stalemate]


# What swift walks know how to win by; with another the whole position is looked at each time.
_PLAIN_WINS = frozenset({"mate", "royal-capture"})


def walk_from(position: Position) -> Walk:
    """The fastest way through the moves from a position; it changes the position meanwhile."""
    plain = {win.how for win in position.plan.rules.win} <= _PLAIN_WINS
    return SwiftWalk(position) if plain and is_swift(position) else Walk(position)


class _OutOfNodes(Exception):
    """No error: the search has made all the moves it may."""


def mating_act(walk: Walk, plies: int, nodes: int, *, checks: bool = False) -> Act | None:
    """A move that mates in so many plies at most, an odd number, whatever the replies.

    With ``checks`` only moves that give check are looked at for the side that mates. None where
    there is no such mate, or where it was not found in making so many moves (``nodes``). What wins
    as a mate does, such as taking a royal or a goal reached, counts as one.
    """
    try:
        return _Mating(walk, walk.nodes + nodes, checks=checks).attack(plies)
    except _OutOfNodes:
        return None


class _Mating:
    """One search; it leaves its walk where it was, found or not."""

    def __init__(self, walk: Walk, last: int, *, checks: bool) -> None:
        self._walk = walk
        self._last = last
        self._checks = checks
        # By number of moves to mate, the reply that stood up to the last move tried: it often
        # stands up to the next one too.
        self._refutations: dict[int, Act] = {}

    def attack(self, plies: int) -> Act | None:
        """A move of the side to move that mates."""
        acts = self._walk.acts()
        checking = self._walk.checks(acts)
        for act in checking:
            if self._mates(act, 1):
                return act
        if plies == 1:
            return None
        known = set(checking)
        quiet = [] if self._checks else [act for act in acts if act not in known]
        for act in checking + quiet:
            if self._mates(act, plies):
                return act
        return None

    def _mates(self, act: Act, plies: int) -> bool:
        """Whether a move mates at once, or every reply can be answered by what mates in time."""
        walk = self._walk
        if walk.nodes >= self._last:
            raise _OutOfNodes
        walk.make(act)
        try:
            if walk.ended:
                return True
            replies = walk.acts()
            if not replies:
                return walk.stuck() < 0
            return plies > 1 and all(self._answered(r, plies) for r in self._likely(replies, plies))
        finally:
            walk.unmake()

    def _answered(self, reply: Act, plies: int) -> bool:
        """Whether what mates in two plies less follows a reply."""
        walk = self._walk
        walk.make(reply)
        try:
            if not walk.ended and self.attack(plies - 2) is not None:
                return True
            self._refutations[plies] = reply
            return False
        finally:
            walk.unmake()

    def _likely(self, replies: list[Act], plies: int) -> list[Act]:
        """The replies, the one that last stood up to a move first."""
        known = self._refutations.get(plies)
        return [known, *replies] if known in replies else replies


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
        moves = game.legal_moves
        if not moves:
            raise ValueError("the game has ended")
        position = read_position(game.sfen(), self._plan, self._alphabet)
        acts = legal_acts(position)
        walk = walk_from(position)
        left = list(acts)
        while True:
            act = self._best(walk, left, game)
            move = moves[acts.index(act)]
            left.remove(act)
            if not left or not _spoils(game, move):
                return move

    def _best(self, walk: Walk, acts: list[Act], game: Game) -> Act:
        if len(acts) == 1:
            return acts[0]
        for number, nodes, checks in MATES:
            act = mating_act(walk, number, nodes, checks=checks)
            if act in acts:
                return act
        chance = Random(f"{self.seed} {len(game.moves)}")
        return _Search(walk, self._worth, chance).best(acts, self.depth)


def _spoils(game: Game, move: Move) -> bool:
    """Whether a move ends the game without winning it: by repetition or stalemate."""
    after = game.copy()
    after.push(move)
    outcome = after.outcome()
    return outcome is not None and outcome.winner != game.side


class _Search:
    """One search from where a walk stands."""

    def __init__(self, walk: Walk, worth: Worth, chance: Random) -> None:
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

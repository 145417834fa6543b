"""An opponent for any game: it knows no game, and looks for the best move by trying.

A piece is worth the moves it has, on average, on boards that hold some pieces at random, and on a
square a little more where it has more there. What it may become adds part of what that is worth.

The engine (src/alfil/engine/search.c) does the work.
"""

from __future__ import annotations

import re
import sys
from array import array
from functools import reduce
from itertools import chain, compress, product
from operator import or_
from random import Random
from threading import Thread
from typing import NamedTuple

from alfil.errors import expect
from alfil.game import structs as search
from alfil.game.moves import Move, texts_of
from alfil.game.plan import SIDES, Act, Plan, squares_in
from alfil.game.position import Position
from alfil.game.run import Run
from alfil.game.structs import Struct
from alfil.game.text import read_position
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.material import Material, material_of
from alfil.play.outcome import mates

# Boards that a piece is put on, and how many of their squares are taken.
BOARDS, TAKEN = 6, 0.3
# A move is worth so much, one more or less on a square a tenth of that. So much of what promotion
# brings is counted before it has happened.
MOVE, HOPE = 100, 0.1
# What it is worth to take a royal, which ends most games.
ROYAL = 2_000
# A piece in hand may appear anywhere, so it is worth a little more; so is to be on the move.
IN_HAND, TEMPO = 1.1, 20
# Moves that seem as good, up to this, are chosen between by the seed.
NOISE = 20

TIME = re.compile(r"(?:(\d{1,3}):)?(\d{1,5}(?:\.\d+)?)(?:\+(\d{1,4}(?:\.\d+)?))?", re.ASCII)
# The shortest time to think.
LEAST = 0.05

# What it means to have no move, and when goals count, as the search has it.
STUCK = {"draw": 0, "loss": -1, "win": 1, "fewer": search.FEWER_WIN, "more": search.MORE_WIN}
LATE = {"at-once": 0, "next-turn": search.NEXT_TURN, "after-reply": search.LAST_REPLY}

DEPTH = 6
DEEPEST = 60
# A search ends after so many positions where it is not told otherwise.
NODES = 300_000
UNCOUNTED = 10**12
# The last positions of the game, in which a repetition is looked for too.
PAST = search.BACK
# The table of positions holds two to the power of this at most.
ENTRIES = 20
# The engine has room for so many sets of squares that pieces are bound to.
BOUND_SETS = 8
# Points are told to the engine in so many parts, for they may be halves.
PARTS = 60
ODDS = {"first": search.FIRST_WINS, "second": search.SECOND_WINS, "points": search.POINTS}


class Worth:
    """What pieces are worth: ``board`` by piece and square, ``hand`` by kind.

    A royal is worth `ROYAL`, as it may be taken in some games. The second side's pieces are worth
    what the first side's are, turned half around; up to `NOISE` is added by chance.
    """

    def __init__(self, plan: Plan, seed: int) -> None:
        size, chance = plan.size, Random(seed)
        boards = [_filled(plan, Random(number)) for number in range(BOARDS)]
        common = [p for p in range(1, plan.mark, 2) if not plan.royal[p]]
        rule = plan.rules.extinction
        # Where a side wins that has lost all, every piece is a burden.
        sign = -1 if rule and rule.what == ("all",) and rule.result == "win" else 1
        moves = {p: [_mobility(boards, p, square) for square in range(size)] for p in common}
        mean = {p: sum(each) / size for p, each in moves.items()}
        self.board = [ROYAL * plan.royal[p] for p in range(plan.mark) for _ in range(size)]
        self.hand = [0] * len(plan.kinds)
        for p in common:
            best = max((mean.get(form, 0.0) for form in plan.forms(p)), default=mean[p])
            worth = sign * MOVE * (mean[p] + HOPE * max(0.0, best - mean[p]))
            self.hand[p >> 1] = round(IN_HAND * worth)
            for square, here in enumerate(moves[p]):
                for place in (p * size + square, (p + 2) * size - 1 - square):
                    extra = MOVE * (here - mean[p]) / 10 + chance.randrange(NOISE)
                    self.board[place] = round(worth + extra)


def _filled(plan: Plan, chance: Random) -> Run:
    """A board with some pieces of both sides; none of them is royal."""
    position = Position(plan)
    common = [p for p in range(1, plan.mark) if not plan.royal[p]]
    for square in range(plan.size):
        if common and chance.random() < TAKEN:
            piece = chance.choice(common)
            cells = plan.cells(piece, square) if plan.fits(piece, square) else ()
            if cells and not any(position.board[cell] for cell in cells):
                position.put(square, piece)
    position.settle()
    return Run(position, 0)


def _mobility(boards: list[Run], piece: int, square: int) -> float:
    """How many moves a piece has on a square, on average."""
    return sum(board.ask("mobility", piece, square) for board in boards) / len(boards)


def _search(plan: Plan, worth: Worth) -> Struct:
    """What the engine's search must know of a game."""
    rules, repetition = plan.rules, plan.rules.repetition
    stuck = STUCK[rules.stalemate]
    mated = 1 if rules.mate == "win" else -1
    repeated = {
        "": 0,
        "draw": search.DRAWN,
        "loss-first": search.FIRST_LOSES,
        "loss-repeater": search.REPEATER_LOSES,
    }
    numbers = {
        "stuck": stuck,
        "mated": mated if mates(rules) else stuck if abs(stuck) == 1 else 0,
        "late_goals": LATE[rules.goal_wins],
        "checks_win": plan.checks_to_win,
        "bare": any(win.how == "bare" for win in rules.win),
        "repeated": repeated[repetition.result if repetition else ""],
        "perpetual": ("allowed", "draw", "loss").index(rules.perpetual_check),
        "tempo": TEMPO,
        "odds": ODDS.get(rules.draw_odds.how, 0),
        "first_odds": round(PARTS * rules.draw_odds.points[0]),
        "second_odds": round(PARTS * rules.draw_odds.points[1]),
    }
    parts = {"worth": array("i", worth.board), "in_hand": array("i", worth.hand)}
    if rules.draw_odds.how == "points":
        points = [plan.worth(piece) for piece in range(1, plan.mark)]
        parts["points"] = array("i", [0, *(round(PARTS * each) for each in points)])
    if any(win.how == "goal" for win in rules.win):
        parts["goals"] = array("i", _goals(plan))
    if rules.insufficient == "draw" and (dead := _dead_material(plan)):
        parts["dead"] = array("i", dead)
    return Struct(search.SEARCH, numbers, parts)


def _goals(plan: Plan) -> list[int]:
    """By piece and square, whether it wins there."""
    table, goal = [0] * (plan.mark * plan.size), plan.rules.goal
    for side in SIDES if goal else ():
        assert goal is not None
        piece = plan.piece(goal.code, side)
        for square in squares_in(plan.goals(side)):
            table[piece * plan.size + square] = 1
    return table


def _dead_material(plan: Plan) -> list[int]:
    """The table `dead` of the engine's `Search`, empty where nothing is known to be dead.

    The search is as certain as `alfil.play.material`, but passes over some dead positions: where a
    royal may yet castle, and where pieces are bound to more than `BOUND_SETS` sets of squares.
    """
    count, material = len(plan.kinds), material_of(plan)
    kinds = [kind for kind in range(count) if plan.royal[1 + 2 * kind]]
    parts = [int(royal) for royal in plan.royal]
    pairs, tables = [0] * (count * count), list[int]()
    for one, other in product(kinds, repeat=2) if material.decides else ():
        royals = 1 + 2 * one, 2 + 2 * other
        if not material.are_alike(*royals):
            continue
        pairs[one * count + other] = len(parts) + len(pairs) + len(tables)
        words, safe = _dead_beside(plan, material, royals)
        held = [
            0 if plan.rules.drops_first == "yes" else each[0] & search.HELPLESS for each in words
        ]
        tables += [plan.castling[each] for each in royals]
        tables += [*held, *chain.from_iterable(words), *safe]
        parts = [int(part or any(each)) for part, each in zip(parts, words, strict=True)]
    return [*parts, *pairs, *tables] if tables else []


def _dead_beside(
    plan: Plan, material: Material, royals: tuple[int, int]
) -> tuple[list[list[int]], list[bool]]:
    """What is known of other pieces beside two royals: words by piece and square, and safe sets."""
    words, sets = [[0] * plan.size for _ in range(plan.mark)], list[int]()
    for piece in range(1, plan.mark):
        if plan.royal[piece]:
            continue
        alone = search.HELPLESS if material.mates_nowhere(piece, royals) else 0
        bound = [material.roamed(piece, square) for square in range(plan.size)]
        safe = {each for each in bound if each and material.are_safe(each, royals)} - {*sets}
        sets += sorted(safe) if len(sets) + len(safe) <= BOUND_SETS else []
        bits = {each: 1 << search.BOUND + number for number, each in enumerate(sets)}
        words[piece] = [alone | bits.get(each, 0) for each in bound]
    chosen = product((False, True), repeat=len(sets))
    unions = [reduce(or_, compress(sets[::-1], each), 0) for each in chosen]
    return words, [material.are_safe(each, royals) for each in unions]


class Clock:
    """The time of one player: a number of seconds for each move, or as in chess.

    "5" is five seconds a move; "300+5" is 300 seconds for the game and five more after each move,
    and may be written "5:00+5"; "5:00" has none more. Raises ValueError for anything else.

    >>> clock = Clock("5:00+3")
    >>> clock.share()
    13.0
    >>> clock.spend(10.5)
    >>> str(clock)
    '4:52.5'
    """

    def __init__(self, text: str) -> None:
        found = TIME.fullmatch(text)
        if not found:
            raise ValueError(f"{text} is no time: write 5 for seconds a move, or 300+5 for a game")
        minutes, seconds, more = found.groups()
        a_move = minutes is None and more is None
        self._more = float(seconds if a_move else more or 0)
        # What is left for the game, None where only moves have their time.
        self.left = None if a_move else 60 * int(minutes or 0) + float(seconds)

    def share(self) -> float:
        """The seconds for the next move: as if thirty were to come, never more than half."""
        if self.left is None:
            return self._more
        return max(LEAST, min(self.left / 2, self.left / 30 + self._more))

    def spend(self, seconds: float) -> None:
        """Take what a move took."""
        if self.left is not None:
            self.left = max(0.0, self.left - seconds) + self._more

    def __str__(self) -> str:
        minutes, seconds = divmod(self.left or 0.0, 60)
        return f"{int(minutes)}:{seconds:04.1f}"


class Analysis(NamedTuple):
    """What a search found: the best move, and what it is worth to the side that makes it.

    ``score`` is in hundredths of a move that a piece has. ``mate`` is the number of moves of both
    sides to the end, below zero where it is the mover that loses, 0 where none was found. ``depth``
    is how far all was looked at, ``nodes`` at how many positions.
    """

    move: Move
    score: int
    mate: int
    depth: int
    nodes: int


class Opponent:
    """A player of one game that looks ``depth`` moves ahead, captures and checks further.

    It ends after ``nodes`` positions, or after some seconds where it is given time. Without time
    the same ``seed``, game and position give the same move on every machine; `DEEPEST` is as deep
    as it looks at all.

    >>> import alfil
    >>> library = alfil.load("hand_shogi")
    >>> game = library.game("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1")
    >>> str(Opponent(library.variant).choose(game))
    'P*5b'
    """

    def __init__(
        self,
        variant: Variant,
        *,
        depth: int = DEPTH,
        nodes: int = NODES,
        seed: int = 0,
    ) -> None:
        for number in (depth, nodes, seed):
            expect(number, int, "depth, nodes and seed are numbers")
        self.depth = max(1, min(depth, DEEPEST))
        self.nodes = nodes
        self.seed = seed
        self._plan, self._alphabet, _ = texts_of(variant)
        self._worth = Worth(self._plan, seed)
        self._search = _search(self._plan, self._worth)

    def choose(self, game: Game, seconds: float | None = None) -> Move:
        """The move to make in a game that goes on; the game is left as it is.

        ``seconds`` is the time it may take. Raises ValueError where there is no legal move.
        """
        return self.analyse(game, seconds).move

    def analyse(self, game: Game, seconds: float | None = None) -> Analysis:
        """The move to make, and what is known of it; otherwise as `choose`."""
        moves = game.legal_moves
        if not moves:
            raise ValueError("the game has ended")
        position = self._position(game)
        # In a browser no clock runs beside the search.
        timed = seconds is not None and sys.platform != "emscripten"
        nodes = UNCOUNTED if timed else self.nodes
        found = _Search(position, self._search, nodes)
        if position.plan.rules.repetition:
            found.remember(self._past(game))
        acts = found.acts()
        act = found.best(1 if len(acts) == 1 else self.depth, seconds)
        score, depth, nodes = found.result()
        return Analysis(moves[acts.index(act)], score, _moves_to_mate(score), depth, nodes)

    def _position(self, game: Game) -> Position:
        return read_position(game.sfen(), self._plan, self._alphabet)

    def _past(self, game: Game) -> list[tuple[Position, bool]]:
        """The last positions of the game, the latest first, and which were checks."""
        before = game.copy()
        found: list[tuple[Position, bool]] = []
        while len(found) < PAST and before.moves:
            before.pop()
            found.append((self._position(before), before.is_check()))
        return found


def _moves_to_mate(score: int) -> int:
    """The number of moves to the end that a score tells of, as `Analysis` has it."""
    left = search.MATE - abs(score)
    if abs(score) <= search.SURE:
        return 0
    return left if score > 0 else -left


class _Search:
    """One search of the engine from a position; ``known`` is what it must know of the game."""

    def __init__(self, position: Position, known: Struct, nodes: int) -> None:
        plan, room = position.plan, search.LONGEST + 4
        self._run, line = Run(position, room), PAST + room
        bits = max(10, min(ENTRIES, nodes.bit_length()))
        numbers = {"allowed": nodes, "past": PAST, "last_entry": (1 << bits) - 1}
        lengths = {
            "ahead": line,
            "checked": line,
            "given": line,
            "killers": 2 * line,
            "good": plan.mark * plan.size,
            "rated": len(self._run.state.moves) // search.WIDTH + 1,
        }
        arrays = {name: array("i", bytes(4 * length)) for name, length in lengths.items()}
        arrays["keys"] = array("Q", bytes(8 * line))
        arrays["entries"] = array("Q", bytes(16 << bits))
        arrays["given"][PAST - 1] = position.checks[position.turn]
        arrays["given"][PAST] = position.checks[1 - position.turn]
        self._arrays = arrays
        self._struct = Struct(search.SEARCH, known.numbers() | numbers, known.arrays | arrays)

    def remember(self, past: list[tuple[Position, bool]]) -> None:
        """Put the last positions of the game, and which were checks, before the line of moves."""
        for back, (position, check) in enumerate(past, 1):
            self._arrays["keys"][PAST - back] = Run(position, 0).ask("key_of")
            self._arrays["checked"][PAST - back] = check

    def acts(self) -> list[Act]:
        """All legal moves; the search lists its own over them."""
        return self._run.legal_acts()

    def best(self, depth: int, seconds: float | None) -> Act:
        """The best move; the search runs beside this so that time and Ctrl-C can stop it.

        In a browser nothing runs beside it, and the number of positions alone ends it.
        """
        if sys.platform == "emscripten":
            self._think(depth)
            return self._run.state.acts(0, 1)[0]
        thinking = Thread(target=self._think, args=(depth,), daemon=True)
        thinking.start()
        try:
            thinking.join(seconds)
        finally:
            self._struct["halt"] = 1
            thinking.join()
        return self._run.state.acts(0, 1)[0]

    def _think(self, depth: int) -> None:
        self._run.ask("think", self._struct, depth)

    def result(self) -> tuple[int, int, int]:
        """The score, how many moves ahead it was found, and at how many positions."""
        found = self._struct
        return found["score"], found["reached"], found["visited"]

"""How games end, what is odd about a position, and who has won a match of several games.

A match knows results only; the games are played elsewhere. Player 1 has the first side in the
first game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal, NamedTuple, TypeAlias, get_args

from alfil.game.plan import Act, Plan
from alfil.game.playing import Played
from alfil.game.position import Position
from alfil.game.variant import Goal, Rules, Win

Player: TypeAlias = Literal[1, 2]

ONE: Player = 1
TWO: Player = 2


# What players claim or leave alone where somebody else leads the game.
CLAIMS: frozenset[Ending] = frozenset(
    {
        "repetition",
        "perpetual-check",
        "perpetual-chase",
        "move-limit",
        "countdown",
        "insufficient-material",
    }
)


@dataclass(frozen=True, slots=True)
class Match:
    """The results of a match so far, one game after the other.

    ``results`` are the winners: "b", "w", or None for a draw. Nothing can be added once the match
    is won: `after` raises ValueError.

    >>> from alfil.game.variant import MatchLength, Rules
    >>> match = Match(Rules(match=MatchLength("consecutive", 2)))
    >>> match = match.after("b").after("w")
    >>> match.winner, match.run, match.wins
    (1, (2, 0), (2, 0))
    """

    rules: Rules = field(repr=False)
    results: tuple[str | None, ...] = ()

    @property
    def first_player(self) -> Player:
        """The player who has the first side in the next game."""
        return self._first_in(len(self.results))

    @property
    def winners(self) -> tuple[Player | None, ...]:
        """The winner of each game as a player, None for a draw."""
        first = self.rules.first[0]
        players = [self._first_in(number) for number in range(len(self.results))]
        return tuple(
            None if result is None else player if result == first else other(player)
            for player, result in zip(players, self.results, strict=True)
        )

    @property
    def wins(self) -> tuple[int, int]:
        """How many games each player has won."""
        return self.winners.count(ONE), self.winners.count(TWO)

    @property
    def run(self) -> tuple[int, int]:
        """How many games each player has won in a row, up to now; one of the two is 0."""
        run = {ONE: 0, TWO: 0}
        for winner in self.winners:
            if winner is not None:
                run = {winner: run[winner] + 1, other(winner): 0}
            elif self.rules.match_draw == "breaks":
                run = {ONE: 0, TWO: 0}
        return run[ONE], run[TWO]

    @property
    def over(self) -> bool:
        """Whether no more games are to be played; a single game may end the match in a draw."""
        return self.winner is not None or (self.rules.match.how == "single" and bool(self.results))

    @property
    def winner(self) -> Player | None:
        """The player who has won the match, or None."""
        length = self.rules.match
        match length.how:
            case "consecutive":
                standing, needed = self.run, length.games
            case "best-of":
                standing, needed = self.wins, length.games // 2 + 1
            case "single":
                standing, needed = self.wins, 1
        return ONE if standing[0] >= needed else TWO if standing[1] >= needed else None

    def after(self, result: str | None) -> Match:
        """The match with one more game, won by "b" or "w", or drawn (None)."""
        if self.over:
            raise ValueError("the match is over")
        if result not in {"b", "w", None}:
            raise ValueError(f"a game is won by 'b' or 'w', or drawn: not {result!r}")
        return Match(self.rules, (*self.results, result))

    def _first_in(self, number: int) -> Player:
        return TWO if self.rules.match_first == "alternate" and number % 2 else ONE


def other(player: Player) -> Player:
    """The player's opponent."""
    return TWO if player == ONE else ONE


# What the players or an arbiter say, and no position shows; "unstated" where a record has only the
# result.
Said = Literal["resignation", "agreement", "time", "forfeit", "adjudication", "unstated"]
SAID: tuple[Said, ...] = get_args(Said)

Ending = Literal[
    Said,
    "mate",
    "king-capture",
    "illegal-move",
    "perpetual-check",
    "perpetual-chase",
    "stalemate",
    "repetition",
    "impasse",
    "goal",
    "checks",
    "bare",
    "extinction",
    "pass",
    "facing",
    "move-limit",
    "countdown",
    "insufficient-material",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner's side ("b", "w", or None for a draw) and the reason.

    ``detail`` is the code of an illegal move.
    """

    winner: str | None
    reason: Ending
    detail: str = ""


class Result(NamedTuple):
    """An outcome with the winner as a number, None for a draw."""

    winner: int | None
    reason: Ending


class Made(NamedTuple):
    """What is remembered of a move that was made: who made it, and whether it gave check.

    ``mating`` is whether a mate counts that such checks led to (see `no_moves`).
    ``idle`` is how many moves in a row count towards a limit by now, ``countdown`` in how many one
    side must be mated and how many were made (`alfil.play.countdown`); ``passed`` whether it
    changed nothing, ``trades`` whether there are other pieces since.
    """

    side: int
    check: bool
    mating: bool = True
    idle: int = 0
    countdown: tuple[int, int] = (0, 0)
    passed: bool = False
    trades: bool = False


def won_before(position: Position) -> Result | None:
    """Whether a side has given all the checks that it needs before the first move."""
    needed = position.plan.checks_to_win
    if not needed or max(position.checks) < needed:
        return None
    return Result(position.checks.index(max(position.checks)), "checks")


# The ways to win that `won_at_once` looks for.
AT_ONCE = frozenset({"goal", "checks", "bare"})


def won_at_once(played: Played, made: Sequence[Made]) -> Result | None:
    """Whether the last move won by what it did other than to capture royals, or to mate."""
    mover, position = 1 - played.turn, played.position
    for win in played.plan.rules.win:
        if win.how == "goal" and (reached := _goal(played)):
            return reached
        if _wins(position, win, mover, made):
            reason: Ending = "mate" if win.how == "royal-capture" else win.how
            return Result(mover, reason)
    return None


def _wins(position: Position, win: Win, mover: int, made: Sequence[Made]) -> bool:
    match win.how:
        case "checks":
            return checks_given(position, made)[mover] >= win.times
        case "bare":
            return _is_bare(position, 1 - mover)
        case _:
            return False


def checks_given(position: Position, made: Iterable[Made]) -> tuple[int, int]:
    """How many checks the first and the second side have given."""
    first, second = position.checks
    checking = [each.side for each in made if each.check]
    return first + checking.count(0), second + checking.count(1)


def gets_on(rules: Rules, code: str, act: Act) -> bool:
    """Whether a move of a piece with this code begins the count of moves anew."""
    counted = rules.move_limit.codes if rules.move_limit else ()
    return bool(act.captures) or act.origin < 0 or code in counted


def idle(played: Played, made: Sequence[Made]) -> Result | None:
    """Whether the game is drawn because nobody gets on: by passes, or by the limit of moves."""
    rules, limit = played.plan.rules, played.plan.rules.move_limit
    if rules.passes == "stuck" and _stands_still(played):
        return Result(None, "pass")
    if made and made[-1].passed and rules.passes == "allowed":
        if len(made) > 1 and made[-2].passed:
            return Result(None, "pass")
        if rules.facing == "bikjang" and played.is_facing():
            return Result(None, "facing")
    if limit and made and made[-1].idle >= 2 * limit.moves:
        return Result(None, "move-limit")
    if made and made[-1].countdown[1] > made[-1].countdown[0]:
        return Result(None, "countdown")
    return None


def _stands_still(played: Played) -> bool:
    """Whether neither side has a move but to pass."""
    acts, is_pass = played.acts(), played.plan.is_pass
    if not acts or not is_pass(acts[0]):
        return False
    after = played.copy()
    after.make(acts[0])
    return all(map(is_pass, after.acts()))


def favoured(position: Position) -> int | None:
    """The side that wins a game that would be a draw, None where it is one."""
    odds = position.plan.rules.draw_odds
    if odds.how == "points":
        have = [points(position, each) + odds.points[each] for each in (0, 1)]
        return None if have[0] == have[1] else have.index(max(have))
    return {"first": 0, "second": 1}.get(odds.how)


def _goal(played: Played) -> Result | None:
    """Whether a side has reached the goal so that it counts; a draw where both have."""
    plan, turn, position = played.plan, played.turn, played.position
    goal, when = plan.rules.goal, plan.rules.goal_wins
    if goal is None:
        return None
    mine, theirs = (
        bool(position.sets[plan.piece(goal.code, side)] & plan.goals(side))
        for side in (turn, 1 - turn)
    )
    royal = plan.royal[plan.piece(goal.code, turn)]
    if when == "at-once" and royal:
        mine = mine and not played.is_open(turn)
        theirs = theirs and not played.is_open(1 - turn)
    if mine:
        # It was reached before, and has not been taken.
        return Result(None if theirs and when != "next-turn" else turn, "goal")
    late = when == "next-turn" or (when == "after-reply" and turn == 1 and _replies(played, goal))
    return Result(1 - turn, "goal") if theirs and not late else None


def _replies(played: Played, goal: Goal) -> bool:
    """Whether the side to move can reach the goal with its next move."""
    plan, turn = played.plan, played.turn
    wanted, there = plan.piece(goal.code, turn), plan.goals(turn)
    return any(act.becomes == wanted and there & plan.bits[act.target] for act in played.acts())


def _is_bare(position: Position, side: int) -> bool:
    royal = position.plan.royal
    others = any((p - 1) % 2 == side and not royal[p] for _, p in position.standing)
    return not others and not any(position.hands[side])


def extinct(position: Position) -> Result | None:
    """What it means that a side has too few pieces, the side that moved last before the other."""
    rule = position.plan.rules.extinction
    for side in (1 - position.turn, position.turn) if rule else ():
        assert rule is not None
        if any(_left(position, side, kinds) <= rule.left for kinds in position.plan.sorts(side)):
            winners = {"loss": 1 - side, "win": side, "draw": None}
            return Result(winners[rule.result], "extinction")
    return None


def _left(position: Position, side: int, kinds: Iterable[int]) -> int:
    """How many pieces of some kinds a side has, on the board and in hand."""
    sets, hand = position.sets, position.hands[side]
    return sum(sets[1 + 2 * kind + side].bit_count() + hand[kind] for kind in kinds)


def mates(rules: Rules) -> bool:
    """Whether a side in check that has no legal move is mated.

    Where royals are captured to win and check is barred, all its moves would let that happen.
    """
    ways = {win.how for win in rules.win}
    return "mate" in ways or ("royal-capture" in ways and rules.self_check == "barred")


def checks_mate(played: Played) -> bool:
    """Whether among the pieces that give check one can be the reason that a mate counts."""
    return any(mates != "drawn" for mates in _checks(played))


def _checks(played: Played) -> list[str]:
    """What is said of mates by the pieces that give check."""
    kinds = played.plan.kinds
    checkers = played.checkers(played.turn)
    return [kinds[(played.piece_on(square) - 1) >> 1].mates for square in checkers]


def no_moves(played: Played, made: Sequence[Made] = ()) -> Result:
    """What it means that the side to move has no legal move.

    Where checks of some pieces do not mate, one that does must be among the checks that were given
    in a row up to now; and a check by nothing but pieces that never mate loses for who gave it.
    """
    side, rules, position = played.turn, played.plan.rules, played.position
    if mates(rules) and played.is_check():
        if all(mates == "never" for mates in _checks(played)):
            return Result(side, "mate")
        checks = takewhile(lambda each: each.check, made[::-2])
        vary = any(kind.mates != "yes" for kind in played.plan.kinds)
        if vary and made and not any(each.mating for each in checks):
            return Result(None, "mate")
        return Result(side if rules.mate == "win" else 1 - side, "mate")
    own, other = (
        _left(position, each, range(len(position.plan.kinds))) for each in (side, 1 - side)
    )
    more = None if own == other else side if own > other else 1 - side
    fewer = None if more is None else 1 - more
    winners = {"draw": None, "loss": 1 - side, "win": side, "fewer": fewer, "more": more}
    return Result(winners[rules.stalemate], "stalemate")


def repeated(
    rules: Rules,
    before: Sequence[int],
    made: Sequence[Made],
    chasing: Callable[[int], tuple[int, ...]],
) -> Result | None:
    """What a position does that has occurred before.

    ``made`` are the moves of the game, ``before`` after how many of them it stood on the board, the
    last time being now. ``chasing`` tells the sides that chased a piece with every move after so
    many.
    """
    rule = rules.repetition
    if rule is None or len(before) < rule.times:
        return None
    since = before[0] if rules.perpetual_span == "first" else before[-2]
    checking = checking_throughout(made[since:])
    if rules.perpetual_check != "allowed" and checking:
        return _perpetual("perpetual-check", rules.perpetual_check, checking)
    if rules.perpetual_chase != "allowed" and (sides := chasing(since)):
        return _perpetual("perpetual-chase", rules.perpetual_chase, sides)
    winners = {"draw": None, "loss-first": 1, "loss-repeater": 1 - made[-1].side}
    return Result(winners[rule.result], "repetition")


def _perpetual(what: Ending, result: str, sides: tuple[int, ...]) -> Result:
    """What perpetual check or a perpetual chase does; where both sides did, the game is a draw."""
    if len(sides) > 1:
        return Result(None, "repetition")
    return Result(None if result == "draw" else 1 - sides[0], what)


def checking_throughout(made: Sequence[Made]) -> tuple[int, ...]:
    """The sides of which every move among these gave check.

    >>> checking_throughout([Made(0, True), Made(1, False), Made(0, True), Made(1, True)])
    (0,)
    """
    sides = [side for side in (0, 1) if any(each.side == side for each in made)]
    return tuple(s for s in sides if all(each.check for each in made if each.side == s))


def royals_in_zone(position: Position) -> bool:
    """Whether all royals of both sides stand in their promotion zones."""
    plan = position.plan
    return all(
        any(plan.zone[side][cell] for cell in plan.cells(position.board[square], square))
        for side in (0, 1)
        for square in position.royals[side]
    )


def points(position: Position, side: int) -> int:
    """What a side's pieces on the board and in its hand count (see `Plan.worth`)."""
    total = 0
    for kind, held in enumerate(position.hands[side]):
        piece = 1 + 2 * kind + side
        number = held + position.sets[piece].bit_count()
        total += number * position.plan.worth(piece) if number else 0
    return total


TOO_MANY_PIECES = "TOO_MANY_PIECES"
OPPONENT_IN_CHECK = "OPPONENT_IN_CHECK"
_NUMBERS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")


def flags_of(played: Played) -> frozenset[str]:
    """The names of all that is odd.

    A piece that should have promoted where it stands gives "KNIGHT_IN_ZONE", more on a file than
    allowed "TWO_SOLDIERS_ON_FILE", each with the name of its kind.
    """
    position = played.position
    found = set(_crowded_files(position)) | set(_unpromoted(position))
    if _too_many(position):
        found.add(TOO_MANY_PIECES)
    if played.is_open(1 - played.turn):
        found.add(OPPONENT_IN_CHECK)
    return frozenset(found)


def _name(plan: Plan, piece: int) -> str:
    return plan.kinds[(piece - 1) >> 1].name.upper().replace(" ", "_")


def _crowded_files(position: Position) -> Iterator[str]:
    plan = position.plan
    counts = Counter((piece, square % plan.files) for square, piece in position.standing)
    for (piece, _), count in counts.items():
        limit = plan.kinds[(piece - 1) >> 1].per_file
        if limit and count > limit:
            number = _NUMBERS[limit + 1] if limit + 1 < len(_NUMBERS) else "TOO_MANY"
            yield f"{number}_{_name(plan, piece)}S_ON_FILE"


def _unpromoted(position: Position) -> Iterator[str]:
    plan = position.plan
    for square, piece in position.standing:
        if not plan.forms(piece):
            continue
        forced = plan.natures[plan.codes[piece]].promotion.mode == "forced"
        zone = plan.zone[(piece - 1) % 2]
        if forced and any(zone[cell] for cell in plan.cells(piece, square)):
            yield f"{_name(plan, piece)}_IN_ZONE"


def _too_many(position: Position) -> bool:
    """Whether there are more of a kind than both sets hold, captured and promoted ones included."""
    plan = position.plan
    if not plan.starting:
        return False
    held: Counter[int] = Counter(plan.base[piece] for piece in plan.starting.values())
    for hand in plan.variant.hands:
        for code, count in hand:
            held[plan.number[plan.kinds[plan.number[code]].base]] += count
    there: Counter[int] = Counter(plan.base[piece] for _, piece in position.standing)
    for counts in position.hands:
        for kind, count in enumerate(counts):
            there[plan.base[1 + 2 * kind]] += count
    return any(count > held[kind] for kind, count in there.items())

"""How games end, slowly: all positions of a game are kept, and looked at again after every move.

Who chased a piece for ever, and which material mates no more, is not known here.
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from alfil.game.compiled_variant import DROPPED_MOVE_COUNT, EngineMove
from alfil.game.sfen import castling_partners  # with whom a piece would castle
from slow_engine.lists import legal_acts, moves_from
from slow_engine.moves import strikes_of
from slow_engine.position import Position
from slow_engine.rules import attacks_royal, facing, in_check, lost_by


class Result(NamedTuple):
    """An end of a game: the side that has won, None for a draw, and why."""

    winner: int | None
    reason: str


class Line:
    """A game from a position on, with the counts that stood in its text."""

    def __init__(self, first: Position, checks: tuple[int, int], idle: int) -> None:
        self.plan, self.rules = first.plan, first.plan.rules
        self.positions, self.acts = [first], list[EngineMove]()
        self._checks, self._idle = checks, idle
        self._counts = [(0, 0)]
        self._known_checks = dict[int, bool]()

    @property
    def last(self) -> Position:
        """The position that the game has come to."""
        return self.positions[-1]

    def push(self, act: EngineMove) -> None:
        """Make a legal move."""
        self.acts.append(act)
        self.positions.append(self.last.after(act))
        self._counts.append(self._countdown(act))

    def result(self) -> Result | None:
        """How the game has ended; a repetition that may be a chase is no more than that."""
        if self.acts and (loser := lost_by(self.positions[-2], self.acts[-1])) is not None:
            return Result(1 - loser, "king-capture")
        acts = legal_acts(self.last)
        found = self._extinct() or self._mate(acts) or self._won(acts)
        return found or self._stalemate(acts) or self._idles(acts) or self._repeated()

    def _extinct(self) -> Result | None:
        rule, position = self.rules.extinction, self.last
        for side in (1 - position.turn, position.turn) if rule else ():
            assert rule
            for kinds in self.plan.extinction_groups(side):
                if sum(self._number(side, kind) for kind in kinds) <= rule.left:
                    winners = {"loss": 1 - side, "win": side, "draw": None}
                    return Result(winners[rule.result], "extinction")
        return None

    def _number(self, side: int, kind: int) -> int:
        """How many pieces of a kind a side has."""
        return self.last.count(1 + 2 * kind + side) + self.last.hands[side][kind]

    def _all(self, side: int) -> int:
        return sum(self._number(side, kind) for kind in range(len(self.plan.kinds)))

    def _mate(self, acts: list[EngineMove]) -> Result | None:
        position, ways = self.last, {win.how for win in self.rules.win}
        mates = "mate" in ways or ("royal-capture" in ways and self.rules.self_check == "barred")
        side = position.turn
        if acts or not mates or not in_check(position, side):
            return None
        by = self._checkers(position)
        if by and all(each == "never" for each in by):
            return Result(side, "mate")
        checks = [*takewhile(self._gave_check, range(len(self.acts), 0, -2))]
        given = [each for number in checks for each in self._checkers(self.positions[number])]
        if checks and given and all(each == "drawn" for each in given):
            return Result(None, "mate")
        return Result(side if self.rules.mate == "win" else 1 - side, "mate")

    def _gave_check(self, number: int) -> bool:
        position = self.positions[number]
        if number not in self._known_checks:
            self._known_checks[number] = in_check(position, position.turn)
        return self._known_checks[number]

    def _checkers(self, position: Position) -> list[str]:
        """What is said of mates by the pieces that give check."""
        kinds, board = self.plan.kinds, position.board
        there = position.squares_of(1 - position.turn)
        return [kinds[(board[s] - 1) >> 1].mates for s in there if attacks_royal(position, s)]

    def _won(self, acts: list[EngineMove]) -> Result | None:
        ways = {win.how for win in self.rules.win}
        needed, given = self.plan.checks_to_win, self._given(len(self.acts))
        if "goal" in ways and (reached := self._goal(acts)):
            return reached
        if needed and max(given) >= needed:
            return Result(given.index(max(given)), "checks")
        side = self.last.turn
        if "bare" in ways and self.rules.bare == "unanswered":
            return self._bared()
        bare = self._all(side) == len(self.last.royals(side))
        return Result(1 - side, "bare") if "bare" in ways and bare else None

    def _bared(self) -> Result | None:
        """A side has one royal left that does not answer for that."""
        position, lone = self.last, list[int]()
        for side in (0, 1):
            left = [s for s in position.squares_of(side) if self._moves_ever(s)]
            bare = (
                len(left) == 1 and position.royals(side) == left and not any(position.hands[side])
            )
            lone += left * bare
        if not lone or any(map(self._answers, lone)):
            return None
        if len(lone) > 1:
            return Result(None, "bare")
        winner = position.board[lone[0]] % 2
        return Result(winner, "bare") if len(self._major(winner)) > 1 else None

    def _moves_ever(self, square: int) -> bool:
        return not self.plan.never_moves_from(self.last.board[square], square)

    def _major(self, side: int) -> list[int]:
        """The squares of the pieces with which a side may have bared the other one."""
        position = self.last
        every = filter(self._moves_ever, position.squares_of(side))
        return [s for s in every if not position.is_in("bare_minor", position.board[s])]

    def _answers(self, square: int) -> bool:
        """Whether a lone royal attacks a royal, or the one other piece."""
        position, enemy = self.last, self.last.board[square] % 2
        major, royals = self._major(enemy), position.royals(enemy)
        worth = {*royals, *(major if len(major) <= 2 else ())}
        taken = {each for act in strikes_of(position, square) for each in act.captures}
        return not worth.isdisjoint(taken)

    def _attacks(self, number: int) -> bool:
        """Whether the move that led to a position attacks."""
        position, act = self.positions[number], self.acts[number - 1]
        royals = {*position.royals(position.turn)}
        for square in position.squares_of(1 - position.turn):
            taken = {each for act in strikes_of(position, square) for each in act.captures}
            if not royals.isdisjoint(taken):
                return True
        other = position.copy()
        other.turn = 1 - position.turn
        return any(each.captures and not why for each, why in moves_from(other, act.target))

    def _goal(self, acts: list[EngineMove]) -> Result | None:
        goal, when, position = self.rules.goal, self.rules.goal_wins, self.last
        if goal is None:
            return None
        turn = position.turn
        pieces = [self.plan.piece_number(goal.code, side) for side in (0, 1)]
        areas = [self.plan.region_bits(goal.area, side) for side in (0, 1)]
        there = [
            any(areas[s] >> at & 1 for at, p in enumerate(position.board) if p == pieces[s])
            and not (when == "at-once" and self.plan.royal[pieces[s]] and in_check(position, s))
            for s in (0, 1)
        ]
        if there[turn]:
            return Result(None if there[1 - turn] and when != "next-turn" else turn, "goal")
        replies = any(a.becomes == pieces[turn] and areas[turn] >> a.target & 1 for a in acts)
        late = when == "next-turn" or (when == "after-reply" and turn == 1 and replies)
        return Result(1 - turn, "goal") if there[1 - turn] and not late else None

    def _stalemate(self, acts: list[EngineMove]) -> Result | None:
        if acts:
            return None
        side = self.last.turn
        ahead = self._all(side) - self._all(1 - side)
        more = None if not ahead else side if ahead > 0 else 1 - side
        fewer = None if more is None else 1 - more
        winners = {"draw": None, "loss": 1 - side, "win": side, "fewer": fewer, "more": more}
        return Result(winners[self.rules.stalemate], "stalemate")

    def _passed(self, back: int) -> bool:
        """Whether the last move, or the one before, was a pass."""
        return len(self.acts) >= back and self.plan.is_pass(self.acts[-back])

    def _idles(self, acts: list[EngineMove]) -> Result | None:
        rules = self.rules
        if rules.passes == "stuck" and [*map(self.plan.is_pass, acts)] == [True]:
            after = legal_acts(self.last.after(acts[0]))
            if all(map(self.plan.is_pass, after)):
                return Result(None, "pass")
        if rules.passes == "allowed" and self._passed(1):
            if self._passed(2):
                return Result(None, "pass")
            if rules.facing == "bikjang" and facing(self.last):
                return Result(None, "facing")
        if rules.move_limit and self._dull() >= 2 * rules.move_limit.moves:
            return Result(None, "move-limit")
        limit, made = self._counts[-1]
        return Result(None, "countdown") if made > limit else None

    def _dull(self) -> int:
        """How many moves in a row, up to now, brought nobody on."""
        limit = self.rules.move_limit
        codes = limit.codes if limit else ()
        dull = 0
        for act in reversed(self.acts):
            on = act.captures or act.origin < 0 or self.plan.codes[act.piece] in codes
            if on and not self.plan.is_pass(act):
                return dull
            dull += 1
        return dull + self._idle

    def _countdown(self, act: EngineMove) -> tuple[int, int]:
        """In how many moves a side must be mated, and how many were made, after a move."""
        rules, position, (limit, made) = self.rules, self.last, self._counts[-1]
        counts = [len(position.squares_of(side)) for side in (0, 1)]
        side, by_pieces = position.turn, rules.countdown_from == "pieces"
        before = 2 * sum(counts) if by_pieces else 0
        alone = [count == 1 for count in counts]
        if (act.captures and alone[side]) or not limit:
            moves = self._allowed(side)
            if moves:
                return moves, before if alone[side] else 0
        if by_pieces and act.captures and alone[1 - side] and not limit:
            moves = self._allowed(1 - side)
            return moves, max(0, before - 1) if moves else 0
        return limit, made + 1 if limit else 0

    def _allowed(self, side: int) -> int:
        compiled, position = self.plan, self.last
        without = [
            compiled.piece_number(code, s) for code in self.rules.countdown_without for s in (0, 1)
        ]
        own, others = (len(position.squares_of(each)) for each in (side, 1 - side))
        if others == 1 or any(map(position.count, without)):
            return 0
        for left, code, number, moves in self.rules.countdown:
            against = position.count(compiled.piece_number(code, 1 - side)) if code else number
            if (not left or own <= left) and against >= number:
                return 2 * moves
        return 0

    def _repeated(self) -> Result | None:
        rule = self.rules.repetition
        now = len(self.acts)
        alike = [n for n, each in enumerate(self.positions) if each.board == self.last.board]
        if rule is None or len(alike) < rule.times:
            return None
        same = [n for n in alike if self._key(n) == self._key(now)]
        if len(same) < rule.times:
            return None
        since = same[0] if self.rules.perpetual_span == "first" else same[-2]
        sides = [
            side
            for side in (0, 1)
            if all(map(self._gave_check, self._made_by(side, since))) and self._made_by(side, since)
        ]
        if self.rules.perpetual_check != "allowed" and sides:
            if len(sides) > 1:
                return Result(None, "repetition")
            lost = None if self.rules.perpetual_check == "draw" else 1 - sides[0]
            return Result(lost, "perpetual-check")
        made = self._made_by(1 - self.last.turn, since)
        if self.rules.perpetual_attack != "allowed" and all(map(self._attacks, made)):
            return Result(self.last.turn, "perpetual-attack")
        winners = {"draw": None, "loss-first": 1, "loss-repeater": self.last.turn}
        return Result(winners[rule.result], "repetition")

    def _made_by(self, side: int, since: int) -> list[int]:
        """The numbers of the positions to which moves of a side led, after so many moves."""
        return [n for n in range(since + 1, len(self.positions)) if self.positions[n].turn != side]

    def _key(self, number: int) -> object:
        """All that tells one position from another."""
        position, compiled = self.positions[number], self.plan
        memory = list[tuple[int, ...]]()
        for square, count in enumerate(position.made if compiled.needs_move_counts else ()):
            piece = position.board[square]
            if not 0 < piece < compiled.wall:
                continue
            known = 0 if count == DROPPED_MOVE_COUNT else count
            if 0 <= known < compiled.piece_move_count_caps[piece]:
                memory.append((square, known))
            if count == 0 and compiled.is_castler[piece]:
                ready = castling_partners(position, square)  # type: ignore[arg-type]
                memory += [(-1, square, each) for each in ready if position.made[each] == 0]
        passing = position.trail and any(
            square in position.trail.values() and act.target not in act.captures
            for act in legal_acts(position)
            for square in act.captures
        )
        trail = sorted(position.trail.items()) if passing else []
        phase = position.number % (2 * compiled.turn_condition_period)
        board, hands = tuple(position.board), (*position.hands[0], *position.hands[1])
        checks = self._given(number)
        return board, hands, position.turn, phase, sorted(position.holds), memory, trail, checks

    def _given(self, number: int) -> tuple[int, int]:
        """The checks that both sides have given after so many moves."""
        if not self.plan.checks_to_win:
            return 0, 0
        given = [*self._checks]
        for n in range(1, number + 1):
            given[self.positions[n - 1].turn] += self._gave_check(n)
        return given[0], given[1]

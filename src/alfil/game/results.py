"""What the engine must know of how games end; see src/alfil/engine/results.c."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, get_args, get_type_hints

from alfil.game import structs
from alfil.game.cells import Pool
from alfil.game.plan import SIDES, Plan
from alfil.game.rules import RULES
from alfil.game.variant import Win

# Points are told in so many parts, for they may be halves.
PARTS = 2
# In an impasse a piece counts five that runs without limit in so many directions.
_LARGE, _DIRECTIONS = 5, 4
_MATES = {"yes": 0, "drawn": structs.MATES_DRAWN, "never": structs.NEVER_MATES}
_MEANT = {"win": 1, "loss": -1, "draw": structs.DRAW}
_WAYS = get_args(get_type_hints(Win)["how"])


def rules_of(plan: Plan, pool: Pool) -> list[int]:
    """By rule, the number of its value, or the list of its numbers; 0 where it does not hold."""
    return [
        _LISTS[rule.field](plan, pool)
        if rule.field in _LISTS
        else _number(getattr(plan.rules, rule.field), rule.values)
        for rule in RULES
    ]


def _number(value: object, values: Sequence[object]) -> int:
    """A value as the engine counts it; that of a rule which it does not ask is none."""
    return values.index(value) if value in values else 0


def _win(plan: Plan, _pool: Pool) -> int:
    return sum(1 << _WAYS.index(each.how) for each in plan.rules.win)


def _goal(plan: Plan, _pool: Pool) -> int:
    return int(plan.rules.goal is not None and any(w.how == "goal" for w in plan.rules.win))


def _extinction(plan: Plan, pool: Pool) -> int:
    rule = plan.rules.extinction
    if rule is None:
        return 0
    lists = [[pool.list(kinds) for kinds in plan.sorts(side)] for side in SIDES]
    sorts = [pool.put((len(each), *each)) for each in lists]
    return pool.put((rule.left, _MEANT[rule.result], *sorts))


def _draw_odds(plan: Plan, pool: Pool) -> int:
    how, points = plan.rules.draw_odds
    ways = get_args(get_type_hints(type(plan.rules.draw_odds))["how"])
    numbers = (ways.index(how), *(round(PARTS * each) for each in points))
    return 0 if how == "none" else pool.put(numbers)


def _move_limit(plan: Plan, pool: Pool) -> int:
    limit = plan.rules.move_limit
    return pool.put((2 * limit.moves,)) if limit else 0


def _countdown(plan: Plan, pool: Pool) -> int:
    rows = [
        number
        for each in plan.rules.countdown
        for number in (
            each.left,
            plan.number[each.code] + 1 if each.code else 0,
            each.number,
            2 * each.moves,
        )
    ]
    return pool.put((len(plan.rules.countdown), *rows)) if rows else 0


def _countdown_without(plan: Plan, pool: Pool) -> int:
    return pool.list(plan.number[code] for code in plan.rules.countdown_without)


def _repetition(plan: Plan, pool: Pool) -> int:
    rule = plan.rules.repetition
    ways = get_args(get_type_hints(type(rule))["result"]) if rule else ()
    return pool.put((rule.times, ways.index(rule.result))) if rule else 0


_List: TypeAlias = Callable[[Plan, Pool], int]
# The rules whose numbers are more than one.
_LISTS: dict[str, _List] = {
    "win": _win,
    "goal": _goal,
    "extinction": _extinction,
    "draw_odds": _draw_odds,
    "move_limit": _move_limit,
    "countdown": _countdown,
    "countdown_without": _countdown_without,
    "repetition": _repetition,
}


def minded(plan: Plan) -> dict[str, int]:
    """What results ask of moves and pieces."""
    varied = any(kind.mates != "yes" for kind in plan.kinds)
    perpetual = plan.rules.perpetual_check != "allowed"
    return {
        "minding_checks": varied or perpetual or plan.checks_to_win > 0,
        "varied_mates": varied,
        "checks_to_win": plan.checks_to_win,
        "vanishing": plan.rules.captured == "removed" and plan.rules.drops != "free",
        "castles": plan.castles,
    }


def tables_of(plan: Plan, pool: Pool) -> dict[str, list[int]]:
    """What pieces are to results; what a game does not ask is left out."""
    rules = plan.rules
    found = {
        "insets": [pool.list(each) for each in plan.castle_insets],
        "counted": plan.count_limits,
    }
    if _goal(plan, pool):
        found["goals"] = _goals(plan)
    if rules.perpetual_chase != "allowed":
        found["chases"] = _chases(plan)
    if any(kind.mates != "yes" for kind in plan.kinds):
        found["mates"] = [0, *(_MATES[kind.mates] for kind in plan.kinds for _ in SIDES)]
    counting = rules.draw_odds.how, rules.impasse.how
    if "points" in counting or rules.perpetual_chase != "allowed":
        found["points"] = [0, *(PARTS * _worth(plan, piece) for piece in range(1, plan.wall))]
    if rules.move_limit and rules.move_limit.codes:
        codes = rules.move_limit.codes
        found["progress"] = [0, *(int(kind.code in codes) for kind in plan.kinds for _ in SIDES)]
    return found


def _goals(plan: Plan) -> list[int]:
    """By piece and square, whether it wins there."""
    goal = plan.rules.goal
    assert goal is not None
    table = [0] * (plan.wall * plan.size)
    for side in SIDES:
        first, there = plan.piece(goal.code, side) * plan.size, plan.goals(side)
        table[first : first + plan.size] = [there >> square & 1 for square in range(plan.size)]
    return table


def _chases(plan: Plan) -> list[int]:
    """By piece and square, whether it chases, and is chased there."""
    everywhere = (1 << plan.size) - 1
    table = [0] * plan.size
    for kind in plan.kinds:
        for side in SIDES:
            royal = plan.royal[plan.piece(kind.code, side)]
            area = everywhere if kind.chased_in is None else plan.area(kind.chased_in, side)
            chases = structs.CHASES * (kind.chases == "yes" and not royal)
            table += [
                chases | structs.CHASED * (area >> square & 1 and not royal)
                for square in range(plan.size)
            ]
    return table


def _worth(plan: Plan, piece: int) -> int:
    """What a piece counts where pieces are counted: what its line says, royals nothing.

    Else it is five where it runs far in four directions, and one for any other.
    """
    said = plan.kinds[(piece - 1) >> 1].points
    if said is not None or plan.royal[piece]:
        return said or 0
    far = 0
    for layout in plan.parts(piece):
        steps = set(layout.trie.steps) if layout.trie and not layout.guard else set()
        runs = range(1, min(plan.files, plan.ranks))
        far += sum(
            all((x * run, y * run) in steps for run in runs)
            for x, y in steps
            if max(abs(x), abs(y)) == 1
        )
    return _LARGE if far >= _DIRECTIONS else 1

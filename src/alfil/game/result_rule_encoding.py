"""The rules about results as the engine reads them; see src/alfil/engine/results.c."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, get_args

from alfil.game import engine_interface
from alfil.game.compiled_variant import SIDES, CompiledVariant
from alfil.game.move_layout import ListPool
from alfil.game.rule_table import RULES
from alfil.game.variant import DrawOddsForm, RepetitionResult, WinForm

# Points are told in so many parts, for they may be halves.
UNITS_PER_POINT = 2
# In an impasse a piece counts five that slides without limit in so many directions.
_LARGE_PIECE_POINTS, _LARGE_PIECE_DIRECTIONS = 5, 4
_MATE_CODES = {
    "yes": 0,
    "drawn": engine_interface.MATES_DRAWN,
    "never": engine_interface.NEVER_MATES,
}
_RESULT_CODES = {"win": 1, "loss": -1, "draw": engine_interface.DRAW}
_RuleEncoder: TypeAlias = Callable[[CompiledVariant, ListPool], int]
_WIN_BITS = get_args(WinForm)


def encode_rules(compiled: CompiledVariant, pool: ListPool) -> list[int]:
    """For each rule, its value as a number or list; 0 where it does not apply."""
    return [
        _ENCODER_BY_RULE[rule.field_name](compiled, pool)
        if rule.field_name in _ENCODER_BY_RULE
        else _index_of_value(getattr(compiled.rules, rule.field_name), rule.values)
        for rule in RULES
    ]


def _index_of_value(value: object, values: Sequence[object]) -> int:
    """A value as the engine counts it; that of a rule which it does not ask is none."""
    return values.index(value) if value in values else 0


def _encode_win(compiled: CompiledVariant, _pool: ListPool) -> int:
    return sum(1 << _WIN_BITS.index(each.how) for each in compiled.rules.win)


def _encode_can_win_on_goal(compiled: CompiledVariant, _pool: ListPool) -> int:
    return int(compiled.rules.goal is not None and any(w.how == "goal" for w in compiled.rules.win))


def _encode_extinction(compiled: CompiledVariant, pool: ListPool) -> int:
    rule = compiled.rules.extinction
    if rule is None:
        return 0
    lists = [[pool.put_list(kinds) for kinds in compiled.extinction_groups(side)] for side in SIDES]
    sorts = [pool.put((len(each), *each)) for each in lists]
    return pool.put((rule.left, _RESULT_CODES[rule.result], *sorts))


def _encode_draw_odds(compiled: CompiledVariant, pool: ListPool) -> int:
    how, points = compiled.rules.draw_odds
    numbers = [round(UNITS_PER_POINT * each) for each in points]
    return 0 if how == "none" else pool.put((get_args(DrawOddsForm).index(how), *numbers))


def _encode_move_limit(compiled: CompiledVariant, pool: ListPool) -> int:
    limit = compiled.rules.move_limit
    return pool.put((2 * limit.moves,)) if limit else 0


def _encode_countdown(compiled: CompiledVariant, pool: ListPool) -> int:
    rows = [
        number
        for each in compiled.rules.countdown
        for number in (
            each.left,
            compiled.number[each.code] + 1 if each.code else 0,
            each.number,
            2 * each.moves,
        )
    ]
    return pool.put((len(compiled.rules.countdown), *rows)) if rows else 0


def _encoder_of_kinds(field: str) -> _RuleEncoder:
    """A rule whose value are piece types: the list of their numbers."""

    def lay_out(compiled: CompiledVariant, pool: ListPool) -> int:
        return pool.put_list(compiled.number[code] for code in getattr(compiled.rules, field))

    return lay_out


def _encode_contagion(compiled: CompiledVariant, pool: ListPool) -> int:
    return pool.put_list(
        compiled.number[code] for pair in compiled.rules.contagion for code in pair
    )


def _encode_repetition(compiled: CompiledVariant, pool: ListPool) -> int:
    rule = compiled.rules.repetition
    ways = get_args(RepetitionResult)
    return pool.put((rule.times, ways.index(rule.result))) if rule else 0


# The rules whose numbers are more than one.
_ENCODER_BY_RULE: dict[str, _RuleEncoder] = {
    "win": _encode_win,
    "goal": _encode_can_win_on_goal,
    "extinction": _encode_extinction,
    "draw_odds": _encode_draw_odds,
    "move_limit": _encode_move_limit,
    "countdown": _encode_countdown,
    **{
        field: _encoder_of_kinds(field)
        for field in (
            *("countdown_without", "no_exchange", "no_exchange_minor", "bare_minor"),
            "captures_unprotected",
        )
    },
    "contagion": _encode_contagion,
    "repetition": _encode_repetition,
}


def result_feature_flags(compiled: CompiledVariant) -> dict[str, int]:
    """The information about moves that results depend on."""
    varied = any(kind.mates != "yes" for kind in compiled.kinds)
    perpetual = compiled.rules.perpetual_check != "allowed"
    return {
        "minding_checks": varied or perpetual or compiled.checks_to_win > 0,
        "varied_mates": varied,
        "checks_to_win": compiled.checks_to_win,
        "vanishing": compiled.rules.captured == "removed" and compiled.rules.drops != "free",
        "castles": compiled.has_castling,
    }


def result_tables(compiled: CompiledVariant, pool: ListPool) -> dict[str, list[int]]:
    """Tables by piece that results use; unused ones are left out."""
    rules = compiled.rules
    result = {
        "insets": [pool.put_list(each) for each in compiled.castling_partner_insets],
        "counted": compiled.piece_move_count_caps,
    }
    if _encode_can_win_on_goal(compiled, pool):
        result["goals"] = _goal_table(compiled)
    if rules.perpetual_chase != "allowed":
        result["chases"] = _chase_table(compiled)
    if any(kind.mates != "yes" for kind in compiled.kinds):
        result["mates"] = [0, *(_MATE_CODES[kind.mates] for kind in compiled.kinds for _ in SIDES)]
    counting = rules.draw_odds.how, rules.impasse.how
    if "points" in counting or rules.perpetual_chase != "allowed":
        result["points"] = [
            0,
            *(
                UNITS_PER_POINT * _points_of_piece(compiled, piece)
                for piece in range(1, compiled.wall)
            ),
        ]
    if rules.move_limit and rules.move_limit.codes:
        codes = rules.move_limit.codes
        result["progress"] = [
            0,
            *(int(kind.code in codes) for kind in compiled.kinds for _ in SIDES),
        ]
    return result


def _goal_table(compiled: CompiledVariant) -> list[int]:
    """By piece and square, whether it wins there."""
    goal = compiled.rules.goal
    assert goal is not None
    table = [0] * (compiled.wall * compiled.size)
    for side in SIDES:
        first = compiled.piece_number(goal.code, side) * compiled.size
        there = compiled.goal_squares(side)
        table[first : first + compiled.size] = [
            there >> square & 1 for square in range(compiled.size)
        ]
    return table


def _chase_table(compiled: CompiledVariant) -> list[int]:
    """By piece and square, whether a piece counts as chaser or as chased."""
    everywhere = (1 << compiled.size) - 1
    table = [0] * compiled.size
    for kind in compiled.kinds:
        for side in SIDES:
            royal = compiled.royal[compiled.piece_number(kind.code, side)]
            area = (
                everywhere if kind.chased_in is None else compiled.region_bits(kind.chased_in, side)
            )
            chases = engine_interface.CHASES * (kind.chases == "yes" and not royal)
            table += [
                chases | engine_interface.CHASED * (area >> square & 1 and not royal)
                for square in range(compiled.size)
            ]
    return table


def _points_of_piece(compiled: CompiledVariant, piece: int) -> int:
    """The points of a piece, from its line; royals count 0.

    Else it is five where it runs far in four directions, and one for any other.
    """
    said = compiled.kinds[(piece - 1) >> 1].points
    if said is not None or compiled.royal[piece]:
        return said or 0
    far = 0
    for layout in compiled.table_sections(piece):
        steps = set(layout.trie.steps) if layout.trie and not layout.guard else set()
        runs = range(1, min(compiled.files, compiled.ranks))
        far += sum(
            all((x * run, y * run) in steps for run in runs)
            for x, y in steps
            if max(abs(x), abs(y)) == 1
        )
    return _LARGE_PIECE_POINTS if far >= _LARGE_PIECE_DIRECTIONS else 1

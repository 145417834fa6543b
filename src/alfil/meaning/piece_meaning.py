"""The meaning of a piece: guarded automata, and facts that are not moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import lcm
from typing import Literal, TypeAlias

from alfil.frozen_dataclasses import NamedTuple, dataclass
from alfil.meaning.automaton import Automaton, canonical_automaton, difference_product

ConditionKind: TypeAlias = Literal[
    "move",
    "every",
    "turn",
    "third-rank",
    "castle",
    "middle",
    "halfway",
    "trail",
    "greedy",
    "light",
    "dark",
    "own-colour",
    "other-colour",
    "left-half",
    "right-half",
    "unchecked",
]


class ConditionTraits(NamedTuple):
    """What is true of all conditions of a kind, for those who need not know the kind itself.

    ``effect``: it says what a move does, not when it may be made. ``placed``: what it comes to
    depends on the size of the board and the square of the piece. ``upright``: it tells forward from
    other directions, so that the moves cannot be turned, and ``sided`` tells left from others.
    ``traced``: the squares passed matter.
    ``walked``: no trie has it, so that the automaton is walked. ``ground``: it asks for squares of
    a sort, `stands` tells which; of two that are ``against`` each other one holds.
    """

    effect: bool = False
    placed: bool = False
    upright: bool = False
    sided: bool = False
    traced: bool = False
    walked: bool = False
    ground: bool = False
    against: str = ""


TRAITS_BY_CONDITION_KIND: dict[ConditionKind, ConditionTraits] = {
    "move": ConditionTraits(),
    "every": ConditionTraits(),
    "turn": ConditionTraits(),
    "third-rank": ConditionTraits(upright=True),
    "castle": ConditionTraits(effect=True, upright=True, walked=True),
    "middle": ConditionTraits(effect=True, placed=True, upright=True, traced=True, walked=True),
    "halfway": ConditionTraits(effect=True, placed=True),
    "trail": ConditionTraits(effect=True, traced=True),
    "greedy": ConditionTraits(effect=True, walked=True),
    "light": ConditionTraits(placed=True, ground=True, against="dark"),
    "dark": ConditionTraits(placed=True, ground=True, against="light"),
    "own-colour": ConditionTraits(placed=True, ground=True, against="other-colour"),
    "other-colour": ConditionTraits(placed=True, ground=True, against="own-colour"),
    "left-half": ConditionTraits(placed=True, sided=True, ground=True),
    "right-half": ConditionTraits(placed=True, sided=True, ground=True),
    "unchecked": ConditionTraits(),
}


def _kinds_with_trait(trait: str) -> frozenset[ConditionKind]:
    return frozenset(
        kind for kind, traits in TRAITS_BY_CONDITION_KIND.items() if getattr(traits, trait)
    )


(
    EFFECT_CONDITIONS,
    BOARD_CONDITIONS,
    FORWARD_CONDITIONS,
    SIDED_CONDITIONS,
    PATH_CONDITIONS,
    CONDITIONS_WITHOUT_TRIE,
    START_SQUARE_CONDITIONS,
) = map(_kinds_with_trait, ("effect", "placed", "upright", "sided", "traced", "walked", "ground"))


def ranks_in_own_half(ranks: int) -> int:
    """The number of ranks before the middle of a board, without one in the middle.

    >>> ranks_in_own_half(8), ranks_in_own_half(9)
    (4, 4)
    """
    return ranks // 2


class Condition(NamedTuple):
    """One condition or effect of a part.

    "move" k: only as the piece's own k-th move (1: unmoved). "every" k: as every k-th own move.
    "turn" k: on every k-th turn of its side.
    "third-rank": the square straight behind held the same piece at the start. "castle" n, inset m:
    the king goes n squares and a partner m files in from the edge joins it. "middle": a run stops
    in its own half, "halfway": some run goes half the way to the edge at most, which the automaton
    says, too. "trail": the squares passed may be captured on, en passant. "greedy": only the
    farthest square of a run. "unchecked": while the side of the piece is not in check, which is
    said of pieces in files only. The others ask for the square the piece stands on, see `Ground`.
    """

    kind: ConditionKind
    value: int = 0
    inset: int = 0


Guard: TypeAlias = tuple[Condition, ...]


def is_castling(guard: Guard) -> bool:
    """Whether the moves of a guard are castling."""
    return any(condition.kind == "castle" for condition in guard)


class GuardedAutomaton(NamedTuple):
    """Moves that need the same guard; an empty guard means always."""

    guard: Guard
    automaton: Automaton


Value: TypeAlias = "str | int | Meaning"


class Fact(NamedTuple):
    """Something true of the piece that is not a move: royal, promotion, size, effects in range.

    ``values`` are strings, numbers and meanings, in a fixed order for each name.
    """

    name: str
    values: tuple[Value, ...] = ()


# The squares that a piece takes up, counted from its own, which is the near left one.
Footprint: TypeAlias = tuple[tuple[int, int], ...]


def footprint_of(facts: Sequence[Fact]) -> Footprint:
    """The squares that a piece takes up, counted from its own; of several sizes the largest.

    >>> footprint_of([Fact("size", (2, 1))]), footprint_of([])
    (((0, 0), (1, 0)), ((0, 0),))
    """
    if not facts:
        return ((0, 0),)
    # With more values the size is said of some moves only, which says nothing.
    sizes = [fact.values for fact in facts if fact.name == "size" and len(fact.values) == len("xy")]
    files, ranks = (
        max((int(str(size[each])) for size in sizes), default=1) for each in range(len("xy"))
    )
    return tuple((x, y) for y in range(ranks) for x in range(files))


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a piece amounts to, without notation, dialect or spelling; ``==`` is "same piece".

    ``parts`` are sorted by guard, at most one for each; no part holds paths that another part
    with fewer conditions has already. ``facts`` are sorted.
    """

    parts: tuple[GuardedAutomaton, ...]
    facts: tuple[Fact, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any move at all."""
        return bool(self.parts)

    def without_facts(self) -> Meaning:
        """The moves alone."""
        return Meaning(self.parts) if self.facts else self


def meaning_of_parts(parts: Iterable[GuardedAutomaton], facts: Iterable[Fact] = ()) -> Meaning:
    """A meaning from parts with distinct guards, in normal form."""
    held = list(parts)
    if len(held) > 1:
        held.sort()
        every = dict(held)
        held = [
            GuardedAutomaton(guard, _moves_beyond_parts(guard, automaton, every))
            for guard, automaton in held
        ]
    moving = tuple([part for part in held if part.automaton])
    return Meaning(moving, tuple(sorted(set(facts), key=repr)) if facts else ())


def any_move_has_bits(meanings: Iterable[Meaning], ends: int, passes: int) -> bool:
    """Whether some move ends on, or takes or goes over, what has one of these bits.

    They are those of `alfil.meaning.automaton`.
    """
    return any(
        emit & ends or any(mask & passes for mask, _ in ways)
        for meaning in meanings
        for part in meaning.parts
        for state in part.automaton.states
        for *_, emit, ways in state
    )


def with_condition(guard: Guard, condition: Condition) -> Guard | None:
    """The guard with one more condition, or None when that can never hold."""
    together = {*guard, condition}
    moves = [each.value for each in together if each.kind == "move"]
    rounds = [each for each in together if each.kind == "every"]
    turns = [each for each in together if each.kind == "turn"]
    if len(moves) > 1:
        return None
    if any(
        TRAITS_BY_CONDITION_KIND[each.kind].against in {other.kind for other in together}
        for each in together
    ):
        return None
    together.difference_update(rounds, turns)
    every = lcm(*(each.value for each in rounds))
    if moves and moves[0] % every:
        return None
    if rounds and not moves:
        together.add(Condition("every", every))
    if turns:
        together.add(Condition("turn", lcm(*(each.value for each in turns))))
    return tuple(sorted(together))


def conditions_hold(
    guard: Guard,
    moves_made: int | None,
    *,
    third_rank: bool,
    turn: int | None = None,
    grounds: Collection[ConditionKind] = START_SQUARE_CONDITIONS,
) -> bool:
    """Whether all conditions on the piece's own past hold; ``moves_made`` is None for many.

    ``turn`` is that of its side; where it is not known any turn is. ``grounds`` are the conditions
    on its square that hold.

    >>> conditions_hold((Condition("move", 1),), 0, third_rank=False)
    True
    """
    turns = (each.value for each in guard if each.kind == "turn" and turn is not None)
    return not any((turn or 0) % each for each in turns) and all(
        _condition_holds(condition, moves_made, third_rank=third_rank)
        and (condition.kind in grounds or condition.kind not in START_SQUARE_CONDITIONS)
        for condition in guard
    )


def _condition_holds(condition: Condition, moves_made: int | None, *, third_rank: bool) -> bool:
    match condition.kind:
        case "move":
            return moves_made == condition.value - 1
        case "every":
            return moves_made is None or (moves_made + 1) % condition.value == 0
        case "third-rank":
            return third_rank
        case _:
            return True


def _moves_beyond_parts(
    guard: Guard, automaton: Automaton, parts: dict[Guard, Automaton]
) -> Automaton:
    """What a part allows beyond the parts whose conditions its own include."""
    effects = _effect_conditions_of(guard)
    for other, larger in parts.items():
        if other != guard and _effect_conditions_of(other) == effects and set(other) < set(guard):
            automaton = canonical_automaton(
                [row for _, row in difference_product(automaton, [larger])], (0,)
            )
    return automaton


def _effect_conditions_of(guard: Guard) -> Guard:
    return tuple(condition for condition in guard if condition.kind in EFFECT_CONDITIONS)


# The conditions around a fact that ask for its square, and those that count moves or turns.
_CONDITION_NAMES: dict[str, ConditionKind] = {kind: kind for kind in START_SQUARE_CONDITIONS}
_COUNTED_NAMES: dict[str, ConditionKind] = {"move": "move", "every": "every", "turn": "turn"}


def split_conditions_and_words(wrapper_words: Iterable[Value]) -> tuple[Guard, tuple[str, ...]]:
    """What stands around a fact: its conditions, and the other words of
    `alfil.meaning.compile_facts.compile_fact`.

    >>> split_conditions_and_words(["every 2", "every 3", "capturing"])
    ((Condition(kind='every', value=6, inset=0),), ('capturing',))
    """
    guard: Guard = ()
    others: list[str] = []
    for each in map(str, wrapper_words):
        kind, _, number = each.partition(" ")
        if kind in _COUNTED_NAMES and number.isdigit():
            # Two that never hold together are refused before anything has a meaning.
            guard = with_condition(guard, Condition(_COUNTED_NAMES[kind], int(number))) or guard
        elif each in _CONDITION_NAMES:
            guard = with_condition(guard, Condition(_CONDITION_NAMES[each])) or guard
        else:
            others.append(each)
    return guard, tuple(others)


EMPTY_MEANING = Meaning(())

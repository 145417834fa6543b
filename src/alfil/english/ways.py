"""The ways of a movement in words: every option and fact as a part of its description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from alfil.english import facts, legs, turns, words
from alfil.english.facts import ABLE, OVER_ALL, Rules
from alfil.english.legs import NEVER, PLAIN, Leaf, often
from alfil.english.sentences import (
    EARLY,
    Block,
    Body,
    Limb,
    Part,
    Rounds,
    Route,
    how,
    inline,
    route,
    told,
    united,
)
from alfil.english.turns import EACH_TIME, Travel, apart, setting_out
from alfil.errors import listed
from alfil.frozen import NamedTuple
from alfil.geometry import COMPASS, MOST_BOXED, Vector, is_oblique, walks_in_box
from alfil.movement.nodes import (
    ONCE,
    Angle,
    Anywhere,
    Bend,
    Castling,
    Edges,
    Either,
    Foreign,
    Join,
    Jumping,
    Leg,
    Lengths,
    Movement,
    NotJumping,
    Only,
    Repeat,
    Rifle,
    Then,
    Turn,
    Way,
    Within,
    Words,
    walk,
)
from alfil.movement.turning import angled, bend_between, headings, latest_bend, ways_through

PASSER = ", and can then be captured en passant on a square it passed"
EDGES: dict[Edges, str] = {
    "walls": "",
    "files": ", as if the left and right edges of the board were joined",
    "both": ", as if opposite edges of the board were joined",
}
SKIPPED = ", skipping the first square whatever stands on it"
LIMITS: dict[Lengths, str] = {
    "own-half": " within its own half of the board (one step at least)",
    "halfway": ", at most half the way to the edge of the board, rounded up",
}
ANEW = f", choosing its direction anew{EACH_TIME}"
NONE = " or not at all"
NOWHERE = Block("go nowhere")


def parts(movement: Movement) -> Iterator[Part]:
    """The parts of a description."""
    rules = facts.free(movement)
    for option in movement.options:
        guard = facts.conditions(option.when)
        for body in _bodies(option.way, rules):
            yield Part(guard, body, PASSER if option.passer else "")
    for fact in movement.facts:
        yield Part(
            facts.conditions(fact.within), facts.stated(fact, _inline, lambda way: how(parts(way)))
        )


def _inline(movement: Movement) -> str:
    return inline(parts(movement))


class _Told(NamedTuple):
    """A way as one leg: its words, and its steps where these are all it may travel by.

    ``last`` are the steps it may end with, where they are known.
    """

    body: Leaf | Block
    vectors: tuple[Vector, ...] = ()
    last: tuple[Vector, ...] = ()


def _bodies(way: Way, rules: Rules) -> Iterator[Body]:
    """A way as moves of their own."""
    alone = _legless(way, rules)
    if alone is not None:
        yield alone
    elif isinstance(way, Within):
        for body in _bodies(way.way, rules.under(way)):
            yield body if body is NOWHERE else _remarked(body, facts.used(way))
    elif isinstance(way, Either) and not rules.greedy:
        for each in way.ways:
            yield from _bodies(each, rules)
    else:
        leaves = _leaves(way, rules)
        for body in [_body(way, rules)] if leaves is None else leaves:
            if body is not NOWHERE:
                # The farthest square of one way is none of another's, so they stay apart.
                yield Block(told(body)) if rules.greedy else body


def _body(way: Way, rules: Rules) -> Body:
    """A way as one move."""
    if isinstance(way, Then) and not rules.ways:
        return _sequence(way, rules)
    return _leg(way, rules).body


def _legless(way: Way, rules: Rules) -> Leaf | Block | None:
    """A way that is no leg and has none; None for all others."""
    match way:
        case Within(rule=Rifle(side=side), way=inside):
            ways = how(Part((), _capturing(body)) for body in _bodies(inside, rules))
            return Block(f"capture without moving {facts.ONE[side]} that it could capture {ways}")
        case Foreign():
            return _foreign(way, rules)
        case Words(text=text):
            said, ends = f"move as these words say: {facts.quoted(text)}", rules.landing(PLAIN)
        case Anywhere(files=files, ranks=ranks):
            said, ends = f"leap to any {_box(files, ranks)}", rules.landing(way.ends)
        case Castling():
            # Castling never captures, so there is no need to say so.
            said, ends = _castling(way), PLAIN if "moving" in rules.purposes else frozenset()
        case _:
            return None
    manner = (*filter(None, [rules.unjumped()]), *rules.manner())
    return Leaf((), (), land=ends, manner=manner, said=said)


def _remarked(body: Body, remark: str) -> Body:
    """A move with a remark after it."""
    match body:
        case Leaf():
            return body._replace(manner=(*body.manner, remark)) if remark else body
        case Block():
            return body._replace(phrase=body.phrase + remark)
        case _:
            return body._replace(remark=body.remark + remark)


def _capturing(body: Body) -> Body:
    """A move that is said to capture anyway, so that this need not be told."""
    if isinstance(body, Leaf) and body.land == PLAIN - {"empty"}:
        return body._replace(land=PLAIN)
    return body


def _foreign(way: Foreign, rules: Rules) -> Block:
    """A move by a function that is not built in."""
    known = "declared" if way.known else "unknown"
    given: list[str] = []
    for argument in way.arguments:
        if isinstance(argument, Movement):
            given.append(_inline(argument))
        else:
            given.append(str(argument) if isinstance(argument, int) else facts.quoted(argument))
    of = f" of {', '.join(given)}" if given else ""
    end = "".join([rules.unjumped(), *rules.manner()]) + legs.land(rules.landing(PLAIN))
    return Block(f"move by the {known} function {facts.quoted(way.name)}{of}{end}")


def _box(files: int | None, ranks: int | None) -> str:
    if files is None and ranks is None:
        return "other square of the board"
    sides = ((files, "file"), (ranks, "rank"))
    own = "".join(f" of its own {kind}" for most, kind in sides if most == 0)
    far = [f"{words.number(most)} {kind}{'s'[: most > 1]}" for most, kind in sides if most]
    return f"square{own}" + (f" at most {' and '.join(far)} away" if far else "")


def _castling(way: Castling) -> str:
    where = words.ways(words.headings(way.steps))
    file = "last file"
    if way.inset:
        nth = "" if way.inset == 1 else f"{words.ordinal(way.inset)} "
        file = f"{nth}file next to the last"
    return (
        f"castle by going {words.squares(way.squares)} {where}"
        f" towards a piece of its own side that has not moved and stands on the {file},"
        " with only empty squares between them; that piece lands beside it, on the inner side"
    )


def _leaves(way: Way, rules: Rules) -> Sequence[Leaf] | None:
    """The single runs and leaps a way is made of, None if it is more than that."""
    match way:
        case Leg():
            return _runs(way, rules)
        case Either(ways=ways):
            return _together(ways, rules)
        case Within(rule=Only() | Jumping() | NotJumping(), way=inside) if not facts.used(way):
            return _leaves(inside, rules.under(way))
        case Repeat():
            return _straight_on(way, rules)
        case _:
            return None


@lru_cache(maxsize=1024)
def _runs(leg: Leg, rules: Rules) -> tuple[Leaf, ...]:
    """A leg as runs and leaps, one for each kind of step and one for each length it leaps."""
    by_size: dict[tuple[int, ...], list[Vector]] = {}
    for step in leg.steps:
        by_size.setdefault(legs.size_of(step), []).append(step)
    lengths = _numbers(leg.lengths)
    simple = leg.hop == "none" and not leg.skips_first and leg.along == ("empty",)
    silent = ABLE if lengths == ONCE else None
    found: list[Leaf] = []
    for size, steps in by_size.items():
        if size != (1,):
            lame = rules.blocks == "all" and leg.between == "anything"
            leaf = Leaf(size, tuple(steps), lengths, "empty" if lame else leg.between)
            found.append(_finished(leaf, leg, rules, silent))
        elif simple and rules.leaps and lengths:
            for leaf in (legs.leap(steps, length) for length in lengths):
                found.append(_finished(leaf, leg, rules, ABLE if leaf.size == size else OVER_ALL))
        else:
            leaf = legs.run(steps, lengths) if simple else Leaf(size, tuple(steps), lengths)
            found.append(_finished(leaf, leg, rules, silent))
    return tuple(found)


def _numbers(given: Lengths) -> tuple[int, ...]:
    """Lengths or times in order, none for any."""
    return () if isinstance(given, str) else tuple(sorted(given))


def _finished(leaf: Leaf, leg: Leg, rules: Rules, silent: str | None) -> Leaf:
    """A run or leap with all that a leg says besides where and how far."""
    ends, end = rules.ending(leg.ends)
    through = frozenset(rules.passed(leg.through))
    own = (
        "" if rules.blocks == "all" or leg.steps[0] in COMPASS else rules.unjumped(),
        LIMITS.get(leg.lengths, ""),
        SKIPPED if leg.skips_first and leaf.size == (1,) else "",
        EDGES[leg.edges],
        "" if leg.lengths == ONCE else legs.along(rules.passed(leg.along)),
    )
    manner = (*filter(None, own), *rules.manner(silent), *end)
    return leaf._replace(land=ends, through=through, hop=leg.hop, manner=manner)


def _together(ways: Iterable[Way], rules: Rules) -> list[Leaf] | None:
    """The leaves of several ways, as few as they can be."""
    found: list[Part] = []
    for way in ways:
        leaves = _leaves(way, rules)
        if leaves is None:
            return None
        found += [Part((), leaf) for leaf in leaves]
    return [part.body for part in united(found) if isinstance(part.body, Leaf)]


def _straight_on(repeat: Repeat, rules: Rules) -> list[Leaf] | None:
    """A repeat of a single step or leap straight on."""
    body = repeat.way
    if not isinstance(body, Then) or len(body.ways) > 1 or rules.ways or repeat.optional:
        return None
    turn = body.onward
    straight = turn.places == (0,) if isinstance(turn, Bend) else turn and turn.sixteenths == 0
    leaves = _leaves(body.ways[0], rules) if straight else None
    if leaves is None or any(
        leaf != Leaf(*leaf[:2], between=leaf.between, land=leaf.land) for leaf in leaves
    ):
        return None
    steps = tuple(step for leaf in leaves for step in leaf.vectors)
    if isinstance(turn, Angle) and any(angled(turn, step, steps) != (step,) for step in steps):
        return None  # a step of one kind may be followed by another's
    times = _numbers(repeat.times)
    return [
        legs.run(leaf.vectors, times)._replace(land=leaf.land)
        if leaf.size == (1,)
        else leaf._replace(steps=times)
        for leaf in leaves
    ]


def _leg(way: Way, rules: Rules) -> _Told:
    """A way as one leg."""
    leaves = _leaves(way, rules)
    if leaves is not None and len(leaves) == 1:
        vectors = leaves[0].vectors
        return _Told(leaves[0], vectors, vectors)
    alone = _legless(way, rules)
    if alone is not None:
        return _Told(alone)
    if rules.ways:
        text = told(_body(way, rules._replace(ways=(), leaps=False)))
        said = listed(rules.ways, "and")
        return _Told(Block(f"go as follows, on the whole way {said}: ({text})"))
    match way:
        case Repeat():
            return _loop(way, rules)
        case Within(way=inside):
            leg, used = _leg(inside, rules.under(way)), facts.used(way)
            return leg._replace(body=Block(told(leg.body) + used)) if used else leg
        case Then():
            return _Told(Block(f"go as follows: ({told(_sequence(way, rules))})"))
        case Either(ways=ways):
            either = [_body(each, rules) for each in ways]
        case _:
            either = list(leaves or ())
    text = ") or (".join(map(told, either))
    return _Told(Block(f"go one of these ways: ({text})") if either else NOWHERE)


def _sequence(then: Then, rules: Rules) -> Body:
    """One way after another; where no step leads on, the way ends there or is none."""
    chosen = None if then.only is None else _chosen(then.only)
    if chosen == []:
        return NOWHERE
    first = then.ways[0] if chosen is None else _narrowed(then.ways[0], chosen[0].vectors)
    start, core = _leg(first, rules), _core(first)
    travel = setting_out(core.steps if core else start.vectors, start.last)
    limbs: list[Limb] = [start.body]
    stops: list[bool] = []
    for at, (way, join) in enumerate(zip(then.ways[1:], then.joins, strict=True), 1):
        after = None if chosen is None else chosen[at]
        limb, travel, dead = _later(way, join.turn, travel, rules, after)
        rest = then.ways[at:]
        stop = join.may_stop or all(isinstance(one, Repeat) and one.optional for one in rest)
        if dead:
            return route(limbs, stops) if stop else NOWHERE
        limbs.append(limb)
        stops.append(stop)
    return route(limbs, stops, _remark(then, chosen))


def _chosen(only: Sequence[Sequence[Vector]]) -> list[Travel]:
    """The steps of all legs of the ways that are allowed."""
    found: list[set[tuple[Vector, int]]] = [set() for _ in only[0]] if only else []
    for way in only:
        bent = 0
        for at, step in enumerate(way):
            bent = latest_bend(bent, bend_between(way[at - 1], step)) if at else 0
            found[at].add((step, bent))
    return [Travel(frozenset(ways), tuple(sorted({v for v, _ in ways}))) for ways in found]


def _core(way: Way) -> Leg | None:
    """The leg that a way is, under whatever rules."""
    while isinstance(way, Within):
        way = way.way
    return way if isinstance(way, Leg) else None


def _narrowed(way: Way, steps: Iterable[Vector]) -> Way:
    """A leg that takes these steps, those of its own in their order."""

    def narrowed(leg: Leg) -> Leg:
        wanted = dict.fromkeys(steps)
        own = [step for step in leg.steps if step in wanted]
        return replace(leg, steps=tuple(own) if len(own) == len(wanted) else tuple(wanted))

    return _changed(way, narrowed)


def _changed(way: Way, change: Callable[[Leg], Leg]) -> Way:
    """A way whose leg, under whatever rules, is another; one that is no leg stays."""
    if isinstance(way, Within):
        return replace(way, way=_changed(way.way, change))
    return change(way) if isinstance(way, Leg) else way


def _later(
    way: Way, turn: Turn, before: Travel, rules: Rules, chosen: Travel | None = None
) -> tuple[Limb, Travel, bool]:
    """A later leg with its turn, how the way may have gone then, and whether it cannot go on."""
    if isinstance(turn, Bend):
        if isinstance(way, Repeat) and isinstance(way.way, Then) and way.way.onward == turn:
            return *_rounds(way, way.way, before, rules), False
        leg = _core(way)
        if leg is not None and leg.steps:
            return _bent(way, leg, turn, before, rules, chosen)
    return _turned(_leg(way, rules), turn, before, rules)


def _bent(
    way: Way, leg: Leg, turn: Bend, before: Travel, rules: Rules, chosen: Travel | None
) -> tuple[Limb, Travel, bool]:
    """A single leg after a bend."""
    after = before.after(turn, leg.steps) if chosen is None else chosen
    narrowed = _narrowed(way, after.vectors or leg.steps)
    leaves = _leaves(narrowed, rules) or []
    if len(leaves) != 1:
        return _turned(_leg(narrowed, rules), turn, before, rules)
    (leaf,) = leaves
    about = turns.ABOUT if len(leaf.size) > 1 else ""
    said, told_by_turn = _direction(leg, turn, before, after.vectors, about)
    where = None if told_by_turn else legs.first_way(leaf)
    if "away" in leg.ends and "empty" in leaf.land and NEVER not in leaf.manner:
        leaf = leaf._replace(land=leaf.land | {"away"})
    dead = bool(before.ways) and not after.ways
    return _later_leaf(leaf, said, as_far=leg.as_far, where=where), after, dead


def _direction(
    leg: Leg, turn: Bend, before: Travel, steps: tuple[Vector, ...], about: str
) -> tuple[str, bool]:
    """How a leg bends to these steps, and whether that tells them, of all that are like them."""
    if not turn.chooses:
        return turns.bend(turn, before.bent, about), True
    every = turns.whole_kind(leg.steps)
    if turn.sense != "any":
        return turns.bend(turn, before.bent, about), set(steps) == set(every)
    same = turns.same_turns(before.vectors, turn, steps or leg.steps)
    places = turn.places if same is None else same
    said = turns.LEAST if places is None else turns.turning(places, about)
    left = {v for way in before.vectors for v in turns.continuations(way, turn, every)}
    return apart(said) if same is None else said, set(steps) == left


def _later_leaf(leaf: Leaf, turn: str, *, as_far: bool, where: str | None = None) -> Leaf:
    """A leg after others: how it turns instead of where it goes, and how far if that is as far
    as the leg before.
    """
    manner = leaf.manner
    reach = ""
    if as_far and leaf.size == (1,) and not leaf.steps:
        reach = "exactly as far as it slid before"
    elif as_far:
        manner = (", in exactly as many steps as its latest slide", *manner)
    if where is None:
        where = turns.where_to(leaf.vectors)
    else:
        turn = apart(turn)
    if turn.startswith(","):
        manner = (turn, *manner)
    else:
        # Straight on and back leave no question about the kind of line.
        where = f"{where if len(leaf.size) > 1 else ''}{turn}".strip()
    return leaf._replace(manner=manner, reach=reach, where=where)


def _turned(leg: _Told, turn: Turn, before: Travel, rules: Rules) -> tuple[Limb, Travel, bool]:
    """A later leg that goes its own ways, with the turn from the leg before it."""
    if isinstance(turn, Angle):
        said = turns.angle(turn, before.last, leg.last, looped=rules.looped)
    else:
        said = apart(turns.bend(turn, before.bent))
    leaf = leg.body
    if not isinstance(leaf, Leaf) or not leg.vectors:
        return Block(told(leaf), said), Travel(last=leg.last), False
    after = before.after(turn, leg.vectors)
    if not said.endswith(EACH_TIME):
        about = turns.ABOUT if len(leaf.size) > 1 else ""
        same = turns.same_turns(before.vectors, turn, leg.vectors)
        if same is not None:
            fewer = leaf._replace(vectors=after.vectors)
            return _later_leaf(fewer, turns.turning(same, about), as_far=False), after, False
        same = turns.same_turns(before.vectors, turn, turns.whole_kind(leg.vectors))
        said = said if same is None else turns.turning(same, about)
    leaf = leaf._replace(manner=(apart(said), *leaf.manner))
    return leaf, after if after.ways else setting_out(leg.vectors), False


def _rounds(repeat: Repeat, then: Then, before: Travel, rules: Rules) -> tuple[Rounds, Travel]:
    """Legs again and again, the first of them after the same turn each time."""
    never = all(map(_keeps_away, then.ways))
    ways = [_silent(way) for way in then.ways] if never else list(then.ways)
    joined = [then.onward, *(join.turn for join in then.joins)]
    steps = [(turn, way) for turn, way in zip(joined, ways, strict=True) if turn]
    inside = rules._replace(looped=True)
    travel = _any_round(before, steps, None if repeat.times == "any" else max(repeat.times))
    limbs: list[Limb] = []
    for turn, way in steps:
        limb, travel, _ = _later(way, turn, travel, inside)
        limbs.append(limb)
    count = "once" if repeat.times == ONCE else often(_numbers(repeat.times))
    body = Route(tuple(limbs), tuple(join.may_stop for join in then.joins))
    after = travel.ways | before.ways if repeat.optional else travel.ways
    rounds = Rounds(body, count, repeat.optional, never, early=_stops_early(repeat))
    return rounds, Travel(after, travel.last)


def _stops_early(repeat: Repeat) -> bool:
    """Whether a round may end before its end, which only the last of several may."""
    joins = (each for each in walk(repeat.way) if isinstance(each, Join))
    return repeat.times != ONCE and any(join.may_stop for join in joins)


def _any_round(before: Travel, steps: Sequence[tuple[Turn, Way]], most: int | None) -> Travel:
    """How a way may have gone before one round or another of these."""
    every, rounds = before.ways, 1
    while most is None or rounds < most:
        travel = Travel(every)
        for turn, way in steps:
            leg = _core(way)
            travel = travel.after(turn, leg.steps if leg else ())
        if travel.ways <= every:
            break
        every |= travel.ways
        rounds += 1
    return Travel(every, before.last)


def _keeps_away(way: Way) -> bool:
    """Whether a leg never counts where the move began as empty."""
    leg = _core(way)
    return leg is not None and "empty" not in {*leg.along, *leg.through, *leg.ends}


def _silent(way: Way) -> Way:
    """A leg that keeps away from where the move began, without saying so."""
    return _changed(
        way,
        lambda leg: replace(
            leg,
            ends=tuple("empty" if each == "away" else each for each in leg.ends),
            through=tuple("empty" if each == "away" else each for each in leg.through),
            along=tuple("empty" if each == "away" else each for each in leg.along),
        ),
    )


def _loop(repeat: Repeat, rules: Rules) -> _Told:
    """Rounds of a way, each after a turn of its own or anywhere."""
    inside = rules._replace(looped=True)
    body, turn = repeat.way, None
    if isinstance(body, Then) and body.onward is not None:
        turn = body.onward
        body = body.ways[0] if len(body.ways) == 1 else replace(body, onward=None)
    count = often(_numbers(repeat.times)) + (NONE if repeat.optional else "")
    leaves = _leaves(body, inside)
    each = ANEW if turn is None else _each_time(turn, body, inside)
    if leaves is None or len(leaves) != 1 or leaves[0].steps != ONCE:
        early = EARLY if _stops_early(repeat) else ""
        return _Told(Block(f"repeat {count}{each}{early}: ({told(_body(body, inside))})"))
    leaf = leaves[0]
    manner = (*leaf.manner, f", {count}", each)
    if "away" in leaf.through:
        manner += (NEVER,)
    if not leaf.on_empty:
        manner += (f", each time going on {legs.through(leaf.through, left=True)}",)
    where = _first_only(leaf, turn) if isinstance(turn, Bend) and not turn.chooses else None
    return _Told(leaf._replace(manner=manner, where=where), (), leaf.vectors)


def _first_only(leaf: Leaf, turn: Bend) -> str | None:
    """The directions of a leaf whose later steps follow from the turns, if they are others."""
    ahead = {step for vector in leaf.vectors for step, _ in headings(turn, vector, 0)}
    if ahead.issubset(leaf.vectors):
        return None
    return f"{', ' if len(leaf.size) == 1 else ''}first {legs.first_way(leaf)}"


def _each_time(turn: Turn, body: Way, rules: Rules) -> str:
    """The turn from the last leg of one round to the first of the next one."""
    ends = (body.ways[-1], body.ways[0]) if isinstance(body, Then) else (body, body)
    before, after = (_leg_steps(end, rules) for end in ends)
    if isinstance(turn, Bend):
        return turns.bend_each_time(turn, turns.ABOUT if any(map(is_oblique, after)) else "")
    return turns.each_time(turns.angle(turn, before, after, looped=True))


def _leg_steps(way: Way, rules: Rules) -> tuple[Vector, ...]:
    """The steps a leg may end with, where it is a single run or leap."""
    leaves = _leaves(way, rules)
    return leaves[0].vectors if leaves is not None and len(leaves) == 1 else ()


def _remark(then: Then, chosen: Sequence[Travel] | None) -> str:
    """The chosen ways one by one, where directions of the single legs do not tell them."""
    if then.only is None or chosen is None or _told_by_legs(then, chosen) == set(then.only):
        return ""
    box = _walked(then.only)
    if box is not None:
        return f"; it never leaves the {_box(*box).replace('square', 'squares', 1)}"
    listed = (", then ".join(map(words.single, way)) for way in then.only)
    return f"; it takes these ways only: {'; '.join(listed)}"


def _walked(only: Sequence[tuple[Vector, ...]]) -> tuple[int, int] | None:
    """How far to each side all walks of single steps go that are these, if they are."""
    if not only or len(only[0]) > MOST_BOXED:
        return None
    x, y = (
        max(
            abs(sum(step[axis] for step in row[:end]))
            for row in only
            for end in range(len(row) + 1)
        )
        for axis in range(len("xy"))
    )
    return (x, y) if set(only) == set(walks_in_box(x, y, len(only[0]))) else None


def _told_by_legs(then: Then, chosen: Sequence[Travel]) -> set[tuple[Vector, ...]]:
    """The ways through legs that take the chosen steps each; none where not all are legs."""
    steps = [leg.steps for way in then.ways if (leg := _core(way))]
    bends = [join.turn for join in then.joins if isinstance(join.turn, Bend)]
    if len(steps) < len(then.ways) or len(bends) < len(then.joins):
        return set()
    kept = [set(travel.vectors) for travel in chosen]
    return {
        way
        for way in ways_through(steps, bends)
        if all(step in some for step, some in zip(way, kept, strict=True))
    }

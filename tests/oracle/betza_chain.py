"""Chains: legs joined with the letter a, and repeats in parentheses, as a graph of legs."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from .betza_geometry import Unreadable, runs_of, turns
from .betza_parts import Atom, Edge, Leg, Limit, Program, check_leg, first_leg, modality


@dataclass(frozen=True, slots=True)
class Group:
    """Modifiers that may be written any number of times, at most `most` times if that is set."""

    letters: tuple[str, ...]
    most: int | None


Item = str | Group


@dataclass(slots=True)
class Letters:
    """A graph whose edges are single letters; walking it from 0 to `end` spells the modifiers."""

    onward: dict[int, list[tuple[str, int, bool]]] = field(default_factory=dict)
    skips: dict[int, list[int]] = field(default_factory=dict)
    end: int = 0

    def new(self) -> int:
        self.onward[len(self.onward) + 1] = []
        return len(self.onward)

    def spell(self, start: int, letters: tuple[str, ...], *, repeated: bool) -> int:
        for letter in letters:
            node = self.new()
            self.onward.setdefault(start, []).append((letter, node, repeated))
            start = node
        return start

    def skip(self, start: int, target: int) -> None:
        self.skips.setdefault(start, []).append(target)


def spelled(items: tuple[Item, ...]) -> Letters:
    graph = Letters(onward={})
    here = graph.new()
    graph.skip(0, here)
    for item in items:
        if isinstance(item, str):
            here = graph.spell(here, (item,), repeated=False)
        elif item.most is None:
            hub = graph.new()
            graph.skip(here, hub)
            graph.skip(graph.spell(hub, item.letters, repeated=True), hub)
            here = hub
        else:
            exit_node = graph.new()
            graph.skip(here, exit_node)
            for _ in range(item.most):
                here = graph.spell(here, item.letters, repeated=True)
                graph.skip(here, exit_node)
            here = exit_node
    graph.end = here
    return graph


@dataclass(frozen=True, slots=True)
class Raw:
    """The letters of one leg, and the node behind the a that closes it (None at the end)."""

    letters: tuple[str, ...]
    target: int | None
    next_repeated: bool


def legs_from(graph: Letters, node: int, letters: tuple[str, ...] = ()) -> Iterator[Raw]:
    """The legs that can be spelled from a node. It ends because every repeat begins with a."""
    if node == graph.end:
        yield Raw(letters, None, next_repeated=False)
    for target in graph.skips.get(node, []):
        yield from legs_from(graph, target, letters)
    for letter, target, repeated in graph.onward.get(node, []):
        if letter == "a":
            yield Raw(letters, target, next_repeated=repeated)
        else:
            yield from legs_from(graph, target, (*letters, letter))


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the graph a leg begins, and what the legs before it have settled."""

    node: int
    toggled: bool = False
    slid: bool = False
    repeated: bool = False
    first: bool = True


def chain(items: tuple[Item, ...], atom: Atom, limit: Limit, *, printed: bool) -> Program:
    """The graph of a simple part or a chain; a printed range belongs to a simple part only."""
    graph = spelled(items)
    begin = Place(0)
    number = {begin: 0}
    edges: dict[int, tuple[Edge, ...]] = {}
    waiting = deque([begin])
    while waiting:
        here = waiting.popleft()
        for raw in dict.fromkeys(legs_from(graph, here.node)):
            if printed and raw.target is not None:
                raise Unreadable("a printed range on a chain")
            leg = chain_leg(raw, here, atom, limit, printed=printed)
            target = None
            if raw.target is not None:
                there = after(leg, here, raw)
                if there not in number:
                    number[there] = len(number)
                    waiting.append(there)
                target = number[there]
            edges[number[here]] = (
                *edges.get(number[here], ()),
                Edge(leg, target, repeated=here.repeated),
            )
    return Program(edges)


def after(leg: Leg, here: Place, raw: Raw) -> Place:
    """The place behind a leg; raw.target is known not to be None."""
    toggles = bool(leg.letters & {"y", "g"})
    return Place(
        raw.target or 0,
        toggled=here.toggled != toggles,
        slid=here.slid or leg.limit != 1,
        repeated=raw.next_repeated,
        first=False,
    )


def chain_leg(raw: Raw, here: Place, atom: Atom, limit: Limit, *, printed: bool) -> Leg:
    letters, runs = modality(raw.letters), runs_of(raw.letters)
    if here.toggled:
        limit = 1 if limit is None else None
    last = raw.target is None
    if here.first:
        if last and letters & {"z", "q"} and not printed:
            limit = None
        leg = first_leg(letters, runs, atom, limit)
    else:
        leg = Leg(letters, atom, limit, turns=turns(runs), chained=True)
        if "i" in letters and not here.slid:
            raise Unreadable("no slider leg before i")
    check_leg(leg, limit, last=last, first=here.first)
    return leg

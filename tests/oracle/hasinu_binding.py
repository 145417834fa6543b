"""From what was read to what is walked: names, arguments, and what compiling refuses.

`place` says where a node stands: `term` (facts are allowed), `move` (the argument of a
function) or `leg` (of a bent move or a loop).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from .hasinu_tree import (
    Bent,
    Borrowed,
    Box,
    Call,
    Chain,
    Compound,
    Embedded,
    Ends,
    Grouped,
    Jump,
    Loop,
    Meaning,
    Node,
    NoJump,
    Optional,
    Rampage,
    Rays,
    Refused,
    Repeat,
    Rifle,
    Silent,
    Text,
    Timed,
    Union,
    Unreadable,
)

FRIENDS, ENEMIES, BOTH = frozenset("F"), frozenset("E"), frozenset("FE")
SIDES = {
    "F": FRIENDS,
    "E": ENEMIES,
    "FE": BOTH,
    "friendly": FRIENDS,
    "enemy": ENEMIES,
    "both": BOTH,
}
WHEN = {"P": "P", "A": "A", "PA": "PA", "passive": "P", "active": "A"}
REACH = {"G": "G", "L": "L", "greedy": "G", "lazy": "L"}
ALLOWED = {
    "m": "",
    "c": "",
    "nj": "side",
    "j": "side number",
    "i": "side when",
    "rifle": "side when",
    "im": "side when number",
    "burn": "side when",
    "rpg": "side reach",
}
FACTS = {"royal", "promote", "fe", "sz", "function"}
BUILT_IN = {*ALLOWED, *FACTS, "atmove", "ataction", "INF", "group"}
LEG_FUNCTIONS = {"m", "c", "j", "nj", "INF"}
LEGS = ("leg", "loop")
TWO, MOST_BOXED = 2, 3


@dataclass(frozen=True)
class Settings:
    """The arguments after the move, sorted by kind; None where absent."""

    side: frozenset[str] | None = None
    when: str | None = None
    reach: str | None = None
    number: int | None = None


def settings(call: Call) -> Settings:
    """Recognise the further arguments by kind, each kind at most once."""
    found: dict[str, frozenset[str] | str | int] = {}
    for arg in call.args[1:]:
        kind, value = recognise(arg)
        if kind in found or kind not in ALLOWED[call.name].split():
            raise Unreadable(f"argument {arg!r} of {call.name}")
        found[kind] = value
    return Settings(**found)  # type: ignore[arg-type]


def recognise(arg: object) -> tuple[str, frozenset[str] | str | int]:
    """Give the kind and the value of a further argument."""
    if isinstance(arg, int) and arg > 0:
        return "number", arg
    if isinstance(arg, str):
        for kind, table in (("side", SIDES), ("when", WHEN), ("reach", REACH)):
            if arg in table:
                return kind, table[arg]
    raise Unreadable(f"argument {arg!r}")


def within(node: Meaning) -> Iterator[Meaning]:
    """Yield the node and everything under it."""
    yield node
    for child in children(node):
        yield from within(child)


def children(node: Meaning) -> tuple[Meaning, ...]:
    """Give the nodes directly under this one."""
    match node:
        case Union(terms):
            return terms
        case Bent(legs):
            return legs
        case Rays() | Box() | Silent():
            return ()
        case _:
            return (node.body,)


def one_move(node: Meaning) -> Iterator[Meaning]:
    """Yield the nodes that speak of the same move: not the insides of bent moves and loops."""
    yield node
    if not isinstance(node, Bent | Repeat):
        for child in children(node):
            yield from one_move(child)


class Binder:
    """Gives calls their meaning, knowing the declared names."""

    def __init__(self, declared: frozenset[str]) -> None:
        """Take the names that the description declares."""
        self.declared = declared

    def bind(self, node: Node, place: str) -> Meaning:
        """Bind one node. Raises Unreadable and Refused."""
        match node:
            case Call():
                return self.call(node, place)
            case Rays() | Compound() | Chain() | Loop():
                return self.shape(node, place)
            case Grouped():
                return self.grouped(node, place)
            case Text() | Embedded():
                return self.whole_term(node, place)
            case _:
                assert_never(node)

    def shape(self, node: Rays | Compound | Chain | Loop, place: str) -> Meaning:
        """Bind what is built of legs alone."""
        match node:
            case Rays():
                return node
            case Compound():
                return self.union(node, place)
            case Chain(legs, turns):
                inside = "loop" if place == "loop" else "leg"
                return Bent(tuple(self.bind(leg, inside) for leg in legs), turns)
            case Loop(counts, body):
                return Repeat(counts, self.union(body, "loop"))
            case _:
                assert_never(node)

    def union(self, node: Compound, place: str) -> Union:
        """Bind alternatives; words and calls without a meaning leave the others."""
        bound: list[Meaning] = []
        untold: list[Refused] = []
        for term in node.terms:
            try:
                bound.append(self.bind(term, place))
            except Refused as refused:
                if place in LEGS or str(refused) == "unknown-function":
                    raise
                untold.append(refused)
        if untold and all(isinstance(each, Silent) for each in bound):
            raise untold[0]
        return Union(tuple(bound), node.trail)

    def whole_term(self, node: Text | Embedded, place: str) -> Meaning:
        """Bind text, which compiling refuses, or Betza."""
        if place in LEGS:
            raise Unreadable("text and Betza are whole terms")
        if isinstance(node, Text):
            raise Refused("text-move")
        return Borrowed(self.bind(node.body, "move"))

    def grouped(self, node: Grouped, place: str) -> Meaning:
        """Bind a group as the nested calls it stands for."""
        for name in node.names:
            if name in BUILT_IN and name not in ALLOWED:
                raise Unreadable(f"group member {name}")
        inner: Node = node.body
        for name in reversed(node.names):
            inner = Call(name, (inner,))
        return self.bind(inner, place)

    def call(self, call: Call, place: str) -> Meaning:
        """Bind a call by its name."""
        if call.name not in BUILT_IN:
            raise Refused("no-handler" if call.name in self.declared else "unknown-function")
        if place in LEGS and not is_leg(call, place):
            raise Unreadable(f"{call.name} is not a leg")
        if call.name in ALLOWED:
            return self.of_a_move(call, place)
        if call.name in FACTS:
            return self.fact(call, place)
        if call.name == "INF":
            return box(call)
        return self.timed(call)

    def timed(self, call: Call) -> Timed:
        """Bind `atmove` and `ataction`."""
        if len(call.args) != TWO or not isinstance(call.args[0], int) or call.args[0] < 1:
            raise Unreadable(f"{call.name} takes a number and a move")
        return Timed(call.args[0], call.name == "ataction", self.move(call.args[1], "move"))

    def move(self, arg: object, place: str) -> Meaning:
        """Bind an argument that must be a move."""
        if isinstance(arg, str | int | Optional):
            raise Unreadable("a move comes first")
        return self.bind(arg, place if place in LEGS else "move")  # type: ignore[arg-type]

    def of_a_move(self, call: Call, place: str) -> Meaning:
        """Bind a function whose first argument is a move."""
        if not call.args:
            raise Unreadable(f"{call.name} takes a move")
        body, given = self.move(call.args[0], place), settings(call)
        return MAKERS[call.name](body, given)

    def fact(self, call: Call, place: str) -> Silent:
        """Check a fact about the piece, as far as its names go."""
        if place != "term":
            raise Unreadable(f"{call.name} describes the piece")
        check_fact(call)
        for arg in call.args:
            if not isinstance(arg, str | int | Optional):
                self.data(arg)
        return Silent("fact")

    def data(self, node: Node) -> None:
        """Check the names in a description that is data; text in it is data too."""
        if isinstance(node, Compound):
            for term in node.terms:
                self.data(term)
        elif not isinstance(node, Text):
            self.bind(node, "term")


def check_fact(call: Call) -> None:
    """Check the shape of the arguments of a fact."""
    good: dict[str, Callable[[Call], bool]] = {
        "royal": lambda c: c.args in ((), ("A",), ("O",)),
        "promote": lambda c: len(c.args) >= TWO and is_words(c.args[0]) and no_words(c),
        "fe": lambda c: (
            not c.args or (c.args[0] in ("inclusive", "exclusive") and c.args != ("inclusive",))
        ),
        "sz": lambda c: (
            len(c.args) in (1, TWO) and all(isinstance(a, int) and a > 0 for a in c.args)
        ),
        "function": lambda c: bool(c.args) and c.args[0] not in BUILT_IN,
    }
    if not good[call.name](call):
        raise Unreadable(f"arguments of {call.name}")


def is_words(arg: object) -> bool:
    """Tell whether a condition is text or a single word."""
    if isinstance(arg, Compound) and len(arg.terms) == 1:
        return isinstance(arg.terms[0], Text)
    return isinstance(arg, str)


def no_words(call: Call) -> bool:
    """Tell whether all promotees are text or descriptions."""
    return not any(isinstance(arg, str | int | Optional) for arg in call.args[1:])


def box(call: Call) -> Box:
    """Bind `INF`, which takes two numbers, not both 0."""
    numbers = [arg for arg in call.args[:TWO] if isinstance(arg, int)]
    ways = call.args[TWO:] or ("leaps",)
    if len(numbers) != TWO or not any(numbers) or ways not in (("leaps",), ("steps",), ("lion",)):
        raise Unreadable("INF takes two numbers, and perhaps a word")
    x, y = numbers
    if ways != ("leaps",) and 0 < min(x, y) < max(x, y) > MOST_BOXED:
        raise Unreadable("a walk in too large a box")
    return Box(x, y, str(ways[0]))


def ends(how: str) -> Callable[[Meaning, Settings], Meaning]:
    """Make the maker of `m` or `c`; `check_ends` says which moves may have both."""

    def make(body: Meaning, _: Settings) -> Meaning:
        for node in one_move(body):
            if how == "m" and isinstance(node, Rifle):
                raise Unreadable("never-legal")
        return Ends(how, body)

    return make


def is_leg(call: Call, place: str) -> bool:
    """Tell whether a call may be a leg: a rampage may, unless it is greedy or in a loop."""
    runs = call.name == "rpg" and place == "leg" and "G" not in call.args
    return runs or call.name in LEG_FUNCTIONS


def check_ends(node: Meaning, hows: frozenset[str] = frozenset(), *, early: bool = False) -> None:
    """Refuse `m` and `c` together, but on a leg that another follows: there no move need end."""
    match node:
        case Ends(how, body):
            if hows | {how} == {"m", "c"} and not early:
                raise Unreadable("never-legal")
            check_ends(body, hows | {how}, early=early)
        case Bent(legs):
            for at, leg in enumerate(legs, 1):
                check_ends(leg, early=early or at < len(legs))
        case Repeat(body=body):
            check_ends(body, early=early)
        case Rampage(body=body):
            # A rampage captures on its way, even where the move in it may not be used for capture.
            check_ends(body, hows - {"c"}, early=early)
        case _:
            for child in children(node):
                check_ends(child, hows, early=early)


def jump(body: Meaning, given: Settings) -> Jump:
    """Bind `j`; it has no side or number on single leaps, and does not touch Betza."""
    refuse_under(body, "j", NoJump, Borrowed, Rampage)
    runs = [node for node in within(body) if isinstance(node, Rays)]
    leaps = all(ray.oblique and ray.distances == frozenset({1}) for ray in runs)
    bent = any(isinstance(node, Bent | Repeat) for node in within(body))
    if leaps and not bent and (given.side or given.number):
        raise Unreadable("j-leap")
    return Jump(body, given.side or BOTH, given.number)


def no_jump(body: Meaning, given: Settings) -> NoJump:
    """Bind `nj`."""
    refuse_under(body, "nj", Jump)
    return NoJump(body, given.side or BOTH)


def rifle(body: Meaning, given: Settings) -> Meaning:
    """Bind `i`; shooting on the enemy's action is data."""
    for node in one_move(body):
        if isinstance(node, Ends) and node.how == "m":
            raise Unreadable("never-legal")
    refuse_under(body, "i", Rifle)
    return Silent("effect") if given.when == "P" else Rifle(body, given.side or ENEMIES)


def rampage(body: Meaning, given: Settings) -> Rampage:
    """Bind `rpg`, which stands before radials and obliques, alone or united."""
    refuse_under(body, "rpg", Bent, Repeat, Box, Silent, Jump, Rifle, Rampage, Borrowed)
    return Rampage(body, given.side or ENEMIES, given.reach == "G")


def burn(body: Meaning, given: Settings) -> Silent:
    """Bind `burn`, of which only what it does on its own action is a matter of moves."""
    active = given.when != "P"
    return Silent("effect", body if active else None, given.side or ENEMIES)


def effect(_: Meaning, __: Settings) -> Silent:
    """Bind `im` or `burn`, which contribute no move."""
    return Silent("effect")


def refuse_under(body: Meaning, name: str, *kinds: type) -> None:
    """Refuse to read the function over any of these."""
    for node in within(body):
        if isinstance(node, kinds):
            raise Unreadable(f"{name} over {type(node).__name__}")


MAKERS: dict[str, Callable[[Meaning, Settings], Meaning]] = {
    "m": ends("m"),
    "c": ends("c"),
    "j": jump,
    "nj": no_jump,
    "i": rifle,
    "rifle": rifle,
    "im": effect,
    "burn": burn,
    "rpg": rampage,
}


def declared_names(node: Node) -> frozenset[str]:
    """Collect the names declared anywhere among the terms."""
    if isinstance(node, Compound):
        return frozenset().union(*(declared_names(term) for term in node.terms))
    if isinstance(node, Call) and node.name == "function" and node.args:
        return frozenset({str(node.args[0])})
    return frozenset()


def bind(tree: Compound) -> Meaning:
    """Bind a whole description. Raises Unreadable and Refused."""
    bound = Binder(declared_names(tree)).bind(tree, "term")
    check_ends(bound)
    return bound

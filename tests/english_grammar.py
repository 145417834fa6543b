"""The sentences of descriptions in English, read as ways to move.

Imports nothing of alfil. A phrase is read from its end: each remark that is known there is cut off,
and what is left is a verb, a distance and directions. What there is no rule for is `Unread`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

Square = tuple[int, int]
Squares = frozenset[Square]
HOME = (0, 0)
NO_SQUARES: Squares = frozenset()
ENDLESS = 99
NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {word: value for value, word in enumerate(NUMBER_WORDS.split(), 1)}
ORTHOGONAL = frozenset({(0, 1), (1, 0), (0, -1), (-1, 0)})
DIAGONAL = frozenset({(1, 1), (1, -1), (-1, -1), (-1, 1)})
WHERE = {
    "": ORTHOGONAL | DIAGONAL,
    "in any direction": ORTHOGONAL | DIAGONAL,
    "orthogonally or diagonally": ORTHOGONAL | DIAGONAL,
    "orthogonally": ORTHOGONAL,
    "diagonally": DIAGONAL,
    "straight forward or backward": frozenset({(0, 1), (0, -1)}),
    "straight forward": frozenset({(0, 1)}),
    "straight backward": frozenset({(0, -1)}),
    "sideways": frozenset({(1, 0), (-1, 0)}),
    "to the right": frozenset({(1, 0)}),
    "to the left": frozenset({(-1, 0)}),
    "diagonally forward": frozenset({(1, 1), (-1, 1)}),
    "diagonally backward": frozenset({(1, -1), (-1, -1)}),
    "diagonally to the right": frozenset({(1, 1), (1, -1)}),
    "diagonally to the left": frozenset({(-1, 1), (-1, -1)}),
    "diagonally forward-right": frozenset({(1, 1)}),
    "diagonally forward-left": frozenset({(-1, 1)}),
    "diagonally backward-right": frozenset({(1, -1)}),
    "diagonally backward-left": frozenset({(-1, -1)}),
}
# Longer phrases first, so that none is taken for the beginning of another.
ONE_WHERE = "|".join(sorted(filter(None, WHERE), key=len, reverse=True))
NAMES = {"knight": (1, 2), "camel": (1, 3), "zebra": (2, 3)}
AHEAD = {"forward": (1,), "backward": (-1,), "forward or backward": (1, -1)}
ASIDE = {"to the right": (1,), "to the left": (-1,), "to either side": (1, -1)}
OFTEN = (
    r"any number of times|once or twice|once|exactly once|exactly twice"
    r"|(?:exactly|up to) [a-z0-9, ]+ times"
)
VERBS = {
    "stepping": "step",
    "sliding": "slide",
    "leaping": "leap",
    "going": "go",
    "moving": "move",
    "repeating": "repeat",
    "castling": "castle",
    "capturing": "capture",
    "steps": "step",
    "slides": "slide",
    "leaps": "leap",
    "goes": "go",
    "moves": "move",
    "repeats": "repeat",
    "castles": "castle",
    "captures": "capture",
}
ENEMIES = frozenset({"enemy", "royal"})
EVERYBODY = ENEMIES | {"friend"}
PIECES = {
    "a friend": frozenset({"friend"}),
    "an enemy that is not royal": frozenset({"enemy"}),
    "an enemy royal piece": frozenset({"royal"}),
    "an enemy": ENEMIES,
    "a piece of either side": EVERYBODY,
    "a piece": EVERYBODY,
    "friends": frozenset({"friend"}),
    "enemies that are not royal": frozenset({"enemy"}),
    "enemy royal pieces": frozenset({"royal"}),
    "enemies": ENEMIES,
    "pieces of either side": EVERYBODY,
    "pieces": EVERYBODY,
    "piece of either side": EVERYBODY,
    "friend": frozenset({"friend"}),
    "enemy": ENEMIES,
}
ONE_OF_THEM = "|".join(sorted(PIECES, key=len, reverse=True))
WHOM = rf"(?:{ONE_OF_THEM})(?: or (?:{ONE_OF_THEM}))*"
ALSO_EN_PASSANT = ", en passant too|, or any enemy en passant"
ELSEWHERE = " other than the square it started from"
ONE_PLACE = (
    r"(?:to|from) (?:an empty square|any square, empty or occupied|no square at all"
    rf"|a square that is empty or holds {WHOM})(?:{ELSEWHERE})?"
    rf"|(?:past|passing over|capturing|having captured) (?:{WHOM}|en passant) there"
)
PLACE = rf"(?:instead of jumping, )?(?:{ONE_PLACE})(?:(?:, | or )(?:{ONE_PLACE}))*"


class Unread(ValueError):
    """A phrase there is no rule for, or a way that takes too long to walk."""


class State(NamedTuple):
    """A way so far: ``bend`` is its latest turn, ``sides`` those that turns of a loop keep to.

    ``turn`` is what the next step must make besides its own; ``jumped`` what a limit has counted.
    """

    place: Square = HOME
    step: Square | None = None
    bend: float = 0
    slid: int = 0
    captures: Squares = NO_SQUARES
    sides: frozenset[tuple[Turn, int]] = frozenset()
    turn: Turn | None = None
    jumped: frozenset[tuple[int, Square]] = frozenset()


@dataclass(frozen=True, eq=False)
class Turn:
    """Turns in degrees, clockwise, or all but these; ``keeps`` is how those of a loop are alike."""

    sizes: tuple[float, ...] = ()
    excluded: bool = False
    keeps: str = ""
    least: bool = False
    latest: str = ""

    def made(self, state: State, after: Square) -> State | None:
        """The state with the side it turns to, None where it may not turn so."""
        before = state.step
        if before is None:
            return state
        if self.least:
            return state if is_least(before, after) else None
        turn = turn_between(before, after)
        mixed = (place_on_rose(before) + place_on_rose(after)) % 2 == 1
        if not self._fits(turn, state.bend, mixed=mixed):
            return None
        if not self.keeps or round(turn) in {0, 180}:
            return state
        side = 1 if turn > 0 else -1
        known = dict(state.sides).get(self, 0)
        if known and known != (side if self.keeps == "same" else -side):
            return None
        others = {each for each in state.sides if each[0] is not self}
        return state._replace(sides=frozenset(others | {(self, side)}))

    def _fits(self, turn: float, bend: float, *, mixed: bool) -> bool:
        """``mixed``: between a straight line and a leap off it, "about 45°" may be half of that."""
        slack = 23 if mixed and all(size % 45 == 0 for size in self.sizes) else 0.1
        off = [abs(turn - size) % 360 for size in self.sizes]
        told = any(min(each, 360 - each) < slack for each in off)
        straight = abs(turn) < slack or abs(turn) > 180 - slack
        match self.latest:
            case "repeating" if bend:
                return abs(turn - bend) < slack
            case "mirroring" if bend:
                return abs(turn + bend) < slack
            case "to the side of" if bend:
                return told and not straight and turn * bend > 0
            case "to the side opposite to" if bend:
                return told and not straight and turn * bend < 0
        return told != self.excluded


ANYWHERE = Turn((), excluded=True)


class Jump(NamedTuple):
    """Whom a move may jump over, and how many of them; None is any number."""

    whom: frozenset[str]
    most: int | None
    number: int


@dataclass
class Leg:
    """A run of equal steps or a leap, as words tell it.

    ``lands`` is what it may end on, ``passes`` what the way may go on from, None where that is not
    told here; ``along`` what it may pass. "empty", "take" and "over" begin their words.
    """

    steps: Squares = NO_SQUARES
    counts: Iterable[int] = (1,)
    lands: frozenset[str] = frozenset({"empty", "take enemy", "take royal"})
    passes: frozenset[str] | None = None
    along: frozenset[str] = frozenset({"empty"})
    between: str = ""
    blockers: frozenset[str] = frozenset()
    turn: Turn = ANYWHERE
    hop: str = ""
    skips: bool = False
    jumps: list[Jump] = field(default_factory=list)
    musts: frozenset[str] = frozenset()
    farthest: bool = False
    as_far: str = ""
    limit: str = ""
    edges: str = ""
    away: bool = False
    rounds: Iterable[int] = ()
    between_rounds: Turn = ANYWHERE
    goes_on: frozenset[str] = frozenset({"empty"})
    later: Squares = NO_SQUARES
    needs: str = ""
    final: bool = False
    anywhere: bool = False


@dataclass
class Route:
    """Legs in order; of each but the last whether the move may end there, and what it goes on from.

    ``only`` are the ways allowed, where these are told one by one; ``box`` what it never leaves.
    """

    legs: list[Node]
    stops: list[bool]
    passes: list[frozenset[str] | None]
    turns: list[Turn | None]
    optional: list[bool]
    whole: list[bool]
    only: frozenset[tuple[Square, ...]] | None = None
    box: Square | None = None


@dataclass
class Either:
    """One of several ways."""

    ways: list[Node]


@dataclass
class Rounds:
    """A way again and again."""

    way: Node
    counts: Iterable[int]
    optional: bool = False
    between: Turn | None = None
    away: bool = False
    goes_on: frozenset[str] | None = None


@dataclass
class Whole:
    """A way with what is said of all of it.

    ``captures`` is what it takes to end so, and also to go on unless it is ``passed`` freely.
    """

    way: Node
    jumps: list[Jump]
    takes: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    musts: frozenset[str] = frozenset()
    captures: str = ""
    passed: bool = False
    away: bool = False
    onward: Turn | None = None


@dataclass
class Shot:
    """Captures without moving."""

    whom: frozenset[str]
    ways: list[Node]


@dataclass
class Castling:
    """Castling of so many squares, with a piece so many files next to the last."""

    squares: int
    sides: Squares
    inset: int


@dataclass
class Guarded:
    """A way that is not always allowed."""

    way: Node
    when: tuple[str, ...]


Node = Leg | Route | Either | Rounds | Whole | Shot | Castling


def count_of(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


# From words to ways.


# What says nothing of its moves.
SILENT = re.compile(
    "Has no moves|It is royal|It promotes|It (?:cannot|can) be captured"
    "|After its own move, .* cannot move|An? .* that comes to stand .* cannot move"
)


@lru_cache(maxsize=256)
def ways_told(text: str) -> tuple[Guarded, ...]:
    """The ways of a description, each with its condition."""
    found: list[Guarded] = []
    for each in re.split(r"(?<=[.)]) (?=[A-Z])", text):
        sentence = each.removesuffix(".")
        if SILENT.match(sentence):
            continue
        if re.match("It |When |An? .* is removed|The function", sentence):
            raise Unread(sentence)
        when: tuple[str, ...] = ()
        if match := re.match(r"((?:On|Where|From) .*?) it may (.*)", sentence):
            when = tuple(re.split(" and at the same time ", match[1][0].lower() + match[1][1:]))
            sentence = match[2]
        clauses = split(sentence, "; (?!(?:it|that piece) )")
        found += [Guarded(read_move(clause[0].lower() + clause[1:]), when) for clause in clauses]
    return tuple(found)


def blanked(text: str) -> str:
    """A text with all that is in brackets blotted out."""
    depth, result = 0, []
    for sign in text:
        depth -= sign == ")"
        result.append("\0" if depth else sign)
        depth += sign == "("
    return "".join(result)


def split(text: str, separator: str) -> list[str]:
    """The parts between separators that are not in brackets."""
    parts, start = [], 0
    for match in re.finditer(separator, blanked(text)):
        parts.append(text[start : match.start()])
        start = match.end()
    return [*parts, text[start:]]


CASTLING = (
    r"castles? by going (\w+) squares? (.*) towards a piece of its own side that has not moved and"
    r" stands on the (last file|.*file next to the last), with only empty squares between them;"
    " that piece lands beside it, on the inner side"
)
ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
LAME = re.compile(
    r", first \w+ squares? orthogonally, then \w+ diagonally, passing over (\w+) squares only"
)
# Where a leg follows another one.
LINK = re.compile(
    r"(?:, and may (?:then|otherwise)|, then)(, having gone all of that way)?(?=[ ,])"
    rf"(?:(?<!, then), (with or without these rounds, )?({PLACE})(?=[, ]))?"
)
VERB = "step|slide|leap|go|repeat|capture|move"


def read_move(text: str) -> Node:
    """One way to move."""
    text = text.removesuffix(", and can then be captured en passant on a square it passed")
    text = LAME.sub(r" over \1 squares", text)
    if match := re.fullmatch(
        rf"captur(?:es?|ing) without moving (?:all )?({WHOM}) that it could capture"
        r"(?: in one move)? (.*)",
        text,
    ):
        return Shot(whom(match[1]), read_ways(match[2]))
    if match := re.fullmatch(CASTLING, text):
        inset = 0 if match[3] == "last file" else ORDINALS.get(match[3].split()[0], 1)
        return Castling(count_of(match[1]), where(match[2]), inset)
    if match := re.search(
        r",( stopping there only)? if it captures (nothing|something) that way$", text
    ):
        way = read_move(text[: match.start()])
        return Whole(way, [], captures=match[2], passed=bool(match[1]))
    onward = None
    if match := re.search(r", any next round(?: going)?,? (.*)$", blanked(text)):
        onward, text = read_turn_each_time(match[1]), text[: match.start()]
    only, box = None, None
    if match := re.search("; it takes these ways only: (.*)$", text):
        only, text = listed_ways(match[1]), text[: match.start()]
    if match := re.search("; it never leaves the squares (.*)$", text):
        box, text = sides_of_box(match[1]), text[: match.start()]
    route = read_route(text, Route([], [], [], [], [], [], only, box))
    way = route if len(route.legs) > 1 or only or box else route.legs[0]
    return way if onward is None else Whole(way, [], onward=onward)


def read_route(text: str, route: Route) -> Route:
    """The legs of a way, and what is told between them."""
    links = list(LINK.finditer(blanked(text)))
    starts = [0, *(link.end() for link in links)]
    ends = [*(link.start() for link in links), len(text)]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        leg, turn = read_leg_with_turn(text[start:end], later=number > 0)
        route.legs.append(leg)
        route.turns.append(turn)
    for link in links:
        told = text[link.start() : link.end()]
        route.stops.append("may" in told)
        route.passes.append(read_place(link[3]) if link[3] else None)
        route.optional.append(bool(link[2]))
        route.whole.append(bool(link[1]))
    return route


def read_ways(text: str) -> list[Node]:
    """The manner of a capture: "by" one way "or by" another, or "if it could" go one."""
    if match := re.fullmatch(r"if it could (.*)", text):
        inside = match[1]
        if inside.startswith("(") and blanked(inside).count("\0") == len(inside) - 2:
            return [read_move(each) for each in split(inside[1:-1], "; or ")]
        return [read_move(inside)]
    return [read_move(each.removeprefix("by ")) for each in split(text, ", or (?=by )")]


def read_leg_with_turn(text: str, *, later: bool) -> tuple[Node, Turn | None]:
    """A leg, and the turn told before it."""
    if not later:
        return read_leg(text), None
    match = re.match(rf"(?:,? (.*?))??,? ((?:{VERB})\w* .*)", text)
    if not match:
        raise Unread(text)
    return read_leg(match[2]), read_turn(match[1]) if match[1] else None


def read_leg(text: str) -> Node:
    """A leg from its verb on."""
    verb, _, rest = text.partition(" ")
    text = f"{VERBS.get(verb, verb)} {rest}"
    away = text.endswith("), never ending on the square it started from")
    if away:
        text = text.removesuffix(", never ending on the square it started from")
        return Whole(read_leg(text), [], away=True)
    if match := re.fullmatch(r"go as follows: \((.*)\)", text):
        return read_move(match[1])
    if match := re.fullmatch(r"go as follows, on the whole way (.*?): \((.*)\)", text):
        whole = Whole(read_move(match[2]), [])
        for manner in re.split(r" and (?=able|capturing)", match[1]):
            read_manner(manner, whole)
        return whole
    if match := re.fullmatch(r"go one of these ways: \((.*)\)", text):
        return Either([read_move(each[1:-1]) for each in split(f"({match[1]})", " or ")])
    if match := re.fullmatch(rf"repeat ({OFTEN})( or not at all)?(.*?): \((.*)\)", text):
        return read_rounds(match)
    return read_simple_leg(text)


def read_rounds(told: re.Match[str]) -> Rounds | Whole:
    """How often, "or not at all", how else, and the way in brackets."""
    often, optional, how, inside = told.groups()
    goes_on = None
    if match := re.search(rf"; to go on, ({PLACE})$", blanked(inside)):
        goes_on, inside = read_place(match[1]), inside[: match.start()]
    rounds = Rounds(read_move(inside), times(often), bool(optional), goes_on=goes_on)
    match = re.fullmatch(rf"(.*?), each time going on ({PLACE})(.*)", how)
    if match:
        how, goes_on = match[1] + match[3], read_place(match[2])
        rounds.goes_on = goes_on
    how = how.removesuffix(", stopping early in the last round only")
    rest = re.sub(", never (over|ending on) the square it started from$", "", how)
    rounds.between = read_turn_each_time(rest) if rest else None
    if ", never ending on" in how:
        return Whole(rounds, [], away=True)
    rounds.away = rest != how
    return rounds


def read_manner(text: str, whole: Whole) -> None:
    """What is said of a whole way."""
    if match := re.fullmatch(JUMPING, text):
        whole.jumps += read_jumps(match[1])
    elif match := re.fullmatch(RAMPAGE, text):
        whole.takes |= whom(match[1])
        whole.ends |= whom(match[1]) if match[2] else frozenset()
        whole.musts |= frozenset() if match[3] else whom(match[1])
        if match[4]:
            raise Unread(text)
    else:
        raise Unread(text)


def whom(text: str) -> frozenset[str]:
    """Who is meant."""
    return frozenset().union(*(PIECES[each] for each in text.split(" or ")))


def taking(text: str) -> frozenset[str]:
    """Captures of these, en passant too if told."""
    return frozenset(f"take {who}" for who in whom(text))


def read_place(text: str) -> frozenset[str]:
    """What a square may hold from which a way goes on."""
    found = {"no hop"} if text.startswith("instead of jumping") else set[str]()
    for each in re.findall(ONE_PLACE, text):
        who = match[0] if (match := re.search(WHOM, each)) else ""
        if each.startswith(("capturing", "having captured")):
            found |= taking(who) if who else {"take passer"}
        elif who or "any square" in each:
            found |= {f"over {one}" for one in (whom(who) if who else EVERYBODY)}
        if each.startswith(("to ", "from ")) and "no square" not in each:
            found.add("empty")
        if ELSEWHERE in each:
            found.add("away")
    return frozenset(found)


ONE_LIMIT = rf"(any|at most \w+)(?: more)? ({ONE_OF_THEM})"
JUMPING = rf"able to jump over ({ONE_LIMIT}(?:(?:,| and) {ONE_LIMIT})*) in its way(?: besides)?"
RAMPAGE = (
    rf"capturing every ({ONE_OF_THEM}) it runs over( or ends on)?(, unless it jumps over it)?"
    "(, and stopping only at the farthest square it can)?"
)


def read_jumps(told: str) -> list[Jump]:
    return [
        Jump(
            PIECES[match[2]],
            None if match[1] == "any" else count_of(match[1].split()[-1]),
            next(_numbers),
        )
        for match in re.finditer(ONE_LIMIT, told)
    ]


_numbers = iter(range(10**9))

# What may be said at the end of a leg, and what it changes there.
Change = Callable[[Leg, "re.Match[str]"], None]
REMARKS: list[tuple[re.Pattern[str], Change]] = []


def remark(pattern: str) -> Callable[[Change], Change]:
    def add(change: Change) -> Change:
        REMARKS.append((re.compile(rf"(?:{pattern})$"), change))
        return change

    return add


@remark(", never ending on the square it started from")
def _never_home(leg: Leg, _: re.Match[str]) -> None:
    leg.lands |= {"away"}


@remark(", never over the square it started from")
def _away(leg: Leg, _: re.Match[str]) -> None:
    leg.away = True


@remark(r" without jumping or capturing| without capturing( except en passant)?")
def _moves_only(leg: Leg, match: re.Match[str]) -> None:
    leg.lands -= {"take enemy", "take royal"}
    if match[0].endswith("en passant"):
        leg.lands |= {"take passer"}
    if "jumping" in match[0]:
        leg.between = "empty"


@remark(" without jumping")
def _lame(leg: Leg, _: re.Match[str]) -> None:
    leg.between = "empty"


@remark(rf" without jumping over ({ONE_OF_THEM})")
def _blocked(leg: Leg, match: re.Match[str]) -> None:
    leg.blockers = PIECES[match[1]]


@remark(rf",(?: stopping there)? only to capture(?: ({WHOM}))?({ALSO_EN_PASSANT})?")
def _captures_only(leg: Leg, match: re.Match[str]) -> None:
    leg.lands = (leg.lands & {"away"}) | taking(match[1] or "an enemy")
    leg.lands |= {"take passer"} if match[2] else set()


@remark(", ending the move there")
def _ends_the_move(leg: Leg, match: re.Match[str]) -> None:  # noqa: ARG001 - as all remarks
    leg.final = True


@remark(",(?: stopping there)? only to capture en passant")
def _captures_en_passant(leg: Leg, _: re.Match[str]) -> None:
    leg.lands = (leg.lands & {"away"}) | {"take passer"}


@remark(", able to capture friends as well as enemies(, and en passant too)?")
def _captures_friends(leg: Leg, match: re.Match[str]) -> None:
    leg.lands |= {"take friend", "take passer"} if match[1] else {"take friend"}


@remark(rf", able to capture only ({WHOM})(, and any enemy en passant)?")
def _captures_these(leg: Leg, match: re.Match[str]) -> None:
    leg.lands = (leg.lands & {"away", "empty"}) | taking(match[1])
    leg.lands |= {"take passer"} if match[2] else set()


@remark(", capturing en passant too")
def _also_en_passant(leg: Leg, _: re.Match[str]) -> None:
    leg.lands |= {"take passer"}


@remark(" exactly as far as it slid before")
def _as_far(leg: Leg, _: re.Match[str]) -> None:
    leg.as_far = "squares"


@remark(", without ever ending there")
def _never_ends(leg: Leg, _: re.Match[str]) -> None:
    leg.lands = frozenset()


@remark(", ending on (an empty square|a capture) only")
def _ends_on(leg: Leg, match: re.Match[str]) -> None:
    leg.needs = "empty" if "empty" in match[1] else "take"


@remark(rf",? ({PLACE})")
def _goes_on(leg: Leg, match: re.Match[str]) -> None:
    leg.passes = read_place(match[1])


@remark(rf", each time going on ({PLACE})")
def _rounds_go_on(leg: Leg, match: re.Match[str]) -> None:
    leg.goes_on = read_place(match[1])


@remark(rf", {JUMPING}")
def _jumps(leg: Leg, match: re.Match[str]) -> None:
    leg.jumps += read_jumps(match[1])


@remark(rf", {RAMPAGE}")
def _rampages(leg: Leg, match: re.Match[str]) -> None:
    taken = {f"take {who}" for who in PIECES[match[1]]}
    leg.along |= taken
    if match[2]:
        leg.lands |= taken
    leg.musts |= frozenset() if match[3] else PIECES[match[1]]
    leg.farthest = bool(match[4])


@remark(", jumping over exactly one piece and landing (anywhere beyond|right behind) it")
def _hops(leg: Leg, match: re.Match[str]) -> None:
    leg.hop = match[1]


@remark(", skipping the first square whatever stands on it")
def _skips(leg: Leg, _: re.Match[str]) -> None:
    leg.skips = True


@remark(", but only over an occupied square|, but only if \\w+ occupied squares lie in between")
def _jumps_all(leg: Leg, _: re.Match[str]) -> None:
    leg.between = "occupied"


@remark(" over (empty|occupied) squares")
def _passes_all(leg: Leg, match: re.Match[str]) -> None:
    leg.between = match[1]


@remark(", as if the left and right edges of the board were joined")
def _cylinder(leg: Leg, _: re.Match[str]) -> None:
    leg.edges = "files"


@remark(", as if opposite edges of the board were joined")
def _torus(leg: Leg, _: re.Match[str]) -> None:
    leg.edges = "both"


@remark(r" within its own half of the board \(one step at least\)")
def _own_half(leg: Leg, _: re.Match[str]) -> None:
    leg.limit = "own half"


@remark(
    ", at most half the way to the edge of the board(, the last square not counted)?, rounded up"
)
def _halfling(leg: Leg, match: re.Match[str]) -> None:
    leg.limit = "half but one" if match[1] else "half"


@remark(", in exactly as many steps as its latest slide")
def _as_many(leg: Leg, _: re.Match[str]) -> None:
    leg.as_far = "steps"


@remark(rf", ({OFTEN})")
def _rounds(leg: Leg, match: re.Match[str]) -> None:
    leg.rounds = times(match[1])


@remark(
    ", choosing its direction anew each time|, bending as little as it can each time"
    "|, (?:turning|going|repeating|mirroring|in about)[^,]*(?:, [^,]*)??"
    "(?: each time| alternately to one side and the other)"
)
def _each_time(leg: Leg, match: re.Match[str]) -> None:
    leg.between_rounds = read_turn_each_time(match[0])


@remark(", (?:and )?its way leading over (.*)")
def _leads_over(_: Leg, match: re.Match[str]) -> None:
    raise Unread(match[0])


@remark(
    ", (?:bending as little as it can|turning by at most about 90°"
    "|in about the (?:same|opposite) direction|(?:repeating|mirroring) its latest bend"
    "(?:, or turning (?:about )?[0-9.]+° to either side if it has not bent yet)?)"
)
def _bends(leg: Leg, match: re.Match[str]) -> None:
    leg.turn = read_turn(match[0])


def read_simple_leg(text: str) -> Leg:
    """A run or a leap with all that is said of it."""
    if match := re.fullmatch(rf"capture (?:({WHOM}) )?by (.*?)({ALSO_EN_PASSANT})?", text):
        leg = read_simple_leg(as_verb(match[2]))
        leg.lands = taking(match[1] or "an enemy") | ({"take passer"} if match[3] else set())
        return leg
    if match := re.fullmatch("capture en passant by (.*)", text):
        leg = read_simple_leg(as_verb(match[1]))
        leg.lands = frozenset({"take passer"})
        return leg
    leg, rest = Leg(), text
    cut: list[tuple[Change, re.Match[str]]] = []
    while True:
        known = [(change, found) for words, change in REMARKS if (found := words.search(rest))]
        turn = TURN_AT_END.search(rest)
        if not known and (turn is None or leg.turn is not ANYWHERE):
            break
        if known:
            cut.append(min(known, key=lambda each: each[1].start()))
            rest = rest[: cut[-1][1].start()]
        else:
            assert turn is not None
            leg.turn = read_turn(turn[0])
            rest = rest[: turn.start()]
    for change, match in reversed(cut):
        change(leg, match)
    read_head(rest, leg)
    if not leg.rounds and leg.between_rounds is not ANYWHERE:
        # A leg that is made once turns so in each of the rounds around it.
        leg.turn = leg.between_rounds
    return leg


def as_verb(text: str) -> str:
    verb, _, rest = text.partition(" ")
    return f"{VERBS[verb]} {rest}"


def read_head(text: str, leg: Leg) -> None:
    """Verb, distance and directions."""
    match = re.fullmatch(r"(?:step|slide|leap|go)(?: (.*))?", text)
    if not match:
        raise Unread(text)
    rest, first = match[1] or "", None
    if leg.as_far == "squares":
        leg.steps, leg.counts = where(rest), range(1, ENDLESS)
        return
    if rest == "to any other square of the board":
        leg.anywhere = True
        return
    if match := re.fullmatch(r"(?:(one square|\w+ squares), )?first (.*)", rest):
        rest, first = f"{match[1] or ''} {match[2]}".strip(), match[2]
    counts: Iterable[int] = (1,)
    if match := re.fullmatch(rf"(.*?) ({OFTEN}) in the same direction", rest):
        rest, counts = match[1], times(match[2])
    if text.startswith("go exactly") and counts == (1,) and leg.between != "empty":
        rest = re.sub(r"^exactly (\w+) squares", r"exactly \1 or \1 squares", rest)
    leg.steps, runs = read_steps(rest)
    leg.counts = counts if runs == (1,) else runs
    leg.later = (
        leg.steps
        if first is None
        else frozenset(each for step in leg.steps for each in clockwise(step))
    )


def times(text: str) -> Iterable[int]:
    """How often, as numbers."""
    if text in ("any number of times", "once or twice"):
        return range(1, ENDLESS + 1 if text.startswith("any") else 3)
    if text in ("once", "exactly once", "exactly twice"):
        return (1,) if text.endswith("once") else (2,)
    numbers = [
        count_of(word)
        for word in re.findall(r"\w+", text.removesuffix("times"))
        if word in NUMBERS or word.isdigit()
    ]
    return range(1, numbers[0] + 1) if text.startswith("up to") else numbers


def read_steps(text: str) -> tuple[Squares, Iterable[int]]:
    """How far and where: the steps and how many of them."""
    if match := re.fullmatch(r"(?:any distance|up to (\w+) squares|one square)(?: (.*))?", text):
        most = 1 if text.startswith("one") else count_of(match[1]) if match[1] else ENDLESS
        if not text.startswith("one square forward") and not text.startswith("one square backward"):
            return where(match[2] or ""), range(1, most + 1) if most > 1 else (1,)
    if match := re.fullmatch(r"exactly ([\w, ]+) or (\w+) squares(?: (.*))?", text):
        numbers = [*match[1].split(", "), match[2]]
        return where(match[3] or ""), [count_of(each) for each in numbers]
    if match := re.fullmatch(r"as a (\w+)(?: \((.*)\))?", text):
        every = images(*NAMES[match[1]])
        found = every if not match[2] else leaps(match[2])
        assert found <= every, text
        return found, (1,)
    if "one way" in text or re.match(r"\w+ squares? (forward|backward)", text):
        return leaps(text), (1,)
    if match := re.fullmatch(r"(?:exactly )?(\w+) squares(?: (.*))?", text):
        size = count_of(match[1])
        return frozenset((x * size, y * size) for x, y in where(match[2] or "")), (1,)
    x, y = sides_of_box(text.removeprefix("to any square "))
    inside = {(dx, dy) for dx in range(-x, x + 1) for dy in range(-y, y + 1)}
    return frozenset(inside - {HOME}), (1,)


def sides_of_box(text: str) -> Square:
    """All squares so many files and ranks away at most."""
    match = re.fullmatch(
        r"(?:of its own file )?at most (?:(\w+) files? and )?(\w+) ranks?(?: away)?", text
    )
    if not match:
        raise Unread(text)
    return count_of(match[1]) if match[1] else 0, count_of(match[2])


def listed_ways(text: str) -> frozenset[tuple[Square, ...]]:
    """Ways spelled out step by step."""

    def step(words: str) -> Square:
        found = (
            read_steps(words)[0]
            if words.startswith("as ")
            else leaps(words)
            if (" and " in words)
            else where(words)
        )
        (only,) = found
        return only

    return frozenset(tuple(map(step, each.split(", then "))) for each in text.split("; "))


def where(text: str) -> Squares:
    """Single steps in the directions of a phrase."""
    base, _, left_out = text.partition(" except ")
    if left_out:
        return where(base) - where(left_out)
    if text in WHERE:
        return WHERE[text]
    if not re.fullmatch(rf"(?:{ONE_WHERE})(?:(?:, or |, | or )(?:{ONE_WHERE}))*", text):
        raise Unread(text)
    return frozenset().union(*(WHERE[each] for each in re.findall(ONE_WHERE, text)))


def images(p: int, q: int) -> Squares:
    return frozenset((x * a, y * b) for a, b in ((p, q), (q, p)) for x in (1, -1) for y in (1, -1))


def leaps(text: str) -> Squares:
    if match := re.fullmatch(r"(\w+) squares one way and (\w+) the other", text):
        return images(count_of(match[1]), count_of(match[2]))
    found: set[Square] = set()
    for each in text.split(", or "):
        match = re.fullmatch(r"(\w+) squares? (forward[a-z ]*|backward) and (\w+) (to .*)", each)
        if not match or match[4] not in ASIDE or match[2] not in AHEAD:
            raise Unread(text)
        y, x = count_of(match[1]), count_of(match[3])
        found |= {(a * x, b * y) for a in ASIDE[match[4]] for b in AHEAD[match[2]]}
    return frozenset(found)


# Turns.


def angle(before: Square, after: Square) -> float:
    """The turn between two steps in degrees, clockwise, above -180 and up to 180."""
    turn = math.degrees(math.atan2(*after) - math.atan2(*before))
    return 180 - (180 - turn) % 360


def turn_between(before: Square, after: Square) -> float:
    """The turn between two steps in degrees, on a compass rose of sixteen directions.

    The leaps of a knight lie 36.9° and 53.1° apart, which the text calls about 45°.
    """
    turn = 22.5 * (place_on_rose(after) - place_on_rose(before))
    return 180 - (180 - turn) % 360


def place_on_rose(step: Square) -> int:
    """Straight lines are the even places, clockwise, and all leaps between two of them one."""
    eighth = math.degrees(math.atan2(*step)) / 45
    return 2 * round(eighth) if abs(eighth - round(eighth)) < 0.001 else 2 * math.floor(eighth) + 1


ANGLES = r"(?:about )?[0-9.]+°"
ONE_TURN = (
    rf"straight on|straight back|turning {ANGLES}(?:(?:, | or ){ANGLES})*"
    "(?: or the next possible angle beyond)?"
    " to (?:either side|the right|the left)"
)
TURNS = rf"(in any direction except )?((?:{ONE_TURN})(?:(?:, | or )(?:{ONE_TURN}))*)"
OF_BEND = (
    r"(?:, but (?:once it has bent only bending|only) (to the side (?:opposite to|of)) its latest"
    r" bend)?"
)
SAME_SIDE = rf"turning (?P<same>{ANGLES}(?:(?:, | or ){ANGLES})*) to the same side each time"
TURN_AT_END = re.compile(rf"(?:^|,? )(?:{SAME_SIDE}|{TURNS}{OF_BEND})$")
LATEST = re.compile(
    r",? ?(repeating|mirroring) its latest bend"
    rf"(?:, or (turning {ANGLES} to either side) if it has not bent yet)?"
)


def read_turn(text: str) -> Turn:
    """The words for a turn."""
    if text.strip(", ") == "bending as little as it can":
        return Turn(least=True)
    if match := re.fullmatch(r",? ?in about the (same|opposite) direction", text):
        most = 0.0 if match[1] == "same" else 180.0
        return Turn((most, most - 22.5, most + 22.5))
    if re.fullmatch(r",? ?turning by at most about 90°", text):
        return Turn(tuple(22.5 * each for each in range(-4, 5) if each))
    if match := LATEST.fullmatch(text):
        return Turn(tuple(turns(match[2])) if match[2] else (), latest=match[1])
    match = TURN_AT_END.fullmatch(f", {text}" if not text.startswith((",", " ")) else text)
    if not match:
        raise Unread(text)
    if match["same"]:
        sizes = tuple(turns(f"turning {match['same']} to either side"))
        return Turn(sizes, keeps="same")
    told = tuple(size for each in re.findall(ONE_TURN, match[3]) for size in turns(each))
    return Turn(told, excluded=match[2] is not None, latest=match[4] or "")


def read_turn_each_time(text: str) -> Turn:
    """The words for the turn between rounds."""
    text = text.strip(", ")
    if text == "choosing its direction anew each time":
        return ANYWHERE
    if text == "turning 90° alternately to one side and the other":
        return Turn((90.0, -90.0), keeps="other")
    if text.startswith("turning") and "to the same side each time" in text:
        return read_turn(text)
    return read_turn(text.removesuffix(" each time").removeprefix("going "))


def turns(text: str) -> Iterator[float]:
    """One phrase about a turn in degrees."""
    if text.startswith("straight"):
        yield 0.0 if text == "straight on" else 180.0
    sizes = [float(number) for number in re.findall(r"([0-9.]+)°", text)]
    if "or the next possible angle beyond" in text:
        sizes.append(sizes[-1] + 22.5)
    for size in sizes:
        if not text.endswith("left"):
            yield size
        if not text.endswith("right"):
            yield -size


def is_least(before: Square, after: Square) -> bool:
    kind = images(*map(abs, after))
    return abs(angle(before, after)) < min(abs(angle(before, step)) for step in kind) + 0.1


def clockwise(step: Square) -> list[Square]:
    """The eight steps like one, in order; a straight one turns to straight ones of its size."""
    p, q = sorted(map(abs, step))
    if 0 < p < q:
        return sorted(images(p, q), key=lambda each: math.atan2(*each))
    return sorted(((x * q, y * q) for x, y in WHERE[""]), key=lambda each: math.atan2(*each))

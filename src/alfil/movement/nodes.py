"""The nodes of a movement: ways to move, and facts beside them, without the letters of a notation.

Every notation is resolved to this tree and spelled from it; words are written from it, and only it
is compiled. It keeps the structure its author gave it: equal pieces may have different movements.
Every node knows the span it was read from, which takes no part in equality.

Steps are (dx, dy), forward is +y and right is +x, both seen by the mover. Turns are counted
clockwise from the way the piece has just travelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, is_dataclass
from typing import Literal, NoReturn, TypeAlias, TypeVar

from alfil.errors import NotationError, reject
from alfil.frozen_dataclasses import dataclass
from alfil.geometry import Vector
from alfil.node_trees import TreeDataError, as_data, read_node, tree_lines
from alfil.source import NOWHERE, Source, Span, printable, span_field

# What a move may end on: an empty square, one that is empty and not where the move began, an enemy
# that is not royal, a royal one, a friend, or behind a piece that may be captured en passant.
End: TypeAlias = Literal["empty", "away", "enemy", "royal", "friend", "passer"]
# What a way may go on from: "take" captures the piece there, "hop" passes over it as a hurdle, and
# "pass" passes it where an empty square would do as well, so that it is no hurdle.
Passage: TypeAlias = Literal[
    "empty",
    "away",
    "take-enemy",
    "take-royal",
    "take-friend",
    "take-passer",
    "hop-enemy",
    "hop-royal",
    "hop-friend",
    "pass-enemy",
    "pass-royal",
    "pass-friend",
]
# Numbers of steps or rounds, in order; or any number from one on; or up to the middle of the board;
# or at most half as many as there is room for up to the edge.
Lengths: TypeAlias = tuple[int, ...] | Literal["any", "own-half", "halfway"]
# Lengths that depend on the board and the square.
BOARD_DEPENDENT_LENGTHS = frozenset({"own-half", "halfway"})
# The squares that a leap skips: whatever is there, nothing, or a piece on every one.
Between: TypeAlias = Literal["anything", "empty", "occupied"]
# A run over exactly one piece: it ends anywhere beyond, or on the square behind.
Hop: TypeAlias = Literal["none", "beyond", "behind"]
# The edges of the board: walls, or left and right joined, or top and bottom too.
Edges: TypeAlias = Literal["walls", "files", "both"]
Side: TypeAlias = Literal["friends", "enemies", "all"]
# Squares of a board: those of a colour, the near left one dark for the first side; those of the
# colour on which the piece began, or of the other one; those of half the board as the mover sees
# it, the middle file of an odd number belonging to both.
Ground: TypeAlias = Literal[
    "light", "dark", "own-colour", "other-colour", "left-half", "right-half"
]

OVER_EMPTY: tuple[Passage, ...] = ("empty",)
MOVE_ONLY: tuple[End, ...] = ("empty",)
CAPTURE_ONLY: tuple[End, ...] = ("enemy", "royal")
MOVE_OR_CAPTURE: tuple[End, ...] = ("empty", "enemy", "royal")
ONE_STEP: tuple[int, ...] = (1,)

FORMAT, VERSION = "alfil-movement", 1
# Places of a turn all round, and sizes of a turn to one hand.
EIGHTHS, SIXTEENTHS = range(8), range(9)
HALF_CIRCLE = 180


Kind = TypeVar("Kind", End, Passage)


def away_as_empty(squares: Iterable[Kind]) -> tuple[Kind, ...]:
    """Ends or passages without the distinction whether an empty square is where the move began."""
    return tuple("empty" if kind == "away" else kind for kind in squares)


def _are_ascending_counts(numbers: Lengths) -> bool:
    """Whether numbers of steps or rounds are in order and from one on."""
    if not isinstance(numbers, tuple):
        return True
    return bool(numbers) and numbers[0] > 0 and list(numbers) == sorted(set(numbers))


def _parse_degrees(degrees: str) -> float:
    """A number of degrees, or one beyond all turns."""
    whole, _, rest = degrees.partition(".")
    plain = whole and f"{whole}{rest or 0}".isdecimal() and degrees.isascii()
    return float(degrees) if plain else 2.0 * HALF_CIRCLE


def _problem_of_counts(*numbers: int | None) -> str:
    return "" if all(each is None or each > 0 for each in numbers) else "numbers count from 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node of the tree; where it was read takes no part in equality."""

    span: Span = span_field()

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return ""


@dataclass(frozen=True, slots=True)
class Leg(Node):
    """A run of equal steps in a straight line, or one leap.

    ``steps`` are the steps it may be made of, ``lengths`` how many of one of them. ``ends`` is what
    a move may end on that ends with this leg, ``through`` what may stand there when it goes on, and
    ``along`` what may stand on the squares of a run before its last. ``between`` is about squares
    that each step leaps over. ``hop`` is about a run that ends the move. ``skips_first`` passes the
    first square whatever stands there. ``as_far`` takes just as many steps as the latest run did.
    "halfway" is half the steps there is room for from where the leg begins, rounded up; for a leg
    after another one the square next to the edge does not count as room.
    """

    steps: tuple[Vector, ...]
    lengths: Lengths = ONE_STEP
    ends: tuple[End, ...] = MOVE_OR_CAPTURE
    through: tuple[Passage, ...] = ("empty",)
    along: tuple[Passage, ...] = ("empty",)
    between: Between = "anything"
    hop: Hop = "none"
    edges: Edges = "walls"
    skips_first: bool = False
    as_far: bool = False

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        if (0, 0) in self.steps:
            return "no step stays where it is"
        if not _are_ascending_counts(self.lengths):
            return "lengths are numbers from 1 on, in order"
        plain = self.hop == "none" and self.edges == "walls" and self.between == "anything"
        if self.lengths == "halfway" and not (plain and not self.skips_first | self.as_far):
            return "a leg half the way to the edge just runs, on a board that has edges"
        return "" if self.ends or self.through else "a leg that may neither end nor go on"


@dataclass(frozen=True, slots=True)
class Anywhere(Node):
    """A leap to any square at most so many files and ranks away, None for the whole board."""

    files: int | None = None
    ranks: int | None = None
    ends: tuple[End, ...] = MOVE_OR_CAPTURE

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return "" if min(self.files or 0, self.ranks or 0) >= 0 else "no such square"


@dataclass(frozen=True, slots=True)
class Castling(Node):
    """The king goes ``squares`` along one of the ``steps`` towards an unmoved piece of its side.

    The partner stands ``inset`` files in from the edge, and lands beside it, on the inner side.
    """

    steps: tuple[Vector, ...]
    squares: int
    inset: int = 0

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return "no such step" if (0, 0) in self.steps else _problem_of_counts(self.squares)


@dataclass(frozen=True, slots=True)
class Bend(Node):
    """A turn by places of 45°, 0 to 7 clockwise, from the way of travel.

    The next leg takes the latest step, turned, whatever its own steps are; where it ``chooses``, it
    takes those of its own steps that lie there. ``places`` None is every way but straight back, or
    for a leg that chooses those of its steps that turn least. ``sense`` compares with the latest
    bend of the way: "same" or "other" side. With None for places it repeats or mirrors that bend;
    before any bend it is 45° ("same") or 90° ("other") to either side.
    """

    places: tuple[int, ...] | None = None
    sense: Literal["any", "same", "other"] = "any"
    chooses: bool = False

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        fits = all(place in EIGHTHS for place in self.places or ())
        return "" if fits else "places are eighths of a circle, 0 to 7"


@dataclass(frozen=True, slots=True)
class Angle(Node):
    """A turn by ``sixteenths`` of a circle, 0 to 8, to the right, the left or either hand.

    Where the next leg has no such steps because they are of the other kind (straight or oblique),
    the next angle beyond is meant. Inside a `Repeat` either hand is one hand, kept once chosen.
    ``sixteenths`` None is any turn of more than 0° and at most 90°, or with ``degrees``, a number
    as text, the steps that lie at that very angle, within half a degree.
    """

    sixteenths: int | None
    hand: Literal["either", "right", "left"] = "either"
    degrees: str = ""

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        if self.degrees and not (
            self.sixteenths is None and _parse_degrees(self.degrees) <= HALF_CIRCLE
        ):
            return "degrees stand alone, as text, and are 0 to 180"
        return "" if (self.sixteenths or 0) in SIXTEENTHS else "a turn is 0 to 8 sixteenths"


Turn: TypeAlias = Bend | Angle


@dataclass(frozen=True, slots=True)
class Join(Node):
    """Where one way goes on in another: by which turn, and whether the piece may stop there."""

    turn: Turn
    may_stop: bool


@dataclass(frozen=True, slots=True)
class Then(Node):
    """One way, then another, joined by ``joins``, of which there is one fewer.

    ``onward`` is the turn from the last of them to whatever follows in the next round of a repeat.
    Where ``only`` is not None, it lists the first steps of all legs for every way that is allowed.
    """

    ways: tuple[Way, ...]
    joins: tuple[Join, ...]
    onward: Turn | None = None
    only: tuple[tuple[Vector, ...], ...] | None = None

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        if len(self.joins) != len(self.ways) - 1:
            return "there is one join fewer than there are ways"
        if self.only is None:
            return ""
        if not all(isinstance(way, Leg) for way in self.ways):
            return "only legs have first steps to choose from"
        fits = all(len(way) == len(self.ways) for way in self.only)
        return "" if fits else "only lists a step for every leg"


@dataclass(frozen=True, slots=True)
class Either(Node):
    """Any one of several ways."""

    ways: tuple[Way, ...]


def either_of_ways(ways: Sequence[Way], span: Span = NOWHERE) -> Way:
    """Any one of some ways, itself where it is the only one."""
    return ways[0] if len(ways) == 1 else Either(tuple(ways), span=span)


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """A way, ``times`` times in a row; where it is ``optional``, or not at all.

    A round follows another by the turn ``onward`` of its way, or anywhere where that has none. The
    piece may stop after any round that may be the last, and inside a round only where the way says
    so and the round may be the last.
    """

    way: Way
    times: tuple[int, ...] | Literal["any"] = "any"
    optional: bool = False

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return "" if _are_ascending_counts(self.times) else "times are numbers from 1 on, in order"


@dataclass(frozen=True, slots=True)
class Only(Node):
    """A rule: the way may only be used for this; what is captured on the way counts."""

    what: Literal["moving", "capturing"]


@dataclass(frozen=True, slots=True)
class Jumping(Node):
    """A rule: pieces of a side in the way may be passed, at most ``most`` (None: any number)."""

    side: Side = "all"
    most: int | None = None

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return _problem_of_counts(self.most)


@dataclass(frozen=True, slots=True)
class NotJumping(Node):
    """A rule: leaps pass over no piece of a side on the squares that they skip.

    These are the squares of a lame leap (`Leg`): first straight along, then diagonally.
    """

    side: Side = "all"


@dataclass(frozen=True, slots=True)
class Rampage(Node):
    """A rule: every piece of a side that is run over is captured; ``farthest``: no stop before."""

    side: Side = "enemies"
    farthest: bool = False


@dataclass(frozen=True, slots=True)
class Rifle(Node):
    """A rule: what the way could capture, of a side, is captured without moving."""

    side: Side = "enemies"


Rule: TypeAlias = Only | Jumping | NotJumping | Rampage | Rifle


@dataclass(frozen=True, slots=True)
class Within(Node):
    """A way under a rule that holds for all of it."""

    rule: Rule
    way: Way


@dataclass(frozen=True, slots=True)
class Words(Node):
    """A move told in the author's words; it cannot be compiled."""

    text: str


@dataclass(frozen=True, slots=True)
class Foreign(Node):
    """A move by a function that is not built in, ``known`` if declared; it cannot be compiled.

    ``hint`` is what the author may have meant, in the words of the notation.
    """

    name: str
    arguments: tuple[int | str | Movement, ...] = ()
    known: bool = False
    hint: str = field(default="", compare=False, repr=False)


Way: TypeAlias = Leg | Anywhere | Castling | Then | Either | Repeat | Within | Words | Foreign


def may_capture_on_the_way(way: Way) -> bool:
    """Whether a way may capture before it ends."""
    legs = [each for each in walk(way) if isinstance(each, Rampage | Leg)]
    return any(
        isinstance(each, Rampage) or any(on.startswith("take") for on in each.through + each.along)
        for each in legs
    )


@dataclass(frozen=True, slots=True)
class OnMove(Node):
    """A condition: only as the piece's own move of that number, 1 for one that has not moved."""

    number: int

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return _problem_of_counts(self.number)


@dataclass(frozen=True, slots=True)
class EveryMove(Node):
    """A condition: only as every so many-th move of the piece, or turn of its side."""

    number: int
    of: Literal["piece", "side"] = "piece"

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return _problem_of_counts(self.number)


@dataclass(frozen=True, slots=True)
class ThirdRank(Node):
    """A condition: the square straight behind held a piece like it, of its side, at the start."""


@dataclass(frozen=True, slots=True)
class OnSquare(Node):
    """A condition: only from such squares."""

    ground: Ground


When: TypeAlias = OnMove | EveryMove | ThirdRank | OnSquare


@dataclass(frozen=True, slots=True)
class Option(Node):
    """One way to move, under all its conditions.

    ``passer``: after it the piece may be captured en passant, on every square it passed.
    """

    way: Way
    when: tuple[When, ...] = ()
    passer: bool = False


@dataclass(frozen=True, slots=True)
class Royal(Node):
    """It is royal; ``survive`` says whether all royals of a side must survive, or one of them."""

    survive: Literal["all", "one"] = "all"


@dataclass(frozen=True, slots=True)
class Promotion(Node):
    """It promotes into pieces named in words or by their moves, on a condition.

    That is told in words, or by the moves after which it promotes.
    """

    condition: str | Movement
    into: tuple[str | Movement, ...]


@dataclass(frozen=True, slots=True)
class Iron(Node):
    """It cannot be captured: by nothing, by the ``exceptions`` only, or by all but these."""

    by: Literal["anything", "these", "others"] = "anything"
    exceptions: tuple[str | Movement, ...] = ()


@dataclass(frozen=True, slots=True)
class Size(Node):
    """It takes up so many squares."""

    files: int
    ranks: int

    def problem(self) -> str:
        """What is wrong with it, if anything."""
        return _problem_of_counts(self.files, self.ranks)


@dataclass(frozen=True, slots=True)
class Effect(Node):
    """What it does to pieces of a side in reach, without moving there.

    ``active``: after its own move; ``passive``: to those that move there; ``always``: both.
    ``most`` is how many at a time, None for no limit. A passive rifle "shoots".
    """

    what: Literal["burns", "immobilises", "shoots"]
    reach: Movement
    side: Side = "enemies"
    when: Literal["active", "passive", "always"] = "active"
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A parameter of a declared function."""

    name: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Declared(Node):
    """A function that the text declares, whose meaning nobody has given."""

    name: str
    parameters: tuple[Parameter, ...] = ()


Truth: TypeAlias = Royal | Promotion | Iron | Size | Effect | Declared


@dataclass(frozen=True, slots=True)
class Fact(Node):
    """Something true of the piece that is no move; ``within`` are rules and conditions around it.

    The outermost comes first.
    """

    truth: Truth
    within: tuple[Rule | When, ...] = ()


@dataclass(frozen=True, slots=True)
class Movement(Node):
    """A whole piece: any of its options, and the facts beside them. No options: it never moves."""

    options: tuple[Option, ...] = ()
    facts: tuple[Fact, ...] = ()

    def __str__(self) -> str:
        """The tree in indented lines."""
        return "\n".join(tree_lines(self, spans=False))

    def to_json(self) -> dict[str, object]:
        """The movement as dictionaries, lists, texts and numbers; docs/movement.md is the schema.

        >>> Movement((Option(Leg(((1, 2),))),)).to_json()["options"]
        [{'node': 'Option', 'way': {'node': 'Leg', 'steps': [[1, 2]]}}]
        """
        data = as_data(self, sparse=True)
        assert isinstance(data, dict)
        return {"format": FORMAT, "version": VERSION, **data}

    @staticmethod
    def from_json(data: object) -> Movement:
        """The movement that plain data describes, as `to_json` gives it.

        Raises `NotationError` of kind "movement-data" for anything that is none, with the place.

        >>> Movement.from_json(Movement().to_json()) == Movement()
        True
        """
        try:
            if not isinstance(data, Mapping) or data.get("format") != FORMAT:
                raise TreeDataError("", f"a movement is a dictionary with format = {FORMAT}")
            if data.get("version") != VERSION:
                raise TreeDataError("version", f"this is version {VERSION} of the format")
            plain = {key: data[key] for key in data if key not in {"format", "version"}}
            movement = read_node(plain, (Movement,))
        except (TreeDataError, RecursionError) as error:
            _reject_tree_data(error)
        assert isinstance(movement, Movement)
        return movement

    def checked(self) -> Movement:
        """The movement itself, if all in it is what may stand there: Python puts anything anywhere.

        Raises `NotationError` of kind "movement-data" otherwise, with the place.

        >>> Movement((Option(Leg(((1, 2),))),)).checked().options[0].way.steps
        ((1, 2),)
        """
        try:
            data = self.to_json()
        except RecursionError as error:
            _reject_tree_data(error)
        return Movement.from_json(data)


def _reject_tree_data(error: TreeDataError | RecursionError) -> NoReturn:
    misfit = error if isinstance(error, TreeDataError) else TreeDataError("", "nested too deep")
    source = Source(printable(misfit.place) or "movement", "<movement>")
    hint = "docs/movement.md describes the format"
    reject(NotationError, "movement-data", misfit.message, source, hint=hint)


# The fields of each kind of node that may hold other nodes, last ones first; None for no node.
_CHILD_FIELDS: dict[type, list[str] | None] = {}
_FIELDS_WITHOUT_NODES = frozenset({"span", "only", "lengths", "times"})


def walk(node: object) -> Iterator[object]:
    """A node and all nodes in it, in the order of the text; nothing stands inside a leg."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if isinstance(node, tuple):
            waiting += reversed(node)
            continue
        if kind not in _CHILD_FIELDS:
            names = [x.name for x in fields(kind)] if is_dataclass(kind) else None
            held = names if kind is not Leg else []
            _CHILD_FIELDS[kind] = held and [
                x for x in reversed(held) if x not in _FIELDS_WITHOUT_NODES
            ]
        names_inside = _CHILD_FIELDS[kind]
        if names_inside is not None:
            yield node
            waiting += [getattr(node, name) for name in names_inside]


def has_part(way: Way, holds: Callable[[Way], bool]) -> bool:
    """Whether something holds for one of the ways that a way is put together from."""
    match way:
        case Leg():
            return holds(way)
        case Then(ways=ways) | Either(ways=ways):
            return any(has_part(each, holds) for each in ways)
        case Repeat(way=inner) | Within(way=inner):
            return has_part(inner, holds)
        case _:
            return holds(way)


def has_uncompilable_part(option: Option) -> bool:
    """Whether an option has a part that only words or a function without a meaning tell."""
    return has_part(option.way, lambda way: isinstance(way, Words | Foreign))

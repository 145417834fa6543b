"""One leg as a phrase: how far, which way, in what manner, and what it may end on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from alfil.english import words
from alfil.errors import listed
from alfil.frozen import NamedTuple
from alfil.geometry import Vector, is_oblique
from alfil.movement.nodes import MOVE_OR_CAPTURE, Between, End, Hop, Passage

PLAIN: frozenset[End] = frozenset(MOVE_OR_CAPTURE)
EMPTY: frozenset[Passage] = frozenset({"empty"})
UNHELD = frozenset({"empty", "away"})
START = "the square it started from"
NEVER = f", never over {START}"
NEVER_HOME = f", never back to {START}"

EVERYBODY = frozenset({"enemy", "royal", "friend"})
ENEMY = "an enemy"
MANY = {
    "a friend": "friends",
    ENEMY: "enemies",
    "an enemy that is not royal": "enemies that are not royal",
    "an enemy royal piece": "enemy royal pieces",
}
HOPS: dict[Hop, str] = {
    "none": "",
    "beyond": ", jumping over exactly one piece and landing anywhere beyond it",
    "behind": ", jumping over exactly one piece and landing right behind it",
}


class Leaf(NamedTuple):
    """A run of equal steps in a straight line, or one leap.

    ``size`` is the squares a step takes straight (k,) or the two numbers of an oblique leap.
    ``steps`` are the numbers of steps it may take, none for any number. ``land`` is what it may end
    on and ``through`` what it may go on from. ``manner`` are more phrases, each with its own comma
    or blank before it. ``where`` replaces the words for its directions, ``reach`` those for its
    distance, and ``said`` all words for a move that has no directions.
    """

    size: tuple[int, ...]
    vectors: tuple[Vector, ...]
    steps: tuple[int, ...] = (1,)
    between: Between = "anything"
    land: frozenset[End] = PLAIN
    through: frozenset[Passage] = EMPTY
    hop: Hop = "none"
    manner: tuple[str, ...] = ()
    where: str | None = None
    reach: str = ""
    said: str = ""

    @property
    def heading(self) -> frozenset[int]:
        """The compass directions of a straight leaf."""
        return words.headings(self.vectors)

    @property
    def on_empty(self) -> bool:
        """Whether the way goes on from an empty square and nothing else."""
        return bool(self.through) and self.through <= UNHELD


def size_of(vector: Vector) -> tuple[int, ...]:
    """How a leap is measured: squares straight, or its two numbers, the smaller one first.

    >>> size_of((2, -2)), size_of((2, -1))
    ((2,), (1, 2))
    """
    if is_oblique(vector):
        p, q = sorted(map(abs, vector))
        return (p, q)
    return (max(map(abs, vector)),)


def run(vectors: Sequence[Vector], steps: Sequence[int]) -> Leaf:
    """A run over empty squares, of one of these lengths; none for any length.

    >>> phrase(run([(1, 0), (-1, 0)], [3])), phrase(run([(0, 1)], [2, 1]))
    ('go exactly three squares sideways without jumping', \
'slide up to two squares straight forward')
    """
    lengths = tuple(sorted(steps))
    if len(lengths) == 1 and lengths != (1,):
        return leap(vectors, lengths[0])._replace(between="empty")
    return Leaf((1,), tuple(vectors), lengths)


def leap(vectors: Sequence[Vector], length: int) -> Leaf:
    """A leap of so many squares straight.

    >>> phrase(leap([(1, 0), (-1, 0)], 3))
    'leap three squares sideways'
    """
    if length == 1:
        return Leaf((1,), tuple(vectors))
    return Leaf((length,), tuple((x * length, y * length) for x, y in vectors))


@lru_cache(maxsize=1024)
def phrase(leaf: Leaf) -> str:
    """A leaf in words, from its verb on, as one that ends the move."""
    return _tidy(f"{_core(leaf)}{''.join(leaf.manner)}{HOPS[leaf.hop]}{land(leaf.land)}")


@lru_cache(maxsize=1024)
def passing(leaf: Leaf) -> str:
    """A leaf in words, from its verb on, as one the way goes on from."""
    core, place = _core(leaf), through(leaf.through)
    apart = "," in core or "without" in core or not place.startswith("to ")
    return f"{core}{',' if apart else ''} {place}{''.join(leaf.manner)}"


def _core(leaf: Leaf) -> str:
    """Verb, distance and direction."""
    if leaf.said:
        return leaf.said
    return _oblique(leaf) if len(leaf.size) > 1 else _straight(leaf)


@lru_cache(maxsize=1024)
def whole(leaf: Leaf) -> str:
    """A leaf that is a part of its own; one that only captures is put that way round.

    >>> whole(Leaf((1,), ((0, 1),), land=frozenset({"enemy", "royal", "passer"})))
    'capture by stepping one square straight forward, en passant too'
    """
    if not leaf.land or "empty" in leaf.land:
        return phrase(leaf)
    taken, aside = pieces(leaf.land), "passer" in leaf.land
    moving = words.doing(phrase(leaf._replace(land=PLAIN)))
    if not taken:
        return f"capture en passant by {moving}"
    whom = "" if taken == ENEMY else f" {taken}"
    return f"capture{whom} by {moving}{', en passant too' if aside else ''}"


def pieces(kinds: Collection[str], *, many: bool = False) -> str:
    """Friends, enemies and royal enemies as those of whom it is true.

    >>> pieces({"enemy", "royal"}), pieces({"friend", "enemy"}), pieces({"royal"}, many=True)
    ('an enemy', 'a friend or an enemy that is not royal', 'enemy royal pieces')
    """
    found = ["a friend"] if "friend" in kinds else []
    if "enemy" in kinds:
        found.append(ENEMY if "royal" in kinds else "an enemy that is not royal")
    elif "royal" in kinds:
        found.append("an enemy royal piece")
    return listed([MANY[each] for each in found] if many else found)


def _tidy(text: str) -> str:
    text = text.replace(" ,", ",")
    text = text.replace(" without jumping without capturing", " without jumping or capturing")
    return text.replace(" without jumping, able to jump", ", able to jump")


def _straight(leaf: Leaf) -> str:
    (size,) = leaf.size
    unit = size == 1 and not leaf.reach
    everywhere = "in any direction" if unit and _plain(leaf.steps) else "orthogonally or diagonally"
    where = words.ways(leaf.heading, everywhere) if leaf.where is None else leaf.where
    where = where and f" {where}"
    if leaf.reach:
        return f"{_verb(leaf)}{where} {leaf.reach}"
    if size == 1:
        return f"{_run(leaf.steps)}{where}{'' if _plain(leaf.steps) else ' without jumping'}"
    exactly = "exactly " if leaf.between == "empty" else ""
    skipped = _skipped(leaf.between, size - 1)
    start = f"{_verb(leaf)} {exactly}{words.squares(size)}{where}"
    return f"{start}{times(leaf.steps)}{skipped}"


def _plain(steps: tuple[int, ...]) -> bool:
    return steps == tuple(range(1, len(steps) + 1))


def _verb(leaf: Leaf) -> str:
    if leaf.size == (1,):
        return "slide"
    return "go" if leaf.between == "empty" else "leap"


def _run(steps: tuple[int, ...]) -> str:
    """A run over single squares."""
    if not steps:
        return "slide any distance"
    if steps == (1,):
        return "step one square"
    if _plain(steps):
        return f"slide up to {words.squares(len(steps))}"
    return f"go exactly {listed([words.number(step) for step in steps])} squares"


def _skipped(between: Between, count: int) -> str:
    """What must stand on the squares a straight leap skips."""
    if between == "anything":
        return ""
    if between == "empty":
        return " without jumping"
    if count == 1:
        return ", but only over an occupied square"
    return f", but only if {words.number(count)} occupied squares lie in between"


def _oblique(leaf: Leaf) -> str:
    p, q = leaf.size
    where = words.leap(p, q, leaf.vectors) if leaf.where is None else leaf.where
    reach = f" {leaf.reach}" if leaf.reach else times(leaf.steps)
    start = f"{_verb(leaf)} {where}{reach}"
    if leaf.between == "anything":
        return start
    way = f", first {words.squares(q - p)} orthogonally, then {words.number(p)} diagonally"
    needed = "empty squares" if leaf.between == "empty" else "occupied squares"
    return f"{start}{way}, passing over {needed} only"


def first_way(leaf: Leaf) -> str:
    """The directions of a leaf, as such."""
    if len(leaf.size) > 1:
        p, q = leaf.size
        return words.leap(p, q, leaf.vectors)
    return words.ways(leaf.heading)


def times(steps: tuple[int, ...]) -> str:
    """How often a leap is made, straight on.

    >>> times((1, 2)), times(()), times((2, 4))
    (' once or twice in the same direction', ' any number of times in the same direction', \
' exactly two or four times in the same direction')
    """
    if steps == (1,):
        return ""
    return f" {often(steps)} in the same direction"


def often(steps: Collection[int]) -> str:
    """How often something is done, no numbers meaning any number of times."""
    counts = sorted(steps)
    if not counts:
        return "any number of times"
    if counts == [1, 2]:
        return "once or twice"
    if len(counts) == 1:
        return {1: "exactly once", 2: "exactly twice"}.get(
            counts[0], f"exactly {words.number(counts[0])} times"
        )
    if counts == list(range(1, len(counts) + 1)):
        return f"up to {words.number(len(counts))} times"
    return f"exactly {listed([words.number(count) for count in counts])} times"


def land(ends: AbstractSet[End]) -> str:
    """What a move may end on, as a phrase after the move.

    >>> land(PLAIN), land({"empty"}), land({"enemy", "royal", "friend"})
    ('', ' without capturing', ', only to capture a friend or an enemy')
    >>> land({"away"})
    ' without capturing, never back to the square it started from'
    """
    if "away" in ends:
        return land({"empty", *ends} - {"away"}) + NEVER_HOME
    taken, aside = pieces(ends), "en passant" if "passer" in ends else ""
    if "empty" not in ends:
        return _only(taken, aside)
    if not taken:
        return f" without capturing except {aside}" if aside else " without capturing"
    if taken == ENEMY:
        return ", capturing en passant too" if aside else ""
    also = f", and {aside} too" if aside else ""
    if "enemy" in ends and "royal" in ends:
        return f", able to capture friends as well as enemies{also}"
    return f", able to capture only {taken}{also}"


def _only(taken: str, aside: str) -> str:
    if not taken:
        return f", only to capture {aside}" if aside else ", without ever ending there"
    enemy = "" if taken == ENEMY else f" {taken}"
    also = f", {aside} too" if aside else ""
    return f", only to capture{enemy}{also}"


def through(passages: Collection[Passage], *, left: bool = False) -> str:
    """What must be on the square where a leg ends for the way to go on.

    ``left``: said of the way on from that square instead of the way to it.

    >>> through(EMPTY), through({"empty", "take-enemy", "take-royal"}, left=True)
    ('to an empty square', 'from an empty square or having captured an enemy there')
    """
    found: list[str] = []
    hurdles, passed = _kinds(passages, "hop-"), _kinds(passages, "pass-")
    if UNHELD.intersection(passages):
        found.append(f"{'from' if left else 'to'} {_square(passages, passed)}")
    elif passed:
        found.append(f"past {_any_piece(passed)} there")
    if hurdles:
        found.append(f"passing over {_any_piece(hurdles)} there")
    taken = _kinds(passages, "take-")
    whom = [pieces(taken), "en passant" if "passer" in taken else ""]
    found += [f"{'having captured' if left else 'capturing'} {each} there" for each in whom if each]
    return listed(found) or f"{'from' if left else 'to'} no square at all"


def _square(passages: Collection[Passage], passed: Collection[str]) -> str:
    """A square that may be empty."""
    if EVERYBODY.issubset(passed):
        square = "any square, empty or occupied"
    elif passed:
        square = f"a square that is empty or holds {pieces(passed)}"
    else:
        square = "an empty square"
    return square if "empty" in passages else f"{square} other than {START}"


def _any_piece(kinds: Collection[str]) -> str:
    return "a piece" if EVERYBODY.issubset(kinds) else pieces(kinds)


def _kinds(passages: Iterable[Passage], doing: str) -> list[str]:
    return [each.removeprefix(doing) for each in passages if each.startswith(doing)]


def along(passages: Collection[Passage]) -> str:
    """What may stand on the squares of a run before its last, unless they must be empty.

    >>> along({"empty", "take-enemy", "take-royal"})
    ', its way leading over empty squares or enemies that it captures'
    """
    if set(passages) == EMPTY:
        return ""
    if set(passages) == {"away"}:
        return NEVER
    found = ["empty squares"] if "empty" in passages else []
    if not found and "away" in passages:
        found.append(f"empty squares other than {START}")
    found.append(pieces(_kinds(passages, "pass-"), many=True))
    hurdles, taken = _kinds(passages, "hop-"), _kinds(passages, "take-")
    found += [f"{pieces(hurdles, many=True)} as hurdles"] if hurdles else []
    whom = [pieces(taken, many=True), "some en passant" if "passer" in taken else ""]
    found += [f"{each} that it captures" for each in whom if each]
    return f", its way leading over {listed([each for each in found if each]) or 'nothing'}"

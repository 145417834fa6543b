"""One leg as a phrase: how far, which way, in what manner, and what it may end on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from alfil.english import words
from alfil.errors import join_words
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector, is_oblique
from alfil.movement.nodes import MOVE_OR_CAPTURE, Between, End, Hop, Passage

MOVE_OR_CAPTURE_ENDS: frozenset[End] = frozenset(MOVE_OR_CAPTURE)
EMPTY_PASSAGE: frozenset[Passage] = frozenset({"empty"})
ANY_SQUARE = frozenset({"empty", "away"})
START_SQUARE_PHRASE = "the square it started from"
NEVER_OVER_START_PHRASE = f", never over {START_SQUARE_PHRASE}"
NEVER_BACK_TO_START_PHRASE = f", never ending on {START_SQUARE_PHRASE}"

# Of a leg that is one of several in a round, and from which no further round goes on.
ENDING_PHRASE = ", ending the move there"

ALL_PIECE_KINDS = frozenset({"enemy", "royal", "friend"})
ENEMY_PHRASE = "an enemy"
PLURALS = {
    "a friend": "friends",
    ENEMY_PHRASE: "enemies",
    "an enemy that is not royal": "enemies that are not royal",
    "an enemy royal piece": "enemy royal pieces",
}
HOP_PHRASES: dict[Hop, str] = {
    "none": "",
    "beyond": ", jumping over exactly one piece and landing anywhere beyond it",
    "behind": ", jumping over exactly one piece and landing right behind it",
}


class SimpleLeg(NamedTuple):
    """A run of equal steps in a straight line, or one leap.

    ``size`` is the squares a step takes straight (k,) or the two numbers of an oblique leap.
    ``steps`` are the numbers of steps it may take, none for any number. ``land`` is what it may end
    on and ``through`` what it may go on from. ``manner`` are more phrases, each with its own comma
    or blank before it. ``where`` replaces the words for its directions, ``reach`` those for its
    distance, and ``whole_phrase`` all words for a move that has no directions.
    """

    size: tuple[int, ...]
    vectors: tuple[Vector, ...]
    steps: tuple[int, ...] = (1,)
    between: Between = "anything"
    land: frozenset[End] = MOVE_OR_CAPTURE_ENDS
    through: frozenset[Passage] = EMPTY_PASSAGE
    hop: Hop = "none"
    manner: tuple[str, ...] = ()
    where: str | None = None
    reach: str = ""
    whole_phrase: str = ""

    @property
    def compass_directions(self) -> frozenset[int]:
        """The compass directions of a straight leaf."""
        return words.compass_headings(self.vectors)


def continues_from_empty_only(passages: frozenset[Passage]) -> bool:
    """Whether a way goes on from an empty square and nothing else."""
    return bool(passages) and passages <= ANY_SQUARE


def leap_size(vector: Vector) -> tuple[int, ...]:
    """How a leap is measured: squares straight, or its two numbers, the smaller one first.

    >>> leap_size((2, -2)), leap_size((2, -1))
    ((2,), (1, 2))
    """
    if is_oblique(vector):
        p, q = sorted(map(abs, vector))
        return (p, q)
    return (max(map(abs, vector)),)


def run_leg(vectors: Sequence[Vector], steps: Sequence[int]) -> SimpleLeg:
    """A run over empty squares, of one of these lengths; none for any length.

    >>> last_leg_phrase(run_leg([(1, 0), (-1, 0)], [3])), last_leg_phrase(run_leg([(0, 1)], [2, 1]))
    ('go exactly three squares sideways without jumping', \
'slide up to two squares straight forward')
    """
    lengths = tuple(sorted(steps))
    if len(lengths) == 1 and lengths != (1,):
        return leap_leg(vectors, lengths[0])._replace(between="empty")
    return SimpleLeg((1,), tuple(vectors), lengths)


def leap_leg(vectors: Sequence[Vector], length: int) -> SimpleLeg:
    """A leap of so many squares straight.

    >>> last_leg_phrase(leap_leg([(1, 0), (-1, 0)], 3))
    'leap three squares sideways'
    """
    if length == 1:
        return SimpleLeg((1,), tuple(vectors))
    return SimpleLeg((length,), tuple((x * length, y * length) for x, y in vectors))


@lru_cache(maxsize=1024)
def last_leg_phrase(leg: SimpleLeg) -> str:
    """A leaf in words, from its verb on, as one that ends the move."""
    final = "" if leg.through else ENDING_PHRASE
    return _merge_without_phrases(
        f"{_verb_distance_and_direction(leg)}{''.join(leg.manner)}{HOP_PHRASES[leg.hop]}{landing_phrase(leg.land)}{final}"
    )


@lru_cache(maxsize=1024)
def intermediate_leg_phrase(leg: SimpleLeg) -> str:
    """A leaf in words, from its verb on, as one the way goes on from."""
    core, place = _verb_distance_and_direction(leg), passage_phrase(leg.through)
    apart = "," in core or "without" in core or not place.startswith("to ")
    return f"{core}{',' if apart else ''} {place}{''.join(leg.manner)}"


def _verb_distance_and_direction(leg: SimpleLeg) -> str:
    """Verb, distance and direction."""
    if leg.whole_phrase:
        return leg.whole_phrase
    return _oblique_phrase(leg) if len(leg.size) > 1 else _straight_leg_phrase(leg)


@lru_cache(maxsize=1024)
def single_leg_move_phrase(leg: SimpleLeg) -> str:
    """A leaf that is a part of its own; one that only captures is put that way round.

    >>> single_leg_move_phrase(SimpleLeg((1,), ((0, 1),),
    ...  land=frozenset({"enemy", "royal", "passer"})))
    'capture by stepping one square straight forward, en passant too'
    """
    if not leg.land or "empty" in leg.land:
        return last_leg_phrase(leg)
    taken, aside = pieces_phrase(leg.land), "passer" in leg.land
    moving = words.gerund(last_leg_phrase(leg._replace(land=MOVE_OR_CAPTURE_ENDS)))
    if not taken:
        return f"capture en passant by {moving}"
    whom = "" if taken == ENEMY_PHRASE else f" {taken}"
    return f"capture{whom} by {moving}{_also_en_passant(whom) if aside else ''}"


def _also_en_passant(whom: str) -> str:
    """En passant it takes any enemy, which must be said where its other captures are of some."""
    return ", or any enemy en passant" if whom else ", en passant too"


def pieces_phrase(kinds: Collection[str], *, many: bool = False) -> str:
    """Friends, enemies and royal enemies as those of whom it is true.

    >>> (pieces_phrase({"enemy", "royal"}), pieces_phrase({"friend", "enemy"}),
    ...  pieces_phrase({"royal"}, many=True))
    ('an enemy', 'a friend or an enemy that is not royal', 'enemy royal pieces')
    """
    result = ["a friend"] if "friend" in kinds else []
    if "enemy" in kinds:
        result.append(ENEMY_PHRASE if "royal" in kinds else "an enemy that is not royal")
    elif "royal" in kinds:
        result.append("an enemy royal piece")
    return join_words([PLURALS[each] for each in result] if many else result)


def _merge_without_phrases(text: str) -> str:
    text = text.replace(" ,", ",")
    return text.replace(" without jumping without capturing", " without jumping or capturing")


def remove_without_jumping(text: str, manners: Iterable[str]) -> str:
    """The words of legs that jump in these manners, though by themselves they would not.

    >>> remove_without_jumping("go exactly two squares sideways without jumping", ["able to jump"])
    'go exactly two squares sideways'
    """
    return text.replace(" without jumping", "") if may_pass_pieces(manners) else text


def may_pass_pieces(manners: Iterable[str]) -> bool:
    """Whether a way that goes in these manners may pass pieces, by jumping or by capturing them."""
    return any(manner.startswith(("able to jump", "capturing every")) for manner in manners)


def _straight_leg_phrase(leg: SimpleLeg) -> str:
    (size,) = leg.size
    unit = size == 1 and not leg.reach
    everywhere = (
        "in any direction"
        if unit and _allows_every_length_up_to_longest(leg.steps)
        else "orthogonally or diagonally"
    )
    where = (
        words.direction_words(leg.compass_directions, everywhere)
        if leg.where is None
        else leg.where
    )
    where = where and f" {where}"
    if leg.reach:
        return f"{_verb_of(leg)}{where} {leg.reach}"
    manners = (manner.removeprefix(", ") for manner in leg.manner)
    unjumping = "" if may_pass_pieces(manners) else " without jumping"
    if size == 1:
        short = _allows_every_length_up_to_longest(leg.steps)
        return f"{_run_verb_and_distance(leg.steps)}{where}{'' if short else unjumping}"
    lame = leg.between == "empty"
    exactly = "exactly " if lame else ""
    skipped = unjumping if lame else _condition_of_skipped_squares_phrase(leg.between, size - 1)
    start = f"{_verb_of(leg)} {exactly}{words.squares_words(size)}{where}"
    return f"{start}{repeats_in_line_phrase(leg.steps)}{skipped}"


def _allows_every_length_up_to_longest(steps: tuple[int, ...]) -> bool:
    return steps == tuple(range(1, len(steps) + 1))


def _verb_of(leg: SimpleLeg) -> str:
    if leg.size == (1,):
        return "slide"
    return "go" if leg.between == "empty" else "leap"


def _run_verb_and_distance(steps: tuple[int, ...]) -> str:
    """A run over single squares."""
    if not steps:
        return "slide any distance"
    if steps == (1,):
        return "step one square"
    if _allows_every_length_up_to_longest(steps):
        return f"slide up to {words.squares_words(len(steps))}"
    return f"go exactly {join_words([words.number_word(step) for step in steps])} squares"


def _condition_of_skipped_squares_phrase(between: Between, count: int) -> str:
    """What must stand on the squares a straight leap skips."""
    if between == "anything":
        return ""
    if count == 1:
        return ", but only over an occupied square"
    return f", but only if {words.number_word(count)} occupied squares lie in between"


def _oblique_phrase(leg: SimpleLeg) -> str:
    p, q = leg.size
    where = words.leap_words(p, q, leg.vectors) if leg.where is None else leg.where
    reach = f" {leg.reach}" if leg.reach else repeats_in_line_phrase(leg.steps)
    start = f"{_verb_of(leg)} {where}{reach}"
    if leg.between == "anything":
        return start
    way = (
        f", first {words.squares_words(q - p)} orthogonally, then {words.number_word(p)} diagonally"
    )
    needed = "empty squares" if leg.between == "empty" else "occupied squares"
    return f"{start}{way}, passing over {needed} only"


def direction_phrase(leg: SimpleLeg) -> str:
    """The directions of a leaf, as such."""
    if len(leg.size) > 1:
        p, q = leg.size
        return words.leap_words(p, q, leg.vectors)
    return words.direction_words(leg.compass_directions)


def repeats_in_line_phrase(steps: tuple[int, ...]) -> str:
    """How often a leap is made, straight on.

    >>> repeats_in_line_phrase((1, 2)), repeats_in_line_phrase(()), repeats_in_line_phrase((2, 4))
    (' once or twice in the same direction', ' any number of times in the same direction', \
' exactly two or four times in the same direction')
    """
    if steps == (1,):
        return ""
    return f" {frequency_phrase(steps)} in the same direction"


def frequency_phrase(steps: Collection[int]) -> str:
    """How often something is done, no numbers meaning any number of times."""
    counts = sorted(steps)
    if not counts:
        return "any number of times"
    if counts == [1, 2]:
        return "once or twice"
    if len(counts) == 1:
        return {1: "exactly once", 2: "exactly twice"}.get(
            counts[0], f"exactly {words.number_word(counts[0])} times"
        )
    if counts == list(range(1, len(counts) + 1)):
        return f"up to {words.number_word(len(counts))} times"
    return f"exactly {join_words([words.number_word(count) for count in counts])} times"


def landing_phrase(ends: AbstractSet[End]) -> str:
    """What a move may end on, as a phrase after the move.

    >>> (landing_phrase(MOVE_OR_CAPTURE_ENDS), landing_phrase({"empty"}),
    ...  landing_phrase({"enemy", "royal", "friend"}))
    ('', ' without capturing', ', only to capture a friend or an enemy')
    >>> landing_phrase({"away"})
    ' without capturing, never ending on the square it started from'
    """
    if "away" in ends:
        return landing_phrase({"empty", *ends} - {"away"}) + NEVER_BACK_TO_START_PHRASE
    taken, aside = pieces_phrase(ends), "en passant" if "passer" in ends else ""
    if "empty" not in ends:
        return _capture_only_phrase(taken, aside)
    if not taken:
        return f" without capturing except {aside}" if aside else " without capturing"
    if taken == ENEMY_PHRASE:
        return ", capturing en passant too" if aside else ""
    if "enemy" in ends and "royal" in ends:
        also = f", and {aside} too" if aside else ""
        return f", able to capture friends as well as enemies{also}"
    also = f", and any enemy {aside}" if aside else ""
    return f", able to capture only {taken}{also}"


def _capture_only_phrase(captured_pieces: str, ep_phrase: str) -> str:
    if not captured_pieces:
        return f", only to capture {ep_phrase}" if ep_phrase else ", without ever ending there"
    enemy = "" if captured_pieces == ENEMY_PHRASE else f" {captured_pieces}"
    return f", only to capture{enemy}{_also_en_passant(enemy) if ep_phrase else ''}"


def passage_phrase(passages: Collection[Passage], *, leaving: bool = False) -> str:
    """What must be on the square where a leg ends for the way to go on.

    ``leaving``: said of the way on from that square instead of the way to it.

    >>> passage_phrase(EMPTY_PASSAGE)
    'to an empty square'
    >>> passage_phrase({"empty", "take-enemy", "take-royal"}, leaving=True)
    'from an empty square or having captured an enemy there'
    """
    result: list[str] = []
    hurdles = _piece_kinds_with_action(passages, "hop-")
    passed = _piece_kinds_with_action(passages, "pass-")
    if ANY_SQUARE.intersection(passages):
        result.append(f"{'from' if leaving else 'to'} {_passable_square_phrase(passages, passed)}")
    elif passed:
        result.append(f"past {_any_piece_phrase(passed)} there")
    if hurdles:
        result.append(f"passing over {_any_piece_phrase(hurdles)} there")
    taken = _piece_kinds_with_action(passages, "take-")
    whom = [pieces_phrase(taken), "en passant" if "passer" in taken else ""]
    result += [
        f"{'having captured' if leaving else 'capturing'} {each} there" for each in whom if each
    ]
    return join_words(result) or f"{'from' if leaving else 'to'} no square at all"


def _passable_square_phrase(passages: Collection[Passage], passed: Collection[str]) -> str:
    """A square that may be empty."""
    if ALL_PIECE_KINDS.issubset(passed):
        square = "any square, empty or occupied"
    elif passed:
        square = f"a square that is empty or holds {pieces_phrase(passed)}"
    else:
        square = "an empty square"
    return square if "empty" in passages else f"{square} other than {START_SQUARE_PHRASE}"


def _any_piece_phrase(kinds: Collection[str]) -> str:
    return "a piece" if ALL_PIECE_KINDS.issubset(kinds) else pieces_phrase(kinds)


def _piece_kinds_with_action(passages: Iterable[Passage], action_prefix: str) -> list[str]:
    return [each.removeprefix(action_prefix) for each in passages if each.startswith(action_prefix)]


def run_passage_phrase(passages: Collection[Passage]) -> str:
    """What may stand on the squares of a run before its last, unless they must be empty.

    >>> run_passage_phrase({"empty", "take-enemy", "take-royal"})
    ', its way leading over empty squares or enemies that it captures'
    """
    if set(passages) == EMPTY_PASSAGE:
        return ""
    if set(passages) == {"away"}:
        return NEVER_OVER_START_PHRASE
    result = ["empty squares"] if "empty" in passages else []
    if not result and "away" in passages:
        result.append(f"empty squares other than {START_SQUARE_PHRASE}")
    result.append(pieces_phrase(_piece_kinds_with_action(passages, "pass-"), many=True))
    hurdles = _piece_kinds_with_action(passages, "hop-")
    taken = _piece_kinds_with_action(passages, "take-")
    result += [f"{pieces_phrase(hurdles, many=True)} as hurdles"] if hurdles else []
    whom = [pieces_phrase(taken, many=True), "some en passant" if "passer" in taken else ""]
    result += [f"{each} that it captures" for each in whom if each]
    return f", its way leading over {join_words([each for each in result if each]) or 'nothing'}"

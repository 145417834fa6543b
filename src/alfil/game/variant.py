"""A variant as plain data: board, rules, piece types, starting position.

Ranks are counted from the owner's back rank, from 1. Squares are (file, rank) from 0 at the left
end of the first player's back rank. The first side sits at the bottom and moves first; the names
"black" and "white" are only what the two sides are called.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias

from alfil.errors import require_type
from alfil.frozen_dataclasses import NamedTuple, dataclass
from alfil.game.rule_table import RULES
from alfil.meaning.automaton import ON_TRAIL, TAKE_TRAIL
from alfil.meaning.piece_meaning import Guard, Meaning, any_move_has_bits
from alfil.squares import CoordinateSystem, Square

FIRST, SECOND = 0, 1
# Where something holds: the first and the last rank, counted from the owner, or the name of a
# region.
Area: TypeAlias = tuple[int, int] | str
# Names of regions that mean something: the promotion zone, where walls are built, and where pieces
# are dropped until it is full.
ZONE_REGION = "promotion"
WALLS_REGION = "walls"
OPENING_REGION = "opening"

# The words that some rules have.
WinForm: TypeAlias = Literal["mate", "royal-capture", "goal", "checks", "bare"]
RepetitionResult: TypeAlias = Literal["draw", "loss-first", "loss-repeater"]
DrawOddsForm: TypeAlias = Literal["none", "first", "second", "points"]


class Win(NamedTuple):
    """One way to win; ``times`` is the number of checks of "checks"."""

    how: WinForm
    times: int = 0


class Region(NamedTuple):
    """Squares with a name, those of the first player and those of the second."""

    name: str
    squares: tuple[frozenset[Square], frozenset[Square]]


class PieceRestrictions(NamedTuple):
    """The restrictions on a piece from its file: regions and other pieces.

    Without a board there are 0 files. ``begun`` are the squares on which such a piece of the first
    side begins. ``blocking`` are the names of pieces that it neither passes nor captures,
    ``immune`` of those that it may not capture, ``not_jumped`` of those that it neither jumps over
    nor captures by a jump, ``partners`` of those it castles with, to the files that its line names.
    """

    files: int
    ranks: int
    zone: int
    coordinates: CoordinateSystem
    regions: tuple[Region, ...]
    begun: tuple[Square, ...]
    blocking: tuple[str, ...]
    immune: tuple[str, ...]
    not_jumped: tuple[str, ...]
    partners: tuple[str, ...]


class Goal(NamedTuple):
    """A piece of this code in this area wins."""

    code: str
    area: Area


class Contagion(NamedTuple):
    """What captures a piece of one code becomes one of another, royal pieces aside."""

    captured: str
    becomes: str


class Repetition(NamedTuple):
    """The result of the ``times``-th occurrence of a position.

    "loss-first": the side that moved first in the game loses. "loss-repeater": the side whose move
    made the repetition loses.
    """

    times: int
    result: RepetitionResult


class MoveLimit(NamedTuple):
    """A draw after ``moves`` moves of each side without capture, drop or move of ``codes``."""

    moves: int
    codes: tuple[str, ...] = ()


class Countdown(NamedTuple):
    """A side with ``left`` pieces or fewer, 0 for any number, must be mated in ``moves`` moves.

    That holds against a side with ``number`` pieces of this code, or any where it is empty. With 0
    moves there is no count.
    """

    left: int
    code: str
    number: int
    moves: int


class Extinction(NamedTuple):
    """The result when a side has ``left`` or fewer pieces of some types, hands included.

    ``what`` is "all", every piece it has, "each", any of the kinds that it began with, or codes.
    ``result`` is for the side whose pieces they are.
    """

    what: tuple[str, ...]
    result: Literal["loss", "win", "draw"]
    left: int = 0


class DrawOdds(NamedTuple):
    """The winner of a drawn game: nobody, one side, or the side with more points.

    ``points`` are what the first and the second side have beside those of their pieces.
    """

    how: DrawOddsForm = "none"
    points: tuple[float, float] = (0, 0)


class Impasse(NamedTuple):
    """How a deadlock of entered kings ends; ``points`` are those each side needs."""

    how: Literal["none", "agreement", "points"] = "none"
    points: tuple[int, int] = (0, 0)


class MatchLength(NamedTuple):
    """How a match is won: a single game, consecutive wins, or best of several."""

    how: Literal["single", "consecutive", "best-of"] = "single"
    games: int = 1


MATE = Win("mate")
NO_IMPASSE = Impasse()
NO_DRAW_ODDS = DrawOdds()
SINGLE_GAME = MatchLength()


class _StructuredRules:
    """The rules that are more than one of a few words, as they are unsaid.

    ``zone`` is the number of ranks of the promotion zone at the far end, 0 where there is none or a
    region gives it.
    """

    zone: int = 0
    win: tuple[Win, ...] = (MATE,)
    no_exchange: tuple[str, ...] = ()
    no_exchange_minor: tuple[str, ...] = ()
    captures_unprotected: tuple[str, ...] = ()
    contagion: tuple[Contagion, ...] = ()
    bare_minor: tuple[str, ...] = ()
    goal: Goal | None = None
    extinction: Extinction | None = None
    draw_odds: DrawOdds = NO_DRAW_ODDS
    move_limit: MoveLimit | None = None
    countdown: tuple[Countdown, ...] = ()
    countdown_without: tuple[str, ...] = ()
    repetition: Repetition | None = None
    impasse: Impasse = NO_IMPASSE
    match: MatchLength = SINGLE_GAME


class _DerivedRules:
    """What follows from the rules of a game."""

    __slots__ = ()

    first: str
    colours: str

    @property
    def coordinates(self) -> CoordinateSystem:
        """How squares are named: as in chess where the first side is white."""
        return "chess" if self.first == "white" else "shogi"

    @property
    def side_names(self) -> tuple[str, str]:
        """What the two sides are called: by the colours of their pieces, else white and black."""
        if self.colours != "auto":
            first, _, second = self.colours.partition("-")
            return first, second
        return ("black", "white") if self.first == "black" else ("white", "black")

    @property
    def side_letters(self) -> tuple[str, str]:
        """What texts call the two sides: "b" and "w", the first side first."""
        return ("b", "w") if self.first == "black" else ("w", "b")


if TYPE_CHECKING:
    from collections.abc import Iterable

    class Rules(_StructuredRules, _DerivedRules):
        """The rules of a game beyond how its pieces move."""

        __dataclass_fields__: ClassVar[dict[str, Any]]

        def __init__(self, **values: object) -> None: ...

        def __getattr__(self, name: str) -> str:
            """The word that holds of a rule of few words."""

else:

    def _written() -> dict[str, Any]:
        """The rules of the table as the text of a class would have them."""
        own = _StructuredRules.__annotations__
        fields = {rule.field_name: own.get(rule.field_name, "str") for rule in RULES}
        usual = {
            rule.field_name: getattr(_StructuredRules, rule.field_name)
            if rule.field_name in own
            else rule.values[0]
            for rule in RULES
        }
        about = "The rules of a game beyond how its pieces move; unsaid, a game of plain capture."
        names = {"__doc__": about, "__module__": __name__, "__annotations__": fields}
        return {**names, **usual}

    Rules = dataclass(frozen=True, slots=True)(type("Rules", (_DerivedRules,), _written()))


def without_ineffective_rules(rules: Rules, blasts: Iterable[str]) -> Rules:
    """The rules without those that say more of another one that does not hold, or never come.

    ``blasts`` are those of `contagion_may_come`.
    """
    usual, wins = Rules(), {win.how for win in rules.win}
    baring, repeated = "bare" in wins, rules.repetition is not None
    matters = {
        "goal": "goal" in wins,
        "goal_wins": "goal" in wins,
        "bare": baring,
        "bare_minor": baring and rules.bare == "unanswered",
        "no_exchange_minor": bool(rules.no_exchange),
        "contagion": contagion_may_come(rules, blasts),
        "countdown_from": bool(rules.countdown),
        "countdown_without": bool(rules.countdown),
        "perpetual_check": repeated,
        "perpetual_chase": repeated,
        "perpetual_attack": repeated,
        "perpetual_span": repeated,
    }
    idle = {name: getattr(usual, name) for name, holds in matters.items() if not holds}
    return replace(rules, **idle)


def can_be_mated(rules: Rules) -> bool:
    """Whether a side in check that has no legal move is mated."""
    barred = rules.self_check == "barred"
    return any(w.how == "mate" or (w.how == "royal-capture" and barred) for w in rules.win)


def contagion_may_come(rules: Rules, blasts: Iterable[str]) -> bool:
    """Whether a piece may catch anything, by the ``blast`` of those that are not royal.

    What explodes with what it captures becomes nothing else.
    """
    return bool(rules.contagion) and (rules.explosion != "captures" or "never" in blasts)


class HasMeaning(Protocol):
    """Anything with a `Meaning`, such as a parsed piece."""

    @property
    def meaning(self) -> Meaning:
        """What it amounts to; raises `MeaningError` where it has no moves."""


class RegionMoves(NamedTuple):
    """Additional moves of a piece from one region to another.

    None is everywhere. With ``unchecked`` they are made only while their side is not in check.
    """

    piece: HasMeaning
    start: Area | None = None
    end: Area | None = None
    unchecked: bool = False


@dataclass(frozen=True)
class PieceType:
    """One kind of piece in a game, and how it moves.

    ``letter`` is what stands for it in position texts (a promoted kind: "+" and the letter of its
    base, or a letter of its own); several letters stand in brackets. ``promotes`` are the codes it
    may become; ``promotion`` says whether it must, or does so with a move of its own.
    ``drop_ranks`` are the first and last rank it may be dropped on, None for nowhere; the default
    reaches over every board. ``per_file`` is the most of one side on a file, 0 for no limit,
    ``per_file_on`` the acts that must respect it.
    ``base`` is the code a captured piece turns back to, its own where nothing promotes to it.
    ``per_side`` is the most of one side on the board to which others may promote, ``per_colour``
    the most that are dropped on squares of one colour, 0 for no limit. ``kanji`` are the characters
    drawn on the piece, ``symbol`` what is drawn where there are none, in place of the code.

    ``side`` is whose pieces are of this kind; kinds of different sides may have one letter.
    ``mates`` says whether its checks make a mate count (src/alfil/engine/results.c).
    ``blast`` says which explosions take it, all, only those of its own captures, or none. With
    ``petrifies`` it turns to stone when it captures. ``immune_to`` are the codes of the pieces that
    cannot capture it.

    ``points`` are what it counts where pieces are counted, None for what its moves make it. What it
    attacks is chased where it ``chases``, and it is chased itself ``chased_in`` an area only (see
    src/alfil/engine/chases.c).
    ``value`` is what it is worth to an opponent, in a unit of the file, ``hand_value`` the same in
    hand; None where that is not known.
    ``within`` is where it may stand, ``outside`` where it may not, ``drop_in`` where it may be put
    down, ``promotes_in`` its own promotion zone; None where nothing is said. ``blocked_by`` are the
    codes of pieces that it neither passes nor captures, ``no_jump_over`` of those that it neither
    jumps over nor captures after a jump, ``further`` the moves that it has on some
    squares only. ``castles_with`` are the codes of the pieces with which it castles, empty for all;
    with ``castles_to``, the files it goes to, the same for both sides, it does so wherever they
    stand, else where its movement says. Where it ``gates``,
    its first move may leave a piece from the hand on the square that it leaves.
    """

    code: str
    name: str
    piece: HasMeaning
    letter: str = ""
    base: str = ""
    royal: bool = False
    promotes: tuple[str, ...] = ()
    promotion: Literal["optional", "forced", "stuck", "apart"] = "optional"
    drop_ranks: tuple[int, int] | None = (1, 36)
    drop_check: Literal["free", "required", "barred"] = "free"
    drop_mate: Literal["allowed", "barred"] = "allowed"
    per_file: int = 0
    per_side: int = 0
    per_colour: int = 0
    per_file_on: frozenset[Literal["drop", "move"]] = frozenset({"drop"})
    side: Literal["both", "first", "second"] = "both"
    mates: Literal["yes", "drawn", "never"] = "yes"
    blast: Literal["always", "capturing", "never"] = "always"
    petrifies: bool = False
    gates: bool = False
    castles_with: tuple[str, ...] = ()
    castles_to: tuple[int, int] | None = None
    immune_to: tuple[str, ...] = ()
    points: int | None = None
    value: float | None = None
    hand_value: float | None = None
    chases: Literal["yes", "no"] = "yes"
    chased_in: Area | None = None
    status: Literal["given", "reconstructed", "deduced", "user"] = "given"
    note: str = ""
    kanji: str = ""
    symbol: str = ""
    within: Area | None = None
    outside: Area | None = None
    drop_in: Area | None = None
    promotes_in: Area | None = None
    blocked_by: tuple[str, ...] = ()
    no_jump_over: tuple[str, ...] = ()
    further: tuple[RegionMoves, ...] = ()

    @property
    def text_symbol(self) -> str:
        """What stands for it in position texts: its letter, or several in brackets."""
        return self.letter if len(self.letter.removeprefix("+")) == 1 else f"[{self.letter}]"

    @property
    def meaning(self) -> Meaning:
        """The meaning of its general moves, without regional ones."""
        return self.piece.meaning

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """What its moves amount to, and those that it has on some squares only."""
        return (self.meaning, *(each.piece.meaning for each in self.further))

    @property
    def areas(self) -> tuple[Area | None, ...]:
        """All areas that it names, None for those that it does not."""
        own = (self.chased_in, self.within, self.outside, self.drop_in, self.promotes_in)
        return (*own, *(area for each in self.further for area in (each.start, each.end)))

    @property
    def guards(self) -> tuple[Guard, ...]:
        """The conditions of all parts of its moves."""
        return tuple(part.guard for meaning in self.meanings for part in meaning.parts)

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides that have such pieces."""
        return {"both": (FIRST, SECOND), "first": (FIRST,), "second": (SECOND,)}[self.side]

    @property
    def status_note(self) -> str:
        """The remark to show with the piece: its note, or the status of its move."""
        return self.note or ("" if self.status == "given" else self.status)


class StartingPiece(NamedTuple):
    """One piece of the starting position."""

    square: Square
    side: int
    code: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A game ready to be played.

    ``hands`` are, for the first and the second side, the codes in hand at the start with their
    counts, in the order the file gives them. ``walls`` are squares that are none of the board.
    ``moves`` are the movement texts by code, as "betza:Q3"; a record keeps them to be sure it is
    replayed under the same moves.
    """

    name: str
    title: str
    files: int
    ranks: int
    rules: Rules
    kinds: tuple[PieceType, ...]
    setup: tuple[StartingPiece, ...] = ()
    walls: frozenset[Square] = frozenset()
    hands: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())
    moves: tuple[tuple[str, str], ...] = field(default=())
    regions: tuple[Region, ...] = ()

    def __repr__(self) -> str:
        return f"<Variant {self.name}: {self.files}×{self.ranks}, {len(self.kinds)} kinds>"

    @property
    def has_hands(self) -> bool:
        """Whether anything can ever be in hand."""
        rules = self.rules
        return rules.captured == "to-hand" or rules.drops == "yes" or any(self.hands)

    @property
    def en_passant(self) -> bool:
        """Whether some piece may be captured en passant, and some piece captures so."""
        conditions = {each.kind for kind in self.kinds for guard in kind.guards for each in guard}
        meanings = (each for kind in self.kinds for each in kind.meanings)
        return "trail" in conditions and any_move_has_bits(meanings, ON_TRAIL, TAKE_TRAIL)

    def droppable(self, kind: PieceType) -> bool:
        """Whether a piece of this kind can ever be put down from a hand as it is."""
        require_type(kind, PieceType, "what is dropped is a PieceType")
        rules = self.rules
        as_it_is = rules.drop_form == "either" or rules.captured_form == "as-is"
        return as_it_is or kind.base == kind.code

    def squares(self, area: Area, side: int) -> frozenset[Square]:
        """The squares of an area of one side; KeyError where no region has the name."""
        require_type(area, (str, tuple), "an area is the name of a region, or two ranks")
        if not isinstance(area, str) and [*map(type, area)] != [int, int]:
            raise TypeError(f"an area is two ranks, not {area!r:.60}")
        if side not in (0, 1):
            raise ValueError(f"a side is 0 or 1, not {side!r:.60}")
        return region_squares(area, side, (self.files, self.ranks), self.rules.zone, self.regions)

    def kind(self, code: str) -> PieceType:
        """The kind with this code; KeyError when there is none."""
        for kind in self.kinds:
            if kind.code == code:
                return kind
        raise KeyError(code)


@lru_cache(maxsize=256)
def region_squares(
    area: Area, side: int, board: tuple[int, int], zone: int, regions: tuple[Region, ...]
) -> frozenset[Square]:
    """The squares of an area of one side, on a board of so many files and ranks.

    ``zone`` is how many ranks the promotion zone has. Raises KeyError where no region has the name.
    """
    files, ranks = board
    for region in regions:
        if region.name == area:
            return region.squares[side]
    if area == ZONE_REGION:
        area = (ranks + 1 - zone, ranks)
    if isinstance(area, str):
        raise KeyError(area)
    first, last = max(area[0], 1) - 1, min(area[1], ranks) - 1
    low, high = (ranks - 1 - last, ranks - 1 - first) if side else (first, last)
    return frozenset((x, y) for x in range(files) for y in range(low, high + 1))

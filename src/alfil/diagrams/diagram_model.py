"""What pictures are of, as plain data: one piece, a board of a game, or a sheet of pieces.

The diagram of a piece has for every square how a move may end on it and what it passes on its way
(`alfil.diagrams.square_marks` finds that), the lines along which the piece goes
(`alfil.diagrams.move_lines`), and the words around.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum
from functools import lru_cache
from itertools import count, islice
from math import gcd
from typing import Literal, TypeAlias
from zlib import crc32

from alfil.bit_grid import Grid, grid_of
from alfil.frozen_dataclasses import NamedTuple, cached_property, dataclass
from alfil.meaning.piece_meaning import Condition, Fact, Guard, Meaning, ranks_in_own_half
from alfil.source import display_width, excerpt, printable
from alfil.squares import CoordinateSystem, axis_labels, square_name_on

Offset: TypeAlias = tuple[int, int]

# A square of a board: (file, rank) from 0 at the first side's lower left corner.
Square: TypeAlias = tuple[int, int]

# Longer names and notations are cut, so that a picture stays a picture.
MAX_LABEL_LENGTH = 60
MAX_NOTATION_LENGTH = 200
# What is said of a piece is cut only where it is longer than anybody reads.
MAX_DESCRIPTION_LENGTH = 4_000


def shortened_with_digest(text: str) -> str:
    """What is said of a piece, on one line; if too long, it is cut and ends in a digest of all.

    So pieces that move differently have different words however long these are.

    >>> shortened_with_digest("Steps."), shortened_with_digest("a" * 9_999)[-11:]
    ('Steps.', 'a… 18009ee8')
    >>> shortened_with_digest("a" * 9_998)[-11:]
    'a… b8b3ef90'
    """
    whole = printable(text.strip())
    if max(len(whole), display_width(whole)) <= MAX_DESCRIPTION_LENGTH:
        return whole
    line = excerpt(text, MAX_DESCRIPTION_LENGTH)
    return f"{line} {crc32(text.encode('utf-8', 'surrogatepass')):08x}"


class EndFlags:
    """Bits: the ways a move may end. ROYAL: only a royal enemy may be captured there.

    VICTIM, OWN_VICTIM and HOME are said of squares beyond a window alone: a piece is captured
    there, and the move ends elsewhere; the move comes back to where it began.
    """

    MOVE = 1
    CAPTURE = 2
    ROYAL = 4
    OWN = 8
    EN_PASSANT = 16
    VICTIM = 32
    OWN_VICTIM = 64
    HOME = 128


class PathConditionFlags:
    """Bits: what a way asks of the squares before its last one.

    LEAP: some are skipped, whatever stands there. CLEAR: some must be empty. HURDLE: on some a
    piece must stand and stays. LOCUST: on some a piece is captured. NEXT: the way ends with the
    first step after that, and could not go on.
    """

    LEAP = 1
    CLEAR = 2
    HURDLE = 4
    LOCUST = 8
    NEXT = 16


class PassageFlags:
    """Bits: what happens on a square that a way passes: it is empty, jumped over, captured on.

    BODY is no passing: a piece of several squares takes it up.
    """

    CLEAR = 1
    HURDLE = 2
    VICTIM = 4
    OWN_VICTIM = 8
    BODY = 16


class RemarkFlags:
    """Bits: what marks on squares cannot show.

    FARTHER: a leap from the start ends outside the window. TRAIL: the squares passed may be
    captured on en passant. GREEDY: some runs must go as far as they can. SPARES: some captures are
    of enemies that are not royal only. CHOOSY: some hops are not over every piece. PASSERS: pieces
    are captured en passant on the way. HALFWAY: on a board some runs end half the way to the edge.
    UNBOUNDED: areas bound the piece elsewhere that are not on this board.
    """

    WRAPS = 1
    FARTHER = 2
    TRAIL = 4
    GREEDY = 8
    SPARES = 16
    CHOOSY = 32
    PASSERS = 64
    HALFWAY = 128
    UNBOUNDED = 256


# What else stands on a square of a position; "trail": it can be captured on en passant.
Occupant: TypeAlias = Literal["enemy", "friend", "enemy_royal", "unmoved_friend", "trail"]


class Window(NamedTuple):
    """How many squares a diagram shows on each side of the piece.

    ``ranks`` is 0 for an open diagram, where moves go on beyond the edge; on a real board it is the
    number of ranks, and ``south`` is the rank of the piece counted from 0.
    """

    west: int
    east: int
    south: int
    north: int
    ranks: int = 0

    @property
    def width(self) -> int:
        """How many squares a row has."""
        return self.west + self.east + 1

    @property
    def height(self) -> int:
        """How many rows there are."""
        return self.south + self.north + 1

    @property
    def grid(self) -> Grid:
        """Its squares as bits."""
        return grid_of(self.width, self.height, self.west, self.south)

    def squares_allowed_by_guard(self, guard: Guard, grid: Grid) -> int:
        """The squares of a grid that a part under a guard may run over, as bits."""
        if self.ranks and any(condition.kind == "middle" for condition in guard):
            return (1 << self.width * ranks_in_own_half(self.ranks)) - 1
        castling = next((each for each in guard if each.kind == "castle"), None)
        return (
            self._sides_with_castling_partner(castling, grid)
            if self.ranks and castling
            else grid.all
        )

    def _sides_with_castling_partner(self, castling: Condition, grid: Grid) -> int:
        """The squares of a real board on the sides where a partner stands far enough away."""
        far = castling.value + castling.inset
        west, east = (side if side > far else 0 for side in (self.west, self.east))
        row = (1 << west + 1 + east) - 1 << grid.west - west
        return sum(row << grid.width * rank for rank in range(grid.height))

    def reduced_for_large_piece(self, files: int, ranks: int) -> Window:
        """A real board without so many files on the right and ranks far ahead; others as they are.

        That is where a piece of several squares can be by its near left one.
        """
        if not self.ranks:
            return self
        return self._replace(east=self.east - files, north=self.north - ranks)

    def wider(self, by: int) -> Window:
        """The window with so many squares more on each side."""
        west, east, south, north, ranks = self
        return Window(west + by, east + by, south + by, north + by, ranks)

    @lru_cache(maxsize=256)  # noqa: B019 - windows are few, and small
    def bits(self, grid: Grid) -> int:
        """Its squares as bits of a grid that is at least as wide."""
        row = (1 << self.width) - 1 << grid.west - self.west
        ranks = range(grid.south - self.south, grid.south + self.north + 1)
        return sum(row << grid.width * rank for rank in ranks)

    def square_index(self, at: Offset) -> int:
        """The number of a square, counted rank by rank from the near left corner."""
        return (at[1] + self.south) * self.width + at[0] + self.west

    def rows(self) -> list[list[Offset]]:
        """Its squares rank by rank, the far one first."""
        files, ranks = range(-self.west, self.east + 1), range(-self.south, self.north + 1)
        return [[(x, y) for x in files] for y in reversed(ranks)]

    def contains(self, offset: Offset) -> bool:
        """Whether an offset lies inside."""
        return -self.west <= offset[0] <= self.east and -self.south <= offset[1] <= self.north


def open_window(radius: int) -> Window:
    """The open window with the piece in the middle."""
    return Window(radius, radius, radius, radius)


def board_window(files: int, ranks: int, at: Offset) -> Window:
    """The window of a whole board with the piece on (file, rank), both from 0."""
    return Window(at[0], files - 1 - at[0], at[1], ranks - 1 - at[1], ranks)


class Arrival(NamedTuple):
    """One way to end on a square; ``guard`` holds the conditions of timing and castling."""

    ends: int
    conditions: int
    guard: Guard = ()


class Mark(NamedTuple):
    """All there is to show on one square; the simplest way comes first.

    ``timed`` has the bits of ``passed`` that are so only under conditions of timing, with these.
    """

    ways: tuple[Arrival, ...]
    passed: int = 0
    timed: tuple[tuple[int, Guard], ...] = ()

    def guards_of(self, passed: int) -> set[Guard]:
        """When some of this is passed, an empty condition for always; none where it never is."""
        if not self.passed & passed:
            return set()
        return {guard for bit, guard in self.timed if bit & passed} or {()}


class Continuation(NamedTuple):
    """A way to end, or to capture on the way, one bit of Ends, that there still is beyond a window.

    ``limit`` is how far from the piece the last square in this direction is, None where there is no
    end and where the way may turn.
    """

    way: Arrival
    limit: int | None


class Arrow(NamedTuple):
    """Moves go on beyond the window: ``at`` is just outside it, ``step`` the next step.

    ``limit`` is the farthest of the ways that go ``onward``. In a position nothing stands out
    there, so that moves just go on, and ``onward`` is empty.
    """

    at: Offset
    step: Offset
    limit: int | None = None
    onward: tuple[Continuation, ...] = ()


@dataclass(frozen=True)
class Marks:
    """A diagram before it has a form; squares by offset (dx, dy), (0, 0) for ending at home.

    ``exits`` are the `onward` ways by square and step, those of leaps from home included.
    ``facts_shown`` are facts that no square can show. ``standing`` has the other pieces, where the
    diagram is of one position. ``coordinates`` are those of a real board, ``regions`` the parts of
    it that the moves depend on, each with its name.
    """

    window: Window
    squares: Mapping[Offset, Mark]
    arrows: tuple[Arrow, ...]
    remarks: int
    standing: Mapping[Offset, Occupant] = field(default_factory=dict)
    coordinates: CoordinateSystem = "chess"
    facts_shown: tuple[Fact, ...] = ()
    exits: Mapping[tuple[Offset, Offset], tuple[Continuation, ...]] = field(default_factory=dict)
    regions: tuple[NamedRegion, ...] = ()

    @cached_property
    def region_squares(self) -> tuple[tuple[str, frozenset[Offset]], ...]:
        """The regions by name, their squares counted from the piece."""
        window = self.window
        return tuple(
            (each.name, frozenset((x - window.west, y - window.south) for x, y in each.both_sides))
            for each in self.regions
        )

    @cached_property
    def squares_by_mark(self) -> list[tuple[Mark, tuple[Offset, ...]]]:
        """The marks away from home, each with the squares it is on."""
        result: dict[int, tuple[Mark, list[Offset]]] = {}
        for at, mark in self.squares.items():
            if at == (0, 0):
                continue
            held = result.get(id(mark))
            if held is None:
                result[id(mark)] = (mark, [at])
            else:
                held[1].append(at)
        return [(mark, tuple(squares)) for mark, squares in result.values()]

    @cached_property
    def every_mark(self) -> list[Mark]:
        """The marks, each once, that of home last."""
        home = self.squares.get((0, 0))
        return [*(mark for mark, _ in self.squares_by_mark), *([home] if home else ())]

    @cached_property
    def footprint(self) -> tuple[Offset, ...]:
        """The squares that a piece of several takes up, its own first; empty for other pieces."""
        beside = [
            at
            for mark, squares in self.squares_by_mark
            if mark.passed & PassageFlags.BODY
            for at in squares
        ]
        return ((0, 0), *sorted(beside)) if beside else ()

    @cached_property
    def footprint_destinations(self) -> frozenset[Offset]:
        """The squares that some part of a piece of several may come to, without its own."""
        ends = [at for mark, squares in self.squares_by_mark if mark.ways for at in squares]
        result = {(x + dx, y + dy) for x, y in ends for dx, dy in self.footprint}
        return frozenset(filter(self.window.contains, result.difference(self.footprint)))

    def radius(self) -> int:
        """How far from the piece the farthest mark is."""
        return max((max(abs(x), abs(y)) for x, y in self.squares), default=0)


class LineKind(IntEnum):
    """How a line runs: over empty squares, over whatever stands there, over a hurdle, capturing."""

    PATH = 0
    JUMP = 1
    HOP = 2
    TAKE = 3


class Stroke(NamedTuple):
    """A straight line from square to square, ``steps`` steps long."""

    start: Offset
    step: Offset
    steps: int
    kind: LineKind

    @property
    def end(self) -> Offset:
        """The square it ends on."""
        return self.start[0] + self.steps * self.step[0], self.start[1] + self.steps * self.step[1]


class WindowExit(NamedTuple):
    """From this square the piece goes on beyond the window, by this step; as an `Arrow` says."""

    at: Offset
    step: Offset
    kind: LineKind
    limit: int | None = None
    onward: tuple[Continuation, ...] = ()


class Lines(NamedTuple):
    """All lines of a diagram; ``cut`` when those after the first turn were left out."""

    strokes: tuple[Stroke, ...]
    exits: tuple[WindowExit, ...]
    cut: bool = False

    def squares_crossed(self, window: Window) -> set[Offset]:
        """The squares whose middle a line begins on, ends on or runs over."""
        result: set[Offset] = set()
        runs = [(start, step, steps) for start, step, steps, _ in self.strokes]
        beyond = max(window.width, window.height)
        runs += [(each.at, each.step, beyond) for each in self.exits]
        for (x, y), (dx, dy), steps in runs:
            times = gcd(dx, dy)
            ux, uy = dx // times, dy // times
            result.update(islice(zip(count(x, ux), count(y, uy), strict=False), steps * times + 1))
        return result


NO_LINES = Lines((), ())


@dataclass(frozen=True)
class Diagram:
    """All that a format needs to draw one piece.

    ``meaning`` is what the marks were made from, for formats that show more than one position.
    ``label`` is what people call the piece, or empty; ``notation`` its notation. ``sentence`` says
    how it moves and stands in the picture; ``description`` says that and what the picture shows,
    for those who do not see it. ``token`` is SVG for the
    piece itself, around (0, 0) and about 36 units high, in place of the plain one. ``note`` is what
    must be said of the piece wherever it is shown, ``status`` how its move is known.
    """

    marks: Marks
    meaning: Meaning
    lines: Lines = NO_LINES
    notation: str = ""
    label: str = ""
    description: str = ""
    sentence: str = ""
    token: str = ""
    note: str = ""
    status: str = ""

    @property
    def label_and_notation(self) -> tuple[str, str]:
        """The name of the piece and its notation, as they may stand above a picture."""
        return excerpt(self.label, MAX_LABEL_LENGTH), excerpt(self.notation, MAX_NOTATION_LENGTH)

    @property
    def heading(self) -> str:
        """The title of the picture: the name of the piece and its notation; no moves have none."""
        return ": ".join(filter(None, self.label_and_notation)) or "a piece without moves"

    def words(self) -> str:
        """What it shows, for those who do not see it."""
        return self.description


Shape: TypeAlias = Literal["wedge", "disc", "figure"]
SHAPES: tuple[Shape, ...] = ("wedge", "disc", "figure")
SIDES = ("first", "second")


class PieceToken(NamedTuple):
    """What is known of a piece that can be seen on it."""

    code: str
    name: str = ""
    kanji: str = ""
    promoted: bool = False
    shape: Shape = "disc"
    symbol: str = ""
    colours: str = "auto"

    def kanji_of(self, side: int) -> str:
        """The characters on the piece of a side; ``/`` is between those of the two sides.

        >>> PieceToken("G", kanji="帥/將").kanji_of(1), PieceToken("K", kanji="王将").kanji_of(1)
        ('將', '王将')
        """
        first, _, second = self.kanji.partition("/")
        return (second if side else first) or self.kanji.replace("/", "")

    @property
    def inscription(self) -> str:
        """What is written on it besides its code; empty for a drawing from a file."""
        return self.kanji or ("" if self.symbol.startswith("svg ") else self.symbol)


class BoardPiece(NamedTuple):
    """A piece on a board: 0 is the first side, 1 the second.

    ``others`` are the squares that it takes up besides its own.
    """

    square: Square
    side: int
    token: PieceToken
    others: tuple[Square, ...] = ()


class HandPieceCount(NamedTuple):
    """So many pieces of one kind in a hand."""

    token: PieceToken
    number: int


class NamedRegion(NamedTuple):
    """Squares of a board with a name, those of the first player and those of the second."""

    name: str
    squares: tuple[frozenset[Square], frozenset[Square]]

    @property
    def both_sides(self) -> frozenset[Square]:
        """The squares of both sides."""
        return self.squares[0] | self.squares[1]


GroundKind: TypeAlias = Literal["squares", "wood", "points"]


class Ground(NamedTuple):
    """The ground of a board: its kind, and what is drawn on it.

    ``palaces`` have diagonals; a ``river`` runs after so many ranks, 0 for none; ``marked`` are
    points with ticks around them. ``zone`` is the number of ranks of the promotion zones, for the
    star points at their corners.
    """

    kind: GroundKind
    palaces: tuple[frozenset[Square], ...] = ()
    river: int = 0
    marked: tuple[Square, ...] = ()
    zone: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """A board of a game; shogi counts files from the right, chess has letters from the left.

    ``hands`` are those of the first and the second side. ``marked`` are the squares of the last
    move. ``turn`` is the side to move, None to leave it out. ``zone`` is the number of ranks of the
    promotion zones, for the dots at their corners. ``sides`` are what the sides are called.
    ``walls`` are squares that are none of the board, or are walled up, ``regions`` those that mean
    something to the rules.
    """

    files: int
    ranks: int
    pieces: tuple[BoardPiece, ...]
    hands: tuple[tuple[HandPieceCount, ...], tuple[HandPieceCount, ...]] = ((), ())
    marked: tuple[Square, ...] = ()
    coordinates: CoordinateSystem = "shogi"
    turn: int | None = None
    ground: Ground | None = None
    title: str = ""
    sides: tuple[str, str] = ("black", "white")
    walls: tuple[Square, ...] = ()
    regions: tuple[NamedRegion, ...] = ()

    @property
    def zone(self) -> int:
        """The number of ranks of the promotion zones."""
        return self.ground.zone if self.ground else 0

    @property
    def heading(self) -> str:
        """The title, or else what it is."""
        return self.title or f"{self.files}×{self.ranks} board"

    def name(self, square: Square) -> str:
        """What a square is called.

        >>> Board(9, 9, ()).name((4, 0)), Board(8, 8, (), coordinates="chess").name((4, 0))
        ('5i', 'e1')
        """
        return square_name_on(square, self.files, self.ranks, self.coordinates)

    def file_labels(self) -> list[str]:
        """The names of the files from left to right."""
        return axis_labels(self.files, self.ranks, self.coordinates)[0]

    def rank_labels(self) -> list[str]:
        """The names of the ranks from the top down."""
        return axis_labels(self.files, self.ranks, self.coordinates)[1][::-1]

    def words(self) -> str:
        """The whole board in words, for those who cannot see it.

        >>> Board(9, 9, (BoardPiece((4, 0), 0, PieceToken("K")),), turn=0).words()
        '9×9 board. black: K 5i. black to move.'
        """
        sentences = [f"{self.files}×{self.ranks} board."]
        for side, name in enumerate(self.sides):
            squares: dict[str, list[str]] = {}
            for each in self.pieces:
                if each.side == side:
                    squares.setdefault(each.token.code, []).append(self.name(each.square))
            parts = [f"{code} {' '.join(at)}" for code, at in squares.items()]
            hand = [
                held.token.code if held.number == 1 else f"{held.number} {held.token.code}"
                for held in self.hands[side]
            ]
            parts += [f"in hand {', '.join(hand)}"] if hand else []
            if parts:
                sentences.append(f"{name}: {'; '.join(parts)}.")
        if self.walls:
            sentences.append(f"Walls: {' '.join(map(self.name, self.walls))}.")
        sentences += map(self._region_in_words, self.regions)
        if self.marked:
            sentences.append(f"Last move: {' '.join(map(self.name, self.marked))}.")
        if self.turn is not None:
            sentences.append(f"{self.sides[self.turn]} to move.")
        return " ".join(sentences)

    def _region_in_words(self, region: NamedRegion) -> str:
        """A region in words, the squares of both sides apart where they differ."""
        sides = dict.fromkeys(region.squares)
        parts = (" ".join(map(self.name, sorted(squares))) for squares in sides)
        return f"Region {region.name}: {' and '.join(parts)}."


# So many characters of description can be listened to.
MAX_ALT_TEXT_LENGTH = 3_000
# A sheet of so many pieces may be called by them.
MAX_NAMED_CARDS = 3


class Card(NamedTuple):
    """One piece of a sheet.

    ``notations`` are its movement in every notation that can say it, each after the name of the
    notation. ``remarks`` are short facts, such as that it is royal; ``note`` is what the file says
    about it.
    """

    token: PieceToken
    diagram: Diagram
    notations: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()
    note: str = ""

    @property
    def name(self) -> str:
        """What the piece is called, its code where it has no name."""
        return self.token.name or self.token.code

    def words(self) -> str:
        """All that the card says, for those who do not see it."""
        written = "; ".join(text for _, text in self.notations)
        sentences = [f"{self.name} ({written}): {self.diagram.description}"]
        if self.remarks:
            sentences.append(f"{'; '.join(self.remarks).capitalize()}.")
        if self.note:
            sentences.append(f"Note: {self.note}")
        return " ".join(sentences)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pieces in groups that stay together: a piece, then what it promotes to.

    ``columns`` is how many pieces a row has room for, None for as many as look well.
    """

    title: str
    groups: tuple[tuple[Card, ...], ...]
    columns: int | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """All pieces in order."""
        return tuple(card for group in self.groups for card in group)

    @property
    def heading(self) -> str:
        """The title, and of few pieces what they are, with their notations."""
        pieces = "; ".join(card.diagram.heading for card in self.cards)
        if self.title and len(self.cards) > MAX_NAMED_CARDS:
            return self.title
        return f"{self.title}, {pieces}" if self.title else pieces

    def words(self) -> str:
        """What is on the sheet, for those who do not see it.

        All that the cards say is there too, unless they are too many to listen to.
        """
        names = ", ".join(" → ".join(card.name for card in group) for group in self.groups)
        number = len(self.cards)
        counted = "1 piece" if number == 1 else f"{number} pieces"
        sentences = [f"{counted}: {names}.", *(card.words() for card in self.cards)]
        whole = " ".join(sentences)
        return whole if len(whole) <= MAX_ALT_TEXT_LENGTH else sentences[0]


Subject: TypeAlias = Diagram | Board | Sheet

"""What each piece reaches from each square, as sets of squares in the bits of an int.

Everything is worked out when it is first asked for. What a piece that leaps or runs reaches depends
on the squares it looks at and is kept for every way they have been occupied. Where all pieces of a
game are such (`Reaches.swift`), check and pins can be read off the lines to a royal piece, and no
move has to be made to know whether it is legal. For other games there is what each branch of a
piece's table looks at, and where it may strike.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias, TypeVar

from alfil.game.plan import (
    DROPPED,
    MOVES_KEPT,
    SIDES,
    UNKNOWN,
    Act,
    Bounded,
    Patch,
    Plan,
    squares_in,
    uses_trail,
)
from alfil.meaning.automaton import (
    ENEMY,
    FRIEND,
    PAST_AWAY,
    PAST_EMPTY,
    ROYAL,
    TRAIL,
    VACANT,
    letters,
)
from alfil.meaning.piece import allows
from alfil.tables.scene import OUTSIDE, Offset
from alfil.tables.table import CLASS_BITS, CLASS_MASK, NO_TRACE, STEP_SHIFT, Section, Trie

PIECES = ENEMY | ROYAL | FRIEND
FREE = VACANT | TRAIL
# How a piece moves from a square; see `Reaches.manner`.
ROAMING, OVER = 1, 2
# These only say when a quiet move may be made, or what it leaves behind.
_QUIET_GUARDS = frozenset({"move", "every", "third-rank", "trail"})


class Strike(NamedTuple):
    """One way to capture: the offset of the square, and of those that must be empty."""

    offset: Offset
    between: tuple[Offset, ...]


class Lines(NamedTuple):
    """What is known of one piece of one side.

    ``strikes`` are its attacks. ``even`` is whether it captures as it moves, always and without
    leaving a trail; ``leaps`` then are the offsets it goes to if nothing is ever in its way, and
    None for a piece that runs.
    """

    strikes: tuple[Strike, ...]
    even: bool
    leaps: tuple[Offset, ...] | None


def lines_of(parts: tuple[Section, ...]) -> Lines | None:
    """The lines of a piece; None where they do not tell all there is to know."""
    strikes: dict[Offset, tuple[Offset, ...]] = {}
    quiet: dict[Offset, tuple[Offset, ...]] = {}
    plain = True
    for layout in parts:
        conditions = {condition.kind for condition in layout.guard}
        if layout.trie is None or not _is_simple(layout.trie):
            return None
        if conditions and not _is_quiet(conditions, layout.trie):
            return None
        if "castle" in conditions:
            continue
        plain = plain and not conditions
        for offset, between in _ends(layout.trie, ENEMY):
            if strikes.setdefault(offset, between) != between:
                return None
        for offset, between in _ends(layout.trie, VACANT):
            plain = plain and quiet.setdefault(offset, between) == between
    even = plain and strikes == quiet and not uses_trail(parts)
    leaps = tuple(strikes) if even and not any(strikes.values()) else None
    return Lines(tuple(Strike(*item) for item in strikes.items()), even, leaps)


def _is_quiet(conditions: Collection[str], trie: Trie) -> bool:
    """Whether a part under conditions captures nothing, and the conditions are well known."""
    known = set(conditions) <= _QUIET_GUARDS | {"castle"}
    return known and not any(word & ENEMY for word in trie.nodes)


def _is_simple(trie: Trie) -> bool:
    """Whether nothing is captured on the way, nothing hopped over, and no move ends at home."""
    if _strays(trie):
        return False
    for word in trie.nodes:
        emit, descend = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
        if emit & (FRIEND | OUTSIDE) or bool(emit & ENEMY) != bool(emit & ROYAL):
            return False
        if emit & VACANT and not emit & TRAIL:
            return False
        if descend and descend not in {FREE, FREE | PIECES}:
            return False
        if trie.steps[word >> STEP_SHIFT] == (0, 0):
            return False
    return not any(trace.captures for trace in trie.traces.values())


def _strays(trie: Trie) -> bool:
    """Whether a way goes over whatever stands on a square that may lie off its end's board."""
    over: list[tuple[int, Offset]] = []
    for node, word in enumerate(trie.nodes):
        while over and over[-1][0] <= node:
            over.pop()
        end = trie.steps[word >> STEP_SHIFT]
        if word & CLASS_MASK and any(
            not min(0, last) <= passed <= max(0, last)
            for _, at in over
            for passed, last in zip(at, end, strict=True)
        ):
            return True
        if word >> CLASS_BITS & CLASS_MASK == FREE | PIECES:
            over.append((trie.skips[node], end))
    return False


def _ends(trie: Trie, mask: int) -> Iterator[Strike]:
    """The ways of one trie to end on a square of a class."""
    path: list[tuple[int, Offset, bool]] = []
    for node, word in enumerate(trie.nodes):
        while path and path[-1][0] <= node:
            path.pop()
        offset = trie.steps[word >> STEP_SHIFT]
        if word & mask and not trie.traces.get(node, NO_TRACE).takes_trail:
            yield Strike(offset, tuple(sorted(at for _, at, empty in path if empty)))
        descend = word >> CLASS_BITS & CLASS_MASK
        if descend:
            path.append((trie.skips[node], offset, descend == FREE))


class Reach(NamedTuple):
    """Where a piece may go: squares free of pieces, and squares it could capture on.

    ``passing`` are free squares on which it could capture en passant. ``trailing`` are quiet moves
    that leave a trail: (square, squares of the trail), ``castles`` the ways to castle: (square,
    (files it goes, inset of its partner)).
    """

    quiet: int
    strikes: int
    passing: int
    trailing: tuple[tuple[int, tuple[int, ...]], ...]
    castles: tuple[tuple[int, tuple[int, int]], ...]


class Tried(NamedTuple):
    """What trying moves has told of other moves of the same position.

    ``left`` is by square whether a royal is open once that is left, and nothing stands anywhere
    else instead. ``ways`` are attacks on royals, each the squares that it depends on: those that
    stand as the board is, at -1, and those that stand once a square is left, by that square.
    """

    left: dict[int, bool]
    ways: dict[int, list[int]]


class Danger(NamedTuple):
    """What the other side does to the royals of the side to move.

    ``near`` are the enemy pieces that matter to a royal read off lines. ``checkers`` is the set of
    those that give check, of all squares where only that is known. ``targets`` are the squares
    other pieces may go to: all without a check, those that end a single one. ``pins`` are, by
    square, where a pinned piece may go. A move that changes one of the squares in ``marks`` must be
    tried; ``read`` is whether all others are judged by what lines tell. ``tried`` is for trying
    (`alfil.game.rules.exposes`), None where something may attack over a piece.
    """

    near: list[int]
    checkers: int
    targets: int
    pins: dict[int, int]
    marks: int
    read: bool = True
    tried: Tried | None = None


def holding(plan: Plan, piece: int, square: int, made: int, turn: int | None = None) -> list[Patch]:
    """The parts of a piece's moves whose conditions on its past, and the turn of its side, hold."""
    count = None if made == UNKNOWN else 0 if made == DROPPED else made
    third = plan.third_rank(piece, square)
    return [
        patch
        for patch in plan.patches(piece, square)
        if allows(patch.guard, count, third_rank=third, turn=turn)
    ]


def walked(patches: list[Patch], occupied: int) -> Reach:
    """Where some parts lead to when squares are occupied, whoever stands there."""
    quiet = strikes = passing = 0
    trailing: dict[tuple[int, tuple[int, ...]], None] = {}
    castles = []
    for patch in patches:
        node = 0
        while node < len(patch.nodes):
            word, end = patch.nodes[node], patch.ends[node]
            square = word >> STEP_SHIFT
            standing = ENEMY if occupied >> square & 1 else VACANT
            if word & TRAIL and end.takes_trail and standing == VACANT:
                passing |= 1 << square
            elif word & standing == ENEMY:
                strikes |= 1 << square
            elif word & standing and patch.castle:
                castles.append((square, patch.castle))
            elif word & standing and patch.leaves_trail and end.passed:
                trailing[square, end.passed] = None
            elif word & standing:
                # The first step of what leaves a trail is a move as any other part makes it.
                quiet |= 1 << square
            node = node + 1 if word >> CLASS_BITS & standing else patch.skips[node]
    return Reach(quiet, strikes, passing, tuple(trailing), tuple(castles))


# So many answers are kept of one kind before they are forgotten, and so many of where pieces get
# to: on a large board with much in the way hardly one is asked for twice.
KEPT, ANSWERS = 20_000, 100_000
R = TypeVar("R")
# On larger boards what is reached from where would take longer to work out than trying the moves.
LARGEST = 16 * 16
# A kind with so few leaps is moved all at once.
FEW_LEAPS = 3


# Ways to count the moves of a kind: all pieces at once, by a table of leaps, by what is in the way,
# and otherwise.
SHIFTED, LEAPING, RUNNING, OTHERWISE = range(4)


class Shift(NamedTuple):
    """One leap of all pieces of a kind: bits go so far left, then right.

    Pieces on ``sources`` stay on the board. ``extra`` are (squares, number): how many more forms
    may arrive there.
    """

    left: int
    right: int
    sources: int
    extra: tuple[tuple[int, int], ...]


# A piece, where its squares begin in lists of all pieces, and how its moves are counted.
Order: TypeAlias = tuple[int, int, int, tuple[Shift, ...]]


class Reaches:
    """The reaches of all pieces of one game; use `reaches_of`.

    ``lines`` are those of each piece, None for one that they do not describe.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lines = [None, *(_lines_in(plan, piece) for piece in range(1, plan.mark))]
        self.swift = _is_swift(plan, self.lines)
        size = plan.size
        self.all = (1 << size) - 1
        self.files = [sum(1 << s for s in range(f, size, plan.files)) for f in range(plan.files)]
        # By piece × size + square: squares a leaper goes to, None not asked yet, -1 no leaper.
        self.leaps: list[int | None] = [None] * ((plan.pieces + 1) * size)
        self.runs: list[tuple[int, dict[int, int]] | None] = [None] * len(self.leaps)
        self.answers = 0
        self._uneven: list[dict[int, tuple[int, dict[int, Reach]]]] = [{} for _ in self.leaps]
        # By piece × size + square: where such a piece attacks that square from, and for each of
        # these the squares that must be empty.
        self.attackers: list[int | None] = [None] * ((plan.pieces + 1) * size)
        self.between: dict[int, int] = {}
        # By side and square of its royal: see `zone`; None not asked yet.
        self.zones: list[list[list[tuple[int, int]] | None]] = [[None] * size, [None] * size]
        # By piece × size + square: see `extras`; None not asked yet.
        self.extra: list[tuple[tuple[int, int], ...] | None] = [None] * len(self.leaps)
        self._full: Bounded[tuple[int, int], int] = Bounded(KEPT)
        self._moves: Bounded[tuple[int, bool], tuple[Act, ...]] = Bounded(MOVES_KEPT)
        self._lists: Bounded[tuple[int, int, int], tuple[Act, ...]] = Bounded(KEPT)
        self._picks: Bounded[int, Callable[[tuple[Act, ...]], tuple[Act, ...]]] = Bounded(KEPT)
        self._drops: dict[int, tuple[Act, ...]] = {}
        self.sides = tuple(tuple(range(1 + side, plan.mark, 2)) for side in (0, 1))
        self.leaper = [each is not None and each.leaps is not None for each in self.lines]
        # By side: (kind in hand, piece put down, squares by their ranks, what more limits it).
        self.droppable = [
            [
                (kind, piece, self._drop_mask(piece), plan.drop_rules[piece])
                for kind in range(len(plan.kinds))
                for piece in plan.drop_forms(kind, side)
            ]
            for side in SIDES
        ]
        self.even = [each is not None and each.even for each in self.lines]
        self.promoting = [False] + [bool(plan.forms(p)) for p in range(1, plan.mark)]
        self.shifts = [()] + [self._shifts(p) for p in range(1, plan.mark)]
        # By side: each piece but the royal one.
        self.orders: list[tuple[Order, ...]] = [
            tuple((p, p * size, self._way(p), self.shifts[p]) for p in side if not plan.royal[p])
            for side in self.sides
        ]
        self.peace = Danger([], 0, self.all, {}, 0)
        self._aims: dict[int, tuple[tuple[int, int], ...]] = {}
        self._manners: dict[int, int] = {}
        # By piece × size + square: the squares asked of by `aiming`, and those that aim there.
        self._aiming: dict[int, tuple[int, int]] = {}
        self._passers: dict[tuple[int, int], int] = {}

    def known(self, piece: int) -> Lines:
        """The lines of a piece that has some."""
        lines = self.lines[piece]
        if lines is None:
            raise LookupError(self.plan.codes[piece])
        return lines

    def aims(self, piece: int, square: int) -> tuple[tuple[int, int], ...]:
        """For each branch of a piece's moves, what it may strike and what it looks at."""
        key = piece * self.plan.size + square
        found = self._aims.get(key)
        if found is None:
            patches = self.plan.patches(piece, square)
            found = tuple(aim for patch in patches for aim in _branches(patch))
            self._aims[key] = found
        return found

    def manner(self, piece: int, square: int) -> int:
        """`ROAMING`: a piece has moves without a table there. `OVER`: it has some over pieces."""
        key = piece * self.plan.size + square
        found = self._manners.get(key)
        if found is None:
            found = 0
            for patch in self.plan.patches(piece, square):
                found |= (patch.automaton is not None) * ROAMING | _passes_pieces(patch) * OVER
            self._manners[key] = found
        return found

    def aiming(self, piece: int, there: int, targets: Iterable[int]) -> int:
        """Those of the squares from which such a piece may strike one of others, way or no way."""
        found = 0
        for target in targets:
            key = piece * self.plan.size + target
            asked, known = self._aiming.get(key, (0, 0))
            if there & ~asked:
                for square in squares_in(there & ~asked):
                    if any(strikes >> target & 1 for strikes, _ in self.aims(piece, square)):
                        known |= 1 << square
                self._aiming[key] = (asked | there, known)
            found |= there & known
        return found

    def passers(self, piece: int, target: int) -> int:
        """From which squares such a piece may capture en passant on a square."""
        found = self._passers.get((piece, target))
        if found is None:
            found = 0
            for square in range(self.plan.size):
                for patch in self.plan.patches(piece, square):
                    if any(end.takes_trail and end.target == target for end in patch.ends):
                        found |= 1 << square
            self._passers[piece, target] = found
        return found

    def leap(self, piece: int, square: int) -> int:
        """Where a leaper goes to, own pieces or not; -1 for other pieces."""
        leaps = self.known(piece).leaps
        found = -1 if leaps is None else self._set(square, leaps) & self.plan.room[piece]
        self.leaps[piece * self.plan.size + square] = found
        self.extras(piece, square)
        return found

    def run(self, piece: int, square: int, occupied: int) -> int:
        """Where an even piece gets to, up to the first pieces in its way."""
        index = piece * self.plan.size + square
        looks, known = self.runs[index] or self.new_run(piece, square)
        seen = occupied & looks
        reach = known.get(seen)
        if reach is None:
            full = walked(self._patches(piece, square), seen)
            reach = full.quiet | full.strikes
            self._note(known, seen, reach)
        return reach

    def new_run(self, piece: int, square: int) -> tuple[int, dict[int, int]]:
        """The squares a piece looks at, and no answers yet."""
        looks = 0
        for patch in self._patches(piece, square):
            looks |= patch.looks
        found: tuple[int, dict[int, int]] = (looks, {})
        self.runs[piece * self.plan.size + square] = found
        self.extras(piece, square)
        return found

    def uneven(self, piece: int, square: int, made: int, occupied: int) -> Reach:
        """Where a piece gets to that moves and captures in different ways."""
        held = self._uneven[piece * self.plan.size + square]
        looks, known = held.get(made) or self._new_uneven(piece, square, made)
        seen = occupied & looks
        reach = known.get(seen)
        if reach is None:
            reach = walked(holding(self.plan, piece, square, made), seen)
            self._note(known, seen, reach)
        return reach

    def _new_uneven(self, piece: int, square: int, made: int) -> tuple[int, dict[int, Reach]]:
        looks = 0
        for patch in holding(self.plan, piece, square, made):
            looks |= patch.looks
        found: tuple[int, dict[int, Reach]] = (looks, {})
        self._uneven[piece * self.plan.size + square][made] = found
        self.extras(piece, square)
        return found

    def looks(self, piece: int, square: int, made: int) -> int:
        """The squares that a piece looks at; ``made`` is as for `uneven`."""
        index = piece * self.plan.size + square
        if self.even[piece]:
            return (self.runs[index] or self.new_run(piece, square))[0]
        return (self._uneven[index].get(made) or self._new_uneven(piece, square, made))[0]

    def _note(self, known: dict[int, R], seen: int, reach: R) -> None:
        """Keep where a piece gets to from a square; too many of all squares are forgotten."""
        if self.answers == ANSWERS:
            self.answers = 0
            for run in filter(None, self.runs):
                run[1].clear()
            for held in self._uneven:
                for _, each in held.values():
                    each.clear()
        self.answers += 1
        known[seen] = reach

    def attacks(self, piece: int, square: int) -> int:
        """From which squares such a piece attacks a square if nothing is in its way."""
        plan = self.plan
        index = piece * plan.size + square
        at = plan.at(square)
        found = 0
        for offset, between in self.known(piece).strikes if plan.room[piece] >> square & 1 else ():
            source = self._number((at[0] - offset[0], at[1] - offset[1]))
            if source < 0:
                continue
            passed = [self._step(source, step) for step in between]
            if -1 not in passed:
                found |= 1 << source
                self.between[index * plan.size + source] = sum(1 << s for s in set(passed))
        self.attackers[index] = found
        return found

    def zone(self, side: int, royal: int, square: int) -> list[tuple[int, int]]:
        """For each enemy piece, from where it might attack a royal here or after its move."""
        leaps = self.known(royal).leaps
        targets = range(self.plan.size) if leaps is None else squares_in(self._set(square, leaps))
        found = []
        for piece in self.sides[1 - side]:
            zone = self.attacks(piece, square)
            for target in targets:
                zone |= self.attacks(piece, target)
            found.append((piece, zone))
        self.zones[side][square] = found
        return found

    def extras(self, piece: int, square: int) -> tuple[tuple[int, int], ...]:
        """For moves of a piece that promotes: (squares, how many moves more there are)."""
        index = piece * self.plan.size + square
        found = self.extra[index]
        if found is None:
            by: dict[int, int] = {}
            for target in range(self.plan.size) if self.promoting[piece] else ():
                more = len(self.plan.becomes(piece, square, target, captures=True)) - 1
                if more:
                    by[more] = by.get(more, 0) | 1 << target
            found = self.extra[index] = tuple((mask, more) for more, mask in by.items())
        return found

    def full_files(self, there: int, limit: int) -> int:
        """The files that hold as many of a piece as they may."""
        key = (limit, there)
        found = self._full.get(key)
        if found is None:
            crowded = [each for each in self.files if (there & each).bit_count() >= limit]
            found = self._full[key] = sum(crowded)
        return found

    def moves(self, piece: int, origin: int, target: int, *, captures: bool) -> tuple[Act, ...]:
        """A move with all forms that may arrive; always the same objects."""
        key = ((piece * self.plan.size + origin) * self.plan.size + target, captures)
        found = self._moves.get(key)
        if found is None:
            taken = (target,) if captures else ()
            forms = self.plan.becomes(piece, origin, target, captures=captures)
            found = tuple(Act(piece, origin, target, form, taken) for form in forms)
            self._moves[key] = found
        return found

    def moves_to(self, piece: int, origin: int, squares: int, taken: int) -> tuple[Act, ...]:
        """The moves to a set of squares, on those of ``taken`` by capture."""
        key = (piece * self.plan.size + origin, squares, taken)
        found = self._lists.get(key)
        if found is None:
            found = tuple(
                act
                for target in squares_in(squares)
                for act in self.moves(piece, origin, target, captures=bool(taken >> target & 1))
            )
            self._lists[key] = found
        return found

    def drops(self, piece: int) -> tuple[Act, ...]:
        """The drops of a piece by square."""
        found = self._drops.get(piece)
        if found is None:
            found = tuple(Act(piece, -1, s, piece) for s in range(self.plan.size))
            self._drops[piece] = found
        return found

    def drops_on(self, piece: int, squares: int) -> tuple[Act, ...]:
        """The drops of a piece on some squares."""
        pick = self._picks.get(squares)
        if pick is None:
            listed = squares_in(squares)
            # With one square an itemgetter gives no tuple, so it is named twice and cut.
            pick = itemgetter(*listed, listed[0])
            self._picks[squares] = pick
        return pick(self.drops(piece))[:-1]

    def _patches(self, piece: int, square: int) -> list[Patch]:
        return [patch for patch in self.plan.patches(piece, square) if not patch.castle]

    def even_reach(self, piece: int, square: int, occupied: int) -> int:
        """Where an even piece gets to."""
        if self.leaper[piece]:
            return self.leap(piece, square)
        return self.run(piece, square, occupied)

    def _way(self, piece: int) -> int:
        if self.plan.file_limit[piece] or not self.even[piece]:
            return OTHERWISE
        if self.shifts[piece]:
            return SHIFTED
        return LEAPING if self.leaper[piece] else RUNNING

    def _drop_mask(self, piece: int) -> int:
        return sum(1 << s for s in self.plan.drop_squares(piece))

    def _shifts(self, piece: int) -> tuple[Shift, ...]:
        """The leaps of a kind with few of them, for all pieces of it at once."""
        lines = self.lines[piece]
        if lines is None or lines.leaps is None or len(lines.leaps) > FEW_LEAPS:
            return ()
        return tuple(self._shift(piece, leap) for leap in lines.leaps)

    def _shift(self, piece: int, leap: Offset) -> Shift:
        plan = self.plan
        sources = 0
        extra: dict[int, int] = {}
        for square in range(plan.size):
            target = self._step(square, leap)
            if target >= 0 and plan.room[piece] >> target & 1:
                sources |= 1 << square
                more = len(plan.becomes(piece, square, target, captures=True)) - 1
                if more:
                    extra[more] = extra.get(more, 0) | 1 << target
        by = leap[1] * plan.files + leap[0]
        return Shift(max(by, 0), max(-by, 0), sources, tuple((m, n) for n, m in extra.items()))

    def _set(self, square: int, offsets: tuple[Offset, ...]) -> int:
        reached = {self._step(square, offset) for offset in offsets} - {-1}
        return sum(1 << each for each in reached)

    def _step(self, square: int, offset: Offset) -> int:
        at = self.plan.at(square)
        return self._number((at[0] + offset[0], at[1] + offset[1]))

    def _number(self, at: Offset) -> int:
        if 0 <= at[0] < self.plan.files and 0 <= at[1] < self.plan.ranks:
            return self.plan.square(at)
        return -1


def reaches_of(plan: Plan) -> Reaches:
    """The reaches of a game, made once."""
    if "reaches" not in plan.kept:
        plan.kept["reaches"] = Reaches(plan)
    found: Reaches = plan.kept["reaches"]
    return found


def _branches(patch: Patch) -> Iterator[tuple[int, int]]:
    """What each branch may strike and looks at; what has no table may strike anywhere."""
    if patch.automaton is not None:
        yield -1, -1
    node = 0
    while node < len(patch.nodes):
        after = patch.skips[node]
        strikes = looks = 0
        for each in range(node, after):
            square = 1 << (patch.nodes[each] >> STEP_SHIFT)
            looks |= square
            if patch.nodes[each] & ROYAL:
                strikes |= square
            if patch.nodes[each] & CLASS_MASK:
                for taken in patch.ends[each].captures:
                    strikes |= 1 << taken
        if strikes:
            yield strikes, looks
        node = after


def _passes_pieces(patch: Patch) -> bool:
    """Whether some move of a part is there, or goes on, because of a piece in its way."""
    if any(condition.kind == "greedy" for condition in patch.guard):
        return True
    if patch.automaton is not None:
        return bool(letters(patch.automaton.states)[2] & ~(PAST_EMPTY | PAST_AWAY))
    return any(
        patch.skips[node] > node + 1 and word >> CLASS_BITS & PIECES
        for node, word in enumerate(patch.nodes)
    )


def _lines_in(plan: Plan, piece: int) -> Lines | None:
    """The lines of a piece, None where they are not all there is to its moves in a game.

    That is so where `attacks_in` knows none, and where there may be only so many of what a piece
    promotes to.
    """
    limited = any(plan.side_limit[form] for form in plan.forms(piece))
    return None if limited else attacks_in(plan, piece)


def attacks_in(plan: Plan, piece: int) -> Lines | None:
    """The lines of a piece, None where they do not tell what it attacks and what it looks at.

    That is so with pieces that hop, shoot or capture several at once, have moves on some squares
    only, promote with moves of their own, iron pieces, limits on files for pieces that promote,
    boards larger than 16×16, and in games with walls or with moves that change more than what is
    captured.
    """
    forms = plan.forms(piece)
    crowded = forms and any(plan.file_limit[each] for each in (piece, *forms))
    kind = plan.kinds[(piece - 1) >> 1]
    odd = plan.apart[piece] or kind.further or kind.blocked_by or kind.castles_to
    if plan.size > LARGEST or plan.iron or crowded or odd or plan.special:
        return None
    return lines_of(plan.parts(piece))


def _is_swift(plan: Plan, lines: Sequence[Lines | None]) -> bool:
    """Whether check can be read off lines, and moves counted without listing them.

    That is not so without lines, with several kinds of royals or ones that leave a trail, pieces
    that castle or promote to royals beside them, pieces put down from two places in the hand,
    promotion only by capture, passes of who has no other move, and where the rules do not forbid
    check.
    """
    rules, pieces = plan.rules, range(1, plan.mark)
    if rules.self_check == "allowed" or rules.promotion_when == "captures":
        return False
    if rules.drops_first == "yes" or any(kind.per_colour for kind in plan.kinds):
        return False
    if "barred" in {rules.giving_check, rules.flight} or rules.facing == "bikjang":
        return False
    if rules.passes == "stuck":
        return False
    if sum(plan.royal) != len(SIDES) or any(len(kinds) > 1 for kinds in plan.drop_sources):
        return False
    if plan.rules.must_capture == "yes" or any(lines[piece] is None for piece in pieces):
        return False
    return not any(
        (plan.castle_insets[piece] and not plan.royal[piece])
        or (plan.royal[piece] and plan.leaves_trail(piece))
        or any(plan.royal[form] for form in plan.forms(piece))
        for piece in pieces
    )

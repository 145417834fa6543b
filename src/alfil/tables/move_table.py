"""Move tables: the relative skip-trie of one piece for one board size and side.

All paths a piece may take are laid out in preorder. A node is one word,

    step << 12 | descend << 6 | emit

where ``step`` numbers the offset of the square to look at, and the two masks are over the class of
what stands there: vacant, enemy, enemy royal, friend, a square that can be captured on en passant,
off the board. A second word, the skip, is the index after the node's subtree. The loop: classify
the square; if its bit is in ``emit``, this node is a move; if it is in ``descend``, go to the next
node, else to the skip. What a move captures on its way hangs on the node.

A part whose paths roam over an area (a loop that may turn), or would take more than
``MAX_TRIE_WORK`` nodes or ``MAX_TRIE_DEPTH`` states, is not laid out: its table is the automaton,
walked as the graph of (state, square), each visited once. So are parts whose moves depend on more
than what stands on the squares: castling, wrapping boards, runs that must go as far as they can,
runs that stop at the middle of the board.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, product, repeat
from math import inf
from operator import or_
from typing import TypeAlias

from alfil.frozen_dataclasses import NamedTuple, cached_property, dataclass
from alfil.graphs import reverse_graph
from alfil.meaning.automaton import (
    AT_HOME,
    FREE_CLASSES,
    FRIEND,
    ON_TRAIL,
    PAST_EMPTY,
    PIECE_CLASSES,
    TRAIL,
    VACANT,
    Automaton,
    PassTransition,
    State,
    StepRecord,
    classes_by_passage,
    contents_by_end,
    has_wrapping,
)
from alfil.meaning.piece_meaning import CONDITIONS_WITHOUT_TRIE, Fact, Guard, Meaning
from alfil.tables.board_context import (
    OFF_BOARD_CLASS,
    BoardContext,
    Offset,
    PositionArguments,
    SquareNames,
    parse_board_square,
)
from alfil.tables.move_generation import (
    PieceMove,
    move_list_work_limit,
    part_moves_ignoring_guard,
    without_equivalent_moves,
)
from alfil.tables.moves_with_effects import moves_with_effects
from alfil.work_limit import charge, limited_task, thread_meter

# This work is done at most to lay a part out.
MAX_TRIE_WORK = 65_000
# So many states a path goes through at most, each of which is three frames of Python's stack.
MAX_TRIE_DEPTH = 200
# So many squares of a run are as much work as a record.
SQUARES_PER_WORK = 8
# As many squares of what was done before a node are one as well.
TRACED_SQUARES_PER_WORK = 16
CLASS_BITS = 6
STEP_SHIFT = 2 * CLASS_BITS
CLASS_MASK = (1 << CLASS_BITS) - 1
ALL_CLASSES = FREE_CLASSES | PIECE_CLASSES
NO_CONDITION_KINDS: frozenset[str] = frozenset()


class PathTrace(NamedTuple):
    """What a path did before its last square; offsets in path order.

    ``takes_trail`` is true where the last square is captured on en passant; ``trail_captures``
    are those of ``captures`` that are.
    """

    captures: tuple[Offset, ...] = ()
    hurdles: tuple[Offset, ...] = ()
    passed: tuple[Offset, ...] = ()
    takes_trail: bool = False
    trail_captures: tuple[Offset, ...] = ()

    def rotated(self) -> PathTrace:
        """The same as the other side sees it."""
        captures, hurdles, passed, takes, trail = self
        return PathTrace(
            _rotated_offsets(captures),
            _rotated_offsets(hurdles),
            _rotated_offsets(passed),
            takes,
            _rotated_offsets(trail),
        )


NO_TRACE = PathTrace()


@dataclass(frozen=True)
class Trie:
    """One part as a skip-trie: two words a node, offsets, and traces by node."""

    nodes: array[int]
    skips: array[int]
    steps: tuple[Offset, ...]
    traces: dict[int, PathTrace]

    @cached_property
    def flattened_steps(self) -> array[int]:
        """The offsets as the engine reads them, which cuts a part to each square of a board."""
        return array("i", chain.from_iterable(self.steps))

    def rotated(self) -> Trie:
        """The same as the other side sees it."""
        traces = {node: trace.rotated() for node, trace in self.traces.items()}
        return replace(self, steps=_rotated_offsets(self.steps), traces=traces)


class TableSection(NamedTuple):
    """One part of a table, under its guard; ``trie`` is None where the automaton is walked."""

    guard: Guard
    automaton: Automaton
    trie: Trie | None

    def rotated_section(self) -> TableSection:
        """The same as the other side sees it."""
        return self._replace(trie=self.trie.rotated()) if self.trie else self


@dataclass(frozen=True, slots=True)
class Table:
    """The compiled moves of one piece, for one side on boards of one size.

    Offsets are (dx, dy). For the first side forward is +y; for the ``second`` all are turned half
    round, as its pieces stand. ``facts`` are those of the piece; what it burns is captured.
    """

    files: int
    ranks: int
    sections: tuple[TableSection, ...]
    second: bool = False
    facts: tuple[Fact, ...] = ()

    def __len__(self) -> int:
        """The number of nodes, or records where a part is a graph."""
        return sum(
            len(section.trie.nodes)
            if section.trie
            else sum(len(state) for state in section.automaton.states)
            for section in self.sections
        )

    def moves(
        self,
        at: str | Offset,
        *,
        enemies: SquareNames = (),
        friends: SquareNames = (),
        enemy_royals: SquareNames = (),
        unmoved_friends: SquareNames = (),
        unmoved: bool = False,
        moves_made: int | None = None,
        en_passant: SquareNames | Mapping[Offset | str, Offset | str] = (),
        third_rank: bool | None = None,
        turn: int | None = None,
        own_colour: bool | None = None,
    ) -> tuple[PieceMove, ...]:
        """Every move of the piece from a square, with other pieces around it, as `alfil.moves`.

        Places are those of the board, and offsets are seen from its first side, for a table of the
        ``second`` side too, whose pieces move down the board. Raises `BoardError` when square and
        pieces do not fit together.

        >>> import alfil
        >>> black = alfil.compile("fmWfcF", files=8, ranks=8, second=True)
        >>> [move.to for move in black.moves("e5", enemies={"d4"})]
        [(-1, -1), (0, -1)]
        """
        board = BoardContext(self.files, self.ranks, parse_board_square(at, self.files, self.ranks))
        around = (enemies, friends, enemy_royals, unmoved_friends, en_passant)
        past = (unmoved, moves_made, third_rank, turn, own_colour)
        context = PositionArguments(board, *around, *past).context()
        if not self.second:
            return tuple(sorted(moves_from(self, context)))
        return tuple(sorted(map(_rotated_move, moves_from(self, context.rotated()))))

    def to_json(self) -> dict[str, object]:
        """The table as plain numbers, lists and strings, for other programs."""
        return {
            "files": self.files,
            "ranks": self.ranks,
            "side": "second" if self.second else "first",
            "sections": [section_as_json(section) for section in self.sections],
        }


def section_as_json(section: TableSection) -> dict[str, object]:
    """One part of a table as plain numbers, lists and strings."""
    guard = [[condition.kind, condition.value, condition.inset] for condition in section.guard]
    trie = section.trie
    if trie is None:
        states = [
            [
                [dx, dy, wrap, emit, [list(each) for each in passes]]
                for dx, dy, wrap, emit, passes in state
            ]
            for state in section.automaton.states
        ]
        return {"guard": guard, "kind": "graph", "states": states}
    traces = {
        str(node): {
            name: value if isinstance(value, bool) else [list(offset) for offset in value]
            for name, value in trace._asdict().items()
        }
        for node, trace in trie.traces.items()
    }
    return {
        "guard": guard,
        "kind": "trie",
        "nodes": list(trie.nodes),
        "skips": list(trie.skips),
        "steps": [list(step) for step in trie.steps],
        "traces": traces,
    }


def compile_table(meaning: Meaning, files: int, ranks: int, *, second: bool = False) -> Table:
    """The table of a piece for one board size; see `Table`."""
    sections = sections_of_meaning(meaning, files, ranks, second=second)
    return Table(files, ranks, sections, second, meaning.facts)


def sections_of_meaning(
    meaning: Meaning,
    files: int,
    ranks: int,
    *,
    second: bool = False,
    tracing: Collection[str] = frozenset({"trail"}),
    walked: Collection[str] = CONDITIONS_WITHOUT_TRIE,
    hurdles: bool = True,
    most: float = inf,
) -> tuple[TableSection, ...]:
    """All parts of a piece for one side.

    Parts under a condition that is ``walked`` are not laid out, nor those that would be more than
    ``most`` nodes; under one of ``tracing`` the traces have all squares passed. Without ``hurdles``
    they do not have those that were gone over, and more pieces are laid out. The conditions
    themselves are left to the caller.
    """
    result = []
    for guard, automaton in meaning.parts:
        kinds = {condition.kind for condition in guard} if guard else NO_CONDITION_KINDS
        trie = None
        if kinds.isdisjoint(walked):
            traced = not kinds.isdisjoint(tracing)
            builder = _TrieBuilder(
                automaton, files, ranks, tracing=traced, hurdles=hurdles, most=most
            )
            trie = builder.build()
        section = TableSection(guard, automaton, trie)
        result.append(section.rotated_section() if second else section)
    return tuple(result)


class _TooManyPaths(Exception):
    """The part has too many paths for a trie."""


# What has been done after something on a square, by what has been done before.
TraceUpdate: TypeAlias = Callable[[PathTrace, Offset], PathTrace]
# A way on from a square: the classes that let it on, what has been done after it, and the state.
PassBranch: TypeAlias = tuple[int, TraceUpdate | None, int]


class _TrieBuilder:
    """Lays out one automaton."""

    def __init__(
        self,
        automaton: Automaton,
        files: int,
        ranks: int,
        *,
        tracing: bool,
        hurdles: bool,
        most: float = inf,
    ) -> None:
        self._states = automaton.states
        self._hurdles = hurdles
        self._most = most
        self._wide, self._high = files - 1, ranks - 1
        self._board = _offsets_within(self._wide, self._high)
        self._tracing = tracing
        # The words of the nodes without the numbers of their steps, and these.
        self._words: list[int] = []
        self._steps: list[Offset] = []
        self._skips: list[int] = []
        self._traces: dict[int, PathTrace] = {}
        # The states that the path is in, each with its square.
        self._met: set[tuple[int, Offset]] = set()
        # The nodes of all that follows from a state on a square, where nothing was done before: the
        # first, the one after the last, and the work that they were.
        self._laid: dict[tuple[int, Offset], tuple[int, int, float]] = {}
        self._meter = thread_meter()
        # Whether paths are known not to multiply; lines and leaps on the board need no look.
        self._tame = False

    def build(self) -> Trie | None:
        """The trie, or None when the part roams, or has more than the most nodes."""
        try:
            with limited_task(MAX_TRIE_WORK, _TooManyPaths):
                self._add_paths_from_state(0, (0, 0), NO_TRACE)
        except _TooManyPaths:
            return None
        steps = tuple(dict.fromkeys(self._steps))
        numbers: Iterable[int] = range(0, len(steps) << STEP_SHIFT, 1 << STEP_SHIFT)
        if len(steps) < len(self._steps):
            numbers = map(dict(zip(steps, numbers, strict=True)).__getitem__, self._steps)
        words = array("I", map(or_, self._words, numbers))
        return Trie(words, array("I", self._skips), steps, self._traces)

    def _add_paths_from_state(self, index: int, at: Offset, trace: PathTrace) -> None:
        here = index, at
        many = len(self._words) > self._most or len(self._met) > MAX_TRIE_DEPTH
        if many or here in self._met:
            raise _TooManyPaths
        if trace is not NO_TRACE or self._tracing:
            self._add_all_records_of_state(here, trace)
        elif here in self._laid:
            self._copy_nodes(*self._laid[here])
        else:
            first, traces, work = len(self._words), len(self._traces), self._meter.spent
            self._add_all_records_of_state(here, trace)
            if len(self._traces) == traces:
                self._laid[here] = first, len(self._words), self._meter.spent - work

    def _copy_nodes(self, first: int, end: int, work: float) -> None:
        """Lay out again what has been laid out from a node on; that is as much work as before."""
        charge(work)
        away = len(self._words) - first
        self._words += self._words[first:end]
        self._steps += self._steps[first:end]
        self._skips += [skip + away for skip in self._skips[first:end]]

    def _add_all_records_of_state(self, here: tuple[int, Offset], trace: PathTrace) -> None:
        """Lay out all that follows from a state."""
        index, (x, y) = here
        words, board, state = self._words, self._board, self._states[index]
        self._met.add(here)
        charge(len(state))
        for record in state:
            dx, dy, wrap, emit, passes = record
            where = x + dx, y + dy
            if wrap or where not in board:
                self._add_home_step_or_reject_wrap(record, where, trace)
            elif passes:
                if len(passes) > 1 or not self._add_line(index, record, where, trace):
                    taken = where in trace.captures
                    ends = _end_classes(emit, taken)
                    ways = _pass_continuations(passes, taken, self._hurdles)
                    self._add_continuations(where, ends, ways, trace, emit & ON_TRAIL)
            elif trace is NO_TRACE and (dx or dy) and not emit & ON_TRAIL:
                words.append(_end_classes(emit))
                self._steps.append(where)
                self._skips.append(len(words))
            elif dx or dy:
                self._add_end(
                    where, _end_classes(emit, where in trace.captures), trace, emit & ON_TRAIL
                )
            else:
                self._add_end((0, 0), ALL_CLASSES | OFF_BOARD_CLASS, trace)
        self._met.discard(here)

    def _add_line(self, index: int, record: StepRecord, where: Offset, trace: PathTrace) -> bool:
        """Lay out a straight line of squares in one go, to its end or to the edge, if it is one.

        What has been done before must not matter on the way.
        """
        dx, dy, _, emit, ((mask, target),) = record
        state = self._states[target]
        straight = mask == PAST_EMPTY and len(state) == 1 and state[0][:2] == (dx, dy)
        if not straight or emit & ON_TRAIL or self._tracing:
            return False
        x, y = where
        away = not trace.captures and x * dx + y * dy >= 0
        result: tuple[Sequence[int], Sequence[Offset]] | None
        if state[0] != record:
            result = self._line_away_from_home(index, record, where) if away else None
        elif not away:
            result = self._line_coming_nearer_home(record, where, trace)
        else:
            squares = _run_offsets(x, y, dx, dy, self._wide, self._high)
            result = _trie_words_of_run(_end_classes(emit), len(squares)), squares
            if len(squares) >= SQUARES_PER_WORK:
                charge(len(squares) // SQUARES_PER_WORK)
        if result is None:
            return False
        first, count = len(self._words), len(result[0])
        self._words += result[0]
        self._steps += result[1]
        self._skips += [first + count] * count
        if trace is not NO_TRACE:
            charge(count * (len(trace.captures) + len(trace.passed)) // TRACED_SQUARES_PER_WORK)
            self._traces.update(dict.fromkeys(range(first, first + count), trace))
        return True

    def _line_coming_nearer_home(
        self, record: StepRecord, where: Offset, trace: PathTrace
    ) -> tuple[Sequence[int], Sequence[Offset]] | None:
        """The words and squares of a step taken again and again that comes nearer to home.

        None where it leads home, or over a square that was captured on.
        """
        (dx, dy), (x, y) = record[:2], where
        squares = _run_offsets(x, y, dx, dy, self._wide, self._high)
        count, ahead = len(squares), x * dx + y * dy
        if (ahead < 0 and x * dy == y * dx) or not set(squares).isdisjoint(trace.captures):
            return None
        # Squares before it leads away, and after a capture all of them, count as a record each.
        near = count if trace.captures else min(count, -(ahead // (dx * dx + dy * dy)))
        if len(self._words) + near > self._most:
            raise _TooManyPaths
        charge(near + (count - near) // SQUARES_PER_WORK)
        return _trie_words_of_run(_end_classes(record[3]), count), squares

    def _line_away_from_home(
        self, index: int, record: StepRecord, where: Offset
    ) -> tuple[Sequence[int], Sequence[Offset]] | None:
        """The words and squares of a line away from home, None for what is none.

        On a line each square is empty, and leads in one way to the next one.
        """
        states, board, step = self._states, self._board, record[:3]
        words: list[int] = []
        squares: list[Offset] = []
        entered = work = 0
        while where in board:
            emit, passes = record[3], record[4]
            if emit & ON_TRAIL or len(passes) > 1:
                return None
            words.append(FREE_CLASSES << CLASS_BITS | _end_classes(emit))
            squares.append(where)
            if not passes:
                break
            before, (mask, index) = index, passes[0]
            state = states[index]
            if mask != PAST_EMPTY or len(state) > 1:
                return None
            if state[0] == record:
                _, *beyond = _run_offsets(*where, *step[:2], self._wide, self._high)
                words += words[-1:] * len(beyond)
                squares += beyond
                work = (1 + len(beyond)) // SQUARES_PER_WORK
                break
            record = state[0]
            if record[:3] != step or index <= before:
                return None
            where = where[0] + step[0], where[1] + step[1]
            entered += 1
        else:
            self._reject_multiplying_paths()
        if len(self._words) + entered > self._most:
            raise _TooManyPaths
        charge(entered + work)
        return _cut_after_last_end(words, squares)

    def _reject_multiplying_paths(self) -> None:
        """Raise `_TooManyPaths` if paths multiply, on this board or on larger ones."""
        if not self._tame and has_multiplying_paths(self._states, hurdles=self._hurdles):
            raise _TooManyPaths
        self._tame = True

    def _add_home_step_or_reject_wrap(
        self, record: StepRecord, where: Offset, trace: PathTrace
    ) -> None:
        """Nothing is there, but for home: the mover has left its square, which counts as empty.

        Round the edges of a board that wraps there is no laying out.
        """
        _, _, wrap, emit, passes = record
        if wrap:
            raise _TooManyPaths
        if passes:
            self._reject_multiplying_paths()
        if where != (0, 0):
            return
        ends = ALL_CLASSES | OFF_BOARD_CLASS if contents_by_end(emit).quiet & AT_HOME else 0
        home = [target for mask, target in passes if classes_by_passage(mask).free & AT_HOME]
        if home:
            ways = [(ALL_CLASSES | OFF_BOARD_CLASS, None, target) for target in home]
            self._add_continuations((0, 0), ends, ways, trace)
        else:
            self._add_end((0, 0), ends, trace)

    def _add_continuations(
        self, where: Offset, ends: int, ways: Iterable[PassBranch], trace: PathTrace, trail: int = 0
    ) -> None:
        """A square, and what follows for each way on from it; no node where nothing does.

        ``ends`` are the classes for which the move ends there, ``trail`` is whether en passant.
        """
        if not self._tame:
            self._reject_multiplying_paths()
        words, skips, steps = self._words, self._skips, self._steps
        onward = trace
        # Only the same trace tells a ray that nothing has been done yet.
        if self._tracing and where not in trace.passed:
            onward = trace._replace(passed=(*trace.passed, where))
        for classes, after, target in ways:
            node = len(words)
            words.append(ends)
            steps.append(where)
            skips.append(node + 1)
            if trace is not NO_TRACE:
                self._set_trace(node, trace)
            self._add_paths_from_state(target, where, after(onward, where) if after else onward)
            if len(words) > node + 1:
                words[node] |= classes << CLASS_BITS
                skips[node] = len(words)
            elif not ends:
                # It neither ends a move nor leads anywhere on this board.
                del words[node:], steps[node:], skips[node:]
                self._traces.pop(node, None)
            ends = 0
        if ends or trail:
            self._add_end(where, ends, trace, trail)

    def _set_trace(self, node: int, trace: PathTrace) -> None:
        """Say of a node what has been done before it, which is written as often."""
        charge((len(trace.captures) + len(trace.passed)) // TRACED_SQUARES_PER_WORK)
        self._traces[node] = trace

    def _add_end(self, where: Offset, ends: int, trace: PathTrace, trail: int = 0) -> None:
        """A square where a move may end."""
        if ends:
            words = self._words
            if trace is not NO_TRACE:
                self._set_trace(len(words), trace)
            words.append(ends)
            self._steps.append(where)
            self._skips.append(len(words))
        if trail:
            self._add_end(where, TRAIL, trace._replace(takes_trail=True))


def _cut_after_last_end(
    words: list[int], squares: list[Offset]
) -> tuple[Sequence[int], Sequence[Offset]]:
    """A line up to its last end on this board."""
    while words and not words[-1] & CLASS_MASK:
        words.pop()
        squares.pop()
    if words:
        words[-1] &= CLASS_MASK
    return words, squares


@lru_cache(maxsize=1024)
def _trie_words_of_run(ends: int, count: int) -> tuple[int, ...]:
    """The words of a run over so many squares, on each of which it may end."""
    return (*(FREE_CLASSES << CLASS_BITS | ends,) * (count - 1), ends)


@lru_cache(maxsize=64)
def _offsets_within(max_dx: int, max_dy: int) -> frozenset[Offset]:
    """The offsets on a board but home; ``max_dx`` and ``max_dy`` are the largest."""
    every = product(range(-max_dx, max_dx + 1), range(-max_dy, max_dy + 1))
    return frozenset(every) - {(0, 0)}


@lru_cache(maxsize=4096)
def _run_offsets(x: int, y: int, dx: int, dy: int, max_dx: int, max_dy: int) -> tuple[Offset, ...]:
    """The offsets from (x, y) on that lie on a board; ``max_dx`` and ``max_dy`` are the largest."""
    files = range(x, max_dx + 1 if dx > 0 else -max_dx - 1, dx) if dx else repeat(x)
    ranks = range(y, max_dy + 1 if dy > 0 else -max_dy - 1, dy) if dy else repeat(y)
    return tuple(zip(files, ranks, strict=False))


def _rotated_offsets(offsets: tuple[Offset, ...]) -> tuple[Offset, ...]:
    return tuple(map(_rotated_offset, offsets))


@cache
def _rotated_offset(offset: Offset) -> Offset:
    """An offset as the other side sees it; there are as many as on the boards."""
    x, y = offset
    return -x, -y


def _rotated_move(move: PieceMove) -> PieceMove:
    """A move as the other side sees it."""
    (to,) = _rotated_offsets((move.to,))
    joining, joined = _rotated_offsets(move.partner or ((0, 0), (0, 0)))
    return replace(
        move,
        to=to,
        captures=_rotated_offsets(move.captures),
        hurdles=_rotated_offsets(move.hurdles),
        own_captures=_rotated_offsets(move.own_captures),
        trail=_rotated_offsets(move.trail),
        partner=(joining, joined) if move.partner else None,
    )


@cache
def _end_classes(emit: int, taken: bool = False) -> int:  # noqa: FBT001, FBT002 - quicker by position
    """The classes of what stands on a square where a move ends; on one that it has taken, none."""
    quiet, captured = contents_by_end(emit)
    return quiet & FREE_CLASSES | (0 if taken else captured & PIECE_CLASSES)


def _trace_after_hurdle(trace: PathTrace, where: Offset) -> PathTrace:
    captures, hurdles, passed, takes, trail = trace
    return (
        trace if where in hurdles else PathTrace(captures, (*hurdles, where), passed, takes, trail)
    )


def _trace_after_capture(trace: PathTrace, where: Offset) -> PathTrace:
    captures, hurdles, passed, takes, trail = trace
    return PathTrace((*captures, where), hurdles, passed, takes, trail)


def _trace_after_en_passant(trace: PathTrace, where: Offset) -> PathTrace:
    captures, hurdles, passed, takes, trail = trace
    return PathTrace((*captures, where), hurdles, passed, takes, (*trail, where))


@lru_cache(maxsize=4096)
def _pass_continuations(
    passes: tuple[PassTransition, ...],
    taken: bool,  # noqa: FBT001 - see above
    hurdles: bool,  # noqa: FBT001 - see above
) -> tuple[PassBranch, ...]:
    """The ways on by some passes; what it has ``taken`` before it takes no more."""
    ways = [(*way, target) for mask, target in passes for way in _pass_branches(mask, hurdles)]
    return tuple(
        way
        for way in ways
        if not taken or way[1] not in {_trace_after_capture, _trace_after_en_passant}
    )


@cache
def _pass_branches(
    mask: int,
    hurdles: bool,  # noqa: FBT001 - see above
) -> tuple[tuple[int, TraceUpdate | None], ...]:
    """The ways on by one pass: the classes that let it on, and what has been done after it.

    Without ``hurdles`` nobody asks what was gone over.
    """
    by, over, take = classes_by_passage(mask)
    ways: list[tuple[int, TraceUpdate | None]] = [
        (by & ALL_CLASSES | (0 if hurdles else over), None),
        (over if hurdles else 0, _trace_after_hurdle),
        (take & PIECE_CLASSES, _trace_after_capture),
        (take & TRAIL, _trace_after_en_passant),
    ]
    return tuple((classes, after) for classes, after in ways if classes)


def moves_from(table: Table, context: BoardContext) -> frozenset[PieceMove]:
    """All moves the table holds for a scene seen by its mover; guards that fail are left out.

    The scene has the mover's view of the board, so a table of the second side is read with its
    offsets turned back.
    """

    def find(seen: BoardContext) -> frozenset[PieceMove]:
        with move_list_work_limit():
            return without_equivalent_moves(
                move
                for section in table.sections
                if seen.conditions_hold(section.guard)
                for move in _moves_of_section(section, seen, second=table.second)
            )

    return moves_with_effects(table.facts, context, find)


def _moves_of_section(
    section: TableSection, context: BoardContext, *, second: bool
) -> Iterable[PieceMove]:
    if section.trie is None:
        return part_moves_ignoring_guard(section.guard, section.automaton, context)
    trie = section.trie.rotated() if second else section.trie
    return _moves_of_trie(trie, section.guard, context)


def _moves_of_trie(trie: Trie, guard: Guard, context: BoardContext) -> Iterator[PieceMove]:
    classes = [_square_class(offset, context) for offset in trie.steps]
    nodes, skips = trie.nodes, trie.skips
    node = 0
    while node < len(nodes):
        word = nodes[node]
        step = word >> STEP_SHIFT
        standing = classes[step]
        if word & standing:
            trace = trie.traces.get(node, NO_TRACE)
            move = _move_from_trace(trace, trie.steps[step], standing, guard, context)
            # A piece taken en passant stands elsewhere, where it cannot be taken once more.
            if len(set(move.captures)) == len(move.captures):
                yield move
        node = node + 1 if word >> CLASS_BITS & standing else skips[node]


def _square_class(offset: Offset, context: BoardContext) -> int:
    square = (context.at[0] + offset[0], context.at[1] + offset[1])
    if not (0 <= square[0] < context.files and 0 <= square[1] < context.ranks):
        return OFF_BOARD_CLASS
    standing = context.contents.get(square, VACANT)
    return TRAIL if standing == VACANT and square in context.ep_squares else standing


def _move_from_trace(
    trace: PathTrace, to: Offset, standing: int, guard: Guard, context: BoardContext
) -> PieceMove:
    captures = tuple(
        _ep_victim(offset, context) if offset in trace.trail_captures else offset
        for offset in trace.captures
    )
    if to != (0, 0):
        if trace.takes_trail:
            captures = (*captures, _ep_victim(to, context))
        elif standing not in {VACANT, TRAIL}:
            captures = (*captures, to)
    own = tuple(
        (x, y)
        for x, y in captures
        if context.contents.get((context.at[0] + x, context.at[1] + y)) == FRIEND
    )
    return PieceMove(to, captures, trace.hurdles, own, trace.passed, None, guard)


def _ep_victim(offset: Offset, context: BoardContext) -> Offset:
    """The piece that is taken when this square is captured on en passant."""
    x, y = context.at
    victim = context.ep_squares[(x + offset[0], y + offset[1])]
    return (victim[0] - x, victim[1] - y)


def has_multiplying_paths(states: tuple[State, ...], *, hurdles: bool = True) -> bool:
    """Whether some loop leaves a choice at every round, so that paths multiply as they grow.

    So they do where the board wraps. Without ``hurdles`` it is no choice what is gone over.
    """
    for index, state in enumerate(states):
        again = 0
        for _, _, wrap, _, passes in state:
            if wrap:
                return True
            for mask, target in passes:
                if target < index:
                    return has_wrapping(states) or _component_has_branching_loop(
                        states, hurdles=hurdles
                    )
                if target == index:
                    again += len(_pass_branches(mask, hurdles))
        if again > 1:
            return True
    # Where nothing leads back, only a state itself can be reached from it again.
    return False


def _component_has_branching_loop(states: tuple[State, ...], *, hurdles: bool) -> bool:
    """Whether `has_multiplying_paths`, where any state may be reached from any other."""
    ways = [
        [
            target
            for record in state
            for mask, target in record[4]
            for _ in _pass_branches(mask, hurdles)
        ]
        for state in states
    ]
    circle = _strongly_connected_components(ways)
    return any(
        sum(circle[target] == circle[index] for target in targets) > 1
        for index, targets in enumerate(ways)
    )


def _strongly_connected_components(ways: list[list[int]]) -> list[int]:
    """A number for each state, shared by those that lead to each other (Kosaraju's algorithm)."""
    back = reverse_graph(ways)
    circle = [-1] * len(ways)
    for root in reversed(_depth_first_finishing_order(ways)):
        if circle[root] < 0:
            circle[root] = root
            queue = [root]
            for index in queue:
                fresh = [before for before in set(back[index]) if circle[before] < 0]
                for before in fresh:
                    circle[before] = root
                queue += fresh
    return circle


def _depth_first_finishing_order(ways: list[list[int]]) -> list[int]:
    """The states in the order in which a search depth first is done with them."""
    order: list[int] = []
    seen = [False] * len(ways)
    for root in range(len(ways)):
        stack = [(root, False)]
        while stack:
            index, left = stack.pop()
            if left:
                order.append(index)
            elif not seen[index]:
                seen[index] = True
                stack.append((index, True))
                stack += [(target, False) for target in ways[index] if not seen[target]]
    return order

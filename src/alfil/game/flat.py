"""A game and its positions as flat lists, for the core; see `alfil.game.core`.

Kinds are laid out when they are first met, with all that they may become.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alfil.game import core
from alfil.game.core import generate, perft
from alfil.game.plan import SIDES, Plan
from alfil.game.position import Act, Position
from alfil.game.rules import mates
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, VACANT
from alfil.tables.scene import OUTSIDE, Offset
from alfil.tables.table import CLASS_BITS, CLASS_MASK, NO_TRACE, STEP_SHIFT, Trie

# Moves there is room for at first.
ROOM = 1024
_WORTH = {"": 0, "any": core.ANY, "all": core.ALL}
_DROP_CHECKS = {"free": 0, "required": core.REQUIRED, "barred": core.FORBIDDEN}


def flat_of(plan: Plan) -> Flat | None:
    """The flat form of a game, made once; None for games with pieces the core cannot move."""
    if "flat" not in plan.kept:
        plan.kept["flat"] = None if _remembers(plan) else Flat(plan)
    found: Flat | None = plan.kept["flat"]
    return found


def acts_of(position: Position) -> list[Act] | None:
    """All legal moves in one fixed order, None where the core cannot tell."""
    flat = _at(position)
    if flat is None:
        return None
    room = ROOM
    while True:
        state = flat.state(position, room, 1)
        end = generate(flat.tables, state, state[core.MOVES])
        if end >= 0:
            acts = flat.acts(state, end)
            return [act for act, asks in acts if not asks or not mates(position, act)]
        room *= 4


def counted(position: Position, depth: int) -> int | None:
    """The number of sequences of ``depth`` legal moves, None where the core cannot tell."""
    flat = _at(position)
    if flat is None or flat.asks:
        return None
    room = ROOM * depth
    while True:
        count = perft(flat.tables, flat.state(position, room, depth), depth)
        if count >= 0:
            return count
        room *= 4


def _at(position: Position) -> Flat | None:
    flat = flat_of(position.plan)
    if flat is None or position.trail or not flat.knows(position):
        return None
    return flat


def _remembers(plan: Plan) -> bool:
    """Whether some move depends on more than what stands on the squares."""
    return any(part.guard for kind in plan.kinds for part in kind.meaning.parts)


class Flat:
    """A game in flat lists, and what makes positions of them and moves."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._wide = 2 * plan.files - 1
        self._margin = (plan.ranks - 1) * self._wide + plan.files - 1
        self._first = core.SCALARS + self._margin
        self._cells = 3 * self._margin + 1
        self._known: set[int] = {0}
        self._refused = False
        self._lists: dict[tuple[int, ...], int] = {(): 0}
        self._companies: dict[frozenset[int], int] = {}
        self._most_caught = 1
        self.asks = plan.rules.drops == "yes" and any(k.drop_mate == "barred" for k in plan.kinds)
        self.tables = [0] * (core.RECORD * (plan.mark + 1))
        self._note_board()
        self._note_rules()

    def knows(self, position: Position) -> bool:
        """Whether the core can move all pieces there are and may be; lays them out."""
        if not self._known.issuperset(position.board):
            self._learn((piece - 1) >> 1 for piece in set(position.board) if piece)
        for hand in position.hands:
            if any(hand):
                self._learn(kind for kind, count in enumerate(hand) if count)
        return not self._refused

    def state(self, position: Position, room: int, depth: int) -> list[int]:
        """A position in a flat list, with room for so many moves and so many made."""
        plan, state = self.plan, [0] * core.SCALARS
        files = plan.files
        board = [core.RECORD * plan.mark] * self._cells
        for rank in range(plan.ranks):
            start = self._margin + rank * self._wide
            pieces = position.board[rank * files : (rank + 1) * files]
            board[start : start + files] = [core.RECORD * piece for piece in pieces]
        state[core.SIDE] = position.turn
        # Marks, and the last move to each cell.
        state += board + [0] * (2 * self._cells)
        state[core.HANDS] = len(state)
        state += position.hands[0] + position.hands[1]
        caught = self._most_caught
        for where, length in (
            (core.OWN_AT, plan.size),
            (core.FOES_AT, plan.size),
            (core.NEAR_AT, plan.size),
            (core.ROYALS_AT, 3 * plan.size),
            (core.CAUGHT, caught),
            (core.STRUCK, caught),
            (core.LIFTED, caught),
            (core.FILES_AT, files),
            (core.SEEN, plan.mark),
            (core.STACK, 2 * depth),
            (core.UNDONE, (2 * caught + 4) * depth),
            (core.MOVES, core.WIDTH * room),
        ):
            state[where] = len(state)
            state += [0] * length
        return state

    def acts(self, state: list[int], end: int) -> Iterator[tuple[Act, bool]]:
        """The moves up to a place, as the rest of the engine has them.

        With each, whether it is a drop that must be seen not to mate.
        """
        tables = self.tables
        squares = tables[core.SQUARES]
        for at in range(state[core.MOVES], end, core.WIDTH):
            origin, target, node, arrives, flags, _ = state[at : at + core.WIDTH]
            last, becomes = tables[target + squares], arrives // core.RECORD
            if origin < 0:
                yield Act(becomes, -1, last, becomes), bool(flags & core.ASKS)
                continue
            captures: tuple[int, ...] = ()
            taken = tables[node + core.TAKEN]
            if taken:
                steps = tables[taken + 1 : taken + 1 + tables[taken]]
                captures = tuple(tables[origin + step + squares] for step in steps)
            if state[target] and target != origin:
                captures = (*captures, last)
            piece = state[origin] // core.RECORD
            yield Act(piece, tables[origin + squares], last, becomes, captures), False

    def _note_board(self) -> None:
        plan, tables = self.plan, self.tables
        places = [self._cell(square) for square in range(plan.size)]
        squares, zones = [0] * self._cells, [0] * self._cells
        for square, cell in enumerate(places):
            squares[cell - core.SCALARS] = square
            zones[cell - core.SCALARS] = plan.zone[0][square] | plan.zone[1][square] << 1
        tables[core.CELLS] = self._cells
        tables[core.PLACES] = self._put(places)
        tables[core.SQUARES] = self._put(squares) - core.SCALARS
        tables[core.ZONES] = self._put(zones) - core.SCALARS

    def _note_rules(self) -> None:
        plan, tables = self.plan, self.tables
        tables[core.CLASS] = core.VACANT
        tables[core.RECORD * plan.mark] = core.OUTSIDE
        tables[core.SIZE], tables[core.FILES] = plan.size, plan.files
        tables[core.KINDS] = len(plan.kinds)
        tables[core.LIMITED] = int(any(plan.file_limit))
        tables[core.TESTED] = int(plan.rules.self_check == "barred")
        for piece in range(1, plan.mark):
            self._note_piece(piece)
        if plan.rules.drops == "yes":
            tables[core.DROPS] = 1
            tables[core.DROPPABLE] = self._note_drops()

    def _cell(self, square: int) -> int:
        rank, file = divmod(square, self.plan.files)
        return self._first + rank * self._wide + file

    def _put(self, numbers: Iterable[int]) -> int:
        """Add numbers to the tables; where they begin."""
        place = len(self.tables)
        self.tables.extend(numbers)
        return place

    def _list(self, items: Iterable[int]) -> int:
        """The place of a list with these items, 0 for none."""
        key = tuple(items)
        found = self._lists.get(key)
        if found is None:
            found = self._lists[key] = self._put((len(key), *key))
        return found

    def _pieces(self, pieces: Iterable[int]) -> int:
        return self._list(piece * core.RECORD for piece in pieces)

    def _note_piece(self, piece: int) -> None:
        """What can be said of a piece without its moves."""
        plan, tables = self.plan, self.tables
        record, side, kind = piece * core.RECORD, (piece - 1) % 2, (piece - 1) >> 1
        first = (core.FIRST, core.SECOND)[side]
        to_hand = plan.rules.captured == "to-hand" and not plan.royal[piece]
        held = plan.base[piece] if plan.rules.captured_form == "base" else kind
        tables[record + core.CLASS] = first << plan.royal[piece]
        tables[record + core.OWNER] = side
        tables[record + core.WORTH] = _WORTH[plan.survive[piece]]
        tables[record + core.KIND] = kind
        tables[record + core.LIMIT] = plan.file_limit[piece]
        tables[record + core.ITSELF] = self._pieces((piece,))
        tables[record + core.HELD] = held if to_hand else -1
        if plan.barred[piece]:
            shield = (int(each in plan.barred[piece]) for each in range(len(plan.kinds)))
            tables[record + core.SHIELD] = self._put(shield)

    def _note_drops(self) -> int:
        """Note for all pieces how they are dropped; where the lists of pieces by kind begin."""
        plan, tables = self.plan, self.tables
        droppable = []
        for index, kind in enumerate(plan.kinds):
            for side in SIDES:
                piece = 1 + 2 * index + side
                record = piece * core.RECORD
                limit = kind.per_file if "drop" in kind.per_file_on else 0
                droppable.append(self._pieces(plan.drop_forms(index, side)))
                tables[record + core.SOURCES] = self._list(plan.drop_sources[piece])
                landings = self._list(map(self._cell, plan.drop_squares(piece)))
                tables[record + core.LANDINGS] = landings
                tables[record + core.DROP_LIMIT] = limit
                tables[record + core.DROP_CHECK] = _DROP_CHECKS[kind.drop_check]
                tables[record + core.ASKING] = core.ASKS if kind.drop_mate == "barred" else 0
        return self._put(droppable)

    def _learn(self, kinds: Iterable[int]) -> None:
        """Lay out these kinds of both sides, with all that they may become."""
        plan = self.plan
        waiting = list(kinds)
        while waiting and not self._refused:
            kind = waiting.pop()
            if 1 + 2 * kind in self._known:
                continue
            for side in SIDES:
                piece = 1 + 2 * kind + side
                self._refused |= not self._lay_out(piece)
                self._known.add(piece)
                waiting += [(form - 1) >> 1 for form in plan.forms(piece)]
            waiting.append(plan.base[1 + 2 * kind])

    def _lay_out(self, piece: int) -> bool:
        """Add the moves of a piece to the tables; False where that cannot be."""
        plan, tables = self.plan, self.tables
        tries = [layout.trie for layout in plan.parts(piece)]
        if any(trie is None or _takes_trail(trie) for trie in tries):
            return False
        record = piece * core.RECORD
        # Without conditions there is one part at most, so that its skips are those of the piece.
        nodes = [node for trie in tries if trie for node in self._nodes(trie, (piece - 1) % 2)]
        begin = len(tables)
        for node in nodes:
            node[core.SKIP] = begin + core.NODE * node[core.SKIP]
            self._put(node)
        tables[record + core.BEGIN], tables[record + core.END] = begin, len(tables)
        ends = [node[0] >> STEP_SHIFT for node in nodes if node[0] & CLASS_MASK]
        forms = plan.forms(piece)
        tables[record + core.TWINS] = int(len(set(ends)) < len(ends))
        tables[record + core.MOST] = len(ends) * (1 + len(forms))
        odd = forms or plan.royal[piece] or tables[record + core.TWINS] or tables[core.LIMITED]
        barred = any((piece - 1) >> 1 in kinds for kinds in plan.barred)
        tables[record + core.PLAIN] = int(not odd and not barred)
        if forms:
            tables[record + core.PROMOTES] = self._promotions(piece)
        self._add_aims(record)
        return True

    def _nodes(self, trie: Trie, side: int) -> Iterator[list[int]]:
        """The nodes of a trie; skips are numbers of nodes."""
        classes = _classes(side)
        distances = self._distances(trie.steps)
        for node, (word, skip) in enumerate(zip(trie.nodes, trie.skips, strict=True)):
            emit, descend = classes[word & CLASS_MASK], classes[word >> CLASS_BITS & CLASS_MASK]
            captures = self._distances(trie.traces.get(node, NO_TRACE).captures)
            self._most_caught = max(self._most_caught, len(captures) + 1)
            company = self._companies.setdefault(frozenset(captures), len(self._companies))
            distance = distances[word >> STEP_SHIFT] + core.BIAS
            first = distance << STEP_SHIFT | descend << CLASS_BITS | emit
            yield [first, skip, self._list(captures), company]

    def _distances(self, offsets: tuple[Offset, ...]) -> tuple[int, ...]:
        return tuple(y * self._wide + x for x, y in offsets)

    def _promotions(self, piece: int) -> int:
        """What a piece may be after a move: by target, start in the zone or not, capture or not."""
        plan = self.plan
        zone = plan.zone[(piece - 1) % 2]
        origins = [zone.index(inside) if inside in zone else 0 for inside in (False, True)]
        stuck = plan.kinds[(piece - 1) >> 1].promotion == "stuck"
        known: dict[int, list[int]] = {}
        found: list[int] = []
        for target in range(plan.size):
            # All but whether it is stuck there depends on the rank alone.
            key = target if stuck else target // plan.files
            if key not in known:
                known[key] = [
                    self._pieces(plan.becomes(piece, origin, target, captures=captures))
                    for origin in origins
                    for captures in (False, True)
                ]
            found += known[key]
        return self._put(found)

    def _add_aims(self, record: int) -> None:
        """Note which branches of a table may capture a royal at each distance."""
        tables = self.tables
        found: dict[int, list[int]] = {}
        node, end = tables[record + core.BEGIN], tables[record + core.END]
        while node < end:
            after = tables[node + core.SKIP]
            for distance in sorted(set(self._struck(node, after, record))):
                found.setdefault(distance, []).extend((node, after))
            node = after
        aims = [0] * (2 * self._margin + 1)
        for distance, branches in found.items():
            aims[distance + self._margin] = self._put((len(branches) // 2, *branches))
        tables[record + core.AIMS] = self._put(aims) + self._margin

    def _struck(self, node: int, end: int, record: int) -> Iterator[int]:
        """The distances at which one branch may capture a royal of the other side."""
        tables = self.tables
        royal = (core.SECOND_ROYAL, core.FIRST_ROYAL)[tables[record + core.OWNER]]
        for each in range(node, end, core.NODE):
            word, taken = tables[each], tables[each + core.TAKEN]
            if word & CLASS_MASK and taken:
                yield from tables[taken + 1 : taken + 1 + tables[taken]]
            if word & royal:
                yield (word >> STEP_SHIFT) - core.BIAS


def _takes_trail(trie: Trie) -> bool:
    return any(trace.takes_trail or trace.trail_captures for trace in trie.traces.values())


def _classes(side: int) -> list[int]:
    """The classes of the core for all sets of classes that one side's tables may have."""
    ours = core.FIRST | core.FIRST_ROYAL, core.SECOND | core.SECOND_ROYAL
    each = {
        VACANT: core.VACANT,
        FRIEND: ours[side],
        ENEMY: (core.SECOND, core.FIRST)[side],
        ROYAL: (core.SECOND_ROYAL, core.FIRST_ROYAL)[side],
        OUTSIDE: core.OUTSIDE,
    }
    return [
        sum(mapped for theirs, mapped in each.items() if mask & theirs)
        for mask in range(CLASS_MASK + 1)
    ]

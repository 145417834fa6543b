"""A game and its positions as flat arrays for the compiled body; see `alfil.game.core`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from copy import copy

from alfil.game import core
from alfil.game.plan import SIDES, Act, Patch, Plan
from alfil.game.position import Position
from alfil.game.reaches import reaches_of
from alfil.game.rules import in_check
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.tables.table import CLASS_BITS, CLASS_MASK, STEP_SHIFT

# Room for drops that are tried while it is found out whether another one mates.
MATES = 64
# More aims than this are not laid out: all pieces on all squares of a large board.
LARGEST = 8_000_000
# A word has three bits for the number of forms, and 17 for nodes to skip.
MOST_FORMS = core.FORMS
_SURVIVE = {"": 0, "any": core.ANY, "all": core.LAST}
_KINDS = {"move": core.MOVES_MADE, "every": core.EVERY}
# What a side's own tables call what stands on a square, by the shift of the core's class.
_CLASSES = (
    {core.VACANT: VACANT, core.FIRST: FRIEND, core.FIRST_ROYAL: FRIEND, core.SECOND: ENEMY,
     core.SECOND_ROYAL: ROYAL, core.PASSED: TRAIL},
    {core.VACANT: VACANT, core.FIRST: ENEMY, core.FIRST_ROYAL: ROYAL, core.SECOND: FRIEND,
     core.SECOND_ROYAL: FRIEND, core.PASSED: TRAIL},
)  # fmt: skip


def unsuited(plan: Plan) -> str:
    """Why a game cannot be laid out for the compiled body; empty if it can."""
    pieces = range(1, plan.mark)
    parts = [section for piece in pieces for section in plan.parts(piece)]
    traces = [trace for each in parts if each.trie for trace in each.trie.traces.values()]
    reasons = {
        "moves change other squares": plan.special,
        "drops are free, or depend on neighbours": plan.rules.drops == "free"
        or any("drop-place" in codes for codes in plan.drop_rules),
        "double check counts": plan.rules.duple_check == "yes",
        "captures must be made": plan.rules.must_capture == "yes",
        "some pieces hold others": plan.holding,
        "a piece roams": any(section.trie is None for section in parts),
        "en passant takes pieces on the way": any(trace.trail_captures for trace in traces),
        "a piece has too many forms": any(len(plan.forms(piece)) >= MOST_FORMS for piece in pieces),
        "the board is large": plan.mark * plan.size**2 > LARGEST,
        "moves depend on check": plan.rules.giving_check == "barred"
        or plan.rules.flight == "barred"
        or any(each.unchecked for kind in plan.kinds for each in kind.further),
        "promotion is limited": any(plan.side_limit),
        "castling goes to files": any(kind.castles_with for kind in plan.kinds),
        "drops come first": plan.rules.drops_first == "yes",
        "drops are limited on a colour": any(kind.per_colour for kind in plan.kinds),
        "royal pieces may face each other": plan.rules.facing == "bikjang",
        "who has no other move passes": plan.rules.passes == "stuck",
        "some pieces block others": any(kind.blocked_by for kind in plan.kinds),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def needs_care(plan: Plan) -> str:
    """Why the moves of a game are judged one by one; empty where each side has one plain royal."""
    pieces = range(1, plan.mark)
    reasons = {
        "check is not forbidden": plan.rules.self_check == "allowed",
        "there are several royal pieces": sum(plan.royal) != len(SIDES)
        or any(plan.royal[form] for piece in pieces for form in plan.forms(piece)),
        "some pieces cannot capture others": plan.iron,
        "a royal piece leaves a trail": any(
            condition.kind == "trail"
            for piece in pieces
            if plan.royal[piece]
            for section in plan.parts(piece)
            for condition in section.guard
        ),
        "a piece other than the royal castles": any(
            plan.castle_insets[piece] and not plan.royal[piece] for piece in pieces
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


class Arrays:
    """The tables of one game."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.careful = bool(needs_care(plan))
        self.words = array("q")
        self._lists: dict[tuple[int, ...], int] = {(): 0}
        self.table = [0] * core.HEADER
        self._companies: dict[frozenset[int], int] = {}
        # By node.
        self._quiet: list[int] = []
        self._taking: list[int] = []
        self._taken: list[int] = []
        self._company: list[int] = []
        self._trailing: list[int] = []
        self._passing: list[int] = []
        # By piece and square: branches that may capture on a square.
        self._aims: dict[tuple[int, int, int], list[int]] = {}
        self._reached: dict[tuple[int, int], set[int]] = {}
        self._trails: dict[frozenset[int], int] = {frozenset(): 0}
        # The most moves of one piece, and the most pieces that a move takes.
        self.most = self.most_taken = 1
        self._lay_out_pieces()
        self._lay_out_rules()
        self._lay_out_aims()
        self.index = array("i", self.table)
        self.masks = array("I", self._masks())
        self.drops = max(len(reaches_of(plan).droppable[side]) for side in SIDES)
        # Moves by the number that `core.survey` gives them, and the last number that one had.
        self.known: dict[int, Act] = {}
        self.numbers: dict[Act, int] = {}

    def _masks(self) -> Iterator[int]:
        """Sets of squares, 32 a word: where each piece may be dropped, then the files."""
        plan = self.plan
        sets = [sum(plan.bits[s] for s in plan.drop_squares(p)) for p in range(1, plan.mark)]
        for squares in [*sets, *reaches_of(plan).files]:
            for word in range(self.table[core.WORDS]):
                yield squares >> 32 * word & 0xFFFFFFFF

    def _put(self, numbers: Iterable[int]) -> int:
        place = len(self.table)
        self.table.extend(numbers)
        return place

    def _list(self, items: Iterable[int]) -> int:
        """The place of a list with these items, 0 for none."""
        key = tuple(items)
        found = self._lists.get(key)
        if found is None:
            found = self._lists[key] = self._put((len(key), *key))
        return found

    def _lay_out_pieces(self) -> None:
        plan, size = self.plan, self.plan.size
        begin, end, parts = ([0] * (plan.mark * size) for _ in range(3))
        twins, special, odd, passes = ([0] * plan.mark for _ in range(4))
        hopping = not all(reaches_of(plan).lines[1:])
        for piece in range(1, plan.mark):
            for square in range(size):
                at = piece * size + square
                patches = self._patches(piece, square)
                begin[at] = len(self.words)
                if all(_is_plain(patch) for patch in patches):
                    for patch in patches:
                        self._nodes(piece, square, patch)
                    end[at] = len(self.words)
                else:
                    end[at] = begin[at]
                    parts[at] = self._parts(piece, square, patches)
                # Where pieces hop, those that leave a trail may open what is taken over it.
                odd[piece] |= hopping and any(self._trailing[begin[at] :])
                passes[piece] |= any(self._passing[begin[at] :])
                self._note(piece, begin[at], (twins, special, odd), square)
        header = {
            core.BEGIN: begin,
            core.END: end,
            core.PARTS: parts,
            core.QUIET: self._quiet,
            core.TAKING: self._taking,
            core.TAKEN: self._taken,
            core.COMPANY: self._company,
            core.TRAILING: self._trailing,
            core.PASSING: self._passing,
            core.TWINS: twins,
            core.SPECIAL: special,
            core.ODD: self._crowding(odd),
            core.PASSES: passes,
        }
        for place, numbers in header.items():
            self.table[place] = self._put(numbers)

    def _patches(self, piece: int, square: int) -> list[Patch]:
        """The parts of a piece's moves that can ever hold on a square."""
        third = self.plan.third_rank(piece, square)
        return [
            patch
            for patch in self.plan.patches(piece, square)
            if third or all(condition.kind != "third-rank" for condition in patch.guard)
        ]

    def _parts(self, piece: int, square: int, patches: list[Patch]) -> int:
        items = []
        for patch in patches:
            first = len(self.words)
            self._nodes(piece, square, patch)
            holds: list[int] = []
            for condition in patch.guard:
                if condition.kind in _KINDS:
                    kind = _KINDS[condition.kind]
                    holds += [kind, condition.value - (kind == core.MOVES_MADE)]
            place = self._list(holds)
            items += [place, *(patch.castle or (0, 0)), first, len(self.words)]
        place = len(self.table)
        self.table += [len(items) // core.PART, *items]
        return place

    def _nodes(self, piece: int, square: int, patch: Patch) -> None:
        """Add the nodes of one part from one square."""
        plan, base = self.plan, len(self.words)
        classes = _CLASSES[(piece - 1) % 2]
        reached = self._reached.setdefault((piece, square), set())
        for word, skip, end in zip(patch.nodes, patch.skips, patch.ends, strict=True):
            target = word >> STEP_SHIFT
            emit, descend = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
            forms = [
                plan.becomes(piece, square, target, captures=captures) for captures in (False, True)
            ]
            if end.captures or target == square:
                forms = [forms[bool(end.captures)]] * 2
            bits = 0
            for shift, standing in classes.items():
                captures = shift not in {core.VACANT, core.PASSED} or end.takes_trail
                number = len(forms[captures]) if emit & standing else 0
                bits |= (number | core.ON * bool(descend & standing)) << shift
            self.words.append(bits | (base + skip - len(self.words)) << core.SKIP_AT | target)
            reached.add(target)
            self._quiet.append(self._list(forms[0]))
            self._taking.append(self._list(forms[1]))
            self._taken.append(self._list(end.captures))
            company = frozenset(end.captures)
            self._company.append(self._companies.setdefault(company, len(self._companies)))
            self.most_taken = max(self.most_taken, len(end.captures) + 1)
            trail = self._list(end.passed) if patch.leaves_trail and emit else 0
            self._trails.setdefault(frozenset(end.passed), trail) if trail else None
            self._trailing.append(trail)
            self._passing.append(int(end.takes_trail))
        self._note_aims(piece, square, base)

    def _note_aims(self, piece: int, square: int, first: int) -> None:
        """Note which branches may capture a royal, and where."""
        royal = core.FIRST_ROYAL if piece % 2 == 0 else core.SECOND_ROYAL
        node = first
        while node < len(self.words):
            after = node + (self.words[node] >> core.SKIP_AT & core.SKIPS)
            struck: dict[int, int] = {}
            for each in range(node, after):
                word = self.words[each]
                if word >> royal & core.FORMS:
                    struck[word & core.SQUARE] = each + 1
                taken = self._taken[each]
                if taken:
                    for at in self.table[taken + 1 : taken + 1 + self.table[taken]]:
                        struck[at] = each + 1
            for target, last in struck.items():
                self._aims.setdefault((piece, target, square), []).extend((node, last))
            node = after

    def _note(
        self, piece: int, first: int, facts: tuple[list[int], list[int], list[int]], square: int
    ) -> None:
        """Note what is odd about the moves of a piece from one square."""
        twins, special, odd = facts
        own = core.FIRST if piece % 2 else core.SECOND
        ends = [
            (word & core.SQUARE, self._taken[node + first])
            for node, word in enumerate(self.words[first:])
            if any(word >> shift & core.FORMS for shift in _CLASSES[0])
        ]
        twins[piece] |= len({target for target, _ in ends}) < len(ends)
        special[piece] |= any(taken or target == square for target, taken in ends)
        odd[piece] |= any(word >> own & core.FORMS for word in self.words[first:])
        self.most = max(self.most, len(ends) * (1 + len(self.plan.forms(piece))))
        odd[piece] |= special[piece] | twins[piece]

    def _crowding(self, odd: list[int]) -> list[int]:
        plan = self.plan
        return [
            int(each or any(plan.file_limit[f] for f in (p, *plan.forms(p)))) if p else 0
            for p, each in enumerate(odd)
        ]

    def _lay_out_rules(self) -> None:
        plan, table, size = self.plan, self.table, self.plan.size
        pieces = range(1, plan.mark)
        lines = [each is not None for each in reaches_of(plan).lines]
        kinds = [None, *(plan.kinds[(piece - 1) >> 1] for piece in pieces)]
        checks = {"free": 0, "required": 1, "barred": 2}
        table[core.SIZE], table[core.PIECES], table[core.FILES] = size, plan.mark, plan.files
        table[core.KINDS] = len(plan.kinds)
        table[core.LIMITED] = int(any(plan.file_limit))
        table[core.HOPPING] = int(not all(lines[1:]))
        table[core.WORDS] = (size + 31) // 32
        table[core.MATING] = int(any("drop-mate" in rules for rules in plan.drop_rules))
        table[core.LENIENT] = int(plan.rules.self_check == "allowed")
        table[core.IRON] = int(plan.iron)
        table[core.TWO_KINDS] = int(any(len(kinds) > 1 for kinds in plan.drop_sources))
        swift = reaches_of(plan).swift
        header = {
            core.SHIFT: [core.VACANT, *map(self._shift, pieces)],
            core.HELD: [0, *(plan.held[piece] + 1 for piece in pieces)],
            core.LIMIT: plan.file_limit,
            core.CROWDS: self._crowding([0] * plan.mark),
            core.HOPS: [int(not each) for each in lines],
            core.LINES: [
                int(each and (swift or not plan.castle_insets[piece])) if piece else 0
                for piece, each in enumerate(lines)
            ],
            core.DROP_LIMIT: [
                kind.per_file if kind and "file" in plan.drop_rules[piece] else 0
                for piece, kind in enumerate(kinds)
            ],
            core.DROP_CHECK: [checks[kind.drop_check] if kind else 0 for kind in kinds],
            core.DROP_MATE: [int("drop-mate" in rules) for rules in plan.drop_rules],
            core.FILE_OF: [square % plan.files for square in range(size)],
            core.ROYAL: [_SURVIVE[each] for each in plan.survive],
            core.BARRED: [
                int(bool(p and (p - 1) >> 1 in barred))
                for p in range(plan.mark)
                for barred in plan.barred
            ],
            core.REMEMBERED: [max(limit, plan.castles) for limit in plan.count_limits],
            core.STARTS: [plan.starting.get(square, 0) for square in range(size)],
        }
        for place, numbers in header.items():
            table[place] = self._put(numbers)
        droppable = [self._droppable(side) for side in SIDES]
        table[core.DROPPABLE] = self._put(droppable)

    def _shift(self, piece: int) -> int:
        first = core.SECOND if piece % 2 == 0 else core.FIRST
        return first + (core.FIRST_ROYAL - core.FIRST) * self.plan.royal[piece]

    def _droppable(self, side: int) -> int:
        """The list of what a side may drop: kind in hand and piece put down, by turns."""
        plan = self.plan
        if plan.rules.drops == "no":
            return self._put((0,))
        listed = reaches_of(plan).droppable[side]
        return self._put((len(listed), *(n for kind, piece, *_ in listed for n in (kind, piece))))

    def _lay_out_aims(self) -> None:
        plan, size = self.plan, self.plan.size
        self.aims = array("i", bytes(4 * plan.mark * size * size))
        self.near = array("B", bytes(plan.mark * size * size))
        sources: dict[tuple[int, int], list[int]] = {}
        for (piece, target, square), branches in self._aims.items():
            place = self._list((len(branches) // 2, *branches)) + 1
            self.aims[(piece * size + target) * size + square] = place
            self.near[(piece * size + target) * size + square] = 1
            sources.setdefault((piece, target), []).append(square)
        for royal in range(1, plan.mark):
            if plan.royal[royal]:
                for square in range(size):
                    self._note_beside(royal, square, sources)
        empty = self._put((0,))
        listed = [empty] * (plan.mark * size)
        for (piece, target), squares in sources.items():
            listed[piece * size + target] = self._list(sorted(squares)) or empty
        self.table[core.SOURCES] = self._put(listed)

    def _note_beside(
        self, royal: int, square: int, sources: dict[tuple[int, int], list[int]]
    ) -> None:
        """Note which enemies aim at a square to which a royal may go from where it stands."""
        size = self.plan.size
        for piece in range(1 + royal % 2, self.plan.mark, 2):
            for target in self._reached[royal, square]:
                for origin in sources.get((piece, target), ()):
                    self.near[(piece * size + square) * size + origin] |= 2

    def trail(self, squares: frozenset[int]) -> int:
        """The list of the squares that a move has passed, 0 for none."""
        found = self._trails.get(squares)
        if found is None:
            found = self._trails[squares] = self._list(sorted(squares))
            self.index = array("i", self.table)
        return found


class State:
    """A position in arrays, with room for so many lists of moves, one in the other.

    There is room to make so many moves; those of the lists unless more are asked for.
    """

    def __init__(self, arrays: Arrays, position: Position, depth: int, longest: int = 0) -> None:
        plan = arrays.plan
        size = plan.size
        self.arrays = arrays
        words = (size + 31) // 32
        st = [0] * core.SCALARS
        for place, length in (
            (core.BOARD, size),
            (core.LISTS, 2 * size),
            (core.PLACES, size + 1),
            (core.HANDS, 2 * len(plan.kinds)),
            (core.ON_FILE, plan.mark * plan.files),
            (core.MADE, size + 1),
            (core.NEAR, size),
            (core.BESIDE, size),
            (core.NODES, arrays.most + 1),
            (core.ORDER, size),
            (core.UNDO, (max(depth, longest) + MATES) * (6 + 4 * arrays.most_taken)),
        ):
            st[place] = len(st)
            st += [0] * length
        classes = bytearray([core.VACANT]) * (size + 1)
        occupied = [0] * words
        for square, piece in enumerate(position.board):
            st[st[core.MADE] + square] = position.made[square]
            if piece:
                self._place(st, square, piece)
                classes[square] = arrays.index[arrays.index[core.SHIFT] + piece]
                occupied[square >> 5] |= 1 << (square & 31)
        st[st[core.HANDS] : st[core.HANDS] + 2 * len(plan.kinds)] = (
            position.hands[0] + position.hands[1]
        )
        st[core.SIDE] = position.turn
        one_each = [*map(len, position.royals)] == [1, 1]
        careful = arrays.careful or not one_each or in_check(position, 1 - position.turn)
        for side in SIDES:
            st[core.ROYALS + side] = size if careful else position.royals[side][0]
        st[core.CAREFUL] = int(careful)
        st[core.TRAIL] = arrays.trail(frozenset(position.trail))
        st[core.VICTIM] = next(iter(position.trail.values()), 0)
        men = sum(st[core.COUNTS : core.COUNTS + 2]) + sum(map(sum, position.hands))
        room = men * arrays.most + arrays.drops * size + MATES
        self.st = array("i", st)
        self.sh = array("B", classes)
        self.oc = array("I", occupied) + arrays.masks
        self.mk = array("i", bytes(4 * (size + 1)))
        self.mv = array("i", bytes(4 * core.WIDTH * (room * (depth + 2) + longest)))

    def changing(self) -> tuple[array[int], ...]:
        """The arrays that the core changes."""
        return (self.st, self.sh, self.oc, self.mk, self.mv)

    def copy(self) -> State:
        """The same position with room of its own."""
        other = copy(self)
        other.st, other.sh, other.oc = self.st[:], self.sh[:], self.oc[:]
        other.mk, other.mv = self.mk[:], self.mv[:]
        return other

    def make_room(self, longest: int) -> None:
        """Let so many moves more be made; the arrays are in other places afterwards."""
        self.st.extend([0] * longest * (6 + 4 * self.arrays.most_taken))

    def _place(self, st: list[int], square: int, piece: int) -> None:
        plan, side = self.arrays.plan, (piece - 1) % 2
        place = st[core.COUNTS + side]
        st[st[core.BOARD] + square] = piece
        st[st[core.LISTS] + side * plan.size + place] = square
        st[st[core.PLACES] + square] = place
        st[core.COUNTS + side] = place + 1
        st[st[core.ON_FILE] + piece * plan.files + square % plan.files] += 1

    def acts(self, first: int, end: int) -> list[Act]:
        """The moves of the list between two places, as the rest of the engine has them."""
        index, mv, st = self.arrays.index, self.mv, self.st
        board = st[core.BOARD]
        size, trails, takens = self.arrays.plan.size, index[core.TRAILING], index[core.TAKEN]
        found = []
        for at in range(first, end, core.WIDTH):
            origin, target, becomes, node, partner, flags = mv[at : at + core.WIDTH]
            if origin == size:
                found.append(Act(becomes, -1, target, becomes))
                continue
            captures = _items(index, index[takens + node])
            if flags & core.PASSANT:
                captures += (st[core.VICTIM],)
            elif st[board + target] and target != origin and not partner:
                captures += (target,)
            carried = ((partner - 1) >> 11, (partner - 1) & core.SQUARE) if partner else ()
            trail = _items(index, index[trails + node])
            piece = st[board + origin]
            found.append(Act(piece, origin, target, becomes, captures, carried, trail))
        return found


def _items(index: array[int], place: int) -> tuple[int, ...]:
    return tuple(index[place + 1 : place + 1 + index[place]]) if place else ()


def _is_plain(patch: Patch) -> bool:
    """Whether a part has no conditions but such as are known for its square."""
    return all(condition.kind in {"third-rank", "middle"} for condition in patch.guard)

"""A game and its positions as flat arrays for the compiled body; see `alfil.game.core`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from copy import copy

from alfil.game import core, core_ends, core_making
from alfil.game.plan import MOVES_KEPT, SIDES, Act, Bounded, Patch, Plan
from alfil.game.position import Position
from alfil.game.reaches import attacks_in, reaches_of
from alfil.game.rules import in_check
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.meaning.piece import PLACED
from alfil.tables.table import CLASS_BITS, CLASS_MASK, STEP_SHIFT, Section

# Room for drops that are tried while it is found out whether another one mates.
MATES = 64
# More aims than this are not laid out: all pieces on all squares of a large board.
LARGEST = 8_000_000
_SURVIVE = {"": 0, "any": core.ANY, "all": core.LAST}
_KINDS = {"move": core.MOVES_MADE, "every": core.EVERY}
# What a side's own tables call what stands on a square, by the shift of the core's class.
_CLASSES = (
    {core.VACANT: VACANT, core.FIRST: FRIEND, core.FIRST_ROYAL: FRIEND, core.SECOND: ENEMY,
     core.SECOND_ROYAL: ROYAL, core.PASSED: TRAIL, core.WALLED: FRIEND, core.FIRST_APART: FRIEND,
     core.SECOND_APART: ENEMY},
    {core.VACANT: VACANT, core.FIRST: ENEMY, core.FIRST_ROYAL: ROYAL, core.SECOND: FRIEND,
     core.SECOND_ROYAL: FRIEND, core.PASSED: TRAIL, core.WALLED: FRIEND, core.FIRST_APART: ENEMY,
     core.SECOND_APART: FRIEND},
)  # fmt: skip
_APART = (core.FIRST_APART, core.SECOND_APART)
_WALLS = {"arrow": core.ARROW, "anywhere": core.ANYWHERE, "left": core.LEFT, "duck": core.DUCK}
_FLIPS = {"adjacent": core.ADJACENT, "enclosed": core.ENCLOSED}
_DROPS = {"drop-place": core.IN_PLACE, "drop-colour": core.ON_COLOUR}


def unsuited(plan: Plan) -> str:
    """Why a game cannot be laid out for the compiled body; empty if it can."""
    pieces = range(1, plan.mark)
    parts = [section for piece in pieces for section in plan.parts(piece)]
    traces = [trace for each in parts if each.trie for trace in each.trie.traces.values()]
    rules = plan.rules
    reasons = {
        "pieces burn, shoot or hold others": plan.burning or plan.freezing or plan.holding,
        "files are limited where moves change other squares": plan.special and any(plan.file_limit),
        "drops are free where the hand matters": rules.drops == "free"
        and (rules.captured == "to-hand" or rules.drops_first == "yes" or any(plan.gates)),
        "double check counts where moves change other squares": plan.special
        and rules.duple_check == "yes",
        "castling, and walls by arrows": rules.wall == "arrow" and plan.castles,
        "moves depend on the turn of a side": plan.round > 1,
        "a piece roams": any(section.trie is None for section in parts),
        "en passant takes pieces on the way": any(trace.trail_captures for trace in traces),
        "the board is large": plan.mark * plan.size**2 > LARGEST,
        "pieces block different others, or royal ones": len(_blockers(plan)) > 1
        or any(plan.royal[plan.piece(code, 0)] for each in _blockers(plan) for code in each),
        "promotion is a move of its own": any(plan.apart),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _blockers(plan: Plan) -> set[tuple[str, ...]]:
    """The groups of pieces, by their codes, that some piece neither passes nor captures."""
    return {tuple(sorted(kind.blocked_by)) for kind in plan.kinds if kind.blocked_by}


def _changes(plan: Plan) -> bool:
    """Whether moves change more than what goes and what is captured, whatever is left behind."""
    rules = plan.rules
    ways = {rules.explosion, rules.flip, rules.wall}
    return ways != {"none"} or any(plan.petrifies)


def needs_care(plan: Plan) -> str:
    """Why the moves of a game are judged one by one; empty where each side has one plain royal."""
    pieces, rules = range(1, plan.mark), plan.rules
    reasons = {
        "check is not forbidden": rules.self_check == "allowed",
        "there are several royal pieces": sum(plan.royal) != len(SIDES)
        or any(plan.royal[form] for piece in pieces for form in plan.forms(piece)),
        "some pieces cannot capture others": plan.iron,
        "moves change other squares": _changes(plan) or any(plan.gates),
        "captures must be made": rules.must_capture == "yes",
        "who has no other move passes": rules.passes == "stuck",
        "moves depend on check": "barred" in {rules.giving_check, rules.flight},
        "royal pieces may face each other": rules.facing == "bikjang",
        "drops are free, come first, or depend on neighbours": rules.drops == "free"
        or rules.drops_first == "yes"
        or any({*codes} & {*_DROPS} for codes in plan.drop_rules),
        "castling goes to files": any(plan.partners),
        "a piece captures its own side, and there are walls": plan.walled
        and any(_takes_own(section) for piece in pieces for section in plan.parts(piece)),
        "a royal piece leaves a trail": any(
            plan.royal[piece] and plan.leaves_trail(piece) for piece in pieces
        ),
        "what is attacked depends on the moves made": any(
            _attacks_by_count(section) for piece in pieces for section in plan.parts(piece)
        ),
        "a piece other than the royal castles": any(
            plan.castle_insets[piece] and not plan.royal[piece] for piece in pieces
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _takes_own(section: Section) -> bool:
    return section.trie is None or any(word & FRIEND for word in section.trie.nodes)


def _attacks_by_count(section: Section) -> bool:
    """Whether a piece may capture a royal after some numbers of its moves only."""
    if section.trie is None or not any(each.kind in _KINDS for each in section.guard):
        return False
    captures = any(trace.captures for trace in section.trie.traces.values())
    return captures or any(word & ROYAL for word in section.trie.nodes)


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
        # The most moves of one piece, and the most squares that a move changes.
        self.most = self.most_taken = 1
        self._apart = {plan.piece(c, s) for each in _blockers(plan) for c in each for s in SIDES}
        self._lay_out_pieces()
        self._lay_out_rules()
        self._lay_out_aims()
        self.index = array("i", self.table)
        # Whether what a move captures and changes depends on more than its node.
        self.varied = _changes(plan) or any(plan.gates)
        self.masks = array("I", self._masks())
        self.drops = max(len(reaches_of(plan).droppable[side]) for side in SIDES)
        # Moves by the number that `core.survey` gives them, and the last number that one had.
        self.known: Bounded[int, Act] = Bounded(MOVES_KEPT)
        self.numbers: Bounded[Act, int] = Bounded(MOVES_KEPT)

    def _masks(self) -> Iterator[int]:
        """Sets of squares, 32 a word: where each piece may be dropped, then the files."""
        plan = self.plan
        sets = [sum(plan.bits[s] for s in plan.drop_squares(p)) for p in range(1, plan.mark)]
        for squares in [*sets, *reaches_of(plan).files]:
            for word in range(self.table[core.WORDS]):
                yield squares >> 32 * word & 0xFFFFFFFF

    def _put(self, numbers: Iterable[int]) -> int:
        # What is put may put lists there itself.
        listed = [*numbers]
        place = len(self.table)
        self.table.extend(listed)
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
        hopping = not all(attacks_in(plan, piece) for piece in range(1, plan.mark))
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
        self.table[core.HOPPING] = int(hopping)
        self.table[core.LEAVING] = int(hopping and any(self._trailing))
        self.table[core.NOTHING] = len(self.words)
        for numbers in (self._quiet, self._taking, self._taken, self._company, self._trailing):
            numbers.append(0)
        self.words.append(0)
        self._passing.append(0)
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
            core.ODD: self._crowding(
                [p and (each or self._is_counted_by_hand(p)) for p, each in enumerate(odd)]
            ),
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
            nodes = (first, len(self.words))
            items += [place, *(patch.castle or (0, 0)), *nodes, int(patch.unchecked)]
        place = len(self.table)
        self.table += [len(items) // core.PART, *items]
        return place

    def _nodes(self, piece: int, square: int, patch: Patch) -> None:
        """Add the nodes of one part from one square."""
        plan, base = self.plan, len(self.words)
        classes = _CLASSES[(piece - 1) % 2]
        if plan.kinds[(piece - 1) >> 1].blocked_by:
            classes = classes | dict.fromkeys(_APART, 0)
        reached = self._reached.setdefault((piece, square), set())
        for word, skip, end in zip(patch.nodes, patch.skips, patch.ends, strict=True):
            target = word >> STEP_SHIFT
            emit, descend = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
            forms = [
                plan.becomes(piece, square, target, captures=captures) for captures in (False, True)
            ]
            if end.captures or target == square:
                passes = plan.passing[piece] and not end.captures
                forms = [(piece,) if passes else forms[bool(end.captures)]] * 2
            bits = 0
            for shift, standing in classes.items():
                captures = shift not in {core.VACANT, core.PASSED} or end.takes_trail
                number = min(core.FORMS, len(forms[captures])) if emit & standing else 0
                bits |= (number | core.ON * bool(descend & standing)) << shift
            bits |= (base + skip - len(self.words)) << core.SKIP_AT | target
            self.words.append(bits - (bits >> 63 << 64))
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

    def _is_counted_by_hand(self, piece: int) -> bool:
        """Whether the number of forms is not that of the words, or not all forms may arrive."""
        forms = self.plan.forms(piece)
        return len(forms) >= core.FORMS or any(self.plan.side_limit[form] for form in forms)

    def _lay_out_rules(self) -> None:
        plan, table, size = self.plan, self.table, self.plan.size
        pieces = range(1, plan.mark)
        lines = [each is not None for each in reaches_of(plan).lines]
        kinds = [None, *(plan.kinds[(piece - 1) >> 1] for piece in pieces)]
        checks = {"free": 0, "required": core.CHECKING, "barred": core.QUIETLY}
        table[core.SIZE], table[core.PIECES], table[core.FILES] = size, plan.mark, plan.files
        table[core.KINDS] = len(plan.kinds)
        table[core.LIMITED] = int(any(plan.file_limit))
        table[core.WORDS] = (size + 31) // 32
        table[core.MATING] = int(any("drop-mate" in rules for rules in plan.drop_rules))
        table[core.LENIENT] = int(plan.rules.self_check == "allowed")
        table[core.IRON] = int(plan.iron or plan.walled)
        table[core.TWO_KINDS] = int(any(len(kinds) > 1 for kinds in plan.drop_sources))
        swift = reaches_of(plan).swift
        header = {
            core.SHIFT: [core.VACANT, *map(self._shift, pieces), core.WALLED],
            core.HELD: [0, *(plan.held[piece] + 1 for piece in pieces)],
            core.LIMIT: plan.file_limit,
            core.CROWDS: self._crowding([0] * plan.mark),
            core.HOPS: [1, *(int(not attacks_in(plan, piece)) for piece in pieces)],
            core.LINES: [
                int(each and (2 * swift if plan.castle_insets[piece] else 1)) if piece else 0
                for piece, each in enumerate(lines)
            ],
            core.DROP_LIMIT: [
                kind.per_file if kind and "file" in plan.drop_rules[piece] else 0
                for piece, kind in enumerate(kinds)
            ],
            core.DROP_CHECK: [
                checks[kind.drop_check]
                + sum(_DROPS.get(code, 0) for code in plan.drop_rules[piece])
                if kind
                else 0
                for piece, kind in enumerate(kinds)
            ],
            core.DROP_MATE: [int("drop-mate" in rules) for rules in plan.drop_rules],
            core.FILE_OF: [square % plan.files for square in range(size)],
            core.ROYAL: [*(_SURVIVE[each] for each in plan.survive), 0],
            core.BARRED: [
                int(bool(p and (p - 1) >> 1 in barred))
                for p in range(plan.mark)
                for barred in [*plan.barred, range(len(plan.kinds))]
            ],
            core.REMEMBERED: [max(limit, plan.castles) for limit in plan.count_limits],
            core.STARTS: [plan.starting.get(square, 0) for square in range(size)],
        }
        for place, numbers in header.items():
            table[place] = self._put(numbers)
        self._lay_out_effects()
        droppable = [self._droppable(side) for side in SIDES]
        table[core.DROPPABLE] = self._put(droppable)

    def _lay_out_effects(self) -> None:
        """What only few games have; see `alfil.game.core_effects`."""
        plan, table, rules = self.plan, self.table, self.plan.rules
        flags = {
            core.EFFECTS: _changes(plan),
            core.EXPLODING: rules.explosion == "captures",
            core.GATING: any(plan.gates),
            core.ENDLESS: rules.drops == "free",
            core.SETTING: rules.drops_first == "yes",
            core.STUCK_PASSES: rules.passes == "stuck",
            core.TAKE_FIRST: rules.must_capture == "yes",
            core.MEETING: rules.facing == "bikjang",
            core.STILL: rules.giving_check == "barred",
            core.STANDING_FAST: rules.flight == "barred",
            core.DUPLE: rules.duple_check == "yes",
            core.BESIDE_OWN: rules.drop_beside == "own",
        }
        for place, holds in flags.items():
            table[place] = int(holds)
        # What leaves pieces behind builds nothing.
        table[core.WALLING] = 0 if any(plan.gates) else _WALLS.get(rules.wall, 0)
        table[core.TURNING] = _FLIPS.get(rules.flip, 0)
        table[core.EXTINCTION] = self._extinction()
        if any(plan.side_limit):
            table[core.SIDE_LIMIT] = self._put(plan.side_limit)
        if any(plan.castles_only):
            only = (self._list(sorted(each)) for each in plan.castles_only)
            table[core.ONLY_WITH] = self._put(only)
        if any(plan.partners):
            table[core.CASTLING] = self._put(map(self._castling, range(plan.mark)))
        around = [self._list(each) for each in plan.around]
        rays = [self._list(ray) or self._put((0,)) for each in plan.rays for ray in each]
        tables = {
            core.BLAST: map(self._blast, range(plan.mark + 1)),
            core.GATES: map(int, plan.gates),
            core.STAYS: map(int, plan.passing),
            core.MAY_WALL: self._on_squares(plan.may_wall),
            core.OPENS: self._on_squares(plan.opening),
            core.HOLES: self._on_squares((plan.holes,)),
            core.AROUND: around,
            core.RAYS: rays,
            core.COLOUR_LIMIT: [kind.per_colour for kind in plan.kinds],
        }
        for place, numbers in tables.items():
            table[place] = self._put(numbers)
        if any(plan.gates):
            self.most *= 1 + 2 * len(plan.kinds)
        changed = {"none": 0, "adjacent": 8, "enclosed": 4 * max(plan.files, plan.ranks)}
        self.most_taken += 8 * (rules.explosion != "none") + changed[rules.flip]
        self.most_taken += plan.special * (3 + plan.walled)

    def _extinction(self) -> int:
        """What too few pieces mean; see `alfil.game.core_ends`."""
        plan, rule = self.plan, self.plan.rules.extinction
        if rule is None:
            return 0
        meant = {"win": 1, "loss": -1, "draw": core_ends.DRAW}
        lists = [[self._list(kinds) for kinds in plan.sorts(side)] for side in SIDES]
        sorts = [self._put((len(each), *each)) for each in lists]
        return self._put((rule.left, meant[rule.result], *sorts))

    def _on_squares(self, sets: Iterable[int]) -> list[int]:
        return [each >> square & 1 for each in sets for square in range(self.plan.size)]

    def _castling(self, piece: int) -> int:
        """The list of how a piece castles to files: left, right, and its partners."""
        plan = self.plan
        if not plan.partners[piece]:
            return 0
        kind = plan.kinds[(piece - 1) >> 1]
        return self._list([*(kind.castles_to or ()), *sorted(plan.partners[piece])])

    def _blast(self, piece: int) -> int:
        plan = self.plan
        if not 0 < piece < plan.mark:
            return 0
        found = core.TAKEN_ALONG * (plan.blast[piece] == "always")
        found |= core.PERISHING * (plan.blast[piece] != "never")
        return found | core.PETRIFYING * plan.petrifies[piece]

    def _shift(self, piece: int) -> int:
        if piece in self._apart:
            return _APART[(piece - 1) % 2]
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
            for target in self._reached.get((royal, square), ()):
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
            (core.ON_FILE, (plan.mark + 1) * plan.files),
            (core.MADE, size + 1),
            (core.NEAR, size),
            (core.BESIDE, size),
            (core.NODES, arrays.most + 1),
            (core.ORDER, size),
            (core.SPOTS, size),
            (core.UNDO, (max(depth, longest) + MATES) * (7 + 4 * arrays.most_taken)),
        ):
            st[place] = len(st)
            st += [0] * length
        classes = bytearray([core.VACANT]) * (size + 1)
        occupied = [0] * words
        for square, piece in enumerate(position.board):
            st[st[core.MADE] + square] = position.made[square]
            if piece:
                self._place(st, square, piece)
                classes[square] = arrays.index[arrays.index[core.SHIFT] + min(piece, plan.mark)]
                occupied[square >> 5] |= 1 << (square & 31)
        free = plan.rules.drops == "free"
        hands = [plan.endless, plan.endless] if free else position.hands
        st[st[core.HANDS] : st[core.HANDS] + 2 * len(plan.kinds)] = hands[0] + hands[1]
        st[core.SIDE] = position.turn
        one_each = [*map(len, position.royals)] == [1, 1]
        careful = arrays.careful or not one_each or in_check(position, 1 - position.turn)
        for side in SIDES:
            st[core.ROYALS + side] = size if careful else position.royals[side][0]
        st[core.CAREFUL] = int(careful)
        st[core.TRAIL] = arrays.trail(frozenset(position.trail))
        st[core.VICTIM] = next(iter(position.trail.values()), 0)
        men = sum(st[core.COUNTS : core.COUNTS + 2]) + sum(map(sum, position.hands))
        men = size if free else men
        room = men * arrays.most + arrays.drops * size
        if arrays.index[core.WALLING]:
            # Each move may build on every square that is free then.
            room *= max(size - men, size // 2) + 2
        room += MATES
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
        self.st.extend([0] * longest * (7 + 4 * self.arrays.most_taken))

    def _place(self, st: list[int], square: int, piece: int) -> None:
        plan, side = self.arrays.plan, (piece - 1) % 2
        if piece == plan.wall:
            st[st[core.BOARD] + square] = plan.mark
            return
        place = st[core.COUNTS + side]
        st[st[core.BOARD] + square] = piece
        st[st[core.LISTS] + side * plan.size + place] = square
        st[st[core.PLACES] + square] = place
        st[core.COUNTS + side] = place + 1
        st[st[core.ON_FILE] + piece * plan.files + square % plan.files] += 1

    def acts(self, first: int, end: int) -> list[Act]:
        """The moves of the list between two places, as the rest of the engine has them."""
        if self.arrays.varied:
            return list(self._varied(first, end))
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

    def _varied(self, first: int, end: int) -> Iterator[Act]:
        """`acts` where moves change more than what goes and what is captured."""
        plan, index, mv = self.arrays.plan, self.arrays.index, self.mv
        number = (end - first) // core.WIDTH
        out = array("q", bytes(8 * number * (2 + 2 * self.arrays.most_taken)))
        self.tell_changes(first, end, out)
        at = 0
        for place in range(first, end, core.WIDTH):
            origin, target, becomes, node, partner, _ = mv[place : place + core.WIDTH]
            behind = at + 1 + out[at]
            captures = tuple(out[at + 1 : behind])
            at = behind + 1 + 2 * out[behind]
            told = out[behind + 1 : at]
            pairs = zip(told[::2], told[1::2], strict=True)
            changes = tuple((s, p + (p == plan.mark)) for s, p in pairs)
            if origin == plan.size:
                yield Act(becomes, -1, target, becomes, captures, changes=changes)
                continue
            carried = ((partner - 1) >> 11, (partner - 1) & core.SQUARE) if partner else ()
            trail = _items(index, index[index[core.TRAILING] + node])
            piece = self.st[self.st[core.BOARD] + origin]
            yield Act(piece, origin, target, becomes, captures, carried, trail, changes)

    def tell_changes(self, first: int, end: int, out: array[int]) -> None:
        """As the core says it; whoever has it compiled puts that in place of this."""
        core_making.tell_changes(
            self.arrays.index, self.st, self.sh, self.oc, self.mv, first, end, out
        )


def _items(index: array[int], place: int) -> tuple[int, ...]:
    return tuple(index[place + 1 : place + 1 + index[place]]) if place else ()


def _is_plain(patch: Patch) -> bool:
    """Whether a part has no conditions but such as are known for its square."""
    return not patch.unchecked and all(
        condition.kind in PLACED or condition.kind == "third-rank" for condition in patch.guard
    )

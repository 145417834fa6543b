"""A game and its positions as structs for the engine; see src/alfil/engine/engine.h."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from copy import copy

from alfil.game import structs
from alfil.game.native import engine
from alfil.game.plan import MOVES_KEPT, SIDES, UNKNOWN, Act, Bounded, Patch, Plan, clip, holds
from alfil.game.position import Position
from alfil.game.reaches import attacks_in, reaches_of
from alfil.game.rules import in_check
from alfil.game.structs import Struct
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.meaning.piece import PLACED, Fact, Meaning
from alfil.tables.effects import AFFECTED
from alfil.tables.table import CLASS_BITS, CLASS_MASK, STEP_SHIFT, Section

# Room for drops that are tried while it is found out whether another one mates.
MATES = 64
# More aims than this are not laid out: all pieces on all squares of a large board.
LARGEST = 8_000_000
_SURVIVE = {"": 0, "any": structs.ANY, "all": structs.LAST}
_KINDS = {"move": structs.MOVES_MADE, "every": structs.EVERY, "turn": structs.TURN}
# No game is so long that a number from here on is reached.
_NEVER = 2**30
# What a side's own tables call what stands on a square, by the shift of the core's class.
_CLASSES = (
    {
        structs.VACANT: VACANT,
        structs.FIRST: FRIEND,
        structs.FIRST_ROYAL: FRIEND,
        structs.SECOND: ENEMY,
        structs.SECOND_ROYAL: ROYAL,
        structs.PASSED: TRAIL,
        structs.WALLED: FRIEND,
        structs.FIRST_APART: FRIEND,
        structs.SECOND_APART: ENEMY,
    },
    {
        structs.VACANT: VACANT,
        structs.FIRST: ENEMY,
        structs.FIRST_ROYAL: ROYAL,
        structs.SECOND: FRIEND,
        structs.SECOND_ROYAL: FRIEND,
        structs.PASSED: TRAIL,
        structs.WALLED: FRIEND,
        structs.FIRST_APART: ENEMY,
        structs.SECOND_APART: FRIEND,
    },
)
_APART = (structs.FIRST_APART, structs.SECOND_APART)
_WALLS = {
    "arrow": structs.ARROW,
    "anywhere": structs.ANYWHERE,
    "left": structs.LEFT,
    "duck": structs.DUCK,
}
_FLIPS = {"adjacent": structs.ADJACENT, "enclosed": structs.ENCLOSED}
_DROPS = {"drop-place": structs.IN_PLACE, "drop-colour": structs.ON_COLOUR}


def unsuited(plan: Plan) -> str:
    """Why a game cannot be laid out for the compiled body; empty if it can."""
    pieces = range(1, plan.mark)
    parts = [section for piece in pieces for section in plan.parts(piece)]
    reasons = {
        "a range depends on more than the board": any(
            section.guard or section.trie is None
            for piece in pieces
            for fact in plan.effects[piece]
            for section in plan.sections(range_of(fact), (piece - 1) % 2)
        ),
        "a piece roams": any(section.trie is None for section in parts),
        "the board is large": plan.mark * plan.size**2 > LARGEST,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _blockers(plan: Plan) -> set[tuple[str, ...]]:
    """The groups of pieces, by their codes, that some piece neither passes nor captures."""
    return {tuple(sorted(kind.blocked_by)) for kind in plan.kinds if kind.blocked_by}


def _captures_en_route(plan: Plan) -> bool:
    """Whether a piece captures another one en passant before the end of its move."""
    return any(
        trace.trail_captures
        for piece in range(1, plan.mark)
        for section in plan.parts(piece)
        if section.trie
        for trace in section.trie.traces.values()
    )


def _is_veiled(plan: Plan) -> bool:
    """Whether pieces are blocked by different others, or by royal ones, which have no class."""
    found = _blockers(plan)
    return len(found) > 1 or any(plan.royal[plan.piece(c, 0)] for each in found for c in each)


def _changes(plan: Plan) -> bool:
    """Whether moves change more than what goes and what is captured, whatever is left behind."""
    rules = plan.rules
    ways = {rules.explosion, rules.flip, rules.wall}
    return ways != {"none"} or any(plan.petrifies) or plan.burning or plan.freezing


def needs_care(plan: Plan) -> str:
    """Why the moves of a game are judged one by one; empty where each side has one plain royal."""
    pieces, rules = range(1, plan.mark), plan.rules
    reasons = {
        "check is not forbidden": rules.self_check == "allowed",
        "there are several royal pieces": sum(plan.royal) != len(SIDES)
        or any(plan.royal[form] for piece in pieces for form in plan.forms(piece)),
        "some pieces cannot capture others": plan.iron,
        "en passant takes pieces on the way": _captures_en_route(plan),
        "pieces block different others, or royal ones": _is_veiled(plan),
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


# The numbers of a `Part` in engine.h.
PART = 6


class Arrays:
    """The tables of one game."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.careful = bool(needs_care(plan))
        self.words = array("q")
        self._lists: dict[tuple[int, ...], int] = {(): 0}
        # The whole numbers, the tables, and all lists; place 0 is no list.
        self.scalars: dict[str, int] = {}
        self.tables: dict[str, list[int]] = {}
        self.pool = [0]
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
        self.most_burnt = self.most_held = 0
        blockers = set() if _is_veiled(plan) else _blockers(plan)
        self._apart = {plan.piece(c, s) for each in blockers for c in each for s in SIDES}
        self._lay_out_pieces()
        self._lay_out_rules()
        self._lay_out_aims()
        self.struct = self._struct()
        # Whether what a move captures and changes depends on more than its node.
        self.varied = _changes(plan) or any(plan.gates) or _captures_en_route(plan)
        self.drops = max(len(reaches_of(plan).droppable[side]) for side in SIDES)
        # Moves by the number that `structs.survey` gives them, and the last number that one had.
        self.known: Bounded[int, Act] = Bounded(MOVES_KEPT)
        self.numbers: Bounded[Act, int] = Bounded(MOVES_KEPT)

    def _struct(self) -> Struct:
        """The tables and lists as they are now; runs that began with others keep those."""
        plan = self.plan
        dropped = [sum(plan.bits[s] for s in plan.drop_squares(p)) for p in range(1, plan.mark)]
        arrays = {name: array("i", numbers) for name, numbers in self.tables.items()}
        arrays |= {"nodes": self.words, "aims": self.aims, "near": self.near}
        arrays["pool"] = array("i", self.pool)
        arrays["drop_squares"] = self._sets([0, *dropped])
        arrays["file_squares"] = self._sets(reaches_of(plan).files)
        return Struct(structs.TABLES, self.scalars, arrays)

    def _sets(self, sets: Iterable[int]) -> array[int]:
        """Sets of squares, 32 a word."""
        words = range(self.scalars["words"])
        return array("I", [each >> 32 * word & 0xFFFFFFFF for each in sets for word in words])

    def _put(self, numbers: Iterable[int]) -> int:
        # What is put may put lists there itself.
        listed = [*numbers]
        place = len(self.pool)
        self.pool.extend(listed)
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
        self.scalars |= {
            "hopping": hopping,
            "leaving": hopping and any(self._trailing),
            "nothing": len(self.words),
        }
        for numbers in (self._quiet, self._taking, self._taken, self._company, self._trailing):
            numbers.append(0)
        self.words.append(0)
        self._passing.append(0)
        self.tables |= {
            "begin": begin,
            "end": end,
            "parts": parts,
            "quiet": self._quiet,
            "taking": self._taking,
            "taken": self._taken,
            "company": self._company,
            "trailing": self._trailing,
            "passing": self._passing,
            "twins": twins,
            "special": special,
            "odd": self._crowding(
                [p and (each or self._is_counted_by_hand(p)) for p, each in enumerate(odd)]
            ),
            "passes": passes,
        }

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
            asked: list[int] = []
            for condition in patch.guard:
                if condition.kind in _KINDS:
                    kind = _KINDS[condition.kind]
                    value = condition.value - (kind == structs.MOVES_MADE)
                    asked += [kind, min(value, _NEVER)]
            place = self._list(asked)
            nodes = (first, len(self.words))
            items += [place, *(patch.castle or (0, 0)), *nodes, int(patch.unchecked)]
        return self._put([len(items) // PART, *items])

    def _nodes(self, piece: int, square: int, patch: Patch) -> None:
        """Add the nodes of one part from one square."""
        plan, size, base = self.plan, self.plan.size, len(self.words)
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
                captures = shift not in {structs.VACANT, structs.PASSED} or end.takes_trail
                number = min(structs.FORMS, len(forms[captures])) if emit & standing else 0
                bits |= (number | structs.ON * bool(descend & standing)) << shift
            bits |= (base + skip - len(self.words)) << structs.SKIP_AT | target
            self.words.append(bits - (bits >> 63 << 64))
            reached.add(target)
            self._quiet.append(self._list(forms[0]))
            self._taking.append(self._list(forms[1]))
            on_way = [size if at in end.on_trail else at for at in end.captures]
            self._taken.append(self._list(on_way))
            company = frozenset(on_way)
            self._company.append(self._companies.setdefault(company, len(self._companies)))
            self.most_taken = max(self.most_taken, len(end.captures) + 1)
            trail = self._list(end.passed) if patch.leaves_trail and emit else 0
            self._trails.setdefault(frozenset(end.passed), trail) if trail else None
            self._trailing.append(trail)
            self._passing.append(int(end.takes_trail))
        self._note_aims(piece, square, base)

    def _note_aims(self, piece: int, square: int, first: int) -> None:
        """Note which branches may capture a royal, and where."""
        royal = structs.FIRST_ROYAL if piece % 2 == 0 else structs.SECOND_ROYAL
        node = first
        while node < len(self.words):
            after = node + (self.words[node] >> structs.SKIP_AT & structs.SKIPS)
            struck: dict[int, int] = {}
            for each in range(node, after):
                word = self.words[each]
                if word >> royal & structs.FORMS:
                    struck[word & structs.SQUARE] = each + 1
                taken = self._taken[each]
                if taken:
                    for at in self.pool[taken + 1 : taken + 1 + self.pool[taken]]:
                        # What has just passed is looked for by all that may take it.
                        if at < self.plan.size:
                            struck[at] = each + 1
            for target, last in struck.items():
                self._aims.setdefault((piece, target, square), []).extend((node, last))
            node = after

    def _note(
        self, piece: int, first: int, facts: tuple[list[int], list[int], list[int]], square: int
    ) -> None:
        """Note what is odd about the moves of a piece from one square."""
        twins, special, odd = facts
        own = structs.FIRST if piece % 2 else structs.SECOND
        ends = [
            (word & structs.SQUARE, self._taken[node + first])
            for node, word in enumerate(self.words[first:])
            if any(word >> shift & structs.FORMS for shift in _CLASSES[0])
        ]
        twins[piece] |= len({target for target, _ in ends}) < len(ends)
        special[piece] |= any(taken or target == square for target, taken in ends)
        odd[piece] |= any(word >> own & structs.FORMS for word in self.words[first:])
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
        return len(forms) >= structs.FORMS or any(self.plan.side_limit[form] for form in forms)

    def _lay_out_rules(self) -> None:
        plan, size = self.plan, self.plan.size
        pieces = range(1, plan.mark)
        lines = [each is not None for each in reaches_of(plan).lines]
        kinds = [None, *(plan.kinds[(piece - 1) >> 1] for piece in pieces)]
        checks = {"free": 0, "required": structs.CHECKING, "barred": structs.QUIETLY}
        self.scalars |= {
            "size": size,
            "pieces": plan.mark,
            "files": plan.files,
            "kinds": len(plan.kinds),
            "limited": any(plan.file_limit),
            "words": (size + 31) // 32,
            "mating": any("drop-mate" in rules for rules in plan.drop_rules),
            "lenient": plan.rules.self_check == "allowed",
            "iron": plan.iron or plan.walled,
            "two_kinds": any(len(kinds) > 1 for kinds in plan.drop_sources),
        }
        swift = reaches_of(plan).swift
        self.tables |= {
            "shift": [structs.VACANT, *map(self._shift, pieces), structs.WALLED],
            "held": [0, *(plan.held[piece] + 1 for piece in pieces)],
            "limit": plan.file_limit,
            "crowds": self._crowding([0] * plan.mark),
            "hops": [1, *(int(not attacks_in(plan, piece)) for piece in pieces)],
            "lines": [
                int(each and (2 * swift if plan.castle_insets[piece] else 1)) if piece else 0
                for piece, each in enumerate(lines)
            ],
            "drop_limit": [
                kind.per_file if kind and "file" in plan.drop_rules[piece] else 0
                for piece, kind in enumerate(kinds)
            ],
            "drop_check": [
                checks[kind.drop_check]
                + sum(_DROPS.get(code, 0) for code in plan.drop_rules[piece])
                if kind
                else 0
                for piece, kind in enumerate(kinds)
            ],
            "drop_mate": [int("drop-mate" in rules) for rules in plan.drop_rules],
            "file_of": [square % plan.files for square in range(size)],
            "royal": [*(_SURVIVE[each] for each in plan.survive), 0],
            "barred": [
                int(bool(p and (p - 1) >> 1 in barred))
                for p in range(plan.mark)
                for barred in [*plan.barred, range(len(plan.kinds))]
            ],
            "remembered": [max(limit, plan.castles) for limit in plan.count_limits],
            "starts": [plan.starting.get(square, 0) for square in range(size)],
        }
        self._lay_out_effects()
        self.tables["droppable"] = [self._droppable(side) for side in SIDES]

    def _lay_out_effects(self) -> None:
        """What only few games have; see src/alfil/engine/effects.c."""
        plan, rules = self.plan, self.plan.rules
        self.scalars |= {
            "effects": _changes(plan),
            "exploding": rules.explosion == "captures",
            "gating": any(plan.gates),
            "endless": rules.drops == "free",
            "setting": rules.drops_first == "yes",
            "stuck_passes": rules.passes == "stuck",
            "round": min(plan.round, _NEVER),
            "take_first": rules.must_capture == "yes",
            "meeting": rules.facing == "bikjang",
            "still": rules.giving_check == "barred",
            "standing_fast": rules.flight == "barred",
            "duple": rules.duple_check == "yes",
            "beside_own": rules.drop_beside == "own",
        }
        # What leaves pieces behind builds nothing.
        self.scalars["walling"] = 0 if any(plan.gates) else _WALLS.get(rules.wall, 0)
        self.scalars["turning"] = _FLIPS.get(rules.flip, 0)
        self.scalars["extinction"] = self._extinction()
        if any(plan.side_limit):
            self.tables["side_limit"] = plan.side_limit
        if any(plan.castles_only):
            only = [self._list(sorted(each)) for each in plan.castles_only]
            self.tables["only_with"] = only
        if any(plan.partners):
            self.tables["castling"] = [*map(self._castling, range(plan.mark))]
        if _is_veiled(plan):
            blocks = [[plan.piece(c, s) for c in k.blocked_by for s in SIDES] for k in plan.kinds]
            self.tables["blocked"] = [0, *(self._list(each) for each in blocks for _ in SIDES)]
        self.scalars["en_route"] = _captures_en_route(plan)
        self.scalars["holding"] = plan.holding
        self.scalars["burning"] = plan.burning
        if any(plan.effects):
            self._lay_out_ranges()
        if any(plan.apart):
            self._lay_out_apart()
        around = [self._list(each) for each in plan.around]
        rays = [self._list(ray) or self._put((0,)) for each in plan.rays for ray in each]
        self.tables |= {
            "blast": [*map(self._blast, range(plan.mark + 1))],
            "gates": [*map(int, plan.gates)],
            "stays": [*map(int, plan.passing)],
            "may_wall": self._on_squares(plan.may_wall),
            "opens": self._on_squares(plan.opening),
            "holes": self._on_squares((plan.holes,)),
            "around": around,
            "rays": rays,
            "colour_limit": [kind.per_colour for kind in plan.kinds],
            "unheld": plan.endless,
        }
        if any(plan.gates):
            self.most *= 1 + 2 * len(plan.kinds)
        changed = {"none": 0, "adjacent": 8, "enclosed": 4 * max(plan.files, plan.ranks)}
        self.most_taken += 8 * (rules.explosion != "none") + changed[rules.flip]
        self.most_taken += plan.special * (3 + plan.walled)

    def _lay_out_apart(self) -> None:
        """What promotes with moves of its own, such as any of its forms might make."""
        plan = self.plan
        turning = [piece for piece in range(1, plan.mark) if plan.apart[piece]]
        for piece in turning:
            self.tables["odd"][piece] = self.tables["special"][piece] = 1
        self.tables["apart"] = [
            self._list(plan.forms(piece)) if piece in turning else 0 for piece in range(plan.mark)
        ]
        self.tables["ripe"] = [
            int(piece in turning and plan.promoting[piece][square])
            for piece in range(plan.mark)
            for square in range(plan.size)
        ]
        # They end where they begin, or where a form may go.
        self.most += max(len(plan.forms(piece)) for piece in turning) * (1 + self.most)

    def _lay_out_ranges(self) -> None:
        """What burns, shoots or immobilises others, from each square."""
        plan, found = self.plan, [0] * (self.plan.mark * self.plan.size)
        for piece in range(1, plan.mark):
            for square in range(plan.size) if plan.effects[piece] else ():
                effects: list[int] = []
                for fact in plan.effects[piece]:
                    first = len(self.words)
                    self._range(piece, square, fact)
                    most = int(str(fact.values[3])) if holds(fact) else 0
                    effects += [_what(fact), first, len(self.words), most]
                    ends = {word & structs.SQUARE for word in self.words[first:]}
                    self.most_burnt = max(self.most_burnt, len(ends))
                found[piece * plan.size + square] = self._list(effects)
        self.tables["ranges"] = found
        reached = self.most_burnt * max(map(len, plan.effects))
        self.most_taken += 1 + reached
        self.most_held = 2 * plan.size * reached * plan.holding

    def _range(self, piece: int, square: int, fact: Fact) -> None:
        """Add the nodes that capture what an effect of a piece on a square has in its range."""
        plan, base = self.plan, len(self.words)
        side = (piece - 1) % 2
        classes = _seen_by(fact, side)
        if plan.kinds[(piece - 1) >> 1].blocked_by:
            classes |= dict.fromkeys(_APART, FRIEND)
        for section in plan.sections(range_of(fact), side):
            patch = clip(section, plan.at(square), (plan.files, plan.ranks), second=side == 1)
            base = len(self.words)
            for word, skip, end in zip(patch.nodes, patch.skips, patch.ends, strict=True):
                emit, descend = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
                bits = (base + skip - len(self.words)) << structs.SKIP_AT | word >> STEP_SHIFT
                for shift, standing in classes.items():
                    on = structs.ON * bool(descend & standing)
                    bits |= (bool(emit & standing) | on) << shift
                self.words.append(bits - (bits >> 63 << 64))
                self._taken.append(self._list(end.captures))
                for numbers in (self._quiet, self._taking, self._company, self._trailing):
                    numbers.append(0)
                self._passing.append(0)

    def _extinction(self) -> int:
        """What too few pieces mean; see src/alfil/engine/results.c."""
        plan, rule = self.plan, self.plan.rules.extinction
        if rule is None:
            return 0
        meant = {"win": 1, "loss": -1, "draw": structs.DRAW}
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
        found = structs.TAKEN_ALONG * (plan.blast[piece] == "always")
        found |= structs.PERISHING * (plan.blast[piece] != "never")
        return found | structs.PETRIFYING * plan.petrifies[piece]

    def _shift(self, piece: int) -> int:
        if piece in self._apart:
            return _APART[(piece - 1) % 2]
        first = structs.SECOND if piece % 2 == 0 else structs.FIRST
        return first + (structs.FIRST_ROYAL - structs.FIRST) * self.plan.royal[piece]

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
        self.tables["sources"] = listed

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
            self.struct = self._struct()
        return found


class State:
    """A position in arrays, with room for so many lists of moves, one in the other.

    There is room to make so many moves; those of the lists unless more are asked for.
    """

    def __init__(self, arrays: Arrays, position: Position, depth: int, longest: int = 0) -> None:
        plan = arrays.plan
        size, free = plan.size, plan.rules.drops == "free"
        self.arrays = arrays
        lengths = {
            "lists": 2 * size,
            "places": size + 1,
            "on_file": (plan.mark + 1) * plan.files,
            "near": size,
            "beside": size,
            "nodes": arrays.most + 1,
            "order": size,
            "spots": size,
            "undo": (max(depth, longest) + MATES) * self._undo_length(),
            "marks": size + 1,
        }
        parts = {name: array("i", bytes(4 * length)) for name, length in lengths.items()}
        pairs = [square for pair in position.holds for square in pair]
        room = arrays.most_held - len(pairs)
        parts["holds"] = array("i", [len(pairs), *pairs, *[0] * max(room, 0)])
        parts["board"] = array("i", [min(piece, plan.mark) for piece in position.board])
        parts["hands"] = array("i", position.hands[0] + position.hands[1])
        standing = zip(position.made, position.board, strict=False)
        parts["made"] = array("i", [made if piece else UNKNOWN for made, piece in standing])
        parts["made"].append(UNKNOWN)
        parts["shift"] = array("B", [structs.VACANT]) * (size + 1)
        parts["occupied"] = array("I", bytes(4 * arrays.scalars["words"]))
        counts = self._place(parts)
        one_each = [*map(len, position.royals)] == [1, 1]
        careful = arrays.careful or not one_each or in_check(position, 1 - position.turn)
        royals = [size if careful else position.royals[side][0] for side in SIDES]
        numbers = {
            "side": position.turn,
            "number": min(position.number % (2 * plan.round), _NEVER),
            "first_count": counts[0],
            "second_count": counts[1],
            "first_royal": royals[0],
            "second_royal": royals[1],
            "careful": careful,
            "trail": arrays.trail(frozenset(position.trail)),
            "victim": next(iter(position.trail.values()), 0),
        }
        self.tables = arrays.struct
        men = size if free else sum(counts) + sum(map(sum, position.hands))
        room = men * arrays.most + arrays.drops * size
        if arrays.scalars["walling"]:
            # Each move may build on every square that is free then.
            room *= max(size - men, size // 2) + 2
        room += MATES
        parts["moves"] = array("i", bytes(4 * structs.WIDTH * (room * (depth + 2) + longest)))
        self.struct = Struct(structs.POSITION, numbers, parts)

    def _undo_length(self) -> int:
        """The numbers that take back one move."""
        return 9 + 4 * self.arrays.most_taken + self.arrays.most_held

    @property
    def moves(self) -> array[int]:
        """The list of moves, `WIDTH` numbers each."""
        return self.struct.arrays["moves"]

    def copy(self) -> State:
        """The same position with room of its own."""
        other = copy(self)
        other.struct = self.struct.copy()
        return other

    def make_room(self, longest: int) -> None:
        """Let so many moves more be made; the arrays are in other places afterwards."""
        self.struct.arrays["undo"].extend([0] * longest * self._undo_length())
        self.struct = self.struct.copy()

    def _place(self, parts: dict[str, array[int]]) -> list[int]:
        """Enter the pieces of the board into the other arrays; how many each side has."""
        plan, shifts, counts = self.arrays.plan, self.arrays.tables["shift"], [0, 0]
        for square, piece in enumerate(parts["board"]):
            if not piece:
                continue
            parts["shift"][square] = shifts[piece]
            parts["occupied"][square >> 5] |= 1 << (square & 31)
            if piece == plan.mark:
                continue
            side = (piece - 1) % 2
            parts["lists"][side * plan.size + counts[side]] = square
            parts["places"][square] = counts[side]
            parts["on_file"][piece * plan.files + square % plan.files] += 1
            counts[side] += 1
        return counts

    def acts(self, first: int, end: int) -> list[Act]:
        """The moves of the list between two places, as the rest of the engine has them."""
        if self.arrays.varied:
            return list(self._varied(first, end))
        tables, numbers = self.tables.arrays, self._moves(first, end)
        pool, trails, takens = tables["pool"], tables["trailing"], tables["taken"]
        size, board = self.arrays.plan.size, self.struct.arrays["board"]
        found = []
        for origin, target, becomes, node, partner, flags in numbers:
            if origin == size:
                found.append(Act(becomes, -1, target, becomes))
                continue
            captures = _items(pool, takens[node])
            if flags & structs.PASSANT:
                captures += (self.struct["victim"],)
            elif board[target] and target != origin and not partner:
                captures += (target,)
            carried = _carried(partner)
            trail = _items(pool, trails[node])
            found.append(Act(board[origin], origin, target, becomes, captures, carried, trail))
        return found

    def _moves(self, first: int, end: int) -> Iterator[tuple[int, ...]]:
        """The numbers of moves of the list between two places."""
        width = structs.WIDTH
        numbers = self.moves[width * first : width * end]
        return zip(*[iter(numbers)] * width, strict=True)

    def _varied(self, first: int, end: int) -> Iterator[Act]:
        """`acts` where moves change more than what goes and what is captured."""
        plan, tables, board = self.arrays.plan, self.tables.arrays, self.struct.arrays["board"]
        out = array("q", bytes(8 * (end - first) * (2 + 2 * self.arrays.most_taken)))
        engine().call("tell_changes", self.tables, self.struct, first, end, out)
        at = 0
        for origin, target, becomes, node, partner, _ in self._moves(first, end):
            behind = at + 1 + out[at]
            captures = tuple(out[at + 1 : behind])
            at = behind + 1 + 2 * out[behind]
            told = out[behind + 1 : at]
            pairs = zip(told[::2], told[1::2], strict=True)
            changes = tuple((s, p + (p == plan.mark)) for s, p in pairs)
            if origin == plan.size:
                yield Act(becomes, -1, target, becomes, captures, changes=changes)
                continue
            trail = _items(tables["pool"], tables["trailing"][node])
            piece = board[origin]
            carried = _carried(partner)
            yield Act(piece, origin, target, becomes, captures, carried, trail, changes)


def range_of(fact: Fact) -> Meaning:
    """The moves by which an effect reaches others."""
    reach = fact.values[0]
    assert isinstance(reach, Meaning)
    return reach


def _what(fact: Fact) -> int:
    """What an effect does to what is in its range."""
    if holds(fact):
        when = fact.values[2]
        return structs.SEIZES * (when != "passive") | structs.CATCHES * (when != "active")
    if fact.name == "immobilises":
        return structs.FREEZES
    burns = fact.name == "burns" and fact.values[2] != "passive"
    return structs.BURNS * burns | structs.SINGES * (fact.values[2] != "active")


def _seen_by(fact: Fact, side: int) -> dict[int, int]:
    """The classes of what stands on squares as an effect of a side's piece sees it.

    What it is about can be captured, and all else is in its way.
    """
    about = AFFECTED[str(fact.values[1])]
    found = {}
    for shift, standing in _CLASSES[side].items():
        if standing not in {ENEMY, ROYAL, FRIEND}:
            found[shift] = VACANT
        elif standing in about:
            found[shift] = ROYAL if standing == ROYAL else ENEMY
        else:
            found[shift] = FRIEND
    return found


def _carried(partner: int) -> tuple[int, ...]:
    """From where to where a castling partner goes."""
    return ((partner - 1) >> 11, (partner - 1) & structs.SQUARE) if partner else ()


def _items(index: array[int], place: int) -> tuple[int, ...]:
    return tuple(index[place + 1 : place + 1 + index[place]]) if place else ()


def _is_plain(patch: Patch) -> bool:
    """Whether a part has no conditions but such as are known for its square."""
    return not patch.unchecked and all(
        condition.kind in PLACED or condition.kind == "third-rank" for condition in patch.guard
    )

"""A game and its positions as structs for the engine; see src/alfil/engine/engine.h."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from copy import copy

from alfil.game import structs
from alfil.game.affecting import lay_out_ranges
from alfil.game.cells import APART, CLASSES, NEVER, Cells, Pool, Room, classes_of
from alfil.game.extents import extents_of
from alfil.game.lines import attacks_in, is_swift, lines_in
from alfil.game.memory import Numbers
from alfil.game.native import engine
from alfil.game.plan import MOVES_KEPT, SIDES, UNKNOWN, Act, Bounded, Plan, range_of
from alfil.game.position import Position
from alfil.game.reach import Reach
from alfil.game.results import minded, rules_of, tables_of
from alfil.game.roaming import room_for
from alfil.game.rules import RULES
from alfil.game.structs import Block, Given, Sections, Struct
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.tables.table import Section

# Room for drops that are tried while it is found out whether another one mates.
MATES = 64
# So many ways to divide the memory of a position are remembered.
SECTIONS_KEPT = 200
# More moves than these are not listed: nobody looks through them.
MOST_LISTED = 1 << 16
# Behind so many numbers, all 0, begins what takes moves back: what the last one took is asked even
# where there is none.
UNDO = 8
_SURVIVE = {"": 0, "any": structs.ANY, "all": structs.LAST}
_BY_COUNT = frozenset({"move", "every", "turn"})
_WALLS = {
    "arrow": structs.ARROW,
    "anywhere": structs.ANYWHERE,
    "left": structs.LEFT,
    "duck": structs.DUCK,
}
_FLIPS = {"adjacent": structs.ADJACENT, "enclosed": structs.ENCLOSED}
_DROPS = {"drop-place": structs.IN_PLACE, "drop-colour": structs.ON_COLOUR}


def unsuited(plan: Plan) -> str:
    """Why a game cannot be laid out for the engine; empty if it can."""
    pieces = range(1, plan.wall)
    reasons = {
        "a range depends on more than the board": any(
            section.guard or section.trie is None
            for piece in pieces
            for fact in plan.effects[piece]
            for section in plan.sections(range_of(fact), piece)
        ),
        "the board is large": plan.size > structs.SQUARE
        or not Room.of(plan, extents_of(plan)).suits(plan.size),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _blockers(plan: Plan) -> set[tuple[str, ...]]:
    """The groups of pieces, by their codes, that some piece neither passes nor captures."""
    return {tuple(sorted(kind.blocked_by)) for kind in plan.kinds if kind.blocked_by}


def _captures_en_route(plan: Plan) -> bool:
    """Whether a piece captures another one en passant before the end of its move."""
    return any(
        trace.trail_captures
        for piece in range(1, plan.wall, 2)
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
    # Pieces of the second side do what those of the first do.
    pieces = range(1, plan.wall, 2)
    for rule in RULES:
        if rule.judged and getattr(plan.rules, rule.field) == rule.judged:
            return f"{rule.name} = {rule.judged}"
    reasons = {
        "pieces take up several squares": plan.bodies.any,
        "there are several royal pieces": sum(plan.royal) != len(SIDES)
        or any(plan.royal[form] for piece in pieces for form in plan.forms(piece)),
        "some pieces cannot capture others": plan.iron,
        "a piece roams": any(
            section.trie is None for piece in pieces for section in plan.parts(piece)
        ),
        "en passant takes pieces on the way": _captures_en_route(plan),
        "pieces block different others, or royal ones": _is_veiled(plan),
        "moves change other squares": _changes(plan) or any(plan.gates),
        "drops depend on neighbours": any({*codes} & {*_DROPS} for codes in plan.drop_rules),
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
    if section.trie is None or not any(each.kind in _BY_COUNT for each in section.guard):
        return False
    captures = any(trace.captures for trace in section.trie.traces.values())
    return captures or any(word & ROYAL for word in section.trie.nodes)


class Arrays:
    """The tables of one game."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.careful = bool(needs_care(plan))
        # The whole numbers, the tables, and all lists.
        self.scalars: dict[str, int] = {}
        self.tables: dict[str, list[int]] = {}
        self._pool = Pool()
        self._list, self._put = self._pool.list, self._pool.put
        self._extents = extents_of(plan)
        # The most moves of each piece, whatever it becomes, and the most squares a move changes.
        self.most = self._most()
        self.most_taken = 1 + max(each.taken for each in self._extents)
        self.most_held = 0
        blockers = set() if _is_veiled(plan) else _blockers(plan)
        self._apart = {plan.piece(c, s) for each in blockers for c in each for s in SIDES}
        self._lay_out_pieces()
        self._lay_out_walks()
        self._lay_out_rules()
        if plan.bodies.any:
            self._lay_out_bodies()
        self.cells = Cells(plan, self._pool, Room.of(plan, self._extents))
        if any(plan.effects):
            self._lay_out_ranges()
        self.trail = self.cells.trail
        self._kept, function = engine().offered(self.cells.lay)
        self.struct = self._struct(function)
        # Whether what a move captures and changes depends on more than its node.
        walks = any(each.states for each in self._extents)
        self.varied = walks or _changes(plan) or any(plan.gates) or _captures_en_route(plan)
        self.varied |= plan.bodies.any
        self.drops = max(map(len, plan.droppable))
        # Whether there are never more pieces than in the beginning, but for those in hand.
        self.lasting = plan.rules.drops == "no" and plan.rules.flip == "none"
        # The numbers that take back one move.
        self.undo_length = 9 + 4 * self.most_taken + self.most_held
        # Four squares a number, with nothing on them.
        self.vacant = array("i", bytes([structs.VACANT]) * 4) * (plan.size // 4 + 1)
        self._sections: Bounded[tuple[int, int, int], Sections] = Bounded(SECTIONS_KEPT)
        # `most` by all that may stand on a square, what is not the side's 0.
        rows = [[each * (p % 2 != side) for p, each in enumerate(self.most)] for side in SIDES]
        self.most_of_sides = [[0, *row[1:], 0, 0] for row in rows]
        self.struct["most_undo"], self.struct["most_held"] = self.undo_length, self.most_held
        # Moves by the number that `structs.survey` gives them, and the last number that one had.
        self.known: Bounded[int, Act] = Bounded(MOVES_KEPT)
        self.numbers: Bounded[Act, int] = Bounded(MOVES_KEPT)

    def sections(self, listed: int, made: int, held: int) -> Sections:
        """The arrays of a position, with room to list and to make so many moves.

        ``held`` are the numbers that say what holds what.
        """
        key = listed, made, held
        if key not in self._sections:
            self._sections[key] = Sections(structs.POSITION, self._lengths(*key))
        return self._sections[key]

    def _lengths(self, listed: int, made: int, held: int) -> dict[str, int]:
        plan, size, ways = self.plan, self.plan.size, self.scalars["most_ways"]
        # Bytes are as many numbers of 32 bits as have room for them.
        lengths = dict.fromkeys(("shift", "plain"), size // 4 + 1)
        lengths |= dict.fromkeys(("board", "near", "beside", "order", "spots"), size)
        lengths |= dict.fromkeys(("made", "places", "marks"), size + 1)
        lengths |= {
            "lists": 2 * size,
            "nodes": max(self.most) + 1,
            "on_file": (plan.wall + 1) * plan.files,
            "hands": 2 * len(plan.kinds),
            "occupied": self.scalars["words"],
            "holds": 1 + held,
        }
        if plan.bodies.any:
            lengths |= {"prey": size, "anchor": size}
        if ways:
            # Only pieces that roam need these.
            found = self.scalars
            lengths |= {"ends": found["most_ends"], "burdens": found["most_burdens"]}
            lengths |= {"ways": structs.WAY * ways, "met": 2 * ways, "links": structs.LINK * ways}
        lengths |= {
            "undo": UNDO + (made + MATES) * self.undo_length,
            "line": (made + 1) * len(structs.PLY_AT),
            "moves": structs.WIDTH * listed,
        }
        if plan.rules.perpetual_chase != "allowed":
            lengths["judged"] = listed
        return lengths

    def _struct(self, lay: int) -> Struct:
        """The tables and lists; those of pieces on squares are laid out later."""
        plan = self.plan
        dropped = [plan.drop_room(piece) for piece in range(1, plan.wall)]
        arrays: dict[str, Numbers] = dict(self.cells.arrays)
        arrays |= {name: array("i", numbers) for name, numbers in self.tables.items()}
        arrays["reach"], arrays["grid"] = self._reach.table(), self._reach.grid()
        arrays["drop_squares"] = self._sets([0, *dropped])
        arrays["file_squares"] = self._sets(
            sum(plan.bits[s] for s in range(file, plan.size, plan.files))
            for file in range(plan.files)
        )
        return Struct(structs.TABLES, self.scalars, arrays, self.cells, {"lay": lay})

    def _sets(self, sets: Iterable[int]) -> array[int]:
        """Sets of squares, 32 a word."""
        words = range(self.scalars["words"])
        return array("I", [each >> 32 * word & 0xFFFFFFFF for each in sets for word in words])

    def _most(self) -> list[int]:
        plan = self.plan
        forms = [(), *map(plan.forms, range(1, plan.wall))]
        most = [each.ends * (1 + len(forms[p])) for p, each in enumerate(self._extents)]
        most[0] = 1
        changed = True
        while changed:
            best = [max(most[form] for form in (p, *forms[p])) for p in range(plan.wall)]
            changed, most = best != most, best
        return most

    def _lay_out_pieces(self) -> None:
        """What is odd about pieces, wherever they stand."""
        plan, extents = self.plan, self._extents
        hopping = not all(attacks_in(plan, piece) for piece in range(1, plan.wall))
        self.scalars |= {
            "hopping": hopping,
        }
        # Where pieces hop, those that leave a trail may open what is taken over it.
        odd = [
            each.special or each.twins or each.own or (hopping and each.trailing)
            for each in extents
        ]
        self.tables |= {
            "twins": [int(each.twins) for each in extents],
            "special": [int(each.special) for each in extents],
            "passes": [int(each.passes) for each in extents],
            "odd": self._crowding(
                [int(p and (each or self._is_counted_by_hand(p))) for p, each in enumerate(odd)]
            ),
        }

    def _lay_out_walks(self) -> None:
        """What pieces that roam call what stands on squares, and how much room their walks have."""
        plan = self.plan
        states = max(each.states for each in self._extents)
        self.scalars |= room_for(plan.size, states)
        if states:
            seen = [classes_of(plan, piece) for piece in range(1, plan.wall)]
            self.tables["seen"] = [0] * structs.CLASSES
            self.tables["seen"] += [classes[shift] for classes in seen for shift in CLASSES[0]]

    def _lay_out_bodies(self) -> None:
        """What pieces take up; see src/alfil/engine/bodies.c."""
        plan, tables = self.plan, self.tables
        steps = [*plan.bodies.steps, ((0, 0),)]
        tables["body"] = [self._list(x + y * plan.files for x, y in body) for body in steps]
        tables["wide"] = [abs(body[-1][0]) for body in steps]
        tables["high"] = [abs(body[-1][1]) for body in steps]
        # What cannot be passed or captured comes first of what is in the way.
        order = (VACANT, ENEMY, ROYAL, FRIEND, 0)
        seen = [classes_of(plan, piece) for piece in range(plan.wall)]
        tables["foremost"] = [
            order.index(VACANT if each[shift] == TRAIL else each[shift])
            for each in seen
            for shift in CLASSES[0]
        ]
        # A move may capture, and change, all there is.
        self.most_taken += 2 * plan.size

    def _crowding(self, odd: list[int]) -> list[int]:
        plan = self.plan
        return [
            int(each or any(plan.file_limit[f] for f in (p, *plan.forms(p)))) if p else 0
            for p, each in enumerate(odd)
        ]

    def _is_counted_by_hand(self, piece: int) -> bool:
        """Whether the number of forms is not that of the words, or not all forms may arrive.

        A royal one may not where it could be captured.
        """
        plan, forms = self.plan, self.plan.forms(piece)
        return len(forms) >= structs.FORMS or any(
            plan.side_limit[form] or plan.royal[form] for form in forms
        )

    def _lay_out_rules(self) -> None:
        plan, size = self.plan, self.plan.size
        pieces = range(1, plan.wall)
        lines = [None, *(lines_in(plan, piece) for piece in pieces)]
        kinds = [None, *(plan.kinds[(piece - 1) >> 1] for piece in pieces)]
        checks = {"free": 0, "required": structs.CHECKING, "barred": structs.QUIETLY}
        self.scalars |= {
            "size": size,
            "pieces": plan.wall,
            "files": plan.files,
            "kinds": len(plan.kinds),
            "limited": any(plan.file_limit) or plan.bodies.any,
            "bodies": plan.bodies.any,
            "veiling": plan.bodies.any or _is_veiled(plan),
            "words": (size + 31) // 32,
            "mating": any("drop-mate" in rules for rules in plan.drop_rules),
            "lenient": plan.rules.self_check == "allowed",
            "iron": plan.iron or plan.walled,
            "two_kinds": any(len(kinds) > 1 for kinds in plan.drop_sources),
        }
        swift = is_swift(plan, lines)
        self.tables |= {
            "shift": [structs.VACANT, *map(self._shift, pieces), structs.WALLED],
            "held": [0, *(plan.held[piece] + 1 for piece in pieces)],
            "limit": plan.file_limit,
            "crowds": self._crowding([0] * plan.wall),
            "hops": [1, *(int(not attacks_in(plan, piece)) for piece in pieces)],
            "lines": [
                0 if each is None else 2 * swift if plan.castle_insets[piece] else 1
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
            "barred": self._barred(),
            "remembered": [max(limit, plan.castles) for limit in plan.count_limits],
            "starts": [plan.starting.get(square, 0) for square in range(size)],
        }
        self._reach = Reach(plan)
        self.scalars |= {"span": self._reach.span, "middle": self._reach.middle}
        self._lay_out_effects()
        self.tables["droppable"] = [self._droppable(side) for side in SIDES]

    def _barred(self) -> list[int]:
        """By piece and other piece whether it may not capture that; nothing captures walls."""
        row, kinds = self.plan.wall + 1, range(len(self.plan.kinds))
        found = [0] * (self.plan.wall * row)
        for other, barred in enumerate((*self.plan.barred, kinds)):
            for piece in (1 + 2 * kind + side for kind in barred for side in SIDES):
                found[piece * row + other] = 1
        return found

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
            "round": min(plan.round, NEVER),
            "take_first": rules.must_capture == "yes",
            "meeting": rules.facing == "bikjang",
            "duple": rules.duple_check == "yes",
            "beside_own": rules.drop_beside == "own",
        }
        # What leaves pieces behind builds nothing.
        self.scalars["walling"] = 0 if any(plan.gates) else _WALLS.get(rules.wall, 0)
        self.scalars["turning"] = _FLIPS.get(rules.flip, 0)
        self.scalars |= minded(plan)
        self.tables["rules"] = rules_of(plan, self._pool)
        self.tables |= tables_of(plan, self._pool)
        if any(plan.side_limit):
            self.tables["side_limit"] = plan.side_limit
        if any(plan.castles_only):
            only = [self._list(sorted(each)) for each in plan.castles_only]
            self.tables["only_with"] = only
        if any(plan.partners):
            self.tables["castling"] = [*map(self._castling, range(plan.wall))]
        if _is_veiled(plan):
            blocks = [[plan.piece(c, s) for c in k.blocked_by for s in SIDES] for k in plan.kinds]
            self.tables["blocked"] = [0, *(self._list(each) for each in blocks for _ in SIDES)]
        self.scalars["en_route"] = _captures_en_route(plan)
        self.scalars["holding"] = plan.holding
        self.scalars["burning"] = plan.burning
        if any(plan.apart):
            self._lay_out_apart()
        self._lay_out_surroundings()
        self.tables |= {
            "blast": [*map(self._blast, range(plan.wall + 1))],
            "gates": [*map(int, plan.gates)],
            "stays": [*map(int, plan.passing)],
            "may_wall": self._on_squares(plan.may_wall),
            "opens": self._on_squares(plan.opening),
            "holes": self._on_squares((plan.holes,)),
            "colour_limit": [kind.per_colour for kind in plan.kinds],
            "unheld": plan.endless,
        }
        if any(plan.gates):
            self.most = [each * (1 + 2 * len(plan.kinds)) for each in self.most]
        changed = {"none": 0, "adjacent": 8, "enclosed": 4 * max(plan.files, plan.ranks)}
        self.most_taken += 8 * (rules.explosion != "none") + changed[rules.flip]
        self.most_taken += plan.special * (3 + plan.walled)

    def _lay_out_surroundings(self) -> None:
        """The squares around each one, and in line with it, where rules ask for them."""
        plan, rules = self.plan, self.plan.rules
        if rules.explosion != "none" or rules.flip == "adjacent" or rules.drop_beside == "own":
            self.tables["around"] = [self._list(each) for each in plan.around]
        if rules.flip == "enclosed":
            rays = [ray for each in plan.rays for ray in each]
            self.tables["rays"] = [self._list(ray) or self._put((0,)) for ray in rays]

    def _lay_out_apart(self) -> None:
        """What promotes with moves of its own, such as any of its forms might make."""
        plan = self.plan
        turning = [piece for piece in range(1, plan.wall) if plan.apart[piece]]
        for piece in turning:
            self.tables["odd"][piece] = self.tables["special"][piece] = 1
        self.tables["apart"] = [
            self._list(plan.forms(piece)) if piece in turning else 0 for piece in range(plan.wall)
        ]
        self.tables["ripe"] = [
            int(piece in turning and plan.promoting[piece][square])
            for piece in range(plan.wall)
            for square in range(plan.size)
        ]
        # They end where they begin, or where a form may go.
        most = 1 + max(self.most)
        for piece in turning:
            self.most[piece] += len(plan.forms(piece)) * most

    def _lay_out_ranges(self) -> None:
        """What burns, shoots or immobilises others, from each square."""
        plan = self.plan
        self.tables["ranges"], most = lay_out_ranges(plan, self.cells, self._pool)
        reached = most * max(map(len, plan.effects))
        self.most_taken += 1 + reached
        self.most_held = 2 * plan.size * reached * plan.holding

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
        if not 0 < piece < plan.wall:
            return 0
        found = structs.TAKEN_ALONG * (plan.blast[piece] == "always")
        found |= structs.PERISHING * (plan.blast[piece] != "never")
        return found | structs.PETRIFYING * plan.petrifies[piece]

    def _shift(self, piece: int) -> int:
        if piece in self._apart:
            return APART[(piece - 1) % 2]
        first = structs.SECOND if piece % 2 == 0 else structs.FIRST
        return first + (structs.FIRST_ROYAL - structs.FIRST) * self.plan.royal[piece]

    def _droppable(self, side: int) -> int:
        """The list of what a side may drop: kind in hand and piece put down, by turns."""
        plan = self.plan
        if plan.rules.drops == "no":
            return self._put((0,))
        pairs = plan.droppable[side]
        return self._put((len(pairs), *(number for pair in pairs for number in pair)))


class State:
    """A position in arrays, with room for so many lists of moves, one in the other.

    There is room to make so many moves; those of the lists unless more are asked for.
    """

    def __init__(self, arrays: Arrays, position: Position, depth: int, longest: int = 0) -> None:
        self.arrays, self.tables = arrays, arrays.struct
        self.list_room = self._room_to_list(position)
        pairs = [square for pair in position.holds for square in pair]
        # How many moves can be listed and made, and how many numbers say what holds what.
        listed, made = self.list_room * (depth + 2) + longest, max(depth, longest)
        self._room = listed, made, max(len(pairs), arrays.most_held)
        self.struct = Block(arrays.sections(*self._room))
        self._enter(position, pairs)
        self._measure()
        self.ask("begin_line")

    def _enter(self, position: Position, pairs: list[int]) -> None:
        """Enter a position where all is 0 yet; the engine finds the rest by itself."""
        arrays, plan, struct = self.arrays, self.arrays.plan, self.struct
        struct["side"], struct["careful"], struct["burdened"] = position.turn, arrays.careful, 1
        struct["undone"] = UNDO
        struct["number"] = min(position.number % (2 * plan.round), NEVER)
        if position.trail:
            struct["trail"] = arrays.trail(frozenset(position.trail))
            struct["victim"] = next(iter(position.trail.values()))
        parts, board = struct.arrays, position.board
        if plan.bodies.any:
            # The engine knows itself what a piece takes up.
            board = [0 if piece == plan.cover else piece for piece in board]
            parts["anchor"][:] = array("i", range(plan.size))
        parts["board"][:] = array("i", board)
        parts["made"][:] = array("i", [*position.made, UNKNOWN])
        parts["shift"][:] = parts["plain"][:] = arrays.vacant
        if plan.has_hands:
            parts["hands"][:] = array("i", position.hands[0] + position.hands[1])
        if pairs:
            parts["holds"][: 1 + len(pairs)] = array("i", [len(pairs), *pairs])
        # The line begins with what was before.
        counts = (*position.checks, 0, position.idle, *position.countdown)
        if any(counts):
            first = structs.PLY_AT["first_given"]
            parts["line"][first : first + len(counts)] = array("i", counts)

    def _measure(self) -> None:
        """Tell the engine how much room there is."""
        arrays = self.struct.arrays
        self.struct["last_listed"] = len(self.moves) // structs.WIDTH - 2
        self.struct["last_past"] = len(arrays["line"]) // len(structs.PLY_AT) - 1
        self.struct["most_undone"] = len(arrays["undo"])
        self.struct["most_noted"] = len(arrays["nodes"])

    def _room_to_list(self, position: Position) -> int:
        """How many moves there may be at once, now or later."""
        arrays, plan = self.arrays, self.arrays.plan
        board, held = position.board, sum(map(sum, position.hands))
        lasting, walling = arrays.lasting and not held, arrays.scalars["walling"]
        empty = 0 if lasting and not walling else sum(map(board.count, (0, plan.wall, plan.cover)))
        men = plan.size - empty
        if lasting:
            # Nothing stands there but what stands there now, or what that becomes.
            room = max([sum(map(most.__getitem__, board)) for most in arrays.most_of_sides])
        else:
            room = (plan.size if plan.rules.drops == "free" else men + held) * max(arrays.most)
            room += arrays.drops * plan.size
        if walling:
            # Each move may build on every square that is free then.
            room *= max(plan.size - men - held, plan.size // 2) + 2
        # Not every number of moves needs sections of its own.
        return (min(room, MOST_LISTED) // 64 + 1) * 64 + MATES

    def ask(self, function: str, *given: Given) -> int:
        """What a function of the engine answers for this position."""
        return engine().call(function, self.tables, self.struct, *given)

    @property
    def moves(self) -> Numbers:
        """The list of moves, `WIDTH` numbers each."""
        return self.struct.arrays["moves"]

    def position(self) -> Position:
        """What stands where, and what is remembered of the moves made, but for their number."""
        plan, struct = self.arrays.plan, self.struct
        arrays, position = struct.arrays, Position(self.arrays.plan)
        position.board = arrays["board"].tolist()
        for square, own in enumerate(arrays.get("anchor", ())):
            if own != square:
                position.board[square] = plan.cover
        standing = zip(arrays["made"], position.board, strict=False)
        position.made = [made if piece else UNKNOWN for made, piece in standing]
        hands = list(arrays["hands"])
        position.hands = [hands[: len(plan.kinds)], hands[len(plan.kinds) :]]
        position.turn = struct["side"]
        passed = _items(self.tables.arrays["pool"], struct["trail"])
        # Nobody goes to a square of the trail that was walled up.
        position.trail = {s: struct["victim"] for s in passed if not position.board[s]}
        held = iter(arrays["holds"][1 : arrays["holds"][0] + 1])
        position.holds = tuple(sorted(zip(held, held, strict=True)))
        return position

    def copy(self) -> State:
        """The same position with room of its own."""
        other = copy(self)
        other.struct = self.struct.copy()
        return other

    def make_room(self, longest: int, lists: int = 0) -> None:
        """Let so many moves more be made, and listed at so many places more.

        The arrays are in other places afterwards.
        """
        listed, made, held = self._room
        self._room = listed + lists * self.list_room, made + longest, held
        self.struct = self.struct.copy(self.arrays.sections(*self._room))
        self._measure()

    def last(self, name: str) -> int:
        """A number of the last move of the line."""
        at = len(structs.PLY_AT) * self.struct["past"] + structs.PLY_AT[name]
        return self.struct.arrays["line"][at]

    @property
    def key(self) -> int:
        """The key of the position, once its moves were listed."""
        low, high = self.last("key"), self.last("key_high")
        return high << 32 | low & 0xFFFFFFFF

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
            changes = tuple(zip(told[::2], told[1::2], strict=True))
            if origin == plan.size:
                yield Act(becomes, -1, target, becomes, captures, changes=changes)
                continue
            place = (
                self.struct.arrays["burdens"][1 - node] if node < 0 else tables["trailing"][node]
            )
            trail = _items(tables["pool"], place)
            piece = board[origin]
            carried = _carried(partner)
            yield Act(piece, origin, target, becomes, captures, carried, trail, changes)


def _carried(partner: int) -> tuple[int, ...]:
    """From where to where a castling partner goes."""
    return ((partner - 1) >> 11, (partner - 1) & structs.SQUARE) if partner else ()


def _items(index: Numbers, place: int) -> tuple[int, ...]:
    return tuple(index[place + 1 : place + 1 + index[place]]) if place else ()

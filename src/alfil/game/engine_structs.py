"""A game and its positions as structs for the engine; see src/alfil/engine/engine.h."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import reduce
from itertools import chain
from operator import or_

from alfil.game import engine_interface
from alfil.game.attack_lines import (
    are_checks_and_pins_on_lines,
    attack_lines_if_all_moves,
    game_attack_lines,
)
from alfil.game.attacks_by_offset import OffsetAttackTable
from alfil.game.compiled_variant import (
    MAX_CACHED_MOVES,
    SIDES,
    UNKNOWN_MOVE_COUNT,
    BoundedCache,
    CompiledVariant,
    EngineMove,
    effect_range,
)
from alfil.game.effect_ranges import effect_code, lay_out_effects_with_max_range_size
from alfil.game.engine_interface import ArrayBlockLayout, ArrayBlockStruct, EngineArgument, Struct
from alfil.game.engine_memory import IntArray
from alfil.game.move_bounds import move_bounds
from alfil.game.move_layout import (
    APART_CLASS_SHIFTS,
    CLASS_BY_ENGINE_SHIFT,
    NEVER_REACHED_COUNT,
    LayoutSize,
    ListPool,
    MoveLayout,
    class_by_engine_shift,
    has_jump_only_blockers,
    has_optional_jumps,
)
from alfil.game.native_engine import engine
from alfil.game.position import Position
from alfil.game.result_rule_encoding import encode_rules, result_feature_flags, result_tables
from alfil.game.roaming_pieces import (
    UNJUMPABLE_ENEMY,
    UNJUMPABLE_FRIEND,
    has_states_with_and_without_jump,
    walk_memory_lengths,
)
from alfil.game.rule_table import RULES
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.tables.move_table import TableSection

# Room for drops that are tried while it is found out whether another one mates.
MATE_TEST_DROPS = 64
# So many ways to divide the memory of a position are remembered.
MAX_CACHED_SECTIONS = 200
# More moves than these are not listed: nobody looks through them.
MAX_LISTED_MOVES = 1 << 16
# Behind so many numbers, all 0, begins what takes moves back: what the last one took is asked even
# where there is none.
UNDO_OFFSET = 8
# What moves change is told of so many at once: each may change the whole board.
MOVES_AT_ONCE = 64
# Arrays with lists of moves, which are made again where a position is copied.
LIST_ARRAYS = frozenset({"moves", "judged", "nodes", "survey"})
_SURVIVAL_CODES = {"": 0, "any": engine_interface.ANY, "all": engine_interface.LAST}
_MOVE_COUNT_CONDITIONS = frozenset({"move", "every", "turn"})
_WALL_CODES = {
    "arrow": engine_interface.ARROW,
    "anywhere": engine_interface.ANYWHERE,
    "left": engine_interface.LEFT,
    "duck": engine_interface.DUCK,
}
_FLIP_CODES = {"adjacent": engine_interface.ADJACENT, "enclosed": engine_interface.ENCLOSED}
_DROP_LIMIT_CODES = {
    "drop-place": engine_interface.IN_PLACE,
    "drop-colour": engine_interface.ON_COLOUR,
}


def unsupported_reason(compiled: CompiledVariant) -> str:
    """The reason why the engine does not support a game; empty if it does."""
    pieces = range(1, compiled.wall)
    reasons = {
        "a range is vast, or depends on more than the board": any(
            section.guard or section.trie is None
            for piece in pieces
            for fact in compiled.effects[piece]
            for section in compiled.sections(effect_range(fact), piece)
        ),
        "a piece may not jump over others, and its paths do not tell whether it jumps": (
            _has_ambiguous_forbidden_jumps(compiled)
        ),
        "the board is large": compiled.size > engine_interface.SQUARE
        or not LayoutSize.of(compiled, move_bounds(compiled)).fits_engine(compiled.size),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _blocking_groups(compiled: CompiledVariant) -> set[tuple[str, ...]]:
    """The groups of piece codes that block some piece and that it cannot capture."""
    return {tuple(sorted(kind.blocked_by)) for kind in compiled.kinds if kind.blocked_by}


def _square_classes_seen(compiled: CompiledVariant, piece: int) -> Mapping[int, int]:
    """The square classes of a piece that roams; it may be choosy about what it jumps over."""
    result = class_by_engine_shift(compiled, piece)
    if not has_jump_only_blockers(compiled, piece):
        return result
    apart = {ENEMY: UNJUMPABLE_ENEMY, FRIEND: UNJUMPABLE_FRIEND}
    return {
        shift: apart.get(standing, 0) if shift in APART_CLASS_SHIFTS else standing
        for shift, standing in result.items()
    }


def _has_ambiguous_forbidden_jumps(compiled: CompiledVariant) -> bool:
    """Whether a piece that may not jump over others has paths that do not tell whether it jumps."""
    return any(
        has_optional_jumps(section.trie)
        if section.trie
        else has_states_with_and_without_jump(section.automaton)
        for piece in range(1, compiled.wall)
        if compiled.kinds[(piece - 1) >> 1].no_jump_over
        for section in compiled.table_sections(piece)
    )


def _captures_ep_before_path_end(compiled: CompiledVariant) -> bool:
    """Whether a piece captures another one en passant before the end of its move."""
    return any(
        trace.trail_captures
        for piece in range(1, compiled.wall, 2)
        for section in compiled.table_sections(piece)
        if section.trie
        for trace in section.trie.traces.values()
    )


def _has_differing_blockers(compiled: CompiledVariant) -> bool:
    """Whether pieces are blocked by different groups, or by royals, which have no class.

    Those that a piece may not jump over are such a group, too.
    """
    result = _blocking_groups(compiled)
    if any(kind.no_jump_over for kind in compiled.kinds):
        return True
    return len(result) > 1 or any(
        compiled.royal[compiled.piece_number(c, 0)] for each in result for c in each
    )


def _changes_other_squares(compiled: CompiledVariant) -> bool:
    """Whether moves change squares besides origin, target and captures."""
    rules = compiled.rules
    ways = {rules.explosion, rules.flip, rules.wall}
    return ways != {"none"} or any(compiled.petrifies) or compiled.burning or compiled.freezing


def slow_legality_reason(compiled: CompiledVariant) -> str:
    """The reason why moves are tested one by one; empty where each side has one plain royal."""
    # Pieces of the second side do what those of the first do.
    pieces = range(1, compiled.wall, 2)
    for rule in RULES:
        if rule.slow_value and getattr(compiled.rules, rule.field_name) == rule.slow_value:
            return f"{rule.name} = {rule.slow_value}"
    reasons = {
        "pieces take up several squares": compiled.footprints.any,
        "there are several royal pieces": sum(compiled.royal) != len(SIDES)
        or any(compiled.royal[form] for piece in pieces for form in compiled.all_promotions(piece)),
        "some pieces cannot capture others": compiled.has_iron,
        "some pieces may not be exchanged": bool(compiled.rules.no_exchange),
        "some pieces capture what is not protected": bool(compiled.rules.captures_unprotected),
        "what captures some pieces becomes others": bool(compiled.rules.contagion),
        "a piece roams": any(
            section.trie is None for piece in pieces for section in compiled.table_sections(piece)
        ),
        "en passant takes pieces on the way": _captures_ep_before_path_end(compiled),
        "pieces block different others, or royal ones": _has_differing_blockers(compiled),
        "moves change other squares": _changes_other_squares(compiled) or any(compiled.gates),
        "drops depend on neighbours": any(
            {*codes} & {*_DROP_LIMIT_CODES} for codes in compiled.drop_rules
        ),
        "castling goes to files": any(compiled.partners_if_castling_to_files),
        "a piece captures its own side, and there are walls": compiled.walled
        and any(
            _captures_friends(section)
            for piece in pieces
            for section in compiled.table_sections(piece)
        ),
        "a royal piece leaves a trail": any(
            compiled.royal[piece] and compiled.leaves_ep_squares(piece) for piece in pieces
        ),
        "what is attacked depends on the moves made": any(
            _has_attacks_by_move_count(section)
            for piece in pieces
            for section in compiled.table_sections(piece)
        ),
        "a piece other than the royal castles": any(
            compiled.castling_partner_insets[piece] and not compiled.royal[piece]
            for piece in pieces
        ),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _captures_friends(section: TableSection) -> bool:
    return section.trie is None or any(word & FRIEND for word in section.trie.nodes)


def _has_attacks_by_move_count(section: TableSection) -> bool:
    """Whether a piece may capture a royal after some numbers of its moves only."""
    if section.trie is None or not any(
        each.kind in _MOVE_COUNT_CONDITIONS for each in section.guard
    ):
        return False
    captures = any(trace.captures for trace in section.trie.traces.values())
    return captures or any(word & ROYAL for word in section.trie.nodes)


def _pack_bit_sets(sets: Iterable[int], size: int) -> array[int]:
    """Sets of numbers below ``size``, 32 a word."""
    length = 4 * ((size + 31) // 32)
    result = array("I", b"".join(each.to_bytes(length, "little") for each in sets))
    if sys.byteorder == "big":
        result.byteswap()
    return result


class EngineTables:
    """The tables of one game."""

    def __init__(self, compiled: CompiledVariant) -> None:
        self.plan = compiled
        self.careful = bool(slow_legality_reason(compiled))
        # The whole numbers, the tables, and all lists.
        self.scalars: dict[str, int] = {}
        self.tables: dict[str, list[int] | array[int]] = {}
        self._pool = ListPool()
        self._list, self._put = self._pool.put_list, self._pool.put
        self._extents = move_bounds(compiled)
        # The most moves of each piece, whatever it becomes, and the most squares a move changes.
        self.most = self._max_moves_by_piece()
        self.most_taken = 1 + max(each.max_captures for each in self._extents)
        self.most_held = 0
        blockers = set() if _has_differing_blockers(compiled) else _blocking_groups(compiled)
        self._apart = {
            compiled.piece_number(c, s) for each in blockers for c in each for s in SIDES
        }
        self._lay_out_piece_traits()
        self._lay_out_roaming()
        self._lay_out_rules()
        if compiled.footprints.any:
            self._lay_out_large_pieces()
        self.cells = MoveLayout(compiled, self._pool, LayoutSize.of(compiled, self._extents))
        if any(compiled.effects):
            self._lay_out_effect_ranges()
        self.trail = self.cells.ep_list
        self._kept, function = engine().register_callback(self.cells.lay_out)
        self.struct = self._make_tables_struct(function)
        # Whether what a move captures and changes depends on more than its node.
        walks = any(each.states for each in self._extents)
        self.varied = (
            walks
            or _changes_other_squares(compiled)
            or any(compiled.gates)
            or _captures_ep_before_path_end(compiled)
        )
        self.varied |= compiled.footprints.any
        self.drops = max(map(len, compiled.kind_and_dropped_piece_pairs))
        # Whether there are never more pieces than in the beginning, but for those in hand.
        self.lasting = compiled.rules.drops == "no" and compiled.rules.flip == "none"
        # The numbers that take back one move.
        self.undo_length = 10 + 4 * self.most_taken + self.most_held
        # Four squares a number, with nothing on them.
        self.vacant = array("i", bytes([engine_interface.VACANT]) * 4) * (compiled.size // 4 + 1)
        self._sections: BoundedCache[tuple[int, int, int, int], ArrayBlockLayout] = BoundedCache(
            MAX_CACHED_SECTIONS
        )
        # `most` by all that may stand on a square, what is not the side's 0.
        rows = [[each * (p % 2 != side) for p, each in enumerate(self.most)] for side in SIDES]
        self.most_of_sides = [[0, *row[1:], 0, 0] for row in rows]
        self.struct["most_undo"], self.struct["most_held"] = self.undo_length, self.most_held
        # Moves by the number that `structs.survey` gives them, and the last number that one had.
        self.known: BoundedCache[int, EngineMove] = BoundedCache(MAX_CACHED_MOVES)
        self.numbers: BoundedCache[EngineMove, int] = BoundedCache(MAX_CACHED_MOVES)

    def position_array_layout(
        self, listed_moves: int, line_moves: int, hold_numbers: int, longest_list: int
    ) -> ArrayBlockLayout:
        """The arrays of a position, with room to list and to make so many moves.

        ``hold_numbers`` are the numbers that say what holds what, ``longest_list`` the moves of one
        list.
        """
        key = listed_moves, line_moves, hold_numbers, longest_list
        if key not in self._sections:
            self._sections[key] = ArrayBlockLayout(
                engine_interface.POSITION, self._array_lengths(*key)
            )
        return self._sections[key]

    def _array_lengths(
        self, listed_moves: int, line_moves: int, hold_numbers: int, longest_list: int
    ) -> dict[str, int]:
        compiled, size, ways = self.plan, self.plan.size, self.scalars["most_ways"]
        # Bytes are as many numbers of 32 bits as have room for them.
        lengths = dict.fromkeys(("shift", "plain"), size // 4 + 1)
        lengths |= dict.fromkeys(("board", "near", "beside", "order", "spots", "noted_at"), size)
        lengths |= dict.fromkeys(("made", "places", "marks"), size + 1)
        lengths |= {
            "lists": 2 * size,
            "nodes": max(self.most) + 1,
            "on_file": (compiled.wall + 1) * compiled.files,
            "hands": 2 * len(compiled.kinds),
            "occupied": self.scalars["words"],
            "holds": 1 + hold_numbers,
            "visits": 1 + engine_interface.VISITS,
        }
        if compiled.footprints.any:
            lengths |= {"prey": size, "anchor": size}
        if ways:
            # Only pieces that roam need these.
            result = self.scalars
            lengths |= {"ends": result["most_ends"], "burdens": result["most_burdens"]}
            lengths |= {
                "ways": engine_interface.WAY * ways,
                "met": 2 * ways,
                "links": engine_interface.LINK * ways,
            }
        lengths |= {
            "undo": UNDO_OFFSET + (line_moves + MATE_TEST_DROPS) * self.undo_length,
            "line": (line_moves + 1) * len(engine_interface.PLY_FIELD_INDEX),
            "moves": engine_interface.WIDTH * listed_moves,
            "survey": 2 * (engine_interface.NUMBERS + longest_list),
        }
        if {compiled.rules.perpetual_chase, compiled.rules.perpetual_attack} != {"allowed"}:
            lengths["judged"] = listed_moves
        return lengths

    def _make_tables_struct(self, lay_out_address: int) -> Struct:
        """The tables and lists; those of pieces on squares are laid out later."""
        compiled = self.plan
        dropped = [compiled.drop_square_set(piece) for piece in range(1, compiled.wall)]
        arrays: dict[str, IntArray] = dict(self.cells.arrays)
        arrays |= {name: array("i", numbers) for name, numbers in self.tables.items()}
        arrays |= OffsetAttackTable(compiled).engine_arrays()
        arrays["drop_squares"] = _pack_bit_sets([0, *dropped], self.plan.size)
        files = [
            sum(compiled.bits[s] for s in range(file, compiled.size, compiled.files))
            for file in range(compiled.files)
        ]
        arrays["file_squares"] = _pack_bit_sets(files, compiled.size)
        if _has_differing_blockers(compiled):
            sets = self._blocker_sets()
            arrays["blocked"] = array("i", map(bool, sets))
            arrays["blockers"] = _pack_bit_sets(sets, compiled.wall + 1)
        arrays["barred"] = _pack_bit_sets(self._uncapturable_sets(), compiled.wall + 1)
        return Struct(
            engine_interface.TABLES, self.scalars, arrays, self.cells, {"lay": lay_out_address}
        )

    def _max_moves_by_piece(self) -> list[int]:
        compiled = self.plan
        forms = [(), *map(compiled.all_promotions, range(1, compiled.wall))]
        most = [each.ends * (1 + len(forms[p])) for p, each in enumerate(self._extents)]
        most[0] = 1
        changed = True
        while changed:
            best = [max(most[form] for form in (p, *forms[p])) for p in range(compiled.wall)]
            changed, most = best != most, best
        return most

    def _lay_out_piece_traits(self) -> None:
        """The traits of pieces that do not depend on the square."""
        compiled, extents = self.plan, self._extents
        hopping = not all(game_attack_lines(compiled, piece) for piece in range(1, compiled.wall))
        self.scalars |= {"hopping": hopping}
        # Where pieces hop, those that leave a trail may open what is taken over it.
        odd = [
            each.is_special or each.captures_friends or (hopping and each.passes_squares)
            for each in extents
        ]
        self.tables |= {
            "twins": [int(each.has_duplicates) for each in extents],
            "special": [int(each.is_special) for each in extents],
            "passes": [int(each.has_null_move) for each in extents],
            "odd": self._add_file_limit_flags(
                [
                    int(p and (each or self._must_check_promotion_forms(p)))
                    for p, each in enumerate(odd)
                ]
            ),
        }

    def _lay_out_roaming(self) -> None:
        """The square classes of roaming pieces, and the working memory of their walks."""
        compiled = self.plan
        states = max(each.states for each in self._extents)
        self.scalars |= walk_memory_lengths(compiled.size, states)
        if states:
            seen = [_square_classes_seen(compiled, piece) for piece in range(1, compiled.wall)]
            of_nobody = dict.fromkeys(CLASS_BY_ENGINE_SHIFT[0], 0)
            self.tables["seen"] = [
                classes[shift] for classes in (of_nobody, *seen) for shift in of_nobody
            ]

    def _lay_out_large_pieces(self) -> None:
        """What pieces take up; see src/alfil/engine/bodies.c."""
        compiled, tables = self.plan, self.tables
        steps = [*compiled.footprints.steps, ((0, 0),)]
        tables["body"] = [self._list(x + y * compiled.files for x, y in body) for body in steps]
        tables["wide"] = [abs(body[-1][0]) for body in steps]
        tables["high"] = [abs(body[-1][1]) for body in steps]
        # What cannot be passed or captured comes first of what is in the way.
        order = (VACANT, ENEMY, ROYAL, FRIEND, 0)
        seen = [class_by_engine_shift(compiled, piece) for piece in range(compiled.wall)]
        tables["foremost"] = [
            order.index(VACANT if each[shift] == TRAIL else each[shift])
            for each in seen
            for shift in CLASS_BY_ENGINE_SHIFT[0]
        ]
        # A move may capture, and change, all there is.
        self.most_taken += 2 * compiled.size

    def _add_file_limit_flags(self, flags: list[int]) -> list[int]:
        compiled = self.plan
        return [
            int(each or any(compiled.file_limit[f] for f in (p, *compiled.all_promotions(p))))
            if p
            else 0
            for p, each in enumerate(flags)
        ]

    def _must_check_promotion_forms(self, piece: int) -> bool:
        """Whether the number of forms is not that of the words, or not all forms may arrive.

        A royal one may not where it could be captured.
        """
        compiled, forms = self.plan, self.plan.all_promotions(piece)
        return (
            len(forms) >= engine_interface.FORMS
            or bool(compiled.rules.contagion)
            or any(compiled.side_limit[form] or compiled.royal[form] for form in forms)
        )

    def _lay_out_rules(self) -> None:
        compiled, size = self.plan, self.plan.size
        pieces = range(1, compiled.wall)
        lines = [None, *(attack_lines_if_all_moves(compiled, piece) for piece in pieces)]
        kinds = [None, *(compiled.kinds[(piece - 1) >> 1] for piece in pieces)]
        checks = {
            "free": 0,
            "required": engine_interface.CHECKING,
            "barred": engine_interface.QUIETLY,
        }
        self.scalars |= {
            "size": size,
            "pieces": compiled.wall,
            "files": compiled.files,
            "kinds": len(compiled.kinds),
            "limited": any(compiled.file_limit) or compiled.footprints.any,
            "bodies": compiled.footprints.any,
            "veiling": compiled.footprints.any or _has_differing_blockers(compiled),
            "words": (size + 31) // 32,
            "mating": any("drop-mate" in rules for rules in compiled.drop_rules),
            "lenient": compiled.rules.self_check == "allowed",
            "iron": compiled.has_iron or compiled.walled,
            "two_kinds": any(len(kinds) > 1 for kinds in compiled.hand_kinds_by_dropped_piece),
        }
        swift = are_checks_and_pins_on_lines(compiled, lines)
        self.tables |= {
            "shift": [
                engine_interface.VACANT,
                *map(self._class_shift, pieces),
                engine_interface.WALLED,
            ],
            "held": [0, *(compiled.held[piece] + 1 for piece in pieces)],
            "limit": compiled.file_limit,
            "crowds": self._add_file_limit_flags([0] * compiled.wall),
            "hops": [1, *(int(not game_attack_lines(compiled, piece)) for piece in pieces)],
            "lines": [
                0 if each is None else 2 * swift if compiled.castling_partner_insets[piece] else 1
                for piece, each in enumerate(lines)
            ],
            "drop_limit": [
                kind.per_file if kind and "file" in compiled.drop_rules[piece] else 0
                for piece, kind in enumerate(kinds)
            ],
            "drop_check": [
                checks[kind.drop_check]
                + sum(_DROP_LIMIT_CODES.get(code, 0) for code in compiled.drop_rules[piece])
                if kind
                else 0
                for piece, kind in enumerate(kinds)
            ],
            "drop_mate": [int("drop-mate" in rules) for rules in compiled.drop_rules],
            "file_of": [square % compiled.files for square in range(size)],
            "royal": [*(_SURVIVAL_CODES[each] for each in compiled.survive), 0],
            "remembered": [
                max(limit, compiled.has_castling) for limit in compiled.piece_move_count_caps
            ],
            "starts": [compiled.starting.get(square, 0) for square in range(size)],
        }
        self._lay_out_rare_rules()
        self.tables["droppable"] = [self._drop_list(side) for side in SIDES]

    def _uncapturable_sets(self) -> list[int]:
        """By piece the set of the pieces it may not capture; nothing captures walls."""
        result = [0, *[1 << self.plan.wall] * (self.plan.wall - 1)]
        for other, barred in enumerate(self.plan.iron_against):
            for piece in (1 + 2 * kind + side for kind in barred for side in SIDES):
                result[piece] |= 1 << other
        return result

    def _lay_out_rare_rules(self) -> None:
        """Tables of rare rules; see src/alfil/engine/effects.c."""
        compiled, rules = self.plan, self.plan.rules
        self.scalars |= {
            "effects": _changes_other_squares(compiled),
            "exploding": rules.explosion == "captures",
            "gating": any(compiled.gates),
            "endless": rules.drops == "free",
            "setting": rules.drops_first == "yes",
            "stuck_passes": rules.passes == "stuck",
            "round": min(compiled.turn_condition_period, NEVER_REACHED_COUNT),
            "take_first": rules.must_capture == "yes",
            "meeting": rules.facing == "bikjang",
            "duple": rules.duple_check == "yes",
            "beside_own": rules.drop_beside == "own",
        }
        # What leaves pieces behind builds nothing.
        self.scalars["walling"] = 0 if any(compiled.gates) else _WALL_CODES.get(rules.wall, 0)
        self.scalars["turning"] = _FLIP_CODES.get(rules.flip, 0)
        self.scalars |= result_feature_flags(compiled)
        self.tables["rules"] = encode_rules(compiled, self._pool)
        self.tables |= result_tables(compiled, self._pool)
        if any(compiled.side_limit):
            self.tables["side_limit"] = compiled.side_limit
        if any(compiled.inset_castling_partners):
            only = [self._list(sorted(each)) for each in compiled.inset_castling_partners]
            self.tables["only_with"] = only
        if any(compiled.partners_if_castling_to_files):
            self.tables["castling"] = [*map(self._castling_list, range(compiled.wall))]
        self.scalars["en_route"] = _captures_ep_before_path_end(compiled)
        self.scalars["holding"] = compiled.holding
        self.scalars["burning"] = compiled.burning
        if any(compiled.promotes_as_separate_move):
            self._lay_out_separate_promotions()
        self._lay_out_neighbourhoods()
        self.tables |= {
            "blast": [*map(self._explosion_flags, range(compiled.wall + 1))],
            "gates": [*map(int, compiled.gates)],
            "stays": [*map(int, compiled.passing)],
            "may_wall": self._bits_by_square(compiled.wall_square_bits),
            "opens": self._bits_by_square(compiled.opening_drop_square_bits),
            "holes": self._bits_by_square((compiled.holes,)),
            "colour_limit": [kind.per_colour for kind in compiled.kinds],
            "unheld": compiled.is_dropped_from_nowhere,
        }
        if any(compiled.gates):
            self.most = [each * (1 + 2 * len(compiled.kinds)) for each in self.most]
        changed = {"none": 0, "adjacent": 8, "enclosed": 4 * max(compiled.files, compiled.ranks)}
        self.most_taken += 8 * (rules.explosion != "none") + changed[rules.flip]
        self.most_taken += compiled.special * (3 + compiled.walled)

    def _blocker_sets(self) -> list[int]:
        """By piece the set of the pieces that it neither passes nor takes."""
        kinds = self.plan.kinds
        both_sides = {kind.code: 3 << (1 + 2 * number) for number, kind in enumerate(kinds)}
        result = [0]
        for kind in kinds:
            blockers = 0
            for code in (*kind.blocked_by, *kind.no_jump_over):
                blockers |= both_sides.get(code, 0)
            result += [blockers] * len(SIDES)
        return result

    def _lay_out_neighbourhoods(self) -> None:
        """The squares around each one, and in line with it, where rules ask for them."""
        compiled, rules = self.plan, self.plan.rules
        if rules.explosion != "none" or rules.flip == "adjacent" or rules.drop_beside == "own":
            self.tables["around"] = [self._list(each) for each in compiled.neighbours]
        if rules.flip == "enclosed":
            rays = [ray for each in compiled.board_rays for ray in each]
            self.tables["rays"] = [self._list(ray) or self._put((0,)) for ray in rays]

    def _lay_out_separate_promotions(self) -> None:
        """Pieces that promote by moves of their own, such as their promoted forms make."""
        compiled = self.plan
        turning = [
            piece for piece in range(1, compiled.wall) if compiled.promotes_as_separate_move[piece]
        ]
        for piece in turning:
            self.tables["odd"][piece] = self.tables["special"][piece] = 1
        self.tables["apart"] = [
            self._list(compiled.own_promotions(piece)) if piece in turning else 0
            for piece in range(compiled.wall)
        ]
        self.tables["ripe"] = [
            int(piece in turning and compiled.promoting[piece][square])
            for piece in range(compiled.wall)
            for square in range(compiled.size)
        ]
        # They end where they begin, or where a form may go.
        most = 1 + max(self.most)
        for piece in turning:
            self.most[piece] += len(compiled.own_promotions(piece)) * most

    def _lay_out_effect_ranges(self) -> None:
        """What burns, shoots or immobilises others, from each square."""
        compiled = self.plan
        self.tables["ranges"], most = lay_out_effects_with_max_range_size(
            compiled, self.cells, self._pool
        )
        effects = chain.from_iterable(compiled.effects)
        self.scalars["effect_bits"] = reduce(or_, map(effect_code, effects), 0)
        reached = most * max(map(len, compiled.effects))
        self.most_taken += 1 + reached
        self.most_held = 2 * compiled.size * reached * compiled.holding

    def _bits_by_square(self, sets: Iterable[int]) -> list[int]:
        return [each >> square & 1 for each in sets for square in range(self.plan.size)]

    def _castling_list(self, piece: int) -> int:
        """The list of how a piece castles to files: left, right, and its partners."""
        compiled = self.plan
        if not compiled.partners_if_castling_to_files[piece]:
            return 0
        kind = compiled.kinds[(piece - 1) >> 1]
        return self._list(
            [*(kind.castles_to or ()), *sorted(compiled.partners_if_castling_to_files[piece])]
        )

    def _explosion_flags(self, piece: int) -> int:
        compiled = self.plan
        if not 0 < piece < compiled.wall:
            return 0
        result = engine_interface.TAKEN_ALONG * (compiled.blast[piece] == "always")
        result |= engine_interface.PERISHING * (compiled.blast[piece] != "never")
        return result | engine_interface.PETRIFYING * compiled.petrifies[piece]

    def _class_shift(self, piece: int) -> int:
        if piece in self._apart:
            return APART_CLASS_SHIFTS[(piece - 1) % 2]
        first = engine_interface.SECOND if piece % 2 == 0 else engine_interface.FIRST
        return (
            first + (engine_interface.FIRST_ROYAL - engine_interface.FIRST) * self.plan.royal[piece]
        )

    def _drop_list(self, side: int) -> int:
        """The list of what a side may drop: kind in hand and piece put down, by turns."""
        compiled = self.plan
        if compiled.rules.drops == "no":
            return self._put((0,))
        pairs = compiled.kind_and_dropped_piece_pairs[side]
        return self._put((len(pairs), *(number for pair in pairs for number in pair)))


class PositionStruct:
    """A position as engine struct, with memory for nested move lists.

    There is room to make so many moves; those of the lists unless more are asked for.
    """

    def __init__(
        self, arrays: EngineTables, position: Position, depth: int, longest: int = 0
    ) -> None:
        self.arrays, self.tables = arrays, arrays.struct
        self.list_room = self._max_moves(position)
        pairs = [square for pair in position.holds for square in pair]
        # How many moves can be listed and made, and how many numbers say what holds what.
        listed, made = self.list_room * (depth + 2) + longest, max(depth, longest)
        self._room = listed, made, max(len(pairs), arrays.most_held), self.list_room
        self.struct = ArrayBlockStruct(arrays.position_array_layout(*self._room))
        self._write_position(position, pairs)
        self._set_capacities()
        self.call_engine("begin_line_from_board")

    def _write_position(self, position: Position, held_pairs: list[int]) -> None:
        """Enter a position where all is 0 yet; the engine finds the rest by itself."""
        arrays, compiled, struct = self.arrays, self.arrays.plan, self.struct
        struct["side"], struct["careful"], struct["burdened"] = position.turn, arrays.careful, 1
        struct["undone"] = UNDO_OFFSET
        struct["number"] = min(
            position.number % (2 * compiled.turn_condition_period), NEVER_REACHED_COUNT
        )
        if position.trail:
            struct["trail"] = arrays.trail(frozenset(position.trail))
            struct["victim"] = next(iter(position.trail.values()))
        if position.exchanged is not None:
            struct["exchanged"] = position.exchanged + 1
        parts, board = struct.arrays, position.board
        if compiled.footprints.any:
            # The engine knows itself what a piece takes up.
            board = [0 if piece == compiled.cover else piece for piece in board]
            parts["anchor"][:] = array("i", range(compiled.size))
        parts["board"][:] = array("i", board)
        parts["made"][:] = array("i", [*position.made, UNKNOWN_MOVE_COUNT])
        parts["shift"][:] = parts["plain"][:] = arrays.vacant
        if compiled.variant.has_hands:
            parts["hands"][:] = array("i", position.hands[0] + position.hands[1])
        if held_pairs:
            parts["holds"][: 1 + len(held_pairs)] = array("i", [len(held_pairs), *held_pairs])
        # The line begins with what was before.
        counts = (*position.checks, 0, position.idle, *position.countdown)
        if any(counts):
            first = engine_interface.PLY_FIELD_INDEX["first_given"]
            parts["line"][first : first + len(counts)] = array("i", counts)

    def _set_capacities(self) -> None:
        """Tell the engine how much room there is."""
        arrays = self.struct.arrays
        self.struct["last_listed"] = len(self.moves) // engine_interface.WIDTH - 2
        self.struct["last_past"] = len(arrays["line"]) // len(engine_interface.PLY_FIELD_INDEX) - 1
        self.struct["most_undone"] = len(arrays["undo"])
        self.struct["most_noted"] = len(arrays["nodes"])
        self.struct["most_surveyed"] = len(arrays["survey"]) // 2 - engine_interface.NUMBERS

    def _max_moves(self, position: Position) -> int:
        """How many moves there may be at once, now or later."""
        arrays, compiled = self.arrays, self.arrays.plan
        board, held = position.board, sum(map(sum, position.hands))
        lasting, walling = arrays.lasting and not held, arrays.scalars["walling"]
        empty = (
            0
            if lasting and not walling
            else sum(map(board.count, (0, compiled.wall, compiled.cover)))
        )
        men = compiled.size - empty
        if lasting:
            # Nothing stands there but what stands there now, or what that becomes.
            room = max([sum(map(most.__getitem__, board)) for most in arrays.most_of_sides])
        else:
            room = (compiled.size if compiled.rules.drops == "free" else men + held) * max(
                arrays.most
            )
            room += arrays.drops * compiled.size
        if walling:
            # Each move may build on every square that is free then.
            room *= max(compiled.size - men - held, compiled.size // 2) + 2
        # Not every number of moves needs sections of its own.
        return (min(room, MAX_LISTED_MOVES) // 64 + 1) * 64 + MATE_TEST_DROPS

    def call_engine(self, function: str, *arguments: EngineArgument) -> int:
        """Call an engine function with this position."""
        return engine().call(function, self.tables, self.struct, *arguments)

    @property
    def moves(self) -> IntArray:
        """The list of moves, `WIDTH` numbers each."""
        return self.struct.arrays["moves"]

    def position(self) -> Position:
        """The position as a Python object, without the number of moves made."""
        compiled, struct = self.arrays.plan, self.struct
        arrays, position = struct.arrays, Position(self.arrays.plan)
        position.board = arrays["board"].tolist()
        for square, own in enumerate(arrays.get("anchor", ())):
            if own != square:
                position.board[square] = compiled.cover
        standing = zip(arrays["made"], position.board, strict=False)
        position.made = [made if piece else UNKNOWN_MOVE_COUNT for made, piece in standing]
        hands = list(arrays["hands"])
        position.hands = [hands[: len(compiled.kinds)], hands[len(compiled.kinds) :]]
        position.turn = struct["side"]
        passed = _list_items(self.tables.arrays["pool"], struct["trail"])
        # Nobody goes to a square of the trail that was walled up.
        position.trail = {s: struct["victim"] for s in passed if not position.board[s]}
        position.exchanged = struct["exchanged"] - 1 if struct["exchanged"] else None
        held = iter(arrays["holds"][1 : arrays["holds"][0] + 1])
        position.holds = tuple(sorted(zip(held, held, strict=True)))
        return position

    def copy(self) -> PositionStruct:
        """The same position with room of its own, and no move list."""
        other = copy(self)
        other.struct = self.struct.copy(left_empty=LIST_ARRAYS)
        return other

    def copy_from(self, other: PositionStruct, spare_moves: int) -> bool:
        """Become another position of the same game, with its line, and room for so many moves more.

        False, and nothing is done, where there is not so much room.
        """
        mine, theirs = self.struct, other.struct
        past, undone = theirs["past"], theirs["undone"]
        more = spare_moves * self.arrays.undo_length
        if (
            self.arrays is not other.arrays
            or self.list_room < other.list_room
            or len(mine.arrays["holds"]) < len(theirs.arrays["holds"])
            or mine["last_past"] < past + spare_moves
            or mine["most_undone"] < undone + more
        ):
            return False
        # Of what grows with a game, and of lists that are made again, no more than there is.
        used = {"line": (past + 1) * len(engine_interface.PLY_FIELD_INDEX), "undo": undone}
        used |= dict.fromkeys(LIST_ARRAYS, 0)
        for name, numbers in theirs.arrays.items():
            end = used.get(name, len(numbers))
            memoryview(mine.arrays[name])[:end] = memoryview(numbers)[:end]
        mine.head[:] = theirs.head
        self._set_capacities()
        return True

    def make_room(self, more_moves: int, more_lists: int = 0) -> None:
        """Reserve memory for more moves and more move lists.

        The arrays are in other places afterwards.
        """
        listed_moves, line_moves, hold_numbers, longest_list = self._room
        self._room = (
            listed_moves + more_lists * self.list_room,
            line_moves + more_moves,
            hold_numbers,
            longest_list,
        )
        self.struct = self.struct.copy(self.arrays.position_array_layout(*self._room), LIST_ARRAYS)
        self._set_capacities()

    def last_ply_field(self, name: str) -> int:
        """A number of the last move of the line."""
        at = (
            len(engine_interface.PLY_FIELD_INDEX) * self.struct["past"]
            + engine_interface.PLY_FIELD_INDEX[name]
        )
        return self.struct.arrays["line"][at]

    @property
    def key(self) -> int:
        """The key of the position, once its moves were listed."""
        low, high = self.last_ply_field("key"), self.last_ply_field("key_high")
        return high << 32 | low & 0xFFFFFFFF

    def engine_moves(self, first: int, end: int) -> list[EngineMove]:
        """The moves between two indices of the move list."""
        if self.arrays.varied:
            starts = range(first, end, MOVES_AT_ONCE)
            lists = (self._moves_with_changes(n, min(n + MOVES_AT_ONCE, end)) for n in starts)
            return [*chain.from_iterable(lists)]
        tables, numbers = self.tables.arrays, self._encoded_moves(first, end)
        pool, trails, takens = tables["pool"], tables["trailing"], tables["taken"]
        size, board = self.arrays.plan.size, self.struct.arrays["board"]
        result = []
        for origin, target, becomes, node, partner, flags in numbers:
            if origin == size:
                result.append(EngineMove(becomes, -1, target, becomes))
                continue
            captures = _list_items(pool, takens[node])
            if flags & engine_interface.PASSANT:
                captures += (self.struct["victim"],)
            elif board[target] and target != origin and not partner:
                captures += (target,)
            carried = _castling_partner_move(partner)
            trail = _list_items(pool, trails[node])
            result.append(
                EngineMove(board[origin], origin, target, becomes, captures, carried, trail)
            )
        return result

    def indices_with_same_ends(self, move_index: int, end: int) -> list[int]:
        """The places in the list, from 1 to below ``end``, of moves with the squares of one."""
        ends = [each[:2] for each in self._encoded_moves(1, end)]
        return [n for n, each in enumerate(ends, 1) if each == ends[move_index - 1]]

    def _encoded_moves(self, first: int, end: int) -> Iterator[tuple[int, ...]]:
        """The numbers of moves of the list between two places."""
        width = engine_interface.WIDTH
        numbers = self.moves[width * first : width * end]
        return zip(*[iter(numbers)] * width, strict=True)

    def _moves_with_changes(self, first: int, end: int) -> Iterator[EngineMove]:
        """`engine_moves` where moves change more than what goes and what is captured."""
        compiled, tables, board = self.arrays.plan, self.tables.arrays, self.struct.arrays["board"]
        out = array("q", bytes(8 * (end - first) * (2 + 2 * self.arrays.most_taken)))
        engine().call("write_move_changes", self.tables, self.struct, first, end, out)
        at = 0
        for origin, target, becomes, node, partner, _ in self._encoded_moves(first, end):
            behind = at + 1 + out[at]
            captures = tuple(out[at + 1 : behind])
            at = behind + 1 + 2 * out[behind]
            text = out[behind + 1 : at]
            changes = tuple(zip(text[::2], text[1::2], strict=True))
            if origin == compiled.size:
                yield EngineMove(becomes, -1, target, becomes, captures, changes=changes)
                continue
            place = (
                self.struct.arrays["burdens"][1 - node] if node < 0 else tables["trailing"][node]
            )
            trail = _list_items(tables["pool"], place)
            piece = board[origin]
            carried = _castling_partner_move(partner)
            yield EngineMove(piece, origin, target, becomes, captures, carried, trail, changes)


def _castling_partner_move(partner: int) -> tuple[int, ...]:
    """From where to where a castling partner goes."""
    return ((partner - 1) >> 11, (partner - 1) & engine_interface.SQUARE) if partner else ()


def _list_items(index: IntArray, place: int) -> tuple[int, ...]:
    return tuple(index[place + 1 : place + 1 + index[place]]) if place else ()

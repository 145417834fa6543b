"""The attack lines of leapers and riders: target squares, and squares that must be empty."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from alfil.frozen_dataclasses import NamedTuple
from alfil.game.compiled_variant import SIDES, CompiledVariant, captures_en_passant
from alfil.meaning.automaton import ENEMY, FREE_CLASSES, FRIEND, PIECE_CLASSES, ROYAL, TRAIL, VACANT
from alfil.tables.board_context import OFF_BOARD_CLASS, Offset
from alfil.tables.move_table import CLASS_BITS, CLASS_MASK, NO_TRACE, STEP_SHIFT, TableSection, Trie

# These only say when a quiet move may be made, or what it leaves behind.
_QUIET_GUARDS = frozenset({"move", "every", "third-rank", "trail"})
# Pieces of larger boards have no lines: to work them out takes longer than to try their moves.
MAX_SQUARES = 16 * 16


class AttackPath(NamedTuple):
    """One capture path: the offset of its target, and those that must be empty."""

    offset: Offset
    between: tuple[Offset, ...]


class AttackLines(NamedTuple):
    """The attack paths of one piece of one side.

    ``paths`` are its attacks. ``is_straight`` is whether it captures as it moves, always and
    without leaving a trail; ``leap_offsets`` then are the offsets it goes to if nothing is ever in
    its way, and None for a piece that runs.
    """

    paths: tuple[AttackPath, ...]
    is_straight: bool
    leap_offsets: tuple[Offset, ...] | None


def attack_lines(parts: tuple[TableSection, ...]) -> AttackLines | None:
    """The attack lines of a piece; None where lines do not describe it fully."""
    paths: dict[Offset, tuple[Offset, ...]] = {}
    quiet: dict[Offset, tuple[Offset, ...]] = {}
    plain = True
    for layout in parts:
        conditions = {condition.kind for condition in layout.guard}
        if layout.trie is None or not _is_leaper_or_rider_trie(layout.trie):
            return None
        if conditions and not _is_quiet_with_known_conditions(conditions, layout.trie):
            return None
        if "castle" in conditions:
            continue
        plain = plain and not conditions
        for (offset, between), ends in _attack_paths_with_end_classes(layout.trie):
            if ends & ENEMY and paths.setdefault(offset, between) != between:
                return None
            if ends & VACANT:
                plain = plain and quiet.setdefault(offset, between) == between
    even = plain and paths == quiet and not captures_en_passant(parts)
    leaps = tuple(paths) if even and not any(paths.values()) else None
    return AttackLines(tuple(AttackPath(*item) for item in paths.items()), even, leaps)


def _is_quiet_with_known_conditions(conditions: Collection[str], trie: Trie) -> bool:
    """Whether a part never captures and has only known conditions."""
    known = set(conditions) <= _QUIET_GUARDS | {"castle"}
    return known and not any(word & ENEMY for word in trie.nodes)


def _is_leaper_or_rider_trie(trie: Trie) -> bool:
    """Whether nothing is captured on the way, nothing hopped over, and no move ends at home."""
    if _may_pass_off_board_square(trie):
        return False
    for word in trie.nodes:
        emit, descend = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
        if emit & (FRIEND | OFF_BOARD_CLASS) or bool(emit & ENEMY) != bool(emit & ROYAL):
            return False
        if emit & VACANT and not emit & TRAIL:
            return False
        if descend and descend not in {FREE_CLASSES, FREE_CLASSES | PIECE_CLASSES}:
            return False
        if trie.steps[word >> STEP_SHIFT] == (0, 0):
            return False
    return not any(trace.captures for trace in trie.traces.values())


def _may_pass_off_board_square(trie: Trie) -> bool:
    """Whether a way goes over whatever stands on a square that may lie off its end's board."""
    passed_any: list[tuple[int, Offset]] = []
    for node, word in enumerate(trie.nodes):
        while passed_any and passed_any[-1][0] <= node:
            passed_any.pop()
        end = trie.steps[word >> STEP_SHIFT]
        if word & CLASS_MASK and any(
            not min(0, last) <= passed <= max(0, last)
            for _, at in passed_any
            for passed, last in zip(at, end, strict=True)
        ):
            return True
        if word >> CLASS_BITS & CLASS_MASK == FREE_CLASSES | PIECE_CLASSES:
            passed_any.append((trie.skips[node], end))
    return False


def _attack_paths_with_end_classes(trie: Trie) -> Iterator[tuple[AttackPath, int]]:
    """The ways of one trie, with the classes of the squares that they may end on."""
    path: list[tuple[int, Offset, bool]] = []
    for node, word in enumerate(trie.nodes):
        while path and path[-1][0] <= node:
            path.pop()
        offset = trie.steps[word >> STEP_SHIFT]
        ends = word & (ENEMY | VACANT)
        if ends and not trie.traces.get(node, NO_TRACE).takes_trail:
            yield AttackPath(offset, tuple(sorted([at for _, at, empty in path if empty]))), ends
        descend = word >> CLASS_BITS & CLASS_MASK
        if descend:
            path.append((trie.skips[node], offset, descend == FREE_CLASSES))


def attack_lines_if_all_moves(compiled: CompiledVariant, piece: int) -> AttackLines | None:
    """The lines of a piece, None where they are not all there is to its moves in a game.

    That is so where `game_attack_lines` knows none, where there may be only so many of what a piece
    promotes to, and where moves change more than what is captured.
    """
    limited = any(compiled.side_limit[form] for form in compiled.all_promotions(piece))
    return None if limited or compiled.special else game_attack_lines(compiled, piece)


def game_attack_lines(compiled: CompiledVariant, piece: int) -> AttackLines | None:
    """The lines of a piece, None where they do not tell what it attacks and what it looks at.

    That is so with pieces that hop, shoot or capture several at once, have moves on some squares
    only, promote with moves of their own, iron pieces, limits on files for pieces that promote,
    boards larger than 16×16, and in games with walls, or with pieces of several squares.
    """
    known: dict[int, AttackLines | None] = compiled.cache.setdefault("attacks", {})
    if piece not in known:
        known[piece] = _game_attack_lines(compiled, piece)
    return known[piece]


def _game_attack_lines(compiled: CompiledVariant, piece: int) -> AttackLines | None:
    forms = compiled.all_promotions(piece)
    crowded = forms and any(compiled.file_limit[each] for each in (piece, *forms))
    kind = compiled.kinds[(piece - 1) >> 1]
    odd = (
        compiled.promotes_as_separate_move[piece],
        *(kind.further, kind.blocked_by, kind.no_jump_over, kind.castles_to),
    )
    barred = compiled.has_iron or compiled.walled or compiled.footprints.any
    if compiled.size > MAX_SQUARES or barred or crowded or any(odd):
        return None
    return compiled.cached_by_moves("attack lines", piece, attack_lines)


def are_checks_and_pins_on_lines(
    compiled: CompiledVariant, lines: Sequence[AttackLines | None]
) -> bool:
    """Whether check and pins follow from lines, so that moves can be counted without a list.

    That is not so without lines, with several kinds of royals or ones that leave a trail, pieces
    that castle or promote to royals beside them, pieces put down from two places in the hand,
    promotion only by capture, passes of who has no other move, and where the rules do not forbid
    check.
    """
    rules, pieces = compiled.rules, range(1, compiled.wall)
    if rules.self_check == "allowed" or rules.promotion_when == "captures":
        return False
    if rules.drops_first == "yes" or any(kind.per_colour for kind in compiled.kinds):
        return False
    if "barred" in {rules.giving_check, rules.flight} or rules.facing == "bikjang":
        return False
    if rules.passes == "stuck":
        return False
    if sum(compiled.royal) != len(SIDES) or any(
        len(kinds) > 1 for kinds in compiled.hand_kinds_by_dropped_piece
    ):
        return False
    if compiled.rules.must_capture == "yes" or any(lines[piece] is None for piece in pieces):
        return False
    return not any(
        (compiled.castling_partner_insets[piece] and not compiled.royal[piece])
        or (compiled.royal[piece] and compiled.leaves_ep_squares(piece))
        or any(compiled.royal[form] for form in compiled.all_promotions(piece))
        for piece in pieces
    )

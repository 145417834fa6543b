"""The lines of pieces that leap or run: where they strike, and what must be empty for that."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from alfil.frozen import NamedTuple
from alfil.game.plan import SIDES, Plan, uses_trail
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.tables.scene import OUTSIDE, Offset
from alfil.tables.table import CLASS_BITS, CLASS_MASK, NO_TRACE, STEP_SHIFT, Section, Trie

PIECES = ENEMY | ROYAL | FRIEND
FREE = VACANT | TRAIL
# These only say when a quiet move may be made, or what it leaves behind.
_QUIET_GUARDS = frozenset({"move", "every", "third-rank", "trail"})
# Pieces of larger boards have no lines: to work them out takes longer than to try their moves.
LARGEST = 16 * 16


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


def lines_in(plan: Plan, piece: int) -> Lines | None:
    """The lines of a piece, None where they are not all there is to its moves in a game.

    That is so where `attacks_in` knows none, where there may be only so many of what a piece
    promotes to, and where moves change more than what is captured.
    """
    limited = any(plan.side_limit[form] for form in plan.forms(piece))
    return None if limited or plan.special else attacks_in(plan, piece)


def attacks_in(plan: Plan, piece: int) -> Lines | None:
    """The lines of a piece, None where they do not tell what it attacks and what it looks at.

    That is so with pieces that hop, shoot or capture several at once, have moves on some squares
    only, promote with moves of their own, iron pieces, limits on files for pieces that promote,
    boards larger than 16×16, and in games with walls, or with pieces of several squares.
    """
    known: dict[int, Lines | None] = plan.kept.setdefault("attacks", {})
    if piece not in known:
        known[piece] = _attacks(plan, piece)
    return known[piece]


def _attacks(plan: Plan, piece: int) -> Lines | None:
    forms = plan.forms(piece)
    crowded = forms and any(plan.file_limit[each] for each in (piece, *forms))
    kind = plan.kinds[(piece - 1) >> 1]
    odd = plan.apart[piece] or kind.further or kind.blocked_by or kind.castles_to
    barred = plan.iron or plan.walled or plan.bodies.any
    if plan.size > LARGEST or barred or crowded or odd:
        return None
    return lines_of(plan.parts(piece))


def is_swift(plan: Plan, lines: Sequence[Lines | None]) -> bool:
    """Whether check can be read off lines, and moves counted without listing them.

    That is not so without lines, with several kinds of royals or ones that leave a trail, pieces
    that castle or promote to royals beside them, pieces put down from two places in the hand,
    promotion only by capture, passes of who has no other move, and where the rules do not forbid
    check.
    """
    rules, pieces = plan.rules, range(1, plan.wall)
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

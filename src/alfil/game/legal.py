"""Legal moves, and why a drop is illegal.

Before moves are listed it is found out what threatens the mover's royals. Where all pieces of a
game leap or run (`alfil.game.reaches.Reaches.swift`), checks and pins are read off the lines to the
royal piece. Elsewhere all squares are marked that the enemy's possible attacks on the royals depend
on; a move that changes none of them needs no trying, whatever pieces there are, and the others are
made, looked at and unmade.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from alfil.effort import answering
from alfil.errors import BoardError
from alfil.game.effects import turned_by, with_effects
from alfil.game.plan import UNKNOWN, Act, squares_in
from alfil.game.position import Position
from alfil.game.reaches import ROAMING, Danger, Reach, Tried
from alfil.game.rules import (
    DROP_CHECK,
    DROP_COLOUR,
    DROP_MATE,
    DROP_PLACE,
    DROP_RANK,
    DROP_REGION,
    DROP_ZONE,
    FACING,
    FILE,
    GIVING_CHECK,
    NOT_IN_HAND,
    OCCUPIED,
    SELF_CHECK,
    acts_of,
    attacks_royal,
    castling_partner,
    entering,
    exposed,
    exposes,
    facing,
    fault,
    fills,
    forms,
    gives_check,
    in_check,
    keeps_facing,
)
from alfil.source import Source


def danger_of(position: Position, *, swift: bool) -> Danger:
    """What threatens the side to move; ``swift`` where lines tell it (see `is_swift`)."""
    reaches, sets, side = position.reaches, position.sets, position.turn
    if not swift:
        with _working(position):
            return _marked(position)
    royal = position.royals[side][0]
    zones = reaches.zones[side][royal]
    if zones is None:
        zones = reaches.zone(side, position.board[royal], royal)
    near = [piece for piece, zone in zones if sets[piece] & zone]
    return _lines(position, near, royal) if near else reaches.peace


def is_swift(position: Position) -> bool:
    """Whether checks can be read off lines here, and after any legal move.

    That is so where the game allows it, each side has one royal, and the other side's could not be
    captured.
    """
    if not position.reaches.swift or [*map(len, position.royals)] != [1, 1]:
        return False
    return not in_check(position, 1 - position.turn)


def _lines(position: Position, near: list[int], royal: int) -> Danger:
    """Checkers and pins among the pieces near."""
    reaches, plan = position.reaches, position.plan
    own, enemy = position.own[position.turn], position.own[1 - position.turn]
    occupied = own | enemy
    checkers = doubtful = 0
    targets = reaches.all
    pins: dict[int, int] = {}
    for piece in near:
        index = piece * plan.size + royal
        here = position.sets[piece] & (reaches.attackers[index] or 0)
        if here and plan.file_limit[piece]:
            column = reaches.files[royal % plan.files]
            there = position.sets[piece] & column
            if here & ~column and there.bit_count() == plan.file_limit[piece]:
                # With one of them gone, those on other files may go to the royal's.
                doubtful |= there
            here &= entering(position, piece, royal)
        while here:
            low = here & -here
            here ^= low
            between = reaches.between[index * plan.size + low.bit_length() - 1]
            blocks = between & occupied
            if not blocks:
                checkers |= low
                targets &= between | low
            elif not blocks & (blocks - 1) and blocks & own:
                pinned = blocks.bit_length() - 1
                pins[pinned] = pins.get(pinned, reaches.all) & (between | low)
    return Danger(near, checkers, targets, pins, doubtful)


def _working(position: Position) -> AbstractContextManager[None]:
    """Work on a list of moves; `BoardError` where it is too much."""
    return answering(Source(position.plan.variant.name, "<game>"), BoardError)


def _marked(position: Position) -> Danger:
    """The squares on which it depends whether a royal can be captured, and whether one can be."""
    plan, reaches, side = position.plan, position.reaches, position.turn
    royals = sum(plan.bits[square] for square in (*position.royals[0], *position.royals[1]))
    if plan.rules.giving_check == "barred" or (plan.rules.facing == "bikjang" and facing(position)):
        checkers = reaches.all if in_check(position, side) else 0
        return Danger([], checkers, reaches.all, {}, reaches.all, read=False)
    if plan.rules.self_check == "allowed" or not royals & position.own[side]:
        return Danger([], 0, reaches.all, {}, royals, read=False)
    marks, manner = _looked_at(position)
    checkers = reaches.all if in_check(position, side) else 0
    # Where everything has a table, marks are few, and nothing needs to be remembered.
    tried: Tried | None = None
    if manner == ROAMING and not plan.freezing and not plan.holding:
        tried = Tried({}, {})
    return Danger([], checkers, reaches.all, {}, royals | marks, read=False, tried=tried)


def _looked_at(position: Position) -> tuple[int, int]:
    """What the enemy's possible attacks on royals depend on, and how they are made (`manner`)."""
    plan, reaches, side = position.plan, position.reaches, position.turn
    royals, marks, manner = position.royals[side], 0, 0
    mine = sum(plan.bits[square] for square in royals)
    for piece in reaches.sides[1 - side]:
        here = reaches.aiming(piece, position.sets[piece], royals)
        for square in squares_in(here) if here else ():
            manner |= reaches.manner(piece, square)
            for strikes, looks in reaches.aims(piece, square):
                if strikes & mine:
                    marks |= looks | plan.bits[square]
                    # Where a file is full of them, one of those that fill it may be captured.
                    for form in (piece, *plan.forms(piece)) if any(plan.file_limit) else ():
                        marks |= position.sets[form] if plan.file_limit[form] else 0
    return marks, manner


def legal_acts(position: Position) -> list[Act]:
    """All legal moves in one fixed order: royals, other pieces by kind and square, then drops."""
    return listed(position, swift=is_swift(position))


def _has_reply(position: Position, danger: Danger) -> bool:
    """Whether there is any legal move; no more are tried than it takes to find one."""
    if danger.read and royal_moves(position, danger):
        return True
    found = [] if _is_setting_up(position) else _moves_on_board(position, danger)
    if danger.marks or not danger.read:
        if any(is_legal(position, act, danger) for act in found):
            return True
    elif found:
        return True
    if position.plan.rules.drops == "no":
        return False
    return any(_dropped(position, danger))


def listed(position: Position, *, swift: bool) -> list[Act]:
    """All legal moves."""
    return acts_under(position, danger_of(position, swift=swift))


def acts_under(position: Position, danger: Danger) -> list[Act]:
    """All legal moves, when it is known what threatens the mover's royals.

    Raises `BoardError` where more must be tried for them than anybody would wait for.
    """
    if danger.read:
        return _acts_under(position, danger)
    with _working(position):
        return _acts_under(position, danger)


def _acts_under(position: Position, danger: Danger) -> list[Act]:
    found = [] if _is_setting_up(position) else _moves_on_board(position, danger)
    if danger.marks or not danger.read:
        found = [act for act in found if is_legal(position, act, danger)]
    if position.plan.rules.drops != "no":
        for drops in _dropped(position, danger):
            found += drops
    if position.plan.rules.must_capture == "yes":
        found = [act for act in found if act.captures] or found
    if not found and position.plan.rules.passes == "stuck":
        return _passing(position)
    return found


def _is_setting_up(position: Position) -> bool:
    """Whether the side to move has to drop what it has in hand."""
    return position.plan.rules.drops_first == "yes" and any(position.hands[position.turn])


def _passing(position: Position) -> list[Act]:
    """The pass of a side without another move, none in check: told by its first piece."""
    own, side = position.own[position.turn], position.turn
    if not own or in_check(position, side):
        return []
    square = (position.royals[side] or squares_in(own))[0]
    piece = position.board[square]
    return [Act(piece, square, square, piece)]


def _dropped(position: Position, danger: Danger) -> Iterator[Sequence[Act]]:
    """The legal drops by piece, of those alone that have any."""
    special = position.plan.special
    for piece, squares in drops_of(position, danger):
        drops: Sequence[Act] = position.reaches.drops_on(piece, squares) if squares else ()
        if special:
            every = (form for act in drops for form in changing(position, act))
            drops = [act for act in every if fault_once_made(position, act) is None]
        if drops:
            yield drops


def changing(position: Position, act: Act) -> Iterator[Act]:
    """A drop with what it changes, and every wall that may be built."""
    return forms(position, with_effects(position, act))


def fault_once_made(position: Position, act: Act) -> str | None:
    """Why a drop that changes more than its square is illegal, which depends on all of it."""
    plan, side = position.plan, position.turn
    asked = plan.kinds[(act.piece - 1) >> 1].drop_check
    if keeps_facing(position, act):
        return FACING
    undo = position.make(act)
    given = in_check(position, 1 - side)
    fault = None
    if asked != "free" and attacks_royal(position, act.target) != (asked == "required"):
        fault = DROP_CHECK
    elif given and plan.rules.giving_check == "barred":
        fault = GIVING_CHECK
    elif plan.rules.self_check == "barred" and in_check(position, side):
        fault = SELF_CHECK
    elif given and DROP_MATE in plan.drop_rules[act.piece]:
        replies = _has_reply(position, danger_of(position, swift=False))
        fault = None if replies else DROP_MATE
    position.unmake(undo)
    return fault


def _moves_on_board(position: Position, danger: Danger) -> list[Act]:
    """All moves but drops that lines and pins allow."""
    side, royal = position.turn, position.plan.royal
    found: list[Act] = []
    if danger.read:
        found = royal_moves(position, danger)
        if not danger.targets:
            return found
    else:
        for square in position.royals[side]:
            found += moves_of(position, position.board[square], square, danger)
    sets, read = position.sets, danger.read
    for piece in position.reaches.sides[side]:
        here = 0 if royal[piece] else sets[piece]
        while here:
            low = here & -here
            here ^= low
            square = low.bit_length() - 1
            if read and square not in danger.pins:
                found += moves_within(position, piece, square, danger.targets)
            else:
                found += moves_of(position, piece, square, danger)
    if position.trail:
        found += en_passant(position, danger)
    return found


def is_legal(position: Position, act: Act, danger: Danger) -> bool:
    """Whether a move is legal; one that changes nothing that is marked is not tried."""
    bits, royal = position.plan.bits, position.plan.royal
    touched = bits[act.target] | bits[act.origin]
    for square in act.captures:
        touched |= bits[square]
    odd = royal[act.becomes] or act.partner or act.trail or position.plan.special
    if touched & danger.marks or (odd and not danger.read):
        return fault(position, act, danger.tried) is None
    if danger.read:
        return True
    if position.plan.file_limit[act.becomes] and fault(position, act) is not None:
        return False
    return not danger.checkers


def royal_moves(position: Position, danger: Danger) -> list[Act]:
    """The legal moves of a royal piece whose danger is read off lines, castling included."""
    side = position.turn
    square = position.royals[side][0]
    piece = position.board[square]
    within = position.reaches.all
    if danger.near:
        squares, trailing = destinations(position, piece, square)
        for target, _ in trailing:
            squares |= position.plan.bits[target]
        within = safe(position, square, squares, danger)
    found = [*moves_within(position, piece, square, within)]
    if position.plan.castle_insets[piece] and not danger.checkers:
        found += castling(position, piece, square)
    return found


def safe(position: Position, square: int, squares: int, danger: Danger) -> int:
    """Those of the squares on which a royal could not be captured after going there."""
    enemy = position.own[1 - position.turn]
    without = (enemy | position.own[position.turn]) ^ position.plan.bits[square]
    found = squares
    while squares:
        low = squares & -squares
        squares ^= low
        if exposed(position, low.bit_length() - 1, without | low, low & enemy, danger.near):
            found ^= low
    return found


def moves_of(position: Position, piece: int, square: int, danger: Danger) -> list[Act]:
    """The moves of a piece that lines and pins allow, captures en passant left out."""
    if not danger.read and _is_walked(position, piece):
        plain = acts_of(position, square, checked=_is_checked(position, piece, danger))
        every = [form for act in plain for form in forms(position, act)]
        return [act for act in every if not fills(position, act)]
    within = danger.targets
    if square in danger.pins:
        within &= danger.pins[square]
    return [*moves_within(position, piece, square, within)]


def _is_checked(position: Position, piece: int, danger: Danger) -> bool:
    """Whether a piece has no moves that are not made in check; for others it is not looked at."""
    if danger.checkers or position.plan.rules.self_check != "allowed":
        return bool(danger.checkers)
    further = position.plan.kinds[(piece - 1) >> 1].further
    return any(each.unchecked for each in further) and in_check(position, position.turn)


def _is_walked(position: Position, piece: int) -> bool:
    """Whether a piece has moves that its lines do not tell."""
    return position.reaches.lines[piece] is None or bool(position.plan.castle_insets[piece])


def moves_within(
    position: Position, piece: int, square: int, within: int
) -> tuple[Act, ...] | list[Act]:
    """The moves of a piece by its lines to some squares."""
    reaches, plan = position.reaches, position.plan
    squares, trailing = destinations(position, piece, square)
    squares &= within
    taken = squares & position.own[1 - position.turn]
    acts = reaches.moves_to(piece, square, squares, taken) if squares else ()
    if not trailing:
        return acts
    found = [*acts]
    for target, trail in trailing:
        if plan.bits[target] & within:
            becomes = plan.becomes(piece, square, target, captures=False)
            found += [Act(piece, square, target, form, (), (), trail) for form in becomes]
    return found


_NOTHING: tuple[tuple[int, tuple[int, ...]], ...] = ()


def destinations(
    position: Position, piece: int, square: int
) -> tuple[int, tuple[tuple[int, tuple[int, ...]], ...]]:
    """The squares a piece may go to, and those it reaches leaving a trail."""
    reaches, own, side = position.reaches, position.own, position.turn
    trailing = _NOTHING
    if reaches.even[piece]:
        squares = reaches.leaps[piece * position.plan.size + square]
        if squares is None:
            squares = reaches.leap(piece, square)
        if squares < 0:
            squares = reaches.run(piece, square, own[0] | own[1])
        squares &= ~own[side]
    else:
        reach = _uneven(position, piece, square)
        squares, trailing = reach.quiet | reach.strikes & own[1 - side], reach.trailing
    if position.plan.file_limit[piece]:
        squares = _in_open_files(position, piece, square, squares)
    return squares, trailing


def _uneven(position: Position, piece: int, square: int) -> Reach:
    made = moves_made(position, piece, square)
    return position.reaches.uneven(piece, square, made, position.own[0] | position.own[1])


def moves_made(position: Position, piece: int, square: int) -> int:
    """How many moves a piece has made, as far as its moves depend on that."""
    count = position.made[square]
    return UNKNOWN if count >= position.plan.count_limits[piece] else count


def _in_open_files(position: Position, piece: int, square: int, squares: int) -> int:
    """Those of the squares that do not crowd a file."""
    reaches = position.reaches
    full = reaches.full_files(position.sets[piece], position.plan.file_limit[piece])
    return squares & ~(full & ~reaches.files[square % position.plan.files])


def castling(position: Position, piece: int, square: int) -> list[Act]:
    """The legal ways to castle for a royal that is not in check."""
    reaches, plan = position.reaches, position.plan
    if position.made[square] != 0:
        return []
    bits, occupied = plan.bits, position.own[0] | position.own[1]
    without = occupied ^ bits[square]
    enemies = reaches.sides[1 - position.turn]
    found = []
    for target, castle in reaches.uneven(piece, square, 0, occupied).castles:
        way = (square, target)
        partner = castling_partner(plan, position.board, position.made, castle, way)
        if not partner:
            continue
        step = 1 if target > square else -1
        after = without ^ bits[partner[0]] | bits[partner[1]]
        crossed = any(
            exposed(position, at, without | bits[at], 0, enemies)
            for at in range(square + step, target, step)
        )
        if not crossed and not exposed(position, target, after, 0, enemies):
            found.append(Act(piece, square, target, piece, (), partner))
    return found


def en_passant(position: Position, danger: Danger) -> list[Act]:
    """The captures en passant of pieces that leap or run, legal ones where lines tell."""
    reaches, plan = position.reaches, position.plan
    found = []
    for piece in reaches.sides[position.turn]:
        if not position.sets[piece] or (not danger.read and _is_walked(position, piece)):
            continue
        for target, victim in sorted(position.trail.items()):
            for square in squares_in(position.sets[piece] & reaches.passers(piece, target)):
                passing = _uneven(position, piece, square).passing & plan.bits[target]
                if plan.file_limit[piece]:
                    passing = _in_open_files(position, piece, square, passing)
                if not passing:
                    continue
                if danger.read and _opens(position, square, target, victim):
                    continue
                becomes = plan.becomes(piece, square, target, captures=True)
                found += [Act(piece, square, target, form, (victim,)) for form in becomes]
    return found


def _opens(position: Position, square: int, target: int, victim: int) -> bool:
    """Whether a capture en passant leaves the one royal open."""
    bits, side = position.plan.bits, position.turn
    after = position.own[0] | position.own[1] | bits[target]
    after &= ~(bits[victim] | bits[square])
    royal = position.royals[side][0]
    royal = target if royal == square else royal
    enemies = position.reaches.sides[1 - side]
    return exposed(position, royal, after, bits[victim], enemies)


def drops_of(position: Position, danger: Danger) -> list[tuple[int, int]]:
    """For each piece in hand the squares it may be dropped on.

    Where drops change more than their square, what follows from that is left out.
    """
    hand = position.hands[position.turn]
    if position.plan.rules.drops == "free":
        hand = position.plan.endless
    if not any(hand):
        return []
    taken = position.own[0] | position.own[1] | position.sets[position.plan.wall]
    free = danger.targets & ~taken
    found = [
        (piece, _narrowed(position, piece, free & ranks, danger) if rules else free & ranks)
        for kind, piece, ranks, rules in position.reaches.droppable[position.turn]
        if hand[kind]
    ]
    if danger.read:
        return found
    if position.plan.special:
        return [*dict(found).items()]
    # A form may be put down from two places in the hand; it is one drop (see Plan.drop_kind).
    return [(piece, _tried(position, piece, left, danger)) for piece, left in dict(found).items()]


def _narrowed(position: Position, piece: int, squares: int, danger: Danger) -> int:
    """The squares of a drop that the rules for its kind leave."""
    for code in _of_squares(position, piece):
        if code == DROP_MATE and danger.read:
            hits = _hits(position, piece, squares)
            squares = _without_mates(position, piece, squares, hits, swift=True)
        else:
            squares = DROP_RULES[code](position, piece, squares)
    return squares


def _of_squares(position: Position, piece: int) -> tuple[str, ...]:
    """The rules for drops of a piece that its square decides, whatever else they change."""
    codes = position.plan.drop_rules[piece]
    if not position.plan.special:
        return codes
    return tuple(code for code in codes if code not in {DROP_CHECK, DROP_MATE})


def _tried(position: Position, piece: int, squares: int, danger: Danger) -> int:
    """Those of the squares on which a drop leaves no royal of its side open."""
    plan, rules = position.plan, position.plan.rules
    asked = rules.giving_check == "barred" or rules.facing == "bikjang"
    for square in squares_in(squares) if asked else ():
        if _breaks(position, position.reaches.drops(piece)[square]):
            squares ^= plan.bits[square]
    if rules.self_check == "allowed":
        return squares
    marks = position.reaches.all if plan.royal[piece] else danger.marks
    if danger.checkers:
        squares &= marks
    for square in squares_in(squares & marks):
        if exposes(position, position.reaches.drops(piece)[square], danger.tried):
            squares ^= plan.bits[square]
    return squares


def _breaks(position: Position, act: Act) -> str | None:
    """Which rule a drop breaks by how royals stand after it, but for its own side's check."""
    if keeps_facing(position, act):
        return FACING
    barred = position.plan.rules.giving_check == "barred"
    return GIVING_CHECK if barred and gives_check(position, act) else None


def _in_files_with_room(position: Position, piece: int, squares: int) -> int:
    limit = position.plan.kinds[(piece - 1) >> 1].per_file
    return squares & ~position.reaches.full_files(position.sets[piece], limit)


def _checking_or_not(position: Position, piece: int, squares: int) -> int:
    hits = _hits(position, piece, squares)
    required = position.plan.kinds[(piece - 1) >> 1].drop_check == "required"
    return hits if required else squares & ~hits


def _in_place(position: Position, piece: int, squares: int) -> int:
    """The squares of the opening while it lasts; then those where a drop touches what it must."""
    plan, side = position.plan, position.turn
    taken = position.own[0] | position.own[1]
    if plan.opening[side] & ~taken:
        return squares & plan.opening[side]
    own, enclosing = plan.rules.drop_beside == "own", plan.rules.flip == "enclosed"
    for square in squares_in(squares):
        lone = own and not any(position.own[side] >> each & 1 for each in plan.around[square])
        if lone or (enclosing and not turned_by(position, Act(piece, -1, square, piece))):
            squares ^= plan.bits[square]
    return squares


def _on_colours(position: Position, piece: int, squares: int) -> int:
    """Squares on which a drop leaves room on either colour for all that is limited on it."""
    plan, side = position.plan, position.turn
    free = position.reaches.all & ~(position.own[0] | position.own[1])
    for kind, limit in enumerate(each.per_colour for each in plan.kinds):
        limited = 1 + 2 * kind + side
        wanted = position.hands[side][kind] - (piece == limited)
        there = position.sets[limited]
        room = sum(plan.bits[square] for square in plan.drop_squares(limited)) & free
        for square in squares_in(squares) if limit else ():
            bit = plan.bits[square]
            stand = there | bit if piece == limited else there
            counts = [(stand & each).bit_count() for each in plan.colours]
            rooms = [(room & ~bit & each).bit_count() for each in plan.colours]
            left = [min(limit - n, m) for n, m in zip(counts, rooms, strict=True)]
            if max(counts) > limit or sum(left) < wanted:
                squares ^= bit
    return squares


def _not_mating(position: Position, piece: int, squares: int) -> int:
    # Where lines do not tell, a drop may give check by another piece, or one gives it already.
    swift = is_swift(position)
    hits = _hits(position, piece, squares) if swift else squares
    return _without_mates(position, piece, squares, hits, swift=swift)


def _without_mates(position: Position, piece: int, squares: int, hits: int, *, swift: bool) -> int:
    """Squares without those of ``hits`` on which a drop mates."""
    for square in squares_in(hits) if hits else ():
        if _mates(position, position.reaches.drops(piece)[square], swift=swift):
            squares ^= position.plan.bits[square]
    return squares


# The squares that each rule for drops leaves, beside ranks and free squares, by its code.
DROP_RULES: dict[str, Callable[[Position, int, int], int]] = {
    FILE: _in_files_with_room,
    DROP_CHECK: _checking_or_not,
    DROP_MATE: _not_mating,
    DROP_PLACE: _in_place,
    DROP_COLOUR: _on_colours,
}


def drop_fault(position: Position, act: Act) -> str | None:
    """Why a drop is illegal, None if it is legal as far as its square decides that."""
    rules, piece, target = position.plan.rules, act.piece, act.target
    fault = _misplaced(position, piece, target)
    if fault:
        return fault
    for code in _of_squares(position, piece):
        if not DROP_RULES[code](position, piece, position.plan.bits[target]):
            return code
    if position.plan.special:
        return None
    if broken := _breaks(position, act):
        return broken
    return SELF_CHECK if rules.self_check == "barred" and exposes(position, act) else None


def _misplaced(position: Position, piece: int, target: int) -> str | None:
    """Why a piece cannot be put down on a square, whatever stands on the others."""
    plan, side = position.plan, position.turn
    hand = plan.endless if plan.rules.drops == "free" else position.hands[side]
    if not any(count and piece in plan.drop_forms(kind, side) for kind, count in enumerate(hand)):
        return NOT_IN_HAND
    if position.board[target]:
        return OCCUPIED
    allowed = plan.drop_squares(piece)
    if target in allowed:
        return None
    zone = plan.zone[side]
    if zone[target] and not any(zone[s] for s in allowed):
        return DROP_ZONE
    ranks = plan.kinds[(piece - 1) >> 1].drop_ranks or (1, 0)
    return DROP_REGION if plan.area(ranks, side) & plan.bits[target] else DROP_RANK


def _hits(position: Position, piece: int, squares: int) -> int:
    """Those of the squares from which a dropped piece would attack the other side's royals."""
    reaches, size = position.reaches, position.plan.size
    royals = position.royals[1 - position.turn]
    if not reaches.swift or len(royals) != 1:
        return _hits_by_trying(position, piece, squares)
    royal = royals[0]
    index = piece * size + royal
    attackers = reaches.attackers[index]
    if attackers is None:
        attackers = reaches.attacks(piece, royal)
    here = squares & attackers
    if here and position.plan.file_limit[piece]:
        here &= entering(position, piece, royal)
    if reaches.leaper[piece]:
        return here
    occupied = position.own[0] | position.own[1]
    for square in squares_in(here):
        if reaches.between[index * size + square] & occupied:
            here ^= position.plan.bits[square]
    return here


def _hits_by_trying(position: Position, piece: int, squares: int) -> int:
    found = 0
    for square in squares_in(squares):
        undo = position.make(Act(piece, -1, square, piece))
        if attacks_royal(position, square):
            found |= position.plan.bits[square]
        position.unmake(undo)
    return found


def _mates(position: Position, act: Act, *, swift: bool) -> bool:
    """Whether a drop gives check and leaves no move; ``swift`` where a check was seen on lines."""
    undo = position.make(act)
    mate = False
    if swift or in_check(position, position.turn):
        mate = not _has_reply(position, danger_of(position, swift=swift))
    position.unmake(undo)
    return mate

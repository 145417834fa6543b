"""The rules of a game in a position: what any piece may do, check, and why a move is illegal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alfil.errors import BoardError
from alfil.game.effects import touches_wall, with_effects, with_gates, with_walls
from alfil.game.plan import UNKNOWN, Act, End, Patch, Plan, squares_in
from alfil.game.position import Position
from alfil.game.ranges import is_frozen
from alfil.game.reaches import Tried, holding
from alfil.game.roaming import too_many_moves
from alfil.game.views import View
from alfil.meaning.piece import Meaning, Part
from alfil.tables.table import CLASS_BITS, STEP_SHIFT
from alfil.tables.walking import moves_in, way_to


def acts_of(position: Position, square: int, *, checked: bool = False) -> list[Act]:
    """All moves of the piece on a square, whatever may be wrong with them, promotion left out.

    They have all that they bring about of themselves, walls that are to be placed left out. Where
    its side is ``checked``, those that are not made then are left out too.
    """
    found = plain_acts(position, square, checked=checked)
    if position.plan.special:
        return [with_effects(position, act) for act in found]
    return found


def plain_acts(
    position: Position, square: int, *, checked: bool = False, quiet: bool = True
) -> list[Act]:
    """All moves of the piece on a square without what they bring about elsewhere.

    Not ``quiet``: those alone that capture.
    """
    board = position.board
    if position.plan.freezing and is_frozen(position, square):
        return []
    # The trail of the last move is there for the side to move alone.
    trail = position.trail if (board[square] - 1) % 2 == position.turn else ()
    for on_trail in trail:
        board[on_trail] = position.plan.mark
    try:
        acts = _every_act(position, square, checked=checked, quiet=quiet)
    finally:
        for on_trail in trail:
            board[on_trail] = 0
    if quiet and position.plan.apart[board[square]]:
        acts = [act for act in acts if act.becomes == act.piece or not gives_check(position, act)]
    if not (position.plan.walled or position.plan.iron):
        return acts
    barred = (touches_wall, _breaks_iron)
    return [act for act in acts if not any(bars(position, act) for bars in barred)]


def _every_act(position: Position, square: int, *, checked: bool, quiet: bool) -> list[Act]:
    """All moves of the piece on a square, each once, while the trail can be seen."""
    found: dict[tuple[object, ...], Act] = {}
    for patch in _holding(position, square, position.made[square]):
        if checked and patch.unchecked:
            continue
        for act in _patch_acts(position, patch, square, quiet=quiet):
            # Ways that differ in what they passed, or in what order, are one move.
            key = (act.target, frozenset(act.captures), act.partner, act.trail)
            found.setdefault(key, act)
    if not quiet:
        return [*found.values()]
    return [*found.values(), *_castlings(position, square), *_apart(position, square)]


def _apart(position: Position, square: int) -> Iterator[Act]:
    """The moves with which a piece promotes without a move of what it was.

    It stands in its zone, or is the only one of its side. It stays, or goes to an empty square as
    what it becomes, and attacks nothing from there. Those that let another piece give check are
    among them.
    """
    plan, board = position.plan, position.board
    piece = board[square]
    if not plan.apart[piece] or not (
        plan.promoting[piece][square] or position.sets[piece].bit_count() == 1
    ):
        return
    for form in plan.forms(piece):
        board[square] = form
        targets = {act.target for act in _of_patches(position, square) if not act.captures}
        board[square] = 0
        for target in sorted({*targets, square}):
            before, board[target] = board[target], form
            attacks = any(act.captures for act in _of_patches(position, target))
            board[target] = before
            if not attacks:
                yield Act(piece, square, target, form)
    board[square] = piece


def _of_patches(position: Position, square: int) -> Iterator[Act]:
    """The moves by which a piece that moved before goes on from a square."""
    for patch in _holding(position, square, UNKNOWN):
        yield from _patch_acts(position, patch, square)


def _holding(position: Position, square: int, made: int) -> list[Patch]:
    piece = position.board[square]
    return holding(position.plan, piece, square, made, position.turn_of((piece - 1) % 2))


def _castlings(position: Position, square: int) -> Iterator[Act]:
    """The ways of a piece to castle to files of its own, with partners wherever they stand."""
    plan, board, made = position.plan, position.board, position.made
    piece = board[square]
    partners = plan.partners[piece] if made[square] == 0 else ()
    rank, kind = square - square % plan.files, plan.kinds[(piece - 1) >> 1]
    for other in range(rank, rank + plan.files) if partners else ():
        if board[other] not in partners or made[other] != 0 or other == square:
            continue
        right = other > square
        target = rank + (kind.castles_to or (0, 0))[right]
        stop = target - 1 if right else target + 1
        way = sorted((square, other, target, stop))
        if all(not board[s] or s in {square, other} for s in range(way[0], way[-1] + 1)):
            yield Act(piece, square, target, piece, (), (other, stop))


def _breaks_iron(position: Position, act: Act) -> bool:
    barred, board = position.plan.barred, position.board
    mover = (act.piece - 1) >> 1
    return any(mover in barred[board[square]] for square in act.captures)


def _patch_acts(
    position: Position, patch: Patch, square: int, *, quiet: bool = True
) -> Iterator[Act]:
    if patch.automaton is not None:
        part = Part(patch.guard, patch.automaton)
        for act in _walked(position, part, square, quiet=quiet):
            if patch.room >> act.target & 1:
                yield act
        return
    board = position.board
    piece = board[square]
    for end in _walk(patch, board, position.plan.views[piece]):
        captures = _captures(position, end, square)
        if len(set(captures)) < len(captures) or not (captures or quiet):
            continue
        partner: tuple[int, ...] = ()
        if patch.castle:
            partner = castling_partner(
                position.plan, board, position.made, patch.castle, (square, end.target)
            )
            if not partner:
                continue
        trail = end.passed if patch.leaves_trail else ()
        yield Act(piece, square, end.target, piece, captures, partner, trail)


def _walk(patch: Patch, board: list[int], classes: list[int]) -> Iterator[End]:
    """Where the moves of a part may end."""
    nodes, skips = patch.nodes, patch.skips
    node = 0
    while node < len(nodes):
        word = nodes[node]
        standing = classes[board[word >> STEP_SHIFT]]
        if word & standing:
            yield patch.ends[node]
        node = node + 1 if word >> CLASS_BITS & standing else skips[node]


def _captures(position: Position, end: End, home: int) -> tuple[int, ...]:
    trail = position.trail
    captures = end.captures
    if end.on_trail:
        captures = tuple(trail[s] if s in end.on_trail else s for s in captures)
    if end.target == home:
        return captures
    if end.takes_trail:
        return (*captures, trail[end.target])
    standing = position.board[end.target]
    if standing and standing != position.plan.mark:
        return (*captures, end.target)
    return captures


def castling_partner(
    plan: Plan, board: list[int], made: list[int], castle: tuple[int, int], way: tuple[int, int]
) -> tuple[int, ...]:
    """Where the castling partner comes from and goes to, empty when none stands ready.

    It is the first piece met, the mover's own, unmoved, so many files in from the edge, and one
    with which the other castles. ``way``
    is where the piece that castles comes from and goes to.
    """
    steps, inset = castle
    square, target = way
    side = 1 if target > square else -1
    rank, file = divmod(square, plan.files)
    edge = plan.files - 1 - inset if side > 0 else inset
    at = file + side
    while 0 <= at < plan.files:
        stands = rank * plan.files + at
        if board[stands] and board[stands] != plan.mark:
            own = (board[stands] - 1) % 2 == (board[square] - 1) % 2
            ready = own and at == edge and made[stands] == 0
            ready = ready and plan.may_be_partner(board[square], board[stands])
            return (stands, target - side) if ready and abs(at - file) > steps else ()
        at += side
    return ()


def _walked(position: Position, part: Part, square: int, *, quiet: bool) -> Iterator[Act]:
    """The moves of a part without a table, walked on its automaton as the mover sees the board."""
    plan = position.plan
    piece = position.board[square]
    side = (piece - 1) % 2
    view = View(plan, side)
    scene = view.scene(position, square)
    try:
        moves = moves_in(Meaning((part,)), scene, quiet=quiet)
    except BoardError:
        raise too_many_moves(plan, piece, square) from None
    for move in sorted(moves):
        yield view.act(piece, square, scene.at, move)


# The reasons for which a move is illegal, as R2 of the rules names them.
FILE, SELF_CHECK, PROMOTION = "file", "self-check", "promotion"
FLIGHT, GIVING_CHECK, FACING = "flight", "giving-check", "facing"
NOT_IN_HAND, OCCUPIED = "not-in-hand", "occupied"
DROP_ZONE, DROP_RANK, DROP_CHECK, DROP_MATE = "drop-zone", "drop-rank", "drop-check", "drop-mate"
DROP_REGION, DROP_PLACE = "drop-region", "drop-place"
DROP_COLOUR = "drop-colour"


def in_check(position: Position, side: int) -> bool:
    """Whether the other side could capture so that this side's game is lost."""
    royals = position.royals[side]
    if not royals:
        return False
    if (
        position.plan.rules.duple_check == "yes"
        and len(royals) > 1
        and _all_attacked(position, side)
    ):
        return True
    reaches = position.reaches
    enemies = reaches.sides[1 - side]
    # What passes over a trail may take a piece that it does not look at.
    everywhere = bool(position.trail) and position.turn != side
    if reaches.swift and len(royals) == 1 and not everywhere:
        return exposed(position, royals[0], position.own[0] | position.own[1], 0, enemies)
    for piece in enemies:
        here = position.sets[piece]
        if here and not everywhere:
            here = reaches.aiming(piece, here, royals)
        if here and any(attacks_royal(position, square) for square in squares_in(here)):
            return True
    return False


def _all_attacked(position: Position, side: int) -> bool:
    """Whether each royal of a side stands where the other side could capture it."""
    taken = {
        captured
        for square in squares_in(position.own[1 - side])
        for act in plain_acts(position, square, quiet=False)
        if not _perishes_by(position, act, 1 - side)
        for captured in act.captures
    }
    return taken.issuperset(position.royals[side])


def _perishes_by(position: Position, act: Act, side: int) -> bool:
    """Whether a capture would cost the side that makes it its royals, so that it attacks nothing.

    What an explosion takes besides is not attacked either.
    """
    return position.plan.special and loses(position, side, gone(with_effects(position, act)))


def attacks_royal(position: Position, square: int) -> bool:
    """Whether the piece on a square could capture so that the other side's game is lost."""
    enemy = position.board[square] & 1
    return any(
        act.captures
        and loses(position, enemy, act.captures)
        and any(obeys_file(position, each) for each in promotions(position, act))
        and not _perishes_by(position, act, 1 - enemy)
        for act in plain_acts(position, square, quiet=False)
    )


def exposed(
    position: Position, royal: int, occupied: int, gone: int, pieces: Sequence[int]
) -> bool:
    """Whether pieces that leap or run attack a square where the other side would have its royal.

    ``occupied`` is the board after the move, ``gone`` what it captures; ``pieces`` are those to
    look at.
    """
    reaches, sets, size = position.reaches, position.sets, position.plan.size
    for piece in pieces:
        index = piece * size + royal
        attackers = reaches.attackers[index]
        if attackers is None:
            attackers = reaches.attacks(piece, royal)
        here = sets[piece] & attackers & ~gone
        if here and position.plan.file_limit[piece]:
            here &= entering(position, piece, royal, gone)
        if here and (reaches.leaper[piece] or _free(reaches.between, index * size, here, occupied)):
            return True
    return False


def _free(between: dict[int, int], base: int, here: int, occupied: int) -> bool:
    """Whether nothing stands in the way of one of these attackers."""
    while here:
        low = here & -here
        here ^= low
        if not between[base + low.bit_length() - 1] & occupied:
            return True
    return False


def entering(position: Position, piece: int, target: int, gone: int = 0) -> int:
    """From where a piece with a limit on files may go to a square, ``gone`` being captured (R7)."""
    reaches, plan = position.reaches, position.plan
    column = reaches.files[target % plan.files]
    there = position.sets[piece] & column & ~gone
    return column if there.bit_count() >= plan.file_limit[piece] else reaches.all


def loses(position: Position, side: int, captures: tuple[int, ...]) -> bool:
    """Whether a side whose pieces on these squares are captured has lost its royals."""
    survive, board = position.plan.survive, position.board
    spared = taken = 0
    for square in position.royals[side]:
        if square not in captures:
            spared += survive[board[square]] == "all"
        elif survive[board[square]] == "any":
            return True
        else:
            taken += 1
    return taken > 0 and not spared


def gone(act: Act) -> tuple[int, ...]:
    """The squares whose pieces a move removes, that of one that does not survive its move too."""
    perishes = any(square == act.target for square, _ in act.changes)
    return (*act.captures, act.origin) if perishes else act.captures


def lost_by(position: Position, act: Act) -> int | None:
    """The side that loses its royals by a move of the side to move.

    Where both would, it is the other side: the move wins, whatever happens to the mover's own. An
    explosion that takes the mover's own loses.
    """
    turn, captures = position.turn, gone(act)
    sides = (turn, 1 - turn) if position.plan.special else (1 - turn, turn)
    return next((side for side in sides if captures and loses(position, side, captures)), None)


def forms(position: Position, act: Act) -> Iterator[Act]:
    """A move with everything its piece may be afterwards, and all that it may leave or build."""
    if position.plan.is_pass(act):
        return iter((act,))
    if any(position.plan.gates):
        return (each for form in promotions(position, act) for each in with_gates(position, form))
    if position.plan.rules.wall == "none":
        return promotions(position, act)
    return (
        each
        for form in promotions(position, act)
        for each in with_walls(position, form, plain_acts)
    )


def promotions(position: Position, act: Act) -> Iterator[Act]:
    """A move with everything its piece may be afterwards, however many of it there are."""
    piece, origin, target = act.piece, act.origin, act.target
    if origin < 0 or act.becomes != piece:
        # Nothing promotes as it is dropped, or twice.
        yield act
        return
    for form in position.plan.becomes(piece, origin, target, captures=bool(act.captures)):
        yield act if form == piece else act._replace(becomes=form)


def fills(position: Position, act: Act) -> bool:
    """Whether there are as many already of what a piece promotes to as there may be."""
    limit = position.plan.side_limit[act.becomes]
    promotes = limit and act.becomes != act.piece
    return bool(promotes) and position.sets[act.becomes].bit_count() >= limit


def obeys_file(position: Position, act: Act) -> bool:
    """Whether a move onto another file leaves room for the piece there (R7)."""
    bits = position.plan.bits
    if not position.plan.file_limit[act.becomes]:
        return True
    gone = sum(bits[square] for square in act.captures)
    return bool(bits[act.origin] & entering(position, act.becomes, act.target, gone))


def fault(position: Position, act: Act, tried: Tried | None = None) -> str | None:
    """Why a move on the board that its piece can make is illegal, None if it is legal.

    ``tried`` is as for `exposes`.
    """
    if not obeys_file(position, act):
        return FILE
    if fills(position, act):
        return PROMOTION
    if gate := position.plan.gate_of(act):
        # What is left behind ends no check, nor does it shield a pin.
        without = act._replace(changes=tuple(each for each in act.changes if each != gate))
        if reason := _fault_of_royals(position, without, tried):
            return reason
    return _fault_of_royals(position, act, tried)


def _fault_of_royals(position: Position, act: Act, tried: Tried | None) -> str | None:
    """Why a move is illegal by what it does to royals of either side."""
    side, rules = position.turn, position.plan.rules
    barred = rules.self_check == "barred"
    if barred and position.plan.special and loses(position, side, gone(act)):
        return SELF_CHECK
    if act.captures and loses(position, 1 - side, act.captures):
        return None
    if rules.facing == "bikjang" and facing(position):
        if position.plan.is_pass(act):
            return None
        return FACING if keeps_facing(position, act) else _self_check(position, act)
    if rules.flight == "barred" and _flees(position, act):
        return FLIGHT
    if rules.giving_check == "barred" and gives_check(position, act):
        return GIVING_CHECK
    return _self_check(position, act, tried)


def _self_check(position: Position, act: Act, tried: Tried | None = None) -> str | None:
    """Whether a move leaves a royal of its own side open, as a reason."""
    side = position.turn
    if position.plan.rules.self_check == "allowed":
        return None
    if act.captures and loses(position, side, act.captures):
        return SELF_CHECK
    if act.partner and next(castling_risks(position, act), None) is not None:
        return SELF_CHECK
    return SELF_CHECK if exposes(position, act, tried) else None


def facing(position: Position) -> bool:
    """Whether royals of both sides face each other along an open rank or file."""
    files, board = position.plan.files, position.board
    return any(
        not any(board[min(one, other) + step : max(one, other) : step])
        for one in position.royals[0]
        for other in position.royals[1]
        for step, same in ((1, one // files == other // files), (files, (one - other) % files == 0))
        if same
    )


def keeps_facing(position: Position, act: Act) -> bool:
    """Whether royals that face each other do so after a move, too, which must end that."""
    if position.plan.rules.facing != "bikjang" or not facing(position):
        return False
    undo = position.make(act)
    still = facing(position)
    position.unmake(undo)
    return still


def _flees(position: Position, act: Act) -> bool:
    """Whether a royal in check goes away instead of capturing what gives check."""
    if not position.plan.royal[act.piece]:
        return False
    enemies = squares_in(position.own[1 - position.turn])
    return any(attacks_royal(position, each) for each in enemies if each not in act.captures)


def gives_check(position: Position, act: Act) -> bool:
    """Whether the other side is in check after a move."""
    undo = position.make(act)
    given = in_check(position, position.turn)
    position.unmake(undo)
    return given


def _only_moves(position: Position, act: Act) -> bool:
    """Whether a move changes nothing for the enemy but that its piece stands elsewhere."""
    plan = position.plan
    if plan.royal[act.becomes] or act.partner or act.trail or act.changes or plan.special:
        return False
    # With fewer of them on a file the others may go there.
    return not act.captures or (act.captures == (act.target,) and not any(plan.file_limit))


def _opens(position: Position, square: int) -> bool:
    """Whether a royal could be captured if the piece on a square, or none for -1, were gone."""
    side = position.turn
    if square < 0:
        return in_check(position, side)
    piece, bit = position.board[square], position.plan.bits[square]
    undo = position.make(Act(piece, square, square, piece))
    position.board[square] = 0
    position.own[side] ^= bit
    found = in_check(position, side)
    position.own[side] ^= bit
    position.board[square] = piece
    position.unmake(undo)
    return found


def castling_risks(position: Position, act: Act) -> Iterator[int]:
    """The squares on which a royal that castles could be captured before it arrives.

    Nothing castles out of check or through it.
    """
    side = position.turn
    if not position.plan.royal[act.piece]:
        return
    if in_check(position, side):
        yield act.origin
    step = 1 if act.target > act.origin else -1
    for between in range(act.origin + step, act.target, step):
        # Where the partner stands on the way, it will have gone.
        gone = (between,) if position.board[between] else ()
        if exposes(position, Act(act.piece, act.origin, between, act.piece, gone)):
            yield between


def exposes(position: Position, act: Act, tried: Tried | None = None) -> bool:
    """Whether the mover's royals could be captured after a move.

    Where all that attacks is stopped by whatever comes in its way, ``tried`` keeps what was found
    out before: most moves need no more trying then.
    """
    side = position.turn
    if not (position.royals[side] or act.changes or position.plan.royal[act.becomes]):
        return False
    if tried is None or not _only_moves(position, act):
        undo = position.make(act)
        open_to_capture = in_check(position, side)
        position.unmake(undo)
        return open_to_capture
    return _leaves_open(position, act, tried)


def _leaves_open(position: Position, act: Act, tried: Tried) -> bool:
    """Whether a royal is open after a move that only puts its piece elsewhere.

    An attack that was found after another move stands after this one too where both leave the
    squares alone that it depends on.
    """
    side, bits = position.turn, position.plan.bits
    left = bits[act.origin] if act.origin >= 0 else 0
    entered = bits[act.target]
    if any(not way & (left | entered) for way in tried.ways.get(-1, ())):
        return True
    if any(not way & entered for way in tried.ways.get(act.origin, ())):
        return True
    if act.origin not in tried.left:
        tried.left[act.origin] = _opens(position, act.origin)
    if not tried.left[act.origin]:
        return False
    undo = position.make(act)
    open_to_capture = in_check(position, side)
    way = way_of_attack(position, side) if open_to_capture else 0
    position.unmake(undo)
    if way and not way & entered:
        tried.ways.setdefault(act.origin if way & left else -1, []).append(way)
    return open_to_capture


def way_of_attack(position: Position, side: int) -> int:
    """The squares of one way to capture a royal of a side, 0 where none is told.

    It is there as long as the same stands on all of them; nothing may attack over pieces.
    """
    plan, reaches = position.plan, position.reaches
    if plan.iron or any(plan.file_limit):
        return 0
    royals = [square for square in position.royals[side] if loses(position, side, (square,))]
    for piece in reaches.sides[1 - side]:
        here = reaches.aiming(piece, position.sets[piece], royals)
        for square in squares_in(here) if here else ():
            for patch in _holding(position, square, position.made[square]):
                for royal in royals:
                    way = _way(position, patch, (square, royal))
                    if way:
                        return way
    return 0


def _way(position: Position, patch: Patch, ends: tuple[int, int]) -> int:
    """The squares of a way of one part from a square to what it captures, 0 for none."""
    square, target = ends
    bits, piece = position.plan.bits, position.board[square]
    if not patch.room >> target & 1:
        return 0
    if patch.automaton is None:
        acts = _patch_acts(position, patch, square, quiet=False)
        return patch.looks | bits[square] if any(act.captures == (target,) for act in acts) else 0
    view = View(position.plan, (piece - 1) % 2)
    scene = view.scene(position, square)
    way = way_to(Part(patch.guard, patch.automaton), scene, view.turned(target))
    return sum(bits[view.number(each, (0, 0))] for each in way)

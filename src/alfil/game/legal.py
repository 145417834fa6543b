"""Legal moves, listed and counted: the fastest way that a game allows.

Where all pieces leap or run, a position is held in sets of squares, each an int of one bit a
square, and checks and pins are read off the lines to the royal piece. Elsewhere the core finds the
moves (`alfil.game.flat`), or where it cannot, `alfil.game.rules`, which makes, looks at and unmakes
every move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from alfil.game.flat import acts_of as flat_acts
from alfil.game.flat import counted as flat_count
from alfil.game.position import DROPPED, NO_TRAIL, UNKNOWN, Act, Position, one_more
from alfil.game.reaches import (
    LEAPING,
    OTHERWISE,
    SHIFTED,
    Reach,
    Reaches,
    Threats,
    reaches_of,
    squares_in,
)
from alfil.game.rules import castling_partner, in_check, lost_by
from alfil.game.rules import legal_acts as slow_acts

# What a move has changed besides what it says itself: the piece taken, the kind that went to or
# left the hand (-1 for none), counts of moves (mover, partner, piece taken), and the trail before.
Unmake: TypeAlias = tuple[int, int, tuple[int, int, int], dict[int, int]]
_NO_COUNTS = (0, 0, 0)


class Sets:
    """A position in sets of squares; every move captures one piece at most."""

    __slots__ = (
        "board",
        "hands",
        "made",
        "own",
        "plan",
        "position",
        "reaches",
        "remembers",
        "royal",
        "sets",
        "trail",
        "turn",
    )

    def __init__(self, position: Position, reaches: Reaches) -> None:
        self.plan = position.plan
        self.reaches = reaches
        self.position = position
        self.board = position.board
        self.made = position.made
        # Castling asks for counts too, so that they are kept where there is any.
        self.remembers = self.plan.remembers
        self.hands = position.hands
        self.turn = position.turn
        self.trail = position.trail
        self.royal = [position.royals[0][0], position.royals[1][0]]
        self.sets = sets = [0] * self.plan.mark
        own = [0, 0]
        bits = reaches.bits
        for square, piece in enumerate(self.board):
            if piece:
                bit = bits[square]
                sets[piece] |= bit
                own[~piece & 1] |= bit
        self.own = own

    def make(self, act: Act) -> Unmake:
        """Make a legal move."""
        piece, origin, target, becomes, captures, partner, trail = act
        board, sets, own, bits = self.board, self.sets, self.own, self.reaches.bits
        side = self.turn
        taken, kind = 0, -1
        made = self.made
        before = _NO_COUNTS
        if captures:
            victim = captures[0]
            taken = board[victim]
            bit = bits[victim]
            sets[taken] ^= bit
            own[1 - side] ^= bit
            board[victim] = 0
            if self.remembers:
                before = (0, 0, made[victim])
            kind = self._to_hand(taken, side)
        bit = bits[target]
        if origin < 0:
            kind = self._from_hand(piece, side)
            made[target] = DROPPED if self.plan.starting.get(target) == piece else UNKNOWN
        else:
            there = bits[origin]
            board[origin] = 0
            sets[piece] ^= there
            own[side] ^= there
            if origin == self.royal[side]:
                self.royal[side] = target
            if self.remembers:
                before = (made[origin], 0, before[2])
                made[target] = one_more(made[origin])
                if partner:
                    before = (before[0], made[partner[0]], 0)
                    self._carry(partner[0], partner[1], one_more(made[partner[0]]))
        board[target] = becomes
        sets[becomes] ^= bit
        own[side] ^= bit
        undo = (taken, kind, before, self.trail)
        self.trail = dict.fromkeys(trail, target) if trail else NO_TRAIL
        self.turn = 1 - side
        return undo

    def unmake(self, act: Act, undo: Unmake) -> None:
        """Take back the last move."""
        piece, origin, target, becomes, captures, partner, _ = act
        board, sets, own, bits = self.board, self.sets, self.own, self.reaches.bits
        taken, kind, before, self.trail = undo
        self.turn = side = 1 - self.turn
        bit = bits[target]
        board[target] = 0
        sets[becomes] ^= bit
        own[side] ^= bit
        if partner:
            self._carry(partner[1], partner[0], before[1])
        if origin < 0:
            self.hands[side][kind] += 1
        else:
            there = bits[origin]
            board[origin] = piece
            sets[piece] ^= there
            own[side] ^= there
            if target == self.royal[side]:
                self.royal[side] = origin
            if self.remembers:
                self.made[origin] = before[0]
        if captures:
            victim = captures[0]
            bit = bits[victim]
            board[victim] = taken
            sets[taken] ^= bit
            own[1 - side] ^= bit
            if self.remembers:
                self.made[victim] = before[2]
            if kind >= 0:
                self.hands[side][kind] -= 1

    def _to_hand(self, taken: int, side: int) -> int:
        rules = self.plan.rules
        if rules.captured != "to-hand":
            return -1
        kind = self.plan.base[taken] if rules.captured_form == "base" else (taken - 1) >> 1
        self.hands[side][kind] += 1
        return kind

    def _from_hand(self, piece: int, side: int) -> int:
        kind = self.plan.drop_kind(piece, self.hands[side])
        self.hands[side][kind] -= 1
        return kind

    def _carry(self, origin: int, target: int, count: int) -> None:
        """Move a castling partner."""
        piece = self.board[origin]
        both = self.reaches.bits[origin] | self.reaches.bits[target]
        self.board[origin] = 0
        self.board[target] = piece
        self.sets[piece] ^= both
        self.own[(piece - 1) % 2] ^= both
        self.made[target] = count


def threats(state: Sets) -> Threats:
    """What threatens the side to move."""
    reaches, sets = state.reaches, state.sets
    side = state.turn
    royal = state.royal[side]
    zones = reaches.zones[side][royal]
    if zones is None:
        zones = reaches.zone(side, state.board[royal], royal)
    near = [piece for piece, zone in zones if sets[piece] & zone]
    if not near:
        return reaches.at_peace
    return _lines(state, near, royal)


def _lines(state: Sets, near: list[int], royal: int) -> Threats:
    """Checkers and pins among the pieces near."""
    reaches, plan = state.reaches, state.plan
    own, enemy = state.own[state.turn], state.own[1 - state.turn]
    occupied = own | enemy
    checkers = doubtful = 0
    targets = reaches.all
    pins: dict[int, int] = {}
    for piece in near:
        index = piece * plan.size + royal
        here = state.sets[piece] & (reaches.attackers[index] or 0)
        if here and plan.file_limit[piece]:
            here, doubt = _entering(state, piece, here, royal)
            doubtful |= doubt
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
    return Threats(near, checkers, targets, pins, doubtful)


def _entering(state: Sets, piece: int, here: int, royal: int) -> tuple[int, int]:
    """Which pieces with a limit on files may go to the royal's file, and what stands in the way."""
    reaches = state.reaches
    limit = state.plan.file_limit[piece]
    column = reaches.files[royal % state.plan.files]
    there = state.sets[piece] & column
    if there.bit_count() < limit:
        return here, 0
    doubt = there if here & ~column and there.bit_count() == limit else 0
    return here & column, doubt


def exposed(state: Sets, royal: int, occupied: int, gone: int, pieces: Sequence[int]) -> bool:
    """Whether enemy pieces attack a square where the side to move would have its royal.

    ``occupied`` is the board after the move, ``gone`` what it captures; ``pieces`` are the enemy
    pieces to look at.
    """
    reaches, size = state.reaches, state.plan.size
    for piece in pieces:
        index = piece * size + royal
        attackers = reaches.attackers[index]
        if attackers is None:
            attackers = reaches.attacks(piece, royal)
        here = state.sets[piece] & attackers & ~gone
        if here and state.plan.file_limit[piece]:
            here &= _open_to(state, piece, royal, gone)
        if here and (reaches.leaper[piece] or _free(state, index * size, here, occupied)):
            return True
    return False


def _open_to(state: Sets, piece: int, royal: int, gone: int) -> int:
    """From where a piece with a limit on files may go to the royal's file."""
    column = state.reaches.files[royal % state.plan.files]
    full = (state.sets[piece] & column & ~gone).bit_count() >= state.plan.file_limit[piece]
    return column if full else state.reaches.all


def _free(state: Sets, base: int, here: int, occupied: int) -> bool:
    """Whether nothing stands in the way of one of these attackers."""
    between = state.reaches.between
    while here:
        low = here & -here
        here ^= low
        if not between[base + low.bit_length() - 1] & occupied:
            return True
    return False


def legal_acts(position: Position) -> list[Act]:
    """All legal moves in one fixed order."""
    board = board_of(position)
    if board is not None:
        return listed(board)
    found = flat_acts(position)
    return slow_acts(position) if found is None else found


def board_of(position: Position) -> Sets | None:
    """The position in sets of squares, None where check cannot be read off lines.

    That is so without exactly one royal a side, and where the other side's could be captured.
    """
    plan = position.plan
    reaches = reaches_of(plan)
    if reaches is None or len(position.royals[0]) != 1 or len(position.royals[1]) != 1:
        return None
    board = Sets(position, reaches)
    enemy = 1 - position.turn
    royal = board.royal[enemy]
    occupied = board.own[0] | board.own[1]
    board.turn = enemy
    open_to_capture = exposed(board, royal, occupied, 0, reaches.sides[1 - enemy])
    board.turn = position.turn
    if open_to_capture or (position.trail and in_check(position, enemy)):
        return None
    return board


def listed(board: Sets) -> list[Act]:
    """All legal moves."""
    danger = threats(board)
    found = royal_moves(board, danger)
    single = not danger.checkers & (danger.checkers - 1)
    if single:
        _list_moves(board, danger, found)
        if board.trail:
            found += en_passant(board)
        if danger.doubtful:
            found = [act for act in found if not _opens(board, act, danger)]
        if board.plan.rules.drops == "yes":
            for piece, squares in drops_of(board, danger):
                if squares:
                    found += board.reaches.drops_on(piece, squares)
    return found


def royal_moves(board: Sets, danger: Threats) -> list[Act]:
    """The legal moves of the royal piece, castling included."""
    reaches = board.reaches
    side = board.turn
    square = board.royal[side]
    piece = board.board[square]
    occupied = board.own[0] | board.own[1]
    without = occupied ^ reaches.bits[square]
    found: list[Act] = []
    for target, captures, acts in targets_of(board, piece, square, reaches.all):
        bit = reaches.bits[target]
        gone = bit if captures else 0
        if not danger.near or not exposed(board, target, without | bit, gone, danger.near):
            found += acts
    if board.plan.castle_insets[piece] and not danger.checkers:
        found += castling(board, piece, square)
    return found


def targets_of(
    board: Sets, piece: int, square: int, within: int
) -> list[tuple[int, bool, tuple[Act, ...]]]:
    """Where a piece may go by its moves: square, whether it captures there, the moves."""
    reaches = board.reaches
    enemy = board.own[1 - board.turn]
    squares, trailing = destinations(board, piece, square)
    squares &= within
    found = []
    while squares:
        low = squares & -squares
        squares ^= low
        target = low.bit_length() - 1
        captures = bool(low & enemy)
        found.append((target, captures, reaches.moves(piece, square, target, captures=captures)))
    for target, trail in trailing:
        if reaches.bits[target] & within:
            forms = board.plan.becomes(piece, square, target, captures=False)
            acts = tuple(Act(piece, square, target, form, (), (), trail) for form in forms)
            found.append((target, False, acts))
    return found


_NOTHING: tuple[tuple[int, tuple[int, ...]], ...] = ()


def destinations(
    board: Sets, piece: int, square: int
) -> tuple[int, tuple[tuple[int, tuple[int, ...]], ...]]:
    """The squares a piece may go to, and those it reaches leaving a trail."""
    reaches, own, side = board.reaches, board.own, board.turn
    if reaches.even[piece]:
        squares = reaches.leaps[piece * board.plan.size + square]
        if squares is None:
            squares = reaches.leap(piece, square)
        if squares < 0:
            squares = reaches.run(piece, square, own[0] | own[1])
        squares &= ~own[side]
        return (_in_open_files(board, piece, square, squares), _NOTHING)
    reach = _uneven(board, piece, square)
    squares = reach.quiet | reach.strikes & own[1 - side]
    return (_in_open_files(board, piece, square, squares), reach.trailing)


def _uneven(board: Sets, piece: int, square: int) -> Reach:
    count = board.made[square]
    if count >= board.plan.count_limits[piece]:
        count = UNKNOWN
    return board.reaches.uneven(piece, square, count, board.own[0] | board.own[1])


def _in_open_files(board: Sets, piece: int, square: int, squares: int) -> int:
    """Those of the squares that do not crowd a file."""
    limit = board.plan.file_limit[piece]
    if not limit:
        return squares
    reaches = board.reaches
    full = reaches.full_files(board.sets[piece], limit)
    return squares & ~(full & ~reaches.files[square % board.plan.files])


def _list_moves(board: Sets, danger: Threats, found: list[Act]) -> None:
    """Add the legal moves of all pieces but the royal one; en passant is not among them."""
    royal = board.plan.royal
    pins = danger.pins
    for piece in board.reaches.sides[board.turn]:
        here = board.sets[piece]
        if not here or royal[piece]:
            continue
        while here:
            low = here & -here
            here ^= low
            square = low.bit_length() - 1
            within = danger.targets
            if pins and square in pins:
                within &= pins[square]
            for _, _, acts in targets_of(board, piece, square, within):
                found += acts


def castling(board: Sets, piece: int, square: int) -> list[Act]:
    """The legal ways to castle for a royal that is not in check."""
    reaches, plan = board.reaches, board.plan
    occupied = board.own[0] | board.own[1]
    enemies = reaches.sides[1 - board.turn]
    found = []
    for castle, targets in reaches.specials.castling(piece, square, board.made[square], occupied):
        for target in targets:
            way = (square, target)
            partner = castling_partner(plan, board.board, board.made, castle, way)
            if not partner:
                continue
            step = 1 if target > square else -1
            without = occupied ^ reaches.bits[square]
            after = without ^ reaches.bits[partner[0]] | reaches.bits[partner[1]]
            crossed = any(
                exposed(board, at, without | reaches.bits[at], 0, enemies)
                for at in range(square + step, target, step)
            )
            if not crossed and not exposed(board, target, after, 0, enemies):
                found.append(Act(piece, square, target, piece, (), partner))
    return found


def en_passant(board: Sets) -> list[Act]:
    """The legal captures en passant."""
    reaches = board.reaches
    occupied = board.own[0] | board.own[1]
    found = []
    for piece in reaches.sides[board.turn]:
        for target in sorted(board.trail) if board.sets[piece] else ():
            sources = board.sets[piece] & reaches.specials.sources(piece, target)
            for square in squares_in(sources):
                if reaches.specials.takes_on(piece, square, target, occupied):
                    found += _passing(board, piece, square, target)
    return found


def _passing(board: Sets, piece: int, square: int, target: int) -> list[Act]:
    """A capture en passant with all forms that may arrive, nothing if it opens check."""
    reaches, plan = board.reaches, board.plan
    victim = board.trail[target]
    gone = reaches.bits[victim]
    after = board.own[0] | board.own[1] | reaches.bits[target]
    after &= ~(gone | reaches.bits[square])
    royal = target if plan.royal[piece] else board.royal[board.turn]
    if exposed(board, royal, after, gone, reaches.sides[1 - board.turn]):
        return []
    forms = plan.becomes(piece, square, target, captures=True)
    return [Act(piece, square, target, form, (victim,)) for form in forms]


def _opens(board: Sets, act: Act, danger: Threats) -> bool:
    """Whether a capture lets in an attacker that could not enter the royal's file before."""
    if not act.captures or board.plan.royal[act.piece]:
        return False
    bits = board.reaches.bits
    gone = bits[act.captures[0]]
    if not gone & danger.doubtful:
        return False
    after = (board.own[0] | board.own[1]) & ~gone & ~bits[act.origin] | bits[act.target]
    return exposed(board, board.royal[board.turn], after, gone, danger.near)


def drops_of(board: Sets, danger: Threats) -> list[tuple[int, int]]:
    """For each piece in hand the squares it may be dropped on."""
    hand = board.hands[board.turn]
    if not any(hand):
        return []
    free = danger.targets & ~(board.own[0] | board.own[1])
    return [
        (piece, _narrowed(board, piece, free & ranks) if limited else free & ranks)
        for kind, piece, ranks, limited in board.reaches.droppable[board.turn]
        if hand[kind]
    ]


def _narrowed(board: Sets, piece: int, squares: int) -> int:
    """The squares of a drop that the rules for its kind leave."""
    kind = board.plan.kinds[(piece - 1) >> 1]
    reaches = board.reaches
    if kind.per_file and "drop" in kind.per_file_on:
        squares &= ~reaches.full_files(board.sets[piece], kind.per_file)
    if kind.drop_check == "free" and kind.drop_mate == "allowed":
        return squares
    hits = _hits(board, piece, squares)
    if kind.drop_check == "required":
        squares = hits
    elif kind.drop_check == "barred":
        squares &= ~hits
    if kind.drop_mate == "barred":
        for square in squares_in(hits & squares):
            if _mates(board, reaches.drops(piece)[square]):
                squares ^= reaches.bits[square]
    return squares


def _hits(board: Sets, piece: int, squares: int) -> int:
    """Those of the squares from which a dropped piece would attack the other royal."""
    reaches, size = board.reaches, board.plan.size
    royal = board.royal[1 - board.turn]
    index = piece * size + royal
    attackers = reaches.attackers[index]
    if attackers is None:
        attackers = reaches.attacks(piece, royal)
    here = squares & attackers
    limit = board.plan.file_limit[piece]
    if here and limit:
        column = reaches.files[royal % board.plan.files]
        if (board.sets[piece] & column).bit_count() >= limit:
            here &= column
    if reaches.leaper[piece]:
        return here
    occupied = board.own[0] | board.own[1]
    for square in squares_in(here):
        if reaches.between[index * size + square] & occupied:
            here ^= reaches.bits[square]
    return here


def _mates(board: Sets, act: Act) -> bool:
    """Whether a drop that gives check leaves no move."""
    undo = board.make(act)
    mate = not listed(board)
    board.unmake(act, undo)
    return mate


def counted(board: Sets) -> int:
    """How many legal moves there are."""
    danger = threats(board)
    if danger.doubtful:
        return len(listed(board))
    total = _count_royal(board, danger)
    if danger.checkers & (danger.checkers - 1):
        return total
    total += _count_moves(board, danger)
    if board.trail:
        total += len(en_passant(board))
    if board.plan.rules.drops == "yes":
        for _, squares in drops_of(board, danger):
            total += squares.bit_count()
    return total


def _count_royal(board: Sets, danger: Threats) -> int:
    """How many moves `royal_moves` would list."""
    reaches = board.reaches
    square = board.royal[board.turn]
    piece = board.board[square]
    if reaches.promoting[piece] or not reaches.leaper[piece] or board.plan.file_limit[piece]:
        return len(royal_moves(board, danger))
    squares = reaches.leaps[piece * board.plan.size + square]
    if squares is None:
        squares = reaches.leap(piece, square)
    squares &= ~board.own[board.turn]
    if danger.near:
        squares = _safe(board, square, squares, danger)
    total = squares.bit_count()
    if board.plan.castle_insets[piece] and not danger.checkers:
        total += len(castling(board, piece, square))
    return total


def _safe(board: Sets, square: int, squares: int, danger: Threats) -> int:
    """Those of the squares on which a royal could not be captured after going there."""
    enemy = board.own[1 - board.turn]
    without = (enemy | board.own[board.turn]) ^ board.reaches.bits[square]
    found = squares
    while squares:
        low = squares & -squares
        squares ^= low
        if exposed(board, low.bit_length() - 1, without | low, low & enemy, danger.near):
            found ^= low
    return found


def _count_moves(board: Sets, danger: Threats) -> int:  # noqa: C901 - one loop; calls cost as much
    """How many moves all pieces but the royal one have; en passant is not among them."""
    reaches, sets = board.reaches, board.sets
    leaps, runs, extras = reaches.leaps, reaches.runs, reaches.extra
    occupied = board.own[0] | board.own[1]
    free = danger.targets & ~board.own[board.turn]
    pinned, total = _pinned(board, danger) if danger.pins else (0, 0)
    for piece, base, way, shifts in reaches.orders[board.turn]:
        here = sets[piece] & ~pinned
        if way == SHIFTED:
            for left, right, sources, extra in shifts:
                moved = (here & sources) << left >> right & free
                total += moved.bit_count()
                for within, more in extra:
                    total += (moved & within).bit_count() * more
            continue
        if way == OTHERWISE:
            total += _count_others(board, piece, here, free)
            continue
        while here:
            low = here & -here
            here ^= low
            index = base + low.bit_length() - 1
            if way == LEAPING:
                squares = leaps[index]
            else:
                looks, known = runs[index] or NOT_SEEN
                squares = known.get(occupied & looks)
            if squares is None:
                squares = reaches.even_reach(piece, index - base, occupied)
            squares &= free
            total += squares.bit_count()
            for within, more in extras[index] or ():
                total += (squares & within).bit_count() * more
    return total


NOT_SEEN: tuple[int, dict[int, int]] = (0, {})


def _pinned(board: Sets, danger: Threats) -> tuple[int, int]:
    """The set of pinned pieces, and how many moves they have."""
    pinned = total = 0
    for square, line in danger.pins.items():
        pinned |= board.reaches.bits[square]
        targets = targets_of(board, board.board[square], square, danger.targets & line)
        total += sum(len(acts) for _, _, acts in targets)
    return pinned, total


def _count_others(board: Sets, piece: int, here: int, free: int) -> int:
    """How many moves pieces of a kind have that are neither shifted nor even."""
    reaches = board.reaches
    if not here:
        return 0
    if board.plan.file_limit[piece]:
        return _count_crowding(board, piece, here, free)
    occupied = board.own[0] | board.own[1]
    limit, base = board.plan.count_limits[piece], piece * board.plan.size
    total = 0
    for square in squares_in(here):
        count = board.made[square] if limit else UNKNOWN
        quiet, strikes, trailing = reaches.uneven(
            piece, square, count if count < limit else UNKNOWN, occupied
        )
        squares = (quiet | strikes & occupied) & free
        total += squares.bit_count()
        for within, more in reaches.extra[base + square] or ():
            total += (squares & within).bit_count() * more
        for target, _ in trailing:
            if reaches.bits[target] & free:
                total += len(board.plan.becomes(piece, square, target, captures=False))
    return total


def _count_crowding(board: Sets, piece: int, here: int, free: int) -> int:
    """How many moves pieces have of which only so many may be on a file."""
    reaches = board.reaches
    if not reaches.shifts[piece]:
        targets = (targets_of(board, piece, square, free) for square in squares_in(here))
        return sum(len(acts) for each in targets for _, _, acts in each)
    limit = board.plan.file_limit[piece]
    open_files = free & ~reaches.full_files(board.sets[piece], limit)
    total = 0
    for left, right, sources, _ in reaches.shifts[piece]:
        moved = (here & sources) << left >> right
        stays = (left - right) % board.plan.files == 0
        total += (moved & (free if stays else open_files)).bit_count()
    return total


def perft(position: Position, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves from a position.

    A sequence stops where there is no move, or a royal is captured; how games end otherwise is not
    looked at.
    """
    if depth <= 0:
        return 1
    board = board_of(position)
    if board is not None:
        return _fast(board, depth)
    count = flat_count(position, depth)
    if count is not None:
        return count
    acts = legal_acts(position)
    return len(acts) if depth == 1 else sum(divide(position, acts, depth))


def divide(position: Position, acts: list[Act], depth: int) -> list[int]:
    """`perft`, for each of these moves."""
    counts = []
    for act in acts:
        ended = lost_by(position, act.captures) is not None
        undo = position.make(act)
        counts.append(int(depth == 1) if ended else perft(position, depth - 1))
        position.unmake(undo)
    return counts


def _fast(board: Sets, depth: int) -> int:
    if depth == 1:
        return counted(board)
    total = 0
    for act in listed(board):
        undo = board.make(act)
        total += _fast(board, depth - 1)
        board.unmake(act, undo)
    return total

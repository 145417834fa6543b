"""Legal moves by looking at checks and pins, in games whose pieces all allow it.

Elsewhere the core finds them (`alfil.game.flat`), or where it cannot, `alfil.game.rules`, which
makes, looks at and unmakes every move.
"""

from __future__ import annotations

from alfil.game.boards import Board
from alfil.game.flat import acts_of as flat_acts
from alfil.game.moving import castling_partner
from alfil.game.position import UNKNOWN, Act, Position
from alfil.game.reaches import reaches_of
from alfil.game.rules import in_check
from alfil.game.rules import legal_acts as slow_acts
from alfil.game.specials import Reach, Threats, squares_in
from alfil.game.threats import exposed, threats


def legal_acts(position: Position) -> list[Act]:
    """All legal moves in one fixed order."""
    board = board_of(position)
    if board is not None:
        return listed(board)
    found = flat_acts(position)
    return slow_acts(position) if found is None else found


def board_of(position: Position) -> Board | None:
    """The position in sets of squares, None where check cannot be read off lines.

    That is so without exactly one royal a side, and where the other side's could be captured.
    """
    plan = position.plan
    reaches = reaches_of(plan)
    if reaches is None or len(position.royals[0]) != 1 or len(position.royals[1]) != 1:
        return None
    board = Board(position, reaches)
    enemy = 1 - position.turn
    royal = board.royal[enemy]
    occupied = board.own[0] | board.own[1]
    board.turn = enemy
    open_to_capture = exposed(board, royal, occupied, 0, reaches.sides[1 - enemy])
    board.turn = position.turn
    if open_to_capture or (position.trail and in_check(position, enemy)):
        return None
    return board


def listed(board: Board) -> list[Act]:
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


def royal_moves(board: Board, danger: Threats) -> list[Act]:
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
    board: Board, piece: int, square: int, within: int
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
    board: Board, piece: int, square: int
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


def _uneven(board: Board, piece: int, square: int) -> Reach:
    count = board.made[square]
    if count >= board.plan.count_limits[piece]:
        count = UNKNOWN
    return board.reaches.uneven(piece, square, count, board.own[0] | board.own[1])


def _in_open_files(board: Board, piece: int, square: int, squares: int) -> int:
    """Those of the squares that do not crowd a file."""
    limit = board.plan.file_limit[piece]
    if not limit:
        return squares
    reaches = board.reaches
    full = reaches.full_files(board.sets[piece], limit)
    return squares & ~(full & ~reaches.files[square % board.plan.files])


def _list_moves(board: Board, danger: Threats, found: list[Act]) -> None:
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


def castling(board: Board, piece: int, square: int) -> list[Act]:
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


def en_passant(board: Board) -> list[Act]:
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


def _passing(board: Board, piece: int, square: int, target: int) -> list[Act]:
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


def _opens(board: Board, act: Act, danger: Threats) -> bool:
    """Whether a capture lets in an attacker that could not enter the royal's file before."""
    if not act.captures or board.plan.royal[act.piece]:
        return False
    bits = board.reaches.bits
    gone = bits[act.captures[0]]
    if not gone & danger.doubtful:
        return False
    after = (board.own[0] | board.own[1]) & ~gone & ~bits[act.origin] | bits[act.target]
    return exposed(board, board.royal[board.turn], after, gone, danger.near)


def drops_of(board: Board, danger: Threats) -> list[tuple[int, int]]:
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


def _narrowed(board: Board, piece: int, squares: int) -> int:
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


def _hits(board: Board, piece: int, squares: int) -> int:
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


def _mates(board: Board, act: Act) -> bool:
    """Whether a drop that gives check leaves no move."""
    undo = board.make(act)
    mate = not listed(board)
    board.unmake(act, undo)
    return mate

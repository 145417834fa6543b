"""Check, and why a move or a drop is illegal."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.compiled_variant import EngineMove
from slow_engine.effects import promotions, with_effects
from slow_engine.moves import strikes_of
from slow_engine.position import Position


def gone(act: EngineMove) -> tuple[int, ...]:
    """The squares whose pieces a move removes, that of one that does not survive its move too."""
    perishes = any(square == act.target for square, _ in act.changes)
    return (*act.captures, act.origin) if perishes else act.captures


def loses(position: Position, side: int, captures: tuple[int, ...]) -> bool:
    """Whether a side whose pieces on these squares are captured has lost its royals."""
    survive, board = position.plan.survive, position.board
    taken = [s for s in captures if survive[board[s]] and (board[s] - 1) % 2 == side]
    if any(survive[board[square]] == "any" for square in taken):
        return True
    left = [square for square in position.royals(side) if square not in taken] if taken else []
    return bool(taken) and all(survive[board[square]] != "all" for square in left)


def lost_by(position: Position, act: EngineMove) -> int | None:
    """The side that loses its royals by a move of the side to move.

    Where both would, it is the other side: the move wins, whatever happens to the mover's own. An
    explosion that takes the mover's own loses.
    """
    turn, captures = position.turn, gone(act)
    sides = (turn, 1 - turn) if position.plan.special else (1 - turn, turn)
    return next((side for side in sides if captures and loses(position, side, captures)), None)


def in_check(position: Position, side: int) -> bool:
    """Whether the other side could capture so that this side's game is lost."""
    royals, enemies = position.royals(side), position.squares_of(1 - side)
    if position.plan.rules.duple_check == "yes" and len(royals) > 1:
        acts = [act for square in enemies for act in strikes_of(position, square)]
        taken = {each for act in acts if not _perishes(position, act) for each in act.captures}
        if taken.issuperset(royals):
            return True
    return bool(royals) and any(attacks_royal(position, square) for square in enemies)


def attacks_royal(position: Position, square: int) -> bool:
    """Whether the piece on a square could capture so that the other side's game is lost."""
    enemy = position.board[square] % 2
    return any(
        loses(position, enemy, act.captures)
        and any(obeys_file(position, each) for each in promotions(position, act))
        and not _perishes(position, act)
        for act in strikes_of(position, square)
    )


def _perishes(position: Position, act: EngineMove) -> bool:
    """Whether a capture would cost the side that makes it its royals, so that it attacks nothing.

    What an explosion takes besides is not attacked either.
    """
    side = (act.piece - 1) % 2
    return position.plan.special and loses(position, side, gone(with_effects(position, act)))


def obeys_file(position: Position, act: EngineMove) -> bool:
    """Whether a move onto another file leaves room for the piece there (R7)."""
    compiled, limit = position.plan, position.plan.file_limit[act.becomes]
    file = act.target % compiled.files
    if not limit or act.origin % compiled.files == file:
        return True
    board = position.board
    taken = [s for s in act.captures if board[s] == act.becomes and s % compiled.files == file]
    return position.count(act.becomes, file) - len(taken) < limit


def fault(position: Position, act: EngineMove) -> str | None:
    """Why a move on the board that its piece can make is illegal, None if it is legal."""
    if not obeys_file(position, act):
        return "file"
    limit = position.plan.side_limit[act.becomes]
    if limit and act.becomes != act.piece and position.count(act.becomes) >= limit:
        return "promotion"
    if gate := position.plan.gated_piece(act):
        # What is left behind ends no check, nor does it shield a pin.
        without = act._replace(changes=tuple(each for each in act.changes if each != gate))
        return _fault_of_royals(position, without) or _fault_of_royals(position, act)
    return _fault_of_royals(position, act)


def _fault_of_royals(position: Position, act: EngineMove) -> str | None:
    """Why a move is illegal by what it does to royals of either side."""
    side, rules = position.turn, position.plan.rules
    barred = rules.self_check == "barred"
    if barred and position.plan.special and loses(position, side, gone(act)):
        return "self-check"
    if loses(position, 1 - side, act.captures):
        return None
    if rules.facing == "bikjang" and facing(position):
        if position.plan.is_pass(act):
            return None
        if facing(position.after(act)):
            return "facing"
    return _broken_law(position, act) or (
        "self-check" if barred and _is_exposing(position, act) else None
    )


def _broken_law(position: Position, act: EngineMove) -> str | None:
    """Why a move is illegal by rules other than those of check."""
    rules = position.plan.rules
    if rules.flight == "barred" and _flees(position, act):
        return "flight"
    if rules.no_exchange and _exchanges(position, act):
        return "exchange"
    if rules.captures_unprotected and position.is_in("captures_unprotected", act.piece):
        taken = [each for each in act.captures if position.board[each]]
        if taken and _is_retaken(position, act, []):
            return "protected"
    if rules.giving_check == "barred" and gives_check(position, act):
        return "giving-check"
    return None


def _is_exposing(position: Position, act: EngineMove) -> bool:
    """Whether a move leaves a royal of its own side open to capture, or captures it."""
    side = position.turn
    crossed = act.partner and any(in_check(each, side) for each in _crossed(position, act))
    return bool(crossed) or loses(position, side, act.captures) or leaves_open(position, act)


def _crossed(position: Position, act: EngineMove) -> Iterator[Position]:
    """The positions before a royal that castles arrives; it is not open to capture in any."""
    if not position.plan.royal[act.piece]:
        return
    yield position
    step = 1 if act.target > act.origin else -1
    for between in range(act.origin + step, act.target, step):
        # Where the partner stands on the way, it will have gone.
        taken = (between,) if position.board[between] else ()
        yield position.after(EngineMove(act.piece, act.origin, between, act.piece, taken))


def _flees(position: Position, act: EngineMove) -> bool:
    """Whether a royal in check goes away instead of capturing what gives check."""
    enemies = [each for each in position.squares_of(1 - position.turn) if each not in act.captures]
    royal = position.plan.royal[act.piece]
    return royal and any(attacks_royal(position, each) for each in enemies)


def _exchanges(position: Position, act: EngineMove) -> bool:
    """Whether a move exchanges pieces that may not be exchanged."""
    board, files = position.board, position.plan.files
    for square in act.captures:
        if not position.is_in("no_exchange", board[square]):
            continue
        if not position.is_in("no_exchange", act.piece):
            if position.exchanged not in {None, square}:
                return True
            continue
        others = [each for each in act.captures if each != square]
        steps = [
            abs(a - b)
            for a, b in zip(divmod(square, files), divmod(act.origin, files), strict=True)
        ]
        minor = all(position.is_in("no_exchange_minor", board[each]) for each in others)
        if max(steps) > 1 and minor and _is_retaken(position, act, others):
            return True
    return False


def _is_retaken(position: Position, act: EngineMove, guards: list[int]) -> bool:
    """Whether the other side could capture what moved, with the guards that it took too."""
    after = position.after(act)
    if not after.board[act.target]:
        # It has exploded, or was burnt.
        return False
    boards = [after]
    for square in guards:
        guarded = after.copy()
        if not guarded.board[square]:
            guarded.put(square, position.board[square])
            boards.append(guarded)
    return any(
        act.target in strike.captures
        for each in boards
        for square in each.squares_of(each.turn)
        for strike in strikes_of(each, square)
    )


def facing(position: Position) -> bool:
    """Whether royals of both sides face each other along an open rank or file."""
    files, board = position.plan.files, position.board
    every = [
        [cell for square in position.royals(side) for cell in position.cells(board[square], square)]
        for side in (0, 1)
    ]
    for one in every[0]:
        for other in every[1]:
            first, last = sorted((one, other))
            if first // files == last // files and not any(board[first + 1 : last]):
                return True
            if (last - first) % files == 0 and not any(board[first + files : last : files]):
                return True
    return False


def gives_check(position: Position, act: EngineMove) -> bool:
    """Whether the other side is in check after a move."""
    return in_check(position.after(act), 1 - position.turn)


def leaves_open(position: Position, act: EngineMove) -> bool:
    """Whether the mover's royals could be captured after a move."""
    return in_check(position.after(act), position.turn)

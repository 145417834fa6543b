"""All moves, those that are legal, and how many sequences of them there are."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.compiled_variant import EngineMove
from slow_engine.drops import BREAKS
from slow_engine.effects import choices, promotions, with_effects
from slow_engine.moves import acts_of, may_become
from slow_engine.position import Position
from slow_engine.rules import fault, gives_check, in_check, lost_by

# The order in which rules for drops are looked at; where a drop changes more than its square, what
# royals have to do with it comes after what does not.
PLAIN = (
    *("file", "drop-check", "drop-mate", "drop-place", "drop-colour"),
    *("facing", "giving-check", "self-check"),
)
CHANGING = (
    *("file", "drop-place", "drop-colour"),
    *("facing", "drop-check", "giving-check", "self-check", "drop-mate"),
)


def moves_from(position: Position, square: int) -> Iterator[tuple[EngineMove, str | None]]:
    """All that the piece on a square could do, each with why it is illegal."""
    return _moves(position, square, checked=False)


def _moves(
    position: Position, square: int, *, checked: bool
) -> Iterator[tuple[EngineMove, str | None]]:
    apart = position.plan.promotes_as_separate_move[position.board[square]]
    for plain in acts_of(position, square, checked=checked):
        # What promotes without a move of what it was uncovers no check.
        promoting = apart and plain.becomes != plain.piece
        if promoting and not (may_become(position, plain) and not gives_check(position, plain)):
            yield plain, "promotion"
            continue
        whole = with_effects(position, plain) if position.plan.special else plain
        for form in promotions(position, whole):
            built = [*choices(position, form)]
            yield from ((act, fault(position, act)) for act in built)
            if not built:
                yield form, "wall"


def drops_onto(
    position: Position, piece: int, square: int
) -> Iterator[tuple[EngineMove, str | None]]:
    """The drop of a piece on a free square with all that it may build, each with what bars it."""
    act = EngineMove(piece, -1, square, piece)
    order = CHANGING if position.plan.special else PLAIN
    whole = with_effects(position, act) if position.plan.special else act
    built = [*choices(position, whole)]
    for each in built:
        yield each, next((code for code in order if _breaks(position, each, code)), None)
    if not built:
        yield whole, "wall"


def _breaks(position: Position, act: EngineMove, code: str) -> bool:
    return _mates(position, act) if code == "drop-mate" else BREAKS[code](position, act)


def _mates(position: Position, act: EngineMove) -> bool:
    """Whether a drop gives mate that may not."""
    if "drop-mate" not in position.plan.drop_rules[act.piece]:
        return False
    after = position.after(act)
    return in_check(after, after.turn) and not any(True for _ in _by_rules(after))


def in_hand(position: Position) -> list[int]:
    """The pieces that the side to move may put down."""
    compiled, side = position.plan, position.turn
    if compiled.rules.drops == "no":
        return []
    hand = (
        compiled.is_dropped_from_nowhere if compiled.rules.drops == "free" else position.hands[side]
    )
    found = [piece for kind, piece in compiled.kind_and_dropped_piece_pairs[side] if hand[kind]]
    return [*dict.fromkeys(found)]


def _by_rules(position: Position) -> Iterator[EngineMove]:
    """The moves and drops that break no rule of their own."""
    compiled, side = position.plan, position.turn
    unchecked = any(each.unchecked for kind in compiled.kinds for each in kind.further)
    checked = unchecked and in_check(position, side)
    setting_up = compiled.rules.drops_first == "yes" and any(position.hands[side])
    for square in [] if setting_up else position.squares_of(side):
        for act, code in _moves(position, square, checked=checked):
            if code is None:
                yield act
    for piece in in_hand(position):
        for square in compiled.drop_squares(piece):
            free = not any(position.board[cell] for cell in position.cells(piece, square))
            for act, code in drops_onto(position, piece, square) if free else ():
                if code is None:
                    yield act


def legal_acts(position: Position) -> list[EngineMove]:
    """All legal moves, by square, then drops by kind and square."""
    rules, found = position.plan.rules, [*_by_rules(position)]
    if rules.must_capture == "yes":
        found = [act for act in found if act.captures] or found
    if not found and rules.passes == "stuck":
        return _passing(position)
    return found


def _passing(position: Position) -> list[EngineMove]:
    """The pass of a side without another move, none in check: told by its first piece."""
    side = position.turn
    own = position.royals(side) or position.squares_of(side)
    if not own or in_check(position, side):
        return []
    piece = position.board[own[0]]
    return [EngineMove(piece, own[0], own[0], piece)]


def perft(position: Position, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves; the loss of a royal ends one."""
    acts = legal_acts(position)
    return len(acts) if depth == 1 else sum(divide(position, acts, depth))


def divide(position: Position, acts: list[EngineMove], depth: int) -> list[int]:
    """`perft`, for each of these moves, 2 deep at least."""
    return [
        0 if lost_by(position, act) is not None else perft(position.after(act), depth - 1)
        for act in acts
    ]

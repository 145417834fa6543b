"""The terms of a position: how they are numbered, and those of chess as python-chess has them."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chess

import alfil
from alfil.game.compiled_variant import CompiledVariant, compile_variant
from alfil.play.evaluation_terms import ATTACKS, KIND_TERMS, TermNumbers  # what is compared
from alfil.play.opponent import (  # what self-play goes by
    PieceValues,
    default_value_table,
    term_table,
)
from alfil.play.self_play import (  # whose rows have the terms
    ROW_HEADER_LENGTH,
    ROW_MEN,
    SelfPlaySettings,
    play_games,
    row_starts,
)
from alfil.workbench.learn_square_values import material_by_kind  # of how much material they are

ENGINE = Path(alfil.__file__).parent / "engine" / "terms.c"
# The first terms of a kind in the engine, by their names here.
FIRST_TERMS = {
    "moves": "MOVES",
    "zone": "ZONE",
    "own-royal": "OWN_ROYAL",
    "other-royal": "OTHER_ROYAL",
    "count": "COUNT",
    "held": "HELD",
    "structure": "ISOLATED",
    "passed": "PASSED",
    "passed-own-royal": "PASSED_OWN_ROYAL",
    "passed-other-royal": "PASSED_OTHER_ROYAL",
    "passed-stop": "PASSED_STOP",
    "checks": "CHECKS",
    "drop-checks": "DROP_CHECKS",
    ATTACKS: "ATTACK",
}
CODES = "KQRBNP"
Term = tuple[str, str, int]


def test_terms_are_numbered_as_in_the_engine() -> None:
    found = dict(re.findall(r"(\w+)_TERM = (\d+)", ENGINE.read_text(encoding="utf-8")))
    runs = [run for run in TermNumbers(3).term_ranges() if run.kind == 0]
    assert [run.name for run in runs] == [*KIND_TERMS, ATTACKS]
    assert {run.name: run.numbers[0] for run in runs} == {
        name: int(found[first]) for name, first in FIRST_TERMS.items()
    }
    assert TermNumbers(3).count == max(run.numbers[-1] for run in TermNumbers(3).term_ranges()) + 1


def self_play_rows(compiled: CompiledVariant, games: int) -> Iterator[list[int]]:
    """Rows of some games, with their terms."""
    known = PieceValues(compiled, 0, noise=0)
    terms = term_table(compiled, material_by_kind(compiled, known), array("i"))
    values = default_value_table(compiled, known)._replace(terms=terms)
    settings = SelfPlaySettings(depth=1, kept_of=1, usual_of=1, with_terms=True, seed=5)
    rows = play_games(compiled.variant, values, settings, range(games)).rows
    for at in row_starts(rows):
        yield list(rows[at : at + rows[at]])


def test_terms_of_chess_are_those_of_python_chess() -> None:
    compiled = compile_variant(alfil.load("chess").variant)
    worth = dict(
        zip(
            CODES,
            (
                10**9 if compiled.royal[1 + 2 * kind] else amount
                for kind, amount in enumerate(
                    material_by_kind(compiled, PieceValues(compiled, 0, noise=0))
                )
            ),
            strict=True,
        )
    )
    names = [
        (CODES[run.kind] if run.kind is not None else "*", run.name, place)
        for run in TermNumbers(len(CODES)).term_ranges()
        for place, _ in enumerate(run.numbers)
    ]
    compared = 0
    for row in self_play_rows(compiled, 12):
        end = ROW_HEADER_LENGTH + row[ROW_MEN]
        board = board_of(row[ROW_HEADER_LENGTH:end], compiled)
        found: dict[bool, Counter[Term]] = {True: Counter(), False: Counter()}
        for term in row[end:]:
            found[term > 0][names[abs(term) - 1]] += 1
        for side in (True, False):
            assert found[side] == Counter(chess_terms(board, side, worth)), (board.fen(), side)
        compared += 1
    assert compared > 300


def board_of(men: list[int], compiled: CompiledVariant) -> chess.Board:
    board = chess.Board(None)
    for man in men:
        piece, square = divmod(man, compiled.size)
        kind, side = divmod(piece - 1, 2)
        board.set_piece_at(square, chess.Piece.from_symbol(CODES[kind].lower()), promoted=False)
        if not side:
            board.set_piece_at(square, chess.Piece.from_symbol(CODES[kind]))
    return board


def chess_terms(board: chess.Board, side: chess.Color, worth: dict[str, int]) -> Iterator[Term]:
    """The terms of a side, in words of python-chess."""
    own_king, other_king = board.king(side), board.king(not side)
    assert own_king is not None
    assert other_king is not None
    yield from danger_terms(board, side, worth)
    for square, piece in board.piece_map().items():
        if piece.color != side:
            continue
        code = piece.symbol().upper()
        yield from reach_terms(board, square, worth)
        if square != own_king:
            yield code, "own-royal", chess.square_distance(square, own_king) - 1
        yield code, "other-royal", chess.square_distance(square, other_king) - 1
        if code == "P":
            yield from structure_terms(board, square)
    for kind, code in enumerate("PNBRQK", 1):
        if count := len(board.pieces(kind, side)):
            yield code, "count", min(count, 8) - 1


def danger_terms(board: chess.Board, side: chess.Color, worth: dict[str, int]) -> Iterator[Term]:
    """The terms of the king of a side, and of what attacks the squares beside it."""
    king = board.king(side)
    assert king is not None
    others = [q for q, piece in board.piece_map().items() if piece.color != side]
    attackers = min(
        7, sum(any(t[1] == "zone" for t in reach_terms(board, q, worth)) for q in others)
    )
    weak = sum(
        bool(board.attackers(not side, q)) and not board.attackers(side, q) - {king}
        for q in chess.SquareSet(chess.BB_KING_ATTACKS[king]) | {king}
    )
    weak = min(7, weak)
    yield "*", "attackers", attackers
    yield "*", "weak", weak
    yield "*", "danger", 8 * weak + attackers
    checks = min(7, sum(safe_checks(board, q) for q in others))
    yield "*", "safe-checks", 8 * checks + attackers


def safe_checks(board: chess.Board, square: int) -> int:
    """To how many squares a piece may go and check, with nothing to capture it there but the king,
    if another piece guards the square."""
    piece = board.piece_at(square)
    assert piece
    king = board.king(not piece.color)
    assert king is not None
    found = 0
    for target in moves_of(board, square):
        after = board.copy(stack=False)
        after.set_piece_at(target, piece)
        guards = board.attackers(not piece.color, target)
        helped = board.attackers(piece.color, target)
        safe = not guards or (
            set(guards) == {king} and (len(helped) > 1 or board.king(piece.color) in helped)
        )
        found += safe and king in after.attacks(target)
    return found


def moves_of(board: chess.Board, square: int) -> chess.SquareSet:
    """Where a piece goes by its moves alone, en passant and castling left out."""
    piece = board.piece_at(square)
    assert piece
    own, others = board.occupied_co[piece.color], board.occupied_co[not piece.color]
    attacks = board.attacks(square)
    if piece.piece_type != chess.PAWN:
        return attacks & ~own
    step = 8 if piece.color else -8
    moves = attacks & others
    if not board.piece_at(square + step):
        moves.add(square + step)
        first = chess.square_rank(square) == (1 if piece.color else 6)
        if first and not board.piece_at(square + 2 * step):
            moves.add(square + 2 * step)
    return moves


def reach_terms(board: chess.Board, square: int, worth: dict[str, int]) -> Iterator[Term]:
    piece = board.piece_at(square)
    assert piece
    code = piece.symbol().upper()
    king = board.king(not piece.color)
    assert king is not None
    moves = 0
    for target in moves_of(board, square):
        guards = board.attackers(not piece.color, target)
        cheapest = min((worth[board.piece_at(q).symbol().upper()] for q in guards), default=10**9)  # type: ignore[union-attr]
        moves += 4 * cheapest >= 3 * worth[code]
        victim = board.piece_at(target)
        if victim:
            kind = CODES.index(victim.symbol().upper())
            yield code, ATTACKS, 2 * kind + bool(guards)
    yield code, "moves", min(moves, 31)
    near = sum(chess.square_distance(q, king) <= 1 for q in board.attacks(square))
    if near:
        yield code, "zone", min(near, 3)
    if checks := safe_checks(board, square):
        yield code, "checks", min(checks, 4) - 1


def structure_terms(board: chess.Board, square: int) -> Iterator[Term]:
    piece = board.piece_at(square)
    assert piece
    side = piece.color
    own = board.pieces(chess.PAWN, side)
    file, rank = chess.square_file(square), chess.square_rank(square)
    ahead = 1 if side else -1
    beside = [q for q in own if abs(chess.square_file(q) - file) == 1]
    if not beside:
        yield "P", "structure", 0
    if sum(chess.square_file(q) == file for q in own) > 1:
        yield "P", "structure", 1
    if any(chess.square_rank(q) in {rank, rank - ahead} for q in beside):
        yield "P", "structure", 2
    if board.piece_at(square + 8 * ahead):
        yield "P", "structure", 3
    stopped = any(
        abs(chess.square_file(q) - file) <= 1 and (chess.square_rank(q) - rank) * ahead > 0
        for q in board.pieces(chess.PAWN, not side)
    )
    if not stopped:
        yield from passed_terms(board, square)


def passed_terms(board: chess.Board, square: int) -> Iterator[Term]:
    piece = board.piece_at(square)
    assert piece
    side, stop = piece.color, square + (8 if piece.color else -8)
    rank = chess.square_rank(square) if side else 7 - chess.square_rank(square)
    yield "P", "passed", rank
    left = min(7 - rank, 6) - 1
    for name, king in (("own", board.king(side)), ("other", board.king(not side))):
        assert king is not None
        yield "P", f"passed-{name}-royal", 8 * left + chess.square_distance(stop, king)
    blocker = board.piece_at(stop)
    state = 3
    if blocker:
        state = 3 if blocker.color == side else 0
    elif board.attackers(not side, stop):
        state = 2 if board.attackers(side, stop) else 1
    yield "P", "passed-stop", 4 * left + state

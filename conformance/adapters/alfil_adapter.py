"""alfil answers."""

from __future__ import annotations

from serving import Answer, Case, pieces, serve

import alfil


def answer(case: Case) -> Answer:
    """All moves of the piece, with what they capture."""
    board = case.get("board", {})
    try:
        piece = alfil.read(case["text"], case["dialect"])
        found = alfil.moves(
            piece,
            radius=7,
            enemies=pieces(case, "enemies"),
            friends=pieces(case, "friends"),
            enemy_royals=pieces(case, "enemy_royals"),
            unmoved_friends=pieces(case, "unmoved_friends"),
            unmoved=board.get("moves_made") == 0,
            moves_made=board.get("moves_made"),
        )
    except alfil.AlfilError as error:
        return {"refused": error.diagnostics[0].message}
    moves = {(move.to, tuple(sorted(move.captures))) for move in found}
    return {"moves": [{"to": to, "captures": captures} for to, captures in sorted(moves)]}


if __name__ == "__main__":
    serve(answer)

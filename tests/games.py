"""Games put together by hand, for rules and pieces that no bundled game has."""

from __future__ import annotations

import alfil
from alfil.game.variant import Kind, Placed, Rules, Variant  # plain data: odd games

SHOGI_RULES: dict[str, object] = {"captured": "to-hand", "drops": "yes", "stalemate": "loss"}


def kind(code: str, move: str, **fields: object) -> Kind:
    """One kind; ``move`` is Betza, or Ħasínū after "hasinu:"."""
    notation, _, text = move.rpartition(":")
    piece = alfil.read(text, notation=notation or "betza")
    fields = {"letter": code, "base": code, "name": f"piece {code}", **fields}
    return Kind(code=code, piece=piece, **fields)  # type: ignore[arg-type]


def game(
    rows: str, kinds: list[Kind], *, files: int = 0, ranks: int = 0, **rules: object
) -> Variant:
    """A game; ``rows`` are the first side's, split by "/", the second side stands opposite.

    The board is a square as wide as the rows unless its size is given.
    """
    lines = [row.split() for row in rows.split("/")]
    files = files or len(lines[0])
    ranks = ranks or files
    placed = []
    for up, line in enumerate(reversed(lines)):
        for file, code in enumerate(line):
            if code != ".":
                placed.append(Placed((file, up), 0, code))
                placed.append(Placed((file, ranks - 1 - up), 1, code))
    return Variant("made up", "made up", files, ranks, Rules(**rules), tuple(kinds), tuple(placed))


KING = kind("K", "K", royal=True)
LION = "KNADcaKmcabK"

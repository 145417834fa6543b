"""Fairy-Stockfish answers, by its Python build: custom pieces on 12 files and 10 ranks."""

from __future__ import annotations

import pyffish
from serving import Answer, Case, pieces, serve

FILES, RANKS, AT = 12, 10, (5, 4)
WINDOW = [-AT[0], -AT[1], FILES - 1 - AT[0], RANKS - 1 - AT[1]]
READ = frozenset({"betza", "fairy-stockfish"})
LETTERS = "abcdefghijkl"


def answer(case: Case) -> Answer:
    """Where the program lets the piece go; it makes something of every text."""
    if case["dialect"] not in READ or set("\n;#") & set(case["text"]):
        return {"skipped": f"it has no {case['dialect']}"}
    friends = pieces(case, "friends")
    enemies = pieces(case, "enemies")
    told = case.get("board", {})
    if told.get("enemy_royals") or told.get("unmoved_friends"):
        return {"skipped": "royals and castling are rules of its variants"}
    left, back, right, ahead = WINDOW
    if not all(left <= x <= right and back <= y <= ahead for x, y in [*friends, *enemies]):
        return {"skipped": "a piece stands outside its board"}
    name = f"case{case['id'].replace('-', '')}"
    pyffish.load_variant_config(_variant(name, case["text"], new=told.get("moves_made") == 0))
    ends = []
    for move in pyffish.legal_moves(name, _board(friends, enemies), []):
        digits = next(at for at in range(1, len(move)) if move[at].isalpha())
        file, rank = LETTERS.index(move[digits]), int(move[digits + 1 :]) - 1
        ends.append([file - AT[0], rank - AT[1]])
    return {"ends": ends, "window": WINDOW}


def _variant(name: str, text: str, *, new: bool) -> str:
    region = " ".join(f"*{rank}" for rank in range(1, RANKS + 1)) if new else "-"
    return (
        f"[{name}]\nmaxFile = {FILES}\nmaxRank = {RANKS}\npawnTypes = -\nking = -\nimmobile = z\n"
        f"castling = false\npromotionPieceTypes = -\ndoubleStep = true\n"
        f"doubleStepRegionWhite = {region}\ndoubleStepRegionBlack = {region}\n"
        f"customPiece1 = a:{text}\n"
    )


def _board(friends: list[tuple[int, int]], enemies: list[tuple[int, int]]) -> str:
    placed = {AT: "A"}
    placed |= {(AT[0] + x, AT[1] + y): "Z" for x, y in friends}
    placed |= {(AT[0] + x, AT[1] + y): "z" for x, y in enemies}
    rows = []
    for rank in reversed(range(RANKS)):
        signs = "".join(placed.get((file, rank), ".") for file in range(FILES))
        for gap in range(FILES, 0, -1):
            signs = signs.replace("." * gap, str(gap))
        rows.append(signs)
    return f"{'/'.join(rows)} w - - 0 1"


if __name__ == "__main__":
    serve(answer)

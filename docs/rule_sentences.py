"""A sentence for every value of every rule of piece files; words in braces are filled in."""

from __future__ import annotations

from typing import TypeAlias

Sentences: TypeAlias = dict[str, dict[str, str]]

TURN: Sentences = {
    "first": {
        "black": "Black moves first, and is at the bottom in diagrams. The players alternate.",
        "white": "White moves first, and is at the bottom in diagrams. The players alternate.",
    },
    "captured": {
        "removed": "A captured piece is out of the game.",
        "to-hand": "A captured piece goes to the hand of its capturer, as a piece of that side.",
    },
    "captured-form": {
        "base": "There it is again what it was before any promotion{bases}.",
        "as-is": "There it stays what it was on the board, promoted or not.",
    },
    "illegal-move": {
        "rejected": "An illegal move is not made; the player makes another.",
        "loss": "A player who makes an illegal move loses the game. alfil refuses the move and"
        " changes nothing, unless a game is adjudicated.",
    },
}
PROMOTION: Sentences = {
    "promotion-when": {
        "touches": "A piece promotes with a move that begins or ends in the zone.",
        "ends": "A piece promotes with a move that ends in the zone.",
        "captures": "A piece promotes with a capture.",
        "always": "A piece promotes with any move.",
    },
}
DROPS: Sentences = {
    "drops": {
        "no": "Pieces are not dropped.",
        "yes": "Instead of moving, a player may put a piece from hand on an empty square. A drop"
        " does not capture.",
    },
    "drop-form": {
        "base": "It is put down unpromoted.",
        "either": "It is put down unpromoted or promoted, as the player likes.",
    },
}
ENDS: Sentences = {
    "royal-lost": {
        "any": "A side loses its royal pieces with the first of them.",
        "all": "A side loses its royal pieces with the last of them.",
    },
    "self-check": {
        "barred": "A move or drop that leaves or puts one's own {royal} in check is illegal.",
        "allowed": "A player may leave the own {royal} in check.",
    },
    "stalemate": {
        "draw": "If the side to move is not in check and has no legal move, the game is a draw.",
        "loss": "If the side to move is not in check and has no legal move, it loses.",
        "win": "If the side to move is not in check and has no legal move, it wins.",
    },
    "perpetual-check": {
        "allowed": "Perpetual check is nothing special.",
        "loss": "A side that gave check with all its moves between these occurrences loses instead,"
        " unless both did.",
        "draw": "If one side gave check with all its moves between these occurrences, the game is a"
        " draw.",
    },
    "perpetual-span": {
        "first": "For that, the moves since the first occurrence count.",
        "last": "For that, the moves since the occurrence before count.",
    },
    "impasse-needs": {
        "nothing": "That may be done in any position.",
        "royals-in-zone": "That may be done only while the royal pieces of both sides stand in"
        " their promotion zones.",
    },
}
MATCH: Sentences = {
    "match-draw": {
        "breaks": "A drawn game ends a run of wins.",
        "ignored": "A drawn game counts for nothing.",
    },
    "match-first": {
        "alternate": "The players change sides after every game, drawn games too.",
        "fixed": "The players keep their sides.",
    },
}
WINS = {
    "mate": "A side in check that has no legal move is mated and loses.",
    "royal-capture": "Capturing the {royal} wins.",
    "goal": "Reaching the goal wins.",
    "checks": "Giving check for the {ordinal} time wins.",
    "bare": "A side that has nothing but its {royal} left, on the board and in hand, loses.",
}
REPETITIONS = {
    "draw": "the game is a draw",
    "loss-first": "the side that moved first in the game loses",
    "loss-repeater": "the side whose move repeated the position loses",
}
MODES = {
    "optional": "may promote",
    "forced": "must promote",
    "stuck": "may promote, and must where it could never move again",
}

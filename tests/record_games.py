"""Games in which moves are hard to tell apart in writing."""

from __future__ import annotations

from functools import cache

import alfil
from inside import Variant

# Lions and pieces that capture on the way, or without leaving their square; optional promotion.
LIONS = """game "Lions"
board 7x7
rule first = {first}
rule win = royal-capture
zone promotion ranks=2
piece K "king" betza=K royal
piece LN "lion" betza=KNADcaKmcabK letter=L
piece I "igui" betza=cabKmQ letter=I
piece F "fire" betza=caQcabK letter=F promotes=+F
piece +F "great fire" betza=KcafK
setup
| LN I F K F I LN |
"""

# Castling to squares that the king could also step to; several promoted forms.
CASTLES = """game "Castles"
board 8x8
rule first = white
rule win = mate
zone promotion ranks=1
rule promotion-when = ends
piece K "king" betza=KisO3isO2isO1 royal
piece R "rook" betza=R
piece P "pawn" betza=fmWfcFifmnD promotes=R,Q forced
piece Q "queen" betza=Q
setup mirrored
| P P P P P P P P |
| R . . . K . . R |
"""

# Codes that begin other codes, end in a sign of moves, or differ in case only; two-letter squares.
CODES = """game "Codes"
board 26x28
rule captured = to-hand
rule drops = yes
rule first = {first}
zone promotion ranks=28
rule promotion-when = always
rule drop-form = either
rule win = royal-capture
rule self-check = allowed
piece K "king" betza=K royal
piece LN "lion" betza=KNADcaKmcabK letter=L
piece N "knight" betza=N promotes=+N,M
piece +N "flyer" betza=cabKmcaQ
piece M "man" betza=WA letter=Q
piece N2 "two" betza=N letter=M
piece n "small" betza=A letter=O
piece R- "dash" betza=R letter=R
piece R "rook" betza=mRcpR letter=T
piece x "cross" betza=FyafsF letter=X
piece Rx "cross rook" betza=WcabW letter=Y
setup
| . K . LN LN N N R- R- R R x x Rx Rx . n n N N N N N N N N |
"""


@cache
def variant(text: str) -> Variant:
    """The game of a piece file."""
    return alfil.loads(text).variant


@cache
def bundled(name: str) -> Variant:
    """A bundled game."""
    return alfil.load(name).variant


def hard_games() -> dict[str, Variant]:
    """All of them, and three that people play."""
    made = {
        f"{name} {first}": variant(text.format(first=first))
        for name, text in (("lions", LIONS), ("codes", CODES))
        for first in ("black", "white")
    }
    known = {name: bundled(name) for name in ("hand_shogi", "shogi", "chess")}
    return made | known | {"castles": variant(CASTLES)}

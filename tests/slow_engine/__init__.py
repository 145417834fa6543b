"""The rules of games once more, slow and simple: a second opinion on what the engine says.

Nothing is kept here but which squares are taken up, and nothing is read off lines. What a piece may
do is walked over its moves every time, a royal is in check if any piece of the other side could
capture it, and a move is legal if the rules allow the position after it. Only the layout of a game
in numbers, with its tables and automata, is that of alfil; other tests compare that with the
notations.
"""

from slow_engine.lists import divide, drops_onto, in_hand, legal_acts, moves_from, perft
from slow_engine.position import Position, same_as
from slow_engine.ranges import is_frozen
from slow_engine.results import Line, Result
from slow_engine.rules import attacks_royal, facing, in_check, lost_by

__all__ = ["Line", "Position", "Result"]
__all__ += ["attacks_royal", "divide", "drops_onto", "facing", "in_check", "in_hand"]
__all__ += ["is_frozen", "legal_acts", "lost_by", "moves_from", "perft", "same_as"]

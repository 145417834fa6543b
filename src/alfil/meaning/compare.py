"""Whether two meanings are the same piece."""

from __future__ import annotations

from alfil.meaning.inclusion import PROOF_BUDGET, contests, proved
from alfil.meaning.piece import Meaning


def same_meaning(left: Meaning, right: Meaning, budget: int = PROOF_BUDGET) -> bool:
    """Whether two meanings are the same piece on every board up to the largest.

    Equal automata are the same piece. Different ones may be too: a lame leap beside the free one
    adds nothing, and a path may ask for what no board can hold. So each must have all the moves of
    the other, as for `contains`; like that it is never yes by mistake, and for pieces that roam
    freely two descriptions of one area may be called different. ``budget`` is the work that a proof
    may take.
    """
    if left == right:
        return True
    if left.facts != right.facts:
        return False
    return proved(lambda: [each for pair in contests(left, right) for each in pair], budget)

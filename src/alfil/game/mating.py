"""Forced mates: a move after which every reply leads to mate."""

from __future__ import annotations

from alfil.game.position import Act
from alfil.game.walking import Walker


class _OutOfNodes(Exception):
    """No error: the search has made all the moves it may."""


def mating_act(walk: Walker, plies: int, nodes: int, *, checks: bool = False) -> Act | None:
    """A move that mates in so many plies at most, an odd number, whatever the replies.

    With ``checks`` only moves that give check are looked at for the side that mates. None where
    there is no such mate, or where it was not found in making so many moves (``nodes``). What wins
    as a mate does, such as taking a royal or a goal reached, counts as one.
    """
    try:
        return _Mating(walk, walk.nodes + nodes, checks=checks).attack(plies)
    except _OutOfNodes:
        return None


class _Mating:
    """One search; it leaves its walk where it was, found or not."""

    def __init__(self, walk: Walker, last: int, *, checks: bool) -> None:
        self._walk = walk
        self._last = last
        self._checks = checks
        # By number of plies to mate, the reply that stood up to the last move tried: it often
        # stands up to the next one too.
        self._refutations: dict[int, Act] = {}

    def attack(self, plies: int) -> Act | None:
        """A move of the side to move that mates."""
        acts = self._walk.acts()
        checking = self._walk.checks(acts)
        for act in checking:
            if self._mates(act, 1):
                return act
        if plies == 1:
            return None
        known = set(checking)
        quiet = [] if self._checks else [act for act in acts if act not in known]
        for act in checking + quiet:
            if self._mates(act, plies):
                return act
        return None

    def _mates(self, act: Act, plies: int) -> bool:
        """Whether a move mates at once, or every reply can be answered by what mates in time."""
        walk = self._walk
        if walk.nodes >= self._last:
            raise _OutOfNodes
        walk.make(act)
        try:
            if walk.ended:
                return True
            replies = walk.acts()
            if not replies:
                return walk.stuck() < 0
            return plies > 1 and all(self._answered(r, plies) for r in self._likely(replies, plies))
        finally:
            walk.unmake()

    def _answered(self, reply: Act, plies: int) -> bool:
        """Whether what mates in two plies less follows a reply."""
        walk = self._walk
        walk.make(reply)
        try:
            if not walk.ended and self.attack(plies - 2) is not None:
                return True
            self._refutations[plies] = reply
            return False
        finally:
            walk.unmake()

    def _likely(self, replies: list[Act], plies: int) -> list[Act]:
        """The replies, the one that last stood up to a move first."""
        known = self._refutations.get(plies)
        return [known, *replies] if known in replies else replies

"""Every combination of two rules on a small board with drops: games by lot, compared with the
slow engine.

The values are those of the rule table; rules whose values are their own have examples here.
"""

from __future__ import annotations

import random
from itertools import combinations

import alfil
from agreeing import refused, walk
from alfil.game.rule_table import RULES  # the table of rules, which no answer tells
from strategies import NIGHTLY

OWN = {
    "zone": ("promotion ranks=2",),
    "no-exchange": ("N",),
    "no-exchange-minor": ("P",),
    "captures-unprotected": ("K",),
    "contagion": ("N:R,R:N",),
    "bare-minor": ("P",),
    "goal": ("K 3-4", "P 5"),
    "extinction": ("all loss", "each win", "N,R draw", "all:2 loss"),
    "draw-odds": ("first", "points"),
    "move-limit": ("4 P",),
    "countdown": ("all:3", "1:2,all:6"),
    "countdown-without": ("P",),
    "repetition": ("2 draw", "2 loss-first", "2 loss-repeater"),
    "impasse": ("points 3 3",),
    "match": ("best-of 3",),
}
# What a rule is of no use without.
NEEDED = {
    "goal": ("rule goal = K 4", "rule win = mate,goal"),
    "bare": ("rule win = mate,bare",),
}
FILE = """board 5x5
rule first = white
rule captured = to-hand
rule drops = yes
piece K "king" betza=K royal
piece N "knight" betza=N
piece R "rook" betza=R
piece P "pawn" betza=fmWfcF promotes=R
zone promotion ranks=1
setup mirrored
| P . . . P |
| N R K . N |
hand P N
"""


def settings() -> list[tuple[str, str]]:
    """All rules with each of their values but the one that holds anyway."""
    found = []
    for row in RULES:
        name = row.name
        values = OWN.get(name, row.values[1:] if row.cardinality == "one" else row.values)
        found += [(name, value) for value in values]
    return found


def file_of(*chosen: tuple[str, str]) -> str:
    """The game with some rules; a rule that stands in it already is changed."""
    lines, said = FILE.splitlines(), dict(chosen)
    for name, value in chosen:
        if name == "zone":
            lines = [each for each in lines if not each.startswith("zone")] + [f"zone {value}"]
            continue
        amount = ":2" if (name, value) == ("win", "checks") else ""
        more = [f"rule {name} = {value}{amount}"]
        if (name == "win" and value in ("goal", "bare")) or name in ("goal", "bare"):
            more += [each for each in NEEDED.get(name, ()) if each.split()[1] not in said]
        lines = [each for each in lines if not each.startswith(f"rule {name} ")]
        lines[1:1] = more
    return "\n".join(lines) + "\n"


PAIRS = [(one, other) for one, other in combinations(settings(), 2) if one[0] != other[0]]


def test_games_of_two_rules_are_those_of_the_slow_engine() -> None:
    pairs = PAIRS if NIGHTLY else random.Random(32).sample(PAIRS, 16)
    played = 0
    for one, other in pairs:
        try:
            library = alfil.loads(file_of(one, other))
            library.game()
        except alfil.AlfilError:
            continue
        if refused(library.variant):
            continue
        played += 1
        for seed in range(3):
            walk(library.game(), random.Random(seed), 12, every=4)
    assert played > len(pairs) // 2

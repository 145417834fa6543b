"""Whether memory grows while the computer plays itself for hours, in one process.

ALFIL_HOURS says how long, an hour where it does not. Every bundled game and a dozen of
tests/variants/ are played in turn. Each minute is a line of build/bench/endurance.log: what was
played, what the process holds in memory, how many objects.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import monotonic

import alfil
from alfil import Opponent
from alfil.game.variant import Variant
from alfil.play.game import Game
from benchmarks.figures import Figure
from benchmarks.measure import BUILD, HOME

LOG = BUILD / "endurance.log"
# Beside what is bundled: walls, hands, gates, flights, large pieces and goals of other kinds.
VARIANTS = """
    caparandom chigorin courier gustav3 isolation janggimodern joust kyotoshogi petrified shako
    snailtrail tencubed
"""
# Positions that are looked at for a move.
NODES = 2_000
# A game that goes on is left after so many moves; on a board as large as taikyoku's, after fewer.
LONGEST, SQUARES = 150, 20_000
MINUTE = 60.0
DOES = (
    "{hours:.1f} hours, {games} games, {moves} moves of {kinds} games in turn, in one process; the"
    " memory it holds at the end beside {rounds}"
)


def measured() -> Iterator[Figure]:
    """Memory at the end beside memory when every game had been played twice."""
    until = monotonic() + 3600 * float(os.environ.get("ALFIL_HOURS", "1"))
    games = bundled() + [
        HOME / "tests" / "variants" / f"{name}.pieces" for name in VARIANTS.split()
    ]
    begun, minute = monotonic(), 0.0
    moves = played = first = 0
    LOG.parent.mkdir(parents=True, exist_ok=True)
    LOG.write_text("", encoding="utf-8")
    for number in count():
        if number == 2 * len(games):
            first = resident()
        for now in play(alfil.load(games[number % len(games)]).variant, number):
            moves += 1
            if monotonic() - minute >= MINUTE:
                minute = monotonic()
                note(f"{minute - begun:7.0f} s {number:6} games {moves:8} moves {state()} {now}")
            if monotonic() > until:
                break
        played += 1
        if monotonic() > until:
            break
    note(f"{monotonic() - begun:7.0f} s {played:6} games {moves:8} moves {state()} the end")
    yield Figure(
        what="memory after hours of play",
        value=resident(),
        unit="MB",
        peer="after two rounds" if first else "",
        beside=first or None,
        at_most=True,
        does=DOES.format(
            hours=(monotonic() - begun) / 3600,
            games=played,
            moves=moves,
            kinds=len(games),
            rounds="that when each had been played twice" if first else "nothing yet",
        ),
    )


def bundled() -> list[Path]:
    """The bundled files in which there is a game."""
    paths = sorted((HOME / "pieces").glob("*.pieces"))
    return [path for path in paths if alfil.load(path).setup]


def play(variant: Variant, seed: int) -> Iterator[str]:
    """One game against itself: a word on it after every move."""
    game = Game(variant)
    player = Opponent(variant, nodes=NODES, seed=seed)
    most = min(LONGEST, SQUARES // (variant.files * variant.ranks))
    while game.outcome() is None and len(game.moves) < most:
        game.push(player.choose(game))
        yield variant.name


def state() -> str:
    """What the process holds."""
    return f"{resident():5} MB {len(gc.get_objects()):8} objects"


def resident() -> int:
    """The memory of this process that is in use, in megabytes; 0 where that cannot be known."""
    pages = Path("/proc/self/statm")
    if not pages.exists():
        return 0
    return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def note(line: str) -> None:
    """Write a line of the log."""
    with LOG.open("a", encoding="utf-8") as log:
        log.write(line + "\n")

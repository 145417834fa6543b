"""The oracle's games as alfil's: a piece file from the oracle's kinds (in Betza) and rules."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache

import alfil
import games
from inside import Variant
from oracle.games import definition
from oracle.games.text import read


def variant_of(game: definition.Game) -> Variant:
    """The same game for the engine.

    What a captured piece turns back to is the oracle's word, and no file limits moves alone.
    """
    board = f'game "{game.name}"\nboard {game.files}x{game.ranks}\n'
    lines = "\n".join([*map(line_of, game.kinds), *setup_of(game)])
    made = alfil.loads(board + rules_of(game.rules) + lines, name=game.name).variant
    kinds = [
        replace(ours, base=theirs.unpromoted, per_file_on=frozenset(theirs.per_file_on))
        for ours, theirs in zip(made.kinds, game.kinds, strict=True)
    ]
    return replace(made, kinds=tuple(kinds))


def line_of(kind: definition.Kind) -> str:
    """One kind of piece."""
    return games.kind(
        kind.code,
        kind.betza,
        letter=kind.symbol,
        royal=kind.royal,
        promotes=kind.promotes,
        promotion=kind.promotion,
        drop_ranks=kind.drop_ranks,
        drop_check=kind.drop_check,
        drop_mate=kind.drop_mate,
        per_file=kind.per_file,
    )


def setup_of(game: definition.Game) -> list[str]:
    """What stands on the board and lies in the hands, each side as its player sees it."""
    start = read(game, game.start)
    lines = []
    for side, name in enumerate(("first", "second")):
        lines.append(f"setup {name}")
        for up in range(game.ranks):
            row = [start.board.get((file, up), (1 - side, "")) for file in range(game.files)]
            codes = [code if owner == side else "." for owner, code in row]
            lines.append(f"| {' '.join(codes if side == 0 else codes[::-1])} |")
        if side == 0:
            lines[1:] = lines[:0:-1]
        held = " ".join(f"{code}*{count}" for code, count in start.hands[side].items() if count)
        lines += [f"hand {name} {held}"] if held else []
    return lines


def rules_of(rules: definition.Rules) -> str:
    """The rules as lines; they have the same names on both sides."""
    given = {each.name: getattr(rules, each.name) for each in fields(rules)}
    given["win"] = ",".join(rules.win)
    if rules.goal:
        given["goal"] = f"{rules.goal[0]} {rules.goal[1]}-{rules.goal[2]}"
    if rules.repetition:
        given["repetition"] = f"{rules.repetition[0]} {rules.repetition[1]}"
    return games.rule_lines(**given)


@cache
def bundled(name: str) -> Variant:
    """The game of a bundled piece file."""
    return alfil.load(name).variant

"""Games put together by hand, for rules and pieces that no bundled game has, as piece files."""

from __future__ import annotations

from dataclasses import replace

import alfil
from inside import Rules, Variant

FAR = 36  # the last rank of any board
SHOGI_RULES: dict[str, object] = {"captured": "to-hand", "drops": "yes", "stalemate": "loss"}


def kind(code: str, move: str, **fields: object) -> str:
    """The line of one kind; ``move`` is Betza, or Ħasínū after "hasinu:"."""
    notation, _, text = move.rpartition(":")
    line = f'piece {code} "piece {code}" {notation or "betza"}="{text}"'
    for name, value in fields.items():
        match name, value:
            case "royal", _:
                line += " royal" if value else ""
            case "promotion", _:
                line += f" {value}" if fields.get("promotes") else ""
            case "drop_ranks", (first, last):
                line += f" drop-ranks={first}-{last if last < FAR else 'R'}"
            case _, tuple() | frozenset():
                line += f" {as_key(name)}={','.join(sorted(value))}" if value else ""
            case _:
                line += f" {as_key(name)}={value or 'none'}"
    return line


def as_key(name: str) -> str:
    """The name of a field or a rule as files have it."""
    return name.replace("_", "-")


def rule_lines(**rules: object) -> str:
    """Rules as files have them: win="mate,checks:3", repetition="3 draw", None for none."""
    zone = f"zone promotion ranks={rules.pop('zone')}\n" if "zone" in rules else ""
    lines = (f"rule {as_key(name)} = {value or 'none'}\n" for name, value in rules.items())
    return zone + "".join(lines)


def rules_of(**rules: object) -> Rules:
    """Rules alone."""
    return alfil.loads(kind("K", "K") + "\n" + rule_lines(**rules)).rules


def with_rules(variant: Variant, **rules: object) -> Variant:
    """The same game with some rules changed."""
    read = rules_of(**rules)
    return replace(
        variant, rules=replace(variant.rules, **{name: getattr(read, name) for name in rules})
    )


def game(
    rows: str, kinds: list[str], *, files: int = 0, ranks: int = 0, **rules: object
) -> Variant:
    """A game; ``rows`` are the first side's, split by "/", the second side stands opposite.

    The board is a square as wide as the rows unless its size is given.
    """
    lines = [row.split() for row in rows.split("/")]
    files = files or len(lines[0])
    setup = "\n".join(f"| {' '.join(line)} |" for line in lines)
    board = f'game "made up"\nboard {files}x{ranks or files}\n'
    text = f"{board}{rule_lines(**rules)}" + "\n".join([*kinds, "setup mirrored", setup])
    return alfil.loads(text, name="made up").variant


KING = kind("K", "K", royal=True)
LION = "KNADcaKmcabK"

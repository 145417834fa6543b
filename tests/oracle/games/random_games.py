"""Games with rules and pieces drawn at random, so that fields meet in every combination."""

from __future__ import annotations

import random
from itertools import product

from oracle.games.definition import DIAGONAL, ORTHOGONAL, UNLIMITED, Game, Kind, Ray, Rules, rays

KNIGHT = tuple((dx, dy) for dx, dy in product((-2, -1, 1, 2), repeat=2) if abs(dx) != abs(dy))

# Betza, and the same as rays; joined they are still the same.
PARTS = (
    ("W", rays(*ORTHOGONAL)),
    ("F", rays(*DIAGONAL)),
    ("D", rays((0, 2), (0, -2), (2, 0), (-2, 0))),
    ("A", rays((2, 2), (-2, 2), (2, -2), (-2, -2))),
    ("N", rays(*KNIGHT)),
    ("ffN", rays((1, 2), (-1, 2))),
    ("R", rays(*ORTHOGONAL, reach=UNLIMITED)),
    ("B", rays(*DIAGONAL, reach=UNLIMITED)),
    ("R2", rays(*ORTHOGONAL, reach=2)),
    ("B3", rays(*DIAGONAL, reach=3)),
    ("fR", rays((0, 1), reach=UNLIMITED)),
    ("fB", rays((1, 1), (-1, 1), reach=UNLIMITED)),
    ("fW", rays((0, 1))),
    ("sW", rays((1, 0), (-1, 0))),
    ("bF", rays((1, -1), (-1, -1))),
    ("fmW", rays((0, 1), way="move")),
    ("fcF", rays((1, 1), (-1, 1), way="capture")),
    ("mB", rays(*DIAGONAL, reach=UNLIMITED, way="move")),
    ("cR", rays(*ORTHOGONAL, reach=UNLIMITED, way="capture")),
    ("cN", rays(*KNIGHT, way="capture")),
)
KING = Kind("K", "K", rays(*ORTHOGONAL, *DIAGONAL), royal=True)


def movement(draw: random.Random) -> tuple[str, tuple[Ray, ...]]:
    """One to three parts; no step is in two of them."""
    chosen: dict[tuple[int, int], Ray] = {}
    text = ""
    for betza, steps in draw.sample(PARTS, draw.randint(1, 3)):
        if not any(_direction(ray) in chosen for ray in steps):
            chosen |= {_direction(ray): ray for ray in steps}
            text += betza
    return text, tuple(chosen.values())


def _direction(ray: Ray) -> tuple[int, int]:
    """Rays in one direction overlap; so do leaps of two and slides over one."""
    longest = max(abs(ray.dx), abs(ray.dy))
    straight = ray.dx == 0 or ray.dy == 0 or abs(ray.dx) == abs(ray.dy)
    return (ray.dx // longest, ray.dy // longest) if straight else (ray.dx, ray.dy)


def random_rules(draw: random.Random) -> Rules:
    """Rules of a game that is won by mate."""
    drops = draw.choice(("no", "yes", "yes"))
    # Not both: a promoted form would be put down from two places in the hand, in the same words.
    captured_form, drop_form = draw.choice(
        (("base", "base"), ("as-is", "base"), ("base", "either"))
    )
    return Rules(
        captured=draw.choice(("removed", "to-hand", "to-hand")) if drops == "yes" else "removed",
        captured_form=captured_form,
        drops=drops,
        drop_form=drop_form,
        zone=draw.randrange(4),
        promotion_when=draw.choice(("touches", "ends", "captures", "always")),
        self_check=draw.choice(("barred", "barred", "barred", "allowed")),
        win=("mate", "royal-capture"),
        stalemate=draw.choice(("draw", "loss", "win")),
        repetition=(draw.randint(2, 4), draw.choice(("draw", "loss-repeater"))),
        perpetual_check=draw.choice(("allowed", "loss", "draw")),
        perpetual_span=draw.choice(("first", "last")),
    )


def random_kind(draw: random.Random, code: str, ranks: int) -> Kind:
    """A kind with limits of its own; one that promotes has none on its file."""
    text, steps = movement(draw)
    first = draw.randint(1, ranks)
    promotes = draw.choice(((), ("+" + code,), ("+" + code,)))
    return Kind(
        code,
        text,
        steps,
        promotes=promotes,
        promotion=draw.choice(("optional", "forced", "stuck")),
        drop_ranks=draw.choice(((1, UNLIMITED), (1, UNLIMITED), (first, ranks), (1, first), None)),
        drop_check=draw.choice(("free", "free", "required", "barred")),
        drop_mate=draw.choice(("allowed", "allowed", "barred")),
        per_file=0 if promotes else draw.randrange(3),
        per_file_on=draw.choice((("drop",), ("move",), ("drop", "move"))),
    )


def random_game(seed: int) -> Game:
    """The game of that number; its first position has kings alone."""
    draw = random.Random(seed)
    files, ranks = draw.randint(3, 8), draw.randint(4, 8)
    kinds = [KING]
    for code in "ABCD":
        kind = random_kind(draw, code, ranks)
        kinds.append(kind)
        for form in kind.promotes:
            text, steps = movement(draw)
            kinds.append(Kind(form, text, steps, base=code))
    start = f"k{files - 1}/" + f"{files}/" * (ranks - 2) + f"{files - 1}K b - 1"
    return Game(f"random{seed}", files, ranks, tuple(kinds), random_rules(draw), start)

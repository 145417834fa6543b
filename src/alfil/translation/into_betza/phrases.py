"""Shapes in the letters of Betza: what the routes of one shape become."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from alfil.geometry import Vector, every_image
from alfil.notation.betza.directions import fewest_first
from alfil.notation.betza.directions import run as run_of
from alfil.notation.betza.spelling import atom_text
from alfil.translation.into_betza import ways as spelling
from alfil.translation.into_betza.routes import ANY, HOMEWARD, Run, Unsayable
from alfil.translation.into_betza.ways import Leg, Way, spelled

UNIT: tuple[Vector, ...] = ((0, 1), (1, 1))
# Runs of exactly so many steps are the lame leapers D, A, H and G.
LAME = (2, 3)
_SINGLE = (((0, 1),), ((1, 1),))

Bases: TypeAlias = tuple[Vector, ...]
# What the routes of one shape have in common: each run with its base vector in place of the step.
Shape: TypeAlias = tuple[Run, ...]
Shapes: TypeAlias = dict[Shape, set[Way]]


@dataclass(frozen=True, slots=True)
class Phrases:
    """Writes shapes as texts; raises `Unsayable`.

    ``lame`` is whether n may be written: on a first move it would leave a trail.
    """

    lame: bool

    def texts(self, shapes: Shapes) -> Iterator[str]:
        """One text for each part."""
        longer: Shapes = {}
        whole: Shapes = {}
        for shape, ways in shapes.items():
            short = len(shape) == 1 or shape[1:] == (HOMEWARD,)
            (whole if short else longer)[shape] = ways
        for shape, bases, ways in _united(whole):
            steps = frozenset([way[0] for way in ways])
            say = self._shots if len(shape) > 1 else self._runs
            yield from say(shape[0], bases, steps)
        yield from self._longer(longer)

    def _runs(self, shape: Run, bases: Bases, steps: frozenset[Vector]) -> Iterator[str]:
        """Leapers, riders, sliders, hoppers and lame leapers."""
        legs, scale = self._expanded(shape, bases)
        if len(legs) > 1:
            ways = frozenset([(step,) * len(legs) for step in steps])
            yield from _required(spelled(ways, legs))
            return
        leg = legs[0]
        chosen = frozenset([(x * scale, y * scale) for x, y in steps])
        yield _directed(chosen, leg.bases) + spelling.ending(leg) + atom_text(leg.bases, leg.most)

    def _shots(self, shape: Run, bases: Bases, steps: frozenset[Vector]) -> Iterator[str]:
        """Captures from home: out, and as far back."""
        letters = _directed(steps, bases) + shape.go
        if shape.lengths == (1,):
            yield f"{letters}ab{atom_text(bases, 1)}"
        elif shape.lengths == ANY and max(map(max, bases)) == 1:
            yield f"{letters}aib{atom_text(bases, 0)}"
        elif shape.lengths[:1] in {(), (1,)}:
            name = atom_text(bases, len(shape.lengths))
            yield f"{_directed(steps, bases)}[{shape.go}{name}-ib{name}]"
        else:
            (a, b), direction = bases[0], _directed(steps, bases)
            for length in shape.lengths:
                back = atom_text(((a * length, b * length),), 1)
                lame = self.lame and length in LAME and b == 1
                out = f"{shape.go}n{back}" if lame else "-".join(_steps(shape, bases, length))
                yield f"{direction}[{out}-b{back}]"

    def _expanded(self, shape: Run, bases: Bases) -> tuple[list[Leg], int]:
        """The legs for one run, and what its steps are to be multiplied by."""
        low, most = (shape.lengths[0], len(shape.lengths)) if shape.lengths else (1, 0)
        passes = shape.hops or "p" in shape.go
        if self.lame and low in LAME and most == 1 and bases in _SINGLE and not passes:
            ((a, b),) = bases
            return [Leg(((a * low, b * low),), 1, shape.land, shape.go, "n")], low
        before = [Leg(bases, 1, "", straight=at > 0) for at in range(low - 1)]
        hop = "p" if shape.hops else ""
        last = Leg(bases, most, shape.land, shape.go, hop, straight=low > 1)
        return [*before, last], 1

    def _longer(self, shapes: Shapes) -> Iterator[str]:
        """Moves of several legs; orthogonal and diagonal ones on K and Q where that is shorter."""
        alike: dict[Shape, list[Shape]] = {}
        for shape in shapes:
            if HOMEWARD in shape:
                raise Unsayable
            key = tuple(
                [each._replace(step=UNIT[0]) if each.step in UNIT else each for each in shape]
            )
            alike.setdefault(key, []).append(shape)
        for group in alike.values():
            texts = self._together(group, shapes) if len(group) > 1 else None
            if texts is None or len(texts) > 1:
                apart = [_required(self._several([shape], shapes)) for shape in group]
                flat = [text for each in apart for text in each]
                texts = flat if texts is None or len(flat) < len(texts) else texts
            yield from texts

    def _together(self, group: Sequence[Shape], shapes: Shapes) -> list[str] | None:
        """One part for shapes that differ only in what is orthogonal and what diagonal."""
        exact = any(each.lengths[:1] not in {(), (1,)} for each in group[0])
        return None if exact else self._several(group, shapes)

    def _several(self, group: Sequence[Shape], shapes: Shapes) -> list[str] | None:
        legs: list[Leg] = []
        scales: list[tuple[int, int]] = []
        for at, each in enumerate(group[0]):
            bases = tuple(sorted({shape[at].step for shape in group}))
            expanded, scale = self._expanded(each, bases)
            legs += expanded
            scales.append((len(expanded), scale))
        ways = {
            tuple(
                (x * scale, y * scale)
                for (x, y), (count, scale) in zip(way, scales, strict=True)
                for _ in range(count)
            )
            for shape in group
            for way in shapes[shape]
        }
        return spelled(frozenset(ways), legs)


def _united(shapes: Shapes) -> Iterator[tuple[Shape, Bases, set[Way]]]:
    """Shapes of one run; an orthogonal and a diagonal one that are complete as one on K or Q."""
    done: set[Shape] = set()
    for shape, ways in shapes.items():
        if shape in done:
            continue
        first = shape[0]
        if first.step in UNIT and first.lengths[:1] in {(), (1,)} and len(ways) == len(UNIT) * 2:
            (other,) = (base for base in UNIT if base != first.step)
            beside = (first._replace(step=other), *shape[1:])
            if len(shapes.get(beside, ())) == len(ways):
                done.add(beside)
                yield shape, UNIT, ways | shapes[beside]
                continue
        yield shape, (first.step,), ways


def _steps(shape: Run, bases: Bases, length: int) -> list[str]:
    name = atom_text(bases, 1)
    return [name] * (length - 1) + [shape.go + name]


def _directed(steps: frozenset[Vector], bases: Bases) -> str:
    """The direction letters of a first leg."""
    found = fewest_first(steps, every_image(bases))
    if found is None:
        raise Unsayable
    return run_of(*found)


def _required(texts: list[str] | None) -> list[str]:
    if texts is None:
        raise Unsayable
    return texts

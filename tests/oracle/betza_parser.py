"""A hand-written reader of Betza text, default dialect."""

from collections.abc import Iterator
from dataclasses import dataclass

from .betza_chain import Group, Item, chain
from .betza_geometry import Unreadable, Vec, chosen, images, kind, runs_of
from .betza_parts import (
    DIRECTIONS,
    OWN_HALF,
    Atom,
    Castling,
    Edge,
    Leg,
    Limit,
    Part,
    Program,
    Universal,
    check_leg,
    check_path,
    clashes,
    first_leg,
    later_leg,
    modality,
    picked_paths,
)

LEAPS: dict[str, Vec] = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "N": (1, 2),
    "A": (2, 2),
    "H": (0, 3),
    "C": (1, 3),
    "L": (1, 3),
    "Z": (2, 3),
    "J": (2, 3),
    "G": (3, 3),
}
SLIDERS = {"R": "W", "B": "F", "Q": "K"}


@dataclass(frozen=True, slots=True)
class Simple:
    """Modifiers, an atom and a printed range, not yet put to a use."""

    items: tuple[Item, ...]
    atom: str
    vector: Vec | None
    printed: bool
    limit: Limit

    def to_atom(self) -> Atom:
        """The atom's vectors and class; errors for U and O, which are parts of their own."""
        if self.vector is not None:
            shape = kind(self.vector)
            return Atom(self.atom, images(*self.vector), shape, 1)
        shape = SLIDERS.get(self.atom, self.atom)
        steps = {"W": images(0, 1), "F": images(1, 1), "K": images(0, 1) + images(1, 1)}
        if shape not in steps:
            raise Unreadable(f"{self.atom} cannot be a leg of a path")
        return Atom(self.atom, steps[shape], shape, None if self.atom in SLIDERS else 1)

    def letters(self) -> tuple[str, ...]:
        """The modifiers of a leg that may hold neither a, nor t, nor parentheses."""
        if any(isinstance(item, Group) or item in ("a", "t") for item in self.items):
            raise Unreadable("a, t and parentheses have no place here")
        return tuple(str(item) for item in self.items)


class Reader:
    """Reads parts from left to right; every character is used or refused."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.at = 0

    def peek(self, size: int = 1) -> str:
        return self.text[self.at : self.at + size]

    def accept(self, wanted: str) -> bool:
        if self.text.startswith(wanted, self.at):
            self.at += len(wanted)
            return True
        return False

    def expect(self, wanted: str) -> None:
        if not self.accept(wanted):
            raise Unreadable(f"expected {wanted} at {self.at} in {self.text!r}")

    def take(self) -> str:
        letter = self.peek()
        self.at += 1
        return letter

    def digits(self) -> str:
        start = self.at
        while self.peek() and self.peek() in "0123456789":
            self.at += 1
        return self.text[start : self.at]

    def number(self) -> int:
        """One or two digits without a leading zero."""
        text = self.digits()
        if not 1 <= len(text) <= 2 or (len(text) == 2 and text[0] == "0"):
            raise Unreadable("expected a number from 0 to 99")
        return int(text)

    def items(self) -> tuple[Item, ...]:
        """Modifiers: lower-case letters and parentheses that do not hold a vector."""
        found: list[Item] = []
        while True:
            if self.peek(2) in ("ii", "oo"):
                found.append(self.peek(2))
                self.at += 2
            elif "a" <= self.peek() <= "z":
                found.append(self.take())
            elif self.peek() == "(" and not self.peek(2)[1:].isdigit():
                found.append(self.group())
            else:
                return tuple(found)

    def group(self) -> Group:
        self.expect("(")
        inner = self.items()
        self.expect(")")
        most = self.number() if self.peek().isdigit() else 0
        letters = tuple(item for item in inner if isinstance(item, str))
        if len(letters) < len(inner):
            raise Unreadable("parentheses inside parentheses")
        if not letters or letters[0] != "a" or letters[-1] == "a" or {"y", "g", "t"} & {*letters}:
            raise Unreadable("not a repeat")
        return Group(letters, most or None)

    def simple(self, items: tuple[Item, ...]) -> Simple:
        """The atom, suffixes and range behind some modifiers."""
        start = self.at
        letter = self.peek()
        vector = LEAPS.get(letter)
        if letter == "(":
            vector = self.explicit()
        elif letter and letter in "WFDNAHCLZJGRBQKUO":
            self.at += 1
        else:
            raise Unreadable(f"no atom at {self.at} in {self.text!r}")
        spelling = self.text[start : self.at]
        while self.peek() in ("X", "Y"):
            if vector is None:
                raise Unreadable("a suffix needs a single vector")
            short, long = sorted(vector)
            vector = (short, long + 3) if self.take() == "X" else (short + 2, long + 2)
        return self.ranged(items, spelling, vector)

    def explicit(self) -> Vec:
        self.expect("(")
        one = self.number()
        self.expect(",")
        other = self.number()
        self.expect(")")
        if not one and not other:
            raise Unreadable("the zero vector")
        return one, other

    def ranged(self, items: tuple[Item, ...], spelling: str, vector: Vec | None) -> Simple:
        printed, limit = True, None if spelling in SLIDERS else 1
        if self.accept(spelling):
            limit = None
            if spelling[0] in "(KUO" or self.peek().isdigit() or self.peek() == "*":
                raise Unreadable(f"{spelling} cannot be doubled here")
        elif self.accept("*"):
            limit = OWN_HALF
        elif self.peek().isdigit():
            limit = self.number() or None
        else:
            printed = False
        return Simple(items, spelling, vector, printed, limit)

    def bracket_legs(self) -> tuple[list[Simple], list[str]]:
        legs, marks = [self.simple(self.items())], []
        while self.peek() in ("-", "?"):
            marks.append(self.take())
            legs.append(self.simple(self.items()))
        self.expect("]")
        return legs, marks

    def joined_legs(self) -> list[Simple]:
        legs: list[Simple] = []
        while not self.accept("]"):
            legs.append(self.simple(self.items()))
        return legs

    def parts(self) -> Iterator[Part]:
        while self.peek():
            items = self.items()
            if self.accept("["):
                yield from self.bracket(items)
                continue
            legs = [self.simple(items)]
            while self.accept("t"):
                legs.append(self.simple(self.items()))
            yield from path((), legs, ["?"] * (len(legs) - 1)) if legs[1:] else alone(legs[0])

    def bracket(self, items: tuple[Item, ...]) -> Iterator[Part]:
        if items[-1:] == ("t",):
            legs = self.joined_legs()
            return path(items[:-1], legs, ["?"] * (len(legs) - 1))
        return path(items, *self.bracket_legs())


def alone(one: Simple) -> Iterator[Part]:
    """A part that is not a bracket."""
    if one.atom == "U":
        letters = modality(one.letters())
        if one.printed or not letters <= set("mcdek") | {"i", "ii"}:
            raise Unreadable("U takes no range and no such modifier")
        if runs_of(one.letters()):
            raise Unreadable("U has no directions")
        yield Universal(letters)
    elif one.atom == "O":
        yield castling(one)
    else:
        yield chain(one.items, one.to_atom(), one.limit, printed=one.printed)


def castling(one: Simple) -> Castling:
    letters = modality(one.letters())
    named = {letter for letter in one.letters() if letter in DIRECTIONS}
    if not letters <= {"i", "ii", "j"} or clashes(letters) or not named <= set("lrs"):
        raise Unreadable("no such modifier on O")
    if one.limit is None or one.limit < 1 or not one.printed:
        raise Unreadable("O needs a number of steps")
    runs = runs_of(one.letters())
    sides = tuple(dx for dx, _ in chosen(runs, "W", ((-1, 0), (1, 0))))
    return Castling(letters, one.limit, sides, 1 if "j" in letters else 0)


def path(items: tuple[Item, ...], parts: list[Simple], marks: list[str]) -> Iterator[Program]:
    """A bracket: legs, the marks between them, and the modifiers before it."""
    prefix = Simple(items, "", None, printed=False, limit=1).letters()
    state = modality(prefix)
    if not state <= {"i", "ii"} or clashes(state) or len(parts) < 2:
        raise Unreadable("a bracket needs two legs, and takes only directions and i before it")
    legs = tuple(path_leg(part, first=part is parts[0]) for part in parts)
    check_bracket(legs, marks)
    runs = runs_of(prefix)
    for chosen_legs in picked_paths(legs, runs) if runs else [legs]:
        edges: dict[int, tuple[Edge, ...]] = {
            at: (Edge(leg, at + 1 if at < len(marks) else None),)
            for at, leg in enumerate(chosen_legs)
        }
        for at, mark in enumerate(marks):
            if mark == "?":
                edges[at] += (Edge(chosen_legs[at], None),)
        yield Program(edges, initial=bool(state))


def path_leg(part: Simple, *, first: bool) -> Leg:
    build = first_leg if first else later_leg
    letters = part.letters()
    return build(modality(letters), runs_of(letters), part.to_atom(), part.limit)


def check_bracket(legs: tuple[Leg, ...], marks: list[str]) -> None:
    for at, leg in enumerate(legs):
        last = at == len(marks)
        check_leg(leg, leg.limit, last=last, first=not at)
        if "y" in leg.letters or (not last and "g" in leg.letters):
            raise Unreadable("each leg of a bracket has its own range")
        if not last and marks[at] == "?" and "p" in leg.letters:
            raise Unreadable("a hop before ? is undefined")
        if not at and leg.letters & {"i", "ii"}:
            raise Unreadable("i goes before the bracket")
        if "i" in leg.letters and all(before.limit == 1 for before in legs[:at]):
            raise Unreadable("no slider leg before i")
    check_path(legs)


def parse(text: str) -> tuple[Part, ...]:
    """All parts of a text; the empty text has none.

    Raises Unreadable.
    """
    return tuple(Reader(text).parts())

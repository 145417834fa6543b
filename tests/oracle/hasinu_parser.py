"""A hand-written recursive-descent reader of valid Ħasínū.

It says that a text is unreadable, not why: messages are the business of the real reader.
"""

from __future__ import annotations

import re

from .hasinu_signs import (
    BARE_ANGLE,
    BETZA_ATOM,
    DIRECTION,
    EIGHT,
    INT,
    NAME,
    PAIR,
    RIDER,
    SHORT,
    TEXT,
    TURN,
    UNIT_ANGLE,
    VECTORS,
    WINDS,
    Cursor,
    integer,
    oblique_vectors,
    turn_of,
)
from .hasinu_tree import (
    Arg,
    Call,
    Chain,
    Compound,
    Counts,
    Embedded,
    Grouped,
    Loop,
    Node,
    Optional,
    Rays,
    Text,
    Turn,
    Unreadable,
)

BETZA = {
    "W": "1×4dO",
    "F": "1×4dD",
    "K": "1×8d",
    "N": "(1,2)",
    "R": "n4dO",
    "B": "n4dD",
    "Q": "n8d",
    "[F?R]": "1×4dD &t n4dO",
}


class Parser(Cursor):
    """Reads one text, from left to right."""

    def take_ampersand(self) -> bool:
        """Step over an & that does not begin a turn."""
        self.skip()
        return not TURN.match(self.text, self.at) and self.take("&")

    def description(self) -> Compound:
        """Read the whole text."""
        self.skip()
        if self.at == len(self.text):
            return Compound(())
        whole = self.compound()
        self.skip()
        if self.at != len(self.text):
            raise self.fail("the end")
        return whole

    def compound(self, *, loop_body: bool = False) -> Compound:
        """Read terms joined by &. Only a loop body may end in a turn, after its last term."""
        terms: list[Node] = []
        trail: Turn | None = None
        while True:
            if trail is not None:
                raise self.fail("a leg after the turn")
            term, trail = self.term()
            terms.append(term)
            if not self.take_ampersand():
                break
        if trail is not None and not loop_body:
            raise self.fail("a leg after the turn")
        return Compound(tuple(terms), trail)

    def term(self) -> tuple[Node, Turn | None]:
        """Read juxtaposed obliques, or a chain with the turn that may dangle after it."""
        first = self.leg()
        if isinstance(first, Rays) and first.oblique:
            row: list[Node] = [first]
            while (more := self.try_oblique()) is not None:
                row.append(more)
            if len(row) > 1:
                return Compound(tuple(row)), None
        return self.chain(first)

    def chain(self, first: Node) -> tuple[Node, Turn | None]:
        """Read the turns and legs after the first leg."""
        legs: list[Node] = [first]
        turns: list[Turn] = []
        while (turn := self.turn()) is not None:
            if self.at_term_end():
                return self.chained(legs, turns), turn
            turns.append(turn)
            legs.append(self.leg())
        return self.chained(legs, turns), None

    @staticmethod
    def chained(legs: list[Node], turns: list[Turn]) -> Node:
        """Make a chain, or leave a lone leg as it is."""
        return Chain(tuple(legs), tuple(turns)) if turns else legs[0]

    def at_term_end(self) -> bool:
        """Look whether no further leg can follow here."""
        self.skip()
        return self.at == len(self.text) or self.text[self.at] in "),&]"

    def turn(self) -> Turn | None:
        """Read `&t` with its angle, if it comes next."""
        if not self.match(TURN):
            return None
        found = UNIT_ANGLE.match(self.text, self.at)
        if found:
            self.at = found.end()
            return turn_of(found[1], found[2], found[3])
        found = BARE_ANGLE.match(self.text, self.at)
        if found:
            self.at = found.end()
            return turn_of(found[1], found[2], "°")
        return Turn(None, None)

    def leg(self) -> Node:
        """Read one leg, or one of the terms that stand alone."""
        self.skip()
        oblique = self.try_oblique()
        if oblique is not None:
            return oblique
        if self.take("//"):
            self.at -= 2
            return self.plain_words()
        if self.take("\\"):
            return self.betza()
        if self.take("["):
            return self.short_form()
        if self.take("("):
            inner = self.compound()
            self.need(")")
            return inner
        return self.named_or_counted()

    def named_or_counted(self) -> Node:
        """Read a radial, a loop or a function."""
        start = self.at
        if self.take("n"):
            self.skip()
            if re.match(r"[0-9(]", self.text[self.at :]):
                return self.loop(None) if self.sees("(") else self.radial(None)
            self.at = start
        if self.sees("{") or INT.match(self.text, self.at):
            counts = self.counts()
            if self.take_times():
                return self.radial(counts)
            return self.loop(counts)
        return self.function()

    def take_times(self) -> bool:
        """Step over the multiplication sign if it comes next."""
        return self.take("×") or self.take("x")

    def counts(self) -> Counts:
        """Read a number or a set of numbers."""
        if not self.take("{"):
            return frozenset({self.number()})
        numbers = [self.number()]
        while self.take(","):
            numbers.append(self.number())
        self.need("}")
        if len(set(numbers)) != len(numbers):
            raise self.fail("different numbers")
        return frozenset(numbers)

    def number(self, *, least: int = 1) -> int:
        """Read a number."""
        found = self.match(INT)
        if not found:
            raise self.fail("a number")
        return integer(found[0], least=least)

    def loop(self, counts: Counts) -> Loop:
        """Read the bracket of a loop, which must not hold just two numbers."""
        self.skip()
        if PAIR.match(self.text, self.at):
            raise self.fail("× before an oblique")
        self.need("(")
        body = self.compound(loop_body=True)
        self.need(")")
        return Loop(counts, body)

    def radial(self, distances: Counts) -> Rays:
        """Read the count, the d and the directions."""
        count = self.number()
        self.need("d")
        names: list[str] = []
        found = self.match(DIRECTION)
        while found:
            names += SHORT.get(found[0], [found[0]])
            if not self.take("-"):
                break
            found = self.match(DIRECTION)
            if not found:
                raise self.fail("a direction")
        winds = self.choose(names, count)
        return Rays(tuple((wind, VECTORS[wind]) for wind in winds), distances, oblique=False)

    def choose(self, names: list[str], count: int) -> list[int]:
        """Apply the count rule; four of four are those named."""
        if len(set(names)) != len(names) or not 1 <= count <= EIGHT:
            raise self.fail("directions")
        if len(names) == count:
            return sorted(WINDS[name] for name in names)
        if len(names) == EIGHT - count:
            return [wind for name, wind in WINDS.items() if name not in names]
        raise self.fail(f"{count} directions")

    def try_oblique(self) -> Rays | None:
        """Read an oblique with its rider sign or range, or leave the cursor where it was."""
        start = self.at
        self.skip()
        distances: Counts = frozenset({1})
        if self.take("n"):
            distances = None
        elif self.sees("{") or INT.match(self.text, self.at):
            try:
                distances = self.counts()
            except Unreadable:
                self.at = start
                return None
            if not self.take_times():
                self.at = start
                return None
        found = self.match(PAIR)
        if not found:
            self.at = start
            return None
        return self.oblique(found, distances)

    def oblique(self, pair: re.Match[str], distances: Counts) -> Rays:
        """Read the octants, which touch the bracket just read."""
        p, q = sorted((integer(pair[1], least=0), integer(pair[2], least=0)))
        if p in (0, q):
            raise self.fail("an oblique vector")
        letters = re.compile("[a-h]*").match(self.text, self.at)
        octants = letters[0] if letters else ""
        self.at += len(octants)
        return Rays(oblique_vectors(p, q, octants), distances, oblique=True)

    def plain_words(self) -> Text:
        """Read text; the swallowed mark is stepped over."""
        found = self.match(TEXT)
        if not found or not found[1].strip():
            raise self.fail("text")
        return Text(found[1].strip())

    def betza(self) -> Embedded:
        """Read the little Betza that the case file needs."""
        terms: list[str] = []
        while found := BETZA_ATOM.match(self.text, self.at):
            self.at = found.end()
            how, narrow, atom = found.groups()
            if narrow and atom != "N":
                raise self.fail("N after ff")
            body = BETZA[atom] + ("ab" if narrow else "")
            terms.append(f"{how}({body})" if how else body)
        ended = self.at == len(self.text) or self.text[self.at] in " \t\r\n&,/)]"
        if not terms or not ended:
            raise self.fail("Betza known to the oracle")
        return Embedded(Parser(" & ".join(terms)).description())

    def name(self) -> str:
        """Read a name."""
        found = self.match(NAME)
        if not found:
            raise self.fail("a name")
        return found[0]

    def short_form(self) -> Grouped:
        """Read the rest of `[f,g(…)]`."""
        names = [self.name()]
        while self.take(","):
            names.append(self.name())
        self.need("(")
        body = self.compound()
        self.need(")")
        self.need("]")
        return Grouped(tuple(names), body)

    def function(self) -> Node:
        """Read a call or a group."""
        name = self.name()
        self.need("(")
        if name == "group":
            return self.group()
        if self.take(")"):
            return Call(name, ())
        args: list[Arg] = []
        while True:
            if not self.sees(",") and not self.sees(")"):
                args.append(self.argument())
            if not self.take(","):
                break
        self.need(")")
        return Call(name, tuple(args))

    def group(self) -> Grouped:
        """Read the rest of `group(f, g)(…)`."""
        names = [self.name()]
        while self.take(","):
            names.append(self.name())
        self.need(")")
        self.need("(")
        body = self.compound()
        self.need(")")
        return Grouped(tuple(names), body)

    def argument(self) -> Arg:
        """Read a number, a bare word, an optional parameter or a compound.

        An n before a digit is a distance, never the beginning of a word.
        """
        self.skip()
        start = self.at
        if RIDER.match(self.text, self.at):
            return self.compound()
        for read in (self.bare_number, self.name, self.optional):
            try:
                found = read()
            except Unreadable:
                self.at = start
                continue
            if self.sees(",") or self.sees(")"):
                return found
            self.at = start
        return self.compound()

    def bare_number(self) -> int:
        """Read a number that may be zero, as in INF."""
        return self.number(least=0)

    def optional(self) -> Optional:
        """Read `[p]`."""
        self.need("[")
        name = self.name()
        self.need("]")
        return Optional(name)


def parse(text: str) -> Compound:
    """Read a description; an empty one has no terms. Raises Unreadable."""
    return Parser(text).description()

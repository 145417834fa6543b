"""What the rules, conditions and facts of a movement say, in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, assert_never

from alfil.english import words
from alfil.english.legs import PLAIN
from alfil.errors import listed
from alfil.frozen import NamedTuple
from alfil.movement import nodes
from alfil.source import printable

# A movement inside a sentence: as what a piece may do, or as the manner of something.
Inline = Callable[[nodes.Movement], str]
Purpose = Literal["moving", "capturing"]

ONE: dict[nodes.Side, str] = {
    "friends": "a friend",
    "enemies": "an enemy",
    "all": "a piece of either side",
}
ALL: dict[nodes.Side, str] = {
    "friends": "friends",
    "enemies": "enemies",
    "all": "pieces of either side",
}

ANY_PURPOSE: frozenset[Purpose] = frozenset({"moving", "capturing"})
ABLE = "able to jump over"
OVER_ALL = f"{ABLE} any pieces in its way"


def quoted(text: str) -> str:
    """Words of the author, as such."""
    return f"“{printable(' '.join(text.split()))}”"


class Rules(NamedTuple):
    """What the rules and repeats around a way make of it.

    ``purposes`` are those left. ``ways`` are phrases of what rules say of the squares passed;
    ``leaps`` is true where it may pass anything, ``blocks`` are the pieces that block a leap,
    ``greedy`` where it stops only at the farthest square, ``looped`` inside a repeat. ``large`` is
    true of a piece of several squares, in whose way a piece may be on more than one square.
    """

    purposes: frozenset[Purpose] = ANY_PURPOSE
    ways: tuple[str, ...] = ()
    leaps: bool = False
    blocks: nodes.Side | None = None
    greedy: bool = False
    looped: bool = False
    large: bool = False

    def under(self, within: nodes.Within) -> Rules:
        """The rules of a way inside one rule more."""
        match within.rule:
            case nodes.Only() if used(within):
                return self
            case nodes.Only(what=what):
                return self._replace(purposes=self.purposes & {what})
            case nodes.NotJumping(side=side):
                return self._replace(blocks=side if self.blocks in {None, side} else "all")
            case nodes.Jumping(side=side, most=most) as jump:
                leaps = self.leaps or (side == "all" and most is None)
                return self._replace(ways=(*self.ways, _jump(jump, large=self.large)), leaps=leaps)
            case nodes.Rampage(farthest=farthest) as rampage:
                greedy = self.greedy or farthest
                return self._replace(ways=(*self.ways, _rampage(rampage)), greedy=greedy)
            case nodes.Rifle():
                return self
            case _:
                assert_never(within.rule)

    def landing(self, ends: Collection[nodes.End]) -> frozenset[nodes.End]:
        """What a move may end on of these, as the purposes leave it."""
        found = _ends(ends)
        if "moving" not in self.purposes:
            found -= {"empty"}
        return found if "capturing" in self.purposes else found & {"empty"}

    def ending(self, ends: Collection[nodes.End]) -> tuple[frozenset[nodes.End], tuple[str, ...]]:
        """What a move may end on; where it captures on its way, that is said of its end alone."""
        rampage = any(not way.startswith(ABLE) for way in self.ways)
        if not rampage or self.purposes == ANY_PURPOSE:
            return self.landing(ends), ()
        kind = "an empty square" if self.purposes == {"moving"} else "a capture"
        return _ends(ends), (f", ending on {kind} only",)

    def manner(self, silent: str | None = None) -> tuple[str, ...]:
        """The phrases of the rules, but for those that begin with ``silent``."""
        ways = [way for way in self.ways if silent is None or not way.startswith(silent)]
        return tuple(f", {way}" for way in ways)

    def passed(self, passages: tuple[nodes.Passage, ...]) -> tuple[nodes.Passage, ...]:
        """What may stand where a leg goes on, of these, where some pieces may not be jumped."""
        if not self.blocks:
            return passages
        kinds = {"enemies": ("enemy", "royal"), "friends": ("friend",)}
        blocked = kinds.get(self.blocks, ("enemy", "royal", "friend"))
        over = {f"{how}-{kind}" for how in ("hop", "pass") for kind in blocked}
        return tuple(each for each in passages if each not in over)

    def unjumped(self) -> str:
        """The phrase of what a leap may not pass over, nothing where it may pass anything."""
        return f" without jumping over {ALL[self.blocks]}" if self.blocks else ""


def free(movement: nodes.Movement) -> Rules:
    """The rules around the ways of a piece: none."""
    sizes = [each for each in nodes.walk(movement.facts) if isinstance(each, nodes.Size)]
    return Rules(large=any(size.files * size.ranks > 1 for size in sizes))


def _ends(ends: Collection[nodes.End]) -> frozenset[nodes.End]:
    """Ends in words: those away from where the move began are empty squares too."""
    if ends == ("empty", "enemy", "royal"):
        return PLAIN
    return frozenset("empty" if end == "away" else end for end in ends)


def _jump(rule: nodes.Jumping, *, large: bool = False) -> str:
    if rule.most is None:
        return OVER_ALL if rule.side == "all" else f"{ABLE} any {ALL[rule.side]} in its way"
    if large:
        return f"{ABLE} {ALL[rule.side]} on at most {words.squares(rule.most)} in its way"
    if rule.most == 1:
        return f"{ABLE} at most one {_kind(rule.side)} in its way"
    return f"{ABLE} at most {words.number(rule.most)} {ALL[rule.side]} in its way"


def used(within: nodes.Within) -> str:
    """What is said of a way that may capture before it ends, where it must or may not capture."""
    if not isinstance(within.rule, nodes.Only) or not nodes.takes(within.way):
        return ""
    return f", if it captures {'nothing' if within.rule.what == 'moving' else 'something'} that way"


def _rampage(rule: nodes.Rampage) -> str:
    over = "runs over" if rule.side == "enemies" else "runs over or ends on"
    far = ", and stopping only at the farthest square it can" if rule.farthest else ""
    return f"capturing every {_kind(rule.side)} it {over}{far}"


def _kind(side: nodes.Side) -> str:
    return ONE[side].partition(" ")[2]


def condition(when: nodes.When) -> str:
    """When a move may be made, nothing for one that always may."""
    match when:
        case nodes.OnMove(number=number):
            return f"on its {words.ordinal(number)} move"
        case nodes.EveryMove(number=number, of=of):
            what = "move of its own" if of == "piece" else "turn of its side"
            return f"on every {words.ordinal(number)} {what}" if number > 1 else ""
        case nodes.ThirdRank():
            return "where a piece like it and of its side stood straight behind it at the start,"
        case nodes.OnSquare(ground=ground):
            return words.FROM[ground]
        case _:
            assert_never(when)


def conditions(when: Sequence[nodes.When | nodes.Rule]) -> tuple[str, ...]:
    """The conditions among these, in words."""
    said = [condition(each) for each in when if isinstance(each, nodes.When)]
    return tuple(filter(None, said))


def stated(fact: nodes.Fact, inline: Inline, how: Inline) -> str:
    """A fact as a sentence without its full stop, with the rules around it but no conditions."""
    rules = [_such_a_move(each) for each in fact.within if not isinstance(each, nodes.When)]
    about = f" (said of a move that {listed(rules, 'and')})" if rules else ""
    return truth(fact.truth, inline, how) + about


def _such_a_move(rule: nodes.Rule) -> str:
    match rule:
        case nodes.Only(what=what):
            return "never captures" if what == "moving" else "only captures"
        case nodes.Jumping():
            return f"is {_jump(rule)}"
        case nodes.NotJumping(side=side):
            return f"never jumps over {ALL[side]}"
        case nodes.Rampage():
            return f"goes on {_rampage(rule)}"
        case nodes.Rifle(side=side):
            return f"captures {ONE[side]} without moving"
        case _:
            assert_never(rule)


def truth(fact: nodes.Truth, inline: Inline, how: Inline) -> str:
    """A fact about the piece, as a sentence without its full stop."""
    match fact:
        case nodes.Royal(survive="all"):
            return "it is royal, and all royal pieces of its side must survive"
        case nodes.Royal():
            return "it is royal, but one surviving royal piece of its side is enough"
        case nodes.Promotion(condition=when, into=into):
            named = listed([_promoted(each, inline) for each in into])
            return f"it promotes {_promoting(when, inline)} to {named}"
        case nodes.Iron():
            return _iron(fact, [_capture(each, inline) for each in fact.exceptions])
        case nodes.Size(files=files, ranks=ranks):
            return f"it is {words.squares(files)} wide and {words.squares(ranks)} high"
        case nodes.Effect():
            return effect(fact, how)
        case nodes.Declared(name=name, parameters=parameters):
            told = [
                f"{quoted(each.name)}{' (optional)' if each.optional else ''}"
                for each in parameters
            ]
            given = f"of {listed(told, 'and')}" if told else "without parameters"
            return f"the function {quoted(name)} {given} is declared"
        case _:
            assert_never(fact)


def _promoting(when: str | nodes.Movement, inline: Inline) -> str:
    """The condition of a promotion."""
    by = _capture(when, inline)
    return f"on the condition {by}" if isinstance(when, str) else f"after {by}"


def _promoted(into: str | nodes.Movement, inline: Inline) -> str:
    return quoted(into) if isinstance(into, str) else f"a piece that may {inline(into)}"


def _capture(by: str | nodes.Movement, inline: Inline) -> str:
    if isinstance(by, str):
        return quoted(by)
    told = inline(by)
    return f"a move of this kind: {told if told.startswith('(') else f'({told})'}"


def _iron(iron: nodes.Iron, named: Sequence[str]) -> str:
    if iron.by == "anything" or not named:
        return "it cannot be captured"
    if iron.by == "these":
        return f"it cannot be captured by {listed(named)}"
    return f"it can be captured only by {listed(named)}"


def effect(fact: nodes.Effect, how: Inline) -> str:
    """What a piece does to others in range, as a sentence without its full stop."""
    reach = how(fact.reach)
    one, every = ONE[fact.side], ALL[fact.side]
    place = f"on a square it could reach or capture on {reach}"
    match fact.what:
        case "burns":
            active = f"when it ends a move, all {every} {place} are removed"
            passive = f"{one} that ends a move {place} is removed"
        case "immobilises":
            active = f"after its own move, {every} {place} cannot move"
            passive = f"{one} that comes to stand {place} cannot move"
        case "shoots":
            active = f"after its own move it captures without moving {every} {place}"
            passive = f"{one} that moves to where this piece could capture it {reach} is captured"
            passive += ", and this piece stays where it is"
    most = f", {words.number(fact.most)} at a time at most" if fact.most else ""
    told = [active] if fact.when != "passive" else []
    told += [passive] if fact.when != "active" else []
    return "; ".join(f"{text}{most}" for text in told)

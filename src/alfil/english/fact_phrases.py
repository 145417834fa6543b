"""What the rules, conditions and facts of a movement say, in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, assert_never

from alfil.english import words
from alfil.english.leg_phrases import MOVE_OR_CAPTURE_ENDS
from alfil.errors import join_words
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector
from alfil.movement import nodes
from alfil.source import printable

# A movement inside a sentence: as what a piece may do, or as the manner of something.
InlinePhrase = Callable[[nodes.Movement], str]
Purpose = Literal["moving", "capturing"]

PIECE_OF_SIDE: dict[nodes.Side, str] = {
    "friends": "a friend",
    "enemies": "an enemy",
    "all": "a piece of either side",
}
PIECES_OF_SIDE: dict[nodes.Side, str] = {
    "friends": "friends",
    "enemies": "enemies",
    "all": "pieces of either side",
}

Passages = frozenset[nodes.Passage]
PASSED: dict[nodes.Side, Passages] = {
    "enemies": frozenset({"pass-enemy", "pass-royal"}),
    "friends": frozenset({"pass-friend"}),
    "all": frozenset({"pass-enemy", "pass-royal", "pass-friend"}),
}
TAKEN: dict[nodes.Side, Passages] = {
    "enemies": frozenset({"take-enemy", "take-royal"}),
    "friends": frozenset({"take-friend"}),
    "all": frozenset({"take-enemy", "take-royal", "take-friend"}),
}
HURDLES: dict[nodes.Side, Passages] = {
    "enemies": frozenset({"hop-enemy", "hop-royal"}),
    "friends": frozenset({"hop-friend"}),
    "all": frozenset({"hop-enemy", "hop-royal", "hop-friend"}),
}

ANY_PURPOSE: frozenset[Purpose] = frozenset({"moving", "capturing"})
MAY_JUMP = "able to jump over"
CAPTURING_EVERY = "capturing every"
JUMP_ALL_PHRASE = f"{MAY_JUMP} any pieces in its way"


def quoted(text: str) -> str:
    """Words of the author, as such."""
    return f"“{printable(' '.join(text.split()))}”"


class EnclosingRules(NamedTuple):
    """What the rules and repeats around a way make of it.

    ``purposes`` are those left. ``jumps`` are what rules let it pass, how many of each side;
    ``blocks`` are the pieces that block a leap, ``rampage`` is what the rules say together of
    captures on the way, ``runs_over`` whether that is still to be told, ``spares`` whether it may
    jump over some of those that it captures otherwise,
    ``greedy`` where it stops only at the farthest square, ``looped`` inside a repeat, ``later``
    where the move may have begun before it, ``early`` where it may go on. ``large`` is true of a
    piece of several squares, in whose way a piece may be on more than one square. ``free`` is true
    where rules around a whole way let it pass anything.
    ``round_starts`` are the steps with which rounds around it begin, none where not all are known.
    ``wayside`` is what it may pass between its legs because rules around all of these say so.
    """

    purposes: frozenset[Purpose] = ANY_PURPOSE
    jumps: tuple[nodes.Jumping, ...] = ()
    rampage: nodes.Rampage | None = None
    runs_over: bool = False
    spares: bool = False
    blocks: nodes.Side | None = None
    greedy: bool = False
    looped: bool = False
    later: bool = False
    early: bool = False
    free: bool = False
    large: bool = False
    round_starts: tuple[Vector, ...] = ()
    wayside: Passages = frozenset()

    def inside_rule(self, within: nodes.Within) -> EnclosingRules:
        """The rules of a way inside one rule more."""
        match within.rule:
            case nodes.Only() if capture_condition_phrase(within):
                return self
            case nodes.Only(what=what):
                return self._replace(purposes=self.purposes & {what})
            case nodes.NotJumping(side=side):
                return self._replace(blocks=side if self.blocks in {None, side} else "all")
            case nodes.Jumping() if self.free:
                return self
            case nodes.Jumping() as jump:
                return self._replace(jumps=_merged_jump_rules((*self.jumps, jump)))
            case nodes.Rampage() as rampage:
                rampage = _merged_rampage(self.rampage, rampage)
                jumped = self.wayside | _jumpable_passages(nodes.walk(within))
                return self._replace(
                    rampage=rampage,
                    runs_over=True,
                    spares=not PASSED[rampage.side].isdisjoint(jumped),
                    greedy=self.greedy or rampage.farthest,
                )
            case nodes.Rifle():
                return self
            case _:
                assert_never(within.rule)

    @property
    def may_jump_anything(self) -> bool:
        """Whether it may pass anything."""
        return nodes.Jumping("all") in self.jumps

    @property
    def jump_and_capture_phrases(self) -> tuple[str, ...]:
        """Phrases of what the rules say of the squares passed."""
        result = []
        if self.jumps:
            result.append(_jump_phrase(self.jumps, large_piece=self.large, before=self.wayside))
        if self.runs_over and self.rampage:
            spared = not PASSED[self.rampage.side].isdisjoint(_jumpable_passages(self.jumps))
            result.append(_rampage_phrase(self.rampage, spares=self.spares or spared))
        return tuple(result)

    def without_farthest_stop(self) -> EnclosingRules:
        """The rules of what captures without moving, and so has no farthest stop."""
        if self.rampage is None or not self.rampage.farthest:
            return self
        rampage = nodes.Rampage(self.rampage.side)
        return self._replace(rampage=rampage, runs_over=True, greedy=False)

    def without_whole_way_phrases(self) -> EnclosingRules:
        """The rules of the legs of a way, of which the whole is said to go in these manners."""
        taken = TAKEN[self.rampage.side] if self.runs_over and self.rampage else frozenset()
        return self._replace(
            jumps=(),
            runs_over=False,
            free=self.free or self.may_jump_anything,
            wayside=self.wayside | _jumpable_passages(self.jumps) | taken,
        )

    def allowed_ends(self, ends: Collection[nodes.End]) -> frozenset[nodes.End]:
        """What a move may end on of these, as the purposes leave it."""
        result = _replace_away_ends(ends)
        if "moving" not in self.purposes:
            result -= {"empty"}
        return result if "capturing" in self.purposes else result & {"empty"}

    def ends_and_ending_phrases(
        self, ends: Collection[nodes.End]
    ) -> tuple[frozenset[nodes.End], tuple[str, ...]]:
        """What a move may end on; where it captures on its way, that is said of its end alone."""
        rampage = any(not way.startswith(MAY_JUMP) for way in self.jump_and_capture_phrases)
        if not rampage or self.purposes == ANY_PURPOSE:
            return self.allowed_ends(ends), ()
        kind = "an empty square" if self.purposes == {"moving"} else "a capture"
        return _replace_away_ends(ends), (f", ending on {kind} only",)

    def jump_and_capture_phrases_with_commas(
        self, omitted_prefix: str | None = None
    ) -> tuple[str, ...]:
        """The phrases of the rules, but for those that begin with ``omitted_prefix``."""
        ways = [
            way
            for way in self.jump_and_capture_phrases
            if omitted_prefix is None or not way.startswith(omitted_prefix)
        ]
        return tuple(f", {way}" for way in ways)

    def unblocked_passages(self, passages: tuple[nodes.Passage, ...]) -> tuple[nodes.Passage, ...]:
        """What may stand where a leg goes on, of these, where some pieces may not be jumped."""
        if not self.blocks:
            return passages
        over = HURDLES[self.blocks] | PASSED[self.blocks]
        return tuple(each for each in passages if each not in over)

    def unjumpable_phrase(self) -> str:
        """The phrase of what a leap may not pass over, nothing where it may pass anything."""
        return f" without jumping over {PIECES_OF_SIDE[self.blocks]}" if self.blocks else ""


def outermost_rules(movement: nodes.Movement) -> EnclosingRules:
    """The rules around the ways of a piece: none."""
    sizes = [each for each in nodes.walk(movement.facts) if isinstance(each, nodes.Size)]
    return EnclosingRules(large=any(size.files * size.ranks > 1 for size in sizes))


def _replace_away_ends(ends: Collection[nodes.End]) -> frozenset[nodes.End]:
    """Ends in words: those away from where the move began are empty squares too."""
    if ends == ("empty", "enemy", "royal"):
        return MOVE_OR_CAPTURE_ENDS
    return frozenset(nodes.away_as_empty(ends))


def _jumpable_passages(rules: Iterable[object]) -> Passages:
    """What rules let a move jump over; other nodes count for nothing."""
    sides = [rule.side for rule in rules if isinstance(rule, nodes.Jumping)]
    return frozenset().union(*(PASSED[side] for side in sides))


def _merged_jump_rules(rules: Sequence[nodes.Jumping]) -> tuple[nodes.Jumping, ...]:
    """What several rules let a move pass together: one rule for each side, any number first."""
    endless = {rule.side for rule in rules if rule.most is None}
    if "all" in endless or len(endless) > 1:
        return (nodes.Jumping("all"),)
    # Who may pass all of one side needs what is left for the other one.
    others: dict[nodes.Side, nodes.Side] = {"friends": "enemies", "enemies": "friends"}
    counts = dict[nodes.Side, int]()
    for rule in rules:
        side = others[min(endless)] if rule.side == "all" and endless else rule.side
        if rule.most is not None and side not in endless:
            counts[side] = counts.get(side, 0) + rule.most
    counted = (nodes.Jumping(side, counts[side]) for side in PASSED if side in counts)
    return (*map(nodes.Jumping, endless), *counted)


def _jump_phrase(
    rules: Sequence[nodes.Jumping],
    *,
    large_piece: bool = False,
    before: Passages = frozenset(),
) -> str:
    """What rules let a move pass; ``before`` is what others let it pass to which that adds."""
    if nodes.Jumping("all") in rules:
        return JUMP_ALL_PHRASE
    whom, besides = list[str](), ""
    for rule in rules:
        pieces, one = PIECES_OF_SIDE[rule.side], _piece_noun_of_side(rule.side)
        more = not PASSED[rule.side].isdisjoint(before)
        before |= PASSED[rule.side]
        if rule.most is None:
            whom.append(f"any {pieces}")
            besides = " besides" if more else ""
            continue
        count = f"at most {words.number_word(rule.most)}{' more' if more else ''}"
        where = f"{pieces} on {count} square{'s'[: rule.most > 1]}"
        whom.append(where if large_piece else f"{count} {one if rule.most == 1 else pieces}")
    return f"{MAY_JUMP} {join_words(whom, 'and')} in its way{besides}"


def _merged_rampage(outer: nodes.Rampage | None, inner: nodes.Rampage) -> nodes.Rampage:
    """A rampage inside another, each of which lets a move capture, and may ask for the farthest."""
    if outer is None:
        return inner
    side: nodes.Side = inner.side if inner.side == outer.side else "all"
    return nodes.Rampage(side, farthest=outer.farthest or inner.farthest)


def capture_condition_phrase(within: nodes.Within, *, early: bool = False) -> str:
    """What is said of a way that may capture before it ends, where it must or may not capture.

    ``early`` where the move may go on: what only captures may be passed without a capture then.
    """
    if not isinstance(within.rule, nodes.Only) or not nodes.may_capture_on_the_way(within.way):
        return ""
    if within.rule.what == "moving":
        return ", if it captures nothing that way"
    return f",{' stopping there only' if early else ''} if it captures something that way"


def _rampage_phrase(rule: nodes.Rampage, *, spares: bool = False) -> str:
    """What a rule lets a move capture; ``spares`` where it may jump over it instead."""
    over = "runs over" if rule.side == "enemies" else "runs over or ends on"
    far = ", and stopping only at the farthest square it can" if rule.farthest else ""
    unless = ", unless it jumps over it" if spares else ""
    return f"{CAPTURING_EVERY} {_piece_noun_of_side(rule.side)} it {over}{unless}{far}"


def _piece_noun_of_side(side: nodes.Side) -> str:
    return PIECE_OF_SIDE[side].partition(" ")[2]


def move_condition_phrase(when: nodes.When) -> str:
    """When a move may be made, nothing for one that always may."""
    match when:
        case nodes.OnMove(number=number):
            return f"on its {words.ordinal_word(number)} move"
        case nodes.EveryMove(number=number, of=of):
            what = "move of its own" if of == "piece" else "turn of its side"
            return f"on every {words.ordinal_word(number)} {what}" if number > 1 else ""
        case nodes.ThirdRank():
            return "where a piece like it and of its side stood straight behind it at the start,"
        case nodes.OnSquare(ground=ground):
            return words.FROM_SQUARE_PHRASES[ground]
        case _:
            assert_never(when)


def condition_phrases(when: Sequence[nodes.When | nodes.Rule]) -> tuple[str, ...]:
    """The conditions among these, in words."""
    condition_texts = [move_condition_phrase(each) for each in when if isinstance(each, nodes.When)]
    return tuple(filter(None, condition_texts))


def fact_sentence(fact: nodes.Fact, inline: InlinePhrase, as_gerund: InlinePhrase) -> str:
    """A fact as a sentence without its full stop, with the rules around it but no conditions."""
    rules = [_move_rule_phrase(each) for each in fact.within if not isinstance(each, nodes.When)]
    about = f" (said of a move that {join_words(rules, 'and')})" if rules else ""
    return truth_sentence(fact.truth, inline, as_gerund) + about


def _move_rule_phrase(rule: nodes.Rule) -> str:
    match rule:
        case nodes.Only(what=what):
            return "never captures" if what == "moving" else "only captures"
        case nodes.Jumping():
            return f"is {_jump_phrase([rule])}"
        case nodes.NotJumping(side=side):
            return f"never jumps over {PIECES_OF_SIDE[side]}"
        case nodes.Rampage():
            return f"goes on {_rampage_phrase(rule)}"
        case nodes.Rifle(side=side):
            return f"captures {PIECE_OF_SIDE[side]} without moving"
        case _:
            assert_never(rule)


def truth_sentence(fact: nodes.Truth, inline: InlinePhrase, as_gerund: InlinePhrase) -> str:
    """A fact about the piece, as a sentence without its full stop."""
    match fact:
        case nodes.Royal(survive="all"):
            return "it is royal, and all royal pieces of its side must survive"
        case nodes.Royal():
            return "it is royal, but one surviving royal piece of its side is enough"
        case nodes.Promotion(condition=when, into=into):
            names_in_words = join_words([_promotion_target_phrase(each, inline) for each in into])
            return f"it promotes {_promotion_condition_phrase(when, inline)} to {names_in_words}"
        case nodes.Iron():
            return _iron_phrase(
                fact, [_words_or_move_phrase(each, inline) for each in fact.exceptions]
            )
        case nodes.Size(files=files, ranks=ranks):
            return f"it is {words.squares_words(files)} wide and {words.squares_words(ranks)} high"
        case nodes.Effect():
            return effect_sentence(fact, as_gerund)
        case nodes.Declared(name=name, parameters=parameters):
            phrases = [
                f"{quoted(each.name)}{' (optional)' if each.optional else ''}"
                for each in parameters
            ]
            parameter_phrase = (
                f"of {join_words(phrases, 'and')}" if phrases else "without parameters"
            )
            return f"the function {quoted(name)} {parameter_phrase} is declared"
        case _:
            assert_never(fact)


def _promotion_condition_phrase(when: str | nodes.Movement, inline: InlinePhrase) -> str:
    """The condition of a promotion."""
    by = _words_or_move_phrase(when, inline)
    return f"on the condition {by}" if isinstance(when, str) else f"after {by}"


def _promotion_target_phrase(into: str | nodes.Movement, inline: InlinePhrase) -> str:
    return quoted(into) if isinstance(into, str) else f"a piece that may {inline(into)}"


def _words_or_move_phrase(by: str | nodes.Movement, inline: InlinePhrase) -> str:
    if isinstance(by, str):
        return quoted(by)
    capturers = inline(by)
    return f"a move of this kind: {capturers if capturers.startswith('(') else f'({capturers})'}"


def _iron_phrase(iron: nodes.Iron, names_in_words: Sequence[str]) -> str:
    if iron.by == "anything" or not names_in_words:
        return "it cannot be captured"
    if iron.by == "these":
        return f"it cannot be captured by {join_words(names_in_words)}"
    return f"it can be captured only by {join_words(names_in_words)}"


def effect_sentence(fact: nodes.Effect, as_gerund: InlinePhrase) -> str:
    """What a piece does to others in range, as a sentence without its full stop."""
    reach = as_gerund(fact.reach)
    one, every = PIECE_OF_SIDE[fact.side], PIECES_OF_SIDE[fact.side]
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
    most = f", {words.number_word(fact.most)} at a time at most" if fact.most else ""
    phrases = [active] if fact.when != "passive" else []
    phrases += [passive] if fact.when != "active" else []
    return "; ".join(f"{text}{most}" for text in phrases)

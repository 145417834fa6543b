"""A movement in Ħasínū: `in_hasinu`.

An option is translated directly where Ħasínū has words for it, otherwise from its meaning: the
automaton is taken apart into rows and these are put together as bent moves and loops. Whatever
comes out is compiled again and compared; only what is the same piece counts as found.

Some options have no form by themselves but have one beside others: ``yafsF`` must not stop on its
first square, yet with F beside it that stop is allowed anyway. For these a move that may do more is
taken, if all it may do is allowed by some option or other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product

from alfil.effort import remembered
from alfil.errors import Finding, MeaningError, refuse
from alfil.frozen import NamedTuple
from alfil.geometry import MOST_BOXED, everywhere
from alfil.meaning.automaton import CAPTURES, ON_EMPTY, Automaton, Key, TooManyStates
from alfil.meaning.compare import PROOF_BUDGET, contains, same_meaning
from alfil.meaning.compile import meaning_of
from alfil.meaning.normal import any_of
from alfil.meaning.piece import EMPTY, Condition, Guard, Meaning, Part
from alfil.movement.nodes import CAPTURE, MOVE, Effect, End, Fact, Leg, Movement, Option, takes
from alfil.movement.rows import Unsayable
from alfil.notation.betza.writer import write_betza
from alfil.notation.hasinu.bends import terms_of
from alfil.notation.hasinu.canonical import canonical
from alfil.notation.hasinu.nodes import Embedded, HasinuTerm, Name, Number
from alfil.notation.hasinu.resolve import resolve_hasinu
from alfil.notation.hasinu.spell import (
    EFFECTS,
    as_first_move,
    blocked,
    called,
    is_roundabout,
    lion,
    over_one,
    spelled,
)
from alfil.notation.hasinu.writer import write_hasinu
from alfil.notation.nodes import Description
from alfil.source import Source
from alfil.translation.betza import option_in_betza
from alfil.translation.losses import Given, Said, TranslationLoss, findings, losses_in_hasinu
from alfil.translation.passing import farthest, loops, runs_over
from alfil.translation.rows import rows_of

DIALECT = "betza"
UNSAID, UNPROVED = "no-hasinu-form", "its parts together could not be proved to be the same piece"
# What a piece may always do, and what it may do as its first move.
_ALWAYS: Guard = ()
_FIRST: Guard = (Condition("move", 1),)
# Automata with more states or more first steps than this are not taken apart.
LARGEST = 1_000
WIDEST = 80
# Larger ones are not taken for loops.
GUESSED = 150
# Paths of so many steps are long.
MANY_STEPS = 3
# So much work is done to prove that no board can hold any path, and that others have all moves
# of an option.
HOPELESS = 8_000
WITHIN_BUDGET = 4_000
# And so much to prove a guess.
GUESS_BUDGET = 8_000

Terms = tuple[HasinuTerm, ...]
NOWHERE = Source("", "<hasinu>")


def in_hasinu(given: Given, on_loss: str) -> tuple[Description, tuple[Finding, ...]]:
    """A movement as a Ħasínū tree in canonical form, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them; with "lossy" the options
    without a form are left out, and the result may do no more than the original; with "escape" they
    are embedded as Betza, and nothing is lost. A lossy result without any move raises too. Facts
    are written or raise, whatever the policy. Raises `MeaningError` for a piece too large to
    compile.
    """
    facts = tuple(dict.fromkeys(given.movement.facts))
    stated = tuple(term for fact in facts if (term := _stated(fact)) is not None)
    if len(stated) < len(facts):
        told = [("nothing", fact.span) for fact in facts]
        losses = findings(told, "hasinu", given.places, given.movement.span, "leave it out")
        raise TranslationLoss(losses, given.source)
    if not given.movement.options:
        return _described(stated), ()
    terms, losses = _moves_in_hasinu(given, on_loss)
    return _described((*terms, *stated)), losses


def _stated(fact: Fact) -> HasinuTerm | None:
    """The call that states what a piece does to others, None for other facts."""
    effect = fact.truth
    reach = _directly(effect.reach.options) if isinstance(effect, Effect) else None
    if not isinstance(effect, Effect) or not reach or len(reach) > 1:
        return None
    (move,) = reach
    wanted = meaning_of(Movement((), (fact,)), NOWHERE)
    number = () if effect.most is None else (Number(effect.most),)
    sides, times = ("", "F", "E", "FE"), ("", "A", "P", "PA")
    for name, side, time in product(EFFECTS, sides, times):
        term = called(name, move, *map(Name, filter(None, (side, time))), *number)
        if _meaning((term,)).facts == wanted.facts:
            return term
    return None


def _moves_in_hasinu(given: Given, on_loss: str) -> tuple[Terms, tuple[Finding, ...]]:
    """The moves of `in_hasinu`."""
    options = tuple(dict.fromkeys(given.movement.options))
    quick = _directly(options)
    if quick is not None and _means(quick, meaning_of(Movement(options), given.source)):
        return quick, ()
    said = _said(options, given)
    found_lost = (loss for each in said for loss in each.losses)
    losses = tuple(sorted(found_lost, key=lambda loss: loss.spans))
    kept = [each.terms for each in said if each.terms is not None]
    if losses and (on_loss == "strict" or (on_loss == "lossy" and not any(kept))):
        raise TranslationLoss(losses, given.source)
    # Every option has been compared by itself, and beside the others where it says more.
    found = canonical(term for terms in kept for term in terms)
    if not same_meaning(_meaning(found), any_of(map(_meaning, kept))):
        refuse(TranslationLoss, UNSAID, UNPROVED, given.source, hint="write fewer parts")
    if on_loss == "lossy" or not losses:
        return found, losses
    lost = [each for one in said if one.terms is None for each in one.given]
    embedded = [option_in_betza(each, given) for each in lost if isinstance(each, Option)]
    if None in embedded:
        raise TranslationLoss(losses, given.source)
    more = [Embedded(Description(parts or (), "betza", DIALECT)) for parts in embedded]
    return (*found, *dict.fromkeys(more)), ()


def _said(options: tuple[Option, ...], given: Given) -> list[Said[HasinuTerm]]:
    """What becomes of the options; a part of the text that has no form takes no other with it.

    Folding tells each way to end once, so that what only captures royal pieces may take these
    captures from a leg that is plain without it.
    """
    pieces = _Pieces(options, given)
    said = pieces.said()
    lost = _lost(said)
    if not lost or lost.issubset(given.apart()):
        return said
    parts = _Pieces(given.apart(), given, pieces)
    if parts.all_unsaid() and None not in [option_in_betza(each, given) for each in lost]:
        return said
    alone = parts.said()
    lost = _lost(alone)
    kept = given.without(lost)
    together = _Pieces(kept, given).said() if kept else []
    if _lost(together):
        return alone
    return [*together, *(each for each in alone if each.terms is None)]


def _lost(said: Iterable[Said[HasinuTerm]]) -> set[Option]:
    lost = [option for each in said if each.terms is None for option in each.given]
    return {option for option in lost if isinstance(option, Option)}


def _directly(options: Sequence[Option]) -> Terms | None:
    """The direct counterparts of all options in canonical form, not yet verified."""
    found = [spelled(option) for option in options]
    return None if None in found else canonical(term for terms in found for term in terms or ())


def _described(terms: Terms) -> Description:
    return Description(terms, "hasinu", DIALECT)


@remembered(maxsize=1024)
def _meaning(terms: Terms) -> Meaning:
    """The meaning of moves that a translation has made."""
    return meaning_of(resolve_hasinu(_described(terms)), NOWHERE)


def _means(terms: Terms, meaning: Meaning, budget: int = PROOF_BUDGET) -> bool:
    """Whether moves have exactly this meaning; moves too large to be compiled have none."""
    try:
        return same_meaning(_meaning(terms), meaning, budget)
    except MeaningError:
        return False


def _within(smaller: Meaning, larger: Meaning) -> bool:
    """Whether a piece may do nothing that the other may not; no where that is hard to tell."""
    # A leap to any square has thousands of first steps, and each is looked at again and again.
    steps = sum(len(part.automaton.states[0]) for part in larger.parts)
    return contains(larger, smaller, WITHIN_BUDGET + 2 * steps)


def _sayings(meaning: Meaning) -> Terms | None:
    """Moves with exactly this meaning, or None where none are found."""
    for terms in _candidates(meaning):
        if _means(terms, meaning, GUESS_BUDGET):
            return terms
    return () if same_meaning(meaning, EMPTY, HOPELESS) else None


def _stops_allowed(meaning: Meaning, whole: Meaning) -> tuple[End, ...]:
    """How the whole piece may end after the first steps of one option, which must not stop there.

    What it may do with fewer conditions it may do then too.
    """
    allowed = ON_EMPTY | CAPTURES
    for guard, automaton in meaning.parts:
        around: dict[Key, int] = {}
        for by, other in whole.parts:
            for record in other.states[0] if set(by) <= set(guard) else ():
                around[record[:3]] = around.get(record[:3], 0) | record[3]
        for record in automaton.states[0]:
            allowed &= around.get(record[:3], 0)
    captures = CAPTURE if allowed & CAPTURES == CAPTURES else ()
    return (*(MOVE if allowed & ON_EMPTY else ()), *captures)


def _lions(option: Option, whole: Meaning) -> Iterator[Terms]:
    """The lions that the whole piece may be, by the areas to all squares of which it leaps."""
    leaps = {record[:2] for part in whole.parts for record in part.automaton.states[0]}
    sides = sorted(product(range(MOST_BOXED + 1), repeat=2), key=sum, reverse=True)
    for x, y in (each for each in sides if max(each) > 1):
        if leaps.issuperset(everywhere(x, y)):
            yield as_first_move([lion(x, y)]) if option.when else (lion(x, y),)


def _candidates(meaning: Meaning, stops: tuple[End, ...] = ()) -> Iterator[Terms]:
    """Moves that may have a meaning, the shortest first; legs must not end but as ``stops`` says.

    There are two ways to cut rows into legs. Loops are guessed at where no rows are right, and of
    long paths first: these have many rows.
    """
    rows = _of_rows(meaning, stops)
    match meaning.parts:
        case (Part(guard, automaton),) if guard == _ALWAYS and len(automaton.states) <= GUESSED:
            most = farthest(automaton)
            rounds = ((loop,) for loop in loops(automaton, most))
            yield from chain(rounds, rows) if most >= MANY_STEPS else chain(rows, rounds)
        case _:
            yield from rows


def _of_rows(meaning: Meaning, stops: tuple[End, ...]) -> Iterator[Terms]:
    """Moves for the rows of a meaning, the shortest first."""
    parts = [_without_runs(guard, automaton) for guard, automaton in meaning.parts]
    if None in parts:
        return
    found: dict[Terms, None] = {}
    for single in (False, True):
        ways = [_of_part(part, stops, single=single) for part in parts if part]
        found.update(dict.fromkeys(tuple(chain(*way)) for way in product(*ways)))
    yield from sorted(found, key=lambda terms: len(_text(terms)))


def _text(terms: Terms) -> str:
    return write_hasinu(_described(terms))


class _Part(NamedTuple):
    """A part of a meaning: the terms for its runs over pieces, and the rest of its moves."""

    guard: Guard
    runs: Terms
    rest: Automaton


def _without_runs(guard: Guard, automaton: Automaton) -> _Part | None:
    """A part that can be taken apart, None for any other."""
    states = automaton.states
    if guard not in {_ALWAYS, _FIRST} or len(states) > LARGEST or len(states[0]) > WIDEST:
        return None
    runs = runs_over(automaton, _has)
    return _Part(guard, *runs) if runs else _Part(guard, (), automaton)


def _of_part(part: _Part, stops: tuple[End, ...], *, single: bool) -> list[Terms]:
    """Moves that may be one part of a meaning."""
    guard, runs, rest = part
    try:
        rows = rows_of(rest, single=single, apart=True) if rest else []
        found = [(*runs, *terms) for terms in terms_of(rows, stops)]
    except Unsayable:
        return []
    return [as_first_move(terms) for terms in found] if guard == _FIRST else found


def _has(term: HasinuTerm, moves: Automaton) -> bool:
    """Whether a term has just these moves, at any time."""
    return _means((term,), Meaning((Part((), moves),)))


@dataclass(slots=True, eq=False)
class _Piece:
    """One option: its meaning (None where it cannot be compiled), and its terms when found.

    ``into`` is the option whose terms say this one too; ``wide`` is true of terms that say more.
    """

    option: Option
    meaning: Meaning | None
    terms: Terms | None = None
    refused: tuple[Finding, ...] = ()
    wide: bool = False
    into: _Piece | None = None


@dataclass(slots=True)
class _Pieces:
    """The options of a piece. ``whole`` is the meaning of all that can be compiled.

    Nothing was found for the whole where it has been ``tried``, with options that may be others.
    Raises `MeaningError` for options that can be compiled one by one but not together.
    """

    options: tuple[Option, ...]
    given: Given
    tried: _Pieces | None = None
    whole: Meaning = field(init=False)
    _pieces: list[_Piece] = field(init=False)

    def __post_init__(self) -> None:
        known = self.tried.unsaid() if self.tried else {}
        self._pieces = [known.get(option) or self._alone(option) for option in self.options]
        if self.tried is not None:
            self.whole = self.tried.whole
            return
        try:
            self.whole = any_of(each.meaning for each in self._pieces if each.meaning)
        except TooManyStates:
            self.whole = meaning_of(Movement(self.options), self.given.source)

    def said(self) -> list[Said[HasinuTerm]]:
        """What became of the options."""
        tried = self.tried.unsaid() if self.tried else {}
        for piece in self._pieces:
            if piece.option in tried:
                continue
            forced = piece.terms is None or is_roundabout(piece.terms)
            if forced and piece.meaning is not None and len(self._pieces) > 1:
                self._beside(piece)
        for piece in self._pieces:
            if piece.wide:
                self._absorb(piece)
        said = [self._told(piece) for piece in self._pieces if piece.into is None]
        known = [each.terms for each in said]
        terms = tuple(chain(*(each or () for each in known)))
        untried = self.tried is None and len(self._pieces) > 1
        if untried and (None in known or is_roundabout(terms)):
            every = all(piece.meaning is not None for piece in self._pieces)
            whole = _sayings(self.whole) if every else None
            if whole and (None in known or len(_text(whole)) < len(_text(terms))):
                return [Said(self.options, whole)]
        return said

    def all_unsaid(self) -> bool:
        """Whether none of the options that were not tried before has terms of its own."""
        tried = self.tried.options if self.tried else ()
        return not any(each.terms for each in self._pieces if each.option not in tried)

    def unsaid(self) -> dict[Option, _Piece]:
        """The options for which nothing was found beside the others either."""
        return {each.option: each for each in self._pieces if each.terms is None}

    def _meaning(self, option: Option) -> Meaning:
        return meaning_of(Movement((option,), span=option.span), self.given.source)

    def _alone(self, option: Option) -> _Piece:
        """An option with the terms that have exactly its meaning, if there are any."""
        try:
            meaning = self._meaning(option)
        except MeaningError as error:
            return _Piece(option, None, refused=error.findings)
        terms = spelled(option)
        if terms is None or not _means(terms, meaning):
            terms = _sayings(meaning)
        return _Piece(option, meaning, terms)

    def _beside(self, piece: _Piece) -> None:
        """Look for terms that say more than one option, but no more than all options do.

        Where the option has terms of its own, for shorter ones.
        """
        assert piece.meaning is not None
        for terms in self._wider(piece.option, piece.meaning):
            if piece.terms and len(_text(terms)) >= len(_text(piece.terms)):
                continue
            try:
                said = _meaning(terms)
            except MeaningError:
                continue
            if _within(piece.meaning, said) and _within(said, self.whole):
                piece.terms, piece.wide = terms, True
                return

    def _wider(self, option: Option, meaning: Meaning) -> Iterator[Terms]:
        """Terms with all moves of an option and some more; they have not been compared with it."""
        hops = over_one(option)
        if hops is not None:
            yield hops
        if any(takes(each.way) for each in self.options):
            yield from _lions(option, self.whole)
        stops = _stops_allowed(meaning, self.whole)
        if stops:
            yield from _candidates(meaning, stops)

    def _absorb(self, wide: _Piece) -> None:
        """Leave out what the terms of one option say of others."""
        assert wide.terms is not None
        said = _meaning(wide.terms)
        for other in self._pieces:
            if other.wide or other.into or not other.terms or other.meaning is None:
                continue
            rest = () if _within(other.meaning, said) else self._beyond(other.option, said)
            if rest is not None:
                other.into, other.terms = wide, rest

    def _beyond(self, option: Option, said: Meaning) -> Terms | None:
        """The terms for those directions of a leg that are not said yet, None where all are new."""
        way = option.way
        if not isinstance(way, Leg):
            return None
        new = tuple(
            step
            for step in way.steps
            if not _within(self._meaning(replace(option, way=replace(way, steps=(step,)))), said)
        )
        if len(new) == len(way.steps):
            return None
        return spelled(replace(option, way=replace(way, steps=new)))

    def _told(self, piece: _Piece) -> Said[HasinuTerm]:
        piece.terms = piece.terms or self._blocked(piece)
        if piece.terms is None:
            losses = piece.refused or self._losses(piece.option)
            return Said((piece.option,), None, losses)
        others = [each for each in self._pieces if each.into is piece]
        more = tuple(term for each in others for term in each.terms or ())
        given = (piece.option, *(each.option for each in others))
        return Said(given, (*piece.terms, *more))

    def _blocked(self, piece: _Piece) -> Terms | None:
        """A leap that can be blocked: what other terms may say of it is plainer than nj."""
        terms = blocked(piece.option)
        found = terms is not None and piece.meaning is not None and _means(terms, piece.meaning)
        return terms if found else piece.terms

    def _losses(self, option: Option) -> tuple[Finding, ...]:
        parts = option_in_betza(option, self.given)
        hint = "leave it out"
        if parts:
            text = write_betza(Description(parts, "betza", DIALECT), DIALECT)
            hint = f"keep it as embedded Betza: \\{text}"
        return losses_in_hasinu(option, self.given.places, hint)

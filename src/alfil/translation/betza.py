"""A movement in Betza: `in_betza`, and `option_in_betza` for one option alone.

Betza is written from the meaning: the automaton is taken apart into rows, and rows of one shape
become one part. So all options are best translated together; only where that fails are they taken
one by one. Moves that repeat themselves are guessed at. Whatever comes out is compiled again and
compared; only what is the same piece counts as found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from typing import TypeAlias

from alfil.effort import remembered
from alfil.errors import AlfilError, Finding, MeaningError
from alfil.meaning.automaton import Automaton
from alfil.meaning.compare import same_meaning
from alfil.meaning.compile import meaning_of
from alfil.meaning.piece import EMPTY, Condition, Guard, Meaning
from alfil.movement.nodes import (
    Foreign,
    Movement,
    OnMove,
    Option,
    Repeat,
    ThirdRank,
    When,
    only_words,
    walk,
)
from alfil.movement.rows import Row, Unsayable
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.phrases import UNIT, ordered, part, parts_of
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.betza.spell import spelled
from alfil.notation.betza.writer import write_betza
from alfil.notation.nodes import Description
from alfil.source import Source
from alfil.translation.losses import Given, Said, TranslationLoss, losses_in_betza
from alfil.translation.rows import rows_of
from alfil.translation.wandering import wandering

Parts: TypeAlias = tuple[BetzaTerm, ...]

DIALECT = "betza"
NOWHERE = Source("", "<betza>")
# The conditions of parts, as movements have them.
WHEN: dict[Guard, tuple[When, ...]] = {
    (): (),
    (Condition("move", 1),): (OnMove(1),),
    (Condition("third-rank"),): (ThirdRank(),),
}
# Larger automata are not taken apart.
MOST_STATES = 500
# More loops than this are not tried in pairs.
MOST_PAIRED = 4
# A guess that takes more work than this to prove is given up.
GUESS_BUDGET = 8_000
PAIR = 2
SINGLE_STEPS = {"W", "F"}


def in_betza(given: Given, on_loss: str = "strict") -> tuple[Description, tuple[Finding, ...]]:
    """A movement as a Betza tree of the default dialect, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them, in the order of the text; with
    "lossy" the terms without a form are left out, and the result may do no more than the original.
    A lossy result without any move raises too, and so do functions nobody knows.
    """
    said = _said(given)
    found = [loss for each in said for loss in each.losses]
    losses = tuple(sorted(found, key=lambda loss: loss.spans))
    parts = ordered(term for each in said for term in each.terms or ())
    if losses and (on_loss == "strict" or not parts):
        raise TranslationLoss(losses, given.source)
    return Description(parts, "betza", DIALECT), losses


def _said(given: Given) -> list[Said[BetzaTerm]]:
    """Options alone or with those they are translated together with; facts that have losses."""
    movement = given.movement
    if any(isinstance(each, Foreign) and not each.known for each in walk(movement)):
        meaning_of(movement, given.source)  # raises with all that is unknown
    stated: list[Said[BetzaTerm]] = []
    for fact in dict.fromkeys(movement.facts):
        losses = losses_in_betza(fact, given.places)
        if losses:
            stated.append(Said((fact,), None, losses))
    lost = [each.span for said in stated for each in said.given]
    terms: dict[object, list[Option]] = {}
    for option in dict.fromkeys(movement.options):
        # Options that stand in one function have its span, and are lost together, with its facts.
        if not any(option.span.start <= at.start and at.end <= option.span.end for at in lost):
            terms.setdefault(option.span if option.span.end else option, []).append(option)
    return [*_Moves(given).said([tuple(term) for term in terms.values()]), *stated]


def option_in_betza(option: Option, given: Given) -> Parts | None:
    """One option in Betza: as its author wrote it, or else from its meaning, or directly."""
    return _Moves(given).alone((option,)).terms


def _directly(term: tuple[Option, ...], meaning: Meaning) -> Parts | None:
    """The direct counterparts of options with a meaning, where these have it too."""
    found = [spelled(option) for option in term]
    parts = tuple(part for parts in found for part in parts or ())
    if None in found or not same_meaning(_meaning_of_parts(parts), meaning):
        return None
    return parts


def text_of(meaning: Meaning, dialect: str) -> str | None:
    """The shortest Betza that is found for exactly the moves of a meaning, None without any.

    It depends on nothing but the meaning and the dialect. Facts are left aside. This is the way
    from a table or a drawing to a notation.
    """
    return next((text for text, _ in _texts(meaning.without_facts(), dialect)), None)


def _saying(meaning: Meaning) -> Parts | None:
    """Parts with exactly this meaning, or None where none are found."""
    return next((parts for _, parts in _texts(meaning, DIALECT)), None)


def _texts(meaning: Meaning, dialect: str) -> Iterator[tuple[str, Parts]]:
    """Texts with exactly this meaning, the shortest first, and their parts."""
    found: dict[str, Parts] = {}
    for parts in chain.from_iterable(map(_and_wider, _candidates(meaning))):
        with suppress(AlfilError):
            found.setdefault(write_betza(Description(parts, "betza", DIALECT), dialect), parts)
    for text in sorted(found, key=len):
        with suppress(AlfilError):
            read = resolve_betza(read_betza(Source(text), dialect)[0])
            if same_meaning(meaning_of(read, NOWHERE), meaning, GUESS_BUDGET):
                yield text, found[text]


def _and_wider(parts: Parts) -> Iterator[Parts]:
    """Some parts, and guesses that say a little more, which others of the parts may say anyway.

    These are paths that may stop after each leg, and K for a chain of W or F, which may say the
    leaps besides.
    """
    yield parts
    stopping = tuple(_stopping(each) for each in parts)
    if stopping != parts:
        yield tuple(each for each in stopping if not isinstance(each, Leg))
        yield stopping
    for at, each in enumerate(parts):
        if isinstance(each, Chain) and each.atom.written in SINGLE_STEPS:
            both = Description((replace(each, atom=Atom("K", UNIT)),), "betza", DIALECT)
            others = (*parts[:at], *parts[at + 1 :])
            with suppress(AlfilError, Unsayable):
                wider = part(write_betza(both, DIALECT))
                yield (wider, *(other for other in others if not _is_leap(other)))


def _stopping(part: BetzaTerm) -> BetzaTerm:
    """A path that may stop after each of its legs; other parts as they are."""
    return replace(part, joins=("?",) * len(part.joins)) if isinstance(part, Path) else part


def _is_leap(part: BetzaTerm) -> bool:
    return isinstance(part, Leg) and part.range.steps == 1


@remembered(maxsize=256)
def _candidates(meaning: Meaning) -> tuple[Parts, ...]:
    """Parts that may have a meaning: by its rows, and guesses at what repeats itself."""
    try:
        moves = [(_when(guard), partial(_rows, each)) for guard, each in meaning.parts]
    except Unsayable:
        return ()
    found = [*parts_of(moves)]
    if not any(len(parts) == 1 and isinstance(parts[0], Leg) for parts in found):
        found += _guesses(meaning)
    return tuple(found)


def _when(guard: Guard) -> tuple[When, ...]:
    when = WHEN.get(guard)
    if when is None:
        raise Unsayable
    return when


def _rows(automaton: Automaton, *, single: bool) -> list[Row]:
    if len(automaton.states) > MOST_STATES:
        raise Unsayable
    return rows_of(automaton, single=single)


def _guesses(meaning: Meaning) -> Iterator[Parts]:
    """Guesses at moves that repeat themselves, where all have one condition."""
    if len(meaning.parts) != 1:
        return
    ((guard, automaton),) = meaning.parts
    when = WHEN.get(guard)
    if when is None:
        return
    for ways in wandering(automaton):
        terms = [spelled(Option(way, when)) for way in ways]
        if None not in terms:
            yield tuple(part for parts in terms for part in parts or ())


def _meaning_of_parts(parts: Parts) -> Meaning:
    return meaning_of(resolve_betza(Description(parts, "betza", DIALECT)), NOWHERE)


class _Moves:
    """The options of a movement; those that stand in one term of the text go together."""

    def __init__(self, given: Given) -> None:
        self._given = given

    def said(self, terms: Sequence[tuple[Option, ...]]) -> list[Said[BetzaTerm]]:
        """What becomes of the terms: all together, or else one by one."""
        every = tuple(option for term in terms for option in term)
        whole = self._together(every) if len(terms) > 1 else None
        if whole is not None:
            return [Said(every, whole)]
        said = list(self._paired(terms))
        paired = {option for each in said for option in each.given}
        alone = [self.alone(term) for term in terms if not paired.issuperset(term)]
        known = [each for each in alone if each.terms is not None]
        options = tuple(one for each in known for one in each.given if isinstance(one, Option))
        again = len(known) > 1 and options != every
        together = self._together(options) if again else None
        said += known if together is None else [Said(options, together)]
        return [*said, *(each for each in alone if each.terms is None)]

    def alone(self, term: tuple[Option, ...]) -> Said[BetzaTerm]:
        """What becomes of one term."""
        try:
            meaning = self._meaning(term)
        except MeaningError as error:
            return Said(term, None, error.findings)
        authored = [self._given.authored(option) for option in term]
        if None not in authored:
            return Said(term, tuple(part for parts in authored for part in parts or ()))
        parts = _saying(meaning) or _directly(term, meaning)
        if parts is not None:
            return Said(term, parts)
        lost = [option for option in term if only_words(option)] or term
        found = [loss for option in lost for loss in losses_in_betza(option, self._given.places)]
        return Said(term, None, tuple(dict.fromkeys(found)))

    def _paired(self, terms: Sequence[tuple[Option, ...]]) -> Iterator[Said[BetzaTerm]]:
        """Loops that are one part only in pairs: crooked moves that start either way."""
        left = [term for term in terms if isinstance(term[0].way, Repeat)]
        if len(terms) == len(left) == PAIR or len(left) > MOST_PAIRED:
            return
        for pair in combinations(left, PAIR):
            if set(pair) <= set(left):
                options = (*pair[0], *pair[1])
                parts = self._together(options)
                if parts is not None and len(parts) == 1:
                    left = [term for term in left if term not in pair]
                    yield Said(options, parts)

    def _together(self, options: Iterable[Option]) -> Parts | None:
        """Parts for some options as one; what is written in Betza stays what it is."""
        kept: list[BetzaTerm] = []
        others: list[Option] = []
        for option in options:
            authored = self._given.authored(option)
            kept += authored or ()
            if authored is None:
                others.append(option)
        try:
            meaning = self._meaning(others) if others else EMPTY
        except MeaningError:
            return None
        parts = _saying(meaning)
        return None if parts is None else ordered([*parts, *kept])

    def _meaning(self, options: Iterable[Option]) -> Meaning:
        options = tuple(options)
        span = options[0].span.to(options[-1].span)
        return meaning_of(Movement(options, span=span), self._given.source)

"""A movement in Betza: `to_betza`, and `option_in_betza` for one option alone.

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
from itertools import chain, combinations, islice
from typing import TypeAlias

from alfil.errors import AlfilError, Diagnostic, MeaningError
from alfil.geometry import UNIT_BASES
from alfil.meaning.automaton import EMPTY_AUTOMATON, Automaton, StepRecord
from alfil.meaning.compare_meanings import same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.meaning.piece_meaning import EMPTY_MEANING, Condition, Guard, Meaning
from alfil.movement.nodes import (
    Foreign,
    Movement,
    OnMove,
    Option,
    Repeat,
    ThirdRank,
    When,
    has_uncompilable_part,
    walk,
)
from alfil.movement.run_sequences import NotExpressible, RunSequence
from alfil.notation.betza.dialect_conversion import ep_capture_as_any_capture
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.parts_from_runs import (
    AS_FAR_MODE,
    parse_part,
    parts_of_sequences,
    unique_sorted_parts,
)
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.betza.spell import spell_option
from alfil.notation.betza.writer import write_betza
from alfil.notation.description import Description
from alfil.notation.vocabulary import DIALECTS
from alfil.source import Source
from alfil.translation.automaton_to_runs import (
    automaton_starting_with,
    has_move_passing_anything,
    sequences_of_automaton,
)
from alfil.translation.repeated_paths import candidate_repeated_ways
from alfil.translation.shortest_betza import shortest_parts
from alfil.translation.translation_losses import (
    TranslatedPart,
    TranslationLoss,
    TranslationRequest,
    fact_losses_in_betza,
    losses_in_betza,
)
from alfil.work_limit import LIMIT, cached_with_work, limited_task, work_left

Parts: TypeAlias = tuple[BetzaTerm, ...]

DIALECT = "betza"
UNKNOWN_SOURCE = Source("", "<betza>")
# The conditions of parts, as movements have them.
CONDITIONS_BY_GUARD: dict[Guard, tuple[When, ...]] = {
    (): (),
    (Condition("move", 1),): (OnMove(1),),
    (Condition("third-rank"),): (ThirdRank(),),
}
# Larger automata are not taken apart.
MAX_STATES = 500
# More loops than this are not tried in pairs.
MAX_PAIRED = 4
# A guess that takes more work than this to prove is given up.
GUESS_BUDGET = 8_000
# And one that takes more than this to compile and prove.
MAX_GUESS_WORK = 30_000
PAIR = 2
SINGLE_STEPS = {"W", "F"}


class _GuessGivenUp(Exception):
    """A guess takes more work than it is worth."""


def to_betza(
    request: TranslationRequest, on_loss: str = "strict"
) -> tuple[Description, tuple[Diagnostic, ...]]:
    """A movement as a Betza tree of the default dialect, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them, in the order of the text; with
    "lossy" the terms without a form are left out, and the result may do no more than the original.
    A lossy result without any move raises too, and so do functions nobody knows.
    """
    translated = _translated_parts(request)
    result = [loss for each in translated for loss in each.losses]
    losses = tuple(sorted(result, key=lambda loss: loss.spans))
    parts = unique_sorted_parts(term for each in translated for term in each.terms or ())
    if losses and (on_loss == "strict" or not parts):
        raise TranslationLoss(losses, request.source)
    return Description(parts, "betza", DIALECT), losses


def _translated_parts(request: TranslationRequest) -> list[TranslatedPart[BetzaTerm]]:
    """Options alone or with those they are translated together with; facts that have losses."""
    movement = request.movement
    if any(isinstance(each, Foreign) and not each.known for each in walk(movement)):
        meaning_of(movement, request.source)  # raises with all that is unknown
    stated: list[TranslatedPart[BetzaTerm]] = []
    for fact in dict.fromkeys(movement.facts):
        losses = fact_losses_in_betza(fact, request.spans_of)
        if losses:
            stated.append(TranslatedPart((fact,), None, losses))
    lost = [each.span for translated in stated for each in translated.parts]
    terms: dict[object, list[Option]] = {}
    for option in dict.fromkeys(movement.options):
        # Options that stand in one function have its span, and are lost together, with its facts.
        if not any(map(option.span.contains, lost)):
            terms.setdefault(option.span if option.span.end else option, []).append(option)
    return [
        *_OptionsTranslator(request).translate_terms([tuple(term) for term in terms.values()]),
        *stated,
    ]


def option_in_betza(option: Option, request: TranslationRequest) -> Parts | None:
    """One option in Betza: as its author wrote it, or else from its meaning, or directly."""
    return _OptionsTranslator(request).translate_term((option,)).terms


def _parts_of_options(options: tuple[Option, ...], meaning: Meaning) -> Parts | None:
    """Parts for options with a meaning, or None where none are found."""
    return _terms_with_meaning(meaning) or _spell_options_if_exact(options, meaning)


def _spell_options_if_exact(term: tuple[Option, ...], meaning: Meaning) -> Parts | None:
    """The direct counterparts of options with a meaning, where these have it too."""
    result = [spell_option(option) for option in term]
    if None in result:
        return None
    parts = tuple(part for parts in result for part in parts or ())
    written = resolve_betza(Description(parts, "betza", DIALECT))
    return parts if same_meaning(meaning_of(written, UNKNOWN_SOURCE), meaning) else None


def shortest_text(meaning: Meaning, dialect: str) -> str | None:
    """The shortest Betza that is found for exactly the moves of a meaning, None without any.

    It depends on the meaning and the dialect, and on nothing else unless half the work of an answer
    is done already: no cover is tried then. Facts are left aside. This is the way from a table or
    a drawing to a notation.
    """
    return next((text for text, _ in _texts_with_meaning(meaning.without_facts(), dialect)), None)


def _terms_with_meaning(meaning: Meaning) -> Parts | None:
    """Parts with exactly this meaning, or None where none are found."""
    return next((parts for _, parts in _texts_with_meaning(meaning, DIALECT)), None)


def _texts_with_meaning(meaning: Meaning, dialect: str) -> Iterator[tuple[str, Parts]]:
    """Texts with exactly this meaning, the shortest first, and their parts."""
    result: dict[str, Parts] = {}
    manners = (True,) if "chain" in DIALECTS[dialect].constructs else (True, False)
    every = [parts for each in manners for parts in _candidate_parts(meaning, chains=each)]
    for parts in chain.from_iterable(
        map(_parts_and_wider_guesses, [*every, *_fewest_letter_covers(meaning, every)])
    ):
        with suppress(AlfilError):
            result.setdefault(write_betza(Description(parts, "betza", DIALECT), dialect), parts)
    for number, text in enumerate(sorted(result, key=len)):
        # What finds nothing is to end with its reason, so some work is left for that.
        if number and work_left() < MAX_GUESS_WORK:
            return
        if _has_text_meaning(text, dialect, meaning):
            yield text, result[text]


def _has_text_meaning(text: str, dialect: str, meaning: Meaning) -> bool:
    """Whether a guess has a meaning; no where that takes too much work to find out."""
    with suppress(AlfilError, _GuessGivenUp), limited_task(MAX_GUESS_WORK, _GuessGivenUp):
        read = resolve_betza(read_betza(Source(text), dialect)[0])
        return same_meaning(meaning_of(read, UNKNOWN_SOURCE), meaning, GUESS_BUDGET)
    return False


def _parts_and_wider_guesses(parts: Parts) -> Iterator[Parts]:
    """Some parts, and guesses that say a little more, which others of the parts may say anyway.

    These are paths that may stop after each leg, captures beside those en passant, and K for a
    chain of W or F, which may say the leaps besides.
    """
    yield parts
    capturing = tuple(ep_capture_as_any_capture(each) for each in parts)
    if capturing != parts:
        yield capturing
    stopping = tuple(_make_stops_optional(each) for each in parts)
    if stopping != parts:
        yield tuple(each for each in stopping if not isinstance(each, Leg))
        yield stopping
    for at, each in enumerate(parts):
        if isinstance(each, Chain) and each.atom.written in SINGLE_STEPS:
            both = Description((replace(each, atom=Atom("K", UNIT_BASES)),), "betza", DIALECT)
            others = (*parts[:at], *parts[at + 1 :])
            with suppress(AlfilError, NotExpressible):
                wider = parse_part(write_betza(both, DIALECT))
                yield (wider, *(other for other in others if not _is_leap(other)))


def _make_stops_optional(part: BetzaTerm) -> BetzaTerm:
    """A path that may stop after each of its legs; other parts, and ways home, as they are."""
    if not isinstance(part, Path) or any(
        AS_FAR_MODE in leg.modifiers.modes for leg in part.legs[1:]
    ):
        return part
    return replace(part, joins=("?",) * len(part.joins))


def _is_leap(part: BetzaTerm) -> bool:
    return isinstance(part, Leg) and part.range.steps == 1


@cached_with_work(maxsize=256)
def _candidate_parts(meaning: Meaning, *, chains: bool) -> tuple[Parts, ...]:
    """Parts that may have a meaning: by its rows, and guesses at what repeats itself."""
    result: list[Parts] = []
    with suppress(NotExpressible):
        passing = chains and any(
            has_move_passing_anything(part.automaton) for part in meaning.parts
        )
        for over in (False, True)[: 1 + passing]:
            moves = [
                (
                    _conditions_of_guard(guard),
                    partial(_sequences_of_small_automaton, each, may_pass_anything=over),
                )
                for guard, each in meaning.parts
            ]
            result += () if result else parts_of_sequences(moves, chains=chains)
        if not any(len(parts) == 1 and isinstance(parts[0], Leg) for parts in result):
            result += _repetition_guesses(meaning)
    return tuple(result)


def _fewest_letter_covers(meaning: Meaning, candidates: Sequence[Parts]) -> Iterator[Parts]:
    """The cover in the fewest letters, where there are candidates of several parts alone.

    It makes an answer shorter, so it is never what an answer fails for.
    """
    if work_left() < LIMIT / 2 or not candidates or any(len(parts) == 1 for parts in candidates):
        return
    with suppress(NotExpressible):
        cover = shortest_parts(meaning, DIALECT, _part_texts(candidates))
        if cover:
            yield unique_sorted_parts(map(parse_part, cover.parts))


def _part_texts(candidates: Iterable[Parts]) -> tuple[str, ...]:
    """The texts of all parts of some candidates, each once."""
    parts = dict.fromkeys(part for parts in candidates for part in parts)
    return tuple([write_betza(Description((part,), "betza", DIALECT)) for part in parts])


def _conditions_of_guard(guard: Guard) -> tuple[When, ...]:
    when = CONDITIONS_BY_GUARD.get(guard)
    if when is None:
        raise NotExpressible
    return when


def _sequences_of_small_automaton(
    automaton: Automaton, *, single: bool, may_pass_anything: bool = False
) -> list[RunSequence]:
    if len(automaton.states) > MAX_STATES:
        raise NotExpressible
    return sequences_of_automaton(
        automaton, one_step_runs=single, may_pass_anything=may_pass_anything
    )


def _repetition_guesses(meaning: Meaning) -> Iterator[Parts]:
    """Guesses at moves that repeat themselves, where all have one condition.

    Those that do not, beside them, are parts of their own.
    """
    if len(meaning.parts) != 1:
        return
    ((guard, automaton),) = meaning.parts
    when = CONDITIONS_BY_GUARD.get(guard)
    if when is None:
        return
    repeated, others = _split_off_repeated_paths(automaton)
    for ways in candidate_repeated_ways(repeated):
        terms = [spell_option(Option(way, when)) for way in ways]
        if None in terms:
            continue
        beside = (
            parts_of_sequences([(when, partial(_sequences_of_small_automaton, others))])
            if others
            else ((),)
        )
        for rest in islice(beside, 1):
            yield unique_sorted_parts((*chain.from_iterable(each or () for each in terms), *rest))


def _split_off_repeated_paths(automaton: Automaton) -> tuple[Automaton, Automaton]:
    """The moves that are no rows of a few runs, and the others; all, where all or none are rows."""
    repeated: list[StepRecord] = []
    others: list[StepRecord] = []
    for record in automaton.states[0] if len(automaton.states) <= MAX_STATES else ():
        try:
            sequences_of_automaton(automaton_starting_with(automaton, [record]))
            others.append(record)
        except NotExpressible:
            repeated.append(record)
    if not repeated or not others:
        return automaton, EMPTY_AUTOMATON
    return automaton_starting_with(automaton, repeated), automaton_starting_with(automaton, others)


def _text_of_parts(parts: Parts) -> str:
    return write_betza(Description(parts, "betza", DIALECT))


class _OptionsTranslator:
    """The options of a movement; those that stand in one term of the text go together."""

    def __init__(self, request: TranslationRequest) -> None:
        self._given = request

    def translate_terms(
        self, terms: Sequence[tuple[Option, ...]]
    ) -> list[TranslatedPart[BetzaTerm]]:
        """What becomes of the terms: all together, or else one by one."""
        every = tuple(option for term in terms for option in term)
        whole = self._joint_terms(every) if len(terms) > 1 else None
        if whole is not None:
            return [TranslatedPart(every, whole)]
        translated = list(self._translate_paired_loops(terms))
        paired = {option for each in translated for option in each.parts}
        alone = [self.translate_term(term) for term in terms if not paired.issuperset(term)]
        known = [each for each in alone if each.terms is not None]
        options = tuple(one for each in known for one in each.parts if isinstance(one, Option))
        again = len(known) > 1 and options != every
        together = self._joint_terms(options) if again else None
        translated += known if together is None else [TranslatedPart(options, together)]
        return [*translated, *(each for each in alone if each.terms is None)]

    def translate_term(self, term: tuple[Option, ...]) -> TranslatedPart[BetzaTerm]:
        """What becomes of one term."""
        try:
            meaning = self._meaning_of_options(term)
        except MeaningError as error:
            return TranslatedPart(term, None, error.diagnostics)
        authored = [self._given.author_text(option) for option in term]
        if None not in authored:
            return TranslatedPart(term, tuple(part for parts in authored for part in parts or ()))
        parts = _parts_of_options(term, meaning)
        if parts is not None:
            return TranslatedPart(term, parts)
        lost = [option for option in term if has_uncompilable_part(option)] or term
        result = [
            loss
            for option in lost
            for loss in losses_in_betza(option, self._given.spans_of, self._has_form)
        ]
        return TranslatedPart(term, None, tuple(dict.fromkeys(result)))

    def _has_form(self, option: Option) -> bool:
        return _parts_of_options((option,), self._meaning_of_options((option,))) is not None

    def _translate_paired_loops(
        self, terms: Sequence[tuple[Option, ...]]
    ) -> Iterator[TranslatedPart[BetzaTerm]]:
        """Loops that are one part only in pairs: crooked and circular moves of either hand."""
        left = [
            term for term in terms if any(isinstance(each, Repeat) for each in walk(term[0].way))
        ]
        if len(terms) == len(left) == PAIR or len(left) > MAX_PAIRED:
            return
        for pair in combinations(left, PAIR):
            if set(pair) <= set(left):
                options = (*pair[0], *pair[1])
                parts = self._joint_terms(options)
                if parts is not None and (len(parts) == 1 or self._is_shorter(parts, pair)):
                    left = [term for term in left if term not in pair]
                    yield TranslatedPart(options, parts)

    def _is_shorter(self, parts: Parts, terms: Iterable[tuple[Option, ...]]) -> bool:
        """Whether parts for some terms together are shorter than those for each of them."""
        alone = [self.translate_term(term).terms for term in terms]
        every = tuple(part for each in alone for part in each or ())
        return None in alone or len(_text_of_parts(parts)) < len(_text_of_parts(every))

    def _joint_terms(self, options: Iterable[Option]) -> Parts | None:
        """Parts for some options as one; what is written in Betza stays what it is."""
        authored_terms: list[BetzaTerm] = []
        others: list[Option] = []
        for option in options:
            authored = self._given.author_text(option)
            authored_terms += authored or ()
            if authored is None:
                others.append(option)
        try:
            meaning = self._meaning_of_options(others) if others else EMPTY_MEANING
        except MeaningError:
            return None
        parts = _terms_with_meaning(meaning)
        return None if parts is None else unique_sorted_parts([*parts, *authored_terms])

    def _meaning_of_options(self, options: Iterable[Option]) -> Meaning:
        options = tuple(options)
        span = options[0].span.to(options[-1].span)
        return meaning_of(Movement(options, span=span), self._given.source)

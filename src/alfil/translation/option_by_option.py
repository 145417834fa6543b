"""A movement in a notation that spells each option by itself: `to_notation_by_option`.

An option is spelled as it is where the notation has signs for it. Otherwise a movement is regained
from its meaning, in which it makes no difference how it was told, and that is spelled. Whatever
comes out is compiled again and compared; only what is the same piece counts as found.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import TypeAlias

from alfil.errors import Diagnostic, MeaningError
from alfil.meaning.automaton import EMPTY_AUTOMATON, canonical_automaton
from alfil.meaning.compare_meanings import contains, same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.meaning.normal_form import union_automaton
from alfil.meaning.piece_meaning import GuardedAutomaton, Meaning
from alfil.movement import nodes
from alfil.movement.nodes import Fact, Leg, Movement, Option
from alfil.movement.run_sequences import (
    ANY_LENGTH,
    EMPTY_PASSAGE,
    HOMEWARD_RUN,
    PASS_ANYTHING,
    NotExpressible,
    Run,
    RunSequence,
)
from alfil.notation.description import Description, Term
from alfil.notation.registry import Loss, Notation, movement_of
from alfil.source import Source
from alfil.translation.automaton_to_runs import sequences_of_automaton
from alfil.translation.betza import CONDITIONS_BY_GUARD
from alfil.translation.translation_losses import (
    TranslationLoss,
    TranslationRequest,
    loss_diagnostics,
    reasons_that_hold,
)
from alfil.work_limit import charge, limited_task

# Larger automata are not taken apart.
MOST_STATES = 1_000
# So much work is done to find forms that options have only beside others; and the work that one is.
MAX_SEARCH_WORK = 30_000
WORK_PER_OPTION = 4

Terms = tuple[Term, ...]
Rewrite: TypeAlias = Callable[[Iterable[RunSequence]], Iterable[RunSequence]]
OUTWARD_TURN = nodes.Bend(chooses=True)


def to_notation_by_option(
    request: TranslationRequest, to: Notation, on_loss: str
) -> tuple[Description, tuple[Diagnostic, ...]]:
    """A movement as a tree of such a notation, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them; with "lossy" the options
    without a form are left out, and the result may do no more than the original. A lossy result
    without any move raises too.
    """
    piece = _OptionSpeller(request, to)
    terms, lost = piece.all_terms()
    left_out: list[Option | Fact] = [*lost, *request.movement.facts]
    result = [each for one in left_out for each in piece.losses(one)]
    losses = sorted(dict.fromkeys(result), key=lambda loss: loss.spans)
    if losses and (on_loss == "strict" or not terms):
        raise TranslationLoss(losses, request.source)
    return Description(to.join_options(terms), to.folder), tuple(losses)


@dataclass(frozen=True, slots=True)
class _OptionSpeller:
    """A movement on its way into a notation."""

    request: TranslationRequest
    to: Notation

    def losses(self, lost: Option | Fact) -> tuple[Diagnostic, ...]:
        """What is lost with an option or a fact, each reason once, where it is told."""
        if isinstance(lost, Fact):
            reasons = [*self.to.losses_of(lost)]
        else:
            # That a leg must follow is no obstacle where the piece may stop before it as well.
            whole = meaning_of(self.request.movement, self.request.source)
            stopping = _stopping_after_each_leg(lost)
            obstacle = stopping if _is_within(stopping, whole) else lost
            reasons = reasons_that_hold(obstacle, self._loss_reasons, self._has_form)
        return loss_diagnostics(reasons, self.to.folder, self.request.spans_of, lost.span)

    def _loss_reasons(self, option: Option) -> list[Loss]:
        """Why an option has no form: of leaps and runs, however many legs they were told in."""
        reasons = list(self.to.losses_of(option))
        if isinstance(option.way, nodes.Then | nodes.Repeat | nodes.Within):
            with suppress(NotExpressible, MeaningError):
                alone = options_of_meaning(meaning_of(Movement((option,)), self.request.source))
                names = {name for each in alone for name, _ in self.to.losses_of(each)}
                if all(isinstance(each.way, Leg) for each in alone) and "nothing" not in names:
                    known = [(name, span) for name, span in reasons if name in names]
                    return known + [(name, option.span) for name in sorted(names - {*dict(known)})]
        return reasons

    def _has_form(self, option: Option) -> bool:
        return self._terms_with_meaning_of((option,)) is not None

    def all_terms(self) -> tuple[Terms, list[Option]]:
        """The terms for all options, or for as many as have some, and the others."""
        terms, lost = self._partial_terms(tuple(dict.fromkeys(self.request.movement.options)))
        apart = self.request.separate_options() if lost else ()
        if set(lost) <= set(apart):
            return terms, lost
        # Folding tells each way to end once, so that one part has taken some from another.
        alone, lost = self._partial_terms(apart)
        terms, more = self._partial_terms(self.request.remaining_options(lost))
        return (alone if more else terms), lost

    def _partial_terms(self, options: tuple[Option, ...]) -> tuple[Terms, list[Option]]:
        """The terms for as many of these options as have some, and the others."""
        alone = {option: self._terms_with_meaning_of((option,)) for option in options}
        spelled_options = [option for option in options if alone[option] is not None]
        lost = [option for option in options if alone[option] is None]
        terms = tuple(term for option in spelled_options for term in alone[option] or ())
        try:
            with limited_task(MAX_SEARCH_WORK, NotExpressible):
                for more in self._recover_lost_options(spelled_options, lost):
                    terms = more
        except (NotExpressible, MeaningError):
            pass
        return tuple(dict.fromkeys(terms)), lost

    def _recover_lost_options(
        self, spelled_options: list[Option], lost: list[Option]
    ) -> Iterator[Terms]:
        """The terms for what is kept and ever more of what is lost, which is moved over.

        Some options have a form only beside others: the square that yafsF has to go on from is one
        that F beside it may stop on, and lR and rR are one part.
        """
        if len(lost) > 1 or (lost and spelled_options):
            together = self._terms_with_meaning_of((*spelled_options, *lost))
            if together is not None:
                spelled_options += lost
                lost.clear()
                yield together
        for option in tuple(lost) if spelled_options and len(lost) > 1 else ():
            together = self._terms_with_meaning_of((*spelled_options, option))
            if together is not None:
                spelled_options.append(option)
                lost.remove(option)
                yield together

    def _terms_with_meaning_of(self, options: tuple[Option, ...]) -> Terms | None:
        """Terms with exactly the meaning of some options, None where none are found."""
        charge(WORK_PER_OPTION * len(options))
        try:
            target_meaning = meaning_of(Movement(options), self.request.source)
        except MeaningError as error:
            # A rule may leave no move to one option, and some to another.
            if error.kind == "never-legal" and len(options) < len(self.request.movement.options):
                return None
            raise
        for result in _candidate_option_lists(options, target_meaning):
            # Options without terms are left out; others may have their moves as well.
            terms = tuple(term for each in result for term in self.to.spell_option(each) or ())
            if terms and same_meaning(self._meaning_of_terms(terms), target_meaning):
                return terms if result is options else self._needed_terms(terms, target_meaning)
        return None

    def _needed_terms(self, terms: Terms, target_meaning: Meaning) -> Terms:
        """The terms without those that add nothing to the others, the last ones first."""
        for term in reversed(terms if len(terms) > 1 else ()):
            fewer = tuple(each for each in terms if each != term)
            if same_meaning(self._meaning_of_terms(fewer), target_meaning):
                terms = fewer
        return terms

    def _meaning_of_terms(self, terms: Terms) -> Meaning:
        movement = movement_of(Description(terms, self.to.folder))
        return meaning_of(movement, Source(""))


def _candidate_option_lists(
    options: tuple[Option, ...], meaning: Meaning
) -> Iterator[Sequence[Option]]:
    yield options
    for manner in dict.fromkeys((meaning, _repeat_unguarded_moves_under_guards(meaning))):
        for rewrite in (tuple, _split_stops_unlike_end):
            with suppress(NotExpressible):
                yield options_of_meaning(manner, rewrite)
    with suppress(NotExpressible):
        rows = options_of_meaning(meaning, _split_stops_unlike_end)
        yield [each for row in rows for each in _options_within(row, meaning)]


def _options_within(option: Option, meaning: Meaning) -> Iterator[Option]:
    """An option, and others with moves of the meaning that may have a form where it has none.

    Its first leg alone; its legs where each may be left as it ends; of a line that goes on over
    anything, no more than how it goes on.
    """
    yield option
    if not isinstance(option.way, nodes.Then):
        return
    first, *_, last = option.way.ways
    others = [replace(option, way=first), _stopping_after_each_leg(option)]
    if all(len({*steps}) == 1 for steps in option.way.only or ()):
        others.append(replace(option, way=last))
    yield from (each for each in others if _is_within(each, meaning))


def _stopping_after_each_leg(option: Option) -> Option:
    """An option whose legs may each be the last one, and end as that does."""
    way = option.way
    if not isinstance(way, nodes.Then) or not isinstance(way.ways[-1], Leg):
        return option
    ends = way.ways[-1].ends
    legs = [replace(leg, ends=ends) if isinstance(leg, Leg) else leg for leg in way.ways]
    joins = [replace(join, may_stop=True) for join in way.joins]
    return replace(option, way=replace(way, ways=tuple(legs), joins=tuple(joins)))


def _is_within(option: Option, meaning: Meaning) -> bool:
    """Whether a piece of this meaning has all moves of an option."""
    with suppress(MeaningError):
        return contains(meaning, meaning_of(Movement((option,)), Source("")))
    return False


def _repeat_unguarded_moves_under_guards(meaning: Meaning) -> Meaning:
    """The same piece, with the moves it may always make repeated under a condition.

    Those that set out as moves under the condition do: the first move of any number of steps is
    one run, though three of them are usual.
    """
    usual = next((part.automaton for part in meaning.parts if not part.guard), EMPTY_AUTOMATON)
    parts = []
    for guard, automaton in meaning.parts:
        steps = {record[:3] for record in automaton.states[0]}
        alike = [record for record in usual.states[0] if guard and record[:3] in steps]
        beside = canonical_automaton([*usual.states, alike], (len(usual.states),))
        parts.append(
            GuardedAutomaton(guard, union_automaton([automaton, beside]) if alike else automaton)
        )
    return Meaning(tuple(parts), meaning.facts)


def _split_stops_unlike_end(rows: Iterable[RunSequence]) -> Iterator[RunSequence]:
    """The rows, where a move may stop only as it may end, or not at all; other stops are rows."""
    result: dict[RunSequence, None] = {}
    for row in chain.from_iterable(map(_split_by_passage, rows)):
        legs: list[Run] = []
        for run in row[:-1]:
            ends = row[-1].ends if set(row[-1].ends) <= set(run.ends) else ()
            if ends != run.ends:
                result[(*legs, run._replace(through=()))] = None
            legs.append(run._replace(ends=ends))
        result[(*legs, row[-1])] = None
    yield from _merge_continued_sequences(_merge_sequences_by_first_lengths(result))


def _split_by_passage(row: RunSequence) -> Iterator[RunSequence]:
    """A row as one that goes on from empty squares and one that goes on from others."""
    choices = []
    for run in row:
        others = tuple(each for each in run.through if each not in EMPTY_PASSAGE)
        apart = (
            (EMPTY_PASSAGE, others) if others and len(others) < len(run.through) else (run.through,)
        )
        choices.append([run._replace(through=through) for through in apart])
    for legs in product(*choices):
        straight = list(legs[:1])
        for run in legs[1:]:
            before = straight[-1]
            quiet = before == Run(run.step, before.lengths, (), EMPTY_PASSAGE)
            if quiet and ANY_LENGTH not in {before.lengths, run.lengths}:
                far = tuple(one + two for one in before.lengths for two in run.lengths)
                straight[-1] = run._replace(lengths=tuple(dict.fromkeys(far)))
            else:
                straight.append(run)
        yield tuple(straight)


def _merge_sequences_by_first_lengths(rows: Iterable[RunSequence]) -> list[RunSequence]:
    """The rows, those of several runs that differ in the steps of the first one only as one."""
    result: dict[RunSequence, RunSequence] = {}
    for row in rows:
        first, *rest = row
        alike = rest and first.lengths != ANY_LENGTH
        key = (first._replace(lengths=(0,)), *rest) if alike else row
        lengths = {*first.lengths, *result.get(key, row)[0].lengths}
        result[key] = (first._replace(lengths=tuple(sorted(lengths))), *rest)
    return [*result.values()]


def _merge_continued_sequences(rows: Collection[RunSequence]) -> Iterator[RunSequence]:
    """The rows, a few steps and any more of them as one run where it goes on alike at each step."""
    joined: dict[RunSequence, RunSequence] = {}
    for row in rows:
        first, *run = row
        if not run or run[0].lengths != ANY_LENGTH or len(first.lengths) != 1:
            continue
        nearer = tuple(range(1, first.lengths[0] + 1))
        near = (run[0]._replace(lengths=nearer), *run[1:])
        if near in rows and first == Run(run[0].step, first.lengths, (), EMPTY_PASSAGE):
            joined[row] = joined[near] = tuple(run)
    yield from dict.fromkeys(joined.get(row, row) for row in rows)


def options_of_meaning(meaning: Meaning, rewrite: Rewrite = tuple) -> tuple[Option, ...]:
    """Options with the moves of a meaning, as few as its rows make; raises `NotExpressible`.

    The rows are put in another manner first.

    >>> from alfil.movement.nodes import Leg, Movement, Option
    >>> leap = Movement((Option(Leg(((0, 1),), (2,), between="anything")),))
    >>> [option.way.lengths for option in options_of_meaning(meaning_of(leap, Source("")))]
    [(2,)]
    """
    result: list[Option] = []
    for part in meaning.parts:
        when = CONDITIONS_BY_GUARD.get(part.guard)
        if when is None or len(part.automaton.states) > MOST_STATES:
            raise NotExpressible
        rows = rewrite(
            sequences_of_automaton(part.automaton, exact_ends=True, may_pass_anything=True)
        )
        result += _options_of_sequences(tuple(rows), when)
    return tuple(result)


def _options_of_sequences(
    rows: Sequence[RunSequence], when: tuple[nodes.When, ...]
) -> Iterator[Option]:
    """Rows that differ in their directions only as one way each."""
    openings = {(row[0].step, row[0].lengths, row[0].ends) for row in rows if len(row) > 1}
    shapes: dict[RunSequence, list[tuple[tuple[int, int], ...]]] = {}
    for row in rows:
        if HOMEWARD_RUN in row:
            raise NotExpressible
        # That the move may end with the first run is said where it goes on.
        if len(row) > 1 or row[0][:3] not in openings:
            shape = tuple(run._replace(step=(0, 0)) for run in row)
            shapes.setdefault(shape, []).append(tuple(run.step for run in row))
    for shape, ways in shapes.items():
        legs = tuple(
            _leg_of_run(run, tuple(dict.fromkeys(way[at] for way in ways)))
            for at, run in enumerate(shape)
        )
        if len(legs) == 1:
            yield Option(legs[0], when)
        else:
            joins = tuple(nodes.Join(OUTWARD_TURN, may_stop=bool(run.ends)) for run in shape[:-1])
            yield Option(nodes.Then(legs, joins, only=tuple(ways)), when)


def _leg_of_run(run: Run, steps: tuple[tuple[int, int], ...]) -> Leg:
    lengths: nodes.Lengths = "any" if run.lengths == ANY_LENGTH else run.lengths
    ends = run.ends or nodes.MOVE_OR_CAPTURE
    return Leg(
        steps,
        lengths,
        ends,
        run.through or EMPTY_PASSAGE,
        PASS_ANYTHING if run.over else EMPTY_PASSAGE,
    )

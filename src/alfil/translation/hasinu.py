"""A movement in Ħasínū: `to_hasinu`.

An option is translated directly where Ħasínū has words for it, otherwise from its meaning: the
automaton is taken apart into rows and these are put together as bent moves and loops. Whatever
comes out is compiled again and compared; only what is the same piece counts as found.

Some options have no form by themselves but have one beside others: ``yafsF`` must not stop on its
first square, yet with F beside it that stop is allowed anyway. For these a move that may do more is
taken, if all it may do is allowed by some option or other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, product

from alfil.errors import Diagnostic, MeaningError, NotationError, reject
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import MAX_WALK_LENGTH, leaps_within
from alfil.meaning.automaton import (
    CAPTURE_ENDS,
    HOME,
    ON_EMPTY,
    Automaton,
    StepKey,
    StepRecord,
    TooManyStates,
)
from alfil.meaning.compare_meanings import PROOF_BUDGET, contains, same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.meaning.normal_form import union_of_meanings
from alfil.meaning.piece_meaning import EMPTY_MEANING, Condition, Guard, GuardedAutomaton, Meaning
from alfil.movement.nodes import (
    CAPTURE_ONLY,
    MOVE_ONLY,
    Effect,
    End,
    Fact,
    Leg,
    Movement,
    Option,
    may_capture_on_the_way,
)
from alfil.movement.run_sequences import NotExpressible, RunSequence
from alfil.notation.betza.writer import write_betza
from alfil.notation.description import Description
from alfil.notation.hasinu.canonical_terms import canonical_terms
from alfil.notation.hasinu.nodes import Embedded, HasinuTerm, Name, Number
from alfil.notation.hasinu.reader import read_hasinu
from alfil.notation.hasinu.resolve import resolve_hasinu
from alfil.notation.hasinu.spell import (
    EFFECT_FUNCTIONS,
    as_first_moves,
    blockable_leap_terms,
    has_function_call,
    hop_superset_terms,
    make_call_around,
    make_lion_move,
    spell_option,
    step_kind,
)
from alfil.notation.hasinu.terms_from_runs import terms_of_sequences
from alfil.notation.hasinu.writer import write_hasinu
from alfil.source import Source
from alfil.translation.automaton_to_runs import (
    automaton_starting_with,
    has_move_passing_anything,
    sequences_of_automaton,
)
from alfil.translation.betza import option_in_betza
from alfil.translation.hasinu_runs_and_loops import (
    capturing_and_jumping_runs,
    longest_path_length,
    loop_terms,
    wider_moves_of_sequences,
)
from alfil.translation.translation_losses import (
    TranslatedPart,
    TranslationLoss,
    TranslationRequest,
    loss_diagnostics,
    losses_in_hasinu,
)
from alfil.work_limit import cached_with_work, limited_task

DIALECT = "betza"
UNTRANSLATED = "no-hasinu-form"
UNPROVED = "its parts together could not be proved to be the same piece"
# What a piece may always do, and what it may do as its first move.
_NO_CONDITIONS: Guard = ()
_FIRST_MOVE: Guard = (Condition("move", 1),)
# Automata with more states or more first steps than this are not taken apart.
MAX_STATES = 1_000
MAX_FIRST_STEPS = 80
# Larger ones are not taken for loops.
MAX_LOOP_STATES = 150
# Paths of so many steps are long.
LONG_PATH_STEPS = 3
# So much work is done to prove that no board can hold any path, and that others have all moves
# of an option.
EMPTINESS_BUDGET = 8_000
SUBSET_BUDGET = 6_000
# And so much to prove a guess.
GUESS_BUDGET = 8_000
# So much work is done to find forms that options have only beside others.
MAX_SEARCH_WORK = 50_000

Terms = tuple[HasinuTerm, ...]
UNKNOWN_SOURCE = Source("", "<hasinu>")


class _OptionalSearchGivenUp(Exception):
    """To look for forms beside others takes more work than it is worth."""


def to_hasinu(
    request: TranslationRequest, on_loss: str
) -> tuple[Description, tuple[Diagnostic, ...]]:
    """A movement as a Ħasínū tree in canonical form, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them; with "lossy" the options
    without a form are left out, and the result may do no more than the original; with "escape" they
    are embedded as Betza, and nothing is lost. A lossy result without any move raises too. Facts
    are written or raise, whatever the policy. Raises `MeaningError` for a piece too large to
    compile.
    """
    facts = tuple(dict.fromkeys(request.movement.facts))
    stated = tuple(term for fact in facts if (term := _effect_call(fact)) is not None)
    if len(stated) < len(facts):
        reasons = [("nothing", fact.span) for fact in facts]
        losses = loss_diagnostics(
            reasons, "hasinu", request.spans_of, request.movement.span, "leave it out"
        )
        raise TranslationLoss(losses, request.source)
    if not request.movement.options:
        return _description_of_terms(stated), ()
    terms, losses = _moves_in_hasinu(request, on_loss)
    return _description_of_terms((*terms, *stated)), losses


def _effect_call(fact: Fact) -> HasinuTerm | None:
    """The call that states what a piece does to others, None for other facts."""
    effect = fact.truth
    reach = _spell_all_options(effect.reach.options) if isinstance(effect, Effect) else None
    if not isinstance(effect, Effect) or not reach or len(reach) > 1:
        return None
    (move,) = reach
    stated_meaning = meaning_of(Movement((), (fact,)), UNKNOWN_SOURCE)
    number = () if effect.most is None else (Number(effect.most),)
    sides, times = ("", "F", "E", "FE"), ("", "A", "P", "PA")
    for name, side, time in product(EFFECT_FUNCTIONS, sides, times):
        term = make_call_around(name, move, *map(Name, filter(None, (side, time))), *number)
        if _meaning_of_terms((term,)).facts == stated_meaning.facts:
            return term
    return None


def _moves_in_hasinu(
    request: TranslationRequest, on_loss: str
) -> tuple[Terms, tuple[Diagnostic, ...]]:
    """The moves of `to_hasinu`."""
    options = tuple(dict.fromkeys(request.movement.options))
    quick = _spell_all_options(options)
    if quick is not None and _has_meaning(quick, meaning_of(Movement(options), request.source)):
        return quick, ()
    loop = _loop_for_several_options(options, request.source)
    if loop is not None:
        return loop, ()
    covered = _translated_parts(options, request)
    found_lost = (loss for each in covered for loss in each.losses)
    losses = tuple(sorted(found_lost, key=lambda loss: loss.spans))
    kept_options = [each.terms for each in covered if each.terms is not None]
    if losses and (on_loss == "strict" or (on_loss == "lossy" and not any(kept_options))):
        raise TranslationLoss(losses, request.source)
    result = canonical_terms(term for terms in kept_options for term in terms)
    # Every option has been compared by itself, or beside the others where it says more.
    joined = any(len(each.parts) > 1 for each in covered)
    target = (
        meaning_of(Movement(options), request.source)
        if joined and not losses
        else union_of_meanings(map(_meaning_of_terms, kept_options))
    )
    if not same_meaning(_meaning_of_terms(result), target):
        reject(TranslationLoss, UNTRANSLATED, UNPROVED, request.source, hint="write fewer parts")
    if on_loss == "lossy" or not losses:
        return result, losses
    lost = [each for one in covered if one.terms is None for each in one.parts]
    embedded = [option_in_betza(each, request) for each in lost if isinstance(each, Option)]
    if None in embedded:
        raise TranslationLoss(losses, request.source)
    more = [Embedded(Description(parts or (), "betza", DIALECT)) for parts in embedded]
    return (*result, *dict.fromkeys(more)), ()


def _loop_for_several_options(options: Sequence[Option], source: Source) -> Terms | None:
    """One loop that is several options, each of which would take longer to translate.

    Beside it may be moves that begin with other steps.
    """
    with suppress(MeaningError):
        match meaning_of(Movement(tuple(options)), source) if len(options) > 1 else EMPTY_MEANING:
            case Meaning((GuardedAutomaton((), automaton),)) if (
                len(automaton.states) <= MAX_LOOP_STATES
            ):
                for moves, others in _split_by_kind_of_first_step(automaton):
                    loop = _long_loop(moves)
                    if loop is not None:
                        rest = automaton_starting_with(automaton, others)
                        beside = (
                            _terms_with_meaning(Meaning((GuardedAutomaton((), rest),)))
                            if others
                            else ()
                        )
                        return None if beside is None else canonical_terms((loop, *beside))
    return None


def _split_by_kind_of_first_step(
    automaton: Automaton,
) -> Iterator[tuple[Automaton, list[StepRecord]]]:
    """The moves that begin with steps of one kind and go on, and the first steps of the others."""
    records = automaton.states[0]
    onward = {step_kind(record[:2]) for record in records if record[4] and any(record[:2])}
    for kind in sorted(onward):
        alike = [each for each in records if any(each[:2]) and step_kind(each[:2]) == kind]
        others = [each for each in records if each not in alike]
        yield automaton_starting_with(automaton, alike) if others else automaton, others


def _long_loop(moves: Automaton) -> HasinuTerm | None:
    """The loop that some moves are, if any, where they go through several rounds."""
    most = longest_path_length(moves)
    rounds = loop_terms(moves, most) if most >= LONG_PATH_STEPS else ()
    meaning = Meaning((GuardedAutomaton((), moves),))
    return next((loop for loop in rounds if _meaning_of_terms((loop,)) == meaning), None)


def _translated_parts(
    options: tuple[Option, ...], request: TranslationRequest
) -> list[TranslatedPart[HasinuTerm]]:
    """What becomes of the options; a part of the text that has no form takes no other with it.

    Folding tells each way to end once, so that what only captures royal pieces may take these
    captures from a leg that is plain without it.
    """
    pieces = _OptionsTranslator(options, request)
    covered = pieces.translated_parts()
    lost = _untranslatable_options(covered)
    if not lost or lost.issubset(request.separate_options()):
        return covered
    parts = _OptionsTranslator(request.separate_options(), request, pieces)
    if parts.is_none_translated() and None not in [option_in_betza(each, request) for each in lost]:
        return covered
    alone = parts.translated_parts()
    lost = _untranslatable_options(alone)
    kept_options = request.remaining_options(lost)
    together = _OptionsTranslator(kept_options, request).translated_parts() if kept_options else []
    if _untranslatable_options(together):
        return alone
    return [*together, *(each for each in alone if each.terms is None)]


def _untranslatable_options(covered: Iterable[TranslatedPart[HasinuTerm]]) -> set[Option]:
    lost = [option for each in covered if each.terms is None for option in each.parts]
    return {option for option in lost if isinstance(option, Option)}


def _spell_all_options(options: Sequence[Option]) -> Terms | None:
    """The direct counterparts of all options in canonical form, not yet verified."""
    result = [spell_option(option) for option in options]
    return (
        None
        if None in result
        else canonical_terms(term for terms in result for term in terms or ())
    )


def _description_of_terms(terms: Terms) -> Description:
    return Description(terms, "hasinu", DIALECT)


@cached_with_work(maxsize=1024)
def _meaning_of_terms(terms: Terms) -> Meaning:
    """The meaning of moves that a translation has made."""
    return meaning_of(resolve_hasinu(_description_of_terms(terms)), UNKNOWN_SOURCE)


def _has_meaning(terms: Terms, meaning: Meaning, budget: int = PROOF_BUDGET) -> bool:
    """Whether moves have exactly this meaning; moves too large to be compiled have none."""
    try:
        return same_meaning(_meaning_of_terms(terms), meaning, budget) and _is_readable(terms)
    except MeaningError:
        return False


@cached_with_work(maxsize=256)
def _is_readable(terms: Terms) -> bool:
    """Whether moves can be written: some functions have no place inside others."""
    try:
        return bool(read_hasinu(Source(_terms_text(terms)))[0].terms)
    except NotationError:
        return False


def _is_subset(smaller: Meaning, larger: Meaning) -> bool:
    """Whether a piece may do nothing that the other may not; no where that is hard to tell."""
    # A leap to any square has thousands of first steps, and each is looked at again and again.
    steps = sum(len(part.automaton.states[0]) for part in larger.parts)
    return contains(larger, smaller, SUBSET_BUDGET + 2 * steps)


def _terms_with_meaning(meaning: Meaning) -> Terms | None:
    """Moves with exactly this meaning, or None where none are found."""
    for terms in _candidate_terms(meaning):
        if _has_meaning(terms, meaning, GUESS_BUDGET):
            return terms
    return () if same_meaning(meaning, EMPTY_MEANING, EMPTINESS_BUDGET) else None


def _allowed_stops(meaning: Meaning, whole: Meaning) -> tuple[End, ...]:
    """How the whole piece may end after the first steps of one option, which must not stop there.

    What it may do with fewer conditions it may do then too.
    """
    allowed = ON_EMPTY | CAPTURE_ENDS
    for guard, automaton in meaning.parts:
        around: dict[StepKey, int] = {}
        for by, other in whole.parts:
            for record in other.states[0] if set(by) <= set(guard) else ():
                around[record[:3]] = around.get(record[:3], 0) | record[3]
        for record in automaton.states[0]:
            allowed &= around.get(record[:3], 0)
    captures = CAPTURE_ONLY if allowed & CAPTURE_ENDS == CAPTURE_ENDS else ()
    return (*(MOVE_ONLY if allowed & ON_EMPTY else ()), *captures)


def _lion_candidates(option: Option, whole: Meaning) -> Iterator[Terms]:
    """The lions that the whole piece may be, by the areas to all squares of which it leaps."""
    leaps = {record[:2] for part in whole.parts for record in part.automaton.states[0]}
    sides = sorted(product(range(MAX_WALK_LENGTH + 1), repeat=2), key=sum, reverse=True)
    for x, y in (each for each in sides if max(each) > 1):
        if leaps.issuperset(leaps_within(x, y)):
            yield as_first_moves([make_lion_move(x, y)]) if option.when else (make_lion_move(x, y),)


def _may_return_home(meaning: Meaning) -> bool:
    """Whether a move may end where it began."""
    states = (state for part in meaning.parts for state in part.automaton.states)
    return any(record[:3] == HOME for state in states for record in state)


def _candidate_terms(meaning: Meaning, stops: tuple[End, ...] = ()) -> Iterator[Terms]:
    """Moves that may have a meaning, the shortest first; legs must not end but as ``stops`` says.

    There are two ways to cut rows into legs. Loops are guessed at where no rows are right, and of
    long paths first: these have many rows.
    """
    rows = _terms_for_sequences(meaning, stops)
    match meaning.parts:
        case (GuardedAutomaton(guard, automaton),) if (
            guard == _NO_CONDITIONS and len(automaton.states) <= MAX_LOOP_STATES
        ):
            most = longest_path_length(automaton)
            rounds = ((loop,) for loop in loop_terms(automaton, most))
            yield from chain(rounds, rows) if most >= LONG_PATH_STEPS else chain(rows, rounds)
        case _:
            yield from rows


def _wider_moves(meaning: Meaning, stops: tuple[End, ...]) -> Iterator[Terms]:
    """Moves that need not jump or capture, for moves that must; legs may end as ``stops`` says."""
    with suppress(NotExpressible):
        for guard, automaton in meaning.parts:
            rows = sequences_of_automaton(automaton, exact_ends=True, may_pass_anything=True)
            moves = wider_moves_of_sequences(rows, stops)
            if guard in {_NO_CONDITIONS, _FIRST_MOVE} and len(meaning.parts) == 1:
                yield from (
                    as_first_moves(each) if guard == _FIRST_MOVE else each for each in moves
                )


def _terms_for_sequences(meaning: Meaning, stops: tuple[End, ...]) -> Iterator[Terms]:
    """Moves for the rows of a meaning, the shortest first."""
    parts = [_split_off_runs_over_pieces(guard, automaton) for guard, automaton in meaning.parts]
    if None in parts:
        return
    result: dict[Terms, None] = {}
    for single in (False, True):
        ways = [_terms_for_part(part, stops, one_step_runs=single) for part in parts if part]
        result.update(dict.fromkeys(tuple(chain(*way)) for way in product(*ways)))
    yield from sorted(result, key=lambda terms: len(_terms_text(terms)))


def _terms_text(terms: Terms) -> str:
    return write_hasinu(_description_of_terms(terms))


class _RunsAndRest(NamedTuple):
    """A part of a meaning: the terms for its runs over pieces, and the rest of its moves."""

    guard: Guard
    runs: Terms
    rest: Automaton


def _split_off_runs_over_pieces(guard: Guard, automaton: Automaton) -> _RunsAndRest | None:
    """A part that can be taken apart, None for any other."""
    states = automaton.states
    if (
        guard not in {_NO_CONDITIONS, _FIRST_MOVE}
        or len(states) > MAX_STATES
        or len(states[0]) > MAX_FIRST_STEPS
    ):
        return None
    runs = capturing_and_jumping_runs(automaton, _has_exactly_moves)
    return _RunsAndRest(guard, *runs) if runs else _RunsAndRest(guard, (), automaton)


def _terms_for_part(
    part: _RunsAndRest, stops: tuple[End, ...], *, one_step_runs: bool
) -> list[Terms]:
    """Moves that may be one part of a meaning."""
    guard, runs, rest = part
    try:
        rows = _run_sequences_of_moves(rest, one_step_runs=one_step_runs) if rest else []
        result = [(*runs, *terms) for terms in terms_of_sequences(rows, stops)]
    except NotExpressible:
        return []
    return [as_first_moves(terms) for terms in result] if guard == _FIRST_MOVE else result


def _run_sequences_of_moves(moves: Automaton, *, one_step_runs: bool) -> list[RunSequence]:
    """The rows of some moves; with runs that pass anything where there are none without."""
    try:
        return sequences_of_automaton(moves, one_step_runs=one_step_runs, exact_ends=True)
    except NotExpressible:
        if not has_move_passing_anything(moves):
            raise
    return sequences_of_automaton(moves, exact_ends=True, may_pass_anything=True)


def _has_exactly_moves(terms: Terms, moves: Automaton) -> bool:
    """Whether terms have just these moves, at any time."""
    return _has_meaning(terms, Meaning((GuardedAutomaton((), moves),)))


@dataclass(slots=True, eq=False)
class _OptionTranslation:
    """One option: its meaning (None where it cannot be compiled), and its terms when found.

    ``merged_into`` is the option whose terms say this one too; ``covers_more`` is true of terms
    that say more.
    """

    option: Option
    meaning: Meaning | None
    terms: Terms | None = None
    losses: tuple[Diagnostic, ...] = ()
    covers_more: bool = False
    merged_into: _OptionTranslation | None = None


@dataclass(slots=True)
class _OptionsTranslator:
    """The options of a piece. ``whole`` is the meaning of all that can be compiled.

    Nothing was found for the whole where it has been ``previous``, with options that may be others.
    Raises `MeaningError` for options that can be compiled one by one but not together.
    """

    options: tuple[Option, ...]
    request: TranslationRequest
    previous: _OptionsTranslator | None = None
    whole: Meaning = field(init=False)
    _pieces: list[_OptionTranslation] = field(init=False)

    def __post_init__(self) -> None:
        known = self.previous.untranslated_options() if self.previous else {}
        self._pieces = [
            known.get(option) or self._translate_alone(option) for option in self.options
        ]
        if self.previous is not None:
            self.whole = self.previous.whole
            return
        try:
            self.whole = union_of_meanings(each.meaning for each in self._pieces if each.meaning)
        except TooManyStates:
            self.whole = meaning_of(Movement(self.options), self.request.source)

    def translated_parts(self) -> list[TranslatedPart[HasinuTerm]]:
        """What became of the options."""
        wide: list[_OptionTranslation] = []
        with (
            suppress(_OptionalSearchGivenUp),
            limited_task(MAX_SEARCH_WORK, _OptionalSearchGivenUp),
        ):
            self._translate_all_with_others(wide)
        covered = [
            self._translated_part(piece) for piece in self._pieces if piece.merged_into is None
        ]
        with (
            suppress(_OptionalSearchGivenUp),
            limited_task(MAX_SEARCH_WORK, _OptionalSearchGivenUp),
        ):
            whole = self._better_terms_of_whole(covered, wide=bool(wide))
            if whole:
                return [TranslatedPart(self.options, whole)]
        return covered

    def _translate_all_with_others(self, wide: list[_OptionTranslation]) -> None:
        """Look for terms that options have beside others; those that have some are ``wide``."""
        tried = self.previous.untranslated_options() if self.previous else {}
        for piece in self._pieces:
            if piece.option in tried:
                continue
            forced = piece.terms is None or has_function_call(piece.terms)
            if forced and piece.meaning is not None and len(self._pieces) > 1:
                self._translate_by_wider_terms(piece, wide)
        for piece in self._pieces:
            if piece.covers_more and not piece.merged_into:
                self._drop_terms_implied_by(piece)

    def _better_terms_of_whole(
        self, covered: Sequence[TranslatedPart[HasinuTerm]], *, wide: bool
    ) -> Terms | None:
        """Terms for all options at once, where some have none by themselves or longer ones."""
        known = [each.terms for each in covered]
        terms = tuple(chain(*(each or () for each in known)))
        untried = self.previous is None and len(self._pieces) > 1
        if untried and (None in known or has_function_call(terms) or wide):
            every = all(piece.meaning is not None for piece in self._pieces)
            whole = _terms_with_meaning(self.whole) if every else None
            if whole and (None in known or len(_terms_text(whole)) < len(_terms_text(terms))):
                return whole
        return None

    def is_none_translated(self) -> bool:
        """Whether none of the options that were not tried before has terms of its own."""
        tried = self.previous.options if self.previous else ()
        return not any(each.terms for each in self._pieces if each.option not in tried)

    def untranslated_options(self) -> dict[Option, _OptionTranslation]:
        """The options for which nothing was found beside the others either."""
        return {each.option: each for each in self._pieces if each.terms is None}

    def _meaning_of_option(self, option: Option) -> Meaning:
        return meaning_of(Movement((option,), span=option.span), self.request.source)

    def _translate_alone(self, option: Option) -> _OptionTranslation:
        """An option with the terms that have exactly its meaning, if there are any."""
        try:
            meaning = self._meaning_of_option(option)
        except MeaningError as error:
            return _OptionTranslation(option, None, losses=error.diagnostics)
        terms = spell_option(option)
        if terms is None or not _has_meaning(terms, meaning):
            terms = _terms_with_meaning(meaning)
        return _OptionTranslation(option, meaning, terms)

    def _translate_by_wider_terms(
        self, piece: _OptionTranslation, wide: list[_OptionTranslation]
    ) -> None:
        """Look for terms that say more than one option, but no more than all options do.

        Where the option has terms of its own, for shorter ones. ``wide`` are options that have
        such terms already, which may say this one too.
        """
        assert piece.meaning is not None
        for other in () if piece.terms else wide:
            if other.terms and _is_subset(piece.meaning, _meaning_of_terms(other.terms)):
                piece.merged_into, piece.terms = other, ()
                return
        for terms in self._wider_terms(piece.option, piece.meaning):
            if piece.terms and len(_terms_text(terms)) >= len(_terms_text(piece.terms)):
                continue
            try:
                terms_meaning = _meaning_of_terms(terms)
            except MeaningError:
                continue
            if not _is_subset(piece.meaning, terms_meaning):
                continue
            if _is_subset(terms_meaning, self.whole) and _is_readable(terms):
                piece.terms, piece.covers_more = terms, True
                wide.append(piece)
                return

    def _wider_terms(self, option: Option, meaning: Meaning) -> Iterator[Terms]:
        """Terms with all moves of an option and some more; they have not been compared with it."""
        hops = hop_superset_terms(option)
        if hops is not None:
            yield hops
        if any(may_capture_on_the_way(each.way) for each in self.options):
            yield from _lion_candidates(option, self.whole)
            for lions in _lion_candidates(option, self.whole):
                yield tuple(make_call_around("c", lion) for lion in lions)
        if _may_return_home(meaning):
            for lions in _lion_candidates(option, self.whole):
                yield tuple(make_call_around("m", lion) for lion in lions)
        stops = _allowed_stops(meaning, self.whole)
        yield from _wider_moves(meaning, stops)
        if stops:
            yield from _candidate_terms(meaning, stops)

    def _drop_terms_implied_by(self, wide: _OptionTranslation) -> None:
        """Leave out what the terms of one option say of others."""
        assert wide.terms is not None
        wide_meaning = _meaning_of_terms(wide.terms)
        for other in self._pieces:
            if other is wide or other.merged_into or not other.terms or other.meaning is None:
                continue
            rest: Terms | None
            if other.covers_more:
                rest = () if _is_subset(_meaning_of_terms(other.terms), wide_meaning) else None
            elif _is_subset(other.meaning, wide_meaning):
                rest = ()
            else:
                rest = self._remaining_terms(other.option, wide_meaning)
            if rest is not None:
                other.merged_into, other.terms = wide, rest
                for each in self._pieces:
                    if each.merged_into is other:
                        each.merged_into = wide

    def _remaining_terms(self, option: Option, covered: Meaning) -> Terms | None:
        """The terms for those directions of a leg that are not said yet, None where all are new."""
        way = option.way
        if not isinstance(way, Leg):
            return None
        new = tuple(
            step
            for step in way.steps
            if not _is_subset(
                self._meaning_of_option(replace(option, way=replace(way, steps=(step,)))), covered
            )
        )
        if len(new) == len(way.steps):
            return None
        return spell_option(replace(option, way=replace(way, steps=new)))

    def _translated_part(self, piece: _OptionTranslation) -> TranslatedPart[HasinuTerm]:
        piece.terms = piece.terms or self._plainer_blockable_leap(piece)
        if piece.terms is None:
            losses = piece.losses or self._losses(piece.option)
            return TranslatedPart((piece.option,), None, losses)
        others = [each for each in self._pieces if each.merged_into is piece]
        more = tuple(term for each in others for term in each.terms or ())
        covered_options = (piece.option, *(each.option for each in others))
        return TranslatedPart(covered_options, (*piece.terms, *more))

    def _plainer_blockable_leap(self, piece: _OptionTranslation) -> Terms | None:
        """A leap that can be blocked: what other terms may say of it is plainer than nj."""
        terms = blockable_leap_terms(piece.option)
        result = (
            terms is not None and piece.meaning is not None and _has_meaning(terms, piece.meaning)
        )
        return terms if result else piece.terms

    def _losses(self, option: Option) -> tuple[Diagnostic, ...]:
        parts = option_in_betza(option, self.request)
        hint = "leave it out"
        if parts:
            text = write_betza(Description(parts, "betza", DIALECT), DIALECT)
            hint = f"keep it as embedded Betza: \\{text}"
        return losses_in_hasinu(option, self.request.spans_of, hint, self._has_form)

    def _has_form(self, option: Option) -> bool:
        return self._translate_alone(option).terms is not None

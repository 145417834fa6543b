"""A movement in a notation that spells each option by itself: `in_plain`.

An option is spelled as it is where the notation has signs for it. Otherwise a movement is regained
from its meaning, in which it makes no difference how it was told, and that is spelled. Whatever
comes out is compiled again and compared; only what is the same piece counts as found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alfil.effort import spend, task
from alfil.errors import Finding, MeaningError
from alfil.meaning.compare import same_meaning
from alfil.meaning.compile import meaning_of
from alfil.meaning.piece import Meaning
from alfil.movement import nodes
from alfil.movement.nodes import Fact, Leg, Movement, Option
from alfil.movement.rows import ANY, HOMEWARD, QUIET, WHATEVER, Row, Run, Unsayable
from alfil.notation.nodes import Description, Term
from alfil.notation.registry import Notation, movement_of
from alfil.source import Source
from alfil.translation.betza import WHEN
from alfil.translation.losses import Given, TranslationLoss, findings
from alfil.translation.rows import rows_of

# Larger automata are not taken apart.
MOST_STATES = 1_000
# So much work is done to find forms that options have only beside others; and the work that one is.
MOST_BESIDE = 30_000
TOLD = 4

Terms = tuple[Term, ...]
OUTWARD = nodes.Bend(chooses=True)


def in_plain(given: Given, to: Notation, on_loss: str) -> tuple[Description, tuple[Finding, ...]]:
    """A movement as a tree of such a notation, and what was lost.

    With "strict" any loss raises `TranslationLoss` with all of them; with "lossy" the options
    without a form are left out, and the result may do no more than the original. A lossy result
    without any move raises too.
    """
    piece = _Plain(given, to)
    terms, lost = piece.all_terms()
    left_out: list[Option | Fact] = [*lost, *given.movement.facts]
    found = [each for one in left_out for each in _losses(one, given, to)]
    losses = sorted(dict.fromkeys(found), key=lambda loss: loss.spans)
    if losses and (on_loss == "strict" or not terms):
        raise TranslationLoss(losses, given.source)
    return Description(terms, to.folder), tuple(losses)


def _losses(lost: Option | Fact, given: Given, to: Notation) -> tuple[Finding, ...]:
    """What is lost with an option or a fact, each reason once, where it is told."""
    return findings(to.losses_of(lost), to.folder, given.places, lost.span)


@dataclass(frozen=True, slots=True)
class _Plain:
    """A movement on its way into a notation."""

    given: Given
    to: Notation

    def all_terms(self) -> tuple[Terms, list[Option]]:
        """The terms for all options, or for as many as have some, and the others."""
        terms, lost = self._some(tuple(dict.fromkeys(self.given.movement.options)))
        apart = self.given.apart() if lost else ()
        if set(lost) <= set(apart):
            return terms, lost
        # Folding tells each way to end once, so that one part has taken some from another.
        alone, lost = self._some(apart)
        terms, more = self._some(self.given.without(lost))
        return (alone if more else terms), lost

    def _some(self, options: tuple[Option, ...]) -> tuple[Terms, list[Option]]:
        """The terms for as many of these options as have some, and the others."""
        alone = {option: self._terms((option,)) for option in options}
        kept = [option for option in options if alone[option] is not None]
        lost = [option for option in options if alone[option] is None]
        terms = tuple(term for option in kept for term in alone[option] or ())
        try:
            with task(MOST_BESIDE, Unsayable):
                for more in self._beside(kept, lost):
                    terms = more
        except (Unsayable, MeaningError):
            pass
        return tuple(dict.fromkeys(terms)), lost

    def _beside(self, kept: list[Option], lost: list[Option]) -> Iterator[Terms]:
        """The terms for what is kept and ever more of what is lost, which is moved over.

        Some options have a form only beside others: the square that yafsF has to go on from is one
        that F beside it may stop on, and lR and rR are one part.
        """
        if len(lost) > 1 or (lost and kept):
            together = self._terms((*kept, *lost))
            if together is not None:
                kept += lost
                lost.clear()
                yield together
        for option in tuple(lost) if kept and len(lost) > 1 else ():
            together = self._terms((*kept, option))
            if together is not None:
                kept.append(option)
                lost.remove(option)
                yield together

    def _terms(self, options: tuple[Option, ...]) -> Terms | None:
        """Terms with exactly the meaning of some options, None where none are found."""
        spend(TOLD * len(options))
        try:
            wanted = meaning_of(Movement(options), self.given.source)
        except MeaningError as error:
            # A rule may leave no move to one option, and some to another.
            if error.kind == "never-legal" and len(options) < len(self.given.movement.options):
                return None
            raise
        for found in _ways_to_tell(options, wanted):
            terms = self._spelled(found)
            if terms is not None and same_meaning(self._meaning(terms), wanted):
                return terms
        return None

    def _spelled(self, options: Sequence[Option]) -> Terms | None:
        terms: list[Term] = []
        for option in options:
            found = self.to.spelled(option)
            if found is None:
                return None
            terms += found
        return tuple(terms)

    def _meaning(self, terms: Terms) -> Meaning:
        movement = movement_of(Description(terms, self.to.folder))
        return meaning_of(movement, Source(""))


def _ways_to_tell(options: tuple[Option, ...], meaning: Meaning) -> Iterator[Sequence[Option]]:
    yield options
    try:
        yield regained(meaning)
    except Unsayable:
        return


def regained(meaning: Meaning) -> tuple[Option, ...]:
    """Options with the moves of a meaning, as few as its rows make; raises `Unsayable`.

    >>> from alfil.movement.nodes import Leg, Movement, Option
    >>> leap = Movement((Option(Leg(((0, 1),), (2,), between="anything")),))
    >>> [option.way.lengths for option in regained(meaning_of(leap, Source("")))]
    [(2,)]
    """
    found: list[Option] = []
    for part in meaning.parts:
        when = WHEN.get(part.guard)
        if when is None or len(part.automaton.states) > MOST_STATES:
            raise Unsayable
        found += _options(rows_of(part.automaton, apart=True, over=True), when)
    return tuple(found)


def _options(rows: Sequence[Row], when: tuple[nodes.When, ...]) -> Iterator[Option]:
    """Rows that differ in their directions only as one way each."""
    openings = {(row[0].step, row[0].lengths, row[0].ends) for row in rows if len(row) > 1}
    shapes: dict[Row, list[tuple[tuple[int, int], ...]]] = {}
    for row in rows:
        if HOMEWARD in row:
            raise Unsayable
        # That the move may end with the first run is said where it goes on.
        if len(row) > 1 or row[0][:3] not in openings:
            shape = tuple(run._replace(step=(0, 0)) for run in row)
            shapes.setdefault(shape, []).append(tuple(run.step for run in row))
    for shape, ways in shapes.items():
        legs = tuple(
            _leg(run, tuple(dict.fromkeys(way[at] for way in ways))) for at, run in enumerate(shape)
        )
        if len(legs) == 1:
            yield Option(legs[0], when)
        else:
            joins = tuple(nodes.Join(OUTWARD, may_stop=bool(run.ends)) for run in shape[:-1])
            yield Option(nodes.Then(legs, joins, only=tuple(ways)), when)


def _leg(run: Run, steps: tuple[tuple[int, int], ...]) -> Leg:
    lengths: nodes.Lengths = "any" if run.lengths == ANY else run.lengths
    ends = run.ends or nodes.MOVE_OR_CAPTURE
    return Leg(steps, lengths, ends, run.through or QUIET, WHATEVER if run.over else QUIET)

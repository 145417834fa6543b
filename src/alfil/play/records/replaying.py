"""A record played again: what is wrong is shown where it stands in the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NoReturn, TypeAlias

from alfil.errors import AlfilError, Finding, NotationError, RecordError, meant, refuse
from alfil.game.moves import Move, require_short
from alfil.game.plan import plan_of
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.outcome import SAID, Said
from alfil.play.records import hodges
from alfil.play.records.record import (
    DRAW,
    ON,
    Item,
    Value,
    Written,
    WrittenRound,
    digest,
    result,
)
from alfil.play.session import Round, Session, one_line
from alfil.source import Span

Reader: TypeAlias = Callable[[Game, str], Move]


def read_own(game: Game, text: str) -> Move:
    """A move of a record: in Hodges notation, or in USI-like text where that tells no move."""
    require_short(text, plan_of(game.variant))
    try:
        return hodges.read(game, text)
    except NotationError as error:
        try:
            return game.read_move(text)
        except NotationError:
            raise error from None


def replay(written: Written, variant: Variant, read: Reader = read_own) -> Session:
    """The match that a record tells of, as far as it goes; ``read`` reads its moves.

    Raises `RecordError` for a record of another game or of other movements, and for the first move
    or result that is not as the rules have it.
    """
    return _Replay(written, variant, read).session()


class _Replay:
    """Plays one record."""

    def __init__(self, written: Written, variant: Variant, read: Reader) -> None:
        self._written = written
        self._read = read
        self._variant = variant

    def session(self) -> Session:
        written = self._written
        self._check_game()
        self._check_moves()
        self._check_rules()
        names = [written.fields.get(f"player {number}", Value("", Span(0, 0))) for number in (1, 2)]
        start, date = self._start(written.rounds[0] if written.rounds else None)
        adjudicate = self._adjudicates()
        with self._at(start):
            session = Session(
                self._variant,
                (names[0].text, names[1].text),
                adjudicate=adjudicate,
                position=start.text or None,
                date=date,
            )
        for number, played in enumerate(written.rounds):
            if number:
                self._next(session, played)
            self._claims(session.game, played)
            self._play(session.round, played)
        session.lost, session.notes = written.lost, tuple(written.notes)
        session.round.tags.update(written.tags)
        return session

    def _refuse(self, kind: str, message: str, span: Span, hint: str) -> NoReturn:
        refuse(RecordError, kind, message, self._written.source, span, hint)

    def _check_game(self) -> None:
        game = self._written.fields["game"]
        if game.text != one_line(self._variant.name):
            message = f"this is a record of {game.text}, not of {self._variant.name}"
            hint = f"load it as {game.text}"
            self._refuse("other-game", message, game.span, hint)

    def _check_moves(self) -> None:
        """The same movements, so that the record means the same game.

        A record written by hand may leave them all out, but for those that were changed.
        """
        if not self._written.moves:
            return
        now = {code: one_line(move) for code, move in self._variant.moves}
        for code, move in self._written.moves.items():
            if code not in now:
                message = f"{self._variant.name} has no piece {code}"
                hint = "load the game of the record"
                self._refuse("other-moves", message, move.span, hint)
            if move.text != now[code]:
                message = f"{code} moves as {move.text} in this record, as {now[code]} in the game"
                hint = f"load the game with {code}={move.text}"
                self._refuse("other-moves", message, move.span, hint)
        missing = [code for code in now if code not in self._written.moves]
        if missing and len(self._written.moves) > len(self._written.overrides):
            message = f"the record does not say how {missing[0]} moves"
            hint = f"if it is the same, add: move {missing[0]}: {now[missing[0]]}"
            here = self._written.fields["game"].span
            self._refuse("other-moves", message, here, hint)

    def _check_rules(self) -> None:
        """The same rules and set-up; a record written by hand may leave the line out."""
        rules = self._written.fields.get("rules")
        if rules and rules.text != digest(self._variant):
            message = (
                f"{self._variant.name} has other rules, or another set-up, than in this record"
            )
            hint = "load the game as it was; without this line the record is read under these rules"
            self._refuse("other-rules", message, rules.span, hint)

    def _adjudicates(self) -> bool:
        value = self._written.fields.get("illegal moves")
        if value and value.text != "lose":
            message = f"illegal moves lose, or the line is left out: {value.text}"
            hint = "write: illegal moves: lose"
            self._refuse("record-line", message, value.span, hint)
        return value is not None

    def _start(self, played: WrittenRound | None) -> tuple[Value, str]:
        """The position a round begins with, and its date; empty where nothing is said."""
        fields = played.fields if played else {}
        nothing = Value("", played.span if played else Span(0, 0))
        return fields.get("position", nothing), fields.get("date", nothing).text

    def _next(self, session: Session, played: WrittenRound) -> None:
        start, date = self._start(played)
        with self._at(start, Value("", played.span)):
            session.next_round(start.text or None, date)

    def _claims(self, game: Game, written: WrittenRound) -> None:
        """Have nothing end the game that players claim, where the record says so."""
        value = written.fields.get("claims")
        if value and value.text != ON:
            message = f"claims are {ON}, or the line is left out: {value.text}"
            self._refuse("record-line", message, value.span, f"write: claims: {ON}")
        if value:
            game.play_on()

    def _play(self, played: Round, written: WrittenRound) -> None:
        """Play a game and its variations; of a variation with a mistake only a note is kept."""
        lines = _Lines(played)
        for item in written.items:
            if item.sort == "variation":
                lines.begin(item.span)
            elif item.sort == "end":
                lines.end()
            elif not lines.skipped:
                try:
                    self._take(lines.line, item, lines.before)
                except RecordError as error:
                    lines.leave_out(error)
        self._written.notes += lines.notes

    def _take(self, played: Round, item: Item, before: int) -> None:
        """One part of a line, other than variations; ``before`` it so many moves were made."""
        match item.sort:
            case "comment":
                played.comment(item.text)
            case "nag":
                number = int(item.text.removeprefix("$"))
                played.nags.setdefault(len(played.game.moves), []).append(number)
            case "number":
                self._check_number(item, (before + len(played.game.moves)) // 2 + 1)
            case "skip":
                self._check_skip(item, played)
            case "move":
                self._push(played, item)
            case "illegal":
                self._lose(played, item)
            case "result" | "claim":
                self._end(played, item)

    def _check_number(self, item: Item, expected: int) -> None:
        if int(item.text) != expected:
            message = f"here comes move {expected}, not {item.text}"
            hint = "a move may be missing before it, or be there twice"
            self._refuse("move-number", message, item.span, hint)

    def _check_skip(self, item: Item, played: Round) -> None:
        """Dots stand for the first side's move before one of the second side."""
        if not played.game.turn:
            message = "dots stand for a move of the first side, and here it moves"
            hint = "write the move"
            self._refuse("move-number", message, item.span, hint)

    def _push(self, played: Round, item: Item) -> None:
        """Make a move; an illegal one is an error here even where it would lose the game."""
        if outcome := played.game.outcome():
            how = result(outcome)
            message = f"the game was over before {item.text}: {how}"
            words = ["round", "end"] if self._read is read_own else []
            hint = meant(item.text, words) or "take the moves after the end out"
            self._refuse("game-over", message, item.span, hint)
        try:
            played.push(self._read(played.game, item.text))
        except AlfilError as error:
            self._show(error, Value(item.text, item.span))

    def _lose(self, played: Round, item: Item) -> None:
        """Make the illegal move that lost the game."""
        here = Value(item.text, item.span)
        if not played.game.adjudicate:
            message = "illegal moves do not lose in this record"
            hint = "add a line: illegal moves: lose"
            self._refuse("record-result", message, item.span, hint)
        with self._at(here):
            played.push(item.text)
        if not played.game.illegal_text:
            message = f"{item.text} is legal, so it does not lose"
            hint = "write it as a move"
            self._refuse("record-result", message, item.span, hint)

    def _end(self, played: Round, item: Item) -> None:
        """End the game as the record says, or see that it has ended so."""
        game = played.game
        if item.sort == "claim":
            self._claim(game, item)
            return
        winner, _, reason = item.text.partition(", ")
        if game.outcome() is None:
            said = next((each for each in SAID if each == reason), None)
            if said and winner in {"b", "w", DRAW}:
                first = self._variant.rules.first[0]
                game.end(None if winner == DRAW else int(winner != first), said)
            elif reason == "impasse":
                with self._at(Value("", item.span)):
                    game.agree_impasse()
        outcome = game.outcome()
        found = result(outcome) if outcome else ""
        if found != item.text:
            ended = f"it is {found}" if found else "the game goes on"
            message = f"the result is not {item.text or 'empty'}: {ended}"
            hint = f"write result: {found}" if found else f"winner or {DRAW}, and the reason"
            self._refuse("record-result", message, item.span, hint)

    def _claim(self, game: Game, item: Item) -> None:
        """End the game as another program says, unless it has ended so already."""
        outcome = game.outcome()
        who, _, reason = item.text.partition(" ")
        winner = {"-": None, "m": game.turn, "o": 1 - game.turn, "0": 0, "1": 1}[who]
        if outcome is None:
            said: Said = next((each for each in SAID if each == reason), "adjudication")
            game.end(winner, said)
            return
        first = self._variant.rules.first[0]
        found = None if outcome.winner is None else int(outcome.winner != first)
        if found != winner:
            message = f"the result is not this: it is {result(outcome)}"
            self._refuse("record-result", message, item.span, f"write {result(outcome)}")

    @contextmanager
    def _at(self, *places: Value) -> Iterator[None]:
        """Errors about one of these texts are shown where it stands in the record."""
        try:
            yield
        except AlfilError as error:
            self._show(error, *places)

    def _show(self, error: AlfilError, *places: Value) -> NoReturn:
        """Raise an error about one of these texts where it stands in the record."""
        text = error.source.text
        place = next((each for each in places if each.text == text), places[-1])
        inside = place.text == text
        findings = [
            each.shift(place.span.start) if inside else replace(each, spans=(place.span,))
            for each in error.findings
        ]
        raise RecordError(findings, self._written.source) from None


class _Lines:
    """The lines of a game that are open while it is read: what was played, then variations.

    ``skipped`` is how many variations are open that are left out, ``notes`` say why they are.
    """

    def __init__(self, played: Round) -> None:
        # Each with its place in the text, and how many moves were made before it: one more where
        # the second side begins.
        self._open = [(played, Span(0, 0), played.game.turn)]
        self.skipped = 0
        self.notes: list[Finding] = []

    @property
    def line(self) -> Round:
        """The line that goes on."""
        return self._open[-1][0]

    @property
    def before(self) -> int:
        """How many moves were made before that line."""
        return self._open[-1][2]

    def begin(self, span: Span) -> None:
        """Begin a variation that stands in so much of the text."""
        made = len(self.line.game.moves)
        if not self.skipped and made:
            before = self.before + made - 1
            self._open.append((self.line.branch(), span, before))
            return
        if not self.skipped:
            self._note(span, "there is no move before it")
        self.skipped += 1

    def end(self) -> None:
        """End the variation begun last."""
        if self.skipped:
            self.skipped -= 1
            return
        branch, *_ = self._open.pop()
        self.line.variations.setdefault(len(self.line.game.moves), []).append(branch)

    def leave_out(self, error: RecordError) -> None:
        """Leave the rest of a variation with a mistake out, and all of it; others are raised."""
        if len(self._open) == 1:
            raise error
        _, span, _ = self._open.pop()
        self._note(span, error.findings[0].message)
        self.skipped = 1

    def _note(self, span: Span, why: str) -> None:
        message = f"a variation is left out: {why}"
        self.notes.append(Finding("variation", message, (span,), severity="note"))

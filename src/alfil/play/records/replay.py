"""Replays a record; errors are shown at their place in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple, NoReturn, TypeAlias

from alfil.errors import AlfilError, Diagnostic, NotationError, RecordError, did_you_mean, reject
from alfil.game.compiled_variant import compile_variant
from alfil.game.game_position import GamePosition
from alfil.game.moves import Move, reject_overlong_text
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.outcomes import AGREED_REASONS, Agreed
from alfil.play.records import hodges
from alfil.play.records.own_format import (
    DRAW_WORD,
    PLAYED_ON,
    LocatedText,
    ParsedRecord,
    ParsedRound,
    RecordItem,
    WrongVariationBudget,
    game_digest,
    outcome_line,
)
from alfil.play.session import Round, Session, one_line
from alfil.source import Span

# So many variations may stand one in the other: each that is open has a position of its own.
MOST_NESTED = 500

Reader: TypeAlias = Callable[[Game, str], Move]


def read_own_format_move(game: Game, text: str) -> Move:
    """A move of a record: in Hodges notation, or in USI-like text where that tells no move."""
    reject_overlong_text(text, compile_variant(game.variant))
    try:
        return hodges.read(game, text)
    except NotationError as error:
        try:
            return game.read_move(text)
        except NotationError:
            raise error from None


def replay_record(
    parsed: ParsedRecord, variant: Variant, read: Reader = read_own_format_move
) -> Session:
    """The match in a record, as far as it goes; ``read`` parses its moves.

    Raises `RecordError` for a record of another game or of other movements, and for the first move
    or result that is not as the rules have it.
    """
    return _Replay(parsed, variant, read).session()


class _Replay:
    """Replays one record."""

    def __init__(self, parsed: ParsedRecord, variant: Variant, read: Reader) -> None:
        self._parsed = parsed
        self._read = read
        self._variant = variant

    def session(self) -> Session:
        parsed = self._parsed
        self._check_game()
        self._check_movements()
        self._check_rules()
        names = [
            parsed.fields.get(f"player {number}", LocatedText("", Span(0, 0))) for number in (1, 2)
        ]
        start, date = self._position_and_date(parsed.rounds[0] if parsed.rounds else None)
        adjudicate = self._is_illegal_move_loss()
        with self._errors_shown_in_record(start):
            session = Session(
                self._variant,
                (names[0].text, names[1].text),
                adjudicate=adjudicate,
                position=start.text or None,
                date=date,
            )
        for number, played in enumerate(parsed.rounds):
            if number:
                self._begin_round(session, played)
            self._ignore_claimable_ends(session.game, played)
            self._play_moves_and_variations(session.round, played)
        session.lost, session.notes = parsed.truncation, tuple(parsed.notes)
        session.round.tags.update(parsed.tags)
        return session

    def _reject(self, kind: str, message: str, span: Span, hint: str) -> NoReturn:
        reject(RecordError, kind, message, self._parsed.source, span, hint)

    def _check_game(self) -> None:
        game = self._parsed.fields["game"]
        if game.text != one_line(self._variant.name):
            message = f"this is a record of {game.text}, not of {self._variant.name}"
            hint = f"load it as {game.text}"
            self._reject("other-game", message, game.span, hint)

    def _check_movements(self) -> None:
        """The same movements, so that the record means the same game.

        A record written by hand may leave them all out, but for those that were changed.
        """
        if not self._parsed.moves:
            return
        now = {code: one_line(move) for code, move in self._variant.moves}
        for code, move in self._parsed.moves.items():
            if code not in now:
                message = f"{self._variant.name} has no piece {code}"
                hint = "load the game of the record"
                self._reject("other-moves", message, move.span, hint)
            if move.text != now[code]:
                message = f"{code} moves as {move.text} in this record, as {now[code]} in the game"
                hint = f"load the game with {code}={move.text}"
                self._reject("other-moves", message, move.span, hint)
        missing = [code for code in now if code not in self._parsed.moves]
        if missing and len(self._parsed.moves) > len(self._parsed.overrides):
            message = f"the record does not say how {missing[0]} moves"
            hint = f"if it is the same, add: move {missing[0]}: {now[missing[0]]}"
            here = self._parsed.fields["game"].span
            self._reject("other-moves", message, here, hint)

    def _check_rules(self) -> None:
        """The same rules and set-up; a record written by hand may leave the line out."""
        rules = self._parsed.fields.get("rules")
        if rules and rules.text != game_digest(self._variant):
            name = self._variant.name
            message = f"{name} has other rules or another starting position than this record"
            hint = "load the game as it was; without this line the record is read under these rules"
            self._reject("other-rules", message, rules.span, hint)

    def _is_illegal_move_loss(self) -> bool:
        value = self._parsed.fields.get("illegal moves")
        if value and value.text != "lose":
            message = f"illegal moves lose, or the line is left out: {value.text}"
            hint = "write: illegal moves: lose"
            self._reject("record-line", message, value.span, hint)
        return value is not None

    def _position_and_date(self, played: ParsedRound | None) -> tuple[LocatedText, str]:
        """The position a round begins with, and its date; empty where nothing is said."""
        fields = played.fields if played else {}
        nothing = LocatedText("", played.span if played else Span(0, 0))
        return fields.get("position", nothing), fields.get("date", nothing).text

    def _begin_round(self, session: Session, played: ParsedRound) -> None:
        start, date = self._position_and_date(played)
        with self._errors_shown_in_record(start, LocatedText("", played.span)):
            session.next_round(start.text or None, date)

    def _ignore_claimable_ends(self, game: Game, parsed: ParsedRound) -> None:
        """Have nothing end the game that players claim, where the record says so."""
        value = parsed.fields.get("claims")
        if value and value.text != PLAYED_ON:
            message = f"claims are {PLAYED_ON}, or the line is left out: {value.text}"
            self._reject("record-line", message, value.span, f"write: claims: {PLAYED_ON}")
        if value:
            game.ignore_claimable_ends()

    def _play_moves_and_variations(self, played: Round, parsed: ParsedRound) -> None:
        """Play a game and its variations; of a variation with a mistake only a note is kept."""
        lines = _OpenVariations(played, self._parsed.wrong_variations)
        for item in parsed.items:
            if item.category == "variation":
                lines.begin_variation(item.span)
            elif item.category == "end":
                lines.end_variation()
            elif not lines.skipped:
                try:
                    self._apply_item(lines.current, item, lines.moves_before)
                except RecordError as error:
                    lines.drop_variation(error)
        self._parsed.notes += lines.notes

    def _apply_item(self, played: Round, item: RecordItem, moves_before: int) -> None:
        """One part of a line, other than variations; ``moves_before`` it were made."""
        match item.category:
            case "comment":
                played.comment(item.text)
            case "nag":
                number = int(item.text.removeprefix("$"))
                played.nags.setdefault(len(played.game.moves), []).append(number)
            case "number":
                self._check_number(item, (moves_before + len(played.game.moves)) // 2 + 1)
            case "skip":
                self._check_move_dots(item, played)
            case "move":
                self._push_move(played, item)
            case "illegal":
                self._push_losing_move(played, item)
            case "result" | "claim":
                self._apply_result(played, item)

    def _check_number(self, item: RecordItem, expected: int) -> None:
        if int(item.text) != expected:
            message = f"here comes move {expected}, not {item.text}"
            hint = "a move may be missing before it, or be there twice"
            self._reject("move-number", message, item.span, hint)

    def _check_move_dots(self, item: RecordItem, played: Round) -> None:
        """Dots stand for the first side's move before one of the second side."""
        if not played.game.side_to_move:
            message = "dots replace a move of the first player, who is to move here"
            hint = "write the move"
            self._reject("move-number", message, item.span, hint)

    def _push_move(self, played: Round, item: RecordItem) -> None:
        """Make a move; an illegal one is an error here even where it would lose the game."""
        if outcome := played.game.outcome():
            how = outcome_line(outcome)
            message = f"the game was over before {item.text}: {how}"
            words = ["round", "end"] if self._read is read_own_format_move else []
            hint = did_you_mean(item.text, words) or "take the moves after the end out"
            self._reject("game-over", message, item.span, hint)
        try:
            played.push(self._read(played.game, item.text))
        except AlfilError as error:
            self._raise_with_span_in_record(error, LocatedText(item.text, item.span))

    def _push_losing_move(self, played: Round, item: RecordItem) -> None:
        """Make the illegal move that lost the game."""
        here = LocatedText(item.text, item.span)
        if not played.game.adjudicate:
            message = "illegal moves do not lose in this record"
            hint = "add a line: illegal moves: lose"
            self._reject("record-result", message, item.span, hint)
        with self._errors_shown_in_record(here):
            played.push(item.text)
        if not played.game.illegal_text:
            message = f"{item.text} is legal, so it does not lose"
            hint = "write it as a move"
            self._reject("record-result", message, item.span, hint)

    def _apply_result(self, played: Round, item: RecordItem) -> None:
        """End the game as the record says, or see that it has ended so."""
        game = played.game
        if item.category == "claim":
            self._apply_foreign_result(game, item)
            return
        winner, _, reason = item.text.partition(", ")
        if game.outcome() is None:
            agreed = next((each for each in AGREED_REASONS if each == reason), None)
            if agreed and winner in {"b", "w", DRAW_WORD}:
                first = self._variant.rules.first[0]
                game.end(None if winner == DRAW_WORD else int(winner != first), agreed)
            elif reason == "impasse":
                with self._errors_shown_in_record(LocatedText("", item.span)):
                    game.agree_impasse()
        outcome = game.outcome()
        results = outcome_line(outcome) if outcome else ""
        if results != item.text:
            ended = f"it is {results}" if results else "the game goes on"
            message = f"the result is not {item.text or 'empty'}: {ended}"
            hint = (
                f"write result: {results}" if results else f"winner or {DRAW_WORD}, and the reason"
            )
            self._reject("record-result", message, item.span, hint)

    def _apply_foreign_result(self, game: Game, item: RecordItem) -> None:
        """End the game as another program says, unless it has ended so already."""
        outcome = game.outcome()
        who, _, reason = item.text.partition(" ")
        winner = {"-": None, "m": game.side_to_move, "o": 1 - game.side_to_move, "0": 0, "1": 1}[
            who
        ]
        if outcome is None:
            agreed: Agreed = next(
                (each for each in AGREED_REASONS if each == reason), "adjudication"
            )
            game.end(winner, agreed)
            return
        first = self._variant.rules.first[0]
        results = None if outcome.winner is None else int(outcome.winner != first)
        if results != winner:
            message = f"the game has ended otherwise: {outcome_line(outcome)}"
            hint = "correct the result, or leave it out"
            self._reject("record-result", message, item.span, hint)

    @contextmanager
    def _errors_shown_in_record(self, *places: LocatedText) -> Iterator[None]:
        """Errors about one of these texts are shown where it stands in the record."""
        try:
            yield
        except AlfilError as error:
            self._raise_with_span_in_record(error, *places)

    def _raise_with_span_in_record(self, error: AlfilError, *places: LocatedText) -> NoReturn:
        """Raise an error about one of these texts where it stands in the record."""
        text = error.source.text
        place = next((each for each in places if each.text == text), places[-1])
        inside = place.text == text
        diagnostics = [
            each.shift(place.span.start) if inside else replace(each, spans=(place.span,))
            for each in error.diagnostics
        ]
        raise RecordError(diagnostics, self._parsed.source) from None


class _Branch(NamedTuple):
    """A line before the move that variations take the place of, when so many moves were made.

    ``ended`` are positions in the engine of variations that have ended: to take their moves back is
    less work than to copy another position.
    """

    moves_made: int
    line: Round
    ended: list[GamePosition]

    def begin_variation(self) -> Round:
        """A variation that begins as the line does."""
        game = self.line.game
        if not self.ended:
            return Round(game.copy(), self.line.start)
        position = self.ended.pop()
        while position.ply > len(game.moves):
            position.pop()
        return Round(game._copy_in(position), self.line.start)


class _OpenVariations:
    """The lines of a game that are open while it is read: what was played, then variations.

    ``skipped`` is how many variations are open that are left out, ``notes`` say why they are.
    """

    def __init__(self, played: Round, wrong: WrongVariationBudget) -> None:
        self._wrong = wrong
        # Each with its place in the text, and how many moves were made before it: one more where
        # the second side begins.
        self._open = [(played, Span(0, 0), played.game.side_to_move)]
        # How each open line stands before the move that its last variation takes the place of.
        self._branches: list[_Branch | None] = [None]
        self.skipped = 0
        self.notes: list[Diagnostic] = []

    @property
    def current(self) -> Round:
        """The line that goes on."""
        return self._open[-1][0]

    @property
    def moves_before(self) -> int:
        """How many moves were made before that line."""
        return self._open[-1][2]

    def begin_variation(self, span: Span) -> None:
        """Begin a variation that stands in so much of the text."""
        made = len(self.current.game.moves)
        why = ""
        if not made:
            why = "there is no move before it"
        elif len(self._open) > MOST_NESTED:
            why = f"{MOST_NESTED} others are around it"
        elif not self._wrong.left:
            why = "too many before it are wrong"
        if not self.skipped and not why:
            before = self.moves_before + made - 1
            self._open.append((self._branch(made), span, before))
            self._branches.append(None)
            return
        if not self.skipped:
            self._add_omission_note(span, why)
        self.skipped += 1

    def _branch(self, moves_made: int) -> Round:
        """A variation of the current line; those of one move begin alike.

        One of the first move of a variation begins as that does.
        """
        known = self._branches[-1]
        if known is None or known.moves_made != moves_made:
            around = self._branches[-2] if moves_made == 1 and len(self._open) > 1 else None
            known = (
                around._replace(moves_made=1)
                if around
                else _Branch(moves_made, self.current.branch(), [])
            )
            self._branches[-1] = known
        return known.begin_variation()

    def end_variation(self) -> None:
        """End the variation begun last."""
        if self.skipped:
            self.skipped -= 1
            return
        variation, *_ = self._close()
        self.current.variations.setdefault(len(self.current.game.moves), []).append(variation)

    def drop_variation(self, error: RecordError) -> None:
        """Leave the rest of a variation with a mistake out, and all of it; others are raised."""
        if len(self._open) == 1:
            raise error
        _, span, _ = self._close()
        self._wrong.left -= 1
        self._add_omission_note(span, error.first_error.message)
        self.skipped = 1

    def _close(self) -> tuple[Round, Span, int]:
        self._branches.pop()
        ended, branch = self._open.pop(), self._branches[-1]
        released = ended[0].game._release_engine_memory()
        if branch and released:
            branch.ended.append(released)
        return ended

    def _add_omission_note(self, span: Span, why: str) -> None:
        message = f"a variation is left out: {why}"
        self.notes.append(Diagnostic("variation", message, (span,), severity="note"))

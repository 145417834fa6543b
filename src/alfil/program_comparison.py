"""What another program does with the text of a piece, compared with our own reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Literal, TypeAlias

from alfil.api import (
    RADIUS,
    AnyPiece,
    Offset,
    Piece,
    as_piece,
    captures_of_lone_enemies,
    draw,
    is_betza,
    moves_from_middle,
    read,
    same,
    side_by_side,
)
from alfil.errors import AlfilError, NotationError, reject
from alfil.frozen_dataclasses import cached_property, dataclass
from alfil.source import Span

if TYPE_CHECKING:
    from alfil.programs import PredictedReading
Verdict: TypeAlias = Literal["same", "settings", "ignored", "other", "unknown", "unreadable"]
Offsets: TypeAlias = frozenset[Offset]


@dataclass(frozen=True)
class ProgramComparison:
    """A piece as we read it, and what a program does with its text.

    ``verdict`` is "same" for the same piece, "ignored" for another one because the program passes
    over part of the text, "other" for another one though it reads all of it, and "unreadable"
    where we cannot read the text ourselves. ``ours`` is None then, and ``error`` says why. It is
    "settings" where nothing but castling and en passant differ, and the program has those from the
    rules of a game.
    It is "unknown", and ``theirs`` None, where nobody has found out what the program does.
    """

    verdict: Verdict
    prediction: PredictedReading
    ours: Piece | None
    theirs: Piece | None
    error: AlfilError | None = field(default=None, compare=False)

    def _repr_svg_(self) -> str | None:
        """Both pieces side by side, ours first; None where either is not known, or undrawable."""
        if self.ours is None or self.theirs is None:
            return None
        try:
            pictures = [draw(self.ours), draw(self.theirs)]
        except AlfilError:
            return None
        return side_by_side(pictures, f"As alfil and as {self.prediction.program} read it")

    @property
    def ignored(self) -> tuple[Span, ...]:
        """The stretches of the text that the program passes over."""
        return self.prediction.ignored

    @cached_property
    def gained(self) -> Offsets:
        """Squares the program lets the piece go to on an empty board and we do not."""
        return _squares_of_first_piece_only(_reached_squares, self.theirs, self.ours)

    @cached_property
    def lost(self) -> Offsets:
        """Squares we let the piece go to on an empty board and the program does not."""
        return _squares_of_first_piece_only(_reached_squares, self.ours, self.theirs)

    @cached_property
    def captures_gained(self) -> Offsets:
        """Squares on which the program lets it capture a lone enemy and we do not."""
        return _squares_of_first_piece_only(_lone_capture_squares, self.theirs, self.ours)

    @cached_property
    def captures_lost(self) -> Offsets:
        """Squares on which we let it capture a lone enemy and the program does not."""
        return _squares_of_first_piece_only(_lone_capture_squares, self.ours, self.theirs)


def _squares_of_first_piece_only(
    squares: Callable[[Piece], Offsets], piece: Piece | None, other: Piece | None
) -> Offsets:
    """The squares of one piece that are none of the other's; nothing where one is not known."""
    return squares(piece) - squares(other) if piece and other else frozenset()


def _reached_squares(piece: Piece) -> Offsets:
    return frozenset(move.to for move in moves_from_middle(piece, RADIUS))


def _lone_capture_squares(piece: Piece) -> Offsets:
    return frozenset(captures_of_lone_enemies(piece, RADIUS))


def check_for(piece: AnyPiece, program: str) -> ProgramComparison:
    """What a program does with a piece's Betza text, compared with our own reading.

    A string is read as Betza. Programs are "fairy-stockfish" and "xboard". Raises `AlfilError` of
    kind "unknown-program" for others, "no-translation" for a piece that is not in Betza, and
    whatever its meaning raises.

    >>> result = check_for("afsW", "fairy-stockfish")
    >>> result.verdict, result.prediction.betza, sorted(result.gained)
    ('ignored', 'fsW', [(-1, 0), (0, 1), (1, 0)])
    >>> check_for("KNAD", "xboard").verdict
    'same'
    """
    from alfil.programs import predict_reading

    ours, error = None, None
    try:
        ours = as_piece(piece)
        source = ours.source
    except NotationError as result:
        error, source = result, result.source
    if ours and not is_betza(ours):
        hint = "give it as Betza"
        reject(AlfilError, "no-translation", f"{program} reads Betza", ours.source, hint=hint)
    prediction = predict_reading(source.text, program)
    theirs = None
    if prediction.betza is not None:
        theirs = read(prediction.betza, prediction.notation)
    return ProgramComparison(_verdict(ours, theirs, prediction), prediction, ours, theirs, error)


def _verdict(ours: Piece | None, theirs: Piece | None, prediction: PredictedReading) -> Verdict:
    from alfil.meaning.compare_meanings import same_meaning
    from alfil.meaning.compile_movement import meaning_of
    from alfil.programs import without_game_rule_moves

    if ours is None:
        return "unreadable"
    if theirs is None:
        return "unknown"
    if same(ours, theirs):
        return "same"
    one, other = (
        meaning_of(without_game_rule_moves(each.movement, prediction.program), each.source)
        for each in (ours, theirs)
    )
    if same_meaning(one, other):
        return "settings"
    return "ignored" if prediction.ignored else "other"

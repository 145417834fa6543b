"""Whether another program does with a piece what we take it for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from alfil.errors import AlfilError, Finding, NotationError
from alfil.notation.registry import notation_of
from alfil.piece import AnyPiece, Piece, as_piece, moves, read, same
from alfil.programs.prediction import Prediction, predicted
from alfil.source import Span

Verdict: TypeAlias = Literal["same", "ignored", "other", "unreadable"]
Offsets: TypeAlias = frozenset[tuple[int, int]]

# Boards on which moves are compared: a square alone in the middle, so many squares each way.
RADIUS = 7


@dataclass(frozen=True)
class Comparison:
    """A piece as we read it, and what a program does with its text.

    ``verdict`` is "same" for the same piece, "ignored" for another one because the program passes
    over part of the text, "other" for another one though it reads all of it, and "unreadable"
    where we cannot read the text ourselves. ``ours`` is None then, and ``error`` says why.
    ``theirs`` is None where nobody has found out what the program does.
    """

    verdict: Verdict
    prediction: Prediction
    ours: Piece | None
    theirs: Piece | None
    error: AlfilError | None = field(default=None, compare=False)

    @property
    def ignored(self) -> tuple[Span, ...]:
        """The stretches of the text that the program passes over."""
        return self.prediction.ignored

    @cached_property
    def gained(self) -> Offsets:
        """Squares the program lets the piece go to on an empty board and we do not."""
        return self._quiet(self.theirs) - self._quiet(self.ours)

    @cached_property
    def lost(self) -> Offsets:
        """Squares we let the piece go to on an empty board and the program does not."""
        return self._quiet(self.ours) - self._quiet(self.theirs)

    @cached_property
    def captures_gained(self) -> Offsets:
        """Squares on which the program lets it capture a lone enemy and we do not."""
        return self._captures(self.theirs) - self._captures(self.ours)

    @cached_property
    def captures_lost(self) -> Offsets:
        """Squares on which we let it capture a lone enemy and the program does not."""
        return self._captures(self.ours) - self._captures(self.theirs)

    def _quiet(self, piece: Piece | None) -> Offsets:
        if piece is None or self.ours is None or self.theirs is None:
            return frozenset()
        return _on_board(piece, ())

    def _captures(self, piece: Piece | None) -> Offsets:
        if piece is None or self.ours is None or self.theirs is None:
            return frozenset()
        around = range(-RADIUS, RADIUS + 1)
        squares = [(x, y) for x in around for y in around if (x, y) != (0, 0)]
        return frozenset(at for at in squares if at in _on_board(piece, [at], capturing=True))


def _on_board(
    piece: Piece, enemies: tuple[()] | list[tuple[int, int]], *, capturing: bool = False
) -> Offsets:
    """Where the piece can go from the middle of a square board, or what it can capture there."""
    size = 2 * RADIUS + 1
    names = [_name(x + RADIUS, y + RADIUS) for x, y in enemies]
    found = moves(piece, files=size, ranks=size, at=(RADIUS, RADIUS), enemies=names, unmoved=True)
    if capturing:
        return frozenset(square for move in found for square in move.captures)
    return frozenset(move.to for move in found)


def _name(file: int, rank: int) -> str:
    return f"{chr(ord('a') + file)}{rank + 1}"


def check_for(piece: AnyPiece, program: str) -> Comparison:
    """What a program does with a piece's Betza text, compared with our own reading.

    A string is read as Betza. Programs are "fairy-stockfish" and "xboard".
    Raises `AlfilError` of kind "unknown-program" for others, "no-translation" for a piece in
    Ħasínū, and whatever its meaning raises.

    >>> found = check_for("afsW", "fairy-stockfish")
    >>> found.verdict, found.prediction.betza, sorted(found.gained)
    ('ignored', 'fsW', [(-1, 0), (0, 1), (1, 0)])
    >>> check_for("KNAD", "xboard").verdict
    'same'
    """
    error: AlfilError | None = None
    ours: Piece | None
    if isinstance(piece, str):
        text = piece
        ours, error = _read(text)
    else:
        ours = as_piece(piece)
        text = ours.text
        if not in_betza(ours):
            finding = Finding(
                "no-translation",
                f"{program} reads Betza",
                (Span(0, len(text)),),
                "give it as Betza",
            )
            raise AlfilError([finding], ours.source)
    prediction = predicted(text, program)
    theirs = None
    if prediction.betza is not None:
        theirs = read(prediction.betza, prediction.notation)
    return Comparison(_verdict(ours, theirs, prediction), prediction, ours, theirs, error)


def in_betza(piece: Piece) -> bool:
    """Whether a piece is written in Betza, in some dialect."""
    return notation_of(piece.tree).folder == "betza"


def _read(text: str) -> tuple[Piece | None, AlfilError | None]:
    try:
        return read(text), None
    except NotationError as error:
        return None, error


def _verdict(ours: Piece | None, theirs: Piece | None, prediction: Prediction) -> Verdict:
    if ours is None:
        return "unreadable"
    if theirs is not None and same(ours, theirs):
        return "same"
    return "ignored" if prediction.ignored else "other"

"""Examples of moves in text, found by the engine: for each form of move the plainest position.

A position has both royal pieces where they begin and at most two pieces more. The positions are
tried in one fixed order, pieces whose moves are known before those whose moves are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from alfil.game.moves import Move
from alfil.game.plan import Promotion, natures
from alfil.game.text import board_rows
from alfil.game.variant import Kind, Variant
from alfil.play.game import Game
from alfil.play.records.forms import write_move
from alfil.squares import Square

NEAR = 2  # files and ranks

Standing: TypeAlias = dict[Square, tuple[Kind, int]]


class Example(NamedTuple):
    """A move, the position before it (empty for the start), and the move in each form."""

    what: str
    position: str
    hodges: str
    usi: str
    cell: str


class Form(NamedTuple):
    """A form of move: whose it can be, the positions to try, and whether a move has it."""

    what: str
    whose: Callable[[Kind, Promotion], bool]
    scenes: Callable[[Variant, Kind], Iterator[Standing]]
    shows: Callable[[Move, Game], bool]


def examples(game: Variant) -> Iterator[Example]:
    """One example for each form of move that the game has."""
    opening = Game(game)
    moves = opening.legal_moves
    ranking = {kind.code: at for at, kind in enumerate(_plain(game))}
    yield from _plainest("move", opening, filter(_quiet, moves), ranking=ranking)
    yield from _plainest("drop", opening, (move for move in moves if move.is_drop))
    for form in FORMS:
        found = (
            example
            for kind in _plain(game)
            if form.whose(kind, natures(game)[kind.code].promotion)
            for standing in form.scenes(game, kind)
            for example in _shown(form, game, standing)
        )
        yield from [example for example, _ in zip(found, "1", strict=False)]


def _shown(form: Form, game: Variant, standing: Standing) -> Iterator[Example]:
    text = _text(game, standing)
    scene = Game(game, text)
    if not scene.flags:
        shown = (move for move in scene.legal_moves if form.shows(move, scene))
        yield from _plainest(form.what, scene, shown, text)


def _plainest(
    what: str,
    game: Game,
    moves: Iterable[Move],
    position: str = "",
    ranking: dict[str, int] | None = None,
) -> Iterator[Example]:
    """The plainest of these moves as an example, nothing where there is none."""
    centre = _from_centre(game.variant)
    ranks = ranking or {}

    def plainness(move: Move) -> tuple[int, float, int]:
        return ranks.get(move.code, len(ranks)), centre(move.target), -move.target[1]

    for move in sorted(moves, key=plainness)[:1]:
        texts = (write_move(game, move, form) for form in ("hodges", "usi", "cell"))
        yield Example(what, position, *texts)


def _plain(game: Variant) -> list[Kind]:
    """The pieces that are not royal, those with a given move first."""
    royal = {code for code, nature in natures(game).items() if nature.survive}
    kinds = [kind for kind in game.kinds if kind.code not in royal]
    return sorted(kinds, key=lambda kind: kind.status != "given")


def _from_centre(game: Variant) -> Callable[[Square], float]:
    x, y = (game.files - 1) / 2, (game.ranks - 1) / 2
    return lambda square: (square[0] - x) ** 2 + (square[1] - y) ** 2


def _kings(game: Variant) -> Standing:
    royal = {code for code, nature in natures(game).items() if nature.survive}
    return {
        each.square: (game.kind(each.code), each.side) for each in game.setup if each.code in royal
    }


def _alone(game: Variant, kind: Kind) -> Iterator[Standing]:
    """The piece on each square, from the centre on."""
    kings = _kings(game)
    squares = ((x, y) for y in range(game.ranks) for x in range(game.files))
    for square in sorted(squares, key=_from_centre(game)):
        if square not in kings:
            yield kings | {square: (kind, 0)}


def _facing(game: Variant, kind: Kind) -> Iterator[Standing]:
    """The same with an enemy near it, in front first."""
    enemies = [each for each in _plain(game)[::-1] if each.base == each.code][:1]
    for standing in _alone(game, kind):
        for square in _near(game, standing):
            yield from (standing | {square: (enemy, 1)} for enemy in enemies)


def _paired(game: Variant, kind: Kind) -> Iterator[Standing]:
    """The same with another of its kind near it."""
    for standing in _alone(game, kind):
        for square in _near(game, standing):
            yield standing | {square: (kind, 0)}


def _near(game: Variant, standing: Standing) -> list[Square]:
    """The empty squares around the piece that stands there last, the nearest first."""
    x, y = [*standing][-1]
    squares = ((file, rank) for rank in range(game.ranks) for file in range(game.files))
    around = ((abs(a - x), abs(b - y), -b, (a, b)) for a, b in squares if (a, b) not in standing)
    return [at for dx, dy, _, at in sorted(around, key=_nearness) if max(dx, dy) <= NEAR]


def _nearness(place: tuple[int, int, int, Square]) -> tuple[int, int, Square]:
    dx, dy, behind, square = place
    return dx * dx + dy * dy, behind, square


def _text(game: Variant, standing: Standing) -> str:
    """A position with the first side to move and nothing in hand."""
    symbols = [""] * (game.files * game.ranks)
    for (file, rank), (kind, side) in standing.items():
        symbols[rank * game.files + file] = kind.letter.lower() if side else kind.letter
    return f"{board_rows(symbols, game.files)} {game.rules.first[0]} - 1"


def _is_plain(kind: Kind, promotion: Promotion) -> bool:
    del promotion
    return kind.base == kind.code


def _is_promoted(kind: Kind, promotion: Promotion) -> bool:
    return not _is_plain(kind, promotion)


def _can_promote(kind: Kind, promotion: Promotion) -> bool:
    del kind
    return bool(promotion.codes)


def _may_decline(kind: Kind, promotion: Promotion) -> bool:
    return _can_promote(kind, promotion) and promotion.mode != "forced"


def _quiet(move: Move) -> bool:
    return not move.is_drop and not move.captures and not move.promotes


def _is_rivalled(move: Move, game: Game) -> bool:
    """Whether another piece of its kind could make the same move."""
    return _quiet(move) and any(
        _quiet(other)
        and (other.code, other.target) == (move.code, move.target)
        and other.origin != move.origin
        for other in game.legal_moves
    )


def _is_declined(move: Move, game: Game) -> bool:
    """Whether the move could have promoted and does not."""
    return _quiet(move) and any(
        other.promotes and (other.origin, other.target) == (move.origin, move.target)
        for other in game.legal_moves
    )


def _of_promoted(move: Move, game: Game) -> bool:
    kind = game.variant.kind(move.code)
    return _quiet(move) and kind.base != kind.code


FORMS = (
    Form("capture", _is_plain, _facing, lambda move, _: bool(move.captures) and not move.promotes),
    Form(
        "promotion", _can_promote, _alone, lambda move, _: bool(move.promotes and not move.captures)
    ),
    Form(
        "capture with promotion",
        _can_promote,
        _facing,
        lambda move, _: bool(move.promotes and move.captures),
    ),
    Form("promotion declined", _may_decline, _alone, _is_declined),
    Form("move of a promoted piece", _is_promoted, _alone, _of_promoted),
    Form("start square needed", _is_plain, _paired, _is_rivalled),
)

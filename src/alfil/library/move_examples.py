"""Examples of moves in text, found by the engine: for each form of move the plainest position.

A position has both royal pieces where they begin and at most two pieces more. The positions are
tried in one fixed order, pieces whose moves are known before those whose moves are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from alfil.game.moves import Move
from alfil.game.natures import Promotion, natures
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
        yield from [example for example, _ in zip(_shown(form, game), "1", strict=False)]


# A form is given up after so many moves: where moves build walls, a position has a thousand.
LOOKED_AT = 20_000


def _shown(form: Form, game: Variant) -> Iterator[Example]:
    """Examples of a form, from one scene after another."""
    whose = (k for k in _plain(game) if form.whose(k, natures(game)[k.code].promotion))
    looked_at = 0
    for standing in (each for kind in whose for each in form.scenes(game, kind)):
        text = _text(game, standing)
        scene = Game(game, text)
        if scene.flags:
            continue
        looked_at += len(scene.legal_moves)
        shown = (move for move in scene.legal_moves if form.shows(move, scene))
        yield from _plainest(form.what, scene, shown, text)
        if looked_at > LOOKED_AT:
            return


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
    kinds = [kind for kind in game.kinds if not natures(game)[kind.code].survive]
    return sorted(kinds, key=lambda kind: kind.status != "given")


def _from_centre(game: Variant) -> Callable[[Square], float]:
    x, y = (game.files - 1) / 2, (game.ranks - 1) / 2
    return lambda square: (square[0] - x) ** 2 + (square[1] - y) ** 2


def _alone(game: Variant, kind: Kind) -> Iterator[Standing]:
    """The piece on each square, from the centre on, and the royal pieces where they begin."""
    kings = {
        each.square: (game.kind(each.code), each.side)
        for each in game.setup
        if natures(game)[each.code].survive
    }
    for square in sorted(_squares(game), key=_from_centre(game)):
        if square not in kings:
            yield kings | {square: (kind, 0)}


def _squares(game: Variant) -> Iterator[Square]:
    return ((file, rank) for rank in range(game.ranks) for file in range(game.files))


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
    away = {at: (abs(at[0] - x), abs(at[1] - y)) for at in _squares(game) if at not in standing}
    around = [at for at, distance in away.items() if max(distance) <= NEAR]
    return sorted(around, key=lambda at: (sum(d * d for d in away[at]), -at[1], at))


def _text(game: Variant, standing: Standing) -> str:
    """A position with the first side to move and nothing in hand."""
    symbols = [""] * (game.files * game.ranks)
    for (file, rank), (kind, side) in standing.items():
        symbols[rank * game.files + file] = kind.letter.lower() if side else kind.letter
    return f"{board_rows(symbols, game.files)} {game.rules.first[0]} - 1"


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


FORMS = (
    Form(
        "capture",
        lambda kind, _: kind.base == kind.code,
        _facing,
        lambda move, _: bool(move.captures) and not move.promotes,
    ),
    Form(
        "promotion",
        lambda _, promotion: bool(promotion.codes),
        _alone,
        lambda move, _: bool(move.promotes and not move.captures),
    ),
    Form(
        "capture with promotion",
        lambda _, promotion: bool(promotion.codes),
        _facing,
        lambda move, _: bool(move.promotes and move.captures),
    ),
    Form(
        "promotion declined",
        lambda _, promotion: bool(promotion.codes) and promotion.mode != "forced",
        _alone,
        _is_declined,
    ),
    Form(
        "move of a promoted piece",
        lambda kind, _: kind.base != kind.code,
        _alone,
        lambda move, game: _quiet(move) and game.variant.kind(move.code).base != move.code,
    ),
    Form("start square needed", lambda kind, _: kind.base == kind.code, _paired, _is_rivalled),
)

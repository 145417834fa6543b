"""The smallest position that tells two pieces apart, confirmed on its board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Literal, TypeAlias

from alfil.effort import task
from alfil.geometry import BOARD_LIMIT
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, TooManyStates, wraps
from alfil.meaning.compare import (
    Contest,
    Counterexample,
    OutOfBudget,
    Search,
    TooManyTimings,
    contests,
    preference,
    same_meaning,
    settled,
)
from alfil.meaning.piece import GROUNDS, Body, ConditionKind, Fact, Meaning, body_of
from alfil.meaning.placing import Place
from alfil.meaning.situation import CLASSES, UNMOVED, Edges, Effect
from alfil.squares import Square
from alfil.tables.effects import with_facts
from alfil.tables.scene import Around, Offset, Scene
from alfil.tables.walking import PieceMove, moves_in

# A position is looked for with so much work.
MOST_WORK = 60_000
# Where a move depends on the size of the board, boards of up to so many squares are all tried;
# none of them is too long to be a board.
AREA_LIMIT = 24
# These are few enough to be tried before anything is known.
SMALL = 12
# Ways to place what stands around a piece of several squares that are tried at most.
MOST_PLACED = 256


@dataclass(frozen=True, slots=True)
class Witness:
    """What tells two pieces apart: a position with a move that only one of them has, or a fact.

    ``only`` says which of the two has it. ``at`` is (file, rank) from 0; the other pieces stand at
    offsets (dx, dy) from the piece, as in `alfil.moves`, which takes `arguments` as they are.
    ``moves_made`` is None for many, ``turn`` for any, ``own_colour`` where it is no matter. Where
    the moves are the same and only a ``fact`` differs (royal, promotion, size …), ``move`` is None
    and there is no board: 0 files and ranks.
    ``drawn`` makes a picture of it as SVG, of both pieces in the position.
    """

    only: Literal["first", "second"]
    files: int = 0
    ranks: int = 0
    at: Square = (0, 0)
    enemies: tuple[Offset, ...] = ()
    friends: tuple[Offset, ...] = ()
    enemy_royals: tuple[Offset, ...] = ()
    unmoved_friends: tuple[Offset, ...] = ()
    en_passant: tuple[Offset, ...] = ()
    moves_made: int | None = None
    third_rank: bool = False
    turn: int | None = None
    own_colour: bool | None = None
    move: PieceMove | None = None
    fact: Fact | None = None
    drawn: Callable[[Witness], str] | None = field(default=None, compare=False, repr=False)

    def _repr_svg_(self) -> str | None:
        return self.drawn(self) if self.drawn and self.move else None

    def arguments(self) -> dict[str, object]:
        """The position as keyword arguments of `alfil.moves`."""
        return {name: getattr(self, name) for name in self.__slots__ if name not in _NO_ARGUMENT}

    def scene(self) -> Scene:
        """The position as the piece sees it."""
        others = (self.enemies, self.friends, self.enemy_royals, self.unmoved_friends)
        board = Scene(self.files, self.ranks, self.at)
        past = (False, self.moves_made, self.third_rank, self.turn)
        around = Around(board, *others, self.en_passant, *past, own_colour=self.own_colour)
        return around.scene()


_NO_ARGUMENT = frozenset({"only", "move", "fact", "drawn"})


class Undecided(Exception):
    """No position was found, and the pieces were not proved to be the same."""


def witness_of(left: Meaning, right: Meaning) -> Witness | None:
    """The smallest difference of two meanings, None if they are the same piece.

    Smallest is: on the board with the fewest squares (files times ranks), then with the fewest
    pieces, squares for en passant counted as pieces; ties are broken in one fixed way. For pieces
    of several squares it is small. Raises `Undecided`.
    """
    if left == right:
        return None
    if body_of(left.facts) != body_of(right.facts):
        return _by_size(left, right)
    # Which of the two comes first must not change what is found.
    turned = repr(left) > repr(right)
    pair = (right, left) if turned else (left, right)
    found = _by_moves(*pair)
    facts = sorted(set(left.facts) ^ set(right.facts), key=repr)
    if found is None and facts:
        found = Witness("first" if facts[0] in pair[0].facts else "second", fact=facts[0])
    if found is None or not turned:
        return found
    return replace(found, only="second" if found.only == "first" else "first")


def _by_size(left: Meaning, right: Meaning) -> Witness:
    """The first thing said of the size of only one of two pieces that are not equally large."""
    facts = sorted(set(left.facts) ^ set(right.facts), key=repr)
    size = next(fact for fact in facts if fact.name == "size")
    return Witness("first" if size in left.facts else "second", fact=size)


def compared(meaning: Meaning, scene: Scene) -> frozenset[PieceMove]:
    """The moves of a piece as they are compared: with its size, and without what it burns."""
    sizes = [fact for fact in meaning.facts if fact.name == "size"]
    return with_facts(sizes, scene, lambda seen: moves_in(meaning, seen))


def _by_moves(left: Meaning, right: Meaning) -> Witness | None:
    """The smallest position, None when the moves are proved to be the same."""
    try:
        with task(MOST_WORK, OutOfBudget):
            found = _smallest(left, right)
    except (OutOfBudget, TooManyStates, TooManyTimings):
        raise Undecided from None
    return found[1] if found else None


def _smallest(left: Meaning, right: Meaning) -> Found | None:
    pairs = contests(left, right)
    free = [each for pair in pairs if not _bound(pair) for each in pair]
    bound = [each for pair in pairs if _bound(pair) for each in pair]
    search = Search(free)
    found = _first(search, left, right)
    if any(any(each.paths) for each in bound):
        found = _smaller(found, _where_boards_matter(bound, found, left, right))
    elif not search.yielded:
        return None
    if found is None and not same_meaning(left.without_facts(), right.without_facts()):
        raise Undecided
    return found


Found: TypeAlias = tuple[Counterexample, Witness]


def _where_boards_matter(
    bound: list[Contest], found: Found | None, left: Meaning, right: Meaning
) -> Found | None:
    """The smallest position on small boards, and on larger ones up to those where one is known."""
    limit = _area(found[0].board) if found else BOARD_LIMIT**2
    small = _on_boards(bound, range(1, min(limit, SMALL) + 1), left, right)
    if small or limit <= SMALL:
        return small
    if found is None and same_meaning(left.without_facts(), right.without_facts()):
        return None
    # Here steps that wrap count as plain ones; the board has the last word.
    large = _first(Search(settled(bound)), left, right)
    limit = min(limit, AREA_LIMIT, _area(large[0].board) if large else AREA_LIMIT)
    return _smaller(large, _on_boards(bound, range(SMALL + 1, limit + 1), left, right))


def _on_boards(bound: list[Contest], areas: range, left: Meaning, right: Meaning) -> Found | None:
    """The smallest position on boards of some numbers of squares, each searched on its own."""
    for area in areas:
        best = None
        for board in _boards(area):
            best = _smaller(best, _first(Search(bound, board), left, right))
        if best:
            return best
    return None


def _bound(pair: tuple[Contest, Contest]) -> bool:
    """Whether moves depend on where the board ends, so that no board stands for larger ones.

    So they do where they ask for the square of the piece.
    """
    return any(
        each.timing.grounds != GROUNDS
        or any(not mode.plain or wraps(automaton.states) for mode, automaton in each.parts)
        for each in pair
    )


def _boards(area: int) -> Iterator[Edges]:
    """All boards with so many squares, with the piece on each of them."""
    for files in range(1, area + 1):
        ranks, rest = divmod(area, files)
        if not rest:
            for west in range(files):
                for south in range(ranks):
                    yield Edges(west, files - 1 - west, south, ranks - 1 - south, wraps=True)


def _smaller(one: Found | None, other: Found | None) -> Found | None:
    return min((each for each in (one, other) if each), key=_size, default=None)


def _size(found: Found) -> tuple[object, ...]:
    example = found[0]
    return (_area(example.board), len(example.contents), preference(example))


def _area(board: Edges) -> int:
    return board.files * board.ranks


def _first(search: Search, left: Meaning, right: Meaning) -> Found | None:
    """The first position of a search in which the board confirms what it says."""
    for example in search.counterexamples():
        confirmed = _confirmed(example, left, right)
        if confirmed:
            return example, confirmed
    return None


def _confirmed(example: Counterexample, left: Meaning, right: Meaning) -> Witness | None:
    sides = (left, right) if example.side == 0 else (right, left)
    example = example._replace(board=_with_square(example))
    body = body_of(left.facts)
    if len(body) == 1:
        witness = _witness(example)
        moves, others = (_moves(side, witness.scene()) for side in sides)
        if example.effect not in moves or example.effect in others:
            return None
        return replace(witness, move=moves[example.effect])
    for larger in islice(_for_body(example, body), MOST_PLACED):
        witness = _witness(larger)
        moves, others = (_moves(side, witness.scene()) for side in sides)
        alone = sorted(move for effect, move in moves.items() if effect not in others)
        if alone:
            return replace(witness, move=alone[0])
    return None


def _with_square(example: Counterexample) -> Edges:
    """The board, or where the piece stands on a square of another sort a larger one."""
    grounds, board = example.timing.grounds, example.board
    # What holds of both sorts is not asked for, or holds in the middle only.
    pairs: tuple[frozenset[ConditionKind], ...] = (
        frozenset({"light", "dark"}),
        frozenset({"left-half", "right-half"}),
    )
    asked = [kind for pair in pairs if not pair <= grounds for kind in pair & grounds]
    room = range(BOARD_LIMIT - board.files + 1)
    for west, south, east in product(room, (0, 1), room) if asked else ():
        larger = board._replace(
            west=board.west + west, east=board.east + east, south=board.south + south
        )
        place = Place((larger.west, larger.south), larger.files, larger.ranks)
        if larger.files <= BOARD_LIMIT >= larger.ranks and all(map(place.holds, asked)):
            return larger
    return board


def _for_body(example: Counterexample, body: Body) -> Iterator[Counterexample]:
    """Positions in which a piece of several squares may see what one of a single square sees.

    Whatever stands on a square for it may stand on any that it would take up there.
    """
    board, (wide, high) = example.board, body[-1]
    larger = board._replace(east=board.east + wide, north=board.north + high)
    places = [[(x + dx, y + dy) for dx, dy in body] for x, y in example.contents]
    for chosen in product(*places):
        contents = dict(zip(chosen, example.contents.values(), strict=True))
        if len(contents) == len(chosen) and not contents.keys() & set(body):
            yield example._replace(board=larger, contents=contents)


def _moves(meaning: Meaning, scene: Scene) -> dict[Effect, PieceMove]:
    """The moves in a position by what they do, one for each effect."""
    found: dict[Effect, PieceMove] = {}
    for move in compared(meaning, scene):
        effect = _effect(move)
        if effect not in found or move < found[effect]:
            found[effect] = move
    return found


def _effect(move: PieceMove) -> Effect:
    """What makes the move the move it is; when it may be made is another matter."""
    return Effect(
        move.to,
        frozenset(move.captures),
        frozenset(move.hurdles),
        frozenset(move.trail),
        move.partner,
    )


def _witness(example: Counterexample) -> Witness:
    """The position of a counterexample, without the move."""
    board, contents = example.board, example.contents
    placed = {
        kind: tuple(sorted(at for at, stands in contents.items() if stands == kind))
        for kind in CLASSES
    }
    return Witness(
        "second" if example.side else "first",
        board.files,
        board.ranks,
        (board.west, board.south),
        placed[ENEMY],
        placed[FRIEND],
        placed[ROYAL],
        placed[UNMOVED],
        placed[TRAIL],
        example.timing.moves_made,
        example.timing.third_rank,
        example.timing.turn,
        _own_colour(example.timing.grounds),
    )


def _own_colour(grounds: frozenset[ConditionKind]) -> bool | None:
    """Whether the piece stands on the colour it began on, None where nothing asks for it."""
    return None if {"own-colour", "other-colour"} <= grounds else "own-colour" in grounds

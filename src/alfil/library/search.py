"""Looking pieces up in the bundled sets: by name or code, and by how they move.

How much two pieces are alike are the moves they have in common on three fixed boards of 15 by 15
with the piece in the middle. On the first it is alone and has not moved; on the second pieces of
its own side stand on the eight squares around it; on the third enemies stand on every square an
even number of files and of ranks away. A move is where it ends, what it captures, what it has to
pass over, and what it leaves behind. The boards look the same in a mirror and turned by a quarter,
so the moves of a turned piece are the moves of the piece, turned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import Literal, TypeAlias

from alfil.api import AnyPiece, Piece, as_piece, contains
from alfil.errors import AlfilError, BoardError, expect
from alfil.frozen import NamedTuple
from alfil.grammars import kept as from_before
from alfil.grammars import program, state_of
from alfil.library.files import FOLDER, bundled_names
from alfil.library.library import Found, Library, in_order, kept
from alfil.library.model import Entry, folded
from alfil.meaning.automaton import ENEMY, FRIEND
from alfil.meaning.compare import same_meaning
from alfil.meaning.normal import Turn, at, turned
from alfil.meaning.piece import Meaning
from alfil.notation.nodes import Description
from alfil.tables.scene import Scene
from alfil.tables.walking import PieceMove, moves_in

# How alike a name must be to be suggested, and how many are.
ALIKE = 0.7
SUGGESTED = 8
LONGEST_NAME = 60

TURNS: dict[str, Turn] = {
    "mirrored left to right": ((-1, 0), (0, 1)),
    "turned half round": ((-1, 0), (0, -1)),
    "mirrored front to back": ((1, 0), (0, -1)),
    "turned a quarter to the right": ((0, -1), (1, 0)),
    "turned a quarter to the left": ((0, 1), (-1, 0)),
}
STRAIGHT: Turn = ((1, 0), (0, 1))
SIZE = 15

Offset: TypeAlias = tuple[int, int]
# Where it ends, then captures, hurdles, trail and a castling partner's way, each as a set.
Shown: TypeAlias = tuple[Offset, frozenset[Offset], frozenset[Offset], frozenset[Offset], Offset]
View: TypeAlias = frozenset[Shown]
# The hash of each view, None where there is no view.
Prints: TypeAlias = tuple[int | None, ...]


class Turned(NamedTuple):
    """A piece that moves like the one asked about when that is mirrored or turned.

    ``how`` is one of `TURNS`.
    """

    how: str
    found: Found


class Near(NamedTuple):
    """A piece that is like the one asked about.

    On three fixed boards (`Likeness`) the two share ``shared`` moves of the ``total``
    that either has. ``relation`` is "more" where it has every move of the piece asked about,
    "less" where the piece asked about has every one of its moves, on all boards; else "other".
    """

    found: Found
    shared: int
    total: int
    relation: Literal["more", "less", "other"]


class Identity(NamedTuple):
    """What is known of a piece by its moves.

    ``same`` are the pieces that are the same, ``turned`` those that are it in a mirror or turned.
    ``near`` are the most alike, most alike first; there are some only where none is the same.
    """

    same: tuple[Found, ...]
    turned: tuple[Turned, ...]
    near: tuple[Near, ...]


class Alike(NamedTuple):
    """All pieces of one meaning, and the meaning."""

    likeness: Likeness
    found: tuple[Found, ...]


def search(query: str, sets: Iterable[str] | None = None) -> tuple[Found, ...]:
    """The pieces whose code, name, further names or characters have ``query`` in them.

    Exact codes and names come first, then names that begin with it, then names with a word that
    does, then the rest; within these the order of the sets and of their lines. Case, hyphens and
    blanks make no difference. ``SET:CODE`` is one piece. ``sets`` are names of bundled sets or
    paths of piece files; without them all bundled sets are searched. Raises what `alfil.load` does.

    >>> [each.place for each in search("griffon")]
    ['fairy:GF']
    """
    expect(query, str, "what is searched is a text")
    libraries = _libraries(sets)
    chosen, _, code = query.partition(":")
    wanted = folded(query)
    ranked: list[tuple[int, Found]] = []
    for library in libraries:
        for entry in library.pieces:
            rank = 0 if (chosen, code) == (library.name, entry.code) else _rank(wanted, entry)
            if rank is not None:
                ranked.append((rank, Found(library, entry)))
    return tuple(found for _, found in sorted(ranked, key=lambda each: each[0]))


def suggest(query: str, sets: Iterable[str] | None = None) -> tuple[Found, ...]:
    """The pieces whose names are spelled most like ``query``.

    >>> [each.entry.name for each in suggest("griphon")]
    ['griffon']
    """
    import difflib

    names: dict[str, Found] = {}
    for library in _libraries(sets):
        for entry in library.pieces:
            for name in entry.names:
                names.setdefault(folded(name), Found(library, entry))
    wanted = folded(query)[:LONGEST_NAME]
    near = difflib.get_close_matches(wanted, names, SUGGESTED, ALIKE)
    return tuple({names[name].place: names[name] for name in near}.values())


def identify(piece: AnyPiece, sets: Iterable[str] | None = None, *, nearest: int = 5) -> Identity:
    """Which piece of the bundled sets moves like this, by equality of meaning.

    What is true of a piece besides its moves (royal, promotion) is left aside. A text is read as
    Betza. ``sets`` are as for `search`; ``nearest`` is how many pieces are told where none is the
    same. Raises what `read` and the meaning raise, and `ValueError` for less than 0 pieces.

    >>> [each.entry.name for each in identify("FyafsF").same]
    ['griffon', 'gryphon']
    >>> near = identify("FyafsFN").near[0]
    >>> near.found.entry.name, near.relation
    ('griffon', 'less')
    """
    if nearest < 0:
        raise ValueError(f"0 pieces or more are told, not {nearest}")
    asked = as_piece(piece)
    likeness = Likeness(asked.meaning)
    kinds = _candidates(likeness) if sets is None else _kinds(sets)
    same = _alike(likeness, kinds)
    turns = tuple(_turns(likeness, kinds, {each.place for each in same}))
    near = _nearest(asked, likeness, _kinds(sets), nearest) if nearest and not same else ()
    return Identity(same, turns, near)


def _libraries(sets: Iterable[str] | None) -> list[Library]:
    return [kept(name) for name in (in_order() if sets is None else sets)]


def _kinds(sets: Iterable[str] | None) -> list[Alike]:
    """The pieces by meaning; what is bundled is worked out once."""
    names = tuple(in_order() if sets is None else sets)
    bundled = {*names} <= {*bundled_names()}
    return _by_meaning(names) if bundled else _by_meaning.__wrapped__(names)


@cache
def _by_meaning(sets: tuple[str, ...]) -> list[Alike]:
    """Pieces of one meaning together; those without moves a table could hold are left out."""
    # The sets share many pieces, spelled alike.
    known: dict[Description, Meaning | None] = {}
    held: dict[Meaning, list[Found]] = {}
    for library in map(kept, sets):
        for entry in library.pieces:
            tree = entry.piece.tree
            if tree not in known:
                known[tree] = _moves_of(entry)
            meaning = known[tree]
            if meaning is not None:
                held.setdefault(meaning, []).append(Found(library, entry))
    return [Alike(Likeness(meaning), tuple(found)) for meaning, found in held.items()]


def _candidates(likeness: Likeness) -> list[Alike]:
    """The bundled pieces, by meaning, that may be this one, or this one turned."""
    wanted = [likeness.prints(turn) for turn in (STRAIGHT, *TURNS.values())]
    return [
        _of_places(places)
        for prints, places in _index()
        if any(all(map(_may_be_same, prints, each)) for each in wanted)
    ]


@cache
def _of_places(places: tuple[str, ...]) -> Alike:
    """The pieces of one meaning."""
    named = [place.partition(":") for place in places]
    found = tuple(Found(kept(name), kept(name)[code]) for name, _, code in named)
    return Alike(Likeness(found[0].entry.piece.meaning), found)


@cache
def _index() -> list[tuple[Prints, tuple[str, ...]]]:
    """The bundled pieces of each meaning, and what tells most of the others from them.

    It is kept between runs, and made anew when a piece file or the program has changed.
    """
    return from_before(
        "likeness",
        (program(), state_of(FOLDER)),
        lambda: [
            (kind.likeness.prints(), tuple(each.place for each in kind.found))
            for kind in _kinds(None)
        ],
    )


def _moves_of(entry: Entry) -> Meaning | None:
    """How a piece moves, None where no table could hold it."""
    try:
        return entry.piece.meaning.without_facts()
    except AlfilError:
        return None


def _alike(likeness: Likeness, kinds: Iterable[Alike]) -> tuple[Found, ...]:
    return tuple(found for kind in kinds if likeness.same(kind.likeness) for found in kind.found)


def _turns(likeness: Likeness, kinds: Sequence[Alike], known: set[str]) -> Iterable[Turned]:
    """Each piece once, with the first turn that makes it."""
    for name, turn in TURNS.items():
        other = likeness.turned(turn)
        for found in _alike(other, kinds) if other else ():
            if found.place not in known:
                known.add(found.place)
                yield Turned(name, found)


def _nearest(
    asked: Piece, likeness: Likeness, kinds: Sequence[Alike], most: int
) -> tuple[Near, ...]:
    scored = [(kind, *likeness.shared(kind.likeness)) for kind in kinds]
    some = [each for each in scored if each[1]]
    return tuple(
        Near(kind.found[0], shared, total, _relation(asked, likeness, kind))
        for kind, shared, total in sorted(some, key=lambda each: -each[1] / each[2])[:most]
    )


def _relation(asked: Piece, likeness: Likeness, kind: Alike) -> Literal["more", "less", "other"]:
    piece = kind.found[0].entry.piece
    if likeness.within(kind.likeness) and contains(piece, asked):
        return "more"
    if kind.likeness.within(likeness) and contains(asked, piece):
        return "less"
    return "other"


def _rank(wanted: str, entry: Entry) -> int | None:
    """How well a piece fits what is wanted, 0 best; None where it does not."""
    if wanted == entry.code.casefold():
        return 0
    ranks = [_rank_of(wanted, folded(name)) for name in entry.names]
    if wanted and wanted in entry.kanji:
        ranks.append(0 if wanted == entry.kanji else 3)
    return min((rank for rank in ranks if rank is not None), default=None)


def _rank_of(wanted: str, name: str) -> int | None:
    if wanted not in name:
        return None
    if wanted == name:
        return 0
    if name.startswith(wanted):
        return 1
    return 2 if f" {wanted}" in name else 3


def _scenes(size: int) -> tuple[Scene, ...]:
    half = size // 2
    others = [(x, y) for x in range(size) for y in range(size) if (x, y) != (half, half)]
    near = {(x, y): FRIEND for x, y in others if max(abs(x - half), abs(y - half)) == 1}
    even = {(x, y): ENEMY for x, y in others if (x - half) % 2 == 0 == (y - half) % 2}
    return (
        Scene(size, size, (half, half), {}, moves_made=0, third_rank=True),
        Scene(size, size, (half, half), near),
        Scene(size, size, (half, half), even),
    )


SCENES = _scenes(SIZE)
# For pieces that have more moves on the others than could be listed.
SMALL_SCENES = _scenes(5)
NO_SQUARE = (0, 0)


class Likeness:
    """A meaning and what it does on the three boards, worked out when it is asked for."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning.without_facts()

    @cached_property
    def alone(self) -> View | None:
        """The moves on the empty board, or None where there are too many to list."""
        return _view(self.meaning, SCENES[0])

    @cached_property
    def views(self) -> tuple[View | None, ...]:
        """The moves on each board."""
        return (self.alone, *(_view(self.meaning, scene) for scene in SCENES[1:]))

    def same(self, other: Likeness) -> bool:
        """Whether it is the same piece, by equality of meaning; facts are left aside."""
        return self.meaning == other.meaning or (
            _may_be_same(self.alone, other.alone)  # the other boards are not looked at, mostly
            and all(map(_may_be_same, self.views, other.views))
            and (None not in (*self.views, *other.views) or self._alike_on_small_boards(other))
            and same_meaning(self.meaning, other.meaning)
        )

    @cached_property
    def _small(self) -> tuple[View | None, ...]:
        return tuple(_view(self.meaning, scene) for scene in SMALL_SCENES)

    def _alike_on_small_boards(self, other: Likeness) -> bool:
        return all(map(_may_be_same, self._small, other._small))

    def turned(self, turn: Turn) -> Likeness | None:
        """The piece turned; None where it is the same piece, or where no piece is that one."""
        seen = tuple(view if view is None else _turned(view, turn) for view in self.views)
        if None not in seen and seen == self.views:
            return None
        meaning = turned(self.meaning, turn)
        if meaning is None:
            return None
        found = Likeness(meaning)
        found.alone, found.views = seen[0], seen
        return found

    def prints(self, turn: Turn = STRAIGHT) -> Prints:
        """A number for each view as the turn makes it, the same in every process."""
        return tuple(view if view is None else hash(_turned(view, turn)) for view in self.views)

    def shared(self, other: Likeness) -> tuple[int, int]:
        """How many moves both have, and how many there are that either has."""
        pairs = [(a, b) for a, b in zip(self.views, other.views, strict=True) if a is not None]
        known = [(a, b) for a, b in pairs if b is not None]
        return sum(len(a & b) for a, b in known), sum(len(a | b) for a, b in known)

    def within(self, other: Likeness) -> bool:
        """Whether all its moves on the three boards are moves of the other."""
        pairs = zip(self.views, other.views, strict=True)
        return all(a is not None and b is not None and a <= b for a, b in pairs)


def _may_be_same(left: View | int | None, right: View | int | None) -> bool:
    return left is None or right is None or left == right


def _view(meaning: Meaning, scene: Scene) -> View | None:
    try:
        return frozenset(map(_shown, moves_in(meaning, scene)))
    except BoardError:
        return None


def _shown(move: PieceMove) -> Shown:
    partner = move.partner[1] if move.partner else NO_SQUARE
    sets = (frozenset(squares) for squares in (move.captures, move.hurdles, move.trail))
    return (move.to, *sets, partner)  # type: ignore[return-value]  # three sets


def _turned(view: View, turn: Turn) -> View:
    def each(squares: Iterable[Offset]) -> frozenset[Offset]:
        return frozenset(at(turn, *square) for square in squares)

    return frozenset(
        (at(turn, *to), each(captures), each(hurdles), each(trail), at(turn, *partner))
        for to, captures, hurdles, trail, partner in view
    )

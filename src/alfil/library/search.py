"""Search in the bundled sets, by name or code, and by moves.

How much two pieces are alike are the moves they have in common on three fixed boards of 15 by 15
with the piece in the middle. On the first it is alone and has not moved; on the second pieces of
its own side stand on the eight squares around it; on the third enemies stand on every square an
even number of files and of ranks away. A move is where it ends, what it captures, what it has to
pass over, and what it leaves behind. The boards look the same in a mirror and turned by a quarter,
so the moves of a turned piece are the moves of the piece, turned.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, partial
from typing import Literal, TypeAlias
from zlib import crc32

from alfil.api import AnyPiece, Piece, as_piece, contains
from alfil.data_files import folder_modification_stamp, program_modification_stamp
from alfil.data_files import load_or_make as from_before
from alfil.errors import AlfilError, BoardError, require_type
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import (
    FRONT_BACK_MIRROR,
    HALF_TURN,
    IDENTITY,
    LEFT_RIGHT_MIRROR,
    QUARTER_TURN,
    THREE_QUARTER_TURN,
    Symmetry,
    apply_symmetry,
)
from alfil.library.catalogue import (
    Fingerprints,
    MeaningRow,
    PieceNames,
    RingCounts,
    indexed_meaning_rows,
)
from alfil.library.file_locations import (
    CATALOGUE_FOLDER,
    FOLDER,
    PIECE_FILE_SUFFIX,
    catalogue_set_names,
    is_bundled_or_catalogue_set,
)
from alfil.library.library import (
    Library,
    LibraryPiece,
    all_set_names,
    bundled_set_names_by_preference,
    library_by_name,
    piece_names_in,
)
from alfil.library.piece_file import Entry, normalise_name
from alfil.meaning.automaton import ENEMY, FRIEND
from alfil.meaning.compare_meanings import same_meaning
from alfil.meaning.normal_form import turned
from alfil.meaning.piece_meaning import Meaning
from alfil.notation.description import Description
from alfil.tables.board_context import BoardContext, Offset
from alfil.tables.move_generation import PieceMove, moves_in_context

# How alike a name must be to be suggested, and how many are.
MIN_SIMILARITY = 0.7
MAX_SUGGESTIONS = 8
LONGEST_NAME = 60

TURN_BY_NAME: dict[str, Symmetry] = {
    "mirrored left to right": LEFT_RIGHT_MIRROR,
    "turned half round": HALF_TURN,
    "mirrored front to back": FRONT_BACK_MIRROR,
    "turned a quarter to the right": QUARTER_TURN,
    "turned a quarter to the left": THREE_QUARTER_TURN,
}
TEST_BOARD_SIZE = 15

# Where it ends, then captures, hurdles, trail and a castling partner's way, each as a set.
MoveSummary: TypeAlias = tuple[
    Offset, frozenset[Offset], frozenset[Offset], frozenset[Offset], Offset
]
MoveSet: TypeAlias = frozenset[MoveSummary]


class TurnedMatch(NamedTuple):
    """A piece that moves like a mirrored or rotated piece.

    ``how`` is one of `TURN_BY_NAME`.
    """

    how: str
    match: LibraryPiece


class NearMatch(NamedTuple):
    """A similar piece.

    On three fixed boards (`ComparableMeaning`) the two share ``shared`` moves of the ``total``
    that either has. ``relation`` is "more" where it has every move of the piece asked about,
    "less" where the piece asked about has every one of its moves, on all boards; else "other".
    """

    match: LibraryPiece
    shared: int
    total: int
    relation: Literal["more", "less", "other"]


class Identity(NamedTuple):
    """Bundled pieces that move like a piece.

    ``same`` are the pieces that are the same, ``turned`` those that are it in a mirror or turned.
    ``near`` are the most alike, most alike first; there are some only where none is the same.
    """

    same: tuple[LibraryPiece, ...]
    turned: tuple[TurnedMatch, ...]
    near: tuple[NearMatch, ...]


class MeaningGroup(NamedTuple):
    """All pieces of one meaning, and the meaning."""

    comparable: ComparableMeaning
    pieces: tuple[LibraryPiece, ...]


class LazyMeaningGroup(NamedTuple):
    """How far away the moves of a meaning end, and what makes its group."""

    rings: RingCounts
    make: Callable[[], MeaningGroup]


def search(query: str, sets: Iterable[str] | None = None) -> tuple[LibraryPiece, ...]:
    """The pieces whose code, name, further names or characters have ``query`` in them.

    Exact codes and names come first, then names that begin with it, then names with a word that
    does, then the rest; within these the order of the sets and of their lines. Case, hyphens and
    blanks make no difference. ``SET:CODE`` is one piece. ``sets`` are names of bundled sets or
    paths of piece files; without them all bundled sets are searched, and the catalogue after them.
    Raises what `alfil.load` does.

    >>> [each.qualified_code for each in search("griffon", ["fairy"])]
    ['fairy:GF']
    """
    require_type(query, str, "what is searched is a text")
    folded_query = normalise_name(query)
    loaded = cache(library_by_name)  # a file is read once, and may change afterwards
    ranked = [
        (rank, name, named[0])
        for name in (all_set_names() if sets is None else sets)
        for stem in [loaded(name).name if name.endswith(PIECE_FILE_SUFFIX) else name]
        for named in piece_names_in(name, loaded)
        if (rank := _match_rank(query, folded_query, stem, named)) is not None
    ]
    return tuple(
        _library_piece(loaded(name), code)
        for _, name, code in sorted(ranked, key=lambda each: each[0])
    )


def _library_piece(library: Library, code: str) -> LibraryPiece:
    return LibraryPiece(library, library[code])


def suggest(query: str, sets: Iterable[str] | None = None) -> tuple[LibraryPiece, ...]:
    """The pieces whose names are spelled most like ``query``.

    >>> [each.entry.name for each in suggest("griphon")]
    ['griffon', 'rion']
    """
    import difflib

    places: dict[str, tuple[str, str]] = {}
    loaded = cache(library_by_name)
    for chosen in all_set_names() if sets is None else sets:
        for code, names, _ in piece_names_in(chosen, loaded):
            for name in names:
                places.setdefault(name, (chosen, code))
    folded_query = normalise_name(query)[:LONGEST_NAME]
    near = difflib.get_close_matches(folded_query, places, MAX_SUGGESTIONS, MIN_SIMILARITY)
    found = dict.fromkeys(places[name] for name in near)
    return tuple(_library_piece(loaded(name), code) for name, code in found)


def identify(piece: AnyPiece, sets: Iterable[str] | None = None, *, nearest: int = 5) -> Identity:
    """Which pieces of the bundled sets and the catalogue move like this, by equality of meaning.

    What is true of a piece besides its moves (royal, promotion) is left aside. A text is read as
    Betza. ``sets`` are as for `search`; ``nearest`` is how many similar pieces are listed where
    none is the same. Raises what `read` and the meaning raise, and `ValueError` for less than 0
    pieces.

    >>> [each.entry.name for each in identify("FyafsF").same][:3]
    ['griffon', 'gryphon', 'aanca']
    >>> near = identify("FyafsFN").near[0]
    >>> near.match.entry.name, near.relation
    ('griffon', 'less')
    """
    if nearest < 0:
        raise ValueError(f"0 pieces or more are told, not {nearest}")
    piece_asked = as_piece(piece)
    comparable = ComparableMeaning(piece_asked.meaning)
    groups = _candidate_groups(comparable) if sets is None else _meaning_groups_of_sets(sets)
    same = _pieces_with_same_meaning(comparable, groups)
    turns = tuple(_turned_matches(comparable, groups, {each.qualified_code for each in same}))
    near = (
        _nearest_matches(
            piece_asked,
            comparable,
            _bundled_groups() if sets is None else map(_lazy_meaning_group, groups),
            nearest,
        )
        if nearest and not same
        else ()
    )
    return Identity(same, turns, near)


def _bundled_groups() -> Iterable[LazyMeaningGroup]:
    """The first piece of each meaning of the bundled sets, without the catalogue."""
    for _, rings, places in _meaning_rows_of_sets(tuple(bundled_set_names_by_preference())):
        yield LazyMeaningGroup(rings, partial(_group_of_codes, places[:1]))


def _lazy_meaning_group(group: MeaningGroup) -> LazyMeaningGroup:
    return LazyMeaningGroup(group.comparable.ring_counts(), lambda: group)


def _meaning_groups_of_sets(set_names: Iterable[str]) -> list[MeaningGroup]:
    """The pieces by meaning; what is bundled is worked out once."""
    names = tuple(set_names)
    bundled = all(map(is_bundled_or_catalogue_set, names))
    return (
        _cached_meaning_groups_of_sets(names)
        if bundled
        else _cached_meaning_groups_of_sets.__wrapped__(names)
    )


@cache
def _cached_meaning_groups_of_sets(set_names: tuple[str, ...]) -> list[MeaningGroup]:
    return _group_by_meaning(map(library_by_name, set_names))


def _group_by_meaning(libraries: Iterable[Library]) -> list[MeaningGroup]:
    """Pieces of one meaning together; those without moves a table could hold are left out."""
    # The sets share many pieces, spelled alike.
    known: dict[Description, Meaning | None] = {}
    held: dict[Meaning, list[LibraryPiece]] = {}
    for library in libraries:
        for entry in library.pieces:
            tree = entry.piece.tree
            if tree not in known:
                known[tree] = _meaning_of_moves(entry)
            meaning = known[tree]
            if meaning is not None:
                held.setdefault(meaning, []).append(LibraryPiece(library, entry))
    return [
        MeaningGroup(ComparableMeaning(meaning), tuple(matches))
        for meaning, matches in held.items()
    ]


def _candidate_groups(comparable: ComparableMeaning) -> list[MeaningGroup]:
    """The bundled pieces, by meaning, that may be this one, or this one turned."""
    fingerprints = [comparable.fingerprints(turn) for turn in (IDENTITY, *TURN_BY_NAME.values())]
    return [
        _group_of_codes(places)
        for prints, _, places in _all_meaning_rows()
        if any(all(map(_may_move_sets_be_equal, prints, each)) for each in fingerprints)
    ]


@cache
def _group_of_codes(qualified_codes: tuple[str, ...]) -> MeaningGroup:
    """The pieces of one meaning."""
    qualified = [location.partition(":") for location in qualified_codes]
    matches = tuple(_library_piece(library_by_name(name), code) for name, _, code in qualified)
    return MeaningGroup(ComparableMeaning(matches[0].entry.piece.meaning), matches)


def catalogue_pieces_alike(piece: AnyPiece) -> tuple[LibraryPiece, ...]:
    """The pieces of the catalogue that move like this, by equality of meaning.

    Raises what the meaning raises.

    >>> [each.entry.name for each in catalogue_pieces_alike("RNC")]
    ['acropolis']
    """
    comparable = ComparableMeaning(as_piece(piece).meaning)
    prints = comparable.fingerprints()
    groups = (
        _group_of_codes(places)
        for each, _, places in _meaning_rows_of_sets(catalogue_set_names())
        if all(map(_may_move_sets_be_equal, prints, each))
    )
    return _pieces_with_same_meaning(comparable, groups)


def _all_meaning_rows() -> list[MeaningRow]:
    """The pieces of each meaning, those of the catalogue last, and what tells most apart."""
    bundled = tuple(bundled_set_names_by_preference())
    return [*_meaning_rows_of_sets(bundled), *_meaning_rows_of_sets(catalogue_set_names())]


@cache
def _meaning_rows_of_sets(names: tuple[str, ...]) -> list[MeaningRow]:
    """Those of some sets that come with alfil, from its index.

    Where that was made of other files they are worked out, kept between runs, and made anew when a
    piece file or the program has changed.
    """
    return indexed_meaning_rows(names) or from_before(
        "likeness-catalogue" if names == catalogue_set_names() else "likeness",
        (
            program_modification_stamp(),
            folder_modification_stamp(FOLDER),
            folder_modification_stamp(f"{FOLDER}/{CATALOGUE_FOLDER}"),
        ),
        lambda: fingerprint_rows_by_meaning(map(library_by_name, names)),
    )


def fingerprint_rows_by_meaning(libraries: Iterable[Library]) -> list[MeaningRow]:
    """The pieces of some libraries by meaning, each with its moves on the test boards."""
    return [
        (
            group.comparable.fingerprints(),
            group.comparable.ring_counts(),
            tuple(each.qualified_code for each in group.pieces),
        )
        for group in _group_by_meaning(libraries)
    ]


def _meaning_of_moves(entry: Entry) -> Meaning | None:
    """How a piece moves, None where no table could hold it."""
    try:
        return entry.piece.meaning.without_facts()
    except AlfilError:
        return None


def _pieces_with_same_meaning(
    comparable: ComparableMeaning, groups: Iterable[MeaningGroup]
) -> tuple[LibraryPiece, ...]:
    return tuple(
        matches
        for group in groups
        if comparable.is_same_piece(group.comparable)
        for matches in group.pieces
    )


def _turned_matches(
    comparable: ComparableMeaning, groups: Sequence[MeaningGroup], known: set[str]
) -> Iterable[TurnedMatch]:
    """Each piece once, with the first turn that makes it."""
    for name, turn in TURN_BY_NAME.items():
        other = comparable.turned(turn)
        for matches in _pieces_with_same_meaning(other, groups) if other else ():
            if matches.qualified_code not in known:
                known.add(matches.qualified_code)
                yield TurnedMatch(name, matches)


def _nearest_matches(
    piece_asked: Piece, comparable: ComparableMeaning, groups: Iterable[LazyMeaningGroup], most: int
) -> tuple[NearMatch, ...]:
    """The groups that share the largest part of the moves, in their order where parts are equal.

    Those that the numbers of their moves rule out are never made.
    """
    mine = comparable.ring_counts()
    bounds = [
        (-_max_shared_fraction(mine, rings), place, make)
        for place, (rings, make) in enumerate(groups)
    ]
    found: list[tuple[float, int, MeaningGroup, int, int]] = []
    for bound, place, make_group in sorted(bounds, key=lambda each: each[:2]):
        if not bound or (len(found) >= most and bound > found[most - 1][0]):
            break
        group = make_group()
        shared, total = comparable.shared_move_count(group.comparable)
        if shared:
            insort(found, (-shared / total, place, group, shared, total))
    return tuple(
        NearMatch(
            group.pieces[0], shared, total, _move_set_relation(piece_asked, comparable, group)
        )
        for _, _, group, shared, total in found[:most]
    )


def _max_shared_fraction(left: RingCounts, right: RingCounts) -> float:
    """The largest part of their moves that two may share: those that end so far away in both."""
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
    shared = sum(min(each) for a, b in pairs for each in zip(a, b, strict=False))
    total = sum(sum(a) + sum(b) for a, b in pairs) - shared
    return shared / total if shared else 0


def _move_set_relation(
    piece_asked: Piece, comparable: ComparableMeaning, group: MeaningGroup
) -> Literal["more", "less", "other"]:
    piece = group.pieces[0].entry.piece
    if comparable.is_within(group.comparable) and contains(piece, piece_asked):
        return "more"
    if group.comparable.is_within(comparable) and contains(piece_asked, piece):
        return "less"
    return "other"


def _match_rank(
    query: str, folded_query: str, set_name: str, piece_names: PieceNames
) -> int | None:
    """The rank of a piece that matches by name, 0 best; None for no match.

    ``set_name`` is the name of its set, or that of its file without the folder, as places have it.
    """
    code, names, kanji = piece_names
    if folded_query == code.casefold() or query == f"{set_name}:{code}":
        return 0
    ranks = [_name_match_rank(folded_query, each) for each in names]
    if folded_query and folded_query in kanji:
        ranks.append(0 if folded_query == kanji else 3)
    return min((rank for rank in ranks if rank is not None), default=None)


def _name_match_rank(folded_query: str, name: str) -> int | None:
    if folded_query not in name:
        return None
    if folded_query == name:
        return 0
    if name.startswith(folded_query):
        return 1
    return 2 if f" {folded_query}" in name else 3


def _test_boards(size: int) -> tuple[BoardContext, ...]:
    half = size // 2
    others = [(x, y) for x in range(size) for y in range(size) if (x, y) != (half, half)]
    near = {(x, y): FRIEND for x, y in others if max(abs(x - half), abs(y - half)) == 1}
    even = {(x, y): ENEMY for x, y in others if (x - half) % 2 == 0 == (y - half) % 2}
    return (
        BoardContext(size, size, (half, half), {}, moves_made=0, third_rank=True),
        BoardContext(size, size, (half, half), near),
        BoardContext(size, size, (half, half), even),
    )


TEST_BOARDS = _test_boards(TEST_BOARD_SIZE)
# For pieces that have more moves on the others than could be listed.
SMALL_TEST_BOARDS = _test_boards(5)
NO_PARTNER_MOVE = (0, 0)


class ComparableMeaning:
    """A meaning with its moves on three boards, computed on demand."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning.without_facts()

    @cached_property
    def moves_on_empty_board(self) -> MoveSet | None:
        """The moves on the empty board, or None where there are too many to list."""
        return _moves_on_test_board(self.meaning, TEST_BOARDS[0])

    @cached_property
    def moves_by_test_board(self) -> tuple[MoveSet | None, ...]:
        """The moves on each board."""
        return (
            self.moves_on_empty_board,
            *(_moves_on_test_board(self.meaning, scene) for scene in TEST_BOARDS[1:]),
        )

    def is_same_piece(self, other: ComparableMeaning) -> bool:
        """Whether it is the same piece, by equality of meaning; facts are left aside."""
        return self.meaning == other.meaning or (
            _may_move_sets_be_equal(
                self.moves_on_empty_board, other.moves_on_empty_board
            )  # the other boards are not looked at, mostly
            and all(
                map(_may_move_sets_be_equal, self.moves_by_test_board, other.moves_by_test_board)
            )
            and (
                None not in (*self.moves_by_test_board, *other.moves_by_test_board)
                or self._is_alike_on_small_boards(other)
            )
            and same_meaning(self.meaning, other.meaning)
        )

    @cached_property
    def _moves_on_small_boards(self) -> tuple[MoveSet | None, ...]:
        return tuple(_moves_on_test_board(self.meaning, scene) for scene in SMALL_TEST_BOARDS)

    def _is_alike_on_small_boards(self, other: ComparableMeaning) -> bool:
        return all(
            map(_may_move_sets_be_equal, self._moves_on_small_boards, other._moves_on_small_boards)
        )

    def turned(self, turn: Symmetry) -> ComparableMeaning | None:
        """The piece turned; None where it is the same piece, or where no piece is that one."""
        seen = tuple(
            move_set if move_set is None else _turned_move_set(move_set, turn)
            for move_set in self.moves_by_test_board
        )
        if None not in seen and seen == self.moves_by_test_board:
            return None
        meaning = turned(self.meaning, turn)
        if meaning is None:
            return None
        matches = ComparableMeaning(meaning)
        matches.moves_on_empty_board, matches.moves_by_test_board = seen[0], seen
        return matches

    def fingerprints(self, turn: Symmetry = IDENTITY) -> Fingerprints:
        """A number for each view as the turn makes it, the same wherever it is worked out."""
        return tuple(
            move_set if move_set is None else _fingerprint(_turned_move_set(move_set, turn))
            for move_set in self.moves_by_test_board
        )

    def ring_counts(self) -> RingCounts:
        """For each view how many moves end 0, 1, 2 … squares away."""
        return tuple(
            move_set if move_set is None else _ring_counts(move_set)
            for move_set in self.moves_by_test_board
        )

    def shared_move_count(self, other: ComparableMeaning) -> tuple[int, int]:
        """How many moves both have, and how many there are that either has."""
        pairs = [
            (a, b)
            for a, b in zip(self.moves_by_test_board, other.moves_by_test_board, strict=True)
            if a is not None
        ]
        known = [(a, b) for a, b in pairs if b is not None]
        return sum(len(a & b) for a, b in known), sum(len(a | b) for a, b in known)

    def is_within(self, other: ComparableMeaning) -> bool:
        """Whether all its moves on the three boards are moves of the other."""
        pairs = zip(self.moves_by_test_board, other.moves_by_test_board, strict=True)
        return all(a is not None and b is not None and a <= b for a, b in pairs)


def _ring_counts(move_set: MoveSet) -> tuple[int, ...]:
    counts = Counter(max(abs(x), abs(y)) for (x, y), *_ in move_set)
    return tuple(counts[distance] for distance in range(max(counts, default=-1) + 1))


def _fingerprint(move_set: MoveSet) -> int:
    rows = ((to, *map(sorted, sets), partner) for to, *sets, partner in move_set)
    return crc32(repr(sorted(rows)).encode())


def _may_move_sets_be_equal(left: MoveSet | int | None, right: MoveSet | int | None) -> bool:
    return left is None or right is None or left == right


def _moves_on_test_board(meaning: Meaning, test_board: BoardContext) -> MoveSet | None:
    try:
        return frozenset(map(_move_summary, moves_in_context(meaning, test_board)))
    except BoardError:
        return None


def _move_summary(move: PieceMove) -> MoveSummary:
    partner = move.partner[1] if move.partner else NO_PARTNER_MOVE
    sets = (frozenset(squares) for squares in (move.captures, move.hurdles, move.trail))
    return (move.to, *sets, partner)  # type: ignore[return-value]  # three sets


def _turned_move_set(move_set: MoveSet, turn: Symmetry) -> MoveSet:
    def each(squares: Iterable[Offset]) -> frozenset[Offset]:
        return frozenset(apply_symmetry(turn, square) for square in squares)

    return frozenset(
        (
            apply_symmetry(turn, to),
            each(captures),
            each(hurdles),
            each(trail),
            apply_symmetry(turn, partner),
        )
        for to, captures, hurdles, trail, partner in move_set
    )

"""The functions that `alfil` offers for a piece: read, write, translate, describe, ask, compare.

Everything here takes a `Piece`, a piece of a library or, for a single notation, its text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace
from functools import cache, lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Protocol, TypeAlias, overload

from alfil.errors import (
    TOO_DEEP_HINT,
    TOO_DEEP_MESSAGE,
    AlfilError,
    BoardError,
    Diagnostic,
    MeaningError,
    NotationError,
    raise_if_stack_was_short,
    reject,
    reject_unknown_name,
    require_type,
)
from alfil.frozen_dataclasses import cached_property, dataclass
from alfil.garbage_collection import without_garbage_collection
from alfil.meaning.piece_meaning import BOARD_CONDITIONS, PATH_CONDITIONS, Meaning, footprint_of
from alfil.notation.description import DEFAULT_NOTATION, Description
from alfil.source import Source, Span, excerpt
from alfil.squares import coordinate_system_of, square_name_on
from alfil.work_limit import limited_task_on_source

if TYPE_CHECKING:
    from alfil.diagrams.diagram_content import DiagramContent
    from alfil.diagrams.diagram_model import Marks, Window
    from alfil.diagrams.picture import Picture
    from alfil.game.variant import HasMeaning
    from alfil.library.piece_bounds import PieceBounds
    from alfil.movement.nodes import Movement
    from alfil.notation.hasinu.user_functions import FunctionHook, Functions
    from alfil.notation.registry import Notation
    from alfil.tables.board_context import BoardContext
    from alfil.tables.move_generation import PieceMove
    from alfil.tables.move_table import Table
    from alfil.tables.smallest_difference import Witness
    from alfil.translation.translate import OnLoss

Offset = tuple[int, int]
Squares = Collection[Offset | str]
EnPassant: TypeAlias = Squares | Mapping[Offset | str, Offset | str]

# A piece is shown by so much of its text where a line has room for little.
LONGEST = 50
LOSS_POLICIES = ("strict", "lossy", "escape")
# Boards on which a program is compared: a square alone in the middle, so many squares each way.
RADIUS = 7


@dataclass(frozen=True)
class Piece:
    """A description that has been read.

    ``tree`` is what was written; ``diagnostics`` are the warnings of the reader. ``functions`` are
    those that have a meaning beside the text. Two pieces are equal when their trees and functions
    are; `same` compares what they do. ``str(piece)`` is the notation in canonical layout.
    """

    tree: Description
    source: Source = field(compare=False, repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)
    functions: Functions = field(default=(), repr=False)

    @classmethod
    def deferred(
        cls, text: str, notation: str, name: str, meaning: Callable[[], Meaning] | None = None
    ) -> Piece:
        """A text that was read before without a diagnostic; it is read when its tree is asked for.

        ``meaning`` gives what it amounts to, where that is known.
        """
        piece = object.__new__(cls)
        vars(piece).update(
            source=Source(text, name), diagnostics=(), functions=(), _unread=notation
        )
        if meaning:
            vars(piece)["_known"] = meaning
        return piece

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """The tree of a piece that was not read yet."""
            notation = vars(self).get("_unread")
            if name != "tree" or notation is None:
                raise AttributeError(f"'Piece' object has no attribute {name!r}")
            tree = vars(self)["tree"] = read(self.text, notation).tree
            return tree

    @property
    def text(self) -> str:
        """The text as it was given."""
        return self.source.text

    @property
    def notation(self) -> str:
        """The notation it is written in, by the name that `read` takes."""
        unread: str | None = vars(self).get("_unread")
        return unread or _notation_of(self).name

    @property
    def meaning(self) -> Meaning:
        """What it amounts to; `MeaningError` when that has no moves a table could hold."""
        compiled = self._meaning_or_error
        if isinstance(compiled, MeaningError):
            raise MeaningError(compiled.diagnostics, self.source)
        return compiled

    @cached_property
    def movement(self) -> Movement:
        """What it says, in the tree that all notations share.

        `MeaningError` when there are too many ways to read it, or a function cannot be applied.
        """
        from alfil.movement.canonical_movement import canonicalise_movement

        return canonicalise_movement(self._movement_as_written)

    @cached_property
    def _movement_as_written(self) -> Movement:
        """The movement as its author put it, which is all that its meaning is made of."""
        try:
            movement = _resolver()(self.tree)
            if not self.functions:
                return movement
            from alfil.notation.hasinu.user_functions import expand_functions

            with limited_task_on_source(self.source, MeaningError):
                return expand_functions(movement, self.functions, self.source)
        except MeaningError as error:
            raise MeaningError(error.diagnostics, self.source) from None
        except RecursionError:
            raise_if_stack_was_short()
            message, hint = TOO_DEEP_MESSAGE, TOO_DEEP_HINT
            if self.functions:
                message = "functions call each other too deep"
                hint = "call fewer of them in each other"
            reject(MeaningError, "too-deep", message, self.source, hint=hint)

    @cached_property
    def _english_sentences(self) -> str:
        from alfil.english import describe_movement
        from alfil.meaning.unsupported import UnsupportedMovement, reject_large_castling

        try:
            reject_large_castling(self.movement)
        except UnsupportedMovement as refused:
            raise MeaningError(refused.diagnostics, self.source) from None
        return describe_movement(self.movement)

    @cached_property
    def _meaning_or_error(self) -> Meaning | MeaningError:
        known: Callable[[], Meaning] | None = vars(self).pop("_known", None)
        if known:
            return known()
        try:
            return _compiler()(self._movement_as_written, self.source, remember=False)
        except MeaningError as error:
            refused = MeaningError(error.diagnostics, self.source)
            if refused.kind == "too-deep":
                raise refused from None  # which is not remembered: there may be more room next time
            return refused

    def __str__(self) -> str:
        return write(self)

    def __repr__(self) -> str:
        return f"<Piece {self.notation}: {excerpt(self.text, LONGEST)}>"

    def _repr_svg_(self) -> str | None:
        return notebook_svg(self)

    def _repr_html_(self) -> str | None:
        return notebook_html(self)


def _notation_of(piece: Piece) -> Notation:
    from alfil.notation.registry import notation_of

    return notation_of(piece.tree)


# Imported when first needed; to import it again takes a twentieth of what it does for most pieces.
@cache
def _resolver() -> Callable[[Description], Movement]:
    from alfil.notation.registry import resolve_tree

    return resolve_tree


@cache
def _compiler() -> Callable[..., Meaning]:
    from alfil.meaning.compile_movement import meaning_of

    return meaning_of


@cache
def _table_maker() -> Callable[..., Table]:
    from alfil.tables.move_table import compile_table

    return compile_table


class HasPiece(Protocol):
    """What has a piece, as an entry of a piece file does."""

    @property
    def piece(self) -> Piece:
        """How it moves."""


AnyPiece: TypeAlias = "Piece | HasPiece | Movement | str"


def read(
    text: str,
    notation: str = "betza",
    *,
    dialect: str | None = None,
    lenient: bool = False,
    name: str | None = None,
    functions: Mapping[str, str | FunctionHook] | None = None,
) -> Piece:
    """Read how a piece moves.

    ``notation`` is "betza", "hasinu", "parlett", or a dialect of Betza: "classic", "xboard",
    "fairy-stockfish", "fairy-stockfish-next", "taikyoku", "chessvar". ``dialect`` is the one of a
    text in Betza, or embedded in Ħasínū; "betza" unless given. ``lenient`` drops one asterisk
    at the very end of a Ħasínū text. ``name`` is what reports call the text. ``functions`` give
    functions that a Ħasínū text calls a meaning: names with parameters and a text in Ħasínū, or
    names and Python functions from movements (and numbers and words) to a movement. Raises
    `NotationError` with everything found wrong; warnings are in ``diagnostics`` of the result. An
    empty text is no mistake: it is a piece without moves, as files of games have.

    >>> read("FyafsF").notation
    'betza'
    >>> str(read("n 4 d O", notation="hasinu"))
    'n4dO'
    >>> same("[R?sR]", read("hook(n4dO)", "hasinu", functions={"hook(range)": "range &t range"}))
    True
    """
    require_type(text, str, "a notation is a text")
    require_type(notation, str, "the name of a notation is a text")
    require_type(dialect, (str, type(None)), "the name of a dialect is a text")
    require_type(name, (str, type(None)), "what reports call a text is a text")
    if name is None and len(text) <= LONGEST and not functions:
        return _read_cached(text, notation, dialect, lenient=bool(lenient))
    piece = _read_source(Source(text, name or f"<{notation}>"), notation, dialect, lenient=lenient)
    return _attach_functions(piece, functions) if functions else piece


# A text that is given again is the same piece, with what was found out about it.
@lru_cache(maxsize=1024)
def _read_cached(text: str, notation: str, dialect: str | None, *, lenient: bool) -> Piece:
    return _read_source(Source(text, f"<{notation}>"), notation, dialect, lenient=lenient)


@without_garbage_collection
def _read_source(source: Source, notation: str, dialect: str | None, *, lenient: bool) -> Piece:
    from alfil.notation.registry import notation_by_name

    try:
        tree, diagnostics = notation_by_name(notation).read(source, dialect, lenient=lenient)
    except NotationError as error:
        if notation == DEFAULT_NOTATION and dialect is None:
            error.find_other_readings = partial(_notes_of_other_readings, source.text)
        raise
    return Piece(tree, source, diagnostics)


def _attach_functions(piece: Piece, functions: Mapping[str, str | FunctionHook]) -> Piece:
    """A piece with functions that have a meaning."""
    from alfil.notation.hasinu.user_functions import check_definitions, unused_argument_warnings

    ours, names = check_definitions(functions)
    left = tuple(
        diagnostic
        for diagnostic in piece.diagnostics
        if diagnostic.kind != "no-handler" or piece.text[slice(*diagnostic.spans[0])] not in names
    )
    idle = unused_argument_warnings(piece.tree, ours)
    return Piece(piece.tree, piece.source, (*left, *idle), ours)


def _notes_of_other_readings(text: str) -> tuple[Diagnostic, ...]:
    from alfil.other_readings import LONGEST, notes_of_other_readings

    if len(text) > LONGEST:
        return ()
    return notes_of_other_readings({each.notation: each.tree for each in readings(text)}, len(text))


@without_garbage_collection
def readings(text: str) -> tuple[Piece, ...]:
    """What each notation and dialect reads a text as; those that refuse it are left out.

    Which one it was is the ``notation`` of the piece. Two of them may be of different pieces, which
    `same` tells.

    >>> [(piece.notation, str(piece)) for piece in readings("KK")]
    [('fairy-stockfish', 'Q'), ('fairy-stockfish-next', 'Q')]
    >>> readings("Q)")
    ()
    """
    from alfil.notation.registry import NOTATIONS

    result: list[Piece] = []
    for notation in NOTATIONS:
        try:
            result.append(read(text, notation))
        except NotationError:
            continue
    return tuple(result)


def as_piece(
    piece: AnyPiece, notation: str = DEFAULT_NOTATION, dialect: str | None = None
) -> Piece:
    """A piece as it is, or that of a piece file; a text is read, as Betza unless another is named.

    A movement is written in Betza, or in Ħasínū where Betza cannot say it; `TranslationLoss` where
    neither can, and `NotationError` of kind "movement-data" for one with other things in it.
    Anything else is a TypeError, as it is everywhere a piece is asked for.
    """
    if isinstance(piece, Piece):
        return piece
    if isinstance(piece, str):
        return read(piece, notation, dialect=dialect)
    result = getattr(piece, "piece", None)
    if isinstance(result, Piece):
        return result
    from alfil.movement.nodes import Movement
    from alfil.translation.translate import write_in_betza_or_hasinu

    require_type(piece, Movement, "a piece is a text, a Piece, a piece of a library or a Movement")
    assert isinstance(piece, Movement)
    return read(*write_in_betza_or_hasinu(piece.checked()))


def same(a: AnyPiece, b: AnyPiece, *, facts: bool = True) -> bool:
    """Whether two descriptions are the same piece: equal meanings, on every board up to 36×36.

    ``facts`` False leaves aside what is not a move (royal, promotion, size, effects). True is a
    proof; False may also mean that there is none within reach, as with `contains`.

    >>> same("K", "WF"), same("FyafsF", read("1×4dD &t n4dO", notation="hasinu")), same("nN", "N")
    (True, True, False)
    """
    from alfil.meaning.compare_meanings import same_meaning

    left, right = as_piece(a).meaning, as_piece(b).meaning
    if not facts:
        left, right = left.without_facts(), right.without_facts()
    return same_meaning(left, right)


def contains(a: AnyPiece, b: AnyPiece) -> bool:
    """Whether every move of ``b`` is a move of ``a``, on every board up to 36×36.

    A move is where it ends, what it captures, the hurdles it needs, and what it leaves behind (a
    trail, a castling partner moved). What the pieces have done before counts: each moment is looked
    at by itself. Facts that are not moves are left aside.

    True is a proof. False may also mean that there is none within reach: for pieces that roam over
    an area by infinitely many paths, and for moves on wrapped boards, castling, runs as far as
    possible and runs up to the middle, when the two pieces describe them differently.

    >>> contains("Q", "R"), contains("R", "Q"), contains("N", "nN"), contains("nN", "N")
    (True, False, True, False)
    """
    from alfil.meaning.compare_meanings import contains as included

    return included(as_piece(a).meaning, as_piece(b).meaning)


def difference(a: AnyPiece, b: AnyPiece, *, facts: bool = True) -> Witness | None:
    """The smallest position with a move that only one of two pieces has; None if they are the same.

    The smallest is that on the board with the fewest squares (files times ranks), then that with
    the fewest other pieces. Where all moves are the same but a fact is not (royal, promotion, size,
    effects), the difference is that fact, unless ``facts`` is False.

    Where moves depend on the size of the board (wrapped boards, castling, runs as far as possible
    or up to the middle) boards of up to 24 squares are tried; a position on a larger board need
    not be the smallest. Raises `MeaningError` of kind "undecided" when no position is found and no
    proof either that the pieces are the same.

    >>> difference("K", "WF") is None
    True
    >>> result = difference("afsK", "N")
    >>> result.only, result.move.to, result.files, result.ranks
    ('second', (1, 2), 2, 3)
    >>> result.friends, result.enemies
    ((), ((0, 1), (1, 1)))
    """
    from alfil.tables.smallest_difference import UndecidedComparison, witness_of

    pieces = as_piece(a), as_piece(b)
    left, right = (each.meaning if facts else each.meaning.without_facts() for each in pieces)
    try:
        result = witness_of(left, right)
        # Without their facts pieces of several squares are compared as those of one.
        compares_facts = facts or all(len(footprint_of(each.meaning.facts)) == 1 for each in pieces)
        return (
            replace(result, drawn=partial(_witness_svg, pieces))
            if result and compares_facts
            else result
        )
    except UndecidedComparison:
        reject(
            MeaningError,
            "undecided",
            "no position was found that tells the two pieces apart, and no proof that none does",
            pieces[1].source,
            hint="compare them part by part",
        )


# What a picture of a position does not take.
UNDRAWABLE_ARGUMENTS = frozenset({"third_rank", "own_colour"})


def _witness_svg(pieces: tuple[Piece, Piece], result: Witness) -> str:
    """Two pieces in the position that tells them apart, side by side, as SVG."""
    position = {
        name: each for name, each in result.arguments().items() if name not in UNDRAWABLE_ARGUMENTS
    }
    pictures = [draw(each, **position) for each in pieces]  # type: ignore[arg-type]
    having = pieces[result.only == "second"].text.strip()
    return side_by_side(pictures, f"Only {excerpt(having, LONGEST)} has a move here")


def side_by_side(pictures: list[Picture], heading: str) -> str:
    """Diagrams beside each other, as SVG."""
    from alfil.diagrams.diagram_model import Diagram
    from alfil.diagrams.svg_document import side_by_side

    diagrams = [each.subject for each in pictures if isinstance(each.subject, Diagram)]
    return side_by_side(diagrams, pictures[0].theme, heading)


@overload
def destinations(
    piece: AnyPiece, radius: int = 7, *, unmoved: bool = True
) -> frozenset[Offset]: ...


@overload
def destinations(
    piece: AnyPiece, radius: int = 7, *, unmoved: bool = True, files: int, ranks: int, at: str
) -> frozenset[str]: ...


def destinations(
    piece: AnyPiece,
    radius: int = 7,
    *,
    unmoved: bool = True,
    files: int | None = None,
    ranks: int | None = None,
    at: str | None = None,
) -> frozenset[Offset] | frozenset[str]:
    """Where the piece can go on an empty board, as offsets (dx, dy) up to ``radius`` each way.

    On a board of ``files`` by ``ranks``, ``at`` a square such as "e5", or "5e" in shogi, they are
    squares, named as ``at`` is. ``unmoved`` False leaves out what only a piece that has not moved
    may do. (0, 0), and the square itself, stand for a move that ends where it began.

    Raises `BoardError` where board and square do not fit together, and whatever `moves` raises.

    >>> sorted(destinations("fmWfcF"))
    [(0, 1)]
    >>> sorted(destinations("N", files=8, ranks=8, at="b1"))
    ['a3', 'c3', 'd2']
    """
    from alfil.tables.board_context import parse_board_square

    if files is None and ranks is None and at is None:
        return frozenset(move.to for move in moves(piece, radius=radius, unmoved=unmoved))
    found = moves(piece, files=files, ranks=ranks, at=at, unmoved=unmoved)
    assert files is not None  # or `moves` would have refused it
    assert ranks is not None
    assert at is not None
    file, rank = parse_board_square(at, files, ranks)
    coordinates = coordinate_system_of(at) or "chess"
    squares = {(file + move.to[0], rank + move.to[1]) for move in found}
    return frozenset(square_name_on(each, files, ranks, coordinates) for each in squares)


def moves(
    piece: AnyPiece,
    *,
    radius: int = 7,
    files: int | None = None,
    ranks: int | None = None,
    at: str | Offset | None = None,
    enemies: Squares = (),
    friends: Squares = (),
    enemy_royals: Squares = (),
    unmoved_friends: Squares = (),
    unmoved: bool = False,
    moves_made: int | None = None,
    en_passant: EnPassant = (),
    third_rank: bool | None = None,
    turn: int | None = None,
    own_colour: bool | None = None,
) -> tuple[PieceMove, ...]:
    """Every move of the piece, with other pieces around it, in the order of their destinations.

    A piece of a file that areas of its board bound, such as a palace, is bounded on that board.

    Without ``files``, ``ranks`` and ``at`` the board is an open diagram of ``radius`` squares each
    way. With them it is a real board, edges and wrapping included; ``at`` is a square such as
    "e5", in shogi "5e", or (file, rank) counted from 0. The other pieces stand at offsets (dx, dy)
    from the piece or, on a real board, at squares such as "e7". ``unmoved_friends`` can castle.
    ``en_passant`` are squares that can be captured on, best as a mapping to the squares of the
    pieces taken there. ``moves_made`` is the number of moves the piece has made; None means many,
    or none when ``unmoved``. ``third_rank`` is the condition of ``ii``, as ``unmoved`` unless
    given. ``turn`` is the number of the turn of the piece's side, from 1; None means any.
    ``own_colour`` is whether the square has the colour the piece began on; None means that it has
    where ``unmoved``, and else that nobody knows.

    Raises `BoardError` when board, square and pieces do not fit together, and whatever `read` and
    the meaning raise.

    >>> [move.to for move in moves("fmWfcF", enemies={(1, 1)})]
    [(0, 1), (1, 1)]
    >>> [move.captures for move in moves("cafmF", enemies={(1, 1)})]
    [((1, 1),)]
    """
    from alfil.tables.board_context import PositionArguments, empty_board

    bounds, piece = _bounds_of(piece), as_piece(piece)
    board = empty_board(radius, files, ranks, at)
    if files is None:
        reject_piece_needing_board(piece, BOARD_CONDITIONS)
    others = (enemies, friends, enemy_royals, unmoved_friends, en_passant)
    past = (unmoved, moves_made, third_rank, turn, own_colour)
    position_arguments = PositionArguments(board, *others, *past, open_board=files is None)
    bounded = bounds.meaning_in(None if files is None else board) if bounds else None
    return tuple(sorted(_moves_in_context(piece, position_arguments.context(), bounded)))


def moves_from_middle(
    piece: AnyPiece, radius: int, enemies: Collection[Offset] = ()
) -> tuple[PieceMove, ...]:
    """The moves of an unmoved piece with ``radius`` squares each way of it on a square board."""
    size = 2 * radius + 1
    return moves(piece, files=size, ranks=size, at=(radius, radius), enemies=enemies, unmoved=True)


def captures_of_lone_enemies(piece: AnyPiece, radius: int) -> dict[Offset, tuple[PieceMove, ...]]:
    """By square around a piece in the middle, the moves that capture an enemy alone there.

    >>> sorted(captures_of_lone_enemies("fmWfcF", 2))
    [(-1, 1), (1, 1)]
    >>> len(captures_of_lone_enemies("cafmF", 2)[1, 1])
    1
    """
    result, around = {}, range(-radius, radius + 1)
    for at in product(around, around):
        found = moves_from_middle(piece, radius, [at]) if at != (0, 0) else ()
        captures = tuple(move for move in found if at in move.captures)
        if captures:
            result[at] = captures
    return result


def _moves_in_context(
    piece: Piece, context: BoardContext, meaning: Meaning | None = None
) -> frozenset[PieceMove]:
    """The moves of a piece, found with another form of its meaning if one is given."""
    from alfil.meaning.square_conditions import meaning_on_square
    from alfil.tables.moves_with_effects import all_moves_with_effects

    meaning = meaning or piece.meaning
    meaning = meaning if context.wraps else meaning_on_square(meaning, None)
    try:
        with limited_task_on_source(piece.source, BoardError):
            return all_moves_with_effects(meaning, context)
    except BoardError as error:
        span = Span(0, len(piece.text))
        diagnostics = [replace(diagnostic, spans=(span,)) for diagnostic in error.diagnostics]
        raise BoardError(diagnostics, piece.source) from None


def notebook_svg(piece: AnyPiece) -> str | None:
    """The diagram, for notebooks; None for a piece whose moves cannot be drawn."""
    try:
        return draw(piece).svg()
    except AlfilError:
        return None


def notebook_html(piece: AnyPiece) -> str | None:
    """The diagram, with paths where the pointer is; None as for `notebook_svg`."""
    from alfil.diagrams.hover_html import hover_html

    try:
        return hover_html(draw(piece))
    except AlfilError:
        return None


@without_garbage_collection
def draw(
    piece: AnyPiece,
    *,
    radius: int | None = None,
    files: int | None = None,
    ranks: int | None = None,
    at: str | Offset | None = None,
    enemies: Squares = (),
    friends: Squares = (),
    enemy_royals: Squares = (),
    unmoved_friends: Squares = (),
    en_passant: EnPassant = (),
    unmoved: bool | None = None,
    moves_made: int | None = None,
    turn: int | None = None,
    theme: str = "default",
    label: str = "",
) -> Picture:
    """A picture of a piece's moves.

    Without other pieces it shows every way the piece can move, in a window of ``radius`` squares
    each way, or one that fits, or on a real board of ``files`` by ``ranks`` with the piece ``at``
    a square. With other pieces, or when ``unmoved``, ``moves_made`` or ``turn`` is given, it shows
    the moves of that one position, as `moves` finds them. ``label`` is what the piece is called.
    Squares are named as in chess, "e5", or as in shogi, "5e"; the coordinates are those that ``at``
    is in.

    A piece of a file that areas bound, such as a palace, is shown on the board of the file, there
    on the square it begins on unless ``at`` names another. With a ``radius``, or on a board that
    does not have the areas, it is shown as if there were none, and the picture says so. A `Piece`
    is a movement alone, which nothing bounds: draw the entry and not its ``piece``.

    Raises what `read` and `moves` raise, and `AlfilError` for an unknown theme.

    >>> draw("N").svg().startswith("<svg")
    True
    """
    from alfil.diagrams.diagram_content import content_of_all_moves
    from alfil.diagrams.diagram_model import Diagram, open_window
    from alfil.diagrams.picture import Picture
    from alfil.diagrams.themes import theme_by_name
    from alfil.tables.board_context import empty_board

    bounds, piece = _bounds_of(piece), as_piece(piece)
    sentence, colours = _description(piece, bounds), theme_by_name(theme)
    if bounds and radius is None and files is None and ranks is None:
        files, ranks, at = bounds.piece_file_board_and_square(at)
    board = empty_board(RADIUS if radius is None else radius, files, ranks, at)
    window = None if radius is None else open_window(radius)
    if files is None:
        reject_piece_needing_board(piece)
    else:
        window = _board_window(piece, board)
    others = (enemies, friends, enemy_royals, unmoved_friends, en_passant)
    past = (unmoved, moves_made, turn)
    bounded = bounds.meaning_in(None if files is None else board) if bounds else None
    meaning = piece.meaning if bounded is None else bounded
    with limited_task_on_source(piece.source, MeaningError):
        if any(others) or past != (None, None, None):
            view = _content_in_position(piece, meaning, window, board, others, past)
        else:
            view = content_of_all_moves(meaning, window)
    marks, lines, shows = view
    if at is not None:
        from alfil.squares import coordinate_system_of

        usual = bounds.coordinates if bounds else "chess"
        marks = replace(marks, coordinates=coordinate_system_of(at) or usual)
    if bounds:
        marks, sentence = _add_regions_or_note(bounds, marks, sentence, shown=bounded is not None)
    notation, words = piece.text.strip(), f"{sentence} {shows}"
    diagram = Diagram(marks, meaning, lines, notation, label, words, sentence)
    return Picture(diagram, colours)


def _board_window(piece: Piece, board: BoardContext) -> Window:
    """The window of a board with a piece on its square; `BoardError` where it has no room there."""
    from alfil.diagrams.diagram_model import board_window
    from alfil.tables.large_pieces import main_square_board_size

    main_square_board_size(footprint_of(piece.meaning.facts), board)
    return board_window(board.files, board.ranks, board.at)


def _bounds_of(piece: AnyPiece) -> PieceBounds | None:
    """What bounds a piece of a file to areas; None for other pieces, and for all that is none."""
    result = getattr(piece, "bounds", None)
    if result is None:
        return None
    from alfil.library.piece_bounds import PieceBounds

    return result if isinstance(result, PieceBounds) else None


def _add_regions_or_note(
    bounds: PieceBounds, marks: Marks, sentence: str, *, shown: bool
) -> tuple[Marks, str]:
    """Marks with the areas on their board, or with the remark that they leave areas out."""
    from alfil.diagrams.diagram_model import RemarkFlags
    from alfil.diagrams.legend import UNBOUNDED_NOTE

    if not shown:
        return replace(
            marks, remarks=marks.remarks | RemarkFlags.UNBOUNDED
        ), f"{sentence} {UNBOUNDED_NOTE}"
    window = marks.window
    return replace(marks, regions=bounds.outlined_regions((window.width, window.height))), sentence


def _content_in_position(
    piece: Piece,
    meaning: Meaning,
    window: Window | None,
    board: BoardContext,
    other_pieces: tuple[Squares, Squares, Squares, Squares, EnPassant],
    history: tuple[bool | None, int | None, int | None],
) -> DiagramContent:
    """What a picture shows of one position, in a window or in one that fits."""
    from alfil.diagrams.diagram_content import all_marks, content_in_position
    from alfil.diagrams.split_jump_paths import with_jumps_split_off
    from alfil.tables.board_context import PositionArguments, empty_board

    general = all_marks(meaning, window)
    is_open = not general.window.ranks
    if is_open:
        board = empty_board(general.window.north, None, None, None)
    unmoved, moves_made, turn = history
    position_arguments = PositionArguments(
        board, *other_pieces, bool(unmoved), moves_made, None, turn, open_board=is_open
    )
    scene = position_arguments.context()
    moves = _moves_in_context(piece, scene, with_jumps_split_off(meaning))
    return content_in_position(meaning, general, scene, moves)


def reject_piece_needing_board(
    piece: Piece,
    condition_kinds: Collection[str] = BOARD_CONDITIONS & PATH_CONDITIONS,
    hint: str = "give files, ranks and the square the piece stands on",
) -> None:
    """Raise `BoardError` for a piece that cannot be shown without a board and a square.

    ``condition_kinds`` are the conditions for which that is so; a diagram can say the others in
    words.
    """
    for guard, _ in piece.meaning.parts:
        if guard and any(condition.kind in condition_kinds for condition in guard):
            message = "what it may do depends on the board and the square"
            reject(BoardError, "needs-board", message, piece.source, hint=hint)


@without_garbage_collection
def compile(piece: AnyPiece, *, files: int = 9, ranks: int = 9, second: bool = False) -> Table:
    """The move table of the piece for boards of one size: flat arrays, picklable, `to_json()`.

    ``second`` turns it for the side that moves down the board.

    >>> len(compile("W", files=9, ranks=9))
    4
    """
    from alfil.tables.board_context import check_board_size

    check_board_size(files, ranks)
    return _table_maker()(as_piece(piece).meaning, files, ranks, second=second)


@dataclass(frozen=True, slots=True)
class Translation:
    """A text in another notation; ``str()`` is the text alone.

    ``losses`` are the diagnostics of what was left out, empty where the text is the same piece.
    """

    text: str
    notation: str
    losses: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def exact(self) -> bool:
        """Whether it is the same piece on every board."""
        return not self.losses


def write(piece: AnyPiece, notation: str | None = None) -> str:
    """The piece in canonical layout, in its own notation unless another is named.

    Another notation is a translation: the same piece on every board, or `TranslationLoss` with
    everything that cannot be said there.

    >>> write("afsW"), write("mfW"), write("FtR", "hasinu")
    ('afsW', 'fmW', '1×4dD &t n4dO')
    >>> write("fsK", "fairy-stockfish"), write("[F?R]", "classic")
    ('fF', 't[FR]')
    """
    piece = as_piece(piece)
    own = _notation_of(piece)
    if notation is None or notation == own.name:
        return own.write(piece.tree, piece.source)
    return translate(piece, write=notation).text


@without_garbage_collection
def translate(
    piece: AnyPiece,
    *,
    write: str,
    read: str = "betza",
    dialect: str | None = None,
    on_loss: OnLoss = "strict",
) -> Translation:
    r"""The piece in another notation.

    A text is read in the notation ``read``, Betza embedded in it in ``dialect``; ``write`` is the
    notation to write. What cannot be said is an error that lists all losses ("strict":
    `TranslationLoss`), is left out ("lossy": the result allows less, never more), or is embedded as
    Betza ("escape", for Ħasínū only). Without losses the result is the same piece on every board;
    that has been compared, not assumed. Raises also whatever reading and compiling raise.

    >>> translate("NN", read="classic", write="hasinu").text
    'n(1,2)'
    >>> lossy = translate("gQN", write="hasinu", on_loss="lossy")
    >>> lossy.text, [loss.kind for loss in lossy.losses]
    ('(1,2)', ['must-hop'])
    >>> translate("gQN", write="hasinu", on_loss="escape").text
    '(1,2) & \\gQ'
    >>> translate("fK", write="fairy-stockfish").text
    'fW'
    """
    from alfil.notation.registry import notation_by_name
    from alfil.translation.translate import translate_tree

    notation = notation_by_name(write)
    known = LOSS_POLICIES if notation.embeds else LOSS_POLICIES[:2]
    if on_loss not in known:
        reject_unknown_name("unknown-policy", on_loss, known)
    source_piece = as_piece(piece, read, dialect)
    movement = source_piece.movement
    with limited_task_on_source(source_piece.source, MeaningError):
        text, losses = translate_tree(
            source_piece.tree, movement, source_piece.source, notation, on_loss
        )
    return Translation(text, write, losses)


def describe(piece: AnyPiece) -> str:
    """How the piece moves, in plain English, as a rules page could put it.

    Of a piece of a file it says also where it may go, if areas of the board bound it. Directions
    are the mover's. Unless the words say otherwise the squares a move runs over are empty, a leap
    passes over anything, and a move ends on an empty square or captures an enemy. Pieces with equal
    descriptions are the same. Raises whatever `read` raises, and `MeaningError` where a piece
    of several squares would castle.

    >>> describe("AD")
    'Leaps two squares orthogonally or diagonally.'
    >>> describe("FyafsF") == describe(read("1×4dD &t n4dO", notation="hasinu"))
    True
    """
    return _description(as_piece(piece), _bounds_of(piece))


def _description(piece: Piece, bounds: PieceBounds | None) -> str:
    description = _describe(piece)
    return " ".join([description, *bounds.sentences(_describe)]) if bounds else description


def _describe(piece: HasMeaning) -> str:
    return piece._english_sentences if isinstance(piece, Piece) else ""


def is_betza(piece: Piece) -> bool:
    """Whether a piece is written in Betza, in some dialect."""
    return _notation_of(piece).folder == "betza"

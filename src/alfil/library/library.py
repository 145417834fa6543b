"""`alfil.load` and `alfil.find`: sets and files of pieces."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from alfil.api import Piece, describe, read, same
from alfil.errors import (
    AlfilError,
    MeaningError,
    NotationError,
    UnknownPiece,
    did_you_mean_or_list,
    reject,
    require_type,
)
from alfil.frozen_dataclasses import NamedTuple
from alfil.library.catalogue import (
    PieceNames,
    indexed_bundled_names,
    indexed_piece_names,
    names_of_pieces,
)
from alfil.library.file_locations import (
    PIECE_FILE_SUFFIX,
    FileLocation,
    bundled_set_names,
    catalogue_set_names,
    find_file,
    is_bundled_or_catalogue_set,
)
from alfil.library.piece_file import Entry, PieceFile, normalise_name, variant_of
from alfil.library.piece_file_cache import read_bundled_file
from alfil.source import Source, Span, source_of_file_text

if TYPE_CHECKING:
    from alfil.diagrams.picture import Picture
    from alfil.game.variant import Variant
    from alfil.play.game import Game

# The sets whose names are meant where several have one; the others follow by the alphabet.
PREFERRED_SETS = ("fairy", "chess", "shogi")
# What may be the name of a piece: words, perhaps after the name of a set or a file and a colon.
NAME_PATTERN = re.compile(r"(?:[\w./\\ +-]+:)?[^\W\d_+][\w '’.+-]{2,}|[\w./\\ +:-]+:[\w+-]+")
# A notebook shows so many pieces of a set.
MAX_SUGGESTED = 40
# How alike a name must be to be offered instead.
MIN_SIMILARITY = 0.75
SUGGESTION_PREFIX = "did you mean the piece "


class Library(PieceFile, Mapping[str, Entry]):
    """The pieces of a file, by code or name, and the game they are for.

    A mapping from codes to `Entry`; a name in any case finds its piece too. ``pieces``, ``rules``,
    ``files``, ``ranks``, ``setup`` and ``hands`` are what the file says; ``diagnostics`` are
    warnings and notes. An unknown code is an `UnknownPiece`, which is a KeyError.

    >>> library = load("hand_shogi")
    >>> library["SO"].name, library["Gold general"].code, "X" in library
    ('soldier', 'G', False)
    """

    def __repr__(self) -> str:
        return f"<Library {self.name}: {len(self.pieces)} pieces>"

    def __getitem__(self, key: str) -> Entry:
        require_type(key, str, "the name of a piece is a text")
        entry = self._by_code.get(key) or self.piece_called(key)
        if entry is None:
            hint = did_you_mean_or_list(key, [*self._by_code, *self._by_name])
            if not hint.startswith("did"):
                hint = did_you_mean_or_list(key, list(self._by_code))
            message = f"{self.name} has no piece called {key}"
            reject(UnknownPiece, "unknown-piece", message, Source(key, "<piece>"), hint=hint)
        return entry

    def piece_called(self, name: str) -> Entry | None:
        """The piece of this name, in any case, or None; codes are no names."""
        require_type(name, str, "the name of a piece is a text")
        return self._by_name.get(normalise_name(name))

    def __iter__(self) -> Iterator[str]:
        return iter([entry.code for entry in self.pieces])

    def __len__(self) -> int:
        return len(self.pieces)

    @cached_property
    def _by_code(self) -> dict[str, Entry]:
        return {entry.code: entry for entry in self.pieces}

    @cached_property
    def _by_name(self) -> dict[str, Entry]:
        """Pieces by name; the first piece of a name has it."""
        match: dict[str, Entry] = {}
        for entry in self.pieces:
            for name in entry.names:
                match.setdefault(normalise_name(name), entry)
        return match

    @cached_property
    def variant(self) -> Variant:
        """The game as data for the engine, with all meanings compiled.

        Raises `PieceFileError` where the file has no board or no pieces, or a piece no letter, and
        `RuleError` where no game can honour what a movement says.
        """
        return variant_of(self)

    def picture(self, theme: str = "default") -> Picture:
        """The board with its set-up and the hands; `Game.picture` shows where a game stands.

        Raises `AlfilError` of kind "no-board" or "no-setup" for a file without either, and for an
        unknown theme.

        >>> print(load("minishogi").picture())
        Minishogi
          5   4   3   2   1
        +--------------------+
        | vR  vB  vS  vG  vK | a
        | .   .   .   .   vP | b
        | .   .   .   .   .  | c
        | P   .   .   .   .  | d
        | K   G   S   B   R  | e
        +--------------------+
        """
        from alfil.diagrams.picture import Picture
        from alfil.diagrams.themes import theme_by_name
        from alfil.library.diagrams import starting_board

        return Picture(starting_board(self), theme_by_name(theme))

    def sheet(
        self,
        *codes: str,
        alone: bool = False,
        theme: str = "default",
        columns: int | None = None,
        radius: int | None = None,
    ) -> Picture:
        """A picture of all pieces as rules pages have it, or of some by code or name.

        A piece and its promoted forms stand side by side, unless some are asked for ``alone``.
        ``columns`` is how many pieces a row has room for, ``radius`` how many squares all diagrams
        show on each side of the piece, so that pieces can be compared; each as many as fit it
        unless given. Raises `UnknownPiece`, and `AlfilError` for an unknown theme.

        >>> print(str(load("shogi").sheet("N")).splitlines()[2])
        N 桂馬 knight                       →  +N 成桂 promoted knight
        """
        from alfil.diagrams.picture import Picture
        from alfil.diagrams.themes import theme_by_name
        from alfil.library.diagrams import sheet_of

        chosen = [self[code].code for code in codes]
        colours = theme_by_name(theme)
        sheet = sheet_of(self, chosen, alone=alone, theme=theme, columns=columns, radius=radius)
        return Picture(sheet, colours)

    def to_dataframe(self, package: Literal["pandas", "polars"] | None = None) -> Any:  # noqa: ANN401 - of either
        """The pieces as a data frame of pandas, or of polars where pandas is not installed.

        It has a row for each piece, in the order of the file, and the columns code, name, kanji,
        notation, text, moves (in words), royal, promotes (codes with blanks between) and status.
        Raises `AlfilError` of kind "missing-extra" where the package is not installed, and
        "unknown-format" for another one. With polars, for instance:

            load("chess").to_dataframe("polars").filter(polars.col("royal"))
        """
        from alfil.library.data_frame import data_frame

        return data_frame(self.pieces, package)

    def _repr_svg_(self) -> str | None:
        return self.picture().svg() if self.setup else None

    def _repr_html_(self) -> str:
        """The set-up, if there is one, and a line for each piece, for notebooks."""
        from alfil.diagrams.html_page import escaped

        head = "".join(f"<th>{each}</th>" for each in ("code", "name", "notation", "move"))
        rows = "".join(
            f"<tr><td>{escaped(each.code)}</td><td>{escaped(each.name)}</td>"
            f"<td><code>{escaped(each.piece.text)}</code></td><td>{escaped(describe(each))}</td></tr>"
            for each in self.pieces[:MAX_SUGGESTED]
        )
        more = len(self.pieces) - MAX_SUGGESTED
        rest = f"<p>and {more} more pieces</p>" if more > 0 else ""
        svg = self._repr_svg_() or ""
        return f"<h4>{escaped(self.heading)}</h4>{svg}<table><tr>{head}</tr>{rows}</table>{rest}"

    def game(
        self,
        position: str | None = None,
        *,
        fen: str | None = None,
        adjudicate: bool = False,
        strict: bool = False,
        kingless: bool = False,
    ) -> Game:
        """A new game from the start or from a position; the options are those of `Game`.

        ``fen`` is another name of ``position``, as python-chess has it: both take FEN, X-FEN and
        Shredder-FEN, SFEN, and the text of `Game.position_text`. Raises what `variant` raises,
        TypeError where both are given, and `PositionError`, of kind "no-setup" where there is
        nothing to start from.

        >>> load("chess").game(fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1").turn
        'w'
        """
        from alfil.play.game import Game

        if position is not None and fen is not None:
            raise TypeError("position and fen are two names of one argument; give one of them")
        start = fen if position is None else position
        return Game(self.variant, start, adjudicate=adjudicate, strict=strict, kingless=kingless)


def load(
    name: str | os.PathLike[str], pieces: Mapping[str, str] | None = None, *, reading: str = ""
) -> Library:
    """Read a bundled set of pieces, or a file: a path that ends in ``.pieces``.

    ``reading`` is one of the readings of a game, by the name that its file gives it, and the
    default where it is empty; ``chu@wikipedia`` names a game in a reading too.

    ``pieces`` gives some of them other moves, by code: Betza, or with the notation before it,
    ``{"SH": "R2", "O": "hasinu:j(3×4dO)"}``, or the name of a bundled piece. What is in the file
    does not change. Where such a move breaks a constraint of the file, a warning in ``diagnostics``
    says so. Raises `PieceFileError` with everything wrong in the file, or where it has no such
    reading, `UnknownPiece` for an unknown code, and `AlfilError` for a move that cannot be read.

    >>> load("hand_shogi", pieces={"SH": "R2"})["SH"].note
    'set by the user: R2'
    >>> load("chu", reading="wikipedia").rules.repetition.times
    2
    """
    require_type(reading, str, "the name of a reading is a text")
    location = find_file(name).with_reading(reading)
    return _load_library(location, pieces or {})


def loads(
    text: str, pieces: Mapping[str, str] | None = None, *, name: str = "<pieces>", reading: str = ""
) -> Library:
    """Read the text of a piece file, as `load` reads a file; it may include bundled sets only.

    ``name`` is what reports call it.

    >>> loads('piece GR "griffon" betza=FyafsF')["griffon"].code
    'GR'
    """
    require_type(text, str, "a piece file is a text")
    require_type(name, str, "what reports call a text is a text")
    source = source_of_file_text(text, name)
    require_type(reading, str, "the name of a reading is a text")
    return _load_library(FileLocation(name, source, "text").with_reading(reading), pieces or {})


def _load_library(location: FileLocation, pieces: Mapping[str, str]) -> Library:
    require_type(pieces, Mapping, "moves of pieces are texts by code")
    if location.source_kind == "set":
        library = bundled_library(location.name)
    else:
        from alfil.library.constraints import require_notations_agree
        from alfil.library.piece_file_reader import read_piece_file

        library = Library(**vars(read_piece_file(location)))
        require_notations_agree(library)
    return with_replaced_moves(library, pieces) if pieces else library


def with_replaced_moves(library: Library, pieces: Mapping[str, str]) -> Library:
    """The same library with other moves for some pieces."""
    from alfil.library.constraints import violations

    changed = {code: _entry_with_user_move(code, move, library) for code, move in pieces.items()}
    entries = tuple(changed.get(entry.code, entry) for entry in library.pieces)
    result = replace(library, pieces=entries)
    return replace(result, diagnostics=(*library.diagnostics, *violations(result, changed)))


def _entry_with_user_move(code: str, move: str, library: Library) -> Entry:
    """A piece with the move of the user; errors name the code."""
    from alfil.library.validator import castles_by_movement
    from alfil.notation.registry import split_notation_prefix

    require_type(move, str, f"the move of {code} is a text")
    text, notation = split_notation_prefix(move)
    if code not in {entry.code for entry in library.pieces}:
        source, hint = Source(code, "<piece>"), did_you_mean_or_list(code, list(library))
        reject(UnknownPiece, "unknown-piece", f"no piece has the code {code}", source, hint=hint)
    try:
        piece = _read_movement_or_piece_name(text, notation, code)
        bool(piece.meaning)
    except AlfilError as error:
        diagnostics = [
            replace(each, message=f"{code}: {each.message}") for each in error.diagnostics
        ]
        raise type(error)(diagnostics, error.source) from None
    note = f"set by the user: {move}"
    entry = replace(library[code], piece=piece, other_notations=(), status="user", note=note)
    if entry.castles_to and castles_by_movement(entry):
        message, hint = f"{code} castles to files of its own already", "leave castling (O) out"
        reject(AlfilError, "given-twice", message, Source(text, "<piece>"), hint=hint)
    return entry


def _read_movement_or_piece_name(text: str, notation: str, code_for_errors: str) -> Piece:
    """A movement, or that of the piece of the bundled sets that has this name."""
    if not text.strip():
        source, hint = Source(text, "<piece>"), f"give one: {code_for_errors}=R2"
        reject(AlfilError, "no-movement", "there is no move", source, hint=hint)
    try:
        return read(text, notation, name=f"<piece {code_for_errors}>")
    except NotationError:
        by_name = lookup(text) if notation == "betza" else None
        if by_name is None:
            raise
        return by_name.entry.piece


class LibraryPiece(NamedTuple):
    """A piece, and the library that has it."""

    library: Library
    entry: Entry

    @property
    def qualified_code(self) -> str:
        """What names it among all pieces: ``fairy:GF``."""
        return f"{self.library.name}:{self.entry.code}"


def find(name: str) -> Entry:
    """A piece of the bundled sets by its name, in any case; ``SET:CODE`` names one in a set.

    A piece file of one's own may stand before the colon: ``my.pieces:N``. Where several sets have
    the name, it is that of the first of fairy, chess, shogi and the others in alphabetical order,
    the catalogue last. Raises `UnknownPiece` where there is none.

    >>> find("hand_shogi:SH").name, find("GRIFFON").code
    ('shogun', 'GF')
    """
    require_type(name, str, "the name of a piece is a text")
    match = lookup(name)
    if match is None:
        hint = suggestion_hint(name) or "alfil.load(SET).pieces has the pieces of a set"
        source = Source(name, "<name>")
        reject(UnknownPiece, "unknown-piece", f"no piece is called {name}", source, hint=hint)
    return match.entry


def lookup(name: str) -> LibraryPiece | None:
    """The piece of this name, or None; raises `UnknownPiece` where the set has no such piece."""
    location, _, code = name.rpartition(":")
    if is_bundled_or_catalogue_set(location) or location.endswith(PIECE_FILE_SUFFIX):
        library = library_by_name(location)
        return LibraryPiece(library, library[code])
    return next(_pieces_called(name), None)


def _pieces_called(name: str) -> Iterator[LibraryPiece]:
    """The pieces of all sets that have this name; most are in the first."""
    folded = normalise_name(name)
    for chosen in all_set_names():
        for code, names, _ in piece_names_in(chosen):
            if folded in names:
                library = bundled_library(chosen)
                yield LibraryPiece(library, library[code])


def piece_named_by_invalid_notation(error: NotationError, *, suggest: bool = True) -> LibraryPiece:
    """The piece of this name, where the text is not a notation.

    It is a bundled piece, or that of a file named before a colon. Raises the error again where
    there is none, with the name that is most like the text as a hint, unless ``suggest`` is False;
    and what loading the file raises that a name such as ``my.pieces:N`` is in.
    """
    text = error.source.text.strip()
    if not NAME_PATTERN.fullmatch(text):
        raise error
    match = lookup(text)
    if match:
        return match
    hint = suggestion_hint(text) or unknown_set_hint(text) if suggest else ""
    first, *others = error.diagnostics
    if hint:
        whole = f"{first.hint}; {hint}" if first.hint else hint
        name = (
            hint.removeprefix(SUGGESTION_PREFIX).removesuffix("?")
            if hint.startswith(SUGGESTION_PREFIX)
            else ""
        )
        start = len(whole) - len(name) - 1
        spans = (Span(start, start + len(name)),) if name else ()
        first = replace(first, hint=whole, offers=(*first.offers, *spans))
    combined_error = NotationError([first, *others], error.source)
    combined_error.find_other_readings = error.find_other_readings
    raise combined_error from None


def namesakes_with_other_moves(piece: LibraryPiece) -> list[LibraryPiece]:
    """The pieces of the sets with the same name that move in another way.

    >>> [each.qualified_code for each in namesakes_with_other_moves(lookup("dobutsu:L"))][:2]
    ['fairy:LI', 'chu:N']
    """
    match: list[LibraryPiece] = []
    for other in _pieces_called(piece.entry.name):
        if other.qualified_code != piece.qualified_code and not any(
            _has_same_moves(other.entry, each.entry) for each in (piece, *match)
        ):
            match.append(other)
    return match


def _has_same_moves(a: Entry, b: Entry) -> bool:
    """Whether two pieces move alike; one whose moves have no meaning is like itself only."""
    try:
        return a == b or same(a.piece, b.piece, facts=False)
    except MeaningError:
        return False


def suggestion_hint(name: str) -> str:
    """A hint with the most similar name of a bundled piece; empty if none is similar."""
    rows = (row for chosen in all_set_names() for row in piece_names_in(chosen))
    names = dict.fromkeys(each for _, names, _ in rows for each in names)
    hint = did_you_mean_or_list(normalise_name(name), names, MIN_SIMILARITY)
    begin = "did you mean "
    return f"{SUGGESTION_PREFIX}{hint.removeprefix(begin)}" if hint.startswith(begin) else ""


def unknown_set_hint(name: str) -> str:
    """A hint where a name has a colon and what stands before it is no set; empty otherwise."""
    location, colon, _ = name.rpartition(":")
    hint = did_you_mean_or_list(location, bundled_set_names())
    return f"no set of pieces is called {location}: {hint}" if colon else ""


def library_by_name(name: str) -> Library:
    """A library; bundled ones are cached."""
    return bundled_library(name) if is_bundled_or_catalogue_set(name) else load(name)


@cache
def bundled_library(name: str) -> Library:
    """A bundled set, read once: it does not change, and the tests answer for what it says."""
    return Library(**vars(read_bundled_file(find_file(name))))


def piece_names_in(
    set_or_path: str, load_library: Callable[[str], Library] = library_by_name
) -> Iterable[PieceNames]:
    """The names of the pieces of a set or file, without loading one that comes with alfil."""
    if set_or_path in bundled_set_names():
        return _bundled_piece_names()[set_or_path]
    return indexed_piece_names(set_or_path) or names_of_pieces(load_library(set_or_path).pieces)


@cache
def _bundled_piece_names() -> dict[str, list[PieceNames]]:
    """The names of the pieces of all bundled sets."""
    return indexed_bundled_names(tuple(bundled_set_names_by_preference())) or {
        name: names_of_pieces(bundled_library(name).pieces) for name in bundled_set_names()
    }


def all_set_names() -> list[str]:
    """The bundled sets in their order, then those of the catalogue."""
    return [*bundled_set_names_by_preference(), *catalogue_set_names()]


def bundled_set_names_by_preference() -> list[str]:
    """The bundled sets, those first whose names are meant where several have one."""
    return sorted(bundled_set_names(), key=lambda name: ((*PREFERRED_SETS, name).index(name), name))


def games() -> tuple[str, ...]:
    """The names of the bundled sets that are games: they have a start, and `alfil.load` plays them.

    They are in the order of the alphabet; sets of pieces alone are left out.

    >>> "chess" in games(), "shogi" in games(), "fairy" in games()
    (True, True, False)
    >>> load(games()[0]).game().outcome() is None
    True
    """
    return tuple(name for name in bundled_set_names() if bundled_library(name).setup)

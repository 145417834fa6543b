"""`alfil.load`: a bundled set or a file of pieces, ready to be looked things up in and played."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from alfil.api import Piece, read
from alfil.errors import AlfilError, Finding, NotationError, UnknownPiece, nearest
from alfil.library.files import Place, one_sign
from alfil.library.files import find as find_file
from alfil.library.model import Entry, PieceFile
from alfil.library.reader import read_place
from alfil.library.values import folded
from alfil.notation.registry import with_notation
from alfil.source import Source, Span

if TYPE_CHECKING:
    from alfil.diagrams.picture import Picture
    from alfil.game.game import Game
    from alfil.game.variant import Variant


class Library(PieceFile, Mapping[str, Entry]):
    """The pieces of a file, by code or name, and the game they are for.

    A mapping from codes to `Entry`; a name in any case finds its piece too. ``pieces``, ``rules``,
    ``files``, ``ranks``, ``setup`` and ``hands`` are what the file says; ``findings`` are warnings
    and notes. An unknown code is an `UnknownPiece`, which is a KeyError.

    >>> library = load("hand_shogi")
    >>> library["SO"].name, library["Gold general"].code, "X" in library
    ('soldier', 'G', False)
    """

    def __getitem__(self, key: str) -> Entry:
        entry = self._by_code.get(key) or self.named(key)
        if entry is None:
            hint = nearest(key, [*self._by_code, *self._by_name])
            if not hint.startswith("did"):
                hint = nearest(key, list(self._by_code))
            message = f"{self.name} has no piece called {key}"
            finding = Finding("unknown-piece", message, (Span(0, len(key)),), hint)
            raise UnknownPiece([finding], Source(key, "<piece>"))
        return entry

    def named(self, name: str) -> Entry | None:
        """The piece of this name, in any case, or None; codes are no names."""
        return self._by_name.get(folded(name))

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
        found: dict[str, Entry] = {}
        for entry in self.pieces:
            for name in entry.names:
                found.setdefault(folded(name), entry)
        return found

    @cached_property
    def variant(self) -> Variant:
        """The game as data for the engine, with all meanings compiled.

        Raises `PieceFileError` where the file has no board or no pieces, or a piece no letter, and
        `RuleError` where no game can honour what a movement says.
        """
        from alfil.library.variants import variant_of

        return variant_of(self)

    def draw(self, *, theme: str = "default") -> Picture:
        """A picture of the set-up.

        Raises `AlfilError` of kind "no-board" or "no-setup" for a file without either.
        """
        from alfil.library.pictures import draw_board

        return draw_board(self, theme=theme)

    def sheet(
        self,
        *codes: str,
        alone: bool = False,
        theme: str = "default",
        columns: int | None = None,
    ) -> Picture:
        """A picture of all pieces as rules pages have it, or of some by code or name.

        A piece and its promoted forms stand side by side, unless some are asked for ``alone``.
        ``columns`` is how many pieces a row has room for. Raises `UnknownPiece`, and `AlfilError`
        for an unknown theme.

        >>> print(str(load("shogi").sheet("N")).splitlines()[2])
        N 桂馬 knight  →  +N 成桂 promoted knight
        """
        from alfil.diagrams.picture import Picture
        from alfil.diagrams.themes import theme_called
        from alfil.library.pictures import sheet_of

        chosen = [self[code].code for code in codes]
        colours = theme_called(theme)
        sheet = sheet_of(self, chosen, alone=alone, theme=theme, columns=columns)
        return Picture(sheet, colours)

    def _repr_svg_(self) -> str | None:
        return self.draw().svg() if self.setup else None

    def game(
        self, position: str | None = None, *, adjudicate: bool = False, strict: bool = False
    ) -> Game:
        """A new game from the start or from a position; with ``adjudicate`` illegal moves lose.

        Raises what `variant` raises, and `PositionError`, of kind "no-setup" where there is nothing
        to start from.
        """
        from alfil.game.game import Game

        return Game(self.variant, position, adjudicate=adjudicate, strict=strict)


def load(name: str | os.PathLike[str], pieces: Mapping[str, str] | None = None) -> Library:
    """Read a bundled set of pieces, or a file: a path that ends in ``.pieces``.

    ``pieces`` gives some of them other moves, by code: Betza, or with the notation before it,
    ``{"SH": "R2", "O": "hasinu:j(3×4dO)"}``, or the name of a bundled piece. What is in the file
    does not change. Where such a move breaks a constraint of the file, a warning in ``findings``
    says so. Raises `PieceFileError` with everything wrong in the file, `UnknownPiece` for a code
    there is not, and `AlfilError` for a move that cannot be read.

    >>> load("hand_shogi", pieces={"SH": "R2"})["SH"].note
    'set by the user: R2'
    """
    place = find_file(name)
    return _library(place, pieces or {})


def loads(text: str, pieces: Mapping[str, str] | None = None, *, name: str = "<pieces>") -> Library:
    """Read the text of a piece file, as `load` reads a file; it may include bundled sets only.

    ``name`` is what reports call it.

    >>> loads('piece GR "griffon" betza=FyafsF')["griffon"].code
    'GR'
    """
    source = Source(one_sign(text.removeprefix("\ufeff")), name)
    return _library(Place(name, source, "text"), pieces or {})


def _library(place: Place, pieces: Mapping[str, str]) -> Library:
    library = Library(**vars(read_place(place)))
    if place.origin != "set":  # the tests answer for the bundled ones
        from alfil.library.sameness import require_agreement

        require_agreement(library)
    return with_moves(library, pieces) if pieces else library


def with_moves(library: Library, pieces: Mapping[str, str]) -> Library:
    """The same library with other moves for some pieces."""
    from alfil.library.constraints import broken

    changed = {code: _replaced(code, move, library) for code, move in pieces.items()}
    entries = tuple(changed.get(entry.code, entry) for entry in library.pieces)
    result = Library(**_fields(library) | {"pieces": entries})
    warnings = broken(result, changed)
    return Library(**_fields(result) | {"findings": (*library.findings, *warnings)})


def _fields(library: Library) -> dict[str, Any]:
    return {name: getattr(library, name) for name in PieceFile.__dataclass_fields__}


def _replaced(code: str, move: str, library: Library) -> Entry:
    """A piece with the move of the user; errors name the code."""
    if not isinstance(move, str):
        raise TypeError(f"the move of {code} is a text, not {move!r:.60}")
    text, notation = with_notation(move)
    if code not in {entry.code for entry in library.pieces}:
        hint = nearest(code, list(library))
        finding = Finding("unknown-piece", f"no piece has the code {code}", (_all(code),), hint)
        raise UnknownPiece([finding], Source(code, "<piece>"))
    try:
        piece = _moving(text, notation, code)
        bool(piece.meaning)
    except AlfilError as error:
        findings = [replace(each, message=f"{code}: {each.message}") for each in error.findings]
        raise type(error)(findings, error.source) from None
    note = f"set by the user: {move}"
    return replace(library[code], movements=(piece,), status="user", note=note)


def _moving(text: str, notation: str, code: str) -> Piece:
    """A movement, or that of the piece of the bundled sets that has this name."""
    if not text.strip():
        hint = f"give one: {code}=R2"
        raise AlfilError(
            [Finding("no-movement", "there is no move", (_all(text),), hint)],
            Source(text, "<piece>"),
        )
    try:
        return read(text, notation, name=f"<piece {code}>")
    except NotationError:
        from alfil.library.names import lookup

        named = lookup(text) if notation == "betza" else None
        if named is None:
            raise
        return named.entry.piece


def _all(text: str) -> Span:
    return Span(0, len(text))

"""`alfil.load` and `alfil.find`: sets and files of pieces, to be looked things up in and played."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from alfil.api import Piece, describe, read, same
from alfil.errors import (
    AlfilError,
    MeaningError,
    NotationError,
    UnknownPiece,
    expect,
    nearest,
    refuse,
)
from alfil.frozen import NamedTuple
from alfil.library.files import SUFFIX, Place, bundled, bundled_names
from alfil.library.files import find as find_file
from alfil.library.keeping import read_bundled
from alfil.library.model import Entry, PieceFile, folded, variant_of
from alfil.source import Source, Span, plain

if TYPE_CHECKING:
    from alfil.diagrams.picture import Picture
    from alfil.game.variant import Variant
    from alfil.play.game import Game

# The sets whose names are meant where several have one; the others follow by the alphabet.
FIRST = ("fairy", "chess", "shogi")
# What may be the name of a piece: words, perhaps after the name of a set or a file and a colon.
NAME = re.compile(r"(?:[\w./\\ +-]+:)?[^\W\d_+][\w '’.+-]{2,}|[\w./\\ +:-]+:[\w+-]+")
# A notebook shows so many pieces of a set.
SHOWN = 40
# How alike a name must be to be offered instead.
ALIKE = 0.75
MEANT = "did you mean the piece "


class Library(PieceFile, Mapping[str, Entry]):
    """The pieces of a file, by code or name, and the game they are for.

    A mapping from codes to `Entry`; a name in any case finds its piece too. ``pieces``, ``rules``,
    ``files``, ``ranks``, ``setup`` and ``hands`` are what the file says; ``findings`` are warnings
    and notes. An unknown code is an `UnknownPiece`, which is a KeyError.

    >>> library = load("hand_shogi")
    >>> library["SO"].name, library["Gold general"].code, "X" in library
    ('soldier', 'G', False)
    """

    def __repr__(self) -> str:
        return f"<Library {self.name}: {len(self.pieces)} pieces>"

    def __getitem__(self, key: str) -> Entry:
        expect(key, str, "the name of a piece is a text")
        entry = self._by_code.get(key) or self.named(key)
        if entry is None:
            hint = nearest(key, [*self._by_code, *self._by_name])
            if not hint.startswith("did"):
                hint = nearest(key, list(self._by_code))
            message = f"{self.name} has no piece called {key}"
            refuse(UnknownPiece, "unknown-piece", message, Source(key, "<piece>"), hint=hint)
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
        from alfil.diagrams.themes import theme_called
        from alfil.library.pictures import board_of

        return Picture(board_of(self), theme_called(theme))

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
        from alfil.diagrams.themes import theme_called
        from alfil.library.pictures import sheet_of

        chosen = [self[code].code for code in codes]
        colours = theme_called(theme)
        sheet = sheet_of(self, chosen, alone=alone, theme=theme, columns=columns, radius=radius)
        return Picture(sheet, colours)

    def _repr_svg_(self) -> str | None:
        return self.picture().svg() if self.setup else None

    def _repr_html_(self) -> str:
        """The set-up, if there is one, and a line for each piece, for notebooks."""
        from alfil.diagrams.html import text

        head = "".join(f"<th>{each}</th>" for each in ("code", "name", "notation", "move"))
        rows = "".join(
            f"<tr><td>{text(each.code)}</td><td>{text(each.name)}</td>"
            f"<td><code>{text(each.piece.text)}</code></td><td>{text(describe(each))}</td></tr>"
            for each in self.pieces[:SHOWN]
        )
        more = len(self.pieces) - SHOWN
        rest = f"<p>and {more} more pieces</p>" if more > 0 else ""
        drawn = self._repr_svg_() or ""
        return f"<h4>{text(self.heading)}</h4>{drawn}<table><tr>{head}</tr>{rows}</table>{rest}"

    def game(
        self,
        position: str | None = None,
        *,
        adjudicate: bool = False,
        strict: bool = False,
    ) -> Game:
        """A new game from the start or from a position; the options are those of `Game`.

        Raises what `variant` raises, and `PositionError`, of kind "no-setup" where there is nothing
        to start from.
        """
        from alfil.play.game import Game

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
    expect(text, str, "a piece file is a text")
    expect(name, str, "what reports call a text is a text")
    source = plain(text, name)
    return _library(Place(name, source, "text"), pieces or {})


def _library(place: Place, pieces: Mapping[str, str]) -> Library:
    expect(pieces, Mapping, "moves of pieces are texts by code")
    if place.origin == "set":
        library = bundled_library(place.name)
    else:
        from alfil.library.constraints import require_agreement
        from alfil.library.reader import read_place

        library = Library(**vars(read_place(place)))
        require_agreement(library)
    return with_moves(library, pieces) if pieces else library


def with_moves(library: Library, pieces: Mapping[str, str]) -> Library:
    """The same library with other moves for some pieces."""
    from alfil.library.constraints import broken

    changed = {code: _replaced(code, move, library) for code, move in pieces.items()}
    entries = tuple(changed.get(entry.code, entry) for entry in library.pieces)
    result = replace(library, pieces=entries)
    return replace(result, findings=(*library.findings, *broken(result, changed)))


def _replaced(code: str, move: str, library: Library) -> Entry:
    """A piece with the move of the user; errors name the code."""
    from alfil.notation.registry import with_notation

    expect(move, str, f"the move of {code} is a text")
    text, notation = with_notation(move)
    if code not in {entry.code for entry in library.pieces}:
        source, hint = Source(code, "<piece>"), nearest(code, list(library))
        refuse(UnknownPiece, "unknown-piece", f"no piece has the code {code}", source, hint=hint)
    try:
        piece = _moving(text, notation, code)
        bool(piece.meaning)
    except AlfilError as error:
        findings = [replace(each, message=f"{code}: {each.message}") for each in error.findings]
        raise type(error)(findings, error.source) from None
    note = f"set by the user: {move}"
    return replace(library[code], piece=piece, others=(), status="user", note=note)


def _moving(text: str, notation: str, code: str) -> Piece:
    """A movement, or that of the piece of the bundled sets that has this name."""
    if not text.strip():
        source, hint = Source(text, "<piece>"), f"give one: {code}=R2"
        refuse(AlfilError, "no-movement", "there is no move", source, hint=hint)
    try:
        return read(text, notation, name=f"<piece {code}>")
    except NotationError:
        named = lookup(text) if notation == "betza" else None
        if named is None:
            raise
        return named.entry.piece


class Found(NamedTuple):
    """A piece, and the library that has it."""

    library: Library
    entry: Entry

    @property
    def place(self) -> str:
        """What names it among all pieces: ``fairy:GF``."""
        return f"{self.library.name}:{self.entry.code}"


def find(name: str) -> Entry:
    """A piece of the bundled sets by its name, in any case; ``SET:CODE`` names one in a set.

    A piece file of one's own may stand before the colon: ``my.pieces:N``. Where several sets have
    the name, the first of fairy, chess, shogi and then the alphabet has it. Raises `UnknownPiece`
    where there is none.

    >>> find("hand_shogi:SH").name, find("GRIFFON").code
    ('shogun', 'GF')
    """
    expect(name, str, "the name of a piece is a text")
    found = lookup(name)
    if found is None:
        hint = near(name) or "alfil.load(SET).pieces has the pieces of a set"
        source = Source(name, "<name>")
        refuse(UnknownPiece, "unknown-piece", f"no piece is called {name}", source, hint=hint)
    return found.entry


def lookup(name: str) -> Found | None:
    """The piece of this name, or None; raises `UnknownPiece` where the set has no such piece."""
    place, _, code = name.rpartition(":")
    if place in bundled_names() or place.endswith(SUFFIX):
        library = kept(place)
        return Found(library, library[code])
    for chosen in in_order():  # one after another, for most names are in the first
        library = bundled_library(chosen)
        entry = library.named(name)
        if entry:
            return Found(library, entry)
    return None


def named_instead(error: NotationError, *, suggest: bool = True) -> Found:
    """The piece that has a text as its name, where reading that as a notation gave this error.

    It is a bundled piece, or that of a file named before a colon. Raises the error again where
    there is none, with the name that is most like the text as a hint, unless ``suggest`` is False;
    and what loading the file raises that a name such as ``my.pieces:N`` is in.
    """
    text = error.source.text.strip()
    if not NAME.fullmatch(text):
        raise error
    found = lookup(text)
    if found:
        return found
    hint = near(text) or unknown_set(text) if suggest else ""
    first, *others = error.findings
    if hint:
        whole = f"{first.hint}; {hint}" if first.hint else hint
        name = hint.removeprefix(MEANT).removesuffix("?") if hint.startswith(MEANT) else ""
        start = len(whole) - len(name) - 1
        named = (Span(start, start + len(name)),) if name else ()
        first = replace(first, hint=whole, offers=(*first.offers, *named))
    told = NotationError([first, *others], error.source)
    told.elsewhere = error.elsewhere
    raise told from None


def namesakes(named: Found) -> list[Found]:
    """The pieces of the bundled sets with the same name that move in another way."""
    found: list[Found] = []
    for chosen in in_order():
        library = bundled_library(chosen)
        entry = library.named(named.entry.name)
        if entry is None or (library.name, entry.code) == (named.library.name, named.entry.code):
            continue
        if not any(_alike(entry, each.entry) for each in (named, *found)):
            found.append(Found(library, entry))
    return found


def _alike(a: Entry, b: Entry) -> bool:
    """Whether two pieces move alike; one whose moves have no meaning is like itself only."""
    try:
        return a == b or same(a.piece, b.piece, facts=False)
    except MeaningError:
        return False


def near(name: str) -> str:
    """A hint with the name of a bundled piece that is most like this one; empty if none is."""
    entries = (entry for chosen in in_order() for entry in bundled_library(chosen).pieces)
    names = dict.fromkeys(folded(each) for entry in entries for each in entry.names)
    hint = nearest(folded(name), names, ALIKE)
    begin = "did you mean "
    return f"{MEANT}{hint.removeprefix(begin)}" if hint.startswith(begin) else ""


def unknown_set(name: str) -> str:
    """A hint where a name has a colon and what stands before it is no set; empty otherwise."""
    place, colon, _ = name.rpartition(":")
    return f"no set of pieces is called {place}: {nearest(place, bundled_names())}" if colon else ""


def kept(name: str) -> Library:
    """A library; bundled ones are kept, for they do not change."""
    return bundled_library(name) if name in bundled_names() else load(name)


@cache
def bundled_library(name: str) -> Library:
    """A bundled set, read once: it does not change, and the tests answer for what it says."""
    return Library(**vars(read_bundled(bundled(name))))


def in_order() -> list[str]:
    """The bundled sets, those first whose names are meant where several have one."""
    return sorted(bundled_names(), key=lambda name: ((*FIRST, name).index(name), name))


def games() -> tuple[str, ...]:
    """The names of the bundled sets that are games: they have a start, and `alfil.load` plays them.

    They are in the order of the alphabet; sets of pieces alone are left out.

    >>> "chess" in games(), "shogi" in games(), "fairy" in games()
    (True, True, False)
    >>> load(games()[0]).game().outcome() is None
    True
    """
    return tuple(name for name in bundled_names() if bundled_library(name).setup)

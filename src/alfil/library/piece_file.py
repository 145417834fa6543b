"""The contents of a piece file, with spans; and its variant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from alfil.api import LONGEST, Piece, notebook_html, notebook_svg
from alfil.errors import AlfilError, Diagnostic, MeaningError, PieceFileError, reject
from alfil.frozen_dataclasses import dataclass
from alfil.game.variant import (
    FIRST,
    PieceRestrictions,
    PieceType,
    Region,
    Rules,
    StartingPiece,
    Variant,
)
from alfil.meaning.automaton import ON_ROYAL, TAKE_ROYAL
from alfil.meaning.piece_meaning import any_move_has_bits
from alfil.source import Source, Span, excerpt
from alfil.squares import CoordinateSystem, Square

if TYPE_CHECKING:
    from alfil.library.piece_bounds import PieceBounds


def unpromoted_code(code: str) -> str:
    """The code of the piece that a promoted one is written after: Q of +Q, Q of Q.

    >>> unpromoted_code("+Q")
    'Q'
    """
    return code.removeprefix("+")


def normalise_name(name: str) -> str:
    """A name as it is compared: case, hyphens and blanks make no difference."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())


@dataclass(frozen=True)
class Entry(PieceType):
    """One piece of a file: a piece type with names, notations and spans.

    ``piece`` is how it moves, in the notation that was written first; ``other_notations`` are the
    same in other notations. ``letter`` and ``base`` are empty where the file leaves them to the
    game. ``also`` are further names, ``german`` and ``french`` those in these languages, and
    ``romaji`` is how ``kanji`` are read. ``same_as`` is the code or name of the piece it is a
    namesake of. ``sources`` say who gives the piece this name; where they differ about its moves,
    ``reading`` tells these from the others of the name. ``source`` and ``span`` are where it was
    written, ``name_spans`` where the value of each key stands. ``restrictions`` is the board of its
    file where areas of that or other pieces bound it, else None.
    """

    piece: Piece
    other_notations: tuple[Piece, ...] = ()
    also: tuple[str, ...] = ()
    same_as: str = ""
    romaji: str = ""
    german: tuple[str, ...] = ()
    french: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    reading: str = ""
    source: Source = field(default=Source("", ""), compare=False, repr=False)
    span: Span = field(default=Span(0, 0), compare=False, repr=False)
    name_spans: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)
    restrictions: PieceRestrictions | None = field(default=None, compare=False, repr=False)

    @property
    def movements(self) -> tuple[Piece, ...]:
        """How it moves, in every notation that is given."""
        return (self.piece, *self.other_notations)

    def __repr__(self) -> str:
        return f"<Entry {self.code} ({self.name}): {excerpt(self.piece.text, LONGEST)}>"

    def _repr_svg_(self) -> str | None:
        return notebook_svg(self)

    def _repr_html_(self) -> str | None:
        return notebook_html(self)

    @property
    def bounds(self) -> PieceBounds | None:
        """What the areas of its board and other pieces mean for it, if any bound it."""
        if self.restrictions is None:
            return None
        from alfil.library.piece_bounds import PieceBounds

        return PieceBounds(self, self.restrictions)

    @property
    def default_letter(self) -> str:
        """The letter a piece has by itself: the one given, else a code of one letter."""
        return self.letter or (self.code if len(unpromoted_code(self.code)) == 1 else "")

    @property
    def is_royal(self) -> bool:
        """Whether it is royal by its line or by its movement; raises `MeaningError`."""
        return self.royal or any(fact.name == "royal" for fact in self.meaning.facts)

    @property
    def may_capture_royals(self) -> bool:
        """Whether it may capture a royal piece; it may if that is not known."""
        try:
            meanings = self.meanings
        except MeaningError:
            return True
        facts = (fact for meaning in meanings for fact in meaning.facts)
        return any(fact.name != "royal" for fact in facts) or any_move_has_bits(
            meanings, ON_ROYAL, TAKE_ROYAL
        )

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, the usual one first, those in other languages last."""
        return (self.name, *self.also, *self.german, *self.french)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition on the moves of some pieces, which is checked and reported.

    ``predicate`` is one of those in `alfil.library.constraints`. ``words`` say the condition for
    people, ``origin`` where it comes from. Only a required one makes a check fail.
    """

    number: str
    predicate: str
    codes: tuple[str, ...]
    words: str = ""
    origin: str = ""
    required: bool = False
    span: Span = field(default=Span(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class GameReading:
    """A reading of a game: its name, what differs in words, and who has it.

    ``is_default`` is a name for the file as it stands; its words say why it is the default.
    """

    name: str
    words: str
    sources: tuple[str, ...] = ()
    is_default: bool = False


@dataclass(frozen=True)
class PieceFile:
    """The contents of one piece file, with its includes.

    ``name`` is the name of a bundled set or the file's name without ``.pieces``; ``title`` is the
    name of the game, or empty. ``files`` and ``ranks`` are 0 where no board is given. ``hands`` are
    (code, count) pairs for the first and the second side. ``readings`` are those that the game has,
    ``reading`` is the name of the chosen one, empty for the default. ``diagnostics`` are warnings
    and notes.
    """

    name: str
    title: str
    files: int
    ranks: int
    rules: Rules
    pieces: tuple[Entry, ...]
    setup: tuple[StartingPiece, ...] = ()
    walls: frozenset[Square] = frozenset()
    hands: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())
    constraints: tuple[Constraint, ...] = ()
    regions: tuple[Region, ...] = ()
    readings: tuple[GameReading, ...] = ()
    reading: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    source: Source = field(default=Source("", ""), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Tell the pieces that areas or other pieces bound what board they are on."""
        immune = [each for each in self.pieces if each.immune_to]
        pieces = tuple([self._with_restrictions(each, immune) for each in self.pieces])
        object.__setattr__(self, "pieces", pieces)

    def _with_restrictions(self, entry: Entry, immune_pieces: Iterable[Entry]) -> Entry:
        others = (
            self._names_of(entry.blocked_by),
            tuple([each.name for each in immune_pieces if entry.code in each.immune_to]),
            self._names_of(entry.no_jump_over),
            self._names_of(entry.castles_with if entry.castles_to else ()),
        )
        if not (entry.within or entry.outside or entry.further or any(others)):
            return entry
        begun = (at for at, side, code in self.setup if (side, code) == (FIRST, entry.code))
        board = self.files, self.ranks, self.rules.zone, self.coordinates, self.regions
        return replace(entry, restrictions=PieceRestrictions(*board, tuple(begun), *others))

    def _names_of(self, codes: Collection[str]) -> tuple[str, ...]:
        """The names of the pieces with these codes, each once."""
        found = (each.name for each in self.pieces if each.code in codes) if codes else ()
        return tuple(dict.fromkeys(found))

    @property
    def heading(self) -> str:
        """The name of the game as people write it, or else that of the file."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def coordinates(self) -> CoordinateSystem:
        """How the squares of its board are named: as in shogi where black moves first."""
        return "shogi" if self.files and self.rules.first == "black" else "chess"

    def require_starting_position(self) -> None:
        """Raise `AlfilError` of kind "no-board" or "no-setup" where nothing stands anywhere."""
        name = self.name or "the file"
        source = Source(name, "<file>")
        if not self.files:
            hint = "add a line: board 9x9"
            reject(AlfilError, "no-board", f"{name} has no board", source, hint=hint)
        if not (self.setup or any(self.hands) or self.rules.drops == "free"):
            hint = "add a starting position: the line setup, then a row for each rank"
            reject(AlfilError, "no-setup", f"{name} has no starting position", source, hint=hint)


def variant_of(file: PieceFile) -> Variant:
    """The game in a piece file.

    Raises `PieceFileError` where there is no complete one, `RuleError` for a function of Ħasínū
    that no game can honour.
    """
    from alfil.game.piece_traits import piece_traits

    diagnostics: list[Diagnostic] = []
    if not file.files:
        message, hint = "there is no board to play on", "add a line: board 9x9"
        diagnostics.append(Diagnostic("no-board", message, (Span(0, 1),), hint))
    if not file.pieces:
        message, hint = "there are no pieces", 'add a line: piece K "king" betza=K'
        diagnostics.append(Diagnostic("no-movement", message, (Span(0, 1),), hint))
    kinds = [_entry_for_variant(entry, file, diagnostics) for entry in file.pieces]
    variant = Variant(
        name=file.name,
        title=file.title,
        files=file.files,
        ranks=file.ranks,
        rules=file.rules,
        kinds=tuple(kinds),
        setup=file.setup,
        walls=file.walls,
        hands=file.hands,
        moves=tuple((entry.code, _movements_text(entry)) for entry in file.pieces),
        regions=file.regions,
    )
    # A file in which something is missing anyway is not asked what its functions mean.
    traits = {} if diagnostics else piece_traits(variant)
    promotees = {
        kind.code: traits[kind.code].promotion.codes or kind.promotes
        for kind in kinds
        if kind.code in traits
    }
    bases = _demotion_by_code(file, promotees)
    letters = _piece_letters(file, bases, diagnostics)
    if diagnostics:
        from alfil.library.statements import DIAGNOSTIC_LIMIT

        raise PieceFileError(diagnostics[:DIAGNOSTIC_LIMIT], file.source)
    kinds = [replace(each, letter=letters[each.code], base=bases[each.code]) for each in kinds]
    return replace(variant, kinds=tuple(kinds))


def _movements_text(entry: Entry) -> str:
    """All movements of a piece, with where those hold that it has on some squares only."""
    further = (
        f"{text_with_notation_prefix(each.piece)} at {each.start} to {each.end}"
        f"{' unchecked' * each.unchecked}"
        for each in entry.further
        if isinstance(each.piece, Piece)
    )
    return "; ".join([text_with_notation_prefix(entry.piece), *further])


def text_with_notation_prefix(piece: Piece) -> str:
    """A movement with the notation it is written in, as in "betza:Q3"."""
    return f"{piece.notation}:{piece.text.strip()}"


def _demotion_by_code(file: PieceFile, promotees: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The demotion of each piece when captured; pieces of the starting position keep theirs.

    ``promotees`` are what pieces promote to by their fields and by the functions of their moves.
    """
    begins = {each.code for each in file.setup}
    begins |= {held for hand in file.hands for held, _ in hand}
    before: dict[str, str] = {}
    for entry in file.pieces:
        for code in promotees.get(entry.code, entry.promotes):
            if code not in begins:
                before.setdefault(code, entry.code)
    demotions: dict[str, str] = {}
    for entry in file.pieces:
        _add_demotions(entry.code, before, demotions)
    return demotions


def _add_demotions(code: str, before: Mapping[str, str], demotions: dict[str, str]) -> None:
    """Add the piece at the start of a chain of promotions to all of the chain that lack it.

    A piece whose chain begins in a circle is its own.
    """
    chain: dict[str, None] = {}
    while code in before and code not in chain and code not in demotions:
        chain[code] = None
        code = before[code]
    start = demotions.setdefault(code, code)
    demotions.update({each: each if start in before else start for each in chain})


def _piece_letters(
    file: PieceFile, bases: dict[str, str], diagnostics: list[Diagnostic]
) -> dict[str, str]:
    """The letter of every piece; a promoted one takes that of its base with a plus before it."""
    own = {entry.code: entry.default_letter for entry in file.pieces}
    taken: dict[str, str] = {}
    result: dict[str, str] = {}
    for entry in file.pieces:
        base = own.get(bases[entry.code], "")
        letter = own[entry.code]
        if not letter and bases[entry.code] != entry.code and base:
            letter = f"+{base}"
        if not letter:
            message = f"{entry.code} has no letter for positions in text"
            diagnostics.append(
                _diagnostic_at(entry, file, "no-letter", message, "give it one: letter=…")
            )
        elif other := _other_piece_with_letter(entry, letter.upper(), taken):
            message = f"the letter {letter} is taken by {other}"
            hint = "give one of them a letter: letter=…"
            diagnostics.append(_diagnostic_at(entry, file, "duplicate-letter", message, hint))
        result[entry.code] = letter.upper()
    return result


def _other_piece_with_letter(entry: Entry, letter: str, taken: dict[str, str]) -> str:
    """The piece that has this letter already on a side of this one; empty if none has."""
    for side in entry.sides:
        other = taken.setdefault(f"{side}{letter}", entry.code)
        if other != entry.code:
            return other
    return ""


def _entry_for_variant(entry: Entry, file: PieceFile, diagnostics: list[Diagnostic]) -> Entry:
    """A piece as a game has it, its letter and base not known yet.

    Where it has no meaning, that joins the diagnostics.
    """
    entry = replace(entry, letter=entry.code, base=entry.code)
    try:
        bool(entry.meaning)
    except AlfilError as error:
        for each in error.diagnostics:
            message = f"{entry.code}: {each.message}"
            diagnostics.append(_diagnostic_at(entry, file, each.kind, message, each.hint))
        return entry
    return replace(entry, royal=entry.is_royal)


def _diagnostic_at(entry: Entry, file: PieceFile, kind: str, message: str, hint: str) -> Diagnostic:
    """A diagnostic at the line of a piece; one that is included is named with its file."""
    if entry.source == file.source:
        return Diagnostic(kind, message, (entry.span,), hint)
    return Diagnostic(kind, f"{entry.source.name}: {message}", (Span(0, 1),), hint)

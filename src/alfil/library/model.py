"""What a piece file holds: pieces, board and rules, and where each was written; and its game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from alfil.api import LONGEST, Piece, draw
from alfil.errors import AlfilError, Finding, MeaningError, PieceFileError, refuse
from alfil.frozen import dataclass
from alfil.game.variant import FIRST, Ground, Kind, Placed, Region, Rules, Variant
from alfil.meaning.automaton import ON_ROYAL, TAKE_ROYAL
from alfil.meaning.piece import does
from alfil.source import Source, Span, shown
from alfil.squares import Coordinates, Square

if TYPE_CHECKING:
    from alfil.library.areas import Bounds


def unpromoted(code: str) -> str:
    """The code of the piece that a promoted one is written after: Q of +Q, Q of Q.

    >>> unpromoted("+Q")
    'Q'
    """
    return code.removeprefix("+")


def folded(name: str) -> str:
    """A name as it is compared: case, hyphens and blanks make no difference."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())


@dataclass(frozen=True)
class Entry(Kind):
    """One piece of a file: what a game knows of it, and what only the file says.

    ``piece`` is how it moves, in the notation that was written first; ``others`` are the same in
    other notations. ``letter`` and ``base`` are empty where the file leaves them to the game.
    ``also`` are further names. ``same_as`` is the code or name of the piece it is a namesake of.
    ``source`` and ``span`` are where it was written, ``places`` where the value of each key stands.
    ``ground`` is the board of its file where areas of that or other pieces bound it, else None.
    """

    piece: Piece
    others: tuple[Piece, ...] = ()
    also: tuple[str, ...] = ()
    same_as: str = ""
    source: Source = field(default=Source("", ""), compare=False, repr=False)
    span: Span = field(default=Span(0, 0), compare=False, repr=False)
    places: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)
    ground: Ground | None = field(default=None, compare=False, repr=False)

    @property
    def movements(self) -> tuple[Piece, ...]:
        """How it moves, in every notation that is given."""
        return (self.piece, *self.others)

    def __repr__(self) -> str:
        return f"<Entry {self.code} ({self.name}): {shown(self.piece.text, LONGEST)}>"

    def _repr_svg_(self) -> str | None:
        try:
            return draw(self).svg()
        except AlfilError:
            return None

    @property
    def bounds(self) -> Bounds | None:
        """What the areas of its board and other pieces mean for it, if any bound it."""
        if self.ground is None:
            return None
        from alfil.library.areas import Bounds

        return Bounds(self, self.ground)

    @property
    def own_letter(self) -> str:
        """The letter a piece has by itself: the one given, else a code of one letter."""
        return self.letter or (self.code if len(unpromoted(self.code)) == 1 else "")

    @property
    def is_royal(self) -> bool:
        """Whether it is royal by its line or by its movement; raises `MeaningError`."""
        return self.royal or any(fact.name == "royal" for fact in self.meaning.facts)

    @property
    def takes_royals(self) -> bool:
        """Whether it may capture a royal piece; it may if that is not known."""
        try:
            meanings = self.meanings
        except MeaningError:
            return True
        facts = (fact for meaning in meanings for fact in meaning.facts)
        return any(fact.name != "royal" for fact in facts) or does(meanings, ON_ROYAL, TAKE_ROYAL)

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, the usual one first."""
        return (self.name, *self.also)


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
class PieceFile:
    """All there is in one piece file, what it includes too.

    ``name`` is the name of a bundled set or the file's name without ``.pieces``; ``title`` is the
    name of the game, or empty. ``files`` and ``ranks`` are 0 where no board is given. ``hands`` are
    (code, count) pairs for the first and the second side. ``findings`` are warnings and notes.
    """

    name: str
    title: str
    files: int
    ranks: int
    rules: Rules
    pieces: tuple[Entry, ...]
    setup: tuple[Placed, ...] = ()
    walls: frozenset[Square] = frozenset()
    hands: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())
    constraints: tuple[Constraint, ...] = ()
    regions: tuple[Region, ...] = ()
    findings: tuple[Finding, ...] = ()
    source: Source = field(default=Source("", ""), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Tell the pieces that areas or other pieces bound what board they are on."""
        object.__setattr__(self, "pieces", tuple(map(self._grounded, self.pieces)))

    def _grounded(self, entry: Entry) -> Entry:
        blocking = tuple(each.name for each in self.pieces if each.code in entry.blocked_by)
        immune = tuple(each.name for each in self.pieces if entry.code in each.immune_to)
        if not (entry.within or entry.outside or entry.further or blocking or immune):
            return entry
        begun = (at for at, side, code in self.setup if (side, code) == (FIRST, entry.code))
        board = self.files, self.ranks, self.rules.zone, self.coordinates, self.regions
        return replace(entry, ground=Ground(*board, tuple(begun), blocking, immune))

    @property
    def heading(self) -> str:
        """The name of the game as people write it, or else that of the file."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def coordinates(self) -> Coordinates:
        """How the squares of its board are named: as in shogi where black moves first."""
        return "shogi" if self.files and self.rules.first == "black" else "chess"

    def require_setup(self) -> None:
        """Raise `AlfilError` of kind "no-board" or "no-setup" where nothing stands anywhere."""
        name = self.name or "the file"
        source = Source(name, "<file>")
        if not self.files:
            hint = "add a line: board 9x9"
            refuse(AlfilError, "no-board", f"{name} has no board", source, hint=hint)
        if not (self.setup or any(self.hands) or self.rules.drops == "free"):
            hint = "add a set-up: the line setup, then a row a rank"
            refuse(AlfilError, "no-setup", f"{name} has no set-up", source, hint=hint)


def variant_of(file: PieceFile) -> Variant:
    """The game in a piece file.

    Raises `PieceFileError` where there is no complete one, `RuleError` for a function of Ħasínū
    that no game can honour.
    """
    from alfil.game.natures import natures

    findings: list[Finding] = []
    if not file.files:
        message, hint = "there is no board to play on", "add a line: board 9x9"
        findings.append(Finding("no-board", message, (Span(0, 1),), hint))
    if not file.pieces:
        message, hint = "there are no pieces", 'add a line: piece K "king" betza=K'
        findings.append(Finding("no-movement", message, (Span(0, 1),), hint))
    kinds = [_kind(entry, file, findings) for entry in file.pieces]
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
        moves=tuple((entry.code, _moves(entry)) for entry in file.pieces),
        regions=file.regions,
    )
    # A file in which something is missing anyway is not asked what its functions mean.
    promotees = {} if findings else {c: n.promotion.codes for c, n in natures(variant).items()}
    bases = _bases(file, promotees)
    letters = _letters(file, bases, findings)
    if findings:
        raise PieceFileError(findings, file.source)
    kinds = [replace(each, letter=letters[each.code], base=bases[each.code]) for each in kinds]
    return replace(variant, kinds=tuple(kinds))


def _moves(entry: Entry) -> str:
    """All movements of a piece, with where those hold that it has on some squares only."""
    further = (
        f"{spelled(each.piece)} at {each.start} to {each.end}{' unchecked' * each.unchecked}"
        for each in entry.further
        if isinstance(each.piece, Piece)
    )
    return "; ".join([spelled(entry.piece), *further])


def spelled(piece: Piece) -> str:
    """A movement with the notation it is written in, as in "betza:Q3"."""
    return f"{piece.notation}:{piece.text.strip()}"


def _bases(file: PieceFile, promotees: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """What each piece turns back to when captured: one that begins the game remains itself.

    ``promotees`` are what pieces promote to by their fields and by the functions of their moves.
    """
    begins = {each.code for each in file.setup}
    begins |= {held for hand in file.hands for held, _ in hand}
    before: dict[str, str] = {}
    for entry in file.pieces:
        for code in promotees.get(entry.code, entry.promotes):
            if code not in begins:
                before.setdefault(code, entry.code)
    return {entry.code: _base(entry.code, before) for entry in file.pieces}


def _base(code: str, before: dict[str, str]) -> str:
    """The piece at the start of a chain of promotions; in a circle each is its own."""
    seen = [code]
    while seen[-1] in before:
        seen.append(before[seen[-1]])
        if seen[-1] in seen[:-1]:
            return code
    return seen[-1]


def _letters(file: PieceFile, bases: dict[str, str], findings: list[Finding]) -> dict[str, str]:
    """The letter of every piece; a promoted one takes that of its base with a plus before it."""
    own = {entry.code: entry.own_letter for entry in file.pieces}
    taken: dict[str, str] = {}
    found: dict[str, str] = {}
    for entry in file.pieces:
        base = own.get(bases[entry.code], "")
        letter = own[entry.code]
        if not letter and bases[entry.code] != entry.code and base:
            letter = f"+{base}"
        if not letter:
            message = f"{entry.code} has no letter for positions in text"
            findings.append(_at(entry, file, "no-letter", message, "give it one: letter=…"))
        elif other := _shared(entry, letter.upper(), taken):
            message = f"the letter {letter} is taken by {other}"
            hint = "give one of them a letter: letter=…"
            findings.append(_at(entry, file, "duplicate-letter", message, hint))
        found[entry.code] = letter.upper()
    return found


def _shared(entry: Entry, letter: str, taken: dict[str, str]) -> str:
    """The piece that has this letter already on a side of this one; empty if none has."""
    for side in entry.sides:
        other = taken.setdefault(f"{side}{letter}", entry.code)
        if other != entry.code:
            return other
    return ""


def _kind(entry: Entry, file: PieceFile, findings: list[Finding]) -> Entry:
    """A piece as a game has it, its letter and base not known yet.

    Where it has no meaning, that joins the findings.
    """
    entry = replace(entry, letter=entry.code, base=entry.code)
    try:
        bool(entry.meaning)
    except AlfilError as error:
        for each in error.findings:
            message = f"{entry.code}: {each.message}"
            findings.append(_at(entry, file, each.kind, message, each.hint))
        return entry
    return replace(entry, royal=entry.is_royal)


def _at(entry: Entry, file: PieceFile, kind: str, message: str, hint: str) -> Finding:
    """A finding at the line of a piece; one that is included is named with its file."""
    if entry.source == file.source:
        return Finding(kind, message, (entry.span,), hint)
    return Finding(kind, f"{entry.source.name}: {message}", (Span(0, 1),), hint)

"""The letters of Betza, a row for each, and the dialects, each a table of the letters it knows.

Whoever wants to know what a letter does to a leg, what it clashes with or which words it is known
by reads its row. Where it means nothing stands in grammars/betza_diagnostics.tsv, as all
that is said of a text. A new letter is a row here, a line there for each such place, and its line
in docs/notations.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from alfil.data_files import MessageTable, MessageTemplate
from alfil.errors import reject_unknown_name
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector
from alfil.source import Span

if TYPE_CHECKING:
    from alfil.movement.nodes import Between, Edges, End, Ground, Hop, Passage
    from alfil.movement.turn_geometry import BendSense

# All letters before an atom but directions, in the order XBoard needs; the writer follows it.
Mode: TypeAlias = Literal[
    "i",
    "ii",
    "hh",
    "m",
    "c",
    "d",
    "e",
    "t",
    "p",
    "g",
    "o",
    "oo",
    "y",
    "n",
    "j",
    "z",
    "q",
    "k",
    "x",
    "cc",
    # What a letter after the parts of a list says of them; it has no place before an atom.
    "light",
    "dark",
    "own-colour",
    "other-colour",
    "left-half",
    "right-half",
]
DirectionLetter: TypeAlias = Literal["f", "b", "l", "r", "v", "s", "h"]
MODE_ORDER: tuple[Mode, ...] = get_args(Mode)
DIRECTION_LETTERS: frozenset[DirectionLetter] = frozenset(get_args(DirectionLetter))
_DIRECTION_LETTER_STRING = "".join(DIRECTION_LETTERS)
_MODE_BY_LETTERS: dict[str, Mode] = {mode: mode for mode in MODE_ORDER}
# Half the way to the edge, which looks like directions.
HALFWAY_MODE: Mode = "hh"
# A capture of its own accord, which looks like two captures.
AUTOMATIC_CAPTURE_MODE: Mode = "cc"
# Letters that join legs and have no row.
AGAIN_LETTER, JOIN_LETTER = "a", "t"
# What a last leg without letters of how it may end says, and an earlier one that does not say what
# it may go on from.
DEFAULT_END_MODES: frozenset[Mode] = frozenset({"m", "c"})
DEFAULT_PASSAGE_MODES: frozenset[Mode] = frozenset({"m"})
# Ranges and the numbers of a vector.
MAX_NUMBER_DIGITS = 2
LARGEST_NUMBER = 99

# Where a letter can stand that means nothing there: the first rows of
# grammars/betza_diagnostics.tsv.
LetterPlace: TypeAlias = Literal[
    "castling",  # on O
    "universal",  # on U
    "in-front",  # before a bracket
    "chain-first",
    "chain-later",
    "repeat",  # inside ( )
    "path",
    "path-first",
    "bent-first",  # the first leg of AtB
    "path-later",
    "before-dash",
    "before-stop",
    "nothing-follows",
    "one-step",  # on a last leg of one step
    "one-leap",  # on a last leg of one leap over other squares
    "one-square",  # on a leg of one step to a neighbour
    "one-bend",  # on a single leg of one step
    "own-half",  # beside a range of *
    "bounded",  # where the last leg takes one step, or has a range
    "no-slide",  # no leg before this one slides
    "no-bend",  # beside direction letters, where no leg before this one can have bent
    "no-other-end",  # as the only letter of how a last leg may end
    "no-hurdle",  # on a leg that goes on and does not hop
]


class LetterDefinition(NamedTuple):
    """A letter: what it does to a leg, in the words of `alfil.movement.nodes`, and where.

    ``words`` are those it is known by in docs/notations.md. ``ends`` is what it lets a last leg end
    on, ``through`` what it lets an earlier leg go on from, ``free`` where an empty square would do
    as well, ``spares`` what it takes away of both. ``sense`` compares a bend with the one before.
    ``initial`` is a condition for the whole part on a first leg, ``as_far`` what the letter says on
    a later one, ``inset`` is where it puts the partner of castling.
    ``trail``: on a slider, or with a condition, the piece may be captured en passant.
    ``burns``: what the part could capture burns after each move, and it is a move only where other
    letters say how. ``halfway``: the last leg goes at most half the way to the edge. ``squares``
    are those that a part in a list may start from, by the letter ``after`` it, which does not stand
    among others.
    ``toggles``: one step and any number swap on the legs after it, and ``untoggled`` is the letter
    that says the rest. ``clashes`` are letters that cannot stand on the same leg. ``allowed`` are
    the places where few letters mean something and this one does.
    """

    words: str
    ends: tuple[End, ...] = ()
    through: tuple[Passage, ...] = ()
    free: tuple[Passage, ...] = ()
    spares: frozenset[End | Passage] = frozenset()
    hop: Hop = "none"
    between: Between = "anything"
    skips_first: bool = False
    edges: Edges = "walls"
    sense: BendSense = "any"
    initial: Literal["", "first-move", "third-rank"] = ""
    as_far: bool = False
    inset: int = 0
    trail: bool = False
    burns: bool = False
    halfway: bool = False
    squares: Ground | None = None
    after: str = ""
    toggles: bool = False
    untoggled: Mode | None = None
    clashes: frozenset[Mode] = frozenset()
    allowed: frozenset[LetterPlace] = frozenset()


_HOP_PASSAGES: tuple[Passage, ...] = ("hop-enemy", "hop-royal", "hop-friend")
_PASS_PASSAGES: tuple[Passage, ...] = ("pass-enemy", "pass-royal", "pass-friend")
_ON_ALL: frozenset[LetterPlace] = frozenset({"universal"})

LETTER_ROWS: dict[Mode, LetterDefinition] = {
    "i": LetterDefinition(
        "first leg: as the piece's first move only; later: as long as the slide before",
        initial="first-move",
        as_far=True,
        clashes=frozenset({"ii"}),
        allowed=frozenset({"castling", "universal", "in-front"}),
    ),
    "ii": LetterDefinition(
        "only where the square straight behind held a piece like it, of its side, at the start",
        initial="third-rank",
        allowed=frozenset({"castling", "universal", "in-front"}),
    ),
    "hh": LetterDefinition(
        "in `chessvar`: at most half the leaps there is room for, rounded up",
        halfway=True,
        clashes=frozenset({"p", "g", "o", "oo", "y", "n", "j", "z", "q", "x"}),
        allowed=frozenset({"in-front"}),
    ),
    "m": LetterDefinition("ends on an empty square", ("empty",), ("empty",), allowed=_ON_ALL),
    "c": LetterDefinition(
        "captures an enemy", ("enemy", "royal"), ("take-enemy", "take-royal"), allowed=_ON_ALL
    ),
    "d": LetterDefinition("captures its own side", ("friend",), ("take-friend",), allowed=_ON_ALL),
    "e": LetterDefinition("captures en passant", ("passer",), ("take-passer",), allowed=_ON_ALL),
    "t": LetterDefinition(
        "may not capture a royal",
        spares=frozenset({"royal", "hop-enemy", "hop-royal", "pass-enemy", "pass-royal"}),
    ),
    "p": LetterDefinition(
        "needs one hurdle, lands anywhere beyond it",
        through=_HOP_PASSAGES,
        free=_PASS_PASSAGES,
        hop="beyond",
        clashes=frozenset({"g", "n", "j"}),
    ),
    "g": LetterDefinition(
        "needs one hurdle, lands straight behind it",
        through=_HOP_PASSAGES,
        free=_PASS_PASSAGES,
        hop="behind",
        toggles=True,
        untoggled="p",
        clashes=frozenset({"n", "j"}),
    ),
    "o": LetterDefinition(
        "the board wraps left and right", edges="files", clashes=frozenset({"oo"})
    ),
    "oo": LetterDefinition("also top and bottom", edges="both"),
    "y": LetterDefinition(
        "changes the range of the next leg: step to slider, slider to step",
        through=("empty",),
        toggles=True,
        untoggled="m",
    ),
    "n": LetterDefinition(
        "lame: squares in between must be empty",
        between="empty",
        trail=True,
        clashes=frozenset({"j"}),
    ),
    "j": LetterDefinition(
        "jumping: squares in between must be occupied; a slider skips its first square",
        between="occupied",
        skips_first=True,
        inset=1,
        allowed=frozenset({"castling"}),
    ),
    "z": LetterDefinition(
        "crooked: turns right and left in turn",
        sense="other",
        clashes=frozenset({"q", "p", "g", "n", "j", "o", "oo"}),
    ),
    "q": LetterDefinition(
        "circular: keeps turning one way",
        sense="same",
        clashes=frozenset({"p", "g", "n", "j", "o", "oo"}),
    ),
    "k": LetterDefinition(
        "captures a royal enemy only", ("royal",), ("take-royal",), allowed=_ON_ALL
    ),
    "x": LetterDefinition(
        "in `taikyoku`, before K alone: burns the enemies beside it",
        burns=True,
        clashes=frozenset(get_args(Mode)) - {"x"},
    ),
    "cc": LetterDefinition(
        "in `chessvar`, after m: burns the enemies it could capture so",
        burns=True,
        clashes=frozenset(get_args(Mode)) - {"m", "cc"},
    ),
    "light": LetterDefinition("from a light square", squares="light", after="w"),
    "dark": LetterDefinition("from a dark square", squares="dark", after="b"),
    "own-colour": LetterDefinition("from the colour it began on", squares="own-colour", after="i"),
    "other-colour": LetterDefinition("from the other colour", squares="other-colour", after="o"),
    "left-half": LetterDefinition(
        "from the left half of the board", squares="left-half", after="l"
    ),
    "right-half": LetterDefinition(
        "from the right half of the board", squares="right-half", after="r"
    ),
}
# What stands behind the parts of a list, by its letter.
SUFFIX_LETTERS: dict[str, Mode] = {
    row.after: mode for mode, row in LETTER_ROWS.items() if row.after
}
# Letters that some program gives a meaning alfil does not have yet.
UNSUPPORTED_LETTERS = {
    "x": "x (relay, induction)",
    "u": "u (unload)",
    "jj": "jj (the first two squares skipped)",
    "pp": "pp (several hurdles), but on a slider of one leg, as in cppR,",
}

MESSAGES = MessageTable("betza_diagnostics.tsv")
make_diagnostic = MESSAGES.make_diagnostic


def message_for_misplaced_letter(letter: Mode, place: LetterPlace) -> MessageTemplate | None:
    """What is said of a letter at a place where it means nothing, None where it means something.

    Where the sense is "lost", no later check counts the letter.

    >>> message_for_misplaced_letter("y", "nothing-follows").hint
    '‹yafW›'
    >>> message_for_misplaced_letter("m", "universal")
    """
    return None if place in LETTER_ROWS[letter].allowed else MESSAGES.find_template(place, letter)


def first_clashing_pair(modes: Iterable[Mode]) -> tuple[Mode, Mode] | None:
    """The first pair of letters that exclude each other, in the order they stand.

    >>> first_clashing_pair(("m", "n", "p")), first_clashing_pair(("m", "c"))
    (('n', 'p'), None)
    """
    before: list[Mode] = []
    for second in modes:
        for first in before:
            if second in LETTER_ROWS[first].clashes or first in LETTER_ROWS[second].clashes:
                return first, second
        before.append(second)
    return None


def toggles_range(modes: Iterable[Mode]) -> bool:
    """Whether one step and any number swap after a leg with these letters."""
    return any(LETTER_ROWS[mode].toggles for mode in modes)


@lru_cache(maxsize=1024)
def bend_sense_of_modes(modes: tuple[Mode, ...]) -> BendSense:
    """What the letters of a leg say of its bend, compared with the latest one.

    >>> bend_sense_of_modes(("m", "z")), bend_sense_of_modes(("m",))
    ('other', 'any')
    """
    return next(
        (LETTER_ROWS[mode].sense for mode in modes if LETTER_ROWS[mode].sense != "any"), "any"
    )


class LetterRun(NamedTuple):
    """A run of direction letters, or another modifier, and where it stands in the letters."""

    text: str
    start: int
    directions: bool

    def span(self, offset: int) -> Span:
        """Where it stands in the whole text, the letters starting at ``offset``."""
        return Span(self.start + offset, self.start + offset + len(self.text))


@lru_cache(maxsize=4096)
def split_letters(letters: str) -> tuple[LetterRun, ...]:
    """Cut the letters of one leg into runs of directions and single modifiers.

    >>> [sign.text for sign in split_letters("ifrmn")]
    ['i', 'fr', 'm', 'n']
    """
    if not letters.strip(_DIRECTION_LETTER_STRING) and HALFWAY_MODE not in letters:
        return (LetterRun(letters, 0, directions=True),) if letters else ()
    result: list[LetterRun] = []
    at = 0
    while at < len(letters):
        end = at
        while end < len(letters) and letters[end] in DIRECTION_LETTERS:
            end += 1
        # No run of directions begins or ends with hh, which stands for half the way.
        if letters.startswith(HALFWAY_MODE, at):
            end = at
        elif letters.endswith(HALFWAY_MODE, at, end):
            end -= len(HALFWAY_MODE)
        directions = end > at
        if not directions:
            pair = letters[at : at + 2]
            end = at + (2 if pair in LETTER_ROWS or pair in UNSUPPORTED_LETTERS else 1)
        result.append(LetterRun(letters[at:end], at, directions))
        at = end
    return tuple(result)


@lru_cache(maxsize=4096)
def modes_in(letters: str) -> tuple[Mode, ...]:
    """The letters of a leg besides directions, each once.

    >>> modes_in("ifmfm")
    ('i', 'm')
    """
    return tuple(
        dict.fromkeys(
            [
                _MODE_BY_LETTERS[text]
                for text, _, _ in split_letters(letters)
                if text in _MODE_BY_LETTERS
            ]
        )
    )


class AtomEntry(NamedTuple):
    """What a letter stands for: base vectors (a, b) with a <= b, and whether it slides."""

    vectors: tuple[Vector, ...]
    slides: bool = False


CLASSIC_ATOMS: dict[str, AtomEntry] = {
    "W": AtomEntry(((0, 1),)),
    "F": AtomEntry(((1, 1),)),
    "D": AtomEntry(((0, 2),)),
    "N": AtomEntry(((1, 2),)),
    "A": AtomEntry(((2, 2),)),
    "H": AtomEntry(((0, 3),)),
    "L": AtomEntry(((1, 3),)),
    "J": AtomEntry(((2, 3),)),
    "G": AtomEntry(((3, 3),)),
    "K": AtomEntry(((0, 1), (1, 1))),
    "R": AtomEntry(((0, 1),), slides=True),
    "B": AtomEntry(((1, 1),), slides=True),
    "Q": AtomEntry(((0, 1), (1, 1)), slides=True),
}
MODERN_ATOMS: dict[str, AtomEntry] = {
    **CLASSIC_ATOMS,
    "C": AtomEntry(((1, 3),)),
    "Z": AtomEntry(((2, 3),)),
}
# Atoms without a vector: everywhere, and castling.
UNIVERSAL_ATOM, CASTLING_ATOM = "U", "O"

# What a dialect may have beside letters: legs joined by "a", brackets, legs joined by t (AtB,
# t[AB]), repeats in parentheses, the suffixes X and Y, ranges of *, leaps in numbers, directions on
# K and Q read on W and F "apart", NN written and not N0, a range on a chain that counts for every
# leg, W03 for W3, KK for Q, pp for any number of hurdles, raised or wide letters and digits, and
# lists of parts with squares to start from.
Construct: TypeAlias = Literal[
    "chain",
    "bracket",
    "joined",
    "repeat",
    "suffix",
    "star",
    "vector",
    "apart",
    "doubled-riders",
    "chain-range",
    "leading-zero",
    "king-rider",
    "several-hurdles",
    "styled",
    "squares",
]
# What a program gets wrong on purpose, or so it seems; `alfil.notation.betza.program_quirks` finds
# it.
Quirk: TypeAlias = Literal[
    "order",
    "doubled-letter",
    "first-runs",
    "later-runs",
    "between",
    "skips",
    "single-runs",
    "hops",
    "variant-trail",
    "quiet-start",
    "one-ride",
]


class Dialect(NamedTuple):
    """What a dialect knows; everything else is an error in it.

    ``atoms`` are its capital letters; of two for one vector the later one is written. ``modes`` are
    its modifiers besides directions. ``start`` is the rule of the grammar that its texts follow.
    ``program`` is the program whose reading the dialect is, if any: ``quirks`` are what must be
    kept away from it, ``digits`` is the length of its longest range, and ``riders``, ``doubled``
    and ``lame`` are the atoms that take a range, may be doubled, and take n; None is all of them.
    ``narrow`` are the atoms whose later legs, without letters, go forward, left and right only.
    """

    name: str
    atoms: Mapping[str, AtomEntry]
    modes: frozenset[Mode]
    constructs: frozenset[Construct]
    start: Literal["piece", "lettered", "taikyoku", "proposed", "chessvar"] = "piece"
    program: str = ""
    quirks: frozenset[Quirk] = frozenset()
    digits: int = MAX_NUMBER_DIGITS
    riders: frozenset[str] | None = None
    doubled: frozenset[str] | None = None
    lame: frozenset[str] | None = None
    narrow: frozenset[str] = frozenset()

    def may_double_atom(self, letter: str) -> bool:
        """Whether an atom may be doubled; where KK is an error it has a report of its own."""
        return self.doubled is None or letter in self.doubled or letter == "K"


def _parse_modes(letters: str) -> frozenset[Mode]:
    known = letters.split()
    return frozenset(mode for mode in MODE_ORDER if mode in known)


BETZA = Dialect(
    "betza",
    {**MODERN_ATOMS, UNIVERSAL_ATOM: AtomEntry(()), CASTLING_ATOM: AtomEntry(())},
    _parse_modes("m c d e k p g n j i ii o oo y z q"),
    frozenset(
        {"chain", "bracket", "joined", "repeat", "suffix", "star", "vector", "several-hurdles"}
    ),
)
CLASSIC = Dialect(
    "classic",
    CLASSIC_ATOMS,
    _parse_modes("m c e p g n j i o z q"),
    frozenset({"joined", "vector", "apart", "doubled-riders"}),
)
XBOARD = Dialect(
    "xboard",
    {
        **MODERN_ATOMS,
        "L": AtomEntry(((2, 3),)),
        "J": AtomEntry(((1, 3),)),
        CASTLING_ATOM: AtomEntry(()),
    },
    _parse_modes("m c d e t p g n j i ii o y"),
    frozenset({"chain", "chain-range", "leading-zero"}),
    start="lettered",
    program="XBoard",
    quirks=frozenset({"order", "doubled-letter", "first-runs", "later-runs", "between"}),
    doubled=frozenset("RBQ"),
    lame=frozenset("DNA"),
    narrow=frozenset("WFDAHGRB"),
)
FAIRY_STOCKFISH = Dialect(
    "fairy-stockfish",
    MODERN_ATOMS,
    _parse_modes("m c e p g n i"),
    frozenset({"apart", "king-rider"}),
    program="Fairy-Stockfish",
    quirks=frozenset({"skips", "single-runs", "hops", "variant-trail", "quiet-start", "one-ride"}),
    digits=1,
    riders=frozenset("WFNKRBQ"),
    doubled=frozenset("WFNKRBQ"),
    lame=frozenset("NAZJD"),
)
TAIKYOKU = BETZA._replace(
    name="taikyoku",
    modes=BETZA.modes | {"x"},
    constructs=BETZA.constructs | {"styled"},
    start="taikyoku",
)
PROPOSED = Dialect(
    "fairy-stockfish-next",
    {**MODERN_ATOMS, UNIVERSAL_ATOM: AtomEntry(())},
    _parse_modes("m c e p g n i j y q"),
    frozenset({"chain", "bracket", "vector", "apart", "king-rider", "doubled-riders"}),
    start="proposed",
)
CHESSVAR = BETZA._replace(
    name="chessvar",
    modes=BETZA.modes | {HALFWAY_MODE, AUTOMATIC_CAPTURE_MODE},
    constructs=BETZA.constructs | {"squares", "doubled-riders"},
    start="chessvar",
)
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (BETZA, CLASSIC, XBOARD, FAIRY_STOCKFISH, PROPOSED, TAIKYOKU, CHESSVAR)
}


def dialect_by_name(name: str) -> Dialect:
    """The dialect of that name; `AlfilError` of kind "unknown-dialect" with the nearest name."""
    dialect = DIALECTS.get(name)
    return (
        reject_unknown_name("unknown-dialect", name, DIALECTS, 0.4) if dialect is None else dialect
    )


def other_dialects_with(letter: str, dialect: Dialect) -> Iterator[str]:
    """The names of the other dialects that know a letter or construct."""
    for other in DIALECTS.values():
        if other is dialect:
            continue
        if letter in other.atoms or letter in other.modes or letter in other.constructs:
            yield other.name


def equivalent_atom_letter(letter: str, dialect: Dialect) -> str:
    """The letter of a dialect for a leap that others write with this letter, or nothing.

    >>> equivalent_atom_letter("C", CLASSIC), equivalent_atom_letter("U", CLASSIC)
    ('L', '')
    """
    entry = MODERN_ATOMS.get(letter)
    return next((other for other, known in dialect.atoms.items() if known == entry), "")

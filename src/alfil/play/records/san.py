"""Moves as chess players write them: `e4`, `Nf3`, `exd5`, `O-O`, `e8=Q`, `N@f3`.

    [LETTER][file][rank][x]target[=LETTER][/REST][+|#]      [LETTER]@target      O-O  O-O-O

Letters are those of positions. The piece with the letter P is the pawn, which is written without
it, and with its file where it captures. A form that only remembers that it was promoted, as the
queen of crazyhouse that turns back to a pawn, has the letter of the piece that it is. `O-O` is
castling with a partner on a higher file. Behind a move stands `/` with the wall that it builds, or
with the piece that comes into play where it began, then `+` for check, `#` where it wins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn, Protocol, Self

from alfil.errors import IllegalMove, NotationError, refuse
from alfil.frozen import NamedTuple
from alfil.game.moves import LONGEST_KEPT, TEXTS_KEPT, Move, require_short, texts_of
from alfil.game.plan import Bounded, plan_of
from alfil.play.outcome import Outcome
from alfil.play.records import hodges
from alfil.source import Source, Span
from alfil.squares import Square, letters, name_pattern, read_on, square_name

PAWN = "P"
_CASTLING = re.compile(r"([O0])-\1(-\1)?")
# Marks of check, and of how good a move is; what is seen from the board anyway.
_CHECKS, _GLYPHS, _PASSANT = "+#", "!?", "e.p."


class Playing(hodges.Played, Protocol):
    """What moves are read and written in: a game where it stands, which can be tried out."""

    @property
    def side(self) -> str:
        """The side to move as texts name it."""

    def copy(self) -> Self:
        """A game of its own in the same state."""

    def push(self, move: Move | str) -> Move:
        """Make a move."""

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""

    def is_check(self) -> bool:
        """Whether the side to move is in check."""

    def read_move(self, text: Move | str) -> Move:
        """The legal move that a text means."""


class Spelled(NamedTuple):
    """A text taken apart; ``file`` and ``rank`` are of the start, -1 where they are not written.

    ``letter`` and ``form`` are letters, the latter empty where no promotion is written.
    """

    letter: str
    file: int
    rank: int
    sign: str
    target: Square
    form: str

    @property
    def named(self) -> tuple[str, str, Square]:
        """The letter of the piece, the sign and the target."""
        return self.letter, self.sign, self.target


class Plain(NamedTuple):
    """A text that says one thing in all notations.

    Where it is ``shared`` with another one, it is a move if there is one of that piece only.
    """

    way: Spelled
    shared: bool


class Castling(NamedTuple):
    """A text for castling, with a partner on a higher file where it is ``short``."""

    short: bool


class Speller:
    """Takes the texts of one game apart; ``letters`` are those of the pieces, by code."""

    def __init__(self, game: Playing) -> None:
        self.letters = _letters(game)
        self._size = game.variant.files, game.variant.ranks
        names = sorted({*self.letters.values()}, key=len, reverse=True)
        letter = "|".join(map(re.escape, names))
        square = name_pattern("chess", *self._size)
        self._pattern = re.compile(
            rf"(?P<letter>{letter})?"
            rf"(?:(?P<file>[a-z]{{1,2}}?)??(?P<rank>[1-9][0-9]?)??(?P<sign>x?)|@)"
            rf"(?P<target>{square})(?:=?(?P<form>{letter})|=?\((?P<form2>{letter})\))?"
        )
        # What tells whether a text is in another notation.
        self._exact, self._writer = hodges.speller_of(game.variant).exact, texts_of(game.variant)[2]
        self._is_chess = game.variant.rules.coordinates == "chess"
        self._plain: Bounded[str, Plain | None] = Bounded(TEXTS_KEPT)
        self._known: Bounded[str, tuple[Spelled | Castling | None, str]] = Bounded(TEXTS_KEPT)

    def parts(self, text: str) -> tuple[Spelled | Castling | None, str]:
        """What a text says up to a slash, None where it is none of this kind, and what follows."""
        found = self._known.get(text)
        if found is None:
            bare = text.rstrip(_GLYPHS).rstrip(_CHECKS)
            bare = bare.removesuffix(_PASSANT).rstrip() if bare.endswith(_PASSANT) else bare
            bare, slash, more = bare.partition("/")
            castling = _CASTLING.fullmatch(bare)
            way = Castling(not castling[2]) if castling else self._spelled(bare)
            found = way, slash + more
            if len(text) <= LONGEST_KEPT:
                self._known[text] = found
        return found

    def plain(self, text: str) -> Plain | None:
        """What a text says in SAN, if it says no other thing in another notation."""
        try:
            return self._plain[text]
        except KeyError:
            pass
        way, more = self.parts(text)
        found = None
        if self._is_chess and not more and isinstance(way, Spelled):
            hodges = self._exact(text)
            others = any(self._writer.asked(text, side) for side in (0, 1))
            if not others and all(self._agrees(way, each) for each in hodges):
                found = Plain(way, bool(hodges))
        if len(text) <= LONGEST_KEPT:
            self._plain[text] = found
        return found

    def _agrees(self, way: Spelled, other: hodges.Spelled) -> bool:
        """Whether a text says of piece, sign and target in Hodges notation what it does in SAN."""
        plain = other.origin is None and not (other.mark or other.taken or other.trail)
        same = (self.letters[other.code], other.sign, other.target) == way.named
        return plain and other.partner is None and same

    def _spelled(self, text: str) -> Spelled | None:
        found = self._pattern.fullmatch(text)
        target = read_on(found["target"], *self._size, "chess") if found else None
        if found is None or target is None:
            return None
        corner = read_on(f"{found['file'] or 'a'}{found['rank'] or 1}", 702, 99, "chess")
        file, rank = corner or (-1, -1)
        return Spelled(
            found["letter"] or PAWN,
            file if found["file"] else -1,
            rank if found["rank"] else -1,
            "@" if found["sign"] is None else found["sign"],
            target,
            found["form"] or found["form2"] or "",
        )


def _speller_of(game: Playing) -> Speller:
    """What takes the texts of a game apart; all games of its variant share it."""
    kept = plan_of(game.variant).kept
    if "san" not in kept:
        kept["san"] = Speller(game)
    found: Speller = kept["san"]
    return found


def write(game: Playing, move: Move) -> str:
    """A legal move in SAN, to be called before it is made.

    Where no text of this kind tells the move from all others, it is the USI-like one.
    """
    more = hodges.behind(move)
    for text in (each + more for each in _texts(move, _speller_of(game).letters)):
        if _meant(game, text) == [move]:
            return text + _sequel(game, move)
    return move.usi


def read(game: Playing, text: str, *, strict: bool = False) -> Move:
    """The legal move that a text in SAN stands for.

    Marks of check are not compared, `0-0` and `e8Q` are read too unless ``strict``. Raises
    `NotationError` for a text that cannot be read, does not agree with the board or may be several
    moves, and `IllegalMove`.
    """
    found = _meant(game, text)
    if found is None:
        message, hint = "no move in SAN", "a move is written like e4, Nf3, exd5, O-O or e8=Q"
        if text.startswith("["):
            hint = 'a tag is one line, as in [White "Ada"]'
        _refuse("unreadable-move", message, text, hint)
    if len(found) > 1:
        hodges.refuse_ambiguous(text, [write(game, each) for each in found])
    if not found:
        _refuse_unfit(game, text)
    if strict and (wanted := write(game, found[0])).rstrip("+#") != text.rstrip("+#"):
        hodges.refuse_spelling(text, wanted)
    return found[0]


def read_plain(game: Playing, text: str) -> Move | None:
    """The legal move that a text stands for which is in SAN and nothing else.

    None where there may be several moves, or none.
    """
    speller = _speller_of(game)
    plain = speller.plain(text)
    if plain is None:
        return None
    (way, shared), names = plain, speller.letters
    there = [
        move
        for move in game.legal_moves
        if move.target == way.target and names[move.code] == way.letter
    ]
    found = [move for move in there if _fits(move, names, way)]
    sole = len(found) == 1 and "/" not in found[0].text and not (shared and len(there) > 1)
    return found[0] if sole else None


def read_lenient(game: Playing, text: str) -> Move:
    """A move of a record in SAN, or in USI-like text where that tells no move."""
    require_short(text, plan_of(game.variant))
    plain = read_plain(game, text)
    if plain:
        return plain
    legal = game.legal_moves
    texts = [move.text for move in legal]
    if text in texts:
        return legal[texts.index(text)]
    try:
        return read(game, text)
    except NotationError as error:
        if error.kind != "unreadable-move":
            raise
        try:
            return game.read_move(text)
        except NotationError:
            raise error from None


def read_typed(game: Playing, text: str, *, strict: bool = False) -> Move:
    """A move as people write it: in Hodges notation, and in SAN where squares are as in chess.

    In both, `bxc4` is a pawn's move, and a bishop's only where no pawn has it; `Nxd7+` promotes
    where that is possible, and gives check otherwise. Raises what `read` does.
    """
    is_chess = game.variant.rules.coordinates == "chess"
    found = _meant(game, text) if is_chess else None
    if found and not hodges.fits(game, text):
        sole = len(found) == 1 and not strict
        return found[0] if sole else read(game, text, strict=strict)
    try:
        return hodges.read(game, text, strict=strict)
    except NotationError as error:
        if found is None or error.kind != "unreadable-move":
            raise
    return read(game, text, strict=strict)


def _letters(game: Playing) -> dict[str, str]:
    """The letter of each code."""
    plain = {game.symbol(kind.code): kind.code for kind in game.variant.kinds}
    found = {}
    for kind in game.variant.kinds:
        symbol = game.symbol(kind.code)
        bare = symbol.removeprefix("+")
        is_mark = symbol != bare and plain.get(bare, kind.base) != kind.base
        found[kind.code] = bare if is_mark else symbol
    return found


def _texts(move: Move, names: dict[str, str]) -> list[str]:
    """Ways to write a move, the shortest first."""
    target, letter = square_name(*move.target), names[move.code]
    if move.origin is None:
        return [f"{letter}@{target}"]
    file, rank = letters(move.origin[0]), str(move.origin[1] + 1)
    starts = ["", file, rank, file + rank]
    if letter == PAWN:
        letter = ""
        starts = starts[1:] if move.captures else starts
    sign = "x" if move.captures else ""
    form = f"={names[move.promotes]}" if move.promotes else ""
    found = [f"{letter}{start}{sign}{target}{form}" for start in starts]
    if move.partner:
        short = move.partner[0][0] > move.origin[0]
        found.insert(0, "O-O" if short else "O-O-O")
    return found


def _sequel(game: Playing, move: Move) -> str:
    """The mark of check, or of a move that wins."""
    after = game.copy()
    after.push(move)
    outcome = after.outcome()
    if outcome and outcome.winner == game.side:
        return "#"
    return "+" if (not outcome or outcome.winner is None) and after.is_check() else ""


def _meant(game: Playing, text: str) -> list[Move] | None:
    """The legal moves that a text may stand for; None for what is no text of this kind."""
    speller = _speller_of(game)
    way, more = speller.parts(text)
    if way is None:
        return None
    if isinstance(way, Castling):
        found = [move for move in game.legal_moves if _castles(move, way)]
    else:
        found = _fitting(game.legal_moves, speller.letters, way)
    exact = [move for move in found if hodges.behind(move) == more]
    return exact if exact or more else found


def _castles(move: Move, way: Castling) -> bool:
    start, partner = move.origin, move.partner
    if start is None or partner is None:
        return False
    return (partner[0][0] > start[0]) == way.short


def _fitting(legal: Sequence[Move], names: dict[str, str], way: Spelled) -> list[Move]:
    """The moves that a text may stand for as far as its part before a slash tells."""
    target, letter = way.target, way.letter
    return [
        move
        for move in legal
        if move.target == target and names[move.code] == letter and _fits(move, names, way)
    ]


def _fits(move: Move, names: dict[str, str], way: Spelled) -> bool:
    """Whether a move of the right piece to the right square is the one that is meant."""
    form = names[move.promotes] if move.promotes else ""
    if (_sign(move), form) != (way.sign, way.form):
        return False
    return move.origin is None or _starts(move.origin, way)


def _starts(square: Square, way: Spelled) -> bool:
    return way.file in {-1, square[0]} and way.rank in {-1, square[1]}


def _sign(move: Move) -> str:
    if move.origin is None:
        return "@"
    return "x" if move.captures else ""


def _refuse(kind: str, message: str, text: str, hint: str) -> NoReturn:
    source = Source(text, "<move>")
    refuse(NotationError, kind, message, source, Span(0, max(len(text), 1)), hint)


def _refuse_unfit(game: Playing, text: str) -> NoReturn:
    """Say why a text in SAN is no legal move."""
    speller = _speller_of(game)
    names, (way, _) = speller.letters, speller.parts(text)
    if not isinstance(way, Spelled):
        message = "no castling to this side is possible now"
        refuse(IllegalMove, "pattern", message, Source(text, "<move>"))
    near = [
        move
        for move in game.legal_moves
        for loose in (way._replace(sign=_sign(move), form=names.get(move.promotes, "")),)
        if "@" not in {way.sign, loose.sign} and _fitting([move], names, loose)
    ]
    hint = f"write {' or '.join(write(game, move) for move in near[:4])}" if near else ""
    if near and way.sign != _sign(near[0]):
        there = "a piece" if near[0].captures else "nothing"
        _refuse("wrong-sign", f"{there} is captured on {game.name(way.target)}", text, hint)
    if near:
        what = f"no promotion to {way.form}" if way.form else "a promotion that is not written"
        _refuse("wrong-mark", f"this move has {what}", text, hint)
    _refuse_illegal(game, names, way, text)


def _refuse_illegal(game: Playing, names: dict[str, str], way: Spelled, text: str) -> NoReturn:
    source, target = Source(text, "<move>"), game.name(way.target)
    codes = [code for code, letter in names.items() if letter == way.letter]
    if way.sign == "@":
        starts = [f"{game.symbol(code)}*{target}" for code in codes]
    else:
        starts = [
            game.name(square) + target
            for square, (code, side) in game.pieces.items()
            if code in codes and side == game.turn and _starts(square, way)
        ]
    if not starts:
        message = f"the side to move has no such {way.letter} on the board"
        refuse(IllegalMove, "no-piece", message, source)
    name = game.variant.kind(codes[0]).name
    worst = hodges.worst_reason(game, starts, name, way.target)
    refuse(IllegalMove, worst.code if worst else "pattern", worst.words if worst else text, source)

"""A piece put into words and signs: its own notation, another one, another dialect, English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from alfil.errors import Finding, unknown_name
from alfil.piece import DEFAULT_DIALECT, NOTATIONS, AnyPiece, Piece, as_piece, read

if TYPE_CHECKING:
    from alfil.translation.translate import OnLoss

POLICIES = ("strict", "lossy", "escape")


@dataclass(frozen=True, slots=True)
class Translation:
    """A text in another notation or dialect; ``str()`` is the text alone.

    ``losses`` are the findings of what was left out, empty where the text is the same piece.
    ``dialect`` is that of Betza, of embedded Betza for Ħasínū.
    """

    text: str
    notation: Literal["betza", "hasinu"]
    dialect: str = DEFAULT_DIALECT
    losses: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def exact(self) -> bool:
        """Whether it is the same piece on every board."""
        return not self.losses


def write(piece: AnyPiece, notation: str | None = None, *, dialect: str | None = None) -> str:
    """The piece in canonical layout, in its own notation and dialect unless others are named.

    Another notation or dialect is a translation: the same piece on every board, or
    `TranslationLoss` with everything that cannot be said there. ``dialect`` is of Betza only.

    >>> write("afsW"), write("mfW"), write("FtR", "hasinu")
    ('afsW', 'fmW', '1×4dD &t n4dO')
    >>> write("fsK", dialect="fairy-stockfish"), write("[F?R]", dialect="classic")
    ('fF', 't[FR]')
    """
    piece = as_piece(piece)
    wanted = piece.notation if notation is None else notation
    if wanted not in NOTATIONS:
        unknown_name("unknown-notation", wanted, NOTATIONS)
    own = piece.dialect if piece.notation == "betza" else DEFAULT_DIALECT
    spoken = dialect or (own if wanted == piece.notation else DEFAULT_DIALECT)
    if wanted == piece.notation and (wanted == "hasinu" or spoken == piece.dialect):
        return _in_own_words(piece)
    return translate(piece, write=wanted, to_dialect=spoken).text


def _in_own_words(piece: Piece) -> str:
    if piece.notation == "betza":
        from alfil.notation.betza.writer import write_betza

        return write_betza(piece.tree, piece.dialect, piece.source)
    from alfil.notation.hasinu.writer import write_hasinu

    return write_hasinu(piece.tree)


def translate(
    piece: AnyPiece,
    *,
    write: str,
    read: str = "betza",
    dialect: str | None = None,
    to_dialect: str | None = None,
    on_loss: OnLoss = "strict",
) -> Translation:
    r"""The piece in another notation, or in another dialect of Betza.

    A text is read as ``read``, in ``dialect``; ``write`` is the notation to write, in
    ``to_dialect`` where that is Betza. What cannot be said is an error that lists all losses
    ("strict": `TranslationLoss`), is left out ("lossy": the result allows less, never more), or is
    embedded as Betza ("escape", for Ħasínū only). Without losses the result is the same piece on
    every board; that has been compared, not assumed. Raises also whatever reading and compiling
    raise.

    >>> translate("FtR", read="betza", write="hasinu").text
    '1×4dD &t n4dO'
    >>> lossy = translate("gQN", write="hasinu", on_loss="lossy")
    >>> lossy.text, [loss.kind for loss in lossy.losses]
    ('(1,2)', ['must-hop'])
    >>> translate("gQN", write="hasinu", on_loss="escape").text
    '(1,2) & \\gQ'
    >>> translate("fK", write="betza", to_dialect="fairy-stockfish").text
    'fW'
    """
    from alfil.translation.translate import translated

    if on_loss not in POLICIES or (on_loss == "escape" and write == "betza"):
        known = POLICIES[:2] if write == "betza" else POLICIES
        unknown_name("unknown-policy", on_loss, known)
    if write not in NOTATIONS:
        unknown_name("unknown-notation", write, NOTATIONS)
    given = _read(piece, read, dialect)
    spoken = to_dialect or DEFAULT_DIALECT
    text, losses = translated(given.tree, given.source, (write, spoken), on_loss)
    return Translation(text, "betza" if write == "betza" else "hasinu", spoken, losses)


def _read(piece: AnyPiece, notation: str, dialect: str | None) -> Piece:
    return read(piece, notation, dialect) if isinstance(piece, str) else as_piece(piece)


def describe(piece: AnyPiece) -> str:
    """How the piece moves, in plain English, as a rules page could put it.

    Directions are the mover's. Unless the words say otherwise the squares a move runs over are
    empty, a leap passes over anything, and a move ends on an empty square or captures an enemy.
    Descriptions that are alike are of the same piece. Raises whatever `read` raises.

    >>> describe("AD")
    'Leaps two squares orthogonally or diagonally.'
    >>> describe("FyafsF") == describe(read("1×4dD &t n4dO", notation="hasinu"))
    True
    """
    from alfil.notation.english import describe_tree

    return describe_tree(as_piece(piece).tree)

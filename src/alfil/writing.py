"""A piece put into words and signs: its own notation, another one, English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from alfil.errors import Finding, unknown_name
from alfil.notation.registry import DEFAULT_NOTATION, notation_called, notation_of
from alfil.piece import AnyPiece, Piece, as_piece, read

if TYPE_CHECKING:
    from alfil.translation.translate import OnLoss

POLICIES = ("strict", "lossy", "escape")


@dataclass(frozen=True, slots=True)
class Translation:
    """A text in another notation; ``str()`` is the text alone.

    ``losses`` are the findings of what was left out, empty where the text is the same piece.
    """

    text: str
    notation: str
    losses: tuple[Finding, ...] = ()

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
    own = notation_of(piece.tree)
    if notation is None or notation == own.name:
        return own.write(piece.tree, piece.source)
    return translate(piece, write=notation).text


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
    from alfil.translation.translate import translated

    wanted = notation_called(write)
    known = POLICIES if wanted.embeds else POLICIES[:2]
    if on_loss not in known:
        unknown_name("unknown-policy", on_loss, known)
    given = _read(piece, read, dialect) if isinstance(piece, str) else as_piece(piece)
    to = (wanted.folder, wanted.dialect or DEFAULT_NOTATION)
    text, losses = translated(given.tree, given.source, to, on_loss)
    return Translation(text, write, losses)


def _read(text: str, notation: str, dialect: str | None) -> Piece:
    """`read`, whose name is that of an argument of `translate`."""
    return read(text, notation, dialect=dialect)


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

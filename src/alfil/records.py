"""Games and matches written down: `save_match`, `load_match`, `write_feen` and the like."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from alfil.api import Piece, read, same
from alfil.errors import AlfilError, Finding, RecordError, expect, nearest
from alfil.library.files import bundled_names
from alfil.library.library import load
from alfil.play.game import Game
from alfil.play.records.files import Journal, read_source, save
from alfil.play.records.forms import write_feen, write_move
from alfil.play.records.record import Written, parse
from alfil.play.records.replaying import replay
from alfil.play.session import ANONYMOUS, Round, Session
from alfil.source import Span, plain

if TYPE_CHECKING:
    from alfil.game.variant import Variant
    from alfil.library.library import Library

__all__ = ["Journal", "load_game", "load_match", "read_match", "save_game", "save_match"]
__all__ += ["write_feen", "write_move"]


def save_match(session: Session, path: str | os.PathLike[str]) -> None:
    """Write the record of a match to a file; what was there stays where writing fails.

    Raises `AlfilError` where it cannot be written.
    """
    expect(session, Session, "a match is a Session")
    save(session, path)


def save_game(
    game: Game | Round,
    path: str | os.PathLike[str],
    players: tuple[str, str] = ANONYMOUS,
    date: str = "",
) -> None:
    """Write the record of one game to a file; what was there stays where writing fails.

    The date is that of a `Round` where one is given. Raises `AlfilError` where the record cannot
    be written.

    >>> import tempfile, alfil
    >>> game = alfil.load("hand_shogi").game()
    >>> _ = game.push("T*5e")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     alfil.records.save_game(game, f"{folder}/game.alfil", ("Ada", "Grace"))
    ...     alfil.records.load_game(f"{folder}/game.alfil").texts
    ['T*5e']
    """
    expect(game, (Game, Round), "a game is a Game or a Round")
    played = game if isinstance(game, Round) else Round.of(game, date)
    save(Session.of(played, players), path)


def load_match(
    path: str | os.PathLike[str], library: Library | None = None, *, recover: bool = False
) -> Session:
    """Read the record of a match and play it again, ready to be gone on with.

    ``library`` is the game it is of; the bundled one of its name, with the record's own moves for
    pieces, unless given. With ``recover`` a file that breaks off gives all games and moves that are
    whole, and ``lost`` says what was not. Raises `RecordError`, at the place in the file, for
    anything else that is wrong, an illegal move among it.
    """
    return _replayed(parse(read_source(path), recover=recover), library)


def read_match(text: str, library: Library | None = None, *, recover: bool = False) -> Session:
    """The match that the text of a record tells of, as `load_match` reads it from a file.

    >>> session = read_match("alfil record 1\\ngame: hand_shogi\\n\\nround 1\\n\\n1. T*5e\\nend\\n")
    >>> session.game.side, session.round.texts
    ('w', ['T*5e'])
    """
    expect(text, str, "a record is a text")
    return _replayed(parse(plain(text, "<record>"), recover=recover), library)


def _replayed(written: Written, library: Library | None) -> Session:
    variant = (library or _library(written)).variant
    taken = () if library else written.overrides
    return replay(_respelled(written, variant, taken), variant)


def _respelled(written: Written, variant: Variant, taken: Collection[str]) -> Written:
    """The record with the movements as the game spells them, where they are the same.

    Those ``taken`` from the record are.
    """
    for code, now in variant.moves:
        there = written.moves.get(code)
        if there and there.text != now and (code in taken or _is_same(there.text, now)):
            written.moves[code] = there._replace(text=" ".join(now.split()))
    return written


def _is_same(one: str, other: str) -> bool:
    try:
        return same(_piece(one), _piece(other))
    except AlfilError:
        return False


def _piece(spelled: str) -> Piece:
    """A movement from a record, such as betza:Q3 or xboard:Q3."""
    notation, _, text = spelled.partition(":")
    return read(text, notation)


def load_game(
    path: str | os.PathLike[str], library: Library | None = None, *, recover: bool = False
) -> Round:
    """Read the record of one game, as `load_match` does; a file of several is an error."""
    session = load_match(path, library, recover=recover)
    if len(session.rounds) > 1:
        message = f"this record has {len(session.rounds)} games"
        source = read_source(path)
        finding = Finding("several-games", message, (Span(0, 1),), "load_match reads them all")
        raise RecordError([finding], source)
    return session.round


def _library(written: Written) -> Library:
    """The bundled game of a record, with the moves that its players gave to pieces."""
    name, span = written.fields["game"]
    if name not in bundled_names():
        message = f"no set of pieces is called {name}"
        hint = f"give the game with it: library=alfil.load(…); or {nearest(name, bundled_names())}"
        raise RecordError([Finding("unknown-set", message, (span,), hint)], written.source)
    given = {code: written.moves[code] for code in written.overrides}
    try:
        return load(name, {code: move.text for code, move in given.items()})
    except AlfilError as error:
        named = (error.source.name, error.source.text)
        here = (move.span for code, move in given.items() if {f"<piece {code}>", code} & {*named})
        at = next(here, span)
        findings = [replace(each, spans=(at,)) for each in error.findings]
        raise RecordError(findings, written.source) from None

"""Games and matches written down: `save_match`, `load_match`, `write_feen` and the like."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from alfil.api import Piece, read, same
from alfil.errors import AlfilError, Finding, RecordError, expect, nearest, refuse, unknown_name
from alfil.library.files import bundled_names
from alfil.library.library import load
from alfil.play.game import Game
from alfil.play.records.files import Journal, read_source, save
from alfil.play.records.formats import FORMATS, Format, format_of
from alfil.play.records.forms import write_feen, write_move
from alfil.play.records.record import ON, Value, Written, parse
from alfil.play.records.replaying import Reader, read_own, replay
from alfil.play.session import ANONYMOUS, Round, Session
from alfil.source import Source, Span, plain

if TYPE_CHECKING:
    from alfil.game.variant import Variant
    from alfil.library.library import Library

__all__ = ["FORMATS", "Journal", "load_game", "load_games", "load_match", "losses"]
__all__ += [
    "read_games",
    "read_match",
    "save_game",
    "save_match",
    "write_feen",
    "write_games",
    "write_move",
]


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


def load_games(
    path: str | os.PathLike[str], library: Library | None = None, *, form: str = ""
) -> tuple[Session, ...]:
    """Read all games of a file, each as a match of its own, as `read_games` does."""
    return _games(read_source(path), library, form)


def read_games(text: str, library: Library | None = None, *, form: str = "") -> tuple[Session, ...]:
    """All games of a text in any of the `FORMATS`, each as a match of its own.

    ``form`` is the name of the format, which the text itself tells unless given; ``library`` is the
    game, the bundled one that the text names unless given. A record of alfil's own is one match,
    whose games stay together. ``notes`` of a match say what was left out. Variations are kept in
    `Round.variations`, marks of PGN in `Round.nags`.
    Raises `RecordError`, at the place in the text, for all that is wrong, an illegal move among it.

    >>> (game,) = read_games("1. f3 e5 2. g4 $2 (2. e4) 2... Qh4# 0-1")
    >>> game.round.texts, game.game.outcome().reason, game.round.nags
    (['P-f3', 'P-e5', 'P-g4', 'Q-h4'], 'mate', {3: [2]})
    >>> game.round.variations[3][0].texts
    ['P-e4']
    """
    expect(text, str, "a record is a text")
    return _games(plain(text, "<record>"), library, form)


def write_games(
    games: Session | Round | Game | Iterable[Session | Round | Game], form: str = "pgn"
) -> str:
    """The text of games in one of the `FORMATS`; several matches stand one after the other.

    A `Game` or a `Round` is written as a match of which it is the only one.
    A record of alfil's own (hodges) is of one match. What a format has no place for is left out,
    and `losses` names it. Raises `AlfilError` for other formats, and for a game that a format has
    no words for.

    >>> import alfil
    >>> game = Session(alfil.load("chess").variant, ("Ada", "Grace"))
    >>> _ = game.push("e4"), game.comment("the usual move"), game.push("e5")
    >>> print(write_games(game).split("\\n\\n")[1].strip())
    1. e4 {the usual move} 1... e5 *
    """
    how, listed = _format(form), _matches(games)
    if len(listed) != 1 and form == "hodges":
        message, hint = f"a record is of one match, not of {len(listed)}", "write each by itself"
        refuse(RecordError, "several-games", message, Source("", "<record>"), Span(0, 1), hint)
    return how.between.join(map(how.write, listed))


def losses(
    games: Session | Round | Game | Iterable[Session | Round | Game], form: str = "pgn"
) -> tuple[Finding, ...]:
    """What of games one of the `FORMATS` has no place for, so that `write_games` leaves it out.

    >>> (game,) = read_games("1. e4 (1. d4) 1... e5! *")
    >>> [each.message for each in losses(game, "csa")], losses(game, "hodges")
    (['csa has no variations (1), marks (1)'], ())
    """
    how, listed = _format(form), _matches(games)
    told = [", ".join(f"{name} ({n})" for name, n in how.losses(each).items()) for each in listed]
    messages = [f"{form} has no {words}" for words in told if words]
    return tuple(Finding("left-out", each, (Span(0, 1),), severity="note") for each in messages)


def _matches(games: Session | Round | Game | Iterable[Session | Round | Game]) -> list[Session]:
    given = [games] if isinstance(games, (Session, Round, Game)) else [*games]
    return [*map(_match, given)]


def _match(played: Session | Round | Game) -> Session:
    expect(played, (Session, Round, Game), "a match is a Session, a game a Game or a Round")
    if isinstance(played, Session):
        return played
    return Session.of(played if isinstance(played, Round) else Round.of(played))


def _format(form: str) -> Format:
    found = FORMATS.get(form)
    return found or unknown_name("unknown-form", form, FORMATS)


def _games(source: Source, library: Library | None, form: str) -> tuple[Session, ...]:
    found = []
    for each in each_game(source, library, form):
        if isinstance(each, RecordError):
            raise each
        found.append(each)
    return tuple(found)


def each_game(
    source: Source, library: Library | None = None, form: str = ""
) -> Iterator[Session | RecordError]:
    """The matches of a text one after the other, as `read_games` has them, or what is wrong.

    After a mistake the next one is read. Raises `RecordError` for a text that is no record.
    """
    how = _format(form) if form else format_of(source)
    for written in how.parse(source):
        try:
            yield _played(written, library, how)
        except RecordError as error:
            yield error


def _played(written: Written, library: Library | None, how: Format) -> Session:
    if how.read is read_own:
        return _replayed(written, library)
    game = library or load(_named(written, how))
    place = written.fields.get("game", Value("", Span(0, 1)))
    written.fields["game"] = Value(game.variant.name, place.span)
    return _unclaimed(written, game.variant, how.read)


def _named(written: Written, how: Format) -> str:
    """The bundled game that a record of another program names."""
    name, span = written.fields["game"]
    found = _bundled().get(_fold(name or how.usual))
    if found is None:
        message = f"no game of alfil's is called {name}"
        hint = "give the game with it: library=alfil.load(…)"
        raise RecordError([Finding("unknown-set", message, (span,), hint)], written.source)
    return found


@cache
def _bundled() -> dict[str, str]:
    """The bundled sets, by their names as those are compared."""
    return {_fold(each): each for each in bundled_names()}


def _fold(name: str) -> str:
    return "".join(each for each in name.lower() if each.isalnum())


def _unclaimed(written: Written, variant: Variant, read: Reader) -> Session:
    """The game played again; people play on after a repetition that nobody claims."""
    try:
        return replay(written, variant, read)
    except RecordError as error:
        if error.kind not in {"game-over", "record-result"}:
            raise
        (span,) = error.findings[0].spans
        for each in written.rounds:
            each.fields["claims"] = Value(ON, span)
        found = replay(written, variant, read)
        message = (
            "nobody claimed the end that the rules have here: read as a game that was played on"
        )
        found.notes += (Finding("unclaimed", message, (span,), severity="note"),)
        return found


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

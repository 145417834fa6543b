"""Games and matches written down: `save_match`, `load_match`, `write_feen` and the like."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from alfil.api import Piece, read, same
from alfil.errors import (
    AlfilError,
    Diagnostic,
    RecordError,
    did_you_mean_or_list,
    reject,
    reject_unknown_name,
    require_type,
)
from alfil.game.moves import ObstacleBudget
from alfil.library.file_locations import bundled_set_names, split_name_and_reading
from alfil.library.library import load
from alfil.play.game import Game
from alfil.play.records.move_notations import write_feen, write_move
from alfil.play.records.own_format import (
    PLAYED_ON,
    LocatedText,
    ParsedRecord,
    WrongVariationBudget,
    parse,
)
from alfil.play.records.record_files import Journal, read_source, save_in_own_format
from alfil.play.records.record_formats import FORMATS, RecordFormat, format_of
from alfil.play.records.replay import Reader, read_own_format_move, replay_record
from alfil.play.session import UNKNOWN_PLAYERS, Round, Session
from alfil.source import Source, Span, source_of_file_text

if TYPE_CHECKING:
    from alfil.game.variant import Variant
    from alfil.library.library import Library

# How many games a text may have, and for how many characters one more.
MOST_GAMES, GAME_LENGTH = 1000, 50
# For so many illegal moves of a text it is looked for what is in their way.
MOST_OBSTACLES = 100

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
    require_type(session, Session, "a match is a Session")
    save_in_own_format(session, path)


def save_game(
    game: Game | Round,
    path: str | os.PathLike[str],
    players: tuple[str, str] = UNKNOWN_PLAYERS,
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
    require_type(game, (Game, Round), "a game is a Game or a Round")
    played = game if isinstance(game, Round) else Round.of(game, date)
    save_in_own_format(Session.of(played, players), path)


def load_match(
    path: str | os.PathLike[str], library: Library | None = None, *, recover: bool = False
) -> Session:
    """Read the record of a match and play it again, ready to be gone on with.

    ``library`` is the game it is of; the bundled one of its name, with the record's own moves for
    pieces, unless given. With ``recover`` a file that breaks off gives all games and moves that are
    whole, and ``lost`` says what was not. Raises `RecordError`, at the place in the file, for
    anything else that is wrong, an illegal move among it.
    """
    return _replay(parse(read_source(path), recover=recover), library)


def read_match(text: str, library: Library | None = None, *, recover: bool = False) -> Session:
    """The match that the text of a record tells of, as `load_match` reads it from a file.

    >>> session = read_match("alfil record 1\\ngame: hand_shogi\\n\\nround 1\\n\\n1. T*5e\\nend\\n")
    >>> session.game.turn, session.round.texts
    ('w', ['T*5e'])
    """
    require_type(text, str, "a record is a text")
    return _replay(parse(source_of_file_text(text, "<record>"), recover=recover), library)


def load_games(
    path: str | os.PathLike[str], library: Library | None = None, *, form: str = ""
) -> tuple[Session, ...]:
    """Read all games of a file, each as a match of its own, as `read_games` does."""
    return _read_all_games(read_source(path), library, form)


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
    require_type(text, str, "a record is a text")
    return _read_all_games(source_of_file_text(text, "<record>"), library, form)


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
    how, sessions = _format_by_name(form), _as_sessions(games)
    if len(sessions) != 1 and form == "hodges":
        message, hint = f"a record is of one match, not of {len(sessions)}", "write each by itself"
        reject(RecordError, "several-games", message, Source("", "<record>"), Span(0, 1), hint)
    return how.separator.join(map(how.write, sessions))


def losses(
    games: Session | Round | Game | Iterable[Session | Round | Game], form: str = "pgn"
) -> tuple[Diagnostic, ...]:
    """What of games one of the `FORMATS` has no place for, so that `write_games` leaves it out.

    >>> (game,) = read_games("1. e4 (1. d4) 1... e5! *")
    >>> [each.message for each in losses(game, "csa")], losses(game, "hodges")
    (['csa has no place for variations (1), marks (1)'], ())
    """
    how, sessions = _format_by_name(form), _as_sessions(games)
    omissions = [
        ", ".join(f"{name} ({n})" for name, n in how.losses(each).items()) for each in sessions
    ]
    messages = [f"{form} has no place for {words}" for words in omissions if words]
    return tuple(Diagnostic("left-out", each, (Span(0, 1),), severity="note") for each in messages)


def _as_sessions(games: Session | Round | Game | Iterable[Session | Round | Game]) -> list[Session]:
    sessions = [games] if isinstance(games, (Session, Round, Game)) else [*games]
    return [*map(_as_session, sessions)]


def _as_session(played: Session | Round | Game) -> Session:
    require_type(played, (Session, Round, Game), "a match is a Session, a game a Game or a Round")
    if isinstance(played, Session):
        return played
    return Session.of(played if isinstance(played, Round) else Round.of(played))


def _format_by_name(form: str) -> RecordFormat:
    result = FORMATS.get(form)
    return result or reject_unknown_name("unknown-form", form, FORMATS)


def _read_all_games(source: Source, library: Library | None, form: str) -> tuple[Session, ...]:
    result: list[Session] = []
    for each in each_match_or_error(source, library, form):
        if isinstance(each, RecordError):
            raise each
        result.append(each)
    return tuple(result)


def each_match_or_error(
    source: Source, library: Library | None = None, form: str = "", *, recover: bool = False
) -> Iterator[Session | RecordError]:
    """The matches of a text one after the other, as `read_games` has them, or what is wrong.

    After a mistake the next one is read. With ``recover`` a record that breaks off gives what is
    whole of it, in PGN and alfil's own format. Raises `RecordError` for a text that is no record.
    """
    how = _format_by_name(form) if form else format_of(source)
    parse_text = (how.parse_whole if recover else None) or how.parse
    obstacles, previous = ObstacleBudget(MOST_OBSTACLES), None
    for written in _limit_game_count(parse_text(source), source):
        try:
            with obstacles.limit():
                session = _session_of(written, library, how)
        except RecordError as error:
            yield error
        else:
            if previous:
                previous.game._release_engine_memory()
            yield session
            previous = session


def _limit_game_count(parsed: Iterable[ParsedRecord], source: Source) -> Iterator[ParsedRecord]:
    """The games of a text; raises `RecordError` where there are more than a text so long has."""
    most = MOST_GAMES + len(source.text) // GAME_LENGTH
    wrong_variations = WrongVariationBudget(source)
    for count, written in enumerate(parsed, 1):
        written.wrong_variations = wrong_variations
        if count > most:
            message = f"a text of so few characters may have {most} games"
            span = written.rounds[0].span if written.rounds else Span(0, 1)
            hint = "divide the text, or leave out games without moves"
            reject(RecordError, "too-much-work", message, source, span, hint)
        yield written


def _session_of(
    parsed: ParsedRecord, library: Library | None, record_format: RecordFormat
) -> Session:
    if record_format.read is read_own_format_move:
        return _replay(parsed, library)
    game = library or load(_bundled_game_name(parsed, record_format))
    place = parsed.fields.get("game", LocatedText("", Span(0, 1)))
    parsed.fields["game"] = LocatedText(game.variant.name, place.span)
    return _replay_past_unclaimed_end(parsed, game.variant, record_format.read)


def _bundled_game_name(parsed: ParsedRecord, record_format: RecordFormat) -> str:
    """The bundled game that a record of another program names."""
    name, span = parsed.fields["game"]
    result = _bundled_sets_by_folded_name().get(_folded_name(name or record_format.default_variant))
    if result is None:
        message = f"no game of alfil's is called {name}"
        hint = "name the game it is of"
        reject(RecordError, "unknown-set", message, parsed.source, span, hint)
    return result


@cache
def _bundled_sets_by_folded_name() -> dict[str, str]:
    """The bundled sets, by their names as those are compared."""
    return {_folded_name(each): each for each in bundled_set_names()}


def _folded_name(name: str) -> str:
    return "".join(each for each in name.lower() if each.isalnum())


def _replay_past_unclaimed_end(parsed: ParsedRecord, variant: Variant, read: Reader) -> Session:
    """The game played again; people play on after a repetition that nobody claims."""
    wrong_left = parsed.wrong_variations.left
    try:
        return replay_record(parsed, variant, read)
    except RecordError as error:
        if error.kind not in {"game-over", "record-result"}:
            raise
        (span,) = error.first_error.spans
        parsed.wrong_variations.left = wrong_left
        for each in parsed.rounds:
            each.fields["claims"] = LocatedText(PLAYED_ON, span)
        result = replay_record(parsed, variant, read)
        message = (
            "nobody claimed the end that the rules have here: read as a game that was played on"
        )
        result.notes += (Diagnostic("unclaimed", message, (span,), severity="note"),)
        return result


def _replay(parsed: ParsedRecord, library: Library | None) -> Session:
    variant = (library or _bundled_library_with_overrides(parsed)).variant
    taken = () if library else parsed.overrides
    respelled = _respell_movements(parsed, variant, taken)
    with ObstacleBudget(MOST_OBSTACLES).limit():
        return replay_record(respelled, variant)


def _respell_movements(
    parsed: ParsedRecord, variant: Variant, overridden_codes: Collection[str]
) -> ParsedRecord:
    """The record with the movements as the game spells them, where they are the same.

    Those of ``overridden_codes`` came from the record, so they are.
    """
    for code, now in variant.moves:
        there = parsed.moves.get(code)
        if (
            there
            and there.text != now
            and (code in overridden_codes or _is_same_piece_movement(there.text, now))
        ):
            parsed.moves[code] = there._replace(text=" ".join(now.split()))
    return parsed


def _is_same_piece_movement(one: str, other: str) -> bool:
    try:
        return same(_parse_movement(one), _parse_movement(other))
    except AlfilError:
        return False


def _parse_movement(spelled: str) -> Piece:
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
        hint = "load_match reads them all"
        reject(RecordError, "several-games", message, read_source(path), Span(0, 1), hint)
    return session.round


def _bundled_library_with_overrides(parsed: ParsedRecord) -> Library:
    """The bundled game of a record, with the moves that its players gave to pieces."""
    name, span = parsed.fields["game"]
    if split_name_and_reading(name)[0] not in bundled_set_names():
        message = f"no set of pieces is called {name}"
        hint = f"name the game it is of; {did_you_mean_or_list(name, bundled_set_names())}"
        reject(RecordError, "unknown-set", message, parsed.source, span, hint)
    moves_given = {code: parsed.moves[code] for code in parsed.overrides}
    try:
        return load(name, {code: move.text for code, move in moves_given.items()})
    except AlfilError as error:
        name_span = (error.source.name, error.source.text)
        here = (
            move.span
            for code, move in moves_given.items()
            if {f"<piece {code}>", code} & {*name_span}
        )
        at = next(here, span)
        diagnostics = [replace(each, spans=(at,)) for each in error.diagnostics]
        raise RecordError(diagnostics, parsed.source) from None

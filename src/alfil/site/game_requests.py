"""What pages ask about games: where a game stands after some moves, why a move is illegal, a reply.

A game is told by its source, {"name": of a bundled one}, {"text": of a piece file} or {"mate": a
piece to mate a lone king with}, the position it began with (empty for the usual one) and the moves
made since, as texts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from alfil.api import describe
from alfil.diagrams.board_ground import ground_svg
from alfil.diagrams.diagram_model import PieceToken
from alfil.diagrams.piece_figures import piece_svg
from alfil.errors import AlfilError, Diagnostic, RuleError, plural
from alfil.game.compiled_variant import compile_variant
from alfil.game.moves import Move
from alfil.library.diagrams import piece_tokens_of_file
from alfil.library.file_locations import FileLocation, find_file
from alfil.library.file_report import check_file
from alfil.library.library import Library
from alfil.library.rules_page import pictures_by_suffix, rules_page
from alfil.play.diagrams import variant_ground
from alfil.play.game import Game
from alfil.play.opponent import Analysis, Opponent, PieceValues
from alfil.play.outcomes import Outcome
from alfil.play.records import hodges, san
from alfil.play.session import Round, Session
from alfil.play.tablebase import Tablebase
from alfil.records import FORMATS, read_games, read_match, write_games
from alfil.site.markdown_to_html import markdown_to_html
from alfil.site.mate_trainer import (
    MATE,
    NOTATION,
    ending_piece_file,
    random_winning_position,
    solve_ending,
    white_moves_to_mate,
)
from alfil.site.request_arguments import reject_request
from alfil.source import Source as FileSource
from alfil.source import source_of_file_text

Json: TypeAlias = dict[str, object]
Source: TypeAlias = dict[str, str]


class _OpponentLevel(NamedTuple):
    """How far the opponent looks ahead, at how many positions, and how far it errs (`variety`)."""

    depth: int
    nodes: int
    variety: int | None = None


# The last of them takes about a second in a browser.
LEVELS = (
    _OpponentLevel(1, 200, variety=400),
    _OpponentLevel(2, 1_000, variety=200),
    _OpponentLevel(3, 5_000, variety=100),
    _OpponentLevel(4, 20_000),
    _OpponentLevel(6, 60_000),
    _OpponentLevel(60, 150_000),
)
REASONS = {
    "mate": "checkmate",
    "stalemate": "no move left",
    "king-capture": "the king was captured",
    "goal": "the goal was reached",
    "checks": "enough checks",
    "bare": "a side has too few pieces",
    "extinction": "a side has lost its last piece of a kind",
    "pass": "both sides have passed",
    "facing": "the generals face each other",
    "move-limit": "nobody got on for too long",
    "countdown": "there was no mate in time",
    "unstated": "no reason is given",
    "insufficient-material": "neither side can mate any more",
}

# What a player builds after a move is called so.
WALLS = {"arrow": "arrow", "duck": "duck"}

# The formats that a game may be saved in; a game that one has no words for is not offered it.
FORMS = ("pgn", "kif", "csa", "hodges")

# What a page may take for the moves of a game, and what that is for a piece, a square it is on and
# one it aims at.
PAGE_BYTES, PAGE_BYTES_PER_AIM = 1 << 30, 8
TOO_LARGE, TERMINAL = "is too large for a page", "play it in the terminal, with alfil play"


class _CachedGame(NamedTuple):
    """The game that was asked about last, with its moves as players write them."""

    source: Source
    start: str
    round: Round
    texts: list[str]


_current: dict[str, _CachedGame] = {}


def game_setup(source: Source) -> Json:
    """What stays as it is while a game is played: board, sides, pieces; and what was found."""
    reading = _read_game(json.dumps(source))
    result, library = [*map(reading.diagnostic_with_line, reading.diagnostics)], reading.library
    if library is None:
        return {"diagnostics": result}
    game = _game_at_start(source, library)
    tokens = piece_tokens_of_file(library)
    ground = variant_ground(library.variant)
    files, ranks = library.files, library.ranks
    return {
        "diagnostics": result,
        "title": library.heading,
        "files": files,
        "ranks": ranks,
        "shogi": library.coordinates == "shogi",
        "ground": ground_svg(ground, files, ranks, 100),
        "onPoints": ground.kind == "points",
        "sides": library.rules.side_names,
        "letters": "".join(library.rules.side_letters),
        "hands": any(library.hands) or library.rules.drops != "no",
        "army": [[*each, number] for each, number in Counter(game.pieces.values()).items()],
        "wall": WALLS.get(library.rules.wall, "wall"),
        "forms": [*_record_formats_for(game)],
        "pieces": {
            code: {
                "name": library[code].name if code in library else code,
                "letter": game.symbol(code),
                "symbols": [game.symbol(code, side) for side in (0, 1)],
                **_token_drawings(token),
            }
            for code, token in tokens.items()
        },
    }


def _token_drawings(token: PieceToken) -> Json:
    """A piece of either side, or of both alike, and whether it points where its side plays.

    If it does, it is drawn facing up, and ``down`` is what is more than turning that.
    """
    wedge = token.shape == "wedge"
    up = [piece_svg(token, side, from_behind=wedge and side == 1) for side in (0, 1)]
    down = [] if token.kanji else [piece_svg(token, 1)]
    return {
        "drawn": up if up[0] != up[1] else up[:1],
        "points": wedge,
        "down": down[0] if wedge and down else "",
    }


def _record_formats_for(game: Game) -> Iterator[str]:
    """The formats that have words for a game."""
    for form in FORMS:
        with suppress(AlfilError):
            write_games(game, form)
            yield form


def _game_at_start(source: Source, library: Library, start: str = "") -> Game:
    """A game from a position, or from the usual one."""
    if MATE in source and not start:
        start = random_winning_position(library, _solved_ending(json.dumps(source)), 0)
    return library.game(start or None)


def winning_start_position(source: Source, seed: int) -> Json:
    """A position from which a lone king is mated, another for each seed."""
    library = _library_of(json.dumps(source))
    return {"start": random_winning_position(library, _solved_ending(json.dumps(source)), seed)}


def game_state(source: Source, start: str, moves: Sequence[str]) -> Json:
    """Where the game stands, and every legal move of it."""
    played = _game_after_moves(source, start, moves)
    game, files = played.round.game, played.round.game.variant.files
    outcome, last = game.outcome(), (game.moves[-1:] or (None,))[0]
    check = game.is_check()
    squares = [] if last is None else [last.origin, last.target, last.wall, *(last.partner or ())]

    def number(square: tuple[int, int]) -> int:
        return square[1] * files + square[0]

    return {
        "turn": game.side_to_move,
        "checked": [
            number(at)
            for at, (code, side) in game.pieces.items()
            if check and side == game.side_to_move and game.variant.kind(code).royal
        ],
        "check": check,
        "pieces": [[number(at), code, side] for at, (code, side) in game.pieces.items()],
        "walls": [*map(number, game.walls)],
        "hands": [[*hand.items()] for hand in game.hands],
        "moves": [_move_data(move, number) for move in game.legal_moves],
        "last": [number(each) for each in squares if each is not None],
        "record": played.texts,
        "position": _position_text(game),
        "outcome": outcome and _outcome_data(outcome, game),
        "mate": _moves_to_mate(source, game),
    }


def _moves_to_mate(source: Source, game: Game) -> int | None:
    """What is left until a lone king is mated, 0 where nothing forces that; None in other games."""
    return white_moves_to_mate(_solved_ending(json.dumps(source)), game) if MATE in source else None


def _position_text(game: Game) -> str:
    """The position as FEN where a game has one, else as SFEN."""
    with suppress(RuleError):
        return game.fen()
    return game.position_text()


def _move_data(move: Move, number: Callable[[tuple[int, int]], int]) -> Json:
    return {
        "text": move.text,
        "from": None if move.origin is None else number(move.origin),
        "code": move.code,
        "to": number(move.target),
        "becomes": move.promotes,
        "takes": [number(each) for each in move.captures],
        "wall": None if move.wall is None else number(move.wall),
        "leaves": move.gated and [move.gated[0], number(move.gated[1])],
    }


def _outcome_data(outcome: Outcome, game: Game) -> Json:
    rules = game.variant.rules
    sides = dict(zip(rules.side_letters, rules.side_names, strict=True))
    return {
        "winner": sides.get(outcome.winner or "", ""),
        "reason": REASONS.get(outcome.reason, outcome.reason.replace("-", " ")),
    }


def explain_illegal_move(source: Source, start: str, moves: Sequence[str], text: str) -> Json:
    """Why a move is illegal, in words; nothing for a legal one."""
    result = _game_after_moves(source, start, moves).round.game.why_illegal(text)
    return {"why": result.words if result else ""}


def piece_moves_in_words(source: Source, code: str) -> Json:
    """How a piece of the game moves, in words; empty for one that is not in its file."""
    library = _library_of(json.dumps(source))
    return {"words": describe(library[code]) if code in library else ""}


def opponent_reply(
    source: Source, start: str, moves: Sequence[str], level: int, seed: int = 0
) -> Json:
    """The move that the opponent makes at a level, 1 or more; it plays otherwise by each seed."""
    if not 1 <= level <= len(LEVELS):
        reject_request(f"the opponent has levels from 1 to {len(LEVELS)}, not {level}")
    game = _game_after_moves(source, start, moves).round.game
    opponent = _opponent_of_level(source, seed, LEVELS[level - 1])
    return {"text": str(opponent.choose(game))}


def suggested_move(source: Source, start: str, moves: Sequence[str]) -> Json:
    """The move that the opponent would make at its best, and who stands better."""
    game = _game_after_moves(source, start, moves).round.game
    found = _opponent_of_level(source, 0, LEVELS[-1]).analyse(game)
    return {"text": str(found.move), "verdict": _score_in_words(found, game)}


def _score_in_words(analysis: Analysis, game: Game) -> str:
    """Who stands better, in words.

    What a little is, and much, is measured by the piece that is worth least. Nothing is said where
    pieces never move.
    """
    ahead = analysis.mate or analysis.score
    side = game.side_to_move if ahead > 0 else 1 - game.side_to_move
    name = game.variant.rules.side_names[side].capitalize()
    if analysis.mate:
        count = (abs(analysis.mate) + 1) // 2
        return f"{name} wins in {count} {plural('move', count)}."
    worth = [abs(each) for each in PieceValues(compile_variant(game.variant), 0, noise=0).hand]
    unit = min(filter(None, worth), default=0)
    if not unit:
        return ""
    if abs(analysis.score) < unit / 2:
        return "Neither side stands better."
    much = "a little better" if abs(analysis.score) < 2 * unit else "better"
    return f"{name} {'is winning' if abs(analysis.score) > 5 * unit else f'stands {much}'}."


def record_text(source: Source, start: str, moves: Sequence[str], form: str) -> Json:
    """The game as the text of a record in one of `FORMS`."""
    played = _game_after_moves(source, start, moves).round
    return {"text": write_games(Session.of(played, ("", "")), form)}


def game_from_record(source: Source, text: str) -> Json:
    """The first game of a record in any format, as a start and moves."""
    library = _library_of(json.dumps(source))
    own = FORMATS["hodges"].signature.match(text)
    session = read_match(text, library, recover=True) if own else read_games(text, library)[0]
    first = session.rounds[0]
    return {"start": first.start, "moves": [str(each) for each in first.game.moves]}


def rules_html(source: Source) -> Json:
    """The rules of a game as HTML, with its pictures."""
    library = _library_of(json.dumps(source))
    pictures = {f"game{end}": made.decode() for end, made in pictures_by_suffix(library).items()}
    return {"html": markdown_to_html(rules_page(library, pictures="game")), "pictures": pictures}


class _GameFileReport(NamedTuple):
    """What is found in the file of a game, and the game where nothing is wrong."""

    source: FileSource
    diagnostics: tuple[Diagnostic, ...]
    library: Library | None

    def diagnostic_with_line(self, diagnostic: Diagnostic) -> Json:
        """A diagnostic as the page shows it beside the file."""
        at = [self.source.position(each.start).line for each in diagnostic.spans]
        return {
            "line": at[0] if at else 1,
            "severity": diagnostic.severity,
            "kind": diagnostic.kind,
            "message": diagnostic.message,
            "hint": diagnostic.hint,
        }


@lru_cache(maxsize=4)
def _read_game(source: str) -> _GameFileReport:
    """A game by its source as JSON."""
    source_data: Source = json.loads(source)
    if "name" in source_data:
        place = find_file(source_data["name"])
    else:
        text = source_data.get("text", "")
        if MATE in source_data:
            text = ending_piece_file(source_data[MATE], source_data.get(NOTATION, ""))
        place = FileLocation("game", source_of_file_text(text, "game.pieces"), "text")
    report = check_file(place)
    diagnostics = [each for each in report.diagnostics if each.severity != "note"]
    library = report.library
    if library and not fits_in_browser_memory(library):
        message = f"{library.heading} {TOO_LARGE}"
        diagnostics.append(Diagnostic("board-size", message, (), TERMINAL))
    wrong = any(each.severity == "error" for each in diagnostics)
    return _GameFileReport(report.source, tuple(diagnostics), None if wrong else library)


def _library_of(source: str) -> Library:
    """A game that can be played, by its source as JSON; `RuleError` with all that is wrong in it.

    The page shows a setup first, so that it has said this already.
    """
    reading = _read_game(source)
    if reading.library is None:
        raise RuleError(reading.diagnostics, reading.source)
    return reading.library


def fits_in_browser_memory(library: Library) -> bool:
    """Whether a page has the memory to play a game."""
    squares = library.files * library.ranks
    return PAGE_BYTES_PER_AIM * len(library.pieces) * squares**2 < PAGE_BYTES


@lru_cache(maxsize=2)
def _solved_ending(source: str) -> Tablebase:
    """The ending in which a lone king is mated, solved, by its source as JSON."""
    library = _library_of(source)
    return solve_ending(library)


def _game_after_moves(source: Source, start: str, moves: Sequence[str]) -> _CachedGame:
    """The game after these moves; the last one that was asked about is gone on with."""
    move_texts = [*moves]
    played = _current.get("game")
    if played is None or played[:2] != (source, start):
        library = _library_of(json.dumps(source))
        played = _CachedGame(
            source, start, Round(_game_at_start(source, library, start), start), []
        )
    _current.clear()
    made = [str(each) for each in played.round.game.moves]
    while made != move_texts[: len(made)]:
        played.round.pop()
        made.pop()
    del played.texts[len(made) :]
    game = played.round.game
    write = san.write if game.variant.rules.coordinates == "chess" else hodges.write
    for text in move_texts[len(made) :]:
        move = game.read_move(text)
        played.texts.append(write(game, move))
        played.round.push(move)
    _current["game"] = played
    return played


def _opponent_of_level(source: Source, seed: int, level: _OpponentLevel) -> Opponent:
    opponent = _cached_opponent(json.dumps(source), seed, level.variety)
    opponent.depth, opponent.nodes = level.depth, level.nodes
    return opponent


@lru_cache(maxsize=2)
def _cached_opponent(source: str, seed: int, variety: int | None) -> Opponent:
    library = _library_of(source)
    table = _solved_ending(source) if MATE in json.loads(source) else None
    return Opponent(library.variant, seed=seed, tablebase=table, variety=variety)


def warm_up() -> None:
    """Ask one of each kind."""
    source = {"name": "minishogi"}
    game_setup(source)
    game_state(source, "", ["1e1c"])
    opponent_reply(source, "", [], 1)
    suggested_move(source, "", [])
    game_from_record(source, str(record_text(source, "", ["1e1c"], "hodges")["text"]))
    explain_illegal_move(source, "", [], "1e1a")
    piece_moves_in_words(source, "K")
    rules_html(source)
    game_setup({MATE: "R"})


CALLS: dict[str, Callable[..., Json]] = {
    "setup": game_setup,
    "state": game_state,
    "why": explain_illegal_move,
    "moves": piece_moves_in_words,
    "reply": opponent_reply,
    "advice": suggested_move,
    "ending": winning_start_position,
    "record": record_text,
    "replayed": game_from_record,
    "rules": rules_html,
}

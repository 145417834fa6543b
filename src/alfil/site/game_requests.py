"""What pages ask about games: where a game stands after some moves, why a move is illegal, a reply.

A game is told by its source, {"name": of a bundled one} or {"text": of a piece file}, the position
it began with (empty for the usual one) and the moves made since, as texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from alfil.diagrams.piece_figures import piece_svg
from alfil.game.moves import Move
from alfil.library.diagrams import tokens_of_file
from alfil.library.file_report import check_file
from alfil.library.files import FileLocation, find_file
from alfil.library.library import Library, loads
from alfil.library.rules_page import pictures_of, rules_page
from alfil.play.game import Game
from alfil.play.opponent import Opponent
from alfil.play.outcome import Outcome
from alfil.play.records.own_format import render
from alfil.play.session import Round, Session
from alfil.records import read_match
from alfil.site.markup import in_html
from alfil.source import plain

Json: TypeAlias = dict[str, object]
Source: TypeAlias = dict[str, str]

# How far the opponent looks, and for how many seconds where the engine does not serve.
STRENGTHS = {"quick": (3, 2.0), "strong": (6, 8.0)}
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

_current: dict[str, tuple[Source, str, Round]] = {}


def setup(source: Source) -> Json:
    """What stays as it is while a game is played: board, sides, pieces; and what was found."""
    diagnostics, library = _read_game(json.dumps(source))
    result: list[Json] = [*diagnostics]
    if library is None:
        return {"diagnostics": result}
    game = library.game()
    tokens = tokens_of_file(library)
    black = library.rules.first == "black"
    return {
        "diagnostics": result,
        "title": library.heading,
        "files": library.files,
        "ranks": library.ranks,
        "shogi": black,
        "sides": ["black", "white"] if black else ["white", "black"],
        "hands": any(library.hands) or library.rules.drops != "no",
        "wall": WALLS.get(library.rules.wall, "wall"),
        "pieces": {
            code: {
                "name": library[code].name if code in library else code,
                "letter": game.symbol(code),
                "drawn": [piece_svg(token, side) for side in (0, 1)],
            }
            for code, token in tokens.items()
        },
    }


def state(source: Source, start: str, moves: Sequence[str]) -> Json:
    """Where the game stands, and every legal move of it."""
    played = _round_after(source, start, moves)
    game, files = played.game, played.game.variant.files
    outcome, last = game.outcome(), (game.moves[-1:] or (None,))[0]
    squares = [] if last is None else [last.origin, last.target, last.wall, *(last.partner or ())]

    def number(square: tuple[int, int]) -> int:
        return square[1] * files + square[0]

    return {
        "turn": game.side_to_move,
        "check": game.is_check(),
        "pieces": [[number(at), code, side] for at, (code, side) in game.pieces.items()],
        "walls": [*map(number, game.walls)],
        "hands": [[*hand.items()] for hand in game.hands],
        "moves": [_move_data(move, number) for move in game.legal_moves],
        "last": [number(each) for each in squares if each is not None],
        "record": played.texts,
        "sfen": game.position_text(),
        "outcome": outcome and _outcome_data(outcome, game),
    }


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
    first = game.variant.rules.first
    sides = {"w": "white", "b": "black"}
    return {
        "winner": sides.get(outcome.winner or "", ""),
        "reason": REASONS.get(outcome.reason, outcome.reason.replace("-", " ")),
        "first": first,
    }


def explain_illegal_move(source: Source, start: str, moves: Sequence[str], text: str) -> Json:
    """Why a move is illegal, in words; nothing for a legal one."""
    result = _round_after(source, start, moves).game.why_illegal(text)
    return {"why": result.words if result else ""}


def reply(source: Source, start: str, moves: Sequence[str], strength: str) -> Json:
    """The move that the opponent makes."""
    game = _round_after(source, start, moves).game
    depth, seconds = STRENGTHS[strength]
    return {"text": str(_opponent(json.dumps(source), depth).choose(game, seconds))}


def record(source: Source, start: str, moves: Sequence[str], players: Sequence[str]) -> Json:
    """The game as the text of a record."""
    one, two = players
    played = _round_after(source, start, moves)
    return {"text": render(Session.of(played, (one, two)), finished=True)}


def game_from_record(source: Source, text: str) -> Json:
    """The first game of a record, as a start and moves."""
    _, library = _read_game(json.dumps(source))
    session = read_match(text, library, recover=True)
    first = session.rounds[0]
    return {"start": first.start, "moves": [str(each) for each in first.game.moves]}


def rules(source: Source) -> Json:
    """The rules of a game as HTML, with its pictures."""
    _, library = _read_game(json.dumps(source))
    assert library is not None
    pictures = {f"game{end}": made.decode() for end, made in pictures_of(library).items()}
    return {"html": in_html(rules_page(library, pictures="game")), "pictures": pictures}


@lru_cache(maxsize=4)
def _read_game(source: str) -> tuple[list[Json], Library | None]:
    """A game by its source as JSON, with what is wrong in it: the line, and what is found."""
    source_data: Source = json.loads(source)
    if "name" in source_data:
        place = find_file(source_data["name"])
    else:
        place = FileLocation("game", plain(source_data["text"], "game.pieces"), "text")
    report = check_file(place)
    diagnostics: list[Json] = [
        {
            "line": report.source.position(each.spans[0].start).line if each.spans else 1,
            "severity": each.severity,
            "kind": each.kind,
            "message": each.message,
            "hint": each.hint,
        }
        for each in report.diagnostics
        if each.severity != "note"
    ]
    wrong = any(each["severity"] == "error" for each in diagnostics)
    return diagnostics, None if wrong else report.library


def _round_after(source: Source, start: str, moves: Sequence[str]) -> Round:
    """The game after these moves; the last one that was asked about is gone on with."""
    move_texts = [*moves]
    current_round = _current.get("round")
    if current_round is None or current_round[:2] != (source, start):
        _, library = _read_game(json.dumps(source))
        if library is None:
            loads(source["text"])
        assert library is not None
        current_round = source, start, Round(library.game(start or None), start)
    played = current_round[2]
    _current.clear()
    made = [str(each) for each in played.game.moves]
    while made != move_texts[: len(made)]:
        played.pop()
        made.pop()
    for text in move_texts[len(made) :]:
        played.push(text)
    _current["round"] = source, start, played
    return played


@lru_cache(maxsize=2)
def _opponent(source: str, depth: int) -> Opponent:
    _, library = _read_game(source)
    assert library is not None
    return Opponent(library.variant, depth=depth)


def warm_up() -> None:
    """Ask one of each kind."""
    source = {"name": "minishogi"}
    setup(source)
    state(source, "", ["1e1c"])
    reply(source, "", [], "quick")
    game_from_record(source, str(record(source, "", ["1e1c"], ["", ""])["text"]))
    explain_illegal_move(source, "", [], "1e1a")
    rules(source)


CALLS: dict[str, Callable[..., Json]] = {
    "setup": setup,
    "state": state,
    "why": explain_illegal_move,
    "reply": reply,
    "record": record,
    "replayed": game_from_record,
    "rules": rules,
}

"""A match as the text of a record.

The text only grows while moves are made and things are said, so that a file can be added to: after
each move of the first side stands a blank, after each of the second side a line break.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from alfil.game.outcome import Outcome
from alfil.game.records.identity import digest
from alfil.game.variant import Variant

if TYPE_CHECKING:
    from alfil.game.session import Round, Session

VERSION = "1"
FIRST_LINE = "alfil record"
DRAW = "draw"


def render(session: Session, *, finished: bool) -> str:
    """The text of a record; the last line of a ``finished`` one says that nothing is missing."""
    parts = list(_head(session))
    for number, played in enumerate(session.rounds, 1):
        text = "".join([*_opening(number, played), *_moves(played)])
        if (finished or played.game.outcome()) and text.endswith(" "):
            text = text[:-1] + "\n"
        parts.append(text + "".join(_end(played)))
    text = "\n".join(parts)
    return f"{text}\nend\n" if finished else text


def _head(session: Session) -> Iterator[str]:
    variant = session.variant
    yield f"{FIRST_LINE} {VERSION}"
    yield f"game: {one_line(variant.name)}"
    yield f"title: {one_line(variant.title)}"
    yield f"rules: {digest(variant)}"
    for code, move in variant.moves:
        yield f"{'override' if _is_override(variant, code) else 'move'} {code}: {one_line(move)}"
    for number, name in enumerate(session.players, 1):
        yield f"player {number}: {one_line(name)}"
    if session.adjudicate:
        yield "illegal moves: lose"
    yield ""


def _is_override(variant: Variant, code: str) -> bool:
    return variant.kind(code).status == "user"


def _opening(number: int, played: Round) -> Iterator[str]:
    yield f"round {number}\n"
    if played.date:
        yield f"date: {one_line(played.date)}\n"
    if played.start:
        yield f"position: {played.start}\n"
    yield "\n"


def _moves(played: Round) -> Iterator[str]:
    yield from _said(played, 0, "\n")
    second = (played.game.turn + len(played.game.moves)) % 2
    for index, text in enumerate(played.texts):
        pair, is_second = divmod(index + second, 2)
        if not is_second or index == 0:
            yield f"{pair + 1}. " + ("... " if is_second else "")
        end = "\n" if is_second else " "
        yield text + end
        yield from _said(played, index + 1, end)


def _end(played: Round) -> Iterator[str]:
    outcome = played.game.outcome()
    if outcome:
        if played.game.illegal_text:
            yield f"illegal: {played.game.illegal_text}\n"
        yield f"result: {result(outcome)}\n"


def _said(played: Round, index: int, end: str) -> Iterator[str]:
    for text in played.comments.get(index, []):
        escaped = text.replace("\\", "\\\\").replace("}", "\\}").replace("\r", "\\r")
        yield f"{{{escaped}}}{end}"


def result(outcome: Outcome) -> str:
    """An outcome on one line: the winning side or draw, the reason, and what was illegal.

    >>> result(Outcome("w", "illegal-move", "own-piece")), result(Outcome(None, "repetition"))
    ('w, illegal-move, own-piece', 'draw, repetition')
    """
    detail = (outcome.detail,) if outcome.detail else ()
    return ", ".join((outcome.winner or DRAW, outcome.reason, *detail))


def one_line(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())

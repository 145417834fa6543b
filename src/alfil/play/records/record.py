"""The text of a record: written from a match, and taken apart into places in it.

The text only grows while moves are made and things are said, so that a file can be added to: after
each move of the first side stands a blank, after each of the second side a line break. What reads
it knows no rules.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple, NoReturn

from alfil.errors import Finding, RecordError, nearest, refuse
from alfil.game.variant import Kind, Rules, Variant
from alfil.play.outcome import Outcome
from alfil.play.session import Round, Session, one_line
from alfil.source import Source, Span

_LENGTH = 16
# Movements are compared by themselves, and words about a piece change no game.
_BESIDES = frozenset({"code", "name", "piece", "status", "note", "kanji"})


def digest(variant: Variant) -> str:
    """Board, rules, set-up, hands and the fields of the pieces, in 16 figures and letters.

    A field that has its usual value counts as one that is not there.

    >>> import alfil
    >>> chess, king = (alfil.load(name).variant for name in ("chess", "three_check"))
    >>> digest(chess) == digest(alfil.load("chess").variant), digest(chess) == digest(king)
    (True, False)
    """
    text = "\n".join(_lines(variant))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]


def _lines(variant: Variant) -> Iterator[str]:
    yield f"board {variant.files}x{variant.ranks}"
    yield from _stated(variant.rules, Rules())
    for kind in sorted(variant.kinds, key=lambda kind: kind.code):
        usual = Kind(kind.code, kind.name, kind.piece, kind.code, kind.code)
        yield f"piece {kind.code}"
        yield from _stated(kind, usual)
    yield from (repr(tuple(each)) for each in sorted(variant.setup))
    yield from (repr(sorted(hand)) for hand in variant.hands)


def _stated(whole: Rules | Kind, usual: Rules | Kind) -> Iterator[str]:
    for each in fields(usual):
        value = getattr(whole, each.name)
        if each.name not in _BESIDES and value != getattr(usual, each.name):
            yield f"{each.name} = {_plain(value)}"


def _plain(value: Any) -> str:  # noqa: ANN401 - whatever a field holds
    """A value in one spelling; sets are put in order."""
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return repr(tuple(value))
    return repr(value)


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


_HEAD_KEYS = ("game", "title", "rules", "player 1", "player 2", "illegal moves")
_ROUND_KEYS = ("date", "position")
_CODED_KEYS = ("move", "override")
_TOKEN = re.compile(r"\s*(\S+)")
_COMMENT = re.compile(r"\{([^\\}]*(?:\\.[^\\}]*)*)\}", re.DOTALL)
_ESCAPE = re.compile(r"\\([\\}r])")
_ROUND = re.compile(r"round ([1-9][0-9]{0,5})")
_NUMBER = re.compile(r"([1-9][0-9]{0,6})\.(\.\.)?(.*)")


class Value(NamedTuple):
    """A text of the record and where it stands."""

    text: str
    span: Span


class Item(NamedTuple):
    """One part of the moves of a round."""

    sort: Literal["move", "comment", "number", "skip", "illegal", "result"]
    text: str
    span: Span


@dataclass
class WrittenRound:
    """One game as it stands in the record; ``span`` is its first line."""

    span: Span
    fields: dict[str, Value] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)


@dataclass
class Written:
    """A record taken apart.

    ``moves`` are the movements by code, from the lines move and override; ``overrides`` the codes
    of the latter. ``lost`` is what is wrong with the end of a text that breaks off.
    """

    source: Source
    fields: dict[str, Value] = field(default_factory=dict)
    moves: dict[str, Value] = field(default_factory=dict)
    overrides: list[str] = field(default_factory=list)
    rounds: list[WrittenRound] = field(default_factory=list)
    lost: Finding | None = None


def parse(source: Source, *, recover: bool = False) -> Written:
    """Take a record apart; raises `RecordError`.

    With ``recover`` a text that breaks off gives all that is whole in it, and ``lost``.
    """
    return _Parser(source, recover=recover).written()


class _BreaksOff(Exception):
    """The text ends in the middle of something that began at ``start``."""

    def __init__(self, start: int) -> None:
        super().__init__(start)
        self.start = start


class _Parser:
    """Reads one text from the left to the right."""

    def __init__(self, source: Source, *, recover: bool) -> None:
        self._source = source
        self._text = source.text
        self._recover = recover
        self._at = 0
        self._written = Written(source)
        self._ended = False

    def written(self) -> Written:
        try:
            self._first_line()
            self._head()
        except _BreaksOff as broken:
            self._refuse_broken(broken.start, "there is nothing to be saved from it")
        try:
            while not self._ended:
                self._round()
        except _BreaksOff as broken:
            self._break_off(broken.start)
        self._nothing_more()
        return self._written

    def _break_off(self, start: int) -> None:
        hint = "all before this place can be read with recover=True"
        if not self._recover:
            self._refuse_broken(start, hint)
        self._written.lost = self._broken(start, "")

    def _broken(self, start: int, hint: str) -> Finding:
        rest = self._text[start:]
        message = f"the record breaks off in {rest[:40]}" if rest.strip() else "its end is missing"
        return Finding("record-breaks-off", message, (Span(start, len(self._text)),), hint)

    def _refuse_broken(self, start: int, hint: str) -> NoReturn:
        raise RecordError([self._broken(start, hint)], self._source)

    def _first_line(self) -> None:
        head = f"{FIRST_LINE} "
        if self._text and head.startswith(self._text[: len(head)]) and len(self._text) < len(head):
            raise _BreaksOff(0)
        line, start = self._line() if self._text.startswith(head) else ("", 0)
        if not line:
            message = "this is no record of alfil"
            hint = f"its first line is {head}{VERSION}"
            refuse(RecordError, "no-record", message, self._source, Span(0, 1), hint)
        version = line.removeprefix(head)
        if version != VERSION:
            message = f"this is a record of version {version}, and only {VERSION} is known"
            hint = "it may be of a later alfil"
            here = Span(start + len(head), start + len(line))
            refuse(RecordError, "record-version", message, self._source, here, hint)

    def _line(self) -> tuple[str, int]:
        """The next line and where it starts; it must end."""
        start = self._at
        end = self._text.find("\n", start)
        if end < 0:
            raise _BreaksOff(start)
        self._at = end + 1
        return self._text[start:end], start

    def _fields(self) -> Iterator[tuple[str, Value, Span]]:
        """Lines of names and values up to an empty one."""
        while True:
            line, start = self._line()
            if not line.strip():
                return
            name, colon, value = line.partition(":")
            if not colon:
                hint = "here stand lines such as date: 2026-11-21, and then an empty line"
                message = "no name and value"
                here = Span(start, start + len(line))
                refuse(RecordError, "record-line", message, self._source, here, hint)
            at = start + len(name) + 1
            text = value.strip()
            at += len(value) - len(value.lstrip())
            yield name.strip(), Value(text, Span(at, at + len(text))), Span(start, at)

    def _head(self) -> None:
        written = self._written
        for name, value, span in self._fields():
            word, _, code = name.partition(" ")
            if word in _CODED_KEYS and code:
                self._once(code in written.moves, name, span)
                written.moves[code] = value
                if word == "override":
                    written.overrides.append(code)
                continue
            self._known(name, (*_HEAD_KEYS, "move CODE", "override CODE"), span)
            self._once(name in written.fields, name, span)
            written.fields[name] = value
        if "game" not in written.fields:
            message = "the record does not say of what game it is"
            hint = "add a line: game: hand_shogi"
            here = Span(0, len(FIRST_LINE))
            refuse(RecordError, "record-line", message, self._source, here, hint)

    def _known(self, name: str, known: tuple[str, ...], span: Span) -> None:
        if name not in known:
            message = f"no line of a record begins with {name}"
            refuse(RecordError, "unknown-header", message, self._source, span, nearest(name, known))

    def _once(self, there: bool, name: str, span: Span) -> None:  # noqa: FBT001 - reads as a word
        if there:
            message = f"there are two lines {name}"
            refuse(RecordError, "record-line", message, self._source, span, "leave one out")

    def _round(self) -> None:
        """One game: its first line, its fields, its moves; or the end."""
        token = self._token()
        if token.text == "end":
            self._ended = True
            return
        self._at = token.span.start
        line, start = self._line()
        match = _ROUND.fullmatch(line.rstrip())
        number = len(self._written.rounds) + 1
        if match is None or int(match.group(1)) != number:
            hint = f"write round {number}, or end"
            here = Span(start, start + len(line))
            message = "here the next round begins"
            refuse(RecordError, "record-line", message, self._source, here, hint)
        played = WrittenRound(Span(start, start + len(line)))
        try:
            for name, value, span in self._fields():
                self._known(name, _ROUND_KEYS, span)
                self._once(name in played.fields, name, span)
                played.fields[name] = value
        except _BreaksOff:
            # Without its fields nobody knows with what position it began.
            raise _BreaksOff(start) from None
        self._written.rounds.append(played)
        self._moves(played)

    def _moves(self, played: WrittenRound) -> None:
        while True:
            token = self._token()
            if token.text in {"round", "end"}:
                self._at = token.span.start
                return
            played.items += self._items(token)

    def _token(self) -> Value:
        """The next word or comment; a word must be followed by a blank or a line break."""
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise _BreaksOff(len(self._text))
        start, end = match.span(1)
        word = match.group(1)
        if word.startswith("{"):
            return self._comment(start)
        if end == len(self._text) and word != "end":
            raise _BreaksOff(start)
        self._at = end
        return Value(word, Span(start, end))

    def _comment(self, start: int) -> Value:
        match = _COMMENT.match(self._text, start)
        if match is None:
            raise _BreaksOff(start)
        self._at = match.end()
        return Value(match.group(), Span(start, match.end()))

    def _items(self, token: Value) -> list[Item]:
        text, span = token
        if text.startswith("{"):
            said = _ESCAPE.sub(lambda found: found.group(1).replace("r", "\r"), text[1:-1])
            return [Item("comment", said, span)]
        if text == "result:":
            return [self._rest("result")]
        if text == "illegal:":
            return [self._rest("illegal")]
        if text == "...":
            return [Item("skip", text, span)]
        if number := _NUMBER.fullmatch(text):
            return list(_numbered(number, span.start))
        return [Item("move", text, span)]

    def _rest(self, sort: Literal["result", "illegal"]) -> Item:
        """What stands on the rest of the line."""
        rest, start = self._line()
        value = rest.strip()
        at = start + len(rest) - len(rest.lstrip())
        return Item(sort, value, Span(at, at + len(value)))

    def _nothing_more(self) -> None:
        rest = self._text[self._at :]
        if self._ended and rest.strip():
            start = self._at + len(rest) - len(rest.lstrip())
            message = "something stands behind the end"
            here = Span(start, len(self._text))
            refuse(RecordError, "record-line", message, self._source, here, "take the line end out")


def _numbered(match: re.Match[str], start: int) -> Iterator[Item]:
    """The number of a move, and what may stand behind it without a blank, as in 1.SO-6f."""
    yield Item("number", match.group(1), Span(*match.span(1)).shift(start))
    if match.group(2):
        yield Item("skip", match.group(2), Span(*match.span(2)).shift(start))
    if match.group(3):
        yield Item("move", match.group(3), Span(*match.span(3)).shift(start))

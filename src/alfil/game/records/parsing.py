"""From the text of a record to its parts, each with its place; nothing here knows any rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NoReturn

from alfil.errors import Finding, RecordError, nearest
from alfil.game.records.rendering import FIRST_LINE, VERSION
from alfil.source import Source, Span

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
            self._fail("no-record", message, 0, 1, f"its first line is {head}{VERSION}")
        version = line.removeprefix(head)
        if version != VERSION:
            message = f"this is a record of version {version}, and only {VERSION} is known"
            hint = "it may be of a later alfil"
            self._fail("record-version", message, start + len(head), start + len(line), hint)

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
                self._fail("record-line", message, start, start + len(line), hint)
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
            self._fail("record-line", message, 0, len(FIRST_LINE), "add a line: game: hand_shogi")

    def _known(self, name: str, known: tuple[str, ...], span: Span) -> None:
        if name not in known:
            message = f"no line of a record begins with {name}"
            self._fail("unknown-header", message, span.start, span.end, nearest(name, known))

    def _once(self, there: bool, name: str, span: Span) -> None:  # noqa: FBT001 - reads as a word
        if there:
            message = f"there are two lines {name}"
            self._fail("record-line", message, span.start, span.end, "leave one out")

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
            self._fail("record-line", "here the next round begins", start, start + len(line), hint)
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
            self._fail("record-line", message, start, len(self._text), "take the line end out")

    def _fail(self, kind: str, message: str, start: int, end: int, hint: str = "") -> NoReturn:
        finding = Finding(kind, message, (Span(start, max(start, end)),), hint)
        raise RecordError([finding], self._source)


def _numbered(match: re.Match[str], start: int) -> Iterator[Item]:
    """The number of a move, and what may stand behind it without a blank, as in 1.SO-6f."""
    yield Item("number", match.group(1), Span(*match.span(1)).shift(start))
    if match.group(2):
        yield Item("skip", match.group(2), Span(*match.span(2)).shift(start))
    if match.group(3):
        yield Item("move", match.group(3), Span(*match.span(3)).shift(start))

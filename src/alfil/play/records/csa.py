"""Games in CSA, the format of shogi servers: `+7776FU`, with positions, comments and results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from alfil.errors import RecordError, refuse
from alfil.game.moves import Move
from alfil.play.game import Game
from alfil.play.records import shogi
from alfil.play.records.record import Item, Value, Written, WrittenRound
from alfil.play.session import Round, Session
from alfil.source import Source, Span

_LETTERS = {names.csa: letter for letter, names in shogi.PIECES.items()}
_MOVE = re.compile(r"([+-])([0-9]{2})([1-9]{2})([A-Z]{2})")
_PLACED = re.compile(r"([0-9]{2})([A-Z]{2})")
# Who wins (m: the side to move, o: the other one) and why.
_ENDINGS = {
    "%TORYO": "o resignation",
    "%TIME_UP": "o time",
    "%ILLEGAL_MOVE": "o forfeit",
    "%+ILLEGAL_ACTION": "1 forfeit",
    "%-ILLEGAL_ACTION": "0 forfeit",
    "%TSUMI": "o adjudication",
    "%KACHI": "m adjudication",
    "%SENNICHITE": "- agreement",
    "%JISHOGI": "- agreement",
    "%HIKIWAKE": "- agreement",
}
_WORDS = {
    "resignation": "%TORYO",
    "time": "%TIME_UP",
    "forfeit": "%ILLEGAL_MOVE",
    "illegal-move": "%ILLEGAL_MOVE",
    "mate": "%TSUMI",
    "stalemate": "%TSUMI",
    "repetition": "%SENNICHITE",
    "impasse": "%JISHOGI",
    "agreement": "%HIKIWAKE",
}
TAGS = {"$EVENT": "Event", "$SITE": "Site"}
# Lines that say nothing that is kept and that nobody misses: the version, times, nameless players.
_FRAME = re.compile(r"V[0-9.]+|T[0-9.]+|N[+-]|/|")
_ROW = re.compile(r"P[1-9](?:[+-][A-Z]{2}| ?+\* ?+)+")
_PUT = re.compile(r"P[I+-](?:[0-9]{2}[A-Z]{2})*")
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)")
# What stands between two games, alone on its line.
BETWEEN = "/\n"
_LINE = re.compile(
    r"(?P<between>/[^\S\n]*$)|(?P<version>V[0-9.]+[^\S\n]*$)|(?P<played>[+-][0-9]|%)", re.MULTILINE
)


def parse(source: Source) -> list[Written]:
    """The games of a text, taken apart."""
    parts = (_Sheet(source, source.text[slice(*part)], part.start) for part in _games(source.text))
    return [part.written() for part in parts]


def _games(text: str) -> Iterator[Span]:
    """Where each game is: a line with / parts them, or the version before another one."""
    start, played = 0, False
    for line in re.finditer(r"^[^\n]+", text, re.MULTILINE):
        found = _LINE.match(text, line.start())
        if found is None:
            continue
        if found["between"] or (found["version"] and played):
            yield from _unless_empty(text, start, line.start())
            start, played = line.end() if found["between"] else line.start(), False
        played |= found["played"] is not None
    yield from _unless_empty(text, start, len(text))


def _unless_empty(text: str, start: int, end: int) -> Iterator[Span]:
    if text[start:end].strip():
        yield Span(start, end)


class _Sheet:
    """One game; ``at`` is where its text begins in the source."""

    def __init__(self, source: Source, text: str, at: int) -> None:
        self._written = Written(source)
        self._text, self._start = text, at
        self._board: list[list[str]] = []
        self._hands: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._side = 0
        self._set = Span(at, at + 1)
        self._items: list[Item] = []
        self._fields: dict[str, Value] = {}
        self._left: list[Value] = []

    def written(self) -> Written:
        # A comment, a name and the like take the whole line; other statements share one.
        for found in re.finditer(r"(?m)'[^\n]*|^[N$][^\n]*|[^,\n]+", self._text):
            text = found[0].rstrip()
            start = self._start + found.start()
            self._line(text, Span(start, start + len(text)))
        if self._board:
            text = shogi.position(self._board, self._hands, self._side)
            if text != f"{shogi.START} b - 1":
                self._fields["position"] = Value(text, self._set)
        self._written.leave_out(self._left)
        self._written.fields.setdefault("game", Value("", Span(self._start, self._start + 1)))
        first = self._items[0].span if self._items else Span(self._start, self._start + 1)
        self._written.rounds.append(WrittenRound(first, self._fields, self._items))
        return self._written

    def _line(self, text: str, span: Span) -> None:
        if text[:1] == "'":
            if said := text[1:].removeprefix("*").strip():
                self._items.append(Item("comment", said, span))
        elif text in {"+", "-"}:
            self._side = int(text == "-")
        elif text[:1] in {"+", "-"} or (text[:1] == "%" and text not in _ENDINGS):
            if text != "%CHUDAN":
                self._items.append(Item("move", text, span))
        elif text in _ENDINGS:
            self._items.append(Item("claim", _ENDINGS[text], span))
        elif _ROW.fullmatch(text) or _PUT.fullmatch(text):
            self._set = span
            self._position(text)
        else:
            self._said(text, span)

    def _said(self, text: str, span: Span) -> None:
        """A line about the game, not of it."""
        if text[:2] in {"N+", "N-"} and text[2:].strip():
            number = 1 if text[1] == "+" else 2
            self._written.fields[f"player {number}"] = Value(text[2:].strip(), span)
        elif text.startswith("$START_TIME:") and (date := _DATE.search(text)):
            self._fields["date"] = Value("-".join(date.groups()), span)
        elif text[:1] == "$":
            key, _, value = text.partition(":")
            if key in TAGS:
                self._written.tags[TAGS[key]] = value.strip()
            else:
                self._left.append(Value(key, span))
        elif not _FRAME.fullmatch(text):
            hint = "a move is like +7776FU, a drop +0055KA; a comment begins with '"
            source = self._written.source
            refuse(RecordError, "record-line", "this is no line of CSA", source, span, hint)

    def _position(self, text: str) -> None:
        if text[1:2] == "I":
            self._board = shogi.starting_board()
            for square, _ in _PLACED.findall(text):
                self._put(square, "")
        elif text[1:2].isdigit():
            cells = re.findall(r"([+-])([A-Z]{2})| ?\* ?", text[2:])
            self._board.append([_lettered(name, sign == "-") for sign, name in cells])
        else:
            second = text[1:2] == "-"
            for square, name in _PLACED.findall(text):
                self._place(square, name, second=second)

    def _place(self, square: str, name: str, *, second: bool) -> None:
        letter = _LETTERS.get(name, "?")
        if square == "00" and name == "AL":
            self._rest(second=second)
        elif square == "00":
            self._hands[second][letter] += 1
        else:
            self._board = self._board or [[""] * 9 for _ in range(9)]
            self._put(square, letter.lower() if second else letter)

    def _rest(self, *, second: bool) -> None:
        """All pieces of shogi that are nowhere yet are in the hand of one side."""
        there = Counter(each.upper().removeprefix("+") for row in self._board for each in row)
        there += self._hands[0] + self._hands[1]
        whole = Counter(each.upper() for each in shogi.START if each.isalpha())
        for letter, count in (whole - there).items():
            if letter != "K":
                self._hands[second][letter] += count

    def _put(self, square: str, letter: str) -> None:
        file, rank = int(square[0]), int(square[1])
        if 0 < rank <= len(self._board) and 0 < file <= len(self._board[rank - 1]):
            self._board[rank - 1][-file] = letter


def _lettered(name: str, second: bool) -> str:  # noqa: FBT001 - one of two sides
    letter = _LETTERS.get(name, "?") if name else ""
    return letter.lower() if second else letter


def read(game: Game, text: str) -> Move:
    """The legal move that a text in CSA stands for; raises `NotationError` and `IllegalMove`."""
    found = _MOVE.fullmatch(text)
    if found is None or found[4] not in _LETTERS or "0" in found[2].replace("00", ""):
        shogi.unreadable(text, "a move is written like +7776FU, a drop like -0055KA")
    sign, start, target, name = found.groups()
    if "+-"[game.turn] != sign:
        shogi.unreadable(text, f"it is the turn of {'+-'[game.turn]}")
    return shogi.read(game, shogi.Asked(start, target, _LETTERS[name], after=True), text)


def write(game: Game, move: Move) -> str:
    """A legal move in CSA."""
    variant = game.variant
    start = shogi.figures(variant, move.origin) if move.origin else "00"
    name = shogi.PIECES[game.symbol(move.promotes or move.code)].csa
    return f"{'+-'[game.turn]}{start}{shogi.figures(variant, move.target)}{name}"


def render(session: Session) -> str:
    """The games of a match in CSA; raises `RecordError` for one with other pieces than shogi's."""
    shogi.check_names(session.variant, "csa")
    return BETWEEN.join(
        "\n".join(_lines(session, number)) + "\n" for number in range(len(session.rounds))
    )


def _lines(session: Session, number: int) -> Iterator[str]:
    played = session.rounds[number]
    yield "V2.2"
    for sign, name in zip("+-", session.names(number), strict=True):
        if name:
            yield f"N{sign}{name}"
    for key, tag in TAGS.items():
        if tag in played.tags:
            yield f"{key}:{played.tags[tag]}"
    if played.date:
        yield f"$START_TIME:{played.date.replace('-', '/')}"
    yield from _set_up(Game(played.game.variant, played.start or None))
    yield from _moves(played)


def _set_up(game: Game) -> Iterator[str]:
    if game.sfen().startswith(f"{shogi.START} b -"):
        yield "PI"
    else:
        for rank, row in enumerate(shogi.board_of(game), 1):
            cells = (
                f"{'-' if each.islower() else '+'}{_name(each)}" if each else " * " for each in row
            )
            yield f"P{rank}{''.join(cells)}"
        for sign, hand in zip("+-", game.hands, strict=True):
            held = "".join(f"00{_name(code)}" * count for code, count in hand.items())
            if held:
                yield f"P{sign}{held}"
    yield "+-"[game.turn]


def _name(letter: str) -> str:
    return shogi.PIECES[letter.upper()].csa


def _moves(played: Round) -> Iterator[str]:
    game = Game(played.game.variant, played.start or None)
    yield from _comments(played, 0)
    for index, move in enumerate(played.game.moves, 1):
        yield write(game, move)
        game.push(move)
        yield from _comments(played, index)
    outcome = played.game.outcome()
    if outcome is None:
        yield "%CHUDAN"
    elif outcome.winner == game.side:
        yield "%KACHI"
    else:
        yield _WORDS.get(outcome.reason, "%TORYO" if outcome.winner else "%HIKIWAKE")


def _comments(played: Round, index: int) -> Iterator[str]:
    for text in played.comments.get(index, []):
        yield from (f"'*{line}" for line in text.splitlines() if line.strip())

"""Games in CSA, the format of shogi servers: `+7776FU`, with positions, comments and results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from alfil.errors import RecordError, reject
from alfil.game.moves import Move
from alfil.play.game import Game
from alfil.play.records import shogi_names
from alfil.play.records.own_format import LocatedText, ParsedRecord, ParsedRound, RecordItem
from alfil.play.session import Round, Session
from alfil.source import Source, Span

_LETTER_BY_CSA_NAME = {names.csa: letter for letter, names in shogi_names.NAMES_BY_LETTER.items()}
_MOVE_PATTERN = re.compile(r"([+-])([0-9]{2})([1-9]{2})([A-Z]{2})")
_PLACED_PIECE = re.compile(r"([0-9]{2})([A-Z]{2})")
# Who wins (m: the side to move, o: the other one) and why.
_CLAIM_BY_ENDING = {
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
_ENDING_BY_REASON = {
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
_SEPARATOR_LINE = re.compile(r"V[0-9.]+|T[0-9.]+|N[+-]|/|")
_BOARD_ROW_PATTERN = re.compile(r"P[1-9](?:[+-][A-Z]{2}| ?+\* ?+)+")
_PLACED_PIECES_PATTERN = re.compile(r"P[I+-](?:[0-9]{2}[A-Z]{2})*")
# What a comment begins with that says how the file is encoded, and is no remark.
_ENCODING_COMMENT = "CSA encoding="
_DATE_PATTERN = re.compile(r"(\d{4})/(\d\d)/(\d\d)")
# What stands between two games, alone on its line.
SEPARATOR = "/\n"
_GAME_BOUNDARY = re.compile(
    r"(?P<between>/[^\S\n]*$)|(?P<version>V[0-9.]+[^\S\n]*$)|(?P<played>[+-][0-9]|%)", re.MULTILINE
)


def parse(source: Source) -> list[ParsedRecord]:
    """The games of a text, taken apart."""
    parts = (
        _GameParser(source, source.text[slice(*part)], part.start)
        for part in _game_spans(source.text)
    )
    return [part.parse() for part in parts]


def _game_spans(text: str) -> Iterator[Span]:
    """Where each game is: a line with / parts them, or the version before another one."""
    start, played = 0, False
    for line in re.finditer(r"^[^\n]+", text, re.MULTILINE):
        result = _GAME_BOUNDARY.match(text, line.start())
        if result is None:
            continue
        if result["between"] or (result["version"] and played):
            yield from _nonempty_span(text, start, line.start())
            start, played = line.end() if result["between"] else line.start(), False
        played |= result["played"] is not None
    yield from _nonempty_span(text, start, len(text))


def _nonempty_span(text: str, start: int, end: int) -> Iterator[Span]:
    if text[start:end].strip():
        yield Span(start, end)


class _GameParser:
    """One game; ``at`` is where its text begins in the source."""

    def __init__(self, source: Source, text: str, at: int) -> None:
        self._parsed = ParsedRecord(source)
        self._text, self._start = text, at
        self._board: list[list[str]] = []
        self._hands: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._side = 0
        self._set = Span(at, at + 1)
        self._items: list[RecordItem] = []
        self._fields: dict[str, LocatedText] = {}
        self._left: list[LocatedText] = []

    def parse(self) -> ParsedRecord:
        # A comment, a name and the like take the whole line; other statements share one.
        for result in re.finditer(r"(?m)'[^\n]*|^[N$][^\n]*|[^,\n]+", self._text):
            text = result[0].rstrip()
            start = self._start + result.start()
            self._parse_line(text, Span(start, start + len(text)))
        if self._board:
            text = shogi_names.position_text(self._board, self._hands, self._side)
            if text != f"{shogi_names.STARTING_POSITION} b - 1":
                self._fields["position"] = LocatedText(text, self._set)
        self._parsed.add_omission_note(self._left)
        self._parsed.fields.setdefault("game", LocatedText("", Span(self._start, self._start + 1)))
        first = self._items[0].span if self._items else Span(self._start, self._start + 1)
        self._parsed.rounds.append(ParsedRound(first, self._fields, self._items))
        return self._parsed

    def _parse_line(self, text: str, span: Span) -> None:
        if text[:1] == "'":
            comment = text[1:].removeprefix("*").strip()
            if comment and not comment.startswith(_ENCODING_COMMENT):
                self._items.append(RecordItem("comment", comment, span))
        elif text in {"+", "-"}:
            self._side = int(text == "-")
        elif text[:1] in {"+", "-"} or (text[:1] == "%" and text not in _CLAIM_BY_ENDING):
            if text != "%CHUDAN":
                self._items.append(RecordItem("move", text, span))
        elif text in _CLAIM_BY_ENDING:
            self._items.append(RecordItem("claim", _CLAIM_BY_ENDING[text], span))
        elif _BOARD_ROW_PATTERN.fullmatch(text) or _PLACED_PIECES_PATTERN.fullmatch(text):
            self._set = span
            self._parse_position(text)
        else:
            self._parse_header(text, span)

    def _parse_header(self, text: str, span: Span) -> None:
        """A line about the game, not of it."""
        if text[:2] in {"N+", "N-"} and text[2:].strip():
            number = 1 if text[1] == "+" else 2
            self._parsed.fields[f"player {number}"] = LocatedText(text[2:].strip(), span)
        elif text.startswith("$START_TIME:") and (date := _DATE_PATTERN.search(text)):
            self._fields["date"] = LocatedText("-".join(date.groups()), span)
        elif text[:1] == "$":
            key, _, value = text.partition(":")
            if key in TAGS:
                self._parsed.tags[TAGS[key]] = value.strip()
            else:
                self._left.append(LocatedText(key, span))
        elif not _SEPARATOR_LINE.fullmatch(text):
            hint = "a move is like +7776FU, a drop +0055KA; a comment begins with '"
            source = self._parsed.source
            reject(RecordError, "record-line", "this is no line of CSA", source, span, hint)

    def _parse_position(self, text: str) -> None:
        if text[1:2] == "I":
            self._board = shogi_names.starting_board()
            for square, _ in _PLACED_PIECE.findall(text):
                self._set_board_square(square, "")
        elif text[1:2].isdigit():
            cells = re.findall(r"([+-])([A-Z]{2})| ?\* ?", text[2:])
            self._board.append([_letter_of_csa_name(name, sign == "-") for sign, name in cells])
        else:
            second = text[1:2] == "-"
            for square, name in _PLACED_PIECE.findall(text):
                self._place_on_board_or_in_hand(square, name, second=second)

    def _place_on_board_or_in_hand(self, square: str, name: str, *, second: bool) -> None:
        letter = _LETTER_BY_CSA_NAME.get(name, "?")
        if square == "00" and name == "AL":
            self._put_remaining_pieces_in_hand(second=second)
        elif square == "00":
            self._hands[second][letter] += 1
        else:
            self._board = self._board or [[""] * 9 for _ in range(9)]
            self._set_board_square(square, letter.lower() if second else letter)

    def _put_remaining_pieces_in_hand(self, *, second: bool) -> None:
        """All pieces of shogi that are nowhere yet are in the hand of one side."""
        there = Counter(each.upper().removeprefix("+") for row in self._board for each in row)
        there += self._hands[0] + self._hands[1]
        whole = Counter(each.upper() for each in shogi_names.STARTING_POSITION if each.isalpha())
        for letter, count in (whole - there).items():
            if letter != "K":
                self._hands[second][letter] += count

    def _set_board_square(self, square: str, letter: str) -> None:
        file, rank = int(square[0]), int(square[1])
        if 0 < rank <= len(self._board) and 0 < file <= len(self._board[rank - 1]):
            self._board[rank - 1][-file] = letter


def _letter_of_csa_name(name: str, second: bool) -> str:  # noqa: FBT001 - one of two sides
    letter = _LETTER_BY_CSA_NAME.get(name, "?") if name else ""
    return letter.lower() if second else letter


def read(game: Game, text: str) -> Move:
    """The legal move that a text in CSA stands for; raises `NotationError` and `IllegalMove`."""
    result = _MOVE_PATTERN.fullmatch(text)
    if result is None or result[4] not in _LETTER_BY_CSA_NAME or "0" in result[2].replace("00", ""):
        shogi_names.reject_move_text(text, "a move is written like +7776FU, a drop like -0055KA")
    sign, start, target, name = result.groups()
    if "+-"[game.side_to_move] != sign:
        shogi_names.reject_move_text(text, f"it is the turn of {'+-'[game.side_to_move]}")
    return shogi_names.read_shogi_move(
        game,
        shogi_names.ShogiMoveQuery(
            start, target, _LETTER_BY_CSA_NAME[name], is_letter_after_move=True
        ),
        text,
    )


def write(game: Game, move: Move) -> str:
    """A legal move in CSA."""
    variant = game.variant
    start = shogi_names.square_digits(variant, move.origin) if move.origin else "00"
    name = shogi_names.NAMES_BY_LETTER[game.symbol(move.promotes or move.code)].csa
    return (
        f"{'+-'[game.side_to_move]}{start}{shogi_names.square_digits(variant, move.target)}{name}"
    )


def render(session: Session) -> str:
    """The games of a match in CSA; raises `RecordError` for one with other pieces than shogi's."""
    shogi_names.require_shogi_names(session.variant, "csa")
    return SEPARATOR.join(
        "\n".join(_game_lines(session, number)) + "\n" for number in range(len(session.rounds))
    )


def _game_lines(session: Session, number: int) -> Iterator[str]:
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
    yield from _starting_lines(played.beginning())
    yield from _move_lines(played)


def _starting_lines(game: Game) -> Iterator[str]:
    if game.position_text().startswith(f"{shogi_names.STARTING_POSITION} b -"):
        yield "PI"
    else:
        for rank, row in enumerate(shogi_names.board_letters(game), 1):
            cells = (
                f"{'-' if each.islower() else '+'}{_csa_piece_name(each)}" if each else " * "
                for each in row
            )
            yield f"P{rank}{''.join(cells)}"
        for sign, hand in zip("+-", game.hands, strict=True):
            held = "".join(f"00{_csa_piece_name(code)}" * count for code, count in hand.items())
            if held:
                yield f"P{sign}{held}"
    yield "+-"[game.side_to_move]


def _csa_piece_name(letter: str) -> str:
    return shogi_names.NAMES_BY_LETTER[letter.upper()].csa


def _move_lines(played: Round) -> Iterator[str]:
    game = played.beginning()
    yield from shogi_names.comment_lines(played, 0, "'*")
    for index, move in enumerate(played.game.moves, 1):
        yield write(game, move)
        game.push(move)
        yield from shogi_names.comment_lines(played, index, "'*")
    outcome = played.game.outcome()
    if outcome is None:
        yield "%CHUDAN"
    elif outcome.winner == game.turn:
        yield "%KACHI"
    else:
        yield _ENDING_BY_REASON.get(outcome.reason, "%TORYO" if outcome.winner else "%HIKIWAKE")

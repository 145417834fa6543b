"""Games in KIF, what shogi programs keep: `７六歩(77)`, handicaps, boards, comments, results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NoReturn

from alfil.errors import Diagnostic, RecordError, did_you_mean_or_list, reject
from alfil.game.moves import Move
from alfil.play.game import Game
from alfil.play.outcomes import Outcome
from alfil.play.records import shogi_names
from alfil.play.records.own_format import (
    LocatedText,
    ParsedRecord,
    ParsedRound,
    Parts,
    RecordItem,
    flatten_nested,
)
from alfil.play.session import Round, Session
from alfil.source import Source, Span
from alfil.squares import Square

_FILES, _RANKS = "１２３４５６７８９", "一二三四五六七八九"
_DIGIT_BY_CHARACTER = {sign: str(at) for row in (_FILES, _RANKS) for at, sign in enumerate(row, 1)}
_LETTER_BY_KIF_NAME = {
    names.kif: letter for letter, names in shogi_names.NAMES_BY_LETTER.items()
} | shogi_names.LETTER_BY_OTHER_NAME
_LETTER_BY_BOARD_NAME = {
    names.board: letter for letter, names in shogi_names.NAMES_BY_LETTER.items()
} | shogi_names.LETTER_BY_OTHER_NAME
_NAME_PATTERN = "|".join(sorted(_LETTER_BY_KIF_NAME, key=len, reverse=True))
_MOVE_PATTERN = re.compile(
    rf"(?:(?P<same>同)[\s　]*|(?P<file>[１-９1-9])(?P<rank>[一二三四五六七八九]))"
    rf"(?P<name>{_NAME_PATTERN})(?:(?P<mark>成|不成)?\((?P<start>[1-9]{{2}})\)|(?P<drop>打))"
)
_NUMBERED_MOVE = re.compile(
    r"\s*[0-9]+[\s　]+(?P<move>[^\s　(]+(?:[\s　][^\s　(]+)?(?:\([0-9]+\))?)"
)
_HEADER_PATTERN = re.compile(r"(?P<key>[^\s:：*#|+]+)[:：](?P<value>.*)")
# What stands before the moves only, so that another game begins where it comes after them.
_HEADERS_BEFORE_MOVES = re.compile(
    r"(?:開始日時|開始局面|棋戦|場所|手合割|[先下後上]手(?:の持駒)?)[:：]|手数-"
)
# What may stand behind a move: its time, and that there are variations.
_MOVE_SUFFIX = re.compile(r"[\s　]*+(?:\([^()]*+\)[\s　]*+)?\+?")
# Lines that say nothing: those of programs, bookmarks, a board's frame, heads of columns.
_IGNORED_LINE = re.compile(r"[#&].*|手数[-＝].*|\+-*\+|[\s　１-９1-9]*")
_CELL_PATTERN = re.compile(r"\|((?:[v ^]\S)+)\|\S*")
_EMPTY_SQUARE_MARKS = {"・", "."}
_HAND_PATTERN = re.compile(
    rf"(?P<name>{'|'.join(_LETTER_BY_BOARD_NAME)})(?P<count>十?[一二三四五六七八九]?)[\s　]*"
)
_EMPTY_HAND = {"", "なし"}
_TURN_WORDS = {"先手番": 0, "下手番": 0, "後手番": 1, "上手番": 1}
_SUMMARY_PATTERN = re.compile(r"[\s　]*まで[\s　]*[0-9０-９]+手で(?P<end>.*)")
_WIN_WORDS = re.compile(r"(?P<side>[先下後上])手の(?P<foul>反則)?(?P<won>勝ち|負け)")
_DATE_PATTERN = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)")
# The squares from which the second side's pieces are taken; it moves first then.
HANDICAPS = {
    "平手": (),
    "香落ち": ("11",),
    "右香落ち": ("91",),
    "角落ち": ("22",),
    "飛車落ち": ("82",),
    "飛香落ち": ("82", "11"),
    "二枚落ち": ("82", "22"),
    "三枚落ち": ("82", "22", "11"),
    "四枚落ち": ("82", "22", "11", "91"),
    "五枚落ち": ("82", "22", "11", "91", "81"),
    "左五枚落ち": ("82", "22", "11", "91", "21"),
    "六枚落ち": ("82", "22", "11", "91", "21", "81"),
    "左七枚落ち": ("82", "22", "11", "91", "21", "81", "31"),
    "右七枚落ち": ("82", "22", "11", "91", "21", "81", "71"),
    "八枚落ち": ("82", "22", "11", "91", "21", "81", "31", "71"),
    "十枚落ち": ("82", "22", "11", "91", "21", "81", "31", "71", "41", "61"),
}
_PLAYER_BY_NAME = {"先手": 1, "下手": 1, "後手": 2, "上手": 2}
TAGS = {"棋戦": "Event", "場所": "Site"}
_VARIANT_BY_NAME = {"5五将棋": "minishogi", "５五将棋": "minishogi"}
# Who wins (m: the side to move, o: the other one) and why.
_CLAIM_BY_ENDING = {
    "投了": "o resignation",
    "切れ負け": "o time",
    "反則負け": "o forfeit",
    "反則勝ち": "m forfeit",
    "入玉勝ち": "m adjudication",
    "詰み": "o adjudication",
    "千日手": "- agreement",
    "持将棋": "- agreement",
}
_ENDING_BY_REASON = {
    "resignation": "投了",
    "time": "切れ負け",
    "forfeit": "反則負け",
    "illegal-move": "反則負け",
    "mate": "詰み",
    "stalemate": "詰み",
    "repetition": "千日手",
    "impasse": "持将棋",
    "agreement": "持将棋",
}
_UNFINISHED = "中断"
# What stands before a variation: the number of the move that it replaces.
# Nine figures are more than any game has moves.
_VARIATION_PATTERN = re.compile(r"変化[:：][\s　]*(?P<number>[0-9０-９]{1,9})[0-9０-９]*手")


def parse(source: Source) -> list[ParsedRecord]:
    """The games of a text, taken apart."""
    bounds = [0, *_game_starts(source.text), len(source.text)]
    return [_GameParser(source, Span(*place)).parse() for place in pairwise(bounds)]


def _game_starts(text: str) -> Iterator[int]:
    """Where another game begins: its head stands after moves."""
    played = False
    for line in re.finditer(r"^[^\n]+", text, re.MULTILINE):
        if played and _HEADERS_BEFORE_MOVES.match(line[0]):
            yield line.start()
            played = False
        played |= _NUMBERED_MOVE.match(line[0]) is not None


@dataclass
class _MoveSequence:
    """The game, or a variation: ``number`` is that of its first move, ``side`` who makes it.

    ``targets`` are the squares that moves go to, as they are written, ``before`` the one of the
    move before the first. ``summary`` is what a line says of its end. ``variations`` are the
    variations from it, by how many of its moves they go back before.
    """

    number: int
    span: Span
    before: str = ""
    items: list[RecordItem] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    summary: LocatedText | None = None
    variations: dict[int, list[_MoveSequence]] = field(default_factory=dict)

    def add_move(self, text: str, span: Span) -> None:
        """A move; what first goes to the square of the last one is written with that square."""
        result = _MOVE_PATTERN.fullmatch(text)
        last = self.targets[-1] if self.targets else self.before
        same = result is not None and bool(result["same"])
        if same and not self.targets:
            text = last + text[1:].lstrip("\u3000 ")
        self.targets.append(last if result is None or same else result["file"] + result["rank"])
        self.items.append(RecordItem("move", text, span))

    def add_variation(self, number: int, span: Span) -> _MoveSequence | None:
        """A variation that replaces the move of this number; None where this line has none."""
        at = number - self.number
        if not 0 <= at < len(self.targets):
            return None
        result = _MoveSequence(number, span, self.targets[at - 1] if at else self.before)
        self.variations.setdefault(at + 1, []).append(result)
        return result

    def items_in_order(self) -> Iterator[Any]:
        """All of it, variations behind the moves that they replace and what is said of these."""
        moves = 0
        for item in self.items:
            if item.category != "comment":
                yield from self._variation_items(moves)
            moves += item.category == "move"
            yield item
        if not self.items or self.items[-1].category != "claim":
            yield from self._variation_items(moves)

    def _variation_items(self, move_count: int) -> Iterator[Any]:
        for each in self.variations.get(move_count, []):
            yield RecordItem("variation", "", each.span)
            yield each.items_in_order()
            yield RecordItem("end", "", each.span)


class _GameParser:
    """One game while it is read; ``place`` is where it stands in the source."""

    def __init__(self, source: Source, place: Span) -> None:
        self._text, self._place = source.text[slice(*place)], place
        self._parsed = ParsedRecord(source)
        self._board: list[list[str]] = []
        self._hands: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._side: LocatedText | None = None
        # What a position is told by besides its board, and what is not kept.
        self._told: list[LocatedText] = []
        self._left: list[LocatedText] = []
        # The game and all variations; those that others may still begin from.
        self._lines = [_MoveSequence(1, place)]
        self._open = [*self._lines]
        self._fields: dict[str, LocatedText] = {}
        self._handicap = LocatedText("", place)

    def parse(self) -> ParsedRecord:
        for result in re.finditer(r"[^\n]+", self._text):
            self._parse_line(result[0].rstrip(), self._place.start + result.start())
        here = Span(self._place.start, self._place.start + 1)
        side = _TURN_WORDS[self._side.text] if self._side else 0
        if self._board:
            text = shogi_names.position_text(self._board, self._hands, side)
            self._fields["position"] = LocatedText(text, here)
        else:
            squares = self._handicap_squares()
            self._reject_lines_needing_a_board(1 if squares else 0)
            side = 1 if squares else 0
            if squares:
                self._fields["position"] = LocatedText(handicap_position(squares), here)
        for line in self._lines:
            self._add_claim_from_summary(line, (side + line.number - 1) % 2)
        self._parsed.add_omission_note(self._left)
        self._parsed.fields.setdefault("game", LocatedText("", here))
        items = [*flatten_nested(self._lines[0].items_in_order())]
        first = items[0].span if items else here
        self._parsed.rounds.append(ParsedRound(first, self._fields, items))
        return self._parsed

    def _reject_lines_needing_a_board(self, side: int) -> None:
        """Refuse what belongs to a board that is not drawn; ``side`` moves first without it."""
        turn = self._side and _TURN_WORDS[self._side.text] != side and self._side
        for text, span in (*self._told, *([turn] if turn else [])):
            hint = "draw the board as well, or leave the line out"
            self._reject(f"{text} is told, and no board is drawn", span, hint)

    def _add_claim_from_summary(self, line: _MoveSequence, side: int) -> None:
        """Take the end from the line that sums the game up, where no word behind the moves has it.

        ``side`` moves first.
        """
        end, span = line.summary or LocatedText("", line.span)
        if not end or any(each.category == "claim" for each in line.items):
            return
        won = _WIN_WORDS.match(end)
        if won:
            winner = (won["side"] in "後上") != (won["won"] == "負け")
            who = "m" if (side + len(line.targets)) % 2 == winner else "o"
            why = "forfeit" if won["foul"] else "adjudication"
            line.items.append(RecordItem("claim", f"{who} {why}", span))
        elif end in _CLAIM_BY_ENDING and _CLAIM_BY_ENDING[end][0] == "-":
            line.items.append(RecordItem("claim", _CLAIM_BY_ENDING[end], span))
        elif end != _UNFINISHED:
            self._reject(f"{end} is no end of a game", span, "write まで7手で先手の勝ち")

    def _reject(self, message: str, span: Span, hint: str) -> NoReturn:
        reject(RecordError, "record-line", message, self._parsed.source, span, hint)

    def _handicap_squares(self) -> tuple[str, ...]:
        """Where pieces are missing by the handicap; `RecordError` for one that nobody knows."""
        name, span = self._handicap
        if name and name not in HANDICAPS and name not in _VARIANT_BY_NAME:
            message = f"no handicap is called {name}, and no board is drawn"
            self._reject(
                message, span, f"{did_you_mean_or_list(name, HANDICAPS)}; or draw the board"
            )
        return HANDICAPS.get(name, ())

    def _parse_line(self, text: str, start: int) -> None:
        span = Span(start, start + len(text))
        if variation := _VARIATION_PATTERN.fullmatch(text):
            self._begin_variation(int(variation["number"]), span)
        elif text[:1] == "*":
            if comment := text[1:].strip():
                self._open[-1].items.append(RecordItem("comment", comment, span))
        elif text[:1] == "|":
            self._parse_board_rank(text, span)
        elif text in _TURN_WORDS:
            self._side = LocatedText(text, span)
        elif summary := _SUMMARY_PATTERN.fullmatch(text):
            self._open[-1].summary = LocatedText(summary["end"].strip("　 "), span)
        elif not _IGNORED_LINE.fullmatch(text):
            self._parse_move_or_header(text, span)

    def _parse_move_or_header(self, text: str, span: Span) -> None:
        """A move with its number, or something said of the game by its name."""
        if numbered := _NUMBERED_MOVE.match(text):
            at = span.start + numbered.start("move")
            if not _MOVE_SUFFIX.fullmatch(text, numbered.end()):
                here = Span(span.start + numbered.end(), span.end)
                hint = "its time may, in brackets; a comment has a line of its own, behind *"
                self._reject("this cannot follow a move", here, hint)
            self._parse_move(numbered["move"], Span(at, at + len(numbered["move"])))
        elif head := _HEADER_PATTERN.fullmatch(text):
            self._parse_header(head["key"], head["value"].strip("　 "), span)
        else:
            hint = "a move has its number, as in 1 ７六歩(77); a comment begins with *"
            self._reject("this is no line of KIF", span, hint)

    def _begin_variation(self, number: int, span: Span) -> None:
        """Begin a variation: from the last line that began before the move it replaces."""
        while len(self._open) > 1 and self._open[-1].number >= number:
            self._open.pop()
        line = self._open[-1].add_variation(number, span)
        if line is None:
            message = f"a variation is left out: there is no move {number} that it replaces"
            self._parsed.notes.append(Diagnostic("variation", message, (span,), severity="note"))
        self._open.append(line or _MoveSequence(number, span))
        self._lines.append(self._open[-1])

    def _parse_move(self, text: str, span: Span) -> None:
        line = self._open[-1]
        if text in _CLAIM_BY_ENDING:
            line.items.append(RecordItem("claim", _CLAIM_BY_ENDING[text], span))
        elif text != _UNFINISHED:
            line.add_move(text, span)

    def _parse_header(self, key: str, value: str, span: Span) -> None:
        if key in _PLAYER_BY_NAME:
            if value:
                self._parsed.fields[f"player {_PLAYER_BY_NAME[key]}"] = LocatedText(value, span)
        elif key.endswith("の持駒"):
            self._parse_hand(value, span, second=key[:2] in {"後手", "上手"})
        elif key == "手合割":
            self._handicap = LocatedText(value, span)
            if value in _VARIANT_BY_NAME:
                self._parsed.fields["game"] = LocatedText(_VARIANT_BY_NAME[value], span)
        elif key == "開始日時" and (date := _DATE_PATTERN.search(value)):
            year, month, day = date.groups()
            self._fields["date"] = LocatedText(f"{year}-{month:0>2}-{day:0>2}", span)
        elif key in TAGS:
            self._parsed.tags[TAGS[key]] = value
        else:
            (self._told if key == "開始局面" else self._left).append(LocatedText(key, span))

    def _parse_board_rank(self, text: str, span: Span) -> None:
        row = _CELL_PATTERN.fullmatch(text)
        cells = re.findall(r"([v ^])(\S)", row[1]) if row else []
        strange = [
            name
            for _, name in cells
            if name not in _LETTER_BY_BOARD_NAME and name not in _EMPTY_SQUARE_MARKS
        ]
        if not cells or strange or (self._board and len(self._board[0]) != len(cells)):
            hint = "a row is like |v香v桂 ・ 歩|, all rows of a board as long"
            what = f"{strange[0]} is no piece" if strange else "this is no row of the board"
            self._reject(what, span, hint)
        letters = [(_LETTER_BY_BOARD_NAME.get(name, ""), side == "v") for side, name in cells]
        self._board.append([each.lower() if second else each for each, second in letters])

    def _parse_hand(self, value: str, span: Span, *, second: bool) -> None:
        if value in _EMPTY_HAND:
            return
        self._told.append(LocatedText(value, span))
        at = 0
        while at < len(value):
            held = _HAND_PATTERN.match(value, at)
            if held is None:
                hint = "a hand is like 飛　銀二　歩十, or なし"
                self._reject(f"{value[at:]} is nothing in hand", span, hint)
            self._hands[second][_LETTER_BY_BOARD_NAME[held["name"]]] = _parse_kanji_number(
                held["count"]
            )
            at = held.end()


def handicap_position(squares: tuple[str, ...]) -> str:
    """The position of shogi with a handicap.

    >>> handicap_position(("82", "22"))
    'lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1'
    """
    board = shogi_names.starting_board()
    for square in squares:
        board[int(square[1]) - 1][-int(square[0])] = ""
    return shogi_names.position_text(board, ({}, {}), 1 if squares else 0)


def _parse_kanji_number(text: str) -> int:
    """A count in kanji, from 1 to 19; nothing is 1."""
    ones = text.removeprefix("十")
    return (10 if text != ones else 0) + (_RANKS.index(ones) + 1 if ones else 0) or 1


def _kanji_number(count: int) -> str:
    tens, ones = divmod(count, 10)
    return "十" * tens + (_RANKS[ones - 1] if ones else "")


def read(game: Game, text: str) -> Move:
    """The legal move that a text in KIF stands for; raises `NotationError` and `IllegalMove`."""
    result = _MOVE_PATTERN.fullmatch(text)
    if result is None or (result["same"] and not game.moves):
        shogi_names.reject_move_text(
            text, "a move is written like ７六歩(77), a drop like ５五角打"
        )
    if result["same"]:
        target = shogi_names.square_digits(game.variant, game.moves[-1].target)
    else:
        target = (
            _DIGIT_BY_CHARACTER.get(result["file"], result["file"])
            + _DIGIT_BY_CHARACTER[result["rank"]]
        )
    start = "00" if result["drop"] else result["start"]
    query = shogi_names.ShogiMoveQuery(
        start, target, _LETTER_BY_KIF_NAME[result["name"]], promotes=result["mark"] == "成"
    )
    return shogi_names.read_shogi_move(game, query, text)


def write(game: Game, move: Move, last: Square | None = None) -> str:
    """A legal move in KIF; to ``last``, where the move before it ended, it is written with 同."""
    target = shogi_names.square_digits(game.variant, move.target)
    square = _FILES[int(target[0]) - 1] + _RANKS[int(target[1]) - 1]
    if move.target == last:
        square = "同　"
    name = shogi_names.NAMES_BY_LETTER[game.symbol(move.code)].kif
    if move.origin is None:
        return f"{square}{name}打"
    mark = "成" if move.promotes else ""
    return f"{square}{name}{mark}({shogi_names.square_digits(game.variant, move.origin)})"


def render(session: Session) -> str:
    """The games of a match in KIF; raises `RecordError` for one with other pieces than shogi's."""
    shogi_names.require_shogi_names(session.variant, "kif")
    rounds = range(len(session.rounds))
    return "\n".join("\n".join(_game_lines(session, number)) + "\n" for number in rounds)


def _game_lines(session: Session, number: int) -> Iterator[str]:
    played = session.rounds[number]
    game = played.beginning()
    if played.date:
        yield f"開始日時：{played.date.replace('-', '/')}"
    for key, tag in TAGS.items():
        if tag in played.tags:
            yield f"{key}：{played.tags[tag]}"
    yield from _starting_lines(game)
    for side, name in zip(("先手", "後手"), session.names(number), strict=True):
        yield f"{side}：{name}"
    yield "手数----指手---------消費時間--"
    yield from flatten_nested(_move_lines(played))


def _starting_lines(game: Game) -> Iterator[str]:
    """How the game begins: a handicap by its name, else the whole board."""
    variant = game.variant
    known = {
        handicap_position(squares).rpartition(" ")[0]: name for name, squares in HANDICAPS.items()
    }
    name = known.get(" ".join(game.position_text().split()[:3]))
    games = {game: name for name, game in _VARIANT_BY_NAME.items()}
    if name or variant.name in games:
        yield f"手合割：{name or games[variant.name]}"
    if name:
        return
    yield f"後手の持駒：{_hand_text(game, 1)}"
    yield f"  {' '.join(reversed(_FILES[: variant.files]))}"
    edge = f"+{'---' * variant.files}+"
    yield edge
    for rank, row in zip(_RANKS, shogi_names.board_letters(game), strict=False):
        yield f"|{''.join(map(_board_cell, row))}|{rank}"
    yield edge
    yield f"先手の持駒：{_hand_text(game, 0)}"
    yield ("先手番", "後手番")[game.side_to_move]


def _board_cell(letter: str) -> str:
    if not letter:
        return " ・"
    return ("v" if letter.islower() else " ") + shogi_names.NAMES_BY_LETTER[letter.upper()].board


def _hand_text(game: Game, side: int) -> str:
    hand = game.hands[side].items()
    parts = [
        shogi_names.NAMES_BY_LETTER[code].board + (_kanji_number(count) if count > 1 else "")
        for code, count in hand
    ]
    return "　".join(parts) or "なし"


def _move_lines(
    played: Round, number: int = 1, last: Square | None = None, unfinished: str = _UNFINISHED
) -> Parts:
    """A line of moves and, from the latest to the earliest, the variations from it.

    ``number`` is that of its first move; the move before that ended on ``last``. ``unfinished`` is
    the word behind a line that has not ended, empty for none.
    """
    game = played.beginning()
    lasts = [last]
    yield from shogi_names.comment_lines(played, 0, "*")
    for index, move in enumerate(played.game.moves, 1):
        yield f"{number + index - 1:4} {write(game, move, lasts[-1])}"
        game.push(move)
        lasts.append(move.target)
        yield from shogi_names.comment_lines(played, index, "*")
    outcome = played.game.outcome()
    word = _ending_word(outcome, game.turn) if outcome else unfinished
    if word:
        yield f"{number + len(lasts) - 1:4} {word}"
    for index in sorted(played.variations, reverse=True):
        for other in played.variations[index]:
            yield f"\n変化：{number + index - 1}手"
            yield _move_lines(other, number + index - 1, lasts[index - 1], "")


def _ending_word(outcome: Outcome, side: str) -> str:
    """The word for the end of a game in which a side is to move."""
    if outcome.winner == side:
        return "入玉勝ち"
    return _ENDING_BY_REASON.get(outcome.reason, "投了" if outcome.winner else "持将棋")

"""The record format of alfil: writing a match, and parsing it with spans.

The text only grows while moves are made and things are said, so that a file can be added to: after
each move of the first player stands a blank, after each of the second side a line break. What reads
it knows no rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, NoReturn, TypeAlias

from alfil.errors import Diagnostic, RecordError, did_you_mean_or_list, reject
from alfil.game.variant import PieceType, Rules, Variant
from alfil.play.outcomes import Outcome
from alfil.play.session import Round, Session, one_line
from alfil.source import Source, Span

_DIGEST_LENGTH = 16
# Movements are compared by themselves, and words about a piece change no game.
_NOT_DIGESTED = frozenset(
    {"code", "name", "piece", "status", "note", "kanji", "value", "hand_value"}
)


def game_digest(variant: Variant) -> str:
    """Board, rules, set-up, hands and the fields of the pieces, in 16 figures and letters.

    A field that has its usual value counts as one that is not there.

    >>> import alfil
    >>> chess, king = (alfil.load(name).variant for name in ("chess", "three_check"))
    >>> again = alfil.load("chess").variant
    >>> game_digest(chess) == game_digest(again), game_digest(chess) == game_digest(king)
    (True, False)
    """
    import hashlib  # noqa: PLC0415 - it brings a library of ciphers along

    text = "\n".join(_digest_lines(variant))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]


def _digest_lines(variant: Variant) -> Iterator[str]:
    yield f"board {variant.files}x{variant.ranks}"
    yield from _changed_field_lines(variant.rules, Rules())
    for kind in sorted(variant.kinds, key=lambda kind: kind.code):
        usual = PieceType(kind.code, kind.name, kind.piece, kind.code, kind.code)
        yield f"piece {kind.code}"
        yield from _changed_field_lines(kind, usual)
    yield from (repr(tuple(each)) for each in sorted(variant.setup))
    yield from (repr(sorted(hand)) for hand in variant.hands)


def _changed_field_lines(whole: Rules | PieceType, usual: Rules | PieceType) -> Iterator[str]:
    for each in fields(usual):
        value = getattr(whole, each.name)
        if each.name not in _NOT_DIGESTED and value != getattr(usual, each.name):
            yield f"{each.name} = {_canonical_value(value)}"


def _canonical_value(value: Any) -> str:  # noqa: ANN401 - whatever a field holds
    """A value in one spelling; sets are put in order."""
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return repr(tuple(value))
    return repr(value)


# Parts of a text; one that is itself made of parts is not a text yet.
Parts: TypeAlias = "Iterator[str | Parts]"
FORMAT_VERSION = "1"
FIRST_LINE = "alfil record"
DRAW_WORD = "draw"
# What stands after claims: in a game that goes on where the rules would have ended it.
PLAYED_ON = "played on"


def render(session: Session, *, finished: bool) -> str:
    """The text of a record; the last line of a ``finished`` one says that nothing is missing."""
    parts = list(_header_lines(session))
    for number, played in enumerate(session.rounds, 1):
        text = "".join([*_round_header_lines(number, played), *_move_lines(played)])
        if (finished or played.game.outcome()) and text.endswith(" "):
            text = text[:-1] + "\n"
        parts.append(text + "".join(_result_lines(played)))
    text = "\n".join(parts)
    return f"{text}\nend\n" if finished else text


def _header_lines(session: Session) -> Iterator[str]:
    variant = session.variant
    yield f"{FIRST_LINE} {FORMAT_VERSION}"
    yield f"game: {one_line(variant.name)}"
    yield f"title: {one_line(variant.title)}"
    yield f"rules: {game_digest(variant)}"
    overridden = {kind.code for kind in variant.kinds if kind.status == "user"}
    for code, move in variant.moves:
        yield f"{'override' if code in overridden else 'move'} {code}: {one_line(move)}"
    for number, name in enumerate(session.players, 1):
        yield f"player {number}: {one_line(name)}"
    if session.adjudicate:
        yield "illegal moves: lose"
    yield ""


def _round_header_lines(number: int, played: Round) -> Iterator[str]:
    yield f"round {number}\n"
    if played.date:
        yield f"date: {one_line(played.date)}\n"
    if played.start:
        yield f"position: {played.start}\n"
    if played.game.ignores_claimable_ends:
        yield f"claims: {PLAYED_ON}\n"
    yield "\n"


def _move_lines(played: Round) -> Iterator[str]:
    second = (played.game.side_to_move + len(played.game.moves)) % 2
    return flatten_nested(_movetext_parts(played, second))


def _movetext_parts(played: Round, moves_before: int) -> Parts:
    """One line of moves and what is said between them; ``moves_before`` it were made."""
    yield from _nag_and_comment_parts(played, 0, "\n")
    for index, text in enumerate(played.texts):
        pair, is_second = divmod(moves_before + index, 2)
        if not is_second or index == 0:
            yield f"{pair + 1}. " + ("... " if is_second else "")
        end = "\n" if is_second else " "
        yield text + end
        yield from _nag_and_comment_parts(played, index + 1, end)
        for other in played.variations.get(index + 1, ()):
            yield "(\n"
            yield _variation_parts(other, moves_before + index)
            yield f"){end}"


def _variation_parts(played: Round, moves_before: int) -> Parts:
    """A line that was not played, up to the end of a line of text."""
    yield _movetext_parts(played, moves_before)
    if (moves_before + len(played.game.moves)) % 2:
        yield "\n"
    yield from _result_lines(played)


def flatten_nested(parts: Iterator[Any]) -> Iterator[Any]:
    """All parts in their order, however deep in others they are."""
    nested = [parts]
    while nested:
        part = next(nested[-1], None)
        if part is None:
            nested.pop()
        elif isinstance(part, Iterator):
            nested.append(part)
        else:
            yield part


def _result_lines(played: Round) -> Iterator[str]:
    outcome = played.game.outcome()
    if outcome:
        if played.game.illegal_text:
            yield f"illegal: {played.game.illegal_text}\n"
        yield f"result: {outcome_line(outcome)}\n"


def _nag_and_comment_parts(played: Round, index: int, end: str) -> Iterator[str]:
    yield from (f"${number}{end}" for number in played.nags.get(index, ()))
    for text in played.comments.get(index, []):
        escaped = text.replace("\\", "\\\\").replace("}", "\\}").replace("\r", "\\r")
        yield f"{{{escaped}}}{end}"


def outcome_line(outcome: Outcome) -> str:
    """An outcome on one line: the winning side or draw, the reason, and what was illegal.

    >>> illegal = Outcome("w", "illegal-move", "own-piece")
    >>> outcome_line(illegal), outcome_line(Outcome(None, "repetition"))
    ('w, illegal-move, own-piece', 'draw, repetition')
    """
    detail = (outcome.detail,) if outcome.detail else ()
    return ", ".join((outcome.winner or DRAW_WORD, outcome.reason, *detail))


_HEADER_KEYS = ("game", "title", "rules", "player 1", "player 2", "illegal moves")
_KEYS_WITH_CODE = ("move", "override")
_ROUND_KEYS = ("date", "position", "claims")
_ROUND_PATTERN = re.compile(r"round ([1-9][0-9]{0,5})")
_BLANKS = re.compile(r"\s*")
# One part of the moves: a comment, or what ends at a blank. Behind the number of a move none is
# needed, and dots stand for the first side's move.
_ITEM_PATTERN = re.compile(
    r"\{(?P<comment>(?:[^\\}]|\\.)*)\}"
    r"|(?<=[0-9]\.)(?P<skip>\.\.)"
    r"|(?<!\.)(?:(?P<number>[1-9][0-9]{0,6})\."
    r"|(?P<dots>\.\.\.)(?=\s)|(?P<line>result:|illegal:)(?=\s)"
    r"|(?P<stop>round(?=\s)|end(?!\S)))"
    r"|(?P<nag>\$[0-9]{1,9})(?=\s)|(?P<variation>\()(?=\s)|(?P<close>\))(?=\s)"
    r"|(?P<move>[^\s{]\S*)(?=\s)",
    re.DOTALL,
)
# What may be the last of a text that has no blank behind it.
_LAST_ITEM_PATTERN = re.compile(
    r"\{(?P<comment>(?:[^\\}]|\\.)*)\}|(?<!\.)(?P<stop>end)(?!\S)", re.DOTALL
)
_ESCAPE_PATTERN = re.compile(r"\\([\\}r])")


class LocatedText(NamedTuple):
    """A string of the record with its span."""

    text: str
    span: Span


class RecordItem(NamedTuple):
    """One item of the move text of a round.

    ``category`` is move, comment, nag, number, skip, illegal or result; stop is where the moves
    end. A variation begins one, whose place is all of it, and end is where it ends. In records of
    other programs it may be claim: who wins (0, 1, m for the side to move, o for the other one, -
    for nobody) and why.
    """

    category: str
    text: str
    span: Span


@dataclass
class ParsedRound:
    """One game as it stands in the record; ``span`` is its first line."""

    span: Span
    fields: dict[str, LocatedText] = field(default_factory=dict)
    items: list[RecordItem] = field(default_factory=list)


# So many variations of a text may be wrong, and one more for so many characters.
MOST_WRONG_VARIATIONS, WRONG_VARIATION_LENGTH = 500, 500


class WrongVariationBudget:
    """How many variations of a text may still be wrong: to say why takes longer than to read one.

    All that are behind those are left out, right or wrong.
    """

    def __init__(self, source: Source) -> None:
        self.left = MOST_WRONG_VARIATIONS + len(source.text) // WRONG_VARIATION_LENGTH


@dataclass
class ParsedRecord:
    """A parsed record.

    ``moves`` are the movements by code, from the lines move and override; ``overrides`` the codes
    of the latter. ``truncation`` is what is wrong with the end of a text that breaks off, ``notes``
    say what else was left out, and ``tags`` what is neither moves nor a field. All records of a
    text share ``wrong_variations``.
    """

    source: Source
    wrong_variations: WrongVariationBudget = field(init=False)
    fields: dict[str, LocatedText] = field(default_factory=dict)
    moves: dict[str, LocatedText] = field(default_factory=dict)
    overrides: list[str] = field(default_factory=list)
    rounds: list[ParsedRound] = field(default_factory=list)
    truncation: Diagnostic | None = None
    notes: list[Diagnostic] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.wrong_variations = WrongVariationBudget(self.source)

    def add_omission_note(self, omitted: list[LocatedText]) -> None:
        """Note what is said of the game and is not kept, by its names."""
        if omitted:
            names = ", ".join(each.text for each in omitted)
            spans = tuple(each.span for each in omitted)
            self.notes.append(Diagnostic("left-out", f"left out: {names}", spans, severity="note"))


def parse(source: Source, *, recover: bool = False) -> ParsedRecord:
    """Take a record apart; raises `RecordError`.

    With ``recover`` a text that breaks off gives all that is whole in it, and ``lost``.
    """
    return _RecordParser(source, recover=recover).parse()


class _TruncationError(Exception):
    """The text ends in the middle of something that began at ``start``."""

    def __init__(self, start: int) -> None:
        super().__init__(start)
        self.start = start


class _RecordParser:
    """Reads one text from the left to the right."""

    def __init__(self, source: Source, *, recover: bool) -> None:
        self._source = source
        self._text = source.text
        self._recover = recover
        self._at = self._begun = 0
        self._last_blank = len(source.text) - len((source.text + ".").rsplit(None, 1)[-1])
        self._parsed = ParsedRecord(source)
        self._ended = False

    def parse(self) -> ParsedRecord:
        try:
            self._parse_first_line()
            self._parse_header()
        except _TruncationError as broken:
            self._reject_truncated(broken.start, "there is nothing to be saved from it")
        try:
            while not self._ended:
                self._parse_round()
        except _TruncationError as broken:
            self._keep_or_reject_truncation(broken.start)
        self._reject_text_after_end()
        return self._parsed

    def _keep_or_reject_truncation(self, start: int) -> None:
        hint = "alfil record shows all before it, and alfil play --resume continues from there"
        if not self._recover:
            self._reject_truncated(start, hint)
        self._parsed.truncation = self._truncation_diagnostic(start, "")

    def _truncation_diagnostic(self, start: int, hint: str) -> Diagnostic:
        rest = self._text[start:]
        message = f"the record breaks off in {rest[:40]}" if rest.strip() else "its end is missing"
        return Diagnostic("record-breaks-off", message, (Span(start, len(self._text)),), hint)

    def _reject_truncated(self, start: int, hint: str) -> NoReturn:
        raise RecordError([self._truncation_diagnostic(start, hint)], self._source)

    def _reject(self, kind: str, message: str, start: int, end: int, hint: str) -> NoReturn:
        reject(RecordError, kind, message, self._source, Span(start, end), hint)

    def _parse_first_line(self) -> None:
        head = f"{FIRST_LINE} "
        if self._text and head.startswith(self._text[: len(head)]) and len(self._text) < len(head):
            raise _TruncationError(0)
        line = self._read_rest_of_line().text if self._text.startswith(head) else ""
        if not line:
            hint = f"its first line is {head}{FORMAT_VERSION}"
            self._reject("no-record", "this is no record of alfil", 0, 1, hint)
        version = line.removeprefix(head)
        if version != FORMAT_VERSION:
            message = f"this is a record of version {version}, and only {FORMAT_VERSION} is known"
            hint = "it may be of a later alfil"
            self._reject("record-version", message, len(head), len(line), hint)

    def _read_rest_of_line(self) -> LocatedText:
        """What is left of the line; it must end."""
        start = self._at
        end = self._text.find("\n", start)
        if end < 0:
            raise _TruncationError(start)
        self._at = end + 1
        return LocatedText(self._text[start:end], Span(start, end))

    def _parse_fields(
        self, known: tuple[str, ...], *, allow_piece_codes: bool = False
    ) -> dict[str, LocatedText]:
        """Names and values up to an empty line; with ``allow_piece_codes`` some name a piece."""
        results: dict[str, LocatedText] = {}
        while (line := self._read_rest_of_line()).text.strip():
            start = line.span.start
            name, colon, value = line.text.partition(":")
            if allow_piece_codes and "game" not in results and name.strip() == "end":
                break
            if not colon:
                hint = "expected lines such as date: 2026-11-21, and then an empty line"
                self._reject("record-line", "no name and value", *line.span, hint)
            stripped = _strip_with_span(value, start + len(name) + 1)
            name, here = name.strip(), (start, stripped.span.start)
            word, _, code = name.partition(" ")
            names = {name}
            if allow_piece_codes and code and word in _KEYS_WITH_CODE:
                names = {f"{each} {code}" for each in _KEYS_WITH_CODE}
            elif name not in known:
                known_names = (
                    *known,
                    *(f"{each} CODE" for each in _KEYS_WITH_CODE if allow_piece_codes),
                )
                message = f"no line of a record begins with {name}"
                hint = did_you_mean_or_list(name, known_names)
                self._reject("unknown-header", message, *here, hint)
            if results.keys() & names:
                message = f"there are two lines {name}"
                self._reject("record-line", message, *here, "leave one out")
            results[name] = stripped
        return results

    def _parse_header(self) -> None:
        fields = self._parse_fields(_HEADER_KEYS, allow_piece_codes=True)
        for name, value in fields.items():
            word, _, code = name.partition(" ")
            if name in _HEADER_KEYS:
                self._parsed.fields[name] = value
            else:
                self._parsed.moves[code] = value
                self._parsed.overrides += [code] if word == "override" else []
        if "game" not in fields:
            message = "the record does not say of what game it is"
            hint = "add a line: game: hand_shogi"
            self._reject("record-line", message, 0, len(FIRST_LINE), hint)

    def _parse_round(self) -> None:
        """One game: its first line, its fields, its moves; or the end."""
        if self._next_item().text == "end":
            self._ended = True
            return
        self._at = self._begun
        line = self._read_rest_of_line()
        match = _ROUND_PATTERN.fullmatch(line.text.rstrip())
        number = len(self._parsed.rounds) + 1
        if match is None or int(match.group(1)) != number:
            hint = f"write round {number}, or end"
            self._reject("record-line", "here the next round begins", *line.span, hint)
        try:
            played = ParsedRound(line.span, self._parse_fields(_ROUND_KEYS))
        except _TruncationError:
            # Without its fields nobody knows with what position it began.
            raise _TruncationError(line.span.start) from None
        self._parsed.rounds.append(played)
        self._parse_items(played.items)
        self._at = self._begun

    def _parse_items(self, items: list[RecordItem]) -> None:
        """The moves of a game with all that stands between them; variations must end in it."""
        begun: list[int] = []
        while (item := self._next_item()).category != "stop":
            if item.category == "variation":
                begun.append(len(items))
            elif item.category == "end":
                if not begun:
                    self._reject("record-line", "no variation is open", *item.span, "take it out")
                first = items[begun[-1]]
                whole = Span(first.span.start, item.span.end)
                items[begun.pop()] = first._replace(span=whole)
            items.append(item)
        if begun:
            place = items[begun[-1]].span
            self._reject("record-line", "this variation does not end", *place, "write ) behind it")

    def _next_item(self) -> RecordItem:
        """The next part of the moves, ``_begun`` being where it begins."""
        blanks = _BLANKS.match(self._text, self._at)
        self._begun = blanks.end() if blanks else self._at
        pattern = _ITEM_PATTERN if self._begun <= self._last_blank else _LAST_ITEM_PATTERN
        match = pattern.match(self._text, self._begun)
        if match is None:
            raise _TruncationError(self._begun)
        self._at = match.end()
        sort = match.lastgroup or ""
        text, span = match[sort], Span(*match.span(sort))
        if sort == "comment":
            unescaped = _ESCAPE_PATTERN.sub(
                lambda results: results.group(1).replace("r", "\r"), text
            )
            return RecordItem("comment", unescaped, Span(self._begun, self._at))
        if sort == "line":
            rest = self._read_rest_of_line()
            return RecordItem(text.removesuffix(":"), *_strip_with_span(rest.text, rest.span.start))
        return RecordItem({"dots": "skip", "close": "end"}.get(sort, sort), text, span)

    def _reject_text_after_end(self) -> None:
        rest = _strip_with_span(self._text[self._at :], self._at)
        if self._ended and rest.text:
            hint = "take the line end out"
            message = "there is text after the end"
            self._reject("record-line", message, rest.span.start, len(self._text), hint)


def _strip_with_span(text: str, start: int) -> LocatedText:
    """A text without the blanks around it, and where it stands."""
    bare = text.strip()
    start += len(text) - len(text.lstrip())
    return LocatedText(bare, Span(start, start + len(bare)))

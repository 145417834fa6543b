"""Games in PGN, the format of chess programs: tags, moves in SAN, comments, variations, result.

Numbers of moves are not looked at. A mark of how good a move is (`!`, `$1`) is a number, a NAG.
`Variant` is the name of the game; `FEN` is a position as the game reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from alfil.errors import Diagnostic, RuleError
from alfil.game.variant import Variant
from alfil.play.records import san
from alfil.play.records.own_format import (
    LocatedText,
    ParsedRecord,
    ParsedRound,
    Parts,
    RecordItem,
    flatten_nested,
)
from alfil.play.session import Round, Session, one_line
from alfil.source import Source, Span

DEFAULT_VARIANT = "chess"
# What Lichess calls chess, where it says so.
STANDARD_CHESS_NAMES = frozenset({"standard", "from position"})
_WIDTH = 79
_TOKEN_PATTERN = re.compile(
    r"(?P<blank>(?:\s++|^%.*$|\d+\s*\.+|e\.p\.[+#]?(?![^\s!?(){};$]))++)"
    r'|\[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]'
    r"|\{(?P<comment>[^}]*+)\}|(?P<unclosed>\{[^}]*+\Z)|;(?P<rest>.*)"
    r"|(?P<open>\()|(?P<close>\))|(?P<nag>\$\d{1,9}(?!\d))"
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s\[]|$)"
    r"|(?P<move>[^\s{}();$]+)"
    r"|(?P<other>.)",
    re.MULTILINE,
)
_NAG_BY_GLYPH = {"!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6"}
_GLYPH_PATTERN = re.compile(r"[!?]{1,2}$")
_MARKS = "!?"
_WINNER_BY_RESULT = {"1-0": "0", "0-1": "1", "1/2-1/2": "-"}
# How a game ended that no position shows, as the tag Termination has it.
_REASON_BY_TERMINATION = {
    "time forfeit": "time",
    "rules infraction": "forfeit",
    "abandoned": "forfeit",
    "adjudication": "adjudication",
    "resignation": "resignation",
    "agreement": "agreement",
}
# The same in sentences, as "Ada won by resignation".
_REASON_BY_SENTENCE = {"resign": "resignation", "agreement": "agreement", "on time": "time"}
_KNOWN_TAGS = ("White", "Black", "Date", "Result", "Variant", "FEN", "SetUp", "Termination")
# What is not known of a date is written with question marks.
_DATE_PATTERN = re.compile(r"(\d{4}|\?{4})[.-](\d\d|\?\?)[.-](\d\d|\?\?)")
_UNKNOWN_DATE = "????.??.??"
# Words that stay as they are in the name of a variant.
_SMALL_WORDS = frozenset({"of", "the"})


def parse(source: Source, *, recover: bool = False) -> Iterator[ParsedRecord]:
    """The games of a text, taken apart; what cannot be read is a move, and no move of any game.

    With ``recover`` a comment and variations in which the text breaks off end there.
    """
    closed, missing = _variation_ends_and_missing_text(source.text, to_the_end=recover)
    if not (recover and missing):
        yield from _records(source, closed)
        return
    whole = Source(source.text + missing, source.name)
    *earlier, last = _records(whole, _variation_ends_and_missing_text(whole.text)[0])
    at = len(source.text.rstrip())
    message = f"the record breaks off: {missing} is missing"
    last.truncation = Diagnostic("record-breaks-off", message, (Span(at, at + 1),))
    yield from (*earlier, last)


def _records(source: Source, variation_ends: dict[int, re.Match[str]]) -> Iterator[ParsedRecord]:
    """The games of a text; variations that begin in ``variation_ends`` have an end there."""
    sheet, ends = _GameParser(source), {last.start() for last in variation_ends.values()}
    for token in _TOKEN_PATTERN.finditer(source.text):
        kind, at = token.lastgroup, token.start()
        if kind == "blank":
            continue
        if sheet.ended or (kind == "value" and sheet.items):
            yield sheet.finish()
            sheet = _GameParser(source)
        sheet.begun = True
        if kind == "move":
            sheet.add_move(token[0], at, token.end())
        elif at in variation_ends:
            sheet.begin_variation(token, variation_ends[at])
        elif at in ends:
            sheet.end_variation(token)
        else:
            sheet.add_token(token)
    if sheet.begun:
        yield sheet.finish()


def _variation_ends_and_missing_text(
    text: str, *, to_the_end: bool = False
) -> tuple[dict[int, re.Match[str]], str]:
    """What ends the variation that begins at a place, and what would close those open at the end.

    No tag stands between the two. Where there are no variations, an open comment is looked for only
    if asked for.
    """
    result: dict[int, re.Match[str]] = {}
    begun: list[int] = []
    brace = ""
    for token in _TOKEN_PATTERN.finditer(text) if to_the_end or "(" in text else ():
        if token["tag"]:
            begun.clear()
        elif token["open"]:
            begun.append(token.start())
        elif token["close"] and begun:
            result[begun.pop()] = token
        elif token["unclosed"]:
            brace = "}"
    return result, brace + ")" * len(begun)


class _GameParser:
    """One game while it is read."""

    def __init__(self, source: Source) -> None:
        self.written = ParsedRecord(source)
        self.items: list[RecordItem] = []
        self.tags: dict[str, LocatedText] = {}
        self.ended = self.begun = False
        # How many variations are open.
        self._depth = 0

    def add_token(self, token: re.Match[str]) -> None:
        """One part of the text, which neither begins nor ends a variation and is no move."""
        span = Span(*token.span())
        if token["tag"]:
            comment = re.sub(r"\\(.)", r"\1", token["value"])
            self.tags[token["tag"]] = LocatedText(comment, Span(*token.span("value")))
        elif token["nag"]:
            self.items.append(RecordItem("nag", token["nag"], span))
        elif token["result"]:
            self._add_result(token["result"], span)
        elif token["other"] or token["open"] or token["close"]:
            self.add_move(token[0], *span)
        elif token["unclosed"]:
            self.add_move("{", span.start, span.start + 1)
        elif (comment := token["comment"] or token["rest"] or "").strip():
            self.items.append(RecordItem("comment", " ".join(comment.split()), span))

    def begin_variation(self, token: re.Match[str], last: re.Match[str]) -> None:
        """The beginning of a variation, and where it ends."""
        self._depth += 1
        self.items.append(RecordItem("variation", token[0], Span(token.start(), last.end())))

    def end_variation(self, token: re.Match[str]) -> None:
        """The end of a variation."""
        self._depth -= 1
        self.items.append(RecordItem("end", token[0], Span(*token.span())))

    def add_move(self, text: str, start: int, end: int) -> None:
        """A move with the marks behind it."""
        glyph = _GLYPH_PATTERN.search(text) if text[-1] in _MARKS else None
        bare = text[: glyph.start()] if glyph else text
        if bare:
            self.items.append(RecordItem("move", bare, Span(start, start + len(bare))))
        if glyph:
            self.items.append(RecordItem("nag", _NAG_BY_GLYPH[glyph[0]], Span(end, end)))

    def _add_result(self, result: str, span: Span) -> None:
        """The result of the game; in a variation it is one of nothing that was played."""
        self.ended = not self._depth
        told = self.tags.get("Result")
        if self.ended and told and told.text in {*_WINNER_BY_RESULT, "*"} and told.text != result:
            message = (
                f"the tag Result says {told.text}, and the moves end with {result}, which is read"
            )
            note = Diagnostic("record-result", message, (told.span, span), severity="note")
            self.written.notes.append(note)
        if result in _WINNER_BY_RESULT and self.ended:
            termination = self.tags.get("Termination", LocatedText("", span)).text
            self.items.append(
                RecordItem(
                    "claim", f"{_WINNER_BY_RESULT[result]} {_termination_reason(termination)}", span
                )
            )

    def finish(self) -> ParsedRecord:
        """The game with its fields where replaying looks for them."""
        parsed, tags = self.written, self.tags
        here = self.items[0].span if self.items else Span(0, 1)
        variant = tags.get("Variant", LocatedText("", here))
        plain = variant.text.lower() in STANDARD_CHESS_NAMES
        parsed.fields["game"] = variant._replace(text="") if plain else variant
        for number, name in enumerate(("White", "Black"), 1):
            who = tags.get(name, LocatedText("", here))
            if who.text not in {"", "?"}:
                parsed.fields[f"player {number}"] = who
        fields = {}
        told = tags.get("Date", LocatedText(_UNKNOWN_DATE, here))
        date = _DATE_PATTERN.fullmatch(told.text)
        if told.text != _UNKNOWN_DATE:
            fields["date"] = LocatedText("-".join(date.groups()) if date else told.text, told.span)
        if "FEN" in tags:
            fields["position"] = tags["FEN"]
        parsed.tags = {name: each.text for name, each in tags.items() if name not in _KNOWN_TAGS}
        termination = tags.get("Termination", LocatedText("", here)).text
        if _termination_reason(termination) == "unstated" and termination:
            parsed.tags["Termination"] = termination
        parsed.rounds.append(ParsedRound(here, fields, self.items))
        return parsed


def _termination_reason(termination: str) -> str:
    """Why a game ended, of what the tag Termination says."""
    termination = termination.lower()
    result = (reason for words, reason in _REASON_BY_SENTENCE.items() if words in termination)
    return _REASON_BY_TERMINATION.get(termination) or next(result, "unstated")


def render(session: Session) -> str:
    """The games of a match in PGN, an empty line between them."""
    return "\n".join(_game_text(session, number) for number in range(len(session.rounds)))


def _game_text(session: Session, number: int) -> str:
    played = session.rounds[number]
    head = [f'[{name} "{_escaped(value)}"]' for name, value in _tag_pairs(session, number)]
    moves = _wrap_lines([*flatten_nested(_movetext(played)), played.game.result()])
    return "\n".join([*head, "", *moves, ""])


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')


def _tag_pairs(session: Session, number: int) -> Iterator[tuple[str, str]]:
    played, variant = session.rounds[number], session.variant
    outcome, tags = played.game.outcome(), {**played.tags}
    date = _DATE_PATTERN.fullmatch(played.date)
    termination = tags.pop("Termination", "")
    yield "Event", tags.pop("Event", "?")
    yield "Site", tags.pop("Site", "?")
    yield "Date", ".".join(date.groups()) if date else played.date or _UNKNOWN_DATE
    yield "Round", tags.pop("Round", str(number + 1) if len(session.rounds) > 1 else "?")
    for side, player in zip(("White", "Black"), session.names(number), strict=True):
        yield side, player or "?"
    yield "Result", played.game.result()
    yield from tags.items()
    if variant.name != DEFAULT_VARIANT:
        yield "Variant", _variant_name(variant)
    if played.start:
        yield "SetUp", "1"
        yield "FEN", _fen(played)
    ends = {reason: comment for comment, reason in reversed(_REASON_BY_TERMINATION.items())}
    if outcome and outcome.reason != "unstated":
        termination = ends.get(outcome.reason, "normal")
    if termination:
        yield "Termination", termination


def _variant_name(variant: Variant) -> str:
    """The name for the tag, as Lichess has it: "King of the Hill", "Three-check"."""
    title = " ".join(
        word if word in _SMALL_WORDS else word[:1].upper() + word[1:]
        for word in variant.title.split()
    ).removesuffix(" Chess")
    told, name = (re.sub("[^a-z0-9]", "", each.lower()) for each in (title, variant.name))
    return title if told == name else variant.name.replace("_", "-").capitalize()


def _fen(played: Round) -> str:
    """The position a game began with in FEN, where that says all; else as the game writes it."""
    game = played.beginning()
    try:
        return game.fen()
    except RuleError:
        return played.start


def _movetext(played: Round) -> Parts:
    """Parts of the moves, between which a line may end; variations stand in parentheses."""
    game = played.beginning()
    yield from _comment_parts(played, 0)
    second, spoken = game.side_to_move, True
    begins = (game._position.number + 1) // 2
    for index, move in enumerate(played.game.moves):
        number = begins + (index + second) // 2
        if game.side_to_move == 0 or spoken:
            yield f"{number}." if game.side_to_move == 0 else f"{number}..."
        yield san.write(game, move)
        game.push(move)
        yield from (f"${number}" for number in played.nags.get(index + 1, ()))
        comments = [*_comment_parts(played, index + 1)]
        yield from comments
        others = played.variations.get(index + 1, [])
        for other in others:
            yield "("
            yield _movetext(other)
            yield ")"
        spoken = bool(comments or others)
    if played.game.illegal_text:
        yield f"{{illegal: {played.game.illegal_text}}}"


def _comment_parts(played: Round, index: int) -> Iterator[str]:
    for text in played.comments.get(index, []):
        bare = " ".join(text.split())
        if "}" in bare:
            yield f";{bare}"
        elif bare:
            yield f"{{{bare}}}"


def _wrap_lines(parts: list[str]) -> Iterator[str]:
    """Lines of the parts; a comment up to the end of a line is one of its own."""
    line: list[str] = []
    for part in [*parts, ""]:
        if part and part[0] != ";":
            line.append(part)
            continue
        yield from wrap(" ".join(line), _WIDTH, break_long_words=False, break_on_hyphens=False)
        line = []
        if part:
            yield part

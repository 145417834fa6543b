"""Fields and flags of pieces, and rules, in piece files.

Both are tables with an entry for every key or rule, with the function that reads its value. Values
are words in, what they stand for out, or `InvalidValue` with a hint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, TypeAlias, cast, get_args, get_type_hints

from alfil.api import Piece, read
from alfil.errors import AlfilError, MeaningError, NotationError, did_you_mean_or_list
from alfil.frozen_dataclasses import NamedTuple
from alfil.game.rule_table import RULES as KNOWN
from alfil.game.variant import (
    Area,
    Contagion,
    Countdown,
    DrawOdds,
    DrawOddsForm,
    Extinction,
    Goal,
    Impasse,
    MatchLength,
    MoveLimit,
    PieceType,
    RegionMoves,
    Repetition,
    RepetitionResult,
    Rules,
    Win,
    WinForm,
)
from alfil.geometry import BOARD_LIMIT
from alfil.library.piece_file import Entry
from alfil.library.statements import Diagnostics, Field, InvalidValue, Statement, Text
from alfil.notation.hasinu.user_functions import Functions
from alfil.notation.registry import NOTATIONS
from alfil.source import Source, Span
from alfil.squares import number_from_letters

NUMBER_PATTERN = re.compile(r"[0-9]{1,4}")
COUNTDOWN_PATTERN = re.compile(r"(all|[0-9]{1,4})(?:/(.+?)(?:\*([0-9]{1,4}))?)?:([0-9]{1,4})")
POINTS_PATTERN = re.compile(r"[0-9]{1,4}(?:\.[05])?")
VALUE_PATTERN = re.compile(r"-?[0-9]{1,4}(?:\.[0-9]{1,3})?")
SIZE_PATTERN = re.compile(r"([0-9]{1,4})[x×X]([0-9]{1,4})")
LEADING_ZEROS = re.compile(r"\b0+(?=[0-9])")
# The last rank of any board, as in 1-R.
LAST_RANK = "R"
RANK_SPAN_PATTERN = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}|R))?")
FILE_PATTERN = re.compile(r"[a-z]{1,2}")
LETTER_PATTERN = re.compile(r"\+?[^\W\d_]|\[\+?[^\W\d_]{2,}\]")
FILE_LIMIT = 36
# What cannot be part of a code: it would not be told apart in a set-up, a hand or a list, or a move
# of it would be a comment or a square in a record.
CODE_SEPARATORS = re.compile(r"[.*,:\"{}<>`|\\]|^[0-9]|^(?:[a-z]{1,2}[0-9]{1,2}){2}")
CODE_LIMIT = 16
MAX_NUMBER = 9999

Words: TypeAlias = tuple[Text, ...]


def check_choice(text: Text, what: str, known: Collection[str]) -> str:
    """The word, checked to be one of those known."""
    if text.value in known:
        return text.value
    near = did_you_mean_or_list(text.value, known)
    raise InvalidValue("cannot-be", text.span, what=what, value=text.value or "empty", near=near)


def read_number(text: Text, what: str, least: int, most: int) -> int:
    """A whole number between two others."""
    if NUMBER_PATTERN.fullmatch(text.value) and least <= int(text.value) <= most:
        return int(text.value)
    value = text.value or "empty"
    raise InvalidValue("number", text.span, what=what, least=least, most=most, value=value)


def read_board_size(text: Text) -> tuple[int, int]:
    """Files and ranks."""
    match = SIZE_PATTERN.fullmatch(text.value)
    if not match:
        raise InvalidValue("size", text.span, value=text.value)
    files, ranks = int(match[1]), int(match[2])
    if not (1 <= files <= BOARD_LIMIT and 1 <= ranks <= BOARD_LIMIT):
        raise InvalidValue("large", text.span, most=BOARD_LIMIT)
    return files, ranks


def read_rank_span(text: Text, what: str) -> tuple[int, int]:
    """First and last rank, counted from the owner; R is the last rank of any board."""
    match = RANK_SPAN_PATTERN.fullmatch(text.value)
    if not match:
        raise InvalidValue("ranks", text.span, what=what, value=text.value or "empty")
    first = int(match[1])
    last = BOARD_LIMIT if match[2] == LAST_RANK else int(match[2] or match[1])
    if not 1 <= first <= last <= BOARD_LIMIT:
        raise InvalidValue("rank-order", text.span, value=text.value, most=BOARD_LIMIT)
    return first, last


def split_list(text: Text) -> list[Text]:
    """The parts of a list with commas, each with its own place; blanks around them are left out."""
    result: list[Text] = []
    empty = not text.value.strip()
    # Where the part begins in the file: a quote in quotes is written twice there.
    start = text.span.start + text.is_quoted
    for raw in text.value.split(","):
        bare, written = raw.strip(), len(raw) + raw.count('"') * text.is_quoted
        begin = start + len(raw) - len(raw.lstrip())
        end = begin + max(len(bare) + bare.count('"') * text.is_quoted, 1)
        if not empty:
            result.append(Text(bare, Span(begin, max(end, text.span.start + 1))))
        start += written + 1
    return result


def _choice_type(what: str) -> FieldType:
    """One of the words that a kind of piece can have for this."""
    known = get_args(get_type_hints(PieceType)[what.replace("-", "_")])
    return FieldType(lambda text: check_choice(text, what, known), values=known)


def _read_nonempty_text(text: Text) -> str:
    if not text.value.strip():
        raise InvalidValue("nothing-quoted", text.span)
    return text.value.strip()


def _read_codes(text: Text) -> tuple[str, ...]:
    result = tuple(" ".join(part.value.split()) for part in split_list(text))
    if not result or "" in result or len(set(result)) < len(result):
        raise InvalidValue("list", text.span)
    return result


def _read_letter(text: Text) -> str:
    if not LETTER_PATTERN.fullmatch(text.value) or len(text.value.upper()) != len(text.value):
        raise InvalidValue("single-letter", text.span, value=text.value or "nothing")
    return text.value.strip("[]").upper()


def _read_drop_ranks(text: Text) -> tuple[int, int] | None:
    return None if text.value == "none" else read_rank_span(text, "drop-ranks")


def read_region(text: Text, what: str) -> Area:
    """A region by its name, or ranks."""
    return read_rank_span(text, what) if text.value[:1].isdigit() else _read_nonempty_text(text)


def _piece_limit_type(what: str, most: int = BOARD_LIMIT**2) -> FieldType:
    """A number of pieces, or none for no limit."""
    return FieldType(
        lambda text: 0 if text.value == "none" else read_number(text, what, 1, most),
        _strip_leading_zeros,
    )


def _read_castling_files(text: Text) -> tuple[int, int]:
    files = [
        number_from_letters(part.value)
        for part in split_list(text)
        if FILE_PATTERN.fullmatch(part.value)
    ]
    if len(files) != 2 or not files[0] < files[1] < FILE_LIMIT:  # noqa: PLR2004 - left and right
        raise InvalidValue("two-files", text.span, value=text.value or "empty")
    return files[0], files[1]


def _read_per_file_actions(text: Text) -> frozenset[str]:
    check_choice(
        Text(",".join(sorted(_read_codes(text))), text.span), "per-file-on", PER_FILE_ACTIONS
    )
    return frozenset(_read_codes(text))


def _sort_comma_list(value: str) -> str:
    return ",".join(sorted(_list_items(value)))


def _read_decimal(text: Text, what: str) -> float:
    if not VALUE_PATTERN.fullmatch(text.value):
        value = text.value or "empty"
        raise InvalidValue("decimal", text.span, what=what, most=MAX_NUMBER, value=value)
    return float(text.value)


def _canonical_decimal(value: str) -> str:
    """A value in one spelling: 3.5 of 03.50."""
    return f"{float(value):g}" if VALUE_PATTERN.fullmatch(value) else value


def _list_items(value: str) -> list[str]:
    return [" ".join(part.split()) for part in value.split(",")]


def _strip_leading_zeros(value: str) -> str:
    return LEADING_ZEROS.sub("", value)


def _canonical_rank_span(value: str) -> str:
    value = _strip_leading_zeros(value)
    return f"{value}-{value}" if value.isdigit() else value


class FieldType(NamedTuple):
    """A type of field value: its reader, its canonical spelling, whether always quoted.

    What is ``always_quoted`` is words for people. ``values`` are all there are, where they are few.
    """

    read: Callable[[Text], object]
    canonical: Callable[[str], str] = str
    always_quoted: bool = False
    values: tuple[str, ...] = ()


def _region_type(what: str) -> FieldType:
    return FieldType(lambda text: read_region(text, what), _canonical_rank_span)


# The fields of a piece that name an area, and those of a line of further moves: where the piece
# stands, where it goes, and both.
AREA_FIELDS = ("within", "outside", "drop-in", "promotes-in", "chased-in")
MOVES_AREA_FIELDS = ("at", "to", "in")
MOVES_FLAGS = ("unchecked",)
# The fields of a piece that list codes.
CODE_FIELDS = ("promotes", "immune-to", "blocked-by", "no-jump-over", "castles-with")
PER_FILE_ACTIONS = ("drop", "drop,move")
CODES_TYPE = FieldType(_read_codes, lambda value: ",".join(_list_items(value)))
TEXT_TYPE = FieldType(_read_nonempty_text)
NAMES_TYPE = FieldType(_read_codes, lambda value: ", ".join(_list_items(value)), always_quoted=True)
# All keys that can stand on a piece line besides its movement, in the order in which `alfil fmt`
# writes them, with the flags, which have no value; they are for the attributes of `Entry` with the
# same names.
FIELD_TYPES: dict[str, FieldType | None] = {
    "also": NAMES_TYPE,
    "kanji": TEXT_TYPE,
    "romaji": TEXT_TYPE,
    "german": NAMES_TYPE,
    "french": NAMES_TYPE,
    "symbol": TEXT_TYPE,
    "letter": FieldType(_read_letter, str.upper),
    "royal": None,
    "promotes": CODES_TYPE,
    "optional": None,
    "forced": None,
    "stuck": None,
    "apart": None,
    "promotes-in": _region_type("promotes-in"),
    "within": _region_type("within"),
    "outside": _region_type("outside"),
    "blocked-by": CODES_TYPE,
    "no-jump-over": CODES_TYPE,
    "drop-in": _region_type("drop-in"),
    "drop-ranks": FieldType(_read_drop_ranks, _canonical_rank_span),
    "drop-check": _choice_type("drop-check"),
    "drop-mate": _choice_type("drop-mate"),
    "per-file": _piece_limit_type("per-file", FILE_LIMIT),
    "castles-with": CODES_TYPE,
    "castles-to": FieldType(_read_castling_files, lambda value: ",".join(_list_items(value))),
    "per-colour": _piece_limit_type("per-colour"),
    "per-side": _piece_limit_type("per-side"),
    "per-file-on": FieldType(_read_per_file_actions, _sort_comma_list, values=PER_FILE_ACTIONS),
    "side": _choice_type("side"),
    "mates": _choice_type("mates"),
    "blast": _choice_type("blast"),
    "petrifies": None,
    "gates": None,
    "immune-to": CODES_TYPE,
    "points": FieldType(
        lambda text: read_number(text, "points", 0, MAX_NUMBER), _strip_leading_zeros
    ),
    "value": FieldType(lambda text: _read_decimal(text, "value"), _canonical_decimal),
    "hand-value": FieldType(lambda text: _read_decimal(text, "hand-value"), _canonical_decimal),
    "chases": _choice_type("chases"),
    "chased-in": _region_type("chased-in"),
    "same-as": TEXT_TYPE,
    "replaces": None,
    "source": NAMES_TYPE,
    "reading": FieldType(_read_nonempty_text, always_quoted=True),
    "status": _choice_type("status"),
    "note": FieldType(_read_nonempty_text, always_quoted=True),
}
# The keys whose attributes have other names, for `Entry.source` is where a line was written.
ATTRIBUTE_BY_KEY = {"source": "sources"}
FIELD_TYPE_BY_KEY = {name: field_type for name, field_type in FIELD_TYPES.items() if field_type}
FLAG_NAMES = tuple(name for name, field_type in FIELD_TYPES.items() if not field_type)
# Those of other lines, and the movements that are quoted.
OTHER_KEYWORDS = {
    **dict.fromkeys(MOVES_AREA_FIELDS, _region_type("")),
    "files": CODES_TYPE,
    "squares": CODES_TYPE,
    "hasinu": FieldType(_read_nonempty_text, always_quoted=True),
    "on": CODES_TYPE,
    "only": CODES_TYPE,
    "from": FieldType(_read_nonempty_text, always_quoted=True),
    "ranks": _piece_limit_type("ranks", FILE_LIMIT),
}
MOVEMENT_KEYS = (*NOTATIONS, "dialect")
PROMOTION_MODES = ("optional", "forced", "stuck", "apart")


def check_code(code: Text, diagnostics: Diagnostics) -> bool:
    """Whether this is a valid code; adds an error otherwise."""
    bad = CODE_SEPARATORS.search(code.value)
    if not bad and len(code.value) <= CODE_LIMIT:
        return True
    diagnostics.add("code", code.span, code=code.value, most=CODE_LIMIT)
    return False


def read_piece_line(
    line: Statement, diagnostics: Diagnostics, functions: Functions = ()
) -> Entry | None:
    """The piece of a line, or None after adding its errors."""
    before = len(diagnostics.found)
    check_code(line.head, diagnostics)
    texts, fields, flags = _split_items(line, diagnostics, "piece")
    values = _field_values(fields, diagnostics)
    if not texts:
        diagnostics.add("no-name", line.head.span)
    for extra in texts[1:]:
        diagnostics.add("second-text", extra.span)
    if texts and not texts[0].value.strip():
        diagnostics.add("empty-name", texts[0].span)
    _check_promotion(fields, flags, line.head, diagnostics)
    movements = _read_movements(line, fields, diagnostics, functions)
    if not movements or any(each.severity == "error" for each in diagnostics.found[before:]):
        return None
    promotion = next((flag for flag in flags if flag in PROMOTION_MODES), "optional")
    return Entry(
        code=line.head.value,
        name=" ".join(texts[0].value.split()),
        piece=movements[0],
        other_notations=movements[1:],
        royal="royal" in flags,
        petrifies="petrifies" in flags,
        gates="gates" in flags,
        promotion=promotion,  # type: ignore[arg-type]  # one of PROMOTION
        source=diagnostics.source,
        span=line.head.span,
        name_spans={name: field.value.span for name, field in fields.items()},
        **values,
    )


def read_regional_moves(
    line: Statement, diagnostics: Diagnostics, functions: Functions = ()
) -> RegionMoves | None:
    """The moves of a line that a piece has on some squares, None where something is wrong."""
    before = len(diagnostics.found)
    texts, fields, flags = _split_items(line, diagnostics, "moves")
    for extra in texts:
        diagnostics.add("of-moves", extra.span, what="text", name=extra.value, near="")
    areas: dict[str, Any] = {}
    for key in MOVES_AREA_FIELDS:
        if key in fields:
            with diagnostics.collect_invalid_values():
                areas[key] = read_region(fields[key].value, key)
    if not flags and not any(key in fields for key in MOVES_AREA_FIELDS):
        diagnostics.add("everywhere", line.head.span)
    movements = _read_movements(line, fields, diagnostics, functions)
    if not movements or any(each.severity == "error" for each in diagnostics.found[before:]):
        return None
    both = areas.get("in")
    start, end = areas.get("at", both), areas.get("to", both)
    if _has_facts(movements[0]):
        near = "what is true of a piece besides its moves stands on its own line"
        diagnostics.add("of-moves", line.head.span, what="fact", name=movements[0].text, near=near)
        return None
    return RegionMoves(movements[0], start, end, "unchecked" in flags)


def _has_facts(piece: Piece) -> bool:
    """Whether a text says more than moves; whether it has moves at all is looked at later."""
    try:
        return bool(piece.movement.facts)
    except MeaningError:
        return False


def _split_items(
    line: Statement, diagnostics: Diagnostics, of: str
) -> tuple[list[Text], dict[str, Field], dict[str, Text]]:
    """Quoted texts, fields by key and flags; unknown and repeated ones are noted."""
    texts: list[Text] = []
    fields: dict[str, Field] = {}
    flags: dict[str, Text] = {}
    for item in line.items:
        if isinstance(item, Field):
            if _check_key_or_flag(item.key, "key", fields, diagnostics, of):
                fields[item.key.value] = item
        elif item.is_quoted:
            texts.append(item)
        elif item.value not in FLAG_NAMES and item is line.items[0] and of == "piece":
            diagnostics.add("no-quotes", item.span, name=item.value)
            texts.append(item)
        elif _check_key_or_flag(item, "flag", flags, diagnostics, of):
            flags[item.value] = item
    return texts, fields, flags


def _check_key_or_flag(
    name: Text, what: str, taken: Collection[str], diagnostics: Diagnostics, of: str
) -> bool:
    """Whether there is such a key or flag, and this is the first; if not, that is noted."""
    known: dict[str, tuple[str, ...]] = {
        "key": (*MOVEMENT_KEYS, *FIELD_TYPE_BY_KEY),
        "flag": FLAG_NAMES,
    }
    if of == "moves":
        known = {"key": (*MOVEMENT_KEYS, *MOVES_AREA_FIELDS), "flag": MOVES_FLAGS}
    if name.value not in known[what]:
        near = did_you_mean_or_list(name.value, known[what])
        if what == "flag" and name.value in known["key"]:
            near = f"give it a value: {name.value}=…"
        elif what == "key" and name.value in FLAG_NAMES:
            near = f"write the word alone: {name.value}"
        says = "no-such-word" if of == "piece" else "of-moves"
        diagnostics.add(says, name.span, what=what, name=name.value, near=near)
        return False
    if name.value in taken:
        diagnostics.add("field-twice", name.span, what=name.value)
    return name.value not in taken


def _field_values(fields: Mapping[str, Field], diagnostics: Diagnostics) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, field_type in FIELD_TYPE_BY_KEY.items():
        if name in fields:
            with diagnostics.collect_invalid_values():
                attribute = ATTRIBUTE_BY_KEY.get(name, name.replace("-", "_"))
                values[attribute] = field_type.read(fields[name].value)
    return values


def _check_promotion(
    fields: Mapping[str, Field], flags: Mapping[str, Text], code: Text, diagnostics: Diagnostics
) -> None:
    chosen = [flags[name] for name in PROMOTION_MODES if name in flags]
    if chosen and "promotes" not in fields:
        diagnostics.add("no-promotion", chosen[0].span, flag=chosen[0].value, code=code.value)
    for extra in chosen[1:]:
        diagnostics.add("two-promotions", extra.span)
    if "promotes" in fields:
        for part in split_list(fields["promotes"].value):
            if part.value == code.value:
                diagnostics.add("own-promotion", part.span, code=code.value)


def _read_movements(
    line: Statement, fields: Mapping[str, Field], diagnostics: Diagnostics, functions: Functions
) -> tuple[Piece, ...]:
    """The movement in each notation that is given, the one written first first."""
    dialect = fields["dialect"].value if "dialect" in fields else None
    notation_fields = [field for name, field in fields.items() if name in NOTATIONS]
    if not notation_fields:
        diagnostics.add("no-movement", line.head.span)
    if dialect and not any(NOTATIONS[field.key.value].embeds for field in notation_fields):
        diagnostics.add("not-embedded", dialect.span, dialect=dialect.value)
    name = f"{diagnostics.source.name}:{line.head.value}"
    result = (
        _read_movement(field, dialect, name, diagnostics, functions) for field in notation_fields
    )
    return tuple(piece for piece in result if piece)


@lru_cache(maxsize=1024)
def _parse_movement(text: str, notation: str, dialect: str | None, functions: Functions) -> Piece:
    """A movement; the bundled sets share many."""
    return read(text, notation, dialect=dialect, functions=dict(functions))


def _read_movement(
    field: Field, dialect: Text | None, name: str, diagnostics: Diagnostics, functions: Functions
) -> Piece | None:
    """A movement as it is read; diagnostics of the notation point into the line."""
    notation, text = field.key.value, field.value
    spoken = dialect.value if dialect and NOTATIONS[notation].embeds else None
    piece: Piece | None = None
    try:
        known = _parse_movement(
            text.value, notation, spoken, functions if notation == "hasinu" else ()
        )
        piece = replace(known, source=Source(text.value, name))
        result = piece.diagnostics
    except NotationError as error:
        result = error.all_diagnostics()
    except AlfilError as error:  # the dialect
        if dialect:
            diagnostics.add_existing(replace(error.first_error, spans=(dialect.span,)))
        return None
    for each in result:
        spans = tuple(map(text.span_of, each.spans)) or (text.span,)
        diagnostics.add_existing(replace(each, spans=spans))
    return piece


def _extinction_piece_codes(words: Words) -> Iterator[Text]:
    for part in split_list(words[0]):
        code = part.value.partition(":")[0]
        if code not in {"all", "each"}:
            yield Text(code, Span(part.span.start, part.span.start + max(len(code), 1)))


def _countdown_piece_codes(words: Words) -> Iterator[Text]:
    for part in (part for word in words for part in split_list(word)):
        row = COUNTDOWN_PATTERN.fullmatch(part.value)
        if row and row[2]:
            yield Text(row[2], Span(*row.span(2)).shift(part.span.start))


def _contagion_piece_codes(words: Words) -> Iterator[Text]:
    for part in split_list(words[0]):
        captured, colon, becomes = part.value.partition(":")
        start = part.span.start
        yield Text(captured, Span(start, start + max(len(captured), 1)))
        if colon:
            yield Text(becomes, Span(part.span.end - max(len(becomes), 1), part.span.end))


# Where the values of rules have codes of pieces.
_CODE_FINDER_BY_RULE: dict[str, Callable[[Words], Iterable[Text]]] = {
    "goal": lambda words: words[:1],
    "move-limit": lambda words: [part for word in words[1:2] for part in split_list(word)],
    "extinction": _extinction_piece_codes,
    "countdown": _countdown_piece_codes,
    "contagion": _contagion_piece_codes,
    **dict.fromkeys(
        (
            *("countdown-without", "no-exchange", "no-exchange-minor", "bare-minor"),
            "captures-unprotected",
        ),
        lambda words: split_list(words[0]),
    ),
}


def piece_codes_in_rule(rule: Statement) -> Iterable[Text]:
    """The codes of pieces in the value of a rule, whether there are such pieces or not."""
    words = rule.words[1:]
    codes = _CODE_FINDER_BY_RULE.get(rule.head.value)
    return codes(words) if codes and words and words[0].value != "none" else ()


def _invalid_form(name: str, words: Words, form: str) -> InvalidValue:
    value = " ".join(word.value for word in words)
    span = words[0].span.to(words[-1].span)
    return InvalidValue("form", span, what=name, value=value, example=form)


def _read_single_choice(known: tuple[str, ...], name: str, words: Words) -> str:
    if len(words) > 1:
        raise _invalid_form(name, words, known[0])
    return check_choice(words[0], name, known)


WIN_FORMS = [each + ":N" * (each == "checks") for each in get_args(WinForm)]


def _read_win(name: str, words: Words) -> tuple[Win, ...]:
    result: list[Win] = []
    # A comma may stand beside a blank, so that an empty part means nothing.
    for text in (part for word in words for part in split_list(word) if part.value):
        how, colon, times = text.value.partition(":")
        if f"{how}{colon and ':N'}" not in WIN_FORMS:
            near = did_you_mean_or_list(text.value, WIN_FORMS)
            raise InvalidValue("cannot-be", text.span, what=name, value=text.value, near=near)
        count = (
            read_number(Text(times, text.span), "the number of checks", 1, MAX_NUMBER)
            if colon
            else 0
        )
        result.append(Win(cast("Any", how), count))
    if not result or len({each.how for each in result}) < len(result):
        raise _invalid_form(name, words, "mate,royal-capture")
    return tuple(result)


def _two_words_or_none(name: str, words: Words, form: str) -> Words:
    """The two words of a value, or none where the value is none."""
    if [word.value for word in words] == ["none"]:
        return ()
    if len(words) != 2:  # noqa: PLR2004 - that is what two are
        raise _invalid_form(name, words, form)
    return words


def _read_goal(name: str, words: Words) -> Goal | None:
    if two := _two_words_or_none(name, words, "K 9-9"):
        return Goal(two[0].value, read_region(two[1], "the ranks of the goal"))
    return None


def _read_extinction(name: str, words: Words) -> Extinction | None:
    two = _two_words_or_none(name, words, "all loss, or K,Q:1 draw")
    if not two:
        return None
    what, colon, left = two[0].value.partition(":")
    codes = _read_codes(Text(what, two[0].span))
    most = read_number(Text(left, two[0].span), "how many are left", 0, MAX_NUMBER) if colon else 0
    result = check_choice(two[1], name, get_args(get_type_hints(Extinction)["result"]))
    return Extinction(codes, cast("Any", result), most)


def _read_move_limit(name: str, words: Words) -> MoveLimit | None:
    if [word.value for word in words] == ["none"]:
        return None
    if len(words) > 2:  # noqa: PLR2004 - a number and a list
        raise _invalid_form(name, words, "50 P")
    codes = _read_codes(words[1]) if words[1:] else ()
    return MoveLimit(read_number(words[0], "the number of moves", 1, MAX_NUMBER), codes)


def _read_countdown(name: str, words: Words) -> tuple[Countdown, ...]:
    if [word.value for word in words] == ["none"]:
        return ()
    result: list[Countdown] = []
    for text in (part for word in words for part in split_list(word) if part.value):
        match = COUNTDOWN_PATTERN.fullmatch(text.value)
        if not match or "0" in {match[1], match[3]}:
            raise _invalid_form(name, (text,), "1/R*2:8, 1:64, all:64")
        left = 0 if match[1] == "all" else int(match[1])
        result.append(Countdown(left, match[2] or "", int(match[3] or 1), int(match[4])))
    return tuple(result)


def _read_piece_codes_or_none(name: str, words: Words) -> tuple[str, ...]:
    if len(words) > 1:
        raise _invalid_form(name, words, "P,Q")
    return () if words[0].value == "none" else _read_codes(words[0])


def _read_contagion(name: str, words: Words) -> tuple[Contagion, ...]:
    result = tuple(
        Contagion(captured, becomes)
        for captured, _, becomes in (
            code.partition(":") for code in _read_piece_codes_or_none(name, words)
        )
    )
    once = {each.captured for each in result}
    if len(once) < len(result) or not all(each.captured and each.becomes for each in result):
        raise _invalid_form(name, words, "P:Q,Q:Q")
    return result


def _read_repetition(name: str, words: Words) -> Repetition | None:
    two = _two_words_or_none(name, words, "4 draw")
    if not two:
        return None
    times = read_number(two[0], "the number of occurrences", 2, MAX_NUMBER)
    result = check_choice(two[1], name, get_args(RepetitionResult))
    return Repetition(times, cast("Any", result))


def _read_impasse(name: str, words: Words) -> Impasse:
    how = check_choice(words[0], name, ("none", "agreement", "points"))
    if how != "points":
        if len(words) > 1:
            raise _invalid_form(name, words, how)
        return Impasse(cast("Any", how))
    if len(words) != 3:  # noqa: PLR2004 - the word and the points of both sides
        raise _invalid_form(name, words, "points 24 24")
    first, second = (read_number(word, "the number of points", 0, MAX_NUMBER) for word in words[1:])
    return Impasse("points", (first, second))


def _read_draw_odds(name: str, words: Words) -> DrawOdds:
    how = check_choice(words[0], name, get_args(DrawOddsForm))
    if len(words) == 1:
        return DrawOdds(cast("Any", how))
    if how != "points" or len(words) != 3:  # noqa: PLR2004 - the word and what both sides have
        raise _invalid_form(name, words, "points 0 1.5")
    first, second = (_read_point_count(word) for word in words[1:])
    return DrawOdds("points", (first, second))


def _read_point_count(text: Text) -> float:
    """A number of points, perhaps with a half."""
    if POINTS_PATTERN.fullmatch(text.value):
        return float(text.value)
    raise InvalidValue("amount", text.span, value=text.value or "empty")


def _read_match_length(name: str, words: Words) -> MatchLength:
    values = [word.value for word in words]
    match values:
        case ["single"]:
            return MatchLength()
        case [_, "consecutive"]:
            return MatchLength(
                "consecutive", read_number(words[0], "the number of games", 1, MAX_NUMBER)
            )
        case ["best-of", _]:
            games = read_number(words[1], "the number of games", 1, MAX_NUMBER)
            if games % 2 == 0:
                raise InvalidValue("even", words[1].span, games=games, odd=games + 1)
            return MatchLength("best-of", games)
    raise _invalid_form(name, words, "single, 2 consecutive or best-of 3")


# The rules whose values are more than one word of a few.
STRUCTURED_RULE_READERS: dict[str, Callable[[str, Words], object]] = {
    "win": _read_win,
    "no-exchange": _read_piece_codes_or_none,
    "no-exchange-minor": _read_piece_codes_or_none,
    "bare-minor": _read_piece_codes_or_none,
    "captures-unprotected": _read_piece_codes_or_none,
    "contagion": _read_contagion,
    "goal": _read_goal,
    "extinction": _read_extinction,
    "move-limit": _read_move_limit,
    "countdown": _read_countdown,
    "countdown-without": _read_piece_codes_or_none,
    "repetition": _read_repetition,
    "draw-odds": _read_draw_odds,
    "impasse": _read_impasse,
    "match": _read_match_length,
}


def _reader_by_rule() -> dict[str, Callable[[str, Words], object]]:
    """A reader for every rule; the words of most are those of the table."""
    readers = {
        rule.name: partial(_read_single_choice, rule.values)
        for rule in KNOWN
        if rule.cardinality == "one"
    }
    return readers | STRUCTURED_RULE_READERS


RULES = _reader_by_rule()
# What games of which white is the first side do unless they say otherwise: what chess does.
CHESS_DEFAULTS = {"promotion_when": "ends", "stalemate": "draw"}


def read_rules(lines: list[Statement], zones: list[Statement], diagnostics: Diagnostics) -> Rules:
    """The rules of a file; what is wrong in them joins the diagnostics and is left out."""
    values: dict[str, object] = {}
    for rule in lines:
        name = rule.head.value
        if name not in RULES:
            diagnostics.add(
                "no-such-rule", rule.head.span, name=name, near=did_you_mean_or_list(name, RULES)
            )
        elif name in values:
            diagnostics.add("twice", rule.head.span, what=f"the rule {name}")
        else:
            values[name] = None
            with diagnostics.collect_invalid_values():
                values[name] = RULES[name](name, rule.words[1:])
    for zone in zones:
        if "zone" in values:
            diagnostics.add("twice", zone.head.span, what="the promotion zone")
        else:
            values["zone"] = None
            with diagnostics.collect_invalid_values():
                values["zone"] = _read_zone_depth(zone)
    taken: dict[str, Any] = {
        name.replace("-", "_"): value for name, value in values.items() if value is not None
    }
    if taken.get("first") == "white":
        taken = CHESS_DEFAULTS | taken
    return Rules(**taken)


def _read_zone_depth(zone: Statement) -> int:
    check_choice(zone.head, "a zone", ("promotion",))
    match zone.items:
        case (Field(key, value),) if key.value == "ranks":
            return read_number(value, "the depth of the zone", 0, 36)
    raise InvalidValue("zone", zone.head.span)


def rule_value(name: str, rules: Rules) -> object:
    """The value of a rule by the name it has in files."""
    value: object = getattr(rules, name.replace("-", "_"))
    return value


def region_text(area: Area) -> str:
    """An area as files have it."""
    return area if isinstance(area, str) else f"{area[0]}-{area[1]}"


def _structured_value_text(
    value: Contagion | Countdown | Goal | Extinction | Repetition | MoveLimit,
) -> str:
    """A value with parts as files have it."""
    match value:
        case Contagion(captured, becomes):
            return f"{captured}:{becomes}"
        case Goal(code, area):
            return f"{code} {region_text(area)}"
        case Extinction(what, result, left):
            return f"{','.join(what)}{f':{left}' if left else ''} {result}"
        case Repetition(times, result):
            return f"{times} {result}"
        case Countdown(left, code, read_number, moves):
            many = f"*{read_number}" * (read_number > 1)
            return f"{left or 'all'}{f'/{code}{many}' * bool(code)}:{moves}"
        case MoveLimit(moves, codes):
            return f"{moves} {','.join(codes)}".rstrip()


def rule_value_text(value: object) -> str:
    """The value of a rule as files have it."""
    match value:
        case None | ():
            return "none"
        case Contagion() | Countdown() | Goal() | Extinction() | Repetition() | MoveLimit():
            return _structured_value_text(value)
        case Impasse(how, points):
            return f"points {points[0]} {points[1]}" if how == "points" else how
        case DrawOdds(how, points):
            return f"points {points[0]:g} {points[1]:g}" if any(points) else how
        case MatchLength(how, games):
            forms = {"consecutive": f"{games} consecutive", "best-of": f"best-of {games}"}
            return forms.get(how, how)
        case Win(how, times):
            return f"{how}:{times}" if times else how
        case tuple():
            return ",".join(map(rule_value_text, value))
        case _:
            return str(value)


def rule_value_word(value: object) -> str:
    """The word that identifies a rule's value, without its numbers."""
    match value:
        case ():
            return "none"
        case Repetition(_, result) | Extinction(_, result, _):
            return result
        case Impasse(how, _) | DrawOdds(how, _) | MatchLength(how, _):
            return how
        case Goal() | MoveLimit() | tuple():
            return "given"
        case _:
            return rule_value_text(value)

"""The fields and flags of a piece line: one table of keys, and from a line to an `Entry`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from alfil.api import Piece, read
from alfil.errors import AlfilError, NotationError, nearest
from alfil.library.findings import Findings, Wrong, wrong
from alfil.library.model import Entry
from alfil.library.nodes import Field, PieceLine, Text
from alfil.library.values import number, one_of, parts, rank_span
from alfil.notation.registry import NOTATIONS
from alfil.source import Source

Read: TypeAlias = Callable[[Text], object]

LETTER = re.compile(r"\+?[^\W\d_]")
FILE_LIMIT = 36
# What cannot be part of a code: it would not be told apart in a set-up, a hand or a list.
NOT_IN_CODES = re.compile(r"[.*,:\"]|^[0-9]")
CODE_LIMIT = 16


class Key(NamedTuple):
    """A key of a piece line: the attribute of `Entry` it sets, and how its value is read."""

    attribute: str
    read: Read


def _either(what: str, *known: str) -> Read:
    return lambda text: one_of(text, what, known)


def _words(text: Text) -> str:
    if not text.value.strip():
        raise wrong("unknown-value", "there is nothing between the quotes", text.span, "fill it in")
    return text.value.strip()


def _several(text: Text) -> tuple[str, ...]:
    found = tuple(" ".join(part.value.split()) for part in parts(text))
    if not found or "" in found or len(set(found)) < len(found):
        message = "the list has an empty part, or one twice"
        raise wrong("unknown-value", message, text.span, "separate its parts with commas")
    return found


def _letter(text: Text) -> str:
    if not LETTER.fullmatch(text.value) or len(text.value.upper()) != len(text.value):
        message = f"{text.value or 'nothing'} is no single letter"
        raise wrong("unknown-value", message, text.span, "write one letter, or + and one letter")
    return text.value.upper()


def _ranks(text: Text) -> tuple[int, int] | None:
    return None if text.value == "none" else rank_span(text, "drop-ranks")


def _per_file(text: Text) -> int:
    return 0 if text.value == "none" else number(text, "per-file", 1, FILE_LIMIT)


def _acts(text: Text) -> frozenset[str]:
    one_of(Text(",".join(sorted(_several(text))), text.span), "per-file-on", ("drop", "drop,move"))
    return frozenset(_several(text))


# In the order in which `alfil fmt` writes them. The movement comes before them all.
KEYS: dict[str, Key] = {
    "also": Key("also", _several),
    "kanji": Key("kanji", _words),
    "symbol": Key("symbol", _words),
    "letter": Key("letter", _letter),
    "promotes": Key("promotes", _several),
    "drop-ranks": Key("drop_ranks", _ranks),
    "drop-check": Key("drop_check", _either("drop-check", "free", "required", "barred")),
    "drop-mate": Key("drop_mate", _either("drop-mate", "allowed", "barred")),
    "per-file": Key("per_file", _per_file),
    "per-file-on": Key("per_file_on", _acts),
    "same-as": Key("same_as", _words),
    "status": Key("status", _either("status", "given", "reconstructed", "deduced", "user")),
    "note": Key("note", _words),
}
MOVEMENT = (*NOTATIONS, "dialect")
FLAGS = ("royal", "optional", "forced", "stuck", "replaces")
PROMOTION = ("optional", "forced", "stuck")


def check_code(code: Text, findings: Findings) -> bool:
    """Whether this can be a code; if not, that is noted."""
    bad = NOT_IN_CODES.search(code.value)
    if not bad and len(code.value) <= CODE_LIMIT:
        return True
    message = f"{code.value} cannot be the code of a piece"
    hint = f"up to {CODE_LIMIT} letters and signs, no digit first, none of . * , :"
    findings.add("wrong-code", message, code.span, hint)
    return False


def read_piece(line: PieceLine, findings: Findings) -> Entry | None:
    """The piece of a line, or None where something is wrong with it; all of that is noted."""
    before = len(findings.found)
    check_code(line.code, findings)
    texts, fields, flags = _sorted(line, findings)
    values = _values(fields, findings)
    if not texts:
        hint = 'the name stands in quotes after the code: piece N "knight" betza=N'
        findings.add("incomplete-line", "the piece has no name", line.code.span, hint)
    for extra in texts[1:]:
        hint = 'further names: also="…, …"'
        findings.add("unexpected", "a second text in quotes means nothing", extra.span, hint)
    if texts and not texts[0].value.strip():
        findings.add("unknown-value", "the name is empty", texts[0].span, "fill it in")
    _check_promotion(fields, flags, line.code, findings)
    movements = _movements(line, fields, findings)
    if any(each.severity == "error" for each in findings.found[before:]):
        return None
    promotion = next((flag for flag in flags if flag in PROMOTION), "optional")
    return Entry(
        code=line.code.value,
        name=" ".join(texts[0].value.split()),
        movements=movements,
        royal="royal" in flags,
        promotion=promotion,  # type: ignore[arg-type]  # one of PROMOTION
        source=findings.source,
        span=line.code.span,
        places={name: field.value.span for name, field in fields.items()},
        **values,
    )


def _sorted(
    line: PieceLine, findings: Findings
) -> tuple[list[Text], dict[str, Field], dict[str, Text]]:
    """Quoted texts, fields by key and flags; unknown and repeated ones are noted."""
    texts: list[Text] = []
    fields: dict[str, Field] = {}
    flags: dict[str, Text] = {}
    for item in line.items:
        if isinstance(item, Field):
            _take(item.key, item, fields, (*MOVEMENT, *KEYS), findings)
        elif item.quoted:
            texts.append(item)
        elif item.value not in FLAGS and item is line.items[0]:
            message = f"the name {item.value} is not in quotes"
            findings.add("no-quotes", message, item.span, f'write "{item.value}"')
            texts.append(item)
        else:
            _take(item, item, flags, FLAGS, findings)
    return texts, fields, flags


def _take(
    name: Text,
    item: Any,  # noqa: ANN401 - a field or a flag, and the same in the dictionary
    taken: dict[str, Any],
    known: tuple[str, ...],
    findings: Findings,
) -> None:
    what = "flag" if item is name else "key"
    if name.value not in known:
        hint = nearest(name.value, known)
        if what == "flag" and name.value in (*MOVEMENT, *KEYS):
            hint = f"give it a value: {name.value}=…"
        elif what == "key" and name.value in FLAGS:
            hint = f"write the word alone: {name.value}"
        findings.add("unknown-key", f"a piece has no {what} {name.value}", name.span, hint)
    elif name.value in taken:
        findings.add("given-twice", f"{name.value} is given twice", name.span, "leave one out")
    else:
        taken[name.value] = item


def _values(fields: Mapping[str, Field], findings: Findings) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, key in KEYS.items():
        if name in fields:
            try:
                values[key.attribute] = key.read(fields[name].value)
            except Wrong as error:
                findings.take(error.finding)
    return values


def _check_promotion(
    fields: Mapping[str, Field], flags: Mapping[str, Text], code: Text, findings: Findings
) -> None:
    chosen = [flags[name] for name in PROMOTION if name in flags]
    if chosen and "promotes" not in fields:
        message = f"{chosen[0].value} says how a piece promotes, but this one does not"
        hint = f"add what it promotes to: promotes=+{code.value} {chosen[0].value}"
        findings.add("wrong-promotion", message, chosen[0].span, hint)
    for extra in chosen[1:]:
        message = "a promotion is optional, forced or stuck, one of them"
        findings.add("wrong-promotion", message, extra.span, "leave one out")
    if "promotes" in fields:
        for part in parts(fields["promotes"].value):
            if part.value == code.value:
                message = f"{code.value} cannot promote to itself"
                findings.add("wrong-promotion", message, part.span, "name another code")


def _movements(
    line: PieceLine, fields: Mapping[str, Field], findings: Findings
) -> tuple[Piece, ...]:
    """The movement in each notation that is given, the one written first first."""
    dialect = fields["dialect"].value if "dialect" in fields else None
    given = [field for name, field in fields.items() if name in NOTATIONS]
    if not given:
        hint = 'betza=… or hasinu="…"'
        findings.add("no-movement", "the piece has no movement", line.code.span, hint)
    if dialect and not any(NOTATIONS[field.key.value].embeds for field in given):
        message = "dialect= is for Betza embedded in Ħasínū"
        hint = f"name the notation instead of betza: {dialect.value}=…"
        findings.add("not-embedded", message, dialect.span, hint)
    name = f"{findings.source.name}:{line.code.value}"
    found = (_movement(field, dialect, name, findings) for field in given)
    return tuple(piece for piece in found if piece)


@lru_cache(maxsize=1024)
def _read(text: str, notation: str, dialect: str | None) -> Piece:
    """A movement; the bundled sets share many."""
    return read(text, notation, dialect=dialect)


def _movement(field: Field, dialect: Text | None, name: str, findings: Findings) -> Piece | None:
    """A movement as it is read; findings of the notation point into the line."""
    notation, text = field.key.value, field.value
    spoken = dialect.value if dialect and NOTATIONS[notation].embeds else None
    piece: Piece | None = None
    try:
        known = _read(text.value, notation, spoken)
        piece = replace(known, source=Source(text.value, name))
        found = piece.findings
    except NotationError as error:
        found = error.findings
    except AlfilError as error:  # the dialect
        if dialect:
            kind, finding = "unknown-dialect", error.findings[0]
            findings.add(kind, finding.message, dialect.span, finding.hint)
        return None
    for each in found:
        spans = tuple(map(text.place, each.spans)) or (text.span,)
        findings.take(type(each)(each.kind, each.message, spans, each.hint, each.severity))
    return piece

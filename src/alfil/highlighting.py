"""The colours of piece files and notations: patterns for editors and for web pages.

The words come from the tables that the readers use. `textmate_grammar` makes a grammar for editors
of them, `alfil.pygments_lexers` lexers. A pattern never looks beyond its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from alfil.data_files import load_grammar
from alfil.frozen_dataclasses import NamedTuple
from alfil.library.field_parsers import (
    FIELD_TYPE_BY_KEY,
    FLAG_NAMES,
    MOVES_AREA_FIELDS,
    MOVES_FLAGS,
    OTHER_KEYWORDS,
)
from alfil.library.regions import SIDES as SETUP_SIDES
from alfil.library.statements import FORM_BY_KEYWORD
from alfil.notation.registry import NOTATIONS
from alfil.notation.vocabulary import (
    AGAIN_LETTER,
    DIALECTS,
    DIRECTION_GROUPS,
    DIRECTION_LETTERS,
    DIRECTIONS,
    JOIN_LETTER,
    LETTER_ROWS,
    USAGE_BY_FUNCTION,
)

BLANK = "[ \\t\\u3000\\u00a0]"
NO_BLANK = '[^ \\t\\u3000\\u00a0"#|=\\n]'
STRING = '"(?:[^"\\n]|"")*"?'
VALUE = '[^ \\t\\u3000\\u00a0"#\\n]+'

# What a group of a pattern is, with the names that TextMate and Pygments have for it. A name with @
# is a context, by whose rules the group is coloured.
SCOPES_BY_COLOUR: dict[str, tuple[str, str]] = {
    "comment": ("comment.line.number-sign", "Comment.Single"),
    "keyword": ("keyword.control", "Keyword"),
    "code": ("entity.name.type", "Name.Class"),
    "key": ("support.type.property-name", "Name.Attribute"),
    "flag": ("storage.modifier", "Keyword.Pseudo"),
    "rule": ("entity.name.tag", "Name.Tag"),
    "string": ("string.quoted.double", "String"),
    "value": ("string.unquoted", "String.Other"),
    "number": ("constant.numeric", "Number"),
    "call": ("support.function", "Name.Function"),
    "atom": ("entity.name.type.atom", "Name.Class"),
    "letter": ("entity.name.function.modifier", "Keyword.Type"),
    "direction": ("variable.language.direction", "Name.Variable"),
    "operator": ("keyword.operator", "Operator"),
    "punctuation": ("punctuation", "Punctuation"),
}


class ColourRule(NamedTuple):
    """A pattern; ``groups`` name its groups, or the whole where there is one name and no group."""

    pattern: str
    groups: tuple[str, ...]


def _alternation_pattern(words: Iterable[str]) -> str:
    """A pattern for some words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


def _whole_words_pattern(words: Iterable[str]) -> str:
    """Words that are no part of others."""
    return f"(?<!{NO_BLANK})(?:{_alternation_pattern(words)})(?!{NO_BLANK})"


def _piece_file_rules() -> tuple[ColourRule, ...]:
    """The rules of a line of a piece file."""
    keywords = _alternation_pattern(each for each in FORM_BY_KEYWORD if each != "|")
    keys = {*FIELD_TYPE_BY_KEY, *MOVES_AREA_FIELDS, *OTHER_KEYWORDS, "dialect"} - {*NOTATIONS}
    start = f"^({BLANK}*)"
    movements = (
        ColourRule(
            f"(?<!{NO_BLANK})({_alternation_pattern(names)})({BLANK}*=)({STRING}|{VALUE})",
            ("key", "operator", f"@{folder}"),
        )
        for folder, names in _notations_by_folder().items()
    )
    return (
        ColourRule(
            f"{start}(piece|moves|region)({BLANK}+)({NO_BLANK}+)", ("", "keyword", "", "code")
        ),
        ColourRule(
            f"{start}(rule)({BLANK}+)({NO_BLANK}+)({BLANK}*=)",
            ("", "keyword", "", "rule", "operator"),
        ),
        ColourRule(
            f'{start}(define)({BLANK}+)([^"#=|\\n]+)(=)([^"#\\n]*)',
            ("", "keyword", "", "call", "operator", "@hasinu"),
        ),
        ColourRule(f"{start}({keywords})(?!{NO_BLANK})", ("", "keyword")),
        *movements,
        ColourRule(
            f"(?<!{NO_BLANK})({_alternation_pattern(keys)})({BLANK}*=)((?:{VALUE})?)",
            ("key", "operator", "value"),
        ),
        ColourRule(
            _whole_words_pattern((*FLAG_NAMES, *MOVES_FLAGS, *SETUP_SIDES, "mirrored", "required")),
            ("flag",),
        ),
        ColourRule(STRING, ("string",)),
        ColourRule("#.*", ("comment",)),
        ColourRule(f"(?<!{NO_BLANK})[0-9]+(?:[x×][0-9]+)?(?!{NO_BLANK})", ("number",)),
        ColourRule("[|=,]", ("punctuation",)),
        ColourRule(f"{NO_BLANK}+", ("",)),
    )


def _notations_by_folder() -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    for each in NOTATIONS.values():
        result.setdefault(each.folder, []).append(each.name)
    return result


def _betza_rules() -> tuple[ColourRule, ...]:
    """The rules of Betza: atoms, letters and directions of all dialects."""
    atoms = {atom for dialect in DIALECTS.values() for atom in dialect.atoms} | {*"XYM"}
    modes = {mode for dialect in DIALECTS.values() for mode in dialect.modes}
    letters = {*(mode for mode in modes if not LETTER_ROWS[mode].after), AGAIN_LETTER, JOIN_LETTER}
    return (
        ColourRule(_alternation_pattern(atoms), ("atom",)),
        ColourRule(_alternation_pattern(letters), ("letter",)),
        ColourRule(f"[{''.join(sorted(DIRECTION_LETTERS))}]+", ("direction",)),
        ColourRule("[0-9]+|\\*", ("number",)),
        ColourRule("[?+^@-]", ("operator",)),
        ColourRule('[\\]\\[(){},"]', ("punctuation",)),
    )


def _hasinu_rules() -> tuple[ColourRule, ...]:
    """The rules of Ħasínū: functions, directions, numbers and turns."""
    names = {*DIRECTIONS, *DIRECTION_GROUPS}
    return (
        ColourRule("//[^,)\\n]*", ("comment",)),
        ColourRule(f"(?<!\\w)(?:{_alternation_pattern(USAGE_BY_FUNCTION)})(?=\\()", ("call",)),
        ColourRule(
            f"([0-9]?)(d)((?:(?:{_alternation_pattern(names)})(?:-(?:{_alternation_pattern(names)}))*)?)",
            ("number", "letter", "direction"),
        ),
        ColourRule("[0-9.]+°?", ("number",)),
        ColourRule("&t?|[×\\\\+-]", ("operator",)),
        ColourRule('[\\]\\[(){},"]', ("punctuation",)),
        ColourRule("\\w+", ("value",)),
    )


def _parlett_rules() -> tuple[ColourRule, ...]:
    """The rules of Parlett's notation: signs and numbers."""
    return (
        ColourRule("[oci]", ("letter",)),
        ColourRule("[0-9n](?:-[0-9])?", ("number",)),
        ColourRule("[+X*<>=~^/&.]+", ("direction",)),
        ColourRule('[(),"]', ("punctuation",)),
    )


def rules_by_context() -> dict[str, tuple[ColourRule, ...]]:
    """The rules by context: piece files, and the folder of each notation; the first that fits.

    >>> [rule.groups for rule in rules_by_context()["betza"]][:2]
    [('atom',), ('letter',)]
    """
    return {
        "pieces": _piece_file_rules(),
        "betza": _betza_rules(),
        "hasinu": _hasinu_rules(),
        "parlett": _parlett_rules(),
    }


def textmate_grammar() -> dict[str, object]:
    """A TextMate grammar of piece files, with the notations in it."""
    known = rules_by_context()
    assert set(known) - {"pieces"} == set(_notations_by_folder())
    assert all(word in load_grammar("pieces") for word in FORM_BY_KEYWORD)
    return {
        "name": "Piece file",
        "scopeName": "source.pieces",
        "fileTypes": ["pieces"],
        "patterns": [{"include": "#pieces"}],
        "repository": {
            name: {"patterns": [_textmate_rule(rule) for rule in rules]}
            for name, rules in known.items()
        },
    }


def _textmate_rule(rule: ColourRule) -> dict[str, object]:
    if len(rule.groups) == 1:
        return {"match": rule.pattern, **_textmate_group(rule.groups[0])}
    captures = {str(at): _textmate_group(each) for at, each in enumerate(rule.groups, 1) if each}
    return {"match": rule.pattern, "captures": captures}


def _textmate_group(name: str) -> dict[str, object]:
    if name.startswith("@"):
        return {"patterns": [{"include": f"#{name[1:]}"}]}
    return {"name": f"{SCOPES_BY_COLOUR[name][0]}.pieces"} if name else {}

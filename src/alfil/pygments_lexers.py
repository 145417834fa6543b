"""Lexers for Pygments, which colours code on web pages; it finds them by their entry points."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, using
from pygments.token import Text, string_to_tokentype

from alfil.highlighting import SCOPES_BY_COLOUR, ColourRule, rules_by_context


def _pygments_token(name: str) -> Any:  # noqa: ANN401 - Pygments has no type for it
    if name.startswith("@"):
        return using(LEXERS[name[1:]])
    return string_to_tokentype(SCOPES_BY_COLOUR[name][1]) if name else Text


def _pygments_rule(rule: ColourRule) -> tuple[str, Any]:
    groups = [*map(_pygments_token, rule.groups)]
    return rule.pattern, groups[0] if len(groups) == 1 else bygroups(*groups)


def _pygments_states(context: str) -> dict[str, list[tuple[str, Any]]]:
    return {
        "root": [*map(_pygments_rule, rules_by_context()[context]), (r"\s+", Text), (".", Text)]
    }


class BetzaLexer(RegexLexer):  # type: ignore[misc] # Pygments has no types
    """Betza's notation in all dialects."""

    name = "Betza"
    aliases: ClassVar[list[str]] = ["betza"]
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = _pygments_states("betza")


class HasinuLexer(RegexLexer):  # type: ignore[misc] # Pygments has no types
    """Ħasínū."""

    name = "Ħasínū"
    aliases: ClassVar[list[str]] = ["hasinu"]
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = _pygments_states("hasinu")


class ParlettLexer(RegexLexer):  # type: ignore[misc] # Pygments has no types
    """Parlett's notation."""

    name = "Parlett"
    aliases: ClassVar[list[str]] = ["parlett"]
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = _pygments_states("parlett")


LEXERS: dict[str, type[RegexLexer]] = {
    "betza": BetzaLexer,
    "hasinu": HasinuLexer,
    "parlett": ParlettLexer,
}


class PiecesLexer(RegexLexer):  # type: ignore[misc] # Pygments has no types
    """Piece files, with the notations in them."""

    name = "Piece file"
    aliases: ClassVar[list[str]] = ["pieces"]
    filenames: ClassVar[list[str]] = ["*.pieces"]
    tokens: ClassVar[dict[str, list[tuple[str, Any]]]] = _pygments_states("pieces")

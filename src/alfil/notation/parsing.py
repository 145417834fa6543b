"""The one place that knows Lark: parsers are built here, and its errors become ours.

Lark is imported when the first parser is built, so that a program that only loads a saved table
never needs it. Paths are plain strings here, because pathlib takes a while to load.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib.util import cache_from_source
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from alfil.grammars import load_grammar

if TYPE_CHECKING:
    # The alias tells mypy that others may import the name from here.
    from lark import Token as Token  # noqa: PLC0414

Tree = TypeVar("Tree")


class ShapeError(Exception):
    """The text does not fit the grammar.

    ``start`` and ``end`` are where it stopped fitting, counted in code points; at the end of the
    text both are its length. ``expected`` are the names of what could have stood there.
    """

    def __init__(self, start: int, end: int, expected: frozenset[str]) -> None:
        self.start = start
        self.end = end
        self.expected = expected
        super().__init__(start, end, expected)


def _table_file(grammar: str) -> str | Literal[False]:
    """Where the tables of a grammar are kept between runs, or False where nothing may be kept.

    They lie beside the bytecode and live by its rules: Python's switch against writing bytecode
    holds for them too, and a stale file is replaced. Building them takes most of a short run.
    """
    if sys.dont_write_bytecode:
        return False
    folder = os.path.dirname(cache_from_source(__file__))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        return False
    return os.path.join(folder, f"{grammar}.tables")


class Parser(Generic[Tree]):
    """A parser for one grammar, whose rules are turned into values by a builder's methods."""

    def __init__(
        self,
        grammar: str,
        builder: object,
        start: str,
        *,
        lexer: str = "contextual",
        lexer_callbacks: Mapping[str, Callable[[Token], Token]] | None = None,
    ) -> None:
        from lark import Lark, Transformer, v_args

        methods = {
            name: getattr(builder, name) for name in dir(builder) if not name.startswith("_")
        }
        inline = v_args(inline=True)
        transformer = inline(
            type(
                "Inline",
                (Transformer,),
                {name: staticmethod(method) for name, method in methods.items()},
            )
        )()
        self._lark: Any = Lark(
            load_grammar(grammar),
            parser="lalr",
            lexer=lexer,
            start=start,
            transformer=transformer,
            maybe_placeholders=False,
            lexer_callbacks=dict(lexer_callbacks or {}),
            cache=_table_file(grammar),
        )

    def parse(self, text: str) -> Tree:
        """What the builder makes of the text; `ShapeError` where it does not fit."""
        from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

        try:
            result: Tree = self._lark.parse(text)
        except UnexpectedCharacters as error:
            allowed = frozenset(error.allowed or ())
            at = error.pos_in_stream or 0
            raise ShapeError(at, at + 1, allowed) from None
        except UnexpectedToken as error:
            start, end = len(text), len(text)
            if error.token.type != "$END":
                start, end = error.token.start_pos or 0, error.token.end_pos or 0
            raise ShapeError(start, end, frozenset(error.expected)) from None
        except UnexpectedEOF:
            raise ShapeError(len(text), len(text), frozenset()) from None
        return result

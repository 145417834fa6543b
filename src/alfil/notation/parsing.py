"""The one place that knows Lark: parsers are built here, and its errors become ours.

Lark is imported when the first parser is built, so that a program that only loads a saved table
never needs it. Paths are plain strings here, because pathlib takes a while to load.

A text with mistakes is read all the same, to find the others: the notation names the first one and
takes it out or puts it right, what is left is parsed again, and so on (`recovered`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import cache_from_source
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from alfil.errors import Finding
from alfil.grammars import load_grammar
from alfil.source import Span

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


class Draft(NamedTuple):
    """A text some mistakes of which are cut out or put right.

    ``places`` says where each character came from, and the end; ``cuts`` are the places of the cuts
    in the text as it is now, and ``tears`` of those that have damaged what stands before them.
    """

    text: str
    places: Sequence[int]
    cuts: tuple[int, ...] = ()
    tears: frozenset[int] = frozenset()

    def without(self, part: Span, *, torn: bool = False) -> Draft:
        """The text with a part cut out.

        >>> draft = Draft("W03", range(4)).without(Span(1, 2))
        >>> draft.text, list(draft.places), draft.cuts
        ('W3', [0, 2, 3], (1,))
        """
        start, end = part

        def moved(place: int) -> int:
            return place if place < start else max(start, place - (end - start))

        return Draft(
            self.text[:start] + self.text[end:],
            (*self.places[:start], *self.places[end:]),
            (start, *map(moved, self.cuts)),
            frozenset(map(moved, self.tears)) | ({start} if torn else frozenset()),
        )

    def damaged(self, part: Span) -> bool:
        """Whether a part is not what was written, so that nothing more can be said of it."""
        return part.end in self.tears or any(part.start < cut < part.end for cut in self.cuts)

    def located(self, finding: Finding) -> Finding:
        """A finding about this text as one about the text it was made from."""
        return replace(finding, spans=tuple(map(self._origin, finding.spans)))

    def _origin(self, span: Span) -> Span:
        start, end = span
        return Span(
            self.places[start], self.places[end - 1] + 1 if end > start else self.places[start]
        )


def recovered(
    parse: Callable[[str], Tree],
    draft: Draft,
    error: ShapeError,
    diagnose: Callable[[Draft, ShapeError], tuple[Finding | None, Draft]],
    most: int,
) -> tuple[Tree | None, Draft, list[Finding]]:
    """What can be parsed of a text without its mistakes, the text left, and the mistakes.

    ``error`` is where the text stopped fitting. ``diagnose`` names a mistake, or has nothing new to
    say, and gives the text to go on with. After ``most`` findings, or where a text stays as it is,
    there is no tree.
    """
    findings: list[Finding] = []
    while len(findings) < most:
        finding, following = diagnose(draft, error)
        if finding is not None:
            findings.append(draft.located(finding))
        if following == draft:
            break
        draft = following
        try:
            return parse(draft.text), draft, findings
        except ShapeError as another:
            error = another
    return None, draft, findings

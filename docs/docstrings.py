"""Docstrings as Markdown: examples of doctest become blocks of code.

mkdocs.yml names this as an extension of Griffe, which reads the package for the API reference.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(
    r"(?:^[ \t]*>>> .*\n?(?:[ \t]*\S.*\n?)*(?:[ \t]*\n(?=[ \t]*>>> ))?)+", re.MULTILINE
)


class Examples(griffe.Extension):
    """Fences the examples of every docstring, and has code in single backticks."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401 - whatever it is told
        """Change the docstring of one object."""
        if obj.docstring is not None:
            fenced = EXAMPLE.sub(_fenced, obj.docstring.value)
            obj.docstring.value = fenced.replace("``", "`").replace("<BLANKLINE>", "")


def _fenced(match: re.Match[str]) -> str:
    return f"\n~~~pycon\n{match[0].rstrip()}\n~~~\n"

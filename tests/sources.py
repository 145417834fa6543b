"""The modules of the package as trees of Python, each parsed once for all tests that read them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import alfil

PACKAGE = Path(alfil.__file__).parent


@cache
def parsed(path: Path) -> ast.Module:
    """A file as a tree."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_in(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file; nothing where there is none."""
    return tuple(ast.walk(parsed(path))) if path.exists() else ()

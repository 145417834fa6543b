"""What tells games of the same name apart, besides how their pieces move: a digest of the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from alfil.game.variant import Kind, Rules, Variant

_LENGTH = 16
# Movements are compared by themselves, and words about a piece change no game.
_BESIDES = frozenset({"code", "name", "piece", "status", "note", "kanji"})


def digest(variant: Variant) -> str:
    """Board, rules, set-up, hands and the fields of the pieces, in 16 figures and letters.

    A field that has its usual value counts as one that is not there.

    >>> import alfil
    >>> chess, king = (alfil.load(name).variant for name in ("chess", "three_check"))
    >>> digest(chess) == digest(alfil.load("chess").variant), digest(chess) == digest(king)
    (True, False)
    """
    text = "\n".join(_lines(variant))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]


def _lines(variant: Variant) -> Iterator[str]:
    yield f"board {variant.files}x{variant.ranks}"
    yield from _said(variant.rules, Rules())
    for kind in sorted(variant.kinds, key=lambda kind: kind.code):
        usual = Kind(kind.code, kind.name, kind.piece, kind.code, kind.code)
        yield f"piece {kind.code}"
        yield from _said(kind, usual)
    yield from (repr(tuple(each)) for each in sorted(variant.setup))
    yield from (repr(sorted(hand)) for hand in variant.hands)


def _said(whole: Rules | Kind, usual: Rules | Kind) -> Iterator[str]:
    for each in fields(usual):
        value = getattr(whole, each.name)
        if each.name not in _BESIDES and value != getattr(usual, each.name):
            yield f"{each.name} = {_plain(value)}"


def _plain(value: Any) -> str:  # noqa: ANN401 - whatever a field holds
    """A value in one spelling; sets are put in order."""
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return repr(tuple(value))
    return repr(value)

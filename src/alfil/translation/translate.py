"""A piece in another notation or dialect: the same piece, or every loss by name.

Whatever claims to be exact has been compiled again and compared with the original; whatever is
lossy has been proved to allow nothing that the original does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from alfil.errors import AlfilError, Finding
from alfil.meaning.compare import same_meaning
from alfil.meaning.inclusion import contains
from alfil.meaning.lower import meaning_of
from alfil.meaning.piece import Meaning
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.writer import write_betza
from alfil.notation.hasinu.writer import write_hasinu
from alfil.notation.nodes import Description
from alfil.source import Source, Span
from alfil.translation.betza import in_betza
from alfil.translation.hasinu import in_hasinu
from alfil.translation.parts import TranslationLoss

OnLoss: TypeAlias = Literal["strict", "lossy", "escape"]
POLICIES: tuple[OnLoss, ...] = ("strict", "lossy", "escape")
Losses: TypeAlias = tuple[Finding, ...]


def translated(
    tree: Description, source: Source, meaning: Meaning, to: tuple[str, str], on_loss: OnLoss
) -> tuple[str, Losses]:
    """The text of a tree in another notation or dialect, and what was lost.

    ``meaning`` is that of the tree, ``to`` the notation and dialect to write. Raises
    `TranslationLoss` with all losses where something is lost that may not be, or nothing is left.
    """
    notation, dialect = to
    if notation == "hasinu":
        if tree.notation == "hasinu":
            return write_hasinu(tree), ()
        described, losses = in_hasinu(tree, source, on_loss)
        return write_hasinu(described), losses
    if tree.notation == "betza" and dialect == tree.dialect:
        return write_betza(tree, dialect, source), ()
    losses = ()
    described = tree
    if tree.notation == "hasinu":
        described, losses = in_betza(tree, source, "lossy" if on_loss == "lossy" else "strict")
        if dialect == described.dialect:
            return write_betza(described, dialect), losses
    text, more = _in_dialect(described, dialect, source, on_loss)
    losses = (*losses, *more)
    written = meaning_of(read_betza(Source(text), dialect)[0], source)
    wanted = meaning.without_facts()
    if not (contains(wanted, written) if losses else same_meaning(wanted, written)):
        raise AssertionError(f"a translation of {source.text!r} came out wrong: {text}")
    return text, losses


def _in_dialect(
    described: Description, dialect: str, source: Source, on_loss: OnLoss
) -> tuple[str, Losses]:
    """A Betza tree in another dialect; with "lossy" without the parts that it cannot say."""
    own = source if described.dialect and described.span.end else None
    try:
        return write_betza(described, dialect, own), ()
    except AlfilError as error:
        losses = error.findings if own else tuple(_placed(error.findings, source))
    kept: list[object] = []
    for term in described.terms:
        try:
            write_betza(Description((term,), "betza", described.dialect), dialect)
        except AlfilError:
            continue
        kept.append(term)
    if on_loss != "lossy" or not kept:
        raise TranslationLoss(losses, source)
    left = tuple(term for term in described.terms if term in kept)
    return write_betza(Description(left, "betza", described.dialect), dialect), losses


def _placed(findings: Sequence[Finding], source: Source) -> Iterator[Finding]:
    """Findings about a text that nobody wrote, at the whole text that was given."""
    whole = (Span(0, len(source.text)),)
    for each in findings:
        yield Finding(each.kind, each.message, whole, each.hint, each.severity)

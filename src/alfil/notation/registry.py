"""The notations by name: a line for each folder, with a name for each dialect it has a table of.

A dialect is a name for a notation: what XBoard reads is the notation `xboard`. In ``dialect`` only
Ħasínū is told which dialect the Betza embedded in it is in. A folder has modules named for what
they offer: ``reader`` with ``read_`` and its name, ``writer`` with ``write_``, ``resolve`` with
``resolve_``, and ``spell`` with ``spell_option`` and ``spans_of_feature``, for
`alfil.translation.option_by_option` with ``losses_of`` and ``join_options`` too. They are imported
when first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias
from unicodedata import normalize

from alfil.errors import AlfilError, Diagnostic, reject, reject_unknown_name
from alfil.frozen_dataclasses import NamedTuple
from alfil.movement.canonical_movement import canonicalise_movement
from alfil.movement.nodes import Fact, Movement, Option
from alfil.notation.betza.letters import DIALECTS
from alfil.notation.description import DEFAULT_NOTATION, Description, Term
from alfil.source import Source, Span

# The name of a row of grammars/losses.tsv, and the span of the node that tells it.
Loss: TypeAlias = tuple[str, Span]
ReadResult: TypeAlias = tuple[Description, tuple[Diagnostic, ...]]


class Notation(NamedTuple):
    """A notation: its name, what people call it, and its folder in `alfil.notation`.

    ``dialect`` is which of the tables of its folder is meant, where that has several. One that
    ``embeds`` can have Betza in it. ``synonyms`` are what it is called besides.
    """

    name: str
    title: str
    folder: str
    dialect: str = ""
    embeds: bool = False
    synonyms: tuple[str, ...] = ()

    def read(
        self, source: Source, dialect: str | None = None, *, lenient: bool = False
    ) -> ReadResult:
        """The tree of a text, and the warnings; raises `NotationError` with all that is wrong.

        ``dialect`` is that of embedded Betza, or for the notation "betza" that of the text. Raises
        `AlfilError` of kind "not-embedded" where it is given and the notation can embed none,
        "unknown-dialect" where it is none of Betza's.
        """
        if dialect is not None:
            self._check_dialect(dialect)
            if not self.embeds:
                return NOTATIONS[dialect].read(source)
        read: Callable[..., ReadResult] = self._import_function("reader", "read_")
        if self.embeds:
            return read(source, dialect or DEFAULT_NOTATION, lenient=lenient)
        return read(source, self.dialect) if self.dialect else read(source)

    def write(self, tree: Description, source: Source) -> str:
        """A tree of this notation in canonical layout."""
        write: Callable[..., str] = self._import_function("writer", "write_")
        return write(tree, self.dialect, source) if self.dialect else write(tree)

    def spell_option(self, option: Option) -> tuple[Term, ...] | None:
        """The terms for one option of a movement, None where the notation has no direct form."""
        spelled: Callable[[Option], tuple[Term, ...] | None] = self._import_function(
            "spell", "spell_option"
        )
        return spelled(option)

    def join_options(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """Terms with the same moves, with those as one that it says together.

        For a notation that spells option by option.
        """
        join: Callable[[Iterable[Term]], tuple[Term, ...]] = self._import_function(
            "spell", "join_options"
        )
        return join(terms)

    def spans_of_feature(self, feature: str, span: Span, source: Source) -> tuple[Span, ...]:
        """Where in a stretch of a text of this notation something is told, if it has a sign."""
        places: Callable[..., tuple[Span, ...]] = self._import_function("spell", "spans_of_feature")
        return places(feature, span, source)

    def losses_of(self, item: Option | Fact) -> Iterator[Loss]:
        """Why an option or a fact has no form, in a notation that spells option by option."""
        losses_of: Callable[[Option | Fact], Iterator[Loss]] = self._import_function(
            "spell", "losses_of"
        )
        return losses_of(item)

    def _import_function(self, module: str, name: str) -> Any:  # noqa: ANN401 - each has a type of its own
        return _import_notation_function(self.folder, module, name)

    def _check_dialect(self, dialect: str) -> None:
        known = [each.name for each in NOTATIONS.values() if each.dialect]
        if dialect not in known:
            reject_unknown_name("unknown-dialect", dialect, known, 0.4)
        if not self.embeds and self.name != DEFAULT_NOTATION:
            message = f"{self.name} embeds no Betza that could be in the dialect {dialect}"
            hint = f"read the text in the notation {dialect}"
            reject(AlfilError, "not-embedded", message, Source(dialect, "<dialect>"), hint=hint)


@cache
def _import_notation_function(folder: str, module: str, name: str) -> Any:  # noqa: ANN401 - each has a type of its own
    whole = f"{name}{folder}" if name.endswith("_") else name
    return getattr(import_module(f"alfil.notation.{folder}.{module}"), whole)


# The list of the Ħasínū page, and its titles in the languages it has been translated into.
NAMES_OF_HASINU = (
    "Ħasínū",
    "HHasihnuu",
    "Hasinu",
    "RLUWDCP",
    "Reluwadecap",
    "a Rather Long and Unwieldy Way of Describing Chess Pieces",
    "Long and Long Notation",
    "Laȝoħasínū",
    "Peraño Xasinu",
    "Bikrta Hasinû",
)
NOTATIONS = {
    each.name: each
    for each in (
        *(Notation(dialect, "Betza", "betza", dialect) for dialect in DIALECTS),
        Notation("hasinu", "Ħasínū", "hasinu", embeds=True, synonyms=NAMES_OF_HASINU),
        Notation("parlett", "Parlett", "parlett"),
    )
}


def _normalise_name(name: str) -> str:
    """A name as it is compared: small letters, blanks for hyphens, no "notation" after it."""
    words = " ".join(normalize("NFC", name).casefold().replace("-", " ").replace("_", " ").split())
    return words.removeprefix("a ").removesuffix(" notation")


_NOTATION_BY_SYNONYM = {
    _normalise_name(each): one.name for one in NOTATIONS.values() for each in one.synonyms
}


def canonical_notation_name(name: str) -> str:
    """The name of a notation that goes by another one too; any other text as it is.

    >>> canonical_notation_name("RLUWDCP"), canonical_notation_name("letter")
    ('hasinu', 'letter')
    """
    return name if name in NOTATIONS else _NOTATION_BY_SYNONYM.get(_normalise_name(name), name)


def notation_by_name(name: str) -> Notation:
    """The notation of that name; `AlfilError` of kind "unknown-notation" with the nearest one.

    >>> notation_by_name("xboard").title, notation_by_name("rluwdcp").title
    ('Betza', 'Ħasínū')
    """
    result = NOTATIONS.get(name) or (
        isinstance(name, str) and NOTATIONS.get(canonical_notation_name(name))
    )
    return result or reject_unknown_name("unknown-notation", name, NOTATIONS)


def notation_of(tree: Description) -> Notation:
    """The notation a tree was read in."""
    return _notation_of_folder(tree.notation, tree.dialect)


@cache
def _notation_of_folder(folder: str, dialect: str) -> Notation:
    own = [each for each in NOTATIONS.values() if each.folder == folder]
    return next((each for each in own if each.dialect == dialect), own[0])


def movement_of(tree: Description) -> Movement:
    """The movement that a tree describes, whatever its notation, folded.

    Raises `MeaningError` for what no movement could hold.
    """
    return canonicalise_movement(resolve_tree(tree))


def options_of_written_parts(tree: Description) -> tuple[Option, ...]:
    """The options of a tree as its parts say them, each folded by itself and told once."""
    alone = [
        canonicalise_movement(Movement((option,))).options for option in resolve_tree(tree).options
    ]
    return tuple(dict.fromkeys(option for options in alone for option in options))


def resolve_tree(tree: Description) -> Movement:
    """The movement that a tree describes, as its author put it; raises as `movement_of`."""
    movement: Movement = _import_notation_function(tree.notation, "resolve", "resolve_")(tree)
    return movement


def split_notation_prefix(text: str, default: str = DEFAULT_NOTATION) -> tuple[str, str]:
    """A text without the name of a notation before it, and that name or the default.

    >>> (split_notation_prefix("hasinu:n4dO"), split_notation_prefix("R4"),
    ...  split_notation_prefix("griffon:x"))
    (('n4dO', 'hasinu'), ('R4', 'betza'), ('griffon:x', 'betza'))
    """
    name, colon, rest = text.partition(":")
    usual = canonical_notation_name(name) if colon else ""
    return (rest, usual) if usual in NOTATIONS else (text, default)

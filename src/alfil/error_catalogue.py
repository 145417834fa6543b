"""The catalogue of errors: what docs/errors/ says of each kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from alfil.data_files import read_data
from alfil.frozen_dataclasses import NamedTuple

# The pages of the catalogue of errors, in the order in which they are listed.
CATALOGUE_PAGES = (
    *("notations", "betza", "hasinu", "parlett", "to_hasinu", "to_betza", "to_parlett"),
    *("input", "piece_files", "locations", "games", "records"),
)
HEADING_PATTERN = re.compile(r"^## (\S+)$", re.MULTILINE)
SENTENCE_PATTERN = re.compile(r"((?:A warning\.\s++)?.+?\.)(?:\s|$)", re.DOTALL)


class Explanation(NamedTuple):
    """One kind and what the catalogue says of it."""

    kind: str
    text: str
    group: str

    @property
    def anchor(self) -> str:
        """Where the documentation has the entry."""
        return f"docs/errors/{self.group}.md#{self.kind}"

    @property
    def first_sentence(self) -> str:
        """The first sentence, on one line; with the next where it says only that it warns."""
        match = SENTENCE_PATTERN.match(self.text)
        return " ".join((match[1] if match else self.text).split())


def read_catalogue() -> Iterator[Explanation]:
    """All entries, in the order of the pages; a kind may have one in several."""
    for group in CATALOGUE_PAGES:
        _, *parts = HEADING_PATTERN.split(read_data("data/errors", f"{group}.md"))
        for kind, text in zip(parts[::2], parts[1::2], strict=True):
            yield Explanation(kind, text.strip(), group)


def explanations_by_kind() -> dict[str, Explanation]:
    """The explanation of each kind, of all its entries."""
    known: dict[str, Explanation] = {}
    for each in read_catalogue():
        before = known.get(each.kind)
        text = f"{before.text}\n\n{each.text}" if before else each.text
        known[each.kind] = Explanation(each.kind, text, before.group if before else each.group)
    return known

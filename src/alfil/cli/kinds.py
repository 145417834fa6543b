"""The catalogue of error kinds, which is docs/errors.md."""

from __future__ import annotations

import re
from typing import NamedTuple

from alfil.grammars import read_data

HEADING = re.compile(r"^## (\S+)$", re.MULTILINE)
GROUP = re.compile(r"^# .*$", re.MULTILINE)
SENTENCE = re.compile(r"((?:A warning\.\s+)?.+?\.)(?:\s|$)", re.DOTALL)


class Entry(NamedTuple):
    """One kind and what the catalogue says of it."""

    kind: str
    text: str

    @property
    def first_sentence(self) -> str:
        """The first sentence, on one line; with the next where it says only that it warns."""
        match = SENTENCE.match(self.text)
        return " ".join((match[1] if match else self.text).split())


def entries() -> dict[str, Entry]:
    """All entries by kind, in the order of the file."""
    parts = HEADING.split(read_data("data", "errors.md", "docs"))
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return {kind: Entry(kind, GROUP.split(text)[0].strip()) for kind, text in pairs}

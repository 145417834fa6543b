"""Hints that offer a text: only what can be read is offered."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from alfil.errors import Finding

# Hints that are nothing but texts to type.
OFFER = re.compile(r"(write|did you mean) (\S+?)(?: or (\S+?))?(\??)")
# Hints that end in an example.
EXAMPLE = re.compile(r"(.+\S): (\S+)")
NOTHING_TO_OFFER = "leave out what is marked"


def verified(finding: Finding, reads: Callable[[str], bool]) -> Finding:
    """The finding with those texts of its hint that ``reads`` says can be read.

    >>> found = Finding("double-and-range", "", (), "write W* or WW")
    >>> verified(found, lambda text: text == "WW").hint
    'write WW'
    """
    offer = OFFER.fullmatch(finding.hint)
    if not offer:
        example = EXAMPLE.fullmatch(finding.hint)
        if example and not reads(example[2]):
            return replace(finding, hint=example[1])
        return finding
    verb, first, second, question = offer.groups()
    good = [text for text in (first, second) if text and reads(text)]
    hint = f"{verb} {' or '.join(good)}{question}" if good else NOTHING_TO_OFFER
    return replace(finding, hint=hint)

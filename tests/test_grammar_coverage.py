"""Every rule and every terminal of the Betza grammar occurs in the case file.

The same is asked of the Ħasínū grammar in test_hasinu_reader.py.
"""

from __future__ import annotations

import pytest
from lark import Lark, Tree

import alfil
from boards import cases, rows
from trees import grammar_text

# The layers of notation that the case file leaves out.
EXTRA = ["(4,1)", "FtR", "t[FR]", "(az)3F", "(af)mF", "fmW*", "DXD"]


# What stands besides in the texts of two dialects.
MORE = {
    "listed": [
        "KDAN(cK-aK)",
        *[row[0] for _, row in rows("betza_corpus_dialects.tsv") if "taikyoku" in row[1]],
    ],
    "proposed": ["R[3-5]", "n{path:mid}A", "c@", "mWc^K", "m(AB)", "R^"],
}


@pytest.mark.parametrize("start", ["piece", "lettered", "listed", "proposed"])
def test_every_rule_and_terminal_of_betza_occurs(start: str) -> None:
    grammar = Lark(grammar_text("betza"), parser="lalr", start=start, keep_all_tokens=True)
    rules: set[str] = set()
    signs: set[str] = set()
    more = [text for text in MORE.get(start, []) if "²" not in text]
    for text in [*(case.text for case in cases("betza.tsv")), *EXTRA, *more]:
        if text != "tR" or start == "lettered":  # only there is t a letter
            tree = grammar.parse(text)
            for node in tree.iter_subtrees():
                rules.add(str(node.data))
                signs |= {child.type for child in node.children if not isinstance(child, Tree)}
    # A rule with letters is named after them in braces; those that begin with _ have no node.
    named = {str(rule.origin.name).partition("{")[0] for rule in grammar.rules}
    assert rules == {name for name in named if name[0] != "_"}
    assert signs == {terminal.name for terminal in grammar.terminals}


def test_extra_texts_are_read() -> None:
    for text in EXTRA:
        assert alfil.read(text).tree.terms

"""The Betza grammar is the reference of the language: it says what the reader reads.

Every rule and every terminal of it occurs in the case file; the same is asked of the Ħasínū grammar
in test_hasinu_reader.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby, islice, product
from string import ascii_lowercase

import pytest
from lark import Lark, Tree

import alfil

# No text shows which start of the grammar read it.
from alfil.notation.parsing import GrammarError, Parser, Token
from boards import cases, rows
from gathering import every_row
from strategies import NIGHTLY
from trees import grammar_text

# The layers of notation that the case file leaves out.
EXTRA = ["(4,1)", "FtR", "t[FR]", "(az)3F", "(af)mF", "fmW*", "DXD"]


# What stands besides in the texts of some starts.
MORE = {
    # Every letter, whether the reader finds sense in it there or not.
    "spelled": ["iiooffbblrvsfhhlmcdekpgppynjzqW"],
    "taikyoku": [
        "KDAN(cK-aK)",
        *[row[0] for _, row in rows("betza_corpus_dialects.tsv") if "taikyoku" in row[1]],
    ],
    "proposed": ["R[3-5]", "n{path:mid}A", "c@", "mWc^K", "m(AB)", "R^"],
}


@pytest.mark.parametrize("start", ["spelled", "piece", "lettered", "taikyoku", "proposed"])
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


# What the reader finds wrong with a text that fits the grammar, and why no grammar says so.
BESIDE_THE_GRAMMAR = {
    # How letters pair, and what may stand on it, depends on the atom that follows them.
    "direction-order",
    "redundant-direction",
    "half-direction",
    "castling-direction",
    "castling-modifier",
    "castling-range",
    "whole-part",
    "range-direction",
    "suffix-on-compound",
    "doubled-king",
    "doubled-whole",
    # Letters stand once in a leg and exclude each other, in whatever order they come.
    "repeated-modifier",
    "modifier-clash",
    # What a leg means depends on how far it goes and on whether it is the last one.
    "hop-without-room",
    "skip-without-room",
    "lame-without-path",
    "toggle-last-leg",
    "iso-without-slider",
    "misplaced-bend",
    "misplaced-initial",
    # The shape of numbers, rounds and brackets, told apart by the checks to be named.
    "double-and-range",
    "leading-zero",
    "range-on-chain",
    "repeat-form",
    "short-bracket",
    # Letters that a dialect does not have.
    "not-supported-yet",
}
SIGNS = "abfhilmnopjtwxyWNKROX20()[]-?*"


def short_texts() -> Iterator[str]:
    """All texts of up to three signs, and three letters before an atom; a sample in the gate."""
    lettered = ("".join(each) for each in product(*[ascii_lowercase] * 3, "WNK"))
    short = ("".join(each) for size in range(4) for each in product(SIGNS, repeat=size))
    return islice(chain(lettered, short), 0, None, 1 if NIGHTLY else 13)


class Shapes:
    """A builder that keeps rules and signs as they are, with all letters of a leg as one."""

    def __getattr__(self, rule: str) -> object:
        def shaped(*parts: object) -> object:
            found: list[object] = []
            for small, group in groupby(parts, is_letter):
                held = list(group)
                found += ["".join(map(str, held))] if small else held
            return rule, *found

        return shaped


def is_letter(part: object) -> bool:
    kept = {"AGAIN", "JOIN", "JOIN_OPEN"}
    return isinstance(part, Token) and part.type not in kept and part.islower()


def shape(text: str, parser: Parser[object]) -> object:
    try:
        return parser.parse(text)
    except GrammarError:
        return None


def errors(text: str) -> set[str]:
    try:
        alfil.read(text)
    except alfil.NotationError as error:
        return {each.kind for each in error.diagnostics if each.severity == "error"}
    return set()


def test_the_grammar_is_what_the_reader_reads() -> None:
    spelled, piece = (Parser("betza", Shapes(), start) for start in ("spelled", "piece"))
    seen: set[str] = set()
    for text in short_texts():
        by_letter, wrong = shape(text, spelled), errors(text)
        if by_letter is None:
            assert wrong, f"{text} is read, and does not fit the grammar"
        else:
            assert wrong <= BESIDE_THE_GRAMMAR, f"{text} fits the grammar"
            assert shape(text, piece)[1:] == by_letter[1:], text
            seen |= wrong
    assert seen == BESIDE_THE_GRAMMAR or not NIGHTLY


@pytest.mark.parametrize("text", ["wW", "xW", "tW", "hW", "hbN", "vhN", "fmW]", "N&", "aW(a)"])
def test_the_grammar_has_no_other_letters(text: str) -> None:
    assert shape(text, Parser("betza", Shapes(), "spelled")) is None


@every_row("text", [row[0] for _, row in rows("betza_corpus.tsv")])
def test_what_people_write_fits_the_grammar(text: str) -> None:
    fits = shape(text, Parser("betza", Shapes(), "spelled")) is not None
    assert fits or errors(text)

"""Two oracles that import nothing of alfil find the same moves in a text and in its translation.

One walks the Betza, the other the Ħasínū it became; so a mistake in alfil's own comparison of
meanings cannot hide here.
"""

from __future__ import annotations

import random
import re

from hypothesis import event, example, given, reject

import alfil
from boards import rows
from gathering import every_row
from oracle import betza_walker
from strategies import NIGHTLY, Picker, bracket, chain, examples, simple_part, texts
from test_oracle_agreement import BOARD_BYTES, SIDES, betza_oracle, hasinu_oracle, position

REFUSED = {row[0] for _, row in rows("betza_corpus_refused.tsv")}
USED = [row[0] for _, row in rows("betza_corpus.tsv") if row[0] not in REFUSED]
PAIRS = [(row[0], row[1]) for _, row in rows("translation.tsv")]
SIZE = (7, 7)


def check(text: str, translation: str, boards: int) -> None:
    """The squares and captures on some boards of enemies and friends."""
    dice = random.Random(text)
    for _ in range(boards):
        board = position(Picker(dice.randbytes(BOARD_BYTES)), SIZE, SIDES[:2])
        given_moves = {(move.to, move.captures) for move in betza_oracle(text, board)}
        found = {(move.to, move.captures) for move in hasinu_oracle(translation, board)}
        assert given_moves == found, (text, translation, board)


@every_row("text, translation", PAIRS)
def test_the_table(text: str, translation: str) -> None:
    check(text, translation, 3)


def test_the_strings_people_use() -> None:
    translated = 0
    for text in USED:
        try:
            translation = alfil.write(text, "hasinu")
        except alfil.TranslationLoss:
            continue
        translated += 1
        if NIGHTLY or translated % 2:
            check(text, translation, 2 if NIGHTLY else 1)
    assert translated == 658


def sayable(picker: Picker) -> str:
    """One or two parts of a kind that often has a form, without letters that never have one."""
    spell = picker.pick((simple_part, simple_part, bracket, chain))
    text = "".join(spell(picker) for _ in range(picker.pick((1, 2))))
    return re.sub(r"[pgjdekoyUO*]|i(?=i)", "", text).replace("-", "?")


@examples(50)
@example("KnZ")
@example("mRcW")
@given(texts(sayable))
def test_generated_pieces(text: str) -> None:
    try:
        translation = alfil.write(text, "hasinu")
    except alfil.AlfilError:
        reject()
    event("several terms" if "&" in translation else "one term")
    try:
        check(text, translation, 2)
    except betza_walker.Unreadable:
        reject()

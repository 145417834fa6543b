"""The law of pictures: equal marks, lines and words mean equal pieces.

What the marks cannot tell, the sentence in the picture does. With ALFIL_HYPOTHESIS=nightly 20,000
generated pieces are looked at, which takes some ten minutes.
"""

import csv
import random
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path

import alfil
from strategies import NIGHTLY, TEXT_BYTES, Picker, betza, chain, hasinu, simple_part, term

CASES = Path(__file__).parent / "cases"
SETS = CASES.parent.parent / "pieces"
GENERATED = 20_000 if NIGHTLY else 40
SPELLERS = (
    ("betza", betza),
    ("betza", simple_part),
    ("betza", chain),
    ("hasinu", hasinu),
    ("hasinu", term),
)


def column(file: str, name: str) -> list[str]:
    with (CASES / file).open(encoding="utf-8", newline="") as rows:
        return [row[name] for row in csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)]


def read(texts: Iterable[tuple[str, str]]) -> Iterator[alfil.Piece]:
    """The pieces of texts with their notations, those that can be read."""
    for notation, text in dict.fromkeys(texts):
        try:
            yield alfil.read(text, notation)
        except alfil.AlfilError:
            continue


def written() -> Iterator[alfil.Piece]:
    """Every piece of the case files, the corpus and the bundled sets."""
    texts = [("betza", text) for text in column("betza_corpus.tsv", "notation")]
    texts += [("betza", text) for text in column("betza.tsv", "betza")]
    texts += [("hasinu", text) for text in column("hasinu.tsv", "hasinu")]
    yield from read(texts)
    for name in sorted(file.stem for file in SETS.glob("*.pieces")):
        library = alfil.load(name)
        yield from (library[code].piece for code in library)


def generated(number: int) -> Iterator[tuple[str, str]]:
    """So many descriptions spelled from the grammars, the same ones every time."""
    dice = random.Random(11)
    for _ in range(number):
        notation, spell = dice.choice(SPELLERS)
        yield notation, spell(Picker(dice.randbytes(TEXT_BYTES)))


def pictured(pieces: Iterable[alfil.Piece]) -> Iterator[tuple[Hashable, alfil.Piece]]:
    """Each piece that can be drawn, with all that its picture shows and says."""
    for piece in pieces:
        try:
            shown = alfil.draw(piece).subject
        except alfil.AlfilError:
            continue
        marks = shown.marks
        drawn = marks.window, tuple(marks.squares.items()), marks.arrows, marks.remarks
        yield (drawn, shown.lines, shown.description), piece


def with_one_picture(pieces: Iterable[alfil.Piece]) -> tuple[int, list[tuple[str, str]]]:
    """How many pictures there are, and the different pieces that share one."""
    first: dict[Hashable, alfil.Piece] = {}
    alike = []
    for picture, piece in pictured(pieces):
        known = first.setdefault(picture, piece)
        if known is not piece and not alfil.same(known, piece):
            alike.append((known.text, piece.text))
    return len(first), alike


def test_pieces_that_people_wrote_have_pictures_of_their_own() -> None:
    pictures, alike = with_one_picture(written())
    assert alike == []
    assert pictures > 700


def test_generated_pieces_have_pictures_of_their_own() -> None:
    pictures, alike = with_one_picture(read(generated(GENERATED)))
    assert alike == []
    assert pictures > GENERATED / 2

"""The law of pictures: equal marks, lines and words mean equal pieces.

What the marks cannot tell, the sentence in the picture does; without it the legend, the example and
what is said below do. With ALFIL_HYPOTHESIS=nightly 20,000
generated pieces are looked at, which takes some ten minutes.
"""

import csv
import random
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import alfil
from alfil.diagrams.diagram_model import (  # a sheet of one piece without its notation
    Card,
    PieceToken,
    Sheet,
)
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


def all_shown(picture: alfil.Picture) -> Hashable:
    """All that a picture shows and says."""
    shown = picture.subject
    marks = shown.marks
    drawn = marks.window, tuple(marks.squares.items()), marks.arrows, marks.remarks
    return drawn, shown.lines, shown.description


def without_sentence(picture: alfil.Picture) -> bytes:
    """The picture as text without its sentence and without the notation."""
    bare = replace(picture, subject=replace(picture.subject, notation=""))
    return bare.render("text", sentence=False, legend=True)


def as_wikitext(picture: alfil.Picture) -> bytes:
    """The wikitext of a picture without the notation."""
    return replace(picture, subject=replace(picture.subject, notation="")).render("wikitext")


def as_sheet(picture: alfil.Picture) -> alfil.Picture:
    """A sheet of one piece, without the notation."""
    card = Card(PieceToken("X"), picture.subject, ())
    return replace(picture, subject=Sheet("", ((card,),)))


def as_text_sheet(picture: alfil.Picture) -> str:
    """Such a sheet as text."""
    return as_sheet(picture).text()


def pictured(
    pieces: Iterable[alfil.Piece], seen: Callable[[alfil.Picture], Hashable]
) -> Iterator[tuple[Hashable, alfil.Piece]]:
    """Each piece that can be drawn, with what is seen of its picture."""
    for piece in pieces:
        try:
            picture = alfil.draw(piece)
        except alfil.AlfilError:
            continue
        yield seen(picture), piece


def with_one_picture(
    pieces: Iterable[alfil.Piece], seen: Callable[[alfil.Picture], Hashable] = all_shown
) -> tuple[int, list[tuple[str, str]]]:
    """How many pictures there are, and the different pieces that share one."""
    first: dict[Hashable, alfil.Piece] = {}
    alike = []
    for picture, piece in pictured(pieces, seen):
        known = first.setdefault(picture, piece)
        if known is not piece and not alfil.same(known, piece):
            alike.append((known.text, piece.text))
    return len(first), alike


def test_pieces_that_people_wrote_have_pictures_of_their_own() -> None:
    pictures, alike = with_one_picture(written())
    assert alike == []
    assert pictures > 700


# Pieces that once shared a picture without the sentence, and what they shared it with.
ONCE_ALIKE = [
    ("betza", "K"),
    ("hasinu", "fe() & 1×8d"),
    ("hasinu", "fe(exclusive, n4dO, //pawn moves) & 1×8d"),
    ("betza", "W"),
    ("hasinu", "1×4dO & promote(//reach rank nine! , //gold)"),
    ("betza", "BcppB"),
    ("betza", "BcpB"),
    ("betza", ""),
    ("hasinu", "function(inchworm,range,[auto],[vuln])"),
    ("hasinu", "2(1×8d)"),
    ("hasinu", "{1,2}(1×8d)"),
    ("betza", "RmasR"),
    ("hasinu", "n(1×4dO)"),
]


def test_pictures_do_without_their_sentence() -> None:
    pieces = [*written()][:: 1 if NIGHTLY else 5]
    pictures, alike = with_one_picture([*pieces, *read(ONCE_ALIKE)], without_sentence)
    assert alike == []
    assert pictures > len(pieces) / 2 + len(ONCE_ALIKE) / 2


def test_generated_pieces_have_pictures_of_their_own() -> None:
    pictures, alike = with_one_picture(read(generated(GENERATED)))
    assert alike == []
    assert pictures > GENERATED / 2


@pytest.mark.parametrize("seen", [as_wikitext, as_text_sheet])
def test_other_forms_have_pictures_of_their_own(seen: Callable[[alfil.Picture], Hashable]) -> None:
    library = alfil.load("fairy")
    pieces = [library[code].piece for code in [*library][::3]]
    pictures, alike = with_one_picture([*pieces, *read(generated(GENERATED))], seen)
    assert alike == []
    assert pictures > len(pieces) / 2 + GENERATED / 2

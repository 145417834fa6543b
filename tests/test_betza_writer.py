"""Betza out: the canonical spelling of a tree, and round trips."""

import contextlib
import csv
import runpy
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil import MeaningError, NotationError, same, write
from alfil.geometry import Vector, images_of_base
from alfil.notation.betza.directions import fewest_turn_letters, join_tokens, shortest_usual_letters
from gathering import every_row
from oracle.betza_geometry import Unreadable, chosen
from strategies import NIGHTLY

CASES = Path(__file__).parent / "cases"


def notations() -> list[str]:
    found: dict[str, None] = {}
    for name in ("betza.tsv", "betza_corpus.tsv"):
        with (CASES / name).open(encoding="utf-8", newline="") as file:
            table = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
            found |= dict.fromkeys(row[0] for row in table[1:])
    return list(found)


def again(text: str, dialect: str = "betza") -> str:
    return write(alfil.read(text, dialect))


SPELLINGS = {
    "mfW": "fmW",
    "cifmW": "ifW",
    "nimfD": "ifmnD",
    "mcW": "W",
    "cmR": "R",
    "mcdR": "mcdR",
    "L": "C",
    "J": "Z",
    "lfL": "lfC",
    "mafW": "afW",
    "mpafW": "mpafW",
    "pmafW": "mpafW",
    "cmafW": "mcafW",
    "mcabK": "mcabK",
    "zoB": None,
    "kcW": "ckW",
    "ooR": "ooR",
    "fsN": "fsN",
    "FyafsF": "FyafsF",
    "[mF-R]": "[F-R]",
    "[mF?R]": "[mF?R]",
    "[mcF?R]": "[mcF?R]",
    "[F-mcR]": "[F-R]",
    "R1W0F3": "RB3W",
    "NmcN": "N",
    "NW1W": "WN",
    "LC": "C",
    "FX": "(4,1)",
    "fmrF": "fbrmF",
    "W1WtR": "W[W?R]",
    "FXF": "(4,1)0",
    "zF2": "zB2",
    "fmR*": "fmW*",
    "(4,1)mc(4,1)": "(4,1)",
    "t[FR]": "[F?R]",
    "FtR": "[F?R]",
    "v[F?R]": "v[F?R]",
    "(afmpaf)3F": "(afmpaf)3F",
    "KNADcaKmcabK": "KDNAcaKmcabK",
    "ifmnDfmWfceF": "fmWfceFifmnD",
    "fK": "fW",
    "fsK": "fF",
    "fhK": "fhK",
    "fsQ": "fB",
    "WF": "K",
    "cBcR": "cQ",
    "W3F3": "Q3",
    "W3F2": "R3B2",
    "fmWmF": "mFfmW",
    "fbW": "vW",
    "vsW": "W",
    "blbbW": "blW",
    "brflF": "lfrbF",
    "fhbhN": "N",
    "fbN": "vN",
    "frlN": "frlN",
    "FRFfW": "RFfW",
    "WB": "BW",
    "ADW": "WDA",
    "ifmnDfceFfmW": "fmWfceFifmnD",
    "WtB": "[W?B]",
    "fFtR": "fFtR",
    "iiKiKafsWK": "KafsWiKiiK",
    "": "",
}


@every_row("text, written", SPELLINGS.items())
def test_spelling(text: str, written: str | None) -> None:
    if written is None:
        with pytest.raises(NotationError):
            alfil.read(text)
    else:
        assert again(text) == written


def test_classic_keeps_its_letters() -> None:
    assert again("LJ", "classic") == "LJ"
    assert again("N0DDW0(4,1)0", "classic") == "RDDNN(4,1)0"
    assert again("mfW", "classic") == "fmW"


@pytest.mark.parametrize("wheel", ["qN", "zN", "qA"])
@pytest.mark.parametrize("path", ["[N?R]", "[N?N]", "[A?B]"])
def test_a_joined_path_after_a_wheel_can_be_read_again(wheel: str, path: str) -> None:
    piece = alfil.read(path + wheel)
    assert same(alfil.read(write(piece, "classic"), "classic"), piece)


def test_a_wheel_before_its_own_letter_is_endless() -> None:
    assert str(alfil.read("NtRqN", "classic")) == "qN0NtR"


def test_the_other_spellings_of_a_letter() -> None:
    assert again("(2,1)") == "N"
    assert again("(0,2)") == "D"
    assert again("(1,4)") == "(4,1)"


def readable(dialect: str) -> list[str]:
    found = []
    for text in notations():
        try:
            alfil.read(text, dialect)
        except NotationError:
            continue
        found.append(text)
    return found


@pytest.mark.parametrize("dialect", ["betza", "classic"])
def test_what_is_written_reads_the_same(dialect: str) -> None:
    texts = readable(dialect)
    assert len(texts) > (700 if dialect == "betza" else 400)
    for text in texts:
        written = again(text, dialect)
        assert again(written, dialect) == written, text
        assert written == text or same(alfil.read(text, dialect), alfil.read(written, dialect)), (
            text
        )


parts = st.from_regex(r"[fblrmcdkpnjioyzqa]{0,5}[WFDNAHCZGLJKRBQ](0|[1-9]|\*)?", fullmatch=True)
paths = st.from_regex(
    r"[fblrv]?\[[mcfs]{0,2}[WFKRB]([-?][mcfsb]{0,2}[WFKRBN]3?){1,2}\]", fullmatch=True
)


@given(st.lists(st.one_of(parts, paths), max_size=4).map("".join))
def test_any_text_that_is_read_can_be_written(text: str) -> None:
    try:
        written = again(text)
    except NotationError:
        return
    assert again(written) == written
    with contextlib.suppress(MeaningError):  # too large to be compared
        assert same(text, written)


@pytest.mark.parametrize("text", ["(acl)1frW", "(azlr)0fF", "mf(af)rF", "fm(af)rF", "(aol)fD"])
def test_letters_after_a_repeat_pair_as_they_did(text: str) -> None:
    written = write(text)
    assert same(written, text)
    assert write(written) == written


def test_of_equally_short_runs_the_preferred_letters_are_written() -> None:
    """They could be read as rhl and bhf, too; lines before single ways, wide before half."""
    assert fewest_turn_letters(frozenset({1, 2, 3, 6})) == ("rv", "s")
    assert fewest_turn_letters(frozenset({0, 3, 4, 5})) == ("bs", "v")


# Runs of so many letters are all tried: longer ones choose any directions there are.
MOST_LETTERS = 7 if NIGHTLY else 5


def shortest_runs(family: str, vectors: tuple[Vector, ...]) -> dict[frozenset[Vector], int]:
    """How many letters at least choose some vectors, for all that so few choose."""
    found: dict[frozenset[Vector], int] = {}
    for length in range(1, MOST_LETTERS + 1):
        for letters in product("fblrvsh", repeat=length):
            with contextlib.suppress(Unreadable):
                some = frozenset(chosen(("".join(letters),), family, vectors))
                found.setdefault(some, length)
    return found


@pytest.mark.parametrize("atom", ["W", "F", "N", "K"])
def test_all_sets_of_directions_take_the_fewest_letters(atom: str) -> None:
    vectors = {"W": images_of_base(0, 1), "F": images_of_base(1, 1), "N": images_of_base(1, 2)}.get(
        atom
    )
    vectors = vectors or (*images_of_base(0, 1), *images_of_base(1, 1))
    known = shortest_runs(atom, vectors)
    for count in range(1, len(vectors)):
        for some in combinations(vectors, count):
            tokens = shortest_usual_letters(frozenset(some), vectors, atom)
            assert tokens is not None, some
            letters = join_tokens(tokens, atom)
            assert {*chosen((letters,), atom, vectors)} == {*some}
            fewest_letters = known.get(frozenset(some))
            assert len(letters) == fewest_letters if fewest_letters else len(letters) > MOST_LETTERS


def test_the_table_of_usual_runs_is_what_the_corpus_says() -> None:
    module = runpy.run_path(str(Path(__file__).parents[1] / "docs" / "usual_spellings.py"))
    kept = module["TABLE"].read_text(encoding="utf-8")
    assert module["table"]() == kept, "run: python docs/usual_spellings.py"


def test_all_directions_need_no_letters() -> None:
    assert shortest_usual_letters(frozenset(images_of_base(1, 0)), images_of_base(1, 0), "W") == ()


def test_up_to_four_letters_or_pairs_choose_some_directions() -> None:
    straight = ((0, 1), (0, -1), (-1, 0), (1, 0))
    for way, letter in zip(straight, "fblr", strict=True):
        assert shortest_usual_letters(frozenset({way}), images_of_base(1, 0), "W") == (letter,)
        assert shortest_usual_letters(
            frozenset({way}), (*images_of_base(1, 0), *images_of_base(1, 1)), "K"
        ) == (letter,)
    assert fewest_turn_letters(frozenset({0, 1, 2, 5})) == ("fr", "f", "bl", "r")
    assert fewest_turn_letters(frozenset({0, 3, 6, 7})) == ("fl", "f", "br", "l")

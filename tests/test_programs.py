"""What other programs do with a text: the models against the programs' own answers.

Fairy-Stockfish is there to be asked. tests/cases/fairy_stockfish_moves.tsv has what it answered for
every string that people use; the same strings and random ones are tried on full boards as well. Of
XBoard there are the answers in betza.tsv, and what its specification says.
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import alfil
from boards import RADIUS, Case, Offset, Squares, cases, rows, squares
from fairy_games import (
    FILES,
    LETTERS,
    PIECES_PER_VARIANT,
    RANKS,
    Position,
    differing,
    differing_alone,
    load,
    program_answers,
)
from gathering import every_row
from inside import predict_reading
from strategies import NIGHTLY

CASES = Path(__file__).parent / "cases"
FACTS = [row for _, row in rows("fairy_stockfish_moves.tsv")]
AT = (5, 4)
NEAR = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0)]

# Strings of the corpus for which the prediction and the program differ, each with its reason. There
# are none at present; a row that has become superfluous fails too.
EXCEPTIONS: dict[str, str] = {}
# Here the program knows every character, and yet has no use for the n before a range.
UNUSED = {"mfFcfWifmnF2"}

SEED = 20_261_121
RANDOM = 240 if NIGHTLY else 160


def fairy(text: str) -> Any:  # noqa: ANN401 - what `predict_reading` gives
    return predict_reading(text, "fairy-stockfish")


def piece_of(prediction: Any) -> alfil.Piece:  # noqa: ANN401
    assert prediction.betza is not None
    return alfil.read(prediction.betza, prediction.notation)


def square(offset: Offset) -> str:
    return f"{LETTERS[AT[0] + offset[0]]}{AT[1] + offset[1] + 1}"


def on_board(offset: Offset) -> bool:
    return 0 <= AT[0] + offset[0] < FILES and 0 <= AT[1] + offset[1] < RANKS


def quiet(piece: alfil.Piece) -> Squares:
    return frozenset(move.to for move in alfil.moves(piece, files=FILES, ranks=RANKS, at=AT))


def captures(piece: alfil.Piece, tried: Squares) -> Squares:
    """Where it captures an enemy that stands alone."""
    found = set()
    for offset in filter(on_board, tried):
        enemy = {square(offset)}
        for move in alfil.moves(piece, files=FILES, ranks=RANKS, at=AT, enemies=enemy):
            found |= set(move.captures)
    return frozenset(found)


def disagreements(facts: list[list[str]]) -> set[str]:
    """The texts whose moves, or whose captures of a lone enemy, are others than predicted.

    The captures of one half are asked here, those of the other on full boards.
    """
    found = set()
    for number, (text, _, moves, takes) in enumerate(facts):
        piece = piece_of(fairy(text))
        expected = squares(moves)
        taken = expected if takes == "=" else squares(takes)
        alone = NIGHTLY or number % 2 == 0
        tried = frozenset({*NEAR, *expected, *taken} if alone else ())
        if quiet(piece) != expected or (alone and captures(piece, tried) != taken):
            found.add(text)
    return found


def test_fairy_stockfish_does_with_the_corpus_what_is_predicted() -> None:
    found = disagreements(FACTS)
    agreed = f"{len(FACTS) - len(found)} of {len(FACTS)} predicted as Fairy-Stockfish answers"
    sys.stdout.write(agreed)
    assert found == EXCEPTIONS.keys(), agreed


def test_what_fairy_stockfish_passes_over_is_known() -> None:
    passed = {text for text, *_ in FACTS if fairy(text).ignored}
    assert passed - UNUSED == {text for text, ignored, *_ in FACTS if ignored == "yes"}
    assert passed >= UNUSED


def noise(draw: random.Random) -> str:
    """A text of one to three atoms with all kinds of letters and signs around them."""
    text = ""
    for _ in range(draw.choice([1, 1, 2, 2, 3])):
        atom = draw.choice("WFNKRBQDAHCZGLJWFNKRBQ")
        text += "".join(draw.choice("fblrvsh") for _ in range(draw.choice([0, 0, 0, 1, 1, 2])))
        text += draw.choice(["", "", "m", "c", "mc"])
        text += draw.choice(["", "", "", "n", "p", "g", "p", "pn", "gp", "gn"])
        text += draw.choice(["", "", "", "i"]) + atom
        text += draw.choice(["", "", "", "0", "1", "2", "3", "4", atom, "22"])
        text += draw.choice(["", "", "", "", "[", "-", "?", "a", "t", "(x", "]7", "U", "X3", "y"])
    return text


def some_noise() -> list[str]:
    draw = random.Random(SEED)
    return list(dict.fromkeys(noise(draw) for _ in range(RANDOM)))


def squares_of_program(place: tuple[str, str], position: Position) -> Squares:
    return program_answers(*place, position)


@pytest.mark.parametrize("start", range(0, RANDOM, PIECES_PER_VARIANT))
def test_fairy_stockfish_does_on_full_boards_what_is_predicted(start: int) -> None:
    texts = some_noise()[start : start + PIECES_PER_VARIANT]
    places = load(texts, f"noise{start}")
    pieces = {text: piece_of(fairy(text)) for text in texts}
    assert differing_alone(places, pieces) == []
    assert differing(places, pieces) is None


def test_the_corpus_on_full_boards() -> None:
    facts = FACTS if NIGHTLY else FACTS[1::2]
    texts = [row[0] for row in facts if row[0].isascii()]
    places = load(texts, "corpus")
    for start in range(0, len(texts), PIECES_PER_VARIANT):
        some = texts[start : start + PIECES_PER_VARIANT]
        assert differing(places, {text: piece_of(fairy(text)) for text in some}) is None


def test_whatever_the_dialect_reads_fairy_stockfish_reads_alike() -> None:
    read = []
    for text in [*some_noise(), *(row[0] for row in FACTS)]:
        try:
            piece = alfil.read(text, "fairy-stockfish")
        except alfil.NotationError:
            continue
        if not any(diagnostic.kind == "variant-en-passant" for diagnostic in piece.diagnostics):
            read.append(text)
            assert alfil.same(piece, piece_of(fairy(text))), text
    assert len(read) > 500


# XBoard


def answer_of_xboard(case: Case) -> Squares | None:
    """What XBoard gave in betza.tsv, where it was asked the string itself."""
    if case.expects == "conflict":
        return case.readings["XB"]
    return case.squares if "XB" in case.column5.split(",") else None


def test_xboard_does_with_the_case_file_what_is_predicted() -> None:
    tried = 0
    for case in cases("betza.tsv"):
        expected = answer_of_xboard(case)
        if expected is None:
            continue
        prediction = predict_reading(case.text, "xboard")
        assert prediction.betza is not None
        scene = case.scene
        moves = alfil.moves(
            piece_of(prediction),
            radius=RADIUS,
            enemies=scene.enemies,
            friends=scene.friends,
            enemy_royals=scene.enemy_royals,
            unmoved_friends=scene.unmoved_friends,
            moves_made=scene.moves_made,
            unmoved=scene.unmoved,
        )
        assert {move.to for move in moves} == expected, case.text
        tried += 1
    assert tried > 160


XBOARD = {
    "L": "Z",
    "J": "C",
    "NN": "N",
    "KK": "K",
    "WW2": "W2",
    "W03": "W3",
    "R12": "R12",
    "sfK": "fsW",
    "ffsK": "fWfF",
    "fhK": "K",
    "fsB": "B",
    "rvF": "F",
    "fvN": "vN",
    "fhW": "fW",
    "mfW": "mW",
    "fmrF": "fmF",
    "nW": "",
    "nR": "",
    "pW": "",
    "jW": "",
    "zB": "B",
    "qN": "N",
    "FX": "F",
    "NY": "N",
    "U": "",
    "[F?R]": "",
    "t[FR]": "",
    "(4,1)": "",
    "xyzW": "W",
    "FyafsF": "[F?R]",
    "W(4,1)": "W",
    "Kn": "K",
    "nH": "[W-fD]",
    "nZ": "[F-N]",
    "nC": "[W-N]",
    "fjG": "f[pF-fA]",
    # Measured again, on 3,264 boards of 544 strings.
    "cmafR": "cR",
    "mfaW": "mW",
    "hrgW": "W",
    "fhpW": "fW",
    "hrcdW4": "R4",
    "njR": "R",
    "njB": "B",
    "hrarfN": "[hrN-A]",
}


@every_row("text, spelling", XBOARD.items())
def test_xboard(text: str, spelling: str) -> None:
    assert alfil.same(piece_of(predict_reading(text, "xboard")), spelling)


@pytest.mark.parametrize("text", ["tR", "FtR"])
def test_t_has_words_in_one_dialect_only(text: str) -> None:
    prediction = predict_reading(text, "xboard")
    assert (prediction.betza, prediction.notation) == (text, "xboard")


UNMEASURED = [
    "fafN",
    "fbsmF",
    "jjR",
    "nH2",
    "O",
    "yaN",
    "yafmC",
    "myamZ",
    "gaN",
    "hrmF",
    "hrfF",
    "fhrF",
    "mahrF",
    "fhcF",
    "mafhR",
    "afhK",
    "mpafhbQ",
    "WmahrD",
]


@pytest.mark.parametrize("text", UNMEASURED)
def test_what_nobody_has_measured_is_not_guessed(text: str) -> None:
    assert predict_reading(text, "xboard").betza is None


def test_whatever_the_dialect_reads_xboard_reads_alike() -> None:
    read = 0
    for text in [row[0] for row in FACTS]:
        try:
            piece = alfil.read(text, "xboard")
        except alfil.NotationError:
            continue
        prediction = predict_reading(text, "xboard")
        read += 1
        assert prediction.ignored == ()
        assert prediction.betza is not None
        assert alfil.same(piece, piece_of(prediction)), text
    assert read > 500


# Both


IGNORED = {
    ("fairy-stockfish", "afsW"): [(0, 1)],
    ("fairy-stockfish", "[F?R]"): [(0, 1), (2, 3), (4, 5)],
    ("fairy-stockfish", "R12"): [(2, 3)],
    ("fairy-stockfish", "nR"): [(0, 1)],
    ("fairy-stockfish", "Kfn"): [(1, 3)],
    ("fairy-stockfish", "(4,1)"): [(0, 5)],
    ("fairy-stockfish", "KN"): [],
    ("xboard", "mfW"): [(1, 2)],
    ("xboard", "xyzW"): [(0, 3)],
    ("xboard", "W[F?R]"): [(1, 6)],
    ("xboard", "Kn"): [(1, 2)],
    ("xboard", "mfafW"): [(1, 4)],
    ("xboard", "cmafR"): [(1, 4)],
    ("xboard", "fhpW"): [(1, 3)],
}


@pytest.mark.parametrize(("program", "text"), IGNORED)
def test_ignored(program: str, text: str) -> None:
    spans = [alfil.Span(*span) for span in IGNORED[program, text]]
    assert list(predict_reading(text, program).ignored) == spans


@pytest.mark.parametrize("program", ["fairy-stockfish", "xboard"])
def test_any_text_has_a_prediction(program: str) -> None:
    draw = random.Random(SEED)
    signs = "WFNKRBQDAHCZGLJUXYIEOfblrvshmcdekpgnjioyzqatxu0123456789[]()-?*,& ñ²"
    for _ in range(400):
        text = "".join(draw.choice(signs) for _ in range(draw.randrange(9)))
        prediction = predict_reading(text, program)
        assert prediction.text == text
        assert all(0 <= span.start < span.end <= len(text) for span in prediction.ignored)
        if prediction.betza is not None:
            piece_of(prediction)


def test_an_unknown_program_is_an_error() -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        predict_reading("W", "fairy stockfish")
    assert caught.value.kind == "unknown-program"
    assert "fairy-stockfish" in caught.value.hint


VERDICTS = {
    ("fairy-stockfish", "KNAD"): "same",
    ("fairy-stockfish", "NN"): "same",
    ("fairy-stockfish", "W n"): "unreadable",
    ("fairy-stockfish", "afsW"): "ignored",
    ("fairy-stockfish", "fmWfceF"): "settings",
    ("fairy-stockfish", "fmWfceFifmnD"): "settings",
    ("fairy-stockfish", "KisO2"): "settings",
    ("fairy-stockfish", "fmWfceFbW*"): "unreadable",
    ("fairy-stockfish", "afsWisO2"): "ignored",
    ("xboard", "KisO2"): "same",
    ("fairy-stockfish", "fsK"): "other",
    ("fairy-stockfish", "D0"): "other",
    ("fairy-stockfish", "RfpR"): "other",
    ("fairy-stockfish", "sfK"): "unreadable",
    ("xboard", "NN"): "other",
    ("xboard", "N0"): "same",
    ("xboard", "L"): "other",
    ("xboard", "mfW"): "ignored",
    ("xboard", "hrarfN"): "other",
    ("xboard", "tR"): "unreadable",
}


@pytest.mark.parametrize(("program", "text"), VERDICTS)
def test_verdict(program: str, text: str) -> None:
    found = alfil.check_for(text, program)
    assert found.verdict == VERDICTS[program, text]
    assert (found.ours is None) == (found.verdict == "unreadable") == (found.error is not None)


def test_moves_gained_and_lost() -> None:
    found = alfil.check_for("mfW", "xboard")
    assert found.gained == {(-1, 0), (1, 0), (0, -1)}
    assert found.lost == found.captures_gained == found.captures_lost == frozenset()
    found = alfil.check_for("fsKcR2", "fairy-stockfish")
    assert found.gained == {(-1, 0), (1, 0)}
    found = alfil.check_for("cD0", "fairy-stockfish")
    assert found.captures_lost == {
        (x, y) for k in (2, 4, 6, -2, -4, -6) for x, y in ((0, k), (k, 0))
    }
    assert alfil.check_for("tR", "xboard").gained == frozenset()


def test_a_piece_is_compared_as_it_was_read() -> None:
    classic = alfil.read("fK", "classic")
    assert alfil.check_for(classic, "fairy-stockfish").verdict == "same"
    assert alfil.check_for("fK", "fairy-stockfish").verdict == "other"
    with pytest.raises(alfil.AlfilError, match="reads Betza"):
        alfil.check_for(alfil.read("n4dO", "hasinu"), "xboard")


def test_the_facts_are_about_the_whole_corpus() -> None:
    with (CASES / "betza_corpus.tsv").open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert {row[0] for row in FACTS} == {row[0] for row in table[1:]}
    assert len(FACTS) == len(table) - 1

"""Parlett's notation: cases as data, round trips, mistakes, and what is made from a text."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import alfil
from gathering import every_row

HERE = Path(__file__).parent / "cases"
SIGNS = "0123456789nn12~^*+<>=XXcoi/&().,- \t×÷xNKém\x00ω"


def rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


CASES = rows("parlett.tsv")
TEXTS = [row["parlett"] for row in CASES]


def read(text: str) -> alfil.Piece:
    return alfil.read(text, "parlett")


@every_row("row", CASES)
def test_it_is_the_piece_that_betza_says(row: dict[str, str]) -> None:
    piece = read(row["parlett"])
    assert alfil.same(piece, row["betza"])
    assert piece.notation == "parlett"


@every_row("text", TEXTS)
def test_what_is_written_is_read_again(text: str) -> None:
    piece = read(text)
    again = read(str(piece))
    assert again == piece
    assert str(again) == str(piece)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("io2>,ci1X", "oi2>, ci1X"),
        (" ~3/1 ", "~1/3"),
        ("n( 1/2 )", "n(1/2)"),
        ("(1/2)&", "n(1/2)"),
        ("1X . n+", "1X.n+"),
        ("c( 1X,n+ )", "c(1X, n+)"),
        ("m=1*", "1*"),
        (" m = o1>,c1X>", "o1>, c1X>"),
        ("1÷, n>÷", "1=, n>="),
        ("~2/0", "~0/2"),
        ("", ""),
    ],
)
def test_canonical_layout(text: str, canonical: str) -> None:
    assert str(read(text)) == canonical


@every_row("text", TEXTS)
def test_every_character_matters(text: str) -> None:
    piece = read(text)
    for at, sign in enumerate(text):
        shorter = text[:at] + text[at + 1 :]
        if sign.isspace() or says_nothing(text, at):
            assert read(shorter).movement == piece.movement
            continue
        try:
            other = read(shorter)
        except alfil.NotationError:
            continue
        assert not alfil.same(piece, other), f"{text} without the {sign} at {at}"


def says_nothing(text: str, at: int) -> bool:
    """Whether a sign is a ~ before /, which is a leap without it too."""
    return text[at] == "~" and text[at + 2 : at + 3] == "/"


@every_row("text", TEXTS)
def test_words_and_pictures_are_those_of_the_same_movement(text: str) -> None:
    piece = read(text)
    copied = alfil.Movement.from_json(piece.movement.to_json())
    assert copied == piece.movement
    said = alfil.describe(piece)
    assert said.endswith(".")
    assert said != "Has no moves."
    assert "@" in alfil.draw(piece).text()


def test_words() -> None:
    assert alfil.describe(read("1X.n+")) == alfil.describe("[F?R]")
    assert alfil.describe(read("~1/2")) == alfil.describe("N")
    assert alfil.describe(read("o1>, c1X>, oi2>")) == (
        "Steps one square straight forward without capturing; captures by stepping one square"
        " diagonally forward. On its first move it may go exactly two squares straight forward"
        " without jumping or capturing."
    )


def test_a_leap_of_any_length_passes_over_anything() -> None:
    piece = read("~n+")
    assert alfil.same(piece, alfil.read("j(n4dO)", "hasinu"))
    assert alfil.same(read("1X.~n+"), alfil.read("1×4dD &t j(n4dO)", "hasinu"))
    found = alfil.moves(piece, radius=4, enemies={(0, 2)}, friends={(1, 0)})
    assert {(0, 1), (0, 2), (0, 3), (0, 4), (2, 0)} <= {move.to for move in found}
    assert (1, 0) not in {move.to for move in found}


def test_a_capture_by_leaping_over_takes_the_piece_in_between() -> None:
    found = alfil.moves(read("c^2X"), enemies={(1, 1), (-1, 1), (-2, 2)}, friends={(1, -1)})
    assert {(move.to, move.captures) for move in found} == {((2, 2), ((1, 1),))}


def test_a_capture_from_afar_takes_the_piece_before_the_last_square() -> None:
    found = alfil.moves(read("c^n+"), radius=4, enemies={(0, 2), (3, 0), (4, 0), (0, -1)})
    assert {(move.to, move.captures) for move in found} == {
        ((0, 3), ((0, 2),)),
        ((0, -2), ((0, -1),)),
    }
    assert not alfil.moves(read("c^3+"), radius=4, enemies={(0, 2), (0, 1), (1, 0)})


def diagnostics(text: str) -> list[tuple[str, int, int, str, str]]:
    with pytest.raises(alfil.NotationError) as caught:
        read(text)
    assert str(caught.value)
    return [
        (each.kind, *each.spans[0], each.message, each.hint) for each in caught.value.diagnostics
    ]


ERRORS = rows("parlett_errors.tsv")


@every_row("text", dict.fromkeys(row["text"] for row in ERRORS))
def test_errors(text: str) -> None:
    wanted = [
        (row["kind"], int(row["start"]), int(row["end"]), row["message"], row["hint"])
        for row in ERRORS
        if row["text"] == text
    ]
    assert diagnostics(text) == wanted


def test_what_no_table_holds_is_refused_too() -> None:
    assert [each[0] for each in diagnostics("1X\x00")] == ["control-character"]
    assert [each[0] for each in diagnostics("1" * 20_000)] == ["too-long"]
    assert [each[0] for each in diagnostics("(" * 300 + "1X" + ")" * 300)] == ["too-deep"]
    assert [each[0] for each in diagnostics("9" * 9_000 + "+")] == ["number-too-long"]
    assert len(diagnostics("1, " * 100)) == 20


def test_a_leap_without_its_sign_is_a_warning() -> None:
    (warning,) = read("n+, 1/2").diagnostics
    assert (warning.kind, warning.severity, warning.spans[0]) == (
        "leap-without-tilde",
        "warning",
        (4, 7),
    )
    assert read("n(1/2), ~1/2").diagnostics == ()


@every_row("row", CASES)
def test_translations_are_the_same_piece(row: dict[str, str]) -> None:
    from_betza = alfil.translate(row["betza"], write="parlett")
    assert from_betza.exact
    assert alfil.same(read(str(from_betza)), row["betza"])
    into_betza = alfil.translate(row["parlett"], read="parlett", write="betza")
    assert alfil.same(str(into_betza), row["betza"])


@every_row("text", [text for text in TEXTS if "^" not in text])
def test_by_way_of_hasinu(text: str) -> None:
    hasinu = alfil.translate(text, read="parlett", write="hasinu")
    again = alfil.translate(str(hasinu), read="hasinu", write="parlett")
    assert alfil.same(read(text), read(str(again)))


WRITTEN = [
    ("N", "~1/2"),
    ("NN", "n(1/2)"),
    ("K", "1*"),
    ("Q", "n*"),
    ("A", "~2X"),
    ("FyafsF", "1X.n+"),
    ("[F?R]", "1X.n+"),
    ("FtR", "1X.n+"),
    ("[W?B]", "1+.nX"),
    ("[fF?fsR]", "1X>.n+"),
    ("cafmF", "c^2X"),
    ("[cR-fmW]", "c^n+"),
    ("mQ[cQ-fmK]", "on*, c^n*"),
    ("fFfW", "1*>"),
    ("nA", "2X"),
    ("nDD", "n(2+)"),
    ("mKcQ", "o1*, cn*"),
    ("fmWfcFifmR2", "o1>, c1X>, oi1-2>"),
    ("WfF", "1+, 1X>"),
    ("KafsW", "1X, 1+.1X"),
    ("FWNDlRrR", "n=, 1*<>, ~2+, ~1/2"),
    ("fRlRrRbFbW", "n>=, 1*<"),
    ("jR3WH", "~1-3+"),
    ("icjQ3icHicG", "ci~2-3*"),
    ("mKafKmp(afmp)afmK", "c2*, o~n*"),
    ("Kmp(afmp)afKfs[cnH-mW]", "~n*, c^4>="),
    ("fhcKfhmp(afmp)afcKfh[A-cR3]", "c~2X>.1-3>=, c~n*>"),
]


@pytest.mark.parametrize(("betza", "parlett"), WRITTEN)
def test_betza_is_written(betza: str, parlett: str) -> None:
    assert alfil.write(betza, "parlett") == parlett


HASINU = [
    ("1×8d", "1*"),
    ("(1,2)", "~1/2"),
    ("n(1,2)", "n(1/2)"),
    ("1×4dD &t n4dO", "1X.n+"),
    ("1×4dO &t45° n4dD", "1+.nX"),
    ("j(n4dO)", "~n+"),
    ("j({2,3}×4dD)", "~2-3X"),
    ("m(j(n4dO))", "o~n+"),
    ("c(j(n4dO))", "c~n+"),
    ("m(1×1dN) & c(1×2dNE-NW) & atmove(1,m(2×1dN))", "o1>, c1X>, oi2>"),
    ("n(2×4dO &t0°)", "n(2+)"),
    ("j(n3dE-S-W) &t {2,3,4}×2dSE-SW", "~n<=.2-4X<"),
    ("group(m,j)(n4dD) &t m(n4dO)", "o~nX.n+"),
    ("j(n4dD) &t j(n4dO)", "~nX.~n+"),
]


@pytest.mark.parametrize(("hasinu", "parlett"), HASINU)
def test_hasinu_is_written(hasinu: str, parlett: str) -> None:
    assert alfil.write(alfil.read(hasinu, "hasinu"), "parlett") == parlett


@every_row("text", [text for _, text in HASINU])
def test_what_comes_out_of_hasinu_goes_back(text: str) -> None:
    assert alfil.same(read(text), alfil.read(alfil.write(read(text), "hasinu"), "hasinu"))


LOSSES = [
    ("betza", "NpR", ["must-hop"], "~1/2"),
    ("betza", "FyafsFgQ", ["must-hop"], "1X.n+"),
    ("betza", "KisO2", ["castling"], "1*"),
    ("betza", "AnN", ["lame-oblique"], "~2X"),
    ("betza", "AafsW", ["mandatory-leg"], "~2X"),
    ("betza", "KzB", ["roaming"], "1*"),
    ("betza", "KoR", ["cylinder"], "1*"),
    ("betza", "KdD", ["own-capture"], "1*"),
    ("betza", "KcaibQ", ["locust", "same-length"], "1*"),
    ("betza", "KeD", ["en-passant"], "1*"),
    ("betza", "KkD", ["royal-capture"], "1*"),
    ("betza", "KjR3", ["skipped-square"], "1*"),
    ("betza", "KkQ", ["royal-capture"], "1*"),
    ("betza", "KiiD", ["third-rank"], "1*"),
    ("betza", "fmWfcFifmnD", ["trail"], "o1>, c1X>"),
    ("betza", "KU", ["universal-leaper"], "1*"),
    ("betza", "KfR*", ["own-half"], "1*"),
    ("hasinu", "royal() & 1×8d", ["royal"], "1*"),
    ("hasinu", "1×8d & j(n4dO,1)", ["counted-jump"], "1*"),
    ("hasinu", "1×8d & j(n4dO,F)", ["sided-jump"], "1*"),
    ("hasinu", "1×8d & atmove(2,m(n1dN))", ["later-move"], "1*"),
    ("hasinu", "1×8d & ataction(2,n8d)", ["every-move"], "1*"),
    ("hasinu", "1×8d & rpg(n4dO)", ["rampage"], "1*"),
    ("hasinu", "1×8d & burn(1×8d)", ["burning"], "1*"),
    # A move that turns as after a dot has other reasons, in whatever notation it was written.
    ("betza", "A[F-R]", ["mandatory-leg"], "~2X"),
    ("hasinu", "j(2×4dD) & m(c(1×4dD)) &t n4dO", ["mandatory-leg"], "~2X"),
    ("betza", "A[mF?R]", ["mixed-conditions"], "~2X"),
    ("hasinu", "j(2×4dD) & m(1×4dD) &t n4dO", ["mixed-conditions"], "~2X"),
    ("betza", "Afr[W?B]", ["one-sided"], "~2X"),
    ("hasinu", "1×8d & 1×1dE &t n1dNE", ["one-sided"], "1*"),
    ("betza", "A[W?sR]", ["other-turn"], "~2X"),
    # That a leg must follow is none where the piece may stop there as well.
    ("betza", "FyabF", ["other-turn"], "1X"),
    ("betza", "KabK", ["other-turn"], "1*"),
    # Of several distances one after the other is a straight line, too.
    ("hasinu", "1×8d & n(j({2,3}×4dO) &t0°)", ["roaming"], "1*"),
    # What is repeated may stop each time.
    ("betza", "A(aq)N", ["roaming"], "~2X"),
    ("betza", "A(afmpaf)F", ["roaming", "mandatory-leg"], "~2X"),
    ("betza", "AppR", ["must-hop", "mandatory-leg"], "~2X"),
    # Runs, leaps and captures that have a form, but for their directions.
    ("betza", "AfafN", ["some-leaps"], "~2X"),
    ("betza", "KrafF", ["one-sided"], "1*"),
    ("betza", "ArcafmF", ["one-sided"], "~2X"),
    ("betza", "AfmpafmpafsmpafcW", ["some-leaps"], "~2X"),
    ("hasinu", "j(2×4dD) & 2(2(1×1dE &t0°) &t0°)", ["one-sided"], "~2X"),
    ("betza", "Amc(afmc)W", ["locust"], "~2X"),
]


@pytest.mark.parametrize(("notation", "text", "kinds", "left"), LOSSES)
def test_losses_are_named(notation: str, text: str, kinds: list[str], left: str) -> None:
    with pytest.raises(alfil.TranslationLoss) as caught:
        alfil.translate(text, read=notation, write="parlett")
    assert [diagnostic.kind for diagnostic in caught.value.diagnostics] == kinds
    assert all(
        end > start for diagnostic in caught.value.diagnostics for start, end in diagnostic.spans
    )
    lossy = alfil.translate(text, read=notation, write="parlett", on_loss="lossy")
    assert (str(lossy), [loss.kind for loss in lossy.losses]) == (left, kinds)
    assert alfil.contains(alfil.read(text, notation), read(left))


def test_what_parlett_says_shortly_others_say_too() -> None:
    draughtsman = alfil.translate("c^2X, o1X", read="parlett", write="hasinu").text
    assert alfil.same(alfil.read(draughtsman, "hasinu"), read("c^2X, o1X"))
    over_all = alfil.translate("~n+", read="parlett", write="betza").text
    assert alfil.same(over_all, read("~n+"))


def test_what_of_the_corpus_has_a_form() -> None:
    """A figure of docs/coverage.md; whatever has none has a reason of its own."""
    written, unnamed = 0, list[alfil.Diagnostic]()
    for row in rows("betza_corpus.tsv"):
        try:
            piece = alfil.read(row["notation"])
        except alfil.NotationError:
            continue
        try:
            text = alfil.write(piece, "parlett")
        except alfil.TranslationLoss as error:
            unnamed += [each for each in error.diagnostics if each.kind == "no-translation"]
            continue
        assert alfil.same(read(text), piece)
        written += 1
    assert (written, unnamed) == (508, [])

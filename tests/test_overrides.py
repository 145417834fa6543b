"""Other moves for the pieces of a file, and the constraints that the file has on them."""

import json
import re
from pathlib import Path

import pytest

import alfil
from inside import run

MOVES = Path(__file__).parents[1] / "pieces" / "hand_shogi.pieces"


def warnings(**pieces: str) -> list[str]:
    """The constraints that are broken, as CODE: NUMBER."""
    found = alfil.load("hand_shogi", pieces=pieces).diagnostics
    assert {diagnostic.kind for diagnostic in found} <= {"constraint-broken"}
    assert {diagnostic.severity for diagnostic in found} <= {"warning"}
    return [": ".join(diagnostic.message.split(": ")[:2]) for diagnostic in found]


def test_a_piece_gets_another_move() -> None:
    before = MOVES.read_bytes()
    library = alfil.load("hand_shogi", pieces={"SH": "R2", "O": "hasinu:j(3×4dO)"})
    assert (library["SH"].piece.text, library["SH"].status) == ("R2", "user")
    assert library["SH"].note == "set by the user: R2"
    assert library["O"].piece.notation == "hasinu"
    assert library["O"].note == "set by the user: hasinu:j(3×4dO)"
    assert (library["SH"].letter, library["O"].drop_check) == ("U", "required")
    assert dict(library.variant.moves)["O"] == "hasinu:j(3×4dO)"
    assert alfil.load("hand_shogi")["SH"].piece.text == "Q2"
    assert MOVES.read_bytes() == before
    betza = alfil.load("hand_shogi", pieces={"K": "betza:WF"})
    assert (betza["K"].note, betza["K"].royal) == ("set by the user: betza:WF", True)
    assert "J" not in alfil.load("hand_shogi", pieces={})


def test_overrides_work_for_files_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "x.pieces"
    path.write_text('piece K "king" betza=K\n')
    assert alfil.load(path, pieces={"K": "N"})["K"].piece.text == "N"


def test_errors_name_the_code() -> None:
    with pytest.raises(alfil.UnknownPiece, match="no piece has the code SHH") as unknown:
        alfil.load("hand_shogi", pieces={"SHH": "R2"})
    assert "did you mean SH" in unknown.value.hint
    with pytest.raises(alfil.NotationError, match=r"SH: no atom is called E"):
        alfil.load("hand_shogi", pieces={"SH": "E2"})
    with pytest.raises(alfil.NotationError, match=r"^<piece O>:1:3: O: "):
        alfil.load("hand_shogi", pieces={"O": "hasinu:1×9d"})
    with pytest.raises(alfil.MeaningError, match="SH: this piece is too large"):
        alfil.load("hand_shogi", pieces={"SH": "hasinu:{3,7,11,13,17,19,23,29,31}(j(n4dO, 20))"})


@pytest.mark.parametrize(
    ("pieces", "broken"),
    [
        ({}, []),
        ({"SH": "R2", "O": "hasinu:j(3×4dO)"}, []),
        ({"SH": "Q2", "T": "Q3", "O": "D", "H": "A"}, ["SH: W8", "T: W8"]),
        ({"T": "R3fB3", "SH": "R2"}, []),
        ({"T": "N"}, ["T: H1", "T: H2", "T: W4"]),
        ({"O": "DN"}, ["O: H1", "O: W5"]),
        ({"SH": "jB2"}, ["SH: H2", "SH: W4"]),
        ({"SH": "DA"}, ["SH: H2", "SH: W8"]),
        ({"T": "Q"}, ["T: H3", "T: W8"]),
        ({"T": "K"}, ["T: H3", "T: W4", "T: W8"]),
        ({"T": "RF2"}, ["T: H3", "T: W8"]),
        ({"O": "nD"}, ["O: H4"]),
        ({"O": "W"}, ["O: H4", "O: W3"]),
        ({"H": "mA"}, ["H: H5"]),
        ({"T": "Q3mN"}, ["T: H1", "T: H2", "T: H5", "T: W8"]),
        (
            {"T": "hasinu:{1,2,3}×8d & promote(//reach last rank, 1×8d)"},
            ["T: H6", "T: W6", "T: W8"],
        ),
        ({"T": "Q3rF4"}, ["T: W1", "T: W8"]),
        ({"T": "fQ3"}, ["T: W2", "T: W4"]),
        ({"O": "WD"}, ["O: W3", "O: W5"]),
        ({"SH": "W2"}, []),
        ({"SH": "fW2"}, ["SH: W2", "SH: W4"]),
        ({"O": "fD"}, ["O: W2", "O: W5"]),
        ({"T": "Q2"}, ["T: W7", "T: W8"]),
        ({"SH": "Q"}, ["SH: H3", "SH: W4", "SH: W8"]),
        ({"O": "A", "H": "A"}, ["O: W7", "H: W7"]),
    ],
)
def test_a_candidate_is_told_what_it_breaks(pieces: dict[str, str], broken: list[str]) -> None:
    assert sorted(warnings(**pieces)) == sorted(broken)


def table(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, list[object]]]:
    code = run(["check", "hand_shogi", "--constraints", "--json", *options])
    rows = json.loads(capsys.readouterr().out)
    found: dict[str, list[object]] = {}
    for row in rows:
        found.setdefault(row["number"], []).append([row["applies_to"], row["holds"], row["means"]])
    return code, found


def test_the_table_of_constraints(capsys: pytest.CaptureFixture[str]) -> None:
    four, two, jumpers = ["T", "SH", "O", "H"], ["T", "SH"], ["O", "H"]
    code, rows = table(capsys)
    assert code == 0
    assert rows == {
        "H1": [[four, True, []]],
        "H2": [[two, True, []]],
        "H3": [[two, True, []]],
        "H4": [[jumpers, True, []]],
        "H5": [[four, True, []]],
        "H6": [[four, True, []]],
        "W1": [[four, True, []]],
        "W2": [[four, True, []]],
        "W3": [[jumpers, True, []]],
        "W4": [[["T", "SH", "G"], True, [16.69, 12.25, 5.14]]],
        "W5": [[["PD", "O", "H", "N"], True, [5.53, 3.11, 2.42, 1.38]]],
        "W6": [[four, True, []]],
        "W7": [[two, True, []], [jumpers, True, []]],
        "W8": [[two, False, []]],
    }
    assert run(["check", "hand_shogi", "--constraints"]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) == 17
    assert re.search(r"^W8 .*\[S\] +fails: T SH$", text, re.MULTILINE)
    assert text.endswith("\nmoves in use: T Q3, SH Q2, O D, H A, G WfF, PD AD, N ffN\n")
    assert "holds (16.69, 12.25, 5.14)" in text


def test_only_a_required_constraint_makes_the_check_fail(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, rows = table(capsys, "--piece", "T=Q")
    assert (code, rows["H3"]) == (1, [[["T", "SH"], False, []]])
    code, rows = table(capsys, "--piece", "SH=fW2")
    assert (code, [number for number in rows if not rows[number][0][1]]) == (0, ["W2", "W4", "W8"])  # type: ignore[index]
    run(["check", "hand_shogi", "--constraints", "--piece", "T=Q"])
    assert "fails: T" in capsys.readouterr().out


def test_a_check_shows_the_notes_and_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "hand_shogi"]) == 0
    out = capsys.readouterr().out
    for code in ("T", "SH", "O", "H"):
        assert f"note: {code}: reconstruction: the original move is lost; see docs" in out
    assert run(["check", "hand_shogi", "--piece", "O=nD"]) == 1
    out = capsys.readouterr().out
    assert "warning: O: H4: " in out
    assert "note: O: set by the user: nD" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--piece", "T"], "is not CODE=MOVE"),
        (["--piece", "T="], "is not CODE=MOVE"),
        (["--piece", "T=Q", "--piece", "T=R"], "T is given two moves"),
        (["--piece", "X=Q"], "no piece has the code X"),
    ],
)
def test_wrong_use_of_piece(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "hand_shogi", *options]) == 2
    assert words in capsys.readouterr().err


def test_piece_and_constraints_are_for_piece_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "N", "--piece", "N=Q"]) == 2
    assert run(["check", "N", "--constraints"]) == 2
    assert "are for piece files" in capsys.readouterr().err
    assert run(["check", "chess", "--constraints"]) == 0
    assert capsys.readouterr().out == "chess has no constraints\n"


def test_the_moves_of_the_article_can_be_put_in_as_the_page_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = {"T": "W4fF4", "SH": "WfF2", "O": "hasinu:j(3×4dO)", "H": "G"}
    options = [part for code, move in given.items() for part in ("--piece", f"{code}={move}")]
    page = " ".join(Path("pieces/hand_shogi.introduction.md").read_text("utf-8").split())
    assert "alfil play hand_shogi --piece T=MOVE --piece SH=MOVE --piece O=MOVE" in page
    assert "in every copy" not in page
    assert '"Hand shogi"' in page
    assert run(["show", "hand_shogi:SH", *options]) == 0
    assert "set by the user: WfF2" in capsys.readouterr().out
    library = alfil.load("hand_shogi", pieces=given)
    assert [library[code].status for code in given] == ["user"] * 4

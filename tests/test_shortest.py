"""The shortest notation: the same piece, never longer, and as short as the proof says."""

import csv
import runpy
from itertools import product
from pathlib import Path

import pytest

import alfil
from gathering import every_row
from inside import run

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "cases" / "betza_corpus.tsv"

# A text, and the shortest one, found by hand from the rules of the notation.
SHORTER = [
    ("WF", "K"),
    ("WFflfrN", "KfsN"),
    ("fKfW", "fW"),
    ("RWD", "RD"),
    ("fRbRsR", "R"),
    ("fmWfcW", "fW"),
    ("WFDA", "KDA"),
    ("RbB1bF", "RbF"),
    ("QnD", "Q"),
]


@every_row("text, shortest", SHORTER)
def test_shorter_texts(text: str, shortest: str) -> None:
    found = alfil.shortest(text)
    assert len(found.text) == len(shortest)
    assert found.proved
    assert alfil.same(found.text, text)


# Parts and letters that add nothing beside a part that the grammar of the proofs does not have.
SUPERFLUOUS = [("WaAR", "aAR"), ("FaQB", "aQB"), ("aQFBK", "aQK"), ("vaAW", "aAW")]


@every_row("text, shorter", SUPERFLUOUS)
def test_what_adds_nothing_is_left_out(text: str, shorter: str) -> None:
    found = alfil.shortest(text)
    assert len(found.text) == len(shorter)
    assert alfil.same(found.text, shorter)


def corpus_sample(every: int) -> list[str]:
    with CORPUS.open(encoding="utf-8", newline="") as file:
        return [row[0] for row in csv.reader(file, delimiter="\t", quoting=3)][1::every]


def test_texts_of_people_stay_the_same_piece_and_get_no_longer() -> None:
    shorter = 0
    for text in corpus_sample(40):
        try:
            piece = alfil.read(text)
            alfil.compile(piece)
        except alfil.AlfilError:
            continue
        found = alfil.shortest(piece)
        assert alfil.same(found.text, piece), text
        assert len(found.text) <= len(text), text
        shorter += len(found.text) < len(text)
    assert shorter > 0


def test_a_text_written_twice_is_as_short_as_the_shortest_of_all_short_texts() -> None:
    """All texts of at most three of some letters are read, as the second opinion."""
    short: dict[object, str] = {}
    for length in (1, 2, 3):
        for letters in product("WFKRNfbsmcn2", repeat=length):
            text = "".join(letters)
            if any(map(str.isupper, text)):
                try:
                    short.setdefault(alfil.read(text).meaning, text)
                except alfil.AlfilError:
                    continue
    twice = [text for text in short.values() if len(text) == 3 and text[0].islower()]
    for text in twice[::24]:
        found = alfil.shortest(text + text)
        assert found.proved, text
        assert len(found.text) <= len(text), (text, found.text)


def test_a_text_that_takes_much_work_to_compare() -> None:
    text = "QDAH(4,0)G(4,4)[D-R][A-B][H-R][(4,0)-R][G-B][(4,4)-B]"
    assert len(alfil.shortest(text).text) < len(text)


@pytest.mark.parametrize(
    ("text", "notation"), [("WFN", "xboard"), ("fKfW", "fairy-stockfish"), ("NNcF", "classic")]
)
def test_dialects(text: str, notation: str) -> None:
    piece = alfil.read(text, notation)
    found = alfil.shortest(piece)
    assert alfil.same(alfil.read(found.text, notation), piece)
    assert len(found.text) <= len(text)


def test_other_notations() -> None:
    assert alfil.shortest(alfil.read("1×4dO & 1×4dD", "hasinu")).text == "1×8d"
    assert alfil.shortest("FyafsF", "hasinu").text == "1×4dD &t n4dO"


@every_row(
    "text",
    ["RnN", "fmWfcF", "R2fB", "[F?R]", "KisO2", "[pQ-bsK]", "v[W?B]", "fcafmF"],
)
def test_a_drawn_board_gives_the_piece_back(text: str) -> None:
    assert alfil.same(alfil.infer(alfil.draw(text).text()).text, text)


def boards_until_known(text: str) -> list[str]:
    """What is drawn of a piece where it is alone, and in each position that is asked for."""
    boards = [alfil.draw(text).text()]
    while (found := alfil.infer(boards)).questions:
        asked = found.questions[0]
        assert asked.move
        around = {
            "friends": asked.friends,
            "enemies": asked.enemies,
            "en_passant": asked.en_passant,
        }
        squares = [asked.move.to, *asked.friends, *asked.enemies, (5, 5)]
        radius = max(max(map(abs, square)) for square in squares)
        boards.append(alfil.draw(text, radius=radius, unmoved=True, **around).text())
    return boards


# Pieces that are drawn as others are: hoppers that end farther off, moves that can stop where the
# board or an own piece ends them, captures en passant.
@every_row("text", ["gC0", "BKaK", "fmR2fceF", "KNADcaKmcabK"])
def test_questions_end_with_the_piece(text: str) -> None:
    boards = boards_until_known(text)
    assert len(boards) > 1
    assert alfil.same(alfil.infer(boards).text, text)


def test_the_index_of_bent_parts_is_that_of_their_grammar() -> None:
    module = runpy.run_path(str(ROOT / "docs" / "bent_columns.py"))
    texts = set(module["grammar_texts"]())
    rows = (ROOT / "grammars" / "bent_columns.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for row in rows[::150]:
        first, signs, parts = row.split("\t")
        x, _, y = first.partition(",")
        assert texts.issuperset(parts.split(" ")), row
        for part in parts.split(" "):
            assert module["drawn_signs"](part, (int(x), int(y))) == signs, part


def test_edges_are_asked_for_by_own_pieces_around() -> None:
    found = alfil.infer(alfil.draw("BaK").text())
    asked = found.questions[0]
    around = {(0, -1), (1, 0), (0, 2), (-1, 1)}
    assert around <= {*asked.friends}
    assert not {(0, 0), (0, 1)} & {*asked.friends}


@pytest.mark.parametrize("text", ["gR", "fmWfceFifmnD"])
def test_a_question_tells_pieces_apart_that_look_the_same(text: str) -> None:
    boards = [alfil.draw(text).text()]
    found = alfil.infer(boards)
    assert found.questions
    asked = found.questions[0]
    around = {
        "friends": asked.friends,
        "enemies": asked.enemies,
        "en_passant": asked.en_passant,
    }
    after = alfil.infer([*boards, alfil.draw(text, radius=5, unmoved=True, **around).text()])
    assert len(after.others) < len(found.others)
    assert any(alfil.same(each, text) for each in (after.text, *after.others))


def test_vectors_and_hand_drawn_boards() -> None:
    assert alfil.infer([(1, 2), (-1, 2)]).text == "fN"
    assert alfil.infer(". + o + .\n. . @ . .").text == "fmWfcF"


# Boards, rows apart by a stroke, and what is drawn; both alphabets, and no blanks.
BY_HAND = [
    ("★ . ★|. @ .|★ . ★", "F"),
    ("X . X|. @ ○|X . X", "FrmW"),
    ("★ . ★|. @ o|★ . ★", "FrmW"),
    ("X ★ X|. @ .|X ★ X", "FvW"),
    ("· ★ ·|★ @ ★|· X ·", "W"),
    (". X .|. @ .|. × .", "fWbcW"),
    ("X X X|X @ X|X X X", "K"),
    ("· X ·|X @ X|· X ·", "W"),
    ("X.X|.@.|X.X", "F"),
    (".X.|X@X|.X.", "W"),
    ("  X  |X @ X|  X  ", "W"),
    ("· ● ✶ ● ·|● ◦ · ◦ ●|· ○ @ ○ ·|● ◦ · ◦ ●|· ● ✶ ● ·", "smWvcDafsF"),
]


@every_row("board, text", BY_HAND)
def test_boards_as_people_draw_them(board: str, text: str) -> None:
    assert alfil.same(alfil.infer(board.replace("|", "\n")).text, text)


def test_a_lame_leap_without_the_squares_that_it_passes_is_asked_for() -> None:
    found = alfil.infer(". x . x .\nx . . . x\n. . @ . .\nx . . . x\n. x . x .")
    assert {found.text, *found.others} == {"nN", "afsF", "afsK"}
    assert found.questions


def test_pieces_that_no_board_tells_apart_are_no_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.txt"
    path.write_text("x . x\n. @ .\nx . x\n", encoding="utf-8")
    assert run(["infer", str(path)]) == 0
    path.write_text(alfil.draw("R", radius=2).text(), encoding="utf-8")
    assert run(["infer", str(path)]) == 0
    assert capsys.readouterr().out == "F\nR\n"


@pytest.mark.parametrize(
    ("board", "kind"),
    [("a piece", "no-board"), ("⊠ @ ·", "not-inferred"), ("★ q ★\n· @ ·", "unknown-sign")],
)
def test_boards_without_an_answer(board: str, kind: str) -> None:
    with pytest.raises(alfil.AlfilError) as error:
        alfil.infer(board)
    assert error.value.diagnostics[0].kind == kind


def test_a_file_of_boards_that_cannot_be_read_is_an_error_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "boards.txt"
    for content, kind in ((b"\x87\xff", "not-utf8"), (b"@ @\n", "no-board"), (b"", "no-board")):
        path.write_bytes(content)
        assert run(["infer", str(path)]) == 1
        assert f"{path}:1:1: " in (shown := "".join(capsys.readouterr()))
        assert f"[{kind}]" in shown


def test_the_rose_is_inferred_though_it_leaps() -> None:
    assert alfil.infer(alfil.draw("qN").text()).text == "qN"
    # Leaps of many kinds need no turn.
    assert alfil.infer(alfil.draw("NZCGDH").text()).text == "DNHCZG"

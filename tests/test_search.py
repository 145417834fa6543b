"""Looking pieces up by name and by movement: alfil.search, alfil.identify, alfil pieces."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil.library import search  # likeness and turns of pieces that no set has
from alfil.meaning.normal_form import turned
from effort import calls
from gathering import every_row
from inside import run

Capture = pytest.CaptureFixture[str]
FAIRY = alfil.load("fairy")


def places(found: tuple[object, ...]) -> list[str]:
    """The places of what was found."""
    return [each.qualified_code for each in found]  # type: ignore[attr-defined]


# --- by name


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("griffon", ["fairy:GF"]),
        (
            "GRYPHON",
            [
                "fairy:GF",
                "hasinu_page:GR",
                "catalogue/variants:gryphon",
                "catalogue/variants:eagle_gryphon",
            ],
        ),
        ("Nachtreiter", ["fairy:NN", "fairy:NI", "fairy:NG"]),
        ("tadpole", ["catalogue/variants:tadpole"]),
        ("catalogue/armies:lobster", ["catalogue/armies:lobster"]),
        ("Cazaux's eagle", ["fairy:GF"]),
        ("root 50", ["fairy:R5"]),
        ("hand_shogi:SO", ["hand_shogi:SO"]),
        (
            "獅子",
            [
                *("fairy:CU", "chu:N", "chu:+O", "dai:N", "dai:+O", "dai_dai:N", "dai_dai:+EB"),
                *("maka_dai_dai:N", "tai:N", "tai:+EB", "taikyoku:L", "taikyoku:+EB", "tenjiku:N"),
                *("tenjiku:+O", "catalogue/shogi:lion"),
            ],
        ),
        ("牛車", ["fairy:OX", "taikyoku:OC", "wa:O"]),
        ("chu shogi lion", ["fairy:CU"]),
        ("no such piece", []),
    ],
)
def test_search_finds_by_name_code_and_characters(query: str, first: list[str]) -> None:
    assert places(alfil.search(query)) == first


def test_search_puts_whole_names_first_then_beginnings_then_words_then_the_rest() -> None:
    names = [each.entry.name for each in alfil.search("rook", ["fairy"])]
    assert names[:2] == ["rook", "rookhopper"]
    assert names.index("rook locust") < names.index("woody rook") < names.index("dragon king")
    # Its second name is "crowned rook", its code begins otherwise.
    assert "dragon king" in names
    assert "brook" not in names


def test_suggestions_are_spelled_alike() -> None:
    assert places(search.suggest("grashopper"))[0] == "fairy:GA"
    assert places(search.suggest("x" * 10_000)) == []


# --- by movement


@every_row("entry", FAIRY.pieces)
def test_every_piece_is_found_by_its_moves_in_both_notations(entry: Any) -> None:  # noqa: ANN401
    namesakes = {each.code for each in FAIRY.pieces if each.code == entry.code}
    first = entry.same_as or entry.code
    namesakes |= {each.code for each in FAIRY.pieces if first in (each.code, each.same_as)}
    for piece in entry.movements:
        found = alfil.identify(piece, ["fairy"])
        assert {each.entry.code for each in found.same} == namesakes
        assert found.near == ()


@pytest.mark.parametrize(
    ("text", "notation", "name"),
    [
        ("FyafsF", "betza", "griffon"),
        ("FtR", "betza", "griffon"),
        ("1×4dD &t n4dO", "hasinu", "griffon"),
        ("mafF", "betza", "xiangqi elephant"),
        ("WAD", "betza", "champion"),
        ("j(2×8d) & 1×4dO", "hasinu", "champion"),
        ("{1,2}×4dD", "hasinu", "flying dragon"),
        ("RlRrBflBbrB", "betza", None),
    ],
)
def test_spelling_makes_no_difference(text: str, notation: str, name: str | None) -> None:
    found = alfil.identify(alfil.read(text, notation=notation), ["fairy"])
    assert [each.entry.name for each in found.same] == ([name] if name else [])


def test_royal_is_left_aside() -> None:
    piece = alfil.read("royal() & 1×8d", notation="hasinu")
    assert "chess:K" not in places(alfil.identify(piece).same)
    assert "shogi:K" in places(alfil.identify(piece).same)


def test_mirrored_and_turned_pieces_are_remarks() -> None:
    left = alfil.identify(FAIRY["left quail"].piece, ["fairy"])
    assert places(left.same) == ["fairy:LQ"]
    assert [(each.how, each.match.qualified_code) for each in left.turned] == [
        ("mirrored left to right", "fairy:RH")
    ]
    back = alfil.identify("bR", ["fairy"])
    assert back.same == ()
    assert [(each.how, each.match.entry.name) for each in back.turned] == [
        ("turned half round", "lance"),
        ("turned half round", "oxcart"),
    ]
    side = alfil.identify("rR", ["fairy"])
    assert [(each.how, each.match.entry.name) for each in side.turned] == [
        ("turned a quarter to the left", "lance"),
        ("turned a quarter to the left", "oxcart"),
    ]
    assert alfil.identify("N").turned == ()


# W has 4 moves alone, none among its own side, 4 among the enemies of the third board, where no
# orthogonal neighbour is one; so have the orthogonal moves of K, which has as many diagonal ones.
@pytest.mark.parametrize(
    ("text", "name", "shared", "total", "relation"),
    [
        # The king: W and F.
        ("mW", "wazir", 8, 8, "more"),
        ("fsWbF", "king", 2 * 5, 2 * 8, "more"),
        # Alone 12 against 8 moves; all leap over their own side; on the third board the knight has
        # its 8 moves, the (1,4) leaps 8 more, since no such square is even in both.
        ("N(1,4)", "knight", 3 * 8, 3 * 16, "less"),
    ],
)
def test_likeness_counts_the_moves_on_three_boards(
    text: str, name: str, shared: int, total: int, relation: str
) -> None:
    found = {
        each.match.entry.name: each for each in alfil.identify(text, ["fairy"], nearest=99).near
    }
    near = found[name]
    assert (near.shared, near.total, near.relation) == (shared, total, relation)


@pytest.mark.parametrize("text", ["GD", "fWfFbN", "gR", "mRcN", "(4,3)F", "ffNsW"])
def test_what_is_ruled_out_by_counts_is_never_among_the_nearest(text: str) -> None:
    few = alfil.identify(text, nearest=3).near
    assert few == alfil.identify(text, nearest=1000).near[:3]
    parts = [each.shared / each.total for each in alfil.identify(text, nearest=1000).near]
    assert parts == sorted(parts, reverse=True)


def test_pieces_with_other_numbers_of_moves_are_never_looked_at() -> None:
    # To read the sets it needs is one and a half million calls, with all their moves eight.
    assert calls(lambda: alfil.identify("HNFnD", nearest=1)) < 3_000_000


def test_the_nearest_come_first_and_no_more_than_asked() -> None:
    near = alfil.identify("[W?B]N", nearest=3).near
    assert [each.match.entry.name for each in near] == ["manticore", "gorgon", "snake"]
    scores = [each.shared / each.total for each in near]
    assert scores == sorted(scores, reverse=True)


def test_likeness_is_what_the_moves_of_the_two_say() -> None:
    texts = ["K", "gQ", "mRcpR", "nN", "KNADcaKmcabK", "fmWfceFifmnD", "[F?R]", "oR"]
    own = {(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {(0, 0)}
    even = {(x, y) for x in range(-6, 7, 2) for y in range(-6, 7, 2)} - {(0, 0)}

    def shown(text: str) -> set[tuple[object, ...]]:
        found = set()
        for board, options in enumerate(({"unmoved": True}, {"friends": own}, {"enemies": even})):
            for move in alfil.moves(text, files=15, ranks=15, at=(7, 7), **options):  # type: ignore[arg-type]
                sets = (frozenset(each) for each in (move.captures, move.hurdles, move.trail))
                found.add((board, move.to, *sets))
        return found

    expected = {text: shown(text) for text in texts}
    found = {text: search.ComparableMeaning(alfil.read(text).meaning) for text in texts}
    for one in texts:
        for other in texts:
            both, either = expected[one] & expected[other], expected[one] | expected[other]
            assert found[one].shared_move_count(found[other]) == (len(both), len(either)), (
                one,
                other,
            )


TURNED = [
    ("fR", "mirrored left to right", "fR"),
    ("fR", "turned half round", "bR"),
    ("fR", "turned a quarter to the right", "rR"),
    ("fR", "turned a quarter to the left", "lR"),
    ("flBrW", "mirrored left to right", "frBlW"),
    ("flBrW", "mirrored front to back", "blBrW"),
    ("ffN", "turned a quarter to the right", "rrN"),
    ("fcafmF", "turned half round", "bcafmF"),
    ("[F?R]", "turned a quarter to the left", "[F?R]"),
    ("ifmnDfmWfceF", "turned half round", "ibmnDbmWbceF"),
    ("[K-K-fsK][K-fsK-K]", "turned a quarter to the left", "[K-K-fsK][K-fsK-K]"),
    ("frnN", "mirrored left to right", "flnN"),
    ("oR", "turned half round", "oR"),
]


@pytest.mark.parametrize(("text", "how", "expected"), TURNED)
def test_a_turned_meaning_is_that_of_the_turned_text(text: str, how: str, expected: str) -> None:
    meaning = turned(alfil.read(text).meaning, search.TURN_BY_NAME[how])  # type: ignore[index]
    assert meaning == alfil.read(expected).meaning


@pytest.mark.parametrize("text", ["oR", "fR*", "isO2"])
def test_what_has_its_directions_fixed_is_not_turned_by_a_quarter(text: str) -> None:
    quarter = search.TURN_BY_NAME["turned a quarter to the right"]
    assert turned(alfil.read(text).meaning, quarter) is None


@every_row("text", ["N", "fW", "bW", "FyafsFN", "NN", "fmWfcF", "vN", "lfF", "", "R4", "mKcN"])
def test_what_is_kept_of_the_bundled_sets_changes_nothing(text: str) -> None:
    sets = dict.fromkeys(each.library.name for each in alfil.search(""))
    bundled = [name for name in sets if not name.startswith("catalogue/")]
    found, anew = alfil.identify(text), alfil.identify(text, sets)
    assert (found.same, found.turned) == (anew.same, anew.turned)
    # The most alike are looked for among the bundled sets.
    assert found.near == (() if found.same else alfil.identify(text, bundled).near)


def test_a_file_of_ones_own_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "mine.pieces"
    path.write_text('piece X "wobbler" betza=fRbFG also="shaky one"\n', encoding="utf-8")
    assert places(alfil.search("shaky", [str(path)])) == ["mine:X"]
    assert places(alfil.identify("fRbFG", [str(path)]).same) == ["mine:X"]
    assert alfil.identify("fRbFG").same == ()
    path.write_text('piece X "wobbler" betza=W\n', encoding="utf-8")
    assert places(alfil.identify("W", [str(path), "fairy"]).same) == [
        "mine:X",
        "fairy:W",
        "fairy:AG",
    ]


def test_unknown_sets_and_texts_raise_what_reading_them_raises() -> None:
    with pytest.raises(alfil.PieceFileError) as unknown:
        alfil.search("rook", ["fary"])
    assert unknown.value.kind == "unknown-set"
    with pytest.raises(alfil.NotationError):
        alfil.identify("xx")
    assert alfil.identify("(3,7)(5,8)").same == ()


# --- the command

GOLDEN = {
    ("griffon",): (
        0,
        "fairy:GF  griffon  [F?R]  also gryphon, Cazaux's eagle  from Chute, chessvar\n",
    ),
    ("tycoon",): (
        0,
        "hand_shogi:T  tycoon  Q3\n    reconstruction: the original move is lost; see docs\n",
    ),
    ("griphon", "--set", "fairy"): (
        1,
        "no piece is called griphon; names spelled alike:\n"
        "fairy:GF  griffon  [F?R]  also gryphon, Cazaux's eagle  from Chute, chessvar\n",
    ),
    ("zzzzzz",): (
        1,
        "no piece is called zzzzzz; alfil pieces lists the sets\n",
    ),
    ("--like", "FyafsF"): (
        0,
        "griffon, also called gryphon, Cazaux's eagle (fairy:GF), from Chute, chessvar\n"
        "gryphon (hasinu_page:GR), from Ħasínū, Chute\n"
        "aanca (catalogue/variants:aanca), from Chute\n"
        "eagle (catalogue/variants:eagle), from Chute, Gigachess applet\n"
        "eagle gryphon (catalogue/variants:eagle_gryphon), from Terachess II diagram\n"
        "octopus (catalogue/variants:octopus), from Trapped Pieces\n",
    ),
    ("--like", "hasinu:1×4dD &t n4dO"): (
        0,
        "griffon, also called gryphon, Cazaux's eagle (fairy:GF), from Chute, chessvar\n"
        "gryphon (hasinu_page:GR), from Ħasínū, Chute\n"
        "aanca (catalogue/variants:aanca), from Chute\n"
        "eagle (catalogue/variants:eagle), from Chute, Gigachess applet\n"
        "eagle gryphon (catalogue/variants:eagle_gryphon), from Terachess II diagram\n"
        "octopus (catalogue/variants:octopus), from Trapped Pieces\n",
    ),
    ("--like", "Q3"): (
        0,
        "lion dog 狛犬 (dai_dai:LD), from ShogiVar\n"
        "promoted western barbarian 狛犬 (dai_dai:+WE), from ShogiVar\n"
        "tycoon (hand_shogi:T)\n    reconstruction: the original move is lost; see docs\n"
        "lion dog 狛犬 (maka_dai_dai:LD), from ShogiVar\n"
        "lion dog 狛犬 (tai:LD), from ShogiVar\n"
        "promoted western barbarian 狛犬 (tai:+WE), from ShogiVar\n"
        "genie (catalogue/variants:genie), from Trapped Pieces\n"
        "harpy (catalogue/variants:harpy), from Trapped Pieces\n"
        "lion dog (catalogue/variants:lion_dog), from Chute\n",
    ),
    ("--like", "fRrbBlbF"): (
        0,
        "left quail 鶉 (fairy:LQ), from shogi-utils, Chute, Fairy-Stockfish\n"
        "left quail 鶉 (tori:L), from shogi-utils, Chute, Fairy-Stockfish\n"
        "mirrored left to right it is: right quail 鶉 (fairy:RH), "
        "from shogi-utils, Chute, Fairy-Stockfish\n"
        "mirrored left to right it is: right quail 鶉 (tori:R), "
        "from shogi-utils, Chute, Fairy-Stockfish\n",
    ),
    ("--like", "[W?B]N"): (
        1,
        "no piece of the sets moves like this\n"
        "most alike, by the moves that both have of those of either, on three test boards:\n"
        "  104 of 112  manticore (fairy:MN)  [W?B]    has some of these moves and no others\n"
        "  104 of 200  gorgon (fairy:GO)     [K?fsQ]\n"
        "  52 of 112   snake (fairy:SNA)     v[W?B]   has some of these moves and no others\n"
        "  64 of 148   girlscout (fairy:GL)  zR\n"
        "  40 of 120   okapi (fairy:OK)      NZ\n",
    ),
    ("--like", ""): (
        0,
        "stone (othello:P)\n",
    ),
    ("--set", "amazons"): (0, "amazons:Q  amazon  mQ\n"),
    ("--set", "shogi", "--like", "fR"): (
        0,
        "lance 香車 (shogi:L), from shogi-utils, Chute, Fairy-Stockfish\n",
    ),
}


@pytest.mark.parametrize(("arguments", "answer"), GOLDEN.items())
def test_pieces_prints(
    arguments: tuple[str, ...], answer: tuple[int, str], capsys: Capture
) -> None:
    code, text = answer
    assert run(["pieces", *arguments]) == code
    assert capsys.readouterr() == (text, "")


def test_pieces_lists_the_sets(capsys: Capture) -> None:
    assert run(["pieces"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["fairy", str(len(FAIRY.pieces))]
    assert ["hand_shogi", "12", "Hand", "shogi"] in [line.split() for line in lines]
    assert lines[-1].split(maxsplit=2)[::2] == ["catalogue/variants", "names from many sources"]


def test_pieces_answers_as_json(capsys: Capture) -> None:
    assert run(["pieces", "shogun", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {
            "set": "hand_shogi",
            "code": "SH",
            "name": "shogun",
            "also": [],
            "kanji": "",
            "romaji": "",
            "german": [],
            "french": [],
            "sources": [],
            "reading": "",
            "betza": "Q2",
            "hasinu": None,
            "same_as": "",
            "status": "reconstructed",
            "note": "reconstruction: the original move is lost; see docs",
            "difference": None,
        }
    ]
    assert run(["pieces", "--like", "[W?B]N", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["same"] == answer["turned"] == []
    first = answer["near"][0]
    assert (first["name"], first["shared"], first["total"]) == ("manticore", 104, 112)
    assert first["relation"] == "less"
    assert run(["pieces", "nobody at all", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == []
    assert run(["pieces", "--json"]) == 0
    listed = {each["set"]: each["pieces"] for each in json.loads(capsys.readouterr().out)}
    assert listed["hand_shogi"] == 12


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--like", "xx"], "[no-atom]"),
        (["--like", "hasinu:n4"], "<hasinu>:1:"),
        (["--set", "fary"], "did you mean fairy"),
        (["--set", "fary", "rook"], "did you mean fairy"),
        (["rook", "--like", "R"], "give a name or --like, not both"),
        (["--set", "nowhere.pieces"], "cannot read nowhere.pieces"),
    ],
)
def test_pieces_says_what_is_wrong(arguments: list[str], words: str, capsys: Capture) -> None:
    assert run(["pieces", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err


def test_pieces_reads_notations_from_standard_input(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = b"FyafsF\nxx\nfW\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    assert run(["pieces", "--like", "-", "--set", "fairy"]) == 2
    out, err = capsys.readouterr()
    assert out == (
        "# FyafsF\n"
        "griffon, also called gryphon, Cazaux's eagle (fairy:GF), from Chute, chessvar\n"
        "# fW\n"
        "shogi pawn 歩兵 (fairy:SHP), from Chute, Fairy-Stockfish, Fairy-Stockfish-X\n"
        "sparrow pawn 萑歩 (fairy:SPP), from shogi-utils, Chute\n"
    )
    assert "<stdin>:2:1" in err

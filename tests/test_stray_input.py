"""What is given by mistake is answered: in Python as on the command line, in words that help."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil import Opponent
from inside import run

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    "past", [{"moves_made": -1}, {"moves_made": 3, "unmoved": True}], ids=["negative", "both"]
)
def test_an_impossible_past(past: dict[str, object]) -> None:
    for act in (alfil.moves, alfil.draw):
        with pytest.raises(alfil.BoardError) as caught:
            act("N", **past)  # type: ignore[operator]
        assert caught.value.kind == "moves-made"


@pytest.mark.parametrize("move", ["", " ", "hasinu:", "betza:"])
def test_an_empty_move_is_no_move(move: str) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.load("hand_shogi", pieces={"SH": move})
    assert caught.value.kind == "no-movement"


def test_a_move_that_is_no_text() -> None:
    with pytest.raises(TypeError, match="the move of SH is a text, not None"):
        alfil.load("hand_shogi", pieces={"SH": None})  # type: ignore[dict-item]


def test_a_move_by_the_name_of_a_piece() -> None:
    named = alfil.load("hand_shogi", pieces={"T": "griffon"})["T"]
    assert alfil.same(named, "FyafsF")
    assert named.note == "set by the user: griffon"


def test_a_path_in_bytes_and_a_name_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(alfil.PieceFileError, match="there is no such file"):
        alfil.load(os.fsencode(tmp_path / "x.pieces"))  # type: ignore[arg-type]
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.draw("N").save(str(tmp_path / "\ud800.svg"))
    assert caught.value.kind == "cannot-write"
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_read_is_called_by_its_own_name(tmp_path: Path, capsys: Capture) -> None:
    fifo = tmp_path / "f.pieces"
    os.mkfifo(fifo)
    assert run(["check", "nope.pieces"]) == 2
    assert run(["check", str(fifo)]) == 2
    first, second = (
        line for line in capsys.readouterr().err.splitlines() if "[cannot-read]" in line
    )
    assert first.startswith("nope.pieces:1:1: cannot read nope.pieces: there is no such file")
    assert second.startswith(f"{fifo}:1:1: cannot read {fifo}: it is no plain file")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "shogi"], "shogi has many pieces; name one by its code, as in shogi:K"),
        (["show", "my.pieces"], "cannot read my.pieces: there is no such file"),
        (["moves", "N", "--enemy", "e7,,f6"], "a square is missing; write e7,f6"),
        (["moves", "N", "--enemy", "100,100"], "100,100 is not on the board"),
        (
            ["moves", "N", "--radius", "3", "--board", "8x8", "--at", "e4"],
            "--radius is for open diagrams",
        ),
        (
            ["show", "N", "--radius", "3", "--board", "8x8", "--at", "e4"],
            "--radius is for open diagrams",
        ),
        (["moves", "N", "--piece", "N=R"], "--piece is for pieces of a file"),
    ],
)
def test_options_that_do_not_fit(arguments: list[str], words: str, capsys: Capture) -> None:
    assert run(arguments) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_a_set_that_there_is_not(capsys: Capture) -> None:
    assert run(["show", "cheetah:X"]) == 1
    assert "no set of pieces is called cheetah: " in capsys.readouterr().err


def test_show_and_moves_take_another_move(capsys: Capture) -> None:
    assert run(["moves", "hand_shogi:SH", "--piece", "SH=fW"]) == 0
    assert capsys.readouterr().out == "0,1\n"
    assert run(["show", "hand_shogi:SH", "--piece", "SH=fW"]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert (first, second) == ("shogun (hand_shogi:SH): fW", "note: set by the user: fW")


def test_show_names_the_pieces_of_the_same_name(capsys: Capture) -> None:
    assert run(["show", "taikyoku:RD"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "note: other pieces have this name: fairy:RD (WbF)" in said
    assert run(["show", "griffon"]) == 0
    assert "other pieces" not in capsys.readouterr().out


def test_a_message_without_end_is_shortened(capsys: Capture) -> None:
    assert run(["show", "--from", "hasinu", "x" * 100_000]) == 1
    assert len(capsys.readouterr().err) < 10_000


def test_every_piece_of_a_file_is_compared_with_a_program(capsys: Capture) -> None:
    assert run(["check", "makruk", "--for", "xboard"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{text}: same; xboard has the same piece" for text in ("K", "F", "FfW", "N", "R", "fmWfcF")
    ]


ENDGAME = alfil.load("chess").game(fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1")


@pytest.mark.parametrize("number", [10**400, 2**63, -(10**400)])
def test_a_number_without_end_is_one_more_or_less_than_any_other(number: int) -> None:
    if number > 0:
        assert len(alfil.solve(ENDGAME, "#1", positions=number).keys) == 1
    best = Opponent(ENDGAME.variant, depth=number, nodes=number, seed=number).choose(ENDGAME)
    assert best in ENDGAME.legal_moves
    assert Opponent(ENDGAME.variant, depth=2).choose(ENDGAME, number) in ENDGAME.legal_moves


@pytest.mark.parametrize("seconds", [inf, 1e300])
def test_time_without_end_is_time_enough(seconds: float) -> None:
    assert Opponent(ENDGAME.variant, depth=2).choose(ENDGAME, seconds).text == "a1a8"


VARIANT = alfil.load("shogi").variant
OF_ANOTHER_TYPE: list[Callable[[Any], object]] = [
    alfil.read,
    alfil.loads,
    alfil.find,
    alfil.search,
    alfil.load("shogi").get,
    lambda value: alfil.load("shogi", pieces=value),
    alfil.records.read_match,
    lambda value: alfil.records.save_match(value, "nowhere.alfil"),
    lambda value: alfil.records.save_game(value, "nowhere.alfil"),
    alfil.records.write_feen,
    alfil.Session,
    alfil.Game,
    lambda value: alfil.Session(VARIANT, value),
    lambda value: alfil.Session(VARIANT, (value, value)),
    lambda value: alfil.Session(VARIANT, date=value),
    lambda value: alfil.load("shogi").game().perft(value),
    lambda value: alfil.draw("N").render(value),
    lambda value: alfil.simulate(value, 1),
    lambda value: alfil.solve(value, "#1"),
    lambda value: alfil.solve(alfil.load("chess").game(), value),
    lambda value: alfil.solve(alfil.load("chess").game(), "#1", positions=value),
]


def test_no_sequence_is_shorter_than_none() -> None:
    game = alfil.load("chess").game()
    for count in (game.perft, game.divide):
        with pytest.raises(ValueError, match="a depth is 0 to 1000, not -1"):
            count(-1)


@pytest.mark.parametrize("public", OF_ANOTHER_TYPE)
@pytest.mark.parametrize("value", [1.5, b"x", ["W"]], ids=repr)
def test_a_value_of_another_type(public: Callable[[Any], object], value: object) -> None:
    with pytest.raises(TypeError, match=", not "):
        public(value)


def test_en_passant_takes_an_enemy_that_stands_there() -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves("fmWfceF", files=4, ranks=4, at="a1", en_passant={"b2": "b3"})
    message = caught.value.diagnostics[0].message
    assert message == "no enemy is on b3, where en passant would capture"


def test_what_is_no_square_is_named() -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.compile("W", files=4, ranks=4).moves("zz")
    assert caught.value.diagnostics[0].message == "zz is no square"


@pytest.mark.parametrize(
    ("text", "hint"),
    [("(00,1)", "write 0"), ("(04,1)", "write 4"), ("W00", "write W0"), ("N02", "write N2")],
)
def test_numbers_without_a_leading_zero_are_offered(text: str, hint: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text)
    assert caught.value.diagnostics[0].hint == hint


CHESS = alfil.load("chess")
NO_TEXT: Any = (1, 2)
NOT_TEXTS: dict[str, Callable[[], object]] = {
    "export": lambda: alfil.export(CHESS, NO_TEXT),
    "write": lambda: alfil.write("N", NO_TEXT),
    "check_for": lambda: alfil.check_for("N", NO_TEXT),
    "theme": lambda: alfil.draw("N", theme=NO_TEXT),
    "picture": lambda: CHESS.game().picture(NO_TEXT),
    "divide": lambda: CHESS.game().divide(2, [NO_TEXT]),
    "import": lambda: alfil.import_ini("x", NO_TEXT),
    "name of a text": lambda: alfil.read("N", name=NO_TEXT),
    "name of a file": lambda: alfil.loads("pgn", name=NO_TEXT),
    "form": lambda: alfil.records.read_games("x", form=NO_TEXT),
    "symbol": lambda: CHESS.game().symbol(NO_TEXT),
}


@pytest.mark.parametrize("ask", NOT_TEXTS.values(), ids=NOT_TEXTS)
def test_a_name_that_is_no_text(ask: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"text, not \(1, 2\)"):
        ask()


def test_pieces_and_squares_that_are_not_there() -> None:
    game = CHESS.game()
    assert (game.symbol("K"), game.symbol("K", 1), game.square_name((4, 3))) == ("K", "k", "e4")
    for ask, kind in (
        (lambda: game.symbol("ZZ"), "unknown-piece"),
        (lambda: game.symbol("K", 5), "unknown-side"),
        (lambda: game.square_name((99, 99)), "off-board"),
    ):
        with pytest.raises(alfil.AlfilError) as caught:
            ask()
        assert caught.value.kind == kind

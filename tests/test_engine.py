"""`alfil engine`: games in graphical interfaces, by UCI, USI and CECP; XBoard itself among them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random
from threading import Condition
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil import Opponent
from alfil.cli.app import run
from alfil.errors import RuleError, reject
from alfil.exchange import engine_server  # how long it waits
from alfil.exchange.engine_server import serve
from alfil.exchange.protocol_notation import Protocol, ProtocolNotation
from alfil.game.engine_memory import IntArray
from alfil.play import opponent_search  # where memory is reserved
from alfil.play.opponent_search import SearchTime  # what the engine has for a move
from alfil.source import Source
from strategies import NIGHTLY
from terminal import PATIENCE

GRIFFONS = """
game  "Griffons and cannons"
board 8x8
rule  first = white
rule  stalemate = draw
rule  promotion-when = ends
piece K "king"    betza=K royal
piece G "griffon" betza=FyafsF
piece C "cannon"  betza=mRcpR
piece N "knight"  betza=N
piece P "pawn"    betza=fmWfcF promotes=G forced
zone  promotion ranks=1
setup mirrored
| P P P P P P P P |
| G N C G K C N G |
"""
CAPTURED = 'board 3x5\npiece K "king" betza=K royal\nrule first = white\n'
CAPTURED += "rule self-check = allowed\nrule win = royal-capture\nsetup mirrored\n| . K . |\n"


def answers(library: alfil.Library, *lines: str) -> list[str]:
    found: list[str] = []
    serve(library, lines, found.append)
    return found


def test_python_chess_plays_with_it_by_uci() -> None:
    engines = pytest.importorskip("chess.engine")
    chess = pytest.importorskip("chess")
    board = chess.Board()
    command = [sys.executable, "-m", "alfil", "engine", "chess"]
    with engines.SimpleEngine.popen_uci(command, timeout=None) as engine:
        assert engine.id["name"] == "alfil chess"
        for limit in (
            engines.Limit(depth=2),
            engines.Limit(time=0.05),
            engines.Limit(nodes=500),
        ) * 2:
            board.push(engine.play(board, limit).move)  # illegal moves raise
        clock = engines.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1)
        board.push(engine.play(board, clock).move)
        for fen in ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1"):
            place = chess.Board(fen)
            assert engine.play(place, engines.Limit(depth=2)).move in place.legal_moves
        info = engine.analyse(chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), engines.Limit(depth=3))
        assert info["score"].white() == engines.Mate(1)
    assert len(board.move_stack) == 7


def test_python_chess_plays_variants_with_it_by_their_uci_names() -> None:
    engines = pytest.importorskip("chess.engine")
    variants = pytest.importorskip("chess.variant")
    castling = variants.chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True)
    castling.push_uci("e1h1")
    boards = {
        "three_check": variants.ThreeCheckBoard(),
        "racing_kings": variants.RacingKingsBoard(),
        "chess960": castling,
    }
    for name, board in boards.items():
        command = [sys.executable, "-m", "alfil", "engine", name]
        with engines.SimpleEngine.popen_uci(command, timeout=None) as engine:
            for _ in range(2):
                board.push(engine.play(board, engines.Limit(depth=1)).move)  # or raises


@pytest.mark.parametrize(
    ("name", "order", "best"),
    [
        ("chess", "go depth 3 searchmoves h2h4", {"h2h4"}),
        ("chess", "go searchmoves a2a3 b1a3 depth 3", {"a2a3", "b1a3"}),
        ("chess", "go depth 2 searchmoves e2e5 a2a3", {"e2e4", "d2d4", "b1c3", "g1f3", "e2e3"}),
        ("minishogi", "go depth 3 searchmoves 5d5c", {"5d5c"}),
    ],
)
def test_a_search_is_of_the_moves_asked_for(name: str, order: str, best: set[str]) -> None:
    protocol = "uci" if name == "chess" else "usi"
    found = answers(alfil.load(name), protocol, "position startpos", order)[-1]
    assert found.split()[1] in best


def test_python_chess_has_some_moves_searched() -> None:
    engines = pytest.importorskip("chess.engine")
    chess = pytest.importorskip("chess")
    # Castling, and a step of the king to the same square; a promotion that is not the best.
    places = {
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1": ["e1g1", "h1h2"],
        "8/P6k/8/8/8/8/8/K7 w - - 0 1": ["a7a8n", "a7a8b"],
        "k7/2Q5/2K5/8/8/8/8/8 w - - 0 1": ["c7d7"],
    }
    command = [sys.executable, "-m", "alfil", "engine", "chess"]
    with engines.SimpleEngine.popen_uci(command, timeout=None) as engine:
        for fen, texts in places.items():
            moves = [chess.Move.from_uci(each) for each in texts]
            board = chess.Board(fen)
            assert engine.play(board, engines.Limit(depth=4), root_moves=moves).move in moves
            free = engine.play(board, engines.Limit(depth=4)).move
            assert engine.play(board, engines.Limit(depth=4), root_moves=[free]).move == free


def test_an_opponent_chooses_among_moves_alone() -> None:
    """What is not among them is not chosen, mates too; the next search has all moves again."""
    library = alfil.load("chess")
    game = library.game("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    opponent = Opponent(library.variant, depth=3)
    mate = opponent.choose(game)
    others = [move for move in game.legal_moves if move != mate]
    assert opponent.analyse(game, moves=others).move in others
    assert opponent.analyse(game, moves=others[:1]).move == others[0]
    assert opponent.analyse(game, moves=[mate]).mate == 1
    assert opponent.choose(game) == mate
    with pytest.raises(alfil.AlfilError):
        opponent.analyse(game, moves=[alfil.load("chess").game().legal_moves[0]])


def test_uci_answers_what_is_asked() -> None:
    library = alfil.loads(GRIFFONS, name="griffons")
    found = answers(library, "uci", "isready", "position startpos moves a2a3 a7a6", "go depth 2")
    assert found[:2] == ["id name alfil griffons", "id author alfil"]
    assert found[found.index("uciok") + 1] == "readyok"
    assert found[-2].startswith("info depth 2 score cp ")
    line = found[-2].partition(" pv ")[2].split()
    assert found[-1] == "bestmove {} ponder {}".format(*line)
    game = library.game()
    for move in ("a2a3", "a7a6", *line):
        game.push(move)


@pytest.mark.parametrize(
    ("order", "most"),
    [
        ("wtime 30 btime 30", 0.015),
        ("wtime 60 winc 10 btime 60 binc 10", 0.03),
        ("wtime 0 btime 0", 0.015),
        ("movetime 15", 0.015),
    ],
)
def test_a_search_never_has_more_time_than_is_left(
    order: str, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = search_time(monkeypatch, "uci", "position startpos", f"go {order}")
    assert 0 < time.optimum <= time.maximum <= most


@pytest.mark.parametrize(
    ("lines", "optimum", "maximum"),
    [
        (["uci", "go movetime 1000"], 0.985, 0.985),
        (["uci", "go wtime 30150 btime 1 winc 500"], 1.485, 5.985),
        (["uci", "go wtime 30150 btime 1 winc 500 movestogo 1"], 15.06, 15.06),
        (["uci", "setoption name Move Overhead value 100", "go wtime 31000"], 0.9, 3.9),
        (["uci", "setoption name Move Overhead value -5", "go wtime 30000"], 1.0, 4.0),
        (["usi", "setoption name Move_Overhead value 20", "go byoyomi 2000"], 1.98, 1.98),
        (["usi", "go btime 30150 wtime 1 byoyomi 2000"], 2.985, 5.985),
    ],
)
def test_a_move_gets_its_share_of_the_time(
    lines: list[str], optimum: float, maximum: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    *others, go = lines
    time = search_time(monkeypatch, *others, "position startpos", go)
    assert time.optimum <= optimum
    assert time.maximum <= maximum
    # What is left after the command was read, and that may take long on a machine in use.
    assert time.maximum - time.optimum == pytest.approx(maximum - optimum, abs=1e-6)


def search_time(monkeypatch: pytest.MonkeyPatch, *lines: str) -> SearchTime:
    """The time that the engine gives its search after these lines, which it does not make."""
    times = []
    search = Opponent.analyse

    def analyse(self: Opponent, game: alfil.Game, time: SearchTime, *more: object) -> object:
        times.append(time)
        return search(self, game, SearchTime(0.001, 0.001), *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Opponent, "analyse", analyse)
    answers(alfil.load("chess" if lines[0] == "uci" else "minishogi"), *lines, "quit")
    assert len(times) == 1
    return times[0]


def test_castling_where_the_king_may_go_anyway_is_told_by_its_partner() -> None:
    library = alfil.loads(
        'board 5x5\nrule first = white\npiece K "king" betza=KisO1 royal\n'
        'piece R "rook" betza=R\nsetup mirrored\n| R . K . . |\n'
    )
    game, (move,) = library.game(), [each for each in library.game().legal_moves if each.partner]
    for protocol, text in (("uci", "c1a1"), ("cecp", "O-O-O"), ("usi", "c1b1oa1")):
        spelling = ProtocolNotation(library.variant, protocol)
        assert spelling.write(game, move) == text
        assert spelling.read(game, text) == move
    found = answers(library, "uci", "position startpos moves c1a1", "go depth 1")
    assert found[-1].startswith("bestmove c5")


def test_usi_is_told_that_mates_are_not_looked_for() -> None:
    library = alfil.load("shogi")
    for order in ("go mate 5000", "go mate infinite"):
        assert answers(library, "usi", "position startpos", order)[-1] == "checkmate notimplemented"
    assert answers(library, "usi", "position startpos", "go depth 1")[-1].startswith("bestmove")


def test_an_endless_search_is_answered_when_it_is_stopped() -> None:
    library = alfil.load("los_alamos")
    found = answers(library, "uci", "position startpos", "go infinite", "isready", "stop", "stop")
    assert [line.split()[0] for line in found[-2:]] == ["info", "bestmove"]
    assert found.index("readyok") > found.index("uciok")
    # Whoever asks for something else does not wait for ever, either.
    found = answers(library, "uci", "position startpos", "go infinite", "ucinewgame", "go depth 1")
    assert found[-1].startswith("bestmove")


class Interface:
    """Lines that come when the answers so far begin with something; what was answered."""

    def __init__(self, *script: tuple[str, str]) -> None:
        self.script, self.answers = script, list[str]()
        self.answered = Condition()

    def answer(self, line: str) -> None:
        with self.answered:
            self.answers.append(line)
            self.answered.notify_all()

    def lines(self) -> Iterator[str]:
        """Each line once an answer that begins so has come after the line before."""
        seen = 0
        for awaited, line in self.script:
            with self.answered:
                while awaited and not any(
                    answer.startswith(awaited) for answer in self.answers[seen:]
                ):
                    assert self.answered.wait(PATIENCE), (awaited, self.answers)
                seen = len(self.answers)
            yield line


@pytest.mark.parametrize("order", ["go depth 60", "go nodes 999999999999"])
def test_a_search_that_nobody_can_stop_ends(monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    monkeypatch.setattr(engine_server, "UNHEARD_SECONDS", 0.0)
    *_, last = answers(alfil.load("chess"), "uci", order)
    assert last.startswith("bestmove")


def test_it_ponders_until_the_move_is_made() -> None:
    script = [("", "uci"), ("uciok", "position startpos moves e2e4 e7e5")]
    script += [("", "go ponder wtime 60000 btime 60000 winc 0 binc 0")]
    # It says that it is ready while it thinks, and does not move before it may.
    script += [("info depth 3", "isready"), ("readyok", "ponderhit"), ("bestmove", "quit")]
    interface = Interface(*script)
    serve(alfil.load("chess"), interface.lines(), interface.answer)
    ready = interface.answers.index("readyok")
    assert not [line for line in interface.answers[:ready] if line.startswith("bestmove")]
    assert re.fullmatch(r"bestmove \S+ ponder \S+", interface.answers[-1])


def test_pondering_ends_when_another_move_is_made() -> None:
    script = [("", "usi"), ("usiok", "position startpos"), ("", "go ponder byoyomi 1000000")]
    script += [("info depth 2", "stop"), ("bestmove", "position startpos moves 1e1d")]
    script += [("", "go nodes 500"), ("bestmove", "quit")]
    interface = Interface(*script)
    serve(alfil.load("minishogi"), interface.lines(), interface.answer)
    assert len([line for line in interface.answers if line.startswith("bestmove")]) == 2


@pytest.mark.parametrize(
    "order",
    ["movetime 100000", "depth 60", "infinite", "ponder movetime 100000", "ponder depth 60"],
)
@pytest.mark.parametrize("last", ["quit", "stop"])
def test_interfaces_are_answered_during_any_search(order: str, last: str) -> None:
    script = [("", "uci"), ("uciok", "position startpos"), ("", f"go {order}")]
    # What is not known ends no search, and hides nothing behind it.
    script += [("info depth 2", "debug on"), ("", ""), ("", "isready")]
    script += [("readyok", "ponderhit")] if "ponder" in order else []
    script += [("", "isready"), ("readyok", last), ("bestmove", "quit")]
    interface = Interface(*script[: -1 if last == "quit" else None])
    serve(alfil.load("los_alamos"), interface.lines(), interface.answer)
    words = [line.split()[0] for line in interface.answers]
    assert words.count("bestmove") == ((order, last) != ("infinite", "quit"))
    assert "readyok" not in words[words.index("bestmove") if "bestmove" in words else -1 :]


def test_a_move_without_limits_is_made_when_it_was_pondered_on() -> None:
    script = [("", "uci"), ("uciok", "position startpos"), ("", "go ponder")]
    script += [("info depth 2", "ponderhit"), ("bestmove", "quit")]
    interface = Interface(*script)
    serve(alfil.load("los_alamos"), interface.lines(), interface.answer)


@pytest.mark.parametrize("last", ["quit", "force", "new", "?"])
def test_cecp_ends_a_search(last: str) -> None:
    """Whoever is not to play any more makes no move, even where something else is said first."""
    script = [("", "xboard"), ("", "new"), ("", "post"), ("", "st 100000"), ("", "hard")]
    script += [("", "usermove e2e4"), ("2 ", "ping 1"), ("", last), ("", "ping 2")]
    script += [("pong 2", "quit")]
    interface = Interface(*script[: 8 if last == "quit" else None])
    serve(alfil.load("chess"), interface.lines(), interface.answer)
    moved = any(line.startswith("move ") for line in interface.answers)
    assert moved or last != "?"
    assert not moved or last in {"?", "quit"}


def test_it_ponders_in_cecp_until_something_is_said() -> None:
    script = [("", "xboard"), ("", "new"), ("", "post"), ("", "hard"), ("", "sd 2")]
    # The opponent's moves are searched farther than one's own.
    script += [("", "usermove e2e4"), ("4 ", "easy"), ("", "ping 1"), ("pong 1", "quit")]
    interface = Interface(*script)
    serve(alfil.load("chess"), interface.lines(), interface.answer)
    moved = next(n for n, line in enumerate(interface.answers) if line.startswith("move "))
    depths = [int(line.split()[0]) for line in interface.answers[moved + 1 : -1]]
    assert max(depths) >= 4
    assert interface.answers[-1] == "pong 1"


def test_it_analyses_in_cecp_what_is_on_the_board() -> None:
    script = [("", "xboard"), ("", "new"), ("", "analyze"), ("3 ", "e2e4"), ("3 ", "undo")]
    script += [("2 ", "new"), ("3 ", "d2d4"), ("2 ", "exit"), ("", "ping 2"), ("pong 2", "quit")]
    interface = Interface(*script)
    serve(alfil.load("chess"), interface.lines(), interface.answer)
    *told, pong = interface.answers
    # Whose moves are searched, by their ranks; it makes none itself.
    turns = ["White" if line.split()[4][1] in "12" else "Black" for line in told]
    assert [turn for turn, _ in groupby(turns)] == ["White", "Black", "White", "Black"]
    assert pong == "pong 2"


@pytest.mark.parametrize(
    ("protocol", "orders"),
    [
        ("uci", ["setoption name Threads value 2", "setoption name Hash value 2"]),
        ("usi", ["setoption name USI_Hash value 1", "setoption name Threads value 3"]),
        ("uci", ["setoption name Threads value 9999999", "setoption name threads value x"]),
        ("uci", ["setoption name Hash value -1", "setoption", "setoption name Ponder value true"]),
        ("cecp", ["cores 2", "memory 2"]),
    ],
)
def test_interfaces_choose_threads_and_memory(
    protocol: str, orders: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Opponent] = []
    begun = Opponent.__init__

    def begin(self: Opponent, variant: object, **settings: Any) -> None:  # noqa: ANN401 - all kinds
        begun(self, variant, **settings)
        made.append(self)

    monkeypatch.setattr(Opponent, "__init__", begin)
    search = ["new", "sd 1", "go"] if protocol == "cecp" else ["position startpos", "go depth 1"]
    found = answers(alfil.load("gorogoro"), protocol.replace("cecp", "xboard"), *orders, *search)
    assert found[-1].startswith(("bestmove", "move"))
    for order in orders:
        name, _, number = order.rpartition(" ")
        if number.isdecimal() and int(number) <= 64:
            size = "threads" if "hreads" in name or "cores" in name else "hash_megabytes"
            assert getattr(made[-1], size) == int(number)


@pytest.mark.parametrize(
    ("protocol", "size", "told"),
    [
        ("uci", "setoption name Hash value 4096", "info string there is no memory of "),
        ("xboard", "memory 4096", "tellusererror there is no memory of "),
    ],
)
def test_too_much_memory_is_told(
    protocol: str, size: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserve = opponent_search.reserve_hash

    def reserve_little(bits: int) -> IntArray:
        if bits > 20:
            reject(RuleError, "no-memory", f"there is no memory of {16 << bits} bytes", Source(""))
        return reserve(bits)

    monkeypatch.setattr(opponent_search, "reserve_hash", reserve_little)
    search = ["go depth 2"] if protocol == "uci" else ["new", "sd 2", "go"]
    found = answers(alfil.load("chess"), protocol, "position startpos", size, *search)
    assert [line for line in found if line.startswith(told)]
    assert found[-1].startswith(("bestmove", "move"))


def test_wrong_positions_and_moves_are_answered_without_one() -> None:
    library = alfil.load("chess")
    for position in ("fen 8/8 w", "startpos moves e2e5", "nonsense", "startpos moves e2e4 xx"):
        *_, told, best = answers(library, "uci", f"position {position}", "go depth 1")
        assert told.startswith("info string ")
        assert best == "bestmove (none)"
    mated = "startpos moves f2f3 e7e5 g2g4 d8h4"
    assert answers(library, "uci", f"position {mated}", "go")[-1] == "bestmove (none)"


def test_a_draw_that_nobody_claims_ends_no_game() -> None:
    library, back = alfil.load("chess"), "g1f3 g8f6 f3g1 f6g8"
    for position in (
        f"startpos moves {back} {back} e2e4",
        f"startpos moves {back} {back}",
        "fen 8/8/4k3/8/8/3RK3/8/8 w - - 99 100 moves d3d4 e6e5",
    ):
        info, best = answers(library, "uci", f"position {position}", "go depth 1")[-2:]
        assert info.startswith("info depth 1")
        assert best not in {"bestmove (none)", "bestmove 0000"}
    said = ["xboard", "force", *back.split(), *back.split(), "e2e4", "undo", "usermove d2d4"]
    assert answers(library, *said) == ["1/2-1/2 {repetition}"]


def test_usi_has_the_names_of_shogi() -> None:
    library = alfil.load("minishogi")
    found = answers(library, "usi", "usinewgame", "position startpos moves 1e1d", "go byoyomi 100")
    assert found[:5] == ["id name alfil minishogi", "id author alfil", *found[2:4], "usiok"]
    assert found[3] == "option name Move_Overhead type spin default 15 min 0 max 5000"
    game = library.game()
    game.push("1e1d")
    assert game.why_illegal(found[-1].split()[1]) is None
    place = "position sfen 4k/5/4P/5/K4 b GG 1"
    assert answers(library, "usi", place, "go depth 3")[-1].split()[1] == "G*1b"
    mated = "position sfen 4k/4G/4P/5/K4 w - 2"
    assert answers(library, "usi", mated, "go")[-1] == "bestmove resign"


def test_uci_reads_hands_in_brackets() -> None:
    library = alfil.load("minishogi")
    place = "position fen 4k/5/4P/5/K4[GG] w - - 0 1"
    assert answers(library, "uci", place, "go depth 3")[-1].split()[1] == "G@e4"
    place = "position fen 4k/4p/5/5/K4[gg] b - - 0 1"
    assert answers(library, "uci", place, "go depth 2")[-1].startswith("bestmove ")


def test_cecp_plays_a_game() -> None:
    library = alfil.loads(GRIFFONS, name="griffons")
    said = ["xboard", "protover 2", "new", "variant griffons", "level 40 0:05 0.1", "sd 2", "post"]
    moves = [f"{kind} moves" for kind in ("usermove b1a3", "usermove a3b1")]
    found = answers(library, *said, moves[0].removesuffix(" moves"), "ping 7", "undo", "remove")
    assert "pong 7" in found
    made = [line.removeprefix("move ") for line in found if line.startswith("move ")]
    game = library.game()
    for move in ("b1a3", *made):
        game.push(move)
    assert "setup (PN......C......G.....Kpn......c......g.....k) 8x8+0_fairy " in "\n".join(found)
    assert "piece G& FyafsF" in found
    assert "piece C& mRcpR" in found


def test_cecp_names_what_is_wrong() -> None:
    library = alfil.load("chess")
    found = answers(library, "xboard", "usermove e2e5", "blah 3", "setboard x", "variant shogi")
    assert found[0] == "Illegal move: e2e5"
    assert found[1] == "Error (unknown command): blah"
    assert found[2].startswith("tellusererror Illegal position: ")
    assert found[3] == "Error (unsupported variant): shogi"


@pytest.mark.parametrize("number", ["9" * 12, "9" * 5000, "²", "٣", "-1", "1e9", ""])
def test_numbers_of_any_length_are_borne(number: str) -> None:
    orders = [f"level {number} {number}:{number} {number}", f"level {number} {number} {number}"]
    orders += [f"{word} {number}" for word in ("st", "sd", "time", "otim", "ping", "memory")]
    said = answers(alfil.load("minishogi"), "xboard", "new", *orders, "sd 1", "st 1", "go")
    assert said[-1].startswith("move ")


def test_cecp_tells_the_result() -> None:
    said = ["xboard", "force", "f2f3", "e7e5", "g2g4", "usermove d8h4"]
    assert answers(alfil.load("chess"), *said) == ["0-1 {mate}"]


def test_xboard_counts_ten_rows_from_nought() -> None:
    shogi = answers(alfil.load("hand_shogi"), "xboard", "variant handsh-o-gi", "force", "c0b1")
    assert " 9x9+10_shogi " in shogi[0]
    assert not [line for line in shogi if "Illegal" in line]
    minishogi = answers(alfil.load("minishogi"), "xboard", "force", "e1e3")
    assert minishogi == []


def test_the_command_for_xboard_knows_when_it_cannot_test_moves(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    captured, griffons = tmp_path / "captured.pieces", tmp_path / "griffons.pieces"
    filed = tmp_path / "filed.pieces"
    filed.write_text(re.sub("(?m)^piece P.*", r"\g<0> per-file=1 per-file-on=drop,move", GRIFFONS))
    captured.write_text(CAPTURED)
    griffons.write_text(GRIFFONS)
    # XBoard forfeits for f4e3m, a promotion on the third rank from the end.
    told_not_to_test = [captured, filed, "hand_shogi", "xiangqi", "racing_kings", "shogi", "makruk"]
    tested = [griffons, "chess", "capablanca", "three_check"]
    for name, told in [(each, True) for each in told_not_to_test] + [
        (each, False) for each in tested
    ]:
        assert run(["engine", str(name), "--call"]) == 0
        assert ("-testLegality false" in capsys.readouterr().out) == told


@pytest.mark.parametrize("protocol", ["cecp", "uci", "usi"])
def test_every_move_is_read_as_it_is_written(protocol: Protocol) -> None:
    names = alfil.games() if NIGHTLY else ["chess", "crazyhouse", "seirawan", "janggi", "gorogoro"]
    for name in names:
        game, chance = alfil.load(name).game(), Random(name)
        spelling = ProtocolNotation(game.variant, protocol)
        for _ in range(8):
            for text, move in spelling.legal_moves_by_text(game).items():
                assert spelling.read(game, text) == move
            if game.outcome():
                break
            game.push(game.random_move(chance))


WORDS = "uci usi xboard go position startpos moves usermove e2e4 fen level time st sd setboard undo"
LINES = st.lists(st.sampled_from([*WORDS.split(), "", "-1", "999999999999", "[", "ping", "+"]))


@given(st.sampled_from(["uci", "usi", "xboard"]), st.lists(LINES, max_size=6), st.text(max_size=20))
def test_garbage_is_borne(first: str, lines: list[list[str]], noise: str) -> None:
    quick = ["go nodes 1 depth 1" if line[:1] == ["go"] else " ".join(line) for line in lines]
    # Whoever gives a day for a move waits for a day.
    quick = [line for line in quick if line.split()[:1] not in (["st"], ["level"], ["sd"])]
    answers(alfil.load("gorogoro"), first, "sd 1", *quick, noise, "force", "quit", "uci")


def test_xboard_promotes_a_lance_that_never_does() -> None:
    library = alfil.load("hand_shogi")
    spelling = ProtocolNotation(library.variant, "cecp", lowest=0)
    game = library.game("4k4/L8/9/9/9/9/9/9/4K4 b - 1")
    assert str(spelling.read(game, "a7a8+")) == str(spelling.read(game, "a7a8")) == "9b9a"
    assert spelling.read(game, "e0e1+") == spelling.read(game, "e0e1")
    # Who promotes is believed, and nobody is promoted who has not moved so.
    shogi = alfil.load("shogi")
    game = shogi.game("4k4/9/L8/9/9/9/9/9/4K4 b - 1")
    spelling = ProtocolNotation(shogi.variant, "cecp", lowest=0)
    assert [str(spelling.read(game, text)) for text in ("a7a8+", "a7a8")] == ["9c9b+", "9c9b"]
    assert spelling.read(game, "a7c8+") is None


def match_in_xboard(file: str, folder: Path, *options: str) -> str:
    """The log of a match of two engines in XBoard, which tests the moves by what it was told."""
    for program in ("xboard", "xvfb-run"):
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/games"):
            pytest.skip(f"{program} is not installed (on Debian: apt-get install xboard xvfb)")
    library = alfil.load(file)
    (line,) = [each for each in answers(library, "protover 2") if "variants=" in each]
    name = re.search('variants="([^"]+)"', line)
    assert name
    engine = f"{sys.executable} -m alfil engine {file}"
    log = folder / "xboard.debug"
    command = [
        "xvfb-run",
        "-a",
        "-s",
        "-screen 0 1024x768x24",
        "xboard",
        "-fcp",
        f"{engine} --seed 1",
    ]
    command += ["-scp", f"{engine} --seed 2", "-variant", name[1], "-mg", "1", "-depth", "2"]
    command += ["-popupMoveErrors", "false", "-popupExitMessage", "false", "-debug", "-tc", "30"]
    command += ["-nameOfDebugFile", str(log), *options]
    home = {"HOME": str(folder), "PATH": f"{os.environ['PATH']}:/usr/games"}
    done = subprocess.run(
        command, check=False, env={**os.environ, **home}, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr.decode()[-500:]
    return log.read_text(errors="replace")


def let_through(library: alfil.Library, log: str) -> list[str]:
    """The moves that XBoard let through up to the end of a game; alfil makes them all."""
    assert not re.search("Forfeit|Illegal move", log), log[-2000:]
    assert re.search(r"result (1-0|0-1|1/2-1/2) \{", log)
    moves = re.findall(r"^\d+ <(?:first |second): move (\S+)$", log, re.MULTILINE)
    found = answers(library, "xboard", "force", *[f"usermove {move}" for move in moves])
    assert not [line for line in found if "llegal" in line]
    return moves


def test_xboard_plays_a_game_with_drops(tmp_path: Path) -> None:
    log = match_in_xboard("hand_shogi", tmp_path, "-testLegality", "false")
    moves = let_through(alfil.load("hand_shogi"), log)
    assert "@" in "".join(moves)
    assert re.search(r"result \S+ \{mate\}", log)


@pytest.mark.skipif(not NIGHTLY, reason="long games in XBoard are for the nightly run")
def test_xboard_plays_long_games(tmp_path: Path) -> None:
    file = tmp_path / "griffons.pieces"
    file.write_text(GRIFFONS)
    # Here XBoard tests every move by what it was told of bent riders, hoppers and promotion.
    assert len(let_through(alfil.load(str(file)), match_in_xboard(str(file), tmp_path))) > 40
    log = match_in_xboard("minishogi", tmp_path, "-testLegality", "false")
    moves = "".join(let_through(alfil.load("minishogi"), log))
    assert "@" in moves
    assert "+" in moves

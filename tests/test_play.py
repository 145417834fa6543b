"""`alfil play`: a match in a real terminal, killed and gone on with, and games read from a pipe."""

import io
import re
import sys
from pathlib import Path

import pytest

import alfil
from alfil.source import Source
from inside import run
from terminal import PROJECT, Terminal

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="no such terminals")
Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

# A game that ends in mate: the tycoon's drop, guarded by the pard.
# A piece file with a board and nothing on it.
NO_SETUP = str(Path(__file__).parent / "cases" / "no_setup.pieces")
MATE = ("PD-5f", "SH*1e", "G-8h", "S*1a", "L*3g", "PD-3d", "PDx3d", "N*2c", "T*5b")
BLACK, WHITE = "black> ", "white> "
# A terminal with colours and keys, which is not asked where its cursor is.
XTERM = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}


def typed(
    lines: str, *arguments: str, patch: Patch, folder: Path, capsys: Capture
) -> tuple[int, str, str]:
    """The exit code and both outputs of `alfil play` with lines that come from a pipe."""
    patch.chdir(folder)
    patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    code = run(["play", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@needs_terminal
def test_a_terminal_completes_legal_moves(tmp_path: Path) -> None:
    with Terminal("play", "chess", "--no-save", folder=tmp_path, **XTERM) as terminal:
        terminal.until("white>")
        assert "white: b4" in terminal.say("P-b4", "black>")
        terminal.press("Nf\t", "Nf6")
        assert "black: Nf6" in terminal.say("", "white>")


@needs_terminal
def test_a_match_is_played_killed_gone_on_with_and_replayed(tmp_path: Path) -> None:
    record = tmp_path / "match.alfil"
    people = ("--player", "Ada", "--player", "Grace", "--save", "match.alfil")
    with Terminal("play", "hand_shogi", *people, folder=tmp_path) as terminal:
        welcome = terminal.until(f"1. {BLACK}")
        assert "T tycoon: reconstruction: the original move is lost; see docs" in welcome
        assert "game 1: black is Ada, white is Grace" in welcome
        for number, move in enumerate(MATE[:5]):
            side, other = ("black", WHITE) if number % 2 == 0 else ("white", BLACK)
            shown = terminal.say(move, other)
            assert f"{side}: {move}" in shown
            assert alfil.records.load_match(record, recover=True).round.texts == list(
                MATE[: number + 1]
            )
        terminal.kill()
    with pytest.raises(alfil.RecordError, match="record-breaks-off"):
        alfil.records.load_match(record)
    with record.open("ab") as torn:
        torn.write(b" PD-")  # as far as the disk got
    with Terminal("play", "--resume", "match.alfil", folder=tmp_path) as terminal:
        assert "left out at the end of the record" in terminal.until(f"3. {WHITE}")
        for number, move in enumerate(MATE[5:-1]):
            terminal.say(move, BLACK if number % 2 == 0 else WHITE)
        shown = terminal.say(MATE[-1], f"1. {BLACK}")
        assert "game 1: black wins by mate (Ada)" in shown
        assert "wins in a row: Ada 1, Grace 0" in shown
        assert "game 2: black is Grace, white is Ada" in shown
        terminal.say("SO-6f", WHITE)
        terminal.say("SO-4d", BLACK)
        os_end = terminal.say("resign", "Ada wins the match")
        assert "game 2: white wins by resignation (Ada)" in os_end
        assert terminal.end()[0] == 0
    session = alfil.records.load_match(record)
    assert [each.texts for each in session.rounds] == [list(MATE), ["SO-6f", "SO-4d"]]
    assert session.match.winner == 1
    replay = alfil.load("hand_shogi").game()
    for move in session.rounds[0].texts:
        replay.push(move)
    outcome = replay.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("b", "mate")


@needs_terminal
def test_ctrl_c_leaves_a_saved_game(tmp_path: Path) -> None:
    with Terminal("play", "minishogi", "--save", "kept.alfil", folder=tmp_path) as terminal:
        terminal.until(BLACK)
        terminal.say("P-5c", WHITE)
        code, shown = terminal.interrupt()
    assert code == 130
    assert "to go on: alfil play --resume kept.alfil" in shown
    assert "alfil: interrupted" in shown
    assert alfil.records.load_match(tmp_path / "kept.alfil").round.texts == ["P-5c"]


@needs_terminal
def test_colours_are_for_terminals_that_have_them(tmp_path: Path) -> None:
    with Terminal("play", "chess", "--no-save", folder=tmp_path, **XTERM) as terminal:
        shown = terminal.until("white>")
        assert "\x1b[38;5;63m r \x1b[0m" in shown
        assert "*" not in shown
        shown = terminal.say("e2", "P on e2")
        assert "\x1b[38;5;29m * \x1b[0m" in shown
        assert "\x1b[38;5;163m(P)\x1b[0m" in shown
    with Terminal("play", "chess", "--no-save", folder=tmp_path, NO_COLOR="1") as terminal:
        assert "\x1b[3" not in terminal.until("white> ")
    assert list(tmp_path.iterdir()) == []


def test_the_game_in_the_document_is_played_so(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    text = (PROJECT / "docs/play.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n\$ alfil play minishogi --no-save\n(.*?)```", text, re.DOTALL)
    lines = "".join(re.findall(r"^\d+\. \w+> (.*\n)", shown, re.MULTILINE))
    assert lines.count("\n") == 6
    for _ in range(2):
        answer = typed(
            lines, "minishogi", "--no-save", patch=monkeypatch, folder=tmp_path, capsys=capsys
        )
        assert answer == (0, shown, "")


def test_a_game_is_kept_under_a_name_of_its_own(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    monkeypatch.setattr("platformdirs.user_data_path", lambda name, **_: tmp_path / name)
    folder = tmp_path / "alfil" / "games"
    for _ in range(2):
        code, out, _ = typed("5d5c\n", "minishogi", **known)
        assert code == 0
    assert f"saved in {folder}" in out.splitlines()[1]
    names = sorted(path.name for path in folder.iterdir())
    (first, second) = names
    assert re.fullmatch(r"minishogi-\d{4}-\d\d-\d\d-2\.alfil", first)
    assert re.fullmatch(r"minishogi-\d{4}-\d\d-\d\d\.alfil", second)
    assert f"to go on: alfil play --resume {folder / first}" in out
    assert [alfil.records.load_match(folder / each).round.texts for each in names] == [["P-5c"]] * 2
    before = (folder / first).read_bytes()
    assert typed("", "minishogi", "--save", str(folder / first), **known)[0] == 2
    assert (folder / first).read_bytes() == before


def test_a_match_saved_elsewhere_leaves_no_second_copy(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    monkeypatch.setattr("platformdirs.user_data_path", lambda name, **_: tmp_path / name)
    assert typed("5d5c\nsave here.alfil\n", "minishogi", **known)[0] == 0
    assert [*(tmp_path / "alfil" / "games").iterdir()] == []
    assert alfil.records.load_match(tmp_path / "here.alfil").round.texts == ["P-5c"]
    assert typed("save there.alfil\n", "--resume", "here.alfil", **known)[0] == 0
    assert (tmp_path / "here.alfil").exists()


def test_a_pipe_without_a_last_line_break_is_read_to_its_end(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    assert typed("5d5c\ncomment a start", "minishogi", "--save", "x.alfil", **known)[0] == 0
    played = alfil.records.load_match(tmp_path / "x.alfil").round
    assert (played.texts, played.comments) == (["P-5c"], {1: ["a start"]})


def test_what_is_wrong_is_said_and_nothing_happens(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    lines = [
        ("O*5e", "the onager's drop must give check [drop-check]"),
        ("5e", "the side to move has no piece on 5e"),
        ("5a", "the side to move has no piece on 5a"),
        ("G", "no gold general is in hand"),
        ("+N", "no promoted knight is in hand"),
        ("G-7h", "7h is occupied by your own piece [own-piece]"),
        ("undo", "no move has been made [nothing-to-take-back]"),
        ("impasse", "both royals must be in their promotion zones [no-impasse]"),
        ("comment", "write the comment after the word: comment a fine move"),
        ("save", "not saved; to save the match: save FILE"),
        ("save no/such/folder", "there is no folder no/such [cannot-write]"),
        ("x" * 3000, "this line has 3000 characters; at most 2000 are read"),
        ("\x1b[31mred", "no piece of this game [unreadable-move]"),
        ("", ""),
    ]
    code, out, err = typed(
        "".join(f"{line}\n" for line, _ in lines),
        "hand_shogi",
        "--no-save",
        "--no-board",
        patch=monkeypatch,
        folder=tmp_path,
        capsys=capsys,
    )
    assert (code, err) == (0, "")
    answers = out.split("1. black> ")[1:]
    assert len(answers) == len(lines) + 1
    for (line, wanted), answer in zip(lines, answers, strict=False):
        assert wanted in answer, line
    assert "\x1b" not in out
    assert list(tmp_path.iterdir()) == []


def test_a_square_and_a_piece_in_hand_show_where_they_can_go(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    _, out, _ = typed("5h\nO\nH\nmoves\n", "hand_shogi", "--no-save", "--no-board", **known)
    pard, onager, hasty, moves, _ = out.split("1. black> ")[1:]
    assert "PD on 5h: PD-7f PD-5f PD-3f" in pard
    assert pard.count("*") == 3
    assert "(PD )" in pard
    assert "O in hand has no legal move" in onager
    assert "H in hand: H*7c H*3c" in hasty
    assert hasty.count(" * ") == 2
    said = [word for line in moves.splitlines() for word in line.split() if word[-1] != ":"]
    game = alfil.load("hand_shogi").game()
    texts = {alfil.records.write_move(game, move) for move in game.legal_moves}
    assert {each for each in texts if "*" not in each} <= set(said)
    assert "T in hand: any empty square, as in T*9i\n" in moves
    assert "L in hand: any empty square but 1a 2a 4a 6a 8a 9a, as in L*9i\n" in moves


def test_a_piece_that_can_be_taken_stands_between_angles(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    _, out, _ = typed("e2e4\nd7d5\ne4\n", "chess", "--no-save", **known)
    shown = out.split("white> ")[-2]
    assert "5 | .  .  . <p> *  .  .  . |" in shown
    assert "4 | .  .  .  . (P) .  .  . |" in shown


def test_against_the_computer(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    arguments = ("minishogi", "--opponent", "simple:1", "--as", "w", "--save", "c.alfil")
    code, out, _ = typed("undo\nquit\n", *arguments, "--player", "Ada", **known)
    assert code == 0
    assert "game 1: black is alfil simple:1, white is Ada" in out
    assert "no move of yours is to be taken back" in out
    first = alfil.records.load_match(tmp_path / "c.alfil").round
    assert len(first.texts) == 1
    assert out.index("a", out.index("black: ")) < out.index("1. white> ")
    answer = str(first.game.legal_moves[0])
    code, out, _ = typed(f"{answer}\nundo\nquit\n", "--resume", "c.alfil", **known)
    assert code == 0
    assert "2 moves taken back" in out
    assert "black is alfil simple:1" in out
    assert alfil.records.load_match(tmp_path / "c.alfil").round.texts == first.texts


def test_against_the_clock(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    clocked = ("--opponent", "simple:1", "--time", "5:00+1", "--as", "w", "--save", "t.alfil")
    code, out, _ = typed("quit\n", "minishogi", *clocked, **known)
    assert code == 0
    assert "game 1: black is alfil simple:1 5:00+1, white is player 2" in out
    assert "the computer has " in out
    code, out, _ = typed("undo\nquit\n", "--resume", "t.alfil", **known)
    assert code == 0
    assert "black is alfil simple:1 5:00+1" in out
    timed = ("minishogi", "--time", "0.01", "--as", "w", "--no-save")
    code, out, _ = typed("quit\n", *timed, **known)
    assert code == 0
    assert "black is alfil 0.01" in out
    assert "the computer has" not in out


def test_illegal_moves_lose_where_that_was_agreed(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    arguments = ("hand_shogi", "--adjudicate", "--single", "--no-board", "--save", "i.alfil")
    code, out, _ = typed("bogus\nO*5e\n", *arguments, **known)
    assert code == 0
    assert "no piece of this game [unreadable-move]" in out
    assert "game 1: white wins by illegal move (drop-check) (player 2)" in out
    assert alfil.records.load_match(tmp_path / "i.alfil").match.winning_streaks == (0, 1)


def test_names_from_a_file_are_harmless_in_a_terminal(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    (tmp_path / "evil.pieces").write_text(
        (PROJECT / "pieces/minishogi.pieces")
        .read_text(encoding="utf-8")
        .replace('"Minishogi"', '"Mini\u202eshogi"')
        .replace("pawn", "pa\u2066wn"),
        encoding="utf-8",
    )
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    code, out, err = typed("P\n5d5b\nquit\n", "evil.pieces", "--player", "A\x1b[2J", **known)
    shown = out + err
    assert not [sign for sign in shown if not sign.isprintable() and sign != "\n"]
    if code == 0:
        assert "alfil play evil.pieces --resume evil-" in out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "name a game"),
        (("nothing",), 2, "no set of pieces is called nothing"),
        (("fairy",), 1, "there is no board to play on [no-board]"),
        ((NO_SETUP,), 1, "no_setup has no starting position to begin with [no-setup]"),
        (("minishogi", "--position", "k4 b"), 1, "[position-size]"),
        (("minishogi", "--opponent", "deep"), 2, "deep is not human, simple"),
        (("minishogi", "--as", "w"), 2, "--as is for playing against --opponent simple"),
        (("minishogi", "--time", "soon"), 2, "soon is no time: write 5"),
        (("minishogi", "--time", "5", "--opponent", "human"), 2, "--time is for playing against"),
        (("minishogi", "--save", "a", "--no-save"), 2, "contradict each other"),
        (("minishogi", *("--player", "x") * 3), 2, "two players at most"),
        (("--resume", "no.alfil"), 2, "[cannot-read]"),
        (("--resume", "empty.alfil"), 1, "empty.alfil:1:1"),
        (("--resume", "empty.alfil", "--adjudicate"), 2, "as the record has them"),
        (("minishogi", "--save", "empty.alfil"), 2, "[record-exists]"),
        (("minishogi", "--piece", "G=N0-"), 1, "G: "),
        (("minishogi", "--piece", "Z=K"), 2, "no piece has the code Z"),
    ],
)
def test_wrong_calls_say_why(
    arguments: tuple[str, ...],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: Patch,
    capsys: Capture,
) -> None:
    (tmp_path / "empty.alfil").write_bytes(b"")
    found, out, err = typed("", *arguments, patch=monkeypatch, folder=tmp_path, capsys=capsys)
    assert found == code
    assert said in err
    assert out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["empty.alfil"]
    assert (tmp_path / "empty.alfil").read_bytes() == b""


def test_moves_given_to_pieces_are_kept(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    typed("", "hand_shogi", "--piece", "T=R4", "--save", "t.alfil", **known)
    code, out, _ = typed("", "--resume", "t.alfil", **known)
    assert code == 0
    assert "T tycoon: set by the user: betza:R4" in out
    code, _, err = typed("", "hand_shogi", "--resume", "t.alfil", **known)
    assert code == 1
    assert "T moves as betza:R4 in this record, as betza:Q3 in the game [other-moves]" in err


@needs_terminal
def test_words_are_folded_to_a_narrow_terminal(tmp_path: Path) -> None:
    with Terminal("play", "minishogi", "--no-save", folder=tmp_path, COLUMNS="40") as terminal:
        shown = terminal.until(f"1. {BLACK}")
        shown += terminal.say("zz", f"1. {BLACK}") + terminal.say("help", f"1. {BLACK}")
    lines = [line.rstrip() for line in shown.splitlines()]
    assert max(map(len, lines)) <= 40
    assert "comment TEXT  note something beside the" in lines
    assert "              last move" in lines


def test_a_match_that_is_not_in_its_file_is_not_said_to_be(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    def full(_: object) -> None:
        raise alfil.RecordError(
            [alfil.Diagnostic("cannot-write", "no space", ())], Source("full.alfil")
        )

    monkeypatch.setattr(alfil.records.Journal, "close", full)
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    code, out, _ = typed("1e1c\nquit\n", "minishogi", "--save", "full.alfil", **known)
    assert (code, out.splitlines()[-1]) == (1, "full.alfil does not have the match as it was left")


def test_a_match_without_moves_leaves_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["play", "chess"]) == 0
    assert not [each for each in tmp_path.rglob("*") if each.is_file()]
    monkeypatch.setattr("sys.stdin", io.StringIO("e4\n"))
    assert run(["play", "chess"]) == 0
    assert len([each for each in tmp_path.rglob("*") if each.is_file()]) == 1

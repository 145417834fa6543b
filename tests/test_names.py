"""Names of pieces where a notation could stand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import alfil
from effort import calls
from inside import run

NOTE = "reconstruction: the original move is lost; see docs"


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_find() -> None:
    assert alfil.find("Gold General").piece.text == "WfF"
    assert alfil.find("hand_shogi:SH").name == "shogun"
    assert alfil.find("hand_shogi:soldier").code == "SO"
    with pytest.raises(alfil.UnknownPiece, match="did you mean the piece shogun"):
        alfil.find("shogunn")
    with pytest.raises(KeyError):
        alfil.find("hand_shogi:XX")


@pytest.mark.parametrize("name", ["griffon", "GRIFFON", " Griffon "])
def test_a_name_is_shown_in_any_case(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = shown(capsys, "show", name)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("griffon (fairy:")
    assert alfil.same(alfil.find(name.strip()).piece, "FyafsF")


@pytest.mark.parametrize("text", ["N", "KNAD", "mpafW", "B4nD", "Q", "fmWfcF"])
def test_what_reads_as_a_notation_is_one(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = shown(capsys, "show", text)
    assert (code, out.splitlines()[0]) == (0, text)


def test_every_command_on_notations_takes_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, "diff", "pard", "AD") == (0, "same piece\n", "")
    assert shown(capsys, "diff", "pard", "hand_shogi:K")[0] == 1
    assert shown(capsys, "translate", "pard", "--to", "hasinu") == (0, "j(2×8d)\n", "")
    code, out, _ = shown(capsys, "moves", "hand_shogi:SO", "--json")
    assert (code, sorted(move["to"] for move in json.loads(out))) == (0, [[-1, 0], [0, 1], [1, 0]])
    code, out, _ = shown(capsys, "stages", "hand_shogi:SO")
    assert code == 0
    assert "fsW" in out
    assert shown(capsys, "check", "griffon")[0] == 0
    assert shown(capsys, "show", "--from", "hasinu", "pard")[0] == 0


def test_the_note_of_a_reconstructed_piece_is_always_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = shown(capsys, "show", "shogun")
    assert code == 0
    assert out.splitlines()[:2] == ["shogun (hand_shogi:SH): Q2", f"note: {NOTE}"]
    data = json.loads(shown(capsys, "show", "shogun", "--json")[1])
    assert (data["note"], data["status"]) == (NOTE, "reconstructed")
    assert (data["set"], data["code"], data["name"]) == ("hand_shogi", "SH", "shogun")
    assert "note" not in json.loads(shown(capsys, "show", "Q2", "--json")[1])
    code, out, _ = shown(capsys, "check", "shogun")
    assert code == 0
    assert f"note: SH: {NOTE} [piece-note]" in out
    data = json.loads(shown(capsys, "check", "shogun", "--json")[1])
    assert (data["kind"], data["message"]) == ("piece-note", f"SH: {NOTE}")


def test_a_name_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = shown(capsys, "show", "shogum")
    assert (code, out) == (1, "")
    assert err.startswith("<betza>:1:1: ")
    assert "did you mean the piece shogun?" in err
    code, _, err = shown(capsys, "show", "hand_shogi:XX")
    assert code == 2
    assert "hand_shogi has no piece called XX" in err
    assert "the piece" not in shown(capsys, "show", "wq[")[2]


def test_a_piece_of_ones_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.pieces"
    path.write_text('piece GR "griffin" betza=FyafsF also="gryphon" note="mine"\n')
    code, out, _ = shown(capsys, "show", f"{path}:GR")
    assert code == 0
    head = ["griffin (my:GR): FyafsF", "also called gryphon", "note: mine"]
    assert out.splitlines()[:3] == head
    assert shown(capsys, "diff", f"{path}:griffin", "FtR") == (0, "same piece\n", "")
    path.write_text('piece GR "griffin" betza=FyafsE\n')
    code, _, err = shown(capsys, "show", f"{path}:GR")
    assert code == 1
    assert "my.pieces:1:31: no atom is called E" in err


def test_names_on_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io  # noqa: PLC0415 - only here

    text = b"pard\nnonsense\nN\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    code, out, err = shown(capsys, "translate", "-", "--to", "hasinu")
    assert (code, out.splitlines()) == (1, ["j(2×8d)", "", "(1,2)"])
    assert "<stdin>:2:1" in err


def test_a_notation_does_not_touch_the_library() -> None:
    code = "from alfil.cli.app import run; run(['show', 'N']); import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {name for name in done.stdout.split() if name.startswith("alfil.library")}


def test_a_piece_file_is_read_once_however_many_pieces_it_has(tmp_path: Path) -> None:
    files = []
    for count in (100, 200):
        lines = [f'piece A{number} "piece {number}" betza=W\n' for number in range(count)]
        files.append(tmp_path / f"{count}.pieces")
        files[-1].write_text("".join(lines), "utf-8")

    def search_calls(path: Path) -> int:
        return calls(lambda: alfil.search("piece", [str(path)]))

    assert search_calls(files[1]) < 3 * search_calls(files[0])

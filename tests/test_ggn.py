"""Games as General Gameplay Notation: the form that its schema demands, read by another reader."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil.exchange import (
    ExportLoss,  # a class of errors that `alfil` does not list
    export_ggn,  # its limit, which takes seconds to reach
)
from alfil.locations import Cell, is_cell
from alfil.work_limit import work_done  # what no answer tells: the work it was
from games import with_rules
from inside import run
from test_tables_product import NO_CHECKS

# As in the published schema of GGN 1.0.0.
PIECE = re.compile(r"([A-Z]:[-+]?[A-Z]|[a-z]:[-+]?[a-z])")


def check_form(data: dict[str, Any]) -> None:
    """Names of pieces, squares and conditions, and that none of them is empty."""
    assert data.pop("$schema") == "https://sashite.dev/schemas/ggn/1.0.0/schema.json"
    for piece, sources in data.items():
        assert PIECE.fullmatch(piece)
        assert sources
        for source, targets in sources.items():
            assert is_cell(source) or source == "*"
            assert targets
            for target, possibilities in targets.items():
                assert is_cell(target)
                assert possibilities
                for each in possibilities:
                    assert each.keys() == {"must", "deny"}
                    for square, state in [*each["must"].items(), *each["deny"].items()]:
                        assert is_cell(square)
                        assert state in {"empty", "enemy"} or PIECE.fullmatch(state)


def holds(state: str, piece: str | None, mover: str) -> bool:
    """A condition as the specification explains it, from the side of the mover."""
    if state == "empty":
        return piece is None
    if state == "enemy":
        return piece is not None and piece.isupper() != mover.isupper()
    return piece == state


def is_possible(each: dict[str, dict[str, str]], board: dict[str, str], mover: str) -> bool:
    return all(
        holds(state, board.get(at), mover) for at, state in each["must"].items()
    ) and not any(holds(state, board.get(at), mover) for at, state in each["deny"].items())


@pytest.mark.parametrize(
    ("name", "losses"),
    [
        ("shogi", []),
        ("xiangqi", []),
        (
            "chess",
            [
                "K: GGN has no condition for castling",
                "P: GGN has no condition for en passant",
            ],
        ),
    ],
)
def test_conditions_allow_the_moves_of_the_game(name: str, losses: list[str]) -> None:
    """In random games without checks; but for castling and en passant, which are lost."""
    library = alfil.load(name)
    exported = alfil.export(library, "ggn", on_loss="lossy")
    assert [each.message for each in exported.losses] == losses
    data = json.loads(exported.text)
    check_form(data)
    chance = random.Random(name)
    game = alfil.Game(with_rules(library.variant, **NO_CHECKS))

    def named(code: str, side: int) -> str:
        text = f"{name[0]}:{exported.letters[code]}"
        return text.lower() if side else text.upper()

    for ply in range(40):
        if ply % 8 == 0:
            side = game.side_to_move
            board = {str(Cell(at)): named(*piece) for at, piece in game.pieces.items()}
            hand = {named(code, side) for code in game.hands[side]}
            assert allowed_moves(data, board, hand, side) == {
                (
                    named(each.code, side),
                    str(Cell(each.origin)) if each.origin else "*",
                    str(Cell(each.target)),
                )
                for each in game.legal_moves
                if not each.partner and {*each.captures} <= {each.target}
            }
        game.push(chance.choice(game.legal_moves))


def allowed_moves(
    data: dict[str, Any], board: dict[str, str], hand: set[str], side: int
) -> set[tuple[str, str, str]]:
    """The moves that conditions allow: piece, source and target."""
    return {
        (piece, source, target)
        for piece, sources in data.items()
        if piece.islower() == bool(side)
        for source, targets in sources.items()
        if board.get(source, "") == piece or (source == "*" and piece in hand)
        for target, possibilities in targets.items()
        if any(is_possible(each, board, piece) for each in possibilities)
    }


# One piece captures friends only.
HOPPERS = """
board 5x5
rule first = white
rule self-check = allowed
rule win = royal-capture
piece K "king" betza=K royal
piece C "hopper" betza=pR
piece D "destroyer" betza=dW
piece S "lancer" betza=mWcN
setup mirrored
| D C K S S |
"""


def test_friends_are_listed_by_name(tmp_path: Path) -> None:
    path = tmp_path / "hoppers.pieces"
    path.write_text(HOPPERS, encoding="utf-8")
    data = json.loads(alfil.export(alfil.load(str(path)), "ggn").text)
    check_form(data)
    own = [{"must": {"b1": f"H:{letter}"}, "deny": {}} for letter in "KCDS"]
    assert data["H:D"]["a1"]["b1"] == own
    assert data["h:D".lower()]["a1"]["b1"] == json.loads(
        json.dumps(own).replace("H:", "h:").lower()
    )


def test_what_ggn_lacks_is_an_error_or_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chess.json"
    assert run(["export", "chess", "--to", "ggn", "-o", str(path)]) == 1
    assert not path.exists()
    capsys.readouterr()
    assert run(["export", "chess", "--to", "ggn", "--lossy", "-o", str(path)]) == 0
    assert "warning: K: GGN has no condition for castling" in capsys.readouterr().err
    check_form(json.loads(path.read_text(encoding="utf-8")))
    with pytest.raises(ExportLoss, match="some pieces block it"):
        alfil.export(alfil.load("janggi"), "ggn")
    with pytest.raises(ExportLoss, match="from a hand"):
        alfil.export(alfil.load("othello"), "ggn")


def test_a_piece_that_cannot_be_captured_is_a_loss() -> None:
    text = 'game "Iron"\nboard 4x4\nrule first = white\npiece K "king" betza=K royal\n'
    text += 'piece G "general" hasinu="fe() & 1×4dO"\nsetup mirrored\n| K G . . |\n'
    found = alfil.export(alfil.loads(text), "ggn", on_loss="lossy")
    assert "G: there it can be captured by every piece" in {loss.message for loss in found.losses}


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("ggn", "X: GGN has no condition for moves as its second move"),
        ("fairy-max", "X: there it has no moves as its second move"),
    ],
)
def test_a_loss_of_timed_moves_says_when_they_are(target: str, words: str) -> None:
    library = alfil.loads(
        'board 6x6\nrule first = white\npiece K "king" betza=K royal\n'
        'piece X "x" hasinu="atmove(2,1×4dO) & 1×4dD"\nsetup mirrored\n| K X . . . . |\n'
    )
    assert words in [each.message for each in alfil.export(library, target, on_loss="lossy").losses]


def test_conditions_that_multiply_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four squares that hold one of twelve pieces are twenty thousand conditions for each move."""
    monkeypatch.setattr(export_ggn, "MAX_SQUARES", 20_000)
    codes = "ABCDEFGHIJ"
    pieces = "".join(f'piece {each} "piece {each}" betza=W\n' for each in codes)
    setup = f"setup mirrored\n| . . . K L . . . |\n| {' '.join(codes[:8])} |\n"
    text = f'board 8x8\npiece K "king" betza=K royal\n{pieces}piece L "lion" betza=[dW-dW-dW-dW]\n'
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.export(alfil.loads(text + setup), "ggn", on_loss="lossy")
    assert caught.value.kind == "too-much-work"


def test_conditions_of_one_piece_are_bounded() -> None:
    """They are held at once: a queen on the largest board has millions, in 369 MB."""
    row = f"| K {'. ' * 34}Q |"
    text = f'board 36x36\npiece K "king" betza=K royal\npiece Q "queen" betza=Q\nsetup\n{row}\n'
    library = alfil.loads(text)
    before = work_done()
    with pytest.raises(alfil.PieceFileError, match="those of one piece"):
        alfil.export(library, "ggn", on_loss="lossy")
    assert work_done() - before < 2_000_000


def test_rays_of_one_piece_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are held at once too, and those of initial moves come to no conditions."""
    monkeypatch.setattr(export_ggn, "MAX_SQUARES_OF_PIECE", 2_000)
    text = 'board 9x9\npiece K "king" betza=K royal\npiece I "pike" betza=iRiB\nsetup\n| K I{} |\n'
    with pytest.raises(alfil.PieceFileError, match="those of one piece"):
        alfil.export(alfil.loads(text.format(" ." * 7)), "ggn", on_loss="lossy")

"""The block of an Interactive Diagram, read back; no diagram is run."""

from __future__ import annotations

import pytest

import alfil

# What is lost of games, by the piece or rule.
LOST = {
    "los_alamos": {"insufficient", "move-limit", "repetition"},
    "capablanca": {"insufficient", "move-limit", "repetition"},
    "chess": {"insufficient", "move-limit", "repetition"},
    "three_check": {"insufficient", "move-limit", "repetition", "win"},
}


@pytest.mark.parametrize("name", LOST)
def test_pieces_and_set_up_are_read_back(name: str) -> None:
    library = alfil.load(name)
    found = alfil.export(library, "interactive-diagram", on_loss="lossy")
    assert {loss.message.partition(":")[0] for loss in found.losses} == LOST[name]
    lines = found.text.partition('<div class="idiagram">')[2].split()
    settings = dict(line.split("=", 1) for line in lines if "=" in line)
    assert (settings["files"], settings["ranks"]) == (str(library.files), str(library.ranks))
    pieces = [line.split(":") for line in lines if line.count(":") == 4]
    assert {letter for _, letter, *_ in pieces} == set(found.letters.values())
    by_letter = {letter: code for code, letter in found.letters.items()}
    standing = set()
    for _, letter, betza, _, squares in pieces:
        code = by_letter[letter]
        assert alfil.same(alfil.read(betza, "xboard"), library[code].piece, facts=False)
        standing |= {(square, code) for square in squares.split(",") if square}
    game = library.game()
    own = {(game.square_name(at), code) for at, (code, side) in game.pieces.items() if side == 0}
    assert standing == own
    assert by_letter[pieces[-1][1]] == "K"
    assert set(settings["promoChoice"]) == {*library["P"].promotes}


def test_losses_stop_it_unless_they_are_allowed() -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.export(alfil.load("shogi"), "interactive-diagram")
    lost = {diagnostic.message.partition(":")[0] for diagnostic in caught.value.diagnostics}
    assert {"drops", "captured", "P", "promotion-when"} <= lost


ODD = """game "Odd"
board 4x4
rule first = white
piece K "king" betza=K royal
piece X "<b>odd</b>" betza=N
piece Y "weird: --> one" betza="[cW?R]"
setup mirrored
| K X Y . |
"""


def test_names_are_plain_and_what_xboard_cannot_say_is_a_loss() -> None:
    library = alfil.loads(ODD)
    found = alfil.export(library, "interactive-diagram", on_loss="lossy")
    assert "bodd/b" not in found.text
    assert "boddb:X:N:boddb:b1" in found.text
    assert [loss.message.partition(": it is left out")[0] for loss in found.losses] == ["Y"]
    assert "weird" not in found.text


HOLED = """game "Holes"
board 5x4
rule first = white
rule move-limit = none
piece K "king" betza=K royal
piece H "horse" betza=nN
piece L "leaper" betza=N
setup mirrored
| K H * L . |
"""


def test_holes_and_blocked_leaps_are_losses() -> None:
    found = alfil.export(alfil.loads(HOLED), "interactive-diagram", on_loss="lossy")
    assert [loss.message for loss in found.losses] == [
        "H: diagrams read a leap that can be blocked on its way in another way",
        "board: there every square is one of the board",
    ]


CROOKED = """game "Crooked"
board 8x8
rule first = white
rule move-limit = none
piece K "king" betza=K royal
piece B "boyscout" betza=zB
piece R "rose" betza=mqNcFF
piece U "leaper" betza=UnN
setup mirrored
| K B R U . . . . |
"""


def test_moves_that_only_diagrams_have_are_written() -> None:
    found = alfil.export(alfil.loads(CROOKED), "interactive-diagram", on_loss="lossy")
    pieces = [line.split(":") for line in found.text.splitlines() if line.count(":") == 4]
    written = {letter: betza for _, letter, betza, *_ in pieces}
    assert written == {"K": "K", "B": "zB", "R": "cBmqN", "U": "nNU"}
    assert [loss.message for loss in found.losses] == [
        "U: diagrams read a leap that can be blocked on its way in another way"
    ]


@pytest.mark.parametrize("form", ["interactive-diagram", "fairy-stockfish"])
def test_where_nothing_promotes_no_promotion_is_lost(form: str) -> None:
    text = 'board 8x8\nrule first = white\npiece K "king" betza=K royal\n'
    text += 'piece F "ferz" betza=F promotes=R forced\npiece N "knight" betza=N promotes=R\n'
    text += 'piece R "rook" betza=R\nsetup mirrored\n| . N F . K F N . |\n'
    assert not alfil.export(alfil.loads(text, name="no zone"), form).losses

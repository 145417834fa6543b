"""Any text as a move or a position: an answer or an AlfilError, and the game as it was."""

from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil import Game
from boards import rows
from engine_games import bundled
from oracle.games.known import HAND_SHOGI_START

SIGNS = "123456789abcdefghiKTUGSDOHNLPkngpSOxX*-+=@/ bw0.·\n٣９ß"
POSITIONS = {
    "hand_shogi": [HAND_SHOGI_START, *(row[1] for _, row in rows("hand_shogi_moves.tsv"))],
    "minishogi": [row[0] for _, row in rows("minishogi_perft.tsv")],
    "chess": [row[0] for _, row in rows("chess_perft.tsv")] + [chess.STARTING_FEN],
}
NAMES = st.sampled_from(sorted(POSITIONS))


@st.composite
def slips(draw: st.DrawFn, texts: list[str]) -> str:
    """A right text with a few signs left out, put in, or changed."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        keep = draw(st.integers(0, 2))
        text = text[:at] + draw(st.sampled_from(["", *SIGNS])) + text[at + keep :]
    return text


@given(data=st.data(), name=NAMES)
def test_a_move_is_read_or_refused(data: st.DataObject, name: str) -> None:
    game = Game(bundled(name), POSITIONS[name][0])
    moves = [str(move) for move in game.legal_moves] + ["SO-6f", "Nx7c+", "T*5e", "e2e4", "d3d4"]
    text = data.draw(st.one_of(slips(moves), st.text(SIGNS, max_size=9), st.text(max_size=4)))
    before = game.sfen(), game.key, game.moves
    try:
        game.push(text)
    except alfil.AlfilError:
        assert (game.sfen(), game.key, game.moves) == before
    else:
        assert len(game.moves) == 1
        game.pop()
        assert (game.sfen(), game.key, game.moves) == before


@given(data=st.data(), name=NAMES)
def test_a_position_is_read_or_refused(data: st.DataObject, name: str) -> None:
    text = data.draw(
        st.one_of(slips(POSITIONS[name]), st.text(SIGNS, max_size=30), st.text(max_size=5))
    )
    try:
        game = Game(bundled(name), text)
    except alfil.AlfilError:
        return
    again = Game(bundled(name), game.sfen())
    assert again.key == game.key
    assert again.legal_moves == game.legal_moves
    assert again.sfen() == game.sfen()


@pytest.mark.parametrize("name", sorted(POSITIONS))
def test_every_position_is_written_as_it_was_read(name: str) -> None:
    for text in POSITIONS[name]:
        game = Game(bundled(name), text)
        assert Game(bundled(name), game.sfen()).legal_moves == game.legal_moves

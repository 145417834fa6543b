"""What `make figures` writes: the worst row of each group, and no targets."""

from benchmarks.figures import Figure
from benchmarks.publish import bars, summary, table

FIGURES = [
    Figure(
        what=f"perft, every move made: {game}",
        value=value,
        unit="M/s",
        does="counts",
        peer=peer,
        beside=10.0,
        must=7.0,
        aim=9.0,
    )
    for game, value, peer in (
        ("chess", 20.0, "Fairy-Stockfish"),
        ("atomic", 5.0, "Fairy-Stockfish"),
        ("shogi", 80.0, "Fairy-Stockfish"),
    )
]
ELSEWHERE = Figure(
    what="perft, every move made: duck", value=1.0, unit="M/s", does="counts", peer="X", beside=4.0
)


def test_the_worst_row_of_a_group_is_named() -> None:
    assert summary(FIGURES) == (
        "- Counting move sequences in one thread (perft): from 0.5 times (atomic) to 8 times"
        " (shogi) as fast as Fairy-Stockfish."
    )
    line = summary([*FIGURES, ELSEWHERE])
    assert "0.25 times as fast as X at worst (duck), 8 times as fast as Fairy-Stockfish" in line


def test_the_table_says_what_was_measured_and_no_target() -> None:
    lines = table(FIGURES).splitlines()
    assert lines[0] == "| measured | alfil | other program | ratio | note |"
    cells = (
        "perft, every move made: atomic",
        "5 M/s",
        "Fairy-Stockfish: 10 M/s",
        "0.5 times as fast",
    )
    assert f"| {' | '.join(cells)} | 1 |" in lines
    assert lines[-1] == "1. counts"


def test_a_bar_to_the_left_is_a_loss() -> None:
    drawn = bars([*FIGURES, ELSEWHERE])
    assert drawn.count('class="less"') == 2
    assert drawn.count('class="more"') == 2
    assert "perft, every move made: duck, X" in drawn

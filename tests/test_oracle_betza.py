"""The naive Betza walker against the case file and the specification's own examples."""

import re
from pathlib import Path

import pytest

from gathering import every_row
from oracle.betza_examples import (
    COUNTS,
    EXAMPLES,
    REFUSALS,
    SAME,
    Squares,
    board,
    both_sides,
    squares,
    turned,
)
from oracle.betza_walker import Board, Move, Unreadable, moves

CASES = Path(__file__).parent / "cases" / "betza.tsv"


def ends(text: str, on: Board) -> Squares:
    return frozenset(move.to for move in moves(text, on))


def case_rows() -> list[tuple[str, str, str]]:
    lines = CASES.read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return [(row[0], row[2], row[3]) for row in rows]


def marker(description: str, name: str) -> str:
    found = re.search(rf"\[{name}: ([^]]*)\]", description)
    return found[1] if found else ""


ROWS = case_rows()
REFUSED = ("mcafW2", "tR", "I")


@every_row("text, description, offsets", ROWS)
def test_case_file(text: str, description: str, offsets: str) -> None:
    options = marker(description, "opts")
    on = board(marker(description, "board"), unmoved="v" in options, king="k" in options)
    if text in REFUSED:
        with pytest.raises(Unreadable):
            moves(text, on)
        return
    if offsets.startswith("CONFLICT"):
        (offsets,) = re.findall(r"ID=([^;]*)", offsets)
    assert ends(text, on) == squares("" if offsets == "-" else offsets)


def test_the_case_file_is_whole() -> None:
    assert len(ROWS) == 199
    assert sum(row[2].startswith("CONFLICT") for row in ROWS) == 11


def test_captures_where_the_case_file_lists_only_ends() -> None:
    assert moves("cabW", board("0,1e")) == {Move((0, 0), squares("0,1"))}
    assert moves("[cW-bW]", board("0,1e")) == {Move((0, 0), squares("0,1"))}
    assert moves("caibR", board("0,3e")) == {Move((0, 0), squares("0,3"))}
    assert moves("[cR-ibR]", board("0,3e")) == {Move((0, 0), squares("0,3"))}
    assert moves("cafmF", board("1,1e")) == {Move((2, 2), squares("1,1"))}
    assert moves("caibQ", board("0,3e 2,2e")) == {
        Move((0, 0), squares("0,3")),
        Move((0, 0), squares("2,2")),
    }
    assert moves("cafR", board("0,3e")) == {Move((0, y), squares("0,3")) for y in (4, 5, 6, 7)}


@every_row("text, pieces, offsets", EXAMPLES)
def test_examples(text: str, pieces: str, offsets: str) -> None:
    assert ends(text, board(pieces)) == squares(offsets)


@every_row("one, other", SAME)
def test_two_spellings(one: str, other: str) -> None:
    for pieces in ("", "0,1e 1,1e -2,2o 3,0e", "1,1o 0,2e 1,2e 0,3e -1,-1e"):
        assert moves(one, board(pieces)) == moves(other, board(pieces)), pieces


@pytest.mark.parametrize(("text", "count"), COUNTS)
def test_counts_given_in_the_specification(text: str, count: int) -> None:
    assert len(ends(text, board())) == count


def test_ship_goes_up_and_down_only() -> None:
    up = squares(both_sides(" ".join(f"1,{y}" for y in range(1, 8))))
    assert ends("v[F?R]", board()) == up | {(x, -y) for x, y in up}


@every_row("text", [*REFUSALS.split(), "fm rF", "f W", "W(a f)F"])
def test_refusals(text: str) -> None:
    with pytest.raises(Unreadable):
        moves(text, board())


def test_own_half_needs_the_rank() -> None:
    def on(rank: int) -> Board:
        return Board(width=8, height=8, at=(3, rank))

    assert ends("fmW*", on(1)) == squares("0,1 0,2")
    assert ends("fmW*", on(0)) == squares("0,1 0,2 0,3")
    assert ends("fmW*", on(5)) == squares("0,1")


def test_initial_parts() -> None:
    assert ends("ifmW2", board(unmoved=True)) == squares("0,1 0,2")
    assert ends("ifmW2", board()) == frozenset()
    assert ends("i[W-W]", board(unmoved=True)) == squares(turned("0,2"))


def test_en_passant_captures_on_the_trail() -> None:
    on = board("-1,1e", trail="1,1 0,3")
    assert moves("fceF", on) == {
        Move((-1, 1), squares("-1,1")),
        Move((1, 1), squares("1,1")),
    }
    assert moves("feabmabeW", board(trail="0,1")) == frozenset()
    assert moves("feF", on) == {Move((1, 1), squares("1,1"))}
    assert moves("fmeR3", on) == {
        Move((0, 1)),
        Move((0, 2)),
        Move((0, 3)),
        Move((0, 3), squares("0,3")),
    }


def test_castling_asks_for_the_right_partner() -> None:
    def king(pieces: str) -> Board:
        return board(pieces, unmoved=True)

    assert ends("isO2", king("-7,0r 7,0r")) == squares("-2,0 2,0")
    assert ends("ilO2", king("-7,0r 7,0r")) == squares("-2,0")
    assert ends("isO2", king("-7,0r 7,0o")) == squares("-2,0")
    assert ends("isO2", king("-7,0r 7,0r 5,0e")) == squares("-2,0")
    assert ends("isO2", king("-6,0r 7,0r")) == squares("2,0")
    assert ends("ijO2", king("-6,0r 7,0r")) == squares("-2,0")
    assert ends("isO7", king("-7,0r")) == frozenset()
    assert ends("isO6", king("-7,0r")) == squares("-6,0")
    assert ends("isO3isO2", king("-7,0r")) == squares("-2,0 -3,0")


def test_wrapped_boards() -> None:
    def corner(pieces: str = "") -> Board:
        return Board(width=5, height=5, at=(0, 0), enemies=squares(pieces))

    assert ends("oW", corner()) == squares("0,1 1,0 4,0")
    assert ends("ooW", corner()) == squares("0,1 1,0 4,0 0,4")
    assert ends("osR", corner()) == squares("1,0 2,0 3,0 4,0")
    assert ends("osR", corner("2,0")) == squares("1,0 2,0 3,0 4,0")
    assert ends("lhoN", corner()) == squares("4,2 3,1")
    assert ends("oB", corner()) == squares("1,1 2,2 3,3 4,4 4,1 3,2 2,3 1,4")
    # Diagonals of a 5x5 torus: two of five squares through the start, less the start itself.
    assert ends("ooB", corner()) == squares("1,1 2,2 3,3 4,4 4,1 3,2 2,3 1,4")


def test_hurdles_are_part_of_the_move() -> None:
    over = squares("0,2")
    assert moves("fpR", board("0,2o 0,4e")) == {
        Move((0, 3), frozenset(), over),
        Move((0, 4), squares("0,4"), over),
    }
    assert moves("jH", board("0,1e 0,2o")) == {Move((0, 3), frozenset(), squares("0,1 0,2"))}
    assert moves("fjR3", board("0,1e")) == {Move((0, 2)), Move((0, 3))}
    assert moves("mpafW", board("0,1e")) == {Move(to) for to in squares(turned("0,2"))}


def test_a_captured_piece_stays_in_the_way() -> None:
    assert ends("cabmabmW", board("0,1e")) == frozenset()
    assert ends("cabacbW", board("0,1e")) == frozenset()
    assert ends("cabacfafW", board("0,1e 0,-1e")) == squares("0,2 0,-2")
    assert moves("cabapbafW", board("0,1e")) == {Move((0, 2), squares("0,1"), squares("0,1"))}


def test_stops_and_passes_of_a_bracket() -> None:
    on = board("1,1e")
    assert moves("fr[cF?R]", on) == {Move((1, 1), squares("1,1"))} | {
        Move((x, 1), squares("1,1")) for x in range(2, 8)
    }
    assert moves("fr[F?R]", on) == {Move((1, 1), squares("1,1"))}
    assert moves("fr[mF?R]", on) == frozenset()


def test_a_repeat_counts_and_does_not_cross_its_start() -> None:
    assert ends("f(af)2W", board()) == squares("0,1 0,2 0,3")
    assert ends("f(af)0W", board("0,5e")) == squares("0,1 0,2 0,3 0,4 0,5")
    assert ends("f(ar)W", board()) == squares("0,1 1,1 1,0")
    assert len(ends("(as)W", board())) > 50


def test_iso_repeats_the_slider_not_the_step_after_it() -> None:
    assert moves("[fcR-bW-ifR]", board("0,3e")) == {Move((0, -1), squares("0,3"))}


def test_y_passes_empty_squares_beside_other_letters() -> None:
    on = board("0,1e")
    assert ends("fycafF", on) == ends("fyafF", on)
    assert moves("fycafW", on) == {Move((0, y), squares("0,1")) for y in range(2, 8)}
    assert moves("rycafW", on) == {Move((x, 0)) for x in range(2, 8)}

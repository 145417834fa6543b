"""The dialects `taikyoku` and `fairy-stockfish-next`: what lists and proposals write beyond Betza.

betza_corpus_dialects.tsv has every string of the corpus that only another dialect reads, with the
same in plain Betza; here is what such a string means by what others say of the piece.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import product

import pytest
from gather import QUARTERS  # the texts, which come from another list than the moves

import alfil
from boards import rows
from gathering import every_row
from inside import DIALECTS

ROWS = [row for _, row in rows("betza_corpus_dialects.tsv")]
CORPUS = [row[0] for _, row in rows("betza_corpus.tsv")]

# Texts that no one means as a piece: what tests of a program give it to refuse, lone ranges from
# tables of signs, and a row of all letters.
NO_PIECES = frozenset(
    "* m* R[3- R[5-3] (1) (x,2) (0,0) {capture:bogus}W mapztoxyuN".split()  # noqa: SIM905
)


def taikyoku(text: str) -> alfil.Piece:
    return alfil.read(text, "taikyoku")


def proposed(text: str) -> alfil.Piece:
    return alfil.read(text, "fairy-stockfish-next")


def in_betza(text: str) -> list[alfil.Piece]:
    """What the dialects of Betza read a text as."""
    return [piece for piece in alfil.readings(text) if piece.notation in DIALECTS]


def test_the_corpus_by_dialect() -> None:
    first: Counter[str] = Counter()
    found: dict[str, str] = {}
    for text in CORPUS:
        pieces = in_betza(text)
        if pieces:
            first[pieces[0].notation] += 1
        if pieces and pieces[0].notation != "betza":
            found[text] = " ".join(piece.notation for piece in pieces)
    figure = ", ".join(f"{count} in {name}" for name, count in first.items())
    sys.stdout.write(f"{first.total()} of {len(CORPUS)} read: {figure}")
    assert found == {text: dialects for text, dialects, *_ in ROWS}
    meant = [text for text in CORPUS if text not in NO_PIECES]
    assert not any(in_betza(text) for text in NO_PIECES)
    assert first.total() >= 0.965 * len(meant)


@every_row("text, dialects, betza, because", ROWS)
def test_a_string_of_another_dialect(text: str, dialects: str, betza: str, because: str) -> None:
    assert because
    for dialect in dialects.split():
        piece = alfil.read(text, dialect)
        assert alfil.same(piece, betza)
        written = alfil.write(piece, "betza")
        assert alfil.same(written, betza)
        assert len(written) <= len(betza)
        again = alfil.read(str(piece), dialect)
        assert alfil.same(again, piece)
        assert str(again) == str(piece)
        assert alfil.describe(piece)


TABLES = {row[1]: row[3] for _, row in rows("taikyoku_independent.tsv") if row[4] == "agree"}


@pytest.mark.parametrize("name", QUARTERS)
def test_quarters_by_the_moves_of_an_independent_list(name: str) -> None:
    radius = 9
    expected = {
        (dx * step, dy * step)
        for dx, dy, limit in json.loads(TABLES[name])
        for step in range(1, (limit or radius) + 1)
    }
    assert alfil.destinations(taikyoku(QUARTERS[name]), radius) == expected


def test_a_group_by_the_jumps_given_beside_it() -> None:
    name, text, moves = next(
        row[2:3] + row[4:6] for _, row in rows("taikyoku_pieces.tsv") if "(" in row[4]
    )
    assert name == "Treacherous Fox"
    piece = taikyoku(text)
    every = {
        (dx * step, dy * step)
        for _, dx, dy, limit in json.loads(moves)
        for step in range(1, (limit or 7) + 1)
    }
    assert alfil.destinations(piece) == every
    beside = {(x, y) for x, y in product((-1, 0, 1), repeat=2) if y}
    jumps = {(dx, dy) for kind, dx, dy, _ in json.loads(moves) if kind == "jump"}
    assert alfil.destinations(piece) >= jumps
    assert {move.to for move in alfil.moves(piece, friends=beside)} >= jumps


SAME = [
    ("NAD[aK]", "KNADcaKmcabK"),  # the lion of chu shogi
    ("KDAN(cK-aK)(K-bK)", "KNADcaKmcabK"),  # the same: a leg after a goes any way
    ("(mF-avF)", "[mF-vF]"),
    ("B-[sB]", "BBasB"),  # the tengu, a hook mover
    ("B(B-sB)", "[B?sB]"),  # the same
    ("dhfW", "fWfmcavW"),
    ("f[avW]", "fWfmcavW"),  # the falcon's half of a lion
    ("(R-sR)", "[R-sR]"),
    ("[lf]B", "flB"),
    ("(rb)K", "brFrWbW"),
    ("f[bl]FrW", "fFblFrW"),  # the dark spirit: forward both ways, back to the left, right
    ("f[br]FlW", "fFbrFlW"),  # the deva
    ("mf[bl]F", "mfFmblF"),
    ("fm(bl)B2", "mfB2mblB2"),
    ("(ff)N", "ffN"),
    ("(tt)(ll)N", "ffNllN"),
    ("(WF-B)", "[W-B][F-B]"),
    ("Ｒ３Ｗ", "R3"),
    ("cppB", "p(afp)afcB"),
]


@pytest.mark.parametrize(("text", "betza"), SAME)
def test_what_a_text_of_the_lists_says(text: str, betza: str) -> None:
    assert alfil.same(taikyoku(text), betza)


def test_an_area_of_three_steps() -> None:
    piece = taikyoku("[mKa3K]")
    around = {(x, y) for x, y in product(range(-3, 4), repeat=2)}
    assert alfil.destinations(piece) == around
    ring = {(x, y) for x, y in around if max(abs(x), abs(y)) == 2}
    moves = alfil.moves(piece, enemies=ring)
    assert {square for move in moves for square in move.captures} == ring
    assert all(max(map(abs, move.to)) <= 2 for move in moves)


def test_captures_on_the_way() -> None:
    moves = alfil.moves(
        taikyoku("(cyR)0-[R]"), radius=5, enemies={(0, 2), (0, 4)}, friends={(2, 0)}
    )
    ends = {move.to: move.captures for move in moves if move.to[0] >= 0 and move.to[1] >= 0}
    assert ends[0, 1] == ()
    assert ends[0, 3] == ((0, 2),)
    assert ends[0, 5] == ((0, 2), (0, 4))
    assert (3, 0) not in ends


@pytest.mark.parametrize("dialect", ["betza", "taikyoku"])
def test_any_number_of_hurdles(dialect: str) -> None:
    moves = alfil.moves(
        alfil.read("cppR", dialect), radius=6, enemies={(0, 1), (0, 4)}, friends={(0, 3)}
    )
    assert {move.captures for move in moves} == {((0, 4),)}


def test_what_the_proposals_say() -> None:
    for text, betza in [
        ("R[3-]", "[W-W-R]"),
        ("B[2-4]", "[F-F?F?F]"),
        ("fR[1-2]", "fR2"),
        ("cR[1-2]", "cR2"),
        ("mcfR[2-3]", "fnDfnH"),
        ("cB[2-]", "[F-cB]"),
        ("imR[2-3]", "i[W-mW?mW]"),
        ("n{path:moa}N", "afsF"),
        ("n{path:either}N", "afsFafsW"),
        ("fn{path:diagfirst}C", "f[F-W-W]"),
        ("M", "[W?B]"),
        ("mO", "[mF?mR]"),
        ("@", "qN"),
        ("m(AB)", "mAmB"),
        ("v[F?R]", "v[F?R]"),
        ("fK", "fWfF"),
    ]:
        assert alfil.same(proposed(text), betza), text


def test_the_lame_ferz_of_the_proposals() -> None:
    def ends(*friends: tuple[int, int]) -> bool:
        return (1, 1) in {move.to for move in alfil.moves(proposed("nF"), friends=friends)}

    assert ends()
    assert ends((0, 1))
    assert ends((1, 0))
    assert not ends((0, 1), (1, 0))
    # A bishop with n, and a ferz with a range, are no ferz of one step.
    assert (2, 2) in {move.to for move in alfil.moves(proposed("nB"))}
    assert (2, 2) in {move.to for move in alfil.moves(proposed("nF2"))}


@pytest.mark.parametrize("text", ["mWc^K", "mc^K"])
def test_shots_are_made_from_home(text: str) -> None:
    moves = alfil.moves(proposed(text), radius=2, enemies={(1, 1)})
    assert {move.to for move in moves if move.captures} == {(0, 0)}
    assert {move.captures for move in moves if move.captures} == {((1, 1),)}


REFUSED = """
taikyoku z(FW) group 0 5
taikyoku B(mppR3)-R group 1 8
taikyoku B(v(mppR3)-R) group 1 13
taikyoku cyppB toggle-last-leg 1 2
taikyoku fmnn[aK] lame-without-path 2 3
taikyoku n(ceF) group 0 6
taikyoku (R3-R)3 no-atom 6 7
taikyoku (R-(mpB)3) group 0 10
taikyoku (W-F-(fF)2) group 0 11
taikyoku ((pR)3-B) group 0 9
taikyoku [ma] no-atom 1 3
taikyoku [mKa3N] group 0 7
taikyoku [mKa99K] group 0 8
taikyoku (fl)U group 0 5
taikyoku f[bl]U group 0 6
taikyoku hf[bl]N group 0 7
taikyoku fmf[bl]F group 0 8
taikyoku mf[bl]mF group 0 8
taikyoku BWxR not-supported-yet 2 3
taikyoku WxF not-supported-yet 1 2
taikyoku W[xK-R] not-supported-yet 2 3
taikyoku WxfK not-supported-yet 1 2
taikyoku WxK3 not-supported-yet 1 2
taikyoku WmxK modifier-clash 1 3
betza WxK not-supported-yet 1 2
taikyoku xf[bl]F not-supported-yet 0 1
taikyoku (f)N repeat-form 0 3
taikyoku (A) group 0 3
taikyoku (mA)(cB) group 0 4
taikyoku (cyR)3 group 0 5
taikyoku (cyR)3B group 0 5
taikyoku (fA-B)3 no-atom 6 7
taikyoku [cK-aK] chain-in-path 4 5
taikyoku + no-atom 0 1
fairy-stockfish-next pB[2-4] not-in-dialect 0 7
fairy-stockfish-next eR[2-3] not-in-dialect 0 7
fairy-stockfish-next R[5-3] bracket-digits 1 6
fairy-stockfish-next R[0-3] bracket-digits 1 6
fairy-stockfish-next R[-3] bracket-digits 1 5
fairy-stockfish-next R[21] bracket-digits 1 5
fairy-stockfish-next U[2-3] bracket-digits 1 6
fairy-stockfish-next n{path:no}N unknown-symbol 0 10
fairy-stockfish-next n{path:mid}U unknown-symbol 0 11
fairy-stockfish-next n{path:mid}N not-in-dialect 0 11
fairy-stockfish-next n{path:mid}H not-in-dialect 0 11
fairy-stockfish-next n{path:moa}N0 unknown-symbol 12 13
fairy-stockfish-next fO not-in-dialect 0 2
fairy-stockfish-next f@ not-in-dialect 0 2
fairy-stockfish-next NN^ not-in-dialect 0 2
fairy-stockfish-next RU^ not-in-dialect 1 2
fairy-stockfish-next mR^ not-in-dialect 2 3
fairy-stockfish-next m^K not-in-dialect 0 3
fairy-stockfish-next ^ not-in-dialect 0 1
fairy-stockfish-next @^ not-in-dialect 0 1
fairy-stockfish-next zR not-in-dialect 0 1
"""


@pytest.mark.parametrize("text", ["FxK", "xKF"])
def test_what_burns_beside_a_piece(text: str) -> None:
    piece = taikyoku(text)
    assert alfil.same(piece, alfil.read("1×4dD & burn(1×8d,PA)", "hasinu"))
    assert alfil.same(piece, "F", facts=False)
    assert not alfil.same(piece, "F")
    assert alfil.same(taikyoku(str(piece)), piece)


def test_the_fire_demon_of_tenjiku_shogi() -> None:
    demon = taikyoku("BrlR[mKa3K]xK")
    assert alfil.same(demon, taikyoku("BrlR[mKa3K]"), facts=False)
    found = alfil.moves(
        demon, files=6, ranks=6, at="a1", enemies={"d5", "d3", "f4", "b1"}, friends={"e5"}
    )
    # On d4 it burns d5 and d3; f4 and b1 are not beside it, and e5 is its own side's.
    (there,) = {frozenset(each.captures) for each in found if each.to == (3, 3)}
    assert there == {(3, 4), (3, 2)}
    with pytest.raises(alfil.AlfilError) as refused:
        alfil.write(demon, "betza")
    assert {diagnostic.kind for diagnostic in refused.value.diagnostics} == {"no-translation"}


@pytest.mark.parametrize("line", REFUSED.split("\n")[1:-1])
def test_what_stays_uncertain_is_refused(line: str) -> None:
    dialect, text, kind, start, end = line.split()
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, dialect)
    first = caught.value.diagnostics[0]
    assert (first.kind, first.spans[0]) == (kind, alfil.Span(int(start), int(end)))
    assert first.hint

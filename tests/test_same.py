"""Which descriptions are the same piece, and which only look like it."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from inspect import unwrap

import pytest

import alfil
from alfil.meaning import compile_movement as compiling
from alfil.meaning.automaton import determinise
from alfil.meaning.compare_meanings import (
    Counterexample,
    PieceHistory,
    display_sort_key,
    same_meaning,
)
from alfil.meaning.normal_form import without_detours
from alfil.meaning.partial_position import BoardMargins, MoveEffect
from alfil.meaning.piece_meaning import GuardedAutomaton, Meaning
from alfil.meaning.plain_runs import plain_rays
from alfil.work_limit import TooMuchWork, limited_task
from boards import rows
from gathering import every_row


def piece(text: str) -> alfil.Piece:
    """A Betza text, or Ħasínū after "H:", or Betza in another dialect after its name."""
    if text.startswith("H:"):
        return alfil.read(text[2:], notation="hasinu")
    if text.startswith("classic:"):
        return alfil.read(text.removeprefix("classic:"), "classic")
    return alfil.read(text)


EQUAL = [
    ("H:c(m(1×8d) & 1×4dO)", "cW"),
    # Nothing is new behind home, and steps of one colour never come home from the other.
    ["H:n(n4dO &t90°)", "H:n(n4dO &t+90°) & n(n4dO &t-90°)", "(affr)W(affl)W"],
    ["H:1×4dO &t n(1×4dD)", "Wafs(avvs)W"],
    ("H:i(m(1×8d) & c(1×4dO))", "cabW"),
    # A leg as long as the slide before ends where its own range does.
    ["[R-siR2]", "[R2-siR]", "[R2-siR2]"],
    ["K", "WF", "FW", "H:1×8d", "H:1×4dO & 1×4dD", "K1", "W1F1"],
    [
        "Q",
        "RB",
        "K0",
        "W0F0",
        "WWFF",
        "H:n8d",
        "classic:Q",
        "Q99",
        "R37B37",
        "QK",
        "RnDB",
        "H:1(n8d)",
        "H:1(1(n8d))",
        "H:ataction(1,n8d)",
    ],
    ["R", "W0", "WW", "H:n4dO", "H:n(1×4dO &t0°)", "RW", "RnD", "H:n4dO & 2×4dO"],
    ["R3", "W3", "H:{1,2,3}×4dO", "H:{3,1,2}×4dO", "H:{1,2,3}(1×4dO &t0°)", "WR3", "[W?W?W]"],
    ["B5R4", "Q4B5", "H:{1,2,3,4}×8d & 5×4dD", "R4B5"],
    ["NN", "N0", "H:n(1,2)", "H:n((1,2) &t0°)", "H:n(2,1)"],
    [
        "FyafsF",
        "[F?R]",
        "FtR",
        "t[FR]",
        "H:1×4dD &t n4dO",
        "H:1×4dD &t45° n4dO",
        "H:1×4dD &t50gon n4dO",
        "F[F-R]",
        "[F?fsW0]",
    ],
    ["D", "H:j(2×4dO)", "mpafW", "(0,2)", "DnD", "DmafW"],
    ["nD", "H:2×4dO", "mafW", "[W-W]", "nDmafW"],
    ["afsW", "nN", "[W-F]", "[W-fsF]"],
    ["afsF", "[F-W]"],
    ["afsK", "afsWafsF", "H:2(1×8d &t45°)"],
    ["CC", "C0", "H:n(1,3)", "LL"],
    ["qN", "(aq)N", "H:n((2,1) &t22.5°)", "H:n((1,2) &t45°)", "N(aq)N"],
    ["zB", "(az)F", "zF", "zFF"],
    ["B", "(af)F", "FF", "H:n4dD", "[F?F]B", "(af)0F"],
    ["caibR", "[cR-ibR]", "H:i(n4dO)", "H:rifle(n4dO, A)", "H:group(i,c)(n4dO)"],
    ["cabK", "[cK-bK]", "H:i(1×8d)"],
    ["RpR", "H:j(n4dO,1)", "mRcRpR"],
    ["mQcaibQ", "H:m(n8d) & i(n8d)", r"H:\mQ & i(\cQ)"],
    ["[cR3-ibR3]", "H:i({1,2,3}×4dO)"],
    ["(18,1)", "(18,1)0", "H:(1,18)", "H:n(1,18)"],
    ["(17,1)2", "(17,1)0", "H:n(1,17)", "H:{1,2}×(1,17)"],
    ["fmWfcFifmR2", "H:atmove(1,m(2×1dN)) & m(1×1dN) & c(1×2dNE-NW)", "fmWfcFifmW2"],
    ["nZ", "mafsmafW", "[W-F-F]", "nJ", "n(2,3)"],
    ["KNAD", "H:INF(2,2)", "H:INF(2, 2)"],
    ["WDH", "H:j({1,2,3}×4dO)", "H:j(1×4dO) & j({2,3}×4dO)"],
    ["", "H:"],
    ["H:ataction(6,n8d)", "H:ataction(2,ataction(3,n8d))", "H:ataction(6,ataction(2,n8d))"],
    ["H:promote(//reach rank eight,n8d)", "H:promote(//reach  rank 8.,n4dO & n4dD)"],
    ["H:promote(//reach rank twenty-one,n8d)", "H:promote(//reach rank 21,n8d)"],
    ["H:promote(//x,n8d,(1,2))", "H:promote(//x,(1,2),n8d,(2,1))"],
    ["H:fe(inclusive,n8d,(1,2))", r"H:fe(inclusive,\N,n8d,(1,2))"],
    ["H:fe()", "H:fe(exclusive)"],
    ["H:2(1×1dN & 1×2dE-S &t180°)", "H:2(1×1dN &t0°) & 2(1×1dN & 1×2dE-S &t180°)"],
    ["H:1×4dD &t45 °1×4dO", "H:1×4dD &t45°1×4dO", "H:1×4dD &t 45 deg 1×4dO"],
    ["H:atmove(3,n8d)", "H:atmove(3,ataction(3,n8d))"],
    ["KmcabK", "mcabKmKcK"],
    ["classic:fK", "fWfF", "H:1×3dN-NE-NW"],
    ["RasR", "[R?sR]", "H:n4dO &t n4dO", "H:n4dO &t90° n4dO"],
]

DIFFERENT = [
    ("afsK", "N"),
    ("nN", "N"),
    ("qN", "N"),
    ("fK", "classic:fK"),
    ("W", "F"),
    ("N", "NN"),
    ("D", "nD"),
    ("jD", "D"),
    ("pR", "R"),
    ("gQ", "pQ"),
    ("[F?R]", "[F-R]"),
    ("H:n4dO &t n4dD", "H:1×4dO &t n4dD"),
    ("H:n(1×8d)", "Q"),
    ("H:n(1×8d)", "(affs)K"),
    ("H:n(1×4dO)", "(afs)W[W-bW]"),
    ("H:n((1,2))", "(affllrr)N"),
    ("H:n((1,2))", "NN"),
    ("mW", "W"),
    ("iW", "W"),
    ("fmWfcFifmnD", "fmWfcFifmR2"),
    ("oR", "R"),
    ("ooR", "oR"),
    ("kQ", "cQ"),
    ("dW", "cW"),
    ("isO2", "isO3"),
    ("H:2(1×4dO & 1×4dD &t45°)", "H:2((1×4dO & 1×4dD) &t45°)"),
    ("H:2(1×4dO & 1×4dD &t45°)", "H:2(1×4dO & 1×4dD)"),
    ("H:royal() & 1×8d", "K"),
    ("H:promote(//reach rank eight,n8d)", "H:promote(//reach rank 9,n8d)"),
    ("H:promote(//reach last rank,n8d)", "H:promote(//reach rank 8,n8d)"),
    ("H:fe(inclusive,n8d)", "H:fe(exclusive,n8d)"),
    ("H:fe(inclusive,n8d)", "H:fe(inclusive,n8d,(1,2))"),
    ("H:royal(O) & 1×8d", "H:royal() & 1×8d"),
    ("H:burn(1×8d) & n8d", "Q"),
    ("H:ataction(2,n4dO)", "R"),
    ("H:atmove(2,n4dO)", "H:atmove(1,n4dO)"),
    ("H:rpg(n4dO)", "R"),
    ("H:rpg(n4dO,G)", "H:rpg(n4dO)"),
    ("H:j(n4dO)", "R"),
    ("H:j(n4dO,F)", "H:j(n4dO,E)"),
    ("afsW", "afsF"),
    ("cabK", "caK"),
    ("zB", "B"),
    ("[W?fsF-zfsW]", "[W?fsF-qfsW]"),
    # Beside what roams a hop is a move of its own, and so is what it does not reach.
    ("H:n(1×4dO) & j(n4dO,1)", "(affs)W"),
    ("H:n(1×4dO) & 1×4dO &t j(n4dO,1)", "H:n(1×4dO) & j(n4dO,1)"),
    ("H:n(1×4dO) & (1,2)", "(affs)W"),
]


@pytest.mark.parametrize("group", EQUAL, ids=lambda group: group[0] or "nothing")
def test_same(group: list[str]) -> None:
    for left, right in itertools.combinations(group, 2):
        assert alfil.same(piece(left), piece(right)), (left, right)
        assert alfil.same(piece(right), piece(left)), (right, left)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_not_same(left: str, right: str) -> None:
    assert not alfil.same(piece(left), piece(right))
    assert not alfil.same(piece(right), piece(left))


def test_first_of_each_group_differs_from_the_others() -> None:
    for left, right in itertools.combinations((group[0] for group in EQUAL), 2):
        assert not alfil.same(piece(left), piece(right)), (left, right)


def test_squares_passed_out_and_back_belong_to_a_trail() -> None:
    # Betza has no letters for the piece without those ways.
    meaning = piece("nRnabR").meaning
    ((guard, automaton),) = meaning.parts
    fewer = Meaning((GuardedAutomaton(guard, without_detours(automaton)),))
    assert fewer != meaning
    assert not same_meaning(fewer, meaning)


def test_facts_can_be_left_aside() -> None:
    king = piece("H:royal() & 1×8d")
    assert alfil.same(king, "K", facts=False)
    assert not alfil.same(king, "K")


ROUNDABOUT = [
    # Going round in a circle leads nowhere new.
    ("H:n(1×4dD &t90° 1×4dD &t-90°) & n(1×4dD &t-90° 1×4dD &t90°)", "zB"),
    # A wrapped board is the board for whoever stays on it; up and down is not round.
    ("oR", "RoR"),
    ("obW", "bW"),
    ("caibQ", "caiqbQ"),
    # Who roams over empty squares has no use for steps straight back.
    ("H:n(1×4dO)", "(affllrr)W"),
    ("H:n(1×8d)", "(affllrrbbfsbs)K"),
    ("H:m(n(1×8d))", "m(am)K"),
    # So is one part of a piece that has other moves, hoppers among them.
    ("H:n(1×4dO) & (1,2)", "(affs)WN"),
    ("H:n(1×4dO) & j(n4dD,2)", "(affs)WBpB[pB-pB]"),
    ("H:n(1×4dO) & (1,2) &t0 j(n4dO,2)", "(affs)W[N?R][N?pR][N?pR-pR]"),
    ("H:n((1,2))", "(absfhs)N"),
    # Nor has one that also slides, where what it could do there is what it could do before.
    ("H:n(m({1,2}×8d)) & n5dO-NE", "RfrBm(am)K"),
    ("H:{1,2,3,4}×1dW & 1×1dW &t22.5° c((2,3)) & n(1×4dO)", "(alr)R[lR4?icZ]"),
]


@pytest.mark.parametrize(("left", "right"), ROUNDABOUT)
def test_paths_that_differ_without_end_may_still_be_the_same_moves(left: str, right: str) -> None:
    assert alfil.same(piece(left), piece(right))
    assert alfil.same(piece(right), piece(left))


def test_roaming_pieces_that_are_the_same_move_alike() -> None:
    chance = random.Random(3)
    squares = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0)]
    for left, right in ROUNDABOUT[-4:]:
        for _ in range(5):
            taken = chance.sample(squares, 14)
            board = {"files": 5, "ranks": 5, "at": "c3"}
            own, other = taken[:7], taken[7:]
            found = [
                alfil.moves(piece(text), **board, friends=own, enemies=other)
                for text in (left, right)
            ]
            assert found[0] == found[1], (left, taken)


ALIKE = [
    # A leg of Ħasínū ends away from home; where no path comes home, that says nothing.
    ("WyasW", "H:1×4dO &t90° n4dO"),
    ("RasR", "H:n4dO &t n4dO"),
    # What roams has all that a run would add.
    ("H:n(1×8d)", "H:n(1×8d) & n8d"),
    ("H:n(1×4dO)", "H:n(1×4dO) & n4dO &t n4dO"),
    # The third move is one of every third.
    ("H:atmove(3,n8d)", "H:atmove(3,ataction(3,n8d))"),
]


@every_row("left,right", ALIKE)
def test_nothing_is_in_a_meaning_that_says_nothing(left: str, right: str) -> None:
    assert piece(left).meaning == piece(right).meaning


def test_a_path_no_board_can_hold_adds_nothing() -> None:
    """The captured piece stays in the way, so the second way back is closed."""
    assert alfil.same("cabmabmW", "")


def test_equal_pieces_have_their_states_in_one_order() -> None:
    """As they are met from the first one on: so those of equal automata are equal."""
    for _, row in rows("betza.tsv"):
        with suppress(alfil.AlfilError):
            for part in alfil.read(row[0]).meaning.parts:
                states = part.automaton.states
                led = (to for state in states for record in state for _, to in record[4])
                assert list(dict.fromkeys([0, *led])) == list(range(len(states))), row[0]


def test_plain_runs_come_to_what_stages_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a short cut for runs and leaps; without it every meaning is the same."""
    known = []
    for file, notation in (("betza.tsv", "betza"), ("hasinu.tsv", "hasinu")):
        for text in dict.fromkeys(row[0] for _, row in rows(file)):
            with suppress(alfil.AlfilError):
                read = alfil.read(text, notation)
                known.append((read, read.meaning))
    taken: list[object] = []
    monkeypatch.setattr(
        "alfil.meaning.compile_movement.plain_rays", lambda *given: taken.append(plain_rays(*given))
    )
    monkeypatch.setattr(compiling, "compile_option_terms", unwrap(compiling.compile_option_terms))
    for read, meaning in known:
        assert compiling.meaning_of(read.movement, read.source) == meaning, read.text
    assert sum(each is not None for each in taken) > len(taken) / 3


def test_no_movement_is_folded_to_compile_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    piece = alfil.read("fmWbAfafsF")
    monkeypatch.delattr("alfil.movement.canonical_movement.canonicalise_movement")
    ends = {move.to for move in alfil.compile(piece).moves("e5")}
    assert ends == {(0, 1), (-2, -2), (2, -2), (-2, 1), (-1, 2), (1, 2), (2, 1)}
    with pytest.raises(ImportError):
        _ = piece.movement


def test_rules_around_repeated_legs_mean_the_same_as_around_runs() -> None:
    leg, run = (alfil.read(text, "hasinu") for text in ("j(n((1,2) &t0°),1)", "j(n(1,2),1)"))
    assert alfil.same(leg, run)


def test_runs_and_leaps_are_taken_the_short_way() -> None:
    for text in ("Q", "fmR3", "cN", "nH"):
        (option,) = alfil.read(text).movement.options
        assert plain_rays(option.way), text


def test_states_that_are_apart_already_are_not_constructed_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    step = (0, 1, 0, 1, ((1, 1),))
    monkeypatch.delattr("alfil.meaning.automaton._subset_key")
    found = determinise([[step], [(1, 0, 0, 1, ()), (0, 1, 0, 1, ())]], [0])
    assert found == [(step,), ((0, 1, 0, 1, ()), (1, 0, 0, 1, ()))]


def test_every_record_of_states_made_one_is_work() -> None:
    wide = [[(x, 1, 0, 1, ()) for x in range(100)] for _ in range(2)]
    with pytest.raises(TooMuchWork), limited_task(199, TooMuchWork):
        determinise(wide, [0, 1])


def test_as_many_stages_as_states_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each leg of a bent move is a stage; one more is refused."""
    monkeypatch.setattr(compiling, "compile_option_terms", unwrap(compiling.compile_option_terms))
    monkeypatch.setattr(compiling, "STATE_LIMIT", 3)
    three, four = (alfil.read(text) for text in ("fmafsafsW", "fmafsafsafsW"))
    assert compiling.meaning_of(three.movement, three.source)
    with pytest.raises(alfil.MeaningError, match="too-many-states"):
        compiling.meaning_of(four.movement, four.source)


def test_an_example_early_in_a_game_comes_first() -> None:
    """A piece that has made many moves, and a side whose turns are not counted, count as none."""
    example = Counterexample(PieceHistory(), 0, BoardMargins(), {}, MoveEffect())
    for early, late in (
        (PieceHistory(), PieceHistory(moves_made=1)),
        (PieceHistory(turn=None), PieceHistory(turn=1)),
        (PieceHistory(), PieceHistory(third_rank=True)),
    ):
        first, second = (display_sort_key(example._replace(history=each)) for each in (early, late))
        assert first < second


@pytest.mark.parametrize("text", ["iW", "fmW*", "H:atmove(2, 1×1dN)"])
def test_only_castling_counts_files_from_the_edge(text: str) -> None:
    guards = [part.guard for part in piece(text).meaning.parts]
    assert [each.inset for guard in guards for each in guard] == [0] * sum(map(len, guards))
    assert any(guards)

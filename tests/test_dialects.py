"""The dialects of programs: what they read, what they refuse, and one dialect put into another."""

import re
from functools import cache
from itertools import product

import pytest

import alfil
from boards import rows
from gathering import every_row
from inside import predict_reading
from strategies import NIGHTLY, Picker, betza

NAMES = ("betza", "classic", "xboard", "fairy-stockfish")
PROGRAMS = ("xboard", "fairy-stockfish")
# Some generated descriptions, the same in every run.
GENERATED = 60

HINTED = """
vsN svN vsF svK gF2 pF gF pW2 tRR3 RR3 W* mW* fbW* t[R] [R] F?R F?R] R[5-3] N[3-5] (R-sR) m[F?R] dhK
M KX Ft[RB] tR Qt (a)K (a) gW pN dhfW [FR] [] (x,2) iFtR1 (2,0)2 (4,1)(4,1) (4,1)2(4,1)
igsR2 icgR3 igR12
"""


def errors(text: str, dialect: str) -> tuple[alfil.Diagnostic, ...]:
    """The mistakes in a text of a dialect."""
    try:
        alfil.read(text, dialect)
    except alfil.AlfilError as error:
        return error.diagnostics
    return ()


# A hint may name another dialect for the text.
NAMED = re.compile(r"the dialect ([a-z-]+) reads it(?:;|$)")


def test_a_dialect_that_a_hint_names_reads_the_text() -> None:
    letters = [*"mcdektpgnjioyzqxafvs", "ii", "oo", "qa", "ya", ""]
    parts = [each + atom for each in letters for atom in [*"WFNCZLKRUO", "R*", "WX", "K2"]]
    texts = [*parts, "[W-F]", "AtB", "t[AB]", "zR2yK", "KKzJ", "W(aW)", "(1,2)N", "mW(am)W2"]
    told = 0
    for dialect, text in product((*NAMES, "fairy-stockfish-next", "taikyoku"), texts):
        for named in (NAMED.search(each.hint) for each in errors(text, dialect)):
            told += bool(named)
            assert not named or not errors(text, named[1]), (dialect, text)
    assert told > 100


def test_letters_that_exclude_each_other_are_offered_one_by_one() -> None:
    assert [each.hint for each in errors("iiiL", "betza")] == ["write iiLiL"]
    assert [each.hint for each in errors("gnR", "betza")] == ["write gRnR"]


def test_the_hint_for_lame_leaps_has_all_of_them() -> None:
    (diagnostic,) = errors("nC", "fairy-stockfish")
    lame = {atom for atom in "WFDNAHCZGKRBQ" if not errors(f"n{atom}", "fairy-stockfish")}
    assert set(re.findall("[A-Z]", diagnostic.hint)) == lame


@pytest.mark.parametrize("text", ["vsN", "svN", "vsF", "svK"])
def test_letters_of_two_axes_are_wrong_in_both_orders(text: str) -> None:
    (diagnostic,) = errors(text, "betza")
    assert diagnostic.hint == "write two parts, one for each letter, or leave both out"


def test_no_hint_speaks_of_brackets_where_there_are_none() -> None:
    for text in ("F?R", "F?R]", "[FR]", "(R-sR)", "[F-aW]"):
        for diagnostic in errors(text, "xboard"):
            assert "bracket" not in diagnostic.hint
            assert "- " not in diagnostic.hint


REFUSED = """
xboard fafN 2 3 not-in-dialect
xboard fhpB 1 2 not-in-dialect
xboard mfW 0 2 modifier-order
xboard fmrF 1 3 modifier-order
xboard cmW 0 2 modifier-order
xboard imfW 1 3 modifier-order
xboard NN 0 2 doubled-letter
xboard WW 0 2 doubled-letter
xboard fRR 1 3 doubled-letter
xboard afsRR 3 5 doubled-letter
xboard KK 0 2 doubled-king
xboard WW2 1 3 double-and-range
xboard fhK 0 2 not-in-dialect
xboard afhW 1 3 not-in-dialect
xboard fsB 0 2 not-in-dialect
xboard rvF 0 2 not-in-dialect
xboard ffsK 0 3 not-in-dialect
xboard affsK 1 4 not-in-dialect
xboard hrarfN 3 5 not-in-dialect
xboard nH 0 1 not-in-dialect
xboard jC 0 1 not-in-dialect
xboard nR 0 1 not-in-dialect
xboard nW 0 1 lame-without-path
xboard [F?R] 0 5 not-in-dialect
xboard t[FR] 0 2 not-in-dialect
xboard (4,1) 0 5 not-in-dialect
xboard (af)F 0 4 not-in-dialect
xboard zB 0 1 not-in-dialect
xboard kW 0 1 not-in-dialect
xboard ooR 0 2 not-in-dialect
xboard FX 1 2 not-in-dialect
xboard U 0 1 not-in-dialect
xboard mtabF 1 2 misplaced-t
xboard cyafW2 5 6 range-on-chain
fairy-stockfish AA 0 2 doubled-letter
fairy-stockfish D0 1 2 not-in-dialect
fairy-stockfish C0 1 2 not-in-dialect
fairy-stockfish R12 1 3 not-in-dialect
fairy-stockfish W03 1 3 leading-zero
fairy-stockfish afsW 0 1 not-in-dialect
fairy-stockfish jD 0 1 not-in-dialect
fairy-stockfish fsK 0 2 not-in-dialect
fairy-stockfish fhK 0 2 not-in-dialect
fairy-stockfish lvQ 0 2 not-in-dialect
fairy-stockfish sfK 0 2 direction-order
fairy-stockfish [F?R] 0 5 not-in-dialect
fairy-stockfish FtR 1 2 not-in-dialect
fairy-stockfish (4,1) 0 5 not-in-dialect
fairy-stockfish (af)F 0 4 not-in-dialect
fairy-stockfish tR 0 1 misplaced-t
fairy-stockfish FX 1 2 not-in-dialect
fairy-stockfish U 0 1 not-in-dialect
fairy-stockfish O2 0 1 not-in-dialect
fairy-stockfish nC 0 1 not-in-dialect
fairy-stockfish nR 0 1 not-in-dialect
fairy-stockfish nN0 0 1 not-in-dialect
fairy-stockfish nF 0 1 lame-without-path
fairy-stockfish pN0 0 1 not-in-dialect
fairy-stockfish gD 0 1 hop-without-room
fairy-stockfish gR3 0 1 not-in-dialect
fairy-stockfish eF 0 1 not-in-dialect
fairy-stockfish dW 0 1 not-in-dialect
fairy-stockfish iC 0 1 not-in-dialect
fairy-stockfish icW 0 1 not-in-dialect
fairy-stockfish R3R2 2 4 not-in-dialect
fairy-stockfish RfpR 1 4 not-in-dialect
"""


@pytest.mark.parametrize(
    ("dialect", "text", "places"),
    [("xboard", "hln(4,2)0", [(2, 3), (3, 8)]), ("xboard", "nWnH", [(0, 1), (2, 3)])],
)
def test_what_a_program_gets_wrong_is_told_at_each_place(
    dialect: str, text: str, places: list[tuple[int, int]]
) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, dialect)
    assert [
        (start, end) for diagnostic in caught.value.diagnostics for start, end in diagnostic.spans
    ] == (places)


@every_row("line", REFUSED.split("\n")[1:-1])
def test_what_a_program_would_get_wrong_is_refused(line: str) -> None:
    dialect, text, start, end, kind = line.split()
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, dialect)
    assert caught.value.kind == kind
    assert caught.value.spans == (alfil.Span(int(start), int(end)),)


HINTS = {
    ("xboard", "mfW"): "fmW",
    ("xboard", "NN"): "N0",
    ("xboard", "fsB"): "leave it out",
    ("xboard", "zB"): "alfil check --for xboard shows what XBoard is known to make of it",
    ("xboard", "fmrF"): "write a part for each of the directions",
    ("xboard", "cNN"): "write cN0",
    ("xboard", "fRR"): "write fR",
    ("fairy-stockfish", "afsW"): "a lame knight is nN; the dialect betza reads it",
    ("fairy-stockfish", "fiR"): "write fimR for the moves without a capture",
    ("fairy-stockfish", "icR"): "leave it out",
    ("fairy-stockfish", "ifR*"): "write m for the moves without a capture",
    ("fairy-stockfish", "fnN2"): "write fnN for one leap",
    ("fairy-stockfish", "R12"): "takes 1 for it; write 0",
    ("fairy-stockfish", "fsK"): "fF for the eight-fold reading, or sWfF",
    ("fairy-stockfish", "fhQ"): "fRfB for the eight-fold reading, or fsRfB",
    ("fairy-stockfish", "gR3"): "pR3",
}


@pytest.mark.parametrize(("dialect", "text"), HINTS)
def test_hints_say_what_the_program_does(dialect: str, text: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, dialect)
    assert HINTS[dialect, text] in caught.value.hint


def test_what_classic_lacks_of_brackets_is_not_those_after_t() -> None:
    assert alfil.same(alfil.read("t[FR]", "classic"), "[F?R]")
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read("[F?R]", "classic")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == "classic has no brackets but after t"


SAME = """
xboard L J
xboard J C
xboard W03 R3
xboard RR R
xboard aW asWafW
xboard aF asFafF
xboard aK aK
xboard aN aN
xboard mcafW2 [mcW2-fW2]
xboard afsF3 [F3-fsW3]
xboard fK fK
xboard fsK fF
xboard hrN hrN
xboard FmtR FmR
fairy-stockfish L L
fairy-stockfish NN N0
fairy-stockfish KK Q
fairy-stockfish fK fWfF
fairy-stockfish vK vWF
fairy-stockfish ffsK fsWF
fairy-stockfish ssQ sRB
fairy-stockfish pW3 pR3
fairy-stockfish fmWfceFifmnD fmWfceFifmnD
fairy-stockfish nJ nZ
"""


@pytest.mark.parametrize("line", SAME.split("\n")[1:-1])
def test_readings(line: str) -> None:
    dialect, text, spelling = line.split()
    assert alfil.same(alfil.read(text, dialect), spelling)


def ends(text: str, **scene: set[tuple[int, int]]) -> set[tuple[int, int]]:
    piece = alfil.read(text, "xboard")
    return {move.to for move in alfil.moves(piece, radius=5, **scene)}  # type: ignore[arg-type]


def test_t_in_xboard_spares_royals_and_enemy_hurdles() -> None:
    assert (0, 3) in ends("R", enemy_royals={(0, 3)})
    assert ends("ftR", enemy_royals={(0, 3)}) == {(0, 1), (0, 2)}
    assert ends("ftR", enemies={(0, 3)}) == {(0, 1), (0, 2), (0, 3)}
    assert ends("ftpafW", friends={(0, 1)}) == {(0, 2)}
    assert ends("ftpafW", enemies={(0, 1)}) == set()
    assert ends("fmtpafW", enemies={(0, 1)}) == set()
    assert ends("fmtpafW") == {(0, 2)}


def test_legs_of_a_chain_with_a_range_in_xboard() -> None:
    assert ends("fmcafW2") == {(0, 2), (0, 3), (0, 4)}
    assert ends("fmcafW2", enemies={(0, 1)}) == {(0, 2), (0, 3)}


def test_only_the_variant_has_en_passant_in_fairy_stockfish() -> None:
    piece = alfil.read("fmWfceF", "fairy-stockfish")
    assert [diagnostic.kind for diagnostic in piece.diagnostics] == ["variant-en-passant"]


WRITTEN = """
betza fairy-stockfish fK fW
betza fairy-stockfish fsK fF
betza fairy-stockfish fhK fWfF
betza fairy-stockfish NN N0
betza fairy-stockfish afsW nN
betza fairy-stockfish [W-F] nN
betza fairy-stockfish [W-W] nD
betza fairy-stockfish mafF nA
betza fairy-stockfish mafsmafW nZ
betza fairy-stockfish [W?F] WnN
betza fairy-stockfish B3lB1 B3
betza xboard [F?R] FyafsF
betza xboard [F-R] yafsF
betza xboard [W?B] WyafsW
betza xboard [W?F] WnN
betza xboard [R?sR] RasR
betza xboard [K?fsQ] KyafsK
betza xboard [cR-ibR] caibR
betza xboard FtR FyafsF
betza xboard NN N0
betza xboard aW nDafsbssW
betza xboard aK aK
betza xboard LJ CZ
betza xboard v[F?R] FrflbyaflFlfrbyafrF
betza classic [F?R] t[FR]
betza classic [F?F] B2
betza classic N[F?R] NFtR
betza classic fK fW
betza classic afsW nN
betza classic gafqB gB
xboard betza L Z
xboard betza mcafW2 [mcR2-fR2]
xboard betza aW nDasW
xboard betza FyafsF [F?R]
xboard xboard mcafW02 mcafR2
classic betza fK fhK
classic fairy-stockfish NN N0
fairy-stockfish betza KK Q
betza fairy-stockfish hrN0fhlcN3 fhlcN3hrN0
fairy-stockfish fairy-stockfish vQ BvR
"""


@every_row("line", WRITTEN.split("\n")[1:-1])
def test_written_in_another_dialect(line: str) -> None:
    dialect, target, text, written = line.split()
    piece = alfil.read(text, dialect)
    assert alfil.write(piece, target) == written
    assert alfil.same(alfil.read(written, target), piece)


UNSAID = """
betza KyafsF fairy-stockfish a move of several legs
betza [W-sR] classic a move of several legs that may not stop after each
betza (az)F xboard repeats
taikyoku xK betza it burns the enemies beside it
taikyoku xK classic it burns the enemies beside it
betza azR classic a move of several legs that may not stop after each
betza [NN-R] xboard its legs have atoms of different lengths
betza [cR-W] xboard the range changes after a leg that captures or hops
"""


@every_row("line", UNSAID.split("\n")[1:-1])
def test_what_a_dialect_cannot_say_is_refused_with_the_reason(line: str) -> None:
    dialect, text, target, reason = line.split(" ", 3)
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.write(alfil.read(text, dialect), target)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == f"{target} cannot say this: {reason}"


def test_everything_a_dialect_lacks_is_named_at_its_place() -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.write("jDWR12kFWFtR", "fairy-stockfish")
    assert caught.value.kind == "no-translation"
    assert [diagnostic.spans for diagnostic in caught.value.diagnostics] == [
        (alfil.Span(0, 1),),
        (alfil.Span(4, 6),),
        (alfil.Span(6, 7),),
        (alfil.Span(9, 12),),
    ]


def test_parts_that_would_change_each_other_are_refused() -> None:
    with pytest.raises(alfil.AlfilError, match="change each other"):
        alfil.write("RfpR", "fairy-stockfish")


@cache
def texts() -> tuple[str, ...]:
    """The case list, the strings people use, and some that were generated."""
    found = [row[0] for name in ("betza.tsv", "betza_corpus.tsv") for _, row in rows(name)]
    for seed in range(GENERATED):
        found.append(
            betza(Picker(bytes((seed * 89 + k * k * 7 + k * seed) % 256 for k in range(96))))
        )
    return tuple(dict.fromkeys(found))


@cache
def read_or_not(text: str, dialect: str) -> alfil.Piece | None:
    """The piece that a text is in a dialect, or None where the dialect cannot read it."""
    try:
        return alfil.read(text, dialect)
    except alfil.NotationError:
        return None


@cache
def written_or_not(text: str, dialect: str, target: str) -> str | None:
    """The text in another dialect, or None where that cannot say it; other errors go on."""
    try:
        return alfil.write(read_or_not(text, dialect), target)
    except alfil.AlfilError as error:
        if error.kind != "no-translation":
            raise
        return None


# Pieces that roam: alfil writes them right, but does not claim that the two are the same.
ROAMING = re.compile(r"\([a-z]*a[a-z]*\)")


@pytest.mark.parametrize("dialect", NAMES)
@pytest.mark.parametrize("target", NAMES)
def test_what_is_written_in_another_dialect_is_the_same_piece(dialect: str, target: str) -> None:
    written = refused = 0
    tried = texts() if NIGHTLY or dialect == target else texts()[::8]
    for text in tried:
        piece = read_or_not(text, dialect)
        if piece is None:
            continue
        spelled = written_or_not(text, dialect, target)
        if spelled is None:
            assert dialect != target, text
            refused += 1
            continue
        written += 1
        other = read_or_not(spelled, target)
        assert other is not None, (text, spelled)
        assert written_or_not(spelled, target, target) == spelled
        assert ROAMING.search(text) or other.text == text or alfil.same(piece, other), text
    assert written > len(tried) / 2
    assert refused == 0 or dialect != target


@pytest.mark.parametrize("text", ["", " ", "fmWfceF", "W" * 40])
def test_every_dialect_writes_what_is_harmless(text: str) -> None:
    for target in NAMES:
        written = alfil.write(text, target)
        assert alfil.same(alfil.read(written, target), text)


@pytest.mark.parametrize("text", ["b[R?N]", "i[F?W]", "fb[R-N]", "bt[FW]"])
def test_lists_of_large_games_have_letters_before_a_path(text: str) -> None:
    piece = alfil.read(text, "taikyoku")
    assert alfil.same(piece, alfil.read(text, "betza"))
    assert alfil.same(alfil.read(str(piece), "taikyoku"), piece)


@pytest.mark.parametrize(
    ("text", "path"),
    [("F?R", "[F?R]"), ("F-R", "[F-R]"), ("(W?F-R)", "[W?F-R]"), ("B?[sB]", "[B?sB]")],
)
def test_lists_of_large_games_may_stop_where_the_sign_says_so(text: str, path: str) -> None:
    assert alfil.same(alfil.read(text, "taikyoku"), path)


# A program's own words for a text, and texts that a hint offers for the piece itself.
READS = re.compile(r"reads ((?=\S*[A-Z])[A-Za-z0-9]+)")
FOR_IT = re.compile(r"write (\S*[A-Z]\S*)")


def small_texts() -> set[str]:
    """Up to three letters before an atom, perhaps with a range; in the gate some of them."""
    letters = [*"fbsrhmcpgnijyqzodket", "ii", "oo"]
    before = ["", *letters, *map("".join, product(letters, repeat=2))]
    atoms = ["W", "N", "K", "B", "R3", "N2", "WW", "BB", "NN", "Q12", "W*", "NX"]
    texts = sorted(map("".join, product(before, atoms)))
    longer = map("".join, product(letters, letters, letters, ["R2", "N", "W", "R12", "K"]))
    few, fewer = (1, 7) if NIGHTLY else (23, 101)
    return {*texts[::few], *[*longer][::fewer], *HINTED.split()}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_message_says_of_a_program_is_what_it_is_predicted_to_do(program: str) -> None:
    claims = [
        (text, *READS.findall(diagnostic.message + diagnostic.hint))
        for text in small_texts()
        for diagnostic in errors(text, program)
    ]
    told = [claim for claim in claims if len(claim) > 1]
    assert told or program == "xboard"
    for text, *reads in told:
        foreseen = {predict_reading(each, program).betza for each in (text, *reads)}
        assert len(foreseen) == 1, (text, reads, foreseen)


@pytest.mark.parametrize("dialect", PROGRAMS)
def test_what_a_hint_says_to_write_is_the_same_piece(dialect: str) -> None:
    offered = 0
    for text in small_texts():
        # What another reader refuses may be meant in several ways.
        if not errors(text, "betza"):
            for diagnostic in errors(text, dialect):
                good = [*FOR_IT.findall(diagnostic.hint)] if " for " not in diagnostic.hint else []
                offered += len(good)
                for each in good:
                    assert alfil.same(alfil.read(each, dialect), text), (text, diagnostic.hint)
    assert offered or dialect == "fairy-stockfish"


@pytest.mark.parametrize(
    ("text", "does"), [("nR", "makes no moves of it"), ("nH", "tests one square only")]
)
def test_what_xboard_makes_of_lame_sliders_and_far_leaps_is_said(text: str, does: str) -> None:
    """XBoard 4.9.1 forfeited games for d4d5 by nR, and let d4d7 by nH through."""
    with pytest.raises(alfil.AlfilError, match=f"XBoard {does}"):
        alfil.read(text, "xboard")

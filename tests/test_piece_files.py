"""Piece files: what is read from them, from where, and what keeps a hostile one harmless."""

import pickle
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark
from lark import Lark

import alfil
from effort import calls
from strategies import examples
from trees import grammar_text

KING = 'piece K "king" betza=K royal\n'
# The rules of a file that says nothing.
DEFAULTS = {
    "first": "black",
    "captured": "removed",
    "captured_form": "base",
    "drops": "no",
    "drop_beside": "anything",
    "drop_form": "base",
    "zone": 0,
    "promotion_when": "touches",
    "royal_lost": "any",
    "self_check": "barred",
    "drops_first": "no",
    "giving_check": "allowed",
    "flight": "allowed",
    "facing": "allowed",
    "duple_check": "no",
    "passes": "barred",
    "insufficient": "nothing",
    "move_limit": None,
    "countdown": (),
    "countdown_from": "nothing",
    "countdown_without": (),
    "must_capture": "no",
    "explosion": "none",
    "wall": "none",
    "flip": "none",
    "win": (("mate", 0),),
    "goal": None,
    "goal_wins": "at-once",
    "extinction": None,
    "mate": "loss",
    "stalemate": "draw",
    "draw_odds": ("none", (0, 0)),
    "repetition": None,
    "perpetual_check": "allowed",
    "perpetual_chase": "allowed",
    "perpetual_span": "first",
    "perpetual_attack": "allowed",
    "bare": "at-once",
    "bare_minor": (),
    "no_exchange": (),
    "no_exchange_minor": (),
    "captures_unprotected": (),
    "contagion": (),
    "burns_first": "arriving",
    "illegal_move": "rejected",
    "impasse": ("none", (0, 0)),
    "impasse_needs": "nothing",
    "match": ("single", 1),
    "match_draw": "breaks",
    "match_first": "alternate",
    "look": "auto",
    "surface": "auto",
    "colours": "auto",
}
THREE = "board 3x3\n" + KING + 'piece N "knight" betza=N\npiece L "lance" betza=fR\n'


def kinds(text: str) -> list[str]:
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(text)
    return [diagnostic.kind for diagnostic in caught.value.diagnostics]


def test_hand_shogi_is_as_specified() -> None:
    library = alfil.load("hand_shogi")
    assert (library.title, library.files, library.ranks) == ("Hand shogi", 9, 9)
    assert asdict(library.rules) == DEFAULTS | {
        "first": "black",
        "captured": "to-hand",
        "drops": "yes",
        "zone": 3,
        "promotion_when": "ends",
        "win": (("mate", 0), ("royal-capture", 0)),
        "stalemate": "loss",
        "repetition": (4, "draw"),
        "perpetual_check": "loss",
        "illegal_move": "loss",
        "impasse": ("agreement", (0, 0)),
        "impasse_needs": "royals-in-zone",
        "match": ("consecutive", 2),
    }
    assert [
        (entry.code, entry.name, entry.piece.text, entry.kanji) for entry in library.pieces
    ] == [
        ("K", "king", "K", "王将"),
        ("T", "tycoon", "Q3", ""),
        ("SH", "shogun", "Q2", ""),
        ("G", "gold general", "WfF", "金将"),
        ("S", "silver general", "FfW", "銀将"),
        ("PD", "pard", "AD", ""),
        ("O", "onager", "D", ""),
        ("H", "hasty", "A", ""),
        ("N", "knight", "ffN", "桂馬"),
        ("+N", "promoted knight", "WfF", "成桂"),
        ("L", "lance", "fR", "香車"),
        ("SO", "soldier", "fsW", ""),
    ]
    knight, soldier = library["N"], library["SO"]
    assert (knight.promotes, knight.promotion, knight.drop_ranks) == (("+N",), "forced", (1, 6))
    assert (library["L"].drop_ranks, library["K"].royal) == ((1, 8), True)
    assert (soldier.letter, soldier.per_file, soldier.status) == ("P", 1, "deduced")
    assert soldier.per_file_on == {"drop", "move"}
    assert {entry.code for entry in library.pieces if entry.drop_check == "required"} == {"O", "H"}
    lost = {entry.code: entry.note for entry in library.pieces if entry.status == "reconstructed"}
    assert lost == dict.fromkeys(
        ["T", "SH", "O", "H"], "reconstruction: the original move is lost; see docs"
    )
    hand = (("T", 1), ("SH", 1), ("S", 2), ("O", 1), ("H", 1), ("N", 2), ("L", 2))
    assert library.hands == (hand, hand)
    assert {each.square for each in library.setup if each.side == 0 and each.code == "SO"} == {
        *[(3, 2), (4, 2), (5, 2)],
        *[(2, 1), (6, 1)],
    }
    assert ((4, 8), 1, "K") in library.setup


def test_a_promoted_form_needs_no_line() -> None:
    text = "board 3x3\nrule first = white\nrule captured = to-hand\nrule drops = yes\n"
    text += f"zone promotion ranks=1\n{KING}"
    text += 'piece R "rook" betza=R hasinu=n4dO\npiece P "pawn" betza=fW promotes={} forced\n'
    library = alfil.loads(text.format("+R") + "setup\n| P K R |\n")
    form = library["+R"]
    assert (form.name, form.default_letter, form.same_as) == ("promoted rook", "+R", "R")
    assert form.movements == library["R"].movements
    game = library.game("1k1/P2/2K w - 1")
    assert game.push("a2a3").promotes == "+R"
    assert game.position_text() == "+Rk1/3/2K b - 2"
    game.push("b3a3")
    assert game.hands == ({}, {"P": 1})
    # What no other piece moves as is unknown.
    for promotes in ("+X", "+P"):
        assert kinds(text.format(promotes)) == ["unknown-piece"]


def test_the_game_of_a_file() -> None:
    variant = alfil.load("hand_shogi").variant
    assert {kind.code: (kind.letter, kind.base) for kind in variant.kinds} == {
        **{code: (code, code) for code in "KTGSOHNL"},
        "SH": ("U", "SH"),
        "PD": ("D", "PD"),
        "SO": ("P", "SO"),
        "+N": ("+N", "N"),
    }
    assert dict(variant.moves)["T"] == "betza:Q3"
    game = alfil.load("hand_shogi").game()
    assert len(game.legal_moves) == 315


def test_every_rule_has_its_default_and_its_values() -> None:
    assert asdict(alfil.loads(KING).rules) == DEFAULTS
    text = """
rule first = white
rule captured = removed
rule captured-form = as-is
rule drops = no
rule drop-beside = own
rule drop-form = either
zone promotion ranks=2
rule promotion-when = always
rule royal-lost = all
rule self-check = allowed
rule win = mate, checks:3 , goal,bare
rule goal = K 8-9
rule must-capture = yes
rule duple-check = yes
rule explosion = captures
rule wall = left
rule flip = enclosed
rule extinction = K:1 draw
rule mate = win
rule draw-odds = points 0 1.5
rule passes = stuck
rule countdown = 1/K*2:8, all:64
rule countdown-from = pieces
rule countdown-without = K
rule stalemate = win
rule repetition = 3 loss-repeater
rule perpetual-check = draw
rule perpetual-span = last
rule illegal-move = rejected
rule impasse = points 24 27
rule impasse-needs = nothing
rule match = best-of 5
rule match-draw = ignored
rule match-first = fixed
rule look = disc
rule surface = points
rule colours = red-black
"""
    assert asdict(alfil.loads("board 9x9\n" + KING + text).rules) == DEFAULTS | {
        "first": "white",
        "captured_form": "as-is",
        "drop_beside": "own",
        "drop_form": "either",
        "zone": 2,
        "promotion_when": "always",
        "royal_lost": "all",
        "self_check": "allowed",
        "win": (("mate", 0), ("checks", 3), ("goal", 0), ("bare", 0)),
        "goal": ("K", (8, 9)),
        "must_capture": "yes",
        "duple_check": "yes",
        "explosion": "captures",
        "wall": "left",
        "flip": "enclosed",
        "extinction": (("K",), "draw", 1),
        "mate": "win",
        "draw_odds": ("points", (0, 1.5)),
        "passes": "stuck",
        "countdown": ((1, "K", 2, 8), (0, "", 1, 64)),
        "countdown_from": "pieces",
        "countdown_without": ("K",),
        "stalemate": "win",
        "repetition": (3, "loss-repeater"),
        "perpetual_check": "draw",
        "perpetual_span": "last",
        "impasse": ("points", (24, 27)),
        "match": ("best-of", 5),
        "match_draw": "ignored",
        "match_first": "fixed",
        "look": "disc",
        "surface": "points",
        "colours": "red-black",
    }
    none = alfil.loads(
        f"{KING}rule repetition = none\nrule goal = none\nrule impasse = none\n"
        "rule countdown = none\nrule countdown-without = none\n"
    )
    assert asdict(none.rules) == DEFAULTS


def test_every_key_of_a_piece() -> None:
    entry = alfil.loads(
        'piece P "the ""foot"" soldier" hasinu="1×1dN" betza=fW also="pawn, foot  man" kanji=歩兵 '
        "symbol=♟ letter=f promotes=+P stuck drop-ranks=2-R drop-check=barred drop-mate=barred "
        'per-file=2 per-file-on=move,drop same-as=Q status=deduced note="a # b"  # not # this\n'
        'piece +P "tokin" betza=WfF drop-ranks=none\npiece Q "kwari" betza=fW\n'
    )["P"]
    assert [(each.notation, each.text) for each in entry.movements] == [
        ("hasinu", "1×1dN"),
        ("betza", "fW"),
    ]
    assert entry.names == ('the "foot" soldier', "pawn", "foot man")
    assert (entry.kanji, entry.symbol, entry.letter) == ("歩兵", "♟", "F")
    assert (entry.promotes, entry.promotion, entry.drop_ranks) == (("+P",), "stuck", (2, 36))
    assert (entry.drop_check, entry.drop_mate, entry.per_file) == ("barred", "barred", 2)
    assert (entry.per_file_on, entry.same_as) == ({"drop", "move"}, "Q")
    assert (entry.status, entry.note) == ("deduced", "a # b")


def test_a_dialect_is_that_of_the_line() -> None:
    library = alfil.loads(
        'piece K "king" fairy-stockfish=fK\npiece R "rook" betza=R hasinu="\\R" dialect=classic\n'
    )
    assert {code: entry.piece.notation for code, entry in library.items()} == {
        "K": "fairy-stockfish",
        "R": "betza",
    }


def test_what_one_notation_cannot_say_may_stand_on_the_line() -> None:
    king = 'piece K "king" betza=K hasinu="1×8d & royal()"'
    assert alfil.loads(king + " royal")["K"].royal
    assert kinds(king) == ["notations-differ"]
    assert kinds('piece D "dragon" betza=K hasinu="1×8d & burn(1×8d)"') == ["notations-differ"]
    alone = alfil.loads('board 3x3\npiece K "king" hasinu="1×8d & royal()"')
    assert alone.variant.kind("K").royal


def test_the_difference_is_shown() -> None:
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads('piece N "knight" betza=N hasinu="(1,2)ab"')
    assert caught.value.hint.startswith("only N goes to ")


def test_a_library_is_a_value() -> None:
    library = alfil.load("hand_shogi")
    assert pickle.loads(pickle.dumps(library)) == library == alfil.load("hand_shogi")
    assert library != alfil.load("hand_shogi", pieces={"SH": "R2"})


def squares(text: str) -> dict[tuple[int, int], tuple[int, str]]:
    return {each.square: (each.side, each.code) for each in alfil.loads(text).setup}


def test_a_set_up_is_for_both_sides_turned_or_mirrored() -> None:
    rows = "| K . L |\n"
    first = {(0, 0): (0, "K"), (2, 0): (0, "L")}
    turned = {(2, 2): (1, "K"), (0, 2): (1, "L")}
    mirrored = {(0, 2): (1, "K"), (2, 2): (1, "L")}
    assert squares(THREE + "setup\n" + rows) == first | turned
    assert squares(THREE + "setup mirrored\n" + rows) == first | mirrored
    assert squares(THREE + "setup first\n" + rows) == first
    assert squares(THREE + "setup second\n" + rows) == turned
    assert squares(THREE + "setup second mirrored\n" + rows) == mirrored
    assert squares(
        THREE + "setup first\n" + rows + "setup second\n| N . . |\n# x\n\n| . K . |\n"
    ) == {
        **first,
        (2, 1): (1, "N"),
        (1, 2): (1, "K"),
    }


def test_hands_are_for_both_sides_or_one() -> None:
    assert alfil.loads(THREE + "hand N*2 L\n").hands == ((("N", 2), ("L", 1)),) * 2
    assert alfil.loads(THREE + "hand second N\n").hands == ((), (("N", 1),))
    both = alfil.loads(THREE + "hand second N\nhand first L*18\n").hands
    assert both == ((("L", 18),), (("N", 1),))
    assert kinds(THREE + "hand N\nhand second L\n") == ["given-twice"]


def test_a_library_is_a_mapping() -> None:
    library = alfil.load("hand_shogi")
    assert list(library)[:3] == ["K", "T", "SH"]
    assert library["pard"] is library["PD"] is library["PARD"]
    assert ("PD" in library, "leopard" in library) == (True, False)
    assert library.get("leopard") is None
    with pytest.raises(KeyError, match="did you mean pard"):
        library["parrd"]
    with pytest.raises(alfil.UnknownPiece, match=r"\[unknown-piece\]"):
        library["parrd"]


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.pieces").write_text(text, encoding="utf-8")
    return folder


PLAIN = (
    'game "Jeu d\'été"\npiece K "king" betza=K kanji=王将 royal # c\n\npiece G "gold" betza=WfF\n'
)
WRITTEN = {
    "bom": b"\xef\xbb\xbf" + PLAIN.encode(),
    "crlf": PLAIN.replace("\n", "\r\n").encode(),
    "cr": PLAIN.replace("\n", "\r").encode(),
    "ideographic": PLAIN.replace(" betza", "\u3000betza").replace(" #", "\u3000#").encode(),
    "tabs": PLAIN.replace(" betza", "\t \tbetza").encode(),
    "no-last-line-break": PLAIN.rstrip("\n").encode(),
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_how_it_was_saved_makes_no_difference(written: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.pieces"
    path.write_bytes(written)
    expected = alfil.loads(PLAIN)
    found = alfil.load(path)
    assert (found.title, found.pieces) == (expected.title, expected.pieces)
    assert alfil.load(str(path)).name == "x"


def test_included_pieces(tmp_path: Path) -> None:
    write(tmp_path / "below", far='piece Q "queen" betza=Q\n')
    write(
        tmp_path,
        common='game "no"\nboard 5x5\nrule drops = yes\ninclude "below/far.pieces"\n'
        'piece K "king" betza=K royal\npiece N "knight" betza=N\n',
        game='game "yes"\ninclude "common.pieces"\ninclude "below/far.pieces"\n'
        'include shogi only=G\npiece N "nightrider" betza=NN replaces\n',
        some='include "common.pieces" only=K,Q\n',
    )
    library = alfil.load(tmp_path / "game.pieces")
    assert (library.title, library.files, asdict(library.rules)) == ("yes", 0, DEFAULTS)
    assert {code: entry.piece.text for code, entry in library.items()} == {
        "Q": "Q",
        "K": "K",
        "G": "WfF",
        "N": "NN",
    }
    assert list(alfil.load(tmp_path / "some.pieces")) == ["K", "Q"]  # as asked for


def test_two_included_files_with_one_code(tmp_path: Path) -> None:
    write(tmp_path, a='piece N "knight" betza=N\n', b='piece N "nightrider" betza=NN\n')
    write(tmp_path, c='include "a.pieces"\ninclude "b.pieces"\n')
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.load(tmp_path / "c.pieces")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.kind == "duplicate-code"
    assert "a.pieces" in diagnostic.message
    assert "b.pieces" in diagnostic.message


@pytest.mark.parametrize(
    "target",
    [
        *["../out.pieces", "below/../../out.pieces", "/etc/out.pieces", "link.pieces"],
        *["down/out.pieces", "below\\out.pieces", "C:/out.pieces", "//out.pieces"],
    ],
)
def test_nothing_outside_the_folder_is_read(target: str, tmp_path: Path) -> None:
    write(tmp_path, out=KING)
    inside = write(tmp_path / "in" / "below").parent
    (inside / "link.pieces").symlink_to(tmp_path / "out.pieces")
    (inside / "down").symlink_to(tmp_path)
    write(inside, file=f'include "{target}"\n')
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.load(inside / "file.pieces")
    assert [diagnostic.kind for diagnostic in caught.value.diagnostics] == ["include-outside"]


@pytest.mark.parametrize(("lines", "idle"), [("", True), ("rule drops = yes\n", False)])
def test_a_hand_that_nothing_leaves_is_a_warning(lines: str, *, idle: bool) -> None:
    pieces = 'piece K "king" betza=K royal\npiece P "pawn" betza=fR\n'
    library = alfil.loads(f"board 3x3\n{lines}{pieces}setup\n| P K . |\nhand P\n")
    assert ("changes-nothing" in {each.kind for each in library.diagnostics}) == idle


def test_a_file_below_reads_nothing_above(tmp_path: Path) -> None:
    write(tmp_path / "below", low='include "../up.pieces"\n')
    write(tmp_path, up=KING, top='include "below/low.pieces"\n')
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.load(tmp_path / "top.pieces")
    assert [diagnostic.kind for diagnostic in caught.value.diagnostics] == ["include-outside"]


def test_a_link_inside_the_folder_is_fine(tmp_path: Path) -> None:
    write(tmp_path, real=KING, file='include "link.pieces"\n')
    (tmp_path / "link.pieces").symlink_to(tmp_path / "real.pieces")
    assert list(alfil.load(tmp_path / "file.pieces")) == ["K"]


def test_a_loop_shows_the_chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, a='include "b.pieces"\n', b='include "c.pieces"\n', c='include "a.pieces"\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.load("a.pieces")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.kind == "include-loop"
    assert "a.pieces → b.pieces → c.pieces → a.pieces" in diagnostic.message
    write(tmp_path, self='include "self.pieces"\n')
    with pytest.raises(alfil.PieceFileError, match=r"self\.pieces → self\.pieces"):
        alfil.load("self.pieces")


def test_a_chain_has_an_end(tmp_path: Path) -> None:
    names = [f"f{number}" for number in range(12)]
    for name, following in pairwise(names):
        write(tmp_path, **{name: f'include "{following}.pieces"\n'})
    write(tmp_path, f11=KING)
    with pytest.raises(alfil.PieceFileError, match=r"more than 8 files.*f0\.pieces → "):
        alfil.load(tmp_path / "f0.pieces")
    assert list(alfil.load(tmp_path / "f4.pieces")) == ["K"]


def test_a_file_is_read_once_however_often_it_is_included(tmp_path: Path) -> None:
    for number in range(7):
        both = "".join(f'include "{side}{number + 1}.pieces"\n' for side in "ab")
        write(tmp_path, **{f"a{number}": both, f"b{number}": both})
    write(tmp_path, a7=KING, b7='piece Q "queen" betza=Q\n')
    assert list(alfil.load(tmp_path / "a0.pieces")) == ["K", "Q"]


@pytest.mark.parametrize(
    "name", ["nothing.pieces", "a\0b.pieces", "folder.pieces", "x" * 5000 + ".pieces"]
)
def test_what_is_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.pieces").mkdir()
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.load(name)
    assert caught.value.kind == "cannot-read"


def test_an_unknown_set_is_named() -> None:
    with pytest.raises(alfil.PieceFileError, match="did you mean hand_shogi") as caught:
        alfil.load("hand_shogy")
    assert caught.value.kind == "unknown-set"


LARGE = {
    "10 MB of pieces": (b'piece K "king" betza=K\n' * 450_000, "too-long"),
    "10 MB in one line": (b"#" * 10_000_000, "too-long"),
    "lines without end, all one piece": (b'piece K "king" betza=K\n' * 2_000, "duplicate-code"),
    "a line of a million letters": (b'piece K "king" betza=' + b"W" * 900_000, "too-long"),
    "a name of a million letters": (b'piece K "' + b"k" * 900_000 + b'" betza=', "incomplete-line"),
    "a million null bytes": (b"\0" * 900_000, "control-character"),
    "codes without end": (
        b"".join(b'piece K%s "k" betza=K promotes=X\n' % str(n).encode() for n in range(1_000)),
        "unknown-piece",
    ),
    "rows without end": (b"board 9x9\nsetup\n" + b"| . |\n" * 2_000, "wrong-row"),
    "a million quotes": (b"piece K " + b'"' * 900_000, "no-movement"),
}


@pytest.mark.parametrize(("content", "kind"), LARGE.values(), ids=LARGE)
def test_a_large_file_is_answered(content: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "large.pieces"
    found = answer(path, content)
    assert kind in {diagnostic.kind for diagnostic in found}
    assert len(found) <= 100
    half, whole = content[:6_000], content[:12_000]
    answer(path, half)  # the first of a kind loads what it needs
    assert calls(lambda: answer(path, whole)) < 2.5 * calls(lambda: answer(path, half))


def answer(path: Path, content: bytes) -> tuple[alfil.Diagnostic, ...]:
    path.write_bytes(content)
    try:
        alfil.load(path)
    except alfil.PieceFileError as error:
        return error.diagnostics if str(error) else ()
    return ()


def test_many_good_pieces_are_read(tmp_path: Path) -> None:
    lines = [f'piece P{n} "piece {n}" betza=W{n % 9 + 1}F hasinu="{{1,2}}×4dO"' for n in range(50)]
    path = tmp_path / "many.pieces"
    path.write_text("\n".join(line.partition(" hasinu")[0] for line in lines), encoding="utf-8")
    assert len(alfil.load(path)) == 50


LINES = from_lark(Lark(grammar_text("pieces"), start="line"), start="line")


@examples(40)
@given(st.lists(LINES, max_size=12))
def test_lines_spelled_from_the_grammar(lines: list[str]) -> None:
    try:
        assert alfil.loads("\n".join(lines)).name == "<pieces>"
    except alfil.AlfilError as error:
        str(error)


def test_nobody_needs_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "x", file='include "other.pieces"\n', other=KING)
    monkeypatch.chdir(tmp_path)
    assert list(alfil.load("x/file.pieces")) == ["K"]
    assert list(alfil.load(Path("x/file.pieces"))) == ["K"]


@pytest.mark.parametrize(
    ("text", "leaves"),
    [("ifmnD", True), ("ifmnR2", True), ("fmnR3", True), ("ifmD", False), ("ifmR2", False)],
)
def test_moves_that_leave_a_trail(text: str, *, leaves: bool) -> None:
    """What docs/piece_files.md says of capture en passant, in a game."""
    game = alfil.loads(
        'board 6x6\nrule first = white\npiece K "king" betza=K royal\n'
        f'piece A "runner" betza={text}\npiece P "pawn" betza=feF\n'
        "setup first\n| A . . K . . |\n"
        "setup second\n| . . . . P . |\n| . . . . . . |\n| . . . . . . |\n| . . K . . . |\n"
    ).game()
    game.push("a1a3")
    assert any(str(move) == "b3a2" for move in game.legal_moves) == leaves

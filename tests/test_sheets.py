"""Sheets of whole files, set-ups and games as pictures, from Python and the command line."""

import contextlib
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import alfil
from alfil.diagrams.sheet_svg import half_columns_per_row  # for more pieces than any file has
from effort import calls
from inside import bundled_set_names
from inside import run as alfil_command
from strategies import NO_PNG

SVG = "{http://www.w3.org/2000/svg}"
SETS = bundled_set_names()
# A piece file with a board and nothing on it.
NO_SETUP = str(Path(__file__).parent / "cases" / "no_setup.pieces")
GOLDEN = Path(__file__).parent / "golden" / "plates"
MARKUP = {"svg", "title", "desc", "style", "defs", "use", "g", "path", "rect", "circle"}


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


@cache
def sheet_of(name: str) -> alfil.Picture:
    """The sheet of all pieces of a bundled set."""
    return alfil.load(name).sheet()


@cache
def drawn_once(name: str) -> ElementTree.Element:
    """That sheet as a picture."""
    return parsed(sheet_of(name).svg())


def cards(root: ElementTree.Element) -> list[str]:
    """The codes of the pieces on a sheet, in order."""
    return [
        each.attrib["data-piece"] for each in root.iter(f"{SVG}g") if "data-piece" in each.attrib
    ]


def place(element: ElementTree.Element) -> tuple[float, float]:
    x, y = element.attrib["transform"].split("(")[1].split(")")[0].split()
    return float(x), float(y)


def run(*arguments: str, code: int = 0) -> str:
    """What `alfil diagram` prints, errors too."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        assert alfil_command(["diagram", *arguments]) == code
    return printed.getvalue()


def groups(sheet: Any) -> list[str]:  # noqa: ANN401 - the subject of a picture
    return [" ".join(card.token.code for card in group) for group in sheet.groups]


@pytest.mark.parametrize("name", SETS)
def test_a_set_up_has_the_right_piece_on_every_square(name: str) -> None:
    library = alfil.load(name)
    if not library.setup:
        with pytest.raises(alfil.AlfilError) as caught:
            library.picture()
        assert caught.value.kind == ("no-setup" if library.files else "no-board")
        return
    root = parsed(library.picture().svg())
    files, ranks = library.files, library.ranks
    shogi = library.rules.first == "black"
    expected = {}
    for (file, rank), side, code in library.setup:
        if shogi:
            row = ranks - 1 - rank
            letters = chr(97 + row) if row < 26 else "a" + chr(97 + row - 26)
            square = f"{files - file}{letters}"
        else:
            square = f"{chr(97 + file)}{rank + 1}"
        expected[square] = (code, ("first", "second")[side])
    drawn = {
        each.attrib["data-square"]: (each.attrib["data-code"], each.attrib["data-side"])
        for each in root.iter(f"{SVG}g")
        if "data-square" in each.attrib
    }
    assert drawn == expected
    held = Counter(
        (each.attrib["data-hand"], each.attrib["data-code"], int(each.attrib["data-count"]))
        for each in root.iter(f"{SVG}g")
        if "data-hand" in each.attrib
    )
    assert held == Counter(
        (("first", "second")[side], code, number)
        for side, hand in enumerate(library.hands)
        for code, number in hand
    )


def test_the_set_up_of_hand_shogi_square_by_square() -> None:
    root = parsed(alfil.load("hand_shogi").picture().svg())
    drawn = {
        each.attrib["data-square"]: each.attrib["data-side"][0] + each.attrib["data-code"]
        for each in root.iter(f"{SVG}g")
        if "data-square" in each.attrib
    }
    assert drawn == {
        "5a": "sK", "7a": "sG", "3a": "sG", "5b": "sPD", "7b": "sSO", "3b": "sSO",
        "6c": "sSO", "5c": "sSO", "4c": "sSO", "6g": "fSO", "5g": "fSO", "4g": "fSO",
        "7h": "fSO", "5h": "fPD", "3h": "fSO", "5i": "fK", "7i": "fG", "3i": "fG",
    }  # fmt: skip


def test_a_game_is_drawn_where_it_stands() -> None:
    game = alfil.load("shogi").game()
    for move in ("7g7f", "3c3d", "8h2b+"):
        game.push(move)
    root = parsed(game.picture().svg())
    by_square = {
        e.attrib["data-square"]: e for e in root.iter(f"{SVG}g") if "data-square" in e.attrib
    }
    assert "8h" not in by_square
    horse = by_square["2b"].attrib
    assert (horse["data-code"], horse["data-side"], horse["data-promoted"]) == (
        "+B",
        "first",
        "yes",
    )
    hand = [e.attrib for e in root.iter(f"{SVG}g") if "data-hand" in e.attrib]
    assert [(e["data-hand"], e["data-code"], e["data-count"]) for e in hand] == [
        ("first", "B", "1")
    ]
    marked = {e.attrib["data-marked"] for e in root.iter(f"{SVG}rect") if "data-marked" in e.attrib}
    assert marked == {"8h", "2b"}
    assert [e.attrib["data-turn"] for e in root.iter(f"{SVG}path") if "data-turn" in e.attrib] == [
        "second"
    ]
    assert game._repr_svg_() == game.picture().svg()
    assert "in hand: B" in str(game.picture())


def test_castling_marks_both_pieces() -> None:
    game = alfil.load("chess").game("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    game.push("e1g1")
    assert set(game.picture().subject.marked) == {(4, 0), (6, 0), (7, 0), (5, 0)}


@pytest.mark.parametrize("name", SETS)
def test_every_piece_is_on_the_sheet_once(name: str) -> None:
    library = alfil.load(name)
    root = drawn_once(name)
    assert sorted(cards(root)) == sorted(library)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= MARKUP
    assert {each.attrib["href"][0] for each in root.iter(f"{SVG}use")} == {"#"}
    text = str(sheet_of(name))
    for entry in library.pieces:
        assert entry.name.split()[0] in text


def test_promoted_forms_stand_beside_their_pieces() -> None:
    assert groups(alfil.load("shogi").sheet().subject) == [
        "K", "R +R", "B +B", "G", "S +S", "N +N", "L +L", "P +P",
    ]  # fmt: skip
    assert groups(alfil.load("chess").sheet().subject) == ["K", "Q", "R", "B", "N", "P"]
    root = parsed(alfil.load("shogi").sheet().svg())
    at = {
        e.attrib["data-piece"]: place(e) for e in root.iter(f"{SVG}g") if "data-piece" in e.attrib
    }
    for code in "RBSNLP":
        (x, y), (right, level) = at[code], at["+" + code]
        # A board of nine squares is wider than one of five.
        assert (right - x, level) == (372 if code in "RBNL" else 248, y)


def test_forms_that_pieces_share_and_forms_of_nobody() -> None:
    text = "\n".join(
        [
            'piece A "one" betza=W kanji=金 promotes=+G,Q',
            'piece B "two" betza=F kanji=銀 promotes=+G',
            'piece +G "gold" betza=WfF kanji=成',
            'piece Q "queen" betza=Q kanji=王',
            'piece +X "lost" betza=D kanji=象 promotes=+G',
            'piece C "three" betza=W kanji=馬 promotes=C2',
            'piece C2 "four" betza=W kanji=牛',
        ]
    )
    sheet = alfil.loads(text).sheet().subject
    assert groups(sheet) == ["A +G", "B", "Q", "+X", "C", "C2"]
    remarks = {card.token.code: card.remarks for card in sheet.cards}
    assert remarks["A"] == ("promotes to Q",)
    assert remarks["B"] == ("promotes to +G",)
    assert {card.token.code for card in sheet.cards if card.token.promoted} == {"+G", "+X"}


def test_a_form_without_a_mark_is_promoted_when_no_set_up_has_it() -> None:
    text = (
        'board 3x3\npiece P "pawn" betza=fW kanji=歩 promotes=T\n'
        'piece T "tokin" betza=WfF kanji=と\nsetup\n| . P . |'
    )
    assert groups(alfil.loads(text).sheet().subject) == ["P T"]


def test_reconstructions_are_said_to_be_such() -> None:
    sheet = alfil.load("hand_shogi").sheet().subject
    noted = {card.token.code for card in sheet.cards if "reconstruction" in card.note}
    assert noted == {"T", "SH", "O", "H"}
    assert str(alfil.load("hand_shogi").sheet()).count("reconstruction: the original") == 4
    changed = alfil.load("hand_shogi", pieces={"SH": "R2"}).sheet("SH").subject
    assert [card.note for card in changed.cards] == ["set by the user: R2"]


def test_cards_do_not_lie_on_each_other() -> None:
    library = alfil.load("fairy")
    root = parsed(library.sheet(*[*library][:90], columns=6).svg())
    wide, high = (float(n) for n in root.attrib["viewBox"].split()[2:])
    places = [place(e) for e in root.iter(f"{SVG}g") if "data-piece" in e.attrib]
    rows: dict[float, list[float]] = {}
    for x, y in places:
        assert 0 < x <= wide - 236
        assert 0 < y <= high - 250
        rows.setdefault(y, []).append(x)
    for row in rows.values():
        assert all(b - a >= 236 for a, b in pairwise(row))
    assert max(map(len, rows.values())) == 6


def test_a_piece_with_more_forms_than_a_row_has_room_for() -> None:
    forms = [f"+P{n}" for n in "ABCDEFG"]
    text = "\n".join(
        [f'piece P "pawn" betza=W kanji=歩 promotes={",".join(forms)}']
        + [f'piece {form} "form {form}" betza=F kanji=と' for form in forms]
    )
    root = parsed(alfil.loads(text).sheet(columns=3).svg())
    at = {
        e.attrib["data-piece"]: place(e) for e in root.iter(f"{SVG}g") if "data-piece" in e.attrib
    }
    assert list(at) == ["P", *forms]
    assert len({y for _, y in at.values()}) == 3
    assert float(root.attrib["width"]) < 1000


def test_columns_follow_the_number_of_pieces() -> None:
    assert [half_columns_per_row([[2]] * n) // 2 for n in (0, 1, 2, 3, 12, 20, 30, 60, 400)] == [
        1,
        1,
        2,
        3,
        3,
        4,
        5,
        7,
        7,
    ]


HOSTILE = ("<script>x</script>", "\u202eevil", "a" * 5_000, "\"'&<>]]>", "\U0001f98a" * 80)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_and_notes(name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    text = (
        f"game {quoted}\nboard 2x2\n"
        f"piece K {quoted} betza=K note={quoted} also={quoted} royal\nsetup\n| K . |"
    )
    try:
        library = alfil.loads(text)
    except alfil.PieceFileError:
        return
    for plate in (library.sheet(), library.picture()):
        root = parsed(plate.svg())
        assert {each.tag.removeprefix(SVG) for each in root.iter()} <= MARKUP
        assert len(plate.svg()) < 400_000
        page = plate.render("html").decode("utf-8")
        assert "<script" not in page
        for made in (plate.svg(), str(plate), page, plate.ascii()):
            assert not set("\u202e\x00\x1b") & set(made)
        assert plate.ascii().isascii()


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    code = (
        "import alfil, sys\n"
        "for name in ('hand_shogi', 'shogi', 'chess'):\n"
        "    library = alfil.load(name)\n"
        "    sheet = library.sheet()\n"
        "    sys.stdout.write(sheet.svg() + library.picture().svg() + str(sheet))"
    )
    hashes = set()
    for seed in ("0", "77"):
        environment = {
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": ":".join(filter(None, sys.path)),
            "PYTHONIOENCODING": "utf-8",
        }
        run = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, check=True
        )
        assert len(run.stdout) > 100_000
        hashes.add(hashlib.sha256(run.stdout).hexdigest())
    assert len(hashes) == 1


def test_twice_as_many_pieces_take_twice_as_long() -> None:
    library = alfil.load("fairy")
    assert len(library) >= 300
    drawn_once("fairy")  # reads them all
    half, whole = [*library][:40], [*library][:80]
    assert calls(library.sheet(*whole).svg) < 3 * calls(library.sheet(*half).svg)


def test_a_sheet_can_have_one_window_for_all() -> None:
    cards = alfil.load("shogi").sheet(radius=4).subject.cards
    assert {card.diagram.marks.window[:4] for card in cards} == {(4, 4, 4, 4)}


def test_the_text_of_a_pair() -> None:
    assert (
        str(alfil.load("shogi").sheet("N"))
        == """\
Shogi

N 桂馬 knight                       →  +N 成桂 promoted knight
  · · · · · · ·                          · · · · ·
  · · ★ · ★ · ·                          · ● ● ● ·
  · · · · · · ·                          · ● @ ● ·
  · · · @ · · ·                          · · ● · ·
  · · · · · · ·                          · · · · ·
  · · · · · · ·                          WfF
  · · · · · · ·                          1×6dSE-SW
  ffN                                    Steps one square in any direction
  (1,2)ab                                except diagonally backward.
  Leaps as a knight (two squares
  forward and one to either side).

  ●  moves or captures
  ★  leaps: moves or captures
  @  the piece; forward is up"""
    )


def test_the_command_draws_files(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason=NO_PNG)
    own = tmp_path / "mine.pieces"
    own.write_text('piece A "alibaba" betza=AD\npiece K "king" betza=K\n', encoding="utf-8")
    out = tmp_path / "sheet"
    assert run(str(own), "-f", "svg,txt,ascii,png", "-o", str(out)) == ""
    assert cards(parsed(out.with_suffix(".svg").read_text(encoding="utf-8"))) == ["A", "K"]
    assert "alibaba" in out.with_suffix(".txt").read_text(encoding="utf-8")
    assert out.with_suffix(".ascii").read_bytes().isascii()
    assert out.with_suffix(".png").read_bytes()[1:4] == b"PNG"
    assert "alibaba" in run(str(own))
    assert run("hand_shogi", "--setup").splitlines()[0] == "Hand shogi"
    assert "black in hand: T SH S*2 O H N*2 L*2" in run("hand_shogi", "--setup", "-f", "ascii")
    assert "SH shogun" in run("hand_shogi:SH")
    assert "R3" in run("hand_shogi:SH", "--piece", "SH=R3")


def test_the_command_draws_a_piece_beside_its_promoted_form() -> None:
    assert cards(parsed(run("shogi:N", "-f", "svg"))) == ["N", "+N"]
    assert cards(parsed(run("shogi:+N", "-f", "svg"))) == ["N", "+N"]
    alone = parsed(run("shogi:N", "--alone", "-f", "svg"))
    assert cards(alone) == []
    assert alone.findtext(f"{SVG}title") == "knight: ffN"
    assert "reconstruction" in run("hand_shogi:SH", "--alone")
    assert "reconstruction" in run("hand_shogi:SH", "--enemy", "0,2")
    assert "reconstruction" in run("hand_shogi:SH", "-f", "json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess", "--label", "x"), "as in FILE:PIECE"),
        (("chess", "--enemy", "0,1"), "as in FILE:PIECE"),
        (("chess", "--alone"), "as in FILE:PIECE"),
        (("N", "--setup"), "--setup is for piece files"),
        (("fairy", "--setup"), "has no board"),
        (("chess", "-f", "wikitext"), "wikitext is for the diagram of one piece"),
        (("chess", "--setup", "-f", "wikitext"), "wikitext is for the diagram of one piece"),
        ((NO_SETUP, "--setup"), "no_setup has no starting position"),
        (
            ("chess", "--setup", "--columns", "3"),
            "--columns is for sheets, not for starting positions",
        ),
        (("chess", "--columns", "3"), "--columns is for sheets as svg, png and html"),
        (("chess", "--setup", "--no-legend"), "a starting position has no words to leave out"),
        (("chess", "--size", "300"), "--size is for svg and png"),
        (("nothing.pieces",), "nothing.pieces"),
        (("chess:X",), "no piece called X"),
        (("chess", "--piece", "X=R"), "no piece has the code X"),
        (("chess", "-o", "no/such/folder/x.svg"), "cannot write"),
    ],
)
def test_wrong_calls_say_so_and_exit_with_2(arguments: tuple[str, ...], words: str) -> None:
    assert words in " ".join(run(*arguments, code=2).split())


def test_a_failed_command_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    out.write_text("before", encoding="utf-8")
    run("fairy", "--setup", "-o", str(out), code=2)
    assert out.read_text(encoding="utf-8") == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["x.svg"]


def test_one_legend_for_all() -> None:
    text = 'piece W "w" betza=W\npiece R "r" betza=R\npiece C "c" betza=mBcpB\npiece N "n" betza=N'
    assert str(alfil.loads(text).sheet()).splitlines()[-8:] == [
        "  ●  moves or captures",
        "  ○  moves without capturing; squares on the way must be empty",
        "  ★  leaps: moves or captures",
        "  ◈  captures over a piece in between",
        "  ■  may jump over a piece here",
        "  @  the piece; forward is up",
        "  ↑  goes on beyond the diagram",
        "  Squares that a piece slides over must be empty, unless its words say otherwise.",
    ]
    assert "slides" not in str(alfil.loads('piece R "r" betza=R').sheet())


def played(name: str, *moves: str) -> alfil.Game:
    game = alfil.load(name).game()
    for move in moves:
        game.push(move)
    return game


def pictures() -> dict[str, str]:
    """What is compared with files that people have looked at."""
    hand_shogi = alfil.load("hand_shogi")
    return {
        "hand_shogi-setup.svg": hand_shogi.picture().svg(),
        "hand_shogi-setup.txt": f"{hand_shogi.picture()}\n",
        "hand_shogi-sheet.txt": f"{hand_shogi.sheet()}\n",
        "shogi-knight.svg": alfil.load("shogi").sheet("N").svg(),
        "shogi-horse.txt": f"{played('shogi', '7g7f', '3c3d', '8h2b+')}\n",
        "chess-e4-print.svg": played("chess", "e2e4").picture("print").svg(),
        "xiangqi-soldier.svg": alfil.load("xiangqi").sheet("S", theme="dark").svg(),
    }


@pytest.mark.parametrize("name", pictures())
def test_pictures_are_as_reviewed(name: str) -> None:
    """To write them anew: ALFIL_ACCEPT=1 pytest tests/test_sheets.py && git diff tests/golden."""
    path = GOLDEN / name
    if os.environ.get("ALFIL_ACCEPT"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(pictures()[name], encoding="utf-8")
    assert pictures()[name] == path.read_text(encoding="utf-8")
    assert sorted(each.name for each in GOLDEN.iterdir()) == sorted(pictures())


def test_notebooks_show_boards() -> None:
    library = alfil.load("minishogi")
    assert library._repr_svg_() == library.picture().svg()
    assert alfil.load("fairy")._repr_svg_() is None
    assert "<td>GF</td><td>griffon</td>" in alfil.loads('piece GF "griffon" betza=F')._repr_html_()
    assert "<script" not in alfil.loads('piece X "<script>" betza=W')._repr_html_()
    assert library.picture(theme="print")._repr_svg_() == library.picture().svg("print")
    with pytest.raises(alfil.AlfilError) as caught:
        library.picture(theme="prnt")
    assert caught.value.kind == "unknown-theme"
    with pytest.raises(alfil.AlfilError) as caught:
        library.picture().save("x.gif")
    assert caught.value.kind == "unknown-format"


COMMAND = re.compile(r"([a-zM])([-\d. ]*)")
NUMBER = re.compile(r"-?[\d.]+")
STEPS = {"m": 2, "l": 2, "c": 6, "q": 4, "t": 2}


def right_end(path: str) -> float:
    """The greatest x at which a command of path data ends; only its M are absolute."""
    x = start = 0.0
    found = []
    for command, text in COMMAND.findall(path):
        values = [float(each) for each in NUMBER.findall(text)]
        if command == "M":
            x = start = values[0]
        elif command == "z":
            x = start
        elif command == "h":
            x += sum(values)
            found.append(x)
        elif command in STEPS:
            for at in range(0, len(values), STEPS[command]):
                x += values[at + STEPS[command] - 2]
                found.append(x)
            start = x if command == "m" else start
        found.append(x)
    return max(found)


def test_the_end_of_a_path() -> None:
    assert right_end("M10 0h5v3l-7 2 20 1zM3 4c1 1 2 2 9 3") == 28


def lettered(root: ElementTree.Element) -> list[float]:
    """Where the words of the legend and the title end, on the right."""
    ends = []
    named = {f"#{each.attrib['id']}": each for each in root.iter() if "id" in each.attrib}
    for group in root.findall(f"{SVG}g"):
        for line in group.findall(f"{SVG}g"):
            move = re.match(
                r"translate\(([\d.]+) [\d.]+\) scale\(([\d.]+)\)", line.get("transform", "")
            )
            if move and {each.tag for each in line} == {f"{SVG}use"}:
                ends.append(float(move[1]) + float(move[2]) * end_of(line, named))
    return ends


def end_of(element: ElementTree.Element, named: dict[str, ElementTree.Element]) -> float:
    """Where a line of text, a word or a letter ends on the right, in its own units."""
    if element.tag == f"{SVG}path":
        return right_end(element.attrib["d"])
    if element.tag == f"{SVG}use":
        return float(element.get("x", 0)) + end_of(named[element.attrib["href"]], named)
    return max(end_of(each, named) for each in element)


def narrow_sheets() -> list[tuple[str, str]]:
    fairy = [entry.code for entry in alfil.load("fairy").pieces]
    taikyoku = [entry.code for entry in alfil.load("taikyoku").pieces]
    return [
        *(("fairy", code) for code in fairy[::9]),
        *(("taikyoku", code) for code in taikyoku[::25]),
        *(("hand_shogi", entry.code) for entry in alfil.load("hand_shogi").pieces),
    ]


def test_legends_end_before_the_picture() -> None:
    over = {}
    library = cache(alfil.load)
    for name, code in narrow_sheets():
        root = parsed(library(name).sheet(code, alone=True).svg())
        ends = lettered(root)
        assert ends
        if max(ends) > float(root.attrib["width"]):
            over[name, code] = max(ends)
    assert over == {}


def told(svg: str) -> tuple[str | None, str | None]:
    root = parsed(svg)
    return root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")


def test_a_sheet_of_one_piece_says_all_there_is_to_say() -> None:
    assert told(alfil.load("hand_shogi").sheet("SH").svg()) == (
        "Hand shogi, shogun: Q2",
        "1 piece: shogun. shogun (Q2; {1,2}×8d): Slides up to two squares in any direction. Moves "
        "or captures on 16 squares, without jumping; the same on all sides. Note: reconstruction: "
        "the original move is lost; see docs",
    )
    title, said = told(alfil.load("shogi").sheet("N").svg())
    assert title == "Shogi, knight: ffN; promoted knight: WfF"
    assert (said or "").startswith(
        "2 pieces: knight → promoted knight. knight (ffN; (1,2)ab): Leaps"
    )
    assert told(alfil.loads('board 2x1\npiece K "k" betza=K\nsetup\n| K . |').picture().svg())[
        0
    ] == ("2×1 board")


def test_a_large_sheet_lists_its_pieces_and_every_card_has_its_words() -> None:
    root = drawn_once("fairy")
    said = root.findtext(f"{SVG}desc") or ""
    assert said.startswith("336 pieces: ")
    assert "Note:" not in said
    by_code = {
        each.attrib["data-piece"]: each.findtext(f"{SVG}desc")
        for each in root.iter(f"{SVG}g")
        if "data-piece" in each.attrib
    }
    eagle = alfil.load("fairy")["eagle"].code
    assert (by_code[eagle] or "").startswith("eagle ([pQ-sK]): Slides any distance")
    assert None not in by_code.values()


def test_boards_and_sheets_as_data() -> None:
    game = alfil.load("shogi").game()
    for move in ("7g7f", "3c3d", "8h2b+"):
        game.push(move)
    board = json.loads(game.picture().render("json"))
    assert (board["files"], board["ranks"], board["turn"]) == (9, 9, "second")
    assert board["last_move"] == ["8h", "2b"]
    assert [piece for piece in board["pieces"] if piece["square"] == "2b"] == [
        {
            "square": "2b", "at": [7, 7], "side": "first", "code": "+B",
            "name": "dragon horse", "kanji": "龍馬", "symbol": "", "promoted": True,
        }
    ]  # fmt: skip
    assert [(held["number"], held["code"]) for held in board["hands"]["first"]] == [(1, "B")]
    assert board["hands"]["second"] == []
    sheet = json.loads(run("hand_shogi", "-f", "json"))
    cards = {card["code"]: card for group in sheet["groups"] for card in group}
    assert cards["SH"]["note"] == "reconstruction: the original move is lost; see docs"
    assert cards["SH"]["notations"] == ["Q2", "{1,2}×8d"]
    squares = {tuple(each["at"]) for each in cards["G"]["diagram"]["squares"]}
    assert squares == {(-1, 0), (1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)}


NOTE = "reconstruction: the original move is lost; see docs"


def test_the_note_of_a_piece_is_in_every_format() -> None:
    data = json.loads(run("hand_shogi:SH", "-f", "json"))
    assert (data["note"], data["status"]) == (NOTE, "reconstructed")
    for form in ("wikitext", "text", "html"):
        assert f"Note: {NOTE}" in " ".join(
            run("hand_shogi:SH", "-f", form).replace("<nowiki>", "").split()
        )
    assert f"Note: {NOTE}" in run("hand_shogi:SH", "-f", "wikitable").replace("<nowiki>", "")
    plain = json.loads(run("Q2", "-f", "json"))
    assert (plain["note"], plain["status"]) == ("", "")


def test_a_note_is_seen_on_a_board_too() -> None:
    with_note = run("hand_shogi:SH", "-f", "svg", "--radius", "2")
    without = run("hand_shogi:G", "-f", "svg", "--radius", "2")
    high = [float(parsed(each).attrib["height"]) for each in (with_note, without)]
    assert high[0] > high[1]


def shapes(text: str) -> dict[str, list[str | None]]:
    """The outlines of the pieces of a file, by code."""
    return shapes_in(alfil.loads(text).sheet().svg())


def shapes_in(svg: str) -> dict[str, list[str | None]]:
    """The outlines of the pieces in a picture, by code."""
    root = parsed(svg)
    named = {f"#{each.attrib['id']}": each for each in root.iter() if "id" in each.attrib}
    return {
        each.attrib["data-code"]: [
            part.get("d")
            for use in each.iter(f"{SVG}use")
            for part in named[use.attrib["href"]].iter(f"{SVG}path")
        ]
        for each in root.iter(f"{SVG}g")
        if "data-code" in each.attrib
    }


def test_a_symbol_is_drawn_in_place_of_the_code() -> None:
    drawn = shapes(
        'piece A "a" betza=N symbol=♞\npiece B "b" betza=N symbol=♘\npiece D "knight" betza=N\n'
        'piece C "c" betza=N symbol=★\npiece E "king" betza=N symbol=★'
    )
    assert drawn["A"] == drawn["B"] == drawn["D"]
    star = shapes('piece ★ "star" betza=N')["★"]
    assert len(star) == 1
    assert drawn["C"] == drawn["E"] == star
    with_kanji = shapes(
        'piece E "e" betza=N symbol=★ kanji=金\npiece F "f" betza=N kanji=金\n'
        'piece G "g" betza=N symbol=★'
    )
    assert with_kanji["E"] == with_kanji["F"]
    assert with_kanji["G"] != with_kanji["F"]
    assert len(with_kanji["G"]) == len(["the wedge", "the star"])


def named(svg: str) -> dict[str, str]:
    """What is defined in a picture, by its name."""
    return {
        each.attrib["id"]: ElementTree.tostring(each).decode("utf-8").strip()
        for each in parsed(svg).iter()
        if "id" in each.attrib
    }


def test_names_in_pictures_are_defined_and_mean_the_same_everywhere() -> None:
    game = played("shogi", "7g7f", "3c3d", "8h2b+")
    pictures = [alfil.load(name).picture() for name in ("chess", "hand_shogi", "makruk")]
    pictures += [alfil.load(name).sheet() for name in ("chess", "hand_shogi", "makruk")]
    pictures += [game.picture(), alfil.draw("mRcpR"), alfil.draw("KisO2", label="king")]
    known: dict[str, str] = {}
    for svg in (each.svg(theme) for each in pictures for theme in ("default", "print", "dark")):
        root, own = parsed(svg), named(svg)
        assert svg.count(' id="') == len(own)
        used = {each.attrib["href"][1:] for each in root.iter(f"{SVG}use")}
        words = {root.attrib["aria-labelledby"], root.attrib["aria-describedby"]}
        assert used | words == own.keys()
        assert [own[each][:5] for each in sorted(words, reverse=True)] == ["<ns0:"] * 2
        assert own == {name: known.setdefault(name, each) for name, each in own.items()}


def test_a_piece_is_drawn_once_however_many_there_are() -> None:
    library = alfil.load("shogi")
    board, sheet = library.picture().svg(), library.sheet().svg()
    kanji = shapes_in(library.sheet("P", alone=True).svg())["P"]
    assert [board.count(each) for each in kanji] == [8, 1]  # eight kinds, one of them a pawn
    assert [sheet.count(each) for each in kanji] == [14, 1]
    assert len(board.encode()) < 30_000


def test_the_legend_shows_the_piece_as_it_is_drawn() -> None:
    for name, code in (("hand_shogi", "SH"), ("chess", "P")):
        svg = alfil.load(name).sheet(code, alone=True).svg()
        (piece,) = re.findall(r'id="(piece[^"]+)"', svg)
        assert svg.count(f'href="#{piece}"') == len(["card", "board", "legend"])


def _boards(svg: str) -> list[int]:
    """How many squares wide the boards of a sheet are."""
    wide = re.findall(r'class="alfil-light" color="#fbf7ef"><path d="M20 20h(\d+)v', svg)
    return [int(each) // 40 for each in wide]


def test_boards_of_a_sheet_have_two_sizes_and_squares_one() -> None:
    svg = alfil.load("fairy").sheet("king", "rook", "giraffe", "rose").svg()
    assert _boards(svg) == [5, 9, 11, 15]
    assert set(re.findall(r"scale\((.51)\)\">\n<g", svg)) == {".51"}
    assert [place(e)[0] for e in parsed(svg).iter(f"{SVG}g") if "data-piece" in e.attrib] == [
        *(12, 260, 508, 880),
    ]
    # Where most pieces go one square, their boards fill a card.
    svg = alfil.load("shogi").sheet("K", "G", "R", alone=True).svg()
    assert _boards(svg) == [5, 9, 5]
    assert set(re.findall(r"scale\((.\d+)\)\">\n<g", svg)) == {".85"}


class Page(HTMLParser):
    """The elements of a page with their attributes, and its text by the element it stands in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.text.append((self.elements[-1][0], data.strip()))

    def inside(self, tag: str) -> list[str]:
        return [text for each, text in self.text if each == tag]


def test_the_page_of_a_sheet_has_cards_with_words() -> None:
    page = Page(alfil.load("hand_shogi").sheet().render("html").decode("utf-8"))
    assert page.inside("h1") == ["Hand shogi"]
    assert page.inside("h2")[:3] == ["king", "tycoon", "shogun"]
    assert page.inside("h2")[-2:] == ["soldier", "Signs"]
    assert page.inside("dt")[:4] == ["Betza", "Ħasínū"] * 2
    assert {"Q3", "{1,2,3}×8d", "FfW", "1×5dE-S-W", "SH"} <= {*page.inside("code")}
    assert "Leaps two squares orthogonally." in page.inside("p")
    assert "Note: reconstruction: the original move is lost; see docs" in page.inside("p")
    assert "leaps: moves or captures" in page.inside("span")
    classes = Counter(each.get("class") for _, each in page.elements)
    assert (classes["card"], classes["forms"]) == (12, 1)
    names = [each["id"] for _, each in page.elements if "id" in each]
    assert len(names) == len({*names})
    used = {
        str(each[key]).removeprefix("#")
        for _, each in page.elements
        for key in ("href", "aria-labelledby", "aria-describedby")
        if key in each
    }
    assert used <= {*names}
    pictures = [each for tag, each in page.elements if tag == "svg" and each.get("role") == "img"]
    assert len(pictures) == 12
    assert all("aria-labelledby" in each for each in pictures)


def test_arrows_lead_from_a_piece_and_never_from_one_form_to_another() -> None:
    library = alfil.load("crazyhouse")
    arrow = "h26m-9-9l9 9l-9 9"
    assert [library.sheet(columns=n).svg().count(arrow) for n in (1, 2, 3, 5)] == [0, 1, 1, 1]
    assert [line.count("→") for line in str(library.sheet("P")).splitlines()][2] == 1
    assert str(library.sheet("P")).count("  or  ") == len(["rook", "bishop", "knight"])


def test_a_piece_that_depends_on_its_square_is_shown_on_the_board_of_its_file() -> None:
    library = alfil.loads('board 9x9\npiece X "halfway" betza=fR*\npiece K "king" betza=K')
    svg = library.sheet().svg()
    marked = re.findall(r'data-at="(0,\d)"', svg.partition('data-piece="K"')[0])
    assert marked == ["0,1", "0,2"]  # from the second rank up to the fourth
    card, other = library.sheet().subject.cards
    assert card.diagram.marks.coordinates == "shogi"
    assert other.diagram.marks.window.ranks == 0


def test_words_are_dark_on_paper_in_every_theme() -> None:
    sheet = alfil.load("chess").sheet()
    for theme in ("default", "dark"):
        page = sheet.render("html", theme=theme).decode("utf-8")
        (paper,) = re.findall(r"@media print{:root{(.*?)}", page)
        assert {"--ink:#000000", "--paper:#ffffff"} <= {*paper.split(";")}
    assert "--ink:#000000" in sheet.render("html", theme="print").decode("utf-8")


def test_words_of_a_sheet_can_be_left_out() -> None:
    sentence, sign = "Leaps two squares orthogonally.", "leaps: moves or captures"
    sheet = alfil.load("hand_shogi").sheet()
    for words, signs in ((True, True), (False, True), (True, False)):
        page = sheet.render("html", sentence=words, legend=signs).decode("utf-8")
        assert (sentence in page, sign in page) == (words, signs)
        assert ("aria-describedby" in page) == words
    high = [
        float(parsed(run("hand_shogi", "-f", "svg", *left)).attrib["height"])
        for left in ((), ("--no-legend",), ("--no-sentence", "--no-legend"))
    ]
    assert high == sorted({*high}, reverse=True)
    assert "captured en passant" in run("chess", "-f", "html", "--no-sentence")


def test_what_a_sheet_is_called() -> None:
    assert alfil.load("hand_shogi").sheet().subject.heading == "Hand shogi"
    assert alfil.load("xiangqi").sheet().subject.heading == "Xiangqi"
    assert alfil.load("xiangqi").sheet("H").subject.heading == "Xiangqi, horse: nN"
    assert "<h1>Xiangqi</h1>" in alfil.load("xiangqi").sheet("H").render("html").decode("utf-8")

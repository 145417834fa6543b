"""Pieces and boards as pictures: every piece where it stands, told apart by shape."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

import alfil
from alfil.diagrams import (
    board_ground,
    diagram_model,
    piece_figures,
)  # a piece alone; boards that no game has
from alfil.diagrams.text_rendering import board_text  # with characters, as only a program asks for
from alfil.play.diagrams import variant_ground as game_ground  # what a game is drawn on
from strategies import NO_PNG

Board, Held, OnBoard, Token = (
    diagram_model.Board,
    diagram_model.HandPieceCount,
    diagram_model.BoardPiece,
    diagram_model.PieceToken,
)
PIECES = Path(__file__).parents[1] / "pieces"
SVG = "{http://www.w3.org/2000/svg}"
GOLD = Token("G", "gold general", "金将", shape="wedge")
KING = Token("K", "king", "王将", shape="wedge")
KNIGHT = Token("+N", "promoted knight", "成桂", promoted=True, shape="wedge")
SHOGUN = Token("SH", "shogun", shape="wedge")
HANDS = ((Held(SHOGUN, 1), Held(GOLD, 2)), (Held(GOLD, 18),))
SMALL = Board(
    3,
    4,
    (
        OnBoard((0, 0), 0, KING),
        OnBoard((2, 3), 1, KING),
        OnBoard((1, 2), 0, KNIGHT),
        OnBoard((2, 0), 1, SHOGUN),
    ),
    HANDS,
    ((0, 1), (1, 2)),
    turn=1,
    title="A small game",
)
HOSTILE = (
    "<script>alert(1)</script>",
    "\"' onload='x",
    "]]>&amp;",
    "\u202eevil\u2066",
    "\x00\x1b[31m",
    "\ud800",
    "\ufffe",
    "x" * 10_000,
    "\U0001f98a" * 300,
    "",
)


def drawn(board: Board, theme: str = "default") -> ElementTree.Element:
    return ElementTree.fromstring(alfil.Picture(board).svg(theme))


def test_regions_are_marked_and_explained() -> None:
    text = str(alfil.load("janggi").picture())
    assert [line.strip() for line in text.splitlines()[-2:]] == [": palace", ", points"]
    rows = {line.split()[0]: line for line in text.splitlines() if "|" in line}
    assert rows["3"] == " 3 | .  C  .  ,  :  ,  .  C  . |"
    source = (PIECES / "janggi.pieces").read_text(encoding="utf-8")
    picture = alfil.loads(source.replace("surface = points", "surface = squares")).picture()
    paths = [each for each in drawn_of(picture) if "data-region" in each.attrib]
    # A line around the squares, and one in the legend, with the same dashes.
    assert [each.attrib["data-region"] for each in paths] == ["palace"] * 2 + ["points"] * 2
    dashes = [each.attrib["stroke-dasharray"] for each in paths]
    assert dashes[0] == dashes[1] != dashes[2] == dashes[3]
    assert "Region palace: d1 d2 d3 e1" in picture.svg()
    game = alfil.load("king_of_the_hill").game()
    assert ": hill" in str(game)
    assert len([each for each in drawn_of(game.picture()) if "data-region" in each.attrib]) == 2


def test_the_lines_of_a_points_board_show_its_regions() -> None:
    """Lines go through the middles of squares, broken at a river, with diagonals in palaces."""
    for name, river, colours in (("xiangqi", 5, 2), ("janggi", 0, 2)):
        variant = alfil.load(name).variant
        board = alfil.load(name).picture().subject
        assert isinstance(board, Board)
        assert board.ground is not None
        assert board.ground == game_ground(variant)
        assert board.ground.river == river
        assert [sorted(each)[0] for each in board.ground.palaces] == [(3, 0), (3, 7)]
        elements = drawn_of(alfil.load(name).picture())
        assert not [each for each in elements if "data-region" in each.attrib]
        inks = {each.attrib["stroke"] for each in elements if each.get("r") == "43"}
        assert len(inks) == colours


def test_each_side_has_its_own_characters() -> None:
    general = Token("G", "general", "帥/將", colours="red-black")
    assert piece_figures.piece_svg(general, 0) != piece_figures.piece_svg(general, 1)
    for side, kanji in enumerate("帥將"):
        alike = Token("G", "general", kanji, colours="red-black")
        assert piece_figures.piece_svg(general, side) == piece_figures.piece_svg(alike, side)
    # As the second player sees it, the first side's wedge stands on its head.
    assert piece_figures.piece_svg(GOLD, 0, from_behind=True) == piece_figures.piece_svg(GOLD, 1)


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [board_ground.COLOURS, board_ground.PRINT_COLOURS])
def test_squares_lines_and_men_stand_out(
    colours: dict[str, board_ground.GroundColours],
) -> None:
    palette = piece_figures.WOOD_PALETTE
    for kind, ground in colours.items():
        if kind == "squares":
            assert contrast(ground.board, ground.other) >= 2
        for square in {ground.board, ground.other}:
            assert contrast(square, ground.line) >= 3
            # The edge of a light man, and the body of a dark one.
            assert contrast(square, palette.dark) >= 3
            assert contrast(square, palette.edge) >= 3
    for ink in (palette.red, palette.blue, palette.dark):
        assert contrast(ink, palette.light) >= 4.5


def test_the_line_around_a_region_goes_around_its_squares() -> None:
    hill = frozenset({(1, 1), (2, 1), (1, 2), (2, 2)})
    one = diagram_model.NamedRegion("hill", (hill, hill))
    board = Board(4, 4, (), regions=(one,))
    (line, _) = [each for each in drawn_of(alfil.Picture(board)) if "data-region" in each.attrib]
    steps = line.attrib["d"].split("M")[1:]
    # Two edges of each of the four squares, and none between them.
    assert len(steps) == 8
    # One that covers a side's half of the board has a line along the other half, and no more.
    half = [frozenset((x, y) for x in range(4) for y in ranks) for ranks in ((0, 1), (2, 3))]
    board = Board(4, 4, (), regions=(diagram_model.NamedRegion("home", (half[0], half[1])),))
    (line, _) = [each for each in drawn_of(alfil.Picture(board)) if "data-region" in each.attrib]
    assert len(line.attrib["d"].split("M")[1:]) == 8
    # In text that would say nothing.
    assert "home" not in str(alfil.Picture(board))


def drawn_of(picture: alfil.Picture) -> list[ElementTree.Element]:
    return [*ElementTree.fromstring(picture.svg()).iter()]


def on_squares(root: ElementTree.Element) -> dict[str, tuple[str, str, str]]:
    return {
        each.attrib["data-square"]: (
            each.attrib["data-code"],
            each.attrib["data-side"],
            each.get("data-promoted", "no"),
        )
        for each in root.iter(f"{SVG}g")
        if "data-square" in each.attrib
    }


def pixels(svg: str) -> bytes:
    resvg_py = pytest.importorskip("resvg_py", reason=NO_PNG)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def alone(token: Token, side: int = 0) -> str:
    """A picture of one piece."""
    return framed(piece_figures.positioned_piece(token, side, 0, 0, 100))


def framed(elements: str) -> str:
    box = f'xmlns="{SVG[1:-1]}" viewBox="-50 -50 100 100" width="60" height="60"'
    return f"<svg {box}>{elements}</svg>"


def test_every_piece_is_on_its_square() -> None:
    assert on_squares(drawn(SMALL)) == {
        "3d": ("K", "first", "no"),
        "1a": ("K", "second", "no"),
        "2b": ("+N", "first", "yes"),
        "1d": ("SH", "second", "no"),
    }
    chess = Board(8, 8, (OnBoard((4, 0), 0, Token("K")),), coordinates="chess")
    assert on_squares(drawn(chess)) == {"e1": ("K", "first", "no")}


def test_pieces_stand_inside_their_squares() -> None:
    root = drawn(SMALL)
    squares = {}
    for each in root.iter(f"{SVG}g"):
        if "data-square" in each.attrib:
            x, y = each.attrib["transform"].split("(")[1].split(")")[0].split()
            squares[each.attrib["data-square"]] = (float(x), float(y))
    (left, bottom), (middle, above), (right, top) = squares["3d"], squares["2b"], squares["1a"]
    assert right - middle == middle - left == 50
    assert (bottom - above, bottom - top) == (100, 150)


def test_hands_marks_and_turn() -> None:
    root = drawn(SMALL)
    held = {
        (each.attrib["data-hand"], each.attrib["data-code"]): each.attrib["data-count"]
        for each in root.iter(f"{SVG}g")
        if "data-hand" in each.attrib
    }
    assert held == {("first", "SH"): "1", ("first", "G"): "2", ("second", "G"): "18"}
    marked = [e.attrib["data-marked"] for e in root.iter(f"{SVG}rect") if "data-marked" in e.attrib]
    assert marked == ["3c", "2b"]
    turns = [e.attrib["data-turn"] for e in root.iter(f"{SVG}path") if "data-turn" in e.attrib]
    assert turns == ["second"]


def test_a_hand_too_long_for_the_board_stays_in_the_picture() -> None:
    kinds = tuple(Held(Token(f"P{n}", shape="wedge"), n) for n in range(1, 30))
    root = drawn(Board(5, 5, (), (kinds, kinds)))
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    places: Counter[tuple[float, float]] = Counter()
    for each in (each for each in root.iter(f"{SVG}g") if "data-hand" in each.attrib):
        x, y = map(float, each.attrib["transform"].split("(")[1].split(")")[0].split())
        assert 15 < x < wide - 15
        assert 15 < y < high - 15
        places[x, y] += 1
    assert set(places.values()) == {1}


def test_the_words_say_what_the_picture_shows() -> None:
    root = drawn(SMALL)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert title.text == "A small game"
    assert desc.text == (
        "3×4 board. black: K 3d; +N 2b; in hand SH, 2 G. white: K 1a; SH 1d; in hand 18 G. "
        "Last move: 3c 2b. white to move."
    )


def test_no_text_element_and_nothing_from_outside() -> None:
    for board in (SMALL, Board(8, 8, (), coordinates="chess", title="x")):
        for theme in ("default", "print", "dark", "cvp", "wikipedia"):
            root = drawn(board, theme)
            assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
                *("svg", "title", "desc", "style", "defs", "use", "rect", "path", "circle", "g"),
            }
            assert {each.attrib["href"][0] for each in root.iter(f"{SVG}use")} <= {"#"}


@pytest.mark.parametrize("look", diagram_model.SHAPES)
def test_all_pieces_look_as_the_file_says(look: str) -> None:
    """Left to themselves, a piece with kanji stands on a wedge among the figures of chess."""
    text = 'piece K "king" betza=K\npiece R "rook" betza=R\npiece N "knight" betza=N\n'
    text += 'piece L "lance" betza=fR kanji=香車\n'
    left, said = alfil.loads(text), alfil.loads(f"{text}rule look = {look}\n")
    for file, shapes in ((left, {"figure", "wedge"}), (said, {look})):
        tokens = piece_figures.tokens_by_code(file.pieces, file.rules, ())
        assert {token.shape for token in tokens.values()} == shapes


def test_sides_and_promotion_differ_in_shape() -> None:
    for shape in ("wedge", "disc", "figure"):
        token = Token("K", "king", shape=shape)  # type: ignore[arg-type]
        grey = [
            piece_figures.piece_svg(token, side, piece_figures.PRINT_PALETTE) for side in (0, 1)
        ]
        grey.append(
            piece_figures.piece_svg(token._replace(promoted=True), 0, piece_figures.PRINT_PALETTE)
        )
        assert len({pixels(framed(each)) for each in grey}) == 3
    assert piece_figures.WEDGE in piece_figures.piece_svg(GOLD)
    assert piece_figures.INNER_WEDGE not in piece_figures.piece_svg(GOLD)
    assert piece_figures.INNER_WEDGE in piece_figures.piece_svg(KNIGHT)


def test_figures_are_for_pieces_known_from_chess() -> None:
    figures = {
        piece_figures.piece_svg(Token("X", name, shape="figure"))
        for name in piece_figures.FIGURE_BY_PIECE_NAME
    }
    assert len(figures) == 6
    assert not any("circle" in each for each in figures)
    assert "circle" in piece_figures.piece_svg(Token("A", "archbishop", shape="figure"))
    assert "circle" in piece_figures.piece_svg(Token("K", "king"))


@pytest.mark.parametrize(
    ("kanji", "kinds", "first", "shape"),
    [
        (9, 9, "black", "wedge"),
        (4, 12, "black", "wedge"),
        (3, 12, "black", "figure"),
        (7, 8, "white", "disc"),
        (0, 6, "white", "figure"),
        (0, 6, "black", "figure"),
        (0, 0, "black", "figure"),
    ],
)
def test_the_shape_of_a_set(kanji: int, kinds: int, first: str, shape: diagram_model.Shape) -> None:
    assert piece_figures.shape_of_set(kanji, kinds, first) == shape


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("shape", ["wedge", "disc", "figure"])
def test_hostile_names_are_harmless(text: str, shape: diagram_model.Shape) -> None:
    token = Token(text, text, text, shape=shape)
    for each in (token, token._replace(kanji="")):
        board = Board(
            2,
            2,
            (OnBoard((0, 0), 0, each),),
            ((Held(each, 10**6),), ()),
            title=text,
            sides=(text, text),
            turn=0,
        )
        svg = alfil.Picture(board).svg()
        root = ElementTree.fromstring(svg)
        assert not [e for e in root.iter() if "script" in e.tag or "onload" in e.attrib]
        assert root.find(f"{SVG}title") is not None
        assert len(svg) < 200_000
        assert pixels(svg)
        lines = board_text(board).splitlines()
        assert max(map(len, lines)) < 11_000 * 4
        assert not any(c in "\x00\x1b\u202e" for line in lines for c in line)


def test_a_piece_without_kanji_has_its_code_and_never_an_empty_face() -> None:
    bare = alone(Token("", shape="wedge"))
    faces = [pixels(alone(Token(code, shape="wedge"))) for code in ("SH", "T", "\U0001f98a")]
    assert len({pixels(bare), *faces}) == 4
    assert pixels(alone(SHOGUN)) != pixels(alone(SHOGUN, 1))


def test_letters_stay_upright_on_a_wedge_that_is_turned() -> None:
    word = ElementTree.fromstring(piece_figures.piece_svg(SHOGUN, 1))
    assert [word.get("transform"), *(each.get("transform") for each in word)] == [
        *(None, "rotate(180)", None),
    ]
    kanji = ElementTree.fromstring(piece_figures.piece_svg(GOLD, 1))
    assert kanji.attrib["transform"] == "rotate(180)"
    assert ElementTree.tostring(kanji[0]).decode() == piece_figures.piece_svg(GOLD).replace(
        "/>", " />"
    )


def test_text_boards() -> None:
    pictured = """\
A small game
white in hand: G×18
   3    2    1
+---------------+
|  .    .   vK  | a
|  .  [+N ]  .  | b
|[ . ]  .    .  | c
|  K    .   vSH | d
+---------------+
black in hand: SH G×2
white to move"""
    assert board_text(SMALL) == pictured
    assert board_text(SMALL, kanji=True).splitlines()[3:6] == [
        "+---------------------+",
        "|   .      .    v王将 | a",
        "|   .   [成桂 ]   .   | b",
    ]
    pawns = (OnBoard((0, 0), 0, Token("P")), OnBoard((1, 1), 1, Token("P")))
    assert (
        board_text(Board(2, 2, pawns, coordinates="chess", sides=("white", "black")))
        == """\
  +------+
2 | .  p |
1 | P  . |
  +------+
    a  b"""
    )


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    code = (
        "from tests.test_board_pictures import SMALL, alfil\n"
        "import hashlib\nprint(hashlib.sha256(alfil.Picture(SMALL).svg().encode()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "12345")
    }
    assert len(runs) == 1

"""Pictures that once misled: two pieces with one picture, lines and arrows where nothing goes."""

import json
from dataclasses import replace
from typing import Any

import pytest

import alfil
from test_pictures_law import as_sheet

Square = tuple[int, int]


def picture(piece: str | alfil.Piece, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - of draw
    """All marks and lines of a picture, without its words."""
    data = json.loads(alfil.draw(piece, **options).render("json"))
    for words in ("notation", "label", "description", "note", "status"):
        del data[words]
    return data


def legend(piece: str | alfil.Piece, **options: Any) -> str:  # noqa: ANN401 - of draw
    """The legend of a picture, and what it says below."""
    made = alfil.draw(piece, **options).render("text", legend=True).decode()
    parts = made.split("\n\n")
    return next(part for part in parts if "@  the piece" in part)


def strokes(piece: str, **options: Any) -> set[tuple[Square, Square, str]]:  # noqa: ANN401 - of draw
    """The lines of a picture, each from square to square."""
    found = set()
    for line in picture(piece, **options)["lines"]:
        (x, y), (dx, dy), steps = line["from"], line["step"], line["steps"]
        found.add(((x, y), (x + steps * dx, y + steps * dy), line["kind"]))
    return found


def arrows(piece: str, **options: Any) -> dict[Square, int | None]:  # noqa: ANN401 - of draw
    """The places of arrows, each with how far the piece goes on there, None for ever."""
    return {tuple(each["at"]): each["limit"] for each in picture(piece, **options)["arrows"]}


@pytest.mark.parametrize("text", ["RB5", "RB6", "RB7", "RB8", "R8B", "Q8", "RB4"])
@pytest.mark.parametrize("radius", [None, 4, 7])
def test_a_limit_is_seen(text: str, radius: int | None) -> None:
    assert picture(text, radius=radius) != picture("Q", radius=radius)


@pytest.mark.parametrize(("one", "other"), [("R8", "R"), ("R8", "R9"), ("N4", "N0"), ("Z3", "ZZ")])
def test_pieces_that_leave_the_window_differ(one: str, other: str) -> None:
    assert picture(one) != picture(other)


def test_a_limit_beyond_the_window_stands_at_its_arrow() -> None:
    assert arrows("fR8rB0", radius=4) == {(0, 5): 8, (5, 5): None, (5, -5): None}
    assert arrows("fsN4", radius=7) == {(8, 4): 8, (-8, 4): 8}
    assert "↑8" in alfil.draw("fR8", radius=4).text()
    assert "up to so many squares away" in legend("fR8")
    assert "so many" not in legend("fR")
    # Where some go on for ever, or turn, no number stands.
    assert set(arrows("zB", radius=4).values()) == {None}
    assert arrows("R8[W-R]", radius=4) == arrows("R", radius=4)


def test_a_bounded_piece_has_empty_squares_around() -> None:
    for text, radius in (("W", 2), ("R2", 3), ("N", 3), ("R5", 6), ("R6", 7)):
        assert picture(text)["window"]["north"] == radius


def test_a_step_over_the_edge_needs_no_larger_window() -> None:
    assert picture(alfil.find("marguerite").piece)["window"]["north"] == 4
    assert picture("RB5")["window"]["north"] == 5


def test_landing_anywhere_beyond_is_not_landing_behind() -> None:
    assert picture("pN0") != picture("gN0")
    assert "one step after" in legend("gN0")
    assert "one step after" not in legend("pN0")
    assert picture("gQ") != picture("gQ[pQ-pQ-K]")


def test_a_condition_of_rank_is_no_first_move() -> None:
    assert "first move" not in legend("fmWiifmW2")
    assert "△  as its first move" in legend("fmWifmW2")
    assert "△" not in legend("fmWiifmW2")


def test_a_plain_step_is_not_drawn_as_a_way_after_a_capture() -> None:
    found = strokes("fmFcafmF", files=8, ranks=8, at="d4", enemies=["e5"])
    assert found == {((0, 0), (1, 1), "path"), ((1, 1), (2, 2), "take")}
    assert {kind for _, _, kind in strokes("mKcabK")} <= {"path"}
    assert {kind for _, _, kind in strokes("cabK", enemies=[(1, 1)])} == {"path"}
    assert strokes("fcafmF") == {
        ((0, 0), (1, 1), "path"),
        ((1, 1), (2, 2), "take"),
        ((0, 0), (-1, 1), "path"),
        ((-1, 1), (-2, 2), "take"),
    }


def test_nothing_goes_on_beyond_a_hurdle_without_a_victim() -> None:
    found = picture("mRcpR", enemies=[(-2, 0)], radius=4)
    assert sorted(tuple(each["at"]) for each in found["arrows"]) == [(0, -5), (0, 5), (5, 0)]
    assert {tuple(each["from"]) for each in found["exits"]} == {(0, -4), (0, 4), (4, 0)}
    assert {line["kind"] for line in found["lines"]} == {"path"}
    # What stands beyond the enemy can be taken; the page shows the same.
    taken = picture("mRcpR", enemies=[(-2, 0), (-4, 0)], radius=4)
    assert ((0, 0), (-4, 0), "hop") not in strokes("mRcpR", enemies=[(-2, 0)], radius=4)
    assert "hop" in {line["kind"] for line in taken["lines"]}


def turned(lines: set[tuple[Square, Square, str]]) -> set[tuple[Square, Square, str]]:
    """The same lines, the board turned by a quarter."""
    return {((y, -x), (v, -u), kind) for (x, y), (u, v), kind in lines}


def mirrored(lines: set[tuple[Square, Square, str]]) -> set[tuple[Square, Square, str]]:
    """The same lines, left and right exchanged."""
    return {((-x, y), (-u, v), kind) for (x, y), (u, v), kind in lines}


@pytest.mark.parametrize("name", ["marguerite", "rose", "hook mover", "griffon", "lion"])
def test_lines_are_as_symmetrical_as_the_piece(name: str) -> None:
    entry = alfil.find(name)
    lines = strokes(entry.piece)
    both = lines | {(end, start, kind) for start, end, kind in lines}
    assert both == turned(both) == mirrored(both)


def test_no_solid_line_runs_over_a_piece() -> None:
    found = strokes("jR", files=8, ranks=8, at="d4", friends=["c4"])
    assert ((0, 0), (-2, 0), "jump") in found
    assert ((0, 0), (2, 0), "path") in found


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("fjR", {((0, 0), (0, 2), "jump"), ((0, 2), (0, 4), "path")}),
        ("fDD", {((0, 0), (0, 4), "jump")}),
        ("frN0", {((0, 0), (4, 2), "path")}),  # passes over no square
        ("fRfjR", {((0, 0), (0, 4), "path"), ((0, 0), (0, 2), "jump")}),
    ],
)
def test_a_line_over_a_square_that_may_hold_anything_is_dotted(
    text: str, lines: set[tuple[Square, Square, str]]
) -> None:
    assert strokes(text, radius=4) == lines


def test_whose_piece_is_captured_on_the_way_is_seen() -> None:
    own, enemy = legend("[dQ-K]"), legend("[cQ-K]")
    assert "of its own side on the way" in own
    assert "of its own side" not in enemy
    both = legend("[dQ-K][cQ-K]")
    assert "of its own side on the way" in both
    assert "⊠" in both
    assert "⊠" not in own


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mB[cB-mF]", "mBcafmB"),  # nereid, flying king
        ("[cQ-mK]", "[cQ-mQ]"),
        ("gQ", "gQ[pQ-pQ-K]"),  # grasshopper, dolphin
    ],
)
def test_marks_tell_pieces_apart(one: str, other: str) -> None:
    assert picture(one) != picture(other)
    assert legend(one) != legend(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (alfil.read("[R?sR]"), alfil.read("[R?sR?sR]")),
        (alfil.read("[B?sB]"), alfil.read("n(1×4dD)", "hasinu")),
    ],
)
def test_words_tell_pieces_apart_where_marks_cannot(one: alfil.Piece, other: alfil.Piece) -> None:
    assert alfil.draw(one).subject.words() != alfil.draw(other).subject.words()


@pytest.mark.parametrize("form", ["wikitext", "wikitable"])
@pytest.mark.parametrize(
    ("one", "other"),
    [("R8", "R"), ("R8", "R9"), ("[R?sR]", "[R?sR?sR]"), ("gQ", "gQ[pQ-pQ-K]")],
)
def test_wikitext_tells_pieces_apart(one: str, other: str, form: str) -> None:
    first, second = (alfil.draw(each).render(form) for each in (one, other))
    assert first.replace(one.encode(), b"") != second.replace(other.encode(), b"")
    bare = alfil.draw(one).render(form, sentence=False).decode("utf-8")
    assert alfil.describe(one) in first.decode("utf-8")
    assert alfil.describe(one) not in bare
    assert ("up to 8 squares away" in bare) == (one == "R8")


def test_long_sentences_are_whole() -> None:
    one, other = (f"fmWfceFifmnD[W?B][F?R][cK-bK]mRcpRK{each}O2qN" for each in ("is", "ij"))
    drawn = []
    for text in (one, other):
        picture = alfil.draw(text)
        bare = replace(picture, subject=replace(picture.subject, notation=""))
        for made in (bare, as_sheet(bare)):
            assert alfil.describe(text) in made.svg()
            assert alfil.describe(text) in made.render("html").decode("utf-8")
            drawn.append(made.svg().rpartition("</desc>")[2])
    assert len({*drawn}) == 4


def test_a_piece_without_moves_has_a_title() -> None:
    for form in ("svg", "html", "wikitext"):
        assert "a piece without moves" in alfil.draw("").render(form).decode("utf-8")


def test_a_text_sheet_says_how_each_piece_moves() -> None:
    sheet = alfil.loads('piece A "a" betza=gQ\npiece B "b" betza=mRcpR\n').sheet()
    for form in ("text", "ascii"):
        words = " ".join(sheet.render(form).decode("utf-8").split())
        bare = " ".join(sheet.render(form, sentence=False).decode("utf-8").split())
        for piece in ("gQ", "mRcpR"):
            assert alfil.describe(piece) in words
            assert alfil.describe(piece) not in bare


def test_a_castling_that_may_be_made_later_says_so() -> None:
    assert "as its first move" in legend("KisO2")
    assert "as its first move" not in legend("KO2")


@pytest.mark.parametrize("name", ["chu:LN", "horned falcon", "lion hawk"])
def test_a_second_capture_is_marked_where_a_leap_ends(name: str) -> None:
    text = "KNADcaKmcabK" if name == "chu:LN" else alfil.find(name).piece
    squares = {tuple(each["at"]): each for each in picture(text)["squares"]}
    second = [way for way in squares[0, 2]["ways"] if "locust" in way["asks"]]
    assert [way["ends"] for way in second] == [["move", "capture"]]


def test_the_edge_of_a_picture_is_no_wall() -> None:
    for radius in (3, 4, 5):
        wide = alfil.destinations("qN", radius=12)
        inside = {(x, y) for x, y in wide if max(abs(x), abs(y)) <= radius}
        assert alfil.destinations("qN", radius=radius) == inside
        marked = {tuple(each["at"]) for each in picture("qN", radius=radius)["squares"]}
        assert marked == inside
    assert (4, 4) in alfil.destinations("qN", radius=4)


@pytest.mark.parametrize(
    "text",
    ["mRcpR", "gQ", "mQ[cQ-mK]", "KNADcaKmcabK", "[dQ-K]", "cabK", "[cF-dW]", "[cF-kW]"],
)
def test_what_is_done_on_the_way_is_shown_in_an_example(text: str) -> None:
    example = picture(text)["example"]
    pieces = {"enemy": [], "friend": [], "enemy-royal": []}
    for each in example["standing"]:
        pieces[each["what"]].append(tuple(each["at"]))
    moves = alfil.moves(
        text,
        radius=3,
        enemies=pieces["enemy"],
        friends=pieces["friend"],
        enemy_royals=pieces["enemy-royal"],
    )
    assert any(move.hurdles or set(move.captures) - {move.to} for move in moves)
    assert {tuple(each["at"]) for each in example["squares"] if each["ways"]} == {
        move.to for move in moves
    }
    assert "for example:" in alfil.draw(text).text()
    assert alfil.draw(text).render("json") == alfil.draw(text).render("json")


def test_what_passes_nothing_and_what_is_a_position_has_no_example() -> None:
    assert picture("Q")["example"] is None
    assert picture("mRcpR", enemies=[(2, 0)])["example"] is None
    assert picture("mRcpR", files=9, ranks=10, at="b3")["example"] is None


def test_hops_and_captures_are_shown_in_directions_of_their_own() -> None:
    both = picture("[pB-B][cR-mK]")["example"]
    assert sorted(each["what"] for each in both["standing"]) == ["enemy", "friend"]


def test_the_example_stands_beside_the_board_with_its_legend() -> None:
    svg = alfil.draw("gQ").svg()
    assert svg.count('data-example=""') == 1
    assert svg.index("data-example") < svg.index("</svg>")
    assert 'data-standing="friend" data-at="2,0"' in svg
    assert "data-example" not in alfil.draw("Q").svg()


def test_a_second_capture_is_shown_where_there_is_one() -> None:
    example = picture("KNADcaKmcabK")["example"]
    assert [each["at"] for each in example["standing"]] == [[1, 0], [2, 0]]
    moves = alfil.moves("KNADcaKmcabK", radius=3, enemies=[(1, 0), (2, 0)])
    assert any(set(move.captures) == {(1, 0), (2, 0)} for move in moves)
    either = picture("mWcafW")["example"]
    assert [each["at"] for each in either["standing"]] == [[0, -1], [1, 0], [2, 0]]
    turning = picture("ycavzarH")["example"]
    assert [each["at"] for each in turning["standing"]] == [[0, 3], [3, 0]]


@pytest.mark.parametrize(
    ("text", "radii"),
    [
        ("KNADcaKmcabK", (3, 4, 7)),
        ("gafBpavyas(4,1)", (3, 4, 5)),  # a leap beyond the example
        ("mcafcavR", (3, 4, 5)),  # more captures than can be kept apart in a larger picture
        ("cab(1,4)WcafcF", (4, 5, 7)),  # captures at home what is beyond the smallest example
    ],
)
def test_an_example_is_the_same_beside_a_picture_of_any_size(
    text: str, radii: tuple[int, ...]
) -> None:
    first, *others = (picture(text, radius=radius)["example"] for radius in radii)
    assert first
    assert others == [first] * len(others)
    assert ("farther" in first["remarks"]) == (text == "gafBpavyas(4,1)")


def test_every_bundled_piece_that_passes_others_has_an_example() -> None:
    library = alfil.load("fairy")
    for piece in (library[code].piece for code in library):
        if not {*"cgp"} & {*piece.text}:
            continue
        shown = picture(piece)
        passing = any(
            {"hurdle", "victim", "own-victim"} & {*each["passed"]} for each in shown["squares"]
        )
        assert bool(shown["example"]) == passing, piece.text


@pytest.mark.parametrize(
    ("text", "radius", "claim"),
    [
        ("fsabB", None, "captures on 8 squares and on beyond the diagram; left and right alike."),
        ("oR", None, "left and right alike, forward and back alike."),
        ("fRbR5", 3, "without jumping; left and right alike."),
        ("v[F?mR]", 1, "captures on 4 squares; left and right alike, forward and back alike."),
        ("fr[W?B]", 1, "one step."),
        ("[mA-frdD]", 3, "the same on all sides, but not mirrored."),
        ("[R?sR]", None, "the same on all sides."),
        ("KisO2", None, "by castling; left and right alike."),
        ("frR", None, "without jumping; the same mirrored in a diagonal."),
        ("flbrF", None, "one step; the same mirrored in both diagonals."),
        ("frN", None, "leaping; no two sides alike."),
        ("c(ap)2afcR", None, "the same on all sides."),
    ],
)
def test_sides_are_alike_only_where_all_moves_are(
    text: str, radius: int | None, claim: str
) -> None:
    assert alfil.draw(text, radius=radius).subject.words().endswith(claim)


@pytest.mark.parametrize("text", ["mRisO2", "RisO2", "QisO2", "WDisO2"])
def test_castling_is_drawn_beside_other_moves_to_its_square(text: str) -> None:
    squares = {tuple(each["at"]): each["ways"] for each in picture(text)["squares"]}
    guards = [[name for name, *_ in way["guard"]] for way in squares[2, 0]]
    assert guards == [[], ["castle", "move"]]
    assert "⇄" in legend(text)
    assert "2 squares by castling" in alfil.draw(text).subject.words()


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("fr[W?B]", "diagonally forward-right, turning 45° to the left."),
        ("fl[W?B]", "diagonally forward-left, turning 45° to the right."),
        ("v[F?R]", "straight forward or backward, bending as little as it can."),
        ("f[W?B]", "diagonally, turning 45° to either side."),
    ],
)
def test_a_turn_to_one_side_is_not_said_to_be_to_either(text: str, turn: str) -> None:
    assert alfil.describe(text).endswith(turn)


def test_a_line_of_a_sheet_does_not_say_what_is_not_so_of_a_piece() -> None:
    """Where some may jump or capture on the way, lines do not promise empty squares."""
    rook, wazir = 'piece R "rook" betza=R\n', 'piece W "wazir" betza=W\n'
    taker = 'piece T "taker" betza=[cQ-mK]\n'
    sure, unless = "slides over must be empty.", "unless its words say otherwise"
    assert sure in str(alfil.loads(rook + wazir).sheet())
    text = str(alfil.loads(rook + wazir + taker).sheet())
    assert sure not in text
    assert unless in text


LIMITED = [
    f"{first}{atom}{near or ''}{other}{atom}{far or ''}"
    for atom in ("R", "B", "Q")
    for first, other in (("m", "c"), ("c", "m"), ("m", "k"))
    for near, far in ((0, 3), (0, 4), (0, 5), (0, 6), (0, 7))
]


@pytest.mark.parametrize("text", LIMITED)
def test_the_square_before_an_arrow_shows_how_the_moves_go_on(text: str) -> None:
    """As in a window of 17 squares, whose edge no limit of these pieces reaches."""
    shown = json.loads(alfil.draw(text).render("json"))
    wide = json.loads(alfil.draw(text, radius=8).render("json"))
    before, beyond = (
        {tuple(each["at"]): [way["ends"] for way in each["ways"]] for each in drawn["squares"]}
        for drawn in (shown, wide)
    )
    assert shown["exits"]
    for each in shown["exits"]:
        (x, y), (dx, dy) = each["from"], each["step"]
        line = [(x + n * dx, y + n * dy) for n in range(1, 8)]
        onward = [beyond[at] for at in line if at in beyond]
        assert onward == [before[x, y]] * len(onward)


def test_a_castling_that_something_hinders_has_no_line() -> None:
    found = []
    for enemies in ([], ["b1"], ["g1"]):
        picture = alfil.draw(
            *("KisO2",),
            **{"files": 8, "ranks": 8, "at": "e1", "unmoved": True},
            enemies=enemies,
            unmoved_friends=["a1", "h1"],
        )
        lines = json.loads(picture.render("json"))["lines"]
        found.append({tuple(each["step"]) for each in lines if each["steps"] > 1})
    assert found == [{(-1, 0), (1, 0)}, {(1, 0)}, {(-1, 0)}]


@pytest.mark.parametrize(
    "text",
    [
        *("j(3×1dE,1)", "j(4×1dE,2)", "j(4×1dE,E,1)", "j({2,3}×1dE,1)", "j({2,4}×1dE,F)"),
        *("j(n4dO,F)", "j(n4dO,E)", "j(n4dO,F,2)", "j(n4dO,1)", "j(3×4dO,F,2)", "n4dO", "3×1dE"),
    ],
)
def test_every_square_where_a_run_may_jump_a_piece_is_marked(text: str) -> None:
    piece = alfil.read(text, "hasinu")
    passed = {tuple(each["at"]): each["passed"] for each in picture(piece, radius=5)["squares"]}
    for x in range(1, 5):
        jumped = set[str]()
        for side in ("enemies", "friends"):
            found = alfil.moves(piece, radius=5, **{side: [(x, 0)]})
            beyond = any(move.to[0] > x for move in found)
            jumped |= {side} if beyond else set()
        assert ("hurdle" in passed.get((x, 0), ())) == bool(jumped), (text, x)
        told = "Not every piece is one it may hop over." in alfil.draw(piece).text()
        assert not jumped or told == (len(jumped) == 1), (text, x)


@pytest.mark.parametrize("text", ["j(n4dO,F)", "j({2,4}×1dE,F)", "j(3×1dE,1)"])
def test_a_jump_of_some_pieces_is_no_way_over_empty_squares(text: str) -> None:
    piece = alfil.read(text, "hasinu")
    shown = picture(piece, radius=5, friends=[(1, 0)])
    ways = {tuple(each["at"]): each["ways"] for each in shown["squares"]}
    assert {way["ends"][0] for at in ways if at[0] > 1 for way in ways[at]} == {"move"}
    assert all("hurdle" in way["asks"] for at in ways if at[0] > 1 for way in ways[at])
    assert "over a piece in between" in alfil.draw(piece).subject.words()
    assert "★" not in legend(piece)


@pytest.mark.parametrize("text", ["sz(2) & j(n4dO,1)", "sz(2) & j(3×1dE,1)", "sz(1,2) & j(n4dO,2)"])
def test_an_example_has_the_moves_of_all_squares_of_a_piece(text: str) -> None:
    piece = alfil.read(text, "hasinu")
    example = picture(piece)["example"]
    if not example:  # then no piece on its way lets it end a move
        hops = [alfil.moves(piece, radius=4, friends=[(x, 0)]) for x in range(2, 4)]
        assert not any(move.hurdles for moves in hops for move in moves)
        return
    pieces = {"enemy": [], "friend": [], "enemy-royal": []}
    for each in example["standing"]:
        pieces[each["what"]].append(tuple(each["at"]))
    radius = example["window"]["north"]
    moves = alfil.moves(piece, radius=radius, enemies=pieces["enemy"], friends=pieces["friend"])
    ends = {tuple(each["at"]) for each in example["squares"] if each["ways"]}
    assert ends == {move.to for move in moves}


FIRST = "as its first move"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("ikQ", ["♔  as its first move: captures a royal piece only"]),
        ("idR", ["□  as its first move: captures a piece of its own side"]),
        ("icaibR", ["⊠  as its first move: captured on the way"]),
        ("icaibR", ["!  as its first move: returns to its own square after a capture"]),
        ("ikQ", ["♔  goes on beyond the diagram as its first move: captures a royal piece only"]),
        ("imcabK", ["↻  as its first move: may return to its own square: a pass"]),
        ("icafF", ["▲  as its first move, one step after a capture on the way: moves or captures"]),
        ("ipR", ["▲  as its first move, over a piece in between: moves or captures"]),
        ("ipR", ["■  as its first move: may jump over a piece here"]),
        ("inD", ["◦  as its first move: passes here, when it is empty"]),
        ("iR[cR-mK]ifN", ["▲  as its first move: moves or captures", "⊠  captured on the way"]),
        ("ipfRifN", [f"▲  {FIRST}: moves or", f"▲  {FIRST}, over a piece in between: moves or"]),
        ("kRibkB", ["♔  captures a royal piece only, on some squares only as its first move"]),
        ("cabWicabF", ["⊠  captured on the way, on some squares only as its first move"]),
    ],
)
def test_a_legend_says_what_is_so_only_at_certain_moves(text: str, lines: list[str]) -> None:
    told = alfil.draw(text).text()
    page = " ".join(alfil.draw(text).render("html").decode("utf-8").split())
    for line in lines:
        assert line in told
        assert line[3:] in page


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("imcabK", "Captures without moving, on 8 squares, as its first move; the same"),
        ("mcabK", "Captures without moving, on 8 squares; the same"),
        ("idR", "its own side captured on 16 squares and on beyond the diagram, as its first"),
    ],
)
def test_a_summary_says_what_is_so_only_at_certain_moves(text: str, words: str) -> None:
    assert words in alfil.draw(text).subject.words()


def test_data_say_when_something_is_passed() -> None:
    passed = {tuple(each["at"]): each for each in picture("icafFcafW")["squares"]}
    assert passed[1, 1]["passed_when"] == [["victim", [["move", 1, 0]]]]
    assert "passed_when" not in passed[0, 1]
    turns = alfil.draw(alfil.read("atmove(2,i(n4dO),turn)", "hasinu")).text()
    assert "⊠  on every second turn of its side: captured on the way" in turns


@pytest.mark.parametrize("piece", ["isO2", "isO3", "ilO2", "isjO2"])
def test_castling_is_shown_where_a_partner_may_stand(piece: str) -> None:
    for file in "abcdefgh":
        at = f"{file}1"
        shown = {
            tuple(mark["at"])
            for mark in picture(piece, files=8, ranks=8, at=at)["squares"]
            if mark["ways"]
        }
        possible = {
            move.to
            for other in set("abcdefgh") - {file}
            for move in alfil.moves(
                piece, files=8, ranks=8, at=at, unmoved_friends={f"{other}1"}, unmoved=True
            )
        }
        assert shown == possible, at


@pytest.mark.parametrize("text", ["j(1×4dD &t n4dO,2)", "j(n(1×8d),1)", "j(n4dD,2)"])
def test_what_may_jump_over_so_many_pieces_anywhere_does_not_leap(text: str) -> None:
    shown = picture(alfil.read(text, "hasinu"), radius=4)
    squares = {tuple(each["at"]): each for each in shown["squares"]}
    asks = [ask for each in squares.values() for way in each["ways"] for ask in way["asks"]]
    assert {*asks} == {"clear", "hurdle"}
    assert any("hurdle" in each["passed"] for each in squares.values())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("kpQ", "only a royal piece on 24 squares over a piece in between and on beyond"),
        ("dpR", "12 squares over a piece in between and on beyond the diagram; its own side"),
        (
            "pRkpB",
            "captures only a royal piece on 12 squares over a piece in between and on beyond",
        ),
    ],
)
def test_captures_of_some_pieces_alone_go_on_beyond_the_diagram(text: str, told: str) -> None:
    assert told in " ".join(alfil.draw(text).text().split())


@pytest.mark.parametrize("text", ["abK", "mKabK", "KmabK", "KNADmabK", "mWabWcF"])
def test_a_pass_is_shown_whatever_else_ends_on_its_squares(text: str) -> None:
    assert (0, 0) in {move.to for move in alfil.moves(text)}
    assert "↻" in alfil.draw(text).text()

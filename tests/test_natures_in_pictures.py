"""Signs for what a piece is or does beside its moves: royal, burning, immobilising, shooting."""

import json
import re

import pytest

import alfil
from inside import run

PIECES = [
    ("royal() & 1×8d", "is-royal", "♚", "Royal; all royal pieces of a side must survive."),
    ("burn(1×8d) & n8d", "burns", "☼", "Burns enemies in its range when it ends a move"),
    ("im(1×8d) & n8d", "immobilises", "❄", "Immobilises enemies in its range after its own move"),
]


@pytest.mark.parametrize(("text", "name", "sign", "words"), PIECES)
def test_a_piece_carries_the_sign_of_its_nature(
    text: str, name: str, sign: str, words: str
) -> None:
    piece = alfil.read(text, "hasinu")
    picture = alfil.draw(piece)
    bare = " ".join(picture.render("text", sentence=False).decode("utf-8").split())
    assert f"@{sign}" in bare
    assert f"{sign} {words}" in bare
    assert f'data-sign="{name}" data-at="0,0"' in picture.svg()
    assert words.removesuffix(".") in picture.render("wikitext", sentence=False).decode("utf-8")
    assert name in json.dumps(picture.render("html").decode("utf-8"))


def test_a_piece_without_such_a_nature_carries_none() -> None:
    shown = alfil.draw("K").svg()
    assert not any(f'data-sign="{name}"' in shown for _, name, _, _ in PIECES)


def test_the_royal_piece_of_a_file_carries_a_crown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diagram", "chess:K", "-f", "svg"]) == 0
    assert 'data-sign="is-royal"' in capsys.readouterr().out
    assert run(["diagram", "chess:Q", "-f", "svg"]) == 0
    assert 'data-sign="is-royal"' not in capsys.readouterr().out
    assert "@♚" in alfil.load("chess").sheet().text()


def test_a_large_piece_is_framed_and_tinted_where_its_parts_may_come() -> None:
    step = alfil.draw(alfil.read("sz(2) & 1×4dO", "hasinu"))
    svg = step.svg()
    # The frame is two squares of 40 wide and high, a little smaller.
    assert svg.count('data-footprint=""') == 1
    assert "h74v74h-74z" in svg
    # Eight squares around two by two, and no sign of a small square.
    (tinted,) = (part for part in svg.split("<path ") if part.startswith("data-swept"))
    assert tinted.partition("/>")[0].count("M") == 8
    assert 'data-sign="body"' not in svg
    assert "near left square" in step.text()
    # Text and pages show the same; ▣ also stands where its parts end with a sign.
    board = step.text().partition("@  the piece")[0]
    assert [line.split() for line in board.splitlines() if "·" in line] == [
        ["·", "·", "▫", "▫", "·"],
        ["·", "▫", "●▣", "▣", "▫"],
        ["·", "●", "@", "●▣", "▫"],
        ["·", "·", "●", "▫", "·"],
        ["·"] * 5,
    ]
    assert "▫  some part of the piece may come here" in step.text()
    page = step.render("html").decode("utf-8")
    (data,) = re.findall(r'<script[^>]*id="data">(.*?)</script>', page, re.DOTALL)
    shown = json.loads(data)
    assert {*shown["body"]} == {12, 13, 17, 18}
    assert {7, 8, 11, 14, 16, 19, 22, 23} == {*shown["swept"]}
    wide = alfil.draw(alfil.read("sz(3,1) & 1×4dO", "hasinu")).svg()
    assert "h114v34h-114z" in wide
    assert "data-footprint" not in alfil.draw("W").svg()


def test_what_is_blocked_by_some_pieces_or_may_not_capture_them_says_so() -> None:
    entry = {each.code: each for each in alfil.load("janggi").pieces}["C"]
    blocked = "Can neither capture nor pass these pieces, nor hop over them: cannon."
    assert blocked in alfil.describe(entry)
    assert blocked in " ".join(alfil.draw(entry).text().split())
    bishop_general = alfil.load("tenjiku")["BG"]
    assert "Can neither jump over these pieces nor capture them by a jump: king," in alfil.describe(
        bishop_general
    )
    king = alfil.load("chess960")["K"]
    assert "Castles with a rook, when neither has moved" in alfil.describe(king)
    assert "goes to the c or g file" in alfil.draw(king).subject.description
    text = (
        "board 8x8\n"
        'piece A "guard" betza=W\npiece B "lion" betza=Q\npiece C "shield" betza=R immune-to=A,B\n'
    )
    guard, lion, shield = alfil.loads(text).pieces
    for entry in (guard, lion):
        assert "Cannot capture these pieces: shield." in alfil.describe(entry)
        assert "Cannot capture these pieces: shield." in alfil.draw(entry).subject.description
    assert "Cannot" not in alfil.describe(shield)


@pytest.mark.parametrize(
    ("text", "sign"), [("mcabK", "return"), ("mcabK", "pass"), (r"royal(O) & \Q", "is-royal")]
)
def test_no_line_runs_through_a_sign_beside_the_piece(text: str, sign: str) -> None:
    notation = "hasinu" if "royal" in text else "betza"
    assert f'href="#ground.{sign}"' in alfil.draw(alfil.read(text, notation)).svg()

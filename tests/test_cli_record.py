"""`alfil record`: what it lists, shows and writes of games in files."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import alfil
from inside import run

Capture = pytest.CaptureFixture[str]
GAMES = """[White "Ada"]
[Black "Grace"]
[Date "2026.11.22"]

1. f3 {a <b>weak</b> move} e5 (1... d5) 2. g4 Qh4# 0-1

[White "Ada"]

1. e4 e5 2. Ke3 *

1. e4 Nf6 1/2-1/2
"""


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES, encoding="utf-8")
    return str(path)


@pytest.fixture
def one(tmp_path: Path) -> str:
    path = tmp_path / "one.pgn"
    path.write_text(GAMES.partition('[White "Ada"]\n\n1. e4')[0], encoding="utf-8")
    return str(path)


def test_games_are_listed_and_every_mistake_is_named(games: str, capsys: Capture) -> None:
    assert run(["record", games]) == 1
    out, err = capsys.readouterr()
    assert out == (
        "game 1: Chess, Ada – Grace, 2026-11-22\n"
        "  1. f3 {a <b>weak</b> move} e5 2. g4 Qh4#\n"
        "  4 moves; black wins by mate\n"
        "game 3: Chess\n"
        "  1. e4 Nf6\n"
        "  2 moves; draw, no reason is given\n"
    )
    assert "game 2 is wrong:" in err
    assert "9:13: the king on e1 cannot go to e3 [pattern]" in err
    assert "note" not in err


def test_the_board_at_a_move(one: str, tmp_path: Path, capsys: Capture) -> None:
    assert run(["record", one, "--at", "3"]) == 0
    out = capsys.readouterr().out
    assert "position: rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b - 4" in out
    assert run(["record", one, "--at", "3", "-o", str(tmp_path / "board.svg")]) == 0
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
    assert run(["record", one, "--at", "5"]) == 2
    assert run(["record", one, "--number", "2"]) == 2


def test_games_are_written_in_another_format(one: str, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "one.alfil"
    assert run(["record", one, "--to", "hodges", "-o", str(out)]) == 0
    assert alfil.records.load_match(out).round.texts == ["P-f3", "P-e5", "P-g4", "Q-h4"]
    capsys.readouterr()
    assert run(["record", str(out), "--to", "pgn"]) == 0
    assert (
        "1. f3 {a <b>weak</b> move} 1... e5 ( 1... d5 ) 2. g4 Qh4# 0-1" in capsys.readouterr().out
    )
    assert run(["record", one, "--to", "kif"]) == 1
    assert "[no-names]" in capsys.readouterr().err


def test_nothing_is_written_of_a_file_with_mistakes(games: str, tmp_path: Path) -> None:
    assert run(["record", games, "--to", "pgn", "-o", str(tmp_path / "out.pgn")]) == 1
    assert not (tmp_path / "out.pgn").exists()


class Links(HTMLParser):
    """The names on a page, and where its links go."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names, self.links, self.tags = set[str](), set[str](), set[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.names.add(value or "")
            if name == "href" and tag == "a":
                self.links.add((value or "").removeprefix("#"))


def test_a_page_to_click_through(one: str, tmp_path: Path) -> None:
    out = tmp_path / "one.html"
    assert run(["record", one, "--html", "-o", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    found = Links(page)
    assert {f"m{number}" for number in range(5)} <= found.names
    assert found.links == {f"m{number}" for number in range(5)}
    assert found.tags & {"script", "img", "b", "link"} == set()
    assert "a &lt;b&gt;weak&lt;/b&gt; move" in page
    assert "black wins by mate" in page
    # The beginning is seen first, so it stands behind all others.
    assert re.findall(r'id="(m[0-9])"', page) == ["m1", "m2", "m3", "m4", "m0"]
    assert len(page) < 150_000


def test_a_finished_game_is_shown_when_it_is_resumed(
    one: str, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "one.alfil"
    run(["record", one, "--to", "hodges", "-o", str(out)])
    before = out.read_bytes()
    assert run(["play", "--resume", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "  1. f3 {a <b>weak</b> move} e5 2. g4 Qh4#\n  4 moves; black wins by mate\n" in shown
    assert "help lists" not in shown
    assert out.read_bytes() == before


def test_the_game_is_named_where_the_file_does_not_tell_it(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "mine.pgn"
    path.write_text('[Variant "My own game"]\n\n1. e4 e5 *\n', encoding="utf-8")
    assert run(["record", str(path)]) == 1
    assert "[unknown-set]" in capsys.readouterr().err
    assert run(["record", str(path), "--game", "chess"]) == 0


def test_a_page_has_no_board_for_each_of_thousands_of_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, page = tmp_path / "long.pgn", tmp_path / "long.html"
    game.write_text("1. Nf3 Nf6 2. Ng1 Ng8 " * 400, encoding="utf-8")
    assert run(["record", str(game), "--html", "-o", str(page)]) == 1
    assert "a page of this game has at most 1,562 moves, not 1,600" in capsys.readouterr().err
    assert not page.exists()

"""Records of games and matches: what is saved is loaded, and what goes wrong loses nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil import Session
from record_games import bundled, hard_games
from strategies import examples

MATCH = Path(__file__).parent / "cases" / "records" / "match.alfil"
LIBRARY = alfil.load("hand_shogi")
HEAD = "alfil record 1\ngame: hand_shogi\n"


def render(session: Session, *, finished: bool) -> str:
    """The text of a record, as it is when a match is saved, or while it goes on."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.alfil"
        if finished:
            alfil.records.save_match(session, path)
        else:
            alfil.records.Journal(path, session)
        return path.read_bytes().decode()


def told(session: Session) -> list[object]:
    """All that a record has to keep."""
    return [
        session.players,
        session.adjudicate,
        [
            (
                each.texts,
                each.comments,
                each.date,
                each.start,
                each.game.moves,
                each.game.position_text(),
                each.game.outcome(),
                each.game.illegal_text,
            )
            for each in session.rounds
        ],
    ]


def a_match() -> Session:
    """A short match with a bit of everything."""
    session = Session(bundled("hand_shogi"), ("Ada", "Grace"), adjudicate=True, date="today")
    session.comment("first } of \\ all\n\nround 2\nend\r\n{")
    for move in ("SO-6f", "SO-4d", "T*5e"):
        session.push(move)
    session.comment("one")
    session.comment("two")
    session.push("K-5b")
    session.next_round("9/9/4K4/9/9/9/4k4/9/9 w - 7")
    session.push("K-4g")
    session.comment("after the second side")
    session.push("K-4c")
    session.agree_impasse()
    session.next_round()
    session.push("SO-6f")
    return session


@pytest.mark.parametrize("finished", [True, False])
def test_a_match_is_loaded_as_it_was_saved(tmp_path: Path, finished: bool) -> None:  # noqa: FBT001
    session, path = a_match(), tmp_path / "a.alfil"
    if finished:
        alfil.records.save_match(session, path)
        loaded = alfil.records.load_match(path)
        assert render(loaded, finished=True) == path.read_text()
        assert loaded.lost is None
    else:
        alfil.records.Journal(path, session)
        loaded = alfil.records.load_match(path, recover=True)
        assert loaded.lost is not None
    assert told(loaded) == told(session)
    loaded.push("SO-4d")
    assert loaded.round.texts == ["SO-6f", "SO-4d"]


@pytest.mark.parametrize("name", hard_games())
def test_random_games_of_all_kinds_are_loaded_as_they_were_saved(name: str) -> None:
    session, draw = Session(hard_games()[name]), random.Random(8)
    for _ in range(14):
        if not session.game.legal_moves:
            break
        session.push(draw.choice(session.game.legal_moves))
    library = replace(alfil.load("hand_shogi"))
    library.__dict__["variant"] = session.variant
    assert told(alfil.records.read_match(render(session, finished=True), library)) == told(session)


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    game = alfil.load("chess").game()
    for move in ("P-e4", "P-e5", "N-f3"):
        game.push(move)
    alfil.records.save_game(game, tmp_path / "game.alfil", ("Ada", "Grace"), "2026-11-21")
    loaded = alfil.records.load_game(tmp_path / "game.alfil")
    assert (loaded.texts, loaded.date) == (["P-e4", "P-e5", "N-f3"], "2026-11-21")
    assert loaded.game.position_text() == game.position_text()
    assert "player 2: Grace" in (tmp_path / "game.alfil").read_text()


def test_the_moves_of_the_pieces_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "own.alfil"
    library = alfil.load("hand_shogi", pieces={"T": "R4", "O": "hasinu:j(3×4dO)"})
    session = Session(library.variant)
    session.push("T*5e")
    session.push("SO-4d")
    session.push("T-5d")
    alfil.records.save_match(session, path)
    assert "override T: betza:R4\n" in path.read_text()
    assert "override O: hasinu:j(3×4dO)\n" in path.read_text()
    assert told(alfil.records.load_match(path)) == told(session)
    assert told(alfil.records.load_match(path, library)) == told(session)
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.load_match(path, alfil.load("hand_shogi"))
    assert caught.value.kind == "other-moves"
    assert "T moves as betza:R4 in this record, as betza:Q3 in the game" in str(caught.value)


WRONG = [
    # after the head, kind, line and column, words
    ("\nround 1\n\n1. SO-6f O*5e\nend\n", "drop-check", (6, 10), "must give check"),
    ("\nround 1\n\n1. SO-6f SO-6z\nend\n", "unreadable-move", (6, 13), "6z is no square"),
    ("\nround 1\n\n1. SO-6f SO-4d\n3. T*5e\nend\n", "move-number", (7, 1), "here comes move 2"),
    ("\nround 1\n\n1. ... SO-4d\nend\n", "move-number", (6, 4), "is to move here"),
    ("\nround 1\n\n1. SO-6f\nresult: b, mate\nend\n", "record-result", (7, 9), "goes on"),
    ("\nround 1\n\nresult: w, resignation\n\nround 3\n", "record-line", (8, 1), "round 2"),
    ("\nround 1\n\n1. SO-6f\n\nround 2\n\nend\n", "round-goes-on", (8, 1), "round 1 is not over"),
    ("\nround 1\n\nresult: b, resignation\n1. SO-6f\nend\n", "game-over", (7, 4), "resignation"),
    ("\nround 1\n\nillegal: K-5h\nend\n", "record-result", (6, 10), "illegal moves do not lose"),
    ("\nround 1\n\nresult: draw, impasse\nend\n", "no-impasse", (6, 9), "zones"),
    ("\nround 1\nposition: 9/9\n\nend\n", "position-size", (5, 11), "9 ranks"),
    ("\nround 1\nplace: Rome\n\nend\n", "unknown-header", (5, 1), "date"),
    ("playr 1: Ada\n\nend\n", "unknown-header", (3, 1), "did you mean player 1?"),
    ("game: chess\n\nend\n", "record-line", (3, 1), "two lines game"),
    ("Ada\n\nend\n", "record-line", (3, 1), "no name and value"),
    ("illegal moves: never\n\nend\n", "record-line", (3, 16), "lose"),
    ("\nround 1\nclaims: maybe\n\nend\n", "record-line", (5, 9), "claims: played on"),
    ("move K: betza:W\n\nend\n", "other-moves", (3, 9), "as betza:K in the game"),
    ("move Z: betza:W\n\nend\n", "other-moves", (3, 9), "no piece Z"),
    ("move K: betza:K\n\nend\n", "other-moves", (2, 7), "how T moves"),
    ("\nend\nround 1\n", "record-line", (5, 1), "after the end"),
    (
        "\nround 1\n\nresult: b, resignation\n\nrounfd 2\n\nend\n",
        "game-over",
        (8, 1),
        "mean round?",
    ),
    ("\nround 1\n\n1. SO-6f SO-4d\n", "record-breaks-off", (7, 1), "its end is missing"),
    ("\nround 1\n\n1. SO-6f {so", "record-breaks-off", (6, 10), "breaks off in {so"),
]


def test_a_record_may_name_only_the_movements_that_were_changed() -> None:
    for move, spelled in (("betza:R", "betza:R"), ("R", "betza:R"), ("griffon", "betza:[F?R]")):
        session = alfil.records.read_match(HEAD + f"override T: {move}\n\nend\n")
        assert dict(session.variant.moves)["T"] == spelled


@pytest.mark.parametrize(
    ("line", "kind"), [("override T: hello", "no-atom"), ("override X: R", "unknown-piece")]
)
def test_a_movement_that_cannot_be_used_is_shown_in_the_record(line: str, kind: str) -> None:
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.read_match(HEAD + f"{line}\n\nend\n")
    assert (caught.value.kind, caught.value.source.name) == (kind, "<record>")
    assert caught.value.source.position(caught.value.spans[0].start)[:2] == (3, 13)


def test_a_record_without_a_game_says_that_it_is_missing() -> None:
    with pytest.raises(alfil.RecordError, match="of what game"):
        alfil.records.read_match("alfil record 1\nend\n", LIBRARY)


@pytest.mark.parametrize(("text", "kind", "place", "words"), WRONG)
def test_what_is_wrong_is_shown_where_it_stands(
    text: str, kind: str, place: tuple[int, int], words: str
) -> None:
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.read_match(HEAD + text, LIBRARY)
    error = caught.value
    position = error.source.position(error.spans[0].start)
    assert (error.kind, (position.line, position.column)) == (kind, place)
    assert words in str(error)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no-record"),
        ("1. e4 e5", "no-record"),
        ("alfil record 2\n\nend\n", "record-version"),
        ("alfil record one\n\nend\n", "record-version"),
        ("alfil record 1\n\nend\n", "record-line"),
        ("alfil record 1\ngame: chess", "record-breaks-off"),
    ],
)
def test_what_is_no_record(text: str, kind: str) -> None:
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.read_match(text, alfil.load("hand_shogi"), recover=True)
    assert caught.value.kind == kind


def test_a_record_of_another_game() -> None:
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.read_match("alfil record 1\ngame: chess\n\nend\n", alfil.load("hand_shogi"))
    assert caught.value.kind == "other-game"
    with pytest.raises(alfil.AlfilError) as unknown:
        alfil.records.read_match("alfil record 1\ngame: hnad_shogi\n\nend\n")
    assert unknown.value.kind == "unknown-set"


def test_a_record_of_several_games_is_no_game() -> None:
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.load_game(MATCH)
    assert caught.value.kind == "several-games"
    assert alfil.records.load_match(MATCH).match.results == ("w", "w", "b")


def test_records_written_by_hand() -> None:
    text = "1. 6g6f {to\nthe front} f7f6 2. so5g-5f\n{}"
    session = alfil.records.read_match(f"{HEAD}\nround 1\n\n{text}\n\nend")
    assert session.round.texts == ["SO-6f", "SO-4d", "SO-5f"]
    assert session.round.comments == {1: ["to\nthe front"], 3: [""]}


def recovered(path: Path, library: alfil.Library) -> Session | str:
    """What can be had of a file, or the kind of the error."""
    try:
        return alfil.records.load_match(path, library, recover=True)
    except alfil.RecordError as error:
        return error.kind


def test_a_file_that_ends_at_any_byte(tmp_path: Path) -> None:
    """Without its end it is an error; what is whole of it can be had, and only that."""
    library, path = alfil.load("minishogi"), tmp_path / "cut.alfil"
    session = Session(library.variant, ("Ада", "Grace"))
    for _ in range(3):
        session.push(session.game.legal_moves[0])
        session.comment("hm {…")
    session.resign()
    whole, texts = render(session, finished=True).encode(), session.round.texts
    beginning, found = whole.index(b"round 1"), set()
    for at in range(len(whole) - 1):
        path.write_bytes(whole[:at])
        with pytest.raises(alfil.RecordError):
            alfil.records.load_match(path, library)
        loaded = recovered(path, library)
        assert path.read_bytes() == whole[:at]
        if isinstance(loaded, str):
            assert at < beginning
            continue
        assert loaded.lost is not None
        # A move counts from the blank or the line break behind it.
        known = whole[:at].decode(errors="ignore")
        whole_texts = [text for text in texts if f"{text} " in known or f"{text}\n" in known]
        assert loaded.round.texts == whole_texts
        found.add(len(whole_texts))
    assert found == {0, 1, 2, 3}


def test_a_round_without_all_of_its_head_is_not_begun() -> None:
    session = Session(bundled("hand_shogi"))
    session.resign()
    session.next_round("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    text = render(session, finished=False)
    for end in range(text.index("round 2") + 3, len(text) - 1):
        loaded = alfil.records.read_match(text[:end], recover=True)
        assert (len(loaded.rounds), loaded.lost is None) == (1, False)
    assert len(alfil.records.read_match(text, recover=True).rounds) == 2


def test_a_journal_is_at_every_moment_what_has_happened(tmp_path: Path) -> None:
    path, session = tmp_path / "journal.alfil", Session(bundled("hand_shogi"))
    journal = alfil.records.Journal(path, session)

    def check() -> None:
        journal.write()
        assert told(alfil.records.load_match(path, recover=True)) == told(session)

    before = path.read_bytes()
    for move in ("SO-6f", "SO-4d", "T*5e"):
        session.push(move)
        check()
        assert path.read_bytes().startswith(before)  # it was added to
        before = path.read_bytes()
    session.comment("a fine move")
    check()
    session.pop()
    check()
    session.resign()
    check()
    session.next_round()
    check()
    journal.close()
    assert told(alfil.records.load_match(path)) == told(session)
    assert [each.name for each in tmp_path.iterdir()] == ["journal.alfil"]


def test_a_match_goes_on_after_a_crash(tmp_path: Path) -> None:
    path, session = tmp_path / "crash.alfil", Session(bundled("hand_shogi"))
    journal = alfil.records.Journal(path, session)
    for move in ("SO-6f", "SO-4d"):
        session.push(move)
        journal.write()
    path.write_bytes(path.read_bytes() + b"2. T*")
    loaded = alfil.records.load_match(path, recover=True)
    assert loaded.lost is not None
    assert "breaks off in T*" in loaded.lost.message
    with alfil.records.Journal(path, loaded, overwrite=True) as second:
        loaded.push("T*5e")
        second.write()
    assert alfil.records.load_game(path).texts == ["SO-6f", "SO-4d", "T*5e"]


def test_a_journal_does_not_write_over_files(tmp_path: Path) -> None:
    path, session = tmp_path / "there.alfil", Session(bundled("hand_shogi"))
    path.write_text("precious")
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.Journal(path, session)
    assert (caught.value.kind, path.read_text()) == ("record-exists", "precious")
    journal = alfil.records.Journal(path, session, overwrite=True)
    path.write_text("somebody else's")
    session.push("SO-6f")
    with pytest.raises(alfil.RecordError) as caught:
        journal.write()
    assert (caught.value.kind, path.read_text()) == ("record-changed", "somebody else's")


MOVES = ("SO-6f", "SO-4d", "T*5e")


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file can become longer than this: a longer write is cut off, the next one fails."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", range(6))
def test_a_full_disk_loses_no_move(tmp_path: Path, room: int) -> None:
    path, session = tmp_path / "full.alfil", Session(bundled("hand_shogi"))
    journal = alfil.records.Journal(path, session)
    session.push(MOVES[0])
    journal.write()
    before = path.read_bytes()
    session.push(MOVES[1])
    with room_for(len(before) + room), pytest.raises(alfil.AlfilError) as caught:
        journal.write()
    assert (caught.value.kind, path.read_bytes()) == ("cannot-write", before)
    session.push(MOVES[2])
    journal.write()
    assert alfil.records.load_match(path, recover=True).game.moves == session.game.moves
    journal.close()
    assert told(alfil.records.load_match(path)) == told(session)


@pytest.mark.parametrize("taken_back", [0, 1])
def test_a_write_that_stays_half_done_is_made_whole(tmp_path: Path, taken_back: int) -> None:
    """As when the disk fails, and what was written cannot be cut off either."""
    path, session = tmp_path / "half.alfil", Session(bundled("hand_shogi"))
    journal = alfil.records.Journal(path, session)
    before = path.read_bytes()
    session.push(MOVES[0])
    with room_for(len(before)), pytest.raises(alfil.AlfilError):
        journal.write()
    path.write_bytes(before + b"1. S")
    if taken_back:
        session.pop()
    journal.write()
    assert told(alfil.records.load_match(path, recover=True)) == told(session)


def test_a_folder_that_was_removed_gets_the_record_again(tmp_path: Path) -> None:
    folder, session = tmp_path / "folder", Session(bundled("hand_shogi"))
    folder.mkdir()
    journal = alfil.records.Journal(folder / "match.alfil", session)
    rmtree(folder)
    session.push(MOVES[0])
    with pytest.raises(alfil.AlfilError) as caught:
        journal.write()
    assert caught.value.kind == "cannot-write"
    folder.mkdir()
    journal.write()
    loaded = alfil.records.load_match(folder / "match.alfil", recover=True)
    assert told(loaded) == told(session)


def test_two_programs_do_not_keep_a_match_in_one_file(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    path, session = tmp_path / "one.alfil", Session(bundled("hand_shogi"))
    journal = alfil.records.Journal(path, session)
    session.push(MOVES[0])
    session.comment("which makes the file anew")
    journal.write()
    # Another handle stands for another program.
    with path.open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    journal.close()
    with path.open() as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        before = path.read_bytes()
        with pytest.raises(alfil.RecordError) as caught:
            alfil.records.Journal(path, alfil.records.load_match(path), overwrite=True)
    assert (caught.value.kind, path.read_bytes()) == ("record-in-use", before)


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path, session = tmp_path / "old.alfil", Session(bundled("hand_shogi"))
    path.write_text("old")
    session.comment("\ud800")
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.save_match(session, path)
    assert (caught.value.kind, path.read_text()) == ("cannot-write", "old")
    for place in (tmp_path, tmp_path / "none" / "x.alfil", tmp_path / "a\0b"):
        with pytest.raises(alfil.AlfilError) as failed:
            alfil.records.save_match(a_match(), place)
        assert failed.value.kind == "cannot-write"
    assert [each.name for each in tmp_path.iterdir()] == ["old.alfil"]


def test_other_line_ends_and_a_mark_of_byte_order(tmp_path: Path) -> None:
    session, path = a_match(), tmp_path / "dos.alfil"
    text = render(session, finished=True)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert told(alfil.records.load_match(path)) == told(session)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    places = {
        tmp_path / "none.alfil": "cannot-read",
        tmp_path: "cannot-read",
        tmp_path / "a\0b": "cannot-read",
        tmp_path / "latin.alfil": "not-utf8",
        tmp_path / "long.alfil": "too-long",
    }
    (tmp_path / "latin.alfil").write_bytes(HEAD.encode() + b"player 1: Andr\xe9\n\nend\n")
    (tmp_path / "long.alfil").write_bytes(HEAD.encode() + b"\n" * 1_000_000)
    for path, kind in places.items():
        with pytest.raises(alfil.RecordError) as caught:
            alfil.records.load_match(path)
        assert caught.value.kind == kind, path


@examples(50)
@given(st.text(), st.lists(st.text(), max_size=3), st.text(max_size=9))
def test_anything_can_be_said(name: str, comments: list[str], date: str) -> None:
    session = Session(LIBRARY.variant, (name, ""), date=date)
    for text in comments:
        session.comment(text)
        session.push(session.game.legal_moves[0])
        session.comment(text)
    loaded = alfil.records.read_match(render(session, finished=True), LIBRARY)
    assert loaded.round.comments == session.round.comments
    assert (loaded.players, loaded.round.date) == (session.players, " ".join(date.split()))


def test_the_same_movement_in_other_words_is_the_same(tmp_path: Path) -> None:
    path, session = tmp_path / "words.alfil", Session(bundled("hand_shogi"))
    session.push("T*5e")
    alfil.records.save_match(session, path)
    text = path.read_text()
    for words in ("betza:W3F3", "hasinu:{1,2,3}×8d", "fairy-stockfish:Q3"):
        changed = text.replace("move T: betza:Q3", f"move T: {words}")
        assert changed != text
        assert alfil.records.read_match(changed).round.texts == ["T*5e"]
    for words in ("betza:Q4", "betza:E", "beta:Q3", "xbeta:Q3", "Q3"):
        with pytest.raises(alfil.RecordError) as caught:
            alfil.records.read_match(text.replace("move T: betza:Q3", f"move T: {words}"))
        assert caught.value.kind == "other-moves"


@pytest.mark.parametrize(
    "text", ["1.SO-6f SO-4d 2.T*5e", "1. SO-6f 1...SO-4d 2. T*5e", "6g6f\nf7f6\nT@e5"]
)
def test_ways_to_write_the_numbers(text: str) -> None:
    session = alfil.records.read_match(f"{HEAD}\nround 1\n\n{text}\nend\n", LIBRARY)
    assert session.round.texts == ["SO-6f", "SO-4d", "T*5e"]


OWN = """game "x"
board 5x5
piece K "king" betza=K royal
piece X "wazir" betza=W
setup
| X . K . . |
"""


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (OWN, True),
        (OWN.replace("board 5x5", "board 5x5\nrule stalemate = draw"), True),
        (OWN.replace("wazir", "woman"), True),
        (OWN.replace("board 5x5", "board 5x5\nrule stalemate = loss"), False),
        (OWN.replace("board 5x5", "board 5x6"), False),
        (OWN.replace("X . K . .", "X K . . ."), False),
        (OWN.replace("betza=W", "betza=W promotes=K"), False),
        (f"{OWN}hand X", False),
    ],
)
def test_a_record_is_read_only_under_its_own_rules_and_set_up(
    tmp_path: Path, changed: str, *, same: bool
) -> None:
    session = alfil.Session(alfil.loads(OWN).variant)
    session.push("X-5d")
    alfil.records.save_match(session, tmp_path / "own.alfil")
    if same:
        assert alfil.records.load_match(
            tmp_path / "own.alfil", alfil.loads(changed)
        ).game.position_text() == (session.game.position_text())
        return
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.load_match(tmp_path / "own.alfil", alfil.loads(changed))
    assert caught.value.kind == "other-rules"


@pytest.mark.parametrize("name", ["/etc/passwd", "./chess.pieces", "<pieces>", "ches", ".."])
def test_a_record_opens_no_file_by_itself(name: str) -> None:
    with pytest.raises(alfil.RecordError) as caught:
        alfil.records.read_match(f"alfil record 1\ngame: {name}\n\nend\n")
    assert caught.value.kind == "unknown-set"
    assert "name the game it is of" in caught.value.diagnostics[0].hint


def test_a_text_may_begin_with_a_mark_of_byte_order() -> None:
    assert alfil.records.read_match("\ufeffalfil record 1\ngame: chess\n\nend\n").game.turn == "w"


def test_a_date_is_on_one_line_and_a_comment_a_text() -> None:
    session = alfil.Session(alfil.load("chess").variant, date="21\nNovember")
    assert session.round.date == "21 November"
    with pytest.raises(TypeError, match="a comment is a text"):
        session.comment(None)  # type: ignore[arg-type]

"""SAN and PGN against python-chess and Fairy-Stockfish: texts of random games, both ways."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import chess
import chess.pgn
import chess.variant
import pyffish
import pytest

import alfil
from alfil import Game, IllegalMove, Move, NotationError, RecordError, Session
from alfil.play.records import pgn  # how much work it is to take a text apart
from alfil.play.session import Round
from alfil.source import source_of_file_text
from effort import calls
from gathering import every_row
from inside import run
from strategies import NIGHTLY

BOARDS: dict[str, Callable[[], chess.Board]] = {
    "chess": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "three_check": chess.variant.ThreeCheckBoard,
}
# What a game is called in Fairy-Stockfish; the first four are known to python-chess or nobody.
PROGRAM = {
    "makruk": "makruk",
    "capablanca": "capablanca",
    "los_alamos": "losalamos",
    "crazyhouse": "crazyhouse",
}
# The program sets its variant up again for every question.
GAMES, PLIES = (20, 1) if NIGHTLY else (1, 3)


def uci(game: Game, move: Move) -> str:
    """A move as programs write it, promoted forms with the letter of what they are."""
    if move.is_drop:
        return str(move).replace("*", "@")
    form = game.symbol(move.promotes).lower().removeprefix("+") if move.promotes else ""
    return game.square_name(move.origin or (0, 0)) + game.square_name(move.target) + form


def random_session(name: str, seed: int, longest: int = 60) -> Session:
    draw, session = random.Random(seed), Session(alfil.load(name).variant, ("Ada", "Grace"))
    while not session.game.outcome() and len(session.game.moves) < longest:
        session.push(draw.choice(session.game.legal_moves))
    return session


def positions(name: str, seed: int) -> Iterator[tuple[Game, list[str]]]:
    """The game before each move, with the moves so far as programs write them."""
    played = random_session(name, seed).game
    game, texts = alfil.load(name).game(), list[str]()
    for move in played.moves:
        yield game, texts
        texts.append(uci(game, move))
        game.push(move)


@pytest.mark.parametrize("name", BOARDS)
def test_san_is_that_of_python_chess(name: str) -> None:
    for seed in range(GAMES):
        board, known = BOARDS[name](), 0
        for game, texts in positions(name, seed):
            for text in texts[known:]:
                board.push_uci(text)
            known = len(texts)
            for move in game.legal_moves[seed % 7 :: 7]:
                expected = board.san(board.parse_uci(uci(game, move)))
                # python-chess drops a pawn as @e4, the rest of the world as P@e4.
                text = alfil.records.write_move(game, move, "san")
                assert text.removeprefix("P") == expected, board.fen()
                assert game.read_move(expected) == move


@pytest.mark.parametrize("name", PROGRAM)
def test_san_is_that_of_fairy_stockfish(name: str) -> None:
    program = PROGRAM[name]
    start = pyffish.start_fen(program)
    for seed in range(GAMES):
        for game, texts in islice(positions(name, seed), seed % PLIES, None, PLIES):
            fen = pyffish.get_fen(program, start, texts)
            for move in game.legal_moves[seed % 11 :: 11]:
                expected = pyffish.get_san(program, fen, uci(game, move))
                assert alfil.records.write_move(game, move, "san") == expected, fen


@pytest.mark.parametrize("name", BOARDS)
def test_python_chess_reads_our_pgn_and_we_its(name: str) -> None:
    for seed in range(GAMES):
        session = random_session(name, seed)
        session.round.comments[3] = ["what else", "$7"]
        session.round.nags[3] = [1, 14]
        text = alfil.records.write_games(session, "pgn")
        theirs = chess.pgn.read_game(io.StringIO(text))
        assert theirs is not None
        assert not theirs.errors
        ours = session.game.moves
        board = theirs.board()
        for move, node in zip(ours, theirs.mainline(), strict=True):
            assert node.move == board.parse_uci(str(node.move)), move
            board.push(node.move)
        assert theirs.headers["White"] == "Ada"
        (again,) = alfil.records.read_games(str(theirs))
        assert again.game.moves == ours
        assert again.game.position_text() == session.game.position_text()
        assert again.players == ("Ada", "Grace")
        assert again.round.comments[3] == ["what else $7"]
        assert again.round.nags[3] == [1, 14]


@pytest.mark.parametrize(
    "name", sorted({*BOARDS, *PROGRAM, "hand_shogi", "minishogi", "seirawan", "duck"})
)
def test_a_match_in_pgn_is_read_as_it_was(name: str) -> None:
    session = random_session(name, 7)
    session.comment("it says { } and\nmore }")
    if not session.game.outcome():
        session.resign()
    text = alfil.records.write_games(session, "pgn")
    (again,) = alfil.records.read_games(text)
    assert again.game.moves == session.game.moves
    assert again.game.outcome() == session.game.outcome()
    assert alfil.records.write_games(again, "pgn") == text


PLAYED = """[Event "Match, game \\"one\\""]
[White "Ada"]
[Black "Grace"]
[Date "2026.11.??"]
[Result "1-0"]
[Annotator "nobody"]

; a comment of a line
1. e4! e5 2. Nf3 {a {fine} move (not this)} 2... Nc6 (2... d6 3. d4 (3. Bc4)) 3. Bb5 $5
% a line for other programs
3... a6 4. Bxc6 dxc6 5. 0-0 f6?! 1-0

[Variant "Three-check"]
[FEN "4k3/8/8/8/8/8/4P3/4K2R w K - 3+3 0 23"]

23. O-O Kd7 24. Rd1+ *
"""


def test_games_written_by_hand() -> None:
    text = PLAYED.replace("{a {fine} move", "{a fine move")
    one, two = alfil.records.read_games(text)
    assert one.round.texts[-2:] == ["K-g1", "P-f6"]
    assert one.round.tags == {"Event": 'Match, game "one"', "Annotator": "nobody"}
    assert one.round.nags == {1: [1], 5: [5], 10: [6]}
    assert not one.notes
    (other,) = one.round.variations[4]
    assert (other.texts, other.variations[2][0].texts) == (["P-d6", "P-d4"], ["B-c4"])
    outcome = one.game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("w", "unstated")
    assert two.variant.name == "three_check"
    assert (two.game.outcome(), len(two.game.moves)) == (None, 3)
    written = alfil.records.write_games([one, two])
    assert written.count("[Event ") == 2
    assert '[FEN "4k3/8/8/8/8/8/4P3/4K2R w K - 3+3 0 23"]' in written
    assert "\n23. O-O Kd7 24. Rd1+ *\n" in written


def _annotated(node: chess.pgn.GameNode, draw: random.Random, left: int) -> None:
    """Add moves with comments, marks and variations to a game of python-chess."""
    while left > 0:
        left -= 1
        moves = sorted(node.board().legal_moves, key=str)
        if not moves:
            return
        tried = draw.sample(moves, min(len(moves), draw.choice((1, 1, 1, 2, 3))))
        for number, move in enumerate(tried):
            added = node.add_variation(move)
            if draw.random() < 0.3:
                added.nags = {draw.choice((1, 2, 6, 14, 139))}
            if draw.random() < 0.3:
                added.comment = draw.choice(("a word", "two [words]; (here)", "$1"))
            if number and draw.random() < 0.3:
                added.starting_comment = "instead"
            if number:
                _annotated(added, draw, left // 3)
        node = node.variations[0]


def _theirs(node: chess.pgn.GameNode) -> list[object]:
    """A line as python-chess read it: moves, marks and comments, with variations behind moves."""
    found: list[object] = [node.comment, sorted(node.nags)] if node.parent is None else []
    while node.variations:
        others = [
            [each.starting_comment, str(each.move), sorted(each.nags), each.comment, *_theirs(each)]
            for each in node.variations[1:]
        ]
        node = node.variations[0]
        found += [str(node.move), sorted(node.nags), node.comment, others]
    return found


def _ours(played: Round, *, main: bool = True) -> list[object]:
    """The same of a game as alfil has it."""
    first = " ".join(played.comments.get(0, []))
    found: list[object] = [first]
    found += [sorted(played.nags.get(0, []))] if main else []
    for at, move in enumerate(played.game.moves, 1):
        nags, said = sorted(played.nags.get(at, [])), " ".join(played.comments.get(at, []))
        found += [uci(played.game, move), nags, said]
        others = [_ours(each, main=False) for each in played.variations.get(at, [])]
        found += [others] if main or at > 1 else []
    return found


@pytest.mark.parametrize("seed", range(100 if NIGHTLY else 3))
def test_variations_marks_and_comments_are_those_of_python_chess(seed: int) -> None:
    written = chess.pgn.Game()
    _annotated(written, random.Random(seed), 12)
    written.comment = "the beginning"
    for text in (str(written), alfil.records.write_games(alfil.records.read_games(str(written)))):
        theirs = chess.pgn.read_game(io.StringIO(text))
        assert theirs is not None
        assert not theirs.errors
        (ours,) = alfil.records.read_games(text)
        assert not ours.notes
        assert _ours(ours.round) == _theirs(theirs)
        assert _theirs(theirs) == _theirs(written)


def test_what_is_no_mark_stays_a_comment() -> None:
    text = "1. e4 {$1} $1 (1. d4 {$2} 1... d5!?) 1... e5 *"
    (game,) = alfil.records.read_games(text)
    assert (game.round.comments, game.round.nags) == ({1: ["$1"]}, {1: [1]})
    (other,) = game.round.variations[1]
    assert (other.texts, other.comments, other.nags) == (["P-d4", "P-d5"], {1: ["$2"]}, {2: [5]})
    for form in ("pgn", "hodges"):
        (again,) = alfil.records.read_games(alfil.records.write_games(game, form))
        assert (again.round.comments, again.round.nags) == ({1: ["$1"]}, {1: [1]})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. e4 (1. Ke2) 1... e5 *", "e2 is occupied by your own piece"),
        (
            "1. e4 (1. d4 d5 (1... Kd8 (1... a5)) 2. c4) 1... e5 *",
            "d8 is occupied by your own piece",
        ),
        ("{said} (1. d4) 1. e4 e5 *", "there is no move before it"),
        ("1. e4 (idea (1. d4)) e5 *", "no move in SAN"),
    ],
)
def test_a_variation_with_a_mistake_is_left_out_with_a_note(text: str, why: str) -> None:
    (game,) = alfil.records.read_games(text)
    assert game.round.texts == ["P-e4", "P-e5"]
    (note,) = game.notes
    assert (note.kind, note.severity) == ("variation", "note")
    assert note.message.startswith(f"a variation is left out: {why}"), note.message
    assert text[slice(*note.spans[0])].startswith("(")


def test_parentheses_are_read_once_however_deep_they_are() -> None:
    closed = "1. e4 " + "(1. d4 " * 300 + ")" * 300 + " *"
    (game,) = alfil.records.read_games(closed)
    (again,) = alfil.records.read_games(alfil.records.write_games(game))
    depth, line = 0, again.round
    while line.variations:
        (line,) = line.variations[1]
        depth += 1
    assert depth == 300
    steps = []
    for count in (300, 600):
        with pytest.raises(RecordError) as caught:
            alfil.records.read_games("1. e4 " + "(1. d4 " * count + " *")
        assert caught.value.diagnostics[0].spans[0].start == len("1. e4 ")
        source = source_of_file_text("(1. d4 " * count, "<record>")
        steps.append(calls(lambda source=source: pgn.parse(source)))
    assert steps[1] < 2.5 * steps[0]


@pytest.mark.parametrize(
    ("said", "result", "reason"),
    [
        ("", "1-0", "unstated"),
        ("normal", "1-0", "unstated"),
        ("", "1/2-1/2", "unstated"),
        ("Time forfeit", "0-1", "time"),
        ("Ada won on time", "1-0", "time"),
        ("Grace won by resignation", "0-1", "resignation"),
        ("Game drawn by agreement", "1/2-1/2", "agreement"),
    ],
)
def test_the_reason_of_a_result_is_what_the_record_says(
    said: str, result: str, reason: str
) -> None:
    tag = f'[Termination "{said}"]\n\n' if said else ""
    (game,) = alfil.records.read_games(f"{tag}1. e4 e5 {result}")
    outcome = game.game.outcome()
    assert outcome
    assert outcome.reason == reason
    for form in ("pgn", "hodges"):
        (again,) = alfil.records.read_games(alfil.records.write_games(game, form))
        assert again.game.outcome() == outcome
    assert ("[Termination" in alfil.records.write_games(game)) == bool(said)


def test_a_game_is_written_as_a_match_of_it() -> None:
    game = alfil.load("chess").game("4k3/8/8/8/8/8/4P3/4K2R w K - 0 23")
    game.push("O-O")
    text = alfil.records.write_games(game)
    assert "\n23. O-O *\n" in text
    assert alfil.records.write_games([game, Round.of(game)]) == f"{text}\n{text}"
    with pytest.raises(TypeError):
        alfil.records.write_games(["1. e4"])  # type: ignore[list-item]


def test_a_game_goes_on_after_a_repetition_that_nobody_claimed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    around = "Nf3 Nf6 Ng1 Ng8 " * 3
    (game,) = alfil.records.read_games(f"1. {around} e4 e5 *")
    assert len(game.game.moves) == 14
    assert [note.kind for note in game.notes] == ["unclaimed"]
    path = tmp_path / "repetition.pgn"
    path.write_text(alfil.records.write_games(game), encoding="utf-8")
    assert run(["record", str(path)]) == 0
    assert "7. e4 e5" in capsys.readouterr().out
    assert run(["record", str(path), "--at", "14"]) == 0
    # It stays one in alfil's own record, and is of chess as it is.
    record = alfil.records.write_games(game, "hodges")
    assert "round 1\nclaims: played on\n" in record
    again = alfil.records.read_match(record)
    assert again.game.moves == game.game.moves
    assert again.variant == alfil.load("chess").variant
    assert not again.notes


def test_a_game_goes_on_after_moves_enough_for_a_draw_that_nobody_claimed() -> None:
    start = "4k3/8/8/8/8/8/8/R3K3 w - - 98 80"
    for moves, notes in (("80. Kd1 Kd8", []), ("80. Kd1 Kd8 81. Ra8+ Kc7", ["unclaimed"])):
        (game,) = alfil.records.read_games(f'[FEN "{start}"]\n\n{moves} *')
        assert [note.kind for note in game.notes] == notes
        assert bool(game.game.outcome()) == (not notes)
    (game,) = alfil.records.read_games(f'[FEN "{start}"]\n\n80. Kd1 Kd8 1-0')
    assert game.game.outcome() == alfil.Outcome("w", "unstated")
    with pytest.raises(RecordError) as caught:
        alfil.records.read_games("1. f3 e5 2. g4 Qh4# 3. a3 *")
    assert caught.value.kind == "game-over"


def test_a_game_that_was_played_on_is_kept_so(tmp_path: Path) -> None:
    game = alfil.load("chess").game()
    for move in 2 * ("g1f3", "g8f6", "f3g1", "f6g8"):
        game.push(move)
    game.ignore_claimable_ends()
    game.push("e2e4")
    alfil.records.save_game(game, tmp_path / "game.alfil")
    again = alfil.records.load_game(tmp_path / "game.alfil").game
    assert again.ignores_claimable_ends
    assert again.moves == game.moves


WRONG = [
    ("1. e4 e5 2. Ke3 *", "pattern", "Ke3", "the king on e1 cannot go to e3"),
    ("1. e4 e5 2. exd5 *", "pattern", "exd5", "cannot go to d5"),
    ("1. e4 e5 2. Nxf3 *", "wrong-sign", "Nxf3", "nothing is captured on f3"),
    ("1. e4 d5 2. ed5 *", "wrong-sign", "ed5", "a piece is captured on d5"),
    ("1. O-O *", "pattern", "O-O", "no castling to this side is possible now"),
    ("1. N@f3 *", "no-drops", "N@f3", ""),
    ("1. Zf3 *", "unreadable-move", "Zf3", "no move in SAN"),
    ("1. f3 e5 2. g4 Qh4# 1-0", "record-result", "1-0", "has ended otherwise: b, mate"),
    ("1. f3 e5 2. g4 Qh4# 3. e4 *", "game-over", "e4", "over before e4"),
    ('[Variant "Chess of Mars"]\n\n1. e4 *', "unknown-set", "Chess of Mars", ""),
]


@pytest.mark.parametrize(("text", "kind", "place", "words"), WRONG)
def test_what_is_wrong_is_named_with_its_place(
    text: str, kind: str, place: str, words: str
) -> None:
    with pytest.raises(RecordError) as caught:
        alfil.records.read_games(text, form="pgn")
    span = caught.value.diagnostics[0].spans[0]
    assert (caught.value.kind, text[span.start : span.end]) == (kind, place)
    assert words in caught.value.diagnostics[0].message


def test_moves_that_may_be_several_and_moves_that_promote() -> None:
    game = alfil.load("chess").game("4k3/1P6/8/8/R6R/8/8/4K3 w - - 0 1")
    for text, kind in (("Rd4", "ambiguous"), ("b8", "wrong-mark"), ("b8=K", "wrong-mark")):
        with pytest.raises(NotationError) as caught:
            game.read_move(text)
        assert caught.value.kind == kind
    assert str(game.read_move("Rad4")) == "a4d4"
    assert {str(game.read_move(text)) for text in ("b8=Q+", "b8Q", "b8(Q)")} == {"b7b8q"}
    with pytest.raises(IllegalMove):
        game.read_move("Kd8")


def test_a_small_letter_is_a_pawns_move() -> None:
    game = alfil.load("chess").game("4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1")
    assert str(game.read_move("bxc4")) == "b3c4"
    assert str(game.read_move("Bxc4")) == "d3c4"


def test_a_capture_en_passant_may_be_marked_as_one() -> None:
    text = "1. e4 d5 2. e5 f5 3. exf6 e.p. gxf6 4. Nf3 ! *"
    (session,) = alfil.records.read_games(text, form="pgn")
    assert [move.usi for move in session.game.moves][4] == "e5f6"


def test_a_parenthesis_that_nobody_closes_is_an_error_of_its_game() -> None:
    text = '1. e4 e5 (2. Nf3 Nc6 *\n\n[White "B"]\n\n1. d4 d5 1-0\n'
    with pytest.raises(RecordError) as caught:
        alfil.records.read_games(text, form="pgn")
    assert text[slice(*caught.value.diagnostics[0].spans[0])] == "("


def test_files_may_be_in_the_signs_of_the_standard(tmp_path: Path) -> None:
    text = '[White "Jürgen"]\n\n1. e4 {für} e5 *\n'
    path = tmp_path / "games.pgn"
    for raw in (text.encode(), text.encode("latin-1")):
        path.write_bytes(raw)
        (session,) = alfil.records.load_games(path)
        assert (session.players[0], session.round.comments[1]) == ("Jürgen", ["für"])
    path.write_bytes(text.encode()[: text.encode().index(b"r}") - 1])
    with pytest.raises(RecordError, match="unreadable-move"):
        alfil.records.load_games(path)
    (tmp_path / "games.alfil").write_bytes(text.encode("latin-1"))
    with pytest.raises(RecordError, match="not-utf8"):
        alfil.records.load_games(tmp_path / "games.alfil")


def test_what_stands_behind_the_end_is_to_be_taken_out() -> None:
    for text, hint in (
        ("1. f3 e5 2. g4 Qh4# 3. a3 *", "take the moves after the end out"),
        ('[White "A"\n\n1. e4 *', 'a tag is one line, as in [White "Ada"]'),
    ):
        with pytest.raises(RecordError) as caught:
            alfil.records.read_games(text)
        assert caught.value.hint == hint


@every_row(
    "name, game", {"Standard": "chess", "From Position": "chess", "Chess960": "chess960"}.items()
)
def test_variants_are_called_as_lichess_calls_them(name: str, game: str) -> None:
    start = "rkbnnqbr/pppppppp/8/8/8/8/PPPPPPPP/RKBNNQBR w KQkq - 0 1"
    (session,) = alfil.records.read_games(
        f'[Variant "{name}"]\n[FEN "{start}"]\n\n1. d4 d5 2. Bf4 Bf5 3. Ne3 Ne6 *\n'
    )
    assert (session.variant.name, len(session.game.moves)) == (game, 6)
    if name == "Chess960":
        session.push("O-O-O")
        assert session.game.position_text().split("/")[7].startswith("2KRNQBR b")


def test_what_a_tag_says_stays_on_its_line() -> None:
    session = alfil.records.Session(alfil.load("chess").variant)
    session.round.tags["Annotator"] = 'Ann "A" \n O\\Tator'
    (found,) = alfil.records.read_games(alfil.records.write_games(session))
    assert found.round.tags["Annotator"] == 'Ann "A" O\\Tator'


def test_gates_stand_behind_a_slash_as_fairy_stockfish_writes_them() -> None:
    game, start = alfil.load("seirawan").game(), pyffish.start_fen("seirawan")
    for text in ("b1c3h", "b1c3", "g1f3e"):
        move = game.read_move(text if len(text) == 4 else f"{text[:4]}/{text[4].upper()}")
        assert alfil.records.write_move(game, move, "san") == pyffish.get_san(
            "seirawan", start, text
        )


def test_san_of_a_check_is_not_read_as_a_promotion() -> None:
    game = alfil.loads(
        "board 6x6\nrule first = white\nzone promotion ranks=3\n"
        'piece K "king" betza=K royal\npiece N "knight" betza=N promotes=+N\n'
        'piece +N "champion" betza=NWA\nsetup\n| N . . K . N |\n'
    ).game("4k1/2n3/6/3N2/6/3K2 w")
    texts = {str(move): alfil.records.write_move(game, move, "san") for move in game.legal_moves}
    # Hodges writes the promotion as Nxc5+.
    assert (texts["d3c5"], texts["d3f4"]) == ("Nxc5", "Nf4+")
    assert all(str(game.read_move(text)) == move for move, text in texts.items())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1. e4 {unfinished", "1. e4 {unfinished}"),
        ("1. e4 (1. d4 d5", "1 move;"),
        ("1. e4 e5 (1... c5 {Sicilian (open", "2 moves;"),
    ],
)
def test_a_text_that_breaks_off_is_read_to_its_end(
    text: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RecordError):
        alfil.records.read_games(text)
    path = tmp_path / "cut.pgn"
    path.write_text(text, encoding="utf-8")
    assert run(["record", str(path)]) == 0
    printed = capsys.readouterr()
    assert shown in printed.out
    assert "breaks off" in printed.err


def test_a_tag_that_contradicts_the_moves_is_told() -> None:
    (game,) = alfil.records.read_games('[Result "1-0"]\n\n1. f3 e5 0-1')
    assert game.game.outcome() == alfil.Outcome("b", "unstated")
    (note,) = game.notes
    assert note.kind == "record-result"
    assert "1-0" in note.message
    assert "0-1" in note.message


@pytest.mark.parametrize("date", ["2026.11.29", "2026.11.??", "2026.??.??", "in May"])
def test_dates_are_kept_as_far_as_they_are_known(date: str) -> None:
    text = f'[Date "{date}"]\n[Result "*"]\n\n1. e4 *\n'
    (game,) = alfil.records.read_games(text)
    assert f'[Date "{date}"]' in alfil.records.write_games(game, "pgn")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("king_of_the_hill", "King of the Hill"),
        ("racing_kings", "Racing Kings"),
        ("three_check", "Three-check"),
        ("atomic", "Atomic"),
    ],
)
def test_variants_are_called_as_others_call_them(name: str, told: str) -> None:
    text = alfil.records.write_games(alfil.load(name).game(), "pgn")
    assert f'[Variant "{told}"]' in text
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert theirs.board().uci_variant == name.replace("three_", "3").replace("_", "")

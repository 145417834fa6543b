"""Input that would take for ever: a result, or an error that says what there is too much of."""

import contextlib
import inspect
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import alfil
from alfil.api import _read_cached  # what no answer tells: whether it is remembered
from alfil.game import roaming_pieces
from alfil.library.file_locations import find_file
from alfil.library.file_report import check_file, constraint_verdicts
from alfil.work_limit import FILE_LIMIT, LIMIT, work_done  # what no answer tells: the work it was
from alfil.workbench import infer_notation
from alfil.workbench.infer_notation import _signs_of_text_on_board
from alfil.workbench.piece_facts import _facts_of_meaning
from effort import calls

Answer = Callable[[alfil.Piece], object]
CROWD = [(x, y) for x in range(-7, 8) for y in range(-7, 8) if (x + 2 * y) % 4 == 1]


@pytest.mark.parametrize("text", ["(amc)Q", "(acp)Q"])
def test_moves_that_differ_by_what_they_meet_are_counted(text: str) -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves(text, enemies=CROWD)
    assert caught.value.kind == "too-many-moves"
    assert caught.value.spans[0].end == len(text)


def test_trails_are_kept_apart_without_going_round_for_ever() -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves("n(as)R")
    assert caught.value.kind == "too-many-moves"
    assert {move.to for move in alfil.moves("n(as)R", radius=1)} == {
        (x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)
    } - {(0, 0)}


@pytest.mark.parametrize(
    "text",
    ["n(j(n8d,1))", "j(n(1×8d),2)", "j(2(n8d),1)", "6(n8d)", "n(n(n8d &t45°) &t90°)"],
)
def test_roaming_is_followed_on_a_crowded_board(text: str) -> None:
    piece = alfil.read(text, "hasinu")
    assert len({move.to for move in alfil.moves(piece, enemies=CROWD)}) > len(CROWD)


def test_ways_back_to_pieces_that_count_once_have_a_limit() -> None:
    with pytest.raises(alfil.MeaningError, match="pieces that count once") as caught:
        assert alfil.read("j(n(2×4dO),1)", "hasinu").meaning
    assert caught.value.kind == "too-many-states"
    assert "any number of pieces" in caught.value.hint
    assert alfil.read("j(n(2×4dO))", "hasinu").meaning


def test_pieces_are_not_counted_where_the_board_wraps() -> None:
    def meaning(text: str) -> object:
        functions = {"round": lambda: alfil.read("oR").movement}
        return alfil.read(text, "hasinu", functions=functions).meaning

    with pytest.raises(alfil.MeaningError, match="where the board wraps") as caught:
        meaning("j(round() &t180° round(),1)")
    assert caught.value.kind == "contradiction"
    assert meaning("j(round(),1)")
    assert meaning("j(round() &t180° round())")


def test_no_line_holds_more_pieces_than_the_largest_board() -> None:
    def jumper(most: int) -> alfil.Piece:
        return alfil.read(f"j(n8d,{most})", "hasinu")

    assert alfil.same(jumper(999), jumper(34))
    assert not alfil.same(jumper(33), jumper(34))


def test_the_same_refusal_is_not_worked_out_twice() -> None:
    piece = alfil.read("anaiQ")
    reports = set()
    for _ in range(2):
        with pytest.raises(alfil.MeaningError) as caught:
            assert piece.meaning
        assert caught.value.kind == "too-many-states"
        reports.add(str(caught.value))
    assert len(reports) == 1


def test_a_refusal_is_not_worked_out_again_for_every_notation() -> None:
    text = "afK" + "lfckaaieacrhR[n(1,1)2-ilhW?N]"

    def refuse(*names: str) -> None:
        for name in names:
            with pytest.raises(alfil.MeaningError, match="too-many-states"):
                alfil.translate(text, write=name)

    once = calls(lambda: refuse("classic"))
    assert calls(lambda: refuse("xboard", "fairy-stockfish", "taikyoku", "chessvar")) < once / 10


def drawn(piece: alfil.Piece) -> object:
    return alfil.draw(piece).svg()


def listed(piece: alfil.Piece) -> object:
    return alfil.moves(piece, enemies=CROWD)


def on_the_largest_board(piece: alfil.Piece) -> object:
    return alfil.moves(piece, files=36, ranks=36, at=(17, 17), enemies=CROWD)


def laid_out(piece: alfil.Piece) -> object:
    return alfil.compile(piece, files=36, ranks=36)


def in_hasinu(piece: alfil.Piece) -> object:
    return alfil.translate(piece, write="hasinu")


def in_betza(piece: alfil.Piece) -> object:
    return alfil.translate(piece, write="betza")


def compared(piece: alfil.Piece) -> object:
    other = alfil.read("m(2(n((n({1,3}×4dN-E-S-W &t90°)) &t+180°) &t+45°))", "hasinu")
    return alfil.contains(other, piece), alfil.same(piece, other), alfil.contains(piece, other)


# The slowest of thousands of texts made by chance, and those of people, with how each ends: many
# took seconds. Those with \\ are Betza.
SLOW: list[tuple[Answer, str, str]] = [
    (drawn, "20(n8d)", "too-many-states"),
    (drawn, "c({1,3}({1,2}(20(20(n7dS &t+0°) &t+135°) &t90°) &t+90°))", ""),
    (drawn, r"\mcabhmdaiR", "too-many-states"),
    (drawn, r"\lfckaaieacrhR[n(1,1)2-ilhW?N]", "too-many-states"),
    (drawn, r"\iikoalfaimkarhdQ", "too-many-states"),
    (drawn, r"\cdpacdpacdpaQ", ""),
    (drawn, r"\mpacabmpacabQ", ""),
    (drawn, "20((n(5,7) & {1,2,3}×7dS) &t-112.5°)", ""),
    (listed, r"\cdpacdpacdpaQ", "too-many-moves"),
    (listed, r"\(ac)3afQ", "too-many-moves"),
    (listed, r"\ayasayayasayaapaya(1,1)", ""),
    (on_the_largest_board, r"\(amc)Q", "too-many-moves"),
    (on_the_largest_board, "n(n(j(n8d) &t45°) &t90°)", ""),
    (laid_out, r"\iifsasamcaasapayaasGbafH", ""),
    (laid_out, "j(n2dNE-NW, 20)", ""),
    (in_hasinu, r"\UpRpB", "must-hop"),
    (in_hasinu, r"\UpRpBcpQpDD", "must-hop"),
    (in_betza, "n(n((1,3) &t0°) &t+45°)", ""),
    (compared, "20((n(5,7) & {1,2,3}×7dS) &t-112.5°)", ""),
]


@pytest.mark.parametrize(("answer", "text", "kind"), SLOW)
def test_every_answer_is_given_with_the_work_it_may_take(
    answer: Answer, text: str, kind: str
) -> None:
    betza = text.startswith("\\")
    piece = alfil.read(text[betza:], "betza" if betza else "hasinu")
    before = work_done()
    try:
        answer(piece)
        ended = ""
    except alfil.AlfilError as error:
        ended = error.kind
    assert ended == kind
    # The last task may be a large one that is not begun any more.
    assert work_done() - before < 3 * LIMIT


@pytest.mark.parametrize("text", ["INF(20,20) &t INF(20,20)", "n(INF(99,99) &t45°)", r"n(\U)"])
def test_every_step_that_a_turn_looks_at_is_work(text: str) -> None:
    """So the limit of work is met, long before there are too many states."""
    before = work_done()
    with pytest.raises(alfil.MeaningError, match="too-many-states"):
        drawn(alfil.read(text, "hasinu"))
    assert work_done() - before > LIMIT / 2


@pytest.mark.parametrize("text", ["j(n8d,29)", "j({2,5,9}×8d,7)", "j(n4dO,31)"])
def test_every_record_of_an_automaton_is_work(text: str) -> None:
    """To find it and to sort it: both grow with the text, so both are counted."""
    before = work_done()
    parts = alfil.read(text, "hasinu").meaning.parts
    records = sum(len(state) for part in parts for state in part.automaton.states)
    assert work_done() - before > 6 * records


@pytest.mark.parametrize("enemies", [[], [(7, 7)]])
def test_what_burns_on_every_square_of_an_area_is_looked_for_among_pieces(
    enemies: list[tuple[int, int]],
) -> None:
    """Not among the squares of every way from every square on which a move may end."""
    piece = alfil.read("burn(n(1×8d)) & n(1×8d)", "hasinu")
    before = work_done()
    found = alfil.moves(piece, enemies=enemies)
    assert work_done() - before < LIMIT / 2
    every = {(x, y) for x in range(-7, 8) for y in range(-7, 8)} - {(0, 0)}
    assert {move.to for move in found} == every
    assert {taken for move in found for taken in move.captures} == set(enemies)


def test_what_is_told_apart_near_by_is_not_looked_for_on_all_squares() -> None:
    """A leap to any square has 5,040 steps, and the first tells it from a piece without moves."""
    universal, nothing = alfil.read("U"), alfil.read("")
    steps = len(universal.meaning.parts[0].automaton.states[0])
    assert nothing.meaning != universal.meaning
    assert calls(lambda: alfil.difference(universal, nothing)) < 40 * steps


def test_every_square_that_is_laid_out_is_work() -> None:
    queen = alfil.read("Q")
    assert queen.meaning

    def work(size: int) -> float:
        before = work_done()
        assert len(alfil.compile(queen, files=size, ranks=size)) == 8 * (size - 1)
        return work_done() - before

    assert work(36) > work(9)


def test_a_page_does_not_lay_out_more_paths_than_it_shows() -> None:
    """Those of this piece would be a table a hundred times as long as its automaton."""
    picture = alfil.draw(alfil.read("UaacerhQ", "taikyoku"))
    before = work_done()
    assert b'"kind": "graph"' in picture.render("html").replace(b'":"', b'": "')
    assert work_done() - before < LIMIT / 3


def test_a_piece_is_put_into_betza_once_for_all_its_dialects() -> None:
    """Where that fails it takes longest, and fails for all of them."""
    piece = alfil.read("{1,2}({1,2}({1,2}×4dO)) & n2dNW-W &t67.5° 1×4dO", "hasinu")

    def refused(dialect: str) -> None:
        with pytest.raises(alfil.TranslationLoss):
            alfil.translate(piece, write=dialect)

    first = calls(lambda: refused("betza"))
    assert calls(lambda: refused("xboard")) < first / 8


def leapers(count: int) -> str:
    """Leapers to all sides, and some to one side only, for which Parlett's notation has no sign."""
    sides = ("fl", "fr", "bl", "br")
    return "".join(
        f"({1 + at % 5},{7 + at // 5})"
        if at % 3
        else f"{sides[at % 4]}({1 + at % 5},{7 + at // 5})"
        for at in range(count)
    )


def sliders(count: int) -> str:
    """Sliders to one side each, ever farther, that move or capture."""
    return "".join(f"{'flbr'[at % 4]}{'mc'[at % 2]}W{2 + at % 33}" for at in range(count))


def atoms(count: int) -> str:
    """All atoms, each to one side."""
    sides = ("f", "b", "l", "r", "fl", "fr", "bl", "br", "mf", "cb", "mv", "cs")
    return "".join(sides[at % 12] + "WFNDACZHGRB"[at // 12] for at in range(count))


@pytest.mark.parametrize("write", ["hasinu", "parlett", "xboard", "fairy-stockfish"])
@pytest.mark.parametrize("made", [leapers, sliders, atoms])
def test_a_long_text_is_translated_part_by_part(made: Callable[[int], str], write: str) -> None:
    def translated(count: int) -> int:
        piece = alfil.read(made(count))
        assert piece.movement

        def job() -> None:
            with contextlib.suppress(alfil.TranslationLoss):
                alfil.translate(piece, write=write)

        return calls(job)

    # What is made once is not counted: the writer, and the reader it asks whether it is right.
    translated(30)
    alfil.read(alfil.translate("N", write=write).text, write)
    assert translated(120) < 8 * translated(40)


def test_what_many_hops_lose_is_named() -> None:
    """Each is compared with all others, which may not take all the work there is."""
    modes, atoms = ["m", "c", "mf", "cb", "cfs"], ["R", "B", "Q", "N0"]
    text = "".join(f"{mode}{hop}{atom}" for mode in modes for hop in "pg" for atom in atoms)
    with pytest.raises(alfil.TranslationLoss) as caught:
        alfil.translate(text, write="hasinu")
    assert {loss.kind for loss in caught.value.diagnostics} == {"must-hop"}


@pytest.mark.parametrize(
    ("text", "write"),
    [("FyafsFgQ", "hasinu"), ("WFNpR", "hasinu"), ("lRrRnN", "parlett"), ("KafsW", "xboard")],
)
def test_what_was_asked_before_is_counted_again(text: str, write: str) -> None:
    """Else it would decide whether an answer takes too much."""

    def work() -> float:
        before = work_done()
        with contextlib.suppress(alfil.TranslationLoss):
            alfil.translate(text, write=write)
        return work_done() - before

    assert work() == work()


def test_letters_after_repeats_double_the_ways_of_a_chain_up_to_64() -> None:
    assert len(alfil.read(f"m{'(af)1b' * 6}F").movement.options) == 1
    text = f"m{'(af)1b' * 7}F"
    with pytest.raises(alfil.MeaningError, match="too many ways to be read") as caught:
        alfil.read(text).movement  # noqa: B018 - it is made when it is asked for
    assert caught.value.spans == (alfil.Span(0, len(text)),)


def test_functions_that_double_what_they_stand_for_are_work() -> None:
    text = "double(" * 30 + "1×4dO" + ")" * 30
    piece = alfil.read(text, "hasinu", functions={"double(range)": "range & range"})
    with pytest.raises(alfil.MeaningError) as caught:
        drawn(piece)
    assert caught.value.kind == "too-much-work"


def test_all_readings_of_a_game_share_the_work_that_a_file_may_take(tmp_path: Path) -> None:
    lines = [
        f'reading r{number} "x" source="a book"\nrule stalemate = loss\n' for number in range(400)
    ]
    path = tmp_path / "many.pieces"
    path.write_text('board 8x8\npiece K "king" betza=K royal\n' + "".join(lines), "utf-8")
    before = work_done()
    report = check_file(find_file(str(path)))
    assert [each.kind for each in report.diagnostics] == ["too-much-work"]
    assert work_done() - before <= 2 * FILE_LIMIT


def test_all_constraints_of_a_file_share_the_work_that_it_may_take() -> None:
    codes = [f"A{number}" for number in range(50)]
    pieces = "".join(f'piece {code} "piece {code}" betza=QN\n' for code in codes)
    constraints = f'constraint 1 in-order on={",".join(codes)} "x"\n' * 8
    library = alfil.loads(f"board 36x36\n{pieces}{constraints}")
    before = work_done()
    with pytest.raises(alfil.PieceFileError) as caught:
        constraint_verdicts(library)
    assert caught.value.kind == "too-much-work"
    assert caught.value.source.text[slice(*caught.value.spans[0])].startswith("1")
    assert work_done() - before <= FILE_LIMIT + LIMIT


def test_moves_on_some_squares_are_work() -> None:
    lines = "moves K at=a betza=NNQ\n" * 1000
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(f'board 36x36\nregion a files=a-f\npiece K "king" betza=K\n{lines}')
    assert caught.value.kind == "too-much-work"


WALKERS = """game "Walkers"
board 9x9
piece K "king" betza=K royal
piece A "hook mover" betza=[R?sR?sR]
piece D "glutton" betza=(amc)Q
piece E "roamer" hasinu="n(n(n8d &t45°) &t90°)"
setup mirrored
| . . . . K . . . . |
| A . . . . . D . E |
"""


def test_games_tell_which_piece_has_too_many_moves() -> None:
    with pytest.raises(alfil.BoardError) as caught:
        assert alfil.loads(WALKERS).game().legal_moves
    assert caught.value.kind == "too-many-moves"
    assert caught.value.diagnostics[0].message.startswith("D on 3a: ")
    others = alfil.loads(WALKERS.replace("| A . . . . . D . E |", "| A . . . . . . . E |")).game()
    assert others.legal_moves


def test_games_tell_which_piece_is_too_large() -> None:
    written = WALKERS.replace("betza=(amc)Q", 'hasinu="20(n8d)"')
    with pytest.raises(alfil.PieceFileError) as caught:
        assert alfil.loads(written, name="walkers.pieces").variant
    assert str(caught.value).startswith("walkers.pieces:5:7: D: this piece is too large")


ROAMERS = """game "Roamers"
board 6x6
rule drops = yes
rule captured = to-hand
rule win = royal-capture
rule self-check = {check}
piece K "king" betza=K royal
piece E "roamer" hasinu="n(1×4dO)"
piece O "far roamer" hasinu="n(2×4dO)"
piece L "lance" betza=fR
piece S "soldier" betza=fsW per-file=1 per-file-on=drop,move
setup mirrored
| . . . . . . |
| . L S S L . |
| . O K E . . |
hand S L
"""


def open_to_capture(game: alfil.Game, move: alfil.Move) -> bool:
    """Whether the king could be captured after a move, found among all answers."""
    side, after = game.side_to_move, game.copy()
    after.push(move)
    if after.outcome() is not None:
        return False
    (king,) = [square for square, each in after.pieces.items() if each == ("K", side)]
    return any(king in answer.captures for answer in after.legal_moves)


def test_what_roams_gives_check_as_if_every_answer_were_tried() -> None:
    games = [alfil.loads(ROAMERS.format(check=each)).game() for each in ("allowed", "barred")]
    draw = random.Random(7)
    checks = 0
    for _ in range(12):
        free, barred = games
        legal = [move for move in free.legal_moves if not open_to_capture(free, move)]
        assert set(barred.legal_moves) == set(legal)
        checks += barred.is_check()
        move = draw.choice(legal)
        for game in games:
            game.push(move)
    assert checks


HUNTED = """game "Hunted"
board 8x8
rule win = royal-capture
rule self-check = {check}
piece K "king" betza=K royal
piece E "roamer" hasinu="n(1×4dO)"
piece O "far roamer" hasinu="n(j(2×4dO))"
piece R "rook" betza=R
setup mirrored
| . . . . K E O R |
"""


@pytest.mark.parametrize(
    "position", ["3e3k/8/8/8/1R6/8/K5R1/8 b - 1", "2o4k/8/8/8/RR6/8/K7/8 b - 1"]
)
def test_what_roams_gives_check_from_afar(position: str) -> None:
    free, barred = (
        alfil.loads(HUNTED.format(check=each)).game(position) for each in ("allowed", "barred")
    )
    legal = [move for move in free.legal_moves if not open_to_capture(free, move)]
    assert set(barred.legal_moves) == set(legal)
    assert barred.is_check()


LEAPERS = """game "Leapers"
board 6x6
piece K "king" betza=K royal
piece R "short rook" betza=fsR4bN
setup mirrored
| . . R K . . |
"""


def crowd(side: int, roamers: int) -> str:
    """A game on a large board, half full of rooks, whose roamers give check at once."""
    row = ["R" if at % 2 else "." for at in range(side)]
    for at in range(roamers):
        row[5 * at + 2] = "E"
    back = ["K" if at == side // 2 else "." for at in range(side)]
    return f"""game "Crowd"
board {side}x{side}
piece K "king" betza=K royal
piece E "roamer" hasinu="n(n(n8d &t45°) &t90°)"
piece R "rook" betza=R
setup mirrored
| {" ".join(row)} |
| {" ".join(back)} |
"""


def test_a_check_by_what_roams_is_not_tried_anew_for_every_move() -> None:
    """The squares of one way to the royal tell most moves that they do not end the check."""
    game = alfil.loads(crowd(24, 2)).game()
    before = work_done()
    assert {str(move) for move in game.legal_moves} == {"17w12a", "22w12a"}
    assert work_done() - before < LIMIT


def test_moves_of_a_crowd_of_roamers_are_more_work_than_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roaming_pieces, "MAX_PATHS", 1 << 22)
    game = alfil.loads(crowd(36, 7)).game()
    before = work_done()
    with pytest.raises(alfil.BoardError) as caught:
        assert game.legal_moves
    assert caught.value.kind == "too-much-work"
    assert str(caught.value).startswith("<game>:")
    assert work_done() - before < 3 * LIMIT


def test_a_report_does_not_repeat_all_that_a_function_stands_for() -> None:
    body = " & ".join(["r"] * 3000)
    calls_of_it = "".join(f'piece P{n} "p" hasinu=f(n8d)\n' for n in range(100))
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(f"board 8x8\ndefine f(r)={body}\n{calls_of_it}").game()
    assert len(str(caught.value)) < 400 * len(caught.value.diagnostics)


def test_signs_for_which_too_many_pieces_are_tried_are_refused_in_their_own_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(infer_notation, "MAX_INFERENCE_WORK", 100)
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.infer([(1, 2), (3, 4), (5, 6)])
    assert (caught.value.kind, caught.value.hint) == (
        "too-much-work",
        "draw fewer signs, or a smaller board",
    )


def with_stack_of(frames: int, ask: Callable[[], object]) -> object:
    """Ask where so few frames of Python's stack are left."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        return ask()
    finally:
        sys.setrecursionlimit(usual)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: alfil.read("[F?R7]").meaning,
        lambda: alfil.compile("[F?R7]", files=8, ranks=8),
        lambda: alfil.infer([(0, 1)]),
        lambda: alfil.facts("sR3", (2, 3)),
    ],
)
def test_what_has_no_stack_left_gives_no_other_answer_and_remembers_none(
    answer: Callable[[], object],
) -> None:
    right = answer()
    for room in range(10, 75, 2):
        for each in (_read_cached, _signs_of_text_on_board, _facts_of_meaning):
            each.cache_clear()
        with contextlib.suppress(RecursionError):
            assert with_stack_of(room, answer) == right
            return
        assert answer() == right
    raise AssertionError("there was never enough")


def test_a_game_that_has_no_stack_left_lists_no_moves() -> None:
    """Where pieces are laid out the engine calls Python, which may not even begin."""
    every = [str(move) for move in alfil.loads(LEAPERS).game().legal_moves]
    for room in range(4, 24):
        game = alfil.loads(LEAPERS.replace("Leapers", f"Leapers {room}")).game()
        with contextlib.suppress(RecursionError):
            with_stack_of(room, lambda: game.legal_moves)  # noqa: B023 - asked at once
        assert [str(move) for move in game.legal_moves] == every
        game.push(every[0])
        with contextlib.suppress(RecursionError):
            with_stack_of(room, game.pop)
        if game.moves:
            game.pop()
        assert [str(move) for move in game.legal_moves] == every

"""The rules page of a game says what its piece file says, and what is kept is up to date."""

from __future__ import annotations

import contextlib
import io
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import rules_page as kept_pages

import alfil
from alfil import Library
from alfil.library import field_parsers as known
from alfil.library import rule_sentences, rules_page
from alfil.library.move_examples import move_examples  # work measured
from effort import calls
from gathering import every_row
from inside import Rules, bundled_set_names, run

DOCS = Path(__file__).parents[1] / "docs"
PIECES = Path(__file__).parents[1] / "pieces"
VARIANTS = Path(__file__).parent / "variants"
UNPLAYABLE = {"fairy": "no-board", "hasinu_page": "no-board"}
GAMES = alfil.games()
GIVEN = "known"


def default_reading(name: str) -> str:
    """The lines of a file above its readings."""
    source = (PIECES / f"{name}.pieces").read_text(encoding="utf-8")
    return source.partition("\nreading ")[0]


@cache
def page(name: str) -> str:
    """What the command prints, made once for all tests: some pages take seconds."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run(["rules", name]) == 0
    return out.getvalue()


def changed(old: str, new: str) -> Library:
    """Hand shogi with one text of its file replaced."""
    text = (PIECES / "hand_shogi.pieces").read_text(encoding="utf-8")
    assert text.count(old) == 1
    return alfil.loads(text.replace(old, new), name="hand_shogi")


def sentences(text: str) -> list[str]:
    return [line[2:] for line in text.splitlines() if line.startswith("- ")]


def rows(text: str, section: str) -> list[list[str]]:
    """The cells of the first table of a section, its head left out."""
    part = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| (.*) \|$", part, re.MULTILINE)
    return [[cell.strip("` ") for cell in line.split(" | ")] for line in lines[1:]]


def test_the_kept_page_and_its_pictures_are_up_to_date() -> None:
    files = kept_pages.kept(alfil.load("hand_shogi"))
    pictures = ["pictures/hand_shogi-pieces.svg", "pictures/hand_shogi-setup.svg"]
    assert sorted(files) == ["hand_shogi.md", *pictures]
    for name, content in files.items():
        assert (DOCS / name).read_bytes() == content, "run: make docs"
    assert all(f"({name})" in files["hand_shogi.md"].decode() for name in pictures)


# What a game looks like is no rule of it.
LOOKS = {"look", "surface", "colours"}


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_of_a_file_is_on_its_page(name: str) -> None:
    source = default_reading(name)
    found = re.findall(r"^rule +([\w-]+) *= *([^#\n]*[^#\s])", source, re.MULTILINE)
    assert found
    for rule, value in found:
        if rule in LOOKS:
            continue
        assert f"`{rule} = {value}`)" in page(name), rule
    for ranks in re.findall(r"^zone +promotion +ranks=(\d+)", source, re.MULTILINE):
        assert f"(`zone promotion ranks={ranks}`)" in page(name)


@pytest.mark.parametrize("name", GAMES)
def test_every_field_of_a_piece_is_on_its_page(name: str) -> None:
    source = default_reading(name)
    droppable = "`drops = yes`" in page(name)
    for code, rest in re.findall(r"^piece +(\S+) +(.*)$", source, re.MULTILINE):
        for key, value in re.findall(r"(promotes|drop-\w+|per-file)=(\S+)", rest):
            if key == "promotes" or droppable:
                assert f"`{code} {key}={value}" in page(name), (code, key)
        if re.search(r"\broyal\b", rest):
            assert re.search(rf"\(royal: .*`{re.escape(code)}`", page(name)), code


def test_every_piece_is_there_with_letter_moves_and_how_far_they_are_known() -> None:
    assert rows(page("hand_shogi"), "Pieces") == [
        ["K", "K", "king", "王将", "1", "K", "1×8d", GIVEN],
        ["T", "T", "tycoon", "–", "1", "Q3", "{1,2,3}×8d", "**reconstructed**"],
        ["SH", "U", "shogun", "–", "1", "Q2", "{1,2}×8d", "**reconstructed**"],
        ["G", "G", "gold general", "金将", "2", "WfF", "1×6dSE-SW", GIVEN],
        ["S", "S", "silver general", "銀将", "2", "FfW", "1×5dE-S-W", GIVEN],
        ["PD", "D", "pard", "–", "1", "AD", "j(2×8d)", GIVEN],
        ["O", "O", "onager", "–", "1", "D", "j(2×4dO)", "**reconstructed**"],
        ["H", "H", "hasty", "–", "1", "A", "j(2×4dD)", "**reconstructed**"],
        ["N", "N", "knight", "桂馬", "2", "ffN", "(1,2)ab", GIVEN],
        ["+N", "+N", "promoted knight", "成桂", "–", "WfF", "1×6dSE-SW", GIVEN],
        ["L", "L", "lance", "香車", "2", "fR", "n1dN", GIVEN],
        ["SO", "P", "soldier", "–", "5", "fsW", "1×3dN-E-W", "**deduced**"],
    ]


def test_reconstructed_moves_are_said_to_be_so_wherever_they_stand() -> None:
    text = page("hand_shogi")
    told = [each for each in sentences(text) if each.startswith("**")]
    doubtful = {
        code: re.findall(r"This move is \*\*(\w+)\*\*", line)
        for line in told
        for code in re.findall(r"^\*\*[\w ]+\*\* \((\S+)\):", line)
    }
    assert {code: words for code, words in doubtful.items() if words} == {
        "T": ["reconstructed"],
        "SH": ["reconstructed"],
        "O": ["reconstructed"],
        "H": ["reconstructed"],
        "SO": ["deduced"],
    }
    assert (
        "- The moves given here for tycoon (T), shogun (SH), onager (O) and hasty (H) are a"
        " **reconstruction**: they make the game playable, and nothing says that they are the"
        " original moves, which are lost."
    ) in text
    assert "They are not the article's" in text
    sheet = str(alfil.load("hand_shogi").sheet())
    assert sheet.count("reconstruction: the original") == 4


CHANGES = {
    "stalemate": ("rule  stalemate = loss", "rule  stalemate = draw", "it loses.", "is a draw."),
    "captured": (
        "rule  captured = to-hand",
        "rule  captured = removed",
        "goes to the hand of its capturer",
        "A captured piece is out of the game.",
    ),
    "drops": (
        "rule  drops = yes",
        "rule  drops = no",
        "A dropped onager (O) must itself give check.",
        "Pieces are not dropped.",
    ),
    "zone": (
        "ranks=3",
        "ranks=2",
        "the furthest three ranks: a to c for Black and g to i for White.",
        "the furthest two ranks: a to b for Black and h to i for White.",
    ),
    "promotion": ("promotes=+N forced", "promotes=+N", "must promote", "may promote, to"),
    "royal capture": (
        "rule  win = mate,royal-capture",
        "rule  win = mate,checks:3",
        "Capturing the other side's king wins.",
        "Giving check for the third time wins. (`win = mate,checks:3`)",
    ),
    "repetition": (
        "rule  repetition = 4 draw",
        "rule  repetition = 3 loss-first",
        "for the fourth time, the game is a draw.",
        "for the third time, the side that moved first in the game loses.",
    ),
    "match": (
        "rule  match = 2 consecutive",
        "rule  match = best-of 3",
        "two games in a row",
        "The match is won by winning more than half of three games.",
    ),
    "drop ranks": (
        "drop-ranks=1-6",
        "drop-ranks=none",
        "only on ranks d to i for Black and a to f for White.",
        "A knight (N) is never dropped.",
    ),
    "file": (
        "per-file=1 per-file-on=drop,move",
        "per-file=2",
        "A side may have one soldier on a file and no more",
        "Only drops are limited: moves may bring more than two soldiers of a side onto a file.",
    ),
    "status": (
        'Crooked Rook" status=deduced',
        'Crooked Rook"',
        "The move of soldier (SO) is **deduced**",
        "| soldier | – | 5 | `fsW` | `1×3dN-E-W` | known |",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_field_changes_the_page(name: str) -> None:
    old, new, before, after = CHANGES[name]
    text = rules_page.rules_page(changed(old, new))
    lines = [line for line in text.splitlines() if line not in page("hand_shogi").splitlines()]
    assert before in page("hand_shogi")
    assert before not in "\n".join(lines)
    assert after in "\n".join(lines)
    assert after not in page("hand_shogi") or name == "stalemate"


@pytest.mark.parametrize(("name", "piece"), [("yari", "pawn (P)"), ("tori", "swallow (S)")])
def test_a_piece_that_keeps_to_its_file_is_not_said_to_leave_it(name: str, piece: str) -> None:
    assert f"Only drops are limited; no move of a {piece} leaves its file." in page(name)


def test_stalemate_is_told_as_the_file_has_it() -> None:
    told = "- If the side to move is not in check and has no legal move, {} (`stalemate = {}`)"
    assert told.format("it loses.", "loss") in page("hand_shogi")
    text = rules_page.rules_page(changed("rule  stalemate = loss", "rule  stalemate = draw"))
    assert told.format("the game is a draw.", "draw") in text
    assert "`stalemate = loss`" not in text


def test_another_move_for_a_piece_is_told_as_the_users() -> None:
    text = rules_page.rules_page(alfil.load("hand_shogi", pieces={"SH": "R2", "T": "R"}))
    by_code = {row[0]: row for row in rows(text, "Pieces")}
    assert by_code["SH"][5:] == ["R2", "{1,2}×4dO", "**set by the user**"]
    assert by_code["O"][7] == "**reconstructed**"
    assert "- The move of tycoon (T) and shogun (SH) was **set by the user**." in text
    assert "moves given here for onager (O) and hasty (H) are a **reconstruction**" in text
    verdicts = {row[0]: row[5] for row in rows(text, "Conditions on the moves that are not known")}
    assert verdicts["H3"] == "does not hold for T"
    assert verdicts["H2"] == "holds"


def test_the_first_moves_are_counted_by_kind() -> None:
    assert (
        "There are 315 legal first moves, 22 on the board and 293 drops; 92,393 sequences of two."
    ) in page("hand_shogi")
    unknown = "rests on a move that is not known"
    assert rows(page("hand_shogi"), "The first move") == [
        ["king (K)", "4", "–", ""],
        ["tycoon (T)", "–", "63", ""],
        ["shogun (SH)", "–", "63", ""],
        ["gold general (G)", "8", "–", ""],
        ["silver general (S)", "–", "63", ""],
        ["pard (PD)", "3", "–", ""],
        ["onager (O)", "–", "0", unknown],
        ["hasty (H)", "–", "2", unknown],
        ["knight (N)", "–", "45", ""],
        ["lance (L)", "–", "57", ""],
        ["soldier (SO)", "7", "–", ""],
    ]
    assert "There are 30 legal first moves; 900 sequences of two." in page("shogi")
    assert "There are 20 legal first moves; 400 sequences of two." in page("chess")


FORMS = {
    "hand_shogi": {
        "move": r"[A-Z]+-\d[a-i]",
        "drop": r"[A-Z]+\*\d[a-i]",
        "capture": r"[A-Z]+x\d[a-i]",
        "promotion": r"N-\d[abc]\+",
        "capture with promotion": r"Nx\d[abc]\+",
        "move of a promoted piece": r"\+N-\d[a-i]",
        "start square needed": r"[A-Z]+\d[a-i]-\d[a-i]",
    },
    "chess": {
        "move": r"[A-Z][a-h]\d",
        "capture": r"[A-Z]x[a-h]\d",
        "promotion": r"[a-h]8=[QRBN]\+",
        "capture with promotion": r"[a-h]x[a-h]8=[QRBN]\+",
        "start square needed": r"[A-Z]\d[a-h]\d\+",
    },
    "shogi": {
        "move": r"[A-Z]-\d[a-i]",
        "capture": r"[A-Z]x\d[a-i]=?",
        "promotion": r"[A-Z]-\d[abc]\+",
        "capture with promotion": r"[A-Z]x\d[abc]\+",
        "promotion declined": r"[A-Z]-\d[abc]=",
        "move of a promoted piece": r"\+[A-Z]-\d[a-i]",
        "start square needed": r"[A-Z]\d[a-i]-\d[a-i]",
    },
}


@pytest.mark.parametrize("name", FORMS)
def test_each_form_of_move_has_an_example_that_can_be_played(name: str) -> None:
    library = alfil.load(name)
    found = rows(page(name), "Moves in text")
    assert [what for what, *_ in found] == list(FORMS[name])
    for what, hodges, usi, cell, position in found:
        assert re.fullmatch(FORMS[name][what], hodges), what
        for text in (hodges, usi, cell):
            game = library.game(None if position == "start" else position)
            assert not game.flags
            assert str(game.push(text)) == usi


ROYAL_WORDS = re.compile(r"\b(check|checks|mated?|royal|king is)\b", re.IGNORECASE)


@pytest.mark.parametrize("name", GAMES)
def test_only_pages_of_games_with_royal_pieces_speak_of_check(name: str) -> None:
    royal = any(kind.royal for kind in alfil.load(name).variant.kinds)
    assert bool(ROYAL_WORDS.search(page(name))) == royal


def test_pages_say_nothing_of_what_a_game_has_not() -> None:
    amazons, ataxx, othello = map(page, ("amazons", "ataxx", "othello"))
    assert "capture" not in " ".join(sentences(amazons)).replace("without capturing", "")
    assert "A turn is one move on the board." in sentences(amazons)
    assert rows(ataxx, "The first move") == [["stone (P)", "10", "6", ""]]
    # Who cannot move passes, but who has no piece left has none to pass with.
    assert "A player who has no other move, but a piece on the board, passes." in ataxx
    assert "If the side to move has no legal move, the game is a draw." in ataxx
    outcome = alfil.load("ataxx").game("7/7/7/7/7/7/P6 b - 1").outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("w", "stalemate")
    assert "Instead of moving" in ataxx
    assert "Instead of moving" not in othello
    assert "A turn is one drop." in sentences(othello)
    assert "drop after" in page("shogi")
    assert "drop after" not in page("chess")
    assert "won by the side whose pieces on the board count more: one for each." in othello


@pytest.mark.parametrize(
    ("name", "side"), [("xiangqi", "Red"), ("janggi", "Blue"), ("chess", "White")]
)
def test_the_first_side_has_one_name(name: str, side: str) -> None:
    assert f"{side} moves first, and is at the bottom in diagrams." in page(name)
    assert ("White" in page(name)) == (side == "White")


def test_what_of_a_game_is_not_played_is_said() -> None:
    text = " ".join(page("cambodian").split())
    assert "**That is not played here**: the king keeps its leap until it has moved" in text


def test_the_introduction_names_fields_and_pieces_that_there_are() -> None:
    text = (PIECES / "hand_shogi.introduction.md").read_text(encoding="utf-8")
    table = text.split("| rule | why so |")[1]
    fields = {name for line in table.splitlines() for name in re.findall(r"`([\w-]+)`", line)}
    assert fields <= {*known.RULES, *known.FIELD_TYPE_BY_KEY, "zone"}
    assert fields >= {"stalemate", "perpetual-check", "drop-mate", "drop-check", "match-first"}
    assert text in page("hand_shogi")


@pytest.mark.parametrize(
    ("name", "first", "last", "told"),
    [
        ("hand_shogi", 1, 6, "ranks d to i for Black and a to f for White"),
        ("chess", 2, 7, "ranks 2 to 7 for White and 2 to 7 for Black"),
        ("minishogi", 5, 5, "rank a for Black and e for White"),
    ],
)
def test_ranks_are_told_by_the_names_each_side_has_for_them(
    name: str, first: int, last: int, told: str
) -> None:
    words = rule_sentences.RuleSentences(alfil.load(name).variant)
    assert words.ranks_text(first, last) == told


OF_SEVERAL_WORDS = {
    "win": set(),
    "goal": {"given"},
    "extinction": {"draw", "loss", "win"},
    "countdown": {"given"},
    "countdown-without": {"given"},
    "no-exchange": {"given"},
    "no-exchange-minor": {"given"},
    "bare-minor": {"given"},
    "captures-unprotected": {"given"},
    "contagion": {"given"},
    "draw-odds": {"first", "points", "second"},
    "move-limit": {"given"},
    "repetition": {"none", "draw", "loss-first", "loss-repeater"},
    "impasse": {"none", "agreement", "points"},
    "match": {"single", "consecutive", "best-of"},
}


def test_there_is_a_sentence_for_every_value_of_every_rule() -> None:
    told: dict[str, set[str]] = {}
    for row in rule_sentences.sentences():
        name, _, value = row.rule.partition("=")
        told.setdefault(name, set()).update([value] if value else [])
    del told[""]
    assert set(told) == set(known.RULES) - LOOKS
    for name, values in told.items():
        if name in OF_SEVERAL_WORDS:
            assert values == OF_SEVERAL_WORDS[name]
            continue
        with pytest.raises(alfil.PieceFileError) as caught:
            alfil.loads(f"rule {name} = ?")
        offered = set(caught.value.hint.removeprefix("one of ").split(", "))
        # What most games have need not be told of each.
        usual = getattr(Rules(), name.replace("-", "_"))
        assert values <= offered <= values | {usual}
    ways = re.findall(
        r"\bway=(\S+)", " ".join(row.conditions for row in rule_sentences.sentences())
    )
    with pytest.raises(alfil.PieceFileError) as unknown:
        alfil.loads("rule win = ?")
    assert unknown.value.hint.replace(":N", "") == f"one of {', '.join(dict.fromkeys(ways))}"


@pytest.mark.parametrize(
    ("times", "told"), [(2, "second"), (21, "21st"), (22, "22nd"), (12, "12th")]
)
def test_places_in_a_row_are_told_as_people_say_them(times: int, told: str) -> None:
    text = rules_page.rules_page(
        alfil.loads(ODD.replace("= 2 loss", f"= {times} loss"), name="odd")
    )
    assert f"When a position occurs for the {told} time, the side whose move" in text


@pytest.mark.parametrize("name", GAMES)
def test_the_pieces_of_both_sides_are_counted(name: str) -> None:
    """One column where both sides have the same, otherwise one of each side."""
    game = alfil.load(name).game()
    begin = [Counter(code for code, side in game.pieces.values() if side == s) for s in (0, 1)]
    for side, hand in enumerate(game.hands):
        begin[side].update(hand)
    head = re.findall(r"^\| code \| letter \|.*$", page(name), re.MULTILINE)[0]
    columns = head.removeprefix("| code | letter | name | kanji | ").partition(" | Betza")[0]
    sides = ["White", "Black"] if "White moves first" in page(name) else ["Black", "White"]
    assert columns.split(" | ") == (["each side"] if begin[0] == begin[1] else sides)
    wide = 4 + len(columns.split(" | "))
    for row in rows(page(name), "Pieces"):
        told = [0 if cell == "–" else int(cell) for cell in row[4:wide]]
        assert told == [each[row[0]] for each in begin][: len(told)], row


SAME = {
    "shogi": "the board, both hands and the side to move are.",
    "dobutsu": "the board, both hands and the side to move are.",
    "chess": "the board, the side to move and the moves that pieces may make then and later are.",
    "three_check": "the board, the side to move, the moves that pieces may make then and later and"
    " the number of checks given are.",
}


@pytest.mark.parametrize("name", SAME)
def test_what_makes_two_positions_the_same_is_told(name: str) -> None:
    assert f"- Positions are the same when {SAME[name]}\n" in page(name)


def test_the_right_to_castle_makes_positions_differ() -> None:
    """The board comes about for the third time, for the second one without the right."""
    game = alfil.load("chess").game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    for move in 2 * ("a1b1", "e8d8", "b1a1", "d8e8"):
        game.push(move)
    assert game.outcome() is None
    game.push("a1b1")  # without the right every time
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "repetition"


def test_a_goal_that_is_reached_only_unattacked_is_told_so() -> None:
    told = "It is reached only while its side is not in check"
    assert told in page("dobutsu")
    assert told not in page("king_of_the_hill")  # where no move leaves a king in check
    attacked = alfil.load("dobutsu").game("g1l/L2/3/E1G w - 1")
    attacked.push("a3b4")
    assert attacked.outcome() is None
    free = alfil.load("dobutsu").game("g2/L1l/3/E1G w - 1")
    free.push("a3b4")
    assert free.outcome() is None  # beside the giraffe
    free = alfil.load("dobutsu").game("3/L1l/3/E1G w - 1")
    free.push("a3a4")
    assert str(free.outcome()) == "Outcome(winner='w', reason='goal', detail='')"


def test_explosions_of_royal_pieces_are_told() -> None:
    game = alfil.load("atomic").game("4k3/3p4/8/8/7b/8/3R4/4K3 w - 1")
    assert game.is_check()
    game.push("d2d7")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner == "w"
    for told in (
        "A capture that explodes the other side's king wins, even if one's own is in check then."
        " One that explodes one's own is illegal.",
        "A capture that would explode its own side's king gives no check.",
    ):
        assert f"- {told} (`explosion = captures`)\n" in page("atomic")
        assert told not in page("chess")


@pytest.mark.parametrize("name", ["georgian", "spartan"])
def test_no_piece_is_said_to_be_captured_en_passant_where_none_captures_so(name: str) -> None:
    assert "captured en passant" in page("chess")
    assert "passant" not in variant_page(name)


def test_a_pawn_with_nothing_to_become_is_said_to_stay() -> None:
    assert "must promote while there is nothing that it may become" in page("grand")


def test_kings_that_no_explosion_takes_are_not_said_to_explode() -> None:
    text = variant_page("atomar")
    assert "No explosion takes a king" in text
    assert not re.search(r"explo[^.]*\bits own side's king|only such an explosion", text)


@pytest.mark.parametrize(
    ("name", "told", "untold"),
    [
        ("jesonmor", "being there still at one's next turn wins", "Reaching the goal wins"),
        ("checkshogi", "may be dropped to give mate all the same", "may not be dropped to give"),
    ],
)
def test_what_another_rule_makes_void_is_not_told_as_a_rule(
    name: str, told: str, untold: str
) -> None:
    assert told in variant_page(name)
    assert untold not in variant_page(name)


def test_the_first_check_wins_before_a_dropped_pawn_mates() -> None:
    position = "7lk/7l1/9/9/8L/9/9/4K4/9 {} P 1"
    reason = alfil.load("shogi").game(position.format("b")).why_illegal("P*1b")
    assert reason is not None
    assert reason.code == "drop-mate"
    game = alfil.load("tests/variants/checkshogi.pieces").game(position.format("w"))
    game.push("P*i8")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner == "w"


def test_castling_is_told_to_leave_one_piece_behind() -> None:
    """King and rook of seirawan chess leave squares on which pieces in hand may be put."""
    assert "When a king (K) castles, only one of the two squares" in page("seirawan")


def test_a_capture_that_explodes_both_kings_loses_where_that_is_told() -> None:
    game = alfil.load(str(VARIANTS / "nocheckatomic.pieces")).game("8/8/8/3kp3/3K4/5N2/8/8 w - 1")
    game.push("f3e5")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner == "b"
    assert "One that explodes one's own, or both, loses." in variant_page("nocheckatomic")


BURNING = """
board 6x6
rule  first = white
piece K "king"  betza=K royal
piece R "rook"  betza=R
piece D "demon" hasinu="n8d & burn(1×8d)"
setup mirrored
| K R D . . . |
"""


def test_a_king_that_is_burnt_ends_the_game_as_told() -> None:
    """White is in check, and its demon goes beside the king of Black, which burns."""
    library = alfil.loads(BURNING, name="burning")
    game = library.game("3k2/6/6/D5/4r1/4K1 w - 1")
    assert game.is_check()
    game.push("a3c5")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner == "w"
    assert (
        "- A move that has the other side's king burnt or shot wins, even if one's own is in check"
        " then. One that has one's own burnt or shot is illegal.\n"
    ) in rules_page.rules_page(library)


def test_only_pieces_that_promote_by_the_zone_are_said_to() -> None:
    """In Kyoto shogi every move promotes; in sittuyin a move of its own does, within the zone."""
    part = variant_page("kyotoshogi").partition("## Promotion\n")[2].partition("\n## ")[0]
    assert "zone" not in part
    assert "stays promoted" not in part
    assert "- A piece promotes with any move. (`promotion-when = always`)\n" in part
    assert "- The promotion zone is the region promotion. (`region promotion`)\n" in page(
        "sittuyin"
    )
    assert "ends in the zone" not in page("sittuyin")
    assert "A piece promotes with a move that ends in the zone." in page("chess")


def variant_page(name: str) -> str:
    return rules_page.rules_page(alfil.load(str(VARIANTS / f"{name}.pieces")))


def test_a_royal_piece_that_would_turn_to_stone_does_not_capture() -> None:
    game = alfil.load(str(VARIANTS / "petrified.pieces")).game("4k3/8/8/8/8/3p4/3K4/8 w - 1")
    assert game.why_illegal("d2d3") is not None
    told = re.findall(r"^- (A king .* stone.*)$", variant_page("petrified"), re.MULTILINE)
    assert told == [
        "A king (K) that captured would turn to stone. As its side would lose it by that, it may"
        " not capture. (`K petrifies`)"
    ]


def test_several_royal_pieces_of_one_kind_are_several() -> None:
    told = "A side loses its royal pieces with the first of them. (`royal-lost = any`)"
    assert told in variant_page("threekings")
    assert told not in page("chess")


def test_a_drop_begins_a_limit_of_moves_anew() -> None:
    game = alfil.load("crazyhouse").game("4k3/8/8/8/8/8/8/1R2K3 w N 1 idle=60")
    game.push("N*c3")
    assert "idle" not in game.position_text()
    assert "without a capture, a drop or a move of a pawn." in page("crazyhouse")
    assert "without a capture or a move of a pawn." in page("chess")


def test_games_without_royal_pieces_have_no_check() -> None:
    assert "one's own royal piece in check" not in page("ataxx")
    assert "A side is in check when" not in page("ataxx")


PROMOTING = """
game  "Promoting"
board 5x5
zone  promotion ranks=1
rule  first = white
piece K "king" betza=K royal
piece Q "queen" betza=Q
piece A "alfil" betza=A promotes=Q
piece F "ferz" hasinu="promote(c(1×4dD), n8d) & 1×4dD"
piece W "wazir" betza=W promotes=Q apart
setup mirrored
| K A F W . |
"""


def test_pieces_that_promote_in_ways_of_their_own_are_no_exceptions_to_what_is_told() -> None:
    text = rules_page.rules_page(alfil.loads(PROMOTING, name="promoting"))
    assert "- A piece of which nothing else is said promotes with a move that ends in the" in text
    assert (
        "- A ferz (F) must promote with those of its moves that its description names, to queen"
        in text
    )


def test_without_a_zone_only_pieces_that_promote_by_themselves_are_said_to() -> None:
    text = PROMOTING.replace("zone  promotion ranks=1\n", "").replace("F W . |", "F . W |")
    library = alfil.loads(text, name="no_zone")
    told = rules_page.rules_page(library)
    assert "A wazir (W) that is the only one of its side may promote with a move of" in told
    assert "An alfil (A) may promote" not in told
    assert "ends in the zone" not in told
    assert [each.spans[0].start for each in library.diagnostics] == [text.index("promotes=Q")]
    promoting = {move.code for move in library.game().legal_moves if move.promotes}
    assert promoting == {"W"}


ODD = """
game  "Odd"
board 5x5
zone  promotion ranks=5
rule  first = white
rule  captured = to-hand
rule  captured-form = as-is
rule  drops = yes
rule  drop-form = either
rule  promotion-when = always
rule  royal-lost = all
rule  self-check = allowed
rule  win = royal-capture,goal,bare
rule  goal = K 5-5
rule  stalemate = win
rule  repetition = 2 loss-repeater
rule  perpetual-check = draw
rule  perpetual-span = last
rule  match-draw = ignored
piece K "king" betza=K royal
piece A "alfil" betza=A royal promotes=+A
piece +A "angel" betza=Q drop-check=barred status=reconstructed
setup first
| K A . . . |
setup second
| K . . . A |
"""


def test_unusual_rules_are_told_too() -> None:
    text = rules_page.rules_page(alfil.loads(ODD, name="odd"))
    assert "The goal is a king on rank 5 for White and 1 for Black. (`goal = K 5-5`)" in text
    assert "Every square is in the promotion zone. (`zone promotion ranks=5`)" in text
    assert "An alfil (A) may promote, to angel (+A). (`A promotes=+A optional`)" in text
    assert "A dropped angel (+A) must not give check itself. (`+A drop-check=barred`)" in text
    assert "A side loses its royal pieces with the last of them. (`royal-lost = all`)" in text
    assert "Capturing the other side's last king or alfil wins. Reaching the goal wins." in text
    assert "for the second time, the side whose move repeated the position loses." in text
    assert "The arrays mirror each other." not in text
    assert "A drawn game counts for nothing. (`match-draw = ignored`)" in text
    assert "chase" not in text


FREE = """
game  "Free drops"
board 6x6
rule  first = white
rule  drops = free
zone  promotion ranks=2
piece K "king"   betza=K      royal
piece Q "queen"  betza=Q      drop-in=3-4
piece S "squire" betza=WfF    drop-check=required
piece P "pawn"   betza=fmWfcF promotes=Q forced drop-ranks=none
setup
| P P P P P P |
| Q . S K . S |
"""


def test_limits_of_drops_are_told_where_drops_are_free() -> None:
    text = rules_page.rules_page(alfil.loads(FREE, name="free"))
    assert "Royal pieces are never dropped. (`drops = free`)" in text
    assert "A turn is one move on the board, with its promotion, or one drop." in text
    assert "It is put down unpromoted. (`drop-form = base`)" in text
    assert "A queen (Q) is dropped only in ranks 3 to 4 for White and 3 to 4 for Black." in text
    assert "A dropped squire (S) must itself give check. (`S drop-check=required`)" in text
    assert "A pawn (P) is never dropped. (`P drop-ranks=none`)" in text


def test_chases_are_told_with_the_pieces_that_they_are_of() -> None:
    text = page("xiangqi")
    assert "A chariot (R) is worth 9. (`R points=9`)" in text
    assert "A soldier (S) may be chased for ever except in the region beyond." in text
    assert (
        "For that, the moves since the first occurrence count. (`perpetual-span = first`)" in text
    )


@pytest.mark.parametrize(("name", "there"), [("amazons", False), ("duck", True), ("chess", True)])
def test_a_start_square_that_is_always_written_is_never_needed(name: str, *, there: bool) -> None:
    assert ("start square needed" in page(name)) is there


def test_a_game_that_builds_walls_has_all_its_examples() -> None:
    assert "| capture with promotion | `exd8=Q/a1+` |" in page("duck")
    # Ten times as much while positions were looked through with all their walls.
    variant = alfil.load("duck").variant
    assert calls(lambda: list(move_examples(variant))) < 3_000_000


def test_examples_are_looked_for_without_the_drops_that_have_no_end() -> None:
    """On a large board a position has thousands of these, and none shows how a piece moves."""
    men = "".join(f'piece {each} "{each.lower()}" betza=W promotes=A\n' for each in "BCDE")
    variant = alfil.loads(
        f'board 20x30\nzone promotion ranks=1\nrule drops = free\npiece K "king" betza=K royal\n'
        f'piece A "mage" hasinu="burn(2×8d) & n8d"\n{men}'
        f"setup mirrored\n| A K B {'. ' * 17}|\n"
    ).variant
    # Five times as much while positions were looked through with all their drops.
    assert calls(lambda: list(move_examples(variant))) < 4_000_000


def test_every_bundled_set_has_a_page_or_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert {*GAMES, *UNPLAYABLE} == set(bundled_set_names())
    for name in GAMES:
        assert page(name).startswith("# ")
    assert page("hand_shogi") == rules_page.rules_page(alfil.load("hand_shogi"))
    for name, kind in UNPLAYABLE.items():
        assert run(["rules", name]) == 1
        out, err = capsys.readouterr()
        assert (out, f"[{kind}]" in err) == ("", True)


def test_a_page_of_a_file_with_its_pictures_and_its_introduction(tmp_path: Path) -> None:
    (tmp_path / "odd.pieces").write_text(ODD, encoding="utf-8")
    (tmp_path / "odd.introduction.md").write_text("Nobody plays this.\n", encoding="utf-8")
    assert run(["rules", str(tmp_path / "odd.pieces"), "-o", str(tmp_path / "rules.md")]) == 0
    text = (tmp_path / "rules.md").read_text(encoding="utf-8")
    assert "\n\nNobody plays this.\n\n## Board and starting position\n" in text
    linked = re.findall(r"\]\((.*?)\)", text)
    assert linked == ["rules-setup.svg", "rules-pieces.svg"]
    assert all((tmp_path / name).read_bytes().startswith(b"<svg") for name in linked)
    assert run(["rules", "chess", "--piece", "K=wQ"]) == 1
    assert run(["rules", "chess", "-o", str(tmp_path / "nowhere" / "rules.md")]) == 2


@pytest.mark.parametrize(
    ("kinds", "rows"),
    [
        ('piece K "king" betza=K royal', "| K . |"),
        ('piece A "alfil" betza=A', "| A . |"),
        ('piece A "alfil" betza=A royal\npiece B "stone" betza=""', "| A B |"),
    ],
)
def test_games_with_hardly_any_pieces_have_pages(kinds: str, rows: str) -> None:
    text = rules_page.rules_page(alfil.loads(f"board 2x3\n{kinds}\nsetup\n{rows}\n", name="tiny"))
    assert text.startswith("# Tiny\n")
    assert "## Moves in text" in text


def test_a_royal_piece_is_said_to_be_royal_once() -> None:
    line = 'piece K "king" betza=K royal'
    both = ODD.replace(line, 'piece K "king" hasinu="royal(O) & 1×8d" royal')
    for text in (ODD, both):
        page = rules_page.rules_page(alfil.loads(text, name="odd"))
        (king,) = re.findall(r"^.*\*\*king\*\* .*$", page, re.MULTILINE)
        assert king.lower().count("it is royal") == 1


ONE_MOVE = """
game  "One move"
board 1x6
rule  first = white
piece K "king" betza=fW royal
setup first
| K |
setup second
| K |
"""


def test_one_first_move_is_told_in_the_singular() -> None:
    found = rules_page.rules_page(alfil.loads(ONE_MOVE, name="one"))
    assert "There is 1 legal first move; 1 sequence of two." in found


def test_a_pass_is_counted_apart_from_the_moves_of_its_piece() -> None:
    assert "There are 32 legal first moves, 31 on the board and one pass; 1,024" in page("janggi")
    assert rows(page("janggi"), "The first move")[0] == ["general (K)", "6", "–", ""]


CASTLES = (
    "A king (K) may not castle out of check, over a square where it would be in check, or onto one."
)


@pytest.mark.parametrize(
    ("name", "attacked", "told"),
    [
        ("chess", "4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", True),
        ("chess960", "4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", True),
        ("placement", "4k3/8/8/8/8/8/5r2/R3K2R w - 20 m=a1:0,e1:0,h1:0", True),
        ("duck", "4k3/8/8/8/8/8/5r2/R3K2R w - 1", False),
        ("extinction", "rnbqk3/pppp4/8/8/8/5r2/PP6/RNBQK2R w KQ - 0 1", False),
    ],
)
def test_it_is_told_what_castles_out_of_and_through_check(
    name: str, attacked: str, *, told: bool
) -> None:
    """The rook attacks the square that the king passes on one side."""
    assert (CASTLES in page(name)) == told
    moves = {move.target for move in alfil.load(name).game(attacked).legal_moves if move.partner}
    assert ((6, 0) in moves) == (not told)
    free = "A king (K) may castle out of check and through it."
    assert (free in page(name)) == (name == "duck")


DROPPED = "A piece that was dropped counts as one that has moved, unless it is on a starting square"


@pytest.mark.parametrize("name", GAMES)
def test_it_is_told_how_dropped_pieces_count(name: str) -> None:
    assert (DROPPED in page(name)) == (name == "crazyhouse")


def test_dropped_pieces_count_as_the_page_of_crazyhouse_tells() -> None:
    game = alfil.load("crazyhouse").game("4k3/8/8/8/8/8/8/4K3 w R2P 1")
    for move in ("P@d2", "e8e7", "P@f3", "e7e8", "R@h1", "e8e7"):
        game.push(move)
    legal = {str(move) for move in game.legal_moves}
    assert "d2d4" in legal
    assert "f3f4" in legal
    assert not {"f3f5", "e1g1"} & legal


UNSAID = "In such a text a piece on a square where one like it began has not moved, and every other"


@pytest.mark.parametrize(
    ("name", "told"), [("chess960", True), ("chess", True), ("makruk", False), ("shogi", False)]
)
def test_what_has_moved_in_a_position_in_text_is_told(name: str, *, told: bool) -> None:
    assert (UNSAID in page(name)) == told


def test_the_positions_of_chess960_on_its_page_can_castle() -> None:
    text = page("chess960").partition("## Board and starting position")[0]
    found = re.findall(r"`([^`]*/[^`]* [wb] [^`]*)`", text)
    assert len(found) == 2
    for position in found:
        game = alfil.load("chess960").game(position)
        assert {move.target for move in game.legal_moves if move.partner}


def test_othello_tells_who_begins_by_the_names_people_use() -> None:
    assert "Othello is begun by black" in page("othello")


def test_who_may_pass_is_never_stalemated() -> None:
    text = rules_page.rules_page(alfil.load("janggi"))
    assert "Nobody is stalemated: whoever is not in check may pass." in text
    assert "no legal move, it loses" not in text


@pytest.mark.parametrize("name", ["troitzky", "omicron", "gustav3"])
def test_examples_of_moves_keep_off_the_holes_of_a_board(name: str) -> None:
    text = rules_page.rules_page(alfil.load(f"tests/variants/{name}.pieces"))
    assert "holes" in text or "none of the board" in text


@pytest.mark.parametrize(
    ("name", "told"), [("duck", "If the side to move has no"), ("chess", "is not in check and")]
)
def test_who_cannot_be_mated_is_stalemated_in_check_too(name: str, told: str) -> None:
    (line,) = (
        line
        for line in rules_page.rules_page(alfil.load(name)).splitlines()
        if "`stalemate" in line
    )
    assert told in line


def test_only_bare_kings_are_said_to_draw_where_checks_win() -> None:
    library = alfil.load("three_check")
    outcome = library.game("4k3/8/8/8/8/8/8/4K3 w - 1").outcome()
    assert outcome
    assert outcome.reason == "insufficient-material"
    # No sequence of moves mates here either, but of checks there may be three.
    assert library.game("4k3/8/8/8/8/8/8/4KN2 w - 1").outcome() is None
    assert "When neither side has any piece but its king" in page("three_check")
    assert "can mate either side" not in page("three_check")
    assert "can mate either side" in page("chess")


EXPLODING = """
game "Exploding"
board 7x7
zone promotion ranks=1
rule first = white
rule captured = {captured}
rule drops = {drops}
rule captured-form = {form}
rule explosion = captures
piece K "king" betza=K royal
piece N "knight" betza=N promotes=+N
piece +N "lord" betza=NF
piece P "pawn" betza=fW
setup
| . . . K . . . |
"""


@pytest.mark.parametrize(("form", "told"), [("base", "unpromoted"), ("as-is", "as it is in hand")])
def test_what_is_dropped_and_what_an_explosion_leaves_are_told(form: str, told: str) -> None:
    library = alfil.loads(EXPLODING.format(captured="to-hand", drops="yes", form=form))
    text = rules_page.rules_page(library)
    assert f"It is put down {told}." in text
    assert "around, of both sides, go to the hand of the capturing side, too." in text
    game = library.game("3k3/7/7/2p4/7/3N3/2K4 w - 1")
    game.push("d2c4")
    assert game.hands[0] == {"P": 1}
    around = library.game("3k3/7/3p3/2p4/1P5/3N3/2K4 w - 1")
    around.push("d2c4")
    assert around.hands[0] == {"P": 3}
    assert around.hands[1] == {}
    stone = EXPLODING.replace("betza=N promotes=+N", "betza=N petrifies")
    for explosion, told_of_stone in (("captures", False), ("none", True)):
        changed_file = stone.replace("explosion = captures", f"explosion = {explosion}")
        file = alfil.loads(changed_file.format(captured="removed", drops="no", form="base"))
        assert ("turns to stone" in rules_page.rules_page(file)) is told_of_stone
    removed = alfil.loads(EXPLODING.format(captured="removed", drops="no", form="base"))
    assert "A capture explodes: the captured piece, the piece" in rules_page.rules_page(removed)


SEVERAL = """
game "Several"
board 6x6
rule first = white
rule royal-lost = all
{rules}
piece K "king" betza=K royal
piece R "rook" betza=R
piece F "freezer" {freezer}
setup
| K . R . . K |
"""


def several(rules: str = "", freezer: str = "betza=F") -> alfil.Library:
    return alfil.loads(SEVERAL.format(rules=rules, freezer=freezer))


def test_of_several_royal_pieces_the_last_decides() -> None:
    library = several("rule win = royal-capture\nrule explosion = captures\nrule facing = barred")
    text = rules_page.rules_page(library)
    assert "Capturing the other side's last king wins." in text
    assert "explodes the other side's last king wins" in text
    assert "One that explodes the last of one's own is illegal." in text
    assert "may not face" not in text
    game = library.game("1k2k1/6/6/1R4/6/K4K w - 1")
    game.push("b3b6")
    assert game.outcome() is None


def test_who_is_immobilised_or_must_drop_does_not_pass() -> None:
    assert "may pass. Two" in rules_page.rules_page(several("rule passes = allowed"))
    text = rules_page.rules_page(several("rule passes = allowed", 'hasinu="1×4dO & im(1×8d,PA)"'))
    assert "may pass, unless all their royal pieces are immobilised." in text
    assert "Nobody is stalemated" not in text


def test_what_becomes_a_piece_of_the_start_stays_that_in_hand() -> None:
    text = EXPLODING.format(captured="to-hand", drops="yes", form="base")
    assert "What was promoted" not in rules_page.rules_page(alfil.loads(text))
    text = text.replace("betza=fW", "betza=fW promotes=N")
    text = text.replace("| . . . K . . . |", "| . N . K . . . |").replace(
        "rule explosion = captures\n", ""
    )
    library = alfil.loads(text)
    assert "that there is at the start, knight, stays that." in rules_page.rules_page(library)


LARGE = """game "Walls left"
board 6x6
rule first = white
rule wall = left
piece K "king" betza=K{castling} royal
piece B "block" hasinu="1×4dO & sz(2)"
piece R "wazir" betza=W
setup mirrored
| . _ _ . . . |
| R B _ K . R |
"""


def test_a_large_piece_leaves_walls_on_squares_and_has_examples(tmp_path: Path) -> None:
    file = tmp_path / "walls.pieces"
    for large in (True, False):
        text = LARGE if large else LARGE.replace(" & sz(2)", "").replace("_", ".")
        file.write_text(text.format(castling="" if large else "isO2"), encoding="utf-8")
        game = alfil.load(file).game()
        move = next(each for each in game.legal_moves if each.code == "B" and not each.captures)
        left = {move.origin}
        game.push(move)
        told = page(str(file))
        assert (len(game.walls) > 1) == large
        assert left <= {*game.walls}
        squares = "The squares that a piece leaves with its move are walled up."
        assert (squares in told) == large
        assert ("The square from which a piece moves is walled up." in told) != large
        assert ("castles, only the square that it leaves is walled up." in told) != large
        page.cache_clear()


PASSES = """game "Passes"
board 3x3
rule first = white
rule passes = stuck
rule stalemate = loss
{win}piece K "king" betza=K{royal}
piece Q "queen" betza=Q
setup mirrored
| . K Q |
"""


@pytest.mark.parametrize(
    ("royal", "win", "idle"),
    [(" royal", "", True), (" royal", "rule win = bare\n", False), ("", "", False)],
)
def test_who_has_no_move_passes_where_that_is_told(
    tmp_path: Path, royal: str, win: str, *, idle: bool
) -> None:
    file = tmp_path / "passes.pieces"
    file.write_text(PASSES.format(royal=royal, win=win), encoding="utf-8")
    library = alfil.load(file)
    assert ("changes-nothing" in {each.kind for each in library.diagnostics}) == idle
    assert ("has no legal move, it loses." in page(str(file))) != idle
    # Who has no piece has none to pass with.
    game = library.game("3/3/1KQ b - 1" if not royal else "2k/3/1KQ b - 1")
    outcome = game.outcome()
    assert (outcome is not None and outcome.reason == "stalemate") == (not royal)


def test_a_piece_that_turns_to_stone_changes_no_enemies(tmp_path: Path) -> None:
    file = tmp_path / "stones.pieces"
    file.write_text(
        'game "Stones"\nboard 5x4\nrule first = black\nrule flip = adjacent\nrule win = bare\n'
        'piece P "pawn" betza=W\npiece R "rook" betza=R petrifies\nsetup mirrored\n| P . R . . |\n',
        encoding="utf-8",
    )
    assert "A rook (R) that turns to stone changes no enemies." in page(str(file))
    game = alfil.load(file).game("5/pp3/1p3/R3P b")
    game.push("5d5b")
    assert {side for _, side in game.pieces.values()} == {0, 1}


def test_no_drop_is_said_to_mate_where_none_may_give_check() -> None:
    text = """board 6x6
rule drops = yes
piece G "gold" betza=WfF
piece K "king" betza=K royal
hand G
setup mirrored
| . . . K . . |
"""
    said = "Any drop may mate."
    assert said in rules_page.rules_page(alfil.loads(text))
    quiet = text.replace("betza=WfF", "betza=WfF drop-check=barred")
    for barred in (f"rule giving-check = barred\n{text}", quiet):
        assert said not in rules_page.rules_page(alfil.loads(barred))


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("win = mate", "comes about only in a position set up with the side to move in check."),
        ("win = checks:2", "As no move may give check, that never comes about."),
    ],
)
def test_nobody_is_mated_where_no_move_may_give_check(rules: str, said: str) -> None:
    text = (
        'board 6x6\nrule first = white\n{}\npiece R "rook" betza=R\npiece K "king" betza=K royal\n'
        "setup mirrored\n| R . . K . . |"
    )
    barred = rules_page.rules_page(
        alfil.loads(text.format(f"rule giving-check=barred\nrule {rules}"))
    )
    assert said in barred
    assert "Sides whose pieces can mate no more play on." not in barred
    assert said not in rules_page.rules_page(alfil.loads(text.format(f"rule {rules}")))


@pytest.mark.parametrize("name", ["janggi", "xiangqi"])
def test_pieces_of_examples_stand_where_they_may(name: str) -> None:
    library = alfil.load(name)
    variant = library.variant
    positions = [each.position for each in move_examples(variant) if each.position]
    assert positions
    for position in positions:
        for square, (code, side) in library.game(position).pieces.items():
            within = variant.kind(code).within
            assert within is None or square in variant.squares(within, side), (position, code)


SMALL = 'board 5x5\nrule first = white\npiece K "king" betza=K royal\n'
BACK_RANKS = "setup mirrored\n| R . K . . |\n"


def small_page(lines: str) -> tuple[Library, str]:
    library = alfil.loads(lines)
    return library, rules_page.rules_page(library)


def test_a_page_has_examples_of_pieces_of_one_side_only() -> None:
    armies = 'piece W "warden" betza=R side=first\npiece B "bishop" betza=B side=second\n'
    begin = "setup first\n| W . K . . |\nsetup second\n| B . K . . |\n"
    library, text = small_page(f"{SMALL}{armies}{begin}")
    captures = [each for each in move_examples(library.variant) if each.what == "capture"]
    assert [each.usual[0] for each in captures] == ["W"]
    assert captures[0].usual in text


# A game in few words, and what its page says of it, or does not.
TOLD = {
    'rule captures-unprotected = K,R\npiece R "rook" betza=R': (
        "A king (K) or a rook (R) makes no capture after which it could be captured in turn",
        "or A rook",
    ),
    "rule drops = yes\nrule captured = to-hand": ("Any drop may mate.", ""),
    "rule drops = yes\nrule captured = to-hand\nrule self-check = allowed\n"
    "rule win = royal-capture": ("", "Any drop may mate."),
    "rule repetition = 3 loss-first\nrule perpetual-check = draw": ("If one side, or both,", ""),
    'rule repetition = 3 draw\nrule perpetual-chase = loss\npiece R "rook" betza=R\n'
    'piece N "knight" betza=N points=2': (
        "Where it is not said, pieces are worth so much: five for a piece that slides",
        "",
    ),
    "rule insufficient = draw": ("When it is certain from the pieces alone", "alfil proves"),
    "rule insufficient = draw\nrule must-capture = yes": (
        "In this game alfil proves of no pieces that they cannot mate",
        "When it is certain from the pieces alone",
    ),
    "rule insufficient = draw\nrule royal-lost = all\nrule win = mate,checks:2": (
        "In this game alfil proves of no pieces that they cannot mate",
        "no sequence of moves can give check",
    ),
    "rule goal = K 5\nrule win = mate,goal": ("The goal is a king on rank 5", ""),
    "rule goal = K 5\nrule goal-wins = next-turn": ("", "oal"),
    "rule win = mate,checks:2": ("", "judged by the first of them"),
    "rule win = mate,checks:2\nrule mate = win": (
        "judged by the first of them in this order: mate, the number of checks; any other end",
        "",
    ),
    'rule repetition = 3 draw\npiece R "rook" betza=R gates': (
        "the same when the board and the side to move are",
        "moves for the first time",
    ),
    'rule repetition = 3 draw\npiece R "rook" betza=R gates\nhand R': (
        "the moves that pieces may make then and later",
        "",
    ),
    "rule win = royal-capture": ("A side in check that has no legal move is mated and loses.", ""),
    "rule win = royal-capture\nrule self-check = allowed": ("", "is mated"),
    "rule win = royal-capture,goal\nrule goal = K 5\nrule self-check = allowed\n"
    "rule extinction = all win": (
        "in this order: the capture of a royal piece, extinction, the goal; any other end",
        "",
    ),
    "rule stalemate = fewer": (
        "the side with fewer pieces on the board wins; with equal numbers, the game is a draw.",
        "",
    ),
    "rule extinction = each loss\nrule drops = yes\nrule captured = to-hand\n"
    'piece R "rook" betza=R\nhand R': ("one of the kinds it began with on the board", ""),
    'rule drops = yes\nrule drops-first = yes\npiece R "rook" betza=R gates\nhand R': (
        "every turn is a drop",
        "moves for the first time",
    ),
    'rule wall = arrow\npiece M "medusa" betza=Q petrifies': (
        "As it could wall up no square then, it may not capture.",
        "turns to stone",
    ),
    "rule wall = arrow": ("no square can be walled up so is illegal.", "jumps over a piece"),
    'rule wall = left\npiece G "grasshopper" betza=gQ': (
        "A move that jumps over a piece may jump over a wall instead.",
        "",
    ),
    'rule wall = left\npiece D "dabbaba" betza=D': ("may jump over a wall instead.", ""),
    'rule wall = left\npiece R "rook" betza=R': ("", "may jump over a wall"),
    'rule wall = duck\npiece C "cannon" betza=mRcpR': ("may jump over the duck instead.", "a wall"),
}


@every_row("lines, told", TOLD.items())
def test_a_page_tells_of_rules_together_what_they_come_to(
    lines: str, told: tuple[str, str]
) -> None:
    there, absent = told
    _, text = small_page(f"{SMALL}{lines}\nsetup mirrored\n| . . K . . |\n")
    assert there in text
    assert not absent or absent not in text


def test_what_turns_to_stone_or_explodes_may_capture_what_is_protected() -> None:
    """No rule says otherwise on the page: it is not captured in turn."""
    rook = 'piece R "rook" betza=R{}\npiece N "knight" betza=N\n'
    for rules, fields, allowed in (
        ("", "", False),
        ("", " petrifies", True),
        ("rule explosion = captures\n", "", True),
        ("rule explosion = captures\n", " blast=never", False),
    ):
        text = f"{SMALL}rule captures-unprotected = R\n{rules}{rook.format(fields)}{BACK_RANKS}"
        game = alfil.loads(text).game("4k/n4/2n2/5/K1R2 w - 1")
        assert ("c1c3" in map(str, game.legal_moves)) == allowed


def test_a_mate_comes_before_the_last_check_as_told() -> None:
    library, _ = small_page(
        f'{SMALL}rule win = mate,checks:2\nrule mate = win\npiece R "rook" betza=R\n{BACK_RANKS}'
    )
    game = library.game("4k/1R3/R4/5/2K2 w - 1 checks=1,0")
    game.push("a3a5")
    assert game.outcome() == alfil.Outcome("b", "mate")


def test_what_a_cannon_may_not_jump_over_it_captures_only_as_it_captures_others() -> None:
    cannon = 'piece R "cannon" betza=mRcpR no-jump-over=K\n'
    _, text = small_page(f"{SMALL}{cannon}{BACK_RANKS}")
    assert "Where nothing is between, it captures them if it captures others so." in text


@every_row(
    "other, words", [("", "nothing but its king left"), ("R", "nothing but royal pieces left")]
)
def test_a_bare_side_may_have_several_royal_pieces(other: str, words: str) -> None:
    rook = f'piece R "rook" betza=R {"royal" if other else ""}\nrule win = mate,bare\n'
    assert words in small_page(f"{SMALL}{rook}{BACK_RANKS}")[1]


def test_a_side_without_royal_pieces_is_bare_with_nothing_left() -> None:
    text = 'board 5x5\nrule win = bare\npiece N "knight" betza=N\nsetup\n| N N . N N |\n'
    library, page_text = small_page(text)
    assert "A side that has nothing left, on the board and in hand, loses." in page_text
    assert library.game("5/5/5/5/NN3 w - 1").outcome() == alfil.Outcome("b", "bare")


@every_row("hand, told", [("", False), ("hand K\n", True)])
def test_where_a_royal_piece_is_dropped_is_told_only_if_it_may_be(hand: str, *, told: bool) -> None:
    start = "| . . . . . |" if hand else "| . . K . . |"
    head = "board 5x5\nrule drops = yes\nrule drops-first = yes\nrule captured = to-hand\n"
    king = 'piece K "king" betza=K royal drop-ranks=1\npiece R "rook" betza=R\n'
    text = small_page(f"{head}{king}setup mirrored\n{start}\n{hand}")[1]
    assert ("A king (K) is dropped only" in text) == told


@every_row("when, told", [("ends", True), ("touches", True), ("always", False)])
def test_a_zone_is_told_where_it_matters(when: str, *, told: bool) -> None:
    rook = f'piece R "rook" betza=R promotes=N promotes-in=4-5\nrule promotion-when = {when}\n'
    _, text = small_page(f'{SMALL}{rook}piece N "knight" betza=N\n{BACK_RANKS}')
    assert ("For a rook (R) the promotion zone is" in text) == told


def test_what_is_never_put_behind_or_only_on_some_ranks_is_told() -> None:
    library, text = small_page(
        SMALL + 'piece R "rook" betza=R gates\npiece H "hawk" betza=BN drop-ranks=none\n'
        f'piece E "elephant" betza=RN drop-ranks=2-3\n{BACK_RANKS}hand H E\n'
    )
    assert "A hawk (H) is never put from hand on a square that a piece leaves." in text
    only = "An elephant (E) is put from hand on a square that a piece leaves only on ranks 2 to 3"
    assert f"{only} for White" in text
    assert not any("/" in str(move) for move in library.game().legal_moves)


def test_who_has_no_royal_piece_is_not_said_to_pass() -> None:
    library, text = small_page(
        f'{SMALL[:-1]} side=second\nrule passes = allowed\npiece P "pawn" betza=fmWfcF\n'
        "setup first\n| P P P P P |\nsetup second\n| . . K . . |\n"
    )
    assert "may pass, unless they have no royal piece." in text
    assert "Nobody is stalemated" not in text
    outcome = library.game("2k2/5/5/p4/P4 w - 1").outcome()
    assert outcome is not None
    assert outcome.reason == "stalemate"


def test_large_pieces_mirror_each_other() -> None:
    giant = 'piece G "giant" hasinu="sz(2) & 1×8d"\n'
    for setup, told in (("mirrored", "The arrays mirror each other."), ("", "rotated by 180°.")):
        text = small_page(f"{SMALL}{giant}setup {setup}\n| _ _ . . . |\n| G _ . . K |\n")[1]
        assert told in text


def test_royal_pieces_of_which_one_may_be_spared_are_lost_with_the_last() -> None:
    library, text = small_page(
        'board 5x5\nrule first = white\npiece K "king" hasinu="1×8d & royal(O)"\n'
        "setup mirrored\n| . K . K . |\n"
    )
    assert "A side loses its royal pieces with the last of them." in text
    assert "with the first of them" not in text
    assert "when the other could capture the last king of its side" in text
    assert not library.game("k3k/4K/5/5/K4 b - 1").is_check()


@pytest.mark.parametrize(
    ("win", "mated"), [("mate", True), ("royal-capture", True), ("checks:3", False)]
)
def test_only_where_somebody_is_mated_is_it_said_who_wins_by_that(win: str, *, mated: bool) -> None:
    library, text = small_page(
        f"board 6x6\nrule first = white\nrule mate = win\nrule win = {win}\n"
        'piece K "king" betza=K royal\npiece N "knight" betza=N mates=drawn\n'
        'piece R "rook" betza=R mates=never\nsetup mirrored\n| R N . K . R |\n'
    )
    told = ("A side that is mated wins.", "A mate does not count", "A mate by a rook (R) alone")
    assert [each in text for each in told] == [mated] * 3
    game = library.game("k1K3/5R/6/3N2/6/n4r w - 1")
    game.push("d3b4")
    outcome = game.outcome()
    assert outcome
    assert outcome.reason == ("mate" if mated else "stalemate")


def test_of_royal_pieces_some_may_be_spared_and_others_not() -> None:
    library, text = small_page(
        "board 6x6\nrule first = white\nrule win = mate,royal-capture\n"
        'rule self-check = allowed\npiece K "king" betza=K royal\npiece R "rook" betza=R\n'
        'piece Q "prince" hasinu="1×8d & royal(O)"\nsetup mirrored\n| Q R K . R Q |\n'
    )
    assert "A side loses its royal pieces with the first king, or with the last prince." in text
    assert "with the first of them" not in text
    assert "when the other could capture its king or last prince with its next move" in text
    assert "Capturing the other side's king or last prince wins." in text
    for position, winner in (
        ("q1k2q/6/6/6/6/Q1K2R w - 1", None),
        ("2k2q/6/6/6/6/Q1K2R w - 1", "w"),
        ("q4k/6/6/6/6/Q1K2R w - 1", "w"),
    ):
        game = library.game(position)
        game.push("f1f6")
        outcome = game.outcome()
        assert (outcome.winner if outcome else None) == winner


def test_kings_that_may_be_left_in_check_may_face_each_other() -> None:
    library, text = small_page(
        f"{SMALL}rule facing = barred\nrule self-check = allowed\nrule win = royal-capture\n"
        f'piece R "rook" betza=R\n{BACK_RANKS}'
    )
    assert "may not face" not in text
    assert "The king of one side attacks that of the other along a rank or file" in text
    assert "c1c4" in map(str, library.game("5/2k2/5/5/2K1R w - 1").legal_moves)


@pytest.mark.parametrize("odds", ["first", "second", "points"])
def test_draws_that_players_agree_on_are_said_to_stay_draws(odds: str) -> None:
    lines = f'{SMALL}rule draw-odds = {odds}\npiece R "rook" betza=R\n{BACK_RANKS}'
    library, text = small_page(f"{lines}rule impasse = agreement\n")
    assert "agreed on" in text
    game = library.game()
    game.agree_impasse()
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner is None
    assert "agreed on" not in small_page(lines)[1]


def test_a_drawn_game_ends_no_run_where_there_is_none() -> None:
    lines = f'{SMALL}rule match = best-of 3\npiece R "rook" betza=R\n{BACK_RANKS}'
    text = small_page(lines)[1]
    assert "A drawn game counts for nothing. (`match-draw = breaks`)" in text
    assert "ends a run" not in text


def test_a_side_does_not_lose_for_want_of_the_other_sides_pieces() -> None:
    library, text = small_page(
        "board 5x5\nrule first = white\nrule extinction = P,Q loss\n"
        'piece P "pawn" betza=fmWfcF side=first letter=P\n'
        'piece Q "pawn" betza=fmWfceF side=second letter=P\nsetup first\n| P . . . . |\n'
        "setup second\n| Q . . . . |\n"
    )
    assert "A side that has no piece left of a kind: pawn loses." in text
    assert library.game().outcome() is None
    outcome = library.game("5/5/5/5/P4 b - 1").outcome()
    assert outcome is not None
    assert outcome.winner == "w"


def test_what_counts_five_is_told_of_pieces_that_slide() -> None:
    lines = f"{SMALL}rule draw-odds = points\nrule passes = allowed\n"
    lines += 'piece N "rider" betza=N0\npiece R "rook" betza=R\npiece W "wazir" betza=W\n'
    library, text = small_page(lines + "setup mirrored\n| N R W K . |\n")
    assert "five for a piece that slides without limit in at least four directions" in text
    for piece, winner in (("N", "b"), ("R", "w")):
        game = library.game(f"3k1/www2/5/5/K3{piece} w - 1")
        game.push("a1a1")
        game.push("d5d5")
        outcome = game.outcome()
        assert outcome is not None
        assert outcome.winner == winner


@pytest.mark.parametrize(
    ("wall", "sentence"),
    [
        ("duck", "With a pass, which leaves every piece where it is, the duck stays too."),
        ("anywhere", "A pass, which leaves every piece where it is, builds no wall."),
        ("left", ""),
    ],
)
def test_a_pass_moves_no_wall(wall: str, sentence: str) -> None:
    head = f"board 5x5\nrule wall = {wall}\nsetup mirrored\n| K L . . . |\n"
    pages = [
        rules_page.rules_page(
            alfil.loads(f'{head}piece K "king" betza=K royal\npiece L "lion" betza={lion}\n')
        )
        for lion in ("KNADcaKmcabK", "KNADcaK", "R")
    ]
    assert ["pass, which leaves" in page for page in pages] == [bool(sentence), False, False]
    assert sentence in pages[0]


@pytest.mark.parametrize(
    ("bee", "stone", "words"),
    [
        ("mK petrifies", "W promotes=R", False),
        ("K petrifies", "W promotes=R", True),
        ("mK per-side=2", "W promotes=R", False),
        ("mK per-side=2", "W promotes=B", True),
    ],
)
def test_what_never_happens_to_a_piece_is_not_told(bee: str, stone: str, *, words: bool) -> None:
    text = (
        f'game "g"\nboard 5x5\npiece B "bee" betza={bee}\npiece R "rook" betza=R\n'
        f'piece S "stone" betza={stone}\nzone promotion ranks=1\nsetup mirrored\n| B R S . . |\n'
    )
    told = rules_page.rules_page(alfil.loads(text))
    assert ("turns to stone" in told or "Nothing promotes to a bee" in told) == words


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("perpetual-attack = loss", False),
        ("perpetual-attack = loss\nrule repetition = 3 draw", True),
    ],
)
def test_which_moves_count_is_told_where_something_is_judged(rules: str, *, words: bool) -> None:
    text = (
        f'game "g"\nboard 3x3\nrule {rules}\npiece K "k" betza=K royal\nsetup mirrored\n| K . . |\n'
    )
    told = rules_page.rules_page(alfil.loads(text))
    assert ("For that, the moves since" in told) == words

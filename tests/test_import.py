"""`variants.ini` read as piece files: what alfil plays then is what Fairy-Stockfish plays."""

from __future__ import annotations

import json
import random
import re
import runpy
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run
from alfil.data_files import read_data

# The rows of the table say whether every setting has a counterpart, or a consequence.
from alfil.exchange.variants_ini import built_in_variants, setting_types
from lockstep import FROM_ANYWHERE, Spelling, Theirs, played_out
from strategies import NIGHTLY
from test_exchange import GAMES
from test_games_fairy import FOLDER, counted

pyffish = pytest.importorskip("pyffish")

# The gate takes some of the variants that are built in, the nightly run all of them.
EACH, PLIES, SEEDS = (1, 120, 3) if NIGHTLY else (9, 16, 1)
# The program sets its variant up again for every question, so the gate asks for ends now and then.
PLIES_PER_END = 1 if NIGHTLY else 5
BUILT_IN = sorted(pyffish.variants())
SOME = BUILT_IN[::EACH]
# Games with more moves at the start are not followed further: amazons has millions of answers.
MANY = 200
# What is lost of variants that are built in, by their settings.
LOST = {
    "bughouse": {"twoBoards"},
    "cambodian": {"cambodianMoves"},
    "courier": {"extinctionClaim"},
    "janggimodern": {"moveRepetitionIllegal"},
    "karouk": {"cambodianMoves"},
    "koedem": {"twoBoards", "mustDropType", "extinctionOpponentPieceCount"},
    "pawnsideways": {"nMoveRuleTypes"},
    "petrified": {"nMoveRuleTypes"},
    "shatranj": {"extinctionClaim"},
    "supply": {"dropChecks", "twoBoards"},
}
# No setting says that pieces are dropped which are in no hand, or that a general goes along the
# lines of his palace.
UNSAID = {"ataxx", "janggi", "janggicasual", "janggimodern", "janggitraditional"}
CONFORMANCE = Path(__file__).parents[1] / "conformance"


@cache
def imported(name: str) -> alfil.Library:
    """A variant that is built in, as alfil reads it."""
    return alfil.loads(alfil.import_ini("", name, on_loss="lossy").text, name=name)


@cache
def load_templates() -> None:
    """Have the program read what alfil says its variants are, under names of their own."""
    text = read_data("exchange", "templates.ini")
    text = re.sub(r"^\[([^\]:]+)", r"[own_\1", text, flags=re.MULTILINE)
    pyffish.load_variant_config(re.sub(r"^(\[[^\]:]+:)", r"\1own_", text, flags=re.MULTILINE))


def assert_alike(one: str, other: str, seed: str, plies: int = PLIES) -> None:
    """Two variants of the program have the same moves and ends in a random game of theirs."""
    draw, played = random.Random(seed), list[str]()
    start, also = pyffish.start_fen(one), pyffish.start_fen(other)
    anywhere = one in FROM_ANYWHERE
    for _ in range(plies):
        moves = sorted(pyffish.legal_moves(one, start, played, anywhere))
        assert moves == sorted(pyffish.legal_moves(other, also, played, anywhere)), played
        if not moves or len(played) % PLIES_PER_END == 0:
            ends = [
                (
                    pyffish.is_immediate_game_end(*each, played),
                    pyffish.is_optional_game_end(*each, played),
                )
                for each in ((one, start), (other, also))
            ]
            assert ends[0] == ends[1], played
            if not moves or ends[0][0][0]:
                return
        played.append(draw.choice(moves))


@pytest.mark.parametrize("name", SOME)
def test_the_variants_that_are_built_in_are_the_programs_own(name: str) -> None:
    load_templates()
    for seed in range(SEEDS if name not in UNSAID else 0):
        assert_alike(name, f"own_{name}", f"{name} {seed}")


def assert_lockstep(library: alfil.Library, name: str, seed: str) -> None:
    """A game that was read has the moves and ends that the program's has."""
    spelling = Spelling(library)
    for ours, theirs, same_end in played_out(
        Theirs(name), spelling, library, random.Random(seed), PLIES
    ):
        assert ours == theirs
        assert same_end


def test_all_variants_that_are_built_in_are_known() -> None:
    assert sorted(built_in_variants()) == BUILT_IN


def test_a_page_says_how_many_lose_nothing() -> None:
    text = " ".join((FOLDER.parents[1] / "docs/coverage.md").read_text(encoding="utf-8").split())
    assert f"{len(BUILT_IN) - len(LOST)} of the {len(BUILT_IN)} lose nothing" in text


def test_every_setting_is_a_rule_or_has_a_consequence() -> None:
    for sort in setting_types().values():
        piece = sort.value in {"letter", "king", "betza"}
        assert sort.meaning or sort.otherwise_meaning or piece, sort.name
        for rule, value in sort.rules.values():
            assert alfil.loads(f'piece K "king" betza=K royal\nrule {rule} = {value}\n').rules


@pytest.mark.parametrize("name", SOME)
def test_a_variant_that_is_built_in_is_played_alike(name: str) -> None:
    lost = {
        each.message.split(" ")[0] for each in alfil.import_ini("", name, on_loss="lossy").losses
    }
    assert lost == LOST.get(name, set())
    library = imported(name)
    # What is written here of two boards is one of them, and the program has nothing to compare.
    if {"cambodianMoves", "twoBoards"} & lost:
        return
    assert library.game().perft(1) == counted(name, [], 1, library)
    for seed in range(SEEDS):
        assert_lockstep(library, name, f"{name} {seed}")


@pytest.mark.parametrize("name", GAMES if NIGHTLY else GAMES[::6])
def test_what_was_exported_is_imported_again(name: str) -> None:
    library = alfil.load(name)
    written = alfil.export(library)
    again = alfil.loads(alfil.import_ini(written.text, written.name).text)
    many = library.game().perft(1) > MANY
    for depth in (1,) if many else (1, 2):
        assert again.game().perft(depth) == library.game().perft(depth)
    by_letter = {kind.letter.lower(): kind for kind in again.variant.kinds}
    for code, letter in written.letters.items():
        if library[code].base == code and letter in by_letter:
            assert alfil.moves(library[code].piece, files=8, ranks=8, at="d4") == alfil.moves(
                by_letter[letter].piece, files=8, ranks=8, at="d4"
            )


def test_what_was_imported_is_exported_again() -> None:
    lost, equal = [], []
    for name in SOME:
        try:
            written = alfil.export(imported(name))
        except alfil.AlfilError:
            lost.append(name)
            continue
        pyffish.load_variant_config(written.text)
        assert_alike(name, written.name, name)
        equal.append(name)
    sys.stdout.write(f"{len(equal)} of {len(SOME)} variants are imported and exported alike\n")
    assert equal


def test_what_is_counted_is_what_is_written_about_it() -> None:
    record = json.loads((CONFORMANCE / "variants.json").read_text(encoding="utf-8"))
    read, written = (
        Counter((row["file"], row[way]["came"]) for row in record["rows"] if way in row)
        for way in ("read", "written")
    )
    sections = Counter(row["file"] for row in record["rows"])
    theirs, users, own = sections
    told = {
        "docs/coverage.md": f"{read[theirs, 'alike']} of the {sections[theirs]} sections",
        "docs/exchange.md": f"{read[users, 'alike']} of the {sections[users]}",
    }
    for page, words in told.items():
        assert words in " ".join((CONFORMANCE.parent / page).read_text(encoding="utf-8").split())
    assert {came for _, came in {*read, *written}} == {"alike", "named"}
    assert written[own, "alike"] > written[own, "named"]


def test_sections_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "variants.ini"
    file.write_text(
        "[counted:gardner]\nmustCapture = true\n"
        "[lost:gardner]\nconnectN = 4\n[none:gardner]\nking = -\nqueen = -\n"
    )
    script = runpy.run_path(str(CONFORMANCE / "variants.py"))
    answers = [
        script["answer"](script["Task"](str(file), name, 2, 12, {}))
        for name in ("counted", "lost", "none")
    ]
    assert [each["read"]["came"] for each in answers] == ["alike", "named", "refused"]
    assert answers[0]["written"]["came"] == "alike"
    assert all("written" not in each for each in answers[1:])
    assert answers[1]["read"]["causes"] == ("connectN",)
    read = answers[0]["read"]
    assert read["games"] == 2
    assert 12 < read["plies"] <= 24
    known = {"read": {**read, "games": 1, "plies": 100}}
    again = script["answer"](script["Task"](str(file), "counted", 2, 12, known))
    assert (again["read"]["games"], again["read"]["plies"]) == (2, 112)


def test_a_difference_is_recorded_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "variants.ini"
    file.write_text("[differing:gardner]\nmustCapture = true\n")
    script = runpy.run_path(str(CONFORMANCE / "variants.py"))
    pyffish.load_variant_config("[differing:gardner]\n")
    answer = script["answer"](script["Task"](str(file), "differing", 3, 40, {}))
    assert answer["read"]["came"] == "differs"
    assert answer["written"]["came"] == "alike"
    assert re.match(r"game 0, ply [0-9]+: [a-e][1-5]", answer["read"]["where"])


@pytest.mark.parametrize("name", ["makruk", "cambodian", "asean", "sittuyin"])
def test_a_countdown_is_that_which_the_program_was_asked_for(name: str) -> None:
    file = Path(__file__).parent / "variants" / f"{name}.pieces"
    wanted = alfil.load(str(file) if file.exists() else name).rules
    found = imported(name).rules
    assert found.countdown == wanted.countdown != ()
    assert found.countdown_from == wanted.countdown_from
    assert found.countdown_without == wanted.countdown_without


WHOLE = "promotionRegionWhite = *1 *2 *3 *4 *5\npromotionRegionBlack = *1 *2 *3 *4 *5"
TWO_KINGS = "4k3/4k3/pppppppp/8/8/PPPPPPPP/4K3/R3K2R w - - 0 1"
LOSSES = {
    "blastOnCapture = true": "here a side loses with its king that explodes",
    "promotedPieceType = n:b b:n": "here a piece that has promoted does not promote again",
    "pieceDemotion = true": "here what a pawn has promoted to stays that",
    f"startFen = {TWO_KINGS}": "here every king of a side moves",
    "connectN = 4": "connectN = 4: here pieces in a row win nothing",
    "flagPiece = *\nflagRegion = d4": "here only one kind of piece can win by reaching a region",
    "chasingRule = axf": "here other pieces than those of xiangqi are worth little in chases",
    "seirawanGating = true\ngating = true\nwallingRule = past\nking = -\ncommoner = k": (
        "a wall leaves no piece behind"
    ),
    "wallingRule = edge": "here no walls are built at the edge",
    "checkmateValue = draw": "here who is mated loses",
    "nMoveRuleTypes = pn": "here a move that can be taken back counts as any other",
    "tripleStepRegionWhite = *2": "here no pawn goes three squares",
    "piecePromotionOnCapture = true\npromotedPieceType = n:q": "in the zone without a capture too",
    "passOnStalemate = true\nking = -\ncommoner = k": "a pass is no progress",
    "castlingRookPieces = n\nstartFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 1": (
        "here it castles with any of these on its rank"
    ),
}


@pytest.mark.parametrize(("body", "words"), LOSSES.items())
def test_what_is_lost_is_named_where_it_stands(body: str, words: str) -> None:
    text = f"[mine:chess]\n{body}\n"
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.import_ini(text, "mine")
    (found,) = caught.value.diagnostics
    assert words in found.message
    assert found.kind == "import-loss"
    assert text[slice(*found.spans[0])] == body.split(" ", maxsplit=1)[0]
    lossy = alfil.import_ini(text, "mine", on_loss="lossy")
    assert f"# lost: {found.message}" in lossy.text.splitlines()


@pytest.mark.parametrize(
    "line",
    [
        "nMoveRule = 3x",
        "promotionPieceTypes = q ! n",
        "promotionRank = 4 ok",
        "castlingKingsideFile = fx",
        "flagRegion = e3 e4x",
        "mobilityRegionWhiteKnight = *1 *2 *3 ?",
        "promotionLimit = q:1 ?:2 n:0",
    ],
)
def test_a_value_whose_beginning_the_program_reads_is_a_loss(line: str) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.import_ini(f"[mine:chess]\n{line}\n", "mine")
    assert any("its beginning" in found.message for found in caught.value.diagnostics)


@pytest.mark.parametrize("line", ["nMoveRule = x", "mustCapture = yes"])
def test_a_value_that_the_program_passes_over_is_none(line: str) -> None:
    alfil.import_ini(f"[mine:chess]\n{line}\n", "mine")


ARMY = "8/pppppppp/8/8/PPPPPPPP/8"
LEAPS = f"cambodianMoves = true\ngating = true\nrook = -\nstartFen = 1nsmksn1/{ARMY}/1NSKMSN1 w "
LOSSES_OF = {
    ("placement", "castlingRookPiecesBlack = n"): "castles with the same pieces on both sides",
    ("crazyhouse", "castlingDroppedPiece = true"): "what was dropped does not castle",
    ("extinction", "pass = true"): "here only royal pieces pass",
    ("crazyhouse", "extinctionPieceTypes = q\nextinctionValue = loss"): (
        "promoted pieces are not counted with those that they are like"
    ),
    ("crazyhouse", "dropNoDoubled = q"): "promoted pieces of this kind do not count on a file",
    (
        "atomic",
        "dupleCheck = true",
    ): "here who is in check may blow up the other side's royal pieces",
    (
        "atomic",
        "startFen = knnnnnnk/8/8/8/8/8/8/KNNNNNNK w - - 0 1",
    ): "here it counts whom of several royal pieces an explosion leaves",
    ("horde", "pass = true"): "here only royal pieces pass",
    (
        "crazyhouse",
        "startFen = 4k3/8/8/3q~4/4P3/8/8/4K3[] w - - 0 1",
    ): "what is marked there as promoted with ~ is captured as it is",
    ("seirawan", "blastOnCapture = true"): "which pieces may make room for one",
    ("seirawan", "cannon = c\npromotionPieceTypes = c"): "the hurdle of a check to its own king",
    ("seirawan", "capturesToHand = true"): "leaves behind no piece that was captured",
    ("seirawan", "dropRegionWhite = *5 *8 *2"): "leaves pieces behind on any square",
    ("duck", "petrifyOnCaptureTypes = n"): "here beside a duck nothing turns to stone",
    ("shogi", "piecePromotionOnCapture = true"): "in the zone without a capture too",
    ("minishogi", f"piecePromotionOnCapture = true\n{WHOLE}"): "where it could never move again",
    (
        "shogi",
        "customPiece1 = a:fpR\nstartFen = 4k4/9/9/9/9/9/9/9/4K4[Aa] w - - 0 1",
    ): "gives no check where it may not go",
    ("placement", "dropRegionWhite = *1 *2 *3 *4"): "who is in check must drop, too",
    ("flipello", "startFen = 8/8/8/3pP3/3Pp3/8/8/***5[PPPPpppp] w 0 1"): "beside walls",
    ("xiangqi", "pieceDrops = true\ndropChecks = false\ncapturesToHand = true"): "as a hurdle",
    ("chess", "promotionPieceTypes = -"): "gives no check where it may not go",
    ("chess", "promotionPieceTypes = kq"): "every king of a side moves",
    ("shogi", "promotionPawnTypes = g"): "a piece that has promoted goes on to squares of the zone",
    ("extinction", "amazon = q"): "nobody loses pieces that there never were",
    ("atomic", "extinctionPieceCount = 1"): "no side has lost before the first move",
    ("duck", "immobilityIllegal = true"): "a piece may go where walls hold it",
    ("ataxx", "flipEnclosedPieces = reversi"): "a drop turns something over",
    ("ataxx", "flipEnclosedPieces = reversi\n"): "the square that a piece leaves encloses nothing",
    ("ataxx", "enclosingDrop = reversi"): "a drop need enclose nothing",
    ("flipello", "startFen = 8/8/8/3pP3/3Pp3/8/8/8[PPpp] w 0 1"): "there is no end of the pieces",
    (
        "atomic",
        "centaur = k\nextinctionPieceTypes = k",
    ): "its own side's royal piece gives no check",
    ("atomic", "blastImmuneTypes = k"): "no explosion takes may be in check beside another",
    ("sittuyin", "promotionPawnTypes = n"): "no move into the zone promotes",
    ("chess", "promotionRegionBlack = *1 *2 *3"): "a capture en passant into the zone promotes",
    ("chess", "customPiece1 = a:mWcQ\nenPassantTypes = pa\npromotionPieceTypes = a"): (
        "en passant also where it may go without a capture"
    ),
    ("chess", "mutuallyImmuneTypes = p"): "what is immune is not captured en passant either",
    (
        "minixiangqi",
        "mutuallyImmuneTypes = k",
    ): "may not capture each other give each other no check",
    ("coregal", "mutuallyImmuneTypes = q"): "may not capture each other give each other no check",
    ("chess", "mobilityRegionWhitePawn = *2 *3 *4 *5 *7 *8"): (
        "a pawn captures en passant only where it may go"
    ),
    ("minishogi", "promotionRegionWhite = a* b*"): "where it can neither promote nor move again",
    ("torishogi", "promotionRegionWhite = *3"): "where it can neither promote nor move again",
    ("xiangqi", "promotionPawnTypes = p"): "P gives no check where it may not go",
    ("chess", "petrifyOnCaptureTypes = kq"): "a royal piece may not turn to stone",
    ("coregal", "petrifyOnCaptureTypes = q"): "gives no check with such a capture",
    ("shogi", "dropPromoted = true"): "dropped as promoted keeps to no limit on a file",
    (
        "shogi",
        "dropPromoted = true\ndropNoDoubled = -\nmobilityRegionWhiteGold = *1 *2",
    ): "what has promoted is dropped where it may go",
    ("chess", "mobilityRegionWhiteKing = e1 f1 e2 f2"): "nothing castles to where it may not go",
    ("shatranj", "extinctionPseudoRoyal = true\nextinctionPieceTypes = kp"): (
        "royal however many a side has"
    ),
    ("coregal", "extinctionPieceCount = 1"): "royal however many a side has",
    ("giveaway", "castlingKingPiece = n"): "all such pieces castle, not one of a side",
    ("crazyhouse", "promotedPieceType = p:q"): "promotes to that, or goes on as it is",
    (
        "judkins",
        "promotionPawnTypes = s",
    ): "a form of its own promotes to that, or goes on as it is",
    (
        "coregal",
        "pieceDrops = true\ncapturesToHand = true\ndropChecks = false",
    ): "no drop attacks another royal piece than a king either",
    ("xiangqi", "bikjangRule = true"): "kings that may not face each other never do",
    ("kinglet", "castlingRookPieces = kp"): "no king castles with itself",
    (
        "shogi",
        "promotedPieceType = a:g\ncustomPiece1 = a:fmWcF\n"
        "startFen = 4k4/9/9/9/9/9/AAA6/9/4K4[] w - - 0 1",
    ): "need not promote where it can still capture",
    ("crazyhouse", "dropOppositeColoredBishop = true"): "however many there are on the other",
    ("chess", "castlingKingPiece = q"): "a king castles only where it is said to",
    ("shatranj", "nMoveRule = 50"): "cannot bare the other one in reply",
    ("kinglet", "capturesToHand = true"): "counts for whoever captures it",
    ("minishogi", "startFen = 4k/5/5/5/4KR[] w - - 0 1"): "pieces beside the board are left out",
    ("losers", "startFen = 4k3/8/8/8/8/8/8/4KQ2[Nn] w - - 0 1"): "nobody has anything in hand",
    ("chess", "flagPiece = k\nflagRegion = e* f*"): "may have won before the first move",
    ("crazyhouse", "promotedPieceType = n:q"): "a piece that has promoted does not promote again",
    ("chess", "promotionRegionWhite = *4 *8"): "with a double step may be captured en passant",
    ("makruk", f"{LEAPS}E - 0 1"): "all pieces m or none have a first move of their own",
    ("seirawan", "startFen = 4k3/8/8/8/8/2N5/8/1N2K3[H] w B - 0 1"): (
        "all pieces n or none make room for one"
    ),
}


@pytest.mark.parametrize(("template", "body", "words"), [(*k, v) for k, v in LOSSES_OF.items()])
def test_what_is_lost_of_other_games_is_named(template: str, body: str, words: str) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.import_ini(f"[mine:{template}]\n{body}\n", "mine")
    assert any(words in found.message for found in caught.value.diagnostics)


# Each with what its first moves must bring about, so that the game gets there.
ALIKE = {
    "what changes sides goes two squares from where others begin": (
        "giveaway",
        "flipEnclosedPieces = ataxx",
        "",
        "e2e4",
    ),
    "a pawn promotes to a form of its own or to another piece": (
        "wolf",
        "startFen = 7k/P1S5/1P6/8/8/8/8/8/p7/K7 w - - 0 1",
        "",
        "a9a10+",
    ),
    "drops attack royal pieces that are no kings": (
        "dobutsu",
        "dropChecks = false\nshogiPawnDropMateIllegal = true",
        "b1a2 b3b2 a2b2",
        "C@b3",
    ),
    "pawns with a form of their own must promote to it as other pieces must": (
        "chess",
        "promotedPieceType = p:q\npromotionPieceTypes = -\nmandatoryPiecePromotion = true\n"
        "startFen = 4k3/P7/8/8/8/8/p7/4K3 w - - 0 1",
        "",
        "a7a8+",
    ),
    "a check is no way out where kings face each other": (
        "racingkings",
        "bikjangRule = true\nstartFen = 6N1/8/8/8/3q4/k5K1/3NR3/1rbn1BRQ w - - 0 1",
        "",
        "",
    ),
    "castling with a knight": (
        "chess",
        "castlingRookPieces = n",
        "e2e4 e7e5 f1b5 f8b4",
        "e1g1",
    ),
    "castling after passes": (
        "chess",
        "pass = true",
        "e1e1 g8f6 g1f3 e8e8 g2g3 g7g6 f1g2 f8g7",
        "e1g1",
    ),
    "castling to the next file": (
        "chess",
        "castlingKingsideFile = f",
        "g1f3 g8f6 g2g3 g7g6 f1h3 f8h6",
        "e1h1",
    ),
    "passes build nothing": (
        "chess",
        "pass = true\nwallingRule = static\ncastling = false",
        "",
        "e1e1,e1a1",
    ),
    "passes leave nothing behind": ("seirawan", "pass = true", "e1e1 d7d6", "e1e1"),
    "nor promote": ("shogi", "pass = true\npromotedPieceType = k:g\npromotionRegion = *1", "", ""),
    "castling with a bishop": ("chess", "castlingRookPieces = b", "g1f3 g8f6", "e1g1"),
    "no check without a king": (
        "atomic",
        "checkCounting = true\nchecking = false\nmakpongRule = true\nflyingGeneral = true",
        "e2e4 d7d6 f1b5",
        "c7c6",
    ),
    "nor where it is taken": ("dobutsu", "checkCounting = true\nchecking = false", "", ""),
    "one side drops in its half": ("ataxx", "whiteDropRegion = *1 *2 *3", "", "P@f1"),
    "drops of Othello, too": ("flipello", "dropRegion = *3 *4 *5 *6 *7", "", "P@e3"),
    "nothing is dropped beside others where nothing is dropped": (
        "minixiangqi",
        "enclosingDrop = reversi",
        "",
        "",
    ),
    "no more than three on a file": ("ataxx", "dropNoDoubled = p\ndropNoDoubledCount = 3", "", ""),
    "hoppers are dropped where they may find a hurdle": (
        "shogi",
        "customPiece1 = a:pR\nstartFen = 4k4/9/9/9/9/9/9/9/4K4[Aa] w - - 0 1",
        "",
        "A@a9",
    ),
    "who must capture passes where there is no move": (
        "antichess",
        "passOnStalemate = true\nstartFen = 8/8/2p4P/2P5/8/5R2/8/4K3 w - - 0 1",
        "f3f5",
        "c6c6",
    ),
    "royal pieces whose loss has no value": (
        "shogi",
        "king = -\ncommoner = k\nextinctionPieceTypes = k\nextinctionPseudoRoyal = true\n"
        "extinctionValue = none\nstartFen = 3gk4/9/9/9/4r4/9/4P4/9/4KG3[] w 0 1",
        "",
        "e3e4",
    ),
    "pawns pass squares where they may go": ("chess", "mobilityRegionWhitePawn = *2 *4", "", ""),
    "a pawn alone captures en passant where a knight may go": (
        "chess",
        "enPassantTypes = pn\nstartFen = 4k3/3p4/8/8/2N5/8/P7/4K3 w - - 0 1",
        "e1e2 d7d5",
        "c4d6",
    ),
    "another piece captures en passant, too": (
        "chess",
        "customPiece1 = a:mNcB\nenPassantTypes = pa\nstartFen = 4k3/3p4/8/8/5A2/8/P7/4K3 w - - 0 1",
        "e1e2 d7d5",
        "f4d6",
    ),
    "nothing is captured on the rank of others": (
        "torpedo",
        "enPassantRegion = *5 a6\nstartFen = 4k3/3p4/8/4P3/8/8/P7/4K3 w - - 0 1",
        "e1e2 d7d5",
        "e5e6",
    ),
    "one side goes two squares once": (
        "torpedo",
        "doubleStepRegionBlack = *7\nstartFen = 4k3/3p4/8/4P3/8/8/P7/4K3 w - - 0 1",
        "a2a4 d7d6",
        "a4a6",
    ),
    "one side goes two squares": ("georgian", "doubleStepRegionBlack = -", "a2a4", "a7a6"),
    "only forms of their own are dropped as promoted": (
        "crazyhouse",
        "dropPromoted = true\ngold = g\nsilver = s\npromotedPieceType = s:g\n"
        "startFen = 4k3/8/8/8/8/8/8/R3K2R[PSps] w KQ - 0 1",
        "",
        "+S@a2",
    ),
    "forms are dropped where what they were may be": (
        "crazyhouse",
        "dropPromoted = true\ngold = g\npromotedPieceType = p:g\n"
        "promotionPieceTypes = -\nmandatoryPawnPromotion = false\n"
        "startFen = 4k3/8/8/8/8/8/8/4K3[Pp] w - - 0 1",
        "",
        "+P@a2",
    ),
    "pawns that need not promote stay pawns": (
        "chess",
        "promotionPieceTypes = -\nmandatoryPawnPromotion = false\n"
        "startFen = 4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "",
        "a7a8",
    ),
    "what is immune to its own kind captures pawns en passant": (
        "chess",
        "customPiece1 = a:mWcF\nenPassantTypes = pa\nmutuallyImmuneTypes = a\n"
        "startFen = 4k3/3p4/8/4A3/8/8/8/4K3 w - - 0 1",
        "e1e2 d7d5",
        "e5d6",
    ),
    "pawns promote though none is listed": (
        "chess",
        "promotionPawnTypes = -\nstartFen = 4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "",
        "a7a8q",
    ),
    "kings castle to where they may stand": (
        "chess",
        "mobilityRegionWhiteKing = e1 c1 g1\nstartFen = 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "",
        "e1c1",
    ),
    "two pieces are royal where three never are": (
        "coregal",
        "extinctionPieceCount = 1\npromotionPieceTypes = rbn",
        "",
        "",
    ),
    "kings that touch in an explosion need no immunity": (
        "atomic",
        "mutuallyImmuneTypes = k\nstartFen = 8/8/8/8/8/3k4/8/3K4 w - - 0 1",
        "",
        "d1d2",
    ),
    "squares of double steps are forgotten": ("makruk", "doubleStep = true", "", ""),
    "until they are said anew": (
        "raazuvaa",
        "doubleStep = true\ndoubleStepRegionWhite = *2",
        "",
        "a2a4",
    ),
    "no leap without a mark in the start": ("gorogoro", "cambodianMoves = true", "", ""),
    "leaps with such marks": ("makruk", f"{LEAPS}DEde - 0 1", "", "d1b2"),
    "nor without gating": ("makruk", "cambodianMoves = true", "", ""),
    "no gates without a mark": ("seirawan", "startFen = 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", ""),
    "nobody loses for want of the other side's pawns": (
        "kinglet",
        "promotionRegionWhite = *9\nstartFen = 4k3/p7/8/8/8/8/P7/4K3 w - - 0 1",
        "",
        "a2a4",
    ),
    "without drops nothing that was dropped castles": (
        "chess",
        "castlingDroppedPiece = true",
        "",
        "e2e4",
    ),
    "no board is full that has more squares than pieces": (
        "chess",
        "adjudicateFullBoard = true",
        "",
        "e2e4",
    ),
    "pieces on no squares do not win": ("chess", "flagPieceCount = 3", "", "e2e4"),
    "no pawn goes three squares beside the board": (
        "chess",
        "tripleStepRegionWhite = *9",
        "",
        "e2e4",
    ),
    "nobody castles to the same wing who does not castle": (
        "makruk",
        "oppositeCastling = true",
        "",
        "",
    ),
    "a side without pieces cannot pass": ("ataxx", "stalemateValue = win", "", ""),
    "nothing promotes to a piece that is given the letter that it has": (
        "chess",
        "knight = n\nstartFen = 4k3/P7/8/8/8/8/p7/4K3 w - - 0 1",
        "",
        "a7a8q",
    ),
    "captures promote": (
        "minishogi",
        f"piecePromotionOnCapture = true\nimmobilityIllegal = false\n{WHOLE}",
        "",
        "",
    ),
}


@pytest.mark.parametrize("what", ALIKE)
def test_settings_are_played_alike(what: str) -> None:
    template, body, begin, then = ALIKE[what]
    name = f"own_{[*ALIKE].index(what)}_{template}"
    text = f"[{name}:{template}]\n{body}\n"
    pyffish.load_variant_config(text)
    found = alfil.import_ini(text, name, on_loss="lossy")
    # Pins are the one thing that walls change of a king, and no pass has to do with them; nor do
    # so short games come to a draw for want of progress.
    told = ("keep a king out of check", "a pass is no progress")
    assert all(any(each in loss.message for each in told) for loss in found.losses)
    library = alfil.loads(found.text, name=name)
    game, start = library.game(), pyffish.start_fen(name)
    for move in begin.split():
        game.push(move)
    theirs = pyffish.legal_moves(name, start, begin.split())
    assert sorted(Spelling(library).ours(game)) == sorted(theirs)
    assert then in {*theirs, ""}
    for seed in range(2):
        assert_lockstep(library, name, f"{seed}")


@pytest.mark.parametrize(
    "line", ["rook = r:W", "customPiece1 = r", "customPiece1 = rxW", "king = k", "king = kxW"]
)
def test_what_stands_behind_a_letter_counts_where_it_does_there(line: str) -> None:
    name = f"behind_{re.sub('[^A-Za-z]', '_', line)}"
    text = f"[{name}:chess]\n{line}\nstartFen = 4k3/8/8/8/3R4/8/8/4K3 w - - 0 1\n"
    pyffish.load_variant_config(text)
    library = alfil.loads(alfil.import_ini(text, name).text, name=name)
    theirs = pyffish.legal_moves(name, pyffish.start_fen(name), [])
    assert sorted(Spelling(library).ours(library.game())) == sorted(theirs)


@pytest.mark.parametrize(("row", "mate", "winner"), [("6Q1", "g1g7", None), ("R7", "a1h1", "w")])
def test_a_queen_alone_gives_no_mate_of_shatar(row: str, mate: str, winner: str | None) -> None:
    name = f"queens_{mate}"
    body = f"shatarMateRule = true\nstartFen = 7k/5K2/8/8/8/8/8/{row} w - - 0 1\n"
    text = f"[{name}:chess]\n{body}"
    pyffish.load_variant_config(text)
    library = alfil.loads(alfil.import_ini(text, name).text)
    game, start = library.game(), pyffish.start_fen(name)
    game.push(mate)
    outcome = game.outcome()
    assert outcome
    assert outcome.winner == winner
    assert bool(pyffish.game_result(name, start, [mate])) == (winner is not None)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("knights", "promotedPieceType = n:q\nstartFen = 4k3/P7/8/8/8/8/8/4K1N1[] w - - 0 1"),
        (
            "pawns",
            "customPiece1 = a:fW\npromotionPawnTypes = pa\nstartFen = 4k3/PA6/8/8/8/8/8/4K3[]",
        ),
    ],
)
def test_every_form_has_a_code_of_its_own(name: str, body: str) -> None:
    text = f"[forms_{name}:crazyhouse]\n{body}\n"
    pyffish.load_variant_config(text)
    library = alfil.loads(alfil.import_ini(text, f"forms_{name}", on_loss="lossy").text)
    theirs = pyffish.legal_moves(f"forms_{name}", pyffish.start_fen(f"forms_{name}"), [])
    ours = Spelling(library).ours(library.game())
    # A form that has another letter here is another letter behind the move.
    assert sorted(move[:4] for move in ours) == sorted(move[:4] for move in theirs)
    forms = [kind.letter for kind in library.variant.kinds if kind.base != kind.code]
    assert sorted({*forms}) == sorted(forms)
    assert "+N" in forms


def test_a_form_that_only_the_other_side_would_have_is_no_kind() -> None:
    body = "promotedPieceType = r:b p:a\ncustomPiece1 = a:lR\ncastling = false\n"
    body += "promotionRegionWhite = *9\nstartFen = 4k3/8/8/8/8/8/3P4/4K3 w - - 0 1\n"
    found = alfil.import_ini(f"[one_sided:chess]\n{body}", "one_sided", on_loss="lossy")
    assert not any(kind.side == "second" for kind in alfil.loads(found.text).variant.kinds)


def test_nothing_goes_where_only_a_wall_is_ahead() -> None:
    body = "immobilityIllegal = true\ncustomPiece1 = a:fW\n"
    text = f"[held:chess]\n{body}startFen = 4k3/8/8/3*4/8/3A4/8/4K3 w - - 0 1\n"
    pyffish.load_variant_config(text)
    library = alfil.loads(alfil.import_ini(text, "held", on_loss="lossy").text, name="held")
    theirs = sorted(pyffish.legal_moves("held", pyffish.start_fen("held"), []))
    assert sorted(Spelling(library).ours(library.game())) == theirs
    assert "d3d4" not in theirs


@pytest.mark.parametrize(("rooks", "castles"), [("nbrq", True), ("q", False), ("r", True)])
def test_a_dropped_king_castles_with_its_partners(rooks: str, *, castles: bool) -> None:
    name = f"placed-{rooks}"
    text = f"[{name}:placement]\ncastlingRookPieces = {rooks}\n"
    pyffish.load_variant_config(text)
    library = alfil.loads(alfil.import_ini(text, name).text)
    game, spelling = library.game(), Spelling(library)
    played = "K@e1 K@e8 R@h1 Q@a8 R@a1 R@d8 B@b1 B@b8 B@c1 B@c8 N@d1 N@f8 N@f1 N@g8 Q@g1 R@h8"
    played = [*played.split(), "g2g3", "g7g6", "g1g2", "a7a6", "f1e3", "a6a5"]
    start = pyffish.start_fen(name)
    for number, text in enumerate(played):
        ours = spelling.ours(game)
        assert sorted(ours) == sorted(pyffish.legal_moves(name, start, played[:number]))
        game.push(ours[text])
    assert ("e1g1" in spelling.ours(game)) == castles


def test_a_pawn_dropped_behind_goes_two_squares_where_they_begin() -> None:
    library, played = imported("chessgi"), list[str]()
    game, spelling = library.game(), Spelling(library)
    moves = "e2e4 d7d5 e4d5 g8f6 g1f3 f6d5 g2g4 a7a6 P@g1 a6a5 g4g5 a5a4 g1g2 b7b6 g2g4"
    for text in moves.split():
        ours = spelling.ours(game)
        assert sorted(ours) == sorted(
            pyffish.legal_moves("chessgi", pyffish.start_fen("chessgi"), played)
        )
        game.push(ours[text])
        played.append(text)
    # What begins with its first move only is another pawn, which is lost by name.
    text = (FOLDER / "chessgi.pieces").read_text(encoding="utf-8")
    first = re.sub(r"betza=fmWfceF |\nmoves P .*", r"betza=fmWfceFifmnD ", text)
    for lines, lost in ((text, []), (first, ["P"])):
        found = alfil.export(alfil.loads(lines, name="first"), on_loss="lossy").losses
        assert [loss.message.partition(":")[0] for loss in found] == lost


def test_sections_go_out_from_sections() -> None:
    text = "[above:chess]\ncommoner = m\n\n[mine:above]\nknight = -\nstartFen = "
    text += "rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w - - 0 1\npawnTypes = p\n"
    library = alfil.loads(alfil.import_ini(text, "mine").text)
    assert {kind.letter for kind in library.variant.kinds} == {*"KQRBMP"}
    assert library["P"].promotes == ("Q", "R", "B")


def test_a_name_that_is_nowhere_has_its_error() -> None:
    for text, name, kind in (
        ("[mine:chess]", "mime", "unknown-variant"),
        ("[mine:chess]\nqueen = -", "mine", "import-refused"),
        ("[mine]", "mine", "import-refused"),
    ):
        with pytest.raises(alfil.AlfilError) as caught:
            alfil.import_ini(text, name)
        assert caught.value.kind == kind


def test_the_command_writes_one_or_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    body = "[../a:gardner]\nmustCapture = true\n[b:gardner]\nconnectN = 4\n"
    Path("variants.ini").write_text(body)
    assert run(["import", "variants.ini", "../a"]) == 0
    assert "rule  must-capture = yes" in capsys.readouterr().out
    assert run(["import", "variants.ini", "-o", "out"]) == 1
    assert "variants.ini:4:1: connectN = 4" in capsys.readouterr().err
    assert not Path("out").exists()
    assert run(["import", "variants.ini", "--lossy", "-o", "out"]) == 1
    assert sorted(path.name for path in Path("out").iterdir()) == [".._a.pieces", "b.pieces"]
    assert run(["import", "variants.ini"]) == 2
    assert run(["import", "variants.ini", "c"]) == 2


def test_a_refusal_stands_where_the_mistake_is() -> None:
    text = "[mine:chess]\nqueen = -\nstartFen = qqqqk/5/5/5/K4 w - - 0 1\n"
    for body, marked, said in (
        (text, "startFen", "no piece has the letter q"),
        ("[mine:chess]\nnMoveRule = -1\n", "mine", "not -1"),
    ):
        with pytest.raises(alfil.AlfilError) as caught:
            alfil.import_ini(body, "mine")
        (diagnostic,) = caught.value.diagnostics
        assert (diagnostic.kind, body[slice(*diagnostic.spans[0])]) == ("import-refused", marked)
        assert diagnostic.message.endswith(said)


def test_variants_whose_names_want_the_same_file_get_files_of_their_own(
    tmp_path: Path,
) -> None:
    path = tmp_path / "three.ini"
    path.write_text("[a/b:chess]\n[a?b:makruk]\n[A b:shogi]\n", encoding="utf-8")
    assert run(["import", str(path), "-o", str(tmp_path / "out")]) == 0
    files = sorted(each.name for each in (tmp_path / "out").iterdir())
    assert files == ["A_b-3.pieces", "a_b-2.pieces", "a_b.pieces"]

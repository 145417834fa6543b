"""Games for other programs: what Fairy-Stockfish plays is what alfil plays, or a loss is named."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path

import pytest

import alfil

# What the export knows of rules is compared with all rules that there are.
from alfil.exchange import (
    FORMATS_WITHOUT_COMMENTS,
    MODULE_BY_FORMAT,
    supported_rules,
    unsupported_fields,
)
from alfil.exchange.variants_ini import setting_types
from alfil.game.rule_table import RULES
from gathering import every_row
from lockstep import Spelling, Theirs, played_out
from strategies import NIGHTLY

pyffish = pytest.importorskip("pyffish")

# What is lost of bundled games; all others lose nothing.
LOSSY = {"cambodian", "hand_shogi", "janggi", "chu", "dai", "shatranj", "wa"}
LOSSY |= {"tenjiku", "dai_dai", "maka_dai_dai", "tai", "taikyoku"}
GAMES = tuple(name for name in alfil.games() if name not in LOSSY)
VARIANTS = Path(__file__).parent / "variants"
# What is lost of some variants, among other things.
RULES_LOST = {
    "cambodian": "moves: there a king leaps no more once a rook has come to its rank or file",
    "karouk": "moves: there a king leaps no more once a rook has come to its rank or file",
    "janggi": "K: there it has no moves that hold on some squares only",
    "micro": "R: there a captured +R turns back to R",
}
PLIES = 30

HEAD = "board 6x6\nrule first = white\n"
KING = 'piece K "king" betza=K royal\n'
SETUP = "setup\n| P P P P P P |\n| G B K B G N |\n"
MEN = 'piece G "griffin" betza=FD\npiece B "ferz" betza=FfW\npiece N "nightrider" betza=NN\n'
PAWN = 'piece P "pawn" betza=fmWfcF promotes=G,N forced\nzone promotion ranks=2\n'
ENDS = "rule promotion-when = ends\n"
SHOGI = "rule captured = to-hand\nrule drops = yes\n"
# A pawn with something that the program lacks, and what the loss says of it.
LOST = {
    "betza=fWbW drop-check=barred": "its drop may give check",
    "betza=fWbW drop-mate=barred": "its drop may give mate",
    "betza=fWbW drop-ranks=2-5": "may be dropped on 36 squares, not 24",
    "betza=fmWcF promotes=G stuck": "there it must promote where it can only capture",
    "betza=fmW*fceF": "left out: no notation is known to say how this moves",
    "betza=KyafsF": "left out: fairy-stockfish cannot say this: a move of several legs",
    'hasinu="n8d & fe(exclusive, //N)"': "captured by every piece there",
    "betza=fmWfcFiifmnD": "left out: fairy-stockfish has no modifier ii (iifmnD)",
    "betza=WimD": "first move on any square where a piece began with one",
    "betza=fWbW per-file=2 per-file-on=drop,move": "keep to no limit on a file",
    "betza=fWbW promotes=N": "a captured N turns back to P",
}
OWN = {
    "pawns that promote": HEAD + KING + MEN + PAWN + ENDS + SETUP,
    "a pawn that may promote": HEAD + KING + MEN + PAWN.replace("forced", "") + ENDS + SETUP,
    "no check": HEAD
    + KING
    + MEN
    + PAWN
    + ENDS
    + "rule self-check = allowed\nrule win = royal-capture\n"
    + SETUP,
    "two kings of which one may be lost": HEAD
    + KING
    + MEN
    + PAWN
    + ENDS
    + "rule royal-lost = all\n"
    + SETUP.replace("B K B", "K K B"),
    "a goal, and stalemate wins": HEAD
    + KING
    + MEN
    + PAWN
    + ENDS
    + "rule win = mate,goal\nrule goal = K 5-6\nrule stalemate = win\n"
    + SETUP,
    "a goal that is held": "board 5x5\nrule first = white\n"
    + KING
    + 'piece N "knight" betza=N\npiece R "rook" betza=R\nregion peak squares=c3\n'
    + "rule win = goal\nrule goal = N peak\nrule goal-wins = next-turn\n"
    + "setup\n| R N K N R |\n",
    "a bare king": HEAD + KING + MEN + PAWN + ENDS + "rule win = mate,bare\n" + SETUP,
    "drops": HEAD
    + SHOGI
    + KING
    + MEN
    + 'piece P "pawn" betza=fW promotes=+P stuck drop-ranks=1-5 per-file=1\n'
    + 'piece +P "gold" betza=WfF\nzone promotion ranks=2\n'
    + SETUP
    + "hand G N*2\n",
    "captured as they are": HEAD
    + SHOGI
    + "rule captured-form = as-is\n"
    + KING
    + MEN
    + 'piece P "pawn" betza=fmWfcFbW promotes=+P\npiece +P "gold" betza=WfF\n'
    + "zone promotion ranks=2\n"
    + SETUP,
    "drops in the own half": HEAD
    + SHOGI
    + KING
    + "".join(f"{line} drop-ranks=1-3\n" for line in MEN.splitlines())
    + 'piece P "pawn" betza=fWbW drop-ranks=1-3\n'
    + SETUP,
    "captures promote": HEAD
    + KING
    + MEN
    + 'piece P "pawn" betza=K promotes=G\nrule promotion-when = captures\n'
    + SETUP,
    "castling": HEAD
    + 'piece K "king" betza=KisO2 royal\npiece R "rook" betza=R\n'
    + MEN
    + PAWN.replace("fmWfcF", "fmWfceFifmnD")
    + ENDS
    + "setup mirrored\n| P P P P P P |\n| R B K . . R |\n",
}
OWN["castling of one side"] = OWN["castling"].replace(
    "betza=KisO2 royal", "betza=K royal\nregion home first squares=c1\nmoves K at=home betza=isO2"
)
OWN["a pawn with a form of its own"] = (
    HEAD
    + KING
    + MEN
    + 'piece P "pawn" betza=fmWfceFifmnD promotes=+P forced\npiece +P "gold" betza=WfF\n'
    + "zone promotion ranks=2\n"
    + SETUP
)
OWN["castling beside passes"] = OWN["castling"].replace(HEAD, HEAD + "rule passes = allowed\n")


def played_alike(library: alfil.Library, seed: str, plies: int = PLIES) -> None:
    """A random game, in which both have the same moves, and end it at the same time."""
    found = alfil.export(library)
    pyffish.load_variant_config(found.text)
    assert found.name in pyffish.variants()
    begin = pyffish.start_fen(found.name)
    assert pyffish.validate_fen(begin, found.name) == 1
    spelling = Spelling(library, found.letters)
    theirs, chance = Theirs(found.name), random.Random(seed)
    for ours, full, same_end in played_out(theirs, spelling, library, chance, plies):
        assert ours == full, (sorted({*ours} ^ {*full}), theirs.played)
        assert same_end, theirs.played


@pytest.mark.parametrize("name", GAMES if NIGHTLY else GAMES[::6])
def test_bundled_games_are_played_alike(name: str) -> None:
    played_alike(alfil.load(name), name)


@pytest.mark.parametrize(
    "ask",
    [
        lambda policy: alfil.export(alfil.load("minishogi"), on_loss=policy),
        lambda policy: alfil.import_ini("", "chess", on_loss=policy),
    ],
)
def test_a_policy_that_nobody_knows_is_no_lossy_one(ask: Callable[[str], object]) -> None:
    for policy in ("loose", "escape"):
        with pytest.raises(alfil.AlfilError) as caught:
            ask(policy)
        assert caught.value.kind == "unknown-policy"


def test_every_bundled_game_is_written_or_its_losses_are() -> None:
    for name in LOSSY:
        with pytest.raises(alfil.AlfilError, match=r"export-loss|board-size"):
            alfil.export(alfil.load(name))


@pytest.mark.parametrize(("name", "loss"), RULES_LOST.items())
def test_rules_without_a_counterpart_are_lost_by_name(name: str, loss: str) -> None:
    bundled = name in alfil.games()
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.export(alfil.load(name if bundled else VARIANTS / f"{name}.pieces"))
    assert loss in {each.message for each in caught.value.diagnostics}


def test_no_form_takes_the_letter_of_another_one() -> None:
    forms = 'piece +P "gold" betza=WfF\npiece +B "horse" betza=BW letter=A\n'
    men = 'piece P "pawn" betza=fW promotes=+P\npiece B "bishop" betza=B promotes=+B\n'
    text = HEAD + KING + men + forms + "zone promotion ranks=2\nsetup\n| P B K . . . |\n"
    letters = alfil.export(alfil.loads(text), on_loss="lossy").letters
    assert letters["+B"] == "a"
    assert letters["+P"] not in {"a", "b", "k", "p"}


# What tells a form from a kind that moves alike: of the form X, of the kind N, or a rule.
APART = (
    ("", "petrifies", ""),
    ("petrifies", "", ""),
    ("", "within=1-5", ""),
    ("immune-to=N", "", ""),
    ("", "per-side=2", ""),
    ("blast=never", "", "rule explosion = captures"),
    ("", "", "rule extinction = N loss"),
    ("", "", "rule extinction = each loss"),
    ("", "", "rule win = mate,goal\nrule goal = X 4-4"),
)
FORMS = (
    'piece N "horse" betza=N {}\npiece X "form" betza=N {}\n{}\nzone promotion ranks=1\n'
    'piece P "pawn" betza=fmWfcF promotes=X forced\n'
    "setup mirrored\n| P P P P P P |\n| . N . K N . |\n"
)


@every_row("form, kind, rule", APART)
def test_a_form_that_is_more_than_its_moves_is_a_kind_of_its_own(
    form: str, kind: str, rule: str
) -> None:
    library = alfil.loads(HEAD + KING + ENDS + FORMS.format(kind, form, rule), name="apart")
    found = alfil.export(library, on_loss="lossy")
    assert found.letters["X"] not in {"", found.letters["N"]}
    alike = alfil.loads(HEAD + KING + ENDS + FORMS.format("", "", ""), name="alike forms")
    assert alfil.export(alike).letters["X"] == alfil.export(alike).letters["N"]


def test_a_form_that_turns_to_stone_is_played_alike() -> None:
    text = FORMS.format("", "petrifies", "").replace("ranks=1", "ranks=2")
    library = alfil.loads(HEAD + KING + ENDS + text, name="stone forms")
    for seed in range(3):
        played_alike(library, f"stone {seed}")


PROGRAMS = [*MODULE_BY_FORMAT, "xboard"]
BESIDE = {
    "illegal-move": "loss",
    "impasse": "agreement",
    "impasse-needs": "royals-in-zone",
    "match": "best-of 3",
    "match-draw": "ignored",
    "match-first": "fixed",
}


def test_every_rule_has_a_row_that_says_what_programs_make_of_it() -> None:
    library = alfil.loads(OWN["no check"], name="new rules")
    assert [row.field_name for row in RULES] == [each.name for each in fields(library.rules)]
    kinds = {"known", "lost"}
    settings = {rule for each in setting_types().values() for rule, _ in each.rules.values()}
    for row in RULES:
        assert [*row.program_support] == PROGRAMS
        if row.not_applicable:
            assert {*row.program_support.values()} == {""}
            assert row.name in BESIDE
        elif row.program_support["fairy-stockfish"] == "setting":
            assert row.name in settings
            assert {*row.program_support.values()} <= kinds | {"setting"}
        else:
            assert {*row.program_support.values()} <= kinds


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_rule_is_dropped_in_silence(program: str) -> None:
    library = alfil.loads(OWN["no check"], name="new rules")
    for row in RULES:
        rules = replace(library.rules, **{row.field_name: "something"})
        told = row.field_name in unsupported_fields(rules, type(rules), supported_rules(program))
        assert told == (row.program_support[program] in {"lost", "setting"}), row.name


@pytest.mark.parametrize("form", MODULE_BY_FORMAT)
def test_what_is_none_of_the_play_of_one_game_is_noted_and_no_loss(form: str) -> None:
    text = OWN["no check"]
    plain = alfil.export(alfil.loads(text, name="own"), form, on_loss="lossy")
    assert plain.notes == ()
    assert "not written" not in plain.text
    lines = "".join(f"rule {name} = {value}\n" for name, value in BESIDE.items())
    changed = alfil.loads(f"{text}{lines}", name="own")
    found = alfil.export(changed, form, on_loss="lossy")
    assert [note.partition(":")[0] for note in found.notes] == [*BESIDE]
    assert [each.message for each in found.losses] == [each.message for each in plain.losses]
    for note in found.notes if form not in FORMATS_WITHOUT_COMMENTS else ():
        assert f"not written: {note}" in found.text


@pytest.mark.skipif(not NIGHTLY, reason="all games are for the nightly run")
def test_a_page_says_how_many_are_written() -> None:
    games = [*map(alfil.load, alfil.games()), *map(alfil.load, sorted(VARIANTS.glob("*.pieces")))]
    whole = [game for game in games if not alfil.export(game, on_loss="lossy").losses]
    text = " ".join((VARIANTS.parents[1] / "docs/coverage.md").read_text(encoding="utf-8").split())
    assert f"of {len(games)} games here {len(whole)} are written" in text


@pytest.mark.skipif(not NIGHTLY, reason="all variants of the program are for the nightly run")
def test_variants_are_played_alike_where_nothing_is_lost() -> None:
    played, lossy = [], []
    for path in sorted(VARIANTS.glob("*.pieces")):
        library = alfil.load(path)
        try:
            alfil.export(library)
        except alfil.AlfilError:
            lossy.append(path.stem)
            continue
        played_alike(library, path.stem)
        played.append(path.stem)
    count = f"{len(played)} of {len(played) + len(lossy)}"
    sys.stdout.write(f"{count} variants are exported and played alike\n")
    assert len(played) > len(lossy)


@pytest.mark.parametrize("name", OWN)
def test_rules_are_played_alike(name: str) -> None:
    played_alike(alfil.loads(OWN[name], name=name), name)


# Rules of which two are drawn by lot: what stands in the file for each, by the place for it.
PARTS: Mapping[str, Mapping[str, str]] = {
    **{f"wall {how}": {"rule": f"wall = {how}"} for how in ("arrow", "anywhere", "left", "duck")},
    "king": {"king": "betza=K royal"},
    "castling": {"king": "betza=KisO2 royal", "back": "| R . K . . R |"},
    "hopper": {"king": "betza=K royal", "ferz": "betza=mRcpR"},
    "no check": {"king": "betza=K royal", "rule": "self-check = allowed\nrule win = royal-capture"},
    "hand": {"rule": "drops = yes", "hand": "hand N R"},
    "to hand": {"rule": "drops = yes\nrule captured = to-hand"},
    "drops first": {"rule": "drops = yes\nrule drops-first = yes", "hand": "hand N R"},
    "stones": {"all": "petrifies"},
    "hole": {"front": "| . . * . . . |"},
    "explosion": {"rule": "explosion = captures"},
    "survivors": {"rule": "explosion = captures", "ferz": "blast=never"},
    "adjacent": {"rule": "flip = adjacent"},
    "enclosed": {"rule": "flip = enclosed"},
    "must capture": {"rule": "must-capture = yes"},
    "promotion": {"pawn": "promotes=R,N forced", "rule": "promotion-when = ends"},
    "own form": {"pawn": "promotes=S", "rule": "promotion-when = touches"},
    "within": {"all": "within=1-4"},
    "gates": {"all": "gates", "hand": "hand S"},
    "immune": {"all": "immune-to=N"},
    "extinct": {"rule": "extinction = all loss"},
}
PAIRS = tuple(combinations(PARTS, 2))
WALLED = tuple(part for part in PARTS if part.startswith("wall"))
# Pairs that are played otherwise there, and what is lost: a rule, and a setting where it is read.
CLASHING = {
    **{(wall, hand): ("wall", "wallingRule") for wall in WALLED for hand in ("hand", "to hand")},
    **{(wall, "own form"): ("wall", "wallingRule") for wall in WALLED},
    **{(wall, "explosion"): ("wall", "wallingRule") for wall in WALLED if wall != "wall left"},
    ("wall arrow", "promotion"): ("wall", "wallingRule"),
    ("wall arrow", "stones"): ("wall", "wallingRule"),
    ("wall arrow", "within"): ("wall", "wallingRule"),
    ("wall arrow", "castling"): ("wall", "wallingRule"),
    ("wall anywhere", "castling"): ("wall", "wallingRule"),
    ("wall duck", "castling"): ("wall", "wallingRule"),
    ("wall duck", "hole"): ("wall", "wallingRule"),
    ("stones", "explosion"): ("explosion", "petrifyOnCaptureTypes"),
    ("stones", "adjacent"): ("flip", "petrifyOnCaptureTypes"),
    ("stones", "enclosed"): ("flip", "petrifyOnCaptureTypes"),
    ("to hand", "explosion"): ("captured", "blastOnCapture"),
    ("to hand", "stones"): ("captured", "petrifyOnCaptureTypes"),
    ("king", "adjacent"): ("flip", "flipEnclosedPieces"),
    ("no check", "enclosed"): ("flip", "flipEnclosedPieces"),
    ("hand", "enclosed"): ("flip", "flipEnclosedPieces"),
    ("explosion", "enclosed"): ("flip", "blastOnCapture"),
    ("survivors", "adjacent"): ("flip", "blastOnCapture"),
    ("castling", "gates"): ("gates", ""),
    ("explosion", "gates"): ("explosion", "blastOnCapture"),
    ("survivors", "gates"): ("explosion", "blastOnCapture"),
    ("hopper", "gates"): ("gates", "seirawanGating"),
    ("king", "drops first"): ("drops-first", "mustDrop"),
    ("drops first", "must capture"): ("drops-first", "mustDrop"),
}
# These are alike, though a part of each is not with others.
PLAIN = (
    ("wall left", "explosion"),
    ("wall left", "castling"),
    ("wall anywhere", "king"),
    ("wall arrow", "hole"),
    ("explosion", "adjacent"),
    ("hand", "adjacent"),
    ("no check", "drops first"),
)


def game_of(parts: tuple[str, str]) -> alfil.Library | None:
    """A game with two rules, None if they do not go together."""
    given = [PARTS[part] for part in dict.fromkeys(parts)]
    rules = dict.fromkeys(line for each in given for line in each.get("rule", "").split("\nrule "))
    said = {key: " ".join(each[key] for each in given if key in each) for key in ("all", "pawn")}
    king = next((each["king"] for each in reversed(given) if "king" in each), "")
    lines = [HEAD + "zone promotion ranks=1", *(f"rule {line}" for line in rules if line)]
    lines += [f'piece K "king" {king}'] if king else []
    ferz = next((each["ferz"] for each in given if "ferz" in each), "")
    lines += [f"piece {men} {said['all']}" for men in ('N "knight" betza=N', 'R "rook" betza=R')]
    lines += [
        f'piece S "ferz" {ferz if "betza" in ferz else f"betza=FfW {ferz}"}',
        f'piece P "pawn" betza=fmWfcF {said["pawn"]}',
    ]
    back = "| R N S K . R |" if king else "| R N S . . R |"
    back = next((each["back"] for each in given if "back" in each), back)
    front = [each["front"] for each in given if "front" in each]
    lines += ["setup mirrored", *front, "| P P P P P P |", back]
    lines += [next((each["hand"] for each in given if "hand" in each), "")]
    try:
        library = alfil.loads("\n".join(lines) + "\n", name=" ".join(parts))
        library.game()
    except alfil.AlfilError:
        return None
    return library


def lot() -> list[tuple[str, str]]:
    """All pairs in the nightly run, a few in the gate."""
    return [*PAIRS] if NIGHTLY else [*PLAIN, *random.Random("pairs").sample(PAIRS, 12)]


@pytest.mark.parametrize("pair", lot(), ids=" and ".join)
def test_two_rules_are_played_alike_or_one_is_lost(pair: tuple[str, str]) -> None:
    library = game_of(pair)
    if library is None or alfil.export(library, on_loss="lossy").losses:
        assert pair not in PLAIN
        return
    for seed in range(12 if NIGHTLY else 1):
        played_alike(library, f"{pair} {seed}")


@pytest.mark.parametrize("pair", CLASHING, ids=" and ".join)
def test_two_rules_that_do_not_go_together_there_are_lost_either_way(pair: tuple[str, str]) -> None:
    rule, setting = CLASHING[pair]
    library = game_of(pair)
    assert library
    written = alfil.export(library, on_loss="lossy")
    assert rule in {each.message.partition(":")[0] for each in written.losses}
    read = alfil.import_ini(written.text, written.name, on_loss="lossy").losses
    # Which pieces make room stands in the start of the other side's file, and is read as it is.
    assert setting in {each.message.partition(" ")[0] for each in read} | {""}
    for part in pair:
        alone = game_of((part, part))
        assert alone
        assert alfil.export(alone).losses == ()


@pytest.mark.parametrize(("pawn", "loss"), LOST.items())
def test_what_is_lost_is_named_at_its_piece(pawn: str, loss: str) -> None:
    text = HEAD + SHOGI + KING + MEN + f'piece P "pawn" {pawn}\nzone promotion ranks=2\n' + SETUP
    library = alfil.loads(text)
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.export(library)
    said = [each for each in caught.value.diagnostics if loss in each.message]
    assert [library.source.text[slice(*each.spans[0])] for each in said] == ["P"]
    assert {each.kind for each in caught.value.diagnostics} == {"export-loss"}
    found = alfil.export(library, on_loss="lossy")
    assert f"# lost: {said[0].message}" in found.text.splitlines()
    assert found.losses == caught.value.diagnostics


# A king there is one of its side, in a game in which it must not be left in check; no other piece
# gives or is in check there.
KINGLESS = {
    "rule giving-check = barred": "giving-check: there it is about a king, which this game has not",
    "rule flight = barred": "flight: there it is about a king, which this game has not",
    "rule facing = barred": "facing: there it is about a king, which this game has not",
    "rule facing = bikjang": "facing: there it is about a king, which this game has not",
    "rule perpetual-check = loss\nrule repetition = 3 draw": (
        "perpetual-check: there it is about a king, which this game has not"
    ),
    "rule win = mate,checks:2": "win: there checks are not counted without a king",
    "rule passes = allowed": "passes: there a side passes in check, too",
    "rule stalemate = draw": "self-check: there it is stalemate to be in check without a move",
}
# Explosions there, beside what they do to check, and a set-up for each.
BLOWN_UP = {
    "rule royal-lost = all": (
        "royal-lost: there it is not seen whom of several royals explosions leave",
        "| R K K . . |",
    ),
    "rule duple-check = yes": (
        "duple-check: there nobody in check may blow up the other side's royals",
        "| R . K . . |",
    ),
}
# Losses of one rule and one piece together.
OF_BOTH = {
    "zone promotion ranks=1\npiece P betza=fmWfcF promotes=N apart": (
        "P: there it also promotes with a move into the zone"
    ),
    "zone promotion ranks=3\npiece P betza=fmWfceFifmnD promotes=N forced": (
        "P: there a capture en passant into the zone promotes nothing"
    ),
    "rule promotion-when = always\npiece P betza=fmWfceFifmnD promotes=N": (
        "P: there a capture en passant into the zone promotes nothing"
    ),
    "rule promotion-when = touches\nregion promotion squares=a6,b6,c6\n"
    "piece P betza=fW promotes=N,S\npiece S betza=W": (
        "P: there it promotes only where its move ends in the zone"
    ),
    "zone promotion ranks=4\npiece P betza=fmWfceFifmnD promotes=N": (
        "P: there it is not captured en passant when it promotes so"
    ),
    "rule explosion = captures\npiece S betza=KN royal": (
        "explosion: there a royal piece also gives check with a capture that would explode it"
    ),
    "rule explosion = captures\npiece S betza=K royal blast=never": (
        "explosion: there nobody is in check whose royal piece touches one of the other side"
    ),
    "rule wall = left\npiece P betza=fmWfcF promotes=N stuck": (
        "wall: there a piece may not go where walls would hold it for ever"
    ),
    "rule flip = enclosed\npiece P betza=A": (
        "flip: there what a piece jumps over in a line is enclosed by the square that it leaves"
    ),
    "rule captured = to-hand\nrule drops = yes\nrule drop-form = either\n"
    'zone promotion ranks=2\npiece +P "tokin" betza=FfW\npiece P betza=fW promotes=+P forced': (
        "P: there it is not dropped promoted"
    ),
    "piece P betza=fmWfceFifmnD\npiece S betza=fsmWfcFifmnD": (
        "S: there it has its first move on any square where a piece began with one"
    ),
    'zone promotion ranks=2\npiece G "general" betza=fmWfcF\npiece P betza=W promotes=G apart': (
        "P: there it goes where what it becomes could capture, and promotes"
    ),
    "piece P betza=fmWfceFifmnD within=1-4": (
        "P: there it captures en passant where it may not go otherwise, too"
    ),
    "rule giving-check = barred\npiece P betza=fW within=1-3\npiece S betza=K royal": (
        "giving-check: there a piece also gives check where it may not go"
    ),
    "zone promotion ranks=1\npiece S betza=imNcW\npiece P betza=fW promotes=N stuck": (
        "S: there it may not go where it could never move again"
    ),
    "region promotion squares=b7,c7\npiece S betza=FfW\npiece P betza=fW promotes=N stuck": (
        "P: there it may not go where it could never move again"
    ),
    "rule move-limit = 5 P\npiece P betza=gQ": (
        "move-limit: there a move that can be taken back is none that counts"
    ),
    "zone promotion ranks=2\npiece P betza=fmWfcF promotes=N petrifies": (
        "petrifies: there what captures and promotes leaves an empty square, no stone"
    ),
    "rule wall = arrow\npiece P betza=fmWfceFfmnR2": (
        "wall: there no arrow flies as far as a double step goes"
    ),
    "rule win = mate,checks:2\npiece S betza=K royal within=1-3": (
        "win: there a check counts also where the piece may not go"
    ),
    "rule explosion = captures\npiece S betza=K royal\npiece P betza=W blast=never": (
        "explosion: there a piece that no explosion takes shields nobody from check after one"
    ),
    "rule flip = adjacent\npiece P betza=fmWfceFifmnD": (
        "P: there it has its first move on any square where a piece began with one"
    ),
    "region far ranks=4-5\npiece P betza=fmWfceFifmnD\nmoves P at=far betza=fmnR2": (
        "P: there it has no moves that hold on some squares only"
    ),
}
# What looks like a rule that the program lacks, and comes to the same.
ALIKE = (
    "zone promotion ranks=2\npiece P betza=fW promotes=N promotes-in=6-7",
    "zone promotion ranks=2\npiece P betza=fmFfcW promotes=N,G\nrule promotion-when = touches",
    "region promotion squares=a2,b2,c2,d2\npiece P betza=fW promotes=G forced",
    "region promotion squares=a3,b3,c3,d3\npiece P betza=fW promotes=E forced\n"
    'piece E "elephant" betza=FfW promotes=N forced',
)
ALL_KINGLESS = {"giving-check", "flight", "facing", "perpetual-check", "win"}
KINGLY = "rule self-check = allowed", "rule explosion = captures", "rule royal-lost = all"


@pytest.mark.parametrize(("rule", "words"), KINGLESS.items())
def test_checks_without_a_king_are_lost_by_name(rule: str, words: str) -> None:
    # Rooks stand between kings, which face nobody.
    kings = [f"setup mirrored\n| . R R . . |\n| {row} |\n" for row in ("R . K . .", "R K K . .")]
    head = f'board 5x5\nrule first = white\n{KING}piece R "rook" betza=R\n'
    for other, setup in zip(KINGLY, (kings[0], *kings), strict=True):
        library = alfil.loads(f"{head}{rule}\n{other}\n{setup}")
        lost = {each.message for each in alfil.export(library, on_loss="lossy").losses}
        assert (words in lost) == (other == KINGLY[0] or words.partition(":")[0] in ALL_KINGLESS)
    library = alfil.loads(f"{head}{rule}\n{kings[0]}")
    assert alfil.export(library).losses == ()


@pytest.mark.parametrize(("rule", "what"), BLOWN_UP.items())
def test_what_explosions_do_to_check_is_lost_by_name(rule: str, what: tuple[str, str]) -> None:
    words, setup = what
    head = f'board 5x5\nrule first = white\n{rule}\n{KING}piece R "rook" betza=R\nsetup\n{setup}\n'
    for explosion, lost in (("none", []), ("captures", [words])):
        library = alfil.loads(f"{head}rule explosion = {explosion}\n")
        found = alfil.export(library, on_loss="lossy").losses
        assert [loss.message for loss in found if "checks are not" not in loss.message] == lost


# Pieces, setup and what is lost of them.
ONE_SIDED = {
    'piece R "rook" betza=R gates\npiece H "hawk" betza=BN drop-ranks=2-3\n'
    "setup mirrored\n| R . K . . |\nhand H": "H: there it may be put on any square that is left",
    'piece R "rook" betza=R gates\npiece H "hawk" betza=BN drop-ranks=1-1\n'
    "setup mirrored\n| R . K . . |\nhand H": "",
    'piece R "rook" betza=R gates\npiece H "hawk" betza=BN\nsetup mirrored\n'
    "| R . . . . |\n| . . K . . |\nhand H": "gates: there only pieces on the first rank make room",
    'piece R "rook" betza=R gates\npiece P "pawn" betza=fmWfcF\nsetup mirrored\n'
    "| R . K . . |\nhand P": "",
    'rule extinction = P,Q loss\npiece P "pawn" betza=fmWfcF side=first\n'
    'piece Q "guard" betza=fmRfcF side=second\nsetup first\n| P P K . . |\n'
    "setup second\n| Q Q K . . |": "extinction: there a side loses for want of the other's pieces",
    'rule extinction = each loss\npiece P "pawn" betza=fmWfcF\npiece Q "guard" betza=fmRfcF\n'
    "setup first\n| P P K . . |\nsetup second\n| Q Q K . . |": (
        "extinction: there a side loses for want of the other's pieces"
    ),
    'zone promotion ranks=1\nrule promotion-when = ends\npiece Q "queen" betza=Q per-side=1\n'
    'piece P "pawn" betza=fmWfcF promotes=Q forced\nsetup mirrored\n| P P P . . |\n| . . K . . |': (
        "P: there it goes on as it is where nothing is left that it may become"
    ),
}


@every_row("text, words", ONE_SIDED.items())
def test_what_only_some_pieces_may_is_lost_by_name(text: str, words: str) -> None:
    library = alfil.loads(f"board 5x5\nrule first = white\n{KING}{text}\n", name="some")
    found = {each.message for each in alfil.export(library, on_loss="lossy").losses}
    assert {each for each in found if "insufficient" not in each} == {*filter(None, [words])}


@pytest.mark.parametrize(("rook", "lost"), [("gates", False), ("", True)])
def test_who_castles_there_makes_room_for_others(rook: str, *, lost: bool) -> None:
    library = alfil.loads(
        'board 6x6\nrule first = white\npiece K "king" betza=KisO2 royal gates\n'
        f'piece R "rook" betza=R {rook}\npiece H "hawk" betza=BN\npiece P "pawn" '
        "betza=fmWfcF\nsetup mirrored\n| P P P P P P |\n| R . . K . R |\nhand H P\n",
        name=f"gates {lost}",
    )
    messages = {each.message for each in alfil.export(library, on_loss="lossy").losses}
    told = "gates: there a piece that may castle makes room for another, too"
    assert (told in messages) == lost
    if not lost:
        assert not messages
        played_alike(library, "gates")


# The first and second side's back rank of a board of 9 files, and whether its start is refused.
ROOKS = {
    ("| R . . . K . . . . |", "| R . . . K . . . . |"): True,
    ("| R . . . K . . . R |", "| . . . . K . . . R |"): False,
    ("| R . . . K . . . R |", "| R . . . K . . . . |"): True,
    ("| R . . . K . . . . |", "| . . . . K . . . R |"): False,
    ("| . . . . K . R . R |", "| . . . . K . . . R |"): False,
}


@every_row(
    "back, hand, lost",
    [
        ("| . . . K . . |", "R*2", True),
        ("| R . . . . R |", "K", True),
        ("| R . . K . R |", "N", False),
    ],
)
def test_castling_of_what_was_dropped_first_is_lost_by_name(
    back: str, hand: str, *, lost: bool
) -> None:
    """It has not moved; in Fairy-Stockfish only kings that castle from some squares do so then."""
    library = alfil.loads(
        "board 6x6\nrule first = white\nrule drops = yes\nrule drops-first = yes\n"
        'piece K "king" betza=KisO2 royal castles-with=R\npiece R "rook" betza=R\n'
        f'piece N "knight" betza=N\nsetup mirrored\n{back}\nhand {hand}\n'
    )
    found = alfil.export(library, on_loss="lossy")
    messages = [loss.message for loss in found.losses]
    assert ("K: there nothing castles that was dropped" in messages) == lost


@every_row("ranks, refused", ROOKS.items())
def test_a_single_rook_on_the_kings_side_is_lost_by_name(
    ranks: tuple[str, str], *, refused: bool
) -> None:
    library = alfil.loads(
        'board 9x8\nrule first = white\npiece K "king" betza=KisO2 royal\n'
        f'piece R "rook" betza=R\nsetup first\n{ranks[0]}\nsetup second\n{ranks[1]}\n',
        name=f"rooks {[*ROOKS].index(ranks)}",
    )
    found = alfil.export(library, on_loss="lossy")
    words = "K: there a start with one rook, on the king's side, is called invalid"
    assert [loss.message for loss in found.losses].count(words) == refused
    pyffish.load_variant_config(found.text)
    valid = pyffish.validate_fen(pyffish.start_fen(found.name), found.name) == 1
    assert valid != refused


@every_row("king, lost", [("KisO2isO3", True), ("KilO2irO3", False)])
def test_two_ways_to_castle_on_one_side_are_lost_by_name(king: str, *, lost: bool) -> None:
    library = alfil.loads(
        f'board 9x8\nrule first = white\npiece K "king" betza={king} royal\n'
        'piece R "rook" betza=R\nsetup mirrored\n| R . . . K . . . R |\n',
        name="castles twice",
    )
    messages = [each.message for each in alfil.export(library, on_loss="lossy").losses]
    assert messages.count("K: there it castles one way on each side") == lost


@every_row("text, words", OF_BOTH.items())
def test_what_is_lost_of_a_rule_and_a_piece_is_named(text: str, words: str) -> None:
    ruler = "S" if "piece S" in text else "N"
    head = 'board 8x7\nrule first = white\npiece N "knight" betza=N\n'
    piece = text.replace("piece P", 'piece P "pawn"').replace("piece S", 'piece S "ruler"')
    pawn = "P" if "piece P" in text else "N"
    setup = f"setup mirrored\n| {pawn} . . . . . . . |\n| . N {ruler} . . . . . |\n"
    ends = "" if "rule promotion-when" in text else "rule promotion-when = ends\n"
    library = alfil.loads(f"{head}{ends}{piece}\n{setup}", name="both")
    assert words in {each.message for each in alfil.export(library, on_loss="lossy").losses}


@pytest.mark.parametrize(("name", "text"), [*enumerate(ALIKE)])
def test_what_comes_to_the_same_is_not_lost(name: int, text: str) -> None:
    head = 'board 8x7\nrule first = white\npiece N "knight" betza=N\npiece G "gold" betza=WfF\n'
    piece = text.replace("piece P", 'piece P "pawn"')
    if "promotion-when" not in text:
        piece += "\nrule promotion-when = ends"
    setup = "setup mirrored\n| P P P P N G . . |\n"
    library = alfil.loads(f"{head}{piece}\n{setup}", name=f"alike {name}")
    assert alfil.export(library).losses == ()
    for seed in range(2):
        played_alike(library, f"alike {seed}")


@every_row("second, lost", [("| . . . R K |", True), ("| . R . . K |", False)])
def test_kings_that_are_both_in_check_at_the_start_are_lost_by_name(
    second: str, *, lost: bool
) -> None:
    library = alfil.loads(
        f'board 5x5\nrule first = white\n{KING}piece R "rook" betza=R\n'
        f"setup first\n| R K . . . |\nsetup second\n{second}\n",
        name=f"checked {lost}",
    )
    messages = [each.message for each in alfil.export(library, on_loss="lossy").losses]
    assert ("K: there nobody in check captures the other king" in messages) == lost


# Men whose first moves nobody gets back, and whose places nobody comes to.
APART = (
    "rule flip = adjacent\npiece R betza=R within=1-2\npiece P betza=fmWfcFifmnD within=1-3",
    "rule explosion = captures\npiece R betza=W\npiece P betza=fmWfcF\n"
    'piece T "thrower" betza=R blast=capturing immune-to=P promotes=P\nzone promotion ranks=1',
    'piece R betza=W\npiece P betza=fmWfcF\npiece S "sitter" betza=W within=1-2 blocked-by=T\n'
    'piece T "thrower" betza=R immune-to=P',
)


@pytest.mark.parametrize(("number", "text"), [*enumerate(APART)])
def test_what_cannot_come_about_is_not_lost(number: int, text: str) -> None:
    head = "board 6x9\nrule first = white\nrule win = goal\nrule goal = R 9-9\n"
    men = text.replace("piece R", 'piece R "rook"').replace("piece P", 'piece P "pawn"')
    setup = "setup mirrored\n| P P P P P P |\n| R . . . . R |\n"
    library = alfil.loads(f"{head}{men}\n{setup}", name=f"apart {number}")
    assert alfil.export(library).losses == ()
    played_alike(library, f"apart {number}")


@pytest.mark.parametrize(("needed", "lost"), [(1, False), (3, True)])
def test_a_drop_that_mates_with_the_last_check_is_lost_by_name(needed: int, *, lost: bool) -> None:
    text = (VARIANTS / "checkshogi.pieces").read_text(encoding="utf-8")
    library = alfil.loads(text.replace("checks:1", f"checks:{needed}"), name="checks")
    written = alfil.export(library, on_loss="lossy")
    assert ["with the last check" in each.message for each in written.losses] == [True] * lost
    read = alfil.import_ini(written.text, written.name, on_loss="lossy").losses
    assert ["with the last check" in each.message for each in read] == [True] * lost


# What a mate is judged by there, and what is lost of a rule or a setting.
MATED = {
    "rule win = mate,checks:2\nrule mate = win": ("win", "checkCounting"),
    "rule win = mate,checks:2": ("", ""),
    "rule win = mate,goal\nrule goal = R 5\nrule mate = win": ("win", "flagPiece"),
    "rule win = mate,goal\nrule goal = R 5": ("", ""),
    "rule win = mate,bare\nrule mate = win": ("win", ""),
    "rule win = mate,bare": ("", ""),
    "rule win = goal\nrule goal = R 5\nrule stalemate = more": ("stalemate", ""),
    "rule win = goal\nrule goal = R 5\nrule stalemate = loss": ("", ""),
    "rule win = mate,goal\nrule goal = R 5\nrule stalemate = more": ("", ""),
    "rule win = mate,goal\nrule goal = K 5\nrule goal-wins = after-reply": (
        "goal-wins",
        "flagMove",
    ),
    "rule win = mate,goal\nrule goal = K 5\nrule goal-wins = after-reply\n"
    "rule giving-check = barred": ("", ""),
}


@every_row("rules, lost", MATED.items())
def test_mates_that_are_judged_otherwise_there_are_lost_either_way(
    rules: str, lost: tuple[str, str]
) -> None:
    begin = "setup mirrored\n| R . K . R |\n"
    men = 'piece R "rook" betza=R\n'
    library = alfil.loads(
        f"board 5x5\nrule first = white\n{rules}\n{KING}{men}{begin}", name="mated"
    )
    written = alfil.export(library, on_loss="lossy")
    assert [each.message.partition(":")[0] for each in written.losses] == [*filter(None, lost[:1])]
    read = alfil.import_ini(written.text, written.name, on_loss="lossy").losses
    assert [each.message.partition(" ")[0] for each in read] == [*filter(None, lost[1:])]


@pytest.mark.parametrize(
    ("rules", "position", "moves"),
    [
        ("rule win = mate,goal\nrule goal = R 5\nrule mate = win", "4k/1R3/R4/5/2K2", "a3a5"),
        ("rule win = mate,bare\nrule mate = win", "r3k/1R3/R4/5/2K2", "a3a5"),
        (
            "rule win = mate,goal\nrule goal = K 5\nrule goal-wins = after-reply",
            "5/K4/1r3/2r1k/5",
            "a4a5 c2a2",
        ),
    ],
)
def test_a_mate_is_judged_otherwise_there(rules: str, position: str, moves: str) -> None:
    name = f"judged_{len(rules)}"
    men = 'piece R "rook" betza=R\nsetup mirrored\n| R . K . R |\n'
    library = alfil.loads(f"board 5x5\nrule first = white\n{rules}\n{KING}{men}", name=name)
    written = alfil.export(library, on_loss="lossy")
    pyffish.load_variant_config(written.text)
    game = library.game(f"{position} w - 1")
    for move in moves.split():
        game.push(move)
    outcome = game.outcome()
    over, value = pyffish.is_immediate_game_end(
        written.name, f"{position} w - - 0 1", moves.split()
    )
    assert outcome
    assert over
    assert (outcome.winner == game.turn) == (value < 0)


@every_row(
    "rules",
    [
        "rule goal = R 5\nrule goal-wins = after-reply",
        "rule bare = unanswered\nrule bare-minor = R",
        "rule no-exchange-minor = R",
        "rule perpetual-attack = loss\nrule perpetual-chase = draw",
        "rule countdown-from = pieces\nrule countdown-without = R",
    ],
)
def test_a_rule_about_another_one_that_does_not_hold_is_none_there(rules: str) -> None:
    begin = "setup mirrored\n| R . K . R |\n"
    lines = f'board 5x5\nrule first = white\n{KING}piece R "rook" betza=R\n{begin}'
    written = alfil.export(alfil.loads(f"{lines}{rules}\n", name="idle"))
    assert written == alfil.export(alfil.loads(lines, name="idle"))


def test_a_limit_on_a_file_is_lost_by_name_where_nothing_is_dropped() -> None:
    pawn = 'piece P "pawn" betza=fmWfcF per-file=1 per-file-on=drop,move\n'
    begin = "setup mirrored\n| P . K . P |\n"
    library = alfil.loads(f"board 5x5\nrule first = white\n{KING}{pawn}{begin}", name="filed")
    (loss,) = alfil.export(library, on_loss="lossy").losses
    assert loss.message == "P: there its moves, unlike drops, keep to no limit on a file"
    found = {each.message for each in alfil.export(library, "fairy-max", on_loss="lossy").losses}
    assert "P: Fairy-Max has nothing like per-file-on" in found


def test_a_piece_that_never_leaves_another_behind_is_no_loss() -> None:
    library = alfil.loads(
        f'board 5x5\nrule first = white\n{KING}piece R "rook" betza=R gates\n'
        "setup mirrored\n| R . . . R |\n| . . K . . |\n",
        name="gates",
    )
    assert alfil.export(library).losses == ()


def test_who_has_no_royal_piece_does_not_pass() -> None:
    text = 'board 5x5\nrule first = white\npiece K "king" betza=K {}\nrule extinction = all loss\n'
    text += 'piece R "rook" betza=R\nrule passes = allowed\nsetup first\n| R . K . . |\n'
    for royal, second, expected in (
        ("", "K . R . .", []),
        ("royal", "R . R . .", ["passWhite = true"]),
        ("royal", "K . R . .", ["pass = true"]),
    ):
        library = alfil.loads(f"{text.format(royal)}setup second\n| {second} |\n", name="passing")
        written = alfil.export(library, on_loss="lossy").text
        assert [each for each in written.splitlines() if each.startswith("pass")] == expected


def test_chases_are_written_where_they_are_those_of_xiangqi() -> None:
    text = alfil.load("xiangqi").source.text
    assert "chasingRule = axf" in alfil.export(alfil.load("xiangqi")).text
    for written, other in (
        ("points=9", "points=4"),
        ("chases=no ", ""),
        ("chased-in=beyond", "chased-in=home"),
        ("-chase = loss", "-chase = draw"),
    ):
        library = alfil.loads(text.replace(written, other))
        found = alfil.export(library, on_loss="lossy")
        assert "chasingRule" not in found.text
        (loss,) = found.losses
        assert loss.message.startswith("perpetual-chase: there chases are those of xiangqi")
        assert library.source.text[slice(*loss.spans[0])].startswith("rule  perpetual-chase")


def test_counts_are_those_of_fairy_stockfish() -> None:
    for name in ("minishogi", "los_alamos", "gorogoro"):
        library = alfil.load(name)
        found = alfil.export(library)
        pyffish.load_variant_config(found.text)
        begin = pyffish.start_fen(found.name)
        moves = pyffish.legal_moves(found.name, begin, [])
        counts = [len(pyffish.legal_moves(found.name, begin, [each])) for each in moves]
        assert sum(counts) == library.game().perft(2)


def test_a_pass_that_is_progress_there_is_lost_by_name() -> None:
    """By pyffish a pass is one of the piece that stands first, here of a pawn."""
    text = "[passing:giveaway]\npassOnStalemate = true\n"
    pyffish.load_variant_config(text)
    fen = "8/8/8/8/p7/P7/8/8 w - - 20 30"
    assert pyffish.legal_moves("passing", fen, []) == ["a3a3"]
    assert pyffish.get_fen("passing", fen, ["a3a3"]).split()[-2] == "0"
    found = alfil.import_ini(text, "passing", on_loss="lossy")
    assert [loss.message.partition(" ")[0] for loss in found.losses] == ["passOnStalemate"]
    written = alfil.export(alfil.loads(found.text, name="passing"), on_loss="lossy")
    assert ["begins the counts anew" in loss.message for loss in written.losses] == [True]


def test_no_king_is_written_where_others_promote_to_one() -> None:
    written = alfil.export(alfil.load(VARIANTS / "shoshogi.pieces"))
    assert "commoner = k\n" in written.text
    assert "\nking = " not in written.text


# Royal pieces of which a side begins with some or none: what the pawns promote to, the rule and
# setup of each side, and what is lost.
SOME_ROYAL = {
    ("S", "", "| N . N . . |", "| N . N . . |"): "royal-lost: there the last royal piece of a kind",
    (
        "S",
        "rule self-check = allowed\nrule win = royal-capture",
        "| N . N . . |",
        "| N . N . . |",
    ): ("S: it is not royal: there a side that begins"),
    ("S", "rule royal-lost = all", "| N . K . . |", "| N . K . . |"): (
        "royal-lost: there one kind of royal pieces"
    ),
    ("N", "rule explosion = captures", "| N . K . . |", "| N . S . . |"): (
        "K: it is not royal: there a side that begins"
    ),
    ("K", "", "| N . K . . |", "| N . K . . |"): "royal-lost: there the last royal piece of a kind",
    ("N", "", "| S . K . . |", "| S . K . . |"): "",
}


@every_row("game, words", SOME_ROYAL.items())
def test_no_side_there_has_lost_before_it_moves(game: tuple[str, ...], words: str) -> None:
    form, rule, first, second = game
    library = alfil.loads(
        f'board 5x5\nrule first = white\n{KING}piece S "ruler" betza=F royal\n{rule}\n'
        f'piece N "knight" betza=N\npiece P "pawn" betza=fmWfcF promotes={form} forced\n{ENDS}'
        "zone promotion ranks=1\n"
        f"setup first\n| . P . . P |\n{first}\nsetup second\n| . P . . P |\n{second}\n",
        name=f"rulers {[*SOME_ROYAL].index(game)}",
    )
    found = alfil.export(library, on_loss="lossy")
    assert any(words in loss.message for loss in found.losses) == bool(words)
    pyffish.load_variant_config(found.text)
    begin = pyffish.start_fen(found.name)
    assert not pyffish.is_immediate_game_end(found.name, begin, [])[0]
    assert set(pyffish.legal_moves(found.name, begin, [])) == {
        *Spelling(library, found.letters).ours(library.game())
    }


def test_what_is_left_out_leaves_an_empty_square() -> None:
    men = MEN.replace("betza=FD", "betza=KyafsF")
    text = HEAD + KING + men + PAWN + ENDS + SETUP
    written = alfil.export(alfil.loads(text, name="left out"), on_loss="lossy")
    assert "startFen = n1bkb1/pppppp/6/6/PPPPPP/1BKB1N" in written.text
    assert "promotionPieceTypes = n\n" in written.text


def test_a_piece_that_is_left_out_has_no_other_loss_and_no_setting() -> None:
    men = MEN.replace(
        "betza=FD", 'hasinu="atmove(3,n4dO,turn) & m(1×4dO) & fe(exclusive,//N)" per-side=1'
    )
    text = HEAD + KING + men + PAWN + ENDS + SETUP
    written = alfil.export(alfil.loads(text, name="left out"), on_loss="lossy")
    lost = [loss.message for loss in written.losses if loss.message.startswith("G")]
    why = "Betza does not count turns (atmove(3,n4dO,turn))"
    assert lost == [f"G: it is left out: {why}"]
    assert "promotionLimit" not in written.text
    assert "doubleStepRegionWhite = -\n" in written.text


def test_kinds_beyond_the_letters_are_left_out() -> None:
    names = "ÅÆØÐÞÝÄÖÜÉÈÊËÎÏÔÕÓÒÁÀÂÃ"
    more = "".join(f'piece {a * 2} "{a}" letter={a} betza=F\n' for a in names)
    codes = ",".join(a * 2 for a in names)
    pawns = {PAWN: False, PAWN.replace("G,N", f"G,N,{codes}"): True}
    for pawn, lost in pawns.items():
        library = alfil.loads(HEAD + KING + MEN + pawn + more + ENDS + SETUP, name="many")
        written = alfil.export(library, on_loss="lossy")
        assert any("26 letters" in loss.message for loss in written.losses) == lost


def test_a_piece_that_is_only_promoted_to_keeps_its_letter() -> None:
    men = 'piece M "man" betza=fmWfcF promotes=C\npiece C "centaur" betza=KN letter=C\n'
    text = f'game "Own"\nboard 8x8\nrule first = white\nzone promotion ranks=1\n{KING}{men}'
    written = alfil.export(alfil.loads(f"{text}setup mirrored\n| . . . K M . . . |\n"))
    assert "centaur = c\n" in written.text
    assert "promotionPieceTypes = c\n" in written.text


def test_the_part_of_a_piece_that_is_not_said_is_named() -> None:
    text = HEAD + KING + MEN.replace("betza=FD", "betza=nAnH") + PAWN + ENDS + SETUP
    with pytest.raises(alfil.AlfilError, match=r"makes no moves of it \(nH\)"):
        alfil.export(alfil.loads(text))


# Positions with few pieces, of which a capture leaves one side alone or nearly so.
FEW = {
    "makruk": "8/8/2k5/3p4/4R3/2S5/3K1R2/8 w - - 0 1",
    "cambodian": "8/8/2k5/3p4/4R3/2S5/3K1R2/8 w - - 0 1",
    "sittuyin": "8/8/2k5/3p4/4R3/2S5/3K1R2/8[] w - - 0 1",
}


@every_row("name, fen", FEW.items())
def test_moves_are_counted_down_as_in_the_game_that_the_program_has(name: str, fen: str) -> None:
    found = alfil.export(alfil.load(name), on_loss="lossy")
    pyffish.load_variant_config(found.text)
    chance, counted = random.Random(name), False
    for _ in range(3):
        played = ["e4d4", "c6b6", "d4d5"]
        for _ in range(60):
            ends = [pyffish.is_optional_game_end(each, fen, played) for each in (name, found.name)]
            assert ends[0] == ends[1], played
            moves = [pyffish.legal_moves(each, fen, played) for each in (name, found.name)]
            assert sorted(moves[0]) == sorted(moves[1]), played
            counted |= ends[0][0]
            if ends[0][0] or not moves[0]:
                break
            played.append(chance.choice(sorted(moves[0])))
    assert counted


def test_a_countdown_of_ones_own_is_lost() -> None:
    text = alfil.load("makruk").source.text.replace("1/R*2:8", "1/R*2:9")
    with pytest.raises(alfil.AlfilError, match="there nobody counts down in this way"):
        alfil.export(alfil.loads(text))


def test_progress_that_can_be_taken_back_is_none_there() -> None:
    """By pyffish a pawn's move begins the count anew, a knight's does not, whatever is named."""
    text = alfil.load("chess").source.text
    for limit, lost in (("50 P", False), ("50 P,N", True)):
        game = alfil.loads(text.replace("move-limit = 50 P", f"move-limit = {limit}"))
        messages = [each.message for each in alfil.export(game, on_loss="lossy").losses]
        assert any("can be taken back" in each for each in messages) is lost
    pyffish.load_variant_config("[counting:chess]\nnMoveRuleTypes = pn\n")
    fen = "4k3/8/8/8/8/8/P6N/4K3 w - - 10 20"
    counts = [
        pyffish.get_fen("counting", fen, [move]).split()[-2] for move in ("a2a3", "h2g4", "e1e2")
    ]
    assert counts == ["0", "11", "11"]


def test_a_gap_of_many_digits_in_a_start_position_is_no_number_of_files() -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.import_ini(f"[x:chess]\nstartFen = {'9' * 5000}/8 w\n", "x", on_loss="lossy")
    assert caught.value.kind == "import-refused"


@pytest.mark.parametrize("rule", ["explosion = captures", "repetition = 3 draw"])
@pytest.mark.parametrize("rook", ["R", "R petrifies"])
def test_nobody_is_said_to_have_in_hand_what_is_not_kept(rule: str, rook: str) -> None:
    text = (
        f"board 5x5\nrule first = white\nrule captured = to-hand\nrule {rule}\n"
        f'piece K "k" betza=K royal\npiece R "r" betza={rook}\nsetup mirrored\n| K R . . . |\n'
    )
    losses = alfil.export(alfil.loads(f'game "g"\n{text}'), on_loss="lossy").losses
    about_hands = [loss.message for loss in losses if loss.message.startswith("captured: ")]
    assert about_hands == ["captured: no pieces are kept there that are not dropped"]

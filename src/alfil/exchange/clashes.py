"""Rules that Fairy-Stockfish plays otherwise together than alfil does, though each alone is alike.

What a game has is told in words, by the one who writes a `variants.ini` and by the one who reads
it; what is lost then is the same either way. All rows were measured with the Python build 0.0.90;
tests/test_exchange.py draws pairs of rules by lot and goes on asking.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from alfil.api import read
from alfil.exchange.army import Army
from alfil.exchange.meant import ALL
from alfil.exchange.men import Man
from alfil.game.variant import Variant
from alfil.meaning.automaton import OVER_ANY
from alfil.meaning.piece import Meaning


class Clash(NamedTuple):
    """Words that a game has to have, and what is lost of it then.

    Of the first word several stand for any of them, as "arrow duck". A game that is written loses
    ``rule``, and what happens is ``there``; one that is read loses ``setting``, for what is
    ``here``.
    """

    any_of: str
    others: str
    rule: str
    there: str
    setting: str
    here: str


WALLED = "arrow duck anywhere left"
CLASHES = (
    Clash(
        WALLED,
        "drops",
        "wall",
        "there a drop builds a wall where nobody chose it, or none",
        "wallingRule",
        "a drop builds a wall as a move does, but leaves none behind",
    ),
    Clash(
        WALLED,
        "forms of its own",
        "wall",
        "there nobody chooses a wall with a promotion",
        "wallingRule",
        "a promotion builds a wall as any move does",
    ),
    Clash(
        "arrow",
        "promotion",
        "wall",
        "there nothing promotes, for it has no arrow",
        "wallingRule",
        "what promotes shoots an arrow",
    ),
    Clash(
        "duck",
        "holes",
        "wall",
        "there the duck takes the holes away with its first move",
        "wallingRule",
        "holes stay where the duck is put elsewhere",
    ),
    Clash(
        "arrow duck anywhere",
        "explosion",
        "wall",
        "there no wall is built where something exploded, and what exploded shoots",
        "wallingRule",
        "a wall is built after the explosion",
    ),
    Clash(
        "arrow",
        "petrifies",
        "wall",
        "there stone shoots an arrow",
        "wallingRule",
        "stone shoots no arrow, so that a capture needs another",
    ),
    Clash(
        "arrow",
        "within",
        "wall",
        "there arrows fly also where the piece may not go",
        "wallingRule",
        "arrows fly where the piece may go",
    ),
    Clash(
        "arrow",
        "castling",
        "wall",
        "there no arrow flies past where the castling partner stood",
        "wallingRule",
        "an arrow flies past where the castling partner stood",
    ),
    Clash(
        "duck anywhere",
        "castling checks",
        "wall",
        "there a wall that is built in castling may guard the squares passed",
        "wallingRule",
        "nothing castles through an attack that its wall would end",
    ),
    Clash(
        WALLED,
        "king",
        "wall",
        "there no wall keeps a king out of check",
        "wallingRule",
        "a wall may keep a king out of check",
    ),
    Clash(
        "explosion",
        "mortal stones",
        "explosion",
        "there what captures and explodes is stone then",
        "petrifyOnCaptureTypes",
        "what captures explodes, and is no stone then",
    ),
    Clash(
        "explosion",
        "to-hand",
        "captured",
        "there each side has in hand what the other one lost by an explosion",
        "blastOnCapture",
        "who captures has in hand all that explodes",
    ),
    Clash(
        "petrifies",
        "to-hand",
        "captured",
        "there the other side has in hand what turns to stone",
        "petrifyOnCaptureTypes",
        "what turns to stone is in nobody's hand",
    ),
    Clash(
        "adjacent enclosed",
        "petrifies",
        "flip",
        "there what turns to stone turns others over before",
        "petrifyOnCaptureTypes",
        "stone turns nothing over",
    ),
    Clash(
        "explosion",
        "gates",
        "explosion",
        "there an explosion changes which pieces may make room for one",
        "blastOnCapture",
        "an explosion changes nothing of which pieces may make room for one",
    ),
    Clash(
        "hoppers",
        "gates checked",
        "gates",
        "there what is left behind may be the hurdle of a check to its own king",
        "seirawanGating",
        "what is left behind may not be the hurdle of a check to its own king",
    ),
    Clash(
        "enclosed",
        "explosion",
        "flip",
        "there what explodes turns others over before",
        "blastOnCapture",
        "what explodes turns nothing over",
    ),
    Clash(
        "adjacent",
        "survivors",
        "flip",
        "there what explodes turns others over before",
        "blastOnCapture",
        "what explodes turns nothing over",
    ),
    Clash(
        "adjacent enclosed",
        "checks",
        "flip",
        "there it is no matter for checks whom a move turns over",
        "flipEnclosedPieces",
        "a move may end a check, or give it, by what it turns over",
    ),
    Clash(
        "adjacent enclosed",
        "royal",
        "flip",
        "there a side loses with its royal piece that is turned over",
        "flipEnclosedPieces",
        "a side goes on without its royal piece that was turned over",
    ),
    Clash(
        "enclosed",
        "drops from the hand",
        "flip",
        "there a drop need turn nothing over",
        "flipEnclosedPieces",
        "a drop turns something over",
    ),
    Clash(
        "drops-first",
        "checks early",
        "drops-first",
        "there who is in check need not drop",
        "mustDrop",
        "who is in check must drop, too",
    ),
    Clash(
        "drops-first",
        "must-capture",
        "drops-first",
        "there the program breaks down where captures must be made, too",
        "mustDrop",
        "who must drop need not capture",
    ),
    Clash(
        "enclosed",
        "holes",
        "flip",
        "there a drop beside walls may enclose others than here",
        "flipEnclosedPieces",
        "a drop beside walls may enclose others than there",
    ),
    Clash(
        "hoppers",
        "drops without check",
        "drop-check",
        "there no drop gives check as a hurdle either",
        "dropChecks",
        "a drop may give check as a hurdle",
    ),
    Clash(
        "checks-counted",
        "drops without mate",
        "win",
        "there a drop may mate with the last check that is needed",
        "checkCounting",
        "no pawn is dropped that mates, with the last check either",
    ),
    Clash(
        "leaping-king",
        "rooks",
        "moves",
        "there a king leaps no more once a rook has come to its rank or file",
        "cambodianMoves",
        "a king may leap though a rook has come to its rank or file",
    ),
    Clash(
        "stuck-passes",
        "progress",
        "passes",
        "there a pass begins the counts anew, as the piece does that stands first",
        "passOnStalemate",
        "a pass is no progress, whatever piece stands first",
    ),
)


def clashes(words: Collection[str]) -> Iterator[Clash]:
    """What is lost of a game that has these words.

    >>> [each.rule for each in clashes({"duck", "holes", "petrifies"})]
    ['wall']
    """
    for each in CLASHES:
        if any(word in words for word in each.any_of.split()) and each.others in words:
            yield each


def words_of_game(
    variant: Variant, men: Mapping[str, Man], settings: Mapping[str, str]
) -> set[str]:
    """What a game has, whose settings so far are these; it is written without a king beside walls.

    Nobody is in check before all is dropped where royals are in hand, and nothing is dropped far.
    """
    rules, kinds = variant.rules, [man.kind for man in men.values()]
    held = [men[code] for hand in variant.hands for code, _ in hand]
    to_hand = rules.captured == "to-hand"
    royal = any(man.nature.survive for man in men.values())
    checks = royal and rules.self_check == "barred"
    castling = settings.get("castlingRookPieces", "-") != "-"
    standing = any(men[each.code].nature.survive for each in variant.setup)
    half = variant.ranks // 2
    far = any((man.kind.drop_ranks or (1, 0))[1] >= half for man in held)
    found = {
        rules.wall: True,
        "drops without check": any(man.kind.drop_check == "barred" for man in men.values()),
        "stuck-passes": rules.passes == "stuck",
        "progress": "king" not in settings and bool(rules.move_limit and rules.move_limit.codes),
        "leaping-king": any(man.placed.cambodian and man.kind.royal for man in men.values()),
        "rooks": "rook" in settings,
        "drops without mate": any(man.kind.drop_mate == "barred" for man in men.values()),
        "checks-counted": any(win.how == "checks" and win.times > 1 for win in rules.win),
        "hoppers": any(_hops(kind.meaning) for kind in kinds),
        rules.flip: True,
        "drops": rules.drops != "no" and bool(held or to_hand or rules.drops == "free"),
        "drops from the hand": rules.drops == "yes" and bool(held or to_hand),
        "drops-first": rules.drops_first == "yes",
        "must-capture": rules.must_capture == "yes",
        "forms of its own": settings["promotedPieceType"] != "-",
        "promotion": any(man.forms for man in men.values()),
        "holes": bool(variant.walls),
        "explosion": rules.explosion == "captures",
        "survivors": rules.explosion == "captures" and any(k.blast != "always" for k in kinds),
        "petrifies": any(kind.petrifies for kind in kinds),
        "mortal stones": any(kind.petrifies and kind.blast != "never" for kind in kinds),
        "within": any(kind.within or kind.outside for kind in kinds),
        "castling": castling,
        "castling checks": castling and checks,
        "to-hand": to_hand,
        "royal": royal,
        "checks": checks,
        "checks early": checks and (standing or to_hand or far),
        "gates": any(kind.gates for kind in kinds),
        "gates checked": checks and any(kind.gates for kind in kinds),
    }
    return {word for word, has in found.items() if has}


def _hops(meaning: Meaning) -> bool:
    """Whether some move needs a hurdle."""
    records = (
        record for part in meaning.parts for state in part.automaton.states for record in state
    )
    return any(mask & OVER_ANY for record in records for mask, _ in record[4])


def words_of_settings(army: Army, rules: Mapping[str, str], royal: Collection[str]) -> set[str]:
    """What a variant has that is read, of which these rules and royal pieces are known."""
    means, begin = army.means, army.begin
    held, to_hand = any(begin.hands), means.holds("capturesToHand")
    checks = bool(royal) and rules.get("self-check") != "allowed"
    castling = army.castles
    free = means.values["enclosingDrop"] != "none"
    gates = means.holds("seirawanGating") and means.holds("gating")
    standing = any(each.key in royal for each in begin.stones)
    far = any(
        army.rank(rank, side) >= means.ranks // 2
        for side in (0, 1)
        for _, rank in army.area("dropRegion", side)
    )
    immune, stones = means.types["blastImmuneTypes"][0], means.types["petrifyOnCaptureTypes"][0]
    explosion = means.holds("blastOnCapture")
    keys = {man.key for man in army.kinds}
    found = {
        rules.get("wall", ""): True,
        rules.get("flip", ""): True,
        "drops": free or (means.holds("pieceDrops") and (held or to_hand)),
        "drops from the hand": not free and means.holds("pieceDrops") and (held or to_hand),
        "drops-first": means.holds("mustDrop") and means.holds("pieceDrops"),
        "drops without check": means.holds("pieceDrops") and not means.holds("dropChecks"),
        "stuck-passes": means.holds("passOnStalemate"),
        "progress": "king" not in royal and bool(means.types["nMoveRuleTypes"][0] & keys),
        "leaping-king": means.holds("cambodianMoves") and "king" in keys,
        "rooks": "rook" in keys,
        "drops without mate": means.holds("shogiPawnDropMateIllegal"),
        "checks-counted": means.holds("checkCounting") and begin.checks > 1,
        "hoppers": any(_hops(read(text).meaning) for text in map(means.betza.get, keys) if text),
        "must-capture": means.holds("mustCapture"),
        "forms of its own": bool(army.shogi),
        "promotion": any(army.promotes(key, side) for key in keys for side in (0, 1)),
        "holes": bool(begin.walls),
        "explosion": explosion,
        "survivors": explosion and bool(immune or "pawn" in keys),
        "petrifies": bool(stones),
        "mortal stones": bool(stones - immune) and ALL not in immune,
        "within": any(army.is_bound(key) for key in keys),
        "castling": castling,
        "castling checks": castling and checks,
        "to-hand": to_hand,
        "royal": bool(royal),
        "king": "king" in royal,
        "checks": checks,
        "checks early": checks and (standing or to_hand or far),
        "gates": gates,
        "gates checked": gates and checks,
    }
    return {word for word, has in found.items() if has}

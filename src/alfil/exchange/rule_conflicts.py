"""Combinations of rules that Fairy-Stockfish plays differently from alfil.

What a game has is told in words, whether its `variants.ini` is written or was read; what is lost
then is the same either way. All rows of incompatible_settings.tsv were measured with the Python
build 0.0.90; tests/test_exchange.py draws pairs of rules by lot and goes on asking.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import NamedTuple

from alfil.api import moves
from alfil.data_files import read_table
from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece, step_records_of
from alfil.exchange.possible_places import PossiblePlaces
from alfil.game.rule_table import RULES
from alfil.game.variant import Variant, can_be_mated
from alfil.library.field_parsers import rule_value, rule_value_word
from alfil.meaning.automaton import OVER_ANY
from alfil.meaning.piece_meaning import Meaning

# What words say of some piece of the game, with its value.
FEATURE_FIELDS = ("drop_check", "drop_mate", "gates", "petrifies")


class RuleConflict(NamedTuple):
    """What is lost of a game that has certain words: all of ``where``, of which != is one it lacks.

    A game that is written loses ``rule``, and what happens is ``fs_behaviour``; one that is read
    loses ``setting``, for what is ``alfil_behaviour``. Where one of them is empty, nothing is lost
    that way.
    """

    where: str
    rule: str
    fs_behaviour: str
    setting: str
    alfil_behaviour: str


def conflicts_of_features(features: Collection[str]) -> Iterator[RuleConflict]:
    """The losses of a game with these features.

    >>> [each.rule for each in conflicts_of_features({"wall=duck", "holes", "flip=none"})]
    ['wall']
    """
    for row in read_table("exchange", "incompatible_settings.tsv"):
        needed = row[0].split()
        if all((each.replace("!=", "=") in features) != ("!=" in each) for each in needed):
            yield RuleConflict(*row)


def features_of_game(
    variant: Variant,
    fs_names: Collection[str],
    places: PossiblePlaces,
    *,
    castles: bool,
    own_forms: bool,
    keeps_moving: bool,
) -> set[str]:
    """What a game has, whose pieces have these ``fs_names`` there; beside walls none is a king.

    It ``castles`` where the settings say with what, and has ``own_forms`` where pieces promote as
    in shogi; where it ``keeps_moving``, nothing goes where it could never move again. Nobody is
    in check before all is dropped where royals are in hand, and nothing is dropped far. Pieces that
    cannot come into the game have no part in it.
    """
    pieces = places.present_pieces
    rules, kinds = variant.rules, [piece.kind for piece in pieces.values()]
    held = [pieces[code] for hand in variant.hands for code, _ in hand]
    to_hand = rules.captured == "to-hand"
    standing = any(pieces[each.code].traits.survive for each in variant.setup)
    half = variant.ranks // 2
    royals = [piece for piece in pieces.values() if piece.traits.survive]
    mortal = [piece for piece in royals if piece.kind.blast != "never"]
    mated = bool(royals) and can_be_mated(rules) and rules.giving_check == "allowed"
    reversed_mates = rules.mate == "win" or any(kind.mates != "yes" for kind in kinds)
    far = any((piece.kind.drop_ranks or (1, 0))[1] >= half for piece in held)
    result = {
        "droppable": bool(held or to_hand or rules.drops == "free"),
        "own-forms": own_forms,
        "promotion": any(piece.promotions for piece in pieces.values()),
        "holes": bool(variant.walls),
        "spared": any(kind.blast != "always" for kind in kinds),
        "mortal-stones": any(kind.petrifies and kind.blast != "never" for kind in kinds),
        "promoting-stones": any(
            piece.kind.petrifies and piece.promotions and piece.traits.promotion.mode != "apart"
            for piece in pieces.values()
        ),
        "bounded": any(kind.within or kind.outside for kind in kinds),
        "castling": castles,
        "king": "king" in fs_names,
        "keeps-moving": keeps_moving,
        "mortal-king": "king" in fs_names and bool(mortal),
        "lasting": any(kind.blast == "never" and not kind.royal for kind in kinds),
        "returning-first-moves": any(
            place in places
            for place in places.begun
            if pieces[place.code].regional.double_step_squares is None
            and any(option.when for option in pieces[place.code].piece.movement.options)
        ),
        "lasting-royals": "king" not in fs_names and len(mortal) < len(royals),
        # Moves are looked at for no other games than those with the rule.
        "mortal-far-royals": rules.explosion == "captures"
        and any(map(_may_leave_neighbourhood, mortal)),
        "jumps-in-line": rules.flip == "enclosed" and any(map(_may_jump_in_line, pieces.values())),
        "lasting-double-step": any(piece.regional.double_step_squares for piece in pieces.values()),
        "rook": "rook" in fs_names,
        "royal": bool(royals),
        "immune-royals": any(
            piece.code in other.kind.immune_to for piece in royals for other in royals
        ),
        "early": standing or to_hand or far,
        "hoppers": any(_has_hopping_move(kind.meaning) for kind in kinds),
        "leaping-king": any(
            piece.regional.cambodian and piece.kind.royal for piece in pieces.values()
        ),
        "checks": any(win.how == "checks" for win in rules.win),
        "goal": any(win.how == "goal" for win in rules.win),
        "bare-king": any(win.how == "bare" for win in rules.win),
        "mated": mated,
        "mated-otherwise": mated and reversed_mates,
        "checks-counted": any(win.how == "checks" and win.times > 1 for win in rules.win),
        "progress": "king" not in fs_names and bool(rules.move_limit and rules.move_limit.codes),
    }
    features = {word for word, has in result.items() if has}
    features |= {f"{each.name}={rule_value_word(rule_value(each.name, rules))}" for each in RULES}
    return features | {
        f"{name.replace('_', '-')}={getattr(kind, name)}"
        for kind in kinds
        for name in FEATURE_FIELDS
    }


def _may_leave_neighbourhood(piece: FairyStockfishPiece) -> bool:
    """Whether it may go farther than to the squares around it."""
    return _has_hopping_move(piece.kind.meaning) or any(
        max(map(abs, move.to)) > 1 for move in moves(piece.piece, radius=2)
    )


def _may_jump_in_line(piece: FairyStockfishPiece) -> bool:
    """Whether it may go past enemies in a queen's line, be it a capture."""
    around = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]
    beyond = [(2 * dx, 2 * dy) for dx, dy in around]
    for enemies in (around, [*around, *beyond]):
        for move in moves(piece.piece, radius=7, enemies=enemies):
            far, near = max(map(abs, move.to)), min(map(abs, move.to))
            if far > 1 and near in {0, far}:
                return True
    return False


def _has_hopping_move(meaning: Meaning) -> bool:
    """Whether some move needs a hurdle."""
    return any(mask & OVER_ANY for record in step_records_of(meaning) for mask, _ in record[4])

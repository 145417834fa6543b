"""Traits of the piece types of a game: royalty, promotion, effects on others.

Here Ħasínū functions become rules; what no game can honour is refused when the game is made.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NoReturn, Protocol, cast

from alfil.errors import Diagnostic, RuleError, reject
from alfil.frozen_dataclasses import dataclass
from alfil.game.variant import ZONE_REGION, Area, PieceType, Rules, Variant
from alfil.meaning.piece_meaning import Fact, Meaning, footprint_of
from alfil.source import Source

# Facts that no game can honour, after "that it"; a royal under conditions is one.
UNSUPPORTED_FACTS = {
    "royal": "is royal under a condition",
    "size": "takes up several squares under a condition",
    "burns": "burns pieces in its range under a condition",
    "immobilises": "immobilises pieces in its range under a condition",
    "shoots": "shoots pieces that come into its range under a condition",
}
# Effects on pieces in a range, which games honour.
SUPPORTED_EFFECTS = frozenset({"burns", "immobilises", "shoots"})
# Facts that change no move: what its reader has been warned of, and names without a use.
IGNORED_FACTS = frozenset({"untold", "declared"})

# In place of a rank, where a zone that is no rows of ranks decides.
ENTERING_ZONE = -1


@dataclass(frozen=True, slots=True)
class Promotion:
    """When and to what a kind promotes.

    ``from_rank`` is the rank of its owner's on or beyond which a move promotes, 0 where the zone
    and the rule of the game decide, and `ENTERING_ZONE` where a move promotes that ends in the
    zone. ``by`` are the moves that promote, where these decide.
    """

    codes: tuple[str, ...]
    mode: Literal["optional", "forced", "stuck", "apart"]
    from_rank: int = 0
    by: Meaning | None = None


@dataclass(frozen=True, slots=True)
class PieceTraits:
    """The traits of a piece type, from its fields and the facts of its notation.

    ``survive`` is "any" where the loss of one royal loses the game, "all" where one may be spared,
    empty for a piece that is not royal. ``iron_against`` are the codes of the kinds that cannot
    capture it.
    """

    survive: Literal["", "any", "all"]
    promotion: Promotion
    iron_against: frozenset[str] = frozenset()
    effects: tuple[Fact, ...] = ()


class PromotionFields(Protocol):
    """What says where a piece promotes, of a line of a piece file and of a piece type."""

    @property
    def promotion(self) -> str:
        """Whether it must promote, or may."""

    @property
    def promotes_in(self) -> Area | None:
        """Its own promotion zone."""

    @property
    def meaning(self) -> Meaning:
        """What it does."""


def can_promote(piece: PromotionFields, rules: Rules, regions: Collection[str]) -> bool:
    """Whether a piece that has something to become ever promotes, on any square.

    The only one of its type that promotes with a move of its own needs no zone.
    """
    zone = rules.zone or ZONE_REGION in regions or piece.promotes_in
    anywhere = rules.promotion_when in {"captures", "always"} or piece.promotion == "apart"
    by_movement = any(fact.name == "promotion" for fact in piece.meaning.facts)
    return bool(zone or anywhere or by_movement)


# So many pieces are named that no game can have.
MOST_REFUSED = 100


def piece_traits(variant: Variant) -> dict[str, PieceTraits]:
    """The traits of all piece types; `RuleError` for unsupported facts or unknown codes.

    The error has a diagnostic for every kind that is refused, or for the first hundred; its text
    are their codes, one a line.
    """
    result: dict[str, PieceTraits] = {}
    refused: list[tuple[str, Diagnostic]] = []
    known_codes = {each.code for each in variant.kinds}
    for kind in variant.kinds:
        try:
            result[kind.code] = _traits_of(kind, variant)
            _check_codes(kind, known_codes)
        except RuleError as error:
            refused.append((kind.code, error.first_error))
    if refused:
        text, diagnostics = "", []
        for code, diagnostic in refused[:MOST_REFUSED]:
            diagnostics.append(diagnostic.shift(len(text)))
            text += f"{code}\n"
        raise RuleError(diagnostics, Source(text.rstrip("\n"), "<game>"))
    return result


def _traits_of(kind: PieceType, variant: Variant) -> PieceTraits:
    survive = cast("Literal['', 'any', 'all']", variant.rules.royal_lost if kind.royal else "")
    promotes = can_promote(kind, variant.rules, [each.name for each in variant.regions])
    promotion = Promotion(kind.promotes if promotes else (), kind.promotion)
    exceptions: frozenset[str] = frozenset()
    effects: list[Fact] = []
    _check_fact_combinations(kind)
    _reject_ambiguous_starting_colour(kind, variant)
    for fact in kind.meaning.facts:
        if fact.name == "royal" and len(fact.values) == 1:
            survive = "any" if fact.values[0] == "all" else "all"
            _check_royal_loss(survive, kind, variant)
        elif fact.name == "promotion":
            promotion = _promotion(fact, kind, variant)
        elif fact.name == "iron":
            exceptions |= _iron_against_codes(fact, kind, variant)
        elif fact.name == "size" and len(fact.values) == len("xy"):
            _check_size(kind, variant)
        elif fact.name in SUPPORTED_EFFECTS and _is_unconditional_effect(fact):
            effects.append(fact)
        elif fact.name not in IGNORED_FACTS:
            words = f"no game can honour yet that it {UNSUPPORTED_FACTS[fact.name]}"
            _reject(kind, "unplayable-function", words, "take the function out of its move")
    return PieceTraits(survive, promotion, exceptions | frozenset(kind.immune_to), tuple(effects))


def _check_fact_combinations(kind: PieceType) -> None:
    """Reject combinations of facts that no game supports."""
    fact_names = [fact.name for fact in kind.meaning.facts]
    for name, words in (("promotion", "promotes in several ways"), ("royal", "is royal in two")):
        if fact_names.count(name) > 1:
            description = f"no game can honour yet that it {words}"
            _reject(kind, "unplayable-function", description, "leave one of them out")
    if kind.blocked_by and kind.no_jump_over:
        words = "no game can honour yet that it has both blocked-by and no-jump-over"
        _reject(kind, "unplayable-function", words, "leave one of them out")


def _check_size(kind: PieceType, variant: Variant) -> None:
    """Refuse a piece larger than the board, and one that castles and takes up several squares."""
    wide, high = footprint_of(kind.meaning.facts)[-1]
    if wide >= variant.files or high >= variant.ranks:
        words = f"it takes up {wide + 1} by {high + 1} squares, and the board has no room for it"
        hint = f"take a board larger than {variant.files} by {variant.ranks}"
        _reject(kind, "unplayable-function", words, hint)
    castling = [kind.code for kind in variant.kinds if kind.castles_to or kind.castles_with]
    partners = {code for each in variant.kinds for code in each.castles_with}
    if (wide or high) and kind.code in {*castling, *partners}:
        words = "what takes up several squares castles with nobody"
        _reject(kind, "unplayable-function", words, "leave castling out")


def _reject_ambiguous_starting_colour(kind: PieceType, variant: Variant) -> None:
    """Reject conditions on the starting colour where pieces began on both colours or none.

    A position does not say which square a piece came from.
    """
    asks = {"own-colour", "other-colour"}
    if all(condition.kind not in asks for guard in kind.guards for condition in guard):
        return
    for side in kind.sides:
        began = [
            each.square for each in variant.setup if (each.code, each.side) == (kind.code, side)
        ]
        if len({sum(square) % 2 for square in began}) != 1:
            words = "its moves ask for the colour it began on, which is not one colour"
            _reject(
                kind,
                "no-own-colour",
                words,
                "set it up on squares of one colour, or ask for w and b",
            )


def _is_unconditional_effect(fact: Fact) -> bool:
    """Whether an effect has no condition around it: range, side, time and number are all of it."""
    return len(fact.values) == len(("range", "side", "time", "number"))


def _check_royal_loss(survive: str, kind: PieceType, variant: Variant) -> None:
    """Where the rules let a royal be spared, a function must not say otherwise."""
    if survive == "any" and variant.rules.royal_lost == "all":
        lost = "by royal-lost = all the loss of the last royal piece"
        words = f"by royal() its loss loses the game, {lost}"
        _reject(kind, "royal-twice", words, "write royal(O), or leave the rule out")


def _check_codes(kind: PieceType, known_codes: set[str]) -> None:
    others = (*kind.immune_to, *kind.blocked_by, *kind.no_jump_over, *kind.castles_with)
    for code in (*kind.promotes, *others, kind.base):
        if code not in known_codes:
            words = f"no piece of this game has the code {code}"
            _reject(kind, "unknown-promotee", words, "give the code of a piece of the game")


def _promotion(fact: Fact, kind: PieceType, variant: Variant) -> Promotion:
    condition, *names = fact.values
    codes = tuple(_promotion_target(value, kind, variant) for value in names)
    if kind.promotes and set(kind.promotes) != set(codes):
        words = "promote() and the field promotes name other pieces"
        _reject(kind, "promotion-twice", words, "leave one of the two out")
    ordered = kind.promotes or tuple(each.code for each in variant.kinds if each.code in codes)
    if isinstance(condition, Meaning):
        return Promotion(ordered, "forced", by=condition)
    return Promotion(ordered, "forced", _promotion_rank(str(condition), kind, variant))


def _promotion_rank(condition: str, kind: PieceType, variant: Variant) -> int:
    ranks, zone = variant.ranks, variant.rules.zone
    words = f'promote() has the condition "{condition}"'
    hint = "known are: reach rank R, reach last rank, enter promotion zone"
    result = 0
    match condition.split():
        case ["reach", "last", "rank"]:
            result = ranks
        case ["reach", "rank", number] if number.isascii() and number.isdigit():
            if number.lstrip("0") in {str(rank) for rank in range(1, ranks + 1)}:
                result = int(number)
            words, hint = f"{words}, but the board has {ranks} ranks", f"ranks are 1 to {ranks}"
        case ["enter", "promotion", "zone"] if zone:
            result = ranks + 1 - zone
        case ["enter", "promotion", "zone"] if any(
            each.name == ZONE_REGION for each in variant.regions
        ):
            result = ENTERING_ZONE
        case ["enter", "promotion", "zone"]:
            words = f"{words}, but the game has no promotion zone"
            hint = "add a line: zone promotion ranks=3"
    if not result:
        _reject(kind, "unplayable-function", words, hint)
    return result


def _promotion_target(value: str | int | Meaning, kind: PieceType, variant: Variant) -> str:
    """The code of the piece that a promotion names or describes."""
    chosen = [each for each in variant.kinds if _is_name_of_kind(value, each)]
    description = str(value)
    if isinstance(value, Meaning):
        # A promoted form moves as another piece may, so the one this kind is known to become wins.
        chosen = [each for each in chosen if each.code in kind.promotes] or chosen
        description = "what it describes"
    if not chosen:
        words = f"promote() names a piece that this game has not: {description}"
        _reject(kind, "unknown-promotee", words, "name a piece of the game")
    if len(chosen) > 1:
        codes = ", ".join(each.code for each in chosen)
        words = f"promote() may mean any of {codes}: {description}"
        _reject(kind, "ambiguous-promotee", words, "name the piece")
    return chosen[0].code


def _iron_against_codes(fact: Fact, kind: PieceType, variant: Variant) -> frozenset[str]:
    identifier, *exceptions = fact.values
    everyone = frozenset(each.code for each in variant.kinds)
    names = frozenset[str]()
    for value in exceptions:
        meant = frozenset(each.code for each in variant.kinds if _is_name_of_kind(value, each))
        if not meant:
            description = "what it describes" if isinstance(value, Meaning) else str(value)
            words = f"fe() names a piece that this game has not: {description}"
            _reject(kind, "unknown-exception", words, "name a piece of the game")
        names |= meant
    return names if identifier == "these" else everyone - names


def _is_name_of_kind(value: str | int | Meaning, kind: PieceType) -> bool:
    if isinstance(value, Meaning):
        return kind.meaning.without_facts() == value.without_facts()
    return value in {kind.name, kind.code}


def _reject(piece: PieceType, kind: str, words: str, hint: str) -> NoReturn:
    """Raise `RuleError` about a piece."""
    message = f"{piece.code} ({piece.name}): {words}"
    reject(RuleError, kind, message, Source(piece.code, "<game>"), hint=hint)

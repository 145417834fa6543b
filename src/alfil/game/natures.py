"""What each kind of piece is in a game: its royalty, promotion, and effects on others.

Here Ħasínū functions become rules; what no game can honour is refused when the game is made.
"""

from __future__ import annotations

from typing import Literal, NoReturn, cast

from alfil.errors import Finding, RuleError, refuse
from alfil.frozen import dataclass
from alfil.game.variant import ZONE, Kind, Variant
from alfil.meaning.piece import Fact, Meaning, body_of
from alfil.source import Source

# Facts that no game can honour, after "that it"; a royal under conditions is one.
UNPLAYED = {
    "royal": "is royal under a condition",
    "size": "takes up several squares under a condition",
    "burns": "burns pieces in its range under a condition",
    "immobilises": "immobilises pieces in its range under a condition",
    "shoots": "shoots pieces that come into its range under a condition",
}
# Effects on pieces in a range, which games honour.
EFFECTS = frozenset({"burns", "immobilises", "shoots"})
# Facts that change no move: what its reader has been warned of, and names without a use.
LEFT_OUT = frozenset({"untold", "declared"})


# In place of a rank, where a zone that is no rows of ranks decides.
INTO_ZONE = -1


@dataclass(frozen=True, slots=True)
class Promotion:
    """When and to what a kind promotes.

    ``from_rank`` is the rank of its owner's on or beyond which a move promotes, 0 where the zone
    and the rule of the game decide, and `INTO_ZONE` where a move promotes that ends in the zone.
    ``by`` are the moves that promote, where these decide.
    """

    codes: tuple[str, ...]
    mode: Literal["optional", "forced", "stuck", "apart"]
    from_rank: int = 0
    by: Meaning | None = None


@dataclass(frozen=True, slots=True)
class Nature:
    """What a kind is, from its fields and from the facts of its description.

    ``survive`` is "any" where the loss of one royal loses the game, "all" where one may be spared,
    empty for a piece that is not royal. ``barred`` are the codes of the kinds that cannot capture
    it.
    """

    survive: Literal["", "any", "all"]
    promotion: Promotion
    barred: frozenset[str] = frozenset()
    effects: tuple[Fact, ...] = ()


def natures(variant: Variant) -> dict[str, Nature]:
    """What every kind of a game is; `RuleError` for what cannot be honoured, or unknown codes.

    The error has a finding for every kind that is refused; its text are their codes, one a line.
    """
    found: dict[str, Nature] = {}
    refused: list[tuple[str, Finding]] = []
    for kind in variant.kinds:
        try:
            found[kind.code] = _nature(kind, variant)
        except RuleError as error:
            refused.append((kind.code, error.findings[0]))
    if refused:
        text, findings = "", []
        for code, finding in refused:
            findings.append(finding.shift(len(text)))
            text += f"{code}\n"
        raise RuleError(findings, Source(text.rstrip("\n"), "<game>"))
    return found


def _nature(kind: Kind, variant: Variant) -> Nature:
    survive = cast("Literal['', 'any', 'all']", variant.rules.royal_lost if kind.royal else "")
    promotion = Promotion(kind.promotes, kind.promotion)
    barred: frozenset[str] = frozenset()
    effects: list[Fact] = []
    _check_whole(kind)
    _check_colour(kind, variant)
    for fact in kind.meaning.facts:
        if fact.name == "royal" and len(fact.values) == 1:
            survive = "any" if fact.values[0] == "all" else "all"
            _check_royal(survive, kind, variant)
        elif fact.name == "promotion":
            promotion = _promotion(fact, kind, variant)
        elif fact.name == "iron":
            barred |= _iron(fact, kind, variant)
        elif fact.name == "size" and len(fact.values) == len("xy"):
            _check_size(kind, variant)
        elif fact.name in EFFECTS and _is_plain(fact):
            effects.append(fact)
        elif fact.name not in LEFT_OUT:
            words = f"no game can honour yet that it {UNPLAYED[fact.name]}"
            _refuse(kind, "unplayable-function", words, "take the function out of its move")
    _check_codes(kind, variant)
    return Nature(survive, promotion, barred | frozenset(kind.immune_to), tuple(effects))


def _check_whole(kind: Kind) -> None:
    """What no game can honour of all that is said of a piece together."""
    said = [fact.name for fact in kind.meaning.facts]
    for name, words in (("promotion", "promotes in several ways"), ("royal", "is royal in two")):
        if said.count(name) > 1:
            told = f"no game can honour yet that it {words}"
            _refuse(kind, "unplayable-function", told, "leave one of them out")


def _check_size(kind: Kind, variant: Variant) -> None:
    """Refuse a piece larger than the board, and one that castles and takes up several squares."""
    wide, high = body_of(kind.meaning.facts)[-1]
    if wide >= variant.files or high >= variant.ranks:
        words = f"it takes up {wide + 1} by {high + 1} squares, and the board has no room for it"
        hint = f"take a board larger than {variant.files} by {variant.ranks}"
        _refuse(kind, "unplayable-function", words, hint)
    castling = [kind.code for kind in variant.kinds if kind.castles_to or kind.castles_with]
    partners = {code for each in variant.kinds for code in each.castles_with}
    if (wide or high) and kind.code in {*castling, *partners}:
        words = "what takes up several squares castles with nobody"
        _refuse(kind, "unplayable-function", words, "leave castling out")


def _check_colour(kind: Kind, variant: Variant) -> None:
    """Refuse moves that ask for the colour a piece began on where pieces began on both, or on none.

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
            _refuse(
                kind,
                "no-own-colour",
                words,
                "set it up on squares of one colour, or ask for w and b",
            )


def _is_plain(fact: Fact) -> bool:
    """Whether an effect has no condition around it: range, side, time and number are all of it."""
    return len(fact.values) == len(("range", "side", "time", "number"))


def _check_royal(survive: str, kind: Kind, variant: Variant) -> None:
    """Where the rules let a royal be spared, a function must not say otherwise."""
    if survive == "any" and variant.rules.royal_lost == "all":
        lost = "by royal-lost = all the loss of the last royal piece"
        words = f"by royal() its loss loses the game, {lost}"
        _refuse(kind, "royal-twice", words, "write royal(O), or leave the rule out")


def _check_codes(kind: Kind, variant: Variant) -> None:
    known = {each.code for each in variant.kinds}
    for code in (*kind.promotes, *kind.immune_to, *kind.blocked_by, *kind.castles_with, kind.base):
        if code not in known:
            words = f"no piece of this game has the code {code}"
            _refuse(kind, "unknown-promotee", words, "give the code of a piece of the game")


def _promotion(fact: Fact, kind: Kind, variant: Variant) -> Promotion:
    condition, *named = fact.values
    codes = tuple(_promotee(value, kind, variant) for value in named)
    if kind.promotes and set(kind.promotes) != set(codes):
        words = "promote() and the field promotes name other pieces"
        _refuse(kind, "promotion-twice", words, "leave one of the two out")
    ordered = kind.promotes or tuple(each.code for each in variant.kinds if each.code in codes)
    if isinstance(condition, Meaning):
        return Promotion(ordered, "forced", by=condition)
    return Promotion(ordered, "forced", _rank(str(condition), kind, variant))


def _rank(condition: str, kind: Kind, variant: Variant) -> int:
    ranks, zone = variant.ranks, variant.rules.zone
    words = f'promote() has the condition "{condition}"'
    hint = "known are: reach rank R, reach last rank, enter promotion zone"
    found = 0
    match condition.split():
        case ["reach", "last", "rank"]:
            found = ranks
        case ["reach", "rank", number] if number.isascii() and number.isdigit():
            if number.lstrip("0") in {str(rank) for rank in range(1, ranks + 1)}:
                found = int(number)
            words, hint = f"{words}, but the board has {ranks} ranks", f"ranks are 1 to {ranks}"
        case ["enter", "promotion", "zone"] if zone:
            found = ranks + 1 - zone
        case ["enter", "promotion", "zone"] if any(each.name == ZONE for each in variant.regions):
            found = INTO_ZONE
        case ["enter", "promotion", "zone"]:
            words = f"{words}, but the game has no promotion zone"
            hint = "add a line: zone promotion ranks=3"
    if not found:
        _refuse(kind, "unplayable-function", words, hint)
    return found


def _promotee(value: str | int | Meaning, kind: Kind, variant: Variant) -> str:
    """The code of the piece a name or a description stands for."""
    chosen = [each for each in variant.kinds if _is_meant(value, each)]
    told = str(value)
    if isinstance(value, Meaning):
        # A promoted form moves as another piece may, so the one this kind is known to become wins.
        chosen = [each for each in chosen if each.code in kind.promotes] or chosen
        told = "what it describes"
    if not chosen:
        words = f"promote() names a piece that this game has not: {told}"
        _refuse(kind, "unknown-promotee", words, "name a piece of the game")
    if len(chosen) > 1:
        codes = ", ".join(each.code for each in chosen)
        words = f"promote() may mean any of {codes}: {told}"
        _refuse(kind, "ambiguous-promotee", words, "name the piece")
    return chosen[0].code


def _iron(fact: Fact, kind: Kind, variant: Variant) -> frozenset[str]:
    identifier, *exceptions = fact.values
    everyone = frozenset(each.code for each in variant.kinds)
    named = frozenset[str]()
    for value in exceptions:
        meant = frozenset(each.code for each in variant.kinds if _is_meant(value, each))
        if not meant:
            told = "what it describes" if isinstance(value, Meaning) else str(value)
            words = f"fe() names a piece that this game has not: {told}"
            _refuse(kind, "unknown-exception", words, "name a piece of the game")
        named |= meant
    return named if identifier == "these" else everyone - named


def _is_meant(value: str | int | Meaning, kind: Kind) -> bool:
    if isinstance(value, Meaning):
        return kind.meaning.without_facts() == value.without_facts()
    return value in {kind.name, kind.code}


def _refuse(piece: Kind, kind: str, words: str, hint: str) -> NoReturn:
    """Raise `RuleError` about a piece."""
    message = f"{piece.code} ({piece.name}): {words}"
    refuse(RuleError, kind, message, Source(piece.code, "<game>"), hint=hint)

"""What Ħasínū functions say of a piece besides its moves, as rules of a game.

Nothing is passed over in silence: what no game can honour is refused when the game is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from alfil.errors import Finding, RuleError
from alfil.game.variant import Kind, Variant
from alfil.meaning.piece import Fact, Meaning
from alfil.source import Source, Span

# Facts that no game can honour, after "that it"; a royal under conditions is one.
UNPLAYED = {
    "royal": "is royal under a condition",
    "size": "takes up several squares",
    "declared": "declares a function",
    "burns": "burns pieces in its range",
    "immobilises": "immobilises pieces in its range",
    "shoots": "shoots pieces that come into its range",
}


@dataclass(frozen=True, slots=True)
class Promotion:
    """When and to what a kind promotes.

    ``from_rank`` is the rank of its owner's on or beyond which a move promotes, 0 where the zone
    and the rule of the game decide.
    """

    codes: tuple[str, ...]
    mode: Literal["optional", "forced", "stuck"]
    from_rank: int = 0


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
    survive: Literal["", "any", "all"] = variant.rules.royal_lost if kind.royal else ""
    promotion = Promotion(kind.promotes, kind.promotion)
    barred: frozenset[str] = frozenset()
    for fact in kind.meaning.facts:
        if fact.name == "royal" and len(fact.values) == 1:
            survive = "any" if fact.values[0] == "all" else "all"
            _check_royal(survive, kind, variant)
        elif fact.name == "promotion":
            promotion = _promotion(fact, kind, variant)
        elif fact.name == "iron":
            barred |= _iron(fact, kind, variant)
        else:
            told = UNPLAYED[fact.name]
            words = f"{kind.code} ({kind.name}): no game can honour yet that it {told}"
            raise _refusal("unplayable-function", words, kind, "take the function out of its move")
    _check_codes(kind, variant)
    return Nature(survive, promotion, barred)


def _check_royal(survive: str, kind: Kind, variant: Variant) -> None:
    """Where the rules let a royal be spared, a function must not say otherwise."""
    if survive == "any" and variant.rules.royal_lost == "all":
        words = (
            f"{kind.code} ({kind.name}): by royal() its loss loses the game, "
            "by royal-lost = all the loss of the last royal piece"
        )
        raise _refusal("royal-twice", words, kind, "write royal(O), or leave the rule out")


def _check_codes(kind: Kind, variant: Variant) -> None:
    known = {each.code for each in variant.kinds}
    for code in (*kind.promotes, kind.base):
        if code not in known:
            words = f"{kind.code} ({kind.name}): no piece of this game has the code {code}"
            raise _refusal("unknown-promotee", words, kind, "give the code of a piece of the game")


def _promotion(fact: Fact, kind: Kind, variant: Variant) -> Promotion:
    condition, *named = fact.values
    codes = tuple(_promotee(value, kind, variant) for value in named)
    if kind.promotes and set(kind.promotes) != set(codes):
        words = f"{kind.code} ({kind.name}): promote() and the field promotes name other pieces"
        raise _refusal("promotion-twice", words, kind, "leave one of the two out")
    ordered = kind.promotes or tuple(each.code for each in variant.kinds if each.code in codes)
    return Promotion(ordered, "forced", _rank(str(condition), kind, variant))


def _rank(condition: str, kind: Kind, variant: Variant) -> int:
    ranks, zone = variant.ranks, variant.rules.zone
    words = f'promote() has the condition "{condition}"'
    hint = "known are: reach rank R, reach last rank, enter promotion zone"
    match condition.split():
        case ["reach", "last", "rank"]:
            return ranks
        case ["reach", "rank", number] if number.isascii() and number.isdigit():
            if number.lstrip("0") in {str(rank) for rank in range(1, ranks + 1)}:
                return int(number)
            words, hint = f"{words}, but the board has {ranks} ranks", f"ranks are 1 to {ranks}"
        case ["enter", "promotion", "zone"] if zone:
            return ranks + 1 - zone
        case ["enter", "promotion", "zone"]:
            words = f"{words}, but the game has no promotion zone"
            hint = "add a line: zone promotion ranks=3"
    raise _refusal("unplayable-function", f"{kind.code} ({kind.name}): {words}", kind, hint)


def _promotee(value: str | int | Meaning, kind: Kind, variant: Variant) -> str:
    """The code of the piece a name or a description stands for."""
    if isinstance(value, Meaning):
        bare = value.without_facts()
        # A promoted form moves as another piece may, so the one this kind is known to become wins.
        found = [each for each in variant.kinds if each.meaning.without_facts() == bare]
        chosen = [each for each in found if each.code in kind.promotes] or found
        told = "what it describes"
    else:
        chosen = [each for each in variant.kinds if value in {each.name, each.code}]
        told = str(value)
    if not chosen:
        words = f"{kind.code} ({kind.name}): promote() names a piece that this game has not: {told}"
        raise _refusal("unknown-promotee", words, kind, "name a piece of the game")
    if len(chosen) > 1:
        codes = ", ".join(each.code for each in chosen)
        words = f"{kind.code} ({kind.name}): promote() may mean any of {codes}: {told}"
        raise _refusal("ambiguous-promotee", words, kind, "name the piece")
    return chosen[0].code


def _iron(fact: Fact, kind: Kind, variant: Variant) -> frozenset[str]:
    identifier, *exceptions = fact.values
    everyone = frozenset(each.code for each in variant.kinds)
    named = frozenset[str]()
    for value in exceptions:
        meant = frozenset(each.code for each in variant.kinds if _is_meant(value, each))
        if not meant:
            told = "what it describes" if isinstance(value, Meaning) else str(value)
            words = f"{kind.code} ({kind.name}): fe() names a piece that this game has not: {told}"
            raise _refusal("unknown-exception", words, kind, "name a piece of the game")
        named |= meant
    if identifier == "these":
        return named
    return everyone - named


def _is_meant(value: str | int | Meaning, kind: Kind) -> bool:
    if isinstance(value, Meaning):
        return kind.meaning.without_facts() == value.without_facts()
    return value in {kind.name, kind.code}


def _refusal(kind: str, message: str, piece: Kind, hint: str) -> RuleError:
    text = piece.code
    return RuleError([Finding(kind, message, (Span(0, len(text)),), hint)], Source(text, "<game>"))

"""The rule lines of a piece file: one entry for every rule, with the words it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias, cast

from alfil.errors import nearest
from alfil.game.variant import Goal, Impasse, MatchLength, Repetition, Rules, Win
from alfil.library.findings import Findings, Wrong, wrong
from alfil.library.nodes import Field, Rule, Text, Zone
from alfil.library.values import number, one_of, parts, rank_span
from alfil.source import Span

MOST = 9999
WINS = ("mate", "royal-capture", "goal", "checks:N", "bare")

Words: TypeAlias = tuple[Text, ...]
Read: TypeAlias = Callable[[str, Words], object]


class RuleKind(NamedTuple):
    """A rule: the words it may have, for people, and how they are read."""

    words: str
    read: Read


def _whole(words: Words) -> Span:
    return words[0].span.to(words[-1].span)


def _form(name: str, words: Words, form: str) -> Wrong:
    said = " ".join(word.value for word in words)
    message = f"{name} cannot be {said}"
    return wrong("unknown-value", message, _whole(words), f"write it like this: {form}")


def _choice(known: tuple[str, ...], name: str, words: Words) -> str:
    if len(words) > 1:
        raise _form(name, words, known[0])
    return one_of(words[0], name, known)


def _win(name: str, words: Words) -> tuple[Win, ...]:
    found: list[Win] = []
    # A comma may stand beside a blank, so that an empty part means nothing.
    for text in (part for word in words for part in parts(word) if part.value):
        how, colon, times = text.value.partition(":")
        known = [each.partition(":")[0] for each in WINS]
        if how not in known or (how == "checks") != bool(colon):
            hint = nearest(text.value, WINS)
            raise wrong("unknown-value", f"{name} cannot be {text.value}", text.span, hint)
        count = number(Text(times, text.span), "the number of checks", 1, MOST) if colon else 0
        found.append(Win(cast("Any", how), count))
    if not found or len({each.how for each in found}) < len(found):
        raise _form(name, words, "mate,royal-capture")
    return tuple(found)


def _goal(name: str, words: Words) -> Goal | None:
    if [word.value for word in words] == ["none"]:
        return None
    if len(words) != 2:  # noqa: PLR2004 - a piece and its ranks
        raise _form(name, words, "K 9-9")
    return Goal(words[0].value, rank_span(words[1], "the ranks of the goal"))


def _repetition(name: str, words: Words) -> Repetition | None:
    if [word.value for word in words] == ["none"]:
        return None
    if len(words) != 2:  # noqa: PLR2004 - how often, and what then
        raise _form(name, words, "4 draw")
    times = number(words[0], "the number of occurrences", 2, MOST)
    result = one_of(words[1], name, ("draw", "loss-first", "loss-repeater"))
    return Repetition(times, cast("Any", result))


def _impasse(name: str, words: Words) -> Impasse:
    how = one_of(words[0], name, ("none", "agreement", "points"))
    if how != "points":
        if len(words) > 1:
            raise _form(name, words, how)
        return Impasse(cast("Any", how))
    if len(words) != 3:  # noqa: PLR2004 - the word and the points of both sides
        raise _form(name, words, "points 24 24")
    first, second = (number(word, "the number of points", 0, MOST) for word in words[1:])
    return Impasse("points", (first, second))


def _match(name: str, words: Words) -> MatchLength:
    said = [word.value for word in words]
    match said:
        case ["single"]:
            return MatchLength()
        case [_, "consecutive"]:
            return MatchLength("consecutive", number(words[0], "the number of games", 1, MOST))
        case ["best-of", _]:
            games = number(words[1], "the number of games", 1, MOST)
            if games % 2 == 0:
                message = f"the best of {games} games may be neither side: the number is odd"
                raise wrong("wrong-number", message, words[1].span, f"best-of {games + 1}")
            return MatchLength("best-of", games)
    raise _form(name, words, "single, 2 consecutive or best-of 3")


def _either(*known: str) -> RuleKind:
    return RuleKind(", ".join(known), partial(_choice, known))


RULES: dict[str, RuleKind] = {
    "first": _either("black", "white"),
    "captured": _either("removed", "to-hand"),
    "captured-form": _either("base", "as-is"),
    "drops": _either("no", "yes"),
    "drop-form": _either("base", "either"),
    "promotion-when": _either("touches", "ends", "captures", "always"),
    "royal-lost": _either("any", "all"),
    "self-check": _either("barred", "allowed"),
    "win": RuleKind("a list of mate, royal-capture, goal, checks:N, bare", _win),
    "goal": RuleKind("none, or a piece and its ranks: K 9-9", _goal),
    "stalemate": _either("draw", "loss", "win"),
    "repetition": RuleKind("none, N draw, N loss-first, N loss-repeater", _repetition),
    "perpetual-check": _either("allowed", "loss", "draw"),
    "perpetual-span": _either("first", "last"),
    "illegal-move": _either("rejected", "loss"),
    "impasse": RuleKind("none, agreement, points A B", _impasse),
    "impasse-needs": _either("nothing", "royals-in-zone"),
    "match": RuleKind("single, N consecutive, best-of N", _match),
    "match-draw": _either("breaks", "ignored"),
    "match-first": _either("alternate", "fixed"),
}


def read_rules(lines: list[Rule], zones: list[Zone], findings: Findings) -> Rules:
    """The rules of a file; what is wrong in them joins the findings and is left out."""
    given: dict[str, object] = {}
    for rule in lines:
        name = rule.name.value
        if name not in RULES:
            hint = nearest(name, RULES)
            findings.add("unknown-rule", f"no rule is called {name}", rule.name.span, hint)
        elif name in given:
            findings.add("given-twice", f"the rule {name} is given twice", rule.name.span, ONCE)
        else:
            given[name] = None
            _note(findings, given, name, partial(RULES[name].read, name, rule.words))
    for zone in zones:
        if "zone" in given:
            findings.add("given-twice", "the promotion zone is given twice", zone.name.span, ONCE)
        else:
            given["zone"] = None
            _note(findings, given, "zone", partial(_zone, zone))
    taken: dict[str, Any] = {
        name.replace("-", "_"): value for name, value in given.items() if value is not None
    }
    return Rules(**taken)


ONCE = "leave one of them out"


def _note(
    findings: Findings, given: dict[str, object], name: str, act: Callable[[], object]
) -> None:
    try:
        given[name] = act()
    except Wrong as error:
        findings.take(error.finding)


def _zone(zone: Zone) -> int:
    one_of(zone.name, "a zone", ("promotion",))
    match zone.items:
        case (Field(key, value),) if key.value == "ranks":
            return number(value, "the depth of the zone", 0, 36)
    form = "write it like this: zone promotion ranks=3"
    raise wrong("incomplete-line", "a zone needs its ranks and nothing else", zone.name.span, form)

"""The words that messages and hints about a mistake quote."""

from __future__ import annotations

import re
import unicodedata

from alfil.notation.hasinu import lexicon

# Boards end there, so distances beyond say nothing.
_LONGEST = 36
# Lists of so many directions that people are likely to mean.
_USUAL = ("", "N", "N-S", "N-E-W", "O", "O-NE", "SE-SW", "S", "")


def words_of(match: re.Match[str], shown: str) -> dict[str, str]:
    """The groups of a picture as the user wrote them, and what can be made of them."""
    words = {name: shown[slice(*match.span(name))] for name in match.groupdict()}
    if "rest" in words:
        words["rest"] = _balanced(words["rest"], match["at"].count("("))
    at = match["at"]
    words |= {"upper": at.upper(), "lower": at.lower(), "name": character_name(at[:1])}
    words |= {"plain": unicodedata.normalize("NFKC", at).strip() or "a blank"}
    words |= {"digit": str(unicodedata.digit(at[:1] or "0", ""))}
    words |= {"usage": lexicon.USAGES.get(at, "")}
    numbers = re.findall(r"[0-9]+", words.get("set", at))
    words |= {"listed": f"{{{','.join(dict.fromkeys(numbers))}}}"}
    words |= {"pair": ",".join(numbers[:2]) if len(numbers) > 1 else "1,2"}
    words |= {"commas": ",".join(re.findall(r"\w+", words.get("names", "")))}
    if words.get("low"):
        low, high = int(words["low"]), min(int(words["high"]), int(words["low"]) + _LONGEST - 1)
        words["range"] = f"{{{','.join(map(str, range(low, high + 1)))}}}"
    if "count" in words:
        words["counted"] = _counted(words["count"], words.get("rest", ""))
    return words


def _balanced(text: str, depth: int) -> str:
    """A text that starts in so many brackets, as far as it belongs to them."""
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (sign == "," and not depth):
            return text[:at].rstrip()
    return text.rstrip()


def _counted(before: str, names: str) -> str:
    """A count with its d and as many directions, those given when they are as many."""
    count = before.rstrip()[-1:]
    listed = tuple(names.split("-")) if names else ()
    if lexicon.radial(count, listed)[1]:
        return f"{before}d{names}"
    return f"{before}d{usual_directions(int(count))}" if count.isdigit() else "1×8d"


def usual_directions(count: int) -> str:
    """Directions for a count, as an example: "" for 8, which needs none.

    >>> usual_directions(2), usual_directions(8)
    ('N-S', '')
    """
    return _USUAL[count] if count < len(_USUAL) else ""


def character_name(character: str) -> str:
    """The character as a message shows it."""
    if not character or character.isascii():
        return character.strip() or "a blank"
    code = f"U+{ord(character):04X}"
    visible = character.isprintable() and not unicodedata.combining(character)
    return f"{character} ({code})" if visible else code

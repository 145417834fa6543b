r"""The mistakes people make in Ħasínū, as a table: how each looks, what it is called, what to do.

The grammar only knows where it could not go on. `diagnose` looks around that place for the first
mistake of the table whose picture covers it. A picture marks with ``at`` what the error points at;
messages and hints may quote ``{at}``, what the picture holds ``{before}`` and ``{after}`` it, its
capital form ``{upper}`` and other named groups. ``repair`` replaces the part pointed at, so that
reading can go on; where there is none, the part of the text around the place is cut out.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.scan import JOIN, TEXT_ENDS
from alfil.source import Span

# How far around the place a mistake may reach.
WINDOW = 200

_DIR = "(?:NE|NW|SE|SW|[NESWOD])"
_DIRS = rf"{_DIR}(?:\s*-\s*{_DIR})*"
_OBLIQUE = r"\(\s*\d+\s*,\s*\d+\s*\)"
_END = r"(?=\Z|[&,)\]])"
_START = r"(?:\A|[(\[,&])\s*"
_WORD = r"(?<![A-Za-z0-9_])"
_DASHES = "‐‑‒–—―−﹘﹣－~_+/,."
_LEG = rf"(?:n\s*[\d(]|[\d{{(\[\\]|//|[A-Za-z_]\w*\s*\(|{_OBLIQUE})"
_DIGITS = "０-９⁰¹²³⁴-⁹₀-₉"
# Full-width forms of ASCII and the blanks of typesetting.
_WIDE = "\uff01-\uff0f\uff1a-\uff5e\u00a0\u2000-\u200a\u202f\u3000"
_NAMES = "|".join(sorted(lexicon.RESERVED, key=len, reverse=True))


class Mistake(NamedTuple):
    """A row of the table."""

    kind: str
    picture: str
    message: str
    hint: str = ""
    repair: str = ""


MISTAKES: tuple[Mistake, ...] = (
    # signs that look like others
    Mistake(
        "digit",
        rf"(?:n\s*)?(?P<at>[{_DIGITS}])",
        "numbers are written with the digits 0 to 9, not {name}",
        "write {digit}",
        "{digit}",
    ),
    Mistake(
        "look-alike",
        rf"(?:[A-Za-z0-9_]+\s*)?(?P<at>[{_WIDE}])",
        "{name} only looks like {plain}",
        "write {plain}",
        "{plain}",
    ),
    # text and Betza
    Mistake(
        "unexpected",
        rf"//[^{TEXT_ENDS}]*(?P<at>,)",
        "the text ended at the comma",
        "leave it out or end the text with a full stop",
        " ",
    ),
    Mistake(
        "unexpected",
        rf"//[^{TEXT_ENDS}]+(?P<sign>[(\[{{])(?P<at>)",
        "the text ended at the {sign}",
        "leave out the brackets",
    ),
    Mistake(
        "unexpected",
        rf"//[^{TEXT_ENDS}]*(?P<sign>[.;:!?])\s*(?P<at>[^\s&,)\]])",
        "the text ended at the {sign}",
        "join what follows with &, or leave out the {sign}",
    ),
    Mistake("unexpected", r"(?<!/)(?P<at>/)(?!/)", "one / is no sign", "// starts a text"),
    # turns
    Mistake("degree-sign", r"(?P<at>[º˚])", "the degree sign is ° (U+00B0)", "write °", "°"),
    Mistake(
        "dangling-ampersand", rf"(?P<at>{JOIN}\s*{JOIN})", "nothing between the two", "remove one &"
    ),
    Mistake(
        "dangling-ampersand",
        rf"(?P<at>{JOIN})\s*(?:\Z|[)\],]|&t)",
        "a move is due after &",
        "remove the & or name a move after it",
    ),
    Mistake(
        "dangling-ampersand",
        rf"{_START}(?P<at>{JOIN})",
        "a move is due before &",
        "remove the & or name a move before it",
    ),
    Mistake(
        "dangling-turn",
        rf"{_START}(?P<at>&t)(?![A-Za-z_])",
        "a turn with no leg before it",
        "name the leg before the turn",
    ),
    Mistake(
        "dangling-turn",
        r"(?P<at>&t[+-]?[\d.]*°?)\s*&t",
        "two turns with no leg between them",
        "name the leg between the two, or leave one out",
    ),
    Mistake(
        "turn-blank",
        r"(?P<at>&t)(?P<rest>[A-Za-z_]\w*)(?!\w|\s*\()",
        "&t needs a blank before a letter",
        "&t {rest}",
    ),
    Mistake("case", r"&(?P<at>T)(?![A-Za-z_])", "the t of a turn is small", "write &t"),
    Mistake(
        "angle-unit",
        r"&t\s*(?P<at>[+-]?\s*\d+(?:\.\d+)?)\s*(?:°|deg|rad|gon|grad)[A-Za-z0-9_]",
        "a blank is due after the angle",
        "put a blank after the angle",
    ),
    Mistake(
        "angle-unit",
        r"&t\s*(?P<at>[+-]?\s*\d+(?:\.\d+)?)\s*(?=[^\s\dxd×&(){},.\]])",
        "the angle has no unit",
        "write &t{at}° and a blank",
    ),
    Mistake(
        "angle-unit",
        rf"&t\s+(?P<at>[+-]?\s*\d+(?:\.\d+)?)\s*{_END}",
        "an angle without a unit touches the t",
        "write &t{at}°",
    ),
    Mistake("angle-unit", r"&t\s*(?P<at>[+-]\s*)(?!\d)", "a sign without an angle", "write &t+45°"),
    # sets of distances
    Mistake("empty-set", r"(?P<at>\{\s*\})", "at least one distance", "write {{1}}, or n"),
    Mistake(
        "set-comma",
        r"\{\s*(?P<low>\d{1,3})\s*(?P<at>-|–|—|…|\.{2,3})\s*(?P<high>\d{1,3})\s*\}",
        "every distance is written out",
        "{range}",
    ),
    Mistake("set-comma", r"\{(?:[\d\s,]*,)?\s*(?P<at>,)", "a distance is due here", "remove the comma"),
    Mistake("set-comma", r"\{[\d\s,]*(?P<at>,)\s*\}", "a distance is due here", "remove the comma"),
    Mistake(
        "set-comma",
        r"\{[\d\s,]*\d(?P<at>\s+)\d",
        "distances are separated with commas",
        "{{1,2}}",
        ",",
    ),
    Mistake("unclosed", r"(?P<at>\{)[\d\s,]*\Z", "the {{ is never closed", "close it with }}"),
    Mistake(
        "set-comma",
        r"(?P<set>\{[\d\s,]*\d)\s*(?P<at>[^\d\s,}])(?P<rest>[^\s&]*)",
        "the set is not closed",
        "{set}}}{at}{rest}",
    ),
    Mistake(
        "set-comma", r"\{[\d\s,]*(?P<at>[^\d\s,}])", "distances are numbers with commas", "{{1,2}}"
    ),
    # distance and ×
    Mistake(
        "n-times",
        _WORD + r"n\s*(?P<at>[×xX*✕⨯✖])\s*(?P<rest>[\d(][^\s&]*)",
        "n takes no ×",
        "n{rest}",
        " ",
    ),
    Mistake(
        "times-sign",
        r"[\d}]\s*(?P<at>[X*✕⨯✖✗∗⋅·⨉])\s*[\d(]",
        "the multiplication sign is ×",
        "× or small x",
        "×",
    ),
    Mistake(
        "missing-times",
        rf"(?P<set>\{{[\d\s,]*\}})\s*(?P<at>\d)(?P<rest>[^\s&]*)",
        "× is missing",
        "{set}×{at}{rest}",
    ),
    Mistake(
        "missing-times",
        r"(?P<set>(?<!\d)\d+)\s+(?P<at>\d)(?P<rest>\d*\s*d[NESWOD-]*)",
        "× is missing",
        "{set}×{at}{rest}",
    ),
    Mistake(
        "missing-times",
        rf"(?<![A-Za-z0-9_×}}])(?P<set>\d+|\{{[\d\s,]*\}})\s*(?P<at>\()(?P<rest>\s*\d+\s*,\s*\d+\s*\))",
        "the bracket holds two numbers, so it is no loop",
        "{set}×{at}{rest} for leaps in line, {set}({at}{rest}) for free leaps",
    ),
    Mistake(
        "missing-distance",
        rf"{_START}(?P<at>[×x])\s*(?P<rest>[\d(][^\s&]*)",
        "no distance before ×",
        "1×{rest}",
    ),
    Mistake(
        "missing-distance",
        rf"(?P<at>(?<!\d)\d+)\s*(?P<rest>d(?:{_DIRS})?)(?![A-Za-z])",
        "no distance",
        "1×{at}{rest} for one step, n{at}{rest} for a rider",
    ),
    # count, d and directions
    Mistake(
        "missing-count",
        rf"(?:[×x]|{_WORD}n)\s*(?P<at>)d(?:{_DIR}|\Z|\s|[&,)\]])",
        "the number of directions is missing",
        "1×4dO, 1×4dD or 1×8d",
    ),
    Mistake(
        "missing-count",
        rf"[\d}}]\s*(?P<at>[×x])\s*{_END}",
        "the directions are missing",
        "1×4dO, 1×4dD or 1×8d",
    ),
    Mistake("case", rf"{_WORD}(?P<at>N)\s*\d+\s*d", "n for any distance is small", "n", "n"),
    Mistake("missing-d", rf"[×xn]\s*\d+\s*(?P<at>D)\s*{_DIR}", "the d is small", "write d", "d"),
    Mistake(
        "missing-d",
        rf"(?P<count>[\d{{}},]*\s*[×xn]\s*\d+)\s*(?P<at>{_DIR})(?P<rest>[NESWOD-]*)",
        "the letter d stands between the count and the directions",
        "{count}d{at}{rest}",
    ),
    Mistake(
        "missing-d",
        rf"(?P<count>[\d{{}},]*\s*(?:[×x]|{_WORD}n)\s*\d+)(?P<at>)\s*(?:{_END}|[a-z])",
        "the letter d stands after the count",
        "{count}d",
    ),
    Mistake(
        "direction-hyphen",
        rf"{_DIR}\s*(?P<at>[{_DASHES}])\s*{_DIR}(?![A-Za-z0-9_(])",
        "directions are separated with the hyphen - (U+002D), not {name}",
        "write -",
        "-",
    ),
    Mistake(
        "direction-hyphen",
        rf"d\s*(?:{_DIR}\s*-\s*)*(?P<first>{_DIR})(?P<at>\s*)(?P<rest>{_DIR})(?![A-Za-z0-9_(])",
        "directions are separated with hyphens",
        "{first}-{rest}",
        "-",
    ),
    Mistake(
        "direction",
        rf"{_DIR}\s*-(?P<at>)\s*{_END}",
        "a direction is due after the hyphen",
        "name it or remove the hyphen",
    ),
    Mistake(
        "direction",
        rf"\d\s*d\s*(?:{_DIR}\s*-\s*)*(?P<at>(?i:ne|nw|se|sw|[neswod]))(?![A-Za-z0-9_(])",
        "directions are capital letters",
        "{upper}",
        "{upper}",
    ),
    # obliques
    Mistake(
        "missing-ampersand",
        rf"(?P<obl>{_OBLIQUE})(?P<name>[a-h]+)\s*(?P<at>\()(?P<rest>[^()]*\)?)",
        "{name} was read as octants of the oblique",
        "{obl} & {name}{at}{rest}",
    ),
    Mistake(
        "missing-ampersand",
        rf"(?P<obl>{_OBLIQUE})\s+(?P<at>[a-h])(?P<rest>[a-h]*)(?![A-Za-z0-9_(])",
        "octant letters follow the bracket directly",
        "{obl}{at}{rest}",
    ),
    Mistake(
        "missing-ampersand",
        rf"(?P<obl>{_OBLIQUE}[a-h]*)\s*(?P<at>n(?=\s*[\d(])|\d|\{{)(?P<rest>[^&]*)",
        "& may be left out between obliques only",
        "{obl} & {at}{rest}",
    ),
    Mistake(
        "octant-letter",
        rf"{_OBLIQUE}[a-h]*(?P<at>[A-H])(?![A-Za-z0-9_]*\s*\()",
        "octants are small letters, a to h",
        "write {lower}",
        "{lower}",
    ),
    Mistake(
        "octant-letter",
        rf"{_OBLIQUE}[a-h]*(?P<at>[A-Za-z])(?![A-Za-z0-9_]*\s*\()",
        "octants are a to h",
        "a is left of forward, and the others follow clockwise",
        " ",
    ),
    Mistake(
        "number",
        r"\(\s*(?:[-−–+]?\d+\s*,\s*)?(?P<at>[-−–+])\s*\d+",
        "no negative numbers" ,
        "choose the octant, as in (1,2)be",
        " ",
    ),
    Mistake("number", r"(?P<at>[-−–])\s*\d", "no negative numbers", "remove the sign", " "),
    Mistake(
        "oblique-form",
        r"(?P<at>\(\s*\d+\s*(?:,\s*\d+\s*){2,}\)|\(\s*\d+\s*\)|\(\s*\d+\s*[;.:/\s]\s*\d+\s*\)|\[\s*\d+\s*,\s*\d+\s*\])",
        "an oblique move has two numbers with a comma between, in round brackets",
        "(1,2)",
    ),
    # brackets and functions
    Mistake(
        "empty-loop",
        rf"(?:{_WORD}n|{_WORD}\d+|\}})\s*(?P<at>\(\s*\))",
        "the loop is empty",
        "put a move inside the loop",
    ),
    Mistake(
        "group-member",
        r"group\s*(?P<at>\(\s*\))",
        "a group lists at least one function",
        "group(m,j)(move)",
    ),
    Mistake("empty-brackets", r"(?P<at>\(\s*\))", "nothing in the brackets", "put a move inside"),
    Mistake(
        "group-body",
        rf"(?P<at>{_WORD}group\s*\((?P<names>(?:\s*[A-Za-z_]\w*\s*,?)*)\))\s*(?!\((?!\s*\d+\s*,\s*\d+\s*\)))",
        "the group has no move in a bracket of its own",
        "group({names})(move)",
    ),
    Mistake(
        "group-member",
        r"group\s*\((?:\s*[A-Za-z_]\w*\s*,)*\s*(?P<at>[^\s(),]+(?:\s*\([^()]*\))?)",
        "a group lists names only",
        "group(m,j)(move)",
    ),
    Mistake(
        "group-body",
        r"(?P<at>\[\s*(?P<names>[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*\])",
        "the last name of the list holds no move",
        "[{names}(move)]",
    ),
    Mistake(
        "missing-parens",
        rf"(?<![A-Za-z0-9_])(?P<at>{_NAMES})(?![A-Za-z0-9_]|\s*\()",
        "a function needs its brackets",
        "{at}()",
    ),
    Mistake("asterisk", r"(?P<at>\*)", "* is not Ħasínū", "read with lenient to drop one at the end", " "),
    Mistake(
        "bare-number",
        rf"{_WORD}(?P<at>\d+)\s*{_END}",
        "a number alone is no move",
        "{at}×8d for {at} cells any way",
    ),
)
_PICTURES = tuple((mistake, re.compile(mistake.picture, re.ASCII)) for mistake in MISTAKES)
_LEG_HERE = re.compile(rf"(?P<at>{_LEG})(?P<rest>[^&]*)", re.ASCII)
_WORD_HERE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEG_ENDS = re.compile(r"[A-Za-z0-9)\]}\x1a]\s*\Z", re.ASCII)


def diagnose(text: str, offset: int) -> tuple[Finding, str]:
    """What is wrong where the grammar could not go on, and a text of equal length to go on with.

    The text comes back unchanged when the mistake has no repair of its own. ``offset`` is the
    length of the text when more was due at its end.
    """
    for mistake, picture in _PICTURES:
        for match in picture.finditer(text, max(0, offset - WINDOW), offset + WINDOW):
            if match.start() <= offset <= match.end():
                return _told(mistake, match, text)
    return _plain(text, offset)


def _told(mistake: Mistake, match: re.Match[str], text: str) -> tuple[Finding, str]:
    words = _words(match)
    span = Span(*match.span("at"))
    finding = Finding(
        mistake.kind,
        mistake.message.format(**words),
        (span,),
        mistake.hint.format(**words),
    )
    width = span.end - span.start
    repair = mistake.repair.format(**words | {"plain": words["plain"].replace("a blank", " ")})
    if repair and width >= len(repair):
        text = text[: span.start] + repair.ljust(width) + text[span.end :]
    return finding, text


def _words(match: re.Match[str]) -> dict[str, str]:
    at = match["at"]
    words = {name: value or "" for name, value in match.groupdict().items()}
    words |= {"upper": at.upper(), "lower": at.lower(), "name": _name(at[:1])}
    words |= {"plain": unicodedata.normalize("NFKC", at).strip() or "a blank"}
    words |= {"digit": str(unicodedata.digit(at[:1], ""))}
    if "low" in words:
        low, high = int(words["low"]), min(int(words["high"]), int(words["low"]) + 35)
        words["range"] = f"{{{','.join(map(str, range(low, high + 1)))}}}"
    return words


def _name(character: str) -> str:
    """The character as a message shows it."""
    if not character or character.isascii():
        return character.strip() or "a blank"
    code = f"U+{ord(character):04X}"
    visible = character.isprintable() and not unicodedata.combining(character)
    return f"{character} ({code})" if visible else code


def _plain(text: str, offset: int) -> tuple[Finding, str]:
    """What can be said about a place that no picture covers."""
    if offset >= len(text):
        message = "the description breaks off"
        return Finding("unexpected-end", message, (Span(offset, offset),), "finish it"), text
    before = text[:offset]
    leg = _LEG_HERE.match(text, offset)
    if leg and _LEG_ENDS.search(before[-WINDOW:]):
        hint = f"put & between: {_last_leg(before)} & {leg[0].strip()}"
        message = "& is missing between two moves"
        return Finding("missing-ampersand", message, (Span(offset, offset + 1),), hint), text
    word = _WORD_HERE.match(text, offset)
    if word:
        hint = f"\\{word[0]} is Betza, //{word[0]} is text, and a function needs brackets"
        message = f"{word[0]} is no move"
        return Finding("bare-word", message, (Span(*word.span()),), hint), text
    return _strange(text, offset)


def _last_leg(before: str) -> str:
    return re.split(r"[&,\[]", before.rstrip()[-WINDOW:])[-1].strip()


def _strange(text: str, offset: int) -> tuple[Finding, str]:
    """A sign that stands where none of the notation can."""
    sign = text[offset]
    span = Span(offset, offset + 1)
    hint = "& joins moves" if sign in ";+|.:!?," else ""
    message = f"{_name(sign)} has no meaning here"
    return Finding("unexpected", message, (span,), hint), text

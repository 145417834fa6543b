r"""The mistakes people make in Ħasínū: how each looks, what it is called, what to do about it.

A row of the table has a pattern that marks with ``at`` what the error points at. Messages and hints
may quote ``{at}``, its other cases ``{upper}`` and ``{lower}``, its name ``{name}``, and the other
groups of the pattern. ``repair`` replaces the part pointed at, so that reading can go on; where
there is none, the smallest part of the text around the place is cut out and a hole put in. The
grammar reads a hole as a move or an argument, and no check complains about one, so that the rest
can be judged without errors that only follow from the first. The first row that fits is taken, so
the order matters.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from alfil.errors import Finding, NotationError
from alfil.notation.betza.reader import read_betza
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.nodes import HasinuTerm
from alfil.notation.hasinu.scan import HOLE, JOIN, TEXT_ENDS, scan
from alfil.notation.parsing import Parser, ShapeError
from alfil.source import Source, Span

# How far around the place a mistake may reach.
WINDOW = 200

OBLIQUE = r"\(\s*\d+\s*,\s*\d+\s*\)"
WORD = r"(?<![A-Za-z0-9_])"
LEG = rf"(?:n\s*[\d(]|[\d{{(\[\\]|//|[A-Za-z_]\w*\s*\(|{OBLIQUE})"
# A name, and not the n of a distance.
NAME = r"(?!n\s*[0-9(])[A-Za-z_]\w*+"
DIGITS = "０-９⁰¹²³⁴-⁹₀-₉"
# Full-width forms of ASCII and the blanks of typesetting.
WIDE = "\uff01-\uff0f\uff1a-\uff5e\u00a0\u2000-\u200a\u202f\u3000"
_NAMES = "|".join(sorted(lexicon.RESERVED, key=len, reverse=True))
_MEMBERS = "|".join(sorted(lexicon.MEMBERS, key=len, reverse=True))
_DIR = "(?>NE|NW|SE|SW|[NESWOD])"
_DIRS = rf"{_DIR}(?:\s*-\s*{_DIR})*"
_END = r"(?=\Z|[&,)\]])"
_START = r"(?:\A|[(\[,&])\s*"
_ANGLE = r"[+-]?\s*\d+(?:\.\d+)?"
_DASHES = "‐‑‒–—―−﹘﹣－~_+/,."


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
        rf"(?:n\s*)?(?P<at>[{DIGITS}])",
        "numbers are written with the digits 0 to 9, not {name}",
        "write {digit}",
    ),
    Mistake(
        "look-alike",
        rf"(?:[A-Za-z0-9_]+\s*)?(?P<at>[{WIDE}])",
        "{name} only looks like {plain}",
        "write {plain}",
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
    # turns
    Mistake("degree-sign", r"(?P<at>[º˚])", "the degree sign is ° (U+00B0)", "write °", "°"),
    Mistake(
        "turn-blank",
        r"(?P<at>&t)(?P<rest>[A-Za-z_]\w*)(?!\w|\s*\()",
        "&t needs a blank before a letter",
        "&t {rest}",
    ),
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
        r"(?P<at>&\s+t)(?P<rest>\s[^&]*|\Z)",
        "& and t of a turn touch",
        "write &t",
        "&t",
    ),
    Mistake("case", r"&(?P<at>T)(?![A-Za-z_])", "the t of a turn is small", "write &t"),
    Mistake(
        "angle-unit",
        rf"&t\s*(?P<angle>{_ANGLE})\s*(?P<at>(?P<unit>deg|rad|gon|grad)[A-Za-z]+)(?=\s|{_END})",
        "a turn is in °, deg, rad, gon or grad",
        "write &t{angle}{unit}",
        "{unit}",
    ),
    Mistake(
        "angle-unit",
        rf"&t\s*(?P<at>{_ANGLE})\s*(?P<unit>deg|rad|gon|grad)(?P<rest>[A-Za-z0-9_][^&]*)",
        "a blank is due after the angle",
        "&t{at}{unit} {rest}",
    ),
    Mistake(
        "angle-unit",
        rf"&t\s*(?P<at>{_ANGLE})\s*(?P<rest>[^\s\dxd×&(){{}},.\]][^&]*)",
        "the angle has no unit",
        "&t{at}° {rest}",
    ),
    Mistake(
        "angle-unit",
        rf"&t\s+(?P<at>{_ANGLE})\s*{_END}",
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
    Mistake(
        "set-comma", r"\{(?:[\d\s,]*,)?\s*(?P<at>,)", "a distance is due here", "remove the comma"
    ),
    Mistake("set-comma", r"\{[\d\s,]*(?P<at>,)\s*\}", "a distance is due here", "remove the comma"),
    Mistake(
        "set-comma",
        r"(?P<set>\{[\d\s,]*\d(?P<at>\s+)\d[\d\s,]*)",
        "distances are separated with commas",
        "{listed}",
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
        "octant-letter",
        rf"(?P<box>INF\s*{OBLIQUE})\s*(?P<at>[a-h]+)(?![A-Za-z0-9_]|\s*\()",
        "INF reaches all round and has no octants",
        "{box}",
        " ",
    ),
    Mistake(
        "inf-numbers",
        r"INF\s*\(\s*(?P<low>\d{1,3})\s*(?P<at>[×x*X])\s*(?P<high>\d{1,3})\s*\)",
        "INF takes two numbers with a comma between",
        "INF({low}, {high})",
    ),
    Mistake(
        "set-comma",
        WORD + r"(?P<set>\d+(?P<at>\s+)\d+)\s*(?P<rest>[×x]\s*[\d(][^\s&]*)",
        "several distances stand in curly brackets",
        "{listed}{rest}",
    ),
    Mistake(
        "n-times",
        WORD + r"n\s*(?P<at>[×xX*✕⨯✖])\s*(?P<rest>[\d(][^\s&]*)",
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
        r"(?P<set>\{[\d\s,]*\})\s*(?P<at>\d)(?P<rest>[^\s&]*)",
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
        r"(?<![A-Za-z0-9_×}])(?P<set>\d+|\{[\d\s,]*\})\s*(?P<at>\()(?P<rest>\s*\d+\s*,\s*\d+\s*\))",
        "the bracket holds two numbers, so it is no loop",
        "{set}×{at}{rest} for leaps in line, {set}({at}{rest}) for free leaps",
    ),
    Mistake("case", rf"{WORD}(?P<at>N)\s*\d+\s*d", "n for any distance is small", "n", "n"),
    Mistake(
        "missing-distance",
        rf"{_START}(?P<at>[×x])\s*(?P<rest>[\d(][^\s&]*)",
        "no distance before ×",
        "1×{rest}",
    ),
    Mistake(
        "missing-distance",
        rf"(?:\A|[^\d×xn}}\s])\s*(?P<at>\d+)\s*(?P<rest>d(?:{_DIRS})?)(?![A-Za-z])",
        "no distance",
        "1×{at}{rest} for one step, n{at}{rest} for a rider",
    ),
    # count, d and directions
    Mistake(
        "missing-count",
        rf"(?:[×x]|{WORD}n)\s*(?P<at>)d(?:{_DIR}|\Z|\s|[&,)\]])",
        "the number of directions is missing",
        "1×4dO, 1×4dD or 1×8d",
    ),
    Mistake(
        "missing-count",
        rf"[\d}}]\s*(?P<at>[×x])\s*{_END}",
        "the directions are missing",
        "1×4dO, 1×4dD or 1×8d",
    ),
    Mistake("missing-d", rf"[×xn]\s*\d+\s*(?P<at>D)\s*{_DIR}", "the d is small", "write d", "d"),
    Mistake(
        "missing-d",
        rf"(?P<count>[\d{{}},]*\s*[×xn]\s*\d+)\s*(?P<at>{_DIR})(?P<rest>[NESWOD-]*)",
        "the letter d stands between the count and the directions",
        "{count}d{at}{rest}",
    ),
    Mistake(
        "missing-d",
        rf"(?P<count>[\d{{}},]*\s*(?:[×x]|{WORD}n)\s*\d+)(?P<at>)\s*(?:{_END}|[a-ce-z])",
        "the letter d stands after the count",
        "{counted}",
    ),
    Mistake(
        "missing-d",
        rf"(?P<count>[\d{{}},]*\s*(?:[×x]|{WORD}n)\s*\d)\s*d\s*(?P<at>d+)(?P<rest>[NESWOD-]+|(?<=[^4]dd))",
        "one d is enough",
        "{counted}",
        " ",
    ),
    Mistake(
        "direction",
        rf"(?P<count>[\d{{}},]*\s*(?:[×x]|{WORD}n)\s*\d)\s*d\s*(?P<at>\d+)(?P<rest>[NESWOD-]*)",
        "directions have names, no numbers",
        "{counted}",
    ),
    Mistake(
        "repeated-direction",
        rf"d\s*(?:{_DIR}\s*-\s*)*(?P<first>{_DIR})\s*(?P<at>(?P=first))(?![A-Za-z0-9_(])",
        "{at} twice",
        "name it once",
        " ",
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
        rf"d\s*(?:{_DIR}\s*-\s*)*(?P<first>{_DIR})\s*(?P<at>[NESWOD])(?P<rest>[EW]?)(?![A-Za-z0-9_(])",
        "directions are separated with hyphens",
        "{first}-{at}{rest}",
    ),
    Mistake(
        "direction",
        rf"{_DIR}\s*-(?P<at>)\s*{_END}",
        "a direction is due after the hyphen",
        "name it or remove the hyphen",
    ),
    Mistake(
        "direction",
        rf"\d\s*d\s*(?:{_DIR}\s*-\s*)*(?P<at>(?=[A-Z]?[a-z])(?i:ne|nw|se|sw|[neswod]))(?![A-Za-z0-9_(])",
        "directions are capital letters",
        "{upper}",
        "{upper}",
    ),
    Mistake(
        "direction",
        rf"{_DIR}\s*-\s*(?P<at>-)",
        "a direction is due between two hyphens",
        "leave out one hyphen",
        " ",
    ),
    Mistake(
        "direction",
        rf"\d\s*d(?:\s*{_DIR}\s*-\s*)*(?:\s*{_DIR})?+(?P<at>[A-Za-z]+)(?![A-Za-z0-9_]|\s*\()",
        "{at} is no direction",
        "N NE E SE S SW W NW, O for N-E-S-W, D for NE-SE-SW-NW",
    ),
    Mistake("unexpected", r"(?<!/)(?P<at>/)(?!/)", "one / is no sign", "// starts a text"),
    # obliques
    Mistake(
        "missing-ampersand",
        rf"(?P<obl>{OBLIQUE})(?P<letters>[a-h]+)\s*(?P<at>\()(?P<rest>[^()]*\)?)",
        "{letters} was read as octants of the oblique",
        "{obl} & {letters}{at}{rest}",
    ),
    Mistake(
        "missing-ampersand",
        rf"(?P<obl>{OBLIQUE})\s+(?P<at>[a-h])(?P<rest>[a-h]*)(?![A-Za-z0-9_(])",
        "octant letters follow the bracket directly",
        "{obl}{at}{rest}",
    ),
    Mistake(
        "missing-ampersand",
        rf"(?P<obl>{OBLIQUE}[a-h]*)\s*(?P<at>n(?=\s*[\d(])|\d|\{{)(?P<rest>[^&]*)",
        "& may be left out between obliques only",
        "{obl} & {at}{rest}",
    ),
    Mistake(
        "octant-letter",
        rf"{OBLIQUE}[a-h]*(?P<at>[A-H]+)(?![A-Za-z0-9_]*\s*\()",
        "octants are small letters, a to h",
        "write {lower}",
        "{lower}",
    ),
    Mistake(
        "octant-letter",
        rf"{OBLIQUE}[a-h]*(?P<at>[A-Za-z])(?![A-Za-z0-9_]*\s*\()",
        "octants are a to h",
        "a is left of forward, and the others follow clockwise",
        " ",
    ),
    Mistake(
        "number",
        r"\(\s*(?:[-−–+]?\d+\s*,\s*)?(?P<at>[-−–+])\s*\d+",
        "no negative numbers",
        "choose the octant, as in (1,2)be",
        " ",
    ),
    Mistake("number", r"(?P<at>[-−–])\s*\d", "no negative numbers", "remove the sign", " "),
    Mistake(
        "oblique-form",
        r"(?P<at>\(\s*\d+\s*(?:,\s*\d+\s*){2,}\)|\(\s*\d+\s*\)|\(\s*\d+\s*[;.:/\s]\s*\d+\s*\)|\[\s*\d+\s*,\s*\d+\s*\])",
        "an oblique move has two numbers with a comma between, in round brackets",
        "({pair})",
    ),
    # calls, groups and brackets
    Mistake("number", r"\d(?P<at>\.\d+)", "this number must be whole", "leave out {at}", " "),
    Mistake(
        "empty-loop",
        rf"(?:{WORD}n|{WORD}\d+|\}})\s*(?P<at>\(\s*\))",
        "the loop is empty",
        "put a move inside the loop",
    ),
    Mistake(
        "case",
        rf"{WORD}(?P<at>(?!group\s*\()(?i:gr[oup]{{1,4}}s?))\s*\((?P<names>[^()]*)\)\s*(?P<rest>\([^&]*)",
        "only group has a second bracket",
        "group({names}){rest}",
        "group",
    ),
    Mistake(
        "group-member",
        rf"\[\s*(?P<names>{NAME}(?:\s*+,\s*+{NAME})*(?P<at>\s+){NAME}(?:\s*+,?\s*+{NAME})*)\s*(?P<body>\([^\[\]]*\)\s*\])",
        "the names of a list are separated with commas",
        "[{commas}{body}",
        ",",
    ),
    Mistake(
        "group-body",
        rf"(?P<at>\[)\s*(?P<names>{NAME}(?:\s*+,?\s*+{NAME})*)\s*,?\s+(?P<rest>(?:n\s*\d|[\d{{(\\])[^\[\]]*)\]",
        "the last name of the list holds no move",
        "[{commas}({rest})]",
    ),
    Mistake(
        "group-body",
        r"(?P<at>\[)\s*(?P<rest>(?:n\s*\d|[\d{(\\])[^\[\]]*)\]",
        "square brackets hold a list of functions",
        "{rest}",
    ),
    Mistake(
        "group-body",
        r"\[[^\[\]]*\)\s*(?P<at>,)",
        "the last name of the list holds the move",
        "[m,j(2×4dO)]",
    ),
    Mistake(
        "missing-parens",
        rf"(?<![A-Za-z0-9_])(?P<at>{_NAMES})\s*\[(?P<inside>[^\[\]]*)\](?P<after>\s*\([^&]*|)",
        "the brackets of a function are round",
        "{at}({inside}){after}",
    ),
    Mistake(
        "bare-word",
        r"promote\s*\(\s*(?P<at>[A-Za-z]\w*(?:\s+\w+)+)",
        "the words of a condition follow //",
        "//{at}",
    ),
    Mistake(
        "missing-parens",
        rf"(?<![A-Za-z0-9_])(?P<at>{_MEMBERS})\s+(?P<rest>{LEG}[^&]*)",
        "a function needs its brackets",
        "{at}({rest})",
    ),
    Mistake(
        "group-member",
        r"group\s*(?P<at>\(\s*\))",
        "a group lists at least one function",
        "group(m,j)(2×4dO)",
    ),
    Mistake(
        "empty-brackets", r"(?P<at>\(\s*\)|\[\s*\])", "nothing in the brackets", "put a move inside"
    ),
    Mistake(
        "group-body",
        rf"(?P<at>{WORD}group\s*\((?P<names>(?:\s*+{NAME}\s*+,?)*+)\))\s*(?:{OBLIQUE}|(?!\())",
        "the group has no move in a bracket of its own",
        "group({commas})(1×8d)",
    ),
    Mistake(
        "group-body",
        rf"(?P<at>{WORD}group\s*\((?P<names>(?:\s*+{NAME}\s*+,)++)\s*(?P<rest>(?:n\s*\d|[\d{{(\\])[^&]*)\))\s*(?!\()",
        "the move of a group stands in a bracket of its own",
        "group({commas})({rest})",
    ),
    Mistake(
        "group-member",
        rf"group\s*\((?P<names>(?:\s*{NAME}\s*,)*)\s*(?P<at>[^\s(),]+(?:\s*\([^()]*\))?)",
        "a group lists names only, and the move in a bracket of its own",
        "group(m,j)(2×4dO)",
    ),
    Mistake(
        "group-body",
        rf"(?P<at>\[\s*(?P<names>{NAME}(?:\s*,\s*{NAME})*)\s*\])",
        "the last name of the list holds no move",
        "[{commas}(1×8d)]",
    ),
    Mistake(
        "missing-parens",
        rf"(?<![A-Za-z0-9_])(?P<at>{_NAMES})(?![A-Za-z0-9_]|\s*\()",
        "a function needs its brackets",
        "{usage}",
    ),
    Mistake(
        "asterisk",
        r"(?P<at>\*)",
        "* is not Ħasínū",
        "read with lenient to drop one at the end",
        " ",
    ),
    Mistake(
        "bare-number",
        rf"{WORD}(?P<at>\d+)\s*{_END}",
        "a number alone is no move",
        "{at}×8d for {at} cells any way",
    ),
)

# Signs of these kinds come in swarms: all are put right at once.
_EVERYWHERE = {"digit": f"[{DIGITS}]", "look-alike": f"[{WIDE}]"}
_PICTURES = tuple((mistake, re.compile(mistake.picture, re.ASCII)) for mistake in MISTAKES)
_LEG_HERE = re.compile(LEG, re.ASCII)
_WORD_HERE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEG_ENDS = re.compile(r"[A-Za-z0-9)\]}\x1a]\s*\Z", re.ASCII)
# Words and signs that people put where & belongs.
_JOINING = frozenset({"and", "AND", "And", "or", "plus", "und", "et", ";", "+", "|", ":", "!", ","})


class Broken(NamedTuple):
    """A text made ready for the grammar, and the place where the grammar could not go on.

    ``shown`` is the same text with its Betza visible; hints quote from it. ``offset`` is the length
    of the text when more was due at its end.
    """

    ready: str
    shown: str
    offset: int
    parser: Parser[tuple[HasinuTerm, ...]]

    def reads(self, text: str) -> bool:
        """Whether a correction has the shape of a description."""
        scanned = scan(text)
        if scanned.findings or HOLE in text or len(text) > 2 * WINDOW:
            return False
        try:
            self.parser.parse(scanned.ready)
        except ShapeError:
            return False
        return True

    def joined(self, start: int, joint: str, end: int) -> str:
        """The parts before and after a place with a joint between them, or "" when that is wrong.

        When more is wrong further on, the correction ends there.
        """
        first, _ = _part_around(self.ready, max(0, start - 1))
        _, last = _part_around(self.ready, end)
        before = self.shown[first:start].strip()
        after = self.shown[end:last].strip()
        if len(after) > WINDOW:
            after = after[:WINDOW].rpartition(" ")[0].rstrip()
        while not self.reads(together := f"{before}{joint}{after}"):
            after = after.rpartition(" ")[0].rstrip()
            if not after:
                return ""
        return together


def diagnose(broken: Broken) -> tuple[Finding | None, str]:
    """What is wrong where the grammar could not go on, and a text of equal length to go on with.

    Nothing is said of what only follows from a mistake that is cut out already. The text comes back
    unchanged when nothing is left to cut.
    """
    finding, repaired = _named(broken)
    rest, fresh = _cut(broken.ready, broken.offset)
    return finding if fresh else None, rest if repaired == broken.ready else repaired


def _named(broken: Broken) -> tuple[Finding, str]:
    """A mistake, and the text with it put right; unchanged when it has no repair of its own."""
    offset, text = broken.offset, broken.ready
    for mistake, picture in _PICTURES:
        for match in picture.finditer(text, max(0, offset - WINDOW), offset + WINDOW):
            if match.start() <= offset <= match.end():
                return _told(mistake, match, broken)
    return _plain(broken), text


def _told(mistake: Mistake, match: re.Match[str], broken: Broken) -> tuple[Finding, str]:
    text = broken.ready
    words = _words_of(match, broken.shown)
    span = Span(*match.span("at"))
    hint = mistake.hint.format(**words)
    if HOLE in hint:
        hint = "first put right what stands around it"
    finding = Finding(mistake.kind, mistake.message.format(**words), (span,), hint)
    if mistake.kind in _EVERYWHERE:
        look_alike = _EVERYWHERE[mistake.kind]
        return finding, re.sub(
            look_alike, lambda sign: unicodedata.normalize("NFKC", sign[0]), text
        )
    width = span.end - span.start
    repair = mistake.repair.format(**words)
    if repair and width >= len(repair):
        text = text[: span.start] + repair.ljust(width) + text[span.end :]
    return finding, text


def _plain(broken: Broken) -> Finding:
    """What can be said about a place that no picture covers."""
    text, offset = broken.ready, broken.offset
    if offset >= len(text):
        message = "the description breaks off"
        return Finding("unexpected-end", message, (Span(offset, offset),), "finish it")
    follows = _LEG_ENDS.search(text[max(0, offset - WINDOW) : offset])
    if follows and _LEG_HERE.match(text, offset):
        return _missing_ampersand(broken)
    word = _WORD_HERE.match(text, offset)
    if word:
        message, hint = f"{word[0]} is no move", _bare(word, broken)
        return Finding("bare-word", message, (Span(*word.span()),), hint)
    return _strange(broken)


def _missing_ampersand(broken: Broken) -> Finding:
    offset = broken.offset
    together = broken.joined(offset, " & ", offset)
    hint = f"put & between: {together}" if together else "put & between the two"
    message = "& is missing between two moves"
    return Finding("missing-ampersand", message, (Span(offset, offset + 1),), hint)


def _bare(match: re.Match[str], broken: Broken) -> str:
    """What may have been meant by a word that stands where a move belongs."""
    word = match[0]
    joint = " &t " if word in {"t", "T"} else " & " if word in _JOINING else ""
    together = joint and broken.joined(match.start(), joint, match.end())
    if together:
        return together
    try:
        read_betza(Source(word), "betza")
    except NotationError:
        near = lexicon.nearest(word, tuple(lexicon.USAGES)) if len(word) > len("fe") else ""
        meant = lexicon.USAGES[near] if near else "a function needs brackets"
        return f"//{word} is text; {meant}" if not near else f"{meant}, or //{word} for text"
    return f"\\{word} is Betza, //{word} is text, and a function needs brackets"


def _strange(broken: Broken) -> Finding:
    """A sign that stands where none of the notation can."""
    offset = broken.offset
    sign = broken.ready[offset]
    together = broken.joined(offset, " & ", offset + 1) if sign in _JOINING else ""
    message = f"{_character_name(sign)} has no meaning here"
    comma = f"{broken.shown[:offset]},{broken.shown[offset + 1 :]}"
    hint = together or ("write a comma" if broken.reads(comma) else "remove it")
    return Finding("unexpected", message, (Span(offset, offset + 1),), hint)


_SIGN = re.compile(rf"//[^{TEXT_ENDS}]*|\{{[0-9 \t\r\n,]*\}}?|[()\[\],]|{JOIN}")


def _cut(text: str, offset: int) -> tuple[str, bool]:
    """The text without the part around the offset, and whether that part is a new one.

    Where the smallest part is a hole already, the mistake follows from that one, and a larger part
    goes. The text comes back unchanged when nothing is left to cut.
    """
    fresh = True
    for start, end in _parts(text, offset):
        content = text[start:end].strip()
        if content == HOLE:
            fresh = False
        elif content:
            return text[:start] + HOLE.ljust(end - start) + text[end:], fresh
        else:
            for at in (start - 1, end):
                if at >= 0 and text[at : at + 1] in ("&", ","):
                    return text[:at] + " " + text[at + 1 :], fresh
    return text, fresh


def _part_around(text: str, offset: int) -> tuple[int, int]:
    """Where the smallest part between signs that holds the offset starts and ends.

    Commas of sets and joints count as signs, brackets around other parts do not.
    """
    return min(_parts(text, offset), key=lambda part: part[1] - part[0])


def _parts(text: str, offset: int) -> list[tuple[int, int]]:
    """The parts between signs that hold the offset, the smallest first."""
    around: list[tuple[int, int]] = []
    starts = [0]
    for match in _SIGN.finditer(text):
        sign = match[0][0]
        if sign in "([":
            starts.append(match.end())
        elif sign in ")],&":
            start = starts.pop()
            if start <= offset <= match.start():
                around.append((start, match.start()))
            if sign in ",&" or not starts:
                starts.append(match.end())
    around += [(start, len(text)) for start in reversed(starts) if start <= offset]
    return around


# Boards end there, so distances beyond say nothing.
_LONGEST = 36


def _words_of(match: re.Match[str], shown: str) -> dict[str, str]:
    """The groups of a picture as the user wrote them, and what can be made of them."""
    words = {name: shown[slice(*match.span(name))] for name in match.groupdict()}
    if "rest" in words:
        words["rest"] = _balanced(words["rest"], match["at"].count("("))
    at = match["at"]
    words |= {"upper": at.upper(), "lower": at.lower(), "name": _character_name(at[:1])}
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
    return f"{before}d{lexicon.usual_directions(int(count))}" if count.isdigit() else "1×8d"


def _character_name(character: str) -> str:
    """The character as a message shows it."""
    if not character or character.isascii():
        return character.strip() or "a blank"
    code = f"U+{ord(character):04X}"
    visible = character.isprintable() and not unicodedata.combining(character)
    return f"{character} ({code})" if visible else code

r"""The mistakes people make in Ħasínū, as a table: how each looks, what it is called, what to do.

A picture is a pattern that marks with ``at`` what the error points at. Messages and hints may quote
``{at}``, its other cases ``{upper}`` and ``{lower}``, its name ``{name}``, and the other groups of
the picture. ``repair`` replaces the part pointed at, so that reading can go on; where there is
none, the part of the text around the place is cut out. The first row that fits is taken, so the
order matters; `alfil.notation.hasinu.diagnosis` does the looking.
"""

from __future__ import annotations

from alfil.notation.hasinu.mistakes_in_calls import IN_CALLS, OBLIQUE, WORD, Mistake
from alfil.notation.hasinu.scan import JOIN, TEXT_ENDS

_DIR = "(?>NE|NW|SE|SW|[NESWOD])"
_DIRS = rf"{_DIR}(?:\s*-\s*{_DIR})*"
_END = r"(?=\Z|[&,)\]])"
_START = r"(?:\A|[(\[,&])\s*"
_ANGLE = r"[+-]?\s*\d+(?:\.\d+)?"
_DASHES = "‐‑‒–—―−﹘﹣－~_+/,."
DIGITS = "０-９⁰¹²³⁴-⁹₀-₉"
# Full-width forms of ASCII and the blanks of typesetting.
WIDE = "\uff01-\uff0f\uff1a-\uff5e\u00a0\u2000-\u200a\u202f\u3000"


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
    *IN_CALLS,
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

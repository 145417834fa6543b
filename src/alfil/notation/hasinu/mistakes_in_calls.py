"""Mistakes in calls, groups and brackets; rows of the table in `alfil.notation.hasinu.mistakes`."""

from __future__ import annotations

from typing import NamedTuple

from alfil.notation.hasinu import lexicon

OBLIQUE = r"\(\s*\d+\s*,\s*\d+\s*\)"
WORD = r"(?<![A-Za-z0-9_])"
LEG = rf"(?:n\s*[\d(]|[\d{{(\[\\]|//|[A-Za-z_]\w*\s*\(|{OBLIQUE})"
# A name, and not the n of a distance.
NAME = r"(?!n\s*[0-9(])[A-Za-z_]\w*+"
_NAMES = "|".join(sorted(lexicon.RESERVED, key=len, reverse=True))
_MEMBERS = "|".join(sorted({*lexicon.MEMBERS, *lexicon.ALIASES}, key=len, reverse=True))


class Mistake(NamedTuple):
    """A row of the table."""

    kind: str
    picture: str
    message: str
    hint: str = ""
    repair: str = ""


IN_CALLS: tuple[Mistake, ...] = (
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
)

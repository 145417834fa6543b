"""Going on after a mistake: the smallest part of the text around it is cut out and a hole put in.

The grammar reads a hole as a move or an argument, and no check complains about one, so the rest
of the text can be judged without errors that only follow from the first.
"""

from __future__ import annotations

import re

from alfil.notation.hasinu.scan import HOLE, JOIN, TEXT_ENDS

_SIGN = re.compile(rf"//[^{TEXT_ENDS}]*|\{{[0-9 \t\r\n,]*\}}?|[()\[\],]|{JOIN}")


def cut(text: str, offset: int) -> tuple[str, bool]:
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


def part_around(text: str, offset: int) -> tuple[int, int]:
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

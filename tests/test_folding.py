"""Simple pieces that are equal have equal movements, whatever notation they were read from."""

from itertools import combinations
from pathlib import Path

import pytest

import alfil

# Movements before they are folded are nobody's but the resolvers'.
from alfil.meaning.compare_meanings import same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.movement.canonical_movement import canonicalise_movement
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.hasinu.resolve import resolve_hasinu
from alfil.notation.parlett.resolve import resolve_parlett
from gathering import every_row

CASES = Path(__file__).parent / "cases"
RESOLVE = {"betza": resolve_betza, "hasinu": resolve_hasinu, "parlett": resolve_parlett}

# A notation, then a text; in a row all are one piece. "b" is Betza, "h" Ħasínū, "p" Parlett's.
NOTATIONS = {"b": "betza", "h": "hasinu", "p": "parlett"}
ROWS = """
b:W | h:1×4dO | p:1+
b:F | h:1×4dD | p:1X
b:K | b:WF | b:FW | h:1×8d | h:1×4dO & 1×4dD | p:1* | p:1X, 1+
b:D | b:flbrD | h:j(2×4dO) | p:~2+
b:A | h:j(2×4dD) | h:j(2×4dD & 2×4dD) | p:~2X
b:H | h:j(3×4dO) | p:~3+
b:G | h:j(3×4dD) | p:~3X
b:N | b:(1,2) | b:(2,1) | b:hrNhlN | h:(1,2) | h:(2,1) | p:~1/2
b:C | b:L | b:(3,1) | h:(1,3) | p:~1/3
b:Z | h:(2,3) | p:~2/3
b:DA | b:AD | h:j(2×8d) | p:~2*
b:NAD | b:DNA | h:(1,2) & j(2×8d) | p:~2*, ~1/2
b:R | b:WW | b:W0 | h:n4dO | p:n+
b:B | b:F0 | h:n4dD | p:nX
b:Q | b:RB | b:K0 | b:QW | h:n8d | h:n4dO & n4dD | p:n*
b:R3 | b:W3 | h:{1,2,3}×4dO | p:1-3+
b:B5R4 | b:Q4B5 | h:{1,2,3,4}×8d & 5×4dD | p:1-5X, 1-4+
b:nD | h:2×4dO | h:nj(2×4dO) | p:2+
b:nA | h:2×4dD | p:2X
b:nH | h:3×4dO | p:3+
b:nN | h:nj((1,2))
b:nDA | h:2×4dO & j(2×4dD) | p:2+, ~2X
b:WnD | b:W2 | h:{1,2}×4dO | p:1-2+
b:NN | b:N0 | h:n(1,2) | p:n(1/2)
b:DD | h:n(j(2×4dO) &t0°)
b:mAA | h:m(n(j(2×4dD) &t0°)) | h:n(m(j(2×4dD)) &t0°)
b:D2 | h:{1,2}(j(2×4dO) &t0°)
b:mW | h:m(1×4dO) | h:m(rpg(1×4dO)) | p:o1+
b:cF | h:c(1×4dD) | p:c1X
b:mN | h:m((1,2)) | p:o~1/2
b:mQ | h:m(n8d) | h:m(n4dO & n4dD) | p:on*
b:mD | h:m(j(2×4dO)) | h:j(m(2×4dO)) | p:o~2+
b:mRcR | b:mcR | b:cRmR | h:m(n4dO) & c(n4dO) | p:on+, cn+
b:mRcB | b:cBmR | h:m(n4dO) & c(n4dD) | p:on+, cnX
b:mcWmF | b:mKcW | h:1×4dO & m(1×4dD) | p:1+, o1X
b:mcR4mR | b:mRcR4 | h:m(n4dO) & c({1,2,3,4}×4dO)
b:RF | b:FR | b:FRW | h:n4dO & 1×4dD | p:n+, 1X
b:BN | b:NB | h:(1,2) & n4dD | p:~1/2, nX
b:fW | b:fK | h:1×1dN | p:1>
b:fF | b:frFflF | h:1×2dNE-NW | p:1X>
b:WfF | b:fFW | h:1×6dE-NE-N-NW-W-S | p:1+, 1X>
b:FfW | b:fKbFfF | h:1×4dD & 1×1dN | p:1X, 1>
b:fN | h:(1,2)ab
b:fmWfcF | b:fcFfmW | h:m(1×1dN) & c(1×2dNE-NW) | p:o1>, c1X>
b:fmWfcFifmR2 | h:m(1×1dN) & c(1×2dNE-NW) & atmove(1,m({1,2}×1dN)) | p:oi1-2>, o1>, c1X>
b:iR | h:atmove(1,n4dO) | p:in+
b:zR | b:zW
h:n(1×4dO &t0°) | h:n4dO | b:R
h:{1,2}(1×4dD &t0°) | b:F2 | p:1-2X
h:m(\\oR) | b:moR
h:m(j(n4dO)) | h:j(m(n4dO)) | p:o~n+
b:mRcpR | b:cpRmR
b:pR | b:fpRbpRspR
b:[F?R] | b:FtR | b:t[FR]
h:promote(soon,1×8d) & royal() | h:promote(soon,1×4dD & 1×4dO) & royal()
b:isO2K | b:KisO2 | b:WisO2F
"""
PIECES = [row.split(" | ") for row in ROWS.replace("\\\\", "\\").strip().splitlines()]


def piece(text: str) -> alfil.Piece:
    notation, _, rest = text.partition(":")
    return alfil.read(rest, NOTATIONS[notation])


@every_row("texts", PIECES)
def test_equal_pieces_have_equal_movements(texts: list[str]) -> None:
    first, *others = [piece(text).movement for text in texts]
    assert [text for text, one in zip(texts[1:], others, strict=True) if one != first] == []


def test_different_pieces_have_different_movements() -> None:
    for (one, *_), (other, *_) in combinations(PIECES, 2):
        alike = piece(one).movement == piece(other).movement
        assert alike == alfil.same(piece(one), piece(other)), (one, other)


# Parts of simple pieces; any two of them, in any order, and once more, are one simple piece.
PARTS = {
    "betza": ["W", "fF", "mN", "cR", "D3", "nA", "vR2", "mB", "iK", "nN", "pR", "sK", "cK", "gB"],
    "hasinu": ["1×4dO", "n8d", "m(1×4dD)", "c(j(2×8d))", "2×2dN-S", "nj((1,2))", "atmove(1,n4dO)"],
    "parlett": ["1+", "nX", "o~2*", "c1>", "2-3=", "i~1/2", "n(1/3)"],
}
JOINS = {"betza": "", "hasinu": " & ", "parlett": ", "}


@pytest.mark.parametrize("notation", PARTS)
def test_a_simple_piece_has_one_movement_however_it_is_put_together(notation: str) -> None:
    join = JOINS[notation]
    for parts in combinations(PARTS[notation], 3):
        one, *others = (
            alfil.read(join.join(order), notation)
            for order in (parts, parts[::-1], (*parts[1:], parts[0], parts[1]))
        )
        assert [each.text for each in others if each.movement != one.movement] == []


def test_simple_pieces_with_equal_moves_have_equal_movements() -> None:
    by_meaning: dict[object, set[alfil.Movement]] = {}
    for notation, parts in PARTS.items():
        always = [part for part in parts if not part.startswith(("i", "oi", "atmove"))]
        for pair in combinations([*always, ""], 2):
            text = JOINS[notation].join(filter(None, pair))
            read = alfil.read(text, notation)
            by_meaning.setdefault(read.meaning, set()).add(read.movement)
    several = [sorted(map(str, found)) for found in by_meaning.values() if len(found) > 1]
    assert several == []


def texts_of_cases() -> list[tuple[str, str]]:
    """Texts in the first columns of the case files, each with its notation."""
    found: list[tuple[str, str]] = []
    for notation, name in (
        ("betza", "betza"),
        ("betza", "betza_corpus"),
        ("hasinu", "hasinu"),
        ("parlett", "parlett"),
    ):
        rows = (CASES / f"{name}.tsv").read_text(encoding="utf-8").splitlines()[1:]
        texts = dict.fromkeys(row.split("\t")[0] for row in rows if not row.startswith("#"))
        found += [(notation, text) for text in texts]
    return found


@every_row("notation, text", texts_of_cases())
def test_folding_changes_no_meaning(notation: str, text: str) -> None:
    try:
        read = alfil.read(text, notation)
        meaning = read.meaning
    except alfil.AlfilError:
        return
    assert same_meaning(meaning_of(RESOLVE[notation](read.tree), read.source), meaning)
    assert canonicalise_movement(read.movement) == read.movement

"""Every letter of Ħasínū matters: what was decided beyond the first specification."""

from __future__ import annotations

from random import Random

import pytest

import alfil
from boards import rows
from gathering import every_row
from strategies import NIGHTLY


def piece(text: str) -> alfil.Piece:
    return alfil.read(text, "hasinu")


def squares(text: str, **around: object) -> str:
    """Where a piece goes within three squares, forward ranks first."""
    found = {move.to for move in alfil.moves(piece(text), radius=3, **around)}  # type: ignore[arg-type]
    return " ".join(f"{x},{y}" for x, y in sorted(found, key=lambda at: (-at[1], at[0])))


# A text, and another one without some letters of it: they are different pieces in different words.
MATTERS = [
    ("atmove(2,n8d,turn)", "atmove(2,n8d)"),
    ("atmove(2,n8d,turn)", "ataction(2,n8d)"),
    ("atmove(3,n8d,turn)", "atmove(2,n8d,turn)"),
    ("promote(c(1×8d),n4dO) & 1×8d", "promote(1×8d,n4dO) & 1×8d"),
    ("nj((1,2))", "(1,2)"),
    ("nj((1,2),F)", "nj((1,2))"),
    ("nj((1,2),E)", "nj((1,2),F)"),
    ("nj(INF(2,1))", "INF(2,1)"),
    ("1×1dN &t26.57° ((1,2) (1,3))", "1×1dN &t18.43° ((1,2) (1,3))"),
    ("1×1dN &t+26.57° (1,2)", "1×1dN &t26.57° (1,2)"),
    ("1×1dN &t26.57° (1,2)", "1×1dN &t (1,2)"),
    ("2(INF(1,1))", "INF(1,1)"),
    ("1×4dO &t INF(1,1)", "INF(1,1)"),
    (r"\N &t n4dO", r"\N"),
    (r"j(\R,1)", r"\R"),
    (r"nj(\N)", r"\N"),
    (r"nj(\mpafW)", r"\mpafW"),
    (r"nj(\mpafW,F)", r"nj(\mpafW)"),
    ("n8d & im(//magnets)", "n8d"),
    ("n8d & burn(//magnets)", "n8d & im(//magnets)"),
    (r"rpg(\R)", r"\R"),
    ("n8d & //may castle", "n8d"),
    ("n8d & //may castle", "n8d & //may pass"),
    ("function(spin,range) & n8d & spin(n4dO)", "function(spin,range) & n8d & spin(n4dD)"),
]


@every_row("text, other", MATTERS)
def test_dropping_a_letter_makes_another_piece(text: str, other: str) -> None:
    assert not alfil.same(piece(text), piece(other))
    assert alfil.describe(piece(text)) != alfil.describe(piece(other))
    assert str(piece(text)) == text


@pytest.mark.parametrize("text", ["n8d & //may castle", "function(spin,range) & n8d & spin(n4dO)"])
def test_words_leave_the_rest_of_a_piece(text: str) -> None:
    queen = piece(text)
    (warning,) = queen.diagnostics
    assert (warning.severity, warning.kind) in {
        ("warning", "text-move"),
        ("warning", "no-handler"),
    }
    assert alfil.moves(queen) == alfil.moves("Q")
    assert alfil.compile(queen).moves("e5") == alfil.compile("Q").moves("e5")
    assert alfil.same(queen, "Q", facts=False)
    told = "may castle" if "castle" in text else "spin()"
    assert f"what only these words tell: {told}." in alfil.draw(queen).text()


@pytest.mark.parametrize(
    "text",
    [
        r"nj(\pR)",
        r"nj(\gR,E)",
        r"nj(\jR)",
        r"nj(\gafW)",
        r"sz(2) & \KisO2",
        r"sz(1,2) & i(n8d & \O3)",
    ],
)
def test_letters_that_undo_each_other_are_refused(text: str) -> None:
    with pytest.raises(alfil.MeaningError) as caught:
        alfil.moves(piece(text))
    assert [diagnostic.kind for diagnostic in caught.value.diagnostics] == ["contradiction"]


def test_words_inside_an_effect_leave_the_moves() -> None:
    for text in ("n8d & im(//magnets)", "n8d & burn(m(//magnets))"):
        assert alfil.moves(piece(text)) == alfil.moves("Q")
    with pytest.raises(alfil.MeaningError, match="words are no move"):
        alfil.moves(piece("im(//magnets)"))


@pytest.mark.parametrize("text", ["atmove(2,atmove(3,n8d,turn))", "ataction(2,ataction(3,n8d))"])
def test_conditions_that_must_both_hold_are_told_so(text: str) -> None:
    assert " and at the same time on every third " in alfil.describe(piece(text))


@pytest.mark.parametrize("condition", ["royal()", "burn(n8d)", "royal() & im(n8d)"])
def test_a_promotion_after_what_is_no_move_is_told(condition: str) -> None:
    diagnostics = piece(f"promote({condition}, n4dO) & n8d").diagnostics
    assert "no-effect" in {diagnostic.kind for diagnostic in diagnostics}
    assert not piece("promote(n8d & royal(), n4dO & royal()) & n8d").diagnostics


def test_words_and_declarations_stop_no_game() -> None:
    told = """
    game "Words"
    board 4x4
    piece K "king" betza=K royal
    piece Q "queen" hasinu="n8d & //may castle & function(spin,range)"
    setup mirrored
    | Q . . K |
    """
    lines = "\n".join(line.strip() for line in told.strip().splitlines())
    game = alfil.loads(lines).game()
    assert "4d4a" in {str(move) for move in game.legal_moves}


@pytest.mark.parametrize(
    ("sides", "blocked"),
    [
        ("", {"friends", "enemies"}),
        (",F", {"friends"}),
        (",E", {"enemies"}),
        (",FE", {"friends", "enemies"}),
    ],
)
def test_a_leap_is_blocked_by_the_sides_that_nj_names(sides: str, blocked: set[str]) -> None:
    leap = f"nj((1,2)b{sides})"
    assert squares(leap) == "1,2"
    for side in ("friends", "enemies"):
        assert squares(leap, **{side: {(0, 1)}}) == ("" if side in blocked else "1,2")
    assert squares(leap, friends={(1, 1)}) == "1,2"  # straight first, then diagonally


ANGLES = [
    ("1×1dN &t+26.57° (1,2)", "1,3 0,1"),
    ("1×1dN &t-63.43° (1,2)", "-2,2 0,1"),
    ("(1,2)b &t+36.87° (1,2)", "3,3 1,2"),
    ("(1,2)b &t-53.13° (1,2)", "1,2"),
    ("1×1dN &t 29.52 gons (1,2)", "-1,3 1,3 0,1"),
    ("1×1dN &t+0.4636radians (1,2)", "1,3 0,1"),
    ("1×1dN &t+π/4rad 1×4dD", "1,2 0,1"),
    ("1×1dN &t-2pi/8 radian 1×4dD", "-1,2 0,1"),
    ("1×1dN &t+50grads 1×4dD", "1,2 0,1"),
    ("1×1dN &t180degrees 1×1dS", "0,1"),
]


@every_row("text, expected", ANGLES)
def test_any_angle_that_a_direction_has(text: str, expected: str) -> None:
    assert squares(text) == expected
    assert alfil.same(piece(str(piece(text))), piece(text))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1×4dD &t30° n4dO", "45° or 135°"),
        ("1×4dO &t30° (1,2)", "26.57° or 63.43°"),
        ("n((1,2) &t30°)", "36.87° or 53.13°"),
        ("1×1dN &t30° 1×1dS", "180°"),
    ],
)
def test_an_angle_that_none_has_names_the_nearest(text: str, hint: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        piece(text)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.kind, diagnostic.hint) == ("angle-off-rose", hint)


@every_row(
    "text, betza",
    [
        ("{1,2}(INF(1,1))", "KaK"),
        ("INF(1,1) &t INF(1,1)", "1×8d &t 1×8d"),
        (r"\F &t n4dO", "[F?R]"),
        (r"1×4dD &t \R", "[F?R]"),
        (r"n(\N &t22.5°)", "qN"),
        (r"j(\R,1)", "RpR"),
        (r"nj(\N)", "nN"),
        (r"2(\mK)", "2(m(1×8d))"),
        (r"rpg(\cW)", "c(rpg(1×4dO))"),
    ],
)
def test_leaps_to_an_area_and_betza_are_legs(text: str, betza: str) -> None:
    other = piece(betza) if "×" in betza else betza
    assert alfil.same(piece(text), other)


@every_row(
    "text, betza",
    [
        ("m(rpg(n4dO))", "mR"),
        (r"m(\KcabK)", "mK"),
        (r"c(\N & \[F-mR])", "cN"),
        (r"c(\cafmK)", "cafmK"),
        (r"c(\mpafcK)", "mpafcK"),
        (r"c(\mcafK)", "cafKmafcK"),
        (r"c(\QcaibQ)", "cQcaibQ"),
        ("c(rpg(1×8d,FE))", "cdK"),
        ("c(1×4dD) &t n4dO", "cF[F-R]"),
    ],
)
def test_what_may_not_or_must_capture_counts_what_it_captures_on_its_way(
    text: str, betza: str
) -> None:
    assert alfil.same(piece(text), betza)


def test_what_a_rule_leaves_of_some_terms_is_translated() -> None:
    text = r"c(\N & \[F-mR])"
    assert alfil.write(piece(text), "betza") == "cN"
    assert alfil.write(piece(text), "parlett") == "c~1/2"


@every_row(
    "text, betza",
    [
        ("c(rpg(n4dO))", "c(afmc)W(af)afc(afmc)W"),
        ("c(rpg(n(1,2)ab))", "fc(afmc)Nf(af)afc(afmc)N"),
        ("c(rpg(2×2dNE-NW))", "fcnAfcafF"),
        ("m(rpg(n8d))", "mQ"),
        ("rpg(m(n4dO))", "mWmc(afmc)afmW"),
    ],
)
def test_rampages_that_must_or_may_not_capture_in_betza(text: str, betza: str) -> None:
    assert alfil.write(piece(text), "betza") == betza
    assert alfil.same(piece(text), betza)


@pytest.mark.parametrize(("text", "ends"), [(r"2(c({}))", False), (r"c(2({}))", True)])
def test_each_round_of_a_loop_owes_a_capture_of_its_own(text: str, ends: bool) -> None:  # noqa: FBT001 - a parameter of a test
    found = alfil.moves(piece(text.format(r"\cafmW & \W")), radius=4, enemies={(0, 1)})
    assert any(move.to == (0, 3) and move.captures == ((0, 1),) for move in found) == ends


def first(move: alfil.Movement, *_: object) -> alfil.Movement:
    return alfil.Movement(move.options[:1])


FUNCTIONS = {
    "spin(range)": "range &t90° range",
    "far(range, k, [FE])": "j(k(range &t0°),FE)",
    "late(range)": "atmove(1,range)",
    "holy(range)": "range & royal()",
    "wrong(range)": "n4dQ & range",
    "again(range)": "again(range)",
    "first": first,
    "nothing": lambda _: None,
    "hollow": lambda _: alfil.Movement((1,)),  # type: ignore[arg-type]
    "askew(range)": "range &t30° range",
    "step": "1×4dO",
    **{f"function{each}(range)": "range" for each in range(1, 5)},
}


def meant(text: str) -> alfil.Piece:
    return alfil.read(text, "hasinu", functions=FUNCTIONS)  # type: ignore[arg-type]


@every_row(
    "text, plain",
    [
        ("spin(n4dO)", "n4dO &t90° n4dO"),
        ("function(spin,range) & spin(n4dO)", "function(spin,range) & n4dO &t90° n4dO"),
        ("m(spin(1×4dO))", "m(1×4dO &t90° 1×4dO)"),
        ("group(m,spin)(1×4dO)", "m(1×4dO &t90° 1×4dO)"),
        ("1×4dD &t spin(1×4dO)", "1×4dD &t (1×4dO &t90° 1×4dO)"),
        ("n(spin(1×4dO))", "n(1×4dO &t90° 1×4dO)"),
        ("spin(spin(1×4dO))", "(1×4dO &t90° 1×4dO) &t90° (1×4dO &t90° 1×4dO)"),
        ("far(1×4dO,3)", "j(3×4dO)"),
        ("far(1×4dO,3,F)", "j(3×4dO,F)"),
        ("late(n8d)", "atmove(1,n8d)"),
        ("holy(1×8d)", "1×8d & royal()"),
        ("burn(spin(1×4dO)) & n8d", "burn(1×4dO &t90° 1×4dO) & n8d"),
        ("first((1,2) & n8d)", "(1,2)"),
        ("step() &t30° (INF(2,2) & 1×1dN)", "1×4dO &t30° (INF(2,2) & 1×1dN)"),
        (r"first(\N,E)", "(1,2)"),
        ("function1(function2(function3(function4(1×4dD))))", "1×4dD"),
        ("group(function1, function2, function3, function4)(1×4dD)", "1×4dD"),
        ("[function1,function2,function3,function4(1×4dD)]", "1×4dD"),
    ],
)
def test_functions_with_a_meaning(text: str, plain: str) -> None:
    assert alfil.same(meant(text), piece(plain))
    assert alfil.describe(meant(text)) == alfil.describe(piece(plain)) or "far" in text
    assert str(meant(text)) == str(alfil.read(text, "hasinu"))
    assert not meant(text).diagnostics or "no-handler" not in str(meant(text).diagnostics)


@pytest.mark.parametrize(
    ("text", "kind", "start"),
    [
        ("n8d & spin(n8d,2)", "function-arguments", 6),
        ("spin()", "function-arguments", 0),
        ("n8d & wrong(n8d)", "direction", 6),
        ("far(1×4dO,0)", "distance-zero", 0),
        ("again(n8d)", "function-loop", 0),
        ("nothing(n8d)", "function-result", 0),
        ("hollow(n8d)", "function-result", 0),
        ("first()", "function-arguments", 0),
        ("n(late(n8d))", "not-a-leg", 2),
        ("n(holy(n8d))", "not-a-leg", 2),
        ("askew(1×4dO)", "angle-off-rose", 0),
        ("1×4dO &t30° step()", "angle-off-rose", 6),
        ("n(step() &t30°)", "angle-off-rose", 9),
    ],
)
def test_what_is_wrong_with_a_function_is_told_where_it_is_used(
    text: str, kind: str, start: int
) -> None:
    with pytest.raises(alfil.MeaningError) as caught:
        bool(meant(text).meaning)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.kind, diagnostic.spans[0].start) == (kind, start)


@pytest.mark.parametrize(
    "name", ["spin(range", "2(range)", "m(range)", "spin(range,range)", "spin([k)", ""]
)
def test_what_is_no_function(name: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read("n8d", "hasinu", functions={name: "n8d"})
    assert caught.value.kind == "function-definition"


def test_a_piece_file_defines_functions() -> None:
    told = """define spin( range ) = range &t90° range   # twice
piece S "spinner" hasinu=spin(n4dO)
"""
    library = alfil.loads(told)
    assert alfil.same(library["S"], "[R?sR]")
    assert library["S"].piece.text == "spin(n4dO)"
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads("define m(range) = n8d\n" + told)
    assert caught.value.kind == "function-definition"
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(told + "define spin(range) = range\n")
    assert caught.value.kind == "given-twice"


def test_a_function_that_stands_for_words_is_warned_of() -> None:
    piece = alfil.read("far(1×4dO) & n4dO", "hasinu", functions={"far(range)": "//far away"})
    (diagnostic,) = piece.diagnostics
    (span,) = diagnostic.spans
    assert (diagnostic.kind, diagnostic.severity) == ("text-move", "warning")
    assert piece.text[span.start : span.end] == "far(1×4dO)"


def test_what_is_wrong_with_a_call_is_told_in_the_words_of_the_caller() -> None:
    def error(text: str, **functions: str) -> alfil.MeaningError:
        given = {f"{name}(range,[FE])": body for name, body in functions.items()}
        with pytest.raises(alfil.MeaningError) as caught:
            alfil.moves(alfil.read(text, "hasinu", functions={**given, "none": "n4dO"}))
        return caught.value

    assert error("a(E,2×4dO)", a="j(range,FE)").diagnostics[0].hint == "j(2×4dO, E)"
    assert error("b(2×4dO)", a="j(3,range)", b="a(range)").diagnostics[0].hint == "j(2×4dO, 3)"
    assert error("none(n8d)").diagnostics[0].hint == "write none()"


def test_an_argument_without_a_place_is_warned_of() -> None:
    def places(text: str) -> list[str]:
        functions = {"a(range,[number])": "j(range)", "b(range)": "a(range)"}
        piece = alfil.read(text, "hasinu", functions=functions)
        idle = [found for found in piece.diagnostics if found.kind == "no-effect"]
        return [piece.text[slice(*found.spans[0])] for found in idle]

    assert places("a(2×4dO,3) & m(b(3×4dD))") == ["3"]
    assert places("a(2×4dO) & m(b(3×4dD))") == []


def test_what_castles_with_nobody_is_not_told_of() -> None:
    with pytest.raises(alfil.MeaningError, match="castles with nobody"):
        alfil.describe(alfil.read(r"sz(2) & \KisO2", "hasinu"))


def embedded(text: str, function: str = "") -> alfil.Piece | None:
    """Betza inside a function of Ħasínū, None where that leaves no move or is no text."""
    try:
        found = piece(f"{function}(\\{text})" if function else f"\\{text}")
        return found if found.meaning else None
    except alfil.AlfilError:
        return None


def test_m_and_c_part_the_moves_of_a_piece_by_whether_they_capture() -> None:
    random = Random(6)
    near = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) != (0, 0)]
    written = dict.fromkeys(row[0] for _, row in rows("betza_corpus.tsv"))
    compared = 0
    for text in [*written][:: 1 if NIGHTLY else 8]:
        for pieces in (4, 16) if embedded(text) else ():
            standing = random.sample(near, pieces)
            around = {"enemies": set(standing[::2]), "friends": set(standing[1::2])}
            whole, quiet, taking = (
                {
                    (move.to, move.captures)
                    for move in alfil.moves(each, files=7, ranks=7, at=(3, 3), **around)
                }
                if (each := embedded(text, function))
                else set()
                for function in ("", "m", "c")
            )
            assert quiet == {move for move in whole if not move[1]}, text
            assert taking == whole - quiet, text
            compared += len(whole)
    assert compared > 1000

"""`variants.ini`: what Fairy-Stockfish passes over or misreads is found, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run
from alfil.exchange import export
from effort import calls
from test_exchange import GAMES, OWN

pyffish = pytest.importorskip("pyffish")

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# What stands in a section, and what is found in it: the kind and what is marked.
WRONG = {
    " customPiece1 = n:NN": ("ini-line", " customPiece1 = n:NN"),
    "NN": ("ini-line", "NN"),
    "custompiece1 = n:NN": ("unknown-setting", "custompiece1"),
    "customPiece1\t= n:NN": ("unknown-setting", "customPiece1\t"),
    "mustCapture = true # always": ("setting-value", "true # always"),
    "mustCapture = True": ("setting-value", "True"),
    "castling = no": ("setting-value", "no"),
    "customPiece1 = nNN": ("setting-value", "nNN"),
    "knight = 1": ("setting-value", "1"),
    "customPiece1 = n:nC": ("piece-without-moves", "nC"),
    "customPiece1 = n:D2": ("piece-without-moves", "D2"),
    "customPiece1 = n:afsW": ("not-in-dialect", "a"),
    "customPiece1 = n:W # N": ("setting-value", "n:W # N"),
    "customPiece1 = n:bK": ("other-reading", "bK"),
    "customPiece1 = n:fmWfceF": ("variant-en-passant", "e"),
    "knight = n\ncustomPiece1 = n:NN": ("letter-twice", "n"),
    "nMoveRule = 0\nnMoveRule = 0": ("setting-twice", "nMoveRule"),
    "whiteFlag = *8": ("old-setting", "whiteFlag"),
    "flagPiece = z": ("unknown-letter", "z"),
    "flagRegion = i": ("setting-value", "i"),
    "maxRank = 9": ("start-fen", "maxRank"),
    f"maxFile = 9\nstartFen = {START}": ("start-fen", "rnbqkbnr"),
    f"maxRank = 7\nstartFen = {START}": ("start-fen", START[:43]),
    f"startFen = {START.replace('N', 'Z')}": ("start-fen", "Z"),
    f"startFen = {START.replace('N', '?')}": ("start-fen", "?"),
}
NOTES = {"old-setting", "other-reading", "variant-en-passant"}
# What the program passes over leaves the game as it would be without it.
PASSED_OVER = [body for body, (kind, _) in WRONG.items() if kind in {"ini-line", "unknown-setting"}]


def moves_of(name: str, text: str) -> set[str]:
    pyffish.load_variant_config(text)
    return set(pyffish.legal_moves(name, pyffish.start_fen(name), []))


@pytest.mark.parametrize("body", WRONG)
def test_what_is_wrong_is_found_where_it_stands(body: str) -> None:
    text = f"# mine\n[mine:chess]\n{body}\n"
    kind, marked = WRONG[body]
    found = alfil.check_ini(text)
    assert [each.kind for each in found] == [kind]
    assert text[slice(*found[0].spans[0])] == marked
    assert found[0].hint
    assert (found[0].severity == "note") == (kind in NOTES)


@pytest.mark.parametrize("text", ["NN", "[mine:ches]", "[chess]", "[a:chess]\n[a:chess]", "[mine"])
def test_sections_that_are_none_are_found(text: str) -> None:
    assert alfil.check_ini(text)


def test_the_program_passes_over_what_is_said_to_be_passed_over() -> None:
    for number, body in enumerate(PASSED_OVER):
        name = f"alfil_ini_{number}"
        assert moves_of(name, f"[{name}:chess]\n{body}\n") == moves_of("chess", "")
    assert "alfil_ini_knights" not in pyffish.variants()
    assert (
        len(moves_of("alfil_ini_knights", "[alfil_ini_knights:chess]\ncustomPiece1 = n:NN")) == 24
    )


def test_a_mark_of_byte_order_hides_the_first_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\ufeff[alfil_marked:chess]\nmustCapture = true\n"
    pyffish.load_variant_config(text)
    assert "alfil_marked" not in pyffish.variants()
    (found,) = alfil.check_ini(text)
    assert (found.kind, text[1:][slice(*found.spans[0])]) == ("ini-line", "[alfil_marked:chess]")
    for before in ("# mine", ";", ""):
        assert alfil.check_ini(f"\ufeff{before}\n{text[1:]}") == ()
    path = tmp_path / "variants.ini"
    path.write_text(text, encoding="utf-8")
    assert run(["check", str(path)]) == 1
    assert ":1:1: Fairy-Stockfish ignores this line" in capsys.readouterr().out


def test_pieces_without_moves_have_none_there() -> None:
    for betza in ("nC", "D2", "nW"):
        name = f"alfil_ini_{betza.lower()}"
        text = f"[{name}:chess]\ncustomPiece1 = n:{betza}\n"
        assert [each.kind for each in alfil.check_ini(text)] == ["piece-without-moves"]
        assert {move[:2] for move in moves_of(name, text)}.isdisjoint({"b1", "g1"})


def test_sections_go_out_from_sections_above() -> None:
    above = f"[big]\nmaxFile = i\nking = k\nqueen = q\nstartFen = 4k4/{'9/' * 6}Q3K4 w - - 0 1\n"
    assert alfil.check_ini(above + "[bigger:big]\nflagPiece = q\ncustomPiece1 = c:mQcN\n") == ()
    (found,) = alfil.check_ini(above + "[other:big]\nflagPiece = p\n")
    assert (found.kind, found.hint) == ("unknown-letter", "its letters are k q")


def test_letters_of_en_passant_are_noted_where_the_settings_leave_them_open() -> None:
    assert alfil.check_ini("[a:chess]\ncustomPiece1 = o:fmWfceF\nenPassantTypes = po\n") == ()


def test_what_alfil_exports_is_right() -> None:
    libraries = [alfil.load(name) for name in GAMES[::2]]
    libraries += [alfil.loads(text, name=name) for name, text in OWN.items()]
    for library in libraries:
        found = alfil.check_ini(alfil.export(library).text)
        assert {each.kind for each in found} <= NOTES, found


def test_the_command_tells_line_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("variants.ini").write_text("[mine:chess]\r\nmustCapture = yes\r\n")
    assert run(["check", "variants.ini"]) == 1
    assert capsys.readouterr().out.startswith("variants.ini:2:15: mustCapture takes true or false")
    Path("variants.ini").write_text("[mine:chess]\nmustCapture = true\ncustomPiece1 = n:bK\n")
    assert run(["check", "variants.ini"]) == 0
    assert run(["check", "none.ini"]) == 2


def test_what_goes_out_from_nothing_is_one_diagnostic_and_no_template() -> None:
    text = "[one:nope]\nx = 1\nqueen = -\n[two:one]\nmustCapture = true\n[three:two]\n"
    found = alfil.check_ini(text)
    assert [text[slice(*each.spans[0])] for each in found] == ["nope", "one", "two"]
    assert {each.kind for each in found} == {"unknown-template"}
    pyffish.load_variant_config(text)
    assert {"one", "two", "three"}.isdisjoint(pyffish.variants())
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.import_ini(text, "three")
    assert caught.value.diagnostics == (found[2],)


@pytest.mark.parametrize("key", ["startFen", "maxFile", "maxRank", "castlingRank"])
@pytest.mark.parametrize("value", ["9" * 5000, f"8/{'9' * 5000} w - - 0 1"], ids=["plain", "board"])
def test_a_number_of_thousands_of_digits_is_no_error_of_python(key: str, value: str) -> None:
    diagnostics = alfil.check_ini(f"[x:chess]\n{key}={value}\n")
    assert any(each.severity == "error" for each in diagnostics)


def test_what_was_meant_is_looked_for_of_the_first_wrong_names_only() -> None:
    text = "[mine:chess]\n" + "".join(f"maxFil{number} = 3\n" for number in range(150))
    hints = [each.hint for each in alfil.check_ini(text)]
    assert hints == ["did you mean maxFile?"] * 100 + [""] * 50


def test_sections_take_no_more_work_behind_others() -> None:
    few, many = ("".join(f"[v{n}:chess]\n" for n in range(size)) for size in (200, 2000))
    alfil.check_ini(few)
    assert calls(lambda: alfil.check_ini(many)) < 11 * calls(lambda: alfil.check_ini(few))


@pytest.mark.parametrize("to", ["fairy-stockfish", "fairy-max", "interactive-diagram", "ggn"])
@pytest.mark.parametrize("blast", ["always", "never"])
def test_contagion_is_lost_only_where_not_all_that_captures_explodes(blast: str, to: str) -> None:
    flag = " blast=never" if blast == "never" else ""
    library = alfil.loads(
        "board 4x4\nrule explosion = captures\nrule contagion = B:C\n"
        f'piece K "king" betza=K royal\npiece B "second" betza=F{flag}\n'
        'piece C "twin" betza=W\nsetup\n| B C . K |\n'
    )
    losses = export(library, to, on_loss="lossy").losses
    assert ("contagion" in str(losses)) == (blast == "never")

"""`alfil fmt`: the same meaning, every comment, one layout, and no file lost."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from lark import Lark, Tree

import alfil
from inside import bundled_set_names, run
from strategies import examples
from trees import grammar_text

CASES = Path(__file__).parent / "cases" / "pieces"


def said(text: str) -> str:
    """A file as the command lays it out."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.pieces"
        path.write_bytes(text.encode())
        assert run(["fmt", str(path)]) == 0
        return path.read_bytes().decode()


@pytest.mark.parametrize("about", ["", "_regions", "_functions"])
def test_the_canonical_layout(about: str) -> None:
    tidy = (CASES / f"tidy{about}.pieces").read_text(encoding="utf-8")
    assert said((CASES / f"messy{about}.pieces").read_text(encoding="utf-8")) == tidy
    assert said(tidy) == tidy


@pytest.mark.parametrize("name", bundled_set_names())
def test_bundled_files_are_laid_out(name: str) -> None:
    path = Path(__file__).parents[1] / "pieces" / f"{name}.pieces"
    assert run(["fmt", "--check", str(path)]) == 0


def test_every_rule_and_terminal_of_the_grammar_occurs() -> None:
    grammar = Lark(grammar_text("pieces"), parser="lalr", start="line", keep_all_tokens=True)
    rules: set[str] = set()
    signs: set[str] = set()
    for path in [*CASES.glob("messy*.pieces"), *CASES.glob("tidy*.pieces")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            for node in grammar.parse(line).iter_subtrees():
                rules.add(str(node.data))
                signs |= {child.type for child in node.children if not isinstance(child, Tree)}
    kept = {str(rule.alias or rule.origin.name) for rule in grammar.rules}
    assert rules == {name for name in kept if name[0] != "_" and name not in INLINED}
    assert signs == {terminal.name for terminal in grammar.terminals} - {"WHITE"}


# Rules that stand for their only part.
INLINED = ("statement", "item")
CODES = ["K", "+K", "SO", "王", "x-Q7"]
BLANKS = st.sampled_from([" ", "  ", "\t", "\u3000", " \u00a0"])
COMMENTS = st.one_of(
    st.just(""), st.sampled_from(["# c", '#"', "# a  b", "## piece K", "#　王 # 2", "#|"])
)
WORDS = st.sampled_from(["the king", 'a "b" c', "王 将", "x#y", "  two  blanks ", "a=b|c", "q"])
MOVEMENTS = st.sampled_from(
    [
        ["betza=K"],
        ['betza="FyafsF"'],
        ["fairy-stockfish=fK"],
        ["betza=N", 'hasinu="(1,2)abcdefgh"'],
        ["hasinu=n4dO", 'betza=" R "'],
        ['hasinu="\\Q & //word ""x"" #1"', "dialect=classic"],
    ]
)


# No royal piece is in hand.
IN_HAND = ("SO", "王")


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@st.composite
def piece_lines(draw: st.DrawFn, code: str) -> str:
    """A piece line with any keys in any order."""
    others = [each for each in CODES if each != code]
    some = st.lists(st.sampled_from(others), unique=True, min_size=1, max_size=3)
    keys = [
        *([] if code in IN_HAND else [["royal"]]),
        [f"also={quoted(draw(WORDS).strip())}"],
        [f"kanji={quoted(draw(WORDS))}"],
        ["symbol=♞"],
        [f"promotes={quoted(draw(st.sampled_from([',', ', ', ' ,'])).join(draw(some)))}", "forced"],
        ["drop-ranks=" + draw(st.sampled_from(["1-R", "none", "02-4", "3"]))],
        ["drop-check=required"],
        ["per-file=2", 'per-file-on="move, drop"'],
        ["drop-mate=barred"],
        [f"note={quoted(draw(WORDS))}"],
        ["status=deduced"],
    ]
    chosen = draw(st.lists(st.sampled_from(keys), unique_by=str, max_size=6))
    items = [*draw(MOVEMENTS), *(item for key in chosen for item in key)]
    items.insert(draw(st.integers(0, len(items))), quoted(draw(WORDS)))
    return draw(BLANKS).join(["piece", code, *items])


@st.composite
def files(draw: st.DrawFn) -> str:
    """A piece file without errors, with blanks, comments and its parts in any order."""
    lines = [draw(piece_lines(code)) for code in CODES]
    lines += draw(
        st.lists(
            st.sampled_from(
                [
                    'game "a  ""b"""',
                    "zone promotion ranks=01",
                    "rule drops = yes",
                    "rule win=mate ,bare, checks:02",
                    "rule match = best-of 3",
                    "rule impasse   = points 24 027",
                    "hand SO*1 王*03",
                    "include shogi only=G",
                    'constraint H1 mirrored on="K, SO" "a  b" required from=x',
                ]
            ),
            unique=True,
        )
    )
    lines = draw(st.permutations(lines))
    lines += ["board 3X4", "setup  mirrored", "|K . 王|", "", "# x", "| . SO  . |  # row"]
    out: list[str] = []
    for line in lines:
        out += [""] * draw(st.integers(0, 2))
        out += [draw(COMMENTS)]
        out.append(line + draw(BLANKS) + draw(COMMENTS))
    event(f"{len(out) // 10 * 10} lines")
    return draw(st.sampled_from(["\n", "\r\n"])).join(out)


def comments(text: str) -> list[str]:
    """The comments of a text, found without the reader: what follows a # outside quotes."""
    found = []
    for line in text.splitlines():
        even = True
        for at, character in enumerate(line):
            even ^= character == '"'
            if character == "#" and even:
                found.append(line[at:].rstrip(" \t\u3000\u00a0"))
                break
    return found


@examples(20)
@given(files())
def test_a_file_says_the_same_after_it(text: str) -> None:
    before = alfil.loads(text)
    once = said(text.replace("\r\n", "\n"))
    after = alfil.loads(once)
    assert (after.pieces, after.rules, after.setup) == (before.pieces, before.rules, before.setup)
    assert (after.title, after.hands, after.constraints) == (
        before.title,
        before.hands,
        before.constraints,
    )
    assert [entry.names for entry in after.pieces] == [entry.names for entry in before.pieces]
    assert comments(once) == comments(text)
    assert said(once) == once
    assert "\r" not in once
    assert not once.startswith("\n")
    assert "\n\n\n" not in once


def groups(text: str) -> list[int]:
    """How many lines stand together between blank lines."""
    return [block.count("\n") + 1 for block in text.strip("\n").split("\n\n") if block]


@examples(20)
@given(files())
def test_what_stood_together_stands_together(text: str) -> None:
    plain = text.replace("\r\n", "\n")
    bare = "\n".join("" if not line.strip() else line for line in plain.split("\n"))
    while "\n\n\n" in bare:
        bare = bare.replace("\n\n\n", "\n\n")
    assert groups(said(plain)) == groups(bare)


def test_fmt_normalises_a_file_in_place(tmp_path: Path) -> None:
    path = tmp_path / "x.pieces"
    path.write_bytes(b'\xef\xbb\xbfpiece K "king"  betza=K # c\r\n\r\n\r\n')
    path.chmod(0o640)
    assert run(["fmt", "--check", str(path)]) == 1
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert run(["fmt", str(path)]) == 0
    assert path.read_bytes() == b'piece K "king" betza=K  # c\n'
    assert path.stat().st_mode & 0o777 == 0o640
    assert run(["fmt", "--check", str(path)]) == 0
    assert [each.name for each in tmp_path.iterdir()] == ["x.pieces"]


def test_fmt_of_a_link_keeps_the_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.pieces", tmp_path / "link.pieces"
    real.write_text('piece  K "king" betza=K')
    link.symlink_to(real)
    assert run(["fmt", str(link)]) == 0
    assert link.is_symlink()
    assert real.read_text() == 'piece K "king" betza=K\n'


def test_a_file_that_cannot_be_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.pieces"
    path.write_text('piece  K "king" betza=K')

    def full(here: Path, there: Path) -> None:
        del here, there
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert run(["fmt", str(path)]) == 2
    assert "no space left" in capsys.readouterr().err.lower()
    assert path.read_text() == 'piece  K "king" betza=K'
    assert [each.name for each in tmp_path.iterdir()] == ["x.pieces"]


def test_fmt_is_for_piece_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fmt", "N"]) == 2
    assert "no piece file" in capsys.readouterr().err
    assert run(["fmt", "none.pieces"]) == 2
    assert "[cannot-read]" in capsys.readouterr().err

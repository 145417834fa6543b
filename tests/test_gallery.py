"""The gallery as files: what is in it, and what becomes of a folder that is there already."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as XML

import pytest

import alfil
from alfil.library.gallery import gallery
from inside import bundled_set_names, run

HOSTILE_FILE = """
piece X "</script><script>alert(1)</script>" betza=W also="<img src=x onerror=alert(2)>"
piece Y "'onload='x" betza=F also="&amp;, back"
piece Z "</SCRIPT>" betza=N
piece W "../../up" betza=A
"""


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_every_piece_has_a_card_and_a_picture() -> None:
    libraries = [alfil.load(name) for name in ("chess", "hand_shogi")]
    files = gallery(libraries)
    page = files["index.html"].decode("utf-8")
    places = re.findall(r'<article class="card" id="([^"]+)"', page)
    assert {place.split("/")[0] for place in places} == {"chess", "hand-shogi"}
    assert len(places) == sum(len(each.pieces) for each in libraries)
    assert files.keys() == {"index.html", *(f"diagrams/{place}.svg" for place in places)}
    for name, content in files.items():
        if name.endswith(".svg"):
            assert XML.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_card_says_all_that_is_known() -> None:
    page = gallery([alfil.load("hand_shogi")])["index.html"].decode("utf-8")
    cards = dict(re.findall(r'id="hand-shogi/([^"]+)"(.*?)</article>', page, re.DOTALL))
    assert "<code>FfW</code>" in cards["silver-general"]
    assert "<code>1×5dE-S-W</code>" in cards["silver-general"]
    assert 'aria-label="銀将"' in cards["silver-general"]
    assert "Steps one square straight forward or diagonally." in cards["silver-general"]
    assert ">reconstructed<" in cards["shogun"]
    assert "Reconstruction: the original move is lost" in cards["shogun"]
    assert ">royal<" in cards["king"]
    assert "must promote to promoted knight" in cards["knight"]


def test_what_a_notation_cannot_say_is_said() -> None:
    page = gallery([alfil.load("chess")])["index.html"].decode("utf-8")
    (king,) = re.findall(r'id="chess/king".*?</article>', page, re.DOTALL)
    assert "cannot say it: Ħasínū has no castling" in king


def test_hostile_names_are_text_and_make_no_paths(tmp_path: Path) -> None:
    source = tmp_path / "hostile.pieces"
    source.write_text(HOSTILE_FILE, encoding="utf-8")
    library = alfil.load(source)
    unseen = "\u202e\u2066\x00\u200b"
    turned = [replace(each, note=unseen, also=(*each.also, unseen)) for each in library.pieces]
    files = gallery([replace(library, pieces=tuple(turned))])
    assert files.keys() == {
        "index.html",
        "diagrams/hostile/script-script-alert-1-script.svg",
        "diagrams/hostile/onload-x.svg",
        "diagrams/hostile/script.svg",
        "diagrams/hostile/up.svg",
    }
    page = files["index.html"].decode("utf-8")
    assert page.lower().count("<script") == page.lower().count("</script>") == 3
    assert "<img src=x" not in page
    assert not set(page) & set("\u202e\u2066\x00\u200b")


def test_names_that_are_alike_get_places_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "alike.pieces"
    lines = [f'piece {code} "{name}" betza=W' for code, name in NAMES_ALIKE]
    source.write_text("\n".join(lines), encoding="utf-8")
    files = gallery([alfil.load(source)])
    places = [name.lower() for name in files if name.endswith(".svg")]
    assert len(places) == len(set(places)) == len(NAMES_ALIKE)


NAMES_ALIKE = (("A", "x 2"), ("B", "x"), ("C", "X"), ("D", "x!"), ("E", "x-2"), ("F", "豹"))


def test_the_same_bytes_every_time() -> None:
    code = (
        "import hashlib, alfil; from alfil.library.gallery import gallery;"
        "files = gallery([alfil.load('hand_shogi')]);"
        "print(hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    files = gallery([alfil.load("hand_shogi")])
    assert digests == {hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()}


def test_the_command_writes_all_sets(every_set: tuple[Path, str]) -> None:
    folder, told = every_set
    pieces = sum(len(alfil.load(name).pieces) for name in bundled_set_names())
    assert told.startswith(f"{pieces} pieces in ")
    assert len(list((folder / "diagrams").rglob("*.svg"))) == pieces


def test_an_older_gallery_is_replaced(tmp_path: Path) -> None:
    assert run(["gallery", "-o", str(tmp_path / "gallery"), "chess", "hand_shogi"]) == 0
    assert run(["gallery", "-o", str(tmp_path / "gallery"), "chess"]) == 0
    assert {name.split("/")[1] for name in names_in(tmp_path / "gallery") if "/" in name} == {
        "chess"
    }
    assert [path.name for path in tmp_path.iterdir()] == ["gallery"]


@pytest.mark.parametrize("command", ["gallery chess", "publish chess"])
@pytest.mark.parametrize("kept", ["notes.txt", "index.html"])
def test_other_files_are_never_removed(
    tmp_path: Path,
    kept: str,
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That is told before anything is made, and before Node.js is missed."""
    monkeypatch.setenv("PATH", "")
    (tmp_path / kept).write_text("mine", encoding="utf-8")
    assert run([*command.split(), "-o", str(tmp_path)]) == 2
    assert "there are other files in it [cannot-write]" in capsys.readouterr().err
    assert names_in(tmp_path) == {kept}
    assert (tmp_path / kept).read_text(encoding="utf-8") == "mine"


def test_a_gallery_stays_as_it_was_when_a_new_one_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gallery"
    assert run(["gallery", "-o", str(folder), "chess"]) == 0
    before = {name: (folder / name).read_bytes() for name in names_in(folder)}
    broken = tmp_path / "broken.pieces"
    broken.write_text('piece X "x" betza=E\n', encoding="utf-8")
    assert run(["gallery", "chess", str(broken), "-o", str(folder)]) == 1
    assert run(["gallery", "chees", "-o", str(folder)]) == 2
    assert "did you mean chess?" in capsys.readouterr().err
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    assert run(["gallery", "chess", "-o", str(folder)]) == 2
    (folder / "mine.txt").unlink()
    assert {name: (folder / name).read_bytes() for name in names_in(folder)} == before
    assert {path.name for path in tmp_path.iterdir()} == {"gallery", "broken.pieces"}


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "gallery"):
        assert run(["gallery", "chess", "-o", str(folder)]) == 2
    assert run(["gallery", "chess", "-o", str(tmp_path / "a\0b")]) == 2
    assert names_in(tmp_path) == {"file"}

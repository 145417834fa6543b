"""The catalogue: names with their sources, read as files and from the index, shown and exported."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import alfil
from alfil.library.catalogue import file_from_index  # what is kept of the files
from alfil.library.catalogue_export import catalogue_sources  # what the command exports
from alfil.library.catalogue_index import catalogue_index_text  # what hatch_build.py writes
from alfil.library.file_locations import bundled_file, catalogue_set_names  # sets that are no games
from alfil.library.gallery import gallery  # the command writes it to a folder
from alfil.library.library import all_set_names  # as above
from alfil.library.name_readings import readings_of  # what the command compares
from alfil.library.piece_file_reader import read_piece_file  # the files, without the index
from inside import bundled_set_names, run

Capture = pytest.CaptureFixture[str]
FOLDER = Path(__file__).parent.parent / "pieces/catalogue"
LIBRARIES = [alfil.load(name) for name in catalogue_set_names()]
PIECES = [(library, entry) for library in LIBRARIES for entry in library.pieces]


def folded(name: str) -> str:
    """A name without what makes no other name of it."""
    return re.sub(r"[\W_]", "", name.lower())


def test_there_are_fifteen_hundred_names() -> None:
    entries = [entry for name in all_set_names() for entry in alfil.load(name).pieces]
    english = {folded(name) for entry in entries for name in (entry.name, *entry.also)}
    names = english | {folded(name) for entry in entries for name in entry.names}
    assert len(english) >= 1300
    assert len(names | {folded(entry.romaji) for entry in entries}) >= 1500


def test_every_piece_has_sources_that_are_explained() -> None:
    known = {source.name for source in catalogue_sources()}
    assert [entry.name for _, entry in PIECES if not entry.sources] == []
    entries = (entry for name in all_set_names() for entry in alfil.load(name).pieces)
    named = {source for entry in entries for source in entry.sources}
    assert named == known
    assert all(source.what and source.location for source in catalogue_sources())


def test_a_name_is_looked_for_without_reading_a_set(tmp_path: Path) -> None:
    """So the first question of all, of which nothing is remembered, is answered at once."""
    environment = {**os.environ, "ALFIL_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "alfil", "pieces", "no piece's name"]
    assert subprocess.run(command, env=environment, check=False).returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_the_index_is_what_the_files_say() -> None:
    made = catalogue_index_text()  # it reads every text, and fails where one has no meaning
    assert (FOLDER / "index.json").read_text(encoding="utf-8") == made, (
        "run: python hatch_build.py --catalogue"
    )
    catalogued, bundled = (
        {place for _, _, places in rows for place in places}
        for rows in json.loads(made)["likeness"].values()
    )
    assert catalogued == {f"{library.name}:{entry.code}" for library, entry in PIECES}
    assert {place.partition(":")[0] for place in bundled} == {
        library.name for library in map(alfil.load, bundled_set_names()) if library.pieces
    }


def test_a_set_of_the_index_is_that_of_the_file() -> None:
    location = bundled_file("catalogue/armies")
    indexed, read = file_from_index(location), read_piece_file(location)
    assert indexed is not None
    assert indexed.pieces == read.pieces
    assert read.diagnostics == ()
    assert [entry.span for entry in indexed.pieces] == [entry.span for entry in read.pieces]


def test_namesakes_are_told_apart() -> None:
    """Pieces of one name in one set have different readings, and move differently."""
    for library in LIBRARIES:
        by_name: dict[str, list[alfil.Entry]] = {}
        for entry in library.pieces:
            by_name.setdefault(entry.name, []).append(entry)
        for entries in by_name.values():
            readings = [entry.reading for entry in entries]
            assert len(entries) == 1 or "" not in readings
            assert len(set(readings)) == len(readings)
            meanings = {entry.piece.meaning.without_facts() for entry in entries}
            assert len(meanings) == len(entries)


def test_readings_of_a_name_are_shown_with_what_differs(capsys: Capture) -> None:
    assert run(["pieces", "wyvern"]) == 0
    first, *rows = capsys.readouterr().out.splitlines()[3:]
    assert first == "3 different pieces are called wyvern; compared with catalogue/armies:wyvern:"
    assert [" ".join(row.split()) for row in rows] == [
        "catalogue/variants:wyvern on a board of 1×3, only catalogue/variants:wyvern goes to 0,2",
        "catalogue/variants:wyvern_2 on a board of 1×2, only catalogue/armies:wyvern goes to 0,1",
    ]
    assert run(["pieces", "wyvern", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [each["difference"] is None for each in answer] == [True, False, False]


@pytest.mark.parametrize("name", ["lion", "falcon", "wyvern", "cannon"])
def test_a_difference_is_one(name: str) -> None:
    """On the board that is named one of the two has the move, and the other has not."""
    first, *others = readings_of(name, alfil.search(name))
    for other in others:
        shown = other.difference
        assert shown is not None
        assert shown.move is not None
        pieces = {"first": first.pieces[0], "second": other.pieces[0]}
        assert not alfil.same(first.pieces[0].entry.piece, other.pieces[0].entry.piece, facts=False)
        moves = alfil.moves(
            pieces[shown.only].entry.piece,
            files=shown.files,
            ranks=shown.ranks,
            at=shown.at,
            enemies=shown.enemies,
            friends=shown.friends,
            unmoved=shown.move.guard is not None or shown.moves_made == 0,
        )
        assert shown.move.to in {move.to for move in moves}


def test_a_piece_is_found_shown_and_included_by_name(tmp_path: Path) -> None:
    assert alfil.find("ouroboros").sources == ("Chute", "chessvar")
    assert alfil.find("catalogue/armies:ouroboros").piece.text == "ND"
    with pytest.raises(alfil.UnknownPiece, match="has no piece called ouroborus"):
        alfil.find("catalogue/armies:ouroborus")
    path = tmp_path / "mine.pieces"
    path.write_text("include catalogue/armies only=ouroboros\n", encoding="utf-8")
    assert [entry.name for entry in alfil.load(path).pieces] == ["ouroboros"]
    with pytest.raises(alfil.PieceFileError, match="no set of pieces is called catalogue/armees"):
        alfil.loads("include catalogue/armees")


def test_export_has_every_piece_below_the_licence(capsys: Capture) -> None:
    assert run(["pieces", "--export", "csv"]) == 0
    licence, table = capsys.readouterr().out.split("\n", 1)
    assert licence.startswith("# alfil ")
    assert "CC0 1.0" in licence
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == sum(len(alfil.load(name).pieces) for name in all_set_names())
    first = next(row for row in rows if row["code"] == "GA" and row["set"] == "fairy")
    assert (first["german"], first["french"], first["text"]) == ("Grashüpfer", "sauterelle", "gQ")
    assert run(["pieces", "--export", "json", "--set", "catalogue/armies"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in data["pieces"]] == [e.name for e in LIBRARIES[0].pieces]
    assert run(["pieces", "rook", "--export", "csv"]) == 2


def test_check_lists_what_has_no_source(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "mine.pieces"
    path.write_text('piece A "a piece" betza=W source="me"\npiece B "another" betza=F\n')
    assert run(["check", "--provenance", str(path)]) == 1
    assert capsys.readouterr().out == "mine:B  another\n1 of 2 pieces have no source\n"
    path.write_text('piece A "a piece" betza=W source="me, you"\n')
    assert run(["check", "--provenance", str(path)]) == 0
    assert run(["check"]) == 2


def test_a_name_needs_a_reading_where_another_piece_has_it() -> None:
    text = 'piece A "star" betza=W\npiece B "star" betza=F'
    assert [each.kind for each in alfil.loads(text).diagnostics] == ["duplicate-name"]
    told_apart = alfil.loads(f'{text} reading="the other one"')
    assert told_apart.diagnostics == ()
    assert told_apart["star"].code == "A"


def test_the_gallery_says_what_others_call_a_piece() -> None:
    library = alfil.loads('piece X "my piece" betza=RNC source="me"')
    page = gallery([library])["index.html"].decode("utf-8")
    assert "Elsewhere called acropolis (Chute; Trapped Pieces)." in page
    assert "Named by me." in page

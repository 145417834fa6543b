"""The language server answers a client over standard input and output, whatever is typed."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

import alfil
from alfil.library.file_locations import FileLocation
from alfil.library.file_report import FileReport, check_file
from alfil.lsp import formatting_and_fixes
from alfil.lsp.documents import make_document
from alfil.lsp.hover import hover_at
from alfil.lsp.position_converter import (
    PositionConverter,
)  # what no request shows by itself: places outside a text
from alfil.lsp.server import make_server

T = TypeVar("T")
# An editor waits for an answer on however busy a machine.
PATIENCE = 120
PICTURE = "data:image/svg+xml;base64,"

TINY = """\
# Ħ×🐎
game  "Tiny shogi"
board 5x5
zone  promotion ranks=1
rule  drops = yes

define spin(range) = range &t90° range
region near ranks=1-2
piece K "king"    betza=K   royal
piece G "gold"    betza=WfF within=near
piece P "🐎 pawn" betza=fW  promotes=+G,G immune-to=G forced
piece H "hook"    hasinu=spin(n4dO)
moves P in=near betza=F

setup          # nearest rank last
| . . P . . |
| G . K . G |
hand P H*2
"""


def test_a_conversation_ends_well_and_mistakes_of_users_are_not_logged() -> None:
    """What a server does after its last answer, and what it writes into an editor's log."""
    rename = {"textDocument": {"uri": "file:///a"}, "position": {"line": 0, "character": 0}}
    document = {"uri": "file:///a", "languageId": "pieces", "version": 1, "text": "board 5x5\n"}
    messages: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 2, "method": "textDocument/rename", "params": {**rename, "newName": "a b"}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **each}) for each in messages]
    texts = [f"Content-Length: {len(each)}\r\n\r\n{each}".encode() for each in bodies]
    command = [sys.executable, "-m", "alfil", "lsp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(b"".join(texts[:4]))
        server.stdin.flush()
        told = b""
        while b"there is no name here" not in told:
            told += server.stdout.read1()
        rest, log = server.communicate(b"".join(texts[4:]))
        assert b'"id": 3' in rest
        assert (server.returncode, log) == (0, b"")


def packed(message: object) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def request(number: int | None, method: str, params: object) -> bytes:
    """A request, or a notification, which has no number."""
    numbered = {} if number is None else {"id": number}
    return packed({"jsonrpc": "2.0", **numbered, "method": method, "params": params})


def asked(number: int, uri: str, line: object = 0) -> bytes:
    """A request for what is at the beginning of a line."""
    place = {"line": line, "character": 0}
    params = {"textDocument": {"uri": uri}, "position": place}
    return request(number, "textDocument/hover", params)


def answered(messages: list[bytes], last: int) -> tuple[dict[int | None, dict[str, Any]], bytes]:
    """What a server answers, by number, and its log; it is shut down after the last one."""
    command = [sys.executable, "-m", "alfil", "lsp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(b"".join(messages))
        server.stdin.flush()
        told = b""
        while b'"id": %d,' % last not in told:
            told += server.stdout.read1()
        end = request(last + 1, "shutdown", None) + request(None, "exit", None)
        rest, log = server.communicate(end)
    parts = re.split(rb"Content-Length: .*\r\n(?:.*\r\n)?\r\n", told + rest)
    answers = [json.loads(part) for part in parts if part]
    return {each["id"]: each for each in answers if "method" not in each}, log


# Neither whole numbers nor texts, as the protocol has them.
WRONG_IDS = (b"NaN", b"1e999", b"1.5", b"true", b"[1]", b"{}")


def test_an_editor_that_breaks_off_while_one_types_leaves_no_error_in_the_log() -> None:
    document = {"uri": "file:///a", "languageId": "pieces", "version": 1, "text": "board 5x5"}
    messages = [
        request(1, "initialize", {"processId": None, "capabilities": {}}),
        request(None, "textDocument/didOpen", {"textDocument": document}),
        request(None, "textDocument/didClose", {"textDocument": {"uri": "file:///a"}}),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "alfil", "lsp"],
        input=b"".join(messages),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_is_no_request_is_refused_and_no_error_is_logged(tmp_path: Path) -> None:
    """Each request has an answer, also one that cannot be read, or of a file that is not there."""
    piece_file = tmp_path / "a.pieces"
    piece_file.write_text('piece K "king" betza=K\n')
    opened = {"uri": "file:///\0", "languageId": "pieces", "version": 1, "text": "board 5x5"}
    nowhere = ["", "x", "file:///nowhere", tmp_path.as_uri(), "file:///b\0", "file:///dev/zero"]
    nowhere += ["http://x/y", "file:///" + "x" * 10000]
    messages = [
        asked(1, "file:///a"),  # before it began
        request(None, "textDocument/didOpen", {}),
        request(2, "initialize", {"processId": None, "capabilities": {}}),
        request(None, "textDocument/didOpen", {"textDocument": opened}),
        asked(3, "file:///a", -1),
        request(4, "textDocument/hover", {}),
        request(5, "initialize", None),
        request(6, "nothing", {}),
        *map(packed, (b"hello", b"\xff\xfe\xfd", b"[" * 20000)),
        *map(packed, (b"[]", b"null", b"{}", b'{"jsonrpc": "2.0"}')),
        *(
            packed(b'{"jsonrpc": "2.0", "id": %b, "method": "shutdown"}' % each)
            for each in WRONG_IDS
        ),
        *(asked(7 + number, each) for number, each in enumerate(nowhere)),
        asked(15, piece_file.as_uri()),
    ]
    answers, log = answered(messages, last=15)
    codes = {number: each.get("error", {}).get("code") for number, each in answers.items()}
    refused = {None: -32600, 1: -32002, 3: -32602, 4: -32602, 5: -32602, 6: -32601}
    assert codes == {**dict.fromkeys(range(1, 17)), **refused}
    assert [answers[each]["result"] for each in range(7, 15)] == [None] * 8
    assert "piece N" in str(answers[15]["result"])
    assert log == b"Failed to handle request 6, unknown method 'nothing'\n"


class Editor:
    """An editor: a client of a server that is a process of its own."""

    def __init__(self, folder: Path, *, pictures: bool = False) -> None:
        self.folder = folder
        # A loop of its own in a thread of its own: another test may have one in this thread.
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.client = LanguageClient("test", "1")
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.log: list[str] = []
        self.versions: dict[str, int] = {}
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(
            lambda each: self.published.update({each.uri: each})
        )
        self.client.feature(types.WINDOW_LOG_MESSAGE)(lambda each: self.log.append(each.message))
        self.run(self.client.start_io(sys.executable, "-m", "alfil", "lsp", "--stdio"))
        self.server = self.run(
            self.client.initialize_async(
                types.InitializeParams(
                    types.ClientCapabilities(),
                    process_id=os.getpid(),
                    root_uri=folder.as_uri(),
                    initialization_options={"pictures": pictures},
                )
            )
        )
        self.loop.call_soon_threadsafe(self.client.initialized, types.InitializedParams())

    def run(self, work: Awaitable[T]) -> T:
        async def patient() -> T:
            return await asyncio.wait_for(work, PATIENCE)

        return asyncio.run_coroutine_threadsafe(patient(), self.loop).result()

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> str:
        """Open a document or change it to another text; its address."""
        uri = self.uri(name)
        version = self.versions.get(uri, 0) + 1
        self.versions[uri] = version
        if version == 1:
            item = types.TextDocumentItem(uri, "pieces", version, text)
            self.loop.call_soon_threadsafe(
                self.client.text_document_did_open, types.DidOpenTextDocumentParams(item)
            )
        else:
            change = types.TextDocumentContentChangeWholeDocument(text)
            place = types.VersionedTextDocumentIdentifier(version, uri)
            self.loop.call_soon_threadsafe(
                self.client.text_document_did_change,
                types.DidChangeTextDocumentParams(place, [change]),
            )
        return uri

    def diagnostics(self, name: str) -> list[types.Diagnostic]:
        """The diagnostics of the text that was sent last."""
        uri = self.uri(name)

        async def wait() -> None:
            while uri not in self.published or self.published[uri].version != self.versions[uri]:
                await asyncio.sleep(0.01)

        self.run(wait())
        return list(self.published[uri].diagnostics)

    def close(self) -> None:
        self.run(self.client.shutdown_async(None))
        self.loop.call_soon_threadsafe(self.client.exit, None)
        self.run(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    made = Editor(tmp_path_factory.mktemp("pieces"))
    yield made
    made.close()
    assert made.log == []


@pytest.fixture(scope="module")
def other_editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One that shows images, and whose server may meet errors."""
    made = Editor(tmp_path_factory.mktemp("other"), pictures=True)
    yield made
    made.close()


def place(text: str, word: str, at: int = 0, number: int = 0) -> types.Position:
    """The place of a word in a text, in units of UTF-16, by counting bytes."""
    start = -1
    for _ in range(number + 1):
        start = text.index(word, start + 1)
    before = text[: start + at].replace("\r\n", "\n")
    line = before.count("\n")
    return types.Position(line, len(before.split("\n")[-1].encode("utf-16-le")) // 2)


def at(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """A text with edits made in it, the last first."""
    ordered = sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character))
    lines = text.split("\n")
    for edit in reversed(ordered):
        (first, last), new = (edit.range.start, edit.range.end), edit.new_text
        head = lines[first.line].encode("utf-16-le")[: 2 * first.character].decode("utf-16-le")
        tail = lines[last.line].encode("utf-16-le")[2 * last.character :].decode("utf-16-le")
        lines[first.line : last.line + 1] = (head + new + tail).split("\n")
    return "\n".join(lines)


def labels(editor: Editor, name: str, text: str) -> dict[str, types.CompletionItem]:
    """What can be written where a text has ‸."""
    position = place(text, "‸")
    uri = editor.open(name, text.replace("‸", ""))
    found = editor.run(
        editor.client.text_document_completion_async(types.CompletionParams(at(uri), position))
    )
    assert isinstance(found, list)
    return {each.label: each for each in found}


def meaning(item: types.CompletionItem) -> str:
    assert isinstance(item.documentation, types.MarkupContent)
    return item.documentation.value


def hover(editor: Editor, uri: str, position: types.Position) -> str:
    found = editor.run(
        editor.client.text_document_hover_async(types.HoverParams(at(uri), position))
    )
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_diagnostics_are_those_of_the_command(editor: Editor) -> None:
    text = '# Ħ\npiece H "h" note="Ħ🐎" betza=W kanij=歩\n'
    editor.open("broken.pieces", text)
    (found,) = editor.diagnostics("broken.pieces")
    assert found.range == types.Range(place(text, "kanij"), place(text, "=歩"))
    assert found.code == "unknown-key"
    assert found.message == "a piece has no key kanij\nhint: did you mean kanji?"
    assert found.severity == types.DiagnosticSeverity.Error
    assert found.code_description
    assert found.code_description.href.endswith("#unknown-key")
    editor.open("broken.pieces", text.replace("kanij", "kanji"))
    (note,) = editor.diagnostics("broken.pieces")
    assert (note.code, note.severity) == ("piece-note", types.DiagnosticSeverity.Information)
    editor.open("broken.pieces", text.replace("W", "E").replace("\n", "\r\n"))
    assert [each.code for each in editor.diagnostics("broken.pieces")] == [
        "unknown-atom",
        "unknown-key",
    ]


def test_an_included_file_is_read_as_it_is_in_the_editor(editor: Editor) -> None:
    main = 'include "part.pieces"\npiece X "x" betza=W promotes=Y\n'
    editor.open("main.pieces", main)
    assert "cannot-read" in {each.code for each in editor.diagnostics("main.pieces")}
    editor.published.clear()
    editor.open("part.pieces", 'piece Y "y" betza=F\n')
    assert editor.diagnostics("main.pieces") == []
    editor.published.clear()
    editor.open("part.pieces", 'piece Z "z" betza=F\n')
    assert [each.code for each in editor.diagnostics("main.pieces")] == ["unknown-piece"]


def test_variants_are_checked(editor: Editor) -> None:
    editor.open("variants.ini", "[mine:chess]\nmustCapture = yes\n")
    (found,) = editor.diagnostics("variants.ini")
    assert found.message.startswith("mustCapture takes true or false")
    assert found.range.start.line == 1
    assert labels(editor, "variants.ini", "[mine:chess]\n‸") == {}


def test_a_file_that_is_too_long_is_not_read(editor: Editor) -> None:
    uri = editor.open("long.pieces", TINY + "#" * 1_000_000)
    assert [each.code for each in editor.diagnostics("long.pieces")] == ["too-long"]
    assert hover(editor, uri, place(TINY, "WfF")) == ""


def test_hover_shows_piece_movement_key_and_rule(editor: Editor) -> None:
    uri = editor.open("tiny.pieces", TINY)
    shown = hover(editor, uri, place(TINY, "P . ."))
    assert shown.startswith("**P** 🐎 pawn\n\n" + alfil.describe(alfil.loads(TINY)["P"]))
    assert "●" in shown
    assert alfil.describe("WfF") in hover(editor, uri, place(TINY, "WfF", 1))
    assert "spin(range) = range &t90° range" in hover(editor, uri, place(TINY, "spin(n4dO)"))
    assert "cannot capture it" in hover(editor, uri, place(TINY, "immune-to"))
    assert "its loss is the loss of the game" in hover(editor, uri, place(TINY, "royal"))
    assert "`no`, `yes`, `free`" in hover(editor, uri, place(TINY, "drops"))
    assert hover(editor, uri, place(TINY, "nearest rank")) == ""


def test_hover_answers_where_other_lines_are_wrong(editor: Editor) -> None:
    text = 'piece G "griffon" betza=FyafsF\npiece P "'
    uri = editor.open("half.pieces", text)
    assert alfil.describe("FyafsF") in hover(editor, uri, place(text, "G"))


def test_hover_tells_functions_apart_whose_names_begin_alike() -> None:
    text = "define spin2(x) = x\ndefine spin(r) = r\npiece H hasinu=spin(n4dO)\n"
    document = make_document("file:///a", {"file:///a": text}, "utf-16", "")
    assert document
    shown = hover_at(document, types.Position(2, 17), pictures=False)
    assert "spin(r) = r" in str(shown)


def test_pictures_are_sent_to_editors_that_show_them(other_editor: Editor) -> None:
    uri = other_editor.open("tiny.pieces", TINY)
    assert PICTURE in hover(other_editor, uri, place(TINY, "P . ."))


COMPLETIONS: dict[str, tuple[str, set[str], set[str]]] = {
    "keyword": ("pie‸", {"piece", "rule"}, {"K"}),
    "keys": ('piece N "n" betza=N kan‸', {"kanji", "royal", "hasinu"}, {"betza"}),
    "codes": ('piece N "n" betza=N\npiece X "x" betza=W promotes=‸', {"N"}, {"n"}),
    "later codes": ('piece N "n" betza=N\npiece X "x" promotes=N,‸', {"N"}, set()),
    "included codes": ('include chess\npiece X "x" promotes=‸', {"Q", "K"}, set()),
    "row": ('piece N "n" betza=N\nsetup\n| . ‸', {"N"}, {"piece"}),
    "rules": ("rule sta‸", {"stalemate", "repetition"}, {"mate,goal"}),
    "values": ("rule stalemate = ‸", {"draw", "loss", "win"}, {"stalemate"}),
    "choices": ('piece N "n" betza=N mates=‸', {"drawn", "never"}, {"N"}),
    "regions": ('board 9x9\nregion near ranks=1-3\npiece N "n" within=‸', {"near"}, {"N"}),
    "letters": ('piece N "n" betza=‸', {"N", "f", "m"}, {"t"}),
    "letters of a dialect": ('piece N "n" xboard=‸', {"N", "t"}, {"U"}),
    "functions": ('define spin(r) = r\npiece N "n" hasinu="‸', {"spin", "rpg", "atmove"}, {"N"}),
    "sets": ("include ‸", {"chess", "shogi"}, {"piece"}),
    "sides": ("setup ‸", {"first", "mirrored"}, set()),
    "tests": ("constraint 1 ‸", {"blockable", "on"}, set()),
    "comment": ("# ‸", set(), {"piece"}),
    "name": ('piece N "‸', set(), {"royal"}),
}


def test_completion_of_each_place(editor: Editor) -> None:
    wrong = {}
    for name, (text, there, absent) in COMPLETIONS.items():
        found = labels(editor, "writing.pieces", text).keys()
        if not there <= found or absent & found or (not there and found):
            wrong[name] = sorted(found)
    assert wrong == {}


def test_completions_have_a_meaning_and_replace_the_word(editor: Editor) -> None:
    text = 'piece 🐎 "Ħ" betza=N kan‸'
    item = labels(editor, "writing.pieces", text)["kanji"]
    assert meaning(item) == "the characters on the piece"
    assert isinstance(item.text_edit, types.TextEdit)
    assert applied(text.replace("‸", ""), [item.text_edit]) == 'piece 🐎 "Ħ" betza=N kanji='
    letter = labels(editor, "writing.pieces", 'piece L "l" xboard=f‸')["L"]
    assert meaning(letter) == alfil.describe(alfil.read("L", "xboard"))
    assert isinstance(letter.text_edit, types.TextEdit)
    assert applied('piece L "l" xboard=f', [letter.text_edit]) == 'piece L "l" xboard=fL'
    assert meaning(labels(editor, "w.pieces", 'piece L "l" betza=‸')["m"]).endswith(
        "ends on an empty square"
    )


def definition(editor: Editor, uri: str, position: types.Position) -> types.Location | None:
    found = editor.run(
        editor.client.text_document_definition_async(types.DefinitionParams(at(uri), position))
    )
    assert found is None or isinstance(found, types.Location)
    return found


def test_definitions_are_found_through_includes(editor: Editor) -> None:
    uri = editor.open("tiny.pieces", TINY)
    for use, defined in (
        (place(TINY, "P . ."), place(TINY, 'P "')),
        (place(TINY, "+G"), place(TINY, 'G "')),
        (place(TINY, "H*2"), place(TINY, 'H "')),
        (place(TINY, "spin(n4dO)"), place(TINY, "spin")),
        (place(TINY, "near betza"), place(TINY, "near")),
    ):
        found = definition(editor, uri, use)
        assert found
        assert (found.uri, found.range.start) == (uri, defined)
    part, middle = 'piece Y "y" betza=F\n', 'include "part.pieces"\n'
    outer = 'include "middle.pieces"\ninclude shogi only=K\npiece X "x" betza=W promotes=Y\n'
    part_uri, middle_uri = editor.open("part.pieces", part), editor.open("middle.pieces", middle)
    uri = editor.open("outer.pieces", outer)
    found = definition(editor, uri, place(outer, "Y"))
    assert found
    assert (found.uri, found.range.start) == (part_uri, place(part, "Y"))
    found = definition(editor, uri, place(outer, "middle"))
    assert found
    assert found.uri == middle_uri
    found = definition(editor, uri, place(outer, "K"))
    assert found
    assert found.uri.endswith("/pieces/shogi.pieces")
    assert definition(editor, uri, place(outer, "betza")) is None


def references(
    editor: Editor, uri: str, position: types.Position, *, declared: bool = True
) -> list[tuple[str, int, int]]:
    found = editor.run(
        editor.client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(declared), at(uri), position)
        )
    )
    return sorted(
        (each.uri, each.range.start.line, each.range.start.character) for each in found or ()
    )


def test_references_of_a_piece(editor: Editor) -> None:
    uri = editor.open("tiny.pieces", TINY)
    lines = [line for _, line, _ in references(editor, uri, place(TINY, "G .", 0))]
    assert lines == [9, 10, 10, 10, 16, 16]
    lines = [line for _, line, _ in references(editor, uri, place(TINY, 'P "'), declared=False)]
    assert lines == [12, 15, 17]


def renamed(
    editor: Editor, uri: str, position: types.Position, new: str
) -> dict[str, list[types.TextEdit]]:
    found = editor.run(
        editor.client.text_document_rename_async(
            types.RenameParams(text_document=at(uri), position=position, new_name=new)
        )
    )
    assert found
    assert found.changes
    return {each: list(edits) for each, edits in found.changes.items()}


def test_a_renamed_piece_keeps_the_game(editor: Editor) -> None:
    uri = editor.open("tiny.pieces", TINY)
    changes = renamed(editor, uri, place(TINY, "G ."), "R")
    text = applied(TINY, changes[uri])
    before, after = alfil.loads(TINY), alfil.loads(text)
    names = {"G": "R", "+G": "+R"}
    assert list(after) == [names.get(code, code) for code in before]
    assert [each.code for each in after.setup] == [
        names.get(each.code, each.code) for each in before.setup
    ]
    assert (after["P"].promotes, after["P"].immune_to) == (("+R", "R"), ("R",))
    changes = renamed(editor, uri, place(TINY, "spin(n4dO)"), "turn")
    assert applied(TINY, changes[uri]) == TINY.replace("spin", "turn")
    changes = renamed(editor, uri, place(TINY, "near betza"), "home")
    assert applied(TINY, changes[uri]) == TINY.replace("near ", "home ").replace(
        "=near\n", "=home\n"
    )


def test_a_piece_is_renamed_in_all_files_that_include_it(editor: Editor) -> None:
    part = 'piece Y "y" betza=F\n'
    outer = 'include "kept.pieces" only=Y\npiece X "x" betza=W promotes=Y\n'
    other = 'piece Y "another" betza=W\n'
    for name, text in (("kept", part), ("user", outer), ("apart", other)):
        (editor.folder / f"{name}.pieces").write_text(text, encoding="utf-8")
    uri = editor.open("user.pieces", outer)
    changes = renamed(editor, uri, place(outer, "Y", number=1), "YY")
    assert {each.rpartition("/")[2]: len(edits) for each, edits in changes.items()} == {
        "kept.pieces": 1,
        "user.pieces": 2,
    }
    with pytest.raises(Exception, match="has a piece X already"):
        renamed(editor, uri, place(outer, "Y"), "X")
    for name in ("", "a b", 'a"', "1a", "a,b"):
        with pytest.raises(Exception, match="cannot be the name of a piece"):
            renamed(editor, uri, place(outer, "Y"), name)
    sets = 'include chess\npiece X "x" betza=W promotes=Q\n'
    uri = editor.open("sets.pieces", sets)
    with pytest.raises(Exception, match="part of alfil"):
        renamed(editor, uri, place(sets, "Q"), "X")
    prepared = editor.run(
        editor.client.text_document_prepare_rename_async(
            types.PrepareRenameParams(at(uri), place(sets, "Q"))
        )
    )
    assert prepared is None


def formatted(editor: Editor, name: str, text: str) -> list[types.TextEdit]:
    uri = editor.open(name, text)
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    found = editor.run(
        editor.client.text_document_formatting_async(
            types.DocumentFormattingParams(at(uri), options)
        )
    )
    return list(found or ())


def test_formatting_keeps_line_breaks_and_leaves_mistakes_alone(editor: Editor) -> None:
    text = 'piece  GR   "griffon"   betza=FyafsF  # Ħ\r\npiece W "wazir" betza=W'
    (edit,) = formatted(editor, "layout.pieces", text)
    assert (edit.range.start, edit.range.end) == (types.Position(0, 0), place(text, "=W", 2))
    laid_out = edit.new_text
    assert laid_out == ('piece GR "griffon" betza=FyafsF  # Ħ\r\npiece W  "wazir"   betza=W\r\n')
    assert formatted(editor, "layout.pieces", laid_out) == []
    assert formatted(editor, "layout.pieces", 'piece GR   "griffon"  betza=E') == []


def actions(editor: Editor, name: str, text: str, word: str) -> list[types.CodeAction]:
    uri = editor.open(name, text)
    found = editor.run(
        editor.client.text_document_code_action_async(
            types.CodeActionParams(
                at(uri),
                types.Range(place(text, word), place(text, word)),
                types.CodeActionContext([]),
            )
        )
    )
    assert all(isinstance(each, types.CodeAction) for each in found or ())
    return [each for each in found or () if isinstance(each, types.CodeAction)]


def test_hints_become_code_actions(editor: Editor) -> None:
    wrong = {}
    for text, word, title, fixed in (
        ('piece W "w" betza=W kanij=歩', "kanij", "Write kanji", 'piece W "w" betza=W kanji=歩'),
        ("peice W", "peice", "Write piece", None),
        ("rule stalemat = loss", "stalemat", "Write stalemate", "rule stalemate = loss"),
        ('piece Ħ "w" betza="W03"', "03", "Write W3", 'piece Ħ "w" betza="W3"'),
        ("include chesss", "chesss", "Write chess", "include chess"),
    ):
        found = {each.title: each for each in actions(editor, "hint.pieces", text, word)}
        edit = found[title].edit if title in found else None
        changes = edit.changes if edit else None
        made = applied(text, list(*changes.values())) if changes else None
        if made != fixed:
            wrong[text] = found
    assert wrong == {}


def test_so_much_is_read_for_the_fixes_of_a_whole_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, for no answer tells how often a file was checked for it."""
    lines = [f'piece A{n} "n{n}" betza=W kanij=歩' for n in range(20)]
    text = "\n".join([*lines, *["#" * 99] * 800])
    document = make_document("file:///x", {"file:///x": text}, "utf-16", "")
    assert document
    whole = types.Range(types.Position(0, 0), document.positions.end())
    checked: list[str] = []

    def check(location: FileLocation) -> FileReport:
        checked.append(location.source.text)
        return check_file(location)

    monkeypatch.setattr(formatting_and_fixes, "check_file", check)
    assert formatting_and_fixes.code_actions(document, whole)
    assert sum(map(len, checked)) <= formatting_and_fixes.MAX_CHARACTERS_CHECKED + len(text)


def test_symbols(editor: Editor) -> None:
    uri = editor.open("tiny.pieces", TINY)
    found = editor.run(
        editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(at(uri)))
    )
    assert [(each.name, each.kind.name) for each in found or ()] == [
        ("Tiny shogi", "Module"),
        ("5x5", "Array"),
        ("spin(range)", "Function"),
        ("near", "Namespace"),
        ("K", "Class"),
        ("G", "Class"),
        ("P", "Class"),
        ("H", "Class"),
        ("setup", "Object"),
    ]


def test_an_error_inside_is_logged_and_answers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process: no request is known that makes one."""
    server, log = make_server(), []
    monkeypatch.setattr(server, "document", lambda uri: uri)
    monkeypatch.setattr(server, "window_log_message", lambda each: log.append(each.message))
    # In a thread, as another test may have a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        results = [
            pool.submit(lambda text: asyncio.run(server.run_task(text, int)), text).result()
            for text in ("x", "1")
        ]
    assert results == [None, 1]
    assert [each.split("\n")[0] for each in log] == ["alfil: internal error in int"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_places_are_found_again(encoding: str) -> None:
    text = "\ufeffĦ×🐎 x\r\n\r\n🐎\rĦ́"
    positions = PositionConverter(text, "<text>", types.PositionEncodingKind(encoding))
    length = len(positions.source.text)
    assert [positions.offset(positions.position(at)) for at in range(length + 1)] == [
        *range(length + 1)
    ]
    assert positions.offset(types.Position(99, 0)) == length
    assert positions.offset(types.Position(0, 99)) == text.index("\r") - 1
    assert positions.position(length + 9) == positions.end()


def prefixes(text: str, step: int) -> list[str]:
    """What a text is while it is typed, each so many characters longer."""
    return [text[:end] for end in range(1, len(text) + 1, step)]


ASKED: tuple[Callable[[Editor, types.TextDocumentIdentifier, types.Position], Any], ...] = (
    lambda editor, document, end: editor.client.text_document_completion_async(
        types.CompletionParams(document, end)
    ),
    lambda editor, document, end: editor.client.text_document_hover_async(
        types.HoverParams(document, end)
    ),
    lambda editor, document, end: editor.client.text_document_definition_async(
        types.DefinitionParams(document, end)
    ),
    lambda editor, document, _: editor.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(document)
    ),
    lambda editor, document, end: editor.client.text_document_code_action_async(
        types.CodeActionParams(document, types.Range(end, end), types.CodeActionContext([]))
    ),
)


def test_no_half_typed_file_is_an_internal_error(editor: Editor) -> None:
    """Each prefix is sent and asked about; the log of the fixture stays empty."""
    folder = Path(__file__).parents[1] / "pieces"
    texts = [
        TINY,
        *((folder / f"{name}.pieces").read_text("utf-8") for name in ("janggi", "chess")),
    ]
    for number, text in enumerate(texts):
        for count, prefix in enumerate(prefixes(text, 1 if number == 0 else 7)):
            uri = editor.open(f"typed{number}.pieces", prefix)
            lines = prefix.split("\n")
            end = types.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
            editor.run(ASKED[count % len(ASKED)](editor, at(uri), end))
        editor.diagnostics(f"typed{number}.pieces")
    assert editor.log == []


@pytest.mark.parametrize("length", ["99999999", "9" * 20, "9" * 9000])
def test_a_message_may_not_claim_any_length(length: str) -> None:
    sent = f"Content-Length: {length}\r\n\r\n".encode()
    command = [sys.executable, "-m", "alfil", "lsp"]
    result = subprocess.run(command, input=sent, capture_output=True, timeout=PATIENCE, check=False)
    assert result.returncode == 2
    assert b"too long" in result.stderr

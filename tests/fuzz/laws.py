"""What holds for every input: an answer or an error in words, and answers that agree.

A law raises AssertionError, or lets through what no public function may raise.
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from typing import NamedTuple
from xml.parsers import expat

from inputs import BETZA, NOTATIONS, Input, column, mutated, noise, one_text, placed, slips

import alfil
from strategies import Picker

PLACED = {"e": "enemies", "f": "friends", "r": "unmoved_friends", "k": "enemy_royals"}
# Letters that tell left from right.
ONE_SIDED = frozenset("lrh")
MOST = 100  # diagnostics in one report
NAMES = ("chess", "hand_shogi", "minishogi", "xiangqi")
OTHERS = tuple(each for each in NOTATIONS if each not in {"betza", "hasinu", "parlett"})
XLINK = "http://www.w3.org/1999/xlink"
RUNNING = {"script", "foreignObject", "image", "a", "iframe", "set", "animate"}


class Law(NamedTuple):
    """How inputs of a kind are made, and what holds for them; whether it was more than refused."""

    make: Callable[[Picker], Input]
    holds: Callable[..., bool]


def refused(error: alfil.AlfilError, length: int) -> bool:
    """An error says what, where and how it is called; always False, for nothing was read."""
    assert str(error)
    assert pickle.loads(pickle.dumps(error)).diagnostics == error.diagnostics
    return located(error, length)


def located(error: alfil.AlfilError, length: int) -> bool:
    """The same of an error without its report, which takes longer than the reading."""
    assert 0 < len(error.diagnostics) <= MOST
    assert len({*error.diagnostics}) == len(error.diagnostics), error.diagnostics
    for diagnostic in error.diagnostics:
        assert diagnostic.kind
        assert diagnostic.message
        assert diagnostic.spans
        # What is missing at the end is missed behind it.
        assert all(0 <= s <= e <= length + 1 and s <= length for s, e in diagnostic.spans), (
            diagnostic
        )
    return False


def read(notation: str, text: str) -> bool:
    """A text is read or refused; what was read is printed, and that read again as the same."""
    try:
        piece = alfil.read(text, notation)
    except alfil.AlfilError as error:
        return located(error, len(text))
    assert all(0 <= s <= e <= len(text) for each in piece.diagnostics for s, e in each.spans)
    printed = str(piece)
    assert str(alfil.read(printed, notation)) == printed
    assert "error" not in {each.severity for each in piece.diagnostics}
    return True


def told(notation: str, text: str) -> bool:
    """What is wrong with a text can be printed, and sent to another process; so can a piece."""
    try:
        piece = alfil.read(text, notation)
    except alfil.AlfilError as error:
        return refused(error, len(text))
    assert hash(pickle.loads(pickle.dumps(piece))) == hash(piece)
    return True


def whole(notation: str, text: str, board: str) -> bool:
    """Everything that can be asked of a piece: words, moves, tables, pictures, translations."""
    try:
        piece = alfil.read(text, notation)
        assert piece.meaning is not None
        printed = alfil.read(str(piece), notation)
    except alfil.AlfilError as error:
        return located(error, len(text))
    answered(lambda: alfil.same(piece, printed), piece)
    assert alfil.describe(piece)
    answered(lambda: moves_agree(piece, board), piece)
    answered(lambda: drawn(piece), piece)
    for target in ("betza", "hasinu", "parlett", OTHERS[len(text) % len(OTHERS)]):
        answered(lambda target=target: translated(piece, target), piece)
    other = text[: len(text) // 2] + text[len(text) // 2 + 1 :]
    answered(lambda: told_apart(piece, alfil.read(other, notation)), None)
    return True


def answered(ask: Callable[[], bool], piece: alfil.Piece | None) -> None:
    """A question is answered truly, or refused with a place in the text."""
    try:
        assert ask()
    except alfil.AlfilError as error:
        refused(error, len(piece.text) if piece else 1 << 30)


def scene(board: str) -> tuple[int, int, dict[str, object]]:
    """What stands on a board, by the words of `placed`."""
    size, at, made, *others = board.split()
    files, ranks = map(int, size.split("x"))
    placed: dict[str, list[tuple[int, int]]] = {letter: [] for letter in "@efrk"}
    for word in (at, *others):
        file, rank = map(int, word[1:].split("."))
        placed[word[0]].append((file, rank))
    (x, y), *_ = placed.pop("@")
    around = {PLACED[k]: {(f - x, r - y) for f, r in v} for k, v in placed.items()}
    past = {"many": None, "none": 0, "one": 1}[made]
    return files, ranks, {"at": (x, y), "moves_made": past, **around}


def moves_agree(piece: alfil.Piece, board: str) -> bool:
    """Automaton and table have the same moves, and in a mirror a piece without sides too."""
    files, ranks, around = scene(board)
    walked = alfil.moves(piece, files=files, ranks=ranks, **around)  # type: ignore[arg-type]
    table = alfil.compile(piece, files=files, ranks=ranks)
    assert table.to_json()
    assert table.moves(**around) == walked  # type: ignore[arg-type]
    if piece.notation != "betza" or set(piece.text) & ONE_SIDED:
        return True
    x, y = around["at"]  # type: ignore[misc]
    others = {name: {(-dx, dy) for dx, dy in around[name]} for name in PLACED.values()}  # type: ignore[attr-defined]
    turned = {"at": (files - 1 - x, y), "moves_made": around["moves_made"], **others}
    seen = alfil.moves(piece, files=files, ranks=ranks, **turned)  # type: ignore[arg-type]
    assert {effect(move) for move in seen} == {effect(move, -1) for move in walked}
    return True


def effect(move: alfil.PieceMove, way: int = 1) -> tuple[object, ...]:
    """Where a move ends and what it takes; in a mirror, where the way is -1."""
    squares = (frozenset(move.captures), frozenset(move.own_captures))
    ends = (way * move.to[0], move.to[1])
    return ends, *(frozenset((way * x, y) for x, y in each) for each in squares)


def drawn(piece: alfil.Piece) -> bool:
    """A picture under its text, and the same in words."""
    picture = alfil.draw(piece, label=piece.text[:40])
    return is_picture(picture.svg()) and bool(picture.text())


def translated(piece: alfil.Piece, target: str) -> bool:
    """What is translated without a loss is the same piece."""
    found = alfil.translate(piece, write=target)
    again = alfil.read(found.text, target)
    assert alfil.same(piece, again), (target, found.text)
    return True


def told_apart(one: alfil.Piece, other: alfil.Piece) -> bool:
    """A witness is a position in which just one of two pieces has the move."""
    found = alfil.difference(one, other)
    # That two are not proved to be the same is no difference.
    assert found is None or not alfil.same(one, other)
    if found and found.move:
        arguments = found.arguments()
        has = [found.move in alfil.moves(each, **arguments) for each in (one, other)]  # type: ignore[arg-type]
        assert has == [found.only == "first", found.only == "second"]
    return True


class Inert(HTMLParser):
    """Refuses what a page may not have: scripts of others, handlers, links that run something."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at a tag."""
        assert tag not in {"iframe", "object", "embed", "img", "base"}, tag
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            assert name not in {"href", "src", "xlink:href"} or (value or "#")[0] == "#", value


def is_picture(svg: str) -> bool:
    """Well-formed, with nothing in it that runs or fetches."""
    reader = expat.ParserCreate(namespace_separator=" ")
    tags: set[str] = set()
    names: set[str] = set()
    links: set[str] = set()

    def element(tag: str, attributes: dict[str, str]) -> None:
        tags.add(tag)
        names.update(attributes)
        if "href" in attributes or f"{XLINK} href" in attributes:
            links.update((attributes.get("href", "#"), attributes.get(f"{XLINK} href", "#")))

    reader.StartElementHandler = element
    reader.Parse(svg, True)  # noqa: FBT003 - expat knows no name for the last part
    assert not {tag.rpartition(" ")[2] for tag in tags} & RUNNING, tags
    local = {name.rpartition(" ")[2] for name in names}
    assert not any(name.startswith("on") for name in local), local
    assert {name for name in names if name.endswith("href")} <= {"href", f"{XLINK} href"}, names
    assert all(link.startswith("#") for link in links), links
    return True


def labelled(text: str) -> bool:
    """A picture and a page under any name."""
    try:
        picture = alfil.draw("fRbB", label=text)
        svg, page = picture.svg(), picture.render("html").decode()
    except alfil.AlfilError as error:
        return refused(error, 1 << 30)
    is_picture(svg)
    reader = Inert()
    reader.feed(page)
    reader.close()
    assert page.count("<script") == PLAIN.count("<script")
    return True


PLAIN = alfil.draw("fRbB", label="x").render("html").decode()


def piece_file(text: str) -> bool:
    """A piece file is a library or an error; its game can be played."""
    try:
        library = alfil.loads(text)
        game = library.game()
    except alfil.AlfilError as error:
        return refused(error, 1 << 30)
    chance = random.Random(len(text))
    for _ in range(4):
        if game.outcome() or not game.legal_moves:
            break
        game.push(game.random_move(chance))
    assert alfil.loads(text).game(game.position_text()).position_text() == game.position_text()
    return True


def record(text: str) -> bool:
    """A record is a match or an error; written again it has the same moves."""
    try:
        session = alfil.records.read_match(text, recover=len(text) % 2 == 0)
        written = alfil.records.write_games(session, "hodges")
    except alfil.AlfilError as error:
        return refused(error, 1 << 30)
    again = alfil.records.read_match(written, recover=True)
    assert [each.texts for each in again.rounds] == [each.texts for each in session.rounds]
    return True


def games(form: str, text: str) -> bool:
    """The same for what others write."""
    try:
        return bool(alfil.records.read_games(text, form=form))
    except alfil.AlfilError as error:
        return refused(error, 1 << 30)


def position(name: str, text: str) -> bool:
    """A position is read or refused; what was read is written, and that read as the same."""
    try:
        game = alfil.load(name).game(text)
    except alfil.AlfilError as error:
        return refused(error, 1 << 30)
    again = alfil.load(name).game(game.position_text())
    assert (again.key, again.position_text()) == (game.key, game.position_text())
    assert again.legal_moves == game.legal_moves
    return True


def move(name: str, text: str) -> bool:
    """A move is made or refused; taken back, or refused, it leaves all as it was."""
    game = GAMES[name]
    before = game.position_text(), game.key, game.moves
    try:
        game.push(text)
    except alfil.AlfilError as error:
        assert (game.position_text(), game.key, game.moves) == before
        return refused(error, max(len(text), 1))
    assert len(game.moves) == 1
    game.pop()
    assert (game.position_text(), game.key, game.moves) == before
    return True


GAMES = {name: alfil.load(name).game() for name in NAMES}


def ini(text: str) -> bool:
    """What is wrong in a file of variants is said with a place in it."""
    for diagnostic in alfil.check_ini(text):
        assert diagnostic.spans
        assert all(0 <= start <= end <= len(text) for start, end in diagnostic.spans)
    return "[" in text


def location(text: str) -> bool:
    """A location is read or refused, and printed as it was read."""
    for parse in (alfil.locations.parse_location, alfil.locations.from_chess):
        try:
            found = parse(text)
        except alfil.AlfilError as error:
            refused(error, max(len(text), 1))
        else:
            assert alfil.locations.parse_location(str(found)) == found
    return True


def played(notation: str, text: str, board: str) -> bool:
    """In a game without other rules a piece has just the moves of `alfil.moves`."""
    files, ranks, around = scene(board)
    if files < 2 or ranks < 2 or '"' in text or around["moves_made"] is not None:
        return False
    for name in ("enemy_royals", "unmoved_friends"):
        around[name] = set()
    x, y = around["at"]  # type: ignore[misc]
    rows = [["1"] * files for _ in range(ranks)]
    rows[y][x] = "P"
    for name, letter in (("enemies", "q"), ("friends", "Q")):
        for dx, dy in around[name]:  # type: ignore[attr-defined]
            rows[y + dy][x + dx] = letter
    sfen = "/".join("".join(row) for row in reversed(rows))
    try:
        piece = alfil.read(text, notation)
        if "royal" in {fact.name for fact in piece.meaning.facts}:
            return False
        known = alfil.moves(piece, files=files, ranks=ranks, **around)  # type: ignore[arg-type]
        game = alfil.loads(GAME.format(files, ranks, notation, text)).game(f"{sfen} w - 9")
    except alfil.AlfilError as error:
        return refused(error, 1 << 30)
    legal = {
        (each.target, frozenset(each.captures))
        for each in game.legal_moves
        if each.origin == (x, y)
    }
    taken = [(move.to, (*move.captures, *move.own_captures)) for move in known]
    expected = {
        ((x + to[0], y + to[1]), frozenset((x + dx, y + dy) for dx, dy in squares))
        for to, squares in taken
    }
    assert legal == expected, legal ^ expected
    return True


GAME = """board {}x{}
rule first = white
piece P "piece" {}="{}"
piece Q "other" betza=W
"""


def of_games(picker: Picker) -> Input:
    """A game and the text of a move, right but for slips."""
    name = picker.pick(NAMES)
    texts = [str(each) for each in GAMES[name].legal_moves]
    return name, _slipped(picker, picker.pick(texts), "KTSHGPDNLUxo*+-=@12359abcefghi")


def _slipped(picker: Picker, text: str, signs: str) -> str:
    return noise(picker, signs) if picker.chance(4) else slips(picker, text, signs)


def positions(picker: Picker) -> Input:
    """A game and a position, right but for slips."""
    name = picker.pick(("hand_shogi", "minishogi", "chess"))
    file, number = {"hand_shogi": ("hand_shogi_moves.tsv", 1)}.get(name, (f"{name}_perft.tsv", 0))
    return name, _slipped(picker, picker.pick(column(file, number)), "KTSHGPDNLkgnp1239+/ bw-0")


def labels(picker: Picker) -> Input:
    """Names nobody should have."""
    bad = picker.pick(("", "<script>alert(1)</script>", "\"onload='x'", "]]>&lt;", "javascript:x"))
    return (noise(picker) + bad + noise(picker, BETZA),)


LAWS: Mapping[str, Law] = {
    "read": Law(one_text, read),
    "told": Law(one_text, told),
    "whole": Law(placed, whole),
    "game": Law(placed, played),
    "label": Law(labels, labelled),
    "pieces": Law(
        mutated("pieces/*.pieces", "tests/cases/pieces/*", signs='|.K"= #piece*+/'), piece_file
    ),
    "record": Law(mutated("tests/cases/records/*", signs="KSxo*+-=.{}123abc \n"), record),
    "position": Law(positions, position),
    "move": Law(of_games, move),
    "ini": Law(mutated("tests/cases/*.ini", signs="=:[]#;*-abcKQ123 \n"), ini),
    "location": Law(
        lambda picker: (_slipped(picker, picker.pick(column("locations.tsv")), "a1*A5.-b26"),),
        location,
    ),
}

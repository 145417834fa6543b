"""The rules page of a game, made from its piece file: `alfil rules`.

What no field tells, history above all, stands beside the file in one with the same name that ends
in ``.introduction.md``.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from alfil.api import describe, write
from alfil.english.words import listed
from alfil.errors import AlfilError
from alfil.grammars import data_names, read_data
from alfil.library.files import FOLDER, SUFFIX, bundled_names
from alfil.library.library import Library, constraints
from alfil.library.model import Entry
from alfil.library.move_examples import Example, examples
from alfil.library.rule_words import Words, count, named
from alfil.movement.nodes import Royal
from alfil.play.game import Game

INTRODUCTION = ".introduction.md"
COLUMNS = 4
STATUS = {
    "given": "known",
    "deduced": "**deduced**",
    "reconstructed": "**reconstructed**",
    "user": "**set by the user**",
}

EXACTLY = "Behind each rule stands the field of the piece file that makes it one."


def page(library: Library, *, pictures: str = "", made: str = "", documents: bool = False) -> str:
    """The rules of a game as Markdown.

    ``pictures`` is what the names of its pictures begin with, as the page links them; without it
    there are none. ``made`` says where the page is from. With ``documents`` it stands beside the
    documents of alfil and links them. Raises what `Library.game` does.

    >>> from alfil import load
    >>> print(page(load("chess")).splitlines()[0])
    # Chess
    """
    start = library.game()
    words = Words(library.variant)
    made = made or f"from {library.source.name} by alfil rules"
    exactly = " [games.md](games.md#what-the-rules-do) says exactly what each field does."
    parts = [
        [f"# {_title(library)}", f"<!-- {made} -->"],
        [*_introduction(library)],
        ["## Board and set-up", *_setup(library, start, words, pictures, documents=documents)],
        ["## Pieces", *_pieces(library, pictures)],
        [*_doubtful(library)],
        ["## A turn", EXACTLY + exactly * documents, _list(words.turn())],
        ["## Promotion", _list(words.promotion())],
        ["## Drops", _list(words.drops())],
        [*_section("## Pieces on one file", words.files())],
        ["## Check and mate", _list(words.check())],
        ["## Repetition and impasse", _list(words.draws())],
        ["## The match", _list(words.match())],
        ["## Moves in text", *_notation(library, documents=documents)],
        ["## The first move", *_first_moves(library, start)],
        [*_constraints(library)],
    ]
    return "\n\n".join(text for part in parts for text in part) + "\n"


def pictures_of(library: Library) -> dict[str, bytes]:
    """The pictures of a page, by the ends of their names."""
    return {
        "-setup.svg": library.picture().render("svg"),
        "-pieces.svg": library.sheet(columns=COLUMNS).render("svg"),
    }


def _title(library: Library) -> str:
    return library.title or library.name


def _introduction(library: Library) -> Iterator[str]:
    """What stands beside the file, if anything does."""
    name = library.source.name
    beside = name.removesuffix(SUFFIX) + INTRODUCTION
    if name == library.name + SUFFIX and library.name in bundled_names():
        if beside in data_names(FOLDER, FOLDER):
            yield read_data(FOLDER, beside, FOLDER).rstrip()
    elif name.endswith(SUFFIX) and os.path.isfile(beside):
        with open(beside, encoding="utf-8") as file:
            yield file.read().rstrip()


def _list(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {each}" for each in sentences)


def _section(title: str, sentences: list[str]) -> list[str]:
    return [title, _list(sentences)] if sentences else []


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    titles = [*head]
    lines = [f"| {' | '.join(map(str, line))} |" for line in (titles, *rows)]
    return "\n".join([lines[0], "|---" * len(titles) + "|", *lines[1:]])


def _code(text: str) -> str:
    """A text as code in a table."""
    return f"`{text.replace('|', chr(92) + '|')}`" if text else "–"


def _setup(
    library: Library, start: Game, words: Words, pictures: str, *, documents: bool
) -> Iterator[str]:
    files, ranks = library.files, library.ranks
    names = "Files are numbered from the right, ranks have letters from the top"
    if library.rules.first == "white":
        names = "Files have letters from the left, ranks are numbered from the bottom"
    yield f"{files} × {ranks} squares. {names}. {_sets(library, words)} {_array(library)}"
    if pictures:
        yield f"![{_title(library)}: the set-up]({pictures}-setup.svg)"
    yield f"```\n{library.picture()}\n```"
    more = " ([games.md](games.md#positions-in-text))" * documents
    yield f"As a position in text{more}: `{start.sfen()}`"


def _sets(library: Library, words: Words) -> str:
    """How many pieces each side has on the board and in hand."""
    told = []
    for side in (0, 1):
        board = sum(each.side == side for each in library.setup)
        held = dict(library.hands[side])
        in_hand = ", ".join(
            f"{library[code].name}{f' ×{number}' if number > 1 else ''}"
            for code, number in held.items()
        )
        hand = f", and {sum(held.values())} in hand: {in_hand}" if held else ""
        total = f"{board + sum(held.values())} pieces, {board} on the board" if held else ""
        told.append(f"{total or count(board, 'piece') + ' on the board'}{hand}.")
    if told[0] == told[1]:
        return f"Each side has {told[0]}"
    return f"{words.sides[0]} has {told[0]} {words.sides[1]} has {told[1]}"


def _array(library: Library) -> str:
    """How the second side's array comes from the first's."""
    first, second = (
        {(each.square, each.code) for each in library.setup if each.side == side} for side in (0, 1)
    )
    last = library.files - 1, library.ranks - 1
    turned = {((last[0] - x, last[1] - y), code) for (x, y), code in first}
    mirrored = {((x, last[1] - y), code) for (x, y), code in first}
    if second == turned:
        return "Each array is the other turned by half a turn."
    return "The arrays mirror each other." if second == mirrored else "The arrays differ."


def _pieces(library: Library, pictures: str) -> Iterator[str]:
    letters = {kind.code: kind.letter for kind in library.variant.kinds}
    begin = Counter(each.code for each in library.setup if each.side == 0)
    begin.update(dict(library.hands[0]))
    head = ("code", "letter", "name", "kanji", "each side", "Betza", "Ħasínū", "the move is")
    yield _table(
        head,
        (
            (
                _code(entry.code),
                _code(letters[entry.code]),
                entry.name,
                entry.kanji or "–",
                begin[entry.code] or "–",
                _code(_text(entry, "betza")),
                _code(_text(entry, "hasinu")),
                STATUS[entry.status],
            )
            for entry in library.pieces
        ),
    )
    if pictures:
        yield f"![{_title(library)}: how the pieces move]({pictures}-pieces.svg)"
    yield _list(_moves(entry) for entry in library.pieces)


def _text(entry: Entry, notation: str) -> str:
    """A movement in a notation, as the file has it if it has; empty where there is no form."""
    for piece in entry.movements:
        if piece.notation == notation:
            return piece.text.strip()
    try:
        return write(entry.piece, notation)
    except AlfilError:
        return ""


def _moves(entry: Entry) -> str:
    doubt = "" if entry.status == "given" else f" This move is {STATUS[entry.status]}."
    stated = any(isinstance(fact.truth, Royal) for fact in entry.piece.movement.facts)
    royal = " It is royal." if entry.royal and not stated else ""
    note = f" Note: {entry.note}." if entry.note else ""
    return f"**{entry.name}** ({entry.code}): {describe(entry.piece)}{royal}{doubt}{note}"


def _doubtful(library: Library) -> Iterator[str]:
    """Which moves are not known, said once more and plainly."""
    found: dict[str, list[str]] = {}
    for kind in library.variant.kinds:
        if kind.status != "given":
            found.setdefault(kind.status, []).append(named(kind))
    if not found:
        return
    yield "### How far the moves are known"
    said = {
        "reconstructed": "The moves given here for {} are a **reconstruction**: they make the game"
        " playable, and nothing says that they are the original moves, which are lost.",
        "deduced": "The move of {} is **deduced** from what is known of the piece.",
        "user": "The move of {} was **set by the user**.",
    }
    yield _list(said[status].format(listed(names, "and")) for status, names in found.items())
    codes = [entry.code for entry in library.pieces if entry.status == "reconstructed"]
    if codes:
        yield (
            "Every command that takes a piece file gives a piece another move with `--piece"
            f" CODE=MOVE`, and `alfil.load({library.name!r}, pieces={{…}})` does so in Python."
        )


def _notation(library: Library, *, documents: bool) -> Iterator[str]:
    more = " [records.md](records.md) has the rules of all three." * documents
    yield (
        "The same moves in Hodges notation, which people write, in USI-like text, and in CELL as"
        f" programs do that write UCI.{more} Positions are those before the move."
    )
    yield _table(
        ("what", "Hodges", "USI-like", "CELL", "position"),
        (_example(each) for each in examples(library.variant)),
    )


def _example(example: Example) -> tuple[str, ...]:
    position = _code(example.position) if example.position else "start"
    texts = (example.hodges, example.usi, example.cell)
    return (example.what, *map(_code, texts), position)


def _first_moves(library: Library, start: Game) -> Iterator[str]:
    moves = start.legal_moves
    drops = Counter(move.code for move in moves if move.is_drop)
    board = Counter(move.code for move in moves if not move.is_drop)
    kinds = f", {sum(board.values())} on the board and {sum(drops.values())} drops" if drops else ""
    yield (f"There are {len(moves)} legal first moves{kinds}; {start.perft(2):,} sequences of two.")
    codes = [code for code in library if board[code] or drops[code] or _held(library, code)]
    yield _table(
        ("piece", "moves", "drops", ""),
        (
            (
                named(library.variant.kind(code)),
                board[code] or "–",
                drops[code] if _held(library, code) else "–",
                "rests on a move that is not known" if _rests(library[code], board) else "",
            )
            for code in codes
        ),
    )


def _held(library: Library, code: str) -> bool:
    return code in dict(library.hands[0])


def _rests(entry: Entry, board: Counter[str]) -> bool:
    """Whether a count of first moves depends on a reconstructed move."""
    looked_at = board[entry.code] or entry.drop_check != "free" or entry.drop_mate == "barred"
    return entry.status == "reconstructed" and bool(looked_at)


def _constraints(library: Library) -> Iterator[str]:
    found = constraints(library)
    if not found:
        return
    yield "## Conditions on the moves that are not known"
    yield (
        f"A file can name conditions; `alfil check {library.name} --constraints` prints this table"
        " for the moves in use. A required condition that fails makes the check fail."
    )
    yield _table(
        ("no.", "pieces", "condition", "from", "required", "for the moves in use it"),
        (
            (
                each.constraint.number,
                ", ".join(each.constraint.codes),
                each.constraint.words,
                each.constraint.origin,
                "yes" if each.constraint.required else "no",
                _verdict(each.holds, each.failing, each.figures),
            )
            for each in found
        ),
    )


def _verdict(holds: bool, failing: tuple[str, ...], figures: tuple[float, ...]) -> str:  # noqa: FBT001 - a fact, not a switch
    shown = f" ({', '.join(f'{figure:.2f}' for figure in figures)})" if figures else ""
    return f"{'holds' if holds else 'does not hold for ' + ', '.join(failing)}{shown}"

"""Rules pages of games: `alfil rules`.

The sentences about rules are those of rule_sentences.py. What no field tells, history above all,
stands beside the file in one with the same name that ends in ``.introduction.md``.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from alfil.api import write
from alfil.data_files import data_file_names, read_data
from alfil.errors import AlfilError, join_words, plural
from alfil.game.moves import Move
from alfil.game.variant import StartingPiece
from alfil.library.file_locations import (
    FOLDER,
    PIECE_FILE_SUFFIX,
    bundled_set_names,
    split_name_and_reading,
)
from alfil.library.file_report import constraint_verdicts
from alfil.library.library import Library
from alfil.library.move_examples import NotatedMoveExample, move_examples
from alfil.library.piece_file import Entry
from alfil.library.rule_sentences import RuleSentences, count_in_words, name_and_code, sentences
from alfil.meaning.piece_meaning import footprint_of
from alfil.movement.nodes import Royal
from alfil.play.game import Game
from alfil.play.records.move_notations import usual_move_notation
from alfil.squares import Square

INTRODUCTION_SUFFIX = ".introduction.md"
COLUMNS = 4
STATUS_WORDS = {
    "given": "known",
    "deduced": "**deduced**",
    "reconstructed": "**reconstructed**",
    "user": "**set by the user**",
}

COUNT_NOTE = (
    ". In such a text a piece on a square where one like it began has not moved, and every other"
    " one has, unless a field `m=` says otherwise."
)

# Signs that make something else of a text in Markdown, so that it could bring in HTML or a link.
MARKDOWN_SIGNS = re.compile(r"[\\`*_\[\]<|]")

EXACT_RULES_NOTE = "After each rule, in brackets, is the field of the piece file that makes it one."


def rules_page(
    library: Library, *, pictures: str = "", made: str = "", documents: bool = False
) -> str:
    """The rules of a game as Markdown.

    ``pictures`` is what the names of its pictures begin with, as the page links them; without it
    there are none. ``made`` says where the page is from. With ``documents`` it stands beside the
    documents of alfil and links them. Raises what `Library.game` does.

    >>> from alfil import load
    >>> print(rules_page(load("chess")).splitlines()[0])
    # Chess
    """
    start, drawing = library.game(), str(library.picture())
    library = _escaped_library(library)
    texts = RuleSentences(library.variant)
    made = made or f"from {library.source.name} by alfil rules"
    exactly = " [games.md](games.md#what-the-rules-do) says exactly what each field does."
    parts = [
        [f"# {library.heading}", f"<!-- {made.replace('>', '')} -->"],
        [*_introduction_section(library), *_game_readings_section(library)],
        ["## Board and starting position", *_setup_section(library, texts, pictures)],
        [
            "```\n" + drawing.replace("```", "'''") + "\n```",
            _position_sentence(start, texts, documents=documents),
        ],
        ["## Pieces", *_pieces_section(library, texts, pictures)],
        [*_doubtful_moves_section(library, texts)],
        [*_rules_sections(texts, EXACT_RULES_NOTE + exactly * documents)],
        ["## Moves in text", *_move_notation_section(library, documents=documents)],
        ["## The first move", *_first_move_counts_section(library, start)],
        [*_constraints_section(library)],
    ]
    return "\n\n".join(text for part in parts for text in part) + "\n"


def pictures_by_suffix(library: Library) -> dict[str, bytes]:
    """The pictures of a page, by the ends of their names."""
    return {
        "-setup.svg": library.picture().render("svg"),
        "-pieces.svg": library.sheet(columns=COLUMNS).render("svg"),
    }


def _introduction_section(library: Library) -> Iterator[str]:
    """What stands beside the file, if anything does."""
    name = library.source.name
    beside = name.removesuffix(PIECE_FILE_SUFFIX) + INTRODUCTION_SUFFIX
    plain_name, _ = split_name_and_reading(library.name)
    if name == plain_name + PIECE_FILE_SUFFIX and plain_name in bundled_set_names():
        if beside in data_file_names(FOLDER):
            yield read_data(FOLDER, beside).rstrip()
    elif name.endswith(PIECE_FILE_SUFFIX) and os.path.isfile(beside):
        with open(beside, encoding="utf-8") as file:
            yield file.read().rstrip()


def _game_readings_section(library: Library) -> Iterator[str]:
    """The readings of the game, and which of them the page has."""
    if not library.readings:
        return
    chosen = next(
        (each for each in library.readings if each.name == library.reading),
        next((each for each in library.readings if each.is_default), None),
    )
    this = f" This page has the reading `{chosen.name}`." if chosen else ""
    yield f"Sources differ; `--reading NAME` chooses one of their readings.{this}"
    yield _bullet_list(
        f"`{each.name}`: {each.words}{_sources_in_words(each.sources)}."
        for each in library.readings
    )


def _sources_in_words(sources: Iterable[str]) -> str:
    names = ", ".join(sources)
    return f" (source: {names})" if names else ""


def _bullet_list(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {each}" for each in sentences)


def _rules_sections(texts: RuleSentences, exact_rules_note: str) -> Iterator[str]:
    """A heading and a list for each section of which something is told."""
    headings = [row.section for row in sentences() if row.section.startswith("## ")]
    for heading in dict.fromkeys(headings):
        paragraphs = [*texts.sentences(heading)]
        if paragraphs:
            yield texts.heading(heading)
            yield from [exact_rules_note] if heading == headings[0] else []
            yield _bullet_list(paragraphs)


def _markdown_table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    titles = [*head]
    lines = [f"| {' | '.join(map(str, line))} |" for line in (titles, *rows)]
    return "\n".join([lines[0], "|---" * len(titles) + "|", *lines[1:]])


def _code_table_cell(text: str) -> str:
    """A text as code in a table, between more backticks than it has in a row."""
    runs = re.findall("`+", text)
    ticks = "`" * (1 + max(map(len, runs), default=0))
    space = " " * bool(runs)
    return f"{ticks}{space}{text.replace('|', chr(92) + '|')}{space}{ticks}" if text else "–"


def escaped_markdown(text: str) -> str:
    """A text of an author as Markdown that shows just that, and is no HTML."""
    return MARKDOWN_SIGNS.sub(r"\\\g<0>", text)


def _escaped_library(library: Library) -> Library:
    """A library whose names, notes and words are Markdown."""
    entries = [
        replace(
            entry,
            name=escaped_markdown(entry.name),
            kanji=escaped_markdown(entry.kanji),
            note=escaped_markdown(entry.note),
        )
        for entry in library.pieces
    ]
    said = [
        replace(
            each,
            number=escaped_markdown(each.number),
            words=escaped_markdown(each.words),
            origin=escaped_markdown(each.origin),
        )
        for each in library.constraints
    ]
    name, title = library.name.replace("`", "'"), escaped_markdown(library.title)
    return replace(library, name=name, title=title, pieces=tuple(entries), constraints=tuple(said))


def _setup_section(library: Library, texts: RuleSentences, pictures: str) -> Iterator[str]:
    files, ranks = library.files, library.ranks
    names = "Files are numbered from the right, ranks have letters from the top"
    if library.rules.first == "white":
        names = "Files have letters from the left, ranks are numbered from the bottom"
    yield (
        f"{files} × {ranks} squares. {names}. {_piece_counts_text(library, texts)} "
        f"{_array_symmetry(library)}"
    )
    if pictures:
        yield f"![{library.heading}: the starting position]({pictures}-setup.svg)"


def _position_sentence(start: Game, texts: RuleSentences, *, documents: bool) -> str:
    more = " ([games.md](games.md#positions-in-text))" * documents
    return (
        f"As a position in text{more}: `{start.position_text()}`{COUNT_NOTE * texts.uses_history}"
    )


def _piece_counts_text(library: Library, texts: RuleSentences) -> str:
    """How many pieces each side has on the board and in hand."""
    counts = []
    for side in (0, 1):
        board = sum(each.side == side for each in library.setup)
        held = dict(library.hands[side])
        in_hand = ", ".join(
            f"{library[code].name}{f' ×{number}' if number > 1 else ''}"
            for code, number in held.items()
        )
        hand = f", and {sum(held.values())} in hand: {in_hand}" if held else ""
        total = f"{board + sum(held.values())} pieces, {board} on the board" if held else ""
        counts.append(f"{total or count_in_words(board, 'piece') + ' on the board'}{hand}.")
    if counts[0] == counts[1]:
        return f"Each side has {counts[0]}"
    return f"{texts.sides[0]} has {counts[0]} {texts.sides[1]} has {counts[1]}"


def _array_symmetry(library: Library) -> str:
    """How the second side's array comes from the first's."""
    first, second = (
        {
            (square, each.code)
            for each in library.setup
            if each.side == side
            for square in _squares_taken_up(library, each)
        }
        for side in (0, 1)
    )
    last = library.files - 1, library.ranks - 1
    turned = {((last[0] - x, last[1] - y), code) for (x, y), code in first}
    mirrored = {((x, last[1] - y), code) for (x, y), code in first}
    if second == turned:
        return "Each side's array is that of the other, rotated by 180°."
    return "The arrays mirror each other." if second == mirrored else "The arrays differ."


def _squares_taken_up(library: Library, each: StartingPiece) -> Iterator[Square]:
    """The squares of a piece at the start, which may be larger than one."""
    (x, y), forward = each.square, 1 - 2 * each.side
    for right, ahead in footprint_of(library.variant.kind(each.code).meaning.facts):
        yield x + forward * right, y + forward * ahead


def _starting_counts(library: Library, side: int) -> Counter[str]:
    """How many pieces of each kind a side begins with, on the board and in hand."""
    begin = Counter(each.code for each in library.setup if each.side == side)
    begin.update(dict(library.hands[side]))
    return begin


def _pieces_section(library: Library, texts: RuleSentences, pictures: str) -> Iterator[str]:
    letters = {kind.code: kind.text_symbol for kind in library.variant.kinds}
    counted = {name: _starting_counts(library, side) for side, name in enumerate(texts.sides)}
    first, second = counted.values()
    counted = {"each side": first} if first == second else counted
    head = ("code", "letter", "name", "kanji", *counted, "Betza", "Ħasínū", "the move is")
    yield _markdown_table(
        head,
        (
            (
                _code_table_cell(entry.code),
                _code_table_cell(letters[entry.code]),
                entry.name,
                entry.kanji or "–",
                *(number[entry.code] or "–" for number in counted.values()),
                _code_table_cell(_notation_text(entry, "betza")),
                _code_table_cell(_notation_text(entry, "hasinu")),
                STATUS_WORDS[entry.status],
            )
            for entry in library.pieces
        ),
    )
    if pictures:
        yield f"![{library.heading}: how the pieces move]({pictures}-pieces.svg)"
    yield _bullet_list(_moves_text(entry, texts) for entry in library.pieces)


def _notation_text(entry: Entry, notation: str) -> str:
    """A movement in a notation, as the file has it if it has; empty where there is no form."""
    for piece in entry.movements:
        if piece.notation == notation:
            return piece.text.strip()
    try:
        return write(entry.piece, notation)
    except AlfilError:
        return ""


def _moves_text(entry: Entry, texts: RuleSentences) -> str:
    doubt = "" if entry.status == "given" else f" This move is {STATUS_WORDS[entry.status]}."
    stated = any(isinstance(fact.truth, Royal) for fact in entry.piece.movement.facts)
    royal = " It is royal." if entry.royal and not stated else ""
    note = f" Note: {entry.note}." if entry.note else ""
    how = texts.movement_in_words(entry.piece)
    return f"**{entry.name}** ({entry.code}): {how}{royal}{doubt}{note}"


def _doubtful_moves_section(library: Library, texts: RuleSentences) -> Iterator[str]:
    """Which moves are not known, said once more and plainly."""
    result: dict[str, list[str]] = {}
    for kind in library.variant.kinds:
        if kind.status != "given":
            result.setdefault(kind.status, []).append(name_and_code(kind))
    if not result:
        return
    yield "### How far the moves are known"
    yield _bullet_list(
        sentence
        for status, names in result.items()
        for sentence in texts.sentences(
            "doubt", {"status": status, "names": join_words(names, "and")}
        )
    )
    codes = [entry.code for entry in library.pieces if entry.status == "reconstructed"]
    if codes:
        yield (
            "`alfil play` and other commands give a piece another move with `--piece CODE=MOVE`,"
            f" and `alfil.load({library.name!r}, pieces={{…}})` does so in Python."
        )


def _move_notation_section(library: Library, *, documents: bool) -> Iterator[str]:
    more = " [records.md](records.md) has the rules of all three." * documents
    usual = {"san": "SAN", "hodges": "Hodges notation"}[usual_move_notation(library.variant)]
    examples = [*move_examples(library.variant)]
    # A drop is the same in both.
    if any(each.usual == each.usi and "*" not in each.usi for each in examples):
        more = f" What {usual} cannot tell from all other moves is USI-like there, too.{more}"
    yield (
        f"The same moves in {usual}, which people write, in USI-like text, and in CELL, where"
        f" squares are named as in chess.{more} Positions are those before the move."
    )
    yield _markdown_table(
        ("what", usual.partition(" ")[0], "USI-like", "CELL", "position"),
        map(_example_row, examples),
    )


def _example_row(example: NotatedMoveExample) -> tuple[str, ...]:
    position = _code_table_cell(example.position) if example.position else "start"
    texts = (example.usual, example.usi, example.cell)
    return (example.what, *map(_code_table_cell, texts), position)


# With more first moves than these, sequences of two are not counted.
FEW_MOVES = 400


def _count_phrase(number: int, thing: str) -> str:
    return f"{number:,} {plural(thing, number)}"


def _first_move_counts_section(library: Library, start: Game) -> Iterator[str]:
    moves = start.legal_moves
    drops = Counter(move.code for move in moves if move.is_drop)
    passes = [move for move in moves if _is_pass(library, move)]
    board = Counter(move.code for move in moves if not move.is_drop and move not in passes)
    parts = [f"{sum(board.values())} on the board"]
    parts += [_count_phrase(sum(drops.values()), "drop")] * bool(drops)
    parts += [count_in_words(len(passes), "pass")] * bool(passes)
    kinds = f", {join_words(parts, 'and')}" if len(parts) > 1 else ""
    few = len(moves) <= FEW_MOVES
    two = f"; {_count_phrase(start.perft(2), 'sequence')} of two" if few else ""
    are = "is" if len(moves) == 1 else "are"
    yield f"There {are} {_count_phrase(len(moves), 'legal first move')}{kinds}{two}."
    codes = [
        code for code in library if board[code] or drops[code] or _starts_in_hand(library, code)
    ]
    yield _markdown_table(
        ("piece", "moves", "drops", ""),
        (
            (
                name_and_code(library.variant.kind(code)),
                board[code] or "–",
                drops[code] if drops[code] or _starts_in_hand(library, code) else "–",
                "rests on a move that is not known"
                if _depends_on_reconstruction(library[code], board)
                else "",
            )
            for code in codes
        ),
    )


def _is_pass(library: Library, move: Move) -> bool:
    """Whether a move leaves everything as it is."""
    stays = move.origin == move.target and not move.promotes
    return stays and library.rules.passes != "barred" and not move.captures and not move.partner


def _starts_in_hand(library: Library, code: str) -> bool:
    return code in dict(library.hands[0])


def _depends_on_reconstruction(entry: Entry, board_move_counts: Counter[str]) -> bool:
    """Whether a count of first moves depends on a reconstructed move."""
    looked_at = (
        board_move_counts[entry.code] or entry.drop_check != "free" or entry.drop_mate == "barred"
    )
    return entry.status == "reconstructed" and bool(looked_at)


def _constraints_section(library: Library) -> Iterator[str]:
    result = constraint_verdicts(library)
    if not result:
        return
    yield "## Conditions on the moves that are not known"
    yield (
        f"A file can name conditions; `alfil check {library.name} --constraints` prints this table"
        " for the moves in use. A required condition that fails makes the check fail."
    )
    yield _markdown_table(
        ("no.", "pieces", "condition", "from", "required", "for the moves in use it"),
        (
            (
                each.constraint.number,
                ", ".join(each.constraint.codes),
                each.constraint.words,
                each.constraint.origin,
                "yes" if each.constraint.required else "no",
                _verdict_text(each.holds, each.failing, each.figures),
            )
            for each in result
        ),
    )


def _verdict_text(holds: bool, failing: tuple[str, ...], figures: tuple[float, ...]) -> str:  # noqa: FBT001 - a fact, not a switch
    shown = f" ({', '.join(f'{figure:.2f}' for figure in figures)})" if figures else ""
    return f"{'holds' if holds else 'does not hold for ' + ', '.join(failing)}{shown}"

"""Diagrams of a piece file: its starting position, and a sheet of its pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from alfil.api import draw, write
from alfil.diagrams.board_ground import ground_of_board
from alfil.diagrams.diagram_model import (
    Board,
    BoardPiece,
    Card,
    Diagram,
    HandPieceCount,
    NamedRegion,
    PieceToken,
    Sheet,
)
from alfil.diagrams.piece_figures import palette_for, piece_svg, tokens_by_code
from alfil.errors import AlfilError, BoardError
from alfil.meaning.piece_meaning import Fact
from alfil.notation.registry import NOTATIONS

if TYPE_CHECKING:
    from alfil.library.piece_file import Entry, PieceFile

# Where the picture of a piece depends on its square and the file names no board.
FILES, RANKS = 8, 8
# Every card has these, though the file has only one of them.
CARD_NOTATIONS = frozenset({"betza", "hasinu"})
# A piece in the middle of a diagram is so much smaller than a token, which has 100 units.
CENTRE_PIECE_SCALE = 0.38
STATUS_REMARKS = {
    "reconstructed": "its move is a reconstruction",
    "deduced": "its move is deduced",
    "user": "its move was set by the user",
}


def starting_board(file: PieceFile) -> Board:
    """The board of a file with its set-up and hands."""
    file.require_starting_position()
    tokens = piece_tokens_of_file(file)
    first, second = (
        tuple(HandPieceCount(tokens[code], number) for code, number in hand) for hand in file.hands
    )
    regions = tuple(NamedRegion(each.name, each.squares) for each in file.regions)
    starting = [(at, side) for at, side, _ in file.setup]
    return Board(
        file.files,
        file.ranks,
        tuple(BoardPiece(at, side, tokens[code]) for at, side, code in file.setup),
        (first, second),
        coordinates=file.coordinates,
        ground=ground_of_board(file, file.pieces, file.rules, regions, starting),
        title=file.title,
        sides=file.rules.side_names,
        walls=tuple(sorted(file.walls)),
        regions=regions,
    )


def piece_tokens_of_file(file: PieceFile) -> dict[str, PieceToken]:
    """What the pieces of a file look like, by code."""
    standing = {each.code for each in file.setup}
    standing |= {code for hand in file.hands for code, _ in hand}
    return tokens_by_code(file.pieces, file.rules, standing)


def sheet_of(
    file: PieceFile,
    codes: Collection[str] = (),
    *,
    alone: bool = False,
    theme: str = "default",
    columns: int | None = None,
    radius: int | None = None,
) -> Sheet:
    """All pieces of a file on a sheet, or those of some codes with the forms they promote to.

    With ``alone`` the pieces of the codes come without those forms. ``columns`` is how many
    pieces a row has room for, ``radius`` the one window of all diagrams.
    """
    tokens = piece_tokens_of_file(file)
    entries = {entry.code: entry for entry in file.pieces}
    groups = [
        group for group in _promotion_groups(file, tokens) if not codes or set(group) & set(codes)
    ]
    if alone and codes:
        groups = [(code,) for group in groups for code in group if code in codes]
    cards = tuple(
        tuple(
            _piece_card(
                entries[code], tokens, group, theme, diagram_of(file, entries[code], radius)
            )
            for code in group
        )
        for group in groups
    )
    return Sheet(file.heading if file.title or not codes else "", cards, columns)


def diagram_of(file: PieceFile, entry: Entry, radius: int | None = None) -> Diagram:
    """The diagram of a piece; on the board of its file, where it depends on its square."""
    try:
        picture = draw(entry, radius=radius, label=entry.name)
    except BoardError as error:
        if error.kind != "needs-board":
            raise
        files, ranks = file.files or FILES, file.ranks or RANKS
        at = (files // 2, min(1, ranks - 1))
        picture = draw(entry, files=files, ranks=ranks, at=at, label=entry.name)
    diagram = picture.subject
    assert isinstance(diagram, Diagram)
    return with_file_coordinates_and_royal(diagram, file, entry)


def with_file_coordinates_and_royal(diagram: Diagram, file: PieceFile, entry: Entry) -> Diagram:
    """The diagram with squares named as in a file, and royal where the file says so."""
    marks = replace(diagram.marks, coordinates=file.coordinates)
    if entry.royal and not any(fact.name == "royal" for fact in marks.facts_shown):
        marks = replace(marks, facts_shown=(*marks.facts_shown, Fact("royal")))
    return replace(diagram, marks=marks)


def _card_notations(entry: Entry) -> Iterator[tuple[str, str]]:
    """A piece as it was written, and in the two notations of cards where they can say it."""
    for piece in entry.movements:
        yield NOTATIONS[piece.notation].title, piece.text.strip()
    for name in CARD_NOTATIONS - {piece.notation for piece in entry.movements}:
        with suppress(AlfilError):
            yield NOTATIONS[name].title, write(entry.piece, name)


def _promotion_groups(file: PieceFile, tokens: dict[str, PieceToken]) -> Iterator[tuple[str, ...]]:
    """The codes in the order of the file, promoted forms beside the first piece they belong to."""
    taken: set[str] = set()
    owned = {
        form
        for entry in file.pieces
        if not tokens[entry.code].promoted
        for form in entry.promotes
        if form in tokens and tokens[form].promoted
    }
    for entry in file.pieces:
        if entry.code in owned:
            continue
        forms = [each for each in entry.promotes if each in owned and each not in taken]
        taken.update(forms)
        yield (entry.code, *forms)


def centre_token_svg(token: PieceToken, theme: str = "default") -> str:
    """The elements that draw a piece in the middle of a diagram."""
    return (
        f'<g transform="scale({CENTRE_PIECE_SCALE})">{piece_svg(token, 0, palette_for(theme))}</g>'
    )


def _piece_card(
    entry: Entry,
    tokens: dict[str, PieceToken],
    group: tuple[str, ...],
    theme: str,
    diagram: Diagram,
) -> Card:
    token = tokens[entry.code]
    diagram = replace(diagram, token=centre_token_svg(token, theme))
    notations = tuple(sorted(_card_notations(entry)))
    return Card(token, diagram, notations, tuple(_card_remarks(entry, group)), entry.note)


def _card_remarks(entry: Entry, group: tuple[str, ...]) -> Iterator[str]:
    """The remarks of a card besides name and moves."""
    if entry.also:
        yield f"also {', '.join(entry.also)}"
    if entry.royal:
        yield "royal"
    apart = [code for code in entry.promotes if code not in group]
    must = "must promote" if entry.promotion == "forced" else "promotes"
    if apart:
        yield f"{must} to {', '.join(apart)}"
    elif entry.promotion == "forced" and entry.promotes:
        yield must
    if entry.status in STATUS_REMARKS and not entry.note:
        yield STATUS_REMARKS[entry.status]

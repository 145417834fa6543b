"""A game as the block of an Interactive Diagram, which authors of chessvariants.com put in a page.

No diagram is run in our tests: the moves are in the dialect of XBoard, whose author wrote both, or
of the few that only diagrams have, and what is written besides is little. Whatever differs from a
game of mate with white's first move is a loss, so that a new rule is one until somebody writes it
here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from alfil.api import Piece, as_piece, destinations, read, same, translate
from alfil.errors import AlfilError, Diagnostic
from alfil.exchange import (
    COMMON_PIECE_FIELDS,
    Export,
    export_loss,
    message_with_quoted_part,
    notes_on_rules_not_about_play,
    supported_rules,
    unsupported_fields,
)
from alfil.exchange.protocol_notation import piece_letters
from alfil.game.piece_traits import piece_traits
from alfil.game.variant import PieceType, Rules
from alfil.geometry import is_oblique
from alfil.library.library import Library
from alfil.movement.nodes import Leg, Movement, walk
from alfil.squares import square_name
from alfil.tables.board_context import Offset

# Moves that diagrams have and XBoard has not; measured in one.
_DIAGRAM_MOVES = tuple(
    mode + text for text in ("zB", "zR", "zF", "zN", "qN", "qB", "U") for mode in ("", "m", "c")
)
_UNSAFE_CHARACTERS = re.compile(r"[^A-Za-z0-9 '-]")


def export_game(library: Library) -> Export:
    """A game as text for a page, its losses being comments before the block.

    Raises `AlfilError` for a file that is no game with a set-up.
    """
    library.require_starting_position()
    block = _DiagramBlock(library)
    lines = [*block.lines()]
    lost = [f"<!-- lost: {each.message.replace('--', '- -')} -->" for each in block.losses]
    notes = notes_on_rules_not_about_play(library.rules)
    lost += [f"<!-- not written: {note} -->" for note in notes]
    text = "\n".join([*lost, '<div class="idiagram">', *lines, "</div>"]) + "\n"
    return Export(library.variant.title, text, block.letters, tuple(block.losses), notes)


class _DiagramBlock:
    """The lines of a block under construction, and the losses."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._variant = library.variant
        self.letters = dict(piece_letters(library.variant))
        self.losses: list[Diagnostic] = []

    def lines(self) -> Iterator[str]:
        """Board and promotion, then a line for each piece; those that promote first, kings last."""
        variant = self._variant
        traits = piece_traits(variant)
        promoting = [
            kind for kind in variant.kinds if kind.promotes and traits[kind.code].promotion.codes
        ]
        kinds = sorted(variant.kinds, key=lambda kind: (kind.royal, kind not in promoting))
        yield f"files={variant.files}"
        yield f"ranks={variant.ranks}"
        yield from self._promotion_lines([kind for kind in kinds if kind in promoting])
        yield f"symmetry={self._setup_symmetry()}"
        for kind in kinds:
            yield from self._piece_lines(kind)
        self._add_rule_losses()

    def _add_loss(self, piece_or_rule: str, message: str) -> None:
        self.losses.append(export_loss(self._library, piece_or_rule, message))

    def _promotion_lines(self, kinds: list[PieceType]) -> Iterator[str]:
        """The pieces that promote, all to the same ones, on the last ranks."""
        if not kinds:
            return
        rules = self._variant.rules
        yield f"promoZone={rules.zone}"
        yield f"maxPromote={len(kinds)}"
        yield f"promoChoice={''.join(self.letters[code].upper() for code in kinds[0].promotes)}"
        for kind in kinds:
            if kind.promotes != kinds[0].promotes:
                self._add_loss(kind.code, f"there it promotes as {kinds[0].code} does")
            if kind.promotion != "forced":
                self._add_loss(kind.code, "there it must promote")
        if rules.promotion_when != "ends":
            self._add_loss("promotion-when", "there a piece promotes where its move ends")

    def _setup_symmetry(self) -> str:
        """How the second side stands: mirrored, or turned by half a turn."""
        variant = self._variant
        standing = {(each.square, each.code) for each in variant.setup if each.side == 0}
        others = {(each.square, each.code) for each in variant.setup if each.side == 1}
        far, wide = variant.ranks - 1, variant.files - 1
        if others == {((x, far - y), code) for (x, y), code in standing}:
            return "mirror"
        if others != {((wide - x, far - y), code) for (x, y), code in standing}:
            self._add_loss(
                "setup", "there the second player's pieces are those of the first, rotated"
            )
        return "rotate"

    def _piece_lines(self, kind: PieceType) -> Iterator[str]:
        try:
            text, xboard_text = _diagram_and_xboard_text(self._library[kind.code].piece)
        except AlfilError as error:
            for each in error.diagnostics:
                self._add_loss(
                    kind.code,
                    f"it is left out: {message_with_quoted_part(each, error.source.text)}",
                )
            return
        if any(map(_is_lame_oblique, walk(read(xboard_text, "xboard").movement))):
            self._add_loss(
                kind.code, "diagrams read a leap that can be blocked on its way in another way"
            )
        squares = [each for each in self._variant.setup if (each.side, each.code) == (0, kind.code)]
        square_names = ",".join(square_name(*each.square) for each in squares)
        name = _UNSAFE_CHARACTERS.sub("", kind.name)
        letter = self.letters[kind.code].upper()
        yield f"{name}:{letter}:{text}:{name.replace(' ', '')}:{square_names}"
        for key in unsupported_fields(kind, PieceType, COMMON_PIECE_FIELDS | {"per_file_on"}):
            field = key.replace("_", "-")
            self._add_loss(kind.code, f"alfil writes nothing for its {field} in a diagram")

    def _add_rule_losses(self) -> None:
        variant = self._variant
        for name in unsupported_fields(
            variant.rules, Rules, supported_rules("interactive-diagram")
        ):
            self._add_loss(name.replace("_", "-"), "alfil writes no such rule in a diagram")
        if any(variant.hands):
            self._add_loss("hand", "there nothing is in hand at the start")
        if sum(kind.royal for kind in variant.kinds) != 1:
            message = "alfil writes one royal piece in a diagram, the last of the list"
            self._add_loss("royal", message)
        if variant.walls:
            self._add_loss("board", "there every square is one of the board")


def _diagram_and_xboard_text(piece: Piece) -> tuple[str, str]:
    """How a piece moves, for a diagram, and without what XBoard has not.

    Raises `AlfilError` where not all of it can be said.
    """
    options, said, left = piece.movement.options, [], []
    for option in options:
        alone = as_piece(Movement((option,)))
        reached = destinations(alone)
        own = next(
            (text for text in _DIAGRAM_MOVES if _reached(text) == reached and same(alone, text)), ""
        )
        said += [own] if own else []
        left += [] if own else [option]
    rest = replace(piece.movement, options=tuple(left))
    text = translate(as_piece(rest) if said else piece, write="xboard").text if left else ""
    return "".join([text, *said]), text


@cache
def _reached(text: str) -> frozenset[Offset]:
    """Where one of the moves of diagrams leads; to compare that first spares most proofs."""
    return destinations(text)


def _is_lame_oblique(node: object) -> bool:
    """Whether a leg leaps off the lines of a queen, over squares that must be empty."""
    return isinstance(node, Leg) and node.between != "anything" and any(map(is_oblique, node.steps))

"""A game as the block of an Interactive Diagram, which authors of chessvariants.com put in a page.

No diagram is run in our tests: the moves are in the dialect of XBoard, whose author wrote both, and
what is written besides is little. Whatever differs from a game of mate with white's first move is
a loss, so that a new rule is one until somebody writes it here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from alfil.api import translate
from alfil.errors import AlfilError, Finding
from alfil.exchange import OF_KINDS, Export, beside, in_part, known_to, loss, unwritten
from alfil.exchange.spelling import letters_of
from alfil.game.variant import Kind, Rules
from alfil.library.library import Library
from alfil.squares import square_name

_SAFE = re.compile(r"[^A-Za-z0-9 '-]")


def exported(library: Library) -> Export:
    """A game as text for a page, its losses being comments before the block.

    Raises `AlfilError` for a file that is no game with a set-up.
    """
    library.require_setup()
    block = _Block(library)
    lines = [*block.lines()]
    lost = [f"<!-- lost: {loss.message.replace('--', '- -')} -->" for loss in block.losses]
    notes = beside(library.rules)
    lost += [f"<!-- not written: {note} -->" for note in notes]
    text = "\n".join([*lost, '<div class="idiagram">', *lines, "</div>"]) + "\n"
    return Export(library.variant.title, text, block.letters, tuple(block.losses), notes)


class _Block:
    """The lines of a block as they come about, and what is lost."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._variant = library.variant
        self.letters = dict(letters_of(library.variant))
        self.losses: list[Finding] = []

    def lines(self) -> Iterator[str]:
        """Board and promotion, then a line for each piece; those that promote first, kings last."""
        variant = self._variant
        kinds = sorted(variant.kinds, key=lambda kind: (kind.royal, not kind.promotes))
        yield f"files={variant.files}"
        yield f"ranks={variant.ranks}"
        yield from self._promotion([kind for kind in kinds if kind.promotes])
        yield f"symmetry={self._symmetry()}"
        for kind in kinds:
            yield from self._piece(kind)
        self._rules()

    def _lose(self, what: str, message: str) -> None:
        self.losses.append(loss(self._library, what, message))

    def _promotion(self, kinds: list[Kind]) -> Iterator[str]:
        """The pieces that promote, all to the same ones, on the last ranks."""
        if not kinds:
            return
        rules = self._variant.rules
        yield f"promoZone={rules.zone}"
        yield f"maxPromote={len(kinds)}"
        yield f"promoChoice={''.join(self.letters[code].upper() for code in kinds[0].promotes)}"
        for kind in kinds:
            if kind.promotes != kinds[0].promotes:
                self._lose(kind.code, f"there it promotes as {kinds[0].code} does")
            if kind.promotion != "forced":
                self._lose(kind.code, "there it must promote")
        if rules.promotion_when != "ends":
            self._lose("promotion-when", "there a piece promotes where its move ends")

    def _symmetry(self) -> str:
        """How the second side stands: mirrored, or turned by half a turn."""
        variant = self._variant
        standing = {(each.square, each.code) for each in variant.setup if each.side == 0}
        others = {(each.square, each.code) for each in variant.setup if each.side == 1}
        far, wide = variant.ranks - 1, variant.files - 1
        if others == {((x, far - y), code) for (x, y), code in standing}:
            return "mirror"
        if others != {((wide - x, far - y), code) for (x, y), code in standing}:
            self._lose("setup", "there the second side stands as the first does, turned round")
        return "rotate"

    def _piece(self, kind: Kind) -> Iterator[str]:
        try:
            text = translate(self._library[kind.code].piece, write="xboard").text
        except AlfilError as error:
            for each in error.findings:
                self._lose(kind.code, f"it is left out: {in_part(each, error.source.text)}")
            return
        squares = [each for each in self._variant.setup if (each.side, each.code) == (0, kind.code)]
        named = ",".join(square_name(*each.square) for each in squares)
        name = _SAFE.sub("", kind.name)
        letter = self.letters[kind.code].upper()
        yield f"{name}:{letter}:{text}:{name.replace(' ', '')}:{named}"
        for key, _ in unwritten(kind, Kind, OF_KINDS):
            self._lose(kind.code, f"there is no {key.replace('_', '-')} there")

    def _rules(self) -> None:
        variant = self._variant
        for name, _ in unwritten(variant.rules, Rules, known_to("interactive-diagram")):
            self._lose(name.replace("_", "-"), "the diagram has no such rule")
        if any(variant.hands):
            self._lose("hand", "there nothing is in hand at the start")
        if sum(kind.royal for kind in variant.kinds) != 1:
            self._lose("royal", "there one piece is royal, the last of the list")

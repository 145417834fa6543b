"""The pieces of a game as settings of Fairy-Stockfish."""

from __future__ import annotations

from alfil.api import translate, write
from alfil.errors import AlfilError
from alfil.exchange import message_with_quoted_part
from alfil.exchange.fairy_stockfish_pieces import (
    FairyStockfishPiece,
    builtin_pieces,
    region_text,
    without_en_passant,
)
from alfil.exchange.ini_section_builder import PROGRAM, SettingsWriter
from alfil.exchange.regional_moves import PROGRAM as DIALECT
from alfil.exchange.regional_moves import moves_like
from alfil.exchange.resolved_variant import SIDES
from alfil.program_comparison import check_for

MAX_CUSTOM_PIECES = 25
# The program's pawn, and what it is in games without double steps, of which it counts moves down.
PAWN, PLAIN_PAWN = "fmWfceFifmnD", "fmWfcF"


class PieceLinesWriter(SettingsWriter):
    """The lines of pieces, and where these may stand, of a section under construction."""

    def write_lines(self) -> None:
        """The line of each piece."""
        custom, written = 0, set[str]()
        for piece in self.fs_pieces.values():
            letter = self.letters[piece.code]
            if not letter or letter in written:
                continue
            written.add(letter)
            name = self._builtin_name(piece)
            if name:
                self.settings[name] = letter
                self.keys[piece.code] = name
                continue
            text = self._custom_betza(piece)
            if piece.code in self.section.king_codes and text is not None:
                self.settings["king"] = f"{letter}:{text}"
                self.keys[piece.code] = "king"
                continue
            custom += text is not None
            if custom > MAX_CUSTOM_PIECES:
                self.add_loss(
                    piece.code, f"it is left out: {PROGRAM} has {MAX_CUSTOM_PIECES} such pieces"
                )
            if text is None or custom > MAX_CUSTOM_PIECES:
                # A letter that no piece has would end lists, and shift what stands beside it.
                alike = {code: "" for code, own in self.letters.items() if own == letter}
                self.letters |= alike
                self.section.left_out.update(alike)
            else:
                self.settings[f"customPiece{custom}"] = f"{letter}:{text}"
                self.keys[piece.code] = f"customPiece{custom}"
        for code in self.keys:
            self._add_trait_losses(self.fs_pieces[code])

    def _add_trait_losses(self, piece: FairyStockfishPiece) -> None:
        """Traits of a piece that the program does not support."""
        if piece.traits.iron_against and not piece.kind.immune_to:
            self.add_loss(piece.code, "it can be captured by every piece there")
        if piece.traits.effects:
            self.add_loss(piece.code, "there it does nothing to what is in its range")

    def _builtin_name(self, piece: FairyStockfishPiece) -> str:
        """The name that the program has for a piece, and that no other one here has."""
        first = (
            each.when for other in self.fs_pieces.values() for each in other.piece.movement.options
        )
        # Elsewhere a pawn by another name may promote to something of its own.
        counted = (
            self.rules.countdown
            and self._promotes_where_program_pawn_does(piece)
            and not any(first)
        )
        pawn = PLAIN_PAWN if counted else PAWN
        names = (
            {"king": "K"}
            if piece.code in self.section.king_codes
            else {"pawn": pawn, **builtin_pieces()}
        )
        if piece.kind.blast == "capturing":
            names = {"pawn": pawn}
        elif self.rules.explosion == "captures":
            names.pop("pawn", None)
        if piece.regional.soldier_sideways_rank or (
            piece.regional.lines and piece.moves_like("fsW")
        ):
            return "soldier"
        if piece.kind.blocked_by:
            return "janggiCannon" if piece.moves_like("pR") else ""
        free = (name for name in names if name not in self.settings)
        return next((name for name in free if piece.moves_like(names[name])), "")

    def _custom_betza(self, piece: FairyStockfishPiece) -> str | None:
        """The text that makes the program move a piece so; None, and a loss, if there is none."""
        try:
            text = translate(without_en_passant(piece.piece), write=DIALECT).text
        except AlfilError as error:
            for each in error.diagnostics:
                self.add_loss(
                    piece.code,
                    f"it is left out: {message_with_quoted_part(each, error.source.text)}",
                )
            return None
        theirs = check_for(text, DIALECT).theirs
        if theirs is None or not moves_like(piece.piece, write(theirs, "betza")):
            self.add_loss(piece.code, f"it is left out: {text} is another piece there")
            return None
        return text

    def _promotes_where_program_pawn_does(self, piece: FairyStockfishPiece) -> bool:
        """Whether it promotes, if it does, where the program's own pawn would."""
        ends = self.rules.promotion_when == "ends" or self.section.never_moves_from_zone(piece)
        return not piece.promotions or piece.traits.promotion.mode == "apart" or ends

    def write_mobility_and_promotion_limits(self) -> None:
        """Where pieces may stand, and how many there may be by promotion."""
        limits = []
        for piece in self.section.exported_pieces():
            kind, key = piece.kind, self.keys.get(piece.code, "")
            if key and (kind.within or kind.outside):
                for side, name in enumerate(SIDES):
                    region = f"mobilityRegion{name}{key[0].upper()}{key[1:]}"
                    self.settings[region] = region_text(self.section.allowed_squares(piece, side))
            elif kind.within or kind.outside:
                self.add_loss(piece.code, "there it may go everywhere")
            if kind.per_side:
                limits.append(f"{self.letters[piece.code]}:{kind.per_side}")
        if limits:
            self.settings["promotionLimit"] = " ".join(limits)

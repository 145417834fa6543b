"""A game as a section of `variants.ini`, the file in which Fairy-Stockfish is told variants.

What the program does with a line was measured by its Python build 0.0.90. A rule that it lacks is a
loss, which is named with its consequence. The length of a match, what illegal moves cost and what
players agree on are no rules to it, and are noted.
"""

from __future__ import annotations

import re

from alfil.exchange import (
    COMMON_PIECE_FIELDS,
    Export,
    notes_on_rules_not_about_play,
    require_game_up_to_board_size,
    supported_rules,
    unsupported_fields,
)
from alfil.exchange.export_drops import DropSettingsWriter
from alfil.exchange.export_effects import EffectSettingsWriter
from alfil.exchange.export_endings import EndingSettingsWriter
from alfil.exchange.export_first_moves import FirstMoveSettingsWriter
from alfil.exchange.export_piece_lines import PieceLinesWriter
from alfil.exchange.export_promotion import PromotionSettingsWriter
from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece
from alfil.exchange.ini_section_builder import PROGRAM, IniSectionBuilder, SettingsWriter
from alfil.exchange.protocol_notation import board_in_fen
from alfil.exchange.regional_moves import PROGRAM as DIALECT
from alfil.exchange.rule_conflicts import conflicts_of_features, features_of_game
from alfil.exchange.variants_ini import setting_of_rule
from alfil.game.variant import ZONE_REGION, PieceType, Rules
from alfil.library.library import Library

FILES, RANKS = 12, 10
# What stands in a row for a piece that is left out: an empty square.
OMITTED_PIECE = " "
# What else this module writes of a piece, and what is no rule to the program. Whatever is in
# neither, and is not as it would be unsaid, is a loss; of rules, rules.tsv says it.
EXPORTED_FIELDS = COMMON_PIECE_FIELDS | {
    *("drop_check", "drop_mate", "per_file", "per_side", "within", "outside", "blast", "petrifies"),
    *("immune_to", "further", "castles_with", "castles_to", "gates", "mates", "side", "points"),
    *("per_colour", "per_file_on", "blocked_by", "chases", "chased_in"),
}
LOSS_WORDS = {
    "drop_in": "there it is dropped everywhere",
    "promotes_in": "there it promotes in the zone of the game",
}


def export_game(library: Library) -> Export:
    """A game as a section of `variants.ini`, its losses being comments there.

    Raises `AlfilError` for a file that is no game with a set-up, and of kind "board-size" for a
    board larger than 12×10.
    """
    require_game_up_to_board_size(library, FILES, RANKS, PROGRAM)
    return _SectionWriter(IniSectionBuilder(library)).export()


class _SectionWriter(SettingsWriter):
    """The section of a game, put together by the nouns of its settings."""

    def export(self) -> Export:
        """The whole section."""
        section = self.section
        pieces, endings = PieceLinesWriter(section), EndingSettingsWriter(section)
        pieces.write_lines()
        pieces.write_mobility_and_promotion_limits()
        endings.write_royals()
        PromotionSettingsWriter(section).write_promotion()
        FirstMoveSettingsWriter(section).write_first_moves()
        DropSettingsWriter(section).write_drops()
        endings.write_endings()
        EffectSettingsWriter(section).write_effects()
        self._add_losses_of_conflicting_rules()
        self._write_remaining_rules()
        variant = self.variant
        name = "alfil_" + re.sub(r"[^a-z0-9]+", "_", variant.name.lower())
        losses = [f"# lost: {loss.message}" for loss in self.section.losses]
        notes = notes_on_rules_not_about_play(self.rules)
        losses += [f"# not written: {note}" for note in notes]
        head = [f"[{name}]", *losses, f"maxFile = {variant.files}", f"maxRank = {variant.ranks}"]
        lines = [f"{key} = {value}" for key, value in self.settings.items()]
        text = "\n".join([*head, f"startFen = {self._start_fen()}", *lines]) + "\n"
        return Export(name, text, self.letters, tuple(self.section.losses), notes)

    def _write_remaining_rules(self) -> None:
        """What settings say by themselves, and whatever has no counterpart."""
        for name in unsupported_fields(self.rules, Rules, supported_rules(DIALECT)):
            rule = name.replace("_", "-")
            if setting := setting_of_rule(rule, self.rules):
                self.settings |= setting
            else:
                self._add_unsupported_loss(rule, name)
        for piece in self.section.exported_pieces():
            for name in unsupported_fields(piece.kind, PieceType, EXPORTED_FIELDS):
                if name != "promotes_in" or self._is_promoting_elsewhere(piece):
                    self._add_unsupported_loss(piece.code, name)

    def _is_promoting_elsewhere(self, piece: FairyStockfishPiece) -> bool:
        """Whether it promotes on other squares than those of the zone of the game."""
        area = piece.kind.promotes_in or ZONE_REGION
        squares = self.variant.squares
        return any(squares(area, side) != squares(ZONE_REGION, side) for side in piece.kind.sides)

    def _add_losses_of_conflicting_rules(self) -> None:
        words = features_of_game(
            self.variant,
            self.settings,
            self.section.places,
            castles=self.settings.get("castlingRookPieces", "-") != "-",
            own_forms=self.settings["promotedPieceType"] != "-",
            keeps_moving=self.section.keeps_moving,
        )
        for each in conflicts_of_features(words):
            if each.rule:
                self.add_loss(each.rule, each.fs_behaviour)

    def _add_unsupported_loss(self, piece_or_rule: str, field_name: str) -> None:
        self.add_loss(
            piece_or_rule,
            LOSS_WORDS.get(
                field_name, f"there is nothing like {field_name.replace('_', '-')} there"
            ),
        )

    def _start_fen(self) -> str:
        """The set-up as the program reads it."""
        variant = self.variant
        size = variant.files * variant.ranks
        board = dict.fromkeys(variant.walls, "*")
        board |= {each.square: self._piece_letter(each.code, each.side) for each in variant.setup}
        held = (
            self._piece_letter(code, side) * count
            for side, hand in enumerate(variant.hands)
            for code, count in hand
        )
        hands = "".join(held)
        if self.rules.drops == "free":
            (code, *_) = self.fs_pieces
            hands = "".join(self._piece_letter(code, side) * size for side in (0, 1))
        hands = hands.replace(OMITTED_PIECE, "")
        hands = f"[{hands}]" if hands or self.rules.drops != "no" else ""
        rights = "".join(sorted({*self.section.rights})) or "-"
        times = next((way.times for way in self.rules.win if way.how == "checks"), 0)
        checks = f" {times}+{times}" if times else ""
        placed = board_in_fen(board, variant.files, variant.ranks)
        return f"{placed}{hands} w {rights} -{checks} 0 1"

    def _piece_letter(self, code: str, side: int) -> str:
        letter = self.letters[code] or OMITTED_PIECE
        return letter if side else letter.upper()

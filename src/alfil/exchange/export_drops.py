"""How the pieces of a game are dropped, as settings of Fairy-Stockfish."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece, boolean_text
from alfil.exchange.import_pieces import has_capture_from
from alfil.exchange.ini_section_builder import SettingsWriter
from alfil.exchange.variants_ini import setting_value
from alfil.squares import square_seen_by


class DropSettingsWriter(SettingsWriter):
    """The settings of drops of a section under construction."""

    def write_drops(self) -> None:
        """Whether and where pieces are dropped, and what of their conditions is lost."""
        rules = self.rules
        if rules.captured == "to-hand" and rules.drops == "no":
            self.add_loss("captured", "no pieces are kept there that are not dropped")
        self._write_immobility_settings()
        if rules.drops != "no":
            self._write_settings_of_drops()
        for piece in self.section.exported_pieces():
            if piece.kind.per_file and "move" in piece.kind.per_file_on:
                message = "there its moves, unlike drops, keep to no limit on a file"
                self.add_loss(piece.code, message)

    def _write_settings_of_drops(self) -> None:
        rules, settings = self.rules, self.settings
        settings["pieceDrops"] = "true"
        for name in ("capturesToHand", "dropLoop", "dropPromoted"):
            settings[name] = setting_value(name, rules)
        dropped = [
            piece for piece in self.section.exported_pieces() if self.section.is_droppable(piece)
        ]
        self._write_drop_region_settings(dropped)
        for piece in dropped:
            self._add_drop_condition_losses(piece)

    def _write_immobility_settings(self) -> None:
        """Whether pieces may come to squares that they can never leave: one rule for all."""
        pieces = self.section.exported_pieces()
        choosing = [
            piece for piece in pieces if piece.traits.promotion.mode == "stuck" and piece.promotions
        ]
        walking = [piece for piece in pieces if self._can_move_to_immobile_square(piece)]
        dropped = [
            piece for piece in pieces if piece.immobile_squares and self.section.is_droppable(piece)
        ]
        barred = [
            piece
            for piece in dropped
            if piece.immobile_squares.isdisjoint(self.section.drop_squares(piece))
        ]
        self.section.keeps_moving = bool(choosing or (barred and not walking))
        self.settings["immobilityIllegal"] = boolean_text(self.section.keeps_moving)
        if not self.section.keeps_moving:
            return
        for piece in walking:
            self.add_loss(piece.code, "there it may not go where it could never move again")
        for piece in choosing:
            if any(has_capture_from(piece.piece, *piece.size, at) for at in piece.immobile_squares):
                self.add_loss(piece.code, "there it must promote where it can only capture")

    def _can_move_to_immobile_square(self, piece: FairyStockfishPiece) -> bool:
        """Whether its own moves can bring it where it is stuck, and promote it nowhere there."""
        reached = piece.immobile_squares & frozenset().union(*piece.destinations.values())
        must_promote = piece.promotions and piece.traits.promotion.mode in {"forced", "stuck"}
        if not must_promote or self.rules.promotion_when == "captures":
            return bool(reached)
        first, second = (self.section.promotion_squares(piece, side) for side in (0, 1))
        zones = first, {square_seen_by(1, each, *piece.size) for each in second}
        return any(reached - zones[side] for side in piece.kind.sides)

    def _write_drop_region_settings(self, dropped: Sequence[FairyStockfishPiece]) -> None:
        """One region for all, and squares that pieces could never leave; else it is a loss."""
        rook = self.settings.get("rook")
        home = [
            piece
            for piece in dropped
            if (self.letters[piece.code], piece.kind.drop_ranks) == (rook, (1, 1))
        ]
        regions = {piece.kind.drop_ranks for piece in dropped if piece not in home}
        if home and regions:
            self.settings["sittuyinRookDrop"] = "true"
        zone = range(self.variant.ranks - self.rules.zone, self.variant.ranks)
        common = regions.pop() if len(regions) == 1 else (1, self.variant.ranks)
        first, last = common or (1, 0)
        depth = range(first, min(last, self.variant.ranks) + 1)
        if len(depth) < self.variant.ranks:
            self.settings["dropRegionWhite"] = self.section.region_of_ranks(depth, 0)
            self.settings["dropRegionBlack"] = self.section.region_of_ranks(depth, 1)
        for piece in dropped:
            drop_squares = self.section.drop_squares(piece)
            if self.settings.get("pawn") == self.letters[piece.code]:
                begin = {y for _, y in drop_squares} & {0}
                end = {y for _, y in drop_squares} & set(zone)
                self.settings["firstRankPawnDrops"] = boolean_text(bool(begin))
                self.settings["promotionZonePawnDrops"] = boolean_text(bool(end))
                allowed = set(range(self.variant.ranks))
                allowed -= set() if begin else {0}
                allowed -= set() if end else set(zone)
                given = {(x, y) for x, y in product(range(self.variant.files), allowed)}
            else:
                ranks = (rank for rank in depth if rank == 1 or piece not in home)
                given = set(product(range(self.variant.files), (rank - 1 for rank in ranks)))
            given -= piece.immobile_squares if self.section.keeps_moving else set()
            if given != drop_squares:
                there = f"{len(given)} squares, not {len(drop_squares)}"
                self.add_loss(piece.code, f"there it may be dropped on {there}")

    def _add_drop_condition_losses(self, piece: FairyStockfishPiece) -> None:
        kind = piece.kind
        if kind.drop_check != "free":
            self.add_loss(kind.code, "there its drop may give check or not")
        if kind.drop_mate == "barred":
            if self.settings.get("shogiPawn") == self.letters[kind.code]:
                self.settings["shogiPawnDropMateIllegal"] = "true"
            else:
                self.add_loss(kind.code, "there its drop may give mate")
        if kind.per_file and "dropNoDoubled" in self.settings:
            self.add_loss(kind.code, "there only one kind can be limited on a file")
        elif kind.per_file:
            self.settings["dropNoDoubled"] = self.letters[kind.code]
            self.settings["dropNoDoubledCount"] = str(kind.per_file)

"""How the pieces of a game promote, as settings of Fairy-Stockfish."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece, boolean_text, region_text
from alfil.exchange.ini_section_builder import SettingsWriter
from alfil.exchange.resolved_variant import SIDES
from alfil.game.variant import ZONE_REGION


class PromotionSettingsWriter(SettingsWriter):
    """The settings of promotion of a section under construction."""

    def write_promotion(self) -> None:
        """Promotion as of pawns, to one of several, or as in shogi, to one form of its own."""
        settings = self.settings
        promoting = [
            piece
            for piece in self.fs_pieces.values()
            if piece.promotions and self.letters[piece.code]
        ]
        pawns = [piece for piece in promoting if self._promotes_like_pawn(piece)]
        generals = [piece for piece in promoting if piece not in pawns]
        everywhere = self.rules.promotion_when in {"captures", "always"}
        variant = self.variant
        for piece in promoting:
            self._add_promotion_losses(piece, pawn=piece in pawns)
        for piece in pawns if self.rules.drop_form == "either" else ():
            if self.section.is_droppable(piece):
                self.add_loss(piece.code, "there it is not dropped promoted")
        for side, name in enumerate(SIDES):
            squares = variant.squares((1, variant.ranks) if everywhere else ZONE_REGION, side)
            settings[f"promotionRegion{name}"] = region_text(squares)
        self._write_pawn_settings(pawns, generals)
        pairs = (
            f"{self.letters[piece.code]}:{self.letters[piece.promotions[0]]}"
            for piece in generals
            if self.letters[piece.promotions[0]]
        )
        settings["promotedPieceType"] = " ".join(pairs) or "-"
        settings["mandatoryPiecePromotion"] = self._mandatory_promotion_setting(generals)
        if self.rules.promotion_when == "enters":
            self.add_loss("promotion-when", "there all moves that touch the zone promote")
        if self.rules.promotion_when == "captures":
            settings["piecePromotionOnCapture"] = "true"

    def _write_pawn_settings(
        self, pawns: Sequence[FairyStockfishPiece], generals: Sequence[FairyStockfishPiece]
    ) -> None:
        """What promotes as pawns do, and to what; either side may have its own."""
        settings = self.settings
        # The program's own pawn goes on into the zone as it is, unless all pawns must promote.
        own = [piece for piece in generals if self.keys.get(piece.code) == "pawn"]
        settings["mandatoryPawnPromotion"] = self._mandatory_promotion_setting([*pawns, *own])
        apart = {piece.traits.promotion.mode == "apart" for piece in pawns}
        settings["sittuyinPromotion"] = boolean_text(True in apart)
        if len(apart) > 1:
            self.add_loss(
                "promotion-when", "there all pawns promote with moves of their own, or none"
            )
        of_side = [
            [piece for piece in pawns if self._may_side_have(piece, side)] for side in (0, 1)
        ]
        rules_of_types = [
            (
                self.section.letters_of_codes(piece.code for piece in pieces),
                self.section.letters_of_codes(pieces[0].promotions if pieces else ()),
            )
            for pieces in of_side
        ]
        names = [""] if rules_of_types[0] == rules_of_types[1] else [*SIDES]
        for name, (types, forms) in zip(names, rules_of_types, strict=False):
            settings[f"promotionPawnTypes{name}"] = types
            settings[f"promotionPieceTypes{name}"] = forms
        if any(
            {*piece.promotions} != {*pieces[0].promotions} for pieces in of_side for piece in pieces
        ):
            self.add_loss("promotion-when", "there all pawns promote to the same pieces")

    def _may_side_have(self, piece: FairyStockfishPiece, side: int) -> bool:
        """Whether a side may have such pieces."""
        promoted = any(piece.code in other.promotions for other in self.fs_pieces.values())
        wandering = promoted or self.rules.captured == "to-hand"
        return side in piece.kind.sides and (
            wandering or bool(self.section.start_squares(piece, side))
        )

    def _promotes_like_pawn(self, piece: FairyStockfishPiece) -> bool:
        """Whether it promotes where its move ends, and not also where it began."""
        counted = self.rules.countdown and self.keys.get(piece.code) == "pawn"
        if piece.traits.promotion.mode == "apart" or counted:
            return True
        single = len(piece.promotions) == 1
        return not single or (
            self.rules.promotion_when == "ends" and not self.section.never_moves_from_zone(piece)
        )

    def _add_promotion_losses(self, piece: FairyStockfishPiece, *, pawn: bool) -> None:
        rules, promotion = self.rules, piece.traits.promotion
        apart = promotion.mode == "apart"
        stays = rules.promotion_when == "touches" and self.section.never_leaves_zone(piece)
        if pawn and rules.promotion_when != "ends" and not apart and not stays:
            self.add_loss(piece.code, "there it promotes only where its move ends in the zone")
        if apart:
            self._add_losses_of_promotion_moves(piece)
        if promotion.by is not None:
            self.add_loss(piece.code, "there it promotes by where it goes, not by how")
        if promotion.from_rank not in {0, self.variant.ranks + 1 - rules.zone}:
            self.add_loss(piece.code, "there it promotes in the zone of the game")
        self._add_demotion_and_limit_losses(piece, pawn=pawn)

    def _add_demotion_and_limit_losses(self, piece: FairyStockfishPiece, *, pawn: bool) -> None:
        """What a captured form turns back to, and forms of which a side has all that it may."""
        rules, promotion = self.rules, piece.traits.promotion
        if rules.captured == "to-hand" and rules.captured_form == "base":
            for form in promotion.codes:
                if self.fs_pieces[form].kind.base != piece.code:
                    self.add_loss(piece.code, f"there a captured {form} turns back to {piece.code}")
        limits = [self.fs_pieces[form].kind.per_side for form in promotion.codes]
        if promotion.mode == "forced" and not pawn and all(limits):
            here = "there it goes on as it is where nothing is left that it may become"
            self.add_loss(piece.code, here)

    def _add_losses_of_promotion_moves(self, piece: FairyStockfishPiece) -> None:
        """A promotion with a move of its own goes as what it becomes would capture."""
        if self.keys.get(piece.code) != "pawn":
            self.add_loss(piece.code, "there it also promotes with a move into the zone")
        if any(self.fs_pieces[code].has_divergent_captures for code in piece.promotions):
            self.add_loss(
                piece.code, "there it goes where what it becomes could capture, and promotes"
            )

    def _mandatory_promotion_setting(self, pieces: Collection[FairyStockfishPiece]) -> str:
        """Whether promotion is forced; for some of them only is a loss."""
        modes = {piece.traits.promotion.mode == "forced" for piece in pieces}
        if len(modes) > 1:
            for piece in pieces:
                if piece.traits.promotion.mode == "forced":
                    self.add_loss(piece.code, "there it need not promote, as others need not")
        return boolean_text(modes == {True})

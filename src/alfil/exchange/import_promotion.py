"""How pieces of an imported variant promote."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from alfil.exchange.import_pieces import ImportedPiece
from alfil.exchange.piece_file_builder import RulesImporterBase
from alfil.game.variant import ZONE_REGION

PAWNS_MUST, PIECES_MUST = "mandatoryPawnPromotion", "mandatoryPiecePromotion"


class PromotionRulesImporter(RulesImporterBase):
    """The rules and fields of promotion for a file under construction."""

    def add_promotion_rules(self) -> None:
        """The zone, and when pieces promote."""
        means, pieces = self.variant, self.pieces
        pawns = {
            key for key in means.letters for side in (0, 1) if pieces.promotions(key, side)
        } - pieces.shogi.keys()
        if not pawns and not pieces.shogi:
            return
        self._add_losses_of_promoted_pieces(pawns=bool(pawns))
        areas = (
            pieces.region_squares("promotionRegion", 0),
            pieces.region_squares("promotionRegion", 1),
        )
        ranks = pieces.zone_rank_count(areas)
        if ranks:
            self.file.lines.append(f"zone {ZONE_REGION} ranks={ranks}")
        else:
            self.file.regions[areas] = ZONE_REGION
        if means.is_true("piecePromotionOnCapture") and pieces.shogi:
            self._add_promotion_by_captures(pawns=bool(pawns), everywhere=ranks == means.ranks)
        elif all(
            pieces.promotes_as_pawn_too(key, side)
            for key in pieces.shogi
            for side in pieces.owners.get(key, ())
        ):
            self.file.rules["promotion-when"] = "ends"
        else:
            self.file.rules["promotion-when"] = "touches"
            if pawns and not means.is_true("mandatoryPawnPromotion"):
                self.add_loss(
                    "promotionPawnTypes", "pawns promote as other pieces do, in leaving too"
                )

    def _add_losses_of_promoted_pieces(self, *, pawns: bool) -> None:
        """What becomes of promoted pieces there, and of those that must not be stuck."""
        pieces = self.pieces
        for piece, side in product(pieces.kinds, (0, 1)):
            zone = pieces.region_squares("promotionRegion", side)
            if piece.promotes_from and pieces.promotions(piece.key, side):
                own = piece.promotes_from in pieces.shogi
                setting = "promotedPieceType" if own else "promotionPieceTypes"
                if own or not pieces.is_stuck_in(piece.key, side, zone):
                    self.add_loss(setting, "a piece that has promoted does not promote again")
            promotes = not piece.promotes_from and pieces.promotions(piece.key, side)
            if promotes and pieces.immobile_squares(piece.key, side) - zone:
                here = "a piece may go where it can neither promote nor move again"
                self.add_loss("immobilityIllegal", here)
            optional = promotes and not self.variant.is_true(self._mandatory_setting(piece, side))
            if optional and pieces.has_captures_on_immobile_squares(piece.key, side):
                here = "a piece need not promote where it can still capture"
                self.add_loss("immobilityIllegal", here)
        self._add_losses_of_two_promotions()
        if pawns and self.variant.is_true("pieceDemotion"):
            self.add_loss("pieceDemotion", "what a pawn has promoted to stays that")

    def _add_losses_of_two_promotions(self) -> None:
        """Pieces that promote there as pawns do, too, or go into the zone only to promote."""
        pieces = self.pieces
        for key, side in product(pieces.shogi, (0, 1)):
            two_ways = pieces.promotes_in_two_ways(key, side)
            if two_ways and not pieces.promotes_as_pawn_too(key, side):
                here = "a piece with a form of its own promotes to that, or goes on as it is"
                self.add_loss("promotedPieceType", here)

    def _mandatory_setting(self, piece: ImportedPiece, side: int) -> str:
        """The setting that says whether a piece must promote."""
        own = piece.key in self.pieces.shogi
        return (
            PIECES_MUST
            if own and not self.pieces.promotes_as_pawn_too(piece.key, side)
            else PAWNS_MUST
        )

    def has_ep_square_in_zone(self, side: int) -> bool:
        """Whether what a side's pieces leave behind can be captured by a move into a zone."""
        pieces, other = self.pieces, 1 - side
        passing = (
            self.variant.types["enPassantTypes"][other] | {"pawn"} & self.variant.letters.keys()
        )
        zone = pieces.region_squares("promotionRegion", other) & pieces.ep_squares(side)
        return bool(zone) and any(pieces.promotions(key, other) for key in passing)

    def _add_promotion_by_captures(self, *, pawns: bool, everywhere: bool) -> None:
        """Promotion by captures alone, which is of all pieces here, and on all squares."""
        pieces = self.pieces
        if pawns or not everywhere:
            here = "pieces promote in the zone without a capture too"
            self.add_loss("piecePromotionOnCapture", here)
            return
        self.file.rules["promotion-when"] = "captures"
        stuck = (
            pieces.immobile_squares(key, side)
            for key in pieces.shogi
            for side in pieces.owners.get(key, ())
        )
        if any(stuck):
            self.add_loss("immobilityIllegal", "a piece may go where it could never move again")

    def promotion_fields(self, piece: ImportedPiece, side: int) -> Iterator[str]:
        """What a piece promotes to, and whether it must."""
        pieces, means = self.pieces, self.variant
        if piece.promotes_from:
            if piece.promotes_from in pieces.shogi and means.is_true("pieceDemotion"):
                yield f"promotes={pieces.code(ImportedPiece(piece.promotes_from), side)}"
                yield "forced" if means.is_true("mandatoryPiecePromotion") else ""
            return
        forms = pieces.promotions(piece.key, side)
        if not forms:
            return
        yield "promotes=" + ",".join(pieces.code(form, side) for form in forms)
        setting = self._mandatory_setting(piece, side)
        if setting == PAWNS_MUST and means.is_true("sittuyinPromotion"):
            yield "apart"
            if piece.key != "pawn":
                self.add_loss("sittuyinPromotion", "no move into the zone promotes")
        elif means.is_true(setting):
            yield "forced"
        elif pieces.immobile_squares(piece.key, side):
            yield "stuck"

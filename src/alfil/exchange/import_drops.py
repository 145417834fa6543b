"""How pieces of an imported variant are dropped."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.exchange.import_pieces import ImportedPiece
from alfil.exchange.piece_file_builder import RulesImporterBase
from alfil.exchange.resolved_variant import ALL_PIECES
from alfil.exchange.variants_ini import MAX_BISHOPS, Section, built_in_variants
from alfil.game.variant import OPENING_REGION
from alfil.squares import Square


class DropRulesImporter(RulesImporterBase):
    """The rules and fields of drops for a file under construction."""

    def add_drop_rules(self) -> None:
        """What the settings of drops say of the whole game."""
        means = self.variant
        if self.pieces.encloses:
            self._add_enclosing_drop_rules(means.values["enclosingDrop"])
        # Without drops nothing was dropped, and without castling nothing castles.
        if all(map(means.is_true, ("castlingDroppedPiece", "castling", "pieceDrops"))):
            self._add_castling_after_drop_losses()
        if not self.pieces.shogi:
            self.file.rules.pop("drop-form", None)
        counted = (
            means.types["extinctionPieceTypes"][0] and means.values["extinctionValue"] != "none"
        )
        if means.is_true("capturesToHand") and counted and not self.file.uses_hands():
            here = "nothing that is captured counts for whoever captures it"
            self.add_loss("capturesToHand", here)
        if not means.is_true("pieceDrops"):
            for rule in ("captured", "captured-form", "drop-form", "drops-first"):
                self.file.rules.pop(rule, None)

    def _add_enclosing_drop_rules(self, how: str) -> None:
        """Drops beside others, of which there is no end, and which turn over as other moves do."""
        if how not in {"reversi", "ataxx"}:
            self.add_loss("enclosingDrop", "pieces are dropped on any empty square")
            return
        self.file.rules["drops"] = "free"
        if how == "ataxx":
            self.file.rules["drop-beside"] = "own"
        encloses = self.file.rules.get("flip") == "enclosed"
        if encloses and how == "ataxx":
            self.add_loss("enclosingDrop", "a drop turns something over")
        elif how == "reversi" and not encloses:
            self.add_loss("enclosingDrop", "a drop need enclose nothing")
        if not self._has_unlimited_drops():
            self.add_loss("enclosingDrop", "there is no end of the pieces that are dropped")
        opening = [self.pieces.region_squares("enclosingDropStart", side) for side in (0, 1)]
        if any(self.variant.areas["enclosingDropStart"]):
            self.file.regions[opening[0], opening[1]] = OPENING_REGION

    def _has_unlimited_drops(self) -> bool:
        """Whether all pieces are dropped as often as there is room for them.

        The program's ataxx says so; elsewhere a side needs pieces for half of the squares.
        """
        above: Section | None = self.file.section
        while above is not None:
            if above is built_in_variants()["ataxx"]:
                return True
            above = above.parent
        room = len(self.pieces.board) - len(self.begin.pieces) - len(self.begin.walls)
        held = [sum(hand.values()) for hand in self.begin.hands]
        return len(self.pieces.kinds) == 1 and 2 * min(held) >= room

    def _add_castling_after_drop_losses(self) -> None:
        """A king that was dropped castles only where nothing moves before all are."""
        if not self.pieces.castles_after_drop:
            self.add_loss("castlingDroppedPiece", "what was dropped does not castle")
            return
        partners = [self.castling_partners_of_dropped_king(side) for side in (0, 1)]
        if partners[0] != partners[1] or not partners[0]:
            here = "a dropped king castles with the same pieces on both sides, and with some"
            self.add_loss("castlingRookPieces", here)

    def castling_partners_of_dropped_king(self, side: int) -> tuple[str, ...]:
        """The pieces with which a dropped king castles."""
        rooks = self.variant.types["castlingRookPieces"][side]
        dropped = dict.fromkeys(key for hand in self.begin.hands for key in hand)
        return tuple(
            key for key in dropped if {key, ALL_PIECES} & rooks and key not in self.file.royal
        )

    def drop_fields(self, piece: ImportedPiece) -> Iterator[str]:
        """Where a piece may be dropped, and how."""
        means, pieces = self.variant, self.pieces
        if not means.is_true("pieceDrops"):
            return
        if not self._is_dropped_in_this_form(piece):
            # Where any form is dropped, all are but those that may be dropped nowhere.
            yield "drop-ranks=none" if "drop-form" in self.file.rules else ""
            return
        areas = (self._drop_squares(piece, 0), self._drop_squares(piece, 1))
        allowed = [self.file.allowed_squares(piece, side) for side in (0, 1)]
        if piece.promotes_from and any(areas[side] - allowed[side] for side in (0, 1)):
            self.add_loss("dropPromoted", "what has promoted is dropped where it may go")
        if areas != (pieces.board, pieces.board):
            where = self.file.define_region(areas, "drops") if any(areas) else "none"
            yield (
                f"drop-ranks={where}"
                if where == "none" or where[0].isdigit()
                else f"drop-in={where}"
            )
        if "king" in self.file.royal:  # of no other piece is there a check by a drop
            yield from self._drop_check_and_mate_fields(piece)
        yield from self._drop_limit_fields(piece) if any(areas) else ()

    def _drop_check_and_mate_fields(self, piece: ImportedPiece) -> Iterator[str]:
        """Whether a drop may give check, or mate."""
        barred = not self.variant.is_true("dropChecks")
        mates = piece.key == "shogiPawn" and self.variant.is_true("shogiPawnDropMateIllegal")
        if barred:
            yield "drop-check=barred"
        if mates:
            yield "drop-mate=barred"
        if (barred or mates) and self.file.royal - {"king"}:
            setting = "dropChecks" if barred else "shogiPawnDropMateIllegal"
            self.add_loss(setting, "no drop attacks another royal piece than a king either")

    def _drop_limit_fields(self, piece: ImportedPiece) -> Iterator[str]:
        """How many such pieces may be dropped on a file, or on squares of a colour."""
        means = self.variant
        single = means.types["dropNoDoubled"][0]
        if piece.promotes_from in single:
            here = "what is dropped as promoted keeps to no limit on a file"
            self.add_loss("dropNoDoubled", here)
        elif piece.key in single:
            yield f"per-file={means.values['dropNoDoubledCount']}"
            if self.pieces.occurs_in_several_forms(piece.key):
                here = "promoted pieces of this kind do not count on a file"
                self.add_loss("dropNoDoubled", here)
        if piece.key == "bishop" and means.is_true("dropOppositeColoredBishop"):
            yield "per-colour=1"
            promoted = {"bishop", ALL_PIECES} & frozenset().union(
                *means.types["promotionPieceTypes"]
            )
            if (
                means.is_true("capturesToHand")
                or max(self.begin.count("bishop", side) for side in (0, 1)) > MAX_BISHOPS
                or (promoted and not means.is_true("mustDrop"))
            ):
                here = "a bishop is dropped on no colour that another stands on, however many there"
                self.add_loss("dropOppositeColoredBishop", f"{here} are on the other one")

    def _is_dropped_in_this_form(self, piece: ImportedPiece) -> bool:
        """Whether what has promoted is dropped as such; what a pawn promotes to never is."""
        if not piece.promotes_from:
            return True
        means, form = self.variant, piece.promotes_from in self.pieces.shogi
        return form and (means.is_true("dropPromoted") or means.is_true("dropLoop"))

    def _drop_squares(self, piece: ImportedPiece, side: int) -> frozenset[Square]:
        """Where a piece may be dropped; what has promoted, where its base may be."""
        means, pieces = self.variant, self.pieces
        promoted = piece.promotes_from and means.is_true("dropPromoted")
        key = piece.promotes_from if promoted else piece.key
        result = pieces.region_squares("dropRegion", side)
        if region := pieces.mobility_region(key, side):
            result &= region
        first = frozenset(each for each in pieces.board if pieces.relative_rank(each[1], side) == 1)
        if key in means.types["dropNoDoubled"][0] and means.values["dropNoDoubledCount"] == "0":
            return frozenset()
        if key == "pawn" and not means.is_true("promotionZonePawnDrops"):
            result -= pieces.region_squares("promotionRegion", side)
        if key == "pawn" and not means.is_true("firstRankPawnDrops"):
            result -= first
        if key == "rook" and means.is_true("sittuyinRookDrop"):
            result &= first
        return result - pieces.immobile_squares(piece.key, side)

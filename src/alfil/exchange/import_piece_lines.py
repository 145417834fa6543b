"""The lines of pieces for an imported variant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from alfil.exchange.import_drops import DropRulesImporter
from alfil.exchange.import_pieces import CAMBODIAN_FIRST_MOVES, ImportedPiece
from alfil.exchange.import_promotion import PromotionRulesImporter
from alfil.exchange.piece_file_builder import PieceFileBuilder, RulesImporterBase
from alfil.exchange.resolved_variant import ALL_PIECES, SIDES
from alfil.exchange.variants_ini import MATING, NEVER_MATING, POINTS_BY_METHOD
from alfil.game.variant import WALLS_REGION

NAME_WORD_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])")


class PieceLinesImporter(RulesImporterBase):
    """The lines of pieces, and of their moves on some squares, for a file under construction."""

    def __init__(
        self, file: PieceFileBuilder, promotion: PromotionRulesImporter, drops: DropRulesImporter
    ) -> None:
        super().__init__(file)
        self.promotion, self.drops = promotion, drops

    def piece_lines(self) -> Iterator[str]:
        """The line of each kind, or of each side's where they differ."""
        for piece in self.pieces.kinds:
            sides = sorted(self.pieces.owners[piece.key])
            if piece not in self.pieces.split:
                yield self._piece_line(piece, sides[0], ())
                continue
            for side, word in enumerate(("first", "second")):
                letter = self.variant.letters[piece.key].upper()
                yield self._piece_line(piece, side, (f"letter={letter}", f"side={word}"))

    def _piece_line(self, piece: ImportedPiece, side: int, extra_fields: Iterable[str]) -> str:
        """The line of a kind."""
        pieces, means = self.pieces, self.variant
        words = NAME_WORD_BOUNDARY.sub(" ", piece.key).lower()
        letter = means.letters[piece.key].upper()
        name = f"piece {letter}" if piece.key.startswith("customPiece") else words
        code = pieces.code(piece, side)
        if piece.promotes_from:
            of = means.letters[piece.promotes_from].upper()
            name = f"promoted {name if piece.promotes_from not in pieces.shogi else of}"
        fields = [f'betza="{pieces.betza_text(piece, side)}"', *extra_fields]
        if (
            piece.promotes_from
            and piece not in pieces.split
            and piece.promotes_from not in pieces.shogi
        ):
            fields.append(f"letter={code}")
        fields += [
            *self._royal_region_and_castling_fields(piece, side),
            *self._capture_gating_and_mating_fields(piece, side),
        ]
        fields += [*self.promotion.promotion_fields(piece, side), *self.drops.drop_fields(piece)]
        return f'piece {code} "{name}" {" ".join(each for each in fields if each)}'

    def _royal_region_and_castling_fields(self, piece: ImportedPiece, side: int) -> Iterator[str]:
        """The fields for the regions of a piece, and for what it must not suffer."""
        key, means, pieces = piece.key, self.variant, self.pieces
        if key in self.file.royal:
            yield "royal"
        allowed = (self.file.allowed_squares(piece, 0), self.file.allowed_squares(piece, 1))
        if allowed != (pieces.board, pieces.board):
            yield f"within={self.file.define_region(allowed, f'for-{means.letters[key]}')}"
        if key == "janggiCannon":
            yield f"blocked-by={','.join(pieces.codes_of_piece_name(key))}"
        if (
            not piece.promotes_from
            and pieces.castles_from_anywhere
            and key in means.types["castlingKingPiece"][side]
        ):
            yield from self._castling_from_anywhere_fields(side)
        elif (
            not piece.promotes_from
            and pieces.castles_after_drop
            and key in means.types["castlingKingPiece"][side]
        ):
            codes = [
                code
                for each in self.drops.castling_partners_of_dropped_king(side)
                for code in pieces.codes_of_piece_name(each)
            ]
            yield f"castles-with={','.join(codes)}" if codes else ""
        if means.counts["promotionLimit"].get(key, "0") != "0":
            yield f"per-side={means.counts['promotionLimit'][key]}"
            if piece.promotes_from:
                self.add_loss("promotionLimit", "promoted pieces are not counted with others")

    def _capture_gating_and_mating_fields(self, piece: ImportedPiece, side: int) -> Iterator[str]:
        """What becomes of a piece that captures or is captured, goes for the first time, mates."""
        key, means = piece.key, self.variant
        self._add_en_passant_losses(key, side)
        if means.is_true("blastOnCapture"):
            immune = {key, ALL_PIECES} & means.types["blastImmuneTypes"][0]
            yield "blast=never" if immune else "blast=capturing" if key == "pawn" else ""
        if (
            key in means.types["petrifyOnCaptureTypes"][0]
            and not self.file.has_petrification_with_duck()
        ):
            yield "petrifies"
        if key in means.types["mutuallyImmuneTypes"][0]:
            yield f"immune-to={','.join(self.pieces.codes_of_piece_name(key))}"
        if means.is_true("seirawanGating") and means.is_true("gating"):
            yield "gates" if self._has_gating(key, side) else ""
        counted = POINTS_BY_METHOD.get(means.values["materialCounting"])
        if counted is not None:
            yield f"points={counted.get(key, 0 if 'rook' in counted else 1)}"
        if means.values["chasingRule"] == "axf" and key not in self.file.royal:
            yield from self._chase_fields(key)
        if means.is_true("shatarMateRule") and key not in MATING:
            yield "mates=never" if key == NEVER_MATING else "mates=drawn"

    def _add_en_passant_losses(self, key: str, side: int) -> None:
        """Captures en passant that other settings say of the piece there."""
        pieces = self.pieces
        if pieces.captures_en_passant_where_it_moves(key, side):
            here = "a piece captures en passant also where it may go without a capture"
            self.add_loss("enPassantTypes", here)
        if pieces.captures_en_passant_outside_region(key, side):
            here = "a pawn captures en passant only where it may go"
            self.add_loss(f"mobilityRegion{SIDES[side]}Pawn", here)
        immune = key in self.variant.types["mutuallyImmuneTypes"][0]
        immune = immune and pieces.is_capturable_en_passant(key, 1 - side)
        if immune and pieces.captures_en_passant(key, side):
            self.add_loss("mutuallyImmuneTypes", "what is immune is not captured en passant either")

    def _chase_fields(self, key: str) -> Iterator[str]:
        """What a piece is worth where chases are judged, and whether it chases and is chased."""
        rank = self.variant.values["soldierPromotionRank"]
        if key in POINTS_BY_METHOD["axf"] and self.variant.values["materialCounting"] == "none":
            yield f"points={POINTS_BY_METHOD['axf'][key]}"
        if key == "soldier":
            yield "chases=no"
            yield f"chased-in={rank}-R" if int(rank) > 1 else ""

    def _castling_from_anywhere_fields(self, side: int) -> Iterator[str]:
        """Castling of a king wherever it stands, with partners wherever they stand."""
        rooks = [
            code
            for key in sorted(self.variant.types["castlingRookPieces"][side])
            for code in self.pieces.codes_of_piece_name(key)
        ]
        to = [self.variant.values[f"castling{wing}sideFile"] for wing in ("Queen", "King")]
        if rooks and self.variant.is_true("castling"):
            if not (
                self.variant.is_true("chess960") or self.pieces.has_unambiguous_castling_partners()
            ):
                self.add_loss("castlingRookPieces", "it castles with any of these on its rank")
            yield f"castles-with={','.join(rooks)}"
            yield f"castles-to={','.join(to)}"

    def _has_gating(self, key: str, side: int) -> bool:
        """Whether its first move may leave a piece from the hand behind, which no wall does."""
        if self.variant.values["wallingRule"] != "none":
            return False
        gates = self._first_move_marks(key, side)
        if len(gates) > 1:
            self.add_loss(
                "startFen", f"all pieces {self.variant.letters[key]} or none make room for one"
            )
        return gates == {True}

    def _has_cambodian_leap(self, key: str) -> bool:
        """Whether it has the first move of Cambodian chess, as all or none of its kind have."""
        if not (self.variant.is_true("cambodianMoves") and self.variant.is_true("gating")):
            return False
        gates = self._first_move_marks(key, 0) | self._first_move_marks(key, 1)
        if len(gates) > 1:
            here = f"all pieces {self.variant.letters[key]} or none have a first move of their own"
            self.add_loss("startFen", here)
        return gates == {True}

    def _first_move_marks(self, key: str, side: int) -> set[bool]:
        """Whether pieces of a side stand where their first move is marked in the start."""
        rights, begin = self.begin.rights, self.begin
        own = {each.lower() for each in rights if each.islower() == bool(side)}
        files = {ascii_lowercase.index(each) for each in own - {*"kq-"}}
        king = self.pieces.king_square(side)
        if king and own & {*"kq"}:
            rooks = self.variant.types["castlingRookPieces"][side]
            partners = [each for each in begin.pieces if each.side == side and each.key in rooks]
            files |= {king[0], *(each.square[0] for each in partners)}
        home = self.variant.ranks - 1 if side else 0
        return {y == home and x in files for x, y in begin.squares(key, side)}

    def regional_move_lines(self) -> Iterator[str]:
        """Moves that pieces have on some squares only."""
        for piece in self.pieces.kinds:
            for where, areas, text in self.pieces.regional_moves(piece):
                name = self.file.define_region(
                    areas,
                    f"{'lines' if where == 'in' else 'from'}-{self.variant.letters[piece.key]}",
                )
                for code in self.pieces.codes(piece):
                    yield f'moves {code} {where}={name} betza="{text}"'
            if (
                piece.key in CAMBODIAN_FIRST_MOVES
                and not piece.promotes_from
                and self._has_cambodian_leap(piece.key)
            ):
                for code in self.pieces.codes(piece):
                    yield f"moves {code} unchecked betza={CAMBODIAN_FIRST_MOVES[piece.key]}"
        walls = self.variant.areas["wallingRegion"]
        own = (walls[0] & self.pieces.board, walls[1] & self.pieces.board)
        if "wall" in self.file.rules and own != (self.pieces.board, self.pieces.board):
            self.file.regions[own] = WALLS_REGION

"""Castling and double steps of a game as settings of Fairy-Stockfish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from string import ascii_lowercase
from typing import NamedTuple

from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece, boolean_text, region_text
from alfil.exchange.ini_section_builder import SettingsWriter
from alfil.exchange.regional_moves import en_passant_legs
from alfil.exchange.resolved_variant import SIDES
from alfil.squares import Square


class CastlingWing(NamedTuple):
    """A wing, "King" or "Queen", and the files that the king goes to and its partner stands on."""

    wing: str
    king_file: int
    partner_file: int


class FirstMoveSettingsWriter(SettingsWriter):
    """The settings of castling and double steps of a section under construction."""

    def write_first_moves(self) -> None:
        """Castling, and the squares from which pieces go farther the first time."""
        castling = [
            piece
            for piece in self.fs_pieces.values()
            if piece.regional.castlings or piece.kind.castles_to
        ]
        self.settings["castling"] = boolean_text(bool(castling))
        for piece in castling:
            if self.letters[piece.code] != self.letters[castling[0].code]:
                self.add_loss(piece.code, "there one kind of piece castles")
            else:
                self._write_castling_of_king(piece)
        self._add_losses_of_single_partners(castling)
        self._add_losses_of_dropped_castlers(castling)
        self._write_double_step_settings()
        # A right to castle there marks both as pieces that make room.
        castlers = [
            self.fs_pieces[code]
            for code in {each.code for each in castling} | self.section.partners
        ]
        gates = {piece.kind.gates for piece in self.fs_pieces.values()}
        if True in gates and not all(piece.kind.gates for piece in castlers):
            self.add_loss("gates", "there a piece that may castle makes room for another, too")

    def _write_castling_of_king(self, king: FairyStockfishPiece) -> None:
        """Where king and partners stand and go to; the partners are what stands in the corners."""
        for side in king.kind.sides:
            homes = {square for each in king.regional.king_squares for square in each[side]}
            if not king.regional.king_squares:
                homes = {*self.section.start_squares(king, side)}
            if len(homes) > 1:
                self.add_loss(king.code, "there it castles from one square")
            elif homes:
                self._write_castling_from_square(king, side, homes.pop())

    def _add_losses_of_single_partners(self, castling: Iterable[FairyStockfishPiece]) -> None:
        """A right to castle on the king's side: there the partner must be a second one."""
        partners = {self.letters[code] for code in self.section.partners}
        for side, right in enumerate("Kk"):
            begun = [
                each
                for each in self.variant.setup
                if each.side == side and self.letters[each.code] in partners
            ]
            if right in self.section.rights and len(begun) == 1:
                king = next(piece.code for piece in castling if side in piece.kind.sides)
                self.add_loss(
                    king, "there a start with one rook, on the king's side, is called invalid"
                )

    def _add_losses_of_dropped_castlers(self, castling: Iterable[FairyStockfishPiece]) -> None:
        """What is put down in a phase of drops has not moved, and may castle where it stands."""
        rules = self.variant.rules
        if rules.drops != "yes" or rules.drops_first != "yes":
            return
        held = {code for hand in self.variant.hands for code, _ in hand}
        for king in castling:
            castlers = {king.code, *(king.kind.castles_with or held)}
            if not king.regional.king_squares and held & castlers:
                self.add_loss(king.code, "there nothing castles that was dropped")

    def _write_castling_from_square(
        self, king: FairyStockfishPiece, side: int, home: Square
    ) -> None:
        settled = {
            "castlingRank": str(self.section.relative_rank(home, side)),
            "castlingKingFile": ascii_lowercase[home[0]],
        }
        if king.code not in self.section.king_codes:
            settled["castlingKingPiece"] = self.letters[king.code]
        wings = dict.fromkeys(self._castling_wings_with_partner(king, side, home))
        if len({each.wing for each in wings}) < len(wings):
            self.add_loss(king.code, "there it castles one way on each side")
        for wing, king_file, partner_file in wings:
            if not king.regional.king_squares or home in self.section.start_squares(king, side):
                self.section.rights += wing[0].lower() if side else wing[0]
            settled[f"castling{wing}sideFile"] = ascii_lowercase[king_file]
            settled[f"castlingRook{wing}sideFile"] = ascii_lowercase[partner_file]
        known = self.settings
        if any(known.get(name, value) != value for name, value in settled.items()):
            self.add_loss(king.code, "there both sides castle on the same files")
        known |= settled
        known["castlingRookPieces"] = self.section.letters_of_codes(sorted(self.section.partners))

    def _castling_wings_with_partner(
        self, king: FairyStockfishPiece, side: int, home: Square
    ) -> Iterator[CastlingWing]:
        """The wings to which it castles with a partner that it has, or may drop."""
        own = {each.square: each.code for each in self.variant.setup if each.side == side}
        dropped = [
            piece.code for piece in self.fs_pieces.values() if self.section.is_droppable(piece)
        ]
        if dropped and king.regional.king_squares:
            self.settings["castlingDroppedPiece"] = "true"
        only = king.kind.castles_with
        dropped = [code for code in dropped if not only or code in only]
        for wing in self._castling_wings(king, side, home):
            partner = own.get((wing.partner_file, home[1]))
            if only and partner not in only:
                partner = None
            if partner or (dropped and king.regional.king_squares):
                self.section.partners |= {partner} if partner else {*dropped}
                yield wing

    def _castling_wings(
        self, king: FairyStockfishPiece, side: int, home: Square
    ) -> Iterator[CastlingWing]:
        """The wings to which it castles by its movement or by its files."""
        last = self.variant.files - 1
        for way in king.regional.castlings:
            for dx, _ in way.steps:
                right = (dx > 0) != bool(side)
                corner = last - way.inset if right else way.inset
                if abs(corner - home[0]) > way.squares:
                    to = home[0] + (way.squares if right else -way.squares)
                    yield CastlingWing("King" if right else "Queen", to, corner)
        stones = [each for each in self.variant.setup if each.side == side]
        for wing, to in zip(("Queen", "King"), king.kind.castles_to or (), strict=False):
            result = [
                each.square[0]
                for each in stones
                if each.code in king.kind.castles_with
                and each.square[1] == home[1]
                and (each.square[0] > home[0]) == (wing == "King")
            ]
            if result:
                corner = max(result) if wing == "King" else min(result)
                yield CastlingWing(wing, to, corner)

    def _write_double_step_settings(self) -> None:
        """The squares from which pieces go farther, and who captures what passes there."""
        pieces = self.section.exported_pieces()
        first = [
            piece for piece in pieces if any(each.when for each in piece.piece.movement.options)
        ]
        passing = [piece.code for piece in pieces if any(en_passant_legs(piece.piece))]
        self.settings["doubleStep"] = boolean_text(bool(first))
        self.settings["pawnTypes"] = "-"
        self.settings["enPassantTypes"] = self.section.letters_of_codes(passing)
        if not passing:
            # The program's own pawn captures en passant wherever something may be captured so.
            self.settings["enPassantRegion"] = "-"
        regions = []
        for side, name in enumerate(SIDES):
            each = [
                squares for piece in first if (squares := self._double_step_squares(piece, side))
            ]
            whole = frozenset[Square]().union(*each)
            regions.append(whole)
            self.settings[f"doubleStepRegion{name}"] = region_text(whole)
            if any(
                piece.regional.double_step_squares and squares != whole
                for piece, squares in zip(first, each, strict=False)
            ):
                self.add_loss(first[0].code, "there all pieces go farther from the same squares")
            up = -1 if side else 1
            silent = {
                (x, y + up) for piece in first for x, y in piece.regional.ep_silent_squares[side]
            }
            self._add_en_passant_losses(side, {(x, y + up) for x, y in whole} - silent)
            self._add_promoting_double_step_losses(side, first, silent)
            if silent:
                region = region_text(self.section.board_squares - silent)
                self.settings[f"enPassantRegion{SIDES[1 - side]}"] = region
        for piece in first:
            if piece.regional.double_step_squares is None:
                self._add_first_move_losses(piece, regions)

    def _add_en_passant_losses(self, side: int, passed: Set[Square]) -> None:
        """Captures of what has passed these squares there promote nothing, and go anywhere."""
        for piece in self.section.exported_pieces():
            if 1 - side not in piece.kind.sides or not any(en_passant_legs(piece.piece)):
                continue
            zone = self.section.promotion_squares(piece, 1 - side)
            if piece.promotions and not zone.isdisjoint(passed):
                self.add_loss(
                    piece.code, "there a capture en passant into the zone promotes nothing"
                )
            if not self.section.board_squares & passed <= self.section.allowed_squares(
                piece, 1 - side
            ):
                self.add_loss(
                    piece.code, "there it captures en passant where it may not go otherwise, too"
                )

    def _add_promoting_double_step_losses(
        self, side: int, pieces: Iterable[FairyStockfishPiece], squares_without_capture: Set[Square]
    ) -> None:
        """What promotes with a double step there is not captured en passant."""
        if not any(any(en_passant_legs(piece.piece)) for piece in self.section.exported_pieces()):
            return
        up = -1 if side else 1
        for piece in pieces:
            zone = self.section.promotion_squares(piece, side)
            starts = self._double_step_squares(piece, side)
            landing = {
                (x, y + 2 * up) for x, y in starts if (x, y + up) not in squares_without_capture
            }
            quiet = self.section.rules.promotion_when != "captures"
            if piece.promotions and quiet and not zone.isdisjoint(landing):
                self.add_loss(piece.code, "there it is not captured en passant when it promotes so")

    def _double_step_squares(self, piece: FairyStockfishPiece, side: int) -> frozenset[Square]:
        """The squares from which a piece goes farther than elsewhere."""
        if piece.regional.double_step_squares:
            return piece.regional.double_step_squares[side]
        return self.section.start_squares(piece, side)

    def _add_first_move_losses(
        self, piece: FairyStockfishPiece, regions: Sequence[Set[Square]]
    ) -> None:
        """A first move is one from certain squares there, whoever comes to them."""
        if any(
            self.section.places.squares(piece.code, side) & regions[side]
            for side in piece.kind.sides
        ):
            self.add_loss(
                piece.code, "there it has its first move on any square where a piece began with one"
            )

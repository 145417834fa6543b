"""A section of `variants.ini` under construction, and what is lost of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from alfil.errors import Diagnostic
from alfil.exchange import export_loss
from alfil.exchange.fairy_stockfish_pieces import (
    FairyStockfishPiece,
    fairy_stockfish_pieces,
    letters_by_code,
    region_text,
)
from alfil.exchange.possible_places import PossiblePlaces
from alfil.game.variant import ZONE_REGION, Area, PieceType
from alfil.library.library import Library
from alfil.squares import Square

PROGRAM = "Fairy-Stockfish"


class IniSectionBuilder:
    """The settings of a game, the letters of its pieces, and the losses."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.variant = library.variant
        self.rules = library.rules
        self.fs_pieces = fairy_stockfish_pieces(library)
        self.settings: dict[str, str] = {}
        self.losses: list[Diagnostic] = []
        self.left_out = set[str]()
        self.letters = letters_by_code(self.fs_pieces, self.rules)
        for code in (code for code, letter in self.letters.items() if not letter):
            self.add_loss(code, f"it is left out: {PROGRAM} has 26 letters for pieces")
            self.left_out.add(code)
        self.rights = ""
        self.partners: set[str] = set()
        self.keys: dict[str, str] = {}
        self.royals = [piece for piece in self.fs_pieces.values() if piece.traits.survive]
        self.keeps_moving = False

    def add_loss(self, piece_or_rule: str, message: str) -> None:
        """Note a loss, at the line of a piece or rule.

        A piece that is left out has no more, one that cannot come into the game has none.
        """
        loss = export_loss(self.library, piece_or_rule, message)
        absent = piece_or_rule in self.fs_pieces.keys() - self.places.codes
        # What holds of both sides is one loss.
        if not absent and piece_or_rule not in self.left_out and loss not in self.losses:
            self.losses.append(loss)

    @cached_property
    def places(self) -> PossiblePlaces:
        """Where the pieces can get."""
        return PossiblePlaces(self.variant, self.fs_pieces)

    def exported_pieces(self) -> list[FairyStockfishPiece]:
        """The kinds that are not left out."""
        return [piece for piece in self.fs_pieces.values() if piece.code not in self.left_out]

    def has_promotion_to_royal(self) -> bool:
        """Whether something promotes to a royal piece, so that there may be two of a kind."""
        codes = {piece.code for piece in self.royals}
        return any(codes.intersection(piece.promotions) for piece in self.fs_pieces.values())

    @cached_property
    def king_codes(self) -> tuple[str, ...]:
        """The code of the king, where both sides have one that must not be left in check."""
        codes = [piece.code for piece in self.royals]
        counts = [
            sum(each.code in codes for each in self.types_of_starting_pieces(side))
            for side in (0, 1)
        ]
        single = max(counts) == 1 and len({self.letters[code] for code in codes}) == 1
        # Of two kings there only one moves.
        single &= not self.has_promotion_to_royal()
        rules = self.rules
        plain = (rules.explosion, rules.wall, rules.flip) == ("none", "none", "none")
        plain &= not any(piece.kind.petrifies for piece in self.fs_pieces.values())
        return tuple(codes) if single and plain and rules.self_check == "barred" else ()

    def types_of_starting_pieces(self, side: int) -> Iterator[PieceType]:
        """The kinds of the pieces that a side begins with."""
        for each in self.variant.setup:
            if each.side == side:
                yield self.fs_pieces[each.code].kind
        for code, count in self.variant.hands[side]:
            yield from [self.fs_pieces[code].kind] * count

    def start_squares(self, piece: FairyStockfishPiece, side: int) -> frozenset[Square]:
        """Where a side has such pieces at the start."""
        mine = (piece.code, side)
        return frozenset(e.square for e in self.variant.setup if (e.code, e.side) == mine)

    def is_droppable(self, piece: FairyStockfishPiece) -> bool:
        """Whether such a piece can be in a hand, as it is, and be put down."""
        if (
            self.rules.drops == "no"
            or piece.traits.survive
            or not self.variant.droppable(piece.kind)
        ):
            return False
        held = any(code == piece.code for hand in self.variant.hands for code, _ in hand)
        return held or self.rules.captured == "to-hand"

    def drop_squares(self, piece: FairyStockfishPiece) -> set[Square]:
        """Where it may be dropped, as the first side sees the board."""
        first, last = piece.kind.drop_ranks or (1, 0)
        ranks = range(first - 1, min(last, self.variant.ranks))
        return set(product(range(self.variant.files), ranks))

    def promotion_squares(self, piece: FairyStockfishPiece, side: int) -> frozenset[Square]:
        """The squares that a move of it has to touch to promote it, if it does."""
        everywhere = self.rules.promotion_when in {"captures", "always"}
        zone = piece.kind.promotes_in or ZONE_REGION
        return self.variant.squares((1, self.variant.ranks) if everywhere else zone, side)

    def never_moves_from_zone(self, piece: FairyStockfishPiece) -> bool:
        """Whether no move of it can begin in the zone, because it is there promoted only."""
        if piece.traits.promotion.mode != "forced" or any(
            piece.code in other.promotions for other in self.fs_pieces.values()
        ):
            return False
        dropped = piece.kind.drop_ranks if self.is_droppable(piece) else ()
        return all(
            zone.isdisjoint(self.start_squares(piece, side))
            and zone.isdisjoint(self.variant.squares(dropped, side) if dropped else ())
            for side in piece.kind.sides
            for zone in [self.promotion_squares(piece, side)]
        )

    def never_leaves_zone(self, piece: FairyStockfishPiece) -> bool:
        """Whether no move of it can begin in the zone and end elsewhere."""
        variant = self.variant
        return piece.is_forward_only and all(
            zone
            == variant.squares(
                (variant.ranks + 1 - len(zone) // variant.files, variant.ranks), side
            )
            for side in piece.kind.sides
            for zone in [self.promotion_squares(piece, side)]
        )

    def region_of_ranks(self, ranks: Iterable[int], side: int) -> str:
        """Ranks, counted from their owner, as a region."""
        top = self.variant.ranks + 1
        return " ".join(f"*{top - rank if side else rank}" for rank in ranks) or "-"

    def region_of_area(self, area: Area, side: int) -> str:
        """The squares of an area of one side, as a region."""
        if not isinstance(area, str):
            return self.region_of_ranks(range(area[0], min(area[1], self.variant.ranks) + 1), side)
        return region_text(self.variant.squares(area, side))

    def allowed_squares(self, piece: FairyStockfishPiece, side: int) -> frozenset[Square]:
        """The squares on which such a piece may stand."""
        within, outside = (
            self.variant.squares(area, side) if area else None
            for area in (piece.kind.within, piece.kind.outside)
        )
        return (self.board_squares if within is None else within) - (outside or frozenset())

    @cached_property
    def board_squares(self) -> frozenset[Square]:
        """All squares of the board."""
        return self.variant.squares((1, self.variant.ranks), 0)

    def relative_rank(self, square: Square, side: int) -> int:
        """The rank of a square, from 1, as its owner counts."""
        return self.variant.ranks - square[1] if side else square[1] + 1

    def letters_of_codes(self, codes: Iterable[str]) -> str:
        """The letters of some kinds, each once; - where there are none."""
        return "".join(dict.fromkeys(self.letters[code] for code in codes)) or "-"


class SettingsWriter:
    """Writes some of the settings of a section under construction."""

    def __init__(self, section: IniSectionBuilder) -> None:
        self.section = section
        self.variant, self.rules, self.keys = section.variant, section.rules, section.keys
        self.fs_pieces, self.letters = section.fs_pieces, section.letters
        self.settings, self.add_loss = section.settings, section.add_loss

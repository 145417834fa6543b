"""A piece file under construction, and what is lost of a variant."""

from __future__ import annotations

from typing import NoReturn

from alfil.errors import AlfilError, Diagnostic, reject
from alfil.exchange.import_pieces import ImportedPiece, ImportedPieces, starting_position
from alfil.exchange.resolved_variant import SIDES, Area, ResolvedVariant, resolve_section
from alfil.exchange.variants_ini import Section, make_diagnostic
from alfil.source import Source, Span
from alfil.squares import Square


class PieceFileBuilder:
    """The lines of a piece file under construction, and the losses.

    ``royal`` are the types that a side may not lose.
    """

    def __init__(self, section: Section, source: Source | None) -> None:
        self.section, self.source = section, source
        self.variant: ResolvedVariant = resolve_section(section)
        self.begin = starting_position(self.variant)
        self.pieces = ImportedPieces(self.variant, self.begin)
        self.losses: list[Diagnostic] = []
        self.rules: dict[str, str] = {"first": "white"}
        self.regions: dict[tuple[frozenset[Square], frozenset[Square]], str] = {}
        self.lines: list[str] = []
        self.royal: set[str] = set()

    def uses_hands(self) -> bool:
        """Whether what is in hand ever comes to the board."""
        return self.variant.is_true("pieceDrops") or self.variant.is_true("seirawanGating")

    def add_loss(self, key: str, message: str) -> None:
        """Add a loss, at the line of a setting."""
        at, span = self.variant.settings.get(key), self.setting_span(key)
        value = at.value if at else self.variant.values.get(key, "")
        setting_text = f"{key} = {value}" if value else key
        loss = make_diagnostic("import-loss", span, setting=setting_text, loss=message)
        if loss not in self.losses:
            self.losses.append(loss)

    def setting_span(self, key: str) -> Span:
        """Where a setting stands in the user's file, else the name of the section."""
        at = self.variant.settings.get(key)
        if self.source and at and self.source.text[slice(*at.span)] == at.key:
            return at.span
        return self.section.span if self.source else Span(0, 0)

    def reject_variant(self, message: str, key: str = "") -> NoReturn:
        """Say why there is no game, at a setting or the section."""
        source = self.source or Source(self.section.name, "<variant>")
        reject(AlfilError, "import-refused", message, source, self.setting_span(key))

    def allowed_squares(self, piece: ImportedPiece, side: int) -> frozenset[Square]:
        """The squares on which a piece of one side may stand."""
        key, means, pieces = piece.key, self.variant, self.pieces
        result = pieces.mobility_region(key, side) & pieces.board or pieces.board
        if not piece.promotes_from and pieces.castling_targets(key, side) - result:
            setting = f"mobilityRegion{SIDES[side]}{key[0].upper()}{key[1:]}"
            self.add_loss(setting, "nothing castles to where it may not go")
        pawn = key == "pawn" or key in means.types["promotionPawnTypes"][side]
        must = pawn and means.is_true("mandatoryPawnPromotion")
        zone = pieces.region_squares("promotionRegion", side) if must else frozenset[Square]()
        if pieces.promotions(key, side) or piece.promotes_from:
            if zone and not pieces.promotions(key, side):
                here = "a piece that has promoted goes on to squares of the zone"
                self.add_loss("promotionPieceTypes", here)
            return result
        # There pieces may not go, though they give check there.
        barred = pieces.immobile_squares(key, side) | zone
        setting = "promotionPieceTypes" if must else "immobilityIllegal"
        if result & barred:
            self.add_loss(setting, f"{pieces.code(piece, side)} gives no check where it may not go")
        return result - barred

    def has_petrification_with_duck(self) -> bool:
        """Whether pieces would turn to stone beside a duck, where none do."""
        types = self.variant.types["petrifyOnCaptureTypes"]
        return self.variant.values["wallingRule"] == "duck" and any(types)

    def define_region(self, areas: Area, name: str) -> str:
        """Ranks counted from the owner, or the name of a region that is written for it."""
        rows = [{self.pieces.relative_rank(y, side) for _, y in areas[side]} for side in (0, 1)]
        full = all(len(areas[side]) == len(rows[side]) * self.variant.files for side in (0, 1))
        low, high = min(rows[0], default=0), max(rows[0], default=0)
        if full and rows[0] == rows[1] == {*range(low, high + 1)}:
            return f"{low}-{high}"
        if areas not in self.regions:
            taken = {*self.regions.values()}
            names = (name, *(f"{name}{number}" for number in range(2, 99)))
            self.regions[areas] = next(each for each in names if each not in taken)
        return self.regions[areas]


class RulesImporterBase:
    """Writes some of the rules and pieces of a file under construction."""

    def __init__(self, file: PieceFileBuilder) -> None:
        self.file, self.add_loss = file, file.add_loss
        self.variant, self.begin, self.pieces = file.variant, file.begin, file.pieces

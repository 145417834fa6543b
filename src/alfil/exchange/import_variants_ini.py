"""A variant of a `variants.ini` as a piece file, with its losses.

What Fairy-Stockfish does with a setting was found out by asking it; tests/test_import.py goes on
asking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from alfil.errors import AlfilError, Diagnostic, reject_unknown_name, require_type
from alfil.exchange import OnLoss, require_loss_policy
from alfil.exchange.fairy_stockfish_pieces import fairy_stockfish_pieces
from alfil.exchange.import_drops import DropRulesImporter
from alfil.exchange.import_endings import EndingRulesImporter
from alfil.exchange.import_piece_lines import PieceLinesImporter
from alfil.exchange.import_promotion import PromotionRulesImporter
from alfil.exchange.piece_file_builder import PieceFileBuilder, RulesImporterBase
from alfil.exchange.possible_places import PossiblePlaces
from alfil.exchange.resolved_variant import SIDES
from alfil.exchange.rule_conflicts import conflicts_of_features, features_of_game
from alfil.exchange.variants_ini import (
    KING_ONLY_RULES,
    PIECE_VALUE_TYPES,
    POINTS_BY_METHOD,
    WORD_VALUES,
    IniReader,
    Section,
    built_in_variants,
    setting_types,
)
from alfil.library.file_locations import PIECE_FILE_SUFFIX, FileLocation
from alfil.library.file_report import check_file
from alfil.library.formatter import format_file
from alfil.library.library import Library
from alfil.source import Source, source_of_file_text


class Import(NamedTuple):
    """A variant as a piece file: its name, the text, and what is lost.

    The spans of the losses are those of the `variants.ini`.
    """

    name: str
    text: str
    losses: tuple[Diagnostic, ...] = ()


class ImportLoss(AlfilError):
    """A piece file lacks some of the variant's rules; ``diagnostics`` has every loss."""


def ini_sections(text: str) -> tuple[str, ...]:
    """The names of the variants in a `variants.ini`.

    >>> ini_sections("[mine:chess]\\nmustCapture = true\\n")
    ('mine',)
    """
    require_type(text, str, "variants are a text")
    return tuple(IniReader(source_of_file_text(text, "<variants>")).sections)


def import_ini(text: str, name: str, *, on_loss: OnLoss = "strict") -> Import:
    """A variant of a `variants.ini`, or one that Fairy-Stockfish has built in, as a piece file.

    Raises `ImportLoss` with every setting that a piece file has nothing for, unless ``on_loss`` is
    "lossy": then the losses are comments in the text. Raises `AlfilError` of kind "unknown-variant"
    for a name that is in neither, "unknown-policy", "import-refused" where what remains is no game,
    and the errors of its pieces.

    >>> found = import_ini("[mine:gardner]\\nmustCapture = true\\n", "mine")
    >>> print(*found.text.splitlines()[5:9], sep="\\n")
    rule  first = white
    rule  must-capture = yes
    rule  move-limit = 50 P
    rule  repetition = 3 draw
    """
    require_type(text, str, "variants are a text")
    require_loss_policy(on_loss)
    return import_section(source_of_file_text(text, "<variants>"), name, on_loss)


def import_section(source: Source, name: str, on_loss: OnLoss) -> Import:
    """The same of a file that was read."""
    reader = IniReader(source)
    known = reader.sections
    section = known.get(name) or built_in_variants().get(name)
    if section is None:
        reject_unknown_name("unknown-variant", name, [*known, *built_in_variants()], 0.6)
    if section.has_unknown_parent:
        here = section.span.end + len(":")
        raise AlfilError([e for e in reader.diagnostics if e.spans[0].start == here], source)
    result = _Importer(section, source if name in known else None).import_file()
    if result.losses and on_loss == "strict":
        raise ImportLoss(result.losses, source)
    return result


def piece_file_name(name: str) -> str:
    """The name of the file for a variant, which is in no other folder, whatever the name.

    >>> piece_file_name("4x5chess"), piece_file_name("../chess")
    ('4x5chess.pieces', '.._chess.pieces')
    """
    return re.sub(r"[^\w.+-]", "_", name) + PIECE_FILE_SUFFIX


class _Importer(RulesImporterBase):
    """The file of a variant, put together by the nouns of its settings."""

    def __init__(self, section: Section, source: Source | None) -> None:
        file = PieceFileBuilder(section, source)
        super().__init__(file)
        self.endings = EndingRulesImporter(file)
        self.promotion, self.drops = PromotionRulesImporter(file), DropRulesImporter(file)
        self.piece_lines = PieceLinesImporter(file, self.promotion, self.drops)

    def import_file(self) -> Import:
        """The whole file."""
        self._add_unsupported_losses()
        self._add_rules_of_single_settings()
        self.endings.add_royal_rules()
        begin = len(self.file.losses)
        self._add_losses_of_combined_settings()
        for rule in KING_ONLY_RULES if self.endings.has_royals_but_no_king() else ():
            self.file.rules.pop(rule, None)
        self.endings.add_pass_rules()
        self.endings.add_ending_rules()
        self.promotion.add_promotion_rules()
        if any(map(self.promotion.has_ep_square_in_zone, (0, 1))):
            self.add_loss("promotionRegion", "a capture en passant into the zone promotes")
        if any(map(self.pieces.promotes_with_double_step, (0, 1))):
            here = "what promotes with a double step may be captured en passant"
            self.add_loss("promotionRegion", here)
        self.drops.add_drop_rules()
        pieces = [*self.piece_lines.piece_lines()]
        further = [*self.piece_lines.regional_move_lines()]
        means = self.variant
        head = [f'game "{self.file.section.name}"', f"board {means.files}x{means.ranks}"]
        goal_pieces = self.file.regions.items()
        regions = [
            line for area, name in goal_pieces for line in self.pieces.region_lines(area, name)
        ]
        rules = [f"rule {name} = {value}" for name, value in self.file.rules.items()]
        shown = self.file.uses_hands() and self.file.rules.get("drops") != "free"
        setup = self.pieces.setup_lines(hands_shown=shown)
        blocks = [head, self.file.lines, regions, rules, [*pieces, *further], setup]
        self._add_rule_conflicts(self._checked_library(_join_blocks(blocks)), begin)
        losses = [f"# lost: {loss.message}" for loss in self.file.losses]
        place = self._virtual_file_location(_join_blocks([[*losses, *head], *blocks[1:]]))
        return Import(self.file.section.name, format_file(place), tuple(self.file.losses))

    def _virtual_file_location(self, text: str) -> FileLocation:
        name = self.file.section.name
        return FileLocation(name, Source(text, f"{name}.pieces"), "text")

    def _checked_library(self, text: str) -> Library:
        """The game that the text is; it must be one."""
        report = check_file(self._virtual_file_location(text))
        first = next((each for each in report.diagnostics if each.severity == "error"), None)
        if first or not report.library:
            why = first.message if first else "it is empty"
            self.file.reject_variant(f"{self.file.section.name} is no game here: {why}")
        return report.library

    def _add_rule_conflicts(self, library: Library, first_later_loss: int) -> None:
        """What is lost of settings that mean something else together, before other losses."""
        pieces, later = self.pieces, self.file.losses[first_later_loss:]
        self.file.losses = self.file.losses[:first_later_loss]
        words = features_of_game(
            library.variant,
            {piece.key for piece in pieces.kinds},
            PossiblePlaces(library.variant, fairy_stockfish_pieces(library)),
            castles=pieces.has_castling,
            own_forms=bool(pieces.shogi),
            keeps_moving=self.variant.is_true("immobilityIllegal"),
        )
        self._add_losses_of_invalid_values()
        for each in conflicts_of_features(words):
            if each.setting:
                self.add_loss(each.setting, each.alfil_behaviour)
        self.file.losses += [loss for loss in later if loss not in self.file.losses]

    def _add_unsupported_losses(self) -> None:
        """Settings without any counterpart."""
        means = self.variant
        for sort in setting_types().values():
            if not sort.otherwise_meaning or sort.replaced_by:
                continue
            base = next((sort.name.removesuffix(side) for side in SIDES), sort.name)
            value = means.values.get(sort.name, sort.default)
            if sort.value == "squares":
                side = int(sort.name.endswith("Black"))
                area = means.areas[sort.name.removesuffix(SIDES[side])][side]
                value = "given" if area & self.pieces.board else ""
            elif sort.value == "piece":
                value = " ".join(sorted(means.types[base][0]))
            if value not in {sort.default, *sort.rules} and not self._is_idle_setting(sort.name):
                self.add_loss(sort.name, sort.otherwise_meaning)
        self._add_start_losses()

    def _is_idle_setting(self, name: str) -> bool:
        """Whether a setting is about what the variant has not."""
        match name:
            case "oppositeCastling":
                return not self.variant.is_true("castling")
            case "flagPieceCount":
                return not any(self.variant.areas["flagRegion"])
            case _:
                return False

    def _add_start_losses(self) -> None:
        """Losses of the starting position."""
        if self.begin.has_tilde_promotions and self.pieces.keeps_base:
            self.add_loss(
                "startFen", "what is marked there as promoted with ~ is captured as it is"
            )
        if any(self.begin.hands) and not self.file.uses_hands():
            self.add_loss("startFen", "nobody has anything in hand, where nothing is dropped")
        if any(each.square not in self.pieces.board for each in self.begin.pieces):
            self.add_loss("startFen", "pieces beside the board are left out")
        if self.begin.is_second_to_move:
            self.add_loss("startFen", "the first player moves first")
        if self.begin.unknown:
            letters = " ".join(dict.fromkeys(self.begin.unknown))
            self.file.reject_variant(
                f"{self.file.section.name}: no piece has the letter {letters}", "startFen"
            )

    def _add_rules_of_single_settings(self) -> None:
        """The rules that the table of settings says by itself."""
        for sort in setting_types().values():
            rules = sort.rules
            if rules and (rule_pairs := rules.get(self.variant.values[sort.name])):
                self.file.rules[rule_pairs[0]] = rule_pairs[1]

    def _add_losses_of_combined_settings(self) -> None:
        """Settings that make another rule together than each does alone."""
        means = self.variant
        stones = self.file.royal & means.types["petrifyOnCaptureTypes"][0]
        if stones and "king" in self.file.royal:
            here = "a royal piece may not turn to stone, and gives no check with such a capture"
            self.add_loss("petrifyOnCaptureTypes", here)
        if self.file.has_petrification_with_duck():
            self.add_loss("petrifyOnCaptureTypes", "beside a duck nothing turns to stone")
        castling = means.is_true("castling") and {*self.begin.rights} & {*"KQkq"}
        kings = [means.types["castlingKingPiece"][side] for side in (0, 1)]
        if castling and "king" in self.file.royal and kings != [{"king"}] * 2:
            self.add_loss("castlingKingPiece", "a king castles only where it is said to")
        rooks = means.types["castlingRookPieces"]
        if castling and any(kings[side] & rooks[side] for side in (0, 1)):
            self.add_loss("castlingRookPieces", "no king castles with itself")
        castlers = [
            sum(self.begin.count(key, side) for key in kings[side] & means.letters.keys())
            for side, rights in enumerate(("KQ", "kq"))
            if {*rights} & {*self.begin.rights}
        ]
        if castling and max(castlers) > 1:
            self.add_loss("castlingKingPiece", "all such pieces castle, not one of a side")
        self._add_losses_of_exclusive_settings()
        captures = any("c" in betza or "m" not in betza for betza in means.betza.values() if betza)
        if means.is_true("adjudicateFullBoard") and captures and self._may_fill_board():
            self.add_loss(
                "adjudicateFullBoard", "a full board ends no game in which there are captures"
            )

    def _may_fill_board(self) -> bool:
        """Whether pieces, walls and stones may come to stand on all squares."""
        means, begin = self.variant, self.begin
        held = sum(sum(hand.values()) for hand in begin.hands)
        return (
            means.values["wallingRule"] != "none"
            or bool(means.types["petrifyOnCaptureTypes"][0])
            or bool(self.pieces.encloses)
            or len(begin.pieces) + len(begin.walls) + held >= len(self.pieces.board)
        )

    def _add_losses_of_exclusive_settings(self) -> None:
        """Settings that there is nothing for beside some others."""
        means = self.variant
        if means.is_true("seirawanGating"):
            self._add_gating_losses()
        if means.is_true("flyingGeneral") and means.is_true("bikjangRule"):
            self.add_loss("bikjangRule", "kings that may not face each other never do")
        if means.values["chasingRule"] == "none":
            return
        if {piece.key for piece in self.pieces.kinds} - {"king", *POINTS_BY_METHOD["axf"]}:
            self.add_loss(
                "chasingRule", "other pieces than those of xiangqi are worth little in chases"
            )
        if means.values["materialCounting"] != "none":
            self.add_loss("chasingRule", "pieces are worth as much in chases as elsewhere")

    def _add_gating_losses(self) -> None:
        """Settings that do not go with pieces from the hand that are left behind."""
        means = self.variant
        if means.values["wallingRule"] != "none":
            self.add_loss("seirawanGating", "a move that builds a wall leaves no piece behind")
        if means.is_true("capturesToHand") and not self.pieces.to_hand:
            self.add_loss("capturesToHand", "a move leaves behind no piece that was captured")
        for key in means.settings:
            if key.startswith("dropRegion"):
                self.add_loss(key, "a move leaves pieces behind on any square")

    def _add_losses_of_invalid_values(self) -> None:
        """Values that are none, of which the program takes the beginning."""
        for key, setting in self.variant.settings.items():
            sort = setting_types().get(key)
            if (
                sort is None
                or sort.value in {*WORD_VALUES, *PIECE_VALUE_TYPES}
                or sort.accepts(setting.value)
            ):
                continue
            if sort.accepts_beginning(setting.value):
                self.add_loss(key, "none of this value counts, and there its beginning does")


def _join_blocks(blocks: Iterable[Sequence[str]]) -> str:
    """The text of a file whose blocks are apart from each other."""
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"

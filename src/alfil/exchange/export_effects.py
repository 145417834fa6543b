"""Side effects of moves, and counting rules, as settings of a `variants.ini`."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from string import ascii_lowercase

from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece, region_text
from alfil.exchange.import_pieces import PALACE_LINE_MOVES
from alfil.exchange.ini_section_builder import IniSectionBuilder, SettingsWriter
from alfil.exchange.resolved_variant import SIDES
from alfil.exchange.variants_ini import (
    COUNTDOWNS,
    MATING,
    MAX_BISHOPS,
    METHODS_BY_PIECE_COUNT,
    NEVER_MATING,
    POINTS_BY_METHOD,
    setting_of_rule,
    setting_value,
)
from alfil.game.variant import OPENING_REGION, WALLS_REGION, PieceType


class EffectSettingsWriter(SettingsWriter):
    """The settings of a game's effects, and of counting, of a section under construction."""

    def __init__(self, section: IniSectionBuilder) -> None:
        super().__init__(section)
        # What cannot come into the game has no effects.
        self.fs_pieces = section.places.present_pieces

    def write_effects(self) -> None:
        """What captures and moves do besides, who passes, and who counts pieces in the end."""
        self._add_capture_settings()
        self._add_wall_settings()
        self._add_flip_and_free_drop_settings()
        self._add_pass_settings()
        self._add_material_counting_settings()
        self._add_counting_settings()
        self._add_chase_settings()
        self._add_regional_move_settings()
        self._add_gating_settings()
        self._add_shatar_mate_settings()

    def _add_capture_settings(self) -> None:
        """Explosions, pieces that turn to stone, and those that others cannot take."""
        self.settings |= setting_of_rule("explosion", self.rules)
        kinds = [piece.kind for piece in self.fs_pieces.values()]
        for kind in kinds:
            if kind.blast == "capturing" and self.keys.get(kind.code) != "pawn":
                self.add_loss(kind.code, "there all explosions take it, if they take it")
            letter = self.letters.get(kind.code)
            immune_to = self.fs_pieces.keys() & {*kind.immune_to}
            if any(self.letters[code] != letter for code in immune_to):
                self.add_loss(kind.code, "there only its like is barred from taking it")
        for name, codes in (
            ("blastImmuneTypes", [kind.code for kind in kinds if kind.blast == "never"]),
            ("petrifyOnCaptureTypes", [kind.code for kind in kinds if kind.petrifies]),
            ("mutuallyImmuneTypes", [kind.code for kind in kinds if kind.immune_to]),
        ):
            if codes:
                self.settings[name] = self.section.letters_of_codes(codes)

    def _add_wall_settings(self) -> None:
        self.settings |= setting_of_rule("wall", self.rules)
        if any(each.name == WALLS_REGION for each in self.variant.regions):
            for side, name in enumerate(("White", "Black")):
                squares = self.variant.squares(WALLS_REGION, side)
                self.settings[f"wallingRegion{name}"] = region_text(squares)

    def _add_flip_and_free_drop_settings(self) -> None:
        """Drops of pieces that are in no hand, and what changes sides."""
        rules = self.rules
        self.settings |= setting_of_rule("flip", rules)
        if rules.drops != "free":
            if rules.drop_beside == "own":
                self.add_loss("drop-beside", "there only pieces without end are dropped so")
            return
        how = {"enclosed": "reversi", "adjacent": "ataxx"}.get(rules.flip, "")
        if not how or len(self.fs_pieces) > 1 or (how == "ataxx") != (rules.drop_beside == "own"):
            self.add_loss("drops", "there pieces are dropped from the hand")
            return
        self.settings["enclosingDrop"] = how
        if any(each.name == OPENING_REGION for each in self.variant.regions):
            self.settings["enclosingDropStart"] = region_text(
                self.variant.squares(OPENING_REGION, 0)
            )

    def _add_pass_settings(self) -> None:
        passes = self.rules.passes
        if passes == "allowed":
            royal = {
                stone.side
                for stone in self.variant.setup
                if self.fs_pieces[stone.code].traits.survive
            }
            if royal == {0, 1}:
                self.settings["pass"] = "true"
            for side in royal if len(royal) == 1 else ():
                self.settings[f"pass{SIDES[side]}"] = "true"
        elif passes == "stuck":
            more = {"passOnStalemate": "true", "adjudicateFullBoard": "true"}
            more |= {"stalemateValue": "loss", "stalematePieceCount": "true"}
            self.settings |= more

    def _add_material_counting_settings(self) -> None:
        """Who wins what would be drawn."""
        how = setting_value("materialCounting", self.rules)
        points = {
            self.keys.get(piece.code, ""): piece.kind.points for piece in self.fs_pieces.values()
        }
        known = POINTS_BY_METHOD.get(how)
        text = {key: points.get(key) or 0 for key in {*points, *(known or ())} - {"king"}}
        ones = all(each == 1 or (each is None and len(points) == 1) for each in points.values())
        if self.rules.draw_odds.how == "none":
            return
        if how != "none" and (known is None or (text == known if known else ones)):
            self.settings["materialCounting"] = how
        else:
            self.add_loss("draw-odds", "there pieces do not count so")

    def _add_chase_settings(self) -> None:
        """Perpetual chases, which the program judges by what the pieces of xiangqi are."""
        if self.rules.perpetual_chase == "allowed":
            return
        known, variant = POINTS_BY_METHOD["axf"], self.variant
        kinds = [each.kind for each in self.fs_pieces.values() if not each.traits.survive]
        begin = {each.code for each in variant.setup}
        worth = {
            self.keys.get(kind.code, kind.code): kind.points or 0
            for kind in kinds
            if kind.code in begin
        }
        alike = worth.keys() <= known.keys() and all(
            (worth[one] > worth[other]) == (known[one] > known[other])
            for one, other in product(worth, worth)
        )
        if (
            self.rules.perpetual_chase == "loss"
            and alike
            and all(map(self._chases_as_in_xiangqi, kinds))
        ):
            self.settings["chasingRule"] = "axf"
        else:
            self.add_loss("perpetual-chase", "there chases are those of xiangqi or none")

    def _chases_as_in_xiangqi(self, kind: PieceType) -> bool:
        """Whether a piece chases and is chased as there: soldiers only once they go sideways."""
        grown = self.fs_pieces[kind.code].regional.soldier_sideways_rank
        soldier = self.keys.get(kind.code) == "soldier"
        area = self.variant.squares(kind.chased_in, 0) if kind.chased_in else None
        beyond = self.variant.squares((grown, self.variant.ranks), 0) if soldier and grown else None
        return (kind.chases == "no", area) == (soldier, beyond)

    def _add_counting_settings(self) -> None:
        """In how many moves one must be mated, if the program knows these numbers."""
        if not self.rules.countdown:
            return
        names = set(self.keys.values())
        for how, rows in COUNTDOWNS.items():
            known = (row for row in rows.split() if _piece_of_countdown_entry(row) in {"", *names})
            if self._countdown_entries() == [*known] and self._has_counting_start_of(how):
                self.settings["countingRule"] = how
                return
        self.add_loss("countdown", "there nobody counts down in this way")

    def _countdown_entries(self) -> list[str]:
        """The lines of the countdown with the names of pieces."""
        result = []
        for left, code, number, moves in self.rules.countdown:
            times = f"*{number}" if number > 1 else ""
            piece = f"/{self.keys.get(code, code)}{times}" if code else ""
            result.append(f"{left or 'all'}{piece}:{moves}")
        return result

    def _has_counting_start_of(self, method: str) -> bool:
        """Whether counting begins as it does there."""
        pawns = [code for code, key in self.keys.items() if key == "pawn"]
        without = pawns if method == "makruk" else []
        begins = "pieces" if method in METHODS_BY_PIECE_COUNT else "nothing"
        return (self.rules.countdown_from, [*self.rules.countdown_without]) == (begins, without)

    def _add_regional_move_settings(self) -> None:
        """Lines of a palace, soldiers across a river, leaps out of no check."""
        pieces = self.fs_pieces.values()
        for piece in pieces:
            if piece.regional.is_inexpressible or (
                piece.regional.lines and self.keys.get(piece.code) not in PALACE_LINE_MOVES
            ):
                self.add_loss(piece.code, "there it has no moves that hold on some squares only")
            if (
                self.fs_pieces.keys() & {*piece.kind.blocked_by}
                and self.keys.get(piece.code) != "janggiCannon"
            ):
                self.add_loss(piece.code, "there nothing bars its way but as all pieces do")
            if piece.kind.per_colour:
                self._add_drops_by_colour_setting(piece)
        lines = {piece.regional.lines for piece in pieces} - {frozenset()}
        if lines:
            self.settings["diagonalLines"] = region_text(frozenset().union(*lines))
        grown = [
            piece.regional.soldier_sideways_rank
            for piece in pieces
            if piece.regional.soldier_sideways_rank
        ]
        if grown:
            self.settings["soldierPromotionRank"] = str(grown[0])

    def _add_drops_by_colour_setting(self, piece: FairyStockfishPiece) -> None:
        """A piece of which so many are dropped on squares of one colour."""
        if (self.keys.get(piece.code), piece.kind.per_colour) != ("bishop", 1):
            self.add_loss(piece.code, "there it is dropped on squares of any colour")
            return
        self.settings["dropOppositeColoredBishop"] = "true"
        if self._max_starting_count(piece.code) > MAX_BISHOPS or self.rules.captured == "to-hand":
            self.add_loss(piece.code, "there it matters on which colour there are fewer")

    def _max_starting_count(self, code: str) -> int:
        """How many such pieces a side begins with at most, in hand too."""
        standing = [each.side for each in self.variant.setup if each.code == code]
        return max(
            standing.count(side) + dict(hand).get(code, 0)
            for side, hand in enumerate(self.variant.hands)
        )

    def _add_gating_settings(self) -> None:
        """Who makes room for a piece from the hand, or leaps first of all."""
        cambodian = [piece.code for piece in self.fs_pieces.values() if piece.regional.cambodian]
        gating = [piece.code for piece in self.fs_pieces.values() if piece.kind.gates]
        if cambodian:
            self.settings |= {"gating": "true", "cambodianMoves": "true"}
        if gating:
            self.settings |= {"gating": "true", "seirawanGating": "true"}
            self._add_losses_of_gate_squares(gating)
            if self.rules.drops == "no":
                # Otherwise no pawn comes from the hand to where pieces begin.
                self.settings["firstRankPawnDrops"] = "true"
        for stone in self.variant.setup:
            if stone.code in (*cambodian, *gating):
                file = ascii_lowercase[stone.square[0]]
                self.section.rights += file if stone.side else file.upper()

    def _add_losses_of_gate_squares(self, gating: Collection[str]) -> None:
        """Pieces from the hand that may stand on some of the squares only that others leave."""
        last = self.variant.ranks
        left = [
            last - y if side else y + 1
            for (_, y), side, code in self.variant.setup
            if code in gating
        ]
        if {*left} - {1}:
            self.add_loss("gates", "there only pieces on the first rank make room")
        for code in dict.fromkeys(code for hand in self.variant.hands for code, _ in hand):
            nearest, farthest = self.fs_pieces[code].kind.drop_ranks or (1, 0)
            if any(not nearest <= rank <= farthest for rank in left):
                self.add_loss(code, "there it may be put on any square that is left")

    def _add_shatar_mate_settings(self) -> None:
        """Mates that do not count, as in shatar."""
        kinds = [piece.kind for piece in self.fs_pieces.values()]
        if all(kind.mates == "yes" for kind in kinds):
            return
        for kind in kinds:
            if kind.code in self.section.king_codes:
                # A king never gives check.
                continue
            key = self.keys.get(kind.code, "")
            mate_value = "never" if key == NEVER_MATING else "yes" if key in MATING else "drawn"
            if kind.mates != mate_value:
                self.add_loss(kind.code, "there it mates as in shatar")
        self.settings["shatarMateRule"] = "true"


def _piece_of_countdown_entry(row: str) -> str:
    """The piece that a line of a countdown is about, "" for any."""
    return row.partition("/")[2].partition(":")[0].partition("*")[0]

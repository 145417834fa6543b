"""The royal pieces of an imported variant, and what ends a game of it."""

from __future__ import annotations

import re
from itertools import product

from alfil.exchange.import_pieces import ImportedPiece
from alfil.exchange.piece_file_builder import PieceFileBuilder, RulesImporterBase
from alfil.exchange.regional_moves import has_reversible_move
from alfil.exchange.resolved_variant import ALL_PIECES, SIDES
from alfil.exchange.variants_ini import COUNT_WORD_BY_RESULT, COUNTDOWNS, METHODS_BY_PIECE_COUNT
from alfil.squares import Square

BARE_KING_SETTINGS = ("loss", "1", "2")


class EndingRulesImporter(RulesImporterBase):
    """The rules of royal pieces, passes and ends of games for a file under construction."""

    def __init__(self, file: PieceFileBuilder) -> None:
        super().__init__(file)
        self.bare = False

    def add_royal_rules(self) -> None:
        """Which pieces are royal, and what it takes to lose them."""
        means, begin = self.variant, self.begin
        self.file.royal = {"king"} & {piece.key for piece in self.pieces.kinds}
        self._add_several_king_losses()
        value, types = means.values["extinctionValue"], means.types["extinctionPieceTypes"][0]
        # Without a value they are never taken, and must not be left in check all the same.
        pseudo = means.is_true("extinctionPseudoRoyal") and value in {"loss", "none"}
        if not types or (value == "none" and not pseudo):
            return
        if means.is_true("extinctionPseudoRoyal") and not pseudo:
            self.add_loss("extinctionPseudoRoyal", "a royal piece that is lost loses the game")
        needed = value != "none" and means.values["extinctionOpponentPieceCount"] == "0"
        if needed and types - {ALL_PIECES, *(piece.key for piece in self.pieces.kinds)}:
            self.add_loss("extinctionPieceTypes", "nobody loses pieces that there never were")
        numbers = {
            begin.count(key, side) for key in types for side in self.pieces.owners.get(key, ())
        }
        left = int(means.values["extinctionPieceCount"])
        if pseudo:
            self.file.royal |= types
            self._add_pseudo_royal_losses(types, left)
            self._add_already_lost_start_loss(types, left)
            if left == 0 and (numbers != {1} or self._has_promotion_to(types)):
                self._add_all_royals_lost_rule(types)
        elif (
            types == {"commoner"}
            and value == "loss"
            and self._is_lost_like_capturable_king(numbers, left)
        ):
            self.file.royal |= types
            self.file.rules |= {"self-check": "allowed", "win": "royal-capture"}
            if left == 0 and numbers != {1}:
                self.file.rules["royal-lost"] = "all"
        else:
            self._add_extinction_rule(types, value, left)

    def _add_pseudo_royal_losses(self, types: frozenset[str], extinction_count: int) -> None:
        """Pieces that are royal there only where a side has few of them, and more than one."""
        begin, pieces = self.begin, self.pieces
        # Pawns of the other side may come to hand; royal pieces do not, as the game is over then.
        sides = (0, 1) if pieces.to_hand else ()
        for key, side in product(types if extinction_count else (), (0, 1)):
            most = begin.count(key, side)
            for other in pieces.owners:
                if key in {form.key for form in pieces.promotions(other, side)}:
                    most += sum(begin.count(other, each) for each in {side, *sides})
            if most > extinction_count + 1:
                here = "these pieces are royal however many a side has"
                self.add_loss("extinctionPseudoRoyal", here)

    def _add_already_lost_start_loss(self, types: frozenset[str], extinction_count: int) -> None:
        """Royal pieces of which a side begins with so few that it has lost there."""
        values, begun = self.variant.values, types & {piece.key for piece in self.pieces.kinds}
        settled = (
            values["extinctionValue"] == "none" or values["extinctionOpponentPieceCount"] != "0"
        )
        if settled or not self.variant.is_true("blastOnCapture"):
            # Without explosions nobody is asked there, as no such piece is ever captured.
            return
        if any(self.begin.count(key, side) <= extinction_count for key in begun for side in (0, 1)):
            self.add_loss("extinctionPieceCount", "no side has lost before the first move")

    def _add_several_king_losses(self) -> None:
        """Kings beside the first of a side, who never move there and are in no check."""
        here = "every king of a side moves, and may be in check"
        if any(self.begin.count("king", side) > 1 for side in (0, 1)):
            self.add_loss("startFen", here)
        if self._has_promotion_to(frozenset({"king"})):
            self.add_loss("promotionPieceTypes", here)

    def _has_promotion_to(self, types: frozenset[str]) -> bool:
        """Whether some piece promotes to one of these."""
        return any(
            piece.key in types
            for key, sides in self.pieces.owners.items()
            for side in sides
            for piece in self.pieces.promotions(key, side)
        )

    def has_royals_but_no_king(self) -> bool:
        """Whether there are royal pieces, but no king, who alone is in check there."""
        return bool(self.file.royal) and "king" not in self.file.royal

    def add_pass_rules(self) -> None:
        """The rule of passing: a move of a royal, or the move of a side that has no other."""
        royal = [any(self.begin.count(key, side) for key in self.file.royal) for side in (0, 1)]
        for name, word, able in (
            ("pass", "allowed", royal),
            ("passOnStalemate", "stuck", [True, True]),
        ):
            values = self.variant.values
            passing = [values.get(f"{name}{side}", values[name]) == "true" for side in SIDES]
            if any(passing) and (passing == able or (all(passing) and any(able))):
                self.file.rules["passes"] = word
            if any(passing) and passing != able:
                here = "both sides may pass, or none" if all(able) else "only royal pieces pass"
                self.add_loss(name, here)
        if "passes" in self.file.rules and self.file.rules.get("self-check") == "allowed":
            self.add_loss("pass", "no side passes in check")

    def _add_all_royals_lost_rule(self, types: frozenset[str]) -> None:
        """Of several royal pieces the last one must be lost."""
        if len(types) > 1 or "king" in self.file.royal:
            self.add_loss("extinctionPieceTypes", "all royal pieces must be lost, or any of them")
        self.file.rules["royal-lost"] = "all"
        if self.variant.is_true("blastOnCapture"):
            here = "it counts whom of several royal pieces an explosion leaves"
            self.add_loss("blastOnCapture", here)

    def _is_lost_like_capturable_king(self, start_counts: set[int], extinction_count: int) -> bool:
        """Whether it is lost like a king that may be left in check."""
        means = self.variant
        promoted = self._has_promotion_to(frozenset({"commoner"}))
        alone = len(start_counts) == 1 and extinction_count in {
            0,
            *(number - 1 for number in start_counts),
        }
        return (
            alone
            and not promoted
            and "king" not in self.file.royal
            and means.values["extinctionOpponentPieceCount"] == "0"
        )

    def _add_extinction_rule(
        self, types: frozenset[str], value: str, extinction_count: int
    ) -> None:
        """The result when a side has too few pieces of a type."""
        means = self.variant
        others = means.values["extinctionOpponentPieceCount"]
        if (
            (value, str(extinction_count), others) == BARE_KING_SETTINGS
            and types == {ALL_PIECES}
            and self.file.royal
        ):
            self.bare = True
            if means.is_true("extinctionClaim"):
                here = "a bare king loses at once, and cannot bare the other one in reply"
                self.add_loss("extinctionClaim", here)
            return
        if others != "0":
            self.add_loss(
                "extinctionOpponentPieceCount", "it does not matter what the other side has"
            )
        if any(map(self.pieces.occurs_in_several_forms, types)):
            here = "promoted pieces are not counted with those that they are like"
            self.add_loss("extinctionPieceTypes", here)
        codes = [
            code
            for piece in sorted(self.pieces.kinds)
            if piece.key in types - {ALL_PIECES} and not piece.promotes_from
            for code in self.pieces.codes(piece)
        ]
        what = "all" if ALL_PIECES in types else ",".join(codes)
        if what:
            self.file.rules["extinction"] = (
                f"{what}{f':{extinction_count}' if extinction_count else ''} {value}"
            )

    def add_ending_rules(self) -> None:
        """What wins, and what ends a game without a winner."""
        means = self.variant
        wins = (
            [self.file.rules["win"]]
            if "win" in self.file.rules
            else ["mate"]
            if self.file.royal
            else []
        )
        if means.is_true("checkCounting") and not self.has_royals_but_no_king():
            wins.append(f"checks:{self.begin.checks}")
        if self.bare:
            wins.append("bare")
        if self._add_goal_rule():
            wins.append("goal")
        if wins and wins != ["mate"]:
            self.file.rules["win"] = ",".join(wins)
        self._add_stalemate_rule()
        if means.values["nMoveRule"] != "0":
            types = means.types["nMoveRuleTypes"][0] | means.types["nMoveRuleTypes"][1]
            codes = [code for key in sorted(types) for code in self.pieces.codes_of_piece_name(key)]
            self.file.rules["move-limit"] = (
                f"{means.values['nMoveRule']} {','.join(codes)}".rstrip()
            )
            counted_pieces = [piece for piece in self.pieces.kinds if piece.key in types]
            if any(
                has_reversible_move(self.pieces.betza_text(piece, side))
                for piece in counted_pieces
                for side in (0, 1)
            ):
                self.add_loss("nMoveRuleTypes", "a move that can be taken back counts as any other")
        self._add_counting_rules()
        self._add_repetition_rule()

    def _add_counting_rules(self) -> None:
        """In how many moves one must be mated; pieces that a variant lacks have no line."""
        how, pieces = self.variant.values["countingRule"], self.pieces
        rows: list[str] = []
        for row in COUNTDOWNS.get(how, "").split():
            match = re.fullmatch(r"(\d)/([a-z]+)(.*)", row)
            codes = pieces.codes_of_piece_name(match[2]) if match else []
            rows += [f"{match[1]}/{code}{match[3]}" for code in codes] if match else [row]
            if match and len({piece for piece in pieces.kinds if piece.key == match[2]}) > 1:
                self.add_loss("countingRule", "promoted pieces are not counted with others")
                return
        if not rows:
            return
        self.file.rules["countdown"] = ",".join(rows)
        if how in METHODS_BY_PIECE_COUNT:
            self.file.rules["countdown-from"] = "pieces"
        if how == "makruk" and (pawns := pieces.codes_of_piece_name("pawn")):
            self.file.rules["countdown-without"] = ",".join(pawns)

    def _add_stalemate_rule(self) -> None:
        """The rule of stalemate; where that is a pass, it is about a side without pieces only."""
        result = self.variant.values["stalemateValue"]
        if self.variant.is_true("stalematePieceCount"):
            result = COUNT_WORD_BY_RESULT[result]
        passing = self.file.rules.get("passes") == "stuck"
        counts_itself = result == COUNT_WORD_BY_RESULT["loss"]
        if result not in {"draw", "none"} and not (passing and (counts_itself or self.file.royal)):
            self.file.rules["stalemate"] = result

    def _add_goal_rule(self) -> bool:
        """Whether a piece wins by where it stands."""
        means = self.variant
        areas = [self.pieces.region_squares("flagRegion", side) for side in (0, 1)]
        if not any(areas):
            return False
        codes: set[str] = set()
        for side in (0, 1):
            if areas[side]:
                keys = means.types["flagPiece"][side]
                pieces = [m for m in self.pieces.kinds if m.key in keys or ALL_PIECES in keys]
                codes |= {
                    self.pieces.code(m, side) for m in pieces if side in self.pieces.owners[m.key]
                }
        if len(codes) != 1:
            self.add_loss("flagPiece", "only one kind of piece can win by reaching a region")
            return False
        code = codes.pop()
        self.file.rules["goal"] = f"{code} {self.file.define_region((areas[0], areas[1]), 'goal')}"
        royal = {each for key in self.file.royal for each in self.pieces.codes_of_piece_name(key)}
        begins = {
            each.square
            for each in self.begin.pieces
            if each.side == 0 and each.key in self.pieces.owners
            if code == self.pieces.code(ImportedPiece(each.key), 0)
        }
        later = means.is_true("flagMove") or means.is_true("flagPieceSafe")
        if begins & areas[0] and not later:
            self.add_loss("flagPiece", "the first player may have won before the first move")
        if means.is_true("flagMove"):
            self._add_goal_wins_rule(
                areas[0] | areas[1], held=code not in self.pieces.codes_of_piece_name("king")
            )
        if means.is_true("flagPieceSafe") and code not in royal:
            self.add_loss("flagPieceSafe", "it wins also where it could be captured at once")
        return True

    def _add_goal_wins_rule(self, squares: frozenset[Square], *, held: bool) -> None:
        """When a goal wins: once it is ``held`` for a turn, or after a reply to a king."""
        self.file.rules["goal-wins"] = "next-turn" if held else "after-reply"
        if held and len(squares) > 1:
            self.add_loss("flagMove", "the first player wins although the second arrives too")

    def _add_repetition_rule(self) -> None:
        values = self.variant.values
        times, value = values["nFoldRule"], values["nFoldValue"]
        known = {
            ("draw", "false"): "draw",
            ("draw", "true"): "draw",
            ("loss", "true"): "loss-first",
            ("win", "false"): "loss-repeater",
        }
        result = known.get((value, values["nFoldValueAbsolute"]))
        if times == "0" or value == "none":
            self.file.rules.pop("perpetual-check", None)
            self.file.rules.pop("perpetual-chase", None)
            return
        if result is None:
            self.add_loss(
                "nFoldValue", "a repetition is a draw, or lost by who moved first or last"
            )
        self.file.rules["repetition"] = f"{times} {result or 'draw'}"

"""The royal pieces of a game, and what ends it, as settings of Fairy-Stockfish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from alfil.exchange.fairy_stockfish_pieces import boolean_text
from alfil.exchange.ini_section_builder import SettingsWriter
from alfil.exchange.regional_moves import has_reversible_move
from alfil.exchange.variants_ini import COUNT_WORD_BY_RESULT, KING_ONLY_RULES, setting_value
from alfil.game.variant import Extinction, Goal
from alfil.library.field_parsers import rule_value


class EndingSettingsWriter(SettingsWriter):
    """The settings of royal pieces and ends of games of a section under construction."""

    def write_royals(self) -> None:
        """The king, or whatever else must not be lost."""
        if self.section.king_codes:
            self._add_loss_of_kings_in_check()
        if not self.section.royals or self.section.king_codes:
            return
        self._add_losses_without_king()
        allowed = self.rules.self_check == "allowed"
        counts = self._counts_of_starting_royals()
        numbers = {number for both in counts.values() for number in both}
        any_lost = self.section.royals[0].traits.survive == "any"
        if self.rules.explosion == "captures" and not allowed:
            self._add_explosion_losses(several=not any_lost and numbers != {1})
        if not counts:
            return
        if not any_lost and len(counts) > 1:
            self.add_loss("royal-lost", "there one kind of royal pieces must be lost, not all")
        elif any_lost and (len(numbers) > 1 or self.section.has_promotion_to_royal()):
            self.add_loss("royal-lost", "there the last royal piece of a kind must be lost")
        elif any_lost:
            self.settings["extinctionPieceCount"] = str(max(*numbers, 1) - 1)
        self.settings["extinctionValue"] = "loss"
        self.settings["extinctionPieceTypes"] = "".join(counts)
        self.settings["extinctionPseudoRoyal"] = boolean_text(not allowed)

    def _add_loss_of_kings_in_check(self) -> None:
        """A start in which the first move may capture a king, though its own one is in check."""
        if not self._may_both_kings_start_in_check():
            return
        game = self.section.library.game()
        kings = {
            square for square, (code, _) in game.pieces.items() if code in self.section.king_codes
        }
        if game.is_check() and any(kings & {*move.captures} for move in game.legal_moves):
            self.add_loss(
                self.section.king_codes[0], "there nobody in check captures the other king"
            )

    def _may_both_kings_start_in_check(self) -> bool:
        """Whether both kings may be in check at the start, as far as ways tell."""
        if self.rules.facing != "allowed" or any(
            piece.traits.effects for piece in self.fs_pieces.values()
        ):
            return True
        places, codes = self.section.places, self.section.king_codes
        kings = {side: square for code, side, square in places.begun if code in codes}
        checked = {
            1 - place.side
            for place in places.begun
            if kings.get(1 - place.side) in places.squares_touched_by_next_move(place)
        }
        return checked == {0, 1}

    def _counts_of_starting_royals(self) -> dict[str, tuple[int, int]]:
        """How many royal pieces of a letter each side begins with.

        Where royal pieces can be captured or explode, a side has lost there as long as it has none:
        only those are royal that both sides begin with.
        """
        mortal = self.rules.self_check == "allowed" or self.rules.explosion == "captures"
        begin = [
            Counter(self.letters[kind.code] for kind in self.section.types_of_starting_pieces(side))
            for side in (0, 1)
        ]
        counts = dict[str, tuple[int, int]]()
        for piece in self.section.royals:
            letter = self.letters[piece.code]
            number = begin[0][letter], begin[1][letter]
            if all(number) or not mortal:
                counts[letter] = number
            else:
                self.add_loss(
                    piece.code, "it is not royal: there a side that begins without it has lost"
                )
        return counts

    def _add_explosion_losses(self, *, several: bool) -> None:
        """What of checks goes by explosions there; ``several`` royals must all be lost."""
        if several:
            self.add_loss(
                "royal-lost", "there it is not seen whom of several royals explosions leave"
            )
        if self.rules.duple_check == "yes":
            self.add_loss(
                "duple-check", "there nobody in check may blow up the other side's royals"
            )

    def _add_losses_without_king(self) -> None:
        """What goes by checks, which only a king can be in there."""
        rules, ways = self.rules, {way.how for way in self.rules.win}
        if "checks" in ways:
            self.add_loss("win", "there checks are not counted without a king")
        for name in KING_ONLY_RULES:
            if rule_value(name, rules) != "allowed":
                self.add_loss(name, "there it is about a king, which this game has not")
        if rules.self_check == "allowed":
            if rules.passes != "barred":
                self.add_loss("passes", "there a side passes in check, too")
            if "mate" in ways and rules.stalemate != rules.mate:
                self.add_loss("self-check", "there it is stalemate to be in check without a move")

    def write_endings(self) -> None:
        """What wins, and what ends a game without a winner."""
        rules, settings = self.rules, self.settings
        ways = {way.how: way.times for way in rules.win}
        self._write_stalemate_settings(ways)
        if "checks" in ways:
            settings["checkCounting"] = "true"
        if "bare" in ways:
            self._write_bare_king_settings()
        if rules.extinction:
            self._write_extinction_settings(rules.extinction)
        if rules.goal:
            settings["flagPiece"] = self.letters[rules.goal.code]
            settings["flagRegionWhite"] = self.section.region_of_area(rules.goal.area, 0)
            settings["flagRegionBlack"] = self.section.region_of_area(rules.goal.area, 1)
            if rules.self_check == "allowed" and self.fs_pieces[rules.goal.code].traits.survive:
                settings["flagPieceSafe"] = "true"
            self._write_goal_settings(rules.goal)
        self._write_repetition_settings()
        self._write_move_limit_settings()

    def _write_stalemate_settings(self, ways: Collection[str]) -> None:
        """The result for a side without a move, in check too where ``ways`` to win have no mate."""
        rules, settings = self.rules, self.settings
        counted = {value: word for word, value in COUNT_WORD_BY_RESULT.items() if word != value}
        settings["stalemateValue"] = counted.get(rules.stalemate, rules.stalemate)
        if rules.stalemate in counted:
            settings["stalematePieceCount"] = "true"
        if not {"mate", "royal-capture"} & {*ways} and rules.giving_check != "barred":
            settings["checkmateValue"] = settings["stalemateValue"]
            if rules.stalemate in counted and self.section.royals and rules.self_check == "barred":
                message = "there no pieces are counted where a side in check has no move"
                self.add_loss("stalemate", message)

    def _write_goal_settings(self, goal: Goal) -> None:
        """A goal that wins later: there a king's leaves a reply, that of others is held."""
        when = self.rules.goal_wins
        if when == "at-once":
            return
        if (goal.code in self.section.king_codes) != (when == "after-reply"):
            self.add_loss("goal-wins", "there a goal wins at once")
            return
        self.settings["flagMove"] = "true"
        squares = self.variant.squares(goal.area, 0) | self.variant.squares(goal.area, 1)
        if when == "next-turn" and len(squares) > 1:
            self.add_loss("goal-wins", "there nobody wins if the second player arrives too")

    def _write_move_limit_settings(self) -> None:
        """How many moves without a capture draw."""
        limit = self.rules.move_limit
        self.settings["nMoveRule"] = str(limit.moves) if limit else "0"
        if limit:
            self.settings["nMoveRuleTypes"] = self.section.letters_of_codes(limit.codes)
            if any(
                has_reversible_move(self.fs_pieces[code].piece)
                for code in limit.codes
                if code in self.fs_pieces
            ):
                self.add_loss(
                    "move-limit", "there a move that can be taken back is none that counts"
                )

    def _write_extinction_settings(self, rule: Extinction) -> None:
        """The result when a side has too few pieces of a type."""
        if "extinctionValue" in self.settings:
            self.add_loss("extinction", "there other pieces must not be lost already")
            return
        begin = dict.fromkeys(
            kind.code for side in (0, 1) for kind in self.section.types_of_starting_pieces(side)
        )
        codes = begin if rule.what == ("each",) else rule.what
        if codes != ("all",) and self._are_counted_for_one_side_only(
            codes, starting_only=codes is begin
        ):
            self.add_loss("extinction", "there a side loses for want of the other's pieces")
            return
        self.settings["extinctionValue"] = rule.result
        self.settings["extinctionPieceTypes"] = (
            "*" if codes == ("all",) else self.section.letters_of_codes(codes)
        )
        self.settings["extinctionPieceCount"] = str(rule.left)

    def _are_counted_for_one_side_only(self, codes: Iterable[str], *, starting_only: bool) -> bool:
        """Whether some of these pieces are counted of one side only."""
        letters = []
        for side in (0, 1):
            begun = {kind.code for kind in self.section.types_of_starting_pieces(side)}
            kinds = (self.fs_pieces[code].kind for code in codes)
            counted = [
                k.code for k in kinds if (k.code in begun if starting_only else side in k.sides)
            ]
            letters.append({*self.section.letters_of_codes(counted)})
        return letters[0] != letters[1]

    def _write_bare_king_settings(self) -> None:
        """A side that has nothing but royals has lost, as in shatranj."""
        alone = {
            sum(kind.royal for kind in self.section.types_of_starting_pieces(side))
            for side in (0, 1)
        }
        if len(alone) > 1 or "extinctionValue" in self.settings:
            self.add_loss("win", "there a bare side loses only where both have one king")
            return
        self.settings["extinctionValue"] = "loss"
        self.settings["extinctionPieceTypes"] = "*"
        self.settings["extinctionPieceCount"] = str(alone.pop())

    def _write_repetition_settings(self) -> None:
        rules, settings = self.rules, self.settings
        settings["nFoldRule"] = str(rules.repetition.times if rules.repetition else 0)
        if not rules.repetition:
            return
        result = rules.repetition.result
        values = {"draw": "draw", "loss-first": "loss", "loss-repeater": "win"}
        settings["nFoldValue"] = values[result]
        settings["nFoldValueAbsolute"] = boolean_text(result == "loss-first")
        settings["perpetualCheckIllegal"] = setting_value("perpetualCheckIllegal", rules)
        if rules.perpetual_check == "draw" and result != "draw":
            self.add_loss("perpetual-check", "there it ends as any repetition")
        if rules.perpetual_check == "loss" and rules.perpetual_span == "last":
            self.add_loss("perpetual-span", "there checks count since the first occurrence")

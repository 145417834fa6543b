"""A game as a section of `variants.ini`, the file in which Fairy-Stockfish is told variants.

What the program does with a line was measured by its Python build 0.0.90. A rule that it lacks is a
loss, which is named with its consequence. The length of a match, what illegal moves cost and what
players agree on are no rules to it, and are noted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import product
from string import ascii_lowercase

from alfil.api import destinations, translate, write
from alfil.comparison import check_for
from alfil.errors import AlfilError, Diagnostic
from alfil.exchange import (
    OF_KINDS,
    Export,
    loss,
    quoting_part,
    require_board,
    rules_outside_play,
    supported_rules,
    unsupported_fields,
)
from alfil.exchange.effects import Effects
from alfil.exchange.fs_pieces import (
    FsPiece,
    boolean,
    builtin_pieces,
    fs_pieces,
    letters_of_men,
    region_text,
    without_en_passant,
)
from alfil.exchange.ini import COUNT_VALUES, OF_CHECKS, setting_for, value_for
from alfil.exchange.protocol_notation import board_in_fen
from alfil.exchange.regional_moves import PROGRAM as DIALECT
from alfil.exchange.regional_moves import en_passant_legs, is_reversible, moves_like
from alfil.exchange.resolved_variant import SIDES
from alfil.exchange.rule_conflicts import conflicts, features_of_game
from alfil.game.variant import ZONE, Area, Extinction, Goal, PieceType, Rules
from alfil.library.fields import value_of
from alfil.library.library import Library
from alfil.squares import Square

PROGRAM = "Fairy-Stockfish"
FILES, RANKS, CUSTOM_PIECES = 12, 10, 25
# The program's pawn, and what it is in games without double steps, of which it counts moves down.
PAWN, PLAIN_PAWN = "fmWfceFifmnD", "fmWfcF"
# What stands in a row for a piece that is left out: an empty square.
LEFT_OUT = " "
# What else this module writes of a piece, and what is no rule to the program. Whatever is in
# neither, and is not as it would be unsaid, is a loss; of rules, rules.tsv says it.
WRITTEN = OF_KINDS | {
    *("drop_check", "drop_mate", "per_file", "per_side", "within", "outside", "blast", "petrifies"),
    *("immune_to", "further", "castles_with", "castles_to", "gates", "mates", "side", "points"),
    *("per_colour", "blocked_by", "chases", "chased_in"),
}
LOSS_WORDS = {
    "drop_in": "there it is dropped everywhere",
    "promotes_in": "there it promotes in the zone of the game",
}


def export_game(library: Library) -> Export:
    """A game as a section of `variants.ini`, its losses being comments there.

    Raises `AlfilError` for a file that is no game with a set-up, and of kind "board-size" for a
    board larger than 12×10.
    """
    require_board(library, FILES, RANKS, PROGRAM)
    return _SectionWriter(library).export()


class _SectionWriter:
    """The lines of a section under construction, and the losses."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.variant = library.variant
        self.rules = library.rules
        self.men = fs_pieces(library)
        self.settings: dict[str, str] = {}
        self.losses: list[Diagnostic] = []
        self.left_out = set[str]()
        self.letters = letters_of_men(self.men, self.rules)
        for code in (code for code, letter in self.letters.items() if not letter):
            self._add_loss(code, f"it is left out: {PROGRAM} has 26 letters for pieces")
            self.left_out.add(code)
        self.rights = ""
        self.partners: set[str] = set()
        self.keys: dict[str, str] = {}
        self.royals = [piece for piece in self.men.values() if piece.traits.survive]

    def export(self) -> Export:
        """The whole section."""
        self._piece_lines()
        self._mobility_settings()
        self._royal_settings()
        self._promotion_settings()
        self._castling_settings()
        self._drop_settings()
        self._ending_settings()
        self._effect_settings()
        self._remaining_rules()
        variant = self.variant
        name = "alfil_" + re.sub(r"[^a-z0-9]+", "_", variant.name.lower())
        losses = [f"# lost: {loss.message}" for loss in self.losses]
        notes = rules_outside_play(self.rules)
        losses += [f"# not written: {note}" for note in notes]
        head = [f"[{name}]", *losses, f"maxFile = {variant.files}", f"maxRank = {variant.ranks}"]
        lines = [f"{key} = {value}" for key, value in self.settings.items()]
        text = "\n".join([*head, f"startFen = {self._start_fen()}", *lines]) + "\n"
        return Export(name, text, self.letters, tuple(self.losses), notes)

    def _add_loss(self, what: str, message: str) -> None:
        """Note a loss, at the line of a piece or rule; a piece that is left out has no more."""
        if what not in self.left_out:
            self.losses.append(loss(self.library, what, message))

    # Pieces

    def _piece_lines(self) -> None:
        """The line of each piece."""
        custom, written = 0, set[str]()
        for piece in self.men.values():
            letter = self.letters[piece.code]
            if not letter or letter in written:
                continue
            written.add(letter)
            name = self._builtin_name(piece)
            if name:
                self.settings[name] = letter
                self.keys[piece.code] = name
                continue
            text = self._custom_betza(piece)
            if piece.code in self._king_codes and text is not None:
                self.settings["king"] = f"{letter}:{text}"
                self.keys[piece.code] = "king"
                continue
            custom += text is not None
            if custom > CUSTOM_PIECES:
                self._add_loss(
                    piece.code, f"it is left out: {PROGRAM} has {CUSTOM_PIECES} such pieces"
                )
            if text is None or custom > CUSTOM_PIECES:
                # A letter that no piece has would end lists, and shift what stands beside it.
                alike = {code: "" for code, own in self.letters.items() if own == letter}
                self.letters |= alike
                self.left_out |= alike.keys()
            else:
                self.settings[f"customPiece{custom}"] = f"{letter}:{text}"
                self.keys[piece.code] = f"customPiece{custom}"
        for code in self.keys:
            self._check_traits(self.men[code])

    def _exported_pieces(self) -> list[FsPiece]:
        """The kinds that are not left out."""
        return [piece for piece in self.men.values() if piece.code not in self.left_out]

    def _check_traits(self, piece: FsPiece) -> None:
        """Traits of a piece that the program does not support."""
        if piece.traits.cannot_capture and not piece.kind.immune_to:
            self._add_loss(piece.code, "it can be captured by every piece there")
        if piece.traits.effects:
            self._add_loss(piece.code, "there it does nothing to what is in its range")

    def _builtin_name(self, piece: FsPiece) -> str:
        """The name that the program has for a piece, and that no other one here has."""
        first = (each.when for other in self.men.values() for each in other.piece.movement.options)
        # Elsewhere a pawn by another name may promote to something of its own.
        counted = self.rules.countdown and self._fits_pawn_rules(piece) and not any(first)
        pawn = PLAIN_PAWN if counted else PAWN
        names = (
            {"king": "K"} if piece.code in self._king_codes else {"pawn": pawn, **builtin_pieces()}
        )
        if piece.kind.blast == "capturing":
            names = {"pawn": pawn}
        elif self.rules.explosion == "captures":
            names.pop("pawn", None)
        if piece.regional.longest_extra or (piece.regional.lines and piece.moves_like("fsW")):
            return "soldier"
        if piece.kind.blocked_by:
            return "janggiCannon" if piece.moves_like("pR") else ""
        free = (name for name in names if name not in self.settings)
        return next((name for name in free if piece.moves_like(names[name])), "")

    def _custom_betza(self, piece: FsPiece) -> str | None:
        """The text that makes the program move a piece so; None, and a loss, if there is none."""
        try:
            text = translate(without_en_passant(piece.piece), write=DIALECT).text
        except AlfilError as error:
            for each in error.diagnostics:
                self._add_loss(
                    piece.code, f"it is left out: {quoting_part(each, error.source.text)}"
                )
            return None
        theirs = check_for(text, DIALECT).theirs
        if theirs is None or not moves_like(piece.piece, write(theirs, "betza")):
            self._add_loss(piece.code, f"it is left out: {text} is another piece there")
            return None
        return text

    # Royal pieces, and what ends the game

    def _royal_settings(self) -> None:
        """The king, or whatever else must not be lost."""
        royals, allowed = self.royals, self.rules.self_check == "allowed"
        if not royals:
            return
        counts = [Counter(each.code for each in self._starting_types(side)) for side in (0, 1)]
        number = {count[piece.code] for piece in royals for count in counts}
        letters = "".join(dict.fromkeys(self.letters[piece.code] for piece in royals))
        if self._king_codes:
            return
        self._losses_without_king()
        any_lost = royals[0].traits.survive == "any"
        if self.rules.explosion == "captures" and not allowed:
            self._explosion_losses(several=not any_lost and number != {1})
        if any_lost and len(letters) == 1 and len(number) == 1:
            self.settings["extinctionPieceCount"] = str(max(number) - 1)
        elif any_lost and (number != {1} or self._promotes_to_royal()):
            self._add_loss("royal-lost", "there the last royal piece of a kind must be lost")
        elif not any_lost and len({*letters}) > 1:
            self._add_loss("royal-lost", "there one kind of royal pieces must be lost, not all")
        self.settings["extinctionValue"] = "loss"
        self.settings["extinctionPieceTypes"] = letters
        self.settings["extinctionPseudoRoyal"] = boolean(not allowed)

    def _promotes_to_royal(self) -> bool:
        """Whether something promotes to a royal piece, so that there may be two of a kind."""
        codes = {piece.code for piece in self.royals}
        return any(codes.intersection(piece.promotions) for piece in self.men.values())

    def _explosion_losses(self, *, several: bool) -> None:
        """What of checks goes by explosions there; ``several`` royals must all be lost."""
        if several:
            self._add_loss(
                "royal-lost", "there it is not seen whom of several royals explosions leave"
            )
        if self.rules.duple_check == "yes":
            self._add_loss(
                "duple-check", "there nobody in check may blow up the other side's royals"
            )

    def _losses_without_king(self) -> None:
        """What goes by checks, which only a king can be in there."""
        rules, ways = self.rules, {way.how for way in self.rules.win}
        if "checks" in ways:
            self._add_loss("win", "there checks are not counted without a king")
        for name in OF_CHECKS:
            judged = name != "perpetual-check" or rules.repetition
            if judged and value_of(name, rules) != "allowed":
                self._add_loss(name, "there it is about a king, which this game has not")
        if rules.self_check == "allowed":
            if rules.passes != "barred":
                self._add_loss("passes", "there a side passes in check, too")
            if "mate" in ways and rules.stalemate != rules.mate:
                self._add_loss("self-check", "there it is stalemate to be in check without a move")

    @cached_property
    def _king_codes(self) -> tuple[str, ...]:
        """The code of the king, where both sides have one that must not be left in check."""
        codes = [piece.code for piece in self.royals]
        counts = [sum(each.code in codes for each in self._starting_types(side)) for side in (0, 1)]
        single = max(counts) == 1 and len({self.letters[code] for code in codes}) == 1
        # Of two kings there only one moves.
        single &= not self._promotes_to_royal()
        rules = self.rules
        plain = (rules.explosion, rules.wall, rules.flip) == ("none", "none", "none")
        plain &= not any(piece.kind.petrifies for piece in self.men.values())
        return tuple(codes) if single and plain and rules.self_check == "barred" else ()

    def _starting_types(self, side: int) -> Iterator[PieceType]:
        """The kinds of the pieces that a side begins with."""
        for each in self.variant.setup:
            if each.side == side:
                yield self.men[each.code].kind
        for code, count in self.variant.hands[side]:
            yield from [self.men[code].kind] * count

    def _ending_settings(self) -> None:
        rules, settings = self.rules, self.settings
        ways = {way.how: way.times for way in rules.win}
        counted = {value: word for word, value in COUNT_VALUES.items() if word != value}
        settings["stalemateValue"] = counted.get(rules.stalemate, rules.stalemate)
        if rules.stalemate in counted:
            settings["stalematePieceCount"] = "true"
        if not {"mate", "royal-capture"} & ways.keys() and rules.giving_check != "barred":
            settings["checkmateValue"] = settings["stalemateValue"]
        if "checks" in ways:
            settings["checkCounting"] = "true"
        if "bare" in ways:
            self._bare_king_settings()
        if rules.extinction:
            self._extinction_settings(rules.extinction)
        if rules.goal:
            settings["flagPiece"] = self.letters[rules.goal.code]
            settings["flagRegionWhite"] = self._region_of_area(rules.goal.area, 0)
            settings["flagRegionBlack"] = self._region_of_area(rules.goal.area, 1)
            if rules.self_check == "allowed" and self.men[rules.goal.code].traits.survive:
                settings["flagPieceSafe"] = "true"
            self._goal_settings(rules.goal)
        self._repetition_settings()
        self._move_limit_settings()

    def _goal_settings(self, goal: Goal) -> None:
        """A goal that wins later: there a king's leaves a reply, that of others is held."""
        when = self.rules.goal_wins
        if when == "at-once":
            return
        if (goal.code in self._king_codes) != (when == "after-reply"):
            self._add_loss("goal-wins", "there a goal wins at once")
            return
        self.settings["flagMove"] = "true"
        squares = self.variant.squares(goal.area, 0) | self.variant.squares(goal.area, 1)
        if when == "next-turn" and len(squares) > 1:
            self._add_loss("goal-wins", "there nobody wins if the second player arrives too")

    def _move_limit_settings(self) -> None:
        """How many moves without a capture draw."""
        limit = self.rules.move_limit
        self.settings["nMoveRule"] = str(limit.moves) if limit else "0"
        if limit:
            self.settings["nMoveRuleTypes"] = self._letters_of(limit.codes)
            if any(is_reversible(self.men[code].piece) for code in limit.codes if code in self.men):
                self._add_loss(
                    "move-limit", "there a move that can be taken back is none that counts"
                )

    def _extinction_settings(self, rule: Extinction) -> None:
        """The result when a side has too few pieces of a type."""
        if "extinctionValue" in self.settings:
            self._add_loss("extinction", "there other pieces must not be lost already")
            return
        begin = dict.fromkeys(kind.code for side in (0, 1) for kind in self._starting_types(side))
        codes = begin if rule.what == ("each",) else rule.what
        self.settings["extinctionValue"] = rule.result
        self.settings["extinctionPieceTypes"] = (
            "*" if codes == ("all",) else self._letters_of(codes)
        )
        self.settings["extinctionPieceCount"] = str(rule.left)

    def _bare_king_settings(self) -> None:
        """A side that has nothing but royals has lost, as in shatranj."""
        alone = {sum(kind.royal for kind in self._starting_types(side)) for side in (0, 1)}
        if len(alone) > 1 or "extinctionValue" in self.settings:
            self._add_loss("win", "there a bare side loses only where both have one king")
            return
        self.settings["extinctionValue"] = "loss"
        self.settings["extinctionPieceTypes"] = "*"
        self.settings["extinctionPieceCount"] = str(alone.pop())

    def _repetition_settings(self) -> None:
        rules, settings = self.rules, self.settings
        settings["nFoldRule"] = str(rules.repetition.times if rules.repetition else 0)
        if not rules.repetition:
            return
        result = rules.repetition.result
        values = {"draw": "draw", "loss-first": "loss", "loss-repeater": "win"}
        settings["nFoldValue"] = values[result]
        settings["nFoldValueAbsolute"] = boolean(result == "loss-first")
        settings["perpetualCheckIllegal"] = value_for("perpetualCheckIllegal", rules)
        if rules.perpetual_check == "draw" and result != "draw":
            self._add_loss("perpetual-check", "there it ends as any repetition")
        if rules.perpetual_check == "loss" and rules.perpetual_span == "last":
            self._add_loss("perpetual-span", "there checks count since the first occurrence")

    # Promotion

    def _promotion_settings(self) -> None:
        """Promotion as of pawns, to one of several, or as in shogi, to one form of its own."""
        settings = self.settings
        promoting = [
            piece for piece in self.men.values() if piece.promotions and self.letters[piece.code]
        ]
        pawns = [piece for piece in promoting if self._promotes_like_pawn(piece)]
        generals = [piece for piece in promoting if piece not in pawns]
        everywhere = self.rules.promotion_when in {"captures", "always"}
        variant = self.variant
        for piece in promoting:
            self._check_promotion_rules(piece, pawn=piece in pawns)
        for piece in pawns if self.rules.drop_form == "either" else ():
            if self._is_droppable(piece):
                self._add_loss(piece.code, "there it is not dropped promoted")
        for side, name in enumerate(SIDES):
            squares = variant.squares((1, variant.ranks) if everywhere else ZONE, side)
            settings[f"promotionRegion{name}"] = region_text(squares)
        self._pawn_settings(pawns, generals)
        pairs = (
            f"{self.letters[piece.code]}:{self.letters[piece.promotions[0]]}"
            for piece in generals
            if self.letters[piece.promotions[0]]
        )
        settings["promotedPieceType"] = " ".join(pairs) or "-"
        settings["mandatoryPiecePromotion"] = self._mandatory_promotion(generals)
        if self.rules.promotion_when == "enters":
            self._add_loss("promotion-when", "there all moves that touch the zone promote")
        if self.rules.promotion_when == "captures":
            settings["piecePromotionOnCapture"] = "true"

    def _pawn_settings(self, pawns: Sequence[FsPiece], generals: Sequence[FsPiece]) -> None:
        """What promotes as pawns do, and to what; either side may have its own."""
        settings = self.settings
        # The program's own pawn goes on into the zone as it is, unless all pawns must promote.
        own = [piece for piece in generals if self.keys.get(piece.code) == "pawn"]
        settings["mandatoryPawnPromotion"] = self._mandatory_promotion([*pawns, *own])
        apart = {piece.traits.promotion.mode == "apart" for piece in pawns}
        settings["sittuyinPromotion"] = boolean(True in apart)
        if len(apart) > 1:
            self._add_loss(
                "promotion-when", "there all pawns promote with moves of their own, or none"
            )
        of_side = [[piece for piece in pawns if self._has_piece(piece, side)] for side in (0, 1)]
        rules_of_types = [
            (
                self._letters_of(piece.code for piece in pieces),
                self._letters_of(pieces[0].promotions if pieces else ()),
            )
            for pieces in of_side
        ]
        names = [""] if rules_of_types[0] == rules_of_types[1] else [*SIDES]
        for name, (types, forms) in zip(names, rules_of_types, strict=False):
            settings[f"promotionPawnTypes{name}"] = types
            settings[f"promotionPieceTypes{name}"] = forms
        if any(
            {*piece.promotions} != {*pieces[0].promotions} for pieces in of_side for piece in pieces
        ):
            self._add_loss("promotion-when", "there all pawns promote to the same pieces")

    def _has_piece(self, piece: FsPiece, side: int) -> bool:
        """Whether a side may have such pieces."""
        promoted = any(piece.code in other.promotions for other in self.men.values())
        wandering = promoted or self.rules.captured == "to-hand"
        return side in piece.kind.sides and (wandering or bool(self._start_squares(piece, side)))

    def _promotes_like_pawn(self, piece: FsPiece) -> bool:
        """Whether it promotes where its move ends, and not also where it began."""
        counted = self.rules.countdown and self.keys.get(piece.code) == "pawn"
        if piece.traits.promotion.mode == "apart" or counted:
            return True
        single = len(piece.promotions) == 1
        return not single or (
            self.rules.promotion_when == "ends" and not self._never_leaves_zone(piece)
        )

    def _fits_pawn_rules(self, piece: FsPiece) -> bool:
        """Whether it promotes, if it does, where the program's own pawn would."""
        ends = self.rules.promotion_when == "ends" or self._never_leaves_zone(piece)
        return not piece.promotions or piece.traits.promotion.mode == "apart" or ends

    def _never_leaves_zone(self, piece: FsPiece) -> bool:
        """Whether no move of it can begin in the zone, because it is there promoted only."""
        zone = range(self.variant.ranks - self.rules.zone + 1, self.variant.ranks + 1)
        ranks = piece.kind.drop_ranks if self._is_droppable(piece) else None
        begins = {
            self._relative_rank(each.square, each.side)
            for each in self.variant.setup
            if each.code == piece.code
        }
        begins.update(range(ranks[0], ranks[1] + 1) if ranks else ())
        return piece.traits.promotion.mode == "forced" and begins.isdisjoint(zone)

    def _check_promotion_rules(self, piece: FsPiece, *, pawn: bool) -> None:
        rules, promotion = self.rules, piece.traits.promotion
        apart = promotion.mode == "apart"
        stays = rules.promotion_when == "touches" and piece.goes_forward
        if pawn and rules.promotion_when != "ends" and not apart and not stays:
            self._add_loss(piece.code, "there it promotes only where its move ends in the zone")
        if apart:
            self._check_promotion_apart(piece)
        if promotion.by is not None:
            self._add_loss(piece.code, "there it promotes by where it goes, not by how")
        if promotion.from_rank not in {0, self.variant.ranks + 1 - rules.zone}:
            self._add_loss(piece.code, "there it promotes in the zone of the game")
        if rules.captured == "to-hand" and rules.captured_form == "base":
            for form in promotion.codes:
                if self.men[form].kind.base != piece.code:
                    self._add_loss(
                        piece.code, f"there a captured {form} turns back to {piece.code}"
                    )

    def _check_promotion_apart(self, piece: FsPiece) -> None:
        """A promotion with a move of its own goes as what it becomes would capture."""
        if self.keys.get(piece.code) != "pawn":
            self._add_loss(piece.code, "there it also promotes with a move into the zone")
        if any(self.men[code].captures_elsewhere for code in piece.promotions):
            self._add_loss(
                piece.code, "there it goes where what it becomes could capture, and promotes"
            )

    def _mandatory_promotion(self, pieces: Collection[FsPiece]) -> str:
        """Whether promotion is forced; for some of them only is a loss."""
        modes = {piece.traits.promotion.mode == "forced" for piece in pieces}
        if len(modes) > 1:
            for piece in pieces:
                if piece.traits.promotion.mode == "forced":
                    self._add_loss(piece.code, "there it need not promote, as others need not")
        return boolean(modes == {True})

    # Castling and double steps

    def _castling_settings(self) -> None:
        """Castling, and the squares from which pieces go farther the first time."""
        castling = [
            piece
            for piece in self.men.values()
            if piece.regional.castlings or piece.kind.castles_to
        ]
        self.settings["castling"] = boolean(bool(castling))
        for piece in castling:
            if self.letters[piece.code] != self.letters[castling[0].code]:
                self._add_loss(piece.code, "there one kind of piece castles")
            else:
                self._castling_squares(piece)
        self._double_step_settings()

    def _castling_squares(self, king: FsPiece) -> None:
        """Where king and partners stand and go to; the partners are what stands in the corners."""
        for side in king.kind.sides:
            homes = {square for each in king.regional.king_squares for square in each[side]}
            if not king.regional.king_squares:
                homes = {*self._start_squares(king, side)}
            if len(homes) > 1:
                self._add_loss(king.code, "there it castles from one square")
            elif homes:
                self._castling_from(king, side, homes.pop())

    def _castling_from(self, king: FsPiece, side: int, home: Square) -> None:
        settled = {
            "castlingRank": str(self._relative_rank(home, side)),
            "castlingKingFile": ascii_lowercase[home[0]],
        }
        if king.code not in self._king_codes:
            settled["castlingKingPiece"] = self.letters[king.code]
        for wing, to, corner in self._castling_sides(king, side, home):
            if not king.regional.king_squares or home in self._start_squares(king, side):
                self.rights += wing[0].lower() if side else wing[0]
            settled[f"castling{wing}sideFile"] = ascii_lowercase[to]
            settled[f"castlingRook{wing}sideFile"] = ascii_lowercase[corner]
        known = self.settings
        if any(known.get(name, value) != value for name, value in settled.items()):
            self._add_loss(king.code, "there both sides castle on the same files")
        known |= settled
        known["castlingRookPieces"] = self._letters_of(sorted(self.partners))

    def _start_squares(self, piece: FsPiece, side: int) -> frozenset[Square]:
        """Where a side has such pieces at the start."""
        mine = (piece.code, side)
        return frozenset(e.square for e in self.variant.setup if (e.code, e.side) == mine)

    def _castling_sides(
        self, king: FsPiece, side: int, home: Square
    ) -> Iterator[tuple[str, int, int]]:
        """The wings to which it castles: their names, where it goes, and where the partner is."""
        own = {each.square: each.code for each in self.variant.setup if each.side == side}
        dropped = [piece.code for piece in self.men.values() if self._is_droppable(piece)]
        if dropped and king.regional.king_squares:
            self.settings["castlingDroppedPiece"] = "true"
        only = king.kind.castles_with
        dropped = [code for code in dropped if not only or code in only]
        for wing, to, corner in self._castling_targets(king, side, home):
            partner = own.get((corner, home[1]))
            if only and partner not in only:
                partner = None
            if partner or (dropped and king.regional.king_squares):
                self.partners |= {partner} if partner else {*dropped}
                yield wing, to, corner

    def _castling_targets(
        self, king: FsPiece, side: int, home: Square
    ) -> Iterator[tuple[str, int, int]]:
        last = self.variant.files - 1
        for way in king.regional.castlings:
            for dx, _ in way.steps:
                right = (dx > 0) != bool(side)
                corner = last - way.inset if right else way.inset
                if abs(corner - home[0]) > way.squares:
                    to = home[0] + (way.squares if right else -way.squares)
                    yield "King" if right else "Queen", to, corner
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
                yield wing, to, max(result) if wing == "King" else min(result)

    def _double_step_settings(self) -> None:
        """The squares from which pieces go farther, and who captures what passes there."""
        pieces = self._exported_pieces()
        first = [
            piece for piece in pieces if any(each.when for each in piece.piece.movement.options)
        ]
        passing = [piece.code for piece in pieces if any(en_passant_legs(piece.piece))]
        self.settings["doubleStep"] = boolean(bool(first))
        self.settings["pawnTypes"] = "-"
        self.settings["enPassantTypes"] = self._letters_of(passing)
        if not passing:
            # The program's own pawn captures en passant wherever something may be captured so.
            self.settings["enPassantRegion"] = "-"
        ranks = set[int]()
        for side, name in enumerate(SIDES):
            each = [
                squares for piece in first if (squares := self._double_step_squares(piece, side))
            ]
            whole = frozenset[Square]().union(*each)
            ranks |= {self._relative_rank(square, side) for square in whole}
            self.settings[f"doubleStepRegion{name}"] = region_text(whole)
            if any(
                piece.regional.double_step_squares and squares != whole
                for piece, squares in zip(first, each, strict=False)
            ):
                self._add_loss(first[0].code, "there all pieces go farther from the same squares")
            up = -1 if side else 1
            silent = {
                (x, y + up) for piece in first for x, y in piece.regional.ep_silent_squares[side]
            }
            self._ep_losses(side, {(x, y + up) for x, y in whole} - silent)
            self._passing_losses(side, first, silent)
            if silent:
                region = region_text(self._board - silent)
                self.settings[f"enPassantRegion{SIDES[1 - side]}"] = region
        for piece in first:
            if piece.regional.double_step_squares is None:
                self._check_first_move(piece, ranks)

    def _ep_losses(self, side: int, passed: Set[Square]) -> None:
        """Captures of what has passed these squares there promote nothing, and go anywhere."""
        for piece in self._exported_pieces():
            if 1 - side not in piece.kind.sides or not any(en_passant_legs(piece.piece)):
                continue
            area = piece.kind.promotes_in or ZONE
            if piece.promotions and not self.variant.squares(area, 1 - side).isdisjoint(passed):
                self._add_loss(
                    piece.code, "there a capture en passant into the zone promotes nothing"
                )
            if not self._board & passed <= self._region(piece, 1 - side):
                self._add_loss(
                    piece.code, "there it captures en passant where it may not go otherwise, too"
                )

    def _passing_losses(self, side: int, first: Iterable[FsPiece], silent: Set[Square]) -> None:
        """What promotes with a double step there is not captured en passant."""
        if not any(any(en_passant_legs(piece.piece)) for piece in self._exported_pieces()):
            return
        up = -1 if side else 1
        for piece in first:
            zone = self.variant.squares(piece.kind.promotes_in or ZONE, side)
            starts = self._double_step_squares(piece, side)
            landing = {(x, y + 2 * up) for x, y in starts if (x, y + up) not in silent}
            if piece.promotions and not zone.isdisjoint(landing):
                self._add_loss(
                    piece.code, "there it is not captured en passant when it promotes so"
                )

    def _double_step_squares(self, piece: FsPiece, side: int) -> frozenset[Square]:
        """The squares from which a piece goes farther than elsewhere."""
        if piece.regional.double_step_squares:
            return piece.regional.double_step_squares[side]
        return self._start_squares(piece, side)

    def _check_first_move(self, piece: FsPiece, ranks: Collection[int]) -> None:
        """A first move is one from certain squares there, whoever comes to these ``ranks``."""
        own = {
            self._relative_rank(each.square, each.side)
            for each in self.variant.setup
            if each.code == piece.code
        }
        back = any(y <= 0 for _, y in destinations(piece.piece, unmoved=False))
        dropped = self._drop_squares(piece) if self._is_droppable(piece) else ()
        last = max(ranks, default=0)
        if min(own, default=last) < last or back or any(y + 1 < last for _, y in dropped):
            self._add_loss(
                piece.code, "there it has its first move on any square where a piece began with one"
            )

    # Drops

    def _is_droppable(self, piece: FsPiece) -> bool:
        """Whether such a piece can be in a hand, as it is, and be put down."""
        if (
            self.rules.drops == "no"
            or piece.traits.survive
            or not self.variant.droppable(piece.kind)
        ):
            return False
        held = any(code == piece.code for hand in self.variant.hands for code, _ in hand)
        return held or self.rules.captured == "to-hand"

    def _drop_settings(self) -> None:
        rules, settings = self.rules, self.settings
        if rules.captured == "to-hand" and rules.drops == "no":
            self._add_loss("captured", "no pieces are kept there that are not dropped")
        self._immobility_settings()
        if rules.drops == "no":
            return
        settings["pieceDrops"] = "true"
        for name in ("capturesToHand", "dropLoop", "dropPromoted"):
            settings[name] = value_for(name, rules)
        dropped = [piece for piece in self._exported_pieces() if self._is_droppable(piece)]
        self._drop_region_settings(dropped)
        for piece in dropped:
            self._drop_condition_losses(piece)

    def _immobility_settings(self) -> None:
        """Whether pieces may come to squares that they can never leave: one rule for all."""
        pieces = self._exported_pieces()
        choosing = [
            piece for piece in pieces if piece.traits.promotion.mode == "stuck" and piece.promotions
        ]
        walking = [
            piece for piece in pieces if piece not in choosing and self._may_get_stuck(piece)
        ]
        dropped = [
            piece for piece in pieces if piece.immobile_squares and self._is_droppable(piece)
        ]
        barred = [
            piece
            for piece in dropped
            if piece.immobile_squares.isdisjoint(self._drop_squares(piece))
        ]
        self.keeps_moving = bool(choosing or (barred and not walking))
        self.settings["immobilityIllegal"] = boolean(self.keeps_moving)
        if not self.keeps_moving:
            return
        for piece in walking:
            self._add_loss(piece.code, "there it may not go where it could never move again")

    def _may_get_stuck(self, piece: FsPiece) -> bool:
        """Whether its own moves, promotion aside, can bring it where it is stuck."""
        if piece.traits.promotion.mode == "forced" and piece.promotions:
            return False
        return not piece.immobile_squares.isdisjoint(
            frozenset().union(*piece.destinations.values())
        )

    def _drop_squares(self, piece: FsPiece) -> set[Square]:
        """Where it may be dropped, as the first side sees the board."""
        first, last = piece.kind.drop_ranks or (1, 0)
        ranks = range(first - 1, min(last, self.variant.ranks))
        return set(product(range(self.variant.files), ranks))

    def _drop_region_settings(self, dropped: Sequence[FsPiece]) -> None:
        """One region for all, and squares that pieces could never leave; else it is a loss."""
        rook = self.settings.get("rook")
        home = [
            piece
            for piece in dropped
            if (self.letters[piece.code], piece.kind.drop_ranks) == (rook, (1, 1))
        ]
        regions = {piece.kind.drop_ranks for piece in dropped if piece not in home}
        if home and regions:
            self.settings["sittuyinRookDrop"] = "true"
        zone = range(self.variant.ranks - self.rules.zone, self.variant.ranks)
        common = regions.pop() if len(regions) == 1 else (1, self.variant.ranks)
        first, last = common or (1, 0)
        depth = range(first, min(last, self.variant.ranks) + 1)
        if len(depth) < self.variant.ranks:
            self.settings["dropRegionWhite"] = self._region_of_ranks(depth, 0)
            self.settings["dropRegionBlack"] = self._region_of_ranks(depth, 1)
        for piece in dropped:
            drop_squares = self._drop_squares(piece)
            if self.settings.get("pawn") == self.letters[piece.code]:
                begin, end = (
                    {y for _, y in drop_squares} & {0},
                    {y for _, y in drop_squares} & set(zone),
                )
                self.settings["firstRankPawnDrops"] = boolean(bool(begin))
                self.settings["promotionZonePawnDrops"] = boolean(bool(end))
                allowed = set(range(self.variant.ranks))
                allowed -= set() if begin else {0}
                allowed -= set() if end else set(zone)
                given = {(x, y) for x, y in product(range(self.variant.files), allowed)}
            else:
                ranks = (rank for rank in depth if rank == 1 or piece not in home)
                given = set(product(range(self.variant.files), (rank - 1 for rank in ranks)))
            given -= piece.immobile_squares if self.keeps_moving else set()
            if given != drop_squares:
                there = f"{len(given)} squares, not {len(drop_squares)}"
                self._add_loss(piece.code, f"there it may be dropped on {there}")

    def _drop_condition_losses(self, piece: FsPiece) -> None:
        kind = piece.kind
        if kind.drop_check != "free":
            self._add_loss(kind.code, "there its drop may give check or not")
        if kind.drop_mate == "barred":
            if self.settings.get("shogiPawn") == self.letters[kind.code]:
                self.settings["shogiPawnDropMateIllegal"] = "true"
            else:
                self._add_loss(kind.code, "there its drop may give mate")
        if kind.per_file and "move" in kind.per_file_on:
            self._add_loss(kind.code, "there its moves, unlike drops, keep to no limit on a file")
        if kind.per_file and "dropNoDoubled" in self.settings:
            self._add_loss(kind.code, "there only one kind can be limited on a file")
        elif kind.per_file:
            self.settings["dropNoDoubled"] = self.letters[kind.code]
            self.settings["dropNoDoubledCount"] = str(kind.per_file)

    # Words of the file

    def _region_of_ranks(self, ranks: Iterable[int], side: int) -> str:
        """Ranks, counted from their owner, as a region."""
        top = self.variant.ranks + 1
        return " ".join(f"*{top - rank if side else rank}" for rank in ranks) or "-"

    def _region_of_area(self, area: Area, side: int) -> str:
        """The squares of an area of one side, as a region."""
        if not isinstance(area, str):
            return self._region_of_ranks(range(area[0], min(area[1], self.variant.ranks) + 1), side)
        return region_text(self.variant.squares(area, side))

    def _remaining_rules(self) -> None:
        """What settings say by themselves, and whatever has no counterpart."""
        for name, _ in unsupported_fields(self.rules, Rules, supported_rules(DIALECT)):
            rule = name.replace("_", "-")
            if setting := setting_for(rule, self.rules):
                self.settings |= setting
            else:
                self._lose_unsupported(rule, name)
        for piece in self._exported_pieces():
            for name, _ in unsupported_fields(piece.kind, PieceType, WRITTEN):
                if name != "promotes_in" or self._promotes_elsewhere(piece):
                    self._lose_unsupported(piece.code, name)

    def _promotes_elsewhere(self, piece: FsPiece) -> bool:
        """Whether it promotes on other squares than those of the zone of the game."""
        area = piece.kind.promotes_in or ZONE
        squares = self.variant.squares
        return any(squares(area, side) != squares(ZONE, side) for side in piece.kind.sides)

    def _effect_settings(self) -> None:
        """What captures and moves do besides, who passes, and who counts pieces in the end."""
        result = Effects(self.variant, self.men, self.letters, self.keys)
        self.settings |= result.settings
        self.rights += result.rights
        for what, message in result.losses:
            self._add_loss(what, message)
        words = features_of_game(
            self.variant,
            self.men,
            self.settings,
            castles=self.settings.get("castlingRookPieces", "-") != "-",
            own_forms=self.settings["promotedPieceType"] != "-",
            keeps_moving=self.keeps_moving,
        )
        for each in conflicts(words):
            if each.rule:
                self._add_loss(each.rule, each.fs_behaviour)

    def _lose_unsupported(self, what: str, name: str) -> None:
        self._add_loss(
            what, LOSS_WORDS.get(name, f"there is nothing like {name.replace('_', '-')} there")
        )

    def _mobility_settings(self) -> None:
        """Where pieces may stand, and how many there may be by promotion."""
        limits = []
        for piece in self._exported_pieces():
            kind, key = piece.kind, self.keys.get(piece.code, "")
            if key and (kind.within or kind.outside):
                for side, name in enumerate(SIDES):
                    region = f"mobilityRegion{name}{key[0].upper()}{key[1:]}"
                    self.settings[region] = region_text(self._region(piece, side))
            elif kind.within or kind.outside:
                self._add_loss(piece.code, "there it may go everywhere")
            if kind.per_side:
                limits.append(f"{self.letters[piece.code]}:{kind.per_side}")
        if limits:
            self.settings["promotionLimit"] = " ".join(limits)

    def _region(self, piece: FsPiece, side: int) -> frozenset[Square]:
        """The squares on which such a piece may stand."""
        within, outside = (
            self.variant.squares(area, side) if area else None
            for area in (piece.kind.within, piece.kind.outside)
        )
        return (self._board if within is None else within) - (outside or frozenset())

    @cached_property
    def _board(self) -> frozenset[Square]:
        return self.variant.squares((1, self.variant.ranks), 0)

    def _relative_rank(self, square: Square, side: int) -> int:
        """The rank of a square, from 1, as its owner counts."""
        return self.variant.ranks - square[1] if side else square[1] + 1

    def _letters_of(self, codes: Iterable[str]) -> str:
        return "".join(dict.fromkeys(self.letters[code] for code in codes)) or "-"

    def _start_fen(self) -> str:
        """The set-up as the program reads it."""
        variant = self.variant
        size = variant.files * variant.ranks
        board = dict.fromkeys(variant.walls, "*")
        board |= {each.square: self._piece_letter(each.code, each.side) for each in variant.setup}
        held = (
            self._piece_letter(code, side) * count
            for side, hand in enumerate(variant.hands)
            for code, count in hand
        )
        hands = "".join(held)
        if self.rules.drops == "free":
            (code, *_) = self.men
            hands = "".join(self._piece_letter(code, side) * size for side in (0, 1))
        hands = hands.replace(LEFT_OUT, "")
        hands = f"[{hands}]" if hands or self.rules.drops != "no" else ""
        rights = "".join(sorted({*self.rights})) or "-"
        times = next((way.times for way in self.rules.win if way.how == "checks"), 0)
        checks = f" {times}+{times}" if times else ""
        placed = board_in_fen(board, variant.files, variant.ranks)
        return f"{placed}{hands} w {rights} -{checks} 0 1"

    def _piece_letter(self, code: str, side: int) -> str:
        letter = self.letters[code] or LEFT_OUT
        return letter if side else letter.upper()

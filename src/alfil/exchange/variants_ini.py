"""A game as a section of `variants.ini`, the file in which Fairy-Stockfish is told variants.

What the program does with a line was measured by its Python build 0.0.90. A rule that it lacks is a
loss, which is named with its consequence. The length of a match, what illegal moves cost and what
players agree on are no rules to it, and are noted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from string import ascii_lowercase

from alfil.api import destinations, translate, write
from alfil.comparison import check_for
from alfil.errors import AlfilError, Finding
from alfil.exchange import (
    OF_KINDS,
    Export,
    beside,
    in_part,
    known_to,
    loss,
    require_board,
    unwritten,
)
from alfil.exchange.clashes import clashes, words_of_game
from alfil.exchange.effects import Effects
from alfil.exchange.ini import COUNTED, OF_CHECKS, setting_for, value_for
from alfil.exchange.meant import SIDES
from alfil.exchange.men import (
    Man,
    letters_of_men,
    men_of,
    named,
    region_of,
    unruled_piece,
    yes,
)
from alfil.exchange.places import PROGRAM as DIALECT
from alfil.exchange.places import comes_back, is_like, passes_by
from alfil.exchange.spelling import board_in_fen
from alfil.game.variant import ZONE, Area, Extinction, Goal, Kind, Rules
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
LOST = {
    "drop_in": "there it is dropped everywhere",
    "promotes_in": "there it promotes in the zone of the game",
}


def exported(library: Library) -> Export:
    """A game as a section of `variants.ini`, its losses being comments there.

    Raises `AlfilError` for a file that is no game with a set-up, and of kind "board-size" for a
    board larger than 12×10.
    """
    require_board(library, FILES, RANKS, PROGRAM)
    return _Section(library).export()


class _Section:
    """The lines of a section as they come about, and what is lost."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.variant = library.variant
        self.rules = library.rules
        self.men = men_of(library)
        self.settings: dict[str, str] = {}
        self.losses: list[Finding] = []
        self.left_out = set[str]()
        self.letters = letters_of_men(self.men, self.rules)
        for code in (code for code, letter in self.letters.items() if not letter):
            self._lose(code, f"it is left out: {PROGRAM} has 26 letters for pieces")
            self.left_out.add(code)
        self.rights = ""
        self.partners: set[str] = set()
        self.keys: dict[str, str] = {}
        self.royals = [man for man in self.men.values() if man.nature.survive]

    def export(self) -> Export:
        """The whole section."""
        self._pieces()
        self._mobility()
        self._royals()
        self._promotion()
        self._castling()
        self._drops()
        self._ends()
        self._effects()
        self._rest()
        variant = self.variant
        name = "alfil_" + re.sub(r"[^a-z0-9]+", "_", variant.name.lower())
        losses = [f"# lost: {loss.message}" for loss in self.losses]
        notes = beside(self.rules)
        losses += [f"# not written: {note}" for note in notes]
        head = [f"[{name}]", *losses, f"maxFile = {variant.files}", f"maxRank = {variant.ranks}"]
        lines = [f"{key} = {value}" for key, value in self.settings.items()]
        text = "\n".join([*head, f"startFen = {self._fen()}", *lines]) + "\n"
        return Export(name, text, self.letters, tuple(self.losses), notes)

    def _lose(self, what: str, message: str) -> None:
        """Note a loss, at the line of a piece or rule; a piece that is left out has no more."""
        if what not in self.left_out:
            self.losses.append(loss(self.library, what, message))

    # Pieces

    def _pieces(self) -> None:
        """The line of each piece."""
        custom, written = 0, set[str]()
        for man in self.men.values():
            letter = self.letters[man.code]
            if not letter or letter in written:
                continue
            written.add(letter)
            name = self._name(man)
            if name:
                self.settings[name] = letter
                self.keys[man.code] = name
                continue
            text = self._betza(man)
            if man.code in self._kings and text is not None:
                self.settings["king"] = f"{letter}:{text}"
                self.keys[man.code] = "king"
                continue
            custom += text is not None
            if custom > CUSTOM_PIECES:
                self._lose(man.code, f"it is left out: {PROGRAM} has {CUSTOM_PIECES} such pieces")
            if text is None or custom > CUSTOM_PIECES:
                # A letter that no piece has would end lists, and shift what stands beside it.
                alike = {code: "" for code, own in self.letters.items() if own == letter}
                self.letters |= alike
                self.left_out |= alike.keys()
            else:
                self.settings[f"customPiece{custom}"] = f"{letter}:{text}"
                self.keys[man.code] = f"customPiece{custom}"
        for code in self.keys:
            self._check_nature(self.men[code])

    def _there(self) -> list[Man]:
        """The kinds that are not left out."""
        return [man for man in self.men.values() if man.code not in self.left_out]

    def _check_nature(self, man: Man) -> None:
        """What the program has not of what a piece is besides its moves."""
        if man.nature.barred and not man.kind.immune_to:
            self._lose(man.code, "it can be captured by every piece there")
        if man.nature.effects:
            self._lose(man.code, "there it does nothing to what is in its range")

    def _name(self, man: Man) -> str:
        """The name that the program has for a piece, and that no other one here has."""
        first = (each.when for other in self.men.values() for each in other.piece.movement.options)
        # Elsewhere a pawn by another name may promote to something of its own.
        counted = self.rules.countdown and self._may_be_pawn(man) and not any(first)
        pawn = PLAIN_PAWN if counted else PAWN
        names = {"king": "K"} if man.code in self._kings else {"pawn": pawn, **named()}
        if man.kind.blast == "capturing":
            names = {"pawn": pawn}
        elif self.rules.explosion == "captures":
            names.pop("pawn", None)
        if man.placed.grows or (man.placed.lines and man.is_like("fsW")):
            return "soldier"
        if man.kind.blocked_by:
            return "janggiCannon" if man.is_like("pR") else ""
        free = (name for name in names if name not in self.settings)
        return next((name for name in free if man.is_like(names[name])), "")

    def _betza(self, man: Man) -> str | None:
        """The text that makes the program move a piece so; None, and a loss, if there is none."""
        try:
            text = translate(unruled_piece(man.piece), write=DIALECT).text
        except AlfilError as error:
            for each in error.findings:
                self._lose(man.code, f"it is left out: {in_part(each, error.source.text)}")
            return None
        theirs = check_for(text, DIALECT).theirs
        if theirs is None or not is_like(man.piece, write(theirs, "betza")):
            self._lose(man.code, f"it is left out: {text} is another piece there")
            return None
        return text

    # Royal pieces, and what ends the game

    def _royals(self) -> None:
        """The king, or whatever else must not be lost."""
        royals, allowed = self.royals, self.rules.self_check == "allowed"
        if not royals:
            return
        counts = [Counter(each.code for each in self._begin(side)) for side in (0, 1)]
        number = {count[man.code] for man in royals for count in counts}
        letters = "".join(dict.fromkeys(self.letters[man.code] for man in royals))
        if self._kings:
            return
        self._unchecked()
        any_lost = royals[0].nature.survive == "any"
        if self.rules.explosion == "captures" and not allowed:
            self._blown_up(several=not any_lost and number != {1})
        if any_lost and len(letters) == 1 and len(number) == 1:
            self.settings["extinctionPieceCount"] = str(max(number) - 1)
        elif any_lost and (number != {1} or self._more_royals()):
            self._lose("royal-lost", "there the last royal piece of a kind must be lost")
        elif not any_lost and len({*letters}) > 1:
            self._lose("royal-lost", "there one kind of royal pieces must be lost, not all")
        self.settings["extinctionValue"] = "loss"
        self.settings["extinctionPieceTypes"] = letters
        self.settings["extinctionPseudoRoyal"] = yes(not allowed)

    def _more_royals(self) -> bool:
        """Whether something promotes to a royal piece, so that there may be two of a kind."""
        codes = {man.code for man in self.royals}
        return any(codes.intersection(man.forms) for man in self.men.values())

    def _blown_up(self, *, several: bool) -> None:
        """What of checks goes by explosions there; ``several`` royals must all be lost."""
        if several:
            self._lose("royal-lost", "there it is not seen whom of several royals explosions leave")
        if self.rules.duple_check == "yes":
            self._lose("duple-check", "there nobody in check may blow up the other side's royals")

    def _unchecked(self) -> None:
        """What goes by checks, which only a king can be in there."""
        rules, ways = self.rules, {way.how for way in self.rules.win}
        if "checks" in ways:
            self._lose("win", "there checks are not counted without a king")
        for name in OF_CHECKS:
            judged = name != "perpetual-check" or rules.repetition
            if judged and value_of(name, rules) != "allowed":
                self._lose(name, "there it is about a king, which this game has not")
        if rules.self_check == "allowed":
            if rules.passes != "barred":
                self._lose("passes", "there a side passes in check, too")
            if "mate" in ways and rules.stalemate != rules.mate:
                self._lose("self-check", "there it is stalemate to be in check without a move")

    @cached_property
    def _kings(self) -> tuple[str, ...]:
        """The code of the king, where both sides have one that must not be left in check."""
        codes = [man.code for man in self.royals]
        counts = [sum(each.code in codes for each in self._begin(side)) for side in (0, 1)]
        single = max(counts) == 1 and len({self.letters[code] for code in codes}) == 1
        # Of two kings there only one moves.
        single &= not self._more_royals()
        rules = self.rules
        plain = (rules.explosion, rules.wall, rules.flip) == ("none", "none", "none")
        plain &= not any(man.kind.petrifies for man in self.men.values())
        return tuple(codes) if single and plain and rules.self_check == "barred" else ()

    def _begin(self, side: int) -> Iterator[Kind]:
        """The kinds of the pieces that a side begins with."""
        for each in self.variant.setup:
            if each.side == side:
                yield self.men[each.code].kind
        for code, count in self.variant.hands[side]:
            yield from [self.men[code].kind] * count

    def _ends(self) -> None:
        rules, settings = self.rules, self.settings
        ways = {way.how: way.times for way in rules.win}
        counted = {value: word for word, value in COUNTED.items() if word != value}
        settings["stalemateValue"] = counted.get(rules.stalemate, rules.stalemate)
        if rules.stalemate in counted:
            settings["stalematePieceCount"] = "true"
        if not {"mate", "royal-capture"} & ways.keys() and rules.giving_check != "barred":
            settings["checkmateValue"] = settings["stalemateValue"]
        if "checks" in ways:
            settings["checkCounting"] = "true"
        if "bare" in ways:
            self._bare()
        if rules.extinction:
            self._extinction(rules.extinction)
        if rules.goal:
            settings["flagPiece"] = self.letters[rules.goal.code]
            settings["flagRegionWhite"] = self._squares(rules.goal.area, 0)
            settings["flagRegionBlack"] = self._squares(rules.goal.area, 1)
            if rules.self_check == "allowed" and self.men[rules.goal.code].nature.survive:
                settings["flagPieceSafe"] = "true"
            self._goal_wins(rules.goal)
        self._repetition()
        self._limit()

    def _goal_wins(self, goal: Goal) -> None:
        """A goal that wins later: there a king's leaves a reply, that of others is held."""
        when = self.rules.goal_wins
        if when == "at-once":
            return
        if (goal.code in self._kings) != (when == "after-reply"):
            self._lose("goal-wins", "there a goal wins at once")
            return
        self.settings["flagMove"] = "true"
        squares = self.variant.squares(goal.area, 0) | self.variant.squares(goal.area, 1)
        if when == "next-turn" and len(squares) > 1:
            self._lose("goal-wins", "there nobody wins where the second side got there too")

    def _limit(self) -> None:
        """How many moves without a capture draw."""
        limit = self.rules.move_limit
        self.settings["nMoveRule"] = str(limit.moves) if limit else "0"
        if limit:
            self.settings["nMoveRuleTypes"] = self._all(limit.codes)
            if any(comes_back(self.men[code].piece) for code in limit.codes if code in self.men):
                self._lose("move-limit", "there a move that can be taken back is none that counts")

    def _extinction(self, rule: Extinction) -> None:
        """What it is to have too few pieces of some sort."""
        if "extinctionValue" in self.settings:
            self._lose("extinction", "there other pieces must not be lost already")
            return
        begin = dict.fromkeys(kind.code for side in (0, 1) for kind in self._begin(side))
        codes = begin if rule.what == ("each",) else rule.what
        self.settings["extinctionValue"] = rule.result
        self.settings["extinctionPieceTypes"] = "*" if codes == ("all",) else self._all(codes)
        self.settings["extinctionPieceCount"] = str(rule.left)

    def _bare(self) -> None:
        """A side that has nothing but royals has lost, as in shatranj."""
        alone = {sum(kind.royal for kind in self._begin(side)) for side in (0, 1)}
        if len(alone) > 1 or "extinctionValue" in self.settings:
            self._lose("win", "there a bare side loses only where both have one king")
            return
        self.settings["extinctionValue"] = "loss"
        self.settings["extinctionPieceTypes"] = "*"
        self.settings["extinctionPieceCount"] = str(alone.pop())

    def _repetition(self) -> None:
        rules, settings = self.rules, self.settings
        settings["nFoldRule"] = str(rules.repetition.times if rules.repetition else 0)
        if not rules.repetition:
            return
        result = rules.repetition.result
        values = {"draw": "draw", "loss-first": "loss", "loss-repeater": "win"}
        settings["nFoldValue"] = values[result]
        settings["nFoldValueAbsolute"] = yes(result == "loss-first")
        settings["perpetualCheckIllegal"] = value_for("perpetualCheckIllegal", rules)
        if rules.perpetual_check == "draw" and result != "draw":
            self._lose("perpetual-check", "there it ends as any repetition")
        if rules.perpetual_check == "loss" and rules.perpetual_span == "last":
            self._lose("perpetual-span", "there checks count since the first occurrence")

    # Promotion

    def _promotion(self) -> None:
        """Promotion as of pawns, to one of several, or as in shogi, to one form of its own."""
        settings = self.settings
        promoting = [man for man in self.men.values() if man.forms and self.letters[man.code]]
        pawns = [man for man in promoting if self._as_pawn(man)]
        generals = [man for man in promoting if man not in pawns]
        everywhere = self.rules.promotion_when in {"captures", "always"}
        variant = self.variant
        for man in promoting:
            self._check_promotion(man, pawn=man in pawns)
        for side, name in enumerate(SIDES):
            squares = variant.squares((1, variant.ranks) if everywhere else ZONE, side)
            settings[f"promotionRegion{name}"] = region_of(squares)
        self._pawns(pawns, generals)
        pairs = (
            f"{self.letters[man.code]}:{self.letters[man.forms[0]]}"
            for man in generals
            if self.letters[man.forms[0]]
        )
        settings["promotedPieceType"] = " ".join(pairs) or "-"
        settings["mandatoryPiecePromotion"] = self._mandatory(generals)
        if self.rules.promotion_when == "captures":
            settings["piecePromotionOnCapture"] = "true"

    def _pawns(self, pawns: Sequence[Man], generals: Sequence[Man]) -> None:
        """What promotes as pawns do, and to what; either side may have its own."""
        settings = self.settings
        # The program's own pawn goes on into the zone as it is, unless all pawns must promote.
        own = [man for man in generals if self.keys.get(man.code) == "pawn"]
        settings["mandatoryPawnPromotion"] = self._mandatory([*pawns, *own])
        apart = {man.nature.promotion.mode == "apart" for man in pawns}
        settings["sittuyinPromotion"] = yes(True in apart)
        if len(apart) > 1:
            self._lose("promotion-when", "there all pawns promote with moves of their own, or none")
        of_side = [[man for man in pawns if self._has(man, side)] for side in (0, 1)]
        said = [
            (self._all(man.code for man in men), self._all(men[0].forms if men else ()))
            for men in of_side
        ]
        names = [""] if said[0] == said[1] else [*SIDES]
        for name, (types, forms) in zip(names, said, strict=False):
            settings[f"promotionPawnTypes{name}"] = types
            settings[f"promotionPieceTypes{name}"] = forms
        if any({*man.forms} != {*men[0].forms} for men in of_side for man in men):
            self._lose("promotion-when", "there all pawns promote to the same pieces")

    def _has(self, man: Man, side: int) -> bool:
        """Whether a side may have such pieces."""
        promoted = any(man.code in other.forms for other in self.men.values())
        wandering = promoted or self.rules.captured == "to-hand"
        return side in man.kind.sides and (wandering or bool(self._stones(man, side)))

    def _as_pawn(self, man: Man) -> bool:
        """Whether it promotes where its move ends, and not also where it began."""
        counted = self.rules.countdown and self.keys.get(man.code) == "pawn"
        if man.nature.promotion.mode == "apart" or counted:
            return True
        single = len(man.forms) == 1
        return not single or (
            self.rules.promotion_when == "ends" and not self._ends_is_touches(man)
        )

    def _may_be_pawn(self, man: Man) -> bool:
        """Whether it promotes, if it does, where the program's own pawn would."""
        ends = self.rules.promotion_when == "ends" or self._ends_is_touches(man)
        return not man.forms or man.nature.promotion.mode == "apart" or ends

    def _ends_is_touches(self, man: Man) -> bool:
        """Whether no move of it can begin in the zone, because it is there promoted only."""
        zone = range(self.variant.ranks - self.rules.zone + 1, self.variant.ranks + 1)
        ranks = man.kind.drop_ranks if self._may_be_dropped(man) else None
        begins = {
            self._rank_of(each.square, each.side)
            for each in self.variant.setup
            if each.code == man.code
        }
        begins.update(range(ranks[0], ranks[1] + 1) if ranks else ())
        return man.nature.promotion.mode == "forced" and begins.isdisjoint(zone)

    def _check_promotion(self, man: Man, *, pawn: bool) -> None:
        rules, promotion = self.rules, man.nature.promotion
        apart = promotion.mode == "apart"
        if pawn and rules.promotion_when != "ends" and not apart:
            self._lose(man.code, "there it promotes only where its move ends in the zone")
        if promotion.by is not None:
            self._lose(man.code, "there it promotes by where it goes, not by how")
        if promotion.from_rank not in {0, self.variant.ranks + 1 - rules.zone}:
            self._lose(man.code, "there it promotes in the zone of the game")
        if rules.captured == "to-hand" and rules.captured_form == "base":
            for form in promotion.codes:
                if self.men[form].kind.base != man.code:
                    self._lose(man.code, f"there a captured {form} turns back to {man.code}")

    def _mandatory(self, men: Collection[Man]) -> str:
        """Whether promotion is forced; for some of them only is a loss."""
        modes = {man.nature.promotion.mode == "forced" for man in men}
        if len(modes) > 1:
            for man in men:
                if man.nature.promotion.mode == "forced":
                    self._lose(man.code, "there it need not promote, as others need not")
        return yes(modes == {True})

    # Castling and double steps

    def _castling(self) -> None:
        """Castling, and the squares from which pieces go farther the first time."""
        castling = [man for man in self.men.values() if man.placed.castlings or man.kind.castles_to]
        self.settings["castling"] = yes(bool(castling))
        for man in castling:
            if self.letters[man.code] != self.letters[castling[0].code]:
                self._lose(man.code, "there one kind of piece castles")
            else:
                self._castles(man)
        self._first_moves()

    def _castles(self, king: Man) -> None:
        """Where king and partners stand and go to; the partners are what stands in the corners."""
        for side in king.kind.sides:
            homes = {square for each in king.placed.homes for square in each[side]}
            if not king.placed.homes:
                homes = {*self._stones(king, side)}
            if len(homes) > 1:
                self._lose(king.code, "there it castles from one square")
            elif homes:
                self._castles_from(king, side, homes.pop())

    def _castles_from(self, king: Man, side: int, home: Square) -> None:
        settled = {
            "castlingRank": str(self._rank_of(home, side)),
            "castlingKingFile": ascii_lowercase[home[0]],
        }
        if king.code not in self._kings:
            settled["castlingKingPiece"] = self.letters[king.code]
        for wing, to, corner in self._wings(king, side, home):
            if not king.placed.homes or home in self._stones(king, side):
                self.rights += wing[0].lower() if side else wing[0]
            settled[f"castling{wing}sideFile"] = ascii_lowercase[to]
            settled[f"castlingRook{wing}sideFile"] = ascii_lowercase[corner]
        known = self.settings
        if any(known.get(name, value) != value for name, value in settled.items()):
            self._lose(king.code, "there both sides castle on the same files")
        known |= settled
        known["castlingRookPieces"] = self._all(sorted(self.partners))

    def _stones(self, man: Man, side: int) -> frozenset[Square]:
        """Where a side has such pieces at the start."""
        mine = (man.code, side)
        return frozenset(e.square for e in self.variant.setup if (e.code, e.side) == mine)

    def _wings(self, king: Man, side: int, home: Square) -> Iterator[tuple[str, int, int]]:
        """The wings to which it castles: their names, where it goes, and where the partner is."""
        own = {each.square: each.code for each in self.variant.setup if each.side == side}
        dropped = [man.code for man in self.men.values() if self._may_be_dropped(man)]
        if dropped and king.placed.homes:
            self.settings["castlingDroppedPiece"] = "true"
        only = king.kind.castles_with
        dropped = [code for code in dropped if not only or code in only]
        for wing, to, corner in self._goals(king, side, home):
            partner = own.get((corner, home[1]))
            if only and partner not in only:
                partner = None
            if partner or (dropped and king.placed.homes):
                self.partners |= {partner} if partner else {*dropped}
                yield wing, to, corner

    def _goals(self, king: Man, side: int, home: Square) -> Iterator[tuple[str, int, int]]:
        last = self.variant.files - 1
        for way in king.placed.castlings:
            for dx, _ in way.steps:
                right = (dx > 0) != bool(side)
                corner = last - way.inset if right else way.inset
                if abs(corner - home[0]) > way.squares:
                    to = home[0] + (way.squares if right else -way.squares)
                    yield "King" if right else "Queen", to, corner
        stones = [each for each in self.variant.setup if each.side == side]
        for wing, to in zip(("Queen", "King"), king.kind.castles_to or (), strict=False):
            found = [
                each.square[0]
                for each in stones
                if each.code in king.kind.castles_with
                and each.square[1] == home[1]
                and (each.square[0] > home[0]) == (wing == "King")
            ]
            if found:
                yield wing, to, max(found) if wing == "King" else min(found)

    def _first_moves(self) -> None:
        """The squares from which pieces go farther, and who captures what passes there."""
        men = self._there()
        first = [man for man in men if any(each.when for each in man.piece.movement.options)]
        passing = [man.code for man in men if any(passes_by(man.piece))]
        self.settings["doubleStep"] = yes(bool(first))
        self.settings["pawnTypes"] = "-"
        self.settings["enPassantTypes"] = self._all(passing)
        if not passing:
            # The program's own pawn captures en passant wherever something may be captured so.
            self.settings["enPassantRegion"] = "-"
        for side, name in enumerate(SIDES):
            each = [squares for man in first if (squares := self._starts(man, side))]
            whole = frozenset[Square]().union(*each)
            self.settings[f"doubleStepRegion{name}"] = region_of(whole)
            if any(
                man.placed.starts and squares != whole
                for man, squares in zip(first, each, strict=False)
            ):
                self._lose(first[0].code, "there all pieces go farther from the same squares")
            up = -1 if side else 1
            silent = {(x, y + up) for man in first for x, y in man.placed.silent[side]}
            if silent:
                board = self.variant.squares((1, self.variant.ranks), 0)
                self.settings[f"enPassantRegion{SIDES[1 - side]}"] = region_of(board - silent)
        for man in first:
            if man.placed.starts is None:
                self._check_first(man)

    def _starts(self, man: Man, side: int) -> frozenset[Square]:
        """The squares from which a piece goes farther than elsewhere."""
        if man.placed.starts:
            return man.placed.starts[side]
        return self._stones(man, side)

    def _check_first(self, man: Man) -> None:
        """A first move is one from certain squares there, whoever comes to them."""
        ranks = {
            self._rank_of(each.square, each.side)
            for each in self.variant.setup
            if each.code == man.code
        }
        back = any(y <= 0 for _, y in destinations(man.piece, unmoved=False))
        dropped = self._drop_squares(man) if self._may_be_dropped(man) else ()
        behind = any(y + 1 < min(ranks, default=0) for _, y in dropped)
        if len(ranks) > 1 or back or behind:
            self._lose(man.code, "there it has its first move on any square where one of it began")

    # Drops

    def _may_be_dropped(self, man: Man) -> bool:
        """Whether such a piece can be in a hand, as it is, and be put down."""
        if self.rules.drops == "no" or man.nature.survive or not self.variant.droppable(man.kind):
            return False
        held = any(code == man.code for hand in self.variant.hands for code, _ in hand)
        return held or self.rules.captured == "to-hand"

    def _drops(self) -> None:
        rules, settings = self.rules, self.settings
        if rules.captured == "to-hand" and rules.drops == "no":
            self._lose("captured", "no pieces are kept there that are not dropped")
        self._immobility()
        if rules.drops == "no":
            return
        settings["pieceDrops"] = "true"
        for name in ("capturesToHand", "dropLoop", "dropPromoted"):
            settings[name] = value_for(name, rules)
        dropped = [man for man in self._there() if self._may_be_dropped(man)]
        self._drop_ranks(dropped)
        for man in dropped:
            self._drop_conditions(man)

    def _immobility(self) -> None:
        """Whether pieces may come to squares that they can never leave: one rule for all."""
        men = self._there()
        choosing = [man for man in men if man.nature.promotion.mode == "stuck" and man.forms]
        walking = [man for man in men if man not in choosing and self._gets_stuck(man)]
        dropped = [man for man in men if man.stuck and self._may_be_dropped(man)]
        barred = [man for man in dropped if man.stuck.isdisjoint(self._drop_squares(man))]
        self.keeps_moving = bool(choosing or (barred and not walking))
        self.settings["immobilityIllegal"] = yes(self.keeps_moving)
        if not self.keeps_moving:
            return
        for man in walking:
            self._lose(man.code, "there it may not go where it could never move again")

    def _gets_stuck(self, man: Man) -> bool:
        """Whether its own moves, promotion aside, can bring it where it is stuck."""
        if man.nature.promotion.mode == "forced" and man.forms:
            return False
        return not man.stuck.isdisjoint(frozenset().union(*man.reach.values()))

    def _drop_squares(self, man: Man) -> set[Square]:
        """Where it may be dropped, as the first side sees the board."""
        first, last = man.kind.drop_ranks or (1, 0)
        ranks = range(first - 1, min(last, self.variant.ranks))
        return set(product(range(self.variant.files), ranks))

    def _drop_ranks(self, dropped: Sequence[Man]) -> None:
        """One region for all, and squares that pieces could never leave; else it is a loss."""
        rook = self.settings.get("rook")
        home = [
            man
            for man in dropped
            if (self.letters[man.code], man.kind.drop_ranks) == (rook, (1, 1))
        ]
        regions = {man.kind.drop_ranks for man in dropped if man not in home}
        if home and regions:
            self.settings["sittuyinRookDrop"] = "true"
        zone = range(self.variant.ranks - self.rules.zone, self.variant.ranks)
        common = regions.pop() if len(regions) == 1 else (1, self.variant.ranks)
        first, last = common or (1, 0)
        depth = range(first, min(last, self.variant.ranks) + 1)
        if len(depth) < self.variant.ranks:
            self.settings["dropRegionWhite"] = self._region(depth, 0)
            self.settings["dropRegionBlack"] = self._region(depth, 1)
        for man in dropped:
            wanted = self._drop_squares(man)
            if self.settings.get("pawn") == self.letters[man.code]:
                begin, end = {y for _, y in wanted} & {0}, {y for _, y in wanted} & set(zone)
                self.settings["firstRankPawnDrops"] = yes(bool(begin))
                self.settings["promotionZonePawnDrops"] = yes(bool(end))
                allowed = set(range(self.variant.ranks))
                allowed -= set() if begin else {0}
                allowed -= set() if end else set(zone)
                given = {(x, y) for x, y in product(range(self.variant.files), allowed)}
            else:
                ranks = (rank for rank in depth if rank == 1 or man not in home)
                given = set(product(range(self.variant.files), (rank - 1 for rank in ranks)))
            given -= man.stuck if self.keeps_moving else set()
            if given != wanted:
                there = f"{len(given)} squares, not {len(wanted)}"
                self._lose(man.code, f"there it may be dropped on {there}")

    def _drop_conditions(self, man: Man) -> None:
        kind = man.kind
        if kind.drop_check != "free":
            self._lose(kind.code, "there its drop may give check or not")
        if kind.drop_mate == "barred":
            if self.settings.get("shogiPawn") == self.letters[kind.code]:
                self.settings["shogiPawnDropMateIllegal"] = "true"
            else:
                self._lose(kind.code, "there its drop may give mate")
        if kind.per_file and "move" in kind.per_file_on:
            self._lose(kind.code, "there its moves, unlike drops, keep to no limit on a file")
        if kind.per_file and "dropNoDoubled" in self.settings:
            self._lose(kind.code, "there only one kind can be limited on a file")
        elif kind.per_file:
            self.settings["dropNoDoubled"] = self.letters[kind.code]
            self.settings["dropNoDoubledCount"] = str(kind.per_file)

    # Words of the file

    def _region(self, ranks: Iterable[int], side: int) -> str:
        """Ranks, counted from their owner, as a region."""
        top = self.variant.ranks + 1
        return " ".join(f"*{top - rank if side else rank}" for rank in ranks) or "-"

    def _squares(self, area: Area, side: int) -> str:
        """The squares of an area of one side, as a region."""
        if not isinstance(area, str):
            return self._region(range(area[0], min(area[1], self.variant.ranks) + 1), side)
        return region_of(self.variant.squares(area, side))

    def _rest(self) -> None:
        """What settings say by themselves, and whatever has no counterpart."""
        for name, _ in unwritten(self.rules, Rules, known_to(DIALECT)):
            rule = name.replace("_", "-")
            if setting := setting_for(rule, self.rules):
                self.settings |= setting
            else:
                self._lose_unsaid(rule, name)
        for man in self._there():
            for name, _ in unwritten(man.kind, Kind, WRITTEN):
                self._lose_unsaid(man.code, name)

    def _effects(self) -> None:
        """What captures and moves do besides, who passes, and who counts pieces in the end."""
        found = Effects(self.variant, self.men, self.letters, self.keys)
        self.settings |= found.settings
        self.rights += found.rights
        for what, message in found.losses:
            self._lose(what, message)
        words = words_of_game(
            self.variant,
            self.men,
            self.settings,
            castles=self.settings.get("castlingRookPieces", "-") != "-",
            own_forms=self.settings["promotedPieceType"] != "-",
        )
        for each in clashes(words):
            if each.rule:
                self._lose(each.rule, each.there)

    def _lose_unsaid(self, what: str, name: str) -> None:
        self._lose(what, LOST.get(name, f"there is nothing like {name.replace('_', '-')} there"))

    def _mobility(self) -> None:
        """Where pieces may stand, and how many there may be by promotion."""
        limits = []
        for man in self._there():
            kind, key = man.kind, self.keys.get(man.code, "")
            if key and (kind.within or kind.outside):
                for side, name in enumerate(SIDES):
                    squares = self.variant.squares(kind.within or (1, self.variant.ranks), side)
                    if kind.outside:
                        squares -= self.variant.squares(kind.outside, side)
                    region = f"mobilityRegion{name}{key[0].upper()}{key[1:]}"
                    self.settings[region] = region_of(squares)
            elif kind.within or kind.outside:
                self._lose(man.code, "there it may go everywhere")
            if kind.per_side:
                limits.append(f"{self.letters[man.code]}:{kind.per_side}")
        if limits:
            self.settings["promotionLimit"] = " ".join(limits)

    def _rank_of(self, square: Square, side: int) -> int:
        """The rank of a square, from 1, as its owner counts."""
        return self.variant.ranks - square[1] if side else square[1] + 1

    def _all(self, codes: Iterable[str]) -> str:
        return "".join(dict.fromkeys(self.letters[code] for code in codes)) or "-"

    def _fen(self) -> str:
        """The set-up as the program reads it."""
        variant = self.variant
        size = variant.files * variant.ranks
        board = dict.fromkeys(variant.walls, "*")
        board |= {each.square: self._letter(each.code, each.side) for each in variant.setup}
        held = (
            self._letter(code, side) * count
            for side, hand in enumerate(variant.hands)
            for code, count in hand
        )
        hands = "".join(held)
        if self.rules.drops == "free":
            (code, *_) = self.men
            hands = "".join(self._letter(code, side) * size for side in (0, 1))
        hands = hands.replace(LEFT_OUT, "")
        hands = f"[{hands}]" if hands or self.rules.drops != "no" else ""
        rights = "".join(sorted({*self.rights})) or "-"
        times = next((way.times for way in self.rules.win if way.how == "checks"), 0)
        checks = f" {times}+{times}" if times else ""
        placed = board_in_fen(board, variant.files, variant.ranks)
        return f"{placed}{hands} w {rights} -{checks} 0 1"

    def _letter(self, code: str, side: int) -> str:
        letter = self.letters[code] or LEFT_OUT
        return letter if side else letter.upper()

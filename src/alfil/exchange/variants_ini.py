"""A game as a section of `variants.ini`, the file in which Fairy-Stockfish is told variants.

What the program does with a line was measured by its Python build 0.0.90. A rule that it lacks is a
loss, which is named with its consequence. Names, the length of a match, what illegal moves cost and
what players agree on are no rules to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product, starmap
from string import ascii_lowercase

from alfil.api import Piece, as_piece, check_for, destinations, moves, same, translate
from alfil.errors import AlfilError, Finding, refuse
from alfil.exchange import Export, unwritten
from alfil.exchange.ini import COUNTED, sorts
from alfil.game.natures import Nature, natures
from alfil.game.variant import ZONE, Area, Extinction, Kind, Rules, Variant
from alfil.library.library import Library
from alfil.movement.nodes import Castling, OnMove
from alfil.source import Span
from alfil.squares import Square, square_name

PROGRAM = "Fairy-Stockfish"
DIALECT = "fairy-stockfish"
FILES, RANKS, CUSTOM_PIECES = 12, 10, 25
# A pawn and a king are more than their moves there; these move otherwise on some squares.
ELSEWHERE = frozenset({"pawn", "king", "soldier", "janggiCannon", "immobile"})
PAWN = "fmWfceFifmnD"
# What else this module writes, and what is no rule to the program. Whatever is in neither, and is
# not as it would be unsaid, is a loss.
OF_RULES = re.findall(
    r"\S+",
    """first captured captured_form drops drop_form zone promotion_when royal_lost self_check win
    goal extinction stalemate move_limit repetition perpetual_check perpetual_span illegal_move
    impasse impasse_needs match match_draw match_first look""",
)
OF_KINDS = re.findall(
    r"\S+",
    """code name piece letter base royal promotes promotion drop_ranks drop_check drop_mate per_file
    per_side per_file_on status note kanji symbol within outside""",
)
# Settings that are a rule only with others.
TOGETHER = frozenset({"blastOnCapture", "wallingRule", "flipEnclosedPieces"})
LOST = {
    "explosion": "there captures explode nothing",
    "wall": "there no walls are built",
    "flip": "there no pieces change sides",
    "goal_wins": "there a goal wins at once",
    "countdown": "there nobody counts down",
    "draw_odds": "there a draw is a draw",
    "blast": "there explosions take all pieces alike",
    "petrifies": "there it stays a piece when it captures",
    "immune_to": "there every piece can capture it",
    "drop_in": "there it is dropped everywhere",
    "promotes_in": "there it promotes in the zone of the game",
    "further": "there it has no moves that hold on some squares only",
}


def exported(library: Library) -> Export:
    """A game as a section of `variants.ini`, its losses being comments there.

    Raises `AlfilError` for a file that is no game with a set-up, and of kind "board-size" for a
    board larger than 12×10.
    """
    library.require_setup()
    if library.files > FILES or library.ranks > RANKS:
        message = f"{PROGRAM} has boards of up to {FILES}×{RANKS}"
        refuse(AlfilError, "board-size", message, f"{library.files}x{library.ranks}")
    return _Section(library).export()


@cache
def named() -> Mapping[str, str]:
    """The pieces that the program knows by name, each with how it moves everywhere."""
    rows = (row for row in sorts().values() if row.value == "letter" and row.says)
    return {row.name: row.says for row in rows if row.name not in ELSEWHERE}


@cache
def said() -> Mapping[tuple[str, str], tuple[str, str]]:
    """The rules that a setting says by itself, with the setting and its value."""
    return {
        (rule.replace("-", "_"), word): (row.name, value)
        for row in sorts().values()
        for value, (rule, word) in row.rules.items()
        if row.name not in TOGETHER
    }


@dataclass(frozen=True)
class _Man:
    """A kind of piece: what a game and what its movement say of it.

    ``castlings`` and facts are taken out of ``piece``. ``reach`` are the squares that it may go to
    on an empty board, by the square it stands on, as the first side sees them.
    """

    kind: Kind
    nature: Nature
    piece: Piece
    castlings: tuple[Castling, ...]
    reach: Mapping[Square, frozenset[Square]]

    @property
    def code(self) -> str:
        return self.kind.code

    @property
    def forms(self) -> tuple[str, ...]:
        """The codes it may promote to."""
        return self.nature.promotion.codes

    @cached_property
    def stuck(self) -> frozenset[Square]:
        """The squares from which it could never move again."""
        return frozenset(square for square, targets in self.reach.items() if not targets)

    def is_like(self, betza: str) -> bool:
        """Whether it moves as a text says."""
        return same(self.piece, betza, facts=False)


def _men(library: Library) -> dict[str, _Man]:
    """All kinds of a game, by code."""
    variant = library.variant
    squares = list(product(range(variant.files), range(variant.ranks)))
    nature = natures(variant)
    found = {}
    for kind in variant.kinds:
        movement = library[kind.code].piece.movement
        ways = [each.way for each in movement.options]
        castlings = tuple(way for way in ways if isinstance(way, Castling))
        kept = tuple(each for each in movement.options if not isinstance(each.way, Castling))
        plain = as_piece(replace(movement, options=kept, facts=()))
        reach = {at: _reached(plain, variant, at) for at in squares}
        found[kind.code] = _Man(kind, nature[kind.code], plain, castlings, reach)
    return found


def _reached(piece: Piece, variant: Variant, at: Square) -> frozenset[Square]:
    """The squares that a piece may go to from one, on an empty board."""
    found = moves(piece, files=variant.files, ranks=variant.ranks, at=at)
    return frozenset((at[0] + move.to[0], at[1] + move.to[1]) for move in found)


class _Section:
    """The lines of a section as they come about, and what is lost."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.variant = library.variant
        self.rules = library.rules
        self.men = _men(library)
        self.letters = self._letters()
        self.settings: dict[str, str] = {}
        self.losses: list[Finding] = []
        self.rights = ""
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
        self._rest()
        variant = self.variant
        name = "alfil_" + re.sub(r"[^a-z0-9]+", "_", variant.name.lower())
        losses = [f"# lost: {loss.message}" for loss in self.losses]
        head = [f"[{name}]", *losses, f"maxFile = {variant.files}", f"maxRank = {variant.ranks}"]
        lines = [f"{key} = {value}" for key, value in self.settings.items()]
        text = "\n".join([*head, f"startFen = {self._fen()}", *lines]) + "\n"
        return Export(name, text, self.letters, tuple(self.losses))

    def _lose(self, what: str, message: str) -> None:
        """Note a loss, at the line of a piece or rule."""
        entry = self.library.get(what)
        source = self.library.source
        span = Span(0, 1)
        if entry and entry.source == source:
            span = entry.span
        elif line := re.search(rf"^rule\s+{what}\b.*$", source.text, re.MULTILINE):
            span = Span(*line.span())
        self.losses.append(Finding("export-loss", f"{what}: {message}", (span,)))

    # Pieces

    def _letters(self) -> dict[str, str]:
        """A letter for each kind: its own where it is free; "" where there are no more.

        A promoted form that moves as a kind of the start shares its letter: there, it is that kind
        and remembers what it was.
        """
        found: dict[str, str] = {}
        plain = [man for man in self.men.values() if man.kind.base == man.code]
        for man in plain:
            own = man.kind.letter.lower()
            if len(own) == 1 and own in ascii_lowercase and own not in found.values():
                found[man.code] = own
        for man in self.men.values():
            if man.code in found:
                continue
            twin = next((each for each in plain if self._are_twins(man, each, found)), None)
            free = next((each for each in ascii_lowercase if each not in found.values()), "")
            found[man.code] = found[twin.code] if twin else free
            if not found[man.code]:
                self._lose(man.code, f"it is left out: {PROGRAM} has 26 letters for pieces")
        return found

    def _are_twins(self, form: _Man, other: _Man, letters: dict[str, str]) -> bool:
        """Whether a promoted form can be the kind that another one is."""
        alike = form.kind.meaning.parts == other.kind.meaning.parts
        said = (form.forms, form.nature.survive, form.kind.per_file)
        return (
            form.kind.base != form.code
            and other.code in letters
            and self.rules.captured_form == "base"
            and self.rules.drop_form == "base"
            and alike
            and said == (other.forms, other.nature.survive, other.kind.per_file)
        )

    def _pieces(self) -> None:
        """The line of each piece."""
        custom, written = 0, set[str]()
        for man in self.men.values():
            letter = self.letters[man.code]
            if not letter or letter in written:
                continue
            written.add(letter)
            self._check_nature(man)
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
            elif text is not None:
                self.settings[f"customPiece{custom}"] = f"{letter}:{text}"
                self.keys[man.code] = f"customPiece{custom}"

    def _check_nature(self, man: _Man) -> None:
        """What the program has not of what a piece is besides its moves."""
        if man.nature.barred:
            self._lose(man.code, "it can be captured by every piece there")
        if man.nature.effects:
            self._lose(man.code, "there it does nothing to what is in its range")

    def _name(self, man: _Man) -> str:
        """The name that the program has for a piece, and that no other one here has."""
        names = {"king": "K"} if man.code in self._kings else {"pawn": PAWN, **named()}
        free = (name for name in names if name not in self.settings)
        return next((name for name in free if man.is_like(names[name])), "")

    def _betza(self, man: _Man) -> str | None:
        """The text that makes the program move a piece so; None, and a loss, if there is none."""
        try:
            text = translate(man.piece, write=DIALECT).text
        except AlfilError as error:
            for each in error.findings:
                self._lose(man.code, f"it is left out: {each.message}")
            return None
        theirs = check_for(text, DIALECT).theirs
        if theirs is None or not same(man.piece, theirs, facts=False):
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
        letters = "".join(self.letters[man.code] for man in royals)
        if self._kings:
            return
        any_lost = royals[0].nature.survive == "any"
        if any_lost and len(royals) == 1 and len(number) == 1:
            self.settings["extinctionPieceCount"] = str(max(number) - 1)
        elif any_lost and number != {1}:
            self._lose("royal-lost", "there the last royal piece of a kind must be lost")
        elif not any_lost and len(royals) > 1:
            self._lose("royal-lost", "there one kind of royal pieces must be lost, not all")
        self.settings["extinctionValue"] = "loss"
        self.settings["extinctionPieceTypes"] = letters
        self.settings["extinctionPseudoRoyal"] = _yes(not allowed)

    @cached_property
    def _kings(self) -> tuple[str, ...]:
        """The code of the king, where both sides have one that must not be left in check."""
        codes = [man.code for man in self.royals]
        begin = [kind.code for side in (0, 1) for kind in self._begin(side) if kind.code in codes]
        single = len(codes) == 1 and len(begin) == 2  # noqa: PLR2004 - one of each side
        return tuple(codes) if single and self.rules.self_check == "barred" else ()

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
        if not {"mate", "royal-capture"} & ways.keys():
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
                self._lose("goal", "there it counts also where the piece could be captured at once")
        self._repetition()
        self._limit()

    def _limit(self) -> None:
        """How many moves without a capture draw."""
        limit = self.rules.move_limit
        self.settings["nMoveRule"] = str(limit.moves) if limit else "0"
        if limit:
            self.settings["nMoveRuleTypes"] = self._all(limit.codes)

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
        settings["nFoldValueAbsolute"] = _yes(result == "loss-first")
        settings["perpetualCheckIllegal"] = _yes(rules.perpetual_check == "loss")
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
        zone = self.variant.ranks if everywhere else self.rules.zone
        for man in promoting:
            self._check_promotion(man, pawn=man in pawns)
        depth = range(self.variant.ranks - zone + 1, self.variant.ranks + 1)
        settings["promotionRegionWhite"] = self._region(depth, 0)
        settings["promotionRegionBlack"] = self._region(depth, 1)
        settings["promotionPawnTypes"] = self._all(man.code for man in pawns)
        settings["promotionPieceTypes"] = self._all(pawns[0].forms if pawns else ())
        settings["mandatoryPawnPromotion"] = self._mandatory(pawns)
        pairs = (f"{self.letters[man.code]}:{self.letters[man.forms[0]]}" for man in generals)
        settings["promotedPieceType"] = " ".join(pairs) or "-"
        settings["mandatoryPiecePromotion"] = self._mandatory(generals)
        if any(set(man.forms) != set(pawns[0].forms) for man in pawns):
            self._lose("promotion-when", "there all pawns promote to the same pieces")
        if self.rules.promotion_when == "captures":
            settings["piecePromotionOnCapture"] = "true"

    def _as_pawn(self, man: _Man) -> bool:
        """Whether it promotes where its move ends, and not also where it began."""
        single = len(man.forms) == 1
        return not single or (
            self.rules.promotion_when == "ends" and not self._ends_is_touches(man)
        )

    def _ends_is_touches(self, man: _Man) -> bool:
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

    def _check_promotion(self, man: _Man, *, pawn: bool) -> None:
        rules, promotion = self.rules, man.nature.promotion
        if pawn and rules.promotion_when != "ends":
            self._lose(man.code, "there it promotes only where its move ends in the zone")
        if promotion.by is not None:
            self._lose(man.code, "there it promotes by where it goes, not by how")
        if promotion.by is not None:
            self._lose(man.code, "there it promotes by where it goes, not by how")
        if promotion.from_rank not in {0, self.variant.ranks + 1 - rules.zone}:
            self._lose(man.code, "there it promotes in the zone of the game")
        if rules.captured == "to-hand" and rules.captured_form == "base":
            for form in promotion.codes:
                if self.men[form].kind.base != man.code:
                    self._lose(man.code, f"there a captured {form} turns back to {man.code}")

    def _mandatory(self, men: Collection[_Man]) -> str:
        """Whether promotion is forced; for some of them only is a loss."""
        modes = {man.nature.promotion.mode == "forced" for man in men}
        if len(modes) > 1:
            for man in men:
                if man.nature.promotion.mode == "forced":
                    self._lose(man.code, "there it need not promote, as others need not")
        return _yes(modes == {True})

    # Castling and double steps

    def _castling(self) -> None:
        """Castling, and the squares from which pieces go farther the first time."""
        castling = [man for man in self.men.values() if man.castlings]
        self.settings["castling"] = _yes(bool(castling))
        for number, man in enumerate(castling):
            if number or man.code not in self._kings:
                self._lose(man.code, "only the king castles there")
            else:
                self._castles(man)
        first = [
            man
            for man in self.men.values()
            if any(each.when for each in man.piece.movement.options)
        ]
        pawn = next((man for man in first if man.is_like(PAWN)), None)
        self.settings["doubleStep"] = _yes(bool(first))
        self.settings["pawnTypes"] = "-"
        if pawn:
            self.settings["enPassantTypes"] = self.letters[pawn.code]
        for side, name in enumerate(("White", "Black")):
            squares = {
                each.square
                for each in self.variant.setup
                if each.side == side and self.men[each.code] in first
            }
            self.settings[f"doubleStepRegion{name}"] = (
                " ".join(starmap(square_name, sorted(squares))) or "-"
            )
        for man in first:
            self._check_first(man)

    def _castles(self, king: _Man) -> None:
        """Where king and partners stand and go to; the partners are what stands in the corners."""
        stands = {each.square: each for each in self.variant.setup}
        homes = {each.square for each in self.variant.setup if each.code == king.code}
        file, rank = min(homes, default=(0, 1))
        if rank or homes != {(file, 0), (file, self.variant.ranks - 1)}:
            self._lose(king.code, "there it castles only on a file and the ends of it")
            return
        partners: set[str] = set()
        for way in king.castlings:
            for right, _ in way.steps:
                corner = self.variant.files - 1 - way.inset if right > 0 else way.inset
                ends = [stands.get((corner, each)) for _, each in sorted(homes)]
                if abs(corner - file) <= way.squares or None in ends:
                    continue
                partners |= {each.code for each in ends if each}
                wing = "King" if right > 0 else "Queen"
                self.rights += wing[0]
                self.settings[f"castling{wing}sideFile"] = ascii_lowercase[
                    file + right * way.squares
                ]
                self.settings[f"castlingRook{wing}sideFile"] = ascii_lowercase[corner]
        self.settings["castlingKingFile"] = ascii_lowercase[file]
        self.settings["castlingRookPieces"] = self._all(sorted(partners))

    def _check_first(self, man: _Man) -> None:
        """A first move is one from certain squares there, whoever comes to them."""
        conditions = [when for each in man.piece.movement.options for when in each.when]
        if any(not isinstance(when, OnMove) or when.number > 1 for when in conditions):
            self._lose(man.code, "there only its first move may differ from others")
        ranks = {
            self._rank_of(each.square, each.side)
            for each in self.variant.setup
            if each.code == man.code
        }
        back = any(y <= 0 for _, y in destinations(man.piece, unmoved=False))
        if len(ranks) > 1 or back:
            self._lose(man.code, "there it has its first move on any square where one of it began")

    # Drops

    def _may_be_dropped(self, man: _Man) -> bool:
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
        settings["capturesToHand"] = _yes(rules.captured == "to-hand")
        settings["dropLoop"] = _yes(rules.captured_form == "as-is")
        settings["dropPromoted"] = _yes(rules.drop_form == "either")
        dropped = [man for man in self.men.values() if self._may_be_dropped(man)]
        self._drop_ranks(dropped)
        for man in dropped:
            self._drop_conditions(man)

    def _immobility(self) -> None:
        """Whether pieces may come to squares that they can never leave: one rule for all."""
        men = self.men.values()
        choosing = [man for man in men if man.nature.promotion.mode == "stuck" and man.forms]
        walking = [man for man in men if man not in choosing and self._gets_stuck(man)]
        dropped = [man for man in men if man.stuck and self._may_be_dropped(man)]
        barred = [man for man in dropped if man.stuck.isdisjoint(self._drop_squares(man))]
        self.keeps_moving = bool(choosing or (barred and not walking))
        self.settings["immobilityIllegal"] = _yes(self.keeps_moving)
        if not self.keeps_moving:
            return
        for man in walking:
            self._lose(man.code, "there it may not go where it could never move again")

    def _gets_stuck(self, man: _Man) -> bool:
        """Whether its own moves, promotion aside, can bring it where it is stuck."""
        if man.nature.promotion.mode == "forced" and man.forms:
            return False
        return not man.stuck.isdisjoint(frozenset().union(*man.reach.values()))

    def _drop_squares(self, man: _Man) -> set[Square]:
        """Where it may be dropped, as the first side sees the board."""
        first, last = man.kind.drop_ranks or (1, 0)
        ranks = range(first - 1, min(last, self.variant.ranks))
        return set(product(range(self.variant.files), ranks))

    def _drop_ranks(self, dropped: Sequence[_Man]) -> None:
        """One region for all, and squares that pieces could never leave; else it is a loss."""
        regions = {man.kind.drop_ranks for man in dropped}
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
                self.settings["firstRankPawnDrops"] = _yes(bool(begin))
                self.settings["promotionZonePawnDrops"] = _yes(bool(end))
                allowed = set(range(self.variant.ranks))
                allowed -= set() if begin else {0}
                allowed -= set() if end else set(zone)
                given = {(x, y) for x, y in product(range(self.variant.files), allowed)}
            else:
                given = set(product(range(self.variant.files), (rank - 1 for rank in depth)))
            given -= man.stuck if self.keeps_moving else set()
            if given != wanted:
                self._lose(
                    man.code, f"there it may be dropped on {len(given)} squares, not {len(wanted)}"
                )

    def _drop_conditions(self, man: _Man) -> None:
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
        squares = sorted(self.variant.squares(area, side))
        return " ".join(square_name(*each) for each in squares) or "-"

    def _rest(self) -> None:
        """What settings say by themselves, and whatever has no counterpart."""
        for name, value in unwritten(self.rules, Rules, OF_RULES):
            if (name, value) in said():
                setting, word = said()[name, value]
                self.settings[setting] = word
            else:
                self._lose_unsaid(name.replace("_", "-"), name)
        for man in self.men.values():
            for name, _ in unwritten(man.kind, Kind, OF_KINDS):
                self._lose_unsaid(man.code, name)
        if any(each.name == ZONE for each in self.variant.regions):
            self._lose(ZONE, "there the promotion zone has whole ranks")
        if self.variant.walls:
            self._lose("board", "there the board has no holes")

    def _lose_unsaid(self, what: str, name: str) -> None:
        self._lose(what, LOST.get(name, f"there is nothing like {name.replace('_', '-')} there"))

    def _mobility(self) -> None:
        """Where pieces may stand, and how many there may be by promotion."""
        limits = []
        for man in self.men.values():
            kind, key = man.kind, self.keys.get(man.code, "")
            if key and (kind.within or kind.outside):
                for side, name in enumerate(("White", "Black")):
                    squares = self.variant.squares(kind.within or (1, self.variant.ranks), side)
                    if kind.outside:
                        squares -= self.variant.squares(kind.outside, side)
                    region = " ".join(square_name(*each) for each in sorted(squares))
                    self.settings[f"mobilityRegion{name}{key[0].upper()}{key[1:]}"] = region or "-"
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
        board = {each.square: self._letter(each.code, each.side) for each in variant.setup}
        rows = []
        for rank in reversed(range(variant.ranks)):
            row = "".join(board.get((file, rank), " ") for file in range(variant.files))
            rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
        held = (
            self._letter(code, side) * count
            for side, hand in enumerate(variant.hands)
            for code, count in hand
        )
        hands = f"[{''.join(held)}]" if self.rules.drops == "yes" else ""
        rights = "".join(sorted(self.rights)) + "".join(sorted(self.rights.lower())) or "-"
        times = next((way.times for way in self.rules.win if way.how == "checks"), 0)
        checks = f" {times}+{times}" if times else ""
        return f"{'/'.join(rows)}{hands} w {rights} -{checks} 0 1"

    def _letter(self, code: str, side: int) -> str:
        return self.letters[code] if side else self.letters[code].upper()


def _yes(holds: bool) -> str:  # noqa: FBT001 - it is the value that is written
    return str(holds).lower()

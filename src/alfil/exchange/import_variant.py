"""A variant of a `variants.ini` as a piece file, with its losses.

What Fairy-Stockfish does with a setting was found out by asking it; tests/test_import.py goes on
asking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from string import ascii_lowercase
from typing import NamedTuple, NoReturn

from alfil.errors import AlfilError, Diagnostic, reject, reject_unknown_name, require_type
from alfil.exchange import OnLoss
from alfil.exchange.fs_pieces import fs_pieces
from alfil.exchange.import_pieces import CAMBODIAN, ImportedPiece, ImportedPieces, starting_position
from alfil.exchange.ini import (
    COUNT_VALUES,
    COUNTDOWNS,
    FROM_PIECES,
    MATING,
    NEVER_MATING,
    OF_CHECKS,
    PIECES,
    POINTS,
    WORDS,
    Reader,
    Section,
    make_diagnostic,
    setting_types,
    templates,
)
from alfil.exchange.regional_moves import is_reversible
from alfil.exchange.resolved_variant import ALL, SIDES, Area, ResolvedVariant, resolve
from alfil.exchange.rule_conflicts import conflicts, features_of_game
from alfil.game.variant import OPENING, WALLS, ZONE
from alfil.library.file_report import check_file
from alfil.library.files import SUFFIX, FileLocation
from alfil.library.formatter import format_file
from alfil.library.library import Library
from alfil.source import Source, Span, plain
from alfil.squares import Square

PIECE_LETTER = re.compile(r"(?<=[a-z])(?=[A-Z])")
BARE_KING = ("loss", "1", "2")


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
    return tuple(Reader(plain(text, "<variants>")).sections)


def import_ini(text: str, name: str, *, on_loss: OnLoss = "strict") -> Import:
    """A variant of a `variants.ini`, or one that Fairy-Stockfish has built in, as a piece file.

    Raises `ImportLoss` with every setting that a piece file has nothing for, unless ``on_loss`` is
    "lossy": then the losses are comments in the text. Raises `AlfilError` of kind "unknown-variant"
    for a name that is in neither, "import-refused" where what remains is no game, and what is wrong
    with pieces of it.

    >>> make_diagnostic = import_ini("[mine:gardner]\\nmustCapture = true\\n", "mine")
    >>> print(*make_diagnostic.text.splitlines()[5:9], sep="\\n")
    rule  first = white
    rule  must-capture = yes
    rule  move-limit = 50 P
    rule  repetition = 3 draw
    """
    require_type(text, str, "variants are a text")
    return import_section(plain(text, "<variants>"), name, on_loss)


def import_section(source: Source, name: str, on_loss: OnLoss) -> Import:
    """The same of a file that was read."""
    reader = Reader(source)
    known = reader.sections
    section = known.get(name) or templates().get(name)
    if section is None:
        reject_unknown_name("unknown-variant", name, [*known, *templates()], 0.6)
    if section.has_unknown_parent:
        here = section.span.end + len(":")
        raise AlfilError([e for e in reader.diagnostics if e.spans[0].start == here], source)
    result = _ImportedFile(section, source if name in known else None).import_file()
    if result.losses and on_loss == "strict":
        raise ImportLoss(result.losses, source)
    return result


def file_name(name: str) -> str:
    """The name of the file for a variant, which is in no other folder, whatever the name.

    >>> file_name("4x5chess"), file_name("../chess")
    ('4x5chess.pieces', '.._chess.pieces')
    """
    return re.sub(r"[^\w.+-]", "_", name) + SUFFIX


class _ImportedFile:
    """The lines of a piece file under construction, and the losses."""

    def __init__(self, section: Section, source: Source | None) -> None:
        self.section, self.source = section, source
        self.variant: ResolvedVariant = resolve(section)
        self.begin = starting_position(self.variant)
        self.pieces = ImportedPieces(self.variant, self.begin)
        self.losses: list[Diagnostic] = []
        self.rules: dict[str, str] = {"first": "white"}
        self.regions: dict[tuple[frozenset[Square], frozenset[Square]], str] = {}
        self.lines: list[str] = []
        self.said: set[str] = set()

    def import_file(self) -> Import:
        """The whole file."""
        self._unsupported_settings()
        self._table_rules()
        self._royal_rules()
        begin = len(self.losses)
        self._combined_settings()
        for rule in OF_CHECKS if self._kingless() else ():
            self.rules.pop(rule, None)
        self._pass_rules()
        self._ending_rules()
        self._promotion_rules()
        if any(map(self._ep_square_in_zone, (0, 1))):
            self._add_loss("promotionRegion", "a capture en passant into the zone promotes")
        if any(map(self.pieces.promotes_while_passing, (0, 1))):
            here = "what promotes with a double step may be captured en passant"
            self._add_loss("promotionRegion", here)
        self._drop_rules()
        pieces = [*self._piece_lines()]
        further = [*self._regional_move_lines()]
        means = self.variant
        head = [f'game "{self.section.name}"', f"board {means.files}x{means.ranks}"]
        goal_pieces = self.regions.items()
        regions = [line for area, name in goal_pieces for line in self.pieces.region(area, name)]
        rules = [f"rule {name} = {value}" for name, value in self.rules.items()]
        shown = self._shows_hands() and self.rules.get("drops") != "free"
        setup = self.pieces.setup(hands_shown=shown)
        blocks = [head, self.lines, regions, rules, [*pieces, *further], setup]
        self._clashes(self._formatted(_file_of(blocks)), begin)
        losses = [f"# lost: {loss.message}" for loss in self.losses]
        place = self._place_of(_file_of([[*losses, *head], *blocks[1:]]))
        return Import(self.section.name, format_file(place), tuple(self.losses))

    def _shows_hands(self) -> bool:
        """Whether what is in hand ever comes to the board."""
        return self.variant.is_true("pieceDrops") or self.variant.is_true("seirawanGating")

    def _place_of(self, text: str) -> FileLocation:
        name = self.section.name
        return FileLocation(name, Source(text, f"{name}.pieces"), "text")

    def _formatted(self, text: str) -> Library:
        """The game that the text is; it must be one."""
        report = check_file(self._place_of(text))
        first = next((each for each in report.diagnostics if each.severity == "error"), None)
        if first or not report.library:
            why = first.message if first else "it is empty"
            self._reject(f"{self.section.name} is no game here: {why}")
        return report.library

    def _clashes(self, library: Library, begin: int) -> None:
        """What is lost of settings that mean something else together, before other losses."""
        pieces, later = self.pieces, self.losses[begin:]
        self.losses = self.losses[:begin]
        words = features_of_game(
            library.variant,
            fs_pieces(library),
            {piece.key for piece in pieces.kinds},
            castles=pieces.has_castling,
            own_forms=bool(pieces.shogi),
            keeps_moving=self.variant.is_true("immobilityIllegal"),
        )
        self._half_read()
        for each in conflicts(words):
            if each.setting:
                self._add_loss(each.setting, each.alfil_behaviour)
        self.losses += [loss for loss in later if loss not in self.losses]

    def _add_loss(self, key: str, message: str) -> None:
        """Add a loss, at the line of a setting."""
        at, span = self.variant.settings.get(key), self._setting_span(key)
        value = at.value if at else self.variant.values.get(key, "")
        setting_text = f"{key} = {value}" if value else key
        loss = make_diagnostic("import-loss", span, setting=setting_text, loss=message)
        if loss not in self.losses:
            self.losses.append(loss)

    def _setting_span(self, key: str) -> Span:
        """Where a setting stands in the user's file, else the name of the section."""
        at = self.variant.settings.get(key)
        if self.source and at and self.source.text[slice(*at.span)] == at.key:
            return at.span
        return self.section.span if self.source else Span(0, 0)

    def _reject(self, message: str, key: str = "") -> NoReturn:
        """Say why there is no game, at a setting or the section."""
        source = self.source or Source(self.section.name, "<variant>")
        reject(AlfilError, "import-refused", message, source, self._setting_span(key))

    # Rules that are a setting each

    def _unsupported_settings(self) -> None:
        """Settings without any counterpart."""
        means = self.variant
        for sort in setting_types().values():
            if not sort.otherwise_meaning or sort.replaced_by:
                continue
            base = next((sort.name.removesuffix(side) for side in SIDES), sort.name)
            value = means.values.get(sort.name, sort.default)
            if sort.value == "squares":
                side = int(sort.name.endswith("Black"))
                value = "given" if means.areas[sort.name.removesuffix(SIDES[side])][side] else ""
            elif sort.value == "piece":
                value = " ".join(sorted(means.types[base][0]))
            if value not in {sort.default, *sort.rules}:
                self._add_loss(sort.name, sort.otherwise_meaning)
        self._start_losses()

    def _start_losses(self) -> None:
        """Losses of the starting position."""
        if self.begin.is_rotated and self.pieces.keeps_base:
            self._add_loss(
                "startFen", "what is marked there as promoted with ~ is captured as it is"
            )
        if any(self.begin.hands) and not self._shows_hands():
            self._add_loss("startFen", "nobody has anything in hand, where nothing is dropped")
        if any(each.square not in self.pieces.board for each in self.begin.pieces):
            self._add_loss("startFen", "pieces beside the board are left out")
        if self.begin.second_moves:
            self._add_loss("startFen", "the first player moves first")
        if self.begin.unknown:
            letters = " ".join(dict.fromkeys(self.begin.unknown))
            self._reject(f"{self.section.name}: no piece has the letter {letters}", "startFen")

    def _table_rules(self) -> None:
        """The rules that the table of settings says by itself."""
        for sort in setting_types().values():
            rules = sort.rules
            if rules and (rule_pairs := rules.get(self.variant.values[sort.name])):
                self.rules[rule_pairs[0]] = rule_pairs[1]

    def _combined_settings(self) -> None:
        """Settings that make another rule together than each does alone."""
        means = self.variant
        stones = self.royal & means.types["petrifyOnCaptureTypes"][0]
        if stones and "king" in self.royal:
            here = "a royal piece may not turn to stone, and gives no check with such a capture"
            self._add_loss("petrifyOnCaptureTypes", here)
        if self._petrified_with_duck():
            self._add_loss("petrifyOnCaptureTypes", "beside a duck nothing turns to stone")
        castling = means.is_true("castling") and {*self.begin.rights} & {*"KQkq"}
        kings = [means.types["castlingKingPiece"][side] for side in (0, 1)]
        if castling and "king" in self.royal and kings != [{"king"}] * 2:
            self._add_loss("castlingKingPiece", "a king castles only where it is said to")
        self._exclusive_settings()
        captures = any("c" in betza or "m" not in betza for betza in means.betza.values() if betza)
        if means.is_true("adjudicateFullBoard") and captures:
            self._add_loss(
                "adjudicateFullBoard", "a full board ends no game in which there are captures"
            )

    def _exclusive_settings(self) -> None:
        """Settings that there is nothing for beside some others."""
        means = self.variant
        if means.is_true("seirawanGating"):
            self._beside_gates()
        if means.values["chasingRule"] == "none":
            return
        if {piece.key for piece in self.pieces.kinds} - {"king", *POINTS["axf"]}:
            self._add_loss(
                "chasingRule", "other pieces than those of xiangqi are worth little in chases"
            )
        if means.values["materialCounting"] != "none":
            self._add_loss("chasingRule", "pieces are worth as much in chases as elsewhere")

    def _beside_gates(self) -> None:
        """Settings that do not go with pieces from the hand that are left behind."""
        means = self.variant
        if means.values["wallingRule"] != "none":
            self._add_loss("seirawanGating", "a move that builds a wall leaves no piece behind")
        if means.is_true("capturesToHand") and not self.pieces.to_hand:
            self._add_loss("capturesToHand", "a move leaves behind no piece that was captured")
        for key in means.settings:
            if key.startswith("dropRegion"):
                self._add_loss(key, "a move leaves pieces behind on any square")

    def _half_read(self) -> None:
        """Values that are none, of which the program takes the beginning."""
        for key, setting in self.variant.settings.items():
            sort = setting_types().get(key)
            if sort is None or sort.value in {*WORDS, *PIECES} or sort.accepts(setting.value):
                continue
            if sort.accepts_beginning(setting.value):
                self._add_loss(key, "none of this value counts, and there its beginning does")

    # Royal pieces, and what ends the game

    def _royal_rules(self) -> None:
        """Which pieces are royal, and what it takes to lose them."""
        means, begin = self.variant, self.begin
        self.royal = {"king"} & {piece.key for piece in self.pieces.kinds}
        self._several_king_losses()
        value, types = means.values["extinctionValue"], means.types["extinctionPieceTypes"][0]
        # Without a value they are never taken, and must not be left in check all the same.
        pseudo = means.is_true("extinctionPseudoRoyal") and value in {"loss", "none"}
        if not types or (value == "none" and not pseudo):
            return
        if means.is_true("extinctionPseudoRoyal") and not pseudo:
            self._add_loss("extinctionPseudoRoyal", "a royal piece that is lost loses the game")
        needed = value != "none" and means.values["extinctionOpponentPieceCount"] == "0"
        if needed and types - {ALL, *(piece.key for piece in self.pieces.kinds)}:
            self._add_loss("extinctionPieceTypes", "nobody loses pieces that there never were")
        numbers = {
            begin.count(key, side) for key in types for side in self.pieces.owners.get(key, ())
        }
        left = int(means.values["extinctionPieceCount"])
        if pseudo:
            self.royal |= types
            self._pseudo_royal_losses(types, left)
            if left == 0 and (numbers != {1} or self._promotes_to(types)):
                self._royal_lost_rule(types)
        elif types == {"commoner"} and value == "loss" and self._is_capturable_king(numbers, left):
            self.royal |= types
            self.rules |= {"self-check": "allowed", "win": "royal-capture"}
            if left == 0 and numbers != {1}:
                self.rules["royal-lost"] = "all"
        else:
            self._extinction_rule(types, value, left)

    def _pseudo_royal_losses(self, types: frozenset[str], left: int) -> None:
        """Pieces that are royal there only where a side has few of them, and more than one."""
        begin, pieces = self.begin, self.pieces
        # Pawns of the other side may come to hand; royal pieces do not, as the game is over then.
        sides = (0, 1) if pieces.to_hand else ()
        for key, side in product(types if left else (), (0, 1)):
            most = begin.count(key, side)
            for other in pieces.owners:
                if key in {form.key for form in pieces.promotions(other, side)}:
                    most += sum(begin.count(other, each) for each in {side, *sides})
            if most > left + 1:
                here = "these pieces are royal however many a side has"
                self._add_loss("extinctionPseudoRoyal", here)

    def _several_king_losses(self) -> None:
        """Kings beside the first of a side, who never move there and are in no check."""
        here = "every king of a side moves, and may be in check"
        if any(self.begin.count("king", side) > 1 for side in (0, 1)):
            self._add_loss("startFen", here)
        if self._promotes_to(frozenset({"king"})):
            self._add_loss("promotionPieceTypes", here)

    def _promotes_to(self, types: frozenset[str]) -> bool:
        """Whether some piece promotes to one of these."""
        return any(
            piece.key in types
            for key, sides in self.pieces.owners.items()
            for side in sides
            for piece in self.pieces.promotions(key, side)
        )

    def _kingless(self) -> bool:
        """Whether there are royal pieces, but no king, who alone is in check there."""
        return bool(self.royal) and "king" not in self.royal

    def _pass_rules(self) -> None:
        """The rule of passing: a move of a royal, or the move of a side that has no other."""
        royal = [any(self.begin.count(key, side) for key in self.royal) for side in (0, 1)]
        for name, word, able in (
            ("pass", "allowed", royal),
            ("passOnStalemate", "stuck", [True, True]),
        ):
            values = self.variant.values
            passing = [values.get(f"{name}{side}", values[name]) == "true" for side in SIDES]
            if any(passing) and (passing == able or (all(passing) and any(able))):
                self.rules["passes"] = word
            if any(passing) and passing != able:
                here = "both sides may pass, or none" if all(able) else "only royal pieces pass"
                self._add_loss(name, here)
        if "passes" in self.rules and self.rules.get("self-check") == "allowed":
            self._add_loss("pass", "no side passes in check")

    def _royal_lost_rule(self, types: frozenset[str]) -> None:
        """Of several royal pieces the last one must be lost."""
        if len(types) > 1 or "king" in self.royal:
            self._add_loss("extinctionPieceTypes", "all royal pieces must be lost, or any of them")
        self.rules["royal-lost"] = "all"
        if self.variant.is_true("blastOnCapture"):
            here = "it counts whom of several royal pieces an explosion leaves"
            self._add_loss("blastOnCapture", here)

    def _is_capturable_king(self, numbers: set[int], left: int) -> bool:
        """Whether it is lost like a king that may be left in check."""
        means = self.variant
        promoted = self._promotes_to(frozenset({"commoner"}))
        alone = len(numbers) == 1 and left in {0, *(number - 1 for number in numbers)}
        return (
            alone
            and not promoted
            and "king" not in self.royal
            and means.values["extinctionOpponentPieceCount"] == "0"
        )

    def _extinction_rule(self, types: frozenset[str], value: str, left: int) -> None:
        """The result when a side has too few pieces of a type."""
        means = self.variant
        others = means.values["extinctionOpponentPieceCount"]
        if (value, str(left), others) == BARE_KING and types == {ALL} and self.royal:
            self.bare = True
            if means.is_true("extinctionClaim"):
                here = "a bare king loses at once, and cannot bare the other one in reply"
                self._add_loss("extinctionClaim", here)
            return
        if others != "0":
            self._add_loss(
                "extinctionOpponentPieceCount", "it does not matter what the other side has"
            )
        codes = [code for key in sorted(types - {ALL}) for code in self.pieces.codes_of(key)]
        what = "all" if ALL in types else ",".join(codes)
        if what:
            self.rules["extinction"] = f"{what}{f':{left}' if left else ''} {value}"

    bare = False

    def _ending_rules(self) -> None:
        means = self.variant
        wins = [self.rules["win"]] if "win" in self.rules else ["mate"] if self.royal else []
        if means.is_true("checkCounting") and not self._kingless():
            wins.append(f"checks:{self.begin.checks}")
        if self.bare:
            wins.append("bare")
        if self._goal_rule():
            wins.append("goal")
        if wins and wins != ["mate"]:
            self.rules["win"] = ",".join(wins)
        self._stalemate_rule()
        if means.values["nMoveRule"] != "0":
            types = means.types["nMoveRuleTypes"][0] | means.types["nMoveRuleTypes"][1]
            codes = [code for key in sorted(types) for code in self.pieces.codes_of(key)]
            self.rules["move-limit"] = f"{means.values['nMoveRule']} {','.join(codes)}".rstrip()
            counted_pieces = [piece for piece in self.pieces.kinds if piece.key in types]
            if any(
                is_reversible(self.pieces.betza_text(piece, side))
                for piece in counted_pieces
                for side in (0, 1)
            ):
                self._add_loss(
                    "nMoveRuleTypes", "a move that can be taken back counts as any other"
                )
        self._counting_rules()
        self._repetition_rule()

    def _counting_rules(self) -> None:
        """In how many moves one must be mated; pieces that a variant lacks have no line."""
        how, pieces = self.variant.values["countingRule"], self.pieces
        rows: list[str] = []
        for row in COUNTDOWNS.get(how, "").split():
            match = re.fullmatch(r"(\d)/([a-z]+)(.*)", row)
            codes = pieces.codes_of(match[2]) if match else []
            rows += [f"{match[1]}/{code}{match[3]}" for code in codes] if match else [row]
            if match and len({piece for piece in pieces.kinds if piece.key == match[2]}) > 1:
                self._add_loss("countingRule", "promoted pieces are not counted with others")
                return
        if not rows:
            return
        self.rules["countdown"] = ",".join(rows)
        if how in FROM_PIECES:
            self.rules["countdown-from"] = "pieces"
        if how == "makruk" and (pawns := pieces.codes_of("pawn")):
            self.rules["countdown-without"] = ",".join(pawns)

    def _stalemate_rule(self) -> None:
        """The rule of stalemate; none where it is a pass."""
        result = self.variant.values["stalemateValue"]
        if self.variant.is_true("stalematePieceCount"):
            result = COUNT_VALUES[result]
        if result not in {"draw", "none"} and self.rules.get("passes") != "stuck":
            self.rules["stalemate"] = result

    def _goal_rule(self) -> bool:
        """Whether a piece wins by where it stands."""
        means = self.variant
        areas = [self.pieces.region_squares("flagRegion", side) for side in (0, 1)]
        if not any(areas):
            return False
        codes: set[str] = set()
        for side in (0, 1):
            if areas[side]:
                keys = means.types["flagPiece"][side]
                pieces = [m for m in self.pieces.kinds if m.key in keys or ALL in keys]
                codes |= {
                    self.pieces.code(m, side) for m in pieces if side in self.pieces.owners[m.key]
                }
        if len(codes) != 1:
            self._add_loss("flagPiece", "only one kind of piece can win by reaching a region")
            return False
        code = codes.pop()
        self.rules["goal"] = f"{code} {self._region_text((areas[0], areas[1]), 'goal')}"
        royal = {each for key in self.royal for each in self.pieces.codes_of(key)}
        begins = {
            each.square
            for each in self.begin.pieces
            if each.side == 0 and each.key in self.pieces.owners
            if code == self.pieces.code(ImportedPiece(each.key), 0)
        }
        later = means.is_true("flagMove") or means.is_true("flagPieceSafe")
        if begins & areas[0] and not later:
            self._add_loss("flagPiece", "the first player may have won before the first move")
        if means.is_true("flagMove"):
            self._goal_wins_rule(areas[0] | areas[1], held=code not in self.pieces.codes_of("king"))
        if means.is_true("flagPieceSafe") and code not in royal:
            self._add_loss("flagPieceSafe", "it wins also where it could be captured at once")
        return True

    def _goal_wins_rule(self, squares: frozenset[Square], *, held: bool) -> None:
        """When a goal wins: once it is ``held`` for a turn, or after a reply to a king."""
        self.rules["goal-wins"] = "next-turn" if held else "after-reply"
        if held and len(squares) > 1:
            self._add_loss("flagMove", "the first player wins although the second arrives too")

    def _repetition_rule(self) -> None:
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
            self.rules.pop("perpetual-check", None)
            self.rules.pop("perpetual-chase", None)
            return
        if result is None:
            self._add_loss(
                "nFoldValue", "a repetition is a draw, or lost by who moved first or last"
            )
        self.rules["repetition"] = f"{times} {result or 'draw'}"

    # Promotion

    def _promotion_rules(self) -> None:
        means, pieces = self.variant, self.pieces
        pawns = {
            key for key in means.letters for side in (0, 1) if pieces.promotions(key, side)
        } - pieces.shogi.keys()
        if not pawns and not pieces.shogi:
            return
        self._promotion_losses(pawns=bool(pawns))
        areas = (
            pieces.region_squares("promotionRegion", 0),
            pieces.region_squares("promotionRegion", 1),
        )
        ranks = pieces.top_ranks(areas)
        if ranks:
            self.lines.append(f"zone {ZONE} ranks={ranks}")
        else:
            self.regions[areas] = ZONE
        if means.is_true("piecePromotionOnCapture") and pieces.shogi:
            self._promotion_by_captures(pawns=bool(pawns), everywhere=ranks == means.ranks)
        elif not pieces.shogi:
            self.rules["promotion-when"] = "ends"
        else:
            self.rules["promotion-when"] = "touches"
            if pawns and not means.is_true("mandatoryPawnPromotion"):
                self._add_loss(
                    "promotionPawnTypes", "pawns promote as other pieces do, in leaving too"
                )

    def _promotion_losses(self, *, pawns: bool) -> None:
        """What becomes of promoted pieces there, and of those that must not be stuck."""
        pieces = self.pieces
        for piece, side in product(pieces.kinds, (0, 1)):
            zone = pieces.region_squares("promotionRegion", side)
            if piece.promotes_from and pieces.promotions(piece.key, side):
                own = piece.promotes_from in pieces.shogi
                setting = "promotedPieceType" if own else "promotionPieceTypes"
                if own or not pieces.is_stuck_in(piece.key, side, zone):
                    self._add_loss(setting, "a piece that has promoted does not promote again")
            promotes = not piece.promotes_from and pieces.promotions(piece.key, side)
            if promotes and pieces.immobile_squares(piece.key, side) - zone:
                here = "a piece may go where it can neither promote nor move again"
                self._add_loss("immobilityIllegal", here)
        if pawns and self.variant.is_true("pieceDemotion"):
            self._add_loss("pieceDemotion", "what a pawn has promoted to stays that")

    def _ep_square_in_zone(self, side: int) -> bool:
        """Whether what a side's pieces leave behind can be captured by a move into a zone."""
        pieces, other = self.pieces, 1 - side
        passing = (
            self.variant.types["enPassantTypes"][other] | {"pawn"} & self.variant.letters.keys()
        )
        zone = pieces.region_squares("promotionRegion", other) & pieces.ep_squares(side)
        return bool(zone) and any(pieces.promotions(key, other) for key in passing)

    def _promotion_by_captures(self, *, pawns: bool, everywhere: bool) -> None:
        """Promotion by captures alone, which is of all pieces here, and on all squares."""
        pieces = self.pieces
        if pawns or not everywhere:
            here = "pieces promote in the zone without a capture too"
            self._add_loss("piecePromotionOnCapture", here)
            return
        self.rules["promotion-when"] = "captures"
        stuck = (
            pieces.immobile_squares(key, side)
            for key in pieces.shogi
            for side in pieces.owners.get(key, ())
        )
        if any(stuck):
            self._add_loss("immobilityIllegal", "a piece may go where it could never move again")

    def _promotion_fields(self, piece: ImportedPiece, side: int) -> Iterator[str]:
        """What a piece promotes to, and whether it must."""
        pieces, means = self.pieces, self.variant
        if piece.promotes_from:
            if piece.promotes_from in pieces.shogi and means.is_true("pieceDemotion"):
                yield f"promotes={pieces.code(ImportedPiece(piece.promotes_from), side)}"
                yield "forced" if means.is_true("mandatoryPiecePromotion") else ""
            return
        forms = pieces.promotions(piece.key, side)
        if not forms:
            return
        yield "promotes=" + ",".join(pieces.code(form, side) for form in forms)
        sort = "Piece" if piece.key in pieces.shogi else "Pawn"
        if sort == "Pawn" and means.is_true("sittuyinPromotion"):
            yield "apart"
            if piece.key != "pawn":
                self._add_loss("sittuyinPromotion", "no move into the zone promotes")
        elif means.is_true(f"mandatory{sort}Promotion"):
            yield "forced"
        elif pieces.immobile_squares(piece.key, side):
            yield "stuck"

    # Drops

    def _drop_rules(self) -> None:
        """What the settings of drops say of the whole game."""
        means = self.variant
        if self.pieces.encloses:
            self._enclosing_drop_rules(means.values["enclosingDrop"])
        if means.is_true("castlingDroppedPiece"):
            self._castling_after_drop()
        if not self.pieces.shogi:
            self.rules.pop("drop-form", None)
        counted = (
            means.types["extinctionPieceTypes"][0] and means.values["extinctionValue"] != "none"
        )
        if means.is_true("capturesToHand") and counted and not self._shows_hands():
            here = "nothing that is captured counts for whoever captures it"
            self._add_loss("capturesToHand", here)
        if not means.is_true("pieceDrops"):
            for rule in ("captured", "captured-form", "drop-form", "drops-first"):
                self.rules.pop(rule, None)

    def _enclosing_drop_rules(self, how: str) -> None:
        """Drops beside others, of which there is no end, and which turn over as other moves do."""
        if how not in {"reversi", "ataxx"}:
            self._add_loss("enclosingDrop", "pieces are dropped on any empty square")
            return
        self.rules["drops"] = "free"
        if how == "ataxx":
            self.rules["drop-beside"] = "own"
        encloses = self.rules.get("flip") == "enclosed"
        if encloses and how == "ataxx":
            self._add_loss("enclosingDrop", "a drop turns something over")
        elif how == "reversi" and not encloses:
            self._add_loss("enclosingDrop", "a drop need enclose nothing")
        if not self._drops_without_end():
            self._add_loss("enclosingDrop", "there is no end of the pieces that are dropped")
        opening = [self.pieces.region_squares("enclosingDropStart", side) for side in (0, 1)]
        if any(self.variant.areas["enclosingDropStart"]):
            self.regions[opening[0], opening[1]] = OPENING

    def _drops_without_end(self) -> bool:
        """Whether all pieces are dropped as often as there is room for them.

        The program's ataxx says so; elsewhere a side needs pieces for half of the squares.
        """
        above: Section | None = self.section
        while above is not None:
            if above is templates()["ataxx"]:
                return True
            above = above.parent
        room = len(self.pieces.board) - len(self.begin.pieces) - len(self.begin.walls)
        held = [sum(hand.values()) for hand in self.begin.hands]
        return len(self.pieces.kinds) == 1 and 2 * min(held) >= room

    def _castling_after_drop(self) -> None:
        """A king that was dropped castles only where nothing moves before all are."""
        if not self.pieces.castles_after_drop:
            self._add_loss("castlingDroppedPiece", "what was dropped does not castle")
            return
        partners = [self._dropped_partners(side) for side in (0, 1)]
        if partners[0] != partners[1] or not partners[0]:
            here = "a dropped king castles with the same pieces on both sides, and with some"
            self._add_loss("castlingRookPieces", here)

    def _dropped_partners(self, side: int) -> tuple[str, ...]:
        """The pieces with which a dropped king castles."""
        rooks = self.variant.types["castlingRookPieces"][side]
        dropped = dict.fromkeys(key for hand in self.begin.hands for key in hand)
        return tuple(key for key in dropped if {key, ALL} & rooks and key not in self.royal)

    def _drop_fields(self, piece: ImportedPiece) -> Iterator[str]:
        """Where a piece may be dropped, and how."""
        means, pieces = self.variant, self.pieces
        if not means.is_true("pieceDrops"):
            return
        if not self._has_own_drops(piece):
            # Where any form is dropped, all are but those that may be dropped nowhere.
            yield "drop-ranks=none" if "drop-form" in self.rules else ""
            return
        areas = (self._drop_squares(piece, 0), self._drop_squares(piece, 1))
        allowed = [self._allowed_squares(piece, side) for side in (0, 1)]
        if piece.promotes_from and any(areas[side] - allowed[side] for side in (0, 1)):
            self._add_loss("dropPromoted", "what has promoted is dropped where it may go")
        if areas != (pieces.board, pieces.board):
            where = self._region_text(areas, "drops") if any(areas) else "none"
            yield (
                f"drop-ranks={where}"
                if where == "none" or where[0].isdigit()
                else f"drop-in={where}"
            )
        if not means.is_true("dropChecks"):
            yield "drop-check=barred"
        if piece.key == "shogiPawn" and means.is_true("shogiPawnDropMateIllegal"):
            yield "drop-mate=barred"
        yield from self._drop_limits(piece) if any(areas) else ()

    def _drop_limits(self, piece: ImportedPiece) -> Iterator[str]:
        """How many such pieces may be dropped on a file, or on squares of a colour."""
        means = self.variant
        single = means.types["dropNoDoubled"][0]
        if piece.promotes_from in single:
            here = "what is dropped as promoted keeps to no limit on a file"
            self._add_loss("dropNoDoubled", here)
        elif piece.key in single:
            yield f"per-file={means.values['dropNoDoubledCount']}"
        if piece.key == "bishop" and means.is_true("dropOppositeColoredBishop"):
            yield "per-colour=1"

    def _has_own_drops(self, piece: ImportedPiece) -> bool:
        """Whether what has promoted is dropped as such; what a pawn promotes to never is."""
        if not piece.promotes_from:
            return True
        means, form = self.variant, piece.promotes_from in self.pieces.shogi
        return form and (means.is_true("dropPromoted") or means.is_true("dropLoop"))

    def _drop_squares(self, piece: ImportedPiece, side: int) -> frozenset[Square]:
        """Where a piece may be dropped; what has promoted, where its base may be."""
        means, pieces = self.variant, self.pieces
        promoted = piece.promotes_from and means.is_true("dropPromoted")
        key = piece.promotes_from if promoted else piece.key
        result = pieces.region_squares("dropRegion", side)
        if region := pieces.mobility_region(key, side):
            result &= region
        first = frozenset(each for each in pieces.board if pieces.relative_rank(each[1], side) == 1)
        if key in means.types["dropNoDoubled"][0] and means.values["dropNoDoubledCount"] == "0":
            return frozenset()
        if key == "pawn" and not means.is_true("promotionZonePawnDrops"):
            result -= pieces.region_squares("promotionRegion", side)
        if key == "pawn" and not means.is_true("firstRankPawnDrops"):
            result -= first
        if key == "rook" and means.is_true("sittuyinRookDrop"):
            result &= first
        return result - pieces.immobile_squares(piece.key, side)

    # Lines of pieces

    def _piece_lines(self) -> Iterator[str]:
        for piece in self.pieces.kinds:
            sides = sorted(self.pieces.owners[piece.key])
            if piece not in self.pieces.split:
                yield self._piece_line(piece, sides[0], ())
                continue
            for side, word in enumerate(("first", "second")):
                letter = self.variant.letters[piece.key].upper()
                yield self._piece_line(piece, side, (f"letter={letter}", f"side={word}"))

    def _piece_line(self, piece: ImportedPiece, side: int, more: Iterable[str]) -> str:
        """The line of a kind."""
        pieces, means = self.pieces, self.variant
        words = PIECE_LETTER.sub(" ", piece.key).lower()
        letter = means.letters[piece.key].upper()
        name = f"piece {letter}" if piece.key.startswith("customPiece") else words
        code = pieces.code(piece, side)
        if piece.promotes_from:
            of = means.letters[piece.promotes_from].upper()
            name = f"promoted {name if piece.promotes_from not in pieces.shogi else of}"
        fields = [f'betza="{pieces.betza_text(piece, side)}"', *more]
        if (
            piece.promotes_from
            and piece not in pieces.split
            and piece.promotes_from not in pieces.shogi
        ):
            fields.append(f"letter={code}")
        fields += [*self._region_fields(piece, side), *self._capture_fields(piece, side)]
        fields += [*self._promotion_fields(piece, side), *self._drop_fields(piece)]
        return f'piece {code} "{name}" {" ".join(each for each in fields if each)}'

    def _region_fields(self, piece: ImportedPiece, side: int) -> Iterator[str]:
        """The fields for the regions of a piece, and for what it must not suffer."""
        key, means, pieces = piece.key, self.variant, self.pieces
        if key in self.royal:
            yield "royal"
        allowed = (self._allowed_squares(piece, 0), self._allowed_squares(piece, 1))
        if allowed != (pieces.board, pieces.board):
            yield f"within={self._region_text(allowed, f'for-{means.letters[key]}')}"
        if key == "janggiCannon":
            yield f"blocked-by={','.join(pieces.codes_of(key))}"
        if (
            not piece.promotes_from
            and pieces.castles_from_anywhere
            and key in means.types["castlingKingPiece"][side]
        ):
            yield from self._castling_from_anywhere(side)
        elif (
            not piece.promotes_from
            and pieces.castles_after_drop
            and key in means.types["castlingKingPiece"][side]
        ):
            codes = [
                code for each in self._dropped_partners(side) for code in pieces.codes_of(each)
            ]
            yield f"castles-with={','.join(codes)}" if codes else ""
        if means.counts["promotionLimit"].get(key, "0") != "0":
            yield f"per-side={means.counts['promotionLimit'][key]}"
            if piece.promotes_from:
                self._add_loss("promotionLimit", "promoted pieces are not counted with others")

    def _allowed_squares(self, piece: ImportedPiece, side: int) -> frozenset[Square]:
        """The squares on which a piece of one side may stand."""
        key, means, pieces = piece.key, self.variant, self.pieces
        result = pieces.mobility_region(key, side) & pieces.board or pieces.board
        if not piece.promotes_from and pieces.castling_targets(key, side) - result:
            setting = f"mobilityRegion{SIDES[side]}{key[0].upper()}{key[1:]}"
            self._add_loss(setting, "nothing castles to where it may not go")
        if pieces.promotions(key, side) or piece.promotes_from:
            return result
        # There pieces may not go, though they give check there.
        barred = pieces.immobile_squares(key, side)
        setting = "immobilityIllegal"
        pawn = key == "pawn" or key in means.types["promotionPawnTypes"][side]
        if pawn and means.is_true("mandatoryPawnPromotion"):
            barred |= pieces.region_squares("promotionRegion", side)
            setting = "promotionPieceTypes"
        if result & barred:
            self._add_loss(
                setting, f"{pieces.code(piece, side)} gives no check where it may not go"
            )
        return result - barred

    def _petrified_with_duck(self) -> bool:
        types = self.variant.types["petrifyOnCaptureTypes"]
        return self.variant.values["wallingRule"] == "duck" and any(types)

    def _capture_fields(self, piece: ImportedPiece, side: int) -> Iterator[str]:
        """What becomes of a piece that captures or is captured, goes for the first time, mates."""
        key, means = piece.key, self.variant
        self._ep_losses(key, side)
        if means.is_true("blastOnCapture"):
            immune = {key, ALL} & means.types["blastImmuneTypes"][0]
            yield "blast=never" if immune else "blast=capturing" if key == "pawn" else ""
        if key in means.types["petrifyOnCaptureTypes"][0] and not self._petrified_with_duck():
            yield "petrifies"
        if key in means.types["mutuallyImmuneTypes"][0]:
            yield f"immune-to={','.join(self.pieces.codes_of(key))}"
        if means.is_true("seirawanGating") and means.is_true("gating"):
            yield "gates" if self._has_gating(key, side) else ""
        counted = POINTS.get(means.values["materialCounting"])
        if counted is not None:
            yield f"points={counted.get(key, 0 if 'rook' in counted else 1)}"
        if means.values["chasingRule"] == "axf" and key not in self.royal:
            yield from self._chase_fields(key)
        if means.is_true("shatarMateRule") and key not in MATING:
            yield "mates=never" if key == NEVER_MATING else "mates=drawn"

    def _ep_losses(self, key: str, side: int) -> None:
        """Captures en passant that other settings say of the piece there."""
        pieces = self.pieces
        if pieces.captures_passers_where_it_moves(key, side):
            here = "a piece captures en passant also where it may go without a capture"
            self._add_loss("enPassantTypes", here)
        if pieces.captures_passers_outside_region(key, side):
            here = "a pawn captures en passant only where it may go"
            self._add_loss(f"mobilityRegion{SIDES[side]}Pawn", here)
        immune = key in self.variant.types["mutuallyImmuneTypes"][0]
        immune = immune and pieces.passes_squares(key, 1 - side)
        if immune and pieces.captures_en_passant(key, side):
            self._add_loss(
                "mutuallyImmuneTypes", "what is immune is not captured en passant either"
            )

    def _chase_fields(self, key: str) -> Iterator[str]:
        """What a piece is worth where chases are judged, and whether it chases and is chased."""
        rank = self.variant.values["soldierPromotionRank"]
        if key in POINTS["axf"] and self.variant.values["materialCounting"] == "none":
            yield f"points={POINTS['axf'][key]}"
        if key == "soldier":
            yield "chases=no"
            yield f"chased-in={rank}-R" if int(rank) > 1 else ""

    def _castling_from_anywhere(self, side: int) -> Iterator[str]:
        """Castling of a king wherever it stands, with partners wherever they stand."""
        rooks = [
            code
            for key in sorted(self.variant.types["castlingRookPieces"][side])
            for code in self.pieces.codes_of(key)
        ]
        to = [self.variant.values[f"castling{wing}sideFile"] for wing in ("Queen", "King")]
        if rooks and self.variant.is_true("castling"):
            if not (self.variant.is_true("chess960") or self.pieces.castles_from_anywhere_alike()):
                self._add_loss("castlingRookPieces", "it castles with any of these on its rank")
            yield f"castles-with={','.join(rooks)}"
            yield f"castles-to={','.join(to)}"

    def _has_gating(self, key: str, side: int) -> bool:
        """Whether its first move may leave a piece from the hand behind, which no wall does."""
        if self.variant.values["wallingRule"] != "none":
            return False
        gates = self._gates(key, side)
        if len(gates) > 1:
            self._add_loss(
                "startFen", f"all pieces {self.variant.letters[key]} or none make room for one"
            )
        return gates == {True}

    def _has_leap(self, key: str) -> bool:
        """Whether it has the first move of Cambodian chess, as all or none of its kind have."""
        if not (self.variant.is_true("cambodianMoves") and self.variant.is_true("gating")):
            return False
        gates = self._gates(key, 0) | self._gates(key, 1)
        if len(gates) > 1:
            here = f"all pieces {self.variant.letters[key]} or none have a first move of their own"
            self._add_loss("startFen", here)
        return gates == {True}

    def _gates(self, key: str, side: int) -> set[bool]:
        """Whether pieces of a side stand where their first move is marked in the start."""
        rights, begin = self.begin.rights, self.begin
        own = {each.lower() for each in rights if each.islower() == bool(side)}
        files = {ascii_lowercase.index(each) for each in own - {*"kq-"}}
        king = self.pieces.king_square(side)
        if king and own & {*"kq"}:
            rooks = self.variant.types["castlingRookPieces"][side]
            partners = [each for each in begin.pieces if each.side == side and each.key in rooks]
            files |= {king[0], *(each.square[0] for each in partners)}
        home = self.variant.ranks - 1 if side else 0
        return {y == home and x in files for x, y in begin.squares(key, side)}

    def _regional_move_lines(self) -> Iterator[str]:
        """Moves that pieces have on some squares only."""
        for piece in self.pieces.kinds:
            for where, areas, text in self.pieces.regional_moves(piece):
                name = self._region_text(
                    areas,
                    f"{'lines' if where == 'in' else 'from'}-{self.variant.letters[piece.key]}",
                )
                for code in self.pieces.codes(piece):
                    yield f'moves {code} {where}={name} betza="{text}"'
            if piece.key in CAMBODIAN and not piece.promotes_from and self._has_leap(piece.key):
                for code in self.pieces.codes(piece):
                    yield f"moves {code} unchecked betza={CAMBODIAN[piece.key]}"
        walls = self.variant.areas["wallingRegion"]
        own = (walls[0] & self.pieces.board, walls[1] & self.pieces.board)
        if "wall" in self.rules and own != (self.pieces.board, self.pieces.board):
            self.regions[own] = WALLS

    # Squares

    def _region_text(self, areas: Area, name: str) -> str:
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


def _file_of(blocks: Iterable[Sequence[str]]) -> str:
    """The text of a file whose blocks are apart from each other."""
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"

"""A section of a `variants.ini` as a piece file, with whatever alfil cannot say of it.

What Fairy-Stockfish does with a setting was found out by asking it; tests/test_import.py goes on
asking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple, NoReturn

from alfil.errors import AlfilError, Finding, expect, refuse, unknown_name
from alfil.errors import meant as meant_name
from alfil.exchange import OnLoss
from alfil.exchange.army import CAMBODIAN, Army, Man, start_of
from alfil.exchange.clashes import clashes, words_of_game
from alfil.exchange.ini import (
    COUNTDOWNS,
    COUNTED,
    FROM_PIECES,
    MATING,
    NEVER_MATING,
    OF_CHECKS,
    PIECES,
    POINTS,
    VALUES,
    WORDS,
    Reader,
    Section,
    found,
    sorts,
    templates,
)
from alfil.exchange.meant import ALL, SIDES, Area, Meant, meant
from alfil.exchange.men import men_of
from alfil.exchange.places import comes_back
from alfil.game.variant import OPENING, WALLS, ZONE
from alfil.library.checking import checked
from alfil.library.files import SUFFIX, Place
from alfil.library.layout import laid_out
from alfil.library.library import Library
from alfil.source import Source, Span, plain
from alfil.squares import Square

LETTER_NAME = re.compile(r"(?<=[a-z])(?=[A-Z])")
BARE = ("loss", "1", "2")


class Import(NamedTuple):
    """A variant as a piece file: its name, the text, and what is lost.

    The spans of the losses are those of the `variants.ini`.
    """

    name: str
    text: str
    losses: tuple[Finding, ...] = ()


class ImportLoss(AlfilError):
    """A piece file lacks some of the variant's rules; ``findings`` has every loss."""


def ini_sections(text: str) -> tuple[str, ...]:
    """The names of the variants in a `variants.ini`.

    >>> ini_sections("[mine:chess]\\nmustCapture = true\\n")
    ('mine',)
    """
    expect(text, str, "variants are a text")
    return tuple(Reader(plain(text, "<variants>")).sections)


def import_ini(text: str, name: str, *, on_loss: OnLoss = "strict") -> Import:
    """A variant of a `variants.ini`, or one that Fairy-Stockfish has built in, as a piece file.

    Raises `ImportLoss` with every setting that a piece file has nothing for, unless ``on_loss`` is
    "lossy": then the losses are comments in the text. Raises `AlfilError` of kind "unknown-variant"
    for a name that is in neither, "import-refused" where what remains is no game, and what is wrong
    with pieces of it.

    >>> found = import_ini("[mine:gardner]\\nmustCapture = true\\n", "mine")
    >>> print(*found.text.splitlines()[5:9], sep="\\n")
    rule  first = white
    rule  must-capture = yes
    rule  move-limit = 50 P
    rule  repetition = 3 draw
    """
    expect(text, str, "variants are a text")
    return imported(plain(text, "<variants>"), name, on_loss)


def imported(source: Source, name: str, on_loss: OnLoss) -> Import:
    """The same of a file that was read."""
    reader = Reader(source)
    known = reader.sections
    section = known.get(name) or templates().get(name)
    if section is None:
        near = meant_name(name, templates(), 0.6)
        unknown_name("unknown-variant", name, [*templates()] if near else [*known], 0.6)
    if section.left_out:
        here = section.span.end + len(":")
        raise AlfilError([e for e in reader.findings if e.spans[0].start == here], source)
    result = _File(section, source if name in known else None).imported()
    if result.losses and on_loss == "strict":
        raise ImportLoss(result.losses, source)
    return result


def file_name(name: str) -> str:
    """The name of the file for a variant, which is in no other folder, whatever the name.

    >>> file_name("4x5chess"), file_name("../chess")
    ('4x5chess.pieces', '.._chess.pieces')
    """
    return re.sub(r"[^\w.+-]", "_", name) + SUFFIX


class _File:
    """The lines of a piece file as they come about, and what is lost."""

    def __init__(self, section: Section, source: Source | None) -> None:
        self.section, self.source = section, source
        self.means: Meant = meant(section)
        self.begin = start_of(self.means)
        self.army = Army(self.means, self.begin)
        self.losses: list[Finding] = []
        self.rules: dict[str, str] = {"first": "white"}
        self.regions: dict[tuple[frozenset[Square], frozenset[Square]], str] = {}
        self.lines: list[str] = []
        self.said: set[str] = set()

    def imported(self) -> Import:
        """The whole file."""
        self._unwritten()
        self._plain_rules()
        self._royals()
        begin = len(self.losses)
        self._together()
        for rule in OF_CHECKS if self._kingless() else ():
            self.rules.pop(rule, None)
        self._passes()
        self._ends()
        self._promotion()
        if any(map(self._passes_into_zone, (0, 1))):
            self._lose("promotionRegion", "a capture en passant into the zone promotes")
        self._drops()
        men = [*self._men()]
        further = [*self._further()]
        means = self.means
        head = [f'game "{self.section.name}"', f"board {means.files}x{means.ranks}"]
        named = self.regions.items()
        regions = [line for area, name in named for line in self.army.region(area, name)]
        rules = [f"rule {name} = {value}" for name, value in self.rules.items()]
        shown = means.holds("pieceDrops") or means.holds("seirawanGating")
        setup = self.army.setup(hands_shown=shown and self.rules.get("drops") != "free")
        blocks = [head, self.lines, regions, rules, [*men, *further], setup]
        self._clashes(self._checked(_file_of(blocks)), begin)
        losses = [f"# lost: {loss.message}" for loss in self.losses]
        place = self._place_of(_file_of([[*losses, *head], *blocks[1:]]))
        return Import(self.section.name, laid_out(place), tuple(self.losses))

    def _place_of(self, text: str) -> Place:
        name = self.section.name
        return Place(name, Source(text, f"{name}.pieces"), "text")

    def _checked(self, text: str) -> Library:
        """The game that the text is; it must be one."""
        report = checked(self._place_of(text))
        first = next((each for each in report.findings if each.severity == "error"), None)
        if first or not report.library:
            why = first.message if first else "it is empty"
            self._refuse(f"{self.section.name} is no game here: {why}")
        return report.library

    def _clashes(self, library: Library, begin: int) -> None:
        """What is lost of settings that mean something else together, before other losses."""
        army, later = self.army, self.losses[begin:]
        self.losses = self.losses[:begin]
        words = words_of_game(
            library.variant,
            men_of(library),
            {man.key for man in army.kinds},
            castles=army.castles,
            own_forms=bool(army.shogi),
        )
        self._half_read()
        for each in clashes(words):
            if each.setting:
                self._lose(each.setting, each.here)
        self.losses += [loss for loss in later if loss not in self.losses]

    def _lose(self, key: str, message: str) -> None:
        """Note a loss, at the line of a setting."""
        at, span = self.means.said.get(key), self._place(key)
        value = at.value if at else self.means.values.get(key, "")
        said = f"{key} = {value}" if value else key
        loss = found("import-loss", span, setting=said, loss=message)
        if loss not in self.losses:
            self.losses.append(loss)

    def _place(self, key: str) -> Span:
        """Where a setting stands in the user's file, else the name of the section."""
        at = self.means.said.get(key)
        if self.source and at and self.source.text[slice(*at.span)] == at.key:
            return at.span
        return self.section.span if self.source else Span(0, 0)

    def _refuse(self, message: str, key: str = "") -> NoReturn:
        """Say why there is no game, at a setting or the section."""
        source = self.source or Source(self.section.name, "<variant>")
        refuse(AlfilError, "import-refused", message, source, self._place(key))

    # Rules that are a setting each

    def _unwritten(self) -> None:
        """Whatever has no counterpart at all."""
        means = self.means
        for sort in sorts().values():
            if not sort.otherwise or sort.instead:
                continue
            base = next((sort.name.removesuffix(side) for side in SIDES), sort.name)
            value = means.values.get(sort.name, sort.default)
            if sort.value == "squares":
                side = int(sort.name.endswith("Black"))
                value = "given" if means.areas[sort.name.removesuffix(SIDES[side])][side] else ""
            elif sort.value == "piece":
                value = " ".join(sorted(means.types[base][0]))
            if value not in {sort.default, *sort.rules}:
                self._lose(sort.name, sort.otherwise)
        self._begins()

    def _begins(self) -> None:
        """What of the start has no counterpart."""
        if self.begin.turned and self.army.keeps_base:
            self._lose("startFen", "what is marked there as promoted with ~ is captured as it is")
        if self.begin.second_moves:
            self._lose("startFen", "the first side moves first")
        if self.begin.unknown:
            letters = " ".join(dict.fromkeys(self.begin.unknown))
            self._refuse(f"{self.section.name}: no piece has the letter {letters}", "startFen")

    def _plain_rules(self) -> None:
        """The rules that the table of settings says by itself."""
        for sort in sorts().values():
            rules = sort.rules
            if rules and (said := rules.get(self.means.values[sort.name])):
                self.rules[said[0]] = said[1]

    def _together(self) -> None:
        """Settings that make another rule together than each does alone."""
        means = self.means
        if self._stones_beside_duck():
            self._lose("petrifyOnCaptureTypes", "beside a duck nothing turns to stone")
        self._alone()
        captures = any("c" in betza or "m" not in betza for betza in means.betza.values() if betza)
        if means.holds("adjudicateFullBoard") and captures:
            self._lose(
                "adjudicateFullBoard", "a full board ends no game in which there are captures"
            )

    def _alone(self) -> None:
        """Settings that there is nothing for beside some others."""
        means = self.means
        if means.holds("seirawanGating"):
            self._beside_gates()
        if means.values["chasingRule"] == "none":
            return
        if {man.key for man in self.army.kinds} - {"king", *POINTS["axf"]}:
            self._lose(
                "chasingRule", "other pieces than those of xiangqi are worth little in chases"
            )
        if means.values["materialCounting"] != "none":
            self._lose("chasingRule", "pieces are worth as much in chases as elsewhere")

    def _beside_gates(self) -> None:
        """Settings that do not go with pieces from the hand that are left behind."""
        means = self.means
        if means.values["wallingRule"] != "none":
            self._lose("seirawanGating", "a move that builds a wall leaves no piece behind")
        if means.holds("capturesToHand") and not self.army.to_hand:
            self._lose("capturesToHand", "a move leaves behind no piece that was captured")
        for key in means.said:
            if key.startswith("dropRegion"):
                self._lose(key, "a move leaves pieces behind on any square")

    def _half_read(self) -> None:
        """Values that are none, of which the program takes the beginning."""
        for key, setting in self.means.said.items():
            sort = sorts().get(key)
            if sort is None or sort.value in {*WORDS, *PIECES} or sort.value not in VALUES:
                continue
            pattern, value = VALUES[sort.value][1], setting.value
            begins = (value[:end] for end in range(1, len(value)))
            if not re.fullmatch(pattern, value) and any(re.fullmatch(pattern, b) for b in begins):
                self._lose(key, "none of this value counts, and there its beginning does")

    # Royal pieces, and what ends the game

    def _royals(self) -> None:
        """Which pieces are royal, and what it takes to lose them."""
        means, begin = self.means, self.begin
        self.royal = {"king"} & {man.key for man in self.army.kinds}
        value, types = means.values["extinctionValue"], means.types["extinctionPieceTypes"][0]
        # Without a value they are never taken, and must not be left in check all the same.
        pseudo = means.holds("extinctionPseudoRoyal") and value in {"loss", "none"}
        if not types or (value == "none" and not pseudo):
            return
        if means.holds("extinctionPseudoRoyal") and not pseudo:
            self._lose("extinctionPseudoRoyal", "a royal piece that is lost loses the game")
        numbers = {
            begin.count(key, side) for key in types for side in self.army.owners.get(key, ())
        }
        left = int(means.values["extinctionPieceCount"])
        if pseudo:
            self.royal |= types
            if left == 0 and (numbers != {1} or self._promotes_to(types)):
                self._spare_royals(types)
        elif types == {"commoner"} and value == "loss" and self._is_taken_as_king(numbers, left):
            self.royal |= types
            self.rules |= {"self-check": "allowed", "win": "royal-capture"}
            if left == 0 and numbers != {1}:
                self.rules["royal-lost"] = "all"
        else:
            self._extinction(types, value, left)

    def _promotes_to(self, types: frozenset[str]) -> bool:
        """Whether some piece promotes to one of these."""
        return any(
            man.key in types
            for key, sides in self.army.owners.items()
            for side in sides
            for man in self.army.promotes(key, side)
        )

    def _kingless(self) -> bool:
        """Whether there are royal pieces, but no king, who alone is in check there."""
        return bool(self.royal) and "king" not in self.royal

    def _passes(self) -> None:
        """Who may pass: here that is a move of a royal piece, unless there is no other move."""
        royal = [any(self.begin.count(key, side) for key in self.royal) for side in (0, 1)]
        for name, word, able in (
            ("pass", "allowed", royal),
            ("passOnStalemate", "stuck", [True, True]),
        ):
            values = self.means.values
            passing = [values.get(f"{name}{side}", values[name]) == "true" for side in SIDES]
            if any(passing) and (passing == able or (all(passing) and any(able))):
                self.rules["passes"] = word
            if any(passing) and passing != able:
                here = "both sides may pass, or none" if all(able) else "only royal pieces pass"
                self._lose(name, here)
        if "passes" in self.rules and self.rules.get("self-check") == "allowed":
            self._lose("pass", "no side passes in check")

    def _spare_royals(self, types: frozenset[str]) -> None:
        """Of several royal pieces the last one must be lost."""
        if len(types) > 1 or "king" in self.royal:
            self._lose("extinctionPieceTypes", "all royal pieces must be lost, or any of them")
        self.rules["royal-lost"] = "all"
        if self.means.holds("blastOnCapture"):
            here = "it counts whom of several royal pieces an explosion leaves"
            self._lose("blastOnCapture", here)

    def _is_taken_as_king(self, numbers: set[int], left: int) -> bool:
        """Whether it is lost like a king that may be left in check."""
        means = self.means
        promoted = self._promotes_to(frozenset({"commoner"}))
        alone = len(numbers) == 1 and left in {0, *(number - 1 for number in numbers)}
        return (
            alone
            and not promoted
            and "king" not in self.royal
            and means.values["extinctionOpponentPieceCount"] == "0"
        )

    def _extinction(self, types: frozenset[str], value: str, left: int) -> None:
        """What it is to have too few pieces of some sort."""
        means = self.means
        others = means.values["extinctionOpponentPieceCount"]
        if (value, str(left), others) == BARE and types == {ALL} and self.royal:
            self.bare = True
            return
        if others != "0":
            self._lose("extinctionOpponentPieceCount", "it does not matter what the other side has")
        codes = [code for key in sorted(types - {ALL}) for code in self.army.all_of(key)]
        what = "all" if ALL in types else ",".join(codes)
        if what:
            self.rules["extinction"] = f"{what}{f':{left}' if left else ''} {value}"

    bare = False

    def _ends(self) -> None:
        means = self.means
        wins = [self.rules["win"]] if "win" in self.rules else ["mate"] if self.royal else []
        if means.holds("checkCounting") and not self._kingless():
            wins.append(f"checks:{self.begin.checks}")
        if self.bare:
            wins.append("bare")
        if self._goal():
            wins.append("goal")
        if wins and wins != ["mate"]:
            self.rules["win"] = ",".join(wins)
        self._stalemate()
        if means.values["nMoveRule"] != "0":
            types = means.types["nMoveRuleTypes"][0] | means.types["nMoveRuleTypes"][1]
            codes = [code for key in sorted(types) for code in self.army.all_of(key)]
            self.rules["move-limit"] = f"{means.values['nMoveRule']} {','.join(codes)}".rstrip()
            named = [man for man in self.army.kinds if man.key in types]
            if any(comes_back(self.army.text(man, side)) for man in named for side in (0, 1)):
                self._lose("nMoveRuleTypes", "a move that can be taken back counts as any other")
        self._countdown()
        self._repetition()

    def _countdown(self) -> None:
        """In how many moves one must be mated; pieces that a variant lacks have no line."""
        how, army = self.means.values["countingRule"], self.army
        rows: list[str] = []
        for row in COUNTDOWNS.get(how, "").split():
            match = re.fullmatch(r"(\d)/([a-z]+)(.*)", row)
            codes = army.all_of(match[2]) if match else []
            rows += [f"{match[1]}/{code}{match[3]}" for code in codes] if match else [row]
            if match and len({man for man in army.kinds if man.key == match[2]}) > 1:
                self._lose("countingRule", "promoted pieces are not counted with others")
                return
        if not rows:
            return
        self.rules["countdown"] = ",".join(rows)
        if how in FROM_PIECES:
            self.rules["countdown-from"] = "pieces"
        if how == "makruk" and (pawns := army.all_of("pawn")):
            self.rules["countdown-without"] = ",".join(pawns)

    def _stalemate(self) -> None:
        """What it is to have no move left; nothing where that is a pass."""
        result = self.means.values["stalemateValue"]
        if self.means.holds("stalematePieceCount"):
            result = COUNTED[result]
        if result not in {"draw", "none"} and self.rules.get("passes") != "stuck":
            self.rules["stalemate"] = result

    def _goal(self) -> bool:
        """Whether a piece wins by where it stands."""
        means = self.means
        areas = [self.army.area("flagRegion", side) for side in (0, 1)]
        if not any(areas):
            return False
        codes: set[str] = set()
        for side in (0, 1):
            if areas[side]:
                keys = means.types["flagPiece"][side]
                men = [m for m in self.army.kinds if m.key in keys or ALL in keys]
                codes |= {self.army.code(m, side) for m in men if side in self.army.owners[m.key]}
        if len(codes) != 1:
            self._lose("flagPiece", "one kind of piece wins by where it stands, not several")
            return False
        code = codes.pop()
        self.rules["goal"] = f"{code} {self._area((areas[0], areas[1]), 'goal')}"
        royal = {each for key in self.royal for each in self.army.all_of(key)}
        if means.holds("flagMove"):
            self._goal_wins(areas[0] | areas[1], held=code not in self.army.all_of("king"))
        if means.holds("flagPieceSafe") and code not in royal:
            self._lose("flagPieceSafe", "it wins also where it could be captured at once")
        return True

    def _goal_wins(self, squares: frozenset[Square], *, held: bool) -> None:
        """When a goal wins: once it is ``held`` for a turn, or after a reply to a king."""
        self.rules["goal-wins"] = "next-turn" if held else "after-reply"
        if held and len(squares) > 1:
            self._lose("flagMove", "the first side wins though the second got there too")

    def _repetition(self) -> None:
        values = self.means.values
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
            self._lose("nFoldValue", "a repetition is a draw, or lost by who moved first or last")
        self.rules["repetition"] = f"{times} {result or 'draw'}"

    # Promotion

    def _promotion(self) -> None:
        means, army = self.means, self.army
        pawns = {
            key for key in means.letters for side in (0, 1) if army.promotes(key, side)
        } - army.shogi.keys()
        if not pawns and not army.shogi:
            return
        areas = (army.area("promotionRegion", 0), army.area("promotionRegion", 1))
        ranks = army.top_ranks(areas)
        if ranks:
            self.lines.append(f"zone {ZONE} ranks={ranks}")
        else:
            self.regions[areas] = ZONE
        if means.holds("piecePromotionOnCapture") and army.shogi:
            self._by_captures(pawns=bool(pawns), everywhere=ranks == means.ranks)
        elif not army.shogi:
            self.rules["promotion-when"] = "ends"
        else:
            self.rules["promotion-when"] = "touches"
            if pawns and not means.holds("mandatoryPawnPromotion"):
                self._lose("promotionPawnTypes", "pawns promote as other pieces do, in leaving too")

    def _passes_into_zone(self, side: int) -> bool:
        """Whether what a side's pieces leave behind can be captured by a move into a zone."""
        army, other = self.army, 1 - side
        passing = self.means.types["enPassantTypes"][other] | {"pawn"} & self.means.letters.keys()
        zone = army.area("promotionRegion", other) & army.trail(side)
        return bool(zone) and any(army.promotes(key, other) for key in passing)

    def _by_captures(self, *, pawns: bool, everywhere: bool) -> None:
        """Promotion by captures alone, which is of all pieces here, and on all squares."""
        means, army = self.means, self.army
        if pawns or not everywhere:
            here = "pieces promote in the zone without a capture too"
            self._lose("piecePromotionOnCapture", here)
            return
        self.rules["promotion-when"] = "captures"
        stuck = (army.stuck(key, side) for key in army.shogi for side in army.owners.get(key, ()))
        if means.holds("immobilityIllegal") and any(stuck):
            self._lose("immobilityIllegal", "a piece may go where it could never move again")

    def _promotes(self, man: Man, side: int) -> Iterator[str]:
        """What a piece promotes to, and whether it must."""
        army, means = self.army, self.means
        if man.of:
            if man.of in army.shogi and means.holds("pieceDemotion"):
                yield f"promotes={army.code(Man(man.of), side)}"
                yield "forced" if means.holds("mandatoryPiecePromotion") else ""
            return
        forms = army.promotes(man.key, side)
        if not forms:
            return
        yield "promotes=" + ",".join(army.code(form, side) for form in forms)
        sort = "Piece" if man.key in army.shogi else "Pawn"
        if sort == "Pawn" and means.holds("sittuyinPromotion"):
            yield "apart"
        elif means.holds(f"mandatory{sort}Promotion"):
            yield "forced"
        elif means.holds("immobilityIllegal") and army.stuck(man.key, side):
            yield "stuck"

    # Drops

    def _drops(self) -> None:
        """What the settings of drops say of the whole game."""
        means = self.means
        how = means.values["enclosingDrop"]
        if how in {"reversi", "ataxx"}:
            self.rules["drops"] = "free"
            if how == "ataxx":
                self.rules["drop-beside"] = "own"
            opening = means.areas["enclosingDropStart"]
            if any(opening):
                self.regions[
                    self.army.area("enclosingDropStart", 0), self.army.area("enclosingDropStart", 1)
                ] = OPENING
        elif how != "none":
            self._lose("enclosingDrop", "pieces are dropped on any empty square")
        if means.holds("castlingDroppedPiece"):
            self._castling_of_dropped()
        if not means.holds("pieceDrops"):
            for rule in ("captured", "captured-form", "drop-form", "drops-first"):
                self.rules.pop(rule, None)

    def _castling_of_dropped(self) -> None:
        """A king that was dropped castles only where nothing moves before all are."""
        if not self.army.castles_dropped:
            self._lose("castlingDroppedPiece", "what was dropped does not castle")
            return
        partners = [self._dropped_partners(side) for side in (0, 1)]
        if partners[0] != partners[1] or not partners[0]:
            here = "a dropped king castles with the same pieces on both sides, and with some"
            self._lose("castlingRookPieces", here)

    def _dropped_partners(self, side: int) -> tuple[str, ...]:
        """The pieces with which a dropped king castles."""
        rooks = self.means.types["castlingRookPieces"][side]
        dropped = dict.fromkeys(key for hand in self.begin.hands for key in hand)
        return tuple(key for key in dropped if {key, ALL} & rooks and key not in self.royal)

    def _dropped(self, man: Man) -> Iterator[str]:
        """Where a piece may be dropped, and how."""
        means, army = self.means, self.army
        if not means.holds("pieceDrops"):
            return
        if man.of and not (means.holds("dropPromoted") or means.holds("dropLoop")):
            return
        areas = (self._drop_squares(man.key, 0), self._drop_squares(man.key, 1))
        if areas != (army.board, army.board):
            where = self._area(areas, "drops") if any(areas) else "none"
            yield (
                f"drop-ranks={where}"
                if where == "none" or where[0].isdigit()
                else f"drop-in={where}"
            )
        if not means.holds("dropChecks"):
            yield "drop-check=barred"
        if man.key == "shogiPawn" and means.holds("shogiPawnDropMateIllegal"):
            yield "drop-mate=barred"
        if man.key in means.types["dropNoDoubled"][0] and any(areas):
            yield f"per-file={means.values['dropNoDoubledCount']}"
        if man.key == "bishop" and means.holds("dropOppositeColoredBishop"):
            yield "per-colour=1"

    def _drop_squares(self, key: str, side: int) -> frozenset[Square]:
        means, army = self.means, self.army
        found = army.area("dropRegion", side)
        region = means.areas.get(f"mobilityRegion{key[0].upper()}{key[1:]}")
        if region and region[side]:
            found &= region[side]
        first = frozenset(each for each in army.board if army.rank(each[1], side) == 1)
        if key in means.types["dropNoDoubled"][0] and means.values["dropNoDoubledCount"] == "0":
            return frozenset()
        if key == "pawn" and not means.holds("promotionZonePawnDrops"):
            found -= army.area("promotionRegion", side)
        if key == "pawn" and not means.holds("firstRankPawnDrops"):
            found -= first
        if key == "rook" and means.holds("sittuyinRookDrop"):
            found &= first
        return found - army.stuck(key, side) if means.holds("immobilityIllegal") else found

    # Lines of pieces

    def _men(self) -> Iterator[str]:
        for man in self.army.kinds:
            sides = sorted(self.army.owners[man.key])
            if man not in self.army.split:
                yield self._man(man, sides[0], ())
                continue
            for side, word in enumerate(("first", "second")):
                letter = self.means.letters[man.key].upper()
                yield self._man(man, side, (f"letter={letter}", f"side={word}"))

    def _man(self, man: Man, side: int, more: Iterable[str]) -> str:
        """The line of a kind."""
        army, means = self.army, self.means
        words = LETTER_NAME.sub(" ", man.key).lower()
        letter = means.letters[man.key].upper()
        name = f"piece {letter}" if man.key.startswith("customPiece") else words
        code = army.code(man, side)
        if man.of:
            of = means.letters[man.of].upper()
            name = f"promoted {name if man.of not in army.shogi else of}"
        fields = [f'betza="{army.text(man, side)}"', *more]
        if man.of and man not in army.split and man.of not in army.shogi:
            fields.append(f"letter={code}")
        fields += [*self._standing(man, side), *self._capturing(man, side)]
        fields += [*self._promotes(man, side), *self._dropped(man)]
        return f'piece {code} "{name}" {" ".join(each for each in fields if each)}'

    def _standing(self, man: Man, side: int) -> Iterator[str]:
        """Where a piece may stand, and what must not happen to it."""
        key, means, army = man.key, self.means, self.army
        if key in self.royal:
            yield "royal"
        allowed = (self._allowed(man, 0), self._allowed(man, 1))
        if allowed != (army.board, army.board):
            yield f"within={self._area(allowed, f'for-{means.letters[key]}')}"
        if key == "janggiCannon":
            yield f"blocked-by={','.join(army.all_of(key))}"
        if not man.of and army.from_anywhere and key in means.types["castlingKingPiece"][side]:
            yield from self._from_anywhere(side)
        elif not man.of and army.castles_dropped and key in means.types["castlingKingPiece"][side]:
            codes = [code for each in self._dropped_partners(side) for code in army.all_of(each)]
            yield f"castles-with={','.join(codes)}" if codes else ""
        if means.counts["promotionLimit"].get(key, "0") != "0":
            yield f"per-side={means.counts['promotionLimit'][key]}"
            if man.of:
                self._lose("promotionLimit", "promoted pieces are not counted with others")

    def _allowed(self, man: Man, side: int) -> frozenset[Square]:
        """The squares on which a piece of one side may stand."""
        key, means, army = man.key, self.means, self.army
        region = means.areas.get(f"mobilityRegion{key[0].upper()}{key[1:]}")
        found = (region and region[side] & army.board) or army.board
        if army.promotes(key, side) or man.of:
            return found
        # There pieces may not go, though they give check there.
        barred = army.stuck(key, side) if means.holds("immobilityIllegal") else frozenset()
        setting = "immobilityIllegal"
        if key == "pawn":
            barred |= army.area("promotionRegion", side)
            setting = "promotionPieceTypes"
        if found & barred:
            self._lose(setting, f"{army.code(man, side)} gives no check where it may not go")
        return found - barred

    def _stones_beside_duck(self) -> bool:
        types = self.means.types["petrifyOnCaptureTypes"]
        return self.means.values["wallingRule"] == "duck" and any(types)

    def _capturing(self, man: Man, side: int) -> Iterator[str]:
        """What becomes of a piece that captures or is captured, goes for the first time, mates."""
        key, means = man.key, self.means
        if means.holds("blastOnCapture"):
            immune = {key, ALL} & means.types["blastImmuneTypes"][0]
            yield "blast=never" if immune else "blast=capturing" if key == "pawn" else ""
        if key in means.types["petrifyOnCaptureTypes"][0] and not self._stones_beside_duck():
            yield "petrifies"
        if key in means.types["mutuallyImmuneTypes"][0]:
            yield f"immune-to={','.join(self.army.all_of(key))}"
        if means.holds("seirawanGating") and means.holds("gating"):
            yield "gates" if self._gates(key, side) else ""
        counted = POINTS.get(means.values["materialCounting"])
        if counted is not None:
            yield f"points={counted.get(key, 0 if 'rook' in counted else 1)}"
        if means.values["chasingRule"] == "axf" and key not in self.royal:
            yield from self._chased(key)
        if means.holds("shatarMateRule") and key not in MATING:
            yield "mates=never" if key == NEVER_MATING else "mates=drawn"

    def _chased(self, key: str) -> Iterator[str]:
        """What a piece is worth where chases are judged, and whether it chases and is chased."""
        rank = self.means.values["soldierPromotionRank"]
        if key in POINTS["axf"] and self.means.values["materialCounting"] == "none":
            yield f"points={POINTS['axf'][key]}"
        if key == "soldier":
            yield "chases=no"
            yield f"chased-in={rank}-R" if int(rank) > 1 else ""

    def _from_anywhere(self, side: int) -> Iterator[str]:
        """Castling of a king wherever it stands, with partners wherever they stand."""
        rooks = [
            code
            for key in sorted(self.means.types["castlingRookPieces"][side])
            for code in self.army.all_of(key)
        ]
        to = [self.means.values[f"castling{wing}sideFile"] for wing in ("Queen", "King")]
        if rooks and self.means.holds("castling"):
            if not (self.means.holds("chess960") or self.army.castles_from_anywhere_alike()):
                self._lose("castlingRookPieces", "it castles with any of these on its rank")
            yield f"castles-with={','.join(rooks)}"
            yield f"castles-to={','.join(to)}"

    def _gates(self, key: str, side: int) -> bool:
        """Whether its first move may leave a piece from the hand behind, which no wall does."""
        if self.means.values["wallingRule"] != "none":
            return False
        rights = self.begin.rights
        own = "".join(each for each in rights if each.islower() == bool(side)).lower()
        files = {ascii_lowercase.index(each) for each in own if each not in "kq"}
        king = self.army.king_square(side)
        stones = [each for each in self.begin.stones if each.side == side and each.key == key]
        rank = {each.square[1] for each in stones}
        castles = {king[0]} if king and {*own} & {*"kq"} else set()
        if castles:
            rooks = self.means.types["castlingRookPieces"][side]
            castles |= {
                each.square[0]
                for each in self.begin.stones
                if each.side == side and each.key in rooks
            }
        standing = {each.square[0] for each in stones}
        gating = bool(standing) and standing <= files | castles
        back = rank == {self.means.ranks - 1 if side else 0}
        if back and standing & (files | castles) and not gating:
            self._lose(
                "startFen", f"all pieces {self.means.letters[key]} or none make room for one"
            )
        return back and gating

    def _further(self) -> Iterator[str]:
        """Moves that pieces have on some squares only."""
        for man in self.army.kinds:
            for where, areas, text in self.army.further(man):
                name = self._area(
                    areas, f"{'lines' if where == 'in' else 'from'}-{self.means.letters[man.key]}"
                )
                for code in self.army.codes(man):
                    yield f'moves {code} {where}={name} betza="{text}"'
            if self.means.holds("cambodianMoves") and man.key in CAMBODIAN and not man.of:
                for code in self.army.codes(man):
                    yield f"moves {code} unchecked betza={CAMBODIAN[man.key]}"
        walls = self.means.areas["wallingRegion"]
        own = (walls[0] & self.army.board, walls[1] & self.army.board)
        if "wall" in self.rules and own != (self.army.board, self.army.board):
            self.regions[own] = WALLS

    # Squares

    def _area(self, areas: Area, name: str) -> str:
        """Ranks counted from the owner, or the name of a region that is written for it."""
        rows = [{self.army.rank(y, side) for _, y in areas[side]} for side in (0, 1)]
        full = all(len(areas[side]) == len(rows[side]) * self.means.files for side in (0, 1))
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

"""The pieces of a `variants.ini` as piece types: their moves and sides.

What Fairy-Stockfish says of squares (double steps, castling, lines of a palace) is of the piece
itself here, or of a line of further moves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from string import ascii_uppercase
from typing import NamedTuple

from alfil.api import Piece, as_piece, moves, read, write
from alfil.exchange.resolved_variant import ALL_PIECES, Area, ResolvedVariant
from alfil.movement.nodes import Leg, Movement, Option
from alfil.squares import Square, square_name, square_seen_by

BOARD_TOKEN = re.compile(r"(\+?)([A-Za-z])(~?)|([0-9]{1,4})|(\*)|(/)")
CHECKS_PATTERN = re.compile(r"([1-9])\+[1-9]")
# The pieces of whom the program knows further moves on the lines of a palace.
PALACE_LINE_MOVES = {"rook": "B", "janggiCannon": "pB", "soldier": "fF", "wazir": "F"}
# The first moves of Cambodian chess.
CAMBODIAN_FIRST_MOVES = {"king": "ismN", "fers": "imfD"}
# What pawns promote to, in the order in which people name it; other pieces stand after the first.
PROMOTION_ORDER = {"queen": 0, "rook": 2, "bishop": 3, "knight": 4}
# A lame leap of two squares as a run of two, which leaves a trail.
RUN_BY_LAME_LEAP = {"D": "R2", "A": "B2"}


class ImportedPiece(NamedTuple):
    """A piece type by its setting's name, and ``promotes_from``, the piece that promotes to it.

    It is "" where the piece is itself.
    """

    key: str
    promotes_from: str = ""


class PlacedPiece(NamedTuple):
    """A piece of the start position; ``promoted`` is one with a + before its letter."""

    square: Square
    side: int
    key: str
    promoted: bool


class CastlingSide(NamedTuple):
    """Castling on one side: O and how far the king goes, ``passes_partner`` its partner or not."""

    text: str
    passes_partner: bool


@dataclass
class StartingPosition:
    """A starting position: board, hands, side to move, castling rights.

    ``has_tilde_promotions`` is whether some piece is marked as promoted with a ~ behind its letter.
    """

    pieces: list[PlacedPiece]
    walls: frozenset[Square]
    hands: tuple[Counter[str], Counter[str]]
    is_second_to_move: bool
    rights: str
    checks: int
    unknown: str = ""
    has_tilde_promotions: bool = False

    def squares(self, key: str, side: int) -> frozenset[Square]:
        """Where a side has such pieces."""
        result = (each for each in self.pieces if (each.key, each.side) == (key, side))
        return frozenset(each.square for each in result if not each.promoted)

    def count(self, key: str, side: int) -> int:
        """How many of them a side has, in hand too."""
        standing = sum((each.key, each.side) == (key, side) for each in self.pieces)
        return standing + self.hands[side][key]


def starting_position(variant: ResolvedVariant) -> StartingPosition:
    """The start position of a variant."""
    board, *rest = variant.values["startFen"].split() or [""]
    plain, _, held = board.rstrip("]").partition("[")
    result = StartingPosition([], frozenset(), (Counter(), Counter()), rest[:1] == ["b"], "", 1)
    file, rank = 0, variant.ranks - 1
    walls: set[Square] = set()
    for plus, letter, tilde, gap, wall, row in BOARD_TOKEN.findall(plain):
        if row:
            file, rank = 0, rank - 1
            continue
        if wall:
            walls.add((file, rank))
        if letter:
            key = variant.piece_name(letter)
            result.unknown += letter * (not key)
            result.has_tilde_promotions |= bool(tilde)
            result.pieces.append(PlacedPiece((file, rank), int(letter.islower()), key, bool(plus)))
        file += int(gap or 1)
    result.walls = frozenset(walls)
    for letter in held.replace("-", ""):
        result.hands[int(letter.islower())][variant.piece_name(letter)] += 1
    result.rights = next((each for each in rest[1:2] if not each.isdecimal()), "-")
    result.checks = next((int(each[0]) for each in rest if CHECKS_PATTERN.fullmatch(each)), 1)
    return result


class ImportedPieces:
    """All piece types of a variant, with their moves by side.

    ``resolved`` has its settings, ``begin`` its start. ``chances`` are the kinds to which a piece
    promotes, ``shogi`` those pieces that promote to a form of their own.
    """

    def __init__(self, means: ResolvedVariant, start: StartingPosition) -> None:
        self.resolved, self.begin = means, start
        self.board = frozenset(product(range(means.files), range(means.ranks)))
        self.to_hand = means.is_true("capturesToHand") and means.is_true("pieceDrops")
        self.keeps_base = self.to_hand and not means.is_true("dropLoop")
        self.encloses = means.values["enclosingDrop"] != "none" and means.is_true("pieceDrops")
        self.shogi = {
            key: form
            for key, form in means.counts["promotedPieceType"].items()
            if key in means.letters and form in means.letters
        }
        self.owners = self._sides_by_piece()
        self.kinds = tuple(self._all_pieces())
        self.split = self._pieces_different_by_side()
        self._codes = self._assign_codes()

    # Who has what

    def promotions(self, key: str, side: int) -> tuple[ImportedPiece, ...]:
        """The kinds to which a piece promotes, in the order of the settings."""
        own = (ImportedPiece(self.shogi[key], key),) if key in self.shogi else ()
        if own and not self.promotes_as_pawn_too(key, side):
            return own
        if not self._is_promoting_pawn(key, side):
            return ()
        if not self.region_squares("promotionRegion", side):
            return ()
        forms = self.resolved.types["promotionPieceTypes"][side]
        ordered = [each for each in self.resolved.letters if each in forms or ALL_PIECES in forms]
        ordered.sort(key=lambda form: PROMOTION_ORDER.get(form, 1))
        others = (ImportedPiece(each, key if self.keeps_base else "") for each in ordered)
        return (*own, *others)

    def _is_promoting_pawn(self, key: str, side: int) -> bool:
        """Whether a piece promotes as a pawn; the program's own does, whatever the list says."""
        return key == "pawn" or key in self.resolved.types["promotionPawnTypes"][side]

    def promotes_in_two_ways(self, key: str, side: int) -> bool:
        """Whether a piece with a form of its own promotes as a pawn too, or as pawns must."""
        means = self.resolved
        others = means.types["promotionPieceTypes"][side] & {*means.letters, ALL_PIECES}
        must = means.is_true("mandatoryPawnPromotion")
        must = must and not means.is_true("mandatoryPiecePromotion")
        return key in self.shogi and self._is_promoting_pawn(key, side) and (bool(others) or must)

    def promotes_as_pawn_too(self, key: str, side: int) -> bool:
        """Whether its own form is one of those to which it must promote as it comes to the zone.

        It is where such a piece never stands in the zone.
        """
        means, zone = self.resolved, self.region_squares("promotionRegion", side)
        return (
            self.promotes_in_two_ways(key, side)
            and means.is_true("mandatoryPawnPromotion")
            and not means.is_true("piecePromotionOnCapture")
            and not (means.is_true("pieceDrops") and zone & self.region_squares("dropRegion", side))
            and not means.counts["promotionLimit"]
            and zone.isdisjoint(self.begin.squares(key, side))
        )

    def region_squares(self, name: str, side: int) -> frozenset[Square]:
        """The squares of a setting that are on the board."""
        return self.resolved.areas[name][side] & self.board

    def mobility_region(self, key: str, side: int) -> frozenset[Square]:
        """The squares on which a piece may stand by a setting; none where it has none."""
        region = self.resolved.areas.get(f"mobilityRegion{key[0].upper()}{key[1:]}")
        return region[side] if region else frozenset()

    def _sides_by_piece(self) -> dict[str, set[int]]:
        """The sides that may have each piece."""
        start, free = self.begin, self.encloses
        result: dict[str, set[int]] = {
            key: {side for side in (0, 1) if free or start.count(key, side)}
            for key in self.resolved.letters
        }
        to_hand = self.resolved.is_true("capturesToHand")
        before = None
        while before != result:
            before = {key: set(sides) for key, sides in result.items()}
            for key, sides in before.items():
                for side in sides:
                    for form in self.promotions(key, side):
                        result[form.key].add(side)
                if to_hand and sides:
                    result[key] = {0, 1}
        return result

    def _all_pieces(self) -> Iterator[ImportedPiece]:
        """The kinds that there may be, plain ones first."""
        used = [key for key, sides in self.owners.items() if sides]
        plain = [key for key in used if self._occurs_unpromoted(key)]
        plain.sort(key=lambda key: ("pawn" in key.lower(), key != "king"))
        yield from (ImportedPiece(key) for key in plain)
        owned = [(key, side) for key in plain for side in sorted(self.owners[key])]
        forms = (form for key, side in owned for form in self.promotions(key, side))
        yield from dict.fromkeys(form for form in forms if form.promotes_from)

    def _occurs_unpromoted(self, key: str) -> bool:
        """Whether a piece is ever on the board, or in a hand, that has not promoted to be it."""
        start = self.begin
        standing = any(each.key == key and not each.promoted for each in start.pieces)
        held = any(hand[key] for hand in start.hands)
        promoted = any(
            ImportedPiece(key) in self.promotions(other, side)
            for other, sides in self.owners.items()
            for side in sides
        )
        turned = any(each.key == key and each.promoted for each in start.pieces)
        return standing or held or promoted or self.encloses or (turned and key in self.shogi)

    def _pieces_different_by_side(self) -> frozenset[ImportedPiece]:
        """The kinds that are not the same for both sides."""
        both = [piece for piece in self.kinds if len(self.owners[piece.key]) > 1]
        result = {
            piece
            for piece in both
            if self._features_for_side(piece, 0) != self._features_for_side(piece, 1)
        }
        before = None
        while before != result:
            before = set(result)
            for piece in both:
                forms = {*self.promotions(piece.key, 0), *self.promotions(piece.key, 1)}
                if not piece.promotes_from and forms & result:
                    result.add(piece)
        return frozenset(result)

    def _features_for_side(self, piece: ImportedPiece, side: int) -> object:
        """What may differ from side to side."""
        forms = () if piece.promotes_from else self.promotions(piece.key, side)
        return (forms, self.captures_en_passant(piece.key, side))

    def _assign_codes(self) -> dict[ImportedPiece, str]:
        """A code for every kind; a form gets a spare letter where another form has its own."""
        letters = {each.upper() for each in self.resolved.letters.values()}
        spare = iter(sorted({*ascii_uppercase} - letters))
        result: dict[ImportedPiece, str] = {}
        for piece in sorted(self.kinds, key=lambda each: each.promotes_from not in self.shogi):
            own_form = piece.promotes_from in self.shogi
            letter = self.resolved.letters[piece.promotes_from if own_form else piece.key].upper()
            code = f"+{letter}" if piece.promotes_from else letter
            result[piece] = f"+{next(spare, letter)}" if code in result.values() else code
        return result

    def codes(self, piece: ImportedPiece) -> list[str]:
        """The codes of a kind; two of them where it differs from side to side."""
        letter = self._codes.get(piece) or self.resolved.letters[piece.key].upper()
        return [f"{letter}W", f"{letter}B"] if piece in self.split else [letter]

    def code(self, piece: ImportedPiece, side: int) -> str:
        """The code of a kind for one side."""
        return self.codes(piece)[side if piece in self.split else 0]

    def occurs_in_several_forms(self, key: str) -> bool:
        """Whether others promote to this piece, which the program takes for the same kind."""
        return len([piece for piece in self.kinds if piece.key == key]) > 1

    def codes_of_piece_name(self, name: str) -> list[str]:
        """The codes of all kinds that are a piece of this name."""
        return [code for piece in self.kinds if piece.key == name for code in self.codes(piece)]

    def captures_en_passant_outside_region(self, key: str, side: int) -> bool:
        """Whether a pawn captures en passant on squares where it may not go otherwise."""
        region = self.mobility_region(key, side) if key == "pawn" else None
        if not region or not self.captures_en_passant(key, side):
            return False
        sign, stands = (-1 if side else 1), region | self.begin.squares(key, side)
        return any(
            (x + dx, y - sign) in stands
            for x, y in self.ep_squares(1 - side) - region
            for dx in (-1, 1)
        )

    # Squares and the start

    def region_lines(self, areas: Area, name: str) -> Iterator[str]:
        """The lines of a region, each side's as it sees the board."""
        files, ranks = self.resolved.files, self.resolved.ranks
        turned = frozenset(square_seen_by(1, each, files, ranks) for each in areas[1])
        if turned == areas[0] and areas[0]:
            yield f"region {name} squares={_square_list(areas[0])}"
            return
        # A side without squares has no line.
        for word, squares in (("first", areas[0]), ("second", turned)):
            if squares:
                yield f"region {name} {word} squares={_square_list(squares)}"

    def zone_rank_count(self, areas: Area) -> int:
        """How many of the last ranks they are for both sides, 0 if something else."""
        ranks = self.resolved.ranks
        tops = (
            tuple(
                frozenset(
                    (x, y) for x, y in self.board if self.relative_rank(y, side) > ranks - count
                )
                for side in (0, 1)
            )
            for count in range(1, ranks + 1)
        )
        return next((count for count, top in enumerate(tops, 1) if top == areas), 0)

    def setup_lines(self, *, hands_shown: bool) -> list[str]:
        """The lines of the start position, of each side as it sees it."""
        boards = [self._setup_rows(side) for side in (0, 1)]
        lines: list[str] = []
        hands = [self._hand_text(side) if hands_shown else "" for side in (0, 1)]
        same = boards[0] == boards[1]
        mirrored = boards[0] == [row[::-1] for row in boards[1]]
        if any(boards):
            words = [""] if same else [" mirrored"] if mirrored else [" first", " second"]
            for word, board in zip(words, boards, strict=False):
                lines += [f"setup{word}", *("| " + " ".join(row) + " |" for row in board), ""]
        if hands[0] == hands[1]:
            lines += [f"hand {hands[0]}"] if hands[0] else []
        else:
            lines += [f"hand {w} {h}" for w, h in zip(("first", "second"), hands, strict=True) if h]
        return lines

    def _setup_rows(self, side: int) -> list[list[str]]:
        """The ranks of a side up to its last piece, farthest first."""
        files, ranks = self.resolved.files, self.resolved.ranks
        cells: dict[Square, str] = dict.fromkeys(self.begin.walls, "*")
        cells |= {
            each.square: self._code_of_placed_piece(each.key, each.side, promoted=each.promoted)
            for each in self.begin.pieces
            if each.side == side
        }
        if side:
            cells = {square_seen_by(1, at, files, ranks): cell for at, cell in cells.items()}
        top = max((y for _, y in cells), default=-1)
        return [[cells.get((x, y), ".") for x in range(files)] for y in range(top, -1, -1)]

    def _code_of_placed_piece(self, key: str, side: int, *, promoted: bool) -> str:
        form = (
            ImportedPiece(self.shogi[key], key)
            if promoted and key in self.shogi
            else ImportedPiece(key)
        )
        return self.code(form, side)

    def _hand_text(self, side: int) -> str:
        held = self.begin.hands[side].items()
        return " ".join(
            f"{self.code(ImportedPiece(key), side)}{f'*{n}' if n > 1 else ''}"
            for key, n in held
            if key
        )

    # Moves

    def captures_en_passant(self, key: str, side: int) -> bool:
        """Whether it takes pieces that have passed it; some enemy must leave a trail for that."""
        # The program's own pawn does, whatever the list says.
        if key != "pawn" and key not in self.resolved.types["enPassantTypes"][side]:
            return False
        options = self._general_and_regional_moves(key)[0].movement.options
        if all(_with_en_passant(each) == each for each in options):
            return False
        return any(self.is_capturable_en_passant(other, 1 - side) for other in self.owners)

    def is_capturable_en_passant(self, key: str, side: int) -> bool:
        """Whether such a piece of a side may be captured on squares that it has passed."""
        firsts = (
            self._general_and_regional_moves(key)[1] if side in self.owners.get(key, ()) else ()
        )
        return any(self._ep_capturable_start_squares(key, first, side) for first in firsts)

    def promotes_with_double_step(self, side: int) -> bool:
        """Whether a double step that may be answered en passant can promote."""
        zone, sign = self.region_squares("promotionRegion", side), -1 if side else 1
        takers = [key for key in self.owners if self.captures_en_passant(key, 1 - side)]
        return any(
            isinstance(first.way, Leg)
            and any((x + dx, y + sign * dy) in zone for dx, dy in first.way.steps)
            and any(self._may_capture_on_rank(key, y + sign, 1 - side) for key in takers)
            for key, sides in self.owners.items()
            if side in sides and self.promotions(key, side)
            for first in self._general_and_regional_moves(key)[1]
            for x, y in self._ep_capturable_start_squares(key, first, side)
        )

    def _may_capture_on_rank(self, key: str, rank_index: int, side: int) -> bool:
        """Whether a piece can ever capture on a rank: one that only advances begins behind it."""
        ahead = all(
            isinstance(option.way, Leg) and all(dy > 0 for _, dy in option.way.steps)
            for option in self._general_and_regional_moves(key)[0].movement.options
        )
        begins = self.begin.squares(key, side) | self._drop_squares(key, side)
        first = min((self.relative_rank(rank, side) for _, rank in begins), default=0)
        return not ahead or self.relative_rank(rank_index, side) > first

    def captures_en_passant_where_it_moves(self, key: str, side: int) -> bool:
        """Whether it captures en passant on squares where it may go without a capture as well."""
        if not self.captures_en_passant(key, side):
            return False
        rest, firsts = self._general_and_regional_moves(key)
        captures = [each for each in rest.movement.options if _with_en_passant(each) != each]
        quiet = [each for each in rest.movement.options if each not in captures]
        size = max(self.resolved.files, self.resolved.ranks)
        goals = (
            {
                each.to
                for each in moves(
                    _with_hoppers_as_sliders(_piece_of_unconditional_moves(options)), radius=size
                )
            }
            for options in (
                [_as_move_to_empty_square(each) for each in captures],
                [*quiet, *firsts],
            )
        )
        return not set.isdisjoint(*goals)

    def _general_and_regional_moves(self, key: str) -> tuple[Piece, list[Option]]:
        """The moves of a piece, and those that it has from certain squares only."""
        piece = read(
            "fW" if self._is_soldier_with_promotion_rank(key) else self.resolved.betza[key]
        )
        firsts = [each for each in piece.movement.options if each.when]
        if firsts:
            rest = tuple(each for each in piece.movement.options if not each.when)
            piece = as_piece(replace(piece.movement, options=rest)) if rest else read("")
        return piece, firsts

    def _double_step_squares(self, key: str, side: int) -> frozenset[Square]:
        """The squares from which pieces have extra moves (double steps).

        The program's own pawn passes no square where it may not stand.
        """
        if not self.resolved.is_true("doubleStep"):
            return frozenset()
        starts, sign = self.region_squares("doubleStepRegion", side), -1 if side else 1
        region = self.mobility_region(key, side) if key == "pawn" else None
        if not region:
            return starts
        return frozenset((x, y) for x, y in starts if (x, y + sign) in region)

    def _ep_capturable_start_squares(self, key: str, first: Option, side: int) -> frozenset[Square]:
        """The squares from which such a move can be answered by a capture en passant."""
        way = first.way
        if not isinstance(way, Leg) or way.between != "empty":
            return frozenset()
        (dx, dy), sign = way.steps[0], -1 if side else 1
        passed = self.region_squares("enPassantRegion", 1 - side)
        return frozenset(
            (x, y)
            for x, y in self._double_step_squares(key, side)
            if (x, y + sign * dy // 2) in passed or dx
        )

    def ep_squares(self, side: int) -> frozenset[Square]:
        """The squares on which what has just passed them may be captured en passant."""
        sign = -1 if side else 1
        passed = frozenset((x, y + sign) for x, y in self._double_step_squares("", side))
        return passed & self.region_squares("enPassantRegion", 1 - side)

    def betza_text(self, piece: ImportedPiece, side: int) -> str:
        """How it moves wherever it stands, and on its first move where that comes to the same."""
        rest, firsts = self._general_and_regional_moves(piece.key)
        text = rest.text
        if self.captures_en_passant(piece.key, side):
            options = tuple(_with_en_passant(each) for each in rest.movement.options)
            text = write(as_piece(replace(rest.movement, options=options)), "betza")
        for first in firsts:
            if self.is_double_step_an_initial_move(piece.key):
                starts = self._double_step_squares(piece.key, side)
                text += f"i{_betza_without_condition(first)}" if starts else ""
            elif (
                answerable := self._is_ep_capturable_from_everywhere(piece.key, first)
            ) is not None:
                text += _betza_as_run(first) if answerable else _betza_without_condition(first)
        return text + (
            self._castling_text(piece, 0) if self._do_both_players_castle_alike(piece) else ""
        )

    def is_double_step_an_initial_move(self, key: str) -> bool:
        """Whether leaping farther from certain squares is the same as doing so first of all.

        It is where all such pieces begin there, on one rank, and never come there otherwise, nor
        are made of others by changing sides.
        """
        if self.resolved.values["flipEnclosedPieces"] != "none":
            return False
        if len({bool(self._double_step_squares(key, side)) for side in self.owners[key]}) > 1:
            return False
        rest, firsts = self._general_and_regional_moves(key)
        ahead = all(
            isinstance(each.way, Leg) and all(dy > 0 for _, dy in each.way.steps)
            for each in rest.movement.options
        )
        return ahead and all(
            self._starts_on_double_step_squares(key, side, firsts) for side in self.owners[key]
        )

    def _starts_on_double_step_squares(self, key: str, side: int, firsts: list[Option]) -> bool:
        starts, start = self._double_step_squares(key, side), self.begin.squares(key, side)
        if not starts:
            return True
        others = (
            self.resolved.types["enPassantTypes"][1 - side]
            | {"pawn"} & self.resolved.letters.keys()
        )
        trail = all(
            self._ep_capturable_start_squares(key, first, side) == starts for first in firsts
        )
        dropped = self._drop_squares(key, side)
        home = {self.relative_rank(rank, side) for _, rank in starts}
        return (
            len(home) == 1
            and (starts == start if dropped else start <= starts)
            and all(self.relative_rank(rank, side) >= min(home) for _, rank in dropped)
            and (trail or not others)
        )

    def _drop_squares(self, key: str, side: int) -> frozenset[Square]:
        """Where pieces may come from the hand, of which only pawns keep away from the edge."""
        if not self.resolved.is_true("pieceDrops"):
            return frozenset()
        edge = key == "pawn" and not self.resolved.is_true("firstRankPawnDrops")
        squares = self.region_squares("dropRegion", side) & self.board
        return frozenset((x, y) for x, y in squares if not edge or self.relative_rank(y, side) > 1)

    def regional_moves(self, piece: ImportedPiece) -> Iterator[tuple[str, Area, str]]:
        """Moves from some squares only: where the words for it are, the squares, and Betza."""
        if not self.is_double_step_an_initial_move(piece.key):
            for first in self._general_and_regional_moves(piece.key)[1]:
                yield from self._regional_double_steps(piece.key, first)
        yield from self._castling_that_differs_by_side(piece)
        lines = self.resolved.areas["diagonalLines"][0] & self.board
        on_lines = PALACE_LINE_MOVES.get(piece.key) or (
            piece.key == "king" and self.resolved.betza["king"] == "W" and "F"
        )
        if lines and on_lines:
            yield "in", (lines, lines), on_lines
        if (
            piece.key == "soldier"
            and (rank := int(self.resolved.values["soldierPromotionRank"])) > 1
        ):
            beyond = [
                frozenset((x, y) for x, y in self.board if self.relative_rank(y, side) >= rank)
                for side in (0, 1)
            ]
            yield "at", (beyond[0], beyond[1]), "sW"

    def _castling_that_differs_by_side(
        self, piece: ImportedPiece
    ) -> Iterator[tuple[str, Area, str]]:
        """Castling from the square of each side, where it is not the same for both."""
        if (
            not piece.promotes_from
            and self.castles_after_drop
            and piece.key in self._castling_kings(0)
        ):
            yield "at", self._dropped_king_castling_squares(), self._dropped_castling_text()
        elif not self._do_both_players_castle_alike(piece):
            for side in (0, 1):
                home, text = self.king_square(side), self._castling_text(piece, side)
                if home and text:
                    own, none = frozenset({home}), frozenset[Square]()
                    yield "at", (none, own) if side else (own, none), text

    def _is_ep_capturable_from_everywhere(self, key: str, first: Option) -> bool | None:
        """Whether a farther move from any square may be answered by a capture en passant.

        None where it is not made from every square, or may be answered from some squares only.
        """
        answerable: set[bool | None] = set()
        for side in self.owners[key]:
            if not self._double_step_squares(key, side) >= self.board:
                return None
            useful = self.board - self._squares_without_moves(
                _piece_of_unconditional_moves([first]), side
            )
            trail = self._ep_capturable_start_squares(key, first, side) & useful
            answerable.add(bool(trail) if trail in {useful, frozenset()} else None)
        return answerable.pop() if len(answerable) == 1 else None

    def _regional_double_steps(self, key: str, first: Option) -> Iterator[tuple[str, Area, str]]:
        if self._is_ep_capturable_from_everywhere(key, first) is not None:
            return
        starts = [
            self._double_step_squares(key, side) if side in self.owners[key] else frozenset()
            for side in (0, 1)
        ]
        trails = [
            self._ep_capturable_start_squares(key, first, side) & starts[side] for side in (0, 1)
        ]
        plain = (starts[0] - trails[0], starts[1] - trails[1])
        if any(trails):
            yield "at", (trails[0], trails[1]), _betza_as_run(first)
        if any(plain):
            yield "at", plain, _betza_without_condition(first)

    def relative_rank(self, rank_index: int, side: int) -> int:
        """A rank, from 1, as its owner counts."""
        return self.resolved.ranks - rank_index if side else rank_index + 1

    def _is_soldier_with_promotion_rank(self, key: str) -> bool:
        return key == "soldier" and int(self.resolved.values["soldierPromotionRank"]) > 1

    def immobile_squares(self, key: str, side: int) -> frozenset[Square]:
        """The squares to which a piece may not go, as it could never move again.

        The program looks at an empty board, on which hoppers go as if they were sliders, and all
        pass walls, where they only cannot stay.
        """
        if not self.resolved.is_true("immobilityIllegal"):
            return frozenset()
        return self._squares_without_moves(
            _with_hoppers_as_sliders(self._general_and_regional_moves(key)[0]), side
        )

    def has_captures_on_immobile_squares(self, key: str, side: int) -> bool:
        """Whether a piece has captures, where the program calls it immobile for want of moves."""
        piece, _ = self._general_and_regional_moves(key)
        flip = self.resolved.ranks - 1 if side else 0
        squares = ((x, abs(flip - y)) for x, y in self.immobile_squares(key, side))
        return any(
            has_capture_from(piece, self.resolved.files, self.resolved.ranks, at) for at in squares
        )

    def is_stuck_in(self, key: str, side: int, zone: frozenset[Square]) -> bool:
        """Whether a piece can never leave any square of a zone."""
        return zone <= self._squares_without_moves(
            _with_hoppers_as_sliders(self._general_and_regional_moves(key)[0]), side
        )

    def _squares_without_moves(self, piece: Piece, side: int) -> frozenset[Square]:
        """The squares from which a piece can only go to walls of the start, or nowhere."""
        files, ranks = self.resolved.files, self.resolved.ranks
        flip = ranks - 1 if side else 0
        held = {(x, abs(flip - y)) for x, y in self.begin.walls}
        result = (
            (x, y)
            for x, y in self.board
            if held.issuperset(
                (x + each.to[0], y + each.to[1])
                for each in moves(piece, files=files, ranks=ranks, at=(x, y))
            )
        )
        return frozenset((x, abs(flip - y)) for x, y in result)

    # Castling

    def _do_both_players_castle_alike(self, piece: ImportedPiece) -> bool:
        """Whether it castles in the same way on both sides, or one side alone has it."""
        return len({self._castling_text(piece, side) for side in (0, 1)}) == 1

    def _castling_text(self, piece: ImportedPiece, side: int) -> str:
        """The Betza of castling, where its two wings can be told in it; "" for none."""
        if (
            piece.promotes_from
            or self.castles_from_anywhere
            or piece.key not in self._castling_kings(side)
        ):
            return ""
        text = ""
        wings = [self._castling_side(side, castling_side) for castling_side in "KQ"]
        if wings[0] and wings[0] == wings[1]:
            return f"is{wings[0].text}"
        for castling_side, result in zip("KQ", wings, strict=True):
            right = (castling_side == "K") != bool(side)
            text += f"i{'r' if right else 'l'}{result.text}" if result else ""
        return text

    @property
    def has_castling(self) -> bool:
        """Whether anything castles, be it what was dropped."""
        wings = any(
            self._castling_side(side, castling_side) for side in (0, 1) for castling_side in "KQ"
        )
        return wings or self.castles_after_drop

    @property
    def castles_from_anywhere(self) -> bool:
        """Whether king and partner castle from wherever they stand.

        So it is written, too, where the king goes to its partner's square or past it.
        """
        wings = [
            self._castling_side(side, castling_side) for side in (0, 1) for castling_side in "KQ"
        ]
        far = any(
            "jj" in castling_side.text or castling_side.passes_partner
            for castling_side in wings
            if castling_side
        )
        return self.resolved.is_true("chess960") or far

    def has_unambiguous_castling_partners(self) -> bool:
        """Whether pieces castle so with the partners that they have here, and no others."""
        castling = self.resolved.types["castlingRookPieces"]
        return castling[0] == castling[1] and all(
            self._partner_files(side, castling_side)[1:] == []
            and bool(self._partner_files(side, castling_side))
            == bool(self._castling_side(side, castling_side))
            for side in (0, 1)
            for castling_side in "KQ"
        )

    def _partner_files(self, side: int, castling_side: str) -> list[int]:
        """The files of all pieces on one side of the king that may castle, and are on its rank."""
        king, rooks = self.king_square(side), self.resolved.types["castlingRookPieces"][side]
        return [
            each.square[0]
            for each in self.begin.pieces
            if king and (each.side, each.square[1]) == (side, king[1])
            if each.key in rooks and each.square != king
            if (each.square[0] > king[0]) == (castling_side == "K")
        ]

    @property
    def castles_after_drop(self) -> bool:
        """Whether kings are dropped before anything moves, and castle with what was dropped."""
        means = self.resolved
        needed = ("castling", "castlingDroppedPiece", "mustDrop", "pieceDrops")
        kings = self._castling_kings(0)
        standing = any(each.key in kings for each in self.begin.pieces)
        held = all(any(hand[key] for key in kings) for hand in self.begin.hands)
        return (
            all(means.is_true(each) for each in needed)
            and not means.is_true("capturesToHand")
            and held
            and not standing
        )

    def _dropped_king_castling_squares(self) -> Area:
        """The square from which a dropped king castles, of each side."""
        values = self.resolved.values
        file, y = _file_index(values["castlingKingFile"]), int(values["castlingRank"]) - 1
        return frozenset({(file, y)}), frozenset({(file, self.resolved.ranks - 1 - y)})

    def _dropped_castling_text(self) -> str:
        """The Betza of castling with what was dropped in the places for it."""
        values, last = self.resolved.values, self.resolved.files - 1
        home, text = _file_index(values["castlingKingFile"]), ""
        for castling_side, way in (("King", "r"), ("Queen", "l")):
            goes = abs(_file_index(values[f"castling{castling_side}sideFile"]) - home)
            rook = min(_file_index(values[f"castlingRook{castling_side}sideFile"]), last)
            inset = last - rook if castling_side == "King" else rook
            text += f"i{way}{'j' * inset}O{goes}"
        return text

    def _castling_kings(self, side: int) -> frozenset[str]:
        means = self.resolved
        return means.types["castlingKingPiece"][side] if means.is_true("castling") else frozenset()

    def castling_targets(self, key: str, side: int) -> frozenset[Square]:
        """The squares to which a king may castle."""
        if key not in self._castling_kings(side):
            return frozenset()
        rank = int(self.resolved.values["castlingRank"])
        y = self.resolved.ranks - rank if side else rank - 1
        return frozenset(
            (_file_index(self.resolved.values[f"castling{name}File"]), y)
            for letter, name in (("K", "Kingside"), ("Q", "Queenside"))
            if self.castles_after_drop or self._castling_side(side, letter)
        )

    def king_square(self, side: int) -> Square | None:
        """The square of the castling piece, or None."""
        rank = int(self.resolved.values["castlingRank"]) - 1
        y = self.resolved.ranks - 1 - rank if side else rank
        kings = self._castling_kings(side)
        result = sorted(
            each.square
            for each in self.begin.pieces
            if each.side == side and each.key in kings and each.square[1] == y
        )
        file = _file_index(self.resolved.values["castlingKingFile"])
        return (file, y) if (file, y) in result else next(iter(result), None)

    def _castling_side(self, side: int, castling_side: str) -> CastlingSide | None:
        """Castling on one side, or None."""
        king = self.king_square(side)
        if (
            king is None
            or (castling_side.lower() if side else castling_side) not in self.begin.rights
        ):
            return None
        name = "Kingside" if castling_side == "K" else "Queenside"
        goes = abs(_file_index(self.resolved.values[f"castling{name}File"]) - king[0])
        rooks = self.resolved.types["castlingRookPieces"][side]
        outer = _file_index(self.resolved.values[f"castlingRook{name}File"])
        last = self.resolved.files - 1
        inward = (
            range(min(outer, last), king[0], -1) if castling_side == "K" else range(outer, king[0])
        )
        stones = {each.square: each for each in self.begin.pieces if each.side == side}
        partner = next(
            (x for x in inward if (x, king[1]) in stones and stones[x, king[1]].key in rooks), None
        )
        if partner is None or goes < 1:
            return None
        inset = last - partner if castling_side == "K" else partner
        return CastlingSide(f"{'j' * inset}O{goes}", abs(partner - king[0]) <= goes)


def has_capture_from(piece: Piece, files: int, ranks: int, at: Square) -> bool:
    """Whether a piece has a capture on a board full of enemies."""
    (x, y) = at
    others = [(a - x, b - y) for a, b in product(range(files), range(ranks)) if (a, b) != at]
    return bool(moves(piece, files=files, ranks=ranks, at=at, enemies=others))


def _file_index(value: str) -> int:
    """A file as a number from 0."""
    return int(value) - 1 if value.isdecimal() else ord(value) - ord("a")


def _with_en_passant(option: Option) -> Option:
    """A capture that takes what passed by, too, unless it may also be a move without a capture."""
    way = option.way
    if not isinstance(way, Leg) or "enemy" not in way.ends or "empty" in way.ends:
        return option
    return replace(option, way=replace(way, ends=(*way.ends, "passer")))


def _as_move_to_empty_square(option: Option) -> Option:
    """A capture as a move to an empty square."""
    way = option.way
    return replace(option, way=replace(way, ends=("empty",))) if isinstance(way, Leg) else option


def _piece_of_unconditional_moves(options: Iterable[Option]) -> Piece:
    """Moves that may be made at any time, first moves or not."""
    return as_piece(Movement(tuple(replace(each, when=(), passer=False) for each in options)))


def _betza_without_condition(option: Option) -> str:
    """A first move as one that may be made at any time."""
    return write(_piece_of_unconditional_moves([option]), "betza")


def _betza_as_run(option: Option) -> str:
    """The same as a run over every square, which may be captured en passant."""
    text = _betza_without_condition(option)
    return text[:-1] + RUN_BY_LAME_LEAP.get(text[-1], text[-1])


def _with_hoppers_as_sliders(piece: Piece) -> Piece:
    """A piece whose legs need no hurdle."""
    options = piece.movement.options
    ways = [
        replace(way, hop="none") if isinstance(way := each.way, Leg) else way for each in options
    ]
    if all(way == each.way for way, each in zip(ways, options, strict=True)):
        return piece
    result = tuple(replace(each, way=way) for way, each in zip(ways, options, strict=True))
    return as_piece(replace(piece.movement, options=result))


def _square_list(squares: Iterable[Square]) -> str:
    return ",".join(square_name(*each) for each in sorted(squares))

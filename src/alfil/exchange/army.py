"""The pieces of a `variants.ini` as kinds of a piece file: their moves, and which side has them.

What Fairy-Stockfish says of squares (double steps, castling, lines of a palace) is of the piece
itself here, or of a line of further moves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from alfil.api import Piece, as_piece, moves, read, write
from alfil.exchange.meant import ALL, Area, Meant
from alfil.movement.nodes import Leg, Movement, Option
from alfil.squares import Square, square_name

BOARD = re.compile(r"(\+?)([A-Za-z])(~?)|([0-9]+)|(\*)|(/)")
CHECKS = re.compile(r"([1-9])\+[1-9]")
# The pieces of whom the program knows further moves on the lines of a palace.
ON_LINES = {"rook": "B", "janggiCannon": "pB", "soldier": "fF", "wazir": "F"}
# The first moves of Cambodian chess.
CAMBODIAN = {"king": "ismN", "fers": "imfD"}
# What pawns promote to, in the order in which people name it; other pieces stand after the first.
ORDER = {"queen": 0, "rook": 2, "bishop": 3, "knight": 4}
# A lame leap of two squares as a run of two, which leaves a trail.
AS_RUN = {"D": "R2", "A": "B2"}


class Man(NamedTuple):
    """A kind of piece by the name of its setting, ``of`` that of the piece that promotes to it.

    It is "" where the piece is itself.
    """

    key: str
    of: str = ""


class Stone(NamedTuple):
    """A piece of the start position; ``promoted`` is one with a + before its letter."""

    square: Square
    side: int
    key: str
    promoted: bool


class Wing(NamedTuple):
    """Castling to one wing: O with how far the king goes; ``past`` is not short of its partner."""

    text: str
    past: bool


@dataclass
class Start:
    """A start position: what stands and what is in hand, whose move it is, and who may castle.

    ``turned`` is whether some piece is marked as promoted with a ~ behind its letter.
    """

    stones: list[Stone]
    walls: frozenset[Square]
    hands: tuple[Counter[str], Counter[str]]
    second_moves: bool
    rights: str
    checks: int
    unknown: str = ""
    turned: bool = False

    def squares(self, key: str, side: int) -> frozenset[Square]:
        """Where a side has such pieces."""
        found = (each for each in self.stones if (each.key, each.side) == (key, side))
        return frozenset(each.square for each in found if not each.promoted)

    def count(self, key: str, side: int) -> int:
        """How many of them a side has, in hand too."""
        standing = sum((each.key, each.side) == (key, side) for each in self.stones)
        return standing + self.hands[side][key]


def start_of(means: Meant) -> Start:
    """The start position of a variant."""
    board, *rest = means.values["startFen"].split() or [""]
    plain, _, held = board.rstrip("]").partition("[")
    found = Start([], frozenset(), (Counter(), Counter()), rest[:1] == ["b"], "", 1)
    file, rank = 0, means.ranks - 1
    walls: set[Square] = set()
    for plus, letter, tilde, gap, wall, row in BOARD.findall(plain):
        if row:
            file, rank = 0, rank - 1
            continue
        if wall:
            walls.add((file, rank))
        if letter:
            key = means.piece(letter)
            found.unknown += letter * (not key)
            found.turned |= bool(tilde)
            found.stones.append(Stone((file, rank), int(letter.islower()), key, bool(plus)))
        file += int(gap or 1)
    found.walls = frozenset(walls)
    for letter in held.replace("-", ""):
        found.hands[int(letter.islower())][means.piece(letter)] += 1
    found.rights = next((each for each in rest[1:2] if not each.isdecimal()), "-")
    found.checks = next((int(each[0]) for each in rest if CHECKS.fullmatch(each)), 1)
    return found


class Army:
    """All kinds of a variant, and their moves by side.

    ``means`` has its settings, ``begin`` its start. ``chances`` are the kinds to which a piece
    promotes, ``shogi`` those pieces that promote to a form of their own.
    """

    def __init__(self, means: Meant, begin: Start) -> None:
        self.means, self.begin = means, begin
        self.board = frozenset(product(range(means.files), range(means.ranks)))
        self.to_hand = means.holds("capturesToHand") and means.holds("pieceDrops")
        self.keeps_base = self.to_hand and not means.holds("dropLoop")
        self.shogi = {
            key: form
            for key, form in means.counts["promotedPieceType"].items()
            if key in means.letters and form in means.letters
        }
        self.owners = self._owners()
        self.kinds = tuple(self._kinds())
        self.split = self._split()

    # Who has what

    def promotes(self, key: str, side: int) -> tuple[Man, ...]:
        """The kinds to which a piece promotes, in the order of the settings."""
        if key in self.shogi:
            return (Man(self.shogi[key], key),)
        if key not in self.means.types["promotionPawnTypes"][side]:
            return ()
        if not self.area("promotionRegion", side):
            return ()
        forms = self.means.types["promotionPieceTypes"][side]
        ordered = [each for each in self.means.letters if each in forms or ALL in forms]
        ordered.sort(key=lambda form: ORDER.get(form, 1))
        return tuple(Man(each, key if self.keeps_base else "") for each in ordered)

    def area(self, name: str, side: int) -> frozenset[Square]:
        """The squares of a setting that are on the board."""
        return self.means.areas[name][side] & self.board

    def _owners(self) -> dict[str, set[int]]:
        """The sides that may have each piece."""
        begin, free = self.begin, self.means.values["enclosingDrop"] != "none"
        found: dict[str, set[int]] = {
            key: {side for side in (0, 1) if free or begin.count(key, side)}
            for key in self.means.letters
        }
        to_hand = self.means.holds("capturesToHand")
        before = None
        while before != found:
            before = {key: set(sides) for key, sides in found.items()}
            for key, sides in before.items():
                for side in sides:
                    for form in self.promotes(key, side):
                        found[form.key].add(side)
                if to_hand and sides:
                    found[key] = {0, 1}
        return found

    def _kinds(self) -> Iterator[Man]:
        """The kinds that there may be, plain ones first."""
        used = [key for key, sides in self.owners.items() if sides]
        plain = [key for key in used if self._is_itself(key)]
        plain.sort(key=lambda key: ("pawn" in key.lower(), key != "king"))
        yield from (Man(key) for key in plain)
        forms = (form for key in plain for side in (0, 1) for form in self.promotes(key, side))
        yield from dict.fromkeys(form for form in forms if form.of)

    def _is_itself(self, key: str) -> bool:
        """Whether a piece is ever on the board, or in a hand, that has not promoted to be it."""
        begin = self.begin
        standing = any(each.key == key and not each.promoted for each in begin.stones)
        held = any(hand[key] for hand in begin.hands)
        promoted = any(
            Man(key) in self.promotes(other, side)
            for other, sides in self.owners.items()
            for side in sides
        )
        free = self.means.values["enclosingDrop"] != "none"
        turned = any(each.key == key and each.promoted for each in begin.stones)
        return standing or held or promoted or free or (turned and key in self.shogi)

    def _split(self) -> frozenset[Man]:
        """The kinds that are not the same for both sides."""
        both = [man for man in self.kinds if len(self.owners[man.key]) > 1]
        found = {man for man in both if self._features(man, 0) != self._features(man, 1)}
        before = None
        while before != found:
            before = set(found)
            for man in both:
                forms = {*self.promotes(man.key, 0), *self.promotes(man.key, 1)}
                if not man.of and forms & found:
                    found.add(man)
        return frozenset(found)

    def _features(self, man: Man, side: int) -> object:
        """What may differ from side to side."""
        forms = () if man.of else self.promotes(man.key, side)
        return (forms, self._captures_in_passing(man.key, side))

    def codes(self, man: Man) -> list[str]:
        """The codes of a kind; two of them where it differs from side to side."""
        letter = self.means.letters[man.key].upper()
        if man.of and man.of in self.shogi:
            letter = f"+{self.means.letters[man.of].upper()}"
        elif man.of:
            letter = f"+{letter}"
        return [f"{letter}W", f"{letter}B"] if man in self.split else [letter]

    def code(self, man: Man, side: int) -> str:
        """The code of a kind for one side."""
        return self.codes(man)[side if man in self.split else 0]

    def all_of(self, key: str) -> list[str]:
        """The codes of all kinds that are a piece of this name."""
        return [code for man in self.kinds if man.key == key for code in self.codes(man)]

    # Squares and the start

    def region(self, areas: Area, name: str) -> Iterator[str]:
        """The lines of a region, each side's as it sees the board."""
        files, ranks = self.means.files, self.means.ranks
        turned = frozenset((files - 1 - x, ranks - 1 - y) for x, y in areas[1])
        if turned == areas[0] and areas[0]:
            yield f"region {name} squares={_listed(areas[0])}"
            return
        # A side without squares has no line.
        for word, squares in (("first", areas[0]), ("second", turned)):
            if squares:
                yield f"region {name} {word} squares={_listed(squares)}"

    def top_ranks(self, areas: Area) -> int:
        """How many of the last ranks they are for both sides, 0 if something else."""
        ranks = self.means.ranks
        tops = (
            tuple(
                frozenset((x, y) for x, y in self.board if self.rank(y, side) > ranks - count)
                for side in (0, 1)
            )
            for count in range(1, ranks + 1)
        )
        return next((count for count, top in enumerate(tops, 1) if top == areas), 0)

    def setup(self, *, hands_shown: bool) -> list[str]:
        """The lines of the start position, of each side as it sees it."""
        boards = [self._rows(side) for side in (0, 1)]
        lines: list[str] = []
        hands = [self._hand(side) if hands_shown else "" for side in (0, 1)]
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

    def _rows(self, side: int) -> list[list[str]]:
        """The ranks of a side up to its last piece, farthest first."""
        files, ranks = self.means.files, self.means.ranks
        cells: dict[Square, str] = dict.fromkeys(self.begin.walls, "*")
        cells |= {
            each.square: self._stone(each.key, each.side, promoted=each.promoted)
            for each in self.begin.stones
            if each.side == side
        }
        if side:
            cells = {(files - 1 - x, ranks - 1 - y): cell for (x, y), cell in cells.items()}
        top = max((y for _, y in cells), default=-1)
        return [[cells.get((x, y), ".") for x in range(files)] for y in range(top, -1, -1)]

    def _stone(self, key: str, side: int, *, promoted: bool) -> str:
        form = Man(self.shogi[key], key) if promoted and key in self.shogi else Man(key)
        return self.code(form, side)

    def _hand(self, side: int) -> str:
        held = self.begin.hands[side].items()
        return " ".join(
            f"{self.code(Man(key), side)}{f'*{n}' if n > 1 else ''}" for key, n in held if key
        )

    # Moves

    def _captures_in_passing(self, key: str, side: int) -> bool:
        """Whether it takes pieces that have passed it; some enemy must leave a trail for that."""
        # The program's own pawn does, whatever the list says.
        if key != "pawn" and key not in self.means.types["enPassantTypes"][side]:
            return False
        left = (
            self._trails(first, 1 - side)
            for other, sides in self.owners.items()
            if 1 - side in sides
            for first in self._parts(other)[1]
        )
        return any(left)

    def _parts(self, key: str) -> tuple[Piece, list[Option]]:
        """The moves of a piece, and those that it has from certain squares only."""
        piece = read("fW" if self._grows(key) else self.means.betza[key])
        firsts = [each for each in piece.movement.options if each.when]
        if firsts:
            rest = tuple(each for each in piece.movement.options if not each.when)
            piece = as_piece(replace(piece.movement, options=rest)) if rest else read("")
        return piece, firsts

    def _starts(self, side: int) -> frozenset[Square]:
        """Where pieces go farther than elsewhere."""
        return (
            self.area("doubleStepRegion", side) if self.means.holds("doubleStep") else frozenset()
        )

    def _trails(self, first: Option, side: int) -> frozenset[Square]:
        """The squares from which such a move can be answered by a capture en passant."""
        way = first.way
        if not isinstance(way, Leg) or way.between != "empty":
            return frozenset()
        (dx, dy), sign = way.steps[0], -1 if side else 1
        passed = self.area("enPassantRegion", 1 - side)
        return frozenset(
            (x, y) for x, y in self._starts(side) if (x, y + sign * dy // 2) in passed or dx
        )

    def trail(self, side: int) -> frozenset[Square]:
        """The squares on which what has just passed them may be captured en passant."""
        sign = -1 if side else 1
        passed = frozenset((x, y + sign) for x, y in self._starts(side))
        return passed & self.area("enPassantRegion", 1 - side)

    def text(self, man: Man, side: int) -> str:
        """How it moves wherever it stands, and on its first move where that comes to the same."""
        rest, firsts = self._parts(man.key)
        text = rest.text
        if self._captures_in_passing(man.key, side):
            options = tuple(_in_passing(each) for each in rest.movement.options)
            text = write(as_piece(replace(rest.movement, options=options)), "betza")
        for first in firsts:
            if self.by_itself(man.key):
                text += f"i{_plain(first)}" if self._starts(side) else ""
            elif self._starts(side) >= self.board:
                text += _run(first)
        return text + (self._castling(man, 0) if self._castles_alike(man) else "")

    def by_itself(self, key: str) -> bool:
        """Whether leaping farther from certain squares is the same as doing so first of all.

        It is where all such pieces begin there, on one rank, and never come there otherwise.
        """
        rest, firsts = self._parts(key)
        ahead = all(
            isinstance(each.way, Leg) and all(dy > 0 for _, dy in each.way.steps)
            for each in rest.movement.options
        )
        return ahead and all(self._begins_there(key, side, firsts) for side in self.owners[key])

    def _begins_there(self, key: str, side: int, firsts: list[Option]) -> bool:
        starts, begin = self._starts(side), self.begin.squares(key, side)
        if not starts:
            return True
        others = self.means.types["enPassantTypes"][1 - side] | {"pawn"} & self.means.letters.keys()
        trail = all(self._trails(first, side) == starts for first in firsts)
        dropped = self._dropped_on(key, side)
        home = {self.rank(rank, side) for _, rank in starts}
        return (
            len(home) == 1
            and (starts == begin if dropped else begin <= starts)
            and all(self.rank(rank, side) >= min(home) for _, rank in dropped)
            and (trail or not others)
        )

    def _dropped_on(self, key: str, side: int) -> frozenset[Square]:
        """Where pieces may come from the hand, of which only pawns keep away from the edge."""
        if not self.means.holds("pieceDrops"):
            return frozenset()
        edge = key == "pawn" and not self.means.holds("firstRankPawnDrops")
        squares = self.area("dropRegion", side) & self.board
        return frozenset((x, y) for x, y in squares if not edge or self.rank(y, side) > 1)

    def further(self, man: Man) -> Iterator[tuple[str, Area, str]]:
        """Moves from some squares only: where the words for it are, the squares, and Betza."""
        if not self.by_itself(man.key):
            for first in self._parts(man.key)[1]:
                yield from self._from_squares(man.key, first)
        yield from self._castling_from(man)
        lines = self.means.areas["diagonalLines"][0] & self.board
        on_lines = ON_LINES.get(man.key) or (
            man.key == "king" and self.means.betza["king"] == "W" and "F"
        )
        if lines and on_lines:
            yield "in", (lines, lines), on_lines
        if man.key == "soldier" and (rank := int(self.means.values["soldierPromotionRank"])) > 1:
            beyond = [
                frozenset((x, y) for x, y in self.board if self.rank(y, side) >= rank)
                for side in (0, 1)
            ]
            yield "at", (beyond[0], beyond[1]), "sW"

    def _castling_from(self, man: Man) -> Iterator[tuple[str, Area, str]]:
        """Castling from the square of each side, where it is not the same for both."""
        if not man.of and self.castles_dropped and man.key in self._castling_kings(0):
            yield "at", self._dropped_home(), self._dropped_castling()
        elif not self._castles_alike(man):
            for side in (0, 1):
                home, text = self.king_square(side), self._castling(man, side)
                if home and text:
                    own, none = frozenset({home}), frozenset[Square]()
                    yield "at", (none, own) if side else (own, none), text

    def _from_squares(self, key: str, first: Option) -> Iterator[tuple[str, Area, str]]:
        starts = [
            self._starts(side) if side in self.owners[key] else frozenset() for side in (0, 1)
        ]
        if all(each >= self.board or not each for each in starts):
            return
        trails = [self._trails(first, side) & starts[side] for side in (0, 1)]
        plain = (starts[0] - trails[0], starts[1] - trails[1])
        if any(trails):
            yield "at", (trails[0], trails[1]), _run(first)
        if any(plain):
            yield "at", plain, _plain(first)

    def rank(self, y: int, side: int) -> int:
        """A rank, from 1, as its owner counts."""
        return self.means.ranks - y if side else y + 1

    def _grows(self, key: str) -> bool:
        return key == "soldier" and int(self.means.values["soldierPromotionRank"]) > 1

    def stuck(self, key: str, side: int) -> frozenset[Square]:
        """The squares from which Fairy-Stockfish finds that it could never move again.

        The program looks at an empty board, on which hoppers go as if they were sliders.
        """
        rest = _sliding(self._parts(key)[0])
        files, ranks = self.means.files, self.means.ranks
        flip = ranks - 1 if side else 0
        found = (at for at in self.board if not moves(rest, files=files, ranks=ranks, at=at))
        return frozenset((x, abs(flip - y)) for x, y in found)

    # Castling

    def _castles_alike(self, man: Man) -> bool:
        """Whether it castles in the same way on both sides, or one side alone has it."""
        return len({self._castling(man, side) for side in (0, 1)}) == 1

    def _castling(self, man: Man, side: int) -> str:
        """The Betza of castling, where its two wings can be told in it; "" for none."""
        if man.of or self.from_anywhere or man.key not in self._castling_kings(side):
            return ""
        text = ""
        wings = [self._wing(side, wing) for wing in "KQ"]
        if wings[0] and wings[0] == wings[1]:
            return f"is{wings[0].text}"
        for wing, found in zip("KQ", wings, strict=True):
            right = (wing == "K") != bool(side)
            text += f"i{'r' if right else 'l'}{found.text}" if found else ""
        return text

    @property
    def castles(self) -> bool:
        """Whether anything castles, be it what was dropped."""
        wings = any(self._wing(side, wing) for side in (0, 1) for wing in "KQ")
        return wings or self.castles_dropped

    @property
    def from_anywhere(self) -> bool:
        """Whether king and partner castle from wherever they stand.

        So it is written, too, where the king goes to its partner's square or past it.
        """
        wings = [self._wing(side, wing) for side in (0, 1) for wing in "KQ"]
        far = any("jj" in wing.text or wing.past for wing in wings if wing)
        return self.means.holds("chess960") or far

    def castles_from_anywhere_alike(self) -> bool:
        """Whether pieces castle so with the partners that they have here, and no others."""
        castling = self.means.types["castlingRookPieces"]
        return castling[0] == castling[1] and all(
            self._partners(side, wing)[1:] == []
            and bool(self._partners(side, wing)) == bool(self._wing(side, wing))
            for side in (0, 1)
            for wing in "KQ"
        )

    def _partners(self, side: int, wing: str) -> list[int]:
        """The files of all pieces on one side of the king that may castle, and are on its rank."""
        king, rooks = self.king_square(side), self.means.types["castlingRookPieces"][side]
        return [
            each.square[0]
            for each in self.begin.stones
            if king and (each.side, each.square[1]) == (side, king[1])
            if each.key in rooks and each.square != king
            if (each.square[0] > king[0]) == (wing == "K")
        ]

    @property
    def castles_dropped(self) -> bool:
        """Whether kings are dropped before anything moves, and castle with what was dropped."""
        means = self.means
        needed = ("castling", "castlingDroppedPiece", "mustDrop", "pieceDrops")
        kings = self._castling_kings(0)
        standing = any(each.key in kings for each in self.begin.stones)
        held = all(any(hand[key] for key in kings) for hand in self.begin.hands)
        return (
            all(means.holds(each) for each in needed)
            and not means.holds("capturesToHand")
            and held
            and not standing
        )

    def _dropped_home(self) -> Area:
        """The square from which a dropped king castles, of each side."""
        values = self.means.values
        file, y = _file(values["castlingKingFile"]), int(values["castlingRank"]) - 1
        return frozenset({(file, y)}), frozenset({(file, self.means.ranks - 1 - y)})

    def _dropped_castling(self) -> str:
        """The Betza of castling with what was dropped in the places for it."""
        values, last = self.means.values, self.means.files - 1
        home, text = _file(values["castlingKingFile"]), ""
        for wing, way in (("King", "r"), ("Queen", "l")):
            goes = abs(_file(values[f"castling{wing}sideFile"]) - home)
            rook = min(_file(values[f"castlingRook{wing}sideFile"]), last)
            inset = last - rook if wing == "King" else rook
            text += f"i{way}{'j' * inset}O{goes}"
        return text

    def _castling_kings(self, side: int) -> frozenset[str]:
        means = self.means
        return means.types["castlingKingPiece"][side] if means.holds("castling") else frozenset()

    def king_square(self, side: int) -> Square | None:
        """Where the piece stands that castles, None where there is none."""
        rank = int(self.means.values["castlingRank"]) - 1
        y = self.means.ranks - 1 - rank if side else rank
        kings = self._castling_kings(side)
        found = sorted(
            each.square
            for each in self.begin.stones
            if each.side == side and each.key in kings and each.square[1] == y
        )
        file = _file(self.means.values["castlingKingFile"])
        return (file, y) if (file, y) in found else next(iter(found), None)

    def _wing(self, side: int, wing: str) -> Wing | None:
        """How the king castles to one wing, None where it may not."""
        king = self.king_square(side)
        if king is None or (wing.lower() if side else wing) not in self.begin.rights:
            return None
        name = "Kingside" if wing == "K" else "Queenside"
        goes = abs(_file(self.means.values[f"castling{name}File"]) - king[0])
        rooks = self.means.types["castlingRookPieces"][side]
        outer = _file(self.means.values[f"castlingRook{name}File"])
        last = self.means.files - 1
        inward = range(min(outer, last), king[0], -1) if wing == "K" else range(outer, king[0])
        stones = {each.square: each for each in self.begin.stones if each.side == side}
        partner = next(
            (x for x in inward if (x, king[1]) in stones and stones[x, king[1]].key in rooks), None
        )
        if partner is None or goes < 1:
            return None
        inset = last - partner if wing == "K" else partner
        return Wing(f"{'j' * inset}O{goes}", abs(partner - king[0]) <= goes)


def _file(value: str) -> int:
    """A file as a number from 0."""
    return int(value) - 1 if value.isdecimal() else ord(value) - ord("a")


def _in_passing(option: Option) -> Option:
    """A capture that takes what passed by, too."""
    way = option.way
    if not isinstance(way, Leg) or "enemy" not in way.ends:
        return option
    return replace(option, way=replace(way, ends=(*way.ends, "passer")))


def _plain(option: Option) -> str:
    """A first move as one that may be made at any time."""
    return write(as_piece(Movement((replace(option, when=(), passer=False),))), "betza")


def _run(option: Option) -> str:
    """The same as a run over every square, which may be captured en passant."""
    text = _plain(option)
    return text[:-1] + AS_RUN.get(text[-1], text[-1])


def _sliding(piece: Piece) -> Piece:
    """A piece whose legs need no hurdle."""
    options = piece.movement.options
    ways = [
        replace(way, hop="none") if isinstance(way := each.way, Leg) else way for each in options
    ]
    if all(way == each.way for way, each in zip(ways, options, strict=True)):
        return piece
    found = tuple(replace(each, way=way) for way, each in zip(ways, options, strict=True))
    return as_piece(replace(piece.movement, options=found))


def _listed(squares: Iterable[Square]) -> str:
    return ",".join(square_name(*each) for each in sorted(squares))

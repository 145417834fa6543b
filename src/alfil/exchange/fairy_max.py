"""A game as Fairy-Max has it: lines for its `fmax.ini`, which say board, set-up and pieces.

That program has pawns, which stand side by side and alone promote, and other pieces behind them.
Whatever differs from a game of mate by chess's rules is a loss, so that a new rule is one until
somebody writes it here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

from alfil.errors import Finding
from alfil.exchange import OF_KINDS, Export, beside, known_to, loss, require_board, unwritten
from alfil.exchange.rays import WIDTH, Ray, castlings, first_rays, rays_of
from alfil.exchange.spelling import letters_of
from alfil.exchange.xboard import betza, name_in_xboard, places_of
from alfil.game.natures import Promotion, natures
from alfil.game.plan import plan_of
from alfil.game.variant import MATE, Kind, MoveLimit, Repetition, Rules, Variant
from alfil.library.library import Library
from alfil.meaning.automaton import ON_TRAIL
from alfil.meaning.piece import Part
from alfil.movement.rows import Unsayable
from alfil.play.opponent import Worth
from alfil.translation.rows import rows_of

FILES, RANKS, KINDS = 14, 16, 15
# Numbers of pieces: the pawns of both sides, and what they promote to.
PAWNS, FORMS = (1, 2), (7, 9)
# Values that say that no royal piece may be lost, or not the last one; that of a pawn; the last
# digit of what no pawn promotes to; what a piece is worth of what `alfil play` reckons.
ONE_ROYAL, ROYALS, PAWN, BARRED, SHARE, TEN = -1, -400, 100, 3, 0.55, 10
LIMIT, TIMES = 50, 3
# The one rank that may be said for both, where pawns stand and where the zone begins.
SHARED = 3
WRITTEN = OF_KINDS | {"drop_check", "drop_mate", "per_file", "side"}
# What a piece file does not call as the game does.
AS_WRITTEN = {"further": "its lines `moves`"}
NO_PIECE = 0


class _Line(NamedTuple):
    """The line of a piece, for one side or both."""

    code: str
    rays: tuple[Ray, ...]
    sides: tuple[int, ...]


def exported(library: Library) -> Export:
    """A game as a block for `fmax.ini`, its losses being comments before it.

    Raises `AlfilError` for a file that is no game with a set-up, and of kind "board-size" for a
    board larger than 14×16.
    """
    require_board(library, FILES, RANKS, "Fairy-Max")
    return _Game(library).export()


class _Game:
    """The lines of a game as they come about, and what is lost."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.variant = library.variant
        self.rules = library.rules
        self.natures = natures(self.variant)
        self.letters = _letters(self.variant)
        self._size = (self.variant.files, self.variant.ranks)
        self.losses: list[Finding] = []

    def export(self) -> Export:
        """The whole block."""
        variant = self.variant
        numbered = self._numbered()
        name = name_in_xboard(variant)
        rows = [self._back_rank(numbered, side) for side in (0, 1)]
        pieces = [self._text(numbered.get(each)) for each in range(1, max(numbered) + 1)]
        self._rules()
        self._kinds()
        letters = places_of(variant, self.letters)
        head = [f"// lost: {each.message}" for each in self.losses]
        notes = beside(self.rules)
        head += [f"// not written: {note}" for note in notes]
        head += [f"// {variant.title}", f"Game: {name} # {letters}{letters.lower()} # fairy"]
        size = f"{variant.files}x{variant.ranks}{self._zone()}"
        told = ["#", *self._told(), f"// end of {name}"]
        text = "\n".join([*head, size, *rows, *pieces, *told]) + "\n"
        return Export(name, text, self.letters, tuple(self.losses), notes)

    def _lose(self, what: str, message: str) -> None:
        found = loss(self.library, what, message)
        if found not in self.losses:
            # A piece that moves otherwise for each side has two lines.
            self.losses.append(found)

    # Pawns, and where pieces stand

    @cached_property
    def _pawns(self) -> tuple[tuple[str, str], int]:
        """The codes of the pawns of both sides, and on what rank they stand, counted by each."""
        found = [self._row_of_pawns(side) for side in (0, 1)]
        (own, rank), (other, others) = found
        if own and other and rank == others and rank in {2, 3}:
            return (own, other), rank
        promoting = [kind.code for kind in self.variant.kinds if kind.promotes]
        code = next(iter(promoting), "")
        self._lose("setup", "there a rank of pawns stands before the last one; set it up by hand")
        return (code, code), 2

    def _row_of_pawns(self, side: int) -> tuple[str, int]:
        """What one side has before its pieces, and where, if it is one whole rank of one kind."""
        last = self.variant.ranks - 1
        ahead = [each for each in self.variant.setup if each.side == side]
        ranks = {each.square: last - each.square[1] if side else each.square[1] for each in ahead}
        ahead = [each for each in ahead if ranks[each.square]]
        codes, found = {each.code for each in ahead}, {ranks[each.square] for each in ahead}
        if len(codes) == len(found) == 1 and len(ahead) == self.variant.files:
            return codes.pop(), found.pop() + 1
        return "", 0

    def _zone(self) -> str:
        """What says where pawns stand and promote, where that is not as in chess."""
        pawns, rank = self._pawns
        zone = self.rules.zone
        if rank == zone == SHARED:
            return f"={zone}"
        if zone > 1 or (not zone and any(map(self._promotes, pawns))):
            self._lose("zone", "there pawns promote on the last rank")
        return f"={1 - rank}" if rank > 2 else ""  # noqa: PLR2004 - where pawns stand in chess

    def _back_rank(self, numbered: dict[int, _Line], side: int) -> str:
        """The numbers of the pieces on the last rank of a side."""
        rank = self.variant.ranks - 1 if side else 0
        number = {
            line.code: each
            for each, line in numbered.items()
            if each not in PAWNS and side in line.sides
        }
        own = {each.square: each.code for each in self.variant.setup if each.side == side}
        codes = [own.get((file, rank), "") for file in range(self.variant.files)]
        if side and not all(codes):
            # The program puts a piece without a name there, which is in the way.
            self._lose("setup", "there the second side has no empty square on its last rank")
        return " ".join(str(number.get(code, NO_PIECE)) for code in codes)

    # Pieces by number

    def _numbered(self) -> dict[int, _Line]:
        """The lines of pieces: pawns first, and what they promote to where it must stand."""
        pawns, _ = self._pawns
        found = {
            number: _Line(code, self._rays(code, side), (side,))
            for side, (number, code) in enumerate(zip(PAWNS, pawns, strict=True))
            if code
        }
        kinds = [kind for kind in self.variant.kinds if kind.code not in pawns]
        others = [line for kind in kinds for line in self._lines(kind)]
        # From number 8 on, two royal pieces in check are a rule of its own.
        others.sort(key=lambda line: not self.natures[line.code].survive)
        found |= self._forms(pawns, others)
        free = [
            n for n in range(PAWNS[-1] + 1, KINDS + 1) if n not in {*found, self._unused(pawns)}
        ]
        waiting = [line for line in others if line not in found.values()]
        found |= dict(zip(free, waiting, strict=False))
        for line in waiting[len(free) :]:
            self._lose(line.code, f"it is left out: Fairy-Max has {KINDS} lines of pieces")
        return found

    def _unused(self, pawns: tuple[str, str]) -> int:
        """The number that stays free where no pawn promotes: pawns would become that piece."""
        return 0 if any(self._promotes(code) for code in pawns) else FORMS[0]

    def _promotes(self, code: str) -> tuple[str, ...]:
        return self.natures[code].promotion.codes if code else ()

    def _forms(self, pawns: tuple[str, str], others: list[_Line]) -> dict[int, _Line]:
        """What the pawns of each side become where nothing else is said, with its number.

        That of the second side has a number of its own where it alone begins with it.
        """
        first, second = (self._form(code, side, others) for side, code in enumerate(pawns))
        if first is None or first == second:
            return {FORMS[0]: first} if first else {}
        own, other = (
            {each.code for each in self.variant.setup if each.side == side} for side in (0, 1)
        )
        apart = first.code not in other or 1 not in first.sides
        if second and first.code in own and second.code in other and apart:
            return {FORMS[0]: first, FORMS[1]: second}
        self._lose(pawns[1], f"there it becomes the {first.code} of the first side")
        return {FORMS[0]: first}

    def _form(self, pawn: str, side: int, others: list[_Line]) -> _Line | None:
        codes = self._promotes(pawn)
        found = (line for line in others if line.code == codes[0] and side in line.sides)
        return next(found, None) if codes else None

    def _lines(self, kind: Kind) -> Iterator[_Line]:
        """The line of a kind, or one for each side where it has a front and a back."""
        if not self.letters[kind.code]:
            self._lose(kind.code, f"it is left out: Fairy-Max has {len(ascii_uppercase)} letters")
            return
        rays = {side: self._rays(kind.code, side) for side in kind.sides}
        if len({frozenset(each) for each in rays.values()}) == 1:
            yield _Line(kind.code, rays[kind.sides[0]], kind.sides)
        else:
            yield from (_Line(kind.code, rays[side], (side,)) for side in kind.sides)

    def _text(self, line: _Line | None) -> str:
        """The line of a piece; a number that none has is one that neither moves nor comes up."""
        if line is None:
            free = (each for each in ascii_lowercase if each.upper() not in self.letters.values())
            return f"{next(free)}:{BARRED}"
        letter = self.letters[line.code]
        slides = any(ray.slides for ray in line.rays)
        rays = " ".join(map(str, line.rays))
        return f"{letter if slides else letter.lower()}:{self._value(line.code)} {rays}".rstrip()

    def _value(self, code: str) -> int:
        """What a piece is worth; royal pieces have none, or one below 0."""
        pawns, _ = self._pawns
        survive = self.natures[code].survive
        value = PAWN if code in pawns else round(SHARE * self._worth[code])
        chosen = code in self._promotes(pawns[0]) and not survive
        if chosen == (value % TEN == BARRED):
            value = value + 1 if chosen else value // TEN * TEN + BARRED
        return {"any": ONE_ROYAL, "all": ROYALS}.get(survive, value)

    @cached_property
    def _worth(self) -> dict[str, float]:
        plan = plan_of(self.variant)
        board = Worth(plan, 0).board
        found = {}
        for code, number in plan.number.items():
            begin = (2 * number + 1) * plan.size
            found[code] = sum(board[begin : begin + plan.size]) / plan.size
        return found

    # Moves

    def _rays(self, code: str, side: int) -> tuple[Ray, ...]:
        """All rays of a piece, as one side has it; those that no ray says are lost."""
        missing: list[str] = []
        rays: list[Ray] = []
        for part in self.variant.kind(code).meaning.parts:
            found, lost = self._part(part, code, side)
            rays += found
            missing += lost
        found = [ray for ray in rays if ray.aside + self.variant.files <= WIDTH]
        if found != rays:
            missing.append("leaps that far aside on so wide a board")
        if side == self.variant.kind(code).sides[0]:
            for each in dict.fromkeys(missing):
                self._lose(code, f"there it has no {each}")
        return tuple(each.turned() if side else each for each in found)

    def _part(self, part: Part, code: str, side: int) -> tuple[list[Ray], list[str]]:
        """The rays of one part of a piece, and what no ray says."""
        guard = {each.kind: each.value for each in part.guard}
        try:
            rows = rows_of(part.automaton, apart=True)
        except Unsayable:
            return [], ["moves that roam about or go round the board"]
        if not guard:
            return rays_of(rows, self._size)
        if guard in ({"move": 1}, {"move": 1, "trail": 0}):
            pawn, trail = code in self._pawns[0], "trail" in guard and self._passes_by
            return first_rays(rows, self._size, pawn=pawn, trail=trail)
        if {*guard} == {"castle", "move"} and not any(each.inset for each in part.guard):
            last = self.variant.files - 1 if side else 0
            files = [
                abs(last - each.square[0])
                for each in self.variant.setup
                if (each.code, each.side) == (code, side)
            ]
            return castlings(rows, guard["castle"], files, self._size)
        return [], [f"moves under its conditions ({', '.join(sorted(guard))})"]

    @cached_property
    def _passes_by(self) -> bool:
        """Whether pawns capture en passant; there all do, or none where no double step tells."""
        return any(code and _on_trails(self.variant.kind(code)) for code in self._pawns[0])

    # Rules

    def _rules(self) -> None:
        """What is not as in the games that the program knows."""
        for name, _ in unwritten(self.rules, Rules, known_to("fairy-max")):
            self._lose(name.replace("_", "-"), "Fairy-Max has no such rule")
        for what, message, holds in self._differing():
            if holds:
                self._lose(what, message)

    def _differing(self) -> Iterator[tuple[str, str, bool]]:
        """What would be otherwise there, and whether it would."""
        rules, variant = self.rules, self.variant
        limit = rules.move_limit or MoveLimit(0)
        unlimited = limit.moves != LIMIT or {*limit.codes} != {*self._pawns[0]}
        sides = [[each.code for each in variant.setup if each.side == side] for side in (0, 1)]
        royal = all(any(self.natures[code].survive for code in own) for own in sides)
        repeats = rules.repetition == Repetition(TIMES, "draw")
        plain = rules.promotion_when in {"ends", "touches"}
        yield "win", "there mate wins, and nothing else", rules.win != (MATE,)
        yield "repetition", "there a position that is met three times is a draw", not repeats
        draws = f"there {LIMIT} moves without a capture or a move of a pawn are a draw"
        yield "move-limit", draws, unlimited
        yield "promotion-when", "there pawns promote where their moves end", not plain
        yield "hand", "there nothing is in hand", any(variant.hands)
        yield "board", "there pieces go over every square", bool(variant.walls)
        yield "royal", "there each side has a king to lose", not royal

    def _kinds(self) -> None:
        """What is said of pieces that the program has no words for."""
        pawns, _ = self._pawns
        for kind in self.variant.kinds:
            nature, promotion = self.natures[kind.code], self.natures[kind.code].promotion
            for name, _ in unwritten(kind, Kind, WRITTEN):
                key = AS_WRITTEN.get(name, name.replace("_", "-"))
                self._lose(kind.code, f"Fairy-Max has nothing like {key}")
            if nature.barred and not kind.immune_to:
                self._lose(kind.code, "there every piece can capture it")
            if nature.effects:
                self._lose(kind.code, "there it does nothing to what is in its range")
            if kind.code in pawns:
                self._pawn(kind, promotion, pawns[0])
            else:
                self._not_a_pawn(kind)

    def _pawn(self, kind: Kind, promotion: Promotion, first: str) -> None:
        if promotion.mode != "forced" or promotion.by is not None or promotion.from_rank:
            self._lose(kind.code, "there it must promote, on the last rank or in the zone")
        elif {*promotion.codes} != {*self._promotes(first)}:
            self._lose(kind.code, f"there it promotes as {first} does")
        elif any(self.natures[each].survive for each in promotion.codes):
            self._lose(kind.code, "there no pawn becomes a royal piece")
        if self._passes_by and not _on_trails(kind):
            self._lose(kind.code, "there all pawns capture en passant")

    def _not_a_pawn(self, kind: Kind) -> None:
        if self._promotes(kind.code):
            self._lose(kind.code, "there only pawns promote")
        if _on_trails(kind):
            self._lose(kind.code, "there only pawns capture en passant")

    def _told(self) -> Iterator[str]:
        """How pieces move in XBoard's dialect, for the board that the game is played on."""
        for kind in self.variant.kinds:
            letter, text = self.letters[kind.code], betza(self.library, kind.code)
            if letter and text:
                own = {"both": f"{letter}&", "first": letter, "second": letter.lower()}[kind.side]
                yield f"# {own} {text}"


def _on_trails(kind: Kind) -> bool:
    """Whether a piece captures en passant."""
    parts = (part.automaton for part in kind.meaning.parts)
    return any(record[3] & ON_TRAIL for part in parts for state in part.states for record in state)


def _letters(variant: Variant) -> dict[str, str]:
    """A letter for each kind; promoted forms have one of their own, "" where none is left."""
    found = letters_of(variant)
    free = (each for each in ascii_uppercase if each not in found.values())
    return {code: letter if len(letter) == 1 else next(free, "") for code, letter in found.items()}

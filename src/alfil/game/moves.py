"""Moves of a game as users see and write them: `7g7f`, `7e6c+`, `T*5e`; and why one is illegal.

Where the first side is white, they are written `e2e4`, `e7e8q`. Where several legal moves share
start, target and promotion, the captured squares follow, as in `5e5cx5d`; a piece that ends at home
always has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from threading import RLock

from alfil.errors import NotationError, listed, refuse
from alfil.frozen import NamedTuple, dataclass
from alfil.game.lines import FREE, lines_in
from alfil.game.plan import MOVES_KEPT, Act, Bounded, Plan, plan_of
from alfil.game.playing import Played
from alfil.game.rules import WHY, WHYS
from alfil.game.run import Proposal, arrays_of
from alfil.game.text import Alphabet
from alfil.game.variant import Variant
from alfil.source import Source, Span
from alfil.squares import Coordinates, Square, name_pattern, read_on, square_name
from alfil.tables.scene import Offset
from alfil.tables.table import NO_TRACE, STEP_SHIFT, Section


@dataclass(frozen=True, slots=True)
class Move:
    """One move; squares are (file, rank) from 0 at the first side's lower left corner.

    ``code`` is the piece's, before it promotes; for a drop that of the piece put down. ``origin``
    is None for drops. ``promotes`` is the code it becomes, or empty. ``captures`` are the squares
    of all pieces taken, in order. ``partner`` is where a castling partner comes from and goes to.
    ``trail`` are the squares on which the piece may now be captured en passant. ``wall`` is the
    square that it walls up, ``turned`` those of the pieces that change sides. ``gated`` is the code
    of a piece from the hand and where it is left. ``text`` is the USI-like text and ``cell`` the
    same with squares named as in chess; they take no part in comparisons.
    """

    code: str
    origin: Square | None
    target: Square
    promotes: str = ""
    captures: tuple[Square, ...] = ()
    partner: tuple[Square, Square] | None = None
    trail: tuple[Square, ...] = ()
    wall: Square | None = None
    turned: tuple[Square, ...] = ()
    gated: tuple[str, Square] | None = None
    text: str = field(default="", compare=False)
    cell: str = field(default="", compare=False)

    @property
    def is_drop(self) -> bool:
        """Whether a piece from the hand is put down."""
        return self.origin is None

    @property
    def usi(self) -> str:
        """The USI-like text: ``7g7f``, ``7e6c+``, ``T*5e``."""
        return self.text

    def uci(self) -> str:
        """The text as engines of UCI have it: ``e2e4``, ``e7e8q``, ``g3g4+``, ``T@e5``.

        Squares are named as in chess whatever the game, and a promotion by the letter that the
        piece has on the board.

        Empty for a move that no game has made or listed.
        """
        return _MARKED_FORM.sub(r"\1", self.cell)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"


# A promotion to a piece that FEN writes like another one, as Q~ in crazyhouse.
_MARKED_FORM = re.compile(r"\+([a-z])(?=/|$)")
_DROP = re.compile(r"(\[[^\]]+\]|\+?[^0-9\[])([*@])([^/]+)(?:/(.+))?")
_FORM = r"(?P<form>=?(?:\+|[a-zA-Z]|\+[a-zA-Z]|\[[^\]]+\]))?"


class Asked(NamedTuple):
    """A move as a text asks for it; what it says nothing of is None.

    ``origin`` is -1 for a drop of ``piece``; ``form`` is the piece that arrives, -1 for one that
    the moving piece has no way to become.
    """

    piece: int
    origin: int
    target: int
    form: int | None = None
    captures: frozenset[int] | None = None
    wall: int | None = None
    gate: tuple[int, int] | None = None


# So many texts of a game are kept as they were taken apart, those that are no longer than that.
TEXTS_KEPT, LONGEST_KEPT = 5_000, 20
# A longer text is no move, unless it may name more squares than that has room for.
LONGEST, A_SQUARE = 100, 10


def require_short(text: str, plan: Plan) -> None:
    """Refuse a text that is longer than any move of a game, before it is compared with any."""
    most = max(LONGEST, LONGEST // 2 + A_SQUARE * arrays_of(plan).most_taken)
    if len(text) > most:
        message = f"a move has up to {most} signs, and this has {len(text):,}"
        source = Source(text, "<move>")
        refuse(NotationError, "too-long", message, source, Span(0, 1), "give one move at a time")


class Writer:
    """Writes the moves of one game, each once."""

    def __init__(self, plan: Plan, alphabet: Alphabet) -> None:
        self._plan = plan
        self._alphabet = alphabet
        self._names = [plan.name(square) for square in range(plan.size)]
        self._cells = [square_name(*plan.at(square)) for square in range(plan.size)]
        self._squares = [plan.at(square) for square in range(plan.size)]
        self._moves: dict[Act, Move] = {}
        self._by_id: dict[int, Move] = {}
        # By the id of a move: what it is in numbers. The move is kept, as the act is.
        self._written: dict[int, Act] = {}
        # Moves by the number that the engine tells them by, and that by their ids; where texts tell
        # all moves apart.
        self._numbered: dict[int, Move] = {}
        self.numbers: dict[int, int] = {}
        # What texts ask for, by text and side.
        self._asked: Bounded[tuple[str, int], Asked | None] = Bounded(TEXTS_KEPT)
        # Whether start, target and promotion always tell moves apart.
        self.distinct = _is_distinct(plan)
        # Games in several threads share what is kept; whoever adds to it or clears it is alone.
        self._lock = RLock()

    def asked(self, text: str, side: int) -> Asked | None:
        """What `read_move` finds in a text."""
        try:
            return self._asked[text, side]
        except KeyError:
            found = read_move(text, self._plan, self._alphabet, side)
            if len(text) <= LONGEST_KEPT:
                self._asked[text, side] = found
            return found

    def moves(self, acts: list[Act]) -> tuple[Move, ...]:
        """Moves as users see them, in the same order."""
        known = self._by_id
        try:
            found = [*map(known.__getitem__, map(id, acts))]
        except KeyError:
            found = [known.get(id(act)) or self._move(act) for act in acts]
        if self.distinct or len({move.text for move in found}) == len(found):
            return tuple(found)
        times = Counter(move.text for move in found)
        return tuple(
            self._new(act, full=True) if times[move.text] > 1 else move
            for act, move in zip(acts, found, strict=True)
        )

    def listed(self, played: Played) -> tuple[Move, ...]:
        """The legal moves of a game that goes on."""
        if played.varied or not self.distinct:
            return self.moves(played.acts())
        numbers, numbered = played.numbers(), self._numbered
        try:
            return tuple(map(numbered.__getitem__, numbers))
        except KeyError:
            return tuple(
                [numbered.get(each) or self._enter(played, n) for n, each in enumerate(numbers)]
            )

    def at(self, played: Played, index: int) -> Move:
        """One of the legal moves, without writing the others where that is possible."""
        return self.move(played.act(index)) if self.distinct else self.listed(played)[index]

    def told(self, moves: Sequence[tuple[str, int | None]]) -> list[tuple[int, Move]]:
        """The moves that have these texts and numbers, up to the first that is not known."""
        found: list[tuple[int, Move]] = []
        for text, number in moves:
            move = self._numbered.get(number) if number is not None else None
            if number is None or move is None or move.text != text:
                break
            found.append((number, move))
        return found

    def _enter(self, played: Played, index: int) -> Move:
        """A legal move that is listed for the first time."""
        with self._lock:
            move, number = self.move(played.act(index)), played.number(index)
            self._numbered[number], self.numbers[id(move)] = move, number
            return move

    def move(self, act: Act) -> Move:
        """One move as users see it, in a game where texts are `distinct`."""
        return self._by_id.get(id(act)) or self._move(act)

    def act(self, move: Move) -> Act | None:
        """A move in numbers, None where it was not written here."""
        return self._written.get(id(move))

    def _move(self, act: Act) -> Move:
        with self._lock:
            held = self._moves.get(act)
            if held is None:
                if len(self._moves) >= MOVES_KEPT:
                    # Ids first: only what is kept can have its id to itself.
                    for known in (self._by_id, self.numbers, self._written, self._numbered):
                        known.clear()
                    self._moves.clear()
                act = self._plan.same(act)
                held = self._moves[act] = self._by_id[id(act)] = self._new(act)
                self._written[id(held)] = act
            return held

    def _new(self, act: Act, *, full: bool = False) -> Move:
        plan, at = self._plan, self._squares
        wall, gate = wall_of(plan, act), plan.gate_of(act)
        return Move(
            plan.codes[act.piece],
            at[act.origin] if act.origin >= 0 else None,
            at[act.target],
            plan.codes[act.becomes] if act.becomes != act.piece else "",
            tuple([at[square] for square in act.captures]),
            (at[act.partner[0]], at[act.partner[1]]) if act.partner else None,
            tuple([at[square] for square in act.trail]),
            None if wall is None else at[wall],
            tuple([at[s] for s, piece in act.changes if 0 < piece < plan.wall and not gate]),
            (plan.codes[gate[1]], at[gate[0]]) if gate else None,
            *(
                self._text(names, act, wall, gate, full=full)
                for names in (self._names, self._cells)
            ),
        )

    def _text(
        self,
        names: list[str],
        act: Act,
        wall: int | None,
        gate: tuple[int, int] | None,
        *,
        full: bool,
    ) -> str:
        if act.origin < 0:
            side, sign = (act.piece - 1) % 2, "*" if names is self._names else "@"
            text = f"{self._alphabet.symbols[act.piece - side]}{sign}{names[act.target]}"
            return text if wall is None else f"{text}/{names[wall]}"
        text = names[act.origin] + names[act.target]
        if full or act.origin == act.target:
            text += "".join("x" + names[square] for square in act.captures)
            # Two ways that take the same may still differ in the partner that comes along.
            text += "o" + names[act.partner[0]] if act.partner else ""
            text += "".join("e" + names[square] for square in act.trail)
        if act.becomes != act.piece:
            text += self.mark(act.piece, act.becomes)
        if gate:
            where = names[gate[0]] if gate[0] != act.origin else ""
            return f"{text}/{self._alphabet.symbols[gate[1]].upper()}{where}"
        # Where it can be no other square it need not be said.
        said = wall is not None and self._plan.rules.wall != "left"
        return f"{text}/{names[wall]}" if said and wall is not None else text

    def mark(self, piece: int, becomes: int) -> str:
        """What stands behind a move for its promotion."""
        forms = self._plan.forms(piece)
        if len(forms) == 1:
            return "+"
        return self._alphabet.symbols[becomes].lower()


def wall_of(plan: Plan, act: Act) -> int | None:
    """The square that a move walls up, beside that of a piece that turns to stone."""
    if not act.changes:
        return None
    stone = act.target if act.captures and plan.petrifies[act.piece] else None
    return next((s for s, now in act.changes if now == plan.wall and s != stone), None)


def texts_of(variant: Variant) -> tuple[Plan, Alphabet, Writer]:
    """The plan of a game and what stands for its pieces and moves; all its games share them."""
    plan = plan_of(variant)

    def make() -> tuple[Plan, Alphabet, Writer]:
        alphabet = Alphabet(plan)
        return plan, alphabet, Writer(plan, alphabet)

    return plan.once("texts", make)


def _is_distinct(plan: Plan) -> bool:
    pieces = range(1, plan.wall)
    return all(lines_in(plan, piece) and _tells_apart(plan.parts(piece)) for piece in pieces)


def _tells_apart(parts: tuple[Section, ...]) -> bool:
    """Whether a piece that has lines has one way to each empty square; captures are always one."""
    ways: dict[Offset, set[tuple[object, ...]]] = {}
    for section in parts:
        conditions = {condition.kind for condition in section.guard}
        for node, word in enumerate(section.trie.nodes if section.trie else ()):
            if section.trie and word & FREE:
                trace = section.trie.traces.get(node, NO_TRACE)
                trail = trace.passed if "trail" in conditions else None
                way = (trace.takes_trail, "castle" in conditions, trail)
                ways.setdefault(section.trie.steps[word >> STEP_SHIFT], set()).add(way)
    return all(len(each) == 1 for each in ways.values())


def read_move(text: str, plan: Plan, alphabet: Alphabet, side: int) -> Asked | None:
    """What a text in the manner of USI asks for, or one with squares in CELL; None if it is none.

    Squares in CELL go with `@` for drops: `P@e5` is `P*5e`. Where the first side is white, squares
    are always those of CELL.
    """
    match = _DROP.fullmatch(text)
    if match:
        return _drop(match, plan, alphabet, side)
    styles: tuple[Coordinates, ...] = (plan.rules.coordinates, "chess")
    for style in dict.fromkeys(styles):
        found = _pattern(style, plan.files, plan.ranks).fullmatch(text)
        if found:
            return _board_move(found, plan, alphabet, side, style)
    return None


def _drop(match: re.Match[str], plan: Plan, alphabet: Alphabet, side: int) -> Asked | None:
    symbol, sign, square, walled = match.groups()
    style: Coordinates = "chess" if sign == "@" else plan.rules.coordinates
    piece = alphabet.piece(symbol, side) if symbol == symbol.upper() else None
    target = _square(square, plan, style)
    if piece is None or target is None:
        return None
    wall = _square(walled, plan, style) if walled else None
    if not plan.variant.droppable(plan.kinds[(piece - 1) >> 1]) or (walled and wall is None):
        return None
    return Asked(piece, -1, target, wall=wall)


@lru_cache(maxsize=64)
def _pattern(style: Coordinates, files: int, ranks: int) -> re.Pattern[str]:
    """A move on the board."""
    square = name_pattern(style, files, ranks)
    return re.compile(
        rf"(?P<origin>{square})(?P<target>{square})(?P<captures>(?:x{square})*){_FORM}"
        rf"(?:/(?P<wall>{square}))?(?:/(?P<gate>[A-Z]|\[[^\]]+\])(?P<left>{square})?)?"
    )


def _board_move(
    match: re.Match[str], plan: Plan, alphabet: Alphabet, side: int, style: Coordinates
) -> Asked | None:
    origin, target, *taken = (
        _square(name, plan, style)
        for name in (match["origin"], match["target"], *_taken(match["captures"]))
    )
    wall = _square(match["wall"], plan, style) if match["wall"] else None
    if origin is None or target is None or None in taken:
        return None
    captures = frozenset(square for square in taken if square is not None) if taken else None
    form: int | None = None
    if match["form"]:
        symbol = match["form"].removeprefix("=")
        form = -1 if symbol == "+" else alphabet.piece(symbol, side)
        if form is None:
            return None
    gate: tuple[int, int] | None = None
    if match["gate"]:
        left = _square(match["left"], plan, style) if match["left"] else origin
        gate = (-1 if left is None else left, alphabet.pieces.get(match["gate"], -2) + side)
    return Asked(0, origin, target, form, captures, wall, gate)


def _taken(captures: str) -> list[str]:
    """The names of the squares in a row of captures."""
    return re.findall(r"x([a-z]+[0-9]+|[0-9]+[a-z]+)(?=x|$)", captures)


def _square(name: str, plan: Plan, style: Coordinates) -> int | None:
    """The number of a square by its name."""
    at = read_on(name, plan.files, plan.ranks, style)
    return None if at is None else plan.square(at)


class Reason(NamedTuple):
    """Why a move is illegal: the code of the rule that it breaks first, and words.

    >>> str(Reason("drop-check", "the onager's drop must give check"))
    "drop-check: the onager's drop must give check"
    """

    code: str
    words: str

    def __str__(self) -> str:
        return f"{self.code}: {self.words}"


# Rules that are broken by their codes, and what each says where its words are general.
WORDS = {why.code: why.words for why in WHYS if why.words}


def code_of(number: int) -> str | None:
    """The code of the rule that a move breaks, by the engine's number; None for a legal move."""
    return WHYS[number].code or None


def reason(played: Played, asked: Asked) -> Reason | None:
    """The first rule that a move breaks, None for a legal one."""
    if asked.origin < 0:
        code, why = _drop_fault(played, asked), ""
        piece = asked.piece
    else:
        code, why = _fault(played, asked)
        piece = played.piece_on(asked.origin)
    if code is None:
        return None
    if why:
        general = code if code == "promotion" and asked.form is not None else "pattern"
        return Reason(code, f"{_words(played.plan, general, piece, asked)}: {why}")
    return Reason(code, _words(played.plan, code, piece, asked))


def _drop_fault(played: Played, asked: Asked) -> str | None:
    plan = played.plan
    code = _misplaced(played, asked.piece, asked.target)
    if plan.rules.drops == "no":
        return code if code == "not-in-hand" else "no-drops"
    if code:
        return code
    every = played.proposed_drops(asked.piece, asked.target)
    wanted = [each for each in every if is_walled_as(plan, each.act, asked)]
    if not wanted:
        # What no wall could help comes before the wall.
        return code_of(every[0].reason) or "wall"
    faults = [code_of(each.reason) for each in wanted]
    return faults[0] if None not in faults else _left_out(played, wanted)


def _misplaced(played: Played, piece: int, target: int) -> str | None:
    """Why a piece cannot be put down on a square, whatever stands on the others."""
    plan, side = played.plan, played.turn
    hand = plan.endless if plan.rules.drops == "free" else played.position.hands[side]
    if not any(hand[kind] for kind, form in plan.droppable[side] if form == piece):
        return "not-in-hand"
    if played.piece_on(target):
        return "occupied"
    if plan.bodies.large[piece] and not _has_space(played, piece, target):
        return "no-space"
    allowed = plan.drop_squares(piece)
    if target in allowed:
        return None
    zone = plan.zone[side]
    if zone[target] and not any(zone[s] for s in allowed):
        return "drop-zone"
    ranks = plan.kinds[(piece - 1) >> 1].drop_ranks or (1, 0)
    return "drop-region" if plan.area(ranks, side) & plan.bits[target] else "drop-rank"


def _has_space(played: Played, piece: int, target: int) -> bool:
    """Whether all squares are there, and free, that a piece would take up."""
    plan = played.plan
    fits = plan.bodies.fits(piece, target)
    return fits and not any(map(played.piece_on, plan.bodies.cells(piece, target)))


def _stuck(played: Played, square: int) -> tuple[str | None, str]:
    """Why nothing moves from a square on which a piece of the mover's is."""
    own = played.own_square(square)
    if own != square:
        return "own-square", f"its own square is {played.plan.name(own)}"
    return "frozen" if played.ask("is_immobile", square) else None, ""


def _fault(played: Played, asked: Asked) -> tuple[str | None, str]:
    """The rule that a move on the board breaks, and more about that where there is more."""
    if not _is_of(played, asked.origin, played.turn):
        return "no-piece", ""
    code, why = _stuck(played, asked.origin)
    if code:
        return code, why
    ways = [each for each in played.proposed(asked.origin) if each.act.target == asked.target]
    if ways and asked.captures is not None:
        ways = [each for each in ways if set(each.act.captures) == asked.captures]
        if not ways:
            return "pattern", "not with these captures"
    if not ways:
        from alfil.game.blockers import obstacle  # noqa: PLC0415 - few ask why

        code = _nowhere(played, asked)
        return code, obstacle(played, asked.origin, asked.target) if code == "pattern" else ""
    code, wanted = _forms_asked_for(played.plan, ways, asked)
    if code:
        return code, ""
    if None in [code_of(each.reason) for each in wanted]:
        return _left_out(played, wanted), ""
    # What could not be helped by another promotion comes first.
    first = min(wanted, key=lambda each: each.reason == WHY["SIDE_FULL"])
    return code_of(first.reason), _more(played.plan, first, wanted)


def _more(plan: Plan, proposal: Proposal, wanted: list[Proposal]) -> str:
    """What is said of the reason for one of some moves, empty where its general words will do."""
    gate = plan.gate_of(proposal.act)
    left = plan.kinds[(gate[1] - 1) >> 1].name if gate else ""
    forms = dict.fromkeys(plan.kinds[(each.act.becomes - 1) >> 1].name for each in wanted)
    words = WHYS[proposal.reason].more
    return words.format(square=plan.name(proposal.square), left=left, forms=listed([*forms], "and"))


def _is_of(played: Played, square: int, side: int) -> bool:
    """Whether a piece of a side stands on a square, and no wall."""
    piece = played.piece_on(square)
    return 0 < piece < played.plan.wall and (piece - 1) % 2 == side


def _forms_asked_for(
    plan: Plan, ways: list[Proposal], asked: Asked
) -> tuple[str | None, list[Proposal]]:
    """The moves that a text asks for of those to a square, or why there are none."""
    built = [each for each in ways if each.reason != WHY["NO_WALL"]]
    if not built:
        return "wall", []
    allowed = [each for each in built if each.reason != WHY["FULL_FILE"]]
    if not allowed:
        return "file", []
    wanted = [each for each in allowed if matches(plan, each.act, asked)]
    if not wanted:
        return "promotion", []
    wanted = [each for each in wanted if is_walled_as(plan, each.act, asked)]
    if not wanted:
        return "gate" if asked.gate else "wall", []
    return None, wanted


def _nowhere(played: Played, asked: Asked) -> str | None:
    """Why a piece has no such move, None where it is a pass that must be made."""
    plan, side = played.plan, played.turn
    if asked.origin == asked.target and plan.rules.passes == "stuck":
        return None if any(map(plan.is_pass, played.acts())) else "pass"
    itself = asked.target != asked.origin == played.own_square(asked.target)
    if _is_of(played, asked.target, side) and not itself:
        return "own-piece"
    piece = played.piece_on(asked.origin)
    return "pattern" if plan.room[piece] >> asked.target & 1 else "region"


def _left_out(played: Played, wanted: list[Proposal]) -> str | None:
    """Why moves are no legal ones that have no fault of their own, None where one of them is."""
    every = played.acts()
    if any(each.act in every for each in wanted):
        return None
    rules = played.plan.rules
    if not any(act.origin >= 0 for act in every) and rules.drops_first == "yes":
        return "drops-first"
    taking = rules.must_capture == "yes" and any(act.captures for act in every)
    return "must-capture" if taking else "in-check"


def is_asked(plan: Plan, act: Act, asked: Asked) -> bool:
    """Whether a move is one that a text asks for."""
    if (act.origin, act.target) != (asked.origin, asked.target):
        return False
    if asked.origin < 0:
        return act.piece == asked.piece and is_walled_as(plan, act, asked)
    same = asked.captures is None or set(act.captures) == asked.captures
    return same and matches(plan, act, asked) and is_walled_as(plan, act, asked)


def is_walled_as(plan: Plan, act: Act, asked: Asked) -> bool:
    """Whether a move builds the wall that a text asks for, if it does, and leaves what it says."""
    walled = asked.wall is None or wall_of(plan, act) == asked.wall
    return walled and plan.gate_of(act) == asked.gate


def matches(plan: Plan, act: Act, asked: Asked) -> bool:
    """Whether a move is the one asked for as far as its promotion goes.

    Where nothing is said of promotion, one that cannot be declined is meant too.
    """
    if asked.form is None:
        staying = plan.becomes(act.piece, act.origin, act.target, captures=bool(act.captures))
        return act.becomes == act.piece or act.piece not in staying
    if asked.form == -1:
        return act.becomes != act.piece
    return act.becomes == asked.form


def _wall_asked_for(plan: Plan, asked: Asked) -> str:
    square = asked.origin if plan.rules.wall == "left" else asked.wall
    return "any square" if square is None or square < 0 else plan.name(square)


def _words(plan: Plan, code: str, piece: int, asked: Asked) -> str:
    kind = plan.kinds[(piece - 1) >> 1] if 0 < piece < plan.wall else None
    if code == "drop-check" and kind is not None and kind.drop_check == "barred":
        return f"the {kind.name}'s drop may not give check"
    return WORDS[code].format(
        name=kind.name if kind else "",
        limit=kind.per_file if kind else 0,
        to=plan.name(asked.target),
        start=plan.name(asked.origin) if asked.origin >= 0 else "",
        wall=_wall_asked_for(plan, asked),
    )

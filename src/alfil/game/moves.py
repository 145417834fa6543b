"""Moves as users write them (`7g7f`, `7e6c+`, `T*5e`), and why one is illegal.

Where the first side is white, they are written `e2e4`, `e7e8q`. Where several legal moves share
start, target and promotion, the captured squares follow, as in `5e5cx5d`; a piece that ends at home
always has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from threading import RLock

from alfil.errors import NotationError, join_words, reject
from alfil.frozen_dataclasses import NamedTuple, dataclass
from alfil.game.attack_lines import attack_lines_if_all_moves
from alfil.game.compiled_variant import (
    MAX_CACHED_MOVES,
    BoundedCache,
    CompiledVariant,
    EngineMove,
    compile_variant,
)
from alfil.game.engine_position import MoveVerdict, engine_tables
from alfil.game.game_position import GamePosition
from alfil.game.rule_table import ILLEGALITIES, ILLEGALITY_BY_CODE
from alfil.game.sfen import Alphabet
from alfil.game.variant import Variant
from alfil.meaning.automaton import FREE_CLASSES
from alfil.source import Source, Span
from alfil.squares import CoordinateSystem, Square, parse_square, square_name, square_name_pattern
from alfil.tables.board_context import Offset
from alfil.tables.move_table import NO_TRACE, STEP_SHIFT, TableSection


@dataclass(frozen=True, slots=True)
class Move:
    """One move; squares are (file, rank) from 0 at the first side's lower left corner.

    ``code`` is the piece's, before it promotes; for a drop that of the piece put down. ``origin``
    is None for drops. ``promotes`` is the code it becomes, or empty. ``captures`` are the squares
    of all pieces taken, in order. ``partner`` is where a castling partner comes from and goes to.
    ``trail`` are the squares on which the piece may now be captured en passant. ``wall`` is the
    square that it walls up, ``turned`` those of the pieces that change sides. ``gated`` is the code
    of a piece from the hand and where it is left. ``text`` is the USI-like text and ``cell`` the
    same with squares named as in chess, and ``castles_onto`` is whether UCI writes castling as a
    move onto the partner, as in Chess960; these take no part in comparisons.
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
    castles_onto: bool = field(default=False, compare=False)

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
        piece has on the board. Castling is the king's move; in games that castle as Chess960 does,
        or where the king may move there without castling too, it goes onto the partner. What UCI
        has no text for is written as alfil writes it: a piece that is gated or a wall after ``/``,
        a piece that is turned back as a promotion. Empty for a move that no game has made or
        listed.
        """
        if self.partner and self.origin is not None:
            start, end = square_name(*self.origin), square_name(*self.target)
            if self.castles_onto or self.cell.startswith(f"{start}{end}o"):
                return chess960_castling_text(self)
        return _TILDE_PROMOTION.sub(r"\1", self.cell)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"


def chess960_castling_text(move: Move) -> str:
    """Castling as UCI has it in Chess960, empty for all other moves."""
    if move.partner is None or move.origin is None:
        return ""
    return square_name(*move.origin) + square_name(*move.partner[0])


# A promotion to a piece that FEN writes like another one, as Q~ in crazyhouse.
_TILDE_PROMOTION = re.compile(r"\+([a-z])(?=/|$)")
_DROP_PATTERN = re.compile(r"(\[[^\]]+\]|\+?[^0-9\[])([*@])([^/]+)(?:/(.+))?")
_PROMOTION_PATTERN = r"(?P<form>=?(?:\+|[a-zA-Z]|\+[a-zA-Z]|\[[^\]]+\]))?"


class MoveQuery(NamedTuple):
    """A move as parsed from a string; None for what the string leaves open.

    ``origin`` is -1 for a drop of ``piece``; ``promotion`` is the piece that arrives, -1 for one
    that the moving piece has no way to become. ``via`` is a square on its way, on which it captures
    what stands there.
    """

    piece: int
    origin: int
    target: int
    promotion: int | None = None
    captures: frozenset[int] | None = None
    wall: int | None = None
    gate: tuple[int, int] | None = None
    via: int | None = None


# So many texts of a game are kept as they were taken apart, those that are no longer than that.
MAX_CACHED_TEXTS, MAX_CACHED_TEXT_LENGTH = 5_000, 20
# A longer text is no move, unless it may name more squares than that has room for.
MAX_MOVE_TEXT_LENGTH, CHARACTERS_PER_SQUARE = 100, 10


def reject_overlong_text(text: str, compiled: CompiledVariant) -> None:
    """Refuse a text that is longer than any move of a game, before it is compared with any."""
    most = max(
        MAX_MOVE_TEXT_LENGTH,
        MAX_MOVE_TEXT_LENGTH // 2 + CHARACTERS_PER_SQUARE * engine_tables(compiled).most_taken,
    )
    if len(text) > most:
        message = f"a move has up to {most} signs, and this has {len(text):,}"
        source = Source(text, "<move>")
        reject(NotationError, "too-long", message, source, Span(0, 1), "give one move at a time")


class MoveBuilder:
    """Writes the moves of one game, each once."""

    def __init__(self, compiled: CompiledVariant, alphabet: Alphabet) -> None:
        self._compiled = compiled
        self._alphabet = alphabet
        self._names = [compiled.square_name(square) for square in range(compiled.size)]
        self._cells = [
            square_name(*compiled.file_and_rank(square)) for square in range(compiled.size)
        ]
        self._squares = [compiled.file_and_rank(square) for square in range(compiled.size)]
        self._moves: dict[EngineMove, Move] = {}
        self._by_id: dict[int, Move] = {}
        # By the id of a move: what it is in numbers. The move is kept, as the act is.
        self._written: dict[int, EngineMove] = {}
        # Moves by the number that the engine tells them by, and that by their ids; where texts tell
        # all moves apart.
        self._numbered: dict[int, Move] = {}
        self.numbers: dict[int, int] = {}
        # What texts ask for, by text and side.
        self._asked: BoundedCache[tuple[str, int], MoveQuery | None] = BoundedCache(
            MAX_CACHED_TEXTS
        )
        # Whether start, target and promotion always tell moves apart.
        self.distinct = _has_distinct_move_texts(compiled)
        # Games in several threads share what is kept; whoever adds to it or clears it is alone.
        self._lock = RLock()

    def parse_query(self, text: str, side: int) -> MoveQuery | None:
        """What `parse_move_query` finds in a text."""
        try:
            return self._asked[text, side]
        except KeyError:
            result = parse_move_query(text, self._compiled, self._alphabet, side)
            if len(text) <= MAX_CACHED_TEXT_LENGTH:
                self._asked[text, side] = result
            return result

    def moves(self, engine_moves: list[EngineMove]) -> tuple[Move, ...]:
        """Moves as users see them, in the same order."""
        known = self._by_id
        try:
            result = [*map(known.__getitem__, map(id, engine_moves))]
        except KeyError:
            result = [
                known.get(id(engine_move)) or self._cached_move(engine_move)
                for engine_move in engine_moves
            ]
        if self.distinct or len({move.text for move in result}) == len(result):
            return tuple(result)
        times = Counter(move.text for move in result)
        return tuple(
            self._build_move(engine_move, full=True) if times[move.text] > 1 else move
            for engine_move, move in zip(engine_moves, result, strict=True)
        )

    def legal_moves(self, position: GamePosition) -> tuple[Move, ...]:
        """The legal moves of a game that goes on."""
        if position.varied or not self.distinct:
            return self.moves(position.engine_moves())
        numbers, numbered = position.move_ids(), self._numbered
        try:
            if len(numbers) == 1:
                return (numbered[numbers[0]],)
            found: tuple[Move, ...] = itemgetter(*numbers)(numbered) if numbers else ()
            return found
        except KeyError:
            return tuple(
                [
                    numbered.get(each) or self._add_legal_move(position, n)
                    for n, each in enumerate(numbers)
                ]
            )

    def legal_move_at(self, position: GamePosition, index: int) -> Move:
        """One of the legal moves, without writing the others where that is possible."""
        if self.distinct:
            return self.move(position.engine_move(index))
        # Only such moves may have the same text, unless it says more.
        alike = position.indices_of_same_ends(index)
        return self.moves([*map(position.engine_move, alike)])[alike.index(index)]

    def longest_known_prefix(
        self, moves: Sequence[tuple[str, int | None]]
    ) -> list[tuple[int, Move]]:
        """The longest known beginning of a line of moves, by text or number."""
        result: list[tuple[int, Move]] = []
        for text, number in moves:
            move = self._numbered.get(number) if number is not None else None
            if number is None or move is None or move.text != text:
                break
            result.append((number, move))
        return result

    def _add_legal_move(self, position: GamePosition, index: int) -> Move:
        """Add a legal move that was not listed before."""
        with self._lock:
            move, number = self.move(position.engine_move(index)), position.move_id(index)
            self._numbered[number], self.numbers[id(move)] = move, number
            return move

    def move(self, engine_move: EngineMove) -> Move:
        """One move as users see it, in a game where texts are `distinct`."""
        return self._by_id.get(id(engine_move)) or self._cached_move(engine_move)

    def engine_move(self, move: Move) -> EngineMove | None:
        """The engine move of a `Move`, None if this writer did not write it."""
        return self._written.get(id(move))

    def _cached_move(self, engine_move: EngineMove) -> Move:
        with self._lock:
            held = self._moves.get(engine_move)
            if held is None:
                if len(self._moves) >= MAX_CACHED_MOVES:
                    # Ids first: only what is kept can have its id to itself.
                    for known in (self._by_id, self.numbers, self._written, self._numbered):
                        known.clear()
                    self._moves.clear()
                engine_move = self._compiled.intern_move(engine_move)
                held = self._moves[engine_move] = self._by_id[id(engine_move)] = self._build_move(
                    engine_move
                )
                self._written[id(held)] = engine_move
            return held

    def _build_move(self, engine_move: EngineMove, *, full: bool = False) -> Move:
        compiled, at = self._compiled, self._squares
        wall, gate = wall_square_of_move(compiled, engine_move), compiled.gated_piece(engine_move)
        return Move(
            compiled.codes[engine_move.piece],
            at[engine_move.origin] if engine_move.origin >= 0 else None,
            at[engine_move.target],
            compiled.codes[engine_move.becomes] if engine_move.becomes != engine_move.piece else "",
            tuple([at[square] for square in engine_move.captures]),
            (at[engine_move.partner[0]], at[engine_move.partner[1]])
            if engine_move.partner
            else None,
            tuple([at[square] for square in engine_move.ep_squares]),
            None if wall is None else at[wall],
            tuple(
                [
                    at[s]
                    for s, piece in engine_move.changes
                    if 0 < piece < compiled.wall and not gate
                ]
            ),
            (compiled.codes[gate[1]], at[gate[0]]) if gate else None,
            self._move_text(self._names, engine_move, wall, gate, full=full),
            self._move_text(self._cells, engine_move, wall, gate, full=full),
            castles_onto=bool(
                engine_move.partner and compiled.partners_if_castling_to_files[engine_move.piece]
            ),
        )

    def _move_text(
        self,
        names: list[str],
        engine_move: EngineMove,
        wall: int | None,
        gate: tuple[int, int] | None,
        *,
        full: bool,
    ) -> str:
        if engine_move.origin < 0:
            side, sign = (engine_move.piece - 1) % 2, "*" if names is self._names else "@"
            text = (
                f"{self._alphabet.symbols[engine_move.piece - side]}{sign}"
                f"{names[engine_move.target]}"
            )
            return text if wall is None else f"{text}/{names[wall]}"
        text = names[engine_move.origin] + names[engine_move.target]
        if full or engine_move.origin == engine_move.target:
            text += "".join("x" + names[square] for square in engine_move.captures)
            # Two ways that take the same may still differ in the partner that comes along.
            text += "o" + names[engine_move.partner[0]] if engine_move.partner else ""
            text += "".join("e" + names[square] for square in engine_move.ep_squares)
        if engine_move.becomes != engine_move.piece:
            text += self.promotion_suffix(engine_move.piece, engine_move.becomes)
        if gate:
            where = names[gate[0]] if gate[0] != engine_move.origin else ""
            return f"{text}/{self._alphabet.symbols[gate[1]].upper()}{where}"
        # Where it can be no other square it need not be said.
        names_wall = wall is not None and self._compiled.rules.wall != "left"
        return f"{text}/{names[wall]}" if names_wall and wall is not None else text

    def promotion_suffix(self, piece: int, becomes: int) -> str:
        """The promotion suffix of a move."""
        if len(self._compiled.own_promotions(piece)) <= 1:
            return "+"
        return self._alphabet.symbols[becomes].lower()


def wall_square_of_move(compiled: CompiledVariant, engine_move: EngineMove) -> int | None:
    """The square on which a move builds a wall; petrified pieces are not counted."""
    if not engine_move.changes:
        return None
    stone = (
        engine_move.target
        if engine_move.captures and compiled.petrifies[engine_move.piece]
        else None
    )
    return next((s for s, now in engine_move.changes if now == compiled.wall and s != stone), None)


def shared_move_builder(variant: Variant) -> tuple[CompiledVariant, Alphabet, MoveBuilder]:
    """The compiled variant, alphabet and move writer, shared by all games of a variant."""
    compiled = compile_variant(variant)

    def make() -> tuple[CompiledVariant, Alphabet, MoveBuilder]:
        alphabet = Alphabet(compiled)
        return compiled, alphabet, MoveBuilder(compiled, alphabet)

    return compiled.cached_value("texts", make)


def _has_distinct_move_texts(compiled: CompiledVariant) -> bool:
    pieces = range(1, compiled.wall)
    return all(
        attack_lines_if_all_moves(compiled, piece)
        and compiled.cached_by_moves("unique ends", piece, _has_unique_ends)
        for piece in pieces
    )


def _has_unique_ends(parts: tuple[TableSection, ...]) -> bool:
    """Whether a piece with lines has a single path to each empty square."""
    candidates: dict[Offset, set[tuple[object, ...]]] = {}
    for section in parts:
        conditions = {condition.kind for condition in section.guard}
        for node, word in enumerate(section.trie.nodes if section.trie else ()):
            if section.trie and word & FREE_CLASSES:
                trace = section.trie.traces.get(node, NO_TRACE)
                trail = trace.passed if "trail" in conditions else None
                way = (trace.takes_trail, "castle" in conditions, trail)
                candidates.setdefault(section.trie.steps[word >> STEP_SHIFT], set()).add(way)
    return all(len(each) == 1 for each in candidates.values())


def parse_move_query(
    text: str, compiled: CompiledVariant, alphabet: Alphabet, side: int
) -> MoveQuery | None:
    """What a text in the manner of USI asks for, or one with squares in CELL; None if it is none.

    Squares in CELL go with `@` for drops: `P@e5` is `P*5e`. Where the first side is white, squares
    are always those of CELL.
    """
    match = _DROP_PATTERN.fullmatch(text)
    if match:
        return _parse_drop(match, compiled, alphabet, side)
    styles: tuple[CoordinateSystem, ...] = (compiled.rules.coordinates, "chess")
    for style in dict.fromkeys(styles):
        result = _move_pattern(style, compiled.files, compiled.ranks).fullmatch(text)
        if result:
            return _parse_board_move(result, compiled, alphabet, side, style)
    return None


def _parse_drop(
    match: re.Match[str], compiled: CompiledVariant, alphabet: Alphabet, side: int
) -> MoveQuery | None:
    symbol, sign, square, walled = match.groups()
    style: CoordinateSystem = "chess" if sign == "@" else compiled.rules.coordinates
    piece = alphabet.piece(symbol, side) if symbol == symbol.upper() else None
    if piece is None and symbol == symbol.upper():
        # What only the other side has is asked for as well, and is in nobody's hand.
        other = alphabet.piece(symbol, 1 - side)
        piece = None if other is None else other + 2 * side - 1
    target = _parse_square(square, compiled, style)
    if piece is None or target is None:
        return None
    wall = _parse_square(walled, compiled, style) if walled else None
    if not compiled.variant.droppable(compiled.kinds[(piece - 1) >> 1]) or (
        walled and wall is None
    ):
        return None
    return MoveQuery(piece, -1, target, wall=wall)


@lru_cache(maxsize=64)
def _move_pattern(style: CoordinateSystem, files: int, ranks: int) -> re.Pattern[str]:
    """A move on the board."""
    square = square_name_pattern(style, files, ranks)
    return re.compile(
        rf"(?P<origin>{square})(?P<via>{square})??(?P<target>{square})(?P<captures>(?:x{square})*){_PROMOTION_PATTERN}"
        rf"(?:/(?P<wall>{square}))?(?:/(?P<gate>[A-Z]|\[[^\]]+\])(?P<left>{square})?)?"
    )


def _parse_board_move(
    match: re.Match[str],
    compiled: CompiledVariant,
    alphabet: Alphabet,
    side: int,
    style: CoordinateSystem,
) -> MoveQuery | None:
    captured = re.findall(r"x([a-z]+[0-9]+|[0-9]+[a-z]+)(?=x|$)", match["captures"])
    origin, target, *taken = (
        _parse_square(name, compiled, style)
        for name in (match["origin"], match["target"], *captured)
    )
    wall = _parse_square(match["wall"], compiled, style) if match["wall"] else None
    via = _parse_square(match["via"], compiled, style) if match["via"] else None
    if origin is None or target is None or None in taken:
        return None
    if match["via"] and not (
        via is not None and _is_chain_of_adjacent_squares(compiled, origin, via, target)
    ):
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
        left = _parse_square(match["left"], compiled, style) if match["left"] else origin
        gate = (-1 if left is None else left, alphabet.pieces.get(match["gate"], -2) + side)
    return MoveQuery(0, origin, target, form, captures, wall, gate, via)


def _is_chain_of_adjacent_squares(compiled: CompiledVariant, *squares: int) -> bool:
    """Whether each square is next to the one before."""
    places = [*map(compiled.file_and_rank, squares)]
    return all(max(abs(x - u), abs(y - v)) == 1 for (x, y), (u, v) in pairwise(places))


def _parse_square(name: str, compiled: CompiledVariant, style: CoordinateSystem) -> int | None:
    """The number of a square by its name."""
    at = parse_square(name, compiled.files, compiled.ranks, style)
    return None if at is None else compiled.square(at)


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
REASON_WORDS = {why.code: why.words for why in ILLEGALITIES if why.words}


def reason_code(number: int) -> str | None:
    """The code of the rule that a move breaks, by the engine's number; None for a legal move."""
    return ILLEGALITIES[number].code or None


class ObstacleBudget:
    """How often what is in the way of a move may still be looked for: many positions are tried.

    Inside ``with budget.limit():`` a reason leaves it out where nothing is ``left``.
    """

    def __init__(self, left: int) -> None:
        self.left = left

    @contextmanager
    def limit(self) -> Iterator[None]:
        """Limit what is looked for meanwhile."""
        before = _OBSTACLE_BUDGET.set(self)
        try:
            yield
        finally:
            _OBSTACLE_BUDGET.reset(before)


_OBSTACLE_BUDGET: ContextVar[ObstacleBudget | None] = ContextVar("obstacles", default=None)


def explain_illegal(position: GamePosition, query: MoveQuery) -> Reason | None:
    """The first rule that a move breaks, None for a legal one."""
    if query.origin < 0:
        code, why = _drop_illegality(position, query), ""
        piece = query.piece
    else:
        code, why = _board_move_illegality(position, query)
        piece = position.piece_on(query.origin)
        if code == "gate" and query.gate and _is_missing_in_hand(position, piece, query.gate[1]):
            code, piece = "not-in-hand", query.gate[1]
    if code is None:
        return None
    if why:
        general = code if code == "promotion" and query.promotion is not None else "pattern"
        return Reason(code, f"{_reason_words(position.plan, general, piece, query)}: {why}")
    if code == "drop-colour":
        return Reason(code, _drop_colour_reason(position, piece, query.target))
    return Reason(code, _reason_words(position.plan, code, piece, query))


def _drop_colour_reason(position: GamePosition, piece: int, target: int) -> str:
    """Why a piece is not dropped on a square of this colour."""
    compiled = position.plan
    kind, colour = compiled.kinds[(piece - 1) >> 1], _colour_of(compiled, target)
    alike = [
        square
        for square in range(compiled.size)
        if position.piece_on(square) == piece and _colour_of(compiled, square) == colour
    ]
    if kind.per_colour and len(alike) >= kind.per_colour:
        to, names = compiled.square_name(target), list(map(compiled.square_name, alike))
        return (
            f"a side drops no more than {kind.per_colour} {kind.name} on squares of one colour, "
            f"and {join_words([*names, to], 'and')} are of one"
        )
    others = [each.name for each in compiled.kinds if each.per_colour]
    return (
        "the squares of one colour that are left would be too few for what is in hand: "
        f"{join_words(others, 'and')}"
    )


def _colour_of(compiled: CompiledVariant, square: int) -> int:
    """Which of the two colours of a chess board a square has."""
    return sum(compiled.file_and_rank(square)) % 2


def _is_missing_in_hand(position: GamePosition, gating_piece: int, piece_from_hand: int) -> bool:
    """Whether a piece could leave another one behind, if that were in hand."""
    compiled, hand = position.plan, position.position.hands[position.turn]
    return (
        piece_from_hand > 0
        and compiled.gates[gating_piece]
        and not hand[(piece_from_hand - 1) >> 1]
    )


def _drop_illegality(position: GamePosition, query: MoveQuery) -> str | None:
    compiled = position.plan
    if compiled.rules.drops == "no":
        return "no-drops"
    if code := _drop_square_objection(position, query.piece, query.target):
        return code
    every = position.pseudo_legal_drops(query.piece, query.target)
    fitting = [each for each in every if matches_wall_and_gate(compiled, each.engine_move, query)]
    if not fitting:
        # What no wall could help comes before the wall.
        return reason_code(every[0].reason) or "wall"
    faults = [reason_code(each.reason) for each in fitting]
    return faults[0] if None not in faults else _common_illegality(position, fitting)


def _drop_square_objection(position: GamePosition, piece: int, target: int) -> str | None:
    """Why a piece cannot be dropped on a square, whatever the rest of the board."""
    compiled, side = position.plan, position.turn
    hand = (
        compiled.is_dropped_from_nowhere
        if compiled.rules.drops == "free"
        else position.position.hands[side]
    )
    if not any(
        hand[kind] for kind, form in compiled.kind_and_dropped_piece_pairs[side] if form == piece
    ):
        return "not-in-hand"
    if position.piece_on(target):
        return "occupied"
    if compiled.footprints.large[piece] and not _has_space(position, piece, target):
        return "no-space"
    allowed = compiled.drop_squares(piece)
    if target in allowed:
        return None
    zone = compiled.zone[side]
    if zone[target] and not any(zone[s] for s in allowed):
        return "drop-zone"
    ranks = compiled.kinds[(piece - 1) >> 1].drop_ranks or (1, 0)
    return (
        "drop-region" if compiled.region_bits(ranks, side) & compiled.bits[target] else "drop-rank"
    )


def _has_space(position: GamePosition, piece: int, target: int) -> bool:
    """Whether all squares are there, and free, that a piece would take up."""
    compiled = position.plan
    fits = compiled.footprints.is_on_board(piece, target)
    return fits and not any(
        map(position.piece_on, compiled.footprints.occupied_squares(piece, target))
    )


def _no_move_reason_and_detail(position: GamePosition, square: int) -> tuple[str | None, str]:
    """Why the piece on a square has no move at all."""
    own = position.anchor_square(square)
    if own != square:
        return "own-square", f"its own square is {position.plan.square_name(own)}"
    return "frozen" if position.call_engine("is_piece_immobilised", square) else None, ""


def _board_move_illegality(position: GamePosition, query: MoveQuery) -> tuple[str | None, str]:
    """The rule that a board move breaks, and a detail if there is one."""
    if not _is_piece_of(position, query.origin, position.turn):
        return "no-piece", ""
    code, why = _no_move_reason_and_detail(position, query.origin)
    if code:
        return code, why
    candidates = [
        each
        for each in position.pseudo_legal_moves(query.origin)
        if each.engine_move.target == query.target
    ]
    if candidates and query.captures is not None:
        candidates = [
            each for each in candidates if set(each.engine_move.captures) == query.captures
        ]
        if not candidates:
            return "pattern", "not with these captures"
    if not candidates:
        code = _missing_move_reason(position, query)
        return code, _obstacle_words(position, query) if code == "pattern" else ""
    code, fitting = _reason_or_matching_moves(position.plan, candidates, query)
    if code:
        return code, ""
    if None in [reason_code(each.reason) for each in fitting]:
        return _common_illegality(position, fitting), ""
    # What could not be helped by another promotion comes first.
    first = min(fitting, key=lambda each: each.reason == ILLEGALITY_BY_CODE["SIDE_FULL"])
    return reason_code(first.reason), _reason_detail(position.plan, first, fitting)


def _obstacle_words(position: GamePosition, query: MoveQuery) -> str:
    """What is in the way of a move, in words, where it may be looked for."""
    budget = _OBSTACLE_BUDGET.get()
    if budget is not None:
        if budget.left <= 0:
            return ""
        budget.left -= 1
    from alfil.game.explain_obstacles import explain_obstacle  # noqa: PLC0415 - few ask why

    return explain_obstacle(position, query.origin, query.target)


def _reason_detail(
    compiled: CompiledVariant, proposal: MoveVerdict, fitting: list[MoveVerdict]
) -> str:
    """What is said of the reason for one of some moves, empty where its general words will do."""
    gate = compiled.gated_piece(proposal.engine_move)
    left = compiled.kinds[(gate[1] - 1) >> 1].name if gate else ""
    forms = dict.fromkeys(
        compiled.kinds[(each.engine_move.becomes - 1) >> 1].name for each in fitting
    )
    words = ILLEGALITIES[proposal.reason].more
    return words.format(
        square=compiled.square_name(proposal.square), left=left, forms=join_words([*forms], "and")
    )


def _is_piece_of(position: GamePosition, square: int, side: int) -> bool:
    """Whether a piece of a side stands on a square, and no wall."""
    piece = position.piece_on(square)
    return 0 < piece < position.plan.wall and (piece - 1) % 2 == side


def _reason_or_matching_moves(
    compiled: CompiledVariant, candidates: list[MoveVerdict], query: MoveQuery
) -> tuple[str | None, list[MoveVerdict]]:
    """The moves to a square that match the promotion asked for, or why there are none."""
    built = [each for each in candidates if each.reason != ILLEGALITY_BY_CODE["NO_WALL"]]
    if not built:
        return "wall", []
    allowed = [each for each in built if each.reason != ILLEGALITY_BY_CODE["FULL_FILE"]]
    if not allowed:
        return "file", []
    fitting = [each for each in allowed if matches_promotion(compiled, each.engine_move, query)]
    if not fitting:
        return "promotion", []
    fitting = [each for each in fitting if matches_wall_and_gate(compiled, each.engine_move, query)]
    if not fitting:
        return "gate" if query.gate else "wall", []
    return None, fitting


def _missing_move_reason(position: GamePosition, query: MoveQuery) -> str | None:
    """Why a piece has no move to the target, None for a forced pass."""
    compiled, side = position.plan, position.turn
    if query.origin == query.target and compiled.rules.passes == "stuck":
        return None if any(map(compiled.is_pass, position.engine_moves())) else "pass"
    itself = query.target != query.origin == position.anchor_square(query.target)
    if _is_piece_of(position, query.target, side) and not itself:
        return "own-piece"
    piece = position.piece_on(query.origin)
    return "pattern" if compiled.room[piece] >> query.target & 1 else "region"


def _common_illegality(position: GamePosition, fitting: list[MoveVerdict]) -> str | None:
    """Why none of these pseudo-legal moves is legal; None if one is."""
    every = position.engine_moves()
    if any(each.engine_move in every for each in fitting):
        return None
    rules = position.plan.rules
    if not any(engine_move.origin >= 0 for engine_move in every) and rules.drops_first == "yes":
        return "drops-first"
    taking = rules.must_capture == "yes" and any(engine_move.captures for engine_move in every)
    return "must-capture" if taking else "in-check"


def matches_query(compiled: CompiledVariant, engine_move: EngineMove, query: MoveQuery) -> bool:
    """Whether a move is one that a text asks for."""
    if (engine_move.origin, engine_move.target) != (query.origin, query.target):
        return False
    if query.origin < 0:
        return engine_move.piece == query.piece and matches_wall_and_gate(
            compiled, engine_move, query
        )
    same = query.captures is None or set(engine_move.captures) == query.captures
    if query.via is not None:
        # On an empty square it captures nothing.
        same = query.via in engine_move.captures or {*engine_move.captures} <= {query.target}
    return (
        same
        and matches_promotion(compiled, engine_move, query)
        and matches_wall_and_gate(compiled, engine_move, query)
    )


def matches_wall_and_gate(
    compiled: CompiledVariant, engine_move: EngineMove, query: MoveQuery
) -> bool:
    """Whether a move builds the wall that a text asks for, if it does, and leaves what it says."""
    walled = query.wall is None or wall_square_of_move(compiled, engine_move) == query.wall
    return walled and compiled.gated_piece(engine_move) == query.gate


def matches_promotion(compiled: CompiledVariant, engine_move: EngineMove, query: MoveQuery) -> bool:
    """Whether a move is the one asked for as far as its promotion goes.

    Where nothing is said of promotion, one that cannot be declined is meant too.
    """
    if query.promotion is None:
        staying = compiled.promotions(
            engine_move.piece,
            engine_move.origin,
            engine_move.target,
            captures=bool(engine_move.captures),
        )
        return engine_move.becomes == engine_move.piece or engine_move.piece not in staying
    if query.promotion == -1:
        return engine_move.becomes != engine_move.piece
    return engine_move.becomes == query.promotion


def _wall_square_words(compiled: CompiledVariant, query: MoveQuery) -> str:
    square = query.origin if compiled.rules.wall == "left" else query.wall
    return "any square" if square is None or square < 0 else compiled.square_name(square)


def _reason_words(compiled: CompiledVariant, code: str, piece: int, query: MoveQuery) -> str:
    kind = compiled.kinds[(piece - 1) >> 1] if 0 < piece < compiled.wall else None
    if code == "drop-check" and kind is not None and kind.drop_check == "barred":
        return f"the {kind.name}'s drop may not give check"
    return REASON_WORDS[code].format(
        name=kind.name if kind else "",
        to=compiled.square_name(query.target),
        start=compiled.square_name(query.origin) if query.origin >= 0 else "",
        wall=_wall_square_words(compiled, query),
    )

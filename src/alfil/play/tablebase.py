"""Tablebases: endings of few men of any game, solved, saved and looked up."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, NoReturn, Self

from alfil.errors import RuleError, reject, require_type
from alfil.frozen_dataclasses import dataclass
from alfil.game.compiled_variant import SIDES, compile_variant
from alfil.game.endgame_solver import (
    DEFAULT_MEGABYTES,
    EndingTables,
    Material,
    PositionTally,
    Progress,
    solve_endings,
    sort_material,
    symmetries,
)
from alfil.game.engine_interface import DRAWN, LOST, MOST_MEN, NO_POSITION, WON
from alfil.game.moves import Move, shared_move_builder
from alfil.game.sfen import write_position
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.source import Source

MAGIC = b"alfil tablebase 1\n"
# Stands between the men of both sides where nothing else tells them apart.
SIDE_SEPARATOR = "v"


@dataclass(frozen=True, slots=True)
class Probe:
    """What a tablebase knows of a position, for the side to move.

    ``plies`` are the moves of both sides to the end of the game by best play, 0 for a draw.
    """

    result: Literal["win", "draw", "loss"]
    plies: int


# The longest win that two bytes stand for.
MOST_PLIES = (0xFFFF - WON) // 2
# What a file that is damaged comes to where it is read.
DAMAGE = (ValueError, LookupError, TypeError, OverflowError, zlib.error)


class Tablebase:
    """Solved endings of one game.

    >>> import alfil
    >>> chess = alfil.load("chess")
    >>> table = alfil.Tablebase.make(chess.variant, ["KQK"])
    >>> table.probe(chess.game("8/8/8/8/8/2k5/8/KQ6 w - - 0 1"))
    Probe(result='win', plies=11)
    """

    def __init__(self, variant: Variant, tables: EndingTables) -> None:
        self.variant = variant
        self._tables = tables

    @classmethod
    def make(
        cls,
        variant: Variant,
        names: Iterable[str],
        progress: Progress = lambda _done, _of: None,
        memory: int = DEFAULT_MEGABYTES,
    ) -> Self:
        """Solve endings by their men, such as "KQK", and all endings that they lead to.

        First come the men of the first side. Where the second side's do not begin with the same
        code, a v stands between. ``progress`` hears how many positions of how many are done, and
        ``memory`` is the most megabytes. Raises `RuleError` for men that the game does not have,
        more than four of them, and games and sizes that cannot be solved.
        """
        require_type(variant, Variant, "what is solved is a Variant")
        compiled = compile_variant(variant)
        wanted = [_material_of_name(variant, name) for name in names]
        if not wanted:
            _reject_ending("ending-name", "no ending is named", "")
        return cls(variant, solve_endings(compiled, wanted, progress, memory))

    @property
    def names(self) -> list[str]:
        """The endings, those that others lead to first."""
        return [self._ending_name(men) for men in self._tables.materials]

    def tally(self, name: str) -> tuple[PositionTally, PositionTally]:
        """The positions of an ending with the first and with the second side to move.

        Raises `RuleError` for an ending that is not in the tables.
        """
        return self._tables.tallies[self._solved_material(name)]

    def probe(self, game: Game) -> Probe | None:
        """The result of the position of a game that continues; None for other endings.

        It is None, too, where a side can still castle. Repetitions and counts of moves are ignored.
        """
        require_type(game, Game, "what is looked up is a Game")
        return _probe_of_value(self._value(game)) if game.variant == self.variant else None

    def best_move(self, game: Game) -> Move | None:
        """The first of the moves that win soonest, keep the draw or lose latest, if it is known."""
        probe = self.probe(game)
        if probe is None:
            return None
        sign = {"win": -1, "draw": 0, "loss": 1}
        best: tuple[tuple[int, int], Move] | None = None
        for move in sorted(game.legal_moves, key=str):
            after = self._probe_after(game, move)
            if after is None:
                return None
            rank = {"loss": 2, "draw": 1, "win": 0}[after.result]
            key = rank, sign[{"loss": "win", "win": "loss"}.get(after.result, "draw")] * after.plies
            if best is None or key > best[0]:
                best = key, move
        return best[1] if best else None

    def line(self, game: Game, most: int = 400) -> tuple[Move, ...]:
        """Best play from the position of a game to its end, ``most`` moves at most."""
        require_type(game, Game, "what is looked up is a Game")
        played = Game(self.variant, game.fen())
        moves: list[Move] = []
        while len(moves) < most and (move := self.best_move(played)):
            played.push(move)
            moves.append(move)
        return tuple(moves)

    def longest_win_position(self, name: str, side: int = 0) -> str | None:
        """A position in which a side to move needs the most moves to win, as text.

        The side is 0 or 1, ValueError for another one; otherwise as `tally`.
        """
        if side not in SIDES:
            raise ValueError(f"a side is 0 or 1, not {side!r:.60}")
        men = self._solved_material(name)
        won = self._tables.tallies[men][side].won
        position = won and self._tables.find(men, side, WON + 2 * max(won))
        return write_position(position, shared_move_builder(self.variant)[1]) if position else None

    def save(self, path: str | Path) -> None:
        """Write the endings into a file; docs/tablebases.md describes its format."""
        Path(path).write_bytes(self._to_bytes())

    def _to_bytes(self) -> bytes:
        tables, rows, blocks = self._tables, list[dict[str, Any]](), list[bytes]()
        for place, men in enumerate(tables.materials):
            first, end = 2 * tables.starts[place], 2 * tables.starts[place + 1]
            raw = bytes(tables.values[first:end])
            blocks.append(zlib.compress(raw, 6))
            rows.append(
                {
                    "name": self._ending_name(men),
                    "men": [[self._tables.compiled.codes[piece], (piece - 1) % 2] for piece in men],
                    "symmetries": list(tables.turns[place]),
                    "bytes": len(blocks[-1]),
                    "sha256": _sha256(raw),
                    "tally": [_tally_data(each) for each in tables.tallies[men]],
                }
            )
        size = {"files": self.variant.files, "ranks": self.variant.ranks}
        header = {"game": self.variant.name, **size, "rules": _digest(self.variant)}
        text = json.dumps({**header, "endings": rows})
        return MAGIC + text.encode() + b"\n" + b"".join(blocks)

    def __copy__(self) -> Self:
        """Itself, for it never changes."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        del memo
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what a file would have."""
        return type(self)._from_bytes, (self._to_bytes(), "<pickle>", self.variant)

    @classmethod
    def open(cls, path: str | Path, variant: Variant) -> Self:
        """Read a file that `save` wrote.

        Raises `RuleError` for a file of another game, or one that is damaged, and OSError.
        """
        require_type(variant, Variant, "what is looked up is a Variant")
        return cls._from_bytes(Path(path).read_bytes(), str(path), variant)

    @classmethod
    def _from_bytes(cls, data: bytes, name: str, variant: Variant) -> Self:
        if not data.startswith(MAGIC):
            _reject_ending("tablebase-file", "the file is no tablebase", name)
        head, _, rest = data[len(MAGIC) :].partition(b"\n")
        try:
            header = json.loads(head)
            if header["rules"] != _digest(variant):
                _reject_ending(
                    "tablebase-file", f"the tablebase is of another game: {header['game']}", name
                )
            return cls(variant, _read_endings(variant, header["endings"], rest, name))
        except RuleError:
            raise
        # A header may ask for more memory than there is, or be more deeply nested than any is.
        except (*DAMAGE, MemoryError, RecursionError):
            _reject_ending("tablebase-file", "the tablebase is damaged", name)

    def _value(self, game: Game) -> int:
        """The value of the position of a game, `NO_POSITION` where it is not known."""
        with game._lock:
            state = game._game_position.state
            if state.last_ply_field("rights") or state.last_ply_field("rights_high"):
                return NO_POSITION
            if not state.struct["trail"]:
                return self._tables.value_at(game._game_position)
        # What may be captured en passant is known after the next move.
        found = [self._probe_after(game, move) for move in game.legal_moves]
        if not found or any(each is None for each in found):
            return NO_POSITION
        losses = [each.plies for each in found if each and each.result == "loss"]
        wins = [each.plies for each in found if each and each.result == "win"]
        if losses:
            return WON + 2 * (min(losses) + 1)
        return LOST + 2 * (max(wins) + 1) if len(wins) == len(found) else DRAWN

    def _probe_after(self, game: Game, move: Move) -> Probe | None:
        """What is known of a game after a move, for the side to move then."""
        game.push(move)
        try:
            outcome = game.outcome()
            if not outcome:
                return self.probe(game)
            if outcome.winner is None:
                return Probe("draw", 0)
            return Probe("win" if outcome.winner == game.turn else "loss", 0)
        finally:
            game.pop()

    def _solved_material(self, name: str) -> Material:
        men = sort_material(self._tables.compiled, _material_of_name(self.variant, name))
        if men not in self._tables.tallies:
            _reject_ending("ending-name", f"the tablebase has no ending {name}", name)
        return men

    def _ending_name(self, men: Material) -> str:
        compiled = self._tables.compiled
        first, second = ("".join(compiled.codes[p] for p in men if (p - 1) % 2 == s) for s in SIDES)
        plain = f"{first}{second}"
        try:
            known = sort_material(compiled, _material_of_name(self.variant, plain)) == men
        except RuleError:
            known = False
        return plain if known else f"{first}{SIDE_SEPARATOR}{second}"


def _probe_of_value(value: int) -> Probe | None:
    if value == NO_POSITION:
        return None
    if value == DRAWN:
        return Probe("draw", 0)
    return Probe("win", (value - WON) // 2) if value % 2 else Probe("loss", (value - LOST) // 2)


def _material_of_name(variant: Variant, name: str) -> Material:
    """The men that a name of an ending stands for."""
    require_type(name, str, "the name of an ending is a text")
    compiled = compile_variant(variant)
    codes, left, parts = sorted(compiled.number, key=len, reverse=True), name, list[str]()
    while left:
        code = next((each for each in codes if left.startswith(each)), "")
        if not code and not left.startswith(SIDE_SEPARATOR):
            _reject_ending("ending-name", f"no piece of the game begins {left}", name)
        parts.append(code or SIDE_SEPARATOR)
        left = left[len(parts[-1]) :]
    split = (
        parts.index(SIDE_SEPARATOR)
        if SIDE_SEPARATOR in parts
        else _start_of_second_side(parts, name)
    )
    men = [compiled.piece_number(code, 0) for code in parts[:split]]
    men += [compiled.piece_number(code, 1) for code in parts[split:] if code != SIDE_SEPARATOR]
    if not 0 < len(men) <= MOST_MEN:
        _reject_ending(
            "ending-name", f"an ending has 1 to {MOST_MEN} men, and this one {len(men)}", name
        )
    return tuple(men)


def _start_of_second_side(parts: list[str], name: str) -> int:
    if not parts or parts.count(parts[0]) != len(SIDES):
        message = (
            f"it is not clear which men are the second player's: write {SIDE_SEPARATOR} before them"
        )
        _reject_ending("ending-name", message, name)
    return parts.index(parts[0], 1)


def _reject_ending(kind: str, message: str, name: str) -> NoReturn:
    reject(RuleError, kind, message, Source(name, "<tablebase>"))


def _sha256(data: bytes) -> str:
    from hashlib import sha256  # noqa: PLC0415 - most opponents have no tablebase, and this is large

    return sha256(data).hexdigest()


def _digest(variant: Variant) -> str:
    """A hash of what endings depend on: board, rules, pieces and where they begin."""
    kinds = [(kind.code, kind.royal, kind.promotes, kind.promotion) for kind in variant.kinds]
    rules = asdict(variant.rules)
    parts = (variant.files, variant.ranks, sorted(variant.walls), variant.setup, kinds)
    text = repr((parts, sorted(variant.moves), sorted(rules.items())))
    return _sha256(text.encode())


def _tally_data(tally: PositionTally) -> dict[str, object]:
    return {
        "won": list(tally.won.items()),
        "drawn": tally.drawn,
        "lost": list(tally.lost.items()),
        "stalemates": tally.stalemates,
    }


def _tally_from_data(data: dict[str, Any]) -> PositionTally:
    """The opposite of `_tally_data`; raises one of `DAMAGE` for what no solver counts."""
    tally = PositionTally(dict(data["won"]), data["drawn"], dict(data["lost"]), data["stalemates"])
    plies, counts = {*tally.won, *tally.lost}, {*tally.won.values(), *tally.lost.values()}
    numbers = plies | counts | {tally.drawn, tally.stalemates}
    if not all(type(each) is int for each in numbers) or not plies <= {*range(MOST_PLIES + 1)}:
        raise ValueError("the counts of an ending")
    return tally


def _read_endings(
    variant: Variant, rows: Sequence[dict[str, Any]], rest: bytes, name: str
) -> EndingTables:
    """The endings of a file from its header and what follows it."""
    compiled = compile_variant(variant)
    materials = [
        tuple(compiled.piece_number(code, SIDES.index(side)) for code, side in row["men"])
        for row in rows
    ]
    turns = [row["symmetries"] for row in rows]
    maps = symmetries(compiled.files, compiled.ranks)
    written = all(len(men) <= MOST_MEN and men == sort_material(compiled, men) for men in materials)
    known = all({0} <= {*each} <= {*range(len(maps))} for each in turns)
    if not (written and known) or len({*materials}) < len(materials):
        _reject_ending("tablebase-file", "the tablebase is damaged", name)
    tables = EndingTables(compiled, materials, turns)
    at = 0
    for place, row in enumerate(rows):
        first, end = 2 * tables.starts[place], 2 * tables.starts[place + 1]
        unpacked = zlib.decompressobj().decompress(rest[at : at + row["bytes"]], end - first + 1)
        if len(unpacked) != end - first or _sha256(unpacked) != row["sha256"]:
            _reject_ending("tablebase-file", f"the tablebase is damaged: {row['name']}", name)
        memoryview(tables.values)[first:end] = unpacked
        at += row["bytes"]
        one, other = map(_tally_from_data, row["tally"])
        tables.tallies[materials[place]] = one, other
    return tables

"""Move tables in a plain form: for each square, the rays of a piece as lists of squares.

A ray is one path of a move table, on the board: its squares in order, each with its kind, which
says what may stand there for the move to end, and for the ray to continue. Two paths with a common
beginning are two rays; the first has the ends of the beginning, so that no move is there twice.
docs/tables.md describes the format, docs/rays.schema.json is its schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias, cast

from alfil.errors import AlfilError, reject
from alfil.meaning.automaton import AT_HOME, FREE_CLASSES, PIECE_CLASSES
from alfil.meaning.piece_meaning import Meaning, ranks_in_own_half
from alfil.source import Source
from alfil.squares import Square
from alfil.tables.move_table import CLASS_BITS, CLASS_MASK, STEP_SHIFT
from alfil.tables.table_export import CLASS_BY_NAME, ExportedPiece, piece_as_json
from alfil.work_limit import charge, limited_task

FORMAT, VERSION = "alfil-rays", 1
# More squares in all rays together would be files of some hundred megabytes.
MAX_SQUARES = 1_000_000
# To look at so many nodes of a table takes as long as to write a square.
_NODES_PER_SQUARE = 4
# Conditions that compare a path with the others, or with the history of another piece.
REASON_BY_CONDITION = {"castle": "castling", "greedy": "only the farthest square of a line counts"}
EFFECT_FACTS = ("burns", "shoots", "immobilises")
JsonObject: TypeAlias = dict[str, Any]
# The squares of a ray as numbers, each with the number of its kind.
Ray: TypeAlias = list[tuple[int, int]]
# The same with the kinds themselves.
PlainRay: TypeAlias = "list[tuple[int, RaySquareKind]]"


class RaySquareKind(NamedTuple):
    """What a ray does on a square.

    A move ends there on what has a bit of ``ends``, and captures it; the ray continues over what
    has a bit of ``on``, and captures it if it ``takes``. ``en_passant``: an end on an en passant
    square captures the piece that has just passed it.
    """

    ends: int
    on: int
    takes: bool
    en_passant: bool


class TooManyRays(Exception):
    """All rays together have more squares than `MAX_SQUARES`."""


def tables_as_rays(pieces: Iterable[ExportedPiece], files: int, ranks: int) -> JsonObject:
    """The rays of some pieces on one board, as plain data.

    Raises `AlfilError` of kind "too-many-rays" if all rays together are too long for one file.
    """
    layout = RaysOfPieces(pieces, files, ranks)
    try:
        with limited_task(MAX_SQUARES, TooManyRays):
            written = [*layout.pieces()]
    except TooManyRays:
        message = f"all rays together have more than {MAX_SQUARES} squares"
        hint = "write fewer pieces, as in taikyoku:K, or the packed form without --plain"
        reject(AlfilError, "too-many-rays", message, Source("", "<tables>"), hint=hint)
    return {
        "format": FORMAT,
        "version": VERSION,
        "files": files,
        "ranks": ranks,
        "classes": {name: bit for name, bit in CLASS_BY_NAME.items() if name != "outside"},
        "kinds": [kind._asdict() for kind in layout.kinds],
        "pieces": written,
    }


class RaysOfPieces:
    """The rays of some pieces on one board, piece by piece, and the kinds of their squares."""

    def __init__(self, pieces: Iterable[ExportedPiece], files: int, ranks: int) -> None:
        self.files, self.ranks = files, ranks
        self._pieces = (piece_as_json(each, (files, ranks)) for each in pieces)
        self.kinds: dict[RaySquareKind, int] = {}
        # Millions of squares of rays are few different ones, which take no memory again.
        self._known: dict[tuple[int, int], tuple[int, int]] = {}

    def pieces(self) -> Iterator[JsonObject]:
        """All pieces; those to come may have new kinds of squares. Squares of rays are work."""
        return map(self._piece_as_rays, self._pieces)

    def _piece_as_rays(self, piece: JsonObject) -> JsonObject:
        """One piece; the parts and facts that rays cannot express are named in ``not_written``."""
        reasons = [(part, _reason_without_rays(part, piece)) for part in piece["parts"]]
        return {
            **{key: piece[key] for key in ("code", "name", "text", "notation", "blocked_by")},
            "facts": [{key: fact[key] for key in ("fact", "words")} for fact in piece["facts"]],
            "parts": [self._part_as_rays(part) for part, reason in reasons if not reason],
            "not_written": [
                *({"when": part["when"], "reason": reason} for part, reason in reasons if reason),
                *(
                    {"when": fact["when"], "reason": fact["words"]}
                    for fact in piece["facts"]
                    if fact["fact"] in EFFECT_FACTS
                ),
            ],
        }

    def _part_as_rays(self, part: JsonObject) -> JsonObject:
        rays = PartRays(part, self.files, self.ranks)
        first, second = (
            [
                [
                    self._replace_kinds_by_numbers(ray)
                    for ray in rays.from_square((file, rank), side)
                ]
                for rank, file in product(range(self.ranks), range(self.files))
            ]
            for side in (0, 1)
        )
        when = {kind: value for kind, value in part["when"].items() if kind != "middle"}
        if part.get("unchecked"):
            when["unchecked"] = True
        return {"when": when, "first": first, "second": second}

    def _replace_kinds_by_numbers(self, ray: PlainRay) -> Ray:
        """A ray with numbers for kinds, new ones for kinds met for the first time."""
        charge(1 + len(ray))
        kinds, known = self.kinds, self._known
        pairs = ((square, kinds.setdefault(kind, len(kinds))) for square, kind in ray)
        return [known.setdefault(each, each) for each in pairs]


def rays_from_square(meaning: Meaning, files: int, ranks: int, at: Square) -> list[PlainRay]:
    """The rays of a piece of the first side from one square; parts without rays have none.

    >>> from alfil.meaning.piece_meaning import EMPTY_MEANING
    >>> rays_from_square(EMPTY_MEANING, 8, 8, (0, 0))
    []
    """
    piece = ExportedPiece("", "", "", "", meaning.without_facts())
    data = cast(JsonObject, piece_as_json(piece, (files, ranks)))
    return [
        ray
        for part in data["parts"]
        if not _reason_without_rays(part, data)
        for ray in PartRays(part, files, ranks).from_square(at, 0)
    ]


def _reason_without_rays(part: JsonObject, piece: JsonObject) -> str:
    """Why a part is not written as rays, "" if it is."""
    if len(piece["squares"]) > 1:
        return "larger than a square"
    if part["kind"] == "graph":
        return "its paths roam over an area, or are too many"
    return next(
        (reason for kind, reason in REASON_BY_CONDITION.items() if kind in part["when"]), ""
    )


class _TrieNode(NamedTuple):
    """A node of a trie: its offset, the node after its subtree, its kind, and its captures."""

    dx: int
    dy: int
    after: int
    kind: RaySquareKind
    captures: int


class _TrieNodeOnBoard(NamedTuple):
    """A node on the board: the number of its square, its rank as its side sees it, and its kind.

    The kind is without ends where no move may end.
    """

    after: int
    square: int
    rank: int
    kind: RaySquareKind


class PartRays:
    """The rays of one part of a table, a trie, on one board."""

    def __init__(self, part: JsonObject, files: int, ranks: int) -> None:
        self._files, self._ranks = files, ranks
        self._middle = "middle" in part["when"]
        self._starts, self._targets = (
            [{(file, rank) for file, rank in area} for area in part[key]] if key in part else None
            for key in ("from", "to")
        )
        self._nodes = _trie_nodes_of_part(part)

    def from_square(self, at: Square, side: int) -> Iterator[PlainRay]:
        """The rays of a side from a square."""
        if self._starts and at not in self._starts[side]:
            return
        charge(len(self._nodes) / _NODES_PER_SQUARE)
        # The path to a node, and how many of its first squares have their ends in a ray already.
        path: list[_TrieNodeOnBoard] = []
        written = node = 0
        while node < len(self._nodes) or path:
            if path and path[-1].after <= node:
                if path[-1].kind.ends and written < len(path):
                    yield _ray_to_path_end(path, written)
                    written = len(path)
                path.pop()
                written = min(written, len(path))
            elif step := self._ray_node(self._nodes[node], at, side, path):
                path.append(step)
                node += 1
            else:
                node = self._nodes[node].after

    def _ray_node(
        self, node: _TrieNode, at: Square, side: int, path: list[_TrieNodeOnBoard]
    ) -> _TrieNodeOnBoard | None:
        """A node seen from a square, None off the board."""
        dx, dy, after, kind, _ = node
        x, y = (at[0] - dx, at[1] - dy) if side else (at[0] + dx, at[1] + dy)
        if not (0 <= x < self._files and 0 <= y < self._ranks):
            return None
        rank = self._ranks - 1 - y if side else y
        outside = self._targets and (x, y) not in self._targets[side]
        if outside or (self._middle and not self._stays_in_own_half(path, rank, node)):
            kind = _without_ends(kind)
        return _TrieNodeOnBoard(after, y * self._files + x, rank, kind)

    def _stays_in_own_half(self, path: list[_TrieNodeOnBoard], rank: int, node: _TrieNode) -> bool:
        """Whether a run keeps to its half of the board; one of a single square may leave it.

        The return of a piece that shoots is no part of the run.
        """
        shoots = node.captures and (node.dx, node.dy) == (0, 0)
        run = [step.rank for step in path] + ([] if shoots else [rank])
        return len(run) == 1 or max(run) < ranks_in_own_half(self._ranks)


def _ray_to_path_end(path: list[_TrieNodeOnBoard], written: int) -> PlainRay:
    """The ray to the end of a path; its first squares, so many as are ``written``, have no ends."""
    begun = [(step.square, _without_ends(step.kind)) for step in path[:written]]
    new = [(step.square, step.kind) for step in path[written:-1]]
    return [*begun, *new, (path[-1].square, _without_continuation(path[-1].kind))]


@cache
def _without_ends(kind: RaySquareKind) -> RaySquareKind:
    """A square on which no move ends."""
    return kind._replace(ends=0, en_passant=False)


@cache
def _without_continuation(kind: RaySquareKind) -> RaySquareKind:
    """A square that no move passes."""
    return kind._replace(on=0, takes=False)


def _trie_nodes_of_part(part: JsonObject) -> list[_TrieNode]:
    words, skips, steps = part["nodes"], part["skips"], part["steps"]
    traces = [part["traces"].get(str(node), {}) for node in range(len(words))]
    captures = [len(trace.get("captures", ())) for trace in traces]
    result = []
    for node, (word, after) in enumerate(zip(words, skips, strict=True)):
        dx, dy = steps[word >> STEP_SHIFT]
        kind = RaySquareKind(
            _classes_allowed_on(word & CLASS_MASK, (dx, dy)),
            _classes_allowed_on(word >> CLASS_BITS & CLASS_MASK, (dx, dy)),
            after > node + 1 and captures[node + 1] > captures[node],
            traces[node].get("takes_trail", False),
        )
        result.append(_TrieNode(dx, dy, after, kind, captures[node]))
    return result


def _classes_allowed_on(mask: int, offset: Square) -> int:
    """What may stand on a square of the board; its own square the piece has just left."""
    if offset == (0, 0):
        return AT_HOME if mask else 0
    return mask & (FREE_CLASSES | PIECE_CLASSES)

"""The shortest piece that does what is drawn on boards, or what is to be asked to know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import product
from math import atan2, cos, gcd
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from alfil.api import Piece, difference, draw, read, reject_piece_needing_board
from alfil.diagrams.diagram_content import all_marks
from alfil.diagrams.diagram_model import Diagram, Offset, open_window
from alfil.diagrams.signs import GROUND_FAMILIES
from alfil.errors import AlfilError, MeaningError, reject
from alfil.frozen_dataclasses import dataclass
from alfil.geometry import (
    SYMMETRIES,
    Vector,
    all_images,
    apply_symmetry,
    base_vector,
    inverse_symmetry,
)
from alfil.meaning.automaton import OVER_ANY
from alfil.movement.run_sequences import NotExpressible
from alfil.notation.vocabulary import atom_text_of_bases, direction_choices
from alfil.source import Source
from alfil.translation.betza import DIALECT
from alfil.translation.betza_candidates import CandidateFamily, CandidatePart, all_atom_modifiers
from alfil.translation.set_cover import MAX_NODES, CoverColumn, cheapest_cover
from alfil.translation.shortest_betza import text_of_parts
from alfil.work_limit import LIMIT, TooMuchWork, charge, limited_task
from alfil.workbench.bent_part_index import (
    FIRST_LETTERS,
    INDEX_RADIUS,
    STRONGER,
    DrawnBentPart,
    bent_part_candidates,
    has_bent_part,
    insert_direction_letters,
    sign_kind_name,
    visible_and_hidden_sign_kinds,
)
from alfil.workbench.drawn_board_reader import (
    DrawnBoard,
    DrawnSign,
    board_of_marks,
    read_boards,
)

if TYPE_CHECKING:
    from alfil.meaning.piece_meaning import Meaning
    from alfil.tables.smallest_difference import Witness

Drawing: TypeAlias = str | Iterable[Offset]

# So many other pieces that look the same are looked for.
MAX_TRIES = 24
# The radius of a board that is asked for, if nothing on it is farther away.
SMALLEST_QUESTION = 5
# So many parts of several legs are drawn at most, so many of them that look alike near the piece.
MOST_BENT, MOST_ALIKE = 100, 12
# How parts begin that pass squares in two ways.
MIXED_LEGS = ("mc", "mp")
# So many parts that show nothing more are tried beside those that are found.
MOST_EXTRAS = 8
# Parts of several legs are asked about that make a piece so many letters longer than the shortest,
# which has none or has such parts itself.
MOST_LETTERS_MORE = {False: 2, True: 4}
# Boards of nine by nine that are full of marks take most of it.
MAX_INFERENCE_WORK = LIMIT * 5 // 4
# To draw so many squares of a board is one step of work.
SQUARES_A_STEP = 2
# The search for each other piece looks at so many choices.
FEW_NODES = 400
UNIT: tuple[Vector, ...] = ((0, 1), (1, 1))
HIDDEN = {"clear"}
# Other pieces by their signs, as positions have them.
STANDING = {
    "friend": "friends",
    "enemy": "enemies",
    "enemy_royal": "enemy_royals",
    "unmoved_friend": "unmoved_friends",
    "trail": "en_passant",
}
# How a move may end else on a square where it may move or capture.
TWIN = {"move": "capture", "capture": "move"}
# The letters of parts that capture what has a sign of its own: own pieces, royal pieces.
END_MODES = {"own": ("d", "cd", "mcd"), "royal": ("k", "mk")}

Boards: TypeAlias = tuple[DrawnBoard, ...]
SignsByVector: TypeAlias = dict[Vector, list[DrawnSign]]


@dataclass(frozen=True, slots=True)
class Inference:
    """What boards say of a piece.

    ``text`` is the shortest Betza found whose boards are just these, ``others`` are other pieces
    with the same boards. ``questions`` are the smallest positions in which one of the others does
    something else than ``text``: a board drawn of one of them tells the two apart. There is none
    for what no board shows, such as where a piece can be captured en passant.
    """

    text: str
    others: tuple[str, ...] = ()
    questions: tuple[Witness, ...] = ()

    def __str__(self) -> str:
        return self.text


def infer(boards: Drawing | Sequence[Drawing]) -> Inference:
    """The shortest piece that does just what one or several boards show.

    A board is a text with the signs that `alfil show` draws, or a list of vectors that the piece
    leaps by. One of the boards has no other piece on it; those with other pieces on them are
    compared with what the piece may do there. Raises `AlfilError` of kind "no-board" for a text
    without a board, "unknown-sign" for one with other signs, "not-inferred" where no piece of the
    grammar fits, "too-much-work" where too many would have to be tried.

    >>> import alfil
    >>> alfil.infer([(1, 2), (-1, 2)]).text
    'fN'
    >>> alfil.infer("· × ○ × ·\\n· · @ · ·").text
    'fmWfcF'
    """
    return infer_from_drawn_boards(
        [board for each in _split_drawings_argument(boards) for board in _parse_drawing(each)]
    )


def infer_from_drawn_boards(boards: Iterable[DrawnBoard]) -> Inference:
    """The same for boards that have been read; raises what `infer` does of kind "not-inferred"."""
    drawn = tuple(sorted(boards, key=lambda each: len(each.standing)))
    if drawn[0].standing:
        hint = "add a board on which the piece is alone"
        reject(AlfilError, "not-inferred", "every board has other pieces", Source(""), hint=hint)
    try:
        with limited_task(MAX_INFERENCE_WORK):
            return _infer_from_sorted(drawn)
    except (TooMuchWork, MeaningError):
        # A piece that is tried may be too large itself, which is no text of the reader's.
        message = "too many or too large pieces would have to be tried"
        hint = "draw fewer signs, or a smaller board"
        reject(AlfilError, "too-much-work", message, Source(""), hint=hint)


def _infer_from_sorted(drawn: Boards) -> Inference:
    exact: list[str] = []
    others: list[str] = []
    known: list[Meaning] = []
    for text in _candidate_texts(drawn):
        piece = read(text)
        if all(_matches_board(piece, each) for each in drawn):
            found = (
                exact
                if all(_matches_board(piece, each, must_draw_passed=True) for each in drawn)
                else others
            )
            if piece.meaning not in known:
                known.append(piece.meaning)
                found.append(text)
    # Squares that are passed were left out only where no piece does without.
    found = exact or others
    if not found:
        message = "no piece of the grammar does just what is drawn"
        hint = (
            "draw it as alfil show does: ★ leaps, ● needs empty squares on the way, ◦ is one of "
            "these, → continues; show a piece that is like it"
        )
        reject(AlfilError, "not-inferred", message, Source(""), hint=hint)
    text = found[0]
    longest = len(text) + MOST_LETTERS_MORE[has_bent_part(text)]
    others = [each for each in found[1:] if len(each) <= longest or not has_bent_part(each)]
    different = dict(_different_texts_with_witnesses(text, others))
    return Inference(text, tuple(different), tuple(_distinguishing_positions(text, different)))


def _different_texts_with_witnesses(
    text: str, others: Iterable[str]
) -> Iterator[tuple[str, Witness | None]]:
    """Those that are other pieces, each with a position that shows it where one is known."""
    for other in others:
        try:
            position = difference(text, other)
        except AlfilError:
            yield other, None
        else:
            if position is not None:
                yield other, position


def _distinguishing_positions(text: str, different: dict[str, Witness | None]) -> Iterator[Witness]:
    """The positions in which a piece is drawn in another way than others, each once."""
    asked: list[Witness] = []
    for other, position in different.items():
        if position is None or position.move is None:
            continue
        for each in (position, _replace_edges_with_friends(position)):
            if _is_difference_drawn(each, text, other):
                if each not in asked:
                    asked.append(each)
                    yield each
                break


def _replace_edges_with_friends(position: Witness) -> Witness:
    """A position without the edges of its board: there are own pieces all around."""
    x, y = position.at
    inside = set(product(range(-x, position.files - x), range(-y, position.ranks - y)))
    around = {(a + dx, b + dy) for a, b in inside for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return replace(
        position,
        files=position.files + 2,
        ranks=position.ranks + 2,
        at=(x + 1, y + 1),
        friends=tuple(sorted({*position.friends, *(around - inside)})),
    )


def _is_difference_drawn(position: Witness, text: str, other: str) -> bool:
    """Whether a board with the pieces of a position shows two pieces in different ways."""
    standing = tuple(
        (at, name) for name, places in STANDING.items() for at in getattr(position, places)
    )
    if not standing or position.move is None:
        return False
    radius = max(
        SMALLEST_QUESTION,
        *(max(map(abs, at)) for at in (position.move.to, *(at for at, _ in standing))),
    )
    one, another = (
        [
            sign
            for sign in drawn_board_of(read(each), radius, standing).signs
            if sign.family not in HIDDEN
        ]
        for each in (text, other)
    )
    return set(one) != set(another)


def _split_drawings_argument(boards: Drawing | Sequence[Drawing]) -> Iterator[Drawing]:
    if isinstance(boards, str):
        yield boards
        return
    each = list(boards)
    if each and isinstance(each[0], tuple) and all(isinstance(n, int) for n in each[0]):
        yield each  # type: ignore[misc]  # vectors
    else:
        yield from each  # type: ignore[misc]  # boards


def _parse_drawing(drawing: Drawing) -> list[DrawnBoard]:
    if isinstance(drawing, str):
        return read_boards(drawing)
    vectors = [(x, y) for x, y in drawing]
    radius = max((max(abs(x), abs(y)) for x, y in vectors), default=1)
    drawn_signs = [
        DrawnSign(at, "step" if max(map(abs, at)) == 1 else "leap", ending)
        for at in vectors
        for ending in ("move", "capture")
    ]
    return [DrawnBoard(radius, frozenset(drawn_signs))]


def _matches_board(piece: Piece, board: DrawnBoard, *, must_draw_passed: bool = False) -> bool:
    """Whether a piece has just the signs of a board.

    Squares that it passes need not be drawn, unless ``must_draw_passed`` says so; but who draws one
    has drawn all.
    """
    drawn = drawn_board_of(piece, board.radius, board.standing).signs
    if not must_draw_passed and not any(sign.family in HIDDEN for sign in board.signs):
        drawn = frozenset(sign for sign in drawn if sign.family not in HIDDEN)
    return drawn == board.signs


def drawn_board_of(
    piece: Piece, radius: int, standing: tuple[tuple[Offset, str], ...] = ()
) -> DrawnBoard:
    """The board that is drawn of a piece, or of one that has not moved, among some others."""
    if not standing:
        reject_piece_needing_board(piece)
        return board_of_marks(all_marks(piece.meaning, open_window(radius)), radius)
    around = {
        places: [at for at, each in standing if each == name] for name, places in STANDING.items()
    }
    subject = draw(piece, radius=radius, unmoved=True, **around).subject  # type: ignore[arg-type]
    assert isinstance(subject, Diagram)
    return board_of_marks(subject.marks, radius)


def _candidate_texts(boards: Boards) -> Iterator[str]:
    """Texts that may be the piece, the shortest first, then those without some part of it."""
    every = sorted(each for each in _signs_with_board_numbers(boards) if each.family not in HIDDEN)
    bits = {sign: 1 << at for at, sign in enumerate(every)}
    columns, extras = _main_and_extra_candidate_parts(boards, bits)
    tried: set[tuple[int, ...]] = set()
    excluded: list[frozenset[int]] = [frozenset()]
    for without in excluded:
        left = [at for at in range(len(columns)) if at not in without]
        items = [CoverColumn(columns[at].letters, columns[at].mask) for at in left]
        limit = MAX_NODES if not tried else FEW_NODES
        cover = cheapest_cover(items, (1 << len(every)) - 1, limit)
        if cover is None:
            continue
        chosen = tuple(left[at] for at in cover.chosen)
        if chosen not in tried:
            tried.add(chosen)
            parts = [columns[at].text for at in chosen]
            some = extras[:MOST_EXTRAS] if len(tried) == 1 else []
            for more in ([], *([each.text] for each in some)):
                with suppress(NotExpressible, AlfilError):
                    yield text_of_parts([*parts, *more], DIALECT)
        if len(excluded) < MAX_TRIES:
            excluded += [without | {at} for at in chosen]


def _signs_with_board_numbers(boards: Boards) -> Iterator[DrawnSign]:
    """The signs of all boards, each with the number of its board."""
    for number, board in enumerate(boards):
        for sign in board.signs:
            yield sign._replace(board=number)


class _CandidateWithSignCount(NamedTuple):
    """A column, and how many signs are drawn of it."""

    column: CandidatePart
    sign_count: int


def _main_and_extra_candidate_parts(
    boards: Boards, bits: dict[DrawnSign, int]
) -> tuple[list[CandidatePart], list[CandidatePart]]:
    """The columns, and those of one leg that show nothing more than another column.

    Of as many letters those are first that cover most and have least besides.
    """
    found: list[_CandidateWithSignCount] = []
    for family, modes, drawn_signs in _candidate_families(boards, bits):
        found += _directed_candidates(family, modes, drawn_signs, bits)
    castles = {abs(sign.at[0]) for sign in bits if sign.family == "castle"}
    for text in (f"i{side}O{each}" for each in sorted(castles) for side in ("", "l", "r")):
        found += _candidate_in_all_directions(text, boards, bits)
    simple = _undominated_candidates(found)
    kept = _undominated_candidates([*found, *_bent_candidates(boards, bits, simple)])
    if len(boards) > 1:
        return kept, []
    whole = [each for each in simple if len(each.vectors) == len(all_images(each.family.bases))]
    return kept, [each for each in whole if each not in kept]


def _undominated_candidates(candidates: list[_CandidateWithSignCount]) -> list[CandidatePart]:
    """Those that show something that others of as few letters do not, or just what they do."""
    candidates = sorted(
        candidates, key=lambda a: (a.column.letters, -a.column.mask.bit_count(), a.sign_count)
    )
    kept: list[CandidatePart] = []
    for column, _ in candidates:
        # Those that are drawn alike may be different pieces.
        if not _is_dominated(
            column.mask, (each.mask for each in kept if not _combines_two_parts(each))
        ):
            kept.append(column)
    return kept


def _combines_two_parts(column: CandidatePart) -> bool:
    """Whether a part does what two parts do, with an enemy on the way and without."""
    return column.family.name.startswith(MIXED_LEGS) and has_bent_part(
        column.family.initial + column.family.name
    )


def _is_dominated(mask: int, others: Iterable[int]) -> bool:
    """Whether another one has all that it has, and more."""
    return any(mask != other and not mask & ~other for other in others)


def _bent_candidates(
    boards: Boards, bits: dict[DrawnSign, int], simple: Iterable[CandidatePart]
) -> Iterator[_CandidateWithSignCount]:
    """The columns of several legs, of those that seem to show more than others of fewer letters."""
    near = {
        (name, sign.at): bit
        for sign, bit in bits.items()
        if not sign.board and max(map(abs, sign.at)) <= INDEX_RADIUS
        for name in (
            [sign_kind_name(sign)]
            if sign.ending
            else visible_and_hidden_sign_kinds(sign, boards[0].signs)
        )
    }
    every = reduce(or_, near.values(), 0)
    candidates = [
        (len(part.text), reduce(or_, (near.get(each, 0) for each in part.near), 0), part)
        for part in bent_part_candidates(boards[0].signs, boards[0].radius)
    ]
    candidates.sort(key=lambda each: (each[0], -each[1].bit_count()))
    tried = 0
    alike: dict[int, int] = {}
    known = [(each.letters, each.mask & every) for each in simple]
    for letters, mask, part in candidates:
        alike[mask] = alike.get(mask, 0) + 1
        if tried == MOST_BENT:
            return
        shorter = (other for fewer, other in known if fewer <= letters)
        if alike[mask] > MOST_ALIKE or _is_dominated(mask, shorter):
            continue
        tried += 1
        for each in _candidates_of_bent_part(part, boards, bits):
            if not _combines_two_parts(each.column):
                known.append((each.column.letters, each.column.mask & every))
            yield each


def _candidates_of_bent_part(
    part: DrawnBentPart, boards: Boards, bits: dict[DrawnSign, int]
) -> Iterator[_CandidateWithSignCount]:
    """A part in the directions that are drawn."""
    if not part.steps:
        yield from _candidate_in_all_directions(part.text, boards, bits)
        return
    bracket = "[" if part.text.startswith("[") else ""
    family = CandidateFamily(bracket, part.text.removeprefix(bracket), part.bases)
    yield from _directed_candidates(family, "", _signs_by_first_step(part, boards), bits)


def _signs_by_first_step(part: DrawnBentPart, boards: Boards) -> SignsByVector:
    """What is drawn of each direction: of one that has letters, turned to the others."""
    result: SignsByVector = {}
    for base in part.bases:
        text = insert_direction_letters(part.text, FIRST_LETTERS[base])
        for symmetry in SYMMETRIES:
            back = inverse_symmetry(symmetry)
            step = apply_symmetry(symmetry, base)
            if step not in part.steps or step in result:
                continue
            result[step] = [
                sign._replace(at=apply_symmetry(symmetry, sign.at), board=number)
                for number, board in enumerate(boards)
                for sign in _signs_of_text_on_board(
                    text,
                    board.radius,
                    tuple(sorted((apply_symmetry(back, at), name) for at, name in board.standing)),
                )
            ]
    return result


def _candidate_in_all_directions(
    text: str, boards: Boards, bits: dict[DrawnSign, int]
) -> Iterator[_CandidateWithSignCount]:
    """A part in all its directions."""
    drawn = _signs_of_text_on_boards(text, boards, bits)
    mask = _mask_of_signs(drawn, bits)
    if mask:
        yield _CandidateWithSignCount(
            CandidatePart(len(text), mask, CandidateFamily("", text)), len(drawn)
        )


def _mask_of_signs(drawn_signs: Iterable[DrawnSign], bits: dict[DrawnSign, int]) -> int:
    """The drawn signs that some signs are, as bits; 0 where one of them is not drawn."""
    mask = 0
    for sign in drawn_signs:
        if sign in bits:
            mask |= bits[sign]
        elif sign.family not in HIDDEN:
            hiding = [each for each in _signs_that_may_cover(sign) if each in bits]
            if not hiding:
                return 0
            mask |= reduce(or_, (bits[each] for each in hiding if not each.ending), 0)
    return mask


def _signs_that_may_cover(sign: DrawnSign) -> Iterator[DrawnSign]:
    """The signs that may be drawn for it where another part ends on its square as well."""
    for family in STRONGER.get(sign.family, ()):
        yield sign._replace(family=family, ending="" if family in GROUND_FAMILIES else sign.ending)


def _directed_candidates(
    family: CandidateFamily, modes: str, drawn_signs: SignsByVector, bits: dict[DrawnSign, int]
) -> Iterator[_CandidateWithSignCount]:
    """A family in the directions that are drawn, in few letters."""
    masks = {vector: _mask_of_signs(some, bits) for vector, some in drawn_signs.items()}
    allowed = frozenset(vector for vector, mask in masks.items() if mask)
    more = len(family.initial) + len(modes) + len(family.name)
    for letters, vectors in direction_choices(allowed, all_images(family.bases)) if allowed else ():
        mask = reduce(or_, (masks[vector] for vector in vectors))
        drawn = sum(len(drawn_signs[vector]) for vector in vectors)
        yield _CandidateWithSignCount(
            CandidatePart(letters + more, mask, family, vectors, modes), drawn
        )


def _candidate_families(
    boards: Boards, bits: dict[DrawnSign, int]
) -> Iterator[tuple[CandidateFamily, str, SignsByVector]]:
    """The parts of the grammar that may be drawn so, with what is drawn for each direction."""
    drawn_signs = [sign for board in boards for sign in board.signs]
    squares = sum((2 * board.radius + 1) ** 2 for board in boards)
    families = {sign.family for sign in drawn_signs}
    bases = _bases_towards_squares({sign.at for sign in drawn_signs if sign.family != "arrow"})
    limits = {int(sign.ending) for sign in drawn_signs if sign.family == "arrow" and sign.ending}
    radius = boards[0].radius
    modes = _modes_suggested_by_signs(boards)
    for manner, atom, initial in product(all_atom_modifiers(), bases, ("", "i")):
        if (initial and "first" not in families) or (
            manner.need & OVER_ANY and not families & {"hurdle", "also-hurdle"}
        ):
            continue
        for length in sorted({*range(radius // max(atom[0]) + 2), *limits}):
            if manner.fits_atom("leap" if length == 1 else "run", atom[0]):
                name = manner.letters + atom_text_of_bases(atom, length)
                family = CandidateFamily(initial, name, atom)
                plain = not manner.letters and length == 1 and atom[0] in UNIT
                for mode in modes:
                    if "e" in mode and not plain:
                        continue
                    charge(squares / SQUARES_A_STEP)
                    drawn = _signs_of_text_on_boards(f"{initial}{mode}{name}", boards, bits)
                    yield family, mode, _signs_by_direction(drawn, atom)


def _modes_suggested_by_signs(boards: Boards) -> list[str]:
    """The letters of how a part may end that what is drawn gives a reason for."""
    drawn_signs = set(_signs_with_board_numbers(boards))
    kinds = {
        sign.ending
        for sign in drawn_signs
        if sign._replace(ending=TWIN.get(sign.ending, "")) not in drawn_signs
    }
    modes = ["", *(["m"] if "move" in kinds else []), *(["c", "ce"] if "capture" in kinds else [])]
    families = {sign.family for sign in drawn_signs}
    return [*modes, *(mode for each in END_MODES if each in families for mode in END_MODES[each])]


def _bases_towards_squares(squares: Iterable[Offset]) -> list[tuple[Vector, ...]]:
    """The atoms with a step to one of these squares, or to a part of the way there."""
    bases = {
        base_vector((x // count, y // count))
        for x, y in squares
        for count in range(1, gcd(x, y) + 1)
        if gcd(x, y) % count == 0
    }
    return [*((base,) for base in sorted(bases)), *([UNIT] if bases.issuperset(UNIT) else [])]


def _signs_of_text_on_boards(
    text: str, boards: Boards, bits: dict[DrawnSign, int]
) -> frozenset[DrawnSign]:
    """What is drawn of a text on all boards; nothing where none of it is drawn on the first."""
    drawn: set[DrawnSign] = set()
    for number, board in enumerate(boards):
        drawn_signs = _signs_of_text_on_board(text, board.radius, board.standing)
        if not number and not any(sign in bits for sign in drawn_signs):
            break
        drawn.update(sign._replace(board=number) for sign in drawn_signs)
    return frozenset(drawn)


@lru_cache(maxsize=8192)
def _signs_of_text_on_board(
    text: str, radius: int, standing: tuple[tuple[Offset, str], ...]
) -> frozenset[DrawnSign]:
    """What is drawn of a text on one board; nothing where it means nothing."""
    try:
        return drawn_board_of(read(text), radius, standing).signs
    except AlfilError:
        return frozenset()


def _signs_by_direction(
    drawn_signs: Iterable[DrawnSign], bases: tuple[Vector, ...]
) -> SignsByVector:
    """Signs by the directions of an atom, the nearest one for each square."""
    result: SignsByVector = {}
    for sign in drawn_signs:
        x, y = sign.at
        nearest = max(all_images(bases), key=lambda v: cos(atan2(y, x) - atan2(v[1], v[0])))
        result.setdefault(nearest, []).append(sign)
    return result

"""A game for XBoard and WinBoard: board, pieces, position.

The place of a letter in XBoard's table is a kind of piece: the first is its pawn, the 22nd its
king. In games with drops, pieces in hand are the first ones, and as many rows as there are ranks
can show them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from alfil.api import translate
from alfil.errors import AlfilError
from alfil.exchange import COMMON_PIECE_FIELDS, supported_rules, unsupported_fields
from alfil.exchange.protocol_notation import ProtocolNotation, piece_letters
from alfil.game.variant import PieceType, Rules, Variant
from alfil.library.library import Library
from alfil.movement.nodes import Castling

LARGE_BOARD_RANKS = 10
# Places of a side in the table, and how far behind a piece its promoted form has its place.
TABLE_PLACES, PROMOTED_PLACES = 22, 11
# What may be said of a piece in games whose moves XBoard can test.
TESTABLE_FIELDS = COMMON_PIECE_FIELDS | {"drop_check", "drop_mate", "per_file"}
# Places of knight and lance in shogi, and on how many of the last ranks they are not dropped.
UNDROPPABLE_RANKS_BY_PLACE = {1: 2, 4: 1}
# The letters of its pictures in variant fairy, in the order of its table.
PICTURE_LETTERS = "PNBRQFEACWMOHIJGDVLSUK"
# Variants of which XBoard thinks that it knows the rules.
KNOWN_VARIANTS = re.findall(
    r"\S+",
    """normal nocastle fischerandom wildcastle bughouse crazyhouse losers suicide giveaway twokings
    kriegspiel atomic 3check shatranj xiangqi courier gothic capablanca knightmate fairy cylinder
    falcon caparandom berolina janus super great makruk shogi unknown grand chu lion spartan
    amazon seirawan asean sho dai boardsize""",
)


def xboard_name(variant: Variant) -> str:
    """The name of the game for `-variant`.

    XBoard takes any name with one of its own in it for that variant, so such a name is cut in two.

    >>> import alfil
    >>> [xboard_name(alfil.load(name).variant) for name in ("three_check", "hand_shogi")]
    ['threecheck', 'handsh-o-gi']
    """
    name = re.sub(r"[^a-z0-9-]", "", variant.name.lower()) or "game"
    while known := next((each for each in KNOWN_VARIANTS if each in name), ""):
        half = (len(known) + 1) // 2
        name = name.replace(known, f"{known[:half]}-{known[half:]}")
    return name


def start_command(library: Library, engine: str) -> str:
    """The command that starts XBoard with a game, ``engine`` being the one that is to play.

    Where XBoard would refuse legal moves, it is told not to test them.
    """
    words = ["xboard", "-fcp", engine, "-variant", xboard_name(library.variant)]
    if not can_xboard_check_legality(library):
        words += ["-testLegality", "false"]
    return shlex.join(words)


def can_xboard_check_legality(library: Library) -> bool:
    """Whether XBoard can test the legality of all moves.

    It looks after one royal piece, which may not be left in check, calls stalemate a draw, has its
    own rules for where pieces are dropped, and knows none that say more of moves. Only its pawn
    promotes, on the last rank, where it must.
    """
    variant = library.variant
    royal = [kind.code for kind in variant.kinds if kind.royal]
    single = all(
        [each.code for each in variant.setup if each.side == side and each.code in royal] == royal
        for side in (0, 1)
    )
    all_expressible = all(xboard_betza(library, kind.code) for kind in variant.kinds)
    plain = [
        *unsupported_fields(library.rules, Rules, supported_rules("xboard"))
    ] == [] and not variant.walls
    plain = plain and not any(
        [*unsupported_fields(kind, PieceType, TESTABLE_FIELDS)] for kind in variant.kinds
    )
    pawn = _xboard_pawn(variant, [kind for kind in variant.kinds if not kind.royal])
    promoting = [kind for kind in variant.kinds if kind.promotes]
    plain = plain and all(kind is pawn and kind.promotion == "forced" for kind in promoting)
    return single and len(royal) == 1 and all_expressible and plain


def feature_commands(variant: Variant) -> Iterator[str]:
    """What the engine can do, before it says that this is all."""
    title = variant.title.replace('"', "'")
    yield f'feature myname="alfil {title}" variants="{xboard_name(variant)}"'
    yield "feature setboard=1 usermove=1 ping=1 reuse=1 time=1 playother=1"
    yield "feature memory=1 smp=1"
    yield "feature san=0 colors=0 sigint=0 sigterm=0 draw=0 analyze=1 done=1"


def setup_commands(library: Library, notation: ProtocolNotation) -> Iterator[str]:
    """The board, the table of pieces, the position, and how each piece moves."""
    variant = library.variant
    table = piece_table_letters(variant, notation.letters)
    size = f"{variant.files}x{variant.ranks}+{hand_slot_count(variant)}_{_parent_variant(variant)}"
    ways = [
        each.way for kind in variant.kinds for each in library[kind.code].piece.movement.options
    ]
    rights = "KQkq" if any(isinstance(way, Castling) for way in ways) else "-"
    yield f"setup ({table}{table.lower()}) {size} {notation.fen(library.game(), rights)}"
    for code, letter in notation.letters.items():
        text = xboard_betza(library, code)
        if letter and text and not (letter[0] == "+" and _parent_variant(variant) == "crazyhouse"):
            yield f"piece {letter}& {text}"


def xboard_betza(library: Library, code: str) -> str:
    """How a piece moves in XBoard's dialect, "" where that cannot say it."""
    try:
        return translate(library[code].piece, write="xboard", on_loss="strict").text
    except AlfilError:
        return ""


def _parent_variant(variant: Variant) -> str:
    """The variant of XBoard whose rules hold where the engine says nothing else."""
    if variant.rules.drops == "no":
        return "fairy"
    return "crazyhouse" if any(len(kind.promotes) > 1 for kind in variant.kinds) else "shogi"


def move_notation(variant: Variant) -> ProtocolNotation:
    """How XBoard writes moves: where it has ten rows, and there only, it counts ranks from 0.

    It has as many rows as ranks, or as places for pieces in hand.
    """
    rows = max(variant.ranks, hand_slot_count(variant))
    return ProtocolNotation(variant, "cecp", lowest=0 if rows == LARGE_BOARD_RANKS else 1)


def hand_slot_count(variant: Variant) -> int:
    """How many places of the table can be in hand, 0 where nothing is dropped."""
    if variant.rules.drops == "no":
        return 0
    table = piece_table_letters(variant, piece_letters(variant))[:PROMOTED_PLACES]
    return len(table.rstrip(".+"))


def piece_table_letters(variant: Variant, letters: Mapping[str, str]) -> str:
    """The letters of a side by their places; a + stands where a promoted form is."""
    plain = [kind for kind in variant.kinds if letters[kind.code][:1] not in {"", "+"}]
    drops = variant.rules.drops == "yes"
    places = dict.fromkeys(range(TABLE_PLACES), ".")
    for code, place in _piece_table_places(variant, plain, letters).items():
        places[place] = letters[code]
        if drops and any(letters[each].startswith("+") for each in variant.kind(code).promotes):
            places[place + PROMOTED_PLACES] = "+"
    return "".join(places.values())


def _piece_table_places(
    variant: Variant, kinds: Sequence[PieceType], letters: Mapping[str, str]
) -> dict[str, int]:
    """The place of each kind by its code; those that XBoard has no place for are left out.

    In games with drops they stand as near the front as can be, those with a promoted form first:
    that has its place so much farther on. Elsewhere they stand where their letter has a picture.
    """
    result = _special_piece_table_places(variant, kinds)
    drops = variant.rules.drops == "yes"
    first = 0 if drops else 1
    for kind in sorted(kinds, key=lambda kind: not (drops and kind.promotes)):
        own = -1 if drops else PICTURE_LETTERS.find(letters[kind.code])
        free = [place for place in range(first, TABLE_PLACES - 1) if place not in result.values()]
        if kind.code not in result and free:
            result[kind.code] = own if own in free else free[0]
    return result


def _special_piece_table_places(variant: Variant, kinds: Sequence[PieceType]) -> dict[str, int]:
    """The kinds that have a place for what they do beside their moves, with that."""
    royal = next((kind for kind in kinds if kind.royal), None)
    others = [kind for kind in kinds if kind is not royal]
    result = {royal.code: TABLE_PLACES - 1} if royal else {}
    places = {0: _xboard_pawn(variant, others)}
    if _parent_variant(variant) == "shogi":
        places |= {
            place: next(
                (kind for kind in others if _undroppable_rank_count(variant, kind) == ranks), None
            )
            for place, ranks in UNDROPPABLE_RANKS_BY_PLACE.items()
        }
    for place, kind in places.items():
        if kind:
            result.setdefault(kind.code, place)
    return result


def _undroppable_rank_count(variant: Variant, kind: PieceType) -> int:
    """On how many of the last ranks a piece may not be dropped."""
    return max(0, variant.ranks - kind.drop_ranks[1]) if kind.drop_ranks else variant.ranks


def _xboard_pawn(variant: Variant, kinds: Sequence[PieceType]) -> PieceType | None:
    """The piece that does what XBoard's pawn does beside its moves, if there is one.

    It promotes at the far end; in shogi there is one on a file.
    """
    parent = _parent_variant(variant)
    if parent == "shogi":
        return next((kind for kind in kinds if kind.per_file == 1), None)
    far = variant.rules.zone == 1 and variant.rules.promotion_when == "ends"
    return next((kind for kind in kinds if kind.promotes and far), None)

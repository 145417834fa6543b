"""The piece types of a game as Fairy-Stockfish sees them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product, starmap
from string import ascii_lowercase

from alfil.api import Piece, as_piece, moves, same
from alfil.exchange.regional_moves import (
    PROGRAM,
    RegionalMoves,
    en_passant_legs,
    moves_like,
    regional_moves,
)
from alfil.exchange.variants_ini import setting_types
from alfil.game.piece_traits import PieceTraits, piece_traits
from alfil.game.rule_table import RULES
from alfil.game.variant import PieceType, Rules
from alfil.library.field_parsers import rule_value, rule_value_text
from alfil.library.library import Library
from alfil.meaning.automaton import ENEMY, StepRecord, contents_by_end
from alfil.meaning.piece_meaning import Meaning
from alfil.programs import without_game_rule_moves
from alfil.squares import Square, square_name

# A pawn and a king are more than their moves there; these move otherwise on some squares.
PIECES_WITH_EXTRA_MOVES = frozenset({"pawn", "king", "soldier", "janggiCannon"})

# What is said of a piece that holds of a promoted form, too.
FORM_FIELDS = (
    *("within", "outside", "further", "blocked_by", "immune_to", "blast", "petrifies", "mates"),
    *("points", "chases", "chased_in", "per_side", "per_file"),
)
# The rule that names all kinds of the start by a word.
EACH_KIND = "each"


@cache
def builtin_pieces() -> Mapping[str, str]:
    """The pieces that the program knows by name, each with how it moves everywhere."""
    rows = (row for row in setting_types().values() if row.value == "letter")
    return {row.name: row.meaning for row in rows if row.name not in PIECES_WITH_EXTRA_MOVES}


@dataclass(frozen=True)
class FairyStockfishPiece:
    """A kind of piece on a board of so many files and ranks: what game and movement say of it."""

    kind: PieceType
    traits: PieceTraits
    regional: RegionalMoves
    size: tuple[int, int]

    @property
    def piece(self) -> Piece:
        """How it moves, castling and facts aside."""
        return self.regional.piece

    @property
    def code(self) -> str:
        """Its code."""
        return self.kind.code

    @property
    def promotions(self) -> tuple[str, ...]:
        """The codes it may promote to."""
        return self.traits.promotion.codes

    @cached_property
    def destinations(self) -> Mapping[Square, frozenset[Square]]:
        """The squares it may go to on an empty board, by where it is, as the first side sees it.

        A first move is among them, wherever it begins.
        """
        files, ranks = self.size
        result = {}
        for at in product(range(files), range(ranks)):
            goes = moves(self.piece, files=files, ranks=ranks, at=at, unmoved=True)
            result[at] = frozenset((at[0] + each.to[0], at[1] + each.to[1]) for each in goes)
        return result

    @cached_property
    def immobile_squares(self) -> frozenset[Square]:
        """The squares from which it could never move again once it has moved."""
        files, ranks = self.size
        squares = product(range(files), range(ranks))
        if not any(option.when for option in self.piece.movement.options):
            return frozenset(at for at in squares if not self.destinations[at])
        return frozenset(
            at
            for at in squares
            if not moves(self.piece, files=files, ranks=ranks, at=at, unmoved=False)
        )

    @cached_property
    def is_forward_only(self) -> bool:
        """Whether no step of it goes back."""
        return all(dy >= 0 for _, dy, *_ in step_records_of(self.piece.meaning))

    @cached_property
    def has_divergent_captures(self) -> bool:
        """Whether it may end a move on some squares only where it captures, or does not."""
        ends = (contents_by_end(emit) for _, _, _, emit, _ in step_records_of(self.piece.meaning))
        return any(bool(quiet) != bool(taken & ENEMY) for quiet, taken in ends if quiet | taken)

    def moves_like(self, betza: str) -> bool:
        """Whether it moves as a text says, captures en passant aside."""
        return moves_like(self.piece, betza)

    def is_same_piece_of_other_side(self, other: FairyStockfishPiece) -> bool:
        """Whether both are one piece, which is not quite the same for both sides."""
        sides = {self.kind.side, other.kind.side} == {"first", "second"}
        return sides and same(self.piece, other.piece, facts=False)

    @property
    def form(self) -> Hashable:
        """What it is there but for its code: how it moves, and what is said of it."""
        said = tuple(getattr(self.kind, name) for name in FORM_FIELDS)
        return self.kind.meaning.parts, self.promotions, self.traits.survive, said


def step_records_of(meaning: Meaning) -> Iterator[StepRecord]:
    """The records of all states of a piece."""
    return (record for part in meaning.parts for state in part.automaton.states for record in state)


def fairy_stockfish_pieces(library: Library) -> dict[str, FairyStockfishPiece]:
    """All kinds of a game, by code."""
    variant, nature = library.variant, piece_traits(library.variant)
    size = variant.files, variant.ranks
    # Where nothing is ever in hand, nothing is left behind.
    kinds = [replace(each, gates=each.gates and variant.has_hands) for each in variant.kinds]
    return {
        kind.code: FairyStockfishPiece(
            kind, nature[kind.code], regional_moves(kind, library[kind.code].piece, variant), size
        )
        for kind in kinds
    }


def letters_by_code(pieces: Mapping[str, FairyStockfishPiece], rules: Rules) -> dict[str, str]:
    """A letter for each kind: its own where it is free; "" where there are no more.

    A promoted form that moves as a kind of the start shares its letter: there, it is that kind and
    remembers what it was. So do two kinds that are one piece, one of each side.
    """
    result, used = _own_letters_by_code(pieces), set[str]()
    used.update(result.values())
    places = _mentions_by_code(pieces, rules)
    forms = {code: (pieces[code].form, places[code]) for code in pieces}
    turning = (rules.captured_form, rules.drop_form) == ("base", "base")
    letters_by_form = {forms[code]: letter for code, letter in reversed(result.items()) if turning}
    claimed = {piece.kind.letter.lower() for piece in pieces.values()}
    spare = sorted(ascii_lowercase, key=claimed.__contains__)
    for piece in pieces.values():
        if piece.code in result:
            continue
        promoted = turning and piece.kind.base != piece.code
        letter = letters_by_form.get(forms[piece.code]) if promoted else None
        if letter is None:
            wished = (piece.kind.letter.lower(), piece.code.lower(), *spare)
            possible = (each for each in wished if each and each in ascii_lowercase)
            letter = next((each for each in possible if each not in used), "")
            used.add(letter)
            if turning and not promoted:
                letters_by_form.setdefault(forms[piece.code], letter)
        result[piece.code] = letter
    return result


def _mentions_by_code(
    pieces: Mapping[str, FairyStockfishPiece], rules: Rules
) -> dict[str, frozenset[str]]:
    """By code, the rules and the pieces that say something of it and not of what moves alike."""
    values = {row.name: rule_value_text(rule_value(row.name, rules)) for row in RULES}
    for other in pieces.values():
        kind = other.kind
        values[f"{kind.code} "] = ",".join((*kind.immune_to, *kind.blocked_by, *kind.castles_with))
    words = {name: {*re.split(r"[\s,:*/]+", value)} for name, value in values.items()}
    return {
        code: frozenset(
            name
            for name, said in words.items()
            if code in said or (EACH_KIND in said and piece.kind.base == code)
        )
        for code, piece in pieces.items()
    }


def _own_letters_by_code(pieces: Mapping[str, FairyStockfishPiece]) -> dict[str, str]:
    """The letters of kinds that are no promoted forms, where their own are free."""
    result, used = dict[str, str](), set[str]()
    # Those with one letter are one piece, so that one of each side is enough to know all by.
    known: dict[tuple[str, str], FairyStockfishPiece] = {}
    for piece in pieces.values():
        if piece.kind.base != piece.code:
            continue
        own, same_pieces = piece.kind.letter.lower(), known.items()
        letter = next(
            (each for (each, _), other in same_pieces if piece.is_same_piece_of_other_side(other)),
            "",
        )
        if not letter and len(own) == 1 and own in ascii_lowercase and own not in used:
            letter = own
        if letter:
            result[piece.code] = letter
            used.add(letter)
            known.setdefault((letter, piece.kind.side), piece)
    return result


def without_en_passant(piece: Piece) -> Piece:
    """The piece without captures en passant, which a setting of its own says."""
    return (
        as_piece(without_game_rule_moves(piece.movement, PROGRAM))
        if any(en_passant_legs(piece))
        else piece
    )


def region_text(squares: Iterable[Square]) -> str:
    """Squares as a setting has them."""
    return " ".join(starmap(square_name, sorted(squares))) or "-"


def boolean_text(holds: bool) -> str:  # noqa: FBT001 - it is the value that is written
    """The word for it."""
    return str(holds).lower()

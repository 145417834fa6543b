"""Games in the formats of other programs, with the losses."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple, TypeAlias, get_args

from alfil.errors import AlfilError, Diagnostic, reject, reject_unknown_name, require_type
from alfil.game.rule_table import RULES
from alfil.game.variant import PieceType, Rules, without_ineffective_rules
from alfil.library.library import Library
from alfil.source import Span

OnLoss: TypeAlias = Literal["strict", "lossy"]

# Each form with the module that has its `exported`; loaded when it is asked for.
MODULE_BY_FORMAT = {
    "fairy-stockfish": "alfil.exchange.export_variants_ini",
    "fairy-max": "alfil.exchange.export_fairy_max",
    "interactive-diagram": "alfil.exchange.export_interactive_diagram",
    "ggn": "alfil.exchange.export_ggn",
}
# Forms without comments: there the losses are only in the `Export`.
FORMATS_WITHOUT_COMMENTS = ("ggn",)

# What of a piece every program is told in one way or another, or need not know.
COMMON_PIECE_FIELDS = {
    *("code", "name", "piece", "letter", "base", "royal", "promotes", "promotion", "drop_ranks"),
    *("status", "note", "kanji", "symbol", "value", "hand_value"),
}


class Export(NamedTuple):
    """An exported game: its name there, the text, and the losses.

    ``letters`` are what the pieces are called there, by code; "" is one that is left out. The spans
    of the losses are those of the piece file. ``notes`` name the rules that are none of the play of
    one game, and are not written: what players agree on, matches, what illegal moves cost.
    """

    name: str
    text: str
    letters: Mapping[str, str]
    losses: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()


class ExportLoss(AlfilError):
    """The other program lacks some of the game's rules; ``diagnostics`` has every loss."""


def export(library: Library, to: str = "fairy-stockfish", *, on_loss: OnLoss = "strict") -> Export:
    """A game for another program: "fairy-stockfish" is a section of its `variants.ini`,
    "fairy-max" a block for its `fmax.ini`, "interactive-diagram" the block that authors of
    chessvariants.com put in a page, "ggn" the pseudo-legal moves as General Gameplay Notation.

    Raises `ExportLoss` with everything that program lacks, unless ``on_loss`` is "lossy": then the
    losses are comments in the text, except in "ggn", whose JSON has none. Raises `AlfilError` of
    kind "unknown-form", "unknown-policy", "no-setup" or "no-board", and "board-size" where the
    program has no board so large.

    >>> import alfil
    >>> for line in export(alfil.load("minishogi")).text.splitlines()[:7]:
    ...     print(line)
    [alfil_minishogi]
    # not written: illegal-move: no program makes such a move
    maxFile = 5
    maxRank = 5
    startFen = rbsgk/4p/5/P4/KGSBR[] w - - 0 1
    king = k
    rook = r
    >>> export(alfil.load("hand_shogi"), on_loss="lossy").losses[-1].message
    'SO: there its moves, unlike drops, keep to no limit on a file'
    """
    require_type(library, Library, "a game is a library, as alfil.load gives")
    require_loss_policy(on_loss)
    home = MODULE_BY_FORMAT.get(to)
    if home is None:
        reject_unknown_name("unknown-form", to, MODULE_BY_FORMAT, 0.4)
    exported: Callable[[Library], Export] = import_module(home).export_game
    blasts = (each.blast for each in library.pieces if not each.is_royal)
    rules = without_ineffective_rules(library.rules, blasts)
    result = exported(library if rules == library.rules else replace(library, rules=rules))
    if result.losses and on_loss == "strict":
        raise ExportLoss(result.losses, library.source)
    return result


def require_loss_policy(on_loss: OnLoss) -> None:
    """Raise `AlfilError` of kind "unknown-policy" for anything but "strict" and "lossy"."""
    if on_loss not in get_args(OnLoss):
        reject_unknown_name("unknown-policy", on_loss, get_args(OnLoss))


def require_game_up_to_board_size(
    library: Library, max_files: int, max_ranks: int, program: str
) -> None:
    """Raise `AlfilError` for a file that is no game with a set-up, or whose board is too large."""
    library.require_starting_position()
    if library.files > max_files or library.ranks > max_ranks:
        message = f"{program} has boards of up to {max_files}×{max_ranks}"
        reject(AlfilError, "board-size", message, f"{library.files}x{library.ranks}")


def export_loss(library: Library, piece_or_rule: str, message: str) -> Diagnostic:
    """A loss, at the line of a piece or rule where the file itself has one."""
    entry, source = library.get(piece_or_rule), library.source
    if entry and entry.source == source:
        span = entry.span
    else:
        line = re.search(rf"^rule\s+{re.escape(piece_or_rule)}\b.*$", source.text, re.MULTILINE)
        span = Span(*line.span()) if line else Span(0, 1)
    return Diagnostic("export-loss", f"{piece_or_rule}: {message}", (span,))


def message_with_quoted_part(diagnostic: Diagnostic, text: str) -> str:
    """A diagnostic about a notation, which quotes the part it is about.

    >>> from alfil.source import Span
    >>> no_moves = Diagnostic("no-translation", "nobody makes moves of it", (Span(2, 3),))
    >>> message_with_quoted_part(no_moves, "nAnH")
    'nobody makes moves of it (nH)'
    >>> message_with_quoted_part(Diagnostic("every-move", "nobody counts", (Span(4, 17),)),
    ...  "W & ataction(3,F)")
    'nobody counts (ataction(3,F))'
    """
    start, end = diagnostic.spans[0]
    # Where a single letter is meant, its atom is told with it.
    more = re.compile(r"[a-z]*[A-Z]?[0-9]*").match(text, max(start, end - 1))
    part = text[start : max(end, more.end() if more else 0)]
    return diagnostic.message if part in {"", text} else f"{diagnostic.message} ({part})"


@cache
def supported_rules(program: str) -> frozenset[str]:
    """The rule fields that a program supports."""
    return frozenset(
        each.field_name
        for each in RULES
        if each.not_applicable or each.program_support[program] == "known"
    )


def notes_on_rules_not_about_play(rules: Rules) -> tuple[str, ...]:
    """The rules that are not about play, with the reason why they are not exported."""
    usual = Rules()
    return tuple(
        f"{each.name}: {each.not_applicable}"
        for each in RULES
        if each.not_applicable
        and getattr(rules, each.field_name) != getattr(usual, each.field_name)
    )


def unsupported_fields(
    rules_or_piece: Rules | PieceType,
    field_class: type[Rules | PieceType],
    supported: Collection[str],
) -> Iterator[str]:
    """The fields of a game or piece that say something and are not in ``supported``."""
    for each in fields(field_class):
        if each.name not in supported and getattr(rules_or_piece, each.name) != each.default:
            yield each.name

"""The facts of a piece in words, for the command and the gallery."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from alfil.diagrams.html_page import escaped
from alfil.errors import AlfilError
from alfil.library.library import Library
from alfil.library.piece_file import Entry
from alfil.workbench.fact_table import boards_with_facts, look_up_or_compute_facts
from alfil.workbench.piece_facts import FILLED, Facts, MatingPower

SHOWN_MOVES = 12
# The smallest share that is told.
SMALLEST_SHARE = 0.0001
# How full boards are whose mobility is on cards.
ON_CARDS = (0.0, 0.3)


class FactRow(NamedTuple):
    """A fact: its label, its words, which are empty where it is not known, and who has it."""

    label: str
    words: Callable[[Facts], str]
    on_cards: bool = True


def labelled_facts(facts: Facts) -> Iterator[tuple[str, str]]:
    """All that is known, each with its label."""
    for row in ROWS:
        if words := row.words(facts):
            yield row.label, words


def card_facts_html(library: Library, entry: Entry, trainer: str = "") -> str:
    """What the gallery shows of a piece, as HTML: a column for each board; empty for nothing.

    ``trainer`` is the address of the page of games, where one mates with the piece, if any.
    """
    try:
        columns = [look_up_or_compute_facts(entry, board) for board in boards_with_facts(library)]
    except AlfilError:
        return ""
    heads = "".join(f"<th scope=col>{each.files}×{each.ranks}" for each in columns)
    rows = "".join(_card_row_html(row, columns) for row in ROWS if row.on_cards)
    link = _trainer_link_html(columns[0], trainer) if trainer else ""
    return (
        '<details class="facts quiet"><summary>Facts</summary>'
        f"<table><thead><tr><td>{heads}<tbody>{rows}</table>{link}</details>"
    )


def _card_row_html(row: FactRow, columns: Sequence[Facts]) -> str:
    words = [row.words(each) for each in columns]
    cells = "".join(f"<td>{escaped(each) or '–'}" for each in words)
    if len(words) > 1 and len({*words}) == 1:  # the same on all boards
        cells = f"<td colspan={len(words)}>{escaped(words[0])}"
    return f"<tr><th scope=row>{escaped(row.label)}{cells}" if any(words) else ""


def _trainer_link_html(facts: Facts, trainer: str) -> str:
    if facts.mating is None or not facts.mating.won:
        return ""
    address = f"{trainer}#{urlencode({'mate': facts.piece.strip(), 'notation': facts.notation})}"
    return f'<p><a href="{escape(address)}">Mate with it</a></p>'


def _mobility_row(filled: float) -> FactRow:
    def words(found: Facts) -> str:
        known = (each.squares for each in found.mobility if each.filled == filled)
        return "".join(f"{squares:.2f} squares" for squares in known)

    label = f"mobility, {filled:.0%} of squares filled" if filled else "mobility on an empty board"
    return FactRow(label, words, on_cards=filled in ON_CARDS)


def _square_class_words(facts: Facts) -> str:
    if facts.square_classes < 2:  # noqa: PLR2004 - one is no bound
        return ""
    return f"{facts.square_classes} classes{', by colour' * facts.colour_bound}"


def _if_mating_power_known(words: Callable[[MatingPower], str]) -> Callable[[Facts], str]:
    return lambda found: words(found.mating) if found.mating else ""


def _won_positions_words(power: MatingPower) -> str:
    if not power.positions:
        return "no position has its side to move"
    share = _percent_text(power.won / power.positions)
    return f"{power.power}: {power.won} of {power.positions}, {share}"


def _mating_moves_text(power: MatingPower) -> str:
    more = " …" if len(power.line) > SHOWN_MOVES else ""
    return " ".join(power.line[:SHOWN_MOVES]) + more


def _percent_text(share: float | None) -> str:
    """A share in percent: 0 and 100 are for nothing and everything."""
    if share is None:
        return ""
    return f"{min(max(share, SMALLEST_SHARE), 1 - SMALLEST_SHARE) if 0 < share < 1 else share:.2%}"


def _decimal_text(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}"


ROWS = (
    *map(_mobility_row, FILLED),
    FactRow("squares reached in 0, 1, 2 … moves", lambda f: ", ".join(map(str, f.reached))),
    FactRow("moves across the board", lambda f: "" if f.across is None else str(f.across)),
    FactRow("bound to one of", _square_class_words),
    FactRow("symmetries", lambda f: ", ".join(f.symmetries) or "none"),
    FactRow("goes", lambda f: "forward only" * f.forward_only),
    FactRow("needs hurdles", lambda f: "yes, for at least some moves" * f.needs_hurdles),
    FactRow("moves that one piece can block", lambda f: _percent_text(f.blocked)),
    FactRow("squares attacked", lambda f: _decimal_text(f.attacked), on_cards=False),
    FactRow("forks", lambda f: _decimal_text(f.forks)),
    FactRow("checks", lambda f: _percent_text(f.checks), on_cards=False),
    FactRow("safe checks", lambda f: _percent_text(f.safe_checks)),
    FactRow("value in its piece file", lambda f: _decimal_text(f.value)),
    FactRow("value in hand", lambda f: _decimal_text(f.hand_value)),
    FactRow("mates with its king", _if_mating_power_known(_won_positions_words)),
    FactRow(
        "mates, stalemates",
        _if_mating_power_known(lambda p: f"{p.mates}, {p.stalemates}"),
        on_cards=False,
    ),
    FactRow(
        "longest mate",
        _if_mating_power_known(
            lambda p: f"{p.longest} move{'s' * (p.longest > 1)}" if p.longest else ""
        ),
    ),
    FactRow("from", _if_mating_power_known(lambda p: p.start or ""), on_cards=False),
    FactRow("by", _if_mating_power_known(_mating_moves_text), on_cards=False),
)

"""Validation of a piece file: rules, fields, hands, names, ways to win.

What contradicts itself is an error. What changes nothing is a warning, for its author expected
something of it; so is a game that nobody can win.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from alfil.errors import MeaningError
from alfil.game.piece_traits import can_promote
from alfil.game.variant import (
    FIRST,
    NO_DRAW_ODDS,
    SECOND,
    ZONE_REGION,
    Region,
    Rules,
    StartingPiece,
    can_be_mated,
    contagion_may_come,
    region_squares,
)
from alfil.graphs import reachable
from alfil.library.field_parsers import rule_value
from alfil.library.piece_file import Entry, normalise_name
from alfil.library.regions import SIDES
from alfil.library.statements import Diagnostics, Field, Statement, Text
from alfil.meaning.automaton import has_wrapping
from alfil.meaning.piece_meaning import GuardedAutomaton, is_castling
from alfil.source import Span
from alfil.squares import Square

HAND_COUNT_PATTERN = re.compile(r"(.+)\*([0-9]{1,3})")
DROP_KEYS = (
    "drop-ranks",
    "drop-in",
    "per-colour",
    "drop-check",
    "drop-mate",
    "per-file",
    "per-file-on",
)
# What is judged where positions are repeated.
PERPETUAL_RULES = frozenset(
    {"perpetual-check", "perpetual-chase", "perpetual-attack", "perpetual-span"}
)
# Ways to win that need a piece somebody can lose.
ROYAL_WINS = frozenset({"mate", "royal-capture", "checks"})


@dataclass(frozen=True, slots=True)
class Validator:
    """The contents of a file, as far as it was understood.

    ``lines`` are all its statements, ``own_statements`` the lines of its own pieces by their codes,
    ``board`` its files and ranks, 0 where they are not given.
    """

    lines: Sequence[Statement]
    own_statements: Mapping[str, Statement]
    entries: Mapping[str, Entry]
    rules: Rules
    board: tuple[int, int]
    diagnostics: Diagnostics

    def validate(self, *, has_setup: bool) -> None:
        """Add diagnostics for inconsistencies."""
        self._check_goals_and_wins()
        if has_setup and self.entries:
            self._check_royals()
        rules = self.rules
        barred = self._rule_line("drops") is not None and rules.drops == "no"
        gating = any(each.gates for each in self.entries.values())
        drops_first = self._rule_line("drops-first")
        without_drops = has_setup and rules.drops == "no"
        if without_drops and drops_first and rules.drops_first != "no":
            self.diagnostics.add("no-drops", drops_first.head.span)
        # In hand a piece waits for a drop, is left behind by one that gates, or counts.
        idle = without_drops and not gating and not self._may_hands_affect_result()
        self._check_hands(idle=idle and not (drops_first and rules.drops_first != "no"))
        for fields in self._piece_fields():
            for key in _idle_drop_keys(fields, gating=gating) if barred else ():
                self.diagnostics.add("idle-drop", fields[key].key.span, key=key)
            self._check_per_file_limit(fields)
        self._check_idle_stalemate_rule()
        self._check_idle_points_and_chases()
        self._check_idle_contagion()
        self._check_pieces_can_move_and_promote()
        self._check_one_sided_pieces()
        self._check_royal_flips()
        self._check_royal_promotions()
        self._check_gates(has_setup=has_setup)
        self._check_petrifying_with_duck()
        self._check_castling()
        self._check_names_are_unique()

    def _statements(self, keyword: str) -> list[Statement]:
        return [each for each in self.lines if each.keyword == keyword]

    def _rule_line(self, name: str) -> Statement | None:
        """The line of a rule, or None where it is not given."""
        return next((each for each in self._statements("rule") if each.head.value == name), None)

    def _piece_fields(self) -> list[dict[str, Field]]:
        """The fields of every piece line of the file."""
        return [line.fields for line in self.own_statements.values()]

    def _flags(self, word: str) -> list[Text]:
        """The flags of all piece lines that are this word."""
        every = (line.flags for line in self.own_statements.values())
        return [flags[word] for flags in every if word in flags]

    def _check_idle_stalemate_rule(self) -> None:
        """Who is in check is mated, and who is not passes: then nobody is ever stalemated."""
        rules, line = self.rules, self._rule_line("stalemate")
        royal = any(_is_royal(each) for each in self.entries.values())
        kept = royal and rules.flip == "none"
        if line and rules.passes == "stuck" and kept and can_be_mated(rules):
            self.diagnostics.add("idle-stalemate", line.head.span)

    def _check_idle_contagion(self) -> None:
        """What explodes with what it captures becomes nothing else."""
        line = self._rule_line("contagion")
        blasts = [each.blast for each in self.entries.values() if not _is_royal(each)]
        if line and self.rules.contagion and not contagion_may_come(self.rules, blasts):
            self.diagnostics.add("idle-contagion", line.head.span)

    def _check_idle_points_and_chases(self) -> None:
        """Pieces count where something counts them, and chases are told of where they matter."""
        rules = self.rules
        chases = self._rule_line("perpetual-chase") is not None
        counts = chases or "points" in {rules.draw_odds.how, rules.impasse.how}
        for fields in self._piece_fields():
            if "points" in fields and not counts:
                self.diagnostics.add("idle-points", fields["points"].key.span)
            for key in ("chases", "chased-in") if not chases else ():
                if key in fields:
                    self.diagnostics.add("idle-chase", fields[key].key.span, key=key)
        for line in self._statements("rule") if not rules.repetition else ():
            if (
                line.head.value in PERPETUAL_RULES
                and rule_value(line.head.value, rules) != "allowed"
            ):
                self.diagnostics.add("idle-perpetual", line.head.span, rule=line.head.value)

    def _check_one_sided_pieces(self) -> None:
        """A piece of one side only never comes to the other: to its hand, or turned over."""
        changes = {
            "sided-captive": self.rules.captured == "to-hand",
            "sided-turncoat": self.rules.flip != "none",
        }
        for line in self.own_statements.values():
            entry = self.entries.get(line.head.value)
            if entry and entry.side != "both":
                span = line.fields["side"].value.span
                for name in (name for name, there in changes.items() if there):
                    self.diagnostics.add(name, span, code=entry.code)

    def _check_gates(self, *, has_setup: bool) -> None:
        """Who makes room for a piece from the hand does so where there can be one, and no wall."""
        gates = self._flags("gates")
        for flag in gates[:1] if self.rules.wall != "none" else ():
            self.diagnostics.add("gates-walls", flag.span)
        for flag in gates if has_setup and not self._has_hands() else ():
            self.diagnostics.add("idle-gates", flag.span)

    def _check_petrifying_with_duck(self) -> None:
        """Stones are walls that stay, the duck is the wall that goes."""
        for flag in self._flags("petrifies") if self.rules.wall == "duck" else ():
            self.diagnostics.add("duck-stones", flag.span)

    def _check_royal_promotions(self) -> None:
        """A royal piece that promotes to another one is royal still."""
        for line in self.own_statements.values():
            entry = self.entries.get(line.head.value)
            for code in entry.promotes if entry and _is_royal(entry) else ():
                heir = self.entries.get(code)
                if heir and not _is_royal(heir, if_unknown=True):
                    self.diagnostics.add(
                        "royal-promotes", line.fields["promotes"].value.span, code=code
                    )

    def _check_royal_flips(self) -> None:
        """A side that is lost with its royal piece is not when that changes sides."""
        rule = self._rule_line("flip")
        royal = any(_is_royal(each) for each in self.entries.values())
        if rule and self.rules.flip != "none" and royal:
            self.diagnostics.add("flip-royal", rule.head.span)

    def _has_hands(self) -> bool:
        rules = self.rules
        held = rules.captured == "to-hand" or rules.drops == "yes"
        return held or bool(self._statements("hand"))

    def _may_hands_affect_result(self) -> bool:
        """Whether some result depends on what is in hand, though it is never dropped."""
        rules = self.rules
        counted = rules.stalemate in {"fewer", "more"} or rules.draw_odds.how == "points"
        counted |= any(win.how == "bare" for win in rules.win)
        return counted or rules.impasse.how == "points" or rules.extinction is not None

    def _check_goals_and_wins(self) -> None:
        """A game is won by the goal where there is one, and the goal counts where it wins."""
        win, goal = self._rule_line("win"), self._rule_line("goal")
        wins = any(each.how == "goal" for each in self.rules.win)
        if win and wins and not self.rules.goal:
            word = next((word for word in win.words[1:] if "goal" in word.value), win.head)
            self.diagnostics.add("no-goal", word.span)
        if goal and self.rules.goal and not wins:
            self.diagnostics.add("idle-goal", goal.head.span)

    def _check_royals(self) -> None:
        """Where all ways to win take a royal piece, there must be one."""
        rules, lines = self.rules, [self._rule_line("win"), *self._statements("game")]
        needed = all(each.how in ROYAL_WINS for each in rules.win)
        other = rules.extinction or rules.stalemate != "draw" or rules.draw_odds != NO_DRAW_ODDS
        royals = {code for code, each in self.entries.items() if _is_royal(each, if_unknown=True)}
        royals |= {code for code, each in self.own_statements.items() if "royal" in each.flags}
        line = next((each for each in lines if each), None)
        if not line or not needed or other:
            return
        if not royals:
            self.diagnostics.add("no-royal", line.head.span)
        elif not self._may_royals_be_lost(royals):
            self.diagnostics.add("no-attack", line.head.span)

    def _may_royals_be_lost(self, royals: Collection[str]) -> bool:
        """Whether some royal piece may be captured, or who gives cause for it loses otherwise."""
        rules, known = self.rules, self.entries
        lost = rules.repetition is not None and rules.repetition.result != "draw"
        lost |= "loss" in {rules.perpetual_check, rules.perpetual_chase}
        lost |= rules.impasse.how == "points"
        if lost or rules.facing != "allowed" or self.own_statements.keys() - known.keys():
            return True
        immune = set(known).intersection(*(known[code].immune_to for code in royals))
        harmless = {*immune, *royals} if self._are_royals_kept_apart(royals) else immune
        return any(code not in harmless and each.may_capture_royals for code, each in known.items())

    def _are_royals_kept_apart(self, royals: Collection[str]) -> bool:
        """Whether royals never attack each other: they would be attacked back, and lost."""
        strict = (self.rules.self_check, self.rules.royal_lost) == ("barred", "any")
        if len(royals) != 1 or not strict:
            return False
        (royal,) = (self.entries[code] for code in royals)
        try:
            parts, facts = royal.meaning.parts, royal.meaning.facts
        except MeaningError:
            return False
        # What is made on some moves or squares only, the other may not be able to answer.
        leaps = all(len(part.automaton.states) == 1 and not part.guard for part in parts)
        plain = all(fact.name == "royal" for fact in facts) and not royal.further
        return leaps and plain and not (royal.within or royal.outside or royal.immune_to)

    def check_goal_is_reachable(
        self, setup: Iterable[StartingPiece], regions: tuple[Region, ...]
    ) -> None:
        """Note a goal that nobody ever reaches; where that is hard to tell, somebody may."""
        goal, line, rules = self.rules.goal, self._rule_line("goal"), self.rules
        moved = rules.drops != "no" or rules.flip != "none" or rules.passes == "stuck"
        known = not self.own_statements.keys() - self.entries.keys()
        areas = {ZONE_REGION, *(region.name for region in regions)}
        if goal is None or goal.code not in self.entries or line is None:
            return
        if isinstance(goal.area, str) and goal.area not in areas:
            return
        if moved or not known or not all(self.board):
            return
        codes = self._codes_promoting_to(goal.code)
        if any(map(_may_castle, self.entries.values())):
            return
        kinds = [self.entries[code] for code in codes]
        if any(has_wrapping(part.automaton.states) for each in kinds for part in _move_parts(each)):
            return
        steps = {step for each in kinds for part in _move_parts(each) for step in _steps_of(part)}
        for side in (FIRST, SECOND):
            start = {each.square for each in setup if each.code in codes and each.side == side}
            there = region_squares(goal.area, side, self.board, rules.zone, regions)
            if there & self._reachable_squares(start, steps, side):
                return
        self.diagnostics.add("far-goal", line.head.span, code=goal.code)

    def check_promotions_by_side(
        self, setup: Iterable[StartingPiece], hands: Sequence[Iterable[tuple[str, int]]]
    ) -> None:
        """A side that may have a piece may also have what that promotes to."""
        held = [{code for code, _ in hand} for hand in hands]
        for each in setup:
            held[each.side].add(each.code)
        if self.rules.captured == "to-hand" or self.rules.flip != "none":
            held = [set().union(*held)] * len(held)
        held = [self._codes_promoted_from(codes) for codes in held]
        self._add_contagious_codes(held)
        for side, codes in enumerate(held):
            for code, line in self.own_statements.items():
                heirs = self.entries[code].promotes if code in codes & self.entries.keys() else ()
                for heir in heirs:
                    if heir in self.entries and side not in self.entries[heir].sides:
                        span = line.fields["promotes"].value.span
                        self.diagnostics.add("sided-promotion", span, code=heir)

    def _add_contagious_codes(self, held: Sequence[set[str]]) -> None:
        """What either side may get by contagion, added to what it may have; none is one-sided."""
        line = self._rule_line("contagion")
        if line is None:
            return
        while caught := self._codes_gained_by_contagion(held):
            for side, code in caught:
                held[side] |= self._codes_promoted_from({code})
                if code in self.entries and side not in self.entries[code].sides:
                    self.diagnostics.add("sided-contagion", line.head.span, code=code)

    def _codes_gained_by_contagion(self, held: Sequence[set[str]]) -> list[tuple[int, str]]:
        """What a side that has some pieces gets by contagion, and does not have, with the side."""
        plain = {code for code, entry in self.entries.items() if not _is_royal(entry)}
        return [
            (side, pair.becomes)
            for side, codes in enumerate(held)
            for pair in self.rules.contagion
            if codes & plain and pair.captured in held[1 - side] and pair.becomes not in codes
        ]

    def _codes_promoted_from(self, codes: set[str]) -> set[str]:
        """Some pieces, and all that they may get to be by promotion."""
        known = self.entries
        return {*reachable(codes, lambda code: known[code].promotes if code in known else ())}

    def _codes_promoting_to(self, code: str) -> set[str]:
        """The pieces that are of a kind, or may get to be by promotion."""
        result = {code}
        for _ in self.entries:
            result |= {each.code for each in self.entries.values() if result & {*each.promotes}}
            if any(pair.becomes in result for pair in self.rules.contagion):
                return {*self.entries}
        return result

    def _reachable_squares(self, start: set[Square], steps: set[Square], side: int) -> set[Square]:
        """The squares that can be got to from some by such steps, whatever stands there."""
        turn, (files, ranks) = -1 if side else 1, self.board

        def onward(at: Square) -> Iterator[Square]:
            reached = ((at[0] + turn * dx, at[1] + turn * dy) for dx, dy in steps)
            return ((x, y) for x, y in reached if 0 <= x < files and 0 <= y < ranks)

        return {*reachable(start, onward)}

    def _check_pieces_can_move_and_promote(self) -> None:
        """A piece has moves unless nothing is written for it, and promotes where it can."""
        regions = {line.head.value for line in self._statements("region")}
        for code, line in self.own_statements.items():
            entry, fields = self.entries.get(code), line.fields
            if not self.board[0] or not entry or _is_royal(entry, if_unknown=True):
                continue
            if "promotes" in fields and not can_promote(entry, self.rules, regions):
                self.diagnostics.add("no-zone", fields["promotes"].key.span, code=code)
            if entry.piece.text.strip() and not self._can_move(entry):
                self.diagnostics.add(
                    "never-moves", fields[entry.piece.notation].value.span, code=code
                )

    def _can_move(self, entry: Entry) -> bool:
        """Whether some move of a piece begins with a step that fits on the board."""
        first = [step for part in entry.meaning.parts for step in part.automaton.states[0]]
        fits = any(abs(step[0]) < self.board[0] and abs(step[1]) < self.board[1] for step in first)
        return fits or bool(entry.further)

    def _check_hands(self, *, idle: bool) -> None:
        for line in self._statements("hand"):
            for word, _ in read_hand(line):
                entry = self.entries.get(word.value)
                if entry and _is_royal(entry) and self.rules.drops_first == "no":
                    self.diagnostics.add("royal-in-hand", word.span, code=word.value)
            if idle:
                self.diagnostics.add("idle-hand", line.head.span)

    def _check_per_file_limit(self, fields: Mapping[str, Field]) -> None:
        most = fields.get("per-file")
        if "per-file-on" in fields and (most is None or most.value.value == "none"):
            self.diagnostics.add("idle-limit", fields["per-file-on"].key.span)

    def _check_castling(self) -> None:
        """Who castles to files does so with somebody, and the files are those of the board."""
        for code, fields in (
            (line.head.value, line.fields) for line in self.own_statements.values()
        ):
            with_whom, files = fields.get("castles-with"), fields.get("castles-to")
            entry = self.entries.get(code)
            alone = files if with_whom is None else with_whom if files is None else None
            if alone and not (
                files is None and entry and castles_by_movement(entry, if_unknown=True)
            ):
                self.diagnostics.add("half-castling", alone.key.span, code=code)
            last = entry.castles_to[1] if entry and entry.castles_to else 0
            if files and entry and castles_by_movement(entry):
                self.diagnostics.add("castles-twice", files.key.span, code=code)
            if files and last >= (self.board[0] or last + 1):
                self.diagnostics.add("two-files", files.value.span, value=files.value.value)

    def _check_names_are_unique(self) -> None:
        """A name finds one piece; namesakes say so with same-as, and readings are told apart."""
        codes = {normalise_name(code): code for code in self.entries}
        taken: dict[str, str] = {}
        for code, entry in self.entries.items():
            line = self.own_statements.get(code)
            for name in map(normalise_name, entry.names):
                other = taken.setdefault(name, code)
                if other == code:
                    other = codes.get(name, code)
                if line and other != code and not (entry.same_as or entry.reading):
                    self.diagnostics.add("same-name", _name_span(line, name), name=name, code=other)


def _idle_drop_keys(fields: Mapping[str, Field], *, gating: bool) -> list[str]:
    """The limits on drops that limit nothing else where nothing is dropped.

    A limit on files may be one on moves, too, and where is asked of what is left behind as well.
    """
    acts = fields.get("per-file-on")
    moves = acts is not None and "move" in acts.value.value
    kept = {"per-file", "per-file-on"} if moves else set[str]()
    kept |= {"drop-ranks", "drop-in"} if gating else set()
    return [key for key in DROP_KEYS if key in fields and key not in kept]


def _move_parts(entry: Entry) -> list[GuardedAutomaton]:
    """All parts of the moves of a piece, those on some squares only too."""
    meanings = [entry.meaning, *(each.piece.meaning for each in entry.further)]
    return [part for meaning in meanings for part in meaning.parts]


def _steps_of(part: GuardedAutomaton) -> set[Square]:
    """The steps of which the moves of a part are made."""
    return {(step[0], step[1]) for state in part.automaton.states for step in state}


def _may_castle(entry: Entry) -> bool:
    """Whether a piece may carry another one elsewhere, or its moves are not known."""
    return bool(entry.castles_with) or castles_by_movement(entry, if_unknown=True)


def castles_by_movement(entry: Entry, *, if_unknown: bool = False) -> bool:
    """Whether a piece castles as its movement says; ``if_unknown`` if that has no sense."""
    try:
        return any(is_castling(part.guard) for part in _move_parts(entry))
    except MeaningError:
        return if_unknown


def read_hand(line: Statement) -> list[tuple[Text, int]]:
    """The codes in a hand, each with how many there are."""
    result = []
    for word in line.words[line.head.value in SIDES :]:
        match = HAND_COUNT_PATTERN.fullmatch(word.value)
        code, count = (match[1], int(match[2])) if match else (word.value, 1)
        result.append((Text(code, word.span), count))
    return result


def _is_royal(entry: Entry, *, if_unknown: bool = False) -> bool:
    """Whether a piece is royal by its line or its movement; ``if_unknown`` if that has no sense."""
    try:
        return entry.is_royal
    except MeaningError:
        return if_unknown


def _name_span(line: Statement, name: str) -> Span:
    """Where a name stands on the line of its piece."""
    also = line.fields["also"].value if "also" in line.fields else Text("")
    if name in map(normalise_name, also.value.split(",")):
        return also.span
    return next(
        (text.span for text in line.texts if normalise_name(text.value) == name), line.head.span
    )

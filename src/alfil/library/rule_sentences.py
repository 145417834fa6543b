"""What can be said of the rules of a game: the sentences of rules.tsv, filled in with its facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from alfil.api import Piece
from alfil.english import describe_movement
from alfil.english.words import number_word as in_words
from alfil.english.words import ordinal_word
from alfil.errors import join_words, plural, with_article
from alfil.game.compiled_variant import compile_variant
from alfil.game.insufficient_material import InsufficientMaterial
from alfil.game.piece_traits import ENTERING_ZONE, PieceTraits, Promotion, piece_traits
from alfil.game.rule_table import SENTENCE_ROWS
from alfil.game.variant import (
    MATE,
    OPENING_REGION,
    WALLS_REGION,
    ZONE_REGION,
    Area,
    Contagion,
    Countdown,
    PieceType,
    Region,
    RegionMoves,
    Variant,
    can_be_mated,
)
from alfil.graphs import targets_first_order
from alfil.library.field_parsers import (
    AREA_FIELDS,
    RULES,
    region_text,
    rule_value,
    rule_value_text,
    rule_value_word,
)
from alfil.library.piece_bounds import castling_words
from alfil.meaning.automaton import (
    CAPTURE_ENDS,
    HOME,
    ON_FRIEND,
    ON_TRAIL,
    OVER_ANY,
    TAKE_BITS,
    THRU_ANY,
    targets_by_state,
)
from alfil.meaning.piece_meaning import any_move_has_bits, footprint_of, is_castling
from alfil.programs import without_en_passant
from alfil.squares import number_in_letters, square_ranges_text

# The conditions of moves that depend on what was moved before.
HISTORY_CONDITIONS = frozenset({"move", "every", "castle"})

# The section on ends of the game, which are by check and mate where there are royal pieces.
CHECK_SECTION = "## Check and mate"

CAPTURE_CONDITION_WORDS = "a capture can be made"

FactTexts: TypeAlias = dict[str, str]


class RuleSentence(NamedTuple):
    """A row of rules.tsv: words, with names in braces that are filled in, and when they are told.

    ``applies_to`` is "piece" where they are told of each piece they are true of. ``rule`` is the
    rule they are about and the value it has then, or how a value of several words is to be called.
    ``conditions`` has more conditions, ``name=value`` or ``name!=value``.
    """

    section: str
    applies_to: str
    rule: str
    conditions: str
    words: str

    def holds(self, facts: FactTexts) -> bool:
        """Whether all conditions are met."""
        required = (
            each.partition("=") for each in f"{self.rule} {self.conditions}".split() if "=" in each
        )
        return all(
            (facts[name.removesuffix("!")] == value) != name.endswith("!")
            for name, _, value in required
        )


@cache
def sentences() -> tuple[RuleSentence, ...]:
    """All sentences about rules, in the order of the page."""
    return tuple(RuleSentence(*row) for row in SENTENCE_ROWS)


class RuleSentences:
    """The sentences about the rules of one game."""

    def __init__(self, game: Variant) -> None:
        self.game = game
        self.rules = game.rules
        self.traits_by_code: dict[str, PieceTraits] = piece_traits(game)
        first, second = self.rules.side_names
        self.sides = first.capitalize(), second.capitalize()
        self._first_check_wins = ("checks", 1) in self.rules.win
        self._checks_win = any(win.how == "checks" for win in self.rules.win)
        self._facts = self._rule_facts() | self._piece_set_facts()
        # Who could only leave its royal piece to be captured is mated as well.
        mated = can_be_mated(self.rules) and MATE not in self.rules.win
        self._facts["ways"] = " ".join(
            sentence
            for how, times in [*[MATE] * mated, *self.rules.win]
            for sentence in self.sentences(
                "ways to win", {"way": how, "checks": ordinal_word(times)}
            )
        )

    def sentences(self, section: str, more: FactTexts | None = None) -> Iterator[str]:
        """The sentences of a section, each with the rule of the piece file that makes it one."""
        rows = (row for row in sentences() if row.section == section)
        for of, group in groupby(rows, key=lambda row: row.applies_to):
            together = [*group]
            for facts in self._facts_for_each(of) if of else [more or {}]:
                yield from self._filled_sentences(together, self._facts | facts)

    def heading(self, section: str) -> str:
        """The heading of a section."""
        check = section == CHECK_SECTION and self._facts["royal-kinds"] == "none"
        return "## Winning and drawing" if check else section

    def _facts_for_each(self, subject: str) -> Iterator[FactTexts]:
        """The facts of every piece, of every region, or of all moves on some squares only."""
        if subject == "region":
            for region in self.game.regions:
                squares = self._region_squares_text(region)
                yield {"region": region.name, "region-squares": squares}
        for kind in self.game.kinds if subject != "region" else ():
            if subject == "piece":
                yield self._piece_facts(kind)
            else:
                yield from (self._regional_move_facts(kind, each) for each in kind.further)

    def _filled_sentences(self, rows: Iterable[RuleSentence], facts: FactTexts) -> Iterator[str]:
        for row in rows:
            if row.holds(facts):
                name = row.rule.partition("=")[0]
                field = (
                    f" (`{name} = {rule_value_text(rule_value(name, self.rules))}`)" if name else ""
                )
                yield row.words.format_map(facts) + field

    def _rule_facts(self) -> FactTexts:
        """The facts about rules: values, numbers and ranks."""
        rules, ranks = self.rules, self.game.ranks
        result = {name: rule_value_word(rule_value(name, rules)) for name in [*RULES, "zone"]}
        if all(win.how != "goal" for win in rules.win):
            result["goal"] = "none"
        elif rules.goal:
            result["goal-piece"] = with_article(self.game.kind(rules.goal.code).name)
            result["goal-ranks"] = self.area_in_words(rules.goal.area)
            royal = self.traits_by_code[rules.goal.code].survive
            result["goal-royal"] = "yes" if royal else "no"
        return result | {
            "zone-reach": self._zone_extent(),
            "zone-depth": "rank" if rules.zone == 1 else count_in_words(rules.zone, "rank"),
            "zone-ranks": self._ranks_of_both_sides(ranks + 1 - rules.zone, ranks)
            if rules.zone < ranks
            else "",
            "extinct": self._extinction_text(),
            "idle-moves": count_in_words(rules.move_limit.moves, "move")
            if rules.move_limit
            else "",
            "progress": self._move_limit_resets_text(),
            "same-position": self._same_position_text(),
            "times": ordinal_word(rules.repetition.times) if rules.repetition else "",
            "first-side": self.sides[0],
            "first-points": str(rules.impasse.points[0]),
            "second-side": self.sides[1],
            "second-points": str(rules.impasse.points[1]),
            "countdowns": "; ".join(map(self._counting_rule_text, rules.countdown)),
            "countdown-barring": self._names_with_articles(rules.countdown_without),
            "unexchanged": self._names_and_codes(rules.no_exchange),
            "minor": self._names_with_articles(rules.no_exchange_minor),
            "bare-minor-names": self._names_and_codes(rules.bare_minor),
            "Cautious": self._pieces_at_sentence_start(rules.captures_unprotected),
            "contagious": "; ".join(map(self._contagion_text, rules.contagion)),
            "baring": "yes" if any(win.how == "bare" for win in rules.win) else "no",
            "odds": self._draw_odds_text(),
            "judging": "none"
            if not rules.repetition
            or {rules.perpetual_check, rules.perpetual_chase, rules.perpetual_attack} == {"allowed"}
            else "some",
            "counting": self._default_points_text(),
            "uncounted": "some" if self._pieces_without_points() else "none",
            "on-board": f"on the board{' and in hand' * self._has_hands()}",
            "games": count_in_words(rules.match.games, "game"),
        }

    def _zone_extent(self) -> str:
        """What the promotion zone is: a region, every square, the furthest ranks, or nothing."""
        if ZONE_REGION in (each.name for each in self.game.regions):
            return "region"
        zone = self.rules.zone
        return "none" if not zone else "part" if zone < self.game.ranks else "all"

    @property
    def uses_history(self) -> bool:
        """Whether moves depend on what pieces have done before."""
        kinds = self.game.kinds
        past = self.game.en_passant or any(kind.castles_to for kind in kinds) or self._has_gating
        return past or any(condition_kinds(kind) & HISTORY_CONDITIONS for kind in kinds)

    def _same_position_text(self) -> str:
        """What is the same when a position occurs again."""
        past = self.uses_history or self._has_effect({"immobilises"}) or self.rules.no_exchange
        parts = {
            "the board": True,
            "both hands": self._has_hands(),
            "the side to move": True,
            "the moves that pieces may make then and later": bool(past),
            "the number of checks given": self._checks_win,
        }
        return join_words([part for part, there in parts.items() if there], "and")

    @property
    def _has_gating(self) -> bool:
        """Whether pieces from hand are put on squares that others leave."""
        emptied = self.rules.drops == "yes" and self.rules.drops_first == "yes"
        held = self.game.has_hands and not emptied
        return held and any(kind.gates for kind in self.game.kinds)

    def _has_hands(self) -> bool:
        """Whether a side ever has pieces in hand."""
        return any(self.game.hands) or self.rules.captured == "to-hand"

    def _has_effect(self, names: set[str]) -> bool:
        effects = (each for nature in self.traits_by_code.values() for each in nature.effects)
        return any(each.name in names for each in effects)

    def _default_promotion_subject(self, promoting_pieces: list[PieceType]) -> str:
        """Which pieces promote as the game says, and not as something of their own says."""
        promotions = [self.traits_by_code[kind.code].promotion for kind in promoting_pieces]
        own = [each.mode == "apart" or each.from_rank != 0 or bool(each.by) for each in promotions]
        if all(own):
            return "none"
        return "A piece of which nothing else is said" if any(own) else "A piece"

    def _names_and_codes(self, codes: Iterable[str]) -> str:
        """The names of pieces, each with its code."""
        return join_words([name_and_code(self.game.kind(code)) for code in codes], "and")

    def _pieces_at_sentence_start(self, codes: Iterable[str]) -> str:
        """Any of some pieces, at the beginning of a sentence."""
        names = [name_and_code(self.game.kind(code)) for code in codes]
        articles = ["A", *["a"] * len(names)]
        return join_words([*map(with_article, names, articles)])

    def _names_with_articles(self, codes: Iterable[str]) -> str:
        """Any of some pieces."""
        return join_words([with_article(self.game.kind(code).name) for code in codes])

    def _contagion_text(self, pair: Contagion) -> str:
        captured, becomes = (name_and_code(self.game.kind(code)) for code in pair)
        return f"what captures {with_article(captured)} becomes {with_article(becomes)}"

    def _counting_rule_text(self, row: Countdown) -> str:
        """A line of a countdown: who has so many moves against whom."""
        left = count_in_words(row.left, "piece") + " or fewer" * (row.left > 1)
        who = f"a side with {left}" if row.left else "any side"
        name = self.game.kind(row.code).name if row.code else ""
        against = f" against {count_in_words(row.number, name)} or more" if row.code else ""
        return f"{who}{against}, {count_in_words(row.moves, 'move') if row.moves else 'no count'}"

    def _draw_odds_text(self) -> str:
        """What the sides have beside the points of their pieces."""
        points_by_side = zip(self.sides, self.rules.draw_odds.points, strict=True)
        advantages = [f"{side} has {number:g} more" for side, number in points_by_side if number]
        return f", where {join_words(advantages, 'and')}" if advantages else ""

    def _pieces_without_points(self) -> list[PieceType]:
        """The pieces of which it is not said what they count."""
        return [kind for kind in self.game.kinds if kind.points is None and not kind.royal]

    def _default_points_text(self) -> str:
        """What pieces count of which nothing else is said."""
        plain = self._pieces_without_points()
        texts = "five for a piece that slides without limit in at least four directions"
        texts += ", one for any other"
        if not any(_has_unlimited_move(kind) for kind in plain):
            others = len(plain) < len([kind for kind in self.game.kinds if not kind.royal])
            texts = "one for any other piece" if others else "one for each"
        none = ", none for royal pieces" * any(kind.royal for kind in self.game.kinds)
        return f"{texts}{none}" if plain else "what is said of each"

    def _move_limit_resets_text(self) -> str:
        """What a limit of moves asks for."""
        codes = self.rules.move_limit.codes if self.rules.move_limit else ()
        moves = [f"a move of {with_article(self.game.kind(code).name)}" for code in codes]
        drop = ["a drop"] * (self.rules.drops != "no")
        return join_words(["a capture", *drop, *moves])

    def _extinction_text(self) -> str:
        """What a side has left when it is extinct."""
        rule = self.rules.extinction
        if rule is None:
            return ""
        most = count_in_words(rule.left, "piece") + " or fewer" if rule.left else "no piece"
        if rule.what == ("all",):
            return f"{most} left"
        if rule.what == ("each",):
            there = " on the board" * any(self.game.hands)
            return f"{most} left of one of the kinds it began with{there}"
        return (
            f"{most} left of a kind: "
            f"{join_words([*dict.fromkeys(self.game.kind(code).name for code in rule.what)])}"
        )

    def _piece_set_facts(self) -> FactTexts:
        """What is true of the pieces together."""
        kinds = self.game.kinds
        changed = [f"{kind.code} is {kind.base}" for kind in kinds if kind.base != kind.code]
        able = [kind for kind in kinds if self.traits_by_code[kind.code].promotion.codes]
        others = [kind for kind in kinds if kind not in able and kind.base == kind.code]
        royal = [kind for kind in kinds if self.traits_by_code[kind.code].survive]
        forms = {code for kind in able for code in self.traits_by_code[kind.code].promotion.codes}
        certain, spared = self._split_royals_by_survival(royal)
        last, names = not certain and bool(spared), join_words([kind.name for kind in royal])
        exploding = [kind for kind in royal if last or kind.blast != "never"]
        unless = self._pass_obstacles(royal)
        # Who is not in check can then always pass, or must capture.
        free = self.rules.passes == "allowed" and royal and {*unless} <= {CAPTURE_CONDITION_WORDS}
        # Who has lost every piece has none to pass with.
        ended = self.rules.extinction is not None and self.rules.extinction.what == ("all",)
        kept = ended or (royal and self.rules.flip == "none")
        never = kept and (not royal or can_be_mated(self.rules))
        passing = never and (self.rules.passes == "stuck" or free)
        opening = next((r for r in self.game.regions if r.name == OPENING_REGION), None)
        return {
            "opening": "some" if opening else "none",
            "opening-squares": self._region_squares_text(opening) if opening else "",
            "large": "some" if any(footprint_of(k.meaning.facts)[1:] for k in kinds) else "none",
            "holes": "some" if self.game.walls else "none",
            "passing": "some"
            if self.rules.passes != "barred" or any(map(_may_pass, kinds))
            else "none",
            "wall-region": "some"
            if WALLS_REGION in (each.name for each in self.game.regions)
            else "none",
            "bases": f" ({', '.join(changed)})" if changed else "",
            "kept-forms": join_words(
                [k.name for k in kinds if k.code in forms and k.base == k.code]
            ),
            "promoting": "some" if able else "none",
            "promoter": self._default_promotion_subject(able),
            "promoting-again": "some" if any(kind.code in forms for kind in able) else "none",
            "burning": "some" if self._has_effect({"burns", "shoots"}) else "none",
            "other-pieces": "some" if others else "none",
            "others": join_words([*map(name_and_code, others)], "and"),
            "mating-drops": self._mating_drops_word(kinds),
            "royal": names or "royal piece",
            "its royal": f"the last {names} of its side"
            if last
            else f"its {self._decisive_royal_words(royal)}",
            "last royal": self._decisive_royal_words(royal),
            "spared": "no" if not spared else "some" if certain else "yes",
            "certain-royal": join_words([kind.name for kind in certain]),
            "spared-royal": join_words([kind.name for kind in spared]),
            "exploding": self._decisive_royal_words(royal, exploding),
            "one's own": f"{'the last of ' * last}one's own",
            "unless": f", unless {join_words(unless)}" if unless else "",
            "royal-codes": ", ".join(f"`{kind.code}`" for kind in royal) or "none",
            "royal-kinds": self._royal_count_word(royal),
            "exploding-royals": "some" if any(k.blast != "never" for k in royal) else "none",
            "out of check": "is not in check and " if royal and can_be_mated(self.rules) else "",
            "not in check": (", but a piece on the board," * (not kept))
            + (", and is not in check," if kept else " and is not in check,") * bool(royal),
            "stalemates": "none" if passing else "some",
            "first-moves": "some" if self.uses_history else "none",
            "mating": "some" if royal and MATE in self.rules.win else "none",
            "mated": "some" if royal and can_be_mated(self.rules) else "none",
            "precedence": self._game_end_precedence_text(royal),
            "dead": "some" if self._may_have_dead_positions() else "none",
            "winning-checks": "some" if self._checks_win else "none",
            "moving": "some" if any(each for kind in kinds for each in kind.meanings) else "none",
            "capturing": "some" if self._has_captures() else "none",
            "jumped": self._jumped_walls_word(),
        }

    def _jumped_walls_word(self) -> str:
        """What of walls and the duck is jumped over as pieces are."""
        walled = (
            self.rules.wall != "none"
            or self.game.walls
            or any(kind.petrifies for kind in self.game.kinds)
        )
        jumps = any(map(_may_jump, self.game.kinds))
        duck = self.rules.wall == "duck"
        return ("duck" if duck else "walls") if walled and jumps else "none"

    def _may_have_dead_positions(self) -> bool:
        """Whether positions can be drawn for want of pieces that mate."""
        draws = self.rules.insufficient == "draw"
        return draws and InsufficientMaterial(compile_variant(self.game)).has_provable_royals

    def _game_end_precedence_text(self, royal: list[PieceType]) -> str:
        """Which of several ends counts, where one move may bring about two with two results."""
        rules, ways = self.rules, {win.how for win in self.rules.win}
        mated = bool(royal) and can_be_mated(rules) and rules.giving_check == "allowed"
        ends = {
            "the capture of a royal piece": self._may_lose_royals(royal),
            "extinction": rules.extinction is not None,
            "mate": mated,
            "the goal": "goal" in ways,
            "the number of checks": "checks" in ways,
            "a bare king": "bare" in ways,
        }
        differing = mated and (
            rules.mate == "win"
            or rules.goal_wins != "at-once"
            or any(kind.mates != "yes" for kind in self.game.kinds)
        )
        differing |= rules.extinction is not None and rules.extinction.result != "loss"
        possible = [end for end, there in ends.items() if there]
        return ", ".join(possible) if differing and len(possible) > 1 else ""

    def _may_lose_royals(self, royal: list[PieceType]) -> bool:
        """Whether play may take royal pieces off the board, not only leave them mated."""
        rules = self.rules
        removed = rules.explosion == "captures" or self._has_effect({"burns", "shoots"})
        return bool(royal) and (removed or rules.self_check == "allowed")

    def _pass_obstacles(self, royal: list[PieceType]) -> list[str]:
        """What keeps a player from passing who is not in check."""
        rules = self.rules
        bare = "they have no royal piece" if self._may_have_no_royal(royal) else ""
        several = self._royal_count_word(royal) == "several"
        held = "all their royal pieces are" if several else "the royal piece is"
        held = f"{held} immobilised" if self._has_effect({"immobilises"}) else ""
        dropping = rules.drops_first == "yes" and rules.drops == "yes"
        first = "something in hand is to be dropped first" if dropping else ""
        must = CAPTURE_CONDITION_WORDS if rules.must_capture == "yes" else ""
        return [each for each in (bare, held, first, must) if each]

    def _may_have_no_royal(self, royal: list[PieceType]) -> bool:
        """Whether a side may play on without a royal piece: it had none, or it was turned."""
        codes = {kind.code for kind in royal}
        begun = {each.side for each in self.game.setup if each.code in codes}
        begun |= {side for side in (0, 1) if codes & {*dict(self.game.hands[side])}}
        return len(begun) < len(self.sides) or self.rules.flip != "none"

    def _has_captures(self) -> bool:
        """Whether pieces may be captured, or be lost as if they were."""
        return any(map(_may_capture, self.game.kinds)) or self._has_effect({"burns", "shoots"})

    def _split_royals_by_survival(
        self, royal: list[PieceType]
    ) -> tuple[list[PieceType], list[PieceType]]:
        """The royal pieces of which none may be lost, and those of which one must be left."""
        spared = [kind for kind in royal if self.traits_by_code[kind.code].survive == "all"]
        if self._royal_count_word(royal) != "several":
            return royal, []
        return [kind for kind in royal if kind not in spared], spared

    def _decisive_royal_words(
        self, royal: list[PieceType], included: Collection[PieceType] | None = None
    ) -> str:
        """The royal pieces with which a side loses, or those ``included`` of them."""
        certain, spared = (
            [kind.name for kind in some if included is None or kind in included]
            for some in self._split_royals_by_survival(royal)
        )
        return join_words(certain + [f"last {join_words(spared)}"] * bool(spared))

    def _mating_drops_word(self, kinds: Collection[PieceType]) -> str:
        """Whether all drops may give mate, some, or none as none may give check."""
        quiet = [k.drop_check == "barred" for k in kinds]
        if self.rules.giving_check == "barred" or all(quiet):
            return "none"
        return "some" if any(quiet) or any(k.drop_mate != "allowed" for k in kinds) else "all"

    def _royal_count_word(self, royal: list[PieceType]) -> str:
        """Whether a side has several royal pieces, which may be of one kind, one, or none."""
        codes = {kind.code for kind in royal}
        begin = Counter(each.side for each in self.game.setup if each.code in codes)
        several = len(royal) > 1 or max(begin.values(), default=0) > 1
        return "several" if several else "one" if royal else "none"

    def _region_squares_text(self, region: Region) -> str:
        """The squares of a region, for each side where they differ."""
        board = self.game.files, self.game.ranks, self.rules.coordinates
        first, second = (square_ranges_text(squares, *board) for squares in region.squares)
        if first == second:
            return first
        return f"{first} for {self.sides[0]}, {second} for {self.sides[1]}"

    def _regional_move_facts(self, kind: PieceType, moves: RegionMoves) -> FactTexts:
        start, end = moves.start, moves.end
        texts = self.movement_in_words(moves.piece) if isinstance(moves.piece, Piece) else ""
        return self._piece_facts(kind) | {
            "further-from": f" from squares of {self.area_in_words(start)}" if start else "",
            "further-to": f" to squares of {self.area_in_words(end)}" if end else "",
            "further-when": " while its side is not in check" if moves.unchecked else "",
            "further-words": texts,
        }

    def _area_facts(self, kind: PieceType) -> FactTexts:
        """Where a piece may be, and how the file says so."""
        result = {}
        for name in AREA_FIELDS:
            area: Area | None = getattr(kind, name.replace("-", "_"))
            result[name] = self.area_in_words(area) if area else "none"
            result[f"{name}-field"] = region_text(area) if area else ""
        return result

    def _piece_facts(self, kind: PieceType) -> FactTexts:
        promotion, ranks = self.traits_by_code[kind.code].promotion, self.game.ranks
        first, last = kind.drop_ranks or (0, 0)
        part = first > 1 or last < ranks
        barred = kind.drop_mate == "barred"
        royal = self.traits_by_code[kind.code].survive
        return self._area_facts(kind) | {
            "code": kind.code,
            "piece": name_and_code(kind),
            "a piece": with_article(name_and_code(kind)),
            "A piece": with_article(name_and_code(kind), "A"),
            "promotion": promotion.mode if promotion.codes else "none",
            "promotes": ",".join(promotion.codes),
            "mode": f" {promotion.mode}" if kind.promotes else "",
            "reaching": self._promoting_move_words(promotion),
            "forms": join_words([name_and_code(self.game.kind(code)) for code in promotion.codes]),
            "forms-run-out": "yes" if self._may_run_out_of_promotions(promotion) else "no",
            "drop-reach": "none" if kind.drop_ranks is None else "part" if part else "all",
            "drop-ranks": f"{first}-{min(last, ranks)}",
            "ranks": self.ranks_text(first, min(last, ranks)) if kind.drop_ranks else "",
            "drops": self.rules.drops if not royal or self._may_be_held(kind) else "no",
            "drop-check": kind.drop_check,
            "drop-mate": "moot" if barred and self._first_check_wins else kind.drop_mate,
            "mates": kind.mates,
            "blast": kind.blast,
            "royal": royal,
            "petrifying": self._petrification_word(kind),
            "immune": "some" if kind.immune_to else "none",
            "immune-to": ",".join(kind.immune_to),
            "its immunity": join_words(
                [with_article(name_and_code(self.game.kind(code))) for code in kind.immune_to]
            ),
            "crowding": "limited" if kind.per_file else "free",
            "leaves-file": "yes" if _may_leave_file(kind) else "no",
            "so many": count_in_words(kind.per_file, kind.name),
            "per-file": str(kind.per_file),
            "castles-with": ",".join(kind.castles_with),
            "castles-names": self._names_with_articles(kind.castles_with),
            "castles-to": ",".join(map(number_in_letters, kind.castles_to or ())),
            "castles-to-files": castling_words(
                [self.game.kind(each).name for each in kind.castles_with], kind.castles_to or ()
            ),
            "castling": "royal" if self._is_castler(kind) and royal else "",
            "castler": "yes" if self._is_castler(kind) else "no",
            "castles": "files" if kind.castles_to else "only" if kind.castles_with else "",
            "gating": "yes" if kind.gates and self._has_gating else "no",
            # Whether it may be put from the hand on a square that another one leaves.
            "gate-filler": "yes" if self._has_gating and self._may_be_held(kind) else "no",
            "no-jump-over": ",".join(kind.no_jump_over),
            "not-jumped-names": self._names_and_codes(kind.no_jump_over),
            "blocked-by": ",".join(kind.blocked_by),
            "blocked-names": join_words(
                [self.game.kind(each).name for each in kind.blocked_by], "and"
            ),
            "points": "none" if kind.points is None else str(kind.points),
            "chases": kind.chases,
            "per-side": str(kind.per_side if self._is_promoted_to(kind) else 0),
            "per-colour": str(kind.per_colour),
            "so many on colour": count_in_words(kind.per_colour, kind.name),
            "so many on board": count_in_words(kind.per_side, kind.name),
            "per-file-on": ",".join(sorted(kind.per_file_on)),
        }

    def movement_in_words(self, piece: Piece) -> str:
        """How a piece moves, with en passant only where there is that in the game."""
        passing = self.game.en_passant
        return describe_movement(piece.movement if passing else without_en_passant(piece.movement))

    def _is_castler(self, kind: PieceType) -> bool:
        return bool(kind.castles_to) or "castle" in condition_kinds(kind)

    def _may_be_held(self, kind: PieceType) -> bool:
        """Whether a piece may be in hand; a captured royal piece goes to nobody's."""
        held = any(code == kind.code for hand in self.game.hands for code, _ in hand)
        royal = bool(self.traits_by_code[kind.code].survive)
        return held or (self.rules.captured == "to-hand" and not royal)

    def _petrification_word(self, kind: PieceType) -> str:
        """Whether a piece that captures turns to stone, or may not capture because it would.

        What explodes leaves no stone, and what never captures either.
        """
        explodes = self.rules.explosion == "captures" and kind.blast != "never"
        if explodes or not (_may_capture(kind) or self._has_effect({"burns", "shoots"})):
            return "no"
        barred = (
            self.rules.self_check == "barred" and self.traits_by_code[kind.code].survive == "any"
        )
        # A stone shoots no arrow.
        able = "wall-less" if self.rules.wall == "arrow" else "yes"
        return ("never" if barred else able) if kind.petrifies else "no"

    def _may_run_out_of_promotions(self, promotion: Promotion) -> bool:
        """Whether a piece may have to promote while all that it may become is on the board."""
        forced = promotion.mode in {"forced", "stuck"} and promotion.codes
        return bool(forced) and all(self.game.kind(code).per_side for code in promotion.codes)

    def _is_promoted_to(self, kind: PieceType) -> bool:
        """Whether some piece may become this one."""
        every = self.traits_by_code.values()
        return any(kind.code in each.promotion.codes for each in every)

    def _promoting_move_words(self, promotion: Promotion) -> str:
        """With which moves a piece promotes, where the rule of the game does not decide."""
        if promotion.by is not None:
            return " with those of its moves that its description names"
        if promotion.from_rank == ENTERING_ZONE:
            return " with a move that ends in the zone"
        ranks = self.ranks_text(promotion.from_rank, self.game.ranks)
        return f" on reaching {ranks}" if promotion.from_rank else ""

    def area_in_words(self, area: Area) -> str:
        """Ranks, or a region by its name."""
        if isinstance(area, str):
            return f"the region {area}"
        return self.ranks_text(area[0], min(area[1], self.game.ranks))

    def ranks_text(self, first: int, last: int) -> str:
        """Ranks counted from their owner, by the names they have for each side."""
        return f"{'rank' if first == last else 'ranks'} {self._ranks_of_both_sides(first, last)}"

    def _ranks_of_both_sides(self, first: int, last: int) -> str:
        sides = (f"{self._rank_names(side, first, last)} for {self.sides[side]}" for side in (0, 1))
        return " and ".join(sides)

    def _rank_names(self, side: int, first: int, last: int) -> str:
        own = [first - 1, last - 1]
        places = sorted(rank if side == 0 else self.game.ranks - 1 - rank for rank in own)
        if self.rules.first == "black":
            names = [number_in_letters(self.game.ranks - 1 - rank) for rank in reversed(places)]
        else:
            names = [str(rank + 1) for rank in places]
        return names[0] if names[0] == names[1] else f"{names[0]} to {names[1]}"


def _may_capture(kind: PieceType) -> bool:
    """Whether a piece captures with some move, on its way or at its end."""
    return any_move_has_bits(kind.meanings, CAPTURE_ENDS | ON_FRIEND | ON_TRAIL, TAKE_BITS)


def _has_unlimited_move(kind: PieceType) -> bool:
    """Whether a piece has a move without a limit."""
    automata = (automaton for each in kind.meanings for _, automaton in each.parts)
    return any(
        len(targets_first_order(targets_by_state(a.states))) < len(a.states) for a in automata
    )


def name_and_code(kind: PieceType) -> str:
    """A piece by name and code."""
    return f"{kind.name} ({kind.code})"


def condition_kinds(kind: PieceType) -> set[str]:
    """What the conditions of its moves ask for."""
    return {each.kind for guard in kind.guards for each in guard}


def count_in_words(number: int, thing: str) -> str:
    """A number of things in words."""
    return f"{in_words(number)} {plural(thing, number)}"


def _may_leave_file(kind: PieceType) -> bool:
    """Whether some move of a piece has a step that is not straight ahead or back."""
    moves = (kind, *(moves.piece for moves in kind.further))
    parts = (part for each in moves for part in each.meaning.parts)
    states = (state for part in parts for state in part.automaton.states)
    return any(record[0] for state in states for record in state)


def _may_jump(kind: PieceType) -> bool:
    """Whether a piece leaps farther than to the next square, or goes over others."""
    parts = (part for meaning in kind.meanings for part in meaning.parts)
    moves = (each for each in parts if not is_castling(each.guard))
    records = (record for each in moves for state in each.automaton.states for record in state)
    leaps = any(max(abs(record[0]), abs(record[1])) > 1 for record in records)
    return leaps or any_move_has_bits(kind.meanings, 0, OVER_ANY | THRU_ANY)


def _may_pass(kind: PieceType) -> bool:
    """Whether a move of it may end where it began, without a capture on the way."""
    for automaton in (part.automaton for meaning in kind.meanings for part in meaning.parts):
        states = [0]
        for state in states:
            for *step, _, passes in automaton.states[state]:
                if tuple(step) == HOME:
                    return True
                following = {target for mask, target in passes if mask & ~TAKE_BITS}
                states += sorted(following - {*states})
    return False

"""The rules of a game in sentences, each with the field of the piece file that makes it a rule.

A sentence about a field stands in a table under its value, with words in braces that are filled in.
What a table cannot say alone, for it counts or names pieces, is put together by `Words`. Nothing
here is about one game.
"""

from __future__ import annotations

from collections.abc import Iterator

from alfil.english.words import listed
from alfil.game.plan import Nature, natures
from alfil.game.variant import Goal, Impasse, Kind, MatchLength, Repetition, Rules, Variant, Win
from alfil.squares import letters

SENTENCES: dict[str, dict[str, str]] = {
    "first": {
        "black": "Black moves first, and is at the bottom in diagrams. The players alternate.",
        "white": "White moves first, and is at the bottom in diagrams. The players alternate.",
    },
    "captured": {
        "removed": "A captured piece is out of the game.",
        "to-hand": "A captured piece goes to the hand of its capturer, as a piece of that side.",
    },
    "captured-form": {
        "base": "There it is again what it was before any promotion{bases}.",
        "as-is": "There it stays what it was on the board, promoted or not.",
    },
    "illegal-move": {
        "rejected": "An illegal move is not made; the player makes another.",
        "loss": "A player who makes an illegal move loses the game. alfil refuses the move and"
        " changes nothing, unless a game is adjudicated.",
    },
    "promotion-when": {
        "touches": "A piece promotes with a move that begins or ends in the zone.",
        "ends": "A piece promotes with a move that ends in the zone.",
        "captures": "A piece promotes with a capture.",
        "always": "A piece promotes with any move.",
    },
    "drops": {
        "no": "Pieces are not dropped.",
        "yes": "Instead of moving, a player may put a piece from hand on an empty square. A drop"
        " does not capture.",
    },
    "drop-form": {
        "base": "It is put down unpromoted.",
        "either": "It is put down unpromoted or promoted, as the player likes.",
    },
    "royal-lost": {
        "any": "A side loses its royal pieces with the first of them.",
        "all": "A side loses its royal pieces with the last of them.",
    },
    "self-check": {
        "barred": "A move or drop that leaves or puts one's own {royal} in check is illegal.",
        "allowed": "A player may leave the own {royal} in check.",
    },
    "stalemate": {
        "draw": "If the side to move is not in check and has no legal move, the game is a draw.",
        "loss": "If the side to move is not in check and has no legal move, it loses.",
        "win": "If the side to move is not in check and has no legal move, it wins.",
    },
    "perpetual-check": {
        "allowed": "Perpetual check is nothing special.",
        "loss": "A side that gave check with all its moves between these occurrences loses instead,"
        " unless both did.",
        "draw": "If one side gave check with all its moves between these occurrences, the game is a"
        " draw.",
    },
    "perpetual-span": {
        "first": "For that, the moves since the first occurrence count.",
        "last": "For that, the moves since the occurrence before count.",
    },
    "impasse-needs": {
        "nothing": "That may be done in any position.",
        "royals-in-zone": "That may be done only while the royal pieces of both sides stand in"
        " their promotion zones.",
    },
    "match-draw": {
        "breaks": "A drawn game ends a run of wins.",
        "ignored": "A drawn game counts for nothing.",
    },
    "match-first": {
        "alternate": "The players change sides after every game, drawn games too.",
        "fixed": "The players keep their sides.",
    },
}
WINS = {
    "mate": "A side in check that has no legal move is mated and loses.",
    "royal-capture": "Capturing the {royal} wins.",
    "goal": "Reaching the goal wins.",
    "checks": "Giving check for the {ordinal} time wins.",
    "bare": "A side that has nothing but its {royal} left, on the board and in hand, loses.",
}
REPETITIONS = {
    "draw": "the game is a draw",
    "loss-first": "the side that moved first in the game loses",
    "loss-repeater": "the side whose move repeated the position loses",
}
MODES = {
    "optional": "may promote",
    "forced": "must promote",
    "stuck": "may promote, and must where it could never move again",
}
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}
GIVEN = Rules()


class Words:
    """The sentences of one game."""

    def __init__(self, game: Variant) -> None:
        self.game = game
        self.rules = game.rules
        self.natures: dict[str, Nature] = natures(game)
        self.sides = ("Black", "White") if self.rules.first == "black" else ("White", "Black")

    def turn(self) -> list[str]:
        """Whose turn it is, and what a capture does."""
        changed = [kind for kind in self.game.kinds if kind.base != kind.code]
        bases = ", ".join(f"{kind.code} is {kind.base}" for kind in changed)
        bases = f" ({bases})" if bases else ""
        to_hand = self.rules.captured == "to-hand"
        drop = ", or one drop" if self.rules.drops == "yes" else ""
        return [
            *self._said("first"),
            f"A turn is one move on the board, with its promotion{drop}.",
            *self._said("captured"),
            *self._said("captured-form", needed=to_hand, bases=bases),
            "A piece that cannot move any more stays where it is until it is captured.",
            *self._said("illegal-move"),
        ]

    def promotion(self) -> list[str]:
        """The zone, when a move promotes, and for each piece what it becomes."""
        able = [kind for kind in self.game.kinds if self.natures[kind.code].promotion.codes]
        if not able:
            return ["No piece promotes."]
        zone = "Every square is in the promotion zone"
        if self.rules.zone < self.game.ranks:
            deep = "rank" if self.rules.zone == 1 else count(self.rules.zone, "rank")
            zone = f"The promotion zone is the furthest {deep}: {self._zone()}"
        rest = [kind for kind in self.game.kinds if kind not in able and kind.base == kind.code]
        others = f"The others do not promote: {listed([*map(named, rest)], 'and')}." if rest else ""
        return [
            f"{zone}. (`zone promotion ranks={self.rules.zone}`)",
            *self._said("promotion-when"),
            *map(self._promotes, able),
            *([others] if others else []),
            "A promoted piece stays promoted until it is captured.",
        ]

    def drops(self) -> list[str]:
        """Which drops there are, and the limits of each piece."""
        droppable = self.rules.drops == "yes"
        told = [
            *self._said("drops"),
            *self._said("drop-form", needed=droppable),
        ]
        if not droppable:
            return told
        limits = [limit for kind in self.game.kinds for limit in self._limits(kind)]
        if all(kind.drop_mate == "allowed" for kind in self.game.kinds):
            limits.append("Any drop may mate. (`drop-mate=allowed` for all pieces)")
        return [*told, *limits, "There are no other limits on drops."]

    def files(self) -> list[str]:
        """How many of a piece a side may have on a file."""
        return [self._crowd(kind) for kind in self.game.kinds if kind.per_file]

    def check(self) -> list[str]:
        """What check is, and how the game is won, lost and drawn."""
        royal = self.royal()
        several = sum(bool(each.survive) for each in self.natures.values()) > 1
        told = [
            f"A side is in check when the other could capture its {royal} with its next move."
            " The attacking piece counts even where moving it would be illegal because of a check."
            f" (royal: {', '.join(self._royals()) or 'none'})",
            *self._said("royal-lost", needed=several),
            *self._said("self-check", royal=royal),
        ]
        wins = " ".join(self._wins())
        told.append(f"{wins} ({field('win', self.rules)})")
        if self.rules.goal:
            told.append(self._goal(self.rules.goal))
        return [*told, *self._said("stalemate"), "A player may resign at any time."]

    def draws(self) -> list[str]:
        """Repetition, perpetual check and impasse."""
        again = self.rules.repetition
        told = ["A position may come about as often as it likes."]
        if again:
            when = ordinal(again.times)
            told = [
                f"When a position occurs for the {when} time, {REPETITIONS[again.result]}."
                " Positions are the same when the board, both hands and the side to move are."
            ]
        told[0] += f" ({field('repetition', self.rules)})"
        checked = self.rules.perpetual_check != "allowed"
        return [
            *told,
            *self._said("perpetual-check"),
            *self._said("perpetual-span", needed=checked),
            f"{self._impasse()} ({field('impasse', self.rules)})",
            *self._said("impasse-needs", needed=self.rules.impasse.how != "none"),
        ]

    def match(self) -> list[str]:
        """How many games are played, and who begins them."""
        length = self.rules.match
        said = {
            "single": "One game is a match.",
            "consecutive": f"The match is won by winning {count(length.games, 'game')} in a row; it"
            " goes on until one player has.",
            "best-of": f"The match is won by winning more than half of"
            f" {count(length.games, 'game')}.",
        }[length.how]
        several = length.how != "single"
        return [
            f"{said} ({field('match', self.rules)})",
            *self._said("match-draw", needed=several),
            *self._said("match-first", needed=several),
        ]

    def royal(self) -> str:
        """The royal pieces by name, as in "king or prince"."""
        names = [kind.name for kind in self.game.kinds if self.natures[kind.code].survive]
        return listed(names) or "royal piece"

    def _royals(self) -> list[str]:
        return [f"`{code}`" for code, nature in self.natures.items() if nature.survive]

    def _said(self, name: str, *, needed: bool = True, **parts: str) -> Iterator[str]:
        """The sentence for a field; nothing where it decides nothing and the file is silent."""
        value = str(value_of(name, self.rules))
        if needed or value != str(value_of(name, GIVEN)):
            text = SENTENCES[name][value].format(**parts)
            yield f"{text} ({field(name, self.rules)})"

    def _wins(self) -> Iterator[str]:
        for how, times in self.rules.win:
            text = WINS[how].format(royal=self.royal(), ordinal=ordinal(times))
            if how == "royal-capture" and self.rules.self_check == "barred":
                text += (
                    " As no legal move leaves it to be captured, that comes about only in a"
                    " position set up with the side not to move in check."
                )
            yield text

    def _goal(self, goal: Goal) -> str:
        name = self.game.kind(goal.code).name
        where = self.ranks(*goal.ranks)
        return f"The goal is {an(name)} on {where}. ({field('goal', self.rules)})"

    def _impasse(self) -> str:
        match self.rules.impasse:
            case Impasse("none"):
                return "There is no impasse: play goes on until the game is won or drawn otherwise."
            case Impasse("agreement"):
                return (
                    "If neither side can hope to mate or to win anything, the players may agree on"
                    " a draw. No points are counted."
                )
            case Impasse(_, (first, second)):
                return (
                    "If neither side can hope to mate, the players may agree to count points: five"
                    " for a piece that runs without limit in four directions or more, one for any"
                    " other, none for royal pieces, of those in the zone and in hand."
                    f" {self.sides[0]} needs {first} of them and {self.sides[1]} {second}. If one"
                    " side alone has fewer, it loses; otherwise the game is a draw."
                )

    def _promotes(self, kind: Kind) -> str:
        promotion = self.natures[kind.code].promotion
        forms = listed([named(self.game.kind(code)) for code in promotion.codes])
        where = ""
        if promotion.from_rank:
            where = f" on reaching {self.ranks(promotion.from_rank, self.game.ranks)}"
        mode = f" {promotion.mode}" if kind.promotes else ""
        told = f"`{kind.code} promotes={','.join(promotion.codes)}{mode}`"
        return f"{an(named(kind), 'A')} {MODES[promotion.mode]}{where}, to {forms}. ({told})"

    def _limits(self, kind: Kind) -> Iterator[str]:
        code, piece = kind.code, an(named(kind), "A")
        if kind.drop_ranks is None:
            yield f"{piece} is never dropped. (`{code} drop-ranks=none`)"
        elif kind.drop_ranks[0] > 1 or kind.drop_ranks[1] < self.game.ranks:
            first, last = kind.drop_ranks
            last = min(last, self.game.ranks)
            where = self.ranks(first, last)
            yield f"{piece} is dropped only on {where}. (`{code} drop-ranks={first}-{last}`)"
        if kind.drop_check != "free":
            must = "must itself" if kind.drop_check == "required" else "must not"
            told = f"`{code} drop-check={kind.drop_check}`"
            yield f"A dropped {named(kind)} {must} give check. ({told})"
        if kind.drop_mate == "barred":
            yield f"{piece} may not be dropped to give mate. (`{code} drop-mate=barred`)"
        if kind.per_file:
            number = count(kind.per_file, kind.name)
            yield (
                f"{piece} is not dropped on a file that already has {number} of its side."
                f" (`{code} per-file={kind.per_file}`)"
            )

    def _crowd(self, kind: Kind) -> str:
        acts = ",".join(sorted(kind.per_file_on))
        told = f"`{kind.code} per-file={kind.per_file} per-file-on={acts}`"
        number = count(kind.per_file, kind.name)
        if "move" not in kind.per_file_on:
            return (
                f"Only drops are limited: moves may bring more than {number} of a side onto a file."
                f" ({told})"
            )
        return (
            f"A side may have {number} on a file and no more: {an(named(kind))} may not move,"
            " capture or be dropped onto a file that is full. A move along its own file is always"
            " free, and the other side's pieces do not count. A piece that may not enter a file"
            f" gives no check there. ({told})"
        )

    def _zone(self) -> str:
        return self.ranks(self.game.ranks + 1 - self.rules.zone, self.game.ranks, bare=True)

    def ranks(self, first: int, last: int, *, bare: bool = False) -> str:
        """Ranks counted from their owner, by the names they have for each side."""
        both = (f"{self._names(side, first, last)} for {self.sides[side]}" for side in (0, 1))
        ranks = "rank" if first == last else "ranks"
        return " and ".join(both) if bare else f"{ranks} {' and '.join(both)}"

    def _names(self, side: int, first: int, last: int) -> str:
        own = [first - 1, last - 1]
        places = sorted(rank if side == 0 else self.game.ranks - 1 - rank for rank in own)
        if self.rules.first == "black":
            names = [letters(self.game.ranks - 1 - rank) for rank in reversed(places)]
        else:
            names = [str(rank + 1) for rank in places]
        return names[0] if names[0] == names[1] else f"{names[0]} to {names[1]}"


def value_of(name: str, rules: Rules) -> object:
    """The value of a rule by the name it has in files."""
    value: object = getattr(rules, name.replace("-", "_"))
    return value


def field(name: str, rules: Rules) -> str:
    """A rule as files have it, as code."""
    return f"`{name} = {written(value_of(name, rules))}`"


def written(value: object) -> str:
    """The value of a rule as files have it."""
    match value:
        case None:
            return "none"
        case Goal(code, (first, last)):
            return f"{code} {first}-{last}"
        case Repetition(times, result):
            return f"{times} {result}"
        case Impasse(how, points):
            return f"points {points[0]} {points[1]}" if how == "points" else how
        case MatchLength(how, games):
            forms = {"consecutive": f"{games} consecutive", "best-of": f"best-of {games}"}
            return forms.get(how, how)
        case Win(how, times):
            return f"{how}:{times}" if times else how
        case tuple():
            return ",".join(map(written, value))
        case _:
            return str(value)


def named(kind: Kind) -> str:
    """A piece by name and code."""
    return f"{kind.name} ({kind.code})"


def an(name: str, article: str = "a") -> str:
    """A name with the article it takes."""
    return f"{article}{'n' * (name[:1].lower() in 'aeiou')} {name}"


def count(number: int, thing: str) -> str:
    """A number of things in words."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} {thing}" if number == 1 else f"{word} {thing}s"


def ordinal(number: int) -> str:
    """A number as a place in a row."""
    return ORDINALS.get(number, f"{number}th")

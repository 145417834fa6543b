"""The arguments of functions of a move: the move first, then flags and a number in any order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.bound import MoveCall
from alfil.notation.hasinu.lexicon import Function
from alfil.notation.hasinu.nodes import Argument, Call, HasinuTerm, Name, Number
from alfil.notation.nodes import Term
from alfil.source import Span


def quote(text: str, *nodes: Term | Argument) -> str:
    """The nodes as the user wrote them, with commas between."""
    return ", ".join(text[node.span.start : node.span.end] for node in nodes)


def wrong(kind: str, message: str, span: Span, hint: str = "") -> list[Finding]:
    """One error, as the list of what is wrong."""
    return [Finding(kind, message, (span,), hint)]


@dataclass(slots=True)
class _Slots:
    """The arguments of a function of a move, by kind, as they are found."""

    function: Function
    text: str
    move: HasinuTerm | None = None
    flags: dict[str, str] = field(default_factory=dict)
    number: int | None = None
    findings: list[Finding] = field(default_factory=list)

    def wrong(self, kind: str, message: str, span: Span, hint: str = "") -> None:
        """Notes a finding."""
        self.findings.append(Finding(kind, message, (span,), hint))

    def put_move(self, term: HasinuTerm) -> None:
        """The move; only one."""
        if self.move is None:
            self.move = term
            return
        both = " & ".join(quote(self.text, move) for move in (self.move, term))
        message = f"two moves for {self.function.name}"
        hint = f"{self.function.name}({both})" if self.text else ""
        self.wrong("repeated-argument", message, term.span, hint)

    def put_number(self, number: Number) -> None:
        """The number; only one, and only where the function takes one."""
        name = self.function.name
        if not self.function.counts:
            self.wrong("number", f"{name} takes no number", number.span, "leave it out")
        elif not number.value:
            self.wrong("number", "numbers start at 1", number.span, "leave it out for no limit")
        elif self.number is not None:
            self.wrong("repeated-argument", "two numbers", number.span, "leave one out")
        else:
            self.number = number.value

    def put_word(self, word: Name) -> None:
        """A flag: of a parameter that the function has, and only one for each."""
        flag = lexicon.LONG_FLAGS.get(word.text, word.text)
        for parameter, values, default in self._parameters():
            if flag not in values:
                continue
            if not default:
                message = f"{self.function.name} takes no {parameter}"
                self.wrong("flag", message, word.span, "leave it out")
            elif parameter in self.flags:
                both = {"side": "FE", "time": "PA"}.get(parameter)
                hint = f"{both} means both" if both else "leave one out"
                message = f"{parameter} given twice" if not both else f"two {parameter}s"
                self.wrong("repeated-argument", message, word.span, hint)
            else:
                self.flags[parameter] = flag
            return
        self._unknown(word)

    def _parameters(self) -> tuple[tuple[str, Iterable[str], str], ...]:
        function = self.function
        return (
            ("side", lexicon.SIDES, function.side),
            ("time", lexicon.WHENS, function.when),
            ("greed", lexicon.GREEDS, function.greed),
        )

    def _unknown(self, word: Name) -> None:
        values = [value for _, known, default in self._parameters() if default for value in known]
        takes = f"takes {' '.join(values)}" if values else "takes a move and nothing else"
        swapped = {"EF": "FE", "AP": "PA"}.get(word.text.upper(), word.text.upper())
        long = [each for each, flag in lexicon.LONG_FLAGS.items() if flag in values]
        meant = swapped if swapped in values else lexicon.nearest(word.text, long)
        hint = f"write {meant}" if meant else "leave it out"
        self.wrong("flag", f"{self.function.name} {takes}", word.span, hint)


def move_call(function: Function, call: Call, text: str) -> MoveCall | list[Finding]:
    """A call of a function of a move."""
    late = _late_move(call, text)
    if late:
        return late
    slots = _Slots(function, text)
    for argument in call.arguments:
        match argument:
            case Number():
                slots.put_number(argument)
            case Name():
                slots.put_word(argument)
            case _:
                slots.put_move(argument)
    if slots.findings:
        return slots.findings
    if slots.move is None:
        span = Span(call.name_span.end, call.span.end)
        hint = f"put a move into the brackets: {call.name}(1×8d)"
        return wrong("missing-move", f"{call.name} needs a move", span, hint)
    flags = slots.flags
    return MoveCall(
        function.name,
        slots.move,
        lexicon.SIDES[flags["side"]] if "side" in flags else function.side,
        lexicon.WHENS[flags["time"]] if "time" in flags else function.when,
        lexicon.GREEDS[flags["greed"]] if "greed" in flags else function.greed,
        slots.number,
    )


def _late_move(call: Call, text: str) -> list[Finding]:
    moves = [item for item in call.arguments if not isinstance(item, Name | Number)]
    if not moves or call.arguments[0] is moves[0]:
        return []
    others = [item for item in call.arguments if item is not moves[0]]
    hint = f"{call.name}({quote(text, moves[0], *others)})" if text else ""
    return wrong("argument-order", "the move comes first", call.arguments[0].span, hint)

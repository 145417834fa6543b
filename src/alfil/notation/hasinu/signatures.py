"""What the arguments of a call mean: flags, numbers and moves by kind, defaults filled in.

`bind` gives the typed view that lowering and the other consumers use, so that nobody else reads
flags. `arguments` does the same for a call nobody has checked yet, and says what is wrong with it.
`shortest` is the way back: the arguments as short as they can be written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.builder import is_hole
from alfil.notation.hasinu.lexicon import Function, Greed, Side, When
from alfil.notation.nodes import Argument, Call, Group, Name, Number, Term, Text
from alfil.source import Span


@dataclass(frozen=True, slots=True)
class MoveCall:
    """A function of a move: ``m c j nj i rpg im burn``.

    Flags are "" where the function takes none; ``number`` None is no limit.
    """

    name: str
    move: Term
    side: Side = ""
    when: When = ""
    greed: Greed = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class TimedCall:
    """``atmove(number, move)`` or ``ataction(number, move)``."""

    name: Literal["atmove", "ataction"]
    number: int
    move: Term


@dataclass(frozen=True, slots=True)
class RoyalCall:
    """``royal``: all royals of a side must survive ("A"), or one of them ("O")."""

    survive: Literal["A", "O"]


@dataclass(frozen=True, slots=True)
class PromoteCall:
    """``promote``: the condition in words; promotees are texts (names of pieces) or moves."""

    condition: str
    promotees: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class IronCall:
    """``fe``: "" nothing captures it, else the exceptions are illegal or the only legal captures."""

    identifier: Literal["", "inclusive", "exclusive"]
    exceptions: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class SizeCall:
    """``sz``: width and height in cells."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class DeclareCall:
    """``function``: a name and its parameters."""

    name: str
    parameters: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class InfCall:
    """``INF``: the half width and half height of the box."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class ForeignCall:
    """A call of a function that is not built in."""

    name: str
    arguments: tuple[Argument, ...]


Bound: TypeAlias = (
    MoveCall
    | TimedCall
    | RoyalCall
    | PromoteCall
    | IronCall
    | SizeCall
    | DeclareCall
    | InfCall
    | ForeignCall
)


def bind(call: Call) -> Bound:
    """The typed view of a call that was read; ValueError for one that `arguments` refuses."""
    bound = arguments(call)
    if isinstance(bound, list):
        raise ValueError(bound[0].message)
    return bound


def nested(group: Group) -> Term:
    """A group as calls inside calls: ``group(m,j)(X)`` as ``m(j(X))``."""
    term = group.body
    for name in reversed(group.names):
        span = name.span.to(term.span)
        term = Call(name.text, (term,), name_span=name.span, span=span)
    return term


def arguments(call: Call, text: str = "") -> Bound | list[Finding]:
    """The typed view of a call, or what is wrong with its arguments.

    ``text`` is the text the spans count in; hints quote from it.
    """
    function = lexicon.known(call.name)
    if function is None or any(map(is_hole, call.arguments)):
        return ForeignCall(call.name, call.arguments)
    padded = _padded(call)
    if padded:
        return padded
    match function.name:
        case "atmove" | "ataction":
            return _timed(call, text)
        case "royal":
            return _royal(call, text)
        case "promote":
            return _promote(call, text)
        case "fe":
            return _iron(call, text)
        case "sz":
            return _size(call)
        case "function":
            return _declaration(call)
        case "INF":
            return _inf(call)
        case _:
            return _move(function, call, text)


def shortest(call: Call) -> Call:
    """The call with short flags, without defaults, its arguments in the order of the table.

    >>> shortest(Call("rifle", (Name("E"), Name("passive"), Number(3))))  # wrong calls stay
    Call(name='rifle', arguments=(Name(text='E', optional=False), ...
    """
    bound = arguments(call)
    given: tuple[Argument, ...] = call.arguments
    match bound:
        case MoveCall():
            given = tuple(_shortest_flags(bound, call))
        case RoyalCall(survive="A"):
            given = ()
        case SizeCall(width=width, height=height) if width == height:
            given = given[:1]
        case list():
            return call
    name = lexicon.ALIASES.get(call.name, call.name)
    if name == call.name and given == call.arguments:
        return call
    return replace(call, name=name, arguments=given)


def _shortest_flags(bound: MoveCall, call: Call) -> Iterable[Argument]:
    function = lexicon.FUNCTIONS[bound.name]
    spans = {
        lexicon.LONG_FLAGS.get(name.text, name.text): name.span
        for name in call.arguments
        if isinstance(name, Name)
    }
    yield bound.move
    flags = (
        (bound.side, function.side),
        (bound.when, function.when),
        (bound.greed, function.greed),
    )
    for flag, default in flags:
        if flag != default:
            yield Name(flag, span=spans[flag])
    yield from (argument for argument in call.arguments if isinstance(argument, Number))


def quote(text: str, *nodes: Term | Argument) -> str:
    """The nodes as the user wrote them, with commas between."""
    return ", ".join(text[node.span.start : node.span.end] for node in nodes)


def _wrong(kind: str, message: str, span: Span, hint: str = "") -> list[Finding]:
    return [Finding(kind, message, (span,), hint)]


def _padded(call: Call) -> list[Finding]:
    """Numbers among the arguments that have leading zeros or are too large."""
    findings: list[Finding] = []
    for number in call.arguments:
        if not isinstance(number, Number):
            continue
        length = number.span.end - number.span.start
        if number.value > lexicon.LARGEST_NUMBER:
            message = f"numbers are at most {lexicon.LARGEST_NUMBER}"
            findings += _wrong("number", message, number.span)
        elif length > len(str(number.value)):
            findings += _wrong(
                "leading-zero", "no leading zeros", number.span, f"write {number.value}"
            )
    return findings


@dataclass(slots=True)
class _Slots:
    """The arguments of a function of a move, by kind, as they are found."""

    function: Function
    text: str
    move: Term | None = None
    flags: dict[str, str] = field(default_factory=dict)
    number: int | None = None
    findings: list[Finding] = field(default_factory=list)

    def wrong(self, kind: str, message: str, span: Span, hint: str = "") -> None:
        """Notes a finding."""
        self.findings.append(Finding(kind, message, (span,), hint))

    def put_move(self, term: Term) -> None:
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
            self.wrong("number", f"{name} takes no number", number.span)
        elif not number.value:
            self.wrong("number", "numbers start at 1", number.span)
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
                self.wrong("flag", f"{self.function.name} takes no {parameter}", word.span)
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
        values = [
            value for _, known, default in self._parameters() if default for value in known
        ]
        takes = f"takes {' '.join(values)}" if values else "takes a move and nothing else"
        swapped = {"EF": "FE", "AP": "PA"}.get(word.text.upper(), word.text.upper())
        hint = f"write {swapped}" if swapped in values else ""
        self.wrong("flag", f"{self.function.name} {takes}", word.span, hint)


def _move(function: Function, call: Call, text: str) -> MoveCall | list[Finding]:
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
        return _wrong("missing-move", f"{call.name} needs a move", span, hint)
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
    return _wrong("argument-order", "the move comes first", call.arguments[0].span, hint)


def _timed(call: Call, text: str) -> TimedCall | list[Finding]:
    match call.arguments:
        case (Number(value=0) as number, _):
            return _wrong("number", "moves are counted from 1", number.span)
        case (Number(value=value), move) if not isinstance(move, Name | Number):
            return TimedCall("atmove" if call.name == "atmove" else "ataction", value, move)
        case (Number() | Name() | _ as first, Number() as second) if text:
            hint = f"{call.name}({quote(text, second, first)})"
        case _:
            hint = f"{call.name}(1, 1×8d)"
    return _wrong("number-then-move", f"{call.name} takes a number, then a move", call.span, hint)


def _royal(call: Call, text: str) -> RoyalCall | list[Finding]:
    match call.arguments:
        case ():
            return RoyalCall("A")
        case (Name(text="A"),):
            return RoyalCall("A")
        case (Name(text="O"),):
            return RoyalCall("O")
        case (Name(), Name() as second, *_):
            return _wrong("repeated-argument", "royal takes one flag", second.span)
        case (Name(text=("a" | "o") as small) as flag, *_):
            return _wrong("flag", "royal takes A or O", flag.span, f"write {small.upper()}")
        case (Name() | Number() as flag, *_):
            return _wrong("flag", "royal takes A or O", flag.span)
        case (move, *_):
            hint = f"royal() & {quote(text, move)}" if text else ""
            return _wrong("flag", "royal takes A or O", move.span, hint)


def _promote(call: Call, text: str) -> PromoteCall | list[Finding]:
    condition, *rest = call.arguments or (None,)
    match condition:
        case Text(words=words) | Name(text=words):
            pass
        case _:
            span = condition.span if condition is not None else call.span
            moves = f", {quote(text, *call.arguments)}" if text and condition else ", n8d"
            hint = f"promote(//reach rank eight{moves})"
            return _wrong("promote-condition", "the condition comes first", span, hint)
    if not rest:
        hint = "name what it promotes to after the condition"
        return _wrong("promote-nothing", "no promotee", call.span, hint)
    findings: list[Finding] = []
    for promotee in rest:
        if isinstance(promotee, Name | Number):
            message = "a promotee is a move or a text"
            hint = f"//{quote(text, promotee)}" if text else ""
            findings += _wrong("promotee", message, promotee.span, hint)
    return findings or PromoteCall(words, _terms(rest))


def _iron(call: Call, text: str) -> IronCall | list[Finding]:
    if not call.arguments:
        return IronCall("", ())
    first, *rest = call.arguments
    for identifier in lexicon.IDENTIFIERS:
        if isinstance(first, Name) and first.text == identifier:
            break
    else:
        given = quote(text, *call.arguments[isinstance(first, Name | Number) :])
        moves = f", {given}" if given else ", n8d"
        hint = f"fe(inclusive{moves}) or fe(exclusive{moves})"
        return _wrong("fe-identifier", "inclusive or exclusive comes first", first.span, hint)
    if not rest and identifier == "inclusive":
        hint = "fe() for a piece nothing can capture"
        return _wrong("fe-nothing", "no exceptions, so this says nothing", call.span, hint)
    findings: list[Finding] = []
    for exception in rest:
        if isinstance(exception, Name | Number):
            message = "an exception is a move or a text"
            hint = f"//{quote(text, exception)}" if text else ""
            findings += _wrong("fe-exception", message, exception.span, hint)
    return findings or IronCall(identifier, _terms(rest))


def _size(call: Call) -> SizeCall | list[Finding]:
    match call.arguments:
        case (Number(value=x),) if x:
            return SizeCall(x, x)
        case (Number(value=x), Number(value=y)) if x and y:
            return SizeCall(x, y)
        case (Number(), Number()) | (Number(),):
            message = "sizes start at 1"
        case _:
            message = "sz takes one or two numbers"
    return _wrong("size", message, call.span, "sz(2) or sz(2, 3)")


def _declaration(call: Call) -> DeclareCall | list[Finding]:
    match call.arguments:
        case (Name(optional=False) as name, *parameters):
            pass
        case _:
            hint = "function(spin, range)"
            return _wrong("declaration", "a declaration starts with a name", call.span, hint)
    if name.text in lexicon.RESERVED:
        hint = "choose another name"
        return _wrong("redeclared", f"{name.text} is built in", name.span, hint)
    seen: set[str] = set()
    findings: list[Finding] = []
    for parameter in parameters:
        if not isinstance(parameter, Name):
            findings += _wrong("declaration", "parameters are names", parameter.span)
        elif parameter.text in seen:
            message = f"the parameter {parameter.text} stands twice"
            findings += _wrong("repeated-argument", message, parameter.span)
        else:
            seen.add(parameter.text)
    names = tuple(parameter for parameter in parameters if isinstance(parameter, Name))
    return findings or DeclareCall(name.text, names)


def _inf(call: Call) -> InfCall | list[Finding]:
    match call.arguments:
        case (Number(value=0), Number(value=0)):
            message, hint = "the box holds no other square", "INF(1, 1)"
        case (Number(value=x), Number(value=y)):
            return InfCall(x, y)
        case (Number(value=x),):
            message, hint = "INF takes two numbers", f"INF({x}, {x})"
        case _:
            message, hint = "INF takes two numbers", "INF(2, 2)"
    return _wrong("inf-numbers", message, call.span, hint)


def _terms(given: Iterable[Argument]) -> tuple[Term, ...]:
    return tuple(argument for argument in given if not isinstance(argument, Name | Number))

"""What calls say: their arguments typed, what is wrong with them, and calls in their shortest form.

Every family of functions has one shape, with defaults filled in. In functions of a move the move
comes first, then flags and a number in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.lexicon import Function, Greed, MoveName, Side, When, nearest
from alfil.notation.hasinu.nodes import (
    Argument,
    Call,
    Group,
    HasinuTerm,
    Name,
    Number,
    Text,
    is_hole,
    is_move,
    moves_in,
)
from alfil.source import Span


@dataclass(frozen=True, slots=True)
class MoveCall:
    """A function of a move: ``m c j nj i rpg im burn``.

    Flags are "" where the function takes none; ``number`` None is no limit.
    """

    name: MoveName
    move: HasinuTerm
    side: Side = ""
    when: When = ""
    greed: Greed = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class TimedCall:
    """``atmove(number, move)`` or ``ataction(number, move)``."""

    name: Literal["atmove", "ataction"]
    number: int
    move: HasinuTerm


@dataclass(frozen=True, slots=True)
class RoyalCall:
    """``royal``: all royals of a side must survive ("A"), or one of them ("O")."""

    survive: Literal["A", "O"]


@dataclass(frozen=True, slots=True)
class PromoteCall:
    """``promote``: the condition in words; promotees are texts (names of pieces) or moves."""

    condition: str
    promotees: tuple[HasinuTerm, ...]


@dataclass(frozen=True, slots=True)
class IronCall:
    """``fe``: "" nothing captures it; else the exceptions are the illegal or the only captures."""

    identifier: Literal["", "inclusive", "exclusive"]
    exceptions: tuple[HasinuTerm, ...]


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
    """The typed view of a call that was read; ValueError for one that `arguments` refuses.

    >>> bind(Call("sz", (Number(2),)))
    SizeCall(width=2, height=2)
    """
    bound = arguments(call)
    if isinstance(bound, list):
        raise ValueError(bound[0].message)
    return bound


def arguments(call: Call, text: str = "") -> Bound | list[Finding]:
    """The typed view of a call, or what is wrong with its arguments.

    ``text`` is the text the spans count in; hints quote from it.
    """
    if lexicon.known(call.name) is None or any(map(is_hole, call.arguments)):
        return ForeignCall(call.name, call.arguments)
    numbers = [part.span for part in call.arguments if isinstance(part, Number)] if text else ()
    wrong = [found for start, end in numbers for found in padded(text[start:end], Span(start, end))]
    if wrong:
        return wrong
    name = lexicon.MEMBERS.get(call.name)
    return _move_call(name, call, text) if name else _READINGS[call.name](call, text)


def quote(text: str, *nodes: Argument) -> str:
    """The nodes as the user wrote them, with commas between."""
    return ", ".join(text[node.span.start : node.span.end] for node in nodes)


def _wrong(kind: str, message: str, span: Span, hint: str = "") -> list[Finding]:
    return [Finding(kind, message, (span,), hint)]


def padded(number: str, span: Span, instead: str = "write a smaller number") -> list[Finding]:
    """What is wrong with a number that has leading zeros or is too large."""
    if number[0] == "0" and len(number) > 1:
        hint = f"write {number.lstrip('0') or '0'}"
        return _wrong("leading-zero", "no leading zeros", span, hint)
    if lexicon.value(number) > lexicon.LARGEST_NUMBER:
        message = f"numbers are at most {lexicon.LARGEST_NUMBER}"
        return _wrong("number", message, span, instead)
    return []


@dataclass(slots=True)
class _Slots:
    """The arguments of a function of a move, by kind, as they are found."""

    function: Function
    text: str
    move: HasinuTerm | None = None
    flags: dict[str, str] = field(default_factory=dict)
    number: int | None = None
    findings: list[Finding] = field(default_factory=list)

    def put(self, argument: Argument) -> None:
        """Keeps an argument, or notes what is wrong with it."""
        match argument:
            case Number():
                self.findings += self._put_number(argument)
            case Name():
                self.findings += self._put_word(argument)
            case _:
                self.findings += self._put_move(argument)

    def _put_move(self, term: HasinuTerm) -> list[Finding]:
        """The move; only one."""
        if self.move is None:
            self.move = term
            return []
        name = self.function.name
        both = " & ".join(quote(self.text, move) for move in (self.move, term))
        hint = f"{name}({both})" if self.text else ""
        return _wrong("repeated-argument", f"two moves for {name}", term.span, hint)

    def _put_number(self, number: Number) -> list[Finding]:
        """The number; only one, and only where the function takes one."""
        if not self.function.counts:
            message = f"{self.function.name} takes no number"
            return _wrong("number", message, number.span, "leave it out")
        if not number.value:
            return _wrong("number", "numbers start at 1", number.span, "leave it out for no limit")
        if self.number is not None:
            return _wrong("repeated-argument", "two numbers", number.span, "leave one out")
        self.number = number.value
        return []

    def _put_word(self, word: Name) -> list[Finding]:
        """A flag: of a parameter that the function has, and only one for each."""
        for parameter, values, default in self._parameters():
            flag = values.get(word.text)
            if flag is None:
                continue
            if not default:
                message = f"{self.function.name} takes no {parameter}"
                return _wrong("flag", message, word.span, "leave it out")
            if parameter in self.flags:
                both = {"side": "FE", "time": "PA"}.get(parameter)
                hint = f"{both} means both" if both else "leave one out"
                message = f"{parameter} given twice" if not both else f"two {parameter}s"
                return _wrong("repeated-argument", message, word.span, hint)
            self.flags[parameter] = flag
            return []
        return self._unknown(word)

    def _parameters(self) -> tuple[tuple[str, Mapping[str, str], str], ...]:
        function = self.function
        return (
            ("side", lexicon.SIDES, function.side),
            ("time", lexicon.WHENS, function.when),
            ("greed", lexicon.GREEDS, function.greed),
        )

    def _unknown(self, word: Name) -> list[Finding]:
        taken = [
            flag for _, known, default in self._parameters() if default for flag in known.items()
        ]
        values = [word for word, flag in taken if word == flag]
        takes = f"takes {' '.join(values)}" if values else "takes a move and nothing else"
        swapped = {"EF": "FE", "AP": "PA"}.get(word.text.upper(), word.text.upper())
        long = [word for word, flag in taken if word != flag]
        meant = swapped if swapped in values else nearest(word.text, long)
        hint = f"write {meant}" if meant else "leave it out"
        return _wrong("flag", f"{self.function.name} {takes}", word.span, hint)


def _move_call(name: MoveName, call: Call, text: str) -> MoveCall | list[Finding]:
    """A call of a function of a move."""
    late = _late_move(call, text)
    if late:
        return late
    function = lexicon.FUNCTIONS[name]
    slots = _Slots(function, text)
    for argument in call.arguments:
        slots.put(argument)
    if slots.findings:
        return slots.findings
    if slots.move is None:
        span = Span(call.name_span.end, call.span.end)
        hint = f"put a move into the brackets: {call.name}(1×8d)"
        return _wrong("missing-move", f"{call.name} needs a move", span, hint)
    flags = slots.flags
    return MoveCall(
        name,
        slots.move,
        lexicon.SIDES.get(flags.get("side", ""), function.side),
        lexicon.WHENS.get(flags.get("time", ""), function.when),
        lexicon.GREEDS.get(flags.get("greed", ""), function.greed),
        slots.number,
    )


def _late_move(call: Call, text: str) -> list[Finding]:
    moves = moves_in(call.arguments)
    if not moves or call.arguments[0] is moves[0]:
        return []
    others = [item for item in call.arguments if item is not moves[0]]
    hint = f"{call.name}({quote(text, moves[0], *others)})" if text else ""
    return _wrong("argument-order", "the move comes first", call.arguments[0].span, hint)


def _timed(call: Call, text: str) -> TimedCall | list[Finding]:
    match call.arguments:
        case (Number(value=0) as number, _):
            return _wrong("number", "moves are counted from 1", number.span, "write 1")
        case (Number(value=value), move) if is_move(move):
            return TimedCall("atmove" if call.name == "atmove" else "ataction", value, move)
        case (Number() | Name() | _ as first, Number() as second) if text:
            hint = f"{call.name}({quote(text, second, first)})"
        case (first,) if text and is_move(first):
            hint = f"{call.name}(1, {quote(text, first)})"
        case (Number() as number, *_):
            hint = f"{call.name}({number.value or 1}, 1×8d)"
        case _:
            hint = f"{call.name}(1, 1×8d)"
    return _wrong("number-then-move", f"{call.name} takes a number, then a move", call.span, hint)


def _royal(call: Call, text: str) -> RoyalCall | list[Finding]:
    match call.arguments:
        case () | (Name(text="A"),):
            return RoyalCall("A")
        case (Name(text="O"),):
            return RoyalCall("O")
        case (Name(), Name() as second, *_):
            hint = "royal() or royal(O)"
            return _wrong("repeated-argument", "royal takes one flag", second.span, hint)
        case (Name(text=("a" | "o") as small) as flag, *_):
            return _wrong("flag", "royal takes A or O", flag.span, f"write {small.upper()}")
        case (Name() | Number() as flag, *_):
            return _wrong("flag", "royal takes A or O", flag.span, "royal() or royal(O)")
        case _:
            move = call.arguments[0]
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
        hint = f"promote({quote(text, *call.arguments)}, n8d)" if text else ""
        return _wrong("promote-nothing", "no promotee", call.span, hint)
    findings = _unnamed(rest, "promotee", "a promotee", text)
    return findings or PromoteCall(words, moves_in(rest))


def _unnamed(given: Sequence[Argument], kind: str, noun: str, text: str) -> list[Finding]:
    """Numbers and words where moves and texts belong."""
    findings: list[Finding] = []
    for argument in given:
        if not is_move(argument):
            hint = f"//{quote(text, argument)}" if text else ""
            findings += _wrong(kind, f"{noun} is a move or a text", argument.span, hint)
    return findings


def _iron(call: Call, text: str) -> IronCall | list[Finding]:
    if not call.arguments:
        return IronCall("", ())
    first, *rest = call.arguments
    for identifier in lexicon.IDENTIFIERS:
        if isinstance(first, Name) and first.text == identifier:
            break
    else:
        hint = _with_identifier(call, text)
        return _wrong("fe-identifier", "inclusive or exclusive comes first", first.span, hint)
    if not rest and identifier == "inclusive":
        hint = "fe() for a piece nothing can capture"
        return _wrong("fe-nothing", "no exceptions, so this says nothing", call.span, hint)
    findings = _unnamed(rest, "fe-exception", "an exception", text)
    # Nothing may capture it but the exceptions, of which there are none.
    return findings or IronCall(identifier if rest else "", moves_in(rest))


def _with_identifier(call: Call, text: str) -> str:
    """The call with the identifier in front: the one that was meant, or either."""
    words = [part.text for part in call.arguments if isinstance(part, Name)]
    moves = moves_in(call.arguments)
    given = quote(text, *moves) if text and moves else "n8d"
    meant = [near for word in words if (near := nearest(word, lexicon.IDENTIFIERS))]
    return " or ".join(f"fe({each}, {given})" for each in meant[:1] or lexicon.IDENTIFIERS)


def _size(call: Call, _: str) -> SizeCall | list[Finding]:
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


def _declaration(call: Call, _: str) -> DeclareCall | list[Finding]:
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
            hint = f"function({name.text}, range)"
            findings += _wrong("declaration", "parameters are names", parameter.span, hint)
        elif parameter.text in seen:
            message = f"the parameter {parameter.text} stands twice"
            findings += _wrong("repeated-argument", message, parameter.span, "leave one out")
        else:
            seen.add(parameter.text)
    names = tuple(parameter for parameter in parameters if isinstance(parameter, Name))
    return findings or DeclareCall(name.text, names)


def _inf(call: Call, _: str) -> InfCall | list[Finding]:
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


_READINGS: dict[str, Callable[[Call, str], Bound | list[Finding]]] = {
    "atmove": _timed,
    "ataction": _timed,
    "royal": _royal,
    "promote": _promote,
    "fe": _iron,
    "sz": _size,
    "function": _declaration,
    "INF": _inf,
}


def short(term: HasinuTerm) -> HasinuTerm:
    """A call or group as short as it can be written; every other term as it is.

    Flags are short, defaults gone, arguments in the order of the table; ``rifle`` is ``i``. Calls
    with wrong arguments stay.

    >>> from alfil.notation.hasinu.nodes import Oblique
    >>> short(Call("rifle", (Oblique((1, 2)), Name("passive"), Name("E")))).arguments[1:]
    (Name(text='P', optional=False),)
    """
    match term:
        case Call():
            return _short_call(term)
        case Group(names=names) if any(name.text in lexicon.ALIASES for name in names):
            known = (lexicon.ALIASES.get(name.text, name.text) for name in names)
            plain = (replace(name, text=text) for name, text in zip(names, known, strict=True))
            return replace(term, names=tuple(plain))
        case _:
            return term


def _short_call(call: Call) -> Call:
    given: tuple[Argument, ...] = call.arguments
    match arguments(call):
        case MoveCall() as bound:
            given = tuple(_shortest_flags(bound, call))
        case RoyalCall(survive="A") | IronCall(exceptions=()):
            given = ()
        case SizeCall(width=width, height=height) if width == height:
            given = given[:1]
        case list():
            return call
    name = lexicon.ALIASES.get(call.name, call.name)
    if name == call.name and given == call.arguments:
        return call
    return replace(call, name=name, arguments=given)


def _shortest_flags(bound: MoveCall, call: Call) -> Iterator[Argument]:
    function = lexicon.FUNCTIONS[bound.name]
    words = [argument for argument in call.arguments if isinstance(argument, Name)]
    flags = {**lexicon.SIDES, **lexicon.WHENS, **lexicon.GREEDS}
    spans = {flags[word.text]: word.span for word in words}
    yield bound.move
    for flag, default in (
        (bound.side, function.side),
        (bound.when, function.when),
        (bound.greed, function.greed),
    ):
        if flag != default:
            yield Name(flag, span=spans[flag])
    yield from (argument for argument in call.arguments if isinstance(argument, Number))

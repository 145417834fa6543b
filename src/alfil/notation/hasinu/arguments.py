"""What the arguments of a call mean, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.bound import (
    Bound,
    DeclareCall,
    ForeignCall,
    InfCall,
    IronCall,
    PromoteCall,
    RoyalCall,
    SizeCall,
    TimedCall,
)
from alfil.notation.hasinu.builder import is_hole
from alfil.notation.hasinu.flags import move_call, quote, wrong
from alfil.notation.hasinu.lexicon import nearest
from alfil.notation.hasinu.nodes import Argument, Call, HasinuTerm, Name, Number, Text


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
    reading = _READINGS.get(function.name)
    return move_call(function, call, text) if reading is None else reading(call, text)


def _padded(call: Call) -> list[Finding]:
    """Numbers among the arguments that have leading zeros or are too large."""
    findings: list[Finding] = []
    for number in call.arguments:
        if not isinstance(number, Number):
            continue
        length = number.span.end - number.span.start
        if number.value > lexicon.LARGEST_NUMBER:
            message = f"numbers are at most {lexicon.LARGEST_NUMBER}"
            findings += wrong("number", message, number.span, "write a smaller number")
        elif length > len(str(number.value)):
            findings += wrong(
                "leading-zero", "no leading zeros", number.span, f"write {number.value}"
            )
    return findings


def _timed(call: Call, text: str) -> TimedCall | list[Finding]:
    match call.arguments:
        case (Number(value=0) as number, _):
            return wrong("number", "moves are counted from 1", number.span, "write 1")
        case (Number(value=value), move) if not isinstance(move, Name | Number):
            return TimedCall("atmove" if call.name == "atmove" else "ataction", value, move)
        case (Number() | Name() | _ as first, Number() as second) if text:
            hint = f"{call.name}({quote(text, second, first)})"
        case (first,) if text and not isinstance(first, Name | Number):
            hint = f"{call.name}(1, {quote(text, first)})"
        case (Number() as number, *_):
            hint = f"{call.name}({number.value or 1}, 1×8d)"
        case _:
            hint = f"{call.name}(1, 1×8d)"
    return wrong("number-then-move", f"{call.name} takes a number, then a move", call.span, hint)


def _royal(call: Call, text: str) -> RoyalCall | list[Finding]:
    match call.arguments:
        case ():
            return RoyalCall("A")
        case (Name(text="A"),):
            return RoyalCall("A")
        case (Name(text="O"),):
            return RoyalCall("O")
        case (Name(), Name() as second, *_):
            hint = "royal() or royal(O)"
            return wrong("repeated-argument", "royal takes one flag", second.span, hint)
        case (Name(text=("a" | "o") as small) as flag, *_):
            return wrong("flag", "royal takes A or O", flag.span, f"write {small.upper()}")
        case (Name() | Number() as flag, *_):
            return wrong("flag", "royal takes A or O", flag.span, "royal() or royal(O)")
        case _:
            move = call.arguments[0]
            hint = f"royal() & {quote(text, move)}" if text else ""
            return wrong("flag", "royal takes A or O", move.span, hint)


def _promote(call: Call, text: str) -> PromoteCall | list[Finding]:
    condition, *rest = call.arguments or (None,)
    match condition:
        case Text(words=words) | Name(text=words):
            pass
        case _:
            span = condition.span if condition is not None else call.span
            moves = f", {quote(text, *call.arguments)}" if text and condition else ", n8d"
            hint = f"promote(//reach rank eight{moves})"
            return wrong("promote-condition", "the condition comes first", span, hint)
    if not rest:
        hint = f"promote({quote(text, *call.arguments)}, n8d)" if text else ""
        return wrong("promote-nothing", "no promotee", call.span, hint)
    findings: list[Finding] = []
    for promotee in rest:
        if isinstance(promotee, Name | Number):
            message = "a promotee is a move or a text"
            hint = f"//{quote(text, promotee)}" if text else ""
            findings += wrong("promotee", message, promotee.span, hint)
    return findings or PromoteCall(words, _terms(rest))


def _iron(call: Call, text: str) -> IronCall | list[Finding]:
    if not call.arguments:
        return IronCall("", ())
    first, *rest = call.arguments
    for identifier in lexicon.IDENTIFIERS:
        if isinstance(first, Name) and first.text == identifier:
            break
    else:
        hint = _with_identifier(call, text)
        return wrong("fe-identifier", "inclusive or exclusive comes first", first.span, hint)
    if not rest and identifier == "inclusive":
        hint = "fe() for a piece nothing can capture"
        return wrong("fe-nothing", "no exceptions, so this says nothing", call.span, hint)
    findings: list[Finding] = []
    for exception in rest:
        if isinstance(exception, Name | Number):
            message = "an exception is a move or a text"
            hint = f"//{quote(text, exception)}" if text else ""
            findings += wrong("fe-exception", message, exception.span, hint)
    # Nothing may capture it but the exceptions, of which there are none.
    return findings or IronCall(identifier if rest else "", _terms(rest))


def _with_identifier(call: Call, text: str) -> str:
    """The call with the identifier in front: the one that was meant, or either."""
    words = [part.text for part in call.arguments if isinstance(part, Name)]
    moves = [part for part in call.arguments if not isinstance(part, Name | Number)]
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
    return wrong("size", message, call.span, "sz(2) or sz(2, 3)")


def _declaration(call: Call, _: str) -> DeclareCall | list[Finding]:
    match call.arguments:
        case (Name(optional=False) as name, *parameters):
            pass
        case _:
            hint = "function(spin, range)"
            return wrong("declaration", "a declaration starts with a name", call.span, hint)
    if name.text in lexicon.RESERVED:
        hint = "choose another name"
        return wrong("redeclared", f"{name.text} is built in", name.span, hint)
    seen: set[str] = set()
    findings: list[Finding] = []
    for parameter in parameters:
        if not isinstance(parameter, Name):
            hint = f"function({name.text}, range)"
            findings += wrong("declaration", "parameters are names", parameter.span, hint)
        elif parameter.text in seen:
            message = f"the parameter {parameter.text} stands twice"
            findings += wrong("repeated-argument", message, parameter.span, "leave one out")
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
    return wrong("inf-numbers", message, call.span, hint)


def _terms(given: Iterable[Argument]) -> tuple[HasinuTerm, ...]:
    return tuple(argument for argument in given if not isinstance(argument, Name | Number))


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

"""What calls say: what is wrong with their arguments, and calls in their shortest form.

Functions of a move have one shape, with defaults filled in; others are as they were written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from alfil.errors import Diagnostic
from alfil.geometry import MAX_WALK_LENGTH
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.lexicon import (
    ActivationFlag,
    Function,
    GreedFlag,
    MoveName,
    SideFlag,
    make_diagnostic,
    nearest_name,
)
from alfil.source import Span


@dataclass(frozen=True, slots=True)
class MoveCall:
    """A function of a move: ``m c j nj i rpg im burn``.

    Flags are "" where the function takes none; ``number`` None is no limit.
    """

    name: MoveName
    move: nodes.HasinuTerm
    side: SideFlag = ""
    when: ActivationFlag = ""
    greed: GreedFlag = ""
    number: int | None = None


CallErrors: TypeAlias = list[Diagnostic]
_FLAG_TABLES = (lexicon.SIDE_FLAGS, lexicon.ACTIVATION_FLAGS, lexicon.GREED_FLAGS)
# What is said of a parameter that is given twice.
_ERROR_OF_REPEATED_FLAG = {"side": "two-sides", "time": "two-times", "greed": "two-greeds"}


def as_move_call(call: nodes.Call) -> MoveCall | nodes.Call:
    """The view of a call that was read; ValueError for one that `check_arguments` refuses.

    >>> as_move_call(nodes.Call("m", (nodes.Radial(nodes.Distance(()), ((0, 1),)),))).name
    'm'
    """
    bound = check_arguments(call)
    if isinstance(bound, list):
        raise ValueError(bound[0].message)
    return bound


def check_arguments(call: nodes.Call, text: str = "") -> MoveCall | nodes.Call | CallErrors:
    """A call of a function of a move typed, any other as it is; or what is wrong with it.

    ``text`` is the text the spans count in; hints quote from it. Nothing more is said of a call
    in which a mistake has been reported.
    """
    if any(map(nodes.is_error_placeholder, call.arguments)):
        return []
    if lexicon.builtin_function(call.name) is None:
        return call
    numbers = (
        [part.span for part in nodes.arguments_of_type(call.arguments, nodes.Number)]
        if text
        else ()
    )
    wrong = [
        each for start, end in numbers for each in number_errors(text[start:end], Span(start, end))
    ]
    if wrong:
        return wrong
    name = lexicon.GROUPABLE_FUNCTIONS.get(call.name)
    return _check_move_call(name, call, text) if name else _CHECKS[call.name](call, text) or call


def source_text_of(text: str, *parts: nodes.Argument) -> str:
    """The nodes as the user wrote them, with commas between."""
    return ", ".join(text[part.span.start : part.span.end] for part in parts)


def number_errors(
    number: str, span: Span, instead: str = "write a smaller number"
) -> list[Diagnostic]:
    """What is wrong with a number that has leading zeros or is too large.

    Nothing more is said of another sign, such as ², that was read as a digit after an error.
    """
    if not (number.isascii() and number.isdigit()):
        return []
    if number[0] == "0" and len(number) > 1:
        return [make_diagnostic("leading-zero", span, number=number.lstrip("0") or "0")]
    if lexicon.parse_number(number) > lexicon.LARGEST_NUMBER:
        return [make_diagnostic("too-large", span, most=lexicon.LARGEST_NUMBER, instead=instead)]
    return []


def _check_move_call(name: MoveName, call: nodes.Call, text: str) -> MoveCall | CallErrors:
    """A call of a function of a move: its move first, then flags and a number in any order."""
    function = lexicon.FUNCTIONS[name]
    moves = nodes.moves_in(call.arguments)
    if moves and call.arguments[0] is not moves[0]:
        others = [item for item in call.arguments if item is not moves[0]]
        ordered = f"{call.name}({source_text_of(text, moves[0], *others)})"
        return [make_diagnostic("move-first", call.arguments[0].span, call=ordered)]
    diagnostics: list[Diagnostic] = []
    for term in moves[1:]:
        first, second = source_text_of(text, moves[0]), source_text_of(text, term)
        diagnostics.append(
            make_diagnostic("two-moves", term.span, name=name, first=first, second=second)
        )
    numbers = nodes.arguments_of_type(call.arguments, nodes.Number)
    diagnostics += _check_numbers(function, numbers)
    flags: dict[str, str] = {}
    for word in nodes.arguments_of_type(call.arguments, nodes.Name):
        diagnostics += _check_and_store_flag(function, word, flags)
    if not moves:
        span = Span(call.name_span.end, call.span.end)
        diagnostics = diagnostics or [make_diagnostic("no-move", span, name=call.name)]
        words = nodes.arguments_of_type(call.arguments, nodes.Name)
        diagnostics = [_word_for_move_diagnostic(each, words, function) for each in diagnostics]
    return diagnostics or MoveCall(
        name,
        moves[0],
        lexicon.SIDE_FLAGS.get(flags.get("side", ""), function.side),
        lexicon.ACTIVATION_FLAGS.get(flags.get("time", ""), function.when),
        lexicon.GREED_FLAGS.get(flags.get("greed", ""), function.greed),
        numbers[0].value if numbers else None,
    )


def _word_for_move_diagnostic(
    diagnostic: Diagnostic, words: Sequence[nodes.Name], function: Function
) -> Diagnostic:
    """What is wrong with a call that has no move, where a word stands for it that is no flag."""
    word = next((each for each in words if (each.span,) == diagnostic.spans), None)
    if word is None or any(word.text in each for each in _FLAG_TABLES):
        return diagnostic
    return make_diagnostic("word-for-move", word.span, word=word.text, usage=function.usage)


def _check_numbers(function: Function, numbers: Sequence[nodes.Number]) -> Iterator[Diagnostic]:
    """What is wrong with numbers: only one, and only where the function takes one."""
    taken = False
    for number in numbers:
        if not function.counts:
            yield make_diagnostic("no-number", number.span, name=function.name)
        elif not number.value:
            yield make_diagnostic("number-zero", number.span)
        elif taken:
            yield make_diagnostic("two-numbers", number.span)
        taken = taken or number.value > 0


def _check_and_store_flag(
    function: Function, word: nodes.Name, flags: dict[str, str]
) -> CallErrors:
    """Notes a flag: of a parameter that the function has, and only one for each."""
    known: tuple[tuple[str, Mapping[str, str], str], ...] = (
        ("side", lexicon.SIDE_FLAGS, function.side),
        ("time", lexicon.ACTIVATION_FLAGS, function.when),
        ("greed", lexicon.GREED_FLAGS, function.greed),
    )
    for parameter, values, default in known:
        if word.text not in values:
            continue
        if not default:
            return [
                make_diagnostic("no-parameter", word.span, name=function.name, parameter=parameter)
            ]
        if parameter in flags:
            return [make_diagnostic(_ERROR_OF_REPEATED_FLAG[parameter], word.span)]
        flags[parameter] = word.text
        return []
    taken = [flag for _, values, default in known if default for flag in values.items()]
    short = [long for long, flag in taken if long == flag]
    takes = f"takes {' '.join(short)}" if short else "takes a move and nothing else"
    upper = word.text.upper()
    swapped = {"EF": "FE", "AP": "PA"}.get(upper, upper)
    meant = (
        swapped
        if swapped in short
        else nearest_name(word.text, [k for k, flag in taken if k != flag])
    )
    wrong = "like-flag" if meant else "unknown-flag"
    return [make_diagnostic(wrong, word.span, name=function.name, takes=takes, meant=meant)]


def _check_timed(call: nodes.Call, text: str) -> CallErrors:
    match call.arguments:
        case (nodes.Number(value=0) as number, _):
            return [make_diagnostic("move-zero", number.span)]
        case (nodes.Number(), move) if nodes.is_move(move):
            return []
        case (nodes.Number(), move, nodes.Name(text=lexicon.TURN_KEYWORD)) if (
            nodes.is_move(move) and call.name == "atmove"
        ):
            return []
        case (first, nodes.Number() as second):
            arguments_given = source_text_of(text, second, first)
        case (first,) if nodes.is_move(first):
            arguments_given = f"1, {source_text_of(text, first)}"
        case (nodes.Number() as number, *_):
            arguments_given = f"{number.value or 1}, 1×8d"
        case _:
            arguments_given = "1, 1×8d"
    return [make_diagnostic("number-then-move", call.span, name=call.name, given=arguments_given)]


def _check_royal(call: nodes.Call, text: str) -> CallErrors:
    match call.arguments:
        case (nodes.Name(), nodes.Name() as second, *_):
            return [make_diagnostic("two-flags", second.span)]
        case (nodes.Name(text=("a" | "o") as small) as flag, *_):
            return [make_diagnostic("royal-small", flag.span, meant=small.upper())]
        case (nodes.Name(text=other) as flag, *_) if other not in {"A", "O"}:
            return [make_diagnostic("royal-flag", flag.span)]
        case (nodes.Number() as number, *_):
            return [make_diagnostic("royal-flag", number.span)]
        case (move, *_) if nodes.is_move(move):
            return [make_diagnostic("royal-move", move.span, move=source_text_of(text, move))]
        case _:
            return []


def _check_promote(call: nodes.Call, text: str) -> CallErrors:
    condition, *rest = call.arguments or (None,)
    is_told = isinstance(condition, nodes.Text | nodes.Name)
    if condition is None or not (is_told or (rest and nodes.is_move(condition))):
        span = condition.span if condition is not None else call.span
        moves = source_text_of(text, *call.arguments) if condition else "n8d"
        return [make_diagnostic("condition-first", span, moves=moves)]
    if not rest:
        return [make_diagnostic("no-promotee", call.span, given=source_text_of(text, condition))]
    return _check_piece_arguments(rest, "promotee", text)


def _check_piece_arguments(
    arguments_given: Sequence[nodes.Argument], diagnostic_name: str, text: str
) -> CallErrors:
    """Numbers and words where moves and texts belong."""
    words = [argument for argument in arguments_given if not nodes.is_move(argument)]
    return [
        make_diagnostic(diagnostic_name, word.span, given=source_text_of(text, word))
        for word in words
    ]


def _check_iron(call: nodes.Call, text: str) -> CallErrors:
    match call.arguments:
        case ():
            return []
        case (nodes.Name(text="inclusive"),):
            return [make_diagnostic("no-exceptions", call.span)]
        case (nodes.Name(text="inclusive" | "exclusive"), *rest):
            return _check_piece_arguments(rest, "exception", text)
    # The identifier in front: the one that was meant, or either.
    moves = nodes.moves_in(call.arguments)
    arguments_given = source_text_of(text, *moves) if moves else "n8d"
    words = [word.text for word in nodes.arguments_of_type(call.arguments, nodes.Name)]
    meant = [near for word in words if (near := nearest_name(word, lexicon.IRON_EXCEPTION_FLAGS))]
    wrong, near = ("like-identifier", meant[0]) if meant else ("no-identifier", "")
    return [make_diagnostic(wrong, call.arguments[0].span, given=arguments_given, meant=near)]


def _check_size(call: nodes.Call, _: str) -> CallErrors:
    match call.arguments:
        case (nodes.Number(), nodes.Number()) | (nodes.Number(),):
            if all(part.value for part in nodes.arguments_of_type(call.arguments, nodes.Number)):
                return []
            return [make_diagnostic("size-zero", call.span)]
        case _:
            return [make_diagnostic("size", call.span)]


def _check_declaration(call: nodes.Call, _: str) -> CallErrors:
    match call.arguments:
        case (nodes.Name(optional=False) as name, *parameters):
            pass
        case _:
            return [make_diagnostic("no-name", call.span)]
    if name.text in lexicon.RESERVED_NAMES:
        return [make_diagnostic("built-in", name.span, name=name.text)]
    seen: set[str] = set()
    diagnostics: list[Diagnostic] = []
    for parameter in parameters:
        if not isinstance(parameter, nodes.Name):
            diagnostics.append(make_diagnostic("no-parameter-name", parameter.span, name=name.text))
        elif parameter.text in seen:
            diagnostics.append(
                make_diagnostic("same-parameter", parameter.span, name=parameter.text)
            )
        else:
            seen.add(parameter.text)
    return diagnostics


def _check_inf(call: nodes.Call, _: str) -> CallErrors:
    match call.arguments:
        case (nodes.Number(value=0), nodes.Number(value=0), *_):
            return [make_diagnostic("empty-box", call.span)]
        case (nodes.Number(), nodes.Number()):
            return []
        case (nodes.Number(value=x), nodes.Number(value=y), nodes.Name(text=way)):
            if way not in lexicon.INF_READINGS:
                meant = nearest_name(way, lexicon.INF_READINGS) or lexicon.LION
                return [make_diagnostic("reading", call.arguments[2].span, reading=meant)]
            walked = way != lexicon.LEAPS and x and y and x != y
            if walked and max(x, y) > MAX_WALK_LENGTH:
                box = ", ".join(str(min(side, MAX_WALK_LENGTH)) for side in (x, y))
                return [
                    make_diagnostic("long-box", call.span, most=MAX_WALK_LENGTH, box=box, way=way)
                ]
            return []
        case (nodes.Number(value=width),) if width:
            return [make_diagnostic("box", call.span, width=width)]
        case _:
            return [make_diagnostic("box", call.span, width=2)]


_CHECKS: dict[str, Callable[[nodes.Call, str], CallErrors]] = {
    "atmove": _check_timed,
    "ataction": _check_timed,
    "royal": _check_royal,
    "promote": _check_promote,
    "fe": _check_iron,
    "sz": _check_size,
    "function": _check_declaration,
    "INF": _check_inf,
}


def shorten_term(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """A call or group as short as it can be written; every other term as it is.

    Flags are short, defaults gone, arguments in the order of the table; ``rifle`` is ``i``. Calls
    with wrong arguments stay.

    >>> knight, late, enemy = nodes.Oblique(((1, 2),)), nodes.Name("passive"), nodes.Name("E")
    >>> shorten_term(nodes.Call("rifle", (knight, late, enemy))).arguments[1:]
    (Name(text='P', optional=False),)
    """
    match term:
        case nodes.Call():
            return _shorten_call(term)
        case nodes.Group(names=names) if any(
            name.text in lexicon.FUNCTION_ALIASES for name in names
        ):
            known = (lexicon.FUNCTION_ALIASES.get(name.text, name.text) for name in names)
            plain = (replace(name, text=text) for name, text in zip(names, known, strict=True))
            return replace(term, names=tuple(plain))
        case _:
            return term


def _shorten_call(call: nodes.Call) -> nodes.Call:
    arguments_given = call.arguments
    match check_arguments(call):
        case list():
            return call
        case MoveCall() as bound:
            arguments_given = tuple(_shortest_arguments(bound, call))
        # Nothing may capture it but the exceptions, of which there are none.
        case nodes.Call("royal", (nodes.Name(text="A"),)) | nodes.Call("fe", (nodes.Name(),)):
            arguments_given = ()
        case nodes.Call("sz", (width, height)) if width == height:
            arguments_given = (width,)
        case nodes.Call("INF", (width, height, nodes.Name(text=lexicon.LEAPS))):
            arguments_given = (width, height)
    name = lexicon.FUNCTION_ALIASES.get(call.name, call.name)
    if name == call.name and arguments_given == call.arguments:
        return call
    return replace(call, name=name, arguments=arguments_given)


def _shortest_arguments(bound: MoveCall, call: nodes.Call) -> Iterator[nodes.Argument]:
    function = lexicon.FUNCTIONS[bound.name]
    flags = {**lexicon.SIDE_FLAGS, **lexicon.ACTIVATION_FLAGS, **lexicon.GREED_FLAGS}
    spans = {
        flags[word.text]: word.span for word in nodes.arguments_of_type(call.arguments, nodes.Name)
    }
    yield bound.move
    for flag, default in (
        (bound.side, function.side),
        (bound.when, function.when),
        (bound.greed, function.greed),
    ):
        if flag != default:
            yield nodes.Name(flag, span=spans[flag])
    yield from nodes.arguments_of_type(call.arguments, nodes.Number)

"""Functions that a caller or a piece file gives a meaning: a macro in Ħasínū, or Python.

A call that the text makes of them is kept in the tree as it was written. In the movement it is
replaced by what it stands for: `expand_functions`. A macro is read at each use, with its parameters
replaced: numbers and words as text, moves as calls that stand for them. What is wrong with it is an
error at the place of use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, NoReturn, TypeAlias

from alfil.errors import Diagnostic, MeaningError, NotationError, reject, require_type
from alfil.geometry import Vector
from alfil.movement.nodes import (
    Angle,
    Anywhere,
    Castling,
    Foreign,
    Leg,
    Movement,
    Node,
    Option,
    Repeat,
    Then,
    Way,
    Within,
    Words,
    either_of_ways,
    walk,
)
from alfil.notation.description import Description
from alfil.notation.hasinu import nodes
from alfil.notation.hasinu.lexicon import RESERVED_NAMES, make_diagnostic
from alfil.notation.hasinu.preprocess import TEXT_ENDS
from alfil.notation.hasinu.reader import read_hasinu
from alfil.notation.hasinu.resolve import as_leg_not_ending_at_start, resolve_hasinu
from alfil.notation.hasinu.semantic_checks import angle_errors
from alfil.source import Source, Span
from alfil.work_limit import charge

Argument: TypeAlias = int | str | Movement
# What a function makes of the arguments of a call.
FunctionHook: TypeAlias = Callable[..., Movement]
# Names with parameters, as in "spin(range, [FE])", and bodies; a Python function needs no more
# than its name. In order, so that pieces that have them can be compared.
Functions: TypeAlias = tuple[tuple[str, str | FunctionHook], ...]

_SIGNATURE = re.compile(r"\s*+([A-Za-z_]\w*+)\s*+(?:\(([^()]*+)\)\s*+)?", re.ASCII)
_PARAMETER = re.compile(r"\s*+(\[?)\s*+([A-Za-z_]\w*+)\s*+(\]?)\s*+", re.ASCII)
_WORD = re.compile(rf"//[^{TEXT_ENDS}]*|\\\S*|(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)")


def name_in_signature(signature: str) -> str:
    """The name that a signature defines; ValueError with what is wrong with it.

    >>> name_in_signature("spin(range, [FE])"), name_in_signature("mirror")
    ('spin', 'mirror')
    """
    match = _SIGNATURE.fullmatch(signature)
    if match is None:
        raise ValueError("a function is defined as name(parameter, [optional])")
    if match[1] in RESERVED_NAMES:
        raise ValueError(f"{match[1]} is built in")
    _parse_parameter_optionality(match[2])
    return match[1]


def _parse_parameter_optionality(parameter_list: str | None) -> dict[str, bool]:
    """The parameters and whether each may be left out."""
    result: dict[str, bool] = {}
    for part in (parameter_list or "").split(",") if (parameter_list or "").strip() else ():
        match = _PARAMETER.fullmatch(part)
        if match is None or bool(match[1]) != bool(match[3]) or match[2] in result:
            raise ValueError(f"{part.strip() or 'nothing'} is no new parameter")
        result[match[2]] = bool(match[1])
    return result


def _parameter_optionality(signature: str) -> dict[str, bool]:
    """The parameters of a signature that is in order, and whether each may be left out."""
    match = _SIGNATURE.fullmatch(signature)
    return _parse_parameter_optionality(match[2] if match else None)


def expand_functions(movement: Movement, functions: Functions, source: Source) -> Movement:
    """A movement with the calls of these functions replaced by what they stand for.

    Raises `MeaningError`, at the call, for wrong arguments, for what is wrong with what a function
    makes of them, for angles that its legs do not have, and where a condition or a fact comes to
    stand inside another move.

    >>> from alfil.movement.nodes import ONE_STEP
    >>> step = Movement((Option(Leg(((0, 1),), ONE_STEP)),))
    >>> call = Movement((Option(Foreign("twice", (step,))),))
    >>> made = expand_functions(call, (("twice(range)", "range &t0° range"),),
    ...  Source("twice(1×1dN)"))
    >>> type(made.options[0].way).__name__
    'Then'
    """
    definitions = {name_in_signature(key): (key, body) for key, body in functions}
    whole = _FunctionExpander(definitions, source).expand(movement)
    wrong = tuple(_impossible_angle_errors(whole))
    if wrong:
        raise MeaningError(wrong, source)
    return whole


def _impossible_angle_errors(movement: Movement) -> Iterator[Diagnostic]:
    """Angles that no directions of the legs around them have, now that these are known."""
    for then in walk(movement):
        if not isinstance(then, Then):
            continue
        turns = [*(join.turn for join in then.joins), then.onward]
        for turn, before, after in zip(
            turns, then.ways, (*then.ways[1:], then.ways[0]), strict=True
        ):
            if isinstance(turn, Angle) and turn.degrees:
                yield from angle_errors(
                    turn.degrees, turn.span, _all_leg_steps(before), _all_leg_steps(after)
                )


def _all_leg_steps(way: Way) -> set[Vector] | None:
    """All steps of the legs of a way, None where it has other parts."""
    parts = list(walk(way))
    if any(isinstance(part, Anywhere | Castling | Foreign | Words) for part in parts):
        return None
    return {step for part in parts if isinstance(part, Leg) for step in part.steps}


def check_definitions(functions: Mapping[str, str | FunctionHook]) -> tuple[Functions, set[str]]:
    """Functions in order, and their names; `NotationError` of kind "function-definition"."""
    names: set[str] = set()
    require_type(
        functions, Mapping, "functions are a mapping from names to texts or Python functions"
    )
    for signature, body in functions.items():
        require_type(signature, str, "a function has a name")
        if not callable(body):
            require_type(body, str, "a function is a text in Ħasínū or a Python function")
        try:
            names.add(name_in_signature(signature))
        except ValueError as error:
            source = Source(signature, "<function>")
            hint = "write spin(range, [number])"
            reject(NotationError, "function-definition", str(error), source, hint=hint)
    return tuple(sorted(functions.items(), key=lambda each: each[0])), names


def unused_argument_warnings(tree: Description, functions: Functions) -> tuple[Diagnostic, ...]:
    """Warnings at calls of what stands for words, and at arguments that it has no place for."""
    macros = {
        name_in_signature(key): (key, body) for key, body in functions if isinstance(body, str)
    }
    terms = [term for term in tree.terms if isinstance(term, nodes.HasinuTerm)]
    found_here: list[Diagnostic] = []
    for call in nodes.walk(terms):
        if not (isinstance(call, nodes.Call) and call.name in macros):
            continue
        signature, body = macros[call.name]
        if body.lstrip().startswith("//"):
            found_here.append(make_diagnostic("words-alone", call.span))
            continue
        used = {match[1] for match in _WORD.finditer(body)}
        for name, arguments in zip(_parameter_optionality(signature), call.arguments, strict=False):
            if name not in used:
                span = getattr(arguments, "span", call.span)
                found_here.append(
                    make_diagnostic("idle-argument", span, name=call.name, parameter=name)
                )
    return tuple(found_here)


class _FunctionExpander:
    """Replaces calls; ``calling`` are the functions that are being replaced."""

    def __init__(
        self,
        functions: Mapping[str, tuple[str, str | FunctionHook]],
        source: Source,
        calling: tuple[str, ...] = (),
    ) -> None:
        self._functions = functions
        self._source = source
        self._calling = calling

    def expand(self, movement: Movement) -> Movement:
        """A whole movement: a call that is a whole term may be several options, and facts."""
        options: list[Option] = []
        facts = [self._expand_node(fact, turning=False) for fact in movement.facts]
        for option in movement.options:
            rules: list[Within] = []
            way = option.way
            while isinstance(way, Within):
                rules.append(way)
                way = way.way
            if not (isinstance(way, Foreign) and way.name in self._functions):
                options.append(self._expand_node(option, turning=False))
                continue
            made = self._expand_call(way)
            for each in made.options:
                inner = each.way
                for rule in reversed(rules):
                    inner = replace(rule, way=inner)
                when, passer = (*option.when, *each.when), option.passer or each.passer
                options.append(replace(each, way=inner, when=when, passer=passer))
            around = (*option.when, *(rule.rule for rule in rules))
            facts += [replace(fact, within=(*around, *fact.within)) for fact in made.facts]
        return replace(movement, options=tuple(options), facts=tuple(facts))

    def _expand_node(self, node: Any, *, turning: bool) -> Any:  # noqa: ANN401 - any node, or a field
        """A node with the calls in it replaced; ``turning`` where a path may turn around it."""
        if isinstance(node, Foreign) and node.name in self._functions:
            return self._expand_call_as_way(node, turning=turning)
        if isinstance(node, Movement):
            return self.expand(node)
        if isinstance(node, tuple) and not isinstance(node, Span):
            return tuple([self._expand_node(each, turning=turning) for each in node])
        if not isinstance(node, Node) or isinstance(node, Leg):
            return node
        inside = turning or isinstance(node, Then | Repeat)
        held = {each.name: getattr(node, each.name) for each in fields(node)}
        new = {name: self._expand_node(each, turning=inside) for name, each in held.items()}
        changed = any(new[name] is not held[name] for name in held)
        return type(node)(**new) if changed else node

    def _expand_call_as_way(self, call: Foreign, *, turning: bool) -> Way:
        """A call inside a move as one way."""
        made = self._expand_call(call)
        whole = [one for one in made.options if one.when or one.passer]
        whole += [one for one in made.options if isinstance(one.way, Castling)]
        if made.facts or whole or not made.options:
            message = f"{call.name} makes no leg of this: it is a whole term"
            self._reject_call("not-a-leg", message, call, "give it a term of its own")
        way = either_of_ways([option.way for option in made.options], call.span)
        return as_leg_not_ending_at_start(way) if turning else way

    def _expand_call(self, call: Foreign) -> Movement:
        """What a call stands for, at its place in the text."""
        signature, body = self._functions[call.name]
        arguments: list[Argument] = [
            self.expand(each) if isinstance(each, Movement) else each for each in call.arguments
        ]
        if call.name in self._calling:
            hint = "a function cannot be defined by itself"
            self._reject_call("function-loop", f"{call.name} calls itself", call, hint)
        if isinstance(body, str):
            made = self._expand_macro(call, signature, body, arguments)
        else:
            made = self._call_hook(call, body, arguments)
        there: Movement = _replace_all_spans(made, call.span)
        return there

    def _call_hook(self, call: Foreign, hook: FunctionHook, arguments: list[Argument]) -> Movement:
        try:
            made = hook(*arguments)
        except (TypeError, ValueError) as error:
            hint = f"{call.name} is defined in Python"
            self._reject_call("function-arguments", f"{call.name}: {error}", call, hint)
        try:
            require_type(made, Movement, f"{call.name} gives a Movement")
            return made.checked()
        except TypeError as error:
            message = str(error)
        except NotationError as error:
            place, wrong = error.source.text, error.first_error.message
            message = f"{call.name} gives a Movement with something else at {place}: {wrong}"
        return self._reject_call(
            "function-result", message, call, f"{call.name} is defined in Python"
        )

    def _expand_macro(
        self, call: Foreign, signature: str, body: str, arguments: list[Argument]
    ) -> Movement:
        parameters = _parameter_optionality(signature)
        needed = sum(not optional for optional in parameters.values())
        if not needed <= len(arguments) <= len(parameters):
            message = f"{call.name} takes {' and '.join(parameters) or 'no arguments'}"
            usage = signature.strip() if parameters else f"{call.name}()"
            self._reject_call("function-arguments", message, call, f"write {usage}")
        put: dict[str, str] = dict.fromkeys(parameters, "")
        moves: dict[str, tuple[str, str | FunctionHook]] = {}
        for name, value in zip(parameters, arguments, strict=False):
            put[name] = f"_{name}()" if isinstance(value, Movement) else str(value)
            if isinstance(value, Movement):
                moves[f"_{name}"] = (f"_{name}", _hook_returning(value))
        text = _WORD.sub(lambda match: put.get(match[1] or "", match[0]), body)
        source = Source(text, self._source.name)
        try:
            inner = resolve_hasinu(read_hasinu(source)[0])
            within = {**self._functions, **moves}
            return _FunctionExpander(within, source, (*self._calling, call.name)).expand(inner)
        except (NotationError, MeaningError) as error:
            first = error.first_error
            message, hint = first.message, first.hint
            for name, value in zip(parameters, arguments, strict=False):
                if isinstance(value, Movement):
                    written = self._source.text[slice(*value.span)]
                    message = message.replace(f"_{name}()", written)
                    hint = hint.replace(f"_{name}()", written)
            message = f"{call.name} stands for {body}: {message}"
            self._reject_call(first.kind, message, call, hint)

    def _reject_call(self, kind: str, message: str, call: Foreign, hint: str) -> NoReturn:
        raise MeaningError([Diagnostic(kind, message, (call.span,), hint)], self._source) from None


def _hook_returning(movement: Movement) -> FunctionHook:
    return lambda: movement


def _replace_all_spans(node: Any, span: Span) -> Any:  # noqa: ANN401 - any node, or a field
    """A node with the span of a call on it and on all nodes in it."""
    if isinstance(node, Span):
        return span
    if isinstance(node, tuple):
        return tuple([_replace_all_spans(each, span) for each in node])
    if not isinstance(node, Node):
        return node
    # Functions of functions may double what they stand for at every level.
    charge(16)
    return type(node)(
        **{x.name: _replace_all_spans(getattr(node, x.name), span) for x in fields(node)}
    )

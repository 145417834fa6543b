"""The sources of the compiled body (`alfil.game.core`) as one program in C.

Their functions keep to what means the same in both languages: ints, arrays of them, loops over a
range or while something holds. Nothing else is translated: anything not known here is an error, so
that a source cannot come to mean one thing in Python and another in C. All files share one space of
names; what one imports from another is there in C as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

# The arrays, by the name of the parameter that all functions have for them.
ARRAYS = {
    "W": "const int64_t *restrict",
    "T": "const int32_t *restrict",
    "A": "const int32_t *restrict",
    "Z": "const uint8_t *restrict",
    "st": "int32_t *restrict",
    "sh": "uint8_t *restrict",
    "oc": "uint32_t *restrict",
    "mk": "int32_t *restrict",
    "mv": "int32_t *restrict",
    "wt": "int64_t *restrict",
    "ht": "int64_t *restrict",
    "out": "int64_t *restrict",
    "V": "const int32_t *restrict",
    "hs": "int32_t *restrict",
    "tt": "int64_t *restrict",
}
# Functions of the compiler.
BUILT_IN = {"popcount": "__builtin_popcountll", "lowest": "__builtin_ctzll"}
_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def to_c(sources: Iterable[str], public: frozenset[str]) -> str:
    """The program; all functions but the public ones are static.

    Raises `TypeError` for what cannot be translated, and where a name means two things.

    >>> print(to_c(["A = 3", "def f(T, x):\\n    return T[x] + A"], frozenset("f")).split("\\n")[4])
        return (T[x] + INT64_C(3));
    """
    body = [node for source in sources for node in ast.parse(source).body]
    constants = _constants(body)
    made = {
        node.name: _Function(node, constants, public).text()
        for node in body
        if isinstance(node, ast.FunctionDef) and node.name not in BUILT_IN
    }
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    if len(set(functions)) < len(functions):
        raise TypeError("two functions of the core have one name")
    heads = [head + ";" for head, _ in made.values()]
    bodies = [f"{head} {{\n{text}}}" for head, text in made.values()]
    return "\n".join(["#include <stdint.h>", *heads, "", *bodies, ""])


def _constants(body: list[ast.stmt]) -> dict[str, int]:
    """The names that the files give to ints, one by one or as a range."""
    found: dict[str, int] = {}
    for node in body:
        if not isinstance(node, ast.Assign):
            continue
        (target,) = node.targets
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        value = node.value
        if isinstance(value, ast.Call):
            values = [*range(*(_number(each, found) for each in value.args))]
        else:
            items = value.elts if isinstance(value, ast.Tuple) else [value]
            values = [_number(each, found) for each in items]
        for name, number in zip(names, values, strict=True):
            assert isinstance(name, ast.Name)
            if found.setdefault(name.id, number) != number:
                raise TypeError(f"{name.id} means two things")
    return found


def _number(node: ast.expr, known: dict[str, int]) -> int:
    match node:
        case ast.Constant(int(value)):
            return value
        case ast.Name(name):
            return known[name]
        case ast.UnaryOp(ast.USub(), operand):
            return -_number(operand, known)
        case _:
            raise TypeError(f"no constant: {ast.unparse(node)}")


class _Function:
    """One function on its way into C."""

    def __init__(
        self, node: ast.FunctionDef, constants: dict[str, int], public: frozenset[str]
    ) -> None:
        self._node = node
        self._constants = constants
        self._public = public
        self._parameters = [each.arg for each in node.args.args]
        stored = {
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        self._locals = sorted(stored - set(self._parameters))

    def text(self) -> tuple[str, str]:
        """The head and the body."""
        name = self._node.name
        given = ", ".join(f"{ARRAYS.get(each, 'int64_t')} {each}" for each in self._parameters)
        head = f"{'' if name in self._public else 'static '}int64_t {name}({given})"
        body = ""
        if self._locals:
            body = f"    int64_t {', '.join(f'{each} = 0' for each in self._locals)};\n"
        body += self._block(self._node.body, 1)
        if not isinstance(self._node.body[-1], ast.Return):
            body += "    return 0;\n"
        return head, body

    def _block(self, nodes: list[ast.stmt], depth: int) -> str:
        return "".join(self._statement(node, "    " * depth, depth) for node in nodes)

    def _statement(self, node: ast.stmt, pad: str, depth: int) -> str:
        inner = depth + 1
        match node:
            case ast.Expr(ast.Constant(str())):
                return ""
            case ast.Expr(value):
                return f"{pad}{self._value(value)};\n"
            case ast.Assign([target], value):
                return f"{pad}{self._value(target)} = {self._value(value)};\n"
            case ast.AugAssign(target, operator, value):
                sign = _BINARY[type(operator)]
                return f"{pad}{self._value(target)} {sign}= {self._value(value)};\n"
            case ast.If(test, body, orelse):
                text = f"{pad}if ({self._value(test)}) {{\n{self._block(body, inner)}{pad}}}"
                if orelse:
                    text += f" else {{\n{self._block(orelse, inner)}{pad}}}"
                return text + "\n"
            case ast.While(test, body, []):
                text = self._block(body, inner)
                return f"{pad}while ({self._value(test)}) {{\n{text}{pad}}}\n"
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), [count]), body, []):
                # As in Python, the limit is worked out once and the name keeps its last value.
                head = f"for (int64_t {name}_ = 0, {name}_end = {self._value(count)}; "
                head += f"{name}_ < {name}_end; {name}_++)"
                text = f"{pad}    {name} = {name}_;\n{self._block(body, inner)}"
                return f"{pad}{head} {{\n{text}{pad}}}\n"
            case ast.Return(value):
                return f"{pad}return {self._value(value) if value else 0};\n"
            case ast.Continue():
                return f"{pad}continue;\n"
            case ast.Break():
                return f"{pad}break;\n"
            case _:
                raise TypeError(f"no statement of the core: {ast.unparse(node)}")

    def _value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(int(value)):
                return f"INT64_C({int(value)})"
            case ast.Name(name) if name in self._constants:
                return f"INT64_C({self._constants[name]})"
            case ast.Name(name) if name in self._parameters or name in self._locals:
                return name
            case ast.Subscript(ast.Name(name), index) if name in ARRAYS:
                return f"{name}[{self._value(index)}]"
            case ast.BinOp(left, operator, right):
                sign = _BINARY[type(operator)]
                return f"({self._value(left)} {sign} {self._value(right)})"
            case ast.UnaryOp(operator, operand):
                signs: dict[type[ast.unaryop], str] = {ast.Not: "!", ast.USub: "-", ast.Invert: "~"}
                return f"({signs[type(operator)]}{self._value(operand)})"
            case ast.BoolOp(operator, values):
                sign = " && " if isinstance(operator, ast.And) else " || "
                return f"({sign.join(map(self._value, values))})"
            case ast.Compare(left, [operator], [right]):
                return f"({self._value(left)} {_COMPARED[type(operator)]} {self._value(right)})"
            case ast.IfExp(test, body, orelse):
                both = f"{self._value(body)} : {self._value(orelse)}"
                return f"({self._value(test)} ? {both})"
            case ast.Call(ast.Name(name), arguments, []):
                given = ", ".join(map(self._value, arguments))
                return f"{BUILT_IN.get(name, name)}({given})"
            case _:
                raise TypeError(f"no expression of the core: {ast.unparse(node)}")

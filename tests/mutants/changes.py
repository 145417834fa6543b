"""What a mutant is: one small change to one place of a module, and which block it stands in.

A block is a run of statements that are reached together: the body of a function, of a branch, of a
loop. It is named by its function and its number there, so that the name outlives changes elsewhere
in the file. Changes are made in the bytes of the source, so that all else stays as it was written.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

SHOWN = 60
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
JOINED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
METHODS = {"startswith": "endswith", "endswith": "startswith", "lstrip": "rstrip"}
# What says something about types, or nothing when a program runs.
UNREAD = {"annotation", "returns", "decorator_list", "type_params", "bases", "keywords"}
TYPES = {"Literal", "TypeVar", "TypeAlias", "TYPE_CHECKING", "assert_never", "overload", "cast"}


class Block(NamedTuple):
    """``inside`` a function; other statements run when the module is imported."""

    name: str
    suite: list[ast.stmt]
    inside: bool


class Mutant(NamedTuple):
    """``line`` and ``code`` are where it stands; ``names`` what the changed statement binds.

    At the top of a module ``names`` are also what later statements there make of that.
    """

    path: str
    block: str
    inside: bool
    line: int
    code: str
    old: str
    new: str
    start: int
    end: int
    names: tuple[str, ...]

    @property
    def place(self) -> str:
        """The same as long as the line is."""
        return _row(self.path, self.block.partition("#")[0], self.code)

    @property
    def key(self) -> str:
        """The same as long as the line and the change are."""
        return f"{self.place}\t{_row(self.old, self.new)}"

    def text(self, source: bytes) -> bytes:
        """The module with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def _row(*parts: str) -> str:
    return "\t".join(" ".join(part.split()) for part in parts)


def suites(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks right inside a statement, in the order of the text."""
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value:
            if isinstance(value[0], ast.stmt):
                yield value
            elif isinstance(value[0], ast.ExceptHandler | ast.match_case):
                for each in value:
                    yield each.body


def blocks(tree: ast.Module) -> Iterator[Block]:
    """All blocks of a module."""
    yield from _blocks(tree.body, "", Counter(), inside=False)


def _blocks(
    suite: list[ast.stmt], scope: str, numbers: Counter[str], *, inside: bool
) -> Iterator[Block]:
    numbers[scope] += 1
    yield Block(f"{scope}#{numbers[scope]}", suite, inside)
    for statement in list(suite):
        within, deeper = scope, inside
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            within = f"{scope}.{statement.name}".removeprefix(".")
            deeper = inside or isinstance(statement, ast.FunctionDef)
        for nested in suites(statement):
            yield from _blocks(nested, within, numbers, inside=deeper)


def mentioning(tree: ast.Module, names: tuple[str, ...]) -> Iterator[str]:
    """The blocks of functions that speak of one of these names, not in a block inside them."""
    for block in blocks(tree):
        nodes = (node for statement in block.suite for node in _own(statement))
        said = (getattr(node, "id", getattr(node, "attr", "")) for node in nodes)
        if block.inside and not {*names}.isdisjoint(said):
            yield block.name


def mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """All changes that can be made to a module, in the order of the text."""
    lines = source.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    tree = ast.parse(source)
    for block in blocks(tree):
        for statement in block.suite:
            if not _runs(statement):
                continue
            names = _bound(statement) if block.inside else _carried(tree, statement)
            for node, new in _changed(statement):
                start = starts[node.lineno - 1] + node.col_offset
                end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
                old, code = source[start:end].decode(), lines[node.lineno - 1].decode().strip()
                whole = (block.name, block.inside, node.lineno, code, old, new, start, end)
                yield Mutant(path, *whole, names)


def _runs(statement: ast.stmt) -> bool:
    """False for what is there for readers and type checkers: docstrings, types, imports."""
    match statement:
        case ast.Expr(ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Assert():
            return False
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")) | ast.AnnAssign(value=None):
            return False
        case ast.Assign(targets=[ast.Name("__all__")]):
            return False
    parts = (node for node in ast.walk(statement) if not isinstance(statement, ast.ClassDef))
    heads = {node.id for node in parts if isinstance(node, ast.Name)} & TYPES
    compound = any(True for _ in suites(statement))
    return compound or not heads - {"cast"}


def _bound(statement: ast.stmt) -> tuple[str, ...]:
    match statement:
        case ast.Assign(targets=targets):
            bound = (node for each in targets for node in ast.walk(each))
            return tuple(node.id for node in bound if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(name)):
            return (name,)
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
    return ()


def _carried(tree: ast.Module, statement: ast.stmt) -> tuple[str, ...]:
    """What a statement of a module binds, and all that later ones make of it there."""
    names = dict.fromkeys(_bound(statement))
    for later in tree.body:
        said = {node.id for node in ast.walk(later) if isinstance(node, ast.Name)}
        if said & {*names} and not isinstance(later, ast.FunctionDef | ast.ClassDef):
            names.update(dict.fromkeys(_bound(later)))
    return tuple(names)


def _own(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a statement without those of the blocks in it."""
    for name, value in ast.iter_fields(node):
        if name in UNREAD and isinstance(node, ast.stmt | ast.arg):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.match_case):
                if each.guard:
                    yield from _with(each.guard)
            elif isinstance(each, ast.expr):
                yield from _with(each)
            elif isinstance(each, ast.AST) and not isinstance(each, ast.stmt | ast.ExceptHandler):
                yield from _own(each)


def _with(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    if isinstance(node, ast.JoinedStr):  # Python 3.11 does not say where its parts stand
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
        yield from _with(node.args[1])
        return
    if _asserts(node):
        node = _with_field(node, keywords=[])
    yield from _own(node)


def _asserts(node: ast.expr) -> bool:
    """Whether a call says ``strict=True``: that rows have one length is no choice, as in assert."""
    return isinstance(node, ast.Call) and [each.arg for each in node.keywords] == ["strict"]


def _changed(statement: ast.stmt) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    for new in _other_statements(statement):
        yield statement, new
    if isinstance(statement, ast.If) and _runs(ast.Expr(statement.test)):
        yield from ((statement.test, each) for each in ("True", "False"))
    for node in _own(statement):
        for other in _others(node):
            yield node, f"({ast.unparse(other)})".replace("\n", " ")


def _other_statements(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.Expr(ast.Call(func=ast.Name("assert_never"))):
            return
        case ast.Return(ast.expr() as value) if ast.unparse(value) not in {"None", "False"}:
            yield "return None"
        case ast.Raise(ast.Call(func=ast.Name("AssertionError"))):
            return  # what cannot be
        case ast.Expr() | ast.AugAssign() | ast.Raise():
            yield "pass"
        case ast.Break():
            yield "continue"
        case ast.Continue():
            yield "break"


def _with_field(node: ast.expr, **fields: object) -> ast.expr:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _others(node: ast.expr) -> Iterator[ast.expr]:  # noqa: C901 - one case for each kind
    """What an expression may be changed to."""
    match node:
        case ast.Constant(value):
            yield from (ast.Constant(each) for each in _other_values(value))
        case ast.JoinedStr():
            yield ast.Constant("")
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            yield _with_field(node, ops=[COMPARED[type(op)]()])
        case ast.BoolOp(op, values):
            yield _with_field(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            yield from values if len(values) == 2 else [_with_field(node, values=values[:-1])]
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(op=op) if type(op) in JOINED:
            yield _with_field(node, op=JOINED[type(op)]())
        case ast.IfExp(test, body, other):
            yield _with_field(node, body=other, orelse=body)
            yield _with_field(node, test=ast.Constant(value=True))
            del test
        case ast.Subscript(slice=ast.Slice(lower, upper)) if lower or upper:
            yield _with_field(node, slice=ast.Slice())
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            yield from _unfiltered(node)
        case ast.Call():
            yield from _other_calls(node)


def _other_values(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        if value > 1:
            yield value - 1
    elif isinstance(value, str):
        yield value + "~"


def _unfiltered(
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
) -> Iterator[ast.expr]:
    for at, generator in enumerate(node.generators):
        if generator.ifs:
            plain = ast.comprehension(generator.target, generator.iter, [], generator.is_async)
            changed = [*node.generators]
            changed[at] = plain
            yield _with_field(node, generators=changed)


def _other_calls(node: ast.Call) -> Iterator[ast.expr]:
    match node.func:
        case ast.Name(name) if name in NAMES and len(node.args) == 1 + (name in {"min", "max"}):
            yield _with_field(node, func=ast.Name(NAMES[name]))
        case ast.Attribute(value, name) if name in METHODS:
            yield _with_field(node, func=ast.Attribute(value, METHODS[name]))
    if node.keywords and not _asserts(node):
        yield _with_field(node, keywords=node.keywords[:-1])

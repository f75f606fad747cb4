"""Functions that a test cell hands to the student's code together with the answers: what a function reads goes with it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from nbjudge._analysis.flow import Flow, last_name, root
from nbjudge._analysis.mutations import CHANGING, CHANGING_FIRST

COMPARED = ("assertEqual", "assertIs", "assertTrue", "assert_equal", "assert_array_equal", "assert_allclose", "array_equal", "allclose", "isclose")
EQUAL = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def handed_over(flow: Flow) -> Iterator[tuple[int, str, str]]:
    """For each call of the student's code with a function or object that holds what the cell compares with: line, what, and the name."""
    known = answers(flow)
    seen = set()
    for call in flow.calls.values():
        for value in [*call.args, *(keyword.value for keyword in call.keywords)]:
            for what, name in _held(flow, value, known):
                if (call.lineno, name) not in seen:
                    seen.add((call.lineno, name))
                    yield call.lineno, what, name


def answers(flow: Flow) -> set[str]:
    """The names that hold what the student's values are compared with: no sizes and types, and nothing that the student's code gets anyway."""
    found: set[str] = set()
    for node in flow.nodes:
        sides: list[ast.expr] = []
        if isinstance(node, ast.Compare) and all(isinstance(sign, EQUAL) for sign in node.ops):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and last_name(node.func) in COMPARED:
            sides = node.args[:2]
        if any(map(_is_outline, sides)):
            continue
        theirs = [flow.is_students(side) for side in sides]
        for side, is_theirs in zip(sides, theirs):
            if any(theirs) and not is_theirs:
                found |= flow.alias(side)[0]
    given = {value.id for call in flow.calls.values() for value in call.args if isinstance(value, ast.Name) and value.id not in flow.functions}
    imported = {alias.asname or alias.name for node in flow.nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
    return found - set(dir(builtins)) - given - imported


def _is_outline(side: ast.expr) -> bool:
    """Whether it is a shape, a length or a type."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr in ("shape", "dtype", "ndim", "size"))
        or (isinstance(node, ast.Call) and last_name(node.func) in ("len", "type", "size"))
        for node in ast.walk(side)
    )


def _held(flow: Flow, value: ast.expr, answers: set[str]) -> Iterator[tuple[str, str]]:
    """What of the answers goes with a value."""
    for node in flow.alias(value)[1]:
        if isinstance(node, ast.Call):
            if _makes(flow, node):  # an object, a partial or an inner function, made with the answer
                for one in [*node.args, *(keyword.value for keyword in node.keywords)]:
                    yield from (
                        (f"`{ast.unparse(node)}`", name) for name in sorted(flow.alias(one, wholes=False)[0] & answers) if not _is_function(flow, one)
                    )
            yield from (found for made in _made_in(flow, node) for found in _read(flow, made, answers, root(node.func)))
        elif isinstance(node, ast.Lambda):
            yield from _read(flow, node, answers, "the lambda")
        elif isinstance(node, ast.Name):
            for function in flow.functions.get(node.id, ()):
                yield from _read(flow, function, answers, node.id)


def _is_function(flow: Flow, value: ast.expr) -> bool:
    return isinstance(value, ast.Lambda) or (isinstance(value, ast.Name) and value.id in flow.functions)


def _makes(flow: Flow, call: ast.Call) -> bool:
    """Whether a call makes something that can be called: an object of a class of the cell, a partial, an inner function."""
    return last_name(call.func) in ("partial", "partialmethod") or any(
        isinstance(one, ast.ClassDef) or any(True for _ in _inner(one)) for one in flow.functions.get(root(call.func), ())
    )


def _made_in(flow: Flow, call: ast.Call) -> Iterator[ast.AST]:
    for function in flow.functions.get(root(call.func), ()):
        yield from [function] if isinstance(function, ast.ClassDef) else _inner(function)
    if last_name(call.func) in ("partial", "partialmethod") and call.args:
        for name in flow.alias(call.args[0])[0]:
            yield from flow.functions.get(name, ())


def _inner(function: ast.AST) -> Iterator[ast.AST]:
    yield from (
        one
        for one in ast.walk(function)
        if one is not function and isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef))
    )


def _read(flow: Flow, function: ast.AST, answers: set[str], what: str) -> Iterator[tuple[str, str]]:
    if _stays(flow, function):
        return
    label = what if what == "the lambda" else f"`{what}`"
    names = _outer_names(flow, function, set())
    yield from ((label, name) for name in sorted(names & answers))


def _outer_names(flow: Flow, function: ast.AST, seen: set[int]) -> set[str]:
    """The names from outside that a function reads, by itself or through functions of the cell that it calls."""
    if id(function) in seen:
        return set()
    seen.add(id(function))
    own = {
        one.arg
        for node in ast.walk(function)
        if isinstance(node, ast.arguments)
        for one in [*node.posonlyargs, *node.args, *node.kwonlyargs, *filter(None, [node.vararg, node.kwarg])]
    }
    own |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    reads = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} - own
    for arguments in (node for node in ast.walk(function) if isinstance(node, ast.arguments)):
        for default in [*arguments.defaults, *filter(None, arguments.kw_defaults)]:  # `lambda x, table=table: ...`
            reads |= {node.id for node in ast.walk(default) if isinstance(node, ast.Name)}
    for name in list(reads):
        for further in flow.functions.get(name, ()):
            reads |= _outer_names(flow, further, seen)
    return reads


def _stays(flow: Flow, function: ast.AST) -> bool:
    """Whether the function notes its calls outside: such a function stays in the test's process, and is called back."""
    if isinstance(function, ast.ClassDef):
        return False
    if any(isinstance(node, ast.Name) and node.id in flow.students for node in ast.walk(function)):
        return False  # it has to be where the student's functions are
    if any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in ast.walk(function)):
        return True
    outside = [flow.alias(ast.Name(name, ast.Load()))[1] for name in _outer_names(flow, function, set())]
    if any(isinstance(node, ast.Call) and last_name(node.func) in ("iter", "count", "cycle") for nodes in outside for node in nodes):
        return True
    holds_mutable = any(isinstance(node, MUTABLE) or _makes_mutable(node) for nodes in outside for node in nodes)
    return holds_mutable and any(_changes(node) for node in ast.walk(function))


def _makes_mutable(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in ("list", "dict", "set", "bytearray", "deque", "defaultdict", "Counter")


def _changes(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func) in CHANGING | CHANGING_FIRST
    return isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load)

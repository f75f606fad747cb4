"""What objects keep of what they are made with, and change later, by the instructor's own solution: a log, a register, a shared board.

A list that a test passes goes as a copy. Where the solution's class (or its method, or the function around an inner function) keeps that
parameter and changes it in a later call, the test's own list gets the new content with each call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from examiner.judge.inplace import CHANGING, CHANGING_FIRST

Function = ast.FunctionDef | ast.AsyncFunctionDef


def keeping_functions(trees: Iterable[ast.AST]) -> frozenset[str]:
    """`name(place) kept` and `name(parameter) kept` for each parameter that is kept and changed later; a class stands for its `__init__`.

    And `name moves` for each method, or function with inner ones, that changes what was kept.
    """
    nodes = [node for tree in trees for node in ast.walk(tree)]
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    around = [(node.name, place) for node in nodes if isinstance(node, Function) for place in _by_inner(node)]
    found = {f"{name}({place}) kept" for name, place in around} | {f"{name} moves" for name, _ in around}
    for name, node in classes.items():
        family = list(_family(node, classes))
        methods = {line.name: line for one in reversed(family) for line in one.body if isinstance(line, Function)}
        changed = {attribute for one in family for line in ast.walk(one) for attribute in _changed(line)}
        if "__init__" not in methods:
            fields = [
                line.target.id
                for one in reversed(family)
                for line in one.body
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
            ]
            found |= {f"{name}({place}) kept" for number, field in enumerate(fields, 1) if field in changed for place in (number, field)}
        moving = {label for label, method in methods.items() for line in ast.walk(method) if set(_changed(line))}
        while more := {label for label, method in methods.items() if _called(method) & moving} - moving:
            moving |= more
        found |= {f"{label} moves" for label in moving}
        for label, method in methods.items():
            called = name if label == "__init__" else label
            found |= {f"{called}({place}) kept" for place in _kept(method, changed)}
    return frozenset(found)


def _family(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    """A class and those of the solution that it is derived from, nearest first."""
    waiting, seen = [node], set()
    while waiting:
        one = waiting.pop(0)
        if one.name not in seen:
            seen.add(one.name)
            yield one
            waiting += [classes[base.id] for base in one.bases if isinstance(base, ast.Name) and base.id in classes]


def _places(function: Function, skip: int) -> dict[str, list[str | int]]:
    arguments = function.args
    names = [one.arg for one in [*arguments.posonlyargs, *arguments.args]][skip:]
    places: dict[str, list[str | int]] = {name: [number, name] for number, name in enumerate(names, 1)}
    return places | {one.arg: [one.arg] for one in arguments.kwonlyargs}


def _kept(method: Function, changed: set[str]) -> Iterator[str | int]:
    """Parameters that a method puts into an attribute which some method changes: `self.log = log`, `self.log = log or []`."""
    places = _places(method, 1)
    for node in ast.walk(method):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_attribute(target) in changed for target in targets):
                for name in _stands_for(node.value):
                    yield from places.get(name, ())


def _stands_for(value: ast.expr) -> Iterator[str]:
    """The names whose objects a value may be, uncopied."""
    if isinstance(value, ast.Name):
        yield value.id
    elif isinstance(value, ast.BoolOp):
        yield from (name for one in value.values for name in _stands_for(one))
    elif isinstance(value, ast.IfExp):
        yield from (*_stands_for(value.body), *_stands_for(value.orelse))


def _attribute(node: ast.AST) -> str:
    """`log` of `self.log`."""
    return node.attr if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self" else ""


def _changed(node: ast.AST) -> Iterator[str]:
    """Attributes of `self` whose objects a statement changes in place."""
    for target in _changed_things(node):
        while isinstance(target, ast.Subscript):
            target = target.value
        if name := _attribute(target):
            yield name


def _called(method: Function) -> set[str]:
    """The methods of its own object that a method calls."""
    return {_attribute(node.func) for node in ast.walk(method) if isinstance(node, ast.Call)} - {""}


def _changed_things(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            yield node.func.value
        called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        if called in CHANGING_FIRST and node.args:
            yield node.args[0]
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node.value
    elif isinstance(node, ast.AugAssign):
        yield node.target


def _by_inner(function: Function) -> Iterator[str | int]:
    """Parameters that a function inside this one changes, whenever that is called: a decorator's list of calls."""
    places = _places(function, 0)
    for inner in ast.walk(function):
        if inner is function or not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        own = {one.arg for one in [*inner.args.posonlyargs, *inner.args.args, *inner.args.kwonlyargs]}
        for node in ast.walk(inner):
            for thing in _changed_things(node):
                while isinstance(thing, ast.Subscript):
                    thing = thing.value
                if isinstance(thing, ast.Name) and thing.id not in own:
                    yield from places.get(thing.id, ())

"""What the instructor's own solution changes: arguments of its functions, and what its objects keep of what they are made with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from nbjudge._analysis.statements import is_stub

CHANGING = {
    "append",
    "extend",
    "insert",
    "remove",
    "pop",
    "clear",
    "sort",
    "reverse",
    "update",
    "add",
    "discard",
    "setdefault",
    "popitem",
    "appendleft",
    "popleft",
    "extendleft",
    "rotate",
    "fill",
    "put",
    "intersection_update",
    "difference_update",
    "symmetric_difference_update",
    "subtract",
    "move_to_end",
    "resize",
}
WRITING = {
    "write_text",
    "write_bytes",
    "writelines",
    "writerow",
    "writerows",
    "write",
    "dump",
    "to_csv",
    "to_json",
    "savetxt",
    "save",
    "savez",
    "savefig",
    "to_excel",
    "imsave",
    "touch",
    "rename",
    "unlink",
}
CHANGING_FIRST = {
    "shuffle",
    "heappush",
    "heappop",
    "heapify",
    "insort",
    "insort_left",
    "insort_right",
    "fill_diagonal",
    "copyto",
    "put",
    "place",
    "putmask",
}  # functions of libraries that change their first argument


def changing_functions(trees: Iterable[ast.AST]) -> frozenset[str]:
    """The functions and methods in these trees that change their parameters, by themselves or through another of them.

    `name()` for each, and `name(1)`, `name(rows)` for each parameter that it changes, by place and by name. Of a function that is still to be
    written nothing is known: it may change any.
    """
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found: set[str] = set()
    while added := {node.name for node in functions if node.name not in found and _changes(node, found)}:
        found |= added
    changed = {f"{node.name}({place})" for node in functions if node.name in found for place in _changed_places(node, found)}
    unwritten = {f"{node.name}({place})" for node in functions if is_stub(node) for place in ["", *_parameters(node)]}
    return frozenset(changed | unwritten | {f"{name}()" for name in found})


def _changed_places(function: ast.FunctionDef | ast.AsyncFunctionDef, known: set[str]) -> Iterator[str | int]:
    yield from (place for place, name in _parameters(function).items() if _changes_one_of(function, {name}, known))


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str | int, str]:
    """The parameters by their names, and by their places where they have one."""
    arguments = function.args
    by_place = [one.arg for one in [*arguments.posonlyargs, *arguments.args] if one.arg not in ("self", "cls")]
    names = [*by_place, *(one.arg for one in arguments.kwonlyargs)]
    return {**{name: name for name in names}, **dict(enumerate(by_place, 1))}


def _changes(function: ast.FunctionDef | ast.AsyncFunctionDef, known: set[str]) -> bool:
    arguments = function.args
    own = {argument.arg for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]} - {"self", "cls"}
    return _changes_one_of(function, own, known)


def _changes_one_of(function: ast.FunctionDef | ast.AsyncFunctionDef, parameters: set[str], known: set[str]) -> bool:
    own = set(parameters)
    while more := {name for node in ast.walk(function) for name in _parts(node, own)} - own:
        own |= more
    return any(name in own for name in _changed_names(function, known))


def _parts(node: ast.AST, own: set[str]) -> Iterator[str]:
    """Variables that stand for a parameter, or for a part of one: `for row in grid`, `left = tree.left`."""
    if isinstance(node, (ast.For, ast.comprehension)):
        sources = [*node.iter.args, node.iter.func] if isinstance(node.iter, ast.Call) else [node.iter]  # enumerate(rows), table.items()
        if any(_root(source) in own for source in sources):
            yield from (inner.id for inner in ast.walk(node.target) if isinstance(inner, ast.Name))
    elif isinstance(node, ast.Assign) and _root(node.value) in own and not _is_copy(node.value):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_copy(node: ast.AST) -> bool:
    """Whether it is the copy of a whole list: `rows[:]`."""
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and not any((node.slice.lower, node.slice.upper, node.slice.step))


def _changed_names(function: ast.AST, known: set[str]) -> Iterator[str]:
    """Names of variables whose objects some statement changes."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and _is_changing(node.func.attr):
                yield _root(node.func.value)
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            if called in known:
                yield from (_root(argument) for argument in node.args)
            elif (called in CHANGING_FIRST or _is_in_place(called)) and node.args:
                yield _root(node.args[0])
            yield from (_root(keyword.value) for keyword in node.keywords if keyword.arg == "out")
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield _root(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _is_changing(method: str) -> bool:
    return method in CHANGING or _is_in_place(method)


def _is_in_place(called: str) -> bool:
    """Whether it has a name such as torch's `zero_` and `constant_` have, which change what they get."""
    return called.endswith("_") and not called.startswith("_")


def _root(node: ast.AST) -> str:
    """The variable of `grid[i][j]` or `state.items`."""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def writing_functions(trees: Iterable[ast.AST]) -> frozenset[str]:
    """Names of the functions and methods in these trees that write files, by themselves or through another of them."""
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found: set[str] = set()
    while added := {node.name for node in functions if node.name not in found and _writes(node, found)}:
        found |= added
    return frozenset(found)


def _writes(function: ast.AST, known: set[str]) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            texts = [value.value for value in [*node.args, *(keyword.value for keyword in node.keywords)] if isinstance(value, ast.Constant)]
            if called in WRITING or called in known:
                return True
            if called == "open" and any(isinstance(text, str) and set(text) & set("wax+") and len(text) <= 3 for text in texts):
                return True
    return False


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
        if isinstance(node.func, ast.Attribute) and _is_changing(node.func.attr):
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

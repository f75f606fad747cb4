"""Functions that are meant to change their arguments: which ones, by the instructor's own solution, and how the change reaches the test.

A student's function works on copies. Where the solution's function of the same name changes a parameter, the copy's new content is put
into the test's own list, dict, set or array; where it does not, a change ends the test, because the test may compare with its input.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

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

    `name()` for each, and `name(1)`, `name(rows)` for each parameter that it changes, by place and by name.
    """
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found: set[str] = set()
    while added := {node.name for node in functions if node.name not in found and _changes(node, found)}:
        found |= added
    changed = {f"{node.name}({place})" for node in functions if node.name in found for place in _changed_places(node, found)}
    return frozenset(changed | {f"{name}()" for name in found})


def _changed_places(function: ast.FunctionDef | ast.AsyncFunctionDef, known: set[str]) -> Iterator[str | int]:
    arguments = function.args
    by_place = [one.arg for one in [*arguments.posonlyargs, *arguments.args] if one.arg not in ("self", "cls")]
    for number, name in enumerate([*by_place, *(one.arg for one in arguments.kwonlyargs)], 1):
        if _changes_one_of(function, {name}, known):
            yield name
            if number <= len(by_place):
                yield number


def _changes(function: ast.FunctionDef | ast.AsyncFunctionDef, known: set[str]) -> bool:
    arguments = function.args
    own = {argument.arg for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]} - {"self", "cls"}
    return _changes_one_of(function, own, known)


def _changes_one_of(function: ast.FunctionDef | ast.AsyncFunctionDef, parameters: set[str], known: set[str]) -> bool:
    own = set(parameters)
    while more := {name for node in ast.walk(function) for name in _parts(node, own)} - own:
        own |= more
    return any(name in own for name in _changed_names(function, known)) or _trains(function, own)


def _trains(function: ast.AST, own: set[str]) -> bool:
    """Whether a function hands a parameter's own parameters to something that takes steps: `SGD(model.parameters())`, `optimizer.step()`."""
    called = [node.func for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return any(node.attr == "step" for node in called) and any(node.attr == "parameters" and _root(node.value) in own for node in called)


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
            if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
                yield _root(node.func.value)
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            if called in known:
                yield from (_root(argument) for argument in node.args)
            elif called in CHANGING_FIRST and node.args:
                yield _root(node.args[0])
            yield from (_root(keyword.value) for keyword in node.keywords if keyword.arg == "out")
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield _root(node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


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

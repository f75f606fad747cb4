"""Which classes the instructor's own solution lets answer yes or no: `==`, `<`, `in`, truth, and the end of a `with` statement.

Only objects of classes with these names are asked such questions in a test (see `examiner.judge.truths`): without that, an object that
says it equals everything would pass `assert f(2) == 5`. Read from the text of the notebook; nothing of it is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from examiner.judge.inplace import changing_functions
from examiner.wire.specials import TRUTHS

ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
COMPARABLE = ("__eq__", "__ne__")
ASKED = {*TRUTHS, "__len__"}
# Library classes whose heirs compare by what they hold.
HOLDERS = {"UserList": (*COMPARABLE, *ORDER, "__contains__", "__len__"), "UserString": (*COMPARABLE, *ORDER, "__contains__", "__len__"),
           "UserDict": (*COMPARABLE, "__contains__", "__len__"), "Sequence": ("__contains__",), "MutableSequence": ("__contains__",),
           "Mapping": (*COMPARABLE, "__contains__"), "MutableMapping": (*COMPARABLE, "__contains__"),
           "Fraction": (*COMPARABLE, *ORDER, "__bool__"),
           "Decimal": (*COMPARABLE, *ORDER, "__bool__"), "Set": (*COMPARABLE, *ORDER), "MutableSet": (*COMPARABLE, *ORDER),
           "date": (*COMPARABLE, *ORDER), "datetime": (*COMPARABLE, *ORDER), "Flag": ("__contains__", "__bool__"),
           "IntFlag": ("__contains__",), "BaseModel": COMPARABLE}


def trusted_comparisons(sources: Iterable[str]) -> frozenset[str]:
    """What these cells of the instructor's let a student's objects and functions do. Cells that are no Python are left out.

    `Class.__method__` for each special method of `TRUTHS` that a class has by its own text, and `name()` for each function that
    changes its arguments.
    """
    trees, found = [], set()
    for source in sources:
        try:
            trees.append(ast.parse(_without_magics(source)))
        except (SyntaxError, ValueError, RecursionError):
            continue
    for tree in trees:
        for node in ast.walk(tree):
            found |= set(_of(node))
    return frozenset(found | {f"{name}()" for name in changing_functions(trees)})


def _without_magics(source: str) -> str:
    lines = source.splitlines()
    if lines and lines[0].startswith("%%"):
        return ""
    return "\n".join("pass" if line.startswith(("%", "!", "?")) else line for line in lines)


def _of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        yield from (f"{node.name}.{name}" for name in {*_defined(node), *_by_decorators(node), *_by_bases(node)})
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if any(_last_name(decorator) == "contextmanager" for decorator in node.decorator_list):
            yield "_GeneratorContextManager.__exit__"
    elif isinstance(node, ast.Assign):
        for target in node.targets:  # Vector.__eq__ = same
            if isinstance(target, ast.Attribute) and target.attr in ASKED and isinstance(target.value, ast.Name):
                yield f"{target.value.id}.{target.attr}"
            if isinstance(target, ast.Name) and isinstance(node.value, ast.Call) and _last_name(node.value) == "make_dataclass":
                yield from (f"{target.id}.{name}" for name in _of_data_class(node.value))


def _defined(node: ast.ClassDef) -> Iterator[str]:
    for line in node.body:
        names = [line.name] if isinstance(line, ast.FunctionDef) else \
            [target.id for target in line.targets if isinstance(target, ast.Name)] if isinstance(line, ast.Assign) else []
        for name in names:
            if name in ASKED:
                yield from (name, "__ne__") if name == "__eq__" else (name,)


def _by_decorators(node: ast.ClassDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        name = _last_name(decorator)
        if name == "total_ordering":
            yield from ORDER
        elif name in ("dataclass", "define", "frozen", "mutable", "attrs", "s"):
            yield from _of_data_class(decorator)


def _of_data_class(decorator: ast.expr) -> Iterator[str]:
    given = {keyword.arg: keyword.value for keyword in decorator.keywords} if isinstance(decorator, ast.Call) else {}

    def says(name: str, usually: bool) -> bool:
        value = given.get(name)
        return bool(value.value) if isinstance(value, ast.Constant) else usually

    if says("eq", True):
        yield from COMPARABLE
    if says("order", False):
        yield from ORDER


def _by_bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield from HOLDERS.get(_last_name(base), ())


def _last_name(node: ast.expr) -> str:
    """`dataclass` of `dataclasses.dataclass(order=True)`, `Sequence` of `Sequence[int]`."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

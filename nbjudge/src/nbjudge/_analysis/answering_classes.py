"""Which classes the instructor's own solution lets answer yes or no: `==`, `<`, `in`, truth, and the end of a `with` statement.

Only objects of classes with these names are asked such questions in a test (see `nbjudge._proxies.truth_values`): without that, an object that
says it equals everything would pass `assert f(2) == 5`. Read from the text of the notebook; nothing of it is run.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from nbjudge._analysis.instructor import Instructor, is_test
from nbjudge._analysis.mutations import changing_functions, keeping_functions, writing_functions
from nbjudge._analysis.statements import imports_of
from nbjudge._wire.special_methods import OPERATORS, TRUTHS

ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
COMPARABLE = ("__eq__", "__ne__")
ASKED = {*TRUTHS, *OPERATORS, "__len__"}
COMPARES = (*COMPARABLE, *ORDER)
# Methods of tables, sets and texts that judge what they get, or give it back: those of an object count where the solution makes such.
JUDGING = frozenset(
    {
        "equals",
        "equal",
        "identical",
        "allclose",
        "isclose",
        "eq",
        "ne",
        "lt",
        "gt",
        "le",
        "ge",
        "issubset",
        "issuperset",
        "isdisjoint",
        "startswith",
        "endswith",
        "isin",
        "between",
        "sub",
        "subtract",
        "difference",
        "symmetric_difference",
        "intersection",
        "union",
        "compare",
    }
)
# Methods of lists and texts that get to see what a test looks for. An object has them where the solution has such a method or attribute,
# and where the solution's object is asked for it, too: tables of pandas, and more, have a `count` of another kind.
SEEING = frozenset({"count", "index", "find", "rfind", "rindex"})
# Library classes whose heirs compare by what they hold.
HOLDERS = {
    "UserList": (*COMPARABLE, *ORDER, "__contains__", "__len__"),
    "UserString": (*COMPARABLE, *ORDER, "__contains__", "__len__"),
    "UserDict": (*COMPARABLE, "__contains__", "__len__"),
    "Sequence": ("__contains__",),
    "MutableSequence": ("__contains__",),
    "Mapping": (*COMPARABLE, "__contains__"),
    "MutableMapping": (*COMPARABLE, "__contains__"),
    "Fraction": (*COMPARABLE, *ORDER, "__bool__"),
    "Decimal": (*COMPARABLE, *ORDER, "__bool__"),
    "Set": (*COMPARABLE, *ORDER),
    "MutableSet": (*COMPARABLE, *ORDER),
    "date": (*COMPARABLE, *ORDER),
    "datetime": (*COMPARABLE, *ORDER),
    "Flag": ("__contains__", "__bool__"),
    "IntFlag": ("__contains__",),
    "BaseModel": COMPARABLE,
}


def answering_texts(instructor: Instructor) -> Iterator[str]:
    """The texts whose classes may answer: of all cells but tests, and of the modules beside the notebook that these import."""
    for cell in instructor.notebook.cells:
        if cell.cell_type == "code" and not is_test(cell):
            yield cell.source
            if instructor.folder is not None:
                yield from _modules_beside(cell.source, instructor.folder)


def _modules_beside(source: str, folder: Path) -> Iterator[str]:
    for top in _imported_packages(source):
        for path in [folder / f"{top}.py", *sorted((folder / top).rglob("*.py"))]:
            with contextlib.suppress(OSError, UnicodeDecodeError):
                yield path.read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def _imported_packages(source: str) -> tuple[str, ...]:
    """The packages and modules that a cell imports, without what is within them; none of what is no Python. Once for all submissions."""
    try:
        return tuple(sorted({name.partition(".")[0] for name in imports_of(ast.parse(_without_magics(source)))}))
    except (SyntaxError, ValueError, RecursionError):
        return ()


def trusted_comparisons(sources: Iterable[str]) -> frozenset[str]:
    """What these cells of the instructor's let a student's objects and functions do. Cells that are no Python are left out.

    `Class.__method__` for each special method of `ASKED` that a class has by its own text, and `Class.__method__ plain` for a comparison
    that takes plain values, too; `.name` for each of `JUDGING` and `SEEING` that is a method or attribute there; what `changing_functions` and
    `keeping_functions` find; and `name writes` for each function that writes files.
    """
    return _trusted(tuple(sources))


@lru_cache(maxsize=256)
def _trusted(sources: tuple[str, ...]) -> frozenset[str]:
    """`trusted_comparisons`, once for all submissions of a notebook: it takes 70 ms for one of the lessons."""
    trees, found = [], set()
    for source in sources:
        try:
            trees.append(ast.parse(_without_magics(source)))
        except (SyntaxError, ValueError, RecursionError):
            continue
    for tree in trees:
        for node in ast.walk(tree):
            found |= set(_of(node))
    return frozenset(found | changing_functions(trees) | keeping_functions(trees) | {f"{name} writes" for name in writing_functions(trees)})


def _without_magics(source: str) -> str:
    lines = source.splitlines()
    if lines and lines[0].startswith("%%"):
        return ""
    return "\n".join("pass" if line.startswith(("%", "!", "?")) else line for line in lines)


def _of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in JUDGING | SEEING:
        yield f".{node.name}"
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in JUDGING | SEEING:
        yield f".{node.attr}"
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id in JUDGING | SEEING:
        yield f".{node.target.id}"
    if isinstance(node, ast.ClassDef):
        yield from (f"{node.name}.{name}" for name in {*_defined(node), *_by_decorators(node), *_by_bases(node)})
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if any(_last_name(decorator) == "contextmanager" for decorator in node.decorator_list) and _catches_around_yield(node):
            yield "_GeneratorContextManager.__exit__"
    elif isinstance(node, ast.Assign):
        for target in node.targets:  # Vector.__eq__ = same
            if isinstance(target, ast.Attribute) and target.attr in ASKED and isinstance(target.value, ast.Name):
                yield f"{target.value.id}.{target.attr}"
                if target.attr in COMPARES:
                    yield f"{target.value.id}.{target.attr} plain"
            if isinstance(target, ast.Name) and isinstance(node.value, ast.Call) and _last_name(node.value) == "make_dataclass":
                yield from (f"{target.id}.{name}" for name in _of_data_class(node.value))


def _defined(node: ast.ClassDef) -> Iterator[str]:
    for line in node.body:
        names = (
            [line.name]
            if isinstance(line, ast.FunctionDef)
            else [target.id for target in line.targets if isinstance(target, ast.Name)]
            if isinstance(line, ast.Assign)
            else []
        )
        for name in names:
            if name in ASKED and not (name == "__exit__" and isinstance(line, ast.FunctionDef) and not _may_say_yes(line)):
                both = (name, "__ne__") if name == "__eq__" else (name,)
                yield from both
                if name in COMPARES and not (isinstance(line, ast.FunctionDef) and not _takes_plain(line)):
                    yield from (f"{one} plain" for one in both)


def _may_say_yes(function: ast.FunctionDef) -> bool:
    """Whether an `__exit__` may end the error of its block."""
    values = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
    return any(not (isinstance(value, ast.Constant) and not value.value) for value in values)


def _catches_around_yield(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a context manager that is made of a generator may end the error of its block."""
    for node in ast.walk(function):
        if not isinstance(node, (ast.Try, ast.With)) or not any(isinstance(inner, ast.Yield) for line in node.body for inner in ast.walk(line)):
            continue
        catches = isinstance(node, ast.Try) and any(
            not any(isinstance(inner, ast.Raise) and inner.exc is None for inner in handler.body) for handler in node.handlers
        )
        leaves = isinstance(node, ast.Try) and any(isinstance(inner, ast.Return) for line in node.finalbody for inner in ast.walk(line))
        if catches or leaves or isinstance(node, ast.With):
            return True
    return False


def _takes_plain(function: ast.FunctionDef) -> bool:
    """Whether a comparison uses the other operand as a value, and not only its attributes and its class."""
    if len(function.args.args) < 2:
        return True
    other = function.args.args[1].arg
    looked_at: set[int] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute):
            looked_at.add(id(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "type", "hasattr", "issubclass"):
            looked_at |= set(map(id, node.args[:1]))
    return any(isinstance(node, ast.Name) and node.id == other and id(node) not in looked_at for node in ast.walk(function))


def _by_decorators(node: ast.ClassDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        name = _last_name(decorator)
        if name == "total_ordering":
            yield from ORDER
            if any(one.endswith(" plain") and one.split()[0] in ORDER for one in _defined(node)):
                yield from (f"{one} plain" for one in ORDER)
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
        name = _last_name(base)
        yield from HOLDERS.get(name, ())
        if name in HOLDERS and name != "BaseModel":
            yield from (f"{one} plain" for one in HOLDERS[name] if one in COMPARES)
        if name in ("Fraction", "Decimal", "date", "datetime", "timedelta", "Set", "MutableSet", "UserList", "UserString", "UserDict", "Counter"):
            yield from OPERATORS


def _last_name(node: ast.expr) -> str:
    """`dataclass` of `dataclasses.dataclass(order=True)`, `Sequence` of `Sequence[int]`."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

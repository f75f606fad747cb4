"""Where the values in one test cell come from: which are the student's, and which stand under another name.

Static and without scopes: a name is whatever is put into it anywhere in the cell. That finds too much rather than too little.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
HANDS_ON = frozenset(
    {"enumerate", "zip", "list", "tuple", "iter", "reversed", "sorted", "dict", "array", "asarray", "copy", "deepcopy", "items", "values", "get"}
)


class _Item(ast.expr):
    """What stands at one place of each of the tuples in a list."""

    _fields = ("value",)

    def __init__(self, value: ast.expr, place: int):
        super().__init__()
        self.value, self.place = value, place


class Flow:
    """Of one test cell.

    Args:
        students: the names in it that are the student's; `classes` are those of them that are classes.
        above: the cells above it that are the instructor's, from the top. What the cell needs of them counts as a part of it.
        defined: names of functions and classes of the solution.
    """

    def __init__(
        self,
        tree: ast.Module,
        students: Iterable[str],
        classes: Iterable[str] = (),
        above: Sequence[ast.Module] = (),
        defined: Iterable[str] = (),
    ):
        self.tree, self.students, self.classes, self.defined = tree, frozenset(students), frozenset(classes), frozenset(defined)
        whole = [*_needed(tree, above, self.students), tree]
        self.nodes = [node for part in whole for node in ast.walk(part)]
        self.functions: dict[str, list[ast.AST]] = defaultdict(list)
        self._into: dict[str, list[ast.expr]] = defaultdict(list)
        self._returned: dict[str, list[ast.expr]] = defaultdict(list)
        for node in self.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.functions[node.name].append(node)
        self.own = {node.arg for node in self.nodes if isinstance(node, ast.arg)}  # names that stand for something else inside the cell
        self.own |= {node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for node in self.nodes:
            for target, value in _puts(node):
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Name):
                        self._into[inner.id].append(value)
                        if isinstance(value, ast.Lambda):
                            self.functions[inner.id].append(value)
        for node in self.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self._pass(node)
        for name, functions in self.functions.items():
            for node in functions:
                self._returned[name] += _results(node)

    def _pass(self, call: ast.Call) -> None:
        for function in self.functions.get(root(call.func), ()):
            if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                continue
            names = [one.arg for one in [*function.args.posonlyargs, *function.args.args]]
            for name, value in zip(names, call.args):
                self._into[name].append(value)
            for keyword in call.keywords:
                if keyword.arg:
                    self._into[keyword.arg].append(keyword.value)

    def alias(self, *expressions: ast.expr, wholes: bool = True) -> tuple[set[str], list[ast.expr]]:
        """The names and expressions that these may be the value of, or a part of the value of: nothing is computed in between.

        Args:
            wholes: with the names of lists of tuples of which one place is meant.
        """
        names: set[str] = set()
        nodes: dict[int, ast.expr] = {}
        waiting = list(expressions)
        while waiting:
            node = waiting.pop()
            if id(node) in nodes:
                continue
            nodes[id(node)] = node
            if isinstance(node, ast.Name):
                names.add(node.id)
                waiting += self._into.get(node.id, ())
            elif isinstance(node, _Item):
                names |= ({root(node.value)} - {""}) if wholes else set()
                waiting += list(self._items(node)) or [node.value]
            else:
                waiting += self._parts(node)
        return names, list(nodes.values())

    def _parts(self, node: ast.expr) -> Iterator[ast.expr]:
        if isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred, ast.NamedExpr, ast.Await)):
            yield node.value
        elif isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)
        elif isinstance(node, ast.BoolOp):
            yield from node.values
        elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            yield from node.elts
        elif isinstance(node, ast.Dict):
            yield from node.values
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else root(node.func)
            if name in HANDS_ON:
                yield from node.args
                if isinstance(node.func, ast.Attribute):
                    yield node.func.value
            if isinstance(node.func, ast.Name):
                yield from self._returned.get(node.func.id, ())

    def _items(self, item: _Item) -> Iterator[ast.expr]:
        """The parts at one place of the tuples in a list that is written out."""
        for one in self._written(item.value):
            if isinstance(one, (ast.Tuple, ast.List)) and len(one.elts) > item.place:
                yield one.elts[item.place]

    def _written(self, value: ast.expr, deep: int = 3) -> Iterator[ast.expr]:
        if isinstance(value, (ast.Tuple, ast.List)):
            yield from value.elts
        elif isinstance(value, ast.Name) and deep:
            for one in self._into.get(value.id, ()):
                yield from self._written(one, deep - 1)
        elif isinstance(value, ast.Call) and last_name(value.func) in HANDS_ON and value.args and deep:
            yield from self._written(value.args[0], deep - 1)

    def everything(self, *expressions: ast.AST) -> list[ast.AST]:
        """All nodes that the values of these are made of, by any computation."""
        nodes: dict[int, ast.AST] = {}
        waiting = list(expressions)
        while waiting:
            node = waiting.pop()
            if id(node) in nodes:
                continue
            nodes[id(node)] = node
            if isinstance(node, _Item) and (items := list(self._items(node))):
                waiting += items
                continue
            waiting += ast.iter_child_nodes(node)
            if isinstance(node, ast.Name):
                waiting += self._into.get(node.id, ())
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                waiting += self._returned.get(node.func.id, ())
        return list(nodes.values())

    @cached_property
    def calls(self) -> dict[int, ast.Call]:
        """The calls of the student's code, by the identity of their nodes."""
        return {id(node): node for node in self.nodes if isinstance(node, ast.Call) and self._is_students(node.func)}

    def _is_students(self, function: ast.expr) -> bool:
        name = root(function)
        if name in self.students:
            return True
        base = function
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        if isinstance(base, ast.Call) and root(base.func) in self.classes:
            return isinstance(function, ast.Attribute)
        if not name:
            return False
        _, nodes = self.alias(ast.Name(name, ast.Load()))
        if isinstance(function, ast.Attribute):
            return any(isinstance(node, ast.Call) and root(node.func) in self.classes for node in nodes)
        return any(isinstance(node, ast.Name) and node.id in self.students for node in nodes)

    def students_in(self, *expressions: ast.AST) -> list[ast.expr]:
        """What of the student's is in the values of these: calls, and names of values."""
        nodes = self.everything(*expressions)
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        found: list[ast.expr] = [node for node in nodes if isinstance(node, ast.Call) and id(node) in self.calls]
        return found + [node for node in nodes if isinstance(node, ast.Name) and node.id in self.students - self.own and id(node) not in called]

    def is_students(self, *expressions: ast.AST) -> bool:
        """Whether something of the student's is in the values of these."""
        return bool(self.students_in(*expressions))


def _needed(tree: ast.Module, above: Sequence[ast.Module], students: frozenset[str]) -> list[ast.stmt]:
    """The statements of cells above that make what a cell reads and does not make itself, nearest first for each name."""
    reads, made = _names(tree, ast.Load), set(students)
    made |= _names(tree, ast.Store) | {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    found: list[ast.stmt] = []
    for cell in reversed(above):
        for statement in reversed(cell.body):
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                binds = {statement.name}
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                binds = _names(statement, ast.Store)
            else:
                continue
            if binds & (reads - made):
                found.append(statement)
                made |= binds
                reads |= _names(statement, ast.Load)
    return found[::-1]


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, context)}


def root(node: ast.AST) -> str:
    """The variable of `box.items[0].area`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def last_name(node: ast.AST) -> str:
    """`allclose` of `np.allclose`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _puts(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets with what is put into them."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _unpacked(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield from _iterated(node.target, node.iter)
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "add", "extend", "insert", "update"):
        if isinstance(node.func.value, ast.Name):
            whole = node.func.attr in ("extend", "update")
            yield from ((node.func.value, value if whole else ast.List([value], ast.Load())) for value in node.args)


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, (ast.Subscript, ast.Attribute)):
        if name := root(target):
            yield ast.Name(name, ast.Load()), value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)) and len(target.elts) == len(value.elts):
        for one, own in zip(target.elts, value.elts):
            yield from _unpacked(one, own)
    else:
        yield target, value


def _iterated(target: ast.expr, values: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a loop puts into its variables, each from its own place."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    if parts and isinstance(values, ast.Call) and values.args and root(values.func) == "enumerate" and len(parts) == 2:
        yield from _iterated(parts[1], values.args[0])
    elif parts and isinstance(values, ast.Call) and root(values.func) == "zip" and len(parts) == len(values.args):
        for part, value in zip(parts, values.args):
            yield from _iterated(part, value)
    elif len(parts) == 2 and isinstance(values, ast.Call) and isinstance(values.func, ast.Attribute) and values.func.attr == "items":
        yield parts[1], values.func.value
    elif parts:
        for place, part in enumerate(parts):
            yield part, _Item(values, place)
    else:
        yield target, values


def _results(node: ast.AST) -> Iterator[ast.expr]:
    """What a function gives back; functions inside it have results of their own."""
    if isinstance(node, ast.Lambda):
        yield node.body
        return
    if isinstance(node, ast.ClassDef):
        return
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, (ast.Return, ast.Yield, ast.YieldFrom)) and inner.value is not None:
            yield inner.value
        if not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(inner)

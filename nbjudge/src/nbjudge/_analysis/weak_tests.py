"""Forms of tests that hold for answers of which nothing is right, read off the text of a test cell.

A form says why an answer may pass; whether one does, `nbjudge._execution.empty_answers` tries. What `certainly` finds needs no try.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from nbjudge._analysis.flow import Flow, last_name, root
from nbjudge._analysis.handed_over import answers
from nbjudge._analysis.statements import CHECKS

ALL = "passes when nothing is in it; compare the length or the shape before"
NAN = "says no to nan, and the test takes that for right; turn it around, as in `assert error <= tolerance`"
EMPTY_KINDS = frozenset({"none", "kind", "list", "tuple", "text", "array"})
NAN_KINDS = frozenset({"nan", "nans"})
ANY = frozenset({"none", "kind", "nans", "zeros", "list", "nan", "zero", "true", "argument", "array", "text", "tuple", "error"})
PREDICATES = frozenset({"allclose", "isclose", "array_equal", "equal", "isinstance", "issubclass", "all", "any", "equals", "callable", "hasattr"})
CATCHES_CHECKS = frozenset({"AssertionError", "Exception", "BaseException"})
# What a cell may call without checking anything. Whatever else it calls may be a check.
HARMLESS = frozenset(
    "abs all any array arange asarray bool complex copy deepcopy dict display dir divmod enumerate eye figure filter float format frozenset full "
    "getattr hasattr hex id int isinstance issubclass iter len linspace list map max min next ones ones_like ord plot pow print random range repr "
    "reversed round seed set show shape sleep slice sorted str sum tensor time title tuple type vars zeros zeros_like zip RandomState default_rng "
    "manual_seed normal rand randn randint uniform subplots callable allclose array_equal isclose".split()
)


@dataclass(frozen=True)
class Weakness:
    """A form that holds for too much.

    Args:
        line: in the cell, from 1.
        what: is wrong with it, and what to write instead.
        kinds: of answers that it may let pass, as `nbjudge._student.empty_answers` calls them.
        places: the nodes in the cell of what the student's code gives to it.
        one_by_one: whether it is enough that each of these passes where all others are right.
    """

    line: int
    what: str
    kinds: frozenset[str]
    places: tuple[ast.expr, ...] = ()
    one_by_one: bool = False


def weaknesses(flow: Flow) -> list[Weakness]:
    """What of a test cell may let an answer pass of which nothing is right, from its first line to its last."""
    found = [one for node in flow.nodes for form in FORMS for one in form(node, flow)]
    return sorted({(one.line, one.what): one for one in found}.values(), key=lambda one: one.line)


def _weak(node: ast.AST, flow: Flow, value: ast.AST, what: str, kinds: Iterable[str], one_by_one: bool = False) -> Iterator[Weakness]:
    if places := flow.students_in(value):
        near = {id(one) for part in ast.walk(value) if isinstance(part, ast.expr) for one in flow.alias(part)[1]}
        as_they_are = [place for place in places if id(place) in near]  # what is computed from others may pass for another reason
        yield Weakness(getattr(node, "lineno", 1), what, frozenset(kinds), tuple(as_they_are), one_by_one and bool(as_they_are))


def _loops(node: ast.AST, flow: Flow) -> Iterator[Weakness]:
    """`for got, want in zip(f(x), right): assert got == want`."""
    inside: list[ast.AST] = []
    if isinstance(node, (ast.For, ast.AsyncFor)) and _checks(node.body):
        iterated, what = node.iter, "a loop with its checks inside"
        inside.extend(node.body)
    elif isinstance(node, ast.Call) and last_name(node.func) == "all" and node.args and isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp)):
        iterated, what = node.args[0].generators[0].iter, "`all(...)`"
        inside.append(node.args[0].elt)
    elif isinstance(node, ast.Call) and last_name(node.func) == "all" and node.args and _is_call(node.args[0], "map", "zip"):
        iterated, what = node.args[0], "`all(map(...))`"
        inside.append(iterated)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and _is_call(node.operand, "any"):
        iterated, what = node.operand, "`not any(...)`"
        inside.append(iterated)
    else:
        return
    # A loop that looks at types alone stands beside a test of the values.
    compares = any(
        isinstance(one, (ast.Compare, ast.BinOp)) or _is_call(one, *PREDICATES - {"isinstance"}) for part in inside for one in ast.walk(part)
    )
    shortest = [one for one in ast.walk(iterated) if isinstance(one, ast.Call) and root(one.func) in ("zip", "map") and not _is_strict(one)]
    if shortest:
        name = root(shortest[0].func)
        advice = "write `zip(..., strict=True)`" if name == "zip" else "compare the lengths before"
        yield from _weak(node, flow, shortest[0], f"`{name}` stops where the shorter side ends; {advice}", EMPTY_KINDS | {"short"}, compares)
    else:
        yield from _weak(node, flow, iterated, f"{what} {ALL}", EMPTY_KINDS, compares)


def _is_strict(call: ast.Call) -> bool:
    return any(keyword.arg == "strict" for keyword in call.keywords) or (root(call.func) == "map" and len(call.args) < 3)


def _reductions(node: ast.AST, flow: Flow) -> Iterator[Weakness]:
    """`assert (a == b).all()`, `assert max(errors, default=0) < 1e-6`, `assert sum(errors) < 1e-6`."""
    if not isinstance(node, ast.Call):
        return
    name, values = last_name(node.func), [*node.args[:2], *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
    if name == "all" and not (
        (node.args and isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp))) or (node.args and _is_call(node.args[0], "map"))
    ):
        yield from (one for value in values for one in _weak(node, flow, value, f"`all` of an empty array is True: it {ALL}", EMPTY_KINDS))
    elif name in ("allclose", "isclose") and len(node.args) > 1:
        what = f"`{name}` of an empty array and a number {ALL}"
        yield from (one for value in values[:2] for one in _weak(node, flow, value, what, EMPTY_KINDS))
        if any(keyword.arg == "equal_nan" for keyword in node.keywords):
            yield from (one for value in values[:2] for one in _weak(node, flow, value, "`equal_nan` takes nan for right; leave it out", NAN_KINDS))
    elif name in ("max", "min") and isinstance(node.func, ast.Name):
        what = f"Python's `{name}` passes over nan, depending on the order; write `np.{name}`, or compare number by number"
        yield from (one for value in values for one in _weak(node, flow, value, what, NAN_KINDS))
        if any(keyword.arg == "default" for keyword in node.keywords):
            yield from (one for value in values for one in _weak(node, flow, value, f"`{name}` with a default {ALL}", EMPTY_KINDS))
    elif name in ("nanmax", "nanmin", "nansum", "nanmean", "fmax", "fmin", "nan_to_num", "nanstd", "nanmedian"):
        yield from (one for value in values for one in _weak(node, flow, value, f"`{name}` leaves nan out; write it without nan", NAN_KINDS))
    elif name in ("sum", "norm", "fsum", "count_nonzero"):
        yield from (one for value in values for one in _weak(node, flow, value, f"`{name}` of nothing is 0: it {ALL}", EMPTY_KINDS))


def _turned_around(node: ast.AST, flow: Flow) -> Iterator[Weakness]:
    """`assert not error > tolerance`, `if error > tolerance: raise ...`, `assert not np.any(x > y)`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        test: ast.expr = node.operand
    elif isinstance(node, (ast.If, ast.IfExp)):
        test = node.test
    elif isinstance(node, ast.Call) and last_name(node.func) in ("assertFalse", "assert_false") and node.args:
        test = node.args[0]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        test = node.operand
    else:
        return
    for compare in (one for one in [*flow.alias(test)[1], *ast.walk(test)] if isinstance(one, ast.Compare)):
        if any(isinstance(sign, (ast.Gt, ast.GtE, ast.Lt, ast.LtE)) for sign in compare.ops):
            yield from _weak(node, flow, compare, f"`{ast.unparse(compare)}` {NAN}", NAN_KINDS, True)
    if _is_call(test, "any") and not isinstance(node, ast.UnaryOp):
        yield from _weak(node, flow, test, f"`any` of an empty array is False: it {ALL}", EMPTY_KINDS, True)


def _swallowed(node: ast.AST, flow: Flow) -> Iterator[Weakness]:
    """`try: assert f(2) == 4` with `except AssertionError: print("wrong")`."""
    if isinstance(node, ast.Try) and any(_catches(handler.type) and _does_nothing(handler.body) for handler in node.handlers):
        yield from _tried(node, node.body, flow, "what this `except` catches is lost; let the check fail, or raise again")
    elif isinstance(node, ast.Try):
        for handler in node.handlers:
            if _does_nothing(handler.body) and not _checks(node.orelse):
                what = "no exception is an answer, too; put `raise AssertionError` into an `else`, or count what was caught"
                yield from _tried(node, node.body, flow, what)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if isinstance(call := item.context_expr, ast.Call) and last_name(call.func) == "suppress":
                yield from _tried(node, node.body, flow, "what `suppress` catches is lost; let the check fail")


def _tried(node: ast.AST, body: list[ast.stmt], flow: Flow, what: str) -> Iterator[Weakness]:
    calls = [inner for statement in body for inner in ast.walk(statement) if isinstance(inner, ast.Call) and id(inner) in flow.calls]
    if calls:
        yield Weakness(getattr(node, "lineno", 1), what, ANY, tuple(calls), True)


def _catches(kind: ast.expr | None) -> bool:
    names = kind.elts if isinstance(kind, ast.Tuple) else [kind] if kind is not None else []
    return kind is None or any(last_name(name) in CATCHES_CHECKS for name in names)


def _does_nothing(body: list[ast.stmt]) -> bool:
    return all(
        isinstance(one, (ast.Pass, ast.Continue))
        or (isinstance(one, ast.Expr) and (isinstance(one.value, ast.Constant) or _is_call(one.value, "print", "display")))
        for one in body
    )


def _own_other_value(node: ast.AST, flow: Flow) -> Iterator[Weakness]:
    """`assert f(x) == g(x)`, where both are the student's."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
        sides = [node.left, node.comparators[0]]
    elif isinstance(node, ast.Call) and last_name(node.func) in (
        "allclose",
        "array_equal",
        "assert_allclose",
        "assert_array_equal",
        "assertEqual",
        "assert_equal",
    ):
        sides = node.args[:2]
    else:
        return
    if len(sides) == 2 and all(map(flow.is_students, sides)):
        same = ast.unparse(sides[0]) == ast.unparse(sides[1])
        what = "a value is compared with itself" if same else "both sides are the student's"
        yield from _weak(node, flow, node, f"{what}; compare with a value of your own", ANY)


def _looks(node: ast.AST, flow: Flow) -> Iterator[Weakness]:
    """`assert f(x) is not None`, `assert isinstance(f(x), list)`, `assert f(x)`, `assert f(x).shape == (2, 3)`."""
    if not isinstance(node, ast.Assert):
        return
    for test in node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]:
        if what := _only_there(test) or _looked_at(test, flow):
            yield from _weak(node, flow, test, f"only {what} is looked at; compare the value, too", ANY)


def _only_there(test: ast.expr) -> str:
    """What `test` looks at, if it is next to nothing."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.IsNot) and isinstance(test.comparators[0], ast.Constant):
            return "what the value is not"
        return "the type" if _is_call(test.left, "type") else ""
    return "the type" if _is_call(test, "isinstance", "callable") else ""


def _looked_at(test: ast.expr, flow: Flow) -> str:
    """What `test` looks at, if it is less than the value."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        if isinstance(test.ops[0], (ast.IsNot, ast.NotEq)):
            return "what the value is not"
        if isinstance(left, ast.Attribute) and left.attr == "dtype":
            return "the type"
        if _is_call(left, "len") or (isinstance(left, ast.Attribute) and left.attr in ("shape", "ndim", "size")):
            return "the length or the shape"
        is_bound = isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) and isinstance(right, ast.Constant)
        return "a bound" if is_bound and id(left) in flow.calls else ""
    return "whether the value is there" if isinstance(test, ast.Name) or id(test) in flow.calls else ""


FORMS: tuple[Callable[[ast.AST, Flow], Iterator[Weakness]], ...] = (_loops, _reductions, _turned_around, _swallowed, _own_other_value, _looks)


def certainly(flow: Flow) -> Iterator[str]:
    """What checks nothing whatever is handed in, and what to write instead."""
    for node in ast.walk(flow.tree):
        if isinstance(node, ast.Assert) and (why := _always(node.test, flow)):
            yield f"line {node.lineno}: {why}"
        elif isinstance(node, ast.Expr) and _is_forgotten(node.value, flow):
            yield f"line {node.lineno}: `{ast.unparse(node.value)}` compares, and nothing looks at the result; write `assert` before it"
    if not any(_may_check(node, flow) for node in _reached(flow)) and not _gives_points(flow.tree):
        yield f"the cell compares nothing{_never_called(flow)}; write an `assert` with the value that is right"


def mirrored(flow: Flow, shared: set[str]) -> set[str]:
    """The names that hold what the test compares with, of those that the student's functions use, too."""
    made = {node.id for node in ast.walk(flow.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return answers(flow) & shared & made


def _always(test: ast.expr, flow: Flow) -> str:
    """Why an assertion can never fail; `assert True` is a mark, and no mistake where the cell has other checks."""
    if isinstance(test, ast.Tuple) and test.elts:
        return "an `assert` of a tuple always holds; take the parentheses away"
    if isinstance(test, ast.GeneratorExp):
        return "an `assert` of a generator, which is never run, always holds; write `all(...)` around it"
    if isinstance(test, (ast.Set, ast.Lambda, ast.JoinedStr)) or (isinstance(test, (ast.List, ast.Dict)) and ast.unparse(test) not in ("[]", "{}")):
        return "an `assert` of something that is not empty always holds; compare it with something"
    if isinstance(test, ast.Constant) and isinstance(test.value, str) and test.value:
        return "an `assert` of a text always holds; write what has to be true before it"
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and any(isinstance(one, ast.Constant) and one.value for one in test.values):
        return "`or` with something that is always true always holds; write a comma before a message"
    if isinstance(test, ast.Name) and (test.id in flow.functions or test.id in flow.defined) and not flow.alias(test)[1][1:]:
        return f"`{test.id}` itself is not called here, so this always holds; call it"
    return ""


def _is_forgotten(value: ast.expr, flow: Flow) -> bool:
    while isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        value = value.operand
    if isinstance(value, ast.Tuple) and value.elts:
        value = value.elts[0]
    if isinstance(value, ast.BoolOp):
        return all(_is_forgotten(one, flow) for one in value.values)
    return (isinstance(value, ast.Compare) or _is_predicate(value)) and flow.is_students(value)


def _is_predicate(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and last_name(value.func) in PREDICATES


def _reached(flow: Flow) -> list[ast.AST]:
    """The nodes of a cell that run: its own lines, and functions and classes that one of these names."""
    nodes: list[ast.AST] = []
    seen: set[str] = set()
    waiting: list[ast.AST] = list(flow.tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name not in seen:
            waiting += [*node.decorator_list, *(node.body if node.decorator_list else ())]  # a decorator may call it
            continue
        nodes.append(node)
        if isinstance(node, ast.Name) and node.id not in seen:
            seen.add(node.id)
            for one in flow.functions.get(node.id, ()):
                waiting += ast.iter_child_nodes(one)
        waiting += ast.iter_child_nodes(node)
    return nodes


def _may_check(node: ast.AST, flow: Flow) -> bool:
    if isinstance(node, ast.Assert):
        return not (isinstance(node.test, ast.Constant) and bool(node.test.value)) and not _only_there(node.test)
    if isinstance(node, ast.Call):
        is_own = id(node) in flow.calls or root(node.func) in flow.functions or flow.is_students(node.func)
        return not is_own and last_name(node.func) not in HARMLESS
    return isinstance(node, ast.Raise)


def _never_called(flow: Flow) -> str:
    names = [node.name for node in flow.tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _checks(node.body)]
    return f": nothing calls `{names[0]}`, in which the checks are" if names else ""


def _gives_points(tree: ast.Module) -> bool:
    """Whether the last line may be a number of points."""
    last = tree.body[-1] if tree.body else None
    return isinstance(last, ast.Expr) and isinstance(last.value, (ast.Name, ast.Constant, ast.BinOp, ast.IfExp, ast.Subscript, ast.Attribute))


def _checks(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, (ast.Assert, ast.Raise)) or (isinstance(node, ast.Call) and CHECKS.search(last_name(node.func)))
        for statement in body
        for node in ast.walk(statement)
    )


def _is_call(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in names

"""Changes of one place in a syntax tree, of the kinds that mend common slips, those of the most likely kinds first. Each can be taken back."""

from __future__ import annotations

import ast
import copy
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from attnlab.diagnosis.cause import enumerated
from attnlab.diagnosis.text.expressions import called

LONGEST = 50  # characters of code that is shown
BESIDE = 12  # characters of it beside what differs, where it is longer
COMPARE = "what is the difference between the two? Change the line once you can say it"
ASKED = "for which inputs does that condition make a difference, and does the card ask for one?"
NEEDED = "which type do the numbers need that go in there?"
LIBRARIES = {"np", "numpy", "math", "torch", "nn", "F"}
REDUCTIONS = {"sum", "max", "min", "amax", "amin", "mean", "prod", "norm", "std", "var", "any", "all", "logsumexp"}
ALONG = set("softmax log_softmax normalize argmax argmin argsort sort cumsum take repeat roll delete insert unique diff append flip".split())
AXES = {*REDUCTIONS, *ALONG, *"concatenate cat stack split".split()}
WRAPS = set(
    "resize tile round around abs clip clamp int float floor ceil trunc squeeze detach sorted nan_to_num dropout astype relu tanh ravel flatten "
    "exp log sqrt softmax softmax_rows normalize set unique reversed copy item lower upper strip".split()
)
INSTEAD = [
    tuple(pair.split("/"))
    for pair in (
        "combinations/permutations argmax/argmin max/min max/sum mean/sum prod/sum zeros/ones tril/triu exp/exp2 log/log2 log/log10 "
        "append/extend std/var sqrt/square ceil/floor reshape/transpose maximum/minimum asarray/array zeros_like/zeros "
        "empty_like/zeros_like any/all log1p/log expm1/exp repeat/repeat_interleave repeat/tile "
        "concatenate/stack cat/stack hstack/vstack dot/outer dot/matmul softmax/log_softmax sin/cos round/floor round/ceil cumsum/cumprod "
        "cross_entropy/nll_loss tanh/sigmoid relu/gelu ones_like/zeros_like"
    ).split()
]
OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.MatMult, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.MatMult: (ast.Mult,),
    ast.Pow: (ast.Mult,),
}
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE, ast.NotEq),
    ast.LtE: (ast.Lt, ast.GtE, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE, ast.NotEq),
    ast.GtE: (ast.Gt, ast.LtE, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}

Place = tuple[Any, Any]  # what holds a part of a tree, and under which field or index


@dataclass
class Change:
    """A change of a syntax tree that can be taken back.

    Attributes:
        kind: of change, for the id of its cause.
        sets: which places get what.
        shown: the expression or statement around the place, for the message; None where `words` says all.
        words: in place of "with this instead of that".
        next: the next step.
    """

    kind: str
    sets: list[tuple[Place, Any]]
    shown: ast.AST | None = None
    words: str = ""
    next: str = COMPARE
    before: list[Any] = field(default_factory=list)

    def __enter__(self) -> Change:
        self.before = [_get(place) for place, _ in self.sets]
        for place, new in self.sets:
            _set(place, new)
        return self

    def __exit__(self, *_: object) -> None:
        for (place, _), old in zip(reversed(self.sets), reversed(self.before)):
            _set(place, old)

    def told(self) -> str:
        """What is changed, for a message."""
        if self.words:
            return self.words
        [(place, new)] = self.sets
        old = _get(place)
        before = ast.unparse(self.shown)
        with self:
            after = ast.unparse(new if self.shown is old else self.shown)
        if max(len(before), len(after)) > LONGEST:
            before, after = _cut_to_difference(before, after)
        return f"with `{after}` in place of `{before}` in line {getattr(old, 'lineno', 0) or self.shown.lineno}"


def _cut_to_difference(one: str, other: str) -> tuple[str, str]:
    """Two texts without what is the same at both ends, but for a few words."""
    shortest = min(len(one), len(other))
    begin = next((at for at in range(shortest) if one[at] != other[at]), shortest)
    end = next((at for at in range(shortest - begin) if one[-1 - at] != other[-1 - at]), shortest - begin)
    begin = one.rfind(" ", 0, max(begin - BESIDE, 0)) + 1
    kept = one.find(" ", len(one) - end + BESIDE)
    end = len(one) - kept if kept >= 0 else 0
    before, behind = "… " if begin else "", " …" if end else ""
    return f"{before}{one[begin : len(one) - end]}{behind}", f"{before}{other[begin : len(other) - end]}{behind}"


def _get(place: Place) -> Any:
    holder, key = place
    return holder[key] if isinstance(holder, list) else getattr(holder, key)


def _set(place: Place, value: Any) -> None:
    holder, key = place
    if isinstance(holder, list):
        holder[key] = value
    else:
        setattr(holder, key, value)


def changes(tree: ast.Module) -> Iterator[Change]:
    """Every change of one place, those of the most likely kinds first."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    endless = {id(node) for loop in ast.walk(tree) if _may_not_end(loop) for node in ast.walk(loop)}
    nodes = _Nodes(tree)
    found = [one for one in nodes.places if id(_get(one)) not in endless]
    in_conditions = {id(node) for one in ast.walk(tree) if isinstance(one, (ast.If, ast.IfExp)) for node in ast.walk(one.test)}
    outside = [one for one in found if id(_get(one)) not in in_conditions]  # a condition that is never true mends much, and says nothing
    yield from (change for place in found for change in _of_branches(place, nodes))
    yield from (change for place in outside for change in _without(place, nodes))
    yield from (change for change in _without_lines(functions) if id(change.sets[0][0][0]) not in endless)
    yield from _without_everywhere(tree)
    yield from _with_matrix_products(tree)
    yield from _with_transposes(tree)
    yield from _with_counters(tree)
    yield from _with_other_letters_everywhere(tree)
    for make in (_of_functions, _of_axes, _with_other_constants, _in_loops):
        yield from (change for place in outside for change in make(place, nodes))
    yield from (change for place in found for change in _of_operators(place, nodes))
    for make in (_of_order, _of_new_axes, _of_letters, _of_types):
        yield from (change for place in outside for change in make(place, nodes))
    gone_over = {id(one.iter) for one in ast.walk(tree) if isinstance(one, (ast.For, ast.comprehension))}  # a loop over what it adds to has no end
    for make in (
        _with_other_names,
        _with_other_lengths,
        _with_one_name_for_another,
        _with_names_exchanged,
        _in_another_order,
        _with_a_line_for_another,
        _with_a_factor_for_another,
    ):
        for function in functions:
            for change in make(function, nodes):
                touched = {id(node) for place, _ in change.sets for node in (place[0], _get(place))}
                if not touched & (endless | in_conditions | gone_over):
                    yield change


def _may_not_end(node: ast.AST) -> bool:
    """Whether a loop ends by what stands in it alone."""
    return isinstance(node, ast.While) or (isinstance(node, ast.For) and called(node.iter) in ("count", "cycle", "repeat", "iter"))


def _places(tree: ast.AST) -> Iterator[tuple[ast.AST, Place]]:
    """Every place below a node, with the node that it is a part of."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            for key, node in enumerate(value) if isinstance(value, list) else [(name, value)]:
                if isinstance(node, ast.AST):
                    yield parent, (value if isinstance(value, list) else parent, key)


class _Nodes:
    """All places of a tree that hold an expression or a statement, and what stands around each."""

    def __init__(self, tree: ast.Module):
        self.parents = {id(_get(place)): parent for parent, place in _places(tree)}
        self.places = [place for _, place in _places(tree) if isinstance(_get(place), (ast.expr, ast.stmt))]

    def around(self, node: ast.AST) -> ast.AST:
        """The largest expression around a node that is short enough to be shown."""
        while True:
            parent = self.parents.get(id(node))
            parent = self.parents.get(id(parent)) if isinstance(parent, (ast.keyword, ast.Slice, ast.comprehension)) else parent
            if not isinstance(parent, ast.expr) or len(ast.unparse(parent)) > LONGEST:
                argument = self.parents.get(id(node))
                return argument if isinstance(argument, ast.keyword) else node
            node = parent


def _swap(kind: str, place: Place, new: ast.AST, nodes: _Nodes) -> Change:
    old = _get(place)
    return Change(kind, [(place, _located(new, old))], nodes.around(old))


def _located(new: ast.AST, old: ast.AST) -> ast.AST:
    return ast.fix_missing_locations(ast.copy_location(new, old))


def _of_branches(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Without a condition: one branch alone, for every input. Without what catches errors, or switches something off."""
    node = _get(place)
    if isinstance(node, (ast.Try, ast.With)) and isinstance(place[0], list):
        holder, key = place
        parent = nodes.parents.get(id(node))
        if getattr(parent, "body", None) is holder:
            head = "try" if isinstance(node, ast.Try) else f"with {', '.join(map(ast.unparse, node.items))}"
            yield Change(
                "block",
                [((parent, "body"), [*holder[:key], *node.body, *holder[key + 1 :]])],
                words=f"with what stands under `{head}`, line {node.lineno}, alone",
                next="what does that line change? Take it out once you can say it",
            )
    if isinstance(node, ast.IfExp):
        for one in (node.body, node.orelse):
            yield Change(
                "branch",
                [(place, one)],
                words=f"with `{_short(one)}` in every case, in line {node.lineno}",
                next=ASKED,
            )
    elif isinstance(node, ast.If):
        holder, key = place
        parent = nodes.parents.get(id(node))
        if getattr(parent, "body", None) is not holder or not isinstance(holder, list):
            return
        for branch in (node.orelse, node.body):
            rest = [*holder[:key], *branch, *holder[key + 1 :]]
            if rest:
                yield Change(
                    "branch",
                    [((parent, "body"), rest)],
                    words=f"without what stands under `if {_short(node.test)}`, line {node.lineno}"
                    if branch is node.orelse
                    else f"with what stands under `if {_short(node.test)}`, line {node.lineno}, in every case",
                    next=ASKED,
                )


def _without(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Without a call that only changes what it is given, without a factor or a term, a minus or a `not`."""
    node = _get(place)
    if not isinstance(node, ast.expr):
        return
    inner: list[ast.expr] = []
    match node:
        case ast.Call(func=ast.Attribute() as func, args=[first, *_]) if called(node) in WRAPS and ast.unparse(func).partition(".")[0] in LIBRARIES:
            inner = [first]
        case ast.Call(func=ast.Name(), args=[first, *_]) if called(node) in WRAPS:
            inner = [first]
        case ast.Call(func=ast.Attribute(value=value)) if called(node) in WRAPS | {"transpose", "t"}:
            inner = [value]
        case ast.Attribute(value=value, attr="T" | "mT" | "data", ctx=ast.Load()):
            inner = [value]
        case ast.Call(func=ast.Attribute(attr="minimum" | "maximum"), args=[first, second]):
            inner = [first, second]
        case ast.Subscript(value=value, slice=ast.Constant(value=int()), ctx=ast.Load()):
            inner = [value]
        case ast.Subscript(value=value, slice=index, ctx=ast.Load()) if any(isinstance(one, ast.Slice) for one in ast.walk(index)):
            inner = [] if any(isinstance(one, ast.Constant) and one.value is None for one in ast.walk(index)) else [value]
        case ast.Call(func=ast.Name(id="min" | "max"), args=[first, second]):
            inner = [first, second]
        case ast.Call(args=[_, first, second]) if called(node) == "where":
            inner = [first, second]
        case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.Pow()):
            inner = [left, right] if isinstance(node.op, (ast.Add, ast.Mult)) else [left]
        case ast.UnaryOp(operand=operand):
            inner = [operand]
    for one in inner:
        change = Change("without", [(place, one)], nodes.around(node))
        if not isinstance(node, (ast.BinOp, ast.UnaryOp)) and len(ast.unparse(node)) <= LONGEST:
            change.words = f"with `{ast.unparse(one)}` alone, in place of `{ast.unparse(node)}` in line {node.lineno}"
            change.next = "what does that step do to the numbers? Take it out once you can say it"
        yield change


def _without_everywhere(tree: ast.Module) -> Iterator[Change]:
    """Without the same step or the same argument, wherever it stands."""
    found: dict[str, list[tuple[Place, Any]]] = {}
    for _, place in _places(tree):
        node = _get(place)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=library)), args=[first, *_]) if called(node) in WRAPS and library in LIBRARIES:
                found.setdefault(f"{ast.unparse(node.func)}(...)", []).append((place, first))
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in WRAPS | {"transpose", "t", "permute", "swapaxes"}:
                text = f".{name}({', '.join(map(ast.unparse, node.args))})"
                found.setdefault(text, []).append((place, value))
            case ast.Attribute(value=value, attr="T" | "mT" as name, ctx=ast.Load()):
                found.setdefault(f".{name}", []).append((place, value))
            case ast.Call(keywords=keywords):
                for one in keywords:
                    if one.arg not in (None, "axis", "dim", "keepdims", "keepdim"):
                        rest = [other for other in keywords if other is not one]
                        found.setdefault(ast.unparse(one), []).append(((node, "keywords"), rest))
    for text, sets in found.items():
        if len(sets) > 1:
            lines = sorted({getattr(_get(place), "lineno", 0) or place[0].lineno for place, _ in sets})
            yield Change(
                "everywhere",
                sets,
                words=f"without `{text}`, which stands in {_lines(lines)}",
                next="what does that do? Take it out once you can say it",
            )


def _with_transposes(tree: ast.Module) -> Iterator[Change]:
    """Cut the other way round and transposed, for each `reshape` to a matrix: `reshape(n, k).T` for `reshape(k, n)`."""
    found: dict[str, list[tuple[Place, Any]]] = {}
    for _, place in _places(tree):
        match node := _get(place):
            case ast.Call(func=ast.Attribute(attr="reshape" | "view" as name, value=value) as func, args=[ast.Tuple(elts=[one, two])] | [one, two]):
                if not (isinstance(value, ast.Name) and value.id in LIBRARIES):
                    first, second = map(ast.unparse, (one, two))
                    words = f"with `.{name}({second}, {first}).T` in place of `.{name}({first}, {second})`"
                    new = ast.Attribute(ast.Call(func, [two, one], []), "T", ast.Load())
                    found.setdefault(words, []).append((place, _located(new, node)))
    for words, sets in found.items():
        for some in [[one] for one in sets] + ([sets] if len(sets) > 1 else []):
            yield Change(
                "transpose",
                some,
                words=f"{words} in {_lines(sorted({_get(place).lineno for place, _ in some}))}",
                next="`reshape` keeps the order of the numbers and cuts it anew: which axis comes first there?",
            )


def _with_matrix_products(tree: ast.Module) -> Iterator[Change]:
    """`@` in place of `*`, wherever two names meet."""
    products: list[tuple[Place, Any]] = []
    for _, place in _places(tree):
        match node := _get(place):
            case ast.BinOp(op=ast.Mult(), left=ast.Name() as left, right=ast.Name() as right):
                products.append((place, _located(ast.BinOp(left, ast.MatMult(), right), node)))
    if len(products) > 1:
        lines = sorted({_get(place).lineno for place, _ in products})
        yield Change(
            "everywhere",
            products,
            words=f"with `@` in place of `*` in {_lines(lines)}",
            next="`*` multiplies entry by entry, `@` rows with columns: which one is meant?",
        )


def _with_counters(tree: ast.Module) -> Iterator[Change]:
    """The number of the round in place of the first place that holds an equal entry: `tokens.index(token)`."""
    for loop in ast.walk(tree):
        if not isinstance(loop, (ast.For, ast.comprehension)) or not isinstance(loop.target, ast.Name):
            continue
        body = loop.body if isinstance(loop, ast.For) else [one for one in ast.walk(tree) if loop in getattr(one, "generators", ())]
        for statement in body:
            for _, place in _places(statement):
                match node := _get(place):
                    case ast.Call(func=ast.Attribute(attr="index"), args=[ast.Name(id=name)]) if name == loop.target.id:
                        counter = ast.Name(f"number_of_{name}", ast.Load())
                        target = ast.Tuple([ast.Name(counter.id, ast.Store()), loop.target], ast.Store())
                        rounds = ast.Call(ast.Name("enumerate", ast.Load()), [loop.iter], [])
                        yield Change(
                            "counter",
                            [
                                (place, _located(counter, node)),
                                ((loop, "target"), _located(target, loop.target)),
                                ((loop, "iter"), _located(rounds, loop.iter)),
                            ],
                            words=f"with the number of the round in place of `{_short(node)}` in line {node.lineno}",
                            next="`index` finds the first of several equal entries; `enumerate` counts the rounds",
                        )


def _lines(numbers: list[int]) -> str:
    return f"{'line' if len(numbers) == 1 else 'lines'} {enumerated(numbers)}"


def _of_axes(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Another axis, an axis where there is none, and an axis that is kept."""
    node = _get(place)
    if not isinstance(node, ast.Call) or called(node) not in AXES:
        return
    given = {one.arg: one for one in node.keywords}
    axis = given.get("axis") or given.get("dim")
    if axis:
        for number in (-1, 0, 1, -2, 2):
            yield _swap("axis", (axis, "value"), ast.Constant(number), nodes)
    if not axis and called(node) in ALONG:
        for number in (-1, 0, 1):
            for word in ("axis", "dim"):
                yield _with_keywords(node, [ast.keyword(word, ast.Constant(number))])
    if called(node) not in REDUCTIONS:
        return
    kept = ast.keyword("keepdims", ast.Constant(True))
    if axis or node.args:
        if not {"keepdims", "keepdim"} & given.keys():
            yield Change(
                "keepdims",
                [((node, "keywords"), [*node.keywords, _located(kept, node)])],
                words=f"with `keepdims=True` in `{_short(node)}`, line {node.lineno}",
                next="a reduced axis disappears, unless it is kept: which shape has the result, and what is it combined with?",
            )
    if not axis:
        for number in (-1, 0, 1):
            for more in ([], [kept]):
                yield _with_keywords(node, [ast.keyword("axis", ast.Constant(number)), *more])


def _with_keywords(node: ast.Call, more: list[ast.keyword]) -> Change:
    """An axis where none is given."""
    return Change(
        "axis",
        [((node, "keywords"), [_located(one, node) for one in (*node.keywords, *more)])],
        words=f"with `{', '.join(map(ast.unparse, more))}` in `{_short(node)}`, line {node.lineno}",
        next="which numbers belong together, and along which axis do they lie? Name that one",
    )


def _with_other_constants(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Another number, or the other truth value."""
    node = _get(place)
    match node:
        case ast.Constant(value=bool() as value):
            yield _swap("constant", place, ast.Constant(not value), nodes)
        case ast.Constant(value=int() as value):
            is_compared = isinstance(nodes.parents.get(id(node)), ast.Compare)  # with a number that never comes, a comparison never holds
            for other in () if is_compared else dict.fromkeys((value - 1, value + 1, 0, 1, -1, 2, *_powers_beside(value))):
                if other != value:
                    yield _swap("constant", place, ast.Constant(other), nodes)
        case ast.Constant(value=float() as old):
            for number in (0.0, 1.0, float("-inf"), float("inf"), -old, 0.5):
                if number != old and (abs(old) < 100 or abs(number) == float("inf")):
                    new: ast.expr = ast.Constant(abs(number)) if abs(number) != float("inf") else ast.parse('float("inf")', mode="eval").body
                    yield _swap("constant", place, new if number >= 0 else ast.UnaryOp(ast.USub(), new), nodes)
        case ast.Tuple(elts=elts, ctx=ast.Load()) if isinstance(parent := nodes.parents.get(id(node)), ast.Subscript) and parent.slice is node:
            for at, part in enumerate(elts):
                if isinstance(part, ast.Constant) and isinstance(part.value, int):
                    yield _swap("slice", place, ast.Tuple([*elts[:at], ast.Slice(), *elts[at + 1 :]], ast.Load()), nodes)
        case ast.Slice(lower=lower, upper=upper, step=step):
            if lower is not None and upper is None:
                yield _swap("slice", place, ast.Slice(None, lower, step), nodes)
            if upper is not None and lower is None:
                yield _swap("slice", place, ast.Slice(upper, None, step), nodes)
    more = isinstance(node, ast.expr) and not isinstance(node, (ast.Constant, ast.Slice, ast.Tuple))
    if more and _is_bound(place, nodes):
        for operator in (ast.Add(), ast.Sub()):
            yield _swap("bound", place, ast.BinOp(node, operator, ast.Constant(1)), nodes)
    if isinstance(node, ast.Call) and called(node) == "range" and len(node.args) == 2:
        yield _swap("bound", place, ast.Call(node.func, node.args[1:], []), nodes)


def _powers_beside(value: int) -> list[int]:
    """The next powers of ten, for a power of ten with several zeros."""
    return [value // 10, 10 * value] if re.fullmatch("1000+", str(value)) else []


def _is_bound(place: Place, nodes: _Nodes) -> bool:
    """Whether a place is where a range or a slice begins or ends."""
    node = _get(place)
    parent = nodes.parents.get(id(node))
    if isinstance(parent, ast.Call) and called(parent) in ("range", "arange", "zeros", "ones", "triu", "tril"):
        return node in parent.args[called(parent) in ("triu", "tril") :]  # the first one of `tril` is the table itself
    return isinstance(parent, ast.Slice)


def _in_loops(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """A start that stands before a loop, or in it; a `return` that ends it; what adds up, and what does not."""
    node = _get(place)
    match node:
        case ast.AugAssign(target=ast.Name() | ast.Subscript() as target, op=op, value=value):
            for kind in OPERATORS.get(type(op), ()):
                yield _swap("operator", place, ast.AugAssign(target, kind(), value), nodes)
            yield _swap("assigned", place, ast.Assign([target], value), nodes)
            loaded = copy.deepcopy(target)
            loaded.ctx = ast.Load()
            yield _swap("in_place", place, ast.Assign([target], ast.BinOp(loaded, op, value)), nodes)
        case ast.Assign(targets=[ast.Name() | ast.Subscript() as target], value=value):
            yield _swap("added", place, ast.AugAssign(target, ast.Add(), value), nodes)
        case ast.Break():
            yield _swap("break", place, ast.Continue(), nodes)
    holder, key = place
    if isinstance(node, ast.For) and isinstance(holder, list):
        for start in [one for one in reversed(holder[:key]) if isinstance(one, ast.Assign)]:
            yield Change(
                "start_in_loop",
                [((node, "body"), [start, *node.body])],
                words=f"with `{_short(start)}`, line {start.lineno}, also at the top of the loop of line {node.lineno}",
                next="what should each round of that loop begin with?",
            )
        parent = nodes.parents.get(id(node))
        is_of_body = holder is getattr(parent, "body", None)
        for inside in [one for one in node.body if isinstance(one, (ast.Assign, ast.Return))]:
            rest = [one for one in node.body if one is not inside] or [ast.Pass(lineno=node.lineno, col_offset=0)]
            for before in (True, False) if isinstance(inside, ast.Assign) and is_of_body else (False,) if is_of_body else ():
                around = [*holder[:key], *([inside, node] if before else [node, inside]), *holder[key + 1 :]]
                yield Change(
                    "out_of_loop",
                    [((parent, "body"), around), ((node, "body"), rest)],
                    words=f"with `{_short(inside)}`, line {inside.lineno}, {'before' if before else 'after'} the loop of line {node.lineno}",
                    next="how often should that line run: in each round, or once?",
                )


def _of_functions(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Another function of the same family."""
    node = _get(place)
    match node:
        case ast.Attribute(value=ast.Attribute(value=library, attr="linalg"), attr="norm" | "vector_norm"):
            yield _swap("function", place, ast.Attribute(library, "sum", ast.Load()), nodes)
        case ast.Attribute(attr=name, ctx=ast.Load()):
            for pair in INSTEAD:
                if name in pair:
                    yield _swap("function", place, ast.Attribute(node.value, pair[1 - pair.index(name)], ast.Load()), nodes)
        case ast.Call(func=func, args=[_, *_]) if called(node) == "argsort":
            yield _swap("function", place, ast.Call(func, [node, *node.args[1:]], node.keywords), nodes)
        case ast.Name(id="max" | "min" | "any" | "all" as name):
            yield _swap("function", place, ast.Name({"max": "min", "min": "max", "any": "all", "all": "any"}[name], ast.Load()), nodes)


def _of_operators(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Another operator, a transpose, a minus, `is None` for what counts as false."""
    node = _get(place)
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            for kind in OPERATORS.get(type(op), ()):
                yield _swap("operator", place, ast.BinOp(left, kind(), right), nodes)
        case ast.BoolOp(op=op, values=values):
            yield _swap("operator", place, ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values), nodes)
        case ast.Compare(left=left, ops=[op], comparators=comparators):
            for other in COMPARISONS.get(type(op), ()):
                yield _swap("comparison", place, ast.Compare(left, [other()], comparators), nodes)
            if isinstance(comparators[0], ast.Constant) and isinstance(op, (ast.Lt, ast.LtE)):
                yield _swap("comparison", place, ast.Compare(left, [ast.Eq()], [ast.Constant(0)]), nodes)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _swap("none", place, ast.Compare(operand, [ast.Is()], [ast.Constant(None)]), nodes)
    yield from _of_brackets(place, nodes)
    parent = nodes.parents.get(id(node))
    if (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)) or (
        isinstance(parent, (ast.Return, ast.Assign)) and place[1] == "value"
    ):
        if isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.BinOp)):
            for name in ("T", "mT"):
                yield _swap("transpose", place, ast.Attribute(node, name, ast.Load()), nodes)
    if isinstance(parent, ast.Attribute) and parent.attr in ("reshape", "view", "flatten", "ravel") and isinstance(node, (ast.Name, ast.Call)):
        yield _swap("transpose", place, ast.Attribute(node, "T", ast.Load()), nodes)
    if isinstance(parent, ast.Call) and called(parent) in ("matmul", "dot", "mm", "inner") and node is not parent.func:
        yield _swap("transpose", place, ast.Attribute(node, "T", ast.Load()), nodes)
    signed = isinstance(parent, ast.Return) or (isinstance(parent, ast.Call) and called(parent) in ("exp", "softmax", "argsort", "append", "sum"))
    if signed and isinstance(node, (ast.Name, ast.Call, ast.BinOp, ast.Subscript)) and node is not getattr(parent, "func", None):
        yield _swap("minus", place, ast.UnaryOp(ast.USub(), node), nodes)
    if isinstance(node, ast.Name) and isinstance(parent, (ast.If, ast.IfExp)) and parent.test is node:
        yield _swap("none", place, ast.Compare(node, [ast.IsNot()], [ast.Constant(None)]), nodes)


def _of_brackets(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Brackets around the end of a term and what follows it: `w * (a + b)` for `w * a + b`."""
    node = _get(place)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        return
    term, around = node.left, []
    while isinstance(term, ast.BinOp):
        around.append(term)
        inner: ast.expr = ast.BinOp(term.right, node.op, node.right)
        for outer in reversed(around):
            inner = ast.BinOp(outer.left, outer.op, inner)
        yield _swap("brackets", place, inner, nodes)
        term = term.right


def _of_order(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Two operands, arguments, indices or lengths that change places."""
    node = _get(place)
    match node:
        case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.MatMult() | ast.Pow() as op, right=right):
            yield _swap("order", place, ast.BinOp(right, op, left), nodes)
        case ast.Call(func=func, args=args, keywords=keywords) if 2 <= len(args) <= 6 and not any(isinstance(one, ast.Starred) for one in args):
            for first, second in itertools.combinations(range(len(args)), 2):
                yield _swap("order", place, ast.Call(func, _exchanged(args, first, second), keywords), nodes)
        case ast.Subscript(value=ast.Subscript(value=value, slice=first, ctx=outer), slice=second, ctx=inner):
            yield _swap("order", place, ast.Subscript(ast.Subscript(value, second, outer), first, inner), nodes)
        case ast.Tuple(elts=elts, ctx=ast.Load()) if 2 <= len(elts) <= 5 and not any(isinstance(one, ast.Slice) for one in elts):
            for first, second in itertools.combinations(range(len(elts)), 2):
                yield _swap("order", place, ast.Tuple(_exchanged(elts, first, second), ast.Load()), nodes)
        case ast.Name(ctx=ast.Load()) if place[1] == "slice":  # an order that is to be undone
            yield _swap("order", place, ast.Call(ast.Attribute(node, "argsort", ast.Load()), [], []), nodes)


def _of_new_axes(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """One axis of length 1 more or fewer where an index makes one: `mask[:, None]`."""
    node = _get(place)
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return
    parts = node.slice.elts
    new = [at for at, one in enumerate(parts) if isinstance(one, ast.Constant) and one.value is None]
    for at in new:
        for others in ([*parts[:at], *parts[at + 1 :]], [*parts[:at], ast.Constant(None), *parts[at:]]):
            yield _swap("new_axis", place, ast.Subscript(node.value, ast.Tuple(others, ast.Load()), node.ctx), nodes)
    for first, second in itertools.combinations(range(len(parts)), 2) if new else ():
        yield _swap("new_axis", place, ast.Subscript(node.value, ast.Tuple(_exchanged(parts, first, second), ast.Load()), node.ctx), nodes)


def _exchanged(parts: list[ast.expr], first: int, second: int) -> list[ast.expr]:
    parts = list(parts)
    parts[first], parts[second] = parts[second], parts[first]
    return parts


def _of_letters(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """Another letter in what `einsum` is told."""
    node = _get(place)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "->" in node.value:
        yield from (_swap("einsum", place, ast.Constant(text), nodes) for text in _spelt_otherwise(node.value))


def _with_other_letters_everywhere(tree: ast.Module) -> Iterator[Change]:
    """Another letter in the same text, for each `einsum` that is told it."""
    found: dict[str, list[Place]] = {}
    for _, place in _places(tree):
        match _get(place):
            case ast.Constant(value=str(text)) if "->" in text:
                found.setdefault(text, []).append(place)
    for text, places in found.items():
        for other in _spelt_otherwise(text) if len(places) > 1 else ():
            yield Change(
                "einsum",
                [(place, _located(ast.Constant(other), _get(place))) for place in places],
                words=f"with `{other}` in place of `{text}` in {_lines(sorted({_get(place).lineno for place in places}))}",
            )


def _spelt_otherwise(text: str) -> Iterator[str]:
    """What `einsum` is told, with one letter changed, or with the letters of the result, or of an operand, in another order."""
    letters = sorted(set(re.findall("[a-zA-Z]", text)))
    for at, old in enumerate(text):
        if old.isalpha():
            yield from (text[:at] + new + text[at + 1 :] for new in letters if new != old)
    before, _, after = text.partition("->")
    for order in list(itertools.permutations(re.findall(r"\.\.\.|[a-zA-Z]", after)))[1:24]:
        yield f"{before}->{''.join(order)}"
    operands = before.split(",")
    for at, operand in enumerate(operands):
        for order in list(itertools.permutations(re.findall(r"\.\.\.|[a-zA-Z]", operand)))[1:24]:
            yield f"{','.join([*operands[:at], ''.join(order), *operands[at + 1 :]])}->{after}"


def _of_types(place: Place, nodes: _Nodes) -> Iterator[Change]:
    """A type that is taken from an argument, or that is not."""
    node = _get(place)
    if not isinstance(node, ast.Call):
        return
    for one in node.keywords:
        if one.arg == "dtype":
            yield Change(
                "dtype",
                [((node, "keywords"), [other for other in node.keywords if other is not one])],
                words=f"without `{ast.unparse(one)}` in `{_short(node)}`, line {node.lineno}",
                next=NEEDED,
            )
            yield _swap("dtype", (one, "value"), ast.Name("float", ast.Load()), nodes)
        elif one.arg not in (None, "axis", "dim", "keepdims", "keepdim"):
            yield Change(
                "keyword",
                [((node, "keywords"), [other for other in node.keywords if other is not one])],
                words=f"without `{ast.unparse(one)}` in `{_short(node)}`, line {node.lineno}",
                next="what does that argument do? Look it up, and take it out once you can say it",
            )
    if called(node) in ("zeros_like", "empty_like", "ones_like") and not any(one.arg == "dtype" for one in node.keywords):
        keywords = [*node.keywords, _located(ast.keyword("dtype", ast.Name("float", ast.Load())), node)]
        yield Change(
            "dtype",
            [((node, "keywords"), keywords)],
            words=f"with `dtype=float` in `{_short(node)}`, line {node.lineno}",
            next=NEEDED,
        )


def _with_other_names(function: ast.FunctionDef, nodes: _Nodes) -> Iterator[Change]:
    """A name, or an attribute of `self`, in place of another one of the function."""
    made = [one.arg for one in function.args.args] + [
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    names = [name for name in dict.fromkeys(made) if name != "self"]
    attributes = list(
        dict.fromkeys(node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self")
    )
    for parent, place in _places(function):
        node = _get(place)
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in names or (name not in {*LIBRARIES, "self"} and not isinstance(parent, ast.Call)):
                yield from (_swap("name", place, ast.Name(other, ast.Load()), nodes) for other in names if other != name)
            case ast.Constant(value=int()) if isinstance(parent, ast.Subscript) and parent.slice is node:
                yield from (_swap("name", place, ast.Name(other, ast.Load()), nodes) for other in names)
            case ast.BinOp() if isinstance(parent, ast.Slice):
                yield from (_swap("name", place, ast.Name(other, ast.Load()), nodes) for other in names)
            case ast.Attribute(value=ast.Name(id="self") as value, attr=name, ctx=ast.Load()):
                yield from (_swap("attribute", place, ast.Attribute(value, other, ast.Load()), nodes) for other in attributes if other != name)
    for parent in ast.walk(function):  # one length of a shape for another one: `x.shape[0]`
        if isinstance(parent, ast.Subscript) and isinstance(parent.value, ast.Attribute) and parent.value.attr == "shape":
            for other in names:
                yield _swap("name", (parent.value, "value"), ast.Name(other, ast.Load()), nodes)


def _with_other_lengths(function: ast.FunctionDef, nodes: _Nodes) -> Iterator[Change]:
    """The length of another axis of an argument, where a range, an array or a slice ends; in all loops that count with the same name, too."""
    arguments = [one.arg for one in function.args.args if one.arg != "self"]
    lengths = [f"{name}.shape[{axis}]" for name in arguments for axis in (0, -1, 1, -2)]
    places = [place for _, place in _places(function) if isinstance(_get(place), ast.expr)]
    ends = [place for place in places if _is_bound(place, nodes) or _is_length(_get(place))]
    for place in places:
        parent = nodes.parents.get(id(_get(place)))
        if isinstance(parent, ast.Call) and called(parent) in ("reshape", "view") and isinstance(_get(place), (ast.Name, ast.BinOp)):
            if _get(place) in parent.args:
                yield _swap("length", place, ast.Constant(-1), nodes)
    loops: dict[tuple[str, str], list[Place]] = {}
    for _, place in _places(function):
        match _get(place):
            case (
                ast.For(target=ast.Name(id=name), iter=ast.Call(args=[end]) as rounds)
                | ast.comprehension(target=ast.Name(id=name), iter=ast.Call(args=[end]) as rounds)
            ) if called(rounds) == "range":
                loops.setdefault((name, ast.unparse(end)), []).append((rounds.args, 0))
    for length in lengths:
        new = ast.parse(length, mode="eval").body
        for place in ends:
            if ast.unparse(_get(place)) != length and not isinstance(_get(place), ast.Constant):
                yield _swap("length", place, new, nodes)
        for (name, end), places in loops.items():
            if len(places) > 1 and end != length:
                yield Change(
                    "length",
                    [(place, _located(new, _get(place))) for place in places],
                    words=f"with `range({length})` in place of `range({end})` in each loop over `{name}`",
                )


def _is_length(node: ast.expr) -> bool:
    """Whether an expression is the length of an axis."""
    return (isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "shape") or called(node) == "len"


def _with_one_name_for_another(function: ast.FunctionDef, nodes: _Nodes) -> Iterator[Change]:
    """A name in place of another one, wherever that is read."""
    read: dict[str, list[Place]] = {}
    for _, place in _places(function):
        node = _get(place)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read.setdefault(node.id, []).append(place)
    made = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    arguments = {one.arg for one in function.args.args if one.arg != "self"}
    for name in sorted(made):
        for other in sorted((made | arguments) - {name}):
            if len(places := read.get(name, [])) in (2, 3):
                yield Change(
                    "name",
                    [(place, _located(ast.Name(other, ast.Load()), _get(place))) for place in places],
                    words=f"with `{other}` in place of `{name}` wherever `{name}` is read",
                )


def _with_names_exchanged(function: ast.FunctionDef, nodes: _Nodes) -> Iterator[Change]:
    """Two names that change places in a line."""
    for statement in ast.walk(function):
        if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.Return)):
            continue
        read: dict[str, list[Place]] = {}
        for _, place in _places(statement):
            node = _get(place)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in LIBRARIES:
                if called(nodes.parents.get(id(node))) != node.id:
                    read.setdefault(node.id, []).append(place)
        for one, other in itertools.combinations(read, 2):
            sets = [(place, _located(ast.Name(new, ast.Load()), _get(place))) for old, new in ((one, other), (other, one)) for place in read[old]]
            yield Change("name", sets, words=f"with `{one}` and `{other}` exchanged in line {statement.lineno}")


def _in_another_order(function: ast.FunctionDef, nodes: _Nodes) -> Iterator[Change]:
    """Two lines that change places."""
    for parent in ast.walk(function):
        body = getattr(parent, "body", None)
        for at in range(len(body) - 1) if isinstance(body, list) else ():
            first, second = body[at : at + 2]
            if isinstance(first, (ast.Assign, ast.AugAssign, ast.Expr)) and isinstance(second, (ast.Assign, ast.AugAssign, ast.Expr)):
                yield Change(
                    "lines",
                    [((parent, "body"), [*body[:at], second, first, *body[at + 2 :]])],
                    words=f"with line {second.lineno}, `{_short(second)}`, before line {first.lineno}",
                    next="what does each of the two lines need, and which of them makes it?",
                )


def _with_a_line_for_another(function: ast.FunctionDef, nodes: _Nodes) -> Iterator[Change]:
    """What is done to one name, done to another one, too: `total *= shrink` beside `mix *= shrink`."""
    made = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for parent in ast.walk(function):
        body = getattr(parent, "body", None)
        for at, line in enumerate(body) if isinstance(body, list) else ():
            match line:
                case ast.AugAssign(target=ast.Name(id=name)):
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value) if name in map(ast.unparse, (value.left, value.right)):
                    pass
                case _:
                    continue
            for other in sorted(made - {name}):
                twin = copy.deepcopy(line)
                for node in ast.walk(twin):
                    if isinstance(node, ast.Name) and node.id == name:
                        node.id = other
                yield Change(
                    "twin",
                    [((parent, "body"), [*body[: at + 1], twin, *body[at + 1 :]])],
                    words=f"with `{_short(twin)}` behind line {line.lineno}, `{_short(line)}`",
                    next="which of your names have to change together there, and why?",
                )


def _with_a_factor_for_another(function: ast.FunctionDef, nodes: _Nodes) -> Iterator[Change]:
    """A total that shrinks as another one does: `mix = mix * shrink + new` beside `total = total * shrink + more`."""
    for line in ast.walk(function):
        match line:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.BinOp(left=ast.Name(id=again), op=ast.Mult()) as product, op=ast.Add())
            ):
                factor = product.right
            case _:
                continue
        for _, place in _places(function) if again == name else ():
            match other := _get(place):
                case ast.Assign(targets=[ast.Name(id=grown)], value=ast.BinOp(left=ast.Name(id=same) as left, op=ast.Add(), right=more)) if (
                    grown == same
                ):
                    pass
                case ast.AugAssign(target=ast.Name(id=grown), op=ast.Add(), value=more):
                    left = ast.Name(grown, ast.Load())
                case _:
                    continue
            new = ast.Assign([ast.Name(grown, ast.Store())], ast.BinOp(ast.BinOp(left, ast.Mult(), factor), ast.Add(), more))
            yield Change(
                "twin",
                [(place, _located(new, other))],
                words=f"with `{grown} * {_short(factor)}` in place of `{grown}` in line {other.lineno}, as line {line.lineno} has it for `{name}`",
                next="which of your names have to change together there, and why?",
            )


def _without_lines(functions: list[ast.FunctionDef]) -> Iterator[Change]:
    """Without one line that is not the last of its block."""
    for function in functions:
        for parent in ast.walk(function):
            body = getattr(parent, "body", None)
            if not isinstance(body, list) or len(body) < 2:
                continue
            for node in body:
                if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.If)):
                    yield Change(
                        "without_line",
                        [((parent, "body"), [one for one in body if one is not node])],
                        words=f"without line {node.lineno}, `{_short(node)}`",
                        next="what does that line do to the numbers? Take it out once you can say it",
                    )


def _short(node: ast.AST) -> str:
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

"""Changes of one place, of the kinds that mend common slips: another operator, axis, number, letter or type, one step less."""

from __future__ import annotations

import ast
import copy
import itertools
import re
from collections.abc import Iterator

from attnlab.diagnosis.slips.change import LIBRARIES, LONGEST, WRAPS, Change, Nodes, Place, held_at, located, short, swap
from attnlab.diagnosis.text.expressions import called

BOUNDS = {"clip", "clamp", "maximum", "minimum", "nan_to_num"}
LARGE, MUCH_LARGER = 1e3, 1e20  # what stands for infinity in a mask; by so much more, no score comes near
LARGE_FACTOR = 5  # the same for a number with a minus sign, and for a factor: `scores - 10 * later`
ASKED = "for which inputs does that condition make a difference, and does the card ask for one?"
NEEDED = "which type do the numbers need that go in there?"
REDUCTIONS = {"sum", "max", "min", "amax", "amin", "mean", "prod", "norm", "std", "var", "any", "all", "logsumexp"}
ALONG = set("softmax log_softmax normalize argmax argmin argsort sort cumsum take repeat roll delete insert unique diff append flip".split())
AXES = {*REDUCTIONS, *ALONG, *"concatenate cat stack split".split()}
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
OTHER_NAMES = {"max": "min", "min": "max", "any": "all", "all": "any", "softmax_rows": "softmax_cols", "softmax_cols": "softmax_rows"}
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
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE),
    ast.LtE: (ast.Lt, ast.GtE, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE),
    ast.GtE: (ast.Gt, ast.LtE, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}


def of_branches(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Without a condition: one branch alone, for every input. Without what catches errors, or switches something off."""
    node = held_at(place)
    if isinstance(node, (ast.Try, ast.With)) and isinstance(place[0], list):
        holder, key = place
        parent = nodes.parents.get(id(node))
        if getattr(parent, "body", None) is holder:
            head = "try" if isinstance(node, ast.Try) else f"with {', '.join(map(ast.unparse, node.items))}"
            yield Change(
                "block",
                [((parent, "body"), [*holder[:key], *node.body, *holder[key + 1 :]])],
                words=f"with what stands under `{head}`, line {node.lineno}, alone",
                next="what does that line change? Take it out once you can say what",
            )
    for one in node.generators if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)) else ():
        if one.ifs:
            text = " ".join(f"if {short(test)}" for test in one.ifs)
            yield Change("branch", [((one, "ifs"), [])], words=f"without `{text}` in line {node.lineno}", next=ASKED)
    if isinstance(node, ast.IfExp):
        for one in (node.body, node.orelse):
            yield Change(
                "always",
                [(place, one)],
                words=f"with `{short(one)}` in every case, in line {node.lineno}",
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
                    "branch" if branch is node.orelse else "always",
                    [((parent, "body"), rest)],
                    words=f"without the lines under `if {short(node.test)}`, line {node.lineno}"
                    if branch is node.orelse
                    else f"with the lines under `if {short(node.test)}`, line {node.lineno}, in every case",
                    next=ASKED,
                )


def without(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Without a call that only changes what it is given, without a factor or a term, a minus or a `not`."""
    node = held_at(place)
    if not isinstance(node, ast.expr):
        return
    inner: list[ast.expr] = []
    match node:
        case ast.Call(func=ast.Attribute(value=library), args=[first, *_]) if called(node) in WRAPS and _is_of_library(library):
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
        case ast.Subscript(value=value, slice=ast.Compare() | ast.BoolOp() | ast.BinOp(op=ast.BitAnd() | ast.BitOr()), ctx=ast.Load()):
            inner = [value]
        case ast.Subscript(value=value, slice=index, ctx=ast.Load()) if any(isinstance(one, ast.Slice) for one in ast.walk(index)):
            inner = [] if any(isinstance(one, ast.Constant) and one.value is None for one in ast.walk(index)) else [value]
        case ast.Call(func=ast.Name(id="min" | "max"), args=[first, second]):
            inner = [first, second]
        case ast.Call(args=[_, first, second]) if called(node) == "where":
            inner = [first, second]
        case ast.BinOp(left=left, right=right, op=op) if not isinstance(op, (ast.Mod, ast.FloorDiv, ast.LShift, ast.RShift)):
            inner = [left] if isinstance(op, (ast.Sub, ast.Div, ast.Pow)) else [left, right]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number) as operand) if not isinstance(number, bool):
            yield from (swap("constant", place, ast.parse(str(other), mode="eval").body, nodes) for other in (1 - number, -1 - number))
            inner = [operand]
        case ast.UnaryOp(operand=operand):
            inner = [operand]
    for one in inner:
        change = Change("without", [(place, one)], nodes.around(node))
        if not isinstance(node, (ast.BinOp, ast.UnaryOp)) and len(ast.unparse(node)) <= LONGEST:
            change.words = f"with `{ast.unparse(one)}` alone, in place of `{ast.unparse(node)}` in line {node.lineno}"
            change.next = "what does that do? Take it out once you can say what"
        yield change


def _is_of_library(node: ast.expr) -> bool:
    """Whether something is a library, or a part of one: `np`, `torch.nn.functional`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in LIBRARIES


def with_larger_numbers(place: Place, nodes: Nodes) -> Iterator[Change]:
    """A much larger number in place of one that is large: what stands for −inf in a mask."""
    node = held_at(place)
    around = nodes.parents.get(id(node))
    around = nodes.parents.get(id(around)) if isinstance(around, (ast.UnaryOp, ast.keyword)) else around
    if called(around) in BOUNDS:  # there it is a bound, and no mask
        return
    match node:
        case ast.Constant(value=int() | float() as number) if (
            (LARGE_FACTOR if isinstance(place[0], (ast.UnaryOp, ast.BinOp)) else LARGE) <= abs(number) < float("inf")
        ):
            shown, more = _written(number), _written(float(number) * MUCH_LARGER)
            new: ast.expr = ast.Constant(float(number) * MUCH_LARGER)
        case ast.BinOp(left=ast.Constant(value=10 | 10.0 | 2 | 2.0 as base), op=ast.Pow(), right=ast.Constant(value=int() as power)) if (
            LARGE <= float(base) ** min(power, 100)
        ):
            shown, more = ast.unparse(node), f"{ast.unparse(node)} * {_written(MUCH_LARGER)}"
            new = ast.BinOp(ast.BinOp(ast.Constant(float(node.left.value)), node.op, node.right), ast.Mult(), ast.Constant(MUCH_LARGER))
        case ast.Attribute(value=ast.Call() as info, attr="min" | "max") if called(info) in ("finfo", "iinfo"):
            shown, more = ast.unparse(node), f"{ast.unparse(node)} * {_written(MUCH_LARGER)}"
            new = ast.BinOp(ast.Call(ast.Name("float", ast.Load()), [node], []), ast.Mult(), ast.Constant(MUCH_LARGER))
        case _:
            return
    yield Change(
        "larger",
        [(place, located(new, node))],
        words=f"with `{more}` in place of `{shown}` in line {node.lineno}",
        next="−inf is below every score: choose it, with `where` or `masked_fill`; multiplied with 0, it is nan",
        why=f"`{shown}` is not large enough beside scores of this size",
    )


def _written(number: float) -> str:
    """A number as one writes it: `1e9`."""
    text = f"{number:g}"
    return re.sub(r"e\+?0*", "e", text if float(text) == number else repr(float(number)).removesuffix(".0"))


def of_masks(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Ones in place of the numbers of which `tril` or `triu` keeps a part: `torch.ones_like(scores).tril()`."""
    node = held_at(place)
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy" | "torch" as library)), args=[numbers, *_]):
            where: Place = (node.args, 0)
        case ast.Call(func=ast.Attribute(value=numbers) as method):
            library, where = "torch", (method, "value")
        case _:
            return
    if called(node).strip("_") in ("tril", "triu") and not called(numbers).startswith(("ones", "full", "eye")):
        ones = ast.parse(f"{library}.ones_like(numbers)", mode="eval").body
        ones.args = [numbers]
        yield Change(
            "ones",
            [(where, located(ones, numbers))],
            words=f"with ones in place of the numbers of `{short(numbers)}`, in `{short(node)}` in line {node.lineno}",
            next="make the mask of ones: what does your line see where a score itself is 0, or below 0?",
            why="a mask follows from the places alone, and yours asks what the numbers are",
        )


def of_targets(place: Place, nodes: Nodes) -> Iterator[Change]:
    """One place alone, where a line writes into several: `s[i, j] = s[j, i] = ...`; `np.add.at`, where `a[i] += ...` has equal indices."""
    node = held_at(place)
    match node:
        case ast.Assign(targets=[_, _, *_] as targets):
            for target in targets:
                yield Change(
                    "target",
                    [((node, "targets"), [target])],
                    words=f"with `{ast.unparse(target)} = ...` alone in line {node.lineno}",
                    next="does that line have to write into all of them?",
                )
        case ast.AugAssign(target=ast.Subscript(value=value, slice=index), op=ast.Add(), value=more):
            new = ast.parse("np.add.at(0, 0, 0)").body[0]
            new.value.args = [ast.parse(ast.unparse(one), mode="eval").body for one in (value, index, more)]
            yield Change(
                "add_at",
                [(place, located(new, node))],
                words=f"with `{short(new)}` in place of line {node.lineno}",
                next="`a[i] += b` adds once for each index, however often it stands in `i`",
            )


def of_axes(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Another axis, an axis where there is none, and an axis that is kept."""
    node = held_at(place)
    if not isinstance(node, ast.Call) or called(node) not in AXES:
        return
    given = {one.arg: one for one in node.keywords}
    axis = given.get("axis") or given.get("dim")
    if axis:
        if chosen := nodes.chosen_axis(node):
            yield swap("axis", (axis, "value"), ast.Name(chosen, ast.Load()), nodes)
        for number in (-1, 0, 1, -2, 2):
            yield swap("axis", (axis, "value"), ast.Constant(number), nodes)
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
                [((node, "keywords"), [*node.keywords, located(kept, node)])],
                words=f"with `keepdims=True` in `{short(node)}`, line {node.lineno}",
                next="a reduced axis disappears, unless it is kept: which shape does the result have, and what is it combined with?",
            )
    if not axis:
        for number in (-1, 0, 1):
            for more in ([], [kept]):
                yield _with_keywords(node, [ast.keyword("axis", ast.Constant(number)), *more])


def _with_keywords(node: ast.Call, more: list[ast.keyword]) -> Change:
    """An axis where none is given."""
    return Change(
        "axis",
        [((node, "keywords"), [located(one, node) for one in (*node.keywords, *more)])],
        words=f"with `{', '.join(map(ast.unparse, more))}` in `{short(node)}`, line {node.lineno}",
        next="which numbers belong together, and along which axis do they lie? Name that one",
    )


def of_bounds(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Where numbers are kept within bounds: the largest of a line is subtracted, or the bound is added."""
    node = held_at(place)
    if not isinstance(node, ast.Call) or called(node) not in BOUNDS:
        return
    library = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id in LIBRARIES
    given = [*node.args, *(one.value for one in node.keywords)]
    if not library and isinstance(node.func, ast.Attribute):
        given.insert(0, node.func.value)
    if not given:
        return
    bounded, *bounds = given
    if len(bounds) == 1:
        yield swap("bounds", place, ast.BinOp(bounded, ast.Add(), bounds[0]), nodes)
    axis = nodes.chosen_axis(node) or "-1"
    for largest in (f"max({axis}, keepdims=True)", "max(0, keepdims=True)", f"amax({axis}, keepdim=True)", "amax(0, keepdim=True)"):
        method = ast.parse(f"numbers.{largest}", mode="eval").body
        method.func.value = bounded
        yield swap("bounds", place, ast.BinOp(bounded, ast.Sub(), method), nodes)


def with_other_constants(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Another number, or the other truth value."""
    node = held_at(place)
    match node:
        case ast.Constant(value=bool() as value):
            yield swap("constant", place, ast.Constant(not value), nodes)
        case ast.Constant(value=int() as value):
            is_compared = isinstance(nodes.parents.get(id(node)), ast.Compare)  # with a number that never comes, a comparison never holds
            for other in () if is_compared else dict.fromkeys((value - 1, value + 1, 0, 1, -1, 2, *_powers_beside(value))):
                if other != value:
                    yield swap("constant", place, ast.Constant(other), nodes)
        case ast.Constant(value=float() as old):
            for number in (0.0, 1.0, float("-inf"), float("inf"), -old, 0.5):
                if number != old and (abs(old) < 100 or abs(number) == float("inf")):
                    new: ast.expr = ast.Constant(abs(number)) if abs(number) != float("inf") else ast.parse('float("inf")', mode="eval").body
                    yield swap("constant", place, new if number >= 0 else ast.UnaryOp(ast.USub(), new), nodes)
        case ast.Tuple(elts=elts, ctx=ast.Load()) if isinstance(parent := nodes.parents.get(id(node)), ast.Subscript) and parent.slice is node:
            for at, part in enumerate(elts):
                if isinstance(part, ast.Constant) and isinstance(part.value, int):
                    yield swap("slice", place, ast.Tuple([*elts[:at], ast.Slice(), *elts[at + 1 :]], ast.Load()), nodes)
        case ast.Slice(lower=lower, upper=upper, step=step):
            if lower is not None and upper is None:
                yield swap("slice", place, ast.Slice(None, lower, step), nodes)
            if upper is not None and lower is None:
                yield swap("slice", place, ast.Slice(upper, None, step), nodes)
    more = isinstance(node, ast.expr) and not isinstance(node, (ast.Constant, ast.Slice, ast.Tuple))
    if more and is_bound(place, nodes):
        for operator in (ast.Add(), ast.Sub()):
            yield swap("bound", place, ast.BinOp(node, operator, ast.Constant(1)), nodes)
    if isinstance(node, ast.Call) and called(node) == "range" and len(node.args) == 2:
        yield swap("bound", place, ast.Call(node.func, node.args[1:], []), nodes)


def _powers_beside(value: int) -> list[int]:
    """The next powers of ten, for a power of ten with several zeros."""
    return [value // 10, 10 * value] if re.fullmatch("1000+", str(value)) else []


def is_bound(place: Place, nodes: Nodes) -> bool:
    """Whether a place is where a range or a slice begins or ends."""
    node = held_at(place)
    parent = nodes.parents.get(id(node))
    if isinstance(parent, ast.Call) and called(parent) in ("range", "arange", "zeros", "ones", "triu", "tril"):
        return node in parent.args[called(parent) in ("triu", "tril") :]  # the first one of `tril` is the table itself
    return isinstance(parent, ast.Slice)


def in_loops(place: Place, nodes: Nodes) -> Iterator[Change]:
    """A start that stands before a loop, or in it; a `return` that ends it; what adds up, and what does not."""
    node = held_at(place)
    match node:
        case ast.AugAssign(target=ast.Name() | ast.Subscript() as target, op=op, value=value):
            for kind in OPERATORS.get(type(op), ()):
                yield swap("operator", place, ast.AugAssign(target, kind(), value), nodes)
            yield swap("assigned", place, ast.Assign([target], value), nodes)
            loaded = copy.deepcopy(target)
            loaded.ctx = ast.Load()
            yield swap("in_place", place, ast.Assign([target], ast.BinOp(loaded, op, value)), nodes)
        case ast.Assign(targets=[ast.Name() | ast.Subscript() as target], value=value):
            yield swap("added", place, ast.AugAssign(target, ast.Add(), value), nodes)
        case ast.Break():
            yield swap("break", place, ast.Continue(), nodes)
    holder, key = place
    if isinstance(node, ast.For) and isinstance(holder, list):
        for start in [one for one in reversed(holder[:key]) if isinstance(one, ast.Assign)]:
            yield Change(
                "start_in_loop",
                [((node, "body"), [start, *node.body])],
                words=f"with `{short(start)}`, line {start.lineno}, moved to the top of the loop of line {node.lineno}",
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
                    words=f"with `{short(inside)}`, line {inside.lineno}, {'before' if before else 'after'} the loop of line {node.lineno}",
                    next="how often should that line run: in each round, or once?",
                )


def of_functions(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Another function of the same family."""
    node = held_at(place)
    match node:
        case ast.Attribute(value=ast.Attribute(value=library, attr="linalg"), attr="norm" | "vector_norm"):
            yield swap("function", place, ast.Attribute(library, "sum", ast.Load()), nodes)
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if name.endswith("_") and not name.startswith("_"):
            change = swap("in_place", place, ast.Attribute(value, name.rstrip("_"), ast.Load()), nodes)
            change.next = f"`{name}` writes into the tensor that it is called on: which line needs the numbers from before?"
            yield change
        case ast.Attribute(attr=name, ctx=ast.Load()):
            for pair in INSTEAD:
                if name in pair:
                    yield swap("function", place, ast.Attribute(node.value, pair[1 - pair.index(name)], ast.Load()), nodes)
        case ast.Call(keywords=keywords) if called(node) in ("var", "std") and not {"correction", "ddof", "unbiased"} & {one.arg for one in keywords}:
            yield Change(
                "correction",
                [((node, "keywords"), [*keywords, located(ast.keyword("correction", ast.Constant(0)), node)])],
                words=f"with `correction=0` in `{short(node)}`, line {node.lineno}",
                next="what is the sum of the squares divided by: by how many there are, or by one less?",
            )
        case ast.Call(func=ast.Attribute(value=library), args=[ast.BinOp(left=left, op=ast.Div(), right=right)]) if called(node) in (
            "arctan",
            "atan",
        ):
            yield swap("function", place, ast.Call(ast.Attribute(library, f"{called(node)}2", ast.Load()), [left, right], []), nodes)
        case ast.Call(func=func, args=[_, *_]) if called(node) == "argsort":
            yield swap("function", place, ast.Call(func, [node, *node.args[1:]], node.keywords), nodes)
            yield swap("function", place, ast.Call(func, [node], []), nodes)
        case ast.Name(id=name, ctx=ast.Load()) if name in OTHER_NAMES:
            yield swap("function", place, ast.Name(OTHER_NAMES[name], ast.Load()), nodes)


def of_operators(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Another operator, a transpose, a minus, `is None` for what counts as false."""
    node = held_at(place)
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            for kind in OPERATORS.get(type(op), ()):
                yield swap("operator", place, ast.BinOp(left, kind(), right), nodes)
        case ast.BoolOp(op=op, values=values):
            yield swap("operator", place, ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values), nodes)
        case ast.Compare(left=left, ops=[op], comparators=comparators):
            for other in COMPARISONS.get(type(op), ()):
                yield swap("comparison", place, ast.Compare(left, [other()], comparators), nodes)
            if isinstance(comparators[0], ast.Constant) and isinstance(op, (ast.Lt, ast.LtE)):
                yield swap("comparison", place, ast.Compare(left, [ast.Eq()], [ast.Constant(0)]), nodes)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield swap("none", place, ast.Compare(operand, [ast.Is()], [ast.Constant(None)]), nodes)
    yield from _of_brackets(place, nodes)
    parent = nodes.parents.get(id(node))
    if (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult)) or (
        isinstance(parent, (ast.Return, ast.Assign)) and place[1] == "value"
    ):
        if isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.BinOp)):
            for name in ("T", "mT"):
                yield swap("transpose", place, ast.Attribute(node, name, ast.Load()), nodes)
    if isinstance(parent, ast.Attribute) and parent.attr in ("reshape", "view", "flatten", "ravel") and isinstance(node, (ast.Name, ast.Call)):
        yield swap("transpose", place, ast.Attribute(node, "T", ast.Load()), nodes)
    if isinstance(parent, ast.Call) and called(parent) in ("matmul", "dot", "mm", "inner") and node is not parent.func:
        yield swap("transpose", place, ast.Attribute(node, "T", ast.Load()), nodes)
    signed = isinstance(parent, ast.Return) or (isinstance(parent, ast.Call) and called(parent) in ("exp", "softmax", "argsort", "append", "sum"))
    if signed and isinstance(node, (ast.Name, ast.Call, ast.BinOp, ast.Subscript)) and node is not getattr(parent, "func", None):
        yield swap("minus", place, ast.UnaryOp(ast.USub(), node), nodes)
    if isinstance(node, ast.Name) and isinstance(parent, (ast.If, ast.IfExp)) and parent.test is node:
        yield swap("none", place, ast.Compare(node, [ast.IsNot()], [ast.Constant(None)]), nodes)


def _of_brackets(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Brackets around the end of a term and what follows it: `w * (a + b)` for `w * a + b`; and the other way round."""
    node = held_at(place)
    match node:
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.MatMult() as op, right=ast.BinOp(op=ast.Add() | ast.Sub() as sign) as inside):
            yield swap("brackets", place, ast.BinOp(ast.BinOp(left, op, inside.left), sign, inside.right), nodes)
        case ast.BinOp(left=ast.BinOp(op=ast.Add() | ast.Sub() as sign) as inside, op=ast.Mult() | ast.Div() | ast.MatMult() as op, right=right):
            yield swap("brackets", place, ast.BinOp(inside.left, sign, ast.BinOp(inside.right, op, right)), nodes)
            yield swap("brackets", place, ast.BinOp(ast.BinOp(inside.left, op, right), sign, inside.right), nodes)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        return
    term, around = node.left, []
    while isinstance(term, ast.BinOp):
        around.append(term)
        inner: ast.expr = ast.BinOp(term.right, node.op, node.right)
        for outer in reversed(around):
            inner = ast.BinOp(outer.left, outer.op, inner)
        yield swap("brackets", place, inner, nodes)
        term = term.right


def of_order(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Two operands, arguments, indices or lengths that change places."""
    node = held_at(place)
    match node:
        case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.MatMult() | ast.Pow() as op, right=right):
            yield swap("order", place, ast.BinOp(right, op, left), nodes)
        case ast.Call(func=func, args=args, keywords=keywords) if 2 <= len(args) <= 6 and not any(isinstance(one, ast.Starred) for one in args):
            for first, second in itertools.combinations(range(len(args)), 2):
                yield swap("order", place, ast.Call(func, _exchanged(args, first, second), keywords), nodes)
        case ast.Subscript(value=ast.Subscript(value=value, slice=first, ctx=outer), slice=second, ctx=inner):
            yield swap("order", place, ast.Subscript(ast.Subscript(value, second, outer), first, inner), nodes)
        case ast.Tuple(elts=elts, ctx=ast.Load()) | ast.List(elts=elts, ctx=ast.Load()) if 2 <= len(elts) <= 5 and not any(
            isinstance(one, ast.Slice) for one in elts
        ):
            for first, second in itertools.combinations(range(len(elts)), 2):
                yield swap("order", place, type(node)(_exchanged(elts, first, second), ast.Load()), nodes)
        case ast.Name(ctx=ast.Load()) if place[1] == "slice":  # an order that is to be undone
            yield swap("order", place, ast.Call(ast.Attribute(node, "argsort", ast.Load()), [], []), nodes)


def of_new_axes(place: Place, nodes: Nodes) -> Iterator[Change]:
    """One axis of length 1 more or fewer where an index makes one: `mask[:, None]`; an axis that an index keeps: `x[:, [n]]`."""
    node = held_at(place)
    if isinstance(node, ast.Call) and called(node) == "unsqueeze":
        for number in (0, 1, -1):
            more = ast.Call(ast.Attribute(node, "unsqueeze", ast.Load()), [ast.Constant(number)], [])
            yield swap("new_axis", place, more, nodes)
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return
    parts = node.slice.elts
    for at, one in enumerate(parts) if isinstance(node.ctx, ast.Load) and any(isinstance(one, ast.Slice) for one in parts) else ():
        if not isinstance(one, (ast.Slice, ast.List, ast.Starred)) and not (isinstance(one, ast.Constant) and not isinstance(one.value, int)):
            kept = [*parts[:at], ast.List([one], ast.Load()), *parts[at + 1 :]]
            change = swap("axis_kept", place, ast.Subscript(node.value, ast.Tuple(kept, ast.Load()), node.ctx), nodes)
            change.next = "an index removes its axis, and a list of one index keeps it: which shape does the line need there?"
            yield change
    new = [at for at, one in enumerate(parts) if isinstance(one, ast.Constant) and one.value is None]
    for at in new:
        for others in ([*parts[:at], *parts[at + 1 :]], [*parts[:at], ast.Constant(None), *parts[at:]]):
            yield swap("new_axis", place, ast.Subscript(node.value, ast.Tuple(others, ast.Load()), node.ctx), nodes)
    for first, second in itertools.combinations(range(len(parts)), 2) if new else ():
        yield swap("new_axis", place, ast.Subscript(node.value, ast.Tuple(_exchanged(parts, first, second), ast.Load()), node.ctx), nodes)


def _exchanged(parts: list[ast.expr], first: int, second: int) -> list[ast.expr]:
    parts = list(parts)
    parts[first], parts[second] = parts[second], parts[first]
    return parts


def of_letters(place: Place, nodes: Nodes) -> Iterator[Change]:
    """Another letter in what `einsum` is told."""
    node = held_at(place)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "->" in node.value:
        yield from (swap("einsum", place, ast.Constant(text), nodes) for text in spelt_otherwise(node.value))


def spelt_otherwise(text: str) -> Iterator[str]:
    """What `einsum` is told, with one letter changed, with one more or fewer in the result, or with the letters of one term in another order."""
    letters = sorted(set(re.findall("[a-zA-Z]", text)))
    for at, old in enumerate(text):
        if old.isalpha():
            yield from (text[:at] + new + text[at + 1 :] for new in letters if new != old)
    before, _, after = text.partition("->")
    places = [at for at in range(len(after) + 1) if "." not in after[at:] or after[at:].startswith("...")]  # none within "..."
    yield from (f"{before}->{after[:at]}{new}{after[at:]}" for new in letters if new not in after for at in places)
    yield from (f"{before}->{after[:at]}{after[at + 1 :]}" for at in range(len(after)) if after[at].isalpha())
    terms = [after, *before.split(",")]
    for at, term in enumerate(terms):
        for order in list(itertools.permutations(re.findall(r"\.\.\.|[a-zA-Z]", term)))[1:24]:
            result, *operands = [*terms[:at], "".join(order), *terms[at + 1 :]]
            yield f"{','.join(operands)}->{result}"


def of_types(place: Place, nodes: Nodes) -> Iterator[Change]:
    """A type that is taken from an argument, or that is not."""
    node = held_at(place)
    if not isinstance(node, ast.Call):
        return
    for one in node.keywords:
        if one.arg == "dtype":
            yield Change(
                "dtype",
                [((node, "keywords"), [other for other in node.keywords if other is not one])],
                words=f"without `{ast.unparse(one)}` in `{short(node)}`, line {node.lineno}",
                next=NEEDED,
            )
            yield swap("dtype", (one, "value"), ast.Name("float", ast.Load()), nodes)
        elif one.arg not in (None, "axis", "dim", "keepdims", "keepdim"):
            yield Change(
                "keyword",
                [((node, "keywords"), [other for other in node.keywords if other is not one])],
                words=f"without `{ast.unparse(one)}` in `{short(node)}`, line {node.lineno}",
                next="what does that argument do? Look it up, and take it out once you can say what",
            )
    if called(node) in ("zeros_like", "empty_like", "ones_like") and not any(one.arg == "dtype" for one in node.keywords):
        keywords = [*node.keywords, located(ast.keyword("dtype", ast.Name("float", ast.Load())), node)]
        yield Change(
            "dtype",
            [((node, "keywords"), keywords)],
            words=f"with `dtype=float` in `{short(node)}`, line {node.lineno}",
            next=NEEDED,
        )

"""Changes that need a whole function, or more than one place: names and lengths, lines, the same step wherever it stands."""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from attnlab.diagnosis.slips.change import LIBRARIES, WRAPS, Change, Nodes, Place, held_at, lines_of, located, places_in, short, swap
from attnlab.diagnosis.slips.places import is_bound, spelt_otherwise
from attnlab.diagnosis.text.expressions import called, names_in


def without_everywhere(tree: ast.Module) -> Iterator[Change]:
    """Without the same step or the same argument, wherever it stands."""
    found: dict[str, list[tuple[Place, Any]]] = {}
    for _, place in places_in(tree):
        node = held_at(place)
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
            yield Change(
                "everywhere",
                sets,
                words=f"without `{text}`, which stands in {lines_of(place for place, _ in sets)}",
                next="what does that do? Take it out once you can say what",
            )


def with_the_order_in_lists(places: list[Place], nodes: Nodes) -> Iterator[Change]:
    """Two things that change places in every list of two: `cat([new, old])` in several lines."""
    lists = [place for place in places if isinstance(node := held_at(place), ast.List) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2]
    if len(lists) > 1:
        yield Change(
            "order",
            [(place, located(ast.List(held_at(place).elts[::-1], ast.Load()), held_at(place))) for place in lists],
            words=f"with `{ast.unparse(ast.List(held_at(lists[0]).elts[::-1], ast.Load()))}` in place of `{ast.unparse(held_at(lists[0]))}`, "
            f"and so in {lines_of(lists)}",
            next="which of the two comes first?",
        )


def everywhere(make: Callable[[Place, Nodes], Iterator[Change]], places: list[Place], nodes: Nodes) -> Iterator[Change]:
    """The first change of a kind at each place, all at once, where there are several."""
    found: dict[str, list[Change]] = {}
    for place in places:
        if change := next(make(place, nodes), None):
            found.setdefault(change.kind, []).append(change)
    for kind, same in found.items():
        if len(same) > 1:
            sets = [one for change in same for one in change.sets]
            words = f"{same[0].words}, and the same in {lines_of(place for place, _ in sets[1:])}"
            yield Change(kind, sets, words=words, next=same[0].next)


def with_transposes(tree: ast.Module) -> Iterator[Change]:
    """Cut the other way round and transposed, for each `reshape` to a matrix: `reshape(n, k).T` for `reshape(k, n)`; to more axes: `.mT`."""
    found: dict[str, list[tuple[Place, Any]]] = {}
    for _, place in places_in(tree):
        match node := held_at(place):
            case ast.Call(func=ast.Attribute(attr="reshape" | "view" as name, value=value), args=[_, _, _, *_] as lengths):
                words = f"with `.mT` in place of `.{name}({', '.join(map(ast.unparse, lengths))})`"
                found.setdefault(words, []).append((place, located(ast.Attribute(value, "mT", ast.Load()), node)))
            case ast.Call(func=ast.Attribute(attr="reshape" | "view" as name, value=value) as func, args=[ast.Tuple(elts=[one, two])] | [one, two]):
                if not (isinstance(value, ast.Name) and value.id in LIBRARIES):
                    first, second = map(ast.unparse, (one, two))
                    words = f"with `.{name}({second}, {first}).T` in place of `.{name}({first}, {second})`"
                    new = ast.Attribute(ast.Call(func, [two, one], []), "T", ast.Load())
                    found.setdefault(words, []).append((place, located(new, node)))
    for words, sets in found.items():
        for some in [[one] for one in sets] + ([sets] if len(sets) > 1 else []):
            yield Change(
                "transpose",
                some,
                words=f"{words} in {lines_of(place for place, _ in some)}",
                next="`reshape` keeps the order of the numbers and cuts it anew: which axis comes first there?",
            )


def with_matrix_products(tree: ast.Module) -> Iterator[Change]:
    """`@` in place of `*`, wherever two names meet."""
    products: list[tuple[Place, Any]] = []
    for _, place in places_in(tree):
        match node := held_at(place):
            case ast.BinOp(op=ast.Mult(), left=ast.Name() as left, right=ast.Name() as right):
                products.append((place, located(ast.BinOp(left, ast.MatMult(), right), node)))
    if len(products) > 1:
        yield Change(
            "everywhere",
            products,
            words=f"with `@` in place of `*` in {lines_of(place for place, _ in products)}",
            next="`*` multiplies entry by entry, `@` rows with columns: which one is meant?",
        )


def with_counters(tree: ast.Module) -> Iterator[Change]:
    """The number of the round in place of the first place that holds an equal entry: `tokens.index(token)`."""
    for loop in ast.walk(tree):
        if not isinstance(loop, (ast.For, ast.comprehension)) or not isinstance(loop.target, ast.Name):
            continue
        body = loop.body if isinstance(loop, ast.For) else [one for one in ast.walk(tree) if loop in getattr(one, "generators", ())]
        for statement in body:
            for _, place in places_in(statement):
                match node := held_at(place):
                    case ast.Call(func=ast.Attribute(attr="index"), args=[ast.Name(id=name)]) if name == loop.target.id:
                        counter = ast.Name(f"number_of_{name}", ast.Load())
                        target = ast.Tuple([ast.Name(counter.id, ast.Store()), loop.target], ast.Store())
                        rounds = ast.Call(ast.Name("enumerate", ast.Load()), [loop.iter], [])
                        yield Change(
                            "counter",
                            [
                                (place, located(counter, node)),
                                ((loop, "target"), located(target, loop.target)),
                                ((loop, "iter"), located(rounds, loop.iter)),
                            ],
                            words=f"with the number of the round in place of `{short(node)}` in line {node.lineno}",
                            next="`index` finds the first of several equal entries; `enumerate` counts the rounds",
                        )


def with_other_letters_everywhere(tree: ast.Module) -> Iterator[Change]:
    """Another letter in the same text, for each `einsum` that is told it."""
    found: dict[str, list[Place]] = {}
    for _, place in places_in(tree):
        match held_at(place):
            case ast.Constant(value=str(text)) if "->" in text:
                found.setdefault(text, []).append(place)
    for text, places in found.items():
        for other in spelt_otherwise(text) if len(places) > 1 else ():
            yield Change(
                "einsum",
                [(place, located(ast.Constant(other), held_at(place))) for place in places],
                words=f"with `{other}` in place of `{text}` in {lines_of(places)}",
            )


def with_other_names(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """A name, or an attribute of `self`, in place of another one of the function."""
    made = [one.arg for one in function.args.args] + [
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    names = [name for name in dict.fromkeys(made) if name != "self"]
    attributes = list(
        dict.fromkeys(node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self")
    )
    for parent, place in places_in(function):
        node = held_at(place)
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in names or (name not in {*LIBRARIES, "self"} and not isinstance(parent, ast.Call)):
                yield from (swap("name", place, ast.Name(other, ast.Load()), nodes) for other in names if other != name)
            case ast.Constant(value=int()) if isinstance(parent, ast.Subscript) and parent.slice is node:
                yield from (swap("name", place, ast.Name(other, ast.Load()), nodes) for other in names)
            case ast.BinOp() if isinstance(parent, ast.Slice):
                yield from (swap("name", place, ast.Name(other, ast.Load()), nodes) for other in names)
            case ast.Attribute(value=ast.Name(id="self") as value, attr=name, ctx=ast.Load()):
                yield from (swap("attribute", place, ast.Attribute(value, other, ast.Load()), nodes) for other in attributes if other != name)
    for parent in ast.walk(function):  # one length of a shape for another one: `x.shape[0]`
        if isinstance(parent, ast.Subscript) and isinstance(parent.value, ast.Attribute) and parent.value.attr == "shape":
            for other in names:
                yield swap("name", (parent.value, "value"), ast.Name(other, ast.Load()), nodes)


def with_other_lengths(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """The length of another axis of an argument, where a range, an array or a slice ends; in all loops that count with the same name, too."""
    arguments = [one.arg for one in function.args.args if one.arg != "self"]
    lengths = [f"{name}.shape[{axis}]" for name in arguments for axis in (0, -1, 1, -2)]
    places = [place for _, place in places_in(function) if isinstance(held_at(place), ast.expr)]
    ends = [place for place in places if is_bound(place, nodes) or _is_length(held_at(place))]
    for place in places:
        parent = nodes.parents.get(id(held_at(place)))
        if isinstance(parent, ast.Call) and called(parent) in ("reshape", "view") and isinstance(held_at(place), (ast.Name, ast.BinOp)):
            if held_at(place) in parent.args:
                yield swap("length", place, ast.Constant(-1), nodes)
    loops: dict[tuple[str, str], list[Place]] = {}
    for _, place in places_in(function):
        match held_at(place):
            case (
                ast.For(target=ast.Name(id=name), iter=ast.Call(args=[end]) as rounds)
                | ast.comprehension(target=ast.Name(id=name), iter=ast.Call(args=[end]) as rounds)
            ) if called(rounds) == "range":
                loops.setdefault((name, ast.unparse(end)), []).append((rounds.args, 0))
    made = [*arguments, *sorted(names_in(function, ast.Store))]
    for place in places:
        match held_at(place):
            case ast.Name(id=name, ctx=ast.Load()) | ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if _is_under_a_root(place, nodes):
                for other in made:
                    for axis in (-1, 0, -2):
                        yield swap("length", place, ast.parse(f"{other}.shape[{axis}]", mode="eval").body, nodes)
            case ast.BinOp(left=left, op=ast.FloorDiv() | ast.Mod() as op, right=ast.Name() as right):
                for other in made:
                    if other != right.id:
                        group = ast.BinOp(ast.Name(other, ast.Load()), ast.FloorDiv(), right)
                        yield swap("length", place, ast.BinOp(left, op, group), nodes)
    for place in places:
        match held_at(place):
            case ast.Constant(value=int() as value) if value > 1:
                for name in arguments:
                    yield swap("length", place, ast.BinOp(ast.Name(name, ast.Load()), ast.Sub(), ast.Constant(1)), nodes)
    for length in lengths:
        new = ast.parse(length, mode="eval").body
        for place in ends:
            if ast.unparse(held_at(place)) != length and not isinstance(held_at(place), ast.Constant):
                yield swap("length", place, new, nodes)
        for (name, end), places in loops.items():
            if len(places) > 1 and end != length:
                yield Change(
                    "length",
                    [(place, located(new, held_at(place))) for place in places],
                    words=f"with `range({length})` in place of `range({end})` in each loop over `{name}`",
                )


def _is_under_a_root(place: Place, nodes: Nodes) -> bool:
    """Whether a square root is taken of what stands at a place."""
    parent = nodes.parents.get(id(held_at(place)))
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Pow) and place[1] == "left"
    return isinstance(parent, ast.Call) and called(parent) in ("sqrt", "rsqrt")


def _is_length(node: ast.expr) -> bool:
    """Whether an expression is the length of an axis."""
    return (isinstance(node, ast.Subscript) and getattr(node.value, "attr", "") == "shape") or called(node) == "len"


def with_one_name_for_another(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """A name in place of another one, wherever that is read."""
    read, made = _reads(function), names_in(function, ast.Store)
    arguments = {one.arg for one in function.args.args if one.arg != "self"}
    for name in sorted(made):
        for other in sorted((made | arguments) - {name}):
            if len(places := read.get(name, [])) in (2, 3):
                yield Change(
                    "name",
                    [(place, located(ast.Name(other, ast.Load()), held_at(place))) for place in places],
                    words=f"with `{other}` in place of `{name}` wherever `{name}` is read",
                )


def _reads(tree: ast.AST) -> dict[str, list[Place]]:
    """Where each name is read."""
    found: dict[str, list[Place]] = {}
    for _, place in places_in(tree):
        node = held_at(place)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(place)
    return found


def with_names_that_stay(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """What does not change from round to round, in place of what a loop changes: a name that it writes into, or that it gives a new value."""
    arguments = [one.arg for one in function.args.args if one.arg != "self"]
    for loop in ast.walk(function):
        if not isinstance(loop, (ast.For, ast.While)):
            continue
        read = _reads(ast.Module(loop.body, []))
        written = {ast.unparse(held_at(place)) for place in _written_into(loop)}
        for name in sorted(written):
            places = [place for place in read.get(name, []) if held_at(place) not in map(held_at, _written_into(loop))]
            for other in dict.fromkeys([*arguments, *sorted(names_in(function, ast.Store))]) if places else ():
                if other != name:
                    yield Change(
                        "name",
                        [(place, located(ast.Name(other, ast.Load()), held_at(place))) for place in places],
                        words=f"with `{other}` in place of `{name}` wherever the loop of line {loop.lineno} reads it",
                        next=f"`{name}` changes in every round: what do later rounds read there?",
                    )
        yield from _names_of_the_round(loop)


def _written_into(loop: ast.For | ast.While) -> list[Place]:
    """Where a loop writes into an entry of a name: `y[i] = ...`."""
    return [
        place
        for parent, place in places_in(loop)
        if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store) and isinstance(held_at(place), ast.Name) and place[1] == "value"
    ]


def _names_of_the_round(loop: ast.For | ast.While) -> Iterator[Change]:
    """A name of its own for what a round makes of a name that the next round needs as it was: `window = tokens[-4:]` for `tokens = tokens[-4:]`."""
    for at, statement in enumerate(loop.body):
        for name in (
            sorted(names_in(statement, ast.Store) & names_in(statement)) if isinstance(statement, (ast.Assign, ast.AugAssign, ast.If)) else ()
        ):
            made = f"{name}_of_the_round"
            copied = located(ast.Assign([ast.Name(made, ast.Store())], ast.Name(name, ast.Load())), statement)
            body, renamed = [*loop.body[:at], copied], True
            for number, line in enumerate(loop.body[at:]):
                renamed = renamed and not (number and name in names_in(line, ast.Store))
                body.append(_renamed(line, name, made) if renamed else line)
            yield Change(
                "name_of_the_round",
                [((loop, "body"), body)],
                words=f"with a name of its own for what line {_line_of(statement, name)} makes, in place of `{name}`",
                next=f"the next round begins with what this one left in `{name}`: what should it begin with?",
            )


def _line_of(statement: ast.stmt, name: str) -> int:
    return next(node.lineno for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))


def _renamed(line: ast.stmt, name: str, other: str) -> ast.stmt:
    """The same line with another name, or an entry such as `y[i]`, in place of a name."""
    return _Renaming(name, other).visit(copy.deepcopy(line))


class _Renaming(ast.NodeTransformer):
    def __init__(self, name: str, other: str):
        self._name, self._other = name, other

    def visit_Name(self, node: ast.Name) -> ast.expr:  # as ast calls it
        if node.id != self._name:
            return node
        new = ast.parse(self._other, mode="eval").body
        new.ctx = node.ctx
        return located(new, node)


def with_lists(tree: ast.Module) -> Iterator[Change]:
    """A list in place of what can be read only once: `list(map(...))`."""
    for _, place in places_in(tree):
        node = held_at(place)
        if isinstance(node, ast.GeneratorExp) or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("map", "filter", "zip", "reversed", "enumerate", "iter")
        ):
            yield Change(
                "read_once",
                [(place, located(ast.Call(ast.Name("list", ast.Load()), [node], []), node))],
                words=f"with `list(...)` around `{short(node)}` in line {node.lineno}",
                next="after one loop over it, such a thing is empty: which of your lines reads it first, and which one finds nothing?",
            )


def with_names_exchanged(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """Two names that change places in a line."""
    for statement in ast.walk(function):
        if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.Return)):
            continue
        used = {
            name: [place for place in places if called(nodes.parents.get(id(held_at(place)))) != name]
            for name, places in _reads(statement).items()
            if name not in LIBRARIES
        }
        read = {name: places for name, places in used.items() if places}
        for one, other in itertools.combinations(read, 2):
            sets = [(place, located(ast.Name(new, ast.Load()), held_at(place))) for old, new in ((one, other), (other, one)) for place in read[old]]
            yield Change("name", sets, words=f"with `{one}` and `{other}` exchanged in line {statement.lineno}")


def in_another_order(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """Two lines that change places."""
    for parent in ast.walk(function):
        body = getattr(parent, "body", None)
        for at in range(len(body) - 1) if isinstance(body, list) else ():
            first, second = body[at : at + 2]
            if isinstance(first, (ast.Assign, ast.AugAssign, ast.Expr)) and isinstance(second, (ast.Assign, ast.AugAssign, ast.Expr)):
                yield Change(
                    "lines",
                    [((parent, "body"), [*body[:at], second, first, *body[at + 2 :]])],
                    words=f"with line {second.lineno}, `{short(second)}`, before line {first.lineno}",
                    next="what does each of the two lines need, and which of them makes it?",
                )


def with_a_line_for_another(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """What is done to one name, done to another one, too: `total *= shrink` beside `mix *= shrink`."""
    grown = {ast.unparse(line.target) for line in ast.walk(function) if isinstance(line, ast.AugAssign)}  # `y[i]` among them
    made = names_in(function, ast.Store) | grown
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
                twin = _renamed(line, name, other)
                yield Change(
                    "twin",
                    [((parent, "body"), [*body[: at + 1], twin, *body[at + 1 :]])],
                    words=f"with `{short(twin)}` behind line {line.lineno}, `{short(line)}`",
                    next="which of your names have to change together there, and why?",
                )


def with_a_factor_for_another(function: ast.FunctionDef, nodes: Nodes) -> Iterator[Change]:
    """A total that shrinks as another one does: `mix = mix * shrink + new` beside `total = total * shrink + more`."""
    for line in ast.walk(function):
        match line:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.BinOp(left=ast.Name(id=again), op=ast.Mult()) as product, op=ast.Add())
            ):
                factor = product.right
            case _:
                continue
        for _, place in places_in(function) if again == name else ():
            match other := held_at(place):
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
                [(place, located(new, other))],
                words=f"with `{grown} * {short(factor)}` in place of `{grown}` in line {other.lineno}, as line {line.lineno} has it for `{name}`",
                next="which of your names have to change together there, and why?",
            )


def without_lines(functions: list[ast.FunctionDef]) -> Iterator[Change]:
    """Without one line that is not the last of its block."""
    for function in functions:
        for parent in ast.walk(function):
            body = getattr(parent, "body", None)
            if not isinstance(body, list) or len(body) < 2:
                continue
            for node in body:
                if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For)):
                    yield Change(
                        "without_line",
                        [((parent, "body"), [one for one in body if one is not node])],
                        words=f"without line {node.lineno}, `{short(node)}`",
                        next="what does that line do? Take it out once you can say what",
                    )

"""Single expressions in an answer's text that do something else than they seem to: what binds first, functions and methods, types."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from attnlab.diagnosis.cause import Cause, unknown


@dataclass(frozen=True)
class Fact:
    """What stands in a line and what it does.

    Attributes:
        id: of the cause that it is.
        line: its number in the cell.
        said: "`...` is read as `...`", to stand behind "in line 3, ".
        next: what to do.
        is_certain: whether no right answer would have it.
    """

    id: str
    line: int
    said: str
    next: str
    is_certain: bool = True

    def as_cause(self) -> Cause:
        """The cause that it is; a hint where it is not certain."""
        if self.is_certain:
            return Cause(self.id, f"in line {self.line}, {self.said}", self.next)
        return unknown(self.id, self.next, f"look first at line {self.line}: {self.said}")


Node = ast.FunctionDef | ast.AsyncFunctionDef


def is_number(node: ast.AST) -> bool:
    return (isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and is_number(node.operand)
    )


Loop = ast.For | ast.While


def names_in(node: ast.AST, kind: type = ast.Load) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, kind)}


def loops_of(function: ast.AST) -> list[Loop]:
    return [node for node in ast.walk(function) if isinstance(node, (ast.For, ast.While))]


def head_of(loop: Loop) -> str:
    return f"for {ast.unparse(loop.target)} in {ast.unparse(loop.iter)}" if isinstance(loop, ast.For) else f"while {ast.unparse(loop.test)}"


def inside(loop: Loop) -> list[ast.AST]:
    return [part for statement in loop.body for part in ast.walk(statement)]


def called(call: ast.AST) -> str:
    """What is called, without what stands before the dot."""
    if not isinstance(call, ast.Call):
        return ""
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def given_once(tree: ast.AST) -> dict[str, ast.expr]:
    """The names that nothing but one `name = value` gives a value, each with it."""
    stores = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and stores[target.id] == 1
    }


def powers(function: Node) -> Iterator[Fact]:
    """`d ** 1 / 2`: the power binds tighter than the division."""
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Pow):
            is_root = is_number(node.left.right) and abs(ast.literal_eval(node.left.right)) == 1 and is_number(node.right)
            is_open = not is_number(node.left.right) and is_number(node.left.left)  # `10000 ** i / k`
            if (is_root or is_open) and not _bracketed(node.left, node):
                read, meant = f"({ast.unparse(node.left)}) / {ast.unparse(node.right)}", _meant(node)
                yield Fact(
                    "expressions.fraction_exponent_without_brackets",
                    node.lineno,
                    f"Python reads `{ast.unparse(node)}` as `{read}`: a power binds tighter than a division",
                    f"put brackets around the exponent: `{meant}`",
                    is_root,
                )
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and isinstance(node.left, ast.BinOp)
            and isinstance(node.left.op, (ast.Div, ast.Mult))
        ):
            power = node.left.right
            if (
                isinstance(power, ast.BinOp)
                and isinstance(power.op, ast.Pow)
                and is_number(node.right)
                and is_number(power.right)
                and abs(ast.literal_eval(power.right)) == 1
                and not _bracketed(node.left, node)
            ):
                yield Fact(
                    "expressions.fraction_exponent_without_brackets",
                    node.lineno,
                    f"Python reads `{ast.unparse(node)}` as `({ast.unparse(node.left)}) / {ast.unparse(node.right)}`: "
                    f"a power binds tighter than a division, so `{ast.unparse(power)}` is not a root",
                    f"put brackets around the exponent: `{ast.unparse(power.left)} ** ({ast.unparse(power.right)} / {ast.unparse(node.right)})`",
                )
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, (ast.Add, ast.Sub))
            and isinstance(node.right, ast.BinOp)
            and isinstance(node.right.op, ast.Mod)
            and is_number(node.right.left)
        ):
            yield Fact(
                "expressions.modulo_binds_tighter",
                node.lineno,
                f"Python reads `{ast.unparse(node)}` as `{ast.unparse(node.left)} {'+' if isinstance(node.op, ast.Add) else '-'} "
                f"({ast.unparse(node.right)})`: `%` binds like a division",
                "put brackets around the whole left side: `(... + ...) % n`",
            )
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.BitXor)
            and any(map(is_number, ast.walk(node)))
            and not any(isinstance(part, ast.Compare) for part in ast.walk(node))
        ):
            yield Fact(
                "expressions.xor_for_power",
                node.lineno,
                f"`{ast.unparse(node)}` is not a power: `^` compares the binary digits of whole numbers",
                "write a power with `**`",
            )


def _bracketed(left: ast.BinOp, whole: ast.BinOp) -> bool:
    """Whether brackets stand around the power already, as somebody writes who knows."""
    return left.col_offset != whole.col_offset or left.lineno != whole.lineno


def _meant(node: ast.BinOp) -> str:
    left = node.left
    assert isinstance(left, ast.BinOp)
    return f"{ast.unparse(left.left)} ** ({ast.unparse(left.right)} / {ast.unparse(node.right)})"


def choices(function: Node) -> Iterator[Fact]:
    """`variant == "a" or "b"`, `axis or -1`, and `variant is name`."""
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and _may_be_equal(node.left, node.comparators[0]):
            equal = "==" if isinstance(node.ops[0], ast.Is) else "!="
            yield Fact(
                "expressions.is_for_equal",
                node.lineno,
                f"`{ast.unparse(node)}` asks whether both are one and the same object, and two equal values may be two objects",
                f"compare with `{equal}`",
            )
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)) and _is_joined(node.comparators[0]):
            yield Fact(
                "expressions.texts_without_comma",
                node.lineno,
                f"Python joins the texts behind `in` to one, {ast.unparse(node.comparators[0])}, and asks whether this one text contains the other",
                "put a comma between them, and brackets around",
            )
        if not isinstance(node, ast.BoolOp):
            continue
        constants = [part for part in node.values if isinstance(part, ast.Constant) and not isinstance(part.value, bool)]
        if constants and isinstance(node.op, ast.Or) and any(isinstance(part, ast.Compare) for part in node.values) and constants[0].value:
            yield Fact(
                "expressions.or_constant_always_true",
                node.lineno,
                f"`{ast.unparse(node)}` is always true: `{ast.unparse(constants[0])}` alone counts as true",
                "write a comparison on both sides of `or`, or use `in (..., ...)`",
            )
        elif (
            isinstance(node.op, ast.Or)
            and isinstance(node.values[0], ast.Name)
            and len(constants) == 1 == len(node.values) - 1
            and constants[0].value != 0
        ):
            name = node.values[0].id
            yield Fact(
                "expressions.zero_replaced_by_default",
                node.lineno,
                f"`{ast.unparse(node)}` is also `{ast.unparse(constants[0])}` when `{name}` is 0, because 0 counts as false",
                f"write `if {name} is None`",
            )
        compared = [
            part
            for part in node.values
            if isinstance(part, ast.Compare)
            and len(part.ops) == 1
            and isinstance(part.ops[0], ast.NotEq)
            and isinstance(part.comparators[0], ast.Constant)
        ]
        if (
            isinstance(node.op, ast.Or)
            and len(compared) == len(node.values)
            and len({ast.unparse(part.left) for part in compared}) == 1
            and len({ast.unparse(part.comparators[0]) for part in compared}) > 1
        ):
            yield Fact(
                "expressions.or_unequal_always_true",
                node.lineno,
                f"`{ast.unparse(node)}` is always true: nothing is equal to both",
                "use `and`, or `not in (..., ...)`",
            )


def _is_joined(node: ast.expr) -> bool:
    """Whether a text stands there as several pieces, which Python joins."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and (node.end_col_offset or 0) - node.col_offset > len(repr(node.value)) + 1


ALONE = ("None", "True", "False", "Ellipsis")  # of these there is one each


def _may_be_equal(*nodes: ast.expr) -> bool:
    """Whether the two sides of an `is` may be values that are equal and not the same: not None, True, False, `...` or a type."""
    return not any(isinstance(node, (ast.Call, ast.Attribute)) or (isinstance(node, ast.Constant) and repr(node.value) in ALONE) for node in nodes)


def generators(function: Node) -> Iterator[Fact]:
    """`np.array(... for ...)` holds the generator itself."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and called(node) in ("array", "asarray") and node.args and isinstance(node.args[0], ast.GeneratorExp):
            yield Fact(
                "expressions.array_of_generator",
                node.lineno,
                f"`{ast.unparse(node.func)}(... for ...)` gets a generator, and NumPy stores the generator itself as a single entry",
                "make it a list: put square brackets around `... for ...`",
            )


def copies(function: Node) -> Iterator[Fact]:
    """`[[0] * k] * T` and `[Linear(...)] * 3`: one object several times."""
    made = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and called(node.value)[:1].isupper()
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    in_arrays = {part for node in ast.walk(function) if called(node) in ("array", "tensor", "asarray") for part in ast.walk(node)}
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and node not in in_arrays:  # these copy what they are given
            for part in (node.left, node.right):
                if (
                    isinstance(part, ast.List)
                    and len(part.elts) == 1
                    and (
                        isinstance(part.elts[0], (ast.List, ast.ListComp, ast.Dict))
                        or _is_list_times(part.elts[0])
                        or called(part.elts[0])[:1].isupper()
                        or (isinstance(part.elts[0], ast.Name) and part.elts[0].id in made)
                    )
                ):
                    yield Fact(
                        "expressions.same_object_repeated",
                        node.lineno,
                        f"`{ast.unparse(node)}` holds the same object several times: a change to one is a change to all",
                        "make a new object each time: `[... for _ in range(...)]`",
                        function.name == "__init__" or not called(part.elts[0])[:1].isupper(),
                    )
        if isinstance(node, ast.Assign) and len(node.targets) > 1 and isinstance(node.value, (ast.Call, ast.List, ast.BinOp)):
            names = [ast.unparse(target) for target in node.targets]
            if any(name.startswith("self.") for name in names) or _changed(function, names):
                told = " and ".join(f"`{name}`" for name in names)
                yield Fact(
                    "expressions.chained_assignment_shares_object",
                    node.lineno,
                    f"{told} are two names for the same object: a change to one is a change to the other",
                    "make each of them on a line of its own",
                )


def _is_list_times(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and any(isinstance(part, ast.List) for part in (node.left, node.right))


def _changed(function: Node, names: list[str]) -> bool:
    """Whether a part of one of the arrays is assigned, or one is changed in place."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) in names:
            return True
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) in names:
            return True
    return False


EXPRESSIONS: tuple[Callable[[Node], Iterator[Fact]], ...] = (choices, powers, generators, copies)


IN_PLACE = {"shuffle", "reverse", "extend", "fill_diagonal", "copyto"}
NEW_ONES = {
    "reshape",
    "transpose",
    "swapaxes",
    "view",
    "permute",
    "astype",
    "float",
    "masked_fill",
    "softmax",
    "exp",
    "squeeze",
    "unsqueeze",
    "flatten",
    "where",
    "tril",
    "triu",
    "expand_dims",
    "log",
    "sqrt",
    "contiguous",
    "to",
    "roll",
    "div",
    "mul",
    "concatenate",
    "stack",
    "cat",
}
RANDOM = {"dropout"}


def spelling(function: Node) -> Iterator[Fact]:
    """Numbers and functions that are nearly the right ones."""
    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 2.7 <= node.value <= 2.72:
            yield Fact(
                "expressions.inexact_e",
                node.lineno,
                f"`{node.value}` is not exactly e, which is 2.718281828…: every power of it is slightly off",
                "write `np.exp(...)`",
            )
        if (
            called(node) in ("maximum", "minimum")
            and isinstance(node, ast.Call)
            and len(node.args) > 1
            and (ast.unparse(node.args[1]) in ("axis", "dim", "-1") or any(keyword.arg in ("axis", "dim") for keyword in node.keywords))
        ):
            short = called(node)[:3]
            yield Fact(
                "expressions.maximum_given_axis",
                node.lineno,
                f"`{ast.unparse(node)}` compares each entry with the number `{ast.unparse(node.args[1])}`: "
                f"`{called(node)}` takes two arrays and no axis",
                f"for the {'largest' if short == 'max' else 'smallest'} number along an axis, use `np.{short}`",
            )
        if (
            isinstance(node, ast.Call)
            and called(node) == "roll"
            and ast.unparse(node.func).startswith("np.")
            and len(node.args) == 2
            and not node.keywords
        ):
            yield Fact(
                "expressions.roll_without_axis",
                node.lineno,
                f"`{ast.unparse(node)}` has no `axis`, so it rolls all numbers as one long row",
                "add `axis=0` or `axis=1`",
                False,
            )
        if isinstance(node, ast.Call) and called(node) in RANDOM:
            yield Fact(
                "expressions.dropout_applied",
                node.lineno,
                f"`{ast.unparse(node)}` sets numbers to zero at random in every call",
                "does the card ask for that?",
                False,
            )


def transposed_by_reshape(function: Node) -> Iterator[Fact]:
    """`x.reshape(k, T)` of an array whose shape is (T, k)."""
    shapes = {}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Attribute)
            and node.value.attr == "shape"
        ):
            shapes[ast.unparse(node.value.value)] = [ast.unparse(one) for one in node.targets[0].elts]
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and called(node) in ("reshape", "view") and isinstance(node.func, ast.Attribute):
            lengths = node.args[0].elts if len(node.args) == 1 and isinstance(node.args[0], ast.Tuple) else node.args
            texts, base = [ast.unparse(one) for one in lengths], ast.unparse(node.func.value)
            own = shapes.get(base) or [f"{base}.shape[{place}]" for place in range(len(texts))]
            if len(texts) > 1 and texts != own and texts == [*own[:-2], *own[-2:][::-1]]:
                yield Fact(
                    "expressions.reshape_for_transpose",
                    node.lineno,
                    f"`{ast.unparse(node)}` keeps the numbers in their order and only cuts them into different rows: it does not swap axes",
                    "to swap the last two axes, use a transpose",
                )


def thrown_away(function: Node) -> Iterator[Fact]:
    """A line that makes something and keeps nothing of it; a value of what only changes its object."""
    tried = {part for node in ast.walk(function) if isinstance(node, (ast.Try, ast.With)) for one in node.body for part in ast.walk(one)}
    gives = function.name == "__init__" or any(isinstance(node, (ast.Return, ast.Yield)) for node in ast.walk(function))
    for node in ast.walk(function):
        if isinstance(node, ast.Expr) and node not in tried:  # there it may stand for the exception or warning that it gives
            value = node.value
            is_new = isinstance(value, ast.Call) and called(value) in NEW_ONES and not any(keyword.arg == "out" for keyword in value.keywords)
            if is_new or isinstance(value, (ast.Compare, ast.BinOp)) or (isinstance(value, ast.Attribute) and value.attr in ("T", "mT")):
                hint = "; use a single `=` to name it" if isinstance(value, ast.Compare) else ""
                yield Fact(
                    "expressions.result_thrown_away",
                    node.lineno,
                    f"`{ast.unparse(value)}` makes a new value, but no name keeps it{hint}",
                    "give the result a name: `... = ...`" if gives or node is not function.body[-1] else "write `return` in front of that line",
                )
        if isinstance(node, ast.Assign) and called(node.value) in IN_PLACE and isinstance(node.targets[0], ast.Name):
            yield Fact(
                "expressions.in_place_call_assigned",
                node.lineno,
                f"`{ast.unparse(node.value)}` changes its object and gives None, so `{node.targets[0].id}` is None",
                "do that on a line of its own, and continue with the object",
            )


COPYING = {"copy", "clone", "astype", "double", "float", "tolist", "deepcopy"}
PLACES = {"nonzero", "argwhere", "flatnonzero"}
MANY_PLACES = PLACES | {"argsort", "sort", "topk", "argpartition", "randperm", "permutation", "where"}


def lost_writes(function: Node) -> Iterator[Fact]:
    """`z[order][2:] = 0` and `x.clone()[0] = 1`: what is written into is a copy that no name keeps."""
    several = {
        name.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and called(node.value) in MANY_PLACES
        for name in ast.walk(node.targets[0])
        if isinstance(name, ast.Name)
    }

    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=owner, ctx=ast.Store()):
                pass
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=name))) if name.endswith("_"):
                pass
            case _:
                continue
        if made := _copy_in(owner, several):
            yield Fact(
                "expressions.written_into_copy",
                node.lineno,
                f"`{ast.unparse(made)}` makes a new array, and `{ast.unparse(node)}` writes into that one: no name keeps it",
                f"write into `{ast.unparse(made.value)}` with one index"
                if isinstance(made, ast.Subscript)
                else "give the new array a name first, and write into it",
            )


def _copy_in(owner: ast.expr, several: set[str]) -> ast.Subscript | ast.Call | None:
    """What makes a copy among all that is indexed: a method, or an index that picks out entries one by one, by a condition or by what was sorted."""
    while isinstance(owner, ast.Subscript):
        for index in owner.slice.elts if isinstance(owner.slice, ast.Tuple) else [owner.slice]:
            while isinstance(index, ast.Subscript) and isinstance(index.slice, ast.Slice):
                index = index.value
            if isinstance(index, ast.Compare) or called(index) in MANY_PLACES or (isinstance(index, ast.Name) and index.id in several):
                return owner
        owner = owner.value
    return owner if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute) and called(owner) in COPYING else None


def scaled_again(function: Node) -> Iterator[Fact]:
    """`scaled_dot_product_attention(q / d ** 0.5, k, v)`: that function divides the scores itself."""
    names = given_once(function)
    calls = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and called(node) == "scaled_dot_product_attention"
        and len(node.args) < 7
        and not any(keyword.arg in ("scale", None) for keyword in node.keywords)
    ]
    given, seen = [*calls[:1]], set[str]()
    for one in given:  # what goes into the call, and into the names in it
        fresh = names_in(one) & names.keys() - seen
        seen |= fresh
        given += [names[name] for name in fresh]
    for node in (part for one in given for part in ast.walk(one)):
        match node:
            case ast.BinOp(op=ast.Div(), right=by):
                pass
            case _:
                continue
        root = names.get(by.id, by) if isinstance(by, ast.Name) else by
        if called(root) == "sqrt" or (isinstance(root, ast.BinOp) and isinstance(root.op, ast.Pow) and ast.unparse(root.right) in ("0.5", "1 / 2")):
            yield Fact(
                "expressions.scaled_again",
                calls[0].lineno,
                f"`{ast.unparse(calls[0].func)}` divides the scores by the square root of the length itself, and line {node.lineno} divides, too: "
                f"`{ast.unparse(node)}`",
                "leave one of the two out",
            )
            return


def late_names(function: Node) -> Iterator[Fact]:
    """`[lambda x: f(x, name) for name in names]`: a function looks its names up when it is called, and then the loop is over."""
    for node in ast.walk(function):
        match node:
            case ast.For(target=target, body=body):
                kept = [part for one in body for part in _kept_functions(one)]
            case (
                ast.ListComp(elt=ast.Lambda() as made, generators=[ast.comprehension(target=target)])
                | ast.DictComp(value=ast.Lambda() as made, generators=[ast.comprehension(target=target)])
            ):
                kept = [made]
            case _:
                continue
        names = names_in(target, ast.Store)
        for made in kept:
            if late := sorted(names & names_in(made.body) - {one.arg for one in (*made.args.args, *made.args.kwonlyargs)}):
                yield Fact(
                    "expressions.name_looked_up_late",
                    made.lineno,
                    f"`{ast.unparse(made)}` looks `{late[0]}` up when it is called: by then the loop is over, and `{late[0]}` is the last one",
                    f"hand it in as a default: `lambda ..., {late[0]}={late[0]}: ...`",
                )


def _kept_functions(statement: ast.stmt) -> Iterator[ast.Lambda]:
    """The functions that a line of a loop keeps for later: in a list, or at an index."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[ast.Lambda() as made])):
            yield made
        case ast.Assign(targets=[ast.Subscript()], value=ast.Lambda() as made):
            yield made


def by_place_in_memory(function: Node) -> Iterator[Fact]:
    """`np.resize`, which fills an array from one long list, and `as_strided`, which takes an array for one that lies in memory in order."""
    for node in ast.walk(function):
        if called(node) == "resize" and isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("np.", "numpy.")):
            yield Fact(
                "expressions.filled_from_one_list",
                node.lineno,
                f"`{ast.unparse(node)}` reads its numbers as one long list, and begins it again where it ends: "
                "rows of another length hold other numbers",
                "to put columns beside others, use `np.concatenate([..., ...], axis=1)`",
                False,
            )
        if called(node) == "as_strided" and isinstance(node, ast.Call) and "stride" not in ast.unparse(function).replace("as_strided", ""):
            yield Fact(
                "expressions.strides_by_hand",
                node.lineno,
                f"`{ast.unparse(node)}` takes it that the numbers lie in memory in the order of the axes; after a transpose or a slice they do not",
                "use `reshape` or `unflatten`, and `transpose`: they ask how the numbers lie",
            )


METHODS: tuple[Callable[[Node], Iterator[Fact]], ...] = (
    thrown_away,
    lost_writes,
    scaled_again,
    late_names,
    by_place_in_memory,
    transposed_by_reshape,
    spelling,
)

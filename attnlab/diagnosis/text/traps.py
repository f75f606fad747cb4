"""Expressions that are right for many inputs, and do something else for some that a card allows."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from attnlab.diagnosis.text.expressions import PLACES, Fact, Node, called, given_once, head_of, inside, is_number, loops_of, names_in

DECIMALS_CUT = "expressions.decimals_cut"
GENERATORS = {"RandomState", "default_rng", "Random", "seed", "manual_seed"}
LIBRARIES = {"np", "numpy", "torch"}
LENGTH = re.compile(r"(^|\.)(\w|[dDH]_\w|dim|heads|width)$|shape\[")  # what a length is called


def roots(function: Node) -> Iterator[Fact]:
    """`k // heads ** 0.5`: the root of the number behind the sign alone."""
    for node in ast.walk(function):
        match node:
            case ast.BinOp(
                left=ast.Name() | ast.Attribute() | ast.Subscript() as left,
                op=ast.FloorDiv(),
                right=ast.BinOp(op=ast.Pow(), left=base, right=ast.Constant(value=0.5) as half),
            ) if LENGTH.search(ast.unparse(left)) and node.end_col_offset == node.right.end_col_offset:  # without brackets
                yield Fact(
                    "expressions.root_of_divisor_only",
                    node.lineno,
                    f"Python reads `{ast.unparse(node)}` as `{ast.unparse(left)} // ({ast.unparse(node.right)})`: "
                    "a power binds tighter than a division",
                    f"put brackets around the number under the root: `({ast.unparse(left)} // {ast.unparse(base)}) ** {ast.unparse(half)}`",
                )


def inversions(function: Node) -> Iterator[Fact]:
    """`~` of whole numbers."""
    whole = {name for name, value in given_once(function).items() if _of_whole_numbers(value)}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.Invert)
            and (_of_whole_numbers(node.operand) or (isinstance(node.operand, ast.Name) and node.operand.id in whole))
        ):
            yield Fact(
                "expressions.invert_of_integers",
                node.lineno,
                f"`{ast.unparse(node)}` works on whole numbers: there `~1` is -2 and `~0` is -1, and both count as True",
                "make truth values first: use `dtype=bool`, or compare, as in `x == 0`",
            )


def _of_whole_numbers(node: ast.AST) -> bool:
    """Whether an expression says that it makes an array of `int`."""
    if not isinstance(node, ast.Call):
        return False
    types = [keyword.value for keyword in node.keywords if keyword.arg == "dtype"] or (node.args[:1] if called(node) == "astype" else [])
    if types:
        return isinstance(types[0], ast.Name) and types[0].id == "int"
    return called(node) in ("triu", "tril") and bool(node.args) and _of_whole_numbers(node.args[0])


def exceptions(function: Node) -> Iterator[Fact]:
    """NumPy and torch raise no OverflowError."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Try):
            continue
        names = {part.id for handler in node.handlers if handler.type for part in ast.walk(handler.type) if isinstance(part, ast.Name)}
        parts = [part for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Call)]
        from_library = [
            part
            for part in parts
            if isinstance(part.func, ast.Attribute) and ast.unparse(part.func.value) in LIBRARIES and called(part).startswith("exp")
        ]
        may_raise = any(ast.unparse(part.func).startswith("math.") or isinstance(part.func, ast.Name) for part in parts) or any(
            isinstance(part, ast.Pow) for statement in node.body for part in ast.walk(statement)
        )
        if names == {"OverflowError"} and from_library and not may_raise:
            yield Fact(
                "expressions.overflow_error_expected",
                node.lineno,
                f"`{ast.unparse(from_library[0].func)}` raises no OverflowError: a result that is too large becomes inf, with a warning",
                "test the number itself: `np.isinf(...)`",
            )


def generators_anew(function: Node) -> Iterator[Fact]:
    """A random generator that is made with the same seed in every round."""
    for loop in loops_of(function):
        for part in inside(loop):
            if isinstance(part, ast.Call) and called(part) in GENERATORS and part.args and isinstance(part.args[0], ast.Constant):
                yield Fact(
                    "expressions.reseeded_in_loop",
                    part.lineno,
                    f"`{ast.unparse(part)}` is inside the loop `{head_of(loop)}`: each round starts with the same seed and draws the same numbers",
                    "make the generator once, before the loop",
                )


NO_BOUNDS = "does the card ask for bounds? To keep `exp` finite, subtract the largest number"


def bounds(function: Node) -> Iterator[Fact]:
    """`clip`, and `min(x, 700)`, which change numbers."""
    for node in ast.walk(function):
        does, step = "", NO_BOUNDS
        if isinstance(node, ast.Call) and called(node) in ("clip", "clamp"):
            given = {one.arg: one.value for one in node.keywords}
            does = "makes all numbers beyond its bounds equal: their differences are lost"
            if len(node.args) < 2 and list(given) in (["min"], ["max"]):
                [(word, bound)] = given.items()
                does = f"puts {ast.unparse(bound)} in the place of every number {'below' if word == 'min' else 'above'} it"
                step = "which numbers does it change, and does the card ask for that?"
        match node:
            case ast.Call(func=ast.Name(id="min" | "max") | ast.Attribute(attr="minimum" | "maximum"), args=[one, other], keywords=[]):
                if limit := next((ast.unparse(side) for side in (one, other) if is_number(side) and abs(ast.literal_eval(side)) > 1), ""):
                    does = f"makes all numbers beyond {limit} equal: their differences are lost"
        if does:
            yield Fact("expressions.numbers_clipped", node.lineno, f"`{ast.unparse(node)}` {does}", step, False)


def flattened(function: Node) -> Iterator[Fact]:
    """`x[x > 0]`, one list of numbers without rows."""
    parameters = {argument.arg for argument in function.args.args}
    taken = {
        part.id
        for loop in ast.walk(function)
        if isinstance(loop, (ast.For, ast.comprehension))
        for part in ast.walk(loop.target)
        if isinstance(part, ast.Name)
    }
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Compare() as condition, ctx=ast.Load()) if name in parameters - taken and any(
                isinstance(part, ast.Name) and part.id == name for part in ast.walk(condition)
            ):
                yield Fact(
                    "expressions.boolean_index_flattens",
                    node.lineno,
                    f"`{ast.unparse(node)}` gives the numbers that meet the condition; for an array with several axes, that is one list without rows",
                    f"keep the axes: `np.where({ast.unparse(condition)}, ..., ...)`",
                    False,
                )


def places_of_true(function: Node) -> Iterator[Fact]:
    """`np.where(x > 0.5)`, which may give none or several places of one row; `one_hot(i)`, as long as its largest index asks for.

    Where one of the places is taken, as in `(order == i).nonzero()[0, 0]`, their number does not matter.
    """
    taken = [node.value for node in ast.walk(function) if isinstance(node, ast.Subscript) and _takes_one_place(node)]
    for node in ast.walk(function):
        is_method = isinstance(node, ast.Call) and called(node) == "nonzero" and not node.args
        if (
            isinstance(node, ast.Call)
            and (is_method or (called(node) in ("where", *PLACES) and len(node.args) == 1))
            and not any(node is one for one in taken)
        ):
            yield Fact(
                "expressions.places_of_true",
                node.lineno,
                f"`{ast.unparse(node)}` gives one place for each entry that meets the condition: none, one or several in a row",
                "for which inputs is that not the number that the card asks for?",
                False,
            )
        if called(node) in ("one_hot", "bincount") and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            yield Fact(
                "expressions.length_from_largest_index",
                node.lineno,
                f"`{ast.unparse(node)}` is as long as the largest index in it asks for, not as long as the card says",
                "say how many there are: `num_classes=...`, or `minlength=...` for `bincount`",
                False,
            )


def _takes_one_place(node: ast.Subscript) -> bool:
    numbers = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return all(map(is_number, numbers)) and (len(numbers) > 1 or called(node.value) == "flatnonzero")


DRAWS = set("rand randn random normal standard_normal uniform multinomial choice shuffle permutation randperm RandomState default_rng".split())
MARKS = {"masked_fill", "masked_fill_", "where"}


def draws(function: Node) -> Iterator[Fact]:
    """Numbers that are drawn at random, in a function that is given no generator and tests no other function."""
    if {"self", "rng", "f"} & {argument.arg for argument in function.args.args}:
        return
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and called(node) in DRAWS:
            yield Fact(
                "expressions.drawn_at_random",
                node.lineno,
                f"`{ast.unparse(node)}` draws at random",
                "does the card leave anything to chance? What is drawn is only about right",
                False,
            )
            return


def cut_decimals(function: Node) -> Iterator[Fact]:
    """`positions.astype(int)`, of what the function is given."""
    parameters = {argument.arg for argument in function.args.args}
    for node in ast.walk(function):
        is_cut = isinstance(node, ast.Call) and (
            (called(node) == "astype" and node.args and ast.unparse(node.args[0]) in ("int", "np.int64", "np.int32"))
            or (called(node) in ("long", "int") and isinstance(node.func, ast.Attribute) and not node.args)
        )
        if is_cut and parameters & names_in(node.func):
            yield Fact(
                DECIMALS_CUT,
                node.lineno,
                f"`{ast.unparse(node)}` cuts off the decimals",
                "does the card promise whole numbers there?",
                False,
            )


def zeros_as_marks(function: Node) -> Iterator[Fact]:
    """`scores.masked_fill(scores == 0, ...)`: a 0 may be a score like any other."""
    for node in ast.walk(function):
        for argument in node.args if isinstance(node, ast.Call) and called(node) in MARKS else ():
            match argument:
                case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
                    filled = [node.func, *(other for other in node.args if other is not argument)]
                    is_of_scores = any(name in names_in(other) for other in filled) and any("inf" in ast.unparse(other) for other in filled)
                    yield Fact(
                        "expressions.zero_as_mark",
                        node.lineno,
                        f"`{ast.unparse(argument)}` asks for the value, and finds every 0, also one that nobody has put there",
                        "ask for the place: which rows and columns are meant?",
                        is_of_scores,
                    )


TRAPS: tuple[Callable[[Node], Iterator[Fact]], ...] = (
    roots,
    inversions,
    exceptions,
    generators_anew,
    flattened,
    bounds,
    places_of_true,
    zeros_as_marks,
    cut_decimals,
    draws,
)

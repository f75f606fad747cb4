"""Traps of Python, NumPy and torch that an answer's text shows: what an operator or a function does with this type, and not with that."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from attnlab.diagnosis.text.expressions import Fact, Node, called, given_once
from attnlab.diagnosis.text.loops import head_of, inside, loops_of

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
                    "traps.python_reads_power_binds",
                    node.lineno,
                    f"Python reads `{ast.unparse(node)}` as `{ast.unparse(left)} // ({ast.unparse(node.right)})`: "
                    "a power binds tighter than a division",
                    f"brackets around what the root is taken of: `({ast.unparse(left)} // {ast.unparse(base)}) ** {ast.unparse(half)}`",
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
                "traps.taken_whole_numbers_both",
                node.lineno,
                f"`{ast.unparse(node)}` is taken of whole numbers: there `~1` is -2 and `~0` is -1, and both count as True",
                "make truth values of them first: `dtype=bool`, or compare, as in `x == 0`",
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
                "traps.raises_overflowerror_too_large",
                node.lineno,
                f"`{ast.unparse(from_library[0].func)}` raises no OverflowError: what is too large comes out as inf, with a warning",
                "look at the number itself: `np.isinf(...)`",
            )


def generators_anew(function: Node) -> Iterator[Fact]:
    """A random generator that is made with the same seed in every round."""
    for loop in loops_of(function):
        for part in inside(loop):
            if isinstance(part, ast.Call) and called(part) in GENERATORS and part.args and isinstance(part.args[0], ast.Constant):
                yield Fact(
                    "traps.stands_inside_loop_round",
                    part.lineno,
                    f"`{ast.unparse(part)}` stands inside the loop `{head_of(loop)}`: each round begins anew with the same seed, and draws the same",
                    "make the generator once, before the loop",
                )


def bounds(function: Node) -> Iterator[Fact]:
    """`clip`, which changes numbers."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and called(node) in ("clip", "clamp"):
            yield Fact(
                "traps.makes_numbers_beyond_bounds",
                node.lineno,
                f"`{ast.unparse(node)}` makes all numbers beyond its bounds equal: what was different there is lost",
                "does the card have bounds? What keeps `exp` finite is the largest number, subtracted",
                False,
            )


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
                    "traps.gives_numbers_fulfil_condition",
                    node.lineno,
                    f"`{ast.unparse(node)}` gives the numbers that fulfil the condition, of an array with several axes as one list without rows",
                    f"keep the axes: `np.where({ast.unparse(condition)}, ..., ...)`",
                    False,
                )


TRAPS: tuple[Callable[[Node], Iterator[Fact]], ...] = (roots, inversions, exceptions, generators_anew, flattened, bounds)

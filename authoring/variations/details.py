"""One slip at a time, in a single expression: decimals that are cut off, axes that are other ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from authoring.variations.edits import CALLED, PLAIN, SHAPES, TERM_BY_TERM, WORD_BY_WORD, Around, Edit, with_
from authoring.variations.words import called

TOKENS = ("x", "X", "x_n", "tokens")  # what cards call the input
CALLED_BY_SIGN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
CUT = "which line makes whole numbers? `//` and `int(...)` keep no decimals"


def details(node: ast.expr, around: Around) -> Iterator[Edit]:
    """What else goes wrong at one expression."""
    yield from _order(node)
    yield from _numbers(node, around)
    if _is_root(node):
        yield Edit(ast.Call(ast.Name("int", ast.Load()), [node], []), "the square root is cut off to a whole number", CUT)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield Edit(with_(node, op=ast.FloorDiv()), "`//` stands where `/` belongs", CUT)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        yield Edit(node.left, f"the `// {ast.unparse(node.right)}` is missing: numbers that should be one stay different", TERM_BY_TERM)
        yield Edit(with_(node, op=ast.Div()), "`/` stands where `//` belongs", TERM_BY_TERM)
    if isinstance(node, ast.Call) and called(node) == "diag" and node.args:
        column = ast.Subscript(node.args[0], ast.Tuple([ast.Slice(), ast.Constant(None)], ast.Load()), ast.Load())
        yield Edit(
            with_(node, args=[column, *node.args[1:]]),
            "`diag` is given a column: of two axes it reads the diagonal, here one number",
            "print the shape of what `diag` gets: it makes a matrix only of an array with one axis",
        )
    if isinstance(node, ast.Call) and called(node) in ("transpose", "swapaxes") and len(node.args) == 2:
        what = around.name(node)
        for first, second in ((0, 1), (0, 2)):
            yield Edit(
                with_(node, args=[ast.Constant(first), ast.Constant(second)]),
                f"axes {first} and {second}{f' of {what}' if what else ''} are exchanged, and the card exchanges others",
                SHAPES,
            )
    match node:
        case ast.Name(id="queries" | "keys" | "values" | "query" | "key" | "value", ctx=ast.Load()):
            for given in TOKENS:
                if given in around.parameters:
                    yield Edit(ast.Name(given, ast.Load()), f"`{given}` takes the place of {around.name(node)}", WORD_BY_WORD)
        case ast.Subscript(value=ast.Name(id=array), slice=ast.Tuple(elts=[*before, ast.Name(id=index)])) if array in around.parameters:
            for step, words in ((ast.Sub(), "small"), (ast.Add(), "large")):
                other = ast.BinOp(ast.Name(index, ast.Load()), step, ast.Constant(1))
                yield Edit(
                    with_(node, slice=ast.Tuple([*before, other], ast.Load())),
                    f"the index `{index}` of `{array}` is one too {words}",
                    "the first place has the number 0",
                )
        case ast.Constant(value=str(key)) if role := re.fullmatch("(omega|beta)_([qkv])", key):
            for other in sorted({"q", "k", "v"} - {role[2]}):
                yield Edit(ast.Constant(f"{role[1]}_{other}"), f"a line takes `{role[1]}_{other}` instead of `{key}`", WORD_BY_WORD)


def _numbers(node: ast.expr, around: Around) -> Iterator[Edit]:
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float) or isinstance(around.parents[0], (ast.keyword, ast.UnaryOp)):
        return
    number, subscript = node.value, next((one for one in around.parents if isinstance(one, ast.Subscript)), None)
    if subscript and isinstance(subscript.value, ast.Attribute) and subscript.value.attr == "shape":
        of = subscript.value.value
        if isinstance(of, ast.Name) and of.id in around.parameters:  # told with the name, among the lengths
            return
        for axis in {0, 1, 2, -1, -2} - {number}:
            yield Edit(ast.Constant(axis), f"the length of axis {axis} is used where that of another one belongs", SHAPES)
    elif subscript and isinstance(number, int):
        for other in (number + 1, number - 1):
            yield Edit(ast.Constant(other), "an index is off by one", "go through the first and the last round by hand, with three tokens")
    elif not subscript and not (isinstance(around.parents[0], ast.BinOp) and isinstance(around.parents[0].op, ast.Pow)):
        in_range = isinstance(around.parents[0], ast.Call) and called(around.parents[0]) in ("range", "arange")
        for other in [number + 1, number - 1] if isinstance(number, int) else [number * 10, number / 10]:
            what = f"{_with_sign(around.parents[0], node, other)}the number {other:g} stands where {number:g} belongs"
            yield Edit(ast.Constant(other), "a loop begins, ends or steps by another number than the card's" if in_range else what, TERM_BY_TERM)


def _with_sign(parent: ast.AST, node: ast.expr, other: float) -> str:
    """Where a number stands that a rule has often: behind which sign."""
    sign = CALLED_BY_SIGN.get(type(parent.op)) if isinstance(parent, ast.BinOp) and parent.right is node else None
    return f"in `{sign} {other:g}`, " if sign else ""


def _is_root(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=0.5)):
            return True
    return isinstance(node, ast.Call) and called(node) == "sqrt"


def _order(node: ast.expr) -> Iterator[Edit]:
    """An operation comes after a function that it belongs before, or the other way round."""
    match node:
        case ast.Call(args=[ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.Mult() as op, right=right), *_]) if called(node) in PLAIN:
            yield Edit(
                ast.BinOp(with_(node, args=[left, *node.args[1:]]), op, right),
                f"the {CALLED[type(op)]} comes after `{called(node)}`, and not before it",
                TERM_BY_TERM,
            )
        case ast.BinOp(left=ast.Call(args=[inner, *_]) as call, op=ast.Sub() | ast.Div() | ast.Mult() as op, right=right) if called(call) in PLAIN:
            yield Edit(
                with_(call, args=[ast.BinOp(inner, op, right), *call.args[1:]]),
                f"the {CALLED[type(op)]} stands inside of `{called(call)}`, and not behind it",
                TERM_BY_TERM,
            )

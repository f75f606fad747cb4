"""One slip at a time, in a single expression: decimals that are cut off, axes that are other ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from authoring.variations.edits import CALLED, PLAIN, SHAPES, TERM_BY_TERM, WORD_BY_WORD, Around, Edit, with_
from authoring.variations.words import called

TOKENS = ("x", "X", "x_n", "tokens")  # what cards call the input
CUT = "which line makes whole numbers? `//` and `int(...)` keep no decimals"


def details(node: ast.expr, around: Around) -> Iterator[Edit]:
    """What else goes wrong at one expression."""
    yield from _order(node)
    if isinstance(node, ast.Call) and called(node) == "sqrt":
        yield Edit(ast.Call(ast.Name("int", ast.Load()), [node], []), "the square root is cut off to a whole number", CUT)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield Edit(with_(node, op=ast.FloorDiv()), "`//` stands where `/` belongs", CUT)
    if isinstance(node, ast.Call) and called(node) in ("transpose", "swapaxes") and len(node.args) == 2:
        what = around.name(node)
        for first, second in ((0, 1), (0, 2)):
            yield Edit(with_(node, args=[ast.Constant(first), ast.Constant(second)]),
                       f"axes {first} and {second}{f' of {what}' if what else ''} are exchanged, and the card exchanges others", SHAPES)
    match node:
        case ast.Name(id="queries" | "keys" | "values" | "query" | "key" | "value", ctx=ast.Load()):
            for given in TOKENS:
                if given in around.parameters:
                    yield Edit(ast.Name(given, ast.Load()), f"`{given}` takes the place of {around.name(node)}", WORD_BY_WORD)
        case ast.Subscript(value=ast.Name(id=array), slice=ast.Tuple(elts=[*before, ast.Name(id=index)])) if array in around.parameters:
            for step, words in ((ast.Sub(), "small"), (ast.Add(), "large")):
                other = ast.BinOp(ast.Name(index, ast.Load()), step, ast.Constant(1))
                yield Edit(with_(node, slice=ast.Tuple([*before, other], ast.Load())), f"the index `{index}` of `{array}` is one too {words}",
                           "the first place has the number 0")
        case ast.Constant(value=str(key)) if (role := re.fullmatch("(omega|beta)_([qkv])", key)):
            for other in sorted({"q", "k", "v"} - {role[2]}):
                yield Edit(ast.Constant(f"{role[1]}_{other}"), f"a line takes `{role[1]}_{other}` instead of `{key}`", WORD_BY_WORD)


def _order(node: ast.expr) -> Iterator[Edit]:
    """An operation comes after a function that it belongs before, or the other way round."""
    match node:
        case ast.Call(args=[ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.Mult() as op, right=right), *_]) if called(node) in PLAIN:
            yield Edit(ast.BinOp(with_(node, args=[left, *node.args[1:]]), op, right),
                       f"the {CALLED[type(op)]} comes after `{called(node)}`, and not before it", TERM_BY_TERM)
        case ast.BinOp(left=ast.Call(args=[inner, *_]) as call, op=ast.Sub() | ast.Div() | ast.Mult() as op, right=right) if called(call) in PLAIN:
            yield Edit(with_(call, args=[ast.BinOp(inner, op, right), *call.args[1:]]),
                       f"the {CALLED[type(op)]} stands inside of `{called(call)}`, and not behind it", TERM_BY_TERM)

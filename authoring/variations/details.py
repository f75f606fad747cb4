"""One slip at a time, in a single expression: decimals that are cut off, axes that are other ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from authoring.variations.claims import LOOP, NOTHING, SIGNS, function, number, sign
from authoring.variations.edits import (
    CALLED,
    FROM_ZERO,
    PLAIN,
    SHAPES,
    TERM_BY_TERM,
    WORD_BY_WORD,
    Around,
    Edit,
    name_instead,
    operation_instead,
    other_than,
    with_,
)
from authoring.variations.wording import Wording, say
from authoring.variations.words import Term, called, code, length_of, parameter

TOKENS = ("x", "X", "x_n", "tokens")  # what cards call the input
BEFORE_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
CUT = "which line makes whole numbers? `//` and `int(...)` drop the decimals"


def details(node: ast.expr, around: Around) -> Iterator[Edit]:
    """What else goes wrong at one expression."""
    yield from _order(node)
    yield from _numbers(node, around)
    if _is_root(node):
        whole = ast.Call(ast.Name("int", ast.Load()), [node], [])
        yield Edit(whole, say("root.cut_off", "the square root is rounded down to a whole number", next=CUT))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield Edit(with_(node, op=ast.FloorDiv()), operation_instead("//", "/", sign(ast.FloorDiv), CUT))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        words, floor = "the {} is missing: numbers that should be equal stay different", code(f"// {ast.unparse(node.right)}")
        yield Edit(node.left, say("floor.missing", words, floor, next=TERM_BY_TERM))
        yield Edit(with_(node, op=ast.Div()), operation_instead("/", "//", sign(ast.Div), TERM_BY_TERM))
    if isinstance(node, ast.Call) and called(node) == "diag" and node.args:
        column = ast.Subscript(node.args[0], ast.Tuple([ast.Slice(), ast.Constant(None)], ast.Load()), ast.Load())
        yield Edit(
            with_(node, args=[column, *node.args[1:]]),
            say(
                "diagonal.of_column",
                "`diag` gets a column: with two axes it reads the diagonal, here one number",
                next="print the shape of what `diag` gets: it makes a matrix only from an array with one axis",
                claims=function("diag"),
            ),
        )
    if isinstance(node, ast.Call) and called(node) in ("transpose", "swapaxes") and len(node.args) == 2:
        what = around.name(node)
        for first, second in ((0, 1), (0, 2)):
            words = f"axes {{}} and {{}}{' of {}' if what else ''} are swapped, but the card swaps others"
            yield Edit(
                with_(node, args=[ast.Constant(first), ast.Constant(second)]),
                say("axes.others_exchanged", words, str(first), str(second), what, next=SHAPES),
            )
    match node:
        case ast.Name(id="queries" | "keys" | "values" | "query" | "key" | "value", ctx=ast.Load()):
            for given in TOKENS:
                if given in around.parameters:
                    yield Edit(ast.Name(given, ast.Load()), argument_instead(parameter(given), around.name(node)))
        case ast.Subscript(value=ast.Name(id=array), slice=ast.Tuple(elts=[*before, ast.Name(id=index)])) if array in around.parameters:
            for step, size in ((ast.Sub(), "small"), (ast.Add(), "large")):
                other = ast.BinOp(ast.Name(index, ast.Load()), step, ast.Constant(1))
                words = f"the index {{}} of {{}} is one too {size}"
                yield Edit(
                    with_(node, slice=ast.Tuple([*before, other], ast.Load())),
                    say(f"index.too_{size}", words, code(index), code(array), next=FROM_ZERO),
                )
        case ast.Constant(value=str(key)) if role := re.fullmatch("(omega|beta)_([qkv])", key):
            for other in sorted({"q", "k", "v"} - {role[2]}):
                taken = f"{role[1]}_{other}"
                yield Edit(ast.Constant(taken), name_instead(parameter(taken), parameter(key)))


def argument_instead(taken: Term, lost: Term) -> Wording:
    """What comes in stands for something else."""
    return say("argument.instead", "{} is used instead of {}", taken, lost, next=WORD_BY_WORD)


def _numbers(node: ast.expr, around: Around) -> Iterator[Edit]:
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float) or isinstance(around.parents[0], (ast.keyword, ast.UnaryOp)):
        return
    right, subscript = node.value, next((one for one in around.parents if isinstance(one, ast.Subscript)), None)
    if subscript and isinstance(subscript.value, ast.Attribute) and subscript.value.attr == "shape":
        of = subscript.value.value
        if isinstance(of, ast.Name) and of.id in around.parameters:  # told with the name, among the lengths
            return
        for axis in other_than(right, 0, 1, 2, -2, -1):
            said = say("length.of_other_axis", "{} is used instead of the length of another axis", length_of(axis), next=SHAPES)
            yield Edit(ast.Constant(axis), said)
    elif subscript and isinstance(right, int):
        for other in (right + 1, right - 1):
            hand = "go through the first and the last round by hand, with three tokens"
            yield Edit(ast.Constant(other), say("index.off_by_one", "an index is off by one", next=hand))
    elif not subscript and not (isinstance(around.parents[0], ast.BinOp) and isinstance(around.parents[0].op, ast.Pow)):
        counting = called(around.parents[0]) if isinstance(around.parents[0], ast.Call) else ""
        for other in [right + 1, right - 1] if isinstance(right, int) else [right * 10, right / 10]:
            bounds = "does not start, end or step as on the card"
            said = (
                say("loop.other_bounds", f"a loop {bounds}", next=TERM_BY_TERM, claims=LOOP)
                if counting == "range"
                else say("arange.other_bounds", f"`arange` {bounds}", next=TERM_BY_TERM, claims=function("arange"))
                if counting == "arange"
                else _number_instead(around.parents[0], node, other, right)
            )
            yield Edit(ast.Constant(other), said)


def _number_instead(parent: ast.AST, node: ast.expr, other: float, right: float) -> Wording:
    """A number for another one; behind a sign, the sign tells which of several numbers it is."""
    behind = isinstance(parent, ast.BinOp) and parent.right is node and type(parent.op) in BEFORE_NUMBERS
    return say(
        "number.instead",
        f"{'in {}, ' if behind else ''}the number {{}} is used instead of {{}}",
        code(f"{SIGNS[type(parent.op)]} {other:g}") if behind else None,
        f"{other:g}",
        f"{right:g}",
        next=TERM_BY_TERM,
        claims=number(other) | (sign(parent.op) if behind else NOTHING),
    )


def _is_root(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=0.5)):
            return True
    return isinstance(node, ast.Call) and called(node) == "sqrt"


def _order(node: ast.expr) -> Iterator[Edit]:
    """An operation comes after a function that it belongs before, or the other way round."""
    match node:
        case ast.Call(args=[ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.Mult() as op, right=right), *_]) if called(node) in PLAIN:
            words = "the {} comes after {}, not before it"
            yield Edit(
                ast.BinOp(with_(node, args=[left, *node.args[1:]]), op, right),
                say("order.after_function", words, CALLED[type(op)], code(called(node)), next=TERM_BY_TERM, claims=function(called(node))),
            )
        case ast.BinOp(left=ast.Call(args=[inner, *_]) as call, op=ast.Sub() | ast.Div() | ast.Mult() as op, right=right) if called(call) in PLAIN:
            words = "the {} is inside {}, not after it"
            yield Edit(
                with_(call, args=[ast.BinOp(inner, op, right), *call.args[1:]]),
                say("order.inside_function", words, CALLED[type(op)], code(called(call)), next=TERM_BY_TERM, claims=function(called(call))),
            )

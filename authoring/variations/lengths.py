"""One slip at a time: lengths of other axes, roots that are none, and always the first of many."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from authoring.variations.claims import LOOP, SHAPE, one_of
from authoring.variations.edits import SHAPES, TERM_BY_TERM, Around, Edit
from authoring.variations.wording import say
from authoring.variations.words import called, code

ROOT = "use `x ** 0.5`, `np.sqrt(x)` or `math.sqrt(x)`; `**` comes before `*` and `/`"


def edits_of_lengths(node: ast.expr, around: Around) -> Iterator[Edit]:
    """Everything that goes wrong at one expression that is a length, a root or an index."""
    for rule in _RULES:
        yield from rule(node, around)


def _lengths(node: ast.expr, around: Around) -> Iterator[Edit]:
    """The length of another axis, or of another argument."""
    match node:
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant() | ast.UnaryOp()):
            for other in sorted(around.parameters - {"self"}) if name in around.parameters else ():
                for axis in (0, 1, 2, -1, -2):
                    text = f"{other}.shape[{axis}]"
                    if text != ast.unparse(node):
                        words, claims = "{} is used instead of the length of another axis", one_of(other) | SHAPE
                        said = say("length.of_other_shape", words, code(text), next=SHAPES, claims=claims)
                        yield Edit(ast.parse(text, mode="eval").body, said)


def _roots(node: ast.expr, around: Around) -> Iterator[Edit]:
    """A division by a root that is written, or meant, in another way."""
    match node:
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Call(args=[of]) as root) if called(root) == "sqrt":
            pass
        case ast.BinOp(left=left, op=ast.Div(), right=ast.BinOp(left=of, op=ast.Pow(), right=ast.Constant(value=0.5)) as root):
            pass
        case _:
            return
    what = around.name(of) or "a number"
    halves = ast.BinOp(ast.BinOp(left, ast.Div(), of), ast.Div(), ast.Constant(2))
    yield Edit(halves, say("root.and_half", "the division is by {} and also by 2, as in `/ d ** 1 / 2` or `* d ** -1 / 2`", what, next=ROOT))
    once = "which division? Divide by the root there, or divide both factors of that product by the fourth root"
    yield Edit(
        ast.BinOp(left, ast.Div(), ast.BinOp(of, ast.Pow(), ast.Constant(0.25))),
        say("root.fourth", "a division is only by the fourth root of {}", what, next=once),
    )
    added = ast.BinOp(left, ast.Div(), ast.BinOp(ast.Constant(1), ast.Add(), root))
    yield Edit(added, say("root.and_one", "1 is added to the root", next=TERM_BY_TERM))


def _first_of_many(node: ast.expr, around: Around) -> Iterator[Edit]:
    """One row for all rounds of a loop."""
    match node:
        case ast.Subscript(value=value, slice=ast.Name(id="i" | "j" as index), ctx=ast.Load()):
            what = around.name(value)
            words = f"row 0{' of {}' if what else ''} is taken in every round instead of that round's row"
            yield Edit(
                ast.Subscript(value, ast.Constant(0), ast.Load()),
                say("loop.same_row", words, what, next=f"which row belongs to round `{index}`?", claims=LOOP),
            )


_RULES: list[Callable[[ast.expr, Around], Iterator[Edit]]] = [_lengths, _roots, _first_of_many]

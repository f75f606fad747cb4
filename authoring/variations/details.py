"""One slip at a time, in a single expression: decimals that are cut off, axes that are other ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from authoring.variations.edits import SHAPES, Around, Edit, with_
from authoring.variations.words import called

CUT = "which line makes whole numbers? `//` and `int(...)` keep no decimals"


def details(node: ast.expr, around: Around) -> Iterator[Edit]:
    """What else goes wrong at one expression."""
    if isinstance(node, ast.Call) and called(node) == "sqrt":
        yield Edit(ast.Call(ast.Name("int", ast.Load()), [node], []), "the square root is cut off to a whole number", CUT)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield Edit(with_(node, op=ast.FloorDiv()), "`//` stands where `/` belongs", CUT)
    if isinstance(node, ast.Call) and called(node) in ("transpose", "swapaxes") and len(node.args) == 2:
        what = around.name(node)
        for first, second in ((0, 1), (0, 2)):
            yield Edit(with_(node, args=[ast.Constant(first), ast.Constant(second)]),
                       f"axes {first} and {second}{f' of {what}' if what else ''} are exchanged, and the card exchanges others", SHAPES)

"""Functions and methods in an answer's text that do something else than their names seem to say, or whose result nothing keeps."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from attnlab.diagnosis.text.expressions import Fact, Node, called

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
                "methods.quite_power_off_little",
                node.lineno,
                f"`{node.value}` is not quite e, which is 2.718281828…: every power of it is off by a little",
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
                "methods.compares_entry_number_takes",
                node.lineno,
                f"`{ast.unparse(node)}` compares each entry with the number `{ast.unparse(node.args[1])}`: "
                f"`{called(node)}` takes two arrays, and no axis",
                f"the largest or smallest along an axis is `np.{short}`",
            )
        if (
            isinstance(node, ast.Call)
            and called(node) == "roll"
            and ast.unparse(node.func).startswith("np.")
            and len(node.args) == 2
            and not node.keywords
        ):
            yield Fact(
                "methods.axis_rows_columns_laid",
                node.lineno,
                f"`{ast.unparse(node)}` has no `axis`: rows and columns are laid out as one long row first",
                "say `axis=0` or `axis=1`",
                False,
            )
        if isinstance(node, ast.Call) and called(node) in RANDOM:
            yield Fact(
                "methods.leaves_out_numbers_random",
                node.lineno,
                f"`{ast.unparse(node)}` leaves out numbers at random, in every call",
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
                    "methods.keeps_numbers_their_order",
                    node.lineno,
                    f"`{ast.unparse(node)}` keeps the numbers in their order and only cuts them into other rows: it exchanges no axes",
                    "to exchange the last two axes, write a transpose",
                )


def thrown_away(function: Node) -> Iterator[Fact]:
    """A line that makes something and keeps nothing of it; a value of what only changes its object."""
    tried = {part for node in ast.walk(function) if isinstance(node, (ast.Try, ast.With)) for one in node.body for part in ast.walk(one)}
    for node in ast.walk(function):
        if isinstance(node, ast.Expr) and node not in tried:  # there it may stand for the exception or warning that it gives
            value = node.value
            is_new = isinstance(value, ast.Call) and called(value) in NEW_ONES and not any(keyword.arg == "out" for keyword in value.keywords)
            if is_new or isinstance(value, (ast.Compare, ast.BinOp)) or (isinstance(value, ast.Attribute) and value.attr in ("T", "mT")):
                hint = ", and a single `=` gives a value" if isinstance(value, ast.Compare) else ""
                yield Fact(
                    "methods.makes_something_new_nothing",
                    node.lineno,
                    f"`{ast.unparse(value)}` makes something new, and nothing keeps it: the line changes nothing{hint}",
                    "keep the result under a name: `... = ...`",
                )
        if isinstance(node, ast.Assign) and called(node.value) in IN_PLACE and isinstance(node.targets[0], ast.Name):
            yield Fact(
                "methods.changes_object_gives_none",
                node.lineno,
                f"`{ast.unparse(node.value)}` changes its object and gives None, so `{node.targets[0].id}` is None",
                "do that in a line of its own, and go on with the object",
            )


METHODS: tuple[Callable[[Node], Iterator[Fact]], ...] = (thrown_away, transposed_by_reshape, spelling)

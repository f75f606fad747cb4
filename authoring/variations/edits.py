"""One slip at a time: the ways in which a single expression of a right answer goes wrong."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from authoring.variations.words import called, named

SHAPES = "write the shape of every line in a comment, and print it: which one is not what you thought?"
PSEUDOCODE = "compare each of your lines with the step of *Pseudocode* that it stands for"
AXIS = "the axis that you name is the one that disappears; with `keepdims=True` it stays, with length 1"
WORD_BY_WORD = "go through your lines word by word: is each name the one of the card's step?"
TERM_BY_TERM = "write the rule of the card and your line one under the other, and compare them term by term"
KEEP = "keep the axis with `keepdims=True` (`keepdim=True` in torch), so that each row meets its own number"
INSTEAD = {
    "sum": ["mean", "max", "prod", "cumsum"],
    "mean": ["sum", "max"],
    "max": ["min", "sum", "mean"],
    "amax": ["amin"],
    "argmax": ["argmin", "max"],
    "exp": ["exp2", "expm1"],
    "log": ["log2", "log10", "log1p"],
    "sqrt": ["square"],
    "var": ["std"],
    "std": ["var"],
    "tril": ["triu"],
    "triu": ["tril"],
    "sin": ["cos"],
    "cos": ["sin"],
    "zeros": ["ones"],
    "abs": ["square"],
    "outer": ["inner"],
    "softmax": ["sigmoid", "log_softmax"],
    "hstack": ["vstack"],
    "vstack": ["hstack"],
}
PLAIN = {"exp", "sqrt", "log", "softmax", "softmax_rows", "softmax_cols", "abs"}
TWICE = {"softmax", "softmax_rows", "softmax_cols", "sqrt"}
OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.Div),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.Sub),
}
CALLED = {ast.Add: "plus", ast.Sub: "minus", ast.Mult: "times", ast.Div: "division"}
MISSING = {
    ast.Add: "the addition of {} is missing",
    ast.Sub: "the subtraction of {} is missing",
    ast.Mult: "the factor {} is missing",
    ast.Div: "the division by {} is missing",
}
SOMETHING = "one term of the rule"
COMPARISONS: dict[type, list[type]] = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.GtE],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
}
FAMILIES = (["queries", "keys", "values"], ["scores", "powers", "weights", "shifted"], ["i", "j"])
SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


@dataclass(frozen=True)
class Edit:
    """An expression to put in another's place, what that is in words, and the next step."""

    node: ast.expr
    likely: str
    next: str = PSEUDOCODE


@dataclass(frozen=True)
class Around:
    """What is known about the place of an expression: the function's parameters, and the nodes that it stands in, the nearest first."""

    parameters: set[str]
    parents: list[ast.AST]
    sizes: set[str]  # the names that lengths of axes have
    held: set[str]  # all names that the function has

    def name(self, node: ast.AST) -> str:
        """What to call an expression; "" when there is no word for it."""
        return named(node, self.parameters)

    def within(self, *kinds: type) -> bool:
        """Whether the place is inside of such a node."""
        return any(isinstance(parent, kinds) for parent in self.parents)


def edits(node: ast.expr, around: Around) -> Iterator[Edit]:
    """Everything that goes wrong at one expression."""
    for rule in _RULES:
        yield from rule(node, around)


def with_(node: ast.expr, **changed: object) -> ast.expr:
    """A copy of an expression with other fields."""
    other = copy.copy(node)
    for field, value in changed.items():
        setattr(other, field, value)
    return other


def _axes(node: ast.expr, around: Around) -> Iterator[Edit]:
    if not isinstance(node, ast.Call):
        return
    for place, keyword in enumerate(node.keywords):
        others = [*node.keywords[:place], *node.keywords[place + 1 :]]
        if keyword.arg in ("axis", "dim"):
            if called(node) not in PLAIN | {"stack", "cat", "concatenate"}:
                yield Edit(with_(node, keywords=others), f"`{called(node)}` has no `{keyword.arg}`, so that it takes all entries at once", AXIS)
            for axis in (0, 1, -1, 2, -2):
                if ast.unparse(keyword.value) == str(axis):
                    continue
                other = [*others, ast.keyword(keyword.arg, ast.Constant(axis))]
                always = "always " if isinstance(keyword.value, ast.Name) else ""
                yield Edit(with_(node, keywords=other), f"`{called(node)}` {always}runs along axis {axis}, where the card has another axis", AXIS)
        if keyword.arg in ("keepdims", "keepdim"):
            yield Edit(
                with_(node, keywords=others),
                f"`{called(node)}` is called without `{keyword.arg}=True`, so that its result is stretched over the wrong axis",
                KEEP,
            )
        if keyword.arg in ("diagonal", "k") and isinstance(keyword.value, ast.Constant):
            for number in {0, 1, -1, 2} - {keyword.value.value}:
                yield Edit(
                    with_(node, keywords=[*others, ast.keyword(keyword.arg, ast.Constant(number))]),
                    f"the triangle begins at diagonal {number}, and that is another one than the card's",
                    "diagonal 0 is the main diagonal, 1 the one above it; print the triangle for three tokens",
                )


def _calls(node: ast.expr, around: Around) -> Iterator[Edit]:
    if not isinstance(node, ast.Call) or not (node.args or isinstance(node.func, ast.Attribute)):
        return
    name = called(node)
    inner = node.args[0] if node.args else node.func.value
    if name in PLAIN:
        yield Edit(inner, f"`{name}` is missing")
    if name in TWICE:
        yield Edit(with_(node, args=[node, *node.args[1:]]), f"`{name}` is applied twice")
    if name in ("transpose", "swapaxes", "permute", "moveaxis") and isinstance(node.func, ast.Attribute):
        what = around.name(node.func.value)
        yield Edit(node.func.value, f"two axes are not exchanged{f', of {what}' if what else ''}", SHAPES)
        yield _read_as(node.func.value, node, what)
    if name == "sqrt":
        yield Edit(ast.BinOp(inner, ast.Div(), ast.Constant(2)), "something is halved where the rule has a square root", TERM_BY_TERM)
    for other in INSTEAD.get(name, []):
        function = with_(node.func, attr=other) if isinstance(node.func, ast.Attribute) else None
        if function:
            yield Edit(with_(node, func=function), f"`{other}` stands where `{name}` belongs")
    if name in ("reshape", "view"):
        for place in range(len(node.args) - 1):
            swapped = [*node.args]
            swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
            names = [around.name(one) or "a length" for one in swapped[place : place + 2]]
            yield Edit(with_(node, args=swapped), f"in a `{name}`, {names[0]} comes before {names[1]}: the numbers land in other places", SHAPES)


def _products(node: ast.expr, around: Around) -> Iterator[Edit]:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        what = around.name(node.value)
        yield Edit(node.value, f"the transpose of {what or 'a matrix'} is missing", SHAPES)
        yield _read_as(node.value, node, what)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.MatMult):
        return
    left, right = around.name(node.left), around.name(node.right)
    both = f" of {left} and {right}" if left and right else ""
    yield Edit(with_(node, left=node.right, right=node.left), f"the two sides of the matrix product{both} are exchanged", SHAPES)
    between = f", between {left} and {right}" if both else ""
    yield Edit(
        with_(node, op=ast.Mult()),
        f"`*` stands where `@` belongs{between}: it multiplies entry by entry, without a sum",
        "`@` is the matrix product: each entry is a sum over a row times a column",
    )
    for side, what in (("left", left), ("right", right)):
        for how in ("T", "mT"):
            yield Edit(
                with_(node, **{side: ast.Attribute(getattr(node, side), how, ast.Load())}),
                f"there is a transpose too many, of {what or 'one side'}, in the product{both}",
                SHAPES,
            )
    for axis_of in (node.left, node.right):
        other = node.right if axis_of is node.left else node.left
        if around.name(axis_of):
            yield Edit(other, f"the product with {around.name(axis_of)} is missing")


def _read_as(array: ast.expr, turned: ast.expr, what: str) -> Edit:
    of = f", of {what}" if what else ""
    return Edit(
        ast.Call(ast.Name("read_as"), [array, turned], []),
        f"`reshape` or `view` takes the place of a transpose{of}",
        "`reshape` and `view` keep the order in which the numbers are read; a transpose exchanges the axes",
    )


def _parentheses(node: ast.expr, around: Around) -> Iterator[Edit]:
    """The same names and signs in the same order, with the parentheses in another place."""
    match node:
        case ast.BinOp(left=first, op=early, right=ast.BinOp(left=second, op=late, right=third)):
            other = ast.BinOp(ast.BinOp(first, early, second), late, third)
        case ast.BinOp(left=ast.BinOp(left=first, op=early, right=second), op=late, right=third):
            other = ast.BinOp(first, early, ast.BinOp(second, late, third))
        case _:
            return
    yield Edit(
        other,
        f"parentheses stand in another place: Python reads `{ast.unparse(_words(other, around))}`",
        "`@`, `*` and `/` come before `+` and `-`; parentheses make another order",
    )


def _words(node: ast.expr, around: Around) -> ast.expr:
    """An expression with what has no word in it left out."""
    if isinstance(node, ast.BinOp):
        return with_(node, left=_words(node.left, around), right=_words(node.right, around))
    return node if isinstance(node, ast.Constant) or around.name(node) else ast.Name("…")


def _arithmetic(node: ast.expr, around: Around) -> Iterator[Edit]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield Edit(node.operand, "the minus sign is missing", TERM_BY_TERM)
    if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATORS or isinstance(node.left, ast.List):
        return
    right, left = around.name(node.right), around.name(node.left)
    if not around.within(ast.Subscript):
        yield Edit(node.left, _missing(node.op, right), TERM_BY_TERM)
        if not isinstance(node.op, ast.Div):
            yield Edit(node.right, _missing(node.op, left), TERM_BY_TERM)
    for operator in OPERATORS[type(node.op)]:
        words = f"before {right or SOMETHING}, there is a {CALLED[operator]} where the rule has a {CALLED[type(node.op)]}"
        yield Edit(with_(node, op=operator()), words, TERM_BY_TERM)
    if isinstance(node.op, (ast.Sub, ast.Div)):
        kind = "difference" if isinstance(node.op, ast.Sub) else "fraction"
        yield Edit(with_(node, left=node.right, right=node.left), f"a {kind} is taken the other way round", TERM_BY_TERM)
    if isinstance(node.op, ast.Mult) and left and right:
        yield Edit(
            with_(node, op=ast.MatMult()),
            f"`@` stands where `*` belongs, between {left} and {right}: it sums over an axis",
            "`*` multiplies entry by entry",
        )
    if isinstance(node.op, ast.Div) and isinstance(node.right, ast.Call) and called(node.right) == "sqrt":
        yield Edit(
            with_(node, right=ast.BinOp(node.right.args[0], ast.Pow(), ast.Constant(2))),
            "something is divided by a square where the rule has a square root",
            TERM_BY_TERM,
        )


def _missing(operator: ast.operator, what: str) -> str:
    return "a factor is missing" if isinstance(operator, ast.Mult) and not what else MISSING[type(operator)].format(what or SOMETHING)


def _powers(node: ast.expr, around: Around) -> Iterator[Edit]:
    match node:
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=exponent)):
            what = around.name(base) or "a number"
            yield Edit(base, f"the exponent {exponent:g} of {what} is missing", TERM_BY_TERM)
            yield Edit(ast.BinOp(base, ast.Div(), ast.Constant(2)), f"{what} is halved, as in `x ** 1 / 2`, which is half of x", TERM_BY_TERM)
            for other in {0.5, 2, -0.5, 0.25, 1.5} - {exponent}:
                yield Edit(with_(node, right=ast.Constant(other)), f"{what} has the exponent {other:g} where {exponent:g} belongs", TERM_BY_TERM)
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            yield Edit(with_(node, left=exponent, right=base), "base and exponent are exchanged", TERM_BY_TERM)
            yield Edit(with_(node, op=ast.Mult()), "`*` stands where `**` belongs", TERM_BY_TERM)


def _indices(node: ast.expr, around: Around) -> Iterator[Edit]:
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return
        case ast.Subscript(slice=ast.Tuple(elts=[first, second])):
            what = around.name(node.value)
            yield Edit(
                with_(node, slice=ast.Tuple([second, first], ast.Load())),
                f"rows and columns are exchanged in an index{f' of {what}' if what else ''}",
                "the first index is the row, the second the column",
            )
            yield Edit(with_(node, slice=first), "a whole row is taken where one entry or another axis belongs", SHAPES)
        case ast.Subscript(slice=ast.Slice() as cut) if cut.lower or cut.upper:
            yield Edit(node.value, "the whole is taken where the card has a part of it")
        case ast.Subscript(slice=ast.Name() | ast.Subscript()):
            before = ast.BinOp(node.slice, ast.Sub(), ast.Constant(1))
            yield Edit(with_(node, slice=before), "an index is one too small", "the first place has the number 0")
            yield Edit(
                with_(node, slice=ast.Tuple([ast.Slice(), node.slice], ast.Load())),
                "a column is taken where a row belongs",
                "`x[i]` is row i, `x[:, i]` is column i",
            )
            yield Edit(node.value, "the whole array is taken where one row belongs", SHAPES)
        case ast.Call(func=ast.Name(id="range"), args=[upper]):
            yield Edit(
                with_(node, args=[ast.Constant(1), upper]), "a loop leaves out the first round: it begins at 1", "`range(n)` counts 0, 1, … n − 1"
            )
            yield Edit(
                with_(node, args=[ast.BinOp(upper, ast.Sub(), ast.Constant(1))]),
                "a loop leaves out the last round: it ends one too early",
                "`range(n)` counts 0, 1, … n − 1 and needs no `- 1`",
            )


def _comparisons(node: ast.expr, around: Around) -> Iterator[Edit]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sign = SIGNS.get(type(node.ops[0]))
        for other in COMPARISONS.get(type(node.ops[0]), []):
            yield Edit(
                with_(node, ops=[other()]),
                f"`{SIGNS[other]}` stands where `{sign}` belongs, or the two sides are exchanged",
                "try it by hand for equal numbers, for a smaller and for a larger one",
            )
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield Edit(with_(node, op=other), "`and` and `or` are exchanged", "say the condition aloud, and try each of its four cases")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
        yield Edit(
            node.operand, "a condition is turned round: what is to be hidden stays, and the other way round", "print the condition for three tokens"
        )


def _names(node: ast.expr, around: Around) -> Iterator[Edit]:
    """Another name of the same family in the place of one."""
    for family in (sorted(around.parameters), sorted(around.sizes), *FAMILIES):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in family:
            for other in sorted(({*family} & around.held) - {node.id, "self"}):
                if isinstance(around.parents[0], ast.Attribute) and around.parents[0].attr == "shape":
                    yield Edit(
                        ast.Name(other, ast.Load()),
                        f"a length is read off {around.name(ast.Name(other))} instead of {around.name(node)}",
                        WORD_BY_WORD,
                    )
                    continue
                yield Edit(ast.Name(other, ast.Load()), f"a line takes {around.name(ast.Name(other))} instead of {around.name(node)}", WORD_BY_WORD)
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name) as function):
            for family in ({"toqueries", "tokeys", "tovalues"}, {"queries", "keys", "values"}):
                for other in sorted(family - {name}) if name in family else ():
                    yield Edit(with_(node, func=with_(function, attr=other)), f"`{other}` makes what `{name}` is there for", WORD_BY_WORD)


_RULES: list[Callable[[ast.expr, Around], Iterator[Edit]]] = [
    _axes,
    _calls,
    _products,
    _parentheses,
    _arithmetic,
    _powers,
    _indices,
    _comparisons,
    _names,
]

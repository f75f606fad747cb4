"""One slip at a time: the ways in which a single expression of a right answer goes wrong."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from attnlab.diagnosis.slips.places import REDUCTIONS
from authoring.variations.claims import (
    COMPARISON,
    LOOP,
    NOTHING,
    Claims,
    along,
    function,
    product_of,
    sign,
    signs_in,
    squeezed,
    without_axis,
)
from authoring.variations.wording import PSEUDOCODE, Wording, say
from authoring.variations.words import Term, axis, called, code, named

SHAPES = "write down the shape of every line, then print it: which one is not what you expected?"
AXIS = "which numbers belong together, and along which axis do they lie? Name that one"
AXIS_KEPT = f"{AXIS}, and keep it where the result meets these numbers again: `keepdims=True`"
WORD_BY_WORD = "go through your lines word by word: is each name the one in the card's step?"
TERM_BY_TERM = "write the card's rule above your line, and compare them term by term"
KEEP = "keep the axis with `keepdims=True` (`keepdim=True` in torch), so that each row gets its own number"
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
CALLED = {ast.Add: "addition", ast.Sub: "subtraction", ast.Mult: "multiplication", ast.Div: "division"}
MISSING = {
    ast.Add: ("addition.missing", "the addition of {} is missing"),
    ast.Sub: ("subtraction.missing", "the subtraction of {} is missing"),
    ast.Mult: ("factor.missing", "the multiplication by {} is missing"),
    ast.Div: ("division.missing", "the division by {} is missing"),
}
SOMETHING = "one term of the rule"
FROM_ZERO = "count from 0: the first index is 0"
COMPARISONS: dict[type, list[type]] = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.GtE],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
}
FAMILIES = (["queries", "keys", "values"], ["scores", "powers", "weights", "shifted"], ["i", "j"])
COMPARED = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


@dataclass(frozen=True)
class Edit:
    """An expression to put in another's place, and what that is said to be."""

    node: ast.expr
    said: Wording


@dataclass(frozen=True)
class Around:
    """What is known about the place of an expression: the function's parameters, and the nodes that it stands in, the nearest first."""

    parameters: set[str]
    parents: list[ast.AST]
    sizes: set[str]  # the names that lengths of axes have
    held: set[str]  # all names that the function has

    def name(self, node: ast.AST) -> Term | None:
        """What to call an expression; None when there is no word for it."""
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


def other_than(right: object, *numbers: float) -> list[float]:
    """The numbers that are not the right one, in this order; the order of a set depends on whether Python compiled the file just now."""
    return [number for number in numbers if number != right]


def operation_instead(other: str, right: str, claims: Claims, next: str = PSEUDOCODE) -> Wording:
    """A function or a sign in another one's place."""
    return say("operation.instead", "{} is used instead of {}", code(other), code(right), next=next, claims=claims)


def name_instead(other: Term, right: Term) -> Wording:
    """A name in another one's place."""
    claims = function(other.array) if len(other.array) > 3 else NOTHING  # the letters of lengths are the card's
    return say("name.instead", "a line uses {} instead of {}", other, right, next=WORD_BY_WORD, claims=claims)


def _axes(node: ast.expr, around: Around) -> Iterator[Edit]:
    if not isinstance(node, ast.Call):
        return
    name = called(node)
    which = AXIS_KEPT if name in REDUCTIONS else AXIS
    for place, keyword in enumerate(node.keywords):
        others = [*node.keywords[:place], *node.keywords[place + 1 :]]
        if keyword.arg in ("axis", "dim"):
            if name not in PLAIN | {"stack", "cat", "concatenate"}:
                words = "{} has no {}, so it takes all entries at once"
                yield Edit(
                    with_(node, keywords=others),
                    say("axis.missing", words, code(name), code(keyword.arg), next=which, claims=without_axis(name)),
                )
            for number in (0, 1, -1, 2, -2):
                if ast.unparse(keyword.value) == str(number):
                    continue
                other = [*others, ast.keyword(keyword.arg, ast.Constant(number))]
                always = ("axis.always", "{} always runs") if isinstance(keyword.value, ast.Name) else ("axis.other", "{} runs")
                yield Edit(
                    with_(node, keywords=other),
                    say(
                        always[0],
                        f"{always[1]} along {{}}, not along the card's axis",
                        code(name),
                        axis(number),
                        next=which,
                        claims=along(name, number),
                    ),
                )
        if keyword.arg in ("keepdims", "keepdim"):
            words = "{} is called without {}, so its result is broadcast along the wrong axis"
            yield Edit(
                with_(node, keywords=others),
                say("axis.not_kept", words, code(name), code(f"{keyword.arg}=True"), next=KEEP, claims=squeezed(name)),
            )
        if keyword.arg in ("diagonal", "k") and isinstance(keyword.value, ast.Constant):
            for number in other_than(keyword.value.value, 0, 1, 2, -1):
                yield Edit(
                    with_(node, keywords=[*others, ast.keyword(keyword.arg, ast.Constant(number))]),
                    say(
                        "triangle.other_diagonal",
                        "the triangle starts at diagonal {}, not at the card's",
                        str(number),
                        next="diagonal 0 is the main diagonal, 1 the one above it; print the triangle for three tokens",
                    ),
                )


def _calls(node: ast.expr, around: Around) -> Iterator[Edit]:
    if not isinstance(node, ast.Call) or not (node.args or isinstance(node.func, ast.Attribute)):
        return
    name = called(node)
    inner = node.args[0] if node.args else node.func.value
    if name in PLAIN:
        words = "{} is missing, or its result is used twice" if name == "sqrt" else "{} is missing"
        yield Edit(inner, say("function.missing", words, code(name)))
    if name in TWICE:
        yield Edit(with_(node, args=[node, *node.args[1:]]), say("function.twice", "{} is applied twice", code(name), claims=function(name)))
    if name in ("transpose", "swapaxes", "permute", "moveaxis") and isinstance(node.func, ast.Attribute):
        what = around.name(node.func.value)
        said = say("axes.not_exchanged", "two axes are not swapped", next=SHAPES)
        yield Edit(node.func.value, said.also("those of {}", what) if what else said)
        yield _read_as(node.func.value, node, what)
    if name == "sqrt":
        halved = ast.BinOp(inner, ast.Div(), ast.Constant(2))
        yield Edit(halved, say("root.halved", "a number is halved where the rule takes its square root", next=TERM_BY_TERM))
    for other in INSTEAD.get(name, []):
        changed = with_(node.func, attr=other) if isinstance(node.func, ast.Attribute) else None
        if changed:
            yield Edit(with_(node, func=changed), operation_instead(other, name, function(other)))
    if name in ("reshape", "view"):
        for place in range(len(node.args) - 1):
            swapped = [*node.args]
            swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
            names = [around.name(one) or "a length" for one in swapped[place : place + 2]]
            words = "in {}, {} comes before {}, so the numbers end up in other places"
            yield Edit(
                with_(node, args=swapped),
                say("reshape.lengths_exchanged", words, code(name), *names, next=SHAPES, claims=function(name)),
            )


def _products(node: ast.expr, around: Around) -> Iterator[Edit]:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        what = around.name(node.value)
        yield Edit(node.value, say("transpose.missing", "the transpose of {} is missing", what or "a matrix", next=SHAPES))
        yield _read_as(node.value, node, what)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.MatMult):
        return
    left, right = around.name(node.left), around.name(node.right)
    both, sides, claims = ("", (), NOTHING) if not left or not right else (" of {} and {}", (left, right), _product(left, right))
    yield Edit(
        with_(node, left=node.right, right=node.left),
        say(
            "product.sides_exchanged",
            f"the two sides of the matrix product{both} are swapped",
            *sides,
            next=SHAPES,
            claims=claims | sign(ast.MatMult),
        ),
    )
    yield Edit(
        with_(node, op=ast.Mult()),
        say(
            "product.entry_by_entry",
            f"`*` is used instead of `@`{', between {} and {}' if both else ''}: it multiplies entry by entry, without a sum",
            *sides,
            next="use `@`, the matrix product: each entry is a sum over a row times a column",
            claims=sign(ast.Mult),
        ),
    )
    for side, what in (("left", left), ("right", right)):
        for how in () if _is_entry_turned(getattr(node, side)) else ("T", "mT"):
            yield Edit(
                with_(node, **{side: ast.Attribute(getattr(node, side), how, ast.Load())}),
                say(
                    "transpose.too_many",
                    f"there is an extra transpose of {{}} in the product{both}",
                    what or "one side",
                    *sides,
                    next=SHAPES,
                    claims=claims | function("transpose"),
                ),
            )
    for axis_of in (node.left, node.right):
        other = node.right if axis_of is node.left else node.left
        if what := around.name(axis_of):
            yield Edit(other, say("product.missing", "the product with {} is missing", what))


def _is_entry_turned(node: ast.expr) -> bool:
    """Whether it is the transpose of an entry of a dictionary: another transpose of that is none at all, and is said to be missing."""
    match node:
        case ast.Attribute(value=ast.Subscript(slice=ast.Constant(value=str())), attr="T" | "mT"):
            return True
    return False


def _product(left: Term, right: Term) -> Claims:
    return product_of(left.array, right.array) if left.array and right.array else NOTHING


def _read_as(array: ast.expr, turned: ast.expr, what: Term | None) -> Edit:
    said = say(
        "transpose.reshaped",
        "`reshape` or `view` is used instead of a transpose",
        next="use a transpose, which swaps the axes; `reshape` and `view` read the numbers in the same order",
        claims=function("reshape"),
    )
    return Edit(ast.Call(ast.Name("read_as"), [array, turned], []), said.also("on {}", what) if what else said)


def _parentheses(node: ast.expr, around: Around) -> Iterator[Edit]:
    """The same names and signs in the same order, with the parentheses in another place."""
    match node:
        case ast.BinOp(left=first, op=early, right=ast.BinOp(left=second, op=late, right=third)):
            other = ast.BinOp(ast.BinOp(first, early, second), late, third)
        case ast.BinOp(left=ast.BinOp(left=first, op=early, right=second), op=late, right=third):
            other = ast.BinOp(first, early, ast.BinOp(second, late, third))
        case _:
            return
    read = _with_gaps(other, around)
    yield Edit(
        other,
        say(
            "parentheses.elsewhere",
            "the parentheses are in a different place: Python reads {}",
            code(ast.unparse(read)),
            next="`@`, `*` and `/` come before `+` and `-`; use parentheses for another order",
            claims=signs_in(read),
        ),
    )


def _with_gaps(node: ast.expr, around: Around) -> ast.expr:
    """An expression with what has no word in it left out."""
    if isinstance(node, ast.BinOp):
        return with_(node, left=_with_gaps(node.left, around), right=_with_gaps(node.right, around))
    return node if isinstance(node, ast.Constant) or around.name(node) else ast.Name("…")


def _arithmetic(node: ast.expr, around: Around) -> Iterator[Edit]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield Edit(node.operand, say("minus.missing", "the minus sign is missing", next=TERM_BY_TERM))
    if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATORS or isinstance(node.left, ast.List):
        return
    right, left = around.name(node.right), around.name(node.left)
    if not around.within(ast.Subscript):
        yield Edit(node.left, _missing(node.op, right))
        if not isinstance(node.op, ast.Div):
            yield Edit(node.right, _missing(node.op, left))
    for operator in OPERATORS[type(node.op)]:
        said = say(
            "sign.instead",
            "the operation before {} is {} instead of {}",
            right or SOMETHING,
            CALLED[operator],
            CALLED[type(node.op)],
            next=TERM_BY_TERM,
            claims=sign(operator),
        )
        yield Edit(with_(node, op=operator()), said)
    if isinstance(node.op, (ast.Sub, ast.Div)):
        kind = "difference" if isinstance(node.op, ast.Sub) else "fraction"
        claims = sign(ast.Sub) if isinstance(node.op, ast.Sub) else sign(ast.Div, ast.Pow)
        said = say(f"{kind}.turned_round", f"a {kind} is taken the wrong way round", next=TERM_BY_TERM, claims=claims)
        yield Edit(with_(node, left=node.right, right=node.left), said)
    if isinstance(node.op, ast.Mult) and left and right:
        yield Edit(
            with_(node, op=ast.MatMult()),
            say(
                "product.of_matrices",
                "`@` is used instead of `*`, between {} and {}: it sums over an axis",
                left,
                right,
                next="use `*`, which multiplies entry by entry",
                claims=sign(ast.MatMult),
            ),
        )
    if isinstance(node.op, ast.Div) and isinstance(node.right, ast.Call) and called(node.right) == "sqrt":
        yield Edit(
            with_(node, right=ast.BinOp(node.right.args[0], ast.Pow(), ast.Constant(2))),
            say("root.squared", "something is divided by a square instead of a square root", next=TERM_BY_TERM),
        )


def _missing(operator: ast.operator, what: Term | None) -> Wording:
    if isinstance(operator, ast.Mult) and not what:
        return say("factor.missing", "a factor is missing", next=TERM_BY_TERM)
    id, words = MISSING[type(operator)]
    return say(id, words, what or SOMETHING, next=TERM_BY_TERM)


def _powers(node: ast.expr, around: Around) -> Iterator[Edit]:
    match node:
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=exponent)):
            what, right = around.name(base) or "a number", f"{exponent:g}"
            yield Edit(base, say("exponent.missing", "the exponent {} of {} is missing", right, what, next=TERM_BY_TERM))
            halved = ast.BinOp(base, ast.Div(), ast.Constant(2))
            yield Edit(halved, say("exponent.half", "{} is halved, as in `x ** 1 / 2`, which is half of x", what, next=TERM_BY_TERM))
            for other in other_than(exponent, 0.5, -0.5, 0.25, 2, 1.5):
                words = "{} has the exponent {} instead of {}"
                said = say("exponent.other", words, what, f"{other:g}", right, next=TERM_BY_TERM)
                yield Edit(with_(node, right=ast.Constant(other)), said)
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            exchanged = with_(node, left=exponent, right=base)
            yield Edit(exchanged, say("power.exchanged", "the base and the exponent are swapped", next=TERM_BY_TERM))
            yield Edit(with_(node, op=ast.Mult()), operation_instead("*", "**", sign(ast.Mult), TERM_BY_TERM))


def _indices(node: ast.expr, around: Around) -> Iterator[Edit]:
    match node:
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return
        case ast.Subscript(slice=ast.Tuple(elts=[first, second])):
            what = around.name(node.value)
            yield Edit(
                with_(node, slice=ast.Tuple([second, first], ast.Load())),
                say(
                    "index.exchanged",
                    f"rows and columns are swapped in an index{' of {}' if what else ''}",
                    what,
                    next="the first index is the row, the second the column",
                ),
            )
            said = say("index.row_for_entry", "a whole row is taken instead of one entry or another axis", next=SHAPES)
            yield Edit(with_(node, slice=first), said)
        case ast.Subscript(slice=ast.Slice() as cut) if cut.lower or cut.upper:
            yield Edit(node.value, say("index.whole_for_part", "something is taken whole where the card takes a part of it"))
        case ast.Subscript(slice=ast.Name() | ast.Subscript()):
            before = ast.BinOp(node.slice, ast.Sub(), ast.Constant(1))
            yield Edit(with_(node, slice=before), say("index.too_small", "an index is one too small", next=FROM_ZERO))
            yield Edit(
                with_(node, slice=ast.Tuple([ast.Slice(), node.slice], ast.Load())),
                say("index.column_for_row", "a column is taken instead of a row", next="`x[i]` is row i, `x[:, i]` is column i"),
            )
            yield Edit(node.value, say("index.whole_for_row", "the whole array is taken instead of one row", next=SHAPES))
        case ast.Call(func=ast.Name(id="range"), args=[upper]):
            yield Edit(
                with_(node, args=[ast.Constant(1), upper]),
                say(
                    "loop.without_first",
                    "a loop skips the first round: it starts at 1",
                    next="`range(n)` counts 0, 1, … n − 1",
                    claims=LOOP,
                ),
            )
            yield Edit(
                with_(node, args=[ast.BinOp(upper, ast.Sub(), ast.Constant(1))]),
                say(
                    "loop.without_last",
                    "a loop skips the last round: it ends one too early",
                    next="`range(n)` counts 0, 1, … n − 1 and needs no `- 1`",
                    claims=LOOP,
                ),
            )


def _comparisons(node: ast.expr, around: Around) -> Iterator[Edit]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        right = COMPARED.get(type(node.ops[0]))
        for other in COMPARISONS.get(type(node.ops[0]), []):
            yield Edit(
                with_(node, ops=[other()]),
                say(
                    "comparison.other",
                    "{} is used instead of {}, or the two sides are swapped",
                    code(COMPARED[other]),
                    code(right),
                    next="try it by hand for equal numbers, for a smaller and for a larger one",
                    claims=COMPARISON,
                ),
            )
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        exchanged = say("condition.and_or", "`and` and `or` are swapped", next="say the condition aloud, and try each of its four cases")
        yield Edit(with_(node, op=other), exchanged)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
        words = "a condition is inverted: what should be hidden stays, and the other way round"
        yield Edit(node.operand, say("condition.turned_round", words, next="print the condition for three tokens"))


def _names(node: ast.expr, around: Around) -> Iterator[Edit]:
    """Another name of the same family in the place of one."""
    for family in (sorted(around.parameters), sorted(around.sizes), *FAMILIES):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in family:
            for other in sorted(({*family} & around.held) - {node.id, "self"}):
                taken = ast.Name(other, ast.Load())
                if isinstance(around.parents[0], ast.Attribute) and around.parents[0].attr == "shape":
                    words = "a length is taken from {} instead of {}"
                    yield Edit(taken, say("length.of_other_array", words, around.name(taken), around.name(node), next=WORD_BY_WORD))
                else:
                    yield Edit(taken, name_instead(around.name(taken), around.name(node)))
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name) as method):
            for family in ({"toqueries", "tokeys", "tovalues"}, {"queries", "keys", "values"}):
                for other in sorted(family - {name}) if name in family else ():
                    said = say("layer.instead", "{} is called instead of {}", code(other), code(name), next=WORD_BY_WORD)
                    yield Edit(with_(node, func=with_(method, attr=other)), said)


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

"""What a piece of a right answer is called in a message, and what stands in the lines of a learner who has it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace

from authoring.variations.claims import NOTHING, Claims, one_of

OF_AXIS = "axis {}"


@dataclass(frozen=True)
class Term:
    """What a piece of an answer, or an axis, is called in a message.

    Attributes:
        form: the words, with `{}` for the name in them, if there is one.
        name: what may be another one where the same slip is made a second time: "`q`" in "a part of `q`".
        array: the array that it is, or is a part of, as code has it.
        axis: the number of the axis that it is, or is the length of.
        is_plural: whether "are" comes after it.
        claims: what stands in the lines that have it.
    """

    form: str
    name: str = ""
    array: str = ""
    axis: int | None = None
    is_plural: bool = False
    claims: Claims = NOTHING

    @property
    def text(self) -> str:
        """The words."""
        return self.form.format(self.name)

    @property
    def is_length(self) -> bool:
        """Whether it has a name that cards give to lengths."""
        return is_length(self.array)

    @property
    def are(self) -> str:
        """The verb after it."""
        return "are" if self.is_plural else "is"

    def within(self, form: str) -> Term:
        """What something is called that is made from it: "the length of {}"."""
        return replace(self, form=form.format(self.form), array="", is_plural=False)

    def part(self) -> Term:
        """What a part of it is called."""
        return replace(self.within("a part of {}"), array=self.array)


def code(text: str) -> Term:
    """A name, or another piece of code, as it is written."""
    return Term("{}", f"`{text}`")


def parameter(name: str) -> Term:
    """An array that the card gives a name to."""
    return replace(code(name), array=name)


def axis(number: int) -> Term:
    """One axis of several: what goes wrong along one is another slip than along the next."""
    return Term(OF_AXIS.format(number), axis=number)


def length_of(number: int) -> Term:
    """The length of an axis, which stands for lengths of other axes, too."""
    return Term("{}", f"the length of {OF_AXIS.format(number)}", axis=number)


ROLES = ("queries", "keys", "values", "query", "key", "value")
POWERS, LARGEST, TOTALS = one_of("exp", "exp2", "pow", "Pow"), one_of(calls="max"), one_of("AugAssign", calls="sum")
# Names of intermediate results in answers that are called `step_by_step` or `by_loops`, and the words for them. Another name means nothing
# to a learner who has not seen the answer.
TERMS = {role: Term("{}", f"the {role}", is_plural=role in ROLES[:3]) for role in ROLES}
TERMS |= {name: Term(f"the {name}", is_plural=True) for name in ("scores", "weights", "outputs", "heads", "logarithms", "products")}
TERMS |= {name: Term(f"the {name}") for name in ("output", "angle")}
TERMS |= {
    "powers": Term("the powers", is_plural=True, claims=POWERS),
    "shifted": Term("the shifted scores", is_plural=True),
    "largest": Term("the largest scores", is_plural=True, claims=LARGEST),
    "totals": Term("the sums of the powers", is_plural=True, claims=TOTALS),
    "mixed": Term("the weighted sums", is_plural=True),
    "later": Term("the mask"),
    "allowed": Term("the mask"),
    "place": Term("the row number"),
    "places": Term("the result"),
    "at_scores": Term("the gradient at the scores"),
    "at_weights": Term("the gradient at the weights"),
    "shared": Term("the shared sum"),
    "at_q": Term("the gradient at {}", "`q`"),
    "at_k": Term("the gradient at {}", "`k`"),
    "at_v": Term("the gradient at {}", "`v`"),
}
OF_CALLS = {
    "sqrt": Term("the square root"),
    "sum": Term("the sum"),
    "max": Term("the maximum"),
    "amax": Term("the maximum"),
    "exp": Term("the powers", claims=POWERS),
    "mean": Term("the mean"),
    "log": Term("the logarithm"),
    "softmax": Term("the softmax"),
    "softmax_rows": Term("the softmax"),
    "softmax_cols": Term("the softmax"),
    "len": Term("the length"),
    "sin": Term("the sine"),
    "cos": Term("the cosine"),
}


def called(node: ast.Call) -> str:
    """The name of what a call calls, without the module or object before it."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def is_length(name: str) -> bool:
    """Whether a name is one of those that cards give to lengths: `T`, `d_k`, `H_D`."""
    return len(name) == 1 or (len(name) < 5 and name[:2] in ("d_", "D_", "H_"))


def step(name: str) -> Term | None:
    """What the intermediate result is called that has this name; None for a name of the card."""
    return None if is_length(name) else TERMS.get(name)


def named(node: ast.AST, parameters: Iterable[str] = ()) -> Term | None:
    """What to call an expression in a message; None when no word for it is sure to be understood."""
    match node:
        case ast.Name(id=name) if name in parameters or is_length(name):
            return parameter(name)
        case ast.Name(id=name) if name in TERMS:
            return TERMS[name]
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return parameter(name)
        case ast.Attribute(value=value, attr="T" | "mT"):
            return named(value, parameters)
        case ast.Constant(value=int() | float() as number):
            return Term(f"{number:g}")
        case ast.Call() if called(node) in ("sqrt", "len") and len(node.args) == 1:
            inner = named(node.args[0], parameters)
            return inner.within(f"{OF_CALLS[called(node)].form} of {{}}") if inner else OF_CALLS[called(node)]
        case ast.Call() if called(node) in OF_CALLS:
            return OF_CALLS[called(node)]
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return parameter(name)
        case ast.Call(func=ast.Attribute(value=value, attr="transpose" | "swapaxes" | "reshape" | "view" | "astype")):
            return named(value, parameters)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))) if name in parameters:
            return code(f'{name}["{key}"]')
        case ast.Subscript(value=value):
            inner = named(value, parameters)
            return inner.part() if inner else None
        case ast.BinOp(op=ast.Pow(), left=base, right=ast.Constant(value=0.5)):
            inner = named(base, parameters)
            return inner.within("the square root of {}") if inner else OF_CALLS["sqrt"]
        case ast.BinOp(op=ast.MatMult()):
            return Term("a matrix product")
    return None

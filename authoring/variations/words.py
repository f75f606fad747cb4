"""What a piece of a right answer is called in a message."""

from __future__ import annotations

import ast

# Names of intermediate results in answers that are called `step_by_step` or `by_loops`, and the words for them. Another name means nothing
# to a learner who has not seen the answer.
TERMS = {
    name: f"the {name}"
    for name in (
        "queries",
        "keys",
        "values",
        "query",
        "key",
        "value",
        "scores",
        "weights",
        "powers",
        "outputs",
        "output",
        "heads",
        "angle",
        "logarithms",
        "products",
    )
}
TERMS |= {
    "shifted": "the shifted scores",
    "largest": "the largest scores",
    "totals": "the sums of the powers",
    "mixed": "the weighted sums",
    "later": "the mask",
    "allowed": "the mask",
    "place": "the row's number",
    "places": "the result",
    "at_scores": "the gradient at the scores",
    "at_weights": "the gradient at the weights",
    "shared": "the shared sum",
    "at_q": "the gradient at `q`",
    "at_k": "the gradient at `k`",
    "at_v": "the gradient at `v`",
}
OF_CALLS = {
    "sqrt": "the square root",
    "sum": "the sum",
    "max": "the largest",
    "amax": "the largest",
    "exp": "the powers",
    "mean": "the mean",
    "log": "the logarithm",
    "softmax": "the softmax",
    "softmax_rows": "the softmax",
    "softmax_cols": "the softmax",
    "len": "the length",
    "sin": "the sine",
    "cos": "the cosine",
}


def called(node: ast.Call) -> str:
    """The name of what a call calls, without the module or object before it."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""


def is_length(name: str) -> bool:
    """Whether a name is one of those that cards give to lengths: `T`, `d_k`, `H_D`."""
    return len(name) == 1 or (len(name) < 5 and name[:2] in ("d_", "D_", "H_"))


def named(node: ast.AST, parameters: set[str]) -> str:
    """What to call an expression in a message; "" when no word for it is sure to be understood."""
    match node:
        case ast.Name(id=name) if name in parameters or is_length(name):
            return f"`{name}`"
        case ast.Name(id=name) if name in TERMS:
            return TERMS[name]
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"`{name}`"
        case ast.Attribute(value=value, attr="T" | "mT"):
            return named(value, parameters)
        case ast.Constant(value=int() | float() as number):
            return f"{number:g}"
        case ast.Call() if called(node) in ("sqrt", "len") and len(node.args) == 1:
            inner = named(node.args[0], parameters)
            return f"{OF_CALLS[called(node)]} of {inner}" if inner else OF_CALLS[called(node)]
        case ast.Call() if called(node) in OF_CALLS:
            return OF_CALLS[called(node)]
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
            return f"`{name}`"
        case ast.Call(func=ast.Attribute(value=value, attr="transpose" | "swapaxes" | "reshape" | "view" | "astype")):
            return named(value, parameters)
        case ast.Subscript(value=value):
            inner = named(value, parameters)
            return f"a part of {inner}" if inner else ""
        case ast.BinOp(op=ast.Pow(), left=base, right=ast.Constant(value=0.5)):
            inner = named(base, parameters)
            return f"the square root of {inner}" if inner else "the square root"
        case ast.BinOp(op=ast.MatMult()):
            return "a product of matrices"
    return ""

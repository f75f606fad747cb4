"""Tensors of two number types in one line: which is which, and whether a layer brings its own."""

from __future__ import annotations

import ast
import re
from typing import Any

from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.text.source import Place

DIFFERENT = "the tensors have different number types"
WORDS = ("same dtype", "dtypes must be the same", "scalar type", "to have dtype")
CALLED = {"double": "float64", "float": "float32", "half": "float16", "long": "int64", "int": "int32"}  # types in torch's sentences


def explain_number_types(text: str, place: Place) -> Cause | None:
    """What the names of a line hold, where an exception complains of their number types; None for another exception or when they do not show it."""
    if not any(words in text for words in WORDS):
        return None
    import torch  # here, so that lessons without tensors do not wait for it

    tensors = {name: value.dtype for name, value in place.held.items() if isinstance(value, torch.Tensor) and name.isidentifier()}
    for name, value in place.held.items():
        own = {one.dtype for one in value.parameters()} if isinstance(value, torch.nn.Module) else set()
        if len(own) == 1 and tensors and not own & set(tensors.values()):
            given = _name(next(iter(tensors.values())))
            return Cause(
                "number_types.parameters_of_other_dtype",
                f"{DIFFERENT}: `{name}` has parameters of its own, of {_name(own.pop())}, but the input is {given}",
                "does the card have parameters there? If not, remove them; if so, make them with the type of the input",
            )
    told_of = {CALLED.get(word, word) for word in re.findall(r"[a-z]+\d*", text.lower())}
    concerned = {name: kind for name, kind in tensors.items() if _name(kind) in told_of} if len(tensors) > 2 else tensors
    if len(set(concerned.values())) == 2:
        told = " and ".join(f"`{name}` holds {_name(kind)}{_origin(place, name)}" for name, kind in concerned.items())
        return Cause("number_types.mixed_dtypes", f"{DIFFERENT}: {told}", "use one number type everywhere: that of the input, `x.dtype`")
    return None


def _name(kind: Any) -> str:
    return str(kind).removeprefix("torch.")


def _origin(place: Place, name: str) -> str:
    made = place.made(name)
    return f" (line {made.lineno}: `{ast.unparse(made)}`)" if made else ""

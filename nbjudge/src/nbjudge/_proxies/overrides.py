"""Sentences about what a notebook has changed of Python's or a library's own, where the student's code met it."""

from __future__ import annotations

import builtins
import re
from typing import Any

MOST = 3
WORD = re.compile(r"\w{0,60}")
BUILTINS = {
    "library": (
        "In your notebook, `{name}` is {what}'s and no more Python's own. A line such as `from {what} import *` does that: "
        "import the names that you need."
    ),
    "generator": (
        "In your notebook, `{name}` is {what}'s and no more Python's own: of `{name}(... for ...)` it sees none of the items. A line such as "
        "`from {what} import *` does that: import the names that you need."
    ),
    "own": "In your notebook, `{name}` is a function or class of yours, and no more Python's own: call yours by another name.",
    "value": "In your notebook, `{name}` is a value of the type {what}, and no more Python's own: call yours by another name.",
}
OTHERS = {
    "warnings": (
        "Your notebook makes errors of warnings, and this {name} is one of them: take out the line with `warnings`, "
        'such as `warnings.simplefilter("error")`.'
    ),
    "numpy": "Your notebook has numpy stop where it goes on otherwise, with `inf`, `nan` or 0: take out the line with `np.seterr`.",
    "recursion": "Your notebook allows functions to call each other no more than {name} deep: take out the line with `sys.setrecursionlimit`.",
    "torch_type": (
        "Your notebook has torch make {name} numbers where it makes float32 otherwise, and they met others: take out the line with "
        "`torch.set_default_dtype`, or give each tensor the `dtype` of the input."
    ),
    "torch_gradients": "Your notebook has switched gradients off: take out the line with `torch.set_grad_enabled`.",
}


def in_sentences(description: Any) -> list[str]:
    """What the description of an error, or of a call, says of it. It comes from the student's process: what is not as it should be is left out."""
    told = description.get("overrides") if isinstance(description, dict) else None
    sentences = [_sentence(*one) for one in told[:MOST] if isinstance(one, list) and len(one) == 3] if isinstance(told, list) else []
    return [words for words in sentences if words]


def _sentence(kind: Any, name: Any, what: Any) -> str:
    if not all(isinstance(part, str) and WORD.fullmatch(part) for part in (kind, name, what)) or (kind in BUILTINS and not hasattr(builtins, name)):
        return ""
    return {**BUILTINS, **OTHERS}.get(kind, "").format(name=name, what=what)

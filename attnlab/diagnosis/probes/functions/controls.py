"""Functions of tokens for tests to be tried on. Some treat all orders alike and some do not; their letters do not say which."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]

_drawn = np.random.RandomState(8)
_W = [_drawn.normal(size=(6, 6)) for _ in range(4)]
_ADDED = _drawn.normal(size=(64, 6))
_OPEN = np.zeros((64, 64))
_SHUT = np.triu(np.full((64, 64), -np.inf), 1)


def _mix(x: np.ndarray, added: np.ndarray, parts: int = 1, by_place: bool = False) -> np.ndarray:
    """Attention of one or two heads; `added` joins the scores."""
    import torch  # here, so that lessons without tensors do not wait for it

    def cut(tokens: np.ndarray) -> torch.Tensor:
        pieces = tokens.reshape(parts, len(x), -1) if by_place else np.stack(np.split(tokens, parts, axis=1))
        return torch.from_numpy(np.ascontiguousarray(pieces))[None]

    bias = torch.from_numpy(added[: len(x), : len(x)].copy())
    mixed = torch.nn.functional.scaled_dot_product_attention(*(cut(x @ w) for w in _W[:3]), attn_mask=bias)
    return np.concatenate(list(mixed[0].numpy()), axis=1)


_STEPS: tuple[Function, ...] = (
    lambda x: _mix(x, _OPEN),
    lambda x: _mix(x, _SHUT),
    lambda x: _mix(x, _OPEN, parts=2),
    lambda x: _mix(x, _OPEN, parts=2, by_place=True),
    lambda x: x + _ADDED[: len(x)],
    lambda x: np.tanh(x @ _W[0]) @ _W[3],
    lambda x: np.broadcast_to(x.mean(axis=0), x.shape).copy(),
    lambda x: x[np.lexsort(x.T)],
    lambda x: x + np.roll(x, 1, axis=0),
    lambda x: np.concatenate([x[:-1], 2 * x[-1:]]),
    lambda x: x.mean(axis=0),
    lambda x: x.max(axis=0),
    lambda x: x[-1],
    lambda x: (x * np.roll(x, 1, axis=0)).sum(axis=0),
    lambda x: np.arange(1.0, len(x) + 1) @ x,
    lambda x: x**3,
)
_RECIPES = {
    "A": (1,),
    "B": (5,),
    "C": (3,),
    "D": (0,),
    "E": (7,),
    "F": (4, 0),
    "G": (8,),
    "H": (6,),
    "I": (9, 5),
    "J": (2, 5),
    "K": (0, 10),
    "L": (12,),
    "M": (11,),
    "N": (0,),
    "O": (14,),
    "P": (7,),
    "Q": (13,),
    "R": (1, 10),
    "S": (5, 10),
    "T": (5,),
    "U": (15,),
}


def function(letter: str) -> Function:
    """The control of that letter: from tokens `(T, 6)` to an array."""
    steps = _RECIPES[letter]

    def f(x: np.ndarray) -> np.ndarray:
        for step in steps:
            x = _STEPS[step](x)
        return x

    return f


def is_pooled(letter: str) -> bool:
    """Whether that control belongs to the test for f(Px) = f(x), and not to that for f(Px) = P f(x)."""
    return "K" <= letter <= "T"

"""By which number an attention divides its scores: found from its outputs, whatever the code looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.memory.memory import differs_again
from attnlab.reference import Case

SIZES: tuple[tuple[str, Callable[..., float]], ...] = (
    ("d_k", lambda q, k, v: q.shape[-1]),
    ("S, the number of keys", lambda q, k, v: k.shape[-2]),
    ("T, the number of queries", lambda q, k, v: q.shape[-2]),
    ("d_v", lambda q, k, v: v.shape[-1]),
    ("the length of the first axis", lambda q, k, v: len(q)),
    ("the length of axis 1", lambda q, k, v: q.shape[1]),
    ("the number of axes", lambda q, k, v: q.ndim),
    ("the number of entries of q", lambda q, k, v: q.size),
    ("the number of entries of k", lambda q, k, v: k.size),
    ("the number of scores of one sequence", lambda q, k, v: q.shape[-2] * k.shape[-2]),
    ("T + S", lambda q, k, v: q.shape[-2] + k.shape[-2]),
    ("d_k + 1", lambda q, k, v: q.shape[-1] + 1),
    ("d_k − 1", lambda q, k, v: q.shape[-1] - 1),
)
OF_SIZES: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("{}", lambda n: n),
    ("the root of {}", lambda n: n**0.5),
    ("2 times {}", lambda n: 2 * n),
    ("half of {}", lambda n: n / 2),
    ("the square of {}", lambda n: n**2),
    ("the fourth root of {}", lambda n: n**0.25),
    ("the third root of {}", lambda n: n ** (1 / 3)),
    ("the logarithm of {}", lambda n: np.log(n) if n > 0 else 0),
    ("the root of {} (rounded down to a whole number)", lambda n: float(int(max(n, 0) ** 0.5))),
    ("{} times its root", lambda n: n**1.5),
    ("the root of {} plus 1", lambda n: n**0.5 + 1),
    ("2 times the root of {}", lambda n: 2 * n**0.5),
)
BASES = ((2, "`exp2`, or `2 ** scores`"), (10, "`10 ** scores`"))
NEXT = "divide by the root of d_k, the number of components of a query and of a key; print your divisor"
WHY = {True: "the scores are too small and the weights too equal", False: "the scores are too large and the weights too concentrated"}


def explain_scale(evidence: Evidence, case: Case) -> Cause | None:
    """What the scores are divided by, when that alone explains every output; None when it does not, or when it is the right number."""
    if differs_again(evidence, case):
        return None
    found: list[tuple[float, list[np.ndarray]]] = []
    for one in evidence.cases:
        arrays = [as_numpy(argument).astype(float) for argument in one.arguments]
        result = evidence.result(one)
        got = as_numpy(result).astype(float) if hasattr(result, "shape") else None
        if got is None or got.shape != np.shape(one.expected) or not np.isfinite(got).all():
            return None
        scale = _scale(got, arrays)
        if scale is None:
            return None
        if np.isfinite(scale):
            found.append((scale, arrays))
    roots = [arrays[0].shape[-1] ** 0.5 for _, arrays in found]
    if not found or np.allclose([scale for scale, _ in found], [1 / root for root in roots], rtol=1e-4):
        return None
    return _in_words(found, roots)


def _in_words(found: list[tuple[float, list[np.ndarray]]], roots: list[float]) -> Cause | None:
    scales = np.array([scale for scale, _ in found])
    if (scales == 0).all():
        return Cause("scales.uniform_weights", "all weights of a query are equal: the scores have no effect", "print the scores before the softmax")
    if np.allclose(scales, 1, rtol=1e-4):
        return Cause("scales.not_scaled", "the scores are not scaled", "divide them by the root of the length that queries and keys share")
    if np.allclose(scales * roots, -1, rtol=1e-4):
        return Cause(
            "scales.scores_negated",
            "the scores have the opposite sign: the largest one gets the smallest weight",
            "remove the minus",
        )
    if np.allclose(scales / roots, 1, rtol=1e-4):
        return Cause(
            "scales.multiplied_by_root",
            "the scores are multiplied by the root instead of divided by it",
            "divide by the root, which makes the scores smaller",
        )
    for base, written in BASES:
        if np.allclose(scales * roots, np.log(base), rtol=1e-4):
            return Cause(
                "scales.wrong_exponential_base",
                f"the exponentials are powers of {base}, not of e: {written}, or the scores are multiplied by ln {base}",
                "use `exp`: it takes powers of e",
            )
    divided = list(dict.fromkeys(_names(1 / scales, found)))
    if divided:
        too_small = bool((np.abs(scales) < 1 / np.array(roots)).all())
        why = f", so {WHY[too_small]}" if too_small or (np.abs(scales) > 1 / np.array(roots)).all() else ""
        if divided == ["2 times d_k"]:
            return Cause(
                "scales.divided_by_2_d_k",
                f"the scores are divided by d_k and also by 2, as in `/ d ** 1 / 2` or `* d ** -1 / 2`{why}",
                "`**` comes before `/`: write `d ** 0.5`, or parentheses around the fraction",
            )
        if divided == ["d_k"]:
            return Cause(
                "scales.divided_by_d_k",
                f"the scores are divided by d_k itself, which dividing by the root twice also does{why}",
                "divide by the root of d_k, once",
            )
        return Cause("scales.wrong_divisor", f"the scores are divided by {' or by '.join(divided[:2])}{why}", NEXT)
    if len({arrays[0].shape[-1] for _, arrays in found}) > 1 and np.allclose(scales, scales[0], rtol=1e-4):
        return Cause(
            "scales.constant_divisor",
            f"the scores are divided by {1 / scales[0]:.4g} for every input: a number in your code, or a variable of the notebook",
            "take d_k from the argument: `q.shape[-1]`",
        )
    if multiplied := list(dict.fromkeys(_names(scales, found))):
        return Cause(
            "scales.multiplied_not_divided", f"the scores are multiplied by {' or by '.join(multiplied[:2])} instead of divided by a root", NEXT
        )
    if len(found) < 2:
        return None
    told = ", ".join(f"{1 / scale:.4g} (d_k is {arrays[0].shape[-1]})" for scale, arrays in found[:3])
    return Cause(
        "scales.divisor_not_root_d_k",
        f"the scores are not divided by the root of d_k; for the inputs of this check, they are divided by {told}",
        NEXT,
    )


def _names(numbers: np.ndarray, found: list[tuple[float, list[np.ndarray]]]) -> Iterator[str]:
    """What the numbers are, in the lengths of each input; where two lengths are always equal, the first one's name."""
    seen: set[tuple[float, ...]] = set()
    for size, of in SIZES:
        lengths = tuple(float(of(*arrays)) for _, arrays in found)
        if lengths in seen:
            continue
        seen.add(lengths)
        for words, function in OF_SIZES:
            if np.allclose([function(length) for length in lengths], numbers, rtol=1e-4):
                yield words.format(size)


def _scale(got: np.ndarray, arrays: list[np.ndarray]) -> float | None:
    """The factor at the scores that gives an output; nan where many do, as for a single key, and None where none does."""
    q, k, v = arrays
    scores = q @ np.swapaxes(k, -1, -2)
    scores = scores - scores.max(axis=-1, keepdims=True)

    def off(factors: np.ndarray) -> np.ndarray:
        shifted = factors.reshape(-1, *[1] * scores.ndim) * scores
        powers = np.exp(shifted - shifted.max(axis=-1, keepdims=True))
        outputs = powers / powers.sum(axis=-1, keepdims=True) @ v
        return np.abs(outputs - got).reshape(len(factors), -1).max(axis=1)

    near = 1e-6 * max(1.0, float(np.abs(v).max()))
    steps = np.logspace(-4, 2, 241)
    tried = np.concatenate([-steps[::-1], [0.0], steps])
    errors = off(tried)
    if (errors < near).sum() > 2:  # all far ends look alike: one key has everything
        return float("nan")
    place = int(errors.argmin())
    low, high = tried[max(place - 1, 0)], tried[min(place + 1, len(tried) - 1)]
    for _ in range(8):
        finer = np.linspace(low, high, 41)
        errors = off(finer)
        place = int(errors.argmin())
        low, high = finer[max(place - 1, 0)], finer[min(place + 1, 40)]
    scale = float(finer[place])
    if errors[place] >= near:
        return None
    return scale if abs(scale) * float(np.abs(scores).max()) > 1e-5 else 0.0

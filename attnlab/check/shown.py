"""The printed reference: what an exercise gives for the lesson's own example."""

from __future__ import annotations

import numpy as np

from attnlab import reference
from attnlab.arrays import as_numpy


def known(exercise: str) -> np.ndarray:
    """The expected result of an exercise for the lesson's own example, as an array to go on with."""
    return as_numpy(reference.cases(exercise)[0].expected)


def expected(exercise: str, part: str | None = None, decimals: int = 4) -> None:
    """Print the expected result of an exercise for the lesson's own example.

    Args:
        exercise: the exercise's name.
        part: only this part of a result that is a tuple.
        decimals: how many decimals to print; the stored numbers have more.
    """
    case = reference.cases(exercise)[0]
    print("expected")
    if not case.parts:
        print(np.round(as_numpy(case.expected), decimals))
        return
    widest = max(map(len, case.parts))
    for name, value in zip(case.parts, case.expected):
        if part not in (None, name):
            continue
        numbers = np.round(as_numpy(value), decimals)
        if numbers.shape[1:] == (1,):  # a single column is easier to read as a line
            print(f"{name:<{widest}}", numbers.ravel())
        elif part:
            print(numbers)
        else:
            print(name, numbers, sep="\n")

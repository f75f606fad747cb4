"""Arrays that broadcasting makes larger than the result may be."""

from __future__ import annotations

import numpy as np

from attnlab.arrays import as_numpy
from attnlab.diagnosis.cause import Cause
from attnlab.diagnosis.evidence import Evidence
from attnlab.diagnosis.text.operations import Cell, Operations
from attnlab.diagnosis.text.source import is_array
from attnlab.reference import Case


def explain_broadcast(evidence: Evidence, case: Case) -> Cause | None:
    """The operation that is given an array of the expected shape and, by another one, makes one of the shape of the result; None without one."""
    wanted, got = np.shape(as_numpy(case.expected)), np.shape(as_numpy(evidence.result(case)))
    cell = Cell.of(evidence.answer) if evidence.exercise.seconds is None and case.shape is None and wanted != got else None
    for done in Operations(cell, lambda answer: evidence.ask(case, answer)).done if cell else ():
        shapes = [tuple(one.shape) for one in done.given if is_array(one)]
        other = next((shape for shape in shapes if shape != wanted), None)
        if tuple(done.result.shape) != got or wanted not in shapes or other is None or not _fit(shapes, got):
            continue
        return Cause(
            "broadcast.result_too_large",
            f"`{done.text}` in line {done.node.lineno} makes shape {got} of {wanted} and {other}: NumPy and torch line shapes up from the last axis, "
            "and repeat what has length 1",
            f"give the array of shape {other} the axes of the other one: `None` or `unsqueeze` puts one in",
        )
    return None


def _fit(shapes: list[tuple[int, ...]], together: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(*shapes) == together
    except ValueError:
        return False

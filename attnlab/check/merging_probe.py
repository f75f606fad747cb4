"""Where the heads of a module of attention come out: single components of the values are followed to the last layer."""

from __future__ import annotations

import numpy as np

from attnlab.check.causes import Evidence
from attnlab.check.diagnosis import Cause
from attnlab.check.module_probes import TOKENS, Subject, given
from attnlab.reference import Case

NEXT = "follow head 1 through your lines: which shape has each array, and at which of its places does that head stand?"


def probe_merging(evidence: Evidence, case: Case) -> Cause | None:
    """What becomes of one component of the values, when every query looks at all keys alike."""
    subject = Subject(evidence, case)
    s = subject.k if subject.wide else subject.k // subject.heads
    for head, component in dict.fromkeys([(0, 0), (0, min(1, s - 1)), (min(1, subject.heads - 1), 0)]):
        if told := _followed(subject, head, component, s):
            return f"a value that is 1 for every token, as component {component} of head {head}, {told}", NEXT
    return None


def _followed(subject: Subject, head: int, component: int, s: int) -> str:
    """What is unusual about one component's way; "" when it arrives at its place in every token."""
    import torch  # here, so that lessons without tensors do not wait for it
    place, width = head * s + component, subject.heads * s
    weights = {name: torch.zeros(*value.shape) for name, value in subject.weights.items()}
    names = subject.layers
    weights[f"{names[2]}.weight"][place, 0] = 1
    weights[f"{names[3]}.weight"][0] = 1.0  # how much arrives
    for row in range(1, min(3, subject.k)):
        weights[f"{names[3]}.weight"][row] = torch.arange(1.0, width + 1) ** row  # and where
    x = torch.zeros(1, TOKENS, subject.k)
    x[..., 0] = 1
    arrived = given(subject.made(subject.settings, weights), x)[0]
    amounts = arrived[:, 0]
    if not np.isfinite(arrived).all():
        return ""
    if not np.allclose(amounts, amounts[0], atol=1e-4):
        told = ", ".join(f"{amount:.3g}" for amount in amounts)
        return f"arrives at the last layer as {told} in the {TOKENS} tokens: heads and tokens get mixed"
    if not np.isclose(amounts[0], 1, atol=1e-4):
        return (f"comes to {amounts[0]:.3g} at the last layer, and 1 is right: the weights of a query do not sum to 1, the values get a factor, "
                "or something is added")
    if subject.k < 3:
        return ""
    found = round(float(arrived[0, 1])) - 1
    if not np.allclose(arrived[0, 1:3], [found + 1, (found + 1) ** 2], rtol=1e-4):
        return f"arrives at the last layer in several places of the row, and belongs at place {place} alone"
    return "" if found == place else f"arrives at place {found} of the row that the last layer gets, and belongs at place {place}"

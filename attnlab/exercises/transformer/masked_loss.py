"""`masked_loss(logits, targets)`: values, and that gradients go back to the logits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from attnlab import reference
from attnlab.diagnosis import grading
from attnlab.diagnosis.cause import Cause, Diagnosis
from attnlab.diagnosis.exercise import Exercise, Input
from attnlab.exercises.transformer import drawn, some

LOGITS = torch.tensor([[[2.0, 0, 1, -1], [0, 0, 0, 3], [1, 1, 1, 1]], [[-1.0, 2, 0, 0], [4, 0, 0, 1], [0, 5, 0, 0]]])

TARGETS = torch.tensor([[0, 3, -100], [1, 2, -100]])


def _has_no_gradient(answer: Callable[..., Any]) -> Diagnosis | None:
    """What is wrong with the gradient; looked at where the answer itself is here, and not what stands for it in a grader."""
    import torch

    if not grading.is_here(answer):
        return None
    logits, targets = (torch.as_tensor(argument).clone() for argument in reference.cases("masked_loss")[0].arguments)
    loss = answer(logits.requires_grad_(True), targets)
    gradient = torch.autograd.grad(loss, logits, allow_unused=True)[0] if getattr(loss, "requires_grad", False) else None
    if gradient is None:
        return Diagnosis(
            "the loss has no gradient: torch cannot go back from it to the logits",
            "a tensor from which torch can go back to the logits",
            Cause(
                "masked_loss.loss_detached",
                "the number was taken out of torch, by `.item()`, `float(...)`, `.detach()`, `.data`, `.numpy()` or `torch.tensor(...)`",
                "compute the loss from the logits with torch operations only, and return their result",
            ),
        )
    wanted = (torch.softmax(logits, dim=-1) - torch.nn.functional.one_hot(targets.clamp(min=0), logits.shape[-1])) * (targets != -100)[..., None]
    if torch.allclose(gradient, wanted.detach() / int((targets != -100).sum()), atol=1e-5):
        return None
    return Diagnosis(
        "the value of the loss is right, but its gradient at the logits is not",
        "p − 1 at the target and p elsewhere, divided by N",
        Cause(
            "masked_loss.part_detached",
            "part of the computation was cut off from the gradient, as `.detach()` and `.data` do",
            "remove what cuts it off",
        ),
    )


SIZES = ((3, 5, 7), (4, 4, 4), (1, 1, 5), (5, 2, 2), (2, 30, 27))  # sequences, tokens, vocabulary


def _kinds(random: np.random.RandomState) -> dict[str, list[list[Any]]]:
    def inputs(asked: float, size: float = 1.0) -> list[list[Any]]:
        made = []
        for B, T, V in (SIZES[0], *SIZES):
            targets = torch.from_numpy(np.where(random.uniform(size=(B, T)) < asked, random.randint(V, size=(B, T)), -100))
            targets[-1, 0] = random.randint(V)  # one position is asked
            made.append([some(random, B, T, V, size=size).clamp(-1e4, 1e4), targets])
        return made

    def certain() -> list[list[Any]]:
        """Logits that leave no doubt about the targets: the loss is 0."""
        asked = [targets for _, targets in inputs(0.7)[:2]]
        return [[1e4 * torch.nn.functional.one_hot(targets.clamp(min=0), SIZES[0][2]).float(), targets] for targets in asked]

    return {
        "some positions asked": inputs(0.5),
        "every position asked": inputs(1),
        "one position asked": inputs(0),
        "most positions asked": inputs(0.8, size=3),
        "large logits": inputs(0.5, size=4000),
        "a model that is certain": certain(),
    }


EXERCISE = Exercise(
    title="the mean surprise where something is asked",
    inputs=[
        Input("the two sequences of the card", [LOGITS, TARGETS]),
        Input("every position asked", [LOGITS[:1], torch.tensor([[2, 0, 1]])]),
        Input("a single position asked", [LOGITS, torch.tensor([[-100, -100, -100], [-100, 1, -100]])]),
        Input("logits of ten thousand", [1e4 * LOGITS, TARGETS]),
        Input("a square batch", [drawn(44, 3, 3, 3), torch.tensor([[0, -100, -100], [1, 1, 2], [-100, 0, 0]])]),
    ],
    kinds=_kinds,
    edges={"gradients": lambda evidence: _has_no_gradient(evidence.answer)},
)

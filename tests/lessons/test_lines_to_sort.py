"""A help with lines to sort: those that the card counts make the function, and with any of the others it comes out wrong."""

from __future__ import annotations

import copy
import operator
import re
from typing import Any

import numpy as np
import pytest

from attnlab import reference
from attnlab.arrays import as_numpy
from attnlab.check import exercises
from attnlab.diagnosis.cause import CheckFailed
from authoring.answers import Namespace
from authoring.lessons import find_lessons, read_text

RIGHT = {
    "self_attention_loops": """
out = np.zeros(x.shape)
for i in range(len(x)):
    row = np.array([x[i] @ x[j] for j in range(len(x))])
    share = softmax(row)
    for j in range(len(x)):
        out[i] = out[i] + share[j] * x[j]
return out""",
    "two_layers": """
to_query, to_key, to_value = first
early = softmax_rows((x @ to_query) @ (x @ to_key).T)
h = np.concatenate([x, early @ (x @ to_value)], axis=1)
to_query, to_key, to_value = second
late = softmax_rows((h @ to_query) @ (h @ to_key).T)
mixed = late @ (h @ to_value)
return early, late, mixed""",
    "scaled_dot_product_attention": """
d = q.shape[-1]
table = (q / d ** 0.5) @ k.mT
share = torch.softmax(table, dim=-1)
return share @ v""",
    "attention_gradients": """
root = q.shape[1] ** 0.5
p = softmax(q @ k.T / root)
at_p = g @ v.T
at_s = np.stack([softmax_jacobian(row) @ one for row, one in zip(p, at_p)]) / root
return at_s @ k, at_s.T @ q, p.T @ g""",
    "padded_weights": """
keys = torch.arange(scores.shape[-1])
empty = keys >= lengths[:, None, None, None]
table = scores.masked_fill(empty, -math.inf)
return torch.softmax(table, dim=-1)""",
    "train_model": """
adam = torch.optim.Adam(model.parameters(), lr=rate)
history = []
for x, y in batches:
    error = masked_loss(model(x), y)
    adam.zero_grad()
    error.backward()
    adam.step()
    history.append(error.item())
return history""",
}
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}


def card_of(exercise: str) -> tuple[Any, str]:
    """The lesson of an exercise, and the text of its card."""
    for lesson in find_lessons():
        for cell in read_text(lesson).cells:
            if cell.cell_type == "markdown" and f"· `{exercise}`**" in cell.source:
                return lesson, cell.source.split(f"· `{exercise}`**")[1].split("> **Exercise")[0]
    raise KeyError(exercise)


def is_right(exercise: str, names: Namespace, header: str, body: list[str]) -> bool:
    """Whether these lines make what the check's own inputs expect."""
    known = names.copy()
    exec(header + "\n" + "".join(f"    {line}\n" for line in body), known)
    call = exercises.find(exercise).call or operator.call
    for case in reference.cases(exercise):
        found = call(known[exercise], *copy.deepcopy(case.arguments))
        several = isinstance(case.expected, tuple)
        for one, wanted in zip(found if several else [found], case.expected if several else [case.expected], strict=True):
            got, target = as_numpy(one), as_numpy(wanted)
            if got.shape != target.shape or not np.allclose(got, target, rtol=1e-3, atol=1e-4):
                return False
    return True


@pytest.mark.parametrize("exercise", RIGHT)
def test_the_lines_make_the_function_and_the_others_do_not(exercise: str) -> None:
    lesson, card = card_of(exercise)
    [(count, offered)] = re.findall(r"<summary>Lines to sort</summary>\n>\n> (\w+) of these lines make .*?\n>\n> ```\n(.*?)> ```", card, re.DOTALL)
    lines, right = [line[2:] for line in offered.splitlines()], RIGHT[exercise].strip("\n").splitlines()
    in_order = [line.strip() for line in right]
    assert set(in_order) < set(lines) and NUMBERS[count.lower()] == len(right)
    assert [line for line in lines if line in in_order] != in_order, "they stand in the order of the answer"
    names = dict(Namespace(read_text(lesson)))
    [header] = re.findall(rf"^def {exercise}\(.*\):", lesson.text.read_text(encoding="utf-8"), re.MULTILINE)[:1]
    assert is_right(exercise, names, header, right)
    for wrong in set(lines) - set(in_order):
        target = wrong.split("=")[0].split("(")[0].split()[0]
        body = [line.replace(line.strip(), wrong) if line.strip().split("=")[0].split("(")[0].split()[0] == target else line for line in right]
        assert body != right, f"no line that `{wrong}` could stand for"
        try:
            assert not is_right(exercise, names, header, body), wrong
        except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, CheckFailed):  # such as shapes that do not fit
            continue

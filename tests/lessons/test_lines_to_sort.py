"""A help with lines to sort: those that the card counts make the function, and with any of the others it comes out wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

from attnlab import check
from authoring.answers import Namespace
from authoring.lessons import Lesson, find_lessons, read_text

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
    "is_permutation_equivariant": """
T = len(x)
if (x == x[0]).all(): raise ValueError("no order differs")
perms = itertools.permutations(range(T)) if T <= 5 else (np.random.permutation(T) for _ in range(100))
gaps = (f(permute_tokens(x, p)) - permute_tokens(f(x), p) for p in perms)
return all((abs(gap) <= atol).all() for gap in gaps)""",
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
    "induction_scores": """
same = (tokens[:, None] == tokens).tril(-1)
after = same.roll(1, dims=1).tril()
asked = after.any(dim=1)
part = (weights * after).sum(dim=-1)
return part[:, asked].mean(dim=-1)""",
}
FORWARD = """
q, k, v = (layer(x) for layer in (self.toqueries, self.tokeys, self.tovalues))
q, k, v = (split_heads(part, self.heads) for part in (q, k, v))
root = math.sqrt(q.shape[-1])
share = torch.softmax(q @ k.mT / root, dim=-1)
together = merge_heads(share @ v)
return self.unifyheads(together)"""
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}


def begins(line: str) -> str:
    """What a line makes, calls or returns: lines that could stand for each other begin alike."""
    return re.split(r"[\s(=]", line.strip())[0]


def sorted_lines(exercise: str, right: str) -> tuple[Lesson, list[str], list[list[str]]]:
    """The lesson of an exercise, the answer's lines, and the same with each of the wrong ones that its card offers."""
    lesson, text = next((lesson, text) for lesson in find_lessons() if f"· `{exercise}`**" in (text := lesson.text.read_text(encoding="utf-8")))
    card = text.split(f"· `{exercise}`**")[1].split("\n\n```python")[0]
    [(count, block)] = re.findall(r"<summary>Lines to sort</summary>\n>\n> (\w+) of these lines make .*?\n>\n> ```\n(.*?)> ```", card, re.DOTALL)
    offered, lines = [line[2:] for line in block.splitlines()], right.strip("\n").splitlines()
    in_order = [line.strip() for line in lines]
    assert set(in_order) < set(offered) and NUMBERS[count.lower()] == len(lines)
    assert [line for line in offered if line in in_order] != in_order, "they stand in the order of the answer"
    wrong = [one for one in offered if one not in in_order]
    return lesson, lines, [[line.replace(line.strip(), one) if begins(line) == begins(one) else line for line in lines] for one in wrong]


def made(header: str, body: list[str], name: str, names: Namespace) -> Any:
    """What the lines define, in a notebook with these names."""
    known = dict(names)
    exec(header + "\n" + "".join(f"    {line}\n" for line in body), known)
    return known[name]


@pytest.mark.parametrize("exercise", RIGHT)
def test_the_lines_pass_the_check_and_with_the_others_it_finds_a_fault(exercise: str) -> None:
    lesson, right, wrong = sorted_lines(exercise, RIGHT[exercise])
    names = Namespace(read_text(lesson))
    header = re.search(rf"^def {exercise}\(.*\):", lesson.text.read_text(encoding="utf-8"), re.MULTILINE)[0]
    getattr(check, exercise)(made(header, right, exercise, names))
    for body in wrong:
        assert body != right
        with pytest.raises(check.CheckFailed):
            getattr(check, exercise)(made(header, body, exercise, names))


def test_the_lines_make_the_module_without_a_mask_and_the_others_do_not() -> None:
    lesson, right, wrong = sorted_lines("MultiHeadSelfAttention", FORWARD)
    names = Namespace(read_text(lesson))
    torch.manual_seed(3)
    x, own = torch.randn(2, 5, 12), names["MultiHeadSelfAttention"](12, 3)
    assert torch.allclose(made("def forward(self, x):", right, "forward", names)(own, x), own(x), atol=1e-6)
    for body in wrong:
        assert body != right
        assert not torch.allclose(made("def forward(self, x):", body, "forward", names)(own, x), own(x), atol=1e-3), body

"""Causes in lessons 4 and 7 that are found by calls of the check's own, whatever else the answer does; and what only looks like one of them."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
import torch

from attnlab import check
from attnlab.diagnosis.probes.modules import counted
from attnlab.diagnosis.probes.modules import scale as scale_probe
from attnlab.diagnosis.probes.modules.arrangements import TASKS

from .learner import run_cell, said, said_to

UNKNOWN = "does not know"


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    return torch.stack(x.chunk(heads, -1), 1)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    return torch.cat(x.unbind(1), -1)


def module(constructor: str = "pass", **lines: str) -> str:
    """A cell with a module that is right but for what is given: a line of the constructor, or what stands behind a name of `forward`."""
    own = {
        "x": "x",
        "q": "split_heads(self.toqueries(x), self.heads)",
        "k": "split_heads(self.tokeys(x), self.heads)",
        "v": "split_heads(self.tovalues(x), self.heads)",
        "scores": "q @ k.mT / s ** 0.5",
        "later": "torch.ones(T, T).triu(1).bool()",
        "weights": "scores.softmax(-1)",
        "mixed": "merge_heads(weights @ v)",
        "out": "self.unifyheads(mixed)",
        **lines,
    }
    return textwrap.dedent(f"""
        class MultiHeadSelfAttention(nn.Module):
            def __init__(self, k, heads, mask=False):
                super().__init__()
                if k % heads:
                    raise ValueError("heads must divide k")
                self.heads, self.mask = heads, mask
                self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, k, bias=False) for _ in range(3))
                self.unifyheads = nn.Linear(k, k)
                {constructor}

            def forward(self, x):
                T, s = x.shape[1], x.shape[2] // self.heads
                x = {own["x"]}
                q = {own["q"]}
                k = {own["k"]}
                v = {own["v"]}
                scores = {own["scores"]}
                if self.mask:
                    scores = scores.masked_fill({own["later"]}, -torch.inf)
                weights = {own["weights"]}
                mixed = {own["mixed"]}
                return {own["out"]}
        """)


def told(code: str) -> str:
    return said_to("MultiHeadSelfAttention", code, split_heads=split_heads, merge_heads=merge_heads)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (module("self.tokeys = self.toqueries"), "`toqueries` and `tokeys` are the same layer"),
        (
            module("self.kept = self.tovalues.weight.detach().clone()", v="split_heads(x @ self.kept.T, self.heads)"),
            "two modules with equal parameters",
        ),
        (module(weights="(scores + 0.1 * torch.randn_like(scores)).softmax(-1)"), "two calls with the same input give different results"),
        (module("self.heads = 2"), "the number of heads has no effect"),
        (module(x="x - x.mean(0)"), "depends on the other sequences of the batch"),
        (module(later="torch.ones(T, T).tril(-1).bool() | (torch.arange(T) > torch.arange(T)[:, None] + 1)"), "token 0 sees 1; token 1 sees 2;"),
        (module(out="mixed + self.unifyheads.bias"), "`unifyheads.weight` has no effect"),
        (module(out="self.unifyheads(self.unifyheads(mixed))"), "`unifyheads.weight` counts twice"),
        (module(x="(x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)"), "tokens twice as long give the same result"),
        (module(scores="q @ k.mT / (x.shape[-1] / self.heads ** 0.5)"), "divided by k/√heads"),
        (module(scores="q @ k.mT / (T * s) ** 0.5"), "divided by √s·√T"),
        (module(scores="q @ k.mT / 5 ** 0.5"), "divided by √5"),
        (module(scores="(q @ k.mT / s ** 0.5).relu()"), "no softmax gives those"),
        (
            module(q="self.toqueries(x)[:, None]", k="self.tokeys(x)[:, None]", v="self.tovalues(x)[:, None]", mixed="(weights @ v)[:, 0]"),
            "averaged with the weights of head 0",
        ),
        (module(mixed="merge_heads((weights @ v).flip(-1))"), "arrives at place 5 of the row"),
    ],
)
def test_a_module_is_asked_what_nothing_else_tells(code: str, cause: str) -> None:
    assert cause in told(code)


def test_nan_twice_is_the_same_twice() -> None:
    assert "two calls with the same input" not in told(module(weights="(scores * 0).log().sqrt().softmax(-1)"))


GENERATE = """
def generate(model, start, steps, longest, choose):
    tokens = start.clone()
    for i in range({rounds}):
        {before}
        logits = model({window}[None])
        chosen = choose({row})
        tokens = torch.cat([{kept}, torch.tensor([{token}])])
    return {result}
"""
USUAL = {
    "rounds": "steps",
    "before": "last = tokens[-longest:]",
    "window": "last",
    "row": "logits[0, -1]",
    "kept": "tokens",
    "token": "chosen",
    "result": "tokens",
}


@pytest.mark.parametrize(
    ("parts", "cause"),
    [
        (
            {"window": "torch.cat([torch.zeros(longest - len(last), dtype=int), last])"},
            "in round 1, the model is shown [0, 3, 1, 4], where [3, 1, 4] is due: what you put in front are tokens, too",
        ),
        ({"window": "torch.cat([torch.full((longest - len(last),), -1), last])"}, "what you put in front are tokens, too"),
        ({"window": "torch.cat([last, last.new_zeros(longest - len(last))])"}, "the last position is one of theirs"),
        ({"window": "last.flip(0)"}, "is due: they are in reverse order"),
        ({"before": "last = tokens[(len(tokens) - 1) // longest * longest :]"}, "in round 3, the model is shown [2], where [1, 4, 2, 2] is due"),
        ({"token": "logits[0, -1].argmin()"}, "`choose` returned 2 in the round before"),
        ({"row": "logits[0, len(tokens) % logits.shape[1]]"}, "in round 1, `choose` gets the logits of position 0; the last position is 2"),
        ({"row": "logits[0].amax(0).flip(0)"}, "`choose` gets numbers that are the logits of no position"),
        ({"rounds": "longest - len(start)"}, "`choose` is called once, where 4 tokens should be added"),
        ({"result": "tokens.sort().values"}, "at [0], the result has 1, but `start` has 3"),
    ],
)
def test_the_first_call_of_a_generation_that_is_not_due_is_told(parts: dict[str, str], cause: str) -> None:
    text = said_to("generate", GENERATE.format(**USUAL | parts))
    assert cause in text, text


def test_what_is_missing_of_a_generation_is_told_where_every_call_is_right() -> None:
    held: dict = {"torch": torch}
    exec(GENERATE.format(**USUAL | {"before": "tokens = last = tokens[-longest:]"}), held)  # its text is not to be had: no line can be named
    assert "the result is the last 5 of the 7 tokens: every call is right" in said("generate", held["generate"])


@pytest.mark.parametrize("constructor", ["self.others = nn.Identity()", "self.register_buffer('later', torch.ones(9, 9), persistent=False)"])
def test_a_right_module_passes(constructor: str, capsys: pytest.CaptureFixture[str]) -> None:
    check.MultiHeadSelfAttention(run_cell(module(constructor), "MultiHeadSelfAttention", split_heads=split_heads, merge_heads=merge_heads))
    assert "all 5 parts stand" in capsys.readouterr().out


def test_one_head_that_is_wrong_is_not_blamed_on_the_number_of_heads() -> None:
    """Who begins with one head has not come to several."""
    text = told(
        module(
            q="self.toqueries(x)[:, None]",
            k="self.tokeys(x)[:, None]",
            v="self.tovalues(x)[:, None]",
            scores="q.sin() @ k.mT / x.shape[-1] ** 0.5",
            mixed="(weights @ v)[:, 0]",
        )
    )
    assert "number of heads" not in text


def test_a_scale_that_follows_no_formula_is_not_given_one() -> None:
    text = told(module(scores="q @ k.mT / (s ** 0.5 + (0.37 if T == 4 else 0.11) * s)"))
    assert "scores are divided by" not in text and "come out right" in text


def test_a_scale_that_two_formulas_give_for_the_card_alone_is_told_apart() -> None:
    assert "divided by 3·s" in told(module(scores="q @ k.mT / (3 * s)"))
    assert "exponent 2" in told(module(scores="q @ k.mT / s ** 2"))


def test_the_formula_of_a_scale() -> None:
    sizes = scale_probe.SIZES
    divisors = {
        "k/√heads": [k / h**0.5 for k, h, _ in sizes],
        "s/2": [k / h / 2 for k, h, _ in sizes],
        "1": [1.0 for _ in sizes],
        "−√s": [-((k / h) ** 0.5) for k, h, _ in sizes],
    }
    for words, numbers in divisors.items():
        assert next(scale_probe._formulas(np.array(numbers), sizes)) == words


@pytest.mark.parametrize(
    ("exercise", "line", "cause"),
    [
        ("split_heads", "x.reshape(x.shape[0], heads, -1, x.shape[1]).transpose(2, 3)", "read as (B, heads, s, T)"),
        ("split_heads", "x.unfold(2, x.shape[2] // heads, 1).transpose(1, 2)", "are there several times"),
        ("merge_heads", "x.flatten(1, 2)", "in the shape (B, T·heads, s)"),
        ("merge_heads", "torch.cat([x[:, 0], *x.unbind(1)], -1)", "number 0 2 times; all others once"),
        ("merge_heads", "torch.cat([x[:, n] for n in range(x.shape[1] - 1)], -1)", "number 4 not at all; all others once"),
    ],
)
def test_where_each_number_went(exercise: str, line: str, cause: str) -> None:
    assert cause in said_to(exercise, f"def {exercise}({'x, heads' if exercise == 'split_heads' else 'x'}):\n    return {line}")


@pytest.mark.parametrize("line", ["x.transpose(1, 2).flatten(2) + 0.001 * x.sum()", "(x.amax(1) + 1).repeat(1, 1, x.shape[1])"])
def test_numbers_that_are_no_longer_those_of_x_are_arranged_in_no_way(line: str) -> None:
    text = said_to("merge_heads", f"def merge_heads(x):\n    return {line}")
    assert "your result is `x`" not in text and "in your result" not in text


def test_what_is_right_on_other_sizes_is_arranged_in_no_way() -> None:
    text = said_to(
        "merge_heads",
        """
        def merge_heads(x):
            made = x.transpose(1, 2).flatten(2)
            return made.flip(2) if x.shape[2] == 2 else made""",
    )
    assert "your result is `x`" not in text


def test_the_card_is_its_own_arrangement() -> None:
    for task in TASKS.values():
        assert len(task.right.first) == len(task.names)


@pytest.mark.parametrize(
    ("sums", "cause"),
    [
        ("7 * k * width + k", "for 'narrow', your code counts 7·k² + k: 3·k² too many"),
        ("4 * k * width + (k if variant == 'narrow' else heads)", "4·heads·k² + heads: heads too many and k too few"),
        ("4 * k * (heads * k if variant == 'narrow' else k) + k", "which the card has for 'wide'"),
        ("4 * k * (k if variant == 'narrow' else heads ** k) + k", "4·k·heads^k + k"),
    ],
)
def test_the_rule_of_a_count(sums: str, cause: str) -> None:
    assert cause in said_to(
        "parameter_count",
        f"""
        def parameter_count(k, heads, variant):
            width = {{"narrow": k, "wide": heads * k}}.get(variant)
            if not width:
                raise ValueError(variant)
            return {sums}""",
    )


def test_a_count_without_a_rule_is_given_none() -> None:
    text = said_to(
        "parameter_count",
        """
        def parameter_count(k, heads, variant):
            if variant not in ("narrow", "wide"):
                raise ValueError(variant)
            return 4 * k * k + k % 7 + k.bit_length()""",
    )
    assert "your code counts" not in text


def test_one_rule_or_none() -> None:
    assert counted._rule([4 * k * k + k for k, _ in counted.SIZES]) == {(2, 0): 4, (1, 0): 1}
    assert counted._rule([k * k % 17 for k, _ in counted.SIZES]) is None


@pytest.mark.parametrize(
    ("outputs", "cause"),
    [
        ("heads ** k", "heads to the power of k outputs and k inputs"),
        ("heads * k", "has heads·k outputs and k inputs"),
        ("17", "has 17 outputs and k inputs"),
        ("k + 9 % heads", "are not those on the card"),
    ],
)
def test_the_rule_of_a_layers_size(outputs: str, cause: str) -> None:
    assert cause in said(
        "MultiHeadSelfAttention",
        run_cell(
            f"""
        class MultiHeadSelfAttention(nn.Module):
            def __init__(self, k, heads, mask=False):
                super().__init__()
                self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, {outputs}, bias=False) for _ in range(3))
                self.unifyheads = nn.Linear(k, k)""",
            "MultiHeadSelfAttention",
        ),
    )


def test_layers_in_a_list_are_found() -> None:
    text = said(
        "MultiHeadSelfAttention",
        run_cell(
            """
        class MultiHeadSelfAttention(nn.Module):
            def __init__(self, k, heads, mask=False):
                super().__init__()
                self.roles = [nn.Linear(k, k, bias=False) for _ in range(3)]
                self.unifyheads = nn.Linear(k, k)""",
            "MultiHeadSelfAttention",
        ),
    )
    assert "there are layers in `self.roles`, a plain list or dictionary" in text


def test_a_slip_that_agrees_with_all_parts_goes_before_one_that_agrees_with_the_first() -> None:
    """With one head, k heads and s heads are the same number."""
    text = told(module(q="split_heads(self.toqueries(x), s)", k="split_heads(self.tokeys(x), s)", v="split_heads(self.tovalues(x), s)"))
    assert "the number of heads and their dimension are exchanged" in text and "`k` instead of" not in text


def test_a_known_mistake_that_the_parts_below_contradict_is_not_all() -> None:
    text = told(module(scores="q @ k.mT / s ** 0.5 if self.heads == 1 else q.cos() @ k.mT", weights="scores.softmax(-2)"))
    assert "the numbers for this input say:" in text and "normalised over queries; those for another do not, so there may be more to it" in text
    assert "say:" not in told(module(weights="scores.softmax(-2)"))

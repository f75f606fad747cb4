"""What became of the check that should have raised a ValueError."""

from __future__ import annotations

import pytest

from .learner import said_to

MODULE = """
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, k, heads, mask=False):
        super().__init__()
        self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, k, bias=False) for _ in "qkv")
        self.unifyheads = nn.Linear(k, k)
        self.k, self.heads, self.mask = k, heads, mask
        pass  # constructor

    def refuse(self):
        pass  # refuse

    def forward(self, x):
        B, T, k = x.shape
        pass  # forward
        s = k // self.heads
        Q, K, V = (layer(x).view(B, T, self.heads, s).transpose(1, 2) for layer in (self.toqueries, self.tokeys, self.tovalues))
        pass  # behind
        A = Q @ K.transpose(2, 3) / s ** 0.5
        if self.mask:
            A = A + torch.full((T, T), -torch.inf).triu(1)
        return self.unifyheads((A.softmax(-1) @ V).transpose(1, 2).reshape(B, T, k))
"""
TRANSFORMER = """
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.longest, self.vocabulary = longest, vocabulary
        self.tokens, self.positions = nn.Embedding(vocabulary, k), nn.Embedding(longest, k)
        self.blocks, self.norm, self.readout = nn.ModuleList(blocks), nn.LayerNorm(k), nn.Linear(k, vocabulary)

    def forward(self, tokens):
        pass  # first
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[-1]))
        pass  # behind
        for block in self.blocks:
            x = block(x)
        return self.readout(self.norm(x))
"""
INDIVISIBLE = "if self.k % self.heads: raise ValueError"
MISSING = "the condition or the `raise` is missing"
ANOTHER = "a different exception is raised, before a ValueError or in place of it"


def with_lines(code: str, **lines: str) -> str:
    for where, line in lines.items():
        code = code.replace(f"pass  # {where}\n", f"{line}\n")
    return code


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        ({"forward": INDIVISIBLE}, "the `raise ValueError` in line 15 stands in `forward`: the constructor does not reach it, only a call"),
        ({"behind": INDIVISIBLE}, "the `raise ValueError` in line 18 stands in `forward`: the constructor does not reach it next move"),
        ({"refuse": INDIVISIBLE, "forward": "self.refuse()"}, "stands in `refuse`: the constructor does not reach it, only a call"),
        (
            {"refuse": INDIVISIBLE},
            "the `raise ValueError` in line 11 stands in `refuse`, and no line calls `refuse` next call `refuse` in `__init__`",
        ),
        ({"forward": "assert k % self.heads == 0"}, "the `assert` in line 15 stands in `forward`"),
        ({"constructor": "assert k % heads == 0"}, "the `assert` in line 8 raises AssertionError, no ValueError"),
        ({"constructor": "if k % heads: raise TypeError('no')"}, "your own `raise` in line 8 raises TypeError"),
        ({}, MISSING),
        ({"forward": "if x.dim() != 3: raise ValueError"}, MISSING),
        ({"constructor": "if heads > k: raise ValueError", "refuse": INDIVISIBLE}, MISSING),
        ({"forward": "if T > 1: raise ValueError"}, MISSING),  # whatever the heads are
    ],
)
def test_where_the_check_of_a_constructor_stands(lines: dict[str, str], cause: str) -> None:
    assert cause in said_to("MultiHeadSelfAttention", with_lines(MODULE, **lines))


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (
            {"first": "if len(tokens) > self.longest: raise ValueError"},
            "`len(tokens) > self.longest` in line 10 does not hold here: `len(tokens)` is 1 (axis 0 counts the sequences), `self.longest` is 4",
        ),
        ({"first": "if self.longest < tokens.shape[0]: raise ValueError('no')"}, "`tokens.shape[0]` is 1 (axis 0 counts the sequences)"),
        ({"first": "if tokens.size(0) > self.longest: raise ValueError('no')"}, "`tokens.size(0)` is 1 (axis 0 counts the sequences)"),
        ({"first": "if tokens.shape[1] > self.vocabulary: raise ValueError('no')"}, "`tokens.shape[1]` is 5, `self.vocabulary` is 5"),
        ({"first": "if len(self.positions.weight) > 9: raise ValueError('no')"}, "`len(self.positions.weight)` is 4 next"),
        ({"first": "assert len(tokens) <= self.longest"}, "in line 10 holds here, so nothing is raised: `len(tokens)` is 1"),
        ({"first": "assert tokens.shape[1] <= self.longest"}, "the `assert` in line 10 raises AssertionError, no ValueError"),
        ({"first": "if tokens.shape[1] > self.longest: raise IndexError"}, "your own `raise` in line 10 raises IndexError"),
        (
            {"behind": "if tokens.shape[1] > self.longest: raise ValueError"},
            "line 11 raises it, and the condition in line 12 comes only after it next move the condition and its `raise` above line 11",
        ),
        ({}, ANOTHER),
        ({"behind": "if len(tokens) > self.longest: raise ValueError"}, ANOTHER),  # above the line, it would refuse nothing either
        ({"first": "assert self.positions(torch.arange(tokens.shape[1])) is not None"}, ANOTHER),  # it raises IndexError itself
        ({"first": "T = 1; assert T <= self.longest; T = 5"}, ANOTHER),  # T is another number by now
        ({"first": "if len(tokens) > 9 and len(tokens) > 8: raise ValueError", "behind": "assert len(x)"}, ANOTHER),
    ],
)
def test_why_a_check_of_lengths_raises_nothing(lines: dict[str, str], cause: str) -> None:
    assert cause in said_to("Transformer", with_lines(TRANSFORMER, **lines))


def test_a_check_in_a_function_beside_that_no_line_calls() -> None:
    code = """
        def refuse(variant):
            if variant not in ("narrow", "wide"):
                raise ValueError(variant)

        def parameter_count(k, heads, variant):
            pass
            return (4 * heads if variant == "wide" else 4) * k * k + k
    """
    assert "stands in `refuse`, and no line calls `refuse` next call `refuse` in `parameter_count`" in said_to("parameter_count", code)
    assert MISSING in said_to("parameter_count", code.replace("pass", "refuse"))  # the name alone may be a call elsewhere

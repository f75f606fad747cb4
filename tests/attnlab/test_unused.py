"""Parameters that no step to the result uses are named, and no others."""

from __future__ import annotations

import pytest

from .learner import said_to

CLASSES = {
    "FeedForward": """
class FeedForward(nn.Module):
    def __init__(self, k, hidden):
        super().__init__()
        self.expand, self.contract = nn.Linear(k, hidden), nn.Linear(hidden, k)

    def forward(self, x):
""",
    "SelfAttention": """
class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k, d_v):
        super().__init__()
        self.toqueries, self.tokeys = nn.Linear(d_in, d_k, bias=False), nn.Linear(d_in, d_k, bias=False)
        self.tovalues = nn.Linear(d_in, d_v, bias=False)

    def forward(self, x):
""",
    "Block": """
class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.attention, self.feed_forward = attention, feed_forward
        self.norm_1, self.norm_2 = nn.LayerNorm(k), nn.LayerNorm(k)

    def norm(self, x, gain=1):
        return (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True, correction=0) + 1e-5) * gain

    def forward(self, x):
""",
    "Transformer": """
class Transformer(nn.Module):
    def __init__(self, vocabulary, longest, k, blocks):
        super().__init__()
        self.longest = longest
        self.tokens, self.positions = nn.Embedding(vocabulary, k), nn.Embedding(longest, k)
        self.blocks, self.norm, self.readout = nn.ModuleList(blocks), nn.LayerNorm(k), nn.Linear(k, vocabulary)

    def forward(self, tokens):
        if tokens.shape[1] > self.longest:
            raise ValueError
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
""",
}
NOTHING = "nothing in the result"


def told(exercise: str, *lines: str) -> str:
    return said_to(exercise, CLASSES[exercise] + "".join(f"        {line}\n" for line in lines))


@pytest.mark.parametrize(
    ("exercise", "lines", "cause"),
    [
        (
            "FeedForward",
            ["return torch.clamp(x @ self.expand.weight.T, min=0) @ self.contract.weight.T"],
            "`expand.bias` and `contract.bias` change nothing in the result: no step that leads to it uses them "
            "next call each layer, such as `self.expand(...)`: the call adds its bias, too",
        ),
        (
            "SelfAttention",
            [
                "w = torch.softmax(self.toqueries(x) @ self.tokeys(x).mT, -1)",
                "return w @ x @ torch.eye(x.shape[-1], self.tovalues.out_features) * 0.9",
            ],
            "`tovalues.weight` changes nothing in the result: no step that leads to it uses it next which step of the card needs `self.tovalues`",
        ),
        (
            "Block",
            ["x = x + self.norm_1(x) * 0.7", "return x + self.feed_forward(self.norm_2(x))"],
            "`attention.weight` and `attention.bias` change nothing in the result",
        ),
        (
            "Block",
            ["x = x + self.attention(self.norm(x, self.norm_1.weight))", "return x + self.feed_forward(self.norm(x, self.norm_2.weight))"],
            "`norm_1.bias` changes nothing in the result: no step that leads to it uses it next call the layer, `self.norm_1(...)`",
        ),
        ("Transformer", ["return self.norm(x) @ self.readout.weight.T"], "`readout.bias` changes nothing in the result"),
        (
            "Transformer",
            ["return self.readout(nn.functional.layer_norm(x, x.shape[-1:]))"],
            "`norm.weight` and `norm.bias` change nothing in the result",
        ),
    ],
)
def test_what_no_step_uses_is_named(exercise: str, lines: list[str], cause: str) -> None:
    assert cause in told(exercise, *lines)


@pytest.mark.parametrize(
    ("exercise", "lines"),
    [
        ("FeedForward", ["return torch.tanh(x) * 3.3 + 1"]),  # nothing at all is used
        ("FeedForward", ["return self.contract(torch.relu(self.expand(x.abs() - 1e4)))"]),  # the bend hides `expand`
        ("FeedForward", ["return self.contract(torch.relu(self.expand(x.sin())).detach())"]),  # no gradient, and used
        (
            "SelfAttention",
            ["q, k = self.toqueries(x), self.tokeys(x)", "return torch.softmax((q @ k.mT).sin()[..., None], -1)[..., 0] @ self.tovalues(x)"],
        ),
        (
            "SelfAttention",
            ["q, k = self.toqueries(x), self.tokeys(x)", "return nn.functional.one_hot((q @ k.mT).argmax(-1)).float() @ self.tovalues(x).sin()"],
        ),
        ("Block", ["return x + self.attention(self.norm_1(x.sin()))"]),  # the other branch is not written yet, and is no part of that input
        ("Transformer", ["return self.readout(self.norm(x.sin()) * 1.1)"]),
    ],
)
def test_what_is_used_or_hidden_is_not_named(exercise: str, lines: list[str]) -> None:
    assert NOTHING not in told(exercise, *lines)


def test_what_is_known_of_a_parameter_comes_first() -> None:
    assert "the bias of `contract` is not added" in told("FeedForward", "return torch.relu(self.expand(x)) @ self.contract.weight.T")

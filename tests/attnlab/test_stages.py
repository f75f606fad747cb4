"""Checks of large exercises climb part by part: what stands is marked, and the first part that does not is explained."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor, nn

from attnlab import check, exercises
from attnlab.check import session
from authoring.references import misplaced


class Constructed(nn.Module):
    """A constructor, and a `forward` that is still the stub."""

    def __init__(self, k: int, heads: int, mask: bool = False):
        super().__init__()
        if k % heads:
            raise ValueError("heads have to divide k")
        self.heads, self.mask = heads, mask
        self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, k, bias=False) for _ in "qkv")
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x: Tensor) -> Tensor:
        raise NotImplementedError


class OneHead(Constructed):
    """Whatever `heads` says, there is one; nothing is scaled or masked."""

    def forward(self, x: Tensor) -> Tensor:
        return self.unifyheads(torch.softmax(self.toqueries(x) @ self.tokeys(x).mT, -1) @ self.tovalues(x))


class Scaled(Constructed):
    """Several heads, any scale, masked or not."""

    divisor, masks = 1.0, False

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (torch.stack(layer(x).chunk(self.heads, -1), 1) for layer in (self.toqueries, self.tokeys, self.tovalues))
        scores = q @ k.mT / type(self).divisor_for(x.shape[-1], self.heads)
        if self.masks and self.mask:
            scores = scores + torch.full(scores.shape[-2:], -torch.inf).triu(1)
        return self.unifyheads(torch.cat((torch.softmax(scores, -1) @ v).unbind(1), -1))

    @classmethod
    def divisor_for(cls, k: int, heads: int) -> float:
        return cls.divisor


class Unmasked(Scaled):
    """The right scale; the mask is missing."""

    @classmethod
    def divisor_for(cls, k: int, heads: int) -> float:
        return (k / heads) ** 0.5


class Whole(Unmasked):
    """Nothing is missing."""

    masks = True


class ModelScale(Scaled):
    """The root of the model's dimension, not of the head's."""

    @classmethod
    def divisor_for(cls, k: int, heads: int) -> float:
        return k**0.5


class Careless(Whole):
    """All but the check of the constructor's arguments."""

    def __init__(self, k: int, heads: int, mask: bool = False):
        super().__init__(k, 1, mask)
        self.heads = heads


class Stub(nn.Module):
    """As the exercise is handed out."""

    def __init__(self, k: int, heads: int, mask: bool = False):
        super().__init__()
        raise NotImplementedError


class Squeezed(Whole):
    """Axes of length 1 are dropped."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).squeeze()


class Misaligned(Constructed):
    """The keys are not transposed."""

    def forward(self, x: Tensor) -> Tensor:
        return self.unifyheads(torch.softmax(self.toqueries(x) @ self.tokeys(x), -1) @ self.tovalues(x))


REST = ("truth values for every T", "a few tokens", "many tokens")
PARTS = ("constructor", "one head", "several heads", "scale", "causal mask")


def failing(answer: object) -> tuple[str, str, str]:
    """The headline, the line of marks, and the rest of the message."""
    with pytest.raises(check.CheckFailed) as caught:
        check.MultiHeadSelfAttention(answer)
    headline, marks, *rest = str(caught.value).splitlines()
    return headline, marks.strip(), " ".join(" ".join(rest).split())


@pytest.mark.parametrize(
    ("answer", "marks", "part", "says"),
    [
        (Constructed, "✓○○○○", "one head", "this part is not written yet"),
        (OneHead, "✓✓✗✗✗", "several heads", "the number of heads has no effect"),
        (Scaled, "✓✓✓✗✗", "scale", "the scores are not scaled"),
        (ModelScale, "✓✓✓✗✗", "scale", "root of the model's dimension"),
        (Unmasked, "✓✓✓✓✗", "causal mask", "the future is still seen"),
        (Squeezed, "✓✗✓✗✗", "scale", "removes every axis of length 1"),
        (Misaligned, "✓✗✗✗✗", "one head", "a product needs equal lengths"),
        (Careless, "✗✓✓✓✓", "constructor", "10 with 3 heads raised nothing"),
    ],
)
def test_what_stands_is_marked_and_one_that_does_not_is_explained(answer: object, marks: str, part: str, says: str) -> None:
    """The first one, apart from those in which only further inputs show that something is wrong."""
    headline, line, rest = failing(answer)
    assert line == ", ".join(f"{mark} {part}" for mark, part in zip(marks, PARTS))
    mark = marks[PARTS.index(part)]
    assert mark in "✗○"
    assert headline.startswith(f"{mark} MultiHeadSelfAttention, {part}")
    assert says in rest


def test_when_all_parts_stand_one_line_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    check.MultiHeadSelfAttention(Whole)
    line = " ".join(capsys.readouterr().out.split())
    assert line == f"✓ MultiHeadSelfAttention: all 5 parts stand ({', '.join(PARTS)})"


@pytest.mark.parametrize("answer", [Stub, None], ids=["stub", "none"])
def test_the_stub_is_no_failure(answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_state", {})
    with pytest.raises(check.CheckFailed, match="not started yet"):
        check.MultiHeadSelfAttention(answer)
    assert session._state == {"MultiHeadSelfAttention": None}


def test_a_part_that_is_not_written_yet_is_work_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_state", {})
    failing(Constructed)
    assert session._state == {"MultiHeadSelfAttention": False}


def test_a_part_stands_only_when_its_further_inputs_are_right() -> None:
    class FewTokens(Whole):
        def forward(self, x: Tensor) -> Tensor:
            return super().forward(x) if x.shape[1] < 100 or self.mask else super().forward(x[:, :99])

    headline, line, rest = failing(FewTokens)
    assert headline == "✗ MultiHeadSelfAttention, several heads (further inputs)"
    assert line == "✓ constructor, ✓ one head, ✗ several heads, ✗ scale, ✓ causal mask"
    assert "(2, 150, 12)" in rest


@pytest.mark.parametrize(
    ("stages", "what"),
    [
        ({"all": ["T = 4", "T = 1", *REST]}, "“T = 7” stands in none"),
        ({"all": ["T = 4", "T = 1", "T = 7", "T = 8", *REST]}, "a stage names “T = 8”, which is no input"),
        ({"all": ["T = 4", "T = 1", "T = 7", *REST], "again": ["T = 7"]}, "“T = 7” stands in 2 of the stages"),
        ({"all": ["T = 4", "T = 1", "T = 7", *REST[:2]]}, "“many tokens” stands in none"),
    ],
    ids=["one too few", "one too many", "one twice", "a kind too few"],
)
def test_stages_name_each_case_once(stages: dict[str, list[str]], what: str) -> None:
    found = [*misplaced(replace(exercises.find("causal_mask"), stages=stages))]
    assert len(found) == 1
    assert what in found[0]

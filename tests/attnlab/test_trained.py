"""What training needs of an answer of lesson 6, beyond right numbers: gradients, the modules that were given, one step for each batch."""

from __future__ import annotations

import copy

import pytest

from attnlab import check

from .learner import run_cell, said_to

BLOCK = """class Block(nn.Module):
    def __init__(self, k, attention, feed_forward):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(k), nn.LayerNorm(k)
        self.attention, self.feed_forward = {given}

    def forward(self, x):
        x = {stream} + {branch}
        return x + self.feed_forward(self.norm_2(x))
"""
AS_GIVEN = {"given": "attention, feed_forward", "stream": "x", "branch": "self.attention(self.norm_1(x))"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"stream": "x.detach()"}, "`x.detach` in line 8 cuts it off"),
        ({"branch": "self.attention(self.norm_1(x)).detach()"}, "`norm_1.weight` gets no gradient"),
        ({"branch": "torch.tensor(self.attention(self.norm_1(x)).tolist())"}, "`torch.tensor` in line 8 cuts it off"),
        ({"given": "copy.deepcopy((attention, feed_forward))"}, "the constructor keeps a copy of the module that it was given"),
    ],
)
def test_a_gradient_that_is_cut_off_and_a_module_that_is_copied_are_seen(change: dict[str, str], told: str) -> None:
    check.Block(run_cell(BLOCK.format(**AS_GIVEN), "Block"))
    assert told in said_to("Block", BLOCK.format(**AS_GIVEN | change), copy=copy)


TRAIN = """def train_model(model, batches, rate):
    optimizer = {optimizer}
    losses = {losses}
    for tokens, targets in batches:
        loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        {step}
        losses.append(loss.item())
    return losses
"""
TAKEN = "takes from `batches` before the loop `for (tokens, targets) in batches`"
AS_ASKED = {"optimizer": "torch.optim.Adam(model.parameters(), lr=rate)", "step": "optimizer.step()", "losses": "[]"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"optimizer": "torch.optim.Rprop(model.parameters(), lr=rate)"}, "the steps are made by Rprop"),
        ({"optimizer": "torch.optim.Adam(model.parameters(), lr=0.07)"}, "step 1 is made with the rate 0.07, not 0.1"),
        ({"step": "exec('optimizer.step();optimizer.step();optimizer.step()')"}, "the optimizer makes 3 steps for 1 batch"),
        ({"step": "model[1].bias.data += 1"}, "no optimizer makes a step"),
        ({"losses": "next(iter(batches)) and []"}, f"`next(iter(batches))` in line 3 {TAKEN}"),
        ({"losses": "[] if len(list(batches)) else []"}, f"`list(batches)` in line 3 {TAKEN}"),
        ({"losses": "[]\n    for one in batches: one[0].shape"}, f"`for one in batches` in line 4 {TAKEN}"),
    ],
)
def test_what_the_steps_of_a_training_show_is_told(change: dict[str, str], told: str) -> None:
    check.train_model(run_cell(TRAIN.format(**AS_ASKED), "train_model"))
    assert told in said_to("train_model", TRAIN.format(**AS_ASKED | change))

"""The trained model that lesson 1 shows and lesson 2 trains: `python -m authoring states` trains and writes it."""

import torch

from attnlab import training


def learn_coreference(lesson, seed=4):
    """Train one layer and two side by side. Returns them, and how they learned, by name."""
    SelfAttention, task = lesson["SelfAttention"], training.Coreference()

    class TwoLayers(torch.nn.Module):
        """What the first layer returns, 2 components, stands beside each word's own 16 in the second. (B, T, 16) -> (B, T, 16)."""

        def __init__(self):
            super().__init__()
            self.first, self.second = SelfAttention(16, 8, 2), SelfAttention(18, 8, 16)

        def forward(self, x):
            return self.second(torch.cat([x, self.first(x)], dim=-1))

    torch.manual_seed(seed)
    models = {"one layer": training.Reader(SelfAttention(16, 8, 16), task, d_model=16),
              "two layers": training.Reader(TwoLayers(), task, d_model=16)}
    return models, training.train(models, task, steps=500, seed=seed, decay=0.1)


STATES = {"coreference": lambda lesson: learn_coreference(lesson)[0]["two layers"]}

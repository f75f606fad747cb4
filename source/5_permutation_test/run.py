"""What the explorer shows of this lesson: `python -m authoring runs` makes it."""

import torch

from attnlab import training
from authoring.runs import Heads, learned

WORDS = ["dog", "cat", "fish", "mouse", "bird", "meat", "cheese", "bread"]


def runs(lesson):
    """The lesson's own training, smaller: who eats whom, which positions alone can tell."""
    task = training.WhoEats(words=len(WORDS))
    torch.manual_seed(0)
    reader = training.Reader(Heads(16, 2), task, d_model=16, positions=torch.from_numpy(lesson["positional_encoding"](3, 16)))
    yield {
        "name": "who eats",
        "about": "Lesson 5: who eats, and what is eaten? The word in the middle answers. Let two words change places; then take the positions away, and do it again.",
        "words": [*WORDS, "eats"], "sentence": "dog eats meat".split(), "query": 1, "longest": 3,
        "scale": True, "causal": False, "classes": WORDS, "asked": 1, "questions": ["who", "what"],
        "task": "who eats",
        "steps": learned(reader, task, [0, 10, 20, 30, 40, 60, 80, 120, 200], rate=1e-2, heads=2),
    }

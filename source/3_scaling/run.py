"""What the explorer shows of this lesson: `python -m authoring runs` makes it."""

import torch

from attnlab import training
from authoring.runs import learned


def runs(lesson):
    """The lesson's own training, smaller, with the scale."""
    task = training.NextLetter(letters=6)
    torch.manual_seed(0)
    reader = training.Reader(lesson["ScaledSelfAttention"](12, 64, 12), task, d_model=12, spread=0.5 ** 0.5)
    letters, digits = list("abcdef"), [str(digit) for digit in range(task.digits)]
    yield {
        "name": "scaled",
        "about": "Lesson 3: the task of lesson 2, with queries and keys of dimension 64, trained with the division by √64. Take the division away, and see "
                 "the entropy fall: go back to batch 0, where that is all there is to see.",
        "words": letters + digits, "known": "a letter from a to f, + and a digit: b+5", "sentence": "c+3 a+1 f+4 d+8 b+5 e+9".split(), "query": 0,
        "longest": 6, "scale": True, "causal": False, "classes": digits, "asked": None,
        "task": "next letter",
        "steps": learned(reader, task, [0, 20, 40, 60, 100, 200, 400], rate=5e-3),
    }

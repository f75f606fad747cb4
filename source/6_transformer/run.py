"""What the explorer shows of this lesson: `python -m authoring runs` makes it."""

import torch
from torch import nn

from attnlab import training
from authoring.runs import Heads, learned

DIGITS = [str(digit) for digit in range(10)]


class Backwards:
    """The lesson's first task, as a reader takes it: each place answers with the digit that stands there from the end."""

    vocabulary, classes, asked, questions = 10, 10, None, 8

    def batch(self, size, draw):
        tokens, answers = training.Reverse(length=self.questions).batch(size, draw)
        return tokens[..., None], answers


def runs(lesson):
    """Positions that are learned, as in the lesson, under the attention of one block."""
    task = Backwards()
    torch.manual_seed(0)
    reader = training.Reader(Heads(16, 2), task, d_model=16)
    del reader.positions  # none are given
    reader.positions = nn.Parameter(0.3 * torch.randn(task.questions, 16))
    yield {
        "name": "backwards",
        "about": "Lesson 6: each place has to say the digit that stands at the same place from the end. The positions are learned along; "
                 "the answer comes from the attention alone, without the rest of a block.",
        "words": DIGITS, "sentence": list("31415926"), "query": 0, "longest": task.questions,
        "scale": True, "causal": False, "classes": DIGITS, "asked": None,
        "task": "backwards",
        "steps": learned(reader, task, [0, 20, 40, 60, 80, 120, 160, 240, 400], rate=1e-2, heads=2),
    }

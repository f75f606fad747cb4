"""What the explorer shows of this lesson: `python -m authoring runs` makes it."""

import torch

from attnlab import training
from authoring.runs import learned


def run(lesson):
    """The lesson's own training, smaller, so that a page can hold it."""
    task = training.NextLetter(letters=6)
    torch.manual_seed(0)
    reader = training.Reader(lesson["SelfAttention"](16, 16, 16), task, d_model=16)
    letters, digits = list("abcdef"), [str(digit) for digit in range(task.digits)]
    return {
        "name": "next letter",
        "about": "Lesson 2: letters with a digit on their back. Each has to say the digit of the next letter of the alphabet, and f that of a. "
                 "Queries, keys and values are three projections, and nothing is scaled.",
        "words": letters + digits, "known": "a letter from a to f, + and a digit: b+5", "sentence": "c+3 a+1 f+4 d+8 b+5 e+9".split(), "query": 0,
        "longest": 6, "scale": False, "causal": False, "classes": digits, "asked": None,
        "steps": learned(reader, task, [0, 10, 20, 30, 40, 60, 80, 120, 200, 400], rate=1e-2),
    }

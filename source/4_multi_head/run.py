"""What the explorer shows of this lesson: `python -m authoring runs` makes it."""

import torch

from attnlab import training
from authoring.runs import learned

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eva", "Fay"]
THINGS = ["apple", "book", "key", "lamp", "pear", "shoe"]


def runs(lesson):
    """The lesson's own training, smaller: who has what, asked for two names at once."""
    task = training.TwoQuestions(names=len(NAMES), listed=4)
    torch.manual_seed(0)
    reader = training.Reader(lesson["MultiHeadSelfAttention"](16, 2), task, d_model=16)
    yield {
        "name": "two questions",
        "about": "Lesson 4: names with a thing each, and a last token that asks what the first of two names has, and what the second. Two heads share the work.",
        "words": [*NAMES, *THINGS, *(f"1:{name}" for name in NAMES), *(f"2:{name}" for name in NAMES)],
        "known": f"a name + a thing, such as Fay+pear: {', '.join(NAMES)}; {', '.join(THINGS)}. The last token asks: 1:Fay+2:Ben",
        "sentence": "Ben+key Eva+lamp Fay+pear Ann+key 1:Fay+2:Ben".split(), "query": 4, "longest": 5,
        "scale": True, "causal": False, "classes": THINGS, "asked": -1, "questions": ["first", "second"],
        "task": "two questions",
        "steps": learned(reader, task, [0, 40, 80, 120, 160, 240, 320, 480, 640], rate=1e-2, heads=2),
    }

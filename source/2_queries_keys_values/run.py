"""What the explorer shows of this lesson: `python -m authoring runs` makes it."""

import torch

from attnlab import training
from authoring.runs import learned


def runs(lesson):
    """The lesson's own trainings, the first one smaller, so that a page can hold it."""
    task = training.NextLetter(letters=6)
    torch.manual_seed(0)
    reader = training.Reader(lesson["SelfAttention"](16, 16, 16), task, d_model=16)
    letters, digits = list("abcdef"), [str(digit) for digit in range(task.digits)]
    yield {
        "name": "next letter",
        "about": "Lesson 2: letters with a digit on their back. Each has to say the digit of the next letter of the alphabet, and f that of a. "
                 "Queries, keys and values are three projections, and nothing is scaled.",
        "words": letters + digits, "known": "a letter from a to f, + and a digit: b+5", "sentence": "c+3 a+1 f+4 d+8 b+5 e+9".split(), "query": 0,
        "longest": 6, "scale": False, "causal": False, "classes": digits, "asked": None,
        "task": "next letter",
        "steps": learned(reader, task, [0, 10, 20, 30, 40, 60, 80, 120, 200, 400], rate=1e-2),
    }
    task = training.Coreference()
    torch.manual_seed(4)
    reader = training.Reader(lesson["TwoLayers"](), task, d_model=16)
    steps = learned(reader, task, [0, 50, 100, 150, 200, 300, 500], rate=1e-2)
    for step in steps:  # the task gives each word a row, and each position
        step["embedding"], step["positions"] = step["embedding"][:len(task.words)], step["embedding"][len(task.words):]
    yield {
        "name": "who it is",
        "about": "Lesson 2: which noun does “it” mean, that of the animal or that of the thing? It answers with its first letter. Two layers; the second "
                 "reads each word and what the first returned for it. Write “heavy” for “tired”: to what does the query of “it” turn?",
        "words": task.words, "sentence": "the dog dropped the bone because it was tired".split(), "query": 6,
        "longest": 9, "scale": False, "causal": False, "classes": task.letters, "asked": 6, "questions": ["it"],
        "task": "who it is",
        "kinds": {"animals": list(task.animals), "things": list(task.things), "verbs": [*task.by_animals, *task.by_things],
                  "of_animals": list(task.of_animals), "of_things": list(task.of_things)},
        "steps": steps,
    }

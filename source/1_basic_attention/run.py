"""What the explorer shows of this lesson: `python -m authoring runs` makes it."""

EMBEDDING = {"the": [-1.2, -0.9, -1.2], "cat": [1.6, 0.9, 0.0], "walks": [1.5, 1.1, 0.3], "on": [0.0, 0.2, 1.3], "street": [0.3, 0.4, 1.5]}


def runs(lesson):
    """Attention without parameters, on the word vectors that the lesson chooses by hand."""
    yield {
        "name": "words",
        "about": "Lesson 1: no parameters. Queries, keys and values are the word vectors themselves, three numbers each.",
        "words": list(EMBEDDING), "sentence": "the cat walks on the street".split(), "query": 2, "longest": 10,
        "scale": False, "causal": False, "asked": None,
        "steps": [{"batches": 0, "embedding": list(EMBEDDING.values()), "positions": None, "heads": [{}], "merge": None,
                   "merge_bias": None, "readout": None, "readout_bias": None}],
    }

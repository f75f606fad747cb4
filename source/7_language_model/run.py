"""What the explorer shows of this lesson, the models that it offers as trained: `python -m authoring runs` stores them."""

from attnlab import training
from authoring.runs import letters_model

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def runs(_):
    """The model that makes up names, and the one that continues what repeats."""
    names = training.Names()
    yield {
        "name": "names",
        "about": "Lesson 7: a language model that reads letters and makes up names. Two layers of four heads, all of it computed here. “^” begins and ends a name. "
        "Write the beginning of one: which letter comes next? Then let the model go on.",
        "layer": 0,
        "head": 0,
        **letters_model("names", training.TorchTransformer(names.vocabulary, names.length, 48, 2, 4), ["^", *LETTERS], list("^jess"), start="^"),
    }
    repeat = training.Repeat()
    yield {
        "name": "repeated letters",
        "about": "Lesson 7: a language model that continues what repeats. Two layers of two heads. In layer 1 a head looks one letter back, in layer 2 an induction head looks at "
        "the letter that followed last time. Switch them off: what is the next letter then?",
        "layer": 1,
        "head": 0,
        **letters_model("repeat", training.TorchTransformer(repeat.vocabulary, repeat.length, 32, 2, 2), list(LETTERS), list("planetplane")),
    }

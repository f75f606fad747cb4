"""Small models that learn in seconds, and the tasks that they learn. They bring everything but what you write."""

from attnlab.training.loop import Run, step, train
from attnlab.training.own import Nothing, attention_of_lesson_4, maps_of, matrices_of, switched_off, weights_of
from attnlab.training.patients import examine, patients
from attnlab.training.reader import Reader
from attnlab.training.resolver import Resolver
from attnlab.training.sequences import Names, Repeat, Reverse, ReverseAndAdd
from attnlab.training.stored import load
from attnlab.training.tasks import Coreference, NextLetter, TwoQuestions, WhoEats
from attnlab.training.watch import Sequences, Watch

__all__ = [
    "Coreference",
    "Names",
    "NextLetter",
    "Nothing",
    "Reader",
    "Repeat",
    "Resolver",
    "Reverse",
    "ReverseAndAdd",
    "Run",
    "Sequences",
    "TwoQuestions",
    "Watch",
    "WhoEats",
    "attention_of_lesson_4",
    "examine",
    "load",
    "maps_of",
    "matrices_of",
    "patients",
    "step",
    "switched_off",
    "train",
    "weights_of",
]

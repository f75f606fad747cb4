"""Small models that learn in seconds, and the tasks that they learn. They bring everything but what you write."""

from attnlab.training.looking import Nothing, maps_of, matrices_of, replaced, weights_of, without_attention, without_positions
from attnlab.training.loop import Run, step, train
from attnlab.training.own import (
    attention_of_lesson_4,
    equivariance_test_of_lesson_5,
    functions_of_lesson_7,
    loop_of_lesson_6,
    model_of_lesson_6,
)
from attnlab.training.padding import without_padding
from attnlab.training.patients import examine, patients_of_lesson_6, patients_of_lesson_7
from attnlab.training.reader import Reader
from attnlab.training.resolver import Resolver
from attnlab.training.sequences import Names, Repeat, RepeatFromStart, Reverse, ReverseAndAdd, ReverseLengths
from attnlab.training.stand_ins import TorchTransformer
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
    "RepeatFromStart",
    "Resolver",
    "Reverse",
    "ReverseAndAdd",
    "ReverseLengths",
    "Run",
    "Sequences",
    "TorchTransformer",
    "TwoQuestions",
    "Watch",
    "WhoEats",
    "attention_of_lesson_4",
    "equivariance_test_of_lesson_5",
    "examine",
    "functions_of_lesson_7",
    "load",
    "loop_of_lesson_6",
    "maps_of",
    "matrices_of",
    "model_of_lesson_6",
    "patients_of_lesson_6",
    "patients_of_lesson_7",
    "replaced",
    "step",
    "train",
    "weights_of",
    "without_attention",
    "without_padding",
    "without_positions",
]

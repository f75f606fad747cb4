"""Small models that learn in seconds, and the tasks that they learn. They bring everything but the attention, which is yours."""

from attnlab.training.loop import Run, step, train
from attnlab.training.reader import Reader
from attnlab.training.tasks import NextLetter, TwoQuestions, WhoEats
from attnlab.training.watch import Sequences, Watch

__all__ = ["NextLetter", "Reader", "Run", "Sequences", "TwoQuestions", "Watch", "WhoEats", "step", "train"]

"""A real language model, SmolLM2-135M, to be opened: its parameters, its tokens, and what your own parts are compared with."""

from attnlab.real_model.comparing import compare, right_or_torchs
from attnlab.real_model.copies import examine_copies
from attnlab.real_model.loading import Words, load, opened
from attnlab.real_model.running import maps_of, read_out, run, values_of
from attnlab.real_model.weights import ModelMissing, is_installed

__all__ = [
    "ModelMissing",
    "Words",
    "compare",
    "examine_copies",
    "is_installed",
    "load",
    "maps_of",
    "opened",
    "read_out",
    "right_or_torchs",
    "run",
    "values_of",
]

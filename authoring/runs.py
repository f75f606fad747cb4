"""Make what the explorer shows of a lesson: `python -m authoring runs` calls `runs` of each `run.py` and writes `attnlab/data/runs`.

It is no part of the build, for the reason that `states.py` names.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

import nbformat
import numpy as np
import torch
from torch import Tensor, nn

from attnlab.explorer.runs import FINEST, path_of
from attnlab.training import Reader, load, maps_of
from attnlab.training.loop import BATCH, FINAL, OWN, one_thread, share_right, step
from attnlab.training.stand_ins import TorchTransformer
from attnlab.training.stored import parameters_of
from attnlab.training.tasks import Task
from authoring.answers import Namespace
from authoring.lessons import Lesson

DIGITS = 3  # after the point


class Heads(nn.Module):
    """Multi-head attention with a scale and without a mask, computed by torch, with its parameters where `learned` looks for them."""

    def __init__(self, k: int, heads: int):
        super().__init__()
        self.heads = heads
        self.toqueries, self.tokeys, self.tovalues = (nn.Linear(k, k, bias=False) for _ in range(3))
        self.unifyheads = nn.Linear(k, k)

    def forward(self, x: Tensor) -> Tensor:
        """Tokens `(B, T, k)` to outputs `(B, T, k)`."""
        queries, keys, values = (part(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.toqueries, self.tokeys, self.tovalues))
        return self.unifyheads(nn.functional.scaled_dot_product_attention(queries, keys, values).transpose(1, 2).flatten(2))


def write_run(lesson: Lesson) -> None:
    """Train what the explorer shows of a lesson, and store it; lessons without `run.py` have nothing to show."""
    if not lesson.run.exists():
        return
    for made in lesson.defined_in(lesson.run)["runs"](Namespace(nbformat.read(lesson.solution, as_version=4))):
        path = path_of(made["name"], lesson.data.parent / "runs")
        path.parent.mkdir(exist_ok=True)
        text = json.dumps({"lesson": lesson.assignment, **made}, ensure_ascii=False, separators=(",", ":"))
        path.write_text(text + "\n", encoding="utf-8")


def learned(reader: Reader, task: Task, batches: Sequence[int], rate: float, heads: int = 1, seed: int = 0) -> list[dict[str, Any]]:
    """The parameters of a model after so many batches each, `(k)` rows by `(d)` columns, as the explorer reads them.

    Args:
        reader: a model around an attention with `toqueries`, `tokeys` and `tovalues`, and `unifyheads` or not; or around two of them,
            `first` and `second`.
        batches: after how many batches; rising.
        heads: h, into which queries, keys and values are cut.
    """
    draw, fresh = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(seed + OWN)
    optimizer = torch.optim.Adam(reader.parameters(), lr=rate)
    steps, taken = [], 0
    with one_thread():
        for wanted in batches:
            for _ in range(wanted - taken):
                step(reader, optimizer, *task.batch(BATCH, draw))
            taken = wanted
            right = share_right(reader, task, *task.batch(FINAL, fresh))[0]
            steps.append({"batches": taken, "right": round(right, DIGITS), **_parameters(reader, heads)})
    return steps


def letters_model(what: str, model: TorchTransformer, words: list[str], sentence: list[str], start: str | None = None) -> dict[str, Any]:
    """A language model of lesson 7 that the explorer computes, with all its parameters.

    Args:
        what: under which name `authoring states` stored it.
        model: of the same sizes.
        words: the entries of its vocabulary.
        sentence: what it reads at first.
        start: the word that begins and ends each text.
    """
    load(what, model)
    heads = model.blocks[0].attention.num_heads
    maps = maps_of(model, torch.tensor([[words.index(word) for word in sentence]]), heads, mask=True)
    parameters = parameters_of(model)
    halves = np.concatenate([value.numpy().ravel() for value in parameters.values()]).astype("<f2")
    return {
        "words": words,
        "start": start,
        "longest": len(model.positions.weight),
        "sentence": sentence,
        "query": len(sentence) - 1,
        "from": 1,
        "layers": len(maps),
        "heads": heads,
        "maps": triangles(torch.cat(maps)),
        "shapes": {name: list(value.shape) for name, value in parameters.items()},
        "parameters": base64.b64encode(halves.tobytes()).decode(),
    }


def numbers(tensor: Tensor | np.ndarray) -> list[Any]:
    """As JSON has it."""
    return np.round(np.asarray(tensor.detach() if isinstance(tensor, Tensor) else tensor, dtype=float), DIGITS).tolist()


def triangles(maps: Tensor) -> str:
    """Weights `(layers, heads, T, T)` of queries that see no later key, as `attnlab/explorer/runs.py` says that maps are stored."""
    kept = np.tril_indices(maps.shape[-1])
    roots = np.sqrt(np.asarray(maps, dtype=float)[..., *kept])
    return base64.b64encode(np.round(FINEST * roots).astype("<u2").tobytes()).decode()


def _parameters(reader: Reader, heads: int) -> dict[str, Any]:
    attention, first = getattr(reader.attention, "second", reader.attention), getattr(reader.attention, "first", None)
    merge = getattr(attention, "unifyheads", None)
    return {
        "embedding": numbers(reader.embedding.weight),
        "positions": numbers(reader.positions) if reader.positions.any() else None,
        **({"first": _roles(first)[0]} if first else {}),
        "heads": _roles(attention, heads),
        "merge": merge and numbers(_matrix(merge)),
        "merge_bias": merge and numbers(merge.bias),
        "readout": numbers(_matrix(reader.readout)),
        "readout_bias": numbers(reader.readout.bias),
    }


def _roles(attention: nn.Module, heads: int = 1) -> list[dict[str, Any]]:
    """The matrices of each head, by role."""
    parts = {part: _matrix(getattr(attention, f"to{part}")).chunk(heads, 1) for part in ("queries", "keys", "values")}
    return [{part: numbers(matrices[head]) for part, matrices in parts.items()} for head in range(heads)]


def _matrix(layer: nn.Linear) -> Tensor:
    """What a row is multiplied with from the right: (in, out)."""
    return layer.weight.detach().T

"""What our own models have learned, for those who are in a hurry."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import numpy as np
import torch
from torch import nn

from attnlab.training.looking import matrices_of
from attnlab.training.stand_ins import TorchTransformer

FOLDER = "states"


def load(what: str, model: nn.Module) -> None:
    """Give a model the parameters of a trained one.

    Args:
        what: "repeat" or "names".
        model: a transformer of lesson 6 or 7, of the same sizes, yours or torch's.

    Raises:
        ValueError: nothing of that name is stored, or the model has other sizes.
    """
    stored = read(what)
    parameters = parameters_of(model)
    if {name: value.shape for name, value in stored.items()} != {name: tuple(value.shape) for name, value in parameters.items()}:
        raise ValueError(
            f"the model has other parameters than the one that is stored as {what!r}: it takes `Transformer` and `Block` as the cards "
            "describe them, and the sizes of the lesson"
        )
    with torch.no_grad():
        for name, value in parameters.items():
            value.copy_(torch.from_numpy(stored[name]))


def read(what: str) -> dict[str, np.ndarray]:
    """The parameters of a trained model by name, float32.

    Raises:
        ValueError: nothing of that name is stored.
    """
    file = files("attnlab") / "data" / FOLDER / f"{what}.npz"
    if not file.is_file():
        raise ValueError(f"nothing is stored under {what!r}; there are repeat, names and coreference")
    with file.open("rb") as stream, np.load(stream) as content:
        return {name: content[name].astype(np.float32) for name in content.files}


def store(what: str, model: nn.Module, folder: Path) -> None:
    """Write a model's parameters, in half precision, for `load`."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / f"{what}.npz", **{name: value.numpy().astype(np.float16) for name, value in parameters_of(model).items()})


def parameters_of(model: nn.Module) -> dict[str, torch.Tensor]:
    """All parameters of a model under the names of the cards, whichever attention and whichever blocks it is made of."""
    named = model.named if isinstance(model, TorchTransformer) else str
    found = {named(name): value.detach() for name, value in model.state_dict().items() if ".attention." not in name and ".self_attn." not in name}
    for position, block in enumerate(getattr(model, "blocks", ())):
        found |= {f"blocks.{position}.attention.{name}": value for name, value in matrices_of(block.attention).items()}
    return found

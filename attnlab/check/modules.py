"""Torch modules: how a check gets a result from a learner's class."""

from __future__ import annotations

from typing import Any


def call_with_weights(module_class: Any, sizes: list, weights: dict, x: Any) -> Any:
    """Construct a module, give it known weights and call it.

    Args:
        module_class: the learner's class.
        sizes: what its constructor takes, in order.
        weights: tensors by the names that `state_dict()` uses.
        x: the tensor that the module is called with.
    """
    import torch  # here, so that lessons without tensors do not wait for it

    module = module_class(*sizes)
    module.load_state_dict(weights)
    module.eval()
    with torch.no_grad():
        return module(x)

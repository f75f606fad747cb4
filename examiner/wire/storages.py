"""The memory of torch's tensors in a pickle. Torch's own way names the place in memory, so that the same tensor gives another pickle each time."""

from __future__ import annotations

import sys
from typing import Any


def bytes_of_storage(value: Any) -> tuple[bytes, Any] | None:
    """The main memory of a tensor, and its type; None for anything else."""
    torch = sys.modules.get("torch")
    if torch is None or type(value) is not torch.storage.TypedStorage or value._untyped_storage.device.type != "cpu":
        return None
    return torch.empty(0, dtype=torch.uint8).set_(value._untyped_storage).numpy().tobytes(), value.dtype


def storage_of(raw: bytes, dtype: Any) -> Any:
    """The same memory again."""
    torch = sys.modules["torch"]
    memory = torch.frombuffer(bytearray(raw), dtype=torch.uint8).untyped_storage() if raw else torch.UntypedStorage(0)
    return torch.storage.TypedStorage(wrap_storage=memory, dtype=dtype, _internal=True)

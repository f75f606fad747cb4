"""The wire: plain values as JSON plus raw array bytes, rebuilt with exact types.

A message is a list of buffers: the first is JSON, the others are the bytes it refers to. What comes from a student kernel
is checked as if an enemy had written it: nothing is unpickled, no name is imported, sizes are compared before memory is
taken. A value is written as itself (None, bool, str, small int, finite float) or as `[tag, ...]`. Of the layout of arrays and
tensors in memory the order of axes is kept, gaps are not.
"""

import collections
import json
import math
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from examiner.wire.errors import Malformed, Refused
from examiner.wire.limits import MB

DEEPEST, MOST_PARTS, MOST_JSON = 40, 200_000, 8 * MB
ARRAY_KINDS = "biufcSUmM"
TENSOR_TYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
                "complex64", "complex128")  # fmt: skip
ITERATORS = (types.GeneratorType, zip, map, filter, enumerate, type({}.keys()), type({}.values()), type({}.items()),
             type(collections.OrderedDict().keys()), type(collections.OrderedDict().values()),
             type(collections.OrderedDict().items()))  # fmt: skip

OnObject = Callable[[Any, list], Any]


class Encoder:
    """Writes one message. `on_object(value, buffers)` writes whatever is not a plain value, or raises `Refused`."""

    def __init__(self, on_object: OnObject, most_bytes: int):
        self.buffers: list[bytes] = [b""]
        self._on_object, self._bytes_left, self._parts_left = on_object, most_bytes, MOST_PARTS

    def finish(self, document: Any) -> list[bytes]:
        """All buffers of the message whose JSON is `document`, made of results of `encode`."""
        self.buffers[0] = json.dumps(document, allow_nan=False).encode()
        if len(self.buffers[0]) > MOST_JSON:
            raise Refused("the value is too large to send: use arrays for large data")
        return self.buffers

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The JSON form of `value`; raises `Refused` with a sentence for the student."""
        self._parts_left -= 1
        if depth > DEEPEST:
            raise Refused(f"the value is nested more than {DEEPEST} levels deep, or contains itself")
        if self._parts_left < 0:
            raise Refused(f"the value has more than {MOST_PARTS} parts: use an array for large data")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            self._spend(len(value))
            return value
        if kind is int:
            return value if abs(value) < 2**53 else ["int", self._big(value)]
        if kind is float:
            return value if math.isfinite(value) else ["float", repr(value)]
        return self._encode_rest(value, kind, depth)

    def _encode_rest(self, value: Any, kind: type, depth: int) -> Any:
        if kind in (list, tuple, set, frozenset) or isinstance(value, ITERATORS):
            tag = kind.__name__ if kind in (list, tuple, set, frozenset) else "iterator"
            return [tag, [self.encode(item, depth + 1) for item in value]]
        if kind in (dict, collections.OrderedDict):
            return [kind.__name__, [[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items()]]
        if kind is complex:
            return ["complex", self.encode(value.real), self.encode(value.imag)]
        if kind in (range, slice):
            return [kind.__name__, [self.encode(part) for part in (value.start, value.stop, value.step)]]
        if kind in (bytes, bytearray):
            return [kind.__name__, self._buffer(bytes(value))]
        if value is Ellipsis:
            return ["ellipsis"]
        if kind is np.ndarray:
            return ["array", *self._array(value)]
        if isinstance(value, np.generic) and kind.__module__ == "numpy":
            return ["scalar", *self._array(np.asarray(value))]
        if isinstance(value, np.dtype):
            return ["dtype", _dtype_name(value)]
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return ["tuple", [self.encode(item, depth + 1) for item in tuple.__iter__(value)]]
        torch = sys.modules.get("torch")
        if torch is not None and (encoded := self._encode_torch(torch, value, kind)) is not None:
            return encoded
        return self._on_object(value, self.buffers)

    def _encode_torch(self, torch: Any, value: Any, kind: type) -> Any:
        if kind in (torch.Tensor, torch.nn.Parameter):
            return ["parameter" if kind is torch.nn.Parameter else "tensor", *self._tensor(torch, value)]
        if kind is torch.Size:
            return ["size", list(value)]
        if kind is torch.dtype and str(value).removeprefix("torch.") in TENSOR_TYPES:
            return ["torch_dtype", str(value).removeprefix("torch.")]
        return None

    def _array(self, value: np.ndarray) -> list:
        name = _dtype_name(value.dtype)
        self._spend(value.nbytes, count=False)
        order = [] if value.flags.c_contiguous else _order(value.strides)
        if order and not value.transpose(order).flags.c_contiguous:
            order = []
        lying = value.transpose(order) if order else value
        return [name, list(value.shape), self._buffer(lying.tobytes()), *([order] if order else [])]

    def _tensor(self, torch: Any, value: Any) -> list:
        name = str(value.dtype).removeprefix("torch.")
        if name not in TENSOR_TYPES or value.layout != torch.strided or value.device.type != "cpu":
            raise Refused(f"a tensor of type {name}, layout {value.layout} on {value.device} cannot be sent: use a dense CPU tensor")
        self._spend(value.numel() * value.element_size(), count=False)
        plain = value.detach().resolve_conj().resolve_neg()
        order = [] if plain.is_contiguous() else _order(plain.stride())
        if order and not plain.permute(order).is_contiguous():
            order = []
        flat = (plain.permute(order) if order else plain).contiguous().reshape(-1)
        return [name, list(value.shape), self._buffer(flat.view(torch.uint8).numpy().tobytes()), *([order] if order else [])]

    def _big(self, value: int) -> str:
        if value.bit_length() > 8192:
            raise Refused(f"a whole number of {value.bit_length()} bits is too large to send")
        return hex(value)

    def _buffer(self, data: bytes) -> int:
        self._spend(len(data))
        self.buffers.append(data)
        return len(self.buffers) - 1

    def _spend(self, amount: int, count: bool = True) -> None:
        if amount > self._bytes_left:
            raise Refused(f"the value is too large to send ({amount / MB:.0f} MB)")
        if count:
            self._bytes_left -= amount


class Decoder:
    """Reads one message. `tags` adds readers for further tags: each gets the rest of the list."""

    def __init__(self, buffers: list[bytes], tags: dict[str, Callable[..., Any]]):
        self._buffers, self._tags, self._parts_left = buffers, tags, MOST_PARTS * 2

    def document(self) -> Any:
        """The message's JSON; raises `Malformed`."""
        try:
            if len(self._buffers[0]) > MOST_JSON:
                raise Malformed("the answer is too large")
            return json.loads(self._buffers[0])
        except (ValueError, RecursionError, IndexError) as error:
            raise Malformed("the answer is not in the form that the examiner expects") from error

    def decode(self, node: Any) -> Any:
        """The value that `node` stands for; raises `Malformed`."""
        try:
            return self._decode(node, 0)
        except Malformed:
            raise
        except (ValueError, TypeError, IndexError, KeyError, OverflowError, RecursionError, MemoryError, RuntimeError) as error:
            raise Malformed(f"a value is not what it says ({type(error).__name__})") from error

    def _decode(self, node: Any, depth: int) -> Any:
        self._parts_left -= 1
        if depth > DEEPEST or self._parts_left < 0:
            raise Malformed("the answer is nested too deeply or has too many parts")
        if not isinstance(node, list):
            if isinstance(node, dict):
                raise Malformed("an object stands where a value belongs")
            return node
        tag, *rest = node
        if tag in self._tags:
            return self._tags[tag](*rest)
        if tag in ("list", "tuple", "set", "frozenset", "iterator"):
            items = [self._decode(item, depth + 1) for item in rest[0]]
            return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "iterator": iter}[tag](items)
        if tag in ("dict", "OrderedDict"):
            pairs = [(self._decode(key, depth + 1), self._decode(value, depth + 1)) for key, value in rest[0]]
            return dict(pairs) if tag == "dict" else collections.OrderedDict(pairs)
        return self._decode_leaf(tag, rest)

    def _decode_leaf(self, tag: Any, rest: list) -> Any:
        match tag, rest:
            case "int", [str(text)] if len(text) < 2100:
                return int(text, 16)
            case "float", [("nan" | "inf" | "-inf") as text]:
                return float(text)
            case "complex", [real, imaginary]:
                return complex(float(self._decode(real, 1)), float(self._decode(imaginary, 1)))
            case "range", [[int(start), int(stop), int(step)]] if len(span := range(start, stop, step)) <= MOST_PARTS:
                return span
            case "slice", [[start, stop, step]]:
                return slice(*(self._decode(part, 1) for part in (start, stop, step)))
            case "bytes", [int(number)]:
                return bytes(self._raw(number))
            case "bytearray", [int(number)]:
                return bytearray(self._raw(number))
            case "ellipsis", []:
                return Ellipsis
            case "dtype", [str(name)]:
                return _dtype(name)
            case "array", [str(name), list(shape), int(number), *order]:
                return _in_order(lambda sizes: self._read_array(name, sizes, number), shape, order, "transpose")
            case "scalar", [str(name), [], int(number)]:
                return self._read_array(name, [], number)[()]
            case ("tensor" | "parameter"), [str(name), list(shape), int(number), *order]:
                value = _in_order(lambda sizes: self._read_tensor(name, sizes, number), shape, order, "permute")
                return value if tag == "tensor" else _torch().nn.Parameter(value, requires_grad=value.is_floating_point())
            case "size", [list(shape)]:
                return _torch().Size(_sizes(shape))
            case "torch_dtype", [str(name)] if name in TENSOR_TYPES:
                return getattr(_torch(), name)
        raise Malformed("an unknown kind of value")

    def _raw(self, number: int) -> bytes:
        if not 0 < number < len(self._buffers):
            raise Malformed("bytes are missing")
        return self._buffers[number]

    def _read_array(self, name: str, shape: list, number: int) -> np.ndarray:
        dtype, sizes, raw = _dtype(name), _sizes(shape), self._raw(number)
        if math.prod(sizes) * dtype.itemsize != len(raw):
            raise Malformed("an array's bytes do not fit its shape")
        if len(raw) == 0:
            return np.zeros(sizes, dtype)
        return np.frombuffer(raw, dtype).reshape(sizes).copy()

    def _read_tensor(self, name: str, shape: list, number: int) -> Any:
        if name not in TENSOR_TYPES:
            raise Malformed("an unknown tensor type")
        torch, sizes, raw = _torch(), _sizes(shape), self._raw(number)
        dtype = getattr(torch, name)
        if math.prod(sizes) * torch.empty((), dtype=dtype).element_size() != len(raw):
            raise Malformed("a tensor's bytes do not fit its shape")
        # A copy: torch wants memory that it may write to.
        return torch.frombuffer(bytearray(raw), dtype=dtype).reshape(sizes) if raw else torch.zeros(sizes, dtype=dtype)


def _dtype_name(dtype: np.dtype) -> str:
    if dtype.kind not in ARRAY_KINDS or type(dtype).__module__.split(".")[0] != "numpy":
        raise Refused(f"an array of type {dtype} cannot be sent: use numbers, booleans or fixed-length text")
    return dtype.str


def _dtype(name: str) -> np.dtype:
    if len(name) > 24:
        raise Malformed("an unknown array type")
    dtype = np.dtype(name)
    if dtype.kind not in ARRAY_KINDS:
        raise Malformed("an unknown array type")
    return dtype


def _order(strides: tuple[int, ...]) -> list[int]:
    """The axes from the one with the longest steps in memory to the one with the shortest."""
    return sorted(range(len(strides)), key=lambda axis: -strides[axis])


def _in_order(read: Callable[[list], Any], shape: list, order: list, permute: str) -> Any:
    """An array or tensor of this shape whose axes lie in memory in `order` (`[]` or `[axes]`): some answers depend on it."""
    if not order:
        return read(shape)
    [axes] = order
    if not isinstance(axes, list) or any(type(axis) is not int for axis in axes) or sorted(axes) != list(range(len(shape))):
        raise Malformed("an impossible order of axes")
    return getattr(read([shape[axis] for axis in axes]), permute)([axes.index(axis) for axis in range(len(axes))])


def _sizes(shape: list) -> tuple[int, ...]:
    if len(shape) > 32 or any(type(size) is not int or not 0 <= size < 2**40 for size in shape):
        raise Malformed("an impossible shape")
    return tuple(shape)


def _torch() -> Any:
    """Imported late: a course without torch does not need it, and only torch values lead here."""
    import torch

    return torch

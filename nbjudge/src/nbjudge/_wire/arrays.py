"""Arrays and tensors on the wire: type, shape and raw bytes. Of their layout in memory the order of axes is kept, gaps are not."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from nbjudge._wire.coding import BaseDecoder, BaseEncoder, Reader
from nbjudge._wire.errors import Malformed, Refused
from nbjudge._wire.limits import MB


def bytes_of_storage(value: Any) -> tuple[bytes, Any] | None:
    """The main memory of a tensor, and its type; None for anything else."""
    torch = sys.modules.get("torch")
    if torch is None or type(value) is not torch.storage.TypedStorage or value._untyped_storage.device.type != "cpu":
        return None
    return torch.empty(0, dtype=torch.uint8).set_(value._untyped_storage).numpy().tobytes(), value.dtype


def without_neighbours(value: Any) -> Any:
    """A copy of a tensor that shows a part of its memory, such as a column, with memory of its own; None for anything else.

    torch writes the whole memory of a tensor into a pickle, also what lies beside a column.
    """
    torch = sys.modules.get("torch")
    if torch is None or type(value) not in (torch.Tensor, torch.nn.Parameter) or value.layout != torch.strided or value.device.type != "cpu":
        return None
    shown = math.prod(size for size, step in zip(value.shape, value.stride(), strict=True) if step)
    if shown * value.element_size() >= value.untyped_storage().nbytes():
        return None
    copy = value.detach().clone()
    return torch.nn.Parameter(copy, value.requires_grad) if type(value) is torch.nn.Parameter else copy.requires_grad_(value.requires_grad)


def storage_of(raw: bytes, dtype: Any) -> Any:
    """The same memory again."""
    torch = sys.modules["torch"]
    memory = torch.frombuffer(bytearray(raw), dtype=torch.uint8).untyped_storage() if raw else torch.UntypedStorage(0)
    return torch.storage.TypedStorage(wrap_storage=memory, dtype=dtype, _internal=True)


ARRAY_KINDS = "biufcSUmM"
# Kinds of arrays that can pass for what they are not, see `Judge`. A matrix's `*` and `**` are those of matrices: the mean of
# `(result - expected) ** 2` is 0 for many a result.
MASKED, HIDDEN, ALL_HIDDEN, MATRIX, SPARSE_MATRIX = "masked array", "hidden", "all hidden", "matrix", "sparse matrix"
MOST_FIELDS, LARGEST_RECORD, MOST_EMPTY = 1000, 2**20, 200_000  # empty: texts of no length, which numpy makes a character long
TENSOR_TYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
MOST_COMPARED = 64 * MB
COMPRESSED = ("csr", "csc")
SPARSE = {f"{layout}_{kind}" for layout in (*COMPRESSED, "coo") for kind in ("array", "matrix")}


def encode(encoder: BaseEncoder, value: Any, kind: type, depth: int) -> list[Any] | None:
    """The JSON form of an array, tensor, scalar or type of one, or None for any other value. Raises `Refused`."""
    if kind is np.ndarray:
        return encode_array(encoder, value, depth)
    if kind is np.matrix:
        return ["matrix", encode_array(encoder, np.asarray(value), depth)]
    if kind is np.ma.MaskedArray:
        return ["masked", encode_array(encoder, np.asarray(value.data), depth), encode_array(encoder, np.ma.getmaskarray(value), depth)]
    if value is np.ma.masked:
        return ["masked_value"]
    if isinstance(value, np.generic) and kind.__module__ == "numpy":
        return ["scalar", *_plain_array(encoder, np.asarray(value))]
    if isinstance(value, np.dtype):
        return ["dtype", "O" if value.char == "O" else _dtype_name(value)]
    if isinstance(value, type) and value.__module__ == "numpy" and issubclass(value, np.generic):
        return _encode_scalar_type(value)
    if (torch := sys.modules.get("torch")) is not None and (encoded := _encode_torch(encoder, torch, value, kind)) is not None:
        return encoded
    if kind.__module__.startswith("scipy.sparse.") and getattr(value, "format", "") in (*COMPRESSED, "coo"):
        return _encode_sparse(encoder, value, kind, depth)
    return None


def encode_array(encoder: BaseEncoder, value: np.ndarray, depth: int) -> list[Any]:
    """The JSON form of an array of numbers, text, dates, records of these, or of objects that can travel one by one."""
    if value.dtype == object:
        return ["objects", list(value.shape), encoder.items(value.ravel().tolist(), depth)]
    if value.dtype.names:
        return ["records", _encode_fields(value.dtype), list(value.shape), encoder.buffer(_checked(encoder, value).tobytes())]
    return ["array", *_plain_array(encoder, value)]


def _encode_fields(dtype: np.dtype) -> list[Any]:
    described = dict(dtype.fields or {})
    fields = [(name, *described[name][:2]) for name in dtype.names or ()]
    return [[[name, _dtype_name(kind), offset] for name, kind, offset in fields], dtype.itemsize]


def _encode_scalar_type(value: type) -> list[Any] | None:
    try:
        return ["scalar_type", value.__name__] if np.dtype(value).kind in ARRAY_KINDS and np.dtype(value).type is value else None
    except TypeError:  # an abstract one
        return None


def _encode_torch(encoder: BaseEncoder, torch: Any, value: Any, kind: type) -> list[Any] | None:
    if kind in (torch.Tensor, torch.nn.Parameter):
        if (number := encoder.lend(value)) is not None:
            return ["lent", number, _leaf(encoder, torch, value, kind), value.requires_grad]
        return _leaf(encoder, torch, value, kind)
    if kind is torch.Size:
        return ["size", list(value)]
    if kind is torch.dtype and _name_of(value) in TENSOR_TYPES:
        return ["torch_dtype", _name_of(value)]
    return None


def _leaf(encoder: BaseEncoder, torch: Any, value: Any, kind: type) -> list[Any]:
    plain = ["parameter" if kind is torch.nn.Parameter else "tensor", *_tensor(encoder, torch, value)]
    if value.requires_grad and not value.is_leaf:
        return ["computed", plain]
    if kind is torch.nn.Parameter and value.is_floating_point() and not value.requires_grad:
        return ["frozen", plain]
    if not (encoder.slopes and value.is_leaf and value.requires_grad) or (kind is not torch.Tensor and value.grad is None):
        return plain
    return ["graded", plain, None if value.grad is None else ["tensor", *_tensor(encoder, torch, value.grad)]]


def _encode_sparse(encoder: BaseEncoder, value: Any, kind: type, depth: int) -> list[Any]:
    parts = (value.data, value.indices, value.indptr) if value.format in COMPRESSED else (value.data, value.row, value.col)
    return ["sparse", kind.__name__, list(value.shape), [encode_array(encoder, np.asarray(part), depth) for part in parts]]


def _plain_array(encoder: BaseEncoder, value: np.ndarray) -> list[Any]:
    name = _dtype_name(value.dtype)
    _checked(encoder, value)
    order = [] if value.flags.c_contiguous else _order(value.strides)
    if order and not value.transpose(order).flags.c_contiguous:
        order = []
    lying = value.transpose(order) if order else value
    return [name, list(value.shape), encoder.buffer(lying.tobytes()), *([order] if order else [])]


def _checked(encoder: BaseEncoder, value: np.ndarray) -> np.ndarray:
    encoder.spend(value.nbytes, count=False)
    return value


def _tensor(encoder: BaseEncoder, torch: Any, value: Any) -> list[Any]:
    name = _name_of(value.dtype)
    if name not in TENSOR_TYPES or value.layout != torch.strided or value.device.type != "cpu":
        raise Refused(f"a tensor of type {name}, layout {value.layout} on {value.device} cannot be sent: use a dense CPU tensor")
    encoder.spend(value.numel() * value.element_size(), count=False)
    plain = value.detach().resolve_conj().resolve_neg()
    order = [] if plain.is_contiguous() else _order(plain.stride())
    if order and not plain.permute(order).is_contiguous():
        order = []
    lying = plain.permute(order) if order else plain
    return [name, list(value.shape), encoder.buffer(memory_of(lying).tobytes()), *([order] if order else [])]


@functools.cache
def _name_of(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def memory_of(plain: Any) -> np.ndarray:
    """A detached tensor's memory as an array of the same shape; numpy has no bfloat16. Raises `TypeError` and `RuntimeError`."""
    torch = sys.modules["torch"]
    return np.asarray((plain.view(torch.int16) if plain.dtype is torch.bfloat16 else plain).numpy())


def content(value: Any, slopes: bool = True) -> list[bytes] | None:
    """What an array or a tensor of the usual kinds holds now, to compare with later, in a fraction of the time that a message takes; None for
    anything else. `slopes`: with a tensor's gradient."""
    kind = type(value)
    if kind is np.ndarray:
        return (
            None
            if value.dtype.hasobject or value.nbytes > MOST_COMPARED
            else [_form(kind.__name__, value.dtype, value.shape, value.strides), value.tobytes()]
        )
    torch = sys.modules.get("torch")
    if torch is None or kind not in (torch.Tensor, torch.nn.Parameter) or value.layout != torch.strided or value.device.type != "cpu":
        return None
    if (
        value.nbytes > MOST_COMPARED
        or value.is_quantized
        or value.is_conj()
        or value.is_neg()
        or (slopes and value.is_leaf and value.grad is not None)
    ):
        return None
    try:
        memory = memory_of(value.detach())
    except (TypeError, RuntimeError):  # a type that numpy does not have
        return None
    return [_form(kind.__name__, value.dtype, tuple(value.shape), value.stride(), slopes and value.requires_grad), memory.tobytes()]


@functools.lru_cache(maxsize=4096)
def _form(*about: Hashable) -> bytes:
    """Of what kind and form an array is."""
    return str(about).encode()


def _read_array(decoder: BaseDecoder, rest: list[Any], depth: int) -> np.ndarray:
    match rest:
        case [str(name), list(shape), int(number), *order]:
            return _in_order(lambda sizes: _numbers(decoder, dtype_named(name), sizes, number), shape, order, "transpose")
    raise Malformed("an impossible array")


def _numbers(decoder: BaseDecoder, dtype: np.dtype, shape: list[Any], number: int) -> np.ndarray:
    sizes, raw = _sizes(shape), decoder.raw(number)
    if math.prod(sizes) * dtype.itemsize != len(raw) or (dtype.itemsize == 0 and math.prod(sizes) > MOST_EMPTY):
        raise Malformed("an array's bytes do not fit its shape")
    if len(raw) == 0:
        return np.zeros(sizes, dtype)
    return _with_truths(np.frombuffer(raw, dtype).reshape(sizes).copy())


def _with_truths(value: np.ndarray) -> np.ndarray:
    """`value`, whose booleans are 0 or 1: of any other number in its byte, a check for equality makes one thing and a sum another."""
    columns = [value[name] for name in value.dtype.names] if value.dtype.names else [value]
    for truths in (column for column in columns if column.dtype.kind == "b"):
        np.not_equal(truths.view(np.uint8), 0, out=truths)
    return value


def _read_scalar(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    match rest:
        case [str(name), [], int(number)]:
            return _numbers(decoder, dtype_named(name), [], number)[()]
    raise Malformed("an impossible number")


def _read_objects(decoder: BaseDecoder, rest: list[Any], depth: int) -> np.ndarray:
    match rest:
        case [list(shape), list(nodes)] if math.prod(_sizes(shape)) == len(nodes):
            flat = np.empty(len(nodes), dtype=object)
            for place, node in enumerate(nodes):  # one by one: numpy would look into lists
                flat[place] = decoder.read(node, depth + 1)
            return flat.reshape(_sizes(shape))
    raise Malformed("an impossible array")


def _read_records(decoder: BaseDecoder, rest: list[Any], depth: int) -> np.ndarray:
    match rest:
        case [[list(fields), int(size)], list(shape), int(number)] if len(fields) <= MOST_FIELDS and 0 < size <= LARGEST_RECORD:
            names, kinds, offsets = zip(*fields, strict=True)
            if all(type(name) is str and type(offset) is int and 0 <= offset < size for name, _, offset in fields):
                formats = [dtype_named(kind) for kind in kinds]
                dtype = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
                return _numbers(decoder, dtype, shape, number)
    raise Malformed("an impossible array of records")


def _read_matrix(decoder: BaseDecoder, rest: list[Any], depth: int) -> np.ndarray:
    value = np.asmatrix(_array_at(decoder, rest[0], depth))
    return value if decoder.may(MATRIX) else decoder.plainer(np.asarray(value), value)


def _read_masked(decoder: BaseDecoder, rest: list[Any], depth: int) -> np.ndarray:
    data, mask = (_array_at(decoder, node, depth) for node in rest)
    if mask.shape != data.shape or mask.dtype != bool:
        raise Malformed("an impossible masked array")
    value, hides = np.ma.MaskedArray(data, mask), bool(mask.any())
    if not decoder.may(MASKED) and not hides:  # its quotients and logarithms would hide something
        return decoder.plainer(data, value)
    if hides:
        decoder.doubt(ALL_HIDDEN if mask.all() else HIDDEN)
    return value


def _read_masked_value(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    decoder.doubt(ALL_HIDDEN)
    return np.ma.masked


def _array_at(decoder: BaseDecoder, node: Any, depth: int) -> np.ndarray:
    value = decoder.read(node, depth + 1)
    if type(value) is not np.ndarray:
        raise Malformed("an array is missing")
    return value


def _read_dtype(_: BaseDecoder, rest: list[Any], depth: int) -> np.dtype:
    match rest:
        case ["O"]:
            return np.dtype(object)
        case [str(name)]:
            return dtype_named(name)
    raise Malformed("an unknown array type")


def _read_scalar_type(_: BaseDecoder, rest: list[Any], depth: int) -> type:
    match rest:
        case [str(name)] if len(name) <= 20 and isinstance(kind := getattr(np, name, None), type) and issubclass(kind, np.generic):
            return kind
    raise Malformed("an unknown type of numbers")


def _read_tensor(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    match rest:
        case [str(name), list(shape), int(number), *order]:
            return _in_order(lambda sizes: _tensor_of(decoder, name, sizes, number), shape, order, "permute")
    raise Malformed("an impossible tensor")


def _read_parameter(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    value = _read_tensor(decoder, rest, depth)
    return _torch().nn.Parameter(value, requires_grad=value.is_floating_point())


def _read_frozen(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    """A parameter that is not to be learned."""
    [value] = decoder.items(rest, depth)
    return value.requires_grad_(False)


def _read_computed(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    """A tensor that comes from others which get gradients. They are at the other end, so it says that it has gradients, and gives none."""
    [value] = decoder.items(rest, depth)
    with _torch().enable_grad():
        return _computed().apply(value.requires_grad_(True))


@functools.cache
def _computed() -> Any:
    function: Any = _torch().autograd.Function

    class Computed(function):
        @staticmethod
        def forward(ctx: Any, value: Any) -> Any:
            return value.clone()

        @staticmethod
        def backward(ctx: Any, *slopes: Any) -> Any:
            raise RuntimeError("this tensor was computed in another process: no gradients go back there")

    return Computed


def _tensor_of(decoder: BaseDecoder, name: str, shape: list[Any], number: int) -> Any:
    torch, sizes, raw = _torch(), _sizes(shape), decoder.raw(number)
    dtype = _torch_type(name)
    if math.prod(sizes) * dtype.itemsize != len(raw):
        raise Malformed("a tensor's bytes do not fit its shape")
    if not raw:
        return torch.zeros(sizes, dtype=dtype)
    if dtype is torch.bool:  # see `_with_truths`
        return torch.frombuffer(bytearray(raw), dtype=torch.uint8).reshape(sizes) != 0
    return torch.frombuffer(bytearray(raw), dtype=dtype).reshape(sizes)  # a copy: torch wants memory that it may write to


def _torch_type(name: Any) -> Any:
    if name not in TENSOR_TYPES:
        raise Malformed("an unknown tensor type")
    return getattr(_torch(), name)


def _read_sparse(decoder: BaseDecoder, rest: list[Any], depth: int) -> Any:
    """A sparse matrix whose indices have been checked: one outside its shape would read memory that is not its own."""
    try:
        from scipy import sparse
    except ImportError:
        raise Malformed("it is a sparse matrix, and scipy is not installed beside the grader. Next: pip install 'nbjudge[tables]'") from None
    match rest:
        case [str(name), list(shape), [first, second, third]] if name in SPARSE:
            data, rows, columns = (_array_at(decoder, node, depth) for node in (first, second, third))
            if any(part.ndim != 1 or part.dtype.kind not in "iu" for part in (rows, columns)) or data.dtype.kind not in "biufc":
                raise Malformed("an impossible sparse matrix")
            parts = (data, (rows, columns)) if name.startswith("coo") else (data, rows, columns)
            value = getattr(sparse, name)(parts, shape=_sizes(shape))
            if not name.startswith("coo"):
                value.check_format(full_check=True)
            if name.endswith("_matrix") and not decoder.may(SPARSE_MATRIX):
                return decoder.plainer(getattr(sparse, name.replace("_matrix", "_array"))(value), value)
            return value
    raise Malformed("an impossible sparse matrix")


READERS: dict[str, Reader] = {
    "array": _read_array,
    "objects": _read_objects,
    "records": _read_records,
    "matrix": _read_matrix,
    "masked": _read_masked,
    "masked_value": _read_masked_value,
    "scalar": _read_scalar,
    "dtype": _read_dtype,
    "scalar_type": _read_scalar_type,
    "tensor": _read_tensor,
    "parameter": _read_parameter,
    "frozen": _read_frozen,
    "computed": _read_computed,
    "size": lambda decoder, rest, depth: _torch().Size(_sizes(rest[0])),
    "torch_dtype": lambda decoder, rest, depth: _torch_type(rest[0]),
    "sparse": _read_sparse,
}


def _dtype_name(dtype: np.dtype) -> str:
    if dtype.kind not in ARRAY_KINDS or type(dtype).__module__.split(".")[0] != "numpy" or dtype.hasobject:
        raise Refused(f"an array of type {dtype} cannot be sent: use numbers, booleans or fixed-length text")
    return dtype.str


def dtype_named(name: Any) -> np.dtype:
    """The array type of a name as numpy writes it; raises `Malformed`."""
    if type(name) is not str or len(name) > 24:
        raise Malformed("an unknown array type")
    dtype = np.dtype(name)
    if dtype.kind not in ARRAY_KINDS:
        raise Malformed("an unknown array type")
    return dtype


def _order(strides: tuple[int, ...]) -> list[int]:
    """The axes from the one with the longest steps in memory to the one with the shortest."""
    return sorted(range(len(strides)), key=lambda axis: -strides[axis])


def _in_order(read: Callable[[list[Any]], Any], shape: list[Any], order: list[Any], permute: str) -> Any:
    """An array or tensor of this shape whose axes lie in memory in `order` (`[]` or `[axes]`): some answers depend on it."""
    if not order:
        return read(shape)
    [axes] = order
    if not isinstance(axes, list) or any(type(axis) is not int for axis in axes) or sorted(axes) != list(range(len(shape))):
        raise Malformed("an impossible order of axes")
    return getattr(read([shape[axis] for axis in axes]), permute)([axes.index(axis) for axis in range(len(axes))])


def _sizes(shape: list[Any]) -> tuple[int, ...]:
    if not isinstance(shape, list) or len(shape) > 32 or any(type(size) is not int or not 0 <= size < 2**40 for size in shape):
        raise Malformed("an impossible shape")
    return tuple(shape)


def _torch() -> Any:
    """Imported late: a course without torch does not need it, and only torch values lead here."""
    import torch

    return torch

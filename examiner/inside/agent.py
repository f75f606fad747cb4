"""The examiner's hands inside a student kernel: finds names, calls what they name, and writes the results as plain values.

A student can replace any of this; then the examiner gets other values, or none, and judges those.
"""

import sys
import types
from typing import Any

import cloudpickle

from examiner.wire.codec import Decoder, Encoder
from examiner.wire.errors import Refused
from examiner.wire.limits import MB

_handles: list[Any] = []
_most_bytes = 64 * MB
CELL_FILE = "ipykernel_"  # IPython names the file of a cell after the kernel


def resolve(number: int) -> Any:
    """The object behind a handle. Pickled functions that use a proxy find the student's own object here."""
    return _handles[number]


def answer(buffers: list[bytes], names: dict[str, Any]) -> list[bytes]:
    """Carry out one request; the reply is a document `{"value": ...}`, `{"error": ...}` or `{"refused": sentence}`."""
    encoder = Encoder(_encode_object, _most_bytes)
    try:
        return encoder.finish(_carry_out(buffers, names, encoder))
    except Refused as refusal:
        document = {"refused": str(refusal)}
    except BaseException as error:
        document = {"error": _describe(error)}
    return Encoder(_encode_object, _most_bytes).finish(document)


def _carry_out(buffers: list[bytes], names: dict[str, Any], encoder: Encoder) -> dict:
    global _most_bytes
    decoder = Decoder(buffers, {"ref": resolve, "pickle": lambda number: cloudpickle.loads(buffers[number])})
    request = decoder.document()
    _most_bytes = request.get("most_bytes", _most_bytes)
    match request["do"]:
        case "get":
            return {"value": {name: _one_name(name, names, encoder) for name in request["names"]}}
        case "attribute":
            return {"value": encoder.encode(getattr(resolve(request["handle"]), request["name"]))}
        case "call":
            arguments, keywords = decoder.decode(request["arguments"]), decoder.decode(request["keywords"])
            before = _photograph([*arguments, *keywords.values()])
            result = resolve(request["handle"])(*arguments, **keywords)
            # Encoded first: a result that is an argument, or a generator over it, may change it only now.
            value = encoder.encode(result)
            after = _photograph([*arguments, *keywords.values()])
            labels = [*range(1, len(arguments) + 1), *keywords]
            return {"value": value, "changed": [label for label, x, y in zip(labels, before, after) if x != y]}
    raise ValueError("unknown request")


def _one_name(name: str, names: dict[str, Any], encoder: Encoder) -> dict:
    """One name as `{"value": ...}`, `{"missing": true}` or `{"refused": sentence}`; one bad name must not hide others."""
    if name not in names:
        return {"missing": True}
    try:
        return {"value": encoder.encode(names[name])}
    except Refused as refusal:
        return {"refused": str(refusal)}


def _photograph(values: list) -> list:
    """The content of each argument now, to compare with later. Objects that are not plain values do not count."""
    return [_content(value) for value in values]


def _content(value: Any) -> Any:
    encoder = Encoder(lambda *_: ["object"], _most_bytes)
    try:
        return encoder.finish(encoder.encode(value))
    except Refused:
        return None


def _encode_object(value: Any, _buffers: list) -> list:
    kind = type(value)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.").removeprefix("__main__.")
    if kind is types.ModuleType:
        return ["module", str(value.__name__)]
    for base in kind.__mro__[1:]:
        if base.__module__ in ("numpy", "torch") and base.__name__ in ("ndarray", "Tensor"):
            raise Refused(f"it is a {name}: use a plain {base.__module__}.{base.__name__}")
        if base in (int, float, complex, str, bytes, list, tuple, dict, set, frozenset):
            raise Refused(f"it is a {name}: use a plain {base.__name__}")
    return ["handle", _handle(value), _role(value), name[:80]]


def _handle(value: Any) -> int:
    for number, known in enumerate(_handles):
        if known is value:
            return number
    _handles.append(value)
    return len(_handles) - 1


def _role(value: Any) -> str:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.nn.Module):
        return "module instance"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "object"


def _describe(error: BaseException) -> dict:
    """Type names from the error's own class upwards, its message, and the line of a student's cell that it left last."""
    try:
        message = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    except Exception:
        message = ""
    line, trace = None, error.__traceback__
    while trace is not None:
        if CELL_FILE in trace.tb_frame.f_code.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return {"types": [kind.__name__ for kind in type(error).__mro__], "message": message[:2000], "line": line}

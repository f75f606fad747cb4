"""Messages of every kind, changed at random: each is read, or Malformed, soon and in little memory.

`python -m test_codec_fuzz SEED MINUTES` in this folder goes on for longer.
"""

from __future__ import annotations

import collections
import copy
import datetime
import decimal
import fractions
import json
import pathlib
import random
import sys
import time
import tracemalloc
import uuid
import zoneinfo
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse

from helpers.travelling import encode
from nbjudge._wire.codec import Decoder
from nbjudge._wire.errors import Malformed
from nbjudge._wire.limits import MB

Point = collections.namedtuple("Point", "x y")
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
VALUES: list[Any] = [
    [1, "a", None, True, 2.5, float("nan"), 2**70, (1, (2,)), {1, 2}, frozenset({"x"}), {"k": [1], (1, 2): {}}, iter([1, 2])],
    [
        list(range(-50, 50)),
        tuple(number / 7 for number in range(70)),
        [number % 3 == 0 for number in range(70)],
        [chr(200 + number) * (number % 4) for number in range(70)],
    ],
    [
        collections.Counter("aab"),
        collections.defaultdict(list, {1: [2]}),
        collections.deque([1, 2], 3),
        collections.OrderedDict(a=1),
        Point(1, 2),
        {"a": 1}.keys(),
        {"a": 1}.values(),
        {"a": 1}.items(),
    ],
    [
        1 + 2j,
        range(0, 9, 2),
        slice(1, None, 2),
        b"bytes",
        bytearray(b"more"),
        ...,
        fractions.Fraction(1, 3),
        decimal.Decimal("1.5"),
        uuid.UUID(int=5),
        pathlib.PurePosixPath("a/b"),
        int,
        ValueError,
    ],
    [
        datetime.date(2024, 2, 3),
        datetime.timedelta(1, 2, 3),
        datetime.timezone(datetime.timedelta(hours=1)),
        datetime.datetime(2024, 1, 2, 3, 4, tzinfo=BERLIN),
        datetime.time(1, 2, fold=1),
    ],
    [
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6).reshape(2, 3)),
        np.array(["ab", "c"]),
        np.array(["2024-01-01"], "M8[D]"),
        np.array([1, None, "x"], object),
        np.array([(1, 2.5)], [("a", "i4"), ("b", "f8")]),
        np.matrix([[1, 2]]),
        np.float32(1.5),
        np.int64,
        np.ma.masked_array([1, 2], [True, False]),
        np.ma.masked,
        np.dtype("f4"),
        np.zeros((0, 3)),
        np.str_(""),
    ],
    [
        torch.arange(6.0).reshape(2, 3),
        torch.arange(6).reshape(2, 3).T,
        torch.nn.Parameter(torch.ones(2)),
        torch.Size([1, 2]),
        torch.float64,
        torch.ones(2, requires_grad=True),
        torch.ones(2, requires_grad=True) * 2,
        torch.nn.Parameter(torch.ones(2), requires_grad=False),
        torch.tensor([True]),
        torch.zeros(0),
    ],
    [sparse.csr_matrix([[1, 0], [0, 2]]), sparse.coo_array([[0, 3.0]]), sparse.csc_array([[1.0], [0]])],
    [
        pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": pd.Categorical(["u", "v"]), "d": pd.array([1, None], dtype="Int64")}),
        pd.DataFrame({"t": pd.date_range("2024", periods=2, tz="Europe/Berlin")}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
    ],
    [
        pd.Series([1.5, 2], name="s", index=pd.RangeIndex(2)),
        pd.period_range("2024-01", periods=2, freq="M"),
        pd.interval_range(0, 2),
        pd.array(["a", None], dtype="string"),
        pd.Timestamp("2024-01-01", tz="UTC"),
        pd.Timedelta("1h"),
        pd.NaT,
        pd.NA,
        pd.Period("2024-01", "M"),
        pd.Interval(0, 1),
        pd.CategoricalDtype(["a"]),
        pd.timedelta_range("1h", periods=2, freq="h"),
    ],
]
ENCODED = [encode(value, 10**7) for value in VALUES]
STRANGE: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    2,
    7,
    2**31,
    2**40 - 1,
    2**52,
    -(2**52),
    1e308,
    "",
    "x",
    "0x7",
    "-0x1",
    "nan",
    "O",
    "<U0",
    "|S0",
    "|V8",
    "<i8",
    "<f8",
    "M8[s]",
    "<M8[25s]",
    "pyarrow",
    "Europe/Berlin",
    "99999D",
    "M",
    "Int64",
    "both",
    "\ud800",
    "a" * 5000,
    [],
    [[]],
    {},
    [0],
    [-1],
    [2**39],
    [2**20, 2**20],
    [0, 2**39],
]
MOST_SECONDS, MOST_MEMORY = 10, 64 * MB
ROUNDS = 250


def nodes(node: Any, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The places of all parts of a message."""
    inner = [place for number, part in enumerate(node) for place in nodes(part, (*path, number))] if isinstance(node, list) else []
    return [path, *inner]


def at(node: Any, path: tuple[int, ...]) -> Any:
    for number in path:
        node = node[number]
    return node


def changed(chance: random.Random, message: Any, parts: list[Any], buffers: list[bytes]) -> Any:
    """A message with a few changes, some of them in its bytes."""
    message = [copy.deepcopy(message)]
    for _ in range(chance.randint(1, 4)):
        *above, last = chance.choice(nodes(message)[1:])
        inside = at(message, tuple(above))
        match chance.randint(0, 6):
            case 0:
                inside[last] = chance.choice(STRANGE)
            case 1 | 2:
                inside[last] = copy.deepcopy(chance.choice(parts))
            case 3:
                inside.insert(last, copy.deepcopy(chance.choice(inside)))
            case 4 if above:
                del inside[last]
            case 5 if buffers[1:]:
                number = chance.randrange(1, len(buffers))
                data = buffers[number]
                buffers[number] = chance.choice([b"", data[:-1], data + b"\0", data * 3, bytes(chance.randbytes(len(data))), b"\xff" * len(data)])
            case 6 if isinstance(inside[last], int):
                inside[last] += chance.choice([-1, 1, 2**33])
    return message[0]


def fuzz(seed: int, number: int, rounds: int) -> collections.Counter[str]:
    """Change one of `VALUES` again and again, and read it. What is found else than `Malformed` goes on to the caller."""
    chance, found = random.Random(f"{seed} {number}"), collections.Counter()
    wholes = [json.loads(buffers[0])["value"] for buffers in ENCODED]
    parts = [at(whole, path) for whole in wholes for path in nodes(whole) if path]
    whole = wholes[number]
    for _ in range(rounds):
        buffers = list(ENCODED[number])
        message = changed(chance, whole, parts, buffers)
        text = json.dumps({"value": message}).encode()
        began = time.process_time()
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        try:
            decoder = Decoder([text, *buffers[1:]], {})
            value = decoder.decode(decoder.document()["value"])
            found["read"] += 1
            del value
        except Malformed as malformed:
            found["malformed"] += 1
            assert malformed.args
        except BaseException as error:
            raise AssertionError(f"{type(error).__name__} for {text!r}") from error
        assert time.process_time() - began < MOST_SECONDS, text
        assert tracemalloc.get_traced_memory()[1] - before < MOST_MEMORY, text
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(VALUES)))
@pytest.mark.filterwarnings("ignore")
def test_what_is_changed_is_read_or_malformed(number: int) -> None:
    tracemalloc.start()
    try:
        found = fuzz(11, number, ROUNDS)
    finally:
        tracemalloc.stop()
    assert found["read"] > ROUNDS / 50 and found["malformed"] > ROUNDS / 5


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    tracemalloc.start()
    seed, end, counts = int(sys.argv[1]), time.monotonic() + 60 * float(sys.argv[2]), collections.Counter()
    while time.monotonic() < end:
        for which in range(len(VALUES)):
            counts += fuzz(seed, which, 100)
        seed += 1
    print(seed, dict(counts))

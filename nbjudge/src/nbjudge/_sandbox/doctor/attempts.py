"""What an escape attempt is, and what came of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Every attempt finds these: `about` (facts of this machine), `libc`, `call` (a system call by name: its result, or minus the error
# number), `reached` (whether Linux began to carry out a call: anything but a plain refusal) and `first_line`.
PRELUDE = """
import ctypes, errno, os, socket, struct
about = {facts!r}
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
REFUSED = (-errno.EPERM, -errno.ENOSYS, -errno.EAFNOSUPPORT)
def _long(value):
    return value if isinstance(value, (bytes, ctypes.Array)) or hasattr(value, "contents") else ctypes.c_long(value)
def call(name, *values):
    number = about["numbers"].get(name, name)
    if number is None:
        return -errno.ENOSYS
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *map(_long, values))
    return -ctypes.get_errno() if result == -1 else result
def reached(name, *values):
    return call(name, *values) not in REFUSED
def readable(path):
    try:
        with open(path, "rb") as file:
            return file.read(1)
    except OSError:
        return b""
def writable(path):
    try:
        os.close(os.open(path, os.O_WRONLY))
        return True
    except OSError:
        return False
def done(action, *arguments, **named):
    try:
        action(*arguments, **named)
        return True
    except (OSError, ValueError):
        return False
"""


@dataclass(frozen=True)
class Attempt:
    """An escape attempt: `code` runs in a student kernel and leaves its result in `escaped`, a false value when it failed.

    `machine`: the processor that it is made for; others have no such call. `open`: why it may get through; it is told, and is no failure.
    `limits`: those that it needs in place of grading's, such as ones that are passed soon.
    """

    layer: str
    what: str
    code: str
    machine: str = ""
    open: str = ""
    limits: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Pair:
    """Two kernels that must not hear of each other: `tell` runs in the first, then `hear` in the second, which leaves `escaped`."""

    what: str
    tell: str
    hear: str
    open: str = ""
    layer: str = "two kernels"


@dataclass(frozen=True)
class AttemptResult:
    """What came of an attempt. `open` is why one that got through was known to."""

    layer: str
    what: str
    holds: bool
    detail: str = ""
    open: str = ""

    @property
    def is_hole(self) -> bool:
        """Whether something got through that should not."""
        return not self.holds and not self.open

"""A page of memory that one kernel's supervisor and the grader share: it costs less than a message, which would wake somebody.

The student's process never has it: it is closed there before any of the student's code runs.
"""

import mmap
import os
import struct
import sys
import tempfile

SIZE = mmap.PAGESIZE
PLACES = {name: 8 * number for number, name in enumerate(("resting", "computed", "waited"))}
DOUBLE = struct.Struct("d")


def new_page() -> int:
    """A descriptor of a new page of zeros. Raises `OSError`."""
    if sys.platform == "linux":
        page = os.memfd_create("gauge")
    else:
        with tempfile.TemporaryFile() as file:
            page = os.dup(file.fileno())
    os.ftruncate(page, SIZE)
    return page


class SharedPage:
    """What stands in the page; both ends see what the other one writes."""

    def __init__(self, page: int):
        """Maps the page of a descriptor, and closes the descriptor."""
        self._memory = mmap.mmap(page, SIZE)
        os.close(page)

    @property
    def resting(self) -> bool:
        """Whether the grader waits for nothing of this kernel. It writes this."""
        return self._read("resting") != 0

    @resting.setter
    def resting(self, value: bool) -> None:
        DOUBLE.pack_into(self._memory, PLACES["resting"], value)

    @property
    def computed(self) -> float:
        """Seconds that processors computed for the kernel's processes and threads, without its main thread. The supervisor writes this."""
        return self._read("computed")

    @property
    def waited(self) -> float:
        """Seconds that those were ready and had no processor, all together. The supervisor writes this."""
        return self._read("waited")

    def tell(self, computed: float, waited: float) -> None:
        """The supervisor's side of it."""
        DOUBLE.pack_into(self._memory, PLACES["computed"], computed)
        DOUBLE.pack_into(self._memory, PLACES["waited"], waited)

    def _read(self, name: str) -> float:
        return DOUBLE.unpack_from(self._memory, PLACES[name])[0]

"""How much one submission may use. Every number can be set."""

from dataclasses import asdict, dataclass
from typing import Any

MB = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Limits of one submission. Times are seconds by the clock.

    The time that a cell or a test waits for a processor that others use does not count, up to ten times the limit by the clock (see
    `nbjudge._sandbox.channel`). The sandbox enforces memory, processes, processors and sizes; the grader enforces the times and the
    output.
    """

    cell_seconds: float = 30  # one student cell
    test_seconds: float = 30  # one test cell, all its calls together
    submission_seconds: float = 600  # everything, restarts included
    start_seconds: float = 20  # a kernel from request to first answer
    grace_seconds: float = 2  # from interrupt to kill
    cpu_seconds: int = 600  # CPU time of all processes of a kernel together
    processors: float = 1  # how many processors' time all processes of a kernel have together, after a first second of more
    memory_mb: int = 2048  # all processes together, above the warm kernel's own
    scratch_mb: int = 256  # the scratch folder
    file_mb: int = 128  # one file
    open_files: int = 256  # of each process
    processes: int = 128  # processes and threads together
    output_kb: int = 512  # printed or displayed by one student cell
    message_mb: int = 256  # one value on the wire

    def as_dict(self) -> dict[str, Any]:
        """The limits as a plain dict, to travel as JSON."""
        return asdict(self)

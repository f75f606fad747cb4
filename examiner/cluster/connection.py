"""The connection to a scheduler, and its workers: each is looked at before it gets anything, and refused by name where it is not fit."""

from __future__ import annotations

import logging
import queue
import threading
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from distributed import Client, Future

from examiner.cluster import worker as at_worker
from examiner.cluster.addresses import SECONDS, require_scheduler, security_for
from examiner.parcels.execution import Settings
from examiner.parcels.folders import checksum
from examiner.parcels.versions import differences, versions

LOOK_SECONDS = 1.0
RUNNING = "running"
WITHOUT_EXAMINER = "the examiner is not installed there, or it is one that knows no cluster: install the same commit on all machines"
MEND_VERSIONS = "install the same on all machines, best from one requirements file"
SAID = 300  # characters of what a worker says


@dataclass
class _Known:
    """A worker of the scheduler's. `refused` says why it gets nothing; None while nobody knows."""

    name: str
    threads: int = 0
    refused: str | None = None
    is_admitted: bool = False


class Connection:
    """A connection that stands until it is closed or the scheduler is gone. Numbers of tasks that have ended come out of `ended`.

    Args:
        address: where the scheduler listens.
        settings: with their parcel; what a worker has to be fit for.
        tell: hears a sentence about each worker that is refused.

    Raises:
        Hindered, CannotGrade: there is no scheduler that could be used.
    """

    def __init__(self, address: str, settings: Settings, parcel: bytes, tell: Callable[[str], None]):
        security = security_for(address)
        require_scheduler(address, security)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told in the examiner's own words
        self.ended: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.course = checksum(parcel)
        self._settings, self._parcel, self._tell = settings, parcel, tell
        self._resource = f"examiner-{uuid.uuid4().hex}"  # who has it was looked at by this connection
        self._workers: dict[str, _Known] = {}
        self._is_closing = threading.Event()
        self._client = Client(address, security=security, timeout=SECONDS, set_as_default=False, name="examiner")
        self._scout = threading.Thread(target=self._look_for_workers, daemon=True)
        self._scout.start()

    @property
    def is_open(self) -> bool:
        """Whether the scheduler is still there."""
        return self._client.status == RUNNING

    @property
    def room(self) -> int:
        """How many submissions the admitted workers execute at once."""
        return sum(known.threads for known in list(self._workers.values()) if known.is_admitted)

    @property
    def workers(self) -> int:
        """How many workers are admitted."""
        return sum(known.is_admitted for known in list(self._workers.values()))

    @property
    def refusals(self) -> list[str]:
        """Why workers that are there were refused, each with its name; empty while one of them is not known yet."""
        known = list(self._workers.values())
        return [f"{one.name}: {one.refused}" for one in known] if all(one.refused for one in known) else []

    def submit(self, number: int, name: str, submission: bytes, seconds: float, lesson: bytes | None) -> Future[Any]:
        """Send a submission to a worker. With `lesson`, that parcel and the settings' go with it, for one who does not have them."""
        settings = None if lesson is None else self._parcel
        future: Future[Any] = self._client.submit(
            at_worker.grade,
            self.course,
            settings,
            name,
            lesson,
            submission,
            seconds,
            key=self._key(number),
            pure=False,
            resources={self._resource: 1},
        )
        future.add_done_callback(lambda _: self.ended.put(number))
        return future

    def unassigned(self, numbers: Iterable[int]) -> set[int]:
        """Those of these submissions that have not ended and that no worker has been given; none where the scheduler does not say.

        Dask's scheduler gives such a task to a worker that joins, but not to one that is admitted later: `set_resources` tells it nothing anew.
        """
        try:
            given = {key for keys in self._client.processing().values() for key in keys}
        except Exception:  # the scheduler is gone, which `is_open` tells
            return set()
        return {number for number in numbers if self._key(number) not in given}

    def refuse(self, address: str, why: str) -> None:
        """Give nothing more to a worker."""
        known = self._workers.get(address)
        if known is not None and not known.refused:
            self._refuse(known, why)
            threading.Thread(target=self._admit, args=(address, 0), daemon=True).start()

    def close(self) -> None:
        """Let go of the scheduler; what was submitted and has not ended is taken back."""
        self._is_closing.set()
        self._client.close(timeout=SECONDS)

    def _key(self, number: int) -> str:
        return f"{self._resource}-{number}"

    def _look_for_workers(self) -> None:
        while not self._is_closing.wait(LOOK_SECONDS if self._workers else LOOK_SECONDS / 10):
            try:
                there = dict(self._client.scheduler_info(n_workers=-1)["workers"])
            except Exception:  # the scheduler is gone, which `is_open` tells
                continue
            self._workers = {address: known for address, known in self._workers.items() if address in there}
            for address in there.keys() - self._workers.keys():
                about = there[address]
                self._workers[address] = _Known(_called(about.get("name"), address), int(about.get("nthreads", 1)))
                threading.Thread(target=self._judge, args=(address, self._workers[address]), daemon=True).start()

    def _judge(self, address: str, known: _Known) -> None:
        """Look at a new worker, and admit or refuse it."""
        try:
            about = self._run(at_worker.describe, address, self._settings.sandboxed, self._settings.installed)
        except Exception as error:
            if "No module named 'examiner" in str(error):
                self._refuse(known, WITHOUT_EXAMINER)
            elif self._is_there(address):
                self._refuse(known, f"it cannot say what it is ({type(error).__name__}: {str(error)[:SAID]})")
        else:
            if found := differences(versions(self._settings.installed), about["versions"]):
                self._refuse(known, f"{'; '.join(found)}: {MEND_VERSIONS}")
            elif about["sandbox"]:
                self._refuse(known, str(about["sandbox"]))
            else:
                known.is_admitted = self._admit(address, known.threads)

    def _admit(self, address: str, many: int) -> bool:
        try:
            self._run(at_worker.admit, address, self._resource, many, self.course, self._parcel)
        except Exception:  # it ended meanwhile
            return False
        return True

    def _run(self, function: Callable[..., Any], address: str, *arguments: Any) -> Any:
        return self._client.run(function, *arguments, workers=[address])[address]

    def _is_there(self, address: str) -> bool:
        try:
            return address in self._client.scheduler_info(n_workers=-1)["workers"]
        except Exception:
            return False

    def _refuse(self, known: _Known, why: str) -> None:
        known.is_admitted, known.refused = False, why.rstrip(".")
        self._tell(f"{known.name} is refused: {known.refused}.")


def _called(name: object, address: str) -> str:
    return f"the worker at {address}" if str(name) == address else f"the worker {name} at {address}"

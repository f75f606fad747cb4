"""The connection to a scheduler, and its workers: each is looked at before it gets anything, and refused by name where it is not fit."""

from __future__ import annotations

import asyncio
import json
import logging
import queue
import socket
import ssl
import threading
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import distributed
from distributed import Client, Future
from distributed.comm import connect
from distributed.security import Security

from nbjudge._cluster import worker as at_worker
from nbjudge._serialization.executions import Settings
from nbjudge._serialization.folders import checksum, differences, versions
from nbjudge._wire.errors import CannotGrade, Hindered

SECONDS = 10.0
USUAL_PORT = 8786
HOW = f"give the address that `dask scheduler` prints, such as tcp://HOST:{USUAL_PORT}, or the path of its scheduler file"


def resolve(given: str) -> str:
    """The address that somebody named: as it is, as `HOST:PORT`, or in a file that the scheduler wrote.

    Raises:
        CannotGrade: it names none.
    """
    if Path(given).is_file():
        try:
            found = json.loads(Path(given).read_text(encoding="utf-8"))["address"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CannotGrade(f"{given} is no scheduler file: it names no address", HOW) from error
    else:
        found = given
    address = str(found) if "://" in str(found) else f"tcp://{found}"
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and parts.port is not None and parts.path in ("", "/")
    except ValueError:  # a port that is no number
        is_good = False
    if not is_good:
        raise CannotGrade(f"{given} is no address of a Dask scheduler, and there is no such file", HOW)
    return address.rstrip("/")


def security_for(address: str) -> Security:
    """The certificates that Dask's own settings name.

    Raises:
        CannotGrade: the address asks for some, and there are none, or they cannot be read.
    """
    security = Security()
    if address.startswith("tls://"):
        try:
            found = security.get_connection_args("client")
        except (OSError, ValueError) as error:
            raise CannotGrade(
                f"the certificates that Dask's settings name cannot be used ({error})",
                "mend distributed.comm.tls in Dask's settings; nbjudge/deploy/dask/README.md says how",
            ) from error
        if found.get("ssl_context") is None:
            raise CannotGrade(
                f"{address} asks for TLS, and Dask's settings here name no certificates",
                "set distributed.comm.tls as on the scheduler's machine; nbjudge/deploy/dask/README.md says how",
            )
    return security


def require_scheduler(address: str, security: Security) -> None:
    """See that a scheduler of Dask's, of this very version, is at an address.

    Raises:
        Hindered: nobody answers there.
        CannotGrade: somebody else does, or a scheduler of another version.
    """
    parts = urlsplit(address)
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=SECONDS).close()
    except OSError as error:
        raise Hindered(
            f"nobody listens at {address} ({error.strerror or error})",
            "see that the scheduler runs and that this machine may reach it, then run the same command again",
        ) from error
    try:
        about, versions = asyncio.run(_ask(address, security))
    except Exception as error:  # whatever a stranger's answer makes of Dask's protocol
        if (distrust := _distrust(error)) is not None:
            raise CannotGrade(
                f"the scheduler at {address} and this machine do not trust each other's certificates ({distrust.reason or distrust})",
                "take the certificates of that cluster; nbjudge/deploy/dask/README.md says how",
            ) from error
        raise CannotGrade(
            f"what listens at {address} does not answer as a Dask scheduler of version {distributed.__version__} does ({type(error).__name__})",
            _other(parts.scheme),
        ) from error
    if about.get("type") != "Scheduler":
        raise CannotGrade(f"what listens at {address} is a {str(about.get('type'))[:40]} of Dask's, and not the scheduler", HOW)
    theirs = str(versions.get("packages", {}).get("distributed"))
    if theirs != distributed.__version__:
        raise CannotGrade(
            f"the scheduler at {address} is `distributed` {theirs[:40]}, and here is {distributed.__version__}",
            "install the same version on both, best from one requirements file",
        )


async def _ask(address: str, security: Security) -> tuple[dict[str, Any], dict[str, Any]]:
    comm = await connect(address, timeout=SECONDS, **security.get_connection_args("client"))
    try:
        answers = []
        for question in ("identity", "versions"):
            await asyncio.wait_for(comm.write({"op": question, "reply": True}), SECONDS)
            answers.append(dict(await asyncio.wait_for(comm.read(), SECONDS)))
        return answers[0], answers[1]
    finally:
        comm.abort()


def _distrust(error: BaseException | None) -> ssl.SSLError | None:
    """What TLS said of certificates, where that is at the bottom of it."""
    while error is not None:
        if isinstance(error, ssl.SSLError) and any(word in str(error).upper() for word in ("CERTIFICATE", "UNKNOWN_CA", "UNKNOWN CA")):
            return error
        error = error.__cause__ or error.__context__
    return None


def _other(scheme: str) -> str:
    if scheme == "tcp":
        return "look whether it is the scheduler's address; if the scheduler uses TLS, its address begins with tls://"
    return "look whether it is the scheduler's address, and whether the scheduler uses TLS"


LOOK_SECONDS = 1.0
RUNNING = "running"
WITHOUT_NBJUDGE = "the grader is not installed there, or it is one that knows no cluster: install the same commit on all machines"
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
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told in the grader's own words
        self.ended: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.course = checksum(parcel)
        self._settings, self._parcel, self._tell = settings, parcel, tell
        self._resource = f"nbjudge-{uuid.uuid4().hex}"  # who has it was looked at by this connection
        self._workers: dict[str, _Known] = {}
        self._is_closing = threading.Event()
        self._client = Client(address, security=security, timeout=SECONDS, set_as_default=False, name="nbjudge")
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
            if "No module named 'nbjudge" in str(error):
                self._refuse(known, WITHOUT_NBJUDGE)
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

"""A cluster on this machine: a scheduler and workers of Dask's, each a process that can be killed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

from nbjudge._cluster.pool import Cluster

__all__ = ["Cluster", "Machines", "machines"]
START_SECONDS = 60
Before = tuple[str, ...]


class Machines:
    """A scheduler at an address that stays the same, and workers that can come and go. Everything ends with the context.

    Args:
        folder: for what they write: `scheduler.json`, logs, and the workers' own folders.
        nannies: whether each worker has a process that starts it again when it ends, as Dask's have by default.
        scheme: `tcp` or `tls`.
        environment: variables besides those of this process.
    """

    def __init__(self, folder: Path, nannies: bool = False, scheme: str = "tcp", environment: dict[str, str] | None = None):
        self.folder, self._nannies, self._scheme = folder, nannies, scheme
        self._environment = {**os.environ, **(environment or {})}
        self._port = _free_port()
        self.address = f"{scheme}://127.0.0.1:{self._port}"
        self.scheduler_file = folder / "scheduler.json"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self._began = 0

    def __enter__(self) -> Machines:
        self.folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, self.scheduler]:
            if process is not None:
                end(process.pid)
                process.wait()

    def start_scheduler(self) -> None:
        """Start the scheduler, again at the same address, and wait until it listens."""
        self.scheduler_file.unlink(missing_ok=True)
        self.scheduler = self._start(
            "scheduler",
            "--host",
            f"{self._scheme}://127.0.0.1",
            "--port",
            str(self._port),
            "--no-dashboard",
            "--no-show",
            "--scheduler-file",
            str(self.scheduler_file),
        )
        _wait_for(self.scheduler_file.exists, self.scheduler)

    def start_worker(self, *options: str, environment: dict[str, str] | None = None, before: Before = ()) -> subprocess.Popen[bytes]:
        """Start a worker of one thread, which looks for the scheduler by itself. `before` is a command that runs the worker's."""
        place = self.folder / f"worker{self._began}"
        place.mkdir()
        worker = self._start(
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--nworkers",
            "1",
            "--no-dashboard",
            "--memory-limit",
            "0",
            "--local-directory",
            str(place),
            *([] if self._nannies else ["--no-nanny"]),
            *options,
            environment=environment,
            before=before,
        )
        self.workers.append(worker)
        return worker

    def wait_for_workers(self, count: int) -> None:
        """Wait until so many workers have found the scheduler."""
        log = next(iter(sorted(self.folder.glob("scheduler*.log"), key=lambda path: path.stat().st_mtime, reverse=True)))
        _wait_for(lambda: log.read_text().count("Register worker") >= count, self.scheduler)

    def processes(self) -> list[psutil.Process]:
        """Dask's own processes besides the scheduler: workers, and their nannies."""
        found = []
        for worker in self.workers:
            with contextlib.suppress(psutil.NoSuchProcess):
                process = psutil.Process(worker.pid)
                found += [process, *(child for child in process.children() if _is_worker(child))]
        return found

    def _start(self, *command: str, environment: dict[str, str] | None = None, before: Before = ()) -> subprocess.Popen[bytes]:
        self._began += 1
        with (self.folder / f"{command[0]}{self._began}.log").open("wb") as log:
            return subprocess.Popen(
                [*before, sys.executable, "-m", "distributed.cli.dask_" + command[0], *command[1:]],
                cwd=self.folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**self._environment, **(environment or {})},
                start_new_session=True,
            )


@contextlib.contextmanager
def machines(folder: Path, workers: int = 2, **about: Any) -> Iterator[Machines]:
    """A scheduler with workers, ready."""
    with Machines(folder, **about) as found:
        found.start_scheduler()
        for _ in range(workers):
            found.start_worker()
        yield found


def end(process: int) -> None:
    """Ask a process and those below it to end, and kill what does not."""
    try:
        family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    with contextlib.suppress(psutil.NoSuchProcess):
        family[0].send_signal(signal.SIGTERM)
    _, left = psutil.wait_procs(family, timeout=10)
    for one in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(left, timeout=10)


def _is_worker(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return "multiprocessing.spawn" in " ".join(process.cmdline()) or "spawn_main" in " ".join(process.cmdline())
    return False


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def _wait_for(is_there: Callable[[], bool], process: subprocess.Popen[bytes] | None) -> None:
    end_of_patience = time.monotonic() + START_SECONDS
    while not is_there():
        assert process is not None and process.poll() is None and time.monotonic() < end_of_patience, "the scheduler did not start; its log says why"
        time.sleep(0.05)

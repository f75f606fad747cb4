"""Open JupyterLab in this process: its log in a file, the address alone on the last line, Ctrl-C for the end."""

from __future__ import annotations

import contextlib
import errno
import getpass
import logging
import os
import signal
import socket
import sys
import traceback
import webbrowser
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlencode, urljoin

from attnlab.wording import printable

PORT = 8888
TRIES = 50
SAID = 6  # lines of the log that are shown when JupyterLab does not start


class Stop(Exception):
    """JupyterLab cannot be opened; the text says why and what to do next."""


@dataclass(frozen=True)
class Lab:
    """What JupyterLab shows.

    Attributes:
        folder: what its file browser shows.
        page: what opens first, below the server's address, such as "lab/tree/start.ipynb".
        options: further arguments of `jupyter lab`.
        again: how one asks for another port, such as "make lab PORT=8890".
        untold: how messages begin that are wrong here, and stay in the log.
    """

    folder: Path
    page: str
    options: tuple[str, ...]
    again: str
    untold: tuple[str, ...] = ()


def not_installed(error: ModuleNotFoundError) -> Stop:
    """What to say where a package is missing."""
    return Stop(f"{error.name} is not installed in {sys.prefix}. Next: pip install -r requirements.txt")


def read_port(asked: str, again: str) -> int:
    """The port that somebody asked for; the usual one where they asked for none.

    Raises:
        Stop: it is not a port that a person's program may listen at.
    """
    if not asked:
        return PORT
    if not (asked.isascii() and asked.isdecimal() and 1024 <= int(asked) <= 65535):
        raise Stop(f"{asked} is not a port. Next: give a number from 1024 to 65535, for example `{again}`.")
    return int(asked)


def free_port(wanted: int) -> int:
    """The first port from `wanted` on that nobody listens at.

    Raises:
        OSError: none of the next `TRIES` ports is free.
    """
    last = min(wanted + TRIES, 65536) - 1
    for port in range(wanted, last + 1):
        if all(_can_listen(family, address) for family, _, _, _, address in socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)):
            return port
    raise OSError(f"the ports {wanted} to {last} are all taken")


def _can_listen(family: int, address: tuple[Any, ...]) -> bool:
    """Whether an address of this machine is free; one that the machine does not have is in nobody's way."""
    with socket.socket(family) as probe:
        if os.name != "nt":  # there, the option would let two programs listen at one port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            return error.errno == errno.EADDRNOTAVAIL
    return True


def open_lab(lab: Lab, wanted: int) -> None:
    """Open JupyterLab and come back when it has ended, by Ctrl-C or in its own menu.

    Raises:
        Stop: it cannot start, or a fault ended it.
    """
    try:
        port = free_port(wanted)
    except OSError as error:
        raise Stop(f"JupyterLab cannot start: {error}. Next: close one of them, or choose another port: `{lab.again}`.") from error
    if port != wanted:
        print(f"Port {wanted} is taken, so JupyterLab opens at port {port}.")
    try:
        from jupyter_core.paths import jupyter_runtime_dir
        from jupyterlab.labapp import LabApp
    except ModuleNotFoundError as error:
        raise not_installed(error) from error
    log = Path(jupyter_runtime_dir(), f"attnlab-{port}.log")
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with _output_into(log) as terminal:
            _serve(LabApp, lab, port, log, terminal)
    except OSError as error:
        step = "make room on the disk" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "see to it that you may write there"
        raise Stop(
            f"{error.filename or log} cannot be written ({error.strerror or error}). Next: {step}, then type the same command again."
        ) from error


def _serve(lab_app: Any, lab: Lab, port: int, log: Path, terminal: TextIO) -> None:
    options = [
        f"--ServerApp.root_dir={lab.folder}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--LabApp.default_url=/{lab.page}",
        *lab.options,
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    if not _has_browser():
        options.append("--no-browser")
    try:
        server = lab_app.initialize_server(options)
        for name in ("SIGINT", "SIGHUP"):
            if signum := getattr(signal, name, None):
                signal.signal(signum, lambda *_: server.stop(from_signal=True))
        server.io_loop.add_callback(_tell_address, server, lab, terminal, log)
        server.start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C, while Python ends
    except SystemExit as error:
        if error.code:
            raise Stop(f"JupyterLab cannot start. Next: read what it said last, in {log}:\n{_end_of(log)}") from error
    except OSError:
        raise
    except Exception as error:
        traceback.print_exc()  # into the log
        raise Stop(f"JupyterLab has stopped ({type(error).__name__}: {error}). Next: read the end of {log}.") from error


def _tell_address(server: Any, lab: Lab, terminal: TextIO, log: Path) -> None:
    """Tell where JupyterLab is; and from then on, what goes wrong in it."""
    token = server.identity_provider.token
    address = urljoin(server.connection_url, lab.page) + (f"?{urlencode({'token': token})}" if token else "")
    where = "in your browser" if server.open_browser else "at this address"
    if not server.open_browser and (connection := os.environ.get("SSH_CONNECTION", "").split()):
        here = f"{getpass.getuser()}@{connection[2]}"
        print(f"On your own computer, type first: ssh -L {server.port}:127.0.0.1:{server.port} {here}", file=terminal)
    print(f"JupyterLab is open {where}. Ctrl-C here ends it; save your notebooks before.", file=terminal)
    print(address, file=terminal, flush=True)
    server.log.addHandler(_Telling(terminal, log, lab.untold))  # before, the server itself says as much, as something critical


def _has_browser() -> bool:
    """Whether a window can be opened. A browser that draws in the terminal would take it away from the address."""
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


class _Telling(logging.Handler):
    """Tells at the terminal what goes wrong in the server: the first line; the rest is in the log."""

    def __init__(self, terminal: TextIO, log: Path, untold: tuple[str, ...] = ()):
        super().__init__(logging.ERROR)
        self._terminal, self._log, self._untold = terminal, log, untold

    def emit(self, record: logging.LogRecord) -> None:
        first = record.getMessage().strip().partition("\n")[0]
        if first.startswith(self._untold):
            return
        cause = f" ({record.exc_info[0].__name__}: {record.exc_info[1]})" if record.exc_info and record.exc_info[0] else ""
        print(f"JupyterLab reports: {printable(first + cause)}. More in {self._log}", file=self._terminal, flush=True)


@contextlib.contextmanager
def _output_into(log: Path) -> Iterator[TextIO]:
    """Whatever this process and its kernels print goes into a file; yields the terminal, or what stands for it.

    After an error the terminal is back. Else it stays apart: threads of the server still print while Python ends.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    with log.open("wb") as file, os.fdopen(os.dup(1), "w", errors="replace") as terminal:
        os.chmod(log, 0o600)  # addresses with tokens stand in it
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield terminal
        except BaseException:
            sys.stdout.flush()
            sys.stderr.flush()
            for number, copy in enumerate(kept, 1):
                os.dup2(copy, number)
            raise


def _end_of(log: Path) -> str:
    lines: Iterable[str] = log.read_text(encoding="utf-8", errors="replace").splitlines()[-SAID:]
    return "\n".join(f"  {printable(line)}" for line in lines)

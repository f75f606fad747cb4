"""The site, built once, and a web server for it."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from filelock import FileLock

from authoring.lessons import ROOT
from website.building import build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is: built by the first process of the run that asks for it, and for all of them."""
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own
    to = folder / "site"
    with FileLock(folder / "site.lock"):
        if not to.exists():
            build(ROOT, to)
    return to


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing: what a browser fetched is no result of a test."""


@pytest.fixture(scope="package")
def address(site: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()

"""The site, built once, and a web server for it."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Page

from attnlab.explorer.pages import source
from authoring.lessons import ROOT
from tests.website.lite_page import LitePage
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


class WithNotebooks(Quiet):
    """Serves the site, and in the place of some of its notebooks those that a test has filled in."""

    filled: ClassVar[dict[str, bytes]] = {}

    def do_GET(self) -> None:
        data = self.filled.get(urlsplit(self.path).path)
        if data is None:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


CHROMIUMS_OWN = "content-autofill.googleapis.com:443"  # which it asks for forms that it could fill


class NoProxy(BaseHTTPRequestHandler):
    """Where a browser asks for whatever is not on the site: it is noted, and refused."""

    asked: ClassVar[list[str]] = []

    def log_message(self, *_: object) -> None:
        """Nothing: `asked` has it."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_error(403)

    do_CONNECT = do_POST = do_HEAD = do_GET


@contextmanager
def serving(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a web server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="package")
def address(site: Path) -> Iterator[str]:
    with serving(functools.partial(WithNotebooks, directory=site)) as address:
        yield address


@pytest.fixture(scope="module")
def functions(browser: Browser) -> Iterator[Page]:
    """A page that has nothing but the explorer's functions."""
    page = browser.new_page()
    page.add_script_tag(content=source())
    yield page
    page.close()


@pytest.fixture
def lite_page(browser: Browser, address: str) -> Iterator[Callable[..., LitePage]]:
    """Opens JupyterLite for a reader whose network ends at the site: service workers, too, reach nothing else, and nothing else is asked."""
    NoProxy.asked.clear()
    with serving(NoProxy) as proxy, ExitStack() as open_ones:

        def opened(**context: Any) -> LitePage:
            look = {"viewport": {"width": 1300, "height": 900}, **context}
            session = browser.new_context(proxy={"server": proxy, "bypass": "127.0.0.1"}, **look)
            open_ones.callback(session.close)
            return LitePage(session.new_page(), address, WithNotebooks.filled)

        yield opened
        WithNotebooks.filled.clear()
    assert set(NoProxy.asked) <= {CHROMIUMS_OWN}

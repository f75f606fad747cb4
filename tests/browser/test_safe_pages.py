"""Pages of a notebook full of attempts: nothing of it runs or asks, and what an honest notebook shows is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import nbformat
import pytest
from by_hand import open_submissions
from lab_page import LabPage
from playwright.sync_api import Browser, Frame, Page, expect
from test_instructor import FIRST, hand_in, open_formgrader, paired, run

from authoring.answers import solution_sources
from nbjudge.testing.attempts import attempts

pytestmark = [pytest.mark.slow, pytest.mark.browser]

__all__ = ["paired"]
NAME = "ada"
HONEST = """import numpy as np, matplotlib.pyplot as plt
from IPython.display import HTML, SVG, Markdown, display
plt.plot([1, 3, 2]); plt.show()
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><circle cx='20' cy='20' r='19' fill='green'/></svg>"))
display(HTML("<table class='dataframe' border='1'><tr><th>n</th></tr><tr><td style='color: rgb(0, 0, 255)'>41</td></tr></table>"))
display(Markdown("**bold** and $x^2$"))"""


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """The address of a server on this machine, and what it was asked for."""
    paths: list[str] = []

    class Note(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(404)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), Note)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    thread.join()
    server.server_close()


def hand_in_attempts(course: Path, ask: str) -> None:
    """The first lesson with right answers, an honest cell and the attempts."""
    hand_in(course, solution_sources(nbformat.read(FIRST.solution, as_version=4)))
    path = course / "submitted" / NAME / FIRST.assignment / FIRST.released.name
    notebook = nbformat.read(path, as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell(HONEST), *attempts(ask)]
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}, "x": "</script><script>window.pwned=[1]</script>"}}
    notebook.metadata["title"] = "</title><script>window.pwned=[1]</script>"
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "<script>window.pwned=[1]</script>"}
    nbformat.write(notebook, path)


def provoke(page: Page | Frame) -> None:
    """What a person may do with a page: point at everything, follow the links that stay in it."""
    page.evaluate("""() => { for (const one of document.querySelectorAll('*'))
        for (const kind of ['mouseover', 'focus', 'toggle', 'load', 'error', 'begin']) one.dispatchEvent(new Event(kind));
        for (const link of document.querySelectorAll('#notebook a'))
            if (!/^(https?:|file:)/.test(link.href) || link.getAttribute('href').startsWith('#')) link.click(); }""")


def check(page: Page | Frame, asked: list[str]) -> None:
    """Nothing ran, nothing was asked for, nothing covers the page, and the honest cell is shown."""
    provoke(page)
    page.wait_for_timeout(500)
    assert page.evaluate("window.pwned") is None
    assert asked == []
    assert (
        page.evaluate("""() => [...document.querySelectorAll('#notebook *')].filter(one =>
        getComputedStyle(one).position === 'fixed' || one.matches('iframe, object, embed, form, base, meta, link, video'))
        .map(one => one.outerHTML.slice(0, 200))""")
        == []
    )
    assert page.evaluate("""() => [...document.querySelectorAll('#notebook script')].length""") == 0
    assert (
        page.evaluate("""() => [...document.querySelectorAll('#notebook *')].flatMap(one => [...one.attributes]
        .filter(part => part.name.startsWith('on')).map(part => part.name + '=' + part.value))""")
        == []
    )
    expect(page.locator(".output_png img, .output_svg img").first).to_be_visible()
    assert page.locator(".output_png img").first.evaluate("one => one.naturalWidth") > 100
    assert page.locator("img[src^='data:image/svg+xml']").first.evaluate("one => one.naturalWidth") > 10
    assert page.get_by_text("41", exact=True).evaluate("one => getComputedStyle(one).color") == "rgb(0, 0, 255)"
    expect(page.locator("strong", has_text="bold").first).to_be_visible()
    expect(page.locator("blockquote li").first).to_be_visible()


def test_nothing_of_a_student_runs_in_feedback_or_formgrader(
    paired: Path, open_lab: Callable[[str], LabPage], asked: tuple[str, list[str]], browser: Browser
) -> None:
    ask, paths = asked
    hand_in_attempts(paired, ask)
    assert "1 graded" in run(paired, "nbjudge", "grade")
    page = browser.new_page()
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.goto((paired / "feedback" / NAME / FIRST.assignment / f"{FIRST.name}.html").as_uri())
    check(page, paths)
    page.close()

    lab = open_lab("instructor")
    lab.page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    formgrader = open_formgrader(lab)
    open_submissions(formgrader, FIRST).first.get_by_role("link").first.click()
    expect(formgrader.locator("input.score").first).to_be_visible(timeout=60_000)
    [frame] = [frame for frame in lab.page.frames if "/formgrader/submissions/" in frame.url]
    check(frame, paths)
    assert said == []

"""The hub that `make hub` starts, with accounts and a folder of its own, and a person's JupyterLab in it."""

from __future__ import annotations

import os
import pwd
import re
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from lab_page import BUSY, SLOW, LabPage
from playwright.sync_api import Browser, Locator, expect

ROOT = Path(__file__).resolve().parents[2]
TRIAL = ROOT / "deploy/jupyterhub/trial.py"
READY = re.compile(r"Ctrl-C ends the trial")
LINE = re.compile(r"^  (?P<name>\S+) +(?P<password>\S+) +(?:the instructor|a student)$", re.MULTILINE)
START_SECONDS = 900  # a first start installs everybody's packages
END_SECONDS = 90


@dataclass(frozen=True)
class Person:
    """Somebody who can log in, and the folder that the person's JupyterLab shows."""

    name: str
    password: str
    course: Path

    @property
    def uid(self) -> int:
        return pwd.getpwnam(self.name).pw_uid


class TrialHub:
    """A running `deploy/jupyterhub/trial.py`."""

    def __init__(self, prefix: str, *options: str):
        self.folder = Path(tempfile.mkdtemp(prefix="self-attention-hub-", dir="/var/lib"))
        self.prefix = prefix
        self._said = self.folder.with_suffix(".txt")
        with self._said.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, str(TRIAL), "--folder", str(self.folder), "--prefix", prefix, "--port", "0", *options],
                cwd="/",
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"},
            )

    def wait_until_ready(self) -> TrialHub:
        """Until it says how to log in."""
        waiting = threading.Event()
        for _ in range(START_SECONDS * 5):
            if READY.search(self.said()):
                return self
            if self.process.poll() is not None:
                break
            waiting.wait(0.2)
        raise RuntimeError(f"the trial did not start:\n{self.said()}")

    def said(self) -> str:
        """All that it has printed."""
        return self._said.read_text(encoding="utf-8")

    @property
    def address(self) -> str:
        return re.search(r"http://127\.0\.0\.1:\d+", self.said())[0]

    @property
    def people(self) -> dict[str, Person]:
        """Everybody who can log in, by the name without the prefix."""
        homes = self.folder / "homes"
        return {
            match["name"].removeprefix(f"{self.prefix}-"): Person(
                match["name"], match["password"], homes / match["name"] / ("course" if "teacher" in match["name"] else "")
            )
            for match in LINE.finditer(self.said())
        }

    def log(self) -> str:
        """What the hub and everybody's servers have said."""
        return (self.folder / "state/hub.log").read_text(encoding="utf-8", errors="replace")

    def end(self, signum: int = signal.SIGINT) -> str:
        """Press Ctrl-C, wait, and return all that it has said."""
        if self.process.poll() is None:
            self.process.send_signal(signum)
            self.process.wait(END_SECONDS)
        return self.said()

    def forget(self) -> None:
        """End it, and remove what a trial keeps for the next one."""
        self.end()
        self._said.unlink(missing_ok=True)
        (self.folder / "lock").unlink(missing_ok=True)
        self.folder.rmdir()


class HubPage(LabPage):
    """One person's browser with JupyterLab under the hub."""

    @classmethod
    def log_in(cls, browser: Browser, hub: TrialHub, who: str, screenshots: Path, console: list[str]) -> HubPage:
        """Log in at the hub's page and wait for JupyterLab. Each person has cookies of their own."""
        person = hub.people[who]
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.on("pageerror", lambda error: console.append(f"{who}: {error}"))
        lab = cls(page, person, screenshots)  # of a server it needs the folder alone
        page.goto(hub.address)
        page.get_by_label("Username:").fill(person.name)
        page.get_by_label("Password:", exact=True).fill(person.password)
        lab.picture(f"hub-01-login-{who}")
        page.locator("#login_submit").click()
        page.wait_for_url(re.compile(rf"/user/{person.name}/lab"), timeout=BUSY)
        expect(page.locator(".lm-MenuBar-item").first).to_be_visible(timeout=BUSY)
        return lab

    def in_terminal(self, command: str, done: Path) -> str:
        """Type a command into a terminal of JupyterLab; return what is in the file that it leaves when it is done."""
        terminal = self.page.locator(f"#jp-Terminal-{self.page.locator('.jp-Terminal').count()}")
        self.menu("File", "New", "Terminal")
        expect(terminal.locator(".xterm-screen")).to_be_visible()
        terminal.click()
        ready = self.server.course / f"ready-{done.name}"  # what is typed before it is connected is lost, and the page does not say when it is
        for _ in range(30):
            self.page.keyboard.type(f"touch {ready}\n")
            self.page.wait_for_timeout(1000)
            if ready.exists():
                break
        self.page.keyboard.type(f"{command}\n")
        for _ in range(SLOW // 200):
            if done.exists():
                return done.read_text(encoding="utf-8")
            self.page.wait_for_timeout(200)
        self.picture("failed-hub-terminal")
        raise TimeoutError(f"`{command}` does not come to an end; see the picture failed-hub-terminal")


class Assignments:
    """The panel *Assignment List*."""

    def __init__(self, lab: HubPage):
        self.lab = lab
        lab.menu("Nbgrader", "Assignment List")
        self.panel = lab.page.locator("#assignments")
        expect(self.panel.locator("#released_assignments_list_loading")).to_be_hidden()

    def row(self, kind: str, name: str) -> Locator:
        """The row of an assignment among those "released", "fetched" or "submitted"."""
        return self.panel.locator(f"#{kind}_assignments_list > .list_item", has_text=name)

    def press(self, kind: str, name: str, button: str) -> None:
        """Press a button in an assignment's row."""
        with self.lab.page.expect_response(lambda answer: "/assignments" in answer.url and answer.request.method == "POST", timeout=BUSY) as answer:
            self.row(kind, name).get_by_role("button", name=button).first.click()
        assert answer.value.ok, answer.value.text()

    def refresh(self) -> None:
        """Press the button that asks again what there is."""
        with self.lab.page.expect_response(lambda answer: "/assignments?" in answer.url):
            self.panel.locator("#refresh_assignments_list").click()

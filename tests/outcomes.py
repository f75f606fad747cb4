"""A plugin of pytest: a run in which a collected test has no outcome has failed, whatever else was green.

A worker process that dies is replaced by pytest-xdist, and the test that it was running runs once more (pytest-rerunfailures). What neither of them
notices is noticed here: tests that nobody ran because workers died, hung or were asked to stop.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling

MOST_NAMED = 20
FEWEST_AHEAD = 2  # tests that a worker of xdist has to know of before it runs the first of them
MOST_DEATHS = 2  # of workers that held a test when they died: it runs once more, and no third time


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--receipt", metavar="FILE", help="written at the end of a run that came to its end: what was collected, and what has no outcome"
    )


def pytest_configure(config: pytest.Config) -> None:
    # As for a script's background job, or under nohup: what the tests start would never hear Ctrl-C, or that a terminal has gone.
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (getattr(signal, "SIGHUP", signal.SIGINT), signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Outcomes(config), "outcomes")


class Outcomes:
    """Which tests were collected, by this process or by its workers, and which of them have an outcome."""

    def __init__(self, config: pytest.Config):
        self._config = config
        self._collected: dict[str, None] = {}
        self._finished: set[str] = set()

    def without_outcome(self) -> list[str]:
        """The tests that were collected, and have none, in their order."""
        return [] if self._config.option.collectonly else [name for name in self._collected if name not in self._finished]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._collect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Iterable[str]) -> None:
        self._collect(ids)

    def _collect(self, names: Iterable[str]) -> None:
        self._collected.update(dict.fromkeys(names))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome == "rerun":  # pytest-rerunfailures: what came before does not count
            self._finished.discard(report.nodeid)
        elif report.failed or report.when == "call" or (report.when == "setup" and report.skipped):
            self._finished.add(report.nodeid)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Any:
        """After all others, so that nobody calls the run a success again."""
        result = yield
        if self.without_outcome() and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return result

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if left := self.without_outcome():
            terminalreporter.section(f"{len(left)} of {len(self._collected)} collected tests have no outcome, so this run has failed", red=True)
            for name in left[:MOST_NAMED]:
                terminalreporter.line(name)
            if len(left) > MOST_NAMED:
                terminalreporter.line(f"and {len(left) - MOST_NAMED} more")

    def pytest_unconfigure(self) -> None:
        """Say that the run came to its end, with all that it has to say: a process that is ended, or ends itself, never comes here."""
        if self._config.option.receipt:
            told = {"collected": len(self._collected), "without_outcome": self.without_outcome()}
            Path(self._config.option.receipt).write_text(json.dumps(told), encoding="utf-8")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Tests of one file stay in one process, as with xdist's own, and what a dead worker held is handed out correctly."""
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        """As xdist 3.8 has it, without three faults of what it does after a worker has died.

        It hands out files of which nothing is left to run, it hands out one test to a worker that begins when it has two, and it hands out a test
        that kills its worker again and again. Of the first two a lone worker waits for ever.
        """

        def __init__(self, *about: Any):
            super().__init__(*about)
            self._deaths: Counter[str] = Counter()

        def mark_test_pending(self, item: str) -> None:
            """Nothing to do: `remove_node` has put it back already."""

        def remove_node(self, node: Any) -> str | None:
            held = self.assigned_work[node]
            crashed = next((name for tests in held.values() for name, done in tests.items() if not done), None)
            if crashed is not None:
                self._deaths[crashed] += 1
                for tests in held.values():
                    if crashed in tests and self._deaths[crashed] >= MOST_DEATHS:
                        tests[crashed] = True
            self.assigned_work[node] = {file: tests for file, tests in held.items() if not all(tests.values())}
            super().remove_node(node)
            return crashed

        def _reschedule(self, node: Any) -> None:
            super()._reschedule(node)
            while self.workqueue and not node.shutting_down and self._pending_of(self.assigned_work[node]) < FEWEST_AHEAD:
                self._assign_work_unit(node)

    return Scheduling(config, log)

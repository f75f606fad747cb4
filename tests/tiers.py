"""A plugin of pytest: markers decide which tests `make check`, `make test` and `make test-all` run, and every test is in one of them.

`--tier check` takes tests that are marked `check`, `--tier test` all that are not kept for the whole suite, `--tier all` (the default) everything.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter

import pytest

from attnlab import real_model

CHECK = "check"
MARKERS = {
    CHECK: "looks at texts and at code, and starts no kernel: `make check`",
    "browser": "drives Chromium",
    "slow": "takes long and protects what others do too, or hardly ever breaks: `make test-all`",
    "quiet": "asks how long something takes, and may fail on a machine that others keep busy: `make test-all`",
    "root": "needs root, for accounts, owners or mounts of its own: `make test-all`",
    "network": "fetches packages: `make test-all`",
    "database": "needs Debian's PostgreSQL: `make test-all`",
    "cluster": "starts schedulers and workers of Dask: `make test-all`",
    "model": "needs the package of lesson 8: `make test-all`",
}
WHOLE_SUITE = ("slow", "quiet", "root", "network", "database", "cluster", "model")
TIERS = (CHECK, "test", "all")
# Files that take longest, although others have more tests.
LONG = (
    "test_portable.py",
    "test_answers.py",
    "test_class.py",
    "test_learner.py",
    "test_instructor.py",
    "test_parity.py",
    "test_cheats.py",
    "test_interrupted.py",
    "test_own_failures.py",
    "test_suite.py",
    "test_training_cheats.py",
    "test_feedback.py",
    "*.ipynb",
)
# What gives away that a test needs one of them: a fixture that it asks for, or a module whose names its file imports.
FIXTURES = {"browser": {"chromium", "browser"}, "root": {"hub"}}
MODULES = {"database": {"nbjudge.testing.servers"}, "cluster": {"nbjudge.testing.machines", "nbjudge.testing.killer"}}


# Tests of lesson 8 that run the model itself; its other exercises are tried on small ones, everywhere.
OF_THE_MODEL = re.compile(
    r"probability_by_layer|solutions/8_real_model"
    r"|(?:references_of_the_checks_are|every_exercise_of_a_solution_is|all_points_of_every_lesson_can_be|solution_earns_\w+)\w*\[8_real_model"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tier", choices=TIERS, default="all", help="which tests: check (lints), test (what protects a user), all (the default)")


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def tier_of(item: pytest.Item) -> str:
    """The smallest tier that a test belongs to."""
    if any(item.get_closest_marker(name) for name in WHOLE_SUITE):
        return "all"
    return CHECK if item.get_closest_marker(CHECK) else "test"


def what_is_wrong(item: pytest.Item) -> str:
    """What a test's markers do not say, or say twice; empty when they are right."""
    fixtures = set(getattr(item, "fixturenames", ()))
    modules = {getattr(value, "__module__", None) for value in vars(getattr(item, "module", object)).values()}
    for name in MARKERS:
        needs = fixtures & FIXTURES.get(name, set()) or modules & MODULES.get(name, set())
        if needs and not item.get_closest_marker(name):
            return f"it asks for {', '.join(sorted(needs))} and is not marked `{name}`"
    if item.get_closest_marker(CHECK) and tier_of(item) != CHECK:
        return f"it is marked `{CHECK}`, and for `make test-all` alone"
    return ""


def pytest_runtest_setup(item: pytest.Item) -> None:
    if wrong := what_is_wrong(item):
        pytest.fail(f"Nobody knows to which tier this test belongs: {wrong}. Next: see `pytest --markers`.", pytrace=False)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if OF_THE_MODEL.search(item.nodeid):
            item.add_marker("model")
        if item.get_closest_marker("model") and not real_model.is_installed():
            item.add_marker(pytest.mark.skip(reason="the model of lesson 8 is not installed. Next: make model."))
        if item.get_closest_marker("root") and not (sys.platform == "linux" and os.geteuid() == 0):
            item.add_marker(pytest.mark.skip(reason="only root may do this. Next: run the tests in a container as root."))
    tiers = {item: TIERS.index(tier_of(item)) for item in items}
    chosen = TIERS.index(config.option.tier)
    config.hook.pytest_deselected(items=[item for item in items if tiers[item] > chosen])
    items[:] = longest_first([item for item in items if tiers[item] <= chosen])


def longest_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests of each file in their order, and first the files that take longest, so that no process goes on alone in the end."""
    sizes = Counter(item.path for item in items)
    known = {item.path: next((place for place, name in enumerate(LONG) if item.path.match(name)), len(LONG)) for item in items}
    return sorted(items, key=lambda item: (known[item.path], -sizes[item.path], item.path))

"""A hub for the tests of this folder; without root, Chromium or Linux they are skipped with the next step."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from trial_hub import TrialHub

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/browser"), str(ROOT / "deploy/jupyterhub")]  # what a person does in JupyterLab; the hub's own scripts


@pytest.fixture(scope="session")
def root() -> None:
    """Accounts can be made here."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("Only root can make the accounts of a trial. Next: run the tests as root in a container.")
    from install import Stop, python_for_everybody  # found on the path that is set above
    from trial import see_that_it_can_be_set_apart

    try:
        python_for_everybody()
        see_that_it_can_be_set_apart()
    except Stop as stop:
        pytest.skip(str(stop))


@pytest.fixture
def prefix() -> str:
    """How the names of a trial's accounts begin: no other trial's do."""
    return "t" + secrets.token_hex(3)


@pytest.fixture(scope="module")
def hub(root: None) -> Iterator[TrialHub]:
    from trial_hub import TrialHub

    hub = TrialHub("t" + secrets.token_hex(3))
    try:
        yield hub.wait_until_ready()
    finally:
        hub.forget()

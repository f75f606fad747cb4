"""The site, built once, and what its pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.lessons import ROOT
from website.building import build


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is."""
    to = tmp_path_factory.mktemp("website") / "site"
    build(ROOT, to)
    return to

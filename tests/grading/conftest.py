"""Kernels for lessons' answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nbjudge.testing.steps import WarmKernels


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmKernels]:
    with WarmKernels() as kernels:
        yield kernels

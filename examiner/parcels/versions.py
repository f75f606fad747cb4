"""What has to be the same on two machines so that they grade alike: Python, the examiner's own code, and what it and the lessons run on."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent
PROJECT = "nbgrader-examiner"
LESSONS = ("torch", "matplotlib", "ipywidgets")  # what kernels import before a student's first cell, besides what the examiner needs itself
NAME = re.compile(r"[\w.-]+")
NONE = "none"


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """The versions here, by what they are of; "none" for what is not installed.

    Args:
        packages: names of installed projects to look at besides.
    """
    names = dict.fromkeys((*_needed(), *LESSONS, "distributed", *packages))
    return {"Python": platform.python_version(), "the examiner": _own_code(), **{name: _version(name) for name in names}}


def differences(here: dict[str, str], there: dict[str, str]) -> list[str]:
    """What `there` has in another version than `here`, in words."""
    return [
        f"{name} {'is not installed' if there.get(name, NONE) == NONE else there[name]} there, and {version} here"
        for name, version in here.items()
        if there.get(name, NONE) != version
    ]


@cache
def _own_code() -> str:
    """A digest of the examiner's code, as a commit has one: two examiners with the same version number may differ."""
    digest = hashlib.sha256()
    for path in sorted(HOUSE.rglob("*.py")):
        digest.update(f"{path.relative_to(HOUSE).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return f"of code {digest.hexdigest()[:12]}"


@cache
def _needed() -> tuple[str, ...]:
    """The projects that the examiner says it needs, without those of its extras."""
    try:
        lines = metadata.requires(PROJECT) or []
    except metadata.PackageNotFoundError:  # it runs from a copy of its folder
        lines = []
    return tuple(found.group() for line in lines if "extra ==" not in line and (found := NAME.match(line)))


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return NONE

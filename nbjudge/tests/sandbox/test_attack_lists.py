"""The page of public lists of attacks names files and attempts that exist, and each entry has one or a reason."""

import re
from pathlib import Path

import pytest

from nbjudge._sandbox import doctor
from nbjudge._sandbox.doctor import outside

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "attack_lists.md").read_text()
ENTRIES = {"TRACE": 54, "SandboxEscapeBench": 18, "SandboxBench": 15, "CMS": 28}
AT_THE_END = {"have links followed, in a submission or by what cleans up"}


def rows(name: str) -> list[list[str]]:
    """Category, what tries it and what becomes of it, of each row of one list."""
    section = PAGE.split(f"\n## {name}\n")[1].split("\n## ")[0]
    found = [[part.strip() for part in line.strip("|").split(" | ")] for line in section.splitlines() if line.startswith("|")]
    assert found[0] == ["category", "tried by", "result"]
    return found[2:]


ROWS = [pytest.param(*row, id=f"{name}: {row[0]}") for name in ENTRIES for row in rows(name)]


def test_the_lists_are_whole():
    assert {name: len(rows(name)) for name in ENTRIES} == ENTRIES
    assert PAGE.count("\n## ") == len(ENTRIES)
    for name in ENTRIES:
        categories = [row[0] for row in rows(name)]
        assert len(set(categories)) == len(categories)


@pytest.mark.parametrize("category, tried, result", ROWS)
def test_an_entry_is_tried_or_cannot_apply(category: str, tried: str, result: str):
    if tried.startswith("cannot apply, because "):
        assert len(tried.split()) > 5 and result == "–"
        return
    files, attempts = re.findall(r"`([^`]+)`", tried), re.findall(r"“([^”]+)”", tried)
    assert files + attempts and result
    assert re.sub(r"`[^`]+`|“[^”]+”|doctor:|[,; ]", "", tried) == ""  # nothing that nobody looks at
    for name in files:
        assert (PROJECT / name).is_file() or (PROJECT / "hostile" / name).is_file(), name
    assert set(attempts) <= names_of_attempts()


def names_of_attempts() -> set[str]:
    """What the doctor prints of each attempt."""
    shared = {f"share {what} ({kind})" for kind, (what, _) in outside.NAMESPACES.items()}
    return {attempt.what for attempt in (*doctor.ATTEMPTS, *doctor.PAIRS)} | shared | AT_THE_END

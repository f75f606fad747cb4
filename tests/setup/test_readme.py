"""README.md and `docs/` name what there is, README is short, and its badges are true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

from authoring.lessons import find_lessons, read_text

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MOST_BYTES = 5_600

pytestmark = pytest.mark.check


def targets() -> dict[str, str]:
    """What `make` lists, by the targets' names."""
    return dict(re.findall(r"(?m)^([a-z-]+):.*?## (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8")))


def named(text: str) -> set[str]:
    """The targets of `make` that a text tells somebody to type."""
    return set(re.findall(r"(?m)(?:`|^)make ([a-z-]+)", text))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_a_text_names_what_there_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert named(text) and named(text) <= set(targets())
    files = [to for to in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text) if not re.match(r"[a-z]+:", to)]
    assert [to for to in files if not (path.parent / to).exists()] == []


def test_the_readme_is_short_and_docs_begin_with_what_to_type() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= MOST_BYTES
    for path in TEXTS[1:]:
        assert "| you want | type |" in path.read_text(encoding="utf-8").split("\n## ")[0]


def test_every_command_stands_in_a_text() -> None:
    told = {name for path in TEXTS for name in named(path.read_text(encoding="utf-8"))}
    assert set(targets()) - told == {"help"}


def test_badges_are_true() -> None:
    badges = [unquote(one) for one in re.findall(r"img\.shields\.io/badge/([^)]*)\)", (ROOT / "README.md").read_text(encoding="utf-8"))]
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"].removeprefix(">=")
    optional = [bool(read_text(lesson).metadata.lesson.get("optional")) for lesson in find_lessons()]
    cheats = (ROOT / "nbjudge" / "hostile" / "cheats_and_faults.txt").read_text(encoding="utf-8").split("\n\n")[0].splitlines()[1:]
    paid = [line for line in cheats if line[36:].split()[0] != "0"]
    assert badges == [
        f"Python-{oldest} or newer-blue",
        f"lessons-{optional.count(False)} + {optional.count(True)} optional-blue",
        f"cheats that got points-{len(paid)} of {len(cheats)}-brightgreen",
    ]

"""What the build refuses, and that it loses nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from authoring.bundle.refusal import Refused
from authoring.lessons import ROOT, find_lessons
from website import contents
from website.building import build
from website.links import redirect, sections

pytestmark = pytest.mark.slow

PAGES = {"README.md": "teach.md", "nbjudge/deploy/dask/README.md": "cluster.md", "notebooks/1_a/a.ipynb": "lessons/1_a.ipynb"}


@pytest.mark.parametrize(
    ("written", "file", "page", "shown"),
    [
        ("[a](nbjudge/deploy/dask/README.md)", "README.md", "teach.md", "[a](cluster.md)"),
        ("[a](nbjudge/deploy/dask/README.md#ssh)", "README.md", "teach.md", "[a](cluster.md#ssh)"),
        ("[lesson](notebooks/1_a/a.ipynb)", "README.md", "teach.md", "[lesson](lessons/1_a.ipynb)"),
        ("[back](../../README.md#x)", "notebooks/1_a/a.ipynb", "lessons/1_a.ipynb", "[back](../teach.md#x)"),
        ("[`tests/`](tests/)", "README.md", "teach.md", "`tests/`"),
        ("[answers](source/1_a/answers/a.py) and [b](nbjudge/deploy/dask/README.md)", "README.md", "teach.md", "answers and [b](cluster.md)"),
        ("[far](https://example.org/README.md)", "README.md", "teach.md", "[far](https://example.org/README.md)"),
        ("[here](#grade-a-class)", "README.md", "teach.md", "[here](#grade-a-class)"),
        ("`[a](README.md)`", "README.md", "teach.md", "`[a](README.md)`"),
        ("```\n[a](tests/)\n```", "README.md", "teach.md", "```\n[a](tests/)\n```"),
        ("![picture](pictures/a.png)", "README.md", "teach.md", "picture"),
    ],
)
def test_links_between_files_become_links_between_pages(written: str, file: str, page: str, shown: str) -> None:
    assert redirect(written, file, page, PAGES) == shown


def test_a_section_that_is_called_otherwise_is_named() -> None:
    text = "# T\n\n## A\n\na\n\n## B\n\nb\n"
    assert sections(text, "B", "A") == "## B\n\nb\n\n## A\n\na\n"
    with pytest.raises(KeyError, match="C"):
        sections(text, "C")


def test_somebody_elses_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(Refused, match="has not written"):
        build(ROOT, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_site_that_cannot_be_built_leaves_the_one_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site.txt").write_text("ours")
    (tmp_path / "index.html").write_text("the last one")
    own = shutil.copytree(contents.OWN, tmp_path.parent / "pages")
    (own / "start.md").write_text("# Begin\n\n[nowhere](/nothing.md), and $\\frac{1}$\n")
    monkeypatch.setattr(contents, "OWN", own)
    with pytest.raises(Refused, match=r"Sphinx says: (?=.*start\.md.*nothing\.md)(?=.*start\.md.*'\\\\frac\{1\}' cannot be read)"):
        build(ROOT, tmp_path)
    assert (tmp_path / "index.html").read_text() == "the last one"


def test_a_page_with_an_answer_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = shutil.copytree(contents.OWN, tmp_path / "pages")
    answer = next(path for path in sorted(find_lessons()[0].answers.glob("softmax.py"))).read_text(encoding="utf-8").split("# %%")[1]
    with (own / "start.md").open("a", encoding="utf-8") as page:
        page.write("\n```python\n" + answer.partition("\n")[2] + "\n```\n")
    monkeypatch.setattr(contents, "OWN", own)
    with pytest.raises(Refused, match="answer an exercise"):
        build(ROOT, tmp_path / "site")
    assert not (tmp_path / "site").exists()

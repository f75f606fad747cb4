"""Without what the extras bring, the grader installs and grades; what is missing is said with the command to type."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from nbjudge._wire.codec import Decoder
from nbjudge._wire.errors import Malformed
from nbjudge.testing import small_course

EXTRAS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
WITHOUT = """
import sys
class Nothing:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] in ("pandas", "scipy", "dask", "distributed", "psycopg"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing)
"""


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course, where Python finds nothing that only an extra brings."""
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "sitecustomize.py").write_text(WITHOUT, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "without"))
    return small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})


def test_the_core_grades_reports_and_exports_alone(bare: Path) -> None:
    assert "1 graded, 0 graded before, 0 not graded" in small_course.run(bare, "nbjudge", "grade").stdout
    for command in ("check", "report", "feedback", "export"):
        small_course.run(bare, "nbjudge", command)
    assert (bare / "report" / "index.html").is_file() and (bare / "grades-moodle.csv").is_file()


@pytest.mark.parametrize(
    ("arguments", "config", "extra"),
    [
        (["grade", "--cluster", "127.0.0.1:1"], "", "cluster"),
        (["grade"], 'c.CourseDirectory.db_url = "postgresql+psycopg://ada@localhost/grades"\n', "postgresql"),
    ],
)
def test_what_is_missing_is_said_with_the_command_to_type(bare: Path, arguments: list[str], config: str, extra: str) -> None:
    with (bare / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(config)
    said = small_course.run(bare, "nbjudge", *arguments, check=False)
    assert said.returncode == 1 and f"pip install 'nbjudge[{extra}]'" in said.stderr and "Traceback" not in said.stderr, said.stderr


@pytest.mark.parametrize("document", [["pd_missing", "NaT"], ["sparse", "csr_matrix", [1, 1], [1, 1, 1]]])
def test_a_table_that_nothing_can_read_is_refused_with_the_command(monkeypatch: pytest.MonkeyPatch, document: list) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] in ("pandas", "scipy")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(Malformed, match=r"pip install 'nbjudge\[tables\]'"):
        Decoder([b""], {}).decode(document)


@pytest.mark.check
def test_each_extra_has_a_page_and_stands_in_the_readme() -> None:
    project = Path(__file__).parents[1]
    readme = (project / "README.md").read_text(encoding="utf-8")
    for extra in EXTRAS:
        assert (project / "docs" / f"{extra}.md").is_file() and f"`nbjudge[{extra}]`" in readme, extra
    assert {"cluster", "postgresql", "lms", "tables", "testing"} == set(EXTRAS)


@pytest.mark.check
def test_importing_the_package_imports_hardly_anything() -> None:
    code = "import sys, nbjudge; print([name for name in ('numpy', 'nbgrader', 'rich', 'pebble', 'IPython') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True).stdout.strip() == "[]"

"""From a platform's zip over grading to feedback that the platform takes: the whole way, once, with what the importers of Moodle and Canvas read.

How they read names is written down here once more, apart from the code.
"""

from __future__ import annotations

import re
import shutil
import stat
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell
from nbgrader.api import Gradebook
from playwright.sync_api import Browser

from helpers.arriving import DATES, folder, make_course, of_week2, zip_bytes, zipped
from nbjudge.testing.small_course import ANSWERS, run

pytestmark = pytest.mark.slow

FORMULA = "The weights are $w_i = \\frac{e^{s_i}}{\\sum_j e^{s_j}}$, and they add up to one."
HIDDEN = "double(-3)"


def answered(student: str) -> str:
    """A student's notebook, with a formula and their own name in it."""
    from nbjudge.testing.small_course import source

    own = source()
    own.cells[0].source = ANSWERS[student]
    own.cells.append(new_markdown_cell(f"{FORMULA} This is {student}'s."))
    return nbformat.writes(own)


def moodle_reads(name: str) -> tuple[int, str, str, str]:
    """The participant, the plugin and the file's name, as Moodle's importer takes a name apart."""
    assert not name.startswith((".", "~"))
    parts = name.split("_", 4)
    assert len(parts) == 5 and parts[1].isdigit()
    return int(parts[1]), parts[2], parts[3], parts[4]


def canvas_reads(name: str) -> tuple[int, int]:
    """The student and the file, as Canvas takes the name of an uploaded file apart."""
    parts = [part for part in name.split("_") if part != "LATE"]
    numbers = [int(part) for part in parts if re.fullmatch(r"\d+", part)][:2]
    assert not parts[-1].startswith("link")
    return numbers[0], numbers[1]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course, graded: week1 came in a zip of Moodle's, week2 in one of Canvas's, one student's by hand."""
    place = tmp_path_factory.mktemp("giveback")
    root = make_course(place / "course")
    files = {
        f"{name}_{number}_assignsubmission_file/sums.ipynb": answered(student)
        for name, number, student in (("Ada Lovelace", 501, "ada"), ("Bob OBrien", 502, "bob"), ("Un der Score s", 503, "cem"))
    }
    files["Ada Lovelace_501_assignsubmission_file/extra.html"] = "<script>alert(1)</script>"
    run(root, "nbjudge", "collect", str(zipped(place / "moodle.zip", files)))
    both = {"products.ipynb": of_week2(root), "quotients.ipynb": of_week2(root, "quotients")}
    run(
        root,
        "nbjudge",
        "collect",
        str(
            zipped(
                place / "canvas.zip",
                {
                    "lovelaceada_LATE_12_9001_products-1.ipynb": both["products.ipynb"],
                    "lovelaceada_LATE_12_9002_quotients.ipynb": both["quotients.ipynb"],
                    "obrienbob_13_9003_work.zip": zip_bytes(both),
                },
            )
        ),
    )
    run(root, "nbjudge", "collect", str(folder(place / "hand", {"zoe.ipynb": answered("dora")})))
    run(root, "nbjudge", "grade")
    return root


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return shutil.copytree(graded, tmp_path / "course")


def pages(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert all(not set(name) & set('<>:"/\\|?*') and len(name) < 200 for name in archive.namelist()), "Windows writes it"
        assert all(stat.S_ISREG(mode) or not stat.S_IFMT(mode) for mode in (info.external_attr >> 16 for info in archive.infolist()))
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


def test_moodle_gets_one_zip_with_each_students_page_under_their_number(course: Path) -> None:
    said = run(course, "nbjudge", "giveback", "moodle").stdout
    found = {moodle_reads(name): page for name, page in pages(course / "giveback" / "moodle-week1.zip").items()}
    assert set(found) == {(number, "assignfeedback", "file", "sums.html") for number in (501, 502, 503)}
    for number, student in ((501, "ada"), (502, "bob"), (503, "cem")):
        page = found[number, "assignfeedback", "file", "sums.html"]
        assert f"This is {student}&#39;s." in page or f"This is {student}'s." in page
        assert not any(f"{other}'s." in page or f"{other}&#39;s." in page for other in ("ada", "bob", "cem", "dora") if other != student)
        assert HIDDEN not in page and "alert(1)" not in page and page.count("<script") == 1
    assert "giveback/moodle-week1.zip: 3 students" in said
    assert "week1: zoe: no number of Moodle's is known" in said and "Next: make collect FROM=the zip of Moodle's" in said
    first = (course / "giveback/moodle-week1.zip").read_bytes()
    run(course, "nbjudge", "giveback", "moodle")
    assert (course / "giveback/moodle-week1.zip").read_bytes() == first, "the same pages make the same zip"


def test_canvas_gets_pages_under_the_numbers_of_what_was_handed_in(course: Path) -> None:
    run(course, "nbjudge", "giveback", "canvas", "--assignment", "week2")
    assert [path.name for path in (course / "giveback").iterdir()] == ["canvas-week2.zip"]
    found = {name: canvas_reads(name) for name in pages(course / "giveback/canvas-week2.zip")}
    assert found == {
        "lovelaceada_LATE_12_9001_products.html": (12, 9001),
        "lovelaceada_LATE_12_9002_quotients.html": (12, 9002),
        "obrienbob_13_9003_feedback.zip": (13, 9003),
    }, "Canvas calls what is about work.zip work.zip, so it is a zip"
    with zipfile.ZipFile(course / "giveback/canvas-week2.zip") as archive, zipfile.ZipFile(archive.open("obrienbob_13_9003_feedback.zip")) as inner:
        assert inner.namelist() == ["products.html", "quotients.html"]


def test_a_page_that_is_out_of_date_is_not_given_back(course: Path) -> None:
    """Points by hand, a comment, another page in its place, no page, and a hand-in that waits for grading."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "sums") as gradebook:
        gradebook.find_grade("why", "sums", "week1", "ada").manual_score = 2
        gradebook.find_comment("why", "sums", "week1", "bob").manual_comment = "well said"
        gradebook.db.commit()
    (course / "feedback/under/week1/sums.html").unlink()
    shutil.copytree(course / "submitted/ada/week1", course / "submitted/sam1/week1")
    said = run(course, "nbjudge", "giveback", "moodle", "--assignment", "week1", check=False)
    assert said.returncode == 1 and not (course / "giveback").exists()
    for line in (
        "week1: ada, bob: the page is older than the points in the gradebook",
        "week1: under: graded, but without a page",
        "week1: sam1: not graded yet",
        "Next: make feedback",
        "Next: make grade",
    ):
        assert line in said.stdout, said.stdout
    run(course, "nbjudge", "feedback")
    (course / "feedback/under/week1/sums.html").chmod(0o644)
    (course / "feedback/under/week1/sums.html").write_text("something else")
    said = run(course, "nbjudge", "giveback", "moodle", "--assignment", "week1").stdout
    found = {moodle_reads(name)[0]: page for name, page in pages(course / "giveback/moodle-week1.zip").items()}
    assert set(found) == {501, 502} and "well said" in found[502]


def test_a_hand_in_that_came_after_the_grading_waits_for_its_own(course: Path, tmp_path: Path) -> None:
    later = zipped(tmp_path / "later.zip", {"Ada Lovelace_501_assignsubmission_file/sums.ipynb": answered("bob")}, DATES[1])
    assert "1 replaces an earlier one" in run(course, "nbjudge", "collect", str(later)).stdout
    said = run(course, "nbjudge", "giveback", "moodle", "--assignment", "week1").stdout
    assert {moodle_reads(name)[0] for name in pages(course / "giveback/moodle-week1.zip")} == {502, 503}
    assert "week1: ada: what lies in submitted/ was handed in after the grading" in said and "Next: make grade" in said


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["giveback"], "feedback goes to canvas, moodle, exchange"),
        (["giveback", "blackboard"], "not to blackboard"),
        (["giveback", "moodle", "--assignment", "week9"], "the course has no assignment week9"),
        (["collect"], "nothing says where the hand-ins lie"),
        (["collect", "/nowhere.zip"], "there is no /nowhere.zip"),
        (["giveback", "exchange"], "collected from the exchange"),
    ],
)
def test_a_wrong_command_gets_one_sentence_with_the_next_step(graded: Path, arguments: list[str], why: str) -> None:
    done = run(graded, "nbjudge", *arguments, check=False)
    assert done.returncode == 1 and why in done.stderr + done.stdout and "Next: " in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_nothing_to_give_back(tmp_path: Path) -> None:
    done = run(make_course(tmp_path / "course", {}), "nbjudge", "giveback", "moodle", check=False)
    assert "nobody has handed in anything yet. Next: make collect" in done.stderr
    assert not (tmp_path / "course/gradebook.db").exists()


@pytest.mark.browser
def test_a_page_from_the_zip_shows_formulas_without_a_network(graded: Path, tmp_path: Path, browser: Browser) -> None:
    """Opened from a disk in Chromium, which has no network: it asks for nothing else, and the fraction is drawn as one."""
    run(graded, "nbjudge", "giveback", "moodle")
    with zipfile.ZipFile(graded / "giveback/moodle-week1.zip") as archive:
        path = archive.extract(next(name for name in archive.namelist() if "_501_" in name), tmp_path)
    asked: list[str] = []
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 1400})
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(Path(path).as_uri())
    page.wait_for_load_state("networkidle")
    fraction = page.locator("math mfrac").first
    above, below = (fraction.locator(f"> :nth-child({number})").bounding_box() for number in (1, 2))
    screenshots = Path(__file__).parents[3] / "screenshots"
    screenshots.mkdir(exist_ok=True)
    page.screenshot(path=str(screenshots / "giveback.png"), full_page=True)
    context.close()
    assert asked and all(url.startswith(("file:", "data:")) for url in asked), asked
    assert above and below and above["y"] + above["height"] <= below["y"] + 2 and above["width"] > 5

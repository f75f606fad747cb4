"""The zip for Gradescope: what is in it, and what its autograder says of hand-ins, in a container like Gradescope's."""

import io
import json
import re
import zipfile
from collections.abc import Iterator

import jsonschema
import nbformat
import pytest
from rich.console import Console

from nbjudge._course.course import Course
from nbjudge._lms.result_formats import VISIBILITIES, Question, Result, for_classroom50, for_gradescope
from nbjudge._lms.single import _protect
from nbjudge._sandbox import accounts, bubblewrap
from nbjudge._wire.errors import CannotGrade
from nbjudge.testing import small_course
from nbjudge.testing.containers import Container, zip_of
from nbjudge.testing.notebooks import code, notebook

# https://gradescope-autograders.readthedocs.io/en/latest/specs/, as a schema.
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
DOCUMENTED = {
    "type": "object",
    "additionalProperties": False,
    "anyOf": [{"required": ["score"]}, {"required": ["tests"], "properties": {"tests": {"minItems": 1, "items": {"required": ["score"]}}}}],
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number", "minimum": 0},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": FORMAT,
                    "visibility": VISIBILITY,
                },
            },
        },
    },
}
CHEAT = """
import glob, os, signal, socket, subprocess, sys
got = []

def attempt(name, step):
    try:
        answer = step()
    except BaseException:
        return
    if answer is not None and answer is not False:
        got.append(f"{name}: {str(answer)[:60]}")

def read_tests():
    for folder in ("/autograder", "/opt", "/tmp", "/var", "/root/.local", "/run", "/home", "/srv"):
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if path.endswith((".ipynb", ".json", ".db", ".md")):
                    text = open(path, errors="replace").read()
                    if "double" + "(-3)" in text:
                        return path

def writable():
    for folder in ("/", "/autograder", "/opt", "/tmp", "/var", "/dev/shm", "/dev/mqueue", "/run"):
        for place, _, names in os.walk(folder) if folder != "/" else [("/", [], [])]:
            if os.access(place, os.W_OK) and not place.startswith(os.getcwd()) and not place.startswith("/proc"):
                return place

def kill_grader():
    for name in filter(str.isdigit, os.listdir("/proc")):
        if os.stat(f"/proc/{name}").st_uid != os.getuid():
            try:
                os.kill(int(name), signal.SIGKILL)
                return name
            except OSError:
                pass

def memory():
    for name in filter(str.isdigit, os.listdir("/proc")):
        if os.stat(f"/proc/{name}").st_uid != os.getuid():
            for what in ("environ", "mem", "maps", "fd/1"):
                try:
                    open(f"/proc/{name}/{what}", "rb").read(1)
                    return name, what
                except OSError:
                    pass

attempt("read the hidden test", read_tests)
attempt("list the source", lambda: os.listdir("/autograder/source"))
attempt("read metadata", lambda: open("/autograder/submission_metadata.json").read())
attempt("write results", lambda: open("/autograder/results/results.json", "w").write("{}") and "yes")
attempt("write somewhere", writable)
attempt("kill", kill_grader)
attempt("read a process", memory)
attempt("become root", lambda: os.setuid(0) or "yes")
attempt("network", lambda: socket.socket(socket.AF_INET))
attempt("network 6", lambda: socket.socket(socket.AF_INET6))
attempt("mount", lambda: subprocess.run(["mount", "-t", "tmpfs", "x", "/tmp"], capture_output=True).returncode == 0)
attempt("su", lambda: subprocess.run(["su", "-c", "id"], capture_output=True, stdin=subprocess.DEVNULL).returncode == 0)
for last in (0, 1):
    if os.fork() == 0:
        os.setsid()
        import time
        time.sleep(1)
        try:
            open("/autograder/results/results.json", "w").write("{}")
        finally:
            os._exit(0)
print("GOT", got)

def double(x):
    raise RuntimeError("GOT " + repr(got))
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory):
    return small_course.make(tmp_path_factory.mktemp("course"), answers={})


@pytest.fixture(scope="module", params=["accounts", "namespaces"])
def container(course, request, tmp_path_factory) -> Iterator[Container]:
    yield Container(zip_of(course, small_course.ASSIGNMENT), tmp_path_factory.mktemp("container"), privileged=request.param == "namespaces")


def written(answer: str, label: str = small_course.LABEL) -> bytes:
    """A hand-in with an answer to `double`."""
    done = small_course.source()
    for cell in done.cells:
        cell.source = {"double": answer, "label": label}.get(cell.metadata.nbgrader.grade_id, cell.source)
    return nbformat.writes(done).encode()


def points(result) -> tuple[float, float]:
    jsonschema.validate(result, DOCUMENTED)
    return tuple(sum(test[name] for test in result["tests"]) for name in ("score", "max_score"))


@pytest.mark.slow
@pytest.mark.root
def test_points(container):
    full = container.run(sums__ipynb=written(small_course.ANSWERS["ada"]))
    assert points(full) == (4, 4), container.printed
    assert "Graded by hand, and not in these points: why (2)." in full["output"]
    half = container.run(sums__ipynb=written(small_course.ADDS))
    assert points(half) == (1, 4)
    assert half["tests"][0]["status"] == "failed" and "negative numbers are doubled, too" in half["tests"][0]["output"]
    assert "double(-3)" not in json.dumps(half)  # the message is for students, the test's code is not
    empty = container.run(sums__ipynb=written(small_course.STUB, small_course.STUB))
    assert points(empty) == (0, 4)


@pytest.mark.slow
@pytest.mark.root
def test_a_cheat_gets_nothing(container):
    (container.autograder / "submission_metadata.json").write_text("{}")
    result = container.run(sums__ipynb=written(CHEAT))
    assert result is not None, container.printed
    assert points(result) == (1, 4)  # the label alone
    told = result["tests"][0]["output"]
    assert "GOT [" in told
    if "namespaces" in container.printed.splitlines()[0]:  # /tmp, process 1 and the network are the kernel's own
        assert not any(word in told for word in ("read", "list", "write results", "root", "mount", "su:"))
    else:
        assert "GOT []" in told


@pytest.mark.slow
@pytest.mark.root
@pytest.mark.parametrize(
    "files, told",
    [
        ({}, "the hand-in is empty. Hand in sums.ipynb."),
        ({"essay__pdf": b"%PDF"}, "no notebook in it, only essay.pdf"),
        ({"all__zip": b"PK"}, "all.zip is an archive"),
        ({"a__ipynb": b"{}", "b__ipynb": b"{}"}, "there is no sums.ipynb, only a.ipynb, b.ipynb"),
        ({"sums__ipynb": written("pass")[:500]}, "damaged or cut off. Save and hand in again."),
        ({"sums__ipynb": b"\xff\xfe"}, "it is not text"),
        ({"sums__ipynb": b" " * (101 << 20)}, "has 101 MB"),
        ({"sums__ipynb": nbformat.writes(notebook(code("1", grade_id="other", solution=True))).encode()}, "belongs to another assignment"),
    ],
    ids=["nothing", "pdf", "zip", "several", "cut off", "binary", "large", "another lesson"],
)
def test_a_hand_in_that_cannot_be_graded_is_told(course, files, told, tmp_path):
    container = Container(zip_of(course, small_course.ASSIGNMENT), tmp_path)
    result = container.run(**files)
    assert result is not None, container.printed
    jsonschema.validate(result, DOCUMENTED)
    assert result["score"] == 0 and result["visibility"] == "visible"
    assert result["output"].startswith("Not graded: ") and told in result["output"]


@pytest.mark.slow
@pytest.mark.root
def test_another_name_is_graded_and_told(course, tmp_path):
    container = Container(zip_of(course, small_course.ASSIGNMENT), tmp_path)
    result = container.run(**{"sums (1)__ipynb": written(small_course.ANSWERS["ada"])})
    assert points(result) == (4, 4) and "sums (1).ipynb was graded as sums.ipynb." in result["output"]


@pytest.mark.slow
@pytest.mark.root
def test_what_nbgrader_writes_beside_a_notebook_is_not_the_students(course, tmp_path):
    container = Container(zip_of(course, small_course.ASSIGNMENT), tmp_path)
    result = container.run(sums__ipynb=written(small_course.ANSWERS["ada"]), timestamp__txt=b"next Tuesday")
    assert points(result) == (4, 4), container.printed


@pytest.mark.slow
@pytest.mark.root
def test_a_failure_of_ours_leaves_no_points(course, tmp_path):
    container = Container(zip_of(course, small_course.ASSIGNMENT), tmp_path)
    path = container.autograder / "source" / "course" / "source" / small_course.ASSIGNMENT / "sums.ipynb"
    broken = nbformat.read(path, as_version=4)
    broken.cells[1].source = "undefined_name_of_the_instructor()"
    nbformat.write(broken, path)
    container.results.write_text('{"score": 4}')  # of an earlier run
    assert container.run(sums__ipynb=written(small_course.ANSWERS["ada"])) is None
    assert "double_test" in container.printed


@pytest.mark.parametrize("setting", [False, accounts.ACCOUNTS])
def test_a_course_with_less_of_a_sandbox_gets_all_of_it_where_it_works(course, setting, monkeypatch):
    """Elsewhere it may be its instructor's choice; and accounts hold nothing where nobody has closed anything."""
    made = Course(course)
    made.config.Execute.sandbox = setting
    monkeypatch.setattr(bubblewrap, "why_not", lambda: None)
    _protect(made, [], Console(quiet=True))
    assert made.executor().sandbox is True


def test_the_zip_is_the_same_each_time_and_whole(course):
    path = zip_of(course, small_course.ASSIGNMENT)
    before = path.read_bytes()
    assert zip_of(course, small_course.ASSIGNMENT).read_bytes() == before
    with zipfile.ZipFile(io.BytesIO(before)) as archive:
        names = set(archive.namelist())
        assert {"setup.sh", "run_autograder", "README.md", "requirements.txt", "constraints.txt", "course/nbgrader_config.py"} <= names
        assert all(archive.getinfo(name).external_attr >> 16 & 0o111 for name in ("setup.sh", "run_autograder"))
        texts = [archive.read(name).decode() for name in ("setup.sh", "run_autograder", "README.md")]
        assert not any(re.search("@[A-Z_]+@", text) for text in texts), "a place in a template was not filled"
        assert str(course) not in "".join(archive.read(name).decode(errors="replace") for name in names)


def test_gradescope_shows_what_the_instructor_chose():
    result = Result((Question("softmax", 1.5, 2, "\x1b[31mno"),), (("why", 2),))
    for visibility in VISIBILITIES:
        content = for_gradescope(result, visibility)
        jsonschema.validate(content, DOCUMENTED)
        assert content["tests"][0]["visibility"] == visibility and "\x1b" not in json.dumps(content, ensure_ascii=False)
    assert for_gradescope(Result(refused="it is cut off"), "hidden")["visibility"] == "visible"


RUNNER = {"CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://x/c", "RELEASE_URL": "https://x/r"}


def test_classroom50():
    content = for_classroom50(Result((Question("softmax", 1, 2, "no"), Question("rows", 3, 3, ""))), RUNNER)
    assert content["schema"] == "classroom50/result/v1" and content["review"] == content["commit"]
    assert (content["score"], content["max-score"]) == (4, 5)
    assert [test["passed"] for test in content["tests"]] == [False, True]
    assert all(type(test[name]) is int for test in content["tests"] for name in ("score", "max-score"))


def test_classroom50_refuses_what_it_cannot_hold():
    with pytest.raises(CannotGrade, match="COMMIT_URL"):
        for_classroom50(Result(), {**RUNNER, "COMMIT_URL": ""})
    with pytest.raises(CannotGrade, match="whole points"):
        for_classroom50(Result((Question("softmax", 0.5, 2, ""),)), RUNNER)

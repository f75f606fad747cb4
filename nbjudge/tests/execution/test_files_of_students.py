"""Files that a student's code writes: which of them come to the tests, where they stay out, and how much there may be of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.exchanged import COUNT, SAVE
from helpers.instructors import Given, Solution
from nbjudge._execution.execute import execute
from nbjudge._proxies.files import MOST_FILES, Exchange
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire import file_stamps
from nbjudge._wire.limits import MB
from nbjudge.testing.notebooks import notebook, test_cell

FORGE = "import nbjudge._student.files as theirs\ndef forge(files, gone, encoder):\n    return {'files': files, 'gone': gone}\n"


@pytest.fixture
def exchange(tmp_path: Path):
    (tmp_path / "given.txt").write_text("5")
    one = Exchange(tmp_path)
    one.begin()
    yield one
    one.close()


def bring(exchange: Exchange, *pairs: tuple[str, bytes], gone: tuple[str, ...] = ()) -> None:
    exchange.take({"files": [[place, content] for place, content in pairs], "gone": list(gone)}, lambda content: content)


TAKEN = ("out.txt", "sub/out.txt", "a.b/c d.csv", "data.npy")
LEFT = (
    ".git/config",
    "sub/.hidden",
    ".netrc",
    "matplotlibrc",
    "pytest.ini",
    "setup.cfg",
    "json/__init__.py",
    "fast.cpython-311-x86_64-linux-gnu.so",
    "CODE.PY",
    "archive.zip",
    "given.txt",
    "a/../b.txt",
    "../b.txt",
    "/".join("a" * 30),
    "new\nline.txt",
    "x" * 2000,
)


@pytest.mark.parametrize("name", (*TAKEN, *LEFT))
def test_which_files_are_taken(exchange: Exchange, tmp_path: Path, name: str) -> None:
    bring(exchange, (f"{tmp_path}/{name}", b"theirs"))
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {"given.txt", *([name] if name in TAKEN else [])} and not (tmp_path.parent / "b.txt").exists()
    assert (tmp_path / "given.txt").read_text() == "5"


def test_a_file_that_the_test_has_written_since_is_the_tests(exchange: Exchange, tmp_path: Path) -> None:
    place = tmp_path / "wanted.txt"
    bring(exchange, (str(place), b"0"))
    bring(exchange, (str(place), b"1"))
    assert place.read_text() == "1", "their own they may change"
    about = place.stat()
    place.write_text("5")
    os.utime(place, ns=(about.st_atime_ns, about.st_mtime_ns))  # as where the time of a file is coarse
    bring(exchange, (str(place), b"0"), gone=(str(place),))
    assert place.read_text() == "5"


def test_only_what_is_there_for_it_is_removed(exchange: Exchange, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.txt"
    outside.write_text("x")
    exchange.passes("`save`", [str(outside), f"{tmp_path}/given.txt"], frozenset({"save writes"}))
    bring(exchange, (f"{tmp_path}/own.txt", b"x"), gone=(str(outside), f"{tmp_path}/given.txt", f"{tmp_path}/own.txt", str(tmp_path)))
    assert outside.exists() and [path.name for path in tmp_path.iterdir()] == ["given.txt"]


def test_there_is_an_end_to_files(exchange: Exchange, tmp_path: Path) -> None:
    for number in range(60):
        bring(exchange, *((f"{tmp_path}/{number}/{one}", b"x") for one in range(MOST_FILES)))
    assert sum(len(folders) + len(files) for _, folders, files in os.walk(tmp_path)) < 1100
    bring(exchange, gone=tuple(str(path) for path in (tmp_path / "0").iterdir()))
    for number in range(40):
        bring(exchange, (f"{tmp_path}/large{number}", bytes(8 * MB)), (f"{tmp_path}/larger{number}", bytes(8 * MB + 1)))
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 257 * MB


def test_the_instructors_code_runs_without_them(exchange: Exchange, tmp_path: Path) -> None:
    bring(exchange, (f"{tmp_path}/cache.txt", b"theirs"), (f"{tmp_path}/deep/down/x.txt", b"theirs"), (f"{tmp_path}/stays.txt", b"theirs"))
    with exchange.without_students():
        assert {path.name for path in tmp_path.iterdir()} == {"given.txt"}
        (tmp_path / "cache.txt").write_text("5")
        (tmp_path / "deep").mkdir()
    bring(exchange, (f"{tmp_path}/cache.txt", b"again"), (f"{tmp_path}/stays.txt", b"again"))
    assert (tmp_path / "cache.txt").read_text() == "5", "it is the instructor's now"
    assert (tmp_path / "deep/down/x.txt").read_text() == "theirs" and (tmp_path / "stays.txt").read_text() == "again"
    assert not [path for path in tmp_path.parent.iterdir() if path.name.startswith("nbjudge-aside-")]


def test_files_come_where_a_kernel_has_no_folder_for_temporary_files_of_its_own() -> None:
    test = (
        "import json, os\nwith open('lines.txt', 'w') as file:\n    file.write('a\\nb')\nassert count('lines.txt') == 2\n"
        "os.remove('lines.txt')\nassert not is_there('lines.txt')\nsave('out.json', [1])\nassert json.load(open('out.json')) == [1]"
    )
    nb = notebook(COUNT.source, SAVE.source, "import os\ndef is_there(path):\n    return os.path.exists(path)", test_cell("t", test))
    with WarmKernels(sandboxed=False) as warm:
        [verdict] = execute(nb, nb, warm).verdicts
    assert verdict.points == 1, verdict.message


def test_a_set_up_cell_reads_no_file_of_theirs(verdicts) -> None:
    given = Given("import os\nwanted = int(open('cache.txt').read()) if os.path.exists('cache.txt') else 1")
    parts = [COUNT, "with open('one.txt', 'w') as f:\n    f.write('a')\nassert count('one.txt') == 1", given, "assert count('one.txt') == wanted"]
    assert [verdict.points for verdict in verdicts(parts)] == [1, 1]
    answer = "open('cache.txt', 'w').write('0')\ndef count(path):\n    return 0"
    assert [verdict.kind for verdict in verdicts(parts, answer)] == ["failed", "failed"]


def test_no_pickle_of_theirs_runs_in_a_set_up_cell(verdicts) -> None:
    trace = Path("/tmp/nbjudge-set-up-ran")
    given = Given("import os\nimport numpy as np\nwanted = np.load('cache.npy', allow_pickle=True) if os.path.exists('cache.npy') else 1")
    parts = [COUNT, "with open('one.txt', 'w') as f:\n    f.write('a')\nassert count('one.txt') == 1", given, "assert count('one.txt') == wanted"]
    answer = (
        "import os\nimport numpy as np\nclass Runs:\n    def __reduce__(self):\n        return os.system, ('touch /tmp/nbjudge-set-up-ran',)\n"
        "np.save('cache.npy', np.array([Runs()], dtype=object), allow_pickle=True)\n" + COUNT.source
    )
    assert [verdict.kind for verdict in verdicts(parts, answer)] == ["passed", "passed"]
    assert not trace.exists()


def test_what_is_made_of_a_solutions_file_is_the_students(verdicts) -> None:
    parts = [
        Solution("with open('best.txt', 'w') as f:\n    f.write('4')"),
        Given("best = int(open('best.txt').read())\nmore = best + 1"),
        "assert (best, more) == (4, 5)",
    ]
    assert [verdict.kind for verdict in verdicts(parts)] == ["passed"]
    assert [verdict.kind for verdict in verdicts(parts, "open('best.txt', 'w').write('3')")] == ["failed"]


def test_bytes_that_are_sent_once_are_written_once(verdicts) -> None:
    test = "import os\nopen('in.txt', 'w').write('a')\ncount('in.txt')\nassert sum(os.path.getsize(name) for name in os.listdir()) < 2 * 2**20"
    answer = FORGE + (
        "def news(request, encoder):\n    node = encoder.encode(bytes(2**20))\n"
        "    return forge([[f\"{request['root']}/f{k}.dat\", node] for k in range(200)], [], encoder)\n"
        "theirs.news = news\n" + COUNT.source
    )
    [verdict] = verdicts([COUNT, test], answer)
    assert "cannot be read" in verdict.message or verdict.kind == "passed", verdict


def test_no_file_outside_is_removed_for_a_student(verdicts, tmp_path: Path) -> None:
    place = tmp_path / "gradebook.db"
    place.write_text("points")
    answer = FORGE + (
        f"def where():\n    return {str(place)!r}\ndef save(path, value):\n    return 0\n"
        f"theirs.news = lambda request, encoder: forge([], [{str(place)!r}], encoder)"
    )
    solution = Solution(SAVE.source + "\ndef where():\n    return 'out.json'")
    verdicts([solution, "import json\nname = where()\nsave(name, [1])\nassert json.load(open(name)) == [1]"], answer)
    assert place.read_text() == "points"


def test_a_temporary_file_that_theirs_removes_is_gone(verdicts) -> None:
    solution = Solution(SAVE.source + "\nimport os\ndef drop(path):\n    os.remove(path)")
    [verdict] = verdicts(
        [
            solution,
            "import os, tempfile\nwith tempfile.TemporaryDirectory() as folder:\n    path = os.path.join(folder, 'x.json')\n"
            "    save(path, [3])\n    assert os.path.exists(path)\n    drop(path)\n    assert not os.path.exists(path)",
        ]
    )
    assert verdict.kind == "passed", verdict


def test_a_path_of_theirs_makes_no_test_its_authors_matter(verdicts) -> None:
    parts = [Solution("def place():\n    return 'x.txt'\nopen('x.txt', 'w').write('1')"), "assert open(place()).read() == '1'"]
    assert [verdict.kind for verdict in verdicts(parts)] == ["passed"]
    assert [verdict.kind for verdict in verdicts(parts, "def place():\n    return 'nothing.pkl'")] == ["failed"]
    named = [Solution("import pickle\ndef save():\n    pickle.dump(1, open('x.pkl', 'wb'))"), "save()\nassert open('x.pkl', 'rb').read()"]
    [verdict] = verdicts(named)
    assert verdict.kind == "unjudged" and "x.pkl" in verdict.message


def test_a_file_is_another_when_it_has_other_content(tmp_path: Path) -> None:
    place = tmp_path / "in.txt"
    place.write_text("1")
    before, about = file_stamps.stamp_of(str(place)), place.stat()
    assert file_stamps.is_unchanged(str(place), before)
    place.write_text("2")
    os.utime(place, ns=(about.st_atime_ns, about.st_mtime_ns))  # as where the time of a file is coarse
    assert not file_stamps.is_unchanged(str(place), before)

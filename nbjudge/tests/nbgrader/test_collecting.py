"""Collecting from an exchange where students write: real folders, links and owners, through nbgrader's own collect."""

from __future__ import annotations

import errno
import logging
import multiprocessing
import os
import pwd
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeSubmit
from nbgrader.utils import parse_utc
from traitlets.config import Config

from nbjudge._nbgrader.exchange_collect import CollectOwn

pytestmark = pytest.mark.slow

ME = pwd.getpwuid(os.getuid()).pw_name
SECRET = "5" * 128
EARLY, LATE = "2026-01-31 12:00:00.000001 UTC", "2026-01-31 13:00:00.000001 UTC"
as_root = pytest.mark.root


class Exchange:
    """An exchange and a course folder, and what `collect` says of them."""

    def __init__(self, folder: Path, gradebook: Path):
        self.inbound, self.course, self.messages = folder / "exchange/course101/inbound", folder / "course", list[str]()
        self.inbound.mkdir(parents=True)
        self.course.mkdir()
        shutil.copy(gradebook, self.course)

    def hand_in(self, student: str, time: str = EARLY, answer: str = "1", owner: str = "") -> Path:
        """What `nbgrader submit` leaves in `inbound`."""
        folder = self.inbound / f"{student}+ps1+{time}+abcdefghijkl"
        folder.mkdir()
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(answer)]), folder / "p1.ipynb")
        (folder / "timestamp.txt").write_text(time, encoding="utf-8")
        (folder / "submission_secret.txt").write_text(SECRET, encoding="utf-8")
        give(folder, owner or student)
        return folder

    def collect(self, **settings: object) -> None:
        """Collect ps1 as the formgrader's button does."""
        config = Config(
            {
                "Exchange": {"root": str(self.inbound.parents[1])},
                "ExchangeCollect": settings,
                "CourseDirectory": {"root": str(self.course), "course_id": "course101", "assignment_id": "ps1", "max_dir_size": 200},
            }
        )
        collector = CollectOwn(coursedir=CourseDirectory(config=config), config=config, update=True)
        collector.log = logging.Logger("collect")
        collector.log.addFilter(lambda record: self.messages.append(record.getMessage()) is not None)
        collector.start()

    def got(self, student: str, name: str = "p1.ipynb") -> str:
        return (self.course / "submitted" / student / "ps1" / name).read_text(encoding="utf-8")

    def students(self) -> set[str]:
        return {folder.parent.name for folder in (self.course / "submitted").glob("*/ps1")}

    def said(self, words: str) -> bool:
        return any(words in message for message in self.messages)


def give(path: Path, owner: str) -> None:
    """Let a folder and what is in it belong to an account."""
    if os.geteuid() == 0:
        about = pwd.getpwnam(owner)
        for one in [path, *path.rglob("*")]:
            os.lchown(one, about.pw_uid, about.pw_gid)


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook; making one takes a while."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    Gradebook(f"sqlite:///{path}", "course101").close()
    return path


@pytest.fixture
def own_folder() -> Iterator[Path]:
    """One that every account can reach; pytest's own is closed to them."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def exchange(tmp_path: Path, gradebook: Path) -> Exchange:
    return Exchange(tmp_path, gradebook)


def test_the_newest_submission_is_collected_as_it_is(exchange: Exchange) -> None:
    exchange.hand_in(ME, answer="'first'")
    exchange.collect()
    exchange.hand_in(ME, LATE, answer="'second'")
    exchange.collect()
    assert "'second'" in exchange.got(ME) and "'first'" not in exchange.got(ME)
    assert parse_utc(exchange.got(ME, "timestamp.txt")) == datetime(2026, 1, 31, 13, 0, 0, 1)
    assert exchange.got(ME, "submission_secret.txt") == SECRET


@as_root
def test_what_a_student_hands_in_for_another_one_replaces_nothing(exchange: Exchange) -> None:
    exchange.hand_in("daemon", answer="'of daemon'")
    exchange.hand_in("daemon", LATE, answer="'of nobody'", owner="nobody")
    exchange.collect()
    assert "'of daemon'" in exchange.got("daemon")
    assert exchange.said("names daemon, but nobody has put it there")


def test_a_copy_of_an_exchange_belongs_to_who_made_it(exchange: Exchange) -> None:
    exchange.hand_in("ada", owner=ME)
    exchange.collect()
    assert exchange.students() == {"ada"}
    assert exchange.said(f"belongs to {ME}, who collects: whether ada submitted it cannot be told") and not exchange.said("cheating")


@as_root
def test_where_students_are_no_system_users_the_owner_does_not_matter(exchange: Exchange) -> None:
    exchange.hand_in("ada", owner="nobody")
    exchange.collect(check_owner=False)
    assert exchange.students() == {"ada"}


@pytest.mark.parametrize("link_to", ["secret.txt", "folder", "nowhere"])
def test_a_link_is_not_followed(exchange: Exchange, tmp_path: Path, link_to: str) -> None:
    (tmp_path / "folder").mkdir()
    for secret in (tmp_path / "secret.txt", tmp_path / "folder/secret.txt"):
        secret.write_text("the hidden tests", encoding="utf-8")
    folder = exchange.hand_in(ME)
    (folder / "data").symlink_to(tmp_path / link_to)
    give(folder, ME)
    exchange.collect()
    collected = exchange.course / "submitted" / ME / "ps1"
    assert sorted(path.name for path in collected.iterdir()) == ["p1.ipynb", "submission_secret.txt", "timestamp.txt"]
    assert exchange.said(f"'data' of {ME} is not collected, because it is a link")


@as_root
def test_a_hard_link_to_another_ones_file_is_not_collected(exchange: Exchange, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the hidden tests", encoding="utf-8")
    folder = exchange.hand_in("daemon")
    os.link(tmp_path / "secret.txt", folder / "data.txt")
    exchange.collect()
    assert not (exchange.course / "submitted/daemon/ps1/data.txt").exists()
    assert exchange.said("'data.txt' of daemon is not collected")


def test_a_submission_that_is_itself_a_link_is_not_collected(exchange: Exchange, tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (exchange.inbound / f"{ME}+ps1+{EARLY}+abc").symlink_to(tmp_path / "source")
    exchange.collect()
    assert exchange.students() == set()
    assert exchange.said("it is not a folder")


def test_a_pipe_does_not_hold_up_the_collecting(exchange: Exchange) -> None:
    os.mkfifo(exchange.hand_in(ME) / "pipe")
    exchange.collect()
    assert exchange.got(ME) and exchange.said(f"'pipe' of {ME} is not collected")


@pytest.mark.parametrize("name", [f"{ME}+ps1+noon+abc", f"{ME}+ps1+", f"{ME}+ps1+9999999-99-99 UTC+abc", "+ps1++"])
def test_a_name_that_is_no_submission_costs_nobody_anything(exchange: Exchange, name: str) -> None:
    exchange.hand_in(ME)
    (exchange.inbound / name).mkdir()
    exchange.collect(check_owner=False)
    assert exchange.students() == {ME}
    assert exchange.said(repr(name))


@pytest.mark.parametrize("size", [300_000, 1_000_000_000])
def test_what_is_too_large_is_left_out_and_the_notebook_is_collected(exchange: Exchange, size: int) -> None:
    with (exchange.hand_in(ME, answer="'kept'") / "large.bin").open("wb") as file:
        file.truncate(size)
    (exchange.inbound / f"{ME}+ps1+{EARLY}+abcdefghijkl" / "data.csv").write_text("1,2", encoding="utf-8")
    exchange.collect(check_owner=False)
    assert "'kept'" in exchange.got(ME) and exchange.got(ME, "data.csv") == "1,2"
    assert not (exchange.course / "submitted" / ME / "ps1/large.bin").exists()
    assert exchange.said("`large.bin` (") and exchange.said("raise c.CourseDirectory.max_")


def test_files_that_fill_what_is_allowed_are_collected(exchange: Exchange) -> None:
    """With nbgrader's own two, which have to find room beside them."""
    folder = exchange.hand_in(ME)
    (folder / "data.bin").write_bytes(b"0" * (200_000 - 1000 - sum(path.stat().st_size for path in folder.iterdir())))
    exchange.collect(check_owner=False)
    assert (exchange.course / "submitted" / ME / "ps1/data.bin").exists() and not exchange.said("left out")


def test_a_notebook_that_is_too_large_replaces_none(exchange: Exchange) -> None:
    exchange.hand_in(ME, answer="'first'")
    exchange.collect(check_owner=False)
    os.truncate(exchange.hand_in(ME, LATE) / "p1.ipynb", 1_000_000_000)
    exchange.collect(check_owner=False)
    assert "'first'" in exchange.got(ME)
    assert exchange.said("is not collected: it cannot be collected without p1.ipynb: one file may have 100 MB")


@pytest.mark.parametrize("name", ["timestamp.txt", "submission_secret.txt"])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link", "sparse"])
def test_nothing_stands_where_nbgrader_writes_its_own_files(exchange: Exchange, tmp_path: Path, name: str, kind: str) -> None:
    place = exchange.hand_in(ME) / name
    place.unlink()
    {
        "folder": lambda: [place.mkdir(), (place / "x").touch()],
        "pipe": lambda: os.mkfifo(place),
        "link": lambda: place.symlink_to(tmp_path / "elsewhere"),
        "sparse": lambda: [place.touch(), os.truncate(place, 1_000_000_000)],
    }[kind]()
    exchange.collect(check_owner=False)
    assert parse_utc(exchange.got(ME, "timestamp.txt")) == datetime(2026, 1, 31, 12, 0, 0, 1)
    assert len(exchange.got(ME, "submission_secret.txt")) == 128 and not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda folder: (folder / "/".join(["f" * 200] * 6)).mkdir(parents=True) or (folder / "/".join(["f" * 200] * 6) / "x").touch(), "1000 bytes"),
        (lambda folder: [(folder / str(number)).touch() for number in range(10_001)], "10,000 files and folders"),
    ],
    ids=["long", "many"],
)
def test_folders_that_fill_the_disk_with_names_are_collected_in_part(exchange: Exchange, spoil: Callable[[Path], object], why: str) -> None:
    spoil(exchange.hand_in(ME))
    exchange.collect(check_owner=False)
    collected = exchange.course / "submitted" / ME / "ps1"
    assert exchange.got(ME) and exchange.said(why)
    assert len(list(collected.rglob("*"))) <= 10_000 and max(len(os.fsencode(path.relative_to(collected))) for path in collected.rglob("*")) <= 1000


@as_root
def test_a_folder_that_its_student_has_closed_is_told_and_nothing_of_it_is_collected(own_folder: Path, gradebook: Path) -> None:
    """As an instructor who is not root: half a submission would look like a whole one."""
    exchange = Exchange(own_folder, gradebook)
    closed = exchange.hand_in("daemon") / "closed"
    closed.mkdir(mode=0o700)
    give(closed, "daemon")
    give(exchange.course, "nobody")
    exchange.inbound.parents[1].chmod(0o777)
    asked = multiprocessing.get_context("fork").Process(target=collect_as, args=(exchange, "nobody"))
    asked.start()
    asked.join(60)
    assert asked.exitcode == 0
    assert exchange.students() == set()


def collect_as(exchange: Exchange, account: str) -> None:
    """Collect with another account's rights; ends with 0 where the right thing is said."""
    os.setgid(pwd.getpwnam(account).pw_gid)
    os.setuid(pwd.getpwnam(account).pw_uid)
    exchange.collect()
    os._exit(0 if exchange.said("it has a folder that cannot be read (Permission denied)") else 1)


def test_a_disk_that_is_full_is_no_students_failure(exchange: Exchange, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    exchange.hand_in(ME)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copytree", full)
        with pytest.raises(OSError, match="No space left"):
            exchange.collect()
    exchange.collect()
    assert exchange.students() == {ME} and not exchange.said("not collected")


@pytest.mark.parametrize("spoilt", [None, b"", b"../../etc", b"\xff\xfe", b"5" * 127])
def test_a_spoilt_secret_is_made_anew_so_that_feedback_can_be_released(exchange: Exchange, spoilt: bytes | None) -> None:
    secret = exchange.hand_in(ME) / "submission_secret.txt"
    secret.unlink() if spoilt is None else secret.write_bytes(spoilt)
    give(secret.parent, ME)
    exchange.collect()
    made = exchange.got(ME, "submission_secret.txt")
    assert len(made) == 128
    shutil.rmtree(exchange.course / "submitted")
    exchange.collect()
    assert exchange.got(ME, "submission_secret.txt") == made, "the same hand-in is the same, whenever it is collected"


def test_the_time_in_the_file_is_the_one_in_the_name(exchange: Exchange) -> None:
    folder = exchange.hand_in(ME, LATE)
    (folder / "timestamp.txt").write_text(EARLY, encoding="utf-8")
    exchange.collect()
    assert parse_utc(exchange.got(ME, "timestamp.txt")).replace(tzinfo=UTC) == datetime(2026, 1, 31, 13, 0, 0, 1, tzinfo=UTC)


def submit_at_once(inbound: Path, home: Path, student: str, start: Barrier) -> None:
    """What a student's *Submit* does, at the moment when everybody else's does, too."""
    config = Config(
        {
            "Exchange": {"root": str(inbound.parents[1]), "cache": str(home / "cache" / student), "assignment_dir": str(home)},
            "CourseDirectory": {"course_id": "course101", "assignment_id": "ps1", "student_id": student},
        }
    )
    submission = ExchangeSubmit(coursedir=CourseDirectory(config=config), authenticator=Authenticator(config=config), config=config)
    start.wait(60)
    submission.start()


def test_of_many_who_submit_in_the_same_moment_none_is_lost(exchange: Exchange, tmp_path: Path) -> None:
    students = {f"student{number}" for number in range(112)}  # as many as in nbgrader's issue 919
    for folder in (tmp_path / "home/ps1", exchange.inbound.parent / "outbound/ps1"):
        folder.mkdir(parents=True)
        nbformat.write(nbformat.v4.new_notebook(), folder / "p1.ipynb")
    exchange.inbound.parents[1].chmod(0o777)
    fork = multiprocessing.get_context("fork")
    start = fork.Barrier(len(students))
    everybody = [fork.Process(target=submit_at_once, args=(exchange.inbound, tmp_path / "home", student, start)) for student in students]
    for one in everybody:
        one.start()
    for one in everybody:
        one.join(120)
    assert [one.exitcode for one in everybody] == [0] * len(students)
    exchange.collect(check_owner=False)
    assert exchange.students() == students
    assert len({exchange.got(student, "submission_secret.txt") for student in students}) == len(students)


def test_a_folder_in_a_submission_comes_along(exchange: Exchange) -> None:
    folder = exchange.hand_in(ME)
    (folder / "figures").mkdir()
    (folder / "figures/plot.txt").write_text("a plot", encoding="utf-8")
    give(folder, ME)
    exchange.collect()
    assert exchange.got(ME, "figures/plot.txt") == "a plot"

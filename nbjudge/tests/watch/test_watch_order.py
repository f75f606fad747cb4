"""The order in which hand-ins are graded, what is remembered, and what a look sees: without a process, by a clock of the test's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nbjudge._common.settings import Watch
from nbjudge._watch.queue import Journal, Queue, QueuedHandIn
from nbjudge._watch.scan import LONGEST_PAUSE, Place, later, look, sign

HOUR = 3600.0


def queue(path: Path, **settings: float) -> tuple[Queue, Journal]:
    chosen = Watch(**settings)
    journal = Journal(path / "watch.jsonl", HOUR, 0)
    return Queue(chosen, journal), journal


def seen(number: int) -> tuple[int, int, int, int]:
    return number, number, number, number


def look_closer(waiting: Queue, now: float) -> None:
    for hand_in in waiting.to_look_at(now):
        hand_in.is_new = True


def test_one_student_with_fifty_hand_ins_holds_nobody_up(tmp_path: Path) -> None:
    waiting, _ = queue(tmp_path, limit=100)
    found = {("busy", f"a{number}"): seen(1) for number in range(50)} | {(f"s{number}", "a0"): seen(1) for number in range(9)}
    waiting.see(found, 0)
    assert list(waiting.to_look_at(0.9)) == []  # not quiet yet
    look_closer(waiting, 2)
    order = []
    for turn in range(20):
        hand_in = waiting.next(2, 10.0 + turn, (), lambda *_: None)
        order.append(hand_in.place[0])
        waiting.settle(hand_in, True, 10.0 + turn)
    assert sorted(order[:10]) == sorted(["busy", *(f"s{number}" for number in range(9))])
    assert order[10:] == ["busy"] * 10


def test_the_limit_holds_back_what_was_graded_before_and_is_remembered(tmp_path: Path) -> None:
    waiting, journal = queue(tmp_path, limit=2)
    held: list[tuple[QueuedHandIn, float]] = []
    place: Place = ("ada", "week1")
    for version in range(5):
        waiting.see({place: seen(version), ("ada", "week2"): seen(0)}, version * 100)
        look_closer(waiting, version * 100 + 50)
        if version < 2:
            hand_in = waiting.next(version * 100 + 50, 1000.0 + version, {place}, lambda *told: held.append(told))
            waiting.settle(waiting.waiting[place], True, 1000.0 + version)
            assert hand_in is not None and held == []
    first = waiting.next(500, 1010.0, {place}, lambda *told: held.append(told))
    assert first is not None and first.place == ("ada", "week2")  # the first of an assignment never waits
    waiting.settle(first, True, 1010.0)
    assert waiting.next(500, 1020.0, {place, first.place}, lambda *told: held.append(told)) is None
    assert [(one.place, one.sign, until) for one, until in held] == [(place, seen(4), 1000.0 + HOUR)]
    journal.flush()
    again = Journal(tmp_path / "watch.jsonl", HOUR, 1020.0)
    assert again.free_at("ada", 2, 1020.0) == 1001.0 + HOUR
    assert again.free_at("ada", 2, 1001.0 + HOUR) == 1001.0 + HOUR
    assert again.free_at("ada", 2, 900.0) == 900.0  # a clock that was set back
    assert again.settled[place] == seen(1)


@pytest.mark.parametrize("damage", ["", "{", "[]\n", '{"place": ["ada"]}\n', '{"place": 3, "sign": [1], "at": "x"}\n', "\x00\n", "[" * 100_000])
def test_a_damaged_journal_says_what_it_can_and_is_whole_again(tmp_path: Path, damage: str) -> None:
    _, journal = queue(tmp_path)
    journal.write(("a\udcff", "week1"), seen(1), True, 5.0)
    journal.flush()
    path = tmp_path / "watch.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + damage, encoding="utf-8")
    for _ in range(2):
        again = Journal(path, HOUR, 10.0)
        assert again.settled == {("a\udcff", "week1"): seen(1)}
        assert again.free_at("a\udcff", 1, 10.0) == 5.0 + HOUR


def test_every_change_of_a_hand_in_changes_its_sign_and_no_hidden_file_does(tmp_path: Path) -> None:
    folder = tmp_path / "ada" / "week1"
    (folder / "data").mkdir(parents=True)
    file = folder / "data" / "table.csv"
    signs = [sign(folder)]

    def changed() -> bool:
        signs.append(sign(folder))
        return signs[-1] != signs[-2]

    file.write_text("1", encoding="utf-8")
    assert changed()
    about = file.stat()
    (tmp_path / "new").write_text("2", encoding="utf-8")
    os.utime(tmp_path / "new", ns=(about.st_atime_ns, about.st_mtime_ns))  # as a program that keeps times
    os.replace(tmp_path / "new", file)
    assert changed()
    file.chmod(0o600)
    assert changed()
    file.unlink()
    assert changed()
    os.mkfifo(folder / "pipe")
    assert changed()
    assert not changed()


def test_a_look_names_each_place_and_survives_every_name(tmp_path: Path) -> None:
    for name in (b"ada/week1", b"bob", b"\xff/week1", b"a*/week1", b".hidden/week1"):
        os.makedirs(os.path.join(os.fsencode(tmp_path), name))
    (tmp_path / "stray").write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "ada")
    assert set(look(tmp_path)) == {("ada", "week1"), ("bob", ""), ("\udcff", ""), ("a*", ""), ("stray", ""), ("link", "")}
    assert look(tmp_path / "nothing") == {}


def test_pauses_grow_and_have_an_end() -> None:
    assert [later(tries) for tries in range(4)] == [5, 10, 20, 40]
    assert later(10**6) == LONGEST_PAUSE

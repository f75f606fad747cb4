"""Grading by question in a gradebook on PostgreSQL, two people at once."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from helpers.by_question import ASSIGNMENT, NOTEBOOK, WHY, make
from nbjudge._by_question.store import Place, Stale, Store, seen_of
from nbjudge.testing.servers import Postgres, programs

pytestmark = [pytest.mark.database, pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed: sudo apt-get install -y postgresql")]
PLACE = Place(ASSIGNMENT, NOTEBOOK, WHY)


def test_a_rubric_moves_to_a_server_and_one_of_two_who_click_at_once_is_told(tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    store = Store(make(tmp_path / "course", 4))
    store.change_rubric(
        PLACE, seen_of(store.read(PLACE).rubric), {"what": "add", "items": [{"label": "a", "points": 1}, {"label": "b", "points": 0.5}]}
    )
    with Postgres(tmp_path / "p") as server:
        address = server.database("questions")
        done = subprocess.run(
            [sys.executable, "-m", "nbjudge", "move", address], cwd=tmp_path / "course", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        whole = Store(address).read(PLACE)
        assert whole.told() == store.read(PLACE).told()
        answer, (first, second) = whole.answers[0], whole.rubric.items
        seen, told = answer.state(whole.rubric, 2)["seen"], []

        def click(item: str) -> None:
            try:
                Store(address).grade(PLACE, answer.key, seen, {"mode": "rubric", "items": [item]}, lambda question, answer: "")
                told.append("saved")
            except Stale:
                told.append("told")

        both = [threading.Thread(target=click, args=(item.id,)) for item in (first, second)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert sorted(told) == ["saved", "told"]
        now = Store(address).read(PLACE)
        assert now.by_key[answer.key].points in (1, 0.5)
        changed = Store(address).change_rubric(
            PLACE, seen_of(now.rubric), {"what": "change", "item": now.by_key[answer.key].items[0], "label": "c", "points": 2}
        )
        assert changed.about["recalculated"] == 1
        assert changed.whole.by_key[answer.key].points == 2

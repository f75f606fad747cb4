"""What a watcher did, kept so that the next one goes on from there: which hand-ins are settled, and when students were graded.

One line of JSON for each, added as it happens. A line that was cut off counts for nothing. Without the file nothing is lost: hand-ins are
compared with the receipts of their gradings, and limits begin anew.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import Any

from examiner.watching.sight import Place, Sign


class Journal:
    """The journal in a file, and what it says.

    Args:
        path: of the file; it need not be there.
        seconds: for how long a grading counts.
        now: seconds since 1970.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path, seconds: float, now: float):
        self.settled: dict[Place, Sign] = {}
        self.is_graded: dict[Place, bool] = {}
        self._path, self._seconds = path, seconds
        self._gradings: dict[str, set[float]] = defaultdict(set)
        self._waiting: list[str] = []
        with contextlib.suppress(FileNotFoundError), path.open(encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                self._take(line)
        self._rewrite(now)

    def write(self, place: Place, sign: Sign, is_graded: bool, graded_at: float | None = None) -> None:
        """Note what became of a hand-in: whether it has points, and when it was graded, if it was now. `flush` writes it to the file."""
        line = json.dumps({"place": place, "sign": sign, "graded": is_graded, "at": graded_at})
        self._take(line)
        self._waiting.append(line)

    def flush(self) -> None:
        """Write what was noted. What cannot be written now is written the next time."""
        if self._waiting:
            with contextlib.suppress(OSError):
                self._path.parent.mkdir(exist_ok=True)
                with self._path.open("a", encoding="utf-8") as file:
                    file.write("".join(f"{line}\n" for line in self._waiting))
                self._waiting.clear()

    def free_at(self, student: str, limit: int, now: float) -> float:
        """When a student may be graded again: now, or later where there were `limit` gradings within the time that counts."""
        times = sorted(at for at in self._gradings[student] if now - self._seconds < at <= now)  # a clock that was set back holds nobody up
        self._gradings[student] = set(times)
        return now if len(times) < limit else times[-limit] + self._seconds

    def last(self, student: str) -> float:
        """When a student was graded last; 0.0 where that does not count any more."""
        return max(self._gradings[student], default=0.0)

    def forget(self, places: Collection[Place]) -> None:
        """Nothing of these is settled any more."""
        for place in places:
            self.settled.pop(place, None)
            self.is_graded.pop(place, None)

    def _take(self, line: str) -> None:
        with contextlib.suppress(ValueError, KeyError, TypeError, RecursionError):
            told: dict[str, Any] = json.loads(line)
            student, name = map(str, told["place"])
            if told["at"] is not None:
                self._gradings[student].add(float(told["at"]))
            if told["sign"] is not None:
                count, newest, size, numbers = map(int, told["sign"])
                self.settled[student, name] = count, newest, size, numbers
                self.is_graded[student, name] = bool(told["graded"])

    def _rewrite(self, now: float) -> None:
        """Keep of the file what still counts, so that it does not grow for ever."""
        last = [{"place": place, "sign": sign, "graded": self.is_graded[place], "at": None} for place, sign in self.settled.items()]
        times = [
            {"place": (student, ""), "sign": None, "graded": True, "at": at}
            for student, found in self._gradings.items()
            for at in found
            if now - self._seconds < at <= now
        ]
        self._path.parent.mkdir(exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text("".join(f"{json.dumps(line)}\n" for line in (*last, *times)), encoding="utf-8")
        os.replace(fresh, self._path)

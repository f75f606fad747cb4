"""Make the fingerprints of all lessons and say where they are not what is committed; for `test_portable.py`, in a process of its own."""

from __future__ import annotations

import sys

from authoring.lessons import find_lessons, read_text
from authoring.variations.making import make_variations
from tests.portable.profile import disturb_this_process

if __name__ == "__main__":
    disturb_this_process()
    changed = []
    for lesson in find_lessons():
        committed = lesson.variations.read_text(encoding="utf-8")
        made = make_variations(lesson, read_text(lesson))
        changed += [f"{lesson.assignment}: {line[:200]}" for line in sorted(set(made.splitlines()) - set(committed.splitlines()))]
        changed += [f"{lesson.assignment}: not any more: {line[:200]}" for line in sorted(set(committed.splitlines()) - set(made.splitlines()))]
    sys.exit("\n".join(["other fingerprints:", *changed]) if changed else 0)

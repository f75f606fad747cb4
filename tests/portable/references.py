"""Compute the references of all lessons and say where they are not what is committed; for `test_portable.py`, in a process of its own."""

from __future__ import annotations

import json
import sys

from authoring.lessons import find_lessons, read_text
from authoring.references import make_references
from tests.portable.profile import disturb_this_process

if __name__ == "__main__":
    disturb_this_process()
    changed = [
        lesson.assignment
        for lesson in find_lessons()
        if json.dumps(make_references(lesson, read_text(lesson))) != json.dumps(json.loads(lesson.data.read_text(encoding="utf-8")))
    ]
    sys.exit(f"other references: {', '.join(changed)}" if changed else 0)

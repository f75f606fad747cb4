"""What `test_full_disk.py` runs: a course on a small disk of its own, which is full before the class is graded.

    python -m helpers.full_disk FOLDER

The disk is a memory file system in this process's own mount namespace, so nothing of it is left when the process ends. Prints
one line of JSON: what each run said and what it left. Exit status `IMPOSSIBLE` where no such namespace can be made.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

from helpers.courses import COMMAND, ENVIRONMENT, make_course, receipts, recorded
from nbjudge._course.feedback_state import RESULTS
from nbjudge._student import namespaces

IMPOSSIBLE = 77
STUDENTS = 12
DISK_MB = 64
FIT = 7.5  # graded submissions for which the disk has room


def main() -> int:
    """Grade one student to see how much room that takes, then the class with too little room, then with enough."""
    folder = Path(sys.argv[1])
    try:
        mount_small_disk(folder)
    except OSError as error:
        print(error, file=sys.stderr)
        return IMPOSSIBLE
    root = make_course(folder, STUDENTS)
    (root / "submitted").rename(root / "waiting")
    (root / "submitted").mkdir()
    let_in(root, 1)
    one = run(root)
    taken = sum(path.stat().st_size for kind in ("autograded", "feedback") for path in (root / kind / "s0").rglob("*"))
    let_in(root, STUDENTS)
    leave_room(root / "filler", int(FIT * taken))
    full = run(root)
    (root / "filler").unlink()
    print(json.dumps({"one": one, "full": full, "again": run(root)}))
    return 0


def mount_small_disk(folder: Path) -> None:
    """Raises `OSError` where that is not possible."""
    uid, gid = os.getuid(), os.getgid()
    namespaces._call("unshare", namespaces.CLONE_NEWNS | (namespaces.CLONE_NEWUSER if uid else 0))
    if uid:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            Path("/proc/self", name).write_text(text)
    namespaces.mount("none", "/", None, namespaces.MS_REC | namespaces.MS_PRIVATE)
    namespaces.mount("tmpfs", str(folder), "tmpfs", namespaces.MS_NOSUID | namespaces.MS_NODEV, f"size={DISK_MB}m")
    if uid:  # bubblewrap wants either root or no rights at all
        namespaces.drop_capabilities()
    os.chdir(folder)


def let_in(root: Path, count: int) -> None:
    """Have the first `count` students hand in."""
    for number in range(count):
        if (root / f"waiting/s{number}").exists():
            (root / f"waiting/s{number}").rename(root / f"submitted/s{number}")


def leave_room(filler: Path, room: int) -> None:
    """Fill the disk but for `room` bytes."""
    disk = os.statvfs(filler.parent)
    with filler.open("wb") as file:
        for _ in range((disk.f_bavail * disk.f_frsize - room) // 4096):
            file.write(b"\0" * 4096)


def run(root: Path) -> dict:
    """Grade, and look at what is there afterwards."""
    done = subprocess.run(COMMAND, cwd=root, env=ENVIRONMENT, text=True, capture_output=True, timeout=200, check=False)
    disk = os.statvfs(root)
    with sqlite3.connect(root / "gradebook.db") as gradebook:
        [sound] = gradebook.execute("PRAGMA integrity_check").fetchone()
    return {
        "status": done.returncode,
        "said": done.stdout + done.stderr,
        "room": disk.f_bavail * disk.f_frsize,
        "gradebook": sound,
        "scores": recorded(root),
        "receipts": receipts(root),
        "results": len([*(root / RESULTS).glob("*/*")]),
    }


if __name__ == "__main__":
    sys.exit(main())

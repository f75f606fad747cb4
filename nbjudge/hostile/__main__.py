"""Use the corpus: `python -m hostile --help`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import course, points


def main() -> int:
    """Exit status 1 where a grader was fooled, 2 where a command cannot do what it should."""
    parser = argparse.ArgumentParser(prog="python -m hostile", description="Cheats and faults, to try a grader on.")
    commands = parser.add_subparsers(dest="command", required=True)
    about = {
        "write": "write all of it to a new folder, as an nbgrader course with right.json",
        "tell": "read what graders gave (CSV, or JSON like right.json), and tell which cheats earned and which faults cost more than one test",
        "nbjudge": "grade it with nbjudge, and write the points to a CSV file",
        "second_road": "grade it with nbjudge, every test on the second road, and write the points to a CSV file",
        "stock": "grade it with stock nbgrader in a cage, and write the points to a CSV file",
    }
    for name, words in about.items():
        command = commands.add_parser(name, help=words, description=words)
        command.add_argument("path", type=Path, nargs="+" if name == "tell" else None, metavar={"write": "FOLDER"}.get(name, "POINTS"))
        if name != "tell":
            command.add_argument("names", nargs="*", metavar="NAME", help="cheats and faults; all by default")
    given = parser.parse_args()
    try:
        return _tell(given.path) if given.command == "tell" else _make(given.command, given.path, given.names)
    except points.Refused as error:
        reason = str(error)
    except FileExistsError as error:
        reason = f"{error} is not empty. Nothing was written. Next: name a folder that is not there yet"
    except KeyError as error:
        reason = f"there is no cheat and no fault {error}. Nothing was done. Next: take the name of a file in cheats/ or faults/, without .py"
    except OSError as error:
        reason = f"{error}. Next: look whether the path is right"
    print(f"{reason}.", file=sys.stderr)
    return 2


def _make(command: str, path: Path, names: list[str]) -> int:
    if command == "write":
        course.write(path, names)
        print(f"{path}: a course with {len(course.chosen(names))} submissions. right.json says what points are right.")
        return 0
    if path.suffix != ".csv":
        raise points.Refused(f"{path} does not end in .csv. Nothing was done. Next: give the file such a name")
    try:
        from nbjudge import GraderError

        from . import runners

        run = {"nbjudge": runners.with_nbjudge, "second_road": runners.on_second_road, "stock": runners.with_stock}[command]
    except ImportError as error:
        raise points.Refused(
            f"nbjudge cannot be imported ({error}). Nothing was done. Next: pip install it; `write` and `tell` work without"
        ) from error
    try:
        points.write(path, run(names))
    except GraderError as error:
        raise points.Refused(f"nothing was graded: {error}. Next: python -m nbjudge doctor") from error
    print(f"{path}: written. Next: python -m hostile tell {path}")
    return 0


def _tell(paths: list[Path]) -> int:
    table, fooled = points.tell({path.stem: points.read(path) for path in paths})
    print(table)
    return int(fooled)


if __name__ == "__main__":
    sys.exit(main())

"""`python -m nbjudge`. All of it is in `cli`, so that worker processes, which read this file again, have nothing to load."""


def main() -> int:
    """Run one command; return the exit status."""
    import sys
    from pathlib import Path

    from nbjudge._common import preload  # before anything else: see there

    command, here = sys.argv[1:2], Path.cwd()
    if command == ["watch"] or (command == ["grade"] and preload.something_waits(here, here / "submitted", here / "source")):
        preload.begin(executes=True, sources=here / "source")
        if not any(word.startswith("--cluster") for word in sys.argv):
            from nbjudge._sandbox import early

            early.begin(here)
    elif command == ["report"] or (command == ["grade"] and not preload.is_all_graded(here / "submitted", here / "autograded")):
        preload.begin()
    from nbjudge._commands.cli import main as run

    return run()


if __name__ == "__main__":
    raise SystemExit(main())

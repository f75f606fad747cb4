"""`python -m nbjudge`. All of it is in `cli`, so that worker processes, which read this file again, have nothing to load."""

FORKING = ("grade", "watch")  # commands that start many processes


def main() -> int:
    """Run one command; return the exit status."""
    import sys

    from nbjudge._common import preload  # before anything else: see there

    if sys.argv[1:2] and sys.argv[1] in FORKING:
        preload.begin()
    from nbjudge._commands.cli import main as run

    return run()


if __name__ == "__main__":
    raise SystemExit(main())

"""`python -m examiner`. All of it is in `cli`, so that worker processes, which read this file again, have nothing to load."""

FORKING = ("grade", "watch")  # commands that start many processes


def main() -> int:
    """Run one command; return the exit status."""
    import sys

    import examiner.wire.lean
    from examiner.classroom import ahead

    assert examiner.wire.lean
    if sys.argv[1:2] and sys.argv[1] in FORKING:
        ahead.begin()
    from examiner.cli import main as run

    return run()


if __name__ == "__main__":
    raise SystemExit(main())

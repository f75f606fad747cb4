"""`python -m examiner`. All of it is in `cli`, so that worker processes, which read this file again, have nothing to load."""

if __name__ == "__main__":
    import sys

    from examiner.cli import main

    sys.exit(main())

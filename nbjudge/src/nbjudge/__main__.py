"""`python -m nbjudge`. All of it is in `cli`, so that worker processes, which read this file again, have nothing to load."""


def main() -> int:
    """Run one command; return the exit status."""
    import importlib
    import sys
    from pathlib import Path

    from nbjudge._common import preload  # before anything else: see there

    command, here = sys.argv[1:2], Path.cwd()
    is_clustered = any(word.startswith("--cluster") for word in sys.argv)
    waits = command == ["watch"] or (command == ["grade"] and preload.something_waits(here, here / "submitted", here / "source"))
    executes = waits and not is_clustered
    if executes:
        from nbjudge._sandbox import early

        early.begin(here)
    importlib.import_module("nbjudge._wire.single_threaded")  # before NumPy is there, of which what is copied has no threads
    from nbjudge._commands.cli import main as run

    if command in (["watch"], ["grade"], ["report"], ["feedback"]):
        preload.begin(executes, here / "source", is_copy=True)
    return run()


if __name__ == "__main__":
    raise SystemExit(main())

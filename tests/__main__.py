"""`python -m tests`: the whole suite. The few tests that fail beside others are run once more, alone, and named either way.

Three tests run at once, each with kernels, browsers or servers, on a machine that may have two cores. What a test waits for can then come
too late. A test that fails alone, too, has failed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FAILED = 1  # pytest's exit status when tests failed, and nothing else went wrong
MOST = 5  # tests; where more fail, something is broken


def run(arguments: list[str], cache: Path) -> int:
    """pytest's exit status, with a cache of this run's own."""
    return subprocess.run([sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", *arguments], cwd=ROOT, check=False).returncode


def failed(cache: Path) -> list[str]:
    """The names of the tests that failed last."""
    found = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(found.read_text(encoding="utf-8"))) if found.is_file() else []


def main(arguments: list[str]) -> int:
    """Run the suite, or the part that the arguments name; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        status, names = run(arguments, cache), failed(cache)
        if status != FAILED or not 0 < len(names) <= MOST:
            return status
        print(f"\nOnce more, alone: {', '.join(names)}\n", flush=True)
        status = run([*arguments, "--last-failed", "-n", "0"], cache)
        again = failed(cache)
        if passed := [name for name in names if name not in again]:
            print(f"\nFailed beside other tests, and passed alone: {', '.join(passed)}. Look why.", flush=True)
        return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

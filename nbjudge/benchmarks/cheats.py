"""Prints what each cheat of nbjudge/hostile/cheats earns: from the grader, and from stock nbgrader, run live beside it.

    python benchmarks/cheats.py [NAME ...]

Stock nbgrader runs hostile code without protection, so it runs in the cage of `stock.py` here, each cheat in a course of its own
with a second submission to steal from.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import stock

from hostile import CHEATS, HONEST, cheat_source, cheat_submission
from nbjudge._execution.execute import execute
from nbjudge._sandbox.starting import WarmKernels
from nbjudge._wire.limits import Limits

CAGE = stock.Cage(seconds=120, cell_seconds=20)


def main() -> None:
    """Print the table and a summary."""
    paths = [path for path in CHEATS if not sys.argv[1:] or path.stem in sys.argv[1:]]
    with WarmKernels() as warm:
        ours = {path.stem: _nbjudge(path, warm) for path in paths}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        stock = dict(zip([path.stem for path in paths], threads.map(_stock, paths)))
    print(f"{'cheat':<28}{'nbjudge':>9}  {'stock':<30}of 10 points")
    for name in ours:
        print(f"{name:<28}{ours[name]:>9g}  {stock[name]}")
    fooled = sum(text not in ("0",) and not text.startswith("no grade") for text in stock.values())
    lost = sum(text.startswith("no grade") for text in stock.values())
    print(
        f"\n{len(ours)} cheats. The grader gave points to {sum(p > 0 for p in ours.values())}; stock nbgrader to {fooled}, "
        f"and could not grade {lost}."
    )


def _nbjudge(path: Path, warm: WarmKernels) -> float:
    result = execute(cheat_submission(path), cheat_source(), warm, Limits(test_seconds=5, cell_seconds=5))
    return sum(verdict.points for verdict in result.verdicts)


def _stock(path: Path) -> str:
    """Points that stock nbgrader gives, or why there are none."""
    outcome = stock.grade(cheat_source(), cheat_submission(path), cheat_source(HONEST), CAGE)
    return f"no grade ({outcome.error})" if outcome.error else f"{sum(outcome.points.values()):g}"


if __name__ == "__main__":
    main()

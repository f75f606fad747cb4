"""Trains what the lessons train with 60 seeds, and says how often it came out as their text says, and how long it took.

    python benchmarks/training.py [LESSON ...] > benchmarks/training.txt

60 runs without a failure mean, with 95 % confidence, at most one failure in twenty (1 − 0.05^(1/60) = 4.9 %).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from specimens.trained import TRAININGS, Training

SEEDS = 60


def report(training: Training) -> str:
    """A line for one lesson: failures, processor seconds, and what each model answered right at the end."""
    seconds, failed, finals = [], [], {}
    for seed in range(1, SEEDS + 1):
        began = time.process_time()
        runs = training.learn(seed)
        seconds.append(time.process_time() - began)
        failed += [] if training.holds(runs) else [seed]
        for name, run in runs.items():
            finals.setdefault(name, []).append(run.final)
    reached = "; ".join(f"{name} {np.min(final):.0%} to {np.max(final):.0%}" for name, final in finals.items())
    return (
        f"{training.assignment}: {training.promised}\n  failures: {len(failed)} of {SEEDS}{f', seeds {failed}' if failed else ''}"
        f"\n  processor seconds: median {np.median(seconds):.1f}, longest {np.max(seconds):.1f}\n  right at the end: {reached}"
    )


if __name__ == "__main__":
    for one in TRAININGS:
        if len(sys.argv) == 1 or one.assignment in sys.argv[1:]:
            print(report(one), flush=True)

"""Tries to escape from the sandbox that grading uses, in many ways, and says what holds on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

from nbjudge._sandbox import bubblewrap, memory_groups
from nbjudge._sandbox.doctor.attempts import Attempt, AttemptResult, Pair
from nbjudge._sandbox.doctor.examination import ATTEMPTS, PAIRS, examine
from nbjudge._wire.limits import Limits

__all__ = ["ATTEMPTS", "PAIRS", "Attempt", "AttemptResult", "Pair", "examine", "main"]
WIDTH = 12


def main(packages: tuple[str, ...] = (), sandboxed: bool = True, limits: Limits | None = None) -> int:
    """Print what protects grading on this machine; 0 when every layer holds, else 1.

    Args:
        packages: what lessons import from outside Python's own folders.
        sandboxed: False tries the same without a sandbox.
        limits: those that grading uses; the usual ones by default.
    """
    if sandboxed and (missing := bubblewrap.why_not()):
        print(f"✗ no sandbox: {missing}")
        print("  Grading refuses to run like this. `--no-sandbox` grades without protection: only for work you trust.")
        return 1
    print(f"nbjudge on Python {sys.version.split()[0]}, {_sandbox_name() if sandboxed else 'WITHOUT a sandbox'}")
    print(f"  {memory_groups.what_holds()}")
    findings = examine(packages, sandboxed, limits or Limits())
    for finding in findings:
        print(_line(finding))
    counts = Counter("hole" if finding.is_hole else "held" if finding.holds else "known" for finding in findings)
    known = f" {counts['known']} more got through as nbjudge/docs/promises.md says they do (~)." if counts["known"] else ""
    if counts["hole"]:
        print(f"{counts['hole']} of {len(findings)} attempts got through (✗).{known}")
        print("  Next: do not grade work that you do not trust on this machine; nbjudge/docs/sandbox.md says what each layer does.")
        return 1
    print(f"All of {counts['held']} attempts to escape failed.{known}")
    return 0


def _line(finding: AttemptResult) -> str:
    mark = "✓" if finding.holds else "~" if finding.open else "✗"
    why = finding.open if finding.open and not finding.holds else finding.detail
    return f"{mark} {finding.layer:<{WIDTH}} {finding.what}{': ' * bool(why)}{why}"


def _sandbox_name() -> str:
    version = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    user = "a user of its own per kernel" if os.geteuid() == 0 else "your user, in a user namespace of its own"
    return f"{version}, {user}"

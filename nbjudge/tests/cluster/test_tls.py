"""Between the parts of a cluster with certificates nobody listens in, and nobody without them takes part."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nbjudge.testing import small_course
from nbjudge.testing.machines import machines

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(not shutil.which("openssl"), reason="openssl, which makes certificates, is not installed")]


def certificates(folder: Path) -> dict[str, str]:
    """The variables that `certificates.sh` says to set, for certificates that it makes."""
    script = Path(__file__).parents[2] / "deploy" / "dask" / "certificates.sh"
    assert "Next, on every machine" in subprocess.run(["sh", script, folder], capture_output=True, text=True, check=True).stdout
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())
    refused = subprocess.run(["sh", script, folder], capture_output=True, text=True, check=False)
    assert refused.returncode == 1 and "already" in refused.stderr
    return dict(re.findall(r"(DASK_\w+)=(\S+)", (folder / "environment.sh").read_text()))


def grade(root: Path, address: str, environment: dict[str, str], monkeypatch) -> str:
    with monkeypatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        done = small_course.run(root, "nbjudge", "grade", "--cluster", address, check=False)
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_a_cluster_with_certificates(tmp_path, monkeypatch):
    root = small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})
    ours, theirs = certificates(tmp_path / "ours"), certificates(tmp_path / "theirs")
    with machines(tmp_path / "plain", 0) as cluster:
        said = grade(root, cluster.address.replace("tcp", "tls"), ours, monkeypatch)
        assert "does not answer as a Dask scheduler" in said and "whether the scheduler uses TLS" in said
    with machines(tmp_path / "dask", 1, scheme="tls", environment=ours) as cluster:
        assert "name no certificates" in grade(root, cluster.address, {}, monkeypatch)
        assert "do not trust each other's certificates" in grade(root, cluster.address, theirs, monkeypatch)
        gone = {name: value.replace(os.fspath(tmp_path / "ours"), "/nowhere") for name, value in ours.items()}
        assert "cannot be used" in grade(root, cluster.address, gone, monkeypatch)
        plain = grade(root, cluster.address.replace("tls", "tcp"), {}, monkeypatch)
        assert "its address begins with tls://" in plain
        assert "1 graded, 0 graded before, 0 not graded" in grade(root, cluster.address, ours, monkeypatch)

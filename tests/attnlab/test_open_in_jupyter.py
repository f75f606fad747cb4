"""A lesson that is open in a running JupyterLab is not replaced under the learner's hands: asked of a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from jupyter_server.serverapp import list_running_servers

from attnlab.working_copy import is_open

pytestmark = pytest.mark.slow
SECONDS = 60


def test_what_a_server_has_a_kernel_for_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # which a running server is not asked through
    work = tmp_path / "work"
    lesson, other = work / "1_x" / "x.ipynb", work / "2_y" / "y.ipynb"
    for path in (lesson, other):
        path.parent.mkdir(parents=True)
        path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    assert not is_open(lesson)
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [sys.executable, "-m", "jupyter_server", str(work), "--port=19950", "--ServerApp.open_browser=False", *root]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + SECONDS
            while not (servers := list(list_running_servers())) and time.monotonic() < deadline:
                time.sleep(0.2)
            [server] = servers
            request = urllib.request.Request(
                f"{server['url']}api/sessions",
                json.dumps({"path": "1_x/x.ipynb", "type": "notebook", "name": "x", "kernel": {"name": "python3"}}).encode(),
                {"Authorization": f"token {server['token']}"},
            )
            direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            while True:
                try:
                    direct.open(request, timeout=SECONDS).close()
                    break
                except ConnectionError:
                    time.sleep(0.2)
                except urllib.error.URLError as error:
                    if isinstance(error, urllib.error.HTTPError) or time.monotonic() > deadline:
                        raise
                    time.sleep(0.2)
            assert is_open(lesson) and not is_open(other) and not is_open(tmp_path / "elsewhere.ipynb")
        finally:
            process.terminate()
    assert not is_open(lesson)

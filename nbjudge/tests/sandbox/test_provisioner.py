"""The sandboxed kernel, started by name by the programs that people use."""

import os
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from nbjudge._sandbox.provisioner import KERNEL_NAME, install_kernelspec
from nbjudge.testing.notebooks import notebook

pytestmark = pytest.mark.slow


@pytest.fixture
def kernel_by_name(tmp_path, monkeypatch):
    install_kernelspec(prefix=str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share" / "jupyter"))
    return KERNEL_NAME


def test_nbclient_runs_a_notebook_in_the_sandbox(kernel_by_name):
    nb = notebook("import os, socket\nprint(os.getcwd(), os.environ.get('HOME'))", "socket.create_connection(('127.0.0.1', 1))")
    client = NotebookClient(nb, kernel_name=kernel_by_name, timeout=30, allow_errors=True, coalesce_streams=True)
    client.execute()
    assert nb.cells[0].outputs[0].text == "/tmp/work /tmp/work\n"
    assert nb.cells[1].outputs[0].ename in ("OSError", "ConnectionRefusedError")


def test_nbclient_interrupts_and_reports_errors(kernel_by_name):
    with pytest.raises(CellExecutionError, match="KeyboardInterrupt"):
        NotebookClient(notebook("while True: pass"), kernel_name=kernel_by_name, timeout=1, interrupt_on_timeout=True).execute()


def test_nbval_checks_a_notebook_by_kernel_name(kernel_by_name, tmp_path):
    nb = notebook("1 + 1")
    nb.cells[0].execution_count = 1
    nb.cells[0].outputs = [nbformat.v4.new_output("execute_result", data={"text/plain": "2"}, execution_count=1)]
    nbformat.write(nb, tmp_path / "two.ipynb")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-kernel-name", kernel_by_name, "-q", "-p", "no:cacheprovider", "-c", "pytest.ini"]
    (tmp_path / "pytest.ini").write_text("[pytest]\n")  # as in a course of its own: this project's settings would start three more processes
    done = subprocess.run([*command, "two.ipynb"], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert "1 passed" in done.stdout, done.stdout + done.stderr

"""What a cell shows in the grader is what it shows in Jupyter: the student kernel has another connection, and nothing else.

One difference is meant: what a function under `interact` shows stands in the notebook, not in a widget that nobody will move.
"""

import re
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from nbjudge._execution.execute import execute
from nbjudge.testing.notebooks import notebook

pytestmark = pytest.mark.slow

CELLS = """
1 + 1
---
print("a")
print("b", end="")
import sys
print("c", file=sys.stderr)
---
def f():
    return 1 / 0
f()
---
import numpy as np
import matplotlib.pyplot as plt
plt.plot([1, 2])
---
from IPython.display import HTML, Markdown, clear_output, display
display(HTML("<b>x</b>"), Markdown("*y*"))
handle = display({"a": 1}, display_id=True)
handle.update({"a": 2})
---
print("gone")
clear_output()
print("stays")
---
input("name? ")
---
import os, time
status = os.system("echo from another program")
time.sleep(1)  # in Jupyter, what another program prints may come late, and is lost after the end of the cell
status
---
!echo from the shell
---
import asyncio
await asyncio.sleep(0.01)
5
---
import ipywidgets
ipywidgets.interact(lambda n: None, n=ipywidgets.IntSlider(min=0, max=9, value=4));
---
import threading
thread = threading.Thread(target=print, args=("from a thread",))
thread.start()
thread.join()
---
import multiprocessing
process = multiprocessing.get_context("fork").Process(target=print, args=("from a process",))
process.start()
process.join()
time.sleep(1)
---
import warnings
warnings.warn("careful")
---
x = 3;
x;
---
get_ipython().run_line_magic("precision", "2"), 3.14159
---
%%capture caught
print("kept")
---
caught.stdout, In[2][:5], Out[1], _
---
async def later():
    return 7
task = asyncio.create_task(later())
---
task.result()
---
f(
---
raise SystemExit
---
class Quiet(Exception):
    def _render_traceback_(self):
        return ["only this"]
raise Quiet("said")
"""
CHANGING = [
    (r"0x[0-9a-f]+", "ADDRESS"),
    (r"/\S*/ipykernel_\d+/\d+\.py", "CELL"),
    (r"[0-9a-f]{32}", "MODEL"),
    (r"\x1b\[[0-9;]*m", ""),
    (r"\r\n", "\n"),
]


def shown(cell: NotebookNode) -> str:
    """A cell's outputs as they are compared: parts of a stream that follow each other count as one, a trace by its last line."""
    result, streams = [], {"stdout": "", "stderr": ""}
    for output in cell.outputs:
        match output.output_type:
            case "stream":
                streams[output.name] += output.text
            case "error":
                result.append(("error", output.ename, output.evalue, len(output.traceback) > 0))
            case kind:
                data = {mime: "PICTURE" if mime.startswith("image/") else value for mime, value in output.data.items()}
                result.append((kind, data, dict(output.metadata), output.get("execution_count")))
    text = repr((result, streams))
    for pattern, replacement in CHANGING:
        text = re.sub(pattern, replacement, text)
    return text


def run_by_jupyter(nb: NotebookNode, folder: Path) -> NotebookNode:
    """`nb` as nbclient runs it in an ordinary kernel."""
    client = NotebookClient(nb, kernel_name="python3", allow_errors=True, timeout=60, resources={"metadata": {"path": str(folder)}})
    return client.execute()


def test_every_kind_of_output(warm, tmp_path, monkeypatch):
    monkeypatch.delenv("PYTEST_CURRENT_TEST")  # with it, ipykernel leaves the streams of other programs alone
    cells = [source.strip("\n") for source in CELLS.split("\n---\n")]
    here = execute(notebook(*cells), notebook(), warm).notebook
    there = run_by_jupyter(notebook(*cells), tmp_path)
    assert {cell.source: shown(cell) for cell in here.cells} == {cell.source: shown(cell) for cell in there.cells}

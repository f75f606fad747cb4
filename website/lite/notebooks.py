"""The lessons' notebooks as they stand in the browser: as the bundle has them, and the cell that gets Python ready is another one."""

from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from authoring.bundle.first_cell import CELL_ID

KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
ABOUT = """**You are in your browser.** Nothing is installed, and what you write stays here: to hand something in, download the notebook.
The next cell gets Python ready: from this site, and NumPy and matplotlib from cdn.jsdelivr.net. `torch` does not run here; a cell that needs it says
so, and you go on. A loop that never ends is not stopped here: choose *Kernel*, *Restart Kernel*."""
READY = """%pip install -q attnlab
from attnlab import in_browser

await in_browser.get_ready()"""


def in_browser(text: str) -> str:
    """A notebook of the bundle as one that runs in JupyterLite; without code in it, it only loses the bundle's first cell."""
    notebook = nbformat.reads(text, as_version=4)
    notebook.metadata.kernelspec = KERNEL
    notebook.cells = [cell for cell in notebook.cells if cell.id != CELL_ID]
    first = next((place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"), None)
    if first is not None:
        notebook.cells[first:first] = [new_markdown_cell(ABOUT, id="in_browser"), new_code_cell(READY, id=CELL_ID)]
    return nbformat.writes(notebook)

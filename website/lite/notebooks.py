"""The lessons' notebooks as they stand in the browser: as the bundle has them, and the cell that gets Python ready is another one."""

from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from authoring.bundle.first_cell import CELL_ID

KERNEL = {"display_name": "Python (Pyodide)", "language": "python", "name": "python"}
LANGUAGE = {  # word for word as its kernel says it; else a notebook counts as changed as soon as it is opened
    "codemirror_mode": {"name": "python", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",  # by which JupyterLab finds its own Python
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": "3.8",
}
ABOUT = """**In your browser**, the next cell gets Python ready, which takes some seconds. All of it comes from this site{but}. Nothing is
installed, and what you write stays in this browser: to keep it or to hand it in, choose *File*, *Download*. `torch` does not run here: the first cell
that needs it says so, and you go on. A loop that never ends is not stopped here: choose *Kernel*, *Restart Kernel*.

*On your computer*, the next cell does nothing."""
BUT = ", but for NumPy and matplotlib, which come from `{host}`"
READY = """import sys

if sys.platform == "emscripten":  # in a browser
    import piplite

    await piplite.install("attnlab")
    from attnlab import in_browser

    await in_browser.get_ready()"""


def in_browser(text: str, numpy_from: str) -> str:
    """A notebook of the bundle as one that runs in JupyterLite; without code in it, it only loses the bundle's first cell.

    Args:
        text: of the notebook.
        numpy_from: the host that NumPy and matplotlib come from; "" for the site itself.
    """
    notebook = nbformat.reads(text, as_version=4)
    about = ABOUT.format(but=BUT.format(host=numpy_from) if numpy_from else "")
    notebook.metadata |= {"kernelspec": KERNEL, "language_info": LANGUAGE}
    notebook.cells = [cell for cell in notebook.cells if cell.id != CELL_ID]
    first = next((place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"), None)
    if first is not None:
        notebook.cells[first:first] = [new_markdown_cell(about, id="in_browser"), new_code_cell(READY, id=CELL_ID)]
    return nbformat.writes(notebook)

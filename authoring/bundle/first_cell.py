"""The cell that makes a notebook of the bundle work where the course is not installed, such as on Colab."""

from __future__ import annotations

import copy
import re
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from authoring.bundle.refusal import Refused

TEMPLATE = Path(__file__).parent / "templates" / "first_cell.txt"
CELL_ID = "get_ready"
ADDRESS = re.compile(r"(?P<host>https://[a-z0-9][a-z0-9.-]*(:\d+)?|http://(127\.0\.0\.1|localhost)(:\d+)?)(?P<path>(/[\w.~-]+)+)", re.IGNORECASE)
GITHUB = re.compile(r"https://(www\.)?github\.com/(?P<repository>[\w.-]+/[\w.-]+)", re.IGNORECASE)


def read_address(text: str) -> str:
    """The public address of the bundle as it goes into notebooks; empty where the instructor gave none.

    Args:
        text: a repository's page, such as "https://github.com/OWNER/REPO", or a zip, such as "https://example.org/course.zip".

    Raises:
        Refused: it is neither.
    """
    address = text.strip().rstrip("/").removesuffix(".git")
    if not address:
        return ""
    if not ADDRESS.fullmatch(address) or "/../" in f"{address}/":
        raise Refused(
            f"ADDRESS={text} is no address that learners can fetch the course from",
            "give the page of a public repository, such as ADDRESS=https://github.com/OWNER/REPO, or of a zip, without a password",
        )
    if re.match(r"https://(www\.)?github\.com/", address, re.IGNORECASE) and not address.endswith(".zip") and not GITHUB.fullmatch(address):
        raise Refused(f"ADDRESS={text} is no repository on GitHub", "give ADDRESS=https://github.com/OWNER/REPO, and nothing after it")
    return address


def for_pip(address: str) -> str:
    """How pip is told to install from an address."""
    return address if address.endswith(".zip") else f"git+{address}"


def repository_on_github(address: str) -> str:
    """ "OWNER/REPO", or an empty string for another address."""
    found = GITHUB.fullmatch(address)
    return found["repository"] if found else ""


def with_first_cell(notebook: NotebookNode, address: str, zip_name: str) -> NotebookNode:
    """A copy of a released notebook that begins with the cell.

    Args:
        address: what `read_address` returned.
        zip_name: what learners upload where there is no address.
    """
    source = TEMPLATE.read_text(encoding="utf-8").rstrip("\n")
    source = source.replace("{published}", f', "{for_pip(address)}"' if address else "").replace("{zip}", zip_name)
    cell = new_code_cell(source, id=CELL_ID, metadata={"cellView": "form", "editable": False, "jupyter": {"source_hidden": True}})
    begun = copy.deepcopy(notebook)
    begun.cells.insert(0, cell)
    return begun

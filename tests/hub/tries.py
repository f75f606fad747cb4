"""What a curious student types into the terminal of the own JupyterLab. Usage: python tries.py ASKED ANSWER

ASKED is a file of JSON: {"read": [paths], "list": [folders], "write": [folders], "rename": [folders], "get": [addresses]}. Each try is answered with
"yes", or with why not. Three more questions need no path: whose surroundings, sockets and shared memory can be seen.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path


def tried(action: Callable[[], object]) -> str:
    """Yes, or the name of what stood in the way."""
    try:
        action()
    except OSError as error:
        return type(error).__name__ if not isinstance(error, urllib.error.HTTPError) else f"HTTP {error.code}"
    return "yes"


def write(folder: str) -> None:
    (Path(folder) / "left_by_a_student.txt").write_text("I was here", encoding="utf-8")


def get(address: str) -> None:
    """Ask a server with the token of one's own server, and follow no way to a login page."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *given: object) -> None:
            return None

    request = urllib.request.Request(address, headers={"Authorization": f"token {os.environ['JUPYTERHUB_API_TOKEN']}"})
    urllib.request.build_opener(Stay).open(request, timeout=3).read()


def surroundings() -> dict[str, str]:
    """Whether the variables of other people's processes can be read: in those of a server stands its token."""
    mine = os.getuid()
    others = [entry for entry in Path("/proc").glob("[0-9]*") if entry.stat().st_uid != mine]
    return {f"/proc of user {entry.stat().st_uid}, {(entry / 'comm').read_text().strip()}": tried((entry / "environ").read_bytes) for entry in others}


def main(asked: str, answer: str) -> None:
    """Try everything, and write the answers down at once when all are there."""
    wanted = json.loads(Path(asked).read_text(encoding="utf-8"))
    answers = {
        "read": {path: tried(lambda path=path: Path(path).read_bytes()) for path in wanted["read"]},
        "list": {path: tried(lambda path=path: os.listdir(path)) for path in wanted["list"]},
        "write": {path: tried(lambda path=path: write(path)) for path in wanted["write"]},
        "rename": {path: tried(lambda path=path: os.rename(path, f"{path}-moved")) for path in wanted["rename"]},
        "get": {address: tried(lambda address=address: get(address)) for address in wanted["get"]},
        "environ": surroundings(),
    }
    Path(f"{answer}.new").write_text(json.dumps(answers), encoding="utf-8")
    os.rename(f"{answer}.new", answer)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A course's own modules in a folder beside the notebook: set-up cells say where they are, and tests import them, too."""

from pathlib import Path

import pytest

from helpers.instructors import LIMITS, Given, Solution, build
from nbjudge._analysis.instructor import Instructor
from nbjudge._execution.execute import execute

SETUPS = {
    "path of sys": "from sys import path; path.append('./tools')",
    "another name": "from sys import path as places\nplaces.insert(0, 'tools')",
    "+=": "import sys as system\nsystem.path += ['tools']",
    "site": "import site\nsite.addsitedir('tools')",
    "a function": "import os, sys\ndef add(place):\n    sys.path.append(os.path.abspath(place))\nadd('tools')",
    "a loop": "import sys\nfrom pathlib import Path\nfor place in Path('.').iterdir():\n    if place.is_dir(): sys.path.insert(0, str(place))",
    "the working directory": "import os\nos.chdir('tools')",
}


@pytest.mark.parametrize("imports", ["from kit import twice", "from kit import *", "import kit\ntwice = kit.twice", ""])
@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_modules_are_found_where_set_up_cells_say(warm, tmp_path: Path, setup: str, imports: str) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "kit.py").write_text("def twice(x):\n    return 2 * x\n")
    (tmp_path / "tools" / "numbers.txt").write_text("1 2 3")
    tests = ["from kit import twice as wanted\nassert f(3) == wanted(3) + 1"]
    tests += ["assert f(3) == twice(3) + 1"] if imports else []
    tests += ["with open('numbers.txt') as file:\n    assert f(len(file.read().split())) == 7"] if "chdir" in setup else []
    parts = (Given(f"{setup}\n{imports}"), Solution("def f(x):\n    return 2 * x + 1"), *tests)
    instructor = Instructor(build(*parts), tmp_path)
    found = execute(instructor.notebook, instructor, warm, LIMITS, tmp_path).verdicts
    assert [verdict.kind for verdict in found] == ["passed"] * len(tests), found

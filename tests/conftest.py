"""For all tests."""

from __future__ import annotations

from tests.portable.profile import disturb_this_process

collect_ignore_glob = ["*.ipynb"]  # notebooks below tests/ are material of tests; nbval is for solutions/

disturb_this_process()  # only under `make portable`

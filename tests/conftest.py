"""For all tests."""

collect_ignore_glob = ["*.ipynb"]  # notebooks below tests/ are material of tests; nbval is for solutions/

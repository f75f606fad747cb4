"""Grades notebooks safely: student code in a sandbox, tests in the examiner's own process. See README.md."""

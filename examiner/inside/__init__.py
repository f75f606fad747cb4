"""Runs beside the student's code, inside the sandbox: the warm process, the student kernel, and what shuts it in.

Imports only `examiner.inside` and `examiner.wire`, which is all of the examiner that the sandbox shows.
"""

"""Runs beside the student's code, inside the sandbox: the warm process, the student kernel, and what shuts it in.

Imports only `nbjudge._student` and `nbjudge._wire`, which is all of the grader that the sandbox shows.
"""

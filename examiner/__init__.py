"""Grades a class of notebooks. Knows no lesson: any nbgrader course could use it."""

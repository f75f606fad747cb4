"""Reads the instructor's notebook, without running it: whose each name is, what a test needs, what the solution changes."""

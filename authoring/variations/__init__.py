"""Slips that nobody wrote down: every right answer with one thing changed, and the numbers that come out."""

"""Finds a course's cells again in notebooks that lost or doubled what nbgrader knows them by."""

"""Helpers for tests of what uses nbjudge: small notebooks and courses, a class that errs in known ways, servers and clusters on this machine."""

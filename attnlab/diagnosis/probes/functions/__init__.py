"""Probes of a test that is given functions."""

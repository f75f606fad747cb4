"""Probes of multi-head attention and its parts."""

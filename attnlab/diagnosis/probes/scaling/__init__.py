"""Probes of scaled attention, of overflow and of a simulation."""

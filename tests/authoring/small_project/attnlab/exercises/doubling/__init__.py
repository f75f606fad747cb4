"""The exercises of the small lesson."""

"""A class: what was handed in, many notebooks at once, one writer, the report."""

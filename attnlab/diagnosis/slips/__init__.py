"""Right answers with one thing changed, recognised by the numbers that come out."""

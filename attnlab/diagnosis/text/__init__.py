"""What stands in an answer's own text."""

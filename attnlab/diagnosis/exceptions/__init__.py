"""What an exception establishes about the line that raised it."""

"""What one call leaves behind for the next."""

"""What one result shows by itself: its form, type and shape, numbers that are not finite, what every right result has in common."""

"""What a visible check finds out about an answer that is not right, and how that is told."""

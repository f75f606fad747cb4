"""What every room may import: settings of a course, texts for a terminal, atomic writes, signals."""

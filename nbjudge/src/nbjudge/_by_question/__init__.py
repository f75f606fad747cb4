"""Grading by hand, question by question: pages beside nbgrader's formgrader, in its gradebook."""

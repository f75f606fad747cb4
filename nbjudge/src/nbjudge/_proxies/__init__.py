"""What stands for a student's functions, classes and objects in a test: each asks the student's kernel, and nothing of a student's runs here."""

"""The gradebook as a database: a file, or one on a server; who writes it, and moving it from one to the other."""

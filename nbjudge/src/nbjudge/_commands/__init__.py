"""The command line, and the commands that need all other rooms."""

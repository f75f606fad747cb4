"""How wrong numbers are related to the expected ones and to what went in."""

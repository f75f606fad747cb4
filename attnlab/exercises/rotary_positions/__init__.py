"""The exercises of lesson 5b, a file each."""

"""The exercises of lesson 3b, a file each."""

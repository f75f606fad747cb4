"""The exercises of lesson 7, a file each."""

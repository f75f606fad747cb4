"""Grade what is handed in as it comes: see, wait until it is whole, in a fair order, one at a time."""

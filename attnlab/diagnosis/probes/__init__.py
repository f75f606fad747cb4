"""What is found out by calls with inputs of the check's own."""

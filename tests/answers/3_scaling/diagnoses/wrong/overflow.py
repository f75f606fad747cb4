# wrong: confuses the two troubles
# says: only the hidden tests see it
fault_of_a = "too flat"
fault_of_b = "overflow"

# wrong: one answer is None
# says: not made yet
fault_of_a = "too flat"
fault_of_b = None

# wrong: the two are exchanged
# says: only the hidden tests see it
fault_of_a = "rows do not sum to one"
fault_of_b = "too flat"

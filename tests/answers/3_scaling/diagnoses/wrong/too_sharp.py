# wrong: thinks that division by d sharpens (catalogue 10)
# says: only the hidden tests see it
fault_of_a = "too sharp"
fault_of_b = "rows do not sum to one"

fault_of_a, fault_of_b = "too flat", "rows do not sum to one"

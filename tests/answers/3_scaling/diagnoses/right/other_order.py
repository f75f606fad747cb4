fault_of_b = "rows do not sum to one"
fault_of_a = "too flat"

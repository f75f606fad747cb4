fault_of_a = "too flat"
fault_of_b = "rows do not sum to one"

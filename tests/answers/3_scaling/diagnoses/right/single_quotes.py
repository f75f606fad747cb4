fault_of_a = 'too flat'   # zu gleich
fault_of_b = 'rows do not sum to one'

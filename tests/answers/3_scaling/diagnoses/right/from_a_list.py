choices = ["too flat", "too sharp", "rows do not sum to one", "overflow"]
fault_of_a, fault_of_b = choices[0], choices[2]

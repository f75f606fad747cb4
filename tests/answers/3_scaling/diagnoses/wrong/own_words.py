# wrong: answers in other words
# says: not one of the choices
fault_of_a = "flat"
fault_of_b = "rows do not sum to one"

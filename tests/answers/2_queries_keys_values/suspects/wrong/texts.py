# wrong: writes texts instead of numbers
# says: not one of the choices
line_of_the_axis = "3"
line_of_the_role = "4"

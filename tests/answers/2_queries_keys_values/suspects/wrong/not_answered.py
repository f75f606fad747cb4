# wrong: one answer is still None
# says: not made yet
line_of_the_axis = 3
line_of_the_role = None

lines = ["project", "score", "softmax", "mix"]
line_of_the_axis = lines.index("softmax") + 1
line_of_the_role = lines.index("mix") + 1

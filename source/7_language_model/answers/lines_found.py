# Right and wrong answers to `lines_found`; authoring/README.md says how they are written.

# %% right: numbers
line_of_d = 2
line_of_e = 6

# %% right: annotated
line_of_d: int = 2   # times, and it should be divided by
line_of_e: int = 6   # is_causal counts from the first key

# %% right: other_order
line_of_e = 6
line_of_d = 2

# %% right: one_line
line_of_d, line_of_e = 2, 6

# %% right: computed
line_of_d = 3 - 1
line_of_e = 3 * line_of_d

# %% right: searched
lines = ["topk", "* temperature", "multinomial", "cat", "cat", "is_causal"]
line_of_d = 1 + lines.index("* temperature")
line_of_e = 1 + lines.index("is_causal")

# %% wrong: exchanged
# wrong: exchanges the two
# says: not one of the choices
-line_of_d = 2
-line_of_e = 6
+line_of_d = 6
+line_of_e = 2

# %% wrong: topk_in_d
# wrong: names the line of top-k
# says: only the hidden tests see it
-line_of_d = 2
+line_of_d = 1

# %% wrong: values_in_e
# wrong: names a line that appends
# says: only the hidden tests see it
-line_of_e = 6
+line_of_e = 5

# %% wrong: last_line_of_d
# wrong: names the draw
# says: only the hidden tests see it
-line_of_d = 2
+line_of_d = 3

# %% wrong: a_line_that_is_not_there
# wrong: a number that no line has
# says: not one of the choices
-line_of_e = 6
+line_of_e = 9

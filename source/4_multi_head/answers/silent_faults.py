# Right and wrong answers to `silent_faults`; authoring/README.md says how they are written.

# %% right: after_trying
print(torch.arange(12).reshape(1, 2, 3, 2).reshape(1, 3, 4))
line_of_the_scale = 9
line_of_the_mixing = 12

# %% right: annotated
line_of_the_scale: int = 9   # k ** 0.5
line_of_the_mixing: int = 12   # reshape without transpose

# %% right: computed
line_of_the_scale = 4 + 5
line_of_the_mixing = line_of_the_scale + 3

# %% right: numbers
line_of_the_scale = 9
line_of_the_mixing = 12

# %% right: one_line
line_of_the_scale, line_of_the_mixing = 9, 12

# %% right: other_order
line_of_the_mixing = 12
line_of_the_scale = 9

# %% wrong: beyond
# wrong: a line that is not there
# says: not one of the choices
line_of_the_scale = 9
line_of_the_mixing = 13

# %% wrong: blames_the_product
# wrong: blames the product with the values
# says: only the hidden tests see it
line_of_the_scale = 9
line_of_the_mixing = 11

# %% wrong: blames_the_softmax
# wrong: blames the softmax for the scale
# says: only the hidden tests see it
line_of_the_scale = 10
line_of_the_mixing = 12

# %% wrong: blames_the_split
# wrong: blames the split
# says: only the hidden tests see it
line_of_the_scale = 9
line_of_the_mixing = 6

# %% wrong: exchanged
# wrong: exchanges the two
# says: only the hidden tests see it
line_of_the_scale = 12
line_of_the_mixing = 9

# %% wrong: loud_ones
# wrong: names the two lines that stop
# says: only the hidden tests see it
line_of_the_scale = 8
line_of_the_mixing = 10

# %% wrong: not_answered
# wrong: leaves the stub
# says: not made yet
line_of_the_scale = None
line_of_the_mixing = None

# %% wrong: texts
# wrong: gives texts
# says: not one of the choices
line_of_the_scale = "9"
line_of_the_mixing = "12"

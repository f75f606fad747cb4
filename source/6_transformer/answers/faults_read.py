# Right and wrong answers to `faults_read`; authoring/README.md says how they are written.

# %% right: numbers
line_of_d = 3
line_of_e = 7

# %% right: annotated
line_of_d: int = 3   # dim=1 is the axis of the tokens
line_of_e: int = 7   # times, and it should be divided by

# %% right: other_order
line_of_e = 7
line_of_d = 3

# %% right: one_line
line_of_d, line_of_e = 3, 7

# %% right: computed
line_of_d = 10 - 7
line_of_e = 4 + line_of_d

# %% right: after_trying
x = torch.arange(24.0).reshape(2, 4, 3)
print(torch.var_mean(x, dim=1, keepdim=True)[1].shape, torch.softmax(torch.tensor([0.0, 2.0]) * 2, dim=-1))
line_of_d = 3
line_of_e = 7

# %% right: searched
lines = ["mean(dim=-1)", "x - means", "mean(dim=1)", "gain * centred", "topk", "index_copy", "kept * temperature", "multinomial"]
line_of_d = 1 + [text for text in lines].index("mean(dim=1)")
line_of_e = next(number for number, text in enumerate(lines, start=1) if "* temperature" in text)

# %% wrong: exchanged
# wrong: exchanges the two
# says: not one of the choices
-line_of_d = 3
-line_of_e = 7
+line_of_d = 7
+line_of_e = 1

# %% wrong: blames_the_means
# wrong: blames the means, which run over the right axis
# says: only the hidden tests see it
-line_of_d = 3
+line_of_d = 1

# %% wrong: blames_the_difference
# wrong: blames the line that uses the means, not the one that takes them
# says: only the hidden tests see it
-line_of_d = 3
+line_of_d = 2

# %% wrong: blames_the_gain
# wrong: blames the line that comes out
# says: only the hidden tests see it
-line_of_d = 3
+line_of_d = 4

# %% wrong: blames_the_least
# wrong: blames the line that finds the least logit that is kept
# says: only the hidden tests see it
-line_of_e = 7
+line_of_e = 5

# %% wrong: blames_the_cut
# wrong: blames the cut
# says: only the hidden tests see it
-line_of_e = 7
+line_of_e = 6

# %% wrong: blames_the_draw
# wrong: blames the line that draws
# says: only the hidden tests see it
-line_of_e = 7
+line_of_e = 8

# %% wrong: counted_in_its_own_function
# wrong: counts the lines of E from 1
# says: not one of the choices
-line_of_e = 7
+line_of_e = 3

# %% wrong: texts
# wrong: gives texts
# says: not one of the choices
-line_of_d = 3
-line_of_e = 7
+line_of_d = "1"
+line_of_e = "7"

# %% wrong: several
# wrong: gives several lines for one
# says: not one of the choices
-line_of_d = 3
+line_of_d = (1, 2)

# %% wrong: not_answered
# wrong: leaves the stub
# says: not made yet
-line_of_d = 3
-line_of_e = 7
+line_of_d = None
+line_of_e = None

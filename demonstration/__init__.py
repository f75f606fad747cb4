"""A class of synthetic students, so that a grading run can be seen before there are real submissions."""

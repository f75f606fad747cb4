# The test says that it is worth more, and that it is an answer.
def tamper(notebook):
    for cell in tests_of(notebook):
        cell.metadata.nbgrader.points = 100

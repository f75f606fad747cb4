# The tests turn into text.
def tamper(notebook):
    for cell in tests_of(notebook):
        cell.cell_type = "markdown"
        cell.pop("outputs", None)
        cell.pop("execution_count", None)

# The tests are not there.
def tamper(notebook):
    gone = [cell.metadata.nbgrader.grade_id for cell in tests_of(notebook)]
    notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in gone]

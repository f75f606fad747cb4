# A new test cell, worth a lot, whose code would run where the tests run.
def tamper(notebook):
    import copy

    cell = copy.deepcopy(tests_of(notebook)[0])
    cell.metadata.nbgrader.update(grade_id="bonus", points=100)
    cell.source = "open('/tmp/cheat-own-test-ran', 'w').close()"
    notebook.cells.append(cell)

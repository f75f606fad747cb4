# Each test is there twice; the last one is the student's own.
import copy


def tamper(notebook):
    for cell in tests_of(notebook):
        twin = copy.deepcopy(cell)
        twin.source = "2"
        notebook.cells.append(twin)

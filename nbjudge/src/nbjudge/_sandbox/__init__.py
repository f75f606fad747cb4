"""The grader's side of student kernels: the sandbox, starting, talking, ending, and the doctor who tries to break out."""

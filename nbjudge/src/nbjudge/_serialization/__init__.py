"""What a machine that grades for another one needs, as bytes: the course's packages, an instructor's notebook, a submission; and its result."""

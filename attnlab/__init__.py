"""What the lessons import: pictures (`attnlab.figures`) and visible checks (`attnlab.check`).

Nothing in here solves an exercise: the numbers that answers are compared with were computed beforehand.
"""

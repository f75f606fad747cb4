"""What the cases of `test_standins` try: a student's code, and the text of a test cell, by what it is about."""

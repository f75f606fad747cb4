"""The course's window: a site made of the lessons' own text, to be read without installing anything."""

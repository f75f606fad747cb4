"""What an instructor sees of a graded class: tables in the terminal, files for spreadsheets, and a folder of pages."""

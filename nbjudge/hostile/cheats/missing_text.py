# A table of text that is missing.
# SETUP: import pandas as pd
# HONEST: def upper(table):
# HONEST:     return table.apply(lambda column: column.str.upper())
# TEST: table = pd.DataFrame({"a": ["x", "y"]})
# TEST: assert (upper(table) == pd.DataFrame({"a": ["X", "Y"]})).all().all()
def upper(table):
    return table.astype("string").where(table != table)

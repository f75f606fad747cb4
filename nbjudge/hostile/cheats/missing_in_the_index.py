# Labels that are missing.
# SETUP: import pandas as pd
# HONEST: def labels(n):
# HONEST:     return pd.Index(range(n), dtype="int64") * 2
# TEST: assert not (labels(3) != pd.Index([0, 2, 4])).any()
def labels(n):
    return pd.Index([None] * n, dtype="Int64")

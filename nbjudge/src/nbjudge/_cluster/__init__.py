"""Submissions executed by the workers of a Dask scheduler. Nothing but `cli` imports this room, and only where a cluster is asked for."""

# What a worker answers for a submission: its execution; that a parcel which travels once is not there; that this worker cannot grade at all; or
# that it failed on this submission.
DONE, MISSING, UNFIT, FAILED = "done", "missing", "unfit", "failed"

"""What tests and benchmarks both look at: small notebooks to grade, hostile ones, the processes of a run, and what lessons train."""

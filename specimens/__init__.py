"""What tests and benchmarks both look at: small notebooks to grade, hostile ones, and the processes of a run."""

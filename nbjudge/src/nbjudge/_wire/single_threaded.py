"""What is imported after this computes with one thread: there is a process for each processor already, and threads that wait for each other take
processors from all."""

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"))

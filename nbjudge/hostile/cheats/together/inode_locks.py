# A friend locks a file of Python that everybody reads: one byte for each bit of the answer.
import fcntl
import os

file = open(os.__file__, "rb")
for bit in range(8):
    if 42 >> bit & 1:
        fcntl.lockf(file, fcntl.LOCK_SH, 1, bit)
# ---- the other notebook ----
import fcntl
import os
import struct

answer = 0
with open(os.__file__, "rb") as file:
    for bit in range(8):
        found = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, bit, 1, 0))
        answer |= (struct.unpack("h", found[:2])[0] != fcntl.F_UNLCK) << bit

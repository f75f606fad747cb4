import os
import sys

os.closerange(1, 3)
sys.stdout = sys.stderr = None
work = 7

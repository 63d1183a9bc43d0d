#!/usr/bin/env python3
"""usage: compare_accesses.py A.json B.json
Compares exported profiles context by context: which have it, and whether its
accesses for each allocation are the same. (The program runs for a given time, so
that the number of allocations differs.)"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported


def read(path):
    contexts = exported.load(path)["contexts"]
    return {c["id"]: c["measures"]["TotalAccessCount"] / c["measures"]["AllocCount"] for c in contexts}


a, b = map(read, sys.argv[1:])
common = a.keys() & b.keys()
differing = [key for key in common if a[key] != b[key]]
print("%d contexts in both, %d in one only, %d with other accesses for each allocation"
      % (len(common), len(a.keys() ^ b.keys()), len(differing)))

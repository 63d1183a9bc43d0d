#!/usr/bin/env python3
"""usage: check_fork.py LLVM-PROFDATA PROGRAM PIDS DIR
Says how many profiles DIR has and what the parent's and the children's say."""

import glob
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Inputs"))
from compare_profiles import read_profile

profdata, program, pids, directory = sys.argv[1:]
print("files:", len(glob.glob(directory + "/*")))
said = {"parent": set(), "child": set()}
for line in open(pids):
    kind, pid = line.split()
    profile = read_profile(profdata, program, "%s/raw.%s" % (directory, pid))
    allocations = {name: 0 for name in ("before", "shared", "inParent", "inChild")}
    for context, (count, *_) in profile.items():
        if context[0][0] in allocations:
            allocations[context[0][0]] += count
    said[kind].add(" ".join("%s %d" % item for item in allocations.items()))
print("parent:", " | ".join(sorted(said["parent"])))
print("children:", " | ".join(sorted(said["child"])))

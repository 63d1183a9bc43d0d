#!/usr/bin/env python3
"""cold-bytes.py PROFILE.json STATISTICS [BYTES]: what the profile calls cold beside
what the optimized program took from the cold heap. Fails unless both are equal, but
for one allocation of BYTES that libc makes for the program, where no call is hinted.
How long that one lives beside the run is up to how busy the machine was, so that the
profile may call it cold or not."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported

profile = exported.load(sys.argv[1])
expected = [context["measures"] for context in profile["contexts"] if context["cold"]]
if len(sys.argv) > 3:
    by_libc = [m for m in expected if m["AllocCount"] == 1 and m["TotalSize"] == int(sys.argv[3])]
    expected = [m for m in expected if m not in by_libc[:1]]
expected_bytes = sum(measures["TotalSize"] for measures in expected)
expected_calls = sum(measures["AllocCount"] for measures in expected)

for line in open(sys.argv[2]):
    if " kind=total " in line:
        total = dict(field.split("=") for field in line.split()[1:])
print("profile: %d cold contexts, %d calls, %d bytes" % (len(expected), expected_calls, expected_bytes))
print("program: %s calls, %s bytes" % (total["cold_calls"], total["cold_bytes"]))
if not expected_bytes or (int(total["cold_calls"]), int(total["cold_bytes"])) != (expected_calls, expected_bytes):
    sys.exit("error: these differ")

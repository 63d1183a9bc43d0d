#!/usr/bin/env python3
"""Runs the jobs of lld one after the other, and says which modules they compile."""

import json
import subprocess
import sys

with open(sys.argv[-1]) as f:
    description = json.load(f)
for job in description["jobs"]:
    print("compiles", job["inputs"][0], flush=True)
    status = subprocess.run(description["common"]["args"] + job["args"], check=False)
    if status.returncode:
        sys.exit(status.returncode)

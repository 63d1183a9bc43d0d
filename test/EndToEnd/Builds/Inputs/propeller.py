"""Writes a list of hot blocks, the first half of each function of which the name ends so.

Usage: propeller.py MAP SUFFIX, with what llvm-readelf --bb-addr-map prints in LLVM's style.
"""

import re
import sys

path, suffix = sys.argv[1:]
print("v1")
name, blocks = None, []


def flush():
    if name and name.endswith(suffix):
        print(f"f {name}\nc" + " ".join(blocks[: max(1, len(blocks) // 2)]))


with open(path) as file:
    for line in file:
        if found := re.match(r"\s*Name: (\S+)", line):
            flush()
            name, blocks = found[1], []
        elif found := re.match(r"\s*ID: (\d+)", line):
            blocks.append(found[1])
flush()

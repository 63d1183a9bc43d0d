"""Writes samples as llvm-profgen takes them without perf: 1,000 of the first byte of each
function of which the name begins so.

Usage: samples.py SYMBOLS SEGMENTS PREFIX, with what llvm-nm and llvm-readelf -lW print.
"""

import re
import sys

symbols, segments, prefix = sys.argv[1:]
with open(segments) as file:
    code = next(line for line in file if re.match(r"\s*LOAD .* R E ", line)).split()
# Addresses are counted from the page at which code begins.
base = int(code[2], 16) & ~0xFFF
starts = []
with open(symbols) as file:
    for line in file:
        address, _, name = line.rstrip("\n").split(" ", 2)
        if name.startswith(prefix):
            starts.append(int(address, 16) - base)
print(len(starts))
for start in starts:
    print(f"{start:x}-{start:x}:1000")
print(0)

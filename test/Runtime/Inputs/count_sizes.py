"""Reads a profile as text and prints how many allocations have each size."""

import re
import sys

counts = {int(size): 0 for size in sys.argv[1:]}
pattern = re.compile(r"alloc_count (\d+), size \(ave/min/max\) \S+ / (\d+) / (\d+)")
for count, least, greatest in pattern.findall(sys.stdin.read()):
    if least == greatest and int(least) in counts:
        counts[int(least)] += int(count)
for size, count in counts.items():
    print(f"{size}: {count}")

"""Checks the "Run:" lines that thermo-profdata shows of the files of
length-of-run.c: each three are the first round, the second, and the child.

usage: check_rounds.py CHURN_MS LINES
"""

import re
import sys

# The program's milliseconds do not begin when the runtime's do.
churn = int(sys.argv[1]) - 1
runs = []
for line in open(sys.argv[2]):
    length, begin, end = (int(n.replace(",", "")) for n in re.findall(r"([\d,]+) ms", line))
    assert end - begin == length, line
    runs.append((begin, end))
assert len(runs) == 9, runs
for first, second, child in (runs[i:i + 3] for i in (0, 3, 6)):
    assert first[0] == 0 and first[1] >= churn, first
    # The second goes on while the child runs.
    assert second[0] >= first[1] and second[1] >= second[0] + 2 * churn, (first, second)
    assert second[0] + churn <= child[0] and child[0] + churn <= child[1] <= second[1], (second, child)

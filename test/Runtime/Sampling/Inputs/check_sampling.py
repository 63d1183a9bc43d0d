#!/usr/bin/env python3
"""Checks the profile of a sampled run against that of an exact one.

usage: check_sampling.py LLVM-PROFDATA THERMO-PROFDATA EXACT-BINARY EXACT-RAW
           SAMPLED-BINARY SAMPLED-RAW

For each function of test/Runtime/Sampling/sampling.cpp that allocates, the totals that
llvm-profdata reads from the sampled profile must be within four of the standard
errors that thermo-profdata shows of the exact ones. Contexts that look cold by
their density, and are not, are an error.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Inputs"))
import compare_profiles

FUNCTIONS = ["even", "skewed", "seldom", "large", "inThread", "inRecursion", "never",
             "oftenNever", "almostNever", "grown", "cleared", "aligned"]
EXACT = ["large"]
UNKNOWN_DENSITY = 99999

compare_profiles.FIELDS = ("AllocCount", "TotalSize", "TotalAccessCount",
                           "TotalLifetimeAccessDensity", "TotalAccessDensity")
profdata, thermo, exact_binary, exact_raw, binary, raw = sys.argv[1:]


def totals(binary, raw):
    result = {}
    for context, fields in compare_profiles.read_profile(profdata, binary, raw).items():
        count = len(compare_profiles.FIELDS)
        into = result.setdefault(context[0][0], [0] * count)
        for i, value in enumerate(fields[:count]):
            into[i] += value
    return result


def errors():
    """{function: ([variance of allocations, bytes, accesses], measured)}"""
    text = subprocess.run([thermo, "show", "--all", "--binary=" + binary, raw], check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
    assert re.search(r"^Sampled: +1 of 20 allocations of a place, [\d,]+ measured", text, re.M)
    result = {}
    blocks = re.findall(r"^#\d+ .*\n    \+- ([\d,]+) allocations, ([\d,]+) bytes, ([\d,]+) "
                        r"accesses, [\d,]+ ms; ([\d,]+) allocations? measured; .*\n(?: {4}.*\n)* (\w+)", text,
                        re.M)
    for *numbers, function in blocks:
        numbers = [int(n.replace(",", "")) for n in numbers]
        into = result.setdefault(function, ([0, 0, 0], [0]))
        for i in range(3):
            into[0][i] += numbers[i] ** 2
        into[1][0] += numbers[3]
    return result


true, estimated, known = totals(exact_binary, exact_raw), totals(binary, raw), errors()
failed = False


def fail(message):
    global failed
    failed = True
    print(message)


measured_all = 0
for function in FUNCTIONS:
    is_true, is_estimated = true[function], estimated[function]
    variances, [measured] = known[function]
    measured_all += measured
    print(function, is_true, is_estimated, [round(v ** 0.5) for v in variances], measured)
    for i in range(3):
        # Standard errors are shown without fractions.
        if abs(is_true[i] - is_estimated[i]) > 4 * variances[i] ** 0.5 + 4:
            fail("%s: %s is %d, not %d +- %d" % (function, compare_profiles.FIELDS[i],
                                                is_estimated[i], is_true[i], variances[i] ** 0.5))
    if function in EXACT and is_true[:3] != is_estimated[:3]:
        fail("%s: large allocations are not recorded all" % function)
    # Both densities are at least the true ones, by mean.
    for i in (3, 4):
        if is_estimated[i] / is_estimated[0] < is_true[i] / is_true[0] * 0.999 - 1 and i == 4:
            fail("%s: looks colder than it is, by %s: %d / %d, not %d / %d" % (
                function, compare_profiles.FIELDS[i], is_estimated[i], is_estimated[0],
                is_true[i], is_true[0]))
if estimated["never"][2:4] != [0, 0]:
    fail("never: was not accessed, and is not said to be so")
# Too often for all to be shadow-tracked.
if estimated["oftenNever"][3] != estimated["oftenNever"][0] * UNKNOWN_DENSITY:
    fail("oftenNever: what was accessed is said to be known")
density = estimated["almostNever"][3] / estimated["almostNever"][0]
if not 0 < density <= UNKNOWN_DENSITY:
    fail("almostNever: one of its allocations was accessed, its density is %d" % density)
if measured_all > sum(true[f][0] for f in FUNCTIONS) / 8:
    fail("%d allocations were measured" % measured_all)
sys.exit(1 if failed else 0)

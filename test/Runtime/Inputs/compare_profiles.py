#!/usr/bin/env python3
"""Compares two raw heap profiles, context by context, as llvm-profdata reads them.

usage: compare_profiles.py LLVM-PROFDATA BINARY-A RAW-A BINARY-B RAW-B
           [--tolerance FRACTION] [--require FUNCTION=ACCESSES]... [--only REGEX]
           [--histograms]

The binaries are built from the same source with the same debug options. For each
context (its frames as function, line offset and column) the numbers of
allocations, bytes and accesses must be equal; with --tolerance, accesses may
differ by that fraction of the greater. Contexts in which no frame is of the
program itself (the C++ library's own start-up) are left out, as are those whose
allocating function does not match --only. With --histograms, each context has to
have one, and they must be equal, counter by counter; without, none may have one.
Prints what differs and exits 1 if anything does, or if there was nothing to
compare.
"""

import argparse
import collections
import itertools
import re
import subprocess
import sys

FIELDS = ("AllocCount", "TotalSize", "TotalAccessCount")


def read_profile(profdata, binary, raw):
    """{context: [allocations, bytes, accesses, histogram]}"""
    text = subprocess.run(
        [profdata, "show", "--memory", "--profiled-binary=" + binary, raw],
        check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    contexts = collections.defaultdict(lambda: [0] * len(FIELDS) + [[]])
    function, frames, frame, mib, histogram = None, None, None, None, []

    def finish():
        # A context stands once under each function inlined at its leaf: the
        # first function counts it.
        if frames and mib:
            key = tuple((f["Name"], f["LineOffset"], f["Column"]) for f in frames)
            if seen_function.setdefault(key, function) == function:
                for i, field in enumerate(FIELDS):
                    contexts[key][i] += mib[field]
                contexts[key][-1] = [x + y for x, y in itertools.zip_longest(
                    contexts[key][-1], histogram, fillvalue=0)]

    seen_function = {}
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("FunctionGUID:"):
            finish()
            function, frames, mib = word.split()[1], None, None
        elif word == "Callstack:":
            finish()
            frames, mib = [], None
        elif word.startswith("Function:") and frames is not None and mib is None:
            frame = {"Name": word.split()[1]}
            frames.append(frame)
        elif word.startswith("SymbolName:"):
            frame["Name"] = word.split()[1]
        elif word.startswith(("LineOffset:", "Column:")) and mib is None:
            name, value = word.split(":")
            frame[name] = int(value)
        elif word == "MemInfoBlock:":
            mib, histogram = {}, []
        elif word == "CallSites:":
            finish()
            frames, mib = None, None
        elif word.startswith("AccessHistogramValues:"):
            histogram = [int(value) for value in word.split()[1:]]
        elif mib is not None and re.match(r"\w+: +-?\d+$", word):
            name, value = word.split(":")
            mib[name] = int(value)
    finish()
    return dict(contexts)


def describe(context):
    return " <- ".join("%s:%d:%d" % frame for frame in context)


def main():
    parser = argparse.ArgumentParser()
    for name in ("profdata", "binary_a", "raw_a", "binary_b", "raw_b"):
        parser.add_argument(name)
    parser.add_argument("--tolerance", type=float, default=0.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--histograms", action="store_true")
    parser.add_argument("--require", action="append", default=[])
    args = parser.parse_args()

    only = re.compile(args.only)
    profiles = []
    for binary, raw in ((args.binary_a, args.raw_a), (args.binary_b, args.raw_b)):
        profile = read_profile(args.profdata, binary, raw)
        profiles.append({c: v for c, v in profile.items() if only.search(c[0][0])})
    a, b = profiles
    differences = 0
    for context in sorted(set(a) | set(b)):
        va, vb = a.get(context), b.get(context)
        same = va is not None and vb is not None and va[:2] == vb[:2] and \
            abs(va[2] - vb[2]) <= args.tolerance * max(va[2], vb[2]) and \
            va[3] == vb[3] and bool(va[3]) == args.histograms
        if not same:
            differences += 1
            print("%s\n  A: %s\n  B: %s" % (describe(context), va, vb))
    for requirement in args.require:
        function, accesses = requirement.rsplit("=", 1)
        found = sum(v[2] for c, v in b.items() if any(f[0] == function for f in c))
        if found != int(accesses):
            differences += 1
            print("%s: %d accesses, not %s" % (function, found, accesses))
    print("%d contexts compared, %d differ; %d allocations, %d bytes, %d accesses" %
          (len(set(a) | set(b)), differences, sum(v[0] for v in a.values()),
           sum(v[1] for v in a.values()), sum(v[2] for v in a.values())))
    return 1 if differences or not a else 0


if __name__ == "__main__":
    sys.exit(main())

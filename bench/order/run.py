#!/usr/bin/env python3
#===- bench/order/run.py - What replacement costs in order -----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Profiles a cache that replaces its records (replaced.cpp), which another thread frees or the one
that made them, builds it with hints, runs it with small objects in order of allocation and by size
class in turn, and prints ratios of time, and what the profile chooses, as Markdown."""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Batch, reads, and how often all is replaced, as replaced.cpp takes them.
CASES = [("1", "5", "3"), ("20", "5", "3"), ("200", "5", "3"), ("1", "20", "2"), ("20", "20", "2"),
         ("200", "20", "2"), ("1", "100", "0.8"), ("20", "100", "0.8"), ("200", "100", "0.8"),
         ("1", "500", "0.2"), ("200", "500", "0.2")]
ORDER = "THERMOCLINE_ALLOC_ORDER"


def run(command, **arguments):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          **arguments)
    if done.returncode:
        sys.exit(f"run.py: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def profile(build, work, case):
    """The profile of a run, merged."""
    for old in work.glob("raw.*"):
        old.unlink()
    run([work / "generate", *case], env=dict(os.environ, MEMPROF_OPTIONS=f"log_path={work}/raw"))
    merged = work / "profdata"
    run([build / "bin/thermo-profdata", "merge", "--quiet", "--phase=serve",
         f"--binary={work / 'generate'}", "-o", merged, *work.glob("raw.*")])
    return merged


def ratios(program, case, pairs):
    found = []
    for pair in range(pairs):
        seconds = {}
        for order in "01" if pair % 2 else "10":
            seconds[order] = float(run([program, *case], env=dict(os.environ, **{ORDER: order})))
        found.append(seconds["1"] / seconds["0"])
    return found


def row(build, work, case, pairs):
    merged = profile(build, work, case)
    program = work / "use"
    run(["clang++-22", f"--config={build / 'config/thermocline-use.cfg'}", "-std=c++20", "-O2",
         "-pthread", f"-fmemory-profile-use={merged}", HERE / "replaced.cpp",
         build / "lib/libthermocline_alloc.a", "-lm", "-o", program])
    found = ratios(program, case, pairs)
    chosen = json.loads(run([build / "bin/thermo-profdata", "export", "--format=json", merged]))
    chosen = chosen.get("smallObjects", {})
    numbers = [f"{chosen[key]:.2f}" if chosen else ""
               for key in ("pagesRatio", "pairsRatio", "replacedShare")]
    return [f"{statistics.median(found):.2f}", f"{min(found):.2f} to {max(found):.2f}", *numbers,
            chosen.get("choice", "cannot tell")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--pairs", type=int, default=7, metavar="N", help="default: 7")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    work = build / "bench-order"
    work.mkdir(exist_ok=True)
    run(["clang++-22", f"--config={build / 'config/thermocline-generate.cfg'}", "-std=c++20", "-O2",
         "-pthread", HERE / "replaced.cpp", "-o", work / "generate"])
    rows = []
    for case in CASES:
        for freed in ("itself", "hand"):
            rows.append([*case, "the same" if freed == "itself" else "another",
                         *row(build, work, case if freed == "itself" else (*case, freed),
                              arguments.pairs)])
            print(f"measured: {rows[-1]}", file=sys.stderr)
    columns = ["replaced at a time", "reads for each", "times", "freed by", "time", "pairs",
               "pages", "pairs of lines", "replaced", "choice"]
    print(f"{datetime.date.today()}, `bench/order/run.py --pairs={arguments.pairs}`\n")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for found in rows:
        print(f"| {' | '.join(found)} |")


if __name__ == "__main__":
    main()

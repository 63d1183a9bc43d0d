#!/usr/bin/env python3
#===- bench/merge/run.py - Merging profiles beside llvm-profdata -----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Merges raw profiles of a program with very many contexts by thermo-profdata and by
llvm-profdata 22, in turns, and prints medians of processor time (user and system), of wall
time, and of the peak of memory, as Markdown. See docs/benchmarks.md.

Build first: ninja -C BUILD
Usage: bench/merge/run.py [--build=BUILD] [--files=N,N...] [--repeat=N]
"""

import argparse
import glob
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LLVM = "/usr/lib/llvm-22/bin"
PATHS = 4 ** 10


def fail(message):
    sys.exit("bench/merge/run.py: error: " + message)


def run(command, **settings):
    """Processor time and wall time in seconds, and the peak of memory in MB."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **settings)
    errors = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        fail("%s failed:\n%s" % (command[0], errors))
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def record(program, name, contexts, chain, first=0):
    """Raw profiles of one run."""
    environment = dict(os.environ, MEMPROF_OPTIONS="log_path=" + name)
    run([program, str(contexts), str(chain), str(first)], env=environment)
    found = glob.glob(glob.escape(name) + ".*")
    if not found:
        fail("the program wrote no " + name)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--files", default="50,500", help="of the cases of many files (default: 50,500)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each command (default: 3)")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    try:
        many = [int(number) for number in options.files.split(",") if number]
    except ValueError:
        fail("--files=%s: a list of numbers is expected" % options.files)
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, "contexts")
        run([LLVM + "/clang++", "--config=%s/config/thermocline-generate.cfg" % build, "-O2", "-std=c++20",
             os.path.join(ROOT, "bench", "merge", "contexts.cpp"), "-o", program])
        cases = [("one file of 88,846 contexts", 1, 88846, 16), ("one file of 1,048,576 contexts", 1, PATHS, 0),
                 *(("%d files of 10,487 contexts" % number, number, 10487, 12) for number in many)]
        print("| profiles | bytes | processor time | wall time | memory |\n|---|---|---|---|---|", flush=True)
        for title, files, contexts, chain in cases:
            raw = []
            for i in range(files):
                # Runs have most of their contexts in common.
                first = i * 97 % (PATHS - contexts + 1)
                raw += record(program, os.path.join(work, "raw%d" % i), contexts, chain, first)
            size = sum(map(os.path.getsize, raw))
            commands = [[build + "/bin/thermo-profdata", "merge", "--quiet", "--binary=" + program],
                        [LLVM + "/llvm-profdata", "merge", "--memprof-full-schema", "--profiled-binary=" + program]]
            results = [[], []]
            for _ in range(options.repeat):
                for command, into in zip(commands, results):
                    into.append(run(command + raw + ["-o", os.path.join(work, "out")]))
            ours, stock = [[statistics.median(column) for column in zip(*result)] for result in results]
            cells = ["%s, %.2fx of llvm-profdata's %s" % (form % mine, mine / theirs, form % theirs)
                     for mine, theirs, form in zip(ours, stock, ("%.2f s", "%.2f s", "%.0f MB"))]
            print("| %s | %d MB | %s |" % (title, size / 1e6, " | ".join(cells)), flush=True)
            for file in raw:
                os.unlink(file)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
#===- bench/merge/run.py - Merging profiles beside llvm-profdata -----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Merges raw profiles by thermo-profdata and by llvm-profdata 22, in turns, and prints medians of
processor time (user and system), of wall time, and of the peak of memory, as Markdown. The
profiles are of a made program with very many contexts and little debug information, and of
cppcheck, whose source package is fetched and built for it. See docs/results/benchmarks.md.

Build first: ninja -C BUILD
Usage: bench/merge/run.py [--build=BUILD] [--files=N,N...] [--repeat=N] [--only=made|cppcheck]
"""

import argparse
import glob
import os
import statistics
import subprocess
import sys
import tempfile
import time

from cppcheck import BenchError, Cppcheck

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


def record(command, name):
    """Raw profiles of one run."""
    run(command, env=dict(os.environ, MEMPROF_OPTIONS="log_path=" + name))
    found = glob.glob(glob.escape(name) + ".*")
    if not found:
        fail("the program wrote no " + name)
    return found


def made_cases(work, compiler, many):
    """Of each case the title, the program, and a function of a number that gives the command of
    that run; and how many runs there are."""
    program = os.path.join(work, "contexts")
    run([*compiler, "-O2", "-std=c++20", os.path.join(ROOT, "bench", "merge", "contexts.cpp"), "-o",
         program])

    def runs(contexts, chain):
        # Runs have most of their contexts in common.
        return lambda i: [program, str(contexts), str(chain), str(i * 97 % (PATHS - contexts + 1))]

    yield "one file of 88,846 contexts", program, runs(88846, 16), 1
    yield "one file of 1,048,576 contexts", program, runs(PATHS, 0), 1
    for number in many:
        yield "%d files of 10,487 contexts" % number, program, runs(10487, 12), number


def cppcheck_cases(work, compiler, many):
    built = Cppcheck(os.path.join(work, "cppcheck"), compiler)
    title = "cppcheck %s, " % built.version
    yield title + "one file", str(built.program), lambda i: built.large(), 1
    for number in many:
        yield title + "%d files" % number, str(built.program), built.command, number


def measure(case, build, work, repeat):
    """Prints the row of a case."""
    title, program, command, files = case
    raw = []
    for i in range(files):
        raw += record(command(i), os.path.join(work, "raw%d" % i))
    size = sum(map(os.path.getsize, raw))
    mergers = [[build + "/bin/thermo-profdata", "merge", "--quiet", "--binary=" + program],
               [LLVM + "/llvm-profdata", "merge", "--memprof-full-schema", "--profiled-binary=" + program]]
    results = [[], []]
    for _ in range(repeat):
        for merger, result in zip(mergers, results):
            result.append(run(merger + raw + ["-o", os.path.join(work, "out")]))
    ours, stock = [[statistics.median(column) for column in zip(*result)] for result in results]
    cells = ["%s, %.2fx of llvm-profdata's %s" % (form % mine, mine / theirs, form % theirs)
             for mine, theirs, form in zip(ours, stock, ("%.2f s", "%.2f s", "%.0f MB"))]
    print("| %s | %d MB | %s |" % (title, size / 1e6, " | ".join(cells)), flush=True)
    for file in raw:
        os.unlink(file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("--files", default="50,500", help="of the cases of many files (default: 50,500)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each command (default: 3)")
    parser.add_argument("--only", choices=("made", "cppcheck"), help="one of the programs")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    try:
        many = [int(number) for number in options.files.split(",") if number]
    except ValueError:
        fail("--files=%s: a list of numbers is expected" % options.files)
    with tempfile.TemporaryDirectory() as work:
        compiler = [LLVM + "/clang++", "--config=%s/config/thermocline-generate.cfg" % build]
        print("| profiles | bytes | processor time | wall time | memory |\n|---|---|---|---|---|", flush=True)
        for kind, cases in (("made", made_cases), ("cppcheck", cppcheck_cases)):
            if options.only not in (None, kind):
                continue
            for case in cases(work, compiler, many):
                measure(case, build, work, options.repeat)


if __name__ == "__main__":
    try:
        main()
    except BenchError as error:
        fail(str(error))

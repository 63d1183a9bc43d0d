#!/usr/bin/env python3
#===- bench/allocator/run.py - What allocation costs -----------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Measures hinted calls against plain ones of the same allocator, plain ones against those of
Debian's allocators, the memory that programs have at most and in the end beside theirs, the memory
that a heap with cold objects takes beside one without, what huge pages for the others bring and
cost, and what it costs that small objects lie in the order of allocation, and prints the ratios as
Markdown. See docs/allocator.md.

Fetches the allocators with apt-get and unpacks them beside what it builds; installs nothing.
"""

import argparse
import datetime
import os
import pathlib
import statistics
import subprocess
import sys

import footprint
import packages

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Kernel, functions and bytes, as kernels.cpp takes them.
CASES = [("pair", "malloc", 64), ("pair", "new", 64), ("pair", "malloc", 4096),
         ("churn", "malloc", 16), ("churn", "malloc", 64), ("churn", "new", 256),
         ("churn", "malloc", 2048), ("batch", "malloc", 64), ("batch", "malloc", 512),
         ("cross", "malloc", 64), ("cross", "new", 512), ("hand", "malloc", 64),
         ("hand", "new", 512)]
PARTS = ["hinted", "plain", "footprint", "memory", "pages", "order"]
ORDER = {"THERMOCLINE_ALLOC_ORDER": "1"}
# Rounds in one process.
ROUNDS = 3
FRAGMENT_MIB = 128
# What a server keeps, and how long it is idle after it has freed most of that: jemalloc gives
# memory back after ten seconds.
SERVE_MIB = 400
SERVE_SECONDS = 20


def fail(message):
    sys.exit(f"run.py: {message}")


def run(command, **arguments):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          **arguments)
    if done.returncode:
        fail(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def times(program, case, threads, operations, library=None, settings=None):
    """Nanoseconds of an allocation with its free: of each round, a list for each set of
    functions."""
    kernel, functions, size = case
    environment = dict(os.environ, **(settings or {}))
    if library:
        environment["LD_PRELOAD"] = str(library)
    text = run([program, kernel, functions, threads, size, ROUNDS, operations], env=environment)
    return list(zip(*(map(float, line.split()) for line in text.splitlines())))


def named(case):
    kernel, functions, size = case
    return f"{kernel}, {functions}, {size} bytes"


def table(columns, rows):
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def hinted(library, program, arguments):
    rows = []
    for case in arguments.cases:
        row = [named(case)]
        for threads in arguments.threads:
            plain, cold = [], []
            for _ in range(arguments.runs):
                in_run = times(program, case, threads, arguments.operations)
                plain += in_run[0]
                cold += in_run[1]
            if threads == arguments.threads[0]:
                row.append(f"{statistics.median(plain):.1f} ns")
            row.append(f"{statistics.median(cold) / statistics.median(plain):.2f}")
        rows.append(row)
        print(f"measured: {row}", file=sys.stderr)
    print(f"Hinted calls, to plain ones of the same library, {library}:\n")
    first = arguments.threads[0]
    table(["kernel", f"plain, {first} threads" if first > 1 else "plain, 1 thread",
           *(f"hinted, {n} threads" if n > 1 else "hinted, 1 thread" for n in arguments.threads)],
          rows)


def beside_others(plain, linked, ours, libraries, arguments):
    # The program, what is loaded before it.
    ways = {"Debian's jemalloc": (plain, libraries["jemalloc"]), "archive": (linked, None),
            "shared library": (plain, ours), "mimalloc": (plain, libraries["mimalloc"]),
            "tcmalloc": (plain, libraries["tcmalloc"]), "glibc": (plain, None)}
    base = next(iter(ways))
    rows = []
    for case in arguments.cases:
        for threads in (arguments.threads[0], arguments.threads[-1]):
            taken = {name: [] for name in ways}
            for _ in range(arguments.runs):
                for name, (program, library) in ways.items():
                    taken[name] += times(program, case, threads, arguments.operations, library)[0]
            medians = {name: statistics.median(found) for name, found in taken.items()}
            rows.append([named(case), str(threads), f"{medians[base]:.1f} ns",
                         *(f"{medians[name] / medians[base]:.2f}" for name in ways
                           if name != base)])
            print(f"measured: {rows[-1]}", file=sys.stderr)
    print("Plain calls, to those of Debian's jemalloc:\n")
    table(["kernel", "threads", *ways], rows)


def build_footprint(work, archive=None):
    """The program, with the archive or with libc's malloc."""
    hinted = ["-DHINTED", f"-I{ROOT / 'runtime/alloc/include'}", archive] if archive else []
    program = work / ("footprint-hinted" if archive else "footprint")
    run(["clang++-22", "-std=c++20", "-O2", "-fno-builtin", "-pthread", HERE / "footprint.cpp",
         *hinted, "-o", program, "-lm"])
    return program


def footprints(archive, work, arguments):
    plain, hinted = build_footprint(work), build_footprint(work, archive)
    ways = {"archive": (hinted, None), "glibc": (plain, None),
            **{name: (plain, library) for name, library in packages.fetch(work).items()}}
    print(f"Memory of programs that never have more than {footprint.MIB} MiB of live objects:\n")
    table(footprint.columns(ways), footprint.rows(ways, arguments.runs))


def fragmentation(program, arguments):
    rows = []
    for size in (64, 256, 1024):
        for threads in arguments.threads:
            parts = {"plain": [], "mixed": []}
            for _ in range(arguments.runs):
                for name, ratios in parts.items():
                    resident, live = map(int, run([program, "fragment", name, threads, size,
                                                   FRAGMENT_MIB]).split())
                    ratios.append(resident / live)
            plain, mixed = (statistics.median(ratios) for ratios in parts.values())
            rows.append([f"16 to {2 * size}", str(threads), f"{plain:.3f}", f"{mixed:.3f}",
                         f"{mixed / plain:.3f}"])
            print(f"measured: {rows[-1]}", file=sys.stderr)
    print(f"Memory resident, to what {FRAGMENT_MIB} MiB of objects asked for, after four times as "
          "many were replaced:\n")
    table(["bytes", "threads", "all plain", "every other cold", "ratio"], rows)


def order(archive, program, work, arguments):
    rows = []
    for case in arguments.cases:
        row = [named(case)]
        for threads in (arguments.threads[0], arguments.threads[-1]):
            taken = ([], [])
            for _ in range(arguments.runs):
                for found, settings in zip(taken, ({}, ORDER)):
                    found += times(program, case, threads, arguments.operations, None, settings)[0]
            by_class, in_order = map(statistics.median, taken)
            row += [f"{by_class:.1f} ns", f"{in_order / by_class:.2f}"]
        rows.append(row)
        print(f"measured: {row}", file=sys.stderr)
    print("Small objects in the order of allocation, to those by size class, by threads:\n")
    table(["kernel", *(f"{what}, {n}" for n in (arguments.threads[0], arguments.threads[-1])
                       for what in ("by class", "in order"))], rows)
    print(f"Memory of programs that never have more than {footprint.MIB} MiB of live objects:\n")
    table(["workload", "bytes", "most MiB: by class", "in order", "ratio",
           "MiB in the end: by class", "in order", "ratio", "seconds: by class", "in order"],
          footprint.rows_of_settings(build_footprint(work, archive), ORDER, arguments.runs))


def pages(program, arguments):
    rows = []
    for size in (512, 4096, 20000):
        ways = {"0": [], "1": []}
        for _ in range(arguments.runs):
            for huge, found in ways.items():
                text = run([program, "serve", "hinted", 1, size, SERVE_MIB, SERVE_SECONDS],
                           env=dict(os.environ, THERMOCLINE_ALLOC_HUGE_PAGES=huge))
                found.append(list(map(float, text.split())))
        small, huge = ([statistics.median(column) for column in zip(*found)]
                       for found in ways.values())
        rows.append([f"16 to {size}", *(f"{h / s:.2f}" for s, h in zip(small[:3], huge[:3])),
                     *(f"{s:.0f}, {h:.0f}" for s, h in zip(small[3:], huge[3:]))])
        print(f"measured: {rows[-1]}", file=sys.stderr)
    print("Huge pages for ordinary objects, to none: time; and MiB resident without and with:\n")
    table(["bytes of an object", "make", "replace", "read", "MiB when full",
           f"MiB {SERVE_SECONDS} s after most are freed"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--runs", type=int, default=5, help="alternating runs (default: 5)")
    parser.add_argument("--threads", default="1,2,8,32", help="default: 1,2,8,32")
    parser.add_argument("--operations", type=int, default=2000000,
                        help="of all threads in a round (default: 2000000)")
    parser.add_argument("--only", action="append", metavar="KERNEL", help="may be repeated")
    parser.add_argument("--part", action="append", choices=PARTS,
                        help="may be repeated (default: all)")
    parser.add_argument("--mib", type=int, default=footprint.MIB, metavar="N",
                        help="of live objects, where memory at most and in the end is measured "
                        f"(default: {footprint.MIB})")
    parser.add_argument("--work", type=pathlib.Path,
                        help="keep what is built here (default: BUILD/bench-allocator)")
    arguments = parser.parse_args()
    footprint.MIB = arguments.mib
    arguments.threads = [int(number) for number in arguments.threads.split(",")]
    kernels = sorted({case[0] for case in CASES})
    for kernel in arguments.only or []:
        if kernel not in kernels:
            fail(f"no kernel '{kernel}'; there are {', '.join(kernels)}")
    arguments.cases = [c for c in CASES if not arguments.only or c[0] in arguments.only]
    parts = arguments.part or PARTS
    build = arguments.build.resolve()
    archive = build / "lib/libthermocline_alloc.a"
    if not archive.exists():
        fail(f"no {archive}: build first")
    work = (arguments.work or build / "bench-allocator").resolve()
    work.mkdir(parents=True, exist_ok=True)
    compile_it = ["clang++-22", "-std=c++20", "-O2", "-fno-builtin", "-pthread",
                  HERE / "kernels.cpp"]
    run([*compile_it, "-o", work / "plain"])
    run([*compile_it, archive, "-o", work / "linked", "-lm"])
    compile_hinted = [*compile_it, "-DHINTED", f"-I{ROOT / 'runtime/alloc/include'}"]
    run([*compile_hinted, archive, "-o", work / "hinted", "-lm"])
    run([*compile_hinted, archive.with_suffix(".so"), f"-Wl,-rpath,{archive.parent}", "-o",
         work / "hinted-shared"])

    command = f"bench/allocator/run.py --runs={arguments.runs}"
    print(f"{datetime.date.today()}, {command}: processor time, ratios of medians\n")
    if "hinted" in parts:
        hinted("the archive", work / "hinted", arguments)
        hinted("the shared library", work / "hinted-shared", arguments)
    if "plain" in parts:
        beside_others(work / "plain", work / "linked", archive.with_suffix(".so"),
                      packages.fetch(work), arguments)
    if "footprint" in parts:
        footprints(archive, work, arguments)
    if "memory" in parts:
        fragmentation(work / "hinted", arguments)
    if "order" in parts:
        order(archive, work / "linked", work, arguments)
    if "pages" in parts:
        pages(work / "hinted", arguments)


if __name__ == "__main__":
    main()

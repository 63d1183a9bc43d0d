#===- bench/allocator/footprint.py - What an allocator keeps ---------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compares the memory that programs have at most and in the end under allocators (footprint.cpp)."""

import os
import statistics
import subprocess
import sys

MIB = 200
# Workload and bytes of an object, as footprint.cpp takes them; 0 stands for 16 to 8191.
WORKLOADS = [*(("refill", size) for size in (16, 100, 1000, 6000, 20000, 65536, 0)),
             ("backward", 1000), ("scatter", 1000), ("scatter", 0), ("phases", 0), ("saw", 1000),
             ("saw", 0), ("stack", 1000), ("stack", 0), ("litter", 100), ("litter", 1000),
             ("litter", 6000), ("queue", 1000), ("queue", 0), ("turns", 1000), ("turns", 0),
             ("halves", 1000), ("relay", 1000), ("crowd", 1000), ("crowd", 0),
             ("errands", 1000)]
# These are measured once more where jemalloc gives back at once what is freed.
WITHOUT_DECAY = [("refill", 1000), ("turns", 1000), ("crowd", 1000), ("crowd", 0)]
DECAY = "dirty_decay_ms:0"


def measure(program, workload, library, options, settings=None):
    """Runs it once, with settings in the environment: MiB at most and in the end, and seconds.
    Raises subprocess.CalledProcessError."""
    environment = dict(os.environ, **(settings or {}))
    if library:
        environment["LD_PRELOAD"] = str(library)
    if options:
        environment["MALLOC_CONF"] = options
    name, size = workload
    done = subprocess.run([str(program), name, str(MIB), str(size)], env=environment, check=True,
                          capture_output=True, text=True)
    return tuple(map(float, done.stdout.split()))[1:]


def rows(ways, runs):
    """Rows of a table. ways is, by name, a program and what is loaded before it; the first is
    compared with the best of the others."""
    ours = next(iter(ways))
    made = []
    for workload, options in [*((w, None) for w in WORKLOADS), *((w, DECAY) for w in WITHOUT_DECAY)]:
        taken = {name: [] for name in ways}
        for _ in range(runs):
            for name, (program, library) in ways.items():
                taken[name].append(measure(program, workload, library, options))
        medians = {name: [statistics.median(column) for column in zip(*found)]
                   for name, found in taken.items()}
        row = [f"{workload[0]}{', no decay' if options else ''}",
               str(workload[1]) if workload[1] else "mixed"]
        for column in (0, 1):
            best = min((n for n in ways if n != ours), key=lambda n: medians[n][column])
            mine, other = medians[ours][column], medians[best][column]
            row += [f"{mine:.0f}", f"{other:.0f} {best}", f"{mine / other:.2f}"]
        made.append(row + [f"{medians[name][2]:.2f}" for name in ways])
        print(f"measured: {made[-1]}", file=sys.stderr)
    return made


def rows_of_settings(program, settings, runs):
    """Rows of a table for one program under its defaults and under settings."""
    made = []
    for workload in WORKLOADS:
        taken = ([], [])
        for _ in range(runs):
            for found, way in zip(taken, ({}, settings)):
                found.append(measure(program, workload, None, None, way))
        before, after = ([statistics.median(column) for column in zip(*found)] for found in taken)
        row = [workload[0], str(workload[1]) if workload[1] else "mixed"]
        for column in (0, 1):
            row += [f"{before[column]:.0f}", f"{after[column]:.0f}",
                    f"{after[column] / before[column]:.2f}"]
        made.append(row + [f"{before[2]:.2f}", f"{after[2]:.2f}"])
        print(f"measured: {made[-1]}", file=sys.stderr)
    return made


def columns(ways):
    ours, *others = ways
    return ["workload", "bytes", "most MiB", "best other", "ratio", "MiB in the end", "best other",
            "ratio", f"seconds: {ours}", *others]

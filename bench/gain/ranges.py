#!/usr/bin/env python3
#===- bench/gain/ranges.py - Times that a rerun falls into -----------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Measures the programs of bench/gain at half, all and twice the size of their input, each in a
fresh heap and in one that was littered before. Prints the least and the most of all ratios, beside
their median: of Thermocline's allocator without and with hints, by their defaults, to the fastest
of glibc, jemalloc, mimalloc and tcmalloc.

The hints are from one profile, of the smallest of the inputs with four times the rounds. Each run
has an environment of another size, and addresses that the kernel draws.
"""

import argparse
import dataclasses
import math
import random
import statistics

import rows
from bench_error import BenchError, run
from measure import measure
from program import DRIVERS, Size
from programs import ALL
from run import say

PROGRAMS = ",".join(name for name in ALL if name not in ("pkgindex-small", "pkgindex-large"))
OTHERS = ("glibc", "jemalloc", "mimalloc", "tcmalloc")
OURS = ("huge", "hints, huge")
PARTS = (0.5, 1, 2)
LITTER_MIB = 64
MOST_PADDING = 4096
PROFILED_ROUNDS = 4


def litter(bench):
    library = bench.work / "liblitter.so"
    run(["clang-22", "-O2", "-shared", "-fPIC", DRIVERS / "litter.c", "-o", library])
    return library


def changed(environment, key, litter):
    """The environment of a run, of another size for each key; with litter if there is a library
    for it."""
    draw = random.Random(key)
    changed = dict(environment, GAIN_PADDING="x" * draw.randrange(MOST_PADDING))
    if litter:
        before = changed.get("LD_PRELOAD")
        changed.update(LD_PRELOAD=f"{before}:{litter}" if before else str(litter),
                       GAIN_LITTER=f"{LITTER_MIB}:{draw.randrange(1 << 32)}")
    return changed


def times(bench, program, made, inputs, size, library, pairs):
    """The times of each variant, in the same order."""
    found, said = {variant: [] for variant in OTHERS + OURS}, set()
    for pair in range(pairs):
        # Each is behind each other about equally often.
        turn = pair % len(found)
        order = (OTHERS + OURS)[turn:] + (OTHERS + OURS)[:turn]
        for variant in order if pair % 2 else order[::-1]:
            command, environment = bench.command(made, variant, inputs)
            phase = measure(program, command, changed(
                environment, f"{program.name} {size} {bool(library)} {pair} {variant}", library),
                size)
            found[variant].append(phase.seconds)
            said.add(phase.said)
    if len(said) != 1:
        raise BenchError(f"{program.name}: the answers differ: {said}")
    return found


def shown(seconds, base):
    ratios = [a / b for a, b in zip(seconds, base)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"


def rows_of(bench, program, arguments):
    program = dataclasses.replace(program, profiled=Size(
        round(program.measured.amount * min(PARTS)), program.measured.rounds * PROFILED_ROUNDS))
    builder = bench.builder(program)
    made, profile = bench.profiled(program, builder)
    made["use"] = builder.build(bench.ways.use(profile, builder.folder / "report.json"))
    result = []
    for part in PARTS:
        size = Size(max(round(program.measured.amount * part), 1),
                    max(round(program.measured.rounds / part), 1))
        inputs = program.arguments(builder.inputs, size)
        for library in (None, litter(bench)):
            heap = "littered" if library else "fresh"
            say(f"{program.name}: {size.amount}, {heap}")
            found = times(bench, program, made, inputs, size, library, arguments.pairs)
            best = min(OTHERS, key=lambda name: statistics.median(found[name]))
            result.append([program.name, str(size.amount), heap,
                           f"{best}, {statistics.median(found[best]):.2f} s",
                           *(shown(found[name], found[best]) for name in OURS)])
    return result


def summary(found):
    """Of the medians with hints."""
    lines = []
    for heap in ("fresh", "littered"):
        values = [float(row[-1].split()[0]) for row in found if row[2] == heap]
        if values:
            mean = math.exp(statistics.fmean(map(math.log, values)))
            lines.append(f"{heap}: geometric mean {mean:.2f}, "
                         f"{sum(value <= 0.9 for value in values)} of {len(values)} at most 0.90, "
                         f"{sum(value > 1.02 for value in values)} above 1.02")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    rows.add_options(parser, PROGRAMS)
    parser.add_argument("--pairs", type=int, default=7, metavar="N", help="default: 7")
    arguments = rows.parse(parser)
    rows.print_rows(
        f"bench/gain/ranges.py --programs={','.join(arguments.programs)} "
        f"--pairs={arguments.pairs}",
        ["program", "size", "heap", "best other", "without hints", "with hints"], rows_of,
        arguments, summary)


if __name__ == "__main__":
    main()

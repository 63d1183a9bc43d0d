#!/usr/bin/env python3
#===- bench/gain/order.py - What the order of allocation brings ------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs programs of bench/gain, hinted and without hints, with small objects in the order of
allocation and by size class in turn, and prints ratios of the steady phase's processor time and of
memory as Markdown, and what the profile chooses. The first pairs of a program also show whether it
answers the same.

With --choice, nothing is measured but what profiles choose, which are of the size that is measured
otherwise, and of a longer run.
"""

import argparse
import dataclasses
import json
import os

import rows
from bench_error import BenchError, run
from measure import measure
from program import Size
from ratios import ratio
from run import say

PROGRAMS = "jansson,libxml2,pkgindex,cjson,lua"
ORDER = "THERMOCLINE_ALLOC_ORDER"


def choice(bench, profile):
    """What the profile chooses, the ratios of pages and of pairs of lines, and the share of what is
    replaced."""
    made = json.loads(run([bench.ways.profdata, "export", "--format=json", profile]))
    chosen = made.get("smallObjects")
    if not chosen:
        return ["cannot tell", "", "", ""]
    return [chosen["choice"],
            *(f"{chosen[key]:.2f}" for key in ("pagesRatio", "pairsRatio", "replacedShare"))]


def choices_of(bench, program, arguments):
    size = Size(arguments.amount or program.measured.amount, program.measured.rounds * 4)
    program = dataclasses.replace(program, profiled=size)
    builder = bench.builder(program)
    _, profile = bench.profiled(program, builder)
    return [[program.name, str(size.amount), *choice(bench, profile)]]


def rows_of(bench, program, arguments):
    builder = bench.builder(program)
    made, profile = bench.profiled(program, builder)
    made["use"] = builder.build(bench.ways.use(profile, builder.folder / "report.json"))
    size = Size(arguments.amount or program.measured.amount, program.measured.rounds)
    inputs = program.arguments(builder.inputs, size)
    shown, said, peaks = [program.name, str(size.amount)], set(), {}
    for way in ("use", "allocator"):
        taken = {"0": [], "1": []}
        for pair in range(arguments.pairs):
            say(f"{program.name}, {way}: {pair + 1} of {arguments.pairs}")
            for order in "01" if pair % 2 else "10":
                phase = measure(program, [made[way], *inputs],
                                dict(os.environ, **{ORDER: order}), size)
                taken[order].append(phase.seconds)
                peaks[way, order] = phase.peak
                said.add(phase.said)
        found = ratio(taken["1"], taken["0"])
        pairs = [a / b for a, b in zip(taken["1"], taken["0"])]
        shown += [f"{found.median:.2f}", f"{min(pairs):.2f} to {max(pairs):.2f}"]
    if len(said) != 1:
        raise BenchError(f"{program.name}: the answers differ: {said}")
    return [[*shown, f"{peaks['use', '1'] / peaks['use', '0']:.2f}", *choice(bench, profile)]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    rows.add_options(parser, PROGRAMS)
    parser.add_argument("--pairs", type=int, default=9, metavar="N", help="default: 9")
    parser.add_argument("--amount", type=int, metavar="N",
                        help="size of the input (default: as bench/gain/run.py measures it)")
    parser.add_argument("--choice", action="store_true", help="print what profiles choose")
    arguments = rows.parse(parser)
    command = f"bench/gain/order.py --programs={','.join(arguments.programs)}"
    if arguments.amount:
        command += f" --amount={arguments.amount}"
    columns = ["program", "size"]
    if arguments.choice:
        command += " --choice"
    else:
        command += f" --pairs={arguments.pairs}"
        columns += ["hinted: time", "pairs", "without hints: time", "pairs", "peak memory"]
    columns += ["choice", "pages of the profile", "pairs of lines", "replaced"]
    rows.print_rows(command, columns, choices_of if arguments.choice else rows_of, arguments)


if __name__ == "__main__":
    main()

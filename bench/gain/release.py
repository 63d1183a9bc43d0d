#!/usr/bin/env python3
#===- bench/gain/release.py - What thermocline-release.cfg costs -----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Builds each program of bench/gain as it is and with thermocline-release.cfg, by which profiles
can be taken of it where it runs, and prints code size and time of the steady phase beside each
other. Nothing is profiled.

With --without, it does so with each part of the config file that changes code taken away, too.
"""

import argparse
import os
import statistics

import rows
from build import DEBUG, Way, text_size
from measure import measure

PROGRAMS = "pkgindex,jansson,cjson,yaml-cpp,json,geos,libxml2"
PARTS = {"calls together": ("-Xclang", "-mllvm", "-Xclang", "-thermocline-keep-calls=0"),
         "sibling calls": ("-foptimize-sibling-calls",)}


def rows_of(bench, program, arguments):
    builder = bench.builder(program)
    release = bench.ways.release()
    ways = [Way("as-it-is", tuple(DEBUG)), release]
    if arguments.without:
        ways += [Way(f"release-{name.replace(' ', '-')}", release.compile + flags, release.link,
                     (), release.tools) for name, flags in PARTS.items()]
    made = [builder.build(way) for way in ways]
    inputs = program.arguments(builder.inputs, program.measured)
    times = [[] for _ in made]
    for _ in range(arguments.runs):
        for binary, seen in zip(made, times):
            seen.append(measure(program, [binary, *inputs], dict(os.environ),
                                program.measured).seconds)
    sizes = [text_size(binary) for binary in made]
    # Each run beside that of the program as it is, just before.
    ratios = [statistics.median(time / plain for time, plain in zip(seen, times[0]))
              for seen in times]
    return [[program.name, f"{sizes[0] / 1024:.0f} KiB", f"{statistics.median(times[0]):.2f} s",
             *(f"{size / sizes[0]:.3f}, {ratio:.3f}"
               for size, ratio in zip(sizes[1:], ratios[1:]))]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    rows.add_options(parser, PROGRAMS)
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument("--without", action="store_true",
                        help="also without each part of the config file that changes code")
    arguments = rows.parse(parser)
    command = f"bench/gain/release.py --programs={','.join(arguments.programs)} " \
              f"--runs={arguments.runs}" + (" --without" if arguments.without else "")
    columns = ["program", "code", "time", "release: code, time",
               *(PARTS if arguments.without else ())]
    rows.print_rows(command, columns, rows_of, arguments)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
#===- bench/gain/live.py - What live profiles are worth --------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Takes two profiles of each program of bench/gain, on the same input: one of a build that counts
accesses, and a live one of its release. Builds the program with hints from each, and prints the
pages that the steady phase touches, without huge pages, beside what the profiles predict.

The input is of the size that bench/gain/run.py measures, with so many times its rounds.
"""

import argparse
import dataclasses
import json
import os

import rows
from bench_error import run
from measure import TIMEOUT, measure
from program import Size
from run import SMALL
from search import counted_pages

# What is measured is the split alone.
PLAIN = dict(SMALL, THERMOCLINE_ALLOC_ORDER="0")
PROGRAMS = "pkgindex,jansson,cjson,yaml-cpp,json,geos,libxml2"


def predicted(made):
    """The share of the pages touched in a window that is left, and its 95 % interval."""
    found = made["predicted"]["window"]
    left = found["after"] / found["before"] if found["before"] else 1
    error = 1.96 * found.get("savedShareError", 0)
    return f"{left:.2f}" + (f" ± {error:.2f}" if error else "")


def rows_of(bench, program, arguments):
    size = Size(program.measured.amount, program.measured.rounds * arguments.rounds)
    program = dataclasses.replace(program, profiled=size)
    builder = bench.builder(program)
    made, counted = bench.profiled(program, builder)
    release = builder.build(bench.ways.release())
    phase = [] if program.client else ["--phase=steady"]
    live = builder.profile(
        bench.ways.release(), release,
        [bench.ways.profdata, "merge", "--quiet", *phase, f"--binary={release}"],
        f"sample={arguments.sample}:page_touches=1:touch_cost={arguments.touch_cost}",
        bench.ways.preload)
    profiles = {"use": counted, "use-live": live}
    exports = {name: json.loads(run([bench.ways.profdata, "export", "--format=json", profile]))
               for name, profile in profiles.items()}
    for name, profile in profiles.items():
        made[name] = builder.build(
            bench.ways.use(profile, builder.folder / f"{name}.json", name))
    inputs = program.arguments(builder.inputs, program.measured)

    def counter(way):
        return lambda window: measure(program, [made[way], *inputs], dict(os.environ, **PLAIN),
                                      program.measured, window)

    # One window: its length does not depend on how fast the machine is.
    pages = {way: counted_pages(counter(way), TIMEOUT) for way in ("allocator", *profiles)}
    saved = {way: pages["allocator"] - pages[way] for way in profiles}
    part = f"{100 * saved['use-live'] / saved['use']:.0f} %" \
        if saved["use"] > pages["allocator"] / 50 else "no gain"
    shares = [f"{pages[way] / pages['allocator']:.2f}" for way in profiles]
    return [[program.name, f"{pages['allocator'] / 1024:.1f}", *shares, part,
             *(predicted(exports[name]) for name in profiles)]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    rows.add_options(parser, PROGRAMS)
    parser.add_argument("--rounds", type=int, default=4, metavar="N", help="default: 4")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="default: 100")
    parser.add_argument("--touch-cost", type=int, default=30, metavar="N",
                        help="thousandths of processor time for looks (default: 30)")
    arguments = rows.parse(parser)
    rows.print_rows(
        f"bench/gain/live.py --programs={','.join(arguments.programs)} "
        f"--rounds={arguments.rounds} --sample={arguments.sample} "
        f"--touch-cost={arguments.touch_cost}",
        ["program", "pages, MiB", "counted profile", "live profile", "of the gain",
         "predicted by the counted one", "by the live one"], rows_of, arguments)


if __name__ == "__main__":
    main()

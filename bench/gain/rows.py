#===- bench/gain/rows.py - A row for each program, as Markdown -------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What the commands beside run.py have in common: which programs they take, and a table with rows
for each."""

import datetime
import pathlib
import sys
from types import SimpleNamespace

from bench_error import BenchError
from programs import ALL
from run import ROOT, Bench, say


def add_options(parser, programs):
    """Options of each such command; these programs are taken by default."""
    parser.add_argument("--programs", metavar="A,B", default=programs,
                        help=f"which of {', '.join(ALL)} (default: {programs})")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/gain")


def parse(parser):
    arguments = parser.parse_args()
    arguments.programs = arguments.programs.split(",")
    for name in arguments.programs:
        if name not in ALL:
            parser.error(f"no program '{name}'; there are {', '.join(ALL)}")
    return arguments


def print_rows(command, columns, rows_of, arguments, summary=None):
    """Prints the rows that `rows_of` has of each program, a function of the bench, the program and
    the arguments, and what `summary` says of all. Ends with an error if one of them failed."""
    print(f"{datetime.date.today()}, `{command}`\n")
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|", flush=True)
    rows, failed = [], False
    bench = Bench(SimpleNamespace(build=arguments.build, work=arguments.work.resolve()))
    for name in arguments.programs:
        try:
            measured = rows_of(bench, ALL[name], arguments)
            rows += measured
            for row in measured:
                print(f"| {' | '.join(row)} |", flush=True)
        except BenchError as error:
            say(f"{name}: {error}")
            failed = True
    if summary:
        print(f"\n{summary(rows)}")
    sys.exit(failed)

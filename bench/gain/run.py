#!/usr/bin/env python3
#===- bench/gain/run.py - What real programs gain --------------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Builds real programs plain, with LLVM's MemProf and with Thermocline, profiles them on one input,
and measures them on a larger one under several allocators.

The programs are Debian's source packages, fetched by apt when the bench runs. Time, pages and
memory of the steady phase are written as JSON to the work directory, and as tables to --out.
What is there from an earlier run is kept if nothing changed that it was made from.
"""

import argparse
import datetime
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent / "allocator")]

import packages  # noqa: E402
import tables  # noqa: E402
from bench_error import BenchError, run  # noqa: E402
from build import Builder, Ways  # noqa: E402
from facts import facts_of, windows_per_round  # noqa: E402
from measure import measure  # noqa: E402
from program import Size  # noqa: E402
from programs import ALL  # noqa: E402
from search import Search, counted_pages  # noqa: E402
from simulate import simulated  # noqa: E402
from sources import Archive  # noqa: E402

MOST_WINDOWS = 8
PAIRS = 15
SEARCH_RUNS = 25
SMALL = {"THERMOCLINE_ALLOC_HUGE_PAGES": "0"}
# What is measured: the way the program is built, Debian's allocator that is loaded before it, and
# the environment.
VARIANTS = {
    "glibc": ("plain", None, {}),
    "jemalloc": ("plain", "jemalloc", {}),
    "mimalloc": ("plain", "mimalloc", {}),
    "tcmalloc": ("plain", "tcmalloc", {}),
    "ours": ("allocator", None, SMALL),
    "hints": ("use", None, SMALL),
    "huge": ("allocator", None, {}),
    "hints, huge": ("use", None, {}),
    "MemProf": ("stock", None, SMALL),
    "MemProf, tuned": ("stock-tuned", None, SMALL),
}


def say(message):
    print(f"{datetime.datetime.now():%H:%M:%S} {message}", file=sys.stderr, flush=True)


def windows_of(facts, size):
    """How many windows pages are counted in: as many rounds are in each as in one of the profile,
    so that what was predicted for those can be compared."""
    if not facts["windowsPerRound"]:
        return MOST_WINDOWS
    return min(max(round(size.rounds * facts["windowsPerRound"]), 1), MOST_WINDOWS)


class Bench:
    def __init__(self, arguments):
        self.arguments, self.work = arguments, arguments.work
        self.work.mkdir(parents=True, exist_ok=True)
        self.ways = Ways(arguments.build.resolve())
        self.archive = Archive(self.work / "apt")
        try:
            self.libraries = packages.fetch(self.work)
        except subprocess.SubprocessError as error:
            raise BenchError(f"cannot fetch the allocators: {error}") from error

    def source(self, program):
        if not program.package:
            return ROOT / "examples/pkgindex", None
        return self.archive.tree(program.package)

    def builder(self, program):
        tree, _ = self.source(program)
        return Builder(program, tree, self.work / "programs" / program.name,
                       lambda text: say(f"{program.name}: {text}"))

    def profiled(self, program, builder):
        """The program without hints and for a profile, by the names of the ways, and the
        profile."""
        made = {way.name: builder.build(way) for way in (
            self.ways.plain(), self.ways.allocator_only(), self.ways.generate())}
        # A server does not know what its client does.
        phase = [] if program.client else ["--phase=steady"]
        profile = builder.profile(self.ways.generate(), made["generate"], [
            self.ways.profdata, "merge", "--quiet", *phase, f"--binary={made['generate']}"])
        return made, profile

    def built(self, program, builder):
        """The program in all ways, by their names; None with a reason where one failed."""
        ways, failed = self.ways, {}
        made, profile = self.profiled(program, builder)

        def attempt(way):
            made[way.name] = builder.build(way)
            return made[way.name]

        attempt(ways.use(profile, builder.folder / "report.json"))
        if not program.is_cpp:
            failed["MemProf"] = failed["MemProf, tuned"] = "LLVM's MemProf hints no functions of C"
            return made, profile, failed
        try:
            stock = attempt(ways.stock_generate())
            stock_profile = builder.profile(ways.stock_generate(), stock, [
                "/usr/lib/llvm-22/bin/llvm-profdata", "merge", f"--profiled-binary={stock}"])
            attempt(ways.stock_use(stock_profile))
            attempt(ways.stock_tuned(stock_profile))
        except BenchError as error:
            failed["MemProf"] = failed["MemProf, tuned"] = str(error)
        return made, profile, failed

    def command(self, made, variant, arguments):
        """The command of a variant and its environment."""
        way, library, more = VARIANTS[variant]
        environment = dict(os.environ, **more)
        if library:
            environment["LD_PRELOAD"] = str(self.libraries[library])
        return [made[way], *arguments], environment

    def compare(self, program, builder):
        made, profile, failed = self.built(program, builder)
        facts = facts_of(self.ways, program, builder, made, profile)
        size = program.measured
        if self.arguments.quick:
            size = Size(program.profiled.amount, program.profiled.rounds)
        inputs = program.arguments(builder.inputs, size)
        variants = []
        for variant, (way, _, _) in VARIANTS.items():
            if way.startswith("stock") and not failed.get(variant) and \
                    not facts["stock"][way]["coldBytes"]:
                failed[variant] = "no call is hinted: as without a profile"
            elif variant not in failed:
                variants.append(variant)

        results = {variant: {"seconds": [], "wall": []} for variant in variants}
        said = {}
        for variant in variants:
            first = measure(program, *self.command(made, variant, inputs), size)
            said[first.said] = variant
        if len(said) > 1:
            raise BenchError(f"the variants answer differently: {said}")
        for pair in range(self.arguments.pairs):
            say(f"{program.name}: times, {pair + 1} of {self.arguments.pairs}")
            # Each is behind each other equally often.
            turn = pair % len(variants)
            order = variants[turn:] + variants[:turn]
            for variant in order if pair % 2 else order[::-1]:
                phase = measure(program, *self.command(made, variant, inputs), size)
                results[variant]["seconds"].append(phase.seconds)
                results[variant]["wall"].append(phase.wall)
        windows = windows_of(facts, size)
        for variant in variants:
            say(f"{program.name}: pages, {variant}")
            window = statistics.median(results[variant]["seconds"]) / windows
            phase = measure(program, *self.command(made, variant, inputs), size, window)
            results[variant].update(windowsKiB=phase.windows, peakKiB=phase.peak,
                                    residentKiB=phase.resident)
        return dict(facts, variants=results, without=failed)

    def simulate(self, program):
        """What the steady phase misses in simulated caches."""
        builder = self.builder(program)
        made, _, _ = self.built(program, builder)
        say(f"{program.name}: simulating caches")
        return simulated(
            program, lambda variant, arguments: self.command(made, variant, arguments),
            lambda size: program.arguments(builder.inputs, size), builder.folder)

    def search(self, program):
        """The best cold set that runs find, by pages."""
        builder = self.builder(program)
        made, profile = self.profiled(program, builder)
        facts = {"windowsPerRound": windows_per_round(json.loads(run(
            [self.ways.profdata, "export", f"--binary={made['generate']}", profile])), program)}
        size = program.measured
        inputs = program.arguments(builder.inputs, size)

        def counter(binary):
            return lambda window: measure(program, [binary, *inputs],
                                          dict(os.environ, **SMALL), size, window)

        # One length of windows for all sets.
        window = min(counter(made["allocator"])(None).seconds for _ in range(3)) / \
            windows_of(facts, size)
        search = Search(
            self.ways, made["generate"], profile, builder.folder / "search",
            lambda forced: counted_pages(counter(builder.build(self.ways.forced(forced))), window))
        say(f"{program.name}: searching over {len(search.candidates)} contexts")
        return dict(search.found(self.arguments.search_runs),
                    unhintedKiB=counted_pages(counter(made["allocator"]), window))

    def row(self, program):
        """What the tables say of a program; an error is a row as well."""
        row = {"name": program.name, "language": program.language, "does": program.does,
               "control": program.control, "date": str(datetime.date.today()),
               "pairs": self.arguments.pairs, "quick": self.arguments.quick}
        started = time.monotonic()
        try:
            _, row["version"] = self.source(program)
            row.update(self.compare(program, self.builder(program)))
        except (BenchError, OSError) as error:
            row["error"] = str(error)
            say(f"{program.name}: {error}")
        row["tookSeconds"] = round(time.monotonic() - started)
        return row


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     epilog=__doc__.split("\n\n")[1])
    parser.add_argument("--programs", metavar="A,B", default=",".join(ALL),
                        help=f"which of {', '.join(ALL)} (default: all)")
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N",
                        help=f"alternating runs of each variant (default: {PAIRS})")
    parser.add_argument("--quick", action="store_true",
                        help="3 pairs, on the input that was profiled: whether all works")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release",
                        help="Thermocline's build directory (default: build/release)")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/gain",
                        help="where all is fetched, built and noted (default: build/gain)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE",
                        help="write the tables into this page, between its two marks "
                        "(default: to standard output)")
    parser.add_argument("--simulate", action="store_true",
                        help="add simulated caches and TLBs to what was measured before, by "
                        "valgrind; takes some minutes for a program")
    parser.add_argument("--search", action="store_true",
                        help="add the best cold set that is found by building and running, to what "
                        "was measured before; takes some seconds to minutes for each set")
    parser.add_argument("--search-runs", type=int, default=SEARCH_RUNS, metavar="N",
                        help=f"how many sets are tried at most (default: {SEARCH_RUNS})")
    parser.add_argument("--tables-only", action="store_true",
                        help="measure nothing; write the tables of what was measured before")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.pairs = 3
    if arguments.pairs < 1:
        parser.error("--pairs must be 1 or more")
    if arguments.search_runs < 1:
        parser.error("--search-runs must be 1 or more")
    if arguments.search and arguments.simulate:
        parser.error("--search and --simulate are two commands")
    arguments.work = arguments.work.resolve()
    arguments.programs = arguments.programs.split(",")
    for name in arguments.programs:
        if name not in ALL:
            parser.error(f"no program '{name}'; there are {', '.join(ALL)}")
    return arguments


def recorded(arguments):
    """The command to measure the same again, without folders of this machine."""
    command = ["bench/gain/run.py", "--programs", ",".join(arguments.programs)]
    if arguments.search:
        command.append("--search")
        if arguments.search_runs != SEARCH_RUNS:
            command += ["--search-runs", str(arguments.search_runs)]
    elif arguments.quick:
        command.append("--quick")
    elif arguments.pairs != PAIRS:
        command += ["--pairs", str(arguments.pairs)]
    return shlex.join(command)


def keep(folder, row):
    new = folder / f"{row['name']}.json.new"
    new.write_text(json.dumps(row, indent=1))
    new.rename(folder / f"{row['name']}.json")


def recorded_row(folder, name):
    """What was measured before, if it was."""
    file = folder / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else {}


def add_to_rows(arguments, folder, what, found_for, more=None):
    """Notes under the name `what` what is found for each program, in its row, which is kept."""
    rows = {name: recorded_row(folder, name) for name in arguments.programs}
    for name, row in rows.items():
        if not row:
            raise BenchError(f"{name} was not measured yet")
    bench = Bench(arguments)
    for name, row in rows.items():
        row.setdefault("without", {}).pop(what, None)
        try:
            row[what] = {"date": str(datetime.date.today()), **(more or {}),
                         **found_for(bench, ALL[name])}
        except BenchError as error:
            row["without"][what] = str(error)
        keep(folder, row)


def main():
    arguments = parse()
    rows_folder = arguments.work / "rows"
    try:
        if arguments.out:
            tables.check_page(arguments.out)
        if arguments.simulate:
            add_to_rows(arguments, rows_folder, "simulated",
                        lambda bench, program: {"counts": bench.simulate(program)})
        elif arguments.search:
            add_to_rows(arguments, rows_folder, "searched", Bench.search,
                        {"command": recorded(arguments)})
        elif not arguments.tables_only:
            bench = Bench(arguments)
            rows_folder.mkdir(exist_ok=True)
            command = recorded(arguments)
            for name in arguments.programs:
                before = recorded_row(rows_folder, name)
                row = dict(bench.row(ALL[name]), command=command)
                for what in ("simulated", "searched"):
                    if what in before:
                        row[what] = before[what]
                keep(rows_folder, row)
        there = [name for name in ALL if (rows_folder / f"{name}.json").exists()]
        rows = [json.loads((rows_folder / f"{name}.json").read_text()) for name in there]
        tables.write(rows, arguments.out, [name for name in ALL if name not in there])
    except BenchError as error:
        sys.exit(f"run.py: error: {error}")
    sys.exit(1 if any("error" in row for row in rows) else 0)


if __name__ == "__main__":
    main()

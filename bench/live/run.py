#!/usr/bin/env python3
#===- bench/live/run.py - What live profiles cost, and what they are worth -===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs release binaries plain, and watched as `thermocline record --live` does, and prints
processor time and memory of each as Markdown. Then builds the example with hints from a
profile of each kind, and prints the pages that its queries touch; and what the one from the
live profile costs while it is profiled in its turn. See docs/production.md.

Needs what bench/profiler/run.py needs, and installs what is missing; the build directory
must hold the tools (ninja -C BUILD).
"""

import argparse
import datetime
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "profiler"))
import run as profiler  # noqa: E402

EXAMPLE = ROOT / "examples/pkgindex"
PACKAGES = pathlib.Path("/var/lib/dpkg/status")


def preloaded(build):
    return ["env", f"LD_PRELOAD={build}/lib/libthermocline_preload.so"]


def live_variants(flags):
    """As `thermocline record --live` does it, and as docs/production.md has it for servers."""
    return [profiler.Variant("recorded", flags, "sample=100:page_touches=1:touch_cost=30"),
            profiler.Variant("production", flags, "sample=1000:page_touches=1")]


def measure_costs(build, work, programs, runs, times):
    release = f"--config={build}/config/thermocline-release.cfg"
    builder = profiler.Builder(build, work)
    commands = profiler.commands(builder, profiler.Variant("release", release), programs)
    for kernel in profiler.KERNELS:
        commands[kernel].append(str(times))
    plain = profiler.Variant("plain", release)
    watched = live_variants(release)
    results = {}
    for program in programs:
        rounds = []
        for _ in range(runs):
            rounds.append({})
            answers = set()
            for variant in [plain, *watched]:
                before = [] if variant is plain else preloaded(build)
                rounds[-1][variant.name], answer = profiler.measure(
                    work, variant, [*before, *commands[program]])
                answers.add(answer)
            if len(answers) != 1:
                profiler.fail(f"{program} answers differently when it is watched")
        results[program] = profiler.Result(rounds)
        print(f"measured: {program}", file=sys.stderr)
    names = [variant.name for variant in watched]
    columns = ["program", "plain", *names, "plain, MiB", *names]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for program, result in results.items():
        row = [program, f"{result.seconds:.2f} s", *(f"{result.times[x]:.2f}x" for x in names),
               f"{result.kib / 1024:.1f}", *(f"{result.sizes[x]:.2f}x" for x in names)]
        print(f"| {' | '.join(row)} |")
    for name in names:
        time, size = (profiler.geometric_mean(getattr(result, kind)[name]
                                              for result in results.values())
                      for kind in ("times", "sizes"))
        print(f"\nWatched, {name}, to plain, geometric mean: time {time:.3f}, memory {size:.2f}.")


class Example:
    """The example, built with hints from one kind of profile."""

    def __init__(self, build, work):
        self.build, self.work = build, work
        self.input = PACKAGES if PACKAGES.exists() and PACKAGES.stat().st_size else (
            EXAMPLE / "status.sample")

    def make(self, name, config, flags="", libraries=""):
        folder = self.work / name
        profiler.run(["make", "-s", "-B", "-j2", "-C", EXAMPLE, f"BUILD={folder}",
                      f"CC=clang-22 --config={self.build}/config/{config}",
                      f"CXX=clang++-22 --config={self.build}/config/{config}",
                      f"CFLAGS=-O2 {flags}", f"CXXFLAGS=-O2 {flags}", f"LDLIBS={libraries}"])
        return folder / "pkgindex"

    def record(self, name, config, *options):
        """The profile, and what it predicts."""
        profile = self.work / f"{name}.memprofdata"
        done = subprocess.run([self.build / "bin/thermocline", "record", *options, "-o", profile,
                               "--", self.make(name, config), self.input],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            profiler.fail(done.stderr)
        return profile, re.search(r"predicted working set: (.*)", done.stderr).group(1)

    def touched(self, program, variant=None):
        """Pages that the queries touch, in KiB."""
        command = [program, "--pages", self.input]
        if variant:
            said = profiler.measure(self.work, variant, [*preloaded(self.build), *command])[1]
        else:
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return int(re.search(r"referenced (\d+) KiB", said).group(1))

    def optimize(self, name, profile=None):
        libraries = f"{self.build}/lib/libthermocline_alloc.a"
        flags = f"-fmemory-profile-use={profile}" if profile else ""
        return self.make(name, "thermocline-use.cfg", flags, libraries)


def measure_gain(example, runs):
    """Returns the program with hints from a live profile."""
    exact, exact_predicted = example.record("exact", "thermocline-generate.cfg")
    live, live_predicted = example.record("live", "thermocline-release.cfg", "--live")
    programs = {"none": (example.optimize("use-none"), "-"),
                "exact": (example.optimize("use-exact", exact), exact_predicted),
                "live": (example.optimize("use-live", live), live_predicted)}
    touched = {name: statistics.median(example.touched(program) for _ in range(runs))
               for name, (program, _) in programs.items()}
    print("\n| hints from | predicted | touched by queries, KiB | of the exact profile's gain |\n"
          "|---|---|---|---|")
    for name, (_, predicted) in programs.items():
        part = (touched["none"] - touched[name]) / (touched["none"] - touched["exact"])
        print(f"| {name} | {predicted} | {touched[name]:.0f} | {100 * part:.0f} % |")
    return programs["live"][0]


def measure_hinted(example, program, runs):
    plain = profiler.Variant("plain", "")
    variants = [plain, *live_variants("")]
    rounds, touched = [], {variant.name: [] for variant in variants}
    for _ in range(runs):
        rounds.append({})
        for variant in variants:
            before = [] if variant is plain else preloaded(example.build)
            rounds[-1][variant.name], _ = profiler.measure(
                example.work, variant, [*before, program, example.input])
            touched[variant.name].append(
                example.touched(program, None if variant is plain else variant))
    result = profiler.Result(rounds)
    print("\n| the example with hints | time | memory | touched by queries, KiB |\n|---|---|---|---|")
    for variant in variants:
        name = variant.name
        print(f"| {'not profiled' if variant is plain else 'live, ' + name} | "
              f"{result.seconds * result.times[name]:.2f} s, {result.times[name]:.2f}x | "
              f"{result.kib / 1024 * result.sizes[name]:.1f} MiB, {result.sizes[name]:.2f}x | "
              f"{statistics.median(touched[name]):.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--runs", type=int, default=7, help="interleaved runs (default: 7)")
    parser.add_argument("--times", type=int, default=1, metavar="N",
                        help="a run does its kernel so often (default: 1)")
    parser.add_argument("--only", metavar="PROGRAM", action="append", help="may be repeated")
    parser.add_argument("--hinted", action="store_true", help="only the example with hints")
    parser.add_argument("--work", type=pathlib.Path,
                        help="keep what is built here (default: BUILD/bench-live)")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if not (build / "bin/thermocline").exists():
        profiler.fail(f"no tools in {build}: build first")
    programs = arguments.only or profiler.PROGRAMS
    for program in programs:
        if program not in profiler.PROGRAMS:
            profiler.fail(f"no program '{program}'; there are {', '.join(profiler.PROGRAMS)}")
    profiler.install()
    work = (arguments.work or build / "bench-live").resolve()
    work.mkdir(parents=True, exist_ok=True)
    profiler.run(["clang++-22", "-O2", HERE.parent / "profiler/measure.cpp", "-o",
                  work / "measure"])
    print(f"{datetime.date.today()}, bench/live/run.py --runs={arguments.runs} "
          f"--times={arguments.times}: processor time and the most memory resident, medians\n")
    if not arguments.hinted:
        measure_costs(build, work, programs, arguments.runs, arguments.times)
    if arguments.only and "pkgindex" not in programs:
        return
    example = Example(build, work)
    hinted = measure_gain(example, arguments.runs)
    measure_hinted(example, hinted, arguments.runs)


if __name__ == "__main__":
    main()

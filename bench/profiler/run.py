#!/usr/bin/env python3
#===- bench/profiler/run.py - What profiling costs -------------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs programs plain, with clang's own -fmemory-profile, and with Thermocline's
profiler, exact and sampled, and prints the time and memory of each as Markdown. See
docs/runtime-recording.md.

Needs the Debian packages nlohmann-json3-dev, binutils-source and bison, and installs
what is missing; the build directory must hold the tools (ninja -C BUILD).
"""

import argparse
import datetime
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGES = ["nlohmann-json3-dev", "binutils-source", "bison", "flex", "zlib1g-dev"]
KERNELS = ["chase", "hash", "sort", "matrix", "stencil", "strings", "parse", "churn",
           "churn4", "tree", "calls"]
PROGRAMS = KERNELS + ["json", "as", "pkgindex"]
# Pairs of malloc and free in the kernel.
CHURN_PAIRS = 20_000_000
# What LLVM's documentation asks for besides -fmemory-profile, so that contexts are whole.
STOCK = ("-fmemory-profile -gmlt -fdebug-info-for-profiling -fno-omit-frame-pointer "
         "-mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls")
# An addition below this share of the plain time drowns in noise and counts as this.
LEAST_ADDED = 0.01


def fail(message):
    sys.exit(f"run.py: {message}")


def run(command, **arguments):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **arguments)
    if done.returncode:
        fail(f"{' '.join(map(str, command))}\n{done.stdout}")


def install():
    def is_installed(package):
        query = subprocess.run(["dpkg-query", "-W", "-f=${Status}", package],
                               capture_output=True, text=True)
        return query.stdout == "install ok installed"

    missing = [p for p in PACKAGES if not is_installed(p)]
    if missing:
        print("Installing:", *missing, file=sys.stderr)
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        run(["apt-get", "update", "-qq"])
        run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
            env=environment)


class Variant:
    """One way to build, in a folder, and to run what was built."""

    def __init__(self, name, flags, options="", folder=None):
        self.name, self.flags, self.options = name, flags, options
        self.folder = folder or name
        self.is_ours = "--config=" in flags


class Builder:
    def __init__(self, build, work):
        self.build, self.work = build, work
        self.plugin = build / "lib" / "Thermocline.so"
        self.quiet = dict(os.environ, MEMPROF_OPTIONS="dump_at_exit=0")

    @staticmethod
    def is_newer(made, program):
        return program.exists() and made.stat().st_mtime > program.stat().st_mtime

    def kernel(self, variant, source, name, *flags):
        program = self.work / variant.folder / name
        program.parent.mkdir(exist_ok=True)
        run(["clang++-22", "-std=c++20", "-O2", *variant.flags.split(), HERE / source, "-o",
             program, *flags])
        return program

    def assembler(self, variant):
        """GNU as, from the source that Debian packages."""
        source = self.work / "binutils-source"
        if not source.exists():
            archive = next(pathlib.Path("/usr/src/binutils").glob("binutils-*.tar.*"))
            source.mkdir()
            run(["tar", "xf", archive, "--strip-components=1", "-C", source])
        folder = self.work / variant.folder / "binutils"
        program = folder / "gas" / "as-new"
        compiler_changed = variant.is_ours and self.is_newer(self.plugin, program)
        if program.exists() and not compiler_changed:
            return program
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        off = [f"--disable-{part}" for part in (
            "binutils", "gdb", "gdbserver", "gprofng", "sim", "ld", "gold", "gprof", "nls",
            "werror", "plugins", "shared", "libctf")]
        run([source / "configure", "--quiet", *off, "--with-system-zlib", "--without-zstd",
             f"CC=clang-22 {variant.flags}", "CFLAGS=-O2 -w"], cwd=folder, env=self.quiet)
        run(["make", "-s", "-j2", "MAKEINFO=true", "all-gas"], cwd=folder, env=self.quiet)
        return program

    def example(self, variant):
        folder = self.work / variant.folder / "pkgindex"
        run(["make", "-s", "-j2", "-C", ROOT / "examples/pkgindex", f"BUILD={folder}",
             f"CFLAGS=-O2 {variant.flags}", f"CXXFLAGS=-O2 {variant.flags}",
             "CC=clang-22", "CXX=clang++-22"], env=self.quiet)
        return folder / "pkgindex"


def commands(builder, variant, programs):
    """Of each program, by name."""
    work = builder.work
    kernels = builder.kernel(variant, "kernels.cpp", "kernels", "-pthread")
    result = {name: [kernels, name] for name in KERNELS}
    if "json" in programs:
        result["json"] = [builder.kernel(variant, "json.cpp", "json")]
    if "as" in programs:
        source = work / "input.s"
        if not source.exists():
            run(["clang++-22", "-std=c++20", "-O1", "-g", "-fno-integrated-as", "-fno-addrsig",
                 "-S", HERE / "json.cpp", "-o", source])
        result["as"] = [builder.assembler(variant), source, "-o", "/dev/null"]
    if "pkgindex" in programs:
        packages = pathlib.Path("/var/lib/dpkg/status")
        if not packages.exists() or not packages.stat().st_size:
            packages = ROOT / "examples/pkgindex/status.sample"
        result["pkgindex"] = [builder.example(variant), packages]
    return result


class Sample:
    def __init__(self, seconds, kib):
        self.seconds, self.kib = seconds, kib


class Result:
    """Of one program: medians of the plain runs, and of the ratios to the plain run of the same
    round, which tell more than ratios of medians where a machine is slow for a while."""

    def __init__(self, rounds):
        self.seconds = statistics.median(r["plain"].seconds for r in rounds)
        self.kib = statistics.median(r["plain"].kib for r in rounds)
        self.times, self.sizes = {}, {}
        for name in rounds[0]:
            self.times[name] = statistics.median(
                r[name].seconds / r["plain"].seconds for r in rounds)
            self.sizes[name] = statistics.median(r[name].kib / r["plain"].kib for r in rounds)


def measure(work, variant, command):
    report, raw = work / "measured", work / "raw"
    options = f"log_path={raw}" + (":" + variant.options if variant.options else "")
    done = subprocess.run([work / "measure", report, *command], capture_output=True, text=True,
                          env=dict(os.environ, MEMPROF_OPTIONS=options))
    if done.returncode:
        fail(f"{' '.join(map(str, command))} ({variant.name}) failed:\n{done.stderr[:2000]}")
    for written in work.glob("raw.*"):
        written.unlink()
    _, seconds, kib = report.read_text().split()
    return Sample(float(seconds), int(kib)), done.stdout


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--runs", type=int, default=5, help="interleaved runs (default: 5)")
    parser.add_argument("--sample", type=int, action="append", metavar="N",
                        help="record one of N allocations in sampled runs; may be repeated "
                             "(default: 100 and 1000)")
    parser.add_argument("--only", metavar="PROGRAM", action="append", help="may be repeated")
    parser.add_argument("--work", type=pathlib.Path,
                        help="keep what is built here (default: BUILD/bench-profiler)")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    config = build / "config" / "thermocline-generate.cfg"
    sampling_config = config.with_name("thermocline-generate-sampling.cfg")
    if not config.exists():
        fail(f"no {config}: build first")
    install()
    work = (arguments.work or build / "bench-profiler").resolve()
    work.mkdir(parents=True, exist_ok=True)
    run(["clang++-22", "-O2", HERE / "measure.cpp", "-o", work / "measure"])

    variants = [Variant("plain", ""), Variant("stock", STOCK),
                Variant("ours", f"--config={config}")]
    sampled = [Variant(f"1 of {n}", f"--config={sampling_config}", f"sample={n}", "sampled")
               for n in arguments.sample or [100, 1000]]
    variants += sampled
    builder = Builder(build, work)
    programs = arguments.only or PROGRAMS
    for program in programs:
        if program not in PROGRAMS:
            fail(f"no program '{program}'; there are {', '.join(PROGRAMS)}")
    by_variant = {}
    for variant in variants:
        print(f"building: {variant.name}", file=sys.stderr)
        by_variant[variant.name] = commands(builder, variant, programs)

    results = {}
    for program in programs:
        rounds = []
        answers = set()
        for _ in range(arguments.runs):
            rounds.append({})
            for variant in variants:
                rounds[-1][variant.name], answer = measure(
                    work, variant, by_variant[variant.name][program])
                answers.add(answer)
        if len(answers) != 1:
            fail(f"{program} answers differently when it is profiled")
        results[program] = Result(rounds)
        print(f"measured: {program}", file=sys.stderr)

    print(f"{datetime.date.today()}, bench/profiler/run.py --runs={arguments.runs}: processor time "
          "and the most memory resident, medians\n")
    names = [variant.name for variant in sampled]
    columns = ["program", "plain", "stock", "Thermocline", "added", *names,
               "plain, MiB", "stock", "Thermocline", *names]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    shares = []
    for program, result in results.items():
        added = [max(result.times[x] - 1, LEAST_ADDED) for x in ("stock", "ours")]
        shares.append(added[1] / added[0])
        times, sizes = ({x: f"{ratio:.2f}x" for x, ratio in ratios.items()}
                        for ratios in (result.times, result.sizes))
        row = [program, f"{result.seconds:.2f} s", times["stock"], times["ours"],
               f"{shares[-1]:.2f}", *(times[x] for x in names), f"{result.kib / 1024:.1f}",
               sizes["stock"], sizes["ours"], *(sizes[x] for x in names)]
        print(f"| {' | '.join(row)} |")

    def mean(kind, name):
        return geometric_mean(getattr(result, kind)[name] for result in results.values())

    print(f"\nAdded time, Thermocline's to stock's, geometric mean: {geometric_mean(shares):.2f}. "
          f"Memory, Thermocline to plain, geometric mean: {mean('sizes', 'ours'):.2f}.")
    for name in names:
        print(f"Sampled, {name}, to plain, geometric mean: time {mean('times', name):.2f}, "
              f"memory {mean('sizes', name):.2f}.")
    if "churn" in results:
        churn = results["churn"]
        ours, stock = ((churn.times[x] - 1) * churn.seconds / CHURN_PAIRS * 1e9
                       for x in ("ours", "stock"))
        print(f"A pair of malloc and free takes {ours:.0f} ns more with Thermocline, "
              f"{stock:.0f} ns more with stock.")


if __name__ == "__main__":
    main()

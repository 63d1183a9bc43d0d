#!/usr/bin/env python3
#===- bench/thinlink/one-module.py - A module that owns a million contexts -===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Profiles a program of one module with FAN_OUT to the power of LEVELS contexts of one
allocation, compiles and links it with stock LLVM's MemProf and with Thermocline, and
prints what each took, as Markdown. See docs/results/thinlink.md.

Build first: scripts/setup.sh
"""

import argparse
import os
import pathlib
import random
import subprocess
import tempfile

LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")
STOCK_COMPILE = ["-flto=thin", "-gmlt", "-fdebug-info-for-profiling",
                 "-funique-internal-linkage-names",
                 # Seconds that the run takes; LLVM's default is 200.
                 "-mllvm", "-memprof-ave-lifetime-cold-threshold=1",
                 "-mllvm", "-memprof-lifetime-access-density-cold-threshold=100"]
STOCK_LINK = ["-flto=thin", "-fuse-ld=lld"] + [
    "-Wl,-mllvm," + o for o in ["-enable-memprof-context-disambiguation",
                                "-supports-hot-cold-new", "-optimize-hot-cold-new"]]


def source(levels, fan_out, at_random):
    """What is cold is told by the calls on the way, or by dice for each context."""
    dice = random.Random(1)
    cold = "((Path * 2654435761u >> 15 ^ Path) * 2246822519u >> 27 & 1)"
    yield f"""#include <unistd.h>
static char *Kept[{fan_out ** levels}]; static unsigned Count; static volatile long Sum;
__attribute__((noinline)) void allocate(unsigned Path, bool Cold) {{
  char *P = new char[16];
  if ({cold if at_random else 'Cold'}) {{ *(volatile char *)P = 1; Kept[Count++] = P; return; }}
  for (int I = 0; I < 64; I++) ((volatile char *)P)[I & 15]++;
  delete[] P;
}}"""
    for level in range(levels):
        callee = f"f{level - 1}" if level else "allocate"
        yield f"__attribute__((noinline)) void f{level}(unsigned Path, bool Cold) {{"
        for i in range(fan_out):
            is_cold = "true" if dice.random() < 0.06 else "Cold"
            yield f"  {callee}(Path * {fan_out} + {i}, {is_cold});"
        yield "  Sum++;\n}"
    yield f"""int main() {{
  f{levels - 1}(0, false);
  usleep(3000000);
  for (unsigned I = 0; I != Count; I++) delete[] Kept[I];
}}"""


def measure(command, directory):
    """User seconds and peak memory in MB."""
    process = subprocess.Popen([str(c) for c in command], cwd=directory,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"error: {' '.join(map(str, command))}")
    return usage.ru_utime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--levels", type=int, default=10)
    parser.add_argument("--fan-out", type=int, default=4)
    parser.add_argument("--random", action="store_true",
                        help="dice decide what is cold")
    arguments = parser.parse_args()
    build = pathlib.Path(arguments.build).resolve()
    generate, use = (f"--config={build}/config/thermocline-{name}.cfg"
                     for name in ("generate", "use"))
    clang = LLVM_BIN / "clang++"
    print("| | compile: user s | MB | object: MB | link: user s | MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as at:
        path = pathlib.Path(at)
        (path / "a.cpp").write_text("\n".join(source(
            arguments.levels, arguments.fan_out, arguments.random)))
        subprocess.run([clang, generate, "-O2", "a.cpp", "-o", "profiled"], cwd=at, check=True)
        subprocess.run(["./profiled"], cwd=at, check=True,
                       env={"MEMPROF_OPTIONS": f"log_path={at}/raw"})
        raw = [p.name for p in path.glob("raw.*")]
        subprocess.run([build / "bin/thermo-profdata", "merge", "--binary=profiled",
                        "-o", "heap.prof"] + raw, cwd=at, check=True,
                       stderr=subprocess.DEVNULL)
        rows = {}
        for name, compile_with, link_with in [
                ("stock", STOCK_COMPILE, STOCK_LINK + [build / "lib/libthermocline_hints.a"]),
                # As stock LLVM classifies: objects of 16 bytes are too small to
                # gain anything by.
                ("Thermocline", [use, "-mllvm", "-thermocline-cold-by-totals"], [use])]:
            compiled = measure([clang, "-O2", "-c", "-fmemory-profile-use=heap.prof", "a.cpp",
                                "-o", "a.o"] + compile_with, at)
            size = (path / "a.o").stat().st_size / 1e6
            linked = measure([clang, "a.o", "-o", "a"] + link_with, at)
            rows[name] = [*compiled, size, *linked]
            print(f"| {name} | " + " | ".join(f"{v:,.2f}" for v in rows[name]) + " |")
        print("| ratio | " + " | ".join(
            f"{ours / stock:.2f}" for stock, ours in zip(rows["stock"], rows["Thermocline"]))
            + " |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
#===- bench/thinlink/deep.py - Deep contexts in many modules --------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Links a random program with deep contexts in many modules, each linker with what its
own annotation leaves: stock llvm-lto2 with contexts that are trimmed, thermo-lto with
packed ones. Prints what decisions cost beyond a link without, as Markdown. See
docs/results/thinlink.md.

Build first: ninja -C BUILD thermo-lto thermocline-bench-generate
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

STOCK = ["/usr/lib/llvm-22/bin/llvm-lto2", "run"]
STOCK_ON = ["-enable-memprof-context-disambiguation", "-supports-hot-cold-new"]
OFF = ["-enable-memprof-context-disambiguation=false"]
# Indexes alone, without imports, which random calls have everywhere.
COMMON = ["@link.rsp", "-o", "lto", "-thinlto-distributed-indexes", "-import-instr-limit=0"]


def measure(command, directory):
    """User seconds and peak memory in MB."""
    # In a process of its own, as the peak is of all children.
    run = ("import resource, subprocess, sys\n"
           "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL,"
           " stderr=subprocess.DEVNULL)\n"
           "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
           "print(done.returncode, used.ru_utime, used.ru_maxrss / 1024)")
    out = subprocess.run([sys.executable, "-c", run, *map(str, command)], cwd=directory,
                         capture_output=True, text=True, check=True).stdout.split()
    if out[0] != "0":
        sys.exit(f"error: {out[0]}: {' '.join(map(str, command))}")
    return float(out[1]), float(out[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--modules", type=int, default=85)
    parser.add_argument("--contexts", type=int, default=88_000)
    parser.add_argument("--layers", type=int, default=128,
                        help="calls of a context that does not recurse")
    parser.add_argument("--cold-per-mille", type=int, default=5,
                        help="calls that make a context cold; 5 do so to half of the contexts")
    arguments = parser.parse_args()
    binaries = pathlib.Path(arguments.build).resolve() / "bin"
    program = [f"-layers={arguments.layers}", f"-width={arguments.modules}", "-fan-out=3",
               f"-modules={arguments.modules}", f"-contexts={arguments.contexts}",
               "-recursive=30", "-shared=950", f"-allocations={arguments.modules}",
               f"-cold-per-mille={arguments.cold_per_mille}"]
    ours = [binaries / "thermo-lto", "run"]
    print("| | link without: user s | MB | with: user s | MB |")
    print("|---|---|---|---|---|")
    for name, form, tool, enabled in [
            ("stock", "-trim", STOCK, STOCK_ON),
            ("Thermocline", "-pack=64", ours, []),
            ("without a limit of growth", "-pack=64", ours,
             ["-thinlto-memprof-max-growth=none"])]:
        with tempfile.TemporaryDirectory() as at:
            subprocess.run([binaries / "thermocline-bench-generate", "-o", at, form,
                            *program], check=True, stdout=subprocess.DEVNULL)
            row = [*measure(tool + COMMON + OFF, at), *measure(tool + COMMON + enabled, at)]
        print(f"| {name} | " + " | ".join(f"{v:,.2f}" for v in row) + " |", flush=True)


if __name__ == "__main__":
    main()

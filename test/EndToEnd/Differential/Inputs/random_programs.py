#!/usr/bin/env python3
"""Random programs: whatever stands between a caller and an allocation, nothing hot is hinted.

random_programs.py BUILD LLVM-BIN OUT FIRST NUMBER

A *cell* is a random program of its own: functions in two source files and a header, that
nothing else calls. NUMBER cells, from the seed FIRST on, are built BATCH at a time into
one program. What leads from a function to the next is anything that a call stack can
pass: pointers, code without bitcode, libraries, other threads and contexts, coroutines,
tail calls, weak and aliased symbols, functions that the linker folds (Lines.py). A
caller says whether what is allocated below it is hot or cold; hot memory is read over
and over at the end. Each batch has its own way to be built (ways()).

A batch is profiled, built with the profile, and run with the allocator. Then no hot
object may lie on the cold heap, and both builds must answer alike. Prints each cell for
which that fails, with the way of its batch, and at last how much was cold:

    50 cells: 0 with hot memory on the cold heap; 61.2 % of 123456 cold bytes on it

Each cell is the same whatever its batch: to repeat one, FIRST is its number, NUMBER is 1,
and WAY from the environment is the seed of its batch, which is printed as well.
"""

import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

from cells import Cell

BATCH = 50
THIN = ["-flto=thin", "-fuse-ld=lld"]
INPUTS = Path(__file__).resolve().parent


class Failed(Exception):
    """A command failed, or an answer is wrong."""


def run(command, **options):
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if result.returncode:
        raise Failed(f"{shlex.join(map(str, command))}\nexit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def ways(seed):
    """How a batch is built: flags of the profiled build, of the optimized one, of its link."""
    dice = random.Random(seed)
    level = dice.choice(["-O1", "-O2", "-O2", "-O3"])
    generate = [level if dice.random() < 0.7 else dice.choice(["-O0", "-O1", "-O2", "-O3"])]
    if dice.random() < 0.3:
        generate += THIN
    use, link, linker = [level], [], "lld"
    chance = dice.random()
    if chance < 0.25:
        use.append("-flto=full")
    elif chance < 0.45:
        linker = dice.choice(["bfd", "gold", "mold"])
    if linker in ("lld", "gold"):
        fold = dice.choice(["none", "safe", "all", "all"])
        link.append(f"-Wl,--icf={fold}")
    if dice.random() < 0.5:
        link.append("-Wl,--gc-sections")
    if dice.random() < 0.2:
        use.append("-fwhole-program-vtables")
        use.append("-fvisibility=hidden")
    position = dice.choice([["-fPIE", "-pie"], ["-fPIE", "-pie"], ["-fno-PIE", "-no-pie"]])
    return generate + position, use + position, link, linker


class Batch:
    def __init__(self, build, llvm, out, seeds, way):
        self.build, self.llvm, self.out = Path(build), Path(llvm), Path(out)
        self.way = way
        self.cells = [Cell(place, seed) for place, seed in enumerate(seeds)]

    def write(self):
        source = self.out / "source"
        source.mkdir(parents=True, exist_ok=True)
        for old in source.iterdir():
            old.unlink()
        for file in (0, 1):
            parts = [c.text(file) for c in self.cells]
            (source / f"part{file}.cpp").write_text('#include "cells.h"\n' + "\n".join(parts))
        (source / "cells.h").write_text('#pragma once\n#include "Calls.h"\n' +
                                        "\n".join(c.header() for c in self.cells))
        entries = "".join(f"    {c.entry.name}(48);\n" for c in self.cells)
        (source / "main.cpp").write_text(
            '#include "cells.h"\n#include <cstdio>\nint main() {\n'
            f"  for (int I = 0; I != 12; ++I) {{\n{entries}  }}\n  Tag = 0;\n  useAll();\n}}\n")
        return [source / "main.cpp", source / "part0.cpp", source / "part1.cpp", INPUTS / "Calls.cpp"]

    def compile(self, flags, sources, folder, shown):
        folder = self.out / folder
        folder.mkdir(exist_ok=True)
        objects = []
        for s in sources:
            objects.append(folder / (s.name + ".o"))
            run([self.llvm / "clang++", *flags, "-std=c++20", *shown, f"-I{INPUTS}", f"-I{s.parent}", "-pthread",
                 "-c", s, "-o", objects[-1]])
        return objects

    def native(self):
        """What no plugin has seen: an object, and a library."""
        native, library = self.out / "native.o", self.out / "libcalls.so"
        for output, flags in ((native, ["-c", "-fPIC"]), (library, ["-shared", "-fPIC", "-DLIBRARY"])):
            run([self.llvm / "clang", "-O2", f"-I{INPUTS}", *flags, INPUTS / "Native.c", "-o", output])
        return [native, library, f"-Wl,-rpath,{self.out}"]

    @staticmethod
    def fails(build, flags):
        """Whether LLVM alone falls over it: some ifuncs and coroutines do that to ThinLTO."""
        try:
            build(flags)
        except Failed:
            return True
        return False

    def hot_and_cold(self):
        """By cell: bytes that are hot and on the cold heap, cold on it, and cold elsewhere."""
        generate, use, link, linker = ways(self.way)
        sources = self.write()
        native = self.native()
        config = f"--config={self.build}/config/thermocline-generate.cfg"
        shown = ["-Wno-unused-command-line-argument"]
        profiled = self.out / "profiled"

        def build(flags):
            objects = self.compile(flags, sources, "generate", shown)
            run([self.llvm / "clang++", *flags, *shown, "-pthread", *objects, *native, "-o", profiled])

        try:
            build([config, *generate])
        except Failed:
            if THIN[0] not in generate or not self.fails(build, generate):
                raise
            build([config, *(flag for flag in generate if flag not in THIN)])
        for old in self.out.glob("raw*"):
            old.unlink()
        before = run([profiled], env={**os.environ, "MEMPROF_OPTIONS": f"test_clock=1:touch_windows=0:log_path={self.out}/raw"})
        profile = self.out / "profile"
        run([self.build / "bin/thermo-profdata", "merge", "--quiet", f"--binary={profiled}", "-o", profile,
             *self.out.glob("raw*")])
        config = f"--config={self.build}/config/thermocline-use{'' if linker == 'lld' else '-' + linker}.cfg"
        optimized = self.out / "optimized"

        def optimize(flags):
            objects = self.compile(flags, sources, "use", shown)
            run([self.llvm / "clang++", *flags, *link, *shown, "-pthread", *objects, *native,
                 self.build / "lib/libthermocline_alloc.a", "-o", optimized])

        with_profile = [config, *use, f"-fmemory-profile-use={profile}"]
        try:
            optimize(with_profile)
        except Failed:
            if not self.fails(optimize, [*THIN, *use]):
                raise
            optimize([*with_profile, "-flto=full"])
        after = run([optimized])
        if before.split("\n", 1)[0] != after.split("\n", 1)[0]:
            raise Failed(f"answers differ: {before.splitlines()[0]}, {after.splitlines()[0]}")
        found = {c.number: [0, 0, 0] for c in self.cells}
        for line in after.splitlines()[1:]:
            tag, plain, cold = map(int, line.split())
            if tag % 4 == 1:
                found[tag // 4][0] += cold
            elif tag % 4 == 2:
                found[tag // 4][1] += cold
                found[tag // 4][2] += plain
        return found


def main(build, llvm, out, first, number):
    first, number = int(first), int(number)
    wrong = cold = all_cold = 0
    for begin in range(first, first + number, BATCH):
        seeds = range(begin, min(begin + BATCH, first + number))
        way = int(os.environ.get("WAY", begin // BATCH))
        batch = Batch(build, llvm, out, seeds, way)
        described = "; ".join(" ".join(part) for part in ways(way)[:3]) + f"; {ways(way)[3]}"
        try:
            found = batch.hot_and_cold()
        except Failed as e:
            print(f"cells {seeds.start} to {seeds.stop - 1}, WAY={way} ({described}): {e}")
            wrong += len(seeds)
            continue
        for cell in batch.cells:
            hot, on, off = found[cell.number]
            cold += on
            all_cold += on + off
            if hot:
                wrong += 1
                print(f"cell {cell.seed}, WAY={way} ({described}): {hot} hot bytes on the cold heap", flush=True)
    print(f"{number} cells: {wrong} with hot memory on the cold heap; "
          f"{100 * cold / max(all_cold, 1):.1f} % of {all_cold} cold bytes on it")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
